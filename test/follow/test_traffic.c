// Driving among others, with simulated vehicles: nobody touches, everybody gets through.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "test/follow/traffic_rig.h"
#include "test/seed.h"

#include <math.h>
#include <stdio.h>

static kerb_vec2 at(float x, float y) {
    return kerb_vec2_make(x, y);
}

// A straight lane that passes the origin `aside` to its left, from `before` metres before it to
// 50 m behind it.
static traffic_car* add_lane(traffic* t, const char* model, uint32_t id, float heading, float aside,
                             float before, float corridor) {
    float c = kerb_cos(heading), s = kerb_sin(heading);
    return traffic_add_straight(t, model, id, at(-before * c - aside * s, -before * s + aside * c),
                                at(50.0f * c - aside * s, 50.0f * s + aside * c), corridor);
}

// Who has arrived drives away.
static void clear_arrived(traffic* t) {
    for (int32_t i = 0; i < t->count; i++) {
        traffic_car* car = &t->cars[i];
        if (!car->arrived || car->wreck)
            continue;
        car->wreck = true;
        kerb_sim_body body = kerb_sim_vehicle_body(&car->vehicle);
        body.position.x += 10000.0f + 1000.0f * (float)i;
        kerb_sim_vehicle_set_body(&car->vehicle, &body);
        car->motion = kerb_sim_vehicle_motion(&car->vehicle);
    }
}

static void all_get_through(traffic* t, double most, int32_t number) {
    while (t->time < most && !traffic_all_arrived(t)) {
        traffic_step(t);
        clear_arrived(t);
        if (t->touches > 0)
            fail_msg("case %d: touched after %g s", (int)number, t->time);
    }
    if (!traffic_all_arrived(t))
        fail_msg("case %d: not through after %g s", (int)number, most);
    assert_int_equal(t->teleports, 0);
    traffic_free(t);
}

static void start_rolling(kerb_random* random, traffic_car* car) {
    car->follower.settings.speed = kerb_random_between(random, 5.0f, 15.0f);
    if (kerb_random_unit(random) < 0.6f)
        traffic_roll(car, car->follower.settings.speed * kerb_random_between(random, 0.3f, 1.0f));
}

// --------------------------------------------------------------------------- crossings

static void two_at_a_crossing_get_through_whenever_they_come_and_at_any_angle(void** state) {
    (void)state;
    kerb_random random = test_random("two at a crossing");
    for (int32_t i = 0; i < test_share(250, 50); i++) {
        traffic t = {.count = 0};
        float angle = kerb_random_between(&random, 0.6f, 2.5f);
        bool swap = kerb_random_unit(&random) < 0.5f;
        for (int32_t k = 0; k < 2; k++)
            start_rolling(&random,
                          add_lane(&t, "pickup", swap ? 2U - (uint32_t)k : (uint32_t)k + 1U,
                                   k == 0 ? 0.0f : angle, kerb_random_between(&random, -2.0f, 2.0f),
                                   kerb_random_between(&random, 25.0f, 60.0f), 2.5f));
        all_get_through(&t, 45.0, i);
    }
}

static void four_at_a_crossing_of_two_streets_get_through(void** state) {
    (void)state;
    kerb_random random = test_random("four at a crossing");
    for (int32_t i = 0; i < test_share(100, 20); i++) {
        traffic t = {.count = 0};
        for (int32_t k = 0; k < 4; k++)
            start_rolling(&random,
                          add_lane(&t, "pickup", 10U + ((uint32_t)k * 3U + (uint32_t)i) % 7U,
                                   0.5f * KERB_PI * (float)k,
                                   kerb_random_between(&random, -3.4f, -2.8f),
                                   kerb_random_between(&random, 25.0f, 60.0f), 2.5f));
        all_get_through(&t, 90.0, i);
    }
}

