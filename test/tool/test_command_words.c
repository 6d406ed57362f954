// The words of the command: options under all their names, help, manual pages, completions, and
// exit statuses. What is asked of every command is asked in tables.
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#if defined(KERB_COMMAND) && !defined(_WIN32)

#define COMMAND_VERB ""
#include "test/tool/command_rig.h"

#include <stdbool.h>

static const char* const commands[] = {"follow",  "seek",  "plan",    "line",
                                       "race",    "lane",  "traffic", "calibrate",
                                       "convert", "bench", "manual",  "completions"};
#define COMMAND_COUNT ((int32_t)(sizeof commands / sizeof commands[0]))

static bool is_installed(const char* program) {
    char line[128];
    snprintf(line, sizeof line, "command -v %s", program);
    if (run_shell(line) == 0)
        return true;
    print_message("skipped: %s is not installed\n", program);
    return false;
}

// --------------------------------------------------------------------------- names

// Two spellings of one thing.
static const char* const spellings[][2] = {
    {"follow --course lane-change --speed 7", "follow lane-change --speed-mps 7"},
    {"follow --track lane-change", "follow lane-change"},
    {"line vamos --margin 1.5", "line --track vamos --margin-m 1.5"},
    {"line vamos --spacing 2", "line --course vamos --spacing-m 2"},
    {"line vamos --direction reverse", "line vamos --reverse"},
    {"line vamos --lateral 9 --accel 5 --brake 8",
     "line vamos --lateral-mps2 9 --accel-mps2 5 --brake-mps2=8"},
    {"line vamos --top-speed 40", "line vamos --top-mps 40"},
    {"line downs vamos", "line --track downs --track vamos"},
    {"race vamos --cars 1 --walls 4 --seconds 20", "race --track vamos --cars 1 --walls-m 4 "
                                                   "--limit-s 20"},
    {"lane vamos --speed 15 --distance 200", "lane --track vamos --speed-mps 15 --distance-m 200"},
    {"plan --from 0,0,0,0 --to 9,9,90,0 --margin 0.2",
     "plan --from=0,0,0,0 --to=9,9,90,0 --margin-m=0.2"},
    {"seek --count 20 --radius 4 --speed 3", "seek --count 20 --radius-m 4 --speed-mps 3"},
};

static bool ends_in(const char* text, const char* end) {
    size_t length = strlen(text), of_end = strlen(end);
    return length >= of_end && strcmp(text + length - of_end, end) == 0;
}

// Wall times, by the keys that the manual names; in objects and arrays within it, too.
static void remove_times(cJSON* object) {
    cJSON* next;
    for (cJSON* item = object->child; item; item = next) {
        const char* key = item->string ? item->string : "";
        next = item->next;
        if (ends_in(key, "_ns") || ends_in(key, "_ms") || ends_in(key, "_per_s"))
            cJSON_Delete(cJSON_DetachItemViaPointer(object, item));
        else
            remove_times(item);
    }
}

static char* report_without_times(const char* words) {
    char line[512];
    snprintf(line, sizeof line, "%s --json", words);
    run(line);
    char* text = contents("out");
    cJSON* root = cJSON_Parse(text);
    assert_non_null(root);
    remove_times(root);
    free(text);
    text = cJSON_Print(root);
    cJSON_Delete(root);
    return text;
}

static void earlier_spellings_do_the_same(void** state) {
    (void)state;
    for (size_t i = 0; i < sizeof spellings / sizeof spellings[0]; i++) {
        char* shown = report_without_times(spellings[i][0]);
        char* other = report_without_times(spellings[i][1]);
        assert_string_equal(shown, other);
        free(shown);
        free(other);
    }
}

static void help_shows_one_spelling(void** state) {
    (void)state;
    static const char* const earlier[] = {"-mps ",     "-mps2 ", "-m ",
                                          "--limit-s", "--top ", "--course NAME|FILE\n"};
    for (int32_t i = 0; i < COMMAND_COUNT; i++) {
        char line[64];
        snprintf(line, sizeof line, "%s --help", commands[i]);
        assert_int_equal(run(line), 0);
        char* text = contents("out");
        for (size_t k = 0; k < sizeof earlier / sizeof earlier[0]; k++) {
            if (strstr(text, earlier[k]))
                fail_msg("kerb %s shows %s", line, earlier[k]);
        }
        bool is_plan = strcmp(commands[i], "plan") == 0; // a vehicle that may reverse
        assert_true(is_plan == (strstr(text, "  --reverse") != NULL));
        free(text);
    }
}

