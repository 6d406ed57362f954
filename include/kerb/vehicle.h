// Kerb vehicle: what a vehicle can do, what it does now, and what it is told to do.
//
// One kerb_vehicle describes a model of vehicle; measure it once (top speed, braking, turning
// circle). Each frame the host fills a kerb_motion, may fill a kerb_surroundings, asks a driver,
// and hands the kerb_controls to the vehicle as if a player had pressed them.
//
//     kerb_vehicle vehicle = kerb_vehicle_default();    // a middling car
//     vehicle.wheelbase = 3.1f;
//     kerb_motion motion = kerb_motion_default();
//     motion.position = body_position;                  // the vehicle's reference point
//     motion.rotation = body_rotation;
//     motion.velocity = body_velocity;
//
// SI units and radians; x forward, y left, z up. Does not: simulate anything.
#ifndef KERB_VEHICLE_H
#define KERB_VEHICLE_H

#include "math.h"

/// Most forward gears.
#define KERB_GEARS_MAX 10

/// Standard gravity. [m/s²]
#define KERB_GRAVITY 9.80665f

/// Gear ratios and engine, for vehicles whose gears the driver shifts. A settings struct.
typedef struct kerb_drive_train {
    /// Forward gears that the driver shifts; 0: none, the vehicle shifts for itself and
    /// kerb_controls.gear is only 1 or -1. [0 … KERB_GEARS_MAX]
    int32_t gear_count;
    /// Engine turns per wheel turn, final drive included, first gear first. [1] [> 0]
    float gear_ratio[KERB_GEARS_MAX];
    /// Radius of the driven wheels. [m] [> 0]
    float wheel_radius;
    /// Speed below which the engine would stall. [rad/s]
    float engine_speed_idle;
    /// Speed of greatest power. [rad/s]
    float engine_speed_power;
    /// Greatest speed. [rad/s]
    float engine_speed_max;
    /// How long a shift takes, without drive. [s]
    float shift_time;
} kerb_drive_train;

/// How steering turns a vehicle.
typedef enum kerb_vehicle_kind {
    KERB_VEHICLE_WHEELED, ///< front wheels turn; it turns only while it rolls
    KERB_VEHICLE_TRACKED, ///< tracks of different speed; it can turn where it stands
    KERB_VEHICLE_HOVER    ///< a rudder or jets turn the body; it goes on sliding where it went
} kerb_vehicle_kind;

/// What a model of vehicle can do. A settings struct: see kerb_vehicle_table for ranges.
/// The reference point is the point whose position the host gives, usually the centre of mass.
typedef struct kerb_vehicle {
    /// kerb_vehicle_kind: what kerb_controls.steering means, and what stops a slide.
    int32_t kind;
    /// Bumper to bumper. [m] Cars: 3.5 to 5.5.
    float length;
    /// Across the widest part, without mirrors. [m] Cars: 1.6 to 2.0.
    float width;
    /// From the reference point forward to the front bumper. [m]
    float reference_to_front;
    /// From the reference point back to the rear axle (to the middle of all axles that do not
    /// steer). [m] Cars: 1.2 to 1.8.
    float reference_to_rear_axle;
    /// From the rear axle to the front axle. [m] Cars: 2.4 to 3.2.
    float wheelbase;
    /// Mass with load. [kg]
    float mass;

    /// Greatest angle of the front wheels, mean of left and right. [rad] Cars: 0.5 to 0.7.
    float steering_angle_max;
    /// How fast the front wheels can be turned. [rad/s] Cars: 0.6 to 1.5.
    float steering_rate_max;
    /// From a steering command to the same angle at the wheels, apart from the rate. [s]
    float steering_delay;
    /// Additional wheel angle per lateral acceleration: 0 neutral, positive understeer. [rad s²/m]
    float understeer_gradient;

    /// TRACKED, HOVER: yaw rate at full steering; steering asks for a share of it. [rad/s]
    float yaw_rate_max;
    /// TRACKED, HOVER: how fast the yaw rate changes. [rad/s²]
    float yaw_acceleration_max;

    /// Greatest speed forwards on level ground. [m/s]
    float speed_max;
    /// Greatest speed in reverse. [m/s]
    float reverse_speed_max;
    /// Full throttle from rest on level ground. [m/s²]
    float acceleration_max;
    /// Full throttle in reverse from rest. [m/s²]
    float reverse_acceleration_max;
    /// Greatest power that pushes it, at full throttle and the best speed: mass · speed ·
    /// (acceleration + what resists). What its top speed needs counts as known; say more for
    /// vehicles that a governor holds back. [W] Cars: 40 to 80 times the mass.
    float power;
    /// Full braking on level, dry ground. [m/s²]
    float braking_max;
    /// Deceleration without throttle or brake at low speed: rolling resistance. [m/s²]
    float coasting_deceleration;
    /// Further deceleration by drag, times speed². [1/m] Cars: 0.0003 to 0.0006.
    float drag;
    /// By how much wings and floor add to gravity's push on the tyres, times speed². [1/m] Cars:
    /// 0; with wings 0.0005 to 0.005.
    float downforce;
    /// Sideways grip on level, dry ground, without downforce. [m/s²]
    float lateral_acceleration_max;
    /// From a throttle command to its force. [s]
    float throttle_delay;

    kerb_drive_train drive_train;
} kerb_vehicle;