static void four_that_come_at_once_from_rest_get_through(void** state) {
    (void)state;
    traffic t = {.count = 0};
    for (int32_t k = 0; k < 4; k++)
        add_lane(&t, "pickup", (uint32_t)k, 0.5f * KERB_PI * (float)k, -3.0f, 15.0f, 2.5f);
    all_get_through(&t, 60.0, 0);
}

static void vehicles_of_all_kinds_get_through_a_crossing(void** state) {
    (void)state;
    static const char* const models[] = {"buggy", "scout", "carrier", "tank", "hovercraft"};
    for (int32_t i = 0; i < 25; i++) {
        traffic t = {.count = 0};
        for (int32_t k = 0; k < 2; k++)
            add_lane(&t, models[k == 0 ? i % 5 : i / 5], (uint32_t)k, 0.5f * KERB_PI * (float)k,
                     -3.5f, 40.0f + 2.0f * (float)(i % 3), 4.0f);
        all_get_through(&t, 60.0, i);
    }
}

// A lane that comes to the origin from `heading`, 3 m right of the middle, and leaves it turned to
// the left by `turn`, likewise.
static traffic_car* add_turn(traffic* t, const char* model, uint32_t id, float heading, float turn,
                             float before) {
    enum { ARC = 9 };
    kerb_waypoint waypoints[ARC + 2];
    float out = heading + turn;
    kerb_vec2 in = at(kerb_cos(heading), kerb_sin(heading));
    kerb_vec2 off = at(kerb_cos(out), kerb_sin(out));
    kerb_vec2 from = at(-14.0f * in.x + 3.0f * in.y, -14.0f * in.y - 3.0f * in.x);
    kerb_vec2 to = at(14.0f * off.x + 3.0f * off.y, 14.0f * off.y - 3.0f * off.x);
    waypoints[0] = kerb_waypoint_at(from.x - before * in.x, from.y - before * in.y, 0.0f);
    for (int32_t i = 0; i < ARC; i++) { // a cubic curve between the two
        float u = (float)i / (float)(ARC - 1), v = 1.0f - u;
        float a = v * v * (1.0f + 2.0f * u), b = u * u * (3.0f - 2.0f * u);
        float p = 20.0f * u * v * v, q = -20.0f * u * u * v;
        waypoints[1 + i] = kerb_waypoint_at(a * from.x + b * to.x + p * in.x + q * off.x,
                                            a * from.y + b * to.y + p * in.y + q * off.y, 0.0f);
    }
    waypoints[ARC + 1] = kerb_waypoint_at(to.x + 45.0f * off.x, to.y + 45.0f * off.y, 0.0f);
    for (int32_t i = 0; i < ARC + 2; i++)
        waypoints[i].left = waypoints[i].right = 2.5f;
    return traffic_add(t, model, id, waypoints, ARC + 2);
}

static void left_turns_across_one_another_get_through(void** state) {
    (void)state;
    kerb_random random = test_random("left turns");
    for (int32_t i = 0; i < test_share(60, 12); i++) {
        traffic t = {.count = 0};
        for (int32_t k = 0; k < 2; k++)
            start_rolling(&random, add_turn(&t, "pickup", (uint32_t)(k + i % 2) % 2U + 1U,
                                            KERB_PI * (float)k, i % 3 == 0 && k == 1 ? 0.0f : 1.57f,
                                            kerb_random_between(&random, 15.0f, 40.0f)));
        all_get_through(&t, 60.0, i);
    }
}

static void eight_at_a_crossing_with_all_turns_get_through(void** state) {
    (void)state;
    kerb_random random = test_random("eight with turns");
    static const float turns[] = {0.0f, 1.57f, -1.57f};
    for (int32_t i = 0; i < test_share(20, 5); i++) {
        traffic t = {.count = 0};
        for (int32_t k = 0; k < 8; k++) {
            float before = kerb_random_between(&random, 12.0f, 24.0f) + (k < 4 ? 0.0f : 24.0f);
            float turn = turns[kerb_random_below(&random, 3)];
            add_turn(&t, "pickup", 10U + ((uint32_t)k * 3U + (uint32_t)i) % 8U,
                     0.5f * KERB_PI * (float)(k % 4), turn, before);
        }
        all_get_through(&t, 120.0, i);
    }
}

