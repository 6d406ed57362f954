// Whose lane somebody is in, far ahead, where the road bends otherwise there than here.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "test/lane/lane_rig.h"
#include "test/seed.h"

#define OWN 1.75f // from the right edge [m]
#define WIDTH 9.0f

static lane_rig rig;

// A right or left bend that tightens, or turns over into one the other way.
static double build_changing_bend(kerb_random* random) {
    float side = kerb_random_between(random, -1.0f, 1.0f) < 0.0f ? -1.0f : 1.0f;
    float over = kerb_random_between(random, -1.0f, 1.0f) < 0.0f ? -1.0f : 1.0f;
    float mild = kerb_random_between(random, 90.0f, 200.0f);
    float sharp = kerb_random_between(random, 30.0f, 70.0f);
    float way = kerb_random_between(random, 30.0f, 70.0f);
    lane_begin(&rig, 0.5f * WIDTH, 0.5f * WIDTH);
    lane_add(&rig, 80.0f, 0.0f);
    lane_bend(&rig, mild, side * way / mild);
    lane_bend(&rig, sharp, side * over * 1.0f);
    lane_add(&rig, 100.0f, 0.0f);
    assert_int_equal(lane_build(&rig, false), KERB_OK);
    return 80.0 + (double)way; // where the second bend begins
}

static kerb_scene_lane_box car_at(double along, float from_right) {
    kerb_path_sample s =
        kerb_path_sample_at(&rig.road.path, kerb_path_locate(&rig.road.path, along));
    float aside = from_right - s.right;
    kerb_scene_lane_box box = {
        .forward = kerb_vec2_make(s.direction.x, s.direction.y), .length = 4.5f, .width = 1.8f};
    box.centre =
        kerb_vec2_make(s.position.x - s.direction.y * aside, s.position.y + s.direction.x * aside);
    return box;
}

typedef struct drive {
    kerb_lane_keeper keeper;
    kerb_sim_vehicle vehicle;
    kerb_path_location place;
    bool avoided; // ever
    bool touched; // him who stands, while he was there
    float off;    // from its lane, at most [m]
} drive;

static drive begin_drive(void) {
    kerb_scene_lane_box start = car_at(5.0, OWN);
    drive d = {.keeper = kerb_lane_keeper_make(&rig.model.vehicle)};
    d.vehicle = kerb_sim_vehicle_make(&rig.model,
                                      kerb_vec3_make(start.centre.x, start.centre.y, 0.0f), 0.0f);
    d.keeper.settings.edge_distance = OWN;
    d.keeper.settings.speed = 20.0f;
    kerb_sim_body body = kerb_sim_vehicle_body(&d.vehicle);
    body.forward = 15.0f;
    kerb_sim_vehicle_set_body(&d.vehicle, &body);
    d.place = kerb_path_locate(&rig.road.path, 5.0);
    return d;
}

// By the corners and sides' middles of the one in the other's rectangle.
static bool touches(const drive* d, const kerb_scene_lane_box* stands) {
    kerb_scene_lane_box own = kerb_scene_lane_box_of(&rig.road, &d->vehicle, d->place.segment);
    for (int32_t i = 0; i < 9; i++) {
        float along = 0.5f * own.length * (float)(i / 3 - 1);
        float aside = 0.5f * own.width * (float)(i % 3 - 1);
        kerb_vec2 point = {own.centre.x + own.forward.x * along - own.forward.y * aside,
                           own.centre.y + own.forward.y * along + own.forward.x * aside};
        kerb_vec2 off = kerb_vec2_sub(point, stands->centre);
        if (kerb_abs(kerb_vec2_dot(stands->forward, off)) < 0.5f * stands->length &&
            kerb_abs(kerb_vec2_cross(stands->forward, off)) < 0.5f * stands->width)
            return true;
    }
    return false;
}

static void step_drive(drive* d, const kerb_scene_lane_box* stands, bool is_there) {
    kerb_motion motion = kerb_sim_vehicle_motion(&d->vehicle);
    kerb_lane_ray rays[KERB_LANE_RAYS_MAX];
    kerb_lane_hit hits[KERB_LANE_RAYS_MAX];
    int32_t count = kerb_lane_keeper_rays(&d->keeper, &motion, rays);
    for (int32_t i = 0; i < count; i++)
        hits[i] = kerb_scene_lane_road_cast(&rig.road, d->place.segment, stands, is_there ? 1 : 0,
                                            -1, &rays[i]);
    kerb_controls controls =
        kerb_lane_keeper_drive(&d->keeper, rays, hits, count, &motion, NULL, 1.0f / 60.0f);
    const kerb_sim_ground ground = {.normal = {0.0f, 0.0f, 1.0f}, .grip = 1.0f};
    for (int i = 0; i < 4; i++)
        kerb_sim_vehicle_step(&d->vehicle, &controls, &ground, 1.0f / 240.0f);
    motion = kerb_sim_vehicle_motion(&d->vehicle);
    d->place = kerb_path_track(&rig.road.path, d->place, motion.position,
                               kerb_quat_forward(motion.rotation));
    d->touched = d->touched || (is_there && touches(d, stands));
    d->avoided = d->avoided || d->keeper.decision.avoiding;
    kerb_path_sample s = kerb_path_sample_at(&rig.road.path, d->place);
    float right = s.right + kerb_path_cross_track(&rig.road.path, d->place, motion.position);
    d->off = kerb_max(d->off, kerb_abs(right - OWN));
}

