// Where a vehicle that goes aside will be beside its line: critically damped, as its steering is.
//
//     off(x) = (off(0) + (off(0) + drift) x) exp(-x),   x = 2 / reach · distance
//
// The wish for another offset does not jump but grows along a ramp, whose middle counts as the
// swing's begin. O(1).
#include "swing.h"

#define RATE 2.0f // of a critically damped swing, times its reach: each of two poles has half
#define RAMP_MIDDLE 0.5f        // a ramp acts like a jump at its middle
#define SLOW_SLOPE 0.6f         // of a wish to go aside, from rest [1]
#define SWING_LENGTH_LEAST 0.5f // of a swing, times RATE / reach …
#define LENGTH_STEP 0.25f       // … how closely its length is sought …
#define LENGTH_STEPS 20         // … and how far: 8 % are left off then

control_swing kerb_in_swing_to(const kerb_reference_line* way, float offset, float until) {
    control_swing result = {
        .from = way->lateral_offset, .to = offset, .per_metre = RATE / way->response_distance};
    result.drift = way->lateral_drift / result.per_metre;
    result.begin = RAMP_MIDDLE * kerb_abs(offset - way->offset_set_point) / way->offset_slope;
    result.until = until;
    return result;
}

// exp(-x) for x ≥ 0, from above: one over the exponential series up to x⁴.
static float swing_fading(float x) {
    float half = x * x * 0.5f;
    return 1.0f / (1.0f + x + half + half * x * (1.0f / 3.0f) + half * half * (1.0f / 6.0f));
}

// The share that is left at x of what was off at 0, at rest there.
static float still_off(float x) {
    return x > 0.0f ? (1.0f + x) * swing_fading(x) : 1.0f;
}

float kerb_in_swing_offset_at(const control_swing* s, float along) {
    if (s->from == s->to && s->drift == 0.0f && along <= s->until)
        return s->to;
    float x = kerb_max((along - s->begin) * s->per_metre, 0.0f);
    float off = s->from - s->to;
    float there = s->to + (off + (off + s->drift) * x) * swing_fading(x);
    if (along > s->until)
        there *= still_off((along - s->until - s->begin) * s->per_metre);
    return there;
}

float kerb_in_swing_length(const kerb_reference_line* way, float shift, float rest) {
    float x = SWING_LENGTH_LEAST;
    for (int32_t i = 0; i < LENGTH_STEPS && still_off(x) * kerb_abs(shift) > rest; i++)
        x += LENGTH_STEP;
    return RAMP_MIDDLE * kerb_abs(shift) / SLOW_SLOPE + x / RATE * way->response_distance_min;
}
