// Kerb kind_trial: tries a kind of vehicle of your own, as the tests try those that Kerb knows.
//
// A kerb_kind is a struct of functions that promise much: rates that are pure and do not know where
// the vehicle is, a bound that no plan beats, routes that can be followed. A trial asks the planner
// for plans to random places, and tells which promise is broken, by name.
//
//     static void ends(const kerb_kind* kind, kerb_random* random, float* from, float* to) {
//         to[0] = kerb_random_between(random, -20.0f, 20.0f);   // both are zeros before
//         to[1] = kerb_random_between(random, -20.0f, 20.0f);
//         to[2] = kerb_random_between(random, -3.0f, 3.0f);
//     }
//
//     kerb_kind_trial trial = {.kind = &kind, .queries = 50, .ends = ends};
//     kerb_kind_findings findings;
//     kerb_host host = kerb_host_default();
//     kerb_error error;
//     if (kerb_kind_try(&trial, &host, &findings, &error) != KERB_OK)
//         printf("query %d: %s %s\n", findings.query, error.field, error.message);
//     printf("%d of %d found\n", findings.found, findings.asked);
//
// With a simulation of the vehicle (`place`, `motion`, `step`) each plan is also driven by a
// kerb_kind_driver.
//
// Does not: say how far a plan is from the fastest one.
#ifndef KERB_KIND_TRIAL_H
#define KERB_KIND_TRIAL_H

#include "kind_driver.h"

/// What is tried. Fields that are not set must be zero.
typedef struct kerb_kind_trial {
    const kerb_kind* kind;
    const kerb_plan_world* world; ///< obstacles; NULL: open ground or space
    uint64_t seed;                ///< of the random ends
    int32_t queries;              ///< number of plans that are asked for [>= 1]
    /// Draws the states of a query. Both arrays have KERB_KIND_STATES_MAX zeros before.
    void (*ends)(const kerb_kind* kind, kerb_random* random, float* from, float* to);

    /// A simulation of the vehicle, for drives. NULL where plans are not to be driven; the
    /// functions are then not called.
    void* body;
    void (*place)(void* body, const float* state); ///< puts the vehicle into a state
    /// What the vehicle does now; `told` receives up to 4 numbers that kerb_motion does not tell.
    kerb_motion (*motion)(const void* body, float* told);
    void (*step)(void* body, const kerb_controls* controls, float time_step);
    float time_step; ///< of a frame [s] [KERB_TIME_STEP_MIN … KERB_TIME_STEP_MAX]
} kerb_kind_trial;

/// What a trial found.
typedef struct kerb_kind_findings {
    int32_t asked;    ///< queries whose ends are not in obstacles
    int32_t found;    ///< of these have a plan
    int32_t arrived;  ///< of these were driven to their end
    int32_t query;    ///< index of the query that broke a promise; -1: none did
    float time;       ///< mean duration of the plans [s]
    float bound;      ///< mean of kerb_kind.bound [s]
    float late;       ///< mean of the driven time over the planned one [1]
    float error;      ///< distance from the goal at the end of a drive, mean [m]
    float error_most; ///< and greatest [m]
} kerb_kind_findings;

/// Tries a kind. Tests in this order, and stops at the first promise that is broken:
/// - the kind is valid (errors of kerb_kind_planner_create);
/// - ends that are out of range are refused (CONTRADICTION of "from");
/// - rates are the same when asked again, and at another place (CONTRADICTION of "rates");
/// - each plan passes kerb_kind_check (its errors);
/// - no plan takes less time than kerb_kind.bound (CONTRADICTION of "bound");
/// - a planner that does one step at a time finds the same plan to the bit, so that all functions
///   are pure (CONTRADICTION of "steps").
/// Goals that are not found and drives that do not arrive are counted only. Allocates a planner,
/// and releases it. O(queries · twice a plan)
KERB_API kerb_result kerb_kind_try(const kerb_kind_trial* trial, const kerb_host* host,
                                   kerb_kind_findings* findings, kerb_error* error);

#endif
