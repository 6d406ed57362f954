// A driver of plans whose vehicle is put elsewhere by the host, for good or for one frame, and
// other frames that no vehicle can have driven. The vehicle is the kinematic one of the fuzz
// targets.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fuzz/calls.h"
#include "kerb/plan_driver.h"
#include "test/controls_apart.h"
#include "test/plan_rig.h"

#include <math.h>
#include <stdio.h>

#define STEP (1.0f / 60.0f)
#define PIECES 400

typedef struct ride {
    kerb_plan plan;
    kerb_plan_piece pieces[PIECES];
    kerb_plan_driver driver;
    fuzz_vehicle car;
    kerb_controls controls;
} ride;

// From the origin to a goal, which it reaches forwards and, where it is beside it, in reverse.
static void begin(ride* r, float x, float y, float heading) {
    kerb_vehicle vehicle = kerb_vehicle_default();
    plan_rig rig = {.limits = kerb_plan_limits_to_drive(&vehicle, 0.3f)};
    rig.from = kerb_plan_end_make(0.0f, 0.0f, 0.0f, 0.0f);
    rig.to = kerb_plan_end_make(x, y, heading, 0.0f);
    kerb_planner planner;
    assert_int_equal(plan_rig_run(&planner, &rig, 2000), KERB_PLAN_FOUND);
    memset(r, 0, sizeof *r);
    r->plan = kerb_planner_get_plan(&planner);
    assert_in_range(r->plan.count, 1, PIECES);
    memcpy(r->pieces, r->plan.pieces, (size_t)r->plan.count * sizeof *r->pieces);
    kerb_planner_destroy(&planner);
    r->plan.pieces = r->pieces;
    r->driver = kerb_plan_driver_make(&vehicle);
    r->car = (fuzz_vehicle){.vehicle = vehicle, .gear = 1};
    r->car.position.x = vehicle.reference_to_rear_axle;
}

static void copy(ride* to, const ride* from) {
    *to = *from;
    to->plan.pieces = to->pieces;
}

static void put(ride* r, float time, float speed) {
    kerb_plan_state at = kerb_plan_at(&r->plan, time);
    float back = r->car.vehicle.reference_to_rear_axle;
    r->car.heading = kerb_atan2(at.pose.forward.y, at.pose.forward.x);
    r->car.position = (kerb_vec3){at.pose.position.x + back * at.pose.forward.x,
                                  at.pose.position.y + back * at.pose.forward.y, 0.0f};
    r->car.speed = speed;
    r->car.turning = 0.0f;
    r->car.steering = kerb_steering_for(&r->car.vehicle, at.curvature, 0.0f);
}

static void frame(ride* r) {
    kerb_motion motion = fuzz_vehicle_motion(&r->car);
    r->controls = kerb_plan_driver_drive(&r->driver, &r->plan, &motion, NULL, STEP);
    fuzz_vehicle_move(&r->car, &r->controls, STEP);
}

static void frames(ride* r, float seconds) {
    for (int32_t i = 0; i < (int32_t)(seconds * 60.0f); i++)
        frame(r);
}

// At the end of the plan, which is not its goal where it stands farther than 0.3 m from it.
static bool has_ended(const ride* r) {
    return r->controls.reason == KERB_REASON_ARRIVED ||
           (r->controls.reason == KERB_REASON_GIVEN_UP && !r->driver.decision.lost);
}

static void demand_arrives(ride* r, float most, const char* when) {
    for (int32_t i = 0; i < 60 * 60 && !has_ended(r); i++)
        frame(r);
    if (!has_ended(r) || fabsf(r->driver.decision.cross_track_error) > most)
        fail_msg("%s: %s, %.2f m beside", when, kerb_reason_text(r->controls.reason),
                 (double)r->driver.decision.cross_track_error);
}

