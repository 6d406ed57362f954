// Driving movements in the simulation: at their places, at their times, through their cusps.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "scene/plan/plan_drive.h"
#include "src/plan_driver/frame.h"
#include "test/plan_rig.h"

#include <math.h>
#include <string.h>

#define HZ 60.0f

// ------------------------------------------------------------------- plans

typedef struct task {
    plan_rig rig;
    kerb_planner planner;
    kerb_plan plan;
} task;

// With a share of what the vehicle can do, from rest to rest.
static void find_with(task* t, const kerb_vehicle* vehicle, float share, float x, float y,
                      float heading, bool reverse) {
    t->rig = (plan_rig){.limits = kerb_plan_limits_to_drive(vehicle, share)};
    if (!reverse)
        t->rig.limits.reverse_speed_max = 0.0f;
    t->rig.from = kerb_plan_end_make(0.0f, 0.0f, 0.0f, 0.0f);
    t->rig.to = kerb_plan_end_make(x, y, heading, 0.0f);
    assert_int_equal(plan_rig_run(&t->planner, &t->rig, 2000), KERB_PLAN_FOUND);
    t->plan = kerb_planner_get_plan(&t->planner);
    const kerb_plan_query query = plan_rig_query(&t->rig);
    kerb_error error;
    if (kerb_plan_check(&t->rig.limits, &query, NULL, &t->plan, &error) != KERB_OK)
        fail_msg("%s %s, piece %d", error.field, error.message, (int)error.index);
}

static void find(task* t, const kerb_vehicle* vehicle, float x, float y, float heading,
                 bool reverse) {
    find_with(t, vehicle, 0.3f, x, y, heading, reverse);
}

static kerb_sim_model car_model(void) {
    kerb_vehicle vehicle = kerb_vehicle_default();
    return kerb_sim_model_for(&vehicle);
}

static int32_t cusps_of(const kerb_plan* plan) {
    int32_t cusps = 0;
    for (int32_t i = 1; i < plan->count; i++)
        cusps += plan->pieces[i].direction != plan->pieces[i - 1].direction;
    return cusps;
}

static kerb_scene_plan_driven drive(const kerb_sim_model* model, const kerb_plan* plan, float hz) {
    kerb_scene_plan_ride ride = kerb_scene_plan_ride_make(model);
    ride.hz = hz;
    return kerb_scene_plan_drive(&ride, plan, NULL, NULL);
}

// ------------------------------------------------------------------- places and times

// Random goals up to `far` metres away: all but `missed` are driven within 5 % of their time and
// within 0.3 m, all within 15 % (of more than a third of what it can do 20 %) and `aside` metres.
static void expect_within(const kerb_sim_model* model, const char* name, float share, float far,
                          bool reverse, float hz, int missed, double aside) {
    enum { GOALS = 16 };
    kerb_random random = test_random(name);
    int within = 0, cusps = 0, count = 0;
    double worst = 0.0, slowest = 0.0;
    while (count < GOALS) {
        task t;
        float distance = kerb_random_between(&random, 0.0f, far);
        float bearing = kerb_random_between(&random, -KERB_PI, KERB_PI);
        find_with(&t, &model->vehicle, share, distance * kerb_cos(bearing),
                  distance * kerb_sin(bearing), kerb_random_between(&random, -KERB_PI, KERB_PI),
                  reverse);
        if (t.plan.length > 3.0f) {
            kerb_scene_plan_driven d = drive(model, &t.plan, hz);
            double ratio = (double)d.time / (double)d.planned;
            assert_true(d.arrived);
            within += ratio > 0.95 && ratio < 1.05 && d.error < 0.3f;
            worst = fmax(worst, (double)d.error);
            slowest = fmax(slowest, fabs(ratio - 1.0));
            cusps += cusps_of(&t.plan);
            count++;
        }
        kerb_planner_destroy(&t.planner);
    }
    print_message("%s: %d of %d, worst %.2f m and %.1f %%, %d cusps\n", name, within, GOALS, worst,
                  100.0 * slowest, cusps);
    assert_true(within >= GOALS - missed);
    assert_true(worst < aside && slowest < (share > 0.3f ? 0.2 : 0.15));
    assert_true(reverse ? cusps > 0 : cusps == 0);
}

static void expect_share(const kerb_sim_model* model, const char* name, float share, float far,
                         bool reverse, float hz, int missed) {
    expect_within(model, name, share, far, reverse, hz, missed, 0.5);
}

static void expect_driven(const kerb_sim_model* model, const char* name, float far, bool reverse,
                          float hz) {
    expect_share(model, name, 0.3f, far, reverse, hz, 1);
}

