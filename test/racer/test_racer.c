// The racing driver alone: on closed forms, on tracks in sim/, out of trouble, with bad input.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "scene/race/race_limits.h"
#include "test/line_rig.h"
#include "test/racer/racer_course.h"

#include <stdlib.h>

// Where limits are measured, and the line is for these.
typedef struct course {
    racer_course on;
    kerb_scene_race_limits limits;
} course;

static line_rig rig;

static void measure(course* c) {
    assert_true(kerb_scene_race_limits_measure(&c->on.model, &c->limits));
    racer_course_lay(&c->on, &c->limits.performance);
}

static void open_track(course* c, const char* track, const char* car) {
    racer_course_find(&c->on, track, car);
    measure(c);
}

static void close_track(course* c) {
    racer_course_close(&c->on);
}

// ------------------------------------------------------------------- driving

static void every_racing_car_laps_the_vamos_track_without_leaving_it(void** state) {
    (void)state;
    static const char* const cars[] = {"road", "gt", "formula", "rally", "truck"};
    for (size_t i = 0; i < sizeof cars / sizeof cars[0]; i++) {
        course c;
        open_track(&c, "vamos", cars[i]);
        kerb_scene_race_lap lap =
            kerb_scene_race_lap_default(&c.on.line, &c.on.ground, &c.on.model);
        lap.racer.performance = c.limits.performance;
        kerb_scene_race_lap_result result;
        kerb_scene_race_lap_run(&lap, &result);
        if (result.laps != 5 || result.outside_most > 0.0 || result.spins > 0)
            fail_msg("%s: %d laps, %.2f m outside, %d spins", cars[i], result.laps,
                     result.outside_most, result.spins);
        // Of the profile with the limits that were measured on it, which no car quite reaches.
        if (!(result.best < 1.06 * c.on.line.time))
            fail_msg("%s: %.2f s against %.2f s", cars[i], result.best, c.on.line.time);
        close_track(&c);
    }
}

static void on_a_circle_it_keeps_to_the_line_and_to_the_grip_it_may_use(void** state) {
    (void)state;
    course c;
    memset(&c, 0, sizeof c);
    rig_circle(&rig, 100.0, 6.0);
    c.on.path = rig.path;
    assert_true(kerb_sim_model_named("road", &c.on.model));
    measure(&c);
    kerb_scene_race_lap lap = kerb_scene_race_lap_default(&c.on.line, &c.on.ground, &c.on.model);
    kerb_scene_race_lap_result result;
    kerb_scene_race_lap_run(&lap, &result);
    // The line is the inner edge; at the limit v² = grip · a · R.
    double radius = c.on.line.length / 6.283185307;
    double used = (double)(lap.racer.settings.grip_used * lap.racer.performance.lateral);
    assert_near(result.best, c.on.line.length / sqrt(used * radius), 0.02 * result.best);
    assert_true(result.error_max < 0.5);
    kerb_scene_race_ground_destroy(&c.on.ground);
    kerb_racing_line_destroy(&c.on.line);
    rig_end(&rig);
}

static void the_pole_of_the_paper_gets_round_too(void** state) {
    (void)state;
    course c;
    open_track(&c, "vamos", "road");
    kerb_scene_race_lap lap = kerb_scene_race_lap_default(&c.on.line, &c.on.ground, &c.on.model);
    lap.racer.settings = kerb_racer_settings_vamos();
    lap.laps = 2;
    kerb_scene_race_lap_result result;
    kerb_scene_race_lap_run(&lap, &result);
    assert_int_equal(result.laps, 2);
    assert_int_equal(result.spins, 0);
    close_track(&c);
}

