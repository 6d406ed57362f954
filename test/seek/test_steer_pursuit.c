// Pursue, evade, offset pursuit, interpose and hide: times against closed forms and against brute
// force, and what comes of them in closed loop.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "test/seek/steer_rig.h"

static kerb_vec3 velocity_of(const kerb_agent* agent) {
    return kerb_vec3_scale(agent->forward, agent->speed);
}

static void go_on(kerb_agent* agent, float step) {
    agent->position = kerb_vec3_along(agent->position, velocity_of(agent), step);
}

// --------------------------------------------------------------------------- intercept

static void intercept_times_that_can_be_told_are_told(void** state) {
    (void)state;
    kerb_vec3 o = kerb_vec3_make(12, 0, 0);
    assert_near((double)kerb_intercept_time(o, origin, 3), 4.0, 1e-6);
    assert_near((double)kerb_intercept_time(o, kerb_vec3_make(1, 0, 0), 3), 6.0, 1e-6);
    assert_near((double)kerb_intercept_time(o, kerb_vec3_make(-1, 0, 0), 3), 3.0, 1e-6);
    assert_near((double)kerb_intercept_time(o, kerb_vec3_make(0, 4, 0), 5), 4.0, 1e-5);
    assert_near((double)kerb_intercept_time(o, kerb_vec3_make(0, 0, 4), 5), 4.0, 1e-5);
    // As fast: met half way where it comes nearer, never where it does not.
    assert_near((double)kerb_intercept_time(o, kerb_vec3_make(-3, 0, 0), 3), 2.0, 1e-6);
    assert_true(kerb_intercept_time(o, kerb_vec3_make(0, 3, 0), 3) == -1.0f);
    assert_true(kerb_intercept_time(o, kerb_vec3_make(4, 0, 0), 3) == -1.0f);
    // Faster and coming: the first of two times.
    assert_near((double)kerb_intercept_time(o, kerb_vec3_make(-5, 0, 0), 1), 2.0, 1e-6);
    assert_true(kerb_intercept_time(origin, kerb_vec3_make(4, 0, 0), 3) == 0.0f);
    assert_true(kerb_intercept_time(o, kerb_vec3_make((float)NAN, 0, 0), 3) == -1.0f);
    assert_true(kerb_intercept_time(o, origin, (float)NAN) == -1.0f);
    assert_true(kerb_intercept_time(o, origin, 0.0f) == -1.0f);
}

// Walks through time: the first at which the pursuer's reach covers the target.
static double first_time_in_reach(kerb_vec3 o, kerb_vec3 v, float speed, double most) {
    for (double t = 0.0; t <= most; t += 1e-3) {
        double x = (double)o.x + t * (double)v.x, y = (double)o.y + t * (double)v.y;
        double z = (double)o.z + t * (double)v.z, reach = t * (double)speed;
        if (x * x + y * y + z * z <= reach * reach)
            return t;
    }
    return -1.0;
}

static void no_earlier_intercept_is_found_by_walking_through_time(void** state) {
    (void)state;
    kerb_random random = test_random("intercept");
    for (int i = 0; i < 300; i++) {
        kerb_vec3 o = rig_place(&random, 20.0f, i % 2 == 0), v = rig_place(&random, 8.0f, false);
        float speed = kerb_random_between(&random, 0.5f, 12.0f);
        double time = (double)kerb_intercept_time(o, v, speed);
        double walked = first_time_in_reach(o, v, speed, 20.0);
        if (time >= 0.0 && time < 19.9)
            assert_near(time, walked, 2e-3);
        else if (time < 0.0 || time > 20.1)
            assert_true(walked < 0.0);
    }
}

// --------------------------------------------------------------------------- pursue and evade

