// The search with speed in its states: what trying everything finds, by legal movements, however
// it is sliced.
#include "kerb/plan_search.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "test/allocation.h"
#include "test/plan_rig.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static kerb_plan_search_settings small_settings(void) {
    kerb_plan_search_settings settings = kerb_plan_search_settings_default();
    settings.nodes = 20000;
    settings.expansions = 600;
    return settings;
}

static void create(kerb_plan_search* search, const plan_rig* rig,
                   const kerb_plan_search_settings* settings) {
    const kerb_host host = kerb_host_default();
    kerb_error error;
    if (kerb_plan_search_create(search, &rig->limits, settings, &host, &error) != KERB_OK)
        fail_msg("%s %s", error.field, error.message);
}

static kerb_plan_outcome run(kerb_plan_search* search, const kerb_plan_query* query,
                             int32_t slice) {
    assert_int_equal(kerb_plan_search_begin(search, query, NULL), KERB_OK);
    kerb_plan_outcome outcome = KERB_PLAN_RUNNING;
    while (outcome == KERB_PLAN_RUNNING)
        outcome = kerb_plan_search_advance(search, slice);
    return outcome;
}

static void expect_checked(const plan_rig* rig, const kerb_plan_query* query,
                           const kerb_plan_world* world, const kerb_plan* plan) {
    kerb_error error;
    if (kerb_plan_check(&rig->limits, query, world, plan, &error) != KERB_OK)
        fail_msg("%s %s, piece %d of %d", error.field, error.message, (int)error.index,
                 (int)plan->count);
}

// ------------------------------------------------------------------- goals that leave something
// open

// Without shots, only tolerances end a search. The settings have none here: the goal's own count.
static void a_goals_own_tolerances_end_the_search(void** state) {
    (void)state;
    kerb_random random = test_random("search_tolerances");
    kerb_plan_search_settings settings = kerb_plan_search_settings_default();
    settings.shot_every = 0;
    settings.expansions = 3000;
    settings.nodes = 60000;
    int found = 0;
    for (int i = 0; i < 8; i++) {
        plan_rig rig = plan_rig_thesis(&random);
        rig.from.speed = 5.0f;
        kerb_plan_query query = plan_rig_query(&rig);
        kerb_plan_search search;
        create(&search, &rig, &settings);
        assert_int_not_equal(run(&search, &query, 100), KERB_PLAN_FOUND); // nothing ends there
        rig.to.position_tolerance = 3.0f;
        rig.to.heading_tolerance = KERB_PI;
        rig.to.speed_tolerance = 15.0f;
        if (run(&search, &query, 100) == KERB_PLAN_FOUND) {
            kerb_plan plan = kerb_plan_search_get_plan(&search);
            found++;
            expect_checked(&rig, &query, NULL, &plan);
            assert_true(plan.lower_bound <= plan.cost * 1.00001f);
        }
        kerb_plan_search_destroy(&search);
    }
    assert_true(found >= 7);
}

// ------------------------------------------------------------------- legal

static void expect_legal_goals(const char* name, int count, bool wild, bool reverse) {
    kerb_random random = test_random(name);
    kerb_plan_search_settings settings = small_settings();
    for (int i = 0; i < count; i++) {
        plan_rig rig = wild ? plan_rig_wild(&random, reverse) : plan_rig_thesis(&random);
        kerb_plan_query query = plan_rig_query(&rig);
        kerb_plan_search search;
        settings.probing = i % 2 ? KERB_PLAN_PROBING_FIRST : KERB_PLAN_PROBING_NEVER;
        settings.accelerations = 1 + i % 3;
        create(&search, &rig, &settings);
        assert_int_equal(run(&search, &query, 100), KERB_PLAN_FOUND);
        kerb_plan plan = kerb_plan_search_get_plan(&search);
        expect_checked(&rig, &query, NULL, &plan);
        assert_true(plan.lower_bound <= plan.cost);
        assert_int_equal(plan.method, KERB_PLAN_METHOD_SPEED_SEARCH);
        kerb_plan_search_destroy(&search);
    }
}

static void every_movement_keeps_every_limit(void** state) {
    (void)state;
    expect_legal_goals("search_thesis", 40, false, false);
    expect_legal_goals("search_wild", 30, true, false);
    expect_legal_goals("search_reverse", 20, true, true);
}

// Jumps of curvature are no greater than the wheels follow, and at changes of direction they have
// the time to turn: the checker asks for it.
static void wheels_that_take_time_to_turn_are_given_it(void** state) {
    (void)state;
    kerb_random random = test_random("search_wheels");
    int found = 0;
    for (int i = 0; i < 30; i++) {
        plan_rig rig = i % 3 == 0 ? plan_rig_thesis(&random) : plan_rig_wild(&random, i % 3 == 1);
        rig.limits.steering_time = kerb_random_between(&random, 0.05f, 0.6f);
        rig.limits.reversal_time = kerb_random_between(&random, 0.0f, 0.3f);
        kerb_plan_query query = plan_rig_query(&rig);
        kerb_plan_search search;
        kerb_plan_search_settings settings = small_settings();
        create(&search, &rig, &settings);
        if (run(&search, &query, 100) == KERB_PLAN_FOUND) {
            kerb_plan plan = kerb_plan_search_get_plan(&search);
            expect_checked(&rig, &query, NULL, &plan);
            found++;
        }
        kerb_plan effort = kerb_plan_search_get_partial_plan(&search);
        assert_true(effort.count > 0);
        kerb_plan_search_destroy(&search);
    }
    assert_true(found >= 24);
}

