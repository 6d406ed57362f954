// The fastest movement over a row of arcs, against a profile found by small steps in doubles, and
// against closed forms.
#include "kerb/plan_search.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "src/plan/model/movement.h"
#include "test/plan_rig.h"

#include <math.h>
#include <stdlib.h>

#define STEP 2e-3 // of the reference [m]
#define ARCS 8

// ------------------------------------------------------------------- the reference

typedef struct reference {
    bool possible;
    double time;
} reference;

static double cap_at(const kerb_plan_limits* l, plan_arc arc) {
    double bend = fabs((double)arc.curvature);
    double speed = (double)(arc.length < 0.0f ? l->reverse_speed_max : l->speed_max);
    speed = fmin(speed, sqrt((double)l->lateral_acceleration / fmax(bend, 1e-12)));
    speed = fmin(speed, (double)l->yaw_rate_max / fmax(bend, 1e-12));
    return speed * speed;
}

// Squared speeds in steps along arcs [first, end), all driven the same way: forwards with all the
// acceleration there is, backwards with all the braking.
static reference drive_stretch(const kerb_plan_limits* l, const plan_arc* arcs, int first, int end,
                               double from, double to) {
    bool back = arcs[first].length < 0.0f;
    double gain = 2.0 * (double)(back ? l->reverse_acceleration : l->acceleration);
    double loss = 2.0 * (double)(back ? l->reverse_braking : l->braking);
    int count = 0;
    for (int i = first; i < end; i++)
        count += (int)ceil(fabs((double)arcs[i].length) / STEP);
    double *square = malloc((size_t)(count + 1) * sizeof *square),
           *step = malloc((size_t)(count + 1) * sizeof *step);
    assert_true(square && step);
    for (int i = 0; i <= count; i++)
        square[i] = 1e30;
    int at = 0;
    for (int i = first; i < end; i++) {
        int steps = (int)ceil(fabs((double)arcs[i].length) / STEP);
        for (int k = 0; k < steps; k++, at++) {
            step[at] = fabs((double)arcs[i].length) / steps;
            square[at] = fmin(square[at], cap_at(l, arcs[i]));
            square[at + 1] = fmin(square[at + 1], cap_at(l, arcs[i]));
        }
    }
    reference result = {from * from <= square[0] + 1e-6, 0.0};
    square[0] = from * from;
    for (int i = 0; i < count; i++)
        square[i + 1] = fmin(square[i + 1], square[i] + gain * step[i]);
    result.possible = result.possible && to * to <= square[count] + 1e-6;
    square[count] = to * to;
    for (int i = count; i > 0; i--)
        square[i - 1] = fmin(square[i - 1], square[i] + loss * step[i - 1]);
    result.possible = result.possible && square[0] >= from * from - 1e-6;
    for (int i = 0; i < count; i++)
        result.time += 2.0 * step[i] / (sqrt(square[i]) + sqrt(square[i + 1]) + 1e-12);
    free(square);
    free(step);
    return result;
}

static reference drive_by_steps(const kerb_plan_limits* l, const plan_arc* arcs, int count,
                                double from, double to) {
    reference all = {true, 0.0};
    for (int first = 0; first < count;) {
        int end = first + 1;
        while (end < count && (arcs[end].length < 0.0f) == (arcs[first].length < 0.0f))
            end++;
        double v0 = first == 0 ? fabs(from) : 0.0, v1 = end == count ? fabs(to) : 0.0;
        reference part = drive_stretch(l, arcs, first, end, v0, v1);
        all.possible = all.possible && part.possible;
        all.time += part.time + (end < count ? (double)l->reversal_time : 0.0);
        first = end;
    }
    return all;
}

// ------------------------------------------------------------------- rows of arcs

typedef struct row {
    kerb_plan_limits limits;
    plan_arc arcs[ARCS];
    int32_t count;
    float from, to;
} row;

