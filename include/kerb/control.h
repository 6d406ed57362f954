// Kerb control: parts that several drivers share.
//
// A PI speed controller with anti-windup, pure pursuit and the steering angle for a curvature, the
// gearbox, the arithmetic of braking in time, the speed profile of a whole line, getting unstuck,
// and keeping clear of others. Each is a kernel: plain values in, plain values out; what must be
// remembered lies in a small struct of the caller's.
//
//     float curvature = kerb_pure_pursuit(target_in_vehicle_frame);
//     controls.steering = kerb_steering_for(&vehicle, curvature, speed);
//
// All functions are O(1) where they do not say otherwise, allocate nothing and may be called from
// any thread.
#ifndef KERB_CONTROL_H
#define KERB_CONTROL_H

#include "path.h"
#include "vehicle.h"

// --------------------------------------------------------------------------- speed

/// How a speed error becomes an acceleration. A settings struct.
typedef struct kerb_speed_settings {
    float proportional; ///< wanted acceleration per speed error [1/s] [>= 0]
    float integral;     ///< and per speed error summed over time [1/s²] [>= 0]; 0: a P controller
} kerb_speed_settings;

KERB_API const kerb_settings_table kerb_speed_settings_table;

/// What a speed controller remembers. Zero it to start.
typedef struct kerb_speed_controller {
    float sum; ///< acceleration that the integral term contributes [m/s²]
} kerb_speed_controller;

/// The acceleration that closes a speed error: proportional term, integral term, and `known`, the
/// acceleration that is known to be needed (feed-forward). [m/s²]
///
/// Anti-windup by conditional integration: the sum does not grow while the result lies outside
/// [least, most], what the vehicle can do, and the error pushes further out; it may always shrink.
KERB_API float kerb_speed_control(kerb_speed_controller* controller,
                                  const kerb_speed_settings* settings, float speed_error,
                                  float known, float least, float most, float time_step);

/// Greatest speed now that can still come down to `speed` after `distance`, braking at
/// `deceleration`: sqrt(speed² + 2·deceleration·distance). [m/s]
KERB_API float kerb_speed_before(float speed, float distance, float deceleration);

/// Speed through a curvature at a lateral acceleration: sqrt(a/κ), at most `most`. (EA eq. 1)
KERB_API float kerb_speed_in_curve(float curvature, float lateral_acceleration, float most);

/// Throttle, brake and their changes for a wanted acceleration along the direction of travel,
/// with what gravity and drag add already taken off by the caller: > 0 drives, < 0 brakes; small
/// decelerations are left to coasting. Writes throttle and brake. `capacity` is the acceleration
/// at full throttle at this speed and gear. [m/s²] [> 0]
KERB_API void kerb_pedals(const kerb_vehicle* vehicle, float acceleration, float capacity,
                          kerb_controls* controls);

/// Acceleration at full throttle at this speed on level ground, drag left out: acceleration_max, or
/// what the vehicle's power leaves at that speed; the power is never taken for less than the top
/// speed needs. [m/s²]
KERB_API float kerb_throttle_capacity(const kerb_vehicle* vehicle, float speed, bool reverse);

/// Deceleration by rolling resistance and drag at this speed. [m/s²]
KERB_API float kerb_coasting(const kerb_vehicle* vehicle, float speed);

// --------------------------------------------------------------------------- speed profile

/// How the grip that turning uses leaves less for braking and driving.
typedef enum kerb_traction_budget {
    KERB_TRACTION_ELLIPSE, ///< friction ellipse: (along/most along)² + (aside/most aside)² <= 1
    KERB_TRACTION_LINEAR ///< what is left along falls evenly with speed: 1 - v/v_max (Vamos eq. 27)
} kerb_traction_budget;

/// Speeds of which a kerb_performance knows the drive.
#define KERB_DRIVE_COUNT 33

