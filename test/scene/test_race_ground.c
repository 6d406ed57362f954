// The ground of a race track: against surfaces with a closed form, against its own differences,
// against the racing line's solver, and under cars.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kerb/racing_line.h"
#include "scene/race/race_ground.h"
#include "scene/race/tracks.h"
#include "sim/vehicle.h"
#include "test/allocation.h"
#include "test/seed.h"

#include <math.h>
#include <string.h>

#define POINTS 700
#define STEP (1.0f / 240.0f)

static test_allocation allocation;
static kerb_host host;
static kerb_waypoint waypoints[POINTS];
static kerb_path path;
static kerb_scene_race_ground ground;

static int set_up(void** state) {
    (void)state;
    allocation = test_allocation_make();
    host = test_allocation_host(&allocation);
    return 0;
}

static void clear(void) {
    kerb_scene_race_ground_destroy(&ground);
    kerb_path_destroy(&path);
}

static int tear_down(void** state) {
    (void)state;
    clear();
    test_allocation_check(&allocation);
    return 0;
}

static void build(int32_t count, bool closed, float wall_distance) {
    kerb_error error;
    kerb_scene_race_ground_settings settings = kerb_scene_race_ground_settings_default();
    settings.wall_distance = wall_distance;
    clear();
    assert_int_equal(kerb_path_create(&path, waypoints, count, closed, &host, &error), KERB_OK);
    assert_int_equal(kerb_scene_race_ground_create(&ground, &path, &settings, &host, &error),
                     KERB_OK);
}

static void expect_near(double value, double expected, double tolerance, const char* what) {
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%s is %g instead of %g", what, value, expected);
}

// Anticlockwise, 6 m wide to each side, the inside lower by the bank.
static void build_circle(double radius, float bank, float wall_distance) {
    int32_t count = (int32_t)(radius * 3.1415926);
    for (int32_t i = 0; i < count; i++) {
        double angle = 6.283185307179586 * (double)i / (double)count;
        waypoints[i] =
            kerb_waypoint_at((float)(radius * cos(angle)), (float)(radius * sin(angle)), 0.0f);
        waypoints[i].left = waypoints[i].right = 6.0f;
        waypoints[i].bank = -bank;
    }
    build(count, true, wall_distance);
}

// Hills, bends either way and a bank that changes, 8 m wide.
static void build_wavy(float wall_distance) {
    double x = 0.0, y = 0.0;
    for (int32_t i = 0; i < POINTS; i++) {
        double s = 2.0 * (double)i;
        double heading = 0.9 * sin(s / 60.0);
        waypoints[i] = kerb_waypoint_at((float)x, (float)y,
                                        (float)(4.0 * sin(s / 40.0) + 1.0 * cos(s / 17.0)));
        waypoints[i].left = 4.0f;
        waypoints[i].right = 5.0f;
        waypoints[i].bank = 0.15f * (float)sin(s / 35.0);
        x += 2.0 * cos(heading);
        y += 2.0 * sin(heading);
    }
    build(POINTS, false, wall_distance);
}

static kerb_sim_ground at(double x, double y, kerb_scene_race_place* place) {
    kerb_vec3 position = {(float)x, (float)y, 0.0f};
    return kerb_scene_race_ground_at(&ground, place, position);
}

// --------------------------------------------------------------------------- closed forms

