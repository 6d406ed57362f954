// `kerb plan` as a user meets it: exit status, standard output, standard error, files. How good
// plans are is the business of test_plan…
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#if defined(KERB_COMMAND) && !defined(_WIN32)

#define COMMAND_VERB "plan"
#include "test/tool/command_rig.h"

// --------------------------------------------------------------------------- one movement

static void a_straight_drive_is_reported_as_the_formulas_have_it(void** state) {
    (void)state;
    // 50 m from rest to rest: the peak is sqrt(2·50·7.5/6.5) = 10.742 m/s.
    cJSON* root = report("--from 1,2,90,0 --to 1,52,90,0");
    double peak = sqrt(750.0 / 6.5);
    expect_near(number(root, "cost_s"), peak / 1.5 + peak / 5.0, 1e-4);
    expect_near(number(root, "lower_bound_s"), peak / 1.5 + peak / 5.0, 1e-4);
    expect_near(number(root, "length_m"), 50.0, 1e-4);
    assert_string_equal(cJSON_GetObjectItem(root, "outcome")->valuestring, "found");
    const cJSON* states = cJSON_GetObjectItem(root, "states");
    int count = cJSON_GetArraySize(states);
    const cJSON *first = cJSON_GetArrayItem(states, 0),
                *last = cJSON_GetArrayItem(states, count - 1);
    const double start[7] = {0.0, 1.0, 2.0, 90.0, 0.0, 0.0, 1.5};
    const double end[7] = {peak / 1.5 + peak / 5.0, 1.0, 52.0, 90.0, 0.0, 0.0, -5.0};
    for (int i = 0; i < 7; i++) {
        assert_true(fabs(cJSON_GetArrayItem(first, i)->valuedouble - start[i]) < 2e-3);
        assert_true(fabs(cJSON_GetArrayItem(last, i)->valuedouble - end[i]) < 2e-3);
    }
    cJSON_Delete(root);
}

