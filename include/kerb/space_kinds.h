// Kerb space_kinds: descriptions of vehicles that fly or dive, for kerb/plan_kind.h.
//
// For each kind there is a struct with the numbers of a vehicle and a settings table with their
// ranges and defaults. An airplane has the kerb_aircraft of kerb/aircraft.h. States and controls of
// a plan, what kerb_controls means for a real vehicle, and the model are written at each struct.
//
//     kerb_rotorcraft drone = kerb_drone_default();
//     drone.speed_max = 12.0f;
//     kerb_kind kind = kerb_kind_of_rotorcraft(&drone); // `drone` must outlive `kind`
//
// The reference point of states and of kerb_motion is the centre of mass. The first three numbers
// of a state are its position, x, y, z. In kerb_controls pitch, roll and yaw have the signs of
// kerb_motion.angular_velocity: nose down, right side down and nose left are positive.
//
// All functions are pure, allocate nothing and may be called from any thread.
#ifndef KERB_SPACE_KINDS_H
#define KERB_SPACE_KINDS_H

#include "aircraft.h"
#include "vehicle.h"

// --------------------------------------------------------------------------- spacecraft

/// A spacecraft with one engine along its nose, and thrusters that turn it about any axis. There is
/// no drag and no gravity. A settings struct: kerb_spacecraft_table has all ranges.
///
/// State: velocity [m/s], direction of the nose [1] and angular velocity [rad/s], three numbers of
/// each, in the world's axes. Turning about the nose is left out. Controls: thrust [0 … 1], angular
/// acceleration in the world's axes [rad/s²].
/// kerb_controls: `throttle` is the share of full thrust; `roll`, `pitch` and `yaw` are shares of
/// turn_acceleration about the body's x, y and z. `brake` and `steering` do nothing.
///
/// Plans turn with the engine off: turn, burn, turn while coasting, burn, turn. From rest to rest
/// along its nose a ship takes 2t + t_f, where t = (sqrt(t_f² + 4d/a) - t_f)/2 and t_f is the time
/// of the flip. Source: "AIPATH", 3.1.1.
typedef struct kerb_spacecraft {
    float length, radius;    ///< of the hull, a capsule [m] [> 0] [length >= 2 · radius]
    float acceleration;      ///< at full thrust [m/s²] [> 0]
    float turn_rate_max;     ///< about any axis [rad/s] [> 0]
    float turn_acceleration; ///< about any axis [rad/s²] [> 0]
    float speed_max;         ///< that plans pass places with; legs may be faster [m/s] [> 0]
    float throttle_delay;    ///< from a command to its thrust [s] [>= 0]
    float turn_delay;        ///< from a command to its angular acceleration [s] [>= 0]
} kerb_spacecraft;

/// Range, default and meaning of every number.
KERB_API const kerb_settings_table kerb_spacecraft_table;
/// A shuttle of 12 m: 5 m/s², flips in 4.5 s.
KERB_API kerb_spacecraft kerb_spacecraft_default(void);

// --------------------------------------------------------------------------- rotorcraft

/// A helicopter or a drone: its thrust points along its up, so it tilts to accelerate. A settings
/// struct: kerb_rotorcraft_table has all ranges.
///
/// State: velocity [m/s] and acceleration [m/s²], three numbers of each, in the world's axes;
/// heading. Controls: jerk, three numbers [m/s³], which tilts the craft; yaw rate [rad/s].
/// kerb_controls: `lift` is the vertical acceleration that the collective adds to hovering, at
/// standstill, as a share of lift_acceleration; `pitch`, `roll` and `yaw` are shares of
/// tilt_rate_max, the first two, and of yaw_rate_max. `throttle` is 1, the rotor turns.
///
/// kerb_motion does not tell the vertical acceleration, so it may be given as `told`.
///
/// Model: tilt and collective are commanded as rates, and drag grows with the speed. Horizontal
/// acceleration is g · tan(tilt) less the drag. Source: Fossen, "Handbook of Marine Craft
/// Hydrodynamics and Motion Control" (kinematics); Mettler, Tischler, Kanade, "System
/// Identification of Small-Size Unmanned Helicopter Dynamics", AHS 1999 (answers near hovering).
typedef struct kerb_rotorcraft {
    float length, width, height; ///< with the rotor [m] [> 0]
    float speed_max;             ///< horizontally, in any direction [m/s] [> 0]
    float climb_max, sink_max;   ///< vertical speeds [m/s] [> 0]
    float tilt_max;              ///< from upright [rad] [0.02 … 1.2]
    float lift_acceleration;     ///< at full collective, up and down, at standstill [m/s²] [> 0]
    float tilt_rate_max;         ///< [rad/s] [> 0]
    float lift_rate;             ///< rate of change of the vertical acceleration [m/s³] [> 0]
    float yaw_rate_max;          ///< [rad/s] [> 0]
    float drag, side_drag;       ///< deceleration per speed ahead and sideways [1/s] [>= 0]
    float lift_drag;             ///< vertical deceleration per speed [1/s] [>= 0]
    float tilt_delay;            ///< from a command to its tilt rate [s] [>= 0]
    float lift_delay;            ///< from a command to its lift [s] [>= 0]
} kerb_rotorcraft;

