// Those who cross the way: a movement waits, slows down or goes round, and meets nobody at any
// time.
#include "kerb/plan_search.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "test/allocation.h"
#include "test/plan_rig.h"

#include <math.h>
#include <string.h>

typedef struct crossing {
    kerb_plan_limits limits;
    kerb_plan_end start, goal;
    kerb_plan_mover movers[KERB_PLAN_MOVERS_MAX];
    int32_t count;
    kerb_plan_world world; // of zeros: open ground
    int32_t improvement;
    kerb_planner planner;
} crossing;

static void begin(crossing* c) {
    memset(c, 0, sizeof *c);
    c->limits = kerb_plan_limits_default();
    c->start = kerb_plan_end_make(0.0f, 0.0f, 0.0f, 0.0f);
    c->goal = kerb_plan_end_make(60.0f, 0.0f, 0.0f, 0.0f);
    c->improvement = 300;
}

static kerb_plan_mover mover(float x, float y, float vx, float vy) {
    float heading = kerb_atan2(vy, vx);
    kerb_plan_mover m = {
        .pose = kerb_pose_make(x, y, heading), .velocity = {vx, vy}, .length = 4.5f, .width = 1.8f};
    return m;
}

static kerb_plan_outcome run(crossing* c, int32_t slice) {
    const kerb_host host = kerb_host_default();
    kerb_planner_settings settings = kerb_planner_settings_default();
    kerb_plan_query query = {&c->start, &c->goal, 1, 1};
    settings.improvement = c->improvement;
    kerb_planner_destroy(&c->planner);
    assert_int_equal(kerb_planner_create(&c->planner, &c->limits, &settings, &host, NULL), KERB_OK);
    assert_int_equal(kerb_planner_set_world(&c->planner, &c->world, NULL), KERB_OK);
    assert_int_equal(kerb_planner_set_movers(&c->planner, c->movers, c->count, NULL), KERB_OK);
    assert_int_equal(kerb_planner_begin(&c->planner, &query, NULL), KERB_OK);
    kerb_plan_outcome outcome = KERB_PLAN_RUNNING;
    while (outcome == KERB_PLAN_RUNNING)
        outcome = kerb_planner_advance(&c->planner, slice);
    return outcome;
}

// By both checkers.
static kerb_plan checked(crossing* c) {
    kerb_plan plan = kerb_planner_get_plan(&c->planner);
    kerb_plan_query query = {&c->start, &c->goal, 1, 1};
    kerb_error error;
    if (kerb_plan_check(&c->limits, &query, &c->world, &plan, &error) != KERB_OK ||
        kerb_plan_check_movers(&c->limits, c->movers, c->count, &plan, &error) != KERB_OK)
        fail_msg("%s %s, piece %d", error.field, error.message, (int)error.index);
    return plan;
}

static void where_nobody_is_met_nothing_changes(void** state) {
    (void)state;
    static crossing c;
    begin(&c);
    assert_int_equal(run(&c, 1000), KERB_PLAN_FOUND);
    float alone = checked(&c).time;
    c.movers[c.count++] = mover(30.0f, 40.0f, 0.0f, 5.0f); // drives away
    assert_int_equal(run(&c, 1000), KERB_PLAN_FOUND);
    assert_true(checked(&c).time == alone);
    kerb_planner_destroy(&c.planner);
}

static void it_lets_pass_whoever_would_be_hit(void** state) {
    (void)state;
    static crossing c;
    begin(&c);
    assert_int_equal(run(&c, 1000), KERB_PLAN_FOUND);
    kerb_plan alone = checked(&c);
    // At x = 30 m when the undisturbed movement is there.
    float there = 0.0f;
    while (kerb_plan_at(&alone, there).pose.position.x < 30.0f)
        there += 0.01f;
    c.movers[c.count++] = mover(30.0f, -8.0f * there, 0.0f, 8.0f);
    kerb_error error;
    assert_int_equal(kerb_plan_check_movers(&c.limits, c.movers, 1, &alone, &error),
                     KERB_ERROR_OUT_OF_RANGE);
    assert_string_equal(error.field, "movers");
    float before = alone.time;
    assert_int_equal(run(&c, 1000), KERB_PLAN_FOUND);
    kerb_plan p = checked(&c);
    assert_true(p.time > before + 0.05f && p.time < before + 2.0f);
    kerb_planner_destroy(&c.planner);
}

