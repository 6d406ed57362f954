// The company of bots round a player: its orders for made-up places, what a view sees, and a road
// full of bots round a human who speeds, brakes and weaves.
#include "kerb/lane_company.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "scene/lane/lane_player.h"
#include "test/seed.h"

#include <math.h>

#define STEP (1.0f / 60.0f)

// --------------------------------------------------------------------------- orders

// Two lanes each way, a player in the left one at 20 m/s.
typedef struct road {
    kerb_lane_company company;
    kerb_lane_player player;
    kerb_lane_bot bots[KERB_LANE_COMPANY_BOTS_MAX];
    kerb_lane_order orders[KERB_LANE_COMPANY_BOTS_MAX];
    int32_t count;
} company_rig;

static company_rig make(void) {
    company_rig r = {.company = kerb_lane_company_make(), .player = {20.0f, 5.25f}};
    return r;
}

static void put(company_rig* r, float along, float speed, int32_t lane, bool oncoming) {
    kerb_lane_bot bot = {.distance_ahead = along,
                         .speed = speed,
                         .edge_distance = ((float)lane + 0.5f) * 3.5f,
                         .oncoming = oncoming};
    r->bots[r->count++] = bot;
}

static void drive(company_rig* r, float seconds) {
    int frames = (int)(seconds / STEP - 0.001f) + 1;
    for (int i = 0; i < frames; i++)
        kerb_lane_company_drive(&r->company, &r->player, r->bots, r->count, STEP, r->orders);
}

static void who_is_before_its_place_drives_slower_and_who_is_behind_it_faster(void** state) {
    (void)state;
    const kerb_lane_company_settings s = kerb_lane_company_settings_default();
    float spacing = s.bot_length + s.gap_min + s.gap_time * 20.0f;
    static const float off[] = {-40.0f, -10.0f, 0.0f, 10.0f, 40.0f};
    for (int i = 0; i < 5; i++) {
        for (int side = -1; side <= 1; side += 2) {
            company_rig r = make();
            float place = 2.0f * spacing * (float)side; // the second of its row
            put(&r, spacing * (float)side, 20.0f, 1, false);
            put(&r, place + off[i], 20.0f, 1, false);
            drive(&r, STEP);
            float expected = 20.0f - fminf(fmaxf(s.position_gain * off[i], -s.position_speed_max),
                                           s.position_speed_max);
            if (fabsf(place + off[i]) > spacing) // else it is the first
                assert_float_equal(r.orders[1].speed, expected, 1e-3f);
        }
    }
}

static void oncoming_bots_keep_their_own_speed_and_lane(void** state) {
    (void)state;
    company_rig r = make();
    put(&r, 50.0f, 12.0f, 1, true);
    drive(&r, 1.0f);
    assert_float_equal(r.orders[0].speed, r.company.settings.oncoming_speed, 0.0f);
    assert_float_equal(r.orders[0].edge_distance, 5.25f, 1e-6f);
    assert_false(r.orders[0].respawn);
}

// Gaps by time leave a fast player few of its own direction, where that has one lane.
static void on_a_narrow_road_oncoming_bots_are_slower_and_closer_where_the_player_is_fast(
    void** state) {
    (void)state;
    for (int lanes = 1; lanes <= 2; lanes++) {
        float last = 1.0e9f;
        for (float speed = 5.0f; speed <= 30.0f; speed += 5.0f) {
            company_rig r = make();
            r.company.settings.lanes = r.company.settings.oncoming_lanes = lanes;
            r.player.speed = speed;
            r.player.edge_distance = 1.75f;
            put(&r, 50.0f, 12.0f, 0, true);
            drive(&r, STEP);
            assert_true(r.orders[0].speed <= last);
            last = r.orders[0].speed;
            const kerb_lane_company_settings* s = &r.company.settings;
            float mine = s->bot_length + s->gap_min + s->gap_time * speed;
            float theirs = s->bot_length + s->gap_min + s->gap_time * last;
            float places =
                200.0f * (float)lanes * (1.0f / kerb_max(mine, s->spacing_min) + 1.0f / theirs);
            assert_true(places >= 13.0f);
        }
        assert_true(lanes == 1 ? last < 15.0f : last == 20.0f);
    }
}

