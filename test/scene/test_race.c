// A whole race: what its header says of grids, laps, places, overtakes, flags and putting back.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "scene/race/race.h"
#include "scene/race/race_lap.h"
#include "scene/race/race_stage.h"
#include "scene/race/tracks.h"
#include "test/line_rig.h"
#include "test/seed.h"

static kerb_scene_race_stage stage;
static kerb_sim_model models[2]; // gt, truck
static kerb_scene_race race;
static kerb_host host;

static int open_stage(void** state) {
    (void)state;
    kerb_error error;
    kerb_scene_track track;
    host = kerb_host_default();
    assert_int_equal(kerb_scene_track_make("vamos", &host, &track, &error), KERB_OK);
    assert_true(kerb_sim_model_named("gt", &models[0]) &&
                kerb_sim_model_named("truck", &models[1]));
    kerb_scene_race_stage_settings settings = kerb_scene_race_stage_settings_default();
    settings.method = KERB_LINE_CURVATURE;
    settings.margin = 1.0f; // room for the truck too
    assert_int_equal(kerb_scene_race_stage_build(&stage, track.waypoints, track.count, &models[0],
                                                 &settings, &host, &error),
                     KERB_OK);
    kerb_scene_track_free(&track, &host);
    return 0;
}

static int close_stage(void** state) {
    (void)state;
    kerb_scene_race_stage_free(&stage);
    return 0;
}

static kerb_scene_race_settings race_of(int32_t cars, int32_t laps) {
    kerb_scene_race_settings settings =
        kerb_scene_race_settings_default(&stage.line, &stage.ground, &stage.model);
    settings.cars = cars;
    settings.laps = laps;
    settings.time_most = 400.0;
    return settings;
}

static void begin(const kerb_scene_race_settings* settings) {
    kerb_error error;
    if (kerb_scene_race_create(&race, settings, &host, &error) != KERB_OK)
        fail_msg("%s: %s", error.field, error.message);
}

static void run(const kerb_scene_race_settings* settings) {
    begin(settings);
    while (kerb_scene_race_step(&race)) {
    }
}

// ------------------------------------------------------------------- the grid

static double apart(const kerb_scene_race_car* a, const kerb_scene_race_car* b) {
    double x = (double)(a->motion.position.x - b->motion.position.x);
    double y = (double)(a->motion.position.y - b->motion.position.y);
    return sqrt(x * x + y * y);
}

static void the_grid_stands_behind_the_line_in_two_columns_in_order(void** state) {
    (void)state;
    kerb_scene_race_settings settings = race_of(20, 1);
    settings.grid_jitter = 0.0f;
    begin(&settings);
    float front = stage.model.vehicle.reference_to_front;
    for (int32_t i = 0; i < 20; i++) {
        const kerb_scene_race_car* car = &race.cars[i];
        assert_int_equal(car->start_place, i + 1);
        assert_near(car->progress, -(1.0 + 8.0 * (double)i) - (double)front, 0.5);
        assert_true(car->outside < -0.5f * stage.model.vehicle.width); // no wheel on the grass
        assert_true((car->on.foot.offset > 0.0) == (i % 2 == 0));
        for (int32_t k = 0; k < i; k++)
            assert_true(apart(car, &race.cars[k]) > 5.0);
        // Facing along the track, at rest, on the ground.
        kerb_path_sample p = kerb_path_sample_at(&stage.path, car->on.location);
        kerb_vec3 forward = kerb_quat_forward(car->motion.rotation);
        assert_true(kerb_vec3_dot(forward, p.direction) > 0.999f);
        assert_near((double)kerb_vec3_length(car->motion.velocity), 0.0, 1e-6);
    }
    kerb_scene_race_destroy(&race);
}

