#ifndef KERB_TEST_PROFILE_RIG_H
#define KERB_TEST_PROFILE_RIG_H

// The vehicles that speed profiles are tested with, and a comparison of doubles.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kerb/control.h"

#include <math.h>

static inline void assert_near(double value, double expected, double tolerance) {
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.9g is not %.9g within %.3g", value, expected, tolerance);
}

static inline float between(kerb_random* random, float least, float most) {
    return kerb_random_between(random, least, most);
}

static inline kerb_performance mass(void) {
    return kerb_performance_point_mass(12.0f, 9.0f, 12.0f, 70.0f);
}

// A road car with drag and a gearless engine.
static inline kerb_performance road_car(void) {
    kerb_vehicle vehicle = kerb_vehicle_default();
    vehicle.power = 150.0f * vehicle.mass;
    vehicle.speed_max = 65.0f;
    return kerb_performance_of(&vehicle);
}

// A formula car: wings, and gears that the driver shifts.
static inline kerb_performance winged_car(void) {
    kerb_vehicle vehicle = kerb_vehicle_default();
    vehicle.mass = 700.0f;
    vehicle.power = 450000.0f;
    vehicle.speed_max = 88.0f;
    vehicle.drag = 0.0009f;
    vehicle.downforce = 0.0025f;
    vehicle.lateral_acceleration_max = 16.0f;
    vehicle.braking_max = 17.0f;
    vehicle.acceleration_max = 11.0f;
    vehicle.drive_train.gear_count = 6;
    vehicle.drive_train.engine_speed_power = 1100.0f;
    vehicle.drive_train.engine_speed_max = 1250.0f;
    return kerb_performance_of(&vehicle);
}

#endif