// Goals ahead, to the side, and beside the start, where it goes to and fro.
static void begin_any(ride* r, kerb_random* random) {
    switch (kerb_random_below(random, 3)) {
    case 0:
        begin(r, kerb_random_between(random, 40.0f, 90.0f),
              kerb_random_between(random, -9.0f, 9.0f), 0.0f);
        break;
    case 1:
        begin(r, 30.0f, 30.0f, kerb_random_between(random, 1.0f, 2.0f));
        break;
    default:
        begin(r, kerb_random_between(random, -1.0f, 1.0f), kerb_random_between(random, 3.0f, 5.0f),
              0.0f);
        break;
    }
}

static void put_elsewhere_on_its_plan_it_drives_on_from_there(void** state) {
    (void)state;
    kerb_random random = test_random("put_elsewhere_on_its_plan_it_drives_on_from_there");
    for (int32_t run = 0; run < test_share(30, 10); run++) {
        ride r;
        begin_any(&r, &random);
        frames(&r, kerb_random_between(&random, 0.0f, 1.2f) * r.plan.time);
        float to = kerb_random_between(&random, 0.0f, 0.8f) * r.plan.time;
        put(&r, to, kerb_plan_at(&r.plan, to).speed);
        frame(&r);
        assert_false(r.driver.decision.lost);
        char when[32];
        snprintf(when, sizeof when, "run %d", (int)run);
        r.controls.reason = KERB_REASON_NONE;
        demand_arrives(&r, 1.5f, when); // its wheels do not stand as the plan needs them there
    }
}

static void lost_and_put_back_it_drives_on(void** state) {
    (void)state;
    ride r;
    begin(&r, 60.0f, 4.0f, 0.0f);
    frames(&r, 3.0f);
    fuzz_vehicle before = r.car;
    r.car.position.y += 50.0f;
    frames(&r, 5.0f);
    assert_true(r.driver.decision.lost);
    assert_int_equal(r.controls.reason, KERB_REASON_GIVEN_UP);
    r.car = before;
    r.car.speed = 0.0f;
    frame(&r);
    assert_false(r.driver.decision.lost);
    demand_arrives(&r, 1.0f, "put back");
}

// Far too fast for its plan for some long frames, it sums up errors that no brakes can follow.
static void put_back_at_rest_after_far_too_much_speed_it_sets_off_at_once(void** state) {
    (void)state;
    kerb_random random = test_random("put_back_at_rest_after_far_too_much_speed");
    for (int32_t run = 0; run < test_share(20, 10); run++) {
        ride r;
        begin(&r, kerb_random_between(&random, 60.0f, 90.0f), 4.0f, 0.0f);
        frames(&r, kerb_random_between(&random, 0.5f, 2.0f)); // accelerating: the sum is positive
        fuzz_vehicle before = r.car;
        if (run % 2 == 0)
            put(&r, 0.5f * r.plan.time, 0.0f);
        r.car.speed = kerb_random_between(&random, 20.0f, 45.0f);
        for (int32_t i = 0; i < 4; i++) {
            kerb_motion motion = fuzz_vehicle_motion(&r.car);
            kerb_plan_driver_drive(&r.driver, &r.plan, &motion, NULL, 0.25f);
        }
        r.car.position.y += 100.0f;
        frame(&r);
        r.car = before;
        if (run % 4 < 2)
            put(&r, 0.0f, 0.0f);
        r.car.speed = 0.0f;
        frames(&r, 3.0f);
        if (!(r.car.speed > 1.0f))
            fail_msg("run %d: %.2f m/s after 3 s, %s", (int)run, (double)r.car.speed,
                     kerb_reason_text(r.controls.reason));
    }
}