// The first time at which the pursuer's shortest way to where the target then is takes no longer.
static float first_time_to_meet(const kerb_agent* agent, const kerb_agent* target) {
    float t = 0.0f;
    for (; t < 100.0f; t += 0.01f) {
        kerb_vec3 there = kerb_vec3_along(target->position, velocity_of(target), t);
        if (kerb_seek_distance(agent, there) <= t * agent->speed_max)
            break;
    }
    return t;
}

static void a_slower_target_is_always_met_and_nearly_always_at_the_first_time_possible(
    void** state) {
    (void)state;
    kerb_random random = test_random("pursue");
    int late = 0; // where a way leads along the turning circle's very edge it may need a second try
    for (int i = 0; i < 1000; i++) {
        const float step = 1.0f / 60.0f;
        kerb_agent agent = rig_random_agent(&random, 40.0f, step, i % 2 == 0);
        kerb_agent target = rig_random_agent(&random, 40.0f, step, i % 2 == 0);
        target.speed = kerb_random_between(&random, 0.0f, 0.8f) * agent.speed;
        float expected = first_time_to_meet(&agent, &target), time = 0.0f;
        float nearest = rig_distance(agent.position, target.position);
        for (; time < 20.0f * expected + 60.0f && nearest > agent.speed * step; time += step) {
            kerb_steering wish = kerb_pursue(&agent, &target, 100.0f, step);
            agent = kerb_agent_step(&agent, &wish, step);
            go_on(&target, step);
            nearest = kerb_min(nearest, rig_distance(agent.position, target.position));
        }
        assert_true(nearest <= agent.speed_max * step);
        late += time > 1.1f * expected + 0.2f;
    }
    assert_true(late <= 50);
}

static void a_target_that_cannot_be_caught_is_followed(void** state) {
    (void)state;
    kerb_agent agent = rig_agent(5.0f, 2.0f), target = rig_agent(30.0f, 2.0f);
    target.position = kerb_vec3_make(20, 0, 0);
    target.forward = kerb_vec3_make(0, 1, 0);
    kerb_steering wish = kerb_pursue(&agent, &target, 2.0f, 0.0f);
    assert_near((double)(wish.direction.y / wish.direction.x), 3.0, 1e-4);
    assert_no_wish(kerb_pursue(&agent, &agent, 2.0f, 0.02f));
    assert_no_wish(kerb_pursue(&agent, &target, (float)NAN, 0.02f));
}

static void a_threat_that_comes_straight_at_one_is_not_fled_towards(void** state) {
    (void)state;
    kerb_agent agent = rig_agent(5.0f, 2.0f), threat = rig_agent(20.0f, 2.0f);
    for (int i = 1; i < 40; i++) {
        threat.position = kerb_vec3_make((float)i, 0.2f, 0);
        threat.forward = kerb_vec3_make(-1, 0, 0);
        kerb_steering wish = kerb_evade(&agent, &threat, 100.0f, 10.0f);
        assert_true(wish.direction.x < 0.0f);
    }
    threat.position = kerb_vec3_make(30, 0, 0);
    assert_no_wish(kerb_evade(&agent, &threat, 29.0f, 10.0f));
    // One that stands is fled from as such.
    threat.speed = agent.speed = 0.0f;
    kerb_steering flee = kerb_flee(&agent, threat.position, 100.0f);
    assert_true(kerb_evade(&agent, &threat, 100.0f, 10.0f).direction.x == flee.direction.x);
}

static void a_slower_pursuer_never_catches_who_evades(void** state) {
    (void)state;
    kerb_random random = test_random("evade");
    for (int i = 0; i < 200; i++) {
        const float step = 1.0f / 30.0f;
        kerb_agent agent = rig_random_agent(&random, 5.0f, step, true), threat = agent;
        threat.position = kerb_vec3_along(agent.position, rig_direction(&random, true),
                                          8.0f * agent.turning_radius);
        threat.forward = rig_direction(&random, true);
        threat.speed = threat.speed_max = 0.7f * agent.speed;
        for (int n = 0; n < 600; n++) {
            kerb_steering flees = kerb_evade(&agent, &threat, 1000.0f, 5.0f);
            kerb_steering hunts = kerb_pursue(&threat, &agent, 10.0f, step);
            agent = kerb_agent_step(&agent, &flees, step);
            threat = kerb_agent_step(&threat, &hunts, step);
            assert_true(rig_distance(agent.position, threat.position) > agent.turning_radius);
        }
    }
}

