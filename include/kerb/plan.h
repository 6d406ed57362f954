// Kerb plan: the fastest motion of a vehicle from one pose and speed to another, round obstacles.
//
// A planner searches for a plan: a sequence of pieces, each an arc or a clothoid, with one
// acceleration. A plan keeps the limits of the vehicle (turning radius, speeds, accelerations, yaw
// rate). Its cost is its time, penalties and the cost of the ground. A closed formula gives the
// state of the vehicle at any time of the plan.
//
// Call order: kerb_planner_create; kerb_planner_set_world and kerb_planner_set_movers where there
// are obstacles; then for each query kerb_planner_begin, kerb_planner_advance in slices, and
// kerb_planner_get_plan at any moment; kerb_planner_destroy. A kerb_plan_driver
// (kerb/plan_driver.h) drives the plan; kerb_plan_waypoints turns it into a path for other drivers.
//
//     kerb_host host = kerb_host_default();
//     kerb_plan_limits limits = kerb_plan_limits_to_drive(&vehicle, 0.4f);
//     kerb_planner_settings settings = kerb_planner_settings_default();
//     kerb_planner planner;
//     kerb_error error;
//     if (kerb_planner_create(&planner, &limits, &settings, &host, &error) != KERB_OK)
//         return false;                                            // `error` says what is wrong
//     kerb_plan_end here = kerb_plan_end_make(0, 0, 0, 0), there = kerb_plan_end_make(20, 5, 0, 0);
//     kerb_plan_query query = {&here, &there, 1, 1};
//     if (kerb_planner_begin(&planner, &query, &error) == KERB_OK)
//         while (kerb_planner_advance(&planner, 1000) == KERB_PLAN_RUNNING)
//             continue;                                            // one slice per frame
//     kerb_plan plan = kerb_planner_get_plan(&planner);
//     kerb_plan_state after_a_second = kerb_plan_at(&plan, 1.0f);
//     kerb_planner_destroy(&planner);                              // `plan` has no pieces any more
//
// Poses are poses of the rear axle, kerb_vehicle.reference_to_rear_axle behind the reference point.
// Work is counted in steps, not in time, so every machine gives the same plan.
//
// Lifetimes: the pieces of a plan lie in the memory of its planner. They are valid until the next
// call of kerb_planner_begin, _advance, _set_world, _set_movers, _get_partial_plan or _destroy on
// that planner. Copy the pieces to keep a plan longer. Threads: use a planner from one thread at a
// time; different planners are independent.
//
// Curvature: with kerb_plan_limits.curvature_rate 0 it jumps from piece to piece, as in the thesis:
// a real vehicle deviates there while its wheels turn (KERB_PLAN_STEERING_DEVIATION_MAX). Above 0
// it is continuous: clothoids join the arcs, and at standstill the wheels turn first.
//
// Does not: build maps, predict other vehicles, start threads.
//
// Source: "AIPATH" (planning in the physical state space of a vehicle, chapters 2 to 5).
#ifndef KERB_PLAN_H
#define KERB_PLAN_H

#include "control.h"
#include "curve.h"
#include "path.h"
#include "plan_limits.h"
#include "plan_world.h"
#include "vehicle.h"

// --------------------------------------------------------------------------- query

/// A start or a goal.
typedef struct kerb_plan_end {
    kerb_pose pose; ///< of the rear axle
    float speed;    ///< along the pose; negative in reverse [m/s]
    float penalty;  ///< added to the cost of plans that use this end [s] [0 … 1e6]
    // Tolerances of a goal; 0 for a start. A kerb_plan_search has tolerances for all goals in its
    // settings as well; the larger value counts.
    float position_tolerance; ///< accepted distance from the goal [m] [>= 0]
    float heading_tolerance;  ///< accepted heading error; π or more: any heading [rad] [>= 0]
    float speed_tolerance;    ///< accepted difference of speed [m/s] [>= 0]
    /// Of the wheels at a start; counts where limits have a curvature_rate. Of a vehicle:
    /// kerb_curvature_of with kerb_motion.steering. Beyond 1 / turning_radius it counts as that.
    /// Left positive. [1/m] [-1e4 … 1e4]
    float curvature;
} kerb_plan_end;

