// Asking a planner anew while a plan is being driven: for a world or goals that have changed, or in
// case there is something better by now.
//
// Two plans of nearly equal cost may pass an obstacle on different sides. A vehicle that takes the
// better one each time may waver between them. Here the plan goes on as it was, unless another is
// better by more than the price of changing one's mind.
//
//     kerb_plan_end here;
//     kerb_result begun =
//         kerb_planner_begin_onward(&planner, &plan, now, 0.5f, &goal, 1, &here, &error);
//     if (begun == KERB_OK)
//         while (kerb_planner_advance(&planner, 1000) == KERB_PLAN_RUNNING)
//             continue;
//     plan = kerb_planner_get_plan(&planner); // begins at `here`, the old plan's state at `now`
//
// Does not: know where the vehicle is. Use it while the vehicle is on its plan
// (kerb_plan_driver_decision.cross_track_error); otherwise begin a query from where it is.
#ifndef KERB_PLAN_ONWARD_H
#define KERB_PLAN_ONWARD_H

#include "plan.h"

/// Begins a query from the state that `plan` has `time` seconds after its start, and drops the
/// present one. `plan` may be the planner's own; its pieces are no longer valid afterwards.
///
/// The rest of the plan is the answer as long as no other plan costs less by more than `price`,
/// provided that it still ends at a goal and meets no obstacle. It is the same to the piece, with
/// its standstills. Where no plan can be better by that much, the query ends with its first step.
/// Moving obstacles are met as always: the rest slows down or waits, and another path must be
/// better than that by more than the price.
///
/// [time: s, >= 0; price: s, >= 0] Usual: 0.5. The price should exceed what the random numbers of
/// the improvement change, 0.01 of the cost.
///
/// `start` receives the start of the query, that state, for kerb_plan_check; may be NULL. A check
/// of the rest does not know that the wheels are turning when it begins, and may refuse its
/// steering_time there.
///
/// Errors, after which there is no query: TOO_FEW of "count" (`plan` has no pieces); NOT_FINITE or
/// OUT_OF_RANGE of "time" or "price"; those of kerb_planner_begin. O(pieces), allocates nothing
KERB_API kerb_result kerb_planner_begin_onward(kerb_planner* planner, const kerb_plan* plan,
                                               float time, float price, const kerb_plan_end* goals,
                                               int32_t goal_count, kerb_plan_end* start,
                                               kerb_error* error);

/// Whether kerb_planner_get_plan returns the rest of the plan with which kerb_planner_begin_onward
/// was called. O(1)
KERB_API bool kerb_planner_goes_on(const kerb_planner* planner);

#endif
