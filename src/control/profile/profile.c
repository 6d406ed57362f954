// Purpose: the limits of a vehicle at one point of a line, and whether it must brake now.
// Idea:    linear laws in the square of speed, see profile_limits.h.
// Cost:    O(1) for a point; kerb_braking_due is O(points ahead until it stands).
// Source:  Vamos eq. 15-27, with signs corrected as the public header says.
#include "profile_limits.h"

kerb_profile_point kerb_profile_point_level(float length, float curvature) {
    kerb_profile_point point = {length, curvature, 0.0f, 0.0f,
                                0.0f,   1.0f,      1.0f, KERB_SPEED_UNLIMITED};
    return point;
}

float kerb_cornering_speed(const kerb_performance* performance, const kerb_profile_point* point) {
    profile_limits l = kerb_in_profile_limits_of(performance, point);
    return kerb_sqrt(l.most);
}

float kerb_cornering_speed_min(const kerb_performance* performance,
                               const kerb_profile_point* point) {
    profile_limits l = kerb_in_profile_limits_of(performance, point);
    return kerb_sqrt(kerb_min(kerb_in_profile_least(&l), l.most));
}

// 0 for results of a point that is not finite.
static float finite_or_zero(float value) {
    return kerb_is_finite(value) ? value : 0.0f;
}

float kerb_braking_acceleration(const kerb_performance* performance,
                                const kerb_profile_point* point, float speed) {
    profile_limits l = kerb_in_profile_limits_of(performance, point);
    return finite_or_zero(kerb_in_profile_braking(performance, &l, kerb_in_profile_square(speed)));
}

float kerb_driving_acceleration(const kerb_performance* performance,
                                const kerb_profile_point* point, float speed) {
    profile_limits l = kerb_in_profile_limits_of(performance, point), powered = l;
    powered.aside *= kerb_in_profile_powered(performance);
    powered.aside_gain *= kerb_in_profile_powered(performance);
    float b = kerb_in_profile_square(speed);
    float tyres =
        performance->accelerating / performance->lateral *
        kerb_in_profile_tyres_less(performance->budget, performance->driving_loss, &powered, b);
    float engine =
        kerb_in_profile_engine(performance, kerb_in_profile_engine_steps(performance), speed);
    if (performance->budget == KERB_TRACTION_ELLIPSE)
        engine -= kerb_in_profile_turning(performance->turning_drag, l.aside + l.aside_gain * b,
                                          l.load + l.load_gain * b);
    return finite_or_zero(kerb_min(tyres, engine) - l.climb - performance->drag * b);
}

// --------------------------------------------------------------------------- look-ahead

// b after braking over `length` metres from a point.
static float brake_on(const kerb_performance* performance, const profile_limits* here, float length,
                      float deceleration, float b) {
    float braking =
        deceleration > 0.0f ? -deceleration : kerb_in_profile_braking(performance, here, b);
    return b + 2.0f * kerb_max(length, 0.0f) * braking;
}

bool kerb_braking_due(const kerb_performance* performance, const kerb_profile_point* points,
                      int32_t count, bool closed, int32_t index, float distance, float speed,
                      float deceleration) {
    if (index < 0 || index >= count)
        return false;
    float b = kerb_in_profile_square(speed), length = points[index].length - distance;
    profile_limits here = kerb_in_profile_limits_of(performance, &points[index]);
    int32_t steps = closed ? count : count - 1 - index;
    for (int32_t n = 0; n < steps && b > 0.0f; n++) {
        index = index + 1 < count ? index + 1 : 0;
        profile_limits there = kerb_in_profile_limits_of(performance, &points[index]);
        b = brake_on(performance, &here, length, deceleration, b);
        if (b > there.most)
            return true;
        here = there;
        length = points[index].length;
    }
    return false;
}
