// `kerb race` as a user meets it: exit status, standard output, standard error, files. What happens
// in a race is the business of test_race.
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#if defined(KERB_COMMAND) && !defined(_WIN32)

#define COMMAND_VERB "race"
#include "test/seed.h"
#include "test/tool/command_rig.h"

// The result of a driver, whatever its place.
static const cJSON* driver(const cJSON* root, int32_t wanted) {
    const cJSON* result;
    cJSON_ArrayForEach(result, cJSON_GetObjectItem(root, "results")) {
        if ((int32_t)number(result, "driver") == wanted)
            return result;
    }
    fail_msg("no driver %d", wanted);
    return NULL;
}

// --------------------------------------------------------------------------- what it prints

static void the_report_has_every_key(void** state) {
    (void)state;
    static const char* const texts[] = {"kerb",      "command", "track",
                                        "direction", "physics", "vehicle"};
    static const char* const numbers[] = {
        "seed",     "cars",          "laps",           "length_m",          "profile_s",
        "contacts", "overtakes",     "drive_ns",       "drive_p99_ns",      "contacts_hard",
        "damage",   "off_track_s",   "best_lap_s",     "best_over_profile", "race_s",
        "finished", "lappings",      "lappings_clean", "overtakes_clean",   "spins",
        "put_back", "contacts_solid"};
    static const char* const per_driver[] = {
        "driver",     "skill",         "place",    "start_place", "laps",
        "best_lap_s", "total_s",       "damage",   "off_track_s", "contacts",
        "gap_s",      "contacts_hard", "overtakes"};
    cJSON* root = report("vamos --cars 3 --laps 1 --seed 5");
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_true(cJSON_IsString(cJSON_GetObjectItem(root, texts[i])));
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        number(root, numbers[i]);
    const cJSON* results = cJSON_GetObjectItem(root, "results");
    assert_int_equal(cJSON_GetArraySize(results), 3);
    const cJSON* result;
    int32_t place = 1;
    cJSON_ArrayForEach(result, results) {
        for (size_t i = 0; i < sizeof per_driver / sizeof *per_driver; i++)
            number(result, per_driver[i]);
        assert_int_equal((int32_t)number(result, "place"), place++);
        assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(result, "lap_times_s")), 1);
    }
    assert_int_equal((int32_t)number(root, "seed"), 5);
    cJSON_Delete(root);
}

static void the_ratio_to_the_profile_is_that_of_the_best_lap(void** state) {
    (void)state;
    cJSON* root = report("vamos --cars 1 --laps 2");
    double best = number(root, "best_lap_s"), profile = number(root, "profile_s");
    assert_true(fabs(number(root, "best_over_profile") - best / profile) < 1e-5);
    assert_true(best > 0.99 * profile && best < 1.2 * profile);
    const cJSON* result = driver(root, 1);
    double first = cJSON_GetArrayItem(cJSON_GetObjectItem(result, "lap_times_s"), 0)->valuedouble;
    double second = cJSON_GetArrayItem(cJSON_GetObjectItem(result, "lap_times_s"), 1)->valuedouble;
    assert_true(fabs(first + second - number(result, "total_s")) < 1e-5);
    assert_true(second < first); // which began at rest
    assert_true(cJSON_IsNull(cJSON_GetObjectItem(root, "skill_correlation")));
    cJSON_Delete(root);
}

// 400 m, half a turn of 60 m radius, and 400 m back, 12 m wide.
static void put_open_track(const char* name) {
    FILE* file = create(name);
    fputs("# open\nx_m,y_m,w_tr_right_m,w_tr_left_m\n", file);
    for (int32_t i = 0; i <= 100; i++) {
        double turned = 3.14159265 * fmin(fmax((double)(i - 40) / 20.0, 0.0), 1.0);
        double along = i <= 40 ? 10.0 * (double)(i - 40) : i >= 60 ? 10.0 * (double)(60 - i) : 0.0;
        fprintf(file, "%.3f,%.3f,6,6\n", along + 60.0 * sin(turned), 60.0 - 60.0 * cos(turned));
    }
    fclose(file);
}

