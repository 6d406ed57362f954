// A driver of plans in hosts that are not the reference simulation: automatics that creep at idle,
// gears that are told late, wrongly or not at all, and steering that is bent, late, or of which
// nothing is told. The vehicle is a bicycle without slip, so that nothing else matters.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kerb/control.h"
#include "kerb/plan_driver.h"
#include "scene/host/family_park.h"
#include "scene/host/family_ride.h"
#include "test/plan_rig.h"
#include "test/seed.h"

#include <math.h>
#include <stdio.h>

#define STEP (1.0f / 60.0f)

// What a host tells of its gear.
enum { TOLD_ENGAGED, TOLD_ONE, TOLD_ZERO, TOLD_NUMBER, TOLD_NEUTRAL_AT_REST, TOLD_KINDS };
static const char* const told_text[TOLD_KINDS] = {"engaged", "always 1", "always 0",
                                                  "the number inside", "0 at rest"};

#define LATE_MOST 16

typedef struct host {
    kerb_vehicle vehicle; // as it is told
    float creep_speed;    // true [m/s]
    float creep_push;     // greatest [m/s²]
    bool handbrake_holds; // below 0.3 m/s the brakes do nothing
    int told;
    kerb_share_curve lock; // true
    bool wheels_untold;    // the angle of the wheels is told as 0
    float trim;            // of the steering [lock]
    float bend;            // share = command · (1 - bend + bend · |command|)
    int late;              // delay of the steering [frames]
    float commands[LATE_MOST];
    int frame;
    float x, y, heading, speed, wheels, pause;
    int32_t gear; // engaged direction
    kerb_controls controls;
} host;

static kerb_motion motion_of(const host* h) {
    kerb_motion m = kerb_motion_default();
    float sine, cosine, back = h->vehicle.reference_to_rear_axle;
    kerb_sin_cos(h->heading, &sine, &cosine);
    float turns = h->speed * kerb_tan(h->wheels) / h->vehicle.wheelbase;
    m.position = kerb_vec3_make(h->x + back * cosine, h->y + back * sine, 0.0f);
    m.rotation = kerb_quat_from_heading(h->heading);
    m.velocity = kerb_vec3_make(h->speed * cosine - turns * back * sine,
                                h->speed * sine + turns * back * cosine, 0.0f);
    m.angular_velocity.z = turns;
    m.steering = h->wheels_untold ? 0.0f : h->wheels / h->vehicle.steering_angle_max;
    bool rests = fabsf(h->speed) < 0.05f && h->controls.throttle <= 0.0f;
    switch (h->told) {
    case TOLD_ONE:
        m.gear = 1;
        break;
    case TOLD_ZERO:
        m.gear = 0;
        break;
    case TOLD_NUMBER:
        m.gear = h->gear > 0 && h->speed > 4.0f ? 2 : h->gear;
        break;
    case TOLD_NEUTRAL_AT_REST:
        m.gear = rests ? 0 : h->gear;
        break;
    default:
        m.gear = h->gear;
    }
    return m;
}