static row random_row(kerb_random* random) {
    plan_rig rig = plan_rig_wild(random, true);
    row r = {.limits = rig.limits, .count = 1 + kerb_random_below(random, ARCS)};
    bool turns_back = kerb_random_below(random, 2) == 0;
    for (int32_t i = 0; i < r.count; i++) {
        float most = 1.0f / r.limits.turning_radius;
        r.arcs[i].curvature = kerb_random_between(random, -most, most);
        if (kerb_random_below(random, 4) == 0)
            r.arcs[i].curvature = 0.0f;
        r.arcs[i].length = kerb_random_between(random, 0.1f, 20.0f);
        if (turns_back && kerb_random_below(random, 3) == 0)
            r.arcs[i].length = -r.arcs[i].length;
    }
    // Within the caps of the first and the last arc, so that most can be driven.
    float most = (float)sqrt(cap_at(&r.limits, r.arcs[0]));
    r.from = kerb_random_between(random, 0.0f, most) * (r.arcs[0].length < 0.0f ? -1.0f : 1.0f);
    most = (float)sqrt(cap_at(&r.limits, r.arcs[r.count - 1]));
    r.to = kerb_random_between(random, 0.0f, 0.6f * most);
    r.to *= r.arcs[r.count - 1].length < 0.0f ? -1.0f : 1.0f;
    return r;
}

static float time_of(const row* r) {
    plan_rates rates = kerb_in_plan_rates_of(&r->limits);
    return kerb_in_plan_movement_time(&rates, r->arcs, r->count, r->from, r->to);
}

static void a_movement_takes_as_long_as_one_found_by_small_steps(void** state) {
    (void)state;
    kerb_random random = test_random("movement_steps");
    int possible = 0;
    for (int i = 0; i < 400; i++) {
        row r = random_row(&random);
        reference wanted = drive_by_steps(&r.limits, r.arcs, r.count, (double)r.from, (double)r.to);
        float time = time_of(&r);
        if (!wanted.possible) {
            assert_true(time == KERB_PLAN_NEVER);
            continue;
        }
        possible++;
        // Steps miss what a peak or a standing start adds between them.
        assert_true(fabs((double)time - wanted.time) < 1e-3 * wanted.time + 2e-3 * (double)r.count);
        assert_true((double)time < wanted.time + 1e-3 * wanted.time + 1e-3);
    }
    assert_true(possible > 100);
}

static void its_pieces_keep_every_limit_and_add_up(void** state) {
    (void)state;
    kerb_random random = test_random("movement_pieces");
    for (int i = 0; i < 2000; i++) {
        row r = random_row(&random);
        float time = time_of(&r);
        plan_rates rates = kerb_in_plan_rates_of(&r.limits);
        kerb_plan_piece pieces[PLAN_PIECES_OF(ARCS)];
        plan_rig rig = {.limits = r.limits};
        rig.from.pose = kerb_pose_make(3.0f, -2.0f, 0.5f);
        rig.from.speed = r.from;
        rig.to.pose = kerb_in_plan_way_end(rig.from.pose, r.arcs, r.count);
        rig.to.speed = r.to;
        int32_t count = kerb_in_plan_movement_pieces(&rates, rig.from.pose, r.arcs, r.count, r.from,
                                                     r.to, pieces);
        assert_int_equal(count == 0, time == KERB_PLAN_NEVER);
        if (count == 0)
            continue;
        assert_true(count <= PLAN_PIECES_OF(r.count));
        const kerb_plan_piece* last = &pieces[count - 1];
        kerb_plan plan = {.pieces = pieces, .count = count, .time = last->time + last->duration};
        plan.cost = plan.time;
        for (int32_t k = 0; k < count; k++)
            plan.length += pieces[k].length;
        assert_true(kerb_abs(plan.time - time) < 1e-3f + 1e-4f * time);
        kerb_plan_query query = plan_rig_query(&rig);
        kerb_error error;
        if (kerb_plan_check(&r.limits, &query, NULL, &plan, &error) != KERB_OK)
            fail_msg("row %d: %s %s, piece %d", i, error.field, error.message, (int)error.index);
    }
}

// ------------------------------------------------------------------- closed forms

static float time_over(const plan_arc* arcs, int32_t count, float from, float to) {
    kerb_plan_limits limits = kerb_plan_limits_default(); // 13.8 m/s, 1.5 and 5 m/s², sideways 10
    limits.reverse_speed_max = 3.0f;
    plan_rates rates = kerb_in_plan_rates_of(&limits);
    return kerb_in_plan_movement_time(&rates, arcs, count, from, to);
}

