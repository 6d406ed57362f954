// The racing line's solver as an object: slices, copies, changes of track, bad input, and memory
// that is refused.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "test/line_rig.h"
#include "test/seed.h"

#include <stdlib.h>

static line_rig rig;

static kerb_line_solver create(const kerb_line_settings* settings) {
    kerb_performance car = rig_car();
    kerb_line_solver solver;
    kerb_error error;
    assert_int_equal(kerb_line_solver_create(&solver, &rig.path, &car, settings, &rig.host, &error),
                     KERB_OK);
    return solver;
}

static void run(kerb_line_solver* solver, int32_t slice) {
    while (kerb_line_solver_advance(solver, slice) == KERB_LINE_RUNNING) {
    }
}

static kerb_racing_line line_of(const kerb_line_solver* solver) {
    kerb_racing_line line;
    kerb_error error;
    assert_int_equal(kerb_racing_line_create(&line, solver, 2.0f, &rig.host, &error), KERB_OK);
    return line;
}

static void assert_same_line(const kerb_racing_line* a, const kerb_racing_line* b) {
    assert_int_equal(a->count, b->count);
    assert_true(a->time == b->time && a->length == b->length);
    for (int32_t i = 0; i < a->count; i++)
        assert_true(a->points[i].x == b->points[i].x && a->points[i].y == b->points[i].y &&
                    a->points[i].z == b->points[i].z && a->points[i].speed == b->points[i].speed);
}

static void make_track(const char* name) {
    kerb_random random = test_random(name);
    rig_random(&rig, &random, 1.0);
}

// ------------------------------------------------------------------- slices and copies

static void slices_give_the_same_bits_as_one_go(void** state) {
    (void)state;
    make_track("slices");
    for (int32_t method = 0; method < 3; method++) {
        kerb_line_settings settings = rig_settings((kerb_line_method)method);
        kerb_line_solver whole = create(&settings), sliced = create(&settings);
        run(&whole, 100000);
        run(&sliced, 3);
        kerb_racing_line a = line_of(&whole), b = line_of(&sliced);
        assert_same_line(&a, &b);
        kerb_racing_line_destroy(&a);
        kerb_racing_line_destroy(&b);
        kerb_line_solver_destroy(&whole);
        kerb_line_solver_destroy(&sliced);
    }
    rig_end(&rig);
}

static void an_arena_copied_elsewhere_goes_on_with_the_same_bits(void** state) {
    (void)state;
    make_track("copies");
    for (int32_t method = 0; method < 3; method++) {
        kerb_line_settings settings = rig_settings((kerb_line_method)method);
        kerb_line_solver solver = create(&settings), copy = solver;
        kerb_line_solver_advance(&solver, 37);
        copy.memory = rig.host.allocator.allocate(rig.host.allocator.context, copy.bytes, 64);
        memcpy(copy.memory, solver.memory, solver.bytes);
        run(&solver, 50);
        kerb_racing_line a = line_of(&solver);
        memset(solver.memory, 0xff, solver.bytes);
        run(&copy, 50);
        kerb_racing_line b = line_of(&copy);
        assert_same_line(&a, &b);
        kerb_racing_line_destroy(&a);
        kerb_racing_line_destroy(&b);
        kerb_line_solver_destroy(&solver);
        kerb_line_solver_destroy(&copy);
    }
    rig_end(&rig);
}

static void the_best_line_so_far_can_be_read_at_any_time(void** state) {
    (void)state;
    make_track("any time");
    kerb_line_settings settings = rig_settings(KERB_LINE_TIME);
    kerb_line_solver solver = create(&settings);
    float progress = -1.0f;
    double first = 0.0, last = 0.0;
    do {
        assert_true(kerb_line_solver_progress(&solver) > progress);
        progress = kerb_line_solver_progress(&solver);
        kerb_racing_line line = line_of(&solver);
        assert_true(line.time > 0.0 && line.violation < 0.3);
        first = first > 0.0 ? first : line.time;
        last = line.time;
        kerb_racing_line_destroy(&line);
    } while (kerb_line_solver_advance(&solver, 10) == KERB_LINE_RUNNING);
    assert_true(kerb_line_solver_progress(&solver) == 1.0f);
    assert_true(last < first);
    kerb_line_solver_destroy(&solver);
    rig_end(&rig);
}

