// Maps of free and blocked cells: the .map files of MovingAI, and the PGM pictures of ROS
// map_server with their YAML files.
//
//     kerb_io_grid_map map;
//     if (kerb_io_grid_map_read_movingai(&map, text, length, &host, &notes, &error) == KERB_OK)
//         printf("%d by %d cells\n", map.columns, map.rows);
//     kerb_io_grid_map_destroy(&map, &host);
//
// Threads: any thread may call these functions, as long as no two use the same map. Lifetimes:
// texts are read during the call only. The cells lie in memory of the host's allocator until
// kerb_io_grid_map_destroy, which needs the same allocator. Notes say what a reader assumed
// (kerb/io/text.h); `notes` may be NULL.
//
// docs/formats.md describes the formats.
#ifndef KERB_IO_GRID_MAP_H
#define KERB_IO_GRID_MAP_H

#include "kerb/io/text.h"
#include "kerb/plan.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A map for kerb_plan_world. Row by row, the row with the lowest y first.
typedef struct kerb_io_grid_map {
    uint8_t* cells; ///< 255 blocked, 0 free; between: free, but more likely occupied the greater it
                    ///< is, which suits `cost_map` of kerb_plan_world; from the host's allocator
    int32_t columns, rows; ///< number of each [1 … KERB_PLAN_CELLS_MAX]
} kerb_io_grid_map;

/// What the first lines of a file say about its size. A program can read the first 64 KiB of a
/// file, then this, and then not more of the file than the map takes.
typedef struct kerb_io_grid_map_head {
    int32_t columns, rows; ///< number of each [1 … KERB_PLAN_CELLS_MAX]
    uint64_t bytes_max;    ///< length of the longest file that such a map takes [bytes]
} kerb_io_grid_map_head;

// --------------------------------------------------------------------------- MovingAI

/// Reads a .map file of MovingAI. Format: the lines "type octile", "height N", "width N" and "map",
/// then one line of letters for each row. The first row of the file is y = 0, as in the .scen
/// files. The first three lines may come in any order. O(length)
///
/// Letters, large or small: '.', 'G' and 'S' are free; '@', 'O', 'T', 'W' and '#' are blocked. Any
/// other letter or digit is ground with a weight, as in weighted maps: it is free, and its weight
/// is ignored. Any other character is blocked. `notes` names these letters, and a type other than
/// "octile".
///
/// Errors, with the line (from 1): MISSING_FIELD ("type", "height", "width", "map"), WRONG_TYPE,
/// OUT_OF_RANGE, CONTRADICTION (a line that is there twice), SYNTAX of "map" (a row of another
/// length, a byte that is no printable ASCII), TOO_FEW (rows), TOO_MANY, OUT_OF_MEMORY. On error
/// nothing is allocated.
kerb_result kerb_io_grid_map_read_movingai(kerb_io_grid_map* map, const char* text, size_t length,
                                           const kerb_host* host, kerb_io_notes* notes,
                                           kerb_error* error);

/// Reads the lines before the rows. `text` may end behind them. Errors: those of these lines.
kerb_result kerb_io_grid_map_head_read_movingai(kerb_io_grid_map_head* head, const char* text,
                                                size_t length, kerb_error* error);

// --------------------------------------------------------------------------- map_server: YAML

/// How the pixels of a map_server picture become cells.
typedef enum kerb_io_map_mode {
    KERB_IO_MAP_TRINARY, ///< blocked, unknown and free by the thresholds; unknown counts as blocked
    KERB_IO_MAP_SCALE,   ///< between the thresholds: free, with a value from 0 to 254
    KERB_IO_MAP_RAW      ///< a pixel is the occupancy in percent; above 100 is unknown
} kerb_io_map_mode;

/// "trinary", "scale" or "raw"; "unknown" out of range. Never NULL.
const char* kerb_io_map_mode_text(kerb_io_map_mode value);

