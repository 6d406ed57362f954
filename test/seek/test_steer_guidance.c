// Wander, paths, walls, regions and flows: what each promises, over random worlds and agents.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "test/seek/steer_rig.h"

// --------------------------------------------------------------------------- wander

static void a_wanderer_never_turns_faster_than_it_may(void** state) {
    (void)state;
    for (uint64_t seed = 0; seed < 50; seed++) {
        kerb_wander wander = kerb_wander_make(seed);
        kerb_wander_settings settings = kerb_wander_settings_default();
        settings.climb_rate = seed % 2 ? 0.3f : 0.0f;
        settings.turn_rate = 0.5f + 0.1f * (float)seed;
        kerb_agent agent = rig_agent(6.0f, 8.0f);
        float step = seed % 3 ? 0.02f : 0.1f;
        float most = kerb_min(settings.turn_rate, 6.0f / 8.0f);
        if (settings.climb_rate > 0.0f)
            most += settings.climb_rate;
        settings.speed = 6.0f;
        for (int n = 0; n < 2000; n++) {
            kerb_steering wish = kerb_wander_steer(&wander, &settings, &agent, step);
            float turn = kerb_acos(kerb_vec3_dot(wish.direction, agent.forward));
            assert_true(turn <= most * step + 2e-3f);
            assert_true(wander.turn >= -1.0f && wander.turn <= 1.0f);
            assert_true(seed % 2 || wish.direction.z == 0.0f);
            agent = kerb_agent_step(&agent, &wish, step);
        }
    }
}

// Mean 0, mean square 1/3, and after change_time 96/pi⁴·1/e + the next modes of what it was.
static void check_wander(float step, float change_time) {
    enum { SEEDS = 20000 };
    kerb_wander_settings settings = kerb_wander_settings_default();
    settings.change_time = change_time;
    kerb_agent agent = rig_agent(6.0f, 8.0f);
    double mean[2] = {0, 0}, square[2] = {0, 0}, both = 0.0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        kerb_wander wander = kerb_wander_make(seed);
        double first = (double)wander.turn;
        for (int n = 0; n < (int)(change_time / step + 0.5f); n++)
            kerb_wander_steer(&wander, &settings, &agent, step);
        double last = (double)wander.turn;
        mean[0] += first, mean[1] += last;
        square[0] += first * first, square[1] += last * last;
        both += first * last;
    }
    for (int i = 0; i < 2; i++) {
        assert_near(mean[i] / SEEDS, 0.0, 0.017);
        assert_near(square[i] / SEEDS, 1.0 / 3.0, 0.009);
    }
    assert_near(both / SEEDS, 96.0 / pow(acos(-1.0), 4.0) / exp(1.0) / 3.0, 0.012);
}

static void how_it_turns_is_stationary_and_fades_in_its_time_at_every_rate(void** state) {
    (void)state;
    check_wander(1.0f / 60.0f, 1.0f);
    check_wander(1.0f / 20.0f, 1.0f);
    check_wander(1.0f / 30.0f, 3.0f);
}

// --------------------------------------------------------------------------- paths

enum { PIECES = 400 };

// Two waves of 100 m and one across them; the tightest bend has about 20 m.
static void winding(kerb_waypoint waypoints[PIECES], float width) {
    for (int i = 0; i < PIECES; i++) {
        float x = (float)i;
        waypoints[i] = kerb_waypoint_at(x, 9.0f * kerb_sin(x * (2.0f * KERB_PI / 100.0f)), 0.0f);
        waypoints[i].left = waypoints[i].right = width;
    }
}

static void a_path_is_driven_within_its_corridor_to_its_end(void** state) {
    (void)state;
    static kerb_path_point memory[PIECES];
    kerb_waypoint waypoints[PIECES];
    for (int i = 0; i < 24; i++) {
        kerb_path path;
        float width = 1.5f + 0.5f * (float)(i % 4), step = i % 3 ? 1.0f / 60.0f : 1.0f / 20.0f;
        winding(waypoints, width);
        assert_int_equal(kerb_path_build(&path, memory, waypoints, PIECES, false, NULL), KERB_OK);
        kerb_agent agent = rig_agent(3.0f, 4.0f + (float)(i % 6) * 2.0f);
        agent.speed_max = 6.0f + (float)i * 0.5f;
        kerb_path_location here = kerb_path_nearest(&path, agent.position);
        agent.forward = path.points[0].direction;
        bool straight = false;
        for (int n = 0; n < 6000; n++) {
            kerb_steering wish = kerb_follow_path(&agent, &path, here, 0.6f, step);
            straight = straight || wish.direction.y == agent.forward.y;
            agent = kerb_agent_step(&agent, &wish, step);
            here = kerb_path_track(&path, here, agent.position, agent.forward);
            float off = kerb_abs(kerb_path_cross_track(&path, here, agent.position));
            if (!(off <= width - agent.radius + 0.1f))
                fail_msg("path %d, step %d: %g m off, corridor %g m, radius %g m, %g m/s", i, n,
                         (double)off, (double)width, (double)agent.turning_radius,
                         (double)agent.speed);
        }
        assert_true(straight);
        assert_true(agent.speed == 0.0f);
        assert_near(kerb_path_distance(&path, here), path.length, 0.1);
    }
}