// ------------------------------------------------------------------- changes

// An obstacle on the left, and slippery there.
static void put_obstacle(kerb_path* changed) {
    for (int32_t i = rig.count / 4; i < rig.count / 4 + 12; i++) {
        rig.waypoints[i].left = 0.5f;
        rig.waypoints[i].grip = 0.8f;
    }
    kerb_error error;
    assert_int_equal(kerb_path_create(changed, rig.waypoints, rig.count, true, &rig.host, &error),
                     KERB_OK);
}

static void check_change(int32_t method, double most) {
    kerb_line_settings settings = rig_settings((kerb_line_method)method);
    kerb_line_solver solver = create(&settings);
    run(&solver, 100);
    kerb_path changed;
    kerb_error error;
    put_obstacle(&changed);
    assert_int_equal(kerb_line_solver_set_track(&solver, &changed, &error), KERB_OK);
    run(&solver, 100);
    kerb_racing_line warm = line_of(&solver);
    kerb_path_destroy(&rig.path);
    rig.path = changed;
    kerb_line_solver cold_solver = create(&settings);
    run(&cold_solver, 100);
    kerb_racing_line cold = line_of(&cold_solver);
    if (method != KERB_LINE_SPRING && !(warm.violation <= 0.02 && cold.violation <= 0.02))
        fail_msg("method %d: %.3f m out, from nothing %.3f m", method, warm.violation,
                 cold.violation);
    if (!(warm.time < most * cold.time))
        fail_msg("method %d: %.3f s, from nothing %.3f s", method, warm.time, cold.time);
    kerb_racing_line_destroy(&warm);
    kerb_racing_line_destroy(&cold);
    kerb_line_solver_destroy(&cold_solver);
    kerb_line_solver_destroy(&solver);
}

static void a_change_of_track_is_answered_from_the_line_before(void** state) {
    (void)state;
    kerb_random random = test_random("change");
    for (int32_t n = 0; n < 9; n++) {
        rig_random(&rig, &random, 1.0);
        // Springs swing on for long; the others come within 0.7 % on each of 300 tracks.
        check_change(n % 3, n % 3 == KERB_LINE_SPRING ? 1.02 : 1.01);
        rig_end(&rig);
    }
}

// Two tracks of some hundred on which the best line passes the obstacle in quite another way, so
// that one that keeps to the side on which it was, or loses what it found in the last step, is 1.2
// and 1.6 % slower.
static void a_line_swings_over_where_a_change_asks_for_it(void** state) {
    (void)state;
    const uint64_t seeds[] = {171, 294};
    for (int32_t n = 0; n < 2; n++) {
        kerb_random random = kerb_random_make(seeds[n], 1);
        rig_random(&rig, &random, 1.0);
        check_change(KERB_LINE_TIME, 1.002);
        rig_end(&rig);
    }
}

// Nodes are a means: where they lie closer the line is the same.
static void finer_nodes_find_the_same_line_of_least_curvature(void** state) {
    (void)state;
    make_track("finer nodes");
    kerb_performance car = rig_car();
    kerb_line_settings settings = rig_settings(KERB_LINE_CURVATURE);
    kerb_racing_line usual = rig_solve(&rig, &car, &settings);
    const float spacings[] = {2.0f, 1.0f, 0.5f};
    for (int32_t i = 0; i < 3; i++) {
        settings.node_spacing = spacings[i];
        kerb_racing_line line = rig_solve(&rig, &car, &settings);
        if (!(line.time < 1.0005 * usual.time && line.time > 0.997 * usual.time))
            fail_msg("every %.1f m: %.3f s, usually %.3f s", (double)spacings[i], line.time,
                     usual.time);
        kerb_racing_line_destroy(&line);
    }
    kerb_racing_line_destroy(&usual);
    rig_end(&rig);
}

static void a_long_search_ends_in_a_line(void** state) {
    (void)state;
    kerb_random random = test_random("long search");
    for (int32_t n = 0; n < 3; n++) {
        rig_random(&rig, &random, 1.0);
        kerb_line_settings settings = rig_settings(KERB_LINE_TIME);
        kerb_line_solver usual = create(&settings);
        settings.time_steps = 1200;
        kerb_line_solver solver = create(&settings);
        run(&usual, 10000);
        run(&solver, 10000);
        kerb_racing_line a = line_of(&usual), b = line_of(&solver);
        if (!(b.time < 1.0005 * a.time && b.time > 0.97 * a.time))
            fail_msg("%.3f s, usually %.3f s", b.time, a.time);
        kerb_racing_line_destroy(&a);
        kerb_racing_line_destroy(&b);
        kerb_line_solver_destroy(&usual);
        kerb_line_solver_destroy(&solver);
        rig_end(&rig);
    }
}

