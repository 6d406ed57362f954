// A racer whose car is put elsewhere by the host, for good or for one frame, and what else a host
// may do to it between two frames: another line, another origin, impossible and long frames. The
// car is the kinematic one of the fuzz targets: nothing is in its way, so it can always move.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fuzz/calls.h"
#include "fuzz/racer_doubles.h"
#include "kerb/racer.h"
#include "test/controls_apart.h"
#include "test/seed.h"

#include <math.h>
#include <stdio.h>

#define STEP (1.0f / 60.0f)
#define ORIGINS 20

typedef enum shape { CIRCLE, WAVES, TIGHT, SHAPES } shape;

static kerb_racing_line line_of(shape of) {
    static const float radii[SHAPES] = {100.0f, 170.0f, 22.0f};
    static const float waves[SHAPES] = {0.0f, 0.3f, 0.2f};
    kerb_waypoint waypoints[96];
    for (int32_t i = 0; i < 96; i++) {
        float angle = 2.0f * KERB_PI * (float)i / 96.0f, sine, cosine;
        float radius = radii[of] * (1.0f + waves[of] * kerb_sin(3.0f * angle));
        kerb_sin_cos(angle, &sine, &cosine);
        waypoints[i] = kerb_waypoint_at(radius * cosine, radius * sine, 0.0f);
        waypoints[i].left = waypoints[i].right = 5.0f;
    }
    kerb_host host = kerb_host_default();
    kerb_path path;
    kerb_line_solver solver;
    kerb_racing_line line;
    kerb_vehicle vehicle = kerb_vehicle_default();
    kerb_performance performance = kerb_performance_of(&vehicle);
    kerb_line_settings settings = kerb_line_settings_default();
    assert_int_equal(kerb_path_create(&path, waypoints, 96, true, &host, NULL), KERB_OK);
    assert_int_equal(kerb_line_solver_create(&solver, &path, &performance, &settings, &host, NULL),
                     KERB_OK);
    kerb_line_solver_advance(&solver, INT32_MAX);
    assert_int_equal(kerb_racing_line_create(&line, &solver, 2.0f, &host, NULL), KERB_OK);
    kerb_line_solver_destroy(&solver);
    kerb_path_destroy(&path);
    return line;
}

typedef struct drive {
    const kerb_racing_line* line;
    kerb_racer racer;
    fuzz_vehicle car;
    kerb_controls controls;
} drive;

static void put(drive* d, double distance, float speed) {
    kerb_line_point p = kerb_racing_line_at(d->line, distance);
    d->car = (fuzz_vehicle){.vehicle = d->racer.vehicle, .heading = p.heading, .speed = speed};
    d->car.position = (kerb_vec3){(float)p.x, (float)p.y, 0.0f};
    d->car.gear = 1;
}

static drive begin(const kerb_racing_line* line, double distance, float speed) {
    kerb_vehicle vehicle = kerb_vehicle_default();
    drive d = {.line = line, .racer = kerb_racer_make(&vehicle)};
    put(&d, distance, speed);
    return d;
}

static void frame(drive* d) {
    kerb_motion motion = fuzz_vehicle_motion(&d->car);
    d->controls = kerb_racer_drive(&d->racer, d->line, &motion, NULL, STEP);
    fuzz_vehicle_move(&d->car, &d->controls, STEP);
}

static void frames(drive* d, float seconds) {
    for (int32_t i = 0; i < (int32_t)(seconds * 60.0f); i++)
        frame(d);
}

static bool is_stuck(const drive* d) {
    kerb_reason why = d->controls.reason;
    return why == KERB_REASON_BACKING_OUT || why == KERB_REASON_TELEPORT ||
           why == KERB_REASON_GIVEN_UP;
}

static void never_stuck(drive* d, float seconds, const char* when) {
    for (int32_t i = 0; i < (int32_t)(seconds * 60.0f); i++) {
        frame(d);
        if (is_stuck(d))
            fail_msg("%s: stuck after %.2f s at %.1f m/s, total %.1f m, %.1f m beside", when,
                     (double)((float)i * STEP), (double)d->car.speed,
                     d->racer.decision.total_distance, (double)d->racer.decision.cross_track_error);
    }
}