// A cone: height tan(b)·(r - R), second derivatives tan(b)/r around it and 0 outwards.
static void a_banked_circle_is_a_cone(void** state) {
    (void)state;
    kerb_random random = test_random("a_banked_circle_is_a_cone");
    for (float bank = 0.0f; bank < 0.7f; bank += 0.2f) {
        build_circle(80.0, bank, -1.0f);
        kerb_scene_race_place place = {0};
        for (int i = 0; i < 500; i++) {
            double angle = 6.28 * (double)kerb_random_unit(&random);
            double r = 80.0 + 14.0 * ((double)kerb_random_unit(&random) - 0.5);
            double x = r * cos(angle), y = r * sin(angle), rise = tan((double)bank);
            place.known = false;
            kerb_sim_ground under = at(x, y, &place);
            expect_near((double)under.height, rise * (r - 80.0), 2e-3, "height");
            expect_near((double)under.normal.x, -sin((double)bank) * cos(angle), 1e-3, "normal.x");
            expect_near((double)under.normal.y, -sin((double)bank) * sin(angle), 1e-3, "normal.y");
            double around = rise / r;
            expect_near((double)under.bend.xx, around * sin(angle) * sin(angle), 2e-4, "bend.xx");
            expect_near((double)under.bend.xy, -around * sin(angle) * cos(angle), 2e-4, "bend.xy");
            expect_near((double)under.bend.yy, around * cos(angle) * cos(angle), 2e-4, "bend.yy");
        }
    }
}

// A hill that is an arc of a circle in the vertical plane: z'' = -R²/(R² - x²)^(3/2).
static void a_hill_is_a_vertical_arc(void** state) {
    (void)state;
    const double radius = 150.0;
    int32_t count = 0;
    for (double x = -90.0; x <= 90.0; x += 1.5) {
        waypoints[count] = kerb_waypoint_at((float)x, 0.0f, (float)sqrt(radius * radius - x * x));
        count++;
    }
    build(count, false, -1.0f);
    kerb_scene_race_place place = {0};
    for (double x = -75.0; x < 75.0; x += 0.37) {
        kerb_sim_ground under = at(x, 1.3, &place);
        double z = sqrt(radius * radius - x * x);
        expect_near((double)under.height, z, 1e-3, "height");
        expect_near((double)under.normal.x, x / radius, 1e-4, "normal.x");
        expect_near((double)under.bend.xx, -radius * radius / (z * z * z), 1e-4, "bend.xx");
        expect_near((double)under.bend.yy, 0.0, 1e-5, "bend.yy");
    }
}

// The bank is a roll about the road's own direction, which climbs.
static void a_climbing_banked_straight_is_a_plane(void** state) {
    (void)state;
    const float climb = 0.6f, bank = 0.5f;
    int32_t count = 0;
    for (float x = 0.0f; x <= 60.0f; x += 3.0f) {
        waypoints[count] = kerb_waypoint_at(x, 0.0f, climb * x);
        waypoints[count++].bank = bank;
    }
    build(count, false, -1.0f);
    kerb_vec3 ahead = kerb_vec3_unit(kerb_vec3_make(1.0f, 0.0f, climb), kerb_vec3_make(0, 0, 0));
    kerb_vec3 level = {0.0f, 1.0f, 0.0f};
    kerb_vec3 left = kerb_vec3_along(kerb_vec3_scale(level, cosf(bank)),
                                     kerb_vec3_cross(ahead, level), sinf(bank));
    kerb_vec3 normal = kerb_vec3_cross(ahead, left);
    kerb_scene_race_place place = {0};
    for (float x = 20.0f; x < 40.0f; x += 0.7f) {
        kerb_vec3 position = {x, 1.5f, climb * x};
        kerb_sim_ground under = kerb_scene_race_ground_at(&ground, &place, position);
        assert_true(kerb_vec3_length(kerb_vec3_sub(under.normal, normal)) < 1e-5f);
        double height = -((double)normal.x * (double)x + (double)normal.y * 1.5) / (double)normal.z;
        expect_near((double)under.height, height, 1e-4, "height");
        expect_near((double)under.bend.xx, 0.0, 1e-5, "bend");
    }
}

