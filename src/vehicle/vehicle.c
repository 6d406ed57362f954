// The capabilities of a vehicle: the table of its numbers, and the check for contradictions.
//
// The ranges are wide on purpose: from a toy of 0.2 m to a mining machine of 100 m. They exclude
// impossible vehicles (no length, no brakes), so that drivers may divide by these numbers without a
// check.
#include "kerb/vehicle.h"

#include "../base/shared.h"

// clang-format off
#define VEHICLE_FIELD(field, ...) KERB_IN_SETTING(kerb_vehicle, field, __VA_ARGS__)

// Gears from gear_count on are not used, so they may have any ratio, also 0.
#define GEAR(index, standard) \
    {"drive_train.gear_ratio[" #index "]", \
     offsetof(kerb_vehicle, drive_train.gear_ratio) + (index) * sizeof(float), \
     KERB_SETTING_FLOAT, "1", 0.0f, 10000.0f, standard, NULL, \
     "engine turns per wheel turn in this gear, final drive included"}

#define POINT(curve, part, index, unit, most, standard, meaning) \
    {#curve "." #part "[" #index "]", \
     offsetof(kerb_vehicle, curve.part) + (index) * sizeof(float), KERB_SETTING_FLOAT, unit, 0.0f, \
     most, standard, NULL, meaning}
#define POINTS(curve, part, unit, most, standard, meaning) \
    POINT(curve, part, 0, unit, most, standard, meaning), \
    POINT(curve, part, 1, unit, most, standard, meaning), \
    POINT(curve, part, 2, unit, most, standard, meaning), \
    POINT(curve, part, 3, unit, most, standard, meaning), \
    POINT(curve, part, 4, unit, most, standard, meaning), \
    POINT(curve, part, 5, unit, most, standard, meaning), \
    POINT(curve, part, 6, unit, most, standard, meaning), \
    POINT(curve, part, 7, unit, most, standard, meaning)
// Points from the count on are not used, so they may be anywhere.
#define CURVE(curve, unit, of, meaning) \
    {#curve ".count", offsetof(kerb_vehicle, curve.count), KERB_SETTING_INT, "1", 0.0f, \
     (float)KERB_SHARE_POINTS_MAX, 0.0f, NULL, "number of points; 0: " meaning " is unknown"}, \
    POINTS(curve, speed, unit, 20000.0f, 0.0f, of " of this point of " meaning), \
    POINTS(curve, share, "1", 1.0f, 1.0f, "share at this point of " meaning)
// clang-format on