static void the_report_has_every_key(void** state) {
    (void)state;
    cJSON* root = report("--from 0,0,0,5 --to 9,9,120,2 --seed 7 --anytime --budget 900");
    static const char* const keys[] = {"cost_s",   "length_m", "expansions",   "plan_ms",
                                       "first_ms", "steps",    "first_cost_s", "lower_bound_s"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        (void)number(root, keys[i]);
    assert_string_equal(cJSON_GetObjectItem(root, "command")->valuestring, "plan");
    assert_true(number(root, "seed") == 7.0);
    assert_true(number(root, "steps") == 900.0);
    assert_true(cJSON_IsTrue(cJSON_GetObjectItem(root, "valid")));
    const cJSON* answers = cJSON_GetObjectItem(root, "answers");
    double last = 1e30;
    for (int i = 0; i < cJSON_GetArraySize(answers); i++) {
        double cost = number(cJSON_GetArrayItem(answers, i), "cost_s");
        assert_true(cost < last);
        last = cost;
    }
    expect_near(last, number(root, "cost_s"), 2e-4);
    cJSON_Delete(root);
}

static void more_work_never_makes_it_slower(void** state) {
    (void)state;
    double last = 1e30;
    static const char* const budgets[] = {"1", "300", "3000"};
    for (int i = 0; i < 3; i++) {
        char line[100];
        snprintf(line, sizeof line, "--from 0,0,0,10 --to 5,12,180,3 --budget %s", budgets[i]);
        cJSON* root = report(line);
        assert_true(number(root, "cost_s") <= last * 1.01);
        last = number(root, "cost_s");
        assert_true(last >= number(root, "lower_bound_s"));
        cJSON_Delete(root);
    }
}

static void only_with_reverse_it_backs_up(void** state) {
    (void)state;
    cJSON* ahead = report("--from 0,0,0,0 --to 0,6,0,0 --vehicle pickup");
    cJSON* both = report("--from 0,0,0,0 --to 0,6,0,0 --vehicle pickup --reverse");
    assert_true(number(both, "cost_s") < 0.85 * number(ahead, "cost_s"));
    assert_string_equal(cJSON_GetObjectItem(both, "vehicle")->valuestring, "pickup");
    double least[2] = {0.0, 0.0};
    const cJSON* roots[2] = {ahead, both};
    for (int k = 0; k < 2; k++) {
        const cJSON* s;
        cJSON_ArrayForEach(s, cJSON_GetObjectItem(roots[k], "states")) {
            least[k] = fmin(least[k], cJSON_GetArrayItem(s, 4)->valuedouble);
        }
    }
    assert_true(least[0] >= 0.0 && least[1] < -1.0);
    cJSON_Delete(ahead);
    cJSON_Delete(both);
}

static void what_the_end_leaves_open_makes_it_faster(void** state) {
    (void)state;
    cJSON* exact = report("--from 0,0,0,0 --to 50,0,0,0");
    cJSON* open = report("--from 0,0,0,0 --to 50,0,90,6 --tolerance 1,180,20");
    // Gaining speed all the way, over 49 m.
    expect_near(number(open, "cost_s"), sqrt(2.0 * 49.0 / 1.5), 5e-3);
    assert_true(number(open, "cost_s") < number(exact, "cost_s"));
    assert_true(number(open, "lower_bound_s") <= number(open, "cost_s") * 1.00002);
    cJSON_Delete(exact);
    cJSON_Delete(open);
}

static void the_best_of_several_ends_is_taken(void** state) {
    (void)state;
    // Nearer goals that cost a penalty or a turn, and a start that lies better.
    cJSON* root = report("--from 0,0,0,0 --from 30,0,0,0 --to 50,0,0,0 --to 45,0,0,0,5 "
                         "--to 35,0,180,0 --svg ends.svg");
    cJSON* alone = report("--from 30,0,0,0 --to 50,0,0,0");
    assert_true(number(root, "start") == 1.0 && number(root, "goal") == 0.0);
    assert_true(number(root, "cost_s") == number(alone, "cost_s"));
    cJSON_Delete(root);
    cJSON_Delete(alone);
    assert_int_equal(run("--from 0,0,0,0 --to 50,0,0,0 --to 20,0,0,0,1"), 0);
    expect_in("out", "goal                 2 of 2");
    expect_refusal("--from 0,0,0,0 --to 50,0,0,0,-1", "--to: a penalty must not be less than 0");
    expect_refusal("--from 0,0,0,0 --to 50,0,0,0,1,2", "--to: must be X,Y,DEG,V");
    char line[400];
    int length = snprintf(line, sizeof line, "--from 0,0,0,0");
    for (int i = 0; i < 17; i++)
        length += snprintf(line + length, sizeof line - (size_t)length, " --to %d,0,0,0", 50 + i);
    expect_refusal(line, "--to: at most 16");
}

static void the_search_of_the_thesis_can_be_set_and_run(void** state) {
    (void)state;
    const char* ends = "--from 0,0,0,10 --to 35,22,180,3";
    char line[200];
    snprintf(line, sizeof line, "%s --search kerb", ends);
    cJSON* root = report(line);
    snprintf(line, sizeof line, "%s --budget 20000", ends);
    cJSON* planner = report(line);
    assert_true(cJSON_IsTrue(cJSON_GetObjectItem(root, "valid")));
    double best = number(planner, "cost_s"), cost = number(root, "cost_s");
    assert_true(cost > best * 0.999 && cost < best * 1.15);
    assert_true(number(root, "states_kept") > 100.0);
    assert_true(number(root, "states_looked_at") > number(root, "states_kept"));
    assert_true(number(root, "suboptimality") >= 1.0);
    assert_true(number(root, "weight") == 1.0);
    cJSON_Delete(planner);
    // Weights, anytime: the first answer is the one that a heavy weight is content with.
    snprintf(line, sizeof line, "%s --search kerb --set last_weight=2 --anytime", ends);
    cJSON* hasty = report(line);
    assert_true(number(hasty, "expansions") < number(root, "expansions"));
    assert_true(number(hasty, "cost_s") >= cost);
    assert_true(number(hasty, "weight") == 2.0);
    cJSON_Delete(hasty);
    // Its lower bound is another heuristic's matter, its work is not.
    snprintf(line, sizeof line, "%s --search kerb --set heuristic=euclidean", ends);
    cJSON* blind = report(line);
    assert_true(number(blind, "expansions") > 1.5 * number(root, "expansions"));
    cJSON_Delete(blind);
    cJSON_Delete(root);
}

static void the_thesis_s_search_arrives_within_its_tolerances(void** state) {
    (void)state;
    cJSON* root = report("--from 0,0,0,10 --to 55,4,10,12 --search thesis --expansions 50000 "
                         "--html search.html");
    assert_true(cJSON_IsTrue(cJSON_GetObjectItem(root, "valid")));
    const cJSON* states = cJSON_GetObjectItem(root, "states");
    const cJSON* last = cJSON_GetArrayItem(states, cJSON_GetArraySize(states) - 1);
    double aside = hypot(cJSON_GetArrayItem(last, 1)->valuedouble - 55.0,
                         cJSON_GetArrayItem(last, 2)->valuedouble - 4.0);
    assert_true(aside > 1e-4 && aside < 0.361);
    cJSON_Delete(root);
    char* page = contents("search.html");
    assert_null(strstr(page, "\"arcs\":\"\"")); // its tree is there
    free(page);
}

static void the_report_on_the_thesis_has_all_tables_and_figures(void** state) {
    (void)state;
    cJSON* root = report("--thesis --goals 1 --expansions 100 --html thesis.html");
    const cJSON* tables = cJSON_GetObjectItem(root, "tables");
    static const char* const names[] = {"5.1", "5.2", "5.3", "5.4", "5.5", "5.6", "5.7", "5.8"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const cJSON* table = cJSON_GetObjectItem(tables, names[i]);
        assert_true(cJSON_GetArraySize(cJSON_GetObjectItem(table, "rows")) >= 4);
        assert_non_null(cJSON_GetObjectItem(table, "note"));
    }
    char* page = contents("thesis.html");
    static const char* const figures[] = {
        "4.2",  "4.3",  "4.4",  "4.5",  "4.6",  "4.10", "5.1",  "5.2",  "5.3",  "5.4",
        "5.5",  "5.6",  "5.7",  "5.8",  "5.10", "5.11", "5.12", "5.13", "5.14", "5.15",
        "5.16", "A.1",  "A.2",  "A.3",  "A.4",  "A.5",  "A.6",  "A.7",  "A.8",  "A.9",
        "A.10", "A.11", "A.12", "A.13", "A.14", "A.15", "A.16", "A.17"};
    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++) {
        char id[20];
        snprintf(id, sizeof id, "id=\"f%s\"", figures[i]);
        if (!strstr(page, id))
            fail_msg("figure %s is missing", figures[i]);
    }
    assert_non_null(strstr(page, "id=\"t5.8-kerb\""));
    assert_null(strstr(page, "http:")); // nothing is from elsewhere
    assert_null(strstr(page, "https:"));
    free(page);
    cJSON_Delete(root);
}

