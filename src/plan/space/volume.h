// A copy of the obstacles in space, with a grid that tells how far they are. Private to the room.
#ifndef KERB_IN_PLAN_SPACE_VOLUME_H
#define KERB_IN_PLAN_SPACE_VOLUME_H

#include "kerb/plan_kind.h"

/// Greatest number of cells of the grid along an axis, and of all.
#define VOLUME_SIDE 64
#define VOLUME_CELLS (VOLUME_SIDE * VOLUME_SIDE * VOLUME_SIDE)

/// Obstacles and the grid. Lies at the begin of its memory; all arrays follow.
typedef struct space_volume {
    kerb_space_world world; ///< its arrays are copies
    float cell;             ///< side of a cell [m]
    int32_t size[3];        ///< cells along x, y, z
    int32_t cells;
    float* clearance; ///< no obstacle is nearer to any point of the cell; 0 where unknown [m]
    float* cost;      ///< of the search: least way to the cell [m]
    int32_t* parent;
    int32_t* heap;     ///< cells, by `order`
    float* order;      ///< of the cells in the heap
    uint32_t* stamp;   ///< of the search in which `cost` and `parent` were set
    uint32_t* looked;  ///< of the search in which `is_open` was set
    uint8_t* is_open;  ///< whether a ball at the middle of the cell is free
    uint32_t searches; ///< number of searches
} space_volume;

/// Size of the memory for a world. [bytes]
size_t kerb_in_volume_bytes(const kerb_space_world* world);

/// Copies a world, which must be valid, into memory of that size.
void kerb_in_volume_copy(const kerb_space_world* world, space_volume* v);

/// Cell of a point; points outside belong to the nearest.
int32_t kerb_in_volume_cell(const space_volume* v, kerb_vec3 point);

/// Middle of a cell.
kerb_vec3 kerb_in_volume_middle(const space_volume* v, int32_t cell);

/// Whether a ball is free. O(1) far from obstacles.
bool kerb_in_volume_is_free(const space_volume* v, const kerb_kind_ball* ball);

/// A distance within which nothing is in the way of a ball, besides the limits of the volume; 0
/// where it is not known. [m]
float kerb_in_volume_clearance(const space_volume* v, const kerb_kind_ball* ball);

#endif