static void a_car_is_where_the_plan_says_when_it_says(void** state) {
    (void)state;
    kerb_sim_model model = car_model();
    expect_driven(&model, "car forwards", 60.0f, false, HZ);
}

static void a_car_drives_through_cusps(void** state) {
    (void)state;
    kerb_sim_model model = car_model();
    expect_driven(&model, "car with reverse", 25.0f, true, HZ);
}

static void so_does_a_pickup_that_shifts_for_itself_at_thirty_frames_a_second(void** state) {
    (void)state;
    kerb_sim_model model;
    assert_true(kerb_sim_model_named("pickup", &model));
    expect_driven(&model, "pickup with reverse", 25.0f, true, 30.0f);
}

static void a_truck_keeps_to_its_plans_too(void** state) {
    (void)state;
    kerb_sim_model model;
    assert_true(kerb_sim_model_named("truck", &model));
    expect_driven(&model, "truck forwards", 80.0f, false, HZ);
}

static void a_formula_car_whose_engine_brakes_hard_is_in_time_as_well(void** state) {
    (void)state;
    kerb_sim_model model;
    assert_true(kerb_sim_model_named("formula", &model));
    expect_share(&model, "formula forwards", 0.3f, 60.0f, false, HZ, 0);
    // Its brakes are three times as strong as what it says: where legs end that shows.
    expect_share(&model, "formula with reverse", 0.3f, 60.0f, true, HZ, 0);
}

static void so_does_a_long_carrier_whose_body_is_slow_to_turn(void** state) {
    (void)state;
    kerb_sim_model model;
    assert_true(kerb_sim_model_named("carrier", &model));
    expect_driven(&model, "carrier forwards", 90.0f, false, HZ);
    expect_driven(&model, "carrier with reverse", 50.0f, true, HZ);
}

static void so_does_a_tank_on_tracks_that_slip(void** state) {
    (void)state;
    kerb_sim_model model;
    assert_true(kerb_sim_model_named("tank", &model));
    expect_driven(&model, "tank forwards", 40.0f, false, HZ);
    expect_driven(&model, "tank with reverse", 30.0f, true, HZ);
}

static void with_half_of_what_they_can_do_nearly_all_are_driven_as_well(void** state) {
    (void)state;
    kerb_sim_model car = car_model(), pickup;
    assert_true(kerb_sim_model_named("pickup", &pickup));
    expect_share(&car, "car at half", 0.5f, 50.0f, false, HZ, 2);
    expect_share(&pickup, "pickup at half", 0.5f, 50.0f, false, HZ, 2);
}

// Slicks follow in half the time that other tyres take: who does not learn that turns too early.
static void so_are_cars_on_slicks_fast_and_slow(void** state) {
    (void)state;
    kerb_sim_model gt, formula;
    assert_true(kerb_sim_model_named("gt", &gt) && kerb_sim_model_named("formula", &formula));
    expect_within(&gt, "gt at half", 0.5f, 50.0f, false, HZ, 0, 0.25);
    expect_within(&gt, "gt with reverse at half", 0.5f, 40.0f, true, HZ, 0, 0.25);
    expect_within(&formula, "formula at half", 0.5f, 73.0f, false, HZ, 0, 0.25);
}

static void so_are_a_truck_and_a_rally_car_on_loose_ground(void** state) {
    (void)state;
    kerb_sim_model truck, rally;
    assert_true(kerb_sim_model_named("truck", &truck) && kerb_sim_model_named("rally", &rally));
    expect_share(&truck, "truck at half", 0.5f, 50.0f, false, HZ, 1);
    expect_share(&truck, "truck with reverse at half", 0.5f, 30.0f, true, HZ, 1);
    expect_share(&rally, "rally at half", 0.5f, 40.0f, false, HZ, 2);
}

static void a_hovercraft_is_named_as_what_it_does_not_drive(void** state) {
    (void)state;
    kerb_sim_model model;
    kerb_error error;
    assert_true(kerb_sim_model_named("hovercraft", &model));
    assert_int_equal(kerb_plan_drivable(&model.vehicle, &error), KERB_ERROR_OUT_OF_RANGE);
    assert_string_equal(error.field, "kind");
    task t;
    find(&t, &model.vehicle, 30.0f, 5.0f, 1.0f, false);
    kerb_scene_plan_driven d = drive(&model, &t.plan, HZ);
    assert_false(d.arrived);
    assert_true(fabs((double)d.end_error - sqrt(30.0 * 30.0 + 5.0 * 5.0)) < 0.1); // where it was
    kerb_planner_destroy(&t.planner);
    for (int32_t i = 0; i < kerb_sim_model_count(); i++) {
        assert_true(kerb_sim_model_named(kerb_sim_model_name(i), &model));
        bool hovers = model.vehicle.kind == KERB_VEHICLE_HOVER;
        assert_int_equal(kerb_plan_drivable(&model.vehicle, NULL) == KERB_OK, !hovers);
    }
}