static void settings_that_are_wrong_are_named(void** state) {
    (void)state;
    const char* ends = "--from 0,0,0,0 --to 50,0,0,0";
    static const char* const cases[][2] = {
        {"--search kerb --set heuristik=thesis", "did you mean heuristic?"},
        {"--search kerb --set heuristic=best", "admissible|thesis|distance|euclidean"},
        {"--search kerb --set cell=0", "cell"},
        {"--set cell=2", "unknown setting 'cell'"}, // that is the search's
        {"--search kerb --budget 5", "--budget: steps of the planner"},
        {"--search best", "kerb|thesis"},
        {"--thesis --search kerb", "--thesis: decides itself"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char line[200];
        snprintf(line, sizeof line, "%s %s", strstr(cases[i][0], "--thesis") ? "" : ends,
                 cases[i][0]);
        expect_refusal(line, cases[i][1]);
    }
    assert_int_equal(run("--list"), 0);
    expect_in("out", "improvement");
    expect_in("out", "admissible|thesis|distance|euclidean");
    cJSON* root = report("--from 0,0,0,10 --to 5,12,180,3 --set improvement=99");
    assert_true(number(root, "steps") <= 100.0);
    cJSON_Delete(root);
}

static void less_grip_takes_longer(void** state) {
    (void)state;
    cJSON* dry = report("--from 0,0,0,8 --to 20,20,180,3");
    cJSON* ice = report("--from 0,0,0,8 --to 20,20,180,3 --grip 0.2");
    assert_true(number(ice, "cost_s") > 1.2 * number(dry, "cost_s"));
    cJSON_Delete(dry);
    cJSON_Delete(ice);
}

static void the_csv_has_a_row_every_tenth_of_a_second(void** state) {
    (void)state;
    assert_int_equal(run("--from 0,0,0,0 --to 50,0,0,0 --csv states.csv"), 0);
    expect_in("states.csv", "t_s,x_m,y_m,heading_deg,speed_mps,steering,acceleration_mps2");
    expect_in("states.csv", "\n1.0000,0.75000,0.00000,0.0000,1.50000,0.00000,1.5000,");
    expect_in("out", "takes                9.309 s");
}

static void a_goal_that_is_too_fast_is_impossible(void** state) {
    (void)state;
    assert_int_equal(run("--from 0,0,0,0 --to 50,0,0,14 --json"), 1);
    expect_in("out", "\"outcome\":\t\"impossible\"");
    expect_in("out", "\"cost_s\":\tnull");
}

static void a_movement_that_cannot_be_says_why(void** state) {
    (void)state;
    put("post.map", "type octile\nheight 8\nwidth 40\nmap\n"
                    "........................................\n"
                    "........................................\n"
                    "........................................\n"
                    "...............................@@@......\n"
                    "...............................@@@......\n"
                    "........................................\n"
                    "........................................\n"
                    "........................................\n");
    static const char* const cases[][2] = {
        {"--from 0,0,0,0 --to 50,0,0,14", "14 m/s at the goal, more than the vehicle's 13.8 m/s"},
        {"--from 0,0,0,20 --to 50,0,0,0", "20 m/s at the start, more than the vehicle's 13.8 m/s"},
        {"--from 0,0,0,0 --to 50,0,0,-3", "-3 m/s at the goal, and the vehicle may not reverse"},
        {"--from 0,0,0,0 --to 50,0,0,-6 --reverse",
         "-6 m/s at the goal, more than the vehicle's 5 m/s in reverse"},
        {"--map post.map --from 4,4,0,0 --to 32,4,0,0",
         "goal_blocked: the goal is in an obstacle or off the map"},
        {"--map post.map --from 32,4,0,0 --to 4,4,0,0",
         "start_blocked: the start is in an obstacle or off the map"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(run(cases[i][0]), 1);
        expect_in("out", cases[i][1]);
        char arguments[160];
        snprintf(arguments, sizeof arguments, "%s --json", cases[i][0]);
        cJSON* root = report_of(arguments, 1);
        assert_true(cJSON_IsString(cJSON_GetObjectItem(root, "reason")));
        cJSON_Delete(root);
    }
    assert_int_equal(run("--from 0,0,0,0 --to 50,0,0,0 --json"), 0);
    expect_in("out", "\"reason\":\tnull");
}

// --------------------------------------------------------------------------- random goals

static void random_goals_are_all_found_and_legal(void** state) {
    (void)state;
    cJSON* root = report("--random 200 --budget 50 --threads 2");
    assert_true(number(root, "count") == 200.0);
    assert_true(number(root, "found") == 200.0);
    assert_true(number(root, "invalid") == 0.0);
    assert_true(number(root, "cost_mean_s") <= number(root, "first_cost_mean_s"));
    assert_true(number(root, "cost_mean_s") >= number(root, "lower_bound_mean_s"));
    static const char* const keys[] = {"plan_mean_ms", "plan_p99_ms",     "plan_max_ms",
                                       "first_p99_ms", "expansions_mean", "steps_mean"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        (void)number(root, keys[i]);
    double count = 0.0;
    const cJSON* bucket;
    cJSON_ArrayForEach(bucket, cJSON_GetObjectItem(root, "by_distance")) {
        count += number(bucket, "count");
        assert_true(number(bucket, "to_m") == number(bucket, "from_m") + 10.0);
        assert_non_null(cJSON_GetObjectItem(bucket, "probe_cost_mean_s"));
        assert_true(number(bucket, "probe_expansions_mean") >= 1.0);
        (void)number(bucket, "cost_mean_s");
    }
    assert_true(count == 200.0);
    cJSON_Delete(root);
}

static void the_thesis_s_tables_stand_beside_its_own_numbers(void** state) {
    (void)state;
    cJSON* root = report("--thesis --goals 2 --expansions 300 --threads 2");
    assert_true(number(root, "goals") == 2.0);
    assert_true(number(root, "invalid") == 0.0);
    const cJSON* tables = cJSON_GetObjectItem(root, "tables");
    static const char* const names[] = {"5.1", "5.2", "5.3", "5.4", "5.5", "5.6", "5.7", "5.8"};
    static const int rows[] = {11, 4, 8, 8, 14, 14, 8, 8};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const cJSON* table = cJSON_GetObjectItem(tables, names[i]);
        assert_non_null(table);
        assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(table, "rows")), rows[i]);
    }
    // Some of the thesis's: 5.5 with cells of 1.2 m, 5.8 at 20 to 30 m.
    const cJSON* cells = cJSON_GetObjectItem(cJSON_GetObjectItem(tables, "5.5"), "rows");
    const cJSON* probes = cJSON_GetObjectItem(cJSON_GetObjectItem(tables, "5.8"), "rows");
    assert_true(number(cJSON_GetArrayItem(cells, 8), "thesis_expansions_mean") == 843.0);
    assert_true(number(cJSON_GetArrayItem(probes, 2), "thesis_probe_cost_mean_s") == 14.5);
    // A wider road is never slower than the ideal line.
    const cJSON* widths = cJSON_GetObjectItem(cJSON_GetObjectItem(tables, "5.1"), "rows");
    double ideal = number(cJSON_GetArrayItem(widths, 0), "time_s");
    assert_true(number(cJSON_GetArrayItem(widths, 10), "time_s") <= ideal + 1e-3);
    cJSON_Delete(root);
    assert_int_equal(run("--thesis --goals 1 --expansions 100"), 0);
    expect_in("out", "5.4  Time of the plans, by heuristic");
}

