// Purpose: the scale of a vehicle, and a vehicle, a motion and a speed in units of it.
// Idea:    Lengths, speeds and accelerations all times a number leave times, angles and shares as
//          they are. So a driver with constants in metres drives a model car as it drives a car, if
//          all that it reads is divided by the scale of the vehicle and all that it says in metres
//          is multiplied by it.
// Cost:    O(1).
#include "shared.h"

#include "../base/shared.h"

// The car to which others are compared: kerb_vehicle_default. [m]
#define SCALE_LENGTH 4.5f
#define SCALE_WIDTH 1.8f
// A vehicle of these sizes is one for roads: what a driver knows in metres is right for it. The
// shortest is a motorcycle. A long one is not larger: a road train of 25 m drives in lanes for
// cars, so the width says what is large, and the widest is a mining truck on roads of its own. [m]
#define SCALE_LENGTH_LEAST 2.0f
#define SCALE_WIDTH_MOST 4.5f
// A model is in proportion to the car from these sizes on. A motorcycle of 2 m has scale 1, and a
// model car of 2 m would have 0.44, so no function of the size can be 1 for all that is on roads,
// the proportion for all that is not, and continuous. In between it goes evenly from one to the
// other. A car times 0.22 to 0.44 then drives a winding road in up to 3 % less time than one times
// 0.1 or 1, and one times 2.5 to 3.3 in up to a third more, as one times 2.4 does, which may be a
// wide truck. [m]
#define SCALE_LENGTH_MODEL 1.0f
#define SCALE_WIDTH_GIANT 6.0f

// From 1 at size `road` to `size` / `car` at `model` and beyond. size / scale_by is monotone in
// between, and so nowhere beyond the sizes of roads: the scale of a vehicle in units of its scale
// is 1.
static float scale_by(float size, float road, float model, float car) {
    if (model < road ? size <= model : size >= model)
        return size / car;
    return 1.0f + (model / car - 1.0f) * ((size - road) / (model - road));
}

float kerb_vehicle_scale(const kerb_vehicle* vehicle) {
    KERB_ASSERT(vehicle);
    const float length = vehicle->length, width = vehicle->width;
    if (length < SCALE_LENGTH_LEAST)
        return scale_by(length, SCALE_LENGTH_LEAST, SCALE_LENGTH_MODEL, SCALE_LENGTH);
    if (width <= SCALE_WIDTH_MOST)
        return 1.0f;
    // One that is as wide as long must not be shorter than a motorcycle in its own units.
    return kerb_min(scale_by(width, SCALE_WIDTH_MOST, SCALE_WIDTH_GIANT, SCALE_WIDTH),
                    length / SCALE_LENGTH_LEAST);
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
