// Kerb kind_chase: places that move, for every kind of vehicle: to meet one, and to keep one.
//
// A place that moves is a ship that is met at sea, a lorry that a drone lands on, or a slot of a
// formation (kerb/group.h). A chase looks for the earliest time at which a vehicle can be at such a
// place, with its heading and speed, and plans to there, as kerb/plan_chase.h does for vehicles
// with wheels. kerb_kind_driver_keep (kerb/kind_driver.h) then keeps the place.
//
// Call order: kerb_kind_planner_create and kerb_kind_planner_set_world as in kerb/plan_kind.h; then
// kerb_kind_chase_begin, kerb_kind_chase_advance in slices, and kerb_kind_planner_get_plan.
//
//     kerb_kind_target target = kerb_kind_target_make(place); // of a slot, or of a vehicle
//     kerb_kind_chase chase;
//     if (kerb_kind_chase_begin(&chase, &planner, here, &target, &error) == KERB_OK)
//         while (kerb_kind_chase_advance(&chase, &planner, 100) == KERB_PLAN_RUNNING)
//             continue;                                          // one slice per frame
//     kerb_kind_plan plan = kerb_kind_planner_get_plan(&planner);
//     if (kerb_kind_chase_meeting(&chase).is_met)
//         arrival = plan.time;                                   // the place is there then
//
// Does not: play against a target that evades; avoid the target itself: choose a place beside or
// behind it.
//
// Source: "AIPATH", chapter 6.3; Anderson, Moore, "Optimal Control: Linear Quadratic Methods"
// (keeping a place).
#ifndef KERB_KIND_CHASE_H
#define KERB_KIND_CHASE_H

#include "plan_chase.h"
#include "plan_kind.h"

/// A place that moves: where the reference point of a kind is to be. It goes on along an arc, in
/// space along a helix about a vertical axis. kerb_formation_place has the same numbers.
typedef struct kerb_kind_place {
    kerb_vec3 position; ///< [m] In the plane, z does not count.
    kerb_vec3 forward;  ///< direction of its motion; of unit length
    float speed;        ///< along `forward` [m/s] [>= 0]
    float curvature;    ///< of its path, left positive [1/m]
} kerb_kind_place;

/// A place `time` later. [s] O(1)
KERB_API kerb_kind_place kerb_kind_place_after(const kerb_kind_place* place, float time);

/// The state of a vehicle at a place that it keeps, and the control that keeps it there: what
/// leaves the place least, where the kind cannot follow it. `control` may be NULL. O(states³)
KERB_API void kerb_kind_state_at(const kerb_kind* kind, const kerb_kind_place* place, float* state,
                                 float* control);

// --------------------------------------------------------------------------- keeping a place

/// A regulator that keeps a place. Plain data. Zeroed: it has not begun.
typedef struct kerb_kind_regulator {
    float cost[KERB_KIND_STATES_MAX][KERB_KIND_STATES_MAX];
    float gains[KERB_KIND_CONTROLS_MAX][KERB_KIND_STATES_MAX];
    kerb_vec3 offset;   ///< integral of the error: along the place's path, to its left, up [m]
    float speed;        ///< of the place in the last call [m/s]
    float acceleration; ///< of the place along its path, from its speeds [m/s²]
    bool has_begun;
} kerb_kind_regulator;

/// Computes state and control at a place, and gains: control = `control` + gains · (state of the
/// vehicle - `state`). The gains are those of a linear-quadratic regulator that goes on for ever;
/// each call does one step of its equation, the first one forty. The acceleration of the place is
/// measured from call to call, averaged over half a second, and `control` follows it. O(states³)
///
/// time_step: time since the last call. [s] [> 0]
KERB_API void kerb_kind_regulator_aim(kerb_kind_regulator* regulator, const kerb_kind* kind,
                                      const kerb_kind_place* place, float time_step, float* state,
                                      float* control);

// --------------------------------------------------------------------------- meeting a place

/// Where a place is and will be. Begin with kerb_kind_target_make.
typedef struct kerb_kind_target {
    kerb_kind_place place; ///< now
    float horizon;         ///< the prediction counts for this time from now on [s] [0 … 3600]
    /// The host's own prediction, `time` seconds from now. Called with times from 0 to `horizon`,
    /// on the calling thread; for equal times it must give equal answers. NULL: `place` goes on
    /// along its arc.
    kerb_kind_place (*place_at)(void* context, float time);
    void* context; ///< for `place_at`
} kerb_kind_target;

/// A target that goes on along its arc, with a horizon of 600 s.
KERB_API kerb_kind_target kerb_kind_target_make(kerb_kind_place place);

/// The place of a target `time` seconds from now. [s] O(1)
KERB_API kerb_kind_place kerb_kind_target_at(const kerb_kind_target* target, float time);

/// A chase between slices. Plain data, apart from the target's `place_at` and `context`.
typedef struct kerb_kind_chase {
    kerb_kind_target target;
    float start[KERB_KIND_STATES_MAX];
    kerb_plan_meeting made; ///< the result
    kerb_plan_meeting_search search;
    int32_t stage, outcome;
} kerb_kind_chase;

/// Begins a chase from a state, and drops the planner's present query.
///
/// The time of meeting is the least one at which the planner's plan to where the target is then
/// takes no longer than the target, to 2 % or 0.1 s. Plans then end exactly at that time. What
/// cannot stop, such as an airplane, is slower for that, or takes a longer way; where neither fits,
/// times later by a tenth and more are tried, and if none fits, the plan is early. Plans of kinds
/// without kerb_kind_space.connect_in end up to 0.1 s early, or more where the time of a plan jumps
/// from one place to the next. Times up to half as late again as one that is too early are not
/// tried.
///
/// Where the target cannot be met within its horizon, the plan leads to where it is nearest to be
/// met; `early` says how late it is.
///
/// Errors, after which there is no query: NOT_FINITE or OUT_OF_RANGE of "place", "horizon" or
/// "from". Allocates nothing. O(1), with up to 33 calls of `place_at`
KERB_API kerb_result kerb_kind_chase_begin(kerb_kind_chase* chase, kerb_kind_planner* planner,
                                           const float* from, const kerb_kind_target* target,
                                           kerb_error* error);

/// Does at most `steps` steps of the planner's queries. FOUND: kerb_kind_planner_get_plan has the
/// plan, met or late. Without a plan to any place of the target, the outcome is that of the last
/// query. Allocates nothing.
KERB_API kerb_plan_outcome kerb_kind_chase_advance(kerb_kind_chase* chase,
                                                   kerb_kind_planner* planner, int32_t steps);

/// The result, after kerb_kind_chase_advance no longer returns RUNNING. `goes_on` is false. O(1)
KERB_API kerb_plan_meeting kerb_kind_chase_meeting(const kerb_kind_chase* chase);

#endif
