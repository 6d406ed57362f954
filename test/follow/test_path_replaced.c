// Hosts that plan anew every frame hand over another path every frame: the same again, what is left
// of it, or one that differs a little. The drive must be the one along a single path.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "scene/course/course.h"
#include "scene/course/unseen.h"
#include "sim/vehicle.h"
#include "test/seed.h"

#include <math.h>
#include <string.h>

#define MOST 2048
#define STEP (1.0f / 60.0f)

typedef enum manner { NEVER, SAME, REST, JITTER, MANNERS } manner;
static const char* const manner_names[] = {"never", "the same", "the rest", "with jitter"};

typedef struct plan {
    const kerb_waypoint* way;
    int32_t count;
    manner how;
    int32_t frame;
    int32_t first; // REST: waypoint where the path begins
    kerb_random random;
} plan;

// What a host would hand over in this frame.
static int32_t plan_again(plan* p, const kerb_follower* follower, kerb_waypoint* waypoints) {
    kerb_vec3 leg = kerb_vec3_sub(p->way[p->first + 1].position, p->way[p->first].position);
    bool passed = follower->memory.distance > (double)kerb_vec3_length(leg) + 3.0;
    if (p->how == REST && p->frame > 0 && passed && p->first + 3 < p->count)
        p->first++;
    int32_t count = p->count - p->first;
    memcpy(waypoints, p->way + p->first, sizeof *waypoints * (size_t)count);
    for (int32_t i = 0; i < count && p->how == JITTER; i++) {
        waypoints[i].position.x += kerb_random_between(&p->random, -0.03f, 0.03f);
        waypoints[i].position.y += kerb_random_between(&p->random, -0.03f, 0.03f);
    }
    if (p->how != NEVER) // so that no two are the same to the bit
        waypoints[count - 1].position.z = (float)(p->frame % 2) * 0.001f;
    p->frame++;
    return count;
}

static void step(kerb_sim_vehicle* vehicle, const kerb_controls* controls) {
    kerb_sim_ground ground = {.normal = {0.0f, 0.0f, 1.0f}, .grip = 1.0f};
    for (int32_t i = 0; i < 4; i++)
        kerb_sim_vehicle_step(vehicle, controls, &ground, STEP / 4.0f);
}

// Drives to the end, and returns how long it took; INFINITY when it did not get there. [s]
static double drive(const kerb_sim_model* model, const kerb_waypoint* way, int32_t count,
                    manner how) {
    static kerb_waypoint waypoints[MOST];
    kerb_host host = kerb_host_default();
    kerb_follower follower = kerb_follower_make(&model->vehicle);
    plan p = {way, count, how, 0, 0, test_random("jitter of replaced paths")};
    kerb_vec3 ahead = kerb_vec3_sub(way[1].position, way[0].position);
    kerb_sim_vehicle vehicle =
        kerb_sim_vehicle_make(model, way[0].position, kerb_atan2(ahead.y, ahead.x));
    for (int32_t frame = 0; frame < 60 * 200; frame++) {
        kerb_path path;
        kerb_motion motion = kerb_sim_vehicle_motion(&vehicle);
        int32_t left = plan_again(&p, &follower, waypoints);
        assert_int_equal(kerb_path_create(&path, waypoints, left, false, &host, NULL), KERB_OK);
        kerb_controls controls = kerb_follower_drive(&follower, &path, &motion, NULL, STEP);
        kerb_path_destroy(&path);
        step(&vehicle, &controls);
        kerb_vec3 off = kerb_vec3_sub(motion.position, way[count - 1].position);
        if (controls.reason == KERB_REASON_ARRIVED)
            return kerb_vec3_length(off) < 0.6f ? (double)frame / 60.0 : (double)INFINITY;
    }
    return (double)INFINITY;
}