static void intents_that_are_not_sound_change_nothing_but_are_survived(void** state) {
    (void)state;
    for (int32_t i = 0; i < 6; i++) {
        traffic t = {.count = 0};
        for (int32_t k = 0; k < 2; k++)
            add_turn(&t, "pickup", (uint32_t)k, 0.5f * KERB_PI * (float)k, 0.0f, 30.0f);
        while (t.time < 30.0 && !traffic_all_arrived(&t)) {
            traffic_step(&t);
            kerb_intent* intent = &t.cars[0].intent;
            intent->count = i == 0 ? -1 : i == 1 ? 1000 : intent->count;
            intent->spacing = i == 2 ? 0.0f : i == 3 ? (float)NAN : intent->spacing;
            intent->points[3].x = i == 4 ? (float)INFINITY : intent->points[3].x;
            intent->width = i == 5 ? (float)NAN : intent->width;
            assert_true(isfinite(t.cars[1].controls.throttle));
            assert_true(isfinite(t.cars[1].motion.position.x));
        }
        assert_true(traffic_all_arrived(&t));
        traffic_free(&t);
    }
}

// --------------------------------------------------------------------------- head-on

static void head_on_in_a_street_of_two_ways_both_keep_right(void** state) {
    (void)state;
    kerb_random random = test_random("head-on");
    for (int32_t i = 0; i < test_share(60, 12); i++) {
        traffic t = {.count = 0};
        for (int32_t k = 0; k < 2; k++)
            start_rolling(&random, add_lane(&t, "pickup", (uint32_t)k + 1U, KERB_PI * (float)k,
                                            kerb_random_between(&random, -1.0f, 1.0f),
                                            kerb_random_between(&random, 30.0f, 60.0f), 5.0f));
        all_get_through(&t, 40.0, i);
    }
}

// --------------------------------------------------------------------------- following

// Behind a pick-up that stops and goes, as its speed cap says.
static void it_follows_through_stop_and_go(void** state) {
    (void)state;
    traffic t = {.count = 0};
    for (int32_t k = 0; k < 5; k++) // the first is at the front
        add_lane(&t, k == 2 ? "carrier" : "pickup", 5U - (uint32_t)k, 0.0f, 0.0f,
                 400.0f + 12.0f * (float)k, 2.0f);
    float least = 1.0e6f;
    while (t.time < 90.0) {
        // The leader knows nobody behind it.
        t.cars[0].follower.settings.speed = fmod(t.time, 15.0) < 8.0 ? 12.0f : 0.1f;
        traffic_step(&t);
        for (int32_t k = 1; k < t.count; k++) {
            const traffic_car *front = &t.cars[k - 1], *back = &t.cars[k];
            float gap = front->motion.position.x - back->motion.position.x -
                        back->limits.reference_to_front -
                        (front->limits.length - front->limits.reference_to_front);
            least = kerb_min(least, gap);
        }
    }
    print_message("least gap %g m\n", (double)least);
    assert_int_equal(t.touches, 0);
    assert_true(least > 1.5f);
    assert_true(t.cars[4].motion.position.x > -150.0f);
    traffic_free(&t);
}

// --------------------------------------------------------------------------- what stands

static traffic with_wreck(float corridor, float aside, float heading) {
    traffic t = {.count = 0};
    traffic_car* wreck =
        traffic_add_straight(&t, "pickup", 1, at(50.0f, aside),
                             at(50.0f + kerb_cos(heading), aside + kerb_sin(heading)), 2.0f);
    wreck->wreck = true;
    traffic_add_straight(&t, "pickup", 2, at(0.0f, 0.0f), at(110.0f, 0.0f), corridor);
    return t;
}

