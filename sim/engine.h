// Engine, gears and governor of a kerb_sim_car_model: the force at the rims of the wheels.
#ifndef KERB_SIM_ENGINE_H
#define KERB_SIM_ENGINE_H

#include "sim/car.h"

/// Torque at full throttle [N m] and its change with speed [N m s]. Above the last point of the
/// curve a limiter takes it to 0 within 2 % of that speed.
float kerb_sim_engine_torque(const kerb_sim_car_model* model, float engine_speed, float* slope);

/// Engine turns per wheel turn in a gear; 0 in neutral, negative in reverse.
float kerb_sim_engine_ratio(const kerb_sim_car_model* model, int32_t gear);

/// One step of the gear lever: `gear` becomes `wanted`, and `shift_timer` the time left without
/// drive [s], which a car without gears does not take.
void kerb_sim_engine_shift(const kerb_sim_car_model* model, int32_t wanted, float time_step,
                           int32_t* gear, float* shift_timer);

/// What the engine does at the rims.
typedef struct kerb_sim_drive {
    float force;        ///< of all driven wheels, forward positive [N]
    float damping;      ///< how much it falls as the rims get faster [N s/m] [>= 0]
    float engine_speed; ///< [rad/s]
    float mass;         ///< of the engine, where it turns with the wheels, as at the rims [kg]
} kerb_sim_drive;

/// `rim_speed` is that of the driven wheels, `throttle` and `clutch` as in kerb_controls.
kerb_sim_drive kerb_sim_engine_drive(const kerb_sim_car_model* model, int32_t gear, float rim_speed,
                                     float throttle, float clutch);

/// The same of an engine with inertia, through one step: `engine_speed` is that at its start, the
/// result's that at its end. The clutch slips where it would pass on more than clutch_torque, or,
/// when the wheels drive the engine, more than a third of that.
kerb_sim_drive kerb_sim_engine_turn(const kerb_sim_car_model* model, int32_t gear, float rim_speed,
                                    float throttle, float clutch, float engine_speed,
                                    float time_step);

#endif
