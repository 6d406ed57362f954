// Seek, flee and arrive: that they arrive from everywhere, by the shortest way, and stop in time.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "test/seek/steer_rig.h"

enum { POSES = 10000 };

// --------------------------------------------------------------------------- lengths

// By the shortest ways of Dubins to the place with all final headings.
static double shortest_by_headings(const kerb_agent* agent, kerb_vec3 target) {
    kerb_pose from = {{agent->position.x, agent->position.y}, {agent->forward.x, agent->forward.y}};
    double least = 1e9;
    for (int i = 0; i < 4000; i++) {
        kerb_pose to = kerb_pose_make(target.x, target.y, KERB_PI * (float)i / 2000.0f);
        double length = (double)kerb_dubins_length(from, to, agent->turning_radius);
        least = length < least ? length : least;
    }
    return least;
}

static void no_way_to_a_place_is_shorter_than_seeks(void** state) {
    (void)state;
    kerb_random random = test_random("seek_distance");
    for (int i = 0; i < 400; i++) {
        kerb_agent agent = rig_random_agent(&random, 10.0f, 0.01f, true);
        kerb_vec3 target = rig_place(&random, 10.0f, true);
        double length = (double)kerb_seek_distance(&agent, target);
        double expected = shortest_by_headings(&agent, target);
        assert_true(length <= expected + 1e-3);
        assert_near(length, expected, 0.01 * expected + 0.02 * (double)agent.turning_radius);
    }
}

static void ways_that_can_be_told_without_arithmetic_have_their_lengths(void** state) {
    (void)state;
    kerb_agent agent = rig_agent(5.0f, 2.0f);
    const double pi = (double)KERB_PI;
    assert_near((double)kerb_seek_distance(&agent, origin), 0.0, 1e-6);
    assert_near((double)kerb_seek_distance(&agent, kerb_vec3_make(7, 0, 0)), 7.0, 1e-5);
    assert_near((double)kerb_seek_distance(&agent, kerb_vec3_make(2, 2, 0)), pi, 1e-4);
    assert_near((double)kerb_seek_distance(&agent, kerb_vec3_make(2, -9, 0)), pi + 7.0, 1e-4);
    assert_near((double)kerb_seek_distance(&agent, kerb_vec3_make(0, 4, 0)), 2.0 * pi, 1e-3);
    // The middle of the circle: away by 2 asin(1/4), back by a round less acos(1/4).
    double inside = 2.0 * (2.0 * asin(0.25) + 2.0 * pi - acos(0.25));
    assert_near((double)kerb_seek_distance(&agent, kerb_vec3_make(0, 2, 0)), inside, 1e-4);
    // In space as in the plane through both.
    assert_near((double)kerb_seek_distance(&agent, kerb_vec3_make(2, 0, 9)), pi + 7.0, 1e-4);
}

// --------------------------------------------------------------------------- seek

// Drives until it has been as near as it will get; how near that was between and in the steps.
static float nearest_pass(kerb_agent agent, kerb_vec3 target, float step, float* driven) {
    float most = 1.1f * kerb_seek_distance(&agent, target) + 4.0f * agent.speed * step;
    float nearest = rig_distance(agent.position, target), length = agent.speed * step;
    *driven = 0.0f;
    for (float way = 0.0f; way < most; way += length) {
        kerb_steering wish = kerb_seek(&agent, target, step);
        kerb_vec3 before = agent.position;
        agent = kerb_agent_step(&agent, &wish, step);
        kerb_obstacle moved = kerb_obstacle_between(before, agent.position);
        kerb_vec3 along = kerb_vec3_sub(moved.to, moved.from);
        float t = kerb_vec3_dot(kerb_vec3_sub(target, before), along) / kerb_vec3_dot(along, along);
        kerb_vec3 foot = kerb_vec3_along(before, along, kerb_clamp(t, 0.0f, 1.0f));
        if (rig_distance(foot, target) < nearest) {
            nearest = rig_distance(foot, target);
            *driven = way + length;
        }
    }
    return nearest;
}

static void check_seek(const char* name, float rate, bool level) {
    kerb_random random = test_random(name);
    const int poses = test_share(POSES, POSES / 5);
    for (int i = 0; i < poses; i++) {
        float step = 1.0f / rate, driven;
        kerb_agent agent = rig_random_agent(&random, 40.0f, step, level);
        kerb_vec3 target = kerb_vec3_add(agent.position, rig_place(&random, 40.0f, level));
        float passed = nearest_pass(agent, target, step, &driven);
        if (!(passed <= 0.01f + 0.1f * agent.speed * step))
            fail_msg("pose %d at %g Hz passes at %g m, step %g m, radius %g", i, (double)rate,
                     (double)passed, (double)(agent.speed * step), (double)agent.turning_radius);
    }
}

