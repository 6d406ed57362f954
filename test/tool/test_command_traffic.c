// `kerb traffic` as a user meets it: exit status, standard output, standard error, files. How well
// the city drives is the business of test_city and of the room road.
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#if defined(KERB_COMMAND) && !defined(_WIN32)

#define COMMAND_VERB "traffic"
#include "test/io/sumo_texts.h"
#include "test/tool/command_rig.h"

static void the_report_of_a_city_has_every_key(void** state) {
    (void)state;
    static const char* const numbers[] = {"seed",           "updates_per_s", "step_ms",
                                          "collisions",     "deadlocks",     "red_light_violations",
                                          "trips_done",     "departed",      "waiting_outside",
                                          "delay_mean_s",   "interventions", "limit_violations",
                                          "speed_mean_mps", "reroutes"};
    cJSON* root = report("grid --size 3 --vehicles 20 --seconds 5 --step 0.1");
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        (void)number(root, numbers[i]);
    assert_string_equal(cJSON_GetObjectItem(root, "command")->valuestring, "traffic");
    assert_true(number(root, "departed") > 0.0);
    cJSON_Delete(root);
}

static void the_same_seed_gives_the_same_report_for_any_number_of_threads(void** state) {
    (void)state;
    static const char* const keys[] = {"departed", "trips_done", "delay_mean_s", "speed_mean_mps"};
    cJSON* one = report_of("oldtown --vehicles 30 --seconds 40 --seed 3 --unwatched", 0);
    cJSON* two =
        report_of("oldtown --vehicles 30 --seconds 40 --seed 3 --unwatched --threads 3", 0);
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        assert_true(number(one, keys[i]) == number(two, keys[i]));
    cJSON_Delete(one);
    cJSON_Delete(two);
}

static void a_network_and_a_demand_of_sumo_are_driven(void** state) {
    (void)state;
    put("town.net.xml", SUMO_NETWORK);
    put("town.rou.xml", "<routes><flow id=\"f\" end=\"30\" period=\"10\" from=\"west\" "
                        "to=\"north\"/></routes>\n");
    cJSON* root = report_of("town.net.xml --routes town.rou.xml --seconds 120 --unwatched "
                            "--tripinfo trips.xml --fcd places.xml",
                            0);
    assert_true(number(root, "departed") == 3.0 && number(root, "trips_done") == 3.0);
    cJSON_Delete(root);
    expect_in("trips.xml", "<tripinfo id=\"f.0\" depart=");
    expect_in("trips.xml", "</tripinfos>");
    expect_in("places.xml", "<timestep time=\"1.00\">");
    expect_in("places.xml", "lane=\"west_");
}

static void pictures_and_pages_are_written(void** state) {
    (void)state;
    assert_int_equal(run("roundabout --vehicles 10 --seconds 20 --unwatched --html page.html "
                         "--left-hand --quiet"),
                     0);
    expect_in("page.html", "<title>kerb traffic</title>");
    expect_in("page.html", "\"firsts\":[0,");
    char* page = contents("page.html");
    assert_null(strstr(page, "@DATA@"));
    free(page);
#if defined(KERB_HAVE_CAIRO)
    assert_int_equal(run("ring --vehicles 10 --seconds 20 --unwatched --svg flow.svg --quiet"), 0);
    expect_in("flow.svg", "<svg");
#endif
}

static void wrong_words_and_files_are_refused_in_one_line(void** state) {
    (void)state;
    put("short.net.xml", "<net>\n<edge id=\"e\" from=\"a\" to=\"a\"><lane id=\"e_0\" "
                         "shape=\"0,0 1,1\"/></edge></net>");
    put("town.net.xml", SUMO_NETWORK);
    put("far.rou.xml", "<routes>\n<trip id=\"t\" depart=\"0\" from=\"west\" to=\"x\"/></routes>");
    expect_refusal("", "grid, ring, curves, oldtown, roundabout");
    expect_refusal("nowhere", "nowhere");
    expect_refusal("short.net.xml", "short.net.xml:2: speed: lane \"e_0\": needs this attribute");
    expect_refusal("town.net.xml --routes far.rou.xml", "far.rou.xml:2: to: trip \"t\"");
    expect_refusal("grid --routes far.rou.xml", "needs a network from a file");
    expect_refusal("grid --block e1", "EDGE@T0-T1");
    expect_refusal("grid --block e9999@1-2", "no edge \"e9999\"");
    expect_refusal("town.net.xml --left-hand", "keeps right");
    expect_refusal("grid --step 2", "step");
}

static void a_closed_road_is_driven_round(void** state) {
    (void)state;
    cJSON* root = report_of("grid --size 3 --vehicles 20 --seconds 60 --block e0@10-50 "
                            "--unwatched",
                            0);
    assert_true(number(root, "departed") > 0.0);
    cJSON_Delete(root);
}

int command_traffic_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_report_of_a_city_has_every_key),
        cmocka_unit_test(the_same_seed_gives_the_same_report_for_any_number_of_threads),
        cmocka_unit_test(a_network_and_a_demand_of_sumo_are_driven),
        cmocka_unit_test(pictures_and_pages_are_written),
        cmocka_unit_test(wrong_words_and_files_are_refused_in_one_line),
        cmocka_unit_test(a_closed_road_is_driven_round),
    };
    return cmocka_run_group_tests_name("command " COMMAND_VERB, tests, make_folder, remove_folder);
}

#else

#include "test/tool/command_missing.h"

int command_traffic_tests(void) {
    return command_missing_tests();
}

#endif
