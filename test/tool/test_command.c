// The kerb command as its users meet it: run as a program, judged by exit status, standard output,
// standard error, and the files that it leaves.
#define _POSIX_C_SOURCE 200809L
// cmocka.h asks for these four first.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#ifdef KERB_COMMAND

#include "test/seed.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[] = "/tmp/kerb-command-XXXXXX";

// What a run left behind.
typedef struct outcome {
    int status;
    char* out;
    char* error;
} outcome;

static void in_folder(char* path, size_t size, const char* name) {
    assert_true(snprintf(path, size, "%s/%s", folder, name) < (int)size);
}

static char* read_file(const char* name, size_t* size) {
    char path[256];
    in_folder(path, sizeof path, name);
    FILE* file = fopen(path, "rb");
    if (!file)
        return NULL;
    char* text = calloc(1, 1u << 24);
    assert_non_null(text);
    size_t got = fread(text, 1, (1u << 24) - 1, file);
    fclose(file);
    if (size)
        *size = got;
    return text;
}

static void write_file(const char* name, const char* text) {
    char path[256];
    in_folder(path, sizeof path, name);
    FILE* file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
    fclose(file);
}

static bool file_exists(const char* name) {
    char path[256];
    in_folder(path, sizeof path, name);
    return access(path, F_OK) == 0;
}

// Runs `kerb ARGUMENTS` in the folder, through the shell.
static outcome run(const char* arguments) {
    char line[2048];
    assert_true(snprintf(line, sizeof line, "cd %s && '%s' %s >run.out 2>run.err", folder,
                         KERB_COMMAND, arguments) < (int)sizeof line);
    int status = system(line);
    assert_true(WIFEXITED(status));
    outcome o = {WEXITSTATUS(status), read_file("run.out", NULL), read_file("run.err", NULL)};
    assert_non_null(o.out);
    assert_non_null(o.error);
    return o;
}

static void release(outcome* o) {
    free(o->out);
    free(o->error);
}

static int32_t lines_of(const char* text) {
    int32_t lines = 0;
    for (; *text != '\0'; text++)
        lines += *text == '\n' ? 1 : 0;
    return lines;
}

static void expect_text(const char* text, const char* wanted) {
    if (!strstr(text, wanted))
        fail_msg("'%s' is not in: %s", wanted, text);
}

// Exit status 2, nothing on standard output, one line on standard error that holds `wanted`.
static void expect_refusal(const char* arguments, const char* wanted) {
    outcome o = run(arguments);
    if (o.status != 2 || lines_of(o.error) != 1 || o.out[0] != '\0')
        fail_msg("kerb %s: status %d, out '%s', error '%s'", arguments, o.status, o.out, o.error);
    expect_text(o.error, wanted);
    release(&o);
}

static cJSON* run_json(const char* arguments, int status) {
    outcome o = run(arguments);
    if (o.status != status)
        fail_msg("kerb %s: status %d, error '%s'", arguments, o.status, o.error);
    const char* end;
    cJSON* root = cJSON_ParseWithOpts(o.out, &end, 0);
    assert_non_null(root);
    assert_string_equal(end, "\n");
    assert_string_equal(o.error, "");
    release(&o);
    return root;
}

static double number(const cJSON* object, const char* key) {
    const cJSON* item = cJSON_GetObjectItemCaseSensitive(object, key);
    if (!cJSON_IsNumber(item))
        fail_msg("no number '%s'", key);
    return item->valuedouble;
}

// --------------------------------------------------------------------------- help

static void help_names_every_command(void** state) {
    (void)state;
    outcome o = run("--help");
    assert_int_equal(o.status, 0);
    expect_text(o.out, "follow");
    expect_text(o.out, "bench");
    assert_string_equal(o.error, "");
    release(&o);
}

static void each_command_explains_its_options(void** state) {
    (void)state;
    static const char* const options[] = {
        "--course", "--vehicle", "--follower", "--speed", "--set",  "--hz",      "--list", "--json",
        "--svg",    "--png",     "--html",     "--csv",   "--seed", "--threads", "--quiet"};
    outcome o = run("follow --help");
    assert_int_equal(o.status, 0);
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++)
        expect_text(o.out, options[i]);
    release(&o);
    o = run("bench --help");
    assert_int_equal(o.status, 0);
    expect_text(o.out, "[NAME...]");
    release(&o);
}

static void help_fits_a_narrow_terminal(void** state) {
    (void)state;
    outcome o = run("follow --help");
    for (char* line = strtok(o.out, "\n"); line; line = strtok(NULL, "\n"))
        assert_true(strlen(line) <= 96);
    release(&o);
}

static void the_version_is_said_alone(void** state) {
    (void)state;
    outcome o = run("--version");
    assert_int_equal(o.status, 0);
    int a, b, c;
    assert_int_equal(sscanf(o.out, "kerb %d.%d.%d\n", &a, &b, &c), 3);
    assert_int_equal(lines_of(o.out), 1);
    release(&o);
}

