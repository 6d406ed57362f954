// Speed profiles: against closed forms, and what must hold whatever the line and the vehicle. The
// comparison with a brute force is in test_profile_brute_force.c.
#include "test/control/profile_rig.h"
#include "test/seed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define G ((double)KERB_GRAVITY)

static float root(float square) {
    return sqrtf(square);
}

// --------------------------------------------------------------------------- one point

static void a_circle_is_held_up_to_the_root_of_grip_times_radius(void** state) {
    (void)state;
    kerb_performance p = mass();
    for (int32_t i = 0; i < 57; i++) {
        float radius = 5.0f + 7.0f * (float)i;
        kerb_profile_point left = kerb_profile_point_level(1.0f, 1.0f / radius);
        kerb_profile_point right = kerb_profile_point_level(1.0f, -1.0f / radius);
        assert_near((double)kerb_cornering_speed(&p, &left), (double)root(12.0f * radius), 1e-4);
        assert_near((double)kerb_cornering_speed(&p, &right), (double)root(12.0f * radius), 1e-4);
        left.grip = 0.5f;
        assert_near((double)kerb_cornering_speed(&p, &left), (double)root(6.0f * radius), 1e-4);
    }
}

static void a_straight_is_driven_at_the_lower_of_top_speed_and_limit(void** state) {
    (void)state;
    kerb_performance p = mass();
    kerb_profile_point point = kerb_profile_point_level(1.0f, 0.0f);
    assert_near((double)kerb_cornering_speed(&p, &point), 70.0, 0.0);
    point.speed_limit = 30.0f;
    assert_near((double)kerb_cornering_speed(&p, &point), 30.0, 1e-5);
    point.speed_limit = 0.0f;
    assert_near((double)kerb_cornering_speed(&p, &point), 0.0, 0.0);
}

// A level circle to the left whose outer side is raised by `bank`.
static kerb_profile_point banked_circle(float radius, float bank) {
    kerb_profile_point point = kerb_profile_point_level(1.0f, cosf(bank) / radius);
    point.normal_curvature = sinf(bank) / radius;
    point.up_left = -sinf(bank);
    point.up_normal = cosf(bank);
    return point;
}

static void a_banked_circle_is_held_by_the_tangent_formula(void** state) {
    (void)state;
    kerb_performance p = kerb_performance_point_mass(0.8f * KERB_GRAVITY, 5.0f, 8.0f, 200.0f);
    for (int32_t i = 0; i < 12; i++) {
        float bank = -0.5f + 0.1f * (float)i;
        kerb_profile_point point = banked_circle(60.0f, bank);
        double t = tan((double)bank), expected = sqrt(G * 60.0 * (t + 0.8) / (1.0 - 0.8 * t));
        assert_near((double)kerb_cornering_speed(&p, &point), expected, 1e-3 * expected);
        assert_near((double)kerb_cornering_speed_min(&p, &point), 0.0, 0.0);
    }
}

static void a_steep_bank_holds_only_fast_vehicles(void** state) {
    (void)state;
    kerb_performance p = kerb_performance_point_mass(0.3f * KERB_GRAVITY, 5.0f, 8.0f, 200.0f);
    kerb_profile_point point = banked_circle(60.0f, 0.6f);
    double t = tan(0.6), least = sqrt(G * 60.0 * (t - 0.3) / (1.0 + 0.3 * t));
    assert_near((double)kerb_cornering_speed_min(&p, &point), least, 1e-3 * least);
    assert_true((double)kerb_cornering_speed(&p, &point) > least);
    p.speed_max = 0.9f * (float)least; // it slides down at any speed that it has
    assert_near((double)kerb_cornering_speed(&p, &point), 0.0, 0.0);
}

static void too_steep_a_bank_to_the_wrong_side_holds_at_no_speed(void** state) {
    (void)state;
    kerb_performance p = kerb_performance_point_mass(0.5f * KERB_GRAVITY, 5.0f, 8.0f, 200.0f);
    kerb_profile_point point = banked_circle(60.0f, -0.6f);
    assert_near((double)kerb_cornering_speed(&p, &point), 0.0, 0.0);
    p.downforce = 0.2f; // both negative: it holds above the root of eq. 20
    double mu = 0.5, c = cos(0.6) / 60.0, n = -sin(0.6) / 60.0;
    double above = sqrt(G * (mu * cos(0.6) - sin(0.6)) / (c - mu * (n + 0.2)));
    assert_near((double)kerb_cornering_speed_min(&p, &point), above, 1e-3 * above);
    assert_near((double)kerb_cornering_speed(&p, &point), 200.0, 1e-3);
}