/// An end without tolerances and penalty, wheels straight. [m], [m], [rad], [m/s]
KERB_API kerb_plan_end kerb_plan_end_make(float x, float y, float heading, float speed);

/// Greatest number of starts and of goals of a query.
#define KERB_PLAN_ENDS_MAX 16

/// Asks for the cheapest plan from any of the starts to any of the goals. Use several ends for
/// real alternatives, and tolerances for goals that differ little.
typedef struct kerb_plan_query {
    const kerb_plan_end* starts; ///< read only during kerb_planner_begin
    const kerb_plan_end* goals;  ///< read only during kerb_planner_begin
    int32_t start_count;         ///< [1 … KERB_PLAN_ENDS_MAX]
    int32_t goal_count;          ///< [1 … KERB_PLAN_ENDS_MAX]
} kerb_plan_query;

/// KERB_OK, or an error with the index of the start or goal: NOT_FINITE or OUT_OF_RANGE of "pose"
/// (coordinates up to 1e6 m; a direction of unit length within 0.1 %), "speed", "curvature",
/// "penalty", "position_tolerance", "heading_tolerance" or "speed_tolerance"; TOO_FEW or TOO_MANY
/// of "start_count" or "goal_count". Starts are checked first. `error` may be NULL. O(starts +
/// goals)
KERB_API kerb_result kerb_plan_query_validate(const kerb_plan_query* query, kerb_error* error);

// --------------------------------------------------------------------------- obstacles

/// A moving obstacle: a box with a known motion. Without `pose_at` it moves straight at `velocity`
/// and keeps its heading.
typedef struct kerb_plan_mover {
    kerb_pose pose;     ///< of its middle when the plan begins
    kerb_vec2 velocity; ///< [m/s] [0 … 200]
    float length;       ///< along its heading [m] [> 0]
    float width;        ///< across [m] [> 0]
    /// Pose of its middle `time` seconds after the plan begins, with a direction of unit length.
    /// Called with any times >= 0 in any order, on the calling thread. For equal times it must give
    /// equal answers until the query ends. `pose` and `velocity` are then not used. NULL: straight
    /// motion.
    kerb_pose (*pose_at)(void* context, float time);
    void* context;   ///< for `pose_at`
    float speed_max; ///< with `pose_at`: no point of the box is ever faster [m/s] [0 … 400]
} kerb_plan_mover;

/// Greatest number of moving obstacles.
#define KERB_PLAN_MOVERS_MAX 32

// --------------------------------------------------------------------------- plans

/// A piece of a plan: one acceleration, one direction, and one curvature or a clothoid.
typedef struct kerb_plan_piece {
    kerb_pose start;    ///< of the rear axle
    float time;         ///< when it begins, since the start of the plan [s]
    float duration;     ///< [s] [>= 0]
    float length;       ///< distance driven; 0: standstill, to change direction, to turn the wheels
                        ///< before driving off, or to let a moving obstacle pass [m] [>= 0]
    float speed;        ///< at its start, in the direction of travel [m/s] [>= 0]
    float acceleration; ///< change of `speed` [m/s²]
    float curvature;    ///< at its start, left positive, in both directions of travel [1/m]
    int32_t direction;  ///< 1 forwards, -1 in reverse
    /// From start to end, in proportion to the distance driven; at standstill, to the time: the
    /// wheels turn. 0: an arc or a straight. [1/m]
    float curvature_change;
} kerb_plan_piece;

