// Kerb plan_kind: plans for every kind of vehicle, from a struct of functions and data.
//
// A kerb_planner (kerb/plan.h) plans for vehicles whose path is a row of arcs: wheels and tracks. A
// ship answers its rudder after lengths, a person steps sideways, a hovercraft slides, a trailer
// folds. This planner knows none of them: a kerb_kind says what the state of a kind is and how fast
// it changes under its controls. The planner finds controls that lead from one state exactly to
// another, round obstacles, in a time near the shortest, and feedback that keeps a vehicle on the
// plan. kerb/kinds.h has the kinds that Kerb knows; fill a kerb_kind to add one.
//
// Call order: kerb_kind_planner_create; kerb_kind_planner_set_world where there are obstacles; then
// for each query kerb_kind_planner_begin, kerb_kind_planner_advance in slices, and
// kerb_kind_planner_get_plan at its end; kerb_kind_planner_destroy. A kerb_kind_driver
// (kerb/kind_driver.h) drives the plan.
//
//     kerb_ship ship = kerb_ship_default();
//     kerb_kind kind = kerb_kind_of_ship(&ship);                       // `ship` must outlive it
//     kerb_host host = kerb_host_default();
//     kerb_kind_settings settings = kerb_kind_settings_default();
//     kerb_kind_planner planner;
//     kerb_error error;
//     if (kerb_kind_planner_create(&planner, &kind, &settings, &host, &error) != KERB_OK)
//         return false;                                   // `error` says what is wrong
//     float here[KERB_KIND_STATES_MAX] = {0, 0, 0, 5};                 // x, y, heading, speed
//     float there[KERB_KIND_STATES_MAX] = {900, 400, 1.6f};            // at rest
//     if (kerb_kind_planner_begin(&planner, here, there, &error) == KERB_OK)
//         while (kerb_kind_planner_advance(&planner, 100) == KERB_PLAN_RUNNING)
//             continue;                                                // one slice per frame
//     kerb_kind_plan plan = kerb_kind_planner_get_plan(&planner);
//     float seconds = plan.time;
//     kerb_kind_planner_destroy(&planner);                             // and the arrays of `plan`
//
// HOW IT PLANS. A kerb_planner finds a route of arcs for a point of the vehicle, with limits that
// the kind gives. Gains of a linear-quadratic regulator steer a simulated vehicle along the route.
// The least changes of the controls that lead the end of this motion to the goal are computed from
// its derivatives, until the goal is reached to within the tolerances (Gauss-Newton). Then the
// duration is shortened step by step as long as the goal can be reached within the limits of the
// controls. Where a shorter motion meets an obstacle or leaves its room, the plan is shortened
// further along that limit. Motions to the goal that meet an obstacle are tried again on wider and
// slower routes, and then on the same routes while the regulator keeps them near. A plan that takes
// a tenth longer than its first route is tried on the other routes, too; the best is kept.
//
// Lifetimes: the arrays of a plan lie in the memory of its planner. They are valid until the next
// call of kerb_kind_planner_begin, _advance, _set_world or _destroy on that planner. Threads: use a
// planner from one thread at a time; different planners are independent.
//
// Does not: avoid obstacles that move; give up the heading or speed of a goal.
//
// Sources: "AIPATH" (one planner for all kinds of vehicles); Bryson, Ho, "Applied Optimal Control"
// (neighbouring extremals, sections 6.4 and 7.3); Li, Todorov, "Iterative Linear Quadratic
// Regulator Design", ICINCO 2004.
#ifndef KERB_PLAN_KIND_H
#define KERB_PLAN_KIND_H

#include "kinds.h"
#include "plan.h"
#include "plan_space.h"
#include "space_kinds.h"

// --------------------------------------------------------------------------- kinds

/// Greatest number of rectangles of a footprint.
#define KERB_KIND_BOXES_MAX 3

