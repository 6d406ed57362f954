// `kerb convert` as a user meets it: exit status, standard output, standard error, files.
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#if defined(KERB_COMMAND) && !defined(_WIN32)

#define COMMAND_VERB "convert"
#include "test/tool/command_rig.h"

static void a_built_in_track_becomes_a_file(void** state) {
    (void)state;
    assert_int_equal(run("vamos vamos.csv"), 0);
    expect_in("out", "vamos.csv: track, ");
    expect_in("out", "1133.0 m, closed");
    expect_in("vamos.csv", "# x_m,y_m,w_tr_right_m,w_tr_left_m\n");
    assert_int_equal(run("overpass over.csv --quiet"), 0);
    expect_in("over.csv", "banking_phi_rad");
    char* out = contents("out");
    assert_int_equal(strlen(out), 0);
    free(out);
}

static void formats_are_told_by_content_and_lose_nothing(void** state) {
    (void)state;
    put("course.csv", "# closed\nx_m,y_m,speed_mps\n0,0,9\n50,0,8\n0,50,7\n");
    assert_int_equal(run("course.csv again.csv"), 0);
    expect_in("out", "again.csv: course, 3 points");
    expect_in("again.csv", "# closed\nx_m,y_m,speed_mps\n0,0,9\n");
    assert_int_equal(run("course.csv track.csv --as track"), 0);
    expect_in("track.csv", "# x_m,y_m,w_tr_right_m,w_tr_left_m\n0,0,2,2\n");
    assert_int_equal(run("track.csv back.csv --as course"), 0);
    expect_in("back.csv", "# closed\nx_m,y_m\n0,0\n");
}

static void a_torcs_track_becomes_a_table(void** state) {
    (void)state;
    put("ring.xml",
        "<params>&default-objects;<section name=\"Header\"><attnum name=\"version\" val=\"4\"/>"
        "</section><section name=\"Main Track\"><section name=\"Track Segments\"><section "
        "name=\"a\"><attstr name=\"type\" val=\"lft\"/><attnum name=\"arc\" unit=\"deg\" "
        "val=\"360\"/><attnum name=\"radius\" "
        "val=\"100\"/></section></section></section></params>");
    if (run("ring.xml ring.csv") == 2) {
        expect_in("error", "ring.xml: xml: this build of Kerb reads no XML");
        print_message("skipped: this build reads no XML\n");
        skip();
    }
    expect_in("out", "628.3 m, closed");
}

// Everything that was assumed is one line, also where several things were.
static void what_was_assumed_is_one_line(void** state) {
    (void)state;
    put("utm.csv", "X [m];Y [m];Name\n448358,5;5428945,25;a\n448400,5;5428945,25;b\n");
    assert_int_equal(run("utm.csv near.csv"), 0);
    expect_in("error", "kerb: note: utm.csv: ");
    expect_in("error", "semicolons");
    expect_in("error", "decimal commas");
    expect_in("error", "ignored the columns: Name");
    expect_in("error", "subtracted the offset 448358, 5428945");
    char* said = contents("error");
    assert_true(strchr(said, '\n')[1] == '\0');
    free(said);
    expect_in("near.csv", "# offset 448358,5428945\n");
    expect_in("near.csv", "\n448358.5,5428945.25,2,2\n448400.5,5428945.25,2,2\n");
    assert_int_equal(run("near.csv back.csv"), 0);
    char *first = contents("near.csv"), *second = contents("back.csv");
    assert_string_equal(first, second);
    free(first), free(second);
    put("plain.csv",
        "# x_m,y_m,w_tr_right_m,w_tr_left_m\n0,0,5,5\n90,0,5,5\n90,90,5,5\n0,90,5,5\n");
    assert_int_equal(run("plain.csv again.csv"), 0);
    said = contents("error");
    assert_string_equal(said, "");
    free(said);
}

static void what_is_odd_about_a_track_is_a_warning(void** state) {
    (void)state;
    put("odd.csv",
        "# x_m,y_m,w_tr_right_m,w_tr_left_m\n0,0,5,5\n90,0,5,5\n90,0,5,5\n90,90,0.2,0.2\n"
        "0,90,5,5\n");
    assert_int_equal(run("odd.csv again.csv"), 0);
    expect_in("error", "kerb: warning: odd.csv:4: waypoint 2: is the same place as");
    expect_in("error", "kerb: warning: odd.csv:5: waypoint 3: the vehicle does not fit");
    assert_int_equal(run("odd.csv again.csv --quiet"), 0);
    char* said = contents("error");
    assert_string_equal(said, "");
    free(said);
}

