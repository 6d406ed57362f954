// Races of the racing driver in sim/ on real tracks and on the built-in ones: how clean they are,
// how a field sorts itself by skill, and that learning among others does no harm. The real tracks
// are those that may lie in ../shared/data/tracks; where they are not, that is said.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kerb/io/track.h"
#include "scene/race/race.h"
#include "scene/race/race_stage.h"
#include "scene/race/tracks.h"
#include "test/racer/race_rig.h"
#include "test/seed.h"

#include <stdio.h>
#include <stdlib.h>

#define CARS 20
#define TRACKS 6
#define BYTES_MOST 1000000

static const char* const tracks[TRACKS] = {"Spa",         "Monza",       "Norisring",
                                           "Silverstone", "BrandsHatch", "Nuerburgring"};

static kerb_scene_race_stage stage;
static kerb_host host;

static void build_stage(const kerb_waypoint* waypoints, int32_t count, bool closed) {
    kerb_sim_model model;
    kerb_error error;
    kerb_scene_race_stage_settings settings = kerb_scene_race_stage_settings_default();
    settings.closed = closed;
    assert_true(kerb_sim_model_named("gt", &model));
    if (kerb_scene_race_stage_build(&stage, waypoints, count, &model, &settings, &host, &error) !=
        KERB_OK)
        fail_msg("%s: %s", error.field, error.message);
}

static void open_built_in(const char* name) {
    kerb_scene_track track;
    host = kerb_host_default();
    assert_int_equal(kerb_scene_track_make(name, &host, &track, NULL), KERB_OK);
    build_stage(track.waypoints, track.count, track.closed);
    kerb_scene_track_free(&track, &host);
}

// False, and says so, when it is not there.
static bool open_real(const char* name) {
    char file_name[512];
    host = kerb_host_default();
    snprintf(file_name, sizeof file_name, KERB_SOURCE_DIR "/../shared/data/tracks/%s.csv", name);
    FILE* file = fopen(file_name, "rb");
    if (file == NULL) {
        print_message("skipped: ../shared/data/tracks/%s.csv is not there\n", name);
        return false;
    }
    char* text = malloc(BYTES_MOST);
    size_t length = fread(text, 1, BYTES_MOST, file);
    fclose(file);
    kerb_io_track track;
    kerb_error error;
    if (kerb_io_track_read(&track, text, length, &host, NULL, &error) != KERB_OK)
        fail_msg("%s: %s %s", name, error.field, error.message);
    free(text);
    build_stage(track.waypoints, track.count, track.closed);
    kerb_io_track_destroy(&track, &host);
    return true;
}

static kerb_scene_race_settings race_of(int32_t cars, int32_t laps) {
    kerb_scene_race_settings settings =
        kerb_scene_race_settings_default(&stage.line, &stage.ground, &stage.model);
    settings.performances = &stage.limits.performance;
    settings.cars = cars;
    settings.laps = laps;
    settings.time_most = 2000.0;
    return settings;
}

static void run(kerb_scene_race* race, const kerb_scene_race_settings* settings) {
    kerb_error error;
    if (kerb_scene_race_create(race, settings, &host, &error) != KERB_OK)
        fail_msg("%s: %s", error.field, error.message);
    while (kerb_scene_race_step(race)) {
    }
}

static double off_track(const kerb_scene_race* race) {
    double time = 0.0;
    for (int32_t i = 0; i < race->count; i++)
        time += race->cars[i].off_track_time;
    return time;
}

// ------------------------------------------------------------------- equal cars

// Eight equal cars for some laps: all finish, one light contact at most, nobody leaves the track.
static void race_cleanly(const char* track, int32_t laps, uint64_t seed) {
    kerb_scene_race race;
    kerb_scene_race_settings settings = race_of(8, laps);
    settings.seed = seed;
    run(&race, &settings);
    if (race.finished != 8 || race.contacts->contacts > 1 || race.contacts->hard_contacts > 0 ||
        off_track(&race) > 0.0)
        fail_msg("%s, seed %d: %d finish, %d contacts, %d of them hard, %.2f s off the track",
                 track, (int)seed, (int)race.finished, (int)race.contacts->contacts,
                 (int)race.contacts->hard_contacts, off_track(&race));
    kerb_scene_race_destroy(&race);
}

