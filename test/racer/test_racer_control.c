// What the racing driver does with wheel, pedals and gears, seen alone on a long straight: a rear
// that slides, a spin, a launch, gears that pay, grip that was learnt, the tow of who is ahead.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "test/racer/racer_show.h"

// ------------------------------------------------------------------- slides

// Straight on, its body turned so far from where it goes and not turning: the wheels' angle in the
// next frame. [rad]
static float wheels_in_slide(float turned) {
    show w;
    begin_show(&w, &stage, 200.0, 0.0f, 35.0f);
    run_show(&w, 1.0);
    kerb_motion motion = kerb_sim_vehicle_motion(&w.vehicle);
    motion.rotation = kerb_quat_from_heading(kerb_quat_heading(motion.rotation) + turned);
    motion.angular_velocity.z = 0.0f;
    kerb_controls controls = {.steering = 0.0f};
    for (int32_t i = 0; i < 3; i++) {
        motion.position = kerb_vec3_along(motion.position, motion.velocity, DRIVE_STEP);
        motion.steering = controls.steering;
        controls = kerb_racer_drive(&w.racer, &stage.line, &motion, NULL, DRIVE_STEP);
    }
    return controls.steering * stage.model.vehicle.steering_angle_max;
}

// Wheels along its way would leave the body as it is: they go beyond that, to the same side.
static void a_rear_that_slides_is_steered_after(void** state) {
    (void)state;
    for (int32_t i = 0; i < 6; i++) {
        float turned = (i % 2 == 0 ? 1.0f : -1.0f) * (0.08f + 0.03f * (float)(i / 2));
        float wheels = wheels_in_slide(turned);
        if (!(wheels / turned < -1.4f))
            fail_msg("%.2f rad out of line: wheels at %.3f rad", (double)turned, (double)wheels);
    }
}

// As if it had been thrown round on the straight, on a track that is wide enough.
static show thrown_round(float speed, float turned) {
    show w;
    begin_show(&w, &stage, 150.0, 0.0f, speed);
    run_show(&w, 0.1);
    kerb_sim_car* car = &w.vehicle.car;
    car->heading += turned;
    car->forward = speed * kerb_cos(turned);
    car->side = -speed * kerb_sin(turned);
    return w;
}

// For how many frames it brakes a spin out.
static int32_t brake_out(show* w) {
    int32_t frames = 0;
    for (run_show(w, (double)DRIVE_STEP); w->racer.decision.phase == KERB_RACER_SPINNING;
         frames++) {
        const kerb_controls* told = &w->racer.controls;
        assert_true(told->brake == 1.0f && told->throttle == 0.0f && told->clutch == 1.0f);
        assert_int_equal(told->reason, KERB_REASON_SLIDING);
        assert_true(frames < 500);
        run_show(w, (double)DRIVE_STEP);
    }
    return frames;
}

static void a_spin_is_braked_out_and_then_it_drives_on(void** state) {
    (void)state;
    for (int32_t i = 0; i < 6; i++) {
        float turned = (i % 2 == 0 ? 1.0f : -1.0f) * (1.2f + 0.2f * (float)(i / 2));
        show w = thrown_round(i < 3 ? 15.0f : 30.0f, turned);
        int32_t frames = brake_out(&w);
        float slow = w.vehicle.car.forward;
        run_show(&w, 12.0);
        if (!(frames > 20 && slow < 22.0f && w.vehicle.car.forward > 25.0f))
            fail_msg("%.1f rad: %d frames to %.1f m/s, then %.1f m/s", (double)turned, (int)frames,
                     (double)slow, (double)w.vehicle.car.forward);
        assert_int_equal(w.racer.decision.phase, KERB_RACER_DRIVING);
    }
    // What a driver can catch is no spin.
    show w = thrown_round(30.0f, 0.3f);
    assert_int_equal(brake_out(&w), 0);
}

// ------------------------------------------------------------------- launch

