// Kerb kind_course: follows a given path with any kind of vehicle: a fairway, a corridor of the
// air.
//
// kerb/follow.h follows paths with vehicles that roll on the ground. A ship or a drone has no such
// follower: where it can be next depends on its whole state. A course is the path as a row of
// states at places, each with a direction and a speed. This planner plans from place to place, from
// the state that the leg before it ends with, and all legs together are one plan in memory of the
// caller. A kerb_kind_driver drives it.
//
// Call order: kerb_kind_planner_create and kerb_kind_planner_set_world as in kerb/plan_kind.h; then
// kerb_kind_course_begin, and kerb_kind_course_advance in slices.
//
//     enum { PLACES = 20, PIECES = PLACES * 60 };
//     static float at[PLACES * KERB_KIND_STATES_MAX]; // of a straight fairway
//     static float states[(PIECES + 1) * KERB_KIND_STATES_MAX], times[PIECES + 1];
//     static float inputs[PIECES * KERB_KIND_CONTROLS_MAX];
//     static float gains[PIECES * KERB_KIND_CONTROLS_MAX * KERB_KIND_STATES_MAX];
//     for (int32_t i = 0; i < PLACES; i++) {
//         kerb_kind_place place = {{200.0f * (float)i, 0, 0}, {1, 0, 0}, 4.0f, 0.0f};
//         kerb_kind_state_at(&kind, &place, at + i * KERB_KIND_STATES_MAX, NULL);
//     }
//     kerb_kind_course_memory memory = {states, inputs, gains, times, PIECES};
//     kerb_kind_course course;
//     if (kerb_kind_course_begin(&course, &planner, at, NULL, PLACES, &memory, &error) == KERB_OK)
//         while (kerb_kind_course_advance(&course, &planner, 100) == KERB_PLAN_RUNNING)
//             continue;                            // one slice per frame
//     controls = kerb_kind_driver_drive(&driver, &course.plan, &motion, NULL, time_step);
//
// Places should be about a turning radius apart or more: a vehicle that errs between them has the
// next one to come back. A place that cannot be reached without a detour is left out, up to four in
// a row, and the one before the last also where the last cannot be reached from it. Legs are the
// fastest between their places; what lies between is not given.
//
// Airplanes end plans with a straight for the driver. For legs that only pass their places, create
// the planner with a kind whose control_min and control_max are those times its control_share, and
// whose control_share is 1.
//
// Lifetimes: the caller owns all arrays; those of states are read until the course has ended, those
// of the memory are the plan. Threads: as for the planner. Allocates nothing.
#ifndef KERB_KIND_COURSE_H
#define KERB_KIND_COURSE_H

#include "kind_chase.h"
#include "plan_kind.h"

/// Where a plan along a course is written.
typedef struct kerb_kind_course_memory {
    float* states;   ///< (`pieces` + 1) · KERB_KIND_STATES_MAX numbers
    float* controls; ///< `pieces` · KERB_KIND_CONTROLS_MAX numbers
    float* gains;    ///< `pieces` · KERB_KIND_CONTROLS_MAX · KERB_KIND_STATES_MAX numbers
    float* times;    ///< `pieces` + 1 numbers
    int32_t pieces;  ///< A leg has up to KERB_KIND_PIECES_MAX, most have 48. [> 0]
} kerb_kind_course_memory;

/// How far a plan along a course has got. For the functions of this header.
typedef struct kerb_kind_course_mark {
    int32_t place, count, steps; // place that is reached, -1: none; pieces and steps of the plan
    float time, length, lower_bound;
} kerb_kind_course_mark;

/// A course between slices. Plain data, apart from the arrays.
typedef struct kerb_kind_course {
    kerb_kind_plan plan; ///< until now; its arrays are those of the memory
    int32_t place;       ///< that the plan has reached
    const float *at, *resting;
    int32_t places;
    kerb_kind_course_memory memory;
    int32_t next, best;           // that is tried; that was reached best
    float badness;                // of the best
    bool rests;                   // places at rest are tried
    bool repeats;                 // the best is planned again
    kerb_kind_course_mark before; // at the place before `place`
    kerb_kind_course_mark after;  // at `place`, while the last place is tried from `before`
    int32_t outcome;
} kerb_kind_course;

/// Begins a course, and drops the planner's present query. `at`: `places` rows of
/// KERB_KIND_STATES_MAX numbers, the states at the places. `resting`: the same at rest, tried where
/// no place can be reached at its speed; NULL: such a course fails.
///
/// Errors, after which the outcome is IMPOSSIBLE: TOO_FEW of "places", below 2; OUT_OF_RANGE of
/// "pieces". O(1)
KERB_API kerb_result kerb_kind_course_begin(kerb_kind_course* course, kerb_kind_planner* planner,
                                            const float* at, const float* resting, int32_t places,
                                            const kerb_kind_course_memory* memory,
                                            kerb_error* error);

/// Does at most `steps` steps of the planner's queries. FOUND: `course.plan` leads to the last
/// place. BUDGET_SPENT: no place after `course.place` can be reached, or the memory is full; the
/// plan leads to that place. A leg that is longer than 1.1 of the way between its places, or takes
/// longer than 1.5 of the time at their speeds (4.5 where one is at rest), is taken only where no
/// place farther on is reached better.
KERB_API kerb_plan_outcome kerb_kind_course_advance(kerb_kind_course* course,
                                                    kerb_kind_planner* planner, int32_t steps);

#endif
