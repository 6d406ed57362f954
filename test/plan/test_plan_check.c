// The checker finds every way in which a movement can be wrong, and names it.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "src/plan/model/wheels.h"
#include "test/plan_rig.h"

#include <math.h>
#include <string.h>

#define PIECES 64

// A good movement whose pieces a test may spoil: forwards, a stand, in reverse.
typedef struct sample {
    plan_rig rig;
    kerb_plan_piece pieces[PIECES];
    kerb_plan plan;
} sample;

// 8 m ahead and to the left at 10 m radius, half a second's stand, 4 m straight back.
static sample good_sample(void) {
    sample s = {.rig.limits = kerb_plan_limits_default()};
    kerb_plan_limits* l = &s.rig.limits;
    l->reverse_speed_max = 4.0f;
    float lengths[2] = {8.0f, 4.0f}, time = 0.0f, length = 0.0f;
    int32_t count = 0;
    kerb_pose at = kerb_pose_make(5.0f, 7.0f, 1.0f);
    s.rig.from = (kerb_plan_end){.pose = at};
    for (int32_t i = 0; i < 2; i++) {
        float curvature = i == 0 ? 0.1f : 0.0f, sign = i == 0 ? 1.0f : -1.0f;
        float peak = kerb_sqrt(2.0f * lengths[i] * 7.5f / 6.5f);
        float part[2] = {peak * peak / 3.0f, peak * peak / 10.0f};
        float duration[2] = {peak / 1.5f, peak / 5.0f};
        for (int32_t k = 0; k < 2; k++) {
            kerb_plan_piece piece = {at,
                                     time,
                                     duration[k],
                                     part[k],
                                     k == 0 ? 0.0f : peak,
                                     k == 0 ? 1.5f : -5.0f,
                                     curvature,
                                     i == 0 ? 1 : -1,
                                     0.0f};
            s.pieces[count++] = piece;
            kerb_curve driven = {at, 1, {curvature}, {sign * part[k]}};
            at = kerb_curve_end(&driven);
            time += duration[k];
            length += part[k];
        }
        if (i == 0) {
            kerb_plan_piece stand = {at, time, 0.5f, 0.0f, 0.0f, 0.0f, 0.0f, -1, 0.0f};
            s.pieces[count++] = stand;
            time += 0.5f;
        }
    }
    s.rig.to = (kerb_plan_end){.pose = at};
    s.plan = (kerb_plan){.count = count, .cost = time, .time = time, .length = length};
    return s;
}

static kerb_result check(sample* s, kerb_error* error) {
    s->plan.pieces = s->pieces;
    kerb_plan_query query = plan_rig_query(&s->rig);
    return kerb_plan_check(&s->rig.limits, &query, NULL, &s->plan, error);
}

static void expect(sample* s, kerb_result result, const char* field, int32_t index) {
    kerb_error error;
    assert_int_equal(check(s, &error), result);
    assert_string_equal(error.field, field);
    assert_int_equal(error.index, index);
}

static void a_good_movement_passes(void** state) {
    (void)state;
    sample s = good_sample();
    kerb_error error;
    if (check(&s, &error) != KERB_OK)
        fail_msg("%s %s, piece %d", error.field, error.message, (int)error.index);
}

static void every_limit_that_is_broken_is_named(void** state) {
    (void)state;
    const struct {
        size_t offset;
        float limit;
        const char* name;
        int32_t index;
    } cases[] = {
        {offsetof(kerb_plan_limits, turning_radius), 10.1f, "turning_radius", 0},
        {offsetof(kerb_plan_limits, speed_max), 4.0f, "speed_max", 0},
        {offsetof(kerb_plan_limits, reverse_speed_max), 2.9f, "reverse_speed_max", 3},
        {offsetof(kerb_plan_limits, acceleration), 1.4f, "acceleration", 0},
        {offsetof(kerb_plan_limits, braking), 4.9f, "braking", 1},
        {offsetof(kerb_plan_limits, reverse_acceleration), 1.4f, "reverse_acceleration", 3},
        {offsetof(kerb_plan_limits, reverse_braking), 4.9f, "reverse_braking", 4},
        {offsetof(kerb_plan_limits, lateral_acceleration), 1.8f, "lateral_acceleration", 0},
        {offsetof(kerb_plan_limits, yaw_rate_max), 0.42f, "yaw_rate_max", 0},
        {offsetof(kerb_plan_limits, reversal_time), 0.6f, "reversal_time", 3},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        sample s = good_sample();
        memcpy((char*)&s.rig.limits + cases[i].offset, &cases[i].limit, sizeof(float));
        expect(&s, KERB_ERROR_OUT_OF_RANGE, cases[i].name, cases[i].index);
    }
}

