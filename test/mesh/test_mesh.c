// A navigation mesh against looking at every polygon and every border, and against the shortest
// lines of a visibility graph; levels above one another; links; seams; bad data.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kerb/mesh.h"
#include "test/allocation.h"
#include "test/mesh/mesh_rig.h"
#include "test/seed.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static kerb_vec3 on_slope(float x, float y) {
    return kerb_vec3_make(x, y, rig_height(x, y));
}

static kerb_mesh_place random_place(const mesh_rig* rig, const kerb_mesh* mesh,
                                    kerb_random* random) {
    for (;;) {
        float x = kerb_random_between(random, 0.0f, rig->square * (float)rig->size);
        float y = kerb_random_between(random, 0.0f, rig->square * (float)rig->size);
        kerb_mesh_place place = kerb_mesh_nearest(mesh, on_slope(x, y), 0.0f, 1.0f);
        if (place.polygon >= 0)
            return place;
    }
}

static float flat_distance(kerb_vec3 a, kerb_vec3 b) {
    return sqrtf((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y));
}

static float clamped(float x, float low, float high) {
    return x < low ? low : x > high ? high : x;
}

// --------------------------------------------------------------------------- places

static void the_nearest_place_is_that_of_looking_at_every_square(void** state) {
    (void)state;
    kerb_random random = test_random("the nearest place");
    for (int32_t i = 0; i < test_share(60, 10); i++) {
        mesh_rig rig;
        rig_grid(&rig, &random, 1 + kerb_random_below(&random, GRID_MOST), 2.0f,
                 kerb_random_unit(&random));
        mesh_made m = rig_make(&rig.data);
        for (int32_t k = 0; k < 100; k++) {
            float side = 2.0f * (float)rig.size, reach = kerb_random_between(&random, 0.0f, 9.0f);
            kerb_vec3 point = on_slope(kerb_random_between(&random, -8.0f, side + 8.0f),
                                       kerb_random_between(&random, -8.0f, side + 8.0f));
            float best = 1e9f;
            for (int32_t y = 0; y < rig.size; y++)
                for (int32_t x = 0; x < rig.size; x++) {
                    kerb_vec3 at = on_slope(clamped(point.x, 2.0f * (float)x, 2.0f * (float)x + 2),
                                            clamped(point.y, 2.0f * (float)y, 2.0f * (float)y + 2));
                    if (rig.free[y][x] && flat_distance(at, point) <= reach)
                        best = kerb_min(best, kerb_vec3_length(kerb_vec3_sub(at, point)));
                }
            kerb_mesh_place found = kerb_mesh_nearest(&m.mesh, point, reach, 100.0f);
            assert_int_equal(found.polygon >= 0, best < 1e8f);
            if (found.polygon >= 0)
                assert_float_equal(kerb_vec3_length(kerb_vec3_sub(found.position, point)), best,
                                   1e-4f);
        }
        rig_drop(&m);
    }
}

static void a_place_on_a_bridge_is_on_the_bridge_and_one_below_on_the_road(void** state) {
    (void)state;
    mesh_made m = rig_make(&bridge_data);
    assert_int_equal(kerb_mesh_nearest(&m.mesh, (kerb_vec3){50, 5, 0.4f}, 1, 3).polygon, 1);
    assert_int_equal(kerb_mesh_nearest(&m.mesh, (kerb_vec3){50, 5, 6.4f}, 1, 3).polygon, 10);
    assert_int_equal(kerb_mesh_nearest(&m.mesh, (kerb_vec3){50, 5, 3.1f}, 1, 1).polygon, -1);
    assert_int_equal(kerb_mesh_nearest(&m.mesh, (kerb_vec3){NAN, 5, 3.1f}, 1, 1).polygon, -1);
    // The ramp rises 6 m on 30 m.
    assert_float_equal(kerb_mesh_height(&m.mesh, 4, 105, 25), 3.0f, 1e-5f);
    rig_drop(&m);
}