// What leads to the nearest state is a movement as well: legal, but for its end.
static void the_best_effort_is_a_movement_too(void** state) {
    (void)state;
    kerb_random random = test_random("search_effort");
    kerb_plan_search_settings settings = small_settings();
    settings.shot_every = 0;
    for (int i = 0; i < 40; i++) {
        plan_rig rig = i % 2 ? plan_rig_wild(&random, true) : plan_rig_thesis(&random);
        kerb_plan_query query = plan_rig_query(&rig);
        kerb_plan_search search;
        create(&search, &rig, &settings);
        assert_int_equal(kerb_plan_search_begin(&search, &query, NULL), KERB_OK);
        for (int k = 0; k < 5; k++) {
            kerb_plan plan = kerb_plan_search_get_partial_plan(&search);
            kerb_plan_state last = kerb_plan_at(&plan, plan.time);
            kerb_plan_end reached = {.pose = last.pose, .speed = last.speed};
            kerb_plan_query to_there = {&rig.from, &reached, 1, 1};
            expect_checked(&rig, &to_there, NULL, &plan);
            kerb_plan_search_advance(&search, 20);
        }
        kerb_plan_search_destroy(&search);
    }
}

// ------------------------------------------------------------------- trying everything

// The documented actions, written down a second time, in doubles and without the library.
typedef struct trial {
    const plan_rig* rig;
    const kerb_plan_search_settings* settings;
    double tolerance; // added to the goal's
    double best;
    long tried;
} trial;

typedef struct spot {
    double x, y, heading, speed, cost;
} spot;

static double wrapped(double angle) {
    return remainder(angle, 6.283185307179586);
}

static bool is_at_goal(const trial* t, const spot* s) {
    const kerb_plan_end* to = &t->rig->to;
    double away = hypot(s->x - (double)to->pose.position.x, s->y - (double)to->pose.position.y);
    double heading = atan2((double)to->pose.forward.y, (double)to->pose.forward.x);
    return away <= (double)t->settings->position_tolerance + t->tolerance &&
           fabs(wrapped(s->heading - heading)) <=
               (double)t->settings->heading_tolerance + t->tolerance &&
           fabs(s->speed - (double)to->speed) <=
               (double)t->settings->speed_tolerance + t->tolerance;
}

static double speed_after(const kerb_plan_limits* l, double speed, double acceleration,
                          double length) {
    double square = speed * speed + 2.0 * acceleration * length;
    square = fmax(square, 0.0);
    return fmin(sqrt(square), (double)l->speed_max);
}

// The turn over a step that a speed allows.
static double turn_allowed(const trial* t, double speed) {
    const kerb_plan_limits* l = &t->rig->limits;
    double bend = 1.0 / (double)l->turning_radius;
    if (speed > 0.0) {
        bend = fmin(bend, (double)l->lateral_acceleration / (speed * speed));
        bend = fmin(bend, (double)l->yaw_rate_max / speed);
    }
    return 2.0 * asin(0.5 * bend * (double)t->settings->step_length);
}

static double arc_length(const trial* t, double turn) {
    double step = (double)t->settings->step_length;
    return fabs(turn) > 1e-9 ? step * (0.5 * turn) / sin(0.5 * turn) : step;
}

static spot moved(const trial* t, const spot* from, double turn, double acceleration) {
    double length = arc_length(t, turn), step = (double)t->settings->step_length;
    spot to = {.heading = from->heading + turn};
    to.speed = speed_after(&t->rig->limits, from->speed, acceleration, length);
    to.x = from->x + step * cos(from->heading + 0.5 * turn);
    to.y = from->y + step * sin(from->heading + 0.5 * turn);
    to.cost = from->cost + 2.0 * length / (from->speed + to.speed);
    return to;
}

// The tightest turn at an acceleration, as plan.h has it: by the faster end.
static double tightest(const trial* t, const spot* from, double acceleration) {
    double turn = turn_allowed(t, from->speed);
    for (int i = 0; i < 60; i++) {
        double speed = speed_after(&t->rig->limits, from->speed, acceleration, arc_length(t, turn));
        double next = turn_allowed(t, fmax(from->speed, speed));
        if (next == turn)
            break;
        turn = next;
    }
    return turn;
}

static int actions(const trial* t, const spot* from, spot* to) {
    const kerb_plan_limits* l = &t->rig->limits;
    double step_turn = (double)t->settings->turn_step;
    int count = 0;
    for (int a = 1; a >= -1; a--) {
        if ((a > 0 && from->speed >= (double)l->speed_max) || (a <= 0 && from->speed <= 0.0))
            continue;
        double acceleration = a > 0 ? (double)l->acceleration : a < 0 ? -(double)l->braking : 0.0;
        double most = tightest(t, from, acceleration);
        to[count++] = moved(t, from, 0.0, acceleration);
        for (int i = 1; i * step_turn < most - 0.1 * step_turn; i++) {
            to[count++] = moved(t, from, i * step_turn, acceleration);
            to[count++] = moved(t, from, -i * step_turn, acceleration);
        }
        to[count++] = moved(t, from, most, acceleration);
        to[count++] = moved(t, from, -most, acceleration);
    }
    return count;
}