static void a_crest_is_left_where_gravity_no_longer_bends_the_path(void** state) {
    (void)state;
    kerb_performance p = mass();
    kerb_profile_point point = kerb_profile_point_level(1.0f, 0.0f);
    point.normal_curvature = -1.0f / 80.0f;
    assert_near((double)kerb_cornering_speed(&p, &point), sqrt(G * 80.0), 1e-3);
    point.normal_curvature = 1.0f / 80.0f;
    assert_near((double)kerb_cornering_speed(&p, &point), 70.0, 0.0);
}

static void a_dip_and_wings_lift_the_limit_until_there_is_none(void** state) {
    (void)state;
    kerb_performance p = mass();
    kerb_profile_point point = kerb_profile_point_level(1.0f, 0.01f);
    double mu = 12.0 / G;
    point.normal_curvature = 0.004f;
    assert_near((double)kerb_cornering_speed(&p, &point), sqrt(12.0 / (0.01 - mu * 0.004)), 1e-3);
    p.downforce = 0.001f;
    assert_near((double)kerb_cornering_speed(&p, &point), sqrt(12.0 / (0.01 - mu * 0.005)), 1e-3);
    p.downforce = 0.006f;
    assert_near((double)kerb_cornering_speed(&p, &point), 70.0, 0.0);
}

static void on_level_ground_pedals_and_turning_share_an_ellipse(void** state) {
    (void)state;
    kerb_performance p = mass();
    for (int32_t i = 0; i < 12; i++) {
        float speed = 3.0f * (float)i;
        kerb_profile_point point = kerb_profile_point_level(1.0f, 0.01f);
        float aside = 0.01f * speed * speed / 12.0f, left = root(1.0f - aside * aside);
        assert_near((double)kerb_braking_acceleration(&p, &point, speed), -12.0 * (double)left,
                    1e-4);
        assert_near((double)kerb_driving_acceleration(&p, &point, speed), 9.0 * (double)left, 1e-4);
    }
}

static void the_linear_budget_leaves_what_speed_leaves_of_its_limit(void** state) {
    (void)state;
    kerb_performance p = mass();
    p.budget = KERB_TRACTION_LINEAR;
    kerb_profile_point point = kerb_profile_point_level(1.0f, 0.01f);
    double most = sqrt(1200.0);
    for (int32_t i = 0; i < 12; i++) {
        float speed = 3.0f * (float)i;
        assert_near((double)kerb_braking_acceleration(&p, &point, speed),
                    -12.0 * (1.0 - (double)speed / most), 1e-3);
    }
}

static void hills_drag_crests_and_wings_change_braking_as_eq_26_says(void** state) {
    (void)state;
    kerb_performance p = mass();
    p.drag = 0.001f;
    p.downforce = 0.002f;
    p.rolling = 0.1f;
    kerb_profile_point point = kerb_profile_point_level(1.0f, 0.0f);
    point.up_forward = 0.1f;
    point.up_normal = 0.99f;
    point.normal_curvature = -0.003f;
    double normal = 0.99 * G + (0.002 - 0.003) * 900.0;
    assert_near((double)kerb_braking_acceleration(&p, &point, 30.0f),
                -0.1 * G - 0.1 - 0.9 - 12.0 / G * normal, 1e-3);
    assert_near((double)kerb_driving_acceleration(&p, &point, 30.0f),
                -0.1 * G - 0.1 - 0.9 + 9.0 / G * normal, 1e-3);
}

static void turning_takes_its_drag_from_the_engine_not_from_the_tyres(void** state) {
    (void)state;
    kerb_vehicle vehicle = kerb_vehicle_default();
    kerb_performance p = kerb_performance_of(&vehicle), slow = p, linear = p;
    slow.turning_drag = linear.turning_drag = 0.1f;
    linear.budget = KERB_TRACTION_LINEAR;
    for (int32_t i = 0; i < 10; i++) {
        float use = 0.1f * (float)i, speed = 0.8f * vehicle.speed_max;
        kerb_profile_point point =
            kerb_profile_point_level(1.0f, -use * p.lateral / (speed * speed));
        double takes = (double)kerb_driving_acceleration(&p, &point, speed) -
                       (double)kerb_driving_acceleration(&slow, &point, speed);
        assert_near(takes, 0.1 * (double)(use * use * p.lateral), 1e-4);
        assert_near((double)kerb_braking_acceleration(&slow, &point, speed),
                    (double)kerb_braking_acceleration(&p, &point, speed), 0.0);
        // The linear budget knows nothing of it.
        double same = (double)kerb_driving_acceleration(&linear, &point, speed);
        linear.turning_drag = 0.0f;
        assert_near((double)kerb_driving_acceleration(&linear, &point, speed), same, 0.0);
        linear.turning_drag = 0.1f;
    }
}