static void who_holds_the_player_up_changes_lanes_after_patience_and_only_with_room(void** state) {
    (void)state;
    for (int beside = 0; beside < 2; beside++) {
        company_rig r = make();
        put(&r, 12.0f, 19.0f, 1, false);
        if (beside)
            put(&r, 15.0f, 19.0f, 0, false);
        drive(&r, r.company.settings.patience - 0.1f);
        assert_int_equal(r.orders[0].lane, 1);
        drive(&r, 0.3f);
        assert_int_equal(r.orders[0].lane, beside ? 1 : 0);
    }
}

static void who_has_not_left_its_lane_is_called_back_when_the_room_is_gone(void** state) {
    (void)state;
    for (int taken = 0; taken < 2; taken++) {
        company_rig r = make();
        put(&r, 15.0f, 18.0f, 1, false); // holds the player up
        drive(&r, r.company.settings.patience + 0.5f);
        assert_int_equal(r.orders[0].lane, 0);
        put(&r, 17.0f, 18.0f, 0, false);
        r.bots[1].distance_ahead = taken ? 17.0f : 80.0f;
        drive(&r, STEP);
        assert_int_equal(r.orders[0].lane, taken ? 1 : 0);
    }
}

static void while_it_is_held_up_the_road_ahead_drives_on(void** state) {
    (void)state;
    company_rig r = make();
    r.company.settings.lanes = 1;
    r.player.edge_distance = 1.75f;
    put(&r, 12.0f, 20.0f, 0, false);
    drive(&r, 1.0f);
    float before = r.orders[0].speed;
    drive(&r, 3.0f);
    assert_true(r.orders[0].speed > before + 1.5f);
    drive(&r, 60.0f);
    assert_true(r.orders[0].speed <= r.company.settings.speed_max);
}

static void the_last_one_of_a_row_that_nobody_sees_goes_to_the_other_end(void** state) {
    (void)state;
    for (int seen = 0; seen < 2; seen++) {
        for (int side = -1; side <= 1; side += 2) {
            company_rig r = make();
            for (int i = 1; i <= 4; i++)
                put(&r, 60.0f * (float)(i * side), 20.0f, 0, false);
            r.bots[3].seen = seen;
            drive(&r, STEP);
            assert_int_equal(r.orders[3].respawn, !seen);
            if (seen)
                continue;
            const kerb_lane_company_settings* s = &r.company.settings;
            if (side < 0)
                assert_true(r.orders[3].respawn_distance_ahead >= s->spawn_distance_ahead);
            else
                assert_true(r.orders[3].respawn_distance_ahead <= -s->spawn_distance_behind);
            for (int i = 0; i < 3; i++)
                assert_false(r.orders[i].respawn);
        }
    }
}

static void oncoming_bots_that_are_through_begin_anew_ahead_apart_from_each_other(void** state) {
    (void)state;
    company_rig r = make();
    put(&r, -100.0f, 20.0f, 0, true);
    put(&r, 310.0f, 20.0f, 0, true);
    drive(&r, STEP);
    assert_true(r.orders[0].respawn && r.orders[0].respawn_oncoming);
    const kerb_lane_company_settings* s = &r.company.settings;
    float spacing = s->bot_length + s->gap_min + s->gap_time * s->oncoming_speed;
    assert_true(r.orders[0].respawn_distance_ahead >= s->spawn_distance_ahead);
    assert_true(r.orders[0].respawn_distance_ahead >= 310.0f + spacing);
}

static void a_place_that_was_refused_is_followed_by_one_farther_off(void** state) {
    (void)state;
    for (int oncoming = 0; oncoming < 2; oncoming++) {
        company_rig r = make();
        for (int i = 0; i < 3; i++)
            put(&r, -100.0f - 40.0f * (float)i, 20.0f, 0, oncoming);
        float before = 0.0f, hidden = r.company.settings.spawn_distance_ahead;
        for (int i = 0; i < 5; i++) {
            drive(&r, STEP);
            assert_true(r.orders[2].respawn && r.orders[2].respawn_distance_ahead > before);
            before = r.orders[2].respawn_distance_ahead;
        }
        if (!oncoming)
            continue;
        r.bots[2].distance_ahead = 700.0f; // put down: the next one may go to the first place again
        drive(&r, STEP);
        assert_true(r.orders[1].respawn);
        assert_float_equal(r.orders[1].respawn_distance_ahead, hidden, 1e-3f);
    }
}

