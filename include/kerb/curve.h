// Kerb curve: shortest curves between poses, and the curvature of Bézier curves.
//
// A vehicle that cannot turn on the spot needs a curve with a minimum turning radius from one pose
// to another. The shortest such curve consists of arcs and straights. This header computes it for
// vehicles that only drive forwards (Dubins) and for those that also reverse (Reeds and Shepp). It
// also computes the greatest curvature of a quadratic Bézier curve, from which a path follower
// estimates how sharp the path ahead is.
//
//     kerb_pose start = kerb_pose_make(0.0f, 0.0f, 0.0f), goal = kerb_pose_make(9.0f, 4.0f, 1.6f);
//     float length = kerb_dubins_length(start, goal, 5.0f);         // only the length
//     kerb_curve curve = kerb_dubins(start, goal, 5.0f);            // the curve itself
//     kerb_curve_sample middle = kerb_curve_at(&curve, 0.5f * length);
//     kerb_curve ahead = kerb_curve_remainder(&curve, 3.0f);        // after 3 m of driving
//     float distance_left = kerb_curve_length(&ahead);              // length - 3 m
//     kerb_vec3 p1 = {0, 0, 0}, p2 = {10, 0, 0}, p3 = {10, 10, 0};
//     float sharpest = kerb_bezier_curvature_max(p1, p2, p3);       // [1/m]
//     float speed_max = kerb_sqrt(5.0f / sharpest);                 // for 5 m/s² lateral
//
// There is no call order. All functions are pure, allocate nothing and may be called from any
// thread. They are O(1) where nothing else is stated. A kerb_curve is plain data of fixed size.
//
// Does not: avoid obstacles, limit the rate at which curvature changes, or plan speeds.
//
// "EA" in the comments below is "Efficient Ground Vehicle Path Following in Game AI" (de Schaetzen
// and Sestini, 2023).
#ifndef KERB_CURVE_H
#define KERB_CURVE_H

#include "math.h"

// --------------------------------------------------------------------------- arcs and straights

/// Greatest number of pieces of a kerb_curve.
#define KERB_CURVE_PIECES 5

/// Curve of arcs and straights. Each piece begins where the piece before it ends, in the same
/// direction. Plain data.
typedef struct kerb_curve {
    kerb_pose start;
    int32_t count;                      ///< Number of pieces. [0 … KERB_CURVE_PIECES]
    float curvature[KERB_CURVE_PIECES]; ///< Positive to the left, also in reverse. [1/m]
    float length[KERB_CURVE_PIECES];    ///< Negative: driven in reverse. [m]
} kerb_curve;

/// State at one point of a kerb_curve.
typedef struct kerb_curve_sample {
    kerb_pose pose;
    float curvature; ///< Of the piece that begins or continues here. [1/m]
    int32_t travel;  ///< 1: forwards. -1: in reverse.
} kerb_curve_sample;

/// Length of the whole curve. Pieces in reverse count with positive length. [m] O(pieces)
KERB_API float kerb_curve_length(const kerb_curve* curve);

/// State after `distance` metres. Negative distances and NaN give the start. Distances beyond the
/// end give the end, with the curvature and travel of the last piece. Skips pieces of length 0.
/// O(pieces)
KERB_API kerb_curve_sample kerb_curve_at(const kerb_curve* curve, float distance);

/// Pose at the end of the curve. O(pieces)
KERB_API kerb_pose kerb_curve_end(const kerb_curve* curve);

/// The part of the curve that remains after `distance` metres. It has the same pieces, without
/// those already driven and with the first one shortened. Beyond the end it has no pieces.
/// O(pieces)
///
/// To follow a curve, keep it and use its remainder: its length decreases by exactly the distance
/// driven. Do not compute a new shortest curve from the current pose. It may be a different curve,
/// and close to the end of an arc it may be longer by a whole circle.
KERB_API kerb_curve kerb_curve_remainder(const kerb_curve* curve, float distance);

// --------------------------------------------------------------------------- Dubins

// Tolerance: a goal counts as lying on a curve when its error is no more than the rounding of the
// poses. In position this is 2e-6 times the sum of the distance between the poses and their
// greatest coordinate. In heading it is 5e-7 rad. Without this tolerance, rounding would add whole
// circles.
// Accuracy: lengths are accurate to about 1e-6 of the length plus 1e-6 of the radius. Where two
// turning circles almost touch, the length changes with the square root of the distance between
// them. There the error is up to a hundred times as large.
// Range: radii from 1e-15 to 1e15 m, distances and coordinates up to 1e14 radii. Outside of this
// range, and for NaN and infinity, there is no curve: functions return KERB_NO_CURVE or a
// kerb_curve without pieces.

/// The six kinds of Dubins curves, called words. L: left turn, R: right turn, S: straight, in the
/// order in which they are driven.
typedef enum kerb_dubins_word {
    KERB_DUBINS_LSL,
    KERB_DUBINS_RSR,
    KERB_DUBINS_LSR,
    KERB_DUBINS_RSL,
    KERB_DUBINS_RLR,
    KERB_DUBINS_LRL,
    KERB_DUBINS_WORD_COUNT
} kerb_dubins_word;

/// The letters, such as "LSL"; "unknown" out of range. Never NULL.
KERB_API const char* kerb_dubins_word_text(kerb_dubins_word value);

/// Returned as the length where no curve exists. [m]
#define KERB_NO_CURVE 1.0e30f

/// Length of the shortest curve from one pose to another that is driven forwards only and turns
/// nowhere tighter than `radius`. (L. E. Dubins, 1957) [m] [radius: m, > 0]
KERB_API float kerb_dubins_length(kerb_pose from, kerb_pose to, float radius);

