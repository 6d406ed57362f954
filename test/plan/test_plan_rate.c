// Curvature with a rate: clothoids at joints, wheels that turn first at standstill, and the
// checker.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kerb/plan_onward.h"
#include "test/plan_rig.h"

#include <math.h>
#include <string.h>

// ------------------------------------------------------------------- a piece

// Runge and Kutta's steps along curvature + change · s / length; in reverse the length is negative.
static void integrate(const kerb_plan_piece* p, double along, double* x, double* y,
                      double* heading) {
    enum { STEPS = 2000 };
    double step = (double)p->direction * along / STEPS, k0 = (double)p->curvature;
    double slope = (double)p->curvature_change / (double)p->length;
    double h0 = atan2((double)p->start.forward.y, (double)p->start.forward.x);
    *x = (double)p->start.position.x;
    *y = (double)p->start.position.y;
    for (int i = 0; i <= STEPS; i++) {
        double s = along * i / STEPS;
        *heading = h0 + (double)p->direction * (k0 * s + 0.5 * slope * s * s);
        if (i == STEPS)
            break;
        double m = s + 0.5 * along / STEPS, e = s + along / STEPS;
        double hm = h0 + (double)p->direction * (k0 * m + 0.5 * slope * m * m);
        double he = h0 + (double)p->direction * (k0 * e + 0.5 * slope * e * e);
        *x += step * (cos(*heading) + 4.0 * cos(hm) + cos(he)) / 6.0;
        *y += step * (sin(*heading) + 4.0 * sin(hm) + sin(he)) / 6.0;
    }
}

static kerb_plan_piece random_piece(kerb_random* random) {
    kerb_plan_piece p = {.start = kerb_pose_make(kerb_random_between(random, -5.0f, 5.0f),
                                                 kerb_random_between(random, -5.0f, 5.0f),
                                                 kerb_random_between(random, -3.0f, 3.0f)),
                         .length = kerb_random_between(random, 0.001f, 30.0f),
                         .speed = kerb_random_between(random, 0.5f, 20.0f),
                         .curvature = kerb_random_between(random, -0.5f, 0.5f),
                         .direction = kerb_random_below(random, 2) == 0 ? 1 : -1,
                         .curvature_change = kerb_random_between(random, -0.5f, 0.5f)};
    p.duration = p.length / p.speed;
    return p;
}

static void a_clothoid_ends_where_numerical_integration_ends(void** state) {
    (void)state;
    kerb_random random = test_random("clothoids");
    double worst = 0.0, worst_turn = 0.0;
    for (int i = 0; i < test_share(2000, 200); i++) {
        kerb_plan_piece p = random_piece(&random);
        float along = kerb_random_between(&random, 0.0f, p.length);
        double x, y, heading;
        integrate(&p, (double)along, &x, &y, &heading);
        kerb_pose end = kerb_plan_piece_pose(&p, along);
        worst = fmax(worst, hypot((double)end.position.x - x, (double)end.position.y - y));
        worst_turn = fmax(worst_turn, hypot((double)end.forward.x - cos(heading),
                                            (double)end.forward.y - sin(heading)));
        const kerb_plan plan = {.pieces = &p, .count = 1, .time = p.duration, .length = p.length};
        kerb_plan_state at = kerb_plan_at(&plan, along / p.speed);
        assert_true(kerb_abs(at.curvature - p.curvature - p.curvature_change * along / p.length) <
                    1e-4f);
        assert_true(hypotf(at.pose.position.x - end.position.x,
                           at.pose.position.y - end.position.y) < 1e-4f);
    }
    print_message("worst %.1e m, %.1e rad\n", worst, worst_turn);
    assert_true(worst < 1e-5 && worst_turn < 3e-6);
}

static void without_change_a_piece_is_an_arc_to_the_bit(void** state) {
    (void)state;
    kerb_random random = test_random("arcs");
    for (int i = 0; i < 1000; i++) {
        kerb_plan_piece p = random_piece(&random);
        p.curvature_change = 0.0f;
        kerb_curve arc = {p.start, 1, {p.curvature}, {(float)p.direction * p.length}};
        kerb_pose a = kerb_plan_piece_pose(&p, p.length), b = kerb_curve_end(&arc);
        assert_memory_equal(&a, &b, sizeof a);
    }
}