// Brakes hold against the push; a gear of the other direction engages near standstill, and takes a
// moment.
static void move(host* h) {
    const kerb_controls* c = &h->controls;
    const kerb_vehicle* v = &h->vehicle;
    if (c->gear != 0 && c->gear != h->gear && fabsf(h->speed) < 0.5f) {
        h->gear = c->gear;
        h->pause = 0.25f;
    }
    h->pause = fmaxf(h->pause - STEP, 0.0f);
    float way = (float)h->gear, push = 0.0f;
    if (h->pause <= 0.0f && c->gear != 0)
        push = way * c->throttle * 4.0f;
    if (h->pause <= 0.0f && h->creep_speed > 0.0f && c->gear != 0)
        push += way * kerb_clamp(h->creep_speed - way * h->speed, 0.0f, h->creep_push);
    float pedal = h->handbrake_holds && fabsf(h->speed) < 0.3f ? 0.0f : c->brake;
    float held = v->braking_max * fmaxf(pedal, c->handbrake ? 1.0f : 0.0f) + 0.15f;
    h->speed += push * STEP;
    float lost = fminf(held * STEP, fabsf(h->speed));
    h->speed -= h->speed < 0.0f ? -lost : lost;
    float lock = v->steering_angle_max * kerb_share_at(&h->lock, h->speed);
    h->commands[h->frame % LATE_MOST] = c->steering;
    float steering = h->commands[(h->frame + LATE_MOST - h->late) % LATE_MOST];
    h->frame++;
    steering = h->trim + steering * (1.0f - h->bend + h->bend * fabsf(steering));
    float turn = steering * lock - h->wheels;
    h->wheels += kerb_clamp(turn, -v->steering_rate_max * STEP, v->steering_rate_max * STEP);
    float sine, cosine;
    kerb_sin_cos(h->heading, &sine, &cosine);
    h->x += h->speed * cosine * STEP;
    h->y += h->speed * sine * STEP;
    h->heading += h->speed * kerb_tan(h->wheels) / v->wheelbase * STEP;
}

typedef struct outcome {
    bool arrived;
    float time, planned; // [s]
    float beyond;        // farthest from the goal after it was first within 0.3 m [m]
    float error, angle;  // at the end [m], [rad]
    float end_speed;
    bool handbrake; // was set in some frame
} outcome;

static outcome drive_to(host h, float x, float y, float heading, bool reverse) {
    plan_rig rig = {.limits = kerb_plan_limits_to_drive(&h.vehicle, 0.3f)};
    if (!reverse)
        rig.limits.reverse_speed_max = 0.0f;
    rig.from = kerb_plan_end_make(0.0f, 0.0f, 0.0f, 0.0f);
    rig.to = kerb_plan_end_make(x, y, heading, 0.0f);
    kerb_planner planner;
    assert_int_equal(plan_rig_run(&planner, &rig, 2000), KERB_PLAN_FOUND);
    kerb_plan plan = kerb_planner_get_plan(&planner);
    kerb_plan_driver driver = kerb_plan_driver_make(&h.vehicle);
    outcome o = {.planned = plan.time};
    bool near_goal = false;
    int rests = 0;
    while (rests < 60 && o.time < 2.0f * o.planned + 20.0f) {
        kerb_motion motion = motion_of(&h);
        h.controls = kerb_plan_driver_drive(&driver, &plan, &motion, NULL, STEP);
        o.handbrake = o.handbrake || h.controls.handbrake;
        move(&h);
        o.time += STEP;
        o.error = hypotf(h.x - x, h.y - y);
        near_goal = near_goal || o.error < 0.3f;
        o.beyond = near_goal ? fmaxf(o.beyond, o.error) : 0.0f;
        rests = h.controls.reason == KERB_REASON_ARRIVED ? rests + 1 : 0;
    }
    o.arrived = rests >= 60;
    o.end_speed = h.speed;
    o.angle = fabsf(h.heading - heading);
    kerb_planner_destroy(&planner);
    return o;
}

static host make_host(void) {
    return (host){.vehicle = kerb_vehicle_default(), .gear = 1, .creep_push = 0.8f};
}

static void expect_within(const host* h, const char* what, bool reverse, float beyond) {
    const float goals[][3] = {{30, 0, 0}, {22, 6, 0.6f}, {12, 1, 0}, {-8, 1, 0}, {1, 4, 0}};
    for (int i = 0; i < (reverse ? 5 : 3); i++) {
        outcome o = drive_to(*h, goals[i][0], goals[i][1], goals[i][2], reverse);
        print_message("%s, goal %d: %s, %.1f of %.1f s, beyond %.2f m, error %.2f m, %.2f m/s\n",
                      what, i, o.arrived ? "arrived" : "not arrived", (double)o.time,
                      (double)o.planned, (double)o.beyond, (double)o.error, (double)o.end_speed);
        assert_true(o.arrived);
        assert_true(o.beyond < 0.3f + beyond && o.error < 0.15f + beyond);
        assert_true(o.angle < 0.05f);
        assert_true(fabsf(o.end_speed) < 0.02f);
    }
}

