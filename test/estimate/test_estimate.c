// What an estimate learns of closed-form hosts and of the family, and what teaches it nothing.
#include "kerb/kerb.h"
#include "scene/host/family_drive.h"
#include "test/seed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define HZ 60.0f
#define COMMANDS 256 // a ring

// A host in closed form: the curvature is the described one of an earlier command, times a gain,
// at a rate.
typedef struct pure_host {
    kerb_vehicle vehicle;
    float gain, trim, rate; // [1] [1] [lock/s]
    int32_t delay;          // [frames]
    float speed;
    float x, y, heading, wheel;
    float commands[COMMANDS];
    int32_t count;
} pure_host;

static pure_host pure_host_make(void) {
    return (pure_host){
        .vehicle = kerb_vehicle_default(), .gain = 1.0f, .rate = 1000.0f, .speed = 7.0f};
}

static kerb_motion pure_host_step(pure_host* host, float steering, float step) {
    host->commands[host->count++ % COMMANDS] = steering;
    int32_t then = host->count - 1 - host->delay;
    float late = then >= 0 ? host->commands[then % COMMANDS] : 0.0f;
    host->wheel += kerb_clamp(late - host->wheel, -host->rate * step, host->rate * step);
    float turns = kerb_curvature_of(&host->vehicle, host->wheel - host->trim, host->speed);
    float yaw_rate = host->speed * host->gain * turns;
    host->heading = kerb_wrap_angle(host->heading + yaw_rate * step);
    host->x += host->speed * kerb_cos(host->heading) * step;
    host->y += host->speed * kerb_sin(host->heading) * step;
    kerb_motion motion = kerb_motion_default();
    motion.position = (kerb_vec3){host->x, host->y, 0.0f};
    motion.rotation = kerb_quat_from_heading(host->heading);
    motion.velocity = (kerb_vec3){host->speed * kerb_cos(host->heading),
                                  host->speed * kerb_sin(host->heading), 0.0f};
    motion.angular_velocity.z = yaw_rate;
    return motion;
}

static kerb_controls steer(float steering) {
    kerb_controls controls = kerb_controls_safe(KERB_REASON_NONE);
    controls.brake = 0.0f;
    controls.gear = 1;
    controls.steering = steering;
    return controls;
}

// Steering of ordinary driving: ramps and pauses.
typedef struct wheel_hand {
    kerb_random random;
    float steering, target, pause;
} wheel_hand;

static wheel_hand hand_of(const char* test) {
    return (wheel_hand){.random = test_random(test)};
}

static float hand_steer(wheel_hand* hand, float step) {
    hand->pause -= step;
    if (hand->pause < 0.0f) {
        hand->target = kerb_random_between(&hand->random, -0.3f, 0.3f);
        hand->pause = kerb_random_between(&hand->random, 0.4f, 1.6f);
    }
    hand->steering += kerb_clamp(hand->target - hand->steering, -1.2f * step, 1.2f * step);
    return hand->steering;
}

static void drive_pure(pure_host* host, kerb_estimate* estimate, wheel_hand* hand, float seconds) {
    float step = 1.0f / HZ;
    for (int32_t i = 0; i < (int32_t)(seconds * HZ); i++) {
        kerb_controls controls = steer(hand_steer(hand, step));
        kerb_motion motion = pure_host_step(host, controls.steering, step);
        kerb_estimate_feed(estimate, &motion, &controls, NULL, step);
    }
    kerb_estimate_update(estimate);
}

