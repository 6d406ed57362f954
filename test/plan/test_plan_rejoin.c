// Two levels: a plan over the whole way, and short ones back to it.
#include "kerb/plan_rejoin.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "test/plan_rig.h"

#include <math.h>
#include <string.h>

enum { SIDE = 96, PIECES = 4096 };

// A town of blocks with streets of 8 m, as a grid of 1 m, and two planners for it.
typedef struct town {
    uint8_t cells[SIDE * SIDE];
    kerb_plan_world world;
    kerb_plan_limits strict, limits;
    kerb_planner coarse, fine;
    kerb_plan_end from, to;
    kerb_plan whole; // of `pieces`
    kerb_plan_piece pieces[PIECES];
} town;

static void make_town(town* t, kerb_random* random, bool clothoids) {
    memset(t->cells, 0, sizeof t->cells);
    for (int32_t y = 0; y < SIDE; y++)
        for (int32_t x = 0; x < SIDE; x++)
            t->cells[y * SIDE + x] = x % 24 >= 8 && y % 24 >= 8 ? 255 : 0;
    t->world =
        (kerb_plan_world){.cells = t->cells, .columns = SIDE, .rows = SIDE, .cell_size = 1.0f};
    const kerb_host host = kerb_host_default();
    const kerb_vehicle car = kerb_vehicle_default();
    t->limits = kerb_plan_limits_to_drive(&car, 0.4f);
    if (clothoids)
        t->limits.curvature_rate = 1.0f / (t->limits.steering_time * t->limits.turning_radius);
    t->strict = kerb_plan_limits_stricter(&t->limits, 0.1f);
    kerb_planner_settings settings = kerb_planner_settings_default();
    settings.nodes = 8192;
    settings.improvement = 300;
    assert_int_equal(kerb_planner_create(&t->fine, &t->limits, &settings, &host, NULL), KERB_OK);
    settings.improvement = 0;
    assert_int_equal(kerb_planner_create(&t->coarse, &t->strict, &settings, &host, NULL), KERB_OK);
    assert_int_equal(kerb_planner_set_world(&t->fine, &t->world, NULL), KERB_OK);
    assert_int_equal(kerb_planner_set_world(&t->coarse, &t->world, NULL), KERB_OK);
    t->from = kerb_plan_end_make(4, kerb_random_between(random, 8, 20), 0.5f * KERB_PI, 3);
    t->to = kerb_plan_end_make(kerb_random_between(random, 60, 75), 76, 0, 0);
}

static void destroy_town(town* t) {
    kerb_planner_destroy(&t->fine);
    kerb_planner_destroy(&t->coarse);
}

static void finish(kerb_planner* planner) {
    while (kerb_planner_advance(planner, 1000) == KERB_PLAN_RUNNING)
        continue;
}

static void plan_whole(town* t) {
    const kerb_plan_query query = {&t->from, &t->to, 1, 1};
    assert_int_equal(kerb_planner_begin(&t->coarse, &query, NULL), KERB_OK);
    finish(&t->coarse);
    t->whole = kerb_planner_get_plan(&t->coarse);
    assert_true(t->whole.count > 0 && t->whole.count < PIECES);
    memcpy(t->pieces, t->whole.pieces, (size_t)t->whole.count * sizeof t->pieces[0]);
    t->whole.pieces = t->pieces;
}

static bool is_legal(const town* t, const kerb_plan_end* start, const kerb_plan* plan,
                     kerb_error* error) {
    kerb_plan_end to = t->to;
    to.position_tolerance = 0.01f;
    const kerb_plan_query query = {start, &to, 1, 1};
    return kerb_plan_check(&t->limits, &query, &t->world, plan, error) == KERB_OK;
}

// A vehicle beside its plan.
static kerb_plan_end beside(const kerb_plan* plan, float time, kerb_random* random) {
    kerb_plan_state at = kerb_plan_at(plan, time);
    kerb_plan_end here = {.pose = at.pose, .speed = at.speed, .curvature = at.curvature};
    float aside = kerb_random_between(random, -0.6f, 0.6f);
    float turn = kerb_random_between(random, -0.1f, 0.1f);
    here.pose.position.x -= aside * at.pose.forward.y;
    here.pose.position.y += aside * at.pose.forward.x;
    here.pose = kerb_pose_make(here.pose.position.x, here.pose.position.y,
                               kerb_pose_heading(here.pose) + turn);
    here.speed *= kerb_random_between(random, 0.7f, 1.0f);
    return here;
}

