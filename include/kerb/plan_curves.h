// Kerb plan_curves: improves the curves of many vehicles, some hundred in one frame.
//
// Traffic follows a reference line, mostly the middle of a lane. In a curve it may use some of the
// road beside that line. This planner looks for the fastest motion within that width: it may begin
// and end beside the line, if it has road before and after the curve to get there, and counts what
// that costs (AIPATH 5.3, figure 5.5). The vehicle follows its old path meanwhile.
//
//     kerb_plan_curves_settings settings = kerb_plan_curves_settings_default();
//     kerb_plan_curves curves;
//     if (kerb_plan_curves_create(&curves, &limits, 1, &settings, &host, &error) != KERB_OK)
//         return false;
//     int32_t ticket;
//     const kerb_plan_curve_part bend = {1.0f / 8, 12.57f, 1.5f, 1.5f};
//     kerb_plan_curve curve = {.start = pose, .entry_speed = 10, .exit_speed = 10, .before = 30,
//                              .after = 30, .parts = &bend, .part_count = 1};
//     kerb_plan_curves_ask(&curves, &curve, &ticket, &error); // any number of times in a frame
//     kerb_plan_curves_step(&curves);                         // once per frame
//     kerb_plan_curve_answer answer;
//     if (kerb_plan_curves_answer(&curves, ticket, &answer))  // from the next frame on
//         kerb_plan_driver_drive(&driver, &answer.plan, &motion, NULL, time_step);
//
// Work: all curves that are asked for between two steps are one batch. A step hands it to the
// host's tasks (kerb_host.tasks), and the step `delay` steps later waits for it and applies it. So
// the frame in which an answer appears does not depend on the speed of threads, and neither do its
// bits on their number.
//
// Cache: curves of one kind of vehicle repeat themselves, because a city has few shapes of
// junctions. An answer is computed from the shape of the curve and the rounded speeds, in the frame
// of the curve's start, and found again by exactly these numbers. So a hit has the bits of a miss.
//
// Lifetimes: answers are valid until a later batch is applied. Threads: use it from one thread at a
// time; `tasks` calls into it from others. Nothing allocates after creation.
//
// Does not: know obstacles beside the corridor, reverse, or change the way.
//
// Source: "AIPATH" 5.3, figures 5.4 and 5.5, table 5.1; 6.3 (cache of common paths).
#ifndef KERB_PLAN_CURVES_H
#define KERB_PLAN_CURVES_H

#include "plan.h"

/// Greatest number of parts of a curve.
#define KERB_PLAN_CURVE_PARTS_MAX 8

/// A part of the reference line with one curvature, and the corridor beside it. The corridor is for
/// the rear axle's middle: what the vehicle's width needs is taken off already.
typedef struct kerb_plan_curve_part {
    float curvature; ///< left positive [1/m] [-10 … 10]
    float length;    ///< with at most 270° of turn [m] [0.01 … 1000]
    float left;      ///< usable width left of the line; 0: none [m] [0 … 100]
    float right;     ///< usable width right of the line; 0: none [m] [0 … 100]
} kerb_plan_curve_part;

/// Cells that restrict a corridor further. Positions are in the world.
typedef struct kerb_plan_curve_grid {
    const uint8_t* cells;  ///< 255: blocked for the rear axle's middle; not copied
    int32_t columns, rows; ///< [1 … KERB_PLAN_CELLS_MAX each]
    float cell_size;       ///< [m] [0.01 … 100]
    kerb_vec2 origin;      ///< corner of the first cell; outside of the grid all is free [m]
} kerb_plan_curve_grid;

/// A curve to improve.
typedef struct kerb_plan_curve {
    int32_t kind;      ///< index of the vehicle's limits [0 … kind_count - 1]
    kerb_pose start;   ///< of the reference line
    float entry_speed; ///< at its start, rounded to quarters [m/s] [0 … speed_max of the kind]
    float exit_speed;  ///< at its end, rounded to quarters [m/s] [0 … speed_max of the kind]
    /// Length of the road before and after the curve on which the vehicle moves from the line to
    /// an entry beside it, or back. Longer ways there count with `speed_max`. 0: the curve begins,
    /// or ends, on the line. [m] [0 … 10000]
    float before, after;
    const kerb_plan_curve_part* parts; ///< copied
    int32_t part_count;                ///< [1 … KERB_PLAN_CURVE_PARTS_MAX]
    /// NULL: none. A curve with a grid is not in the cache. The cells must stay as they are until
    /// the answer is there.
    const kerb_plan_curve_grid* grid;
} kerb_plan_curve;