static void try_all(trial* t, const spot* from, int depth) {
    const kerb_plan_end* to = &t->rig->to;
    double away =
        hypot(from->x - (double)to->pose.position.x, from->y - (double)to->pose.position.y);
    double reach = (double)t->settings->position_tolerance + t->tolerance;
    double least = fmax(away - reach, 0.0) / (double)t->rig->limits.speed_max;
    if (depth > 0 && is_at_goal(t, from) && from->cost < t->best)
        t->best = from->cost;
    if (from->cost + least >= t->best || depth >= 12)
        return;
    spot next[64];
    int count = actions(t, from, next);
    t->tried += count;
    for (int i = 0; i < count; i++)
        try_all(t, &next[i], depth + 1);
}

static double best_of_all(const plan_rig* rig, const kerb_plan_search_settings* settings,
                          double tolerance, double known) {
    trial t = {rig, settings, tolerance, known, 0};
    spot start = {.x = (double)rig->from.pose.position.x,
                  .y = (double)rig->from.pose.position.y,
                  .heading = (double)kerb_pose_heading(rig->from.pose),
                  .speed = (double)rig->from.speed};
    try_all(&t, &start, 0);
    return t.best;
}

// Where two random actions lead is a goal that can be reached.
static plan_rig rig_of_actions(kerb_random* random, const kerb_plan_search_settings* settings,
                               double* known) {
    plan_rig rig = {.limits = kerb_plan_limits_default()};
    rig.limits.lateral_acceleration = kerb_random_between(random, 4.0f, 20.0f);
    rig.from = kerb_plan_end_make(0.0f, 0.0f, kerb_random_between(random, -3.0f, 3.0f),
                                  kerb_random_between(random, 3.0f, 13.0f));
    trial t = {&rig, settings, 0.0, 1e30, 0};
    spot at = {0.0, 0.0, (double)kerb_pose_heading(rig.from.pose), (double)rig.from.speed, 0.0};
    for (int i = 0; i < 2; i++) {
        spot next[64];
        int count = actions(&t, &at, next);
        at = next[(int)kerb_random_between(random, 0.0f, (float)count - 0.01f)];
    }
    rig.to = kerb_plan_end_make((float)at.x, (float)at.y, (float)at.heading, (float)at.speed);
    *known = at.cost + 1e-6;
    return rig;
}

// Cells so fine that hardly any two states share one.
static kerb_plan_search_settings fine_settings(void) {
    kerb_plan_search_settings settings = kerb_plan_search_settings_default();
    settings.cell = settings.speed_cell = 0.01f;
    settings.heading_cell = 0.0016f;
    settings.turn_step = 0.5f;
    settings.step_length = 3.0f;
    settings.shot_every = 0;
    settings.position_tolerance = 0.3f;
    settings.heading_tolerance = settings.speed_tolerance = 0.1f;
    settings.weight = settings.last_weight = 1.0f;
    settings.probing = KERB_PLAN_PROBING_NEVER;
    settings.expansions = 20000;
    settings.expansions_per_metre = 1e6f;
    settings.nodes = 100000;
    return settings;
}

// Of goals two actions away, at least half are found with this work; those must be the best.
static void expect_best(const kerb_plan_search_settings* settings, kerb_random* random, int count) {
    int found = 0;
    for (int i = 0; i < count; i++) {
        double known;
        plan_rig rig = rig_of_actions(random, settings, &known);
        kerb_plan_query query = plan_rig_query(&rig);
        kerb_plan_search search;
        create(&search, &rig, settings);
        kerb_plan_outcome outcome = run(&search, &query, 1000);
        kerb_plan_search_report report = kerb_plan_search_get_report(&search);
        bool is_spent =
            report.expansions >= settings->expansions || report.nodes >= settings->nodes - 1000;
        if (outcome == KERB_PLAN_FOUND && !is_spent) {
            double cost = (double)kerb_plan_search_get_plan(&search).cost;
            // Floats decide otherwise at the rim of the goal, and cells are a centimetre wide.
            assert_true(cost <= best_of_all(&rig, settings, -0.01, known + 0.01) + 0.02);
            assert_true(cost >= best_of_all(&rig, settings, 0.01, known + 0.01) - 0.02);
            found++;
        }
        kerb_plan_search_destroy(&search);
    }
    assert_true(2 * found >= count);
}

// What comes within the goal's tolerances at least, by every sequence of actions there is, is never
// faster than the bound.
static void trying_everything_is_never_faster_than_the_bound(void** state) {
    (void)state;
    kerb_random random = test_random("bound_everything");
    const kerb_plan_search_settings settings = fine_settings();
    const kerb_plan_bound_settings admissible = {.heuristic = KERB_PLAN_ADMISSIBLE,
                                                 .position_tolerance = settings.position_tolerance,
                                                 .heading_tolerance = settings.heading_tolerance,
                                                 .speed_tolerance = settings.speed_tolerance};
    double nearest = 0.0;
    for (int i = 0; i < test_share(200, 40); i++) {
        double known;
        plan_rig rig = rig_of_actions(&random, &settings, &known);
        double best = best_of_all(&rig, &settings, 0.0, known);
        double bound = (double)kerb_plan_bound(&rig.limits, &admissible, &rig.from, &rig.to);
        assert_true(bound <= best + 1e-4);
        nearest = fmax(nearest, bound / best);
    }
    print_message("the bound is at most %.3f of the best\n", nearest);
    assert_true(nearest > 0.8);
}

