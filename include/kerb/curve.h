// Kerb curve: plane and space curves that several rooms measure.
//
// The shortest way from one pose to another for something that cannot turn on the spot: forwards
// only (Dubins), or in reverse as well (Reeds and Shepp). And the quadratic Bézier with its
// greatest curvature, from which the path follower of EA estimates how sharp the way ahead is.
//
//     kerb_pose here = kerb_pose_make(0.0f, 0.0f, 0.0f), there = kerb_pose_make(9.0f, 4.0f, 1.57f);
//     float metres = kerb_dubins_length(here, there, radius);         // how far it is, at least
//     kerb_curve way = kerb_dubins(here, there, radius);              // and how to drive it
//     kerb_curve_place place = kerb_curve_at(&way, 0.5f * metres);    // where one is halfway
//     kerb_curve rest = kerb_curve_rest(&way, driven);                // keep it while following
//     float sharpest = kerb_bezier_curvature_max(p1, p2, p3); // 1/m; limit: sqrt(a / sharpest)
//
// All functions are pure, O(1), allocate nothing and may be called from any thread.
#ifndef KERB_CURVE_H
#define KERB_CURVE_H

#include "math.h"

// --------------------------------------------------------------------------- ways of arcs

/// Most pieces of a kerb_curve.
#define KERB_CURVE_PIECES 5

/// A way of arcs and straights, one after the other without a corner. Plain data.
typedef struct kerb_curve {
    kerb_pose start;
    int32_t count;                      ///< of pieces [0 … KERB_CURVE_PIECES]
    float curvature[KERB_CURVE_PIECES]; ///< left positive, whichever way it is driven [1/m]
    float length[KERB_CURVE_PIECES];    ///< negative: driven in reverse [m]
} kerb_curve;

/// A point of a kerb_curve.
typedef struct kerb_curve_place {
    kerb_pose pose;
    float curvature; ///< of the piece that goes on from here [1/m]
    int32_t travel;  ///< 1 forwards, -1 in reverse
} kerb_curve_place;

/// Metres driven along the whole way, those in reverse counted like the others. [m] O(pieces)
KERB_API float kerb_curve_length(const kerb_curve* curve);

/// The place `distance` metres along; before the start (or NaN) the start, beyond the end the end.
/// Pieces without length are passed over. O(pieces)
KERB_API kerb_curve_place kerb_curve_at(const kerb_curve* curve, float distance);

/// Where it ends. O(pieces)
KERB_API kerb_pose kerb_curve_end(const kerb_curve* curve);

/// What is left of the same way after `distance` metres: the same pieces, the first of them cut;
/// beyond the end none. O(pieces) What remains falls by just what was driven. To follow a way, keep
/// it and ask for its rest: asked anew from where one is, the shortest way may be another one, and
/// beside the end of an arc it is longer by a whole circle.
KERB_API kerb_curve kerb_curve_rest(const kerb_curve* curve, float distance);

// --------------------------------------------------------------------------- Dubins

// Poses count as what floats can say: a goal that rounding may have moved off a way (by up to 2e-6
// of its distance and of its coordinates, 5e-7 rad) counts as being on it, so that no circle
// appears where there is none. Lengths are exact to about 1e-6 of themselves plus of the radius;
// where two circles barely reach one another they grow with the square root of what is missing, and
// rounding shows a hundred times as much.
//
// Radii from 1e-15 to 1e15 m, distances up to 1e15 radii; beyond, and for numbers that are NaN or
// infinite, there is no way: KERB_NO_WAY, or a kerb_curve without pieces.

/// The six words: left, right and straight in the order in which they are driven.
typedef enum kerb_dubins_word {
    KERB_DUBINS_LSL,
    KERB_DUBINS_RSR,
    KERB_DUBINS_LSR,
    KERB_DUBINS_RSL,
    KERB_DUBINS_RLR,
    KERB_DUBINS_LRL,
    KERB_DUBINS_WORD_COUNT
} kerb_dubins_word;

