// The lane keeper far from the world's origin, moved by the host, and told nonsense.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "test/lane/lane_rig.h"
#include "test/seed.h"

#include <math.h>

static lane_rig rig;

// A car on a road near the origin, in a world whose origin is elsewhere: the host computes in
// doubles and tells floats, or its whole world is of floats.
typedef struct far_host {
    kerb_lane_keeper keeper;
    kerb_sim_vehicle car;
    kerb_path_location place;
    double x, y, z; // of the rig's origin in the world [m]
    float time_step;
    kerb_controls controls;
} far_host;

static void build_bends(double x, double y) {
    lane_begin(&rig, 3.5f, 3.5f);
    lane_add(&rig, 120.0f, 0.0f);
    lane_bend(&rig, 60.0f, 1.2f);
    lane_bend(&rig, 60.0f, -1.2f);
    lane_add(&rig, 400.0f, 0.0f);
    for (int32_t i = 0; i < rig.count; i++) {
        rig.waypoints[i].position.x = (float)((double)rig.waypoints[i].position.x + x);
        rig.waypoints[i].position.y = (float)((double)rig.waypoints[i].position.y + y);
    }
    assert_int_equal(lane_build(&rig, false), KERB_OK);
}

static void put_on_road(far_host* host, double distance) {
    host->place = kerb_path_locate(&rig.road.path, distance);
    kerb_path_sample s = kerb_path_sample_at(&rig.road.path, host->place);
    kerb_vec3 place = kerb_vec3_make(s.position.x + 1.75f * s.direction.y,
                                     s.position.y - 1.75f * s.direction.x, 0.0f);
    host->car = kerb_sim_vehicle_make(&rig.model, place, kerb_atan2(s.direction.y, s.direction.x));
}

static far_host host_at(double x, double y, float speed) {
    far_host host = {.x = x, .y = y, .time_step = 1.0f / 60.0f};
    host.keeper = kerb_lane_keeper_make(&rig.model.vehicle);
    host.keeper.settings.speed = speed;
    put_on_road(&host, 10.0);
    return host;
}

static kerb_motion motion_of(const far_host* host) {
    kerb_motion motion = kerb_sim_vehicle_motion(&host->car);
    motion.position.x = (float)((double)motion.position.x + host->x);
    motion.position.y = (float)((double)motion.position.y + host->y);
    motion.position.z = (float)((double)motion.position.z + host->z);
    return motion;
}

static kerb_controls drive(far_host* host, const kerb_motion* motion, float time_step) {
    kerb_lane_ray rays[KERB_LANE_RAYS_MAX];
    kerb_lane_hit hits[KERB_LANE_RAYS_MAX];
    int32_t count = kerb_lane_keeper_rays(&host->keeper, motion, rays);
    for (int32_t i = 0; i < count; i++) {
        kerb_lane_ray ray = rays[i];
        ray.origin.x = (float)((double)ray.origin.x - host->x);
        ray.origin.y = (float)((double)ray.origin.y - host->y);
        hits[i] = kerb_scene_lane_road_cast(&rig.road, host->place.segment, NULL, 0, -1, &ray);
    }
    return kerb_lane_keeper_drive(&host->keeper, rays, hits, count, motion, NULL, time_step);
}

static void move(far_host* host, const kerb_controls* controls) {
    const kerb_sim_ground ground = {.normal = {0.0f, 0.0f, 1.0f}, .grip = 1.0f};
    for (int i = 0; i < 4; i++)
        kerb_sim_vehicle_step(&host->car, controls, &ground, 0.25f * host->time_step);
    kerb_motion motion = kerb_sim_vehicle_motion(&host->car);
    host->place = kerb_path_track(&rig.road.path, host->place, motion.position,
                                  kerb_quat_forward(motion.rotation));
}

static kerb_controls frame(far_host* host) {
    kerb_motion motion = motion_of(host);
    host->controls = drive(host, &motion, host->time_step);
    move(host, &host->controls);
    return host->controls;
}

static double station_of(const far_host* host) {
    return kerb_path_distance(&rig.road.path, host->place);
}

static float off_lane(const far_host* host) {
    kerb_motion motion = kerb_sim_vehicle_motion(&host->car);
    return kerb_scene_lane_road_distance(&rig.road, host->place.segment, false,
                                         kerb_vec2_make(motion.position.x, motion.position.y)) -
           1.75f;
}

