// Kerb vehicle: the description of a vehicle, its motion, its surroundings, and its controls.
//
// All drivers of Kerb share these structs:
//
//   kerb_vehicle       What a model of vehicle can do. Fill it once per model: take the default
//                      and change what you know. kerb/calibrate.h measures most fields.
//   kerb_motion        What the vehicle does now. The host fills it in every frame.
//   kerb_surroundings  Speed cap, grip, other vehicles, who has the wheel. The host may fill it in
//                      every frame.
//   kerb_controls      What a driver returns in every frame: the inputs that a player also has.
//
//     kerb_vehicle vehicle = kerb_vehicle_default();                   // an average car
//     vehicle.wheelbase = 3.1f;
//     kerb_error error;
//     if (kerb_vehicle_validate(&vehicle, &error) != KERB_OK)
//         printf("%s %s\n", error.field, error.message);
//     kerb_motion motion = kerb_motion_default();                      // from here: every frame
//     motion.position = body_position;                                 // of the reference point
//     motion.rotation = body_rotation;
//     motion.velocity = body_velocity;
//     motion.angular_velocity = body_angular_velocity;
//     kerb_controls controls = kerb_follower_drive(&follower, &path, &motion, NULL, time_step);
//
// kerb_follower is the driver of kerb/follow.h; the other drivers are called in the same way.
//
// UNITS AND AXES. SI units and radians. The world is right-handed with z up; headings count from x
// towards y. A vehicle has x forward, y left, z up. Yaw rate and steering are positive to the left.
// kerb/math.h converts from the axes of Unity, Unreal, Godot and glTF.
//
// REFERENCE POINT. One fixed point on the centre line of the vehicle. The host chooses it; the
// centre of mass is usual. kerb_motion gives the position and velocity of this point, and
// kerb_vehicle gives the distances from it:
//
//       rear bumper   rear axle   reference point   front axle   front bumper
//            |            |              o               |             |
//            |            |<------------>|  reference_to_rear_axle     |
//            |            |              |<--- reference_to_front ---->|
//            |            |<--------- wheelbase -------->|             |
//            |<------------------------ length ----------------------->|
//
// HOW TO DESCRIBE YOUR VEHICLE.
//
// Automatic gearbox, electric motor, or a host that shifts by itself:
//   Set drive_train.gear_count to 0. Drivers then command only gear 1 (forward), -1 (reverse) and
//   0 (neutral, with the brake held). In kerb_motion.gear report the engaged direction: 1, -1, or 0
//   while neither is engaged. Do not report the number of the gear inside the gearbox. At rest and
//   while the gearbox shifts, report the direction that is selected. A host that does not know it
//   sets drive_train.gear_told to KERB_GEAR_TOLD_NOTHING.
// Gears that the driver shifts:
//   Fill drive_train. Report the engaged gear in kerb_motion.gear: 1 … gear_count, or -1, the only
//   reverse gear. While a shift is under way, report 0, or the new gear at once. Never report the
//   old gear during a shift: drivers would command the old gear again. shift_time must be at least
//   the time for which the host reports 0.
// Creep (the vehicle moves without throttle):
//   Set creep_speed. Drivers brake against it, and hold the brake at standstill.
// Steering that turns less at high speed, as arcade cars have it:
//   Fill steering_lock. kerb_controls.steering is then a share of what full steering gives at this
//   speed; kerb_motion.steering stays a share of steering_angle_max.
// Tracks or skid steering:
//   Set kind to KERB_VEHICLE_TRACKED, and yaw_rate_max and yaw_acceleration_max. Steering is then
//   a share of yaw_rate_max, left positive, forwards and in reverse. The rear axle is then the
//   point about which the vehicle turns on the spot. If it is also the reference point, set
//   reference_to_rear_axle to 0. As the wheelbase use half the length of the tracks on the ground.
//   It must not reach from the rear axle beyond the front bumper. Set steering_delay to 0 and leave
//   the other fields about front wheels at their defaults. Leave kerb_motion.steering at 0.
// Hovercraft:
//   Set kind to KERB_VEHICLE_HOVER, and all other fields as for tracks.
// Several axles:
//   The rear axle is the middle of all axles that do not steer.
//
// OWNERSHIP AND THREADS. All structs are plain values: copy and keep them as you like. Functions
// allocate nothing, keep no state, and may be called from any thread. A driver reads the pointers
// in kerb_surroundings and kerb_neighbour only during the call that receives them.
//
// Ships, pedestrians, motorcycles, cars with trailers, and what flies or dives:
//   kerb/kinds.h describes those in the plane and kerb/space_kinds.h spacecraft, helicopters,
//   drones, rockets and submarines, with what kerb_controls means for each; kerb/aircraft.h has
//   airplanes. Ship: throttle in gear 1 ahead and in gear -1 astern, steering the rudder.
//   Pedestrian: throttle the effort forwards or (gear -1) backwards, roll the effort to the side
//   (right positive), steering the turn. Trailer: the controls of the car. Motorcycle: those of a
//   car, and it falls over when nobody steers. Tracks and hovercraft are a kerb_vehicle and a kind
//   (kerb/plan_kind.h) as well: planned as a kind they know how they slide and how long a turn
//   takes to begin.
//
// DOES NOT: simulate a vehicle; describe rear axles that steer.
#ifndef KERB_VEHICLE_H
#define KERB_VEHICLE_H

