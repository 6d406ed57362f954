// Whom a racing driver passes before a bend, on which side and when not: the rules of passing asked
// one by one of a rival at a known place, and a pass on the inside driven from end to end.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "test/racer/racer_show.h"

#define SPEED 50.0f     // of the racer [m/s]
#define STRAIGHT 440.0  // no bend is near from there [m]
#define HALF_WIDTH 1.0f // of everybody, and half of his length [m]
#define HALF_LENGTH 2.3f

// A line that keeps so far from the edges that there is room on either side of a rival.
static int open_wide(void** state) {
    (void)state;
    host = kerb_host_default();
    oval_with(&stage, 700.0, 60.0, 9.0, 5.0f);
    return 0;
}

// The racer on its line, gaining speed, and one other whom it asks itself about.
typedef struct question {
    show w;
    racer_frame frame;
    traffic_view view;
} question;

static question ask_at(double at) {
    question q;
    begin_show(&q.w, &stage, at, 0.0f, SPEED);
    run_show(&q.w, 0.05);
    q.frame = (racer_frame){.total = q.w.racer.decision.total_distance,
                            .along = SPEED,
                            .pace = SPEED,
                            .grip_aside = q.w.racer.performance.lateral,
                            .limits = q.w.racer.performance};
    q.view = (traffic_view){.half_length = HALF_LENGTH, .half_width = HALF_WIDTH};
    return q;
}

// So far ahead, so much slower, so far to the left of the line; gains speed nearly as it does.
static traffic_other* add_rival(question* q, float lead, float slower, float offset) {
    traffic_other* other = &q->view.others[q->view.count++];
    *other = (traffic_other){.id = (uint32_t)q->view.count,
                             .known = -1,
                             .ahead = lead,
                             .offset = offset,
                             .scale = 1.0f,
                             .speed = SPEED - slower,
                             .acceleration = 2.0f,
                             .pace = 1.0f,
                             .half_length = HALF_LENGTH,
                             .half_width = HALF_WIDTH,
                             .catch = 1.0e6f,
                             .clear = 1.0e6f};
    return other;
}

// On which side it passes him: 1 left, -1 right, 0 not.
static int32_t side_of(question* q, const traffic_other* other) {
    kerb_in_traffic_choose(&q->w.racer, &q->frame, &q->view);
    return other->side;
}

static int32_t side_at(double at, float lead, float slower, float offset) {
    question q = ask_at(at);
    return side_of(&q, add_rival(&q, lead, slower, offset));
}

// ------------------------------------------------------------------- before a bend

// At his bumper, hardly faster: it will be beside him in the bend, which turns left. He leaves more
// room on the right, and there it passes him where no bend is near.
static void whom_it_can_only_be_beside_in_a_bend_it_passes_on_the_inside(void** state) {
    (void)state;
    for (int32_t i = 0; i < 12; i++) {
        float slower = 1.0f + 0.2f * (float)(i % 3), offset = i < 6 ? 1.3f : 2.3f;
        double at = 500.0 + 20.0 * (double)(i % 4);
        assert_int_equal(side_at(STRAIGHT, 5.4f, slower, offset), -1);
        int32_t side = side_at(at, 5.4f, slower, offset);
        if (side != 1)
            fail_msg("%.0f m, %.1f m/s slower, %.1f m aside: side %d", at, (double)slower,
                     (double)offset, (int)side);
    }
}

// The same rival a little later: the bend comes before it is beside him.
static void too_late_for_the_next_bend_it_begins_no_pass(void** state) {
    (void)state;
    for (int32_t i = 0; i < 6; i++) {
        float slower = 0.6f + 0.2f * (float)(i % 3), offset = i < 3 ? 0.3f : 1.3f;
        // How far ahead he may be for it to pass him: ever less, and in the end nothing.
        float last = 1.0e6f;
        for (double at = 500.0; at < 640.0; at += 30.0) {
            float most = 0.0f;
            for (float lead = 5.3f; lead < 25.0f; lead += 0.3f)
                if (side_at(at, lead, slower, offset) != 0)
                    most = lead;
            if (most > last + 0.1f)
                fail_msg("%.0f m: %.1f m ahead, before that %.1f", at, (double)most, (double)last);
            last = most;
        }
        assert_true(side_at(500.0, 8.0f, slower, offset) != 0);
        assert_true(last < 8.0f);
    }
}

static void where_either_side_is_open_it_takes_the_inside_of_the_next_bend(void** state) {
    (void)state;
    for (int32_t i = 0; i < 8; i++) {
        float lead = 8.0f + 1.0f * (float)(i % 4), slower = 2.5f + 0.5f * (float)(i / 4);
        // He is a little to the left, so the right is nearer.
        assert_int_equal(side_at(STRAIGHT, lead, slower, 0.3f), -1);
        assert_int_equal(side_at(540.0, lead, slower, 0.3f), 1);
    }
}

// Down the straight behind a slower one who brakes earlier: where and how it went by him.
static void it_out_brakes_a_slower_car_on_the_inside_of_a_bend(void** state) {
    (void)state;
    for (int32_t i = 0; i < 12; i++) {
        show w;
        double at = 540.0 + 20.0 * (double)(i / 3), lead = 8.0 + 4.0 * (double)(i % 3), by = 0.0;
        begin_show(&w, &stage, at, 0.0f, SPEED);
        add_puppet(&w, at + lead, 0.3f, SPEED - 3.0f);
        float aside = 0.0f;
        while (w.racer.decision.distance < 860.0 && w.time < 12.0) {
            run_show(&w, (double)DRIVE_STEP);
            assert_true(w.racer.memory.traffic.known[0].side >= 0); // never on the outside
            if (by == 0.0 && lead_of(&w, 0) > 0.0) {
                by = w.racer.decision.distance;
                aside =
                    w.racer.decision.cross_track_error + w.racer.memory.traffic.way_offset - 0.3f;
            }
        }
        if (!(by > 700.0 && aside > 2.0f && lead_of(&w, 0) > 1.0))
            fail_msg("from %.0f m, %.0f m behind: by at %.0f m, %.2f m to the left, %.1f m ahead",
                     at, lead, by, (double)aside, lead_of(&w, 0));
        assert_false(w.touched);
        assert_true(w.outside < 0.0f);
    }
}

