// The town of the soak test: its streets can be driven, lead everywhere, and nothing stands on
// them.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "scene/town/town.h"
#include "sim/vehicle.h"
#include "test/seed.h"

#include <math.h>
#include <string.h>

static kerb_scene_town* town;

static int make_town(void** state) {
    (void)state;
    kerb_host host = kerb_host_default();
    return kerb_scene_town_make(&town, &host, NULL) == KERB_OK ? 0 : -1;
}

static int free_town(void** state) {
    (void)state;
    kerb_host host = kerb_host_default();
    kerb_scene_town_free(town, &host);
    return 0;
}

// --------------------------------------------------------------------------- solids

static double apart_from(const kerb_sim_obstacle* o, double x, double y) {
    double half = 0.5 * (double)o->thickness;
    double dx = (double)(o->to.x - o->from.x), dy = (double)(o->to.y - o->from.y);
    double length = hypot(dx, dy);
    double px = x - (double)o->from.x, py = y - (double)o->from.y;
    if (o->kind == KERB_SIM_POST || length < 1e-6)
        return hypot(px, py) - half;
    double along = (px * dx + py * dy) / length, across = fabs(px * dy - py * dx) / length;
    double beyond = fmax(fmax(-along, along - length), 0.0);
    return hypot(beyond, fmax(across - half, 0.0));
}

static double nearest_solid(double x, double y) {
    double least = 1e9;
    for (int32_t i = 0; i < town->world.obstacle_count; i++)
        least = fmin(least, apart_from(&town->world.obstacles[i], x, y));
    return least;
}

// The waypoints of a lane and, where it is not the last, the link behind it.
static int32_t way(const int32_t* lanes, int32_t count, kerb_waypoint* out) {
    int32_t written = kerb_scene_town_waypoints(town, lanes, count, out, TOWN_ROUTE_WAYPOINTS);
    assert_in_range(written, 2, TOWN_ROUTE_WAYPOINTS);
    return written;
}

static void expect_clear(const kerb_waypoint* a, const kerb_waypoint* b) {
    for (int32_t k = 0; k <= 4; k++) {
        double part = k / 4.0;
        double x = (double)a->position.x + part * (double)(b->position.x - a->position.x);
        double y = (double)a->position.y + part * (double)(b->position.y - a->position.y);
        double room = nearest_solid(x, y) - fmax((double)a->left, (double)a->right);
        if (room < (double)TOWN_CLEARANCE)
            fail_msg("a solid %.2f m from the corridor at %.1f, %.1f", room, x, y);
    }
}

static void no_solid_stands_in_a_corridor_or_within_a_metre_of_it(void** state) {
    (void)state;
    static kerb_waypoint points[TOWN_ROUTE_WAYPOINTS];
    for (int32_t i = 0; i < town->link_count; i++) {
        const int32_t lanes[2] = {town->links[i].from, town->links[i].to};
        int32_t count = way(lanes, 2, points);
        for (int32_t k = 1; k < count; k++)
            expect_clear(&points[k - 1], &points[k]);
    }
}

static void a_body_finds_the_same_solids_in_its_cell_as_in_the_whole_town(void** state) {
    (void)state;
    kerb_random random = test_random("bodies in the town");
    int32_t touches = 0;
    for (int32_t i = 0; i < 20000; i++) {
        kerb_sim_body body = {.heading = kerb_random_between(&random, -3.0f, 3.0f),
                              .forward = kerb_random_between(&random, -10.0f, 20.0f),
                              .mass = 8000.0f,
                              .yaw_inertia = 20000.0f,
                              .front = 4.0f,
                              .back = 4.0f,
                              .half_width = 1.9f};
        body.position.x = kerb_random_between(&random, -470.0f, 470.0f);
        body.position.y = kerb_random_between(&random, -470.0f, 470.0f);
        // A vehicle gets no deeper into a house than this.
        if (nearest_solid((double)body.position.x, (double)body.position.y) < 1.0)
            continue;
        kerb_sim_body here = body, everywhere = body;
        kerb_sim_world local = kerb_scene_town_world_at(town, body.position.x, body.position.y);
        int32_t found = kerb_sim_world_push(&local, &here, NULL, 0);
        assert_int_equal(found, kerb_sim_world_push(&town->world, &everywhere, NULL, 0));
        assert_memory_equal(&here, &everywhere, sizeof here);
        touches += found > 0 ? 1 : 0;
    }
    assert_in_range(touches, 500, 20000);
}

