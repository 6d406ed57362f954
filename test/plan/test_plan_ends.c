// Plans that begin or end in little: a start that is at its goal, legs of millimetres, partial
// plans among moving obstacles; and every plan passes the checker.
#include "kerb/plan_search.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "test/plan_rig.h"

#include <string.h>

static const kerb_vec2 block[4] = {{28.0f, -5.0f}, {34.0f, -5.0f}, {34.0f, 5.0f}, {28.0f, 5.0f}};
static const int32_t four = 4;

static kerb_plan_world world_of_block(void) {
    kerb_plan_world world = {.vertices = block, .vertex_counts = &four, .polygon_count = 1};
    return world;
}

static void create(kerb_planner* planner, const kerb_plan_limits* limits, int32_t improvement,
                   const kerb_plan_world* world) {
    const kerb_host host = kerb_host_default();
    kerb_planner_settings settings = kerb_planner_settings_default();
    settings.improvement = improvement;
    settings.nodes = 8192;
    settings.field_cells = 10000;
    assert_int_equal(kerb_planner_create(planner, limits, &settings, &host, NULL), KERB_OK);
    assert_int_equal(kerb_planner_set_world(planner, world, NULL), KERB_OK);
}

static kerb_plan solve(kerb_planner* planner, const kerb_plan_query* query) {
    assert_int_equal(kerb_planner_begin(planner, query, NULL), KERB_OK);
    while (kerb_planner_advance(planner, 1000) == KERB_PLAN_RUNNING)
        continue;
    return kerb_planner_get_plan(planner);
}

static void expect_legal(const kerb_plan_limits* limits, const kerb_plan_query* query,
                         const kerb_plan_world* world, const kerb_plan* plan) {
    kerb_error error;
    if (kerb_plan_check(limits, query, world, plan, &error) != KERB_OK)
        fail_msg("%s %s, piece %d of %d", error.field, error.message, (int)error.index,
                 (int)plan->count);
}

static kerb_plan_limits limits_of_car(float share) {
    kerb_vehicle car = kerb_vehicle_default();
    return kerb_plan_limits_to_drive(&car, share);
}

// --------------------------------------------------------------------------- legs

// Shortest part between two changes of direction, or between one and an end. [m]
static float least_leg(const kerb_plan* plan) {
    float least = 1e9f, leg = 0.0f;
    bool is_first = true;
    int32_t direction = 0;
    for (int32_t i = 0; i < plan->count; i++) {
        const kerb_plan_piece* p = &plan->pieces[i];
        if (p->length == 0.0f)
            continue;
        if (direction != 0 && direction != p->direction) {
            least = kerb_min(least, leg);
            is_first = false;
            leg = 0.0f;
        }
        leg += p->length;
        direction = p->direction;
    }
    return is_first ? least : kerb_min(least, leg);
}

// A vehicle that can just not stop in time overshoots, by a leg that can be driven.
static void plans_do_not_turn_back_for_less_than_5_centimetres(void** state) {
    (void)state;
    kerb_random random = test_random("plan_legs");
    kerb_plan_limits limits = limits_of_car(0.3f);
    limits.speed_max = 10.0f;
    int32_t turned_back = 0, short_legs = 0, count = test_share(250, 25);
    kerb_planner planner;
    create(&planner, &limits, 2000, NULL);
    for (int32_t trial = 0; trial < count; trial++) {
        kerb_plan_end from = kerb_plan_end_make(
            kerb_random_between(&random, 36.0f, 60.0f), kerb_random_between(&random, -6.0f, 6.0f),
            kerb_random_between(&random, -0.5f, 0.5f), kerb_random_between(&random, -1.0f, 10.0f));
        kerb_plan_end to = kerb_plan_end_make(60.0f, 0.0f, 0.0f, 0.0f);
        kerb_plan_query query = {&from, &to, 1, 1};
        kerb_plan plan = solve(&planner, &query);
        expect_legal(&limits, &query, NULL, &plan);
        float least = least_leg(&plan);
        turned_back += least < 1e9f;
        short_legs += least < 0.05f;
    }
    print_message("%d of %d turn back, %d for a leg below 5 cm\n", (int)turned_back, (int)count,
                  (int)short_legs);
    assert_true(turned_back > 0 && short_legs == 0);
    kerb_planner_destroy(&planner);
}