static void seek_arrives_from_every_pose_at_every_rate(void** state) {
    (void)state;
    check_seek("seek 10", 10.0f, true);
    check_seek("seek 30", 30.0f, true);
    check_seek("seek 60", 60.0f, true);
    check_seek("seek 120", 120.0f, true);
}

static void seek_arrives_from_every_pose_in_space(void** state) {
    (void)state;
    check_seek("seek in space 20", 20.0f, false);
    check_seek("seek in space 60", 60.0f, false);
}

static void a_place_inside_the_turning_circle_is_turned_away_from_first(void** state) {
    (void)state;
    kerb_agent agent = rig_agent(5.0f, 4.0f);
    assert_true(kerb_seek(&agent, kerb_vec3_make(0, 3, 0), 0.02f).direction.y < -0.9f);
    assert_true(kerb_seek(&agent, kerb_vec3_make(0, -3, 0), 0.02f).direction.y > 0.9f);
    assert_true(kerb_seek(&agent, kerb_vec3_make(0, 9, 0), 0.02f).direction.y > 0.9f);
    assert_true(kerb_seek(&agent, kerb_vec3_make(0, 0, 3), 0.02f).direction.z < -0.9f);
}

static void what_is_level_stays_level_to_the_bit(void** state) {
    (void)state;
    kerb_random random = test_random("level");
    for (int i = 0; i < 2000; i++) {
        kerb_agent agent = rig_random_agent(&random, 20.0f, 0.02f, true);
        kerb_agent other = rig_random_agent(&random, 20.0f, 0.02f, true);
        kerb_vec3 target = rig_place(&random, 20.0f, true);
        kerb_vec3 offset = rig_place(&random, 5.0f, true);
        assert_true(kerb_seek(&agent, target, 0.02f).direction.z == 0.0f);
        assert_true(kerb_arrive(&agent, target, 0.02f).direction.z == 0.0f);
        assert_true(kerb_flee(&agent, target, 100.0f).direction.z == 0.0f);
        assert_true(kerb_pursue(&agent, &other, 5.0f, 0.02f).direction.z == 0.0f);
        assert_true(kerb_evade(&agent, &other, 50.0f, 5.0f).direction.z == 0.0f);
        assert_true(kerb_offset_pursue(&agent, &other, offset, 5.0f, 0.02f).direction.z == 0.0f);
    }
}

// --------------------------------------------------------------------------- flee and arrive

static void flee_goes_straight_away_from_what_is_near(void** state) {
    (void)state;
    kerb_agent agent = rig_agent(5.0f, 4.0f);
    kerb_steering wish = kerb_flee(&agent, kerb_vec3_make(3, 4, 0), 5.5f);
    assert_near((double)wish.direction.x, -0.6, 1e-6);
    assert_near((double)wish.direction.y, -0.8, 1e-6);
    assert_true(wish.speed == agent.speed_max);
    assert_no_wish(kerb_flee(&agent, kerb_vec3_make(3, 4, 0), 4.5f));
}

static void arrival_stops_at_the_place_from_every_pose(void** state) {
    (void)state;
    kerb_random random = test_random("arrive");
    const int poses = test_share(POSES / 2, POSES / 10);
    for (int i = 0; i < poses; i++) {
        float step = 1.0f / (float)(10 + 10 * kerb_random_below(&random, 12));
        kerb_agent agent = rig_random_agent(&random, 40.0f, step, i % 2 == 0);
        kerb_vec3 target = kerb_vec3_add(agent.position, rig_place(&random, 40.0f, i % 2 == 0));
        agent.speed_max = agent.speed;
        // A place nearer than it can stop is passed, and a round later reached.
        bool too_near =
            kerb_seek_distance(&agent, target) < 0.5f * agent.speed * agent.speed / 6.0f;
        float most = kerb_seek_distance(&agent, target);
        most += too_near ? 4.0f * KERB_PI * agent.turning_radius : 1.0f;
        float steps = (most / agent.speed + 4.0f * agent.speed / agent.braking) / step + 40.0f;
        float near = 0.02f + 0.1f * agent.speed_max * step;
        for (int n = 0; n < (int)steps; n++) {
            kerb_steering wish = kerb_arrive(&agent, target, step);
            agent = kerb_agent_step(&agent, &wish, step);
        }
        if (!(agent.speed < 1e-3f && rig_distance(agent.position, target) < near))
            fail_msg("pose %d at %g Hz: %g m/s, %g m away", i, (double)(1.0f / step),
                     (double)agent.speed, (double)rig_distance(agent.position, target));
    }
}