static void a_straight_line_ends_where_the_first_hole_begins(void** state) {
    (void)state;
    kerb_random random = test_random("a straight line");
    for (int32_t i = 0; i < test_share(40, 8); i++) {
        mesh_rig rig;
        rig_grid(&rig, &random, 16, 2.0f, 0.3f);
        mesh_made m = rig_make(&rig.data);
        for (int32_t k = 0; k < 40; k++) {
            kerb_mesh_place from = random_place(&rig, &m.mesh, &random);
            float angle = kerb_random_between(&random, -3.0f, 3.0f), free = 0.0f;
            kerb_vec2 d = {kerb_cos(angle), kerb_sin(angle)};
            kerb_mesh_hit hit = kerb_mesh_ray(&m.mesh, from, d, 20.0f);
            for (; free < 20.0f; free += 0.01f) {
                float x = from.position.x + free * d.x, y = from.position.y + free * d.y;
                if (x < 0 || y < 0 || x >= 32 || y >= 32 || !rig.free[(int)(y / 2)][(int)(x / 2)])
                    break;
            }
            // Borders lie 1 cm farther out, along a slanting line more.
            assert_true(hit.distance >= kerb_min(free, 20.0f) - 0.02f);
            float slant = 0.02f / kerb_max(kerb_min(kerb_abs(d.x), kerb_abs(d.y)), 0.01f);
            if (hit.border && hit.distance > free + slant + 0.02f) // only past a corner
                assert_true(kerb_min(kerb_abs(d.x), kerb_abs(d.y)) < 1.0f);
        }
        rig_drop(&m);
    }
    mesh_made m = rig_make(&bridge_data);
    kerb_mesh_place road = kerb_mesh_nearest(&m.mesh, (kerb_vec3){5, 5, 0}, 1, 1);
    kerb_mesh_hit hit = kerb_mesh_ray(&m.mesh, road, (kerb_vec2){1, 0}, 80);
    assert_float_equal(hit.distance, 80.0f, 1e-4f); // the bridge is not in the way
    assert_int_equal(hit.place.polygon, 2);
    hit = kerb_mesh_ray(&m.mesh, road, (kerb_vec2){0, 1}, 80);
    assert_true(hit.border);
    assert_float_equal(hit.distance, 5.0f, 0.011f);
    rig_drop(&m);
}

static void the_distance_to_borders_is_that_of_looking_at_every_hole(void** state) {
    (void)state;
    kerb_random random = test_random("the distance to borders");
    for (int32_t i = 0; i < test_share(40, 8); i++) {
        mesh_rig rig;
        rig_grid(&rig, &random, 16, 2.0f, 0.08f);
        mesh_made m = rig_make(&rig.data);
        for (int32_t k = 0; k < 40; k++) {
            kerb_mesh_place at = random_place(&rig, &m.mesh, &random);
            float best = 5.0f, x = at.position.x, y = at.position.y;
            best = kerb_min(best, kerb_min(kerb_min(x, y), kerb_min(32 - x, 32 - y)));
            for (int32_t v = 0; v < 16; v++)
                for (int32_t u = 0; u < 16; u++) {
                    float dx = x - clamped(x, 2.0f * (float)u, 2.0f * (float)u + 2);
                    float dy = y - clamped(y, 2.0f * (float)v, 2.0f * (float)v + 2);
                    if (!rig.free[v][u])
                        best = kerb_min(best, sqrtf(dx * dx + dy * dy));
                }
            float found = kerb_mesh_border_distance(&m.mesh, &m.search, at, 5.0f);
            // A hole behind a diagonal gap may not be reached over polygons: never nearer.
            assert_true(found >= best - 1e-4f);
            if (best < 2.0f)
                assert_float_equal(found, best, 1e-4f);
        }
        rig_drop(&m);
    }
}

// --------------------------------------------------------------------------- corridors

enum { GRAPH_MOST = 4 * GRID_POLYGONS + 2 };

// Whether the straight line between two places stays in free squares; touching corners is allowed.
static bool sees(const mesh_rig* rig, kerb_vec3 a, kerb_vec3 b) {
    float length = flat_distance(a, b);
    int32_t count = 1 + (int32_t)(length / 0.02f);
    for (int32_t i = 1; i < count; i++) {
        float t = (float)i / (float)count, x = a.x + t * (b.x - a.x), y = a.y + t * (b.y - a.y);
        bool any = false;
        for (int32_t k = 0; k < 4; k++) {
            int32_t u = (int32_t)floorf((x + (k % 2 ? 1e-3f : -1e-3f)) / rig->square),
                    v = (int32_t)floorf((y + (k / 2 ? 1e-3f : -1e-3f)) / rig->square);
            any = any || (u >= 0 && v >= 0 && u < rig->size && v < rig->size && rig->free[v][u]);
        }
        if (!any)
            return false;
    }
    return true;
}

