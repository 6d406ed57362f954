// Kinds of vehicles driven along their plans in the reference simulation.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "scene/plan/kind_drive.h"
#include "test/kind_rig.h"

// What became of many drives.
typedef struct drives {
    int32_t count, arrived, near; // near: within the accepted error
    float error_sum, error_most, time_share;
} drives;

static void count_drive(drives* d, const kerb_scene_kind* kind, const kerb_kind_plan* plan) {
    kerb_scene_kind_driven driven = kerb_scene_kind_drive(kind, plan);
    d->count++;
    if (!driven.arrived)
        return;
    d->arrived++;
    d->near += driven.error <= kind->accepted ? 1 : 0;
    d->error_sum += driven.error;
    d->error_most = kerb_max(d->error_most, driven.error);
    d->time_share += driven.time / plan->time;
}

static void judge(const char* name, const drives* d) {
    print_message(
        "%s: %d of %d arrived, %d near; error mean %.2f m, most %.2f m; %.3f of the time\n", name,
        d->arrived, d->count, d->near, (double)(d->error_sum / (float)d->arrived),
        (double)d->error_most, (double)(d->time_share / (float)d->arrived));
    assert_true(d->count - d->arrived <= 1);
    assert_true((d->arrived - d->near) * 30 <= d->arrived + 29); // one in thirty, of a few one
    assert_true(d->time_share < 1.08f * (float)d->arrived);
}

static void ships_arrive_in_calm_water_and_in_a_current(void** unused) {
    (void)unused;
    kerb_random random = test_random("sailing");
    kerb_scene_kind ship;
    assert_true(kerb_scene_kind_make("ship", &ship));
    drives d = {.count = 0};
    for (int32_t i = 0; i < test_share(60, 8); i++) {
        if (i % 2 == 1)
            ship.ship_model.current = kerb_vec2_make(kerb_random_between(&random, -0.7f, 0.7f),
                                                     kerb_random_between(&random, -0.7f, 0.7f));
        ship.ship = kerb_sim_ship_limits(&ship.ship_model);
        kerb_kind_planner planner = kind_rig_planner(&ship.kind);
        kind_ends ends = {.from = {0.0f, 0.0f, 0.0f, 4.0f}};
        kind_rig_place(&random, ship.radius, ends.to);
        ends.to[3] = i % 4 < 2 ? 0.0f : 4.0f;
        assert_int_equal(kind_rig_run(&planner, &ends), KERB_PLAN_FOUND);
        kerb_kind_plan plan = kerb_kind_planner_get_plan(&planner);
        count_drive(&d, &ship, &plan);
        kerb_kind_planner_destroy(&planner);
    }
    judge("ship", &d);
}

// From rest at the origin to random goals.
static void arrive(const char* name) {
    kerb_random random = test_random(name);
    kerb_scene_kind kind;
    assert_true(kerb_scene_kind_make(name, &kind));
    kerb_kind_planner planner = kind_rig_planner(&kind.kind);
    drives d = {.count = 0};
    for (int32_t i = 0; i < test_share(60, 5); i++) {
        kind_ends ends = {{0.0f}, {0.0f}};
        if (kind.kind.space)
            kerb_scene_kind_ends(&kind, &random, ends.from, ends.to);
        else
            kind_rig_place(&random, kind.radius, ends.to);
        if (kind_rig_run(&planner, &ends) != KERB_PLAN_FOUND)
            continue;
        kerb_kind_plan plan = kerb_kind_planner_get_plan(&planner);
        count_drive(&d, &kind, &plan);
    }
    judge(name, &d);
    kerb_kind_planner_destroy(&planner);
}

// They slide on while they are too slow for their rudders.
static void ships_that_stop_end_at_their_places(void** unused) {
    (void)unused;
    arrive("ship");
}

static void pedestrians_arrive(void** unused) {
    (void)unused;
    arrive("pedestrian");
}

static void hovercraft_arrive(void** unused) {
    (void)unused;
    arrive("hovercraft");
}

static void trailers_arrive(void** unused) {
    (void)unused;
    arrive("trailer");
}

static void motorcycles_arrive_upright(void** unused) {
    (void)unused;
    arrive("motorcycle");
}

static void tanks_arrive(void** unused) {
    (void)unused;
    arrive("tank");
}

static void spacecraft_arrive(void** unused) {
    (void)unused;
    arrive("spacecraft");
}

static void helicopters_and_drones_arrive(void** unused) {
    (void)unused;
    arrive("helicopter");
    arrive("drone");
}

static void rockets_arrive(void** unused) {
    (void)unused;
    arrive("rocket");
}

static void airplanes_arrive(void** unused) {
    (void)unused;
    arrive("airplane");
}

static void submarines_arrive(void** unused) {
    (void)unused;
    arrive("submarine");
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
        cmocka_unit_test(ships_that_stop_end_at_their_places),
        cmocka_unit_test(pedestrians_arrive),
        cmocka_unit_test(hovercraft_arrive),
        cmocka_unit_test(trailers_arrive),
        cmocka_unit_test(motorcycles_arrive_upright),
        cmocka_unit_test(tanks_arrive),
        cmocka_unit_test(spacecraft_arrive),
        cmocka_unit_test(helicopters_and_drones_arrive),
        cmocka_unit_test(rockets_arrive),
        cmocka_unit_test(airplanes_arrive),
        cmocka_unit_test(submarines_arrive),
        cmocka_unit_test(a_bad_host_gets_safe_controls),
        cmocka_unit_test(one_that_is_far_away_gives_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
