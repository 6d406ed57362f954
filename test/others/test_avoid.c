// Others on the way, one decision at a time: what the header promises of kerb_avoid_others.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kerb/kerb.h"
#include "test/seed.h"

#include <math.h>
#include <string.h>

static kerb_avoid_settings settings_default(void) {
    kerb_avoid_settings settings;
    kerb_settings_set_defaults(&kerb_avoid_settings_table, &settings);
    return settings;
}

// A car of 4 by 2 m on a straight way, at a place and heading, with room to both sides.
static kerb_reference_line way_from(float x, float y, float heading, float speed, uint32_t id,
                                    float room) {
    kerb_reference_line way = {.id = id,
                               .speed = speed,
                               .response_distance = kerb_max(4.0f, 0.8f * speed),
                               .response_distance_min = 4.0f,
                               .offset_slope = kerb_min(0.6f, 2.5f / kerb_max(speed, 1.0f)),
                               .front = 2.0f,
                               .rear = 2.0f,
                               .width = 2.0f,
                               .braking = 3.5f,
                               .braking_max = 7.0f,
                               .desired_speed = kerb_max(speed, 10.0f),
                               .count = KERB_REFERENCE_STATIONS_MAX};
    kerb_vec2 direction = {kerb_cos(heading), kerb_sin(heading)};
    for (int32_t i = 0; i < way.count; i++) {
        float along = 5.0f * (float)i;
        way.stations[i] = (kerb_reference_station){
            .position = {x + along * direction.x, y + along * direction.y, 0.0f},
            .direction = direction,
            .left = room,
            .right = room,
            .distance = along,
            .time = along / kerb_max(speed, 1.0f)};
    }
    return way;
}

static kerb_neighbour car_at(float x, float y, float heading, float speed, uint32_t id) {
    kerb_vec2 forward = {kerb_cos(heading), kerb_sin(heading)};
    kerb_neighbour car = {.id = id,
                          .position = {x, y, 0.0f},
                          .velocity = {speed * forward.x, speed * forward.y, 0.0f},
                          .forward = forward,
                          .length = 4.0f,
                          .width = 2.0f};
    return car;
}

static kerb_avoid_answer ask(const kerb_reference_line* way, const kerb_neighbour* others,
                             int32_t count) {
    kerb_avoid avoid = {0};
    kerb_avoid_settings settings = settings_default();
    return kerb_avoid_others(&avoid, &settings, way, others, count, 1.0f / 60.0f);
}

static void assert_nobody_matters(kerb_avoid_answer answer) {
    assert_int_equal(answer.reason, KERB_REASON_NONE);
    assert_int_equal(answer.index, -1);
    assert_true(answer.speed >= 1.0e6f && answer.lateral_offset == 0.0f && !answer.blocked);
}

// --------------------------------------------------------------------------- who matters

static void nobody_is_no_limit(void** state) {
    (void)state;
    kerb_reference_line way = way_from(0, 0, 0, 10, 1, 1.5f);
    assert_nobody_matters(ask(&way, NULL, 0));
}

static void what_drives_ahead_is_followed_at_the_speed_of_its_gap(void** state) {
    (void)state;
    kerb_reference_line way = way_from(0, 0, 0, 10, 1, 1.5f);
    kerb_neighbour ahead = car_at(20, 0, 0, 6, 2);
    kerb_avoid_answer answer = ask(&way, &ahead, 1);
    assert_int_equal(answer.reason, KERB_REASON_FOLLOWING);
    assert_int_equal(answer.index, 0);
    assert_true(fabsf(answer.speed - kerb_gap_speed(16, 6, 1.2f, 2, 3.5f)) < 1e-4f);
}

static void what_drives_behind_or_beside_or_above_does_not_matter(void** state) {
    (void)state;
    kerb_reference_line way = way_from(0, 0, 0, 10, 1, 1.5f);
    kerb_neighbour others[4] = {car_at(-8, 0, 0, 15, 2), car_at(3, 4, 0, 10, 3),
                                car_at(15, 0, 0, 5, 4), car_at(30, -4, KERB_PI, 10, 5)};
    others[2].position.z = 6.0f; // on a bridge
    assert_nobody_matters(ask(&way, others, 4));
}