static const kerb_setting vehicle_settings[] = {
    {"kind", offsetof(kerb_vehicle, kind), KERB_SETTING_CHOICE, "1", 0.0f, 2.0f, 0.0f,
     "wheeled|tracked|hover", "how steering turns the vehicle"},
    VEHICLE_FIELD(length, "m", 0.05f, 200.0f, 4.5f, "length from bumper to bumper"),
    VEHICLE_FIELD(width, "m", 0.02f, 100.0f, 1.8f, "width at the widest part, without mirrors"),
    VEHICLE_FIELD(reference_to_front, "m", 0.0f, 200.0f, 2.2f,
                  "distance from the reference point forward to the front bumper"),
    VEHICLE_FIELD(reference_to_rear_axle, "m", -200.0f, 200.0f, 1.35f,
                  "distance from the reference point back to the rear axle"),
    VEHICLE_FIELD(wheelbase, "m", 0.02f, 150.0f, 2.7f,
                  "distance from the rear axle to the front axle"),
    VEHICLE_FIELD(mass, "kg", 0.01f, 1e8f, 1500.0f, "mass with load"),
    VEHICLE_FIELD(yaw_inertia, "m²", 0.0f, 10000.0f, 0.0f,
                  "moment of inertia about the up axis, divided by the mass; 0: unknown"),
    VEHICLE_FIELD(steering_angle_max, "rad", 0.01f, 1.5f, 0.6f,
                  "greatest angle of the front wheels, mean of left and right"),
    VEHICLE_FIELD(steering_rate_max, "rad/s", 0.01f, 100.0f, 1.0f,
                  "greatest rate at which the front wheels turn to another angle"),
    VEHICLE_FIELD(steering_delay, "s", 0.0f, 5.0f, 0.05f,
                  "delay from a steering command to the wheels"),
    VEHICLE_FIELD(understeer_gradient, "rad s²/m", -0.02f, 0.1f, 0.002f,
                  "understeer: additional wheel angle per lateral acceleration"),
    CURVE(steering_lock, "m/s", "speed", "the share of steering_angle_max by speed"),
    VEHICLE_FIELD(yaw_rate_max, "rad/s", 0.01f, 50.0f, 0.8f,
                  "TRACKED, HOVER: yaw rate at full steering"),
    VEHICLE_FIELD(yaw_acceleration_max, "rad/s²", 0.01f, 500.0f, 2.0f,
                  "TRACKED, HOVER: greatest rate of change of the yaw rate"),
    VEHICLE_FIELD(track_width, "m", 0.0f, 100.0f, 0.0f,
                  "TRACKED: distance between the middles of the tracks; 0: unknown"),
    VEHICLE_FIELD(speed_max, "m/s", 0.01f, 500.0f, 50.0f,
                  "greatest speed forwards on level ground"),
    VEHICLE_FIELD(reverse_speed_max, "m/s", 0.01f, 500.0f, 10.0f,
                  "greatest speed in reverse on level ground"),
    VEHICLE_FIELD(acceleration_max, "m/s²", 0.001f, 200.0f, 4.0f,
                  "acceleration at full throttle from standstill"),
    VEHICLE_FIELD(reverse_acceleration_max, "m/s²", 0.001f, 200.0f, 3.0f,
                  "acceleration at full throttle in reverse from standstill"),
    VEHICLE_FIELD(power, "W", 0.001f, 1e12f, 86250.0f, "greatest drive power"),
    CURVE(power_share, "m/s", "speed", "the share of power by speed"),
    VEHICLE_FIELD(creep_speed, "m/s", 0.0f, 20.0f, 0.0f,
                  "speed to which it rolls in gear without throttle and brake"),
    VEHICLE_FIELD(braking_max, "m/s²", 0.01f, 200.0f, 8.0f,
                  "deceleration at full brake on dry ground"),
    VEHICLE_FIELD(coasting_deceleration, "m/s²", 0.0f, 20.0f, 0.15f,
                  "deceleration by rolling resistance"),
    VEHICLE_FIELD(drag, "1/m", 0.0f, 10.0f, 0.0004f, "deceleration by drag, divided by speed²"),
    VEHICLE_FIELD(downforce, "1/m", 0.0f, 10.0f, 0.0f,
                  "acceleration by downforce, divided by speed²"),
    VEHICLE_FIELD(lateral_acceleration_max, "m/s²", 0.01f, 200.0f, 8.0f,
                  "greatest lateral acceleration on dry ground"),
    VEHICLE_FIELD(load_sensitivity, "1", 0.0f, 0.9f, 0.0f,
                  "share of the additional grip that is lost where load is added"),
    VEHICLE_FIELD(throttle_delay, "s", 0.0f, 10.0f, 0.1f,
                  "delay from a throttle command to its force"),
    {"drive_train.gear_count", offsetof(kerb_vehicle, drive_train.gear_count), KERB_SETTING_INT,
     "1", 0.0f, (float)KERB_GEARS_MAX, 0.0f, NULL,
     "number of forward gears that the driver shifts; 0: the vehicle shifts by itself"},
    GEAR(0, 14.0f),
    GEAR(1, 8.2f),
    GEAR(2, 5.6f),
    GEAR(3, 4.2f),
    GEAR(4, 3.4f),
    GEAR(5, 2.8f),
    GEAR(6, 2.4f),
    GEAR(7, 2.1f),
    GEAR(8, 1.9f),
    GEAR(9, 1.7f),
    VEHICLE_FIELD(drive_train.wheel_radius, "m", 0.001f, 20.0f, 0.33f,
                  "radius of the driven wheels"),
    VEHICLE_FIELD(drive_train.engine_speed_idle, "rad/s", 0.0f, 20000.0f, 85.0f,
                  "engine speed below which the engine stalls"),
    VEHICLE_FIELD(drive_train.engine_speed_power, "rad/s", 0.1f, 20000.0f, 575.0f,
                  "engine speed of greatest power"),
    VEHICLE_FIELD(drive_train.engine_speed_max, "rad/s", 0.1f, 20000.0f, 660.0f,
                  "greatest engine speed"),
    VEHICLE_FIELD(drive_train.shift_time, "s", 0.0f, 10.0f, 0.25f,
                  "time that a shift takes, without drive"),
    KERB_IN_CHOICE(kerb_vehicle, drive_train.gear_told, 1.0f, 0.0f, "engaged|nothing",
                   "what kerb_motion.gear says"),
    CURVE(drive_train.torque, "rad/s", "engine speed",
          "the share of the greatest torque by engine speed"),
};