static void a_reverse_grid_has_the_least_skill_in_front(void** state) {
    (void)state;
    static const float skills[] = {0.7f, 1.0f, 0.6f, 0.9f, 0.6f};
    static const int32_t places[] = {3, 5, 2, 4, 1}; // of equal ones the highest number first
    kerb_scene_race_settings settings = race_of(5, 1);
    settings.skills = skills;
    settings.order = KERB_SCENE_RACE_ORDER_REVERSE;
    begin(&settings);
    for (int32_t i = 0; i < 5; i++)
        assert_int_equal(race.cars[i].start_place, places[i]);
    kerb_scene_race_destroy(&race);
}

static void where_the_track_is_narrow_the_grid_is_one_column(void** state) {
    (void)state;
    line_rig rig;
    rig_circle(&rig, 150.0, 2.0);
    kerb_error error;
    kerb_scene_race_stage narrow;
    kerb_scene_race_stage_settings how = kerb_scene_race_stage_settings_default();
    how.method = KERB_LINE_CURVATURE;
    assert_int_equal(kerb_scene_race_stage_build(&narrow, rig.waypoints, rig.count, &models[0],
                                                 &how, &host, &error),
                     KERB_OK);
    kerb_scene_race_settings settings =
        kerb_scene_race_settings_default(&narrow.line, &narrow.ground, &models[0]);
    settings.cars = 8;
    settings.grid_jitter = 0.0f;
    settings.grid_spacing = 2.0f; // nose to tail there is more
    begin(&settings);
    for (int32_t i = 0; i < 8; i++) {
        assert_near(race.cars[i].on.foot.offset, 0.0, 0.05);
        if (i > 0)
            assert_near(race.cars[i - 1].progress - race.cars[i].progress,
                        (double)models[0].vehicle.length + 3.0, 0.1);
    }
    kerb_scene_race_destroy(&race);
    kerb_scene_race_stage_free(&narrow);
    rig_end(&rig);
}

static void a_random_grid_holds_everybody_and_depends_on_the_seed(void** state) {
    (void)state;
    int32_t places[2][20], differ = 0;
    for (int32_t seed = 0; seed < 2; seed++) {
        kerb_scene_race_settings settings = race_of(20, 1);
        settings.order = KERB_SCENE_RACE_ORDER_RANDOM;
        settings.seed = (uint64_t)seed;
        begin(&settings);
        bool taken[21] = {false};
        for (int32_t i = 0; i < 20; i++) {
            places[seed][i] = race.cars[i].start_place;
            assert_false(taken[places[seed][i]]);
            taken[places[seed][i]] = true;
        }
        kerb_scene_race_destroy(&race);
    }
    for (int32_t i = 0; i < 20; i++)
        differ += places[0][i] != places[1][i];
    assert_true(differ > 10);
}

// ------------------------------------------------------------------- laps

static void alone_it_laps_as_fast_as_a_lap_alone(void** state) {
    (void)state;
    kerb_scene_race_settings settings = race_of(1, 4);
    settings.performances = &stage.limits.performance;
    run(&settings);
    kerb_scene_race_lap lap = kerb_scene_race_lap_default(&stage.line, &stage.ground, &stage.model);
    lap.racer.performance = stage.limits.performance;
    lap.laps = 4;
    kerb_scene_race_lap_result alone;
    kerb_scene_race_lap_run(&lap, &alone);
    kerb_scene_race_result result = kerb_scene_race_result_at(&race, 1);
    assert_int_equal(result.laps, 4);
    assert_true(result.finished);
    assert_int_equal(result.driver, 0);
    // Counted at the centre line's start here, at the line's there, and frames fall differently.
    assert_near(result.best_lap, alone.best, 0.03);
    kerb_scene_race_destroy(&race);
}