static void it_finds_what_trying_everything_finds(void** state) {
    (void)state;
    kerb_random random = test_random("search_everything");
    kerb_plan_search_settings settings = fine_settings();
    expect_best(&settings, &random, 8);
}

static void so_it_does_when_the_weight_falls_and_a_probe_goes_ahead(void** state) {
    (void)state;
    kerb_random random = test_random("search_anytime");
    kerb_plan_search_settings settings = fine_settings();
    settings.weight = 1.5f;
    settings.weight_step = 0.25f;
    settings.probing = KERB_PLAN_PROBING_FIRST;
    expect_best(&settings, &random, 6);
    settings.rank = KERB_PLAN_RANK_ESTIMATE;
    expect_best(&settings, &random, 3);
}

// ------------------------------------------------------------------- the order of work

static void expect_same(const kerb_plan* a, const kerb_plan* b) {
    assert_int_equal(a->count, b->count);
    assert_int_equal(a->expansions, b->expansions);
    assert_true(a->cost == b->cost);
    assert_memory_equal(a->pieces, b->pieces, (size_t)a->count * sizeof *a->pieces);
}

static void the_answer_does_not_depend_on_the_slices(void** state) {
    (void)state;
    kerb_random random = test_random("search_slices");
    kerb_plan_search_settings settings = small_settings();
    for (int i = 0; i < 10; i++) {
        plan_rig rig = plan_rig_wild(&random, i % 2);
        kerb_plan_query query = plan_rig_query(&rig);
        kerb_plan_search one, many;
        create(&one, &rig, &settings);
        create(&many, &rig, &settings);
        run(&one, &query, 1000000);
        run(&many, &query, 1); // and memory that an earlier query has used
        run(&many, &query, 7);
        kerb_plan a = kerb_plan_search_get_plan(&one), b = kerb_plan_search_get_plan(&many);
        expect_same(&a, &b);
        kerb_plan_search_destroy(&one);
        kerb_plan_search_destroy(&many);
    }
}

static void a_copy_of_its_memory_goes_on_alike(void** state) {
    (void)state;
    kerb_random random = test_random("search_copy");
    kerb_plan_search_settings settings = small_settings();
    plan_rig rig = plan_rig_thesis(&random);
    kerb_plan_query query = plan_rig_query(&rig);
    kerb_plan_search search;
    create(&search, &rig, &settings);
    assert_int_equal(kerb_plan_search_begin(&search, &query, NULL), KERB_OK);
    kerb_plan_search_advance(&search, 50);
    kerb_plan_search copy = search;
    copy.memory = aligned_alloc(64, search.bytes);
    assert_non_null(copy.memory);
    memcpy(copy.memory, search.memory, search.bytes);
    kerb_plan_search_advance(&search, 1000000);
    kerb_plan_search_advance(&copy, 1000000);
    kerb_plan a = kerb_plan_search_get_plan(&search), b = kerb_plan_search_get_plan(&copy);
    expect_same(&a, &b);
    free(copy.memory);
    kerb_plan_search_destroy(&search);
}

static void answers_only_get_better(void** state) {
    (void)state;
    kerb_random random = test_random("search_better");
    kerb_plan_search_settings settings = small_settings();
    for (int i = 0; i < 10; i++) {
        plan_rig rig = plan_rig_thesis(&random);
        kerb_plan_query query = plan_rig_query(&rig);
        kerb_plan_search search;
        create(&search, &rig, &settings);
        assert_int_equal(kerb_plan_search_begin(&search, &query, NULL), KERB_OK);
        float cost = KERB_PLAN_NEVER;
        while (kerb_plan_search_advance(&search, 10) == KERB_PLAN_RUNNING) {
            kerb_plan_search_report report = kerb_plan_search_get_report(&search);
            kerb_plan plan = kerb_plan_search_get_plan(&search);
            assert_true(plan.cost <= cost);
            assert_true(report.suboptimality >= 1.0f);
            cost = plan.cost;
        }
        float last = kerb_plan_search_get_plan(&search).cost;
        assert_true(last <= cost);
        assert_true(kerb_plan_search_get_report(&search).first_cost >= last);
        kerb_plan_search_destroy(&search);
    }
}

static void what_was_found_stays_when_it_is_cancelled(void** state) {
    (void)state;
    kerb_random random = test_random("search_cancel");
    kerb_plan_search_settings settings = small_settings();
    plan_rig rig = plan_rig_thesis(&random);
    kerb_plan_query query = plan_rig_query(&rig);
    kerb_plan_search search;
    create(&search, &rig, &settings);
    assert_int_equal(kerb_plan_search_begin(&search, &query, NULL), KERB_OK);
    kerb_plan_search_advance(&search, 1);
    kerb_plan_search_cancel(&search);
    assert_int_equal(kerb_plan_search_advance(&search, 100), KERB_PLAN_CANCELLED);
    kerb_plan plan = kerb_plan_search_get_plan(&search);
    assert_int_equal(plan.expansions, 1);
    expect_checked(&rig, &query, NULL, &plan);
    kerb_plan_search_destroy(&search);
}

// ------------------------------------------------------------------- the probe

static kerb_plan_search_settings straight_settings(void) {
    kerb_plan_search_settings settings = kerb_plan_search_settings_thesis();
    settings.nodes = 20000;
    settings.probing = KERB_PLAN_PROBING_ONLY;
    return settings;
}

