// What a host tells wrongly: each mistake has its name within the time that the header promises, a
// host that tells the truth has none, and nothing is known before the vehicle drives.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kerb/kerb.h"
#include "scene/host/host_drive.h"
#include "scene/host/host_tell.h"
#include "test/seed.h"

#include <math.h>
#include <string.h>

#define FRAME (1.0f / 60.0f)

// --------------------------------------------------------------------------- a plain drive

// A host of few lines: a bicycle on a plane, told as the headers ask for.
typedef struct plain_drive {
    kerb_vehicle vehicle;
    kerb_motion motion;
    kerb_controls controls;
    float heading, speed, time;
} plain_drive;

static plain_drive plain_drive_at(float heading, float speed) {
    plain_drive drive = {.vehicle = kerb_vehicle_default(),
                         .motion = kerb_motion_default(),
                         .heading = heading,
                         .speed = speed};
    drive.controls.gear = 1;
    drive.controls.throttle = 0.1f;
    return drive;
}

static void plain_frame(plain_drive* drive, float steering) {
    drive->controls.steering = steering;
    const float angle = steering * drive->vehicle.steering_angle_max;
    const float yaw_rate = drive->speed * kerb_tan(angle) / drive->vehicle.wheelbase;
    drive->time += FRAME;
    drive->heading += yaw_rate * FRAME;
    kerb_motion* motion = &drive->motion;
    motion->rotation = kerb_quat_from_heading(drive->heading);
    const kerb_vec3 left = kerb_quat_left(motion->rotation);
    motion->velocity = kerb_vec3_scale(kerb_quat_forward(motion->rotation), drive->speed);
    motion->velocity =
        kerb_vec3_along(motion->velocity, left, yaw_rate * drive->vehicle.reference_to_rear_axle);
    motion->position = kerb_vec3_along(motion->position, motion->velocity, FRAME);
    motion->angular_velocity = kerb_vec3_make(0.0f, 0.0f, yaw_rate);
    motion->steering = steering;
    motion->gear = drive->controls.gear;
}

// Feeds a frame as a host tells it that makes the mistake.
static void plain_feed(kerb_host_check* check, const plain_drive* drive, kerb_host_mistake mistake,
                       int32_t variant) {
    kerb_scene_host_drive tells;
    memset(&tells, 0, sizeof tells);
    tells.told = drive->motion;
    tells.told_step = FRAME;
    tells.mistake = mistake;
    tells.variant = variant;
    kerb_scene_host_tell(&tells);
    kerb_controls given = drive->controls;
    if (mistake == KERB_HOST_STEERING_REVERSED && variant == 0)
        given.steering = -given.steering;
    kerb_host_check_feed(check, &tells.told, &given, tells.told_step);
}

// Drives in bends to both sides. Returns the time until a mistake has a name; 100: none.
static float time_until_named(plain_drive* drive, kerb_host_mistake mistake, int32_t variant,
                              float lock, float seconds, kerb_host_mistake* named) {
    kerb_host_check check = kerb_host_check_make(&drive->vehicle);
    while (drive->time < seconds) {
        plain_frame(drive, lock * (fmodf(drive->time, 8.0f) < 4.0f ? 1.0f : -1.0f));
        plain_feed(&check, drive, mistake, variant);
        *named = kerb_host_check_worst(&check);
        if (*named != KERB_HOST_NO_MISTAKE)
            return drive->time;
    }
    return 100.0f;
}

static const kerb_host_mistake eight[] = {
    KERB_HOST_ROTATION_CONSTANT,
    KERB_HOST_HEADING_IN_DEGREES,
    KERB_HOST_AXES_MIXED,
    KERB_HOST_VELOCITY_MISSING,
    KERB_HOST_VELOCITY_IN_VEHICLE_AXES,
    KERB_HOST_TIME_STEP_IN_MILLISECONDS,
    KERB_HOST_STEERING_REVERSED,
    KERB_HOST_GEAR_MISSING,
};

