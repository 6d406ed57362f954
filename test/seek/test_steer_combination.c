// Avoidance, sums, priority and context maps: free ways against brute force, and worlds full of
// obstacles in which wishes still get where they want to.
#include "kerb/seek.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "test/seek/steer_rig.h"

static float gap_to(const kerb_obstacle* o, kerb_vec3 place) {
    kerb_vec3 along = kerb_vec3_sub(o->to, o->from), to = kerb_vec3_sub(place, o->from);
    float square = kerb_vec3_dot(along, along);
    float t = square > 0.0f ? kerb_clamp(kerb_vec3_dot(to, along) / square, 0.0f, 1.0f) : 0.0f;
    return rig_distance(place, kerb_vec3_along(o->from, along, t)) - o->radius;
}

static float gap(const kerb_obstacle* obstacles, int count, kerb_vec3 place) {
    float least = 1e9f;
    for (int i = 0; i < count; i++)
        least = kerb_min(least, gap_to(&obstacles[i], place));
    return least;
}

// --------------------------------------------------------------------------- free ways

// By driving there: in steps of a few millimetres.
static float driven_free(kerb_agent agent, kerb_vec3 direction, const kerb_obstacle* obstacles,
                         int count, float margin, float horizon) {
    kerb_steering wish = {direction, agent.speed};
    float way = 0.0f, step = 0.003f;
    agent.acceleration = agent.braking = 0.0f;
    for (; way < horizon; way += step) {
        if (gap(obstacles, count, agent.position) < agent.radius + margin)
            break;
        agent = kerb_agent_step(&agent, &wish, step / agent.speed);
    }
    return kerb_min(way, horizon);
}

static void what_is_free_is_what_can_be_driven(void** state) {
    (void)state;
    kerb_random random = test_random("free");
    int blocked = 0;
    for (int i = 0; i < 400; i++) {
        bool level = i % 2 == 0;
        kerb_obstacle obstacles[6];
        for (int k = 0; k < 6; k++) {
            obstacles[k].from = obstacles[k].to = rig_place(&random, 20.0f, level);
            if (k % 2)
                obstacles[k].to = rig_place(&random, 20.0f, level);
            obstacles[k].radius = kerb_random_between(&random, 0.0f, 3.0f);
        }
        kerb_agent agent = rig_random_agent(&random, 15.0f, 0.02f, level);
        if (gap(obstacles, 6, agent.position) < agent.radius + 0.3f)
            continue;
        kerb_vec3 direction = rig_direction(&random, level);
        float free = kerb_free_distance(&agent, direction, obstacles, 6, 0.3f, 30.0f);
        float driven = driven_free(agent, direction, obstacles, 6, 0.3f, 30.0f);
        // Where it only grazes an obstacle, one may see it and the other not.
        float less = driven_free(agent, direction, obstacles, 6, 0.28f, 30.0f);
        if (!(free <= less + 0.1f && free >= driven - 30.0f / 64.0f - 0.1f))
            fail_msg("%d: %g m free, %g m driven", i, (double)free, (double)driven);
        blocked += driven < 30.0f;
    }
    assert_true(blocked > 50);
}

// --------------------------------------------------------------------------- avoidance