// At its greatest planned speed an engine still gives the planned acceleration.
static void no_more_is_planned_than_power_gives_at_speed(void** state) {
    (void)state;
    for (int32_t i = 0; i < kerb_sim_model_count() + kerb_sim_race_model_count(); i++) {
        int32_t race = i - kerb_sim_model_count();
        kerb_sim_model model;
        assert_true(kerb_sim_model_named(
            race < 0 ? kerb_sim_model_name(i) : kerb_sim_race_model_name(race), &model));
        const kerb_vehicle* v = &model.vehicle;
        float faster = 1e9f;
        for (float share = 0.1f; share < 0.85f; share += 0.1f) {
            kerb_plan_limits l = kerb_plan_limits_to_drive(v, share);
            assert_int_equal(kerb_plan_limits_validate(&l, NULL), KERB_OK);
            float left = kerb_full_throttle_acceleration(v, l.speed_max, false) -
                         kerb_coasting_deceleration(v, l.speed_max);
            float least = share < 0.8f ? 1.0f : 0.9f; // little is left above
            if (l.speed_max < v->speed_max)
                assert_true(left >= least * l.acceleration);
            assert_true(l.speed_max <= faster && l.speed_max <= v->speed_max);
            faster = l.speed_max;
        }
    }
}

// ------------------------------------------------------------------- by hand

typedef struct cab {
    kerb_sim_vehicle vehicle;
    kerb_motion motion;
    kerb_plan_driver driver;
    kerb_surroundings around;
    kerb_controls controls;
    float back; // of the rear axle
} cab;

static cab cab_at(const kerb_sim_model* model, float x, float y, float heading) {
    cab c = {.around = kerb_surroundings_default(),
             .driver = kerb_plan_driver_make(&model->vehicle)};
    c.back = model->vehicle.reference_to_rear_axle;
    kerb_vec3 at = {x + c.back * kerb_cos(heading), y + c.back * kerb_sin(heading), 0.0f};
    c.vehicle = kerb_sim_vehicle_make(model, at, heading);
    c.motion = kerb_sim_vehicle_motion(&c.vehicle);
    return c;
}

static void step(cab* c, const kerb_plan* plan) {
    const kerb_sim_ground ground = {.normal = {0.0f, 0.0f, 1.0f}, .grip = 1.0f};
    c->controls = kerb_plan_driver_drive(&c->driver, plan, &c->motion, &c->around, 1.0f / HZ);
    for (int k = 0; k < 4; k++)
        kerb_sim_vehicle_step(&c->vehicle, &c->controls, &ground, 1.0f / (4.0f * HZ));
    c->motion = kerb_sim_vehicle_motion(&c->vehicle);
}

// Seconds until it gives the reason; negative: not within the time.
static float drive_until(cab* c, const kerb_plan* plan, kerb_reason reason, float seconds) {
    for (int i = 0; i < (int)(seconds * HZ); i++) {
        step(c, plan);
        if (c->controls.reason == reason)
            return (float)i / HZ;
    }
    return -1.0f;
}

static double speed_of(const cab* c) {
    return (double)kerb_motion_forward_speed(&c->motion);
}

static double off_the_end(const cab* c, const kerb_plan* plan) {
    kerb_vec2 end = kerb_plan_at(plan, plan->time).pose.position;
    kerb_vec3 facing = kerb_quat_forward(c->motion.rotation);
    double x = (double)(c->motion.position.x - c->back * facing.x - end.x);
    double y = (double)(c->motion.position.y - c->back * facing.y - end.y);
    return sqrt(x * x + y * y);
}

static void who_begins_beside_the_plan_ends_on_it(void** state) {
    (void)state;
    kerb_sim_model model = car_model();
    task t;
    find(&t, &model.vehicle, 35.0f, 4.0f, 0.0f, false);
    for (int side = -1; side <= 1; side += 2) {
        cab c = cab_at(&model, -0.5f, 0.6f * (float)side, 0.15f * (float)side);
        assert_true(drive_until(&c, &t.plan, KERB_REASON_ARRIVED, 2.0f * t.plan.time) > 0.0f);
        assert_true(off_the_end(&c, &t.plan) < 0.12);
        assert_true(kerb_abs(c.driver.decision.heading_error) < 0.03f);
    }
    kerb_planner_destroy(&t.planner);
}

