// Navigation meshes from triangles, for `kerb plan --mesh`: the ground round the corridor between
// two poses becomes a map.
#ifndef KERB_TOOL_RUN_PLAN_MESH_H
#define KERB_TOOL_RUN_PLAN_MESH_H

#include "tool/run/plan_map.h"

/// What is asked of a mesh.
typedef struct tool_plan_mesh_task {
    const char* path; ///< of the .obj file
    bool z_up;        ///< the file's axes; false: y up
    float width;      ///< of the vehicle, with its margins [m]
    kerb_plan_end from, to;
    const float* heights; ///< of start and goal [m]; NULL: the ground nearest to 0
} tool_plan_mesh_task;

/// What came of it.
typedef struct tool_plan_mesh_report {
    /// RUNNING: there is a corridor, and the map is filled; else why there is none.
    kerb_plan_outcome outcome;
    int32_t polygons;   ///< of the mesh
    int32_t steps;      ///< polygons of the corridor
    double corridor_ms; ///< time to find it, and to make the map
} tool_plan_mesh_report;

/// Reads the triangles, builds the mesh, finds the corridor and fills the map with the ground round
/// it. Complains when the file cannot be used, or when this program was built without Recast.
tool_status tool_plan_mesh_load(const tool_plan_mesh_task* task, tool_plan_map* map,
                                tool_plan_mesh_report* report);

#endif