/// How a plan was found.
typedef enum kerb_plan_method {
    KERB_PLAN_METHOD_NONE,     ///< no plan
    KERB_PLAN_METHOD_ANALYTIC, ///< analytic path from start to goal, improved as far as the steps
                               ///< allowed
    KERB_PLAN_METHOD_SEARCH,   ///< line or search round obstacles, then shortened and improved
    KERB_PLAN_METHOD_SPEED_SEARCH ///< search with speed in its states. A planner uses it where the
                                  ///< vehicle starts too fast for its tightest turn or meets moving
                                  ///< obstacles; then it shortens and improves the plan
} kerb_plan_method;

/// "none", "analytic", "search" or "search with speed"; "unknown" out of range. Never NULL.
KERB_API const char* kerb_plan_method_text(kerb_plan_method value);

/// A plan: plain data, except for `pieces`. The head of this file says how long these are valid.
typedef struct kerb_plan {
    const kerb_plan_piece* pieces; ///< `count` of them, each begins where the previous one ends
    int32_t count;                 ///< 0: there is no plan
    int32_t steps;                 ///< steps of work until now
    int32_t expansions;            ///< steps that expanded a node of a search
    int32_t start, goal;           ///< index in the query; goal -1: partial plan of a planner
    int32_t method;                ///< kerb_plan_method
    float cost;                    ///< time, penalties and ground_cost [s]
    float ground_cost;             ///< cost from the world's cost map [s]
    float time;                    ///< duration [s]
    float length;                  ///< distance driven [m]
    float lower_bound;             ///< no plan of this query costs less [s]
    float start_overlap;           ///< by how much obstacles reach into the footprint there [m]
} kerb_plan;

/// State of a vehicle that follows a plan.
typedef struct kerb_plan_state {
    kerb_pose pose;     ///< of the rear axle
    float time;         ///< since the start of the plan [s]
    float speed;        ///< along the pose; negative in reverse [m/s]
    float curvature;    ///< left positive [1/m]
    float acceleration; ///< in the direction of travel: positive gains speed, in reverse too [m/s²]
    int32_t direction;  ///< 1 forwards, -1 in reverse
} kerb_plan_state;

/// The state `time` seconds after the start. Earlier times and NaN give the start, later times the
/// end. A plan without pieces gives zeros. O(log pieces), allocates nothing.
KERB_API kerb_plan_state kerb_plan_at(const kerb_plan* plan, float time);

/// The pose of the rear axle `along` metres after the start of a piece; beyond its end the
/// curvature goes on to change. [m] O(angle)
KERB_API kerb_pose kerb_plan_piece_pose(const kerb_plan_piece* piece, float along);

/// Moves a plan with the world's origin: subtracts `new_origin`, in old coordinates [m], from every
/// position. Writes its pieces to `pieces`, room for plan->count or the host's array where they
/// are, and lets plan->pieces point there. A planner cannot be moved: set its world and movers
/// again and begin a new query. O(pieces)
KERB_API void kerb_plan_shift_origin(kerb_plan* plan, kerb_plan_piece* pieces,
                                     kerb_vec3 new_origin);

/// How a plan becomes waypoints. Begin with kerb_plan_path_settings_default;
/// kerb_plan_path_settings_table has the ranges.
typedef struct kerb_plan_path_settings {
    float rear_axle_to_point; ///< distance from the rear axle forward to the point that follows the
                              ///< path [m]
    float chord_error; ///< greatest distance of the segments from the arcs [m] [0.001 … 10]
    float speed_step;  ///< greatest change of speed between waypoints [m/s] [>= 0.05]
    float corridor_half_width; ///< left and right of every waypoint [m] [>= 0]
} kerb_plan_path_settings;

/// Ranges, defaults and meaning of every setting.
KERB_API const kerb_settings_table kerb_plan_path_settings_table;
/// The rear axle's path within 1 cm, speed steps of 4 m/s, corridor 0.3 m to each side. Smaller
/// speed steps match the plan better, but a driver then starts from rest very slowly.
KERB_API kerb_plan_path_settings kerb_plan_path_settings_default(void);