// By its throttle's delay later the leg would be over: it must not brake for that.
static void what_stands_short_of_the_end_of_its_leg_does_not_brake(void** state) {
    (void)state;
    kerb_vehicle vehicle = kerb_vehicle_default();
    vehicle.throttle_delay = 0.3f;
    // 8 m ahead and back, from rest to rest, with 4 m/s².
    const float hard = 4.0f, half = 1.41421356f, top = hard * half;
    const kerb_plan_piece pieces[] = {
        {{{0.0f, 0.0f}, {1.0f, 0.0f}}, 0.0f, half, 4.0f, 0.0f, hard, 0.0f, 1, 0.0f},
        {{{4.0f, 0.0f}, {1.0f, 0.0f}}, half, half, 4.0f, top, -hard, 0.0f, 1, 0.0f},
        {{{8.0f, 0.0f}, {1.0f, 0.0f}}, 2.0f * half, half, 4.0f, 0.0f, hard, 0.0f, -1, 0.0f},
        {{{4.0f, 0.0f}, {1.0f, 0.0f}}, 3.0f * half, half, 4.0f, top, -hard, 0.0f, -1, 0.0f}};
    const kerb_plan plan = {
        .pieces = pieces, .count = 4, .time = 4.0f * half, .cost = 4.0f * half, .length = 16.0f};
    const kerb_plan_driver driver = kerb_plan_driver_make(&vehicle);
    driver_frame f = {.plan = &plan, .leg = {0, 1}, .place = {1, 3.88f}, .travel = 1.0f};
    f.left = 0.12f;
    f.time = kerb_in_plan_place_time(&plan, f.place);
    f.time_step = 1.0f / HZ;
    assert_true(kerb_in_plan_driver_known(&driver, &f) == 0.0f);
    f.speed = kerb_in_plan_place_speed(&plan, f.place); // as planned, it brakes
    assert_true(kerb_in_plan_driver_known(&driver, &f) < -0.7f * hard);
}

static void another_plan_is_taken_up_where_the_vehicle_is(void** state) {
    (void)state;
    kerb_sim_model model = car_model();
    task t, u;
    find(&t, &model.vehicle, 40.0f, 0.0f, 0.0f, false);
    cab c = cab_at(&model, 0.0f, 0.0f, 0.0f);
    for (int i = 0; i < 180; i++)
        step(&c, &t.plan);
    double before = speed_of(&c);
    assert_true(before > 3.0);
    find(&u, &model.vehicle, 40.0f, 6.0f, 0.0f, false); // begins 8 m and more behind it
    float least = 1e9f;
    for (int i = 0; i < 30; i++) {
        step(&c, &u.plan);
        least = kerb_min(least, (float)speed_of(&c));
    }
    assert_true((double)least > 0.8 * before);
    assert_true(drive_until(&c, &u.plan, KERB_REASON_ARRIVED, 30.0f) > 0.0f);
    assert_true(off_the_end(&c, &u.plan) < 0.15);
    kerb_planner_destroy(&t.planner);
    kerb_planner_destroy(&u.planner);
}

static void it_stops_at_each_cusp_and_goes_on_in_the_other_direction(void** state) {
    (void)state;
    kerb_sim_model model = car_model();
    task t;
    find(&t, &model.vehicle, 0.0f, 6.0f, 0.0f, true);
    int32_t cusps = cusps_of(&t.plan);
    assert_true(cusps >= 1);
    cab c = cab_at(&model, 0.0f, 0.0f, 0.0f);
    int changes = 0, gear = 0;
    for (int i = 0; i < (int)(2.0f * t.plan.time * HZ); i++) {
        step(&c, &t.plan);
        int now = c.controls.gear < 0 ? -1 : 1;
        if (gear != 0 && now != gear) {
            changes++;
            assert_true(fabs(speed_of(&c)) < 0.3); // nobody shifts while rolling
        }
        gear = now;
        assert_true(c.controls.throttle == 0.0f || c.controls.brake == 0.0f);
        if (c.controls.reason == KERB_REASON_ARRIVED)
            break;
    }
    assert_int_equal(c.controls.reason, KERB_REASON_ARRIVED);
    assert_int_equal(changes, cusps);
    assert_true(off_the_end(&c, &t.plan) < 0.25);
    kerb_planner_destroy(&t.planner);
}