// On a winding, climbing road with a changing bank: slopes and bends are those of the heights.
static void normals_and_bends_are_the_derivatives_of_the_height(void** state) {
    (void)state;
    build_wavy(-1.0f);
    kerb_random random = test_random("normals_and_bends_are_the_derivatives_of_the_height");
    for (int i = 0; i < 2000; i++) {
        int32_t segment = 5 + (int32_t)(kerb_random_unit(&random) * (float)(POINTS - 12));
        race_foot foot = {.segment = segment,
                          .share = 0.05 + 0.9 * (double)kerb_random_unit(&random),
                          .offset = 8.0 * ((double)kerb_random_unit(&random) - 0.5)};
        double x, y, step = 0.02;
        kerb_scene_race_surface_place(&ground.surface, &foot, &x, &y);
        kerb_sim_ground here = kerb_scene_race_surface_at(&ground.surface, &foot);
        race_foot ahead = kerb_scene_race_surface_foot(&ground.surface, foot, x + step, y);
        race_foot back = kerb_scene_race_surface_foot(&ground.surface, foot, x - step, y);
        race_foot left = kerb_scene_race_surface_foot(&ground.surface, foot, x, y + step);
        race_foot right = kerb_scene_race_surface_foot(&ground.surface, foot, x, y - step);
        kerb_sim_ground a = kerb_scene_race_surface_at(&ground.surface, &ahead);
        kerb_sim_ground b = kerb_scene_race_surface_at(&ground.surface, &back);
        kerb_sim_ground l = kerb_scene_race_surface_at(&ground.surface, &left);
        kerb_sim_ground r = kerb_scene_race_surface_at(&ground.surface, &right);
        double rise_x = -(double)here.normal.x / (double)here.normal.z;
        double rise_y = -(double)here.normal.y / (double)here.normal.z;
        expect_near(((double)a.height - (double)b.height) / (2.0 * step), rise_x, 2e-3, "slope x");
        expect_near(((double)l.height - (double)r.height) / (2.0 * step), rise_y, 2e-3, "slope y");
        if (ahead.segment != back.segment || left.segment != right.segment)
            continue; // third derivatives jump at knots
        double ax = -(double)a.normal.x / (double)a.normal.z;
        double bx = -(double)b.normal.x / (double)b.normal.z;
        double ay = -(double)a.normal.y / (double)a.normal.z;
        double by = -(double)b.normal.y / (double)b.normal.z;
        double ly = -(double)l.normal.y / (double)l.normal.z;
        double ry = -(double)r.normal.y / (double)r.normal.z;
        expect_near((ax - bx) / (2.0 * step), (double)here.bend.xx, 2e-5, "bend.xx");
        expect_near((ay - by) / (2.0 * step), (double)here.bend.xy, 2e-5, "bend.xy");
        expect_near((ly - ry) / (2.0 * step), (double)here.bend.yy, 2e-5, "bend.yy");
    }
}

// --------------------------------------------------------------------------- the racing line

// The solver knows the same spline; its bank is linear between points, and its cross-sections are
// at right angles in space: centimetres on steep, banked stretches.
static void a_racing_line_lies_on_the_ground(void** state) {
    (void)state;
    kerb_error error;
    build_wavy(-1.0f);
    kerb_performance performance = kerb_performance_point_mass(12.0f, 6.0f, 10.0f, 60.0f);
    kerb_line_settings settings = kerb_line_settings_default();
    settings.method = KERB_LINE_CURVATURE;
    kerb_line_solver solver;
    assert_int_equal(
        kerb_line_solver_create(&solver, &path, &performance, &settings, &host, &error), KERB_OK);
    while (kerb_line_solver_advance(&solver, 64) == KERB_LINE_RUNNING)
        ;
    kerb_racing_line line;
    assert_int_equal(kerb_racing_line_create(&line, &solver, 2.0f, &host, &error), KERB_OK);
    kerb_scene_race_place place = {0};
    float widest = 0.0f;
    double bend_error = 0.0, bend_size = 0.0;
    for (int32_t i = 10; i < line.count - 10; i++) {
        const kerb_line_point* point = &line.points[i];
        kerb_sim_ground under = at(point->x, point->y, &place);
        expect_near((double)under.height, point->z, 0.02, "height under the line");
        expect_near((double)under.normal.z, (double)point->up_normal, 4e-3, "its steepness");
        widest = kerb_max(widest, kerb_abs(point->lateral_offset));
        // Along the line: the surface's own bend, n_z·uᵀHu, u of unit length in space.
        double ux = cos((double)point->heading), uy = sin((double)point->heading);
        double level = 1.0 + (double)(point->slope * point->slope);
        double bend = (double)under.normal.z *
                      (ux * ux * (double)under.bend.xx + 2.0 * ux * uy * (double)under.bend.xy +
                       uy * uy * (double)under.bend.yy) /
                      level;
        bend_error += fabs(bend - (double)point->normal_curvature);
        bend_size += fabs((double)point->normal_curvature);
    }
    assert_true(widest > 2.0f); // it left the centre
    if (bend_error > 0.1 * bend_size)
        fail_msg("bends differ by %g of their size", bend_error / bend_size);
    kerb_racing_line_destroy(&line);
    kerb_line_solver_destroy(&solver);
}