static void a_bad_neighbour_is_left_out(void** state) {
    (void)state;
    kerb_reference_line way = way_from(0, 0, 0, 10, 1, 1.5f);
    const kerb_neighbour good = car_at(15, 0, 0, 0, 2);
    static const float values[] = {NAN, INFINITY, -INFINITY, 1.0e30f, -1.0e30f};
    for (int32_t i = 0; i < 5; i++) {
        for (int32_t field = 0; field < 10; field++) {
            kerb_neighbour bad = good;
            float* fields[10] = {&bad.position.x, &bad.position.y, &bad.position.z, &bad.velocity.x,
                                 &bad.velocity.y, &bad.velocity.z, &bad.forward.x,  &bad.forward.y,
                                 &bad.yaw_rate,   &bad.length};
            *fields[field] = values[i];
            bool harmless = field >= 5 && field <= 7 && i > 2; // only its direction counts
            kerb_avoid_answer answer = ask(&way, &bad, 1);
            assert_true(answer.speed >= 0.0f && kerb_is_finite(answer.lateral_offset));
            if (!harmless)
                assert_nobody_matters(answer);
        }
    }
    kerb_neighbour none[4] = {good, good, good, good};
    none[0].length = 0.0f;
    none[1].width = 0.0f;
    none[2].width = -1.0f;
    none[3].id = way.id; // itself
    assert_nobody_matters(ask(&way, none, 4));
    // And hides nobody.
    kerb_neighbour both[2] = {none[0], good};
    assert_int_equal(ask(&way, both, 2).index, 1);
}

static void the_order_of_neighbours_does_not_matter(void** state) {
    (void)state;
    kerb_random random = test_random("avoid order");
    for (int32_t i = 0; i < 2000; i++) {
        kerb_reference_line way = way_from(0, 0, 0, kerb_random_between(&random, 0, 20), 50, 4.0f);
        kerb_neighbour others[6], turned[6];
        for (int32_t k = 0; k < 6; k++) {
            others[k] =
                car_at(kerb_random_between(&random, -20, 60), kerb_random_between(&random, -20, 20),
                       kerb_random_between(&random, -3, 3),
                       kerb_max(kerb_random_between(&random, -5, 15), 0), (uint32_t)k);
            turned[5 - k] = others[k];
        }
        kerb_avoid_answer a = ask(&way, others, 6), b = ask(&way, turned, 6);
        assert_true(a.speed == b.speed && a.lateral_offset == b.lateral_offset &&
                    a.reason == b.reason);
        assert_int_equal(a.index, b.index < 0 ? -1 : 5 - b.index);
    }
}

// --------------------------------------------------------------------------- who goes first

// Two cars of 4 by 2 m, the one's way and the other's predicted straight.
static bool gives_way(const kerb_reference_line* way, const kerb_neighbour* other) {
    kerb_avoid_answer answer = ask(way, other, 1);
    return answer.reason == KERB_REASON_YIELDING;
}

static void at_a_crossing_the_lower_id_goes_first_when_both_would_be_there_at_once(void** state) {
    (void)state;
    kerb_reference_line low = way_from(-20, 0, 0, 8, 1, 1.5f);
    kerb_reference_line high = way_from(0, -20, 0.5f * KERB_PI, 8, 2, 1.5f);
    kerb_neighbour low_seen = car_at(-20, 0, 0, 8, 1);
    kerb_neighbour high_seen = car_at(0, -20, 0.5f * KERB_PI, 8, 2);
    assert_false(gives_way(&low, &high_seen));
    assert_true(gives_way(&high, &low_seen));
}

static void at_a_crossing_who_would_clearly_be_there_first_goes_first(void** state) {
    (void)state;
    // The higher id is 10 m nearer, 1.25 s; but not yet so that it would be gone.
    kerb_reference_line low = way_from(-30, 0, 0, 8, 1, 1.5f);
    kerb_reference_line high = way_from(0, -16, 0.5f * KERB_PI, 8, 2, 1.5f);
    kerb_neighbour low_seen = car_at(-30, 0, 0, 8, 1);
    kerb_neighbour high_seen = car_at(0, -16, 0.5f * KERB_PI, 8, 2);
    assert_false(gives_way(&high, &low_seen));
    (void)low;
    (void)high_seen;
}