// Nobody comes flying there, and with many cars the first starts half-way along.
static void on_an_open_track_each_is_measured_from_where_it_stood(void** state) {
    (void)state;
    put_open_track("open.csv");
    static const int32_t cars[] = {1, 40};
    double profile[2];
    for (size_t i = 0; i < 2; i++) {
        char line[64];
        snprintf(line, sizeof line, "open.csv --cars %d", cars[i]);
        cJSON* root = report(line);
        double over = number(root, "best_over_profile");
        if (!(over > 1.0 && over < 1.08))
            fail_msg("%d cars: %.3f", cars[i], over);
        double first = number(driver(root, 1), "best_lap_s");
        profile[i] = number(root, "profile_s");
        assert_true(fabs(first / number(driver(root, 1), "best_over_profile") - profile[i]) < 1e-3);
        cJSON_Delete(root);
    }
    assert_true(profile[1] < 0.8 * profile[0]);
}

static void skills_are_one_for_all_two_ends_or_one_each(void** state) {
    (void)state;
    static const struct {
        const char* option;
        double skills[4];
    } cases[] = {{"--skill 0.7", {0.7, 0.7, 0.7, 0.7}},
                 {"--skill 0.4,1", {0.4, 0.6, 0.8, 1.0}},
                 {"--skill 0.5,0.9,0.1,0.3", {0.5, 0.9, 0.1, 0.3}}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char line[128];
        snprintf(line, sizeof line, "vamos --cars 4 --laps 1 --grid reverse --limit-s 1 %s",
                 cases[i].option);
        cJSON* root = report_of(line, 1);
        for (int32_t k = 0; k < 4; k++)
            assert_true(fabs(number(driver(root, k + 1), "skill") - cases[i].skills[k]) < 1e-5);
        if (i == 1) // the least skill in front
            assert_int_equal((int32_t)number(driver(root, 1), "start_place"), 1);
        if (i == 2)
            assert_int_equal((int32_t)number(driver(root, 3), "start_place"), 1);
        cJSON_Delete(root);
    }
}

static void a_race_that_is_cut_off_fails(void** state) {
    (void)state;
    cJSON* root = report_of("vamos --cars 2 --laps 3 --limit-s 10", 1);
    assert_int_equal((int32_t)number(root, "finished"), 0);
    assert_true(fabs(number(root, "race_s") - 10.0) < 0.1);
    assert_true(cJSON_IsNull(cJSON_GetObjectItem(root, "best_lap_s")));
    cJSON_Delete(root);
}

// All that may differ from run to run.
static void drop_times(cJSON* root) {
    cJSON_DeleteItemFromObject(root, "drive_ns");
    cJSON_DeleteItemFromObject(root, "drive_p99_ns");
    cJSON_DeleteItemFromObject(root, "race_ms");
}

static void the_same_seed_prints_the_same(void** state) {
    (void)state;
    char* texts[2];
    for (int32_t i = 0; i < 2; i++) {
        cJSON* root = report(i == 0 ? "vamos --cars 4 --laps 1 --seed 3 --threads 1"
                                    : "vamos --cars 4 --laps 1 --seed 3 --threads 2 --svg a.svg");
        drop_times(root);
        texts[i] = cJSON_Print(root);
        cJSON_Delete(root);
    }
    assert_string_equal(texts[0], texts[1]);
    cJSON_free(texts[0]);
    cJSON_free(texts[1]);
}

static void settings_directions_and_vehicles_change_the_race(void** state) {
    (void)state;
    static const char* const lines[] = {"vamos --cars 1 --laps 1",
                                        "vamos --cars 1 --laps 1 --set grip_used=0.5",
                                        "vamos --cars 1 --laps 1 --vehicle truck"};
    double first = 0.0;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        cJSON* root = report(lines[i]);
        double best = number(root, "best_lap_s");
        if (i == 0)
            first = best;
        else
            assert_true(best > first + 0.5); // all of them slow it down
        cJSON_Delete(root);
    }
    cJSON* root = report("vamos --cars 2 --laps 1 --vehicle gt,truck --direction reverse");
    const cJSON* truck = driver(root, 2);
    assert_string_equal(cJSON_GetObjectItem(truck, "vehicle")->valuestring, "truck");
    assert_string_equal(cJSON_GetObjectItem(root, "direction")->valuestring, "reverse");
    cJSON_Delete(root);
}