// v²/2b, and within one step of the time that gaining speed, driving and braking take.
static void arrival_brakes_at_its_stopping_distance(void** state) {
    (void)state;
    for (int i = 1; i <= 20; i++) {
        const float step = 1.0f / 60.0f;
        kerb_agent agent = rig_agent(10.0f, 3.0f);
        agent.braking = 0.5f * (float)i;
        float stopping = 50.0f / agent.braking, before = 10.0f;
        kerb_vec3 target = kerb_vec3_make(150.0f, 0, 0);
        int steps = 0;
        for (; agent.speed > 0.0f; steps++) {
            kerb_steering wish = kerb_arrive(&agent, target, step);
            float left = target.x - agent.position.x;
            agent = kerb_agent_step(&agent, &wish, step);
            assert_true(agent.speed < 10.0f || left > stopping - 1e-3f);
            assert_true(agent.speed == 10.0f || left < stopping + 10.0f * step + 1e-3f);
            assert_true(before - agent.speed <= agent.braking * step + 1e-4f);
            before = agent.speed;
        }
        assert_near((double)agent.position.x, 150.0, 0.011);
        double time = (150.0 - (double)stopping) / 10.0 + 10.0 / (double)agent.braking;
        assert_near(steps / 60.0, time, 0.1);
    }
}

static void at_its_place_arrival_stands_and_the_others_wish_nothing(void** state) {
    (void)state;
    kerb_agent agent = rig_agent(0.0f, 4.0f);
    assert_no_wish(kerb_seek(&agent, origin, 0.02f));
    assert_no_wish(kerb_flee(&agent, origin, 10.0f));
    kerb_steering wish = kerb_arrive(&agent, origin, 0.02f);
    assert_true(wish.speed == 0.0f && wish.direction.x == 1.0f);
}

static void numbers_that_are_none_bring_no_wish(void** state) {
    (void)state;
    const float bad[3] = {(float)NAN, (float)INFINITY, -(float)INFINITY};
    for (int i = 0; i < 3; i++) {
        kerb_vec3 nowhere = kerb_vec3_make(0.0f, bad[i], 0.0f);
        kerb_agent agent = rig_agent(5.0f, 4.0f), broken = agent;
        broken.forward.y = bad[i];
        kerb_agent slow = agent;
        slow.speed = bad[i];
        kerb_vec3 place = kerb_vec3_make(3, 4, 0);
        assert_no_wish(kerb_seek(&agent, nowhere, 0.02f));
        assert_no_wish(kerb_seek(&broken, place, 0.02f));
        assert_no_wish(kerb_seek(&slow, place, 0.02f));
        assert_no_wish(kerb_seek(&agent, place, bad[i]));
        assert_no_wish(kerb_flee(&agent, nowhere, 10.0f));
        assert_no_wish(kerb_arrive(&agent, nowhere, 0.02f));
        assert_no_wish(kerb_arrive(&broken, place, 0.02f));
        assert_true(isnan(kerb_seek_distance(&slow, place)));
    }
}

static void standing_still_or_turning_on_the_spot_is_no_special_case(void** state) {
    (void)state;
    kerb_agent agent = rig_agent(0.0f, 0.0f);
    kerb_steering wish = kerb_seek(&agent, kerb_vec3_make(-3, 4, 0), 0.0f);
    assert_near((double)wish.direction.x, -0.6, 1e-6);
    agent.turning_radius = 5.0f;
    wish = kerb_arrive(&agent, kerb_vec3_make(0, 3, 0), 0.02f);
    assert_true(wish.speed > 0.0f);
    assert_true(wish.direction.y < 0.0f);
}

int steer_point_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_way_to_a_place_is_shorter_than_seeks),
        cmocka_unit_test(ways_that_can_be_told_without_arithmetic_have_their_lengths),
        cmocka_unit_test(seek_arrives_from_every_pose_at_every_rate),
        cmocka_unit_test(seek_arrives_from_every_pose_in_space),
        cmocka_unit_test(a_place_inside_the_turning_circle_is_turned_away_from_first),
        cmocka_unit_test(what_is_level_stays_level_to_the_bit),
        cmocka_unit_test(flee_goes_straight_away_from_what_is_near),
        cmocka_unit_test(arrival_stops_at_the_place_from_every_pose),
        cmocka_unit_test(arrival_brakes_at_its_stopping_distance),
        cmocka_unit_test(at_its_place_arrival_stands_and_the_others_wish_nothing),
        cmocka_unit_test(numbers_that_are_none_bring_no_wish),
        cmocka_unit_test(standing_still_or_turning_on_the_spot_is_no_special_case),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
