// Kerb group: agents among agents. Flocks, keeping clear, queues and formations.
//
//     kerb_steering wish = kerb_flock_steer(&settings, &agent, &group);
//     wish = kerb_keep_clear(&clearance, &agent, &wish, &group, time_step);
//
// Does not: find a way round what stands in the way (that is the planner's work).
#ifndef KERB_GROUP_H
#define KERB_GROUP_H

#include "neighbour.h"
#include "path.h"
#include "seek.h"
#include "steer.h"

// --------------------------------------------------------------------------- groups

/// Many agents, one array for each number of kerb_agent, for kernels that run over them. The arrays
/// are the caller's. Level agents may leave z and forward_z NULL, both.
typedef struct kerb_agents {
    int32_t count; ///< [>= 0]
    float *x, *y, *z;
    float *forward_x, *forward_y, *forward_z;
    float* speed;
    float* radius;
    float* turn_radius;
    float* speed_max;
    float* acceleration;
    float* braking;
} kerb_agents;

/// One of them. O(1)
KERB_API kerb_agent kerb_agents_get(const kerb_agents* agents, int32_t index);

/// Writes one of them. O(1)
KERB_API void kerb_agents_set(const kerb_agents* agents, int32_t index, const kerb_agent* agent);

/// Those to whom a behaviour of groups looks: `count` of `agents`, named by `indices` (as
/// kerb_neighbours_within gives them), or the first `count` where indices is NULL.
typedef struct kerb_group {
    const kerb_agents* agents;
    const int32_t* indices;
    int32_t count;
    int32_t self; ///< who looks: left out of the group; -1: is none of them
} kerb_group;

/// Away from those within `radius`, the more from the nearer: each pushes by radius/distance -
/// distance/radius, closer than a tenth of the radius as at it. Speed: speed_max times that push,
/// at most 1 of it. Those in the same place push to one side, which side and how hard
/// depends on `self` alone, so that they part. None: nobody pushes. O(count)
KERB_API kerb_steering kerb_separation(const kerb_agent* agent, const kerb_group* group,
                                       float radius);

/// The mean heading and mean speed of those within `radius`. None: nobody is. O(count)
KERB_API kerb_steering kerb_alignment(const kerb_agent* agent, const kerb_group* group,
                                      float radius);

/// To the middle of those within `radius`, at speed_max times its distance / radius. None: nobody
/// is, or one is there. O(count)
KERB_API kerb_steering kerb_cohesion(const kerb_agent* agent, const kerb_group* group,
                                     float radius);

/// How a flock keeps together: Reynolds' three urges (1987). A settings struct. Each urge adds so
/// many metres per second to the velocity that an agent wishes: separation for each neighbour
/// times radius/distance - distance/radius, alignment for the mean difference of headings, cohesion
/// for the distance to the middle over the radius.
typedef struct kerb_flock_settings {
    float separation_radius; ///< [m] [> 0]
    float alignment_radius;  ///< [m] [> 0]
    float cohesion_radius;   ///< [m] [> 0]
    float separation;        ///< [m/s] [>= 0]
    float alignment;         ///< [m/s] [>= 0]
    float cohesion;          ///< [m/s] [>= 0]
    float view;              ///< sees others up to so far from its front, to either side [rad]
    float speed;             ///< wished when nobody is near [m/s]
    float speed_least;       ///< below which no urge brings it; 0: may stop [m/s]
} kerb_flock_settings;

KERB_API const kerb_settings_table kerb_flock_settings_table;

/// All defaults.
KERB_API kerb_flock_settings kerb_flock_settings_default(void);

/// All three at once. Those of the group whom it does not see make no difference, to the bit; the
/// order of the others does, to a rounding. None for an agent that is not finite.
/// O(count)
KERB_API kerb_steering kerb_flock_steer(const kerb_flock_settings* settings,
                                        const kerb_agent* agent, const kerb_group* group);

/// The step of kerb_flock_update, for one: to mix members of a flock with others to the same bits.
/// For all else use kerb_agent_step, which holds circles and speeds exactly as directed seek plans
/// them; this one costs less: without a sine, so that the greatest turn in a step, of angle a,
/// is a³/12 less (never tighter than the turning radius), and speed changes evenly over the step. A
/// wish that is none or not finite: goes on as now. An agent that is not finite stays what it is.
/// [time_step: >= 0]
KERB_API kerb_agent kerb_flock_step(const kerb_agent* agent, const kerb_steering* wish,
                                    float time_step);

/// A flock: who is near whom, and what a frame needs. Made once, for at most `capacity` agents.
typedef struct kerb_flock {
    kerb_neighbour_grid grid;
    float* arrays; ///< what is worked out for each agent
    void* memory;  ///< of kerb_flock_create; NULL: none
    size_t size;   ///< of that
    kerb_allocator allocator;
} kerb_flock;

