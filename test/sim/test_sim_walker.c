// The simulated person on foot, against closed forms.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/walker.h"

#define STEP 0.01f

static kerb_sim_walker walk(const kerb_controls* controls, float seconds) {
    const kerb_pedestrian limits = kerb_pedestrian_default();
    kerb_sim_walker walker = kerb_sim_walker_make(&limits, 0.0f, 0.0f, 0.0f);
    for (int32_t i = 0; i < (int32_t)(seconds / STEP); i++)
        kerb_sim_walker_step(&walker, controls, STEP);
    return walker;
}

static void full_effort_comes_to_the_greatest_speed_of_each_direction(void** unused) {
    (void)unused;
    const kerb_pedestrian limits = kerb_pedestrian_default();
    kerb_controls controls = {.throttle = 1.0f, .gear = 1};
    assert_float_equal(walk(&controls, 10.0f).velocity.x, limits.speed_max, 0.01f);
    controls.gear = -1;
    assert_float_equal(walk(&controls, 10.0f).velocity.x, -limits.back_speed_max, 0.01f);
    controls = (kerb_controls){.roll = -1.0f, .gear = 1};
    assert_float_equal(walk(&controls, 10.0f).velocity.y, limits.side_speed_max, 0.01f);
}

static void who_walks_fast_hardly_steps_sideways(void** unused) {
    (void)unused;
    const kerb_pedestrian limits = kerb_pedestrian_default();
    const kerb_controls controls = {.throttle = 1.0f, .gear = 1, .roll = 1.0f};
    kerb_sim_walker walker = walk(&controls, 10.0f);
    float x = walker.velocity.x / limits.speed_max, y = walker.velocity.y / limits.side_speed_max;
    assert_true(x * x + y * y < 1.25f);
    assert_true(y < -0.5f);
}

static void it_turns_on_the_spot_and_stands_when_it_brakes(void** unused) {
    (void)unused;
    const kerb_pedestrian limits = kerb_pedestrian_default();
    kerb_controls controls = {.steering = 1.0f, .gear = 1};
    kerb_sim_walker walker = walk(&controls, 1.0f);
    assert_float_equal(walker.heading, limits.yaw_rate_max * (1.0f - limits.answer_time), 0.05f);
    assert_float_equal(kerb_vec2_length(walker.position), 0.0f, 1e-6f);
    controls = (kerb_controls){.throttle = 1.0f, .gear = 1};
    walker = walk(&controls, 5.0f);
    const kerb_controls stop = kerb_controls_safe(KERB_REASON_NONE);
    for (int32_t i = 0; i < 200; i++)
        kerb_sim_walker_step(&walker, &stop, STEP);
    assert_true(kerb_vec2_length(walker.velocity) == 0.0f);
}

int sim_walker_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(full_effort_comes_to_the_greatest_speed_of_each_direction),
        cmocka_unit_test(who_walks_fast_hardly_steps_sideways),
        cmocka_unit_test(it_turns_on_the_spot_and_stands_when_it_brakes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