static void the_list_has_courses_vehicles_and_settings(void** state) {
    (void)state;
    cJSON* root = run_json("follow --list --json", 0);
    assert_true(cJSON_GetArraySize(cJSON_GetObjectItem(root, "courses")) >= 10);
    assert_true(cJSON_GetArraySize(cJSON_GetObjectItem(root, "vehicles")) >= 6);
    assert_true(cJSON_GetArraySize(cJSON_GetObjectItem(root, "settings")) >= 10);
    cJSON_Delete(root);
    outcome o = run("follow --list");
    assert_int_equal(o.status, 0);
    expect_text(o.out, "figure-eight");
    expect_text(o.out, "lateral_acceleration");
    release(&o);
}

// --------------------------------------------------------------------------- wrong words

static void mistyped_words_are_met_with_a_suggestion(void** state) {
    (void)state;
    expect_refusal("folow", "did you mean follow?");
    expect_refusal("follow --cuorse hairpins", "did you mean --course?");
    expect_refusal("follow --course hairpin", "did you mean hairpins?");
    expect_refusal("follow --vehicle pikcup", "did you mean pickup?");
    expect_refusal("follow --set lateral_aceleration=1", "did you mean lateral_acceleration?");
    expect_refusal("bench folower_drive", "did you mean follower_drive?");
}

static void words_far_from_any_are_met_with_the_place_of_the_list(void** state) {
    (void)state;
    expect_refusal("", "--help");
    expect_refusal("xyzzy", "--help");
    expect_refusal("follow --xyzzy", "--help");
    expect_refusal("follow xyzzy", "xyzzy");
    expect_refusal("follow --course xyzzy", "--list");
    expect_refusal("follow --set xyzzy=1", "--list");
    expect_refusal("bench xyzzy", "--list");
}

static void values_outside_their_range_are_refused_by_name(void** state) {
    (void)state;
    expect_refusal("follow --hz 0", "--hz");
    expect_refusal("follow --hz sixty", "--hz");
    expect_refusal("follow --speed -3", "--speed");
    expect_refusal("follow --speed nan", "--speed");
    expect_refusal("follow --speed", "--speed needs a value");
    expect_refusal("follow --threads 0", "--threads");
    expect_refusal("follow --seed -1", "--seed");
    expect_refusal("follow --seed 1.5", "--seed");
    expect_refusal("follow --seed 99999999999999999999", "--seed");
    expect_refusal("follow --follower best", "kerb|paper|baseline");
    expect_refusal("follow --json=yes", "--json");
}

static void settings_are_checked_by_their_table(void** state) {
    (void)state;
    expect_refusal("follow --set lateral_acceleration=-1", "lateral_acceleration");
    expect_refusal("follow --set lateral_acceleration=fast", "not a number");
    expect_refusal("follow --set lateral_acceleration", "NAME=VALUE");
    expect_refusal("follow --set speed=nan", "speed");
    expect_refusal("follow --set paper.sample_count=4.5", "whole number");
    expect_refusal("follow --set paper.speed_ahead=never", "sharpest|braking");
    expect_refusal("follow --set method=1", "--follower");
}

static void what_is_planned_says_so(void** state) {
    (void)state;
    expect_refusal("follow --tuned", "not there yet");
}

static void the_soak_test_says_the_same_on_any_number_of_threads(void** state) {
    (void)state;
    cJSON* one = run_json("follow --soak --vehicles 12 --minutes 0.1 --threads 1 --json", 0);
    cJSON* four = run_json("follow --soak --vehicles 12 --minutes 0.1 --threads 4 --json", 0);
    const cJSON* beside[2] = {cJSON_GetObjectItemCaseSensitive(one, "baseline"),
                              cJSON_GetObjectItemCaseSensitive(four, "baseline")};
    static const char* const keys[] = {"driving_s_per_stuck_event", "sigma_s", "stuck_events",
                                       "collisions", "distance_m"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        assert_true(number(one, keys[i]) == number(four, keys[i]));
        assert_true(number(beside[0], keys[i]) == number(beside[1], keys[i]));
    }
    assert_true(number(one, "trials") == 5.0 && number(one, "vehicles") == 12.0);
    assert_true(fabs(number(one, "driving_s") - 5 * 12 * 6.0) < 2.0);
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(one, "results")), 5);
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(one, "per_vehicle")), 6);
    cJSON_Delete(one);
    cJSON_Delete(four);
}

// Of a kind on its courses, in shares of the radius of its turning circle. [1]
typedef struct kind_course_limit {
    const char* name;
    double mean, most;
    double late; // driven time over the planned one, mean
} kind_course_limit;