// Round and round at full throttle it settles where the engine gives what resists and turns.
static void a_circle_is_driven_at_the_speed_that_the_engine_holds_there(void** state) {
    (void)state;
    kerb_vehicle vehicle = kerb_vehicle_default();
    kerb_performance p = kerb_performance_of(&vehicle);
    p.turning_drag = 0.12f;
    enum { COUNT = 400 };
    static kerb_profile_point points[COUNT];
    static float speeds[COUNT];
    float radius = 0.8f * vehicle.speed_max * vehicle.speed_max / p.lateral;
    for (int32_t i = 0; i < COUNT; i++)
        points[i] = kerb_profile_point_level(2.0f, 1.0f / radius);
    kerb_speed_profile(&p, points, COUNT, true, 0.0f, 0.0f, speeds);
    assert_true(speeds[0] < 0.95f * vehicle.speed_max);
    assert_true(speeds[0] < 0.95f * kerb_cornering_speed(&p, &points[0]));
    assert_near((double)kerb_driving_acceleration(&p, &points[0], speeds[0]), 0.0, 1e-3);
    assert_near((double)speeds[COUNT / 2], (double)speeds[0], 1e-3);
}

// --------------------------------------------------------------------------- vehicles

static void a_vehicle_just_holds_its_top_speed(void** state) {
    (void)state;
    kerb_vehicle vehicle = kerb_vehicle_default();
    kerb_performance p = kerb_performance_of(&vehicle);
    kerb_profile_point point = kerb_profile_point_level(1.0f, 0.0f);
    assert_near((double)kerb_driving_acceleration(&p, &point, vehicle.speed_max), 0.0, 1e-3);
    assert_near((double)kerb_driving_acceleration(&p, &point, 0.0f), 4.0, 1e-4);
    assert_near((double)kerb_braking_acceleration(&p, &point, 0.0f), -8.0, 1e-4);
}

static void each_speed_is_driven_in_the_gear_that_pulls_most(void** state) {
    (void)state;
    kerb_vehicle vehicle = kerb_vehicle_default();
    vehicle.power = 300000.0f;
    vehicle.acceleration_max = 12.0f;
    vehicle.drive_train.gear_count = 6;
    kerb_performance p = kerb_performance_of(&vehicle);
    const kerb_drive_train* train = &vehicle.drive_train;
    for (int32_t i = 1; i < KERB_DRIVE_COUNT; i++) {
        double speed = (double)vehicle.speed_max * i / (KERB_DRIVE_COUNT - 1), best = 0.0;
        for (int32_t gear = 0; gear < 6; gear++) {
            double turns = (double)(train->gear_ratio[gear] / train->wheel_radius);
            double engine = fmax(turns * speed, (double)train->engine_speed_idle);
            double x = engine / (double)train->engine_speed_power;
            double power = 200.0 * (x + x * x - x * x * x);
            if (engine <= (double)train->engine_speed_max)
                best = fmax(best, power / engine * turns);
        }
        assert_near((double)p.drive[i], fmin(best, 12.15), 1e-3);
        assert_true(best * speed <= 200.001); // no gear makes power
    }
}

// --------------------------------------------------------------------------- closed forms of
// passes

enum { POINTS_MAX = 4000 };
static kerb_profile_point points[POINTS_MAX];
static float speeds[POINTS_MAX];

static void a_stop_from_speed_and_a_start_take_the_textbook_distances(void** state) {
    (void)state;
    kerb_performance p = mass();
    for (int32_t i = 0; i <= 200; i++)
        points[i] = kerb_profile_point_level(2.0f, 0.0f);
    double time = kerb_speed_profile(&p, points, 201, false, 0.0f, 0.0f, speeds);
    double top = 0.0;
    for (int32_t i = 0; i <= 200; i++) {
        double square = fmin(18.0 * 2.0 * i, 24.0 * 2.0 * (200 - i));
        assert_near((double)speeds[i], fmin(sqrt(square), 70.0), 2e-3);
        top = fmax(top, (double)speeds[i]);
    }
    double peak = sqrt(2.0 * 400.0 / (1.0 / 9.0 + 1.0 / 12.0));
    assert_near(time, peak / 9.0 + peak / 12.0, 0.005);
    assert_true(top <= peak);
}