// ------------------------------------------------------------------- plans

static void expect_accepted(const plan_rig* rig, const kerb_plan_world* world,
                            const kerb_plan* plan, int index) {
    kerb_plan_query query = plan_rig_query(rig);
    kerb_error error;
    if (kerb_plan_check(&rig->limits, &query, world, plan, &error) != KERB_OK)
        fail_msg("case %d: %s %s, piece %d of %d", index, error.field, error.message,
                 (int)error.index, (int)plan->count);
}

// In steps of a millisecond the curvature changes by no more than the rate allows, from the start.
static void expect_continuous(const plan_rig* rig, const kerb_plan* plan, int index) {
    const float step = 1e-3f, most = 1.01f * rig->limits.curvature_rate * step;
    float before = rig->from.curvature, rounding = 2e-3f / rig->limits.turning_radius;
    for (int32_t i = 0; (float)i * step <= plan->time; i++) {
        float now = kerb_plan_at(plan, (float)i * step).curvature;
        if (!(kerb_abs(now - before) <= most + rounding))
            fail_msg("case %d: from %g to %g 1/m at %g s", index, (double)before, (double)now,
                     (double)((float)i * step));
        before = now;
    }
}

static plan_rig rated(kerb_random* random, bool reverse) {
    plan_rig rig = plan_rig_wild(random, reverse);
    kerb_plan_limits* l = &rig.limits;
    l->curvature_rate = 1.0f / (l->turning_radius * kerb_random_between(random, 0.2f, 2.0f));
    if (kerb_random_below(random, 2) == 0)
        l->longitudinal_grip = kerb_random_between(random, 0.5f, 2.0f) * l->braking;
    rig.from.speed = rig.to.speed = 0.0f;
    rig.from.curvature = kerb_random_between(random, -1.0f, 1.0f) / l->turning_radius;
    return rig;
}

static void random_plans_have_continuous_curvature_and_are_accepted(void** state) {
    (void)state;
    kerb_random random = test_random("rated plans");
    double times = 0.0, arcs = 0.0;
    int32_t clothoids = 0;
    for (int i = 0; i < test_share(600, 40); i++) {
        plan_rig rig = rated(&random, i % 2 == 1);
        kerb_planner planner;
        assert_int_equal(plan_rig_run(&planner, &rig, i % 3 == 0 ? 0 : 500), KERB_PLAN_FOUND);
        kerb_plan plan = kerb_planner_get_plan(&planner);
        expect_accepted(&rig, NULL, &plan, i);
        expect_continuous(&rig, &plan, i);
        assert_true(plan.lower_bound <= plan.cost * 1.0001f);
        for (int32_t k = 0; k < plan.count; k++)
            clothoids += plan.pieces[k].length > 0.0f && plan.pieces[k].curvature_change != 0.0f;
        times += (double)plan.time;
        kerb_planner_destroy(&planner);
        rig.limits.curvature_rate = 0.0f;
        assert_int_equal(plan_rig_run(&planner, &rig, i % 3 == 0 ? 0 : 500), KERB_PLAN_FOUND);
        plan = kerb_planner_get_plan(&planner);
        arcs += (double)plan.time;
        for (int32_t k = 0; k < plan.count; k++)
            assert_true(plan.pieces[k].curvature_change == 0.0f);
        kerb_planner_destroy(&planner);
    }
    print_message("%.0f s, with jumps %.0f s; %d clothoids\n", times, arcs, clothoids);
    assert_true(clothoids > test_share(600, 40));
}

