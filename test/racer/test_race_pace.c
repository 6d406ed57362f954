// How fast and how cleanly cars are driven alone: against the profile with limits measured on each
// car, on every built-in track, in both directions; with cars nobody knows, beside the line,
// without anti-lock brakes, and out of trouble.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "scene/race/race_pace.h"
#include "test/seed.h"

#include <stdio.h>
#include <string.h>

#define CARS 5
#define KM_PER_HOUR_50 13.89f // [m/s]
static const char* const cars[CARS] = {"road", "gt", "formula", "rally", "truck"};

static kerb_scene_race_pace pace;

static void open_pace(const char* track, bool reverse, const char* car) {
    kerb_host host = kerb_host_default();
    kerb_error error;
    if (kerb_scene_race_pace_open(&pace, track, reverse, car, &host, &error) != KERB_OK)
        fail_msg("%s on %s: %s %s", car, track, error.field, error.message);
}

static void close_pace(void) {
    kerb_host host = kerb_host_default();
    kerb_scene_race_pace_close(&pace, &host);
}

// Laps of `lap`; fails when it leaves the track or is slower than `most` times the profile.
static void lap_cleanly(const kerb_scene_race_lap* lap, double most, const char* name) {
    kerb_scene_race_lap_result result;
    kerb_scene_race_lap_run(lap, &result);
    printf("%-28s %7.2f s, profile %+6.2f %%, nearest to the edge %.2f m\n", name, result.best,
           100.0 * (result.best / lap->line->time - 1.0), -result.outside_most);
    if (result.laps < lap->laps || result.off_track_time > 0.0 || result.spins > 0)
        fail_msg("%s: %d laps, %.2f s off the track, %d spins", name, result.laps,
                 result.off_track_time, result.spins);
    if (!(result.best < most * lap->line->time))
        fail_msg("%s: %.2f s against %.2f s", name, result.best, lap->line->time);
}

// ------------------------------------------------------------------- pace

#define MOST_OF_PROFILE 1.03 // as docs/racing.md says

static void every_car_comes_near_its_profile_on_every_track_in_both_directions(void** state) {
    (void)state;
    int32_t ways = 2 * kerb_scene_track_count(); // and no multiple of the cars
    assert_true(ways % CARS != 0);
    for (int32_t i = 0; i < test_share(CARS * ways, CARS); i++) {
        int32_t way = i % ways;
        const char *track = kerb_scene_track_name(way / 2), *car = cars[i % CARS];
        char name[64];
        snprintf(name, sizeof name, "%s, %s%s", car, track, way % 2 ? ", reverse" : "");
        open_pace(track, way % 2 == 1, car);
        kerb_scene_race_lap lap = kerb_scene_race_pace_lap(&pace);
        lap.laps = 3;
        lap_cleanly(&lap, MOST_OF_PROFILE, name);
        close_pace();
    }
}

// The greatest change of the steering command from one frame to the next, while it races at speed.
typedef struct jerk {
    float last, most;
} jerk;

static void note_jerk(void* context, const kerb_scene_race_frame* frame) {
    jerk* j = context;
    if (frame->time > 10.0)
        j->most = kerb_max(j->most, kerb_abs(frame->controls.steering - j->last));
    j->last = frame->controls.steering;
}

// In a hairpin the body's drift is nothing for a second: slip and geometry cancel. Who takes that
// for a car without slip loses the rear and then jerks the wheel by two thirds of its way.
static void round_hairpins_the_wheel_turns_without_jerks(void** state) {
    (void)state;
    for (int32_t i = 0; i < test_share(CARS, 2); i++) {
        open_pace("overpass", i % 2 == 1, cars[i]);
        kerb_scene_race_lap lap = kerb_scene_race_pace_lap(&pace);
        jerk most = {0.0f, 0.0f};
        lap.laps = 3;
        lap.watch = note_jerk;
        lap.context = &most;
        lap_cleanly(&lap, 1.035, cars[i]);
        printf("%s: %.2f in a frame\n", cars[i], (double)most.most);
        if (most.most > 0.2f)
            fail_msg("%s turns the wheel by %.2f in a frame", cars[i], (double)most.most);
        close_pace();
    }
}