static void a_long_train_is_waited_for(void** state) {
    (void)state;
    static crossing c;
    begin(&c);
    c.movers[0] = mover(30.0f, 0.0f, 0.0f, 10.0f);
    c.movers[0].length = 300.0f; // its end passes after 15 s
    c.count = 1;
    assert_int_equal(run(&c, 1000), KERB_PLAN_FOUND);
    kerb_plan p = checked(&c);
    assert_true(p.time > 16.0f && p.time < 26.0f);
    // Where somebody stands for ever, there is no time to go.
    c.movers[0].velocity = kerb_vec2_make(0.0f, 0.0f);
    assert_int_equal(run(&c, 1000), KERB_PLAN_BUDGET_SPENT);
    assert_int_equal(kerb_planner_get_plan(&c.planner).count, 0);
    kerb_planner_destroy(&c.planner);
}

static void random_crossings_are_legal_however_they_are_sliced(void** state) {
    (void)state;
    kerb_random random = test_random("plan_movers");
    static crossing c;
    int32_t found = 0;
    for (int32_t trial = 0; trial < 25; trial++) {
        begin(&c);
        c.limits.reverse_speed_max = trial % 2 == 0 ? 4.0f : 0.0f;
        c.start.speed = kerb_random_between(&random, 0.0f, 6.0f);
        c.goal = kerb_plan_end_make(
            kerb_random_between(&random, 20.0f, 60.0f), kerb_random_between(&random, -20.0f, 20.0f),
            kerb_random_between(&random, -KERB_PI, KERB_PI), trial % 3 == 0 ? 2.0f : 0.0f);
        c.count = 1 + kerb_random_below(&random, 4);
        for (int32_t i = 0; i < c.count; i++) {
            float side = kerb_random_below(&random, 2) == 0 ? -1.0f : 1.0f;
            float speed = kerb_random_between(&random, 2.0f, 9.0f);
            c.movers[i] =
                mover(kerb_random_between(&random, 14.0f, 50.0f),
                      side * kerb_random_between(&random, 12.0f, 50.0f), 0.0f, -side * speed);
        }
        if (run(&c, 100000) != KERB_PLAN_FOUND)
            continue;
        kerb_plan p = checked(&c);
        found++;
        float cost = p.cost;
        int32_t count = p.count;
        assert_int_equal(run(&c, 7), KERB_PLAN_FOUND);
        p = kerb_planner_get_plan(&c.planner);
        assert_true(p.cost == cost && p.count == count);
        kerb_planner_destroy(&c.planner);
    }
    assert_true(found >= 18);
}

// --------------------------------------------------------------------------- round them

static float farthest_aside(const kerb_plan* plan) {
    float most = 0.0f;
    for (float time = 0.0f; time < plan->time; time += 0.02f)
        most = kerb_max(most, kerb_abs(kerb_plan_at(plan, time).pose.position.y));
    return most;
}

// Whoever cannot be waited for is gone round, and it costs little.
static void assert_is_gone_round(float x, float vx) {
    static crossing c;
    begin(&c);
    c.improvement = 2000;
    assert_int_equal(run(&c, 1000), KERB_PLAN_FOUND);
    float alone = checked(&c).time;
    c.movers[c.count++] = mover(x, 0.0f, vx, 0.0f);
    assert_int_equal(run(&c, 1000), KERB_PLAN_FOUND);
    kerb_plan p = checked(&c);
    assert_true(farthest_aside(&p) > 1.8f && farthest_aside(&p) < 4.0f);
    assert_true(p.time < alone + 0.3f);
    kerb_planner_destroy(&c.planner);
}

static void whoever_stands_in_the_way_is_gone_round(void** state) {
    (void)state;
    assert_is_gone_round(30.0f, 0.0f);
}

static void a_slow_one_ahead_is_overtaken(void** state) {
    (void)state;
    assert_is_gone_round(12.0f, 2.0f);
}

static void an_oncoming_one_is_passed(void** state) {
    (void)state;
    assert_is_gone_round(60.0f, -5.0f);
}

