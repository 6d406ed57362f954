// Behaviours of steer, seek, cars and group with any numbers at all: what they return is finite,
// and a direction has unit length or is zero.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kerb/cars.h"
#include "kerb/group.h"
#include "test/seed.h"

#include <math.h>

// Mostly usual numbers; else of any size and sign, or not a number.
static float any_number(kerb_random* random, float usual) {
    int32_t pick = kerb_random_below(random, 24);
    if (pick == 0)
        return (const float[]){NAN, INFINITY, -INFINITY, 0.0f}[kerb_random_below(random, 4)];
    if (pick <= 4) {
        float sign = kerb_random_below(random, 2) ? 1.0f : -1.0f;
        return sign * powf(10.0f, kerb_random_between(random, -40.0f, 38.5f));
    }
    return kerb_random_between(random, -usual, usual);
}

static kerb_vec3 any_place(kerb_random* random) {
    float x = any_number(random, 100.0f), y = any_number(random, 100.0f);
    return kerb_vec3_make(x, y, kerb_random_below(random, 2) ? 0.0f : any_number(random, 30.0f));
}

static kerb_vec3 any_direction(kerb_random* random) {
    if (kerb_random_below(random, 8) == 0)
        return any_place(random);
    kerb_vec3 a = {kerb_random_between(random, -1.0f, 1.0f),
                   kerb_random_between(random, -1.0f, 1.0f),
                   kerb_random_below(random, 2) ? 0.0f : kerb_random_between(random, -1.0f, 1.0f)};
    return kerb_vec3_unit(a, kerb_vec3_make(1.0f, 0.0f, 0.0f));
}

static float any_size(kerb_random* random, float usual) {
    return fabsf(any_number(random, usual));
}

static kerb_agent any_agent(kerb_random* random) {
    kerb_agent agent = {any_place(random),      any_direction(random),   any_number(random, 30),
                        any_size(random, 3.0f), any_size(random, 20.0f), any_size(random, 40.0f),
                        any_size(random, 8.0f), any_size(random, 10.0f)};
    return agent;
}

static kerb_neighbour any_car(kerb_random* random) {
    kerb_vec3 forward = any_direction(random);
    kerb_neighbour car = {.position = any_place(random),
                          .velocity = any_place(random),
                          .forward = {forward.x, forward.y},
                          .yaw_rate = any_number(random, 1.0f),
                          .length = any_size(random, 6.0f),
                          .width = any_size(random, 2.0f)};
    return car;
}

static kerb_obstacle any_obstacle(kerb_random* random) {
    kerb_obstacle obstacle = {any_place(random), any_place(random), any_size(random, 5.0f)};
    return obstacle;
}

static kerb_steering any_steering(kerb_random* random) {
    kerb_steering steering = {any_direction(random), any_number(random, 30.0f)};
    return steering;
}

static float any_time(kerb_random* random) {
    return any_size(random, 0.1f);
}

static void expect_sound(kerb_steering wish) {
    assert_true(kerb_vec3_is_finite(wish.direction) && kerb_is_finite(wish.speed));
    float length = kerb_vec3_length(wish.direction);
    assert_true(length == 0.0f || fabsf(length - 1.0f) < 2e-3f);
}

static void expect_finite(const void* struct_of_floats, size_t bytes) {
    const float* numbers = struct_of_floats;
    for (size_t i = 0; i < bytes / sizeof *numbers; i++)
        assert_true(kerb_is_finite(numbers[i]));
}

enum { ROUNDS = 30000 };