static void centre_lines_of_maps_become_tables(void** state) {
    (void)state;
    put("line.geojson", "{\"type\":\"LineString\",\"coordinates\":[[8,49],[8.001,49],[8.002,49]]}");
    assert_int_equal(run("line.geojson line.csv --width 7"), 0);
    expect_in("line.csv", "# open\n# anchor 8.000000000,49.000000000\n");
    expect_in("line.csv", "\n0,0,3.5,3.5\n");
    assert_int_equal(run("line.geojson out.csv --game-origin"), 2);
    expect_in("error", "for tracks of TORCS");
    put("bad.geojson", "{\"type\":\"LineString\",\n\"coordinates\":[[8,\"x\"]]}");
    expect_refusal("bad.geojson out.csv", "bad.geojson:2: coordinates: must be a finite number");
    put("two.xodr", "<OpenDRIVE><road id=\"a\"><geometry x=\"0\" y=\"0\" hdg=\"0\" length=\"30\">"
                    "<line/></geometry></road><road id=\"b\"><geometry x=\"9\" y=\"0\" hdg=\"0\" "
                    "length=\"10\"><line/></geometry></road></OpenDRIVE>");
    if (run("two.xodr a.csv") != 0) {
        expect_in("error", "this build of Kerb reads no XML"); // and is refused for nothing else
        print_message("skipped: this build reads no XML\n");
        skip();
    }
    expect_in("out", "30.0 m, open");
    assert_int_equal(run("two.xodr b.csv --road b"), 0);
    expect_in("out", "10.0 m, open");
    expect_refusal("two.xodr out.csv --road c", "two.xodr: road: no road has this id");
}

static void reversed_twice_is_the_same(void** state) {
    (void)state;
    assert_int_equal(run("downs a.csv"), 0);
    assert_int_equal(run("a.csv b.csv --reverse"), 0);
    assert_int_equal(run("b.csv c.csv --reverse"), 0);
    char *a = contents("a.csv"), *b = contents("b.csv"), *c = contents("c.csv");
    assert_true(strlen(a) > 1000);
    assert_string_equal(a, c);
    assert_string_not_equal(a, b);
    free(a), free(b), free(c);
}

static void a_built_in_vehicle_becomes_a_file(void** state) {
    (void)state;
    assert_int_equal(run("scout scout.json"), 0);
    expect_in("scout.json", "\"wheelbase\"");
    assert_int_equal(run("scout.json copy.json"), 0);
    char *first = contents("scout.json"), *second = contents("copy.json");
    assert_string_equal(first, second);
    free(first), free(second);
}

static void the_json_says_what_was_written(void** state) {
    (void)state;
    assert_int_equal(run("vamos s.csv --json --smooth 0.5 --as track3d"), 0);
    char* out = contents("out");
    cJSON* root = cJSON_Parse(out);
    assert_non_null(root);
    assert_string_equal(cJSON_GetObjectItem(root, "command")->valuestring, "convert");
    assert_string_equal(cJSON_GetObjectItem(root, "format")->valuestring, "track3d");
    assert_true(cJSON_GetObjectItem(root, "points")->valuedouble > 100.0);
    assert_true(cJSON_IsTrue(cJSON_GetObjectItem(root, "closed")));
    assert_float_equal((float)cJSON_GetObjectItem(root, "length_m")->valuedouble, 1133.0f, 3.0f);
    cJSON_Delete(root);
    free(out);
}

static void errors_name_file_line_and_field(void** state) {
    (void)state;
    put("bad.csv", "# x_m,y_m,w_tr_right_m,w_tr_left_m\n0,0,5,5\n1,x,5,5\n");
    expect_refusal("bad.csv out.csv", "kerb: bad.csv:3: y_m: must be a number: \"x\"");
    put("open.csv", "0,0,5,5\n9,0,5,5\n18,0,5,5\n27,0,5,5\n36,5,5,5\n45,9,5,5\n");
    expect_refusal("open.csv out.csv --check", "open.csv:6: closed: ");
    put("flat.csv", "0,0,0,0\n9,0,0,0\n9,9,0,0\n");
    expect_refusal("flat.csv out.csv --check", "no width");
}

static void impossible_words_are_refused(void** state) {
    (void)state;
    expect_refusal("vamos", "needs two words");
    expect_refusal("a b c", "needs two words");
    expect_refusal("vamo out.csv", "did you mean vamos?");
    expect_refusal("none.csv out.csv", "none.csv: No such file");
    expect_refusal("vamos out.xml", "read, not written");
    expect_refusal("vamos out.txt", "must end in .csv");
    expect_refusal("vamos none/out.csv", "none/out.csv");
    expect_refusal("scout out.json --reverse", "for vehicles");
    expect_refusal("vamos out.csv --as svg", "svg");
    expect_refusal("vamos out.csv --smooth -1", "smooth");
}

int command_convert_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_built_in_track_becomes_a_file),
        cmocka_unit_test(formats_are_told_by_content_and_lose_nothing),
        cmocka_unit_test(a_torcs_track_becomes_a_table),
        cmocka_unit_test(what_was_assumed_is_one_line),
        cmocka_unit_test(what_is_odd_about_a_track_is_a_warning),
        cmocka_unit_test(centre_lines_of_maps_become_tables),
        cmocka_unit_test(reversed_twice_is_the_same),
        cmocka_unit_test(a_built_in_vehicle_becomes_a_file),
        cmocka_unit_test(the_json_says_what_was_written),
        cmocka_unit_test(errors_name_file_line_and_field),
        cmocka_unit_test(impossible_words_are_refused),
    };
    return cmocka_run_group_tests_name("command " COMMAND_VERB, tests, make_folder, remove_folder);
}

#else
#include "test/tool/command_missing.h"

int command_convert_tests(void) {
    return command_missing_tests();
}
#endif