// A street hardly wider than the car with a bay beside it, and somebody who comes through it: there
// is no other way than into the bay until he has passed.
static void an_oncoming_one_is_let_by_in_a_bay(void** state) {
    (void)state;
    static crossing c;
    begin(&c);
    c.improvement = 1000;
    const kerb_vec2 vertices[16] = {{-20, -4},   {80, -4},   {80, -1.5f}, {-20, -1.5f},
                                    {-20, 1.5f}, {12, 1.5f}, {12, 9},     {-20, 9},
                                    {40, 1.5f},  {80, 1.5f}, {80, 9},     {40, 9},
                                    {12, 5.5f},  {40, 5.5f}, {40, 9},     {12, 9}};
    const int32_t counts[4] = {4, 4, 4, 4};
    c.world = (kerb_plan_world){.vertices = vertices, .vertex_counts = counts, .polygon_count = 4};
    c.movers[c.count++] = mover(75.0f, 0.0f, -3.5f, 0.0f);
    assert_int_equal(run(&c, 1000), KERB_PLAN_FOUND);
    kerb_plan p = checked(&c);
    assert_true(farthest_aside(&p) > 2.0f);
    assert_true(p.time > 10.5f && p.time < 25.0f);
    kerb_planner_destroy(&c.planner);
}

static kerb_pose straight_on(void* context, float time) {
    const kerb_plan_mover* m = context;
    kerb_pose pose = m->pose;
    pose.position = kerb_vec2_add(pose.position, kerb_vec2_scale(m->velocity, time));
    return pose;
}

static void a_motion_of_the_hosts_that_goes_straight_on_gives_the_same_bits(void** state) {
    (void)state;
    static crossing c;
    begin(&c);
    c.movers[c.count++] = mover(60.0f, 0.5f, -5.0f, 0.0f);
    c.movers[c.count++] = mover(30.0f, -20.0f, 0.0f, 4.0f);
    assert_int_equal(run(&c, 1000), KERB_PLAN_FOUND);
    kerb_plan p = checked(&c);
    float time = p.time, length = p.length;
    kerb_plan_mover given[2] = {c.movers[0], c.movers[1]};
    for (int32_t i = 0; i < 2; i++) {
        c.movers[i].pose_at = straight_on;
        c.movers[i].context = &given[i];
        c.movers[i].speed_max = i == 0 ? 5.0f : 4.0f;
        c.movers[i].velocity = kerb_vec2_make(7.0f, 7.0f); // counts for nothing
    }
    assert_int_equal(run(&c, 1000), KERB_PLAN_FOUND);
    p = checked(&c);
    assert_true(p.time == time && p.length == length);
    kerb_planner_destroy(&c.planner);
}

// Round and round in the middle of the way, and then away.
static kerb_pose turning(void* context, float time) {
    float angle = 0.7f * time;
    (void)context;
    kerb_pose pose = kerb_pose_make(30.0f + 6.0f * kerb_cos(angle), 6.0f * kerb_sin(angle),
                                    angle + 0.5f * KERB_PI);
    return pose;
}

static void whoever_drives_in_circles_is_not_met(void** state) {
    (void)state;
    static crossing c;
    begin(&c);
    for (int32_t i = 0; i < 6; i++) {
        c.count = 1;
        c.movers[0] = mover(0.0f, 0.0f, 0.0f, 0.0f);
        c.movers[0].pose_at = turning;
        c.movers[0].speed_max = 0.7f * 9.0f;
        c.start.speed = (float)i;
        assert_int_equal(run(&c, 1000), KERB_PLAN_FOUND);
        kerb_plan p = checked(&c);
        // The same movement does meet whoever is where it is.
        c.movers[0] = mover(p.pieces[0].start.position.x + 20.0f, 0.0f, 0.0f, 0.0f);
        c.movers[0].width = 40.0f;
        kerb_error error;
        assert_int_equal(kerb_plan_check_movers(&c.limits, c.movers, 1, &p, &error),
                         KERB_ERROR_OUT_OF_RANGE);
    }
    kerb_planner_destroy(&c.planner);
}

// --------------------------------------------------------------------------- brute force

