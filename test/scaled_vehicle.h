// A vehicle with all lengths multiplied, for tests of what does not depend on the scale. Times stay
// the same, so that speeds and accelerations are multiplied too.
#ifndef TEST_SCALED_VEHICLE_H
#define TEST_SCALED_VEHICLE_H

#include "kerb/vehicle.h"

/// A vehicle times `by`: nothing is rounded where that is a power of two. [by: > 0]
static inline kerb_vehicle scaled_vehicle(const kerb_vehicle* car, float by) {
    kerb_vehicle v = *car;
    v.length *= by, v.width *= by, v.wheelbase *= by;
    v.reference_to_front *= by, v.reference_to_rear_axle *= by;
    v.understeer_gradient /= by;
    v.speed_max *= by, v.reverse_speed_max *= by;
    v.acceleration_max *= by, v.reverse_acceleration_max *= by;
    v.power *= by * by;
    v.braking_max *= by, v.coasting_deceleration *= by, v.lateral_acceleration_max *= by;
    v.drag /= by, v.downforce /= by, v.drive_train.wheel_radius *= by;
    return v;
}

#endif
