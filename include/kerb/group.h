// Kerb group: agents among agents. Flocks, collision avoidance, queues and formations.
//
// A behaviour of a group reads an agent and the others near it, and returns desired steering
// (steer.h). The others are in arrays, one array for each number (kerb_agents). A kerb_group
// selects some of them, usually those that a kerb_neighbour_grid found nearby.
//
// Call order in each frame: build the grid, decide for every agent, and only then move all agents,
// so that all decisions use the same positions. Agents of a flock that must not touch:
//
//     kerb_neighbour_grid_build(&grid, agents.x, agents.y, agents.z, agents.count, 10.0f);
//     for (int32_t i = 0; i < agents.count; i++) {
//         kerb_agent agent = kerb_agents_get(&agents, i);
//         int32_t found[32];
//         int32_t near = kerb_neighbours_within(&grid, agent.position, 20.0f, found, 32);
//         kerb_group group = {&agents, found, near < 32 ? near : 32, i};
//         desired[i] = kerb_flock_steer(&flock_settings, &agent, &group);
//         desired[i] = kerb_avoid_agents(&avoid_settings, &agent, &desired[i], &group, time_step);
//     }
//     // Now move every agent by desired[i]: kerb_agent_step, or the host's physics.
//
// A flock whose agents may touch needs only kerb_flock_update in each frame: one call finds all
// neighbours, decides and moves.
//
// Threads and lifetimes: only kerb_flock_create allocates. All functions may run on any thread at
// the same time, as long as none writes to arrays that another one reads (kerb_agents_set and
// kerb_flock_update write). One kerb_flock serves one thread at a time, from kerb_flock_create to
// kerb_flock_destroy. Arrays belong to the caller and are used during the call only. Results are
// values and point to nothing.
//
// Does not: avoid obstacles (kerb_avoid_obstacles in steer.h), know rules of the road, or plan a
// path among many obstacles (plan.h).
#ifndef KERB_GROUP_H
#define KERB_GROUP_H

#include "neighbour.h"
#include "path.h"
#include "seek.h"
#include "steer.h"

// --------------------------------------------------------------------------- groups

/// Many agents: one array of `count` items for each number of kerb_agent, in the same units. The
/// arrays belong to the caller. For level agents `z` and `forward_z` may both be NULL.
typedef struct kerb_agents {
    int32_t count; ///< Number of agents. [>= 0]
    float *x, *y, *z;
    float *forward_x, *forward_y, *forward_z;
    float* speed;
    float* radius;
    float* turning_radius;
    float* speed_max;
    float* acceleration;
    float* braking;
} kerb_agents;

/// Reads one agent. O(1)
KERB_API kerb_agent kerb_agents_get(const kerb_agents* agents, int32_t index);

/// Writes one agent. O(1)
KERB_API void kerb_agents_set(const kerb_agents* agents, int32_t index, const kerb_agent* agent);

/// The agents that a behaviour looks at. Read during the call only.
typedef struct kerb_group {
    const kerb_agents* agents;
    /// Indices of the agents of the group, as kerb_neighbours_within writes them. NULL: the first
    /// `count` agents.
    const int32_t* indices;
    int32_t count; ///< Number of agents in the group. [>= 0]
    int32_t self;  ///< Index of the deciding agent, which does not see itself; -1: not in it.
} kerb_group;

// --------------------------------------------------------------------------- flocks

/// Moves away from the others within `radius` [m]. Each other agent pushes with the strength
/// radius/distance - distance/radius; at distances below a tenth of the radius the push no longer
/// grows. The speed is speed_max times the length of the sum of all pushes, at most speed_max.
/// Others at exactly the same position push sideways; `self` alone decides to which side and how
/// hard, so that they separate. Agents may still touch. None when nothing pushes. O(count)
KERB_API kerb_steering kerb_separation(const kerb_agent* agent, const kerb_group* group,
                                       float radius);

/// Takes the mean heading and mean speed of the others within `radius` [m]. None when there are
/// none. O(count)
KERB_API kerb_steering kerb_alignment(const kerb_agent* agent, const kerb_group* group,
                                      float radius);

/// Moves towards the mean position of the others within `radius` [m]. The speed is speed_max times
/// the distance to that position over `radius`. None when there are no others, or when the agent is
/// at that position. O(count)
KERB_API kerb_steering kerb_cohesion(const kerb_agent* agent, const kerb_group* group,
                                     float radius);

