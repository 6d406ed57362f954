// A road that is too narrow to pass what stands in it: the keeper waits without moving, says why,
// and goes on as soon as there is space.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "test/lane/lane_rig.h"
#include "test/seed.h"

#define FRAME (1.0f / 60.0f)

static lane_rig rig;

// A car that keeps its lane, and a car parked in it.
typedef struct blocked_road {
    kerb_lane_keeper keeper;
    kerb_sim_vehicle car;
    kerb_path_location place;
    kerb_scene_lane_box parked;
    int32_t parked_count; // 1 while it is there
    kerb_controls controls;
} blocked_road;

static void blocked_begin(blocked_road* r, float left, float right, float parked_aside) {
    lane_begin(&rig, left, right);
    lane_add(&rig, 300.0f, 0.0f);
    assert_int_equal(lane_build(&rig, false), KERB_OK);
    *r = (blocked_road){.parked_count = 1};
    r->keeper = kerb_lane_keeper_make(&rig.model.vehicle);
    r->keeper.settings.speed = 12.0f;
    r->place = kerb_path_locate(&rig.road.path, 20.0);
    float middle = 0.5f * (left - right);
    r->car = kerb_sim_vehicle_make(&rig.model, kerb_vec3_make(20.0f, middle, 0.0f), 0.0f);
    kerb_sim_vehicle stands =
        kerb_sim_vehicle_make(&rig.model, kerb_vec3_make(120.0f, parked_aside, 0.0f), 0.0f);
    r->parked = kerb_scene_lane_box_of(&rig.road, &stands, 0);
}

static void blocked_frame(blocked_road* r) {
    kerb_motion motion = kerb_sim_vehicle_motion(&r->car);
    kerb_lane_ray rays[KERB_LANE_RAYS_MAX];
    kerb_lane_hit hits[KERB_LANE_RAYS_MAX];
    int32_t count = kerb_lane_keeper_rays(&r->keeper, &motion, rays);
    for (int32_t i = 0; i < count; i++)
        hits[i] = kerb_scene_lane_road_cast(&rig.road, r->place.segment, &r->parked,
                                            r->parked_count, -1, &rays[i]);
    r->controls = kerb_lane_keeper_drive(&r->keeper, rays, hits, count, &motion, NULL, FRAME);
    const kerb_sim_ground ground = {.normal = {0.0f, 0.0f, 1.0f}, .grip = 1.0f};
    for (int32_t i = 0; i < 4; i++)
        kerb_sim_vehicle_step(&r->car, &r->controls, &ground, 0.25f * FRAME);
    motion = kerb_sim_vehicle_motion(&r->car);
    r->place = kerb_path_track(&rig.road.path, r->place, motion.position,
                               kerb_quat_forward(motion.rotation));
}

static float blocked_at(const blocked_road* r) {
    return kerb_sim_vehicle_motion(&r->car).position.x;
}

// --------------------------------------------------------------------------- tests

static void where_nobody_can_pass_it_waits_with_one_reason_and_does_not_move(void** state) {
    (void)state;
    kerb_random random = test_random(__func__);
    for (int32_t trial = 0; trial < test_share(30, 5); trial++) {
        float width = kerb_random_between(&random, 2.0f, 3.4f);
        float left = width * kerb_random_between(&random, 0.4f, 0.6f);
        blocked_road r;
        blocked_begin(&r, left, width - left, left - 0.5f * width);
        float least = 1e9f, most = -1e9f;
        for (int32_t frame = 0; frame < 120 * 60; frame++) {
            blocked_frame(&r);
            assert_int_not_equal(r.controls.reason, KERB_REASON_BACKING_OUT);
            assert_int_not_equal(r.controls.reason, KERB_REASON_TELEPORT);
            if (frame < 30 * 60)
                continue;
            assert_int_equal(r.controls.reason, KERB_REASON_NO_ROOM);
            least = kerb_min(least, blocked_at(&r));
            most = kerb_max(most, blocked_at(&r));
        }
        assert_true(most - least < 0.05f);
        assert_true(most > 95.0f); // it drove up to it
        r.parked_count = 0;
        for (int32_t frame = 0; frame < 5 * 60; frame++)
            blocked_frame(&r);
        assert_true(blocked_at(&r) > most + 10.0f);
        kerb_scene_lane_road_destroy(&rig.road);
    }
}

static void it_passes_as_soon_as_what_stands_there_leaves_space(void** state) {
    (void)state;
    kerb_random random = test_random(__func__);
    for (int32_t trial = 0; trial < test_share(20, 4); trial++) {
        float width = kerb_random_between(&random, 4.6f, 5.2f);
        blocked_road r;
        // In the middle first: neither side is wide enough. Then against the right edge.
        blocked_begin(&r, 0.5f * width, 0.5f * width, 0.0f);
        for (int32_t frame = 0; frame < 40 * 60; frame++) {
            blocked_frame(&r);
            assert_true(frame < 30 * 60 || r.controls.reason == KERB_REASON_NO_ROOM);
        }
        float stood = blocked_at(&r);
        assert_true(stood < 118.0f);
        r.parked.centre.y = -0.5f * width + 0.5f * r.parked.width + 0.1f;
        for (int32_t frame = 0; frame < 30 * 60; frame++) {
            blocked_frame(&r);
            kerb_vec3 place = kerb_sim_vehicle_motion(&r.car).position;
            if (kerb_abs(place.x - 120.0f) < 3.0f) // beside it
                assert_true(place.y - r.parked.centre.y > r.parked.width + 0.1f);
        }
        assert_true(blocked_at(&r) > 130.0f);
        kerb_scene_lane_road_destroy(&rig.road);
    }
}

int lane_blocked_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(where_nobody_can_pass_it_waits_with_one_reason_and_does_not_move),
        cmocka_unit_test(it_passes_as_soon_as_what_stands_there_leaves_space),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
