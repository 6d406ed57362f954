// Sine, cosine, arctangent and their like: the same bits on every machine.
//
// Sine and cosine: a multiple of π/2 is subtracted from the argument, which brings it to about
// [-π/4, π/4]. π/2 is a sum of three parts, and the first two have 11 bits, so that their products
// with the multiple are exact up to |x| = 1e4 (Cody and Waite, "Software Manual for the Elementary
// Functions", 1980). Then sine and cosine are one polynomial each. Arctangent: the smaller side
// divided by the larger side, one polynomial on [0, 1], and the octant. Arcsine and arccosine are
// arctangents of the sides of a right-angled triangle.
//
// The polynomials are minimax fits (Remez), rounded to float: greatest error before rounding
// 4e-9 for sine, 2e-10 for cosine, 7e-9 for the arctangent. With the rounding of the arithmetic the
// greatest errors measured against double are 1.0e-7 for sine and cosine, 1.6e-7 for the
// arctangent, 3.1e-7 for angles near π.
//
// Hosts may run with denormal numbers flushed to zero or not. Denormal arguments and results
// therefore count as 0 here, before the processor can make a difference.
#include "arctangent.h"

#include <float.h>
#include <math.h>

// Wider intermediate results would round differently from one machine to the next. On s390x GCC
// needs -fexcess-precision=fast for this.
_Static_assert(FLT_EVAL_METHOD == 0, "floats must be computed as floats");

// Results below this count as 0. It is greater than the smallest normal float (1.18e-38), because
// processors disagree whether a result that rounds up to that float was denormal.
#define TINY 1.2e-37f

// π/2 = HALF_PI_HIGH + HALF_PI_MIDDLE + HALF_PI_LOW, with an error of 2e-15. [rad]
#define HALF_PI_HIGH 0x1.92p+0f
#define HALF_PI_MIDDLE 0x1.fb4p-12f
#define HALF_PI_LOW 0x1.4442d2p-24f

// Greatest argument of the polynomials: π/4 (0.7854), plus 0.0011 that the rounding of the number
// of quarter turns adds at x = 1e4, plus a reserve. [rad]
#define REST_MOST 0.79f
// Angles up to this need no reduction. Less than π/4 by more than the rounding error of the number
// of quarter turns. [rad]
#define SMALL 0.78f

// Greater angles are clamped to this. A float of this size has lost its place on the circle, and
// the number of quarter turns stays below 2^22, the limit of nearest_whole. [rad]
#define ANGLE_MOST 4e6f

// x minus `turns` quarter turns. Exact except for the last product, as long as |turns| < 2^13.
static float without_quarter_turns(float x, float turns) {
    return ((x - turns * HALF_PI_HIGH) - turns * HALF_PI_MIDDLE) - turns * HALF_PI_LOW;
}

// On [-REST_MOST, REST_MOST].
static float sine_polynomial(float x) {
    float square = x * x;
    float tail = -1.95135217e-4f;
    tail = tail * square + 8.33215099e-3f;
    tail = tail * square - 1.66666552e-1f;
    return x + x * square * tail;
}

static float cosine_polynomial(float x) {
    float square = x * x;
    float tail = 2.44598941e-5f;
    tail = tail * square - 1.3887625e-3f;
    tail = tail * square + 4.1666653e-2f;
    return 1.0f - 0.5f * square + square * square * tail;
}

// The nearest whole number, for |x| < 2^22. Adding 1.5·2^23 leaves no bits for a fraction; floorf
// would be a call on processors that have no instruction for it.
static float nearest_whole(float x) {
    const float no_fraction = 0x1.8p23f;
    return (x + no_fraction) - no_fraction;
}

void kerb_sin_cos(float x, float* sine, float* cosine) {
    float size = kerb_abs(x);
    // The condition is written so that NaN also enters this branch.
    if (!(size >= TINY && size <= FLT_MAX)) {
        *sine = size < TINY ? x * 0.0f : 0.0f;
        *cosine = 1.0f;
        return;
    }
    // Far above 1e4 the products are rounded and the rest may be any number. Both x and the rest
    // are clamped, so that the results are still the sine and cosine of some angle.
    x = kerb_clamp(x, -ANGLE_MOST, ANGLE_MOST);
    float turns = nearest_whole(x * 0x1.45f306p-1f);
    float rest = kerb_clamp(without_quarter_turns(x, turns), -REST_MOST, REST_MOST);
    int32_t quarter = (int32_t)turns & 3;
    float s = sine_polynomial(rest);
    float c = cosine_polynomial(rest);
    // Signs by multiplication: angles come in random order, so branches would be mispredicted.
    *sine = (quarter & 1 ? c : s) * (float)(1 - (quarter & 2));
    *cosine = (quarter & 1 ? s : c) * (float)(1 - ((quarter + 1) & 2));
}