// Between two points curvature is linear: while it rises to κ the ellipse leaves on average π/4.
static void a_straight_before_one_corner_is_braked_on_at_the_last_moment(void** state) {
    (void)state;
    kerb_performance p = mass();
    for (int32_t i = 0; i < 500; i++)
        points[i] = kerb_profile_point_level(1.0f, i >= 300 && i < 340 ? 1.0f / 27.0f : 0.0f);
    kerb_speed_profile(&p, points, 500, false, 1e6f, 1e6f, speeds);
    for (int32_t i = 0; i < 299; i++)
        assert_near((double)speeds[i], sqrt(fmin(4900.0, 324.0 + 24.0 * (299.785 - i))), 0.12);
    for (int32_t i = 300; i < 340; i++)
        assert_near((double)speeds[i], 18.0, 1e-4);
    for (int32_t i = 341; i < 500; i++)
        assert_near((double)speeds[i], sqrt(fmin(4900.0, 324.0 + 18.0 * (i - 339.215))), 0.12);
}

// d(v²)/ds = 2(a - d·v²) from rest: v² = a/d·(1 - e^(-2ds)).
static void drag_bends_acceleration_as_its_differential_equation_says(void** state) {
    (void)state;
    kerb_performance p = mass();
    p.drag = 0.002f;
    for (int32_t i = 0; i <= 200; i++)
        points[i] = kerb_profile_point_level(2.0f, 0.0f);
    kerb_speed_profile(&p, points, 201, false, 0.0f, 1e6f, speeds);
    for (int32_t i = 1; i <= 200; i++) {
        double expected = sqrt(9.0 / 0.002 * (1.0 - exp(-0.004 * 2.0 * i)));
        assert_near((double)speeds[i], expected, 2e-4 * expected);
    }
}

static void a_hill_too_steep_to_climb_ends_the_drive_in_finite_time(void** state) {
    (void)state;
    kerb_performance p = road_car();
    for (int32_t i = 0; i <= 300; i++) {
        points[i] = kerb_profile_point_level(1.0f, 0.0f);
        points[i].up_forward = i > 50 ? 0.6f : 0.0f;
        points[i].up_normal = i > 50 ? 0.8f : 1.0f;
    }
    double time = kerb_speed_profile(&p, points, 301, false, 0.0f, 1e6f, speeds);
    assert_near((double)speeds[300], 0.0, 0.0);
    assert_true(time > 1000.0 && isfinite(time));
}

static void a_weak_car_settles_where_its_engine_meets_the_drag(void** state) {
    (void)state;
    kerb_performance p = mass();
    p.drag = 0.002f;
    for (int32_t i = 0; i < KERB_DRIVE_COUNT; i++)
        p.drive[i] = 3.0f;
    for (int32_t i = 0; i < 200; i++)
        points[i] = kerb_profile_point_level(2.0f, 0.001f);
    double settled = sqrt(3.0 / 0.002);
    double time = kerb_speed_profile(&p, points, 200, true, 0.0f, 0.0f, speeds);
    for (int32_t i = 0; i < 200; i++)
        assert_near((double)speeds[i], settled, 1e-3);
    assert_near(time, 400.0 / settled, 1e-3);
}

static void an_open_line_begins_and_ends_as_fast_as_asked_or_slower(void** state) {
    (void)state;
    kerb_performance p = mass();
    for (int32_t i = 0; i < 100; i++)
        points[i] = kerb_profile_point_level(2.0f, 0.01f);
    kerb_speed_profile(&p, points, 100, false, 20.0f, 10.0f, speeds);
    assert_near((double)speeds[0], 20.0, 1e-4);
    assert_near((double)speeds[99], 10.0, 1e-4);
    kerb_speed_profile(&p, points, 100, false, 90.0f, 90.0f, speeds);
    assert_near((double)speeds[0], sqrt(1200.0), 1e-3);
    assert_near((double)speeds[99], sqrt(1200.0), 1e-3);
    kerb_speed_profile(&p, points, 2, false, 30.0f, 0.0f, speeds);
    assert_near((double)speeds[0], sqrt(48.0), 0.05); // no room for more
    assert_near(kerb_speed_profile(&p, points, 1, false, 30.0f, 10.0f, speeds), 0.0, 0.0);
    assert_near((double)speeds[0], 10.0, 1e-5);
}