// The bounds close in on what a spline bulges up to the last step. A node that is then put back by
// 2 mm alone makes a kink in the line: on this track it takes 0.45 % of a lap. 22 steps are 0.69 %
// slower than 106; with nodes put back alone it is 1.15 %, and without what the last step found
// 2.02 %. The bits are the same on every machine, so the bound lies between.
static void a_short_search_keeps_what_its_last_step_found(void** state) {
    (void)state;
    kerb_performance car = rig_car();
    kerb_random random = kerb_random_make(58, 1);
    rig_random(&rig, &random, 1.0);
    kerb_line_settings settings = rig_settings(KERB_LINE_TIME);
    settings.time_steps = 22;
    kerb_racing_line few = rig_solve(&rig, &car, &settings);
    settings.time_steps = 106;
    kerb_racing_line many = rig_solve(&rig, &car, &settings);
    assert_true(few.violation <= 0.02);
    if (!(few.time < 1.009 * many.time))
        fail_msg("%.3f s, with more steps %.3f s", few.time, many.time);
    kerb_racing_line_destroy(&few);
    kerb_racing_line_destroy(&many);
    rig_end(&rig);
}

// A closed track of straights and bends far tighter than it is wide: the ways across it meet.
static void rig_tight(line_rig* tight, kerb_random* random) {
    const double pi = 3.14159265358979323846;
    double size = (double)kerb_random_between(random, 30.0f, 150.0f);
    double half_width = (double)kerb_random_between(random, 3.0f, 9.0f);
    double bite = (double)kerb_random_between(random, 0.2f, 0.6f);
    double waves = floor((double)kerb_random_between(random, 2.0f, 9.0f));
    double phase = (double)kerb_random_between(random, 0.0f, 6.28f);
    int32_t count = (int32_t)(2.0 * pi * size / (double)kerb_random_between(random, 1.5f, 6.0f));
    rig_begin(tight, true);
    for (int32_t i = 0; i < count; i++) {
        double a = 2.0 * pi * (double)i / (double)count;
        double r = size * (1.0 + bite * sin(waves * a + phase));
        rig_add(tight, r * cos(a), r * sin(a), 0.0, half_width);
    }
    rig_build(tight);
}

static void assert_finite(const kerb_racing_line* line) {
    assert_true(line->time > 0.0 && line->time < 1.0e6 && line->count > 2);
    for (int32_t i = 0; i < line->count; i++) {
        const kerb_line_point* p = &line->points[i];
        double sum = p->x + p->y + p->z + (double)p->heading + (double)p->curvature;
        sum += (double)p->speed + (double)p->left + (double)p->right;
        assert_true(sum - sum == 0.0);
    }
}

// Least time with what the other methods find on the same track.
static void compare_methods(int32_t* beyond) {
    kerb_performance car = rig_car();
    double times[3], violations[3];
    for (int32_t method = 0; method < 3; method++) {
        kerb_line_settings settings = rig_settings((kerb_line_method)method);
        kerb_racing_line line = rig_solve(&rig, &car, &settings);
        times[method] = line.time;
        violations[method] = line.violation;
        kerb_racing_line_destroy(&line);
    }
    const double time = times[KERB_LINE_TIME];
    bool legal = violations[KERB_LINE_SPRING] <= 0.02;
    if (!(time <= 1.0005 * times[KERB_LINE_CURVATURE]))
        fail_msg("%.3f s, least curvature %.3f s", time, times[KERB_LINE_CURVATURE]);
    if (legal && !(time < 1.05 * times[KERB_LINE_SPRING]))
        fail_msg("%.3f s, springs %.3f s", time, times[KERB_LINE_SPRING]);
    for (int32_t method = KERB_LINE_CURVATURE; method <= KERB_LINE_TIME; method++) {
        if (!(violations[method] <= 0.15))
            fail_msg("method %d: %.3f m into the margin", method, violations[method]);
        *beyond += violations[method] > 0.02;
    }
}