// --------------------------------------------------------------------------- the checker

static kerb_plan_limits random_limits(kerb_random* random, int32_t trial) {
    if (trial % 3 == 0)
        return plan_rig_wild(random, true).limits;
    kerb_vehicle vehicle = kerb_vehicle_default();
    vehicle.kind = trial % 3 == 1 ? KERB_VEHICLE_WHEELED : KERB_VEHICLE_TRACKED;
    return kerb_plan_limits_to_drive(&vehicle, kerb_random_between(random, 0.1f, 1.0f));
}

static float random_speed(kerb_random* random, const kerb_plan_limits* limits) {
    return kerb_random_below(random, 2) == 0
               ? 0.0f
               : kerb_random_between(random, -limits->reverse_speed_max, limits->speed_max);
}

static void every_plan_passes_the_checker(void** state) {
    (void)state;
    kerb_random random = test_random("plan_legal");
    kerb_plan_world world = world_of_block();
    int32_t found = 0, count = test_share(600, 60);
    for (int32_t trial = 0; trial < count; trial++) {
        kerb_planner planner;
        kerb_plan_limits limits = random_limits(&random, trial);
        limits.steering_time =
            trial % 2 == 0 ? kerb_random_between(&random, 0.0f, 3.0f) : limits.steering_time;
        const kerb_plan_world* around = trial % 4 == 0 ? &world : NULL;
        create(&planner, &limits, kerb_random_below(&random, 3) * 100, around);
        float far = trial % 5 < 3 ? 40.0f : 6.0f;
        kerb_plan_end from = kerb_plan_end_make(18.0f, kerb_random_between(&random, -6.0f, 6.0f),
                                                kerb_random_between(&random, -3.0f, 3.0f),
                                                random_speed(&random, &limits));
        kerb_plan_end to = kerb_plan_end_make(18.0f + kerb_random_between(&random, -far, far),
                                              kerb_random_between(&random, -far, far),
                                              kerb_random_between(&random, -3.0f, 3.0f),
                                              random_speed(&random, &limits));
        kerb_plan_query query = {&from, &to, 1, 1};
        kerb_plan plan = solve(&planner, &query);
        found += plan.count > 0;
        if (plan.count > 0)
            expect_legal(&limits, &query, around, &plan);
        kerb_planner_destroy(&planner);
    }
    assert_true(found > count * 3 / 4);
}

// --------------------------------------------------------------------------- at the goal

static void whoever_is_at_the_goal_has_nothing_to_drive(void** state) {
    (void)state;
    kerb_random random = test_random("plan_there");
    kerb_plan_world world = world_of_block();
    for (int32_t trial = 0; trial < test_share(200, 50); trial++) {
        kerb_planner planner;
        kerb_plan_limits limits = limits_of_car(0.4f);
        if (trial % 2 == 0)
            limits.reverse_speed_max = 0.0f;
        create(&planner, &limits, 200, trial % 3 == 0 ? &world : NULL);
        // Sometimes exactly there, sometimes within the tolerances; at rest or moving.
        bool is_exact = trial % 5 == 0;
        float speed = random_speed(&random, &limits), turn = kerb_random_between(&random, -3, 3);
        float off = is_exact ? 0.0f : kerb_random_between(&random, 0.0f, 1.0f);
        kerb_plan_end from = kerb_plan_end_make(10.0f, 3.0f, turn, speed);
        float bearing = kerb_random_between(&random, -3.0f, 3.0f);
        float beside = 0.999f * off * kerb_random_unit(&random);
        kerb_plan_end to =
            is_exact
                ? from
                : kerb_plan_end_make(
                      10.0f + beside * kerb_cos(bearing), 3.0f + beside * kerb_sin(bearing),
                      turn + 0.19f * kerb_random_between(&random, -1, 1),
                      kerb_clamp(speed + 0.9f * off, -limits.reverse_speed_max, limits.speed_max));
        to.position_tolerance = is_exact ? 0.0f : off + 0.001f;
        to.heading_tolerance = is_exact ? 0.0f : 0.2f;
        to.speed_tolerance = is_exact ? 0.0f : off + 0.001f;
        from.penalty = 0.5f;
        kerb_plan_query query = {&from, &to, 1, 1};
        kerb_plan plan = solve(&planner, &query);
        assert_int_equal(plan.count, 1);
        assert_true(plan.time == 0.0f && plan.length == 0.0f && plan.cost == 0.5f);
        assert_true(plan.pieces[0].start.position.x == from.pose.position.x);
        expect_legal(&limits, &query, trial % 3 == 0 ? &world : NULL, &plan);
        kerb_planner_destroy(&planner);
    }
}