// From rest into a bend: two seconds of standing, 10 m to the left.
static void where_the_plan_begins_with_standing_its_wheels_turn_first(void** state) {
    (void)state;
    kerb_sim_model model = car_model();
    const float bend = 0.12f, d = 5.0f, time = 2.2360680f,
                top = 4.4721360f; // with 2 m/s² either way
    const kerb_pose start = kerb_pose_make(0.0f, 0.0f, 0.0f);
    kerb_curve first = {start, 1, {bend}, {d}};
    kerb_plan_piece pieces[3] = {
        {start, 0.0f, 2.0f, 0.0f, 0.0f, 0.0f, bend, 1, 0.0f},
        {start, 2.0f, time, d, 0.0f, 2.0f, bend, 1, 0.0f},
        {kerb_curve_end(&first), 2.0f + time, time, d, top, -2.0f, bend, 1, 0.0f}};
    float whole = 2.0f + 2.0f * time;
    kerb_plan plan = {.pieces = pieces, .count = 3, .time = whole, .cost = whole, .length = 10.0f};
    cab c = cab_at(&model, 0.0f, 0.0f, 0.0f);
    for (int i = 0; i < (int)(1.85f * HZ); i++) {
        step(&c, &plan);
        assert_true(fabs(speed_of(&c)) < 0.05);
        assert_true(kerb_abs(c.driver.decision.time_error) < 0.02f);
    }
    float wheels = kerb_curvature_of(&model.vehicle, c.motion.steering, 0.0f);
    assert_true(wheels > 0.8f * bend);
    float arrived = drive_until(&c, &plan, KERB_REASON_ARRIVED, 8.0f) + 1.85f;
    assert_true(arrived > whole - 0.2f && arrived < whole + 0.3f);
    assert_true(off_the_end(&c, &plan) < 0.15);
}

// A plan that stands for somebody on its way: 8 m, 3 s of standing, 8 m.
static void where_the_plan_stands_it_stands_for_as_long(void** state) {
    (void)state;
    kerb_sim_model model = car_model();
    const kerb_pose start = kerb_pose_make(0.0f, 0.0f, 0.0f);
    const kerb_pose middle = kerb_pose_make(8.0f, 0.0f, 0.0f);
    const float d = 8.0f / 2.0f, top = 4.0f, time = 2.0f; // with 2 m/s² either way
    kerb_plan_piece pieces[5] = {
        {start, 0.0f, time, d, 0.0f, 2.0f, 0.0f, 1, 0.0f},
        {kerb_pose_make(d, 0.0f, 0.0f), time, time, d, top, -2.0f, 0.0f, 1, 0.0f},
        {middle, 2.0f * time, 3.0f, 0.0f, 0.0f, 0.0f, 0.0f, 1, 0.0f},
        {middle, 7.0f, time, d, 0.0f, 2.0f, 0.0f, 1, 0.0f},
        {kerb_pose_make(8.0f + d, 0.0f, 0.0f), 9.0f, time, d, top, -2.0f, 0.0f, 1, 0.0f}};
    kerb_plan plan = {.pieces = pieces, .count = 5, .time = 11.0f, .cost = 11.0f, .length = 16.0f};
    cab c = cab_at(&model, 0.0f, 0.0f, 0.0f);
    float stood = 0.0f, arrived = -1.0f;
    for (int i = 0; i < 900 && arrived < 0.0f; i++) {
        step(&c, &plan);
        double x = (double)c.motion.position.x - (double)c.back;
        if (fabs(speed_of(&c)) < 0.05 && fabs(x - 8.0) < 0.1)
            stood += 1.0f / HZ;
        if ((float)i / HZ < 6.9f)
            assert_true(x < 8.1); // whoever crosses is there until then
        if (c.controls.reason == KERB_REASON_ARRIVED)
            arrived = (float)i / HZ;
    }
    assert_true(stood > 2.7f && stood < 3.6f);
    assert_true(arrived > 10.4f && arrived < 11.5f);
}

static void the_hosts_speed_cap_holds_and_puts_the_rest_off(void** state) {
    (void)state;
    kerb_sim_model model = car_model();
    task t;
    find(&t, &model.vehicle, 50.0f, 0.0f, 0.0f, false);
    cab c = cab_at(&model, 0.0f, 0.0f, 0.0f);
    c.around.speed_cap = 3.0f;
    double fastest = 0.0;
    bool told = false;
    for (int i = 0; i < 60 * 40 && c.controls.reason != KERB_REASON_ARRIVED; i++) {
        step(&c, &t.plan);
        fastest = fmax(fastest, speed_of(&c));
        told = told || c.controls.reason == KERB_REASON_SPEED_CAP;
    }
    assert_int_equal(c.controls.reason, KERB_REASON_ARRIVED);
    assert_true(told && fastest < 3.2);
    assert_true(c.driver.decision.postponed > 3.0f);
    assert_true(off_the_end(&c, &t.plan) < 0.1);
    kerb_planner_destroy(&t.planner);
}