// --------------------------------------------------------------------------- properties

static int32_t random_line(kerb_random* random, int32_t most) {
    int32_t count = 3 + kerb_random_below(random, most - 3);
    float bends = between(random, 1.0f, 9.0f), sharp = between(random, 0.0f, 0.06f);
    for (int32_t i = 0; i < count; i++) {
        float t = 6.2831853f * (float)i / (float)count;
        float bank = 0.2f * sinf(2.0f * t), slope = 0.15f * cosf(3.0f * t);
        points[i] = kerb_profile_point_level(between(random, 0.5f, 3.0f), sharp * sinf(bends * t));
        points[i].normal_curvature = 0.004f * sinf(5.0f * t);
        points[i].up_left = bank;
        points[i].up_forward = slope;
        points[i].up_normal = root(1.0f - bank * bank - slope * slope);
    }
    return count;
}

static kerb_performance random_vehicle(kerb_random* random) {
    kerb_performance p = mass();
    p.lateral = between(random, 6.0f, 20.0f);
    p.accelerating = between(random, 3.0f, 12.0f);
    p.braking = between(random, 5.0f, 20.0f);
    p.speed_max = between(random, 20.0f, 90.0f);
    p.drag = between(random, 0.0f, 0.002f);
    p.downforce = between(random, 0.0f, 0.003f);
    p.rolling = between(random, 0.0f, 0.3f);
    p.budget = kerb_random_below(random, 2);
    float power = between(random, 50.0f, 500.0f);
    for (int32_t i = 1; i < KERB_DRIVE_COUNT; i++)
        p.drive[i] = power / (p.speed_max * (float)i / (KERB_DRIVE_COUNT - 1));
    return p;
}

// Up to the error of a step where it meets a limit: these lines turn sharply from point to point.
static void a_lap_is_the_same_wherever_it_is_begun(void** state) {
    (void)state;
    kerb_random random = test_random("periodic profile");
    static kerb_profile_point turned[POINTS_MAX];
    static float others[POINTS_MAX];
    for (int32_t round = 0; round < 200; round++) {
        kerb_performance p = random_vehicle(&random);
        int32_t count = random_line(&random, 600), by = kerb_random_below(&random, count);
        for (int32_t i = 0; i < count; i++)
            turned[i] = points[(i + by) % count];
        double time = kerb_speed_profile(&p, points, count, true, 0.0f, 0.0f, speeds);
        assert_near(kerb_speed_profile(&p, turned, count, true, 0.0f, 0.0f, others), time,
                    1e-4 * time);
        for (int32_t i = 0; i < count; i++)
            assert_near((double)others[i], (double)speeds[(i + by) % count],
                        5e-3 * (double)others[i] + 1e-3);
    }
}

static void a_lap_mirrored_takes_the_same_time(void** state) {
    (void)state;
    kerb_random random = test_random("mirrored profile");
    for (int32_t round = 0; round < 200; round++) {
        kerb_performance p = random_vehicle(&random);
        int32_t count = random_line(&random, 600);
        double time = kerb_speed_profile(&p, points, count, true, 0.0f, 0.0f, speeds);
        for (int32_t i = 0; i < count; i++) {
            points[i].curvature = -points[i].curvature;
            points[i].up_left = -points[i].up_left;
        }
        assert_near(kerb_speed_profile(&p, points, count, true, 0.0f, 0.0f, speeds), time, 0.0);
    }
}

// More grip, more power, better brakes: never slower.
static void a_better_vehicle_is_never_slower(void** state) {
    (void)state;
    kerb_random random = test_random("better vehicle");
    static float others[POINTS_MAX];
    for (int32_t round = 0; round < 200; round++) {
        kerb_performance p = random_vehicle(&random), better = p;
        int32_t count = random_line(&random, 600);
        kerb_speed_profile(&p, points, count, true, 0.0f, 0.0f, speeds);
        better.lateral *= 1.1f;
        better.accelerating *= 1.1f;
        better.braking *= 1.1f;
        for (int32_t i = 0; i < KERB_DRIVE_COUNT; i++)
            better.drive[i] *= 1.1f;
        kerb_speed_profile(&better, points, count, true, 0.0f, 0.0f, others);
        for (int32_t i = 0; i < count; i++)
            if (others[i] < speeds[i] * 0.999f - 1e-3f)
                fail_msg("%g m/s is less than %g", (double)others[i], (double)speeds[i]);
    }
}