// Random places within random tolerances, at rest or moving: 10,000 of them.
static void any_start_within_the_tolerances_has_zero_movement(void** state) {
    (void)state;
    kerb_random random = test_random("plan_near");
    kerb_plan_world world = world_of_block();
    kerb_plan_limits limits = limits_of_car(0.4f);
    kerb_planner planners[2];
    create(&planners[0], &limits, 200, NULL);
    create(&planners[1], &limits, 200, &world);
    for (int32_t trial = 0; trial < test_share(10000, 1000); trial++) {
        float speed = random_speed(&random, &limits);
        float place = kerb_random_between(&random, 0, 3), turn = kerb_random_between(&random, 0, 2);
        float slack = kerb_random_between(&random, 0, 2);
        float bearing = kerb_random_between(&random, -3, 3);
        float off = 0.999f * place * kerb_random_unit(&random);
        kerb_plan_end to = kerb_plan_end_make(kerb_random_between(&random, -50, 20),
                                              kerb_random_between(&random, -50, 50),
                                              kerb_random_between(&random, -3, 3), speed);
        kerb_plan_end from = to;
        from.pose = kerb_pose_make(to.pose.position.x + off * kerb_cos(bearing),
                                   to.pose.position.y + off * kerb_sin(bearing),
                                   kerb_pose_heading(to.pose) +
                                       0.99f * turn * kerb_random_between(&random, -1, 1));
        from.speed = kerb_clamp(speed + 0.99f * slack * kerb_random_between(&random, -1, 1),
                                -limits.reverse_speed_max, limits.speed_max);
        to.position_tolerance = place;
        to.heading_tolerance = turn;
        to.speed_tolerance = slack;
        kerb_plan_query query = {&from, &to, 1, 1};
        kerb_plan plan = solve(&planners[trial % 2], &query);
        assert_int_equal(plan.count, 1);
        assert_true(plan.time == 0.0f && plan.length == 0.0f && plan.lower_bound == 0.0f);
    }
    kerb_planner_destroy(&planners[0]);
    kerb_planner_destroy(&planners[1]);
}

static void a_dear_goal_at_hand_competes_with_a_cheap_one(void** state) {
    (void)state;
    kerb_plan_limits limits = limits_of_car(0.4f);
    kerb_plan_world world = world_of_block();
    for (int32_t trial = 0; trial < 4; trial++) {
        kerb_planner planner;
        const kerb_plan_world* around = trial % 2 == 0 ? &world : NULL;
        create(&planner, &limits, 200, around);
        kerb_plan_end from = kerb_plan_end_make(10.0f, 0.0f, 0.0f, 0.0f);
        kerb_plan_end goals[2] = {from, kerb_plan_end_make(50.0f, 0.0f, 0.0f, 0.0f)};
        goals[0].penalty = trial < 2 ? 100.0f : 1.0f;
        kerb_plan_query query = {&from, goals, 1, 2};
        kerb_plan plan = solve(&planner, &query);
        expect_legal(&limits, &query, around, &plan);
        assert_int_equal(plan.goal, trial < 2 ? 1 : 0);
        assert_true(plan.cost < 100.0f && (trial < 2 || plan.cost == 1.0f));
        kerb_planner_destroy(&planner);
    }
}

// The start's own pose is a way to fulfil a goal whose middle is blocked.
static void a_blocked_goal_is_reached_where_the_start_is_within_its_tolerance(void** state) {
    (void)state;
    kerb_plan_limits limits = limits_of_car(0.4f);
    kerb_plan_world world = world_of_block();
    kerb_planner planner;
    create(&planner, &limits, 0, &world);
    kerb_plan_end from = kerb_plan_end_make(22.0f, 0.0f, 0.0f, 0.0f);
    kerb_plan_end to = kerb_plan_end_make(31.0f, 0.0f, 0.0f, 0.0f);
    kerb_plan_query query = {&from, &to, 1, 1};
    assert_int_equal(solve(&planner, &query).count, 0);
    to.position_tolerance = 9.5f;
    assert_true(solve(&planner, &query).time == 0.0f);
    kerb_planner_destroy(&planner);
}

