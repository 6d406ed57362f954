// What an agent does with a wish, against circles and the arithmetic of uniform acceleration.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kerb/steer.h"
#include "test/seed.h"

#include <math.h>

static kerb_agent middling(void) {
    kerb_agent agent = {.forward = {1.0f, 0.0f, 0.0f},
                        .speed = 10.0f,
                        .radius = 1.0f,
                        .turning_radius = 8.0f,
                        .speed_max = 20.0f,
                        .acceleration = 4.0f,
                        .braking = 8.0f};
    return agent;
}

static kerb_steering towards(float x, float y, float z, float speed) {
    kerb_steering wish = {{x, y, z}, speed};
    return wish;
}

static void near_to(float a, float b, float tolerance) {
    if (!(fabsf(a - b) <= tolerance))
        fail_msg("%.9g is not %.9g", (double)a, (double)b);
}

static void no_wish_goes_on_as_now(void** state) {
    (void)state;
    kerb_agent agent = middling();
    kerb_steering none = kerb_steering_none();
    kerb_agent after = kerb_agent_step(&agent, &none, 0.1f);
    near_to(after.position.x, 1.0f, 1e-6f);
    near_to(after.position.y, 0.0f, 0.0f);
    near_to(after.speed, 10.0f, 0.0f);
    kerb_vec3 force = kerb_steering_force(&agent, &none, 100.0f, 0.1f);
    near_to(kerb_vec3_length(force), 0.0f, 0.0f);
}

static void turning_all_the_time_drives_the_tightest_circle(void** state) {
    (void)state;
    kerb_agent agent = middling();
    for (int i = 0; i < 200; i++) {
        kerb_steering wish = towards(-agent.forward.y, agent.forward.x, 0.0f, 10.0f);
        agent = kerb_agent_step(&agent, &wish, 1.0f / 30.0f);
        float off = kerb_vec2_length(kerb_vec2_make(agent.position.x, agent.position.y - 8.0f));
        near_to(off, 8.0f, 1e-4f);
    }
    float turned = 200.0f / 30.0f * 10.0f / 8.0f;
    near_to(agent.forward.x, cosf(turned), 2e-4f);
    near_to(agent.forward.y, sinf(turned), 2e-4f);
}

static void a_wish_within_reach_is_met_exactly(void** state) {
    (void)state;
    kerb_random random = test_random("a_wish_within_reach_is_met_exactly");
    for (int i = 0; i < 2000; i++) {
        kerb_agent agent = middling();
        float heading = kerb_random_between(&random, -3.0f, 3.0f);
        float turn = kerb_random_between(&random, -0.12f, 0.12f);
        agent.forward = kerb_vec3_make(cosf(heading), sinf(heading), 0.0f);
        kerb_steering wish = towards(cosf(heading + turn), sinf(heading + turn), 0.0f, 10.0f);
        kerb_agent after = kerb_agent_step(&agent, &wish, 0.1f);
        near_to(after.forward.x, wish.direction.x, 1e-5f);
        near_to(after.forward.y, wish.direction.y, 1e-5f);
        near_to(after.position.z, 0.0f, 0.0f);
        near_to(after.forward.z, 0.0f, 0.0f);
        float chord = kerb_vec3_length(after.position);
        near_to(chord, 1.0f - turn * turn / 24.0f, 1e-5f);
    }
}

static void straight_ahead_stays_straight(void** state) {
    (void)state;
    kerb_random random = test_random("straight_ahead_stays_straight");
    for (int i = 0; i < 2000; i++) {
        kerb_agent agent = middling();
        float heading = kerb_random_between(&random, -3.0f, 3.0f);
        agent.forward = kerb_vec3_make(kerb_cos(heading), kerb_sin(heading), 0.0f);
        kerb_steering wish = {agent.forward, 10.0f};
        wish.direction.x += kerb_random_between(&random, -1e-7f, 1e-7f);
        kerb_agent after = kerb_agent_step(&agent, &wish, 0.1f);
        near_to(after.forward.x, agent.forward.x, 1e-6f);
        near_to(after.forward.y, agent.forward.y, 1e-6f);
    }
}

static void speed_changes_within_the_limits_and_the_way_is_their_integral(void** state) {
    (void)state;
    kerb_agent agent = middling();
    kerb_steering faster = towards(1.0f, 0.0f, 0.0f, 20.0f);
    kerb_agent after = kerb_agent_step(&agent, &faster, 0.5f);
    near_to(after.speed, 12.0f, 1e-5f);
    near_to(after.position.x, 5.5f, 1e-5f);
    kerb_steering slower = towards(1.0f, 0.0f, 0.0f, 8.0f); // reached after a quarter of a second
    after = kerb_agent_step(&agent, &slower, 0.5f);
    near_to(after.speed, 8.0f, 1e-5f);
    near_to(after.position.x, 0.25f * 9.0f + 0.25f * 8.0f, 1e-5f);
    agent.speed = 2.0f;
    kerb_steering back = towards(1.0f, 0.0f, 0.0f, -5.0f); // stands after 0.25 s, then in reverse
    after = kerb_agent_step(&agent, &back, 0.5f);
    near_to(after.speed, -1.0f, 1e-5f);
    near_to(after.position.x, 0.25f - 0.125f, 1e-5f);
}