#include "intent.h"
#include "math.h"

/// Greatest number of forward gears.
#define KERB_GEARS_MAX 10

/// Greatest number of points of a kerb_share_curve.
#define KERB_SHARE_POINTS_MAX 8

/// Standard gravity. [m/s²]
#define KERB_GRAVITY 9.80665f

/// A share that depends on a speed: linear between points, constant before the first and beyond the
/// last. A settings struct.
typedef struct kerb_share_curve {
    /// Number of points. 0: the curve is unknown, and drivers do without it. [0 …
    /// KERB_SHARE_POINTS_MAX]
    int32_t count;
    /// Speed of each point, in the unit that the field of the vehicle names. [0 … 20000] [each
    /// greater than the one before]
    float speed[KERB_SHARE_POINTS_MAX];
    float share[KERB_SHARE_POINTS_MAX]; ///< at that speed [1] [0 … 1]
} kerb_share_curve;

/// The share at a speed; 1 when the curve has no points. [1] O(count)
KERB_API float kerb_share_at(const kerb_share_curve* curve, float speed);

/// What kerb_motion.gear says.
typedef enum kerb_gear_told {
    KERB_GEAR_TOLD_ENGAGED, ///< the engaged gear or direction
    KERB_GEAR_TOLD_NOTHING  ///< nothing: drivers take the gear that they commanded as engaged
} kerb_gear_told;

/// "engaged" or "nothing"; "unknown" out of range. Never NULL.
KERB_API const char* kerb_gear_told_text(kerb_gear_told value);

/// Gear ratios and engine of a vehicle whose gears the driver shifts. A settings struct. With
/// gear_count 0 drivers ignore the other fields except gear_told; their ranges are still checked.
typedef struct kerb_drive_train {
    /// Number of forward gears that the driver shifts. 0: the vehicle shifts by itself, and
    /// kerb_controls.gear is only 1, 0 or -1. [0 … KERB_GEARS_MAX]
    int32_t gear_count;
    /// Engine turns per turn of the driven wheels, final drive included. First gear first, each
    /// ratio less than the one before. [1] [> 0 in gears that are used]
    float gear_ratio[KERB_GEARS_MAX];
    /// Radius of the driven wheels. [m] [> 0]
    float wheel_radius;
    /// Engine speed below which the engine stalls. [rad/s] [>= 0] [< engine_speed_power]
    float engine_speed_idle;
    /// Engine speed at which the engine gives its greatest power. [rad/s] [> 0]
    float engine_speed_power;
    /// Greatest engine speed. [rad/s] [>= engine_speed_power]
    float engine_speed_max;
    /// Time from the command of another gear until that gear drives. In this time the engine
    /// does not drive the wheels. [s] [0 … 10]
    float shift_time;
    /// kerb_gear_told: what kerb_motion.gear says, also with gear_count 0.
    int32_t gear_told;
    /// Share of the greatest torque by engine speed. [rad/s] The share at engine_speed_power must
    /// be above 0; there the engine gives `power`. Unknown: with x = engine speed /
    /// engine_speed_power, the torque is 1 + x - x² of that at x = 1.
    kerb_share_curve torque;
} kerb_drive_train;