// With less grip than it was told of it leaves the road.
static void who_leaves_the_road_is_exit_status_one(void** state) {
    (void)state;
    assert_int_equal(run("vamos --cars 1 --laps 1 --grip 0.8 --json"), 1);
    expect_in("error", "kerb: driver 1: left the road by ");
    expect_in("out", "\"left_road\":\ttrue");
    cJSON* root = report("vamos --cars 1 --laps 1");
    assert_true(cJSON_IsFalse(cJSON_GetObjectItem(driver(root, 1), "left_road")));
    cJSON_Delete(root);
}

static void each_car_is_measured_by_the_profile_of_its_own_model(void** state) {
    (void)state;
    cJSON* root = report("vamos --cars 2 --laps 2 --vehicle truck,gt");
    for (int32_t i = 1; i <= 2; i++) {
        double ratio = number(driver(root, i), "best_over_profile");
        assert_true(ratio > 0.97 && ratio < 1.25);
    }
    // The truck's, being the first.
    double profile = number(root, "profile_s");
    assert_true(number(driver(root, 2), "best_lap_s") < profile);
    cJSON_Delete(root);
}

static void the_table_names_every_driver(void** state) {
    (void)state;
    assert_int_equal(run("vamos --cars 3 --laps 1"), 0);
    expect_in("out", "vamos, 1133 m: 1 lap, 3 cars of gt");
    expect_in("out", "profile");
    expect_in("out", "overtakes");
    assert_int_equal(run("vamos --cars 1 --laps 1 --quiet"), 0);
    char* out = contents("out");
    assert_int_equal(strlen(out), 0);
    free(out);
    assert_int_equal(run("--list"), 0);
    expect_in("out", "formula");
    expect_in("out", "grip_used");
    expect_in("out", "overpass");
}

static void many_races_come_to_the_sums_of_each_on_any_number_of_threads(void** state) {
    (void)state;
    static const char* const keys[] = {"contacts", "contacts_hard", "overtakes", "finished"};
    cJSON* series = report("vamos --cars 3 --laps 1 --races 4 --seed 10 --threads 2");
    const cJSON* races = cJSON_GetObjectItem(series, "per_race");
    double sums[4] = {0.0};
    for (int32_t i = 0; i < 4; i++) {
        char line[128];
        snprintf(line, sizeof line, "vamos --cars 3 --laps 1 --seed %d", 10 + i);
        cJSON* one = report(line);
        const cJSON* race = cJSON_GetArrayItem(races, i);
        assert_int_equal((int32_t)number(race, "seed"), 10 + i);
        for (int32_t k = 0; k < 4; k++) {
            assert_true(number(race, keys[k]) == number(one, keys[k]));
            sums[k] += number(one, keys[k]);
        }
        assert_true(number(race, "race_s") == number(one, "race_s"));
        assert_true(number(race, "damage") == number(one, "damage"));
        cJSON_Delete(one);
    }
    for (int32_t k = 0; k < 4; k++)
        assert_true(number(series, keys[k]) == sums[k]);
    assert_int_equal((int32_t)number(series, "races"), 4);
    cJSON_Delete(series);
    expect_refusal("vamos --races 2 --html page.html", "one race");
}

// --------------------------------------------------------------------------- files

static void the_trace_has_a_row_for_every_car_ten_times_a_second(void** state) {
    (void)state;
    assert_int_equal(run("vamos --cars 2 --laps 1 --limit-s 5 --csv trace.csv --quiet"), 1);
    char* text = contents("trace.csv");
    int32_t rows = 0;
    for (const char* at = text; (at = strchr(at, '\n')); at++)
        rows++;
    assert_int_equal(rows, 1 + 2 * 51);
    assert_non_null(strstr(text, "t_s,driver,progress_m,x_m,y_m,"));
    free(text);
}

// The cell of a row of a CSV; empty where there is none.
static void cell_of(const char* row, int32_t column, char* cell, size_t most) {
    for (int32_t i = 0; i < column && row; i++) {
        row = strchr(row, ',');
        row = row ? row + 1 : NULL;
    }
    size_t length = row ? strcspn(row, ",\n") : 0;
    assert_true(length < most);
    memcpy(cell, row ? row : "", length);
    cell[length] = '\0';
}