static void in_reverse_the_front_turns_the_same_way_and_the_body_moves_back(void** state) {
    (void)state;
    kerb_agent agent = middling();
    agent.speed = -4.0f;
    kerb_steering wish = towards(0.0f, 1.0f, 0.0f, -4.0f);
    kerb_agent after = kerb_agent_step(&agent, &wish, 0.5f);
    near_to(after.forward.y, sinf(0.25f), 1e-5f);
    near_to(after.position.x, -8.0f * sinf(0.25f), 1e-4f);
    near_to(after.position.y, -8.0f * (1.0f - cosf(0.25f)), 1e-4f);
}

static void the_force_is_what_the_step_needs(void** state) {
    (void)state;
    kerb_agent agent = middling();
    kerb_steering left = towards(0.0f, 1.0f, 0.0f, 10.0f);
    kerb_vec3 force = kerb_steering_force(&agent, &left, 1000.0f, 1.0f / 60.0f);
    near_to(force.y, 1000.0f * 100.0f / 8.0f, 1.0f);
    near_to(force.x, 0.0f, 0.1f);
    kerb_steering brake = towards(1.0f, 0.0f, 0.0f, 0.0f);
    force = kerb_steering_force(&agent, &brake, 1000.0f, 1.0f / 60.0f);
    near_to(force.x, -8000.0f, 1.0f);
    kerb_steering gently = towards(1.0f, 0.001f, 0.0f, 10.0f);
    force = kerb_steering_force(&agent, &gently, 1000.0f, 1.0f / 60.0f);
    near_to(force.y, 1000.0f * 10.0f * 0.001f * 60.0f, 1.0f);
}

static void a_wish_straight_astern_turns_left(void** state) {
    (void)state;
    kerb_agent agent = middling();
    kerb_steering astern = towards(-1.0f, 0.0f, 0.0f, 10.0f);
    kerb_agent after = kerb_agent_step(&agent, &astern, 0.1f);
    near_to(after.forward.y, sinf(0.125f), 1e-5f);
}

static void a_vehicle_turns_wider_when_grip_limits_it(void** state) {
    (void)state;
    kerb_vehicle vehicle = kerb_vehicle_default();
    kerb_motion motion = kerb_motion_default();
    motion.velocity.x = 1.0f;
    kerb_agent slow = kerb_agent_of(&vehicle, &motion);
    motion.velocity.x = 30.0f;
    kerb_agent fast = kerb_agent_of(&vehicle, &motion);
    near_to(slow.turning_radius, kerb_vehicle_turning_radius(&vehicle), 0.05f);
    near_to(fast.turning_radius, 900.0f / vehicle.lateral_acceleration_max, 0.1f);
    near_to(fast.position.x, vehicle.reference_to_front - 0.5f * vehicle.length, 1e-6f);
    near_to(fast.radius, 0.5f * hypotf(vehicle.length, vehicle.width), 1e-5f);
    near_to(fast.speed, 30.0f, 1e-4f);
}

static void numbers_that_are_none_change_nothing(void** state) {
    (void)state;
    kerb_agent agent = middling();
    kerb_steering wish = towards(NAN, 1.0f, 0.0f, 10.0f);
    kerb_agent after = kerb_agent_step(&agent, &wish, 0.1f);
    near_to(after.position.x, 1.0f, 1e-6f);
    kerb_steering left = towards(0.0f, 1.0f, 0.0f, 10.0f);
    const float steps[] = {0.0f, -1.0f, NAN, INFINITY};
    for (int i = 0; i < 4; i++) {
        after = kerb_agent_step(&agent, &left, steps[i]);
        near_to(after.position.x, 0.0f, 0.0f);
        near_to(after.forward.x, 1.0f, 0.0f);
        near_to(kerb_vec3_length(kerb_steering_force(&agent, &left, 10.0f, steps[i])), 0.0f, 0.0f);
    }
}

int steer_agent_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_wish_goes_on_as_now),
        cmocka_unit_test(turning_all_the_time_drives_the_tightest_circle),
        cmocka_unit_test(a_wish_within_reach_is_met_exactly),
        cmocka_unit_test(straight_ahead_stays_straight),
        cmocka_unit_test(speed_changes_within_the_limits_and_the_way_is_their_integral),
        cmocka_unit_test(in_reverse_the_front_turns_the_same_way_and_the_body_moves_back),
        cmocka_unit_test(the_force_is_what_the_step_needs),
        cmocka_unit_test(a_wish_straight_astern_turns_left),
        cmocka_unit_test(a_vehicle_turns_wider_when_grip_limits_it),
        cmocka_unit_test(numbers_that_are_none_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