static void at_a_standstill_the_wheels_turn_first_and_that_time_counts(void** state) {
    (void)state;
    kerb_random random = test_random("wheels first");
    for (int i = 0; i < test_share(200, 20); i++) {
        plan_rig rig = rated(&random, true);
        kerb_planner planner;
        assert_int_equal(plan_rig_run(&planner, &rig, 200), KERB_PLAN_FOUND);
        kerb_plan plan = kerb_planner_get_plan(&planner);
        const kerb_plan_piece* first = &plan.pieces[0];
        float needed = kerb_abs(first->curvature_change) / rig.limits.curvature_rate;
        if (first->length == 0.0f && plan.length > 0.0f)
            assert_true(first->duration >= 0.999f * needed);
        for (int32_t k = 1; k < plan.count; k++) {
            const kerb_plan_piece* p = &plan.pieces[k];
            if (p->length > 0.0f)
                continue;
            assert_true(p->duration >=
                        0.999f * kerb_abs(p->curvature_change) / rig.limits.curvature_rate);
        }
        kerb_planner_destroy(&planner);
    }
}

static void straight_ahead_with_turned_wheels_takes_the_time_to_turn_them_longer(void** state) {
    (void)state;
    plan_rig rig = {.limits = kerb_plan_limits_default()};
    rig.limits.curvature_rate = 0.25f;
    rig.from = kerb_plan_end_make(0.0f, 0.0f, 0.0f, 0.0f);
    rig.to = kerb_plan_end_make(40.0f, 0.0f, 0.0f, 0.0f);
    float time[2];
    for (int i = 0; i < 2; i++) {
        rig.from.curvature = i == 0 ? 0.0f : 0.1f;
        kerb_planner planner;
        assert_int_equal(plan_rig_run(&planner, &rig, 0), KERB_PLAN_FOUND);
        time[i] = kerb_planner_get_plan(&planner).time;
        kerb_planner_destroy(&planner);
    }
    assert_true(kerb_abs(time[1] - time[0] - 0.1f / 0.25f) < 1e-3f);
}

// A start with speed, from wheels that the plan of a moment ago had turned.
static void a_plan_that_is_asked_for_anew_on_a_bend_begins_with_its_curvature(void** state) {
    (void)state;
    kerb_random random = test_random("anew on a bend");
    int found = 0, asked = 0;
    for (int i = 0; i < test_share(200, 20); i++) {
        plan_rig rig = rated(&random, false);
        kerb_planner planner;
        assert_int_equal(plan_rig_run(&planner, &rig, 200), KERB_PLAN_FOUND);
        kerb_plan plan = kerb_planner_get_plan(&planner);
        float time = kerb_random_between(&random, 0.1f, 0.9f) * plan.time;
        kerb_plan_end here;
        assert_int_equal(
            kerb_planner_begin_onward(&planner, &plan, time, 0.0f, &rig.to, 1, &here, NULL),
            KERB_OK);
        plan_rig again = rig;
        again.from = here;
        while (kerb_planner_advance(&planner, 1000) == KERB_PLAN_RUNNING)
            continue;
        kerb_plan next = kerb_planner_get_plan(&planner);
        assert_true(next.count > 0);
        expect_accepted(&again, NULL, &next, i);
        expect_continuous(&again, &next, i);
        kerb_planner_destroy(&planner);
        // Of its own, without the plan that goes on.
        asked++;
        if (plan_rig_run(&planner, &again, 200) == KERB_PLAN_FOUND) {
            found++;
            next = kerb_planner_get_plan(&planner);
            expect_accepted(&again, NULL, &next, i);
            expect_continuous(&again, &next, i);
        }
        kerb_planner_destroy(&planner);
    }
    print_message("without the plan that goes on: %d of %d\n", found, asked);
    assert_int_equal(found, asked);
}

// ------------------------------------------------------------------- starts on the way

// A state with speed: as fast as its bend allows, or slower.
static void put_on_the_way(plan_rig* rig, kerb_random* random) {
    const kerb_plan_limits* l = &rig->limits;
    float bend = kerb_random_between(random, -1.0f, 1.0f) / l->turning_radius;
    bool reverse = l->reverse_speed_max > 0.0f && kerb_random_below(random, 2) == 0;
    float most = reverse ? l->reverse_speed_max : l->speed_max;
    most = fminf(most, sqrtf(l->lateral_acceleration / fabsf(bend)));
    most = fminf(most, l->yaw_rate_max / fabsf(bend)) * (reverse ? -0.999f : 0.999f);
    rig->from.speed = kerb_random_between(random, 0.05f, 1.0f) * most;
    rig->from.curvature = bend;
}