// --------------------------------------------------------------------------- grip and edges

static void beside_the_edges_lies_grass(void** state) {
    (void)state;
    build_circle(80.0, 0.0f, -1.0f);
    kerb_scene_race_place place = {0};
    assert_true(at(80.0, 0.0, &place).grip == 1.0f);
    expect_near((double)kerb_scene_race_ground_outside(&place), -6.0, 1e-3, "outside");
    assert_true(at(85.0, 0.0, &place).grip == 1.0f);
    expect_near((double)at(86.0, 0.0, &place).grip, 0.75, 1e-3, "half of the wheels on grass");
    expect_near((double)at(87.0, 0.0, &place).grip, 0.5, 1e-6, "all of them");
    expect_near((double)kerb_scene_race_ground_outside(&place), 1.0, 1e-3, "outside");
    expect_near((double)at(72.0, 0.0, &place).grip, 0.5, 1e-6, "inside");
    expect_near((double)kerb_scene_race_ground_outside(&place), 2.0, 1e-3, "outside, on the left");
}

static void a_place_keeps_to_its_stretch_where_others_are_near(void** state) {
    (void)state;
    // A hairpin's two straights, 14 m apart.
    int32_t count = 0;
    for (float x = 0.0f; x < 100.0f; x += 2.0f)
        waypoints[count++] = kerb_waypoint_at(x, 0.0f, 0.0f);
    for (float angle = 0.1f; angle < 3.1f; angle += 0.2f)
        waypoints[count++] =
            kerb_waypoint_at(100.0f + 7.0f * sinf(angle), 7.0f - 7.0f * cosf(angle), 0.0f);
    for (float x = 99.0f; x > 0.0f; x -= 2.0f)
        waypoints[count++] = kerb_waypoint_at(x, 14.0f, 0.0f);
    build(count, false, -1.0f);
    kerb_scene_race_place place = {0};
    for (double x = 20.0; x < 60.0; x += 0.3)
        at(x, 2.0 + 0.1 * (x - 20.0), &place); // up to 6 m to the left
    assert_true(place.foot.segment < 40);
    for (double x = 60.0; x < 90.0; x += 0.3)
        at(x, 6.0, &place);
    assert_true(place.foot.segment > 40 && place.foot.segment < 60);
}

static void a_position_that_is_not_a_number_leaves_the_place(void** state) {
    (void)state;
    build_circle(80.0, 0.2f, 1.0f);
    kerb_scene_race_place place = {0}, fresh = {0};
    kerb_sim_ground before = at(81.0, 0.0, &place);
    kerb_scene_race_place known = place;
    kerb_sim_ground after = at((double)NAN, 0.0, &place);
    assert_true(before.height == after.height && before.bend.xx == after.bend.xx);
    assert_int_equal(known.foot.segment, place.foot.segment);
    after = at(0.0, (double)INFINITY, &fresh);
    assert_true(kerb_is_finite(after.height + after.normal.x + after.bend.xx + after.grip));
    const double far[3] = {0.0, 1e5, -1e6}; // the centre of curvature, and far off
    for (int i = 0; i < 3; i++) {
        after = at(far[i], far[i], &place);
        assert_true(kerb_is_finite(after.height + after.normal.x + after.bend.xx + after.bend.xy));
    }
}

