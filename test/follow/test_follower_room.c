// How KERB uses the corridor: long vehicles in bends, bends tighter than the vehicle turns, turns
// in several stretches. The line's knots are checked against the geometry of a bicycle, and drives
// against the corridor.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kerb/kerb.h"
#include "scene/course/course.h"
#include "scene/course/judge.h"
#include "sim/vehicle.h"
#include "test/seed.h"

#include <math.h>
#include <string.h>

#define POINTS 400

typedef struct road {
    kerb_waypoint waypoints[POINTS];
    int32_t count;
    kerb_vec2 pen;
    float heading, left, right;
} road;

static void mark(road* r) {
    kerb_waypoint* waypoint = &r->waypoints[r->count++];
    *waypoint = kerb_waypoint_at(r->pen.x, r->pen.y, 0.0f);
    waypoint->left = r->left;
    waypoint->right = r->right;
}

// `length` metres, turning by `turn` on the way, a waypoint every metre or so.
static void draw(road* r, float length, float turn) {
    int32_t steps = (int32_t)(length + 0.5f);
    float step = length / (float)steps;
    for (int32_t i = 0; i < steps; i++) {
        float half = 0.5f * turn / (float)steps;
        float chord = kerb_abs(half) > 0.0f ? step * sinf(half) / half : step;
        r->heading += half;
        r->pen.x += chord * cosf(r->heading);
        r->pen.y += chord * sinf(r->heading);
        r->heading += half;
        mark(r);
    }
}

static road road_with(float left, float right) {
    road r = {.left = left, .right = right};
    mark(&r);
    return r;
}

static kerb_path path_of(const road* r) {
    kerb_host host = kerb_host_default();
    kerb_path path;
    kerb_error error = {0};
    if (kerb_path_create(&path, r->waypoints, r->count, false, &host, &error) != KERB_OK)
        fail_msg("%s: %s", error.field, error.message);
    return path;
}

static kerb_vehicle named(const char* name) {
    kerb_sim_model model;
    assert_true(kerb_sim_model_named(name, &model));
    return model.vehicle;
}

// A frame of a vehicle that is exactly on the path.
static void look_at(kerb_follower* follower, const kerb_path* path, double distance) {
    kerb_path_sample sample = kerb_path_sample_at(path, kerb_path_locate(path, distance));
    kerb_motion motion = kerb_motion_default();
    motion.position = sample.position;
    motion.rotation = kerb_quat_from_heading(kerb_atan2(sample.direction.y, sample.direction.x));
    motion.velocity = kerb_vec3_scale(sample.direction, 4.0f);
    kerb_follower_drive(follower, path, &motion, NULL, 0.1f);
}

static int32_t slot_of(const kerb_follower* follower, double distance) {
    int32_t knot = (int32_t)(distance * follower->memory.line.per_metre);
    assert_true(knot >= follower->memory.line.first && knot < follower->memory.line.knots);
    return knot & (KERB_FOLLOWER_LINE_KNOTS - 1);
}

// What a vehicle touches while its reference point turns on a circle: every point of its outline,
// turned about the centre, which lies beside the rear axle.
static void swept(const kerb_vehicle* vehicle, float radius, float* inner, float* outer) {
    float back = vehicle->kind == KERB_VEHICLE_WHEELED ? vehicle->reference_to_rear_axle : 0.0f;
    float side = sqrtf(radius * radius - back * back);
    *inner = 1.0e9f;
    *outer = 0.0f;
    for (int32_t i = 0; i <= 1000; i++) {
        float x = back + vehicle->reference_to_front - vehicle->length * (float)i / 1000.0f;
        *inner = fminf(*inner, hypotf(x, side - 0.5f * vehicle->width));
        *outer = fmaxf(*outer, hypotf(x, side + 0.5f * vehicle->width));
    }
}