// In the good movement the wheels turn by half of straight to lock while it stands.
static void wheels_that_had_no_time_to_turn_are_found(void** state) {
    (void)state;
    sample s = good_sample();
    kerb_error error;
    s.rig.limits.steering_time = 1.79f; // half of it is what it stands, and a little rolling
    assert_int_equal(check(&s, &error), KERB_OK);
    s.rig.limits.steering_time = 1.82f;
    expect(&s, KERB_ERROR_OUT_OF_RANGE, "steering_time", 3);
    // A jump from straight to lock at speed: left, then straight on where it brakes.
    s = good_sample();
    s.pieces[1].curvature = -0.1f;
    s.rig.limits.steering_time = 1.0f;
    expect(&s, KERB_ERROR_OUT_OF_RANGE, "steering_time", 1);
}

// So many arcs at 5 m/s, each turning tighter than the one before, the last one 10 m long.
static sample stepped_sample(int32_t steps, float length) {
    sample s = {.rig.limits = kerb_plan_limits_default()};
    kerb_pose at = kerb_pose_make(5.0f, 7.0f, 1.0f);
    float time = 0.0f, driven = 0.0f;
    s.rig.from = (kerb_plan_end){.pose = at, .speed = 5.0f};
    for (int32_t i = 0; i <= steps; i++) {
        float curvature = 0.2f * (float)i / (float)steps;
        float along = i == 0 || i == steps ? 10.0f : length, duration = along / 5.0f;
        s.pieces[i] = (kerb_plan_piece){at, time, duration, along, 5.0f, 0.0f, curvature, 1, 0.0f};
        kerb_curve arc = {at, 1, {curvature}, {along}};
        at = kerb_curve_end(&arc);
        time += duration;
        driven += along;
    }
    s.rig.to = (kerb_plan_end){.pose = at, .speed = 5.0f};
    s.plan = (kerb_plan){.count = steps + 1, .cost = time, .time = time, .length = driven};
    return s;
}

// Wheels that take a second for all of it drift too far where it comes at once, in however many
// steps; where each step has its time they do not.
static void jumps_that_wheels_have_no_time_for_are_found_together(void** state) {
    (void)state;
    kerb_error error;
    for (int32_t steps = 1; steps <= 24; steps++) {
        sample s = stepped_sample(steps, 0.02f);
        s.rig.limits.steering_time = 0.6f;
        assert_int_equal(check(&s, &error), KERB_OK);
        s.rig.limits.steering_time = 1.0f;
        assert_int_equal(check(&s, &error), KERB_ERROR_OUT_OF_RANGE);
        assert_string_equal(error.field, "steering_time");
        s = stepped_sample(steps, 5.1f / (float)steps); // a second for all, and a little
        s.rig.limits.steering_time = 1.0f;
        assert_int_equal(check(&s, &error), steps == 1 ? KERB_ERROR_OUT_OF_RANGE : KERB_OK);
    }
}

// Straight back, and a turn of the wheels too soon after it set off.
static void jumps_beside_a_change_of_direction_are_given_their_time(void** state) {
    (void)state;
    const float bend = 0.1f;
    for (int i = 0; i < 2; i++) {
        sample s = good_sample();
        s.rig.limits.steering_time = 0.6f;
        s.rig.limits.turning_radius = 5.0f;
        // The last leg is 4 m: its gain of speed is cut in two, and the rest turns.
        kerb_plan_piece whole = s.pieces[3];
        float cut = i == 0 ? 0.1f : 0.2f; // [s] Half of the turning is 0.15 s.
        float along = 0.5f * whole.acceleration * cut * cut;
        s.pieces[5] = s.pieces[4];
        s.pieces[4] = whole;
        s.pieces[3].duration = cut;
        s.pieces[3].length = along;
        s.pieces[4].duration -= cut;
        s.pieces[4].length -= along;
        s.pieces[4].speed = whole.acceleration * cut;
        s.pieces[4].time += cut;
        s.pieces[4].start = kerb_curve_end(&(kerb_curve){whole.start, 1, {0.0f}, {-along}});
        s.pieces[4].curvature = bend;
        kerb_curve arc = {s.pieces[4].start, 1, {bend}, {-s.pieces[4].length}};
        s.pieces[5].start = kerb_curve_end(&arc);
        s.pieces[5].curvature = bend;
        kerb_curve last = {s.pieces[5].start, 1, {bend}, {-s.pieces[5].length}};
        s.rig.to.pose = kerb_curve_end(&last);
        s.plan.count++;
        kerb_error error;
        kerb_result result = check(&s, &error);
        if (i == 0) {
            assert_int_equal(result, KERB_ERROR_OUT_OF_RANGE);
            assert_string_equal(error.field, "steering_time");
            assert_int_equal(error.index, 4);
        } else if (result != KERB_OK) {
            fail_msg("%s %s, piece %d", error.field, error.message, (int)error.index);
        }
    }
}

