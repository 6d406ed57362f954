// How a racing driver, and those near it, would drive if nobody were there: what it decides by.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "test/racer/racer_show.h"
#include "test/seed.h"

static float squared_of(const kerb_racer* racer, int32_t bin) {
    return racer->memory.ahead.squared[(uint32_t)bin % KERB_RACER_LOOKAHEAD_BINS];
}

// What the others make it do must not change what it believes that it would do without them.
static void speeds_as_if_nobody_were_there_are_those_of_a_racer_alone(void** state) {
    (void)state;
    kerb_random random = test_random("free speeds");
    int32_t compared = 0;
    for (int32_t round = 0; round < 6; round++) {
        show w;
        begin_show(&w, &stage, 100.0, 0.0f, 35.0f);
        for (int32_t i = 0; i < 6; i++)
            add_puppet(&w, 125.0 + 25.0 * (double)i, kerb_random_between(&random, -4.0f, 4.0f),
                       kerb_random_between(&random, 15.0f, 35.0f));
        run_show(&w, (double)kerb_random_between(&random, 2.0f, 12.0f));
        kerb_racer alone = kerb_racer_make(&stage.model.vehicle);
        alone.performance = stage.limits.performance;
        kerb_motion motion = kerb_sim_vehicle_motion(&w.vehicle);
        kerb_racer_drive(&alone, &stage.line, &motion, NULL, DRIVE_STEP);
        int32_t end = alone.memory.ahead.end < w.racer.memory.ahead.end ? alone.memory.ahead.end
                                                                        : w.racer.memory.ahead.end;
        end--;
        // They do not see equally far: of braking that goes on there the one knows more.
        while (end > alone.memory.ahead.first &&
               squared_of(&alone, end - 1) > squared_of(&alone, end))
            end--;
        for (int32_t bin = alone.memory.ahead.first + 8; bin < end; bin++) {
            int32_t slot = (int32_t)((uint32_t)bin % KERB_RACER_LOOKAHEAD_BINS);
            double his = (double)squared_of(&alone, bin);
            assert_near((double)w.racer.memory.ahead.free_squared[slot], his, 0.03 * his + 0.1);
            compared++;
        }
    }
    print_message("%d bins compared\n", (int)compared);
    assert_true(compared > 100);
}

// A racer on a straight, and one before it as fast; then with the speeds of its way, or those as if
// nobody were there, set to a crawl.
typedef struct thinker {
    kerb_racer racer;
    racer_frame frame;
    traffic_view view;
    traffic_other other;
    traffic_run own, his;
} thinker;

static void think_again(thinker* t) {
    traffic_other* others[1] = {&t->other};
    kerb_in_traffic_run_with(&t->racer, &t->frame, 0.0f, others, 1, &t->own, &t->his);
}

static void begin_thinking(thinker* t) {
    memset(t, 0, sizeof *t);
    show w;
    begin_show(&w, &stage, 100.0, 0.0f, 40.0f);
    run_show(&w, 0.1);
    t->racer = w.racer;
    t->frame.total = w.racer.decision.total_distance;
    t->frame.along = 40.0f;
    t->frame.limits = stage.limits.performance;
    t->view.half_length = t->other.half_length = 2.4f;
    t->other.ahead = 8.0f;
    t->other.scale = t->other.pace = 1.0f;
    t->other.speed = 38.0f;
    t->other.catch = 3.0f;
    think_again(t);
}

static void crawl(float* squares) {
    for (int32_t i = 0; i < KERB_RACER_LOOKAHEAD_BINS; i++)
        squares[i] = 4.0f;
}

// Slowed by others it must not believe that the road is slow: it would never pass them.
static void what_all_would_do_alone_does_not_depend_on_the_way_that_others_make_it_take(void** s) {
    (void)s;
    thinker t, usual;
    begin_thinking(&usual);
    assert_true(kerb_in_traffic_pulls_out(&usual.racer, &usual.frame, &usual.view, &usual.other));
    t = usual;
    crawl(t.racer.memory.ahead.squared);
    crawl(t.racer.memory.ahead.corner);
    think_again(&t);
    assert_memory_equal(&t.own, &usual.own, sizeof t.own);
    assert_memory_equal(&t.his, &usual.his, sizeof t.his);
    assert_true(kerb_in_traffic_pulls_out(&t.racer, &t.frame, &t.view, &t.other));
    t = usual;
    crawl(t.racer.memory.ahead.free_squared);
    think_again(&t);
    assert_true(t.own.speed[4] < 3.0f && t.his.speed[4] < 3.0f);
    assert_false(kerb_in_traffic_pulls_out(&t.racer, &t.frame, &t.view, &t.other));
}