static void a_probe_drives_straight_to_a_goal_ahead(void** state) {
    (void)state;
    kerb_plan_search_settings settings = straight_settings();
    plan_rig rig = {.limits = kerb_plan_limits_default()};
    rig.from = kerb_plan_end_make(0.0f, 0.0f, 0.0f, 5.0f);
    rig.to = kerb_plan_end_make(24.0f, 0.0f, 0.0f, 5.0f); // 20 steps
    kerb_plan_query query = plan_rig_query(&rig);
    kerb_plan_search search;
    create(&search, &rig, &settings);
    assert_int_equal(run(&search, &query, 1000), KERB_PLAN_FOUND);
    kerb_plan_search_report report = kerb_plan_search_get_report(&search);
    assert_true(report.probe_expansions <= 20);
    assert_int_equal(report.expansions, report.probe_expansions);
    assert_true(report.probe_cost == kerb_plan_search_get_plan(&search).cost);
    kerb_plan_search_destroy(&search);
}

// Everything that the probe has expanded lies on one way: each a child of the one before.
static void a_probe_never_goes_back(void** state) {
    (void)state;
    kerb_random random = test_random("search_probe");
    kerb_plan_search_settings settings = straight_settings();
    for (int i = 0; i < 20; i++) {
        plan_rig rig = plan_rig_thesis(&random);
        kerb_plan_query query = plan_rig_query(&rig);
        kerb_plan_search search;
        create(&search, &rig, &settings);
        run(&search, &query, 1000);
        kerb_plan_search_report report = kerb_plan_search_get_report(&search);
        int32_t last = -1;
        for (int32_t k = 0; k < report.nodes; k++) {
            kerb_plan_search_node node = kerb_plan_search_get_node(&search, k);
            if (!node.expanded)
                continue;
            assert_int_equal(node.parent, last);
            assert_true(last < 0 ||
                        node.cost_to_go < kerb_plan_search_get_node(&search, last).cost_to_go);
            last = k;
        }
        kerb_plan_search_destroy(&search);
    }
}

// ------------------------------------------------------------------- options of the thesis

// Of the goals found with both settings.
typedef struct tally {
    int found;
    int64_t expansions[2];
    double cost[2]; // [s]
} tally;

// The same random goals with two settings, without shots: what they find is checked.
static tally compare(const kerb_plan_search_settings settings[2], const char* name, int count) {
    kerb_random random = test_random(name);
    tally sum = {0};
    for (int i = 0; i < count; i++) {
        plan_rig rig = plan_rig_thesis(&random);
        rig.to.position_tolerance = 2.0f;
        rig.to.heading_tolerance = 0.5f;
        rig.to.speed_tolerance = 3.0f;
        kerb_plan_query query = plan_rig_query(&rig);
        kerb_plan plans[2] = {{.count = 0}};
        for (int k = 0; k < 2; k++) {
            kerb_plan_search search;
            create(&search, &rig, &settings[k]);
            if (run(&search, &query, 1000) == KERB_PLAN_FOUND) {
                plans[k] = kerb_plan_search_get_plan(&search);
                expect_checked(&rig, &query, NULL, &plans[k]);
            }
            kerb_plan_search_destroy(&search);
        }
        if (plans[0].count == 0 || plans[1].count == 0)
            continue;
        sum.found++;
        for (int k = 0; k < 2; k++) {
            sum.expansions[k] += plans[k].expansions;
            sum.cost[k] += (double)plans[k].cost;
        }
    }
    return sum;
}

static kerb_plan_search_settings open_ended_settings(void) {
    kerb_plan_search_settings settings = kerb_plan_search_settings_default();
    settings.shot_every = 0;
    settings.expansions = 4000;
    settings.nodes = 60000;
    return settings;
}

// What a use of time comes to beside exact times: of the same goals hardly anything costs less.
static tally compare_time_use(kerb_plan_time_use use, float cell, const char* name) {
    kerb_plan_search_settings settings[2] = {open_ended_settings(), open_ended_settings()};
    settings[1].time_use = (int32_t)use;
    settings[1].time_cell = cell;
    tally t = compare(settings, name, 24);
    assert_true(t.found >= 8);
    assert_true(t.cost[1] > 0.98 * t.cost[0]);
    return t;
}

// 4.3.6 finds cells of time useless: with them a place is expanded once more for each time at which
// it is reached.
static void cells_of_time_only_make_it_longer(void** state) {
    (void)state;
    tally t = compare_time_use(KERB_PLAN_TIME_STATE, 0.25f, "search_time_state");
    assert_true(t.expansions[1] > t.expansions[0]);
}

// Costs that count in whole cells of time order the search otherwise; in cells too small to make
// many alike they hardly do.
static void costs_in_whole_cells_of_time_order_the_search_otherwise(void** state) {
    (void)state;
    tally coarse = compare_time_use(KERB_PLAN_TIME_ROUNDED, 0.5f, "search_time_rounded");
    assert_true(coarse.expansions[1] != coarse.expansions[0]);
    tally fine = compare_time_use(KERB_PLAN_TIME_ROUNDED, 0.001f, "search_time_rounded");
    double changed = (double)fine.expansions[1] / (double)fine.expansions[0] - 1.0;
    assert_true(changed > -0.05 && changed < 0.05);
}