// What one frame must fulfil.
static void check_frame(void* context, const kerb_scene_race_frame* frame) {
    (void)context;
    const kerb_controls* controls = &frame->controls;
    assert_true(controls->throttle >= 0.0f && controls->throttle <= 1.0f);
    assert_true(controls->brake >= 0.0f && controls->brake <= 1.0f);
    assert_true(kerb_abs(controls->steering) <= 1.0f);
    const kerb_drive_train* train = &frame->racer->vehicle.drive_train;
    assert_true(controls->gear >= 1 && controls->gear <= train->gear_count);
    // No gear that the engine cannot turn fast enough for.
    float speed = kerb_motion_forward_speed(&frame->motion);
    float turns = speed * train->gear_ratio[controls->gear - 1] / train->wheel_radius;
    assert_true(turns < 1.05f * train->engine_speed_max);
}

static void it_shifts_within_the_engines_range(void** state) {
    (void)state;
    course c;
    open_track(&c, "vamos", "gt");
    kerb_scene_race_lap lap = kerb_scene_race_lap_default(&c.on.line, &c.on.ground, &c.on.model);
    lap.laps = 2;
    lap.watch = check_frame;
    kerb_scene_race_lap_result result;
    kerb_scene_race_lap_run(&lap, &result);
    assert_int_equal(result.laps, 2);
    close_track(&c);
}

// What shifting shows, over laps.
typedef struct gear_log {
    int32_t gear;    // told last
    double time;     // of the last frame [s]
    double up, late; // since the last shift up for power; since the next gear gave clearly more [s]
    int32_t ups, downs, blips;
    double burnt;     // throttle times engine speed, over time [rad]
    double braked;    // by the pedal, over time [s]
    double ups_turns; // of the engine before shifts up, by its speed of greatest power [1]
} gear_log;

// Power at a speed by the greatest, as kerb_drive_train describes the engine: a cubic.
static float power_in(const kerb_drive_train* train, int32_t gear, float speed) {
    float turns = speed * train->gear_ratio[gear - 1] / train->wheel_radius;
    float x = kerb_max(turns, train->engine_speed_idle) / train->engine_speed_power;
    return turns > train->engine_speed_max ? 0.0f : x + x * x - x * x * x;
}

static float turns_in(const kerb_drive_train* train, int32_t gear, float speed) {
    return speed * train->gear_ratio[gear - 1] / train->wheel_radius;
}

// Share of the grip that is used aside.
static float use_aside(const kerb_scene_race_frame* frame, float speed) {
    const kerb_performance* p = &frame->racer->performance;
    float grip = p->lateral * (1.0f + p->downforce * speed * speed / KERB_GRAVITY);
    return kerb_abs(frame->motion.angular_velocity.z) * speed / grip;
}

static void check_shift_up(gear_log* log, const kerb_scene_race_frame* frame, float speed) {
    const kerb_drive_train* train = &frame->racer->vehicle.drive_train;
    float turns = turns_in(train, log->gear, speed);
    log->ups++;
    log->ups_turns += (double)(turns / train->engine_speed_power);
    if (turns > 0.98f * train->engine_speed_max)
        return; // it must
    log->up = 0.0;
    assert_true(use_aside(frame, speed) < 0.65f);
    if (frame->racer->settings.fuel_saving <= 0.0f)
        assert_true(power_in(train, log->gear + 1, speed) > power_in(train, log->gear, speed));
}

static void watch_gears(void* context, const kerb_scene_race_frame* frame) {
    gear_log* log = context;
    const kerb_drive_train* train = &frame->racer->vehicle.drive_train;
    const kerb_controls* controls = &frame->controls;
    float speed = kerb_motion_forward_speed(&frame->motion);
    double step = frame->time - log->time;
    log->time = frame->time;
    log->burnt += step * (double)(controls->throttle * frame->motion.engine_speed);
    log->braked += step * (double)controls->brake;
    log->up += step;
    int32_t gear = controls->gear, in = frame->motion.gear;
    if (log->gear >= 1 && gear > log->gear)
        check_shift_up(log, frame, speed);
    // Who has just shifted up for power drives on.
    if (controls->brake > 0.3f)
        assert_true(log->up > 0.3);
    log->downs += gear < log->gear;
    // While a lower gear comes in, an engine that is too slow for it is given throttle.
    if (gear < in && frame->motion.engine_speed < 0.9f * turns_in(train, gear, speed)) {
        assert_true(controls->throttle > 0.4f);
        log->blips++;
    }
    // Where the next gear pulls clearly more, nothing turns and nothing brakes, it is put in soon.
    bool waits = gear == log->gear && gear < train->gear_count && controls->throttle > 0.9f &&
                 use_aside(frame, speed) < 0.5f && in == gear &&
                 power_in(train, gear + 1, speed) > 1.01f * power_in(train, gear, speed);
    log->late = waits ? log->late + step : 0.0;
    assert_true(log->late < 0.8);
    log->gear = gear;
}

