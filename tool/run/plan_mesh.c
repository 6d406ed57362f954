// Purpose: the map round a corridor of a navigation mesh.
// Idea:    Recast builds the mesh without keeping a distance from borders, because the planner
//          tests the whole outline. Cells are an eighth of the vehicle's width, or wider where
//          there would be more than Recast can count.
#include "tool/run/plan_mesh.h"

#include "tool/command/file.h"
#include "tool/command/machine.h"

#ifdef KERB_HAVE_RECAST

#include "kerb/io/obj.h"
#include "kerb/plan_mesh.h"
#include "scene/recast/recast_mesh.h"

#include <stdlib.h>
#include <string.h>

#define MESH_CELLS_ACROSS 8.0f  // of a vehicle
#define MESH_CELLS_MOST 8000.0f // along a side of the mesh
#define MESH_CELL_LEAST 0.1f    // [m]
#define MESH_HEADROOM 2.0f      // of a car [m]
#define MESH_CLIMB 0.25f        // a kerb [m]
#define MESH_SLOPE 0.7f         // 40 degrees [rad]
#define MESH_REACH 1.0f         // from an end to its ground, seen from above [m]
#define MESH_HEIGHT_REACH 3.0f  // the same in height, where heights are said [m]

// What is made on the way, to be released together.
typedef struct mesh_work {
    kerb_host host;
    kerb_io_triangles triangles;
    kerb_scene_recast recast;
    kerb_mesh mesh;
    kerb_mesh_search search;
    kerb_mesh_step* steps;
} mesh_work;

static tool_status plan_mesh_read(const char* path, bool z_up, mesh_work* w) {
    kerb_error error = {.index = -1};
    char* text;
    size_t size;
    if (tool_file_read(path, &text, &size) != TOOL_DONE)
        return TOOL_WRONG;
    kerb_result result =
        kerb_io_triangles_read_obj(&w->triangles, text, size, !z_up, &w->host, &error);
    free(text);
    return result == KERB_OK ? TOOL_DONE : tool_complain_error(path, &error);
}

static float plan_mesh_extent(const kerb_io_triangles* t) {
    kerb_vec3 least = t->vertices[0], most = t->vertices[0];
    for (int32_t i = 1; i < t->vertex_count; i++) {
        const kerb_vec3 v = t->vertices[i];
        least = kerb_vec3_make(kerb_min(least.x, v.x), kerb_min(least.y, v.y), 0.0f);
        most = kerb_vec3_make(kerb_max(most.x, v.x), kerb_max(most.y, v.y), 0.0f);
    }
    return kerb_max(most.x - least.x, most.y - least.y);
}

static tool_status plan_mesh_build(const tool_plan_mesh_task* task, mesh_work* w, float* cell) {
    kerb_error error = {.index = -1};
    const kerb_io_triangles* t = &w->triangles;
    *cell = kerb_max(kerb_max(task->width / MESH_CELLS_ACROSS, MESH_CELL_LEAST),
                     plan_mesh_extent(t) / MESH_CELLS_MOST);
    const kerb_scene_recast_ground ground = {t->vertices, t->vertex_count, t->triangles,
                                             t->triangle_count};
    const kerb_scene_recast_walker walker = {
        .cell = *cell, .height = MESH_HEADROOM, .climb = MESH_CLIMB, .slope = MESH_SLOPE};
    if (!kerb_scene_recast_build(&w->recast, &ground, &walker))
        return tool_complain(
            "%s: Recast makes no mesh of it: no ground for a vehicle, or no memory", task->path);
    if (kerb_mesh_create(&w->mesh, &w->recast.data, &w->host, &error) != KERB_OK ||
        kerb_mesh_search_create(&w->search, &w->mesh, &w->host, &error) != KERB_OK)
        return tool_complain_error(task->path, &error);
    w->steps = malloc((size_t)w->mesh.polygon_count * sizeof *w->steps);
    return w->steps ? TOOL_DONE : tool_complain("%s: no memory", task->path);
}

static kerb_mesh_place plan_mesh_place(const mesh_work* w, const tool_plan_mesh_task* task,
                                       const kerb_plan_end* end, int32_t which) {
    const float z = task->heights ? task->heights[which] : 0.0f;
    const kerb_vec3 at = kerb_vec3_make(end->pose.position.x, end->pose.position.y, z);
    return kerb_mesh_nearest(&w->mesh, at, MESH_REACH,
                             task->heights ? MESH_HEIGHT_REACH : KERB_POSITION_MAX);
}