// The line's distance from the middle of a long bend to the left that begins after 60 m.
static float radius_of_line(const kerb_vehicle* vehicle, const kerb_path* path, float radius) {
    kerb_follower follower = kerb_follower_make(vehicle);
    double middle = 60.0 + 0.5 * 1.5 * (double)radius;
    for (double distance = 30.0; distance < middle; distance += 1.0)
        look_at(&follower, path, distance);
    kerb_vec3 at = follower.memory.line.position[slot_of(&follower, middle)];
    return hypotf(at.x - 60.0f, at.y - radius);
}

static void a_long_vehicle_sweeps_a_band_in_the_middle_of_a_tight_corridor(void** state) {
    (void)state;
    static const char* const names[] = {"carrier", "tank", "pickup"};
    static const float radii[] = {14.0f, 18.0f, 30.0f};
    for (int32_t i = 0; i < 9; i++) {
        kerb_vehicle vehicle = named(names[i / 3]);
        float radius = radii[i % 3], inner, outer;
        swept(&vehicle, radius, &inner, &outer);
        // Half a metre more than it sweeps: less than it wants on both sides together.
        float half = 0.5f * (outer - inner) + 0.2f;
        road r = road_with(half, half);
        draw(&r, 60.0f, 0.0f);
        draw(&r, 1.5f * radius, 1.5f);
        draw(&r, 60.0f, 0.0f);
        kerb_path path = path_of(&r);
        float line = radius_of_line(&vehicle, &path, radius);
        swept(&vehicle, line, &inner, &outer);
        print_message("%s on %g m: %.3f m inside, %.3f m outside\n", names[i / 3], (double)radius,
                      (double)(inner - (radius - half)), (double)(radius + half - outer));
        assert_float_equal(inner - (radius - half), radius + half - outer, 0.06);
        kerb_path_destroy(&path);
    }
}

static void where_there_is_room_the_line_stays_on_the_path(void** state) {
    (void)state;
    kerb_vehicle vehicle = named("carrier");
    static const float radii[] = {14.0f, 18.0f, 30.0f};
    for (int32_t i = 0; i < 3; i++) {
        road r = road_with(6.0f, 6.0f);
        draw(&r, 60.0f, 0.0f);
        draw(&r, 1.5f * radii[i], 1.5f);
        draw(&r, 60.0f, 0.0f);
        kerb_path path = path_of(&r);
        assert_float_equal(radius_of_line(&vehicle, &path, radii[i]), radii[i], 0.05);
        kerb_path_destroy(&path);
    }
}

static road hairpin(float radius, float side, float half_width) {
    road r = road_with(half_width, half_width);
    draw(&r, 60.0f, 0.0f);
    draw(&r, KERB_PI * radius, KERB_PI * side);
    draw(&r, 60.0f, 0.0f);
    return r;
}

static void the_line_through_a_hairpin_is_no_sharper_than_the_vehicle_turns(void** state) {
    (void)state;
    kerb_vehicle vehicle = named("carrier");
    float radius = kerb_vehicle_turning_radius(&vehicle);
    for (int32_t i = 0; i < 6; i++) {
        road r = hairpin(8.0f + (float)(i / 2), i % 2 == 0 ? 1.0f : -1.0f, 4.5f);
        kerb_path path = path_of(&r);
        kerb_follower follower = kerb_follower_make(&vehicle);
        float sharpest = 0.0f;
        for (double distance = 1.0; distance < path.length - 1.0; distance += 1.0) {
            look_at(&follower, &path, distance);
            float curvature = follower.memory.line.curvature[slot_of(&follower, distance)];
            sharpest = fmaxf(sharpest, fabsf(curvature));
        }
        print_message("hairpin of %d m: radius %.2f m of %.2f m\n", 8 + i / 2,
                      (double)(1.0f / sharpest), (double)radius);
        assert_true(sharpest <= 1.0f / radius);
        kerb_path_destroy(&path);
    }
}

