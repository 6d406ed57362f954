// Kerb control: the parts that several drivers share.
//
// You need this file only to write your own driver, or for single formulas. It contains: a PI speed
// controller with anti-windup, pedals for an acceleration, the speed profile of a whole line, pure
// pursuit and the steering for a curvature, the gearbox, the detection and recovery of a stuck
// vehicle, and the speed behind another one. In the comments below, EA is "Efficient Ground
// Vehicle Path Following in Game AI", and Vamos is "Computer-Controlled Cars in Vamos".
//
// A function here takes plain values and returns plain values. Where something must be remembered
// from frame to frame, the caller keeps it in a small struct: one per vehicle, zeroed to start.
//
//     kerb_speed_settings settings;                                      // once
//     kerb_settings_set_defaults(&kerb_speed_settings_table, &settings);
//     kerb_speed_controller controller = {0};
//     float speed = kerb_motion_forward_speed(&motion);                  // every frame
//     float full = kerb_full_throttle_acceleration(&vehicle, speed, false);
//     float resistance = kerb_coasting_deceleration(&vehicle, speed);
//     float desired = kerb_speed_control(&controller, &settings, desired_speed - speed, 0.0f,
//                                        -vehicle.braking_max, full - resistance, time_step);
//     kerb_controls controls = {.gear = 1};
//     kerb_pedals(&vehicle, desired + resistance, full, &controls);
//     float curvature = kerb_pure_pursuit(target_in_vehicle_axes);
//     controls.steering = kerb_steering_for(&vehicle, curvature, speed);
//
// Costs and threads: all functions are O(1) unless their comment says otherwise, allocate nothing,
// and may be called from any thread. One thread at a time may use one memory struct. No result and
// no memory struct contains a pointer: copy them as you like. Pointers in arguments are used only
// during the call.
//
// Does not: decide where to drive; check its arguments (vehicles must pass kerb_vehicle_validate).
#ifndef KERB_CONTROL_H
#define KERB_CONTROL_H

#include "path.h"
#include "vehicle.h"

// --------------------------------------------------------------------------- speed

/// Gains of the speed controller. A settings struct.
typedef struct kerb_speed_settings {
    float proportional; ///< acceleration per speed error [1/s] [0 … 20] Usual: 1.5.
    float integral;     ///< acceleration per speed error, per second [1/s²] [0 … 20] Usual: 0.5.
} kerb_speed_settings;

/// Range, default and meaning of every gain.
KERB_API const kerb_settings_table kerb_speed_settings_table;

/// Memory of a speed controller. Zero it to start.
typedef struct kerb_speed_controller {
    float integral_term; ///< acceleration that the integral term contributes [m/s²]
} kerb_speed_controller;

/// Desired acceleration for a speed error: proportional term, plus integral term, plus
/// `feed_forward`, an acceleration that is known to be needed. The result is clamped to
/// [acceleration_min, acceleration_max], which is what the vehicle can do. [m/s²]
///
/// `speed_error` is the desired speed minus the current speed. Anti-windup by conditional
/// integration: while the result is clamped and the error pushes it further out, the integral term
/// does not grow. It may always shrink. The integral term alone is clamped to the same limits.
KERB_API float kerb_speed_control(kerb_speed_controller* controller,
                                  const kerb_speed_settings* settings, float speed_error,
                                  float feed_forward, float acceleration_min,
                                  float acceleration_max, float time_step);

/// Greatest speed now from which constant braking reaches `speed` after `distance`: sqrt(speed² +
/// 2·deceleration·distance). A negative distance counts as 0. [m/s]
KERB_API float kerb_approach_speed(float speed, float distance, float deceleration);

/// Speed in a bend of a curvature κ, of either sign, at a lateral acceleration a: sqrt(a/|κ|), but
/// at most `speed_max`. [m/s] (EA eq. 1)
KERB_API float kerb_speed_in_curve(float curvature, float lateral_acceleration, float speed_max);

/// Writes the throttle and brake of `controls` for `acceleration` along the direction of travel.
/// A positive acceleration sets the throttle, a negative one sets the brake. Before the call, the
/// caller adds the resistance and subtracts the pull of gravity. Decelerations below 0.12 m/s² set
/// neither pedal. `full_throttle` is the acceleration at full throttle at this speed and gear.
/// [m/s²] [full_throttle: > 0]
KERB_API void kerb_pedals(const kerb_vehicle* vehicle, float acceleration, float full_throttle,
                          kerb_controls* controls);