static void laps_add_up_and_places_follow_from_them(void** state) {
    (void)state;
    kerb_scene_race_settings settings = race_of(6, 2);
    run(&settings);
    assert_int_equal(race.finished, 6);
    double before = 0.0;
    for (int32_t place = 1; place <= 6; place++) {
        kerb_scene_race_result result = kerb_scene_race_result_at(&race, place);
        double sum = 0.0, best = 1e9;
        for (int32_t lap = 0; lap < result.laps; lap++) {
            double time = kerb_scene_race_lap_time(&race, result.driver, lap);
            sum += time;
            best = time < best ? time : best;
        }
        assert_near(sum, result.total, 1e-9);
        assert_near(best, result.best_lap, 0.0);
        assert_true(result.total >= before);
        assert_int_equal(race.cars[result.driver].place, place);
        before = result.total;
    }
    assert_near(race.flag, kerb_scene_race_result_at(&race, 1).total, 0.0);
    assert_near(kerb_scene_race_result_at(&race, 6).gap, before - race.flag, 1e-12);
    kerb_scene_race_destroy(&race);
}

static void slow(void* context, int32_t car, kerb_racer* racer) {
    (void)context;
    if (car == 1)
        racer->settings.grip_used = 0.3f; // so slow that it is lapped
}

static void who_is_lapped_finishes_on_the_lap_it_is_in(void** state) {
    (void)state;
    kerb_scene_race_settings settings = race_of(2, 6);
    settings.prepare = slow;
    run(&settings);
    kerb_scene_race_result first = kerb_scene_race_result_at(&race, 1),
                           last = kerb_scene_race_result_at(&race, 2);
    assert_int_equal(first.laps, 6);
    assert_true(first.finished && last.finished);
    assert_true(last.laps < 6);
    assert_true(last.total > first.total);
    // One lap more would have taken it past the flag: it was in that lap when it fell.
    double lap = kerb_scene_race_lap_time(&race, last.driver, last.laps - 1);
    assert_true(last.total - lap < first.total);
    assert_near(last.gap, 0.0, 0.0);
    assert_true(race.lappings >= 6 - last.laps - 1);
    kerb_scene_race_destroy(&race);
}

static void the_time_limit_ends_a_race_that_nobody_finished(void** state) {
    (void)state;
    kerb_scene_race_settings settings = race_of(3, 50);
    settings.time_most = 20.0;
    run(&settings);
    assert_near(race.time, 20.0, 0.1);
    assert_false(kerb_scene_race_step(&race)); // and it stays over
    assert_int_equal(race.finished, 0);
    for (int32_t place = 1; place <= 3; place++) {
        kerb_scene_race_result result = kerb_scene_race_result_at(&race, place);
        assert_false(result.finished);
        assert_int_equal(result.place, place);
        assert_near(result.total, race.time, 0.0);
        if (place > 1)
            assert_true(race.cars[race.order[place - 2]].progress >=
                        race.cars[race.order[place - 1]].progress);
    }
    kerb_scene_race_destroy(&race);
}

static void an_open_track_is_raced_from_end_to_end(void** state) {
    (void)state;
    line_rig rig;
    rig_u_turn(&rig, 300.0, 60.0, 7.0);
    kerb_error error;
    kerb_scene_race_stage open;
    kerb_scene_race_stage_settings how = kerb_scene_race_stage_settings_default();
    how.closed = false;
    how.method = KERB_LINE_CURVATURE;
    assert_int_equal(kerb_scene_race_stage_build(&open, rig.waypoints, rig.count, &models[0], &how,
                                                 &host, &error),
                     KERB_OK);
    kerb_scene_race_settings settings =
        kerb_scene_race_settings_default(&open.line, &open.ground, &models[0]);
    settings.cars = 4;
    settings.time_most = 200.0;
    run(&settings);
    assert_int_equal(race.finished, 4);
    for (int32_t i = 0; i < 4; i++)
        assert_int_equal(race.cars[i].laps, 1);
    kerb_scene_race_destroy(&race);
    settings.laps = 2;
    assert_int_equal(kerb_scene_race_create(&race, &settings, &host, &error),
                     KERB_ERROR_OUT_OF_RANGE);
    assert_string_equal(error.field, "laps");
    kerb_scene_race_stage_free(&open);
    rig_end(&rig);
}

// ------------------------------------------------------------------- overtakes

enum { FRAMES = 13000, CARS = 6 };

