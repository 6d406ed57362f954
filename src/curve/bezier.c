// The quadratic Bézier curve and its greatest curvature.
//
// The curvature is the area A of the control triangle, divided by the cube of half the length of
// the derivative. The derivative moves on a straight line (the hodograph), so its length has one
// minimum: where that line is nearest to the origin. When the minimum lies inside the curve, the
// greatest curvature has the closed form |p2-m|³/A². Else one of the ends has the greatest
// curvature. O(1), no sampling.
// Source: EA eq. 2 to 4, with eq. 3's factor 1/2 inside the square, as in the header.
#include "kerb/curve.h"

#include <math.h>

// Control points nearer than this count as one point. Far below the spacing of floats at any
// practical distance from the origin. [m]
#define REPEATED 1e-9

// All computations are in doubles. The areas and cubes of a kilometre and of a millimetre differ by
// twenty powers of ten, and the cross product of a thin triangle needs all its digits. Differences
// of floats and products of them are exact in doubles, so three points on a line give exactly 0.
typedef struct exact_vector {
    double x, y, z;
} exact_vector;

// Some hosts flush denormal floats to zero. Differences that this can change become 0 everywhere.
static double part_of_difference(float a, float b) {
    double part = (double)a - (double)b;
    return part > -1e-30 && part < 1e-30 ? 0.0 : part;
}

static exact_vector difference(kerb_vec3 a, kerb_vec3 b) {
    exact_vector result = {part_of_difference(a.x, b.x), part_of_difference(a.y, b.y),
                           part_of_difference(a.z, b.z)};
    return result;
}

static double dot(exact_vector a, exact_vector b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static double length(exact_vector a) {
    return sqrt(dot(a, a));
}

static double triangle_area(exact_vector a, exact_vector b) {
    exact_vector cross = {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
    return 0.5 * length(cross);
}

kerb_vec3 kerb_bezier_point(kerb_vec3 p1, kerb_vec3 p2, kerb_vec3 p3, float t) {
    float s = 1.0f - t;
    kerb_vec3 point = kerb_vec3_scale(p1, s * s);
    point = kerb_vec3_along(point, p2, 2.0f * s * t);
    return kerb_vec3_along(point, p3, t * t);
}

// A curvature as a float between 0 and KERB_CURVATURE_CUSP. Denormal floats become 0, because hosts
// may flush them. The comparison is written so that NaN becomes a cusp, because a driver passes a
// cusp slowly, which is safe.
static float bezier_bounded(double curvature) {
    if (!(curvature < (double)KERB_CURVATURE_CUSP))
        return KERB_CURVATURE_CUSP;
    return curvature < 1e-37 ? 0.0f : (float)curvature;
}

float kerb_bezier_curvature_max(kerb_vec3 p1, kerb_vec3 p2, kerb_vec3 p3) {
    exact_vector first = difference(p2, p1);
    exact_vector second = difference(p3, p2);
    double first_length = length(first);
    double second_length = length(second);
    // Two of the points are one: the curve is a straight line without a cusp.
    if (first_length < REPEATED || second_length < REPEATED)
        return 0.0f;
    double area = triangle_area(first, second);
    // From the midpoint m of the chord p1-p3 to p2.
    exact_vector height = {0.5 * (first.x - second.x), 0.5 * (first.y - second.y),
                           0.5 * (first.z - second.z)};
    // The peak lies inside the curve exactly when p2 lies outside both spheres with the diameters
    // p1-m and m-p3, that is, when the angles p1-p2-m and m-p2-p3 are acute.
    bool peak_inside = dot(first, height) > 0.0 && dot(second, height) < 0.0;
    if (peak_inside) {
        double ratio = length(height) / area;
        return bezier_bounded(length(height) * ratio * ratio);
    }
    double shorter = first_length < second_length ? first_length : second_length;
    return bezier_bounded(area / (shorter * shorter * shorter));
}