static void run_in_steps(kerb_planner* planner, const plan_rig* rig, int32_t steps) {
    const kerb_host host = kerb_host_default();
    kerb_planner_settings settings = kerb_planner_settings_default();
    settings.improvement = 100;
    kerb_plan_query query = plan_rig_query(rig);
    assert_int_equal(kerb_planner_create(planner, &rig->limits, &settings, &host, NULL), KERB_OK);
    assert_int_equal(kerb_planner_begin(planner, &query, NULL), KERB_OK);
    while (kerb_planner_advance(planner, steps) == KERB_PLAN_RUNNING)
        continue;
}

static void from_any_speed_and_wheels_that_its_bend_allows_there_is_a_plan(void** state) {
    (void)state;
    kerb_random random = test_random("on the way");
    for (int i = 0; i < test_share(600, 40); i++) {
        plan_rig rig = rated(&random, i % 2 == 1);
        put_on_the_way(&rig, &random);
        kerb_planner planner, sliced;
        assert_int_equal(plan_rig_run(&planner, &rig, 100), KERB_PLAN_FOUND);
        kerb_plan plan = kerb_planner_get_plan(&planner);
        expect_accepted(&rig, NULL, &plan, i);
        expect_continuous(&rig, &plan, i);
        assert_true(plan.lower_bound <= plan.cost * 1.0001f);
        if (i % 10 == 0) {
            run_in_steps(&sliced, &rig, 7);
            kerb_plan again = kerb_planner_get_plan(&sliced);
            assert_int_equal(again.count, plan.count);
            assert_memory_equal(again.pieces, plan.pieces,
                                (size_t)plan.count * sizeof *plan.pieces);
            kerb_planner_destroy(&sliced);
        }
        kerb_planner_destroy(&planner);
    }
}

static void a_bend_that_the_speed_does_not_allow_is_a_start_too_fast(void** state) {
    (void)state;
    plan_rig rig = {.limits = kerb_plan_limits_default()};
    rig.limits.curvature_rate = 0.2f;
    rig.to = kerb_plan_end_make(60.0f, 20.0f, 0.0f, 0.0f);
    rig.from = kerb_plan_end_make(0.0f, 0.0f, 0.0f, 8.0f);
    for (int i = 0; i < 2; i++) {
        float square = rig.from.speed * rig.from.speed;
        rig.from.curvature = (i == 0 ? 0.99f : 1.01f) * rig.limits.lateral_acceleration / square;
        assert_true(rig.from.curvature < 1.0f / rig.limits.turning_radius);
        kerb_planner planner;
        assert_int_equal(plan_rig_run(&planner, &rig, 100),
                         i == 0 ? KERB_PLAN_FOUND : KERB_PLAN_START_TOO_FAST);
        kerb_planner_destroy(&planner);
    }
}