// --------------------------------------------------------------------------- a start in touch

// Some centimetres beside its own plan a vehicle may be inside an obstacle that the plan passes.
static void a_plan_made_anew_beside_the_old_one_is_found(void** state) {
    (void)state;
    kerb_random random = test_random("plan_anew");
    kerb_plan_limits limits = limits_of_car(0.3f);
    kerb_plan_world world = world_of_block();
    int32_t asked = 0;
    for (int32_t trial = 0; trial < test_share(8, 3); trial++) {
        kerb_planner planner;
        limits.reverse_speed_max = trial % 2 == 0 ? 3.0f : 0.0f;
        create(&planner, &limits, 300, &world);
        kerb_plan_end from = kerb_plan_end_make(0.0f, kerb_random_between(&random, -3.0f, 3.0f),
                                                kerb_random_between(&random, -0.3f, 0.3f), 5.0f);
        kerb_plan_end to = kerb_plan_end_make(60.0f, 0.0f, 0.0f, 0.0f);
        kerb_plan_query query = {&from, &to, 1, 1};
        kerb_plan plan = solve(&planner, &query);
        assert_true(plan.count > 0);
        static kerb_plan_piece pieces[4096];
        kerb_plan old = plan;
        kerb_vec3 nowhere = {0.0f, 0.0f, 0.0f};
        kerb_plan_shift_origin(&old, pieces, nowhere); // keeps a copy
        for (float t = 0.25f; t < old.time - 0.5f; t += 0.25f) {
            kerb_plan_state s = kerb_plan_at(&old, t);
            float off = kerb_random_between(&random, -0.06f, 0.06f);
            kerb_plan_end here = {.pose = s.pose, .speed = s.speed};
            here.pose.position.x -= off * s.pose.forward.y;
            here.pose.position.y += off * s.pose.forward.x;
            kerb_plan_query anew = {&here, &to, 1, 1};
            plan = solve(&planner, &anew);
            asked++;
            if (plan.count == 0)
                fail_msg("trial %d: none after %g s, %g m aside", (int)trial, (double)t,
                         (double)off);
            expect_legal(&limits, &anew, &world, &plan);
        }
        kerb_planner_destroy(&planner);
    }
    assert_true(asked > 30);
}

// The allowance is a tenth of the width, at most 0.1 m.
static void a_start_deep_in_an_obstacle_is_blocked(void** state) {
    (void)state;
    kerb_plan_world world = world_of_block();
    const float widths[2] = {1.8f, 0.5f}, allowed[2] = {0.1f, 0.05f};
    for (int32_t i = 0; i < 2; i++) {
        kerb_planner planner;
        kerb_plan_limits limits = kerb_plan_limits_default();
        limits.width = widths[i];
        create(&planner, &limits, 0, &world);
        kerb_plan_end to = kerb_plan_end_make(60.0f, 20.0f, 0.0f, 0.0f);
        for (int32_t k = 0; k < 20; k++) {
            // Beside the block, its side inside by `depth`.
            float depth = allowed[i] * (0.05f + 0.1f * (float)k);
            kerb_plan_end from =
                kerb_plan_end_make(31.0f, 5.0f + 0.5f * widths[i] - depth, 0.0f, 0.0f);
            kerb_plan_query query = {&from, &to, 1, 1};
            kerb_plan plan = solve(&planner, &query);
            assert_int_equal(kerb_planner_advance(&planner, 0),
                             depth < allowed[i] ? KERB_PLAN_FOUND : KERB_PLAN_START_BLOCKED);
            assert_true(depth >= allowed[i] || (plan.start_overlap >= depth - 1e-4f &&
                                                plan.start_overlap <= 1.01f * allowed[i]));
            if (plan.count > 0)
                expect_legal(&limits, &query, &world, &plan);
        }
        // An allowance ends with its query.
        kerb_plan_end from = kerb_plan_end_make(20.0f, 0.0f, 0.0f, 0.0f);
        kerb_plan_query query = {&from, &to, 1, 1};
        kerb_plan plan = solve(&planner, &query);
        assert_true(plan.start_overlap == 0.0f);
        expect_legal(&limits, &query, &world, &plan);
        kerb_planner_destroy(&planner);
    }
}