static void a_wreck_is_gone_round_within_the_corridor(void** state) {
    (void)state;
    for (int32_t i = 0; i < test_share(12, 4); i++) {
        float aside = -1.5f + 0.5f * (float)(i % 6);
        traffic t = with_wreck(6.0f, aside, i < 6 ? 0.0f : 1.2f);
        float most = 0.0f;
        while (t.time < 40.0 && !t.cars[1].arrived) {
            traffic_step(&t);
            most = kerb_max(most, kerb_abs(t.cars[1].motion.position.y));
        }
        assert_true(t.cars[1].arrived);
        assert_int_equal(t.touches, 0);
        assert_true(most + 0.5f * t.cars[1].limits.width <= 6.0f);
        traffic_free(&t);
    }
}

static void where_there_is_no_room_it_says_so_and_stands_until_there_is(void** state) {
    (void)state;
    traffic t = with_wreck(1.5f, 0.0f, 0.0f);
    while (t.time < 25.0) {
        traffic_step(&t);
        assert_int_not_equal(t.cars[1].controls.reason, KERB_REASON_BACKING_OUT);
    }
    const traffic_car *wreck = &t.cars[0], *car = &t.cars[1];
    float tail =
        wreck->motion.position.x - (wreck->limits.length - wreck->limits.reference_to_front);
    float gap = tail - car->motion.position.x - car->limits.reference_to_front;
    assert_true(gap > 1.5f && gap < 3.5f);
    assert_int_equal(car->controls.reason, KERB_REASON_NO_ROOM);
    // … which it says, and stands there without moving until there is room.
    kerb_vec3 stood = car->motion.position;
    while (t.time < 200.0) {
        traffic_step(&t);
        assert_int_equal(car->controls.reason, KERB_REASON_NO_ROOM);
    }
    assert_true(kerb_vec3_length(kerb_vec3_sub(car->motion.position, stood)) < 0.1f);
    kerb_sim_model model;
    assert_true(kerb_sim_model_named("pickup", &model));
    t.cars[0].vehicle = kerb_sim_vehicle_make(&model, kerb_vec3_make(50.0f, 20.0f, 0.0f), 0.0f);
    t.cars[0].motion = kerb_sim_vehicle_motion(&t.cars[0].vehicle);
    double moved = t.time;
    while (t.time < moved + 30.0 && !car->arrived)
        traffic_step(&t);
    assert_true(car->arrived);
    assert_int_equal(t.touches, 0);
    traffic_free(&t);
}

static void a_wreck_is_not_gone_round_into_what_comes(void** state) {
    (void)state;
    for (int32_t i = 0; i < test_share(20, 5); i++) {
        traffic t = with_wreck(6.0f, 0.0f, 0.0f);
        traffic_add_straight(&t, "pickup", 3, at(70.0f + 8.0f * (float)i, 4.0f), at(-30.0f, 4.0f),
                             2.0f);
        all_get_through(&t, 90.0, i);
    }
}

// --------------------------------------------------------------------------- the follower

static kerb_controls drive_once(kerb_follower* follower, const kerb_path* path,
                                const kerb_surroundings* around) {
    kerb_motion motion = kerb_motion_default();
    motion.velocity.x = 5.0f;
    return kerb_follower_drive(follower, path, &motion, around, 1.0f / 60.0f);
}

// --------------------------------------------------------------------------- going back

// A lane down a slope, in the direction of x.
static traffic_car* add_downhill(traffic* t, const char* model, float slope) {
    kerb_waypoint waypoints[2] = {kerb_waypoint_at(0.0f, 0.0f, 0.0f),
                                  kerb_waypoint_at(100.0f, 0.0f, -100.0f * slope)};
    for (int32_t i = 0; i < 2; i++)
        waypoints[i].left = waypoints[i].right = 3.0f;
    return traffic_add(t, model, 1U, waypoints, 2);
}