static void twenty_laps_in_a_row_stay_on_the_track(void** state) {
    (void)state;
    for (int32_t i = 0; i < test_share(CARS, 1); i++) {
        const char* car = cars[(i + 1) % CARS]; // where time is short, the gt
        char name[64];
        snprintf(name, sizeof name, "%s, vamos, 20 laps%s", car, i % 2 ? ", reverse" : "");
        open_pace("vamos", i % 2 == 1, car);
        kerb_scene_race_lap lap = kerb_scene_race_pace_lap(&pace);
        lap_cleanly(&lap, 1.03, name);
        close_pace();
    }
}

static void change_car(kerb_sim_model* model, float mass, float grip, float size, float power,
                       float stiff) {
    kerb_sim_car_model* car = &model->car;
    car->mass *= mass;
    car->yaw_inertia *= mass * size * size;
    car->front_to_mass *= size;
    car->rear_to_mass *= size;
    car->mass_to_bumper *= size;
    car->length *= size;
    car->grip_along *= grip;
    car->grip_across *= grip;
    car->brake_force *= mass * grip;
    for (int32_t i = 0; i < KERB_SIM_TORQUE_POINTS; i++)
        car->engine_torque[i] *= power;
    car->clutch_torque *= power;
    car->cornering_front *= stiff;
    car->cornering_rear *= stiff;
    car->slip_stiffness *= stiff;
}

// A car that nobody has seen: mass, grip, wheelbase, power, stiffness and driven wheels differ.
static kerb_sim_model random_car(kerb_random* random, const char* like) {
    kerb_sim_model model;
    assert_true(kerb_sim_model_named(like, &model));
    float mass = kerb_random_between(random, 0.75f, 1.3f);
    float grip = kerb_random_between(random, 0.75f, 1.3f);
    float size = kerb_random_between(random, 0.85f, 1.2f);
    float power = kerb_random_between(random, 0.75f, 1.3f);
    float stiff = kerb_random_between(random, 0.85f, 1.2f);
    change_car(&model, mass, grip, size, power, stiff);
    model.car.drive_front = 0.5f * (float)kerb_random_below(random, 3);
    model.vehicle = kerb_sim_car_vehicle(&model.car);
    return model;
}

static void cars_that_nobody_has_seen_are_driven_as_well(void** state) {
    (void)state;
    kerb_random random = test_random("unseen cars");
    kerb_host host = kerb_host_default();
    for (int32_t i = 0; i < CARS; i++) {
        kerb_sim_model model = random_car(&random, cars[i]);
        kerb_scene_track track;
        const char* name = kerb_scene_track_name(i % 2);
        assert_int_equal(kerb_scene_track_make(name, &host, &track, NULL), KERB_OK);
        assert_int_equal(kerb_scene_race_pace_open_on(&pace, track.waypoints, track.count,
                                                      track.closed, &model, &host, NULL),
                         KERB_OK);
        kerb_scene_race_lap lap = kerb_scene_race_pace_lap(&pace);
        lap.laps = 2;
        kerb_scene_race_lap_result result;
        kerb_scene_race_lap_run(&lap, &result);
        if (result.laps < 2 || result.off_track_time > 3.0 ||
            !(result.best < 1.07 * pace.line.time))
            fail_msg("like %s on %s: %d laps, %.2f s off the track, %.2f s against %.2f s", cars[i],
                     name, result.laps, result.off_track_time, result.best, pace.line.time);
        close_pace();
        kerb_scene_track_free(&track, &host);
    }
}

// What the settings of the paper are for: slow enough for its pole.
static void steering_by_the_pole_it_stays_on_the_track_with_every_car(void** state) {
    (void)state;
    static const char* const tracks[] = {"vamos", "downs", "saucer", "overpass"};
    for (int32_t i = 0; i < test_share(4, 1) * CARS; i++) {
        open_pace(tracks[i / CARS], false, cars[i % CARS]);
        kerb_scene_race_lap lap = kerb_scene_race_pace_lap(&pace);
        lap.racer.settings = kerb_racer_settings_vamos();
        lap.laps = 2;
        lap_cleanly(&lap, 1.4, cars[i % CARS]);
        close_pace();
    }
}