/// What a vehicle can do at its limit, on level, dry ground. From kerb_performance_of or
/// kerb_performance_point_mass; change what differs.
typedef struct kerb_performance {
    float lateral;      ///< sideways grip without downforce, μ·g [m/s²] [> 0]
    float accelerating; ///< most that the driven tyres hold without downforce [m/s²] [>= 0]
    float braking;      ///< most that the braking tyres hold without downforce [m/s²] [>= 0]
    float speed_max;    ///< [m/s] [> 0]
    float rolling;      ///< resistance at any speed [m/s²] [>= 0]
    float drag;         ///< deceleration per speed², Vamos β/m [1/m] [>= 0]
    float downforce;    ///< further normal acceleration per speed², Vamos α/m [1/m] [>= 0]
    int32_t budget;     ///< kerb_traction_budget
    /// What the engine in its best gear gives at even steps of speed from 0 to speed_max, before
    /// resistance; in between linear. [m/s²] [>= 0]
    float drive[KERB_DRIVE_COUNT];
    /// How far braking and driving while turning fall short of the ellipse, as when an axle grows
    /// light or is driven alone: of the share that turning leaves of the tyres, so much counts
    /// squared. ELLIPSE only. Cars: braking 0.3 to 1, driving 0 to 0.4. [0 … 1]
    float braking_loss, driving_loss;
    /// Share of the sideways grip that does not hold under power, as when one driven axle has to
    /// push as well, and a car that no longer slows has less load in front: beyond the rest it
    /// can only coast, and the ellipse of driving ends there. ELLIPSE only. Cars: 0.02 to 0.08.
    /// [0 … 0.5]
    float powered_loss;
    /// What turning takes from the engine, because tyres that hold aside slip: in a bend that uses
    /// so much of the grip, that share of it times the acceleration that they hold aside, times
    /// this. About their slip angle at the limit. ELLIPSE only. Cars: 0.05 to 0.2. [rad] [>= 0]
    float turning_drag;
} kerb_performance;

/// The performance of a vehicle, friction ellipse.
///
/// - Power by gear when the driver shifts: the best gear's pull, with a power curve
///   x + x² - x³ of engine speed over that of greatest power (Genta, "Motor Vehicle Dynamics",
///   1997, for engines with spark plugs), and the clutch slipping below the idle speed. Otherwise
///   power over speed. Never more than acceleration_max, never less than what holds speed_max. The
///   time of a shift is left out.
/// - The driven tyres hold acceleration_max, and at least half of the sideways grip.
/// - Turning costs neither tyres nor engine anything beyond the ellipse: losses and turning_drag 0.
KERB_API kerb_performance kerb_performance_of(const kerb_vehicle* vehicle);

/// A point mass with a friction ellipse and an engine that the tyres limit, without drag: the
/// usual yardstick for racing lines. [m/s², m/s] [> 0]
KERB_API kerb_performance kerb_performance_point_mass(float lateral, float accelerating,
                                                      float braking, float speed_max);

/// One point of a line that is driven, with the surface under it.
///
/// Of the world's up vector the three parts along the direction of travel (climbing: positive),
/// along the surface to the left, and along the surface's normal: level ground has 0, 0, 1.
typedef struct kerb_profile_point {
    float length;    ///< along the line to the next point [m] [>= 0]
    float curvature; ///< within the surface, left positive [1/m]
    /// Out of the surface: positive in a dip, negative on a crest; also what the line's own bend
    /// adds on a banked surface. [1/m]
    float normal_curvature;
    float up_forward, up_left, up_normal; ///< [1] [-1 … 1]
    float grip;                           ///< of the surface, 1 dry asphalt [1] [>= 0]
    float speed_limit;                    ///< [m/s] [>= 0] KERB_SPEED_UNLIMITED: none
} kerb_profile_point;

/// A straight point: level, dry, no limit, `length` to the next.
KERB_API kerb_profile_point kerb_profile_point_level(float length, float curvature);

/// Greatest speed at which the tyres hold the line, at most speed_max and the point's limit;
/// 0 where the vehicle holds at no speed. [m/s] (Vamos eq. 20 in 3D, O(1))
///
/// With surface and signs of kerb_profile_point, s the curvature's sign, c its size:
/// v² = g·(μ·up_normal - s·up_left) / (c - μ·(normal_curvature + downforce)). Denominator <= 0 and
/// numerator > 0: no limit by grip. Numerator <= 0 and denominator > 0: 0. Both negative: it holds
/// from the root on upwards. Departs from the paper: the same against sliding inwards, which a
/// crest and a bank make possible. A point with a number that is not finite: 0.
KERB_API float kerb_cornering_speed(const kerb_performance* performance,
                                    const kerb_profile_point* point);

/// Least speed at which it holds: above 0 where the surface is so steep that a slow vehicle slides
/// down it. Where kerb_cornering_speed is 0: 0. [m/s] O(1)
KERB_API float kerb_cornering_speed_least(const kerb_performance* performance,
                                          const kerb_profile_point* point);