// It is asked to make room by 5 m while it stands in the middle of the slope.
static void it_goes_back_uphill_without_rolling_down(void** state) {
    (void)state;
    static const char* const models[] = {"pickup", "buggy", "scout", "carrier", "tank"};
    for (int32_t i = 0; i < 5; i++) {
        traffic t = {.count = 0};
        const float slope = 0.15f;
        traffic_car* car = add_downhill(&t, models[i], slope);
        const float along = 1.0f / kerb_sqrt(1.0f + slope * slope);
        const kerb_sim_ground ground = {.normal = {slope * along, 0.0f, along}, .grip = 1.0f};
        kerb_surroundings around = kerb_surroundings_default();
        float start = 0.0f, least = 1.0e9f, most = -1.0e9f, fastest = 0.0f;
        int32_t since = 0;
        for (int32_t frame = 0; frame < 20 * 60; frame++) {
            const float x = car->motion.position.x;
            car->follower.settings.speed = 5.0f;
            around.held = x >= 30.0f && start <= 0.0f;
            if (around.held && kerb_vec3_length(car->motion.velocity) < 0.05f) {
                around.held = false;
                start = x;
                since = 0;
            }
            if (start > 0.0f && since++ == 1) // in the frame before it got its wheel back
                car->follower.memory.avoid.retreat = 5.0f;
            car->controls = kerb_follower_drive(&car->follower, &car->path, &car->motion, &around,
                                                1.0f / 60.0f);
            for (int32_t step = 0; step < 4; step++)
                kerb_sim_vehicle_step(&car->vehicle, &car->controls, &ground, 1.0f / 240.0f);
            car->motion = kerb_sim_vehicle_motion(&car->vehicle);
            if (start <= 0.0f)
                continue;
            least = kerb_min(least, car->motion.position.x);
            fastest = kerb_max(fastest, -car->motion.velocity.x);
            if (car->follower.memory.avoid.retreat > 0.0f)
                most = kerb_max(most, car->motion.position.x);
        }
        const bool well = start > 0.0f && most < start + 0.3f && least < start - 4.0f &&
                          least > start - 6.0f && fastest > 1.1f;
        if (!well)
            fail_msg("%s stood at %g m, then was between %g and %g m, at most at %g m/s", models[i],
                     (double)start, (double)least, (double)most, (double)fastest);
        traffic_free(&t);
    }
}

static void who_ignores_neighbours_drives_as_if_nobody_were_there(void** state) {
    (void)state;
    traffic t = {.count = 0};
    traffic_car* car = traffic_add_straight(&t, "pickup", 1, at(0, 0), at(100, 0), 3.0f);
    kerb_neighbour other = {
        .id = 2, .position = {12, 0, 0}, .forward = {1, 0}, .length = 4, .width = 2};
    kerb_surroundings alone = kerb_surroundings_default(), around = alone;
    around.neighbours = &other;
    around.neighbour_count = 1;
    for (int32_t i = 0; i < 4; i++) {
        kerb_follower a = car->follower;
        a.settings = kerb_follower_settings_default((kerb_follower_method)(i % 3));
        a.settings.neighbours = i < 3 ? KERB_NEIGHBOURS_AVOID : KERB_NEIGHBOURS_IGNORE;
        kerb_follower b = a;
        kerb_controls with = drive_once(&a, &car->path, &around);
        kerb_controls without = drive_once(&b, &car->path, &alone);
        bool same = with.throttle == without.throttle && with.brake == without.brake &&
                    with.reason == without.reason;
        assert_int_equal(same, i != 0); // only KERB looks
    }
    // A count without neighbours, or none at all, is nobody.
    around.neighbours = NULL;
    kerb_follower a = car->follower, b = a;
    drive_once(&a, &car->path, &around);
    drive_once(&b, &car->path, &alone);
    assert_memory_equal(&a, &b, sizeof a);
    traffic_free(&t);
}