// Sides of polygons may be short where nothing is narrow, so a second try keeps no distance; the
// planner tests the outline anyway.
static kerb_plan_outcome plan_mesh_corridor(const tool_plan_mesh_task* task, mesh_work* w,
                                            kerb_mesh_corridor* corridor) {
    kerb_mesh_agent agent = kerb_mesh_agent_default();
    const kerb_mesh_place from = plan_mesh_place(w, task, &task->from, 0),
                          to = plan_mesh_place(w, task, &task->to, 1);
    if (from.polygon < 0)
        return KERB_PLAN_START_BLOCKED;
    if (to.polygon < 0)
        return KERB_PLAN_GOAL_BLOCKED;
    agent.clearance = 0.5f * task->width;
    for (int32_t i = 0; i < 2; i++) {
        if (kerb_mesh_find_corridor(&w->mesh, &w->search, &agent, from, to, corridor) ==
            KERB_MESH_FOUND)
            return KERB_PLAN_RUNNING;
        agent.clearance = 0.0f;
    }
    return KERB_PLAN_NO_PATH;
}

static tool_status plan_mesh_window(const tool_plan_mesh_task* task, const mesh_work* w,
                                    const kerb_mesh_corridor* corridor, float cell,
                                    tool_plan_map* map) {
    kerb_error error = {.index = -1};
    kerb_plan_mesh_settings settings = kerb_plan_mesh_settings_default();
    kerb_plan_mesh_part part;
    settings.cell_size = cell;
    if (kerb_plan_mesh_window_size(&w->mesh, corridor, 0, &settings, &part, &error) != KERB_OK)
        return tool_complain_error(task->path, &error);
    if (part.last + 1 < corridor->count)
        return tool_complain("%s: the way passes over or under itself, so it takes several plans: "
                             "kerb/plan_mesh.h",
                             task->path);
    map->grid.columns = part.columns;
    map->grid.rows = part.rows;
    map->grid.cells = w->host.allocator.allocate(w->host.allocator.context,
                                                 (size_t)part.columns * (size_t)part.rows, 16);
    if (!map->grid.cells)
        return tool_complain("%s: no memory for %d by %d cells", task->path, (int)part.columns,
                             (int)part.rows);
    kerb_plan_mesh_window(&w->mesh, corridor, &part, &settings, map->grid.cells, &map->world);
    return TOOL_DONE;
}

static tool_status plan_mesh_run(const tool_plan_mesh_task* task, mesh_work* w, tool_plan_map* map,
                                 tool_plan_mesh_report* report) {
    float cell;
    if (plan_mesh_read(task->path, task->z_up, w) != TOOL_DONE ||
        plan_mesh_build(task, w, &cell) != TOOL_DONE)
        return TOOL_WRONG;
    report->polygons = w->mesh.polygon_count;
    const uint64_t begun = tool_clock_ns();
    kerb_mesh_corridor corridor = {.steps = w->steps, .capacity = w->mesh.polygon_count};
    report->outcome = plan_mesh_corridor(task, w, &corridor);
    if (report->outcome != KERB_PLAN_RUNNING)
        return TOOL_DONE;
    report->steps = corridor.count;
    tool_status status = plan_mesh_window(task, w, &corridor, cell, map);
    report->corridor_ms = 1e-6 * (double)(tool_clock_ns() - begun);
    return status;
}

tool_status tool_plan_mesh_load(const tool_plan_mesh_task* task, tool_plan_map* map,
                                tool_plan_mesh_report* report) {
    mesh_work w = {.host = kerb_host_default()};
    memset(report, 0, sizeof *report);
    snprintf(map->path, sizeof map->path, "%s", task->path);
    tool_status status = plan_mesh_run(task, &w, map, report);
    free(w.steps);
    kerb_mesh_search_destroy(&w.search);
    kerb_mesh_destroy(&w.mesh);
    kerb_scene_recast_free(&w.recast);
    kerb_io_triangles_destroy(&w.triangles, &w.host);
    return status;
}

#else

tool_status tool_plan_mesh_load(const tool_plan_mesh_task* task, tool_plan_map* map,
                                tool_plan_mesh_report* report) {
    (void)map;
    (void)report;
    return tool_complain("--mesh: %s: this kerb was built without Recast (Debian: librecast-dev)",
                         task->path);
}

#endif
