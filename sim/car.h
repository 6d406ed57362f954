// A car with wheels: dynamic bicycle model with longitudinal load transfer, combined-slip tyres,
// engine, gears, drag and slopes. A driver sees only its kerb_motion.
//
//     kerb_vehicle vehicle = kerb_vehicle_default();
//     kerb_sim_car_model model = kerb_sim_car_model_for(&vehicle); // or kerb_sim_pickup_model()
//     kerb_sim_car car = kerb_sim_car_make(&model, start, heading);
//     each step:
//         kerb_sim_ground ground = {.height = h, .normal = n, .grip = 1.0f}; // below car.position
//         kerb_sim_car_step(&car, &controls, &ground, 1.0f / 240.0f);
//         kerb_motion motion = kerb_sim_car_motion(&car);     // for the driver
//
// sim/README.md has the equations, their sources and the reasons for the parameters. All functions
// change nothing but the car that they get, are O(1), and allocate nothing.
#ifndef KERB_SIM_CAR_H
#define KERB_SIM_CAR_H

#include "kerb/math.h"
#include "kerb/vehicle.h"

#define KERB_SIM_TORQUE_POINTS 8

/// What a car is made of. SI units, radians.
typedef struct kerb_sim_car_model {
    float length, width;
    float mass, yaw_inertia;
    float front_to_mass, rear_to_mass; ///< axle distances from the centre of mass [m] [> 0]
    float mass_to_bumper;              ///< from the centre of mass forward to the front bumper [m]
    float mass_to_reference;  ///< and forward to the point whose motion the driver is told [m]
    float mass_height;        ///< of the centre of mass above the ground [m]
    float load_delay;         ///< of the load transfer: the springs, first-order lag [s]
    float steering_angle_max; ///< [rad]
    float steering_rate_max;  ///< [rad/s]
    float steering_delay;     ///< first-order lag of the steering [s]
    // tyres; see tyre.h
    float grip_along, grip_across; ///< peak friction coefficients along and across wheels
    /// Share of the grip across that the front axle lacks: the car pushes at its limit, and does
    /// not spin. As rear tyres do that are wider, or a front that leans on its outer wheel. [0 … 1]
    float front_grip_lost;
    float slip_stiffness;                  ///< longitudinal stiffness per load [1]
    float cornering_front, cornering_rear; ///< cornering stiffness per axle load [1/rad]
    /// Anti-lock brakes and traction control hold the tyres at their peak. Without, wheels lock and
    /// spin.
    bool slip_control;
    // engine and drive
    float engine_speed[KERB_SIM_TORQUE_POINTS];  ///< [rad/s], rising; cut off above the last
    float engine_torque[KERB_SIM_TORQUE_POINTS]; ///< at full throttle [N m]
    float engine_launch_speed; ///< to which the clutch lets it rise at full throttle [rad/s]
    float engine_braking;      ///< torque without throttle at engine_speed_max [N m]
    float drive_efficiency;    ///< share of the engine's torque that reaches the wheels [0 … 1]
    /// Of the engine and what turns with it [kg m²] [>= 0]; 0: it has none, and its speed is always
    /// that of the wheels or of the launch. More: it revs up and down by itself while the clutch is
    /// open, and a clutch that closes on another speed pulls or pushes.
    float engine_inertia;
    float clutch_torque;  ///< greatest that the clutch passes on; used with inertia [N m]
    float throttle_delay; ///< first-order lag [s]
    /// gear_count 0: stepless, as an electric car: the "engine" turns with the wheels, ratio 1.
    kerb_drive_train drive_train;
    float reverse_ratio;     ///< engine turns per wheel turn in reverse
    float reverse_torque;    ///< share of the torque that is used in reverse [1]
    float reverse_speed_max; ///< held by a governor [m/s]
    float wheel_radius;
    float wheel_inertia;      ///< of one axle's wheels and what turns with them [kg m²] [> 0]
    float drive_front;        ///< share of drive torque on the front axle [0 … 1]
    float brake_force;        ///< at full pedal, both axles [N]
    float brake_front;        ///< share on the front axle [0 … 1]
    float handbrake_force;    ///< on the rear axle [N]
    float rolling_resistance; ///< force per weight [1]
    float drag_area;          ///< ½·ρ·c_d·A [kg/m]
    float downforce_area;  ///< ½·ρ·c_l·A: pushes the car onto the ground, times speed² [kg/m]
    float downforce_front; ///< share of it on the front axle [0 … 1]
} kerb_sim_car_model;