/// A rectangle of a footprint.
typedef struct kerb_kind_box {
    kerb_pose pose;    ///< of a point on its middle line
    float front, rear; ///< from that point to its ends; rear: backwards [m]
    float width;       ///< [m] [>= 0]
} kerb_kind_box;

/// The query that a route is for.
typedef struct kerb_kind_query {
    const float *from, *to; ///< states
    float time;             ///< of the first guess; that of its states counts from 0 [s]
} kerb_kind_query;

/// A kind of vehicle, in the plane or, where `space` is set, in space. The functions receive
/// `vehicle`, must be pure, and are called from the thread of the planner or driver. All quantities
/// in SI units and radians; headings count from x towards y. The first three numbers of each state
/// are x, y [m] and heading [rad] of the kind's reference point. The heading may exceed π: it is
/// not wrapped. The position must not change the rates.
typedef struct kerb_kind {
    const char* name;    ///< "ship", …
    const void* vehicle; ///< numbers of the vehicle; must outlive planners and drivers
    int32_t states;      ///< numbers of a state [3 … KERB_KIND_STATES_MAX]
    int32_t controls;    ///< numbers of a control [1 … KERB_KIND_CONTROLS_MAX]
    const char* state_names[KERB_KIND_STATES_MAX];
    const char* control_names[KERB_KIND_CONTROLS_MAX];
    float control_min[KERB_KIND_CONTROLS_MAX], control_max[KERB_KIND_CONTROLS_MAX];
    /// Share of the controls' ranges that plans use; the rest is for the driver's corrections. 1:
    /// all, for plans that are not driven. [0.1 … 1]
    float control_share;
    /// Time by which a real vehicle answers each control later than the model. Drivers command the
    /// plan's controls as much earlier. [s] [>= 0]
    float delay[KERB_KIND_CONTROLS_MAX];
    /// Error of each number of a state that feedback corrects with about a full control. [> 0]
    float error[KERB_KIND_STATES_MAX];
    /// Error of each number of a state that is accepted at the goal. [> 0]
    float tolerance[KERB_KIND_STATES_MAX];
    float step_max; ///< longest step of integration [s] [> 0] About a third of the shortest time
                    ///< constant.

    /// Pieces of plans are no longer, as far as kerb_kind_settings.pieces allows. 0: no limit. [s]
    /// [>= 0] For kinds whose plans get worse with longer ones, as those of trailers do by a tenth.
    float piece_max;
    /// Time over which numbers of the state beyond the pose, and controls, are averaged along a
    /// route, because they cannot jump as its curvature does. 0: not. [s] [>= 0]
    float smoothing;
    /// Share of the feedback that works until the end of a motion has first been led to the goal.
    /// 0: a vehicle that stays near a motion when it gets the same controls, as most do. Above 0:
    /// one that leaves it exponentially, as a trailer in reverse. [0 … 1] Usual: 0 or 0.1.
    float closing_feedback;

    /// Rates of change of a state under constant controls, smooth in all of them. Controls of 0
    /// hold a vehicle that stands.
    void (*rates)(const void* vehicle, const float* state, const float* control, float* rates);
    /// Footprint at a state; returns the number of rectangles. [1 … KERB_KIND_BOXES_MAX]
    int32_t (*boxes)(const void* vehicle, const float* state, kerb_kind_box* boxes);
    /// Limits of the arcs of a route. Routes are tried from `attempt` 0 on: each should be easier
    /// to follow than the one before it. What the limits ask for must be possible with
    /// control_share of the controls: a vehicle that falls behind its route cuts the bends.
    /// `margin` is that of attempt 0; the planner lowers it from attempt to attempt, to none in the
    /// last.
    kerb_plan_limits (*route_limits)(const void* vehicle, int32_t attempt);
    /// The end of a route that stands for a state, as seen from the other end. `is_goal`: false at
    /// the start.
    kerb_plan_end (*route_end)(const void* vehicle, const float* state, const float* other,
                               bool is_goal);
    /// A state on a route and the control there: the first guess of the planner.
    void (*on_route)(const void* vehicle, const kerb_kind_query* query, const kerb_plan_state* at,
                     float* state, float* control);
    /// No plan from one state to another that passes kerb_kind_check takes less time. Goals are met
    /// within tolerances, so the bound must not jump where a goal moves by as little. [s] [>= 0]
    float (*bound)(const void* vehicle, const float* from, const float* to);
    /// How far a state is within limits that controls cannot break by themselves, such as the angle
    /// of a hitch; negative beyond them. In shares of the limit. NULL: there are no such limits.
    float (*room)(const void* vehicle, const float* state);

    /// The state of a real vehicle. `told`: the numbers of the state that kerb_motion does not
    /// tell, in the order of the state; NULL where there are none.
    void (*state_of)(const void* vehicle, const kerb_motion* motion, const float* told,
                     float* state);
    /// The controls of a real vehicle that act as the kind's control does. `control` NULL: the
    /// controls that stop it and hold it.
    kerb_controls (*controls_of)(const void* vehicle, const float* state, const float* control);

    /// How far a real vehicle still moves beside what the model of the kind knows, until it has the
    /// speed of the goal, to which it brakes. [m] The driver counts it as an error of the position.
    /// A ship slides on when it is too slow for its rudder. NULL: none.
    kerb_vec2 (*slide)(const void* vehicle, const kerb_motion* motion, const float* goal);

    /// What a kind in space has in addition. NULL: the kind moves in the plane. Kinds in space
    /// leave route_limits, route_end, on_route and controls_of NULL.
    const kerb_kind_space* space;
} kerb_kind;

