// Driving planned movements in the reference simulation, and how near to the plan that comes.
#ifndef SCENE_PLAN_DRIVE_H
#define SCENE_PLAN_DRIVE_H

#include "kerb/plan.h"
#include "sim/vehicle.h"

/// A frame of it.
typedef struct scene_plan_frame {
    double time; ///< [s]
    const kerb_motion* motion;
    const kerb_plan_driver* driver; ///< after this frame
} scene_plan_frame;

/// What planned and driven make of one movement.
typedef struct scene_plan_driven {
    bool arrived;
    float planned, time; ///< to the end of the last leg [s]
    float error;         ///< greatest distance of the rear axle from the movement [m]
    float swing;         ///< greatest heading error [rad]
    float end_error;     ///< of the rear axle where it stops [m]
    float end_swing;     ///< heading error there [rad]
} scene_plan_driven;

/// Drives a plan from its start, at its speed there, on level ground of grip 1, `hz` decisions a
/// second. [hz: 10 to 1000] Gives up after twice the planned time and 10 s. Distances are from
/// what is planned within 1.5 s, or 6 % of the plan's time, of now.
/// `watch` (may be NULL) sees every frame.
scene_plan_driven scene_plan_drive(const sim_model* model,
                                   const kerb_plan_driver_settings* settings, const kerb_plan* plan,
                                   float hz,
                                   void (*watch)(void* context, const scene_plan_frame* frame),
                                   void* context);

#endif
