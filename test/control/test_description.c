// What a vehicle's description says of engine, lock, load and creep, in what drivers compute from
// it.
#include "kerb/control.h"

#include "src/control/shared.h"
#include "test/control/profile_rig.h"
#include "test/seed.h"

static kerb_share_curve flat(float least, float most, int32_t count, float share) {
    kerb_share_curve curve = {.count = count};
    for (int32_t i = 0; i < count; i++) {
        curve.speed[i] = least + (most - least) * (float)i / (float)count;
        curve.share[i] = share;
    }
    return curve;
}

static void a_flat_share_of_power_changes_no_bit(void** state) {
    (void)state;
    kerb_vehicle plain = kerb_vehicle_default(), told = plain;
    told.power_share = flat(0.0f, 50.0f, KERB_SHARE_POINTS_MAX, 1.0f);
    for (float speed = -10.0f; speed < 60.0f; speed += 0.37f)
        for (int32_t reverse = 0; reverse < 2; reverse++)
            assert_true(kerb_full_throttle_acceleration(&plain, speed, reverse) ==
                        kerb_full_throttle_acceleration(&told, speed, reverse));
    const kerb_performance a = kerb_performance_of(&plain), b = kerb_performance_of(&told);
    assert_memory_equal(&a, &b, sizeof a);
}

static void the_share_of_power_at_a_speed_is_that_of_the_push(void** state) {
    (void)state;
    kerb_vehicle vehicle = kerb_vehicle_default();
    vehicle.power = 150000.0f;
    vehicle.acceleration_max = 8.0f;
    vehicle.power_share =
        (kerb_share_curve){.count = 3, .speed = {10, 30, 50}, .share = {0.9f, 1, 0.6f}};
    const float speeds[] = {24.0f, 30.0f, 40.0f, 50.0f};
    const kerb_performance p = kerb_performance_of(&vehicle);
    for (int i = 0; i < 4; i++) {
        double share = (double)kerb_share_at(&vehicle.power_share, speeds[i]);
        double push = 150000.0 / 1500.0 * share / (double)speeds[i];
        assert_near((double)kerb_full_throttle_acceleration(&vehicle, speeds[i], false), push,
                    1e-5);
        float at = speeds[i] / vehicle.speed_max * (float)(KERB_DRIVE_COUNT - 1);
        int32_t below = (int32_t)at < KERB_DRIVE_COUNT - 2 ? (int32_t)at : KERB_DRIVE_COUNT - 2;
        float drive = p.drive[below] + (at - (float)below) * (p.drive[below + 1] - p.drive[below]);
        assert_near((double)drive, push, 0.01 * push);
    }
}

// The cubic of power in points gives what the cubic gives, but for the chords between points.
static void an_engine_told_in_points_pulls_as_its_curve(void** state) {
    (void)state;
    kerb_vehicle plain = kerb_vehicle_default();
    plain.power = 150000.0f;
    plain.acceleration_max = 8.0f;
    plain.drive_train.gear_count = 6;
    kerb_vehicle told = plain;
    kerb_share_curve* torque = &told.drive_train.torque;
    torque->count = KERB_SHARE_POINTS_MAX;
    for (int32_t i = 0; i < KERB_SHARE_POINTS_MAX; i++) {
        float x = 0.1f + 1.1f * (float)i / (float)(KERB_SHARE_POINTS_MAX - 1);
        torque->speed[i] = x * told.drive_train.engine_speed_power;
        torque->share[i] = (1.0f + x - x * x) / 1.25f;
    }
    const kerb_performance a = kerb_performance_of(&plain), b = kerb_performance_of(&told);
    for (int32_t i = 0; i < KERB_DRIVE_COUNT; i++)
        assert_near((double)b.drive[i], (double)a.drive[i], 0.015 * (double)a.drive[i]);
    // All shares by the same factor: only their proportion counts.
    for (int32_t i = 0; i < KERB_SHARE_POINTS_MAX; i++)
        torque->share[i] *= 0.5f;
    const kerb_performance half = kerb_performance_of(&told);
    for (int32_t i = 0; i < KERB_DRIVE_COUNT; i++)
        assert_near((double)half.drive[i], (double)b.drive[i], 1e-4);
    // Full throttle is that of the best gear, forwards only.
    for (int32_t i = 8; i < KERB_DRIVE_COUNT; i++) {
        float speed = told.speed_max * (float)i / (float)(KERB_DRIVE_COUNT - 1);
        if (b.drive[i] < told.acceleration_max)
            assert_near((double)kerb_full_throttle_acceleration(&told, speed, false),
                        (double)b.drive[i], 1e-4);
        assert_true(kerb_full_throttle_acceleration(&told, speed, true) ==
                    kerb_full_throttle_acceleration(&plain, speed, true));
    }
}

// An engine with all of its torque at low speed, as an electric one or a diesel: the cubic gave a
// third too little or too much.
static void an_engine_unlike_the_cubic_pulls_as_it_is_told(void** state) {
    (void)state;
    kerb_vehicle v = kerb_vehicle_default();
    v.power = 150000.0f;
    v.acceleration_max = 20.0f;
    v.drive_train.gear_count = 1;
    v.drive_train.gear_ratio[0] = 6.0f;
    v.drive_train.torque =
        (kerb_share_curve){.count = 2, .speed = {287.5f, 575.0f}, .share = {1.0f, 0.5f}};
    float turns = v.drive_train.gear_ratio[0] / v.drive_train.wheel_radius;
    float half = 287.5f / turns, all = 575.0f / turns;
    double power = 150000.0 / 1500.0;
    // Twice the torque at half the speed: the same power.
    assert_near((double)kerb_full_throttle_acceleration(&v, half, false), power / (double)half,
                1e-4);
    assert_near((double)kerb_full_throttle_acceleration(&v, all, false), power / (double)all, 1e-4);
    assert_near((double)kerb_full_throttle_acceleration(&v, 0.5f * half, false),
                power / (double)half, 1e-4);
}

