// What is learned of the steering from commands and motion alone, with a vehicle in closed form.
#include "src/track/wheels.h"

#include "kerb/control.h"
#include "test/seed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define STEP (1.0f / 60.0f)
#define LATE_MOST 16

// The share of the lock is that of an earlier command, by a trim, a gain and a bend.
typedef struct linkage {
    float trim, gain, bend;
    int32_t late; // [frames]
    float axle;   // of the point that follows, ahead of the described rear axle [m]
    float commands[LATE_MOST];
    int32_t frame;
} linkage;

static float share_of(const linkage* l, float command) {
    return l->trim + l->gain * command * (1.0f - l->bend + l->bend * kerb_abs(command));
}

static linkage draw_linkage(kerb_random* random) {
    return (linkage){.trim = kerb_random_between(random, -0.08f, 0.08f),
                     .gain = kerb_random_between(random, 0.85f, 1.1f),
                     .bend = kerb_random_between(random, -0.3f, 0.5f),
                     .late = kerb_random_below(random, 15),
                     .axle = kerb_random_between(random, -0.3f, 2.7f)};
}

// Drives to and fro for some seconds with steering that moves as a driver's does.
static void drive(kerb_wheels_memory* wheels, linkage* l, const kerb_vehicle* vehicle,
                  kerb_random* random, float seconds, bool teaches) {
    float command = 0.0f, goal = 0.0f, speed = 1.5f;
    for (int32_t i = 0; i < (int32_t)(seconds / STEP); i++) {
        if (i % 70 == 0)
            goal = kerb_random_between(random, -0.8f, 0.8f);
        if (i % 240 == 239)
            speed = speed > 0.0f ? -1.2f : kerb_random_between(random, 1.0f, 3.0f);
        command += kerb_clamp(goal - command, -1.2f * STEP, 1.2f * STEP);
        l->commands[l->frame % LATE_MOST] = command;
        float acting = l->commands[(l->frame + LATE_MOST - l->late) % LATE_MOST];
        l->frame++;
        float yaw_rate = speed * kerb_curvature_of(vehicle, share_of(l, acting), speed);
        yaw_rate += kerb_random_between(random, -0.01f, 0.01f);
        const kerb_in_wheels_frame frame = {.vehicle = vehicle,
                                            .command = command,
                                            .speed = speed,
                                            .yaw_rate = yaw_rate,
                                            .side = -l->axle * yaw_rate,
                                            .time_step = STEP,
                                            .teaches = teaches};
        kerb_in_wheels_watch(wheels, &frame);
    }
}

static void steering_is_learned_from_commands_and_yaw_rates_alone(void** state) {
    (void)state;
    kerb_random random = test_random("wheels");
    kerb_vehicle vehicle = kerb_vehicle_default();
    for (int32_t i = 0; i < 60; i++) {
        linkage l = draw_linkage(&random);
        kerb_wheels_memory wheels;
        kerb_in_wheels_begin(&wheels, &vehicle);
        kerb_in_wheels_start(&wheels, 0.0f);
        drive(&wheels, &l, &vehicle, &random, 30.0f, true);
        float late = (float)l.late * STEP;
        assert_true(kerb_abs(wheels.delay - late) < 0.03f);
        assert_true(kerb_in_wheels_delay_doubt(&wheels) < 0.03f);
        assert_true(kerb_abs(wheels.axle - l.axle) < 0.1f);
        for (float command = -0.6f; command < 0.7f; command += 0.3f) {
            float true_share = share_of(&l, command);
            float curvature = kerb_in_wheels_curvature(&wheels, &vehicle, command, 1.5f);
            float share = kerb_steering_for(&vehicle, curvature, 1.5f);
            assert_true(kerb_abs(share - true_share) < 0.03f);
        }
    }
}

