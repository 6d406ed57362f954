// Obstacles of the planner: field of distances, footprint, arcs and the flow to the goals, each
// against brute force over random grids and polygons.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "src/plan/world/flow.h"
#include "src/plan/world/stencil.h"
#include "test/seed.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GRID_MOST = 40, POLYGONS_MOST = 8 };

// What a test sets up: the host's side and the planner's.
typedef struct rig {
    uint8_t cells[GRID_MOST * GRID_MOST];
    kerb_vec2 vertices[POLYGONS_MOST * 8];
    int32_t counts[POLYGONS_MOST];
    kerb_plan_world given;
    plan_outline outline;
    plan_world* world;
} rig;

static void build(rig* r, int32_t field_cells_max) {
    plan_world layout = kerb_in_plan_world_layout(&r->given, &r->outline, field_cells_max);
    r->world = malloc(layout.bytes);
    assert_non_null(r->world);
    kerb_in_plan_world_build(r->world, &layout, &r->given);
}

static void add_grid(rig* r, kerb_random* random, float share) {
    r->given.columns = 2 + kerb_random_below(random, GRID_MOST - 1);
    r->given.rows = 2 + kerb_random_below(random, GRID_MOST - 1);
    r->given.cell_size = kerb_random_between(random, 0.2f, 2.0f);
    r->given.origin = kerb_vec2_make(kerb_random_between(random, -50.0f, 50.0f),
                                     kerb_random_between(random, -50.0f, 50.0f));
    for (int32_t i = 0; i < r->given.columns * r->given.rows; i++)
        r->cells[i] = kerb_random_unit(random) < share ? 255 : 0;
    r->given.cells = r->cells;
}

// Stars round a middle: simple, often not convex.
static void add_polygons(rig* r, kerb_random* random, float size) {
    r->given.polygon_count = 1 + kerb_random_below(random, POLYGONS_MOST);
    int32_t next = 0;
    for (int32_t i = 0; i < r->given.polygon_count; i++) {
        kerb_vec2 middle = {kerb_random_between(random, -size, size),
                            kerb_random_between(random, -size, size)};
        r->counts[i] = 3 + kerb_random_below(random, 6);
        float turn = kerb_random_below(random, 2) ? 1.0f : -1.0f;
        for (int32_t k = 0; k < r->counts[i]; k++) {
            float angle = turn * 2.0f * KERB_PI * (float)k / (float)r->counts[i];
            float radius = kerb_random_between(random, 0.3f, 4.0f);
            r->vertices[next++] = kerb_vec2_make(middle.x + radius * kerb_cos(angle),
                                                 middle.y + radius * kerb_sin(angle));
        }
    }
    r->given.vertices = r->vertices;
    r->given.vertex_counts = r->counts;
}

static void set_up(rig* r, kerb_random* random) {
    memset(r, 0, sizeof *r);
    r->outline.front = kerb_random_between(random, 0.5f, 4.0f);
    r->outline.rear = kerb_random_between(random, 0.2f, 1.5f);
    r->outline.half_width = kerb_random_between(random, 0.2f, 1.2f);
    int32_t kind = kerb_random_below(random, 3);
    if (kind != 1)
        add_grid(r, random, kerb_random_between(random, 0.0f, 0.2f));
    if (kind != 0)
        add_polygons(r, random, 15.0f);
    if (kerb_random_below(random, 2)) {
        r->given.box_min = kerb_vec2_make(-30.0f, -30.0f);
        r->given.box_max = kerb_vec2_make(30.0f, 30.0f);
    }
    build(r, 1 << 16);
}

// --------------------------------------------------------------------------- brute force

static bool in_polygon(const rig* r, kerb_vec2 p) {
    for (int32_t i = 0, first = 0; i < r->given.polygon_count; first += r->counts[i++]) {
        bool in = false;
        for (int32_t k = 0; k < r->counts[i]; k++) {
            kerb_vec2 a = r->vertices[first + k];
            kerb_vec2 b = r->vertices[first + (k + 1) % r->counts[i]];
            if ((a.y > p.y) != (b.y > p.y) && p.x < (b.x - a.x) * (p.y - a.y) / (b.y - a.y) + a.x)
                in = !in;
        }
        if (in)
            return true;
    }
    return false;
}

