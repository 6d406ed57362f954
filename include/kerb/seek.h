// Kerb seek: arrive at a position with a given heading.
//
// Four tools, for agents that cannot turn on the spot:
//     kerb_directed_seek     drives to a position and arrives there with a given heading
//     kerb_attack_goal       chooses a position and heading from which a target is within reach
//     kerb_directed_pursue   gets behind a moving target, with the target's heading and speed
//     kerb_parker_drive      brings a vehicle to rest exactly at a pose
//
// The first three return desired steering (steer.h); apply it in each frame. The parker returns the
// controls of a vehicle. An agent that drives to a goal and arrives in the direction of the x axis:
//
//     kerb_directed_seek_settings settings = kerb_directed_seek_settings_default(); // once
//     settings.method = KERB_DIRECTED_DUBINS;
//     kerb_directed_goal goal = {{50, 20, 0}, {1, 0, 0}, 0.0f, agent.turning_radius};
//     kerb_directed_decision decision;
//     // In each frame:
//     kerb_steering desired = kerb_directed_seek(&settings, &agent, &goal, time_step, &decision);
//     agent = kerb_agent_step(&agent, &desired, time_step); // or the host's physics
//     if (decision.stage == KERB_DIRECTED_AT_GOAL)
//         puts("it arrives in this step");
//
// A car that parks:
//
//     kerb_parker parker = kerb_parker_make(&vehicle); // once
//     kerb_controls controls = kerb_parker_drive(&parker, pose, &motion, NULL, time_step);
//     if (controls.reason == KERB_REASON_ARRIVED)
//         puts("it is parked");
//
// Threads and lifetimes: no function allocates. All functions may run on any thread at the same
// time, as long as no two of them use the same kerb_parker. A parker is plain data without
// pointers: copy it to save a game in the same build of the library; kerb_parker_save and
// kerb_parker_load work across builds. Arguments are read during the call only. Results are values
// and point to nothing.
//
// Does not: see obstacles or other agents. kerb_avoid_obstacles and kerb_avoid_agents can correct
// the desired steering; the parker needs free ground. A path round obstacles is the planner's work
// (plan.h).
#ifndef KERB_SEEK_H
#define KERB_SEEK_H

#include "control.h"
#include "curve.h"
#include "path.h"
#include "private/parker_memory.h"
#include "steer.h"

// --------------------------------------------------------------------------- directed seek

// Arrives at a position with a given heading, for agents that cannot turn on the spot (M. Jakob,
// "Directional extensions of seek steering behavior"; "the paper" below). In each step it computes
// the path again from where the agent is. It remembers nothing, so the host may move an agent at
// any time.
//
// A path consists of a first turn, a straight (or a middle turn) and a last turn.
//
// Agents move in steps. So they leave an arc a little before or after its end. From there no path
// of the same kind leads exactly to the goal. Therefore there is a tolerance. Circles that miss
// each other by less than the tolerance count as touching. A turn by almost a whole circle counts
// as a small turn to the other side. The tolerance is `arrival_distance` plus `arrival_share` of
// the distance driven in a step. The agent passes the goal within about the tolerance, provided
// that it drives at most a tenth of the turning radius in a step.

/// Which paths are considered, and which of them is taken.
typedef enum kerb_directed_method {
    KERB_DIRECTED_PAPER,        ///< Circle on the agent's side of the goal. Least turning wins.
    KERB_DIRECTED_BOTH_CIRCLES, ///< Both circles beside the goal. Least turning wins.
    KERB_DIRECTED_DUBINS,       ///< All six kinds of Dubins curves (curve.h). The shortest wins.
    KERB_DIRECTED_REVERSE       ///< Reeds-Shepp curves (curve.h); may reverse. The shortest wins.
} kerb_directed_method;

/// "paper", "both-circles", "dubins" or "reverse"; "unknown" out of range. Never NULL.
KERB_API const char* kerb_directed_method_text(kerb_directed_method value);

/// Which turning radius the plan uses, for an agent whose radius depends on its speed.
typedef enum kerb_directed_radius {
    KERB_DIRECTED_RADIUS_AGENT,  ///< The agent's present radius.
    KERB_DIRECTED_RADIUS_LARGER, ///< The larger of the agent's and the goal's radius.
    KERB_DIRECTED_RADIUS_TWO     ///< First turn: the agent's radius; last turn: the goal's.
} kerb_directed_radius;

/// "agent", "larger" or "two"; "unknown" out of range. Never NULL.
KERB_API const char* kerb_directed_radius_text(kerb_directed_radius value);