static void a_straight_takes_what_the_formulas_say(void** state) {
    (void)state;
    // Rest to rest over 20 m: the peak is sqrt(2·20·1.5·5/6.5) = 6.794 m/s.
    const plan_arc straight = {0.0f, 20.0f};
    float peak = kerb_sqrt(2.0f * 20.0f * 7.5f / 6.5f);
    assert_float_equal(time_over(&straight, 1, 0.0f, 0.0f), peak / 1.5f + peak / 5.0f, 1e-4f);
    // At top speed all the way.
    const plan_arc longer = {0.0f, 138.0f};
    assert_float_equal(time_over(&longer, 1, 13.8f, 13.8f), 10.0f, 1e-4f);
    // From 10 m/s to a stand in just the 10 m that braking takes.
    const plan_arc brake = {0.0f, 10.0f};
    assert_float_equal(time_over(&brake, 1, 10.0f, 0.0f), 2.0f, 1e-4f);
}

static void a_turn_is_driven_at_what_the_sideways_limit_allows(void** state) {
    (void)state;
    const plan_arc turn = {-0.1f, 50.0f}; // radius 10 m: sqrt(10·10) m/s
    assert_float_equal(time_over(&turn, 1, 10.0f, 10.0f), 5.0f, 1e-4f);
    assert_true(time_over(&turn, 1, 10.1f, 10.0f) == KERB_PLAN_NEVER);
    assert_true(time_over(&turn, 1, 10.0f, 10.1f) == KERB_PLAN_NEVER);
}

static void braking_for_a_turn_begins_before_it(void** state) {
    (void)state;
    const plan_arc arcs[2] = {{0.0f, 4.5f}, {0.2f, 5.0f}}; // cap sqrt(50); 45 m²/s² to lose
    float enough = kerb_sqrt(50.0f + 2.0f * 5.0f * 4.5f);
    assert_true(time_over(arcs, 2, enough * 0.9999f, 0.0f) < KERB_PLAN_NEVER);
    assert_true(time_over(arcs, 2, enough * 1.001f, 0.0f) == KERB_PLAN_NEVER);
}

static void a_goal_speed_that_cannot_be_reached_is_never_reached(void** state) {
    (void)state;
    const plan_arc straight = {0.0f, 10.0f}; // sqrt(2·1.5·10) = 5.477 m/s
    assert_true(time_over(&straight, 1, 0.0f, 5.477f) < KERB_PLAN_NEVER);
    assert_true(time_over(&straight, 1, 0.0f, 5.479f) == KERB_PLAN_NEVER);
}

static void a_change_of_direction_stands_still(void** state) {
    (void)state;
    const plan_arc arcs[2] = {{0.0f, 6.0f}, {0.0f, -6.0f}};
    float there = time_over(arcs, 1, 0.0f, 0.0f), back = time_over(arcs + 1, 1, 0.0f, 0.0f);
    assert_float_equal(time_over(arcs, 2, 0.0f, 0.0f), there + back + 0.5f, 1e-4f);
    assert_true(back > there); // its top speed is 3 m/s
}

static void the_ends_must_be_driven_in_the_direction_of_their_arcs(void** state) {
    (void)state;
    const plan_arc ahead = {0.0f, 6.0f}, behind = {0.0f, -6.0f};
    assert_true(time_over(&ahead, 1, -1.0f, 0.0f) == KERB_PLAN_NEVER);
    assert_true(time_over(&behind, 1, 1.0f, 0.0f) == KERB_PLAN_NEVER);
    assert_true(time_over(&behind, 1, -1.0f, -1.0f) < KERB_PLAN_NEVER);
}

static void who_may_not_reverse_never_does(void** state) {
    (void)state;
    kerb_plan_limits limits = kerb_plan_limits_default();
    plan_rates rates = kerb_in_plan_rates_of(&limits);
    const plan_arc behind = {0.0f, -6.0f};
    assert_true(kerb_in_plan_movement_time(&rates, &behind, 1, 0.0f, 0.0f) == KERB_PLAN_NEVER);
}

static void arcs_without_length_change_nothing(void** state) {
    (void)state;
    kerb_random random = test_random("movement_nothing");
    for (int i = 0; i < 500; i++) {
        row r = random_row(&random), padded = r;
        padded.count = 0;
        plan_arc arcs[2 * ARCS + 1];
        for (int32_t k = 0; k < r.count; k++) {
            arcs[padded.count++] = (plan_arc){5.0f, k % 2 == 0 ? 0.0f : -0.0f};
            arcs[padded.count++] = r.arcs[k];
        }
        arcs[padded.count++] = (plan_arc){-5.0f, 0.0f};
        plan_rates rates = kerb_in_plan_rates_of(&r.limits);
        assert_true(kerb_in_plan_movement_time(&rates, arcs, padded.count, r.from, r.to) ==
                    time_of(&r));
    }
}