static void the_thesis_s_tables_do_not_depend_on_threads(void** state) {
    (void)state;
    assert_int_equal(run("--thesis --goals 3 --expansions 100 --threads 1 --json"), 0);
    char* one = contents("out");
    assert_int_equal(run("--thesis --goals 3 --expansions 100 --threads 3 --json"), 0);
    char* three = contents("out");
    assert_string_equal(one, three);
    free(one);
    free(three);
}

static void fields_of_blocks_are_crossed(void** state) {
    (void)state;
    cJSON* root = report("--blocks 3 --seed 2 --budget 200 --threads 2");
    assert_true(number(root, "count") == 3.0);
    assert_true(number(root, "found") == 3.0);
    assert_true(number(root, "invalid") == 0.0);
    assert_true(number(root, "cost_mean_s") >= number(root, "lower_bound_mean_s"));
    assert_null(cJSON_GetObjectItem(root, "radius_min_m"));
    cJSON_Delete(root);
    // Field 2 is the same field whatever else is asked for.
    assert_int_equal(run("--blocks 3 --seed 2 --budget 200 --threads 1 --csv three.csv"), 0);
    assert_int_equal(run("--blocks 20 --seed 2 --budget 200 --threads 3 --csv more.csv"), 0);
    char *three = contents("three.csv"), *more = contents("more.csv");
    assert_true(strlen(three) > 200 && strncmp(three, more, strlen(three)) == 0);
    free(three);
    free(more);
    // One of these has no way, which costs nothing.
    assert_int_equal(run("--blocks 41 --seed 1 --budget 1 --csv cut.csv"), 1);
    expect_in("cut.csv", "\n40,127.27922,5.00000,10.00000,0.00000,0.00000,,,");
}