/// What functions return as the length of a way that does not exist. [m]
#define KERB_NO_WAY 1.0e30f

/// Length of the shortest way from one pose to another with no turn tighter than `radius`,
/// forwards only. (L. E. Dubins, 1957) [m] [radius: > 0] Less than 100 ns.
KERB_API float kerb_dubins_length(kerb_pose from, kerb_pose to, float radius);

/// The same among the four words of turn, straight, turn alone (Pinter; the AIPATH thesis): closer
/// than four radii up to several times longer. [m]
KERB_API float kerb_dubins_length_csc(kerb_pose from, kerb_pose to, float radius);

/// Length of one word; KERB_NO_WAY where the circles lie so that it does not exist. [m]
KERB_API float kerb_dubins_word_length(kerb_dubins_word word, kerb_pose from, kerb_pose to,
                                       float radius);

/// The shortest way itself, always in three pieces, some perhaps without length. Of words of the
/// same length, the first in kerb_dubins_word. About 180 ns.
KERB_API kerb_curve kerb_dubins(kerb_pose from, kerb_pose to, float radius);

/// The way by one word, count 0 where it does not exist.
KERB_API kerb_curve kerb_dubins_by_word(kerb_dubins_word word, kerb_pose from, kerb_pose to,
                                        float radius);

/// Many poses, each component in an array of its own.
typedef struct kerb_poses {
    const float *x, *y, *forward_x, *forward_y;
} kerb_poses;

/// kerb_dubins_length of `count` pairs, to the bit, several at a time: about 30 ns a pair with the
/// SSE2 of every x86-64, 11 ns where Kerb is built with -march=x86-64-v3. [count: >= 0]
KERB_API void kerb_dubins_lengths(kerb_poses from, kerb_poses to, float radius, int32_t count,
                                  float* lengths);

// --------------------------------------------------------------------------- Reeds and Shepp

// Poses count as what floats can say: a goal that rounding may have moved off a way counts as being
// on it, and pieces that rounding alone would ask for are left out. So a way ends within a few
// millionths of its length and of the coordinates from the goal, and of a radian. Where circles
// barely touch, or a goal lies aside of the start, lengths grow with the root of what is missing.
//
// Radii from 1e-30 to 1e30 m; beyond, and for numbers that are NaN or infinite, there is no way:
// KERB_NO_WAY, or a kerb_curve without pieces.

/// Words of Reeds and Shepp: nine families, each with its mirror images in time and in space.
/// By number of reversals, those with fewest first.
#define KERB_REEDS_SHEPP_WORDS 48

/// Length of the shortest way from one pose to another with no turn tighter than `radius`,
/// forwards and in reverse. (J. A. Reeds and L. A. Shepp, 1990) [m] [radius: > 0] About 200 ns,
/// wherever the goal lies.
KERB_API float kerb_reeds_shepp_length(kerb_pose from, kerb_pose to, float radius);

/// Length of one word with every arc shorter than a whole circle, KERB_NO_WAY where the circles lie
/// so that it does not exist. [word: 0 … 47] [m]
KERB_API float kerb_reeds_shepp_word_length(int32_t word, kerb_pose from, kerb_pose to,
                                            float radius);

/// A word written out, reverse pieces in small letters: "LrSl…". [word: 0 … 47]
KERB_API const char* kerb_reeds_shepp_word_text(int32_t word);

/// The shortest way itself; of equally short ones the first word's. Pieces without length are left
/// out: no pieces where the poses are the same. About 0.4 µs. To follow it, keep it and ask for
/// kerb_curve_rest: asked anew from where one is, an equally short way may be another one.
KERB_API kerb_curve kerb_reeds_shepp(kerb_pose from, kerb_pose to, float radius);

/// The way by one word, count 0 where it does not exist.
KERB_API kerb_curve kerb_reeds_shepp_by_word(int32_t word, kerb_pose from, kerb_pose to,
                                             float radius);

// --------------------------------------------------------------------------- Bézier

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