static void nothing_to_drive_takes_no_time_at_one_speed_only(void** state) {
    (void)state;
    assert_true(time_over(NULL, 0, 2.0f, 2.0f) == 0.0f);
    assert_true(time_over(NULL, 0, 2.0f, 3.0f) == KERB_PLAN_NEVER);
}

static void cutting_an_arc_in_two_changes_nothing_to_speak_of(void** state) {
    (void)state;
    kerb_random random = test_random("movement_cut");
    for (int i = 0; i < 500; i++) {
        row r = random_row(&random);
        plan_arc arcs[ARCS + 1];
        int32_t cut = kerb_random_below(&random, r.count);
        for (int32_t k = 0; k < r.count; k++)
            arcs[k + (k > cut ? 1 : 0)] = r.arcs[k];
        arcs[cut].length *= 0.3f;
        arcs[cut + 1] = (plan_arc){r.arcs[cut].curvature, r.arcs[cut].length - arcs[cut].length};
        plan_rates rates = kerb_in_plan_rates_of(&r.limits);
        float whole = time_of(&r),
              parts = kerb_in_plan_movement_time(&rates, arcs, r.count + 1, r.from, r.to);
        assert_true(kerb_abs(whole - parts) <= 1e-3f + 2e-4f * whole);
    }
}

// ------------------------------------------------------------------- wheels that take time

// A long left turn and a long right turn of the least radius, from rest to rest.
static row two_turns(float steering_time) {
    row r = {.limits = kerb_plan_limits_default(), .count = 2};
    float most = 1.0f / r.limits.turning_radius;
    r.limits.steering_time = steering_time;
    r.arcs[0] = (plan_arc){most, 30.0f};
    r.arcs[1] = (plan_arc){-most, 30.0f};
    return r;
}

static void where_curvature_jumps_it_is_as_slow_as_the_wheels_need(void** state) {
    (void)state;
    for (int i = 1; i <= 4; i++) {
        row r = two_turns(0.4f * (float)i);
        plan_rates rates = kerb_in_plan_rates_of(&r.limits);
        kerb_plan_piece pieces[PLAN_PIECES_OF(2)];
        const kerb_pose start = kerb_pose_make(0.0f, 0.0f, 0.0f);
        int32_t count = kerb_in_plan_movement_pieces(&rates, start, r.arcs, 2, 0.0f, 0.0f, pieces);
        // jump · (2 · steering time · speed)² / 24 is the drift that is allowed.
        double jump = 2.0 / (double)r.limits.turning_radius;
        double turning = 2.0 * (double)r.limits.steering_time;
        double speed = sqrt(24.0 * (double)KERB_PLAN_STEERING_DEVIATION_MAX / jump) / turning;
        speed = fmin(speed, sqrt((double)r.limits.lateral_acceleration * 5.0));
        int joints = 0;
        for (int32_t k = 1; k < count; k++) {
            if (pieces[k].curvature == pieces[k - 1].curvature)
                continue;
            joints++;
            assert_true(fabs((double)pieces[k].speed - speed) < 1e-3 * speed);
        }
        assert_int_equal(joints, 1);
    }
}

static void a_short_arc_between_two_jumps_leaves_the_wheels_time(void** state) {
    (void)state;
    row r = two_turns(1.0f);
    r.count = 3;
    r.arcs[2] = r.arcs[1];
    r.arcs[1] = (plan_arc){0.0f, 4.0f};
    plan_rates rates = kerb_in_plan_rates_of(&r.limits);
    kerb_plan_piece pieces[PLAN_PIECES_OF(3)];
    const kerb_pose start = kerb_pose_make(0.0f, 0.0f, 0.0f);
    int32_t count = kerb_in_plan_movement_pieces(&rates, start, r.arcs, 3, 0.0f, 0.0f, pieces);
    float whole = time_of(&r);
    row cut = r; // in two, which changes nothing
    cut.count = 4;
    cut.arcs[3] = r.arcs[2];
    cut.arcs[1].length = 1.5f;
    cut.arcs[2] = (plan_arc){0.0f, 2.5f};
    assert_true(kerb_abs(time_of(&cut) - whole) < 1e-3f);
    double fastest = 0.0;
    for (int32_t k = 0; k < count; k++)
        if (pieces[k].curvature == 0.0f)
            fastest = fmax(fastest, (double)pieces[k].speed);
    // Half of either turning, a second each, has to happen on its 4 m.
    assert_true(fabs(fastest - 4.0) < 4e-3);
}