/// How the ground bends: second derivatives of its height. 0: a plane. [1/m]
typedef struct kerb_sim_bend {
    float xx, xy, yy;
} kerb_sim_bend;

/// The ground under the car's centre of mass. A plane, unless `bend` says otherwise: then a car
/// loses load over a crest and gains it in a dip and in a banked bend. Only cars feel it.
typedef struct kerb_sim_ground {
    float height;     ///< [m]
    kerb_vec3 normal; ///< unit, up
    float grip;       ///< times the tyres' own
    kerb_sim_bend bend;
} kerb_sim_ground;

/// One car. Plain data: copy it to rewind.
typedef struct kerb_sim_car {
    kerb_sim_car_model model;
    kerb_vec3 position;                ///< of the centre of mass's foot on the ground [m]
    kerb_vec3 position_rest;           ///< what rounding took from the position [m]
    float heading;                     ///< of the forward axis seen from above [rad]
    kerb_quat rotation;                ///< heading, and the slope under it
    float forward, side, yaw_rate;     ///< velocities in the car's axes, in the ground's plane
    float steering;                    ///< angle of the front wheels [rad]
    float throttle;                    ///< after its lag
    float wheel_front, wheel_rear;     ///< wheel speeds [rad/s]
    float load_front, load_rear;       ///< axle loads of the last step [N]
    float load_transfer;               ///< from front to rear, after its lag [N]
    kerb_vec2 force_front, force_rear; ///< tyre forces along and across the wheels [N]
    int32_t gear;
    float shift_timer;  ///< remaining time without drive [s]
    float engine_speed; ///< [rad/s]
    float acceleration; ///< along the car, of the last step [m/s²]
    float tow;          ///< share of its drag that others before it take, for who sets it [0 … 1]
} kerb_sim_car;

/// The reference pick-up: two tonnes, 180 kW, rear-wheel drive, five gears that the driver shifts.
kerb_sim_car_model kerb_sim_pickup_model(void);

/// The other reference cars, which shift for themselves: a light buggy, an armoured scout car, an
/// eight-wheel carrier.
kerb_sim_car_model kerb_sim_buggy_model(void);
kerb_sim_car_model kerb_sim_scout_model(void);
kerb_sim_car_model kerb_sim_carrier_model(void);

/// The cars that race, with gears that the driver shifts: a fast road car, a GT car, a formula car
/// with wings, a rally car on loose ground, a truck.
kerb_sim_car_model kerb_sim_road_model(void);
kerb_sim_car_model kerb_sim_gt_model(void);
kerb_sim_car_model kerb_sim_formula_model(void);
kerb_sim_car_model kerb_sim_rally_model(void);
kerb_sim_car_model kerb_sim_truck_model(void);

/// A car that has the limits of a kerb_vehicle: its speeds, grip, steering, braking, understeer.
/// What a kerb_vehicle leaves open (tyre stiffness, height of the mass, which wheels are driven)
/// is chosen to suit; kerb_sim_car_vehicle gives the vehicle back within a few percent.
kerb_sim_car_model kerb_sim_car_model_for(const kerb_vehicle* vehicle);

/// The limits of a model as a driver should know them: closed forms, no simulation.
kerb_vehicle kerb_sim_car_vehicle(const kerb_sim_car_model* model);

/// A car at rest on level ground, its reference point at `position`, first gear.
kerb_sim_car kerb_sim_car_make(const kerb_sim_car_model* model, kerb_vec3 position, float heading);

/// One step. [time_step: > 0, at most 1/200 s] Implicit in all velocities: stable at any step and
/// from rest to top speed, first-order accurate. Controls may be anything, even NaN.
void kerb_sim_car_step(kerb_sim_car* car, const kerb_controls* controls,
                       const kerb_sim_ground* ground, float time_step);

/// What the driver is told.
kerb_motion kerb_sim_car_motion(const kerb_sim_car* car);

#endif