static bool in_grid(const rig* r, kerb_vec2 p) {
    if (r->given.cells == NULL)
        return false;
    float x = floorf((p.x - r->given.origin.x) / r->given.cell_size);
    float y = floorf((p.y - r->given.origin.y) / r->given.cell_size);
    return x >= 0.0f && y >= 0.0f && x < (float)r->given.columns && y < (float)r->given.rows &&
           r->cells[(int32_t)y * r->given.columns + (int32_t)x] == 255;
}

static bool in_box(const rig* r, kerb_vec2 p) {
    const kerb_plan_world* g = &r->given;
    return g->box_min.x == g->box_max.x || (p.x >= g->box_min.x && p.y >= g->box_min.y &&
                                            p.x <= g->box_max.x && p.y <= g->box_max.y);
}

// A share of the points of the outline, `shrunk` on all sides; true when all are free.
static bool points_free(const rig* r, kerb_pose pose, float shrunk, int32_t count) {
    float front = r->outline.front - shrunk, rear = shrunk - r->outline.rear;
    float half = r->outline.half_width - shrunk;
    for (int32_t i = 0; i <= count; i++)
        for (int32_t j = 0; j <= count; j++) {
            float u = rear + (front - rear) * (float)i / (float)count;
            float v = -half + 2.0f * half * (float)j / (float)count;
            kerb_vec2 p = {pose.position.x + u * pose.forward.x - v * pose.forward.y,
                           pose.position.y + u * pose.forward.y + v * pose.forward.x};
            if (in_grid(r, p) || in_polygon(r, p) || !in_box(r, p))
                return false;
        }
    return true;
}

static kerb_pose random_pose(kerb_random* random, float size) {
    return kerb_pose_make(kerb_random_between(random, -size, size),
                          kerb_random_between(random, -size, size),
                          kerb_random_between(random, -KERB_PI, KERB_PI));
}

// --------------------------------------------------------------------------- tests

static float distance_to_edge(kerb_vec2 p, kerb_vec2 a, kerb_vec2 b) {
    kerb_vec2 ab = kerb_vec2_sub(b, a), ap = kerb_vec2_sub(p, a);
    float share = kerb_clamp(kerb_vec2_dot(ap, ab) / kerb_vec2_dot(ab, ab), 0.0f, 1.0f);
    return kerb_vec2_length(kerb_vec2_sub(ap, kerb_vec2_scale(ab, share)));
}

static float distance_to_obstacles(const rig* r, kerb_vec2 p) {
    if (in_grid(r, p) || in_polygon(r, p))
        return 0.0f;
    float least = INFINITY, cell = r->given.cell_size;
    for (int32_t i = 0; r->given.cells && i < r->given.columns * r->given.rows; i++) {
        if (r->cells[i] != 255)
            continue;
        float x = r->given.origin.x + cell * ((float)(i % r->given.columns) + 0.5f);
        float y = r->given.origin.y + cell * ((float)(i / r->given.columns) + 0.5f);
        kerb_vec2 away = {kerb_max(kerb_abs(p.x - x) - 0.5f * cell, 0.0f),
                          kerb_max(kerb_abs(p.y - y) - 0.5f * cell, 0.0f)};
        least = kerb_min(least, kerb_vec2_length(away));
    }
    for (int32_t i = 0, first = 0; i < r->given.polygon_count; first += r->counts[i++])
        for (int32_t k = 0; k < r->counts[i]; k++)
            least = kerb_min(least, distance_to_edge(p, r->vertices[first + k],
                                                     r->vertices[first + (k + 1) % r->counts[i]]));
    return least;
}

static void clearance_is_a_lower_bound_and_discs_are_exact(void** state) {
    (void)state;
    kerb_random random = test_random("plan_clearance");
    for (int32_t trial = 0; trial < 60; trial++) {
        rig r;
        set_up(&r, &random);
        for (int32_t k = 0; k < 200; k++) {
            kerb_vec2 p = random_pose(&random, 40.0f).position;
            float distance = distance_to_obstacles(&r, p);
            assert_true(kerb_in_plan_world_clearance(r.world, p) <= distance + 1e-4f);
            float radius = kerb_random_between(&random, 0.0f, 3.0f);
            if (kerb_abs(radius - distance) > 1e-4f)
                assert_int_equal(kerb_in_plan_world_disc_free(r.world, p, radius),
                                 radius < distance);
        }
        free(r.world);
    }
}