// An arc of a hand's breadth hides from who looks at two jumps only how much wheels must turn on
// the arc before it.
static void a_jump_in_two_steps_is_no_faster_than_the_jump(void** state) {
    (void)state;
    kerb_random random = test_random("movement_three_jumps");
    int slower = 0;
    for (int i = 0; i < 500; i++) {
        row whole = {.limits = kerb_plan_limits_default(), .count = 3};
        whole.limits.steering_time = kerb_random_between(&random, 0.3f, 1.5f);
        float first = kerb_random_between(&random, -0.2f, 0.2f);
        float last = kerb_random_between(&random, -0.2f, 0.2f);
        whole.arcs[0] = (plan_arc){first, 30.0f};
        whole.arcs[1] = (plan_arc){0.0f, kerb_random_between(&random, 0.5f, 6.0f)};
        whole.arcs[2] = (plan_arc){last, 30.0f};
        row stepped = whole;
        stepped.count = 4;
        stepped.arcs[3] = whole.arcs[2];
        stepped.arcs[2] = (plan_arc){last * kerb_random_between(&random, 0.1f, 0.9f), 0.1f};
        float difference = time_of(&stepped) - time_of(&whole);
        assert_true(difference > -0.1f); // as one they may drift a little
        row unhindered = whole;
        unhindered.limits.steering_time = 0.0f;
        slower += time_of(&whole) > time_of(&unhindered) + 0.1f;
    }
    assert_true(slower > 100);
}

// … and so does a row of them from who looks at three or four.
static void a_jump_in_many_steps_is_no_faster_than_the_jump(void** state) {
    (void)state;
    kerb_random random = test_random("movement_many_jumps");
    for (int i = 0; i < 500; i++) {
        row whole = {.limits = kerb_plan_limits_default(), .count = 3};
        whole.limits.steering_time = kerb_random_between(&random, 0.3f, 1.5f);
        float last = kerb_random_between(&random, -0.2f, 0.2f);
        whole.arcs[0] = (plan_arc){kerb_random_between(&random, -0.2f, 0.2f), 30.0f};
        whole.arcs[1] = (plan_arc){0.0f, kerb_random_between(&random, 0.5f, 6.0f)};
        whole.arcs[2] = (plan_arc){last, 30.0f};
        int32_t steps = 3 + (int32_t)kerb_random_below(&random, 4);
        row stepped = whole;
        stepped.count = 2 + steps;
        for (int32_t k = 1; k < steps; k++)
            stepped.arcs[1 + k] = (plan_arc){last * (float)k / (float)steps, 0.02f};
        stepped.arcs[1 + steps] = whole.arcs[2];
        assert_true(time_of(&stepped) > time_of(&whole) - 0.1f);
    }
}

static void at_a_cusp_it_stands_until_the_wheels_have_turned(void** state) {
    (void)state;
    row r = two_turns(1.0f);
    r.limits.reverse_speed_max = 3.0f;
    r.arcs[1].length = -30.0f;
    float turning = 2.0f - KERB_PLAN_STEERING_WHILE_ROLLING;
    r.limits.reversal_time = 0.3f;
    float slow = time_of(&r);
    r.limits.reversal_time = 5.0f;
    assert_true(kerb_abs(time_of(&r) - slow - (5.0f - turning)) < 1e-3f);
    r.limits.steering_time = 0.0f;
    r.limits.reversal_time = 0.3f;
    float setting_off = 1.0f - KERB_PLAN_STEERING_WHILE_ROLLING; // wheels are straight at first
    assert_true(kerb_abs(slow - time_of(&r) - (turning - 0.3f) - setting_off) < 1e-3f);
}