static void where_the_plan_arrives_with_speed_it_rolls_on(void** state) {
    (void)state;
    kerb_sim_model model = car_model();
    task t;
    t.rig = (plan_rig){.limits = kerb_plan_limits_to_drive(&model.vehicle, 0.3f)};
    t.rig.limits.reverse_speed_max = 0.0f;
    t.rig.from = kerb_plan_end_make(0.0f, 0.0f, 0.0f, 0.0f);
    t.rig.to = kerb_plan_end_make(40.0f, 5.0f, 0.0f, 5.0f);
    assert_int_equal(plan_rig_run(&t.planner, &t.rig, 500), KERB_PLAN_FOUND);
    t.plan = kerb_planner_get_plan(&t.planner);
    cab c = cab_at(&model, 0.0f, 0.0f, 0.0f);
    float time = drive_until(&c, &t.plan, KERB_REASON_ARRIVED, 30.0f);
    assert_true(kerb_abs(time - t.plan.time) < 0.05f * t.plan.time);
    assert_true(fabs(speed_of(&c) - 5.0) < 0.4);
    for (int i = 0; i < 60; i++)
        step(&c, &t.plan);
    assert_int_equal(c.controls.reason, KERB_REASON_ARRIVED);
    assert_true(fabs(speed_of(&c) - 5.0) < 0.5);
    kerb_planner_destroy(&t.planner);
}

static void far_off_the_plan_it_stops_and_waits_for_another(void** state) {
    (void)state;
    kerb_sim_model model = car_model();
    task t;
    find(&t, &model.vehicle, 40.0f, 0.0f, 0.0f, false);
    cab c = cab_at(&model, 0.0f, 0.0f, 0.0f);
    for (int i = 0; i < 120; i++)
        step(&c, &t.plan);
    kerb_sim_body body = kerb_sim_vehicle_body(&c.vehicle);
    body.position.y += 6.0f; // somebody pushed it
    kerb_sim_vehicle_set_body(&c.vehicle, &body);
    c.motion = kerb_sim_vehicle_motion(&c.vehicle);
    for (int i = 0; i < 240; i++)
        step(&c, &t.plan);
    assert_int_equal(c.controls.reason, KERB_REASON_GIVEN_UP);
    assert_true(c.driver.decision.lost && fabs(speed_of(&c)) < 0.05);
    task u = {.rig = t.rig};
    u.rig.from.pose = kerb_pose_make(c.motion.position.x - c.back, c.motion.position.y, 0.0f);
    assert_int_equal(plan_rig_run(&u.planner, &u.rig, 500), KERB_PLAN_FOUND);
    u.plan = kerb_planner_get_plan(&u.planner);
    assert_true(drive_until(&c, &u.plan, KERB_REASON_ARRIVED, 40.0f) > 5.0f);
    assert_false(c.driver.decision.lost);
    kerb_planner_destroy(&t.planner);
    kerb_planner_destroy(&u.planner);
}

// ------------------------------------------------------------------- memory and bad input

static void a_copied_driver_goes_on_with_the_same_bits(void** state) {
    (void)state;
    kerb_sim_model model = car_model();
    task t;
    find(&t, &model.vehicle, 12.0f, 9.0f, 2.0f, true);
    cab c = cab_at(&model, 0.0f, 0.0f, 0.0f);
    for (int i = 0; i < 100; i++)
        step(&c, &t.plan);
    cab again = c;
    for (int i = 0; i < 200; i++) {
        step(&c, &t.plan);
        step(&again, &t.plan);
        assert_true(c.controls.steering == again.controls.steering &&
                    c.controls.throttle == again.controls.throttle &&
                    c.motion.position.x == again.motion.position.x);
    }
    kerb_planner_destroy(&t.planner);
}

static void bad_motion_and_bad_steps_give_safe_controls_and_are_counted(void** state) {
    (void)state;
    kerb_sim_model model = car_model();
    task t;
    find(&t, &model.vehicle, 30.0f, 0.0f, 0.0f, false);
    cab c = cab_at(&model, 0.0f, 0.0f, 0.0f);
    step(&c, &t.plan);
    kerb_motion bad = c.motion;
    bad.velocity.y = NAN;
    kerb_controls controls = kerb_plan_driver_drive(&c.driver, &t.plan, &bad, NULL, 1.0f / HZ);
    assert_int_equal(controls.reason, KERB_REASON_BAD_MOTION);
    assert_true(controls.brake > 0.0f && controls.throttle == 0.0f);
    const float steps[] = {0.0f, -1.0f, NAN, INFINITY, 0.5f * KERB_TIME_STEP_MIN};
    for (int i = 0; i < 5; i++) {
        controls = kerb_plan_driver_drive(&c.driver, &t.plan, &c.motion, NULL, steps[i]);
        assert_int_equal(controls.reason, KERB_REASON_BAD_STEP);
    }
    assert_int_equal(c.driver.bad_frames, 6);
    controls = kerb_plan_driver_drive(&c.driver, &t.plan, &c.motion, NULL, 5000.0f);
    assert_int_not_equal(controls.reason, KERB_REASON_BAD_STEP); // driven as a shorter one
    assert_int_equal(c.driver.bad_frames, 7);
    assert_true(drive_until(&c, &t.plan, KERB_REASON_ARRIVED, 30.0f) > 0.0f);
    kerb_planner_destroy(&t.planner);
}