/// How steering turns a vehicle.
typedef enum kerb_vehicle_kind {
    KERB_VEHICLE_WHEELED, ///< the front wheels steer; the vehicle turns only while it rolls
    KERB_VEHICLE_TRACKED, ///< two tracks of different speed; the vehicle can turn on the spot
    KERB_VEHICLE_HOVER    ///< rudders or jets turn the body; no tyre stops it from sliding sideways
} kerb_vehicle_kind;

/// "wheeled", "tracked" or "hover"; "unknown" out of range. Never NULL.
KERB_API const char* kerb_vehicle_kind_text(kerb_vehicle_kind value);

/// What a model of vehicle can do. A settings struct: kerb_vehicle_table has all ranges and
/// defaults. The head of this file explains the reference point and the kinds of vehicle.
typedef struct kerb_vehicle {
    /// kerb_vehicle_kind: what kerb_controls.steering means, and what stops a slide.
    int32_t kind;
    /// Length from bumper to bumper. [m] [> 0] Cars: 3.5 to 5.5.
    float length;
    /// Width at the widest part, without mirrors. [m] [> 0] [<= length] Cars: 1.6 to 2.0.
    float width;
    /// Distance from the reference point forward to the front bumper. [m] [>= 0]
    float reference_to_front;
    /// Distance from the reference point back to the rear axle (with several rear axles, to their
    /// middle). Negative when the rear axle is ahead of the reference point. [m] [-200 … 200] Cars:
    /// 1.2 to 1.8.
    float reference_to_rear_axle;
    /// Distance from the rear axle forward to the front axle. [m] [> 0] Cars: 2.4 to 3.2.
    float wheelbase;
    /// Mass with load. [kg] [> 0]
    float mass;
    /// Moment of inertia about the up axis through the centre of mass, divided by the mass: the
    /// radius of gyration, squared. 0: unknown, and taken as the product of the distances from the
    /// centre of mass to both axles. [m²] [>= 0] Cars: 1.2 to 2.2.
    float yaw_inertia;

    /// Greatest angle of the front wheels, mean of the left and right wheel. [rad] [0.01 … 1.5]
    /// Cars: 0.5 to 0.7.
    float steering_angle_max;
    /// Greatest rate at which the front wheels turn to another angle. [rad/s] [> 0] Cars: 0.6 to
    /// 1.5.
    float steering_rate_max;
    /// Delay from a steering command until the front wheels have that angle. Does not include the
    /// time that they need because of steering_rate_max. [s] [0 … 5]
    float steering_delay;
    /// Understeer gradient: additional wheel angle that a bend needs, per lateral acceleration. 0:
    /// neutral; positive: understeer. [rad s²/m] [-0.02 … 0.1]
    float understeer_gradient;
    /// Share of steering_angle_max to which full steering turns the wheels, by speed. [m/s] [each
    /// share at least 0.02] A steering of s turns them to s times this share. Unknown: 1.
    kerb_share_curve steering_lock;

    /// TRACKED, HOVER: yaw rate at full steering. [rad/s] [> 0]
    float yaw_rate_max;
    /// TRACKED, HOVER: greatest rate of change of the yaw rate. [rad/s²] [> 0]
    float yaw_acceleration_max;
    /// TRACKED: distance between the middles of the tracks. No track is faster than speed_max
    /// (reverse_speed_max in reverse), so at speed the yaw rate is at most 2 · (speed_max - speed)
    /// / track_width. 0: unknown, and yaw_rate_max holds at every speed. [m] [>= 0] [<= width]
    float track_width;

    /// Greatest speed forwards on level ground. [m/s] [> 0]
    float speed_max;
    /// Greatest speed in reverse on level ground, as a positive number. [m/s] [> 0]
    float reverse_speed_max;
    /// Acceleration at full throttle from standstill on level ground. [m/s²] [> 0]
    float acceleration_max;
    /// Acceleration at full throttle in reverse from standstill. [m/s²] [> 0]
    float reverse_acceleration_max;
    /// Greatest drive power at full throttle and at the best speed: mass · speed · (acceleration +
    /// deceleration by resistance). Drivers assume at least the power that speed_max needs. Set it
    /// when a governor limits the top speed: such a vehicle has more power than that. [W] [> 0]
    /// Cars: 40 to 80 times the mass.
    float power;
    /// Share of `power` that the vehicle has at a speed, where it shifts by itself. [m/s] [each
    /// share at least 0.02] Ignored with drive_train.gear_count above 0. Unknown: 1.
    kerb_share_curve power_share;
    /// Speed to which the vehicle accelerates on level ground in gear, without throttle and brake.
    /// Drivers assume that it approaches this speed with a time constant of 2 s. 0: it does not
    /// creep. [m/s] [0 … 20] Automatic gearboxes: 1 to 2.
    float creep_speed;
    /// Deceleration at full brake on level, dry ground, without downforce. [m/s²] [> 0]
    float braking_max;
    /// Deceleration without throttle and brake at low speed: rolling resistance. [m/s²] [>= 0]
    float coasting_deceleration;
    /// Deceleration by drag, divided by speed². Adds to coasting_deceleration. [1/m] [>= 0] Cars:
    /// 0.0003 to 0.0006.
    float drag;
    /// Acceleration with which wings and floor press the vehicle on the ground, divided by speed².
    /// Adds to gravity. [1/m] [>= 0] Cars: 0; with wings 0.0005 to 0.005.
    float downforce;
    /// Greatest lateral acceleration on level, dry ground, without downforce. [m/s²] [> 0]
    float lateral_acceleration_max;
    /// Grip that tyres lose with load, also because wings do not load both axles alike: 10 % more
    /// load than at rest give (1 - load_sensitivity) · 10 % more grip. [1] [0 … 0.9] Road tyres:
    /// 0.1 to 0.3.
    float load_sensitivity;
    /// Delay from a throttle command to its force. [s] [0 … 10]
    float throttle_delay;

    /// Gears and engine. gear_count 0: the vehicle shifts by itself.
    kerb_drive_train drive_train;
} kerb_vehicle;

