// Kerb lane: a driver that keeps its lane by ray casts, without path and map.
//
// In every frame the lane keeper lists the rays that it needs. The host casts them in its own world
// (physics engine, navigation mesh, polylines) and returns what they hit. The keeper then returns
// what a player would press: throttle, brake, steering and gear.
//
// The idea is that of N. Augustin, "The simple maths behind bot cars" (2019). From a point ahead of
// the vehicle a ray goes to the edge of the road. The edge's normal there leads back to the lane:
//
//     ══════════════════════╤══════════  edge of the road
//                           │  edge_distance, along the normal of the edge
//                           ◎  target (P_DriveTo in the source): the vehicle steers to it
//     ▭▷ ─ ─ ─ ─ ─ ─ ─ ─ ─ ─ ●  look-ahead point (P_Ahead in the source): the ray begins here
//
// Order of calls:
//   1. Describe the vehicle: kerb_vehicle_default, then the values of your vehicle (vehicle.h).
//   2. Make a keeper: kerb_lane_keeper_make. It drives in the direction of the road that the
//      vehicle faces. kerb_lane_keeper_set_direction sets another direction.
//   3. In every frame: kerb_lane_keeper_rays, your ray casts, kerb_lane_keeper_drive.
//
//     kerb_vehicle vehicle = kerb_vehicle_default();
//     kerb_lane_keeper keeper = kerb_lane_keeper_make(&vehicle);
//     keeper.settings.speed = 20.0f; // [m/s], may change at any time
//     for (;;) {                     // one round: one frame
//         kerb_motion motion = your_car_motion();
//         kerb_lane_ray rays[KERB_LANE_RAYS_MAX];
//         kerb_lane_hit hits[KERB_LANE_RAYS_MAX];
//         int32_t count = kerb_lane_keeper_rays(&keeper, &motion, rays);
//         for (int32_t i = 0; i < count; i++)
//             hits[i] = your_ray_cast(&rays[i]);
//         kerb_controls controls =
//             kerb_lane_keeper_drive(&keeper, rays, hits, count, &motion, NULL, 1.0f / 60.0f);
//         your_car_step(&controls, 1.0f / 60.0f);
//     }
//
// Lane changes: change settings.edge_distance. As soon as its rays find the other lane clear, the
// keeper moves smoothly into it.
//
// Other vehicles: the keeper follows the vehicle ahead at a gap and brakes for oncoming vehicles in
// its lane. It drives round stopped and slow vehicles where its rays find clearance. The less time
// is left, the harder it steers.
//
// Recovery: a vehicle that has spun, or is stuck in front of an edge, backs out and turns into the
// direction of its lane. When that fails, it requests a teleport: reason KERB_REASON_TELEPORT.
//
// Moved by the host: when the vehicle is elsewhere than it can have driven to, the keeper forgets
// the road and begins anew where it is, also while it is stuck. It is sure of that one frame later,
// and repeats its last controls meanwhile, because the next position may show that the jump was a
// glitch. When the origin of the world moves, call kerb_lane_keeper_shift_origin.
//
// Far from the origin a float cannot say exactly where the vehicle is: 100 km away its places are
// 0.008 m apart. The keeper counts places from a point near the vehicle, and follows the velocity
// across its direction of motion as long as the position agrees to one float place. So up to 100 km
// its wheels turn as near the origin, if the host answers rays exactly from the origins that it is
// given. What is left: a lateral offset of up to one place, and the edges, if the host keeps them
// as floats. An edge of pieces of 1.5 m then bends by up to 0.005 rad from piece to piece at 100
// km, and by ten times as much at 1,000 km, where the world ends (KERB_POSITION_MAX).
//
// Memory and threads: a keeper is one struct without pointers. Copy it to save a game; copy it back
// to return to that frame. A copy is valid only in the same build of the library;
// kerb_lane_keeper_save and kerb_lane_keeper_load work across builds. The keeper keeps no reference
// to rays, hits, motion and surroundings: they must live during the call only. Several threads may
// drive different keepers at the same time. Only one thread at a time may use one keeper.
//
// It does NOT:
//   - cast rays: the host does;
//   - detect what no ray hits: things between two rays, and things hidden behind others;
//   - know what a junction is, or turn off where the road branches;
//   - read the neighbours in kerb_surroundings: it knows other vehicles only from rays;
//   - drive in reverse, except to recover.
#ifndef KERB_LANE_H
#define KERB_LANE_H