/// Writes a plan as waypoints of an open path, for kerb_path_build and drivers along paths.
///
/// A kerb_follower keeps its reference point on the path forwards, and its rear axle in reverse.
/// For a plan without reverse set `rear_axle_to_point` to kerb_vehicle.reference_to_rear_axle, else
/// 0.
///
/// Waypoints lie on the plan, at the start of each piece and between. A waypoint within 2 mm of the
/// previous one is left out, except at changes of direction, stops and the end. `speed_limit` is
/// the greatest planned speed of the rear axle until the next waypoint, at least 0.01 m/s. So the
/// planned speed at a waypoint is the lower of the limits before and after it; at rest it is less.
/// `stop` is the time at standstill, also at changes of direction. All other fields are those of
/// kerb_waypoint_at: level, grip 1. The last limit is the speed of arrival. Followers stop at the
/// end of a path: append waypoints where the vehicle should drive on.
///
/// `count` becomes the number of waypoints, also where `capacity` is too small, and 0 on other
/// errors. Capacity 0 with NULL only counts. On error the content of the array is undefined.
///
/// Errors: NOT_FINITE or OUT_OF_RANGE of a setting; TOO_FEW of "count" (no plan) or "length" (the
/// plan has no length); with the index of the piece NOT_FINITE of "pieces", OUT_OF_RANGE of
/// "direction", "length" or "duration", TOO_MANY of "pieces" (one piece needs over a million
/// waypoints); TOO_MANY of "waypoints" (`capacity` is too small). kerb_path_build checks
/// coordinates (KERB_POSITION_MAX). O(pieces + waypoints), allocates nothing.
KERB_API kerb_result kerb_plan_waypoints(const kerb_plan* plan,
                                         const kerb_plan_path_settings* settings,
                                         kerb_waypoint* waypoints, int32_t capacity, int32_t* count,
                                         kerb_error* error);

/// Checks whether a plan keeps every limit and leads from its start to its goal without a jump. If
/// not, `error` says what is wrong with which piece.
///
/// The check shares no code with the planner. It integrates the pieces in double precision in steps
/// of at most 2 cm and 5 ms. Accepted errors: speeds 1e-3 m/s plus 2e-4 of the greatest speed;
/// accelerations, curvatures and their changes 0.1 %; ground_cost 2 % and half a cell; positions 2
/// mm plus 1e-5 of coordinates and length; headings 5e-4 rad. With a world (may be NULL) it tests
/// the footprint with its margin at every step against cells, polygons, box and `is_free`, smaller
/// by 2 mm and the rounding of floats, and near a start inside an obstacle (kerb_planner_begin) by
/// a bit more.
///
/// Errors: OUT_OF_RANGE of the broken limit ("turning_radius", "speed_max" …), of "world" where the
/// footprint meets an obstacle, or of "goal" where the query has no such start or goal;
/// CONTRADICTION of "pose", "speed", "time", "length", "direction", "goal", "cost" or "ground_cost"
/// that do not fit the other pieces, the query or the cost map; TOO_FEW of "count"; NOT_FINITE. All
/// with the index of the piece. kerb_planner_set_world must accept the world. Allocates nothing.
/// O(length), with a world O(length · (cells under the footprint + vertices)).
KERB_API kerb_result kerb_plan_check(const kerb_plan_limits* limits, const kerb_plan_query* query,
                                     const kerb_plan_world* world, const kerb_plan* plan,
                                     kerb_error* error);

/// Checks whether a plan meets a moving obstacle. Steps and footprint are those of kerb_plan_check.
/// Errors: OUT_OF_RANGE of "movers", with the index of the piece; TOO_FEW of "count". Allocates
/// nothing. O(length · count)
KERB_API kerb_result kerb_plan_check_movers(const kerb_plan_limits* limits,
                                            const kerb_plan_mover* movers, int32_t count,
                                            const kerb_plan* plan, kerb_error* error);