// How the wheels move from frame to frame, and how well the lane is kept.
typedef struct far_drive {
    double change_rms;     // of the change of the steering from one frame to the next [1]
    float straight_change; // greatest on the last straight, once the car is in its lane [1]
    double error;          // from the lane, in the mean [m]
    float error_most;      // [m]
} far_drive;

static far_drive measured(far_host* host) {
    far_drive result = {0};
    double sum = 0.0;
    int32_t frames = 0;
    float before[2] = {0.0f, 0.0f};
    for (int32_t i = 0; i < 60 * 90 && station_of(host) < rig.road.path.length - 50.0; i++) {
        float steering = frame(host).steering;
        float change = fabsf(steering - 2.0f * before[0] + before[1]);
        if (station_of(host) > 60.0) {
            sum += (double)(change * change);
            result.error += (double)fabsf(off_lane(host));
            result.error_most = fmaxf(result.error_most, fabsf(off_lane(host)));
            frames++;
        }
        if (station_of(host) > 400.0)
            result.straight_change = fmaxf(result.straight_change, change);
        before[1] = before[0], before[0] = steering;
    }
    assert_true(station_of(host) >= rig.road.path.length - 50.0);
    result.change_rms = sqrt(sum / frames);
    result.error /= frames;
    return result;
}

static void expect_as_near(const far_drive* far, const far_drive* near) {
    assert_true(far->change_rms <= 3.0 * near->change_rms && far->change_rms < 0.002);
    assert_true(far->straight_change <= 0.005f);
    assert_true(far->error <= near->error + 0.015);
    assert_true(far->error_most <= near->error_most + 0.05f);
}

static const double distances[] = {10e3, 33e3, 100e3};
static const double directions[] = {0.0, 0.7, 2.9, -1.6};

static void up_to_100_km_from_the_origin_the_wheels_turn_as_near_it(void** state) {
    (void)state;
    build_bends(0.0, 0.0);
    far_host host = host_at(0.0, 0.0, 20.0f);
    far_drive near = measured(&host);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 4; k++) {
            host = host_at(floor(distances[i] * cos(directions[k])),
                           floor(distances[i] * sin(directions[k])), 20.0f);
            far_drive far = measured(&host);
            expect_as_near(&far, &near);
        }
    kerb_scene_lane_road_destroy(&rig.road);
}

static void so_they_do_in_a_world_of_floats(void** state) {
    (void)state;
    build_bends(0.0, 0.0);
    far_host host = host_at(0.0, 0.0, 20.0f);
    far_drive near = measured(&host);
    kerb_scene_lane_road_destroy(&rig.road);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 4; k++) {
            build_bends(floor(distances[i] * cos(directions[k])),
                        floor(distances[i] * sin(directions[k])));
            host = host_at(0.0, 0.0, 20.0f);
            far_drive far = measured(&host);
            expect_as_near(&far, &near);
            kerb_scene_lane_road_destroy(&rig.road);
        }
}

// --------------------------------------------------------------------------- the origin moves

static void when_the_origin_moves_it_drives_on_with_the_same_controls(void** state) {
    (void)state;
    build_bends(0.0, 0.0);
    far_host stays = host_at(0.0, 0.0, 20.0f), moves = stays;
    for (int i = 0; i < 60 * 40; i++) {
        if (i % 200 == 199) {
            // There and back, as hosts keep the origin near.
            float way = i % 400 == 199 ? 1.0f : -1.0f;
            const kerb_vec3 shift = {1024.0f * way, -2048.0f * way, 64.0f * way};
            kerb_lane_keeper_shift_origin(&moves.keeper, shift);
            moves.x -= (double)shift.x;
            moves.y -= (double)shift.y;
            moves.z -= (double)shift.z;
        }
        kerb_motion a = motion_of(&stays), b = motion_of(&moves);
        kerb_controls one = drive(&stays, &a, stays.time_step);
        kerb_controls other = drive(&moves, &b, moves.time_step);
        assert_float_equal(one.steering, other.steering, 1e-3f);
        // Positions are rounded otherwise, by a tenth of a millimetre: the throttle shows it most.
        assert_float_equal(one.throttle, other.throttle, 5e-3f);
        assert_float_equal(one.brake, other.brake, 1e-3f);
        move(&stays, &one);
        moves.car = stays.car, moves.place = stays.place;
    }
    assert_true(station_of(&stays) > 300.0);
    kerb_scene_lane_road_destroy(&rig.road);
}