/// Ranges, defaults and meaning of every number of a kerb_vehicle (gear ratios: first gear's).
KERB_API const kerb_settings_table kerb_vehicle_table;

/// A middling car: 4.5 m long, 2.7 m wheelbase, 50 m/s, shifts for itself.
KERB_API kerb_vehicle kerb_vehicle_default(void);

/// KERB_OK, or the first bad field. Also finds contradictions: a width of more than the length …
KERB_API kerb_result kerb_vehicle_validate(const kerb_vehicle* vehicle, kerb_error* error);

/// Radius of the smallest circle that the rear axle can drive. For TRACKED and HOVER, which have
/// none, half the length: what they turn within when they stand. [m]
KERB_API float kerb_vehicle_turning_radius(const kerb_vehicle* vehicle);

// --------------------------------------------------------------------------- aircraft

/// What a model of aircraft with wings can do. A settings struct: see kerb_aircraft_table. Speeds
/// are true airspeeds at the height at which it is flown.
typedef struct kerb_aircraft {
    /// Nose to tail. [m]
    float length;
    /// Wing tip to wing tip. [m]
    float wingspan;

    /// Slowest level flight with the wings level; with load factor n the square root of n times as
    /// much. [m/s]
    float stall_speed;
    /// Nose above the path of flight at which it stalls. [rad]
    float stall_angle;
    /// What a driver flies at when nobody says how fast. [m/s]
    float cruise_speed;
    /// Greatest speed in level flight. [m/s]
    float speed_max;
    /// Never to be exceeded, in dives. [m/s]
    float speed_never_exceed;
    /// Full throttle at rest, for its mass; falls evenly to what holds speed_max. [m/s²]
    float acceleration_max;
    /// From a throttle command to its thrust. [s]
    float throttle_delay;
    /// Deceleration by drag without lift, times speed². [1/m]
    float drag;
    /// Greatest: metres of gliding per metre of height. [1]
    float glide_ratio;

    /// Lift over weight, greatest and least. [1]
    float load_factor_max, load_factor_min;
    /// Steepest turns that a driver flies: bank of the lift about the path of flight. [rad]
    float bank_max;
    /// At full stick. [rad/s]
    float roll_rate_max, pitch_rate_max, yaw_rate_max;
    /// From the sticks to these rates: time constant. [s]
    float rate_delay;
} kerb_aircraft;

/// Ranges, defaults and meaning of every number of a kerb_aircraft.
KERB_API const kerb_settings_table kerb_aircraft_table;

/// A light aerobatic trainer with a propeller: 31 m/s to 78 m/s.
KERB_API kerb_aircraft kerb_aircraft_default(void);

/// KERB_OK, or the first bad field, or the first that contradicts another.
KERB_API kerb_result kerb_aircraft_validate(const kerb_aircraft* aircraft, kerb_error* error);

/// Deceleration by drag at a speed and a load factor: D·v² + (g·n/(2·E·v))²/D, where D is `drag`
/// and E the glide ratio: a parabolic polar. [m/s²] [speed: > 0]
KERB_API float kerb_aircraft_drag(const kerb_aircraft* aircraft, float speed, float load_factor);

/// Acceleration by full throttle at a speed, drag left out. [m/s²] [>= 0]
KERB_API float kerb_aircraft_thrust(const kerb_aircraft* aircraft, float speed);

/// Steady climb at full throttle at a speed, wings level: speed times excess thrust over weight;
/// negative where it sinks. [m/s] [speed: > 0]
KERB_API float kerb_aircraft_climb_rate(const kerb_aircraft* aircraft, float speed);

