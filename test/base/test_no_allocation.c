// Nothing allocates while driving. The linker leads every call of the C library's allocator in
// this program, the library's included, through allocation_count.c.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kerb/kerb.h"
#include "sim/world.h"
#include "test/base/allocation_count.h"

#include <math.h>
#include <stdlib.h>

enum { POINTS = 200 };

// A closed course with bends of many radii, a crossing, and a stop; open: with a reverse stretch.
static void fill_course(kerb_waypoint waypoints[POINTS], bool closed) {
    for (int i = 0; i < POINTS; i++) {
        float turn = 2.0f * KERB_PI * (float)i / (float)POINTS;
        float radius = 60.0f + 25.0f * kerb_sin(3.0f * turn);
        waypoints[i] = kerb_waypoint_at(radius * kerb_cos(turn), radius * kerb_sin(2.0f * turn),
                                        3.0f * kerb_sin(turn));
        waypoints[i].stop = i == 40 ? 0.5f : 0.0f;
        waypoints[i].direction = !closed && i >= 90 && i < 100 ? -1 : 1;
    }
}

// No physics, only enough motion that the driver has work to do.
static void move(kerb_motion* motion, float* speed, const kerb_vehicle* vehicle,
                 const kerb_controls* controls, float time_step) {
    float direction = controls->gear < 0 ? -1.0f : 1.0f;
    *speed += (controls->throttle * 3.0f - 0.1f) * direction * time_step;
    float slowing = controls->brake * 8.0f * time_step;
    *speed = *speed > 0.0f ? kerb_max(*speed - slowing, 0.0f) : kerb_min(*speed + slowing, 0.0f);
    float angle = controls->steering * vehicle->steering_angle_max;
    float yaw_rate = *speed * kerb_tan(angle) / vehicle->wheelbase;
    float heading = kerb_quat_heading(motion->rotation) + yaw_rate * time_step;
    motion->rotation = kerb_quat_from_heading(heading);
    motion->velocity = kerb_vec3_scale(kerb_quat_forward(motion->rotation), *speed);
    motion->angular_velocity = kerb_vec3_make(0.0f, 0.0f, yaw_rate);
    motion->position = kerb_vec3_along(motion->position, motion->velocity, time_step);
    motion->steering = controls->steering;
    motion->gear = controls->gear;
}

// Calls of the allocator in so many frames on a built path, with frames of bad input among them.
static long count_while_driving(const kerb_path* path, kerb_follower_method method, int frames) {
    kerb_vehicle vehicle = kerb_vehicle_default();
    kerb_follower follower = kerb_follower_make(&vehicle);
    follower.settings = kerb_follower_settings_default(method);
    kerb_motion motion = kerb_motion_default();
    motion.position = path->points[0].position;
    motion.rotation = kerb_quat_from_heading(path->points[0].heading);
    kerb_surroundings surroundings = kerb_surroundings_default();
    float speed = 0.0f;
    long before = test_allocation_count();
    for (int i = 0; i < frames; i++) {
        kerb_motion told = motion;
        if (i % 1000 == 999)
            told.position.x = NAN;
        float time_step = i % 1000 == 998 ? 0.0f : 1.0f / 60.0f;
        kerb_controls controls =
            kerb_follower_drive(&follower, path, &told, &surroundings, time_step);
        move(&motion, &speed, &vehicle, &controls, 1.0f / 60.0f);
    }
    long calls = test_allocation_count() - before;
    // Had it stood still all the time, the count would mean little.
    assert_true(kerb_vec3_length(kerb_vec3_sub(motion.position, path->points[0].position)) > 1.0f);
    return calls;
}

static void the_counter_counts(void** state) {
    (void)state;
    long before = test_allocation_count();
    void* volatile memory = malloc(10);
    memory = realloc(memory, 20);
    free(memory);
    memory = calloc(2, 5);
    free(memory);
    memory = aligned_alloc(64, 64);
    free(memory);
    assert_int_equal(test_allocation_count() - before, 7);
}

static void the_counter_sees_the_library(void** state) {
    (void)state;
    kerb_waypoint waypoints[POINTS];
    fill_course(waypoints, true);
    kerb_host host = kerb_host_default();
    kerb_path path;
    long before = test_allocation_count();
    assert_int_equal(kerb_path_create(&path, waypoints, POINTS, true, &host, NULL), KERB_OK);
    kerb_path_destroy(&path);
    assert_true(test_allocation_count() - before >= 2);
}