static void a_copy_of_a_follower_among_others_drives_the_same(void** state) {
    (void)state;
    traffic t = {.count = 0};
    for (int32_t k = 0; k < 4; k++)
        add_lane(&t, "pickup", (uint32_t)k, 0.5f * KERB_PI * (float)k, -3.0f, 30.0f, 2.5f);
    while (t.time < 4.0)
        traffic_step(&t);
    static traffic copy;
    copy = t;
    for (int32_t i = 0; i < 600; i++) {
        traffic_step(&t);
        traffic_step(&copy);
        for (int32_t k = 0; k < 4; k++)
            assert_memory_equal(&t.cars[k].motion, &copy.cars[k].motion, sizeof(kerb_motion));
    }
    traffic_free(&t);
}

// Others go by the strip that a vehicle tells. One that is far off its line must not tell that it
// is on it.
static void a_strip_begins_where_the_vehicle_is_and_leads_back_to_its_line(void** state) {
    (void)state;
    kerb_random random = test_random("strips");
    for (int32_t i = 0; i < 1000; i++) {
        traffic t = {.time = 0.0};
        const float aside = kerb_random_between(&random, -12.0f, 12.0f);
        traffic_car* car = traffic_add_straight(&t, i % 2 == 0 ? "hovercraft" : "pickup", 1,
                                                at(0.0f, 0.0f), at(200.0f, 0.0f), 20.0f);
        car->motion.position.x = kerb_random_between(&random, 20.0f, 80.0f);
        car->motion.position.y = aside;
        kerb_intent intent;
        (void)kerb_follower_drive(&car->follower, &car->path, &car->motion, NULL, 1.0f / 60.0f);
        kerb_follower_intent(&car->follower, &car->path, &intent);
        assert_true(intent.count > 2);
        assert_true(fabsf(intent.points[0].x - car->motion.position.x) < 0.5f);
        assert_true(fabsf(intent.points[0].y - aside) < 1.01f); // usual errors are left out
        assert_true(fabsf(intent.points[intent.count - 1].y) < 0.5f);
        for (int32_t k = 1; k < intent.count; k++) {
            const float step = fabsf(intent.points[k].y - intent.points[k - 1].y);
            assert_true(step < 0.8f * intent.spacing);
            assert_true(fabsf(intent.points[k].y) <= fabsf(intent.points[k - 1].y) + 1e-3f);
        }
        traffic_free(&t);
    }
}

int traffic_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_strip_begins_where_the_vehicle_is_and_leads_back_to_its_line),
        cmocka_unit_test(two_at_a_crossing_get_through_whenever_they_come_and_at_any_angle),
        cmocka_unit_test(four_at_a_crossing_of_two_streets_get_through),
        cmocka_unit_test(four_that_come_at_once_from_rest_get_through),
        cmocka_unit_test(vehicles_of_all_kinds_get_through_a_crossing),
        cmocka_unit_test(left_turns_across_one_another_get_through),
        cmocka_unit_test(eight_at_a_crossing_with_all_turns_get_through),
        cmocka_unit_test(intents_that_are_not_sound_change_nothing_but_are_survived),
        cmocka_unit_test(head_on_in_a_street_of_two_ways_both_keep_right),
        cmocka_unit_test(it_follows_through_stop_and_go),
        cmocka_unit_test(a_wreck_is_gone_round_within_the_corridor),
        cmocka_unit_test(where_there_is_no_room_it_says_so_and_stands_until_there_is),
        cmocka_unit_test(a_wreck_is_not_gone_round_into_what_comes),
        cmocka_unit_test(it_goes_back_uphill_without_rolling_down),
        cmocka_unit_test(who_ignores_neighbours_drives_as_if_nobody_were_there),
        cmocka_unit_test(a_copy_of_a_follower_among_others_drives_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