/// Range, default and meaning of every number of a kerb_vehicle.
KERB_API const kerb_settings_table kerb_vehicle_table;

/// An average car: 4.5 m long, wheelbase 2.7 m, top speed 50 m/s, shifts by itself.
KERB_API kerb_vehicle kerb_vehicle_default(void);

/// KERB_OK, or an error that names the first bad field: NOT_FINITE, OUT_OF_RANGE, or CONTRADICTION
/// for fields that cannot be true together, such as a width greater than the length. `error` may be
/// NULL. O(fields)
KERB_API kerb_result kerb_vehicle_validate(const kerb_vehicle* vehicle, kerb_error* error);

/// Radius of the smallest circle that the middle of the rear axle can drive: wheelbase /
/// tan(steering_angle_max). TRACKED and HOVER turn on the spot: half the length. [m] O(1)
KERB_API float kerb_vehicle_turning_radius(const kerb_vehicle* vehicle);

/// Angle of the front wheels at full steering and a speed, by steering_lock. [rad] O(1)
KERB_API float kerb_vehicle_steering_lock(const kerb_vehicle* vehicle, float speed);

/// Yaw rate that a TRACKED or HOVER vehicle reaches at a speed, negative in reverse: yaw_rate_max,
/// or less by track_width. At least 5 % of yaw_rate_max. [rad/s] O(1)
KERB_API float kerb_vehicle_yaw_rate(const kerb_vehicle* vehicle, float speed);

/// Scale of a vehicle: 1 for all vehicles of roads for cars, which are at least 2 m long and at
/// most 4.5 m wide. Up to 1 m of length it is the length over 4.5 m, from 6 m of width the width
/// over 1.8 m (at most half the length), and between these sizes and those of roads it is
/// interpolated. Drivers multiply what they know in metres by it: a model car drives in its lane as
/// a car does in one ten times as wide. A vehicle divided by its scale has scale 1. [1] O(1)
KERB_API float kerb_vehicle_scale(const kerb_vehicle* vehicle);