// For small angles the number of quarter turns is 0, so nothing needs to be subtracted. Most angles
// of single calls are small.
static bool is_small(float x) {
    float size = kerb_abs(x);
    return size >= TINY && size <= SMALL;
}

float kerb_sin(float x) {
    if (is_small(x))
        return sine_polynomial(x);
    float sine, cosine;
    kerb_sin_cos(x, &sine, &cosine);
    return sine;
}

float kerb_cos(float x) {
    if (is_small(x))
        return cosine_polynomial(x);
    float sine, cosine;
    kerb_sin_cos(x, &sine, &cosine);
    return cosine;
}

float kerb_tan(float x) {
    float sine, cosine;
    kerb_sin_cos(x, &sine, &cosine);
    return sine / cosine;
}

static float normal_or_zero(float x) {
    return x > -FLT_MIN && x < FLT_MIN ? 0.0f : x;
}

// The smaller over the larger of two sides: 0 for two zeros, 1 for two infinities.
static float side_ratio(float a, float b) {
    float most = a > b ? a : b;
    float least = a > b ? b : a;
    if (least > FLT_MAX)
        return 1.0f;
    float ratio = most > 0.0f ? least / most : 0.0f;
    return ratio >= TINY ? ratio : 0.0f;
}

float kerb_atan2(float y, float x) {
    // Short cut for angles up to π/4 from the x axis and for ordinary numbers. The code below would
    // give the same result.
    if (x >= FLT_MIN && x <= FLT_MAX && kerb_abs(y) <= x && kerb_abs(y) >= FLT_MIN) {
        float ratio = kerb_abs(y) / x, small = math_arctangent(ratio >= TINY ? ratio : 0.0f);
        return y < 0.0f ? -small : small;
    }
    if (x != x || y != y)
        return 0.0f;
    x = normal_or_zero(x);
    y = normal_or_zero(y);
    float across = kerb_abs(y);
    float along = kerb_abs(x);
    float angle = math_arctangent(side_ratio(along, across));
    if (across > along)
        angle = KERB_HALF_PI - angle;
    if (x < 0.0f)
        angle = KERB_PI - angle;
    // An angle that rounds to -π becomes π, which is the same direction and inside the range.
    return y < 0.0f && angle < KERB_PI ? -angle : angle;
}

float kerb_atan(float x) {
    return kerb_atan2(x, 1.0f);
}

// The third side of a right-angled triangle with hypotenuse 1. Two factors, because 1 - x² would
// lose its digits near x = 1.
static float third_side(float x) {
    return sqrtf((1.0f - x) * (1.0f + x));
}

float kerb_asin(float x) {
    float held = kerb_clamp(x, -1.0f, 1.0f);
    return kerb_atan2(held, third_side(held));
}

float kerb_acos(float x) {
    float held = kerb_clamp(x, -1.0f, 1.0f);
    return kerb_atan2(third_side(held), held);
}

float kerb_wrap_angle(float angle) {
    // Most angles are already in the range and must be returned unchanged.
    if (angle > -KERB_PI && angle <= KERB_PI)
        return angle;
    if (!kerb_is_finite(angle))
        return 0.0f;
    angle = kerb_clamp(angle, -ANGLE_MOST, ANGLE_MOST);
    float turns = nearest_whole(angle * 0x1.45f306p-3f);
    float wrapped = without_quarter_turns(angle, 4.0f * turns);
    // Near odd multiples of π the number of turns may have been rounded to the wrong side.
    if (wrapped > KERB_PI)
        wrapped = without_quarter_turns(wrapped, 4.0f);
    if (wrapped < -KERB_PI)
        wrapped = without_quarter_turns(wrapped, -4.0f);
    // A very large angle has lost its place on the circle: the result must still be in the range.
    wrapped = kerb_clamp(wrapped, -KERB_PI, KERB_PI);
    return wrapped > -KERB_PI ? wrapped : KERB_PI;
}