/// Range, default and meaning of every number.
KERB_API const kerb_settings_table kerb_rotorcraft_table;
/// An unmanned helicopter of the Yamaha R-50's class: 3.6 m, 12 m/s, 20° of tilt.
KERB_API kerb_rotorcraft kerb_helicopter_default(void);
/// A quadrotor of 0.5 m: 15 m/s, 35° of tilt.
KERB_API kerb_rotorcraft kerb_drone_default(void);

// --------------------------------------------------------------------------- rocket

/// A rocket that takes off, flies and lands on its engine, which it tilts by tilting itself. A
/// settings struct: kerb_rocket_table has all ranges.
///
/// State: velocity [m/s] and acceleration [m/s²], three numbers of each. Controls: jerk, three
/// numbers [m/s³].
/// kerb_controls: `throttle` is the thrust, 0 at thrust_min and 1 at thrust_max; `pitch` and `roll`
/// are shares of tilt_rate_max about the body's y and x. In this kind the body's up (z) points
/// along the thrust. `yaw` is 0.
///
/// Model: acceleration is thrust along the body's up minus gravity; no drag. The vertical
/// acceleration may be given as `told`.
typedef struct kerb_rocket {
    float length, radius; ///< of the hull, a capsule [m] [> 0] [length >= 2 · radius]
    float thrust_max;     ///< per mass [m/s²] [> g]
    float thrust_min;     ///< per mass [m/s²] [>= 0] [< g] An engine that cannot be throttled so
                          ///< far cannot hover.
    float tilt_max;       ///< from upright [rad] [0.02 … 1.2]
    float tilt_rate_max;  ///< [rad/s] [> 0]
    float throttle_rate;  ///< rate of change of the thrust per mass [m/s³] [> 0]
    float speed_max;      ///< horizontally and vertically [m/s] [> 0]
    float throttle_delay; ///< from a command to its thrust [s] [>= 0]
    float tilt_delay;     ///< from a command to its tilt rate [s] [>= 0]
} kerb_rocket;

/// Range, default and meaning of every number.
KERB_API const kerb_settings_table kerb_rocket_table;
/// A landing rocket of 20 m: thrust 2 to 20 m/s², 20° of tilt.
KERB_API kerb_rocket kerb_rocket_default(void);

// --------------------------------------------------------------------------- submarine

/// A submarine that keeps its buoyancy neutral. A settings struct: kerb_submarine_table has all
/// ranges.
///
/// State: heading of the motion, speed [m/s]. Controls: curvature over the greatest [-1 … 1], left
/// positive; sine of the slope of the path, upwards positive; acceleration [m/s²].
/// kerb_controls: `throttle` is the share of full power ahead in gear 1 and astern in gear -1;
/// `steering` the share of the greatest rudder angle, left positive; `pitch` the share of the
/// greatest angle of the stern planes, nose down positive.
///
/// Model: paths are Dubins curves seen from above, with a constant slope where the submarine is not
/// slow. Source: Fossen, "Handbook of Marine Craft Hydrodynamics and Motion Control", 2011;
/// Prestero, "Verification of a Six-Degree of Freedom Simulation Model for the REMUS Autonomous
/// Underwater Vehicle", 2001.
typedef struct kerb_submarine {
    float length, radius; ///< of the hull, a capsule [m] [> 0] [length >= 2 · radius]
    float speed_max;      ///< [m/s] [> 0]
    float acceleration;   ///< from rest [m/s²] [> 0]
    float braking;        ///< astern and by resistance [m/s²] [> 0]
    float turning_radius; ///< full rudder, steady [m] [> 0]
    float turning_speed;  ///< speed that is left in that turn, as a share [1] [0.1 … 1]
    float pitch_max;      ///< greatest slope of a path [rad] [0.02 … 1.2]
    float level_speed;    ///< below it a path is level: planes cannot hold a pitch [m/s] [>= 0]
    float yaw_lag;        ///< distance over which a turn answers the rudder [m] [>= 0]
    float pitch_lag;      ///< distance over which the slope answers the planes [m] [>= 0]
    float throttle_delay; ///< from a command to its thrust [s] [>= 0]
} kerb_submarine;

/// Range, default and meaning of every number.
KERB_API const kerb_settings_table kerb_submarine_table;
/// An underwater vehicle of the REMUS class: 1.33 m, 1.5 m/s.
KERB_API kerb_submarine kerb_submarine_default(void);

#endif
