// The limits of a vehicle at one point of a line. Private to the room.
//
// With b = v² every law is linear in b. With n the surface's normal and l its left, per mass:
//
//     load      N = g·up_normal + (normal_curvature + downforce)·b      presses on the tyres
//     lateral   Q = g·up_left + curvature·b                             the tyres must hold it
//     it holds  |Q| <= μN                                               (Vamos eq. 15-20)
//
// So the greatest b is the root of a linear equation. Along the friction ellipse the tyres have
// sqrt((μN)² - Q²) left: the square root of a quadratic polynomial.
#ifndef KERB_IN_CONTROL_PROFILE_LIMITS_H
#define KERB_IN_CONTROL_PROFILE_LIMITS_H

#include "kerb/control.h"

// Greatest b: it means no limit by grip. [m²/s²]
#define PROFILE_SQUARE_MAX 1.0e12f

typedef struct profile_limits {
    float load, load_gain;   // the tyres hold load + load_gain·b, that is μN [m/s²]
    float aside, aside_gain; // and must hold aside + aside_gain·b [m/s²]
    float climb;             // gravity and rolling resistance against the travel [m/s²]
    float root;              // greatest b that the grip allows [m²/s²]
    float most;              // greatest b that grip, point and vehicle allow [m²/s²]
} profile_limits;

// b of a speed. Negative speeds count as 0; the result is never infinite.
static inline float profile_square(float speed) {
    float held = kerb_clamp(speed, 0.0f, 1.0e6f);
    return held * held;
}

// One side of |Q| <= μN: the tyres hold when gain·b <= room.
typedef struct profile_side {
    float room, gain;
} profile_side;

// Side 1: sliding to the right. Side -1: sliding to the left.
static inline profile_side profile_side_of(const profile_limits* l, float side) {
    profile_side result = {l->load - side * l->aside, side * l->aside_gain - l->load_gain};
    return result;
}

static inline float profile_side_most(profile_side side) {
    // Divides only when the root is below PROFILE_SQUARE_MAX.
    bool limited = side.room < PROFILE_SQUARE_MAX * side.gain;
    return limited ? side.room / side.gain : PROFILE_SQUARE_MAX;
}

// With room and gain both negative, the tyres hold from the root on upwards.
static inline float profile_side_least(profile_side side) {
    if (side.room >= 0.0f)
        return 0.0f;
    bool holds = side.gain * PROFILE_SQUARE_MAX < side.room;
    return holds ? side.room / side.gain : PROFILE_SQUARE_MAX;
}

// The smallest b at which the tyres hold.
static inline float profile_least(const profile_limits* l) {
    return kerb_max(profile_side_least(profile_side_of(l, 1.0f)),
                    profile_side_least(profile_side_of(l, -1.0f)));
}

// The usual case: the tyres hold at standstill, and speed does not reduce the grip against sliding
// inwards. False with NaN.
static inline bool profile_is_usual(const profile_limits* l) {
    float aside = l->aside_gain < 0.0f ? -l->aside : l->aside;
    float sum = l->load + l->load_gain + l->aside + l->aside_gain + l->climb;
    return (l->load - aside > 0.0f) & (l->load + aside >= 0.0f) &
           (-kerb_abs(l->aside_gain) - l->load_gain <= 0.0f) & (sum - sum == 0.0f);
}

// The greatest b by grip in the usual case: against sliding outwards. (eq. 20)
static inline float profile_root_usual(const profile_limits* l) {
    float aside = l->aside_gain < 0.0f ? -l->aside : l->aside;
    float room = l->load - aside, gain = kerb_abs(l->aside_gain) - l->load_gain;
    // When the quotient would exceed PROFILE_SQUARE_MAX or be negative, there is no limit.
    return room < PROFILE_SQUARE_MAX * gain ? room / gain : PROFILE_SQUARE_MAX;
}