static void one_frame_with_another_rotation_does_not_make_it_lost_for_good(void** state) {
    (void)state;
    kerb_random random = test_random("one_frame_with_another_rotation");
    for (int32_t run = 0; run < test_share(20, 10); run++) {
        ride r;
        begin_any(&r, &random);
        frames(&r, kerb_random_between(&random, 0.0f, 0.7f) * r.plan.time);
        kerb_motion motion = fuzz_vehicle_motion(&r.car);
        float turn = kerb_random_between(&random, 1.2f, 5.0f);
        motion.rotation = kerb_quat_from_heading(r.car.heading + turn);
        kerb_plan_driver_drive(&r.driver, &r.plan, &motion, NULL, STEP);
        frame(&r);
        assert_false(r.driver.decision.lost);
        char when[32];
        snprintf(when, sizeof when, "run %d", (int)run);
        demand_arrives(&r, 1.0f, when);
    }
}

// The limits of being lost are not those of being back: between them it neither stops nor sets off.
static void lost_it_stays_so_until_it_is_well_back(void** state) {
    (void)state;
    ride r;
    begin(&r, 60.0f, 0.0f, 0.0f);
    frames(&r, 3.0f);
    const float most = r.driver.settings.lost_distance;
    for (float aside = 0.9f; aside > 0.15f; aside -= 0.1f) {
        fuzz_vehicle before = r.car;
        r.car.position.y += 1.2f * most;
        frames(&r, 3.0f);
        assert_true(r.driver.decision.lost);
        // Pushed there little by little, as nobody who is put elsewhere.
        while (r.car.position.y > before.position.y + aside * most) {
            r.car.position.y -= 0.02f;
            r.car.speed = 0.0f;
            kerb_motion motion = fuzz_vehicle_motion(&r.car);
            r.controls = kerb_plan_driver_drive(&r.driver, &r.plan, &motion, NULL, STEP);
        }
        assert_int_equal(r.driver.decision.lost, aside > 0.51f);
        r.car.position.y = before.position.y;
        frames(&r, 0.2f);
    }
}

static void a_glitch_of_one_frame_leaves_the_plan_driven_as_before(void** state) {
    (void)state;
    kerb_random random = test_random("a_glitch_of_one_frame_leaves_the_plan_driven_as_before");
    int32_t runs = test_share(60, 20), compared = 0;
    for (int32_t run = 0; run < runs; run++) {
        ride r, same;
        begin_any(&r, &random);
        // At its end the wheels stay as they were last, whatever that was.
        frames(&r, kerb_random_between(&random, 0.0f, 0.7f) * r.plan.time);
        copy(&same, &r);
        kerb_motion motion = fuzz_vehicle_motion(&r.car);
        if (run % 2 == 0)
            motion.position.y += 100.0f; // off the plan
        else
            put(&r, kerb_random_unit(&random) * r.plan.time, 0.0f);
        motion = run % 2 == 0 ? motion : fuzz_vehicle_motion(&r.car);
        kerb_vec3 away = kerb_vec3_sub(motion.position, same.car.position);
        if (kerb_vec3_length(away) < 6.0f)
            continue; // it may have driven there
        compared++;
        kerb_plan_driver_drive(&r.driver, &r.plan, &motion, NULL, STEP);
        r.car = same.car;
        frame(&same);
        fuzz_vehicle_move(&r.car, &same.controls, STEP);
        float sum = 0.0f;
        frames(&r, 1.0f);
        frames(&same, 1.0f);
        for (int32_t i = 0; i < 60; i++) {
            frame(&r);
            frame(&same);
            sum += controls_apart(&r.controls, &same.controls);
        }
        // Single frames differ: a gear is engaged, or braking begins, a frame later.
        if (sum / 60.0f > 0.1f)
            fail_msg("run %d: controls %.3f apart, %s and %s, time error %.2f and %.2f", (int)run,
                     (double)(sum / 60.0f), kerb_reason_text(r.controls.reason),
                     kerb_reason_text(same.controls.reason), (double)r.driver.decision.time_error,
                     (double)same.driver.decision.time_error);
    }
    assert_true(2 * compared >= runs);
}

