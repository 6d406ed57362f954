// The state of a frame, and the steps of the driver that use it. Private to the driver.
#ifndef KERB_IN_PLAN_DRIVER_FRAME_H
#define KERB_IN_PLAN_DRIVER_FRAME_H

#include "driver.h"

#include "../track/shared.h"

// Speed below which the vehicle counts as at standstill: above the noise of physics engines at
// rest. [m/s]
#define PLAN_STANDS 0.05f

typedef struct driver_frame {
    const kerb_plan* plan;
    const kerb_motion* motion;
    plan_leg leg;
    plan_place place;
    kerb_pose rear;  // position of the rear axle, heading of the body
    float travel;    // direction of the leg: 1 or -1
    float speed;     // in the direction of travel [m/s]
    float climb;     // sine of the slope in the direction of travel [1]
    float left;      // distance to the end of the leg [m]
    float time;      // of the plan at this place [s]
    float clock;     // of the plan [s]
    float late;      // by which it is behind the clock [s]
    float ahead;     // time by which this frame is foreseen [s]
    float speed_cap; // [m/s]
    float time_step; // [s]
    bool teaches;    // the motion follows from the controls
} driver_frame;

static inline float plan_angle_from(kerb_vec2 from, kerb_vec2 to) {
    return kerb_atan2(kerb_vec2_cross(from, to), kerb_vec2_dot(from, to));
}

/// Estimated curvature that the vehicle drives now. [1/m]
float kerb_in_plan_curvature_now(const kerb_plan_driver* driver, const driver_frame* f);

/// Learns how the vehicle turns by the steering, and how its tyres slip.
void kerb_in_plan_learn_turning(kerb_plan_driver* driver, const driver_frame* f);

/// The command of the steering for a curvature. [1]
float kerb_in_plan_driver_command(const kerb_plan_driver* driver, const driver_frame* f,
                                  float curvature);

/// Whether the wheels stand, or nearly, where they should as the vehicle sets off.
bool kerb_in_plan_driver_is_turned(const kerb_plan_driver* driver);

/// Fastest change of the curvature of its wheels. [1/(m s)]
float kerb_in_plan_driver_rate(const kerb_plan_driver* driver, const driver_frame* f);

/// The curvature to command, left positive. Remembers the expected cross-track error. [1/m]
float kerb_in_plan_driver_steer(kerb_plan_driver* driver, const driver_frame* f);

/// The same at the standstill before the leg of the piece `next`. [1/m]
float kerb_in_plan_driver_steer_at_rest(kerb_plan_driver* driver, const driver_frame* f,
                                        int32_t next);

/// Time that passes before pedals do anything: what is common to all of its controls. [s]
float kerb_in_plan_driver_late(const kerb_plan_driver* driver);

/// The frame in which the pedals of this one begin to act: speed, place and time then, by what they
/// were set for meanwhile.
driver_frame kerb_in_plan_driver_foresee(const kerb_plan_driver* driver, const driver_frame* f);

/// Acceleration of the plan in a moment; near the end of a leg that ends at rest, the one that
/// stops there. [m/s²]
float kerb_in_plan_driver_known(const kerb_plan_driver* driver, const driver_frame* f);

/// Target speed here: that of the plan, slightly more or less where the vehicle is late or early.
/// [m/s]
float kerb_in_plan_driver_speed(const kerb_plan_driver* driver, const driver_frame* f);

/// Sets throttle and brake for a target speed and its known acceleration in the frame `soon`, and
/// learns from their effect.
void kerb_in_plan_driver_press(kerb_plan_driver* driver, const driver_frame* f,
                               const driver_frame* soon, float target, float known,
                               kerb_controls* controls);

#endif