static void compare(const char* what, const kerb_sim_model* model, const kerb_waypoint* way,
                    int32_t count) {
    double alone = drive(model, way, count, NEVER);
    assert_true(alone < 200.0);
    for (int32_t how = SAME; how < MANNERS; how++) {
        double time = drive(model, way, count, (manner)how);
        if (!(time < alone + 1.0))
            fail_msg("%s: %s replaced %s takes %.1f s instead of %.1f", what, model->name,
                     manner_names[how], time, alone);
    }
}

static void reversals_are_driven_though_the_path_is_replaced_every_frame(void** state) {
    (void)state;
    static const char* const vehicles[] = {"pickup", "tank"};
    kerb_host host = kerb_host_default();
    for (uint64_t i = 0; i < 4; i++) {
        kerb_scene_course course;
        uint64_t seed = 7 + i * (uint64_t)kerb_scene_unseen_course_kinds();
        assert_int_equal(kerb_scene_unseen_course(seed, &host, &course, NULL), KERB_OK);
        kerb_sim_model model;
        assert_true(kerb_sim_model_named(vehicles[i % 2], &model));
        compare(course.name, &model, course.waypoints, course.count);
        kerb_scene_course_free(&course, &host);
    }
}

static void a_stop_is_waited_for_once_though_the_path_is_replaced_every_frame(void** state) {
    (void)state;
    kerb_sim_model model;
    assert_true(kerb_sim_model_named("pickup", &model));
    kerb_waypoint way[6];
    for (int32_t i = 0; i < 6; i++)
        way[i] = kerb_waypoint_at(12.0f * (float)i, 0.0f, 0.0f);
    way[0].stop = 1.5f;
    way[2].stop = 3.0f;
    way[3].stop = 2.0f;
    compare("stops", &model, way, 6);
}

// The vehicle is 424 m along its path. The next one begins elsewhere and passes here after 62 m
// and, after a round, at 424 m again.
static void another_path_that_passes_here_at_the_old_distance_too_is_driven_from_its_first_pass(
    void** state) {
    (void)state;
    const kerb_waypoint old[] = {kerb_waypoint_at(-400.0f, 0.0f, 0.0f),
                                 kerb_waypoint_at(100.0f, 0.0f, 0.0f)};
    const kerb_waypoint next[] = {
        kerb_waypoint_at(-38.0f, 0.0f, 0.0f), kerb_waypoint_at(54.0f, 0.0f, 0.0f),
        kerb_waypoint_at(54.0f, 60.0f, 0.0f), kerb_waypoint_at(-67.0f, 60.0f, 0.0f),
        kerb_waypoint_at(-67.0f, 0.0f, 0.0f), kerb_waypoint_at(154.0f, 0.0f, 0.0f)};
    kerb_host host = kerb_host_default();
    kerb_sim_model model;
    assert_true(kerb_sim_model_named("scout", &model));
    kerb_path paths[2];
    assert_int_equal(kerb_path_create(&paths[0], old, 2, false, &host, NULL), KERB_OK);
    assert_int_equal(kerb_path_create(&paths[1], next, 6, false, &host, NULL), KERB_OK);
    kerb_follower follower = kerb_follower_make(&model.vehicle);
    kerb_sim_vehicle vehicle =
        kerb_sim_vehicle_make(&model, kerb_vec3_make(24.0f, 0.0f, 0.0f), 0.0f);
    for (int32_t i = 0; i < 2; i++) {
        kerb_motion motion = kerb_sim_vehicle_motion(&vehicle);
        (void)kerb_follower_drive(&follower, &paths[i], &motion, NULL, STEP);
        assert_true(fabs(follower.decision.distance - (i == 0 ? 424.0 : 62.0)) < 1.0);
    }
    for (int32_t i = 0; i < 2; i++)
        kerb_path_destroy(&paths[i]);
}

int path_replaced_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reversals_are_driven_though_the_path_is_replaced_every_frame),
        cmocka_unit_test(a_stop_is_waited_for_once_though_the_path_is_replaced_every_frame),
        cmocka_unit_test(
            another_path_that_passes_here_at_the_old_distance_too_is_driven_from_its_first_pass),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