static void demand_near_line(const drive* d, float most, const char* when) {
    float off = d->racer.decision.cross_track_error;
    if (!(fabsf(off) < most && d->car.speed > 3.0f))
        fail_msg("%s: %.2f m beside its line at %.1f m/s", when, (double)off, (double)d->car.speed);
}

static void demand_on_line(const drive* d, const char* when) {
    demand_near_line(d, 1.0f, when);
}

// --------------------------------------------------------------------------- put elsewhere

static void put_on_from_behind_the_start_line_it_is_not_stuck(void** state) {
    (void)state;
    kerb_racing_line line = line_of(CIRCLE);
    for (int32_t i = 1; i < 8; i++) {
        drive d = begin(&line, 0.0, 0.0f);
        d.car.position.y -= 0.05f; // just behind the line's start
        frame(&d);
        put(&d, 0.125 * i * line.length, 0.0f);
        frame(&d);
        double total = d.racer.decision.total_distance, laps = total / line.length;
        double part = 0.125 * i; // of all rounds the nearest
        assert_true(fabs(laps - part) < 0.01 || (i >= 4 && fabs(laps - part + 1.0) < 0.01));
        never_stuck(&d, 30.0f, "put on");
        demand_on_line(&d, "put on");
        assert_true(d.racer.decision.total_distance > total + 2.0 * line.length / 3.0);
    }
    kerb_racing_line_destroy(&line);
}

static void put_back_across_the_start_line_it_drives_that_lap_once(void** state) {
    (void)state;
    kerb_racing_line line = line_of(CIRCLE);
    drive d = begin(&line, 0.5 * line.length, 0.0f);
    while (d.racer.decision.total_distance < 2.0 * line.length + 10.0)
        frame(&d);
    put(&d, line.length - 20.0, 20.0f);
    frame(&d);
    assert_true(fabs(d.racer.decision.total_distance - (2.0 * line.length - 20.0)) < 2.0);
    frames(&d, 3.0f);
    put(&d, line.length - 5.0, 20.0f); // put back again
    frame(&d);
    assert_true(fabs(d.racer.decision.total_distance - (2.0 * line.length - 5.0)) < 2.0);
    put(&d, 15.0, 20.0f); // put on by some metres
    frame(&d);
    assert_true(fabs(d.racer.decision.total_distance - (2.0 * line.length + 15.0)) < 2.0);
    kerb_racing_line_destroy(&line);
}

// At random: on the line or up to 60 m beside it, facing anywhere, at any speed. A minute later it
// was never stuck, and drives.
static void put_anywhere_a_racer_is_never_stuck(void** state) {
    (void)state;
    kerb_random random = test_random("put_anywhere_a_racer_is_never_stuck");
    for (int32_t of = 0; of < SHAPES; of++) {
        kerb_racing_line line = line_of((shape)of);
        for (int32_t run = 0; run < test_share(60, 15); run++) {
            drive d = begin(&line, (double)kerb_random_unit(&random) * line.length, 0.0f);
            d.racer.settings = kerb_racer_settings_of_seed(
                kerb_random_bits(&random), kerb_random_between(&random, 0.3f, 1.0f));
            d.racer.settings.learning = kerb_random_below(&random, 2);
            d.racer.settings.latency = 0.05f * (float)kerb_random_below(&random, 3);
            frames(&d, kerb_random_between(&random, 0.0f, 40.0f));
            put(&d, (double)kerb_random_unit(&random) * line.length, 0.0f);
            if (kerb_random_below(&random, 3) > 0) {
                d.car.position.x += kerb_random_between(&random, -60.0f, 60.0f);
                d.car.position.y += kerb_random_between(&random, -60.0f, 60.0f);
                d.car.heading = kerb_random_between(&random, -KERB_PI, KERB_PI);
            }
            if (kerb_random_below(&random, 2) > 0)
                d.car.speed = kerb_random_between(&random, 0.0f, 40.0f);
            char when[64];
            snprintf(when, sizeof when, "line %d, run %d", (int)of, (int)run);
            never_stuck(&d, 60.0f, when);
            // A lower skill makes mistakes; those are no part of this.
            demand_near_line(&d, 12.0f, when);
        }
        kerb_racing_line_destroy(&line);
    }
}