static void expect_kind_on_courses(const cJSON* kind, const kind_course_limit* limit) {
    double circle = cJSON_GetObjectItem(kind, "circle_m")->valuedouble;
    double mean = cJSON_GetObjectItem(kind, "error_mean_m")->valuedouble / circle;
    double most = cJSON_GetObjectItem(kind, "error_max_m")->valuedouble / circle;
    double late = cJSON_GetObjectItem(kind, "time_ratio_mean")->valuedouble;
    if (!(mean > 0.0 && mean < limit->mean && most < limit->most && late < limit->late))
        fail_msg("%s: %.4f of the radius off, %.3f at most, %.3f of the time", limit->name, mean,
                 most, late);
    assert_true(cJSON_GetObjectItem(kind, "inside_percent")->valuedouble > 99.0);
    const cJSON *trials = cJSON_GetObjectItem(kind, "trials"), *trial;
    assert_int_equal(cJSON_GetArraySize(trials), 6);
    cJSON_ArrayForEach(trial, trials) {
        // Lengths are measured in turning circles: at least a circle of twice the radius.
        assert_true(cJSON_GetObjectItem(trial, "length_m")->valuedouble > 12.0 * circle);
        assert_true(cJSON_IsTrue(cJSON_GetObjectItem(trial, "arrived")));
    }
}

// All kinds on all of their courses: near them, as docs/results.md tells and a third more, in about
// the time of their plans.
static void kinds_drive_courses_of_their_size(void** state) {
    (void)state;
    static const kind_course_limit limits[] = {
        {"ship", 0.006, 0.03, 1.01},       {"pedestrian", 0.047, 0.16, 1.02},
        {"hovercraft", 0.012, 0.06, 1.01}, {"trailer", 0.006, 0.034, 1.01},
        {"motorcycle", 0.005, 0.04, 1.01}, {"tank", 0.011, 0.04, 1.04},
        {"spacecraft", 0.011, 0.08, 1.01}, {"helicopter", 0.09, 0.78, 1.01},
        {"drone", 0.012, 0.07, 1.01},      {"rocket", 0.012, 0.074, 1.01},
        {"airplane", 0.005, 0.03, 1.01},   {"submarine", 0.042, 0.22, 1.01},
    };
    cJSON* all = run_json("follow --kinds --json", 0);
    const cJSON *kinds = cJSON_GetObjectItem(all, "kinds"), *kind;
    int32_t count = (int32_t)(sizeof limits / sizeof limits[0]), at = 0;
    assert_int_equal(cJSON_GetArraySize(kinds), count);
    cJSON_ArrayForEach(kind, kinds) {
        const char* name = cJSON_GetObjectItem(kind, "vehicle")->valuestring;
        assert_string_equal(name, limits[at].name);
        expect_kind_on_courses(kind, &limits[at++]);
    }
    cJSON_Delete(all);
}

static void kinds_refuse_what_they_have_not(void** state) {
    (void)state;
    expect_refusal("follow --kinds --vehicle pickup", "no such kind");
    expect_refusal("follow --kinds --course city-corners", "no such course");
    expect_refusal("follow --kinds --csv x.csv", "--json");
    expect_refusal("follow --kinds --speed 5", "--vehicle");
    expect_refusal("follow --kinds --soak", "--kinds");
}

static void the_soak_test_refuses_what_it_has_not(void** state) {
    (void)state;
    expect_refusal("follow --soak --course hairpins", "--course");
    expect_refusal("follow --soak --vehicles 0", "vehicles");
    expect_refusal("follow --soak --minutes 0", "minutes");
    expect_refusal("follow --vehicles 10", "--soak");
    expect_refusal("follow --minutes 2", "--soak");
}

static void the_soak_test_leaves_its_files(void** state) {
    (void)state;
    outcome o = run("follow --soak --vehicles 8 --minutes 0.05 --quiet --csv soak.csv "
                    "--html soak.html");
    assert_int_equal(o.status, 0);
    assert_string_equal(o.out, "");
    release(&o);
    char* csv = read_file("soak.csv", NULL);
    assert_non_null(csv);
    assert_int_equal(lines_of(csv), 1 + 8 * 45); // 3 s, 15 times a second
    free(csv);
    char* html = read_file("soak.html", NULL);
    assert_non_null(html);
    expect_text(html, "\"streets\"");
    free(html);
}

static void a_scene_of_agents_says_what_it_measured(void** state) {
    (void)state;
    cJSON* ring = run_json("seek --scene ring --variant dubins --json", 0);
    assert_true(number(ring, "arrived") == 36.0 && number(ring, "count") == 36.0);
    assert_true(number(ring, "seconds") > 5.0 && number(ring, "seed") == 0.0);
    assert_true(cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(ring, "succeeded")));
    cJSON_Delete(ring);
    if (test_share(1, 0) == 0)
        return;
    cJSON* crossing = run_json("seek --scene crossing --seed 4 --json", 0);
    assert_true(number(crossing, "contacts") == 0.0 && number(crossing, "passed") > 50.0);
    assert_true(number(crossing, "longest_pause_s") <= 10.0);
    assert_true(number(crossing, "longest_lane_pause_s") <= 60.0);
    assert_true(number(crossing, "gap_min_m") > 0.0);
    cJSON_Delete(crossing);
}

static void scenes_leave_the_same_page_every_time(void** state) {
    (void)state;
    outcome o = run("seek --scene airplanes --html one.html --quiet");
    assert_int_equal(o.status, 0);
    release(&o);
    o = run("seek --scene airplanes --html two.html --quiet");
    release(&o);
    char* one = read_file("one.html", NULL);
    char* two = read_file("two.html", NULL);
    assert_true(strlen(one) > 100000 && strcmp(one, two) == 0);
    expect_text(one, "\"agents\":true");
    free(one);
    free(two);
}