// --------------------------------------------------------------------------- put elsewhere

static void expect_drives(far_host* host, float seconds) {
    for (int i = 0; i < (int)(seconds * 60.0f); i++) {
        kerb_controls controls = frame(host);
        if (i < 60)
            continue;
        assert_int_not_equal(controls.reason, KERB_REASON_BACKING_OUT);
        assert_int_not_equal(controls.reason, KERB_REASON_TELEPORT);
        assert_int_not_equal(controls.reason, KERB_REASON_GIVEN_UP);
        assert_true(fabsf(off_lane(host)) < 0.8f);
    }
}

static void put_elsewhere_at_any_moment_it_drives_on_there(void** state) {
    (void)state;
    build_bends(0.0, 0.0);
    kerb_random random = test_random("lane elsewhere");
    far_host host = host_at(0.0, 0.0, 18.0f);
    for (int n = 0; n < 30; n++) {
        put_on_road(&host, (double)kerb_random_between(&random, 5.0f, 330.0f));
        kerb_sim_body body = kerb_sim_vehicle_body(&host.car);
        body.forward = n % 2 == 0 ? 0.0f : kerb_random_between(&random, 5.0f, 15.0f);
        kerb_sim_vehicle_set_body(&host.car, &body);
        double begin = station_of(&host);
        expect_drives(&host, kerb_random_between(&random, 3.0f, 8.0f));
        assert_true(station_of(&host) > begin + 5.0);
    }
    kerb_scene_lane_road_destroy(&rig.road);
}

static void a_vehicle_that_had_given_up_drives_once_it_is_put_on_the_road(void** state) {
    (void)state;
    build_bends(0.0, 0.0);
    far_host host = host_at(0.0, 0.0, 18.0f);
    kerb_motion still = motion_of(&host);
    for (int i = 0; i < 60 * 120; i++) // it presses against what no ray meets
        drive(&host, &still, host.time_step);
    assert_true(host.keeper.controls.reason == KERB_REASON_TELEPORT ||
                host.keeper.controls.reason == KERB_REASON_GIVEN_UP);
    put_on_road(&host, 150.0);
    expect_drives(&host, 6.0f);
    kerb_scene_lane_road_destroy(&rig.road);
}

static void a_glitch_of_one_frame_changes_nothing(void** state) {
    (void)state;
    build_bends(0.0, 0.0);
    kerb_random random = test_random("lane glitch");
    far_host healthy = host_at(0.0, 0.0, 20.0f), hit = healthy;
    for (int i = 0; i < 60 * 30; i++) {
        kerb_motion motion = motion_of(&healthy);
        kerb_controls one = drive(&healthy, &motion, healthy.time_step), other;
        if (i % 97 == 96) {
            kerb_motion far = motion;
            far.position.x += kerb_random_between(&random, 100.0f, 900.0f);
            other = drive(&hit, &far, hit.time_step);
        } else
            other = drive(&hit, &motion, hit.time_step);
        assert_float_equal(one.steering, other.steering, 0.05f);
        move(&healthy, &one);
        hit.car = healthy.car, hit.place = healthy.place;
    }
    assert_int_equal(hit.keeper.bad_frames, 0);
    kerb_scene_lane_road_destroy(&rig.road);
}

// --------------------------------------------------------------------------- nonsense

static float any_number(kerb_random* random) {
    static const float odd[] = {NAN, INFINITY, -INFINITY, 0.0f, 1e30f, -1e30f, 1e9f, 1e12f, 3e38f};
    return odd[kerb_random_below(random, 9)];
}

static void spoil(kerb_motion* motion, kerb_random* random) {
    float* numbers[] = {&motion->position.x, &motion->position.y,        &motion->rotation.x,
                        &motion->rotation.w, &motion->velocity.x,        &motion->velocity.y,
                        &motion->velocity.z, &motion->angular_velocity.z};
    *numbers[kerb_random_below(random, 8)] = any_number(random);
}