static void expect_driven(const host* h, const char* what, bool reverse) {
    expect_within(h, what, reverse, 0.01f);
}

static void what_creeps_stops_at_the_end_told_or_not(void** state) {
    (void)state;
    for (int i = 0; i < 6; i++) {
        host h = make_host();
        h.creep_speed = (float[]){0.8f, 1.6f, 3.0f}[i % 3];
        h.creep_push = i % 3 == 2 ? 4.0f : 0.8f;
        if (i < 3)
            h.vehicle.creep_speed = h.creep_speed;
        char what[64];
        snprintf(what, sizeof what, "creep %.1f m/s, %s", (double)h.creep_speed,
                 i < 3 ? "told" : "not told");
        expect_driven(&h, what, true);
    }
}

// Where only the handbrake holds: at once where creep is told, else as soon as it is seen.
static void what_only_the_handbrake_holds_stops_at_the_end(void** state) {
    (void)state;
    for (int i = 0; i < 4; i++) {
        host h = make_host();
        h.handbrake_holds = true;
        h.creep_speed = i % 2 == 0 ? 0.8f : 2.0f;
        bool told = i < 2;
        h.vehicle.creep_speed = told ? h.creep_speed : 0.0f;
        expect_within(&h, told ? "handbrake, told" : "handbrake", true, told ? 0.02f : 0.25f);
    }
}

static void without_creep_no_handbrake_is_set(void** state) {
    (void)state;
    host h = make_host();
    outcome o = drive_to(h, 30.0f, 0.0f, 0.0f, false);
    assert_true(o.arrived && !o.handbrake);
    h.vehicle.creep_speed = h.creep_speed = 1.5f;
    o = drive_to(h, 30.0f, 0.0f, 0.0f, false);
    assert_true(o.arrived && o.handbrake);
}

static void a_gear_that_is_not_echoed_keeps_nobody_waiting(void** state) {
    (void)state;
    for (int told = 0; told < TOLD_KINDS; told++)
        for (int said = 0; said < 2; said++) {
            host h = make_host();
            h.told = told;
            h.vehicle.drive_train.gear_told = said ? KERB_GEAR_TOLD_NOTHING : 0;
            char what[64];
            snprintf(what, sizeof what, "gear told: %s%s", told_text[told],
                     said ? ", said so" : "");
            expect_driven(&h, what, true);
        }
}

// The greatest error along a movement with bends that need most of the lock, told or not.
static void a_lock_that_falls_with_speed_is_planned_and_driven(void** state) {
    (void)state;
    host h = make_host();
    h.lock = (kerb_share_curve){.count = 2, .speed = {1.0f, 9.0f}, .share = {1.0f, 0.35f}};
    h.vehicle.steering_lock = h.lock;
    expect_driven(&h, "falling lock", true);
    const kerb_vehicle plain = kerb_vehicle_default();
    assert_true(kerb_plan_limits_to_drive(&h.vehicle, 0.3f).turning_radius >
                1.05f * kerb_plan_limits_to_drive(&plain, 0.3f).turning_radius);
}

// Nobody tells where the wheels are: they are where they were commanded to be.
static void what_tells_no_angle_of_its_wheels_parks(void** state) {
    (void)state;
    host h = make_host();
    h.wheels_untold = true;
    expect_driven(&h, "wheels untold", true);
}

static void bent_wheels_park_told_or_not(void** state) {
    (void)state;
    for (int i = 0; i < 4; i++) {
        host h = make_host();
        h.trim = i % 2 == 0 ? 0.08f : -0.08f;
        h.wheels_untold = i < 2;
        expect_driven(&h, h.wheels_untold ? "trim, wheels untold" : "trim", true);
    }
}