#include "control.h"
#include "private/lane_keeper_memory.h"

/// Greatest number of rays in one frame.
#define KERB_LANE_RAYS_MAX 10

// --------------------------------------------------------------------------- settings

/// The edges from which the lane is measured.
typedef enum kerb_lane_edge {
    KERB_LANE_RIGHT, ///< `edge_distance` from the right edge; where that ends, uses the left one
    KERB_LANE_LEFT,  ///< `edge_distance` from the left edge: for driving on the left
    KERB_LANE_BOTH   ///< as KERB_LANE_RIGHT, but the mean of what both edges give
} kerb_lane_edge;

/// "right", "left" or "both"; "unknown" out of range. Never NULL.
KERB_API const char* kerb_lane_edge_text(kerb_lane_edge value);

/// How the curvature to the target becomes an angle of the wheels.
typedef enum kerb_lane_steering {
    KERB_LANE_BICYCLE, ///< tan(angle) = wheelbase/radius, plus the understeer of the vehicle
    /// The source's estimate by the law of cosines, angle = acos(1 - wheelbase²/(2·radius²))/2:
    /// about half the angle of KERB_LANE_BICYCLE. For vehicles that turn more sharply than their
    /// steering angle implies. Other vehicles run wide in bends.
    KERB_LANE_COSINES
} kerb_lane_steering;

/// "bicycle" or "cosines"; "unknown" out of range. Never NULL.
KERB_API const char* kerb_lane_steering_text(kerb_lane_steering value);

/// How the keeper reacts to stopped and slow vehicles in its lane.
typedef enum kerb_lane_obstacles {
    KERB_LANE_STAY, ///< it stays in its lane, brakes and waits behind them
    KERB_LANE_AVOID ///< it drives round them where its rays find clearance
} kerb_lane_obstacles;

/// "stay" or "avoid"; "unknown" out of range. Never NULL.
KERB_API const char* kerb_lane_obstacles_text(kerb_lane_obstacles value);