static void a_second_after_nonsense_it_drives_as_if_nothing_had_been(void** state) {
    (void)state;
    build_bends(0.0, 0.0);
    kerb_random random = test_random("lane nonsense");
    far_host healthy = host_at(0.0, 0.0, 20.0f), told = healthy;
    int32_t bad = 0;
    for (int i = 0; i < 60 * 30; i++) {
        kerb_motion motion = motion_of(&healthy);
        kerb_controls one = drive(&healthy, &motion, healthy.time_step), other;
        if (i % 90 == 89) {
            kerb_motion odd = motion;
            bool is_motion = i % 180 == 89;
            if (is_motion)
                spoil(&odd, &random);
            bool is_bad = !is_motion ||
                          kerb_motion_validate(&odd, rig.model.vehicle.speed_max, NULL) != KERB_OK;
            other = drive(&told, &odd, is_motion ? told.time_step : 1e-9f);
            if (is_bad)
                assert_int_equal(other.reason,
                                 is_motion ? KERB_REASON_BAD_MOTION : KERB_REASON_BAD_STEP);
            bad += is_bad;
            assert_int_equal(told.keeper.bad_frames, bad);
        } else
            other = drive(&told, &motion, told.time_step);
        if (i % 90 >= 60 && i % 90 < 89)
            assert_float_equal(one.steering, other.steering, 0.01f);
        move(&healthy, &one);
        told.car = healthy.car, told.place = healthy.place;
    }
    assert_true(bad > 10);
    kerb_scene_lane_road_destroy(&rig.road);
}

static void rays_have_a_direction_whatever_the_rotation(void** state) {
    (void)state;
    kerb_random random = test_random("lane rotations");
    kerb_vehicle vehicle = kerb_vehicle_default();
    kerb_lane_keeper keeper = kerb_lane_keeper_make(&vehicle);
    kerb_lane_ray rays[KERB_LANE_RAYS_MAX];
    for (int i = 0; i < 5000; i++) {
        kerb_motion motion = kerb_motion_default();
        float* of[4] = {&motion.rotation.x, &motion.rotation.y, &motion.rotation.z,
                        &motion.rotation.w};
        for (int k = 0; k < 4; k++)
            *of[k] = i % 2 ? kerb_random_between(&random, -1.0f, 1.0f)
                           : powf(10.0f, kerb_random_between(&random, -20.0f, 20.0f));
        int32_t count = kerb_lane_keeper_rays(&keeper, &motion, rays);
        bool possible = kerb_motion_validate(&motion, vehicle.speed_max, NULL) == KERB_OK;
        assert_int_equal(count > 0, possible);
        for (int32_t k = 0; k < count; k++)
            assert_true(fabsf(kerb_vec3_length(rays[k].direction) - 1.0f) < 1e-3f);
    }
}

static void a_long_step_is_driven_as_the_longest_one_and_counted(void** state) {
    (void)state;
    build_bends(0.0, 0.0);
    far_host a = host_at(0.0, 0.0, 20.0f), b = a;
    for (int i = 0; i < 100; i++)
        frame(&a);
    b = a;
    kerb_motion motion = motion_of(&a);
    kerb_controls longest = drive(&a, &motion, KERB_TIME_STEP_MAX),
                  longer = drive(&b, &motion, 9.0f);
    assert_memory_equal(&longest, &longer, offsetof(kerb_controls, handbrake));
    assert_int_equal(b.keeper.bad_frames, a.keeper.bad_frames + 1);
    kerb_scene_lane_road_destroy(&rig.road);
}

int lane_far_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(up_to_100_km_from_the_origin_the_wheels_turn_as_near_it),
        cmocka_unit_test(so_they_do_in_a_world_of_floats),
        cmocka_unit_test(when_the_origin_moves_it_drives_on_with_the_same_controls),
        cmocka_unit_test(put_elsewhere_at_any_moment_it_drives_on_there),
        cmocka_unit_test(a_vehicle_that_had_given_up_drives_once_it_is_put_on_the_road),
        cmocka_unit_test(a_glitch_of_one_frame_changes_nothing),
        cmocka_unit_test(a_second_after_nonsense_it_drives_as_if_nothing_had_been),
        cmocka_unit_test(rays_have_a_direction_whatever_the_rotation),
        cmocka_unit_test(a_long_step_is_driven_as_the_longest_one_and_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
