// Lists of planning tasks: the .scen files of MovingAI, parking cases (TPCAP), and Kerb's own CSV.
//
//     kerb_io_scenarios list;
//     if (kerb_io_scenarios_read(&list, text, length, &host, &notes, &error) == KERB_OK)
//         printf("%s: from x = %g\n", list.rows[0].map, list.rows[0].numbers[0]);
//     kerb_io_scenarios_destroy(&list, &host);
//
// Threads: any thread may call these functions, as long as no two use the same list or case.
// Lifetimes: texts are read during the call only. Rows, vertices and counts lie in memory of the
// host's allocator until _destroy, which needs the same allocator.
//
// docs/formats.md describes the formats.
#ifndef KERB_IO_SCENARIO_H
#define KERB_IO_SCENARIO_H

#include "kerb/io/text.h"
#include "kerb/plan.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Greatest number of rows of a list.
#define KERB_IO_SCENARIOS_MAX 1000000

/// The two formats of lists.
typedef enum kerb_io_scenario_kind {
    KERB_IO_SCENARIO_CELLS, ///< MovingAI: from cell to cell
    KERB_IO_SCENARIO_POSES  ///< Kerb's CSV: from a pose and speed to another pose and speed
} kerb_io_scenario_kind;

/// "cells" or "poses"; "unknown" out of range. Never NULL.
const char* kerb_io_scenario_kind_text(kerb_io_scenario_kind value);

/// A planning task: a row of the list.
typedef struct kerb_io_scenario {
    char map[256];     ///< file name of the map, as in the list; empty: none
    double numbers[8]; ///< start, then goal. CELLS: column, row; POSES: x, y [m], heading
                       ///< [degrees], speed [m/s]
    double length;     ///< of the shortest path, as in the list [cells]; 0: unknown
} kerb_io_scenario;

/// A list that was read.
typedef struct kerb_io_scenarios {
    kerb_io_scenario* rows;     ///< from the host's allocator
    int32_t count;              ///< [>= 1 after reading]
    kerb_io_scenario_kind kind; ///< of all rows
} kerb_io_scenarios;

/// Reads a list of either kind. CELLS: the line "version 1", then lines of bucket, map, width,
/// height, start column, start row, goal column, goal row, length; version 0 has no width and
/// height. Cells are separated by tabs, or in a line without tabs by spaces. POSES: a CSV with the
/// header "map,x0,y0,deg0,v0,x1,y1,deg1,v1". `notes` (may be NULL) names a version that is neither
/// 0 nor 1, and a list of MovingAI without that line. O(length)
///
/// Errors, with the line (from 1): SYNTAX of "version" or "header", TOO_FEW or TOO_MANY of the
/// cells of a line, WRONG_TYPE, NOT_FINITE, OUT_OF_RANGE of a column by its name, TOO_FEW (no
/// rows), TOO_MANY, OUT_OF_MEMORY. On error nothing is allocated.
kerb_result kerb_io_scenarios_read(kerb_io_scenarios* list, const char* text, size_t length,
                                   const kerb_host* host, kerb_io_notes* notes, kerb_error* error);

/// Releases the rows and zeroes the list. Has no effect on a zeroed list.
void kerb_io_scenarios_destroy(kerb_io_scenarios* list, const kerb_host* host);

/// A parking case: two poses of the rear axle, and polygons.
typedef struct kerb_io_parking {
    kerb_pose from, to; ///< start and goal, after `shift` was subtracted [m]
    double shift[2]; ///< subtracted from all positions: x and y, whole numbers; 0 if the start is
                     ///< within 10 km of (0, 0) [m]
    kerb_vec2* vertices;    ///< after `shift` was subtracted; from the host's allocator [m]
    int32_t* vertex_counts; ///< of each polygon; from the host's allocator [>= 3]
    int32_t polygon_count, vertex_count; ///< number of polygons, and of all vertices [>= 0]
} kerb_io_parking;

/// Reads a parking case. Format: one line of numbers with commas between them: x, y [m] and heading
/// [rad] of the start, the same of the goal, the number of polygons, the number of vertices of
/// each, then x and y of all vertices. A comma may follow the last number. O(length)
///
/// Errors, with the index of the number: WRONG_TYPE, NOT_FINITE, OUT_OF_RANGE (more than 1e6 m from
/// the start) of "start", "goal", "polygons", "vertex_counts", "vertices"; TOO_FEW or TOO_MANY of
/// "numbers"; OUT_OF_MEMORY. On error nothing is allocated.
kerb_result kerb_io_parking_read(kerb_io_parking* parking, const char* text, size_t length,
                                 const kerb_host* host, kerb_error* error);

/// Releases vertices and counts, and zeroes the case. Has no effect on a zeroed case.
void kerb_io_parking_destroy(kerb_io_parking* parking, const kerb_host* host);

#ifdef __cplusplus
}
#endif

#endif