// --------------------------------------------------------------------------- companions

static void a_companion_comes_to_its_place_and_drives_along(void** state) {
    (void)state;
    kerb_random random = test_random("offset");
    for (int i = 0; i < 300; i++) {
        const float step = 1.0f / 30.0f;
        bool level = i % 2 == 0;
        kerb_agent agent = rig_random_agent(&random, 50.0f, step, level), leader = agent;
        leader.position = rig_place(&random, 50.0f, level);
        leader.forward = rig_direction(&random, level);
        leader.speed = kerb_random_between(&random, 0.3f, 0.8f) * agent.speed_max;
        kerb_vec3 offset = rig_place(&random, 10.0f, true), place = origin;
        // It may have to wait for a leader that is hardly faster than it waits.
        int steps = 3000 + (int)(120.0f * (50.0f + agent.turning_radius) / leader.speed);
        for (int n = 0; n < steps; n++) {
            kerb_steering wish = kerb_offset_pursue(&agent, &leader, offset, 20.0f, step);
            agent = kerb_agent_step(&agent, &wish, step);
            go_on(&leader, step);
        }
        kerb_vec3 left = kerb_vec3_make(-leader.forward.y, leader.forward.x, 0.0f);
        left = kerb_vec3_unit(left, origin);
        place = kerb_vec3_along(leader.position, leader.forward, offset.x);
        place = kerb_vec3_along(place, left, offset.y);
        if (!(rig_distance(agent.position, place) < 0.1f &&
              kerb_abs(agent.speed - leader.speed) < 0.1f &&
              kerb_vec3_dot(agent.forward, leader.forward) > 0.999f))
            fail_msg("companion %d: %g m off, %g of %g m/s, radius %g", i,
                     (double)rig_distance(agent.position, place), (double)agent.speed,
                     (double)leader.speed, (double)agent.turning_radius);
    }
}

static void between_two_that_stand_it_stops_in_the_middle(void** state) {
    (void)state;
    kerb_agent agent = rig_agent(5.0f, 3.0f), first = rig_agent(0.0f, 3.0f), second = first;
    first.position = kerb_vec3_make(30, 10, 0);
    second.position = kerb_vec3_make(10, 30, 0);
    for (int n = 0; n < 600; n++) {
        kerb_steering wish = kerb_interpose(&agent, &first, &second, 20.0f, 1.0f / 30.0f);
        agent = kerb_agent_step(&agent, &wish, 1.0f / 30.0f);
    }
    assert_near((double)agent.position.x, 20.0, 0.03);
    assert_near((double)agent.position.y, 20.0, 0.03);
    assert_true(agent.speed == 0.0f);
}

static void between_two_that_move_it_goes_to_where_their_middle_will_be(void** state) {
    (void)state;
    kerb_agent agent = rig_agent(10.0f, 3.0f), first = rig_agent(6.0f, 3.0f), second = first;
    first.position = kerb_vec3_make(20, 40, 0);
    second.position = kerb_vec3_make(40, 20, 0);
    first.forward = kerb_vec3_make(0, -1, 0);
    second.forward = kerb_vec3_make(0, 1, 0);
    second.speed = 7.0f; // the middle moves at 0.5 m/s
    for (int n = 0; n < 900; n++) {
        kerb_steering wish = kerb_interpose(&agent, &first, &second, 20.0f, 1.0f / 30.0f);
        agent = kerb_agent_step(&agent, &wish, 1.0f / 30.0f);
        go_on(&first, 1.0f / 30.0f), go_on(&second, 1.0f / 30.0f);
    }
    kerb_vec3 middle = kerb_vec3_scale(kerb_vec3_add(first.position, second.position), 0.5f);
    assert_true(rig_distance(agent.position, middle) < 0.2f);
}