// In `sim/`: not at once, in all within a second, and then it stays in.
static void from_rest_the_clutch_comes_in_gradually(void** state) {
    (void)state;
    show w;
    begin_show(&w, &stage, 100.0, 0.0f, 0.0f);
    w.vehicle.car.gear = 1;
    run_show(&w, (double)DRIVE_STEP);
    assert_true(w.racer.controls.clutch > 0.7f);
    float slips = 0.0f;
    for (int32_t i = 0; i < 90; i++) {
        run_show(&w, (double)DRIVE_STEP);
        float clutch = w.racer.controls.clutch;
        slips += clutch > 0.01f ? DRIVE_STEP : 0.0f;
        assert_true(i < 60 || clutch == 0.0f);
    }
    assert_true(slips > 0.15f);
    assert_true(w.vehicle.car.forward > 8.0f);
}

// The clutch after a second at rest in first gear, with an engine that turns so fast. [1]
static float clutch_at(float engine_speed) {
    show w;
    begin_show(&w, &stage, 100.0, 0.0f, 0.0f);
    kerb_motion motion = kerb_sim_vehicle_motion(&w.vehicle);
    motion.gear = 1;
    motion.engine_speed = engine_speed;
    for (int32_t i = 0; i < 60; i++)
        kerb_racer_drive(&w.racer, &stage.line, &motion, NULL, DRIVE_STEP);
    return w.racer.controls.clutch;
}

static void the_clutch_comes_in_as_far_as_the_engine_has_speed_to_give(void** state) {
    (void)state;
    const kerb_drive_train* train = &stage.model.vehicle.drive_train;
    float last = clutch_at(train->engine_speed_idle);
    assert_true(last > 0.7f); // all but open: it would stall
    for (int32_t i = 1; i <= 4; i++) {
        float share = 0.25f * (float)i,
              range = train->engine_speed_power - train->engine_speed_idle;
        float now = clutch_at(train->engine_speed_idle + share * range);
        assert_true(now < last || now == 0.0f);
        last = now;
    }
    assert_true(last == 0.0f);
}

// ------------------------------------------------------------------- gears

// Round a bend with shifts that take so long, as the driver is told: how often it shifts down.
static int32_t downs_round_a_bend(float shift_time) {
    show w;
    begin_show(&w, &stage, 300.0, 0.0f, 40.0f);
    w.racer.vehicle.drive_train.shift_time = shift_time;
    int32_t downs = 0, gear = 0;
    while (w.racer.decision.total_distance < 950.0 && w.time < 40.0) {
        run_show(&w, (double)DRIVE_STEP);
        downs += gear > 0 && w.racer.controls.gear < gear;
        gear = w.racer.controls.gear;
    }
    return downs;
}

static void it_shifts_down_only_where_that_gains_more_than_shifting_up_again_costs(void** state) {
    (void)state;
    int32_t quick = downs_round_a_bend(0.05f), slow = downs_round_a_bend(0.5f);
    if (!(quick >= 1 && slow < quick))
        fail_msg("%d times, %d where a shift takes long", (int)quick, (int)slow);
}

static void at_a_crawl_it_shifts_down_to_first(void** state) {
    (void)state;
    show w;
    begin_show(&w, &stage, 300.0, 0.0f, 1.0f);
    w.vehicle.car.gear = 2;
    run_show(&w, 0.5);
    assert_int_equal(w.racer.controls.gear, 1);
}

// ------------------------------------------------------------------- what was learnt

// What it plans with everywhere when it has learnt that there is such a share of the grip: the
// hardest braking on the straight, and the speed in the middle of the bend. [m/s²], [m/s]
static float planned_braking(float grip, float* corner) {
    show w;
    begin_show(&w, &stage, 300.0, 0.0f, 50.0f);
    w.racer.settings.learning = 1;
    run_show(&w, 0.1);
    for (int32_t i = 0; i < KERB_RACER_LEARNED_BINS; i++) {
        w.racer.memory.learnt.grip[i] = grip;
        w.racer.memory.learnt.seen[i] = 5;
    }
    w.racer.memory.learnt.common = grip;
    run_show(&w, 5.0);
    float hardest = 0.0f, slowest = 1.0e6f, per_bin = 0.5f / w.racer.memory.ahead.spacing;
    for (int32_t bin = w.racer.memory.ahead.first + 2; bin + 1 < w.racer.memory.ahead.end; bin++) {
        float here = w.racer.memory.ahead.squared[racer_slot_of(bin)];
        float then = w.racer.memory.ahead.squared[racer_slot_of(bin + 1)];
        slowest = kerb_min(slowest, here);
        if (kerb_abs(w.racer.memory.ahead.line_curvature[racer_slot_of(bin)]) < 0.0005f)
            hardest = kerb_max(hardest, per_bin * (here - then));
    }
    *corner = kerb_sqrt(slowest);
    return hardest;
}

