// Where to arrive: attacks end with the target in the arc, pursuits behind the target, formations
// in their shape.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kerb/kerb.h"
#include "test/seed.h"

#include <math.h>

#define STEP (1.0f / 30.0f)

static kerb_agent agent_at(float x, float y, float heading, float speed) {
    kerb_agent agent = {.position = {x, y, 0.0f},
                        .forward = {kerb_cos(heading), kerb_sin(heading), 0.0f},
                        .speed = speed,
                        .radius = 1.0f,
                        .turning_radius = 6.0f,
                        .speed_max = 10.0f,
                        .acceleration = 5.0f,
                        .braking = 8.0f};
    return agent;
}

static kerb_agent any_agent(kerb_random* random, float within) {
    return agent_at(kerb_random_between(random, -within, within),
                    kerb_random_between(random, -within, within),
                    kerb_random_between(random, -KERB_PI, KERB_PI), 8.0f);
}

static kerb_directed_seek_settings shortest(void) {
    kerb_directed_seek_settings settings = kerb_directed_seek_settings_default();
    settings.method = KERB_DIRECTED_DUBINS;
    return settings;
}

static float apart(kerb_vec3 a, kerb_vec3 b) {
    return kerb_vec3_length(kerb_vec3_sub(a, b));
}

static kerb_attack_arc any_arc(kerb_random* random) {
    kerb_attack_arc arc = {.range_min = kerb_random_between(random, 0.0f, 20.0f)};
    arc.range_max = arc.range_min + kerb_random_between(random, 5.0f, 20.0f);
    arc.bearing = kerb_random_between(random, -KERB_PI, KERB_PI);
    arc.half_width = kerb_random_between(random, 0.2f, 1.5f);
    return arc;
}

// --------------------------------------------------------------------------- attack

static void from_an_attack_position_the_target_lies_in_the_arc(void** state) {
    (void)state;
    kerb_random random = test_random("from_an_attack_position_the_target_lies_in_the_arc");
    for (int i = 0; i < 2000; i++) {
        kerb_agent agent = any_agent(&random, 60.0f);
        kerb_attack_arc arc = any_arc(&random);
        kerb_vec3 target = any_agent(&random, 60.0f).position;
        kerb_directed_goal goal = kerb_attack_goal(&agent, &arc, target, 3.0f);
        agent.position = goal.position;
        agent.forward = goal.forward;
        assert_true(kerb_attack_reaches(&agent, &arc, target));
        assert_float_equal(kerb_vec3_length(goal.forward), 1.0, 1e-4);
        assert_float_equal(goal.speed, 3.0, 0.0);
    }
}

static void a_target_far_ahead_is_driven_at_straight(void** state) {
    (void)state;
    kerb_agent agent = agent_at(0.0f, 0.0f, 0.0f, 5.0f);
    kerb_attack_arc arc = {5.0f, 25.0f, 0.0f, 0.3f};
    kerb_directed_goal goal =
        kerb_attack_goal(&agent, &arc, kerb_vec3_make(80.0f, 0.0f, 0.0f), 0.0f);
    assert_float_equal(goal.position.x, 58.0, 1e-3);
    assert_float_equal(goal.position.y, 0.0, 1e-3);
    assert_float_equal(goal.forward.x, 1.0, 1e-4);
}

static void within_reach_there_is_nowhere_to_go(void** state) {
    (void)state;
    kerb_agent agent = agent_at(0.0f, 0.0f, 0.0f, 5.0f);
    kerb_attack_arc port = {5.0f, 25.0f, 0.5f * KERB_PI, 0.3f};
    kerb_vec3 target = {1.0f, 20.0f, 0.0f};
    assert_true(kerb_attack_reaches(&agent, &port, target));
    kerb_directed_goal goal = kerb_attack_goal(&agent, &port, target, 0.0f);
    assert_float_equal(apart(goal.position, agent.position), 0.0, 0.0);
    target.y = -20.0f; // to starboard
    assert_false(kerb_attack_reaches(&agent, &port, target));
}