/// Forward acceleration under full braking at a speed, usually negative: what turning leaves of the
/// tyres, gravity, rolling resistance and drag. [m/s²] (Vamos eq. 26 with its signs mended) O(1)
///
/// -g·up_forward - rolling - drag·v² - tyres; these give a share of
/// grip·braking·(up_normal + (normal_curvature + downforce)·v²/g), by the budget. Departs from the
/// paper: eq. 27 scales the tyres' part only, for drag and slope need no grip.
KERB_API float kerb_braking_acceleration(const kerb_performance* performance,
                                         const kerb_profile_point* point, float speed);

/// Forward acceleration at full throttle at a speed: the lesser of what the driven tyres and the
/// engine, less turning_drag, give, less gravity and resistance; may be negative. [m/s²] O(1)
KERB_API float kerb_driving_acceleration(const kerb_performance* performance,
                                         const kerb_profile_point* point, float speed);

/// The fastest speed along a line that the vehicle can drive, by one pass forwards and one
/// backwards. Returns the time from the first point to the last; of a closed line, of one lap.
/// [s] [count: >= 1]
///
/// `speed` receives the speed at each point. Open lines begin with `speed_start` and end with
/// `speed_end` or, where the line forces it, less (KERB_SPEED_UNLIMITED: as fast as the line
/// allows); the last point's length does not count. Closed lines begin where they end, whatever
/// these two say.
///
/// Second order in the points' spacing: with points every 2 m the time is within 0.1 % of that with
/// points every 0.1 m, and so are the speeds, but for single ones in tight bends (0.2 %, linear
/// budget 0.4 %), wherever the points tell the curvature between them. Never NaN: a point that
/// cannot be driven or is not finite gets speed 0, and a stretch where the vehicle would stand
/// counts at 1 cm/s. O(count), allocates nothing; where a vehicle is so weak that it gains speed
/// for several laps, O(laps · count).
KERB_API double kerb_speed_profile(const kerb_performance* performance,
                                   const kerb_profile_point* points, int32_t count, bool closed,
                                   float speed_start, float speed_end, float* speed);

/// Whether a vehicle must brake now: the paper's look-ahead simulation, for lines that change while
/// the vehicle drives. (Vamos section 4.2) O(points within the braking distance)
///
/// From `along` metres past point `index`, at `speed`, it brakes in thought, point by point, until
/// it stands, or an open line ends, or a closed one has gone round; true when it meets a point
/// faster than kerb_cornering_speed on the way. `deceleration` > 0: braking at that rate, as eq.
/// 24; 0: kerb_braking_acceleration, as eq. 26. Ask each frame for where the vehicle will be at the
/// next one: at the first true it is just time.
KERB_API bool kerb_braking_due(const kerb_performance* performance,
                               const kerb_profile_point* points, int32_t count, bool closed,
                               int32_t index, float along, float speed, float deceleration);

// --------------------------------------------------------------------------- steering

/// Curvature of the circle that leaves along x and passes through `target`: 2y/(x²+y²).
/// [1/m] (pure pursuit: Wallace et al. 1985, Coulter 1992). 0 for the zero vector.
KERB_API float kerb_pure_pursuit(kerb_vec2 target);

/// Distance to look ahead: time·speed, held between least and most. [m]
KERB_API float kerb_lookahead_distance(float speed, float time, float least, float most);

/// The steering (-1 … 1) that drives a vehicle on a curvature at a speed. TRACKED, HOVER: the share
/// of the yaw rate κ·v. WHEELED, for the rear axle: the bicycle's
/// atan(wheelbase·κ) plus the understeer gradient's part (an oversteering vehicle counts as
/// neutral); negative speeds reverse.
KERB_API float kerb_steering_for(const kerb_vehicle* vehicle, float curvature, float speed);

/// The curvature that a steering drives at a speed: the inverse of kerb_steering_for. TRACKED and
/// HOVER turn where they stand: below 1 cm/s, that of 1 cm/s. [1/m]
KERB_API float kerb_curvature_of(const kerb_vehicle* vehicle, float steering, float speed);

// --------------------------------------------------------------------------- gears

/// What a gearbox driver remembers. Zero it to start.
typedef struct kerb_gearbox {
    float since_shift; ///< [s]
    int32_t gear;      ///< told last
} kerb_gearbox;

/// The gear to engage now, and whether the clutch must open to do it. For travel in `direction`
/// (1 or -1): up at the speed of greatest power, down when the lower gear is well within it,
/// never two shifts within twice the shift time. From neutral: the gear for the speed, or the one
/// told last while a shift may still be under way. Vehicles without gears of the driver's get
/// `direction`.
KERB_API int32_t kerb_gearbox_drive(kerb_gearbox* gearbox, const kerb_vehicle* vehicle,
                                    const kerb_motion* motion, int32_t direction, float throttle,
                                    float time_step, float* clutch);