static void the_list_of_scenes_has_each(void** state) {
    (void)state;
    static const char* const names[] = {"ring",  "gate",   "crossing", "flock",
                                        "chase", "convoy", "dogfight"};
    outcome o = run("seek --list");
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        expect_text(o.out, names[i]);
    release(&o);
}

static void scenes_refuse_what_they_have_not(void** state) {
    (void)state;
    expect_refusal("seek --scene flok", "did you mean \"flock\"?");
    expect_refusal("seek --scene football", "--list shows them");
    expect_refusal("seek --scene ring --csv rows.csv", "--csv");
    expect_refusal("seek --html page.html", "--scene");
}

#ifdef KERB_HAVE_BULLET
static void bullet_drives_what_has_wheels(void** state) {
    (void)state;
    const char* words = "follow --physics bullet --vehicle all --course lane-change "
                        "--course hairpins --json --threads 2";
    cJSON* root = run_json(words, 0);
    cJSON* vehicles = cJSON_GetObjectItem(root, "per_vehicle");
    assert_string_equal(cJSON_GetObjectItem(root, "physics")->valuestring, "bullet");
    assert_int_equal(cJSON_GetArraySize(vehicles), 4);
    assert_null(cJSON_GetObjectItem(vehicles, "tank"));
    assert_true(number(root, "trials") == 8.0);
    assert_true(number(root, "finished") == 8.0);
    cJSON_Delete(root);
    expect_refusal("follow --physics bullet --vehicle tank", "wheels");
    expect_refusal("follow --physics jolt", "sim|bullet");
}

static void bullet_repeats_itself_on_any_number_of_threads(void** state) {
    (void)state;
    const char* words = "follow --physics bullet --course slalom --course hairpins --quiet";
    char line[160];
    char* traces[2];
    size_t sizes[2];
    for (int32_t i = 0; i < 2; i++) {
        snprintf(line, sizeof line, "%s --csv b%d.csv --threads %d", words, i, i + 1);
        outcome o = run(line);
        assert_int_equal(o.status, 0);
        release(&o);
        snprintf(line, sizeof line, "b%d.csv", i);
        traces[i] = read_file(line, &sizes[i]);
        assert_non_null(traces[i]);
    }
    assert_int_equal(sizes[0], sizes[1]);
    assert_memory_equal(traces[0], traces[1], sizes[0]);
    free(traces[0]);
    free(traces[1]);
}
#else
static void without_bullet_it_says_what_is_missing(void** state) {
    (void)state;
    expect_refusal("follow --physics bullet", "libbullet-dev");
}
#endif

// --------------------------------------------------------------------------- wrong files

static void a_missing_file_is_named(void** state) {
    (void)state;
    expect_refusal("follow --course nowhere.csv", "nowhere.csv: No such file");
    expect_refusal("follow --vehicle nowhere.json", "nowhere.json: No such file");
    expect_refusal("follow --course .", ".: ");
}

static void a_malformed_course_is_refused_with_file_line_and_field(void** state) {
    (void)state;
    write_file("bad.csv", "# a comment\nx_m,y_m\n0,0\n10,ten\n20,0\n");
    expect_refusal("follow --course bad.csv", "bad.csv:4: y_m: ");
    write_file("bad.csv", "x_m,y_m,left_m\n0,0,2\n10,0,-2\n");
    expect_refusal("follow --course bad.csv", "bad.csv:3: left_m: ");
    write_file("bad.csv", "x_m,z_m\n0,0\n");
    expect_refusal("follow --course bad.csv", "y_m");
    write_file("bad.csv", "x_m,y_m\n");
    expect_refusal("follow --course bad.csv", "bad.csv");
    write_file("bad.csv", "");
    expect_refusal("follow --course bad.csv", "bad.csv");
    write_file("bad.csv", "x_m,y_m\n5,5\n");
    expect_refusal("follow --course bad.csv", "bad.csv");
    write_file("bad.csv", "x_m,y_m\n5,5\n5,5\n5,5\n");
    expect_refusal("follow --course bad.csv", "bad.csv");
}

static void a_malformed_vehicle_is_refused_with_file_and_field(void** state) {
    (void)state;
    write_file("bad.json", "{\n  \"wheelbase\": \"long\"\n}\n");
    expect_refusal("follow --vehicle bad.json", "bad.json:2: wheelbase: must be a number");
    write_file("bad.json", "{\"mass\": 1500,\n\n\"wheelbase\": 0}\n");
    expect_refusal("follow --vehicle bad.json", "bad.json:3: wheelbase: ");
    write_file("bad.json", "{\"wheelbase\": 2.7");
    expect_refusal("follow --vehicle bad.json", "bad.json:1");
}

static void a_line_stays_one_line_whatever_names_hold(void** state) {
    (void)state;
    expect_refusal("follow --course \"$(printf 'a\\nb.csv')\"", "a?b.csv");
}