// All movements along a line in steps of 0.2 s whose speeds are tenths of a metre a second: places
// are then hundredths of a metre. A bit for each place that can be had at some speed.
#define TICK 0.2f
#define SPEEDS 139
#define PLACES 6001
#define WORDS ((PLACES + 63) / 64)
typedef uint64_t places[SPEEDS][WORDS];

static void add_shifted(uint64_t* to, const uint64_t* from, int32_t by) {
    int32_t words = by / 64, bits = by % 64;
    for (int32_t i = WORDS - 1; i >= words; i--) {
        uint64_t low = i > words && bits > 0 ? from[i - words - 1] >> (64 - bits) : 0;
        to[i] |= from[i - words] << bits | low;
    }
}

// Gains 1.5 m/s², loses 5 m/s².
static void advance(places* next, places* now) {
    memset(next, 0, sizeof *next);
    for (int32_t v = 0; v < SPEEDS; v++)
        for (int32_t w = v - 10 < 0 ? 0 : v - 10; w <= v + 3 && w < SPEEDS; w++)
            add_shifted((*next)[w], (*now)[v], v + w);
}

// What a car there, so much larger all round, would meet is taken out.
static void take_out(places* now, const crossing* c, float time, float larger) {
    for (int32_t x = 0; x < PLACES; x++) {
        float place = 0.01f * (float)x;
        bool meets = false;
        for (int32_t i = 0; i < c->count; i++) {
            const kerb_plan_mover* m = &c->movers[i];
            float there = m->pose.position.y + m->velocity.y * time, at = m->pose.position.x;
            float half = 0.5f * m->width + larger;
            meets = meets ||
                    (kerb_abs(there) < 0.5f * (m->length + c->limits.width) + larger &&
                     place + c->limits.front > at - half && place - c->limits.rear < at + half);
        }
        for (int32_t v = 0; meets && v < SPEEDS; v++)
            (*now)[v][x / 64] &= ~((uint64_t)1 << (x % 64));
    }
}

// When one of them rests at the end for the first time. [s]
static float earliest(const crossing* c, float larger) {
    static places two[2];
    memset(two[0], 0, sizeof two[0]);
    two[0][0][0] = 1;
    for (int32_t tick = 1; tick < 300; tick++) {
        places *now = &two[(tick + 1) % 2], *next = &two[tick % 2];
        advance(next, now);
        take_out(next, c, TICK * (float)tick, larger);
        if ((*next)[0][(PLACES - 1) / 64] >> ((PLACES - 1) % 64) & 1)
            return TICK * (float)tick;
    }
    return KERB_PLAN_NEVER;
}

// In a street that leaves no room to go round anybody. Brute force looks at times a fifth of a
// second apart, so that it may graze somebody in between; the planner keeps off a hand's breadth.
static void a_street_that_is_crossed_takes_as_long_as_it_must(void** state) {
    (void)state;
    kerb_random random = test_random("plan_movers_brute_force");
    static crossing c;
    int32_t late = 0;
    for (int32_t trial = 0; trial < 8; trial++) {
        begin(&c);
        c.world.box_min = kerb_vec2_make(-10.0f, -0.95f);
        c.world.box_max = kerb_vec2_make(70.0f, 0.95f);
        c.count = 1 + kerb_random_below(&random, 4);
        for (int32_t i = 0; i < c.count; i++) {
            float side = kerb_random_below(&random, 2) == 0 ? -1.0f : 1.0f;
            float speed = kerb_random_between(&random, 1.0f, 6.0f);
            float when = kerb_random_between(&random, 3.0f, 10.0f);
            c.movers[i] = mover(kerb_random_between(&random, 10.0f, 50.0f), -side * speed * when,
                                0.0f, side * speed);
        }
        float least = earliest(&c, 0.0f), most = earliest(&c, 0.2f);
        assert_int_equal(run(&c, 1000), KERB_PLAN_FOUND);
        kerb_plan p = checked(&c);
        if (p.time < least - TICK || p.time > most + 5.0f)
            fail_msg("trial %d: %g s, the fastest take %g and %g s", (int)trial, (double)p.time,
                     (double)least, (double)most);
        late += p.time > most + 0.8f ? 1 : 0; // by a gap between two of them that it has not seen
        kerb_planner_destroy(&c.planner);
    }
    assert_true(late <= 1);
}