static void a_wish_whose_way_is_free_stays_as_it_is(void** state) {
    (void)state;
    kerb_avoid_obstacles_settings settings = kerb_avoid_obstacles_settings_default();
    kerb_agent agent = rig_agent(8.0f, 4.0f);
    kerb_obstacle behind = kerb_obstacle_round(kerb_vec3_make(-20, 0, 0), 3.0f);
    kerb_steering wish = {{0.6f, 0.8f, 0.0f}, 7.5f};
    kerb_steering kept = kerb_avoid_obstacles(&settings, &agent, &wish, &behind, 1, 100.0f, 0.02f);
    assert_memory_equal(&kept, &wish, sizeof wish);
    wish.speed = -2.0f;
    kept = kerb_avoid_obstacles(&settings, &agent, &wish, &behind, 1, 100.0f, 0.02f);
    assert_memory_equal(&kept, &wish, sizeof wish);
    kerb_steering none = {{0, 0, 0}, 0};
    assert_no_wish(kerb_avoid_obstacles(&settings, &agent, &none, &behind, 1, 100.0f, 0.02f));
    // What stands beyond the goal is not in the way.
    kerb_obstacle beyond = kerb_obstacle_round(kerb_vec3_make(14, 0, 0), 3.0f);
    kerb_steering ahead = {{1, 0, 0}, 5.0f};
    kept = kerb_avoid_obstacles(&settings, &agent, &ahead, &beyond, 1, 8.0f, 0.02f);
    assert_memory_equal(&kept, &ahead, sizeof ahead);
    assert_true(
        kerb_avoid_obstacles(&settings, &agent, &ahead, &beyond, 1, 80.0f, 0.02f).direction.y != 0);
}

// Trees at least so far apart that an agent can pass, none at the start or the goal.
static int plant(kerb_random* random, kerb_obstacle* trees, int most, float apart, bool level,
                 kerb_vec3 start, kerb_vec3 goal, float clear) {
    int count = 0;
    for (int n = 0; n < 20 * most && count < most; n++) {
        kerb_vec3 place = rig_place(random, 60.0f, level);
        float radius = kerb_random_between(random, 1.0f, 4.0f);
        bool fits = gap(trees, count, place) > radius + apart;
        fits = fits && rig_distance(place, start) > clear + radius;
        if (fits && rig_distance(place, goal) > clear + radius)
            trees[count++] = kerb_obstacle_round(place, radius);
    }
    return count;
}

// Crosses a wood by kerb_avoid_obstacles or by a context map; how near it came to a tree and to its
// goal.
typedef struct crossing {
    float nearest_tree, to_goal, seconds;
} crossing;

static crossing cross_wood(kerb_agent agent, kerb_vec3 goal, const kerb_obstacle* trees, int count,
                           bool level, bool map) {
    const float step = 1.0f / 30.0f;
    kerb_avoid_obstacles_settings settings = kerb_avoid_obstacles_settings_default();
    settings.space = level ? 0 : 1;
    crossing c = {1e9f, 1e9f, 0.0f};
    while (c.seconds < 120.0f && c.to_goal > 0.2f) {
        kerb_steering wish = kerb_arrive(&agent, goal, step);
        float left = rig_distance(agent.position, goal);
        if (map) {
            kerb_context context = kerb_context_make(level);
            kerb_context_add_steering(&context, &wish, 1.0f);
            kerb_context_add_obstacles(&context, &agent, trees, count, settings.margin,
                                       kerb_min(20.0f, left), step);
            wish = kerb_context_decide(&context);
        } else {
            wish = kerb_avoid_obstacles(&settings, &agent, &wish, trees, count, left, step);
        }
        agent = kerb_agent_step(&agent, &wish, step);
        c.nearest_tree = kerb_min(c.nearest_tree, gap(trees, count, agent.position));
        c.to_goal = kerb_min(c.to_goal, rig_distance(agent.position, goal));
        c.seconds += step;
    }
    return c;
}