/// Acceleration that full throttle gives at a speed on level ground, without resistance: the
/// smaller of acceleration_max (or reverse_acceleration_max) and power / (mass · speed). The power
/// is taken as at least what the top speed needs, and by power_share. With gears and a known
/// torque, forwards: the pull of the best gear. Never below 2 % of acceleration_max. [m/s²]
KERB_API float kerb_full_throttle_acceleration(const kerb_vehicle* vehicle, float speed,
                                               bool reverse);

/// Deceleration without throttle and brake at a speed: rolling resistance and drag. Below
/// creep_speed negative, half of what is missing to it per second. [m/s²]
KERB_API float kerb_coasting_deceleration(const kerb_vehicle* vehicle, float speed);

// --------------------------------------------------------------------------- speed profile

/// The share of the grip that a bend leaves for braking and driving. u is the share of the lateral
/// grip that turning uses.
typedef enum kerb_traction_budget {
    KERB_TRACTION_ELLIPSE, ///< sqrt(1 - u²): friction ellipse
    KERB_TRACTION_LINEAR   ///< 1 - speed / cornering speed (Vamos eq. 27)
} kerb_traction_budget;

/// "ellipse" or "linear"; "unknown" out of range. Never NULL.
KERB_API const char* kerb_traction_budget_text(kerb_traction_budget value);

/// Number of speeds at which kerb_performance.drive is known.
#define KERB_DRIVE_COUNT 33

/// What a vehicle can do at its limit, on level, dry ground. A settings struct. Get one from
/// kerb_performance_of or kerb_performance_point_mass, then change what differs.
typedef struct kerb_performance {
    float lateral; ///< greatest lateral acceleration, without downforce: μ·g [m/s²] [>= 0.001]
    float accelerating; ///< acceleration that the driven tyres hold, no downforce [m/s²] [>= 0]
    float braking;      ///< deceleration that the braking tyres hold, no downforce [m/s²] [>= 0]
    float speed_max;    ///< greatest speed [m/s] [>= 0.01]
    float rolling;      ///< deceleration by rolling resistance [m/s²] [>= 0]
    float drag;         ///< deceleration by drag, divided by speed²; Vamos β/m [1/m] [>= 0]
    float downforce;    ///< acceleration by downforce, divided by speed²; Vamos α/m [1/m] [>= 0]
    int32_t budget;     ///< kerb_traction_budget
    /// Acceleration that the engine in its best gear gives, without resistance. Entry i is for the
    /// speed i · speed_max / (KERB_DRIVE_COUNT - 1); linear between entries. [m/s²] [>= 0]
    float drive[KERB_DRIVE_COUNT];
    /// ELLIPSE only: loss of braking and of driving in a bend, because one axle carries less load
    /// or drives alone. Where the ellipse leaves a share s of the grip, s · (1 - loss · (1 - s)) is
    /// used. [1] [0 … 1] Cars: braking 0.3 to 1, driving 0 to 0.4.
    float braking_loss, driving_loss;
    /// ELLIPSE only: share of the lateral grip that is lost under power, because the driven axle
    /// must also push, and the front axle carries less than under braking. In a bend that needs
    /// more than the remaining grip, the vehicle can only coast. [1] [0 … 0.5] Cars: 0.02 to 0.08.
    float powered_loss;
    /// ELLIPSE only: drag of turning tyres. It reduces the acceleration of the engine by
    /// turning_drag · lateral acceleration · (used share of the lateral grip). The value is
    /// about the slip angle at the limit of grip. [rad] [>= 0] Cars: 0.05 to 0.2.
    float turning_drag;
} kerb_performance;

/// Range, default and meaning of every number of a kerb_performance.
KERB_API const kerb_settings_table kerb_performance_table;

/// The defaults of the table: the performance of kerb_vehicle_default. O(KERB_DRIVE_COUNT)
KERB_API kerb_performance kerb_performance_default(void);

/// KERB_OK, or NOT_FINITE or OUT_OF_RANGE with the first bad field; for "drive" with the index of
/// the entry. `error` may be NULL. O(KERB_DRIVE_COUNT)
KERB_API kerb_result kerb_performance_validate(const kerb_performance* performance,
                                               kerb_error* error);

/// The performance of a vehicle, with a friction ellipse. O(KERB_DRIVE_COUNT · gears)
///
/// - `drive`, when the driver shifts: that of the best gear, by drive_train.torque. Unknown: with x
///   = engine speed / its value at greatest power, the engine gives x + x² - x³ of its greatest
///   power (Genta, "Motor Vehicle Dynamics", 1997, for spark ignition). Below idle speed the clutch
///   slips. Shifts take no time.
/// - `drive`, when the vehicle shifts by itself: power · power_share / (mass · speed).
/// - `downforce`: what it adds to the grip, which is less than the load by load_sensitivity.
/// - Both: at most acceleration_max plus rolling resistance. At least the resistance at each speed,
///   so that the vehicle reaches speed_max.
/// - The driven tyres hold acceleration_max, and at least half of the lateral grip.
/// - braking_loss, driving_loss, powered_loss and turning_drag are 0.
KERB_API kerb_performance kerb_performance_of(const kerb_vehicle* vehicle);

