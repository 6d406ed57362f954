// Kinds of vehicles driven along their plans in the reference simulation.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kerb/kind_driver.h"
#include "sim/hover.h"
#include "sim/ship.h"
#include "sim/towing.h"
#include "sim/walker.h"
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
    assert_true((d->arrived - d->near) * 20 <= d->arrived + 19); // one in twenty, of a few one
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

// --------------------------------------------------------------------------- on land

#define LAND_STEP 0.02f
// Steps of the simulation in a frame.
#define LAND_PARTS 8

// Any simulated vehicle on land.
typedef union land {
    kerb_sim_walker walker;
    kerb_sim_hover hover;
    kerb_sim_towing towing;
} land;

typedef struct land_kind {
    const char* name;
    float radius, accepted; // of random goals, and at the goal [m]
    kerb_motion (*motion)(const land* vehicle);
    void (*step)(land* vehicle, const kerb_controls* controls, float time);
} land_kind;

static kerb_motion walker_motion(const land* vehicle) {
    return kerb_sim_walker_motion(&vehicle->walker);
}

static void walker_step(land* vehicle, const kerb_controls* controls, float time) {
    kerb_sim_walker_step(&vehicle->walker, controls, time);
}

static kerb_motion hover_motion(const land* vehicle) {
    return kerb_sim_hover_motion(&vehicle->hover);
}

static void hover_step(land* vehicle, const kerb_controls* controls, float time) {
    const kerb_sim_ground flat = {.normal = {0.0f, 0.0f, 1.0f}, .grip = 1.0f};
    kerb_sim_hover_step(&vehicle->hover, controls, &flat, time);
}

static kerb_motion towing_motion(const land* vehicle) {
    return kerb_sim_towing_motion(&vehicle->towing);
}

static void towing_step(land* vehicle, const kerb_controls* controls, float time) {
    kerb_sim_towing_step(&vehicle->towing, controls, time);
}

static const land_kind walkers = {"pedestrian", 10.0f, 0.3f, walker_motion, walker_step};
static const land_kind hovers = {"hovercraft", 80.0f, 0.56f, hover_motion, hover_step};
static const land_kind towings = {"trailer", 20.0f, 0.15f, towing_motion, towing_step};

static void drive_on_land(const land_kind* of, const kerb_kind* kind, land vehicle,
                          const kerb_kind_plan* plan, const kind_ends* ends, drives* d) {
    kerb_kind_driver driver = kerb_kind_driver_make(kind);
    float arrived = 0.0f, time = 0.0f;
    for (int32_t i = 0; time < 2.0f * plan->time + 20.0f; i++) {
        kerb_motion motion = of->motion(&vehicle);
        const float told = vehicle.towing.hitch;
        kerb_controls controls = kerb_kind_driver_drive(&driver, plan, &motion,
                                                        of == &towings ? &told : NULL, LAND_STEP);
        time = LAND_STEP * (float)i;
        if (controls.reason == KERB_REASON_ARRIVED && arrived == 0.0f)
            arrived = time;
        if (arrived > 0.0f && time > arrived + 1.0f) { // it stands
            count_drive(d, &driver, plan, ends->to, arrived, of->accepted);
            return;
        }
        if (controls.reason == KERB_REASON_GIVEN_UP)
            return;
        for (int32_t k = 0; k < LAND_PARTS; k++)
            of->step(&vehicle, &controls, LAND_STEP / (float)LAND_PARTS);
    }
}

static void arrive_on_land(const land_kind* of, const kerb_kind* kind, land vehicle) {
    kerb_random random = test_random(of->name);
    kerb_kind_planner planner = kind_rig_planner(kind);
    drives d = {.count = 0};
    for (int32_t i = 0; i < test_share(60, 5); i++) {
        kind_ends ends = {{0.0f}, {0.0f}};
        kind_rig_place(&random, of->radius, ends.to);
        if (kind_rig_run(&planner, &ends) != KERB_PLAN_FOUND)
            continue;
        d.count++;
        kerb_kind_plan plan = kerb_kind_planner_get_plan(&planner);
        drive_on_land(of, kind, vehicle, &plan, &ends, &d);
    }
    judge(of->name, &d);
    kerb_kind_planner_destroy(&planner);
}

static void pedestrians_arrive(void** unused) {
    (void)unused;
    const kerb_pedestrian pedestrian = kerb_pedestrian_default();
    kerb_kind kind = kerb_kind_of_pedestrian(&pedestrian);
    land vehicle = {.walker = kerb_sim_walker_make(&pedestrian, 0.0f, 0.0f, 0.0f)};
    arrive_on_land(&walkers, &kind, vehicle);
}

static void hovercraft_arrive(void** unused) {
    (void)unused;
    const kerb_sim_hover_model model = kerb_sim_hovercraft_model();
    const kerb_vehicle limits = kerb_sim_hover_vehicle(&model);
    kerb_kind kind = kerb_kind_of_hovercraft(&limits);
    land vehicle = {.hover = kerb_sim_hover_make(&model, kerb_vec3_make(0.0f, 0.0f, 0.0f), 0.0f)};
    arrive_on_land(&hovers, &kind, vehicle);
}

static void trailers_arrive(void** unused) {
    (void)unused;
    const kerb_towing limits = kerb_towing_default();
    kerb_kind kind = kerb_kind_of_towing(&limits);
    land vehicle = {.towing = kerb_sim_towing_make(&limits, 0.0f, 0.0f, 0.0f, 0.0f)};
    arrive_on_land(&towings, &kind, vehicle);
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
        cmocka_unit_test(pedestrians_arrive),
        cmocka_unit_test(hovercraft_arrive),
        cmocka_unit_test(trailers_arrive),
        cmocka_unit_test(a_bad_host_gets_safe_controls),
        cmocka_unit_test(one_that_is_far_away_gives_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