// --------------------------------------------------------------------------- planner

/// How to plan. Begin with kerb_planner_settings_default and change what differs.
typedef struct kerb_planner_settings {
    int32_t improvement; ///< steps that improve the first plan; 0: keep the first plan
    int32_t seed;        ///< seed of the random numbers of the improvement
    // For searches round obstacles.
    int32_t expansions; ///< greatest number of node expansions; grows beyond 100 turning radii
    int32_t nodes;      ///< greatest number of nodes of a search, about 138 bytes each
    /// Greatest number of cells of the distance field, up to 2 bytes each. A cell is a quarter of
    /// the vehicle's width, or larger where those would be too many.
    int32_t field_cells;
} kerb_planner_settings;

/// Ranges, defaults and meaning of every setting.
KERB_API const kerb_settings_table kerb_planner_settings_table;
/// The defaults of the table.
KERB_API kerb_planner_settings kerb_planner_settings_default(void);

/// State of a query.
typedef enum kerb_plan_outcome {
    KERB_PLAN_RUNNING,       ///< there is work left
    KERB_PLAN_FOUND,         ///< done: there is a plan
    KERB_PLAN_NO_PATH,       ///< done: no plan exists
    KERB_PLAN_BUDGET_SPENT,  ///< done: no plan found with the work that the settings allow, within
                             ///< 2,048 arcs, or none that wheels follow between ends with speed
    KERB_PLAN_CANCELLED,     ///< done: by the host; the plan is the best until then
    KERB_PLAN_IMPOSSIBLE,    ///< done: all starts, or all goals, have a speed beyond the limits
    KERB_PLAN_START_BLOCKED, ///< done: obstacles at every start, too deep in the footprint
    KERB_PLAN_GOAL_BLOCKED,  ///< done: the footprint meets an obstacle at every goal
    KERB_PLAN_WORLD_CHANGED, ///< done: the world was changed; the plan is the best until then
    /// Done: with a curvature_rate, at a start with speed the wheels are turned too far for it, or
    /// there is no free space to turn them straight or to stop.
    KERB_PLAN_START_TOO_FAST,
    KERB_PLAN_OUTCOME_COUNT
} kerb_plan_outcome;

/// A word, never NULL: "found", "no_path".
KERB_API const char* kerb_plan_outcome_text(kerb_plan_outcome outcome);

/// Searches for plans in slices of work. Its memory holds no pointers, except for `is_free` and
/// `pose_at` with their contexts. A copy of this struct with copies of the memory goes on and gives
/// exactly the same plan, to the bit. The plan depends on the number of steps, not on how they were
/// sliced. One thread at a time.
typedef struct kerb_planner {
    void* memory;       ///< aligned to 64
    size_t bytes;       ///< of `memory`
    void* world_memory; ///< obstacles, and searches among them; aligned to 64; NULL: open ground
    size_t world_bytes;
    void* movers_memory; ///< moving obstacles; aligned to 64; NULL: none
    size_t movers_bytes;
    kerb_allocator allocator;
} kerb_planner;

/// Size of a planner's memory on open ground: 0.7 megabytes, enough for plans of kilometres.
KERB_API size_t kerb_planner_bytes(void);

/// Makes a planner on open ground. Allocates the memory for all its queries. Errors: those of
/// kerb_plan_limits_validate; OUT_OF_RANGE or NOT_FINITE of a setting; OUT_OF_MEMORY. On error the
/// planner is zeroed.
KERB_API kerb_result kerb_planner_create(kerb_planner* planner, const kerb_plan_limits* limits,
                                         const kerb_planner_settings* settings,
                                         const kerb_host* host, kerb_error* error);

/// Releases the memory and zeroes the planner. Has no effect on a zeroed planner.
KERB_API void kerb_planner_destroy(kerb_planner* planner);