// Of an error the planner's plan knows nothing.
static void expect_kept(const kerb_planner* planner, const kerb_plan* part) {
    kerb_plan now = kerb_planner_get_plan(planner);
    assert_int_equal(now.count, part->count);
    assert_true(now.time == part->time);
    kerb_plan_state a = kerb_plan_at(&now, now.time);
    assert_true(fabsf(a.pose.position.x) < 1e3f);
}

static void get_back(const char* name, bool clothoids) {
    kerb_random random = test_random(name);
    static town t;
    int32_t asked = 0, found = 0, legal = 0;
    float lost = 0.0f;
    for (int32_t trial = 0; trial < test_share(10, 4); trial++) {
        make_town(&t, &random, clothoids);
        plan_whole(&t);
        for (int32_t k = 0; k < 10; k++) {
            float now = kerb_random_between(&random, 0.0f, t.whole.time - 2.0f);
            kerb_plan_end here = beside(&t.whole, now, &random);
            kerb_plan_rejoin rejoin;
            kerb_error error = {.field = ""};
            assert_int_equal(kerb_planner_begin_rejoin(&t.fine, &here, &t.whole, now + 2, now + 8,
                                                       &rejoin, NULL),
                             KERB_OK);
            finish(&t.fine);
            kerb_plan part = kerb_planner_get_plan(&t.fine);
            asked++;
            if (part.count == 0)
                continue;
            kerb_result result = kerb_planner_rejoin(&t.fine, &t.whole, &rejoin, &error);
            if (result != KERB_OK) { // the wheels cannot turn to where the plan has them
                assert_true(clothoids);
                assert_int_equal(result, KERB_ERROR_CONTRADICTION);
                expect_kept(&t.fine, &part);
                continue;
            }
            found++;
            kerb_plan joined = kerb_planner_get_plan(&t.fine);
            legal += is_legal(&t, &here, &joined, &error);
            if (error.field[0])
                print_message("%s, piece %d of %d, part %d\n", error.field, (int)error.index,
                              (int)joined.count, (int)part.count);
            // It ends where and as the whole plan ends.
            kerb_plan_state a = kerb_plan_at(&joined, joined.time);
            kerb_plan_state b = kerb_plan_at(&t.whole, t.whole.time);
            assert_float_equal(a.pose.position.x, b.pose.position.x, 0.01f);
            assert_float_equal(a.pose.position.y, b.pose.position.y, 0.01f);
            lost += joined.time - (t.whole.time - now);
        }
        destroy_town(&t);
    }
    print_message("%d asked, %d found, %d legal, %.2f s lost on average\n", (int)asked, (int)found,
                  (int)legal, (double)(lost / (float)found));
    assert_true(found * 100 >= asked * (clothoids ? 75 : 95));
    assert_true(legal == found);
    assert_true(lost < 1.0f * (float)found);
}

static void a_vehicle_beside_its_plan_gets_back_to_it(void** state) {
    (void)state;
    get_back("plan_rejoin", false);
}

// kerb_plan_check tests that the curvature is continuous from the wheels of the start on.
static void a_vehicle_beside_its_plan_of_clothoids_gets_back_to_it(void** state) {
    (void)state;
    get_back("plan_rejoin_clothoids", true);
}

static bool rejoin(town* t, const kerb_plan_end* here, float now, kerb_plan_rejoin* places) {
    assert_int_equal(
        kerb_planner_begin_rejoin(&t->fine, here, &t->whole, now + 2, now + 8, places, NULL),
        KERB_OK);
    finish(&t->fine);
    return kerb_planner_get_plan(&t->fine).count > 0;
}

