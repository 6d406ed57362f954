// A model car is driven along a small path as a car along one that is as much larger.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kerb/follow.h"
#include "test/scaled_vehicle.h"
#include "test/seed.h"

#include <math.h>

enum { POINTS = 60 };

// A power of two, so that hardly anything is rounded.
#define SCALE 0.125f

// A winding road with some sharp corners, and the same times SCALE.
static void two_roads(kerb_random* random, kerb_path* large, kerb_path* small) {
    kerb_waypoint wide[POINTS], narrow[POINTS];
    kerb_host host = kerb_host_default();
    kerb_vec3 at = {0.0f, 0.0f, 0.0f};
    float heading = 0.0f;
    for (int32_t i = 0; i < POINTS; i++) {
        wide[i] = narrow[i] = kerb_waypoint_at(at.x, at.y, 0.0f);
        narrow[i].position = kerb_vec3_scale(at, SCALE);
        narrow[i].left = narrow[i].right = SCALE * wide[i].left;
        float most = i % 11 == 10 ? 1.2f : 0.25f;
        heading += kerb_random_between(random, -most, most);
        at.x += 5.0f * kerb_cos(heading);
        at.y += 5.0f * kerb_sin(heading);
    }
    assert_int_equal(kerb_path_create(large, wide, POINTS, false, &host, NULL), KERB_OK);
    assert_int_equal(kerb_path_create(small, narrow, POINTS, false, &host, NULL), KERB_OK);
}

// Wheels that obey at once, without tyres.
static void move(kerb_motion* motion, const kerb_vehicle* car, const kerb_controls* controls,
                 float* speed, float* heading, float step) {
    float pull = controls->throttle * car->acceleration_max - controls->brake * car->braking_max;
    *speed = kerb_max(*speed + (pull - car->coasting_deceleration) * step, 0.0f);
    float bend = kerb_tan(controls->steering * car->steering_angle_max) / car->wheelbase;
    *heading += bend * *speed * step;
    motion->rotation = kerb_quat_from_heading(*heading);
    motion->velocity = kerb_vec3_scale(kerb_quat_forward(motion->rotation), *speed);
    motion->position = kerb_vec3_add(motion->position, kerb_vec3_scale(motion->velocity, step));
    motion->angular_velocity.z = bend * *speed;
    motion->steering = controls->steering;
}

static void a_model_car_is_driven_as_a_car(void** state) {
    (void)state;
    kerb_random random = test_random(__func__);
    for (int32_t run = 0; run < 8; run++) {
        kerb_path large, small;
        two_roads(&random, &large, &small);
        const kerb_vehicle car = kerb_vehicle_default(), model = scaled_vehicle(&car, SCALE);
        kerb_follower a = kerb_follower_make(&car), b = kerb_follower_make(&model);
        // What is learned is taken over at moments that roundings move.
        const bool learns = run % 2 == 1;
        a.settings.steering = b.settings.steering = learns;
        kerb_motion motion = kerb_motion_default();
        float speed = 0.0f, heading = 0.0f, sum = 0.0f;
        int32_t frames = 0;
        for (; frames < 3000 && a.controls.reason != KERB_REASON_ARRIVED; frames++) {
            kerb_motion little = motion;
            little.position = kerb_vec3_scale(motion.position, SCALE);
            little.velocity = kerb_vec3_scale(motion.velocity, SCALE);
            kerb_controls one = kerb_follower_drive(&a, &large, &motion, NULL, 0.015625f);
            kerb_controls two = kerb_follower_drive(&b, &small, &little, NULL, 0.015625f);
            float off = kerb_max(kerb_abs(one.steering - two.steering),
                                 kerb_abs(one.throttle - one.brake - two.throttle + two.brake));
            sum += off;
            if (!learns &&
                off > 0.2f) // of single frames: roundings differ where lengths are no powers of two
                fail_msg("run %d, frame %d: %g %g %g, model car %g %g %g", (int)run, (int)frames,
                         (double)one.steering, (double)one.throttle, (double)one.brake,
                         (double)two.steering, (double)two.throttle, (double)two.brake);
            move(&motion, &car, &one, &speed, &heading, 0.015625f);
        }
        assert_true(frames < 3000);
        if (!(sum < (learns ? 0.03f : 0.005f) * (float)frames))
            fail_msg("run %d: %g apart in the mean", (int)run, (double)(sum / (float)frames));
        assert_int_equal(b.controls.reason, KERB_REASON_ARRIVED);
        kerb_path_destroy(&large);
        kerb_path_destroy(&small);
    }
}

static void settings_of_a_vehicle_are_valid_at_any_scale(void** state) {
    (void)state;
    kerb_random random = test_random(__func__);
    for (int32_t i = 0; i < 300; i++) {
        const kerb_vehicle car = kerb_vehicle_default();
        float by = (float)exp((double)kerb_random_between(&random, -4.4f, 3.7f));
        kerb_vehicle v = scaled_vehicle(&car, by);
        for (int32_t method = 0; method < 3; method++) {
            kerb_follower_settings s = kerb_follower_settings_of((kerb_follower_method)method, &v);
            kerb_error error;
            if (kerb_settings_validate(&kerb_follower_settings_table, &s, &error) != KERB_OK)
                fail_msg("times %g: %s", (double)by, error.field);
        }
        kerb_follower_settings s = kerb_follower_settings_of(KERB_FOLLOWER_KERB, &v);
        float scale = kerb_vehicle_scale(&v);
        if (by > 0.03f && by < 10.0f)
            assert_true(kerb_abs(s.speed - 10.0f * scale) < 1e-4f * s.speed);
    }
}

int follower_scale_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_model_car_is_driven_as_a_car),
        cmocka_unit_test(settings_of_a_vehicle_are_valid_at_any_scale),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