static void no_method_allocates_while_driving(void** state) {
    (void)state;
    kerb_waypoint waypoints[POINTS];
    kerb_host host = kerb_host_default();
    for (int closed = 0; closed < 2; closed++) {
        fill_course(waypoints, closed);
        kerb_path path;
        assert_int_equal(kerb_path_create(&path, waypoints, POINTS, closed, &host, NULL), KERB_OK);
        for (int method = KERB_FOLLOWER_KERB; method <= KERB_FOLLOWER_BASELINE; method++)
            assert_int_equal(count_while_driving(&path, (kerb_follower_method)method, 5000), 0);
        kerb_path_destroy(&path);
    }
}

static void building_into_own_memory_allocates_nothing(void** state) {
    (void)state;
    kerb_waypoint waypoints[POINTS];
    fill_course(waypoints, true);
    void* memory = malloc(kerb_path_bytes(POINTS));
    kerb_path path;
    long before = test_allocation_count();
    assert_int_equal(kerb_path_build(&path, memory, waypoints, POINTS, true, NULL), KERB_OK);
    kerb_path_destroy(&path);
    assert_int_equal(test_allocation_count() - before, 0);
    free(memory);
}

static void drawing_allocates_nothing(void** state) {
    (void)state;
    kerb_waypoint waypoints[POINTS];
    fill_course(waypoints, true);
    kerb_host host = kerb_host_default();
    kerb_path path;
    assert_int_equal(kerb_path_create(&path, waypoints, POINTS, true, &host, NULL), KERB_OK);
    kerb_vehicle vehicle = kerb_vehicle_default();
    kerb_follower follower = kerb_follower_make(&vehicle);
    kerb_motion motion = kerb_motion_default();
    motion.position = path.points[0].position;
    static kerb_draw_line lines[2000];
    static kerb_draw_point points[100];
    static kerb_draw_text texts[20];
    long before = test_allocation_count();
    kerb_follower_drive(&follower, &path, &motion, NULL, 0.02f);
    kerb_draw_buffer buffer = kerb_draw_buffer_make(lines, 2000, points, 100, texts, 20);
    kerb_draw_path(&buffer, &path, 0.0, path.length);
    kerb_draw_follower(&buffer, &follower, &path, &motion);
    assert_int_equal(test_allocation_count() - before, 0);
    assert_true(buffer.line_count > 10);
    kerb_path_destroy(&path);
}

static void contact_allocates_nothing(void** state) {
    (void)state;
    kerb_sim_obstacle obstacles[2] = {{KERB_SIM_WALL, {2.0f, -9.0f}, {2.0f, 9.0f}, 0.3f},
                                      {KERB_SIM_POST, {0.0f, 1.0f}, {0.0f, 0.0f}, 0.5f}};
    kerb_sim_world world = {{0}, NULL, 0, obstacles, 2};
    kerb_sim_body body = {{0}, 0.0f, 9.0f, 0.0f, 0.0f, 1500.0f, 2600.0f, 2.3f, 2.1f, 0.9f};
    kerb_sim_body other = body;
    other.position.x = -3.0f;
    long before = test_allocation_count();
    assert_true(kerb_sim_bodies_push(&body, &other, NULL));
    assert_true(kerb_sim_world_push(&world, &body, NULL, 0) > 0);
    kerb_sim_world_ground(&world, body.position, NULL);
    assert_int_equal(test_allocation_count() - before, 0);
}

static void calibrating_allocates_nothing(void** state) {
    (void)state;
    kerb_vehicle vehicle = kerb_vehicle_default();
    kerb_calibrator calibrator = kerb_calibrator_make(&vehicle);
    kerb_motion motion = kerb_motion_default();
    float speed = 0.0f;
    long before = test_allocation_count();
    while (calibrator.outcome == KERB_CALIBRATION_RUNNING) {
        kerb_controls controls = kerb_calibrator_drive(&calibrator, &motion, 1.0f / 60.0f);
        move(&motion, &speed, &vehicle, &controls, 1.0f / 60.0f);
    }
    assert_int_equal(test_allocation_count() - before, 0);
    assert_true(calibrator.progress > 0.5f);
}

