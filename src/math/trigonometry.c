// Sine, cosine, arctangent and their like: the same bits on every machine.
//
// Sine and cosine: the argument is brought to about [-π/4, π/4] by taking off a multiple of π/2, in
// three parts of which the first two have 11 bits, so that their products with the multiple are
// exact up to |x| = 1e4 (Cody and Waite, "Software Manual for the Elementary Functions", 1980).
// Then one polynomial each. Arctangent: the smaller over the larger of the two sides, one
// polynomial on [0, 1], and the octant. Arcsine and arccosine are arctangents of a triangle.
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

// Results below this count as 0. Above the least normal float, because processors differ on whether
// a result that rounds up to that one was denormal.
#define TINY 1.2e-37f

// π/2 = HALF_PI_HIGH + HALF_PI_MIDDLE + HALF_PI_LOW, off by 2e-15.
#define HALF_PI_HIGH 0x1.92p+0f
#define HALF_PI_MIDDLE 0x1.fb4p-12f
#define HALF_PI_LOW 0x1.4442d2p-24f

// π/4, and what the rounding of the number of quarter turns adds at x = 1e4 (0.0011) and more.
#define REST_MOST 0.79f
// Below π/4, and by more than the rounding of its share of a quarter turn.
#define SMALL 0.78f

// Beyond this no angle means anything; the number of quarter turns stays below 2^22.
#define ANGLE_MOST 4e6f

// x without `turns` quarter turns. Exact but for the last product, as long as |turns| < 2^13.
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
    // Written so that NaN ends up here as well.
    if (!(size >= TINY && size <= FLT_MAX)) {
        *sine = size < TINY ? x * 0.0f : 0.0f;
        *cosine = 1.0f;
        return;
    }
    // Far beyond 1e4 the products round and the rest may lie anywhere. Both are held, so that the
    // results stay sines and cosines of some angle.
    x = kerb_clamp(x, -ANGLE_MOST, ANGLE_MOST);
    float turns = nearest_whole(x * 0x1.45f306p-1f);
    float rest = kerb_clamp(without_quarter_turns(x, turns), -REST_MOST, REST_MOST);
    int32_t quarter = (int32_t)turns & 3;
    float s = sine_polynomial(rest);
    float c = cosine_polynomial(rest);
    // Signs by multiplication: angles come in any order, and branches would be guessed wrong.
    *sine = (quarter & 1 ? c : s) * (float)(1 - (quarter & 2));
    *cosine = (quarter & 1 ? s : c) * (float)(1 - ((quarter + 1) & 2));
}

// Small angles, which most are that come singly, need no quarter turn taken off: the number of
// those would be 0.
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
    // Less than half a quarter turn off x, with no number that is special: what follows would do
    // the same.
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
    // What rounds to -π comes back as π, which is the same angle and in the range.
    return y < 0.0f && angle < KERB_PI ? -angle : angle;
}

float kerb_atan(float x) {
    return kerb_atan2(x, 1.0f);
}

// The third side of the triangle with hypotenuse 1; from two factors, because 1 - x² would lose
// what matters near x = 1.
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
    // Most angles are in range already and must come back as they are.
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
    // Very large angles have lost their place on the circle.
    wrapped = kerb_clamp(wrapped, -KERB_PI, KERB_PI);
    return wrapped > -KERB_PI ? wrapped : KERB_PI;
}