static void it_shifts_up_where_the_next_gear_pulls_more_and_blips_on_the_way_down(void** state) {
    (void)state;
    static const char* const cars[] = {"road", "gt"};
    for (size_t i = 0; i < sizeof cars / sizeof cars[0]; i++) {
        course c;
        open_track(&c, "downs", cars[i]);
        kerb_scene_race_lap lap =
            kerb_scene_race_lap_default(&c.on.line, &c.on.ground, &c.on.model);
        lap.racer.performance = c.limits.performance;
        // An engine that may turn faster than it is worth: the limit is not what tells.
        lap.racer.vehicle.drive_train.engine_speed_max *= 1.3f;
        gear_log log = {.up = 10.0};
        lap.laps = 2;
        lap.watch = watch_gears;
        lap.context = &log;
        kerb_scene_race_lap_result result;
        kerb_scene_race_lap_run(&lap, &result);
        if (result.laps != 2 || log.ups < 6 || log.downs < 6 || log.blips < 4)
            fail_msg("%s: %d laps, %d up, %d down, %d frames of blips", cars[i], result.laps,
                     log.ups, log.downs, log.blips);
        close_track(&c);
    }
}

static void saving_fuel_shifts_and_lifts_early_and_costs_time(void** state) {
    (void)state;
    course c;
    open_track(&c, "vamos", "road");
    gear_log logs[2];
    double best[2];
    for (int32_t i = 0; i < 2; i++) {
        kerb_scene_race_lap lap =
            kerb_scene_race_lap_default(&c.on.line, &c.on.ground, &c.on.model);
        lap.racer.settings.fuel_saving = (float)i;
        logs[i] = (gear_log){.up = 10.0};
        lap.laps = 2;
        lap.watch = watch_gears;
        lap.context = &logs[i];
        kerb_scene_race_lap_result result;
        kerb_scene_race_lap_run(&lap, &result);
        assert_int_equal(result.laps, 2);
        best[i] = result.best;
    }
    assert_true(logs[1].ups_turns / logs[1].ups < 0.7 * logs[0].ups_turns / logs[0].ups);
    assert_true(logs[1].braked < logs[0].braked);
    assert_true(logs[1].burnt < 0.7 * logs[0].burnt);
    assert_true(best[1] > best[0] && best[1] < 1.1 * best[0]);
    close_track(&c);
}

// Here a lap needs at most eight gears up. One taken to be given back at once comes to eighteen and
// more, and makes saving half of the fuel slower than saving all.
static void the_more_fuel_it_saves_the_less_it_burns_and_it_never_hunts_for_a_gear(void** state) {
    (void)state;
    static const char* const cars[] = {"road", "gt", "formula", "truck"};
    for (size_t i = 0; i < sizeof cars / sizeof cars[0]; i++) {
        course c;
        open_track(&c, "vamos", cars[i]);
        gear_log last = {0};
        double best = 0.0;
        for (int32_t k = 0; k <= 4; k++) {
            kerb_scene_race_lap lap =
                kerb_scene_race_lap_default(&c.on.line, &c.on.ground, &c.on.model);
            lap.racer.performance = c.limits.performance;
            lap.racer.settings.fuel_saving = 0.25f * (float)k;
            gear_log log = {.up = 10.0};
            lap.laps = 2;
            lap.watch = watch_gears;
            lap.context = &log;
            kerb_scene_race_lap_result result;
            kerb_scene_race_lap_run(&lap, &result);
            bool grows = k == 0 || (log.burnt < last.burnt && result.best > best);
            if (!(result.laps == 2 && grows && log.ups <= 24))
                fail_msg("%s, %.2f saved: best lap %.2f s after %.2f s, burnt %.0f after %.0f, %d "
                         "gears up",
                         cars[i], 0.25 * (double)k, result.best, best, log.burnt, last.burnt,
                         log.ups);
            last = log;
            best = result.best;
        }
        close_track(&c);
    }
}

