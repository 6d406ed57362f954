// Purpose: tables and defaults of vehicles that fly or dive.
// Cost:    O(fields).
#include "kerb/space_kinds.h"

#include "../base/shared.h"

#define SPACECRAFT_ROW(field, ...) KERB_IN_SETTING(kerb_spacecraft, field, __VA_ARGS__)
static const kerb_setting spacecraft_rows[] = {
    SPACECRAFT_ROW(length, "m", 0.1f, 2000.0f, 12.0f, "length"),
    SPACECRAFT_ROW(radius, "m", 0.05f, 1000.0f, 2.5f, "radius of the hull"),
    SPACECRAFT_ROW(acceleration, "m/s²", 0.001f, 200.0f, 5.0f, "at full thrust"),
    SPACECRAFT_ROW(turn_rate_max, "rad/s", 0.001f, 20.0f, 1.0f, "greatest rate of turning"),
    SPACECRAFT_ROW(turn_acceleration, "rad/s²", 0.001f, 50.0f, 0.75f, "greatest rate of change"),
    SPACECRAFT_ROW(speed_max, "m/s", 0.1f, 400.0f, 60.0f, "with which plans pass places"),
    SPACECRAFT_ROW(throttle_delay, "s", 0.0f, 10.0f, 0.1f, "from a command to its thrust"),
    SPACECRAFT_ROW(turn_delay, "s", 0.0f, 10.0f, 0.05f, "from a command to its turning"),
};
const kerb_settings_table kerb_spacecraft_table = {
    "kerb_spacecraft", sizeof(kerb_spacecraft), spacecraft_rows,
    (int32_t)(sizeof spacecraft_rows / sizeof spacecraft_rows[0])};

kerb_spacecraft kerb_spacecraft_default(void) {
    kerb_spacecraft spacecraft;
    kerb_settings_set_defaults(&kerb_spacecraft_table, &spacecraft);
    return spacecraft;
}

#define ROTOR_ROW(field, ...) KERB_IN_SETTING(kerb_rotorcraft, field, __VA_ARGS__)
static const kerb_setting rotor_rows[] = {
    ROTOR_ROW(length, "m", 0.05f, 60.0f, 3.6f, "length with the rotor"),
    ROTOR_ROW(width, "m", 0.05f, 60.0f, 3.07f, "width with the rotor"),
    ROTOR_ROW(height, "m", 0.05f, 20.0f, 1.2f, "height"),
    ROTOR_ROW(speed_max, "m/s", 0.1f, 150.0f, 12.0f, "greatest horizontal speed"),
    ROTOR_ROW(climb_max, "m/s", 0.1f, 50.0f, 2.5f, "greatest speed upwards"),
    ROTOR_ROW(sink_max, "m/s", 0.1f, 50.0f, 2.5f, "greatest speed downwards"),
    ROTOR_ROW(tilt_max, "rad", 0.02f, 1.2f, 0.35f, "greatest tilt"),
    ROTOR_ROW(lift_acceleration, "m/s²", 0.1f, 9.5f, 4.0f, "greatest vertical acceleration"),
    ROTOR_ROW(tilt_rate_max, "rad/s", 0.05f, 20.0f, 1.0f, "greatest rate of tilting"),
    ROTOR_ROW(lift_rate, "m/s³", 0.1f, 200.0f, 12.0f, "greatest rate of vertical acceleration"),
    ROTOR_ROW(yaw_rate_max, "rad/s", 0.05f, 20.0f, 1.0f, "greatest yaw rate"),
    ROTOR_ROW(drag, "1/s", 0.0f, 5.0f, 0.0505f, "deceleration per speed ahead"),
    ROTOR_ROW(side_drag, "1/s", 0.0f, 5.0f, 0.154f, "deceleration per speed sideways"),
    ROTOR_ROW(lift_drag, "1/s", 0.0f, 5.0f, 0.614f, "vertical deceleration per speed"),
    ROTOR_ROW(tilt_delay, "s", 0.0f, 2.0f, 0.1f, "from a command to its rate of tilting"),
    ROTOR_ROW(lift_delay, "s", 0.0f, 2.0f, 0.1f, "from a command to its lift"),
};
const kerb_settings_table kerb_rotorcraft_table = {
    "kerb_rotorcraft", sizeof(kerb_rotorcraft), rotor_rows,
    (int32_t)(sizeof rotor_rows / sizeof rotor_rows[0])};

kerb_rotorcraft kerb_helicopter_default(void) {
    kerb_rotorcraft rotorcraft;
    kerb_settings_set_defaults(&kerb_rotorcraft_table, &rotorcraft);
    return rotorcraft;
}

