// Maps of free and blocked cells: the .map files of MovingAI, and the PGM pictures of ROS
// map_server with their YAML files.
//
//     kerb_io_grid_map map;
//     if (kerb_io_grid_map_read_movingai(&map, text, length, &host, &error) == KERB_OK)
//         printf("%d by %d cells\n", map.columns, map.rows);
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

/// A map for kerb_plan_world. Row by row, the row with the lowest y first.
typedef struct kerb_io_grid_map {
    uint8_t* cells;        ///< 255 blocked, 0 free; from the host's allocator
    int32_t columns, rows; ///< number of each [1 … KERB_PLAN_CELLS_MAX]
} kerb_io_grid_map;

/// Reads a .map file of MovingAI. Format: the lines "type octile", "height N", "width N" and "map",
/// then one line of letters for each row. '.', 'G' and 'S' are free; '@', 'O', 'T' and 'W' are
/// blocked. The first row of the file is y = 0, as in the .scen files. O(length)
///
/// Errors, with the line (from 1): MISSING_FIELD ("type", "height", "width", "map"), WRONG_TYPE,
/// OUT_OF_RANGE, SYNTAX of "map" (a row of another length, an unknown letter), TOO_FEW (rows),
/// TOO_MANY, OUT_OF_MEMORY. On error nothing is allocated.
kerb_result kerb_io_grid_map_read_movingai(kerb_io_grid_map* map, const char* text, size_t length,
                                           const kerb_host* host, kerb_error* error);

/// What a YAML file of map_server says about its picture. The occupancy of a pixel is its darkness,
/// from 0 (white) to 1 (black).
typedef struct kerb_io_map_info {
    char image[256];      ///< file name of the picture, as in the YAML file
    float resolution;     ///< side of a cell [m] [0.001 … 1000]
    kerb_vec2 origin;     ///< position of the lower left corner of the picture [m]
    bool negate;          ///< the occupancy is the lightness instead
    float occupied, free; ///< blocked above `occupied`, free below `free` [0 … 1]
} kerb_io_map_info;

/// Reads a YAML file of map_server: lines "key: value". The keys image, resolution and origin are
/// required; negate, occupied_thresh, free_thresh and mode are optional; other keys are ignored.
/// The mode must be "trinary", and the yaw of the origin 0. O(length)
///
/// Errors, with line and field: MISSING_FIELD, WRONG_TYPE, NOT_FINITE, OUT_OF_RANGE, SYNTAX,
/// CONTRADICTION (free_thresh above occupied_thresh).
kerb_result kerb_io_map_info_read(kerb_io_map_info* info, const char* text, size_t length,
                                  kerb_error* error);

/// Reads a PGM picture: "P5" or "P2", width, height, greatest value (up to 65535), then the pixels
/// from the top row to the bottom row. Pixels that are neither blocked nor free (unknown) count as
/// blocked. O(size)
///
/// Errors: SYNTAX of "magic"; SYNTAX or OUT_OF_RANGE of "width", "height" or "maxval"; SYNTAX or
/// TOO_FEW of "pixels"; OUT_OF_MEMORY. On error nothing is allocated.
kerb_result kerb_io_grid_map_read_pgm(kerb_io_grid_map* map, const char* bytes, size_t size,
                                      const kerb_io_map_info* info, const kerb_host* host,
                                      kerb_error* error);

/// Whether a pixel counts as blocked. [lightness: 0 black … 1 white] O(1)
bool kerb_io_map_info_is_blocked(const kerb_io_map_info* info, float lightness);

/// Releases the cells and zeroes the map. Has no effect on a zeroed map.
void kerb_io_grid_map_destroy(kerb_io_grid_map* map, const kerb_host* host);

#ifdef __cplusplus
}
#endif

#endif
