// Purpose: a planner's obstacles and the memory of its searches as one block, and the checks of a
//          world.
// Cost:    O(cells + vertices + nodes). All memory is touched once, so that the first query is as
//          fast as later ones.
#include "site.h"

#include "../world/regions.h"

#include "../../base/shared.h"

#include <string.h>

// Limits of kerb_plan_world: numbers of polygons and vertices, and coordinates in metres. They keep
// counts and offsets within an int32_t, and a float as fine as 6 cm.
#define POLYGONS_MOST 1000000
#define VERTICES_MOST 10000000
#define PLAN_SITE_COORDINATE_MOST 1e6f
// Greatest number of corners of a spare polygon. [1]
#define SPARE_CORNERS_MOST 1000
// Least number of cells of the distance field, whatever the setting. [1]
#define FIELD_LEAST 64

// Greatest number of cells of the flow, which takes about 16 MB then; chosen by trial on street
// maps of 1,024 by 1,024 cells: half of it needs twice the expansions, twice of it twice the time.
// A cell is as long as the vehicle is wide, or half of its turning radius if that is less, or
// larger where there would be too many. [1]
#define FLOW_CELLS_MOST (1 << 19)

// Nodes over states of the search with speed, which is used where the vehicle arrives too fast to
// turn. A state is larger than a node and is needed less often. [1]
#define STATES_SHARE 4
// Below this number of states there is no search with speed. [1]
#define STATES_LEAST 2048

// Greatest allowance at a start over the width, for vehicles narrower than a metre. [1]
#define EASED_SHARE 0.1f
// Allowances that are tried, evenly spaced, the least first. [1]
#define EASED_STEPS 10

// Greatest number of discs along a straight in kerb_in_plan_site_is_open. For longer straights a
// search is faster. [1]
#define OPEN_STEPS_MOST 4096.0f

// --------------------------------------------------------------------------- checks

static kerb_result wrong(kerb_error* error, kerb_result result, const char* field, int32_t index,
                         const char* message) {
    return kerb_error_set(error, result, field, 0, index, message);
}

static kerb_result plan_site_check_place(kerb_vec2 place, const char* field, int32_t index,
                                         kerb_error* error) {
    if (!kerb_is_finite(place.x) || !kerb_is_finite(place.y))
        return wrong(error, KERB_ERROR_NOT_FINITE, field, index, "must be a finite number");
    if (!(kerb_abs(place.x) <= PLAN_SITE_COORDINATE_MOST &&
          kerb_abs(place.y) <= PLAN_SITE_COORDINATE_MOST))
        return wrong(error, KERB_ERROR_OUT_OF_RANGE, field, index, "must lie within 1e6 m");
    return KERB_OK;
}

static kerb_result check_grid(const kerb_plan_world* w, kerb_error* error) {
    const char* sides = "must be 1 to 32768 cells";
    if (w->columns < 1 || w->columns > KERB_PLAN_CELLS_MAX)
        return wrong(error, KERB_ERROR_OUT_OF_RANGE, "columns", -1, sides);
    if (w->rows < 1 || w->rows > KERB_PLAN_CELLS_MAX)
        return wrong(error, KERB_ERROR_OUT_OF_RANGE, "rows", -1, sides);
    if (!kerb_is_finite(w->cell_size))
        return wrong(error, KERB_ERROR_NOT_FINITE, "cell_size", -1, "must be a finite number");
    if (!(w->cell_size >= 0.001f && w->cell_size <= 1000.0f))
        return wrong(error, KERB_ERROR_OUT_OF_RANGE, "cell_size", -1, "must be 0.001 to 1000 m");
    kerb_vec2 far = {w->origin.x + (float)w->columns * w->cell_size,
                     w->origin.y + (float)w->rows * w->cell_size};
    kerb_result result = plan_site_check_place(w->origin, "origin", -1, error);
    return result == KERB_OK ? plan_site_check_place(far, "origin", -1, error) : result;
}