static void seeking_allocates_nothing(void** state) {
    (void)state;
    const kerb_agent agent = {.forward = {1.0f, 0.0f, 0.0f},
                              .speed = 5.0f,
                              .turning_radius = 5.0f,
                              .speed_max = 5.0f,
                              .acceleration = 3.0f,
                              .braking = 3.0f};
    const kerb_directed_goal goal = {{9.0f, 4.0f, 3.0f}, {0.0f, 1.0f, 0.0f}, 0.0f, 5.0f};
    kerb_directed_seek_settings settings = kerb_directed_seek_settings_default();
    long before = test_allocation_count();
    for (int32_t i = 0; i < 8; i++) {
        settings.method = i % 4;
        settings.space = i / 4;
        kerb_directed_decision thoughts;
        kerb_steering wish = kerb_directed_seek(&settings, &agent, &goal, 0.02f, &thoughts);
        kerb_agent_step(&agent, &wish, 0.02f);
        kerb_steering_force(&agent, &wish, 1.0f, 0.02f);
    }
    assert_int_equal(test_allocation_count() - before, 0);
}

static void flying_allocates_nothing(void** state) {
    (void)state;
    static kerb_path_point memory[3];
    const kerb_waypoint waypoints[3] = {kerb_waypoint_at(0.0f, 0.0f, 0.0f),
                                        kerb_waypoint_at(900.0f, 0.0f, 50.0f),
                                        kerb_waypoint_at(900.0f, 900.0f, 0.0f)};
    const kerb_directed_goal goal = {{900.0f, 400.0f, 300.0f}, {0.0f, 1.0f, 0.0f}, 60.0f, 1.0f};
    kerb_path path;
    assert_int_equal(kerb_path_build(&path, memory, waypoints, 3, false, NULL), KERB_OK);
    kerb_aircraft aircraft = kerb_aircraft_default();
    kerb_flyer flyer = kerb_flyer_make(&aircraft);
    kerb_motion motion = kerb_motion_default();
    motion.velocity.x = 60.0f;
    long before = test_allocation_count();
    kerb_flyer_drive(&flyer, NULL, &motion, 0.02f);
    kerb_flyer_follow(&flyer, &path, &motion, 0.02f);
    kerb_flyer_arrive(&flyer, &goal, &motion, 0.02f);
    assert_int_equal(test_allocation_count() - before, 0);
}

// A track of fill_course, and the line on it that a solver has come to.
typedef struct race_track {
    kerb_path path;
    kerb_line_solver solver;
    kerb_racing_line line;
} race_track;

static void open_track(race_track* track) {
    kerb_waypoint waypoints[POINTS];
    kerb_host host = kerb_host_default();
    fill_course(waypoints, true);
    for (int i = 0; i < POINTS; i++) {
        waypoints[i].left = waypoints[i].right = 5.0f;
        waypoints[i].stop = 0.0f;
    }
    assert_int_equal(kerb_path_create(&track->path, waypoints, POINTS, true, &host, NULL), KERB_OK);
    kerb_performance car = kerb_performance_point_mass(9.0f, 5.0f, 9.0f, 60.0f);
    kerb_line_settings settings = kerb_line_settings_default();
    assert_int_equal(
        kerb_line_solver_create(&track->solver, &track->path, &car, &settings, &host, NULL),
        KERB_OK);
    kerb_line_solver_advance(&track->solver, 20);
    assert_int_equal(kerb_racing_line_create(&track->line, &track->solver, 2.0f, &host, NULL),
                     KERB_OK);
}

static void close_track(race_track* track) {
    kerb_racing_line_destroy(&track->line);
    kerb_line_solver_destroy(&track->solver);
    kerb_path_destroy(&track->path);
}

enum { OTHERS = 20 };

// Cars at so many metres along the line on from a place, by turns on either side of it.
static void place_others(const kerb_racing_line* line, double from, kerb_neighbour* others) {
    for (int i = 0; i < OTHERS; i++) {
        kerb_line_point p = kerb_racing_line_at(line, from - 30.0 + 6.0 * i);
        float aside = i % 2 == 0 ? 2.0f : -2.0f;
        kerb_vec3 forward = {kerb_cos(p.heading), kerb_sin(p.heading), 0.0f};
        others[i] = (kerb_neighbour){.id = (uint32_t)i + 1u,
                                     .position = {(float)p.x - aside * forward.y,
                                                  (float)p.y + aside * forward.x, (float)p.z},
                                     .velocity = kerb_vec3_scale(forward, 8.0f + 0.2f * (float)i),
                                     .forward = {forward.x, forward.y},
                                     .length = 4.5f,
                                     .width = 1.9f,
                                     .laps = i == 0,
                                     .overtake_request = i == 1 ? 1.0f : 0.0f};
    }
}

