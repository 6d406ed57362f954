// Purpose: the performance of a host of the family.
// Idea:    The greatest push with which both axles hold the lateral force that is asked of them,
//          the load shifting with the push, by halving. The losses are fitted to that at ten shares
//          of the grip, as they are to what is measured of the cars of sim/.
// Cost:    O(1): some thousand halvings.
#include "scene/host/family_limits.h"

#include "scene/race/race_limits_parts.h"

#define LIMITS_BRAKE_FRONT 0.6f // as in family.c [1]
#define LIMITS_HOLDS 0.98f      // of an axle's grip; beyond it its wheels lock or spin [1]
// Slip angles, over that of the greatest force, at which tyres hold the described 0.95 of it: the
// roots of 2x/(1 + x²) and of the flat curve x/sqrt(0.2 + x²). [1]
#define LIMITS_SLIP 0.725f
#define LIMITS_SLIP_FLAT 1.36f

static bool axle_holds(float along, float aside, float most) {
    float grip = LIMITS_HOLDS * most;
    return along * along + aside * aside <= kerb_max(grip, 0.0f) * kerb_max(grip, 0.0f);
}

// Whether the tyres hold this push along the body, braking below 0, with this one across it. [m/s²]
static bool limits_hold(const kerb_family_truth* t, float push, float aside) {
    float rear = t->rear_to_mass / t->wheelbase, shift = push * t->mass_height / t->wheelbase;
    float on_front = KERB_GRAVITY * rear - shift, on_rear = KERB_GRAVITY * (1.0f - rear) + shift;
    float by_front = push < 0.0f ? LIMITS_BRAKE_FRONT * push : 0.0f;
    return axle_holds(by_front, aside * rear, t->grip * on_front) &&
           axle_holds(push - by_front, aside * (1.0f - rear), t->grip * on_rear);
}

static float limits_push(const kerb_family_truth* t, float sign, float aside) {
    float low = 0.0f, high = 3.0f * KERB_GRAVITY;
    for (int32_t i = 0; i < 24; i++) {
        float middle = 0.5f * (low + high);
        *(limits_hold(t, sign * middle, aside) ? &low : &high) = middle;
    }
    return low;
}

// `most` is what the tyres hold straight on.
static float limits_loss(const kerb_family_truth* t, float sign, float most) {
    kerb_scene_race_both both[KERB_SCENE_RACE_SHARES] = {{0.0f, 0.0f}};
    float grip = t->grip * KERB_GRAVITY;
    for (int32_t i = 0; i < KERB_SCENE_RACE_SHARES; i++) {
        float share = 0.5f + 0.5f * (float)i / (float)KERB_SCENE_RACE_SHARES;
        // With LIMITS_HOLDS of the grip nothing is left beyond that share.
        float aside = share * LIMITS_HOLDS * grip;
        both[i] = (kerb_scene_race_both){aside, limits_push(t, sign, aside)};
    }
    return kerb_scene_race_fit_loss(both, most, LIMITS_HOLDS * grip);
}

kerb_performance kerb_family_limits(const kerb_family_host* host) {
    const kerb_family_truth* t = &host->truth;
    kerb_performance p = kerb_performance_of(&host->vehicle);
    bool slips = t->tyre != KERB_FAMILY_NO_TYRES;
    float holds = limits_push(t, -1.0f, 0.0f);
    if (slips) {
        p.braking = kerb_min(t->braking, holds);
        p.accelerating = limits_push(t, 1.0f, 0.0f);
        p.braking_loss = limits_loss(t, -1.0f, holds);
        p.driving_loss = limits_loss(t, 1.0f, p.accelerating);
        // Tyres push at right angles to their wheels, which stand at the slip angle to the way.
        p.turning_drag =
            t->slip_angle * (t->tyre == KERB_FAMILY_FLAT ? LIMITS_SLIP_FLAT : LIMITS_SLIP);
    }
    for (int32_t i = 0; slips && i < KERB_DRIVE_COUNT; i++) {
        float speed = p.speed_max * (float)i / (float)(KERB_DRIVE_COUNT - 1);
        p.drive[i] = kerb_min(t->acceleration + t->rolling, t->power / kerb_max(speed, 0.1f));
    }
    return p;
}

double kerb_family_shift_time(const kerb_family_host* host, const float* speed, int32_t count) {
    const kerb_family_truth* t = &host->truth;
    double time = 0.0;
    for (int32_t i = 0; i < count && t->gears > 1; i++) {
        float each_gear = t->speed_max / (float)t->gears;
        int32_t from = (int32_t)(speed[i] / each_gear),
                to = (int32_t)(speed[(i + 1) % count] / each_gear);
        to = to < t->gears ? to : t->gears - 1;
        time += to > from ? (double)((float)(to - from) * t->shift_pause) : 0.0;
    }
    return time;
}