static void an_open_track_goes_on_straight_beyond_its_ends(void** state) {
    (void)state;
    int32_t count = 0;
    for (float x = 0.0f; x <= 100.0f; x += 5.0f)
        waypoints[count++] = kerb_waypoint_at(x, 0.0f, 0.1f * x);
    build(count, false, -1.0f);
    kerb_scene_race_place place = {0};
    expect_near((double)at(-10.0, 1.0, &place).height, -1.0, 1e-4, "before the start");
    place.known = false;
    expect_near((double)at(110.0, -1.0, &place).height, 11.0, 1e-4, "behind the end");
}

// --------------------------------------------------------------------------- cars on it

// Along a line 3 m beside the centre, as fast as tyres would hold, up to 70 m/s: what
// a step changes of the load.
static void no_step_of_the_ground_kicks_a_fast_car(void** state) {
    (void)state;
    kerb_error error;
    for (int32_t t = 0; t < kerb_scene_track_count() + 1; t++) {
        kerb_scene_track track = {0};
        clear();
        if (t < kerb_scene_track_count()) {
            kerb_scene_race_ground_settings settings = kerb_scene_race_ground_settings_default();
            assert_int_equal(kerb_scene_track_make(kerb_scene_track_name(t), &host, &track, &error),
                             KERB_OK);
            assert_int_equal(
                kerb_path_create(&path, track.waypoints, track.count, track.closed, &host, &error),
                KERB_OK);
            assert_int_equal(
                kerb_scene_race_ground_create(&ground, &path, &settings, &host, &error), KERB_OK);
        } else {
            build_wavy(-1.0f);
        }
        kerb_scene_race_place place = {0};
        float last_push = 0.0f, speed = 30.0f, hardest = 0.0f;
        kerb_vec3 last_normal = {0.0f, 0.0f, 0.0f};
        for (double s = 10.0; s < path.length - 10.0; s += (double)(speed * STEP)) {
            kerb_path_location location = kerb_path_locate(&path, s);
            kerb_path_sample on = kerb_path_sample_at(&path, location);
            float bend = kerb_abs(on.curvature) + 0.002f;
            speed = sqrtf(10.0f / bend) * (1.0f - 3.0f * bend);
            kerb_vec3 position = kerb_vec3_add(
                on.position, kerb_vec3_make(-3.0f * on.direction.y, 3.0f * on.direction.x, 0.0f));
            kerb_sim_ground under = kerb_scene_race_ground_at(&ground, &place, position);
            kerb_vec2 u = {speed * on.direction.x, speed * on.direction.y};
            float push = u.x * u.x * under.bend.xx + 2.0f * u.x * u.y * under.bend.xy +
                         u.y * u.y * under.bend.yy;
            if (last_normal.z > 0.0f) {
                assert_true(kerb_vec3_length(kerb_vec3_sub(under.normal, last_normal)) < 0.01f);
                hardest = kerb_max(hardest, kerb_abs(push - last_push));
            }
            last_push = push;
            last_normal = under.normal;
        }
        // A kink of one degree would push with 30·0.017·240 = 126 m/s² for a step.
        if (hardest > 5.0f)
            fail_msg("track %d: the push changes by %g m/s² in a step", (int)t, (double)hardest);
        kerb_scene_track_free(&track, &host);
    }
}