/// How a flock keeps together: by the three urges of C. Reynolds, "Flocks, herds, and schools"
/// (1987). Each urge adds a velocity to the desired velocity of an agent. Ranges and defaults:
/// kerb_flock_settings_table.
///
/// - separation: for each neighbour, away from it: `separation`·(radius/distance - distance/radius)
/// - alignment: `alignment` times the mean difference of the others' heading vectors from its own
/// - cohesion: towards the others' mean position: `cohesion`·distance/radius
typedef struct kerb_flock_settings {
    float separation_radius; ///< Others within it push the agent away. [m] [> 0]
    float alignment_radius;  ///< The agent turns to the heading of the others within it. [m] [> 0]
    float cohesion_radius;   ///< The agent moves towards the others within it. [m] [> 0]
    float separation;        ///< Strength of the urge. [m/s] [>= 0]
    float alignment;         ///< Strength of the urge. [m/s] [>= 0]
    float cohesion;          ///< Strength of the urge. [m/s] [>= 0]
    float view_angle;        ///< It sees others up to this angle from its front. [rad] [0 … π]
    float speed;             ///< Target speed when no other is near. [m/s] [>= 0]
    float speed_min;         ///< The urges never slow it below this; 0: it may stop. [m/s] [>= 0]
} kerb_flock_settings;

KERB_API const kerb_settings_table kerb_flock_settings_table;

/// All defaults.
KERB_API kerb_flock_settings kerb_flock_settings_default(void);

/// All three urges at once. Agents of the group that the agent does not see change nothing, to the
/// bit. The order of the others changes the result by rounding only. None for an agent that is not
/// finite. O(count)
KERB_API kerb_steering kerb_flock_steer(const kerb_flock_settings* settings,
                                        const kerb_agent* agent, const kerb_group* group);

/// Moves one agent exactly as kerb_flock_update does, to the bit: for flocks that are mixed with
/// other agents. Use kerb_agent_step for everything else.
///
/// It is cheaper than kerb_agent_step, because it needs no sine. Two things differ: the greatest
/// turn in a step is smaller, by a³/12 for a turn of a [rad] (so it is never tighter than the
/// turning radius), and the speed changes evenly over the step. When the desired steering is none
/// or not finite, the agent goes on as now. An agent that is not finite stays as it is.
/// [time_step: >= 0] O(1)
KERB_API kerb_agent kerb_flock_step(const kerb_agent* agent, const kerb_steering* desired,
                                    float time_step);

/// A flock: the grid that finds neighbours, and scratch memory for one frame. It holds no agents.
typedef struct kerb_flock {
    kerb_neighbour_grid grid;
    float* arrays; ///< Intermediate results of each agent.
    void* memory;  ///< Memory from kerb_flock_create; NULL: none.
    size_t size;   ///< Bytes of that memory.
    kerb_allocator allocator;
} kerb_flock;

/// Makes a flock for at most `capacity` agents. The only function here that allocates. Errors:
/// OUT_OF_RANGE (capacity, from 1 to KERB_NEIGHBOUR_CAPACITY_MAX / 4), OUT_OF_MEMORY.
KERB_API kerb_result kerb_flock_create(kerb_flock* flock, int32_t capacity, const kerb_host* host,
                                       kerb_error* error);

/// Releases the memory. Does nothing to a zeroed flock.
KERB_API void kerb_flock_destroy(kerb_flock* flock);

/// Moves every agent by kerb_flock_steer and kerb_flock_step. All decide from the positions before
/// the step.
///
/// The neighbours of an agent are those that kerb_neighbours_within finds within the greatest of
/// the three radii, in the order of the grid. The result is the same, to the bit, as when
/// kerb_neighbours_within, kerb_flock_steer and kerb_flock_step are called for one agent after the
/// other. Agents that are not finite do not move and are not seen. The settings must be valid
/// (kerb_settings_validate). O(agents · neighbours), allocates nothing.
KERB_API void kerb_flock_update(kerb_flock* flock, const kerb_flock_settings* settings,
                                const kerb_agents* agents, float time_step);

// --------------------------------------------------------------------------- collision avoidance

/// How kerb_avoid_agents avoids contact. Ranges and defaults: kerb_avoid_agents_settings_table.
typedef struct kerb_avoid_agents_settings {
    int32_t space; ///< Where it may turn: 0 level (heights do not count), 1 space.
    float margin;  ///< Distance kept between two bodies; at least half of it always. [m] [> 0]
    float horizon; ///< Look-ahead for agents that would come too near; 0: only brakes. [s] [>= 0]
    /// Where two paths cross, the agent that is nearer to the crossing goes first. The other agent
    /// leaves a part of the first one's path free: its stopping distance plus this length. 0: it
    /// does not yield. [m] [>= 0]
    float yield_distance;
    float swerve; ///< Greatest turn away from the desired steering; 1: 90 degrees. [0 … 1]
} kerb_avoid_agents_settings;

