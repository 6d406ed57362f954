// Kerb plan_mesh: plans in a corridor of a navigation mesh.
//
// kerb_plan_mesh_window turns the ground round a corridor into the grid of a kerb_plan_world.
// Levels are told apart: a bridge above a road neither blocks the road nor opens a way beside it. A
// corridor that passes over or under itself is planned in parts, each up to where it would meet
// itself. kerb_plan_mesh_waypoints turns a reference line (kerb_mesh_make_line) into waypoints, for
// crowds that need no search.
//
// Call order, for each part: kerb_plan_mesh_window_size; kerb_plan_mesh_window with memory for its
// cells; kerb_planner_set_world, which copies them; then a query as in kerb/plan.h. The goal of a
// part that is not the last one is a pose of the reference line where the part ends.
//
// Threads: all functions are pure. Nothing allocates.
//
// Does not: know slopes. A plan is level; on a ramp of 10 degrees it is 1.5 % short.
#ifndef KERB_PLAN_MESH_H
#define KERB_PLAN_MESH_H

#include "mesh.h"
#include "plan.h"

/// How a corridor becomes a grid.
typedef struct kerb_plan_mesh_settings {
    float
        cell_size; ///< Of the grid. A cell is free where its middle is on the mesh. [m] [0.05 … 10]
    /// Distance from obstacles that the mesh already keeps: the radius of the agent for which it
    /// was built. The planner tests the whole footprint, so the grid gives this back. [m] [0 … 10]
    float eroded;
    /// Ground that lies over other ground belongs to another level where it is this much higher or
    /// lower. More than the height of kerbs, less than the clearance under bridges. [m] [0.1 … 100]
    float level_height;
} kerb_plan_mesh_settings;

/// Ranges, defaults and meaning of every setting.
KERB_API const kerb_settings_table kerb_plan_mesh_settings_table;
/// Cells of 0.25 m, nothing eroded, levels 2 m apart.
KERB_API kerb_plan_mesh_settings kerb_plan_mesh_settings_default(void);

/// A part of a corridor as a grid.
typedef struct kerb_plan_mesh_part {
    int32_t first, last;   ///< Its steps; the next part begins with step last + 1.
    int32_t columns, rows; ///< Of the grid.
    kerb_vec2 origin;      ///< Of the grid. [m]
} kerb_plan_mesh_part;

/// The longest part of a corridor from step `first` on that does not pass over or under itself, and
/// its grid. The grid holds the polygons of the part and two cells around.
/// Errors: OUT_OF_RANGE or NOT_FINITE of a setting; OUT_OF_RANGE of "first"; TOO_MANY of
/// "cell_size" (more than KERB_PLAN_CELLS_MAX cells along a side). `error` may be NULL. O(steps²)
KERB_API kerb_result kerb_plan_mesh_window_size(const kerb_mesh* mesh,
                                                const kerb_mesh_corridor* corridor, int32_t first,
                                                const kerb_plan_mesh_settings* settings,
                                                kerb_plan_mesh_part* part, kerb_error* error);

/// Fills the grid of a part, columns · rows bytes, and the world of a planner with it. Free are the
/// polygons of the part, and their neighbours and the neighbours of these, as far as they lie on
/// the same level. All else is blocked, also outside of the grid. `world` refers to `cells`.
/// O(cells + steps · neighbours · steps)
KERB_API void kerb_plan_mesh_window(const kerb_mesh* mesh, const kerb_mesh_corridor* corridor,
                                    const kerb_plan_mesh_part* part,
                                    const kerb_plan_mesh_settings* settings, uint8_t* cells,
                                    kerb_plan_world* world);

/// Writes the points of a reference line as waypoints with their widths, less `margin` on both
/// sides, without speed limits. Room for line->count. [margin: m, >= 0] O(count)
KERB_API void kerb_plan_mesh_waypoints(const kerb_mesh_line* line, float margin,
                                       kerb_waypoint* waypoints);

#endif