// Past somebody who stands there, or so long that it must have stopped. He is there from 60 m on:
// where all rays end at him from the beginning nothing says where the lane leads.
static double drive_past(drive* d, const kerb_scene_lane_box* stands, double at) {
    double along = 0.0;
    for (int n = 0; n < 60 * 40 && along < at + 20.0; n++) {
        step_drive(d, stands, along > at - 60.0);
        along = kerb_path_distance(&rig.road.path, d->place);
    }
    return along;
}

static void who_stands_in_the_other_lane_is_not_gone_round(void** state) {
    (void)state;
    kerb_random random = test_random("lane_ahead");
    int32_t avoided = 0;
    for (int i = 0; i < 60; i++) {
        double bend = build_changing_bend(&random);
        double at = bend + (double)kerb_random_between(&random, -10.0f, 30.0f);
        kerb_scene_lane_box stands = car_at(at, WIDTH - OWN);
        drive d = begin_drive();
        assert_true(drive_past(&d, &stands, at) >= at + 20.0);
        avoided += d.avoided ? 1 : 0;
        kerb_scene_lane_road_destroy(&rig.road);
    }
    if (avoided > 1)
        fail_msg("%d of 60 swerved for somebody in the other lane", (int)avoided);
}

static void who_stands_in_its_own_lane_is_or_is_stopped_for(void** state) {
    (void)state;
    kerb_random random = test_random("lane_ahead_own");
    int32_t avoided = 0, touched = 0;
    for (int i = 0; i < 120; i++) {
        double bend = build_changing_bend(&random);
        double at = bend + (double)kerb_random_between(&random, -10.0f, 30.0f);
        kerb_scene_lane_box stands = car_at(at, OWN);
        drive d = begin_drive();
        double end = drive_past(&d, &stands, at);
        assert_true(d.avoided || end < at - 4.4);
        touched += d.touched ? 1 : 0;
        avoided += d.avoided ? 1 : 0;
        kerb_scene_lane_road_destroy(&rig.road);
    }
    assert_true(avoided >= 100);
    // Who forgets him as soon as no ray along the lane meets him touches him in 4 to 6 of 100.
    if (touched > 1)
        fail_msg("%d of 120 touched somebody in their lane", (int)touched);
}

// Two metres and less behind him no car gets out of its lane: it has to back off first.
static void too_near_behind_who_stands_it_backs_off_and_goes_round(void** state) {
    (void)state;
    static const float bends[] = {0.0f, 60.0f, -60.0f};
    for (int i = 0; i < 12; i++) {
        float bend = bends[i % 3], gap = 0.5f + 0.75f * (float)(i / 3);
        lane_begin(&rig, 0.5f * WIDTH, 0.5f * WIDTH);
        lane_add(&rig, 60.0f, 0.0f);
        if (bend != 0.0f)
            lane_bend(&rig, kerb_abs(bend), bend > 0.0f ? 1.5f : -1.5f);
        lane_add(&rig, 160.0f, 0.0f);
        assert_int_equal(lane_build(&rig, false), KERB_OK);
        const double at = 80.0;
        kerb_scene_lane_box stands = car_at(at, OWN);
        drive d = begin_drive();
        double from =
            at - (double)(0.5f * stands.length + gap + rig.model.vehicle.reference_to_front);
        kerb_path_sample s =
            kerb_path_sample_at(&rig.road.path, kerb_path_locate(&rig.road.path, from));
        kerb_vec2 start = car_at(from, OWN).centre;
        d.vehicle = kerb_sim_vehicle_make(&rig.model, kerb_vec3_make(start.x, start.y, 0.0f),
                                          kerb_atan2(s.direction.y, s.direction.x));
        d.place = kerb_path_locate(&rig.road.path, from);
        for (int n = 0; n < 60 * 30 && kerb_path_distance(&rig.road.path, d.place) < at + 20.0; n++)
            step_drive(&d, &stands, true);
        if (d.touched || kerb_path_distance(&rig.road.path, d.place) < at + 20.0)
            fail_msg("%.2f m behind him, radius %.0f m: %s", (double)gap, (double)bend,
                     d.touched ? "touched" : "stands there still");
        kerb_scene_lane_road_destroy(&rig.road);
    }
}

// Off its lane, as round a hairpin's corner, it comes back by a metre a second.
static void who_stands_in_the_lane_that_it_comes_back_to_is_not_touched(void** state) {
    (void)state;
    for (int i = 0; i < 8; i++) {
        lane_begin(&rig, 0.5f * WIDTH, 0.5f * WIDTH);
        lane_add(&rig, 300.0f, 0.0f);
        assert_int_equal(lane_build(&rig, false), KERB_OK);
        kerb_scene_lane_box stands = car_at(42.0 + 4.0 * i, OWN);
        drive d = begin_drive();
        for (int n = 0; n < 60; n++)
            step_drive(&d, &stands, false);
        kerb_sim_body body = kerb_sim_vehicle_body(&d.vehicle);
        body.position.y += 2.3f;
        kerb_sim_vehicle_set_body(&d.vehicle, &body);
        d.keeper.memory.settle = 2.3f;
        for (int n = 0; n < 60 * 12; n++)
            step_drive(&d, &stands, true);
        assert_false(d.touched);
        kerb_scene_lane_road_destroy(&rig.road);
    }
}

int lane_ahead_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_stands_in_the_other_lane_is_not_gone_round),
        cmocka_unit_test(who_stands_in_its_own_lane_is_or_is_stopped_for),
        cmocka_unit_test(too_near_behind_who_stands_it_backs_off_and_goes_round),
        cmocka_unit_test(who_stands_in_the_lane_that_it_comes_back_to_is_not_touched),
    };
    return cmocka_run_group_tests_name("lane ahead", tests, NULL, NULL);
}