// A player has the wheel: what the driver would do is not what acted.
static void it_learns_from_the_controls_that_acted(void** state) {
    (void)state;
    pure_host host = pure_host_make();
    host.gain = 0.7f;
    host.delay = 6;
    kerb_estimate estimate = kerb_estimate_make(&host.vehicle);
    wheel_hand player = hand_of("estimate_player");
    float step = 1.0f / HZ;
    for (int32_t i = 0; i < (int32_t)(10.0f * HZ); i++) {
        kerb_controls acted = steer(hand_steer(&player, step)), driver = steer(-acted.steering);
        kerb_motion motion = pure_host_step(&host, acted.steering, step);
        kerb_surroundings around = kerb_surroundings_default();
        around.applied = &acted;
        kerb_estimate_feed(&estimate, &motion, &driver, &around, step);
    }
    kerb_estimate_update(&estimate);
    assert_float_equal(estimate.steering_gain.value, 0.7f, 0.03f);
    assert_float_equal(estimate.delay.value, 6.0f / HZ, 0.025f);
}

static void it_learns_nothing_where_the_host_says_so(void** state) {
    (void)state;
    for (int32_t k = 0; k < 3; k++) {
        pure_host host = pure_host_make();
        host.gain = 0.5f;
        kerb_estimate estimate = kerb_estimate_make(&host.vehicle);
        wheel_hand hand = hand_of("estimate_told_not_to");
        for (int32_t i = 0; i < (int32_t)(10.0f * HZ); i++) {
            kerb_controls controls = steer(hand_steer(&hand, 1.0f / HZ));
            kerb_motion motion = pure_host_step(&host, controls.steering, 1.0f / HZ);
            kerb_surroundings around = kerb_surroundings_default();
            around.do_not_learn = k == 0;
            around.wheels_on_ground = k == 1 ? 0.5f : k == 2 ? NAN : 1.0f;
            kerb_estimate_feed(&estimate, &motion, &controls, &around, 1.0f / HZ);
        }
        kerb_estimate_update(&estimate);
        assert_true(estimate.taught == 0.0f && estimate.steering_gain.value == 1.0f);
    }
}

static void an_estimate_begins_with_the_description(void** state) {
    (void)state;
    kerb_vehicle vehicle = kerb_vehicle_default();
    kerb_estimate estimate = kerb_estimate_make(&vehicle);
    assert_true(estimate.steering_gain.value == 1.0f);
    assert_false(estimate.steering_gain.known || estimate.trim.known || estimate.delay.known);
    kerb_vehicle same = kerb_estimate_vehicle(&estimate, &estimate.vehicle);
    assert_memory_equal(&same, &vehicle, sizeof vehicle);
}

static void it_learns_gain_trim_and_delay_of_a_pure_host(void** state) {
    (void)state;
    kerb_random random = test_random("estimate_pure");
    for (int32_t i = 0; i < 20; i++) {
        pure_host host = pure_host_make();
        host.gain = kerb_random_between(&random, 0.5f, 1.6f);
        host.trim = kerb_random_between(&random, -0.1f, 0.1f);
        host.delay = kerb_random_below(&random, 12); // to 0.18 s
        kerb_estimate estimate = kerb_estimate_make(&host.vehicle);
        wheel_hand hand = {.random = random};
        drive_pure(&host, &estimate, &hand, 12.0f);
        random = hand.random;
        assert_true(estimate.steering_gain.known && estimate.trim.known && estimate.delay.known);
        assert_float_equal(estimate.steering_gain.value, host.gain, 0.03f * host.gain);
        assert_float_equal(estimate.trim.value, host.trim, 0.006f);
        assert_float_equal(estimate.delay.value, (float)host.delay / HZ, 0.025f);
        kerb_vehicle learned = kerb_estimate_vehicle(&estimate, &estimate.vehicle);
        assert_int_equal(kerb_vehicle_validate(&learned, NULL), KERB_OK);
        float wanted = host.gain * kerb_curvature_of(&host.vehicle, 0.3f, host.speed);
        assert_float_equal(kerb_curvature_of(&learned, 0.3f, host.speed), wanted, 0.04f * wanted);
    }
}