static void a_pose_is_free_just_when_no_point_of_its_outline_is_blocked(void** state) {
    (void)state;
    kerb_random random = test_random("plan_pose");
    int32_t freed = 0, blocked = 0;
    for (int32_t trial = 0; trial < 200; trial++) {
        rig r;
        set_up(&r, &random);
        for (int32_t k = 0; k < 50; k++) {
            kerb_pose pose = random_pose(&random, 35.0f);
            bool is_free = kerb_in_plan_world_pose_free(r.world, pose, 0.0f);
            // Points miss what is thinner than their spacing, so only their no is certain.
            bool found_free = points_free(&r, pose, 0.002f, 24);
            if (is_free)
                assert_true(found_free);
            else if (found_free)
                assert_false(points_free(&r, pose, -0.002f, 400));
            freed += is_free;
            blocked += !is_free;
        }
        free(r.world);
    }
    assert_true(freed > 1000 && blocked > 1000);
}

// Whether the outline is free at places along an arc, a little narrower than it is; and whether it
// is with a hand's breadth to spare.
static void look_along(const rig* r, kerb_pose pose, float curvature, float length, bool* all,
                       bool* all_wide) {
    *all = *all_wide = true;
    for (int32_t i = 0; i <= 100 && (*all || *all_wide); i++) {
        kerb_curve arc = {.start = pose,
                          .count = 1,
                          .curvature = {curvature},
                          .length = {length * (float)i / 100.0f}};
        kerb_pose here = kerb_curve_end(&arc);
        *all = *all && points_free(r, here, 0.003f, 10);
        *all_wide = *all_wide && kerb_in_plan_world_pose_free(r->world, here, 0.15f);
    }
}

static void a_free_arc_is_free_at_every_place_and_a_wide_one_is_found_free(void** state) {
    (void)state;
    kerb_random random = test_random("plan_arc");
    int32_t freed = 0;
    const int32_t trials = test_share(200, 60);
    for (int32_t trial = 0; trial < trials; trial++) {
        rig r;
        set_up(&r, &random);
        for (int32_t k = 0; k < 40; k++) {
            kerb_pose pose = random_pose(&random, 30.0f);
            bool straight = kerb_random_below(&random, 4) == 0, all, all_wide;
            float curvature = straight ? 0.0f : kerb_random_between(&random, -0.3f, 0.3f);
            float length = kerb_random_between(&random, -12.0f, 12.0f);
            bool is_free = kerb_in_plan_world_arc_free(r.world, pose, curvature, length, 0.02f);
            look_along(&r, pose, curvature, length, &all, &all_wide);
            if (is_free)
                assert_true(all);
            if (all_wide)
                assert_true(is_free);
            freed += is_free;
        }
        free(r.world);
    }
    assert_true(freed > 2 * trials);
}

static void an_arc_from_many_poses_is_free_where_it_is_from_each_and_most_are_known_at_a_glance(
    void** state) {
    (void)state;
    kerb_random random = test_random("plan_stencil");
    int32_t asked[3] = {0}, by_cells = 0, unlike = 0;
    for (int32_t trial = 0; trial < 200; trial++) {
        rig r;
        set_up(&r, &random);
        bool straight = kerb_random_below(&random, 4) == 0, all, all_wide;
        float curvature = straight ? 0.0f : kerb_random_between(&random, -0.3f, 0.3f);
        float length = kerb_random_between(&random, -4.0f, 4.0f);
        plan_stencil stencil = kerb_in_plan_stencil_make(r.world, curvature, length, 0.03f);
        const plan_stencil made = stencil;
        if (trial % 2 == 1) { // the same arc, mirrored from the other side
            plan_stencil other = kerb_in_plan_stencil_make(r.world, -curvature, length, 0.03f);
            kerb_in_plan_stencil_mirror(&other, &stencil);
        }
        for (int32_t k = 0; k < 40; k++) {
            kerb_pose pose = random_pose(&random, 30.0f);
            bool is_free = kerb_in_plan_world_stencil_free(r.world, pose, &stencil, 0.03f);
            plan_room room = kerb_in_plan_stencil_ask(&stencil, r.world, pose);
            unlike += room != kerb_in_plan_stencil_ask(&made, r.world, pose);
            look_along(&r, pose, curvature, length, &all, &all_wide);
            if (is_free || room == PLAN_OPEN)
                assert_true(all);
            if (all_wide) {
                assert_true(is_free);
                assert_true(room != PLAN_BLOCKED);
            }
            bool is_grid = r.given.cells && r.given.polygon_count == 0;
            asked[room] += is_grid;
            by_cells += is_grid;
        }
        free(r.world);
    }
    assert_true(asked[PLAN_OPEN] > 200 && asked[PLAN_BLOCKED] > 200);
    assert_true(10 * asked[PLAN_DOUBTFUL] < by_cells);
    assert_true(unlike <= 2); // of 8,000: rounding differs
}