// There for one frame, and back where it would have been.
static void a_glitch_of_one_frame_leaves_it_driving_as_before(void** state) {
    (void)state;
    kerb_random random = test_random("a_glitch_of_one_frame_leaves_it_driving_as_before");
    for (int32_t run = 0; run < test_share(90, 30); run++) {
        kerb_racing_line line = line_of((shape)(run % SHAPES));
        drive d = begin(&line, (double)kerb_random_unit(&random) * line.length, 0.0f);
        d.racer.settings.learning = run / SHAPES % 2;
        frames(&d, kerb_random_between(&random, 5.0f, 40.0f));
        drive same = d;
        // Half a round away, too, where the nearest round could be either.
        double there = run % 5 == 0 ? 0.5 : (double)kerb_random_unit(&random);
        put(&d, same.racer.decision.distance + there * line.length, d.car.speed);
        kerb_motion motion = fuzz_vehicle_motion(&d.car);
        if (run % 2 == 0)
            motion = kerb_motion_default(); // the middle of the track, at standstill
        kerb_racer_drive(&d.racer, d.line, &motion, NULL, STEP);
        d.car = same.car;
        frame(&same);
        fuzz_vehicle_move(&d.car, &same.controls, STEP);
        // From a second later on, for two seconds. Single frames may differ: braking for a bend
        // begins a frame earlier or later.
        float sum = 0.0f;
        frames(&d, 1.0f);
        frames(&same, 1.0f);
        for (int32_t i = 0; i < 120; i++) {
            frame(&d);
            frame(&same);
            sum += controls_apart(&d.controls, &same.controls);
        }
        double gained = d.racer.decision.total_distance - same.racer.decision.total_distance;
        // What it plans ahead it plans anew, by then with all that it has learned.
        float most = d.racer.settings.learning == 1 ? 0.4f : 0.1f, mean = sum / 120.0f;
        float learnt = d.racer.memory.learnt.common - same.racer.memory.learnt.common;
        if (mean > most || fabs(gained) > 2.0 || fabsf(learnt) > 0.03f)
            fail_msg("run %d: controls %.3f apart, %.1f m gained, learnt %.3f more", (int)run,
                     (double)mean, gained, (double)learnt);
        kerb_racing_line_destroy(&line);
    }
}

// --------------------------------------------------------------------------- lines and origins

// The same track with its start elsewhere is another line: total_distance begins anew.
static void on_another_line_it_is_not_stuck(void** state) {
    (void)state;
    kerb_racing_line line = line_of(CIRCLE), other = line_of(WAVES);
    drive d = begin(&line, 0.0, 0.0f);
    frames(&d, 60.0f);
    assert_true(d.racer.decision.total_distance > 1.5 * line.length);
    d.line = &other;
    never_stuck(&d, 40.0f, "another line");
    demand_on_line(&d, "another line");
    kerb_racing_line_destroy(&line);
    kerb_racing_line_destroy(&other);
}

// The host's world: everything in it moves with the origin. One car goes before the racer at the
// same speed, one beside it comes slowly closer.
static void drive_beside(drive* d, bool alone, const kerb_vec3* origin) {
    static const float ahead[2] = {0.22f, 0.05f}, radius[2] = {100.0f, 103.0f};
    kerb_neighbour others[2];
    kerb_surroundings around = kerb_surroundings_default();
    for (int32_t i = 0; i < 2; i++) {
        float sine, cosine, angle = kerb_atan2(d->car.position.y, d->car.position.x) + ahead[i];
        kerb_sin_cos(angle, &sine, &cosine);
        others[i] = (kerb_neighbour){.id = (uint32_t)i, .length = 4.5f, .width = 1.8f};
        others[i].position =
            kerb_vec3_sub((kerb_vec3){radius[i] * cosine, radius[i] * sine, 0.0f}, *origin);
        others[i].forward = (kerb_vec2){-sine, cosine};
        others[i].velocity = (kerb_vec3){-d->car.speed * sine, d->car.speed * cosine, 0.0f};
    }
    around.neighbours = others;
    around.neighbour_count = alone ? 0 : 2;
    kerb_motion motion = fuzz_vehicle_motion(&d->car);
    motion.position = kerb_vec3_sub(motion.position, *origin);
    d->controls = kerb_racer_drive(&d->racer, d->line, &motion, &around, STEP);
    fuzz_vehicle_move(&d->car, &d->controls, STEP);
}