KERB_API const kerb_settings_table kerb_avoid_agents_settings_table;

/// All defaults.
KERB_API kerb_avoid_agents_settings kerb_avoid_agents_settings_default(void);

/// Corrects a desired steering so that the agent does not touch an agent of the group. It tries a
/// few dozen turns and speeds that the agent can drive, and takes the safe one that is nearest to
/// `desired`. It never moves the agent sideways, in reverse or on the spot.
///
/// There is no contact at all under these conditions: all agents of the group call this function,
/// each with its own index in `self`, with the same time step and settings; all move at once, by
/// kerb_agent_step or kerb_flock_step; and all start without contact. Each agent has a strip
/// straight ahead in which it could brake to a stop. It keeps this strip apart from the strips of
/// the others. When two want the same place in one step, the agent with the lower index gets it,
/// and the other can still stop.
///
/// In addition every agent looks ahead over the horizon. It assumes that the other agent does half
/// of the avoiding (reciprocal, after van den Berg, 2008). It turns right when both sides are
/// equally good.
///
/// In space the promise of no contact holds for agents that can stop (drones, submarines). For
/// aircraft that must not fly slower than some speed, only the look-ahead avoids contact.
///
/// Only the 48 most urgent agents count. When the agent could touch a further one in this step, it
/// brakes straight ahead. Agents that are not finite are ignored. None when the agent itself is not
/// finite, or when the time step is not above 0. O(count)
KERB_API kerb_steering kerb_avoid_agents(const kerb_avoid_agents_settings* settings,
                                         const kerb_agent* agent, const kerb_steering* desired,
                                         const kerb_group* group, float time_step);

// --------------------------------------------------------------------------- waiting

/// A gate: agents drive through its middle in its direction.
typedef struct kerb_gate {
    kerb_vec3 position;  ///< Its middle. [m]
    kerb_vec3 direction; ///< Direction through it. Level, any length but 0.
    float speed;         ///< Greatest speed through it. [m/s] [> 0]
} kerb_gate;

/// Queues at a gate, and drives through its middle in its direction, from any side, as
/// kerb_directed_seek with KERB_DIRECTED_DUBINS.
///
/// Agents of the group with a shorter path to the gate go first (of equal ones, the lower index):
/// the agent leaves their path free and waits before it. The nearest of all may always go. Agents
/// that have passed the gate do not count. An agent that is just behind the gate, and farther to
/// the side than its own radius, has missed the gate and drives round to it again. None when a
/// number is not finite or the gate has no direction. O(count)
KERB_API kerb_steering kerb_queue(const kerb_agent* agent, const kerb_gate* gate,
                                  const kerb_group* group, float time_step);

/// Gathers round a spot. The agent drives straight towards the spot and stops at `distance` from it
/// [m]. It stops earlier to keep a gap of `gap` [m] to an agent of the group that is nearer to the
/// spot and in its path. O(count)
KERB_API kerb_steering kerb_gather(const kerb_agent* agent, kerb_vec3 spot, float distance,
                                   float gap, const kerb_group* group);

/// Follows a leader with a `gap` [m] between the two bodies, as kerb_formation_keep keeps its
/// place. When it is in the path of a leader that moves, it drives to the side. O(1)
KERB_API kerb_steering kerb_follow_leader(const kerb_agent* agent, const kerb_agent* leader,
                                          float gap, float time_step);

// --------------------------------------------------------------------------- formations

// A formation has slots, numbered from 0; the leader has slot 0. In each frame:
//
//     kerb_vec3 slot = kerb_formation_slot(KERB_FORMATION_WEDGE, slots[i], count, 8.0f);
//     kerb_formation_place place = kerb_formation_place_of(&leader, curvature, slot);
//     kerb_steering desired = kerb_formation_keep(&agent, &place, time_step);
//
// kerb_formation_assign says which agent takes which slot. kerb_formation_place_along replaces
// kerb_formation_place_of when the leader drives along a path. To make all agents arrive at a goal
// at the same time, use kerb_formation_goal and kerb_formation_speed with kerb_directed_seek.

/// Shapes of a formation.
typedef enum kerb_formation_shape {
    KERB_FORMATION_LINE,   ///< Abreast, alternately left and right of the leader.
    KERB_FORMATION_COLUMN, ///< One behind the other.
    KERB_FORMATION_WEDGE,  ///< A V, as geese fly.
    KERB_FORMATION_BOX,    ///< As many rows as columns; the leader in the middle of the first row.
    KERB_FORMATION_RING    ///< A circle round the leader.
} kerb_formation_shape;