static void several_run_side_by_side_as_each_would_alone(void** state) {
    (void)state;
    kerb_random random = test_random("side by side");
    thinker t;
    begin_thinking(&t);
    for (int32_t round = 0; round < 50; round++) {
        traffic_other others[TRAFFIC_RUNS];
        traffic_other* all[TRAFFIC_RUNS];
        for (int32_t i = 0; i < TRAFFIC_RUNS; i++) {
            others[i] = t.other;
            others[i].ahead = kerb_random_between(&random, 5.0f, 120.0f);
            others[i].speed = kerb_random_between(&random, -2.0f, 60.0f);
            others[i].acceleration = kerb_random_between(&random, -20.0f, 10.0f);
            others[i].pace = kerb_random_between(&random, 0.5f, 1.1f);
            all[i] = &others[i];
        }
        traffic_run runs[TRAFFIC_RUNS], alone;
        kerb_in_traffic_run_others(&t.racer, &t.frame, all, TRAFFIC_RUNS, runs);
        for (int32_t i = 0; i < TRAFFIC_RUNS; i++) {
            kerb_in_traffic_run_others(&t.racer, &t.frame, &all[i], 1, &alone);
            assert_memory_equal(&runs[i], &alone, sizeof alone);
        }
    }
}

static double least_around(const kerb_racer* racer, int32_t bin) {
    double least = 1.0e12;
    for (int32_t k = bin - RACER_STRIDE; k <= bin + RACER_STRIDE; k++)
        least = fmin(least, (double)racer->memory.ahead.squared[racer_slot_of(k)]);
    return least;
}

// All bins anew, so many at a time.
static void brake_through(kerb_racer* racer, const racer_frame* frame, int32_t most) {
    racer->memory.ahead.fresh = racer->memory.ahead.first;
    racer->memory.ahead.back = racer->memory.ahead.back_lane = racer->memory.ahead.end - 1;
    while (kerb_in_racer_brakes_back(racer))
        kerb_in_racer_brake_back(racer, frame, most);
}

// A way that swings to both sides, from the car on.
static void swing_way(kerb_racer* racer, const racer_frame* frame, kerb_random* random) {
    float offsets[25], swing = kerb_random_between(random, -1.5f, 1.5f);
    for (int32_t i = 0; i < 25; i++)
        offsets[i] = swing * (1.0f - kerb_cos(6.2831853f * (float)i / 24.0f));
    kerb_in_racer_take_way(racer, racer_bin_at(racer, frame->total), 25, offsets);
}

static void braking_back_in_pieces_comes_to_the_same(void** state) {
    (void)state;
    kerb_random random = test_random("braking in pieces");
    for (int32_t round = 0; round < 20; round++) {
        show w;
        begin_show(&w, &stage, 700.0 * (double)kerb_random_unit(&random), 0.0f, 30.0f);
        run_show(&w, 0.1);
        racer_frame frame = {.total = w.racer.decision.total_distance,
                             .limits = stage.limits.performance};
        if (round % 2 == 0)
            swing_way(&w.racer, &frame, &random);
        kerb_racer whole = w.racer, pieces = w.racer;
        brake_through(&whole, &frame, 1000);
        brake_through(&pieces, &frame, 1 + round);
        whole.memory.ahead.back = pieces.memory.ahead.back = whole.memory.ahead.back_lane =
            pieces.memory.ahead.back_lane = 0;
        assert_memory_equal(&whole, &pieces, sizeof whole);
    }
}

// As far as the way is the lane its speeds are the lane's.
static void beyond_its_end_a_way_is_as_fast_as_the_lane(void** state) {
    (void)state;
    kerb_random random = test_random("beyond a way");
    for (int32_t round = 0; round < 20; round++) {
        show w;
        begin_show(&w, &stage, 700.0 * (double)kerb_random_unit(&random), 0.0f, 30.0f);
        run_show(&w, 0.1);
        racer_frame frame = {.total = w.racer.decision.total_distance,
                             .limits = stage.limits.performance};
        swing_way(&w.racer, &frame, &random);
        brake_through(&w.racer, &frame, 32);
        for (int32_t bin = w.racer.memory.ahead.aside; bin < w.racer.memory.ahead.end; bin++) {
            int32_t slot = racer_slot_of(bin);
            assert_true(w.racer.memory.ahead.squared[slot] ==
                        w.racer.memory.ahead.free_squared[slot]);
            assert_true(w.racer.memory.ahead.corner[slot] ==
                        w.racer.memory.ahead.free_corner[slot]);
        }
    }
}