static void off_its_line_it_stays_on_the_track_too(void** state) {
    (void)state;
    for (int32_t i = 0; i < test_share(4, 2); i++) {
        open_pace(i < 2 ? "vamos" : "downs", false, i < 2 ? "road" : "gt");
        kerb_scene_race_lap lap = kerb_scene_race_pace_lap(&pace);
        lap.laps = 2;
        lap.racer.settings.lane_shift = i % 2 == 0 ? 0.7f : -0.7f;
        lap_cleanly(&lap, 1.25, i % 2 == 0 ? "to the left" : "to the right");
        close_pace();
    }
}

static void without_anti_lock_brakes_and_traction_control_it_laps(void** state) {
    (void)state;
    for (int32_t i = 0; i < test_share(CARS, 2); i++) {
        open_pace("vamos", false, cars[i]);
        pace.model.car.slip_control = false;
        kerb_scene_race_lap lap = kerb_scene_race_pace_lap(&pace);
        lap.laps = 3;
        lap_cleanly(&lap, 1.06, cars[i]);
        close_pace();
    }
}

// Nothing else tells the driver on a straight; without it the truck runs wide on `downs`.
static void wheels_that_are_told_do_not_lock_for_long(void** state) {
    (void)state;
    for (int32_t i = 0; i < 2 * CARS; i++) {
        open_pace(i % 2 ? "overpass" : "downs", i % 2 == 1, cars[i / 2]);
        pace.model.car.slip_control = false;
        kerb_scene_race_lap lap = kerb_scene_race_pace_lap(&pace);
        lap.laps = test_share(4, 2);
        lap_cleanly(&lap, 1.05, cars[i / 2]);
        close_pace();
    }
}

typedef struct felt_wheels {
    bool stood;
    float hold; // of the brakes, that it counts on at the end [1]
} felt_wheels;

static void note_felt_wheels(void* context, const kerb_scene_race_frame* frame) {
    felt_wheels* felt = context;
    felt->stood = frame->racer->memory.stood;
    felt->hold = frame->racer->memory.hold;
}

// Four laps on `downs`, untold of the wheels. Whether it has felt them stand.
static bool truck_feels_them_stand(bool anti_lock, int32_t slip_control, float* hold) {
    open_pace("downs", false, "truck");
    pace.model.car.slip_control = anti_lock;
    kerb_scene_race_lap lap = kerb_scene_race_pace_lap(&pace);
    felt_wheels felt = {false, 0.0f};
    lap.laps = 4;
    lap.hides_wheel_slip = true;
    lap.racer.settings.slip_control = slip_control;
    lap.watch = note_felt_wheels;
    lap.context = &felt;
    lap_cleanly(&lap, 1.03, anti_lock ? "truck, anti-lock brakes" : "truck, locking unseen");
    close_pace();
    *hold = felt.hold;
    return felt.stood;
}

// Who went on planning with all of the brakes left the track.
static void wheels_that_lock_unseen_are_felt_and_planned_for(void** state) {
    (void)state;
    float hold;
    assert_true(truck_feels_them_stand(false, KERB_RACER_SLIP_ON, &hold));
    assert_true(hold <= 1.05f);
    truck_feels_them_stand(false, KERB_RACER_SLIP_LOCKS, &hold);
    assert_true(hold <= 1.0f);
    assert_false(truck_feels_them_stand(true, KERB_RACER_SLIP_ON, &hold));
    assert_true(hold == 1.1f);
}

// A built-in car with mass, grip, size, power and stiffness times `change`, driven in such
// a share by its front wheels, on a built-in track the other way round.
static void open_driven(const char* car, const float change[5], float front, const char* name,
                        kerb_scene_track* track, const kerb_host* host) {
    kerb_sim_model model;
    assert_true(kerb_sim_model_named(car, &model));
    change_car(&model, change[0], change[1], change[2], change[3], change[4]);
    model.car.drive_front = front;
    model.vehicle = kerb_sim_car_vehicle(&model.car);
    assert_int_equal(kerb_scene_track_make(name, host, track, NULL), KERB_OK);
    kerb_waypoints_reverse(track->waypoints, track->count, track->closed);
    assert_int_equal(kerb_scene_race_pace_open_on(&pace, track->waypoints, track->count,
                                                  track->closed, &model, host, NULL),
                     KERB_OK);
}

