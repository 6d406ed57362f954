// Maps of free and blocked cells: the .map files of MovingAI, and the PGM pictures of ROS
// map_server with their YAML files.
//
//     kerb_io_grid_map map;
//     if (kerb_io_grid_map_read_movingai(&map, text, length, &host, &error) == KERB_OK)
//         … map.cells, map.columns, map.rows …
//     kerb_io_grid_map_destroy(&map, &host);
//
// Threads: any thread may call these functions, as long as no two use the same map. Lifetimes:
// texts are read during the call only. The cells lie in memory of the host's allocator until
// kerb_io_grid_map_destroy, which needs the same allocator.
//
// docs/formats.md describes the formats.
#ifndef KERB_IO_GRID_MAP_H
#define KERB_IO_GRID_MAP_H

#include "kerb/plan.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Cells: 255 blocked, 0 free, row by row with y rising, as kerb_plan_world takes them.
typedef struct kerb_io_grid_map {
    uint8_t* cells;        ///< from the host's allocator
    int32_t columns, rows; ///< [1 … KERB_PLAN_CELLS_MAX]
} kerb_io_grid_map;

/// "type octile", "height N", "width N", "map" and N lines of N letters: '.', 'G' and 'S' are free,
/// '@', 'O', 'T' and 'W' are not. The file's first row is y = 0, as its scenarios count.
///
/// Errors, with the line from 1: MISSING_FIELD ("type", "height", "width", "map"), WRONG_TYPE,
/// OUT_OF_RANGE, SYNTAX of "map" (a row of another length, an unknown letter), TOO_FEW (rows),
/// TOO_MANY, OUT_OF_MEMORY. On error nothing is allocated.
kerb_result kerb_io_grid_map_read_movingai(kerb_io_grid_map* map, const char* text, size_t length,
                                           const kerb_host* host, kerb_error* error);

/// What map_server's YAML says of a picture.
typedef struct kerb_io_map_info {
    char image[256];      ///< the picture's file, as it is written there
    float resolution;     ///< of a cell [m] [0.001 … 1000]
    kerb_vec2 origin;     ///< of the picture's lower left corner [m]
    bool negate;          ///< light is blocked
    float occupied, free; ///< darker counts as blocked; lighter as free [0 … 1]
} kerb_io_map_info;

/// "key: value" lines: image, resolution and origin must be there; negate, occupied_thresh,
/// free_thresh and mode may; others are passed over. Of the modes "trinary" is read, and of origins
/// those that do not turn.
///
/// Errors, with line and field: MISSING_FIELD, WRONG_TYPE, NOT_FINITE, OUT_OF_RANGE, SYNTAX,
/// CONTRADICTION (thresholds the wrong way round).
kerb_result kerb_io_map_info_read(kerb_io_map_info* info, const char* text, size_t length,
                                  kerb_error* error);

/// A picture as PGM: "P5" or "P2", width, height, greatest value up to 65535, pixels from the top.
/// Pixels that are neither blocked nor free (unknown) count as blocked.
///
/// Errors: SYNTAX or TOO_FEW of "pixels", OUT_OF_RANGE of "width", "height", "maxval"; SYNTAX of
/// "magic"; OUT_OF_MEMORY.
kerb_result kerb_io_grid_map_read_pgm(kerb_io_grid_map* map, const char* bytes, size_t size,
                                      const kerb_io_map_info* info, const kerb_host* host,
                                      kerb_error* error);

/// Whether a picture's pixel, from 0 black to 1 white, is blocked.
bool kerb_io_map_info_is_blocked(const kerb_io_map_info* info, float lightness);

/// Gives the cells back. Harmless on a zeroed map.
void kerb_io_grid_map_destroy(kerb_io_grid_map* map, const kerb_host* host);

#ifdef __cplusplus
}
#endif

#endif
