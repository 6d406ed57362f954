// `kerb lane` as a user meets it: exit status, standard output, standard error, files. How well
// lanes are kept is the business of test_lane_drive.
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#if defined(KERB_COMMAND) && !defined(_WIN32)

#define COMMAND_VERB "lane"
#include "test/tool/command_rig.h"

static void the_report_has_every_key(void** state) {
    (void)state;
    static const char* const numbers[] = {
        "seed",       "cars",           "distance_m",           "time_s",
        "collisions", "edge_touches",   "lateral_error_mean_m", "lateral_error_max_m",
        "changes",    "obstacles",      "rays_per_frame",       "change_time_s",
        "drive_ns",   "speed_mean_mps", "overshoot_max_m"};
    cJSON* root = report("vamos --scenario change --distance-m 300");
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        if (!cJSON_IsNumber(cJSON_GetObjectItem(root, numbers[i])))
            fail_msg("\"%s\" is no number of the report", numbers[i]);
    }
    assert_string_equal(cJSON_GetObjectItem(root, "command")->valuestring, "lane");
    assert_string_equal(cJSON_GetObjectItem(root, "scenario")->valuestring, "change");
    assert_true(cJSON_IsTrue(cJSON_GetObjectItem(root, "finished")));
    cJSON_Delete(root);
}

static void those_who_come_the_other_way_are_met_and_not_touched(void** state) {
    (void)state;
    static const char* const roads[] = {"vamos", "country --distance-m 500",
                                        "country --scenario change --distance-m 500"};
    for (size_t i = 0; i < sizeof roads / sizeof roads[0]; i++) {
        char line[100];
        snprintf(line, sizeof line, "%s --cars 2 --oncoming 5", roads[i]);
        cJSON* root = report(line);
        assert_true(number(root, "cars") == 2.0 && number(root, "oncoming") == 5.0);
        assert_true(number(root, "collisions") == 0.0 && number(root, "edge_touches") == 0.0);
        assert_true(number(root, "lateral_error_max_m") < 0.3);
        cJSON_Delete(root);
    }
    assert_int_equal(run("vamos --oncoming 3 --distance-m 50"), 0);
    expect_in("out", "1 car of road, keep; 3 oncoming");
}

static void the_report_of_a_player_has_every_key(void** state) {
    (void)state;
    static const char* const numbers[] = {"seed",
                                          "cars",
                                          "time_s",
                                          "distance_m",
                                          "speed_mean_mps",
                                          "bots_near_share",
                                          "bots_near",
                                          "collisions",
                                          "collisions_by_bots",
                                          "moves",
                                          "held_up_share",
                                          "collisions_between_bots",
                                          "drive_ns",
                                          "company_ns",
                                          "collisions_by_player",
                                          "lanes",
                                          "oncoming_lanes",
                                          "lateral_error_mean_m",
                                          "edge_touches",
                                          "rays_per_frame",
                                          "lateral_error_max_m",
                                          "lane_changes",
                                          "speed_max_mps",
                                          "appeared_in_view",
                                          "player_put_back",
                                          "collisions_after",
                                          "crashes_cleared"};
    cJSON* root = report("country --scenario player --seconds 5 --cars 20 --style hasty");
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        if (!cJSON_IsNumber(cJSON_GetObjectItem(root, numbers[i])))
            fail_msg("\"%s\" is no number of the report", numbers[i]);
    }
    assert_float_equal(cJSON_GetObjectItem(root, "time_s")->valuedouble, 5.0, 0.02);
    assert_float_equal(cJSON_GetObjectItem(root, "cars")->valuedouble, 20.0, 0.0);
    cJSON_Delete(root);
}

static void who_does_not_get_to_the_end_exits_with_1(void** state) {
    (void)state;
    cJSON* root = report_of("vamos --distance-m 100 --set side_reach=1", 1);
    assert_true(cJSON_IsFalse(cJSON_GetObjectItem(root, "finished")));
    cJSON_Delete(root);
}

// It looks so far ahead that it cuts every corner.
static void who_leaves_the_road_exits_with_1(void** state) {
    (void)state;
    const char* words = "vamos --set lookahead_min=60 --set lookahead_max=200 --json";
    assert_int_equal(run(words), 1);
    expect_in("error", "kerb: road on vamos: ");
    expect_in("error", "left the road by ");
    expect_in("out", "\"left_road\":\ttrue");
    cJSON* root = report("vamos");
    assert_true(cJSON_IsFalse(cJSON_GetObjectItem(root, "left_road")));
    cJSON_Delete(root);
}

static void the_trace_has_a_row_for_every_call(void** state) {
    (void)state;
    cJSON* root = report("vamos --distance-m 100 --csv trace.csv");
    double frames = cJSON_GetObjectItem(root, "time_s")->valuedouble * 60.0;
    cJSON_Delete(root);
    char* text = contents("trace.csv");
    int rows = -1;
    for (const char* at = text; *at; at++)
        rows += *at == '\n';
    assert_int_equal(rows, (int)(frames + 0.5));
    free(text);
}

static void the_page_replays_everybody_with_rays(void** state) {
    (void)state;
    static const char* const runs[] = {
        "country --scenario player --seconds 3 --cars 5 --html page.html",
        "vamos --scenario avoid --cars 2 --distance-m 60 --html page.html"};
    static const char* const drivers[] = {"\"name\":\"bot 5\"", "\"name\":\"road 2\""};
    for (int i = 0; i < 2; i++) {
        cJSON_Delete(report(runs[i]));
        char* text = contents("page.html");
        assert_non_null(strstr(text, drivers[i]));
        assert_non_null(strstr(text, "\"rays\":\""));
        assert_non_null(strstr(text, "drawRays"));
        assert_null(strstr(text, "nan"));
        free(text);
    }
}