// --------------------------------------------------------------------------- streets

static double turning_radius(const kerb_waypoint* a, const kerb_waypoint* b,
                             const kerb_waypoint* c) {
    double ux = (double)(b->position.x - a->position.x),
           uy = (double)(b->position.y - a->position.y);
    double vx = (double)(c->position.x - b->position.x),
           vy = (double)(c->position.y - b->position.y);
    double cross = fabs(ux * vy - uy * vx);
    double chord = hypot(ux + vx, uy + vy);
    return cross < 1e-9 ? 1e9 : hypot(ux, uy) * hypot(vx, vy) * chord / (2.0 * cross);
}

// Where a lane meets a link, their curvatures differ; a place alone may be a little sharper.
static void the_largest_vehicle_can_turn_at_every_junction(void** state) {
    (void)state;
    static kerb_waypoint points[TOWN_ROUTE_WAYPOINTS];
    kerb_sim_model carrier;
    assert_true(kerb_sim_model_named("carrier", &carrier));
    double least = (double)kerb_vehicle_turning_radius(&carrier.vehicle);
    for (int32_t i = 0; i < town->link_count; i++) {
        const int32_t lanes[2] = {town->links[i].from, town->links[i].to};
        int32_t count = way(lanes, 2, points);
        for (int32_t k = 2; k < count; k++) {
            double radius = turning_radius(&points[k - 2], &points[k - 1], &points[k]);
            if (radius < least)
                fail_msg("link %d from lane %d to %d: radius %.2f m at %.1f, %.1f", (int)i,
                         (int)lanes[0], (int)lanes[1], radius, (double)points[k - 1].position.x,
                         (double)points[k - 1].position.y);
        }
    }
}

static void waypoints_follow_each_other_without_gaps_or_kinks(void** state) {
    (void)state;
    static kerb_waypoint points[TOWN_ROUTE_WAYPOINTS];
    kerb_random random = test_random("routes in the town");
    for (int32_t i = 0; i < 200; i++) {
        int32_t lanes[TOWN_ROUTE_LANES];
        int32_t from = kerb_random_below(&random, town->lane_count);
        int32_t to = kerb_random_below(&random, town->lane_count);
        if (from == to)
            continue;
        int32_t count = kerb_scene_town_route(town, from, to, &random, lanes, TOWN_ROUTE_LANES);
        assert_in_range(count, 2, TOWN_ROUTE_LANES);
        assert_int_equal(lanes[0], from);
        assert_int_equal(lanes[count - 1], to);
        int32_t written = way(lanes, count, points);
        for (int32_t k = 1; k < written; k++) {
            float gap = kerb_vec3_length(kerb_vec3_sub(points[k].position, points[k - 1].position));
            assert_true(gap > 0.3f && gap < 4.5f);
        }
    }
}

static void every_lane_leads_to_every_other(void** state) {
    (void)state;
    int32_t lanes[TOWN_ROUTE_LANES];
    for (int32_t from = 0; from < town->lane_count; from++) {
        for (int32_t to = 0; to < town->lane_count; to++) {
            if (from != to)
                assert_in_range(
                    kerb_scene_town_route(town, from, to, NULL, lanes, TOWN_ROUTE_LANES), 2,
                    TOWN_ROUTE_LANES);
        }
    }
}

