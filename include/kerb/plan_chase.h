// Plans to a goal that moves: a car chase, a convoy that is joined, a vehicle that is met.
//
// The host says where its target will be: straight on, along a bend, or by a function of its own. A
// chase looks for the earliest time at which the vehicle can be where the target is then, and plans
// to that place. Asked anew while the target moves, the plan goes on as it was, unless it misses
// the target by now or the target can be met sooner by more than a price.
//
// Call order: kerb_planner_create and kerb_planner_set_world as in kerb/plan.h;
// kerb_plan_chase_begin, then kerb_plan_chase_advance in slices, and kerb_planner_get_plan at the
// end. Later kerb_plan_chase_begin_onward with what is known of the target then.
//
//     kerb_plan_target target = kerb_plan_target_make(40, 10, 0.3f, 8);
//     target.behind = 8; // not into it
//     kerb_plan_chase chase;
//     if (kerb_plan_chase_begin(&chase, &planner, &here, &target, &error) == KERB_OK)
//         while (kerb_plan_chase_advance(&chase, &planner, 1000) == KERB_PLAN_RUNNING)
//             continue;                                          // one slice per frame
//     kerb_plan plan = kerb_planner_get_plan(&planner);          // copy its pieces to keep them
//     if (kerb_plan_chase_meeting(&chase).is_met)
//         arrival = kerb_plan_chase_meeting(&chase).time;        // the target is there then
//
// The goals of a chase are poses of the rear axle, as all poses of a planner. Work is counted in
// steps, and the plan does not depend on how they are sliced.
//
// Does not: know where the vehicle is (kerb/plan_onward.h), or drive round the target; for that
// make it a moving obstacle (kerb_planner_set_movers) and set `behind`. It does not play against a
// target that evades: what it knows is one prediction.
//
// Source: "AIPATH", chapter 6.3 (car chases).
#ifndef KERB_PLAN_CHASE_H
#define KERB_PLAN_CHASE_H

#include "plan_onward.h"

/// Where a target is and will be. Begin with kerb_plan_target_make.
typedef struct kerb_plan_target {
    kerb_pose pose;  ///< of the target now
    float speed;     ///< along the pose; negative in reverse [m/s] [-200 … 200]
    float curvature; ///< it drives on along an arc; left positive [1/m] [-10 … 10] Usual: 0.
    float behind;    ///< the goal is this far behind the target, on its way [m] [-1000 … 1000]
    float horizon;   ///< the prediction counts for this time from now on [s] [0 … 3600]
    // Tolerances of the goal, as in kerb_plan_end. A plan uses half of them at first. It goes on
    // while its end is within all of them of where the target is expected now.
    float position_tolerance; ///< [m] [>= 0]
    float heading_tolerance;  ///< [rad] [>= 0]
    float speed_tolerance;    ///< [m/s] [>= 0] A target that is too fast for the vehicle needs it.
    /// The host's own prediction: pose and speed `time` seconds from now; other fields of the end
    /// are not used. Called with any times from 0 to `horizon`, on the calling thread. For equal
    /// times it must give equal answers until the chase ends. `pose`, `speed`, `curvature` and
    /// `behind` are then not used. NULL: along the arc, at constant speed.
    kerb_plan_end (*end_at)(void* context, float time);
    void* context; ///< for `end_at`
} kerb_plan_target;

/// A target that drives straight on, with a horizon of 60 s and tolerances of 1 m, 0.2 rad and
/// 1 m/s. [m], [m], [rad], [m/s]
KERB_API kerb_plan_target kerb_plan_target_make(float x, float y, float heading, float speed);

/// The goal of a plan that meets the target `time` seconds from now. [s] O(1)
KERB_API kerb_plan_end kerb_plan_target_at(const kerb_plan_target* target, float time);

/// A plan is early at the meeting by at most this time, where the fastest plan takes no less. The
/// time of a fastest plan can jump from one place to the next, for instance where a loop becomes
/// unnecessary; then the plan is earlier. [s]
#define KERB_PLAN_CHASE_ACCURACY 0.1f
/// Greatest number of the planner's queries in one chase.
#define KERB_PLAN_CHASE_TRIES_MAX 24

