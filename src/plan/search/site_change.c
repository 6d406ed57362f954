// Purpose: a world that changes: new values of cells and polygons, and all that follows from them.
// Idea:    Each part of the site is a function of the obstacles near a place, but for the joints of
//          the regions. So each is computed anew in a window round the change that is as wide as
//          the part reaches, by the code that builds it, and has the bits of a world built anew.
// Cost:    The field: cells that are nearer to the change than to other obstacles. Open cells and
//          flow: cells within a few widths of the vehicle. Regions: 40 ns a tile of 64 x 64 cells.
#include "site.h"

#include "../world/regions.h"

#include "../../base/shared.h"

static kerb_result plan_change_wrong(kerb_error* error, kerb_result result, const char* field,
                                     int32_t index, const char* message) {
    return kerb_error_set(error, result, field, 0, index, message);
}

static plan_world* world_of(plan_site* site) {
    return (plan_world*)(void*)((char*)site + site->world);
}

// The window that is wider by a distance on all sides.
static plan_window wider_by(const plan_world* w, plan_window window, float metres) {
    int32_t cells = 1 + (int32_t)-floorf(-metres * w->field_per_metre);
    return plan_window_wider(window, cells, w->field_columns, w->field_rows);
}

static void mend(plan_site* site, plan_window changed) {
    plan_world* world = world_of(site);
    if (world->field == 0 || changed.left >= changed.right || changed.low >= changed.high)
        return;
    plan_regions* regions = (plan_regions*)(void*)((char*)site + site->regions);
    plan_flow* flow = (plan_flow*)(void*)((char*)site + site->flow);
    float near = kerb_in_plan_open_reach(world), far = kerb_in_plan_flow_reach(world);
    kerb_in_plan_world_mark(world, changed);
    kerb_in_plan_field_mend(world, changed);
    kerb_in_plan_regions_mend(regions, world, wider_by(world, changed, near));
    kerb_in_plan_flow_mend(flow, world, regions, wider_by(world, changed, kerb_max(near, far)));
}

static bool is_span_in(int32_t first, int32_t count, int32_t all) {
    return first >= 0 && count >= 0 && first <= all && count <= all - first;
}

static kerb_result check_cells(const plan_site* site, const kerb_plan_cells* c, kerb_error* error) {
    if (!site)
        return plan_change_wrong(error, KERB_ERROR_MISSING_FIELD, "world", -1, "there is none");
    const plan_world* w = kerb_in_plan_site_world(site);
    if (c->cells && w->bits == 0)
        return plan_change_wrong(error, KERB_ERROR_MISSING_FIELD, "cells", -1,
                                 "the world has no grid");
    if (c->cost_map && w->prices == 0)
        return plan_change_wrong(error, KERB_ERROR_MISSING_FIELD, "cost_map", -1,
                                 "the world has none");
    const char* within = "must lie in the grid";
    int32_t columns = w->bits != 0 ? w->columns : w->price_columns;
    int32_t rows = w->bits != 0 ? w->rows : w->price_rows;
    if (!is_span_in(c->column, 0, columns))
        return plan_change_wrong(error, KERB_ERROR_OUT_OF_RANGE, "column", -1, within);
    if (!is_span_in(c->row, 0, rows))
        return plan_change_wrong(error, KERB_ERROR_OUT_OF_RANGE, "row", -1, within);
    if (!is_span_in(c->column, c->columns, columns))
        return plan_change_wrong(error, KERB_ERROR_OUT_OF_RANGE, "columns", -1, within);
    if (!is_span_in(c->row, c->rows, rows))
        return plan_change_wrong(error, KERB_ERROR_OUT_OF_RANGE, "rows", -1, within);
    return KERB_OK;
}

kerb_result kerb_in_plan_site_change_cells(plan_site* site, const kerb_plan_cells* cells,
                                           kerb_error* error) {
    kerb_result result = check_cells(site, cells, error);
    if (result == KERB_OK)
        mend(site, kerb_in_plan_world_put_cells(world_of(site), cells));
    return result;
}

static kerb_result check_vertices(const plan_world* w, const kerb_vec2* vertices, int32_t count,
                                  kerb_error* error) {
    for (int32_t i = 0; i < count; i++) {
        kerb_vec2 v = vertices[i];
        if (!kerb_is_finite(v.x) || !kerb_is_finite(v.y))
            return plan_change_wrong(error, KERB_ERROR_NOT_FINITE, "vertices", i,
                                     "must be a finite number");
        if (!(v.x >= w->extent_least.x && v.x <= w->extent_most.x && v.y >= w->extent_least.y &&
              v.y <= w->extent_most.y))
            return plan_change_wrong(error, KERB_ERROR_OUT_OF_RANGE, "vertices", i,
                                     "must lie in the area of changes");
    }
    return KERB_OK;
}

static kerb_result check_polygon(const plan_site* site, int32_t polygon, const kerb_vec2* vertices,
                                 int32_t count, kerb_error* error) {
    if (!site)
        return plan_change_wrong(error, KERB_ERROR_MISSING_FIELD, "world", -1, "there is none");
    const plan_world* w = kerb_in_plan_site_world(site);
    if (polygon < 0 || polygon >= w->polygon_count)
        return plan_change_wrong(error, KERB_ERROR_OUT_OF_RANGE, "polygon", -1,
                                 "must be below polygon_count + spare_polygons");
    const plan_polygon* p = (const plan_polygon*)kerb_in_plan_world_at(w, w->polygon) + polygon;
    if (count < 0 || count == 1 || count == 2)
        return plan_change_wrong(error, KERB_ERROR_TOO_FEW, "count", -1, "must be 0 or at least 3");
    if (count > p->room)
        return plan_change_wrong(error, KERB_ERROR_TOO_MANY, "count", -1,
                                 "is more than spare_corners and than it was given");
    if (count > 0 && !vertices)
        return plan_change_wrong(error, KERB_ERROR_MISSING_FIELD, "vertices", -1,
                                 "the polygon has none");
    return check_vertices(w, vertices, count, error);
}

kerb_result kerb_in_plan_site_change_polygon(plan_site* site, int32_t polygon,
                                             const kerb_vec2* vertices, int32_t count,
                                             kerb_error* error) {
    kerb_result result = check_polygon(site, polygon, vertices, count, error);
    if (result != KERB_OK)
        return result;
    plan_window windows[2];
    int32_t changed =
        kerb_in_plan_world_put_polygon(world_of(site), polygon, vertices, count, windows);
    for (int32_t i = 0; i < changed; i++)
        mend(site, windows[i]);
    return KERB_OK;
}