// 4.2.3: with the straight line from nowhere on nothing changes, from everywhere on it is the
// straight line's search, and from some way off it is between them.
static void beyond_far_the_straight_line_counts(void** state) {
    (void)state;
    const float fars[3] = {1e6f, 4.0f, 0.0f};
    int64_t more[3];
    for (int i = 0; i < 3; i++) {
        kerb_plan_search_settings settings[2] = {open_ended_settings(), open_ended_settings()};
        settings[1].far_radii = fars[i];
        tally t = compare(settings, "search_far", test_share(24, 16));
        assert_true(t.found >= test_share(8, 5));
        more[i] = t.expansions[1] - t.expansions[0];
    }
    assert_true(more[0] == 0);
    assert_true(more[1] > 0);
    assert_true(more[2] > more[1]);
}

// ------------------------------------------------------------------- settings

static void ends_lie_within_the_tolerances(void** state) {
    (void)state;
    kerb_random random = test_random("search_tolerance");
    kerb_plan_search_settings settings = small_settings();
    settings.shot_every = 0;
    settings.position_tolerance = 1.0f;
    settings.heading_tolerance = 0.3f;
    settings.speed_tolerance = 1.0f;
    settings.goal_actions = 1;
    int found = 0;
    for (int i = 0; i < 30; i++) {
        plan_rig rig = plan_rig_thesis(&random);
        kerb_plan_query query = plan_rig_query(&rig);
        kerb_plan_search search;
        create(&search, &rig, &settings);
        if (run(&search, &query, 1000) == KERB_PLAN_FOUND) {
            kerb_plan plan = kerb_plan_search_get_plan(&search);
            kerb_plan_state last = kerb_plan_at(&plan, plan.time);
            kerb_vec2 away = kerb_vec2_sub(last.pose.position, rig.to.pose.position);
            float turn = kerb_abs(
                kerb_wrap_angle(kerb_pose_heading(last.pose) - kerb_pose_heading(rig.to.pose)));
            assert_true(kerb_vec2_length(away) <= 1.001f && turn <= 0.301f);
            assert_true(kerb_abs(last.speed - rig.to.speed) <= 1.001f);
            assert_true(plan.lower_bound <= plan.cost);
            found++;
        }
        kerb_plan_search_destroy(&search);
    }
    assert_true(found >= 1);
}

static void the_limit_of_expansions_grows_with_the_distance(void** state) {
    (void)state;
    kerb_plan_search_settings settings = small_settings();
    settings.shot_every = 0;
    settings.expansions_per_metre = 2.0f;
    plan_rig rig = {.limits = kerb_plan_limits_default()};
    rig.from = kerb_plan_end_make(0.0f, 0.0f, 0.0f, 5.0f);
    const float distances[] = {0.0f, 10.0f, 60.0f, 150.0f};
    const int expected[] = {62, 62, 120, 300}; // a circle of radius 5 m is 31.4 m long
    for (int i = 0; i < 4; i++) {
        rig.to = kerb_plan_end_make(-distances[i], 0.1f, 1.0f, 5.0f);
        kerb_plan_query query = plan_rig_query(&rig);
        kerb_plan_search search;
        create(&search, &rig, &settings);
        assert_int_equal(run(&search, &query, 1000), KERB_PLAN_BUDGET_SPENT);
        assert_int_equal(kerb_plan_search_get_report(&search).expansions, expected[i]);
        assert_int_equal(kerb_plan_search_get_plan(&search).count, 0);
        kerb_plan_search_destroy(&search);
    }
}

static void bad_settings_are_named(void** state) {
    (void)state;
    const kerb_host host = kerb_host_default();
    const kerb_plan_limits limits = kerb_plan_limits_default();
    const kerb_settings_table* table = &kerb_plan_search_settings_table;
    kerb_plan_search search;
    kerb_error error;
    for (int32_t i = 0; i < table->count; i++) {
        const kerb_setting* row = &table->settings[i];
        kerb_plan_search_settings settings = kerb_plan_search_settings_default();
        char* field = (char*)&settings + row->offset;
        bool is_real = row->type == KERB_SETTING_FLOAT;
        float bad = NAN;
        int32_t below = (int32_t)row->min - 1;
        memcpy(field, is_real ? (void*)&bad : (void*)&below, 4);
        assert_int_equal(kerb_plan_search_create(&search, &limits, &settings, &host, &error),
                         is_real ? KERB_ERROR_NOT_FINITE : KERB_ERROR_OUT_OF_RANGE);
        assert_string_equal(error.field, row->name);
        assert_null(search.memory);
    }
}

static void the_extremes_of_every_setting_do_no_harm(void** state) {
    (void)state;
    const kerb_settings_table* table = &kerb_plan_search_settings_table;
    kerb_random random = test_random("search_extremes");
    for (int32_t i = 0; i < 2 * table->count; i++) {
        const kerb_setting* row = &table->settings[i / 2];
        kerb_plan_search_settings settings = small_settings();
        float real = i % 2 ? row->max : row->min;
        int32_t whole = (int32_t)real;
        char* field = (char*)&settings + row->offset;
        memcpy(field, row->type == KERB_SETTING_FLOAT ? (void*)&real : (void*)&whole, 4);
        settings.expansions = settings.expansions < 200 ? settings.expansions : 200;
        settings.nodes = settings.nodes < 20000 ? settings.nodes : 20000;
        plan_rig rig = plan_rig_wild(&random, i % 3 == 0);
        kerb_plan_query query = plan_rig_query(&rig);
        kerb_plan_search search;
        create(&search, &rig, &settings);
        run(&search, &query, 1000);
        kerb_plan plan = kerb_plan_search_get_plan(&search);
        if (plan.count > 0 && settings.position_tolerance == 0.0f)
            expect_checked(&rig, &query, NULL, &plan);
        kerb_plan_search_destroy(&search);
    }
}