// ------------------------------------------------------------------- trouble

static void facing_the_wrong_way_it_turns_round_and_laps(void** state) {
    (void)state;
    course c;
    open_track(&c, "vamos", "road");
    for (int32_t i = 0; i < 4; i++) {
        kerb_scene_race_lap lap =
            kerb_scene_race_lap_default(&c.on.line, &c.on.ground, &c.on.model);
        lap.laps = 1;
        lap.start = 40.0 * (double)i;
        lap.start_heading = i % 2 == 0 ? 3.0f : -2.2f;
        kerb_scene_race_lap_result result;
        kerb_scene_race_lap_run(&lap, &result);
        if (result.laps != 1 || result.asked > 0)
            fail_msg("start %d: %d laps, asked %d times", i, result.laps, result.asked);
    }
    close_track(&c);
}

static void beside_the_track_it_comes_back(void** state) {
    (void)state;
    course c;
    open_track(&c, "vamos", "road");
    for (int32_t i = 0; i < 4; i++) {
        kerb_scene_race_lap lap =
            kerb_scene_race_lap_default(&c.on.line, &c.on.ground, &c.on.model);
        lap.laps = 1;
        lap.start_aside = i % 2 == 0 ? 25.0f : -25.0f;
        lap.start_speed = i < 2 ? 0.0f : 12.0f;
        kerb_scene_race_lap_result result;
        kerb_scene_race_lap_run(&lap, &result);
        if (result.laps != 1 || result.off_track_time > 20.0)
            fail_msg("start %d: %d laps, %.1f s off the track", i, result.laps,
                     result.off_track_time);
    }
    close_track(&c);
}

// ------------------------------------------------------------------- interface

// Sand beside the track: half of the grip, and a rolling resistance of a fifth of the weight. From
// standstill, its nose turned away, it drives back at full lock. It does not rock to and fro:
// wheels that slip sideways at a walking pace are no reason to take back the throttle.
static void from_sand_beside_the_track_it_drives_back_without_rocking(void** state) {
    (void)state;
    static const char* const cars[] = {"road", "gt", "rally"};
    for (size_t k = 0; k < sizeof cars / sizeof cars[0]; k++) {
        course c;
        open_track(&c, "vamos", cars[k]);
        kerb_racer racer = kerb_racer_make(&c.on.model.vehicle);
        kerb_line_point p = kerb_racing_line_at(&c.on.line, 60.0);
        float sine, cosine, beside = p.left + 16.0f, seconds = 0.0f;
        kerb_sin_cos(p.heading, &sine, &cosine);
        kerb_vec3 start = {(float)p.x - beside * sine, (float)p.y + beside * cosine, 0.0f};
        kerb_sim_vehicle car = kerb_sim_vehicle_make(&c.on.model, start, p.heading + 1.3f);
        car.car.model.rolling_resistance = 0.2f;
        kerb_sim_ground sand = {.normal = {0.0f, 0.0f, 1.0f}, .grip = 0.5f};
        int32_t backs = 0, gear = 1;
        for (; seconds < 30.0f && (seconds < 0.5f || racer.decision.off_track);
             seconds += 1.0f / 60.0f) {
            kerb_motion motion = kerb_sim_vehicle_motion(&car);
            kerb_controls controls =
                kerb_racer_drive(&racer, &c.on.line, &motion, NULL, 1.0f / 60.0f);
            backs += controls.gear < 0 && gear >= 0 ? 1 : 0;
            gear = controls.gear;
            for (int32_t i = 0; i < 4; i++)
                kerb_sim_vehicle_step(&car, &controls, &sand, 1.0f / 240.0f);
        }
        print_message("%s: on the track after %.1f s, %d times in reverse\n", cars[k],
                      (double)seconds, backs);
        if (!(seconds < 12.0f) || backs > 0)
            fail_msg("%s: %.1f s in the sand, %d times in reverse", cars[k], (double)seconds,
                     backs);
        close_track(&c);
    }
}