/// Sets the four losses to what tyres of cars usually have, means of cars in a simulation, where
/// nobody measured them: braking_loss 0.7, driving_loss 0.15, powered_loss 0.045, turning_drag 0.07
/// rad. Of calibrated race cars in that simulation a profile promised laps 3.4 % faster than they
/// drove, with these losses 1.9 %.
KERB_API void kerb_performance_typical_losses(kerb_performance* performance);

/// A point mass with a friction ellipse, without resistance, with an engine that is stronger than
/// the tyres: the usual reference for racing lines. [m/s², m/s] [> 0]
KERB_API kerb_performance kerb_performance_point_mass(float lateral, float accelerating,
                                                      float braking, float speed_max);

/// One point of a line that a vehicle drives, with the surface under it.
typedef struct kerb_profile_point {
    float length;    ///< distance along the line to the next point [m] [>= 0]
    float curvature; ///< of the line within the surface, left positive [1/m]
    /// Curvature of the line out of the surface: positive in a dip, negative on a crest. It
    /// includes the part of a bend's curvature that points out of a banked surface. [1/m]
    float normal_curvature;
    /// The world's up vector in the axes of the line: along the travel (positive uphill), along the
    /// surface to the left, and along the normal of the surface. Level: 0, 0, 1. [1] [-1 … 1]
    float up_forward, up_left, up_normal;
    float grip;        ///< of the surface; 1: dry asphalt [1] [>= 0]
    float speed_limit; ///< KERB_SPEED_UNLIMITED: none [m/s] [>= 0]
} kerb_profile_point;

/// A point on level, dry ground without a speed limit.
KERB_API kerb_profile_point kerb_profile_point_level(float length, float curvature);

/// Greatest speed at which the tyres hold the line, but at most speed_max and the speed limit of
/// the point. 0 when they hold at no speed, and when a number is not finite. [m/s] O(1) (Vamos eq.
/// 20, extended to 3D)
///
/// With s the sign and c the size of the curvature: v² = g·(μ·up_normal - s·up_left) /
/// (c - μ·(normal_curvature + downforce)). Numerator > 0 and denominator <= 0: grip sets no limit.
/// Numerator <= 0 and denominator > 0: the result is 0. Both negative: the tyres hold at this v and
/// above. Differs from the paper: the same limit holds for sliding towards the inside of the bend,
/// which a crest or a banked surface makes possible.
KERB_API float kerb_cornering_speed(const kerb_performance* performance,
                                    const kerb_profile_point* point);

/// Smallest speed at which the tyres hold the line. It is above 0 where the surface is so steep
/// that a slow vehicle slides down. 0 where kerb_cornering_speed is 0. [m/s] O(1)
KERB_API float kerb_cornering_speed_min(const kerb_performance* performance,
                                        const kerb_profile_point* point);

/// Acceleration along the travel under full braking at a speed; usually negative. [m/s²] O(1)
/// (Vamos eq. 26 with corrected signs)
///
/// It is -g·up_forward - rolling - drag·v² - tyres. The tyres give grip·braking·(up_normal +
/// (normal_curvature + downforce)·v²/g), times the share that the budget leaves. Differs from the
/// paper: eq. 27 scales only the tyres' part, because drag and slope need no grip. 0 where a number
/// is not finite.
KERB_API float kerb_braking_acceleration(const kerb_performance* performance,
                                         const kerb_profile_point* point, float speed);

/// Acceleration along the travel at full throttle at a speed: the smaller of what the driven tyres
/// hold and what the engine gives (minus turning_drag's part), minus slope and resistance. May be
/// negative. 0 where a number is not finite. [m/s²] O(1)
KERB_API float kerb_driving_acceleration(const kerb_performance* performance,
                                         const kerb_profile_point* point, float speed);