static kerb_result check_polygons(const kerb_plan_world* w, kerb_error* error) {
    if (w->polygon_count < 0 || w->polygon_count > POLYGONS_MOST)
        return wrong(error, KERB_ERROR_OUT_OF_RANGE, "polygon_count", -1, "must be 0 to 1000000");
    if (w->polygon_count > 0 && !w->vertices)
        return wrong(error, KERB_ERROR_MISSING_FIELD, "vertices", -1, "polygons have none");
    if (w->polygon_count > 0 && !w->vertex_counts)
        return wrong(error, KERB_ERROR_MISSING_FIELD, "vertex_counts", -1, "polygons have none");
    int32_t vertex = 0;
    for (int32_t i = 0; i < w->polygon_count; i++) {
        int32_t count = w->vertex_counts[i];
        if (count < 3)
            return wrong(error, KERB_ERROR_TOO_FEW, "vertex_counts", i, "must be at least 3");
        if (count > VERTICES_MOST - vertex)
            return wrong(error, KERB_ERROR_OUT_OF_RANGE, "vertices", -1, "are more than 10000000");
        for (int32_t end = vertex + count; vertex < end; vertex++) {
            kerb_result result =
                plan_site_check_place(w->vertices[vertex], "vertices", vertex, error);
            if (result != KERB_OK)
                return result;
        }
    }
    return KERB_OK;
}

static kerb_result check_spare(const kerb_plan_world* w, kerb_error* error) {
    if (w->spare_polygons < 0 || w->spare_polygons > POLYGONS_MOST - w->polygon_count)
        return wrong(error, KERB_ERROR_OUT_OF_RANGE, "spare_polygons", -1,
                     "must be 0 to 1000000 with the others");
    bool is_none = w->spare_polygons == 0 && w->spare_corners == 0;
    if (!is_none && (w->spare_corners < 3 || w->spare_corners > SPARE_CORNERS_MOST))
        return wrong(error, KERB_ERROR_OUT_OF_RANGE, "spare_corners", -1, "must be 3 to 1000");
    int64_t polygons = (int64_t)w->polygon_count + w->spare_polygons;
    if (polygons * w->spare_corners > VERTICES_MOST)
        return wrong(error, KERB_ERROR_OUT_OF_RANGE, "spare_corners", -1,
                     "of all polygons are more than 10000000");
    bool is_alone = w->spare_polygons > 0 && !w->cells && w->polygon_count == 0;
    if (is_alone && w->area_min.x == w->area_max.x && w->area_min.y == w->area_max.y)
        return wrong(error, KERB_ERROR_OUT_OF_RANGE, "area_max", -1,
                     "must be given where there is nothing else");
    kerb_result result = plan_site_check_place(w->area_min, "area_min", -1, error);
    if (result == KERB_OK)
        result = plan_site_check_place(w->area_max, "area_max", -1, error);
    if (result == KERB_OK && !(w->area_min.x <= w->area_max.x && w->area_min.y <= w->area_max.y))
        return wrong(error, KERB_ERROR_OUT_OF_RANGE, "area_max", -1,
                     "must not be less than area_min");
    return result;
}

static kerb_result check_box(const kerb_plan_world* w, kerb_error* error) {
    kerb_result result = plan_site_check_place(w->box_min, "box_min", -1, error);
    if (result == KERB_OK)
        result = plan_site_check_place(w->box_max, "box_max", -1, error);
    if (result == KERB_OK && !(w->box_min.x <= w->box_max.x && w->box_min.y <= w->box_max.y))
        return wrong(error, KERB_ERROR_OUT_OF_RANGE, "box_max", -1,
                     "must not be less than box_min");
    return result;
}

static plan_outline outline_of(const kerb_plan_limits* l) {
    plan_outline outline = {l->front + l->margin, l->rear + l->margin, 0.5f * l->width + l->margin};
    return outline;
}

kerb_result kerb_in_plan_site_check(const kerb_plan_world* world, const kerb_plan_limits* limits,
                                    kerb_error* error) {
    plan_outline outline = outline_of(limits);
    if (!(outline.half_width >= 0.005f))
        return wrong(error, KERB_ERROR_OUT_OF_RANGE, "width", -1,
                     "a footprint among obstacles must be at least 1 cm wide");
    if (!(outline.front + outline.rear >= 0.01f))
        return wrong(error, KERB_ERROR_OUT_OF_RANGE, "front", -1,
                     "a footprint among obstacles must be at least 1 cm long");
    kerb_result result = world->cells || world->cost_map ? check_grid(world, error) : KERB_OK;
    if (result == KERB_OK && world->cost_map && !kerb_is_finite(world->cost_per_metre))
        return wrong(error, KERB_ERROR_NOT_FINITE, "cost_per_metre", -1, "must be a finite number");
    if (result == KERB_OK && world->cost_map &&
        !(world->cost_per_metre >= 0.0f && world->cost_per_metre <= 1e4f))
        return wrong(error, KERB_ERROR_OUT_OF_RANGE, "cost_per_metre", -1,
                     "must be 0 to 10000 s/m");
    if (result == KERB_OK)
        result = check_polygons(world, error);
    if (result == KERB_OK)
        result = check_spare(world, error);
    return result == KERB_OK ? check_box(world, error) : result;
}