/// Errors: OUT_OF_RANGE (capacity, from 1 to KERB_NEIGHBOUR_CAPACITY_MAX / 4), OUT_OF_MEMORY.
KERB_API kerb_result kerb_flock_create(kerb_flock* flock, int32_t capacity, const kerb_host* host,
                                       kerb_error* error);

/// Gives the memory back. A zeroed flock is left alone.
KERB_API void kerb_flock_destroy(kerb_flock* flock);

/// Lets every agent do what kerb_flock_steer wishes: those around each are found by the grid in the
/// order of kerb_neighbours_within with the greatest radius, then kerb_flock_step. All see where
/// the others are before the step. The bits are those of the three functions, one agent after the
/// other. Agents that are not finite neither move nor are seen. No allocation.
/// O(agents · neighbours); an agent with 15 neighbours: 140 ns, built for AVX2 80 ns.
KERB_API void kerb_flock_update(kerb_flock* flock, const kerb_flock_settings* settings,
                                const kerb_agents* agents, float time_step);

// --------------------------------------------------------------------------- groups: keeping clear

/// How agents keep clear of one another by what wheels can do. A settings struct.
typedef struct kerb_clearance_settings {
    int32_t space;  ///< choice: 0 level (heights count for nothing), 1 space (above and below, too)
    float margin;   ///< kept between two, half of it at the least, beside their radii [m] [> 0]
    float horizon;  ///< looks ahead for who would come too near [s]; 0: brakes only in time [>= 0]
    float courtesy; ///< leaves so much of the way to who is nearer to where ways cross [m] [>= 0]
    float swerve;   ///< turns aside from its wish by up to this share of a right angle [0 … 1]
} kerb_clearance_settings;

KERB_API const kerb_settings_table kerb_clearance_settings_table;

/// All defaults.
KERB_API kerb_clearance_settings kerb_clearance_settings_default(void);

/// The wish of one step that comes nearest to `wish` and keeps clear of the group: a turn that the
/// agent can drive, and a speed that it can have, out of a few dozen. Never sidewards, never
/// backwards, no turn on the spot. In space for what can stop there (drones, submarines): wings
/// that must keep a speed are kept apart by foresight only, as far as it goes.
///
/// Contact is ruled out where all of a group ask this, each with its own index in `self`, the same
/// time step and settings, move by kerb_agent_step or kerb_flock_step, all at once, and began
/// clear: each keeps the strip in which it could stop, straight ahead, out of the others'. Of two
/// that want the same place in one step the lower index has it, and the higher can still stop.
///
/// Beyond that both look ahead over the horizon, each counting on the other to do as much as
/// itself (reciprocal, after van den Berg, 2008); to the right when either side is as good.
///
/// Who is not finite is left out; an agent that is not finite wishes nothing. With 10 others within
/// reach about 4 µs, in space 9. O(count)
KERB_API kerb_steering kerb_keep_clear(const kerb_clearance_settings* settings,
                                       const kerb_agent* agent, const kerb_steering* wish,
                                       const kerb_group* group, float time_step);

// --------------------------------------------------------------------------- groups: waiting

/// A gate: drive through its middle along `direction`.
typedef struct kerb_gate {
    kerb_vec3 position;  ///< of its middle [m]
    kerb_vec3 direction; ///< through it, level, of any length but 0
    float speed;         ///< through it [m/s] [> 0]
} kerb_gate;

/// Queues at a gate: drives through its middle along its direction, as kerb_directed_seek by
/// DUBINS, from whatever side; but leaves those of the group that have a shorter way there (of two
/// as short, the lower index) that way, and waits before it. Who is through is in nobody's way; who
/// is just behind the gate, farther beside than its own radius, comes round. Of any number that
/// wait the nearest always may go. O(count)
KERB_API kerb_steering kerb_queue(const kerb_agent* agent, const kerb_gate* gate,
                                  const kerb_group* group, float time_step);

/// Gathers round a spot: drives towards it and stops at `distance` from it, or where it would come
/// nearer than `gap` to one of the group that is nearer to the spot and in its way. O(count)
KERB_API kerb_steering kerb_gather(const kerb_agent* agent, kerb_vec3 spot, float distance,
                                   float gap, const kerb_group* group);

/// Follows a leader, `gap` metres behind its back, as kerb_formation_keep keeps a place; who finds
/// itself in the way of a leader that drives gives way to the side. O(1)
KERB_API kerb_steering kerb_follow_leader(const kerb_agent* agent, const kerb_agent* leader,
                                          float gap, float time_step);