// All that counts of every frame, and the same sums from them as from a photograph.
typedef struct history {
    double progress[FRAMES][CARS];
    bool trouble[FRAMES][CARS], touching[FRAMES][CARS][CARS];
    int32_t frames;
} history;

static history seen;

static void remember(void) {
    assert_true(seen.frames < FRAMES);
    for (int32_t i = 0; i < CARS; i++) {
        const kerb_scene_race_car* car = &race.cars[i];
        seen.progress[seen.frames][i] = car->progress;
        seen.trouble[seen.frames][i] =
            car->outside > 0.0f || car->phase != KERB_RACER_DRIVING || car->waits > 0.0f;
        for (int32_t k = 0; k < i; k++) {
            const kerb_scene_race_touch* touch = &race.contacts->pairs[i * (i - 1) / 2 + k];
            seen.touching[seen.frames][i][k] = touch->lasts && touch->since < 1.0f / 60.0f;
        }
    }
    seen.frames++;
}

static bool touched(int32_t i, int32_t k, int32_t from, int32_t to) {
    for (int32_t f = from < 0 ? 0 : from; f <= to && f < seen.frames; f++)
        if (seen.touching[f][i][k])
            return true;
    return false;
}

// Goes over a pair's history from change to change of who is ahead.
static void count_by_hand(int32_t i, int32_t k, int32_t* overtakes, int32_t* clean) {
    bool ahead = seen.progress[0][i] >= seen.progress[0][k], now = ahead;
    int32_t since = 0;
    for (int32_t f = 1; f < seen.frames; f++) {
        bool is = seen.progress[f][i] >= seen.progress[f][k];
        if (is != now) {
            now = is;
            since = f;
        }
        if (now == ahead || f - since < 120)
            continue;
        ahead = now;
        if (seen.trouble[since][now ? k : i])
            continue;
        ++*overtakes;
        *clean += !touched(i, k, since - 120, since + 120);
    }
}

static void race_and_remember(uint64_t seed, const float* grips) {
    kerb_scene_race_settings settings = race_of(CARS, 20);
    settings.time_most = 200.0;
    settings.seed = seed;
    begin(&settings);
    for (int32_t i = 0; i < CARS; i++)
        race.cars[i].racer.settings.grip_used = race.cars[i].racer.settings.skill = grips[i];
    memset(&seen, 0, sizeof seen);
    do
        remember();
    while (kerb_scene_race_step(&race));
    remember();
}

// Faster ones behind; and equal ones in one another's way, who pass for a moment only.
static void overtakes_are_changes_of_the_order_that_hold_for_two_seconds(void** state) {
    (void)state;
    static const float grips[2][CARS] = {{0.6f, 0.68f, 0.76f, 0.84f, 0.92f, 0.98f},
                                         {0.95f, 0.97f, 0.95f, 0.97f, 0.95f, 0.97f}};
    int32_t all = 0; // equal ones seldom find a way past
    for (uint64_t seed = 0; seed < 4; seed++) {
        race_and_remember(seed, grips[seed % 2]);
        int32_t overtakes = 0, clean = 0, by = 0, of = 0;
        for (int32_t i = 1; i < CARS; i++)
            for (int32_t k = 0; k < i; k++)
                count_by_hand(i, k, &overtakes, &clean);
        for (int32_t i = 0; i < CARS; i++) {
            by += race.cars[i].overtakes;
            of += race.cars[i].overtaken;
        }
        all += overtakes;
        assert_int_equal(race.overtakes, overtakes);
        assert_int_equal(race.overtakes_clean, clean);
        assert_int_equal(by, overtakes);
        assert_int_equal(of, overtakes);
        kerb_scene_race_destroy(&race);
    }
    assert_true(all > 0);
}

static void drive_on(double seconds) {
    for (double end = race.time + seconds - 1e-3; race.time < end;)
        kerb_scene_race_step(&race);
}