kerb_rotorcraft kerb_drone_default(void) {
    kerb_rotorcraft drone = {
        .length = 0.5f,
        .width = 0.5f,
        .height = 0.2f,
        .speed_max = 15.0f,
        .climb_max = 5.0f,
        .sink_max = 4.0f,
        .tilt_max = 0.7f,
        .lift_acceleration = 5.0f,
        .tilt_rate_max = 3.0f,
        .lift_rate = 40.0f,
        .yaw_rate_max = 2.0f,
        .drag = 0.1f,
        .side_drag = 0.1f,
        .lift_drag = 0.2f,
        .tilt_delay = 0.04f,
        .lift_delay = 0.04f,
    };
    return drone;
}

#define ROCKET_ROW(field, ...) KERB_IN_SETTING(kerb_rocket, field, __VA_ARGS__)
static const kerb_setting rocket_rows[] = {
    ROCKET_ROW(length, "m", 0.1f, 200.0f, 20.0f, "length"),
    ROCKET_ROW(radius, "m", 0.05f, 20.0f, 1.5f, "radius of the hull"),
    ROCKET_ROW(thrust_max, "m/s²", 10.0f, 200.0f, 20.0f, "greatest thrust per mass"),
    ROCKET_ROW(thrust_min, "m/s²", 0.0f, 9.7f, 2.0f, "smallest thrust per mass"),
    ROCKET_ROW(tilt_max, "rad", 0.02f, 1.2f, 0.35f, "greatest tilt"),
    ROCKET_ROW(tilt_rate_max, "rad/s", 0.02f, 10.0f, 0.35f, "greatest rate of tilting"),
    ROCKET_ROW(throttle_rate, "m/s³", 0.1f, 500.0f, 12.0f, "greatest rate of the thrust"),
    ROCKET_ROW(speed_max, "m/s", 1.0f, 400.0f, 120.0f, "greatest speed of plans"),
    ROCKET_ROW(throttle_delay, "s", 0.0f, 5.0f, 0.15f, "from a command to its thrust"),
    ROCKET_ROW(tilt_delay, "s", 0.0f, 5.0f, 0.15f, "from a command to its rate of tilting"),
};
const kerb_settings_table kerb_rocket_table = {
    "kerb_rocket", sizeof(kerb_rocket), rocket_rows,
    (int32_t)(sizeof rocket_rows / sizeof rocket_rows[0])};

kerb_rocket kerb_rocket_default(void) {
    kerb_rocket rocket;
    kerb_settings_set_defaults(&kerb_rocket_table, &rocket);
    return rocket;
}

#define DIVER_ROW(field, ...) KERB_IN_SETTING(kerb_submarine, field, __VA_ARGS__)
static const kerb_setting diver_rows[] = {
    DIVER_ROW(length, "m", 0.1f, 300.0f, 1.33f, "length"),
    DIVER_ROW(radius, "m", 0.01f, 30.0f, 0.15f, "radius of the hull"),
    DIVER_ROW(speed_max, "m/s", 0.1f, 40.0f, 1.5f, "greatest speed"),
    DIVER_ROW(acceleration, "m/s²", 0.001f, 10.0f, 0.1f, "from rest"),
    DIVER_ROW(braking, "m/s²", 0.001f, 10.0f, 0.1f, "astern and by resistance"),
    DIVER_ROW(turning_radius, "m", 0.1f, 3000.0f, 6.0f, "smallest radius"),
    DIVER_ROW(turning_speed, "1", 0.1f, 1.0f, 0.9f, "share of speed left in that turn"),
    DIVER_ROW(pitch_max, "rad", 0.02f, 1.2f, 0.25f, "greatest slope of a path"),
    DIVER_ROW(level_speed, "m/s", 0.0f, 20.0f, 0.75f, "below it a path is level"),
    DIVER_ROW(yaw_lag, "m", 0.0f, 1000.0f, 1.0f, "distance over which a turn answers"),
    DIVER_ROW(pitch_lag, "m", 0.0f, 1000.0f, 1.0f, "distance over which a slope answers"),
    DIVER_ROW(throttle_delay, "s", 0.0f, 30.0f, 0.5f, "from a command to its thrust"),
};
const kerb_settings_table kerb_submarine_table = {
    "kerb_submarine", sizeof(kerb_submarine), diver_rows,
    (int32_t)(sizeof diver_rows / sizeof diver_rows[0])};

kerb_submarine kerb_submarine_default(void) {
    kerb_submarine submarine;
    kerb_settings_set_defaults(&kerb_submarine_table, &submarine);
    return submarine;
}