static void oncoming_bots_fill_the_first_gap_of_their_row(void** state) {
    (void)state;
    company_rig r = make();
    put(&r, -100.0f, 20.0f, 0, true);
    put(&r, 330.0f, 8.0f, 0, true);
    put(&r, 520.0f, 8.0f, 0, true);
    drive(&r, STEP);
    const kerb_lane_company_settings* s = &r.company.settings;
    // Three of them share the road that is driven.
    float spacing = (s->spawn_distance_ahead + s->spawn_distance_behind) / 3.0f;
    assert_false(r.orders[0].respawn && r.orders[0].respawn_distance_ahead < 330.0f + spacing);
    for (int i = 0; i < 6; i++)
        put(&r, -101.0f - (float)i, 20.0f, 0, true);
    drive(&r, STEP); // dense enough now, at the speed of who drives there
    spacing = (s->spawn_distance_ahead + s->spawn_distance_behind) / 9.0f;
    assert_true(spacing > s->bot_length + s->gap_min + s->gap_time * 8.0f);
    assert_true(r.orders[8].respawn);
    assert_float_equal(r.orders[8].respawn_distance_ahead, 330.0f + spacing, 0.02f);
}

static void who_has_no_place_in_the_rows_beside_the_player_comes_towards_it(void** state) {
    (void)state;
    for (int i = 0; i < 8; i++) {
        kerb_lane_company company = kerb_lane_company_make();
        const kerb_lane_company_settings* s = &company.settings;
        company.settings.lanes = company.settings.oncoming_lanes = 1 + i % 2;
        kerb_lane_player player = {8.0f * (float)(i / 2) + 4.0f, 1.75f};
        kerb_lane_order orders[KERB_LANE_COMPANY_BOTS_MAX];
        kerb_lane_company_begin(&company, &player, 40, orders);
        float spacing = s->bot_length + s->gap_min + s->gap_time * player.speed;
        float places =
            (s->spawn_distance_ahead + s->spawn_distance_behind) / fmaxf(spacing, s->spacing_min);
        int32_t same = 0, share = 40 - (int32_t)(s->oncoming_share * 40.0f + 0.5f);
        for (int32_t k = 0; k < 40; k++)
            same += !orders[k].respawn_oncoming;
        int32_t most = s->lanes * (int32_t)places;
        assert_int_equal(same, share < most ? share : most);
    }
}

static void at_the_beginning_nobody_is_nearer_to_another_than_the_gaps_say(void** state) {
    (void)state;
    kerb_random random = test_random("company_begin");
    for (int n = 0; n < 200; n++) {
        kerb_lane_company company = kerb_lane_company_make();
        company.settings.lanes = 1 + kerb_random_below(&random, KERB_LANE_COMPANY_LANES_MAX);
        company.settings.oncoming_lanes =
            kerb_random_below(&random, KERB_LANE_COMPANY_LANES_MAX + 1);
        kerb_lane_player player = {kerb_random_between(&random, 0.0f, 40.0f),
                                   kerb_random_between(&random, 0.0f, 20.0f)};
        kerb_lane_order orders[KERB_LANE_COMPANY_BOTS_MAX];
        int32_t count = kerb_random_below(&random, KERB_LANE_COMPANY_BOTS_MAX + 1);
        kerb_lane_company_begin(&company, &player, count, orders);
        float least = company.settings.bot_length + company.settings.gap_min;
        for (int32_t i = 0; i < count; i++) {
            int32_t lanes = orders[i].respawn_oncoming ? company.settings.oncoming_lanes
                                                       : company.settings.lanes;
            assert_true(orders[i].respawn && orders[i].lane >= 0 && orders[i].lane < lanes);
            for (int32_t k = 0; k < i; k++)
                if (orders[i].lane == orders[k].lane &&
                    orders[i].respawn_oncoming == orders[k].respawn_oncoming)
                    assert_true(fabsf(orders[i].respawn_distance_ahead -
                                      orders[k].respawn_distance_ahead) >= least);
        }
    }
}