// As if the one had gone round the other.
static void swap_cars(void) {
    kerb_scene_race_car *a = &race.cars[0], *b = &race.cars[1];
    kerb_sim_body one = race.physics->body(race.group, 0),
                  other = race.physics->body(race.group, 1);
    kerb_scene_race_place place = a->on;
    race.physics->set_body(race.group, 0, &other);
    a->on = b->on;
    race.physics->set_body(race.group, 1, &one);
    b->on = place;
}

// So far apart that nobody touches anybody.
static void begin_with_two(void) {
    kerb_scene_race_settings settings = race_of(2, 20);
    settings.grid_spacing = 60.0f;
    begin(&settings);
    drive_on(8.0);
}

static void a_pass_counts_when_it_has_held_for_two_seconds_and_not_before(void** state) {
    (void)state;
    static const double held[] = {1.9, 2.1};
    for (int32_t i = 0; i < 2; i++) {
        begin_with_two();
        swap_cars();
        drive_on(held[i]);
        swap_cars();
        drive_on(4.0);
        assert_int_equal(race.overtakes, 2 * i); // there and back
        assert_int_equal(race.cars[0].overtakes, i);
        assert_int_equal(race.cars[1].overtaken, i);
        kerb_scene_race_destroy(&race);
    }
}

static void a_contact_up_to_two_seconds_before_or_after_belongs_to_a_pass(void** state) {
    (void)state;
    static const double before[] = {2.3, 1.7, -1.7, -2.3}; // negative: after
    for (int32_t i = 0; i < 4; i++) {
        begin_with_two();
        double waits = before[i] < 0.0 ? -before[i] : before[i];
        if (before[i] < 0.0)
            swap_cars();
        else
            race.contacts->pairs[0] = (kerb_scene_race_touch){.since = -1e-3f, .lasts = true};
        drive_on(waits);
        if (before[i] < 0.0)
            race.contacts->pairs[0] = (kerb_scene_race_touch){.since = -1e-3f, .lasts = true};
        else
            swap_cars();
        drive_on(3.0);
        assert_int_equal(race.overtakes, 1);
        assert_int_equal(race.overtakes_clean, i == 0 || i == 3);
        kerb_scene_race_destroy(&race);
    }
}

static void laps_end_where_the_line_is_crossed_between_two_steps(void** state) {
    (void)state;
    static const float grips[CARS] = {0.9f, 0.9f, 0.9f, 0.9f, 0.9f, 0.9f};
    race_and_remember(9, grips);
    int32_t laps = 0;
    for (int32_t car = 0; car < CARS; car++)
        for (int32_t lap = 0; lap < race.cars[car].laps; lap++, laps++) {
            double line = race.length * (double)(lap + 1);
            int32_t f = 1;
            while (seen.progress[f][car] < line)
                f++;
            double from = seen.progress[f - 1][car], to = seen.progress[f][car];
            double crossed = ((double)(f - 1) + (line - from) / (to - from)) / 60.0;
            assert_near(kerb_scene_race_lap_end(&race, car, lap), crossed, 1e-4);
        }
    assert_true(laps > CARS);
    kerb_scene_race_destroy(&race);
}

// ------------------------------------------------------------------- trouble

static void who_is_stuck_for_good_is_put_back_and_goes_on(void** state) {
    (void)state;
    kerb_scene_race_settings settings = race_of(2, 1);
    begin(&settings);
    for (int32_t i = 0; i < 600; i++)
        kerb_scene_race_step(&race);
    kerb_sim_body wedged = race.physics->body(race.group, 1);
    wedged.forward = wedged.side = wedged.yaw_rate = 0.0f;
    double stuck_at = race.cars[1].progress;
    while (race.cars[1].put_back == 0 && kerb_scene_race_step(&race))
        if (race.cars[1].put_back == 0)
            race.physics->set_body(race.group, 1, &wedged);
    assert_int_equal(race.cars[1].put_back, 1);
    assert_near(race.cars[1].progress, stuck_at, 5.0); // neither forwards nor back
    assert_true(race.cars[1].outside < -1.0f);
    while (kerb_scene_race_step(&race)) {
    }
    assert_int_equal(race.finished, 2);
    assert_int_equal(race.cars[1].put_back, 1);
    kerb_scene_race_destroy(&race);
}