static void behaviours_of_one_agent_return_finite_numbers_for_any_numbers(void** state) {
    (void)state;
    kerb_random random = test_random("numbers of one");
    kerb_wander wander = kerb_wander_make(1);
    const kerb_wander_settings wanders = kerb_wander_settings_default();
    kerb_avoid_obstacles_settings avoids = kerb_avoid_obstacles_settings_default();
    for (int i = 0; i < ROUNDS; i++) {
        kerb_agent agent = any_agent(&random), other = any_agent(&random);
        kerb_vec3 place = any_place(&random);
        float step = any_time(&random), size = any_size(&random, 20.0f);
        kerb_obstacle walls[3] = {any_obstacle(&random), any_obstacle(&random),
                                  any_obstacle(&random)};
        kerb_steering wish = any_steering(&random);
        expect_sound(kerb_seek(&agent, place, step));
        expect_sound(kerb_flee(&agent, place, size));
        expect_sound(kerb_arrive(&agent, place, step));
        expect_sound(kerb_pursue(&agent, &other, size, step));
        expect_sound(kerb_evade(&agent, &other, size, any_size(&random, 5.0f)));
        expect_sound(kerb_offset_pursue(&agent, &other, place, size, step));
        expect_sound(kerb_interpose(&agent, &other, &agent, size, step));
        expect_sound(kerb_hide(&agent, place, walls, 3, size, step));
        expect_sound(kerb_wander_steer(&wander, &wanders, &agent, step));
        expect_sound(kerb_follow_wall(&agent, walls, 3, i % 2 ? 1 : -1, size, step));
        expect_finite(&(float){kerb_intercept_time(place, other.position, size)}, sizeof(float));
        // A horizon so short that a share of it rounds to nothing, and any other.
        float horizon = i % 4 == 0 ? 1e-45f : size;
        float free = kerb_free_distance(&agent, place, walls, 3, step, horizon);
        assert_true(free >= 0.0f && (free <= horizon || !(horizon >= 0.0f)));
        if (i % 8 == 0) {
            avoids.space = i % 16 == 0;
            kerb_steering kept = kerb_avoid_obstacles(&avoids, &agent, &wish, walls, 3, size, step);
            if (kerb_vec3_is_finite(wish.direction) && kerb_is_finite(wish.speed))
                assert_true(kerb_vec3_is_finite(kept.direction) && kerb_is_finite(kept.speed));
        }
    }
}

static void regions_flows_and_maps_give_finite_numbers_for_any_numbers(void** state) {
    (void)state;
    kerb_random random = test_random("numbers of regions");
    for (int i = 0; i < ROUNDS / 2; i++) {
        kerb_agent agent = any_agent(&random);
        kerb_vec2 corners[4] = {{-50.0f, -50.0f}, {50.0f, -50.0f}, {50.0f, 50.0f}, {-50.0f, 50.0f}};
        kerb_vec3 odd = any_place(&random);
        corners[i % 4] = kerb_vec2_make(odd.x, odd.y);
        kerb_region region = {.kind = i % 3,
                              .corners = corners,
                              .corner_count = 4,
                              .box_min = any_place(&random),
                              .box_max = any_place(&random),
                              .centre = any_place(&random),
                              .radius = any_size(&random, 100.0f)};
        expect_sound(kerb_contain(&agent, &region, any_size(&random, 2.0f), any_time(&random)));
        kerb_vec3 directions[4] = {any_direction(&random), any_direction(&random),
                                   any_direction(&random), any_direction(&random)};
        kerb_flow_field field = {
            directions, 2, 2, 1, any_place(&random), any_size(&random, 10.0f) + 1e-30f};
        if (field.spacing > 0.0f)
            expect_sound(kerb_follow_flow(&agent, &field, any_time(&random)));
        kerb_context context = kerb_context_make(i % 2 == 0);
        kerb_obstacle wall = any_obstacle(&random);
        for (int n = 0; n < 2; n++) {
            kerb_steering wish = any_steering(&random);
            kerb_context_add_steering(&context, &wish, any_number(&random, 3.0f));
        }
        kerb_context_add_danger(&context, any_direction(&random), any_number(&random, 1.0f));
        if (i % 16 == 0)
            kerb_context_add_obstacles(&context, &agent, &wall, 1, any_size(&random, 1.0f),
                                       any_size(&random, 30.0f), any_time(&random));
        expect_sound(kerb_context_decide(&context));
        const kerb_steering both[2] = {any_steering(&random), any_steering(&random)};
        const float weights[2] = {any_number(&random, 1.0f), any_number(&random, 1.0f)};
        expect_sound(kerb_steering_blend(both, weights, 2));
        expect_sound(kerb_steering_priority(both, weights, 2));
    }
}

static void directed_behaviours_return_finite_numbers_for_any_numbers(void** state) {
    (void)state;
    kerb_random random = test_random("numbers of directed seek");
    kerb_directed_seek_settings settings = kerb_directed_seek_settings_default();
    for (int i = 0; i < ROUNDS; i++) {
        settings.method = kerb_random_below(&random, 4);
        settings.radius = kerb_random_below(&random, 3);
        settings.space = kerb_random_below(&random, 3);
        kerb_agent agent = any_agent(&random), other = any_agent(&random);
        kerb_directed_goal goal = {any_place(&random), any_direction(&random),
                                   any_size(&random, 20.0f), any_size(&random, 20.0f)};
        kerb_directed_decision decision;
        expect_sound(kerb_directed_seek(&settings, &agent, &goal, any_time(&random), &decision));
        expect_finite(&decision.turning,
                      sizeof decision - offsetof(kerb_directed_decision, turning));
        if (i % 8 != 0)
            continue;
        kerb_vec3 turning = kerb_vec3_make(0.0f, 0.0f, any_number(&random, 1.0f));
        expect_sound(kerb_directed_pursue(&settings, &agent, &other, turning,
                                          any_size(&random, 10.0f), any_size(&random, 10.0f),
                                          any_time(&random), NULL));
    }
}