// A hull that lies in the grid is asked for row by row, so that a side that faces the wrong way
// shows only where it is the widest; as numbers it shows at once.
static void mirrored_hulls_have_their_corners_and_sides_left_about(void** state) {
    (void)state;
    kerb_random random = test_random("plan_mirror");
    int32_t sides = 0;
    for (int32_t trial = 0; trial < 100; trial++) {
        rig r;
        set_up(&r, &random);
        float curvature = kerb_random_between(&random, -0.3f, 0.3f);
        float length = kerb_random_between(&random, -4.0f, 4.0f);
        plan_stencil made = kerb_in_plan_stencil_make(r.world, curvature, length, 0.03f), s;
        kerb_in_plan_stencil_mirror(&made, &s);
        assert_true(s.curvature == -curvature && s.length == length && s.hulls == made.hulls);
        for (int32_t i = 0, first = 0; i < s.hulls; first = s.hull_end[i++]) {
            for (int32_t k = first; k < s.hull_end[i]; k++) {
                int32_t next = k + 1 < s.hull_end[i] ? k + 1 : first;
                // A side reaches as far as both of its corners lie, and none lies farther.
                for (int32_t j = first; j < s.hull_end[i]; j++) {
                    float out = s.corner_x[j] * s.side_x[k] + s.corner_y[j] * s.side_y[k];
                    assert_true(out <= s.side_reach[k] + 1e-3f);
                    if (j == k || j == next)
                        assert_true(out >= s.side_reach[k] - 1e-2f);
                }
                sides++;
            }
        }
        free(r.world);
    }
    assert_true(sides > 300);
}

static bool odd_places_are_free(void* context, kerb_pose pose) {
    int32_t* asked = context;
    (*asked)++;
    return pose.position.x < 5.0f;
}

static void the_host_is_asked_along_the_whole_arc(void** state) {
    (void)state;
    rig r;
    memset(&r, 0, sizeof r);
    r.outline = (plan_outline){3.0f, 1.0f, 0.9f};
    int32_t asked = 0;
    r.given.is_free = odd_places_are_free;
    r.given.context = &asked;
    build(&r, 1000);
    assert_true(
        kerb_in_plan_world_arc_free(r.world, kerb_pose_make(0.0f, 0.0f, 0.0f), 0.0f, 4.9f, 0.02f));
    assert_true(asked >= 49);
    assert_false(
        kerb_in_plan_world_arc_free(r.world, kerb_pose_make(0.0f, 0.0f, 0.0f), 0.0f, 5.1f, 0.02f));
    free(r.world);
}

static void a_vehicle_as_wide_as_a_cell_fits_through_a_lane_of_one_cell(void** state) {
    (void)state;
    rig r;
    memset(&r, 0, sizeof r);
    r.outline = (plan_outline){1.5f, 0.5f, 0.5f};
    r.given.columns = r.given.rows = 9;
    r.given.cell_size = 1.0f;
    memset(r.cells, 255, sizeof r.cells);
    memset(r.cells + 4 * 9, 0, 9);
    r.given.cells = r.cells;
    build(&r, 10000);
    assert_true(
        kerb_in_plan_world_arc_free(r.world, kerb_pose_make(1.0f, 4.5f, 0.0f), 0.0f, 6.0f, 0.02f));
    assert_false(
        kerb_in_plan_world_arc_free(r.world, kerb_pose_make(1.0f, 4.51f, 0.0f), 0.0f, 6.0f, 0.02f));
    free(r.world);
}

// The flow of a world. The caller frees it.
static plan_flow* make_flow(const plan_world* world, float cell) {
    plan_regions* regions = malloc(kerb_in_plan_regions_bytes(world));
    kerb_in_plan_regions_create(regions, world);
    plan_flow layout = kerb_in_plan_flow_layout(world, cell, 1 << 16);
    plan_flow* flow = malloc(kerb_in_plan_flow_bytes(&layout));
    kerb_in_plan_flow_create(flow, &layout, world, regions);
    free(regions);
    return flow;
}