static void a_file_is_converted_by_words_or_by_options(void** state) {
    (void)state;
    assert_int_equal(run("convert vamos a.csv --quiet"), 0);
    assert_int_equal(run("convert --track vamos --out b.csv --quiet"), 0);
    assert_int_equal(run("convert --out c.csv vamos --direction forward --quiet"), 0);
    assert_int_equal(run("convert --track vamos d.csv --direction reverse --quiet"), 0);
    assert_int_equal(run_shell("cmp a.csv b.csv && cmp a.csv c.csv"), 0);
    assert_int_equal(run_shell("cmp a.csv d.csv"), 1);
    expect_refusal("convert --track vamos --out b.csv c.csv", "IN and OUT");
    expect_refusal("convert --track vamos", "IN and OUT");
}

// --------------------------------------------------------------------------- suggestions

static void a_mistyped_word_gets_the_nearest_one(void** state) {
    (void)state;
    static const char* const mistyped[][2] = {
        {"folow", "did you mean follow?"},
        {"hlep", "did you mean help?"},
        {"--verison", "did you mean --version?"},
        {"help rcae", "did you mean race?"},
        {"manual lnae", "did you mean lane?"},
        {"follow --follower kreb", "did you mean kerb?"},
        {"follow --physics bulet", "did you mean bullet?"},
        {"follow -course hairpins", "did you mean --course?"},
        {"follow hairpin", "did you mean hairpins?"},
        {"line vamos --method curvture", "did you mean curvature?"},
        {"line vamso", "did you mean vamos?"},
        {"race vamos --vehicle formla", "did you mean formula?"},
        {"race vamos --grid revers", "did you mean reverse?"},
        {"lane contry", "did you mean country?"},
        {"lane vamos --scenario avoyd", "did you mean avoid?"},
        {"seek --variant dubin", "did you mean dubins?"},
        {"plan --serach kerb", "did you mean --search?"},
    };
    for (size_t i = 0; i < sizeof mistyped / sizeof mistyped[0]; i++)
        expect_refusal(mistyped[i][0], mistyped[i][1]);
}

static void a_missing_word_is_met_with_those_that_there_are(void** state) {
    (void)state;
    expect_refusal("", "follow, seek, plan, line, race");
    expect_refusal("race", "vamos, downs, saucer, overpass");
    expect_refusal("lane", "overpass, country");
    expect_refusal("line", "vamos, downs");
    expect_refusal("line vamos --method", "--method spring|curvature|time");
    expect_refusal("completions", "bash or zsh");
    expect_refusal("completions fish", "bash or zsh");
}

// --------------------------------------------------------------------------- help

static void expect_narrow(const char* words) {
    assert_int_equal(run(words), 0);
    char* text = contents("out");
    for (const char* line = text; *line != '\0';) {
        size_t length = strcspn(line, "\n");
        if (length > 80)
            fail_msg("kerb %s: wider than 80: %.*s", words, (int)length, line);
        line += length + (line[length] == '\n' ? 1 : 0);
    }
    free(text);
}

static void every_help_is_80_columns_wide_and_ends_with_examples(void** state) {
    (void)state;
    char line[64];
    expect_narrow("--help");
    for (int32_t i = 0; i < COMMAND_COUNT; i++) {
        snprintf(line, sizeof line, "help %s", commands[i]);
        expect_narrow(line);
        char* by_help = contents("out");
        const char* examples = strstr(by_help, "\nExamples\n  kerb ");
        assert_non_null(examples);
        assert_null(strstr(examples, "\n\n"));
        snprintf(line, sizeof line, "%s --help", commands[i]);
        assert_int_equal(run(line), 0);
        char* by_option = contents("out");
        assert_string_equal(by_help, by_option);
        free(by_help);
        free(by_option);
    }
}