static void steering_that_is_finer_in_the_middle_or_quicker_parks(void** state) {
    (void)state;
    for (int i = 0; i < 2; i++) {
        host h = make_host();
        h.wheels_untold = true;
        h.bend = i == 0 ? 0.5f : -0.3f;
        expect_driven(&h, i == 0 ? "finer in the middle" : "quicker in the middle", true);
    }
}

static void steering_that_is_late_parks_told_or_not(void** state) {
    (void)state;
    for (int i = 0; i < 2; i++) {
        host h = make_host();
        h.wheels_untold = true;
        h.late = 12;
        h.vehicle.steering_delay = i == 0 ? 12.0f * STEP : 0.0f;
        expect_driven(&h, i == 0 ? "late, told" : "late", true);
    }
}

// Something holds it beside its goal: what cannot be driven is not said to be.
static void what_stands_beside_its_goal_has_not_arrived(void** state) {
    (void)state;
    for (int i = 0; i < 2; i++) {
        float aside = i == 0 ? 0.2f : 0.4f;
        kerb_vehicle vehicle = kerb_vehicle_default();
        plan_rig rig = {.limits = kerb_plan_limits_to_drive(&vehicle, 0.3f)};
        rig.from = kerb_plan_end_make(0.0f, 0.0f, 0.0f, 0.0f);
        rig.to = kerb_plan_end_make(10.0f, 0.0f, 0.0f, 0.0f);
        kerb_planner planner;
        assert_int_equal(plan_rig_run(&planner, &rig, 2000), KERB_PLAN_FOUND);
        kerb_plan plan = kerb_planner_get_plan(&planner);
        kerb_plan_driver driver = kerb_plan_driver_make(&vehicle);
        kerb_motion motion = kerb_motion_default();
        motion.position = kerb_vec3_make(10.0f + vehicle.reference_to_rear_axle, aside, 0.0f);
        kerb_controls controls = {0};
        for (int frame = 0; frame < 60; frame++)
            controls = kerb_plan_driver_drive(&driver, &plan, &motion, NULL, STEP);
        assert_int_equal(controls.reason, i == 0 ? KERB_REASON_ARRIVED : KERB_REASON_GIVEN_UP);
        assert_true(controls.brake == 1.0f && controls.throttle == 0.0f);
        kerb_planner_destroy(&planner);
    }
}

static const kerb_vec2 bay[] = {{-1.2f, 2.2f},  {3.9f, 2.2f},   {3.9f, 4.3f},  {-1.2f, 4.3f},
                                {-1.2f, -4.3f}, {3.9f, -4.3f},  {3.9f, -2.2f}, {-1.2f, -2.2f},
                                {-3.2f, -9.0f}, {-2.9f, -9.0f}, {-2.9f, 9.0f}, {-3.2f, 9.0f}};

// Of hosts of the family that `counts` says, how many of 100 stand at last within 0.2 m and 4
// degrees of a bay.
static float parked_share(const char* what, bool (*counts)(const kerb_family_host* host)) {
    static const int32_t fours[] = {4, 4, 4};
    const kerb_family_park_task task = {kerb_pose_make(8.5f, 7.0f, -0.5f * KERB_PI),
                                        kerb_pose_make(0.0f, 0.0f, 0.0f), bay, fours, 3};
    kerb_random random = test_random(what);
    const int32_t hosts = test_share(16, 4);
    int32_t parked = 0;
    for (int32_t i = 0; i < hosts;) {
        kerb_family_host h;
        kerb_family_host_make(&h, 73000 + kerb_random_bits(&random) % 1000000);
        if (!counts(&h))
            continue;
        i++;
        kerb_family_parked p = kerb_family_park(&h, &task, NULL);
        parked += p.error <= 0.2f && p.angle <= 4.0f * KERB_PI / 180.0f;
    }
    print_message("%s: %d of %d\n", what, parked, hosts);
    return 100.0f * (float)parked / (float)hosts;
}