// Any way that a point makes through free ground is at least as long as the flow says.
static void no_free_way_is_shorter_than_the_flow_says(void** state) {
    (void)state;
    kerb_random random = test_random("plan_flow");
    int32_t compared = 0;
    for (int32_t trial = 0; trial < 60; trial++) {
        rig r;
        set_up(&r, &random);
        plan_flow* flow = make_flow(r.world, 0.5f);
        kerb_in_plan_flow_begin(flow, true);
        kerb_pose goal = random_pose(&random, 25.0f);
        if (kerb_in_plan_world_pose_free(r.world, goal, 0.0f)) {
            kerb_in_plan_flow_goal(flow, goal.position);
            for (int32_t k = 0; k < 40; k++) {
                // From the goal along three free arcs: a way as good as any.
                kerb_pose pose = goal;
                float length = 0.0f;
                for (int32_t leg = 0; leg < 3; leg++) {
                    float curvature = kerb_random_between(&random, -0.5f, 0.5f);
                    float step = kerb_random_between(&random, -15.0f, 15.0f);
                    if (!kerb_in_plan_world_arc_free(r.world, pose, curvature, step, 0.02f))
                        continue;
                    kerb_curve arc = {
                        .start = pose, .count = 1, .curvature = {curvature}, .length = {step}};
                    pose = kerb_curve_end(&arc);
                    length += kerb_abs(step);
                    assert_true(kerb_in_plan_flow_distance(flow, pose.position) <= length + 1e-3f);
                    compared++;
                }
            }
        }
        free(flow);
        free(r.world);
    }
    assert_true(compared > 500);
}

static void a_walled_in_place_has_no_way(void** state) {
    (void)state;
    rig r;
    memset(&r, 0, sizeof r);
    r.outline = (plan_outline){1.0f, 0.5f, 0.5f};
    r.given.columns = r.given.rows = 30;
    r.given.cell_size = 1.0f;
    for (int32_t i = 5; i <= 20; i++)
        r.cells[5 * 30 + i] = r.cells[20 * 30 + i] = r.cells[i * 30 + 5] = r.cells[i * 30 + 20] =
            255;
    r.given.cells = r.cells;
    build(&r, 1 << 16);
    plan_flow* flow = make_flow(r.world, 1.0f);
    kerb_in_plan_flow_begin(flow, true);
    kerb_in_plan_flow_goal(flow, kerb_vec2_make(12.0f, 12.0f));
    assert_true(kerb_in_plan_flow_distance(flow, kerb_vec2_make(2.0f, 2.0f)) == KERB_NO_CURVE);
    float inside = kerb_in_plan_flow_distance(flow, kerb_vec2_make(18.0f, 12.0f));
    assert_true(inside > 3.0f && inside <= 6.0f);
    kerb_in_plan_flow_begin(flow, true);
    kerb_in_plan_flow_goal(flow, kerb_vec2_make(-3.0f, 12.0f));
    float round = kerb_in_plan_flow_distance(flow, kerb_vec2_make(40.0f, 12.0f));
    assert_true(round > 25.0f && round < 50.0f);
    free(flow);
    free(r.world);
}

// --------------------------------------------------------------------------- thin walls

enum { THIN = 120 }; // cells of half a metre along a side of a square

// A wall across the square's middle at an angle, as thick as that but at least one unbroken row of
// cells, which ends some metres before the square does on one side.
static void build_wall(rig* r, uint8_t* cells, kerb_pose along, float thick, float end) {
    memset(cells, 0, THIN * THIN);
    for (int32_t y = 0; y < THIN; y++)
        for (int32_t x = 0; x < THIN; x++) {
            kerb_vec2 middle = {0.5f * (float)x + 0.25f, 0.5f * (float)y + 0.25f};
            kerb_vec2 away = kerb_vec2_sub(middle, along.position);
            float aside = kerb_abs(kerb_vec2_cross(along.forward, away));
            // Of one cell: all that the line crosses, so that no two only touch at their corners.
            float least = 0.25f * (kerb_abs(along.forward.x) + kerb_abs(along.forward.y));
            bool is_wall = aside < kerb_max(0.5f * thick, least);
            if (is_wall && kerb_vec2_dot(along.forward, away) < end)
                cells[y * THIN + x] = 255;
        }
    memset(r, 0, sizeof *r);
    r->outline = (plan_outline){3.6f, 0.9f, 0.9f};
    r->given = (kerb_plan_world){.cells = cells,
                                 .columns = THIN,
                                 .rows = THIN,
                                 .cell_size = 0.5f,
                                 .box_max = {0.5f * (float)THIN, 0.5f * (float)THIN}};
    build(r, 1 << 16);
}

