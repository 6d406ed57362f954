// Steering, body and pedals learned together: the same as learned alone.
#include "kerb/kerb.h"
#include "scene/host/family_pedals.h"
#include "test/seed.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct apart {
    kerb_estimate steering;
    kerb_body_estimate body;
    kerb_pedal_estimate pedals;
} apart;

static void assert_value(const kerb_estimated* a, const kerb_estimated* b) {
    assert_memory_equal(&a->value, &b->value, sizeof a->value);
    assert_memory_equal(&a->deviation, &b->deviation, sizeof a->deviation);
    assert_int_equal(a->known, b->known);
}

static void assert_steering(const kerb_estimate* a, const kerb_estimate* b) {
    const kerb_estimated* mine[] = {&a->steering_gain, &a->trim, &a->delay, &a->steering_rate};
    const kerb_estimated* yours[] = {&b->steering_gain, &b->trim, &b->delay, &b->steering_rate};
    for (size_t i = 0; i < sizeof mine / sizeof *mine; i++)
        assert_value(mine[i], yours[i]);
    assert_memory_equal(&a->taught, &b->taught, sizeof a->taught);
    assert_int_equal(a->bad_frames, b->bad_frames);
}

static void assert_body(const kerb_body_estimate* a, const kerb_body_estimate* b) {
    const kerb_estimated* mine[] = {&a->following_axle,  &a->compliance, &a->understeer_gradient,
                                    &a->gyration_square, &a->tyres,      &a->grip,
                                    &a->slide_grip};
    const kerb_estimated* yours[] = {&b->following_axle,  &b->compliance, &b->understeer_gradient,
                                     &b->gyration_square, &b->tyres,      &b->grip,
                                     &b->slide_grip};
    for (size_t i = 0; i < sizeof mine / sizeof *mine; i++)
        assert_value(mine[i], yours[i]);
    assert_memory_equal(&a->taught, &b->taught, sizeof a->taught);
    assert_int_equal(a->bad_frames, b->bad_frames);
}

static void assert_pedals(const kerb_pedal_estimate* a, const kerb_pedal_estimate* b) {
    const kerb_estimated* mine[] = {&a->power,      &a->half_throttle, &a->throttle_delay,
                                    &a->braking,    &a->half_brake,    &a->brake_delay,
                                    &a->rolling,    &a->drag,          &a->creep_speed,
                                    &a->spin_limit, &a->lock_limit,    &a->shift_pause};
    const kerb_estimated* yours[] = {&b->power,      &b->half_throttle, &b->throttle_delay,
                                     &b->braking,    &b->half_brake,    &b->brake_delay,
                                     &b->rolling,    &b->drag,          &b->creep_speed,
                                     &b->spin_limit, &b->lock_limit,    &b->shift_pause};
    for (size_t i = 0; i < sizeof mine / sizeof *mine; i++)
        assert_value(mine[i], yours[i]);
    assert_memory_equal(&a->taught, &b->taught, sizeof a->taught);
    assert_int_equal(a->bad_frames, b->bad_frames);
}

static void assert_all(const kerb_vehicle_estimate* a, const kerb_vehicle_estimate* b) {
    assert_steering(&a->steering, &b->steering);
    assert_body(&a->body, &b->body);
    assert_pedals(&a->pedals, &b->pedals);
}

// A healthy frame, or one of those that hosts give now and then.
static void spoil(kerb_random* random, kerb_motion* motion, kerb_controls* controls, float* step) {
    switch (kerb_random_between(random, 0.0f, 400.0f) < 7.0f
                ? (int)kerb_random_between(random, 0.0f, 6.99f)
                : -1) {
    case 0:
        motion->position.x += 300.0f;
        break;
    case 1:
        motion->velocity.y = NAN;
        break;
    case 2:
        *step = -1.0f;
        break;
    case 3:
        *step = 2.0f;
        break;
    case 4:
        controls->steering = NAN;
        break;
    case 5:
        controls->brake = INFINITY;
        break;
    case 6:
        motion->rotation.w *= 1.3f;
        break;
    default:
        break;
    }
}

static void the_parts_learn_what_they_would_learn_alone(void** state) {
    (void)state;
    kerb_random random = test_random("estimate_vehicle_alone");
    int taught = 0;
    for (int k = 0; k < 6; k++) {
        kerb_family_pedal_drive drive;
        kerb_family_pedal_drive_make(&drive, 7000u + (uint64_t)kerb_random_below(&random, 1000));
        kerb_vehicle_estimate all = kerb_vehicle_estimate_make(&drive.host.vehicle);
        apart one = {kerb_estimate_make(&drive.host.vehicle),
                     kerb_body_estimate_make(&drive.host.vehicle),
                     kerb_pedal_estimate_make(&drive.host.vehicle)};
        while (drive.time < 40.0) {
            kerb_controls controls;
            float step = kerb_family_pedal_drive_step(&drive, &controls);
            kerb_motion motion = kerb_family_motion(&drive.host);
            kerb_surroundings around = kerb_surroundings_default();
            around.do_not_learn = kerb_random_between(&random, 0.0f, 1.0f) < 0.01f;
            const kerb_surroundings* said =
                kerb_random_between(&random, 0.0f, 1.0f) < 0.5f ? &around : NULL;
            spoil(&random, &motion, &controls, &step);
            kerb_vehicle_estimate_feed(&all, &motion, &controls, said, step);
            kerb_estimate_feed(&one.steering, &motion, &controls, said, step);
            kerb_body_estimate_feed(&one.body, &motion, &controls, said, step);
            kerb_pedal_estimate_feed(&one.pedals, &motion, &controls, said, step);
        }
        kerb_vehicle_estimate_update(&all);
        kerb_estimate_update(&one.steering);
        kerb_body_estimate_update(&one.body);
        kerb_pedal_estimate_update(&one.pedals);
        assert_steering(&all.steering, &one.steering);
        assert_body(&all.body, &one.body);
        assert_pedals(&all.pedals, &one.pedals);
        taught += all.pedals.taught > 1.0f && all.steering.taught > 1.0f;
        kerb_vehicle mine = kerb_vehicle_estimate_vehicle(&all, &drive.host.vehicle);
        kerb_vehicle yours = kerb_estimate_vehicle(&one.steering, &drive.host.vehicle);
        yours = kerb_body_estimate_vehicle(&one.body, &yours);
        yours = kerb_pedal_estimate_vehicle(&one.pedals, &yours);
        assert_int_equal(kerb_vehicle_validate(&mine, NULL), KERB_OK);
        assert_memory_equal(&mine, &yours, sizeof mine);
    }
    assert_true(taught >= 3);
}

