// Kerb curve: plane and space curves that several rooms measure.
//
// So far: the quadratic Bézier and its greatest curvature, from which the path follower of EA
// estimates how sharp the way ahead is.
//
//     float sharpest = kerb_bezier_curvature_max(p1, p2, p3); // 1/m; limit: sqrt(a / sharpest)
//
// All functions are pure, O(1), allocate nothing and may be called from any thread.
#ifndef KERB_CURVE_H
#define KERB_CURVE_H

#include "math.h"

/// Curvature of a curve that turns back on itself (radius 1 cm): stands for infinity, so that
/// speeds and comparisons stay finite. [1/m]
#define KERB_CURVATURE_CUSP 100.0f

/// A point of the quadratic Bézier with control points p1, p2, p3. [t: 0 … 1] (EA eq. 2)
KERB_API kerb_vec3 kerb_bezier_point(kerb_vec3 p1, kerb_vec3 p2, kerb_vec3 p3, float t);

/// The greatest curvature on the quadratic Bézier, without sampling. [1/m] (EA eq. 3 and 4)
///
/// With A the triangle's area and m the midpoint of p1 p3: |p2-m|³/A² when p2 lies outside both
/// spheres on the diameters p1-m and m-p3, else max(A/|p1-p2|³, A/|p3-p2|³). Eq. 3
/// is printed with the factor 1/2 outside the square; it belongs inside. Three points in a row
/// give 0; a curve that doubles back gives KERB_CURVATURE_CUSP, which also bounds all results.
KERB_API float kerb_bezier_curvature_max(kerb_vec3 p1, kerb_vec3 p2, kerb_vec3 p3);

#endif
