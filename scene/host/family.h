// The family of hosts: vehicles drawn at random, each in a small simulation of its own that shares
// no line with sim/. They stand for the engines that Kerb does not know: late controls, wheels that
// turn at once or slowly, a lock that falls with speed, trim, tyres of all kinds or none, aids,
// automatics that pause and creep, uneven frames. The same seed gives the same host on every
// machine. What a driver is told (`vehicle`) and what is true (`truth`) are apart.
//
//     kerb_family_host host;
//     kerb_family_host_make(&host, 17);
//     kerb_follower follower = kerb_follower_make(&host.vehicle);
//     while (...) {
//         float step = kerb_family_frame(&host);
//         kerb_motion motion = kerb_family_motion(&host);
//         kerb_controls controls = kerb_follower_drive(&follower, &path, &motion, NULL, step);
//         kerb_family_step(&host, &controls, step);
//     }
#ifndef KERB_SCENE_HOST_FAMILY_H
#define KERB_SCENE_HOST_FAMILY_H

#include "kerb/kerb.h"

/// How the tyres of a host hold.
typedef enum kerb_family_tyre {
    KERB_FAMILY_NO_TYRES, ///< the wheels never slip: a bicycle
    KERB_FAMILY_STIFF,    ///< greatest force at a slip angle of 2 to 4 degrees
    KERB_FAMILY_SOFT,     ///< at 10 to 16 degrees
    KERB_FAMILY_FLAT,     ///< rises to its greatest force and never falls
    KERB_FAMILY_PEAKED,   ///< falls to 70 to 85 % beyond its peak
    KERB_FAMILY_TYRES     ///< number of kinds
} kerb_family_tyre;

/// What is true of a host.
typedef struct kerb_family_truth {
    float wheelbase;     ///< [m]
    float rear_to_mass;  ///< from the rear axle forward to the centre of mass [m]
    float rear_to_point; ///< … to the reference point; beyond the axles too [m]
    float gyration;      ///< radius of gyration² over the product of the mass's axle distances [1]
    float mass;          ///< [kg]
    float mass_height;   ///< of the centre of mass [m]
    bool rear_steering;  ///< the rear wheels steer: the vehicle follows its front axle

    float lock;        ///< greatest wheel angle at standstill [rad]
    float lock_share;  ///< of the lock that is left at high speed [1] [0.25 … 1]
    float lock_speed;  ///< at which half of the difference is gone [m/s]
    float wheel_rate;  ///< [rad/s]; 1000: at once
    float delay;       ///< of all controls [s]
    bool tells_delay;  ///< the description has it
    bool tells_wheels; ///< kerb_motion.steering is the angle; else 0
    float exponent;    ///< wheel angle = lock · |command|^exponent [1]
    float rise_rate;   ///< input smoothing away from the middle [lock/s]; 1000: none
    float fall_rate;   ///< … back to the middle [lock/s]
    float trim;        ///< angle at command 0 [lock]
    float dead_band;   ///< commands below it do nothing [lock]

    int32_t tyre;     ///< kerb_family_tyre
    float grip;       ///< coefficient of friction [1]
    float slip_angle; ///< of the greatest force [rad]
    float falls_to;   ///< PEAKED: share of the force far beyond the peak [1]
    float downforce;  ///< acceleration over speed² [1/m]
    bool anti_lock, traction_control, stability_control;

    float power;             ///< over mass [W/kg]
    float acceleration;      ///< greatest [m/s²]
    float speed_max;         ///< [m/s]
    float reverse_speed_max; ///< [m/s]
    float braking;           ///< at full brake, before the tyres limit it [m/s²]
    float rolling;           ///< deceleration of rolling [m/s²]
    float drag;              ///< over speed² [1/m]
    int32_t gears;           ///< of an automatic; 0: none
    float shift_pause;       ///< without drive at each shift [s]
    float creep_speed;       ///< to which it creeps in gear; 0: none [m/s]
    bool neutral_at_rest;    ///< tells gear 0 at rest and while it shifts
    bool brake_reverses;     ///< one signed pedal: the brake becomes reverse at standstill
    bool handbrake_holds;    ///< at standstill only the handbrake holds against the creep

    /// What kerb_family_add_pedals draws. Without it the pedals are linear and prompt.
    float throttle_exponent; ///< force = throttle^exponent [1]
    float brake_exponent;    ///< [1]
    float throttle_lag;      ///< time constant from throttle to force, beside the delay [s]
    float brake_lag;         ///< [s]
    float drive_tilt;        ///< the drive is 1 + tilt at rest and 1 - tilt at speed_max [1]

    float frame_min, frame_max; ///< lengths of its frames [s]
    bool uneven;                ///< frames of any length between; else all of the shortest
} kerb_family_truth;

enum { KERB_FAMILY_COMMANDS = 256 };

/// The ground under a host, as forces over its mass. Zeroed: level and dry.
typedef struct kerb_family_ground {
    float forward, left; ///< gravity along the body's axes [m/s²]
    float load;          ///< on the tyres, beyond that on level ground [m/s²]
    float grip_lost;     ///< share of the grip [0 … 1)
} kerb_family_ground;

/// A host in motion.
typedef struct kerb_family_host {
    kerb_family_truth truth;
    kerb_vehicle vehicle; ///< what drivers are told

    kerb_family_ground ground;
    kerb_random random;
    double x, y;           ///< of the centre of mass [m]
    double time;           ///< [s]
    float heading;         ///< [rad]
    float forward, side;   ///< velocity in the body's axes [m/s]
    float yaw_rate;        ///< [rad/s]
    float input;           ///< steering after smoothing [1]
    float wheel;           ///< angle of the wheels that steer, left turns positive [rad]
    float acceleration;    ///< along the body, of the last step [m/s²]
    int32_t gear;          ///< -1, 0, 1 … of the automatic
    float pause;           ///< of the present shift, left [s]
    kerb_controls applied; ///< after the delay
    float drive_pressed;   ///< … and after the lags of the pedals [1]
    float brake_pressed;   ///< [1]
    int32_t command_count;
    double command_time[KERB_FAMILY_COMMANDS];
    kerb_controls commands[KERB_FAMILY_COMMANDS]; ///< a ring
} kerb_family_host;

/// Draws a host: at rest at the origin, facing along x.
void kerb_family_host_make(kerb_family_host* host, uint64_t seed);

/// Gives a host pedals that are not linear, lag behind, and an engine whose force changes with
/// speed. Most things of the family do without, so that their figures stay comparable.
void kerb_family_add_pedals(kerb_family_host* host, uint64_t seed);

/// A description as kerb_family_host_make tells it, but wrong by up to `share` in power, grip,
/// brakes and losses. [share: 0 … 0.5]
kerb_vehicle kerb_family_wrong_vehicle(const kerb_family_host* host, uint64_t seed, float share);

/// Puts the reference point there, at a speed along the body.
void kerb_family_put(kerb_family_host* host, kerb_vec3 position, float heading, float speed);

/// Length of the next frame. [s]
float kerb_family_frame(kerb_family_host* host);

/// Applies controls for one frame.
void kerb_family_step(kerb_family_host* host, const kerb_controls* controls, float time_step);

/// What the host tells of the vehicle now.
kerb_motion kerb_family_motion(const kerb_family_host* host);

/// Curvature that the axle that follows would have at a constant command, slowly enough that no
/// tyre slips: what a driver can know as "steering gain" and "trim". [1/m]
float kerb_family_curvature(const kerb_family_host* host, float command, float speed);

#endif
