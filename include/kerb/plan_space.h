// Kerb plan_space: what a kind of vehicle that moves in space adds to kerb/plan_kind.h.
//
// Aircraft, spacecraft, rockets and submarines are kinds like ships: a kerb_kind whose `space` is
// set. The functions of kerb/plan_kind.h plan for them, check and drive them. The world of such a
// kind is a kerb_space_world:
//
//     const kerb_space_box towers[1] = {{{40, -10, 0}, {60, 10, 80}}};
//     kerb_space_world air = {.min = {-50, -100, 0}, .max = {200, 100, 120}};
//     air.boxes = towers;
//     air.box_count = 1;
//     const kerb_plan_world world = {.space = &air};
//     if (kerb_kind_planner_set_world(&planner, &world, &error) != KERB_OK)
//         return false;
//
// HOW IT PLANS. A kind connects two states by a leg in closed form: a row of constant controls that
// leads from one exactly to the other, in the shortest time of its family. Where the leg from start
// to goal is free, it is the plan. Otherwise a search on a grid finds a way for a ball, which is
// pulled taut; at its corners the planner tries states with several directions and speeds, and
// finds the fastest row of free legs through them. Then it moves these states at random and keeps
// what is faster. So the search has few states, whatever the number of their dimensions, and plans
// have no errors of a grid.
//
// Does not: avoid obstacles that move; call functions of the host.
//
// Source: "AIPATH", 3.1.1 (kinds in space), 3.2 (search over states and actions).
#ifndef KERB_PLAN_SPACE_H
#define KERB_PLAN_SPACE_H

#include "plan_world.h"
#include "vehicle.h"

/// Greatest number of numbers of a state.
#define KERB_KIND_STATES_MAX 12
/// Greatest number of controls.
#define KERB_KIND_CONTROLS_MAX 4
/// Greatest number of pieces of a plan.
#define KERB_KIND_PIECES_MAX 256
/// Greatest number of balls of a footprint.
#define KERB_KIND_BALLS_MAX 4
/// Greatest number of pieces of a leg.
#define KERB_KIND_LEG_PIECES 40

/// A ball of a footprint in space.
typedef struct kerb_kind_ball {
    kerb_vec3 middle; ///< [m]
    float radius;     ///< [m] [> 0]
} kerb_kind_ball;

/// Constant controls, one after another.
typedef struct kerb_kind_leg {
    int32_t count;                     ///< number of pieces [0 … KERB_KIND_LEG_PIECES]
    float times[KERB_KIND_LEG_PIECES]; ///< durations [s] [>= 0]
    float controls[KERB_KIND_LEG_PIECES][KERB_KIND_CONTROLS_MAX];
} kerb_kind_leg;

struct kerb_kind;

/// What a kind in space has in addition. The first three numbers of its states are x, y and z [m].
/// The position must not change the rates.
typedef struct kerb_kind_space {
    int32_t heading; ///< number of the state that is an angle [rad]; -1: none
    bool hovers;     ///< feedback can keep it at a place: drivers go on with it at a goal at rest
    /// Footprint at a state; returns the number of balls. [1 … KERB_KIND_BALLS_MAX]
    int32_t (*balls)(const void* vehicle, const float* state, kerb_kind_ball* balls);
    /// A state on the way: at a place, moving in a direction of length 1 with a share of the
    /// greatest speed [0 … 1].
    void (*via)(const struct kerb_kind* kind, kerb_vec3 position, kerb_vec3 direction, float share,
                float* state);
    /// Controls that lead from one state to another, within the limits of `kind`, whose control_min
    /// and control_max are already those of plans. False: there are none of the family. `passes`:
    /// the end is on the way and need not be met in numbers beyond position and velocity.
    bool (*connect)(const struct kerb_kind* kind, const float* from, const float* to, bool passes,
                    kerb_kind_leg* leg);
    /// The controls of a real vehicle that act as the kind's control does. `control` NULL: the
    /// controls that hold it where it is, or keep it flying.
    kerb_controls (*controls_of)(const void* vehicle, const kerb_motion* motion, const float* state,
                                 const float* control);
    /// It moves on by itself, and pushes in one direction only, as a spacecraft does. Small
    /// feedback cannot keep such a kind at a moving place: it has to turn first.
    bool coasts;
    /// As `connect`, for a leg to the end of a plan, which takes `time`: longer than the fastest
    /// leg, by a lower speed or a longer way. Chases (kerb/kind_chase.h) need it, so that a vehicle
    /// is at a place that moves at the very time. `curvature`: of the place's path, left positive,
    /// for kinds whose states do not tell it: the leg may end on it. False: no leg takes so long.
    /// NULL: the kind has no such legs, and comes to such places up to 0.1 s early. [time: s,
    /// curvature: 1/m]
    bool (*connect_in)(const struct kerb_kind* kind, const float* from, const float* to, float time,
                       float curvature, kerb_kind_leg* leg);
} kerb_kind_space;

// --------------------------------------------------------------------------- obstacles

/// A box along the axes. The inside is blocked.
typedef struct kerb_space_box {
    kerb_vec3 min, max; ///< corners [m]
} kerb_space_box;

/// Numbers of an octree beside those of nodes.
#define KERB_OCTREE_FREE 0u
#define KERB_OCTREE_BLOCKED 1u

/// Obstacles in space that do not move, within a volume. Planners copy all of it.
typedef struct kerb_space_world {
    kerb_vec3 min, max; ///< volume that the footprint must not leave [m] [min < max]
    const kerb_space_box* boxes;
    int32_t box_count; ///< [0 … 1e5]
    /// Height field: all below the height of a cell is blocked. Cells of a row follow one another
    /// along x, rows along y; the corner of the first cell is at `ground_origin`. NULL: none. [m]
    const float* heights;
    int32_t columns, rows;   ///< of `heights` [1 … 32768 each]
    float cell_size;         ///< of `heights` [m] [> 0]
    kerb_vec2 ground_origin; ///< [m]
    /// Octree of a cube. A node is eight numbers, for the eighths of its cube; of the number of an
    /// eighth, bit 0 is its half along x, bit 1 along y, bit 2 along z. KERB_OCTREE_FREE,
    /// KERB_OCTREE_BLOCKED, or one more than the index of a node after this one. The first node is
    /// the root. NULL: none.
    const uint32_t* octree;
    int32_t octree_nodes;    ///< [1 … 1e6]
    kerb_vec3 octree_origin; ///< least corner of the cube [m]
    float octree_size;       ///< side of the cube [m] [> 0]
} kerb_space_world;

/// KERB_OK, or OUT_OF_RANGE, NOT_FINITE or MISSING_FIELD with the name of the field and the index
/// of the box or node. `error` may be NULL. O(boxes + cells + nodes)
KERB_API kerb_result kerb_space_world_validate(const kerb_space_world* world, kerb_error* error);

/// True when a ball meets no obstacle and stays within the volume. O(boxes + cells under the ball +
/// nodes that meet it)
KERB_API bool kerb_space_world_is_free(const kerb_space_world* world, const kerb_kind_ball* ball);

#endif