static void in_bends_tighter_than_the_track_least_time_keeps_margin_and_pace(void** state) {
    (void)state;
    kerb_random random = test_random("tighter than the track");
    int32_t beyond = 0;
    for (int32_t n = 0; n < 24; n++) {
        kerb_error error;
        do {
            if (rig.count > 0)
                rig_end(&rig);
            rig_tight(&rig, &random);
        } while (kerb_track_validate(rig.waypoints, rig.count, true, &error) != KERB_OK);
        compare_methods(&beyond);
    }
    rig_end(&rig);
    // In 782 lines of other tracks of this kind it was 5; of 960 tracks two had one by 0.13 m.
    if (beyond > 3)
        fail_msg("%d of 48 lines are out of the margin", (int)beyond);
}

static void where_the_ways_across_a_track_meet_lines_stay_finite(void** state) {
    (void)state;
    kerb_random random = test_random("tight");
    for (int32_t n = 0; n < 24; n++) {
        rig_tight(&rig, &random);
        kerb_line_settings settings = rig_settings((kerb_line_method)(n % 3));
        settings.side = n % 4;
        kerb_line_solver solver = create(&settings);
        run(&solver, 1000);
        kerb_racing_line line = line_of(&solver);
        assert_finite(&line);
        kerb_racing_line_destroy(&line);
        kerb_line_solver_destroy(&solver);
        rig_end(&rig);
    }
}

// Also for vehicles whose time has little to do with curvature.
static void a_search_for_time_is_never_slower_than_the_centre_line_or_least_curvature(
    void** state) {
    (void)state;
    kerb_random random = test_random("fall back");
    for (int32_t n = 0; n < 9; n++) {
        static const float lateral[] = {0.3f, 3.0f, 30.0f};
        static const float top[] = {20.0f, 100.0f, 1000.0f};
        kerb_performance car = kerb_performance_point_mass(lateral[n % 3], 5.0f, 8.0f, top[n / 3]);
        rig_tight(&rig, &random); // level: no bank is too steep to hold on
        kerb_line_settings settings = rig_settings(KERB_LINE_CURVATURE);
        kerb_racing_line curvature = rig_solve(&rig, &car, &settings);
        settings.method = KERB_LINE_TIME;
        kerb_racing_line time = rig_solve(&rig, &car, &settings);
        double centre = rig_centre_time(&rig, &car);
        double most = fmin(centre, curvature.time);
        if (!(time.time <= 1.0001 * most))
            fail_msg("%d: %.3f s, centre %.3f s, least curvature %.3f s", n, time.time, centre,
                     curvature.time);
        kerb_racing_line_destroy(&curvature);
        kerb_racing_line_destroy(&time);
        rig_end(&rig);
    }
}

static void another_track_is_no_change(void** state) {
    (void)state;
    rig_circle(&rig, 100.0, 5.0);
    kerb_line_settings settings = kerb_line_settings_default();
    kerb_line_solver solver = create(&settings);
    rig_end(&rig);
    rig_circle(&rig, 150.0, 5.0);
    kerb_error error;
    assert_int_equal(kerb_line_solver_set_track(&solver, &rig.path, &error),
                     KERB_ERROR_CONTRADICTION);
    assert_string_equal(error.field, "track");
    kerb_line_solver_destroy(&solver);
    rig_end(&rig);
}

// Within the rounding of floats of the path.
static void assert_line_near(const kerb_racing_line* line, const kerb_racing_line* expected) {
    assert_int_equal(line->count, expected->count);
    assert_near(line->time, expected->time, 1e-3 * expected->time);
    for (int32_t i = 0; i < line->count; i++) {
        assert_near(line->points[i].x, expected->points[i].x, 0.05);
        assert_near(line->points[i].y, expected->points[i].y, 0.05);
    }
}

