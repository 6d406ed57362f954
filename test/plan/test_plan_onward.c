// Asking anew while a plan is being driven: the plan goes on as it was, unless another is better by
// more than a price.
#include "kerb/plan_onward.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "test/plan_rig.h"

#include <math.h>
#include <string.h>

static const int32_t four = 4;

typedef struct onward_case {
    kerb_planner planner;
    kerb_plan_limits limits;
    kerb_plan_world world;
    kerb_vec2 block[4];
    kerb_plan_end from, goal;
    kerb_plan plan; // of `pieces`
    kerb_plan_piece pieces[4096];
} onward_case;

static void keep(onward_case* c) {
    c->plan = kerb_planner_get_plan(&c->planner);
    assert_true(c->plan.count > 0 && c->plan.count <= 4096);
    memcpy(c->pieces, c->plan.pieces, (size_t)c->plan.count * sizeof c->pieces[0]);
    c->plan.pieces = c->pieces;
}

static void finish(onward_case* c) {
    while (kerb_planner_advance(&c->planner, 500) == KERB_PLAN_RUNNING)
        continue;
}

// A car and a block half way to its goal, which it passes on one side.
static void begin_case(onward_case* c, kerb_random* random, bool has_block) {
    const kerb_host host = kerb_host_default();
    const kerb_vehicle car = kerb_vehicle_default();
    c->limits = kerb_plan_limits_to_drive(&car, 0.3f);
    kerb_planner_settings settings = kerb_planner_settings_default();
    settings.improvement = 300;
    settings.nodes = 8192;
    settings.field_cells = 10000;
    float y = kerb_random_between(random, -1.0f, 1.0f);
    const kerb_vec2 block[4] = {{28, y - 4}, {34, y - 4}, {34, y + 4}, {28, y + 4}};
    memcpy(c->block, block, sizeof block);
    c->world = (kerb_plan_world){.vertices = c->block,
                                 .vertex_counts = &four,
                                 .polygon_count = 1,
                                 .spare_polygons = 1,
                                 .spare_corners = 4,
                                 .area_min = {-20, -20},
                                 .area_max = {80, 20}};
    assert_int_equal(kerb_planner_create(&c->planner, &c->limits, &settings, &host, NULL), KERB_OK);
    if (has_block)
        assert_int_equal(kerb_planner_set_world(&c->planner, &c->world, NULL), KERB_OK);
    c->from = kerb_plan_end_make(0, kerb_random_between(random, -2, 2),
                                 kerb_random_between(random, -0.3f, 0.3f),
                                 kerb_random_between(random, 0, 8));
    c->goal = kerb_plan_end_make(60, kerb_random_between(random, -3, 3), 0, 0);
    const kerb_plan_query query = {&c->from, &c->goal, 1, 1};
    assert_int_equal(kerb_planner_begin(&c->planner, &query, NULL), KERB_OK);
    finish(c);
    keep(c);
}

static void expect_legal_from(const onward_case* c, const kerb_plan_end* start,
                              const kerb_plan_world* world) {
    const kerb_plan_query query = {start, &c->goal, 1, 1};
    kerb_error error;
    if (kerb_plan_check(&c->limits, &query, world, &c->plan, &error) != KERB_OK)
        fail_msg("%s %s, piece %d", error.field, error.message, (int)error.index);
}

static void a_plan_that_is_asked_for_anew_goes_on_as_it_was(void** state) {
    (void)state;
    kerb_random random = test_random("plan_onward");
    static onward_case c;
    for (int32_t trial = 0; trial < test_share(12, 4); trial++) {
        begin_case(&c, &random, trial % 2 == 0);
        static kerb_plan_piece first_pieces[4096];
        kerb_plan first = c.plan;
        memcpy(first_pieces, c.pieces, sizeof first_pieces);
        first.pieces = first_pieces;
        for (float now = 0.0f, step = 0.4f; now + step < first.time; now += step) {
            kerb_plan_end start;
            assert_int_equal(kerb_planner_begin_onward(&c.planner, &c.plan, step, 0.5f, &c.goal, 1,
                                                       &start, NULL),
                             KERB_OK);
            finish(&c);
            assert_true(kerb_planner_goes_on(&c.planner));
            keep(&c);
            expect_legal_from(&c, &start, trial % 2 == 0 ? &c.world : NULL);
            // The old plan at the same time, and the same time of arrival.
            for (float t = 0.0f; t < c.plan.time; t += 0.5f) {
                kerb_plan_state was = kerb_plan_at(&first, now + step + t);
                kerb_plan_state is = kerb_plan_at(&c.plan, t);
                assert_float_equal(was.pose.position.x, is.pose.position.x, 0.01f);
                assert_float_equal(was.pose.position.y, is.pose.position.y, 0.01f);
            }
            assert_float_equal(now + step + c.plan.time, first.time, 0.01f);
        }
        kerb_planner_destroy(&c.planner);
    }
}