// ------------------------------------------------------------------- room

// Who is beside it stands between it and the gap on that side.
static void it_passes_on_no_side_to_which_another_beside_it_cuts_it_off(void** state) {
    (void)state;
    for (int32_t i = 0; i < 3; i++) {
        question q = ask_at(540.0);
        if (i > 0)
            add_rival(&q, i == 1 ? 0.0f : -40.0f, 0.0f, 2.4f);
        int32_t side = side_of(&q, add_rival(&q, 12.0f, 3.0f, 0.3f));
        assert_true(i == 1 ? side <= 0 : side == 1);
    }
}

// Narrows the track from so far ahead on to so much on either side of the line.
static void narrow_from(question* q, float ahead, float side) {
    kerb_racer* racer = &q->w.racer;
    for (int32_t bin = racer_bin_at(racer, q->frame.total + (double)ahead);
         bin < racer->memory.ahead.end; bin++)
        racer->memory.ahead.left[racer_slot_of(bin)] =
            racer->memory.ahead.right[racer_slot_of(bin)] = side;
}

static void where_the_track_gets_too_narrow_before_it_is_past_it_begins_no_pass(void** state) {
    (void)state;
    for (int32_t i = 0; i < 3; i++) {
        question q = ask_at(200.0);
        traffic_other* other = add_rival(&q, 20.0f, 5.0f, 0.3f);
        if (i > 0)
            narrow_from(&q, i == 1 ? 150.0f : 350.0f, 2.2f);
        assert_true((side_of(&q, other) == 0) == (i == 1));
    }
}

// Stuck behind what stands it has backed out to one side: it goes round on that side, even though
// the other is nearer.
static void it_goes_round_on_the_side_to_which_it_has_backed_out(void** state) {
    (void)state;
    for (int32_t side = -1; side <= 1; side += 2) {
        question q = ask_at(200.0);
        traffic_other* other = add_rival(&q, 20.0f, SPEED, side < 0 ? -1.0f : 1.0f);
        q.w.racer.memory.stuck.tries = 1;
        q.w.racer.memory.stuck.side = (float)side;
        int32_t out = side_of(&q, other);
        q.w.racer.memory.stuck.tries = 0;
        other->side = 0;
        assert_int_equal(side_of(&q, other), -side);
        assert_int_equal(out, side);
    }
}

// ------------------------------------------------------------------- temper

// Of many rivals ahead those that it would pass.
static int32_t passed_at(float aggression) {
    int32_t passed = 0;
    for (int32_t i = 0; i < 240; i++) {
        question q = ask_at(500.0 + 20.0 * (double)(i % 6));
        q.w.racer.settings.aggression = aggression;
        float lead = 5.3f + 1.0f * (float)(i / 6 % 10), slower = 0.6f + 0.4f * (float)(i / 60);
        passed += side_of(&q, add_rival(&q, lead, slower, 0.3f)) != 0;
    }
    return passed;
}

static void the_bolder_it_is_the_more_rivals_it_passes_before_a_bend(void** state) {
    (void)state;
    int32_t patient = passed_at(0.0f), usual = passed_at(0.5f), bold = passed_at(1.0f);
    if (!(patient + 5 < usual && usual + 5 < bold))
        fail_msg("%d patiently, %d as usual, %d boldly", (int)patient, (int)usual, (int)bold);
}

// The least width of a track on which it passes who drives in its middle. [m]
static float least_width(float aggression) {
    float width = 4.0f;
    for (; width < 12.0f; width += 0.02f) {
        question q = ask_at(200.0);
        q.w.racer.settings.aggression = aggression;
        narrow_from(&q, 0.0f, 0.5f * width);
        // To one side he keeps by the edge.
        if (side_of(&q, add_rival(&q, 20.0f, 5.0f, 0.5f * width - HALF_WIDTH)) != 0)
            break;
    }
    return width;
}

static void the_bolder_it_is_the_less_room_it_needs_to_pass(void** state) {
    (void)state;
    float gap = kerb_racer_settings_default().side_clearance;
    float patient = least_width(0.0f), bold = least_width(1.0f);
    if (!(patient - bold > 0.3f * gap))
        fail_msg("%.2f m patiently, %.2f m boldly", (double)patient, (double)bold);
}

int racer_passing_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whom_it_can_only_be_beside_in_a_bend_it_passes_on_the_inside),
        cmocka_unit_test(too_late_for_the_next_bend_it_begins_no_pass),
        cmocka_unit_test(where_either_side_is_open_it_takes_the_inside_of_the_next_bend),
        cmocka_unit_test(it_out_brakes_a_slower_car_on_the_inside_of_a_bend),
        cmocka_unit_test(it_passes_on_no_side_to_which_another_beside_it_cuts_it_off),
        cmocka_unit_test(where_the_track_gets_too_narrow_before_it_is_past_it_begins_no_pass),
        cmocka_unit_test(it_goes_round_on_the_side_to_which_it_has_backed_out),
        cmocka_unit_test(the_bolder_it_is_the_more_rivals_it_passes_before_a_bend),
        cmocka_unit_test(the_bolder_it_is_the_less_room_it_needs_to_pass),
    };
    return cmocka_run_group_tests(tests, open_wide, close_stage);
}