static void an_output_that_cannot_be_written_is_refused_before_the_work(void** state) {
    (void)state;
    expect_refusal("follow --csv nowhere/trace.csv", "nowhere/trace.csv: No such file");
    expect_refusal("follow --html .", ".: ");
    expect_refusal("follow --course nowhere.csv --csv nowhere/trace.csv", "nowhere/trace.csv");
    expect_refusal("follow --json --svg nowhere/course.svg", "svg");
}

static void two_outputs_into_one_file_are_refused_before_the_work(void** state) {
    (void)state;
    expect_refusal("follow --png a.out --svg a.out", "--svg and --png: both name the file a.out");
    expect_refusal("follow --csv a.out --html ./a.out", "--csv and --html");
    expect_refusal(
        "follow --soak --png a.out --html \"$PWD/../${PWD##*/}/.//a.out\" --svg .//a.out",
        "--svg and --png");
    expect_refusal("seek --svg a.out --png a.out", "--svg and --png");
    write_file("there.out", "");
    expect_refusal("follow --csv there.out --svg \"$PWD/there.out\"", "--csv and --svg");
    outcome o = run("follow --course hairpins --csv /dev/null --svg /dev/null --quiet");
    assert_int_equal(o.status, 0);
    release(&o);
}

static void a_full_disk_behind_standard_output_is_no_success(void** state) {
    (void)state;
    if (access("/dev/full", W_OK) != 0)
        skip();
    char line[512];
    snprintf(line, sizeof line, "'%s' --help >/dev/full 2>/dev/null", KERB_COMMAND);
    assert_int_equal(WEXITSTATUS(system(line)), 2);
}

// --------------------------------------------------------------------------- results

static void the_json_has_every_key_of_the_manual(void** state) {
    (void)state;
    static const char* const keys[] = {
        "trials",         "finished",    "stuck_trials", "stuck_events",
        "cte_mean_m",     "cte_max_m",   "time_mean_s",  "inside_corridor_percent",
        "speed_mean_mps", "speed_ratio", "drive_ns"};
    cJSON* root = run_json("follow --course all --json --seed 7", 0);
    assert_true(cJSON_IsString(cJSON_GetObjectItem(root, "kerb")));
    assert_string_equal(cJSON_GetObjectItem(root, "command")->valuestring, "follow");
    assert_true(number(root, "seed") == 7.0);
    cJSON* vehicles = cJSON_GetObjectItem(root, "per_vehicle");
    cJSON* courses = cJSON_GetObjectItem(root, "per_course");
    cJSON* vehicle = cJSON_GetObjectItem(vehicles, "pickup");
    cJSON* course = cJSON_GetObjectItem(courses, "hairpins");
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        number(root, keys[i]);
        number(vehicle, keys[i]);
        number(course, keys[i]);
    }
    assert_true(number(root, "trials") == cJSON_GetArraySize(courses));
    assert_true(number(root, "finished") == number(root, "trials"));
    assert_true(number(course, "trials") == 1.0);
    cJSON_Delete(root);
}

static void means_are_over_trials_and_the_greatest_error_is_of_all(void** state) {
    (void)state;
    cJSON* root = run_json("follow --course hairpins --course lane-change --json", 0);
    double mean = 0.0, most = 0.0, time = 0.0;
    const cJSON* trial;
    cJSON_ArrayForEach(trial, cJSON_GetObjectItem(root, "results")) {
        mean += 0.5 * number(trial, "cte_mean_m");
        time += 0.5 * number(trial, "time_s");
        most = fmax(most, number(trial, "cte_max_m"));
    }
    assert_true(fabs(number(root, "cte_mean_m") - mean) < 2e-6);
    assert_true(fabs(number(root, "time_mean_s") - time) < 2e-6);
    assert_true(number(root, "cte_max_m") == most);
    cJSON_Delete(root);
}

static void a_faster_request_takes_less_time(void** state) {
    (void)state;
    cJSON* slow = run_json("follow --course lane-change --speed 5 --json", 0);
    cJSON* fast = run_json("follow --course lane-change --speed=10 --json", 0);
    cJSON* set = run_json("follow --course lane-change --speed 5 --set speed=10 --json", 0);
    assert_true(number(slow, "time_mean_s") > 1.5 * number(fast, "time_mean_s"));
    assert_true(number(set, "time_mean_s") == number(fast, "time_mean_s"));
    cJSON_Delete(slow);
    cJSON_Delete(fast);
    cJSON_Delete(set);
}

static void every_follower_drives_when_all_are_asked_for(void** state) {
    (void)state;
    cJSON* root = run_json("follow --course lane-change --follower all --json", 0);
    assert_true(number(root, "trials") == 3.0);
    cJSON* followers = cJSON_GetObjectItem(root, "per_follower");
    assert_true(number(cJSON_GetObjectItem(followers, "kerb"), "trials") == 1.0);
    assert_true(number(cJSON_GetObjectItem(followers, "paper"), "trials") == 1.0);
    assert_true(number(cJSON_GetObjectItem(followers, "baseline"), "trials") == 1.0);
    cJSON_Delete(root);
}

