// A model car is driven as a car on a road that is as much wider.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kerb/lane.h"
#include "test/scaled_vehicle.h"
#include "test/seed.h"

#include <string.h>

// With a power of two nothing is rounded, so that all bits must agree.
#define SCALE 0.125f

// An answer to a ray: shares of its length, so that it scales with it.
static kerb_lane_hit answer(kerb_random* random, const kerb_lane_ray* ray) {
    kerb_lane_hit hit = {.kind = KERB_LANE_HIT_NOTHING, .distance = ray->length};
    float draw = kerb_random_between(random, 0.0f, 1.0f);
    if (draw > 0.8f)
        return hit;
    hit.kind = draw > 0.1f ? KERB_LANE_HIT_EDGE : KERB_LANE_HIT_VEHICLE;
    hit.distance = ray->length * kerb_random_between(random, 0.05f, 0.9f);
    hit.normal = kerb_vec3_scale(ray->direction, -1.0f);
    hit.velocity = kerb_vec3_make(8.0f * kerb_random_between(random, 0.0f, 1.0f), 0.0f, 0.0f);
    return hit;
}

static kerb_vec3 shrunk(kerb_vec3 v) {
    return kerb_vec3_scale(v, SCALE);
}

static void the_scale_is_one_for_vehicles_on_roads_for_cars(void** state) {
    (void)state;
    kerb_vehicle v = kerb_vehicle_default();
    assert_true(kerb_vehicle_scale(&v) == 1.0f);
    v.length = 25.0f; // a road train
    assert_true(kerb_vehicle_scale(&v) == 1.0f);
    v.length = 2.1f, v.width = 0.8f; // a motorcycle
    assert_true(kerb_vehicle_scale(&v) == 1.0f);
    v.length = 0.45f, v.width = 0.2f;
    assert_true(kerb_abs(kerb_vehicle_scale(&v) - 0.1f) < 1e-6f);
    v.length = 45.0f, v.width = 18.0f;
    assert_true(kerb_abs(kerb_vehicle_scale(&v) - 10.0f) < 1e-5f);
    v.length = 2.0f, v.width = 2.0f;
    assert_true(kerb_vehicle_scale(&v) == 1.0f);
    v.length = 4.5f, v.width = 4.5f;
    assert_true(kerb_vehicle_scale(&v) == 1.0f);
}

static kerb_vehicle any_size(kerb_random* random) {
    kerb_vehicle v = kerb_vehicle_default();
    const float share = kerb_random_between(random, 0.0f, 1.0f);
    v.length = 0.05f + 100.0f * share * share * share * share;
    v.width = v.length * kerb_random_between(random, 0.1f, 1.0f);
    return v;
}

static void the_scale_changes_evenly_with_the_size(void** state) {
    (void)state;
    kerb_random random = test_random(__func__);
    for (int32_t i = 0; i < 20000; i++) {
        kerb_vehicle v = any_size(&random), w = v;
        w.length *= 1.0f + kerb_random_between(&random, 0.0f, 1e-3f);
        w.width *= 1.0f + kerb_random_between(&random, 0.0f, 1e-3f);
        const float a = kerb_vehicle_scale(&v), b = kerb_vehicle_scale(&w);
        // Steepest just above 4.5 m of width: 7 % of the scale for 1 % of the size.
        if (kerb_abs(a - b) > 7.2e-3f * a)
            fail_msg("%g m by %g m: %g, %g m by %g m: %g", (double)v.length, (double)v.width,
                     (double)a, (double)w.length, (double)w.width, (double)b);
    }
}

static void a_vehicle_in_units_of_its_scale_has_scale_one(void** state) {
    (void)state;
    kerb_random random = test_random(__func__);
    for (int32_t i = 0; i < 20000; i++) {
        kerb_vehicle v = any_size(&random);
        const float scale = kerb_vehicle_scale(&v);
        v.length /= scale, v.width /= scale;
        // Of a vehicle that is as wide as long and more than 4.5 m, the length is 2 m but for
        // rounding.
        if (kerb_abs(kerb_vehicle_scale(&v) - 1.0f) > 1e-6f)
            fail_msg("scale %g, in its units %g m by %g m: %g", (double)scale, (double)v.length,
                     (double)v.width, (double)kerb_vehicle_scale(&v));
    }
}

static void settings_of_a_vehicle_are_valid_at_any_scale(void** state) {
    (void)state;
    kerb_random random = test_random(__func__);
    for (int32_t i = 0; i < 1000; i++) {
        kerb_vehicle v = kerb_vehicle_default();
        v.length = kerb_random_between(&random, 0.0f, 1.0f);
        v.length = 0.05f + 199.0f * v.length * v.length * v.length;
        v.width = kerb_max(0.02f, kerb_min(0.4f * v.length, 100.0f));
        kerb_lane_settings settings = kerb_lane_settings_of(&v);
        kerb_error error;
        if (kerb_settings_validate(&kerb_lane_settings_table, &settings, &error) != KERB_OK)
            fail_msg("%g m long: %s", (double)v.length, error.field);
    }
}