/// What a chase has found.
typedef struct kerb_plan_meeting {
    bool is_met;      ///< the plan takes no longer than the target
    bool goes_on;     ///< the plan is the rest of the one before
    float time;       ///< of the target at the end of the plan, from the chase's start [s]
    float early;      ///< from the end of the plan until then; negative: it is late [s]
    float time_bound; ///< nothing can meet the target sooner, if the target is no faster than the
                      ///< vehicle can be [s]
    int32_t tries;    ///< queries of the planner
} kerb_plan_meeting;

/// Which times a search for a meeting has tried. For the library only.
typedef struct kerb_plan_meeting_search {
    float horizon, accuracy;   ///< [s]
    float trying;              ///< time of the present query [s]
    float early;               ///< of the plan that was noted last [s]
    float low, low_late;       ///< greatest time at which it is too late, and by how much [s]
    float before, before_late; ///< the same before `low` was tried [s]
    float high, high_early;    ///< least time at which it is not; negative: none [s]
    float nearest, late;       ///< time at which it is least late, and by how much [s]
    int32_t tries;             ///< queries
} kerb_plan_meeting_search;

/// A chase between slices. Plain data, apart from the target's `end_at` and `context`: a copy goes
/// on with a copy of the planner. The host reads it by kerb_plan_chase_meeting only.
typedef struct kerb_plan_chase {
    kerb_plan_target target;
    kerb_plan_end start;    ///< where the plan begins
    kerb_plan_meeting made; ///< the result
    kerb_plan_meeting_search search;
    float price; ///< of giving up the plan [s]
    int32_t stage, outcome, steps;
} kerb_plan_chase;

/// Begins a chase from a start, and drops the planner's present query.
///
/// The time of meeting is the least one at which the fastest plan to where the target is then takes
/// no longer than the target. Between times that are found to be too early, others up to half as
/// late again are not tried; so a meeting that is possible only for a short while can be missed,
/// for instance with a target that goes round in a circle.
///
/// Where the target cannot be met within its horizon, the plan leads to where the target is then,
/// or to another of the places tried where that one cannot be reached; `early` says how late it is.
///
/// Errors, after which there is no query: NOT_FINITE or OUT_OF_RANGE of "pose", "speed",
/// "curvature", "behind", "horizon" or a tolerance of the target; those of kerb_planner_begin.
/// Allocates nothing. O(1), with up to 64 calls of `end_at`
KERB_API kerb_result kerb_plan_chase_begin(kerb_plan_chase* chase, kerb_planner* planner,
                                           const kerb_plan_end* start,
                                           const kerb_plan_target* target, kerb_error* error);

/// Begins a chase from the state that the planner's plan, the result of `chase`, has `time` seconds
/// after its start. The target is the one known at that time, and its times count from then.
///
/// The rest of the plan is the answer as long as it ends within the tolerances of where the target
/// is expected then and meets no obstacle, and no other plan meets the target sooner by more than
/// `price`. Where none can, the chase ends with its first step. A plan that is late is not kept.
///
/// [time: s, >= 0; price: s, >= 0] Usual: 0.5. `start` receives the start of the new plan; may be
/// NULL. Errors: those of kerb_planner_begin_onward and of kerb_plan_chase_begin.
KERB_API kerb_result kerb_plan_chase_begin_onward(kerb_plan_chase* chase, kerb_planner* planner,
                                                  float time, float price,
                                                  const kerb_plan_target* target,
                                                  kerb_plan_end* start, kerb_error* error);

/// Does at most `steps` steps of the planner's queries. FOUND: kerb_planner_get_plan has the plan,
/// met or late; before, it has that of a try. Without a plan to any place of the target, the
/// outcome is that of the last query. Allocates nothing.
KERB_API kerb_plan_outcome kerb_plan_chase_advance(kerb_plan_chase* chase, kerb_planner* planner,
                                                   int32_t steps);

/// The result, after kerb_plan_chase_advance no longer returns RUNNING. O(1)
KERB_API kerb_plan_meeting kerb_plan_chase_meeting(const kerb_plan_chase* chase);

#endif