/// Length of the shortest of the four words with a straight: LSL, RSR, LSR and RSL (M. Pinter,
/// 2001). Where the poses are closer than four radii, it can be several times as long as
/// kerb_dubins_length. [m] [radius: m, > 0]
KERB_API float kerb_dubins_length_csc(kerb_pose from, kerb_pose to, float radius);

/// Length of the curve with one word. KERB_NO_CURVE where no such curve exists. [m]
KERB_API float kerb_dubins_word_length(kerb_dubins_word word, kerb_pose from, kerb_pose to,
                                       float radius);

/// The shortest curve. It always has three pieces, some of them possibly of length 0. Among words
/// of equal length it takes the first in kerb_dubins_word.
KERB_API kerb_curve kerb_dubins(kerb_pose from, kerb_pose to, float radius);

/// The curve with one word. `count` is 0 where no such curve exists.
KERB_API kerb_curve kerb_dubins_by_word(kerb_dubins_word word, kerb_pose from, kerb_pose to,
                                        float radius);

/// Arrays of poses: one array for each component. The caller owns them.
typedef struct kerb_poses {
    const float *x, *y, *forward_x, *forward_y;
} kerb_poses;

/// Writes kerb_dubins_length for `count` pairs of poses into `lengths`. Gives the same bits as
/// kerb_dubins_length. It is faster, because it computes several pairs at once with vector
/// instructions: SSE2 on every x86-64, wider ones where Kerb is built with -march=x86-64-v3.
/// O(count) [count: >= 0]
KERB_API void kerb_dubins_lengths(kerb_poses from, kerb_poses to, float radius, int32_t count,
                                  float* lengths);

// --------------------------------------------------------------------------- Reeds and Shepp

// Tolerance: a goal counts as lying on a curve when its error is no more than the rounding of the
// poses. Pieces that would only correct rounding are left out. For this reason the end of a curve
// may differ from the goal: in position by a few millionths of the length and of the coordinates,
// in heading by a few millionths of a radian.
// Accuracy: where turning circles almost touch, or the goal lies directly beside the start, a small
// change of the goal changes the length by the square root of this change.
// Range: radii from 1e-30 to 1e30 m. Outside of this range, and for NaN and infinity, there is no
// curve: functions return KERB_NO_CURVE or a kerb_curve without pieces.

/// Number of words of Reeds and Shepp. There are nine families, each with its mirror images in time
/// (forwards and reverse exchanged) and in space (left and right exchanged). Words with fewer
/// reversals have smaller numbers.
#define KERB_REEDS_SHEPP_WORDS 48

/// Length of the shortest curve from one pose to another that is driven forwards and in reverse and
/// turns nowhere tighter than `radius`. (J. A. Reeds and L. A. Shepp, 1990) The cost is the same
/// for every goal. [m] [radius: m, > 0]
KERB_API float kerb_reeds_shepp_length(kerb_pose from, kerb_pose to, float radius);

/// Length of the curve with one word, in which every arc is shorter than a whole circle.
/// KERB_NO_CURVE where no such curve exists. [m] [word: 0 … 47]
KERB_API float kerb_reeds_shepp_word_length(int32_t word, kerb_pose from, kerb_pose to,
                                            float radius);

/// The letters of a word, such as "LrL". Lower-case letters are pieces in reverse. [word: 0 … 47]
KERB_API const char* kerb_reeds_shepp_word_text(int32_t word);

/// The shortest curve. Among equally short words it takes the one with the smallest number. It
/// leaves out pieces of length 0. Between equal poses the curve has no pieces. To follow it, keep
/// it and use kerb_curve_remainder: a curve that is computed again from the current pose may be a
/// different one of the same length.
KERB_API kerb_curve kerb_reeds_shepp(kerb_pose from, kerb_pose to, float radius);

/// The curve with one word. `count` is 0 where no such curve exists or its length is 0.
KERB_API kerb_curve kerb_reeds_shepp_by_word(int32_t word, kerb_pose from, kerb_pose to,
                                             float radius);

// --------------------------------------------------------------------------- Bézier

/// Curvature at a point where a Bézier curve doubles back on itself: radius 1 cm instead of 0. It
/// is finite, so that speeds and comparisons stay finite. [1/m]
#define KERB_CURVATURE_CUSP 100.0f

/// Point at parameter `t` of the quadratic Bézier curve with the control points p1, p2 and p3.
/// (EA eq. 2) [t: 0 … 1]
KERB_API kerb_vec3 kerb_bezier_point(kerb_vec3 p1, kerb_vec3 p2, kerb_vec3 p3, float t);

/// Greatest curvature of the quadratic Bézier curve with control points p1, p2 and p3. Exact: does
/// not sample the curve. [1/m] [0 … KERB_CURVATURE_CUSP] (EA eq. 3 and 4)
///
/// A is the area of the triangle of the control points, m is the midpoint of p1 and p3. The result
/// is |p2-m|³/A² when p2 lies outside of both spheres with the diameters p1-m and m-p3. Otherwise
/// it is max(A/|p1-p2|³, A/|p3-p2|³). (EA prints the factor 1/2 of eq. 3 outside of the square. It
/// belongs inside.) Three points in order on a line give 0. A curve that doubles back on itself
/// gives KERB_CURVATURE_CUSP.
KERB_API float kerb_bezier_curvature_max(kerb_vec3 p1, kerb_vec3 p2, kerb_vec3 p3);

#endif