// Cairo may be missing; then the command says so.
static void the_picture_shows_what_stands_in_the_road_and_a_key(void** state) {
    (void)state;
    if (run("vamos --scenario avoid --distance-m 100 --svg avoid.svg --quiet") == 2) {
        expect_in("err", "without cairo");
        skip();
    }
    assert_int_equal(run("vamos --distance-m 100 --svg keep.svg --quiet"), 0);
    char* avoid = contents("avoid.svg");
    char* keep = contents("keep.svg");
    // The colour of what is solid is in the one alone; colours of speed are in both.
    assert_non_null(strstr(avoid, "rgb(29.019608%"));
    assert_null(strstr(keep, "rgb(29.019608%"));
    assert_non_null(strstr(keep, "linearGradient"));
    free(avoid);
    free(keep);
}

static double after(const char* text, const char* key) {
    const char* at = strstr(text, key);
    if (!at)
        fail_msg("no %s on the page", key);
    return strtod(at + strlen(key), NULL);
}

// Bytes of a column in base64.
static int bytes_of(const char* text, const char* key) {
    const char* at = strstr(text, key);
    assert_non_null(at);
    at += strlen(key);
    int length = (int)strcspn(at, "\"");
    int padding = 0;
    while (padding < length && at[length - 1 - padding] == '=')
        padding++;
    return length / 4 * 3 - padding;
}

static void the_page_tells_the_errors_of_the_report_and_every_ray(void** state) {
    (void)state;
    cJSON* root = report("vamos --scenario avoid --html page.html");
    char* text = contents("page.html");
    assert_float_equal(after(text, "\"cte_mean_m\":"), number(root, "lateral_error_mean_m"), 1e-4);
    assert_float_equal(after(text, "\"cte_max_m\":"), number(root, "lateral_error_max_m"), 1e-4);
    // Ten samples a second; the rays of these are as many as in the mean of all frames, but for the
    // one that scans in every third of them and in every sample.
    int samples = bytes_of(text, "\"ray_counts\":\"");
    int rays = bytes_of(text, "\"ray_whats\":\"");
    expect_near((double)samples, 10.0 * number(root, "time_s"), 0.01);
    expect_near((double)rays / (double)samples, number(root, "rays_per_frame") + 2.0 / 3.0, 0.05);
    assert_int_equal(bytes_of(text, "\"rays\":\""), 8 * rays);
    assert_int_equal((int)after(text, "\"count\":"), samples);
    free(text);
    cJSON_Delete(root);
}

static void what_can_be_chosen_and_set_is_listed(void** state) {
    (void)state;
    assert_int_equal(run("--list"), 0);
    static const char* const parts[] = {"avoid",         "player",  "vamos",
                                        "country",       "formula", "pickup",
                                        "edge_distance", "margin",  "right|left|both"};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        expect_in("out", parts[i]);
}

static void what_cannot_be_is_refused(void** state) {
    (void)state;
    expect_refusal("", "on which track?");
    expect_refusal("nowhere", "nowhere");
    expect_refusal("vamos downs", "one track");
    expect_refusal("vamos --scenario follow", "follow");
    expect_refusal("vamos --scenario player --oncoming 5", "--oncoming: not with");
    expect_refusal("vamos --scenario change --oncoming 2", "not two lanes each way");
    expect_refusal("vamos --oncoming 200", "--oncoming: 201 do not fit");
    expect_refusal("vamos --scenario player --cars 65", "--cars");
    expect_refusal("vamos --seconds 5", "--seconds");
    expect_refusal("vamos --set speeds=3", "speeds");
    expect_refusal("vamos --set skil=1", "kerb lane --list");
    expect_refusal("vamos --vehicle zzzzz", "kerb lane --list");
    expect_refusal("vamos --vehicle formla", "did you mean formula?");
    expect_refusal("vamos --cars 200", "--cars");
    put("narrow.csv", "x_m,y_m,left_m,right_m\n0,0,1,1\n100,0,1,1\n200,0,1,1\n300,0,1,1\n");
    expect_refusal("narrow.csv", "2.0 m wide");
}

int command_lane_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_report_has_every_key),
        cmocka_unit_test(those_who_come_the_other_way_are_met_and_not_touched),
        cmocka_unit_test(the_report_of_a_player_has_every_key),
        cmocka_unit_test(who_does_not_get_to_the_end_exits_with_1),
        cmocka_unit_test(who_leaves_the_road_exits_with_1),
        cmocka_unit_test(the_trace_has_a_row_for_every_call),
        cmocka_unit_test(the_page_replays_everybody_with_rays),
        cmocka_unit_test(the_picture_shows_what_stands_in_the_road_and_a_key),
        cmocka_unit_test(the_page_tells_the_errors_of_the_report_and_every_ray),
        cmocka_unit_test(what_can_be_chosen_and_set_is_listed),
        cmocka_unit_test(what_cannot_be_is_refused),
    };
    return cmocka_run_group_tests_name("command " COMMAND_VERB, tests, make_folder, remove_folder);
}

#else
#include "test/tool/command_missing.h"

int command_lane_tests(void) {
    return command_missing_tests();
}
#endif