// ------------------------------------------------------------------- ends and obstacles

static void bad_ends_are_named_and_impossible_ones_an_outcome(void** state) {
    (void)state;
    kerb_plan_search_settings settings = small_settings();
    plan_rig rig = {.limits = kerb_plan_limits_default()};
    rig.from = kerb_plan_end_make(0.0f, 0.0f, 0.0f, 1.0f);
    rig.to = kerb_plan_end_make(20.0f, 0.0f, 0.0f, 30.0f);
    kerb_plan_query query = plan_rig_query(&rig);
    kerb_plan_search search;
    kerb_error error;
    create(&search, &rig, &settings);
    assert_int_equal(run(&search, &query, 10), KERB_PLAN_IMPOSSIBLE);
    assert_int_equal(kerb_plan_search_get_plan(&search).count, 0);
    assert_int_equal(kerb_plan_search_get_partial_plan(&search).count, 0);
    assert_int_equal(kerb_plan_search_get_report(&search).nodes, 0);
    rig.to.speed = NAN;
    assert_int_equal(kerb_plan_search_begin(&search, &query, &error), KERB_ERROR_NOT_FINITE);
    assert_string_equal(error.field, "speed");
    query.goal_count = 0;
    assert_int_equal(kerb_plan_search_begin(&search, &query, &error), KERB_ERROR_TOO_FEW);
    assert_string_equal(error.field, "goal_count");
    assert_int_equal(kerb_plan_search_advance(&search, 5), KERB_PLAN_NO_PATH);
    kerb_plan_search_destroy(&search);
}

static void of_several_starts_and_goals_it_takes_the_cheapest(void** state) {
    (void)state;
    kerb_plan_search_settings settings = small_settings();
    plan_rig rig = {.limits = kerb_plan_limits_default()};
    kerb_plan_end starts[] = {kerb_plan_end_make(0.0f, 0.0f, 0.0f, 5.0f),
                              kerb_plan_end_make(0.0f, 1.0f, 0.0f, 5.0f)};
    kerb_plan_end goals[] = {kerb_plan_end_make(30.0f, 0.0f, 0.0f, 5.0f),
                             kerb_plan_end_make(30.0f, 1.0f, 0.0f, 5.0f)};
    kerb_plan_query query = {starts, goals, 2, 2};
    for (int i = 0; i < 4; i++) {
        starts[0].penalty = i % 2 ? 3.0f : 0.0f;
        starts[1].penalty = i % 2 ? 0.0f : 3.0f;
        goals[0].penalty = i / 2 ? 3.0f : 0.0f;
        goals[1].penalty = i / 2 ? 0.0f : 3.0f;
        kerb_plan_search search;
        create(&search, &rig, &settings);
        assert_int_equal(run(&search, &query, 1000), KERB_PLAN_FOUND);
        kerb_plan plan = kerb_plan_search_get_plan(&search);
        assert_int_equal(plan.start, i % 2);
        assert_int_equal(plan.goal, i / 2);
        expect_checked(&rig, &query, NULL, &plan);
        kerb_plan_search_destroy(&search);
    }
}

// A wall across the way with a gap on one side; it comes at 13 m/s and must slow down to turn.
static void it_brakes_before_it_turns_through_a_gap(void** state) {
    (void)state;
    const kerb_vec2 wall[] = {{29.0f, -6.0f}, {31.0f, -6.0f}, {31.0f, 60.0f}, {29.0f, 60.0f}};
    const int32_t sides[] = {4};
    const kerb_plan_world world = {.vertices = wall,
                                   .vertex_counts = sides,
                                   .polygon_count = 1,
                                   .box_min = {-10.0f, -20.0f},
                                   .box_max = {70.0f, 40.0f}};
    kerb_plan_search_settings settings = small_settings();
    settings.expansions = 20000;
    settings.nodes = 200000;
    plan_rig rig = {.limits = kerb_plan_limits_default()};
    rig.limits.lateral_acceleration = 6.0f;
    rig.from = kerb_plan_end_make(0.0f, 0.0f, 0.0f, 13.0f);
    rig.to = kerb_plan_end_make(60.0f, 10.0f, 0.0f, 0.0f);
    kerb_plan_query query = plan_rig_query(&rig);
    kerb_plan_search search;
    create(&search, &rig, &settings);
    assert_int_equal(kerb_plan_search_set_world(&search, &world, NULL), KERB_OK);
    assert_int_equal(kerb_plan_search_begin(&search, &query, NULL), KERB_OK);
    while (kerb_plan_search_advance(&search, 10) == KERB_PLAN_RUNNING &&
           kerb_plan_search_get_plan(&search).count == 0) {
    }
    kerb_plan plan = kerb_plan_search_get_plan(&search);
    assert_true(plan.count > 0);
    expect_checked(&rig, &query, &world, &plan);
    // In the wall there is no start.
    rig.from.pose.position.x = 30.0f;
    assert_int_equal(run(&search, &query, 10), KERB_PLAN_START_BLOCKED);
    kerb_plan_search_destroy(&search);
}