static void open_front_driven(const char* car, const float change[5], const char* name,
                              kerb_scene_track* track, const kerb_host* host) {
    open_driven(car, change, 1.0f, name, track, host);
}

// A GT car with driven front wheels and a short wheelbase, in whose bends the slip of the rear and
// the bend's geometry cancel. Taken for a car that slips nowhere it would steer as little as that
// needs, and go straight on, 20 m past the edge.
static void a_car_that_drifts_little_is_not_taken_for_one_that_slips_nowhere(void** state) {
    (void)state;
    kerb_host host = kerb_host_default();
    kerb_scene_track track;
    const float change[5] = {1.104f, 0.816f, 0.858f, 1.004f, 1.088f};
    open_front_driven("gt", change, "overpass", &track, &host);
    kerb_scene_race_lap lap = kerb_scene_race_pace_lap(&pace);
    lap.laps = 2;
    lap.drive_every = 8;
    lap_cleanly(&lap, 1.04, "short gt");
    close_pace();
    kerb_scene_track_free(&track, &host);
}

// A GT car whose driven front wheels can spin, of which it is not told. With the throttle open they
// slip so far aside that it runs 1.5 m past the edge.
static void front_wheels_that_spin_unseen_do_not_push_it_off_the_track(void** state) {
    (void)state;
    kerb_host host = kerb_host_default();
    kerb_scene_track track;
    const float change[5] = {1.0f, 0.8f, 1.0f, 1.0f, 1.0f};
    open_front_driven("gt", change, "overpass", &track, &host);
    pace.model.car.slip_control = false;
    kerb_scene_race_lap lap = kerb_scene_race_pace_lap(&pace);
    lap.laps = 3;
    lap.hides_wheel_slip = true;
    lap_cleanly(&lap, 1.06, "spinning gt");
    close_pace();
    kerb_scene_track_free(&track, &host);
}

// Rear-driven, with much power and little grip. Let spin in bends as far as on a straight such cars
// lose their rear.
static void driven_wheels_spin_less_where_the_rear_slips_aside(void** state) {
    (void)state;
    kerb_host host = kerb_host_default();
    kerb_scene_track track;
    const float change[5] = {1.0f, 0.75f, 1.0f, 1.3f, 0.9f};
    for (int32_t i = 0; i < 2; i++) {
        open_driven(i == 0 ? "road" : "truck", change, 0.0f, "vamos", &track, &host);
        pace.model.car.slip_control = false;
        kerb_scene_race_lap lap = kerb_scene_race_pace_lap(&pace);
        lap.laps = 4;
        lap_cleanly(&lap, i == 0 ? 1.06 : 1.075, i == 0 ? "strong road car" : "strong truck");
        close_pace();
        kerb_scene_track_free(&track, &host);
    }
}

// A truck with driven front wheels, whose rear comes round while it brakes into bends. Turning with
// all that its tyres hold it would coast into them too fast, 5 m past the edge.
static void a_car_too_fast_for_a_bend_slows_down_before_it_turns_with_all_it_has(void** state) {
    (void)state;
    kerb_host host = kerb_host_default();
    kerb_scene_track track;
    const float change[5] = {1.255f, 1.153f, 0.861f, 1.116f, 1.062f};
    open_front_driven("truck", change, "vamos", &track, &host);
    for (int32_t i = 0; i < 2; i++) {
        kerb_scene_race_lap lap = kerb_scene_race_pace_lap(&pace);
        lap.laps = 3;
        lap.drive_every = 4 + 4 * i;
        lap.controls_late = i;
        lap.racer.settings.latency = i == 0 ? 0.0f : 1.0f / 30.0f;
        lap_cleanly(&lap, 1.05, i == 0 ? "front-driven truck" : "front-driven truck, late");
    }
    close_pace();
    kerb_scene_track_free(&track, &host);
}

// 30 calls a second whose controls act a frame late: the driver is told, and drives from where it
// will be. Without that gt and formula car swing from side to side and spin.
static void thirty_calls_a_second_and_a_frame_late_it_laps_as_well(void** state) {
    (void)state;
    for (int32_t i = 0; i < test_share(2 * CARS, 4); i++) {
        char name[64];
        snprintf(name, sizeof name, "%s a frame late%s", cars[i / 2], i % 2 ? ", reverse" : "");
        open_pace(i % 4 < 2 ? "downs" : "overpass", i % 2 == 1, cars[i / 2]);
        kerb_scene_race_lap lap = kerb_scene_race_pace_lap(&pace);
        lap.laps = 3;
        lap.drive_every = 8;
        lap.controls_late = 1;
        lap.racer.settings.latency = 1.0f / 30.0f;
        lap_cleanly(&lap, 1.04, name);
        close_pace();
    }
}