/// What a YAML file of map_server says about its picture. The occupancy of a pixel is its darkness,
/// from 0 (white) to 1 (black).
typedef struct kerb_io_map_info {
    char image[256];      ///< file name of the picture, as in the YAML file
    float resolution;     ///< side of a cell [m] [0.001 … 1000]
    kerb_vec2 origin;     ///< position of the lower left corner of the picture [m] [-1e6 … 1e6]
    float yaw;            ///< turn of the picture about that corner [rad] [-2π … 2π]
    bool negate;          ///< the occupancy is the lightness instead; not in mode RAW
    float occupied, free; ///< blocked above `occupied`, free below `free` [0 … 1]
    kerb_io_map_mode mode;
} kerb_io_map_info;

/// True when this build can read YAML, because it was built with libyaml.
bool kerb_io_map_info_available(void);

/// Reads a YAML file of map_server, in any style that YAML 1.1 allows. The keys image, resolution
/// and origin are required; negate (false), occupied_thresh (0.65), free_thresh (0.196) and mode
/// (trinary) are optional; other keys are ignored. A yaw that is nan, or missing, is assumed to be
/// 0; documents after the first are ignored; `notes` says so. O(length); libyaml allocates with
/// malloc.
///
/// Errors, with line and field: MISSING_FIELD, WRONG_TYPE, NOT_FINITE, OUT_OF_RANGE, SYNTAX,
/// CONTRADICTION (a key that is there twice; free_thresh above occupied_thresh), TOO_MANY (nested
/// over 64 deep, over 1000 anchors), OUT_OF_MEMORY, UNKNOWN_FIELD of "yaml" (without libyaml).
kerb_result kerb_io_map_info_read(kerb_io_map_info* info, const char* text, size_t length,
                                  kerb_io_notes* notes, kerb_error* error);

/// The cell of a pixel: 255 blocked, 0 free, between: see kerb_io_map_mode.
/// [lightness: 0 black … 1 white; in mode RAW the pixel divided by 255] O(1)
uint8_t kerb_io_map_info_cell(const kerb_io_map_info* info, float lightness);

/// Whether a pixel counts as blocked. O(1)
bool kerb_io_map_info_is_blocked(const kerb_io_map_info* info, float lightness);

/// A pose in the map's frame: x along the rows and y along the columns of the grid, from the lower
/// left corner. kerb_plan_world has no yaw: plan in the map's frame with `origin` (0, 0), and turn
/// starts and goals there and the plan back. O(1)
kerb_pose kerb_io_map_info_from_world(const kerb_io_map_info* info, kerb_pose pose);

/// A pose in the world, of a pose in the map's frame. O(1)
kerb_pose kerb_io_map_info_to_world(const kerb_io_map_info* info, kerb_pose pose);

// --------------------------------------------------------------------------- map_server: PGM

/// Reads a PGM picture: "P5" or "P2", width, height, greatest value (up to 65535), then the pixels
/// from the top row to the bottom row. Unknown pixels count as blocked. O(size)
///
/// Errors: SYNTAX of "magic"; SYNTAX or OUT_OF_RANGE of "width", "height" or "maxval"; SYNTAX or
/// TOO_FEW of "pixels"; OUT_OF_MEMORY. On error nothing is allocated.
kerb_result kerb_io_grid_map_read_pgm(kerb_io_grid_map* map, const char* bytes, size_t size,
                                      const kerb_io_map_info* info, const kerb_host* host,
                                      kerb_error* error);

/// Reads what stands before the pixels. `bytes` may end behind it. Errors: those of that part.
kerb_result kerb_io_grid_map_head_read_pgm(kerb_io_grid_map_head* head, const char* bytes,
                                           size_t size, kerb_error* error);

/// Releases the cells and zeroes the map. Has no effect on a zeroed map.
void kerb_io_grid_map_destroy(kerb_io_grid_map* map, const kerb_host* host);

#ifdef __cplusplus
}
#endif

#endif
