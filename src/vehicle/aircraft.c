// The capabilities of an aircraft: the table of its numbers, the check for contradictions, and the
// formulas of drag, thrust, climb and turns.
//
// Drag is a parabola over lift (C_D = C_D0 + k·C_L²). Two numbers that pilots know define it: the
// drag without lift, and the best glide ratio, at which both parts are equal. All O(1).
// Source: J. D. Anderson, "Aircraft Performance and Design", chapters 5 and 6.
#include "kerb/aircraft.h"
#include "kerb/vehicle.h"

#include "../base/shared.h"

#define AIRCRAFT_FIELD(field, ...) KERB_IN_SETTING(kerb_aircraft, field, __VA_ARGS__)

static const kerb_setting aircraft_settings[] = {
    AIRCRAFT_FIELD(length, "m", 0.1f, 200.0f, 7.6f, "length from nose to tail"),
    AIRCRAFT_FIELD(wingspan, "m", 0.1f, 200.0f, 10.6f, "distance from wing tip to wing tip"),
    AIRCRAFT_FIELD(stall_speed, "m/s", 1.0f, 200.0f, 31.3f,
                   "slowest speed of level flight with level wings"),
    AIRCRAFT_FIELD(stall_angle, "rad", 0.05f, 1.5f, 0.3f,
                   "angle of the nose above the flight path at which the wings stall"),
    AIRCRAFT_FIELD(cruise_speed, "m/s", 1.0f, 1000.0f, 62.0f, "speed flown when no speed is given"),
    AIRCRAFT_FIELD(speed_max, "m/s", 1.0f, 1000.0f, 78.0f, "greatest speed in level flight"),
    AIRCRAFT_FIELD(speed_never_exceed, "m/s", 1.0f, 1500.0f, 92.0f,
                   "speed never to be exceeded, not even in a dive"),
    AIRCRAFT_FIELD(acceleration_max, "m/s²", 0.1f, 100.0f, 3.43f,
                   "thrust per mass at full throttle at standstill"),
    AIRCRAFT_FIELD(throttle_delay, "s", 0.0f, 10.0f, 0.5f,
                   "delay from a throttle command to its thrust"),
    AIRCRAFT_FIELD(drag, "1/m", 1e-6f, 0.1f, 0.000233f,
                   "deceleration by drag without lift, divided by speed²"),
    AIRCRAFT_FIELD(glide_ratio, "1", 1.0f, 80.0f, 12.3f,
                   "best glide ratio: distance per height lost"),
    AIRCRAFT_FIELD(load_factor_max, "1", 1.1f, 20.0f, 6.0f,
                   "greatest load factor: lift divided by weight"),
    AIRCRAFT_FIELD(load_factor_min, "1", -10.0f, 0.5f, -3.0f,
                   "smallest load factor: lift divided by weight"),
    AIRCRAFT_FIELD(bank_max, "rad", 0.1f, 1.4f, 1.05f, "greatest bank that a driver flies"),
    AIRCRAFT_FIELD(roll_rate_max, "rad/s", 0.05f, 10.0f, 1.6f, "roll rate at full stick"),
    AIRCRAFT_FIELD(pitch_rate_max, "rad/s", 0.05f, 10.0f, 0.8f, "pitch rate at full stick"),
    AIRCRAFT_FIELD(yaw_rate_max, "rad/s", 0.05f, 10.0f, 0.5f, "yaw rate at full pedal"),
    AIRCRAFT_FIELD(rate_delay, "s", 0.0f, 2.0f, 0.2f,
                   "time constant from stick and pedal to these rates"),
};

const kerb_settings_table kerb_aircraft_table = {
    "kerb_aircraft", sizeof(kerb_aircraft), aircraft_settings,
    (int32_t)(sizeof aircraft_settings / sizeof *aircraft_settings)};

kerb_aircraft kerb_aircraft_default(void) {
    kerb_aircraft aircraft;
    kerb_settings_set_defaults(&kerb_aircraft_table, &aircraft);
    return aircraft;
}

static kerb_result aircraft_contradict(kerb_error* error, const char* field, const char* message) {
    return kerb_error_set(error, KERB_ERROR_CONTRADICTION, field, 0, -1, message);
}

kerb_result kerb_aircraft_validate(const kerb_aircraft* aircraft, kerb_error* error) {
    kerb_result result = kerb_settings_validate(&kerb_aircraft_table, aircraft, error);
    if (result != KERB_OK)
        return result;
    if (aircraft->stall_speed >= aircraft->cruise_speed)
        return aircraft_contradict(error, "cruise_speed", "must be greater than the stall speed");
    if (aircraft->cruise_speed > aircraft->speed_max)
        return aircraft_contradict(error, "cruise_speed", "must be at most speed_max");
    if (aircraft->speed_max > aircraft->speed_never_exceed)
        return aircraft_contradict(error, "speed_max", "must be at most speed_never_exceed");
    return KERB_OK;
}

float kerb_aircraft_drag(const kerb_aircraft* aircraft, float speed, float load_factor) {
    float by_lift = KERB_GRAVITY * load_factor / (2.0f * aircraft->glide_ratio * speed);
    return aircraft->drag * speed * speed + by_lift * by_lift / aircraft->drag;
}

float kerb_aircraft_thrust(const kerb_aircraft* aircraft, float speed) {
    float top = aircraft->speed_max, at_rest = aircraft->acceleration_max;
    float at_top = kerb_aircraft_drag(aircraft, top, 1.0f);
    return kerb_max(at_rest + (at_top - at_rest) * (kerb_abs(speed) / top), 0.0f);
}

float kerb_aircraft_climb_rate(const kerb_aircraft* aircraft, float speed) {
    float excess =
        kerb_aircraft_thrust(aircraft, speed) - kerb_aircraft_drag(aircraft, speed, 1.0f);
    return speed * excess / KERB_GRAVITY;
}

float kerb_aircraft_load_factor(const kerb_aircraft* aircraft, float speed) {
    float ratio = speed / aircraft->stall_speed;
    return kerb_min(ratio * ratio, aircraft->load_factor_max);
}

float kerb_aircraft_turning_radius(const kerb_aircraft* aircraft, float speed) {
    float by_bank = 1.0f / kerb_cos(aircraft->bank_max);
    float n = kerb_min(by_bank, kerb_aircraft_load_factor(aircraft, speed));
    float sideways = KERB_GRAVITY * kerb_sqrt(n * n - 1.0f);
    return sideways * 1e6f > speed * speed ? speed * speed / sideways : 1e6f;
}