// The heart of it: whatever the places, angles and speeds, and with both knowing the other only to
// within some centimetres and some per cent, never do both take the right of way.
static void never_do_both_go_first_though_each_sees_the_other_a_little_wrong(void** state) {
    (void)state;
    kerb_random random = test_random("avoid ties");
    int32_t both_wait = 0, conflicts = 0;
    for (int32_t i = 0; i < 20000; i++) {
        float angle = kerb_random_between(&random, 1.0f, 2.1f);
        float speed_a = kerb_random_between(&random, 4, 14),
              speed_b = kerb_random_between(&random, 4, 14);
        // Far enough off that both can still stop, near enough that they foresee it.
        float stop_a = speed_a * speed_a / 7.0f + 7.0f, stop_b = speed_b * speed_b / 7.0f + 7.0f;
        float far_a = kerb_random_between(&random, stop_a, kerb_max(stop_a, 4.5f * speed_a));
        float far_b = kerb_random_between(&random, stop_b, kerb_max(stop_b, 4.5f * speed_b));
        kerb_reference_line a = way_from(-far_a, 0, 0, speed_a, 1, 1.5f);
        float x = -far_b * kerb_cos(angle), y = -far_b * kerb_sin(angle);
        kerb_reference_line b = way_from(x, y, angle, speed_b, 2, 1.5f);
        kerb_neighbour a_seen = car_at(-far_a + kerb_random_between(&random, -0.1f, 0.1f),
                                       kerb_random_between(&random, -0.1f, 0.1f), 0,
                                       speed_a * kerb_random_between(&random, 0.98f, 1.02f), 1);
        kerb_neighbour b_seen = car_at(x + kerb_random_between(&random, -0.1f, 0.1f),
                                       y + kerb_random_between(&random, -0.1f, 0.1f), angle,
                                       speed_b * kerb_random_between(&random, 0.98f, 1.02f), 2);
        // When both just drive on, do they meet?
        bool meet = false;
        for (int32_t k = 0; k < 100; k++) {
            float t = 0.1f * (float)k;
            float ax = -far_a + speed_a * t, s = -far_b + speed_b * t;
            meet = meet || hypotf(ax - s * kerb_cos(angle), s * kerb_sin(angle)) < 2.0f;
        }
        if (!meet)
            continue;
        conflicts++;
        bool a_waits = gives_way(&a, &b_seen), b_waits = gives_way(&b, &a_seen);
        if (!a_waits && !b_waits)
            fail_msg("a: %g m/s, %g m; b: %g m/s, %g m, %g rad", (double)speed_a, (double)far_a,
                     (double)speed_b, (double)far_b, (double)angle);
        both_wait += a_waits && b_waits ? 1 : 0;
    }
    print_message("%d conflicts, in %d both give way\n", (int)conflicts, (int)both_wait);
    assert_true(conflicts > 1000);
}

static void who_can_no_longer_stop_goes_on(void** state) {
    (void)state;
    kerb_reference_line high = way_from(0, -7, 0.5f * KERB_PI, 12, 2, 1.5f); // needs 10 m, has 4
    kerb_neighbour low_seen = car_at(-30, 0, 0, 12, 1);
    assert_false(gives_way(&high, &low_seen));
    // And the lower id lets it.
    kerb_reference_line low = way_from(-22, 0, 0, 12, 1, 1.5f);
    kerb_neighbour high_seen = car_at(0, -7, 0.5f * KERB_PI, 12, 2);
    high_seen.velocity.y = 8.0f;
    assert_true(gives_way(&low, &high_seen));
}

// --------------------------------------------------------------------------- going round

static kerb_avoid_answer ask_for_seconds(kerb_avoid* avoid, const kerb_reference_line* way,
                                         const kerb_neighbour* others, int32_t count,
                                         float seconds) {
    kerb_avoid_settings settings = settings_default();
    kerb_avoid_answer answer = {0};
    for (int32_t i = 0; i <= (int32_t)(seconds * 10.0f); i++)
        answer = kerb_avoid_others(avoid, &settings, way, others, count, 0.1f);
    return answer;
}

