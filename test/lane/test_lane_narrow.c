// Roads that are hard on lane keepers: a short S that leaves a straight way through, hairpins in a
// queue; and bots on roads with one lane each way.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "scene/lane/lane_player.h"
#include "scene/race/tracks.h"
#include "test/lane/lane_rig.h"
#include "test/seed.h"

static lane_rig rig;

static kerb_scene_lane_result run(const kerb_scene_lane_plan* plan) {
    kerb_host host = kerb_host_default();
    kerb_scene_lane_result result;
    assert_int_equal(kerb_scene_lane_run(plan, &host, &result, NULL), KERB_OK);
    return result;
}

// --------------------------------------------------------------------------- alone

// A road for two lanes and more, whose edges come back to where they were so soon that one can look
// past the bends from far away.
static void build_short_s(float radius, float turn) {
    lane_begin(&rig, 7.2f, 7.2f);
    lane_add(&rig, 300.0f, 0.0f);
    lane_bend(&rig, radius, turn);
    lane_add(&rig, 5.0f, 0.0f);
    lane_bend(&rig, radius, -turn);
    lane_add(&rig, 200.0f, 0.0f);
    assert_int_equal(lane_build(&rig, false), KERB_OK);
    assert_true(kerb_sim_model_named("road", &rig.model));
}

static void a_short_s_past_which_it_sees_is_slowed_for_in_time(void** state) {
    (void)state;
    static const float radii[] = {45.0f, 60.0f, 80.0f};
    for (int i = 0; i < 12; i++) {
        build_short_s(radii[i / 4], i % 2 == 0 ? 0.26f : -0.26f);
        kerb_scene_lane_plan plan = kerb_scene_lane_plan_default(&rig.road, &rig.model);
        plan.settings.edge = i / 2 % 2 == 0 ? KERB_LANE_RIGHT : KERB_LANE_LEFT;
        plan.settings.speed = 34.0f;
        plan.start_speed = 30.0f;
        kerb_scene_lane_result result = run(&plan);
        assert_true(result.finished);
        assert_true(result.error_mean <= 0.10);
        assert_true(result.error_max <= 0.5);
        assert_int_equal(result.edge_touches, 0);
        kerb_scene_lane_road_destroy(&rig.road);
    }
}

// --------------------------------------------------------------------------- in a queue

// A wide road round a hairpin of straight pieces 5 m long; the inner edge is hardly more than a
// corner.
static void build_hairpin(float side, float before) {
    static const float turns[] = {0.03f, 0.04f, 0.16f, 0.46f, 0.49f,
                                  0.45f, 0.43f, 0.34f, 0.17f, 0.03f};
    lane_begin(&rig, 10.2f, 10.2f);
    lane_add(&rig, before, 0.0f);
    for (int i = 0; i < 10; i++)
        lane_add_piece(&rig, 5.0f, turns[i] * side);
    lane_add(&rig, 150.0f, 0.0f);
    assert_int_equal(lane_build(&rig, false), KERB_OK);
    assert_true(kerb_sim_model_named("road", &rig.model));
}

// Cars that were farther off their lane than that.
static void watch_lost(void* context, double time, const kerb_scene_lane_car* cars, int32_t count) {
    (void)time;
    bool* lost = context;
    for (int32_t i = 0; i < count; i++)
        lost[i] = lost[i] || kerb_abs(cars[i].lane_error) > 8.0f;
}

// Beside the corner they turn as tight as they can, one behind the other, at all gaps. Which goes
// wide there, the least change decides: what counts is how many of 234. Where P_Ahead turns back at
// the corner as it comes nearer, it is eight collisions, and thirteen over the edge.
static void nine_in_a_row_get_round_a_hairpin_whose_inner_edge_is_a_corner(void** state) {
    (void)state;
    int32_t lost_count = 0, collisions = 0, edge_touches = 0;
    for (int32_t i = 0; i < test_share(26, 8); i++) {
        build_hairpin(i % 2 == 0 ? 1.0f : -1.0f, 280.0f + 0.7f * (float)(i % 24));
        kerb_scene_lane_plan plan = kerb_scene_lane_plan_default(&rig.road, &rig.model);
        plan.settings.edge = i % 2 == 0 ? KERB_LANE_LEFT : KERB_LANE_RIGHT;
        plan.settings.obstacles = KERB_LANE_STAY;
        plan.settings.gap_time = 1.0f;
        plan.cars = 9;
        plan.spacing = 18.0f + 0.37f * (float)i;
        plan.start_speed = 15.0f;
        bool lost[9] = {false};
        plan.watch = watch_lost;
        plan.context = lost;
        kerb_scene_lane_result result = run(&plan);
        assert_true(result.finished);
        for (int k = 0; k < 9; k++)
            lost_count += lost[k];
        collisions += result.collisions;
        edge_touches += result.edge_touches;
        kerb_scene_lane_road_destroy(&rig.road);
    }
    assert_true(lost_count <= 3);
    assert_true(collisions <= 1);
    assert_true(edge_touches <= 3);
}