static void curvature_and_steering_are_inverse_with_a_lock_that_falls(void** state) {
    (void)state;
    kerb_random random = test_random("lock");
    for (int i = 0; i < 20000; i++) {
        kerb_vehicle v = kerb_vehicle_default();
        v.steering_angle_max = kerb_random_between(&random, 0.1f, 1.0f);
        v.understeer_gradient = kerb_random_between(&random, 0.0f, 0.01f);
        v.steering_lock.count = 2;
        v.steering_lock.speed[1] = kerb_random_between(&random, 5.0f, 60.0f);
        v.steering_lock.share[0] = 1.0f;
        v.steering_lock.share[1] = kerb_random_between(&random, 0.02f, 1.0f);
        float speed = kerb_random_between(&random, -10.0f, 70.0f);
        float steering = kerb_random_between(&random, -1.0f, 1.0f);
        float lock = kerb_vehicle_steering_lock(&v, speed);
        float curvature = kerb_curvature_of(&v, steering, speed);
        assert_near((double)kerb_steering_for(&v, curvature, speed), (double)steering, 2e-4);
        // The wheels, as the host tells them, drive the same.
        float wheels = steering * lock / v.steering_angle_max;
        assert_near((double)kerb_in_control_curvature_of_wheels(&v, wheels, speed),
                    (double)curvature, 1e-5 + 1e-4 * fabs((double)curvature));
        float most = kerb_random_between(&random, 1.0f, 70.0f);
        float fast = kerb_in_control_speed_by_lock(&v, curvature, most);
        assert_true(fast <= most);
        if (fast < most && fast > 0.0f)
            assert_near((double)kerb_curvature_of(&v, 1.0f, fast), fabs((double)curvature),
                        1e-3 + 0.01 * fabs((double)curvature));
    }
}

static void steering_of_tracks_is_their_yaw_rate_and_no_more_than_they_have(void** state) {
    (void)state;
    kerb_vehicle v = kerb_vehicle_default();
    v.kind = KERB_VEHICLE_TRACKED;
    v.speed_max = 12.0f;
    v.track_width = 1.6f;
    for (float speed = -8.0f; speed < 12.0f; speed += 0.7f) {
        float most = kerb_vehicle_yaw_rate(&v, speed);
        float full = kerb_steering_for(&v, 9.0f, kerb_max(kerb_abs(speed), 1.0f));
        if (speed > 1.0f)
            assert_near((double)(full * v.yaw_rate_max), (double)most, 1e-5);
        if (kerb_abs(speed) > 0.5f)
            assert_near((double)(kerb_curvature_of(&v, 1.0f, speed) * speed), (double)most, 1e-5);
    }
}

// Grip by load N/(1 + s·(N - 1)), and what a performance says of it: equal at rest and at the
// greatest speed, less between.
static void grip_that_is_lost_with_load_is_nowhere_overrated(void** state) {
    (void)state;
    kerb_random random = test_random("load");
    for (int i = 0; i < 2000; i++) {
        kerb_vehicle v = kerb_vehicle_default();
        v.downforce = kerb_random_between(&random, 0.0f, 0.006f);
        v.load_sensitivity = kerb_random_between(&random, 0.0f, 0.9f);
        const kerb_performance p = kerb_performance_of(&v);
        for (float speed = 0.0f; speed <= v.speed_max; speed += 5.0f) {
            double square = (double)speed * (double)speed / (double)KERB_GRAVITY;
            double load = 1.0 + (double)v.downforce * square;
            double grip = load / (1.0 + (double)v.load_sensitivity * (load - 1.0));
            double told = 1.0 + (double)p.downforce * square;
            assert_true(told <= grip * (1.0 + 1e-6));
            if (speed == v.speed_max || speed == 0.0f)
                assert_near(told, grip, 1e-5 * grip);
        }
        if (v.load_sensitivity == 0.0f)
            assert_true(p.downforce == v.downforce);
    }
}

static void a_vehicle_that_creeps_is_pushed_below_its_creep_speed(void** state) {
    (void)state;
    kerb_vehicle v = kerb_vehicle_default();
    v.creep_speed = 1.6f;
    assert_near((double)kerb_coasting_deceleration(&v, 0.0f), -0.8, 1e-6);
    assert_near((double)kerb_coasting_deceleration(&v, 0.8f), -0.4, 1e-6);
    assert_true(kerb_coasting_deceleration(&v, 2.0f) > 0.0f);
    // Left alone it comes to that speed, from both sides.
    for (int i = 0; i < 2; i++) {
        float speed = i == 0 ? 0.0f : 4.0f;
        for (int k = 0; k < 6000; k++)
            speed -= 0.01f * kerb_coasting_deceleration(&v, speed);
        assert_near((double)speed, 1.6, 0.01);
    }
}

int description_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_flat_share_of_power_changes_no_bit),
        cmocka_unit_test(the_share_of_power_at_a_speed_is_that_of_the_push),
        cmocka_unit_test(an_engine_told_in_points_pulls_as_its_curve),
        cmocka_unit_test(an_engine_unlike_the_cubic_pulls_as_it_is_told),
        cmocka_unit_test(curvature_and_steering_are_inverse_with_a_lock_that_falls),
        cmocka_unit_test(steering_of_tracks_is_their_yaw_rate_and_no_more_than_they_have),
        cmocka_unit_test(grip_that_is_lost_with_load_is_nowhere_overrated),
        cmocka_unit_test(a_vehicle_that_creeps_is_pushed_below_its_creep_speed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