// A lane that ends at a wall, as wide as the car and a bit: it can only stop.
static kerb_plan_outcome before_a_wall(float distance, kerb_plan* plan, kerb_planner* planner) {
    const kerb_vec2 corners[12] = {{-20.0f, 1.6f},    {distance, 1.6f}, {distance, 3.0f},
                                   {-20.0f, 3.0f},    {-20.0f, -3.0f},  {distance, -3.0f},
                                   {distance, -1.6f}, {-20.0f, -1.6f},  {distance, -3.0f},
                                   {60.0f, -3.0f},    {60.0f, 3.0f},    {distance, 3.0f}};
    const int32_t counts[3] = {4, 4, 4};
    const kerb_plan_world world = {
        .vertices = corners, .vertex_counts = counts, .polygon_count = 3};
    kerb_vehicle car = kerb_vehicle_default();
    plan_rig rig = {.limits = kerb_plan_limits_to_drive(&car, 0.5f)};
    rig.limits.margin = 0.0f;
    rig.limits.curvature_rate = 0.2f;
    rig.from = kerb_plan_end_make(0.0f, 0.0f, 0.0f, 8.0f);
    rig.to = kerb_plan_end_make(-8.0f, 0.0f, 0.0f, 0.0f);
    const kerb_host host = kerb_host_default();
    kerb_planner_settings settings = kerb_planner_settings_default();
    settings.expansions = 2000;
    kerb_plan_query query = plan_rig_query(&rig);
    kerb_error error;
    assert_int_equal(kerb_planner_create(planner, &rig.limits, &settings, &host, NULL), KERB_OK);
    assert_int_equal(kerb_planner_set_world(planner, &world, NULL), KERB_OK);
    assert_int_equal(kerb_planner_begin(planner, &query, NULL), KERB_OK);
    while (kerb_planner_advance(planner, 1000) == KERB_PLAN_RUNNING)
        continue;
    *plan = kerb_planner_get_plan(planner);
    if (plan->count > 0)
        assert_int_equal(kerb_plan_check(&rig.limits, &query, &world, plan, &error), KERB_OK);
    float stop = 0.5f * rig.from.speed * rig.from.speed / rig.limits.braking;
    print_message("wall at %.1f m, stops in %.1f m\n", (double)distance, (double)stop);
    return kerb_planner_advance(planner, 0);
}

static void a_wall_nearer_than_the_brakes_stop_is_a_start_too_fast(void** state) {
    (void)state;
    kerb_planner planner;
    kerb_plan plan;
    kerb_plan_outcome far = before_a_wall(40.0f, &plan, &planner);
    assert_int_equal(far, KERB_PLAN_FOUND);
    kerb_planner_destroy(&planner);
    assert_int_equal(before_a_wall(9.0f, &plan, &planner), KERB_PLAN_START_TOO_FAST);
    kerb_planner_destroy(&planner);
}

// ------------------------------------------------------------------- obstacles

typedef struct yard {
    uint8_t cells[60 * 60];
    kerb_plan_world world;
} yard;

static void make_yard(yard* y, kerb_random* random) {
    memset(y, 0, sizeof *y);
    for (int k = 0; k < 14; k++) {
        int32_t x = kerb_random_below(random, 54), at = kerb_random_below(random, 54);
        for (int32_t j = 0; j < 5; j++)
            memset(&y->cells[60 * (at + j) + x], 255, 5);
    }
    y->world = (kerb_plan_world){.cells = y->cells,
                                 .columns = 60,
                                 .rows = 60,
                                 .cell_size = 0.8f,
                                 .origin = {-24.0f, -24.0f}};
}

static void among_obstacles_clothoids_meet_none(void** state) {
    (void)state;
    kerb_random random = test_random("yards");
    int found = 0, arcs = 0;
    for (int i = 0; i < test_share(120, 10); i++) {
        yard y;
        make_yard(&y, &random);
        kerb_vehicle car = kerb_vehicle_default();
        plan_rig rig = {.limits = kerb_plan_limits_to_drive(&car, 0.5f)};
        rig.limits.margin = 0.0f;
        rig.from =
            kerb_plan_end_make(kerb_random_between(&random, -20.0f, 20.0f), -20.0f, 0.0f, 0.0f);
        rig.to = kerb_plan_end_make(kerb_random_between(&random, -20.0f, 20.0f), 20.0f,
                                    kerb_random_between(&random, -3.0f, 3.0f), 0.0f);
        for (int rate = 0; rate < 2; rate++) {
            rig.limits.curvature_rate = rate == 0 ? 0.0f : 0.2f;
            const kerb_host host = kerb_host_default();
            kerb_planner_settings settings = kerb_planner_settings_default();
            settings.improvement = 500;
            settings.expansions = 20000;
            kerb_planner planner;
            assert_int_equal(kerb_planner_create(&planner, &rig.limits, &settings, &host, NULL),
                             KERB_OK);
            assert_int_equal(kerb_planner_set_world(&planner, &y.world, NULL), KERB_OK);
            kerb_plan_query query = plan_rig_query(&rig);
            assert_int_equal(kerb_planner_begin(&planner, &query, NULL), KERB_OK);
            while (kerb_planner_advance(&planner, 1000) == KERB_PLAN_RUNNING)
                continue;
            kerb_plan plan = kerb_planner_get_plan(&planner);
            arcs += rate == 0 && plan.count > 0;
            if (rate == 1 && plan.count > 0) {
                found++;
                expect_accepted(&rig, &y.world, &plan, i);
                expect_continuous(&rig, &plan, i);
            }
            kerb_planner_destroy(&planner);
        }
    }
    print_message("%d found, with jumps %d\n", found, arcs);
    assert_true(arcs > 0 && 100 * found >= 95 * arcs);
}