static void the_command_of_a_curvature_gives_it(void** state) {
    (void)state;
    kerb_random random = test_random("inverse");
    kerb_vehicle vehicle = kerb_vehicle_default();
    for (int32_t i = 0; i < 2000; i++) {
        kerb_wheels_memory wheels;
        kerb_in_wheels_begin(&wheels, &vehicle);
        wheels.trim = kerb_random_between(&random, -0.1f, 0.1f);
        wheels.gain = kerb_random_between(&random, 0.7f, 1.4f);
        wheels.bend = wheels.gain * kerb_random_between(&random, -0.45f, 0.7f);
        float speed = kerb_random_between(&random, -3.0f, 10.0f);
        float command = kerb_random_between(&random, -0.5f, 0.5f);
        float curvature = kerb_in_wheels_curvature(&wheels, &vehicle, command, speed);
        assert_true(kerb_abs(kerb_in_wheels_command(&wheels, &vehicle, curvature, speed) -
                             command) < 1.0e-3f);
    }
}

// What is pending after a turn of the wheels is what the vehicle then does.
static void what_is_pending_is_driven(void** state) {
    (void)state;
    kerb_random random = test_random("pending");
    kerb_vehicle vehicle = kerb_vehicle_default();
    for (int32_t i = 0; i < 200; i++) {
        kerb_wheels_memory wheels;
        kerb_in_wheels_begin(&wheels, &vehicle);
        kerb_in_wheels_start(&wheels, kerb_random_between(&random, -0.5f, 0.5f));
        wheels.delay = 12.0f * STEP;
        linkage l = {.gain = 1.0f, .late = 12};
        for (int32_t k = 0; k < LATE_MOST; k++)
            l.commands[k] = wheels.asked.now;
        kerb_in_wheels_frame frame = {.vehicle = &vehicle, .speed = 2.0f, .time_step = STEP};
        float command = wheels.asked.now, goal = kerb_random_between(&random, -0.5f, 0.5f);
        for (int32_t k = 0; k < 12; k++) {
            command += kerb_clamp(goal - command, -1.5f * STEP, 1.5f * STEP);
            l.commands[k] = frame.command = command;
            kerb_in_wheels_watch(&wheels, &frame);
        }
        kerb_in_wheels_pending pending = kerb_in_wheels_pending_of(&wheels, &vehicle, 2.0f);
        float turn = 0.0f, left = 0.0f;
        for (int32_t k = 0; k < 12; k++) {
            float by = 2.0f * STEP * kerb_curvature_of(&vehicle, l.commands[k], 2.0f);
            left += 2.0f * STEP * (turn + 0.5f * by);
            turn += by;
        }
        assert_true(kerb_abs(pending.turn - turn) < 0.003f);
        assert_true(kerb_abs(pending.left - left) < 0.002f);
        assert_true(kerb_abs(pending.to - kerb_curvature_of(&vehicle, command, 2.0f)) < 1e-5f);
    }
}

static void frames_that_do_not_teach_change_nothing_that_is_known(void** state) {
    (void)state;
    kerb_random random = test_random("no lesson");
    kerb_vehicle vehicle = kerb_vehicle_default();
    linkage l = {.trim = 0.1f, .gain = 1.0f, .late = 8, .axle = 1.0f};
    kerb_wheels_memory wheels;
    kerb_in_wheels_begin(&wheels, &vehicle);
    kerb_in_wheels_start(&wheels, 0.0f);
    drive(&wheels, &l, &vehicle, &random, 10.0f, false);
    assert_true(wheels.trim == 0.0f && wheels.gain == 1.0f && wheels.bend == 0.0f);
    assert_true(wheels.delay == vehicle.steering_delay && wheels.axle == 0.0f);
}

int track_wheels_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steering_is_learned_from_commands_and_yaw_rates_alone),
        cmocka_unit_test(the_command_of_a_curvature_gives_it),
        cmocka_unit_test(what_is_pending_is_driven),
        cmocka_unit_test(frames_that_do_not_teach_change_nothing_that_is_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