// Bellman and Ford's way: no shorter detour over any one link.
static void a_route_without_taste_is_the_shortest(void** state) {
    (void)state;
    static float cost[TOWN_LANES];
    for (int32_t i = 0; i < town->lane_count; i++)
        cost[i] = i == 0 ? 0.0f : 1e9f;
    for (int32_t round = 0; round < town->lane_count; round++) {
        for (int32_t i = 0; i < town->link_count; i++) {
            const town_link* l = &town->links[i];
            float there = cost[l->from] + l->length + town->lanes[l->to].length;
            cost[l->to] = there < cost[l->to] ? there : cost[l->to];
        }
    }
    for (int32_t to = 1; to < town->lane_count; to++) {
        int32_t lanes[TOWN_ROUTE_LANES];
        int32_t count = kerb_scene_town_route(town, 0, to, NULL, lanes, TOWN_ROUTE_LANES);
        float length = 0.0f;
        for (int32_t i = 1; i < count; i++)
            length += town->links[kerb_scene_town_link(town, lanes[i - 1], lanes[i])].length +
                      town->lanes[lanes[i]].length;
        assert_float_equal(length, cost[to], 0.1f);
    }
}

static void opposite_lanes_keep_to_the_right(void** state) {
    (void)state;
    int32_t pairs = 0;
    for (int32_t i = 0; i + 1 < town->lane_count; i++) {
        const town_lane* a = &town->lanes[i];
        const town_lane* b = &town->lanes[i + 1];
        if (a->street != b->street)
            continue;
        const kerb_waypoint* p = &town->points[a->first + a->count / 2];
        kerb_vec3 forward = kerb_vec3_sub(p[1].position, p[0].position);
        kerb_vec3 over = kerb_vec3_sub(town->points[b->first + b->count / 2].position, p->position);
        assert_true(forward.x * over.y - forward.y * over.x > 0.0f);
        pairs++;
    }
    assert_in_range(pairs, 40, TOWN_LANES);
}

static void the_hill_is_steep_but_no_street_rises_more_than_a_fifth(void** state) {
    (void)state;
    float steepest = 0.0f;
    for (int32_t i = 0; i < town->lane_count; i++) {
        const town_lane* lane = &town->lanes[i];
        for (int32_t k = lane->first + 1; k < lane->first + lane->count; k++) {
            kerb_vec3 step = kerb_vec3_sub(town->points[k].position, town->points[k - 1].position);
            float level = kerb_vec2_length(kerb_vec2_make(step.x, step.y));
            steepest = kerb_max(steepest, kerb_abs(step.z) / level);
        }
    }
    assert_true(steepest > 0.12f && steepest <= 0.2f);
}

static void waypoints_lie_on_the_ground(void** state) {
    (void)state;
    for (int32_t i = 0; i < town->point_count; i++) {
        kerb_vec3 at = town->points[i].position;
        assert_float_equal(kerb_sim_world_ground(&town->world, at, NULL).height, at.z, 0.06f);
    }
}

static void the_town_fits_its_arrays_and_is_the_same_each_time(void** state) {
    (void)state;
    assert_true(town->point_count < TOWN_POINTS && town->lane_count < TOWN_LANES &&
                town->link_count < TOWN_LINKS);
    assert_true(town->world.obstacle_count < TOWN_OBSTACLES);
    assert_true(town->cell_first[TOWN_CELLS * TOWN_CELLS] < TOWN_CELL_OBSTACLES);
    kerb_host host = kerb_host_default();
    kerb_scene_town* other;
    assert_int_equal(kerb_scene_town_make(&other, &host, NULL), KERB_OK);
    assert_memory_equal(town->points, other->points, sizeof town->points);
    assert_memory_equal(town->obstacles, other->obstacles, sizeof town->obstacles);
    kerb_scene_town_free(other, &host);
}

int town_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_solid_stands_in_a_corridor_or_within_a_metre_of_it),
        cmocka_unit_test(a_body_finds_the_same_solids_in_its_cell_as_in_the_whole_town),
        cmocka_unit_test(the_largest_vehicle_can_turn_at_every_junction),
        cmocka_unit_test(waypoints_follow_each_other_without_gaps_or_kinks),
        cmocka_unit_test(every_lane_leads_to_every_other),
        cmocka_unit_test(a_route_without_taste_is_the_shortest),
        cmocka_unit_test(opposite_lanes_keep_to_the_right),
        cmocka_unit_test(the_hill_is_steep_but_no_street_rises_more_than_a_fifth),
        cmocka_unit_test(waypoints_lie_on_the_ground),
        cmocka_unit_test(the_town_fits_its_arrays_and_is_the_same_each_time),
    };
    return cmocka_run_group_tests(tests, make_town, free_town);
}