static void numbers_that_are_not_finite_never_come_out_as_orders(void** state) {
    (void)state;
    kerb_random random = test_random("company_nonsense");
    static const float odd[] = {NAN, INFINITY, -INFINITY, 0.0f, 1e30f, -1e30f, 12.0f, -90.0f};
    company_rig r = make();
    for (int n = 0; n < 3000; n++) {
        r.count = kerb_random_below(&random, 12);
        for (int32_t i = 0; i < r.count; i++) {
            kerb_lane_bot bot = {.distance_ahead = odd[kerb_random_below(&random, 8)],
                                 .speed = odd[kerb_random_below(&random, 8)],
                                 .edge_distance = odd[kerb_random_below(&random, 8)],
                                 .oncoming = kerb_random_below(&random, 2) == 0};
            r.bots[i] = bot;
        }
        bool good = n % 3 > 0;
        r.player.speed = good ? 20.0f : NAN;
        int32_t bad = r.company.bad_frames;
        drive(&r, STEP);
        assert_int_equal(r.company.bad_frames, good ? bad : bad + 1);
        for (int32_t i = 0; i < r.count; i++)
            assert_true(isfinite(r.orders[i].speed) && isfinite(r.orders[i].edge_distance) &&
                        (!r.orders[i].respawn || isfinite(r.orders[i].respawn_distance_ahead)));
        if (good)
            assert_true(isfinite(r.company.pace));
    }
}

// --------------------------------------------------------------------------- views

static void a_view_sees_what_a_search_over_the_ball_finds_in_its_cone(void** state) {
    (void)state;
    kerb_random random = test_random("company_view");
    int32_t seen_count = 0;
    for (int n = 0; n < 400; n++) {
        float heading = kerb_random_between(&random, -3.0f, 3.0f);
        kerb_lane_view view = {.direction =
                                   kerb_vec3_make(kerb_cos(heading), kerb_sin(heading), 0.0f),
                               .half_angle = kerb_random_between(&random, 0.05f, 1.5f),
                               .far_distance = 100.0f,
                               .near_distance = 5.0f};
        kerb_vec3 centre = kerb_vec3_make(kerb_random_between(&random, -120.0f, 120.0f),
                                          kerb_random_between(&random, -120.0f, 120.0f), 0.0f);
        float radius = 4.0f;
        bool found = false;
        for (int i = 0; i < 4000; i++) { // level: the ball's nearest points to the cone are
            float angle = (float)i * 0.0157f, r = radius * (float)(1 + i % 10) / 10.0f;
            float x = centre.x + r * cosf(angle), y = centre.y + r * sinf(angle);
            float distance = hypotf(x, y);
            float off = kerb_wrap_angle(atan2f(y, x) - heading);
            found = found || distance <= view.near_distance ||
                    (distance <= view.far_distance && fabsf(off) <= view.half_angle);
        }
        bool sees = kerb_lane_view_sees(&view, centre, radius);
        seen_count += sees;
        if (found)
            assert_true(sees); // and it errs to the safe side by a little only
        else if (sees)
            assert_true(kerb_lane_view_sees(&view, centre, 0.9f * radius) == false ||
                        kerb_vec3_length(centre) > view.far_distance - 2.0f * radius);
    }
    assert_true(seen_count > 40);
    kerb_lane_view view = {
        .direction = {1.0f, 0.0f, 0.0f}, .half_angle = 0.3f, .far_distance = 10.0f};
    assert_true(kerb_lane_view_sees(&view, kerb_vec3_make(-3.0f, 0.0f, 0.0f), 4.0f));
    assert_false(kerb_lane_view_sees(&view, kerb_vec3_make(-5.0f, 0.0f, 0.0f), 4.0f));
    assert_true(kerb_lane_view_sees(&view, kerb_vec3_make(NAN, 0.0f, 0.0f), 1.0f));
}

// --------------------------------------------------------------------------- on the road