// The margin is not the vehicle: whoever stands nearer to a wall than it may drive off.
static void a_start_within_the_margin_is_allowed_and_told(void** state) {
    (void)state;
    kerb_plan_world world = world_of_block();
    kerb_plan_limits limits = limits_of_car(0.3f);
    assert_true(limits.margin >= 0.1f); // mirrors
    kerb_planner planner;
    create(&planner, &limits, 200, &world);
    for (int32_t k = 0; k < 8; k++) {
        float gap = 0.02f * (float)(k + 1), overlap = kerb_max(limits.margin - gap, 0.0f);
        kerb_plan_end from =
            kerb_plan_end_make(31.0f, 5.0f + 0.5f * limits.width + gap, 0.0f, 0.0f);
        kerb_plan_end to = kerb_plan_end_make(60.0f, 20.0f, 0.0f, 0.0f);
        kerb_plan_query query = {&from, &to, 1, 1};
        kerb_plan plan = solve(&planner, &query);
        assert_true(plan.count > 0);
        assert_true(plan.start_overlap >= overlap - 1e-4f && plan.start_overlap < overlap + 0.03f);
        expect_legal(&limits, &query, &world, &plan);
    }
    kerb_planner_destroy(&planner);
}

// --------------------------------------------------------------------------- partial plans

// A partial plan is a legal plan to its own end, at rest.
static void expect_legal_part(const kerb_plan_limits* limits, const kerb_plan_query* query,
                              const kerb_plan_world* world, kerb_plan plan) {
    kerb_plan_state last = kerb_plan_at(&plan, plan.time);
    kerb_plan_end there = {.pose = last.pose};
    kerb_plan_query to_there = {query->starts, &there, query->start_count, 1};
    assert_int_equal(plan.goal, -1);
    plan.goal = 0;
    expect_legal(limits, &to_there, world, &plan);
}

static void a_partial_plan_is_legal_and_meets_no_mover(void** state) {
    (void)state;
    kerb_random random = test_random("plan_partial");
    const kerb_vec2 wall[4] = {{10.0f, -40.0f}, {12.0f, -40.0f}, {12.0f, 40.0f}, {10.0f, 40.0f}};
    // On ground with a cost, here of nothing, there is always a search.
    const uint8_t nothing = 0;
    kerb_plan_world world = {.vertices = wall,
                             .vertex_counts = &four,
                             .polygon_count = 1,
                             .columns = 1,
                             .rows = 1,
                             .cell_size = 1.0f,
                             .cost_map = &nothing};
    int32_t parts = 0, slowed = 0;
    for (int32_t trial = 0; trial < test_share(120, 40); trial++) {
        kerb_planner planner;
        kerb_plan_limits limits = kerb_plan_limits_default();
        limits.reverse_speed_max = trial % 3 == 0 ? 4.0f : 0.0f;
        create(&planner, &limits, 100, &world);
        int32_t movers = kerb_random_below(&random, 4);
        kerb_plan_mover mover[3];
        for (int32_t i = 0; i < movers; i++)
            mover[i] = (kerb_plan_mover){
                .pose = kerb_pose_make(kerb_random_between(&random, -8.0f, 8.0f),
                                       kerb_random_between(&random, 8.0f, 30.0f), 0.0f),
                .velocity = {0.0f, kerb_random_between(&random, -9.0f, 0.0f)},
                .length = 4.5f,
                .width = 1.8f};
        assert_int_equal(kerb_planner_set_movers(&planner, mover, movers, NULL), KERB_OK);
        kerb_plan_end from =
            kerb_plan_end_make(0.0f, 0.0f, kerb_random_between(&random, -3.0f, 3.0f),
                               kerb_random_between(&random, 0.0f, 4.0f));
        kerb_plan_end to = kerb_plan_end_make(30.0f, 30.0f, 0.0f, 3.0f);
        from.penalty = 2.0f;
        kerb_plan_query query = {&from, &to, 1, 1};
        assert_int_equal(kerb_planner_begin(&planner, &query, NULL), KERB_OK);
        for (int32_t look = 0; look < 12; look++) {
            kerb_planner_advance(&planner, 1 + kerb_random_below(&random, 12));
            kerb_plan plan = kerb_planner_get_partial_plan(&planner);
            if (plan.count == 0 || plan.goal >= 0)
                continue;
            parts++;
            expect_legal_part(&limits, &query, &world, plan);
            kerb_error error;
            if (kerb_plan_check_movers(&limits, mover, movers, &plan, &error) != KERB_OK)
                fail_msg("trial %d: meets mover, piece %d", (int)trial, (int)error.index);
            for (int32_t i = 0; movers > 0 && i < plan.count; i++)
                slowed += plan.pieces[i].length == 0.0f;
        }
        kerb_planner_destroy(&planner);
    }
    assert_true(parts > 100 && slowed > 0);
}