static void a_trial_that_does_not_finish_is_exit_status_one(void** state) {
    (void)state;
    write_file("short.csv", "x_m,y_m\n0,0\n10,0\n20,0\n");
    cJSON* root = run_json("follow --course short.csv --speed 0.1 --json", 1);
    assert_true(number(root, "finished") == 0.0);
    assert_true(fabs(number(root, "time_mean_s") - 10.0 * 20.0 / 5.0) < 0.1);
    cJSON_Delete(root);
}

static void quiet_says_nothing(void** state) {
    (void)state;
    outcome o = run("follow --course lane-change --quiet");
    assert_int_equal(o.status, 0);
    assert_string_equal(o.out, "");
    assert_string_equal(o.error, "");
    release(&o);
}

static void several_vehicles_bring_the_table_of_the_paper(void** state) {
    (void)state;
    outcome o = run("follow --course lane-change --vehicle buggy --vehicle pickup --follower all");
    assert_int_equal(o.status, 0);
    expect_text(o.out, "baseline     paper      kerb\n");
    expect_text(o.out, "\nstuck events by vehicle\n  buggy ");
    assert_null(strstr(o.out, "EA:")); // too few trials to stand beside theirs
    release(&o);
    o = run("follow --course lane-change --follower all");
    assert_null(strstr(o.out, "stuck events by vehicle"));
    release(&o);
}

static void touches_and_teleports_are_reported(void** state) {
    (void)state;
    cJSON* root = run_json("follow --course narrow-corridor --follower paper --speed 5 "
                           "--set lateral_offset=1.9 --json",
                           0);
    const cJSON* trial = cJSON_GetArrayItem(cJSON_GetObjectItem(root, "results"), 0);
    assert_true(number(trial, "contacts") > 0.0);
    assert_true(number(trial, "teleports") == 0.0);
    assert_true(number(root, "contacts") == number(trial, "contacts"));
    cJSON_Delete(root);
}

static void the_table_has_a_row_for_every_trial_and_a_sum(void** state) {
    (void)state;
    outcome o = run("follow --course hairpins --course lane-change");
    assert_int_equal(o.status, 0);
    expect_text(o.out, "\nhairpins ");
    expect_text(o.out, "\nlane-change ");
    expect_text(o.out, "\nall ");
    expect_text(o.out, " 2/2 ");
    release(&o);
}

static void a_vehicle_from_a_file_drives_under_its_name(void** state) {
    (void)state;
    write_file("van.json", "{\"wheelbase\": 3.3, \"mass\": 2500}\n");
    write_file("named.json", "{\"name\": \"milk float\", \"speed_max\": 8}\n");
    cJSON* root =
        run_json("follow --course hairpins --vehicle van.json --vehicle named.json --json", 0);
    cJSON* vehicles = cJSON_GetObjectItem(root, "per_vehicle");
    double van = number(cJSON_GetObjectItem(vehicles, "van"), "speed_mean_mps");
    double slow = number(cJSON_GetObjectItem(vehicles, "milk float"), "speed_mean_mps");
    assert_true(slow < 8.0 && slow < van);
    cJSON_Delete(root);
}

// --------------------------------------------------------------------------- files

static void the_trace_has_a_row_for_every_frame(void** state) {
    (void)state;
    outcome o = run("follow --course lane-change --csv one.csv --quiet");
    assert_int_equal(o.status, 0);
    char* trace = read_file("one.csv", NULL);
    assert_non_null(trace);
    assert_memory_equal(trace, "time_s,", 7);
    assert_true(lines_of(trace) > 60 * 10);
    assert_false(file_exists("one.csv.part"));
    free(trace);
    release(&o);
}

static void a_trace_of_several_trials_says_which(void** state) {
    (void)state;
    write_file("a,b.csv", "x_m,y_m\n0,0\n10,0\n20,0\n");
    outcome o = run("follow --course lane-change --course a,b.csv --csv two.csv --quiet");
    assert_int_equal(o.status, 0);
    char* trace = read_file("two.csv", NULL);
    assert_non_null(trace);
    assert_memory_equal(trace, "course,vehicle,follower,time_s,", 31);
    expect_text(trace, "\nlane-change,pickup,kerb,0.0");
    expect_text(trace, "\n\"a,b\",pickup,kerb,0.0");
    free(trace);
    release(&o);
}

static void pictures_are_what_their_names_say(void** state) {
    (void)state;
    outcome o = run("follow --course all --png all.png --svg all.svg --quiet");
    if (strstr(o.error, "built without cairo")) {
        assert_int_equal(o.status, 2);
        assert_int_equal(lines_of(o.error), 1);
        release(&o);
        return;
    }
    assert_int_equal(o.status, 0);
    size_t size = 0;
    char* png = read_file("all.png", &size);
    char* svg = read_file("all.svg", NULL);
    assert_non_null(png);
    assert_non_null(svg);
    assert_memory_equal(png, "\x89PNG\r\n\x1a\n", 8);
    assert_true(size > 20000);
    assert_memory_equal(svg, "<?xml", 5);
    expect_text(svg, "</svg>");
    free(png);
    free(svg);
    release(&o);
}

