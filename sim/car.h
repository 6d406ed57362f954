// A car with wheels: dynamic bicycle with longitudinal load transfer, combined-slip tyres, engine,
// gears, drag, on a slope. What the driver sees is only its kerb_motion.
#ifndef SIM_CAR_H
#define SIM_CAR_H

#include "kerb/math.h"
#include "kerb/vehicle.h"

#define SIM_TORQUE_POINTS 8

/// What a car is made of. SI units, radians.
typedef struct sim_car_model {
    float length, width;
    float mass, yaw_inertia;
    float front_to_mass, rear_to_mass; ///< axle distances from the centre of mass [m]
    float mass_height;                 ///< of the centre of mass above the ground [m]
    float steering_angle_max;          ///< [rad]
    float steering_rate_max;           ///< [rad/s]
    float steering_delay;              ///< first-order lag of the steering [s]
    // tyres, per axle; see car.c for the model and its source
    float grip;                            ///< peak friction coefficient
    float cornering_front, cornering_rear; ///< stiffness per axle load [1/rad]
    float slip_stiffness;                  ///< longitudinal stiffness per load [1]
    // engine and drive
    float engine_speed[SIM_TORQUE_POINTS];  ///< [rad/s], rising
    float engine_torque[SIM_TORQUE_POINTS]; ///< at full throttle [N m]
    float engine_braking;                   ///< torque without throttle at top speed [N m]
    float throttle_delay;                   ///< first-order lag [s]
    kerb_drive_train drive_train;           ///< gear_count 0: the car shifts for itself
    float reverse_ratio;                    ///< engine turns per wheel turn in reverse
    float wheel_radius;
    float drive_front;        ///< share of drive torque on the front axle [0 … 1]
    float brake_force;        ///< at full pedal, both axles [N]
    float brake_front;        ///< share on the front axle [0 … 1]
    float rolling_resistance; ///< force per weight [1]
    float drag_area;          ///< ½·ρ·c_d·A [kg/m]
} sim_car_model;

/// The ground under the car.
typedef struct sim_ground {
    float height;     ///< [m]
    kerb_vec3 normal; ///< unit, up
    float grip;       ///< times the tyres' own
} sim_ground;

/// One car. Plain data: copy it to rewind.
typedef struct sim_car {
    sim_car_model model;
    kerb_vec3 position;            ///< of the centre of mass's foot on the ground [m]
    float heading;                 ///< [rad]
    kerb_quat rotation;            ///< heading, and the slope under it
    float forward, side, yaw_rate; ///< velocities in the car's frame [m/s, rad/s]
    float steering;                ///< angle of the front wheels [rad]
    float throttle;                ///< after its lag
    float wheel_front, wheel_rear; ///< wheel speeds [rad/s]
    float load_front, load_rear;   ///< axle loads [N]
    int32_t gear;
    float shift_timer;  ///< remaining time without drive [s]
    float engine_speed; ///< [rad/s]
    float acceleration; ///< along the car, of the last step [m/s²]
} sim_car;

/// The reference pick-up.
sim_car_model sim_pickup_model(void);

/// A car that has the limits of a kerb_vehicle: its speeds, grip, steering, braking, understeer.
sim_car_model sim_car_model_for(const kerb_vehicle* vehicle);

/// The limits of a model as a driver should know them: closed forms, no simulation.
kerb_vehicle sim_car_vehicle(const sim_car_model* model);

/// A car at rest.
sim_car sim_car_make(const sim_car_model* model, kerb_vec3 position, float heading);

/// One step. [time_step: > 0, at most 1/200 s] Cuts itself into finer steps where wheels need it.
void sim_car_step(sim_car* car, const kerb_controls* controls, const sim_ground* ground,
                  float time_step);

/// What the driver is told.
kerb_motion sim_car_motion(const sim_car* car);

#endif