// --------------------------------------------------------------------------- face to face

// One lane each way, and every 60 m somebody is parked in the first car's, also round a bend past
// which nobody sees: between two of them there is hardly room to let four others by.
static void build_bend_with_cars_parked(kerb_scene_lane_plan* plan, float radius, float side) {
    lane_begin(&rig, 3.5f, 3.5f);
    lane_add(&rig, 200.0f, 0.0f);
    lane_bend(&rig, radius, 1.5f * side);
    lane_add(&rig, 200.0f, 0.0f);
    assert_int_equal(lane_build(&rig, false), KERB_OK);
    assert_true(kerb_sim_model_named("road", &rig.model));
    *plan = kerb_scene_lane_plan_default(&rig.road, &rig.model);
    plan->scenario = KERB_SCENE_LANE_AVOID;
    plan->obstacle_spacing = 60.0f;
}

// Where nobody gives way, seven to eleven of the 24 stand face to face until time is up.
static void those_who_meet_beside_parked_cars_give_way_and_get_past_each_other(void** state) {
    (void)state;
    int32_t collisions = 0, edge_touches = 0;
    for (int32_t i = 0; i < test_share(24, 8); i++) {
        kerb_scene_lane_plan plan;
        build_bend_with_cars_parked(&plan, 20.0f + 5.0f * (float)(i / 2),
                                    i % 2 == 0 ? 1.0f : -1.0f);
        plan.settings.edge = i % 4 < 2 ? KERB_LANE_RIGHT : KERB_LANE_LEFT;
        plan.settings.speed = 18.0f;
        plan.cars = 5;
        plan.oncoming = 4;
        plan.spacing = 0.0f;
        kerb_scene_lane_result result = run(&plan);
        assert_true(result.finished);
        collisions += result.collisions;
        edge_touches += result.edge_touches;
        kerb_scene_lane_road_destroy(&rig.road);
    }
    assert_true(collisions <= 1);
    assert_true(edge_touches <= 1);
}

// --------------------------------------------------------------------------- round a player

typedef struct put_downs {
    const kerb_path* path;
    int32_t count;
    float most; // turn of the road [rad]
} put_downs;

// How much the road turns from a little before to some way ahead of who was put down.
static void watch_put_downs(void* context, double time, const kerb_scene_lane_driver* drivers,
                            int32_t count, kerb_scene_lane_mood mood) {
    (void)mood;
    put_downs* seen = context;
    for (int32_t i = 1; i < count && time > 1.0; i++) {
        if (!drivers[i].moved)
            continue;
        float way = drivers[i].oncoming ? -1.0f : 1.0f, turn = 0.0f;
        kerb_path_location at = kerb_path_advance(seen->path, drivers[i].place, -4.0f * way);
        kerb_vec3 before = kerb_path_sample_at(seen->path, at).direction;
        for (int n = 0; n < 16; n++) {
            at = kerb_path_advance(seen->path, at, way);
            kerb_vec3 then = kerb_path_sample_at(seen->path, at).direction;
            turn += kerb_abs(before.x * then.y - before.y * then.x);
            before = then;
        }
        seen->count++;
        seen->most = kerb_max(seen->most, turn);
    }
}

static void nobody_is_put_down_in_a_tight_bend_and_the_road_is_busy(void** state) {
    (void)state;
    kerb_host host = kerb_host_default();
    kerb_scene_track track;
    assert_int_equal(kerb_scene_track_make("vamos", &host, &track, NULL), KERB_OK);
    assert_int_equal(kerb_scene_lane_road_create(&rig.road, track.waypoints, track.count,
                                                 track.closed, &host, NULL),
                     KERB_OK);
    kerb_scene_track_free(&track, &host);
    assert_true(kerb_sim_model_named("road", &rig.model));
    kerb_scene_lane_player_plan plan = kerb_scene_lane_player_plan_default(&rig.road, &rig.model);
    plan.seconds = 60.0;
    put_downs seen = {.path = &rig.road.path};
    plan.watch = watch_put_downs;
    plan.context = &seen;
    kerb_scene_lane_player_result result;
    assert_int_equal(kerb_scene_lane_player_run(&plan, &host, &result, NULL), KERB_OK);
    assert_int_equal(plan.company.lanes, 1);
    assert_true(seen.count > 10);
    assert_true(seen.most < 0.4f);
    assert_int_equal(result.collisions_by_bots, 0);
    assert_int_equal(result.appeared_in_view, 0);
    assert_true(result.near_share >= 0.95);
    kerb_scene_lane_road_destroy(&rig.road);
}

int lane_narrow_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_short_s_past_which_it_sees_is_slowed_for_in_time),
        cmocka_unit_test(nine_in_a_row_get_round_a_hairpin_whose_inner_edge_is_a_corner),
        cmocka_unit_test(those_who_meet_beside_parked_cars_give_way_and_get_past_each_other),
        cmocka_unit_test(nobody_is_put_down_in_a_tight_bend_and_the_road_is_busy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