/// All settings of a lane keeper. They may change between any two frames.
/// kerb_lane_settings_table has ranges and defaults as data.
typedef struct kerb_lane_settings {
    /// kerb_lane_edge. Default: KERB_LANE_RIGHT.
    int32_t edge;
    /// kerb_lane_steering. Default: KERB_LANE_BICYCLE.
    int32_t steering;
    /// kerb_lane_obstacles. Default: KERB_LANE_AVOID.
    int32_t obstacles;
    /// Distance from the edge of the road to the middle of the vehicle (D_side in the source). It
    /// chooses the lane. [m] [0.01 … 100] Default: 1.75.
    float edge_distance;
    /// Desired speed on a straight. [m/s] [0.01 … 1500] Default: 20.
    float speed;
    /// Desired lateral acceleration in bends. The keeper uses at most half of what the vehicle's
    /// grip allows. [m/s²] [0.01 … 500] Default: 4.
    float lateral_acceleration;
    /// Desired deceleration for what lies ahead. [m/s²] [0.01 … 500] Default: 3.5.
    float deceleration;
    /// Desired acceleration while the speed rises. [m/s²] [0.01 … 500] Default: 2.5.
    float acceleration;
    /// Speed control: from the speed error to an acceleration.
    kerb_speed_settings speed_control;
    /// Time of look-ahead: the distance to the look-ahead point is this time multiplied by the
    /// speed, clamped to the two limits below. For vehicles that steer slowly the keeper uses a
    /// longer time. [s] [0 … 5] Default: 0.6.
    float lookahead_time;
    /// Shortest look-ahead distance. [m] [0.05 … 1000] Default: 5.
    float lookahead_min;
    /// Longest look-ahead distance. [m] [0.05 … 2000] Default: 25.
    float lookahead_max;
    /// Length of the rays to the edges beside the look-ahead point. [m] [0.05 … 2000] Default: 25.
    float side_reach;
    /// Greatest length of the rays ahead. A ray along the lane has at least 20 m. A ray to a
    /// stopped vehicle that the keeper remembers may be 20 m longer than this setting. [m]
    /// [0.5 … 10000] Default: 150.
    float sight;
    /// Shortest duration of a lane change. [s] [0.1 … 60] Default: 3.
    float lane_change_time;
    /// Greatest lateral acceleration of a lane change. Where needed, the change takes longer.
    /// [m/s²] [0.01 … 500] Default: 3.
    float lane_change_acceleration;
    /// Greatest lateral acceleration that the steering commands, also round an obstacle. [m/s²]
    /// [0.01 … 500] Default: 7.
    float avoid_acceleration;
    /// How far it moves sideways to pass an obstacle; less where an edge is near. [m]
    /// [0.01 … 200] Default: 3.
    float avoid_offset;
    /// Margin between its side and edges or other vehicles. [m] [0 … 50] Default: 0.3.
    float margin;
    /// Time gap to a moving vehicle ahead. [s] [0 … 10] Default: 1.2.
    float gap_time;
    /// Gap to a stopped vehicle ahead. [m] [0 … 500] Default: 2.
    float gap_min;
    /// Distance that it still drives after it has lost the edge; then it stops. Where the
    /// edge suddenly jumps outwards, as at a side road, the keeper ignores the jump for this
    /// distance. [m] [0 … 5000] Default: 40.
    float edge_loss_distance;
    /// When the vehicle counts as stuck, and what it does then. A vehicle at standstill in front of
    /// an edge, at an angle to its lane, also counts.
    kerb_stuck_settings stuck;
} kerb_lane_settings;

/// Range, default and meaning of every setting.
KERB_API const kerb_settings_table kerb_lane_settings_table;

/// The defaults: 1.75 m from the right edge, 20 m/s, bicycle steering, driving round obstacles.
/// O(1)
KERB_API kerb_lane_settings kerb_lane_settings_default(void);

/// The defaults for a vehicle of any size: all lengths, speeds and accelerations times
/// kerb_vehicle_scale, which is 1 for vehicles of roads for cars. O(1)
KERB_API kerb_lane_settings kerb_lane_settings_of(const kerb_vehicle* vehicle);

// --------------------------------------------------------------------------- rays

/// What the keeper uses a ray for. The host casts all rays in the same way.
typedef enum kerb_lane_ray_purpose {
    KERB_LANE_RAY_EDGE,    ///< from the look-ahead point to the edge of its lane (kerb_lane_edge)
    KERB_LANE_RAY_ACROSS,  ///< from the look-ahead point to the other edge
    KERB_LANE_RAY_LOOKOUT, ///< to the farthest visible part of the road: bends, walls, its end
    KERB_LANE_RAY_LANE,    ///< from a front corner along the lane: finds the vehicle ahead
    KERB_LANE_RAY_BESIDE,  ///< from the side of the vehicle into another lane
    KERB_LANE_RAY_BEHIND,  ///< back along another lane; straight back while it backs out
    KERB_LANE_RAY_AHEAD,   ///< forward along another lane
    KERB_LANE_RAY_SCAN     ///< to each edge in turn, nearer each time: finds how the edge bends
} kerb_lane_ray_purpose;

/// In a few words, such as "other edge"; "unknown" out of range. Never NULL.
KERB_API const char* kerb_lane_ray_purpose_text(kerb_lane_ray_purpose value);

/// A question to the host: what does this ray hit first, within `length`? The vehicle's own body
/// must not count as a hit.
typedef struct kerb_lane_ray {
    kerb_vec3 origin;    ///< in world axes [m]
    kerb_vec3 direction; ///< unit vector, horizontal
    float length;        ///< [m] [> 0]
    int32_t purpose;     ///< kerb_lane_ray_purpose
} kerb_lane_ray;