// The shortest line over the corners of squares, by Dijkstra's algorithm. [m]
static float visibility_length(const mesh_rig* rig, kerb_vec3 from, kerb_vec3 to) {
    static kerb_vec3 places[GRAPH_MOST];
    static float costs[GRAPH_MOST];
    static bool done[GRAPH_MOST];
    int32_t count = 0;
    places[count++] = from;
    places[count++] = to;
    for (int32_t i = 0; i < rig->data.vertex_count; i++)
        places[count++] = rig->vertices[i];
    for (int32_t i = 0; i < count; i++) {
        costs[i] = i == 0 ? 0.0f : 1e9f;
        done[i] = false;
    }
    for (;;) {
        int32_t best = -1;
        for (int32_t i = 0; i < count; i++)
            if (!done[i] && costs[i] < 1e8f && (best < 0 || costs[i] < costs[best]))
                best = i;
        if (best < 0 || best == 1)
            return costs[1];
        done[best] = true;
        for (int32_t i = 0; i < count; i++) {
            float cost = costs[best] + flat_distance(places[best], places[i]);
            if (!done[i] && cost < costs[i] && sees(rig, places[best], places[i]))
                costs[i] = cost;
        }
    }
}

static float length_of(const kerb_mesh_place* corners, int32_t count) {
    float length = 0.0f;
    for (int32_t i = 0; i + 1 < count; i++)
        length += flat_distance(corners[i].position, corners[i + 1].position);
    return length;
}

// Squares connected over their sides.
static bool flood_connects(const mesh_rig* rig, int32_t from, int32_t to) {
    static bool wet[GRID_POLYGONS];
    memset(wet, 0, sizeof wet);
    wet[from] = true;
    for (bool more = true; more;) {
        more = false;
        for (int32_t y = 0; y < rig->size; y++)
            for (int32_t x = 0; x < rig->size; x++)
                for (int32_t k = 0; rig->free[y][x] && wet[rig->index[y][x]] && k < 4; k++) {
                    int32_t u = x + (k == 0) - (k == 1), v = y + (k == 2) - (k == 3);
                    if (u < 0 || v < 0 || u >= rig->size || v >= rig->size || !rig->free[v][u] ||
                        wet[rig->index[v][u]])
                        continue;
                    wet[rig->index[v][u]] = more = true;
                }
    }
    return wet[to];
}

static void a_corridor_is_found_where_a_flood_finds_one_and_its_line_is_nearly_the_shortest(
    void** state) {
    (void)state;
    kerb_random random = test_random("corridors");
    float sum = 0.0f;
    int32_t count = 0;
    for (int32_t i = 0; i < test_share(60, 8); i++) {
        mesh_rig rig;
        rig_grid(&rig, &random, 12, 2.0f, 0.25f);
        mesh_made m = rig_make(&rig.data);
        kerb_mesh_agent agent = kerb_mesh_agent_default();
        kerb_mesh_place from = random_place(&rig, &m.mesh, &random),
                        to = random_place(&rig, &m.mesh, &random), corners[GRID_POLYGONS];
        kerb_mesh_step steps[GRID_POLYGONS];
        kerb_mesh_corridor corridor = {.steps = steps, .capacity = GRID_POLYGONS};
        kerb_mesh_outcome outcome =
            kerb_mesh_find_corridor(&m.mesh, &m.search, &agent, from, to, &corridor);
        bool connected = flood_connects(&rig, from.polygon, to.polygon);
        assert_int_equal(outcome, connected ? KERB_MESH_FOUND : KERB_MESH_NO_PATH);
        for (int32_t k = 0; k + 1 < corridor.count; k++) {
            kerb_mesh_polygon polygon = kerb_mesh_polygon_at(&m.mesh, steps[k].polygon);
            assert_int_equal(polygon.neighbours[steps[k].exit], steps[k + 1].polygon);
        }
        int32_t n = kerb_mesh_pull(&m.mesh, &corridor, 0.0f, corners, GRID_POLYGONS);
        for (int32_t k = 0; k + 1 < n; k++)
            assert_true(sees(&rig, corners[k].position, corners[k + 1].position));
        if (connected && from.polygon != to.polygon) {
            float best = visibility_length(&rig, from.position, to.position);
            float ours = length_of(corners, n);
            assert_true(ours >= best - 1e-3f - 1e-4f * best);
            assert_true(ours <= 1.2f * best + 0.01f);

            sum += ours / best;
            count++;
        }
        rig_drop(&m);
    }
    print_message("lines over the shortest: %.4f, mean of %d\n", (double)(sum / (float)count),
                  count);
    assert_true(sum <= 1.01f * (float)count);
}