// --------------------------------------------------------------------------- a new origin

static void a_shifted_plan_is_the_same_plan_in_new_coordinates(void** state) {
    (void)state;
    kerb_plan_limits limits = limits_of_car(0.4f);
    kerb_planner planner;
    create(&planner, &limits, 200, NULL);
    kerb_plan_end from = kerb_plan_end_make(1024.0f, -512.0f, 1.0f, 3.0f);
    kerb_plan_end to = kerb_plan_end_make(1054.0f, -500.0f, -1.0f, 0.0f);
    kerb_plan_query query = {&from, &to, 1, 1};
    kerb_plan before = solve(&planner, &query), after = before;
    static kerb_plan_piece pieces[4096];
    kerb_vec3 origin = {1024.0f, -512.0f, 7.0f};
    kerb_plan_shift_origin(&after, pieces, origin);
    assert_ptr_equal(after.pieces, pieces);
    assert_true(after.time == before.time && after.count == before.count);
    for (float t = 0.0f; t < before.time; t += 0.1f) {
        kerb_plan_state a = kerb_plan_at(&before, t), b = kerb_plan_at(&after, t);
        assert_float_equal(a.pose.position.x - origin.x, b.pose.position.x, 2e-3f);
        assert_float_equal(a.pose.position.y - origin.y, b.pose.position.y, 2e-3f);
        assert_true(a.pose.forward.x == b.pose.forward.x && a.speed == b.speed);
    }
    from.pose.position = to.pose.position = kerb_vec2_make(0.0f, 0.0f);
    to.pose.position = kerb_vec2_make(30.0f, 12.0f);
    expect_legal(&limits, &query, NULL, &after);
    // Back again, in place.
    kerb_vec3 back = {-1024.0f, 512.0f, -7.0f};
    kerb_plan_shift_origin(&after, pieces, back);
    for (int32_t i = 0; i < after.count; i++)
        assert_float_equal(after.pieces[i].start.position.x, before.pieces[i].start.position.x,
                           2e-4f);
    kerb_plan none = {.count = 0};
    kerb_plan_shift_origin(&none, NULL, origin);
    assert_int_equal(none.count, 0);
    kerb_planner_destroy(&planner);
}

int plan_ends_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plans_do_not_turn_back_for_less_than_5_centimetres),
        cmocka_unit_test(every_plan_passes_the_checker),
        cmocka_unit_test(whoever_is_at_the_goal_has_nothing_to_drive),
        cmocka_unit_test(any_start_within_the_tolerances_has_zero_movement),
        cmocka_unit_test(a_dear_goal_at_hand_competes_with_a_cheap_one),
        cmocka_unit_test(a_blocked_goal_is_reached_where_the_start_is_within_its_tolerance),
        cmocka_unit_test(a_plan_made_anew_beside_the_old_one_is_found),
        cmocka_unit_test(a_start_deep_in_an_obstacle_is_blocked),
        cmocka_unit_test(a_start_within_the_margin_is_allowed_and_told),
        cmocka_unit_test(a_partial_plan_is_legal_and_meets_no_mover),
        cmocka_unit_test(a_shifted_plan_is_the_same_plan_in_new_coordinates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
