// The forklift of the example, with wheels that answer as its kind says.
#define main forklift_main
#include "examples/add_a_forklift.c" // NOLINT(bugprone-suspicious-include)
#undef main

#include "test/plan_driver/example_kinds.h"

#include <string.h>

static float body[KERB_KIND_STATES_MAX]; // the state

static void forklift_ends(const kerb_kind* k, kerb_random* random, float* from, float* to) {
    (void)k;
    from[HEADING] = kerb_random_between(random, -KERB_PI, KERB_PI);
    to[X] = kerb_random_between(random, -15.0f, 15.0f);
    to[Y] = kerb_random_between(random, -15.0f, 15.0f);
    to[HEADING] = kerb_random_between(random, -KERB_PI, KERB_PI);
}

static void forklift_place(void* state, const float* at) {
    memcpy(state, at, sizeof body);
}

static kerb_motion forklift_motion(const void* state, float* told) {
    const float* s = state;
    kerb_motion motion = kerb_motion_default();
    told[0] = 0.0f; // kerb_motion tells all
    motion.position = kerb_vec3_make(s[X], s[Y], 0.0f);
    motion.rotation = kerb_quat_from_heading(s[HEADING]);
    motion.velocity =
        kerb_vec3_make(s[SPEED] * kerb_cos(s[HEADING]), s[SPEED] * kerb_sin(s[HEADING]), 0.0f);
    motion.angular_velocity = kerb_vec3_make(0.0f, 0.0f, s[SPEED] * s[CURVATURE]);
    motion.steering = kerb_atan(s[CURVATURE] * stacker.wheelbase) / stacker.lock;
    return motion;
}

// The motor and the wheels do what the controls say; brakes stop it.
static void forklift_step(void* state, const kerb_controls* c, float time_step) {
    float* s = state;
    float pedal = c->gear < 0 ? -c->throttle : c->throttle, change[STATES];
    pedal -= c->brake * kerb_clamp(s[SPEED] / 0.1f, -1.0f, 1.0f);
    float curvature = kerb_tan(c->steering * stacker.lock) / stacker.wheelbase;
    const float control[2] = {pedal, curvature / sharpest(&stacker)};
    for (int32_t part = 0; part < 8; part++) {
        rates(&stacker, s, control, change);
        for (int32_t i = 0; i < STATES; i++)
            s[i] += 0.125f * time_step * change[i];
    }
}

kerb_kind_trial forklift_trial(void) {
    return (kerb_kind_trial){.kind = &kind,
                             .ends = forklift_ends,
                             .body = body,
                             .place = forklift_place,
                             .motion = forklift_motion,
                             .step = forklift_step,
                             .time_step = 0.02f};
}
