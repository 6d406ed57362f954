// An airplane: lift and drag of its wing, a propeller, and sticks that command turning rates.
#ifndef KERB_SIM_AIRPLANE_H
#define KERB_SIM_AIRPLANE_H

#include "kerb/aircraft.h"
#include "kerb/vehicle.h"

typedef struct kerb_sim_airplane_model {
    float length, wingspan, wing_area; ///< [m, m, m²]
    float mass;                        ///< [kg]
    float air_density;                 ///< [kg/m³]
    float lift_slope;                  ///< of C_L over the angle of attack [1/rad]
    float lift_max, lift_min;          ///< C_L at which the wing stalls, either way [1]
    float drag_zero;                   ///< C_D without lift [1]
    float drag_induced;                ///< C_D per C_L² [1]
    float side_slope;                  ///< side force coefficient over the sideslip [1/rad]
    float thrust;                      ///< at rest, full throttle [N]
    float thrust_end;                  ///< airspeed at which the propeller no longer pulls [m/s]
    float throttle_delay;              ///< first-order lag [s]
    float roll_rate_max, pitch_rate_max, yaw_rate_max; ///< at full stick [rad/s]
    float rate_delay;                                  ///< first-order lag [s]
    float weathercock;                                 ///< yaw rate per sideslip [1/s]
    float nose_drop;                        ///< pitch rate per angle beyond the stall [1/s]
    float load_factor_max, load_factor_min; ///< that it is built for; nothing breaks [1]
    float speed_never_exceed;               ///< the same [m/s]
    float cruise_speed;                     ///< [m/s]
    float bank_max;                         ///< of the turns that it is flown in [rad]
} kerb_sim_airplane_model;

typedef struct kerb_sim_airplane {
    kerb_sim_airplane_model model;
    kerb_vec3 position;      ///< of the centre of mass [m]
    kerb_vec3 position_rest; ///< what rounding took from the position [m]
    kerb_vec3 velocity;      ///< [m/s]
    kerb_quat rotation;
    float roll_rate, pitch_rate, yaw_rate; ///< about the body's x, y, z [rad/s]
    float throttle;                        ///< after its lag
    float angle_of_attack;                 ///< of the last step [rad]
    float sideslip;                        ///< nose left of the path: positive [rad]
    float load_factor;                     ///< lift over weight, of the last step
} kerb_sim_airplane;

/// The reference airplane: a light aerobatic trainer with a propeller, after the Slingsby T67M260.
kerb_sim_airplane_model kerb_sim_trainer_model(void);

/// Its limits, as a driver should know them: closed forms.
kerb_aircraft kerb_sim_airplane_aircraft(const kerb_sim_airplane_model* model);

/// In level flight at `speed`, trimmed for it.
kerb_sim_airplane kerb_sim_airplane_make(const kerb_sim_airplane_model* model, kerb_vec3 position,
                                         float heading, float speed);

/// One step. There is no ground. [time_step: > 0, at most 1/200 s]
void kerb_sim_airplane_step(kerb_sim_airplane* airplane, const kerb_controls* controls,
                            float time_step);

/// What the driver is told.
kerb_motion kerb_sim_airplane_motion(const kerb_sim_airplane* airplane);

#endif
