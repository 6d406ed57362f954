// Right of way among vehicles that park: who waits, for whom, and that all get there.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "scene/crowd/chase.h"
#include "scene/town/yielding.h"
#include "sim/vehicle.h"

#include <stdio.h>

static kerb_vehicle pickup(void) {
    kerb_sim_model model;
    assert_true(kerb_sim_model_named("pickup", &model));
    return model.vehicle;
}

// Drives straight on for 30 m; its reference point is there now.
static kerb_parker driving_from(kerb_pose pose) {
    kerb_vehicle vehicle = pickup();
    kerb_parker parker = kerb_parker_make(&vehicle);
    parker.phase = (int32_t)KERB_PARKER_DRIVES;
    parker.path.start = pose;
    parker.path.start.position = kerb_vec2_add(
        pose.position, kerb_vec2_scale(pose.forward, -vehicle.reference_to_rear_axle));
    parker.path.count = 1;
    parker.path.length[0] = 30.0f;
    return parker;
}

static void of_two_whose_ways_cross_the_first_goes_on_and_the_other_stops_before(void** state) {
    (void)state;
    kerb_pose along = kerb_pose_make(-8.0f, 0.0f, 0.0f);
    kerb_pose across = kerb_pose_make(0.0f, -8.0f, 0.5f * KERB_PI);
    kerb_parker parkers[2] = {driving_from(along), driving_from(across)};
    kerb_scene_yielding all[2] = {{&parkers[0], along, 3.0f}, {&parkers[1], across, 3.0f}};
    float caps[2];
    kerb_scene_yielding_caps(all, 2, caps);
    assert_true(caps[0] > 100.0f);
    // Its nose is some 5 m before the other's side: it must be able to stop at 0.8 m/s² there.
    assert_true(caps[1] > 0.5f && caps[1] * caps[1] / (2.0f * 0.8f) < 5.0f);
}

static void who_stands_on_anothers_way_goes_first(void** state) {
    (void)state;
    kerb_pose along = kerb_pose_make(-12.0f, 0.0f, 0.0f);
    kerb_pose across = kerb_pose_make(0.0f, 0.0f, 0.5f * KERB_PI);
    kerb_parker parkers[2] = {driving_from(along), driving_from(across)};
    kerb_scene_yielding all[2] = {{&parkers[0], along, 3.0f}, {&parkers[1], across, 0.0f}};
    float caps[2];
    kerb_scene_yielding_caps(all, 2, caps);
    assert_true(caps[1] > 100.0f);
    assert_true(caps[0] < 4.0f);
}

static void nobody_waits_for_those_whose_ways_lie_elsewhere(void** state) {
    (void)state;
    kerb_pose one = kerb_pose_make(0.0f, 0.0f, 0.0f), beside = kerb_pose_make(0.0f, 3.5f, 0.0f);
    kerb_parker parkers[2] = {driving_from(one), driving_from(beside)};
    kerb_scene_yielding all[2] = {{&parkers[0], one, 3.0f}, {&parkers[1], beside, 3.0f}};
    float caps[2];
    kerb_scene_yielding_caps(all, 2, caps);
    assert_true(caps[0] > 100.0f && caps[1] > 100.0f);
}

static void two_that_nearly_touch_may_drive_apart_but_not_together(void** state) {
    (void)state;
    float length = pickup().length;
    kerb_pose front = kerb_pose_make(length + 0.1f, 0.0f, 0.0f);
    kerb_pose behind = kerb_pose_make(0.0f, 0.0f, 0.0f);
    kerb_parker parkers[2] = {driving_from(front), driving_from(behind)};
    kerb_scene_yielding all[2] = {{&parkers[0], front, 0.0f}, {&parkers[1], behind, 0.0f}};
    float caps[2];
    kerb_scene_yielding_caps(all, 2, caps);
    assert_true(caps[0] > 100.0f);
    assert_true(caps[1] == 0.0f);
}

static void a_ring_of_vehicles_parks_and_nobody_is_hit(void** state) {
    (void)state;
    static kerb_scene_chase scene;
    for (uint64_t seed = 0; seed < 8; seed++) {
        assert_true(kerb_scene_chase_make("arrivals", seed, &scene));
        while (!scene.done && scene.time < 90.0)
            kerb_scene_chase_step(&scene, 1.0f / 60.0f);
        if (!scene.done || scene.hard_contacts > 0)
            fail_msg("seed %d: %s, %d hard contacts", (int)seed,
                     scene.done ? "parked" : "not there", (int)scene.hard_contacts);
    }
}

int yielding_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_two_whose_ways_cross_the_first_goes_on_and_the_other_stops_before),
        cmocka_unit_test(who_stands_on_anothers_way_goes_first),
        cmocka_unit_test(nobody_waits_for_those_whose_ways_lie_elsewhere),
        cmocka_unit_test(two_that_nearly_touch_may_drive_apart_but_not_together),
        cmocka_unit_test(a_ring_of_vehicles_parks_and_nobody_is_hit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