static void drive_on(kerb_family_pedal_drive* drive, kerb_vehicle_estimate* estimate,
                     double until) {
    while (drive->time < until) {
        kerb_controls controls;
        float step = kerb_family_pedal_drive_step(drive, &controls);
        kerb_motion motion = kerb_family_motion(&drive->host);
        kerb_vehicle_estimate_feed(estimate, &motion, &controls, NULL, step);
    }
}

static void a_saved_vehicle_estimate_learns_the_same_bits(void** state) {
    (void)state;
    kerb_family_pedal_drive drive;
    kerb_family_pedal_drive_make(&drive, 7001);
    kerb_vehicle_estimate estimate = kerb_vehicle_estimate_make(&drive.host.vehicle);
    drive_on(&drive, &estimate, 15.0);
    static unsigned char block[64 * 1024];
    assert_true(kerb_vehicle_estimate_bytes() == sizeof estimate);
    size_t size = kerb_vehicle_estimate_save(&estimate, block, sizeof block);
    assert_true(size > 0 && size <= sizeof block);
    kerb_vehicle other = kerb_vehicle_default();
    kerb_vehicle_estimate loaded = kerb_vehicle_estimate_make(&other);
    block[0] ^= 1;
    assert_int_not_equal(kerb_vehicle_estimate_load(&loaded, block, size, NULL), KERB_OK);
    block[0] ^= 1;
    assert_int_equal(kerb_vehicle_estimate_load(&loaded, block, size, NULL), KERB_OK);
    kerb_family_pedal_drive again = drive;
    drive_on(&drive, &estimate, 25.0);
    drive_on(&again, &loaded, 25.0);
    assert_all(&estimate, &loaded);
}

static void a_reset_forgets_and_a_merge_gives_all(void** state) {
    (void)state;
    kerb_family_pedal_drive drive;
    kerb_family_pedal_drive_make(&drive, 7002);
    kerb_vehicle_estimate fresh = kerb_vehicle_estimate_make(&drive.host.vehicle);
    kerb_vehicle_estimate taught = fresh, given = fresh;
    drive_on(&drive, &taught, 30.0);
    kerb_vehicle_estimate_update(&taught);
    kerb_vehicle_estimate_merge(&given, &taught, 0.5f);
    assert_true(given.steering.taught == 0.5f * taught.steering.taught);
    assert_true(given.body.taught == 0.5f * taught.body.taught);
    assert_true(given.pedals.taught == 0.5f * taught.pedals.taught);
    assert_true(given.pedals.rolling.deviation < fresh.pedals.rolling.deviation);
    kerb_vehicle other = kerb_vehicle_default();
    kerb_vehicle_estimate stranger = kerb_vehicle_estimate_make(&other), before = stranger;
    kerb_vehicle_estimate_merge(&stranger, &taught, 1.0f);
    assert_all(&stranger, &before);
    kerb_vehicle_estimate_reset(&taught);
    assert_all(&taught, &fresh);
}

static void a_moved_origin_is_no_jump_for_any_part(void** state) {
    (void)state;
    kerb_family_pedal_drive drive;
    kerb_family_pedal_drive_make(&drive, 7003);
    kerb_vehicle_estimate moved = kerb_vehicle_estimate_make(&drive.host.vehicle);
    drive_on(&drive, &moved, 8.0);
    kerb_vehicle_estimate stayed = moved;
    const kerb_vec3 origin = {4096.0f, -512.0f, 0.0f};
    kerb_vehicle_estimate_shift_origin(&moved, origin);
    while (drive.time < 16.0) {
        kerb_controls controls;
        float step = kerb_family_pedal_drive_step(&drive, &controls);
        kerb_motion motion = kerb_family_motion(&drive.host);
        kerb_vehicle_estimate_feed(&stayed, &motion, &controls, NULL, step);
        motion.position = kerb_vec3_sub(motion.position, origin);
        kerb_vehicle_estimate_feed(&moved, &motion, &controls, NULL, step);
    }
    assert_true(stayed.pedals.taught > 1.0f);
    assert_true(moved.steering.taught == stayed.steering.taught);
    assert_true(moved.body.taught == stayed.body.taught);
    assert_true(moved.pedals.taught == stayed.pedals.taught);
}

int estimate_vehicle_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_parts_learn_what_they_would_learn_alone),
        cmocka_unit_test(a_saved_vehicle_estimate_learns_the_same_bits),
        cmocka_unit_test(a_reset_forgets_and_a_merge_gives_all),
        cmocka_unit_test(a_moved_origin_is_no_jump_for_any_part),
    };
    return cmocka_run_group_tests_name("estimate_vehicle", tests, NULL, NULL);
}