// --------------------------------------------------------------------------- getting unstuck

/// What a driver does when its vehicle no longer gets on.
typedef enum kerb_recovery {
    KERB_RECOVERY_NONE,   ///< nothing
    KERB_RECOVERY_SIMPLE, ///< reverses for a while, as EA's stuck manager
    KERB_RECOVERY_FULL    ///< reverses turning, then the other way, then farther, then asks
} kerb_recovery;

/// When a vehicle counts as stuck, and how hard it tries. A settings struct.
typedef struct kerb_stuck_settings {
    int32_t recovery; ///< kerb_recovery
    float patience;   ///< pressing on without moving for so long is being stuck [s]
    float distance;   ///< backs out so far at first, twice as far later [m]
    int32_t tries;    ///< before it asks to be put back
    float asking;     ///< how long it asks before it gives up [s]
} kerb_stuck_settings;

KERB_API const kerb_settings_table kerb_stuck_settings_table;

typedef enum kerb_stuck_phase {
    KERB_STUCK_FREE,     ///< drives
    KERB_STUCK_BACK_OUT, ///< reverses
    KERB_STUCK_ASK,      ///< asks the host to put the vehicle back
    KERB_STUCK_GIVEN_UP  ///< stands
} kerb_stuck_phase;

/// What a stuck manager remembers. Zero it to start.
typedef struct kerb_stuck {
    int32_t phase;  ///< kerb_stuck_phase
    int32_t tries;  ///< that it has made at this place
    float side;     ///< backing out, turn the nose to the left (1) or right (-1)
    float waited;   ///< pressing on in vain [s]
    float circled;  ///< moving, but not getting on [s]
    float in_phase; ///< [s]
    float moved;    ///< since `waited` began, or in this phase [m]
    double mark;    ///< progress when it last got on well [m]
    double where;   ///< progress where it got stuck [m]
} kerb_stuck;

/// Watches one frame and says what to do. `progress` along the path [m], `speed` along the travel
/// [m/s], `presses`: the driver wants to move and nothing that it knows holds it (false at stops,
/// while waiting and when standing is meant), `turn`: the heading change that it wants, left
/// positive [rad].
///
/// Stuck is: pressing on for `patience` seconds within 0.15 m, so that a slow hill is not, or for
/// 12 s without 2 m of new progress. Waiting never counts. Forgets its tries after 5 m of progress
/// past the place.
KERB_API kerb_stuck_phase kerb_stuck_watch(kerb_stuck* stuck, const kerb_stuck_settings* settings,
                                           double progress, float speed, bool presses, float turn,
                                           float time_step);

/// Asks the host at once, without backing out, for what that does not help: a hill that is too
/// steep. From the next kerb_stuck_watch on; with KERB_RECOVERY_NONE that never asks. O(1)
KERB_API void kerb_stuck_ask(kerb_stuck* stuck);

// --------------------------------------------------------------------------- others on the road

/// Greatest speed behind something at `gap` metres that moves away at `speed_ahead` (negative: it
/// comes towards): from it the vehicle, after `time` at that speed, can still stop `least` behind
/// where the other comes to rest, both braking at `braking` (Gipps, 1981, eq. 2, without its speed
/// now). Behind something of constant speed v this settles at the gap least + v·time. Never
/// negative. [m/s] [time: >= 0; braking: > 0]
KERB_API float kerb_gap_speed(float gap, float speed_ahead, float time, float least, float braking);

/// On which side of the road one drives.
typedef enum kerb_driving_side {
    KERB_DRIVE_RIGHT, ///< and meets others on its left
    KERB_DRIVE_LEFT
} kerb_driving_side;

/// How a driver keeps clear of others. A settings struct.
typedef struct kerb_avoid_settings {
    float gap_time;       ///< to what drives ahead [s] [>= 0] Cars: 0.8 to 2.
    float gap_least;      ///< to what stands ahead [m] [>= 0]
    float patience;       ///< what faces the same way and stands is gone round after so long [s]
    int32_t driving_side; ///< kerb_driving_side
} kerb_avoid_settings;

KERB_API const kerb_settings_table kerb_avoid_settings_table;

/// Most stations of a way.
#define KERB_WAY_STATIONS 16

/// One place of the way that a vehicle is about to drive.
typedef struct kerb_way_station {
    kerb_vec3 position;
    kerb_vec2 direction; ///< of travel, level, unit length
    float left, right;   ///< room from here to the edges of where it may drive [m]
    float along;         ///< from the vehicle's reference point [m], rising from station to station
    float time;          ///< until the vehicle plans to be there, if nobody is in its way [s]
} kerb_way_station;