static void in_the_corridor_and_along_it_nothing_is_corrected(void** state) {
    (void)state;
    kerb_path_point memory[2];
    kerb_waypoint road[2] = {kerb_waypoint_at(0, 0, 0), kerb_waypoint_at(100, 0, 0)};
    kerb_path path;
    assert_int_equal(kerb_path_build(&path, memory, road, 2, false, NULL), KERB_OK);
    kerb_agent agent = rig_agent(5.0f, 3.0f);
    agent.position = kerb_vec3_make(20, 1.4f, 0);
    kerb_path_location here = kerb_path_nearest(&path, agent.position);
    assert_true(kerb_follow_path(&agent, &path, here, 1.0f, 0.02f).direction.x == 1.0f);
    agent.position.y = 1.6f; // the body would stick out
    assert_true(kerb_follow_path(&agent, &path, here, 1.0f, 0.02f).direction.y < 0.0f);
    agent.position.y = 0.0f;
    agent.forward = kerb_vec3_make(-1, 0, 0);
    assert_true(kerb_follow_path(&agent, &path, here, 1.0f, 0.02f).direction.x > -0.99f);
    assert_no_wish(kerb_follow_path(&agent, &path, here, (float)NAN, 0.02f));
}

// --------------------------------------------------------------------------- walls

static void check_wall(int32_t side, float radius, float distance) {
    kerb_obstacle walls[2] = {
        kerb_obstacle_between(kerb_vec3_make(-500, 0, 0), kerb_vec3_make(500, 0, 0)),
        kerb_obstacle_between(kerb_vec3_make(-500, 300, 0), kerb_vec3_make(500, 300, 0))};
    walls[0].radius = 0.25f;
    kerb_agent agent = rig_agent(6.0f, radius);
    agent.position = kerb_vec3_make(0, 20, 0);
    for (int n = 0; n < 900; n++) {
        kerb_steering wish = kerb_follow_wall(&agent, walls, 2, side, distance, 0.7f);
        agent = kerb_agent_step(&agent, &wish, 1.0f / 30.0f);
        assert_true(agent.position.y > 0.25f);
    }
    assert_near((double)agent.position.y, (double)distance + 0.25, 0.05);
    assert_true(side > 0 ? agent.forward.x < -0.999f : agent.forward.x > 0.999f);
}

static void a_wall_is_followed_at_its_distance_on_the_side_asked_for(void** state) {
    (void)state;
    for (int i = 0; i < 6; i++) {
        check_wall(1, 2.0f + (float)i, 2.0f + (float)i);
        check_wall(-1, 2.0f + (float)i, 2.0f + (float)i);
    }
    kerb_agent agent = rig_agent(6.0f, 3.0f);
    assert_no_wish(kerb_follow_wall(&agent, NULL, 0, 1, 2.0f, 0.7f));
}

static void a_house_is_gone_round(void** state) {
    (void)state;
    const float corner[5][2] = {{-10, -10}, {10, -10}, {10, 10}, {-10, 10}, {-10, -10}};
    kerb_obstacle walls[4];
    for (int i = 0; i < 4; i++)
        walls[i] = kerb_obstacle_between(kerb_vec3_make(corner[i][0], corner[i][1], 0),
                                         kerb_vec3_make(corner[i + 1][0], corner[i + 1][1], 0));
    kerb_agent agent = rig_agent(5.0f, 3.0f);
    agent.position = kerb_vec3_make(0, -20, 0);
    float round = 0.0f, nearest = 100.0f, farthest = 0.0f;
    for (int n = 0; n < 1800; n++) {
        kerb_vec3 before = agent.position;
        kerb_steering wish = kerb_follow_wall(&agent, walls, 4, 1, 3.0f, 0.5f);
        agent = kerb_agent_step(&agent, &wish, 1.0f / 30.0f);
        kerb_vec2 a = {before.x, before.y}, b = {agent.position.x, agent.position.y};
        round += kerb_atan2(kerb_vec2_cross(a, b), kerb_vec2_dot(a, b));
        float x = kerb_max(kerb_abs(b.x) - 10.0f, 0.0f), y = kerb_max(kerb_abs(b.y) - 10.0f, 0.0f);
        float off = kerb_vec2_length(kerb_vec2_make(x, y));
        nearest = kerb_min(nearest, off);
        farthest = n > 300 ? kerb_max(farthest, off) : farthest;
    }
    assert_true(round > 6.0f * KERB_PI);
    assert_true(nearest > 1.0f && farthest < 6.0f);
}