// Alone it drives a minute; among others, whose decisions turn on millimetres, it begins again from
// the same state at each shift.
static float drive_shifted(bool alone, const kerb_racing_line* line) {
    kerb_racing_line moved = line_of(CIRCLE);
    drive d = begin(line, 0.0, 0.0f), same = d;
    d.line = &moved;
    kerb_vec3 origin = {0.0f, 0.0f, 0.0f}, none = origin;
    float most = 0.0f;
    for (int32_t i = 0; i < 60 * 3 * ORIGINS; i++) {
        if (i % 180 == 100) { // and back again, because far places are coarse
            float way = i / 180 % 2 == 0 ? 1.0f : -1.0f;
            kerb_vec3 by = {way * 1024.0f, way * -2048.0f, way * 64.0f};
            if (!alone) {
                d.racer = same.racer;
                kerb_racer_shift_origin(&d.racer, origin);
            }
            kerb_racing_line_shift_origin(&moved, by);
            kerb_racer_shift_origin(&d.racer, by);
            origin = kerb_vec3_add(origin, by);
        }
        drive_beside(&d, alone, &origin);
        drive_beside(&same, alone, &none);
        if (alone || i % 180 - 100 < 30)
            most = kerb_max(
                most, i % 180 < 100 && !alone ? 0.0f : controls_apart(&d.controls, &same.controls));
        d.car = same.car; // small differences must not add up
    }
    assert_true(same.racer.memory.traffic.known_count > 0 || alone);
    assert_true(fabs(d.racer.decision.total_distance - same.racer.decision.total_distance) < 0.01);
    kerb_racing_line_destroy(&moved);
    return most;
}

static void with_another_origin_it_drives_on_with_the_same_controls(void** state) {
    (void)state;
    kerb_racing_line line = line_of(CIRCLE);
    float alone = drive_shifted(true, &line), among = drive_shifted(false, &line);
    printf("greatest difference of the controls: alone %.6f, among others %.6f\n", (double)alone,
           (double)among);
    assert_true(alone < 1.0e-3f && among < 1.0e-3f);
    kerb_racing_line_destroy(&line);
}

// What its learner of the car sums goes on across a shift, as it does without one.
static void with_another_origin_it_learns_on(void** state) {
    (void)state;
    kerb_racing_line line = line_of(CIRCLE);
    drive d = begin(&line, 0.0, 0.0f);
    d.racer.settings.learning = 1;
    frames(&d, 10.0f);
    int32_t summed = 0;
    for (int32_t i = 0; i < 30; i++) {
        drive stays = d, moves = d;
        kerb_racing_line moved = line_of(CIRCLE);
        kerb_vec3 by = {1024.0f, -2048.0f, 0.0f};
        kerb_racing_line_shift_origin(&moved, by);
        kerb_racer_shift_origin(&moves.racer, by);
        moves.line = &moved;
        drive_beside(&stays, true, &(kerb_vec3){0.0f, 0.0f, 0.0f});
        drive_beside(&moves, true, &by);
        float a = stays.racer.memory.learner.memory.window.time;
        assert_true(moves.racer.memory.learner.memory.window.time == a);
        summed += a > 0.0f ? 1 : 0;
        kerb_racing_line_destroy(&moved);
        frame(&d);
    }
    assert_true(summed > 15);
    kerb_racing_line_destroy(&line);
}

// --------------------------------------------------------------------------- bad frames