// Also where that is far from the line's own speeds. It is told from place to place: no faster, and
// slower only where it bends more sharply within one place.
static void a_way_laid_anew_is_as_fast_as_braking_through_it_bin_by_bin(void** state) {
    (void)state;
    kerb_random random = test_random("braking through a way");
    for (int32_t round = 0; round < 40; round++) {
        show w;
        begin_show(&w, &stage, 700.0 * (double)kerb_random_unit(&random), 0.0f, 30.0f);
        run_show(&w, 0.1);
        kerb_racer* racer = &w.racer;
        racer_frame frame = {.total = racer->decision.total_distance,
                             .limits = stage.limits.performance};
        int32_t first = racer_bin_at(racer, frame.total);
        brake_through(racer, &frame, 1000); // of the line, by these limits
        swing_way(racer, &frame, &random);
        int32_t taken = racer->memory.ahead.taken;
        kerb_racer slowly = *racer;
        kerb_in_racer_brake_way(racer, &frame);
        brake_through(&slowly, &frame, 1000);
        for (int32_t bin = first; bin < taken; bin++) {
            double told = (double)racer->memory.ahead.squared[racer_slot_of(bin)];
            double right = (double)slowly.memory.ahead.squared[racer_slot_of(bin)];
            assert_true(told <= 1.02 * right + 0.1);
            assert_true(told >= 0.96 * least_around(&slowly, bin) - 0.1);
        }
    }
}

static void beyond_a_way_that_grew_shorter_there_is_the_line(void** state) {
    (void)state;
    show w;
    begin_show(&w, &stage, 100.0, 0.0f, 45.0f);
    for (int32_t k = 0; k < 6; k++) { // a wall of cars that stops
        add_puppet(&w, 150.0, -6.0f + 2.4f * (float)k, 40.0f);
        w.puppets[k].brakes_at = 0.5;
        w.puppets[k].braking = 9.0f;
    }
    for (int32_t i = 0; i < 60; i++) {
        run_show(&w, 0.1);
        float reach = kerb_max(4.0f * kerb_max(w.vehicle.car.forward, 0.0f), 60.0f) + 20.0f;
        int32_t first =
            (int32_t)(w.racer.decision.total_distance / (double)w.racer.memory.ahead.spacing);
        first += (int32_t)(reach / w.racer.memory.ahead.spacing);
        for (int32_t bin = first; bin < w.racer.memory.ahead.end; bin++)
            assert_true(w.racer.memory.ahead.offset[racer_slot_of(bin)] == 0.0f);
    }
}

static void beyond_a_way_speeds_are_those_as_if_nobody_were_there(void** state) {
    (void)state;
    show w;
    begin_show(&w, &stage, 100.0, 0.0f, 45.0f);
    run_show(&w, 0.1);
    kerb_racer* racer = &w.racer;
    int32_t first = racer_bin_at(racer, racer->decision.total_distance);
    float offsets[10] = {0.0f, 0.1f, 0.3f, 0.6f, 0.8f, 0.8f, 0.6f, 0.3f, 0.1f, 0.0f};
    for (int32_t bin = racer->memory.ahead.first; bin < racer->memory.ahead.end;
         bin++) // of an earlier way
        racer->memory.ahead.squared[racer_slot_of(bin)] *= 0.5f;
    racer->memory.ahead.aside = racer->memory.ahead.end;
    kerb_in_racer_take_way(racer, first, 10, offsets);
    assert_int_equal(racer->memory.ahead.taken, first + 9 * RACER_STRIDE + 1);
    for (int32_t bin = racer->memory.ahead.taken; bin < racer->memory.ahead.end; bin++) {
        int32_t slot = racer_slot_of(bin);
        assert_true(racer->memory.ahead.squared[slot] == racer->memory.ahead.free_squared[slot]);
    }
}

static void the_way_ahead_reaches_far_enough_also_where_others_keep_it_busy(void** state) {
    (void)state;
    show w;
    begin_show(&w, &stage, 100.0, 0.0f, 45.0f);
    for (int32_t k = 0; k < 4; k++)
        add_puppet(&w, 108.0 + 12.0 * (double)k, k % 2 == 0 ? 2.0f : -2.0f, 43.0f);
    int32_t laid = 0;
    for (int32_t i = 0; i < 300; i++) {
        run_show(&w, 0.5 * (double)DRIVE_STEP);
        assert_true(w.racer.memory.ahead.end - w.racer.memory.ahead.first >
                    KERB_RACER_LOOKAHEAD_BINS - 12);
        laid += w.racer.memory.ahead.taken > w.racer.memory.ahead.first ? 1 : 0;
    }
    assert_true(laid > 10);
}

int racer_free_speeds_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(speeds_as_if_nobody_were_there_are_those_of_a_racer_alone),
        cmocka_unit_test(
            what_all_would_do_alone_does_not_depend_on_the_way_that_others_make_it_take),
        cmocka_unit_test(several_run_side_by_side_as_each_would_alone),
        cmocka_unit_test(braking_back_in_pieces_comes_to_the_same),
        cmocka_unit_test(beyond_its_end_a_way_is_as_fast_as_the_lane),
        cmocka_unit_test(a_way_laid_anew_is_as_fast_as_braking_through_it_bin_by_bin),
        cmocka_unit_test(beyond_a_way_that_grew_shorter_there_is_the_line),
        cmocka_unit_test(beyond_a_way_speeds_are_those_as_if_nobody_were_there),
        cmocka_unit_test(the_way_ahead_reaches_far_enough_also_where_others_keep_it_busy),
    };
    return cmocka_run_group_tests(tests, open_stage, close_stage);
}