// Behind somebody on the grid everybody minds him; the cars of this track are not off it.
static void the_trace_says_whom_a_driver_minds_what_it_does_and_whether_it_touches(void** state) {
    (void)state;
    assert_int_equal(run("vamos --cars 3 --laps 1 --limit-s 6 --csv minds.csv --quiet"), 1);
    char* text = contents("minds.csv");
    expect_in("minds.csv", "outside,reason,minded,phase,touching,told\n");
    int32_t minds = 0, rows = 0;
    for (const char* at = strchr(text, '\n'); at && at[1]; at = strchr(at + 1, '\n'), rows++) {
        char who[16], minded[16], phase[16], touching[16], told[16];
        cell_of(at + 1, 1, who, sizeof who);
        cell_of(at + 1, 16, minded, sizeof minded);
        cell_of(at + 1, 17, phase, sizeof phase);
        cell_of(at + 1, 18, touching, sizeof touching);
        assert_string_equal(phase, "drives");
        assert_string_equal(touching, "0");
        cell_of(at + 1, 19, told, sizeof told);
        assert_string_equal(told, "2"); // 16 m are between them
        if (minded[0]) {
            minds++;
            assert_true(atoi(minded) >= 1 && atoi(minded) <= 3 && strcmp(minded, who) != 0);
        }
    }
    assert_true(minds > 10 && minds < rows);
    free(text);
    // On ice they touch, and lose their cars.
    run("vamos --cars 4 --laps 2 --limit-s 60 --grip 0.3 --seed 6 --csv ice.csv --quiet");
    expect_in("ice.csv", ",1,3\n");
    expect_in("ice.csv", ",spins,1,");
    expect_in("ice.csv", ",turns,0,");
    expect_in("ice.csv", ",backs out,0,");
}

static void the_picture_shows_places_gaps_and_the_track(void** state) {
    (void)state;
    assert_int_equal(run("vamos --cars 3 --laps 2 --quiet --svg a.svg --png a.png"), 0);
    expect_in("a.svg", "<svg");
    expect_in("a.png", "\x89PNG");
    assert_int_equal(run("vamos --cars 1 --laps 1 --quiet --svg alone.svg"), 0);
    expect_in("alone.svg", "<svg");
    assert_int_equal(run("vamos --cars 9 --laps 1 --limit-s 1 --quiet --svg early.svg"), 1);
    expect_in("early.svg", "<svg");
}

static void the_page_replays_the_race_and_is_the_same_every_time(void** state) {
    (void)state;
    char* pages[2];
    for (int32_t i = 0; i < 2; i++) {
        assert_int_equal(run("vamos --cars 3 --laps 1 --skill 0.8,1 --html page.html --quiet"), 0);
        pages[i] = contents("page.html");
    }
    assert_string_equal(pages[0], pages[1]);
    // One page, which loads nothing; the data as JSON.
    assert_null(strstr(pages[0], "src=\"http"));
    assert_null(strstr(pages[0], "href=\"http"));
    const char* begins = strstr(pages[0], "id=\"recordings\">");
    assert_non_null(begins);
    cJSON* data = cJSON_Parse(strchr(begins, '{'));
    assert_non_null(data);
    const cJSON* cars = cJSON_GetObjectItem(data, "trials");
    assert_int_equal(cJSON_GetArraySize(cars), 3);
    const cJSON* car;
    cJSON_ArrayForEach(car, cars) {
        // Base64 of 4 bytes a sample and of 1.
        double count = number(car, "count");
        size_t x = strlen(cJSON_GetObjectItem(car, "x")->valuestring);
        size_t deciders = strlen(cJSON_GetObjectItem(car, "deciders")->valuestring);
        assert_int_equal(x, 4 * (((size_t)count * 4 + 2) / 3));
        assert_int_equal(deciders, 4 * (((size_t)count + 2) / 3));
        assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(car, "lap_ends")), 1);
    }
    cJSON_Delete(data);
    free(pages[0]);
    free(pages[1]);
}

// --------------------------------------------------------------------------- what is refused