bool kerb_in_plan_site_is_nothing(const kerb_plan_world* world) {
    bool is_boxed = world->box_min.x != world->box_max.x || world->box_min.y != world->box_max.y;
    return !world->cells && !world->cost_map && world->polygon_count == 0 &&
           world->spare_polygons == 0 && !world->is_free && !is_boxed;
}

// --------------------------------------------------------------------------- the block

static void plan_site_build(plan_site* site, const plan_site* layout,
                            const plan_world* world_layout, const kerb_plan_world* world,
                            int32_t nodes) {
    memset(site, 0, layout->nodes); // nodes and states clear their own memory
    *site = *layout;
    kerb_in_plan_world_build((char*)site + site->world, world_layout, world);
    plan_regions* regions = (plan_regions*)(void*)((char*)site + site->regions);
    kerb_in_plan_regions_create(regions, kerb_in_plan_site_world(site));
    kerb_in_plan_flow_create((char*)site + site->flow, &layout->layout,
                             kerb_in_plan_site_world(site), regions);
    kerb_in_plan_distant_create((plan_distant*)(void*)((char*)site + site->distant));
    kerb_in_plan_nodes_create((char*)site + site->nodes, nodes);
    if (site->states == 0)
        return;
    memset((char*)site + site->states, 0, site->state_nodes - site->states);
    kerb_in_plan_speed_nodes_create((char*)site + site->state_nodes, nodes / STATES_SHARE);
}

static void add_states(plan_site* layout, int32_t nodes) {
    layout->states = layout->bytes;
    layout->state_nodes = layout->states + kerb_in_round_up(sizeof(plan_speed_search), 64);
    layout->bytes =
        layout->state_nodes + kerb_in_round_up(kerb_in_plan_speed_nodes_bytes(nodes), 64);
}

plan_site* kerb_in_plan_site_create(const kerb_plan_world* world, const kerb_plan_limits* limits,
                                    const kerb_planner_settings* settings,
                                    const kerb_allocator* allocator) {
    plan_outline outline = outline_of(limits);
    int32_t field = settings->field_cells > FIELD_LEAST ? settings->field_cells : FIELD_LEAST;
    plan_world world_layout = kerb_in_plan_world_layout(world, &outline, field);
    plan_site layout;
    memset(&layout, 0, sizeof layout);
    float cell = kerb_min(2.0f * outline.half_width, 0.5f * limits->turning_radius);
    layout.layout = kerb_in_plan_flow_layout(&world_layout, cell, FLOW_CELLS_MOST);
    layout.world = kerb_in_round_up(sizeof layout, 64);
    layout.regions = layout.world + kerb_in_round_up(world_layout.bytes, 64);
    layout.flow = layout.regions + kerb_in_round_up(kerb_in_plan_regions_bytes(&world_layout), 64);
    layout.distant = layout.flow + kerb_in_round_up(kerb_in_plan_flow_bytes(&layout.layout), 64);
    layout.nodes = layout.distant + kerb_in_round_up(sizeof(plan_distant), 64);
    layout.bytes = kerb_in_round_up(layout.nodes + kerb_in_plan_nodes_bytes(settings->nodes), 64);
    if (settings->nodes / STATES_SHARE >= STATES_LEAST)
        add_states(&layout, settings->nodes / STATES_SHARE);
    plan_site* site = allocator->allocate(allocator->context, layout.bytes, 64);
    if (site)
        plan_site_build(site, &layout, &world_layout, world, settings->nodes);
    return site;
}

const plan_world* kerb_in_plan_site_world(const plan_site* site) {
    return (const plan_world*)(const void*)((const char*)site + site->world);
}