// --------------------------------------------------------------------------- searching with speed

static void a_search_with_speed_meets_nobody_either(void** state) {
    (void)state;
    const kerb_host host = kerb_host_default();
    kerb_random random = test_random("plan_movers_search");
    int32_t found = 0;
    for (int32_t trial = 0; trial < 12; trial++) {
        static crossing c;
        begin(&c);
        c.limits.reverse_speed_max = trial % 2 == 0 ? 3.0f : 0.0f;
        c.limits.steering_time = trial % 3 == 0 ? 0.4f : 0.0f;
        kerb_plan_search_settings settings = kerb_plan_search_settings_default();
        settings.time_cell = 0.5f;
        settings.expansions = 3000;
        settings.last_weight = 1.5f;
        for (c.count = 0; c.count < 5; c.count++)
            c.movers[c.count] = mover(kerb_random_between(&random, 12.0f, 50.0f),
                                      kerb_random_between(&random, -30.0f, 30.0f),
                                      kerb_random_between(&random, -5.0f, 5.0f),
                                      kerb_random_between(&random, -5.0f, 5.0f));
        kerb_plan_search search;
        assert_int_equal(kerb_plan_search_create(&search, &c.limits, &settings, &host, NULL),
                         KERB_OK);
        assert_int_equal(kerb_plan_search_set_movers(&search, c.movers, c.count, NULL), KERB_OK);
        kerb_plan_query query = {&c.start, &c.goal, 1, 1};
        assert_int_equal(kerb_plan_search_begin(&search, &query, NULL), KERB_OK);
        while (kerb_plan_search_advance(&search, 100) == KERB_PLAN_RUNNING) {
        }
        kerb_plan p = kerb_plan_search_get_plan(&search);
        if (p.count > 0) {
            kerb_error error;
            found++;
            if (kerb_plan_check(&c.limits, &query, NULL, &p, &error) != KERB_OK ||
                kerb_plan_check_movers(&c.limits, c.movers, c.count, &p, &error) != KERB_OK)
                fail_msg("%s %s, piece %d", error.field, error.message, (int)error.index);
        }
        kerb_plan_search_destroy(&search);
    }
    assert_true(found >= 10);
}

static void a_search_with_speed_stands_and_waits_where_it_must(void** state) {
    (void)state;
    const kerb_host host = kerb_host_default();
    static crossing c;
    begin(&c);
    c.world.box_min = kerb_vec2_make(-10.0f, -0.95f);
    c.world.box_max = kerb_vec2_make(70.0f, 0.95f);
    c.movers[c.count++] = mover(12.0f, 0.0f, 0.0f, 10.0f);
    c.movers[0].length = 300.0f; // its end passes after 15 s
    kerb_plan_search_settings settings = kerb_plan_search_settings_default();
    settings.time_cell = 0.5f;
    kerb_plan_search search;
    assert_int_equal(kerb_plan_search_create(&search, &c.limits, &settings, &host, NULL), KERB_OK);
    assert_int_equal(kerb_plan_search_set_world(&search, &c.world, NULL), KERB_OK);
    assert_int_equal(kerb_plan_search_set_movers(&search, c.movers, c.count, NULL), KERB_OK);
    kerb_plan_query query = {&c.start, &c.goal, 1, 1};
    assert_int_equal(kerb_plan_search_begin(&search, &query, NULL), KERB_OK);
    while (kerb_plan_search_advance(&search, 100) == KERB_PLAN_RUNNING) {
    }
    kerb_plan p = kerb_plan_search_get_plan(&search);
    assert_int_equal(kerb_plan_check(&c.limits, &query, &c.world, &p, NULL), KERB_OK);
    assert_int_equal(kerb_plan_check_movers(&c.limits, c.movers, c.count, &p, NULL), KERB_OK);
    assert_true(p.time > 20.0f && p.time < 26.5f); // 25 s: from rest after the last coach
    kerb_plan_search_destroy(&search);
}