// The good movement's wheels turn by half of straight to lock at its cusp; a jump so long before it
// comes to rest, in its first leg. [s]
static sample jump_before_rest(float before) {
    sample s = good_sample();
    s.rig.limits.turning_radius = 5.0f;
    kerb_plan_piece whole = s.pieces[1];
    float cut = whole.duration - before;
    float along = whole.speed * cut - 0.5f * 5.0f * cut * cut;
    for (int32_t i = s.plan.count; i > 2; i--)
        s.pieces[i] = s.pieces[i - 1];
    s.pieces[1].duration = cut;
    s.pieces[1].length = along;
    s.pieces[2] = whole;
    s.pieces[2].time += cut;
    s.pieces[2].duration = before;
    s.pieces[2].length = whole.length - along;
    s.pieces[2].speed = whole.speed - 5.0f * cut;
    s.pieces[2].curvature = 0.0f;
    s.pieces[2].start = kerb_curve_end(&(kerb_curve){whole.start, 1, {whole.curvature}, {along}});
    s.plan.count++;
    kerb_pose at =
        kerb_curve_end(&(kerb_curve){s.pieces[2].start, 1, {0.0f}, {s.pieces[2].length}});
    for (int32_t i = 3; i < s.plan.count; i++) {
        kerb_plan_piece* p = &s.pieces[i];
        p->start = at;
        // As tight as the first leg was: at the cusp the wheels turn as far as at the jump.
        p->curvature = p->length > 0.0f ? 0.1f : 0.0f;
        at = kerb_curve_end(&(kerb_curve){at, 1, {p->curvature}, {-p->length}});
    }
    s.rig.to.pose = at;
    return s;
}

// Half of the turning at the jump, and what the wheels turn on for while it comes to rest.
static void jumps_before_a_change_of_direction_are_given_their_time(void** state) {
    (void)state;
    kerb_error error;
    // 0.6 s to lock at 5 m: the jump and the cusp take 0.3 s each, less than it stands.
    sample s = jump_before_rest(0.17f);
    s.rig.limits.steering_time = 0.6f;
    if (check(&s, &error) != KERB_OK)
        fail_msg("%s %s, piece %d", error.field, error.message, (int)error.index);
    s = jump_before_rest(0.13f);
    s.rig.limits.steering_time = 0.6f;
    expect(&s, KERB_ERROR_OUT_OF_RANGE, "steering_time", 4);
    // 1.4 s to lock: 0.35 s for half of the jump, and 0.1 s as it turns by 0.2 s more than it
    // stands.
    s = jump_before_rest(0.47f);
    s.rig.limits.steering_time = 1.4f;
    if (check(&s, &error) != KERB_OK)
        fail_msg("%s %s, piece %d", error.field, error.message, (int)error.index);
    s = jump_before_rest(0.43f);
    s.rig.limits.steering_time = 1.4f;
    expect(&s, KERB_ERROR_OUT_OF_RANGE, "steering_time", 4);
}

// Arcs of all lengths, bent by chance, at one speed; as many as a movement has in a second or two.
static sample random_arcs(kerb_random* random) {
    sample s = {.rig.limits = kerb_plan_limits_default()};
    kerb_pose at = kerb_pose_make(5.0f, 7.0f, 1.0f);
    float time = 0.0f, driven = 0.0f, speed = kerb_random_between(random, 2.0f, 6.0f);
    float least = kerb_random_between(random, 0.01f, 1.0f);
    int32_t count = 3 + (int32_t)kerb_random_below(random, 12);
    s.rig.from = (kerb_plan_end){.pose = at, .speed = speed};
    for (int32_t i = 0; i < count; i++) {
        float curvature = kerb_random_between(random, -0.2f, 0.2f);
        float along = least * kerb_random_between(random, 0.1f, 4.0f), duration = along / speed;
        s.pieces[i] = (kerb_plan_piece){at, time, duration, along, speed, 0.0f, curvature, 1, 0.0f};
        kerb_curve arc = {at, 1, {curvature}, {along}};
        at = kerb_curve_end(&arc);
        time += duration;
        driven += along;
    }
    s.rig.to = (kerb_plan_end){.pose = at, .speed = speed};
    s.plan = (kerb_plan){.count = count, .cost = time, .time = time, .length = driven};
    return s;
}

static bool search_allows(sample* s, float steering_time) {
    s->rig.limits.steering_time = steering_time;
    plan_rates rates = kerb_in_plan_rates_of(&s->rig.limits);
    return kerb_in_plan_wheels_allow(&rates, s->pieces, s->plan.count);
}

static bool checker_allows(sample* s, float steering_time) {
    s->rig.limits.steering_time = steering_time;
    return check(s, NULL) == KERB_OK;
}