static void threads_and_slices_change_no_movement(void** state) {
    (void)state;
    assert_int_equal(run("--random 60 --budget 60 --threads 1 --csv one.csv --seed 5"), 0);
    assert_int_equal(run("--random 60 --budget 60 --threads 4 --csv four.csv --seed 5"), 0);
    char *one = contents("one.csv"), *four = contents("four.csv");
    assert_string_equal(one, four);
    assert_true(strlen(one) > 1000);
    free(one);
    free(four);
}

static void a_picture_can_be_had(void** state) {
    (void)state;
    if (run("--from 0,0,0,0 --to 0,6,0,0 --reverse --svg one.svg --quiet") != 0) {
        expect_in("error", "without cairo");
        return;
    }
    expect_in("one.svg", "<svg");
    assert_int_equal(run("--random 5 --budget 5 --svg many.svg --quiet"), 0);
    expect_in("many.svg", "<svg");
    char* out = contents("out");
    assert_int_equal(strlen(out), 0);
    free(out);
    assert_int_equal(run("--blocks 2 --budget 5 --svg field.svg --quiet"), 0);
    expect_in("field.svg", "<svg");
}

// A room of 40 m by 24 m with a wall in it.
static void write_walled_map(void) {
    char text[1200];
    int length = snprintf(text, sizeof text, "type octile\nheight 24\nwidth 40\nmap\n");
    for (int y = 0; y < 24; y++) {
        for (int x = 0; x < 40; x++)
            text[length++] = x == 20 && y < 12 ? '@' : '.';
        text[length++] = '\n';
    }
    text[length] = '\0';
    put("walled.map", text);
}

static void a_page_replays_how_a_movement_was_found(void** state) {
    (void)state;
    write_walled_map();
    cJSON* root = report("--map walled.map --from 3,8,90,0 --to 30,4,-90,0 --html walled.html");
    assert_true(number(root, "expansions") > 0.0);
    cJSON_Delete(root);
    expect_in("walled.html", "\"plan\":{\"outcome\":\"found\"");
    expect_in("walled.html", "\"cells\":\"");
    expect_in("walled.html", "\"answers\":[{\"cost\":");
    char* page = contents("walled.html");
    assert_null(strstr(page, "\"arcs\":\"\""));
    free(page);
    // Looking on changes nothing, and the page is the same each time.
    cJSON* other = report("--map walled.map --from 3,8,90,0 --to 30,4,-90,0 --html again.html");
    char *one = contents("walled.html"), *two = contents("again.html");
    assert_string_equal(one, two);
    free(one);
    free(two);
    cJSON_Delete(other);
    // On open ground there is no tree, but there are movements on the way.
    assert_int_equal(run("--random 3 --html random.html --quiet"), 0);
    expect_in("random.html", "\"arcs\":\"\"");
    expect_in("random.html", "Plan 3");
}

static void it_keeps_off_what_costs(void** state) {
    (void)state;
    char text[4000];
    int length = snprintf(text, sizeof text, "type octile\nheight 40\nwidth 60\nmap\n");
    for (int y = 0; y < 40; y++) {
        for (int x = 0; x < 60; x++)
            text[length++] = x >= 20 && x < 40 && y >= 16 && y < 26 ? '@' : '.';
        text[length++] = '\n';
    }
    text[length] = '\0';
    put("lawn.map", text);
    cJSON* dear = report("--costs lawn.map --from 3,20,0,0 --to 55,20,0,0 --svg lawn.svg");
    cJSON* cheap = report("--costs lawn.map --price 0.001 --from 3,20,0,0 --to 55,20,0,0");
    assert_true(number(dear, "toll_s") < 1.0);
    expect_near(number(cheap, "toll_s"), 0.001 * 20.0, 0.05);
    expect_near(number(dear, "cost_s"), number(dear, "time_s") + number(dear, "toll_s"), 1e-5);
    assert_true(number(dear, "time_s") > number(cheap, "time_s"));
    cJSON_Delete(dear);
    cJSON_Delete(cheap);
    expect_refusal("--map walled.map --costs lawn.map --from 3,20,0,0 --to 55,20,0,0",
                   "must have the cells and the place of --map, 40 by 24 of 1 m");
}