/// The greatest speeds along a line that the vehicle can drive, by one pass forwards and one pass
/// backwards. Returns the time from the first point to the last; for a closed line, the time of one
/// lap. [s] [count: >= 1; below, the result is 0 and nothing is written]
///
/// `speed` receives `count` speeds, one per point. An open line begins with `speed_start` and ends
/// with `speed_end`, or with less where the line requires it. KERB_SPEED_UNLIMITED means: as fast
/// as the line allows. The length of the last point of an open line is ignored. A closed line ends
/// with the speed with which it begins, and ignores both arguments.
///
/// The error is of second order in the spacing of the points. With points every 2 m the time is
/// within 0.1 % of the time with points every 0.1 m. Speeds have the same accuracy, except some in
/// tight bends (0.2 %; linear budget: 0.4 %). These numbers require points so dense that the
/// curvature is about linear between them. Never NaN: a point that is not finite or cannot be
/// driven gets speed 0, and a stretch where the vehicle would stop counts as driven at 1 cm/s.
/// O(count), allocates nothing. When a vehicle needs several laps of a closed line to reach its
/// speed: O(laps · count), at most 100 laps.
KERB_API double kerb_speed_profile(const kerb_performance* performance,
                                   const kerb_profile_point* points, int32_t count, bool closed,
                                   float speed_start, float speed_end, float* speed);

/// True when a vehicle must brake now. Simulates braking ahead, for lines that change while the
/// vehicle drives. (Vamos section 4.2) O(points within the braking distance)
///
/// The simulation starts at `distance` metres past point `index` with `speed`. It brakes from point
/// to point until the vehicle stops, an open line ends, or a closed line is complete. It returns
/// true when it reaches a point faster than kerb_cornering_speed there. `deceleration` > 0: brakes
/// at that rate (eq. 24); 0: by kerb_braking_acceleration (eq. 26). Call it in every frame with the
/// place and speed that the vehicle will have in the next frame. When it first returns true,
/// braking begins just in time. False for an index out of range.
KERB_API bool kerb_braking_due(const kerb_performance* performance,
                               const kerb_profile_point* points, int32_t count, bool closed,
                               int32_t index, float distance, float speed, float deceleration);

// --------------------------------------------------------------------------- steering

/// Pure pursuit: curvature of the circle that starts at the origin along x and passes through
/// `target`, 2y/(x²+y²). `target` is in the vehicle's axes. Left positive. 0 for the zero vector.
/// [1/m] (Wallace et al. 1985, Coulter 1992)
KERB_API float kerb_pure_pursuit(kerb_vec2 target);

/// Look-ahead distance: |speed| · time, clamped to [distance_min, distance_max]. [m]
KERB_API float kerb_lookahead_distance(float speed, float time, float distance_min,
                                       float distance_max);

/// Steering that drives a curvature κ at a speed v, for kerb_controls.steering. WHEELED: the rear
/// axle drives κ. The wheel angle is atan(wheelbase·κ) plus the understeer gradient times κ·v². For
/// an oversteering vehicle, and in reverse (v < 0), the gradient counts as 0. The result is the
/// share of kerb_vehicle_steering_lock. TRACKED, HOVER: the yaw rate κ·v, at most
/// kerb_vehicle_yaw_rate. [1] [-1 … 1]
KERB_API float kerb_steering_for(const kerb_vehicle* vehicle, float curvature, float speed);

/// Curvature that a steering drives at a speed: the inverse of kerb_steering_for. TRACKED and HOVER
/// can turn on the spot: speeds below 1 cm/s count as 1 cm/s. [1/m]
KERB_API float kerb_curvature_of(const kerb_vehicle* vehicle, float steering, float speed);

// --------------------------------------------------------------------------- gears

/// Memory of the gear selection. Zero it to start.
typedef struct kerb_gearbox {
    float time_since_shift; ///< time since the last shift was commanded [s]
    int32_t commanded_gear; ///< commanded last
} kerb_gearbox;

/// Returns the gear to command now for travel in `direction` (1 or -1), and writes `clutch`: 1 in
/// the frame that commands a shift, otherwise 0.
///
/// At full throttle, shifts up at the engine speed of greatest power. With less throttle, shifts up
/// earlier: without throttle, at 55 % of that engine speed. Shifts down when the engine speed in
/// the lower gear is below 80 % of the engine speed for shifting up. After a shift, the next one
/// comes at the earliest after twice the shift time plus 0.2 s. While the motion reports gear 0
/// within this time, the shift counts as under way, and the commanded gear stays. Otherwise a
/// vehicle in neutral or reverse gets the gear that fits its speed. Returns `direction` in reverse,
/// and for vehicles that shift by themselves.
KERB_API int32_t kerb_gearbox_drive(kerb_gearbox* gearbox, const kerb_vehicle* vehicle,
                                    const kerb_motion* motion, int32_t direction, float throttle,
                                    float time_step, float* clutch);