static void it_learns_a_rate_that_was_commanded_to_be_exceeded(void** state) {
    (void)state;
    pure_host host = pure_host_make();
    host.rate = 0.5f;
    kerb_estimate estimate = kerb_estimate_make(&host.vehicle);
    wheel_hand hand = hand_of("estimate_rate");
    drive_pure(&host, &estimate, &hand, 15.0f);
    assert_true(kerb_abs(estimate.steering_rate.value - 0.5f) <
                2.0f * estimate.steering_rate.deviation);
    assert_float_equal(estimate.steering_rate.value, 0.5f, 0.16f); // between two of the grid
}

// Nothing at a bound of what an estimate believes is known.
static void what_is_beyond_the_bounds_is_not_known(void** state) {
    (void)state;
    const float gains[] = {0.02f, 0.05f, 6.0f, 8.0f}, delays[] = {0.6f, 0.7f, 0.9f};
    for (size_t i = 0; i < sizeof gains / sizeof *gains; i++) {
        pure_host host = pure_host_make();
        host.gain = gains[i];
        host.speed = gains[i] > 1.0f ? 2.0f : 7.0f;
        kerb_estimate estimate = kerb_estimate_make(&host.vehicle);
        wheel_hand hand = hand_of("estimate_bounds");
        drive_pure(&host, &estimate, &hand, 40.0f);
        kerb_estimated e = estimate.steering_gain;
        assert_false(e.known);
        assert_true(kerb_abs(e.value - gains[i]) < 2.0f * e.deviation);
    }
    for (size_t i = 0; i < sizeof delays / sizeof *delays; i++)
        for (int32_t k = 0; k < 2; k++) {
            pure_host host = pure_host_make();
            host.delay = (int32_t)(delays[i] * HZ);
            host.rate =
                k == 0 ? 1000.0f
                       : kerb_vehicle_default().steering_rate_max / host.vehicle.steering_angle_max;
            kerb_estimate estimate = kerb_estimate_make(&host.vehicle);
            wheel_hand hand = hand_of("estimate_late");
            drive_pure(&host, &estimate, &hand, 40.0f);
            assert_false(estimate.delay.known || estimate.steering_rate.known);
        }
    pure_host host = pure_host_make();
    host.trim = 0.7f;
    kerb_estimate estimate = kerb_estimate_make(&host.vehicle);
    wheel_hand hand = hand_of("estimate_trim");
    drive_pure(&host, &estimate, &hand, 40.0f);
    assert_false(estimate.trim.known);
}

static void without_steering_it_stays_unsure(void** state) {
    (void)state;
    pure_host host = pure_host_make();
    host.delay = 9;
    kerb_estimate estimate = kerb_estimate_make(&host.vehicle);
    for (int32_t i = 0; i < 3600; i++) {
        kerb_controls controls = steer(0.0f);
        kerb_motion motion = pure_host_step(&host, 0.0f, 1.0f / HZ);
        kerb_estimate_feed(&estimate, &motion, &controls, NULL, 1.0f / HZ);
    }
    kerb_estimate_update(&estimate);
    assert_false(estimate.steering_gain.known);
    assert_false(estimate.delay.known);
    assert_false(estimate.steering_rate.known);
    assert_true(estimate.excitation < 0.001f);
    assert_true(estimate.delay.deviation > 0.05f);
}