static void what_stands_across_is_gone_round_at_once_where_there_is_room(void** state) {
    (void)state;
    kerb_neighbour wreck = car_at(20, 0, 0.5f * KERB_PI, 0, 2);
    kerb_reference_line wide = way_from(0, 0, 0, 5, 1, 6.0f),
                        narrow = way_from(0, 0, 0, 5, 1, 3.0f);
    kerb_avoid_answer round = ask(&wide, &wreck, 1), behind = ask(&narrow, &wreck, 1);
    assert_int_equal(round.reason, KERB_REASON_AVOIDING);
    // Half of it, half of the vehicle and a margin, no more than the corridor allows.
    assert_true(fabsf(round.lateral_offset) > 3.0f && fabsf(round.lateral_offset) <= 5.0f);
    assert_true(round.speed >= wide.speed); // aside first, then faster
    assert_int_equal(behind.reason, KERB_REASON_FOLLOWING);
    assert_true(behind.lateral_offset == 0.0f);
    assert_true(behind.speed <= kerb_approach_speed(0, 17, 3.5f));
}

static void what_faces_the_same_way_is_given_time_first(void** state) {
    (void)state;
    kerb_neighbour queue = car_at(20, 0, 0, 0, 2);
    kerb_reference_line way = way_from(0, 0, 0, 5, 1, 6.0f);
    kerb_avoid avoid = {0};
    assert_int_equal(ask_for_seconds(&avoid, &way, &queue, 1, 2.5f).reason, KERB_REASON_FOLLOWING);
    assert_int_equal(ask_for_seconds(&avoid, &way, &queue, 1, 1.0f).reason, KERB_REASON_AVOIDING);
}

static void it_is_passed_on_the_other_side_of_the_traffics(void** state) {
    (void)state;
    kerb_neighbour wreck = car_at(20, 0, 0.5f * KERB_PI, 0, 2);
    kerb_reference_line way = way_from(0, 0, 0, 5, 1, 6.0f);
    kerb_avoid avoid = {0};
    kerb_avoid_settings settings = settings_default();
    assert_true(kerb_avoid_others(&avoid, &settings, &way, &wreck, 1, 0.1f).lateral_offset > 0.0f);
    settings.driving_side = KERB_DRIVE_LEFT;
    avoid = (kerb_avoid){0};
    assert_true(kerb_avoid_others(&avoid, &settings, &way, &wreck, 1, 0.1f).lateral_offset < 0.0f);
    // But where only one side has room, there.
    for (int32_t i = 0; i < way.count; i++)
        way.stations[i].right = 2.0f;
    avoid = (kerb_avoid){0};
    assert_true(kerb_avoid_others(&avoid, &settings, &way, &wreck, 1, 0.1f).lateral_offset > 0.0f);
}

static void nothing_is_gone_round_while_somebody_comes(void** state) {
    (void)state;
    kerb_reference_line way = way_from(0, 0, 0, 5, 1, 6.0f);
    for (int32_t i = 0; i < way.count; i++)
        way.stations[i].right = 2.0f;
    kerb_neighbour others[2] = {car_at(20, 0, 0.5f * KERB_PI, 0, 2), car_at(60, 4, KERB_PI, 8, 3)};
    kerb_avoid_answer answer = ask(&way, others, 2);
    assert_true(answer.lateral_offset == 0.0f && answer.index == 0);
    others[1] = car_at(-30, 4, KERB_PI, 8, 3); // it has passed
    assert_int_equal(ask(&way, others, 2).reason, KERB_REASON_AVOIDING);
}

static void head_on_each_keeps_to_its_driving_side(void** state) {
    (void)state;
    kerb_reference_line way = way_from(0, 0, 0, 8, 1, 4.0f);
    kerb_neighbour other = car_at(60, 0, KERB_PI, 8, 2);
    kerb_avoid avoid = {0};
    kerb_avoid_settings settings = settings_default();
    kerb_avoid_answer right = kerb_avoid_others(&avoid, &settings, &way, &other, 1, 0.1f);
    settings.driving_side = KERB_DRIVE_LEFT;
    kerb_avoid_answer left = kerb_avoid_others(&avoid, &settings, &way, &other, 1, 0.1f);
    assert_true(right.lateral_offset < -2.0f && right.lateral_offset >= -3.0f);
    assert_true(left.lateral_offset == -right.lateral_offset && left.speed == right.speed);
}