// What lies ahead becomes finer while the vehicle drives; the rest keeps its path.
static void a_coarse_plan_becomes_finer_ahead_of_the_vehicle(void** state) {
    (void)state;
    kerb_random random = test_random("plan_rejoin_ahead");
    static town t;
    float before = 0.0f, after = 0.0f;
    int32_t asked = 0, found = 0, taken = 0;
    for (int32_t trial = 0; trial < test_share(10, 4); trial++) {
        make_town(&t, &random, false);
        plan_whole(&t);
        before += t.whole.time;
        float passed = 0.0f;
        for (float now = 2.0f; now + 4.0f < t.whole.time; now += 2.0f) {
            kerb_plan_state at = kerb_plan_at(&t.whole, now);
            kerb_plan_end here = {.pose = at.pose, .speed = at.speed};
            kerb_plan_rejoin places;
            kerb_error error = {.field = ""};
            asked++;
            if (!rejoin(&t, &here, now, &places))
                continue; // it keeps what it has
            found++;
            assert_int_equal(kerb_planner_rejoin(&t.fine, &t.whole, &places, &error), KERB_OK);
            kerb_plan joined = kerb_planner_get_plan(&t.fine);
            assert_true(joined.count < PIECES);
            if (!is_legal(&t, &here, &joined, &error))
                fail_msg("%s, piece %d", error.field, (int)error.index);
            if (joined.time >= t.whole.time - now)
                continue;
            taken++;
            memcpy(t.pieces, joined.pieces, (size_t)joined.count * sizeof t.pieces[0]);
            t.whole = joined;
            t.whole.pieces = t.pieces;
            passed += now;
            now = 0.0f;
        }
        after += passed + t.whole.time;
        destroy_town(&t);
    }
    print_message("%.1f s before, %.1f s after, %d asked, %d found, %d taken\n", (double)before,
                  (double)after, (int)asked, (int)found, (int)taken);
    assert_true(after < 0.95f * before);
    assert_true(taken * 2 > asked);
    assert_true(found * 10 >= asked * 9);
}

// Only what lies ahead is searched: the path from the place on is that of the whole plan.
static void the_rest_keeps_its_path(void** state) {
    (void)state;
    kerb_random random = test_random("plan_rejoin_rest");
    static town t;
    make_town(&t, &random, false);
    plan_whole(&t);
    kerb_plan_end here = beside(&t.whole, 1.0f, &random);
    kerb_plan_rejoin places;
    assert_true(rejoin(&t, &here, 1.0f, &places));
    kerb_plan part = kerb_planner_get_plan(&t.fine);
    float place = places.times[part.goal], length = part.length;
    assert_true(place >= 3.0f && place <= 9.0f);
    // The goal's penalty is what is left of the whole plan there.
    assert_float_equal(part.cost, part.time + t.whole.time - place, 1e-3f);
    assert_int_equal(kerb_planner_rejoin(&t.fine, &t.whole, &places, NULL), KERB_OK);
    kerb_plan joined = kerb_planner_get_plan(&t.fine);
    assert_float_equal(joined.cost, joined.time, 1e-3f);
    assert_int_equal(joined.goal, t.whole.goal);
    // Every place of the joined plan beyond the part lies on the whole plan.
    float driven = 0.0f;
    int32_t compared = 0;
    for (int32_t i = 0; i < joined.count; driven += joined.pieces[i++].length) {
        if (driven < length + 0.1f)
            continue;
        float nearest = 1e9f;
        for (float time = place; time < t.whole.time; time += 0.005f) {
            kerb_vec2 d = kerb_vec2_sub(kerb_plan_at(&t.whole, time).pose.position,
                                        joined.pieces[i].start.position);
            nearest = kerb_min(nearest, kerb_vec2_length(d));
        }
        assert_true(nearest < 0.05f);
        compared++;
    }
    assert_true(compared > 3);
    destroy_town(&t);
}