// What teaches nothing changes no value.
static void standing_reverse_slides_and_flight_teach_nothing(void** state) {
    (void)state;
    enum { STANDS, REVERSES, SLIDES, FALLS, LIES, HANDBRAKE, KINDS };
    pure_host host = pure_host_make();
    kerb_estimate learned = kerb_estimate_make(&host.vehicle);
    wheel_hand hand = hand_of("estimate_frozen");
    drive_pure(&host, &learned, &hand, 10.0f);
    for (int32_t kind = 0; kind < KINDS; kind++) {
        kerb_estimate estimate = learned;
        pure_host other = host;
        other.gain = 0.3f;
        float fall = 0.0f;
        for (int32_t i = 0; i < 600; i++) {
            kerb_controls controls = steer(hand_steer(&hand, 1.0f / HZ));
            other.speed = kind == STANDS ? 0.0f : kind == REVERSES ? -5.0f : 7.0f;
            kerb_motion motion = pure_host_step(&other, controls.steering, 1.0f / HZ);
            if (kind == SLIDES)
                motion.velocity = kerb_vec3_add(
                    motion.velocity, kerb_vec3_scale(kerb_quat_left(motion.rotation), 5.0f));
            fall -= KERB_GRAVITY / HZ;
            if (kind == FALLS)
                motion.velocity.z = fall;
            if (kind == LIES)
                motion.rotation = kerb_quat_from_angles(other.heading, 0.0f, 1.6f);
            controls.handbrake = kind == HANDBRAKE;
            kerb_estimate_feed(&estimate, &motion, &controls, NULL, 1.0f / HZ);
        }
        kerb_estimate_update(&estimate);
        // The first window began before.
        assert_float_equal(estimate.steering_gain.value, learned.steering_gain.value, 0.02f);
        assert_true(estimate.taught < learned.taught + 0.3f);
    }
}

static void a_teleport_is_not_taken_for_a_turn(void** state) {
    (void)state;
    pure_host host = pure_host_make();
    kerb_estimate estimate = kerb_estimate_make(&host.vehicle);
    wheel_hand hand = hand_of("estimate_teleport");
    for (int32_t i = 0; i < 20; i++) {
        drive_pure(&host, &estimate, &hand, 1.0f);
        host.x += 100.0f;
        host.heading = kerb_wrap_angle(host.heading + 2.0f);
    }
    assert_float_equal(estimate.steering_gain.value, 1.0f, 0.03f);
    assert_true(estimate.misfit < 0.02f);
}

static void it_learns_alike_at_all_frame_rates(void** state) {
    (void)state;
    const float rates[] = {6.0f, 10.0f, 24.0f, 60.0f, 144.0f, 400.0f};
    for (size_t k = 0; k < sizeof rates / sizeof *rates; k++) {
        pure_host host = pure_host_make();
        host.gain = 0.8f;
        kerb_estimate estimate = kerb_estimate_make(&host.vehicle);
        wheel_hand hand = hand_of("estimate_frames");
        for (int32_t i = 0; i < (int32_t)(15.0f * rates[k]); i++) {
            kerb_controls controls = steer(hand_steer(&hand, 1.0f / rates[k]));
            kerb_motion motion = pure_host_step(&host, controls.steering, 1.0f / rates[k]);
            kerb_estimate_feed(&estimate, &motion, &controls, NULL, 1.0f / rates[k]);
        }
        kerb_estimate_update(&estimate);
        assert_float_equal(estimate.steering_gain.value, 0.8f, 0.03f);
        assert_true(estimate.delay.value < 0.03f);
    }
}

static float any_bits(kerb_random* random) {
    switch (kerb_random_below(random, 6)) {
    case 0:
        return NAN;
    case 1:
        return INFINITY;
    case 2:
        return -1.0e30f;
    case 3:
        return 1.0e-42f;
    case 4:
        return 0.0f;
    default:
        return kerb_random_between(random, -100.0f, 100.0f);
    }
}

static bool is_sound(kerb_estimated e) {
    return kerb_is_finite(e.value) && kerb_is_finite(e.deviation) && e.deviation >= 0.0f;
}