/// An improved curve.
typedef struct kerb_plan_curve_answer {
    /// From the entry to the exit. No pieces: at this speed neither the reference line nor another
    /// path in the corridor can be driven. `cost` contains the ways to the entry and from the exit;
    /// `lower_bound` is 0.
    kerb_plan plan;
    float entry, exit;    ///< lateral offsets from the reference line, left positive [m]
    float reference_time; ///< of the reference line, as fast as possible; 1e30: too fast for it [s]
} kerb_plan_curve_answer;

/// How curves are improved. Begin with kerb_plan_curves_settings_default.
typedef struct kerb_plan_curves_settings {
    int32_t capacity;    ///< greatest number of curves of a batch, 6 KB each [1 … 65536]
    int32_t cache;       ///< number of curves that are remembered, 0.4 KB each [0 … 1048576]
    int32_t improvement; ///< steps that improve a curve [0 … 1e6]
    int32_t delay;       ///< steps from the start of a batch until it is applied [1 … 64]
} kerb_plan_curves_settings;

/// Ranges, defaults and meaning of every setting.
KERB_API const kerb_settings_table kerb_plan_curves_settings_table;
/// 512 curves of a batch, 1,024 remembered, 200 steps, applied with the next step.
KERB_API kerb_plan_curves_settings kerb_plan_curves_settings_default(void);

/// What was done since creation.
typedef struct kerb_plan_curves_counts {
    int64_t asked;    ///< curves of all batches that were started
    int64_t computed; ///< those that were not in the cache, and not twice in their batch
} kerb_plan_curves_counts;

/// Improves curves. Its memory holds no pointers but to the host's grids and tasks.
typedef struct kerb_plan_curves {
    void* memory; ///< aligned to 64
    size_t bytes; ///< of `memory`
    kerb_host host;
} kerb_plan_curves;

/// Greatest number of kinds of vehicles.
#define KERB_PLAN_CURVE_KINDS_MAX 256

/// Makes it for vehicles of some kinds. Errors: those of kerb_plan_limits_validate, with the index
/// of the kind; OUT_OF_RANGE of "kind_count" or of a setting; OUT_OF_MEMORY. On error it is zeroed.
KERB_API kerb_result kerb_plan_curves_create(kerb_plan_curves* curves,
                                             const kerb_plan_limits* kinds, int32_t kind_count,
                                             const kerb_plan_curves_settings* settings,
                                             const kerb_host* host, kerb_error* error);

/// Waits for a running batch, releases the memory and zeroes it. No effect on a zeroed one.
KERB_API void kerb_plan_curves_destroy(kerb_plan_curves* curves);

/// Asks for a curve. It belongs to the batch that the next step starts, or, while one is running,
/// the step that applies that one. `ticket` becomes the name of the answer. Errors, after which
/// nothing is asked: NOT_FINITE or OUT_OF_RANGE of "kind", "start", "entry_speed", "exit_speed",
/// "before", "after" or "part_count"; with the index of the part of "curvature", "length", "left"
/// or "right"; of "columns", "rows", "cell_size" or "origin" of the grid; MISSING_FIELD of "cells";
/// TOO_MANY of "capacity". O(parts), allocates nothing
KERB_API kerb_result kerb_plan_curves_ask(kerb_plan_curves* curves, const kerb_plan_curve* curve,
                                          int32_t* ticket, kerb_error* error);

/// A frame is over: applies the batch that was started `delay` steps ago, then starts the next one
/// if none is running. Call it once per frame. O(curves of the batch), allocates nothing
KERB_API void kerb_plan_curves_step(kerb_plan_curves* curves);

/// The answer of a ticket. False, and an answer of zeros, while it is not there yet, and when a
/// later batch has been applied. O(1)
KERB_API bool kerb_plan_curves_answer(const kerb_plan_curves* curves, int32_t ticket,
                                      kerb_plan_curve_answer* answer);

/// What was done since creation. O(1)
KERB_API kerb_plan_curves_counts kerb_plan_curves_get_counts(const kerb_plan_curves* curves);

#endif