static void a_car_coasts_round_a_banked_circle_at_its_neutral_speed(void** state) {
    (void)state;
    build_circle(100.0, 0.35f, -1.0f);
    kerb_sim_model model;
    assert_true(kerb_sim_model_named("gt", &model));
    model.car.drag_area = model.car.rolling_resistance = model.car.downforce_area = 0.0f;
    float speed = sqrtf(KERB_GRAVITY * 100.0f * tanf(0.35f));
    kerb_sim_car car =
        kerb_sim_car_make(&model.car, kerb_vec3_make(100.0f, 0.0f, 0.0f), 0.5f * KERB_PI);
    car.forward = speed;
    car.wheel_front = car.wheel_rear = speed / model.car.wheel_radius;
    kerb_controls controls = {.gear = 0};
    kerb_scene_race_place place = {0};
    float wheelbase = model.car.front_to_mass + model.car.rear_to_mass;
    // Within the surface the bend is cos(bank)/R.
    float straight = wheelbase * cosf(0.35f) / 100.0f / model.car.steering_angle_max;
    car.yaw_rate = speed * cosf(0.35f) / 100.0f;
    for (int i = 0; i < 240 * 30; i++) {
        kerb_sim_ground under = kerb_scene_race_ground_at(&ground, &place, car.position);
        float slant =
            kerb_wrap_angle(car.heading - atan2f(car.position.y, car.position.x) - 0.5f * KERB_PI);
        controls.steering = straight - 0.05f * (float)place.foot.offset - slant;
        kerb_sim_car_step(&car, &controls, &under, STEP);
        float used = kerb_abs(car.force_front.y + car.force_rear.y);
        float load = car.load_front + car.load_rear;
        float expected = model.car.mass * KERB_GRAVITY / cosf(0.35f);
        if (i > 240 * 15)
            assert_true(used < 0.01f * load && kerb_abs(load / expected - 1.0f) < 0.01f);
    }
    assert_true(kerb_abs((float)place.foot.offset) < 0.3f);
}

static void walls_hold_cars_whatever_their_speed_and_angle(void** state) {
    (void)state;
    kerb_random random = test_random("walls_hold_cars_whatever_their_speed_and_angle");
    for (int wavy = 0; wavy < 2; wavy++) {
        if (wavy == 1)
            build_wavy(2.0f);
        else
            build_circle(60.0, 0.1f, 2.0f);
        for (int i = 0; i < 60; i++) {
            kerb_sim_model model;
            assert_true(kerb_sim_model_named(kerb_sim_race_model_name(i % 5), &model));
            int32_t point = 40 + (int32_t)(kerb_random_unit(&random) * (float)(path.count - 80));
            kerb_vec3 start = path.points[point].position;
            kerb_sim_vehicle vehicle =
                kerb_sim_vehicle_make(&model, start, 6.28f * kerb_random_unit(&random));
            vehicle.car.forward = 90.0f * kerb_random_unit(&random);
            kerb_controls controls = {.gear = 0, .steering = kerb_random_unit(&random) - 0.5f};
            kerb_scene_race_place place = {0};
            int touches = 0;
            for (int step = 0; step < 240 * 2; step++) {
                kerb_sim_body body = kerb_sim_vehicle_body(&vehicle);
                kerb_sim_ground under = kerb_scene_race_ground_at(&ground, &place, body.position);
                if (place.foot.beyond != 0.0)
                    break; // out through an open end
                kerb_sim_vehicle_step(&vehicle, &controls, &under, STEP);
                body = kerb_sim_vehicle_body(&vehicle);
                if (kerb_scene_race_ground_push(&ground, &place, &body, NULL, 0) > 0) {
                    touches++;
                    kerb_sim_vehicle_set_body(&vehicle, &body);
                }
                assert_true(kerb_scene_race_ground_outside(&place) < 2.0f);
            }
            if (vehicle.car.forward > 1.0f && wavy == 0)
                assert_true(touches > 0 || vehicle.car.forward < 40.0f);
        }
    }
}