static void count_put_downs(void* context, double time, const kerb_scene_lane_driver* drivers,
                            int32_t count, kerb_scene_lane_mood mood) {
    (void)time, (void)count, (void)mood;
    *(int32_t*)context += drivers[0].moved;
}

static kerb_scene_lane_player_result play(kerb_scene_lane_style style, uint64_t seed,
                                          double seconds) {
    kerb_host host = kerb_host_default();
    kerb_waypoint* waypoints;
    int32_t count;
    kerb_scene_lane_road road;
    kerb_sim_model model;
    assert_true(kerb_sim_model_named("road", &model));
    assert_int_equal(kerb_scene_lane_country(seed, 4000.0f, &host, &waypoints, &count, NULL),
                     KERB_OK);
    assert_int_equal(kerb_scene_lane_road_create(&road, waypoints, count, false, &host, NULL),
                     KERB_OK);
    host.allocator.release(host.allocator.context, waypoints, (size_t)count * sizeof *waypoints);
    kerb_scene_lane_player_plan plan = kerb_scene_lane_player_plan_default(&road, &model);
    plan.style = style;
    plan.seed = seed;
    plan.seconds = seconds;
    int32_t put_down = 0;
    plan.watch = count_put_downs;
    plan.context = &put_down;
    kerb_scene_lane_player_result result;
    assert_int_equal(kerb_scene_lane_player_run(&plan, &host, &result, NULL), KERB_OK);
    kerb_scene_lane_road_destroy(&road);
    // Recordings leave out where somebody is put down; the player drives but after its accidents.
    assert_true(put_down <= result.put_back + result.cleared);
    return result;
}

static void the_road_stays_busy_and_no_bot_causes_a_collision(void** state) {
    (void)state;
    for (int32_t style = 0; style < test_share(KERB_SCENE_LANE_STYLES, 2); style++) {
        kerb_scene_lane_player_result r = play((kerb_scene_lane_style)style, 1, 45.0);
        assert_true(r.finished && r.driven > 200.0);
        assert_int_equal(r.collisions_by_bots, 0);
        assert_int_equal(r.appeared_in_view, 0);
        assert_true(r.moves > 10);
        assert_true(r.near_share >= 0.95);
        assert_true(r.rays <= 6.0);
        assert_true(r.error_mean <= 0.10);
    }
}

static void the_same_seed_gives_the_same_drive(void** state) {
    (void)state;
    kerb_scene_lane_player_result a = play(KERB_SCENE_LANE_HASTY, 5, 10.0);
    kerb_scene_lane_player_result b = play(KERB_SCENE_LANE_HASTY, 5, 10.0);
    assert_memory_equal(&a, &b, sizeof a);
}

int lane_company_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_is_before_its_place_drives_slower_and_who_is_behind_it_faster),
        cmocka_unit_test(oncoming_bots_keep_their_own_speed_and_lane),
        cmocka_unit_test(
            on_a_narrow_road_oncoming_bots_are_slower_and_closer_where_the_player_is_fast),
        cmocka_unit_test(who_holds_the_player_up_changes_lanes_after_patience_and_only_with_room),
        cmocka_unit_test(who_has_not_left_its_lane_is_called_back_when_the_room_is_gone),
        cmocka_unit_test(while_it_is_held_up_the_road_ahead_drives_on),
        cmocka_unit_test(the_last_one_of_a_row_that_nobody_sees_goes_to_the_other_end),
        cmocka_unit_test(oncoming_bots_that_are_through_begin_anew_ahead_apart_from_each_other),
        cmocka_unit_test(a_place_that_was_refused_is_followed_by_one_farther_off),
        cmocka_unit_test(oncoming_bots_fill_the_first_gap_of_their_row),
        cmocka_unit_test(who_has_no_place_in_the_rows_beside_the_player_comes_towards_it),
        cmocka_unit_test(at_the_beginning_nobody_is_nearer_to_another_than_the_gaps_say),
        cmocka_unit_test(numbers_that_are_not_finite_never_come_out_as_orders),
        cmocka_unit_test(a_view_sees_what_a_search_over_the_ball_finds_in_its_cone),
        cmocka_unit_test(the_road_stays_busy_and_no_bot_causes_a_collision),
        cmocka_unit_test(the_same_seed_gives_the_same_drive),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