static void stricter_limits_are_kept_by_all_that_is_planned(void** state) {
    (void)state;
    const kerb_vehicle car = kerb_vehicle_default();
    kerb_plan_limits limits = kerb_plan_limits_to_drive(&car, 0.8f);
    kerb_plan_limits same = kerb_plan_limits_stricter(&limits, 0.0f);
    assert_memory_equal(&same, &limits, sizeof same);
    kerb_plan_limits strict = kerb_plan_limits_stricter(&limits, 0.2f);
    assert_float_equal(strict.turning_radius, 1.2f * limits.turning_radius, 1e-4f);
    assert_float_equal(strict.braking, 0.8f * limits.braking, 1e-4f);
    assert_float_equal(strict.longitudinal_grip, 0.8f * limits.longitudinal_grip, 1e-4f);
    assert_float_equal(strict.margin, limits.margin + 0.1f * limits.width, 1e-4f);
    // A plan with stricter limits keeps the others.
    kerb_random random = test_random("plan_rejoin_strict");
    for (int32_t trial = 0; trial < test_share(50, 10); trial++) {
        plan_rig rig = plan_rig_thesis(&random);
        rig.limits = strict;
        rig.from.speed = kerb_min(rig.from.speed, strict.speed_max);
        rig.to.speed = 0.0f;
        kerb_planner planner;
        plan_rig_run(&planner, &rig, 50);
        kerb_plan plan = kerb_planner_get_plan(&planner);
        const kerb_plan_query query = plan_rig_query(&rig);
        assert_int_equal(kerb_plan_check(&limits, &query, NULL, &plan, NULL), KERB_OK);
        kerb_planner_destroy(&planner);
    }
}

static void bad_questions_are_refused_by_name(void** state) {
    (void)state;
    kerb_random random = test_random("plan_rejoin_errors");
    static town t;
    make_town(&t, &random, false);
    plan_whole(&t);
    const kerb_plan none = {.count = 0};
    const struct {
        const kerb_plan* whole;
        float from, to;
        kerb_result result;
        const char* field;
    } bad[] = {
        {&none, 0, 1, KERB_ERROR_TOO_FEW, "count"},
        {&t.whole, -1, 1, KERB_ERROR_OUT_OF_RANGE, "from"},
        {&t.whole, NAN, 1, KERB_ERROR_NOT_FINITE, "from"},
        {&t.whole, 2, 1, KERB_ERROR_OUT_OF_RANGE, "to"},
        {&t.whole, 2, INFINITY, KERB_ERROR_NOT_FINITE, "to"},
    };
    kerb_plan_rejoin places;
    kerb_error error;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_int_equal(kerb_planner_begin_rejoin(&t.fine, &t.from, bad[i].whole, bad[i].from,
                                                   bad[i].to, &places, &error),
                         bad[i].result);
        assert_string_equal(error.field, bad[i].field);
        assert_int_equal(kerb_planner_get_plan(&t.fine).count, 0);
        assert_int_equal(kerb_planner_rejoin(&t.fine, &t.whole, &places, &error),
                         KERB_ERROR_TOO_FEW);
    }
    // Not while the query runs, and not after another one.
    int32_t running = 0;
    for (float now = 0.0f; now + 2.0f < t.whole.time; now += 0.5f) {
        kerb_plan_end here = beside(&t.whole, now, &random);
        assert_int_equal(
            kerb_planner_begin_rejoin(&t.fine, &here, &t.whole, now + 2, now + 8, &places, NULL),
            KERB_OK);
        kerb_plan_outcome outcome = KERB_PLAN_RUNNING;
        while (outcome == KERB_PLAN_RUNNING && kerb_planner_get_plan(&t.fine).count == 0)
            outcome = kerb_planner_advance(&t.fine, 1);
        if (outcome != KERB_PLAN_RUNNING)
            continue;
        running++;
        assert_int_equal(kerb_planner_rejoin(&t.fine, &t.whole, &places, &error),
                         KERB_ERROR_TOO_FEW);
    }
    assert_true(running > 0);
    finish(&t.fine);
    places.count = 0;
    assert_int_equal(kerb_planner_rejoin(&t.fine, &t.whole, &places, &error),
                     KERB_ERROR_OUT_OF_RANGE);
    assert_string_equal(error.field, "goal");
    destroy_town(&t);
}

int plan_rejoin_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_vehicle_beside_its_plan_gets_back_to_it),
        cmocka_unit_test(a_vehicle_beside_its_plan_of_clothoids_gets_back_to_it),
        cmocka_unit_test(a_coarse_plan_becomes_finer_ahead_of_the_vehicle),
        cmocka_unit_test(the_rest_keeps_its_path),
        cmocka_unit_test(stricter_limits_are_kept_by_all_that_is_planned),
        cmocka_unit_test(bad_questions_are_refused_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
