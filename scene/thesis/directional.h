// The directional search of Pinter ("Toward more realistic pathfinding", 2001), which the AIPATH
// thesis compares itself with.
#ifndef KERB_SCENE_THESIS_DIRECTIONAL_H
#define KERB_SCENE_THESIS_DIRECTIONAL_H

#include "kerb/math.h"

/// A grid whose corner is at the origin. Outside of it all is blocked.
typedef struct kerb_directional_map {
    int32_t columns, rows; ///< [>= 1]
    float cell;            ///< side of a cell [m] [> 0]
    const uint8_t* cells;  ///< rows from y = 0 upwards; 0: free. NULL: all free
    float radius;          ///< turning radius [m] [> 0]
} kerb_directional_map;

/// A cell and one of eight headings, in steps of 45 degrees.
typedef struct kerb_directional_place {
    int32_t column, row, heading;
} kerb_directional_place;

typedef struct kerb_directional_answer {
    bool found, out_of_memory;
    int32_t expansions;
    float length; ///< [m]
    int32_t count;
    kerb_directional_place* places; ///< from start to goal; free() them
} kerb_directional_answer;

/// Neighbours: 8, 24 or 48 cells around. Allocates 16 bytes for each cell and heading, and frees
/// them.
kerb_directional_answer kerb_directional_find(const kerb_directional_map* map, int32_t neighbours,
                                              kerb_directional_place from,
                                              kerb_directional_place to);

/// The shortest turn, straight, turn between two places, as the search drives it: positions each
/// half metre and at the end, at most `capacity`. Returns how many there are.
int32_t kerb_directional_trace(const kerb_directional_map* map, kerb_directional_place from,
                               kerb_directional_place to, kerb_vec2* positions, int32_t capacity);

#endif