// --------------------------------------------------------------------------- hide

static void who_hides_ends_where_the_threat_cannot_see_it(void** state) {
    (void)state;
    kerb_random random = test_random("hide");
    for (int i = 0; i < 200; i++) {
        const float step = 1.0f / 30.0f;
        kerb_obstacle obstacles[4];
        for (int k = 0; k < 4; k++)
            obstacles[k] = kerb_obstacle_round(rig_place(&random, 50.0f, i % 2 == 0),
                                               kerb_random_between(&random, 2.0f, 4.0f));
        kerb_agent agent = rig_random_agent(&random, 50.0f, step, i % 2 == 0);
        kerb_vec3 threat = rig_place(&random, 80.0f, i % 2 == 0);
        for (int n = 0; n < 2400; n++) {
            kerb_steering wish = kerb_hide(&agent, threat, obstacles, 4, 0.5f, step);
            agent = kerb_agent_step(&agent, &wish, step);
        }
        kerb_obstacle sight = kerb_obstacle_between(threat, agent.position);
        bool hidden = false;
        for (int k = 0; k < 4; k++) {
            kerb_vec3 along = kerb_vec3_sub(sight.to, sight.from), m = obstacles[k].from;
            float t = kerb_vec3_dot(kerb_vec3_sub(m, threat), along) / kerb_vec3_dot(along, along);
            kerb_vec3 foot = kerb_vec3_along(threat, along, kerb_clamp(t, 0.0f, 1.0f));
            hidden = hidden || rig_distance(foot, m) < obstacles[k].radius;
        }
        if (!(hidden && agent.speed == 0.0f))
            fail_msg("%d is seen, or at %g m/s", i, (double)agent.speed);
    }
    kerb_agent agent = rig_agent(5.0f, 3.0f);
    assert_no_wish(kerb_hide(&agent, origin, NULL, 0, 0.5f, 0.02f));
}

static void behind_a_wall_is_beyond_its_nearest_point(void** state) {
    (void)state;
    kerb_agent agent = rig_agent(5.0f, 0.0f);
    agent.radius = 0.5f;
    agent.position = kerb_vec3_make(3, 30, 0);
    kerb_obstacle wall = kerb_obstacle_between(kerb_vec3_make(-9, 5, 0), kerb_vec3_make(9, 5, 0));
    kerb_steering wish = kerb_hide(&agent, kerb_vec3_make(3, 0, 0), &wall, 1, 1.0f, 0.0f);
    assert_near((double)wish.direction.x, 0.0, 1e-6);
    agent.position = kerb_vec3_make(3, 6.5f, 0);
    wish = kerb_hide(&agent, kerb_vec3_make(3, 0, 0), &wall, 1, 1.0f, 0.0f);
    assert_true(wish.speed == 0.0f);
}

int steer_pursuit_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(intercept_times_that_can_be_told_are_told),
        cmocka_unit_test(no_earlier_intercept_is_found_by_walking_through_time),
        cmocka_unit_test(
            a_slower_target_is_always_met_and_nearly_always_at_the_first_time_possible),
        cmocka_unit_test(a_target_that_cannot_be_caught_is_followed),
        cmocka_unit_test(a_threat_that_comes_straight_at_one_is_not_fled_towards),
        cmocka_unit_test(a_slower_pursuer_never_catches_who_evades),
        cmocka_unit_test(a_companion_comes_to_its_place_and_drives_along),
        cmocka_unit_test(between_two_that_stand_it_stops_in_the_middle),
        cmocka_unit_test(between_two_that_move_it_goes_to_where_their_middle_will_be),
        cmocka_unit_test(who_hides_ends_where_the_threat_cannot_see_it),
        cmocka_unit_test(behind_a_wall_is_beyond_its_nearest_point),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