static float any_number(kerb_random* random) {
    static const float odd[] = {0.0f,   -0.0f, 1.0f, -1.0f,    1e-30f,   1e30f,
                                -1e30f, 1e38f, NAN,  INFINITY, -INFINITY};
    int32_t n = kerb_random_below(random, 30);
    return n < 11 ? odd[n] : between(random, -2.0f, 2.0f);
}

static void bad_numbers_never_come_out_as_speeds(void** state) {
    (void)state;
    kerb_random random = test_random("bad profile points");
    for (int32_t round = 0; round < 3000; round++) {
        kerb_performance p = random_vehicle(&random);
        int32_t count = 1 + kerb_random_below(&random, 150);
        for (int32_t i = 0; i < count; i++) {
            float numbers[8];
            for (int32_t k = 0; k < 8; k++)
                numbers[k] = any_number(&random);
            memcpy(&points[i], numbers, sizeof numbers);
        }
        bool closed = kerb_random_below(&random, 2) == 1;
        double time = kerb_speed_profile(&p, points, count, closed, any_number(&random),
                                         any_number(&random), speeds);
        assert_true(time >= 0.0 && isfinite(time));
        for (int32_t i = 0; i < count; i++) {
            assert_true(speeds[i] >= 0.0f && speeds[i] <= p.speed_max * 1.00001f);
            float corner = kerb_cornering_speed(&p, &points[i]), speed = any_number(&random);
            assert_true(corner >= 0.0f && speeds[i] <= corner * 1.00001f);
            assert_true(kerb_cornering_speed_min(&p, &points[i]) <= corner);
            assert_true(isfinite(kerb_braking_acceleration(&p, &points[i], speed)));
            assert_true(isfinite(kerb_driving_acceleration(&p, &points[i], speed)));
        }
        kerb_braking_due(&p, points, count, closed, kerb_random_below(&random, count),
                         any_number(&random), any_number(&random), any_number(&random));
    }
}

static void a_point_that_is_not_finite_is_not_driven(void** state) {
    (void)state;
    kerb_performance p = mass();
    for (int32_t field = 1; field < 8; field++) {
        for (int32_t i = 0; i < 100; i++)
            points[i] = kerb_profile_point_level(2.0f, 0.005f);
        float bad = NAN;
        memcpy((char*)&points[50] + (size_t)field * sizeof bad, &bad, sizeof bad);
        double time = kerb_speed_profile(&p, points, 100, true, 0.0f, 0.0f, speeds);
        assert_near((double)speeds[50], 0.0, 0.0);
        assert_true(speeds[20] > 30.0f && isfinite(time));
    }
}

// --------------------------------------------------------------------------- look-ahead

// Drives a lap by asking each metre: brakes when braking is due, else goes as fast as it may.
static void drive_by_look_ahead(const kerb_performance* p, int32_t count, float* driven) {
    float v = speeds[0];
    for (int32_t i = 0; i < count; i++) {
        driven[i] = v;
        int32_t next = (i + 1) % count;
        float length = points[i].length;
        float faster =
            root(fmaxf(v * v + 2.0f * length * kerb_driving_acceleration(p, &points[i], v), 0.0f));
        float slower =
            root(fmaxf(v * v + 2.0f * length * kerb_braking_acceleration(p, &points[i], v), 0.0f));
        float most = kerb_cornering_speed(p, &points[next]);
        v = fminf(faster, most);
        // As fast as will not be too fast a metre on.
        if (kerb_braking_due(p, points, count, true, next, 0.0f, v, 0.0f))
            v = fmaxf(slower, 0.0f);
    }
}

static void driving_by_look_ahead_comes_near_the_profile(void** state) {
    (void)state;
    kerb_performance p = road_car();
    static float driven[POINTS_MAX];
    for (int32_t i = 0; i < 2000; i++) {
        float t = 6.2831853f * (float)i / 2000.0f;
        points[i] = kerb_profile_point_level(0.5f, 0.02f * sinf(4.0f * t) * sinf(t));
    }
    double time = kerb_speed_profile(&p, points, 2000, true, 0.0f, 0.0f, speeds), took = 0.0;
    drive_by_look_ahead(&p, 2000, driven);
    for (int32_t i = 0; i < 2000; i++) {
        assert_true(driven[i] < speeds[i] * 1.02f + 0.1f);
        took += (double)(points[i].length / driven[i]);
    }
    assert_near(took, time, 0.02 * time);
}