static void a_frame_of_minutes_counts_no_lap_and_is_driven_safely(void** state) {
    (void)state;
    const float steps[] = {0.3f, 1.0f, 16.0f, 999.0f, 1.0e6f};
    for (int32_t of = 0; of < SHAPES; of++) {
        kerb_racing_line line = line_of((shape)of);
        for (int32_t i = 0; i < 5; i++) {
            drive d = begin(&line, 5.0, 0.0f);
            d.racer.settings.latency = 0.1f * (float)(i % 2);
            frames(&d, 10.0f);
            double before = d.racer.decision.total_distance;
            kerb_motion motion = fuzz_vehicle_motion(&d.car);
            d.controls = kerb_racer_drive(&d.racer, d.line, &motion, NULL, steps[i]);
            fuzz_demand_controls(&d.controls);
            assert_int_equal(d.racer.bad_frames, 1);
            fuzz_vehicle_move(&d.car, &d.controls, STEP);
            frames(&d, 1.0f);
            double driven = d.racer.decision.total_distance - before;
            assert_true(driven >= 0.0 && driven < 60.0);
            assert_false(is_stuck(&d));
            demand_on_line(&d, "after a long frame");
            fuzz_demand_finite_but(&d.racer, sizeof d.racer, fuzz_racer_doubles,
                                   FUZZ_RACER_DOUBLES);
        }
        kerb_racing_line_destroy(&line);
    }
}

// Motion that no car has, and no step of time: controls that stop, or the last ones; counted; and
// the racer that got it goes on like one that did not.
static void impossible_frames_leave_no_trace(void** state) {
    (void)state;
    kerb_racing_line line = line_of(WAVES);
    drive d = begin(&line, 0.0, 0.0f), same = d;
    int32_t bad = 0;
    for (int32_t i = 0; i < 60 * 60; i++) {
        if (i % 50 == 49) {
            kerb_motion motion = fuzz_vehicle_motion(&d.car), fast = motion, spun = motion;
            fast.velocity.y = i % 100 < 50 ? 1.0e9f : -1.0e30f;
            spun.rotation = (kerb_quat){0.0f, 0.0f, -5.5e13f, 0.18f};
            kerb_controls last = d.racer.controls;
            kerb_controls c = kerb_racer_drive(&d.racer, &line, &fast, NULL, STEP);
            assert_true(c.reason == KERB_REASON_BAD_MOTION && c.brake > 0.0f);
            assert_true(kerb_racer_drive(&d.racer, &line, &spun, NULL, STEP).brake > 0.0f);
            d.racer.controls = last; // which tell what the pedals did: the car had the old ones
            const float steps[] = {1.0e-40f, 0.0f, -1.0f, NAN, INFINITY};
            for (int32_t k = 0; k < 5; k++) {
                c = kerb_racer_drive(&d.racer, &line, &motion, NULL, steps[k]);
                assert_int_equal(c.reason, KERB_REASON_BAD_STEP);
                assert_true(c.throttle == last.throttle && c.steering == last.steering);
            }
            bad += 7;
            assert_int_equal(d.racer.bad_frames, bad);
        }
        frame(&d);
        frame(&same);
        assert_true(controls_apart(&d.controls, &same.controls) == 0.0f);
    }
    fuzz_demand_finite_but(&d.racer, sizeof d.racer, fuzz_racer_doubles, FUZZ_RACER_DOUBLES);
    kerb_racing_line_destroy(&line);
}

static void a_gear_that_the_car_does_not_have_is_not_handed_back(void** state) {
    (void)state;
    kerb_racing_line line = line_of(CIRCLE);
    const int32_t gears[] = {758811072, 11, INT32_MAX, INT32_MIN, -2};
    for (int32_t of = 0; of < 2; of++) {
        for (int32_t i = 0; i < 5; i++) {
            drive d = begin(&line, 0.0, 0.0f);
            kerb_drive_train* train = &d.racer.vehicle.drive_train;
            for (int32_t k = 0; of == 1 && k < 5; k++)
                train->gear_ratio[k] = 14.0f / (float)(k + 1);
            train->gear_count = of == 1 ? 5 : 0;
            int32_t most = of == 1 ? 5 : 1;
            for (int32_t k = 0; k < 60; k++) {
                kerb_motion motion = fuzz_vehicle_motion(&d.car);
                motion.gear = gears[i];
                motion.velocity = k < 30 ? (kerb_vec3){26.0f, 3.0f, 0.0f}  // it spins
                                         : (kerb_vec3){0.0f, -3.0f, 0.0f}; // it rolls back
                kerb_controls c = kerb_racer_drive(&d.racer, &line, &motion, NULL, STEP);
                assert_in_range(c.gear + 1, 0, most + 1);
            }
        }
    }
    kerb_racing_line_destroy(&line);
}