/// KERB_OK, or MISSING_FIELD of a function that is NULL, OUT_OF_RANGE or NOT_FINITE of a number.
/// `error` may be NULL. O(1)
KERB_API kerb_result kerb_kind_validate(const kerb_kind* kind, kerb_error* error);

// --------------------------------------------------------------------------- built-in kinds

// Each description must be valid (kerb_settings_validate with its table) and outlive the kind.

/// A ship. A plan ends with the state's speed through the water: at 0 the ship goes on drifting
/// with current and wind.
KERB_API kerb_kind kerb_kind_of_ship(const kerb_ship* ship);
/// A pedestrian.
KERB_API kerb_kind kerb_kind_of_pedestrian(const kerb_pedestrian* pedestrian);
/// A hovercraft: a vehicle of kind KERB_VEHICLE_HOVER. State: x, y, heading, speed forwards and to
/// the left [m/s], yaw rate [rad/s] of the reference point. Controls: pedal [-1 … 1], thrust where
/// positive; where negative, fan and skirt as the brake ahead, reverse thrust backwards; turn
/// [-1 … 1], the share of yaw_rate_max. kerb_controls are those of a kerb_vehicle of that kind.
/// Routes never drive backwards, but plans push back where that is faster, in gear -1.
KERB_API kerb_kind kerb_kind_of_hovercraft(const kerb_vehicle* vehicle);
/// A car with a trailer.
KERB_API kerb_kind kerb_kind_of_towing(const kerb_towing* towing);
/// A vehicle of kind KERB_VEHICLE_TRACKED. State: x, y, heading, speed [m/s] and yaw rate [rad/s]
/// of the reference point. Controls: pedal [-1 … 1], the acceleration forwards over the lesser one
/// of both directions; turn [-1 … 1], the share of yaw_rate_max. kerb_controls are those of a
/// kerb_vehicle of that kind. Unlike a kerb_planner it knows that the yaw rate takes time, by
/// yaw_acceleration_max.
KERB_API kerb_kind kerb_kind_of_tank(const kerb_vehicle* vehicle);
/// A motorcycle, which leans first. Plans never drive backwards.
KERB_API kerb_kind kerb_kind_of_motorcycle(const kerb_motorcycle* motorcycle);