// --------------------------------------------------------------------------- regions

static bool inside_polygon(const kerb_vec2* corners, int count, kerb_vec3 p, float body) {
    bool inside = false;
    for (int i = 0, j = count - 1; i < count; j = i++) {
        kerb_vec2 a = corners[j], b = corners[i];
        kerb_vec2 along = kerb_vec2_sub(b, a), to = {p.x - a.x, p.y - a.y};
        float t = kerb_clamp(kerb_vec2_dot(to, along) / kerb_vec2_dot(along, along), 0.0f, 1.0f);
        if (kerb_vec2_length(kerb_vec2_sub(to, kerb_vec2_scale(along, t))) < body)
            return false;
        if ((a.y > p.y) != (b.y > p.y) && p.x < a.x + (b.x - a.x) * (p.y - a.y) / (b.y - a.y))
            inside = !inside;
    }
    return inside;
}

static bool is_in(const kerb_region* region, const kerb_agent* agent) {
    kerb_vec3 p = agent->position;
    float body = agent->radius - 1e-3f;
    if (region->kind == KERB_REGION_ROUND)
        return rig_distance(p, region->centre) <= region->radius - body;
    if (region->kind == KERB_REGION_POLYGON)
        return inside_polygon(region->corners, region->corner_count, p, body);
    bool level = p.x - body >= region->box_min.x && p.x + body <= region->box_max.x &&
                 p.y - body >= region->box_min.y && p.y + body <= region->box_max.y;
    bool high = p.z - body >= region->box_min.z && p.z + body <= region->box_max.z;
    return level && (high || region->box_max.z == region->box_min.z);
}

// Whatever it wishes otherwise: here, something else every now and then. How often it wished.
static int stay(const kerb_region* region, kerb_random* random, kerb_agent agent, bool level,
                float step) {
    kerb_steering other = {agent.forward, agent.speed_max};
    int wishes = 0;
    // It begins with a circle to drive: only from then on anything is promised.
    for (int n = 0; n < 3000; n++) {
        if (n % 40 == 0) {
            other.direction = rig_direction(random, level);
            other.speed = kerb_random_between(random, 1.0f, agent.speed_max);
        }
        kerb_steering wish = kerb_contain(&agent, region, 0.3f, step);
        bool wished = wish.direction.x != 0.0f || wish.direction.y != 0.0f || wish.direction.z != 0;
        wishes += wished;
        assert_true(!level || wish.direction.z == 0.0f);
        agent = kerb_agent_step(&agent, wished ? &wish : &other, step);
        if (!is_in(region, &agent))
            fail_msg("left at step %d, radius %g, at %g %g %g", n, (double)agent.turning_radius,
                     (double)agent.position.x, (double)agent.position.y, (double)agent.position.z);
    }
    return wishes;
}

static void a_region_is_never_left(void** state) {
    (void)state;
    const kerb_vec2 house[6] = {{-60, -60}, {60, -60}, {60, 60}, {0, 60}, {0, 5}, {-60, 5}};
    kerb_random random = test_random("contain");
    int wishes = 0;
    for (int i = 0; i < 100; i++) {
        kerb_region region = {KERB_REGION_POLYGON, house,     6, {-60, -60, 0},
                              {60, 60, 0},         {0, 0, 0}, 60};
        region.kind = i % 3;
        bool level = i % 2 == 0;
        if (!level && region.kind == KERB_REGION_POLYGON)
            region.kind = KERB_REGION_BOX;
        if (!level)
            region.box_min.z = -40.0f, region.box_max.z = 40.0f;
        kerb_agent agent = rig_random_agent(&random, 5.0f, 1.0f / 30.0f, level);
        agent.position.x += 10.0f, agent.position.y -= 25.0f;
        wishes += stay(&region, &random, agent, level, i % 4 < 2 ? 1.0f / 30.0f : 1.0f / 60.0f);
    }
    assert_true(wishes > 1000);
}

