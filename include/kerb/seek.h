// Kerb seek: arrive at a place, facing a given direction.
//
// Directed seek for agents that cannot turn on the spot, goals chosen from what an agent wants to
// reach, pursuit to a pose behind a target, and a parker that brings a vehicle to rest at a pose.
//
//     kerb_steering wish = kerb_directed_seek(&settings, &agent, &goal, time_step, NULL);
//     kerb_controls controls = kerb_parker_drive(&parker, goal, &motion, NULL, time_step);
//
// Does not: find a way round what stands in the way (that is the planner's work).
#ifndef KERB_SEEK_H
#define KERB_SEEK_H

#include "control.h"
#include "curve.h"
#include "path.h"
#include "steer.h"

// --------------------------------------------------------------------------- directed seek

// Arriving at a place and facing a given way there, for what cannot turn on the spot (M. Jakob,
// "Directional extensions of seek steering behavior"). Each step thinks the way out anew from where
// the agent is: nothing is remembered, and being pushed aside does no harm.
//
// Agents move in steps, so they leave an arc a little before or after its end, and exactly no way
// of the same kind leads on from there. So circles that miss one another by a little count as
// touching, and turns that lack a little of a whole circle count as little turns the other way. A
// little is `arrival_distance` and `arrival_share` of the metres in a step. The agent passes the
// goal within about that, where a step is at most a tenth of the turning radius.

/// Which ways are thought out, and which of them is the best.
typedef enum kerb_directed_way {
    KERB_DIRECTED_PAPER,        ///< by the circle on the agent's side of the goal: least turning
    KERB_DIRECTED_BOTH_CIRCLES, ///< by either circle beside the goal: least turning
    KERB_DIRECTED_DUBINS,       ///< by all six words of Dubins: least length
    KERB_DIRECTED_REVERSE       ///< by the words of Reeds and Shepp, in reverse where shorter
} kerb_directed_way;

/// How wide turns are planned for an agent whose tightest circle depends on its speed.
typedef enum kerb_directed_radius {
    KERB_DIRECTED_RADIUS_AGENT,  ///< as the agent's now
    KERB_DIRECTED_RADIUS_LARGER, ///< as the agent's now or at the goal's speed: the larger
    KERB_DIRECTED_RADIUS_TWO     ///< the first as the agent's now, the last as at the goal's speed
} kerb_directed_radius;

/// Where the ways lie. For agents on the level both are the same.
typedef enum kerb_directed_space {
    KERB_DIRECTED_LEVEL,     ///< heights count for nothing
    KERB_DIRECTED_ONE_PLANE, ///< in the plane through the agent and the goal's line (section 4)
    KERB_DIRECTED_TWO_PLANES ///< turns at once into the straight, in a plane of its own (section 6)
} kerb_directed_space;

/// Goals nearer than so many turning radii need not be reached in space from every heading; all
/// others are.
#define KERB_DIRECTED_SPACE_LEAST 6.0f

/// How kerb_directed_seek thinks. A settings struct.
typedef struct kerb_directed_seek_settings {
    int32_t way;    ///< kerb_directed_way
    int32_t radius; ///< kerb_directed_radius; KERB_DIRECTED_DUBINS and _REVERSE: TWO is LARGER
    int32_t space;  ///< kerb_directed_space; off the level, REVERSE is BOTH_CIRCLES
    float arrival_distance; ///< from the goal that counts as there, or on the way [m] [>= 0]
    float arrival_share;    ///< and of the metres in a step [1] [>= 0]
} kerb_directed_seek_settings;

KERB_API const kerb_settings_table kerb_directed_seek_settings_table;

/// All defaults.
KERB_API kerb_directed_seek_settings kerb_directed_seek_settings_default(void);

/// Where to arrive, and how.
typedef struct kerb_directed_goal {
    kerb_vec3 position; ///< [m]
    kerb_vec3 forward;  ///< the way to face there, of any length but 0
    float speed;        ///< wanted there; the agent brakes in time for it; 0: stop [m/s] [>= 0]
    float turn_radius;  ///< the agent's tightest circle at that speed [m] [> 0]
} kerb_directed_goal;