static void a_failed_allocation_is_an_error_and_queries_allocate_nothing(void** state) {
    (void)state;
    test_allocation allocation = test_allocation_make();
    const kerb_host host = test_allocation_host(&allocation);
    static crossing c;
    begin(&c);
    const kerb_plan_mover standing = mover(30.0f, 0.0f, 0.0f, 0.0f);
    kerb_planner_settings settings = kerb_planner_settings_default();
    settings.improvement = 100;
    settings.nodes = 20000;
    for (int n = 1; test_allocation_fail_next(&allocation, n); n++) {
        kerb_planner planner;
        kerb_result result = kerb_planner_create(&planner, &c.limits, &settings, &host, NULL);
        if (result == KERB_OK)
            result = kerb_planner_set_movers(&planner, &standing, 1, NULL);
        assert_int_equal(result, allocation.failed ? KERB_ERROR_OUT_OF_MEMORY : KERB_OK);
        if (!allocation.failed) {
            kerb_plan_query query = {&c.start, &c.goal, 1, 1};
            int32_t calls = allocation.calls;
            assert_int_equal(kerb_planner_begin(&planner, &query, NULL), KERB_OK);
            while (kerb_planner_advance(&planner, 100) == KERB_PLAN_RUNNING) {
            }
            assert_int_equal(allocation.calls, calls);
            assert_int_equal(kerb_planner_set_movers(&planner, NULL, 0, NULL), KERB_OK);
            assert_null(planner.movers_memory);
        }
        kerb_planner_destroy(&planner);
        test_allocation_check(&allocation);
    }
}

static void bad_movers_are_refused_by_name(void** state) {
    (void)state;
    static crossing c;
    begin(&c);
    (void)run(&c, 1000);
    kerb_error error;
    kerb_plan_mover bad[3] = {mover(1, 2, 3, 4), mover(1, 2, 3, 4), mover(1, 2, 3, 4)};
    bad[2].length = 0.0f;
    assert_int_equal(kerb_planner_set_movers(&c.planner, bad, 3, &error), KERB_ERROR_OUT_OF_RANGE);
    assert_string_equal(error.field, "length");
    assert_int_equal(error.index, 2);
    bad[2].length = 1.0f;
    bad[2].speed_max = -1.0f;
    assert_int_equal(kerb_planner_set_movers(&c.planner, bad, 3, &error), KERB_ERROR_OUT_OF_RANGE);
    assert_string_equal(error.field, "speed_max");
    bad[1].velocity.x = (float)NAN;
    assert_int_equal(kerb_planner_set_movers(&c.planner, bad, 3, &error), KERB_ERROR_NOT_FINITE);
    assert_string_equal(error.field, "velocity");
    bad[0].pose.forward.x = 0.2f;
    assert_int_equal(kerb_planner_set_movers(&c.planner, bad, 3, &error), KERB_ERROR_OUT_OF_RANGE);
    assert_string_equal(error.field, "pose");
    assert_int_equal(kerb_planner_set_movers(&c.planner, c.movers, 33, &error),
                     KERB_ERROR_TOO_MANY);
    assert_int_equal(kerb_planner_set_movers(&c.planner, NULL, 0, &error), KERB_OK);
    kerb_planner_destroy(&c.planner);
}

int plan_movers_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(where_nobody_is_met_nothing_changes),
        cmocka_unit_test(it_lets_pass_whoever_would_be_hit),
        cmocka_unit_test(a_long_train_is_waited_for),
        cmocka_unit_test(random_crossings_are_legal_however_they_are_sliced),
        cmocka_unit_test(whoever_stands_in_the_way_is_gone_round),
        cmocka_unit_test(a_slow_one_ahead_is_overtaken),
        cmocka_unit_test(an_oncoming_one_is_passed),
        cmocka_unit_test(an_oncoming_one_is_let_by_in_a_bay),
        cmocka_unit_test(a_motion_of_the_hosts_that_goes_straight_on_gives_the_same_bits),
        cmocka_unit_test(whoever_drives_in_circles_is_not_met),
        cmocka_unit_test(a_street_that_is_crossed_takes_as_long_as_it_must),
        cmocka_unit_test(a_search_with_speed_meets_nobody_either),
        cmocka_unit_test(a_search_with_speed_stands_and_waits_where_it_must),
        cmocka_unit_test(a_failed_allocation_is_an_error_and_queries_allocate_nothing),
        cmocka_unit_test(bad_movers_are_refused_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