static void help_names_the_words_that_options_take(void** state) {
    (void)state;
    static const char* const named[][2] = {
        {"follow", "--follower kerb|paper|baseline|all"},
        {"follow", "figure-eight"},
        {"follow", "hovercraft"},
        {"line", "--method spring|curvature|time"},
        {"line", "tracks: vamos, downs"},
        {"race", "--grid given|reverse|random"},
        {"race", "vehicles: road, gt, formula"},
        {"lane", "keep|change|avoid|player"},
        {"lane", "country"},
        {"seek", "both-circles|dubins|reverse"},
        {"seek", "scenes: ring, gate"},
        {"follow", "spacecraft"},
        {"plan", "--search kerb|thesis"},
        {"plan", "vehicles: pickup"},
        {"plan", "spacecraft"},
        {"plan", "helicopter"},
        {"plan", "drone"},
        {"plan", "rocket"},
        {"plan", "airplane"},
        {"plan", "submarine"},
        {"calibrate", "vehicles: pickup, buggy"},
        {"convert", "track|track3d|course"},
        {"bench", "follower_drive"},
        {"manual", "calibrate"},
        {"completions", "shells: bash, zsh"},
    };
    for (size_t i = 0; i < sizeof named / sizeof named[0]; i++) {
        char line[64];
        snprintf(line, sizeof line, "help %s", named[i][0]);
        assert_int_equal(run(line), 0);
        expect_in("out", named[i][1]);
    }
}

static void the_version_has_three_names(void** state) {
    (void)state;
    assert_int_equal(run("--version"), 0);
    char* version = contents("out");
    assert_int_equal(run("-V"), 0);
    expect_in("out", version);
    assert_int_equal(run("version"), 0);
    expect_in("out", version);
    free(version);
}

// --------------------------------------------------------------------------- manual

static void every_manual_page_renders_without_a_warning(void** state) {
    (void)state;
    if (!is_installed("groff"))
        skip();
    for (int32_t i = -1; i < COMMAND_COUNT; i++) {
        char line[512];
        const char* name = i < 0 ? "" : commands[i];
        snprintf(line, sizeof line, "'%s' manual %s >page && groff -man -ww -Tascii -P-cbou page",
                 KERB_COMMAND, name);
        assert_int_equal(run_shell(line), 0);
        char* warnings = contents("error");
        assert_string_equal(warnings, "");
        free(warnings);
        expect_in("page", i < 0 ? ".TH \"KERB\" 1" : ".SH NAME\nkerb\\-");
        expect_in("out", "SYNOPSIS");
    }
}

static void the_manual_has_every_option_of_the_help(void** state) {
    (void)state;
    assert_int_equal(run("help race"), 0);
    char* help = contents("out");
    assert_int_equal(run("manual race"), 0);
    for (char* at = strstr(help, "\n  --"); at; at = strstr(at + 1, "\n  --")) {
        char option[64] = "\\-\\-";
        size_t used = strlen(option);
        for (const char* c = at + 5; *c != ' ' && *c != '\n'; c++) {
            if (*c == '-')
                option[used++] = '\\';
            option[used++] = *c;
        }
        option[used] = '\0';
        expect_in("out", option);
    }
    expect_in("out", "\\-\\-limit\\-s"); // earlier names are told here
    free(help);
}

// --------------------------------------------------------------------------- completions

// What is typed, and words that must and that must not be offered.
typedef struct completion {
    const char* typed;
    const char* offered;
    const char* not_offered;
} completion;

static const completion completions[] = {
    {"''", "completions\n", "--course"},
    {"fo", "follow\n", "race"},
    {"follow --co", "--course\n", "--csv"},
    {"follow --course ha", "hairpins\n", "slalom"},
    {"follow ha", "hairpins\n", "slalom"},
    {"follow --track ha", "hairpins\n", "slalom"},
    {"follow --follower ''", "paper\n", "hairpins"},
    {"follow --follower = pa", "paper\n", "kerb"},
    {"follow --set lateral_acc", "lateral_acceleration=\n", "method"},
    {"follow --set met", "\n", "method="},
    {"follow --hz ''", "\n", "hairpins"},
    {"lane --speed-mps ''", "\n", "vamos"},
    {"lane --track c", "country\n", "vamos"},
    {"lane --", "--speed\n", "--speed-mps"},
    {"race --vehicle f", "formula\n", "tank"},
    {"plan --search t", "thesis\n", "kerb"},
    {"seek --scene f", "flock\n", "ring"},
    {"convert over", "overpass\n", "vamos"},
    {"convert road", "road.csv\n", "vamos"},
    {"line 'my r'", "my road.csv\n", "vamos"},
    {"bench racer", "racer_drive\n", "follower_drive"},
    {"help ra", "race\n", "seek"},
    {"manual se", "seek\n", "race"},
    {"completions z", "zsh\n", "bash"},
};