/// Sets the obstacles for the next queries and drops the present query. Copies them. NULL or a
/// world of zeros: open ground.
///
/// Call it while loading: it allocates, and later queries do not. The memory is a bit per grid
/// cell, a byte per cell of the cost map, 8 bytes per vertex, 28 per polygon, up to 2 bytes per
/// settings.field_cells, up to 16 MB for distances round obstacles and about 139 bytes per
/// settings.nodes. O(cells + vertices)
///
/// Errors, after which the ground is open: NOT_FINITE or OUT_OF_RANGE of "columns", "rows",
/// "cell_size", "origin" (the grid must lie within 1e6 m), "cost_per_metre", "vertices" (with the
/// index of the vertex), "polygon_count", "spare_polygons", "spare_corners", "area_min",
/// "area_max", "box_min" or "box_max"; TOO_FEW of "vertex_counts" (with the index of the polygon);
/// MISSING_FIELD of "vertices" or "vertex_counts"; OUT_OF_RANGE of "width" or "front" where the
/// footprint is empty; OUT_OF_MEMORY.
KERB_API kerb_result kerb_planner_set_world(kerb_planner* planner, const kerb_plan_world* world,
                                            kerb_error* error);

/// Gives cells of the grid new values: a door, a barricade. Later queries have the answers of a
/// planner with a world that is set anew, to the bit. 10 by 10 m take 0.1 ms in a town and 0.6 ms
/// in the open. Allocates nothing. Copies the values.
///
/// A query that is running ends with KERB_PLAN_WORLD_CHANGED. The plan that it has found stays, as
/// it was; kerb_plan_check tells whether it is still free. To go on in the world as it was, copy
/// the planner before the change. The search tree and the partial plan are dropped. O(cells that
/// are nearer to the change than to other obstacles + cells / 4,000)
///
/// Errors, after which nothing has changed: MISSING_FIELD of "world" (the planner has none),
/// "cells" or "cost_map" (the world has none); OUT_OF_RANGE of "column", "row", "columns" or "rows"
/// (the rectangle must lie in the grid).
KERB_API kerb_result kerb_planner_change_cells(kerb_planner* planner, const kerb_plan_cells* cells,
                                               kerb_error* error);

/// Gives a polygon of the world new corners: a parked car, a gate. `polygon` is its index in
/// kerb_plan_world; the indices from polygon_count on are those of the spare polygons. count 0:
/// takes the polygon away. Answers, running queries and memory as for kerb_planner_change_cells;
/// corners are copied. O(the same + vertices of all polygons near the change)
///
/// Errors, after which nothing has changed: MISSING_FIELD of "world" (the planner has none) or
/// "vertices"; OUT_OF_RANGE of "polygon"; TOO_FEW (below 3) or TOO_MANY of "count"; with the index
/// of the vertex NOT_FINITE or OUT_OF_RANGE of "vertices" (they must lie within the grid, the area
/// of changes or the extent of the polygons when the world was set).
KERB_API kerb_result kerb_planner_change_polygon(kerb_planner* planner, int32_t polygon,
                                                 const kerb_vec2* vertices, int32_t count,
                                                 kerb_error* error);

/// Sets the moving obstacles for the next queries and drops the present query. Copies them.
/// count 0: none.
///
/// A plan then drives slower or waits where it would meet a moving obstacle. If the plan that
/// ignores moving obstacles meets one at full speed, the planner also searches for a path round
/// them. This search has speed and time in its states and makes up to a tenth of
/// settings.expansions. The result is the better of the two plans; with settings.improvement 0 the
/// first one. If there is neither, the outcome is BUDGET_SPENT. Moving obstacles have no effect
/// after the end of a plan.
///
/// Every plan of kerb_planner_get_plan slows down or waits so, which takes much longer than a step.
///
/// The first call with moving obstacles allocates 2 MB and 31 bytes per settings.nodes. Errors,
/// with the index, after which there are none: NOT_FINITE or OUT_OF_RANGE of "pose", "velocity",
/// "length", "width" or "speed_max"; TOO_MANY of "count"; OUT_OF_MEMORY.
KERB_API kerb_result kerb_planner_set_movers(kerb_planner* planner, const kerb_plan_mover* movers,
                                             int32_t count, kerb_error* error);

