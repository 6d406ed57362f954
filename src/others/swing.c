// The lateral offset during a lateral move: critically damped, as the steering is.
//
//     off(x) = (off(0) + (off(0) + drift) x) exp(-x),   x = 2 / reach · distance
//
// The set point of the offset does not jump but grows along a ramp. The middle of the ramp counts
// as the start of the move. O(1).
#include "swing.h"

// Rate times response distance; critical damping: both poles have half of it.
#define RATE 2.0f
#define RAMP_MIDDLE 0.5f        // a ramp acts like a jump at its middle
#define SLOW_SLOPE 0.6f         // slope of the set point of the offset, from standstill [1]
#define SWING_LENGTH_LEAST 0.5f // first length tried, times response distance / RATE
#define LENGTH_STEP 0.25f       // step of the lengths tried, in the same unit
#define LENGTH_STEPS 20         // greatest number of steps; 8 % of the move are left then

others_swing kerb_in_swing_to(const kerb_reference_line* way, float offset, float until) {
    others_swing result = {
        .from = way->lateral_offset, .to = offset, .per_metre = RATE / way->response_distance};
    result.drift = way->lateral_drift / result.per_metre;
    result.begin = RAMP_MIDDLE * kerb_abs(offset - way->offset_set_point) / way->offset_slope;
    result.until = until;
    return result;
}

// Upper bound of exp(-x) for x ≥ 0: one divided by the exponential series up to x⁴.
static float swing_fading(float x) {
    float half = x * x * 0.5f;
    return 1.0f / (1.0f + x + half + half * x * (1.0f / 3.0f) + half * half * (1.0f / 6.0f));
}

// The share of the distance at 0 that is left at x, for a move that begins at rest.
static float still_off(float x) {
    return x > 0.0f ? (1.0f + x) * swing_fading(x) : 1.0f;
}

float kerb_in_swing_offset_at(const others_swing* s, float along) {
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