static void attackers_get_their_target_into_the_arc_by_the_way_they_thought_of(void** state) {
    (void)state;
    kerb_random random =
        test_random("attackers_get_their_target_into_the_arc_by_the_way_they_thought_of");
    kerb_directed_seek_settings settings = shortest();
    for (int i = 0; i < 500; i++) {
        kerb_agent agent = any_agent(&random, 50.0f);
        kerb_attack_arc arc = any_arc(&random);
        kerb_vec3 target = any_agent(&random, 50.0f).position;
        agent.speed = agent.speed_max;
        kerb_directed_goal goal = kerb_attack_goal(&agent, &arc, target, agent.speed);
        float planned = -1.0f, driven = 0.0f;
        while (!kerb_attack_reaches(&agent, &arc, target)) {
            kerb_directed_decision thoughts;
            kerb_steering wish = kerb_directed_seek(&settings, &agent, &goal, STEP, &thoughts);
            planned = planned < 0.0f ? thoughts.distance : planned;
            driven += agent.speed * STEP;
            agent = kerb_agent_step(&agent, &wish, STEP);
            assert_true(driven < planned + 0.5f);
        }
    }
}

// --------------------------------------------------------------------------- pursuit

static void a_prediction_goes_on_turning(void** state) {
    (void)state;
    kerb_agent agent = agent_at(3.0f, 4.0f, 0.0f, 5.0f);
    kerb_agent after =
        kerb_agent_predict(&agent, kerb_vec3_make(0.0f, 0.0f, 0.5f), KERB_PI); // a quarter turn
    assert_float_equal(after.position.x, 13.0, 1e-4);
    assert_float_equal(after.position.y, 14.0, 1e-4);
    assert_float_equal(after.forward.y, 1.0, 1e-5);
    after = kerb_agent_predict(&agent, kerb_vec3_make(0.0f, 0.0f, 0.0f), -2.0f);
    assert_float_equal(after.position.x, -7.0, 1e-5);
    // About its own axis it rolls and goes straight on.
    after = kerb_agent_predict(&agent, kerb_vec3_make(3.0f, 0.0f, 0.0f), 2.0f);
    assert_float_equal(after.position.x, 13.0, 1e-4);
    assert_float_equal(after.position.y, 4.0, 1e-4);
}

// In many small steps, about any axis.
static void a_prediction_in_space_is_the_sum_of_small_ones(void** state) {
    (void)state;
    kerb_random random = test_random("a_prediction_in_space_is_the_sum_of_small_ones");
    for (int i = 0; i < 200; i++) {
        kerb_agent agent = any_agent(&random, 10.0f), step = agent;
        kerb_vec3 turning = {kerb_random_between(&random, -1.0f, 1.0f),
                             kerb_random_between(&random, -1.0f, 1.0f),
                             kerb_random_between(&random, -1.0f, 1.0f)};
        for (int k = 0; k < 64; k++)
            step = kerb_agent_predict(&step, turning, 0.05f);
        kerb_agent whole = kerb_agent_predict(&agent, turning, 3.2f);
        assert_float_equal(apart(step.position, whole.position), 0.0, 1e-3);
        assert_float_equal(apart(step.forward, whole.forward), 0.0, 1e-4);
    }
}

// How far the agent is from its place behind the target; far when it faces elsewhere.
static float off_place(const kerb_agent* agent, const kerb_agent* target, kerb_vec3 turning) {
    kerb_agent place = kerb_agent_predict(target, turning, -8.0f / target->speed);
    bool aligned = kerb_vec3_dot(place.forward, agent->forward) > 0.995f;
    return aligned ? apart(place.position, agent->position) : 1e9f;
}

