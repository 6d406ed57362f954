// The racing driver among its like, in sim/: whole fields of cars, and slipstream.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "scene/race/race.h"
#include "test/racer/race_rig.h"
#include "test/racer/racer_show.h"
#include "test/seed.h"

// ------------------------------------------------------------------- in sim/, among its like

static kerb_scene_race_settings race_of(int32_t cars, int32_t laps) {
    kerb_scene_race_settings settings =
        kerb_scene_race_settings_default(&stage.line, &stage.ground, &stage.model);
    settings.performances = &stage.limits.performance;
    settings.cars = cars;
    settings.laps = laps;
    settings.time_most = 300.0;
    return settings;
}

static void slower(void* context, int32_t car, kerb_racer* racer) {
    (void)context;
    racer->settings.grip_used *= 1.0f - 0.15f * (float)car;
    racer->settings.braking_used *= 1.0f - 0.15f * (float)car;
}

static void equal_cars_race_cleanly_from_the_grid_on(void** state) {
    (void)state;
    for (uint64_t seed = 0; seed < 4; seed++) {
        kerb_scene_race race;
        kerb_error error;
        kerb_scene_race_settings settings = race_of(8, 2);
        settings.seed = seed;
        assert_int_equal(kerb_scene_race_create(&race, &settings, &host, &error), KERB_OK);
        while (kerb_scene_race_step(&race)) {
        }
        assert_int_equal(race.finished, 8);
        for (int32_t i = 0; i < 8; i++)
            assert_true(race.cars[i].outside_most < 0.0f);
        assert_int_equal(race.contacts->hard_contacts, 0);
        assert_in_range(race.contacts->contacts, 0, 1);
        kerb_scene_race_destroy(&race);
    }
}

// A car that is behind another loses some time where that one brakes before it does, but it takes
// the bends as fast as he does.
static void following_an_equal_car_costs_little(void** state) {
    (void)state;
    kerb_scene_race race;
    kerb_error error;
    kerb_scene_race_settings settings = race_of(4, 6);
    assert_int_equal(kerb_scene_race_create(&race, &settings, &host, &error), KERB_OK);
    while (kerb_scene_race_step(&race)) {
    }
    for (int32_t car = 0; car < 4; car++)
        for (int32_t lap = 3; lap < 6; lap++)
            if (kerb_scene_race_lap_time(&race, car, lap) >
                1.015 * race.cars[race.order[0]].best_lap)
                fail_msg("car %d, lap %d: %.2f s, the fastest %.2f s", (int)car, (int)lap,
                         kerb_scene_race_lap_time(&race, car, lap),
                         race.cars[race.order[0]].best_lap);
    kerb_scene_race_destroy(&race);
}

// A queue whose fastest is last: they come through. Single races differ.
static void a_field_that_starts_in_the_wrong_order_sorts_itself(void** state) {
    (void)state;
    double sum = 0.0;
    const int32_t races = test_share(3, 1);
    for (int32_t i = 0; i < races; i++) {
        kerb_scene_race race;
        kerb_error error;
        kerb_scene_race_settings settings = race_of(8, 14);
        float skills[8];
        for (int32_t k = 0; k < 8; k++)
            skills[k] = 0.6f + 0.4f * (float)k / 7.0f;
        settings.skills = skills;
        settings.seed = (uint64_t)i;
        settings.order = KERB_SCENE_RACE_ORDER_REVERSE;
        settings.time_most = 900.0;
        assert_int_equal(kerb_scene_race_create(&race, &settings, &host, &error), KERB_OK);
        while (kerb_scene_race_step(&race)) {
        }
        sum += rank_correlation(&race);
        assert_in_range(race.contacts->hard_contacts, 0, 1);
        kerb_scene_race_destroy(&race);
    }
    if (!(sum / races > 0.5))
        fail_msg("rank correlation %.2f", sum / races);
}