static bool any_is_free(const plan_world* world, const kerb_plan_end* starts, int32_t count) {
    for (int32_t i = 0; i < count; i++)
        if (kerb_in_plan_world_pose_free(world, starts[i].pose, 0.0f))
            return true;
    return false;
}

float kerb_in_plan_site_ease(plan_site* site, const kerb_plan_end* starts, int32_t count,
                             float margin) {
    plan_world* world = (plan_world*)(void*)((char*)site + site->world);
    kerb_vec2 places[KERB_PLAN_ENDS_MAX];
    for (int32_t i = 0; i < count; i++)
        places[i] = starts[i].pose.position;
    kerb_in_plan_world_ease(world, places, 0, 0.0f);
    float width = 2.0f * (world->outline.half_width - margin), by = 0.0f;
    float most = margin + kerb_min(KERB_PLAN_STEERING_DEVIATION_MAX, EASED_SHARE * width);
    for (int32_t k = 1; k <= EASED_STEPS && !any_is_free(world, starts, count); k++) {
        by = most * (float)k / (float)EASED_STEPS;
        kerb_in_plan_world_ease(world, places, count, by);
    }
    if (any_is_free(world, starts, count))
        return by;
    kerb_in_plan_world_ease(world, places, 0, 0.0f); // the starts stay blocked
    return 0.0f;
}

plan_terrain kerb_in_plan_site_terrain(plan_site* site) {
    plan_terrain terrain = {kerb_in_plan_site_world(site),
                            (plan_flow*)(void*)((char*)site + site->flow),
                            (plan_nodes*)(void*)((char*)site + site->nodes),
                            (const plan_distant*)(const void*)((char*)site + site->distant)};
    return terrain;
}

plan_speed_search* kerb_in_plan_site_states(plan_site* site) {
    return site->states != 0 ? (plan_speed_search*)(void*)((char*)site + site->states) : NULL;
}

plan_speed_nodes* kerb_in_plan_site_state_nodes(plan_site* site) {
    return (plan_speed_nodes*)(void*)((char*)site + site->state_nodes);
}

// --------------------------------------------------------------------------- questions

static bool plan_site_is_free(const void* context, kerb_pose from, plan_arc arc) {
    const plan_probe* probe = context;
    return kerb_in_plan_world_arc_free(probe->world, from, arc.curvature, arc.length, probe->room);
}

static bool plan_site_is_bend_free(const void* context, const plan_clothoid* b) {
    const plan_probe* probe = context;
    return kerb_in_plan_world_bend_free(probe->world, b->start, b->curvature,
                                        b->change / kerb_abs(b->length), b->length, probe->room);
}

static float plan_site_toll_of(const void* context, kerb_pose from, plan_arc arc) {
    const plan_probe* probe = context;
    return kerb_in_plan_world_toll(probe->world, from, arc.curvature, arc.length);
}

plan_space kerb_in_plan_probe_space(const plan_probe* probe) {
    plan_space space = {.is_free = plan_site_is_free,
                        .is_bend_free = plan_site_is_bend_free,
                        .context = probe,
                        .toll = probe->world->prices != 0 ? plan_site_toll_of : NULL};
    return space;
}

bool kerb_in_plan_site_may_connect(const plan_site* site, kerb_vec2 from, kerb_vec2 to) {
    const plan_regions* regions =
        (const plan_regions*)(const void*)((const char*)site + site->regions);
    return kerb_in_plan_regions_may_connect(regions, kerb_in_plan_site_world(site), from, to);
}

bool kerb_in_plan_site_is_open(const plan_site* site, kerb_vec2 from, kerb_vec2 to) {
    const plan_world* world = kerb_in_plan_site_world(site);
    kerb_vec2 way = kerb_vec2_sub(to, from);
    float half = world->outline.half_width, length = kerb_sqrt(kerb_vec2_dot(way, way));
    float steps = floorf(length / half) + 1.0f;
    if (!(steps <= OPEN_STEPS_MOST))
        return false;
    for (int32_t k = 0; (float)k <= steps; k++) {
        float i = (float)k;
        kerb_vec2 place = kerb_vec2_add(from, kerb_vec2_scale(way, i / steps));
        if (!kerb_in_plan_world_disc_free(world, place, half))
            return false;
    }
    return true;
}
