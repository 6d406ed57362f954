// Experiments of the planner. The command, the tests and the benchmarks share them.
#ifndef KERB_SCENE_PLAN_PLANNING_H
#define KERB_SCENE_PLAN_PLANNING_H

#include "kerb/plan.h"

/// Where from, where to, and with what.
typedef struct kerb_scene_plan_task {
    kerb_plan_limits limits;
    kerb_plan_end from, to;
} kerb_scene_plan_task;

/// Random goals as in AIPATH 5.1: from the origin to a goal whose distance is even in 0 to 8 radii
/// and whose bearing and heading are any; speeds at both ends from 0 to the greatest, 13.8 m/s;
/// radius between the given ones; sideways 10 to 20 m/s²; 1.5 m/s² and 5 m/s². [0 < radius_min <=
/// radius_max] The same seed and index give the same task.
kerb_scene_plan_task kerb_scene_plan_random(uint64_t seed, int64_t index, float radius_min,
                                            float radius_max);

/// A car of about two cells' length for streets of cells of a metre: the thesis's, a little less
/// than half as large, and as wide as leaves it a hand's breadth in a street of one cell.
kerb_plan_limits kerb_scene_plan_cell_car(void);

/// The car of the parking cases of the TPCAP competition.
kerb_plan_limits kerb_scene_plan_parking_car(void);

/// Cells along a side of a field of blocks, of half a metre.
#define KERB_SCENE_PLAN_BLOCKS_SIDE 200
#define KERB_SCENE_PLAN_BLOCKS_CELL 0.5f
#define KERB_SCENE_PLAN_BLOCKS 40

/// A square of 100 m with blocks in it. `world` points into it: copy it and it still means the
/// first.
typedef struct kerb_scene_plan_blocks {
    kerb_scene_plan_task task;
    kerb_plan_world world;
    uint8_t cells[KERB_SCENE_PLAN_BLOCKS_SIDE * KERB_SCENE_PLAN_BLOCKS_SIDE];
} kerb_scene_plan_blocks;

/// Forty rectangles at random places of a square of 100 m by 100 m, which nothing may leave: sides
/// of 4 to 12 m, turned by any angle, lying over one another as it comes, none within 10 m of where
/// the rear axle starts and ends. From rest at (5, 5) to rest at (95, 95), both along the diagonal,
/// forwards only, by the thesis's car (radius 5 m, 13.8 m/s, 1.5 m/s² and 5 m/s², sideways 10 m/s²;
/// 4.5 m by 1.8 m). A cell is blocked when its middle lies in a rectangle. The same seed and index
/// give the same field.
void kerb_scene_plan_blocks_make(uint64_t seed, int64_t index, kerb_scene_plan_blocks* blocks);

#endif