// The search with speed has its own code for it.
static void of_jumps_the_search_allows_what_the_checker_does(void** state) {
    (void)state;
    kerb_random random = test_random("check_jumps");
    int allowed = 0, refused = 0;
    for (int i = 0; i < 4000; i++) {
        sample s = random_arcs(&random);
        float steering_time = kerb_random_between(&random, 0.02f, 0.8f);
        bool allows = search_allows(&s, steering_time);
        assert_true(!allows || checker_allows(&s, 0.99f * steering_time));
        assert_true(allows || !checker_allows(&s, 1.01f * steering_time));
        allowed += allows;
        refused += !allows;
    }
    assert_true(allowed > 500 && refused > 500);
}

static void a_jump_of_place_heading_speed_or_time_is_found(void** state) {
    (void)state;
    sample s = good_sample();
    s.pieces[1].start.position.x += 0.01f;
    expect(&s, KERB_ERROR_CONTRADICTION, "pose", 1);
    s = good_sample();
    s.pieces[1].start.forward =
        kerb_pose_make(0.0f, 0.0f, kerb_pose_heading(s.pieces[1].start) + 0.002f).forward;
    expect(&s, KERB_ERROR_CONTRADICTION, "pose", 1);
    s = good_sample();
    s.pieces[1].speed += 0.02f;
    expect(&s, KERB_ERROR_CONTRADICTION, "speed", 1);
    s = good_sample();
    s.pieces[1].time += 0.01f;
    expect(&s, KERB_ERROR_CONTRADICTION, "time", 1);
}

static void wrong_ends_are_found(void** state) {
    (void)state;
    sample s = good_sample();
    s.rig.from.pose.position.y += 0.01f;
    expect(&s, KERB_ERROR_CONTRADICTION, "pose", 0);
    s = good_sample();
    s.rig.from.speed = 0.1f;
    expect(&s, KERB_ERROR_CONTRADICTION, "speed", 0);
    s = good_sample();
    s.rig.to.pose.position.y += 0.01f;
    expect(&s, KERB_ERROR_CONTRADICTION, "goal", -1);
    s = good_sample();
    s.rig.to.speed = 0.1f;
    expect(&s, KERB_ERROR_CONTRADICTION, "goal", -1);
}

static void turning_back_while_moving_is_found(void** state) {
    (void)state;
    sample s = good_sample();
    s.pieces[1].direction = -1; // with the braking limit of reverse, and the way it would drive
    expect(&s, KERB_ERROR_CONTRADICTION, "direction", 1);
}

static void lengths_and_sums_must_fit(void** state) {
    (void)state;
    sample s = good_sample();
    s.pieces[0].length += 0.05f;
    expect(&s, KERB_ERROR_CONTRADICTION, "length", 0);
    s = good_sample();
    s.plan.time += 0.1f;
    expect(&s, KERB_ERROR_CONTRADICTION, "time", -1);
    s = good_sample();
    s.plan.length += 0.1f;
    expect(&s, KERB_ERROR_CONTRADICTION, "length", -1);
    s = good_sample();
    s.rig.to.penalty = 2.0f;
    expect(&s, KERB_ERROR_CONTRADICTION, "cost", -1);
    s.plan.cost += 2.0f;
    assert_int_equal(check(&s, NULL), KERB_OK);
}

static void nonsense_is_refused(void** state) {
    (void)state;
    sample s = good_sample();
    s.pieces[2].speed = NAN;
    expect(&s, KERB_ERROR_NOT_FINITE, "pieces", 2);
    s = good_sample();
    s.pieces[3].direction = 0;
    expect(&s, KERB_ERROR_CONTRADICTION, "direction", 3);
    s = good_sample();
    s.pieces[0].duration = -1.0f;
    expect(&s, KERB_ERROR_CONTRADICTION, "length", 0);
    s = good_sample();
    s.plan.count = 0;
    expect(&s, KERB_ERROR_TOO_FEW, "count", -1);
    s = good_sample();
    s.plan.goal = 1;
    expect(&s, KERB_ERROR_OUT_OF_RANGE, "goal", -1);
}

int plan_check_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_good_movement_passes),
        cmocka_unit_test(every_limit_that_is_broken_is_named),
        cmocka_unit_test(wheels_that_had_no_time_to_turn_are_found),
        cmocka_unit_test(jumps_that_wheels_have_no_time_for_are_found_together),
        cmocka_unit_test(jumps_beside_a_change_of_direction_are_given_their_time),
        cmocka_unit_test(jumps_before_a_change_of_direction_are_given_their_time),
        cmocka_unit_test(of_jumps_the_search_allows_what_the_checker_does),
        cmocka_unit_test(a_jump_of_place_heading_speed_or_time_is_found),
        cmocka_unit_test(wrong_ends_are_found),
        cmocka_unit_test(turning_back_while_moving_is_found),
        cmocka_unit_test(lengths_and_sums_must_fit),
        cmocka_unit_test(nonsense_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