static void pursuers_come_up_behind_their_target_and_stay_there(void** state) {
    (void)state;
    kerb_random random = test_random("pursuers_come_up_behind_their_target_and_stay_there");
    kerb_directed_seek_settings settings = shortest();
    for (int i = 0; i < 100; i++) {
        kerb_agent agent = any_agent(&random, 60.0f), target = any_agent(&random, 60.0f);
        kerb_vec3 turning = {0.0f, 0.0f, kerb_random_between(&random, -0.6f, 0.6f)};
        int arrived = -1;
        for (int k = 0; k < 70 * 30; k++) {
            kerb_steering wish =
                kerb_directed_pursue(&settings, &agent, &target, turning, 8.0f, 20.0f, STEP, NULL);
            agent = kerb_agent_step(&agent, &wish, STEP);
            target = kerb_agent_predict(&target, turning, STEP);
            float off = off_place(&agent, &target, turning);
            // Not when it only passes by.
            bool there = off < 0.5f && fabsf(agent.speed - target.speed) < 0.5f;
            arrived = arrived < 0 && there ? k : arrived;
            if (arrived >= 0) {
                assert_true(off < 1.0f);
                assert_float_equal(agent.speed, target.speed, 1.5);
            }
        }
        assert_true(arrived >= 0);
    }
}

static void who_is_too_slow_to_catch_up_heads_for_the_horizon(void** state) {
    (void)state;
    kerb_directed_seek_settings settings = shortest();
    kerb_agent agent = agent_at(0.0f, 0.0f, 0.0f, 8.0f),
               target = agent_at(30.0f, 0.0f, 0.0f, 20.0f);
    kerb_vec3 straight = {0.0f, 0.0f, 0.0f};
    kerb_directed_goal goal;
    kerb_steering wish =
        kerb_directed_pursue(&settings, &agent, &target, straight, 8.0f, 10.0f, STEP, &goal);
    assert_float_equal(goal.position.x, 222.0, 1e-2);
    assert_float_equal(wish.speed, agent.speed_max, 1e-4);
    assert_float_equal(wish.direction.x, 1.0, 1e-4);
    target.position.x = NAN;
    wish = kerb_directed_pursue(&settings, &agent, &target, straight, 8.0f, 10.0f, STEP, NULL);
    assert_float_equal(wish.direction.x, 0.0, 0.0);
    target.position.x = 30.0f;
    wish = kerb_directed_pursue(&settings, &agent, &target, straight, 8.0f, NAN, STEP, NULL);
    assert_float_equal(wish.direction.x, 0.0, 0.0);
}

// --------------------------------------------------------------------------- formation

enum { MEMBERS = 7 };

typedef struct flight {
    kerb_agent agents[MEMBERS];
    kerb_directed_goal goals[MEMBERS];
    float distance[MEMBERS];
    float arrived[MEMBERS]; // [s]; below 0: not yet
} flight;

static flight flight_to(const kerb_directed_goal* leader) {
    flight f = {.distance = {0.0f}};
    for (int j = 0; j < MEMBERS; j++) {
        kerb_vec3 slot = kerb_formation_slot(KERB_FORMATION_WEDGE, j, MEMBERS, 4.0f);
        f.agents[j] = agent_at(-200.0f + slot.x, slot.y, 0.0f, 6.0f);
        f.goals[j] = kerb_formation_goal(leader, &f.agents[j], slot);
        f.arrived[j] = -1.0f;
    }
    return f;
}

static void step_flight(flight* f, float time) {
    kerb_directed_seek_settings settings = shortest();
    float most = 0.0f;
    for (int j = 0; j < MEMBERS; j++)
        most = kerb_max(most, f->distance[j]);
    for (int j = 0; j < MEMBERS; j++) {
        if (f->arrived[j] >= 0.0f)
            continue;
        kerb_directed_decision thoughts;
        kerb_agent* agent = &f->agents[j];
        agent->speed_max = kerb_formation_speed(6.0f, f->distance[j], most);
        kerb_steering wish = kerb_directed_seek(&settings, agent, &f->goals[j], STEP, &thoughts);
        f->distance[j] = thoughts.distance;
        *agent = kerb_agent_step(agent, &wish, STEP);
        if (thoughts.stage == KERB_DIRECTED_AT_GOAL)
            f->arrived[j] = time;
    }
}

