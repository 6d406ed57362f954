// The checker finds every way in which a movement can be wrong, and names it.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

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
                                     i == 0 ? 1 : -1};
            s.pieces[count++] = piece;
            kerb_curve driven = {at, 1, {curvature}, {sign * part[k]}};
            at = kerb_curve_end(&driven);
            time += duration[k];
            length += part[k];
        }
        if (i == 0) {
            kerb_plan_piece stand = {at, time, 0.5f, 0.0f, 0.0f, 0.0f, 0.0f, -1};
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
    s.pieces[1].travel = -1; // with the braking limit of reverse, and the way it would drive
    expect(&s, KERB_ERROR_CONTRADICTION, "travel", 1);
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
    s.pieces[3].travel = 0;
    expect(&s, KERB_ERROR_CONTRADICTION, "travel", 3);
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_good_movement_passes),
        cmocka_unit_test(every_limit_that_is_broken_is_named),
        cmocka_unit_test(wheels_that_had_no_time_to_turn_are_found),
        cmocka_unit_test(a_jump_of_place_heading_speed_or_time_is_found),
        cmocka_unit_test(wrong_ends_are_found),
        cmocka_unit_test(turning_back_while_moving_is_found),
        cmocka_unit_test(lengths_and_sums_must_fit),
        cmocka_unit_test(nonsense_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