// A level seek of a pitched agent: its front, seen from above, has a unit direction too.
static void a_pitched_agent_on_the_level_gets_a_direction_of_unit_length(void** state) {
    (void)state;
    kerb_random random = test_random("pitched");
    kerb_directed_seek_settings settings = kerb_directed_seek_settings_default();
    for (int i = 0; i < 2000; i++) {
        settings.method = i % 4;
        kerb_agent agent = {
            {60, 45, 58}, {0.6652409f, 0.5470045f, 0.5081738f}, 5, 2.5f, 3, 25, 6, 4};
        agent.forward.z = kerb_random_between(&random, -1.0f, 1.0f);
        agent.forward = kerb_vec3_unit(agent.forward, kerb_vec3_make(1, 0, 0));
        kerb_directed_goal goal = {{kerb_random_between(&random, 0.0f, 90.0f),
                                    kerb_random_between(&random, 0.0f, 90.0f), 0},
                                   {0, -1, 0},
                                   17.5f,
                                   12.7f};
        kerb_steering wish = kerb_directed_seek(&settings, &agent, &goal, 0.0123f, NULL);
        assert_true(fabsf(kerb_vec3_length(wish.direction) - 1.0f) < 1e-4f);
        assert_true(wish.direction.z == 0.0f);
    }
}

static void cars_return_finite_numbers_for_any_numbers(void** state) {
    (void)state;
    kerb_random random = test_random("numbers of cars");
    const kerb_cars_settings settings = kerb_cars_settings_default();
    kerb_trail trail = {0};
    kerb_box box = {0};
    for (int i = 0; i < ROUNDS / 2; i++) {
        kerb_agent agent = any_agent(&random);
        kerb_neighbour cars[3] = {any_car(&random), any_car(&random), any_car(&random)};
        kerb_neighbour target = any_car(&random);
        kerb_obstacle wall = any_obstacle(&random);
        kerb_vec2 size = {any_size(&random, 6.0f), any_size(&random, 2.0f)};
        float step = any_time(&random);
        kerb_interception met;
        expect_sound(kerb_chase(&settings, &agent, &target, NULL, i % 2 == 0, step, &met));
        kerb_vec3 predicted = kerb_predict_car(&target, NULL, any_size(&random, 5.0f));
        assert_true(kerb_vec3_is_finite(predicted));
        met = kerb_intercept_car(&agent, &target, NULL, any_size(&random, 5.0f));
        assert_true(kerb_vec3_is_finite(met.position) && kerb_is_finite(met.time));
        expect_sound(kerb_keep_place(&settings, &agent, &target, size, size.y));
        kerb_box_assign(&box, &settings, &target, cars, 3);
        expect_sound(
            kerb_box_in(&box, &settings, i % 3, &agent, cars, &target, &wall, 1, step, NULL));
        expect_sound(kerb_escort(&box, &settings, i % 3, &agent, cars, &target));
        expect_sound(kerb_block(&settings, &agent, &target, NULL, i % 2 == 0, size, step));
        expect_sound(kerb_escape(&settings, &agent, size, cars, 3, &wall, 1));
        kerb_trail_record(&trail, any_place(&random));
        expect_sound(kerb_convoy(&trail, &settings, &agent, &target, &cars[0], size.x));
    }
}

enum { GROUP = 6 };

static void groups_return_finite_numbers_for_any_numbers(void** state) {
    (void)state;
    kerb_random random = test_random("numbers of groups");
    float of[12][GROUP];
    const kerb_agents agents = {GROUP, of[0], of[1], of[2], of[3],  of[4], of[5],
                                of[6], of[7], of[8], of[9], of[10], of[11]};
    const kerb_flock_settings flocks = kerb_flock_settings_default();
    kerb_avoid_agents_settings avoids = kerb_avoid_agents_settings_default();
    for (int i = 0; i < ROUNDS / 2; i++) {
        for (int32_t n = 0; n < GROUP; n++) {
            kerb_agent one = any_agent(&random);
            kerb_agents_set(&agents, n, &one);
        }
        kerb_agent agent = kerb_agents_get(&agents, 0), leader = kerb_agents_get(&agents, 1);
        kerb_group group = {&agents, NULL, GROUP, 0};
        float size = any_size(&random, 20.0f), step = any_time(&random);
        expect_sound(kerb_separation(&agent, &group, size));
        expect_sound(kerb_alignment(&agent, &group, size));
        expect_sound(kerb_cohesion(&agent, &group, size));
        kerb_steering wish = kerb_flock_steer(&flocks, &agent, &group);
        assert_true(kerb_vec3_is_finite(wish.direction) && kerb_is_finite(wish.speed));
        kerb_steering desired = any_steering(&random);
        avoids.space = i % 2;
        if (i % 4 == 0)
            expect_sound(kerb_avoid_agents(&avoids, &agent, &desired, &group, step));
        kerb_gate gate = {any_place(&random), any_direction(&random), any_size(&random, 9.0f)};
        expect_sound(kerb_queue(&agent, &gate, &group, step));
        expect_sound(kerb_gather(&agent, any_place(&random), size, any_size(&random, 2), &group));
        expect_sound(kerb_follow_leader(&agent, &leader, size, step));
        kerb_formation_place place = {any_place(&random), any_direction(&random),
                                      any_number(&random, 20.0f), any_number(&random, 0.1f)};
        expect_sound(kerb_formation_keep(&agent, &place, step));
    }
}