static void note_50_km_per_hour(void* context, const kerb_scene_race_frame* frame) {
    double* time = context;
    if (*time == 0.0 && frame->motion.velocity.x * frame->motion.velocity.x +
                                frame->motion.velocity.y * frame->motion.velocity.y >
                            KM_PER_HOUR_50 * KM_PER_HOUR_50)
        *time = frame->time;
}

// The driven tyres need speed over what they hold; clutch, throttle and revs half a second besides.
// Without traction control they spin now and then, and a spinning tyre holds less.
static void from_rest_every_car_is_near_what_its_tyres_hold(void** state) {
    (void)state;
    for (int32_t i = 0; i < test_share(2 * CARS, 4); i++) {
        open_pace("vamos", false, cars[i / 2]);
        pace.model.car.slip_control = i % 2 == 0;
        kerb_scene_race_lap lap = kerb_scene_race_pace_lap(&pace);
        double time = 0.0;
        lap.laps = 1;
        lap.time_most = 6.0;
        lap.watch = note_50_km_per_hour;
        lap.context = &time;
        kerb_scene_race_lap_result result;
        kerb_scene_race_lap_run(&lap, &result);
        double tyres = (double)(KM_PER_HOUR_50 / pace.limits.performance.accelerating);
        printf("%-8s %s 50 km/h after %.2f s, tyres %.2f s\n", cars[i / 2],
               i % 2 ? "spinning," : "held,    ", time, tyres);
        if (time == 0.0 || time > (i % 2 ? 1.3 : 1.1) * tyres + 0.55)
            fail_msg("%s: %.2f s to 50 km/h, tyres %.2f s", cars[i / 2], time, tyres);
        close_pace();
    }
}

// ------------------------------------------------------------------- trouble

// Starts a lap from some trouble, which must end well, and soon.
static void recover_from(const kerb_scene_race_lap* lap, double off_track_most, const char* name) {
    kerb_scene_race_lap_result result;
    kerb_scene_race_lap_run(lap, &result);
    double slow = result.laps > 0 ? result.lap_time[0] - lap->line->time : 1.0e9;
    if (result.laps != 1 || result.asked > 0 || result.off_track_time > off_track_most ||
        slow > 60.0)
        fail_msg("%s: %d laps, %.1f s more than the profile, %.1f s off the track, asked %d times",
                 name, result.laps, slow, result.off_track_time, result.asked);
}

static void it_turns_round_comes_back_and_catches_spins_with_every_car(void** state) {
    (void)state;
    static const char* const tracks[CARS] = {"vamos", "downs", "saucer", "downs", "overpass"};
    for (int32_t i = 0; i < CARS; i++) {
        open_pace(tracks[i], i % 2 == 1, cars[i]);
        kerb_scene_race_lap lap = kerb_scene_race_pace_lap(&pace);
        lap.laps = 1;
        lap.start = 0.3 * pace.line.length;
        char name[64];
        for (int32_t k = 0; k < 4; k++) {
            lap.start_heading = k == 0 ? 3.1f : k == 1 ? -2.0f : k == 2 ? 0.4f : 1.4f;
            lap.start_aside = k == 2 ? 16.0f : 0.0f;
            lap.start_speed = k == 3 ? 15.0f : 0.0f;
            snprintf(name, sizeof name, "%s on %s, start %d", cars[i], tracks[i], k);
            recover_from(&lap, 30.0, name);
        }
        close_pace();
    }
}

