// Where the rear axle may be, and which of these places are connected: a quick proof that there is
// no path. Private to the room.
//
//     open.c        cells of the field that have room for the vehicle
//     regions.c     which of them are connected
#ifndef KERB_IN_PLAN_WORLD_REGIONS_H
#define KERB_IN_PLAN_WORLD_REGIONS_H

#include "world.h"

// Runs of open cells along a side of a tile, at most. [1]
#define PLAN_TILE_RUNS (PLAN_WORD / 2)
// Sides of a tile.
enum { PLAN_TILE_LEFT, PLAN_TILE_RIGHT, PLAN_TILE_LOW, PLAN_TILE_HIGH, PLAN_TILE_SIDES };

// A square of 64 x 64 cells of the field. Its open cells form pieces, which are connected within
// it. Pieces are numbered in the order of their first cells.
typedef struct plan_tile {
    int32_t pieces, first;                           // number, and the world's number of the first
    uint64_t side[PLAN_TILE_SIDES];                  // open cells along each side
    uint16_t piece[PLAN_TILE_SIDES][PLAN_TILE_RUNS]; // of each run of them
} plan_tile;

// Head of a block without pointers. Offsets count bytes from the head.
typedef struct plan_regions {
    int32_t columns, rows, words;    // of the field; columns 0: all places count as connected
    int32_t tile_columns, tile_rows; // number of tiles
    int32_t pieces, pieces_most;     // of all tiles; more than `pieces_most`: as with columns 0
    size_t open, tile, parent;
} plan_regions;

size_t kerb_in_plan_regions_bytes(const plan_world* layout);
// O(cells)
void kerb_in_plan_regions_create(void* block, const plan_world* world);
// Brings the block up to date after obstacles have changed within a window of the field's cells.
// O(cells of the window + tiles)
void kerb_in_plan_regions_mend(plan_regions* regions, const plan_world* world, plan_window window);

// Finds the open cells within a window: a bit for each cell in whose middle a circle is free that
// is smaller by half a diagonal than the largest about the rear axle that fits into the outline.
// Where it is 0, the circle itself is free nowhere in the cell. True where a bit has changed.
// Defined in open.c.
bool kerb_in_plan_open_find(uint64_t* open, const plan_world* world, plan_window window);
// Distance from an obstacle within which it may change these bits. [m]
float kerb_in_plan_open_reach(const plan_world* world);

// The open cells, in rows of whole words.
const uint64_t* kerb_in_plan_regions_open(const plan_regions* regions);

// False: the rear axle cannot get from one place to the other, however the vehicle drives. O(1)
bool kerb_in_plan_regions_may_connect(const plan_regions* regions, const plan_world* world,
                                      kerb_vec2 from, kerb_vec2 to);

#endif
