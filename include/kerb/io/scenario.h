// Lists of movements to plan: the .scen files of MovingAI, parking cases (TPCAP), and Kerb's own
// CSV.
//
//     kerb_io_scenarios list;
//     if (kerb_io_scenarios_read(&list, text, length, &host, &error) == KERB_OK)
//         … list.rows[0].map, list.rows[0].numbers …
//     kerb_io_scenarios_destroy(&list, &host);
//
// Threads: any thread may call these functions, as long as no two use the same list or case.
// Lifetimes: texts are read during the call only. Rows, vertices and counts lie in memory of the
// host's allocator until _destroy, which needs the same allocator.
//
// docs/formats.md describes the formats.
#ifndef KERB_IO_SCENARIO_H
#define KERB_IO_SCENARIO_H

#include "kerb/plan.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Rows that a list may have.
#define KERB_IO_SCENARIOS_MAX 1000000

/// The two formats of lists.
typedef enum kerb_io_scenario_kind {
    KERB_IO_SCENARIO_CELLS, ///< MovingAI: from cell to cell
    KERB_IO_SCENARIO_POSES  ///< Kerb's CSV: from pose and speed to pose and speed
} kerb_io_scenario_kind;

/// "cells" or "poses"; "unknown" out of range. Never NULL.
const char* kerb_io_scenario_kind_text(kerb_io_scenario_kind value);

/// A movement to plan: a row of the list.
typedef struct kerb_io_scenario {
    char map[256];     ///< file, as it is written there; empty: none
    double numbers[8]; ///< CELLS: column, row, column, row; POSES: x, y, degrees, m/s, and again
    double length;     ///< of the shortest way, where the list says; else 0
} kerb_io_scenario;

/// The rows of a file.
typedef struct kerb_io_scenarios {
    kerb_io_scenario* rows; ///< from the host's allocator
    int32_t count;          ///< [>= 1 after reading]
    kerb_io_scenario_kind kind;
} kerb_io_scenarios;

/// "version 1" and lines of: bucket, map, width, height, start column, start row, goal column, goal
/// row, length; or a CSV with the header "map,x0,y0,deg0,v0,x1,y1,deg1,v1".
///
/// Errors, with the line from 1: SYNTAX of "version" or "header", TOO_FEW or TOO_MANY of the cells
/// of a line, WRONG_TYPE, NOT_FINITE, OUT_OF_RANGE of a column by its name, TOO_FEW (no rows),
/// TOO_MANY, OUT_OF_MEMORY. On error nothing is allocated.
kerb_result kerb_io_scenarios_read(kerb_io_scenarios* list, const char* text, size_t length,
                                   const kerb_host* host, kerb_error* error);

/// Gives the rows back. Harmless on a zeroed list.
void kerb_io_scenarios_destroy(kerb_io_scenarios* list, const kerb_host* host);

/// A parking case: two poses of the rear axle, and polygons.
typedef struct kerb_io_parking {
    kerb_pose from, to;     ///< less `shift`, as are the vertices
    double shift[2];        ///< whole metres; (0, 0) unless the start is 10 km or more from zero
    kerb_vec2* vertices;    ///< from the host's allocator, as are the counts
    int32_t* vertex_counts; ///< of each polygon [>= 3]
    int32_t polygon_count, vertex_count;
} kerb_io_parking;

/// One line: x0, y0, heading0, x1, y1, heading1 (radians), number of polygons, the number of
/// vertices of each, then x, y of all vertices. A comma may follow the last.
///
/// Errors, with the number's index: WRONG_TYPE, NOT_FINITE, OUT_OF_RANGE (more than 1e6 m
/// from the start) of "start", "goal", "polygons", "vertex_counts", "vertices"; TOO_FEW or TOO_MANY
/// of "numbers"; OUT_OF_MEMORY. On error nothing is allocated.
kerb_result kerb_io_parking_read(kerb_io_parking* parking, const char* text, size_t length,
                                 const kerb_host* host, kerb_error* error);

/// Gives the vertices and counts back. Harmless on a zeroed case.
void kerb_io_parking_destroy(kerb_io_parking* parking, const kerb_host* host);

#ifdef __cplusplus
}
#endif

#endif