static void a_model_car_is_driven_as_a_car_to_the_bit(void** state) {
    (void)state;
    kerb_random random = test_random(__func__);
    for (int32_t run = 0; run < 20; run++) {
        const kerb_vehicle car = kerb_vehicle_default(), model = scaled_vehicle(&car, SCALE);
        kerb_lane_keeper big = kerb_lane_keeper_make(&car), small = kerb_lane_keeper_make(&model);
        kerb_motion motion = kerb_motion_default();
        float heading = 0.0f;
        for (int32_t frame = 0; frame < 200; frame++) {
            float speed = 10.0f + 5.0f * kerb_sin(0.02f * (float)frame), step = 0.015625f;
            float turning = 0.2f * kerb_sin(0.03f * (float)(frame + 17 * run));
            heading += turning * step;
            motion.rotation = kerb_quat_from_heading(heading);
            motion.velocity = kerb_vec3_scale(kerb_quat_forward(motion.rotation), speed);
            motion.position =
                kerb_vec3_add(motion.position, kerb_vec3_scale(motion.velocity, step));
            motion.angular_velocity.z = turning;
            kerb_motion little = motion;
            little.position = shrunk(motion.position), little.velocity = shrunk(motion.velocity);
            kerb_lane_ray rays[KERB_LANE_RAYS_MAX], few[KERB_LANE_RAYS_MAX];
            kerb_lane_hit hits[KERB_LANE_RAYS_MAX], hit_few[KERB_LANE_RAYS_MAX];
            int32_t count = kerb_lane_keeper_rays(&big, &motion, rays);
            assert_int_equal(kerb_lane_keeper_rays(&small, &little, few), count);
            for (int32_t i = 0; i < count; i++) {
                assert_true(few[i].length == SCALE * rays[i].length);
                assert_true(few[i].origin.x == SCALE * rays[i].origin.x);
                hits[i] = hit_few[i] = answer(&random, &rays[i]);
                hit_few[i].distance *= SCALE;
                hit_few[i].velocity = shrunk(hits[i].velocity);
            }
            kerb_controls a = kerb_lane_keeper_drive(&big, rays, hits, count, &motion, NULL, step);
            kerb_controls b =
                kerb_lane_keeper_drive(&small, few, hit_few, count, &little, NULL, step);
            if (a.steering != b.steering || a.throttle != b.throttle || a.brake != b.brake ||
                a.gear != b.gear || a.reason != b.reason)
                fail_msg("run %d, frame %d: %g %g %g, model %g %g %g", (int)run, (int)frame,
                         (double)a.steering, (double)a.throttle, (double)a.brake,
                         (double)b.steering, (double)b.throttle, (double)b.brake);
            assert_true(small.decision.target_speed == SCALE * big.decision.target_speed);
            assert_true(small.settings.speed == SCALE * big.settings.speed);
            assert_true(small.vehicle.length == model.length);
            if (frame == 100) { // the world's origin moves, for both
                kerb_vec3 moves = {512.0f, -256.0f, 0.0f};
                kerb_lane_keeper_shift_origin(&big, moves);
                kerb_lane_keeper_shift_origin(&small, shrunk(moves));
                motion.position = kerb_vec3_sub(motion.position, moves);
            }
        }
    }
}

static kerb_lane_keeper scaled_keeper(float by) {
    const kerb_vehicle car = kerb_vehicle_default(), scaled = scaled_vehicle(&car, by);
    return kerb_lane_keeper_make(&scaled);
}

// One frame without anything in sight. The keeper is a copy: each frame is the first one.
static kerb_reason reason_at(kerb_lane_keeper keeper, kerb_vec3 position, float speed,
                             int32_t* rays_asked) {
    kerb_motion motion = kerb_motion_default();
    motion.position = position;
    motion.velocity.x = speed;
    kerb_lane_ray rays[KERB_LANE_RAYS_MAX];
    kerb_lane_hit hits[KERB_LANE_RAYS_MAX] = {0};
    *rays_asked = kerb_lane_keeper_rays(&keeper, &motion, rays);
    const kerb_controls controls =
        kerb_lane_keeper_drive(&keeper, rays, hits, *rays_asked, &motion, NULL, 0.02f);
    assert_int_equal(keeper.bad_frames, controls.reason == KERB_REASON_BAD_MOTION);
    return controls.reason;
}

// The world, what hits a vehicle and how a host counts have no scale.
static void what_is_possible_is_judged_in_metres_at_any_scale(void** state) {
    (void)state;
    const float scales[] = {0.05f, 0.125f, 1.0f, 8.0f};
    for (size_t i = 0; i < sizeof scales / sizeof *scales; i++) {
        const kerb_lane_keeper keeper = scaled_keeper(scales[i]);
        const float fast = 3.0f * keeper.vehicle.speed_max + 100.0f;
        const struct {
            float far, speed;
        } cases[] = {{0.0f, 1.0f},
                     {0.99f * KERB_POSITION_MAX, 1.0f},
                     {0.0f, 0.99f * fast},
                     {1.01f * KERB_POSITION_MAX, 1.0f},
                     {0.0f, 1.01f * fast}};
        for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
            kerb_motion motion = kerb_motion_default();
            motion.position = kerb_vec3_make(-cases[k].far, cases[k].far, 0.0f);
            motion.velocity.x = cases[k].speed;
            const bool possible =
                kerb_motion_validate(&motion, keeper.vehicle.speed_max, NULL) == KERB_OK;
            assert_true(possible == (k < 3));
            int32_t asked;
            const kerb_reason reason = reason_at(keeper, motion.position, cases[k].speed, &asked);
            if ((reason != KERB_REASON_BAD_MOTION) != possible || (asked > 0) != possible)
                fail_msg("times %g, %g m out at %g m/s: %s, %d rays", (double)scales[i],
                         (double)cases[k].far, (double)cases[k].speed, kerb_reason_text(reason),
                         (int)asked);
        }
    }
}

int lane_scale_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_scale_is_one_for_vehicles_on_roads_for_cars),
        cmocka_unit_test(the_scale_changes_evenly_with_the_size),
        cmocka_unit_test(a_vehicle_in_units_of_its_scale_has_scale_one),
        cmocka_unit_test(settings_of_a_vehicle_are_valid_at_any_scale),
        cmocka_unit_test(a_model_car_is_driven_as_a_car_to_the_bit),
        cmocka_unit_test(what_is_possible_is_judged_in_metres_at_any_scale),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
