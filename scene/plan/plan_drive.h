// Driving planned movements in the reference simulation, and how near to the plan the vehicle
// stays.
#ifndef KERB_SCENE_PLAN_PLAN_DRIVE_H
#define KERB_SCENE_PLAN_PLAN_DRIVE_H

#include "kerb/plan.h"

#include "kerb/plan_driver.h"
#include "sim/vehicle.h"

/// A frame of it.
typedef struct kerb_scene_plan_frame {
    double time; ///< [s]
    const kerb_motion* motion;
    const kerb_plan_driver* driver; ///< after this frame
    kerb_pose rear;                 ///< of the rear axle
    float error;                    ///< of its place, from the movement [m]
} kerb_scene_plan_frame;

/// What planned and driven make of one movement.
typedef struct kerb_scene_plan_driven {
    bool arrived;
    float planned, time; ///< to the end of the last leg [s]
    float error;         ///< greatest distance of the rear axle from the movement [m]
    float error_mean;    ///< over time [m]
    float swing;         ///< greatest heading error [rad]
    float end_error;     ///< of the rear axle where it stops [m]
    float end_swing;     ///< heading error there [rad]
} kerb_scene_plan_driven;

/// Who drives, and where.
typedef struct kerb_scene_plan_ride {
    kerb_sim_model model;
    kerb_plan_driver_settings settings;
    float hz;   ///< decisions a second [10 … 1000]
    float grip; ///< of the ground [> 0]
} kerb_scene_plan_ride;

/// With default settings, 60 decisions a second, on ground of grip 1.
kerb_scene_plan_ride kerb_scene_plan_ride_make(const kerb_sim_model* model);

/// A car that can drive what keeps to these limits, of that outline, with the strength of a
/// middling car; its wheels turn tighter than planned by what kerb_plan_limits_to_drive leaves.
/// Of limits whose steering_time is 0: in its own time.
kerb_sim_model kerb_scene_plan_car_for(const kerb_plan_limits* limits);

/// `limits`, but nowhere more than a share of what a vehicle can do: accelerations, braking,
/// sideways, speeds; and no less than the time it takes to turn the wheels and to change
/// direction. The outline and the radius stay. [share: 0 … 1]
kerb_plan_limits kerb_scene_plan_limits_within(const kerb_plan_limits* limits,
                                               const kerb_vehicle* vehicle, float share);

/// Whether the outline of limits, without their margin, meets an obstacle at a pose of the rear
/// axle. `world` may be NULL. O(cells under it + vertices)
bool kerb_scene_plan_touches(const kerb_plan_limits* limits, const kerb_plan_world* world,
                             kerb_pose pose);

/// Drives a plan from its start, at its speed there, on level ground. Gives up after twice the
/// planned time and 10 s. Distances are from what is planned within 1.5 s, or 6 % of the plan's
/// time, of now. `watch` (may be NULL) sees every frame.
kerb_scene_plan_driven kerb_scene_plan_drive(
    const kerb_scene_plan_ride* ride, const kerb_plan* plan,
    void (*watch)(void* context, const kerb_scene_plan_frame* frame), void* context);

#endif