/// A spacecraft.
KERB_API kerb_kind kerb_kind_of_spacecraft(const kerb_spacecraft* spacecraft);
/// A helicopter or a drone.
KERB_API kerb_kind kerb_kind_of_rotorcraft(const kerb_rotorcraft* rotorcraft);
/// A rocket.
KERB_API kerb_kind kerb_kind_of_rocket(const kerb_rocket* rocket);
/// An airplane. State: heading of the motion, speed [m/s]. Controls: curvature over the greatest
/// [-1 … 1], left positive; sine of the slope of the path, upwards positive; acceleration [m/s²].
/// Plans fly at cruise_speed; starts and goals need speeds near it. Room: from 0 to speed_max.
/// Where control_share is below 1, plans end with 3.5 s of straight flight, for the driver.
/// kerb_controls are those of kerb/fly.h.
KERB_API kerb_kind kerb_kind_of_airplane(const kerb_aircraft* aircraft);
/// A submarine. Room: speeds from 0 to speed_max.
KERB_API kerb_kind kerb_kind_of_submarine(const kerb_submarine* submarine);

// --------------------------------------------------------------------------- plans

/// A plan: states at joints, and constant controls between them. Plain data, except for the arrays.
typedef struct kerb_kind_plan {
    /// States at the joints of the pieces, `count` + 1 rows of KERB_KIND_STATES_MAX numbers.
    const float* states;
    const float* controls; ///< of the pieces, `count` rows of KERB_KIND_CONTROLS_MAX numbers
    /// Gains: control = planned control + gain · (state - planned state). For each piece
    /// KERB_KIND_CONTROLS_MAX rows of KERB_KIND_STATES_MAX numbers.
    const float* gains;
    const float* times; ///< of the joints, `count` + 1, the first 0 [s]
    int32_t count;      ///< number of pieces; 0: there is no plan
    float time;         ///< duration of the plan: its cost [s]
    float length;       ///< distance that the reference point moves [m]
    float lower_bound;  ///< no plan takes less time [s]
    int32_t attempt;    ///< route on which it was found, from 0
    int32_t steps;      ///< steps of work
} kerb_kind_plan;

/// The piece at a time, which is clamped to the plan. The plan must have pieces. O(log count)
KERB_API int32_t kerb_kind_plan_piece(const kerb_kind_plan* plan, float time);

/// State and control at a time, which is clamped to the plan. Both arrays have the kind's greatest
/// lengths. The plan must have pieces. O(log count)
KERB_API void kerb_kind_plan_at(const kerb_kind* kind, const kerb_kind_plan* plan, float time,
                                float* state, float* control);

/// Checks whether a plan leads from one state to another as the kind moves, with controls, rooms
/// and footprint within their limits. `world` may be NULL.
///
/// The check shares no code with the planner. It integrates each piece by the midpoint rule in
/// eight steps with sums in double precision, and tests the footprint, smaller by 2 mm, and the
/// room after each. Accepted errors at each joint: 5 % of kerb_kind.tolerance plus 2e-6 of the
/// coordinates; at the goal the tolerance.
///
/// Errors, with the index of the piece: TOO_FEW of "count"; NOT_FINITE; OUT_OF_RANGE of "control",
/// "room" or "world"; CONTRADICTION of "state", "start", "goal" or "time". Allocates nothing.
/// O(count · (cells under the footprint + vertices))
KERB_API kerb_result kerb_kind_check(const kerb_kind* kind, const float* from, const float* to,
                                     const kerb_plan_world* world, const kerb_kind_plan* plan,
                                     kerb_error* error);

// --------------------------------------------------------------------------- planner

/// Greatest number of routes that a planner tries. In space it tries at most two ways, and then a
/// tree of legs.
#define KERB_KIND_ATTEMPTS_MAX 5

