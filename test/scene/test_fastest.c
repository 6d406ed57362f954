// The fastest speed profile of scene/course/fastest.h against closed forms; and that nobody beats
// it.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "scene/course/course.h"
#include "scene/course/fastest.h"
#include "sim/vehicle.h"
#include "test/allocation.h"
#include "test/path_shapes.h"
#include "test/seed.h"

static path_shape shape;

// A vehicle whose throttle and brakes are constant at the speeds of these tests, without drag.
static kerb_vehicle steady_vehicle(void) {
    kerb_vehicle vehicle = kerb_vehicle_default();
    vehicle.acceleration_max = 3.0f;
    vehicle.reverse_acceleration_max = 1.5f;
    vehicle.braking_max = 6.0f;
    vehicle.lateral_acceleration_max = 5.0f;
    vehicle.coasting_deceleration = 2.0f;
    vehicle.drag = 0.0f;
    vehicle.speed_max = vehicle.reverse_speed_max = 500.0f;
    vehicle.steering_rate_max = 100.0f;
    return vehicle;
}

static double time_in(const kerb_vehicle* vehicle, const kerb_sim_world* world, double speed) {
    kerb_host host = kerb_host_default();
    kerb_scene_fastest fastest = {0};
    assert_int_equal(kerb_scene_fastest_find(&shape.path, world, vehicle, speed, 0.5 * speed, &host,
                                             &fastest, NULL),
                     KERB_OK);
    assert_true(fastest.time > 0.0 && isfinite(fastest.time));
    return fastest.time;
}

static double time_of(const kerb_vehicle* vehicle, double speed) {
    return time_in(vehicle, NULL, speed);
}

static void build_straight(double length, double rise) {
    path_shape_clear(&shape);
    for (int i = 0; i <= 10; i++)
        path_shape_add(&shape, 0.1 * i * sqrt(length * length - rise * rise), 0.0, 0.1 * i * rise);
    path_shape_build(&shape, false);
}

static void expect_near(double value, double expected, double share) {
    if (!(fabs(value - expected) <= share * fabs(expected)))
        fail_msg("%.9g, expected %.9g", value, expected);
}

// From rest to rest over a length, gaining speed at a, losing it at b, no faster than v.
static double bang_bang(double length, double a, double b, double v) {
    double peak = sqrt(2.0 * length * a * b / (a + b));
    if (peak <= v)
        return peak / a + peak / b;
    return length / v + 0.5 * v * (1.0 / a + 1.0 / b);
}

static void a_straight_is_full_throttle_then_full_braking(void** state) {
    (void)state;
    kerb_vehicle vehicle = steady_vehicle();
    static const double lengths[] = {0.5, 7.0, 100.0, 1000.0};
    for (size_t i = 0; i < 4; i++) {
        build_straight(lengths[i], 0.0);
        expect_near(time_of(&vehicle, 400.0), bang_bang(lengths[i], 3.0, 6.0, 400.0), 0.01);
    }
}

static void the_requested_speed_is_not_exceeded(void** state) {
    (void)state;
    kerb_vehicle vehicle = steady_vehicle();
    build_straight(300.0, 0.0);
    expect_near(time_of(&vehicle, 10.0), bang_bang(300.0, 3.0, 6.0, 10.0), 0.002);
    vehicle.speed_max = 8.0f;
    double slow = time_of(&vehicle, 10.0); // with power for no more than that
    assert_true(slow > 300.0 / 8.0 && slow < 60.0);
}

static void the_path_s_limits_hold(void** state) {
    (void)state;
    kerb_vehicle vehicle = steady_vehicle();
    vehicle.acceleration_max = vehicle.braking_max = vehicle.lateral_acceleration_max = 150.0f;
    path_shape_clear(&shape);
    path_shape_add(&shape, 0.0, 0.0, 0.0);
    path_shape_add(&shape, 200.0, 0.0, 0.0)->speed_limit = 5.0f;
    path_shape_add(&shape, 300.0, 0.0, 0.0);
    path_shape_add(&shape, 500.0, 0.0, 0.0);
    path_shape_build(&shape, false);
    expect_near(time_of(&vehicle, 20.0), 400.0 / 20.0 + 100.0 / 5.0, 0.02);
}