/// What a ray hit.
typedef enum kerb_lane_hit_kind {
    KERB_LANE_HIT_NOTHING, ///< nothing within the ray's length
    KERB_LANE_HIT_EDGE,    ///< the edge of the road, of any kind
    KERB_LANE_HIT_WALL,    ///< a wall instead of a kerb; treated as an edge
    KERB_LANE_HIT_VEHICLE  ///< anything that moves, may move, or is on the road
} kerb_lane_hit_kind;

/// "nothing", "edge", "wall" or "vehicle"; "unknown" out of range. Never NULL.
KERB_API const char* kerb_lane_hit_kind_text(kerb_lane_hit_kind value);

/// The host's answer to a ray. An answer counts as nothing hit when a number that it needs is not
/// finite, when `distance` lies outside the ray, when `kind` is unknown, when the horizontal part
/// of `normal` is shorter than 0.001, or when `velocity` is more than 1000 m/s.
typedef struct kerb_lane_hit {
    int32_t kind;       ///< kerb_lane_hit_kind
    float distance;     ///< from the ray's origin [m] [0 … length]
    kerb_vec3 normal;   ///< EDGE, WALL: unit normal of the surface, on the side of the ray's origin
    kerb_vec3 velocity; ///< VEHICLE: its velocity in world axes [m/s]
} kerb_lane_hit;

// --------------------------------------------------------------------------- the keeper

/// What the keeper decided in the last frame, for drawing and for the host's own rules.
typedef struct kerb_lane_decision {
    kerb_vec3 lookahead_point; ///< P_Ahead, in world axes [m]
    kerb_vec3 target;          ///< P_DriveTo: the point that it steers to, in world axes [m]
    float commanded_curvature; ///< of the arc to `target`, left positive; recovery ignores it [1/m]
    float lane_curvature;      ///< of the lane here, measured from its edges, left positive [1/m]
    float limiting_curvature;  ///< of the bend that limits the speed; 0: none does [1/m] [>= 0]
    float target_speed;        ///< speed set point [m/s] [>= 0]
    float edge_distance;       ///< desired now; differs from the setting during a change [m]
    float road_width;          ///< of the road; 0: not known [m]
    float sight;               ///< length of road ahead that was seen to be clear [m]
    float gap;                 ///< to the vehicle ahead in its lane; -1: none [m]
    bool edge_seen;     ///< it measures from its own edge; false: from the other or from memory
    bool changing;      ///< changes to another lane
    bool avoiding;      ///< drives round an obstacle, or has not returned to its lane yet
    kerb_reason reason; ///< as in the controls
    /// What the host tells wrongly, found in the first minute of driving; see kerb/host_check.h.
    /// KERB_HOST_NO_MISTAKE: nothing is known.
    kerb_host_mistake host_mistake;
} kerb_lane_decision;

/// A lane keeper: settings, vehicle and memory. Plain data without pointers. Settings and vehicle
/// may change between any two frames.
typedef struct kerb_lane_keeper {
    kerb_lane_settings settings;
    kerb_vehicle vehicle;        ///< what the vehicle can do
    kerb_lane_decision decision; ///< of the last frame
    kerb_controls controls;      ///< of the last frame
    /// Frames with an impossible motion or time step, or one longer than KERB_TIME_STEP_MAX.
    int32_t bad_frames;

    /// What it remembers. No interface: see kerb/private/lane_keeper_memory.h.
    kerb_lane_keeper_memory memory;
} kerb_lane_keeper;

/// A new keeper for a copy of `vehicle`, with kerb_lane_settings_of. Allocates nothing. O(1)
///
/// Settings and vehicle must be valid whenever it drives; kerb_settings_validate and
/// kerb_vehicle_validate check them. Driving with invalid ones asserts.
KERB_API kerb_lane_keeper kerb_lane_keeper_make(const kerb_vehicle* vehicle);

/// Makes a keeper in place, like kerb_lane_keeper_make. See "saved objects" in kerb/base.h.
KERB_API void kerb_lane_keeper_init(kerb_lane_keeper* keeper, const kerb_vehicle* vehicle);