// Drives a road to its end; the share of it with the whole footprint in the corridor.
static double drive(const char* name, const road* r, double* worst) {
    kerb_sim_model model;
    assert_true(kerb_sim_model_named(name, &model));
    kerb_path path = path_of(r);
    kerb_sim_vehicle vehicle = kerb_sim_vehicle_make(&model, path.points[0].position, 0.0f);
    kerb_follower follower = kerb_follower_make(&model.vehicle);
    kerb_scene_judge judge = kerb_scene_judge_make(&path, &model.vehicle);
    kerb_sim_ground ground = {.normal = {0.0f, 0.0f, 1.0f}, .grip = 1.0f};
    for (int32_t i = 0; i < 60 * 120 && !judge.finished; i++) {
        kerb_motion motion = kerb_sim_vehicle_motion(&vehicle);
        kerb_controls controls = kerb_follower_drive(&follower, &path, &motion, NULL, 1.0f / 60.0f);
        for (int32_t step = 0; step < 4; step++)
            kerb_sim_vehicle_step(&vehicle, &controls, &ground, 1.0f / 240.0f);
        motion = kerb_sim_vehicle_motion(&vehicle);
        kerb_scene_judge_watch(&judge, &motion, 1.0f / 60.0f);
    }
    assert_true(judge.finished);
    *worst = (double)judge.error_max;
    double share = judge.inside_sum / judge.best;
    kerb_path_destroy(&path);
    return share;
}

// The window is a ring, in which headings lie farther ahead than the line.
static void the_clearance_of_the_line_is_that_of_its_stations(void** state) {
    (void)state;
    kerb_vehicle vehicle = named("pickup");
    road r = road_with(3.0f, 3.0f);
    draw(&r, 60.0f, 0.0f);
    r.left = r.right = 6.0f;
    draw(&r, 140.0f, 0.0f);
    kerb_path path = path_of(&r);
    kerb_follower follower = kerb_follower_make(&vehicle);
    for (double distance = 15.0; distance < 100.0; distance += 2.0) {
        look_at(&follower, &path, distance);
        for (double station = distance - 5.0; station < distance + 30.0; station += 1.0) {
            const float clearance = station < 60.0 ? 3.0f : 6.0f;
            if (station < 57.0 || station > 63.0)
                assert_float_equal(kerb_line_room(&follower.memory.line, station), clearance,
                                   0.01f);
        }
    }
    kerb_path_destroy(&path);
}

static void a_hairpin_that_is_too_tight_is_driven_wide_within_the_corridor(void** state) {
    (void)state;
    for (int32_t i = 0; i < 4; i++) {
        road r = hairpin(9.0f + (float)(i / 2), i % 2 == 0 ? 1.0f : -1.0f, 5.0f);
        double worst, share = drive("carrier", &r, &worst);
        print_message("hairpin of %d m: %.1f %% inside, error at most %.2f m\n", 9 + i / 2,
                      100.0 * share, worst);
        assert_true(share > 0.99 && worst < 3.5);
    }
}

static void slow_steering_does_not_swing_through_a_slalom(void** state) {
    (void)state;
    static const char* const names[] = {"carrier", "tank", "scout"};
    road r = road_with(2.6f, 2.6f);
    draw(&r, 40.0f, 0.0f);
    draw(&r, 8.0f, 0.45f);
    for (int32_t i = 0; i < 8; i++)
        draw(&r, 18.0f, i % 2 == 0 ? -0.9f : 0.9f);
    draw(&r, 8.0f, -0.45f);
    draw(&r, 40.0f, 0.0f);
    for (int32_t i = 0; i < 3; i++) {
        double worst, share = drive(names[i], &r, &worst);
        print_message("%s: %.1f %% inside, error at most %.2f m\n", names[i], 100.0 * share, worst);
        assert_true(share > 0.99 && worst < 1.15);
    }
}