static void the_replay_page_is_whole(void** state) {
    (void)state;
    outcome o = run("follow --course lane-change --html page.html --quiet");
    assert_int_equal(o.status, 0);
    char* page = read_file("page.html", NULL);
    assert_non_null(page);
    expect_text(page, "<html");
    expect_text(page, "</html>");
    free(page);
    release(&o);
}

static void devices_are_written_to_and_not_replaced(void** state) {
    (void)state;
    outcome o = run("follow --course lane-change --csv /dev/null --quiet");
    assert_int_equal(o.status, 0);
    assert_int_equal(access("/dev/null.part", F_OK), -1);
    assert_int_equal(system("test -c /dev/null"), 0);
    release(&o);
}

static void a_link_is_written_through(void** state) {
    (void)state;
    char line[512];
    snprintf(line, sizeof line, "cd %s && : >real.csv && ln -sf real.csv link.csv", folder);
    assert_int_equal(system(line), 0);
    outcome o = run("follow --course lane-change --csv link.csv --quiet");
    assert_int_equal(o.status, 0);
    char* trace = read_file("real.csv", NULL);
    assert_memory_equal(trace, "time_s,", 7);
    free(trace);
    release(&o);
}

// --------------------------------------------------------------------------- determinism

// Blanks every number whose key ends in _ns.
static void blank_times(char* text) {
    for (char* at = strstr(text, "_ns\":"); at; at = strstr(at + 1, "_ns\":")) {
        for (char* c = at + 5; *c != '\0' && *c != ',' && *c != '\n'; c++)
            *c = ' ';
    }
}

static void squeeze_blanks(char* text) {
    char* to = text;
    for (const char* from = text; *from != '\0'; from++) {
        if (*from != ' ')
            *to++ = *from;
    }
    *to = '\0';
}

static char* json_without_times(const char* arguments) {
    outcome o = run(arguments);
    assert_int_equal(o.status, 1); // some followers leave the road
    blank_times(o.out);
    squeeze_blanks(o.out);
    free(o.error);
    return o.out;
}

static void the_same_words_give_the_same_json_on_any_number_of_threads(void** state) {
    (void)state;
    char* one = json_without_times("follow --course all --follower all --json --threads 1");
    char* two = json_without_times("follow --course all --follower all --json --threads 2");
    char* again = json_without_times("follow --course all --follower all --json --threads 2");
    assert_string_equal(one, two);
    assert_string_equal(two, again);
    free(one);
    free(two);
    free(again);
}

static void expect_same_files(const char* a, const char* b) {
    size_t a_size = 0, b_size = 0;
    char* a_text = read_file(a, &a_size);
    char* b_text = read_file(b, &b_size);
    assert_non_null(a_text);
    assert_non_null(b_text);
    assert_int_equal(a_size, b_size);
    assert_memory_equal(a_text, b_text, a_size);
    free(a_text);
    free(b_text);
}

static void files_are_the_same_on_any_number_of_threads(void** state) {
    (void)state;
    outcome one = run("follow --csv 1.csv --html 1.html --threads 1 --quiet");
    outcome two = run("follow --csv 2.csv --html 2.html --threads 2 --quiet");
    assert_int_equal(one.status, 0);
    assert_int_equal(two.status, 0);
    expect_same_files("1.csv", "2.csv");
    expect_same_files("1.html", "2.html");
    release(&one);
    release(&two);
}

static void pictures_are_the_same_each_time(void** state) {
    (void)state;
    outcome one = run("follow --course hairpins --svg 1.svg --png 1.png --quiet");
    outcome two = run("follow --course hairpins --svg 2.svg --png 2.png --quiet");
    if (!strstr(one.error, "built without cairo")) {
        expect_same_files("1.svg", "2.svg");
        expect_same_files("1.png", "2.png");
    }
    release(&one);
    release(&two);
}

// --------------------------------------------------------------------------- bench

static void a_benchmark_row_is_found_by_name(void** state) {
    (void)state;
    cJSON* root = run_json("bench follower_drive --json", 0);
    cJSON* results = cJSON_GetObjectItem(root, "results");
    assert_int_equal(cJSON_GetArraySize(results), 1);
    const cJSON* row = cJSON_GetArrayItem(results, 0);
    assert_string_equal(cJSON_GetObjectItem(row, "name")->valuestring, "follower_drive");
    assert_true(number(row, "ns") > 0.0);
    assert_true(cJSON_HasObjectItem(row, "peer"));
    assert_true(cJSON_HasObjectItem(row, "peer_ns"));
    assert_true(cJSON_HasObjectItem(row, "ratio"));
    cJSON_Delete(root);
}

static void a_row_has_its_peer_beside_it_or_says_that_this_build_is_without(void** state) {
    (void)state;
    static const char* const rows[] = {"dubins_length_scalar", "reeds_shepp_length_scalar"};
    for (int32_t i = 0; i < 2; i++) {
        char words[128];
        snprintf(words, sizeof words, "bench %s --json", rows[i]);
        cJSON* root = run_json(words, 0);
        const cJSON* row = cJSON_GetArrayItem(cJSON_GetObjectItem(root, "results"), 0);
        bool timed = !cJSON_IsNull(cJSON_GetObjectItem(row, "peer"));
        if (timed) {
            assert_string_equal(cJSON_GetObjectItem(row, "peer")->valuestring, "OMPL");
            assert_true(number(row, "peer_ns") > 0.0 && number(row, "ratio") > 0.0);
        }
        cJSON_Delete(root);
        snprintf(words, sizeof words, "bench %s", rows[i]);
        outcome o = run(words);
        expect_text(o.out, timed ? " x" : "OMPL: this build was made without it");
        release(&o);
    }
}