// Of more grip the first 0.04 are for bends alone.
static void grip_that_it_has_learnt_of_is_used_for_braking_too(void** state) {
    (void)state;
    float corner[4], braking[4];
    const float grips[4] = {0.9f, 1.0f, 1.04f, 1.12f};
    for (int32_t i = 0; i < 4; i++)
        braking[i] = planned_braking(grips[i], &corner[i]);
    for (int32_t i = 1; i < 4; i++) // v² goes by the grip
        assert_true(corner[i] > 1.01f * corner[i - 1]);
    if (!(braking[0] < 0.93f * braking[1] && braking[2] < 1.01f * braking[1] &&
          braking[3] > 1.05f * braking[2]))
        fail_msg("%.2f, %.2f, %.2f, %.2f m/s²", (double)braking[0], (double)braking[1],
                 (double)braking[2], (double)braking[3]);
}

// ------------------------------------------------------------------- slipstream

// Behind one who is as fast as it is: after so long it thinks that it will reach him. [s]
static float reached_in(float slipstream, double lead) {
    show w;
    begin_show(&w, &stage, 300.0, 0.0f, 48.0f);
    w.racer.settings.slipstream = slipstream;
    add_puppet(&w, 300.0 + lead, 0.0f, 48.5f);
    run_show(&w, 0.3);
    return kerb_min(w.racer.memory.traffic.known[0].catch_in, 5.0f);
}

static void it_counts_on_the_tow_of_who_is_ahead_to_reach_him_sooner(void** state) {
    (void)state;
    float alone = 0.0f, towed = 0.0f;
    for (double lead = 7.0; lead < 19.0; lead += 1.0) {
        alone += reached_in(0.0f, lead);
        towed += reached_in(0.6f, lead);
    }
    if (!(towed < alone - 1.2f)) // a tenth of a second each
        fail_msg("%.2f s in all, %.2f s in his tow", (double)alone, (double)towed);
}

// Does it move aside already of one whom it will reach in so long?
static bool pulls_out(float slipstream, float reaches) {
    show w;
    begin_show(&w, &stage, 300.0, 0.0f, 20.0f);
    w.racer.settings.slipstream = slipstream;
    run_show(&w, 0.05);
    racer_frame frame = {.total = w.racer.decision.total_distance,
                         .along = 20.0f, // too slow to pull out for nothing but speed
                         .limits = w.racer.performance};
    traffic_view view = {.half_length = 2.3f, .half_width = 1.0f};
    traffic_other other = {
        .ahead = 20.0f, .scale = 1.0f, .speed = 18.0f, .half_length = 2.3f, .catch = reaches};
    return kerb_in_traffic_pulls_out(&w.racer, &frame, &view, &other);
}

static void it_stays_in_a_tow_for_longer_before_it_pulls_out(void** state) {
    (void)state;
    assert_true(pulls_out(0.0f, 2.3f) && !pulls_out(0.0f, 2.5f));
    assert_true(!pulls_out(0.3f, 2.3f) && pulls_out(0.3f, 1.5f));
}

int racer_control_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rear_that_slides_is_steered_after),
        cmocka_unit_test(a_spin_is_braked_out_and_then_it_drives_on),
        cmocka_unit_test(from_rest_the_clutch_comes_in_gradually),
        cmocka_unit_test(the_clutch_comes_in_as_far_as_the_engine_has_speed_to_give),
        cmocka_unit_test(it_shifts_down_only_where_that_gains_more_than_shifting_up_again_costs),
        cmocka_unit_test(at_a_crawl_it_shifts_down_to_first),
        cmocka_unit_test(grip_that_it_has_learnt_of_is_used_for_braking_too),
        cmocka_unit_test(it_counts_on_the_tow_of_who_is_ahead_to_reach_him_sooner),
        cmocka_unit_test(it_stays_in_a_tow_for_longer_before_it_pulls_out),
    };
    return cmocka_run_group_tests(tests, open_stage, close_stage);
}