/// In which planes the paths lie. For agents on the level all three are the same.
typedef enum kerb_directed_space {
    KERB_DIRECTED_LEVEL,     ///< On the level; heights do not count.
    KERB_DIRECTED_ONE_PLANE, ///< Plane through the agent and the goal's line. (paper, section 4)
    KERB_DIRECTED_TWO_PLANES ///< Each turn in a plane of its own. (paper, section 6)
} kerb_directed_space;

/// "level", "one-plane" or "two-planes"; "unknown" out of range. Never NULL.
KERB_API const char* kerb_directed_space_text(kerb_directed_space value);

/// In space, a goal at least this many turning radii away is reached from every heading. Nearer
/// goals may be missed.
#define KERB_DIRECTED_SPACE_RADII_MIN 6.0f

/// How kerb_directed_seek plans. Ranges and defaults: kerb_directed_seek_settings_table.
typedef struct kerb_directed_seek_settings {
    int32_t method;         ///< A kerb_directed_method.
    int32_t radius;         ///< A kerb_directed_radius. DUBINS and REVERSE treat TWO as LARGER.
    int32_t space;          ///< A kerb_directed_space. Unless LEVEL, REVERSE acts as BOTH_CIRCLES.
    float arrival_distance; ///< Tolerance: constant part. [m] [>= 0]
    float arrival_share;    ///< Tolerance: share of the distance driven in a step. [1] [>= 0]
} kerb_directed_seek_settings;

KERB_API const kerb_settings_table kerb_directed_seek_settings_table;

/// All defaults.
KERB_API kerb_directed_seek_settings kerb_directed_seek_settings_default(void);

/// Where to arrive, and how.
typedef struct kerb_directed_goal {
    kerb_vec3 position;   ///< Where to arrive. [m]
    kerb_vec3 forward;    ///< Heading there. Any length but 0.
    float speed;          ///< Speed on arrival; 0: it stops there. [m/s] [>= 0]
    float turning_radius; ///< Tightest circle of the agent at that speed. [m] [> 0]
} kerb_directed_goal;

/// Which part of its path the agent is on. (paper, section 3.5)
typedef enum kerb_directed_stage {
    KERB_DIRECTED_NO_PATH,    ///< No path: a number is not finite, or the goal has no direction.
    KERB_DIRECTED_FIRST_TURN, ///< I: on the first turn, or on a middle turn.
    KERB_DIRECTED_STRAIGHT,   ///< II: on the straight.
    KERB_DIRECTED_LAST_TURN,  ///< III: on the last turn.
    KERB_DIRECTED_AT_GOAL     ///< The goal lies within this step.
} kerb_directed_stage;

/// In a few words, such as "first turn"; "unknown" out of range. Never NULL.
KERB_API const char* kerb_directed_stage_text(kerb_directed_stage value);

/// What kerb_directed_seek decided, for pictures and measurements.
typedef struct kerb_directed_decision {
    int32_t stage; ///< A kerb_directed_stage.
    /// The path in letters: "RSL" is right, straight, left. Small letters: in reverse. C: a turn in
    /// space.
    char word[KERB_CURVE_PIECES + 1];
    float turning;                   ///< Sum of all turns that are left, as positive angles. [rad]
    float distance;                  ///< Length of the path that is left. [m]
    kerb_vec3 first_centre;          ///< Centre of the first turn's circle. [m]
    kerb_vec3 last_centre;           ///< Centre of the last turn's circle. [m]
    float first_radius, last_radius; ///< Radii of these circles. [m]
    kerb_vec3 straight_from;         ///< End of the first turn. [m]
    kerb_vec3 straight_to;           ///< Start of the last turn. [m]
} kerb_directed_decision;

/// The desired steering for the next step of the path to `goal`.
///
/// On a straight the direction is straight ahead. In a turn it points to the side of the turn, at
/// right angles to the front. The angle is smaller where the planned turn is wider than the agent's
/// tightest circle. In a step in which a turn begins or ends, the direction is the heading of the
/// path at the end of the step. `decision` may be NULL.
///
/// On the level a pitched agent drives where its front points, seen from above.
///
/// None, and stage KERB_DIRECTED_NO_PATH, when a number is not finite or too great to be squared
/// (the bounds are named in kerb/steer.h), when goal or agent have no direction (on the level: no
/// level direction), or when the time step is below 0. O(1). BOTH_CIRCLES and DUBINS cost about
/// three times as much as PAPER, REVERSE six times, a first turn in two planes twelve times.
KERB_API kerb_steering kerb_directed_seek(const kerb_directed_seek_settings* settings,
                                          const kerb_agent* agent, const kerb_directed_goal* goal,
                                          float time_step, kerb_directed_decision* decision);