static void with_another_origin_it_drives_the_plan_with_the_same_controls(void** state) {
    (void)state;
    for (int32_t reverse = 0; reverse < 2; reverse++) {
        ride r, same;
        begin(&r, reverse == 1 ? 0.5f : 80.0f, 4.0f, 0.0f);
        copy(&same, &r);
        kerb_vec3 origin = {0.0f, 0.0f, 0.0f};
        float most = 0.0f;
        for (int32_t i = 0; i < 60 * 30; i++) {
            if (i % 120 == 60) { // and back again, because far places are coarse
                float way = i / 120 % 2 == 0 ? 1.0f : -1.0f;
                // The steering answers a tenth of a millimetre, which is what places are worth
                // 2 km away.
                kerb_vec3 by = {way * 32.0f, way * -64.0f, way * 8.0f};
                for (int32_t k = 0; k < r.plan.count; k++) {
                    r.pieces[k].start.position.x -= by.x;
                    r.pieces[k].start.position.y -= by.y;
                }
                kerb_plan_driver_shift_origin(&r.driver, by);
                origin = kerb_vec3_add(origin, by);
            }
            kerb_motion motion = fuzz_vehicle_motion(&same.car);
            frame(&same);
            motion.position = kerb_vec3_sub(motion.position, origin);
            r.controls = kerb_plan_driver_drive(&r.driver, &r.plan, &motion, NULL, STEP);
            most = kerb_max(most, controls_apart(&r.controls, &same.controls));
        }
        assert_int_equal(r.controls.reason, KERB_REASON_ARRIVED);
        printf("greatest difference of the controls: %.6f\n", (double)most);
        assert_true(most < 2.0e-3f);
    }
}

static void impossible_and_long_frames_are_driven_safely(void** state) {
    (void)state;
    kerb_random random = test_random("impossible_and_long_frames_are_driven_safely");
    for (int32_t run = 0; run < test_share(30, 10); run++) {
        ride r;
        begin_any(&r, &random);
        for (int32_t i = 0; i < 60 * 20; i++) {
            if (kerb_random_below(&random, 60) == 0) {
                kerb_motion motion = fuzz_vehicle_motion(&r.car), bad = motion;
                bad.velocity.x = 1.0e12f;
                kerb_controls c = kerb_plan_driver_drive(&r.driver, &r.plan, &bad, NULL, STEP);
                assert_int_equal(c.reason, KERB_REASON_BAD_MOTION);
                assert_true(c.brake > 0.0f && c.throttle == 0.0f);
                motion.gear = INT32_MAX;
                c = kerb_plan_driver_drive(&r.driver, &r.plan, &motion, NULL, 999.0f);
                fuzz_demand_controls(&c);
                assert_in_range(c.gear + 1, 0, 2);
                c = kerb_plan_driver_drive(&r.driver, &r.plan, &motion, NULL, 1.0e-40f);
                assert_int_equal(c.reason, KERB_REASON_BAD_STEP);
            }
            frame(&r);
            fuzz_demand_finite(&r.driver, sizeof r.driver);
        }
        assert_false(r.driver.decision.lost);
        demand_arrives(&r, 0.5f, "after bad frames");
    }
}

int plan_driver_put_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(put_elsewhere_on_its_plan_it_drives_on_from_there),
        cmocka_unit_test(lost_and_put_back_it_drives_on),
        cmocka_unit_test(put_back_at_rest_after_far_too_much_speed_it_sets_off_at_once),
        cmocka_unit_test(one_frame_with_another_rotation_does_not_make_it_lost_for_good),
        cmocka_unit_test(lost_it_stays_so_until_it_is_well_back),
        cmocka_unit_test(a_glitch_of_one_frame_leaves_the_plan_driven_as_before),
        cmocka_unit_test(with_another_origin_it_drives_the_plan_with_the_same_controls),
        cmocka_unit_test(impossible_and_long_frames_are_driven_safely),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