/// The way that a vehicle is about to drive, and the vehicle, in its direction of travel.
typedef struct kerb_way {
    kerb_way_station stations[KERB_WAY_STATIONS];
    int32_t count;      ///< [2 … KERB_WAY_STATIONS]
    uint32_t id;        ///< of the vehicle
    float speed;        ///< now, along the way [m/s]
    float offset;       ///< of the vehicle now, to the left of the way [m]
    float slant;        ///< of its body against the way, left positive [rad]
    float drift;        ///< by which that grows now, per metre of the way
    float offset_wish;  ///< what is steered for now, on its way to kerb_avoid.offset [m]
    float reach;        ///< errors to the side fade over about this distance [m] [> 0]
    float reach_least;  ///< the same from rest [m] [> 0]
    float slope;        ///< by which a wish for another offset grows, aside per metre [> 0]
    float front, rear;  ///< from the reference point to its ends, in the travel's direction [m]
    float width;        ///< [m]
    float braking;      ///< that it plans with [m/s²] [> 0]
    float braking_most; ///< as hard as it can [m/s²] [>= braking]
    float speed_wanted; ///< if nobody were there [m/s]
    /// The same way as others are told of it; NULL: nobody is told.
    const kerb_intent* intent;
} kerb_way;

/// What an avoiding driver remembers. Zero it to start.
typedef struct kerb_avoid {
    uint32_t standing;  ///< id of what stands in the way
    float standing_for; ///< since when [s]; 0: nothing does
    float waited;       ///< standing still because of others [s]
    float blocked;      ///< standing still behind something that stands, too [s]
    float held;         ///< it has made room and leaves the others so much time to use it [s]
    float offset;       ///< wanted, to the left of the way [m]
    float clear;        ///< claimed of the way, from the front on: kerb_intent.clear [m]
    float yielded;      ///< standing still to give way alone: kerb_intent.waited [s]
} kerb_avoid;

/// What to do about the others.
typedef struct kerb_avoid_answer {
    float speed;        ///< greatest now; 1e6: nobody limits it [m/s]
    float offset;       ///< wanted, to the left of the way [m]
    kerb_reason reason; ///< FOLLOWING, GIVE_WAY or AVOIDING; NONE: nobody matters
    int32_t index;      ///< of the neighbour that decides; -1: none
    bool blocked;       ///< has stood so long before something that stands that it should back out
} kerb_avoid_answer;

/// What others on its way mean for a vehicle: one frame.
///
/// - What drives ahead the same way is followed (kerb_gap_speed).
/// - What stands ahead is gone round when there is room on the way and nobody comes; what faces the
///   same way may be waiting itself and is given `patience` seconds first. Else it stops behind.
/// - Who comes head-on is met on the driving side.
/// - Of two whose ways cross or merge the one goes first who would clearly be there first, else the
///   one with the lower id. Who can no longer stop goes on. With every second that both stand the
///   id counts for more, so that a circle of vehicles which wait for one another dissolves.
/// - What stands in the way for long asks for backing out (`blocked`), the higher id first.
/// - Whose intents are known are not predicted: where their strips and the vehicle's own overlap,
///   the vehicle claims its way, zone by zone, before it enters (`clear`), and never claims what
///   another has claimed or is in. Of two that claim the same at once one keeps it: who can no
///   longer stop, who is clearly through before, the lower id. It enters no crossing that it could
///   not leave, and where ways merge it follows who comes sooner.
///
/// Others are predicted by velocity and yaw rate over 6 s, as rectangles with a margin. A neighbour
/// that is not finite, has no size, is larger than 1 km or carries the vehicle's own id is left
/// out. The answer does not depend on the neighbours' order. O(neighbours · KERB_WAY_STATIONS),
/// with intents O(neighbours · KERB_INTENT_PLACES) for those near, and at most 16 zones
KERB_API kerb_avoid_answer kerb_avoid_others(kerb_avoid* avoid, const kerb_avoid_settings* settings,
                                             const kerb_way* way, const kerb_neighbour* neighbours,
                                             int32_t count, float time_step);

/// Distance behind the vehicle to the nearest neighbour that it would meet reversing straight; far
/// away (1e6) when none. [m] O(neighbours)
KERB_API float kerb_room_behind(const kerb_way* way, const kerb_neighbour* neighbours,
                                int32_t count);

#endif