static void a_slope_helps_and_hinders_by_its_gravity(void** state) {
    (void)state;
    kerb_vehicle vehicle = steady_vehicle();
    double g = (double)KERB_GRAVITY * 0.2;
    build_straight(200.0, 40.0);
    expect_near(time_of(&vehicle, 400.0), bang_bang(200.0, 3.0 - g, 6.0 + g, 400.0), 0.01);
    build_straight(200.0, -40.0);
    expect_near(time_of(&vehicle, 400.0), bang_bang(200.0, 3.0 + g, 6.0 - g, 400.0), 0.01);
}

static void a_circle_is_driven_at_the_root_of_grip_times_radius(void** state) {
    (void)state;
    kerb_vehicle vehicle = steady_vehicle();
    path_shape_clear(&shape);
    path_shape_add_arc(&shape, 0.0, 0.0, 60.0, 0.0, 2.0 * 3.14159265 * 499.0 / 500.0, 499, 0.0,
                       0.0);
    path_shape_build(&shape, true);
    // From rest, and past the end without stopping.
    double v = sqrt(5.0 * 60.0), lap = shape.path.length;
    expect_near(time_of(&vehicle, 100.0), lap / v + 0.5 * v / 3.0, 0.01);
    kerb_sim_zone ice = {.centre = {0.0f, 0.0f}, .radius = 100.0f, .grip = 0.64f};
    kerb_sim_world world = {.zones = &ice, .zone_count = 1};
    double slow = 0.8 * v, push = 0.64 * 6.0 - 2.0; // what the tyres give, less rolling
    expect_near(time_in(&vehicle, &world, 100.0), lap / slow + 0.5 * slow / push, 0.01);
}

static void what_turns_by_itself_goes_no_faster_round_than_it_turns(void** state) {
    (void)state;
    kerb_vehicle tank = steady_vehicle();
    tank.kind = KERB_VEHICLE_TRACKED;
    tank.yaw_rate_max = 0.2f;
    path_shape_clear(&shape);
    path_shape_add_arc(&shape, 0.0, 0.0, 40.0, 0.0, 2.0 * 3.14159265 * 499.0 / 500.0, 499, 0.0,
                       0.0);
    path_shape_build(&shape, true);
    expect_near(time_of(&tank, 100.0), shape.path.length / 8.0 + 0.5 * 8.0 / 3.0, 0.01);
}

static void stops_take_their_time_and_the_way_into_and_out_of_them(void** state) {
    (void)state;
    kerb_vehicle vehicle = steady_vehicle();
    path_shape_clear(&shape);
    path_shape_add(&shape, 0.0, 0.0, 0.0)->stop = 2.0f;
    path_shape_add(&shape, 40.0, 0.0, 0.0);
    path_shape_add(&shape, 90.0, 0.0, 0.0)->stop = 3.0f;
    path_shape_add(&shape, 160.0, 0.0, 0.0);
    path_shape_build(&shape, false);
    expect_near(time_of(&vehicle, 12.0),
                5.0 + bang_bang(90.0, 3.0, 6.0, 12.0) + bang_bang(70.0, 3.0, 6.0, 12.0), 0.005);
}

static void reverse_is_driven_at_its_own_speed_and_throttle(void** state) {
    (void)state;
    kerb_vehicle vehicle = steady_vehicle();
    path_shape_clear(&shape);
    path_shape_add(&shape, 0.0, 0.0, 0.0);
    path_shape_add(&shape, 50.0, 0.0, 0.0)->direction = -1;
    path_shape_add(&shape, 10.0, 0.0, 0.0);
    path_shape_add(&shape, 80.0, 0.0, 0.0);
    path_shape_build(&shape, false);
    expect_near(time_of(&vehicle, 10.0),
                bang_bang(50.0, 3.0, 6.0, 10.0) + bang_bang(40.0, 1.5, 6.0, 5.0) +
                    bang_bang(70.0, 3.0, 6.0, 10.0),
                0.005);
}