// ------------------------------------------------------------------- the checker

static void the_checker_refuses_jumps_and_ramps_that_are_too_steep(void** state) {
    (void)state;
    const kerb_pose start = kerb_pose_make(0.0f, 0.0f, 0.0f);
    plan_rig rig = {.limits = kerb_plan_limits_default()};
    rig.limits.curvature_rate = 0.1f;
    rig.from = kerb_plan_end_make(0.0f, 0.0f, 0.0f, 2.0f);
    kerb_plan_piece pieces[2] = {{.start = start,
                                  .duration = 1.0f,
                                  .length = 2.0f,
                                  .speed = 2.0f,
                                  .direction = 1,
                                  .curvature_change = 0.0999f},
                                 {.time = 1.0f,
                                  .duration = 1.0f,
                                  .length = 2.0f,
                                  .speed = 2.0f,
                                  .curvature = 0.0999f,
                                  .direction = 1}};
    kerb_plan plan = {.pieces = pieces, .count = 2, .time = 2.0f, .cost = 2.0f, .length = 4.0f};
    for (int i = 0; i < 4; i++) {
        pieces[0].curvature_change = i == 1 ? 0.11f : 0.0999f;
        pieces[1].curvature = i == 2 ? 0.09f : pieces[0].curvature_change;
        rig.from.curvature = i == 3 ? 0.01f : 0.0f;
        pieces[1].start = kerb_plan_piece_pose(&pieces[0], 2.0f);
        rig.to = (kerb_plan_end){.pose = kerb_plan_piece_pose(&pieces[1], 2.0f), .speed = 2.0f};
        kerb_plan_query query = plan_rig_query(&rig);
        kerb_error error;
        kerb_result result = kerb_plan_check(&rig.limits, &query, NULL, &plan, &error);
        assert_int_equal(result, i == 0 ? KERB_OK : KERB_ERROR_OUT_OF_RANGE);
        if (i > 0)
            assert_string_equal(error.field, "curvature_rate");
    }
}

static void wheels_that_are_no_number_are_refused(void** state) {
    (void)state;
    const float bad[] = {NAN, INFINITY, 2e4f};
    for (int i = 0; i < 3; i++) {
        plan_rig rig = {.limits = kerb_plan_limits_default()};
        rig.from = rig.to = kerb_plan_end_make(0.0f, 0.0f, 0.0f, 0.0f);
        rig.from.curvature = bad[i];
        kerb_plan_query query = plan_rig_query(&rig);
        kerb_error error;
        assert_int_equal(kerb_plan_query_validate(&query, &error),
                         i < 2 ? KERB_ERROR_NOT_FINITE : KERB_ERROR_OUT_OF_RANGE);
        assert_string_equal(error.field, "curvature");
    }
}

// ------------------------------------------------------------------- what stands on plans

static void waypoints_lie_on_clothoids(void** state) {
    (void)state;
    kerb_random random = test_random("waypoints of clothoids");
    for (int i = 0; i < 50; i++) {
        plan_rig rig = rated(&random, i % 2 == 1);
        kerb_planner planner;
        assert_int_equal(plan_rig_run(&planner, &rig, 100), KERB_PLAN_FOUND);
        kerb_plan plan = kerb_planner_get_plan(&planner);
        static kerb_waypoint points[20000];
        kerb_plan_path_settings settings = kerb_plan_path_settings_default();
        int32_t count = 0;
        kerb_result made = kerb_plan_waypoints(&plan, &settings, points, 20000, &count, NULL);
        for (int32_t k = 0; made == KERB_OK && k < count; k += 7) {
            float least = 1e9f;
            for (int32_t t = 0; t <= 4000; t++) {
                kerb_pose at = kerb_plan_at(&plan, plan.time * (float)t / 4000.0f).pose;
                least = kerb_min(least, hypotf(at.position.x - points[k].position.x,
                                               at.position.y - points[k].position.y));
            }
            float moved = plan.time / 4000.0f * rig.limits.speed_max;
            assert_true(least < 0.01f + moved);
        }
        kerb_planner_destroy(&planner);
    }
}

