// The obstacles of a planner: a grid, polygons, a box, a function; and changes of them.
//
// kerb_planner_set_world copies a kerb_plan_world. Then kerb_planner_change_cells and
// kerb_planner_change_polygon change a part of the copy (kerb/plan.h). A host that checks plans
// with kerb_plan_check changes its own arrays in the same way.
//
// A parking lot with room for 50 cars that come later:
//
//     kerb_plan_world lot = {.vertices = walls, .vertex_counts = counts, .polygon_count = 4};
//     lot.spare_polygons = 50;
//     lot.spare_corners = 4;
//     if (kerb_planner_set_world(&planner, &lot, &error) != KERB_OK)
//         return false;
//     kerb_vec2 car[4] = {{10, 2}, {14, 2}, {14, 4}, {10, 4}};
//     kerb_planner_change_polygon(&planner, 4, car, 4, &error);  // the first spare one
//     kerb_planner_change_polygon(&planner, 4, NULL, 0, &error); // the car drives away
//
// Does not: move obstacles while a query runs (kerb_planner_set_movers has those with a known
// motion).
#ifndef KERB_PLAN_WORLD_H
#define KERB_PLAN_WORLD_H

#include "math.h"

struct kerb_space_world;

/// Obstacles that do not move. All zero: none. A grid, polygons, a box and a function may be given
/// together. Planners copy all of it; only `is_free` and `context` are used after the call.
typedef struct kerb_plan_world {
    /// Occupancy grid. Cells of a row follow one another along x, rows along y; the corner of the
    /// first cell is at `origin`. 255: blocked; other values: free. Outside of the grid all is
    /// free. NULL: no grid.
    const uint8_t* cells;
    int32_t columns, rows; ///< of `cells` and `cost_map` [1 … KERB_PLAN_CELLS_MAX each]
    float cell_size;       ///< [m] [0.001 … 1000]
    kerb_vec2 origin;      ///< [m]
    /// Cost map, on the same grid, for ground that is free but should be avoided. Each metre of the
    /// rear axle's path costs value / 255 · cost_per_metre in addition to its time. NULL: none.
    const uint8_t* cost_map;
    float cost_per_metre; ///< cost of a metre where the value is 255 [s/m] [0 … 10000]
    /// Corners of polygons, clockwise or anticlockwise, one polygon after another. Their edges
    /// must not cross. The inside is blocked. [m]
    const kerb_vec2* vertices;
    const int32_t* vertex_counts; ///< of each polygon [>= 3]
    int32_t polygon_count;        ///< 0: none [0 … 1e6; all vertices together up to 1e7]
    /// Lower and upper corner of a box that the footprint must not leave. Both equal: no box. [m]
    kerb_vec2 box_min, box_max;
    /// Further test of a pose of the rear axle. Called at least every 10 cm where all else is free,
    /// on the calling thread. For equal poses it must give equal answers until the query ends. With
    /// it, a single arc of over 1 km counts as blocked. NULL: none.
    /// Kinds in the plane (kerb/plan_kind.h): called with kerb_kind_box.pose of each rectangle of
    /// the footprint, at least eight times in each kerb_kind.step_max of a motion: for a ship its
    /// pivot point, for a trailer first its axle and then the car's rear axle, for a motorcycle the
    /// middle below its head. Routes are tested with the pose of the reference point alone. So the
    /// answer must not depend on which part of the vehicle it is asked for. Kinds in space never
    /// call it.
    bool (*is_free)(void* context, kerb_pose pose);
    void* context; ///< for `is_free`
    // Room for changes, for kerb_planner_change_polygon.
    int32_t spare_polygons; ///< that may be added to the others [0 … 1e6 with polygon_count]
    int32_t spare_corners;  ///< most corners of a spare polygon; others may have as many too, or as
                            ///< many as they are given [3 … 1000; 0 without spare polygons]
    /// Lower and upper corner of the area in which polygons may come to lie, in addition to the
    /// grid or the extent of the given polygons. Both equal: no more. [m]
    kerb_vec2 area_min, area_max;
    /// Obstacles of kinds in space (kerb/plan_space.h), which use nothing else of this struct: a
    /// kerb_kind_planner for one refuses a world with other obstacles and without these. Only
    /// kerb_kind_planner_set_world and kerb_kind_check read it. NULL: none.
    const struct kerb_space_world* space;
} kerb_plan_world;

/// Greatest number of cells along a side of a grid.
#define KERB_PLAN_CELLS_MAX 32768

/// New values for a rectangle of cells of a world's grid, row by row.
typedef struct kerb_plan_cells {
    int32_t column, row;     ///< of its first cell, the one with the lowest x and y [>= 0]
    int32_t columns, rows;   ///< its size; 0: nothing changes [>= 0]
    const uint8_t* cells;    ///< as in kerb_plan_world; NULL: they stay
    const uint8_t* cost_map; ///< as in kerb_plan_world; NULL: it stays
} kerb_plan_cells;

#endif