static void it_meets_nobody_who_crosses_its_way(void** state) {
    (void)state;
    cJSON* alone = report("--from 0,0,0,0 --to 60,0,0,0");
    cJSON* away = report("--from 0,0,0,0 --to 60,0,0,0 --mover 30,-25,0,-6");
    cJSON* met = report("--from 0,0,0,0 --to 60,0,0,0 --mover 30,-38,0,6 --mover 30,-60,0,6,20,2 "
                        "--html met.html --svg met.svg");
    assert_true(number(away, "cost_s") == number(alone, "cost_s"));
    // Round them it is quicker than to wait until they have passed.
    assert_true(number(met, "cost_s") > number(alone, "cost_s"));
    assert_true(number(met, "cost_s") < number(alone, "cost_s") + 1.0);
    assert_true(cJSON_IsTrue(cJSON_GetObjectItem(met, "valid")));
    expect_in("met.html", "\"movers\":\"");
    cJSON_Delete(alone);
    cJSON_Delete(away);
    cJSON_Delete(met);
    expect_refusal("--from 0,0,0,0 --to 60,0,0,0 --mover 1,2,3", "--mover: must be X,Y,VX,VY");
    expect_refusal("--from 0,0,0,0 --to 60,0,0,0 --mover 1,2,3,4,0,1", "--mover: length");
    expect_refusal("--random 5 --mover 1,2,3,4", "--mover: for one plan");
}

static void no_path_is_confirmed_by_a_flood(void** state) {
    (void)state;
    char text[4000];
    int length = snprintf(text, sizeof text, "type octile\nheight 20\nwidth 40\nmap\n");
    for (int y = 0; y < 20; y++) {
        for (int x = 0; x < 40; x++)
            text[length++] = x == 20 ? '@' : '.';
        text[length++] = '\n';
    }
    text[length] = '\0';
    put("parted.map", text);
    put("parted.csv", "map,x0,y0,deg0,v0,x1,y1,deg1,v1\nparted.map,8,10,0,0,32,10,0,0\n"
                      "parted.map,4,5,0,0,12,15,0,0\n");
    cJSON* r = report("--scenarios parted.csv --flood --reverse");
    assert_true(number(r, "cut_off") == 1.0 && number(r, "no_path") == 1.0);
    assert_true(number(r, "no_path_confirmed") == 1.0 && number(r, "cut_off_missed") == 0.0);
    cJSON_Delete(r);
    expect_refusal("--random 5 --flood", "--flood: for --scenarios");
}