static void each_mistake_has_its_name_within_three_seconds(void** state) {
    (void)state;
    kerb_random random = test_random("host_check_named");
    for (size_t i = 0; i < sizeof eight / sizeof *eight; i++)
        for (int32_t n = 0; n < 40; n++) {
            const float heading = kerb_random_between(&random, -KERB_PI, KERB_PI);
            const float speed = kerb_random_between(&random, 3.1f, 12.0f);
            const float lock = kerb_random_between(&random, 0.1f, 0.3f);
            plain_drive drive = plain_drive_at(heading, speed);
            kerb_host_mistake named;
            const float time = time_until_named(&drive, eight[i], 0, lock, 4.0f, &named);
            if (time > 3.0f || named != eight[i])
                fail_msg("%s: after %g s \"%s\", heading %g, %g m/s, %g of the lock",
                         kerb_host_mistake_text(eight[i]), (double)time,
                         kerb_host_mistake_text(named), (double)heading, (double)speed,
                         (double)lock);
        }
}

static void a_host_that_tells_the_truth_is_fine_after_some_bends(void** state) {
    (void)state;
    plain_drive drive = plain_drive_at(1.0f, 8.0f);
    kerb_host_check check = kerb_host_check_make(&drive.vehicle);
    while (drive.time < 10.0f) {
        plain_frame(&drive, 0.2f * kerb_sin(drive.time));
        plain_feed(&check, &drive, KERB_HOST_NO_MISTAKE, 0);
    }
    assert_int_equal(kerb_host_check_worst(&check), KERB_HOST_NO_MISTAKE);
    for (size_t i = 0; i < sizeof eight / sizeof *eight; i++)
        if (eight[i] != KERB_HOST_GEAR_MISSING && // no other gear was commanded
            kerb_host_check_verdict(&check, eight[i]) != KERB_HOST_FINE)
            fail_msg("%s: %g", kerb_host_mistake_text(eight[i]), (double)check.evidence[eight[i]]);
}

static void nothing_is_known_at_standstill(void** state) {
    (void)state;
    for (int32_t m = 1; m < KERB_HOST_MISTAKE_COUNT; m++) {
        plain_drive drive = plain_drive_at(1.0f, 0.0f);
        kerb_host_check check = kerb_host_check_make(&drive.vehicle);
        while (drive.time < 20.0f) {
            plain_frame(&drive, 0.5f);
            plain_feed(&check, &drive, (kerb_host_mistake)m, 0);
        }
        for (int32_t k = 1; k < KERB_HOST_MISTAKE_COUNT; k++)
            assert_int_equal(kerb_host_check_verdict(&check, (kerb_host_mistake)k),
                             KERB_HOST_NOT_KNOWN);
    }
}

static void steering_and_rotation_are_not_known_on_a_straight_road(void** state) {
    (void)state;
    const kerb_host_mistake turning[] = {KERB_HOST_ROTATION_CONSTANT, KERB_HOST_HEADING_IN_DEGREES,
                                         KERB_HOST_STEERING_REVERSED};
    for (size_t i = 0; i < sizeof turning / sizeof *turning; i++) {
        plain_drive drive = plain_drive_at(1.0f, 10.0f);
        kerb_host_check check = kerb_host_check_make(&drive.vehicle);
        while (drive.time < 20.0f) {
            plain_frame(&drive, 0.0f);
            plain_feed(&check, &drive, turning[i], 0);
        }
        assert_int_equal(kerb_host_check_verdict(&check, turning[i]), KERB_HOST_NOT_KNOWN);
        assert_int_equal(kerb_host_check_worst(&check), KERB_HOST_NO_MISTAKE);
    }
}

static void a_mistake_that_is_mended_loses_its_name(void** state) {
    (void)state;
    plain_drive drive = plain_drive_at(0.7f, 8.0f);
    kerb_host_check check = kerb_host_check_make(&drive.vehicle);
    for (int32_t part = 0; part < 2; part++) {
        drive.time = 0.0f;
        while (drive.time < 6.0f) {
            plain_frame(&drive, 0.2f);
            plain_feed(&check, &drive,
                       part == 0 ? KERB_HOST_VELOCITY_IN_VEHICLE_AXES : KERB_HOST_NO_MISTAKE, 0);
        }
        assert_int_equal(kerb_host_check_verdict(&check, KERB_HOST_VELOCITY_IN_VEHICLE_AXES),
                         part == 0 ? KERB_HOST_WRONG : KERB_HOST_FINE);
    }
}

