// Planning on two levels: a coarse plan over the whole way, and a fine one for what lies ahead.
//
// A vehicle that has left its plan does not need another one over the whole way. It needs a short
// plan back to any place of the old one, and goes on with that. The whole plan comes from a planner
// with slightly stricter limits and few steps of improvement; what lies ahead, and what leads back
// after a deviation, from a planner with the limits of the vehicle.
//
// Call order: a plan over the whole way as in kerb/plan.h, its pieces copied to the host's array.
// For what lies ahead, or after a deviation: kerb_planner_begin_rejoin, kerb_planner_advance in
// slices, and kerb_planner_rejoin, which puts the new part and the rest of the whole plan together.
//
//     kerb_plan_rejoin rejoin;
//     kerb_plan_end here = kerb_plan_end_make(x, y, heading, speed); // beside the plan `whole`
//     if (kerb_planner_begin_rejoin(&fine, &here, &whole, now + 2, now + 8, &rejoin, &error) !=
//         KERB_OK)
//         return false;
//     while (kerb_planner_advance(&fine, 1000) == KERB_PLAN_RUNNING)
//         continue;                                                  // one slice per frame
//     if (kerb_planner_rejoin(&fine, &whole, &rejoin, &error) != KERB_OK)
//         return false;
//     plan = kerb_planner_get_plan(&fine); // from `here` to the end of `whole`; copy its pieces
//
// While the vehicle is on its plan, take the new one only if it takes less time than what is left:
// searches are not exact. Where no way back is found, keep the plan, or ask for a whole one if the
// vehicle has left it.
//
// Does not: look whether the rest of the whole plan is still free. Where the world has changed, use
// kerb_plan_check, or kerb_planner_begin_onward (kerb/plan_onward.h) on the rest.
//
// Source: "AIPATH", chapter 6.2.
#ifndef KERB_PLAN_REJOIN_H
#define KERB_PLAN_REJOIN_H

#include "plan.h"

/// Limits that are stricter by `share` [0 … 0.5], for plans over the whole way: a larger turning
/// radius and a slower steering, lower speeds, accelerations and yaw rate. The margin grows by this
/// share of half the width. A vehicle that has left such a plan a little has the reserve to get
/// back. Usual: 0.1. O(1)
KERB_API kerb_plan_limits kerb_plan_limits_stricter(const kerb_plan_limits* limits, float share);

/// Greatest number of places at which a plan is rejoined.
#define KERB_PLAN_REJOIN_PLACES 8

/// The places at which a query may rejoin a plan: its goals.
typedef struct kerb_plan_rejoin {
    int32_t count;
    float times[KERB_PLAN_REJOIN_PLACES]; ///< of the plan [s]
} kerb_plan_rejoin;

/// Begins a query from `start` to one of several states of the plan `whole` between the times
/// `from` and `to`, and drops the present query. Each costs what is left of the plan there, so the
/// answer is the cheapest way to the plan's end by such a place. Beyond the end of the plan its end
/// is the only goal. At `start` its curvature counts where the planner's limits have a
/// curvature_rate.
///
/// The goals are exact: the plan's place, heading and speed. Where the stretch has straight pieces
/// they lie on these: where wheels take time to turn, the joined plan is slower in a bend. With a
/// curvature_rate they lie where the curvature stays as it is for a while. The
/// pieces of `whole` must not be those of `planner`. Cost of the ground on the rest of `whole` does
/// not count.
///
/// [from: s, >= 0; to: s, >= from] Usual: 2 and 8 seconds from now on. More than two turning radii
/// ahead, so that the vehicle can get back without a loop.
///
/// Errors, after which there is no query: TOO_FEW of "count" (`whole` has no pieces); NOT_FINITE or
/// OUT_OF_RANGE of "from" or "to"; those of kerb_planner_begin. O(log pieces), allocates nothing
KERB_API kerb_result kerb_planner_begin_rejoin(kerb_planner* planner, const kerb_plan_end* start,
                                               const kerb_plan* whole, float from, float to,
                                               kerb_plan_rejoin* rejoin, kerb_error* error);

/// After such a query, makes its plan and the rest of `whole` the planner's plan, for
/// kerb_planner_get_plan: from the start of the query to the end of `whole`. The path is that of
/// the two; the speeds are the fastest that the planner's limits, its wheels and its moving
/// obstacles allow. Its goal is that of `whole`, its lower_bound 0.
///
/// Errors, after which nothing has changed: TOO_FEW of "count" (no plan was found, the query is
/// still running, or `whole` has no pieces); OUT_OF_RANGE of "goal" (the planner's plan is not of
/// this query); TOO_MANY of "pieces" (more than 2,048 arcs or clothoids); CONTRADICTION of
/// "curvature_rate" (the planner's limits have one, and there the wheels cannot turn to the
/// curvature of `whole`: one query in ten) or "speed" (the limits do not allow the rest of
/// `whole`). O(pieces), allocates nothing
KERB_API kerb_result kerb_planner_rejoin(kerb_planner* planner, const kerb_plan* whole,
                                         const kerb_plan_rejoin* rejoin, kerb_error* error);

#endif