/// Greatest load factor at a speed, by stall and by strength. [1]
KERB_API float kerb_aircraft_load_factor(const kerb_aircraft* aircraft, float speed);

/// Radius of the tightest level turn at a speed: v²/(g·sqrt(n² - 1)) with the load factor that
/// bank_max, stall and strength leave. No turn at all: 1e6. [m]
KERB_API float kerb_aircraft_turn_radius(const kerb_aircraft* aircraft, float speed);

// --------------------------------------------------------------------------- one frame

/// What the vehicle does now.
typedef struct kerb_motion {
    kerb_vec3 position;         ///< of the reference point [m]
    kerb_quat rotation;         ///< of the body; its x is the vehicle's forward
    kerb_vec3 velocity;         ///< of the reference point, in the world's axes [m/s]
    kerb_vec3 angular_velocity; ///< in the world's axes; z is the yaw rate [rad/s]
    float steering;             ///< where the wheels are: -1 … 1 of the greatest angle, left +
    int32_t gear;               ///< engaged: -1 reverse, 0 neutral, 1 … forward
    float engine_speed;         ///< [rad/s]; 0 where there is none
    /// Of the wheel that slips most along its way: how much faster than it would roll its rim goes,
    /// as a share of the ground's speed. -1: stands while the car moves; below 0: is braked, above:
    /// spins. Leave it at 0 where it is not known, or where the host itself keeps wheels from
    /// locking and spinning. [1]
    float wheel_slip;
} kerb_motion;

/// At rest at the origin, facing along x, first gear.
KERB_API kerb_motion kerb_motion_default(void);

/// True when no number is NaN or infinite and the rotation is not zero.
KERB_API bool kerb_motion_is_finite(const kerb_motion* motion);

/// Speed along the vehicle's forward axis; negative in reverse. [m/s]
KERB_API float kerb_motion_forward_speed(const kerb_motion* motion);

/// Most places of an intent.
#define KERB_INTENT_PLACES 16

/// What a driver means to do next, told to others so that they need not guess: the strip of ground
/// that its vehicle will sweep, and how much of it the driver has claimed. Drivers fill it (see
/// kerb_follower_intent); a host may fill one for what it moves itself, a tram on its rails, and
/// then calls kerb_intent_bound.
typedef struct kerb_intent {
    int32_t count; ///< of places; fewer than 2: unknown [0 … KERB_INTENT_PLACES]
    float spacing; ///< along the way, from one place to the next [m] [> 0]
    /// Along the middle of the way, level; the first is where the reference point is.
    kerb_vec2 places[KERB_INTENT_PLACES];
    float front, rear; ///< from the reference point to its ends, in the travel's direction [m]
    float width;       ///< of the strip [m] [> 0]
    /// So far its front will go on from here whoever comes: it gives way to nobody there, and there
    /// is room for it to leave. 0: it stands and will stay. [m] [>= 0]
    float clear;
    float waited;        ///< so long it stands only to give way [s]
    kerb_vec2 low, high; ///< corners of a box that holds the strip: kerb_intent_bound
} kerb_intent;

/// Makes `low` and `high` fit the rest. O(places)
KERB_API void kerb_intent_bound(kerb_intent* intent);

/// Something near the vehicle that moves, or stands in the way: another vehicle, a person, a wreck.
typedef struct kerb_neighbour {
    uint32_t id;         ///< the same for as long as it is the same one
    kerb_vec3 position;  ///< of the middle of its footprint [m]
    kerb_vec3 velocity;  ///< [m/s]
    kerb_vec2 forward;   ///< along its length, level, unit length
    float yaw_rate;      ///< left positive [rad/s]
    float length, width; ///< of its footprint [m] [> 0]
    /// What it means to do; NULL: unknown, as of a player. Read during the call only.
    const kerb_intent* intent;
    /// Rounds of a race that it has done; of those that are not in a race leave it 0.
    int32_t laps;
    /// Asks a racer before it to let it by, as by flashing its lights, and how good it is: 0 does
    /// not ask; else as a racer's skill. From kerb_racer_thoughts.asks, or a player's button, then
    /// 1. [0 … 1]
    float asks;
} kerb_neighbour;

/// As a vehicle's own id: it has none, and gives way to everybody with one.
#define KERB_NO_ID UINT32_MAX