static void the_gear_of_a_reverse_stretch_is_missed(void** state) {
    (void)state;
    plain_drive drive = plain_drive_at(0.0f, -5.0f);
    drive.controls.gear = -1;
    kerb_host_check check = kerb_host_check_make(&drive.vehicle);
    while (drive.time < 5.0f) {
        plain_frame(&drive, 0.1f);
        plain_feed(&check, &drive, KERB_HOST_GEAR_MISSING, 1);
    }
    assert_int_equal(kerb_host_check_worst(&check), KERB_HOST_GEAR_MISSING);
}

// Steers at random, and the wheels follow `late` seconds later than commanded. Returns the time
// until a mistake has a name; 100: none.
static float time_until_late_is_named(kerb_random* random, float late, float described,
                                      float seconds, kerb_host_mistake* named) {
    enum { KEPT = 60 };
    float commands[KEPT] = {0.0f}, command = 0.0f, change_at = 0.0f;
    const int32_t frames = (int32_t)(late / FRAME + 0.5f);
    plain_drive drive = plain_drive_at(kerb_random_between(random, -KERB_PI, KERB_PI),
                                       kerb_random_between(random, 5.0f, 15.0f));
    drive.vehicle.steering_delay = described;
    kerb_host_check check = kerb_host_check_make(&drive.vehicle);
    for (int32_t i = 0; drive.time < seconds; i++) {
        if (drive.time >= change_at) {
            change_at = drive.time + kerb_random_between(random, 0.5f, 1.5f);
            command = kerb_random_between(random, -0.3f, 0.3f);
        }
        // No hand turns a wheel at once.
        const float last = commands[(i + KEPT - 1) % KEPT];
        commands[i % KEPT] = last + kerb_clamp(command - last, -0.03f, 0.03f);
        plain_frame(&drive, commands[(i + KEPT - frames) % KEPT]);
        kerb_controls given = drive.controls;
        given.steering = commands[i % KEPT];
        kerb_host_check_feed(&check, &drive.motion, &given, FRAME);
        *named = kerb_host_check_worst(&check);
        if (*named != KERB_HOST_NO_MISTAKE)
            return drive.time;
    }
    return 100.0f;
}

// The troubleshooting guide promises it: from 0.45 s, in half a minute, at delays between those
// that the check compares in up to 48 s. Drives with few bends take longer.
static void controls_that_act_late_are_named_within_a_minute(void** state) {
    (void)state;
    kerb_random random = test_random("host_check_late");
    int32_t others = 0;
    for (int32_t n = 0; n < 40; n++) {
        const float late = kerb_random_between(&random, 0.45f, 0.7f);
        kerb_host_mistake named;
        const float time = time_until_late_is_named(&random, late, 0.0f, 60.0f, &named);
        if (time > 60.0f)
            fail_msg("%g s late: no name", (double)late);
        others += named != KERB_HOST_CONTROLS_LATE;
    }
    // Wheels that follow half a period late look as if they were reversed: 1 of 240.
    if (others > 2)
        fail_msg("%d of 40 drives have another name", (int)others);
}

static void controls_as_late_as_described_or_a_little_later_have_no_name(void** state) {
    (void)state;
    kerb_random random = test_random("host_check_not_late");
    for (int32_t n = 0; n < 40; n++) {
        const float described = n % 2 == 0 ? 0.0f : kerb_random_between(&random, 0.0f, 0.3f);
        const float late = described + kerb_random_between(&random, 0.0f, 0.1f);
        kerb_host_mistake named;
        const float time = time_until_late_is_named(&random, late, described, 60.0f, &named);
        if (named != KERB_HOST_NO_MISTAKE)
            fail_msg("%g s late, %g s described: after %g s \"%s\"", (double)late,
                     (double)described, (double)time, kerb_host_mistake_text(named));
    }
}

static void without_controls_velocity_is_still_judged(void** state) {
    (void)state;
    plain_drive drive = plain_drive_at(0.7f, 8.0f);
    kerb_host_check check = kerb_host_check_make(&drive.vehicle);
    while (drive.time < 3.0f) {
        plain_frame(&drive, 0.2f);
        kerb_motion told = drive.motion;
        told.velocity =
            kerb_quat_rotate(kerb_quat_conjugate(drive.motion.rotation), drive.motion.velocity);
        kerb_host_check_feed(&check, &told, NULL, FRAME);
    }
    assert_int_equal(kerb_host_check_worst(&check), KERB_HOST_VELOCITY_IN_VEHICLE_AXES);
    assert_int_equal(kerb_host_check_verdict(&check, KERB_HOST_STEERING_REVERSED),
                     KERB_HOST_NOT_KNOWN);
}