// Its stretches bend as sharply as these vehicles turn, all but a seventh or a tenth: a heading
// that is missing where one of them ends is missing for good.
static void a_turn_in_many_stretches_is_driven_as_it_is_drawn(void** state) {
    (void)state;
    static const char* const names[] = {"pickup", "scout", "buggy"};
    kerb_host host = kerb_host_default();
    kerb_scene_course course;
    assert_int_equal(kerb_scene_course_make("many-point-turn", &host, &course, NULL), KERB_OK);
    assert_true(course.count <= POINTS);
    road r = {.count = course.count};
    memcpy(r.waypoints, course.waypoints, (size_t)course.count * sizeof r.waypoints[0]);
    kerb_scene_course_free(&course, &host);
    for (int32_t i = 0; i < 3; i++) {
        double worst, share = drive(names[i], &r, &worst);
        print_message("%s: %.1f %% inside, error at most %.2f m\n", names[i], 100.0 * share, worst);
        assert_true(share > 0.95 && worst < 2.2);
    }
}

static bool same_line(const kerb_follower* a, const kerb_follower* b, double distance) {
    int32_t i = slot_of(a, distance);
    return memcmp(&a->memory.line.position[i], &b->memory.line.position[i],
                  sizeof a->memory.line.position[i]) == 0 &&
           memcmp(&a->memory.line.direction[i], &b->memory.line.direction[i],
                  sizeof a->memory.line.direction[i]) == 0 &&
           memcmp(&a->memory.line.curvature[i], &b->memory.line.curvature[i], sizeof(float)) == 0 &&
           memcmp(&a->memory.line.allowed_squared[i], &b->memory.line.allowed_squared[i],
                  sizeof(float)) == 0;
}

// Bends of every kind, one after the other.
static road winding(kerb_random* random) {
    float half = kerb_random_between(random, 2.0f, 5.0f);
    road r = road_with(half, half);
    for (int32_t i = 0; i < 8; i++) {
        draw(&r, kerb_random_between(random, 1.0f, 25.0f), 0.0f);
        float radius = kerb_random_between(random, 5.0f, 20.0f);
        float turn = kerb_random_between(random, -2.5f, 2.5f);
        if (r.count + 55 < POINTS)
            draw(&r, 1.0f + radius * fabsf(turn), turn);
    }
    return r;
}

static void the_line_is_the_same_wherever_the_drive_began(void** state) {
    (void)state;
    kerb_random random = test_random("the_line_is_the_same_wherever_the_drive_began");
    static const char* const names[] = {"carrier", "tank", "pickup"};
    for (int32_t i = 0; i < 30; i++) {
        kerb_vehicle vehicle = named(names[i % 3]);
        road r = winding(&random);
        kerb_path path = path_of(&r);
        kerb_follower from_start = kerb_follower_make(&vehicle);
        kerb_follower from_here = kerb_follower_make(&vehicle);
        double begin = 0.3 * path.length;
        for (double distance = 0.0; distance < begin + 20.0; distance += 0.5) {
            look_at(&from_start, &path, distance);
            if (distance < begin)
                continue;
            look_at(&from_here, &path, distance);
            for (double ahead = 0.0; ahead < 10.0; ahead += 1.0)
                assert_true(same_line(&from_start, &from_here, distance + ahead));
        }
        kerb_path_destroy(&path);
    }
}

int follower_room_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_long_vehicle_sweeps_a_band_in_the_middle_of_a_tight_corridor),
        cmocka_unit_test(where_there_is_room_the_line_stays_on_the_path),
        cmocka_unit_test(the_line_through_a_hairpin_is_no_sharper_than_the_vehicle_turns),
        cmocka_unit_test(the_clearance_of_the_line_is_that_of_its_stations),
        cmocka_unit_test(a_hairpin_that_is_too_tight_is_driven_wide_within_the_corridor),
        cmocka_unit_test(slow_steering_does_not_swing_through_a_slalom),
        cmocka_unit_test(a_turn_in_many_stretches_is_driven_as_it_is_drawn),
        cmocka_unit_test(the_line_is_the_same_wherever_the_drive_began),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