/// Begins a query and drops the present one. Errors, after which there is no query: those of
/// kerb_plan_query_validate. Speeds beyond the limits and blocked ends are outcomes: IMPOSSIBLE,
/// START_BLOCKED, GOAL_BLOCKED. At a start an obstacle may reach through the margin and into the
/// vehicle by KERB_PLAN_STEERING_DEVIATION_MAX, at most a tenth of the width. Up to two lengths
/// from there the footprint is smaller, by as little as needed: kerb_plan.start_overlap.
KERB_API kerb_result kerb_planner_begin(kerb_planner* planner, const kerb_plan_query* query,
                                        kerb_error* error);

/// Does at most `steps` steps of the query. Allocates nothing. On open ground the first step finds
/// the first plan and takes longest; each further step tries to improve the plan. Where obstacles
/// block the direct path, the next step looks for a line: the shortest way as if the vehicle could
/// turn on the spot, pulled taut and rounded with its turning radius. Where that is not free, and
/// on ground with a cost, steps are expansions of a search. Then come shortcuts, then improvements.
///
/// A start within the tolerances of a goal is there: the plan has one piece without length. Other
/// goals with tolerances become up to 64 exact ends, which the improvement moves. With several
/// goals among obstacles, a search takes the goal that it reaches first. Then the planner searches
/// for a plan to each other goal that might cost less, if its position or penalty differs. Each of
/// these searches may take four times the steps of the first search.
KERB_API kerb_plan_outcome kerb_planner_advance(kerb_planner* planner, int32_t steps);

/// Ends the query. The plan that was found stays.
KERB_API void kerb_planner_cancel(kerb_planner* planner);

/// The best plan until now; without pieces where there is none. O(1). The head of this file says
/// how long its pieces are valid.
KERB_API kerb_plan kerb_planner_get_plan(const kerb_planner* planner);

/// A partial plan, on which a vehicle can begin to drive while there is no plan to a goal. It leads
/// to where the search has come nearest to a goal, and ends there at rest. Its `goal` is -1, its
/// cost is its time and the penalty of its start, and kerb_plan_check refuses it. It slows down or
/// waits for moving obstacles. It has no pieces before the first expansion, or where the search
/// goes backwards from the goals. If there is a plan to a goal, the function returns that. O(nodes)
KERB_API kerb_plan kerb_planner_get_partial_plan(kerb_planner* planner);

// --------------------------------------------------------------------------- search tree

/// The tree of a search round obstacles, for pictures and for debugging.
typedef struct kerb_plan_tree {
    int32_t count;  ///< number of nodes; only grows within one search
    int32_t search; ///< index of the search within the query; each has its own tree [>= 0]
    bool backwards; ///< it grows from the goals: costs count from there; travel is reversed
} kerb_plan_tree;

/// A node of the tree: a pose that the search has reached.
typedef struct kerb_plan_node {
    kerb_pose pose;  ///< of the rear axle
    int32_t parent;  ///< index of the node whose arc leads here, a lower one; -1: root
    float curvature; ///< of that arc, left positive [1/m]
    float length;    ///< of that arc, negative in reverse; 0 for a root [m]
    float cost;      ///< of the path from the root, approximate [s]
} kerb_plan_node;

/// The tree of the query's latest search, until the planner changes. May have no nodes. O(1)
KERB_API kerb_plan_tree kerb_planner_get_tree(const kerb_planner* planner);

/// A node of the tree, in the order in which they were reached. Nodes of one expansion follow one
/// another and have one parent. [index: 0 … tree.count - 1] O(1)
KERB_API kerb_plan_node kerb_planner_get_node(const kerb_planner* planner, int32_t index);

#endif