// --------------------------------------------------------------------------- random drives

static kerb_host_mistake named_in(uint64_t seed, kerb_host_mistake mistake, int32_t variant,
                                  float seconds, kerb_scene_host_drive* drive) {
    kerb_scene_host_drive_make(drive, seed, mistake, variant);
    kerb_host_check check = kerb_host_check_make(&drive->vehicle);
    kerb_host_mistake named = KERB_HOST_NO_MISTAKE;
    while (drive->time < seconds && drive->excited < 3.0f && named == KERB_HOST_NO_MISTAKE) {
        kerb_scene_host_drive_frame(drive);
        kerb_host_check_feed(&check, &drive->told, &drive->given, drive->told_step);
        named = kerb_host_check_worst(&check);
    }
    return named;
}

// Drives with seeds below a hundred thousand were looked at while the check was written: its
// numbers may fit them too well. Tests, and what docs/results.md reports, take later ones.
#define HELD_OUT 1000001u

static uint64_t held_out_seed(kerb_random* random) {
    return HELD_OUT + kerb_random_bits(random) % 100000;
}

// Of 10,000 drives with seeds from HELD_OUT none has a name, of 20,000 earlier ones one. Were it
// two of 10,000, as the guide allows, 250 drives would have two names with one seed of the tests in
// a thousand.
static void hardly_a_healthy_drive_gets_a_name(void** state) {
    (void)state;
    kerb_random random = test_random("host_check_healthy");
    const uint64_t first = held_out_seed(&random);
    int32_t false_names = 0;
    for (int32_t i = 0; i < test_share(250, 60); i++) {
        kerb_scene_host_drive drive;
        kerb_host_mistake named = KERB_HOST_NO_MISTAKE;
        kerb_scene_host_drive_make(&drive, first + (uint64_t)i, KERB_HOST_NO_MISTAKE, 0);
        kerb_host_check check = kerb_host_check_make(&drive.vehicle);
        while (drive.time < 30.0f && named == KERB_HOST_NO_MISTAKE) {
            kerb_scene_host_drive_frame(&drive);
            kerb_host_check_feed(&check, &drive.told, &drive.given, drive.told_step);
            named = kerb_host_check_worst(&check);
        }
        assert_int_equal(check.bad_frames, 0);
        if (named == KERB_HOST_NO_MISTAKE)
            continue;
        print_message("seed %d, after %g s: %s\n", (int)first + (int)i, (double)drive.time,
                      kerb_host_mistake_text(named));
        if (++false_names > 1)
            fail_msg("%d healthy drives of %d have a name", (int)false_names, (int)i + 1);
    }
}