// --------------------------------------------------------------------------- motion

/// What the vehicle does now. The host fills it in every frame, from kerb_motion_default.
typedef struct kerb_motion {
    kerb_vec3 position; ///< of the reference point, in the world [m]
    kerb_quat rotation; ///< of the body; rotates the world's x to the vehicle's forward
    kerb_vec3 velocity; ///< of the reference point, in the world's axes [m/s]
    /// In the world's axes; z is the yaw rate, left positive. When all are 0, the racer computes
    /// the yaw rate from the rotation. Other drivers need this field. [rad/s]
    kerb_vec3 angular_velocity;
    /// Angle of the front wheels now, as a share of steering_angle_max, left positive. TRACKED and
    /// HOVER: leave it 0. When it is exactly 0, the racer estimates the angle from its own
    /// commands. Drivers that park or drive a plan need this field. [1] [-1 … 1]
    float steering;
    int32_t gear; ///< engaged: -1 reverse, 0 neutral or shifting, 1 … forward; see gear_told
    float engine_speed; ///< 0 where there is no engine speed [rad/s]
    /// Slip of the wheel that slips most: (rim speed - ground speed) / ground speed. -1: the wheel
    /// is locked; negative: it is braked; positive: it spins. Leave it at 0 when it is unknown, and
    /// when the host itself prevents locked and spinning wheels. [1] [>= -1]
    float wheel_slip;
} kerb_motion;

/// At standstill at the origin, facing along x, in gear 1.
KERB_API kerb_motion kerb_motion_default(void);

/// Longest time step by which a driver moves its memory on. It drives a longer one as one of this
/// length and counts it in `bad_frames`. [s]
#define KERB_TIME_STEP_MAX 0.25f
/// A shorter time step is an error of the host. [s]
#define KERB_TIME_STEP_MIN 1.0e-5f

/// True when no number is NaN or infinite and the rotation is not the zero quaternion. O(1)
KERB_API bool kerb_motion_is_finite(const kerb_motion* motion);

/// KERB_OK when a vehicle with that speed_max can move so. Otherwise an error that names the first
/// bad field, such as "velocity.y": NOT_FINITE; or OUT_OF_RANGE for a coordinate beyond
/// KERB_POSITION_MAX, a velocity above 3 · speed_max + 100 m/s, an angular velocity above 100
/// rad/s, and a rotation whose length is not between 0.5 and 2. Every driver asks this in every
/// frame: it answers an impossible motion with safe controls, KERB_REASON_BAD_MOTION, and keeps
/// nothing of it. `error` may be NULL. [speed_max: > 0] O(1)
KERB_API kerb_result kerb_motion_validate(const kerb_motion* motion, float speed_max,
                                          kerb_error* error);

/// Speed along the vehicle's forward axis; negative in reverse. [m/s] O(1)
KERB_API float kerb_motion_forward_speed(const kerb_motion* motion);

// --------------------------------------------------------------------------- controls