static void without_a_movement_it_stands(void** state) {
    (void)state;
    kerb_sim_model model = car_model();
    cab c = cab_at(&model, 0.0f, 0.0f, 0.0f);
    const kerb_plan nothing = {0};
    step(&c, &nothing);
    assert_true(c.controls.brake > 0.0f && c.controls.throttle == 0.0f);
    assert_int_equal(c.controls.reason, KERB_REASON_NONE);
}

static void random_motions_never_give_anything_but_controls(void** state) {
    (void)state;
    kerb_random random = test_random("plan driver anywhere");
    kerb_sim_model model = car_model();
    task t;
    find(&t, &model.vehicle, 8.0f, 9.0f, 2.5f, true);
    kerb_plan_driver driver = kerb_plan_driver_make(&model.vehicle);
    for (int i = 0; i < 3000; i++) {
        kerb_motion m = kerb_motion_default();
        m.position.x = kerb_random_between(&random, -20.0f, 30.0f);
        m.position.y = kerb_random_between(&random, -20.0f, 30.0f);
        m.rotation = kerb_quat_from_heading(kerb_random_between(&random, -KERB_PI, KERB_PI));
        m.velocity.x = kerb_random_between(&random, -30.0f, 30.0f);
        m.velocity.y = kerb_random_between(&random, -30.0f, 30.0f);
        m.angular_velocity.z = kerb_random_between(&random, -5.0f, 5.0f);
        m.steering = kerb_random_between(&random, -2.0f, 2.0f);
        m.gear = kerb_random_below(&random, 5) - 1;
        if (i % 40 == 0)
            driver = kerb_plan_driver_make(&model.vehicle);
        float time_step = kerb_random_between(&random, 0.001f, 0.2f);
        kerb_controls c = kerb_plan_driver_drive(&driver, &t.plan, &m, NULL, time_step);
        assert_true(c.throttle >= 0.0f && c.throttle <= 1.0f && c.brake >= 0.0f &&
                    c.brake <= 1.0f && c.steering >= -1.0f && c.steering <= 1.0f);
    }
    kerb_planner_destroy(&t.planner);
}

// An engine that drags and pedals up to four times as strong as said, seen through three seconds of
// braking by hands that press now more, now less.
static void what_slows_a_vehicle_down_is_learned_apart(void** state) {
    (void)state;
    kerb_random random = test_random("slowing");
    kerb_vehicle vehicle = kerb_vehicle_default();
    for (int i = 0; i < 200; i++) {
        float drag = kerb_random_between(&random, 0.0f, 0.25f * vehicle.braking_max);
        float strength = kerb_random_between(&random, 0.8f, 4.0f), press = 0.0f;
        kerb_plan_driver_slowing slowing = kerb_in_plan_slowing_make(&vehicle);
        for (int frame = 0; frame < 180; frame++) {
            if (frame % 10 == 0)
                press = kerb_random_between(&random, 0.0f, 0.3f);
            plan_slowed seen = {.vehicle = &vehicle, .pressed = press, .speed = 10.0f};
            seen.lost = drag + strength * press * vehicle.braking_max +
                        kerb_random_between(&random, -0.3f, 0.3f);
            seen.time_step = 1.0f / 60.0f;
            kerb_in_plan_slowing_learn(&slowing, &seen);
        }
        assert_true(kerb_abs(slowing.drag - drag) < 1.6f);
        assert_true(kerb_abs(slowing.brakes - strength) < 0.35f * strength);
        // Asked for 3 m/s², it gets about that; where clutches slip, brakes have to do it alone.
        float asked = 3.0f, told = kerb_in_plan_slowing_told(&slowing, -asked, 10.0f);
        float given = drag - strength * told;
        assert_true(kerb_abs(given - kerb_max(asked, drag)) < 1.3f);
        assert_true(kerb_in_plan_slowing_told(&slowing, -asked, 0.0f) == -asked / slowing.brakes);
    }
}