// Two cars fit side by side into the hairpin at its end, twenty come.
static void a_full_grid_sorts_itself_out_before_a_hairpin(void** state) {
    (void)state;
    kerb_scene_race_stage tight;
    oval(&tight, 400.0, 22.0, 6.0);
    int32_t hard = 0, off = 0;
    for (int32_t n = 0; n < test_share(8, 2); n++) {
        kerb_scene_race race;
        kerb_error error;
        kerb_scene_race_settings settings =
            kerb_scene_race_settings_default(&tight.line, &tight.ground, &tight.model);
        settings.performances = &tight.limits.performance;
        settings.cars = 20;
        settings.seed = (uint64_t)n;
        settings.time_most = 30.0;
        assert_int_equal(kerb_scene_race_create(&race, &settings, &host, &error), KERB_OK);
        while (kerb_scene_race_step(&race)) {
        }
        // The last of them is round it, too: they are no queue that stands.
        assert_true(race.cars[race.order[19]].progress > 300.0);
        hard += race.contacts->hard_contacts > 0;
        for (int32_t i = 0; i < 20; i++)
            off += race.cars[i].outside_most > 0.0f;
        kerb_scene_race_destroy(&race);
    }
    assert_in_range(hard, 0, 1);
    assert_int_equal(off, 0);
    kerb_scene_race_stage_free(&tight);
}

// How far a car turns its wheels in a second while it is slower than 10 m/s. [1/s]
static double turned_by_second(const kerb_scene_race_stage* on, uint64_t seed) {
    kerb_scene_race race;
    kerb_error error;
    kerb_scene_race_settings settings =
        kerb_scene_race_settings_default(&on->line, &on->ground, &on->model);
    settings.performances = &on->limits.performance;
    settings.cars = 20;
    settings.seed = seed;
    settings.time_most = 6.0;
    assert_int_equal(kerb_scene_race_create(&race, &settings, &host, &error), KERB_OK);
    double turned = 0.0, time = 0.0;
    float before[20] = {0};
    while (kerb_scene_race_step(&race)) {
        for (int32_t i = 0; i < 20; i++) {
            const kerb_scene_race_car* car = &race.cars[i];
            double change = (double)car->controls.steering - (double)before[i];
            before[i] = car->controls.steering;
            if (kerb_vec3_length(car->motion.velocity) > 10.0f)
                continue;
            turned += change < 0.0 ? -change : change;
            time += 1.0 / 60.0;
        }
    }
    kerb_scene_race_destroy(&race);
    return turned / time;
}

// A way that is laid anew ten times a second under cars that hardly roll must not turn them more
// each time.
static void a_grid_drives_off_calmly(void** state) {
    (void)state;
    kerb_scene_race_stage tight;
    oval(&tight, 400.0, 22.0, 6.0);
    double sum = 0.0;
    for (uint64_t seed = 0; seed < 4; seed++)
        sum += turned_by_second(&tight, seed);
    if (!(sum / 4.0 < 0.9))
        fail_msg("the wheels turn by %.2f of their lock a second", sum / 4.0);
    kerb_scene_race_stage_free(&tight);
}

static void faster_cars_come_through_from_behind_cleanly(void** state) {
    (void)state;
    kerb_scene_race race;
    kerb_error error;
    kerb_scene_race_settings settings = race_of(3, 8);
    settings.prepare = slower;
    float skills[3] = {1.0f, 0.9f, 0.8f};
    settings.skills = skills;
    settings.order = KERB_SCENE_RACE_ORDER_REVERSE;
    assert_int_equal(kerb_scene_race_create(&race, &settings, &host, &error), KERB_OK);
    while (kerb_scene_race_step(&race)) {
    }
    for (int32_t place = 1; place <= 3; place++)
        assert_int_equal(kerb_scene_race_result_at(&race, place).driver, place - 1);
    assert_int_equal(race.contacts->hard_contacts, 0);
    kerb_scene_race_destroy(&race);
}

// Watches how two that started side by side go through the bend.
typedef struct duel {
    int32_t side_by_side, touching; // steps
} duel;

static void watch_duel(void* context, const kerb_scene_race* race) {
    duel* d = context;
    const kerb_scene_race_car *a = &race->cars[0], *b = &race->cars[1];
    bool bend = kerb_abs(a->racer.decision.line_curvature) > 0.005f;
    bool beside = fabs(a->progress - b->progress) < (double)stage.model.vehicle.length;
    d->side_by_side += bend && beside;
    d->touching += kerb_scene_race_contacts_touching(race->contacts, 0, 1);
}