static void a_formation_arrives_together_in_its_shape(void** state) {
    (void)state;
    kerb_random random = test_random("a_formation_arrives_together_in_its_shape");
    for (int i = 0; i < 40; i++) {
        kerb_agent there = any_agent(&random, 60.0f);
        kerb_directed_goal leader = {there.position, there.forward, 6.0f, 24.0f};
        flight f = flight_to(&leader);
        for (int k = 0; k < 120 * 30; k++)
            step_flight(&f, (float)k * STEP);
        for (int j = 0; j < MEMBERS; j++) {
            assert_true(apart(f.agents[j].position, f.goals[j].position) < 0.3f);
            assert_true(kerb_vec3_dot(f.agents[j].forward, leader.forward) > 0.999f);
            assert_float_equal(f.arrived[j], f.arrived[0], 0.2);
        }
    }
}

static void a_leaders_direction_of_any_length_places_the_formation(void** state) {
    (void)state;
    const kerb_vec3 slot = {-4.0f, 3.0f, 0.0f};
    kerb_agent agent = agent_at(0.0f, 0.0f, 0.0f, 6.0f);
    kerb_directed_goal leader = {{50.0f, 20.0f, 0.0f}, {0.0f, 7.0f, 0.0f}, 6.0f, 24.0f};
    kerb_directed_goal goal = kerb_formation_goal(&leader, &agent, slot);
    assert_float_equal(goal.position.x, 47.0, 1e-5);
    assert_float_equal(goal.position.y, 16.0, 1e-5);
    assert_float_equal(goal.forward.y, 1.0, 1e-6);
}

static void the_inner_ones_of_a_bend_are_slower(void** state) {
    (void)state;
    assert_float_equal(kerb_formation_speed(10.0f, 40.0f, 50.0f), 8.0, 1e-5);
    assert_float_equal(kerb_formation_speed(10.0f, 50.0f, 50.0f), 10.0, 0.0);
    assert_float_equal(kerb_formation_speed(10.0f, 0.0f, 0.0f), 10.0, 0.0);
    assert_float_equal(kerb_formation_speed(10.0f, NAN, 50.0f), 10.0, 0.0);
}

// --------------------------------------------------------------------------- bad input

static void numbers_that_are_none_leave_attackers_where_they_are(void** state) {
    (void)state;
    const float bad[] = {NAN, INFINITY, -INFINITY};
    kerb_attack_arc arc = {5.0f, 25.0f, 0.0f, 0.3f};
    for (int i = 0; i < 3; i++) {
        kerb_agent agent = agent_at(1.0f, 2.0f, 0.0f, 5.0f);
        kerb_vec3 target = {bad[i], 0.0f, 0.0f};
        assert_false(kerb_attack_reaches(&agent, &arc, target));
        assert_float_equal(kerb_attack_goal(&agent, &arc, target, 0.0f).position.y, 2.0, 0.0);
        kerb_attack_arc wrong = arc;
        wrong.range_max = bad[i];
        target.x = 90.0f;
        assert_float_equal(kerb_attack_goal(&agent, &wrong, target, 0.0f).position.x, 1.0, 0.0);
    }
}

int directed_goals_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(from_an_attack_position_the_target_lies_in_the_arc),
        cmocka_unit_test(a_target_far_ahead_is_driven_at_straight),
        cmocka_unit_test(within_reach_there_is_nowhere_to_go),
        cmocka_unit_test(attackers_get_their_target_into_the_arc_by_the_way_they_thought_of),
        cmocka_unit_test(a_prediction_goes_on_turning),
        cmocka_unit_test(a_prediction_in_space_is_the_sum_of_small_ones),
        cmocka_unit_test(pursuers_come_up_behind_their_target_and_stay_there),
        cmocka_unit_test(who_is_too_slow_to_catch_up_heads_for_the_horizon),
        cmocka_unit_test(a_formation_arrives_together_in_its_shape),
        cmocka_unit_test(a_leaders_direction_of_any_length_places_the_formation),
        cmocka_unit_test(the_inner_ones_of_a_bend_are_slower),
        cmocka_unit_test(numbers_that_are_none_leave_attackers_where_they_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