// Laps with gears, skill, learning and late controls, among twenty others at times, with bad
// frames, and being put elsewhere.
static void racing_allocates_nothing(void** state) {
    (void)state;
    race_track track;
    open_track(&track);
    kerb_vehicle vehicle = kerb_vehicle_default();
    vehicle.drive_train.gear_count = 5;
    kerb_racer racer = kerb_racer_make(&vehicle);
    racer.settings.skill = 0.5f;
    racer.settings.learning = 1;
    racer.settings.latency = 0.02f;
    racer.settings.slipstream = 0.3f;
    kerb_motion motion = kerb_motion_default();
    kerb_neighbour others[OTHERS];
    kerb_surroundings surroundings = kerb_surroundings_default();
    surroundings.neighbours = others;
    float speed = 0.0f;
    int32_t among = 0, passes = 0;
    long before = test_allocation_count();
    for (int i = 0; i < 5000; i++) {
        const kerb_line_point* there = &track.line.points[i / 10 % track.line.count];
        if (i % 1000 == 0) {
            motion.position = kerb_vec3_make((float)there->x, (float)there->y, (float)there->z);
            motion.rotation = kerb_quat_from_heading(there->heading);
        }
        place_others(&track.line, racer.decision.distance, others);
        surroundings.neighbour_count = i % 400 < 300 ? OTHERS : 0;
        float time_step = i % 777 == 5 ? -1.0f : 0.02f;
        surroundings.grip = i % 500 < 250 ? 1.0f : 0.5f;
        kerb_controls controls =
            kerb_racer_drive(&racer, &track.line, &motion, &surroundings, time_step);
        move(&motion, &speed, &vehicle, &controls, 0.02f);
        among += racer.memory.traffic.known_count >= 10;
        passes += racer.memory.traffic.active;
    }
    assert_int_equal(test_allocation_count() - before, 0);
    // Were it always alone, or without a way beside its line, the count would mean little.
    assert_true(among > 1000 && passes > 500);
    assert_true(racer.memory.learnt.length > 0.0 && racer.memory.late.count > 0);
    close_track(&track);
}

static void a_lane_keeper_allocates_nothing(void** state) {
    (void)state;
    kerb_vehicle vehicle = kerb_vehicle_default();
    kerb_lane_keeper keeper = kerb_lane_keeper_make(&vehicle);
    kerb_motion motion = kerb_motion_default();
    float speed = 0.0f;
    long before = test_allocation_count();
    for (int n = 0; n < 3000; n++) {
        kerb_lane_ray rays[KERB_LANE_RAYS_MAX];
        kerb_lane_hit hits[KERB_LANE_RAYS_MAX];
        int32_t count = kerb_lane_keeper_rays(&keeper, &motion, rays);
        for (int32_t i = 0; i < count; i++) {
            hits[i] =
                (kerb_lane_hit){.kind = n % 4, .distance = 2.0f, .normal = {0.0f, 1.0f, 0.0f}};
            hits[i].normal.y = rays[i].direction.y > 0.0f ? -1.0f : 1.0f;
        }
        keeper.settings.edge_distance = n % 500 < 250 ? 2.0f : 5.0f;
        kerb_controls controls =
            kerb_lane_keeper_drive(&keeper, rays, hits, count, &motion, NULL, 1.0f / 60.0f);
        move(&motion, &speed, &vehicle, &controls, 1.0f / 60.0f);
    }
    assert_int_equal(test_allocation_count() - before, 0);
}

int no_allocation_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_counter_counts),
        cmocka_unit_test(the_counter_sees_the_library),
        cmocka_unit_test(no_method_allocates_while_driving),
        cmocka_unit_test(building_into_own_memory_allocates_nothing),
        cmocka_unit_test(drawing_allocates_nothing),
        cmocka_unit_test(contact_allocates_nothing),
        cmocka_unit_test(calibrating_allocates_nothing),
        cmocka_unit_test(seeking_allocates_nothing),
        cmocka_unit_test(flying_allocates_nothing),
        cmocka_unit_test(a_lane_keeper_allocates_nothing),
        cmocka_unit_test(racing_allocates_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