static void who_stands_before_a_wreck_for_long_asks_to_back_out_the_higher_id_first(void** state) {
    (void)state;
    for (uint32_t id = 1; id <= 3; id += 2) {
        kerb_reference_line way = way_from(0, 0, 0, 0, id, 1.2f);
        kerb_neighbour wreck = car_at(6, 0, KERB_PI, 0, 2);
        kerb_avoid avoid = {0};
        float higher = 6.0f, lower = 12.0f;
        assert_false(ask_for_seconds(&avoid, &way, &wreck, 1, 2.0f).blocked);
        assert_int_equal(ask_for_seconds(&avoid, &way, &wreck, 1, higher - 2.0f).blocked, id > 2);
        assert_true(ask_for_seconds(&avoid, &way, &wreck, 1, lower - higher).blocked);
    }
}

static void the_room_behind_is_measured_to_the_next_bumper(void** state) {
    (void)state;
    kerb_reference_line way = way_from(0, 0, 0, 0, 1, 1.5f);
    kerb_neighbour others[3] = {car_at(-9, 0.5f, 0, 0, 2), car_at(-6, 4, 0, 0, 3),
                                car_at(9, 0, 0, 0, 4)};
    assert_true(fabsf(kerb_gap_behind(&way, others, 3) - 5.0f) < 1e-4f);
    assert_true(kerb_gap_behind(&way, others + 1, 2) >= 1.0e6f);
    assert_true(kerb_gap_behind(&way, NULL, 0) >= 1.0e6f);
}

static void a_vehicle_without_an_id_gives_way_to_all_that_have_one(void** state) {
    (void)state;
    assert_int_equal(kerb_surroundings_default().id, KERB_NO_ID);
    kerb_reference_line way = way_from(0, 0, 0, 10, KERB_NO_ID, 3);
    for (uint32_t id = 0; id < 3; id++) { // both reach the crossing at the same time
        kerb_neighbour other = car_at(30, -30, 0.5f * KERB_PI, 10, id);
        assert_int_equal(ask(&way, &other, 1).reason, KERB_REASON_YIELDING);
    }
}

static void an_intent_without_its_box_counts_as_unknown(void** state) {
    (void)state;
    kerb_reference_line way = way_from(0, 0, 0, 10, 9, 3);
    kerb_intent own = {.count = 8, .spacing = 6, .front = 2, .rear = 2, .width = 2};
    kerb_intent theirs = own;
    for (int32_t i = 0; i < 8; i++) {
        own.points[i] = kerb_vec2_make(6.0f * (float)i, 0.0f);
        theirs.points[i] = kerb_vec2_make(30.0f, -30.0f + 6.0f * (float)i);
    }
    kerb_intent_bound(&own);
    way.intent = &own;
    kerb_neighbour other = car_at(30, -30, 0.5f * KERB_PI, 10, 2);
    float predicted = ask(&way, &other, 1).speed;
    other.intent = &theirs; // kerb_intent_bound is forgotten
    kerb_avoid_answer answer = ask(&way, &other, 1);
    assert_int_equal(answer.reason, KERB_REASON_YIELDING);
    assert_true(answer.speed == predicted);
}

int avoid_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_vehicle_without_an_id_gives_way_to_all_that_have_one),
        cmocka_unit_test(an_intent_without_its_box_counts_as_unknown),
        cmocka_unit_test(nobody_is_no_limit),
        cmocka_unit_test(what_drives_ahead_is_followed_at_the_speed_of_its_gap),
        cmocka_unit_test(what_drives_behind_or_beside_or_above_does_not_matter),
        cmocka_unit_test(a_bad_neighbour_is_left_out),
        cmocka_unit_test(the_order_of_neighbours_does_not_matter),
        cmocka_unit_test(at_a_crossing_the_lower_id_goes_first_when_both_would_be_there_at_once),
        cmocka_unit_test(at_a_crossing_who_would_clearly_be_there_first_goes_first),
        cmocka_unit_test(never_do_both_go_first_though_each_sees_the_other_a_little_wrong),
        cmocka_unit_test(who_can_no_longer_stop_goes_on),
        cmocka_unit_test(what_stands_across_is_gone_round_at_once_where_there_is_room),
        cmocka_unit_test(what_faces_the_same_way_is_given_time_first),
        cmocka_unit_test(it_is_passed_on_the_other_side_of_the_traffics),
        cmocka_unit_test(nothing_is_gone_round_while_somebody_comes),
        cmocka_unit_test(head_on_each_keeps_to_its_driving_side),
        cmocka_unit_test(who_stands_before_a_wreck_for_long_asks_to_back_out_the_higher_id_first),
        cmocka_unit_test(the_room_behind_is_measured_to_the_next_bumper),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