static void check_woods(const char* name, bool level, bool map, int least_arrivals) {
    enum { WOODS = 100, TREES = 30 };
    kerb_random random = test_random(name);
    int arrived = 0;
    for (int i = 0; i < WOODS; i++) {
        kerb_obstacle trees[TREES];
        kerb_agent agent = rig_agent(6.0f, kerb_random_between(&random, 2.0f, 5.0f));
        agent.position = kerb_vec3_make(-70, 0, 0);
        agent.radius = 1.0f;
        kerb_vec3 goal = kerb_vec3_make(70, kerb_random_between(&random, -40.0f, 40.0f), 0);
        float apart = 2.0f * (agent.radius + agent.turning_radius);
        int count = plant(&random, trees, TREES, apart, level, agent.position, goal, 10.0f);
        crossing c = cross_wood(agent, goal, trees, count, level, map);
        if (!(c.nearest_tree > agent.radius))
            fail_msg("wood %d: %g m from a tree, radius %g m, turns %g m", i,
                     (double)c.nearest_tree, (double)agent.radius, (double)agent.turning_radius);
        arrived += c.to_goal <= 0.2f;
    }
    if (!(arrived >= least_arrivals))
        fail_msg("%d of %d arrived", arrived, WOODS);
}

static void woods_are_crossed_without_touching_a_tree(void** state) {
    (void)state;
    check_woods("avoid", true, false, 100);
}

static void woods_in_space_are_crossed_without_touching_a_tree(void** state) {
    (void)state;
    check_woods("avoid in space", false, false, 100);
}

static void a_context_map_crosses_woods_too(void** state) {
    (void)state;
    check_woods("map", true, true, 100);
    check_woods("map in space", false, true, 100);
}

// To a pose through a wood, by directed seek; true if it arrived, in place and direction.
static bool arrives_at_pose(kerb_agent agent, const kerb_directed_goal* goal,
                            const kerb_obstacle* trees, int count, bool map) {
    const float step = 1.0f / 30.0f;
    kerb_directed_seek_settings seek = kerb_directed_seek_settings_default();
    kerb_avoid_obstacles_settings avoid = kerb_avoid_obstacles_settings_default();
    seek.method = KERB_DIRECTED_DUBINS;
    for (float time = 0.0f; time < 120.0f; time += step) {
        kerb_directed_decision thoughts;
        kerb_steering wish = kerb_directed_seek(&seek, &agent, goal, step, &thoughts);
        if (map) {
            kerb_context context = kerb_context_make(true);
            kerb_context_add_steering(&context, &wish, 1.0f);
            kerb_context_add_obstacles(&context, &agent, trees, count, avoid.margin,
                                       kerb_min(15.0f, thoughts.distance + 0.1f), step);
            wish = kerb_context_decide(&context);
        } else {
            wish =
                kerb_avoid_obstacles(&avoid, &agent, &wish, trees, count, thoughts.distance, step);
        }
        agent = kerb_agent_step(&agent, &wish, step);
        if (gap(trees, count, agent.position) < agent.radius)
            fail_msg("a tree is touched");
        if (rig_distance(agent.position, goal->position) < 0.5f * agent.speed * step + 0.05f &&
            kerb_vec3_dot(agent.forward, goal->forward) > 0.999f)
            return true;
    }
    return false;
}

static void check_poses(const char* name, bool map) {
    enum { WOODS = 200, TREES = 25 };
    kerb_random random = test_random(name);
    int arrived = 0;
    for (int i = 0; i < WOODS; i++) {
        kerb_obstacle trees[TREES];
        kerb_agent agent = rig_agent(6.0f, kerb_random_between(&random, 2.0f, 5.0f));
        agent.position = kerb_vec3_make(-70, 0, 0);
        agent.radius = 1.0f;
        kerb_directed_goal goal = {rig_place(&random, 50.0f, true), rig_direction(&random, true),
                                   6.0f, agent.turning_radius};
        float apart = 2.0f * (agent.radius + agent.turning_radius);
        int count = plant(&random, trees, TREES, apart, true, agent.position, goal.position,
                          2.0f * agent.turning_radius + 4.0f);
        arrived += arrives_at_pose(agent, &goal, trees, count, map);
    }
    if (arrived < WOODS)
        fail_msg("%d of %d arrived", arrived, WOODS);
}

static void directed_seek_arrives_at_its_pose_through_woods(void** state) {
    (void)state;
    check_poses("pose", false);
    check_poses("pose by map", true);
}

