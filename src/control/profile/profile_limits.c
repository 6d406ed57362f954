// Purpose: what one vehicle can do at one point of a line.
// Idea:    profile_limits.h has the laws, which are lines in the squared speed.
// Cost:    O(1) each, allocates nothing.
// Source:  Vamos eq. 15 to 20.
#include "profile_limits.h"

float kerb_in_profile_square(float speed) {
    float held = kerb_clamp(speed, 0.0f, 1.0e6f);
    return held * held;
}

profile_side kerb_in_profile_side_of(const profile_limits* l, float side) {
    profile_side result = {l->load - side * l->aside, side * l->aside_gain - l->load_gain};
    return result;
}

float kerb_in_profile_side_most(profile_side side) {
    // Divides only when the root is below PROFILE_SQUARE_MAX.
    bool limited = side.room < PROFILE_SQUARE_MAX * side.gain;
    return limited ? side.room / side.gain : PROFILE_SQUARE_MAX;
}

float kerb_in_profile_side_least(profile_side side) {
    if (side.room >= 0.0f)
        return 0.0f;
    bool holds = side.gain * PROFILE_SQUARE_MAX < side.room;
    return holds ? side.room / side.gain : PROFILE_SQUARE_MAX;
}

float kerb_in_profile_least(const profile_limits* l) {
    return kerb_max(kerb_in_profile_side_least(kerb_in_profile_side_of(l, 1.0f)),
                    kerb_in_profile_side_least(kerb_in_profile_side_of(l, -1.0f)));
}

bool kerb_in_profile_is_usual(const profile_limits* l) {
    float aside = l->aside_gain < 0.0f ? -l->aside : l->aside;
    float sum = l->load + l->load_gain + l->aside + l->aside_gain + l->climb;
    return (l->load - aside > 0.0f) & (l->load + aside >= 0.0f) &
           (-kerb_abs(l->aside_gain) - l->load_gain <= 0.0f) & (sum - sum == 0.0f);
}

float kerb_in_profile_root_usual(const profile_limits* l) {
    float aside = l->aside_gain < 0.0f ? -l->aside : l->aside;
    float room = l->load - aside, gain = kerb_abs(l->aside_gain) - l->load_gain;
    // When the quotient would exceed PROFILE_SQUARE_MAX or be negative, there is no limit.
    return room < PROFILE_SQUARE_MAX * gain ? room / gain : PROFILE_SQUARE_MAX;
}

float kerb_in_profile_root_unusual(const profile_limits* l, float limit) {
    float sum = l->load + l->load_gain + l->aside + l->aside_gain + l->climb;
    float most = kerb_min(kerb_in_profile_side_most(kerb_in_profile_side_of(l, 1.0f)),
                          kerb_in_profile_side_most(kerb_in_profile_side_of(l, -1.0f)));
    bool holds = kerb_is_finite(sum) && kerb_in_profile_least(l) <= kerb_min(most, limit);
    return holds ? kerb_max(most, 0.0f) : 0.0f;
}

profile_limits kerb_in_profile_forces(const kerb_performance* performance,
                                      const kerb_profile_point* point) {
    profile_limits l;
    float grip = performance->lateral * kerb_max(point->grip, 0.0f);
    l.load = grip * point->up_normal;
    l.load_gain = grip * (1.0f / KERB_GRAVITY) * (point->normal_curvature + performance->downforce);
    l.aside = KERB_GRAVITY * point->up_left;
    l.aside_gain = point->curvature;
    l.climb = KERB_GRAVITY * point->up_forward + performance->rolling;
    l.root = l.most = 0.0f;
    return l;
}

float kerb_in_profile_limit(const kerb_performance* performance, const kerb_profile_point* point) {
    // NaN becomes 0.
    float limit = kerb_max(kerb_min(performance->speed_max, point->speed_limit), 0.0f);
    return limit * limit;
}

profile_limits kerb_in_profile_limits_of(const kerb_performance* performance,
                                         const kerb_profile_point* point) {
    profile_limits l = kerb_in_profile_forces(performance, point);
    float limit = kerb_in_profile_limit(performance, point);
    l.root = kerb_in_profile_is_usual(&l) ? kerb_in_profile_root_usual(&l)
                                          : kerb_in_profile_root_unusual(&l, limit);
    l.most = kerb_min(l.root, limit);
    return l;
}

float kerb_in_profile_engine(const kerb_performance* performance, float per_step, float speed) {
    const float last = (float)(KERB_DRIVE_COUNT - 1) - 0.001f;
    float at = kerb_clamp(speed * per_step, 0.0f, last);
    int32_t i = (int32_t)at;
    float low = performance->drive[i], high = performance->drive[i + 1];
    return low + (high - low) * (at - (float)i);
}

float kerb_in_profile_engine_steps(const kerb_performance* performance) {
    return (float)(KERB_DRIVE_COUNT - 1) / performance->speed_max;
}

float kerb_in_profile_tyres(int32_t budget, const profile_limits* l, float b) {
    float load = kerb_max(l->load + l->load_gain * b, 0.0f);
    if (budget == KERB_TRACTION_LINEAR)
        return load * kerb_max(1.0f - kerb_sqrt(b / l->root), 0.0f);
    float aside = l->aside + l->aside_gain * b;
    return kerb_sqrt((load - aside) * (load + aside));
}

float kerb_in_profile_tyres_less(int32_t budget, float loss, const profile_limits* l, float b) {
    float left = kerb_in_profile_tyres(budget, l, b), load = l->load + l->load_gain * b;
    if (loss <= 0.0f || budget == KERB_TRACTION_LINEAR)
        return left;
    return load > 0.0f ? left * (1.0f - loss + loss * kerb_min(left / load, 1.0f)) : 0.0f;
}

float kerb_in_profile_powered(const kerb_performance* performance) {
    return performance->budget == KERB_TRACTION_LINEAR ? 1.0f
                                                       : 1.0f / (1.0f - performance->powered_loss);
}

float kerb_in_profile_turning(float turning_drag, float aside, float load) {
    float held = kerb_abs(aside);
    return load > 0.0f ? turning_drag * held * kerb_min(held / load, 1.0f) : 0.0f;
}

float kerb_in_profile_braking(const kerb_performance* performance, const profile_limits* l,
                              float b) {
    float tyres = performance->braking / performance->lateral *
                  kerb_in_profile_tyres_less(performance->budget, performance->braking_loss, l, b);
    return -l->climb - performance->drag * b - tyres;
}