const kerb_settings_table kerb_vehicle_table = {
    "kerb_vehicle", sizeof(kerb_vehicle), vehicle_settings,
    (int32_t)(sizeof vehicle_settings / sizeof *vehicle_settings)};

kerb_vehicle kerb_vehicle_default(void) {
    kerb_vehicle vehicle;
    kerb_settings_set_defaults(&kerb_vehicle_table, &vehicle);
    return vehicle;
}

// Least share of a curve by which drivers divide. [1]
#define VEHICLE_SHARE_LEAST 0.02f

static kerb_result vehicle_contradict(kerb_error* error, const char* field, const char* message) {
    return kerb_error_set(error, KERB_ERROR_CONTRADICTION, field, 0, -1, message);
}

static kerb_result validate_size(const kerb_vehicle* vehicle, kerb_error* error) {
    // Distance from the front bumper back to the rear axle.
    float rear_axle = vehicle->reference_to_front + vehicle->reference_to_rear_axle;
    if (vehicle->width > vehicle->length)
        return vehicle_contradict(error, "width", "must be at most the length");
    if (vehicle->track_width > vehicle->width)
        return vehicle_contradict(error, "track_width", "must be at most the width");
    if (vehicle->wheelbase > vehicle->length)
        return vehicle_contradict(error, "wheelbase", "must be at most the length");
    if (rear_axle > vehicle->length)
        return vehicle_contradict(error, "reference_to_rear_axle",
                                  "puts the rear axle behind the rear bumper");
    if (rear_axle < vehicle->wheelbase)
        return vehicle_contradict(error, "reference_to_front",
                                  "puts the front axle in front of the front bumper");
    return KERB_OK;
}

// `least`: the least share that a driver may divide by.
static kerb_result validate_curve(const kerb_share_curve* curve, const char* speed,
                                  const char* share, float least, kerb_error* error) {
    for (int32_t i = 0; i < curve->count; i++) {
        if (i > 0 && !(curve->speed[i] > curve->speed[i - 1]))
            return kerb_error_set(error, KERB_ERROR_CONTRADICTION, speed, 0, i,
                                  "must be greater than that of the point before");
        if (curve->share[i] < least)
            return kerb_error_set(error, KERB_ERROR_OUT_OF_RANGE, share, 0, i,
                                  "must be at least 0.02");
    }
    return KERB_OK;
}

