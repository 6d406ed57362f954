// Purpose: the scale of a vehicle, and a vehicle, a motion and a speed in units of it.
// Idea:    Lengths, speeds and accelerations all times a number leave times, angles and shares as
//          they are. So a driver with constants in metres drives a model car as it drives a car, if
//          all that it reads is divided by the scale of the vehicle and all that it says in metres
//          is multiplied by it.
// Cost:    O(1).
#include "shared.h"

#include "../base/shared.h"

// A vehicle of these sizes is one for roads: what a driver knows in metres is right for it. The
// shortest is a motorcycle. A long one is not larger: a road train of 25 m drives in lanes for
// cars, so the width says what is large, and the widest is a mining truck on roads of its own. [m]
#define SCALE_LENGTH_LEAST 2.0f
#define SCALE_WIDTH_MOST 4.5f
// The car to which others are compared: kerb_vehicle_default. [m]
#define SCALE_LENGTH 4.5f
#define SCALE_WIDTH 1.8f

float kerb_vehicle_scale(const kerb_vehicle* vehicle) {
    KERB_ASSERT(vehicle);
    if (vehicle->length < SCALE_LENGTH_LEAST)
        return vehicle->length / SCALE_LENGTH;
    return vehicle->width > SCALE_WIDTH_MOST ? vehicle->width / SCALE_WIDTH : 1.0f;
}

kerb_vehicle kerb_in_vehicle_scaled(const kerb_vehicle* vehicle, float by) {
    kerb_vehicle v = *vehicle;
    const float inverse = 1.0f / by;
    v.length *= by;
    v.width *= by;
    v.reference_to_front *= by;
    v.reference_to_rear_axle *= by;
    v.wheelbase *= by;
    v.track_width *= by;
    v.yaw_inertia *= by * by;
    v.creep_speed *= by;
    for (int32_t i = 0; i < KERB_SHARE_POINTS_MAX; i++) {
        v.steering_lock.speed[i] *= by;
        v.power_share.speed[i] *= by;
    }
    v.understeer_gradient *= inverse;
    v.speed_max *= by;
    v.reverse_speed_max *= by;
    v.acceleration_max *= by;
    v.reverse_acceleration_max *= by;
    v.power *= by * by;
    v.braking_max *= by;
    v.coasting_deceleration *= by;
    v.drag *= inverse;
    v.downforce *= inverse;
    v.lateral_acceleration_max *= by;
    v.drive_train.wheel_radius *= by;
    return v;
}

kerb_motion kerb_in_motion_scaled(const kerb_motion* motion, float by) {
    kerb_motion m = *motion;
    m.position = kerb_vec3_scale(m.position, by);
    m.velocity = kerb_vec3_scale(m.velocity, by);
    return m;
}