static void hostile_frames_never_make_it_unsound(void** state) {
    (void)state;
    kerb_random random = test_random("estimate_hostile");
    pure_host host = pure_host_make();
    kerb_estimate estimate = kerb_estimate_make(&host.vehicle);
    wheel_hand hand = {.random = random};
    for (int32_t i = 0; i < 40000; i++) {
        float step = 1.0f / HZ;
        kerb_controls controls = steer(hand_steer(&hand, step));
        kerb_motion motion = pure_host_step(&host, controls.steering, step);
        float* const numbers[] = {&motion.position.x,         &motion.position.z,
                                  &motion.rotation.w,         &motion.rotation.x,
                                  &motion.velocity.x,         &motion.velocity.z,
                                  &motion.angular_velocity.z, &motion.steering,
                                  &controls.steering,         &step};
        if (kerb_random_below(&random, 4) == 0)
            *numbers[kerb_random_below(&random, 10)] = any_bits(&random);
        kerb_estimate_feed(&estimate, &motion, &controls, NULL, step);
        if (i % 50 == 0) {
            kerb_estimate_update(&estimate);
            assert_true(is_sound(estimate.steering_gain) && is_sound(estimate.trim) &&
                        is_sound(estimate.delay) && is_sound(estimate.steering_rate));
            kerb_vehicle learned = kerb_estimate_vehicle(&estimate, &estimate.vehicle);
            assert_int_equal(kerb_vehicle_validate(&learned, NULL), KERB_OK);
        }
    }
    assert_true(estimate.bad_frames > 0);
}

// Nothing is left to explain, and differences of sums are rounding alone.
static void a_host_without_noise_never_makes_it_unsound(void** state) {
    (void)state;
    kerb_random random = test_random("estimate_exact");
    for (int32_t i = 0; i < 300; i++) {
        pure_host host = pure_host_make();
        host.vehicle.kind = i % 3;
        host.gain = kerb_random_between(&random, 0.5f, 2.0f);
        host.speed = kerb_random_between(&random, 1.0f, 30.0f);
        kerb_estimate estimate = kerb_estimate_make(&host.vehicle);
        float step = kerb_random_between(&random, 0.004f, 0.1f);
        for (int32_t k = 0; k < 6; k++) {
            kerb_controls controls = steer(kerb_random_between(&random, -1.0f, 1.0f));
            for (float t = 0.0f; t < 4.0f; t += step) {
                kerb_motion motion = pure_host_step(&host, controls.steering, step);
                kerb_estimate_feed(&estimate, &motion, &controls, NULL, step);
                assert_true(is_sound(estimate.steering_gain) && is_sound(estimate.trim) &&
                            is_sound(estimate.delay) && is_sound(estimate.steering_rate));
            }
        }
    }
}

// One second is soon over: a window or two can be explained without a rest, and prove nothing.
static void in_the_first_second_its_doubt_is_honest_too(void** state) {
    (void)state;
    int32_t honest = 0, hosts = 150;
    for (int32_t i = 0; i < hosts; i++) {
        kerb_family_drive drive;
        kerb_family_drive_make(&drive, 40000u + (uint64_t)i);
        kerb_estimate estimate = kerb_estimate_make(&drive.host.vehicle);
        while (drive.time < 60.0 && (drive.begun < 0.0 || drive.time < drive.begun + 1.0)) {
            kerb_controls controls;
            float step = kerb_family_drive_step(&drive, &controls);
            kerb_motion motion = kerb_family_motion(&drive.host);
            if (drive.begun < 0.0)
                kerb_estimate_reset(&estimate);
            kerb_estimate_feed(&estimate, &motion, &controls, NULL, step);
        }
        kerb_estimate_update(&estimate);
        const kerb_family_truth* t = &drive.host.truth;
        float told = kerb_tan(0.3f * t->lock) / (0.3f * t->wheelbase);
        float gain = kerb_family_steering_of(&drive.host, drive.speed).gain / told;
        float off = kerb_abs(estimate.steering_gain.value - gain);
        honest += off <= 2.0f * estimate.steering_gain.deviation;
    }
    if (honest < (93 * hosts) / 100)
        fail_msg("%d of %d within two deviations", (int)honest, (int)hosts);
}