static bool steers_behind(const kerb_family_host* h) {
    return h->truth.rear_steering;
}

static bool is_small(const kerb_family_host* h) {
    return h->truth.wheelbase < 1.0f && !h->truth.rear_steering;
}

// Told to steer in front: the driver says which axle follows, and the next plan is of that.
static void what_steers_behind_parks_by_a_plan_for_its_other_axle(void** state) {
    (void)state;
    assert_true(parked_share("steered behind", steers_behind) >= 75.0f);
}

// Legs that are shorter than a car may stand off are driven, too.
static void small_vehicles_drive_short_legs(void** state) {
    (void)state;
    assert_true(parked_share("small", is_small) >= 75.0f);
}

static void the_axle_of_a_vehicle_that_steers_in_front_stays(void** state) {
    (void)state;
    for (int i = 0; i < 8; i++) {
        host h = make_host();
        h.late = i;
        h.trim = 0.02f * (float)(i - 4);
        plan_rig rig = {.limits = kerb_plan_limits_to_drive(&h.vehicle, 0.3f)};
        rig.from = kerb_plan_end_make(0.0f, 0.0f, 0.0f, 0.0f);
        rig.to = kerb_plan_end_make(10.0f, 8.0f, 1.5f, 0.0f);
        kerb_planner planner;
        assert_int_equal(plan_rig_run(&planner, &rig, 2000), KERB_PLAN_FOUND);
        kerb_plan plan = kerb_planner_get_plan(&planner);
        kerb_plan_driver driver = kerb_plan_driver_make(&h.vehicle);
        for (int frame = 0; frame < 900; frame++) {
            kerb_motion motion = motion_of(&h);
            h.controls = kerb_plan_driver_drive(&driver, &plan, &motion, NULL, STEP);
            move(&h);
            assert_true(kerb_plan_driver_axle(&driver) == 0.0f);
        }
        kerb_planner_destroy(&planner);
    }
}

typedef struct family_drive {
    float planned, time; // [s]
    float aside;         // farthest from the plan [m]
    float end;           // from its end [m]
    bool arrived;
} family_drive;

// Up to 12 radii away, from rest to rest, with 0.8 of the limits. False: no movement.
static bool drive_family(kerb_family_host given, kerb_random* random, family_drive* d) {
    const kerb_vehicle vehicle = kerb_family_true_vehicle(&given);
    plan_rig rig = {.limits = kerb_plan_limits_to_drive(&vehicle, 0.8f)};
    float far = kerb_random_between(random, 2.0f, 12.0f) * rig.limits.turning_radius;
    float bearing = kerb_random_between(random, -KERB_PI, KERB_PI);
    rig.from = kerb_plan_end_make(0.0f, 0.0f, 0.0f, 0.0f);
    rig.to = kerb_plan_end_make(far * kerb_cos(bearing), far * kerb_sin(bearing),
                                kerb_random_between(random, -KERB_PI, KERB_PI), 0.0f);
    kerb_planner planner;
    bool found = plan_rig_run(&planner, &rig, 2000) == KERB_PLAN_FOUND;
    kerb_plan plan = kerb_planner_get_plan(&planner);
    kerb_plan_driver driver = kerb_plan_driver_make(&vehicle);
    const float back = vehicle.reference_to_rear_axle;
    kerb_family_put(&given, kerb_vec3_make(back, 0.0f, 0.0f), 0.0f, 0.0f);
    *d = (family_drive){.planned = plan.time};
    while (found && !d->arrived && d->time < 2.0f * plan.time + 10.0f) {
        float step = kerb_family_frame(&given);
        kerb_motion motion = kerb_family_motion(&given);
        kerb_controls controls = kerb_plan_driver_drive(&driver, &plan, &motion, NULL, step);
        kerb_family_step(&given, &controls, step);
        d->time += step;
        d->aside = fmaxf(d->aside, fabsf(driver.decision.cross_track_error));
        d->arrived = controls.reason == KERB_REASON_ARRIVED;
        kerb_vec3 facing = kerb_quat_forward(motion.rotation);
        d->end = hypotf(motion.position.x - back * facing.x - rig.to.pose.position.x,
                        motion.position.y - back * facing.y - rig.to.pose.position.y);
    }
    kerb_planner_destroy(&planner);
    return found;
}