/// "line", "column", "wedge", "box" or "ring"; "unknown" out of range. Never NULL.
KERB_API const char* kerb_formation_shape_text(kerb_formation_shape value);

/// The offset of slot `index` of `count` from the leader: x ahead, y to its left [m]. No two slots
/// are nearer to each other than `spacing` [m]. z is 0; for aircraft at different heights, add the
/// height above the leader to z [m]. O(1) [0 <= index < count; spacing > 0]
KERB_API kerb_vec3 kerb_formation_slot(kerb_formation_shape shape, int32_t index, int32_t count,
                                       float spacing);

/// Improves which agent takes which slot. Agent i has the slot `slots[i]`; `slots` holds 0 …
/// count-1, each once, before and after the call. `places` are the positions of the slots in the
/// world.
///
/// Two agents exchange slots as long as that makes the sum of their two distances shorter by more
/// than `gain_min` [m]. So in the end no two straight paths cross, and an agent keeps its slot
/// unless an exchange is worth it. Returns the number of exchanges, at most count². O(count²) per
/// pass
KERB_API int32_t kerb_formation_assign(const kerb_vec3* positions, const kerb_vec3* places,
                                       int32_t* slots, int32_t count, float gain_min);

/// The place of a slot in the world, and how it moves.
typedef struct kerb_formation_place {
    kerb_vec3 position; ///< Position now. [m]
    kerb_vec3 forward;  ///< Direction in which the place moves and faces. Unit length.
    float speed;        ///< Speed along `forward`. [m/s]
    float curvature;    ///< Curvature of its path, left positive. [1/m]
} kerb_formation_place;

/// The place of a slot while the leader drives a bend of `curvature` [1/m], left positive.
///
/// The place is as far along the leader's circle as the slot lies ahead or behind, and then to its
/// side. So a column follows the bend. The inner places move slower and the outer ones faster, by
/// the share |curvature| · lateral offset. Places stay apart while that share is below 1 for all of
/// them. A leader that climbs flies a helix. Then the axes of a slot are those of the path: x along
/// it, y level, z at right angles to both; the leader's bank does not turn them. So in a climbing
/// bend the outer places climb at a smaller angle, but move faster. O(1)
KERB_API kerb_formation_place kerb_formation_place_of(const kerb_agent* leader, float curvature,
                                                      kerb_vec3 slot);

/// The place of a slot while the leader is at `here` of a path (from kerb_path_track) and drives
/// along it at `speed` [m/s].
///
/// The place is as far along the path as the slot lies ahead or behind, and then to its side.
/// Beyond the ends of an open path it is straight on. The places enter and leave a bend smoothly,
/// one after the other; with kerb_formation_place_of they would jump. So take this function for
/// wedges, boxes and columns on a road. As with kerb_formation_place_of, places stay apart while
/// |curvature| · lateral offset is below 1, and a slot has the axes of the path. Where the path
/// begins to climb, places above it move a little slower. O(points passed)
KERB_API kerb_formation_place kerb_formation_place_along(const kerb_path* path,
                                                         kerb_path_location here, float speed,
                                                         kerb_vec3 slot);

/// Drives to a place in a formation and along with it.
///
/// - Ahead of a place that moves, the agent slows down and waits for it.
/// - To a place that is at standstill, or so slow that waiting would take longer than two rounds on
///   the turning circle, the agent drives as kerb_directed_seek with KERB_DIRECTED_DUBINS. It stops
///   there, facing as the place does.
/// - An agent reverses to a place at standstill when it is ahead of the place by less than its
///   turning_radius, and beside it by at most half its own radius.
///
/// None when a number is not finite. O(1); most expensive to a place at standstill.
KERB_API kerb_steering kerb_formation_keep(const kerb_agent* agent,
                                           const kerb_formation_place* place, float time_step);

/// The goal of the agent in a slot (kerb_formation_slot) when the formation's leader arrives at its
/// goal: the slot's position there, with the same heading, climbing or not. In bends the outer and
/// inner paths differ: give the leader a turning_radius that is wider than the agents' own by half
/// the width of the formation. O(1)
KERB_API kerb_directed_goal kerb_formation_goal(const kerb_directed_goal* leader,
                                                const kerb_agent* agent, kerb_vec3 slot);

/// The speed at which all agents of a formation arrive together: `speed` · `distance` /
/// `distance_max`. `distance` is what this agent has left to drive (kerb_directed_decision),
/// `distance_max` the greatest of all agents [m]. So the inner agents of a bend drive slower and
/// the outermost one drives at `speed`. Set the agent's speed_max to the result. [m/s] O(1)
KERB_API float kerb_formation_speed(float speed, float distance, float distance_max);

#endif