// Circles in every plane are needed here, and of all of them the best.
static void a_box_hardly_wider_than_the_turning_circle_is_never_left(void** state) {
    (void)state;
    kerb_random random = test_random("tight");
    for (int i = 0; i < 100; i++) {
        kerb_agent agent = rig_random_agent(&random, 5.0f, 1.0f / 30.0f, false);
        float half = 1.2f * (agent.turning_radius + agent.radius + 0.3f);
        kerb_region region = {KERB_REGION_BOX,    NULL,      0, {-half, -half, -half},
                              {half, half, half}, {0, 0, 0}, 0};
        kerb_vec3 side = kerb_vec3_cross(agent.forward, rig_direction(&random, false));
        side = kerb_vec3_unit(side, kerb_vec3_make(0, 0, 1));
        agent.position = kerb_vec3_scale(side, -agent.turning_radius);
        stay(&region, &random, agent, false, 1.0f / 60.0f);
    }
}

static void far_from_the_border_there_is_nothing_to_wish(void** state) {
    (void)state;
    kerb_region region = {KERB_REGION_ROUND, NULL, 0, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, 50};
    kerb_agent agent = rig_agent(10.0f, 5.0f);
    assert_no_wish(kerb_contain(&agent, &region, 0.5f, 0.02f));
    agent.position.x = 43.0f; // one circle's middle 7.1 m from the border, 6 needed
    agent.speed = 0.0f;
    assert_no_wish(kerb_contain(&agent, &region, 0.5f, 0.02f));
    agent.position.x = 47.0f;
    assert_true(kerb_contain(&agent, &region, 0.5f, 0.02f).direction.y != 0.0f);
    agent.position.x = (float)NAN;
    assert_no_wish(kerb_contain(&agent, &region, 0.5f, 0.02f));
}

// --------------------------------------------------------------------------- flows

static void a_flow_is_linear_between_its_places(void** state) {
    (void)state;
    kerb_vec3 places[2 * 3 * 4];
    kerb_flow_field field = {places, 4, 3, 2, {10, 20, -5}, 2.5f};
    kerb_random random = test_random("flow");
    // A field that is linear in x, y and z is met exactly everywhere.
    for (int i = 0; i < 24; i++)
        places[i] = kerb_vec3_make(0.1f * (float)(i % 4), 0.2f * (float)(i / 4 % 3),
                                   0.3f * (float)(i / 12));
    for (int i = 0; i < 1000; i++) {
        kerb_vec3 at = rig_place(&random, 15.0f, false);
        kerb_vec3 flow = kerb_flow_at(&field, kerb_vec3_make(at.x + 13, at.y + 22, at.z));
        assert_near((double)flow.x, 0.1 * (double)kerb_clamp((at.x + 3) / 2.5f, 0, 3), 1e-5);
        assert_near((double)flow.y, 0.2 * (double)kerb_clamp((at.y + 2) / 2.5f, 0, 2), 1e-5);
        assert_near((double)flow.z, 0.3 * (double)kerb_clamp((at.z + 5) / 2.5f, 0, 1), 1e-5);
    }
}

static void a_flow_carries_along_at_its_speed_where_one_will_be(void** state) {
    (void)state;
    kerb_vec3 places[2] = {{0, 0.5f, 0}, {0, -0.5f, 0}};
    kerb_flow_field field = {places, 2, 1, 1, {0, 0, 0}, 10.0f};
    kerb_agent agent = rig_agent(10.0f, 3.0f);
    kerb_steering wish = kerb_follow_flow(&agent, &field, 0.0f);
    assert_true(wish.direction.y == 1.0f && wish.speed == 5.0f);
    wish = kerb_follow_flow(&agent, &field, 1.0f);
    assert_true(wish.direction.y == -1.0f && wish.speed == 5.0f);
    assert_no_wish(kerb_follow_flow(&agent, &field, 0.5f)); // the flow is 0 half way
    assert_no_wish(kerb_follow_flow(&agent, &field, (float)NAN));
    places[0].x = (float)NAN;
    assert_no_wish(kerb_follow_flow(&agent, &field, 0.0f));
}

int steer_guidance_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_wanderer_never_turns_faster_than_it_may),
        cmocka_unit_test(how_it_turns_is_stationary_and_fades_in_its_time_at_every_rate),
        cmocka_unit_test(a_path_is_driven_within_its_corridor_to_its_end),
        cmocka_unit_test(in_the_corridor_and_along_it_nothing_is_corrected),
        cmocka_unit_test(a_wall_is_followed_at_its_distance_on_the_side_asked_for),
        cmocka_unit_test(a_house_is_gone_round),
        cmocka_unit_test(a_region_is_never_left),
        cmocka_unit_test(a_box_hardly_wider_than_the_turning_circle_is_never_left),
        cmocka_unit_test(far_from_the_border_there_is_nothing_to_wish),
        cmocka_unit_test(a_flow_is_linear_between_its_places),
        cmocka_unit_test(a_flow_carries_along_at_its_speed_where_one_will_be),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