static void hopeless_ends_and_limits_have_a_name(void** state) {
    (void)state;
    write_walled_map();
    static const struct {
        const char *arguments, *outcome;
    } cases[] = {
        {"--map walled.map --from 20.5,5,0,0 --to 30,4,0,0", "start_blocked"},
        {"--map walled.map --from 3,8,0,0 --to 20.5,5,0,0", "goal_blocked"},
        {"--map walled.map --from -30,8,0,0 --to 30,4,0,0", "start_blocked"},
        {"--from 0,0,0,99 --to 30,4,0,0", "impossible"},
        {"--from 0,0,0,0 --to 30,4,0,-3", "impossible"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cJSON* root = report_of(cases[i].arguments, 1);
        assert_string_equal(cJSON_GetObjectItem(root, "outcome")->valuestring, cases[i].outcome);
        assert_true(cJSON_IsNull(cJSON_GetObjectItem(root, "cost_s")));
        cJSON_Delete(root);
    }
    // A room without a door.
    char text[1200];
    int length = snprintf(text, sizeof text, "type octile\nheight 24\nwidth 40\nmap\n");
    for (int y = 0; y < 24; y++) {
        for (int x = 0; x < 40; x++)
            text[length++] = x >= 18 && x < 23 ? '@' : '.';
        text[length++] = '\n';
    }
    text[length] = '\0';
    put("closed.map", text);
    cJSON* root = report_of("--map closed.map --from 5,12,0,0 --to 32,12,0,0", 1);
    assert_string_equal(cJSON_GetObjectItem(root, "outcome")->valuestring, "no_path");
    cJSON_Delete(root);
}

// --------------------------------------------------------------------------- driven

static void what_is_found_can_be_driven(void** state) {
    (void)state;
    cJSON* root = report("--from 0,0,0,0 --to 30,8,90,0 --vehicle pickup --drive --png d.png "
                         "--html d.html --csv d.csv");
    assert_true(cJSON_IsTrue(cJSON_GetObjectItem(root, "arrived")));
    assert_true(cJSON_IsFalse(cJSON_GetObjectItem(root, "touched")));
    double planned = number(root, "planned_s"), driven = number(root, "driven_s");
    expect_near(planned, number(root, "time_s"), 1e-6);
    assert_true(fabs(driven / planned - 1.0) < 0.05);
    assert_true(number(root, "error_max_m") < 0.3 && number(root, "error_max_m") > 0.0);
    assert_true(number(root, "error_mean_m") <= number(root, "error_max_m"));
    assert_true(number(root, "end_error_m") <= number(root, "error_max_m") + 0.05);
    (void)number(root, "end_error_deg");
    expect_in("d.html", "\"driven\":true");
    expect_in("d.html", "\"throttle\":\"");
    expect_in("d.csv", "driven_x_m,driven_y_m,driven_heading_deg,driven_speed_mps,error_m");
    cJSON_Delete(root);
    assert_int_equal(run("--from 0,0,0,0 --to 30,0,0,0 --drive"), 0);
    expect_in("out", "driven               in ");
}

static void a_smaller_share_of_the_vehicle_takes_longer(void** state) {
    (void)state;
    const char* const lines[3] = {"--from 0,0,0,0 --to 40,0,0,0 --vehicle buggy",
                                  "--from 0,0,0,0 --to 40,0,0,0 --vehicle buggy --share 0.5",
                                  "--from 0,0,0,0 --to 40,0,0,0 --vehicle buggy --drive"};
    double last = 0.0;
    for (int i = 0; i < 3; i++) {
        cJSON* root = report(lines[i]);
        assert_true(number(root, "cost_s") > 1.2 * last);
        last = number(root, "cost_s");
        cJSON_Delete(root);
    }
}

static void random_goals_of_a_vehicle_are_driven_on_any_number_of_threads(void** state) {
    (void)state;
    cJSON* one = report("--random 20 --vehicle road --drive --threads 1 --csv one.csv");
    cJSON* two = report("--random 20 --vehicle road --drive --threads 3");
    static const char* const keys[] = {"driven",         "arrived",       "driven_within",
                                       "touched",        "driven_mean_s", "error_mean_m",
                                       "planned_mean_s", "error_max_m"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        assert_true(number(one, keys[i]) == number(two, keys[i]));
    assert_true(number(one, "driven") == 20.0 && number(one, "arrived") == 20.0);
    assert_true(number(one, "driven_within") >= 17.0);
    expect_in("one.csv", ",planned_s,driven_s,error_mean_m,error_max_m,arrived,touched\n");
    cJSON_Delete(one);
    cJSON_Delete(two);
}

// Straight along a street that is hardly wider than the car it fits; at the very limit round blocks
// somebody gets far aside.
static void whoever_drives_into_a_wall_is_told_so(void** state) {
    (void)state;
    static char text[64 * 16];
    int length = snprintf(text, sizeof text, "type octile\nheight 8\nwidth 60\nmap\n");
    for (int y = 0; y < 8; y++)
        for (int x = 0; x <= 60; x++)
            text[length++] = x == 60 ? '\n' : y < 3 || y > 4 ? '@' : '.';
    text[length] = '\0';
    put("street.map", text);
    cJSON* root = report("--map street.map --from 5,4,0,0 --to 50,4,0,0 --vehicle pickup --drive");
    assert_true(cJSON_IsFalse(cJSON_GetObjectItem(root, "touched")));
    cJSON_Delete(root);
    assert_int_equal(run("--map street.map --from 5,4,0,0 --to 50,4,0,0 --vehicle pickup "
                         "--margin 0.2 --json"),
                     1);
    expect_in("out", "\"outcome\":\t\"goal_blocked\""); // a start may be within its margin
    cJSON* careless = report("--blocks 30 --drive --share 1 --grip 0.6 --threads 2");
    cJSON* careful = report("--blocks 12 --drive --margin 0.5 --threads 2");
    assert_true(number(careless, "touched") > 0.0);
    assert_true(number(careful, "touched") == 0.0);
    cJSON_Delete(careless);
    cJSON_Delete(careful);
}

// --------------------------------------------------------------------------- what is refused

static void what_makes_no_sense_is_refused_in_one_line(void** state) {
    (void)state;
    expect_refusal("", "plan: from where to where?");
    expect_refusal("--from 0,0,0,0", "from where to where?");
    expect_refusal("--from 0,0,0 --to 1,1,1,1", "--from: must be X,Y,DEG,V");
    expect_refusal("--from 0,0,0,0,0,0 --to 1,1,1,1", "--from: must be X,Y,DEG,V");
    expect_refusal("--from 0,0,0,0 --to 1,1,1,nan", "--to: must be X,Y,DEG,V");
    expect_refusal("--from 0,0,0,0 --to 1,1,1,1 --tolerance 1,2", "--tolerance: must be three");
    expect_refusal("--from 0,0,0,0 --to 1,1,1,1 --tolerance 1,-2,0", "must not be less than 0");
    expect_refusal("--from 0,0,0,0 --to 1e9,1,1,1", "pose: must lie within 1e6 m");
    expect_refusal("--from 0,0,0,0 --to 1,1,1,1 --random 5", "--random: takes no --from");
    expect_refusal("--from 0,0,0,0 --to 1,1,1,1 --radius-min 5", "for --random");
    expect_refusal("--random 5 --radius-min 9 --radius-max 8", "is more than --radius-max");
    expect_refusal("--random 5 --vehicle pickup --radius-min 5", "the vehicle has its own");
    expect_refusal("--from 0,0,0,0 --to 1,1,1,1 --share 0.5", "--share: for --vehicle or --drive");
    expect_refusal("--thesis --drive", "--thesis: decides itself");
    expect_refusal("--random 2 --vehicle ship --blocks 3", "--vehicle: ship takes");
    expect_refusal("--random 5 --blocks 5", "--random, --blocks, --scenarios: give only one");
    expect_refusal("--blocks 5 --to 1,1,1,1", "--blocks: takes no --from");
    expect_refusal("--blocks 5 --vehicle pickup", "--vehicle: fields of blocks are");
    expect_refusal("--blocks 5 --map a.map", "--map: for one plan");
    expect_refusal("--from 0,0,0,0 --to 1,1,1,1 --vehicle nonesuch", "nonesuch");
    expect_refusal("--from 0,0,0,0 --to 1,1,1,1 --map a.map", "a.map");
    expect_refusal("--scenarios a.scen", "a.scen");
    expect_refusal("--scenarios a.scen --from 0,0,0,0", "--scenarios: takes no --from");
    expect_refusal("--from 0,0,0,0 --to 1,1,1,1 --limit 3", "--limit: for --scenarios");
    expect_refusal("--from 0,0,0,0 --to 1,1,1,1 --csv /nonesuch/a.csv", "/nonesuch/a.csv");
}

int command_plan_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_straight_drive_is_reported_as_the_formulas_have_it),
        cmocka_unit_test(the_report_has_every_key),
        cmocka_unit_test(more_work_never_makes_it_slower),
        cmocka_unit_test(only_with_reverse_it_backs_up),
        cmocka_unit_test(what_the_end_leaves_open_makes_it_faster),
        cmocka_unit_test(the_best_of_several_ends_is_taken),
        cmocka_unit_test(the_search_of_the_thesis_can_be_set_and_run),
        cmocka_unit_test(the_thesis_s_search_arrives_within_its_tolerances),
        cmocka_unit_test(the_report_on_the_thesis_has_all_tables_and_figures),
        cmocka_unit_test(settings_that_are_wrong_are_named),
        cmocka_unit_test(less_grip_takes_longer),
        cmocka_unit_test(the_csv_has_a_row_every_tenth_of_a_second),
        cmocka_unit_test(a_goal_that_is_too_fast_is_impossible),
        cmocka_unit_test(a_movement_that_cannot_be_says_why),
        cmocka_unit_test(random_goals_are_all_found_and_legal),
        cmocka_unit_test(the_thesis_s_tables_stand_beside_its_own_numbers),
        cmocka_unit_test(the_thesis_s_tables_do_not_depend_on_threads),
        cmocka_unit_test(fields_of_blocks_are_crossed),
        cmocka_unit_test(threads_and_slices_change_no_movement),
        cmocka_unit_test(a_picture_can_be_had),
        cmocka_unit_test(a_page_replays_how_a_movement_was_found),
        cmocka_unit_test(it_keeps_off_what_costs),
        cmocka_unit_test(it_meets_nobody_who_crosses_its_way),
        cmocka_unit_test(no_path_is_confirmed_by_a_flood),
        cmocka_unit_test(hopeless_ends_and_limits_have_a_name),
        cmocka_unit_test(what_is_found_can_be_driven),
        cmocka_unit_test(a_smaller_share_of_the_vehicle_takes_longer),
        cmocka_unit_test(random_goals_of_a_vehicle_are_driven_on_any_number_of_threads),
        cmocka_unit_test(whoever_drives_into_a_wall_is_told_so),
        cmocka_unit_test(what_makes_no_sense_is_refused_in_one_line),
    };
    return cmocka_run_group_tests_name("command " COMMAND_VERB, tests, make_folder, remove_folder);
}

#else
#include "test/tool/command_missing.h"

int command_plan_tests(void) {
    return command_missing_tests();
}
#endif