// --------------------------------------------------------------------------- recovery when stuck

/// What a driver does when its vehicle is stuck.
typedef enum kerb_recovery {
    KERB_RECOVERY_NONE,   ///< nothing
    KERB_RECOVERY_SIMPLE, ///< drives back straight (the stuck manager of EA)
    KERB_RECOVERY_FULL    ///< drives back with turned wheels; the side alternates from try to try
} kerb_recovery;

/// "none", "simple" or "full"; "unknown" out of range. Never NULL.
KERB_API const char* kerb_recovery_text(kerb_recovery value);

/// When a vehicle counts as stuck, and how often it tries to get free. SIMPLE and FULL drive back
/// twice as far from the third try on. A settings struct.
typedef struct kerb_stuck_settings {
    int32_t recovery;   ///< kerb_recovery
    float patience;     ///< time of driving without moving that counts as stuck [s] [0.2 … 60]
    float distance;     ///< how far it drives back in the first two tries [m] [0.1 … 50]
    int32_t tries;      ///< tries before it requests a teleport [0 … 20]
    float request_time; ///< how long it requests a teleport before it gives up [s] [0 … 600]
} kerb_stuck_settings;

/// Range, default and meaning of every setting.
KERB_API const kerb_settings_table kerb_stuck_settings_table;

/// What a vehicle must do now.
typedef enum kerb_stuck_phase {
    KERB_STUCK_FREE,     ///< drive on
    KERB_STUCK_BACK_OUT, ///< drive back, to try again
    KERB_STUCK_TELEPORT, ///< brake, and request that the host puts the vehicle back
    KERB_STUCK_GIVEN_UP  ///< brake until the host moves the vehicle
} kerb_stuck_phase;

/// In a few words, such as "backing out"; "unknown" out of range. Never NULL.
KERB_API const char* kerb_stuck_phase_text(kerb_stuck_phase value);

/// Memory of the recovery. Zero it to start, and when the host has moved the vehicle.
typedef struct kerb_stuck {
    int32_t phase;    ///< kerb_stuck_phase
    int32_t tries;    ///< tries made at this place
    float side;       ///< to which the nose turns while driving back: 1 left, -1 right, 0: neither
    float still_time; ///< time of `wants_to_move` without moving [s]
    float circling_time;   ///< time of `wants_to_move` without progress on the path [s]
    float phase_time;      ///< time in this phase [s]
    float distance_moved;  ///< distance since `still_time` was 0, or in this phase [m]
    double progress_mark;  ///< progress when `circling_time` was last 0 [m]
    double stuck_progress; ///< progress at the place where it got stuck [m]
} kerb_stuck;

/// Watches one frame and returns what to do. `progress`: distance along the path [m]. `speed`:
/// along the desired travel, negative while it drives back [m/s]. `wants_to_move`: true while the
/// driver commands motion and knows of nothing that holds the vehicle; false at stops, while it
/// waits, and while the desired speed is 0. `heading_change`: the desired change of heading, left
/// positive [rad].
///
/// A vehicle is stuck when it wants to move and moves less than 0.15 m in `patience` seconds, or
/// gains less than 2 m of progress in 12 s. A slow climb is not stuck. One try ends after its
/// distance, after 4 s, or after 1.5 s without moving back. After 5 m of progress past the place,
/// the count of tries returns to 0.
KERB_API kerb_stuck_phase kerb_stuck_watch(kerb_stuck* stuck, const kerb_stuck_settings* settings,
                                           double progress, float speed, bool wants_to_move,
                                           float heading_change, float time_step);

/// Requests a teleport from the next kerb_stuck_watch on, without driving back first. Use it where
/// driving back cannot help, such as on a hill that is too steep. Has no effect with
/// KERB_RECOVERY_NONE.
KERB_API void kerb_stuck_request_teleport(kerb_stuck* stuck);

// --------------------------------------------------------------------------- gaps

/// Greatest speed of a vehicle that drives behind another one. If it drives on at this speed for
/// `reaction_time` and then brakes, it stops `gap_min` behind the place where the vehicle ahead
/// stops. Both brake at `braking` (Gipps, 1981, eq. 2, without the term of the current speed).
/// `gap` is the distance between the bumpers [m]. `speed_ahead` is the speed of the other vehicle,
/// in the direction of travel; negative: it is oncoming. Behind a vehicle of constant speed v this
/// converges to a gap of gap_min + v·reaction_time. Never negative. [m/s] [reaction_time: >= 0;
/// braking: > 0]
KERB_API float kerb_gap_speed(float gap, float speed_ahead, float reaction_time, float gap_min,
                              float braking);

#endif
