// What a driver knows in a frame, and what its parts make of that. Private to the driver.
#ifndef KERB_IN_PLAN_DRIVER_FRAME_H
#define KERB_IN_PLAN_DRIVER_FRAME_H

#include "driver.h"

// Slower than this it stands. [m/s]
#define PLAN_STANDS 0.05f

typedef struct driver_frame {
    const kerb_plan* plan;
    const kerb_motion* motion;
    plan_leg leg;
    plan_place place;
    kerb_pose rear;  // the rear axle, facing as the body does
    float travel;    // of the leg: 1 or -1
    float speed;     // of travel [m/s]
    float climb;     // along the travel [1]
    float left;      // of the leg [m]
    float time;      // of the plan, here [s]
    float speed_cap; // [m/s]
    float time_step;
} driver_frame;

static inline float plan_angle_from(kerb_vec2 from, kerb_vec2 to) {
    return kerb_atan2(kerb_vec2_cross(from, to), kerb_vec2_dot(from, to));
}

/// That the vehicle drives now, as far as can be told. [1/m]
float kerb_in_plan_curvature_now(const kerb_plan_driver* driver, const driver_frame* f);

/// Sees how much it turns by its wheels.
void kerb_in_plan_learn_turning(kerb_plan_driver* driver, const driver_frame* f);

/// The curvature to steer, left positive; remembers how far off the plan it will get nevertheless.
float kerb_in_plan_driver_steer(kerb_plan_driver* driver, const driver_frame* f);

/// What the plan gains of speed in a moment; where the leg ends at rest, what stops there. [m/s²]
float kerb_in_plan_driver_known(const kerb_plan_driver* driver, const driver_frame* f);

/// The speed of travel to drive here: the plan's, and a little more or less by how late it is.
/// [m/s]
float kerb_in_plan_driver_speed(const kerb_plan_driver* driver, const driver_frame* f);

/// Throttle and brake for a speed of travel and what is known of its change; learns what they do.
void kerb_in_plan_driver_press(kerb_plan_driver* driver, const driver_frame* f, float target,
                               float known, kerb_controls* controls);

#endif