static void bash_completes_commands_options_and_names(void** state) {
    (void)state;
    if (!is_installed("bash"))
        skip();
    put("road.csv", "");
    put("my road.csv", "");
    for (size_t i = 0; i < sizeof completions / sizeof completions[0]; i++) {
        const completion* c = &completions[i];
        char line[1024];
        snprintf(line, sizeof line, "bash '%s/test/tool/complete.bash' '%s' %s", KERB_SOURCE_DIR,
                 KERB_COMMAND, c->typed);
        int status = run_shell(line);
        char *out = contents("out"), *error = contents("error");
        if (status != 0 || *error != '\0' || !strstr(out, c->offered) ||
            strstr(out, c->not_offered))
            fail_msg("kerb %s: offers %s%s", c->typed, out, error);
        free(out);
        free(error);
    }
}

static void zsh_completes_commands_options_and_names(void** state) {
    (void)state;
    if (!is_installed("zsh"))
        skip();
    char line[1024];
    snprintf(
        line, sizeof line,
        "mkdir functions && '%s' completions zsh >functions/_kerb && zsh -n functions/_kerb && "
        "zsh -f '%s/test/tool/complete.zsh' \"$PWD/functions\" 'kerb foll' "
        "'kerb follow --follower pa' 'kerb follow --course hair' 'kerb follow --set "
        "lateral_acc' 'kerb line --method=sp' 'kerb help ra' 'kerb race --vehicle form' "
        "'kerb lane --track=cou' 'kerb completions z'",
        KERB_COMMAND, KERB_SOURCE_DIR);
    int status = run_shell(line);
    if (status == 77) {
        print_message("skipped: zsh has no zpty\n");
        skip();
    }
    assert_int_equal(status, 0);
    static const char* const completed[] = {
        "<kerb follow>",
        "<kerb follow --follower paper>",
        "<kerb follow --course hairpins>",
        "<kerb follow --set lateral_acceleration=>",
        "<kerb line --method=spring>",
        "<kerb help race>",
        "<kerb race --vehicle formula>",
        "<kerb lane --track=country>",
        "<kerb completions zsh>",
    };
    for (size_t i = 0; i < sizeof completed / sizeof completed[0]; i++)
        expect_in("out", completed[i]);
}

// --------------------------------------------------------------------------- exit statuses

typedef struct exit_row {
    int status;
    const char* words;
} exit_row;

static const exit_row exits[] = {
    {0, "--help"},
    {0, "--version"},
    {2, ""},
    {2, "xyzzy"},
    {2, "help xyzzy"},
    {0, "follow lane-change"},
    {1, "follow short.csv --speed 0.1"},
    {2, "follow nowhere.csv"},
    {2, "follow lane-change --set speed=-1"},
    {0, "seek --count 10"},
    {1, "seek --count 50 --hz 1 --speed 20 --radius 1"},
    {2, "seek --variant straight"},
    {0, "plan --from 0,0,0,0 --to 20,0,0,0"},
    {1, "plan --from 0,0,0,0 --to 20,0,0,50"},
    {2, "plan --from 0,0,0,0"},
    {2, "plan --from 0,0,0,0 --to 1,2,3"},
    {0, "line vamos"},
    {1, "line saucer --lateral 1"},
    {2, "line nowhere.xml"},
    {2, "line vamos --margin wide"},
    {0, "race vamos --cars 1 --laps 1"},
    {1, "race vamos --cars 1 --seconds 5"},
    {2, "race vamos --cars 0"},
    {2, "race open.csv --laps 3"},
    {0, "lane vamos --distance 100"},
    {1, "lane vamos --distance 1000 --speed 0.5"},
    {2, "lane open.csv --distance 4000"},
    {0, "calibrate --vehicle pickup"},
    {1, "calibrate --room-ahead 1 --room-behind 0 --room-aside 1"},
    {2, "calibrate --vehicle nowhere.json"},
    {0, "convert vamos track.csv"},
    {2, "convert vamos track.xml"},
    {2, "convert short.csv nowhere/track.csv"},
    {0, "bench dubins_length_scalar"},
    {2, "bench nothing"},
    {0, "manual race"},
    {2, "manual nothing"},
    {0, "completions bash"},
    {2, "completions nothing"},
};