static void before_a_wall_on_all_sides_it_stops(void** state) {
    (void)state;
    const float corner[5][2] = {{-20, -20}, {20, -20}, {20, 20}, {-20, 20}, {-20, -20}};
    kerb_obstacle walls[4];
    for (int i = 0; i < 4; i++)
        walls[i] = kerb_obstacle_between(kerb_vec3_make(corner[i][0], corner[i][1], 0),
                                         kerb_vec3_make(corner[i + 1][0], corner[i + 1][1], 0));
    kerb_avoid_obstacles_settings settings = kerb_avoid_obstacles_settings_default();
    kerb_agent agent = rig_agent(10.0f, 15.0f);
    agent.position.x = -15.0f;
    for (int n = 0; n < 600; n++) {
        kerb_steering wish = {{1, 0, 0}, 10.0f};
        wish =
            kerb_avoid_obstacles(&settings, &agent, &wish, walls, 4, (float)INFINITY, 1.0f / 30.0f);
        agent = kerb_agent_step(&agent, &wish, 1.0f / 30.0f);
        assert_true(gap(walls, 4, agent.position) >= agent.radius);
    }
}

// --------------------------------------------------------------------------- sums and priority

static void a_sum_is_the_mean_of_directions_and_speeds(void** state) {
    (void)state;
    kerb_steering wishes[3] = {{{1, 0, 0}, 4}, {{0, 1, 0}, 8}, {{0, 0, 0}, 100}};
    float weights[3] = {3, 4, 50};
    kerb_steering sum = kerb_steering_blend(wishes, weights, 3);
    assert_near((double)sum.direction.x, 0.6, 1e-6);
    assert_near((double)sum.direction.y, 0.8, 1e-6);
    assert_near((double)sum.speed, (12.0 + 32.0) / 7.0, 1e-5);
    wishes[1].direction = kerb_vec3_make(-1, 0, 0);
    weights[1] = 3;
    assert_no_wish(kerb_steering_blend(wishes, weights, 3));
    weights[0] = (float)NAN;
    assert_true(kerb_steering_blend(wishes, weights, 3).direction.x == -1.0f);
    wishes[1].speed = (float)NAN;
    assert_no_wish(kerb_steering_blend(wishes, weights, 3));
    assert_no_wish(kerb_steering_blend(NULL, NULL, 0));
}

static void priority_gives_the_first_what_they_ask_and_the_last_what_is_left(void** state) {
    (void)state;
    kerb_steering wishes[3] = {{{0, 0, 0}, 0}, {{1, 0, 0}, 4}, {{0, 1, 0}, 8}};
    const float all[3] = {1, 1, 1}, some[3] = {1, 0.6f, 1};
    assert_true(kerb_steering_priority(wishes, all, 3).direction.x == 1.0f);
    kerb_steering shared = kerb_steering_priority(wishes, some, 3);
    assert_near((double)(shared.direction.y / shared.direction.x), 0.4 / 0.6, 1e-5);
    assert_near((double)shared.speed, 0.6 * 4 + 0.4 * 8, 1e-5);
    wishes[0].direction.z = -1.0f;
    assert_true(kerb_steering_priority(wishes, some, 3).direction.z == -1.0f);
}

// --------------------------------------------------------------------------- context maps

static void without_danger_a_map_wishes_exactly_the_strongest_wish(void** state) {
    (void)state;
    kerb_random random = test_random("map exact");
    for (int i = 0; i < 2000; i++) {
        bool level = i % 2 == 0;
        kerb_context context = kerb_context_make(level);
        kerb_steering strong = {rig_direction(&random, level), 7.0f};
        kerb_steering weak = {rig_direction(&random, level), 3.0f};
        kerb_context_add_steering(&context, &weak, 0.3f);
        kerb_context_add_steering(&context, &strong, 1.0f);
        kerb_steering wish = kerb_context_decide(&context);
        assert_true(kerb_vec3_dot(wish.direction, strong.direction) > 0.999999f);
        assert_true(wish.speed == 7.0f);
        assert_true(!level || wish.direction.z == 0.0f);
    }
}