// Bit for bit, number by number: a struct has bytes between its fields that mean nothing.
static void assert_same(const kerb_estimate* a, const kerb_estimate* b) {
    const kerb_estimated pairs[][2] = {{a->steering_gain, b->steering_gain},
                                       {a->trim, b->trim},
                                       {a->delay, b->delay},
                                       {a->steering_rate, b->steering_rate}};
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        assert_memory_equal(&pairs[i][0].value, &pairs[i][1].value, sizeof(float));
        assert_memory_equal(&pairs[i][0].deviation, &pairs[i][1].deviation, sizeof(float));
        assert_int_equal(pairs[i][0].known, pairs[i][1].known);
    }
    assert_memory_equal(&a->taught, &b->taught, sizeof a->taught);
    assert_int_equal(a->bad_frames, b->bad_frames);
}

static void a_copy_and_a_saved_one_learn_the_same_bits(void** state) {
    (void)state;
    pure_host host = pure_host_make();
    host.delay = 5;
    kerb_estimate first = kerb_estimate_make(&host.vehicle);
    wheel_hand hand = hand_of("estimate_copies");
    drive_pure(&host, &first, &hand, 3.0f);
    kerb_estimate second = first, third = kerb_estimate_make(&host.vehicle);
    size_t size = kerb_estimate_save(&first, NULL, 0);
    void* block = malloc(size);
    assert_non_null(block);
    assert_int_equal(kerb_estimate_save(&first, block, size), size);
    assert_int_equal(kerb_estimate_load(&third, block, size, NULL), KERB_OK);
    free(block);
    kerb_estimate* const all[] = {&first, &second, &third};
    for (int32_t i = 0; i < 3; i++) {
        pure_host host_copy = host;
        wheel_hand hand_copy = hand;
        drive_pure(&host_copy, all[i], &hand_copy, 5.0f);
    }
    assert_same(&first, &second);
    assert_same(&first, &third);
}

static void a_reset_forgets_and_a_merge_gives(void** state) {
    (void)state;
    pure_host host = pure_host_make();
    host.gain = 0.7f;
    kerb_estimate teacher = kerb_estimate_make(&host.vehicle);
    wheel_hand hand = hand_of("estimate_merge");
    drive_pure(&host, &teacher, &hand, 15.0f);
    kerb_estimate pupil = kerb_estimate_make(&host.vehicle);
    kerb_estimate_merge(&pupil, &teacher, 0.5f);
    assert_float_equal(pupil.steering_gain.value, 0.7f, 0.03f);
    assert_true(pupil.steering_gain.deviation >= teacher.steering_gain.deviation);
    kerb_vehicle other = host.vehicle;
    other.wheelbase *= 1.1f;
    kerb_estimate stranger = kerb_estimate_make(&other);
    kerb_estimate_merge(&stranger, &teacher, 1.0f);
    assert_true(stranger.steering_gain.value == 1.0f);
    kerb_estimate_reset(&teacher);
    kerb_estimate fresh = kerb_estimate_make(&host.vehicle);
    assert_memory_equal(&teacher, &fresh, sizeof fresh);
}

static void a_tracked_vehicle_is_learned_by_its_yaw_rate(void** state) {
    (void)state;
    kerb_vehicle tank = kerb_vehicle_default();
    tank.kind = KERB_VEHICLE_TRACKED;
    kerb_estimate estimate = kerb_estimate_make(&tank);
    wheel_hand hand = hand_of("estimate_tracked");
    float heading = 0.0f;
    kerb_motion motion = kerb_motion_default();
    for (int32_t i = 0; i < 900; i++) {
        kerb_controls controls = steer(hand_steer(&hand, 1.0f / HZ));
        heading += 0.6f * tank.yaw_rate_max * controls.steering / HZ;
        motion.rotation = kerb_quat_from_heading(heading);
        motion.velocity = kerb_vec3_scale(kerb_quat_forward(motion.rotation), 3.0f);
        motion.position = kerb_vec3_along(motion.position, motion.velocity, 1.0f / HZ);
        kerb_estimate_feed(&estimate, &motion, &controls, NULL, 1.0f / HZ);
    }
    kerb_estimate_update(&estimate);
    assert_float_equal(estimate.steering_gain.value, 0.6f, 0.03f);
    kerb_vehicle learned = kerb_estimate_vehicle(&estimate, &estimate.vehicle);
    assert_float_equal(learned.yaw_rate_max, 0.6f * tank.yaw_rate_max, 0.03f);
}