// A sound agent stays one, whatever it is told to do and however long the step.
static void a_step_of_a_sound_agent_is_finite_for_any_wish_and_time(void** state) {
    (void)state;
    kerb_random random = test_random("numbers of steps");
    for (int i = 0; i < ROUNDS; i++) {
        kerb_agent agent = {
            {3.0f, -5.0f, 0.0f}, {0.6f, 0.8f, 0.0f}, 7.0f, 1.0f, 8.0f, 20.0f, 4.0f, 6.0f};
        kerb_steering wish = any_steering(&random);
        float step = any_time(&random);
        kerb_agent after = kerb_agent_step(&agent, &wish, step);
        expect_finite(&after, sizeof after);
        assert_true(fabsf(kerb_vec3_length(after.forward) - 1.0f) < 1e-3f);
        after = kerb_flock_step(&agent, &wish, step);
        expect_finite(&after, sizeof after);
        kerb_vec3 force = kerb_steering_force(&agent, &wish, 1000.0f, step);
        assert_true(kerb_vec3_is_finite(force));
    }
}

static void a_grid_answers_any_positions_and_radii(void** state) {
    (void)state;
    kerb_random random = test_random("numbers of grids");
    kerb_host host = kerb_host_default();
    kerb_neighbour_grid grid;
    assert_int_equal(kerb_neighbour_grid_create(&grid, 64, &host, NULL), KERB_OK);
    for (int i = 0; i < 2000; i++) {
        float x[64], y[64], z[64], squares[64];
        int32_t found[64];
        for (int n = 0; n < 64; n++) {
            kerb_vec3 place = any_place(&random);
            x[n] = place.x, y[n] = place.y, z[n] = place.z;
        }
        kerb_neighbour_grid_build(&grid, x, y, z, kerb_random_below(&random, 65),
                                  any_number(&random, 30.0f));
        kerb_vec3 place = any_place(&random), corner = any_place(&random);
        float radius = any_number(&random, 100.0f);
        int32_t count = kerb_neighbours_within(&grid, place, radius, found, 64);
        assert_true(count >= 0 && count <= grid.count);
        int32_t nearest = kerb_neighbours_nearest(&grid, place, radius, found, squares, 64);
        assert_int_equal(nearest, count);
        for (int32_t n = 0; n < nearest; n++)
            assert_true(found[n] >= 0 && found[n] < 64 && squares[n] >= 0.0f);
        const kerb_neighbour_cells cells = kerb_neighbour_cells_around(
            &grid, kerb_vec2_make(place.x, place.y), kerb_vec2_make(corner.x, corner.y), radius);
        for (int32_t row = 0; row < cells.rows; row++) {
            kerb_neighbour_range ranges[2];
            kerb_neighbour_row(&grid, &cells, row, ranges);
            assert_true(ranges[0].begin >= 0 && ranges[0].end <= grid.count);
        }
    }
    kerb_neighbour_grid_destroy(&grid);
}

int behaviour_numbers_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(behaviours_of_one_agent_return_finite_numbers_for_any_numbers),
        cmocka_unit_test(regions_flows_and_maps_give_finite_numbers_for_any_numbers),
        cmocka_unit_test(directed_behaviours_return_finite_numbers_for_any_numbers),
        cmocka_unit_test(a_pitched_agent_on_the_level_gets_a_direction_of_unit_length),
        cmocka_unit_test(cars_return_finite_numbers_for_any_numbers),
        cmocka_unit_test(groups_return_finite_numbers_for_any_numbers),
        cmocka_unit_test(a_step_of_a_sound_agent_is_finite_for_any_wish_and_time),
        cmocka_unit_test(a_grid_answers_any_positions_and_radii),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