static void nose_to_a_wall_it_backs_out(void** state) {
    (void)state;
    kerb_host host = kerb_host_default();
    for (int32_t i = 0; i < CARS; i++) {
        open_pace("vamos", false, cars[i]);
        kerb_scene_race_ground walled;
        kerb_scene_race_ground_settings settings = kerb_scene_race_ground_settings_default();
        settings.wall_distance = 1.0f;
        assert_int_equal(kerb_scene_race_ground_create(&walled, &pace.path, &settings, &host, NULL),
                         KERB_OK);
        kerb_scene_race_lap lap = kerb_scene_race_pace_lap(&pace);
        lap.ground = &walled;
        lap.laps = 1;
        lap.start_heading = i % 2 == 0 ? 1.5f : -1.3f;
        lap.start_aside = i % 2 == 0 ? 3.0f : -3.0f;
        recover_from(&lap, 20.0, cars[i]);
        kerb_scene_race_ground_destroy(&walled);
        close_pace();
    }
}

static void on_its_roof_or_side_it_asks_at_once_and_turns_no_wheel(void** state) {
    (void)state;
    open_pace("vamos", false, "road");
    const kerb_line_point* start = &pace.line.points[0];
    for (int32_t i = 0; i < 3; i++) {
        kerb_racer racer = kerb_racer_make(&pace.model.vehicle);
        kerb_motion motion = kerb_motion_default();
        motion.position = kerb_vec3_make((float)start->x, (float)start->y, (float)start->z + 0.5f);
        motion.rotation = kerb_quat_from_angles(start->heading, 0.0f,
                                                i == 0   ? 3.1f
                                                : i == 1 ? 1.5f
                                                         : -1.6f);
        int32_t frames = 0;
        kerb_controls controls = {.gear = 0};
        for (; frames < 120 && controls.reason != KERB_REASON_TELEPORT; frames++) {
            controls = kerb_racer_drive(&racer, &pace.line, &motion, NULL, 1.0f / 60.0f);
            assert_true(controls.throttle == 0.0f);
        }
        assert_true(controls.reason == KERB_REASON_TELEPORT);
        // Still sliding along it waits.
        motion.velocity = kerb_vec3_make(0.0f, 9.0f, 0.0f);
        controls = kerb_racer_drive(&racer, &pace.line, &motion, NULL, 1.0f / 60.0f);
        assert_true(controls.reason != KERB_REASON_TELEPORT && controls.throttle == 0.0f);
        // Put back on its wheels it drives off.
        motion.velocity = kerb_vec3_make(0.0f, 0.0f, 0.0f);
        motion.rotation = kerb_quat_from_heading(start->heading);
        for (int32_t k = 0; k < 30; k++)
            controls = kerb_racer_drive(&racer, &pace.line, &motion, NULL, 1.0f / 60.0f);
        assert_true(controls.throttle > 0.0f && controls.gear == 1);
    }
    close_pace();
}

int race_pace_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_car_comes_near_its_profile_on_every_track_in_both_directions),
        cmocka_unit_test(round_hairpins_the_wheel_turns_without_jerks),
        cmocka_unit_test(twenty_laps_in_a_row_stay_on_the_track),
        cmocka_unit_test(cars_that_nobody_has_seen_are_driven_as_well),
        cmocka_unit_test(steering_by_the_pole_it_stays_on_the_track_with_every_car),
        cmocka_unit_test(off_its_line_it_stays_on_the_track_too),
        cmocka_unit_test(without_anti_lock_brakes_and_traction_control_it_laps),
        cmocka_unit_test(wheels_that_are_told_do_not_lock_for_long),
        cmocka_unit_test(wheels_that_lock_unseen_are_felt_and_planned_for),
        cmocka_unit_test(front_wheels_that_spin_unseen_do_not_push_it_off_the_track),
        cmocka_unit_test(driven_wheels_spin_less_where_the_rear_slips_aside),
        cmocka_unit_test(a_car_that_drifts_little_is_not_taken_for_one_that_slips_nowhere),
        cmocka_unit_test(a_car_too_fast_for_a_bend_slows_down_before_it_turns_with_all_it_has),
        cmocka_unit_test(thirty_calls_a_second_and_a_frame_late_it_laps_as_well),
        cmocka_unit_test(from_rest_every_car_is_near_what_its_tyres_hold),
        cmocka_unit_test(it_turns_round_comes_back_and_catches_spins_with_every_car),
        cmocka_unit_test(nose_to_a_wall_it_backs_out),
        cmocka_unit_test(on_its_roof_or_side_it_asks_at_once_and_turns_no_wheel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