// What the header says about a floating origin: one solver goes on in the old coordinates, and one
// is given the shifted track.
static void a_search_ends_in_the_coordinates_of_the_track_given_last(void** state) {
    (void)state;
    const kerb_vec3 moves = {256.0f, -512.0f, 0.0f};
    make_track("shifted");
    kerb_line_settings settings = rig_settings(KERB_LINE_CURVATURE);
    kerb_line_solver old = create(&settings), given = create(&settings);
    kerb_line_solver_advance(&old, 10);
    kerb_line_solver_advance(&given, 10);
    kerb_path_shift_origin(&rig.path, moves);
    kerb_error error;
    assert_int_equal(kerb_line_solver_set_track(&given, &rig.path, &error), KERB_OK);
    kerb_line_solver anew = create(&settings);
    run(&old, 100);
    run(&given, 100);
    run(&anew, 100);
    kerb_racing_line a = line_of(&old), b = line_of(&given), expected = line_of(&anew);
    kerb_racing_line_shift_origin(&a, moves);
    assert_line_near(&a, &expected);
    assert_line_near(&b, &expected);
    kerb_racing_line_destroy(&a);
    kerb_racing_line_destroy(&b);
    kerb_racing_line_destroy(&expected);
    kerb_line_solver_destroy(&old);
    kerb_line_solver_destroy(&given);
    kerb_line_solver_destroy(&anew);
    rig_end(&rig);
}

// ------------------------------------------------------------------- bad input

static void settings_and_performances_that_are_none_are_named(void** state) {
    (void)state;
    rig_circle(&rig, 100.0, 5.0);
    kerb_line_solver solver;
    kerb_error error;
    kerb_performance car = rig_car();
    kerb_line_settings settings = kerb_line_settings_default();
    settings.margin = NAN;
    assert_int_equal(
        kerb_line_solver_create(&solver, &rig.path, &car, &settings, &rig.host, &error),
        KERB_ERROR_NOT_FINITE);
    assert_string_equal(error.field, "margin");
    settings = kerb_line_settings_default();
    settings.method = 7;
    assert_int_equal(
        kerb_line_solver_create(&solver, &rig.path, &car, &settings, &rig.host, &error),
        KERB_ERROR_OUT_OF_RANGE);
    settings = kerb_line_settings_default();
    const float odd[] = {NAN, INFINITY, -1.0f};
    for (int32_t i = 0; i < 3; i++) {
        car = rig_car();
        car.lateral = odd[i];
        assert_int_equal(
            kerb_line_solver_create(&solver, &rig.path, &car, &settings, &rig.host, &error),
            i < 2 ? KERB_ERROR_NOT_FINITE : KERB_ERROR_OUT_OF_RANGE);
        assert_string_equal(error.field, "performance.lateral");
        assert_null(solver.memory);
        car = rig_car();
        car.drive[20] = odd[i];
        assert_int_equal(
            kerb_line_solver_create(&solver, &rig.path, &car, &settings, &rig.host, &error),
            i < 2 ? KERB_ERROR_NOT_FINITE : KERB_ERROR_OUT_OF_RANGE);
        assert_string_equal(error.field, "performance.drive");
        assert_int_equal(error.index, 20);
    }
    kerb_line_solver_destroy(&solver);
    rig_end(&rig);
}

static void a_spacing_out_of_range_is_refused(void** state) {
    (void)state;
    rig_circle(&rig, 100.0, 5.0);
    kerb_line_settings settings = kerb_line_settings_default();
    kerb_line_solver solver = create(&settings);
    const float odd[] = {NAN, 0.0f, -1.0f, 1000.0f};
    for (int32_t i = 0; i < 4; i++) {
        kerb_racing_line line;
        kerb_error error;
        assert_int_equal(kerb_racing_line_create(&line, &solver, odd[i], &rig.host, &error),
                         KERB_ERROR_OUT_OF_RANGE);
        assert_string_equal(error.field, "spacing");
        assert_null(line.points);
    }
    kerb_line_solver_destroy(&solver);
    rig_end(&rig);
}