static void among_moving_obstacles_curvature_stays_continuous(void** state) {
    (void)state;
    kerb_random random = test_random("clothoids among movers");
    int found = 0;
    for (int i = 0; i < test_share(40, 5); i++) {
        kerb_vehicle car = kerb_vehicle_default();
        plan_rig rig = {.limits = kerb_plan_limits_to_drive(&car, 0.5f)};
        rig.limits.curvature_rate = 0.2f;
        rig.from = kerb_plan_end_make(0.0f, 0.0f, 0.0f, 0.0f);
        rig.to = kerb_plan_end_make(40.0f, kerb_random_between(&random, -15.0f, 15.0f), 0.0f, 0.0f);
        const kerb_plan_mover mover = {.pose = kerb_pose_make(20.0f, -12.0f, 0.5f * KERB_PI),
                                       .velocity = {0.0f, kerb_random_between(&random, 1.0f, 4.0f)},
                                       .length = 4.0f,
                                       .width = 2.0f};
        const kerb_host host = kerb_host_default();
        kerb_planner_settings settings = kerb_planner_settings_default();
        settings.improvement = 300;
        settings.expansions = 10000;
        kerb_planner planner;
        kerb_error error;
        assert_int_equal(kerb_planner_create(&planner, &rig.limits, &settings, &host, NULL),
                         KERB_OK);
        assert_int_equal(kerb_planner_set_movers(&planner, &mover, 1, NULL), KERB_OK);
        kerb_plan_query query = plan_rig_query(&rig);
        assert_int_equal(kerb_planner_begin(&planner, &query, NULL), KERB_OK);
        while (kerb_planner_advance(&planner, 1000) == KERB_PLAN_RUNNING)
            continue;
        kerb_plan plan = kerb_planner_get_plan(&planner);
        if (plan.count > 0) {
            found++;
            expect_accepted(&rig, NULL, &plan, i);
            assert_int_equal(kerb_plan_check_movers(&rig.limits, &mover, 1, &plan, &error),
                             KERB_OK);
        }
        kerb_planner_destroy(&planner);
    }
    assert_true(found >= test_share(36, 4));
}

int plan_rate_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_clothoid_ends_where_numerical_integration_ends),
        cmocka_unit_test(without_change_a_piece_is_an_arc_to_the_bit),
        cmocka_unit_test(random_plans_have_continuous_curvature_and_are_accepted),
        cmocka_unit_test(at_a_standstill_the_wheels_turn_first_and_that_time_counts),
        cmocka_unit_test(straight_ahead_with_turned_wheels_takes_the_time_to_turn_them_longer),
        cmocka_unit_test(a_plan_that_is_asked_for_anew_on_a_bend_begins_with_its_curvature),
        cmocka_unit_test(from_any_speed_and_wheels_that_its_bend_allows_there_is_a_plan),
        cmocka_unit_test(a_bend_that_the_speed_does_not_allow_is_a_start_too_fast),
        cmocka_unit_test(a_wall_nearer_than_the_brakes_stop_is_a_start_too_fast),
        cmocka_unit_test(among_obstacles_clothoids_meet_none),
        cmocka_unit_test(the_checker_refuses_jumps_and_ramps_that_are_too_steep),
        cmocka_unit_test(wheels_that_are_no_number_are_refused),
        cmocka_unit_test(waypoints_lie_on_clothoids),
        cmocka_unit_test(among_moving_obstacles_curvature_stays_continuous),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