static void settings_have_valid_defaults(void** state) {
    (void)state;
    kerb_racer_settings line = kerb_racer_settings_default(), pole = kerb_racer_settings_vamos();
    assert_int_equal(kerb_settings_validate(&kerb_racer_settings_table, &line, NULL), KERB_OK);
    assert_int_equal(kerb_settings_validate(&kerb_racer_settings_table, &pole, NULL), KERB_OK);
    assert_int_equal(line.steering, KERB_RACER_LINE);
    assert_int_equal(pole.steering, KERB_RACER_POLE);
}

// They must cost no more than others, give controls, and leave nothing behind.
static void impossible_speeds_and_places_are_answered_at_once(void** state) {
    (void)state;
    static const float sizes[] = {1e3f, 1e6f, 1e12f, 1e20f, 3e38f};
    course c;
    open_track(&c, "vamos", "gt");
    kerb_racer racer = kerb_racer_make(&c.on.model.vehicle);
    for (int32_t i = 0; i < 600; i++) {
        kerb_motion motion = kerb_motion_default();
        kerb_line_point p = kerb_racing_line_at(&c.on.line, 0.5 * (double)i);
        motion.position = kerb_vec3_make((float)p.x, (float)p.y, (float)p.z);
        motion.rotation = kerb_quat_from_angles(p.heading, 0.0f, 0.0f);
        motion.velocity = kerb_vec3_scale(kerb_quat_forward(motion.rotation), 30.0f);
        float size = sizes[(i / 9) % 5] * (i % 2 == 0 ? 1.0f : -1.0f);
        if (i % 3 == 1)
            *(i % 9 < 3   ? &motion.velocity.x
              : i % 9 < 6 ? &motion.position.y
                          : &motion.angular_velocity.z) = size;
        kerb_controls given = kerb_racer_drive(&racer, &c.on.line, &motion, NULL, 0.02f);
        assert_true(given.throttle >= 0.0f && given.throttle <= 1.0f);
        assert_true(given.brake >= 0.0f && given.brake <= 1.0f);
        assert_true(given.steering >= -1.0f && given.steering <= 1.0f);
        if (i % 3 == 2) {
            assert_true(kerb_is_finite(racer.decision.target_speed));
            assert_true(kerb_is_finite(racer.memory.turning) &&
                        kerb_is_finite(racer.memory.turned));
        }
    }
    assert_true(racer.bad_frames > 50 && racer.bad_frames < 200);
    close_track(&c);
}

static void bad_frames_are_safe_and_counted(void** state) {
    (void)state;
    course c;
    open_track(&c, "vamos", "road");
    kerb_racer racer = kerb_racer_make(&c.on.model.vehicle);
    kerb_motion motion = kerb_motion_default();
    motion.position.x = (float)c.on.line.points[0].x;
    motion.position.y = (float)c.on.line.points[0].y;
    kerb_controls first = kerb_racer_drive(&racer, &c.on.line, &motion, NULL, 0.02f);
    kerb_controls again = kerb_racer_drive(&racer, &c.on.line, &motion, NULL, -1.0f);
    assert_int_equal(again.reason, KERB_REASON_BAD_STEP);
    assert_float_equal(again.throttle, first.throttle, 0.0);
    motion.velocity.x = NAN;
    kerb_controls safe = kerb_racer_drive(&racer, &c.on.line, &motion, NULL, 0.02f);
    assert_int_equal(safe.reason, KERB_REASON_BAD_MOTION);
    assert_float_equal(safe.brake, 1.0, 0.0);
    assert_int_equal(racer.bad_frames, 2);
    close_track(&c);
}