// A right angle between waypoints: the smallest turning circle where it is sharpest.
static void a_corner_is_neither_free_nor_a_stop(void** state) {
    (void)state;
    kerb_vehicle vehicle = steady_vehicle();
    build_straight(120.0, 0.0);
    double straight = time_of(&vehicle, 20.0);
    double radius = (double)kerb_vehicle_turning_radius(&vehicle);
    path_shape_clear(&shape);
    path_shape_add(&shape, 0.0, 0.0, 0.0);
    path_shape_add(&shape, 60.0, 0.0, 0.0);
    path_shape_add(&shape, 60.0, 60.0, 0.0);
    path_shape_build(&shape, false);
    double corner = time_of(&vehicle, 20.0);
    double v = sqrt(5.0 * radius), half = 60.0 - 0.5 * radius * 0.5 * 3.14159265;
    // To the corner's speed by braking as late as possible, and on from it.
    double peak = sqrt((2.0 * half * 3.0 * 6.0 + 3.0 * v * v) / (3.0 + 6.0));
    double there = peak / 3.0 + (peak - v) / 6.0;
    peak = sqrt((2.0 * half * 3.0 * 6.0 + 6.0 * v * v) / (3.0 + 6.0));
    double on = (peak - v) / 3.0 + peak / 6.0;
    assert_true(corner > straight);
    expect_near(corner, there + on + 0.5 * 3.14159265 * radius / v, 0.1);
}

static void a_hill_too_steep_is_crawled_up(void** state) {
    (void)state;
    kerb_vehicle vehicle = steady_vehicle();
    build_straight(50.0, 40.0);
    double time = time_of(&vehicle, 10.0);
    assert_true(time > 100.0 && time < 1000.0);
}

static kerb_vehicle random_vehicle(kerb_random* random) {
    kerb_vehicle vehicle = kerb_vehicle_default();
    vehicle.kind = (int32_t)kerb_random_below(random, 3);
    vehicle.acceleration_max = kerb_random_between(random, 1.0f, 6.0f);
    vehicle.braking_max = kerb_random_between(random, 2.0f, 10.0f);
    vehicle.lateral_acceleration_max = kerb_random_between(random, 1.0f, 10.0f);
    vehicle.steering_rate_max = kerb_random_between(random, 0.1f, 2.0f);
    vehicle.yaw_rate_max = kerb_random_between(random, 0.1f, 2.0f);
    vehicle.yaw_acceleration_max = kerb_random_between(random, 0.1f, 2.0f);
    return vehicle;
}

static void what_can_do_more_is_never_slower(void** state) {
    (void)state;
    kerb_random random = test_random("what_can_do_more_is_never_slower");
    for (int round = 0; round < 100; round++) {
        path_shape_wander(&shape, &random, 60, 5.0f, 0.08f, 0.05f);
        kerb_vehicle weak = random_vehicle(&random), strong = weak;
        float more = kerb_random_between(&random, 1.0f, 2.0f);
        strong.acceleration_max *= more;
        strong.braking_max *= more;
        strong.lateral_acceleration_max *= more;
        strong.yaw_rate_max *= more;
        double slow = time_of(&weak, 15.0), fast = time_of(&strong, 15.0);
        assert_true(fast <= slow * (1.0 + 1e-9));
        assert_true(time_of(&weak, 30.0) <= slow * (1.0 + 1e-9));
        assert_true(slow >= 0.5 * shape.path.length / 15.0);
    }
}