static void a_plan_is_given_up_where_another_is_better_by_the_price(void** state) {
    (void)state;
    kerb_random random = test_random("plan_onward_price");
    static onward_case c;
    begin_case(&c, &random, true);
    // A poor plan: the first one of a world with a barrier that is taken away again.
    const kerb_vec2 barrier[4] = {{27, -19}, {29, -19}, {29, 12}, {27, 12}};
    const kerb_plan_query query = {&c.from, &c.goal, 1, 1};
    float direct = c.plan.time;
    assert_int_equal(kerb_planner_change_polygon(&c.planner, 1, barrier, 4, NULL), KERB_OK);
    assert_int_equal(kerb_planner_begin(&c.planner, &query, NULL), KERB_OK);
    finish(&c);
    keep(&c);
    float lost = c.plan.time - direct;
    assert_true(lost > 0.2f);
    assert_int_equal(kerb_planner_change_polygon(&c.planner, 1, NULL, 0, NULL), KERB_OK);
    const float prices[2] = {lost + 0.5f, 0.1f * lost};
    for (int32_t i = 0; i < 2; i++) {
        assert_int_equal(
            kerb_planner_begin_onward(&c.planner, &c.plan, 0.0f, prices[i], &c.goal, 1, NULL, NULL),
            KERB_OK);
        finish(&c);
        assert_int_equal(kerb_planner_goes_on(&c.planner), i == 0);
        assert_true(i == 0 || kerb_planner_get_plan(&c.planner).time < direct + 0.9f * lost);
    }
    kerb_planner_destroy(&c.planner);
}

static void a_plan_that_is_blocked_or_leads_elsewhere_is_replaced(void** state) {
    (void)state;
    kerb_random random = test_random("plan_onward_blocked");
    static onward_case c;
    begin_case(&c, &random, true);
    kerb_plan_end start;
    // Something stands on the plan, 0.6 of its time ahead.
    kerb_vec2 p = kerb_plan_at(&c.plan, 0.6f * c.plan.time).pose.position;
    const kerb_vec2 crate[4] = {
        {p.x, p.y}, {p.x + 0.5f, p.y}, {p.x + 0.5f, p.y + 0.5f}, {p.x, p.y + 0.5f}};
    assert_int_equal(kerb_planner_change_polygon(&c.planner, 1, crate, 4, NULL), KERB_OK);
    assert_int_equal(
        kerb_planner_begin_onward(&c.planner, &c.plan, 0.2f, 1000.0f, &c.goal, 1, &start, NULL),
        KERB_OK);
    assert_int_equal(kerb_planner_advance(&c.planner, 0), KERB_PLAN_RUNNING);
    assert_int_equal(kerb_planner_get_plan(&c.planner).count, 0);
    finish(&c);
    assert_false(kerb_planner_goes_on(&c.planner));
    keep(&c);
    expect_legal_from(&c, &start, NULL);
    // Another goal.
    c.goal = kerb_plan_end_make(50, 15, 1, 0);
    assert_int_equal(
        kerb_planner_begin_onward(&c.planner, &c.plan, 0.2f, 1000.0f, &c.goal, 1, &start, NULL),
        KERB_OK);
    finish(&c);
    assert_false(kerb_planner_goes_on(&c.planner));
    keep(&c);
    expect_legal_from(&c, &start, NULL);
    kerb_planner_destroy(&c.planner);
}

// A plan to within a tolerance goes on as well, and the planner's own pieces may be handed in.
static void pieces_of_the_planner_itself_may_be_handed_in(void** state) {
    (void)state;
    kerb_random random = test_random("plan_onward_own");
    static onward_case c;
    begin_case(&c, &random, false);
    c.goal.position_tolerance = 1.0f;
    c.goal.heading_tolerance = 0.2f;
    const kerb_plan_query query = {&c.from, &c.goal, 1, 1};
    assert_int_equal(kerb_planner_begin(&c.planner, &query, NULL), KERB_OK);
    finish(&c);
    for (int32_t i = 0; i < 8; i++) {
        kerb_plan own = kerb_planner_get_plan(&c.planner);
        kerb_plan_end start;
        assert_int_equal(
            kerb_planner_begin_onward(&c.planner, &own, 0.5f, 1.0f, &c.goal, 1, &start, NULL),
            KERB_OK);
        finish(&c);
        assert_true(kerb_planner_goes_on(&c.planner));
        keep(&c);
        expect_legal_from(&c, &start, NULL);
        assert_float_equal(c.plan.time, own.time - 0.5f, 0.01f);
    }
    kerb_planner_destroy(&c.planner);
}

static void bad_questions_are_refused_by_name(void** state) {
    (void)state;
    kerb_random random = test_random("plan_onward_errors");
    static onward_case c;
    begin_case(&c, &random, false);
    kerb_error error;
    const kerb_plan none = {.count = 0};
    const struct {
        const kerb_plan* plan;
        float time, price;
        kerb_result result;
        const char* field;
    } bad[] = {
        {&none, 0.0f, 0.0f, KERB_ERROR_TOO_FEW, "count"},
        {&c.plan, -1.0f, 0.0f, KERB_ERROR_OUT_OF_RANGE, "time"},
        {&c.plan, NAN, 0.0f, KERB_ERROR_NOT_FINITE, "time"},
        {&c.plan, 0.0f, -1.0f, KERB_ERROR_OUT_OF_RANGE, "price"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_int_equal(kerb_planner_begin_onward(&c.planner, bad[i].plan, bad[i].time,
                                                   bad[i].price, &c.goal, 1, NULL, &error),
                         bad[i].result);
        assert_string_equal(error.field, bad[i].field);
        assert_int_equal(kerb_planner_get_plan(&c.planner).count, 0);
    }
    c.goal.speed = NAN;
    assert_int_equal(
        kerb_planner_begin_onward(&c.planner, &c.plan, 0.0f, 0.0f, &c.goal, 1, NULL, &error),
        KERB_ERROR_NOT_FINITE);
    kerb_planner_destroy(&c.planner);
}

int plan_onward_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_plan_that_is_asked_for_anew_goes_on_as_it_was),
        cmocka_unit_test(a_plan_is_given_up_where_another_is_better_by_the_price),
        cmocka_unit_test(a_plan_that_is_blocked_or_leads_elsewhere_is_replaced),
        cmocka_unit_test(pieces_of_the_planner_itself_may_be_handed_in),
        cmocka_unit_test(bad_questions_are_refused_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