// --------------------------------------------------------------------------- groups: formation

/// Shapes in which agents drive with a leader, who is number 0.
typedef enum kerb_formation_shape {
    KERB_FORMATION_LINE,   ///< abreast, by turns left and right of the leader
    KERB_FORMATION_COLUMN, ///< one behind the other
    KERB_FORMATION_WEDGE,  ///< as geese fly
    KERB_FORMATION_BOX,    ///< rows as many as columns, the leader in the middle of the first
    KERB_FORMATION_RING    ///< round the leader
} kerb_formation_shape;

/// Where number `index` of `count` stands in the shape: metres ahead of the leader (x) and to its
/// left (y). No two slots are nearer than `spacing`. Shapes lie flat (z 0): who flies stacked or
/// stepped down adds heights, in metres above (z). O(1) [0 <= index < count; spacing > 0]
KERB_API kerb_vec3 kerb_formation_slot(kerb_formation_shape shape, int32_t index, int32_t count,
                                       float spacing);

/// Who takes which slot: `slots[i]` of agent i is exchanged until no two would together be better
/// off (by the sum of their distances, by more than `reluctance` metres) with each other's.
/// So no two ways cross, and who has a slot keeps it unless it pays. `slots` holds 0 … count-1,
/// each once, before and after; `places` are the slots' in the world. At most count² exchanges a
/// call. Returns how many there were. O(count²) each pass
KERB_API int32_t kerb_formation_assign(const kerb_vec3* positions, const kerb_vec3* places,
                                       int32_t* slots, int32_t count, float reluctance);

/// A place in a formation as it moves.
typedef struct kerb_formation_place {
    kerb_vec3 position; ///< [m]
    kerb_vec3 forward;  ///< unit length
    float speed;        ///< along forward [m/s]
    float curvature;    ///< turn of its heading by the metre of its way, left positive [1/m]
} kerb_formation_place;

/// Where a slot is while the leader drives a bend of `curvature`: as far along the leader's circle
/// as the slot lies ahead or behind, then to its side. So columns follow the bend, and no two
/// cross or fold together in it, as long as |curvature| times the shape's half width is below 1:
/// the inner ones drive slower by that much, the outer ones faster. A leader that climbs flies a
/// helix then; slots lie in the frame of its way: x along it, y level, z across both, as if no
/// wings were banked. So in a climbing bend the outer ones climb less steeply, but faster. O(1)
KERB_API kerb_formation_place kerb_formation_place_of(const kerb_agent* leader, float curvature,
                                                      kerb_vec3 slot);

/// Where a slot is while the leader is at `here` of a path (kerb_path_track's) and drives along it
/// at `speed`: as far along the path as the slot lies ahead or behind, then to its side; beyond the
/// ends of an open one straight on. Into a bend and out of it places move evenly, one after the
/// other, as no circle of kerb_formation_place_of makes them: for wedges, boxes and columns on a
/// road. The same bound holds for the path's bends. The frame of a slot is that of
/// kerb_formation_place_of; where the path begins to climb, places above drive a little slower.
/// O(points passed)
KERB_API kerb_formation_place kerb_formation_place_along(const kerb_path* path,
                                                         kerb_path_location here, float speed,
                                                         kerb_vec3 slot);

/// Drives to a place in a formation and along with it. Who is ahead of a place that comes waits for
/// it. To one that stands, or comes so slowly that to wait would take longer than two rounds, it
/// drives as kerb_directed_seek by DUBINS, and stops there facing as the place does. Who is in line
/// with one that stands, at most half its own radius aside, and ahead of it by less than its
/// turn_radius, backs up instead. Numbers that are NaN or infinite: kerb_steering_none(). O(1),
/// about 50 ns, to a place that stands 300 ns.
KERB_API kerb_steering kerb_formation_keep(const kerb_agent* agent,
                                           const kerb_formation_place* place, float time_step);

/// Where the agent in a slot (kerb_formation_slot) arrives when the formation's leader arrives at
/// its goal: in its place beside it, facing the same way, climbing or not. For bends the leader's
/// way should be wider than the agents' own by half the formation's width: make its turn_radius so
/// much more. O(1)
KERB_API kerb_directed_goal kerb_formation_goal(const kerb_directed_goal* leader,
                                                const kerb_agent* agent, kerb_vec3 slot);

/// The share of `speed` with which one who has `distance` metres left (kerb_directed_thoughts)
/// arrives together with the one who has most of all: the inner ones of a bend drive slower, the
/// outermost at `speed`. To be their speed_max, so that they plan with it. [m/s] O(1)
KERB_API float kerb_formation_pace(float speed, float distance, float distance_most);

#endif