static kerb_vec2 beside(kerb_pose line, float ahead, float left) {
    kerb_vec2 f = line.forward;
    return kerb_vec2_make(line.position.x + ahead * f.x - left * f.y,
                          line.position.y + ahead * f.y + left * f.x);
}

// From one side of a wall to the other the flow leads round its end, for guides and bounds, however
// the wall lies in the grid; and a bound stays one.
static void the_flow_does_not_pass_walls_thinner_than_its_cells(void** state) {
    (void)state;
    kerb_random random = test_random("plan_thin");
    static uint8_t cells[THIN * THIN];
    for (int32_t trial = 0; trial < 120; trial++) {
        // Straight, diagonal, and at any angle; of one cell and of a metre.
        float angle = trial % 3 == 0   ? 0.5f * KERB_PI * (float)kerb_random_below(&random, 4)
                      : trial % 3 == 1 ? 0.25f * KERB_PI
                                       : kerb_random_between(&random, -KERB_PI, KERB_PI);
        kerb_pose line = kerb_pose_make(30.0f + kerb_random_between(&random, -2.0f, 2.0f),
                                        30.0f + kerb_random_between(&random, -2.0f, 2.0f), angle);
        rig r;
        build_wall(&r, cells, line, trial & 1 ? 1.0f : 0.0f, 15.0f);
        plan_flow* flow = make_flow(r.world, 1.8f);
        for (int32_t surely = 0; surely < 2; surely++)
            for (float ahead = -20.0f; ahead <= 10.0f; ahead += 0.5f) {
                kerb_vec2 from = beside(line, ahead, 2.0f), to = beside(line, ahead, -2.0f);
                float round = 2.0f * (15.0f - ahead);
                kerb_in_plan_flow_begin(flow, surely);
                kerb_in_plan_flow_goal(flow, to);
                // Before it is known and after, and by the place's corner as by itself.
                plan_flow_known known = kerb_in_plan_flow_what_is_known(flow);
                plan_flow_spot spot = kerb_in_plan_flow_spot_at(flow, from);
                float first = kerb_in_plan_flow_distance_from(flow, &known, spot, from);
                float distance = kerb_in_plan_flow_distance(flow, from);
                assert_true(first == distance);
                assert_true(kerb_in_plan_flow_distance_from(flow, &known, spot, from) == distance);
                if (!(distance > 0.8f * round - 4.5f))
                    fail_msg("trial %d, %s: %g m from one side to the other, %g m from the end",
                             (int)trial, surely ? "bound" : "guide", (double)distance,
                             (double)(0.5f * round));
                // By a place that is surely past the wall's last cell.
                float way = 2.0f * kerb_sqrt((17.0f - ahead) * (17.0f - ahead) + 4.0f);
                assert_true(!surely || distance <= way);
            }
        free(flow);
        free(r.world);
    }
}

int plan_world_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clearance_is_a_lower_bound_and_discs_are_exact),
        cmocka_unit_test(a_pose_is_free_just_when_no_point_of_its_outline_is_blocked),
        cmocka_unit_test(a_free_arc_is_free_at_every_place_and_a_wide_one_is_found_free),
        cmocka_unit_test(
            an_arc_from_many_poses_is_free_where_it_is_from_each_and_most_are_known_at_a_glance),
        cmocka_unit_test(mirrored_hulls_have_their_corners_and_sides_left_about),
        cmocka_unit_test(the_host_is_asked_along_the_whole_arc),
        cmocka_unit_test(a_vehicle_as_wide_as_a_cell_fits_through_a_lane_of_one_cell),
        cmocka_unit_test(no_free_way_is_shorter_than_the_flow_says),
        cmocka_unit_test(a_walled_in_place_has_no_way),
        cmocka_unit_test(the_flow_does_not_pass_walls_thinner_than_its_cells),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