/// What is around the vehicle. kerb_surroundings_default(): nothing that matters.
typedef struct kerb_surroundings {
    float speed_cap; ///< greatest speed that the host allows now [m/s] [>= 0]
    float grip;      ///< of the surface here and ahead, times the vehicle's own [1] [> 0]
    /// Of the vehicle itself, of the same kind as its neighbours' ids. Of two that meet as equals,
    /// the one with the lower id goes first. A neighbour with this id is the vehicle itself and is
    /// left out: without ids of your own leave it at KERB_NO_ID.
    uint32_t id;
    /// Others within some seconds of driving, in any order; those farther off cost time and change
    /// nothing. Read during the call only; NULL with a count of 0: nobody.
    const kerb_neighbour* neighbours;
    int32_t neighbour_count;
    /// Rounds of a race that the vehicle has done. A neighbour behind it with more of them laps it,
    /// and a racer lets it by, as under a blue flag.
    int32_t laps;
} kerb_surroundings;

/// No speed cap, grip 1, KERB_NO_ID, nobody near.
KERB_API kerb_surroundings kerb_surroundings_default(void);

/// Why the driver does what it does: the limit that decides its speed, or its state.
typedef enum kerb_reason {
    KERB_REASON_NONE,        ///< not driven yet
    KERB_REASON_CRUISE,      ///< nothing in the way: at the wanted speed or on the way there
    KERB_REASON_CURVE,       ///< a bend here or ahead
    KERB_REASON_SPEED_LIMIT, ///< the path's own speed limit, here or ahead
    KERB_REASON_SPEED_CAP,   ///< kerb_surroundings.speed_cap
    KERB_REASON_STEERING,    ///< coming back to the path or turning hard: as fast as that allows
    KERB_REASON_STOP,        ///< slowing for a stop on the path
    KERB_REASON_WAIT,        ///< standing at a stop
    KERB_REASON_END,         ///< slowing for the end of the path
    KERB_REASON_ARRIVED,     ///< standing at the end of the path
    KERB_REASON_REVERSAL,    ///< slowing for, or making, a change between forwards and reverse
    KERB_REASON_BACKING_OUT, ///< stuck: reversing out, to try another way
    KERB_REASON_TELEPORT,    ///< stuck for good: asks the host to put the vehicle back on the path
    KERB_REASON_GIVEN_UP,    ///< stuck, and the host does not help: stands until it is moved
    KERB_REASON_TOO_STEEP,   ///< holds on a hill that the vehicle cannot climb, and tries again
    KERB_REASON_FOLLOWING,   ///< keeps its gap to something ahead, or stands behind it
    KERB_REASON_GIVE_WAY,    ///< lets another pass that crosses, merges or comes towards it
    KERB_REASON_AVOIDING,    ///< drives beside its line, round something that is in the way
    KERB_REASON_BAD_MOTION,  ///< the host's motion was not finite: braking, wheels straight
    KERB_REASON_BAD_STEP,    ///< the time step was not positive and finite: last controls again
    KERB_REASON_SLIDING,     ///< catches a slide, or brakes out of a spin
    KERB_REASON_OFF_TRACK,   ///< comes back to the track
    KERB_REASON_WRONG_WAY,   ///< faces the wrong way: turns round
    KERB_REASON_COUNT
} kerb_reason;

/// A few words, in English, never NULL: "bend ahead".
KERB_API const char* kerb_reason_text(kerb_reason reason);

/// What the vehicle is told to do, the same inputs that a player has.
typedef struct kerb_controls {
    float throttle; ///< 0 … 1
    float brake;    ///< 0 … 1
    float steering; ///< -1 … 1 of the greatest angle, left positive
    float clutch;   ///< 0 engaged … 1 open
    int32_t gear;   ///< -1 reverse, 0 neutral, 1 … forward
    bool handbrake;
    /// For vehicles that fly: -1 … 1; 0 for all others. Pitch, roll and yaw ask for a share of the
    /// greatest rates about the body's own y, x and z, by the right hand as kerb_motion's
    /// angular_velocity: nose down, right side down, nose left.
    float pitch, roll, yaw, lift;
    kerb_reason reason;
} kerb_controls;

/// Brake held, wheels straight, neutral.
KERB_API kerb_controls kerb_controls_safe(kerb_reason reason);

/// For engines with one signed input (positive drives forwards, negative brakes, then reverses):
/// throttle in the direction of the gear, or braking against the motion. [-1 … 1] (EA section II)
KERB_API float kerb_controls_signed_throttle(const kerb_controls* controls, float forward_speed);

#endif