// --------------------------------------------------------------------------- main

// The font library keeps a cache to the end of the program, which a build with the leak sanitizer
// would report as if it were the command's.
static void excuse_font_cache(void) {
    char options[256];
    write_file("leaks.txt", "leak:libfontconfig\n");
    snprintf(options, sizeof options, "suppressions=%s/leaks.txt:print_suppressions=0", folder);
    setenv("LSAN_OPTIONS", options, 1);
}

static int make_folder(void** state) {
    (void)state;
    if (!mkdtemp(folder))
        return -1;
    excuse_font_cache();
    return 0;
}

static int remove_folder(void** state) {
    (void)state;
    char line[128];
    snprintf(line, sizeof line, "rm -r '%s'", folder);
    return system(line);
}

int command_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(help_names_every_command),
        cmocka_unit_test(each_command_explains_its_options),
        cmocka_unit_test(help_fits_a_narrow_terminal),
        cmocka_unit_test(the_version_is_said_alone),
        cmocka_unit_test(the_list_has_courses_vehicles_and_settings),
        cmocka_unit_test(mistyped_words_are_met_with_a_suggestion),
        cmocka_unit_test(words_far_from_any_are_met_with_the_place_of_the_list),
        cmocka_unit_test(values_outside_their_range_are_refused_by_name),
        cmocka_unit_test(settings_are_checked_by_their_table),
        cmocka_unit_test(what_is_planned_says_so),
        cmocka_unit_test(the_soak_test_says_the_same_on_any_number_of_threads),
        cmocka_unit_test(kinds_drive_courses_of_their_size),
        cmocka_unit_test(kinds_refuse_what_they_have_not),
        cmocka_unit_test(the_soak_test_refuses_what_it_has_not),
        cmocka_unit_test(the_soak_test_leaves_its_files),
        cmocka_unit_test(a_scene_of_agents_says_what_it_measured),
        cmocka_unit_test(scenes_leave_the_same_page_every_time),
        cmocka_unit_test(the_list_of_scenes_has_each),
        cmocka_unit_test(scenes_refuse_what_they_have_not),
#ifdef KERB_HAVE_BULLET
        cmocka_unit_test(bullet_drives_what_has_wheels),
        cmocka_unit_test(bullet_repeats_itself_on_any_number_of_threads),
#else
        cmocka_unit_test(without_bullet_it_says_what_is_missing),
#endif
        cmocka_unit_test(a_missing_file_is_named),
        cmocka_unit_test(a_malformed_course_is_refused_with_file_line_and_field),
        cmocka_unit_test(a_malformed_vehicle_is_refused_with_file_and_field),
        cmocka_unit_test(a_line_stays_one_line_whatever_names_hold),
        cmocka_unit_test(an_output_that_cannot_be_written_is_refused_before_the_work),
        cmocka_unit_test(two_outputs_into_one_file_are_refused_before_the_work),
        cmocka_unit_test(a_full_disk_behind_standard_output_is_no_success),
        cmocka_unit_test(the_json_has_every_key_of_the_manual),
        cmocka_unit_test(means_are_over_trials_and_the_greatest_error_is_of_all),
        cmocka_unit_test(a_faster_request_takes_less_time),
        cmocka_unit_test(every_follower_drives_when_all_are_asked_for),
        cmocka_unit_test(a_vehicle_from_a_file_drives_under_its_name),
        cmocka_unit_test(a_trial_that_does_not_finish_is_exit_status_one),
        cmocka_unit_test(quiet_says_nothing),
        cmocka_unit_test(several_vehicles_bring_the_table_of_the_paper),
        cmocka_unit_test(touches_and_teleports_are_reported),
        cmocka_unit_test(the_table_has_a_row_for_every_trial_and_a_sum),
        cmocka_unit_test(the_trace_has_a_row_for_every_frame),
        cmocka_unit_test(a_trace_of_several_trials_says_which),
        cmocka_unit_test(pictures_are_what_their_names_say),
        cmocka_unit_test(the_replay_page_is_whole),
        cmocka_unit_test(devices_are_written_to_and_not_replaced),
        cmocka_unit_test(a_link_is_written_through),
        cmocka_unit_test(the_same_words_give_the_same_json_on_any_number_of_threads),
        cmocka_unit_test(files_are_the_same_on_any_number_of_threads),
        cmocka_unit_test(pictures_are_the_same_each_time),
        cmocka_unit_test(a_benchmark_row_is_found_by_name),
        cmocka_unit_test(a_row_has_its_peer_beside_it_or_says_that_this_build_is_without),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}

#else
#include "test/tool/command_missing.h"

int command_tests(void) {
    return command_missing_tests();
}
#endif
