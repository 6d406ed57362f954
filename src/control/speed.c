// From a set point of speed to pedals: a PI controller with anti-windup, braking in time, and the
// accelerations of full throttle and coasting. All closed forms, O(1).
//
// The drive falls off as P/v; at low speed acceleration_max is the limit. The power is that of the
// vehicle, but at least what its top speed needs: coasting(speed_max)·speed_max per mass.
#include "gear_pull.h"
#include "setting_rows.h"

#include "../vehicle/shared.h"

static const kerb_setting speed_rows[] = {CONTROL_SPEED_ROWS("", 0, "")};
const kerb_settings_table kerb_speed_settings_table = {
    "kerb_speed_settings", sizeof(kerb_speed_settings), speed_rows,
    (int32_t)(sizeof speed_rows / sizeof speed_rows[0])};

float kerb_speed_control(kerb_speed_controller* controller, const kerb_speed_settings* settings,
                         float speed_error, float feed_forward, float acceleration_min,
                         float acceleration_max, float time_step) {
    if (settings->integral == 0.0f) // what another gain has summed would stay for ever
        controller->integral_term = 0.0f;
    float without_sum = settings->proportional * speed_error + feed_forward;
    float wanted = without_sum + controller->integral_term;
    // An integral of the opposite sign is windup already; it may always shrink.
    float sum = controller->integral_term;
    bool pushes_out = (wanted >= acceleration_max && speed_error > 0.0f && sum >= 0.0f) ||
                      (wanted <= acceleration_min && speed_error < 0.0f && sum <= 0.0f);
    if (!pushes_out)
        controller->integral_term += settings->integral * speed_error * time_step;
    // The integral alone never demands more than the vehicle can do.
    controller->integral_term =
        kerb_clamp(controller->integral_term, acceleration_min, acceleration_max);
    return kerb_clamp(without_sum + controller->integral_term, acceleration_min, acceleration_max);
}

float kerb_approach_speed(float speed, float distance, float deceleration) {
    return kerb_sqrt(speed * speed + 2.0f * deceleration * kerb_max(distance, 0.0f));
}

float kerb_speed_in_curve(float curvature, float lateral_acceleration, float speed_max) {
    float sharpness = kerb_abs(curvature);
    if (sharpness * speed_max * speed_max <= lateral_acceleration)
        return speed_max;
    return kerb_sqrt(lateral_acceleration / sharpness);
}

float kerb_coasting_deceleration(const kerb_vehicle* vehicle, float speed) {
    return kerb_in_vehicle_coasting(vehicle, speed);
}

// What `power` per mass gives at a speed, in the best gear where the torque of the engine is known.
// [m/s²]
static float speed_drive(const kerb_vehicle* vehicle, float power, float speed, bool reverse) {
    const kerb_drive_train* train = &vehicle->drive_train;
    if (!reverse && train->gear_count > 0 && train->torque.count > 0)
        return best_gear_pull(train, power, speed);
    float by_power = power / kerb_max(speed, 0.1f);
    if (train->gear_count <= 0 && vehicle->power_share.count > 0)
        by_power *= kerb_share_at(&vehicle->power_share, speed);
    return by_power;
}

float kerb_full_throttle_acceleration(const kerb_vehicle* vehicle, float speed, bool reverse) {
    float at_rest = reverse ? vehicle->reverse_acceleration_max : vehicle->acceleration_max;
    float top = reverse ? vehicle->reverse_speed_max : vehicle->speed_max;
    float power =
        kerb_max(vehicle->power / vehicle->mass, kerb_coasting_deceleration(vehicle, top) * top);
    float by_power = speed_drive(vehicle, power, kerb_abs(speed), reverse);
    // Never 0: a driver that must hold its top speed still presses the pedal.
    return kerb_max(kerb_min(at_rest, by_power), 0.02f * at_rest);
}

// Weaker braking is left to the engine, so that the pedals do not chatter. About the rolling
// resistance of a car. [m/s²]
#define SPEED_COASTING_BAND 0.12f

void kerb_pedals(const kerb_vehicle* vehicle, float acceleration, float full_throttle,
                 kerb_controls* controls) {
    controls->throttle = 0.0f;
    controls->brake = 0.0f;
    // In units of the vehicle, as its other accelerations are.
    const float band = SPEED_COASTING_BAND * kerb_vehicle_scale(vehicle);
    if (acceleration > 0.0f)
        controls->throttle = kerb_min(acceleration / full_throttle, 1.0f);
    else if (acceleration < -band)
        controls->brake =
            kerb_min((-acceleration - band) / kerb_max(vehicle->braking_max - band, 0.001f), 1.0f);
}