static void huge_and_tiny_paths_have_a_fastest_time(void** state) {
    (void)state;
    kerb_vehicle vehicle = kerb_vehicle_default();
    path_shape_clear(&shape);
    path_shape_add(&shape, -9.0e5, 0.0, 0.0);
    path_shape_add(&shape, 9.0e5, 0.0, 0.0);
    path_shape_build(&shape, false);
    expect_near(time_of(&vehicle, 20.0), 9.0e4, 0.01);
    path_shape_clear(&shape);
    path_shape_add(&shape, 0.0, 0.0, 0.0);
    path_shape_add(&shape, 0.002, 0.0, 0.0);
    path_shape_build(&shape, false);
    assert_true(time_of(&vehicle, 20.0) < 0.1);
}

static void without_memory_it_says_so_and_leaks_nothing(void** state) {
    (void)state;
    kerb_vehicle vehicle = kerb_vehicle_default();
    build_straight(100.0, 0.0);
    test_allocation allocation = test_allocation_make();
    kerb_host host = test_allocation_host(&allocation);
    kerb_scene_fastest fastest;
    kerb_error error;
    test_allocation_fail_next(&allocation, 1);
    kerb_result result =
        kerb_scene_fastest_find(&shape.path, NULL, &vehicle, 10.0, 4.0, &host, &fastest, &error);
    assert_int_equal(result, KERB_ERROR_OUT_OF_MEMORY);
    test_allocation_fail_next(&allocation, 0);
    assert_int_equal(
        kerb_scene_fastest_find(&shape.path, NULL, &vehicle, 10.0, 4.0, &host, &fastest, &error),
        KERB_OK);
    test_allocation_check(&allocation);
}

static double ratio_of(const kerb_scene_course* course, const kerb_sim_model* model,
                       const kerb_host* host) {
    kerb_follower_settings settings = kerb_follower_settings_default(KERB_FOLLOWER_KERB);
    settings.speed = course->speed;
    kerb_scene_trial trial = kerb_scene_trial_default(course, &model->vehicle, &settings);
    trial.model = model;
    kerb_scene_result result;
    assert_int_equal(kerb_scene_trial_run(&trial, host, &result, NULL), KERB_OK);
    return result.speed_ratio;
}

// All courses and vehicles that are built in.
static void nobody_beats_it(void** state) {
    (void)state;
    kerb_host host = kerb_host_default();
    for (int32_t c = 0; c < kerb_scene_course_count(); c++) {
        kerb_scene_course course;
        assert_int_equal(kerb_scene_course_make(kerb_scene_course_name(c), &host, &course, NULL),
                         KERB_OK);
        for (int32_t v = 0; v < kerb_sim_model_count(); v++) {
            kerb_sim_model model;
            assert_true(kerb_sim_model_named(kerb_sim_model_name(v), &model));
            double ratio = ratio_of(&course, &model, &host);
            if (!(ratio > 0.0 && ratio <= 1.02))
                fail_msg("%s, %s: %.3f", course.name, model.name, ratio);
        }
        kerb_scene_course_free(&course, &host);
    }
}

int fastest_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_straight_is_full_throttle_then_full_braking),
        cmocka_unit_test(the_requested_speed_is_not_exceeded),
        cmocka_unit_test(the_path_s_limits_hold),
        cmocka_unit_test(a_slope_helps_and_hinders_by_its_gravity),
        cmocka_unit_test(a_circle_is_driven_at_the_root_of_grip_times_radius),
        cmocka_unit_test(what_turns_by_itself_goes_no_faster_round_than_it_turns),
        cmocka_unit_test(stops_take_their_time_and_the_way_into_and_out_of_them),
        cmocka_unit_test(reverse_is_driven_at_its_own_speed_and_throttle),
        cmocka_unit_test(a_corner_is_neither_free_nor_a_stop),
        cmocka_unit_test(a_hill_too_steep_is_crawled_up),
        cmocka_unit_test(what_can_do_more_is_never_slower),
        cmocka_unit_test(huge_and_tiny_paths_have_a_fastest_time),
        cmocka_unit_test(without_memory_it_says_so_and_leaks_nothing),
        cmocka_unit_test(nobody_beats_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