// --------------------------------------------------------------------------- where to arrive

/// The reach of a weapon, a camera or a hose, measured from the agent's centre.
typedef struct kerb_attack_arc {
    float range_min;  ///< Shortest distance. [m] [>= 0]
    float range_max;  ///< Longest distance. [m] [>= range_min]
    float bearing;    ///< Middle of the arc from the front, left positive; π/2: to the left. [rad]
    float half_width; ///< Greatest angle from the middle; in space a cone. [rad] [>= 0]
} kerb_attack_arc;

/// True when the target is within range and arc now. In space the agent counts as not banked. O(1)
KERB_API bool kerb_attack_reaches(const kerb_agent* agent, const kerb_attack_arc* arc,
                                  kerb_vec3 target);

/// A goal for kerb_directed_seek from which the target is within range and arc.
///
/// At the goal the target is well within range and arc: a seventh of each is left between the
/// target and either border, sometimes only a fourteenth. Of all such goals it has nearly the
/// shortest Dubins curve. The agent arrives with `speed` [m/s]; 0: it stops there. Call this once
/// and keep the goal until the target moves: when it is called in every step, one agent in a
/// hundred changes its goal while it drives.
///
/// Returns the agent's own pose when the target is within reach already, or when a number is not
/// finite. In space, drive there with KERB_DIRECTED_TWO_PLANES; a goal that is at least
/// KERB_DIRECTED_SPACE_RADII_MIN turning radii away is reached for certain. O(1), but it computes
/// hundreds of paths; in space it costs about twenty times as much as on the level.
KERB_API kerb_directed_goal kerb_attack_goal(const kerb_agent* agent, const kerb_attack_arc* arc,
                                             kerb_vec3 target, float speed);

/// Where the agent is after `time` [s] if it keeps its speed and its turn rate: on an arc, or in
/// space on a helix. A time below 0 gives the past. `angular_velocity` is the axis of the turn
/// times the rate; a left turn on the level is (0, 0, rate) [rad/s]. O(1)
KERB_API kerb_agent kerb_agent_predict(const kerb_agent* agent, kerb_vec3 angular_velocity,
                                       float time);

/// Gets behind a moving target and stays there, with the target's heading and speed.
///
/// The place to reach lies `distance` behind the target [m] [>= 0], centre to centre, on the arc
/// that the target drives (kerb_agent_predict). The agent arrives as early as it can within
/// `horizon` [s] [> 0], on the path that `settings` choose. When it cannot arrive by then, it
/// drives to the place where the target will be at the horizon. `goal` (may be NULL) receives the
/// goal where they meet. None when a number is not finite. O(1): at most 33 times
/// kerb_directed_seek.
KERB_API kerb_steering kerb_directed_pursue(const kerb_directed_seek_settings* settings,
                                            const kerb_agent* agent, const kerb_agent* target,
                                            kerb_vec3 angular_velocity, float distance,
                                            float horizon, float time_step,
                                            kerb_directed_goal* goal);

// --------------------------------------------------------------------------- parking

/// How a kerb_parker drives. Ranges and defaults: kerb_parker_settings_table.
typedef struct kerb_parker_settings {
    float speed;                 ///< Greatest speed. [m/s] [> 0]
    float acceleration;          ///< Greatest acceleration. [m/s²] [> 0]
    float deceleration;          ///< Deceleration before a stop or a bend. [m/s²] [> 0]
    float radius_factor;         ///< Planned turning radius divided by the tightest one. [1] [>= 1]
    float direction_change_cost; ///< A change of direction costs as much as this length. [m] [>= 0]
    float reverse_cost_factor;   ///< Cost of a metre in reverse, in metres forwards. [1] [> 0]
    float position_tolerance; ///< Greatest distance to the goal that counts as arrived. [m] [> 0]
    float heading_tolerance;  ///< Greatest heading error that counts as arrived. [rad] [> 0]
    float replan_distance;    ///< Cross-track error at which it plans again. [m] [> 0]
    kerb_speed_settings speed_control;
} kerb_parker_settings;

KERB_API const kerb_settings_table kerb_parker_settings_table;

/// All defaults.
KERB_API kerb_parker_settings kerb_parker_settings_default(void);

