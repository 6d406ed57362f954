// The pull of the engine in a gear. Private to the rooms that shift gears.
#ifndef KERB_IN_CONTROL_GEAR_PULL_H
#define KERB_IN_CONTROL_GEAR_PULL_H

#include "kerb/vehicle.h"

// Acceleration by the engine in one gear (0: the first) at a speed. 0 above the engine's greatest
// speed. `power`: greatest engine power per mass. [W/kg] Without a curve of the torque, power is a
// cubic of the engine speed: Genta, "Motor Vehicle Dynamics", 1997, section 4.2. [m/s²]
static inline float gear_pull(const kerb_drive_train* train, int32_t gear, float power,
                              float speed) {
    float turns = train->gear_ratio[gear] / train->wheel_radius;
    float engine_speed = kerb_max(turns * speed, train->engine_speed_idle);
    if (engine_speed > train->engine_speed_max)
        return 0.0f;
    if (train->torque.count > 0) {
        float full = kerb_share_at(&train->torque, train->engine_speed_power);
        float share = kerb_share_at(&train->torque, engine_speed) / full;
        return power * share * turns / train->engine_speed_power;
    }
    float x = engine_speed / train->engine_speed_power;
    // Power is power·(x + x² - x³). Torque is power divided by engine speed, force is torque times
    // turns.
    float torque = power * (1.0f + x - x * x) / train->engine_speed_power;
    return kerb_max(torque * turns, 0.0f);
}

// The pull of the gear that pulls most at a speed. [m/s²] O(gears)
static inline float best_gear_pull(const kerb_drive_train* train, float power, float speed) {
    float best = 0.0f;
    for (int32_t gear = 0; gear < train->gear_count; gear++)
        best = kerb_max(gear_pull(train, gear, power, speed), best);
    return best;
}

#endif