static void what_is_wrong_is_said_in_one_line(void** state) {
    (void)state;
    static const char* const cases[][2] = {
        {"", "on which track"},
        {"vamos downs", "one track"},
        {"nowhere", "nowhere"},
        {"./missing.csv", "missing.csv"},
        {"vamos --cars 0", "--cars"},
        {"vamos --cars 65", "--cars"},
        {"vamos --laps 0", "--laps"},
        {"vamos --skill 1.1", "--skill"},
        {"vamos --skill nan", "--skill"},
        {"vamos --skill 0.5,,1", "--skill"},
        {"vamos --skill 0.1,0.2,0.3 --cars 4", "3 values for 4 cars"},
        {"vamos --aggression x", "--aggression"},
        {"vamos --vehicle tank", "no wheels"},
        {"vamos --vehicle gt,nothing", "nothing"},
        {"vamos --set grip=1", "unknown setting"},
        {"vamos --set grip_used=9", "grip_used"},
        {"vamos --grid sideways", "--grid"},
        {"vamos --cars 64 --vehicle truck,gt --csv /nowhere/at/all.csv", "/nowhere/at/all.csv"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        expect_refusal(cases[i][0], cases[i][1]);
}

static void a_grid_longer_than_the_track_is_refused(void** state) {
    (void)state;
    FILE* file = create("ring.csv");
    for (int32_t i = 0; i < 40; i++)
        fprintf(file, "%.6f,%.6f,6,6\n", 40.0 * cos(0.15708 * i), 40.0 * sin(0.15708 * i));
    fclose(file);
    expect_refusal("ring.csv --cars 40", "the grid is longer than the track");
    assert_int_equal(run("ring.csv --cars 4 --laps 1 --quiet"), 0);
}

#ifdef KERB_HAVE_BULLET
static void in_bullet_it_races_and_replays_the_same_every_time(void** state) {
    (void)state;
    const char* words = "vamos --physics bullet --cars 2 --laps 1 --csv bullet.csv";
    cJSON* first = report(words);
    cJSON* here = report("vamos --cars 2 --laps 1");
    assert_string_equal(cJSON_GetObjectItem(first, "physics")->valuestring, "bullet");
    assert_string_equal(cJSON_GetObjectItem(here, "physics")->valuestring, "sim");
    assert_int_equal((int32_t)number(first, "finished"), 2);
    // Limits are measured there: the profile is another one, of the same car on the same track.
    double ratio = number(first, "profile_s") / number(here, "profile_s");
    assert_true(ratio != 1.0 && ratio > 0.9 && ratio < 1.1);
    drop_times(first);
    for (int32_t i = 0; i < test_share(1, 0); i++) {
        cJSON* again = report(words);
        drop_times(again);
        assert_true(cJSON_Compare(first, again, 1));
        cJSON_Delete(again);
    }
    cJSON_Delete(first);
    cJSON_Delete(here);
    expect_refusal("vamos --physics bullet --vehicle tank", "no wheels");
    expect_refusal("vamos --physics jolt", "sim|bullet");
}
#else
static void without_bullet_it_says_what_is_missing(void** state) {
    (void)state;
    expect_refusal("vamos --physics bullet", "libbullet-dev");
}
#endif

int command_race_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_report_has_every_key),
        cmocka_unit_test(the_ratio_to_the_profile_is_that_of_the_best_lap),
        cmocka_unit_test(on_an_open_track_each_is_measured_from_where_it_stood),
        cmocka_unit_test(skills_are_one_for_all_two_ends_or_one_each),
        cmocka_unit_test(a_race_that_is_cut_off_fails),
        cmocka_unit_test(the_same_seed_prints_the_same),
        cmocka_unit_test(settings_directions_and_vehicles_change_the_race),
        cmocka_unit_test(who_leaves_the_road_is_exit_status_one),
        cmocka_unit_test(each_car_is_measured_by_the_profile_of_its_own_model),
        cmocka_unit_test(the_table_names_every_driver),
        cmocka_unit_test(many_races_come_to_the_sums_of_each_on_any_number_of_threads),
        cmocka_unit_test(the_trace_has_a_row_for_every_car_ten_times_a_second),
        cmocka_unit_test(the_trace_says_whom_a_driver_minds_what_it_does_and_whether_it_touches),
        cmocka_unit_test(the_picture_shows_places_gaps_and_the_track),
        cmocka_unit_test(the_page_replays_the_race_and_is_the_same_every_time),
        cmocka_unit_test(what_is_wrong_is_said_in_one_line),
        cmocka_unit_test(a_grid_longer_than_the_track_is_refused),
#ifdef KERB_HAVE_BULLET
        cmocka_unit_test(in_bullet_it_races_and_replays_the_same_every_time),
#else
        cmocka_unit_test(without_bullet_it_says_what_is_missing),
#endif
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}

#else
#include "test/tool/command_missing.h"

int command_race_tests(void) {
    return command_missing_tests();
}
#endif