static void odd_tracks_and_cars_never_give_nan(void** state) {
    (void)state;
    for (int32_t n = 0; n < 5; n++) {
        rig_begin(&rig, false);
        for (int32_t i = 0; i < (n == 0 ? 2 : 60); i++) {
            double at = (double)i;
            rig_add(&rig, 5.0 * at, n == 1 ? 0.0 : 20.0 * sin(at * 0.3), n == 2 ? 2.0 * at : 0.0,
                    n == 3 ? 0.1 : 4.0);
            rig.waypoints[i].bank = n == 4 ? 1.4f : 0.0f;
        }
        rig_build(&rig);
        kerb_performance car = rig_car();
        car.accelerating = n == 2 ? 0.5f : 9.0f;
        car.rolling = 1.0f;
        for (int32_t method = 0; method < 3; method++) {
            kerb_line_settings settings = rig_settings((kerb_line_method)method);
            kerb_racing_line line = rig_solve(&rig, &car, &settings);
            assert_true(line.time - line.time == 0.0 && line.length > 0.0);
            for (int32_t i = 0; i < line.count; i++) {
                const kerb_line_point* p = &line.points[i];
                double sum = p->x + p->y + p->z + (double)p->speed + (double)p->curvature;
                assert_true(sum - sum == 0.0);
            }
            kerb_racing_line_destroy(&line);
        }
        rig_end(&rig);
    }
}

// ------------------------------------------------------------------- memory

static void every_allocation_of_a_line_may_fail(void** state) {
    (void)state;
    rig_circle(&rig, 60.0, 5.0);
    test_allocation allocation = test_allocation_make();
    kerb_host host = test_allocation_host(&allocation);
    kerb_performance car = rig_car();
    kerb_line_settings settings = kerb_line_settings_default();
    int32_t failures = 0;
    for (int32_t n = 1; test_allocation_fail_next(&allocation, n); n++) {
        kerb_line_solver solver;
        kerb_racing_line line = {0};
        kerb_error error;
        kerb_result result =
            kerb_line_solver_create(&solver, &rig.path, &car, &settings, &host, &error);
        if (result == KERB_OK)
            result = kerb_line_solver_set_track(&solver, &rig.path, &error);
        if (result == KERB_OK) {
            kerb_line_solver_advance(&solver, 10);
            result = kerb_racing_line_create(&line, &solver, 5.0f, &host, &error);
        }
        assert_int_equal(result, allocation.failed ? KERB_ERROR_OUT_OF_MEMORY : KERB_OK);
        failures += allocation.failed;
        kerb_racing_line_destroy(&line);
        kerb_line_solver_destroy(&solver);
        test_allocation_check(&allocation);
    }
    assert_int_equal(failures, 6);
    rig_end(&rig);
}

static void the_memory_is_as_much_as_was_said(void** state) {
    (void)state;
    rig_circle(&rig, 100.0, 5.0);
    kerb_line_settings settings = kerb_line_settings_default();
    kerb_line_solver solver = create(&settings);
    assert_int_equal(solver.bytes, kerb_line_solver_bytes(&rig.path, &settings));
    assert_true(solver.bytes < 157 * 1100);
    settings.node_spacing = 0.1f;
    assert_true(kerb_line_solver_bytes(&rig.path, &settings) > solver.bytes);
    kerb_line_solver_destroy(&solver);
    kerb_line_solver_destroy(&solver);
    rig_end(&rig);
}

int line_solver_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slices_give_the_same_bits_as_one_go),
        cmocka_unit_test(an_arena_copied_elsewhere_goes_on_with_the_same_bits),
        cmocka_unit_test(the_best_line_so_far_can_be_read_at_any_time),
        cmocka_unit_test(a_change_of_track_is_answered_from_the_line_before),
        cmocka_unit_test(a_line_swings_over_where_a_change_asks_for_it),
        cmocka_unit_test(finer_nodes_find_the_same_line_of_least_curvature),
        cmocka_unit_test(a_long_search_ends_in_a_line),
        cmocka_unit_test(a_short_search_keeps_what_its_last_step_found),
        cmocka_unit_test(in_bends_tighter_than_the_track_least_time_keeps_margin_and_pace),
        cmocka_unit_test(where_the_ways_across_a_track_meet_lines_stay_finite),
        cmocka_unit_test(a_search_for_time_is_never_slower_than_the_centre_line_or_least_curvature),
        cmocka_unit_test(another_track_is_no_change),
        cmocka_unit_test(a_search_ends_in_the_coordinates_of_the_track_given_last),
        cmocka_unit_test(settings_and_performances_that_are_none_are_named),
        cmocka_unit_test(a_spacing_out_of_range_is_refused),
        cmocka_unit_test(odd_tracks_and_cars_never_give_nan),
        cmocka_unit_test(every_allocation_of_a_line_may_fail),
        cmocka_unit_test(the_memory_is_as_much_as_was_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