static void nowhere_to_go_is_an_outcome(void** state) {
    (void)state;
    const kerb_vec2 wall[] = {{29.0f, -21.0f}, {31.0f, -21.0f}, {31.0f, 60.0f}, {29.0f, 60.0f}};
    const int32_t sides[] = {4};
    const kerb_plan_world world = {.vertices = wall,
                                   .vertex_counts = sides,
                                   .polygon_count = 1,
                                   .box_min = {-10.0f, -20.0f},
                                   .box_max = {70.0f, 40.0f}};
    kerb_plan_search_settings settings = small_settings();
    plan_rig rig = {.limits = kerb_plan_limits_default()};
    rig.from = kerb_plan_end_make(0.0f, 0.0f, 0.0f, 5.0f);
    rig.to = kerb_plan_end_make(60.0f, 10.0f, 0.0f, 0.0f);
    kerb_plan_query query = plan_rig_query(&rig);
    kerb_plan_search search;
    create(&search, &rig, &settings);
    assert_int_equal(kerb_plan_search_set_world(&search, &world, NULL), KERB_OK);
    assert_int_equal(run(&search, &query, 10), KERB_PLAN_NO_PATH);
    assert_int_equal(kerb_plan_search_get_plan(&search).count, 0);
    kerb_plan_search_destroy(&search);
}

// ------------------------------------------------------------------- memory and grip

static void a_failed_allocation_is_an_error_and_searching_allocates_nothing(void** state) {
    (void)state;
    test_allocation allocation = test_allocation_make();
    const kerb_host host = test_allocation_host(&allocation);
    kerb_plan_search_settings settings = small_settings();
    kerb_random random = test_random("search_memory");
    plan_rig rig = plan_rig_thesis(&random);
    const kerb_plan_world world = {.box_min = {-100.0f, -100.0f}, .box_max = {100.0f, 100.0f}};
    for (int n = 1; test_allocation_fail_next(&allocation, n); n++) {
        kerb_plan_search search;
        kerb_result result = kerb_plan_search_create(&search, &rig.limits, &settings, &host, NULL);
        if (result == KERB_OK)
            result = kerb_plan_search_set_world(&search, &world, NULL);
        assert_int_equal(result, allocation.failed ? KERB_ERROR_OUT_OF_MEMORY : KERB_OK);
        if (!allocation.failed) {
            kerb_plan_query query = plan_rig_query(&rig);
            int32_t calls = (int32_t)allocation.calls;
            run(&search, &query, 100);
            kerb_plan_search_get_plan(&search);
            assert_int_equal(allocation.calls, calls);
        }
        kerb_plan_search_destroy(&search);
        test_allocation_check(&allocation);
    }
}

static void less_grip_leaves_less_of_the_limits_and_more_gives_no_more_engine(void** state) {
    (void)state;
    kerb_plan_limits dry = kerb_plan_limits_default(), ice = kerb_plan_limits_with_grip(&dry, 0.1f);
    assert_float_equal(ice.braking, 0.5f, 1e-6f);
    assert_float_equal(ice.lateral_acceleration, 1.0f, 1e-6f);
    assert_float_equal(ice.acceleration, 0.15f, 1e-6f);
    assert_float_equal(kerb_plan_limits_with_grip(&dry, 2.0f).acceleration, 1.5f, 0.0f);
    assert_float_equal(kerb_plan_limits_with_grip(&dry, 2.0f).braking, 10.0f, 1e-6f);
    assert_float_equal(ice.speed_max, dry.speed_max, 0.0f);
}

int plan_search_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_goals_own_tolerances_end_the_search),
        cmocka_unit_test(every_movement_keeps_every_limit),
        cmocka_unit_test(wheels_that_take_time_to_turn_are_given_it),
        cmocka_unit_test(the_best_effort_is_a_movement_too),
        cmocka_unit_test(trying_everything_is_never_faster_than_the_bound),
        cmocka_unit_test(it_finds_what_trying_everything_finds),
        cmocka_unit_test(so_it_does_when_the_weight_falls_and_a_probe_goes_ahead),
        cmocka_unit_test(the_answer_does_not_depend_on_the_slices),
        cmocka_unit_test(a_copy_of_its_memory_goes_on_alike),
        cmocka_unit_test(answers_only_get_better),
        cmocka_unit_test(what_was_found_stays_when_it_is_cancelled),
        cmocka_unit_test(a_probe_drives_straight_to_a_goal_ahead),
        cmocka_unit_test(a_probe_never_goes_back),
        cmocka_unit_test(ends_lie_within_the_tolerances),
        cmocka_unit_test(the_limit_of_expansions_grows_with_the_distance),
        cmocka_unit_test(cells_of_time_only_make_it_longer),
        cmocka_unit_test(costs_in_whole_cells_of_time_order_the_search_otherwise),
        cmocka_unit_test(beyond_far_the_straight_line_counts),
        cmocka_unit_test(bad_settings_are_named),
        cmocka_unit_test(the_extremes_of_every_setting_do_no_harm),
        cmocka_unit_test(bad_ends_are_named_and_impossible_ones_an_outcome),
        cmocka_unit_test(of_several_starts_and_goals_it_takes_the_cheapest),
        cmocka_unit_test(it_brakes_before_it_turns_through_a_gap),
        cmocka_unit_test(nowhere_to_go_is_an_outcome),
        cmocka_unit_test(a_failed_allocation_is_an_error_and_searching_allocates_nothing),
        cmocka_unit_test(less_grip_leaves_less_of_the_limits_and_more_gives_no_more_engine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