static void it_sets_off_from_rest_when_the_wheels_have_turned(void** state) {
    (void)state;
    for (int i = 0; i < 4; i++) {
        row r = two_turns(0.4f * (float)i);
        r.count = 1;
        plan_rates rates = kerb_in_plan_rates_of(&r.limits);
        kerb_plan_piece pieces[PLAN_PIECES_OF(2)];
        const kerb_pose start = kerb_pose_make(0.0f, 0.0f, 0.0f);
        int32_t count = kerb_in_plan_movement_pieces(&rates, start, r.arcs, 1, 0.0f, 0.0f, pieces);
        float stands = kerb_max(r.limits.steering_time - KERB_PLAN_STEERING_WHILE_ROLLING, 0.0f);
        assert_true(count > 0);
        assert_true((pieces[0].length == 0.0f) == (stands > 0.0f));
        assert_true(stands == 0.0f || kerb_abs(pieces[0].duration - stands) < 1e-4f);
        // Who moves already has his wheels somewhere.
        count = kerb_in_plan_movement_pieces(&rates, start, r.arcs, 1, 1.0f, 0.0f, pieces);
        assert_true(count > 0 && pieces[0].length > 0.0f);
    }
}

// Neither the standing before a turn nor that at a change of direction is saved by an arc of next
// to nothing that is driven with other wheels.
static void no_short_arc_beside_rest_saves_the_standing(void** state) {
    (void)state;
    kerb_random random = test_random("movement_rest");
    for (int i = 0; i < 500; i++) {
        row whole = two_turns(kerb_random_between(&random, 0.3f, 1.5f));
        whole.count = 1 + i % 2;
        whole.limits.reverse_speed_max = 3.0f;
        whole.limits.reversal_time = 0.1f;
        whole.arcs[1].length = -30.0f;
        row hidden = whole;
        hidden.count++;
        float length = kerb_random_between(&random, 1e-5f, 0.05f);
        plan_arc straight = {kerb_random_between(&random, -0.1f, 0.1f), length};
        int at = i % 3 == 0 ? 0 : whole.count - 1; // where it sets off, or sets off again
        straight.length *= whole.arcs[at].length < 0.0f ? -1.0f : 1.0f;
        for (int k = whole.count; k > at; k--)
            hidden.arcs[k] = whole.arcs[k - 1];
        hidden.arcs[at] = straight;
        assert_true(time_of(&hidden) > time_of(&whole) - 0.02f);
    }
}

static void wheels_that_take_time_never_make_it_faster(void** state) {
    (void)state;
    kerb_random random = test_random("movement_wheels");
    int slower = 0;
    for (int i = 0; i < 2000; i++) {
        row r = random_row(&random);
        float at_once = time_of(&r);
        r.limits.steering_time = kerb_random_between(&random, 0.05f, 1.0f);
        float in_time = time_of(&r);
        assert_true(in_time >= at_once * (1.0f - 1e-5f));
        slower += in_time < KERB_PLAN_NEVER && in_time > 1.01f * at_once;
    }
    assert_true(slower > 100);
}

int plan_movement_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(where_curvature_jumps_it_is_as_slow_as_the_wheels_need),
        cmocka_unit_test(a_short_arc_between_two_jumps_leaves_the_wheels_time),
        cmocka_unit_test(a_jump_in_two_steps_is_no_faster_than_the_jump),
        cmocka_unit_test(a_jump_in_many_steps_is_no_faster_than_the_jump),
        cmocka_unit_test(at_a_cusp_it_stands_until_the_wheels_have_turned),
        cmocka_unit_test(it_sets_off_from_rest_when_the_wheels_have_turned),
        cmocka_unit_test(no_short_arc_beside_rest_saves_the_standing),
        cmocka_unit_test(wheels_that_take_time_never_make_it_faster),
        cmocka_unit_test(a_movement_takes_as_long_as_one_found_by_small_steps),
        cmocka_unit_test(its_pieces_keep_every_limit_and_add_up),
        cmocka_unit_test(a_straight_takes_what_the_formulas_say),
        cmocka_unit_test(a_turn_is_driven_at_what_the_sideways_limit_allows),
        cmocka_unit_test(braking_for_a_turn_begins_before_it),
        cmocka_unit_test(a_goal_speed_that_cannot_be_reached_is_never_reached),
        cmocka_unit_test(a_change_of_direction_stands_still),
        cmocka_unit_test(the_ends_must_be_driven_in_the_direction_of_their_arcs),
        cmocka_unit_test(who_may_not_reverse_never_does),
        cmocka_unit_test(arcs_without_length_change_nothing),
        cmocka_unit_test(nothing_to_drive_takes_no_time_at_one_speed_only),
        cmocka_unit_test(cutting_an_arc_in_two_changes_nothing_to_speak_of),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