// Shares of drives in which the mistake has its name when the vehicle has driven for 3 s above
// 3 m/s with a tenth of the lock: five standard deviations of 60 drives below what docs/results.md
// reports. Calm drives are among them; so are slides on ice, collisions, and drives in which the
// mistake does not show, such as a mirrored axis along which it drives. What hardly ever shows in
// such drives is left out: steering told reversed, and a gear of 1.
static void random_drives_with_a_mistake_get_its_name(void** state) {
    (void)state;
    const struct {
        kerb_host_mistake mistake;
        int32_t variant;
        int32_t least; // of a hundred
    } rows[] = {
        {KERB_HOST_ROTATION_CONSTANT, 0, 97},
        {KERB_HOST_ROTATION_CONSTANT, 1, 97},
        {KERB_HOST_ROTATION_CONSTANT, 2, 97},
        {KERB_HOST_HEADING_IN_DEGREES, 0, 65},
        {KERB_HOST_HEADING_IN_DEGREES, 1, 55},
        {KERB_HOST_AXES_MIXED, 0, 68},
        {KERB_HOST_AXES_MIXED, 1, 68},
        {KERB_HOST_AXES_MIXED, 2, 68},
        {KERB_HOST_AXES_MIXED, 3, 68},
        {KERB_HOST_AXES_MIXED, 4, 42},
        {KERB_HOST_AXES_MIXED, 5, 58},
        {KERB_HOST_AXES_MIXED, 6, 33},
        {KERB_HOST_AXES_MIXED, 7, 33},
        {KERB_HOST_AXES_MIXED, 8, 33},
        {KERB_HOST_AXES_MIXED, 9, 33},
        {KERB_HOST_AXES_MIXED, 10, 33},
        {KERB_HOST_AXES_MIXED, 11, 95},
        {KERB_HOST_VELOCITY_MISSING, 0, 97},
        {KERB_HOST_VELOCITY_MISSING, 1, 70},
        {KERB_HOST_VELOCITY_IN_VEHICLE_AXES, 0, 95},
        {KERB_HOST_TIME_STEP_IN_MILLISECONDS, 0, 97},
        {KERB_HOST_STEERING_REVERSED, 0, 62},
        {KERB_HOST_STEERING_REVERSED, 2, 48},
        {KERB_HOST_GEAR_MISSING, 0, 80},
    };
    kerb_random random = test_random("host_check_mistakes");
    const uint64_t first = held_out_seed(&random);
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        int32_t named = 0, of = 0;
        for (int32_t i = 0; i < 60; i++) {
            kerb_scene_host_drive drive;
            const kerb_host_mistake found =
                named_in(first + (uint64_t)i, rows[r].mistake, rows[r].variant, 60.0f, &drive);
            if (found == KERB_HOST_NO_MISTAKE && drive.excited < 3.0f)
                continue;
            of++;
            named += found == rows[r].mistake;
        }
        assert_true(of >= 20); // drives that show it
        if (named * 100 < of * rows[r].least)
            fail_msg("%s (%d): %d of %d", kerb_host_mistake_text(rows[r].mistake), rows[r].variant,
                     named, of);
    }
}

// --------------------------------------------------------------------------- drivers

// A car on a street of bends, driven by a follower. The host tells the velocity in the car's axes.
typedef struct follower_drive {
    kerb_follower driver;
    plain_drive car;
} follower_drive;

static void follow_frame_by_local_velocity(follower_drive* drive, const kerb_path* path) {
    kerb_motion told = drive->car.motion;
    told.velocity = kerb_quat_rotate(kerb_quat_conjugate(told.rotation), told.velocity);
    const kerb_controls controls = kerb_follower_drive(&drive->driver, path, &told, NULL, FRAME);
    drive->car.speed += (4.0f * controls.throttle - 9.0f * controls.brake) * FRAME;
    drive->car.speed = kerb_max(drive->car.speed, 0.0f);
    plain_frame(&drive->car, controls.steering);
}

static follower_drive follower_drive_at(float heading) {
    follower_drive drive = {.car = plain_drive_at(heading, 0.0f)};
    drive.driver = kerb_follower_make(&drive.car.vehicle);
    return drive;
}

static void a_driver_gives_the_mistake_as_its_reason_and_drives_as_before(void** state) {
    (void)state;
    kerb_waypoint street[60];
    for (int i = 0; i < 60; i++)
        street[i] = kerb_waypoint_at(5.0f * (float)i, 20.0f * kerb_sin(0.15f * (float)i), 0.0f);
    const kerb_host host = kerb_host_default();
    kerb_path path;
    assert_int_equal(kerb_path_create(&path, street, 60, false, &host, NULL), KERB_OK);
    follower_drive checked = follower_drive_at(0.54f), unchecked = checked;
    unchecked.driver.memory.host_check.judgements = 1000; // ended, as after a minute
    int32_t reasons = 0;
    for (int32_t i = 0; i < 1200; i++) {
        follow_frame_by_local_velocity(&checked, &path);
        follow_frame_by_local_velocity(&unchecked, &path);
        const kerb_controls *a = &checked.driver.controls, *b = &unchecked.driver.controls;
        assert_true(a->steering == b->steering && a->throttle == b->throttle &&
                    a->brake == b->brake && a->gear == b->gear);
        assert_int_equal(unchecked.driver.decision.host_mistake, KERB_HOST_NO_MISTAKE);
        reasons += a->reason == KERB_REASON_HOST_MISTAKE;
    }
    kerb_path_destroy(&path);
    assert_int_equal(checked.driver.decision.host_mistake, KERB_HOST_VELOCITY_IN_VEHICLE_AXES);
    assert_in_range(reasons, 300, 1200);
}

// --------------------------------------------------------------------------- bad input