static void a_corridor_over_a_bridge_goes_up_the_ramp(void** state) {
    (void)state;
    mesh_made m = rig_make(&bridge_data);
    kerb_mesh_agent agent = kerb_mesh_agent_default();
    kerb_mesh_place from = kerb_mesh_nearest(&m.mesh, (kerb_vec3){50, 5, 0}, 1, 1),
                    to = kerb_mesh_nearest(&m.mesh, (kerb_vec3){50, 5, 6}, 1, 1), corners[16];
    kerb_mesh_step steps[16];
    kerb_mesh_corridor corridor = {.steps = steps, .capacity = 16};
    assert_int_equal(kerb_mesh_find_corridor(&m.mesh, &m.search, &agent, from, to, &corridor),
                     KERB_MESH_FOUND);
    const int32_t expected[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    assert_int_equal(corridor.count, 10);
    for (int32_t i = 0; i < 10; i++)
        assert_int_equal(steps[i].polygon, expected[i]);
    // Round the inner corners (100, 10), (100, 40) and (55, 40): 50.25 + 30 + 45 + 35.36 m.
    int32_t n = kerb_mesh_pull(&m.mesh, &corridor, 0.0f, corners, 16);
    assert_int_equal(n, 5);
    assert_float_equal(length_of(corners, n), 50.249f + 30.0f + 45.0f + 35.355f, 0.01f);
    assert_float_equal(corners[1].position.z, 0.0f, 1e-5f);
    assert_float_equal(corners[2].position.z, 6.0f, 1e-5f);
    corridor.capacity = 3;
    assert_int_equal(kerb_mesh_find_corridor(&m.mesh, &m.search, &agent, from, to, &corridor),
                     KERB_MESH_TOO_LONG);
    assert_int_equal(corridor.count, 10);
    agent.clearance = 5.1f; // of openings 10 m wide
    corridor.capacity = 16;
    assert_int_equal(kerb_mesh_find_corridor(&m.mesh, &m.search, &agent, from, to, &corridor),
                     KERB_MESH_NO_PATH);
    from.polygon = -1;
    assert_int_equal(kerb_mesh_find_corridor(&m.mesh, &m.search, &agent, from, to, &corridor),
                     KERB_MESH_NO_PLACE);
    rig_drop(&m);
}

static void areas_and_links_change_the_corridor(void** state) {
    (void)state;
    uint8_t areas[12] = {0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0};
    kerb_mesh_link link = {{20, 5, 0}, {50, -15, 6}, 0, 11, 1.0f, false, 7};
    kerb_mesh_data data = bridge_data;
    data.areas = areas;
    data.links = &link;
    data.link_count = 1;
    mesh_made m = rig_make(&data);
    kerb_mesh_agent agent = kerb_mesh_agent_default();
    kerb_mesh_place from = kerb_mesh_nearest(&m.mesh, (kerb_vec3){10, 5, 0}, 1, 1),
                    to = kerb_mesh_nearest(&m.mesh, (kerb_vec3){50, 5, 6}, 1, 1), corners[16];
    kerb_mesh_step steps[16];
    kerb_mesh_corridor corridor = {.steps = steps, .capacity = 16};
    assert_int_equal(kerb_mesh_find_corridor(&m.mesh, &m.search, &agent, from, to, &corridor),
                     KERB_MESH_FOUND);
    assert_int_equal(corridor.count, 3);
    assert_int_equal(steps[0].exit, -2);
    float jump = sqrtf(30 * 30 + 20 * 20 + 6 * 6);
    assert_float_equal(corridor.cost, 10 + jump + 1 + 20, 0.5f);
    assert_int_equal(kerb_mesh_pull(&m.mesh, &corridor, 0.0f, corners, 16), 4);
    // One way only, so back it is the ramp; and without area 3 there is no way back.
    assert_int_equal(kerb_mesh_find_corridor(&m.mesh, &m.search, &agent, to, from, &corridor),
                     KERB_MESH_FOUND);
    assert_true(corridor.count > 5);
    agent.areas_allowed = ~(UINT64_C(1) << 3);
    assert_int_equal(kerb_mesh_find_corridor(&m.mesh, &m.search, &agent, to, from, &corridor),
                     KERB_MESH_NO_PATH);
    // A dear link is not worth it.
    agent = kerb_mesh_agent_default();
    agent.area_cost[7] = 100.0f;
    assert_int_equal(kerb_mesh_find_corridor(&m.mesh, &m.search, &agent, from, to, &corridor),
                     KERB_MESH_FOUND);
    assert_true(corridor.count > 5);
    rig_drop(&m);
}

static void an_answer_does_not_depend_on_earlier_ones_or_on_where_the_memory_lies(void** state) {
    (void)state;
    kerb_random random = test_random("answers");
    mesh_rig rig;
    rig_grid(&rig, &random, 20, 2.0f, 0.2f);
    mesh_made m = rig_make(&rig.data);
    kerb_mesh copy = m.mesh;
    copy.memory = malloc(m.mesh.bytes);
    memcpy(copy.memory, m.mesh.memory, m.mesh.bytes);
    kerb_mesh_agent agent = kerb_mesh_agent_default();
    for (int32_t i = 0; i < 50; i++) {
        kerb_mesh_place from = random_place(&rig, &m.mesh, &random),
                        to = random_place(&rig, &m.mesh, &random);
        kerb_mesh_step steps[2][GRID_POLYGONS];
        kerb_mesh_corridor one = {.steps = steps[0], .capacity = GRID_POLYGONS},
                           other = {.steps = steps[1], .capacity = GRID_POLYGONS};
        mesh_made fresh = rig_make(&rig.data);
        kerb_mesh_find_corridor(&m.mesh, &m.search, &agent, from, to, &one);
        kerb_mesh_find_corridor(&copy, &fresh.search, &agent, from, to, &other);
        assert_int_equal(one.count, other.count);
        assert_memory_equal(steps[0], steps[1], (size_t)one.count * sizeof(kerb_mesh_step));
        assert_memory_equal(&one.cost, &other.cost, sizeof one.cost);
        rig_drop(&fresh);
    }
    free(copy.memory);
    rig_drop(&m);
}

// --------------------------------------------------------------------------- lines

// The radius of the circle through three points, seen from above. [m]
static float radius_through(kerb_vec3 a, kerb_vec3 b, kerb_vec3 c) {
    float area = 0.5f * kerb_abs((b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x));
    return area > 1e-6f
               ? flat_distance(a, b) * flat_distance(b, c) * flat_distance(c, a) / (4.0f * area)
               : 1e9f;
}

static void a_line_on_wide_ground_keeps_its_radius_and_does_not_cut_corners(void** state) {
    (void)state;
    mesh_made m = rig_make(&bridge_data);
    kerb_mesh_agent agent = kerb_mesh_agent_default();
    kerb_mesh_place from = kerb_mesh_nearest(&m.mesh, (kerb_vec3){5, 5, 0}, 1, 1),
                    to = kerb_mesh_nearest(&m.mesh, (kerb_vec3){50, -15, 6}, 1, 1);
    kerb_mesh_step steps[16];
    kerb_mesh_corridor corridor = {.steps = steps, .capacity = 16};
    assert_int_equal(kerb_mesh_find_corridor(&m.mesh, &m.search, &agent, from, to, &corridor),
                     KERB_MESH_FOUND);
    static kerb_mesh_line_point points[400];
    kerb_mesh_line line = {.points = points, .capacity = 400};
    kerb_mesh_line_settings settings = kerb_mesh_line_settings_default();
    settings.clearance = 1.5f;
    kerb_error error;
    assert_int_equal(kerb_mesh_make_line(&m.mesh, &corridor, &settings, &line, &error), KERB_OK);
    assert_float_equal(line.radius_min, 5.0f, 1e-4f);
    float least = 1e9f, length = 0.0f;
    for (int32_t i = 0; i < line.count; i++) {
        if (i > 0)
            length += flat_distance(points[i - 1].position, points[i].position);
        if (i > 0 && i + 1 < line.count) {
            float radius =
                radius_through(points[i - 1].position, points[i].position, points[i + 1].position);
            least = kerb_min(least, radius);
            if (i > 1 && i + 2 < line.count)
                assert_true(kerb_min(points[i].left, points[i].right) >= 1.4f);
        }
        kerb_mesh_place on = kerb_mesh_nearest(&m.mesh, points[i].position, 0.01f, 0.05f);
        assert_true(on.polygon >= 0);
    }
    assert_true(least >= 4.9f);
    assert_float_equal(length, line.length, 0.05f);
    assert_true(length >= 200.0f && length <= 245.0f);
    assert_float_equal(points[0].position.x, 5.0f, 1e-4f);
    assert_float_equal(points[line.count - 1].position.y, -15.0f, 1e-4f);
    // Too few points: told how many.
    line.capacity = 10;
    assert_int_equal(kerb_mesh_make_line(&m.mesh, &corridor, &settings, &line, &error),
                     KERB_ERROR_TOO_MANY);
    assert_string_equal(error.field, "capacity");
    rig_drop(&m);
}

static void lines_stay_on_the_mesh_and_tell_when_a_radius_does_not_fit(void** state) {
    (void)state;
    kerb_random random = test_random("lines");
    int32_t full = 0, count = 0;
    for (int32_t i = 0; i < test_share(200, 30); i++) {
        mesh_rig rig;
        rig_grid(&rig, &random, 12, 8.0f, 0.25f);
        mesh_made m = rig_make(&rig.data);
        kerb_mesh_agent agent = kerb_mesh_agent_default();
        kerb_mesh_place from = random_place(&rig, &m.mesh, &random),
                        to = random_place(&rig, &m.mesh, &random);
        kerb_mesh_step steps[GRID_POLYGONS];
        kerb_mesh_corridor corridor = {.steps = steps, .capacity = GRID_POLYGONS};
        if (kerb_mesh_find_corridor(&m.mesh, &m.search, &agent, from, to, &corridor) ==
            KERB_MESH_FOUND) {
            static kerb_mesh_line_point points[2000];
            kerb_mesh_line line = {.points = points, .capacity = 2000};
            kerb_mesh_line_settings settings = kerb_mesh_line_settings_default();
            kerb_error error = {0};
            assert_int_equal(kerb_mesh_make_line(&m.mesh, &corridor, &settings, &line, &error),
                             KERB_OK);
            count++;
            full += line.radius_min >= 5.0f;
            for (int32_t k = 0; k < line.count; k++) {
                const kerb_mesh_line_point* p = &points[k];
                assert_true(kerb_mesh_nearest(&m.mesh, p->position, 0.05f, 0.5f).polygon >= 0);
                if (k > 0) {
                    float step = flat_distance(points[k - 1].position, p->position);
                    assert_true(step <= settings.spacing + 0.01f);
                }
            }
            assert_true(flat_distance(points[0].position, from.position) < 0.01f);
            assert_true(flat_distance(points[line.count - 1].position, to.position) < 0.01f);
        }
        rig_drop(&m);
    }
    print_message("%d of %d lines keep the turning radius everywhere\n", full, count);
    assert_true(2 * full >= count);
}

// --------------------------------------------------------------------------- data

static void sides_that_overlap_in_part_are_open_there(void** state) {
    (void)state;
    // Two tiles: the seam x = 10 has one side of 10 m to the west, two of 5 m to the east.
    const kerb_vec3 vertices[] = {{0, 0, 0},  {10, 0, 0}, {10, 10, 0}, {0, 10, 0},  {10, 2, 0},
                                  {20, 2, 0}, {20, 6, 0}, {10, 6, 0},  {20, 12, 0}, {10, 12, 0}};
    const int32_t counts[] = {4, 4}, corners[] = {0, 1, 2, 3, 4, 5, 6, 7};
    int32_t neighbours[] = {-1, 1, -1, -1, -1, -1, -1, 0};
    kerb_mesh_data data = {.vertices = vertices,
                           .vertex_count = 10,
                           .corner_counts = counts,
                           .corners = corners,
                           .neighbours = neighbours,
                           .polygon_count = 2};
    mesh_made m = rig_make(&data);
    kerb_mesh_place from = kerb_mesh_nearest(&m.mesh, (kerb_vec3){5, 1, 0}, 1, 1);
    kerb_mesh_hit hit = kerb_mesh_ray(&m.mesh, from, (kerb_vec2){1, 0}, 12);
    assert_true(hit.border); // y = 1 is beside the opening
    assert_float_equal(hit.distance, 5.0f, 0.011f);
    from.position.y = 4.0f;
    assert_false(kerb_mesh_ray(&m.mesh, from, (kerb_vec2){1, 0}, 12).border);
    kerb_mesh_place beside = {0, {9.5f, 8.0f, 0}};
    assert_float_equal(kerb_mesh_border_distance(&m.mesh, &m.search, beside, 9.0f), 0.5f, 1e-5f);
    rig_drop(&m);
    // One-sided: polygon 1 does not name polygon 0.
    neighbours[7] = -1;
    kerb_host host = kerb_host_default();
    kerb_error error;
    assert_int_equal(kerb_mesh_create(&m.mesh, &data, &host, &error), KERB_ERROR_CONTRADICTION);
    assert_string_equal(error.field, "neighbours");
    assert_int_equal(error.index, 1);
    neighbours[7] = 2;
    assert_int_equal(kerb_mesh_create(&m.mesh, &data, &host, &error), KERB_ERROR_OUT_OF_RANGE);
    assert_int_equal(error.index, 7);
}

static void expect_error(const kerb_mesh_data* data, kerb_result result, const char* field,
                         int32_t index) {
    kerb_host host = kerb_host_default();
    kerb_error error = {0};
    kerb_mesh mesh;
    assert_int_equal(kerb_mesh_create(&mesh, data, &host, &error), result);
    assert_string_equal(error.field, field);
    assert_int_equal(error.index, index);
    assert_null(mesh.memory);
}

static void bad_data_is_refused_with_its_field_and_index(void** state) {
    (void)state;
    kerb_vec3 vertices[26];
    int32_t corners[48], counts[12];
    memcpy(vertices, bridge_vertices, sizeof vertices);
    memcpy(corners, bridge_corners, sizeof corners);
    memcpy(counts, bridge_counts, sizeof counts);
    kerb_mesh_data data = bridge_data;
    data.vertices = vertices;
    data.corners = corners;
    data.corner_counts = counts;
    vertices[7].z = NAN;
    expect_error(&data, KERB_ERROR_NOT_FINITE, "vertices", 7);
    vertices[7] = bridge_vertices[7];
    vertices[8].x = 2e6f;
    expect_error(&data, KERB_ERROR_OUT_OF_RANGE, "vertices", 8);
    vertices[8] = bridge_vertices[8];
    corners[9] = 26;
    expect_error(&data, KERB_ERROR_OUT_OF_RANGE, "corners", 9);
    corners[9] = -1;
    expect_error(&data, KERB_ERROR_OUT_OF_RANGE, "corners", 9);
    corners[9] = corners[8];
    expect_error(&data, KERB_ERROR_CONTRADICTION, "corners", 2); // two corners at one place
    corners[9] = bridge_corners[9];
    corners[4] = 7;
    corners[6] = 1; // clockwise
    expect_error(&data, KERB_ERROR_CONTRADICTION, "corners", 1);
    memcpy(corners, bridge_corners, sizeof corners);
    vertices[6].x = 57.0f; // polygon 0 is (0,0), (40,0), (57,10), (0,10): still convex
    vertices[6].y = 4.0f;  // not polygon 1, whose corner turns right
    expect_error(&data, KERB_ERROR_CONTRADICTION, "corners", 1);
    vertices[6] = bridge_vertices[6];
    counts[3] = 2;
    expect_error(&data, KERB_ERROR_TOO_FEW, "corner_counts", 3);
    counts[3] = 33;
    expect_error(&data, KERB_ERROR_TOO_MANY, "corner_counts", 3);
    counts[3] = 4;
    memcpy(&corners[8], &corners[4], 4 * sizeof(int32_t)); // polygon 1 twice
    expect_error(&data, KERB_ERROR_CONTRADICTION, "corners", 1);
    memcpy(corners, bridge_corners, sizeof corners);
    uint8_t areas[12] = {0};
    areas[5] = 64;
    data.areas = areas;
    expect_error(&data, KERB_ERROR_OUT_OF_RANGE, "areas", 5);
    data.areas = NULL;
    kerb_mesh_link link = {{0, 0, 0}, {1, 0, 0}, 0, 12, 0.0f, true, 0};
    data.link_count = 1;
    expect_error(&data, KERB_ERROR_MISSING_FIELD, "links", -1);
    data.links = &link;
    expect_error(&data, KERB_ERROR_OUT_OF_RANGE, "links", 0);
    data.link_count = -1;
    expect_error(&data, KERB_ERROR_TOO_FEW, "link_count", -1);
    data.link_count = 0;
    data.corners = NULL;
    expect_error(&data, KERB_ERROR_MISSING_FIELD, "corners", -1);
    data = bridge_data;
    data.polygon_count = 0;
    expect_error(&data, KERB_ERROR_TOO_FEW, "polygon_count", -1);
}

static void a_star_is_not_convex(void** state) {
    (void)state;
    // A pentagram turns left at every corner, but goes round twice.
    kerb_vec3 vertices[5];
    for (int32_t i = 0; i < 5; i++) {
        float angle = 4.0f * KERB_PI / 5.0f * (float)i;
        vertices[i] = kerb_vec3_make(kerb_cos(angle), kerb_sin(angle), 0.0f);
    }
    const int32_t count = 5, corners[] = {0, 1, 2, 3, 4};
    kerb_mesh_data data = {.vertices = vertices,
                           .vertex_count = 5,
                           .corner_counts = &count,
                           .corners = corners,
                           .polygon_count = 1};
    expect_error(&data, KERB_ERROR_CONTRADICTION, "corners", 0);
}

static void settings_and_agents_are_checked(void** state) {
    (void)state;
    kerb_mesh_agent agent = kerb_mesh_agent_default();
    kerb_error error;
    assert_int_equal(kerb_mesh_agent_validate(&agent, &error), KERB_OK);
    agent.area_cost[9] = 0.0f;
    assert_int_equal(kerb_mesh_agent_validate(&agent, &error), KERB_ERROR_OUT_OF_RANGE);
    assert_int_equal(error.index, 9);
    agent.clearance = NAN;
    assert_int_equal(kerb_mesh_agent_validate(&agent, &error), KERB_ERROR_NOT_FINITE);
    kerb_mesh_line_settings settings = kerb_mesh_line_settings_default();
    assert_int_equal(kerb_settings_validate(&kerb_mesh_line_settings_table, &settings, &error),
                     KERB_OK);
}

static void without_memory_nothing_leaks(void** state) {
    (void)state;
    test_allocation allocation = test_allocation_make();
    kerb_host host = test_allocation_host(&allocation);
    for (int n = 1; test_allocation_fail_next(&allocation, n); n++) {
        kerb_error error;
        kerb_mesh mesh;
        kerb_mesh_search search = {0};
        kerb_result result = kerb_mesh_create(&mesh, &bridge_data, &host, &error);
        if (result == KERB_OK)
            result = kerb_mesh_search_create(&search, &mesh, &host, &error);
        assert_int_equal(result == KERB_ERROR_OUT_OF_MEMORY, allocation.failed);
        kerb_mesh_search_destroy(&search);
        kerb_mesh_destroy(&mesh);
        test_allocation_check(&allocation);
    }
}

int mesh_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_nearest_place_is_that_of_looking_at_every_square),
        cmocka_unit_test(a_place_on_a_bridge_is_on_the_bridge_and_one_below_on_the_road),
        cmocka_unit_test(a_straight_line_ends_where_the_first_hole_begins),
        cmocka_unit_test(the_distance_to_borders_is_that_of_looking_at_every_hole),
        cmocka_unit_test(
            a_corridor_is_found_where_a_flood_finds_one_and_its_line_is_nearly_the_shortest),
        cmocka_unit_test(a_corridor_over_a_bridge_goes_up_the_ramp),
        cmocka_unit_test(areas_and_links_change_the_corridor),
        cmocka_unit_test(an_answer_does_not_depend_on_earlier_ones_or_on_where_the_memory_lies),
        cmocka_unit_test(a_line_on_wide_ground_keeps_its_radius_and_does_not_cut_corners),
        cmocka_unit_test(lines_stay_on_the_mesh_and_tell_when_a_radius_does_not_fit),
        cmocka_unit_test(sides_that_overlap_in_part_are_open_there),
        cmocka_unit_test(bad_data_is_refused_with_its_field_and_index),
        cmocka_unit_test(a_star_is_not_convex),
        cmocka_unit_test(settings_and_agents_are_checked),
        cmocka_unit_test(without_memory_nothing_leaks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