/// Size of a keeper. [bytes]
KERB_API size_t kerb_lane_keeper_bytes(void);

/// Size of the block that saves a keeper; writes the block where it fits. See kerb/base.h. [bytes]
KERB_API size_t kerb_lane_keeper_save(const kerb_lane_keeper* keeper, void* block, size_t capacity);

/// Loads a keeper from a block. Refuses blocks of other types, versions and builds; see
/// kerb/base.h.
KERB_API kerb_result kerb_lane_keeper_load(kerb_lane_keeper* keeper, const void* block, size_t size,
                                           kerb_error* error);

/// Tells the keeper that the world's origin has moved to `new_origin`, given in the old
/// coordinates: new positions are old ones minus `new_origin`. It drives on with the same controls.
/// Call it between a drive call and the next kerb_lane_keeper_rays. [m] O(1)
KERB_API void kerb_lane_keeper_shift_origin(kerb_lane_keeper* keeper, kerb_vec3 new_origin);

/// Sets the direction along the road in which to drive, and resets the keeper's memory. Call it
/// before the first frame, or after the host moved the vehicle. A vehicle that faces another
/// direction turns round, in as many moves as the width of the road requires. O(1)
///
/// direction: in world axes. Only its horizontal part counts. It must differ from the road's
///     direction by less than about 60 degrees. A vector that is not finite or is vertical means
///     the direction that the vehicle faces, as without this call.
KERB_API void kerb_lane_keeper_set_direction(kerb_lane_keeper* keeper, kerb_vec3 direction);

/// Lists the rays that the keeper needs in this frame and returns their number. O(1), allocates
/// nothing.
///
/// The rays are horizontal, at the height of the reference point. Their number is 5 while it keeps
/// its lane, with a sixth in every third frame. It is 7 while the vehicle backs out, and up to
/// KERB_LANE_RAYS_MAX while the keeper looks into another lane. It is 0 when the motion is
/// impossible (kerb_motion_validate).
///
/// The keeper stores what it computes here, and kerb_lane_keeper_drive uses it when it gets the
/// same motion.
KERB_API int32_t kerb_lane_keeper_rays(kerb_lane_keeper* keeper, const kerb_motion* motion,
                                       kerb_lane_ray rays[KERB_LANE_RAYS_MAX]);

/// Drives one frame: returns the controls to apply until the next call. Allocates nothing. O(count)
///
/// rays, hits: the rays of this frame and the answers, in the same order.
/// count: number of both. [0 … KERB_LANE_RAYS_MAX]
/// motion: of the vehicle now. A motion that is impossible (kerb_motion_validate) gives the safe
///     controls (brake held, wheels straight, neutral) with KERB_REASON_BAD_MOTION, and the keeper
///     remembers nothing of it.
/// surroundings: only `speed_cap` and `grip` are used. NULL: no cap, grip 1.
/// time_step: time since the last call. [s] Below KERB_TIME_STEP_MIN, or not finite: the last
///     controls again, with KERB_REASON_BAD_STEP. Above KERB_TIME_STEP_MAX: driven as that.
///
/// All these frames are counted in `bad_frames`.
KERB_API kerb_controls kerb_lane_keeper_drive(kerb_lane_keeper* keeper, const kerb_lane_ray* rays,
                                              const kerb_lane_hit* hits, int32_t count,
                                              const kerb_motion* motion,
                                              const kerb_surroundings* surroundings,
                                              float time_step);

// --------------------------------------------------------------------------- from the source

/// The target for a hit on an edge (P_DriveTo in the source): `distance` from `hit` along the
/// horizontal part of the edge's `normal`. [m] O(1)
KERB_API kerb_vec3 kerb_lane_target_point(kerb_vec3 hit, kerb_vec3 normal, float distance);

/// The angle of the wheels for a curvature by the law of cosines (KERB_LANE_COSINES), left
/// positive. The curvature is clamped to ±2/wheelbase. [rad] O(1)
KERB_API float kerb_lane_angle_by_cosines(float wheelbase, float curvature);

#endif