// A throttle up to four times as strong as said where the tyres are the limit, seen through the
// second in which a vehicle sets off; what slips near that limit does not make it weaker again.
static void how_strong_the_throttle_is_is_learned_before_tyres_slip(void** state) {
    (void)state;
    kerb_random random = test_random("pull");
    kerb_vehicle vehicle = kerb_vehicle_default();
    vehicle.acceleration_max = 0.55f * vehicle.lateral_acceleration_max;
    for (int i = 0; i < 200; i++) {
        float strength = kerb_random_between(&random, 1.0f, 4.0f);
        kerb_plan_driver_pull pull = kerb_in_plan_pull_make(&vehicle);
        for (int frame = 0; frame < 120; frame++) {
            bool slips = frame > 60;
            float most = kerb_in_plan_pull_capacity(&pull, &vehicle, 2.0f, false);
            plan_pulled seen = {.speed = 2.0f, .time_step = 1.0f / 60.0f};
            seen.throttle = 0.4f * vehicle.acceleration_max / most;
            seen.pull = seen.throttle * strength * vehicle.acceleration_max +
                        kerb_random_between(&random, -0.3f, 0.3f);
            if (slips) {
                seen.throttle = 1.0f;
                seen.pull = 0.9f * vehicle.acceleration_max;
            }
            kerb_in_plan_pull_learn(&pull, &vehicle, &seen);
        }
        assert_true(kerb_abs(pull.strength - strength) < 0.2f * strength);
    }
}

// Rear tyres that are pressed aside by so much for each m/s².
static void how_tyres_slip_is_learned(void** state) {
    (void)state;
    kerb_random random = test_random("slip");
    kerb_vehicle car = kerb_vehicle_default();
    for (int i = 0; i < 200; i++) {
        float softness = kerb_random_between(&random, 0.5f, 1.5f) / (15.0f * 8.0f);
        float speed = kerb_random_between(&random, 6.0f, 20.0f), press = 3.0f, rate = 0.0f;
        kerb_plan_driver_slip slip = kerb_in_plan_slip_make(&car);
        for (int frame = 0; frame < 240; frame++) {
            if (frame % 80 == 0)
                press = -press;
            float step = 1.0f / 60.0f, noise = kerb_random_between(&random, -0.01f, 0.01f);
            rate += (press / speed - rate) * step / (0.1f + step);
            kerb_in_plan_slip_learn(&slip, &car, noise - softness * speed * rate, speed, rate,
                                    step);
        }
        assert_true(kerb_abs(slip.softness - softness) < 0.2f * softness);
    }
}

int plan_driver_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_car_is_where_the_plan_says_when_it_says),
        cmocka_unit_test(a_car_drives_through_cusps),
        cmocka_unit_test(so_does_a_pickup_that_shifts_for_itself_at_thirty_frames_a_second),
        cmocka_unit_test(a_truck_keeps_to_its_plans_too),
        cmocka_unit_test(a_formula_car_whose_engine_brakes_hard_is_in_time_as_well),
        cmocka_unit_test(so_does_a_long_carrier_whose_body_is_slow_to_turn),
        cmocka_unit_test(so_does_a_tank_on_tracks_that_slip),
        cmocka_unit_test(with_half_of_what_they_can_do_nearly_all_are_driven_as_well),
        cmocka_unit_test(so_are_a_truck_and_a_rally_car_on_loose_ground),
        cmocka_unit_test(so_are_cars_on_slicks_fast_and_slow),
        cmocka_unit_test(how_strong_the_throttle_is_is_learned_before_tyres_slip),
        cmocka_unit_test(how_tyres_slip_is_learned),
        cmocka_unit_test(what_slows_a_vehicle_down_is_learned_apart),
        cmocka_unit_test(a_hovercraft_is_named_as_what_it_does_not_drive),
        cmocka_unit_test(no_more_is_planned_than_power_gives_at_speed),
        cmocka_unit_test(who_begins_beside_the_plan_ends_on_it),
        cmocka_unit_test(what_stands_short_of_the_end_of_its_leg_does_not_brake),
        cmocka_unit_test(another_plan_is_taken_up_where_the_vehicle_is),
        cmocka_unit_test(it_stops_at_each_cusp_and_goes_on_in_the_other_direction),
        cmocka_unit_test(where_the_plan_stands_it_stands_for_as_long),
        cmocka_unit_test(where_the_plan_begins_with_standing_its_wheels_turn_first),
        cmocka_unit_test(the_hosts_speed_cap_holds_and_puts_the_rest_off),
        cmocka_unit_test(where_the_plan_arrives_with_speed_it_rolls_on),
        cmocka_unit_test(far_off_the_plan_it_stops_and_waits_for_another),
        cmocka_unit_test(a_copied_driver_goes_on_with_the_same_bits),
        cmocka_unit_test(bad_motion_and_bad_steps_give_safe_controls_and_are_counted),
        cmocka_unit_test(without_a_movement_it_stands),
        cmocka_unit_test(random_motions_never_give_anything_but_controls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