static float any_number(kerb_random* random) {
    static const float odd[] = {0.0f, -0.0f, 1e-40f, 1e6f, -1e30f, 3e38f, INFINITY, -INFINITY, NAN};
    return kerb_random_below(random, 3) > 0
               ? kerb_random_between(random, -10.0f, 10.0f)
               : odd[kerb_random_below(random, (int32_t)(sizeof odd / sizeof *odd))];
}

static kerb_vec3 any_vector(kerb_random* random) {
    const float x = any_number(random), y = any_number(random), z = any_number(random);
    return kerb_vec3_make(x, y, z);
}

static void no_input_makes_evidence_that_is_not_a_number(void** state) {
    (void)state;
    kerb_random random = test_random("host_check_hostile");
    for (int32_t i = 0; i < 200; i++) {
        const kerb_vehicle vehicle = kerb_vehicle_default();
        kerb_host_check check = kerb_host_check_make(&vehicle);
        for (int32_t n = 0; n < 300; n++) {
            kerb_motion motion = kerb_motion_default();
            kerb_controls controls = {.gear = kerb_random_below(&random, 5) - 2};
            motion.position = any_vector(&random);
            motion.velocity = any_vector(&random);
            motion.angular_velocity = any_vector(&random);
            motion.rotation.x = any_number(&random);
            motion.rotation.w = any_number(&random);
            motion.steering = any_number(&random);
            motion.gear = kerb_random_below(&random, 5) - 2;
            controls.steering = any_number(&random);
            controls.throttle = any_number(&random);
            controls.brake = any_number(&random);
            kerb_host_check_feed(&check, &motion, &controls, kerb_abs(any_number(&random)));
            for (int32_t k = 0; k < KERB_HOST_MISTAKE_COUNT; k++)
                assert_true(kerb_abs(check.evidence[k]) <= 20.0f);
        }
    }
}

static void one_bad_frame_names_nothing_and_is_counted(void** state) {
    (void)state;
    kerb_random random = test_random("host_check_bad_frame");
    for (int32_t i = 0; i < 40; i++) {
        plain_drive drive = plain_drive_at(kerb_random_between(&random, -3.0f, 3.0f), 9.0f);
        kerb_host_check check = kerb_host_check_make(&drive.vehicle);
        for (int32_t n = 0; n < 240; n++) {
            plain_frame(&drive, 0.2f);
            if (n % 60 == 59) { // once a second
                kerb_motion bad = drive.motion;
                if (i % 4 == 0)
                    bad.velocity.x = NAN;
                else if (i % 4 == 1)
                    drive.motion.position.x += 80.0f; // put elsewhere
                else if (i % 4 == 2)
                    bad.velocity = kerb_vec3_scale(bad.velocity, -1.0f);
                else
                    bad.rotation = kerb_quat_from_heading(0.0f);
                kerb_host_check_feed(&check, &bad, &drive.controls, FRAME);
            }
            kerb_host_check_feed(&check, &drive.motion, &drive.controls, FRAME);
            assert_int_equal(kerb_host_check_worst(&check), KERB_HOST_NO_MISTAKE);
        }
        assert_int_equal(check.bad_frames, i % 4 == 0 ? 4 : 0);
    }
}

int host_check_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_mistake_has_its_name_within_three_seconds),
        cmocka_unit_test(a_host_that_tells_the_truth_is_fine_after_some_bends),
        cmocka_unit_test(nothing_is_known_at_standstill),
        cmocka_unit_test(steering_and_rotation_are_not_known_on_a_straight_road),
        cmocka_unit_test(a_mistake_that_is_mended_loses_its_name),
        cmocka_unit_test(the_gear_of_a_reverse_stretch_is_missed),
        cmocka_unit_test(controls_that_act_late_are_named_within_a_minute),
        cmocka_unit_test(controls_as_late_as_described_or_a_little_later_have_no_name),
        cmocka_unit_test(without_controls_velocity_is_still_judged),
        cmocka_unit_test(hardly_a_healthy_drive_gets_a_name),
        cmocka_unit_test(random_drives_with_a_mistake_get_its_name),
        cmocka_unit_test(a_driver_gives_the_mistake_as_its_reason_and_drives_as_before),
        cmocka_unit_test(no_input_makes_evidence_that_is_not_a_number),
        cmocka_unit_test(one_bad_frame_names_nothing_and_is_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