static kerb_result validate_curves(const kerb_vehicle* vehicle, kerb_error* error) {
    const kerb_drive_train* train = &vehicle->drive_train;
    kerb_result result = validate_curve(&vehicle->steering_lock, "steering_lock.speed",
                                        "steering_lock.share", VEHICLE_SHARE_LEAST, error);
    if (result == KERB_OK)
        result = validate_curve(&vehicle->power_share, "power_share.speed", "power_share.share",
                                VEHICLE_SHARE_LEAST, error);
    if (result == KERB_OK)
        result = validate_curve(&train->torque, "drive_train.torque.speed",
                                "drive_train.torque.share", 0.0f, error);
    if (result == KERB_OK &&
        kerb_share_at(&train->torque, train->engine_speed_power) < VEHICLE_SHARE_LEAST)
        result = vehicle_contradict(error, "drive_train.torque.share",
                                    "must be at least 0.02 at engine_speed_power");
    return result;
}

static kerb_result validate_drive_train(const kerb_drive_train* train, kerb_error* error) {
    for (int32_t i = 0; i < train->gear_count; i++) {
        if (train->gear_ratio[i] <= 0.0f)
            return kerb_error_set(error, KERB_ERROR_OUT_OF_RANGE, "drive_train.gear_ratio", 0, i,
                                  "must be greater than 0 in gears that are used");
        if (i > 0 && train->gear_ratio[i] >= train->gear_ratio[i - 1])
            return kerb_error_set(error, KERB_ERROR_CONTRADICTION, "drive_train.gear_ratio", 0, i,
                                  "must be less than that of the gear below");
    }
    if (train->gear_count > 0 && train->engine_speed_idle >= train->engine_speed_power)
        return vehicle_contradict(error, "drive_train.engine_speed_idle",
                                  "must be less than engine_speed_power");
    if (train->gear_count > 0 && train->engine_speed_power > train->engine_speed_max)
        return vehicle_contradict(error, "drive_train.engine_speed_power",
                                  "must be at most engine_speed_max");
    return KERB_OK;
}

kerb_result kerb_vehicle_validate(const kerb_vehicle* vehicle, kerb_error* error) {
    kerb_result result = kerb_settings_validate(&kerb_vehicle_table, vehicle, error);
    if (result == KERB_OK)
        result = validate_size(vehicle, error);
    if (result == KERB_OK)
        result = validate_drive_train(&vehicle->drive_train, error);
    if (result == KERB_OK)
        result = validate_curves(vehicle, error);
    return result;
}

float kerb_vehicle_turning_radius(const kerb_vehicle* vehicle) {
    if (vehicle->kind != KERB_VEHICLE_WHEELED)
        return 0.5f * vehicle->length;
    return vehicle->wheelbase / kerb_tan(vehicle->steering_angle_max);
}

float kerb_share_at(const kerb_share_curve* curve, float speed) {
    KERB_ASSERT(curve);
    if (curve->count <= 0)
        return 1.0f;
    int32_t i = 0;
    while (i < curve->count && speed > curve->speed[i])
        i++;
    if (i == 0 || i == curve->count)
        return curve->share[i == 0 ? 0 : i - 1];
    float along = (speed - curve->speed[i - 1]) / (curve->speed[i] - curve->speed[i - 1]);
    return curve->share[i - 1] + along * (curve->share[i] - curve->share[i - 1]);
}

float kerb_vehicle_steering_lock(const kerb_vehicle* vehicle, float speed) {
    if (vehicle->steering_lock.count <= 0)
        return vehicle->steering_angle_max;
    return vehicle->steering_angle_max * kerb_share_at(&vehicle->steering_lock, kerb_abs(speed));
}

// Share of yaw_rate_max that is left at the greatest speed: a track that can go no faster still
// turns the vehicle by slowing the other one down. [1]
#define YAW_RATE_LEFT 0.05f

float kerb_vehicle_yaw_rate(const kerb_vehicle* vehicle, float speed) {
    float most = vehicle->yaw_rate_max;
    if (vehicle->kind != KERB_VEHICLE_TRACKED || vehicle->track_width <= 0.0f)
        return most;
    float top = speed < 0.0f ? vehicle->reverse_speed_max : vehicle->speed_max;
    float by_track = 2.0f * (top - kerb_abs(speed)) / vehicle->track_width;
    return kerb_clamp(by_track, YAW_RATE_LEFT * most, most);
}