static void danger_ahead_leads_to_one_side_not_to_the_mean_of_both(void** state) {
    (void)state;
    kerb_context context = kerb_context_make(true);
    kerb_steering ahead = {{1, 0, 0}, 5.0f};
    kerb_context_add_steering(&context, &ahead, 1.0f);
    kerb_context_add_danger(&context, ahead.direction, 1.0f);
    kerb_steering wish = kerb_context_decide(&context);
    assert_true(kerb_abs(wish.direction.y) > 0.3f);
    for (int i = 0; i < 16; i++)
        kerb_context_add_danger(&context, context.direction[i], 1.0f);
    assert_no_wish(kerb_context_decide(&context));
}

static void the_directions_of_a_map_lie_evenly_and_all_are_unit(void** state) {
    (void)state;
    for (int level = 0; level < 2; level++) {
        kerb_context context = kerb_context_make(level != 0);
        assert_int_equal(context.count, level ? KERB_CONTEXT_LEVEL : KERB_CONTEXT_SPACE);
        for (int i = 0; i < context.count; i++) {
            float most = -1.0f;
            assert_near((double)kerb_vec3_length(context.direction[i]), 1.0, 1e-6);
            for (int k = 0; k < context.count; k++)
                if (k != i)
                    most =
                        kerb_max(most, kerb_vec3_dot(context.direction[i], context.direction[k]));
            assert_true(most > 0.70f && most < 0.925f);
        }
    }
}

static void numbers_that_are_none_change_nothing(void** state) {
    (void)state;
    kerb_context context = kerb_context_make(true), before = context;
    kerb_agent agent = rig_agent(5.0f, 3.0f);
    kerb_steering bad = {{(float)NAN, 0, 0}, 5.0f}, good = {{1, 0, 0}, 5.0f};
    kerb_context_add_steering(&context, &bad, 1.0f);
    kerb_context_add_steering(&context, &good, (float)NAN);
    kerb_context_add_danger(&context, bad.direction, 1.0f);
    kerb_context_add_danger(&context, good.direction, (float)NAN);
    kerb_obstacle nowhere = kerb_obstacle_round(bad.direction, 1.0f);
    kerb_context_add_obstacles(&context, &agent, &nowhere, 1, 0.3f, 20.0f, 0.02f);
    assert_memory_equal(&context, &before, sizeof context);
    assert_no_wish(kerb_context_decide(&context));
    agent.forward.x = (float)NAN;
    assert_true(kerb_free_distance(&agent, good.direction, NULL, 0, 0.3f, 20.0f) == 0.0f);
}

int steer_combination_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_free_is_what_can_be_driven),
        cmocka_unit_test(a_wish_whose_way_is_free_stays_as_it_is),
        cmocka_unit_test(woods_are_crossed_without_touching_a_tree),
        cmocka_unit_test(woods_in_space_are_crossed_without_touching_a_tree),
        cmocka_unit_test(a_context_map_crosses_woods_too),
        cmocka_unit_test(directed_seek_arrives_at_its_pose_through_woods),
        cmocka_unit_test(before_a_wall_on_all_sides_it_stops),
        cmocka_unit_test(a_sum_is_the_mean_of_directions_and_speeds),
        cmocka_unit_test(priority_gives_the_first_what_they_ask_and_the_last_what_is_left),
        cmocka_unit_test(without_danger_a_map_wishes_exactly_the_strongest_wish),
        cmocka_unit_test(danger_ahead_leads_to_one_side_not_to_the_mean_of_both),
        cmocka_unit_test(the_directions_of_a_map_lie_evenly_and_all_are_unit),
        cmocka_unit_test(numbers_that_are_none_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