/// Why the driver does what it does: what limits its speed, or its state.
typedef enum kerb_reason {
    KERB_REASON_NONE,        ///< the driver has not driven yet
    KERB_REASON_CRUISE,      ///< nothing limits it: drives at the desired speed
    KERB_REASON_CURVE,       ///< a bend, here or ahead
    KERB_REASON_SPEED_LIMIT, ///< the speed limit of the path, here or ahead
    KERB_REASON_SPEED_CAP,   ///< kerb_surroundings.speed_cap
    KERB_REASON_STEERING,    ///< returns to its path or turns hard, and steering limits the speed
    KERB_REASON_STOP,        ///< slows for a stop on the path
    KERB_REASON_WAIT,        ///< at standstill at a stop, or because the desired speed is 0
    KERB_REASON_END,         ///< slows for the end of its path, or of what it can see
    KERB_REASON_ARRIVED,     ///< has reached the end or its goal
    KERB_REASON_REVERSAL,    ///< changes between forward and reverse, or slows for that
    KERB_REASON_BACKING_OUT, ///< is stuck and drives back, to try again
    KERB_REASON_TELEPORT,    ///< is stuck, and requests that the host puts it back on the path
    KERB_REASON_GIVEN_UP,   ///< is stuck without help by the host: brakes until it is moved, or, of
                            ///< a follower among neighbours, for 15 s
    KERB_REASON_TOO_STEEP,  ///< holds on a hill that it cannot climb, and tries again later
    KERB_REASON_FOLLOWING,  ///< keeps its gap to a vehicle ahead, or slows or waits for an obstacle
    KERB_REASON_YIELDING,   ///< yields to a vehicle that crosses, merges or comes towards it
    KERB_REASON_AVOIDING,   ///< drives beside its line, to pass something that is in the way
    KERB_REASON_BAD_MOTION, ///< the motion was impossible: brakes with straight wheels
    KERB_REASON_BAD_STEP,   ///< the time step was too short or not finite: repeats its controls
    KERB_REASON_SLIDING,    ///< corrects a slide, or brakes out of a spin
    KERB_REASON_OFF_TRACK,  ///< returns to the track
    KERB_REASON_WRONG_WAY,  ///< faces the wrong way, and turns round
    KERB_REASON_HOST_MISTAKE, ///< drives on, but the host tells something wrongly: see the
                              ///< decision's host_mistake, and kerb/host_check.h
    KERB_REASON_OFF_PATH,     ///< is too far from its path to return to it within the corridor
    KERB_REASON_MISSED_END,   ///< has missed the end of its path, and comes back to it
    KERB_REASON_ACCELERATE,   ///< speeds up to the desired speed, or to what a bend or limit allows
    KERB_REASON_MAKING_ROOM,  ///< goes back, or waits, so that others that wait for it can go on
    KERB_REASON_NO_ROOM,      ///< waits where it cannot pass what stands in its way
    KERB_REASON_COUNT         ///< number of reasons
} kerb_reason;

/// The reason in a few English words, such as "bend ahead". Never NULL; a constant string.
KERB_API const char* kerb_reason_text(kerb_reason reason);

/// What a driver commands: the inputs that a player also has.
typedef struct kerb_controls {
    float throttle; ///< drives in the direction of `gear` [1] [0 … 1]
    float brake;    ///< [1] [0 … 1]
    /// WHEELED: angle of the front wheels, as a share of kerb_vehicle_steering_lock, which is
    /// steering_angle_max unless steering_lock says less. TRACKED, HOVER: yaw rate, as a share of
    /// yaw_rate_max. Left positive. [1] [-1 … 1]
    float steering;
    float clutch;   ///< 0: engaged; 1: disengaged [1] [0 … 1]
    int32_t gear;   ///< commanded: -1 reverse, 0 neutral, 1 … forward
    bool handbrake; ///< a host without a handbrake may brake fully instead
    /// For what flies or dives; 0 for all others. Pitch, roll and yaw are shares of the greatest
    /// angular rates about the body's own y, x and z axis, with the signs of
    /// kerb_motion.angular_velocity: nose down, right side down and nose left are positive.
    /// Spacecraft: shares of the greatest angular acceleration. Submarines: pitch is the angle of
    /// the stern planes. `lift` is the collective of helicopters and drones. Pedestrians: roll is
    /// the effort to the side, right positive. [1] [-1 … 1]
    float pitch, roll, yaw, lift;
    kerb_reason reason; ///< why
} kerb_controls;

/// Controls that stop a vehicle: full brake, straight wheels, neutral.
KERB_API kerb_controls kerb_controls_safe(kerb_reason reason);

/// Controls between two, for a host that lets a player take the wheel without a jerk: from those of
/// the driver at share 0 to those of the player at share 1, within half a second or so. Throttle
/// and brake are blended as one pedal. Gear, clutch, handbrake and reason are those of `to`.
/// [share: 0 … 1] O(1)
KERB_API kerb_controls kerb_controls_blend(const kerb_controls* from, const kerb_controls* to,
                                           float share);

/// Converts controls for engines with one signed input, where positive values drive forwards and
/// negative values brake and then drive in reverse (section II of "Efficient Ground Vehicle Path
/// Following in Game AI"). The result is the throttle in the direction of the gear, minus the brake
/// against the motion; the handbrake counts as full brake. Below 0.5 m/s the brake's part fades to
/// 0, because a negative input would drive a stopped vehicle in reverse. At standstill the host
/// must hold the vehicle itself. [1] [-1 … 1] O(1)
KERB_API float kerb_controls_signed_throttle(const kerb_controls* controls, float forward_speed);