// Status 2 comes with one line on standard error; 0 with none.
static void every_command_ends_with_the_status_of_the_manual(void** state) {
    (void)state;
    put("short.csv", "x_m,y_m\n0,0\n10,0\n20,0\n");
    put("open.csv", "# open\n# x_m,y_m,w_tr_right_m,w_tr_left_m\n0,0,7,7\n500,0,7,7\n1000,0,7,7\n");
    for (size_t i = 0; i < sizeof exits / sizeof exits[0]; i++) {
        int status = run(exits[i].words);
        char* message = contents("error");
        const char* end = strchr(message, '\n');
        bool one_line = end && end[1] == '\0';
        if (status != exits[i].status || (status == 2 && !one_line) ||
            (status == 0 && *message != '\0'))
            fail_msg("kerb %s: status %d, not %d: %s", exits[i].words, status, exits[i].status,
                     message);
        free(message);
    }
    for (int32_t i = 0; i < COMMAND_COUNT; i++) {
        char line[64];
        snprintf(line, sizeof line, "%s --xyzzy", commands[i]);
        expect_refusal(line, "unknown option --xyzzy");
    }
}

// --------------------------------------------------------------------------- beyond the end of a
// road

static void what_a_road_does_not_hold_is_refused(void** state) {
    (void)state;
    put("open.csv", "# open\n# x_m,y_m,w_tr_right_m,w_tr_left_m\n0,0,7,7\n500,0,7,7\n1000,0,7,7\n"
                    "1500,0,7,7\n2000,0,7,7\n");
    expect_refusal("lane open.csv --distance 1960", "ends 1950 m before the first car");
    assert_int_equal(run("lane open.csv --distance 1940 --quiet"), 0);
    expect_refusal("lane open.csv --scenario player --seconds 60", "for 52 s");
    expect_refusal("lane country --scenario player --seconds 7000", "country has 99");
    expect_refusal("race open.csv --laps 2", "laps");
}

static void closed_tracks_go_round_and_the_country_road_grows(void** state) {
    (void)state;
    cJSON* root = report("lane vamos --distance 1500");
    assert_true(number(root, "distance_m") >= 1500.0);
    cJSON_Delete(root);
    root = report("lane country --distance 27000 --speed 60 --vehicle formula");
    assert_true(number(root, "distance_m") >= 27000.0);
    cJSON_Delete(root);
}

int command_words_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(earlier_spellings_do_the_same),
        cmocka_unit_test(help_shows_one_spelling),
        cmocka_unit_test(a_file_is_converted_by_words_or_by_options),
        cmocka_unit_test(a_mistyped_word_gets_the_nearest_one),
        cmocka_unit_test(a_missing_word_is_met_with_those_that_there_are),
        cmocka_unit_test(every_help_is_80_columns_wide_and_ends_with_examples),
        cmocka_unit_test(help_names_the_words_that_options_take),
        cmocka_unit_test(the_version_has_three_names),
        cmocka_unit_test(every_manual_page_renders_without_a_warning),
        cmocka_unit_test(the_manual_has_every_option_of_the_help),
        cmocka_unit_test(bash_completes_commands_options_and_names),
        cmocka_unit_test(zsh_completes_commands_options_and_names),
        cmocka_unit_test(every_command_ends_with_the_status_of_the_manual),
        cmocka_unit_test(what_a_road_does_not_hold_is_refused),
        cmocka_unit_test(closed_tracks_go_round_and_the_country_road_grows),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}

#else
#include "test/tool/command_missing.h"

int command_words_tests(void) {
    return command_missing_tests();
}
#endif