/// What a parker is doing.
typedef enum kerb_parker_phase {
    KERB_PARKER_PLANS,        ///< Comes to rest and plans a path.
    KERB_PARKER_TURNS_WHEELS, ///< Turns the wheels at standstill.
    KERB_PARKER_PIVOTS,       ///< TRACKED and HOVER: turns on the spot.
    KERB_PARKER_DRIVES,       ///< Drives along its path.
    KERB_PARKER_STOPS,        ///< Stops to change direction, or at the end of its path.
    KERB_PARKER_ARRIVED,      ///< At standstill at its goal.
    KERB_PARKER_PHASE_COUNT
} kerb_parker_phase;

/// In a few words, such as "turning the wheels"; "unknown" out of range. Never NULL.
KERB_API const char* kerb_parker_phase_text(kerb_parker_phase value);

/// Drives a vehicle to a pose and stops it there. Plain data; read it at any time.
typedef struct kerb_parker {
    kerb_parker_settings settings;
    kerb_vehicle vehicle;
    kerb_controls controls; ///< Controls that it returned last.
    /// Frames with an impossible motion, goal or time step, or a step above KERB_TIME_STEP_MAX.
    int32_t bad_frames;
    int32_t phase;           ///< A kerb_parker_phase.
    int32_t plan_count;      ///< Number of paths planned for the present goal. [>= 0]
    kerb_curve path;         ///< Path of the centre of the rear axle.
    float station;           ///< Distance along that path. [m]
    float cross_track_error; ///< From that path, to the left of its front positive. [m]
    float heading_error;     ///< Angle of the front from the path, left positive. [rad]
    /// What it remembers. No interface: see kerb/private/parker_memory.h.
    kerb_parker_memory memory;
} kerb_parker;

/// A new parker without a goal, with default settings. The vehicle must be valid
/// (kerb_vehicle_validate).
KERB_API kerb_parker kerb_parker_make(const kerb_vehicle* vehicle);

/// Makes a parker in place, like kerb_parker_make. See "saved objects" in kerb/base.h.
KERB_API void kerb_parker_init(kerb_parker* parker, const kerb_vehicle* vehicle);

/// Size of a parker. [bytes]
KERB_API size_t kerb_parker_bytes(void);

/// Size of the block that saves a parker; writes the block where it fits. See kerb/base.h. [bytes]
KERB_API size_t kerb_parker_save(const kerb_parker* parker, void* block, size_t capacity);

/// Loads a parker from a block. Refuses blocks of other types, versions and builds; see
/// kerb/base.h.
KERB_API kerb_result kerb_parker_load(kerb_parker* parker, const void* block, size_t size,
                                      kerb_error* error);

/// Returns the controls that bring the vehicle to rest with its reference point at `goal` and its
/// front in the goal's direction (any length but 0). The goal is level; heights do not count.
///
/// - It plans the cheapest path, out of all Reeds-Shepp curves (48 kinds) and Dubins curves (6).
///   Driving in reverse and changes of direction cost extra (see the settings).
/// - The planned circles are a little wider than the tightest. At the end of an arc it turns the
///   wheels half before and half after the end. Where the direction changes it turns them at
///   standstill. So it stays within centimetres of its plan.
/// - When something pushes it off its path, it stops and plans again.
/// - TRACKED may also turn on the spot. HOVER only turns on the spot and drives straight.
/// - It sees no obstacles and no other vehicles: use it on free ground. Of `surroundings` (may be
///   NULL) only `speed_cap` counts.
/// - The reason is KERB_REASON_ARRIVED when it is at rest at the goal.
/// - Impossible motion (kerb_motion_validate), or a goal that is not finite or farther than
///   KERB_POSITION_MAX: the safe controls (KERB_REASON_BAD_MOTION). A time step below
///   KERB_TIME_STEP_MIN or not finite: the last controls again (KERB_REASON_BAD_STEP). A step above
///   KERB_TIME_STEP_MAX: driven as one of that length. All these frames count in `bad_frames`.
/// - A vehicle that is elsewhere than it can have driven to is parked from there. The parker is
/// sure
///   of that one frame later. Meanwhile it repeats its last controls, because the next position may
///   show that the jump was a glitch.
///
/// O(1), allocates nothing. A frame in which it plans costs the most.
KERB_API kerb_controls kerb_parker_drive(kerb_parker* parker, kerb_pose goal,
                                         const kerb_motion* motion,
                                         const kerb_surroundings* surroundings, float time_step);

/// Tells the parker that the world's origin has moved to `new_origin`, given in the old
/// coordinates: new positions are old ones minus `new_origin`. It drives on with the same controls,
/// also when the goal of the next call differs from the moved one by the rounding of floats. [m]
/// O(1)
KERB_API void kerb_parker_shift_origin(kerb_parker* parker, kerb_vec3 new_origin);

#endif