// The greatest b by grip in all other cases: the bank is so steep or the crest so sharp that both
// sides matter, or a number is not finite. 0 when the tyres would hold only above `limit`.
static inline float profile_root_unusual(const profile_limits* l, float limit) {
    float sum = l->load + l->load_gain + l->aside + l->aside_gain + l->climb;
    float most = kerb_min(profile_side_most(profile_side_of(l, 1.0f)),
                          profile_side_most(profile_side_of(l, -1.0f)));
    bool holds = kerb_is_finite(sum) && profile_least(l) <= kerb_min(most, limit);
    return holds ? kerb_max(most, 0.0f) : 0.0f;
}

// All limits except root and most.
static inline profile_limits profile_forces(const kerb_performance* performance,
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

static inline float profile_limit(const kerb_performance* performance,
                                  const kerb_profile_point* point) {
    // NaN becomes 0.
    float limit = kerb_max(kerb_min(performance->speed_max, point->speed_limit), 0.0f);
    return limit * limit;
}

static inline profile_limits profile_limits_of(const kerb_performance* performance,
                                               const kerb_profile_point* point) {
    profile_limits l = profile_forces(performance, point);
    float limit = profile_limit(performance, point);
    l.root = profile_is_usual(&l) ? profile_root_usual(&l) : profile_root_unusual(&l, limit);
    l.most = kerb_min(l.root, limit);
    return l;
}

// Acceleration by the engine in its best gear. `per_step`: steps of the table per m/s. [m/s²]
static inline float profile_engine(const kerb_performance* performance, float per_step,
                                   float speed) {
    const float last = (float)(KERB_DRIVE_COUNT - 1) - 0.001f;
    float at = kerb_clamp(speed * per_step, 0.0f, last);
    int32_t i = (int32_t)at;
    float low = performance->drive[i], high = performance->drive[i + 1];
    return low + (high - low) * (at - (float)i);
}

static inline float profile_engine_steps(const kerb_performance* performance) {
    return (float)(KERB_DRIVE_COUNT - 1) / performance->speed_max;
}

// What turning leaves of the tyres, if they could hold as much along as across the travel. [m/s²]
static inline float profile_tyres(int32_t budget, const profile_limits* l, float b) {
    float load = kerb_max(l->load + l->load_gain * b, 0.0f);
    if (budget == KERB_TRACTION_LINEAR)
        return load * kerb_max(1.0f - kerb_sqrt(b / l->root), 0.0f);
    float aside = l->aside + l->aside_gain * b;
    return kerb_sqrt((load - aside) * (load + aside));
}

// Result of profile_tyres, less the loss of the ellipse by braking or driving while turning.
static inline float profile_tyres_less(int32_t budget, float loss, const profile_limits* l,
                                       float b) {
    float left = profile_tyres(budget, l, b), load = l->load + l->load_gain * b;
    if (loss <= 0.0f || budget == KERB_TRACTION_LINEAR)
        return left;
    return load > 0.0f ? left * (1.0f - loss + loss * kerb_min(left / load, 1.0f)) : 0.0f;
}

// Factor on the lateral load of the tyres while the vehicle accelerates. [>= 1]
static inline float profile_powered(const kerb_performance* performance) {
    return performance->budget == KERB_TRACTION_LINEAR ? 1.0f
                                                       : 1.0f / (1.0f - performance->powered_loss);
}

// Acceleration that turning takes from the engine: the tyres hold `aside` of `load`. [m/s²]
static inline float profile_turning(float turning_drag, float aside, float load) {
    float held = kerb_abs(aside);
    return load > 0.0f ? turning_drag * held * kerb_min(held / load, 1.0f) : 0.0f;
}

// Forward acceleration under full braking. [m/s²]
static inline float profile_braking(const kerb_performance* performance, const profile_limits* l,
                                    float b) {
    float tyres = performance->braking / performance->lateral *
                  profile_tyres_less(performance->budget, performance->braking_loss, l, b);
    return -l->climb - performance->drag * b - tyres;
}

#endif
