// Kinds of vehicles driven along their plans in the reference simulation.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kerb/kind_driver.h"
#include "sim/ship.h"
#include "test/kind_rig.h"

// What became of many drives.
typedef struct drives {
    int32_t count, arrived, near; // near: within the accepted error
    float error_sum, error_most, time_share;
} drives;

static void count_drive(drives* d, const kerb_kind_driver* driver, const kerb_kind_plan* plan,
                        const float* to, float time, float accepted) {
    float x = driver->decision.state[0] - to[0], y = driver->decision.state[1] - to[1];
    float error = kerb_sqrt(x * x + y * y);
    d->arrived++;
    d->near += error <= accepted ? 1 : 0;
    d->error_sum += error;
    d->error_most = kerb_max(d->error_most, error);
    d->time_share += time / plan->time;
}

static void judge(const char* name, const drives* d) {
    print_message(
        "%s: %d of %d arrived, %d near; error mean %.2f m, most %.2f m; %.3f of the time\n", name,
        d->arrived, d->count, d->near, (double)(d->error_sum / (float)d->arrived),
        (double)d->error_most, (double)(d->time_share / (float)d->arrived));
    assert_true(d->arrived * 20 >= d->count * 19);
    assert_true(d->near * 20 >= d->arrived * 19);
    assert_true(d->time_share < 1.1f * (float)d->arrived);
}

// --------------------------------------------------------------------------- ships

#define SHIP_STEP 0.1f

static void sail(const kerb_sim_ship_model* model, const kerb_ship* ship, const kerb_kind* kind,
                 const kerb_kind_plan* plan, const kind_ends* ends, drives* d) {
    float sine, cosine, time = 0.0f;
    kerb_sin_cos(ends->from[2], &sine, &cosine);
    kerb_sim_ship sim = kerb_sim_ship_make(model, ends->from[0] - ship->reference_to_pivot * cosine,
                                           ends->from[1] - ship->reference_to_pivot * sine,
                                           ends->from[2], ends->from[3]);
    kerb_kind_driver driver = kerb_kind_driver_make(kind);
    for (int32_t i = 0; time < 2.0f * plan->time + 60.0f; i++) {
        kerb_motion motion = kerb_sim_ship_motion(&sim);
        kerb_controls controls = kerb_kind_driver_drive(&driver, plan, &motion, NULL, SHIP_STEP);
        if (controls.reason == KERB_REASON_ARRIVED)
            count_drive(d, &driver, plan, ends->to, time, 0.1f * ship->length);
        if (controls.reason != KERB_REASON_CRUISE)
            return;
        kerb_sim_ship_step(&sim, &controls, SHIP_STEP);
        time = SHIP_STEP * (float)(i + 1);
    }
}

static void ships_arrive_in_calm_water_and_in_a_current(void** unused) {
    (void)unused;
    kerb_random random = test_random("sailing");
    kerb_sim_ship_model model = kerb_sim_mariner_model();
    drives d = {.count = test_share(60, 8)};
    for (int32_t i = 0; i < d.count; i++) {
        if (i % 2 == 1)
            model.current = kerb_vec2_make(kerb_random_between(&random, -0.7f, 0.7f),
                                           kerb_random_between(&random, -0.7f, 0.7f));
        kerb_ship ship = kerb_sim_ship_limits(&model);
        kerb_kind kind = kerb_kind_of_ship(&ship);
        kerb_kind_planner planner = kind_rig_planner(&kind);
        kind_ends ends = {.from = {0.0f, 0.0f, 0.0f, 4.0f}};
        kind_rig_place(&random, 10.0f * ship.turning_radius, ends.to);
        ends.to[3] = i % 4 < 2 ? 0.0f : 4.0f;
        assert_int_equal(kind_rig_run(&planner, &ends), KERB_PLAN_FOUND);
        kerb_kind_plan plan = kerb_kind_planner_get_plan(&planner);
        sail(&model, &ship, &kind, &plan, &ends, &d);
        kerb_kind_planner_destroy(&planner);
    }
    judge("ship", &d);
}

// --------------------------------------------------------------------------- hosts

static void a_bad_host_gets_safe_controls(void** unused) {
    (void)unused;
    kerb_ship ship = kerb_ship_default();
    kerb_kind kind = kerb_kind_of_ship(&ship);
    kerb_kind_driver driver = kerb_kind_driver_make(&kind);
    kerb_motion motion = kerb_motion_default();
    const kerb_kind_plan none = {.count = 0};
    assert_int_equal(kerb_kind_driver_drive(&driver, &none, &motion, NULL, 0.1f).reason,
                     KERB_REASON_NONE);
    motion.position.x = NAN;
    assert_int_equal(kerb_kind_driver_drive(&driver, &none, &motion, NULL, 0.1f).reason,
                     KERB_REASON_BAD_MOTION);
    motion.position.x = 0.0f;
    assert_int_equal(kerb_kind_driver_drive(&driver, &none, &motion, NULL, 0.0f).reason,
                     KERB_REASON_BAD_STEP);
    assert_int_equal(driver.bad_frames, 2);
}

static void one_that_is_far_away_gives_up(void** unused) {
    (void)unused;
    kerb_ship ship = kerb_ship_default();
    kerb_kind kind = kerb_kind_of_ship(&ship);
    kerb_kind_planner planner = kind_rig_planner(&kind);
    kind_ends ends = {.to = {2000.0f, 0.0f, 0.0f, 4.0f}};
    assert_int_equal(kind_rig_run(&planner, &ends), KERB_PLAN_FOUND);
    kerb_kind_plan plan = kerb_kind_planner_get_plan(&planner);
    kerb_kind_driver driver = kerb_kind_driver_make(&kind);
    kerb_motion motion = kerb_motion_default();
    motion.position.y = 500.0f;
    motion.velocity.x = 3.0f;
    kerb_controls controls = kerb_kind_driver_drive(&driver, &plan, &motion, NULL, 0.1f);
    assert_int_equal(controls.reason, KERB_REASON_GIVEN_UP);
    assert_int_equal(controls.gear, -1); // stops
    kerb_kind_planner_destroy(&planner);
}

int kind_driver_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ships_arrive_in_calm_water_and_in_a_current),
        cmocka_unit_test(a_bad_host_gets_safe_controls),
        cmocka_unit_test(one_that_is_far_away_gives_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