// --------------------------------------------------------------------------- held, and a rail

// Start lights: it stands, its clocks stop, and it sets off when it is let go.
static void held_at_the_start_it_waits_and_then_sets_off(void** state) {
    (void)state;
    kerb_racing_line line = line_of(CIRCLE);
    drive d = begin(&line, 10.0, 0.0f);
    kerb_surroundings around = kerb_surroundings_default();
    around.held = true;
    for (int32_t i = 0; i < 60 * 60; i++) {
        kerb_motion motion = fuzz_vehicle_motion(&d.car);
        d.controls = kerb_racer_drive(&d.racer, &line, &motion, &around, STEP);
        assert_true(d.controls.throttle == 0.0f && d.controls.brake == 1.0f);
        assert_int_equal(d.controls.reason, KERB_REASON_WAIT);
    }
    never_stuck(&d, 20.0f, "let go");
    demand_on_line(&d, "let go");
    kerb_racing_line_destroy(&line);
}

// Along a rail outside of the bend, its nose turned to it, it goes at 1 m/s whatever it steers. It
// moves, but not as it wants to: within 20 s it backs out.
static void along_a_rail_it_is_stuck(void** state) {
    (void)state;
    kerb_racing_line line = line_of(CIRCLE);
    const float radius = 104.0f, along = 1.0f, into = 0.3f;
    drive d = begin(&line, 0.0, 1.0f);
    float angle = 0.0f, told = -1.0f;
    for (int32_t i = 0; i < 60 * 60 && told < 0.0f; i++) {
        angle += along / radius * STEP;
        float sine, cosine, heading = angle + 0.5f * KERB_PI - into;
        kerb_sin_cos(angle, &sine, &cosine);
        d.car.position = kerb_vec3_make(radius * cosine, radius * sine, 0.0f);
        d.car.heading = heading;
        kerb_motion motion = fuzz_vehicle_motion(&d.car);
        motion.velocity = kerb_vec3_make(-along * sine, along * cosine, 0.0f);
        motion.angular_velocity = kerb_vec3_make(0.0f, 0.0f, along / radius);
        motion.steering = d.controls.steering;
        d.controls = kerb_racer_drive(&d.racer, &line, &motion, NULL, STEP);
        told = is_stuck(&d) ? (float)i * STEP : told;
    }
    print_message("stuck after %.1f s along the rail\n", (double)told);
    assert_true(told > 1.0f && told < 20.0f);
    kerb_racing_line_destroy(&line);
}

int racer_put_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(put_on_from_behind_the_start_line_it_is_not_stuck),
        cmocka_unit_test(put_back_across_the_start_line_it_drives_that_lap_once),
        cmocka_unit_test(put_anywhere_a_racer_is_never_stuck),
        cmocka_unit_test(a_glitch_of_one_frame_leaves_it_driving_as_before),
        cmocka_unit_test(on_another_line_it_is_not_stuck),
        cmocka_unit_test(with_another_origin_it_drives_on_with_the_same_controls),
        cmocka_unit_test(with_another_origin_it_learns_on),
        cmocka_unit_test(a_frame_of_minutes_counts_no_lap_and_is_driven_safely),
        cmocka_unit_test(impossible_frames_leave_no_trace),
        cmocka_unit_test(a_gear_that_the_car_does_not_have_is_not_handed_back),
        cmocka_unit_test(held_at_the_start_it_waits_and_then_sets_off),
        cmocka_unit_test(along_a_rail_it_is_stuck),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