/// What part of its way the agent is on (paper, section 3.5).
typedef enum kerb_directed_stage {
    KERB_DIRECTED_LOST,     ///< no way: numbers that are none, a goal without a direction
    KERB_DIRECTED_TURN,     ///< I: turns towards the straight, or on to the last turn
    KERB_DIRECTED_STRAIGHT, ///< II
    KERB_DIRECTED_LAST,     ///< III: turns into the goal's direction
    KERB_DIRECTED_THERE     ///< the goal lies within this step
} kerb_directed_stage;

/// What kerb_directed_seek thought, to be drawn or measured.
typedef struct kerb_directed_thoughts {
    int32_t stage;                    ///< kerb_directed_stage
    char word[KERB_CURVE_PIECES + 1]; ///< "RSL": right, straight, left; small: reverse; in space C
    float turning;                    ///< all that it will turn [rad]
    float distance;                   ///< all that it will drive [m]
    kerb_vec3 first_centre;           ///< of the circle that it turns on first
    kerb_vec3 last_centre;            ///< of the circle that it turns on last
    float first_radius, last_radius;  ///< [m]
    kerb_vec3 straight_from;          ///< where the first turn ends
    kerb_vec3 straight_to;            ///< where the last turn begins
} kerb_directed_thoughts;

/// The wish of one step on the way to `goal`: straight on, or across to the side of a turn, or, in
/// a step in which a turn ends or begins, just what leads on. `thoughts` may be NULL. Numbers that
/// are NaN or infinite, a goal without a direction (on the level: without one along it), or a time
/// step below 0: kerb_steering_none(), and KERB_DIRECTED_LOST. On the level about 80 ns
/// by PAPER, BOTH_CIRCLES and DUBINS three times, REVERSE six times that. In two planes a
/// first turn costs about 1 µs.
KERB_API kerb_steering kerb_directed_seek(const kerb_directed_seek_settings* settings,
                                          const kerb_agent* agent, const kerb_directed_goal* goal,
                                          float time_step, kerb_directed_thoughts* thoughts);

// --------------------------------------------------------------------------- where to arrive

/// What a weapon, a camera, a hose … reaches from an agent's middle.
typedef struct kerb_attack_arc {
    float range_least; ///< [m] [>= 0]
    float range_most;  ///< [m] [>= range_least]
    float middle;      ///< of the arc, from the front, left positive; π/2: broadside to port [rad]
    float half_width;  ///< of the arc, to all sides of its middle: in space a cone [rad] [>= 0]
} kerb_attack_arc;

/// True when the target lies within range and arc now; in space as from an agent without a bank.
/// O(1)
KERB_API bool kerb_attack_reaches(const kerb_agent* agent, const kerb_attack_arc* arc,
                                  kerb_vec3 target);

/// A pose from which the target lies within range and arc, with a seventh of either to spare: that
/// with the shortest way of Dubins, nearly. To be there with `speed`; 0: to stop there. Keep it
/// until the target has moved: asked in every step, one in a hundred changes its mind on the way.
/// Where the agent is, when the target is within reach already, or when numbers are NaN or
/// infinite. On the level about 30 µs, in space 0.6 ms: there by kerb_directed_seek in two planes,
/// which reaches it for sure from KERB_DIRECTED_SPACE_LEAST turning radii on.
KERB_API kerb_directed_goal kerb_attack_goal(const kerb_agent* agent, const kerb_attack_arc* arc,
                                             kerb_vec3 target, float speed);

/// The agent after a time when it goes on turning: `turning` is the axis times radians a second,
/// left on the level (0, 0, rate). With speed kept, on an arc, in space a helix; a time below 0:
/// where it was. O(1)
KERB_API kerb_agent kerb_agent_predict(const kerb_agent* agent, kerb_vec3 turning, float time);