static void far_away_or_tumbling_it_gives_finite_controls(void** state) {
    (void)state;
    course c;
    open_track(&c, "vamos", "road");
    kerb_racer racer = kerb_racer_make(&c.on.model.vehicle);
    kerb_motion motion = kerb_motion_default();
    for (int32_t i = 0; i < 200; i++) {
        motion.position.x = i % 3 == 0 ? 1.0e6f : 10.0f * (float)i;
        motion.velocity = kerb_vec3_make(i % 2 == 0 ? 1.0e4f : -3.0f, (float)i, 50.0f);
        motion.angular_velocity = kerb_vec3_make(5.0f, -9.0f, 100.0f);
        motion.rotation = kerb_quat_from_angles(0.3f * (float)i, 1.5f, 3.0f);
        kerb_controls controls = kerb_racer_drive(&racer, &c.on.line, &motion, NULL, 0.02f);
        float sum = controls.throttle + controls.brake + controls.steering + controls.clutch;
        assert_true(kerb_is_finite(sum));
    }
    close_track(&c);
}

// Counts frames; a copy taken at one of them must say the same from there on.
typedef struct copied {
    const course* course;
    kerb_racer racer;
    int32_t frames;
} copied;

static void compare(void* context, const kerb_scene_race_frame* frame) {
    copied* copy = context;
    if (copy->frames++ > 500) {
        kerb_controls controls = kerb_racer_drive(&copy->racer, &copy->course->on.line,
                                                  &frame->motion, NULL, 1.0f / 60.0f);
        assert_memory_equal(&controls.steering, &frame->controls.steering, sizeof(float));
        assert_memory_equal(&controls.throttle, &frame->controls.throttle, sizeof(float));
        assert_memory_equal(&controls.brake, &frame->controls.brake, sizeof(float));
    }
    copy->racer = *frame->racer;
}

static void a_copy_of_the_struct_drives_on_with_the_same_bits(void** state) {
    (void)state;
    course c;
    open_track(&c, "vamos", "gt");
    copied copy = {.course = &c};
    kerb_scene_race_lap lap = kerb_scene_race_lap_default(&c.on.line, &c.on.ground, &c.on.model);
    lap.laps = 1;
    lap.watch = compare;
    lap.context = &copy;
    kerb_scene_race_lap_result result;
    kerb_scene_race_lap_run(&lap, &result);
    assert_true(copy.frames > 1000);
    close_track(&c);
}

int racer_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_racing_car_laps_the_vamos_track_without_leaving_it),
        cmocka_unit_test(on_a_circle_it_keeps_to_the_line_and_to_the_grip_it_may_use),
        cmocka_unit_test(the_pole_of_the_paper_gets_round_too),
        cmocka_unit_test(it_shifts_within_the_engines_range),
        cmocka_unit_test(it_shifts_up_where_the_next_gear_pulls_more_and_blips_on_the_way_down),
        cmocka_unit_test(saving_fuel_shifts_and_lifts_early_and_costs_time),
        cmocka_unit_test(the_more_fuel_it_saves_the_less_it_burns_and_it_never_hunts_for_a_gear),
        cmocka_unit_test(facing_the_wrong_way_it_turns_round_and_laps),
        cmocka_unit_test(beside_the_track_it_comes_back),
        cmocka_unit_test(from_sand_beside_the_track_it_drives_back_without_rocking),
        cmocka_unit_test(settings_have_valid_defaults),
        cmocka_unit_test(bad_frames_are_safe_and_counted),
        cmocka_unit_test(impossible_speeds_and_places_are_answered_at_once),
        cmocka_unit_test(far_away_or_tumbling_it_gives_finite_controls),
        cmocka_unit_test(a_copy_of_the_struct_drives_on_with_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