// ------------------------------------------------------------------- interface

static uint64_t hash_of(void) {
    uint64_t hash = 1469598103934665603u;
    for (int32_t i = 0; i < race.count; i++) {
        uint32_t bits[3];
        memcpy(bits, &race.cars[i].motion.position, sizeof bits);
        for (int32_t k = 0; k < 3; k++)
            hash = (hash ^ bits[k]) * 1099511628211u;
    }
    return hash;
}

static uint64_t ticks;

static uint64_t tick(void) {
    return ticks += 1000;
}

// Reading it takes 50 ns, as its first 128 readings show; calls seem to take 1,000 ns more.
static uint64_t slow_ticks;

static uint64_t slow_tick(void) {
    slow_ticks++;
    return slow_ticks * 50 + (slow_ticks > 128 ? slow_ticks * 1000 : 0);
}

static void the_same_seed_gives_the_same_race_to_the_bit(void** state) {
    (void)state;
    uint64_t hash[3];
    for (int32_t i = 0; i < 3; i++) {
        kerb_scene_race_settings settings = race_of(4, 1);
        settings.seed = i == 2 ? 8 : 7;
        settings.clock = i == 1 ? tick : NULL; // which changes nothing
        settings.time_most = 15.0;
        run(&settings);
        hash[i] = hash_of();
        kerb_scene_race_destroy(&race);
    }
    assert_true(hash[0] == hash[1]);
    assert_true(hash[0] != hash[2]);
}

static void drive_calls_are_timed_by_the_callers_clock(void** state) {
    (void)state;
    kerb_scene_race_settings settings = race_of(3, 1);
    settings.time_most = 5.0;
    settings.clock = slow_tick;
    slow_ticks = 0;
    run(&settings);
    assert_int_equal(race.drives.count, 3 * 300);
    assert_near(kerb_scene_race_drive_ns_mean(&race), 1000.0, 1e-9);
    assert_near(kerb_scene_race_drive_ns(&race), 1000.0, 35.0);
    assert_near(kerb_scene_race_drive_ns_below(&race, 0.99), 1000.0, 50.0);
    kerb_scene_race_destroy(&race);
}

static void every_driver_sees_those_near_it(void** state) {
    (void)state;
    kerb_scene_race_settings settings = race_of(20, 1);
    begin(&settings);
    kerb_scene_race_step(&race);
    for (int32_t i = 0; i < 20; i++) {
        int32_t near_it = 0;
        for (int32_t k = 0; k < 20; k++)
            near_it += k != i && apart(&race.cars[i], &race.cars[k]) < 149.0;
        assert_true(race.cars[i].neighbours >= near_it);
        assert_true(race.cars[i].neighbours <= 19);
    }
    kerb_scene_race_destroy(&race);
}

static void wrong_settings_are_named(void** state) {
    (void)state;
    static const float skills[2] = {0.5f, NAN};
    kerb_scene_race_settings wrong[10];
    static const char* const fields[10] = {"cars", "cars",        "laps",      "laps",   "order",
                                           "grip", "drive_every", "time_most", "skills", "cars"};
    for (int32_t i = 0; i < 10; i++)
        wrong[i] = race_of(2, 2);
    wrong[0].cars = 0;
    wrong[1].cars = KERB_SCENE_RACE_CARS_MAX + 1;
    wrong[2].laps = 0;
    wrong[3].laps = KERB_SCENE_RACE_LAPS_MOST + 1;
    wrong[4].order = 3;
    wrong[5].grip = NAN;
    wrong[6].drive_every = 0;
    wrong[7].time_most = (double)NAN;
    wrong[8].skills = skills;
    wrong[9].cars = KERB_SCENE_RACE_CARS_MAX; // 64 places of 40 m do not fit into 1133 m
    wrong[9].grid_spacing = 40.0f;
    for (int32_t i = 0; i < 10; i++) {
        kerb_error error;
        assert_int_equal(kerb_scene_race_create(&race, &wrong[i], &host, &error),
                         KERB_ERROR_OUT_OF_RANGE);
        assert_string_equal(error.field, fields[i]);
        assert_null(race.memory);
    }
}