static void two_side_by_side_go_through_bends_without_touching(void** state) {
    (void)state;
    kerb_scene_race race;
    kerb_error error;
    duel d = {0, 0};
    kerb_scene_race_settings settings = race_of(2, 3);
    settings.grid_spacing = 0.5f;
    settings.watch = watch_duel;
    settings.context = &d;
    assert_int_equal(kerb_scene_race_create(&race, &settings, &host, &error), KERB_OK);
    while (kerb_scene_race_step(&race)) {
    }
    assert_true(d.side_by_side > 60);
    assert_int_equal(d.touching, 0);
    assert_true(race.cars[0].outside_most < 0.0f && race.cars[1].outside_most < 0.0f);
    kerb_scene_race_destroy(&race);
}

// ------------------------------------------------------------------- slipstream

static void half_of_a_slipstream_is_left_at_its_length_a_third_at_twice_that(void** state) {
    (void)state;
    assert_near((double)kerb_slipstream(0.4f, 20.0f, 0.0f, 0.0f), 0.4, 1e-6);
    assert_near((double)kerb_slipstream(0.4f, 20.0f, 20.0f, 0.0f), 0.2, 1e-6);
    assert_near((double)kerb_slipstream(0.3f, 20.0f, 40.0f, 0.0f), 0.1, 1e-6);
    assert_near((double)kerb_slipstream(0.4f, 20.0f, 20.0f, -0.5f), 0.1, 1e-6);
    // Nothing from a car's width aside on.
    assert_true(kerb_slipstream(0.4f, 20.0f, 5.0f, 1.0f) == 0.0f);
    // Beside and before him there is none, nor for numbers that are none.
    assert_true(kerb_slipstream(0.4f, 20.0f, -1.0f, 0.0f) == 0.0f);
    assert_true(kerb_slipstream(0.4f, 20.0f, NAN, 0.0f) == 0.0f);
    assert_true(kerb_slipstream(0.4f, 0.0f, 5.0f, 0.0f) == 0.0f);
}

// The strongest tow of the one behind while the one before it has none.
static void watch_tow(void* context, const kerb_scene_race* race) {
    float* tow = context;
    const kerb_scene_race_car *a = &race->cars[0], *b = &race->cars[1];
    if (a->progress < b->progress)
        return;
    *tow = kerb_max(*tow, b->tow);
    if (a->progress > b->progress + (double)stage.model.vehicle.length)
        assert_true(a->tow == 0.0f);
}

static float strongest_tow(float slipstream) {
    kerb_scene_race race;
    kerb_error error;
    float tow = 0.0f;
    kerb_scene_race_settings settings = race_of(2, 2);
    settings.slipstream = slipstream;
    settings.watch = watch_tow;
    settings.context = &tow;
    assert_int_equal(kerb_scene_race_create(&race, &settings, &host, &error), KERB_OK);
    while (kerb_scene_race_step(&race)) {
    }
    assert_int_equal(race.contacts->hard_contacts, 0);
    kerb_scene_race_destroy(&race);
    return tow;
}

static void there_is_a_slipstream_only_where_it_is_asked_for(void** state) {
    (void)state;
    assert_true(strongest_tow(0.0f) == 0.0f);
    float tow = strongest_tow(0.4f);
    assert_true(tow > 0.1f && tow <= 0.4f);
}

int racer_field_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(following_an_equal_car_costs_little),
        cmocka_unit_test(a_field_that_starts_in_the_wrong_order_sorts_itself),
        cmocka_unit_test(equal_cars_race_cleanly_from_the_grid_on),
        cmocka_unit_test(a_full_grid_sorts_itself_out_before_a_hairpin),
        cmocka_unit_test(a_grid_drives_off_calmly),
        cmocka_unit_test(faster_cars_come_through_from_behind_cleanly),
        cmocka_unit_test(two_side_by_side_go_through_bends_without_touching),
        cmocka_unit_test(half_of_a_slipstream_is_left_at_its_length_a_third_at_twice_that),
        cmocka_unit_test(there_is_a_slipstream_only_where_it_is_asked_for),
    };
    return cmocka_run_group_tests(tests, open_stage, close_stage);
}