// --------------------------------------------------------------------------- surroundings

/// Something near the vehicle that moves or is in the way: another vehicle, a person, a wreck.
typedef struct kerb_neighbour {
    uint32_t id;         ///< unique and constant as long as the neighbour exists
    kerb_vec3 position;  ///< of the middle of its footprint [m]
    kerb_vec3 velocity;  ///< of that point, in the world's axes [m/s]
    kerb_vec2 forward;   ///< direction of its length, seen from above, unit length
    float yaw_rate;      ///< left positive [rad/s]
    float length, width; ///< of its footprint [m] [> 0]
    /// What the neighbour is about to do. NULL: unknown, as for a player's vehicle. A driver reads
    /// it only during the call.
    const kerb_intent* intent;
    /// Laps of a race that the neighbour has completed. Outside races: 0.
    int32_t laps;
    /// With this the neighbour asks the racer ahead of it to let it pass, like a driver who flashes
    /// the lights. 0: no request. Above 0: the pace of the neighbour, as a skill
    /// (kerb_racer_settings.skill). Copy it from kerb_racer_decision.overtake_request of the racer
    /// that drives the neighbour. A player who presses a button: 1. [1] [0 … 1]
    float overtake_request;
} kerb_neighbour;

/// Value of kerb_surroundings.id for a vehicle without an id. Where ids decide the right of way, it
/// yields to every neighbour that has an id.
#define KERB_NO_ID UINT32_MAX

/// What is around the vehicle. Begin with kerb_surroundings_default and change what you know.
typedef struct kerb_surroundings {
    float speed_cap; ///< greatest speed that the host allows now [m/s] [>= 0]
    /// Grip of the surface here and ahead, as a factor of the vehicle's own grip on dry ground. [1]
    /// [> 0]
    float grip;
    /// Id of the vehicle itself. It must differ from the ids of all others. A neighbour with this
    /// id is ignored, so the list may contain the vehicle itself. Where nothing else decides the
    /// right of way, the lower id goes first. Without ids: KERB_NO_ID.
    uint32_t id;
    /// The other vehicles that the vehicle can meet within some seconds, in any order. More distant
    /// ones cost time and change nothing. A driver reads them only during the call. May be NULL
    /// when neighbour_count is 0.
    const kerb_neighbour* neighbours;
    int32_t neighbour_count; ///< [>= 0]
    /// Laps of a race that the vehicle has completed. A racer lets a neighbour behind it pass if
    /// the neighbour has completed more laps (blue flag).
    int32_t laps;
    /// The controls that acted on the vehicle since the last frame, where they were not those that
    /// the driver returned: a player has the wheel, or an assistant changed them. NULL: the
    /// driver's own.
    const kerb_controls* applied;
    /// Share of the wheels that touch the ground. Below 1 estimates, and racers that learn, learn
    /// nothing. [1] [0 … 1]
    float wheels_on_ground;
    /// True: estimates, and racers that learn, learn nothing from this frame, as in a crash or on a
    /// tow rope.
    bool do_not_learn;
    /// True: a player has the wheel, and `applied` are the player's controls. Go on calling the
    /// driver: it returns what it would do, keeps its place, learns, and is never stuck. In the
    /// first frame without it the driver begins as if the host had put the vehicle there, with the
    /// player's last controls; within half a second they become its own.
    bool player_drives;
    /// True: something holds the vehicle where it is or moves it: start lights, a cut scene, a
    /// lift, a grab. Go on calling the driver: it stands with the brake held, KERB_REASON_WAIT,
    /// keeps its place, learns nothing, and is never stuck. In the first frame without it the
    /// driver begins as if the host had put the vehicle there.
    bool held;
} kerb_surroundings;

/// No speed cap (1e6 m/s), grip 1, KERB_NO_ID, no neighbours; all wheels on the ground.
KERB_API kerb_surroundings kerb_surroundings_default(void);

#endif