/// How to plan. Begin with kerb_kind_settings_default.
typedef struct kerb_kind_settings {
    int32_t attempts; ///< greatest number of routes that are tried [1 … KERB_KIND_ATTEMPTS_MAX]
    int32_t pieces;   ///< pieces of a plan, up to 2.5 times as many where kerb_kind.piece_max asks
                      ///< for more [8 … KERB_KIND_PIECES_MAX]
    float shortening; ///< stop to shorten the plan when a step gains less than this share of its
                      ///< time; 1: do not shorten [1] [0.0001 … 1]
    int32_t route_steps; ///< steps that a route among obstacles may take
    int32_t improvement; ///< in space: changes of a plan among obstacles that are tried [>= 0]
} kerb_kind_settings;

/// Ranges, defaults and meaning of every setting.
KERB_API const kerb_settings_table kerb_kind_settings_table;
/// The defaults of the table.
KERB_API kerb_kind_settings kerb_kind_settings_default(void);

/// Searches for plans in slices of work. One thread at a time.
typedef struct kerb_kind_planner {
    void* memory;       ///< aligned to 64
    size_t bytes;       ///< of `memory`
    void* world_memory; ///< a copy of the obstacles; aligned to 64; NULL: open ground
    size_t world_bytes;
    bool in_space;                               ///< plans for a kind in space
    kerb_planner routes[KERB_KIND_ATTEMPTS_MAX]; ///< plan the routes, one for each attempt
    kerb_allocator allocator;
} kerb_kind_planner;

/// Size of a planner's own memory: about half a megabyte. The planner of each route needs
/// kerb_planner_bytes() more, and with obstacles the memory that kerb_planner_set_world tells.
KERB_API size_t kerb_kind_planner_bytes(void);

/// Makes a planner on open ground. Copies `kind`, but not kind->vehicle. Allocates all memory.
/// Errors: those of kerb_kind_validate and of kerb_plan_limits_validate; OUT_OF_RANGE or NOT_FINITE
/// of a setting; OUT_OF_MEMORY. On error the planner is zeroed.
KERB_API kerb_result kerb_kind_planner_create(kerb_kind_planner* planner, const kerb_kind* kind,
                                              const kerb_kind_settings* settings,
                                              const kerb_host* host, kerb_error* error);

/// Releases the memory and zeroes the planner. Has no effect on a zeroed planner.
KERB_API void kerb_kind_planner_destroy(kerb_kind_planner* planner);

/// Sets the obstacles for the next queries and drops the present query. Copies them, except for
/// `is_free` with its context. Allocates for each attempt: call it while loading. Errors as for
/// kerb_planner_set_world, after which the ground is open; for a kind in space those of
/// kerb_space_world_validate, and MISSING_FIELD of "space" where the world has cells, polygons, a
/// box or `is_free` but no `space`: such a kind would fly through them.
KERB_API kerb_result kerb_kind_planner_set_world(kerb_kind_planner* planner,
                                                 const kerb_plan_world* world, kerb_error* error);

/// Begins a query and drops the present one. Both arrays have kind.states numbers. Errors, after
/// which there is no query: NOT_FINITE or OUT_OF_RANGE of "from" or "to", with the index of the
/// number: coordinates up to 1e6 m, headings and other numbers up to 1e3.
KERB_API kerb_result kerb_kind_planner_begin(kerb_kind_planner* planner, const float* from,
                                             const float* to, kerb_error* error);

/// Does at most `steps` steps of the query. A step is some of the route planner, the derivatives of
/// a motion, or a part of a simulation or of the tests of one; its cost does not grow with the way.
/// BUDGET_SPENT: no attempt led to the goal. START_BLOCKED, GOAL_BLOCKED: the footprint meets an
/// obstacle there.
KERB_API kerb_plan_outcome kerb_kind_planner_advance(kerb_kind_planner* planner, int32_t steps);

/// The best plan until now; without pieces where there is none. O(count)
KERB_API kerb_kind_plan kerb_kind_planner_get_plan(const kerb_kind_planner* planner);

#endif