static void braking_at_a_constant_rate_is_due_at_the_distance_of_eq_24(void** state) {
    (void)state;
    kerb_performance p = mass();
    for (int32_t i = 0; i < 300; i++)
        points[i] = kerb_profile_point_level(1.0f, i == 200 ? 0.12f : 0.0f);
    for (int32_t n = 3; n < 10; n++) {
        float speed = 5.0f * (float)n;
        float distance = (speed * speed - 100.0f) / (2.0f * 5.0f);
        for (int32_t i = 0; i < 200; i++) {
            bool due = kerb_braking_due(&p, points, 300, false, i, 0.5f, speed, 5.0f);
            assert_int_equal(due, 199.5f - (float)i < distance - 0.01f);
        }
    }
}

static void nothing_ahead_asks_for_no_braking(void** state) {
    (void)state;
    kerb_performance p = mass();
    for (int32_t i = 0; i < 50; i++)
        points[i] = kerb_profile_point_level(1.0f, 0.0f);
    assert_false(kerb_braking_due(&p, points, 50, false, 0, 0.0f, 69.0f, 0.0f));
    assert_false(kerb_braking_due(&p, points, 50, true, 49, 0.5f, 69.0f, 0.0f));
    assert_false(kerb_braking_due(&p, points, 50, true, 50, 0.0f, 69.0f, 0.0f));
    assert_false(kerb_braking_due(&p, points, 50, true, 0, 0.0f, 0.0f, 0.0f));
}

int profile_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_circle_is_held_up_to_the_root_of_grip_times_radius),
        cmocka_unit_test(a_straight_is_driven_at_the_lower_of_top_speed_and_limit),
        cmocka_unit_test(a_banked_circle_is_held_by_the_tangent_formula),
        cmocka_unit_test(a_steep_bank_holds_only_fast_vehicles),
        cmocka_unit_test(too_steep_a_bank_to_the_wrong_side_holds_at_no_speed),
        cmocka_unit_test(a_crest_is_left_where_gravity_no_longer_bends_the_path),
        cmocka_unit_test(a_dip_and_wings_lift_the_limit_until_there_is_none),
        cmocka_unit_test(on_level_ground_pedals_and_turning_share_an_ellipse),
        cmocka_unit_test(the_linear_budget_leaves_what_speed_leaves_of_its_limit),
        cmocka_unit_test(hills_drag_crests_and_wings_change_braking_as_eq_26_says),
        cmocka_unit_test(turning_takes_its_drag_from_the_engine_not_from_the_tyres),
        cmocka_unit_test(a_circle_is_driven_at_the_speed_that_the_engine_holds_there),
        cmocka_unit_test(a_vehicle_just_holds_its_top_speed),
        cmocka_unit_test(each_speed_is_driven_in_the_gear_that_pulls_most),
        cmocka_unit_test(a_stop_from_speed_and_a_start_take_the_textbook_distances),
        cmocka_unit_test(a_straight_before_one_corner_is_braked_on_at_the_last_moment),
        cmocka_unit_test(drag_bends_acceleration_as_its_differential_equation_says),
        cmocka_unit_test(a_hill_too_steep_to_climb_ends_the_drive_in_finite_time),
        cmocka_unit_test(a_weak_car_settles_where_its_engine_meets_the_drag),
        cmocka_unit_test(an_open_line_begins_and_ends_as_fast_as_asked_or_slower),
        cmocka_unit_test(a_lap_is_the_same_wherever_it_is_begun),
        cmocka_unit_test(a_lap_mirrored_takes_the_same_time),
        cmocka_unit_test(a_better_vehicle_is_never_slower),
        cmocka_unit_test(bad_numbers_never_come_out_as_speeds),
        cmocka_unit_test(a_point_that_is_not_finite_is_not_driven),
        cmocka_unit_test(driving_by_look_ahead_comes_near_the_profile),
        cmocka_unit_test(braking_at_a_constant_rate_is_due_at_the_distance_of_eq_24),
        cmocka_unit_test(nothing_ahead_asks_for_no_braking),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