/// Pursues a target to a place `gap` metres behind it on its arc (kerb_agent_predict), facing and
/// as fast as the target will then: it arrives there at the first time up to `horizon` seconds at
/// which it can, by the way that these settings take; where it never can, it heads for the place at
/// the horizon. Once there it keeps the place. `goal`, where they meet, may be NULL. Numbers that
/// are NaN or infinite: kerb_steering_none(). About 9 µs
/// by DUBINS. [gap: >= 0; horizon: > 0]
KERB_API kerb_steering kerb_directed_pursuit(const kerb_directed_seek_settings* settings,
                                             const kerb_agent* agent, const kerb_agent* target,
                                             kerb_vec3 turning, float gap, float horizon,
                                             float time_step, kerb_directed_goal* goal);

// --------------------------------------------------------------------------- parking

/// How a kerb_parker drives. A settings struct.
typedef struct kerb_parker_settings {
    float speed;           ///< greatest [m/s] [> 0]
    float acceleration;    ///< [m/s²] [> 0]
    float deceleration;    ///< [m/s²] [> 0]
    float radius_share;    ///< planned circles over the tightest one [1] [>= 1]
    float reversal_cost;   ///< metres that a change of direction counts as [m] [>= 0]
    float reverse_cost;    ///< metres that one in reverse counts as [1] [> 0]
    float position_error;  ///< at rest this near it has arrived [m] [> 0]
    float heading_error;   ///< … and this well aligned [rad] [> 0]
    float replan_distance; ///< so far off the way it thinks out another [m] [> 0]
    kerb_speed_settings speed_control;
} kerb_parker_settings;

KERB_API const kerb_settings_table kerb_parker_settings_table;

/// All defaults.
KERB_API kerb_parker_settings kerb_parker_settings_default(void);

typedef enum kerb_parker_phase {
    KERB_PARKER_PLANS,        ///< comes to rest, to think the way out
    KERB_PARKER_TURNS_WHEELS, ///< stands
    KERB_PARKER_PIVOTS,       ///< turns where it stands: TRACKED and HOVER
    KERB_PARKER_DRIVES,       ///< along the way
    KERB_PARKER_STOPS,        ///< where the direction changes, or at the end
    KERB_PARKER_ARRIVED,      ///< stands there
    KERB_PARKER_PHASE_COUNT
} kerb_parker_phase;

/// Drives a vehicle to a pose and stops there. Plain data.
typedef struct kerb_parker {
    kerb_parker_settings settings;
    kerb_vehicle vehicle;
    kerb_controls controls;  ///< that it gave last
    int32_t bad_frames;      ///< frames with motion or goals that were not finite, or a bad step
    int32_t phase;           ///< kerb_parker_phase
    int32_t plans;           ///< ways thought out for this goal so far
    kerb_curve way;          ///< of the rear axle's middle
    float driven;            ///< of it [m]
    float cross_track_error; ///< left of the way positive, facing along the vehicle [m]
    float heading_error;     ///< left positive [rad]
    struct {
        kerb_pose goal;
        bool has_goal;
        int32_t piece;    ///< first of the stretch of one direction being driven
        int32_t next;     ///< first of the one after it
        float begin, end; ///< of the stretch, along the way [m]
        float waited;     ///< in this phase, without getting on [s]
        kerb_pedal_memory pedals;
    } memory;
} kerb_parker;

/// A parker without a goal, default settings. The vehicle must be valid.
KERB_API kerb_parker kerb_parker_make(const kerb_vehicle* vehicle);

/// The controls that bring the vehicle's reference point to `goal` (level; heights count for
/// nothing) and its front to the goal's direction, of any length but 0, at rest: along the best way
/// of Reeds and Shepp's 48 and Dubins' six words, where reversing and changes of direction count as
/// dearer. Circles are a little wider than the tightest, the wheels turn half before and half after
/// an arc's end, and where the direction changes they turn standing: so what it drives is what it
/// planned, within centimetres. Pushed off its way, it stops and thinks out another.
///
/// TRACKED may also turn where they stand; HOVER only does that and goes straight. Reason
/// KERB_REASON_ARRIVED when there. It sees nobody and no walls: free ground. O(1); a frame in which
/// it plans about 30 µs.
KERB_API kerb_controls kerb_parker_drive(kerb_parker* parker, kerb_pose goal,
                                         const kerb_motion* motion,
                                         const kerb_surroundings* surroundings, float time_step);

#endif