static void equal_cars_race_cleanly_on_the_built_in_tracks(void** state) {
    (void)state;
    static const char* const built_in[3] = {"vamos", "downs", "saucer"};
    for (int32_t i = 0; i < test_share(3, 1); i++) {
        open_built_in(built_in[i]);
        for (uint64_t seed = 0; seed < (uint64_t)test_share(2, 1); seed++)
            race_cleanly(built_in[i], test_share(3, 1), seed);
        kerb_scene_race_stage_free(&stage);
    }
}

static void equal_cars_race_cleanly_on_real_tracks(void** state) {
    (void)state;
    for (int32_t i = 0; i < test_share(TRACKS, 1); i++) {
        if (!open_real(tracks[i]))
            skip();
        race_cleanly(tracks[i], 1, 0);
        kerb_scene_race_stage_free(&stage);
    }
}

// ------------------------------------------------------------------- a field with skills

// The least skill in front: nearly every pair of them has to change places.
static void twenty_from_a_reverse_grid_end_in_the_order_of_their_skill(void** state) {
    (void)state;
    float skills[CARS];
    kerb_scene_race race;
    if (!open_real("Spa"))
        skip();
    kerb_scene_race_settings settings = race_of(CARS, test_share(9, 1));
    for (int32_t i = 0; i < CARS; i++)
        skills[i] = 0.6f + 0.4f * (float)i / (float)(CARS - 1);
    settings.skills = skills;
    settings.order = KERB_SCENE_RACE_ORDER_REVERSE;
    run(&race, &settings);
    double order = rank_correlation(&race);
    assert_int_equal(race.finished, CARS);
    if (!(order > (settings.laps >= 9 ? 0.8 : -1.0))) // at the start it is -1
        fail_msg("rank correlation %.2f after %d overtakes", order, (int)race.overtakes);
    assert_true(race.overtakes > 10 * (settings.laps - 1));
    assert_true(race.overtakes_clean >= 0.95 * race.overtakes);
    assert_in_range(race.contacts->hard_contacts, 0, 1);
    assert_true(off_track(&race) < 1.0);
    kerb_scene_race_destroy(&race);
    kerb_scene_race_stage_free(&stage);
}

// ------------------------------------------------------------------- learning

static void learn(void* context, int32_t car, kerb_racer* racer) {
    (void)car;
    racer->settings.learning = *(const int32_t*)context;
}

// Contacts of six on a ground with so much of the grip that they were told of, over seeds; and how
// long they were off the track.
static int32_t contacts_with(int32_t learning, float grip, double* off) {
    int32_t contacts = 0;
    *off = 0.0;
    for (uint64_t seed = 0; seed < (uint64_t)test_share(3, 1); seed++) {
        kerb_scene_race race;
        kerb_scene_race_settings settings = race_of(6, 5);
        settings.seed = seed;
        settings.grip = grip;
        settings.prepare = learn;
        settings.context = &learning;
        run(&race, &settings);
        contacts += race.contacts->contacts;
        *off += off_track(&race);
        kerb_scene_race_destroy(&race);
    }
    return contacts;
}

static void among_others_who_learns_has_no_more_contacts(void** state) {
    (void)state;
    open_built_in("vamos");
    for (int32_t i = 0; i < test_share(3, 1); i++) {
        float grip = 0.9f + 0.1f * (float)i;
        double learnt_off, off;
        int32_t learnt = contacts_with(1, grip, &learnt_off);
        int32_t plain = contacts_with(0, grip, &off);
        if (!(learnt <= plain && learnt_off <= off + 1.0))
            fail_msg("grip %.1f: %d contacts, %.1f s off the track; learning %d, %.1f s",
                     (double)grip, (int)plain, off, (int)learnt, learnt_off);
    }
    kerb_scene_race_stage_free(&stage);
}

int racer_races_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_cars_race_cleanly_on_the_built_in_tracks),
        cmocka_unit_test(equal_cars_race_cleanly_on_real_tracks),
        cmocka_unit_test(twenty_from_a_reverse_grid_end_in_the_order_of_their_skill),
        cmocka_unit_test(among_others_who_learns_has_no_more_contacts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