// Inside a bend tighter than their distance, walls stay before the centre of curvature.
static void walls_do_not_run_backwards_inside_tight_bends(void** state) {
    (void)state;
    build_circle(10.0, 0.0f, 8.0f); // 14 m from the centre line: 4 m behind the centre
    for (int32_t i = 0; i < path.count; i++) {
        kerb_vec2 wall = ground.walls[0][i];
        kerb_vec2 knot = {path.points[i].position.x, path.points[i].position.y};
        assert_true(kerb_vec2_dot(wall, knot) > 0.0f);
        assert_true(kerb_vec2_length(wall) < 1.5f);
        expect_near((double)kerb_vec2_length(ground.walls[1][i]), 24.1, 0.01, "the outer wall");
    }
}

static void without_walls_nothing_is_pushed(void** state) {
    (void)state;
    build_circle(60.0, 0.0f, -1.0f);
    kerb_sim_model model;
    assert_true(kerb_sim_model_named("gt", &model));
    kerb_sim_vehicle vehicle =
        kerb_sim_vehicle_make(&model, kerb_vec3_make(80.0f, 0.0f, 0.0f), 0.0f);
    kerb_sim_body body = kerb_sim_vehicle_body(&vehicle), before = body;
    kerb_scene_race_place place = {0};
    kerb_scene_race_ground_at(&ground, &place, body.position);
    assert_int_equal(kerb_scene_race_ground_push(&ground, &place, &body, NULL, 0), 0);
    assert_memory_equal(&body, &before, sizeof body);
}

// --------------------------------------------------------------------------- errors

static void bad_settings_and_failed_allocations_are_said(void** state) {
    (void)state;
    kerb_error error;
    build_circle(60.0, 0.0f, -1.0f);
    kerb_scene_race_ground other;
    const kerb_scene_race_ground_settings bad[4] = {
        {NAN, 1.5f, -1.0f}, {0.0f, 1.5f, -1.0f}, {0.5f, 0.0f, -1.0f}, {0.5f, 1.5f, INFINITY}};
    static const char* field[4] = {"grass_grip", "grass_grip", "wheel_track", "wall_distance"};
    for (int i = 0; i < 4; i++) {
        assert_int_not_equal(kerb_scene_race_ground_create(&other, &path, &bad[i], &host, &error),
                             KERB_OK);
        assert_string_equal(error.field, field[i]);
        assert_null(other.memory);
    }
    kerb_scene_race_ground_settings settings = kerb_scene_race_ground_settings_default();
    test_allocation scarce = test_allocation_make();
    kerb_host poor = test_allocation_host(&scarce);
    for (int32_t n = 1; test_allocation_fail_next(&scarce, n); n++) {
        kerb_result result = kerb_scene_race_ground_create(&other, &path, &settings, &poor, &error);
        assert_int_equal(result, scarce.failed ? KERB_ERROR_OUT_OF_MEMORY : KERB_OK);
        kerb_scene_race_ground_destroy(&other);
        test_allocation_check(&scarce);
    }
}

int race_ground_tests(void) {
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
        TEST(a_banked_circle_is_a_cone),
        TEST(a_hill_is_a_vertical_arc),
        TEST(a_climbing_banked_straight_is_a_plane),
        TEST(normals_and_bends_are_the_derivatives_of_the_height),
        TEST(a_racing_line_lies_on_the_ground),
        TEST(beside_the_edges_lies_grass),
        TEST(a_place_keeps_to_its_stretch_where_others_are_near),
        TEST(a_position_that_is_not_a_number_leaves_the_place),
        TEST(an_open_track_goes_on_straight_beyond_its_ends),
        TEST(no_step_of_the_ground_kicks_a_fast_car),
        TEST(a_car_coasts_round_a_banked_circle_at_its_neutral_speed),
        TEST(walls_hold_cars_whatever_their_speed_and_angle),
        TEST(walls_do_not_run_backwards_inside_tight_bends),
        TEST(without_walls_nothing_is_pushed),
        TEST(bad_settings_and_failed_allocations_are_said),
#undef TEST
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