// A part of the family: enough that a doubt half as great as it should be is found.
static void its_doubt_is_honest_on_the_family(void** state) {
    (void)state;
    enum { HOSTS = 40 };
    int32_t honest = 0, near = 0, count = 0;
    for (uint64_t seed = 5000; seed < 5000 + HOSTS; seed++) {
        kerb_family_drive drive;
        kerb_family_drive_make(&drive, seed);
        kerb_estimate estimate = kerb_estimate_make(&drive.host.vehicle);
        while (drive.time < 40.0 && (drive.begun < 0.0 || drive.time < drive.begun + 10.0)) {
            kerb_controls controls;
            float step = kerb_family_drive_step(&drive, &controls);
            kerb_motion motion = kerb_family_motion(&drive.host);
            kerb_estimate_feed(&estimate, &motion, &controls, NULL, step);
        }
        kerb_estimate_update(&estimate);
        kerb_family_steering truth = kerb_family_steering_of(&drive.host, drive.host.forward);
        const kerb_family_truth* t = &drive.host.truth;
        float gain = truth.gain * 0.3f * t->wheelbase / kerb_tan(0.3f * t->lock);
        const float errors[] = {estimate.steering_gain.value - gain,
                                estimate.trim.value - truth.trim,
                                estimate.delay.value - truth.delay};
        const float deviations[] = {estimate.steering_gain.deviation, estimate.trim.deviation,
                                    estimate.delay.deviation};
        const float least[] = {0.1f * gain, 0.01f, 0.03f};
        for (int32_t i = 0; i < 3; i++) {
            honest += kerb_abs(errors[i]) <= 2.0f * deviations[i];
            near += kerb_abs(errors[i]) <= least[i];
            count++;
        }
    }
    print_message("%d of %d within two deviations, %d near\n", (int)honest, (int)count, (int)near);
    assert_true(honest >= count * 90 / 100);
    assert_true(near >= count * 88 / 100);
}

int estimate_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_estimate_begins_with_the_description),
        cmocka_unit_test(it_learns_gain_trim_and_delay_of_a_pure_host),
        cmocka_unit_test(it_learns_a_rate_that_was_commanded_to_be_exceeded),
        cmocka_unit_test(it_learns_from_the_controls_that_acted),
        cmocka_unit_test(it_learns_nothing_where_the_host_says_so),
        cmocka_unit_test(what_is_beyond_the_bounds_is_not_known),
        cmocka_unit_test(without_steering_it_stays_unsure),
        cmocka_unit_test(standing_reverse_slides_and_flight_teach_nothing),
        cmocka_unit_test(a_teleport_is_not_taken_for_a_turn),
        cmocka_unit_test(it_learns_alike_at_all_frame_rates),
        cmocka_unit_test(hostile_frames_never_make_it_unsound),
        cmocka_unit_test(a_host_without_noise_never_makes_it_unsound),
        cmocka_unit_test(in_the_first_second_its_doubt_is_honest_too),
        cmocka_unit_test(a_copy_and_a_saved_one_learn_the_same_bits),
        cmocka_unit_test(a_reset_forgets_and_a_merge_gives),
        cmocka_unit_test(a_tracked_vehicle_is_learned_by_its_yaw_rate),
        cmocka_unit_test(its_doubt_is_honest_on_the_family),
    };
    return cmocka_run_group_tests_name("estimate", tests, NULL, NULL);
}