static void it_allocates_once_and_says_when_memory_is_missing(void** state) {
    (void)state;
    test_allocation allocation = test_allocation_make();
    kerb_host counted = test_allocation_host(&allocation);
    kerb_scene_race_settings settings = race_of(8, 1);
    settings.time_most = 3.0;
    kerb_error error;
    for (int n = 1; test_allocation_fail_next(&allocation, n); n++) {
        kerb_result result = kerb_scene_race_create(&race, &settings, &counted, &error);
        assert_int_equal(result, allocation.failed ? KERB_ERROR_OUT_OF_MEMORY : KERB_OK);
        int32_t calls = allocation.calls;
        while (result == KERB_OK && kerb_scene_race_step(&race)) {
        }
        assert_int_equal(allocation.calls, calls);
        kerb_scene_race_destroy(&race);
        test_allocation_check(&allocation);
    }
    kerb_scene_race_destroy(&race); // harmless
}

static void the_memory_of_a_race_is_as_told(void** state) {
    (void)state;
    static const int32_t cars[] = {1, 64};
    size_t bytes[2];
    for (int32_t i = 0; i < 2; i++) {
        test_allocation allocation = test_allocation_make();
        kerb_host counted = test_allocation_host(&allocation);
        kerb_error error;
        kerb_scene_race_settings settings = race_of(cars[i], 3);
        assert_int_equal(kerb_scene_race_create(&race, &settings, &counted, &error), KERB_OK);
        bytes[i] = allocation.live_bytes;
        kerb_scene_race_destroy(&race);
        test_allocation_check(&allocation);
    }
    double each = (double)(bytes[1] - bytes[0]) / 63.0, rest = (double)bytes[0] - each;
    if (!(rest > 32e3 && rest < 36e3 && each > 27e3 && each < 29e3))
        fail_msg("%.0f bytes, and %.0f a car", rest, each);
}

int race_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_grid_stands_behind_the_line_in_two_columns_in_order),
        cmocka_unit_test(a_reverse_grid_has_the_least_skill_in_front),
        cmocka_unit_test(where_the_track_is_narrow_the_grid_is_one_column),
        cmocka_unit_test(a_random_grid_holds_everybody_and_depends_on_the_seed),
        cmocka_unit_test(alone_it_laps_as_fast_as_a_lap_alone),
        cmocka_unit_test(laps_add_up_and_places_follow_from_them),
        cmocka_unit_test(who_is_lapped_finishes_on_the_lap_it_is_in),
        cmocka_unit_test(the_time_limit_ends_a_race_that_nobody_finished),
        cmocka_unit_test(an_open_track_is_raced_from_end_to_end),
        cmocka_unit_test(overtakes_are_changes_of_the_order_that_hold_for_two_seconds),
        cmocka_unit_test(a_pass_counts_when_it_has_held_for_two_seconds_and_not_before),
        cmocka_unit_test(a_contact_up_to_two_seconds_before_or_after_belongs_to_a_pass),
        cmocka_unit_test(laps_end_where_the_line_is_crossed_between_two_steps),
        cmocka_unit_test(who_is_stuck_for_good_is_put_back_and_goes_on),
        cmocka_unit_test(the_same_seed_gives_the_same_race_to_the_bit),
        cmocka_unit_test(drive_calls_are_timed_by_the_callers_clock),
        cmocka_unit_test(every_driver_sees_those_near_it),
        cmocka_unit_test(wrong_settings_are_named),
        cmocka_unit_test(it_allocates_once_and_says_when_memory_is_missing),
        cmocka_unit_test(the_memory_of_a_race_is_as_told),
    };
    return cmocka_run_group_tests(tests, open_stage, close_stage);
}