// A fifth of a second before each control does anything, brakes included: who brakes as if they
// answered at once ends a metre beyond.
static void what_does_everything_late_stops_at_the_end(void** state) {
    (void)state;
    kerb_random random = test_random("all late");
    const int32_t runs = test_share(12, 6);
    for (int32_t i = 0; i < runs; i++) {
        kerb_family_host h;
        do
            kerb_family_host_make(&h, kerb_random_bits(&random));
        while (h.truth.rear_steering || h.truth.wheelbase < 2.2f || h.truth.wheelbase > 3.2f);
        kerb_family_truth* t = &h.truth;
        t->tyre = KERB_FAMILY_NO_TYRES;
        t->delay = 0.2f;
        t->frame_min = t->frame_max = STEP;
        t->uneven = false;
        t->trim = t->dead_band = t->creep_speed = 0.0f;
        t->handbrake_holds = false;
        t->exponent = 1.0f;
        family_drive d;
        if (!drive_family(h, &random, &d))
            continue;
        print_message("%d: planned %.2f s, driven %.2f s, %.2f m aside, end %.3f m\n", (int)i,
                      (double)d.planned, (double)d.time, (double)d.aside, (double)d.end);
        assert_true(d.arrived && d.end < 0.1f);
        assert_true(fabsf(d.time / d.planned - 1.0f) < 0.08f);
    }
}

// Tyres of all kinds, without aids too; pedals stronger than their tyres; slow frames.
static void hosts_of_the_family_keep_to_their_plans(void** state) {
    (void)state;
    kerb_random random = test_random("family keeps to its plans");
    const int32_t hosts = test_share(60, 30);
    int32_t drives = 0, within = 0, arrived = 0;
    for (int32_t i = 0; i < hosts; i++) {
        kerb_family_host h;
        do
            kerb_family_host_make(&h, kerb_random_bits(&random));
        while (h.truth.rear_steering);
        for (int32_t k = 0; k < 2; k++) {
            family_drive d;
            if (!drive_family(h, &random, &d))
                continue;
            drives++;
            arrived += d.arrived;
            within += d.arrived && fabsf(d.time / d.planned - 1.0f) < 0.05f && d.aside < 0.3f;
        }
    }
    print_message("within %d, arrived %d of %d\n", (int)within, (int)arrived, (int)drives);
    assert_true(100 * within >= 50 * drives && 100 * arrived >= 85 * drives);
}

int plan_hosts_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_creeps_stops_at_the_end_told_or_not),
        cmocka_unit_test(what_only_the_handbrake_holds_stops_at_the_end),
        cmocka_unit_test(without_creep_no_handbrake_is_set),
        cmocka_unit_test(a_lock_that_falls_with_speed_is_planned_and_driven),
        cmocka_unit_test(a_gear_that_is_not_echoed_keeps_nobody_waiting),
        cmocka_unit_test(what_tells_no_angle_of_its_wheels_parks),
        cmocka_unit_test(bent_wheels_park_told_or_not),
        cmocka_unit_test(steering_that_is_finer_in_the_middle_or_quicker_parks),
        cmocka_unit_test(steering_that_is_late_parks_told_or_not),
        cmocka_unit_test(what_does_everything_late_stops_at_the_end),
        cmocka_unit_test(hosts_of_the_family_keep_to_their_plans),
        cmocka_unit_test(what_stands_beside_its_goal_has_not_arrived),
        cmocka_unit_test(what_steers_behind_parks_by_a_plan_for_its_other_axle),
        cmocka_unit_test(small_vehicles_drive_short_legs),
        cmocka_unit_test(the_axle_of_a_vehicle_that_steers_in_front_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
