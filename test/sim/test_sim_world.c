// Ground, walls and collisions of the proving ground, judged by the closed forms of rigid bodies
// (each stands at its test), by what impulses keep, and by an overlap test of the test's own.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/world.h"
#include "test/seed.h"
#include "test/sim_driving.h"

#include <math.h>
#include <string.h>

enum { CASES = 10000, TOUCHES = 16 };

static const double friction = (double)KERB_SIM_CONTACT_FRICTION;
static const double bounce = (double)KERB_SIM_CONTACT_BOUNCE;

// --------------------------------------------------------------------------- what is set up

static kerb_sim_body body_at(float x, float y, float heading) {
    kerb_sim_body body = {{x, y, 0.0f}, heading, 0.0f, 0.0f, 0.0f,
                          1500.0f,      2600.0f, 2.3f, 2.1f, 0.9f};
    return body;
}

static kerb_sim_obstacle wall(float x1, float y1, float x2, float y2, float thickness) {
    kerb_sim_obstacle result = {KERB_SIM_WALL, {x1, y1}, {x2, y2}, thickness};
    return result;
}

static kerb_sim_obstacle post(float x, float y, float thickness) {
    kerb_sim_obstacle result = {
        KERB_SIM_POST, {x, y}, {NAN, NAN}, thickness}; // `to` is not looked at
    return result;
}

static kerb_sim_world world_of(const kerb_sim_obstacle* obstacles, int32_t count) {
    kerb_sim_world world = {{0}, NULL, 0, obstacles, count};
    return world;
}

// Sets the velocity that a body has over the ground, in the world's axes.
static void send(kerb_sim_body* body, float x, float y, float yaw_rate) {
    float cosine = cosf(body->heading), sine = sinf(body->heading);
    body->forward = x * cosine + y * sine;
    body->side = y * cosine - x * sine;
    body->yaw_rate = yaw_rate;
}

static void coast(kerb_sim_body* body, float time_step) {
    float cosine = cosf(body->heading), sine = sinf(body->heading);
    float x = body->forward * cosine - body->side * sine;
    float y = body->forward * sine + body->side * cosine;
    body->position.x += x * time_step;
    body->position.y += y * time_step;
    body->heading += body->yaw_rate * time_step;
    send(body, x, y, body->yaw_rate);
}

// --------------------------------------------------------------------------- what is measured

typedef struct vector {
    double x, y;
} vector;

static double dot(vector a, vector b) {
    return a.x * b.x + a.y * b.y;
}

static double cross(vector a, vector b) {
    return a.x * b.y - a.y * b.x;
}

static vector velocity_of(const kerb_sim_body* body) {
    double cosine = cos((double)body->heading), sine = sin((double)body->heading);
    vector result = {(double)body->forward * cosine - (double)body->side * sine,
                     (double)body->forward * sine + (double)body->side * cosine};
    return result;
}

static double energy_of(const kerb_sim_body* body) {
    vector v = velocity_of(body);
    double yaw = (double)body->yaw_rate;
    return 0.5 * ((double)body->mass * dot(v, v) + (double)body->yaw_inertia * yaw * yaw);
}

static void expect_near(double value, double expected, double tolerance, const char* what) {
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%s is %.9g instead of %.9g", what, value, expected);
}

// A rectangle as the test sees it.
typedef struct rectangle {
    vector centre, axis;
    double half[2];
} rectangle;

static rectangle rectangle_of_body(const kerb_sim_body* body) {
    vector axis = {cos((double)body->heading), sin((double)body->heading)};
    double middle = 0.5 * (double)(body->front - body->back);
    rectangle result = {
        {(double)body->position.x + middle * axis.x, (double)body->position.y + middle * axis.y},
        axis,
        {0.5 * (double)(body->front + body->back), (double)body->half_width}};
    return result;
}

static rectangle rectangle_of_wall(const kerb_sim_obstacle* obstacle) {
    vector way = {(double)(obstacle->to.x - obstacle->from.x),
                  (double)(obstacle->to.y - obstacle->from.y)};
    double length = hypot(way.x, way.y);
    rectangle result = {
        {(double)obstacle->from.x + 0.5 * way.x, (double)obstacle->from.y + 0.5 * way.y},
        {way.x / length, way.y / length},
        {0.5 * length, 0.5 * (double)obstacle->thickness}};
    return result;
}

static vector corner_of(const rectangle* box, int index) {
    double ahead = (index & 1 ? 1.0 : -1.0) * box->half[0];
    double aside = (index & 2 ? 1.0 : -1.0) * box->half[1];
    vector result = {box->centre.x + ahead * box->axis.x - aside * box->axis.y,
                     box->centre.y + ahead * box->axis.y + aside * box->axis.x};
    return result;
}

// The greatest distance by which two rectangles are apart along a side of one; negative: they
// overlap, and that is the least move that parts them.
static double gap_between(const rectangle* a, const rectangle* b) {
    double greatest = -1e9;
    for (int i = 0; i < 4; i++) {
        const rectangle* own = i < 2 ? a : b;
        vector along = i & 1 ? own->axis : (vector){-own->axis.y, own->axis.x};
        double least[2] = {1e9, 1e9}, most[2] = {-1e9, -1e9};
        for (int k = 0; k < 8; k++) {
            vector corner = corner_of(k < 4 ? a : b, k & 3);
            least[k / 4] = fmin(least[k / 4], dot(corner, along));
            most[k / 4] = fmax(most[k / 4], dot(corner, along));
        }
        greatest = fmax(greatest, fmax(least[0] - most[1], least[1] - most[0]));
    }
    return greatest;
}

static double gap_to(const kerb_sim_body* body, const kerb_sim_obstacle* obstacle) {
    rectangle own = rectangle_of_body(body);
    if (obstacle->kind != KERB_SIM_POST) {
        rectangle other = rectangle_of_wall(obstacle);
        return gap_between(&own, &other);
    }
    vector way = {(double)obstacle->from.x - own.centre.x, (double)obstacle->from.y - own.centre.y};
    double ahead = fabs(dot(way, own.axis)) - own.half[0];
    double aside = fabs(cross(own.axis, way)) - own.half[1];
    double inside = fmin(fmax(ahead, aside), 0.0);
    return hypot(fmax(ahead, 0.0), fmax(aside, 0.0)) + inside - 0.5 * (double)obstacle->thickness;
}

// --------------------------------------------------------------------------- ground

enum { GRID = 9 };

static kerb_sim_terrain terrain_of(const float heights[GRID * GRID]) {
    kerb_sim_terrain terrain = {-10.0f, 5.0f, 2.5f, GRID, GRID, heights};
    return terrain;
}

static void terrain_that_is_a_plane_has_its_heights_and_normal_everywhere(void** state) {
    (void)state;
    float heights[GRID * GRID];
    for (int i = 0; i < GRID * GRID; i++) // slopes and spacing that floats hold exactly
        heights[i] = 3.0f + 0.25f * 2.5f * (float)(i % GRID) - 0.125f * 2.5f * (float)(i / GRID);
    kerb_sim_world world = {terrain_of(heights), NULL, 0, NULL, 0};
    double length = sqrt(1.0 + 0.0625 + 0.015625);
    kerb_random random = test_random("plane");
    for (int i = 0; i < CASES; i++) {
        kerb_vec3 place = {kerb_random_between(&random, -10.0f, 10.0f),
                           kerb_random_between(&random, 5.0f, 25.0f), 0.0f};
        kerb_sim_ground ground = kerb_sim_world_ground(&world, place, NULL);
        double expected = 3.0 + 0.25 * ((double)place.x + 10.0) - 0.125 * ((double)place.y - 5.0);
        expect_near((double)ground.height, expected, 2e-6, "height");
        expect_near((double)ground.normal.x, -0.25 / length, 1e-6, "normal.x");
        expect_near((double)ground.normal.y, 0.125 / length, 1e-6, "normal.y");
        expect_near((double)ground.normal.z, 1.0 / length, 1e-6, "normal.z");
        assert_true(ground.grip == 1.0f);
    }
}

static void terrain_passes_through_its_points_and_slopes_as_it_rises(void** state) {
    (void)state;
    kerb_random random = test_random("hills");
    float heights[GRID * GRID];
    for (int i = 0; i < GRID * GRID; i++)
        heights[i] = kerb_random_between(&random, -2.0f, 2.0f);
    kerb_sim_world world = {terrain_of(heights), NULL, 0, NULL, 0};
    for (int i = 0; i < GRID * GRID; i++) {
        kerb_vec3 place = {-10.0f + 2.5f * (float)(i % GRID), 5.0f + 2.5f * (float)(i / GRID),
                           0.0f};
        kerb_sim_ground at_point = kerb_sim_world_ground(&world, place, NULL);
        assert_true(at_point.height == heights[i]);
    }
    for (int i = 0; i < CASES; i++) {
        // Middles of 1/64 of a cell: a difference to both sides stays within the cell, and a
        // bilinear patch is straight along x and along y.
        float x = -10.0f + 2.5f * ((float)kerb_random_below(&random, 8 * 64) + 0.5f) / 64.0f;
        float y = 5.0f + 2.5f * ((float)kerb_random_below(&random, 8 * 64) + 0.5f) / 64.0f;
        float step = 2.5f / 128.0f;
        kerb_sim_ground here = kerb_sim_world_ground(&world, kerb_vec3_make(x, y, 0.0f), NULL);
        float rise[2];
        for (int k = 0; k < 2; k++) {
            float dx = k == 0 ? step : 0.0f, dy = k == 1 ? step : 0.0f;
            kerb_vec3 low = {x - dx, y - dy, 0.0f}, high = {x + dx, y + dy, 0.0f};
            rise[k] = (kerb_sim_world_ground(&world, high, NULL).height -
                       kerb_sim_world_ground(&world, low, NULL).height) /
                      (2.0f * step);
        }
        expect_near((double)(-here.normal.x / here.normal.z), (double)rise[0], 1e-4, "slope x");
        expect_near((double)(-here.normal.y / here.normal.z), (double)rise[1], 1e-4, "slope y");
        expect_near((double)kerb_vec3_length(here.normal), 1.0, 1e-6, "normal");
    }
}

static void beyond_its_edge_terrain_goes_on_level_from_the_edge(void** state) {
    (void)state;
    float heights[GRID * GRID];
    for (int i = 0; i < GRID * GRID; i++)
        heights[i] = (float)(i % GRID) + 0.5f * (float)(i / GRID);
    kerb_sim_world world = {terrain_of(heights), NULL, 0, NULL, 0};
    kerb_sim_ground beside =
        kerb_sim_world_ground(&world, kerb_vec3_make(50.0f, 10.0f, 0.0f), NULL);
    expect_near((double)beside.height, 8.0 + 0.5 * 2.0, 1e-6, "height beside");
    assert_true(beside.normal.x == 0.0f && beside.normal.y < 0.0f);
    kerb_sim_ground corner =
        kerb_sim_world_ground(&world, kerb_vec3_make(-1e9f, -INFINITY, 0.0f), NULL);
    assert_true(corner.height == heights[0] && corner.normal.z == 1.0f);
    kerb_sim_ground nowhere = kerb_sim_world_ground(&world, kerb_vec3_make(NAN, NAN, NAN), NULL);
    assert_true(nowhere.height == heights[0] && nowhere.normal.z == 1.0f);
    world.terrain.nx = world.terrain.ny = 1;
    kerb_sim_ground single = kerb_sim_world_ground(&world, kerb_vec3_make(1.0f, 2.0f, 0.0f), NULL);
    assert_true(single.height == heights[0] && single.normal.z == 1.0f);
}

static void without_terrain_the_ground_is_what_the_caller_says(void** state) {
    (void)state;
    kerb_sim_world world = {{0}, NULL, 0, NULL, 0};
    kerb_sim_ground slope = {.height = 7.0f, .normal = {0.6f, 0.0f, 0.8f}, .grip = 0.5f};
    kerb_sim_ground ground =
        kerb_sim_world_ground(&world, kerb_vec3_make(3.0f, 4.0f, 5.0f), &slope);
    assert_memory_equal(&ground, &slope, sizeof ground);
    kerb_sim_ground plain = kerb_sim_world_ground(&world, kerb_vec3_make(3.0f, 4.0f, 5.0f), NULL);
    assert_true(plain.height == 0.0f && plain.normal.z == 1.0f && plain.grip == 1.0f);
}

static void the_last_zone_that_holds_a_place_gives_its_grip(void** state) {
    (void)state;
    const kerb_sim_zone zones[3] = {{{0.0f, 0.0f}, 10.0f, 0.0f, 0.0f, 0.0f, 0.5f},
                                    {{5.0f, 5.0f}, 0.0f, 4.0f, 1.0f, KERB_PI / 4.0f, 0.2f},
                                    {{5.0f, 5.0f}, 0.5f, 0.0f, 0.0f, 0.0f, 0.9f}};
    kerb_sim_world world = {{0}, zones, 3, NULL, 0};
    const float cases[7][3] = {{20.0f, 0.0f, 0.7f}, // in none: what the caller says
                               {0.0f, 9.9f, 0.5f},  {0.0f, 10.1f, 0.7f},
                               {5.0f, 5.4f, 0.9f},  // disc on the rectangle on the disc
                               {7.5f, 7.5f, 0.2f},  // along the rectangle, beyond the first disc
                               {7.9f, 7.9f, 0.7f},  // beyond its end
                               {4.0f, 6.0f, 0.5f}}; // beside it
    kerb_sim_ground fallback = {.normal = {0.0f, 0.0f, 1.0f}, .grip = 0.7f};
    for (int i = 0; i < 7; i++) {
        kerb_vec3 place = {cases[i][0], cases[i][1], 0.0f};
        assert_true(kerb_sim_world_ground(&world, place, &fallback).grip == cases[i][2]);
    }
    assert_true(kerb_sim_world_ground(&world, kerb_vec3_make(NAN, 0.0f, 0.0f), NULL).grip == 1.0f);
}

// --------------------------------------------------------------------------- one hit

// v' = -e·v, no turn, and the bumper at the wall.
static void a_car_that_hits_a_wall_head_on_stops(void** state) {
    (void)state;
    kerb_sim_obstacle obstacle = wall(5.0f, -10.0f, 5.0f, 10.0f, 0.4f);
    kerb_sim_world world = world_of(&obstacle, 1);
    kerb_sim_contact contacts[TOUCHES];
    kerb_sim_body body = body_at(2.6f, 0.3f, 0.0f);
    body.forward = 20.0f;
    assert_int_equal(kerb_sim_world_push(&world, &body, contacts, TOUCHES), 2);
    expect_near((double)body.forward, -20.0 * bounce, 1e-4, "speed");
    expect_near((double)body.side, 0.0, 1e-3, "speed to the side");
    expect_near((double)body.yaw_rate, 0.0, 1e-3, "yaw rate");
    expect_near((double)(body.position.x + body.front), 4.8, 1e-4, "bumper");
    for (int i = 0; i < 2; i++) {
        assert_true(contacts[i].obstacle == 0);
        expect_near((double)contacts[i].normal.x, -1.0, 1e-6, "normal");
        expect_near((double)contacts[i].closing_speed, 20.0, 1e-4, "closing speed");
        expect_near((double)contacts[i].impulse, 0.5 * 1500.0 * 20.0 * (1.0 + bounce), 10.0,
                    "impulse");
    }
    // Leaning on it does not bounce.
    kerb_sim_body leaning = body_at(2.501f, 0.3f, 0.0f);
    leaning.forward = 0.3f;
    assert_int_equal(kerb_sim_world_push(&world, &leaning, NULL, 0), 2);
    expect_near((double)leaning.forward, 0.0, 1e-5, "speed");
}

// Tangential speed lost = friction · speed along the normal, as long as it slides. The friction
// acts half a width off the centre of mass: both corners keep touching, so it does not turn.
static void a_car_that_slides_along_a_wall_loses_friction_times_the_normal_impulse(void** state) {
    (void)state;
    kerb_sim_obstacle obstacle = wall(-50.0f, 1.1f, 50.0f, 1.1f, 0.4f);
    kerb_sim_world world = world_of(&obstacle, 1);
    for (float into = 0.05f; into < 5.0f; into *= 1.5f) {
        kerb_sim_contact contacts[TOUCHES];
        kerb_sim_body body = body_at(0.0f, 0.0f, 0.0f);
        body.forward = 15.0f;
        body.side = into;
        assert_int_equal(kerb_sim_world_push(&world, &body, contacts, TOUCHES), 2);
        double normal = (double)body.mass * (double)(into - body.side);
        double impulse = (double)(contacts[0].impulse + contacts[1].impulse);
        expect_near(impulse, normal, 1e-3 * normal + 0.05, "normal impulse");
        double lost = (double)body.mass * (15.0 - (double)body.forward);
        expect_near(lost, friction * normal, 1e-3 * lost + 0.05, "tangential impulse");
        expect_near((double)body.side, into > 0.5f ? -bounce * (double)into : 0.0, 1e-4, "side");
        expect_near((double)body.yaw_rate, 0.0, 1e-3, "yaw rate");
    }
}

// Velocity after an impulse at one point: sticking where Coulomb's cone allows, else sliding.
// With n, t normal and tangent and r the arm: yields 1/m + (r×n)²/I, 1/m + (r×t)²/I and
// (r×n)(r×t)/I.
static void closed_form_of_one_touch(const kerb_sim_body* body, const kerb_sim_contact* contact,
                                     vector* v, double* yaw) {
    vector normal = {(double)contact->normal.x, (double)contact->normal.y};
    vector tangent = {-normal.y, normal.x};
    vector arm = {(double)contact->point.x - (double)body->position.x,
                  (double)contact->point.y - (double)body->position.y};
    double mass = (double)body->mass, inertia = (double)body->yaw_inertia;
    double n = cross(arm, normal), t = cross(arm, tangent);
    double yield_n = 1.0 / mass + n * n / inertia, yield_t = 1.0 / mass + t * t / inertia;
    double mixed = n * t / inertia;
    *v = velocity_of(body);
    *yaw = (double)body->yaw_rate;
    vector at = {v->x - *yaw * arm.y, v->y + *yaw * arm.x};
    double closing = -dot(at, normal), slip = dot(at, tangent);
    if (closing <= 0.0)
        return;
    double determinant = yield_n * yield_t - mixed * mixed;
    double along = (closing * yield_t + slip * mixed) / determinant;
    double across = -(slip * yield_n + closing * mixed) / determinant;
    if (fabs(across) > friction * along) {
        double sign = across > 0.0 ? 1.0 : -1.0;
        along = closing / (yield_n + sign * friction * mixed);
        across = sign * friction * along;
    }
    double share = closing > 0.5 ? 1.0 + bounce : 1.0;
    v->x += share * (along * normal.x + across * tangent.x) / mass;
    v->y += share * (along * normal.y + across * tangent.y) / mass;
    *yaw += share * (along * n + across * t) / inertia;
}

static void a_hit_at_one_point_gives_the_closed_form_impulse(void** state) {
    (void)state;
    kerb_sim_obstacle obstacles[2] = {wall(2.2f, -10.0f, 2.2f, 10.0f, 0.3f),
                                      post(2.0f, 0.7f, 0.6f)};
    kerb_random random = test_random("one point");
    int tried = 0;
    for (int i = 0; i < CASES; i++) {
        kerb_sim_world world = world_of(&obstacles[i & 1], 1);
        kerb_sim_body body = body_at(0.0f, kerb_random_between(&random, -0.5f, 0.5f),
                                     kerb_random_between(&random, -0.6f, 0.6f));
        send(&body, kerb_random_between(&random, 1.0f, 15.0f),
             kerb_random_between(&random, -5.0f, 5.0f), kerb_random_between(&random, -2.0f, 2.0f));
        kerb_sim_contact contacts[TOUCHES];
        kerb_sim_body before = body;
        if (kerb_sim_world_push(&world, &body, contacts, TOUCHES) != 1 ||
            contacts[0].closing_speed < 0.6f)
            continue;
        vector v, now = velocity_of(&body);
        double yaw;
        closed_form_of_one_touch(&before, &contacts[0], &v, &yaw);
        expect_near(now.x, v.x, 1e-3, "velocity x");
        expect_near(now.y, v.y, 1e-3, "velocity y");
        expect_near((double)body.yaw_rate, yaw, 1e-3, "yaw rate");
        tried++;
    }
    assert_true(tried > CASES / 4);
}

static void a_car_whose_left_corner_hits_turns_left(void** state) {
    (void)state;
    kerb_sim_obstacle obstacle = post(2.4f, 0.8f, 0.3f);
    kerb_sim_world world = world_of(&obstacle, 1);
    kerb_sim_body body = body_at(0.0f, 0.0f, 0.0f);
    body.forward = 10.0f;
    assert_int_equal(kerb_sim_world_push(&world, &body, NULL, 0), 1);
    assert_true(body.yaw_rate > 0.5f);
}

// --------------------------------------------------------------------------- two bodies

static kerb_sim_body random_body(kerb_random* random, float spread) {
    kerb_sim_body body = body_at(kerb_random_between(random, -spread, spread),
                                 kerb_random_between(random, -spread, spread),
                                 kerb_random_between(random, -KERB_PI, KERB_PI));
    body.mass = kerb_random_between(random, 500.0f, 40000.0f);
    body.front = kerb_random_between(random, 0.5f, 4.0f);
    body.back = kerb_random_between(random, 0.5f, 4.0f);
    body.half_width = kerb_random_between(random, 0.5f, 1.6f);
    body.yaw_inertia = body.mass * kerb_random_between(random, 0.3f, 1.0f) * body.front * body.back;
    body.forward = kerb_random_between(random, -20.0f, 20.0f);
    body.side = kerb_random_between(random, -5.0f, 5.0f);
    body.yaw_rate = kerb_random_between(random, -3.0f, 3.0f);
    return body;
}

// Momentum, and angular momentum about the origin, with the places that are given.
static void add_momentum(const kerb_sim_body* body, kerb_vec3 position, vector* sum,
                         double* angular) {
    vector v = velocity_of(body), place = {(double)position.x, (double)position.y};
    sum->x += (double)body->mass * v.x;
    sum->y += (double)body->mass * v.y;
    *angular +=
        (double)body->mass * cross(place, v) + (double)body->yaw_inertia * (double)body->yaw_rate;
}

static void bodies_that_collide_keep_their_momentum_and_centre_and_lose_energy(void** state) {
    (void)state;
    kerb_random random = test_random("two bodies");
    int touched = 0;
    for (int i = 0; i < CASES; i++) {
        kerb_sim_body a = random_body(&random, 3.0f), b = random_body(&random, 3.0f);
        kerb_sim_body old_a = a, old_b = b;
        kerb_sim_contact contact;
        if (!kerb_sim_bodies_push(&a, &b, &contact)) {
            assert_memory_equal(&a, &old_a, sizeof a);
            assert_memory_equal(&b, &old_b, sizeof b);
            continue;
        }
        touched++;
        vector before = {0.0, 0.0}, after = {0.0, 0.0};
        double turn_before = 0.0, turn_after = 0.0;
        add_momentum(&old_a, old_a.position, &before, &turn_before);
        add_momentum(&old_b, old_b.position, &before, &turn_before);
        add_momentum(&a, old_a.position, &after, &turn_after);
        add_momentum(&b, old_b.position, &after, &turn_after);
        double scale = 20.0 * (double)(a.mass + b.mass);
        expect_near(after.x, before.x, 1e-5 * scale, "momentum x");
        expect_near(after.y, before.y, 1e-5 * scale, "momentum y");
        expect_near(turn_after, turn_before, 1e-5 * scale, "angular momentum");
        double energy = energy_of(&old_a) + energy_of(&old_b);
        assert_true(energy_of(&a) + energy_of(&b) <= energy * 1.00001);
        double moved_x = (double)a.mass * (double)(a.position.x - old_a.position.x) +
                         (double)b.mass * (double)(b.position.x - old_b.position.x);
        expect_near(moved_x, 0.0, 1e-4 * (double)(a.mass + b.mass), "centre of mass");
        rectangle box_a = rectangle_of_body(&a), box_b = rectangle_of_body(&b);
        assert_true(gap_between(&box_a, &box_b) >= -2e-4);
    }
    assert_true(touched > CASES / 4);
}

// v_a' = ((m_a - e·m_b)·v_a + (1 + e)·m_b·v_b) / (m_a + m_b)
static void bodies_that_meet_head_on_part_as_their_masses_say(void** state) {
    (void)state;
    kerb_sim_body a = body_at(0.0f, 0.0f, 0.0f), b = body_at(4.5f, 0.0f, KERB_PI);
    a.forward = 12.0f;
    b.forward = 3.0f;
    b.mass = 6000.0f;
    kerb_sim_contact contact;
    assert_true(kerb_sim_bodies_push(&a, &b, &contact));
    double expected = ((1500.0 - bounce * 6000.0) * 12.0 - (1.0 + bounce) * 6000.0 * 3.0) / 7500.0;
    expect_near((double)a.forward, expected, 1e-3, "the light one");
    expect_near((double)contact.normal.x, -1.0, 1e-5, "normal");
    expect_near((double)contact.closing_speed, 15.0, 1e-4, "closing speed");
    assert_int_equal(contact.obstacle, -1);
    expect_near((double)(b.position.x - a.position.x), 4.6, 1e-4, "distance");
    expect_near((double)a.position.x, -0.1 * 0.8, 1e-4, "the light one gives way by its mass");
}

static void it_does_not_matter_which_of_two_bodies_comes_first(void** state) {
    (void)state;
    kerb_random random = test_random("order");
    for (int i = 0; i < CASES / 10; i++) {
        kerb_sim_body a = random_body(&random, 2.5f), b = random_body(&random, 2.5f);
        rectangle box_a = rectangle_of_body(&a), box_b = rectangle_of_body(&b);
        if (gap_between(&box_a, &box_b) < -0.1) // deep ones may go either way
            continue;
        kerb_sim_body a2 = a, b2 = b;
        bool first = kerb_sim_bodies_push(&a, &b, NULL),
             second = kerb_sim_bodies_push(&b2, &a2, NULL);
        assert_int_equal(first, second);
        expect_near((double)a.forward, (double)a2.forward, 0.01, "forward");
        expect_near((double)b.yaw_rate, (double)b2.yaw_rate, 0.01, "yaw rate");
        expect_near((double)a.position.x, (double)a2.position.x, 1e-3, "place");
    }
}

// --------------------------------------------------------------------------- all kinds of hits

static kerb_sim_obstacle random_obstacle(kerb_random* random) {
    float x = kerb_random_between(random, -6.0f, 6.0f),
          y = kerb_random_between(random, -6.0f, 6.0f);
    kerb_sim_obstacle result = {(kerb_sim_obstacle_kind)kerb_random_below(random, 3),
                                {x, y},
                                {x + kerb_random_between(random, -8.0f, 8.0f),
                                 y + kerb_random_between(random, -8.0f, 8.0f)},
                                kerb_random_between(random, 0.05f, 3.0f)};
    return result;
}

static void kinetic_energy_never_grows(void** state) {
    (void)state;
    kerb_random random = test_random("energy");
    int touched = 0;
    for (int i = 0; i < CASES; i++) {
        kerb_sim_obstacle obstacles[6];
        for (int k = 0; k < 6; k++)
            obstacles[k] = random_obstacle(&random);
        kerb_sim_world world = world_of(obstacles, 1 + kerb_random_below(&random, 6));
        kerb_sim_body body = random_body(&random, 3.0f);
        double before = energy_of(&body);
        touched += kerb_sim_world_push(&world, &body, NULL, 0) > 0;
        if (!(energy_of(&body) <= before * 1.00001))
            fail_msg("case %d: from %g J to %g J", i, before, energy_of(&body));
    }
    assert_true(touched > CASES / 2);
}

static void a_body_comes_out_of_any_obstacle(void** state) {
    (void)state;
    kerb_random random = test_random("out");
    int touched = 0;
    for (int i = 0; i < CASES; i++) {
        kerb_sim_obstacle obstacle = random_obstacle(&random);
        kerb_sim_world world = world_of(&obstacle, 1);
        kerb_sim_body body = random_body(&random, 4.0f), before = body;
        double gap = gap_to(&body, &obstacle);
        if (kerb_sim_world_push(&world, &body, NULL, 0) == 0) {
            assert_true(gap >= 0.0);
            assert_memory_equal(&body, &before, sizeof body);
            continue;
        }
        touched++;
        assert_true(gap < 0.0015);
        if (gap_to(&body, &obstacle) < -2e-4)
            fail_msg("case %d: still %g m deep of %g m", i, -gap_to(&body, &obstacle), -gap);
    }
    assert_true(touched > CASES / 8);
}

// Touches with a corner, where the edges that face each other pass by one another.
static void a_body_that_hardly_overlaps_comes_out_too(void** state) {
    (void)state;
    kerb_random random = test_random("hardly");
    int touched = 0;
    for (int i = 0; i < CASES; i++) {
        kerb_sim_obstacle obstacle = random_obstacle(&random);
        kerb_sim_world world = world_of(&obstacle, 1);
        kerb_sim_body body = random_body(&random, 4.0f);
        double wanted = -(double)kerb_random_between(&random, 0.001f, 0.02f);
        if (gap_to(&body, &obstacle) > wanted)
            continue;
        float apart = body.position.x - 40.0f, together = body.position.x;
        while (together - apart > 1e-5f) {
            body.position.x = 0.5f * (apart + together);
            if (gap_to(&body, &obstacle) > wanted)
                apart = body.position.x;
            else
                together = body.position.x;
        }
        assert_true(kerb_sim_world_push(&world, &body, NULL, 0) > 0);
        if (gap_to(&body, &obstacle) < -2e-4)
            fail_msg("case %d: still %g m deep", i, -gap_to(&body, &obstacle));
        touched++;
    }
    assert_true(touched > CASES / 10);
}

// One that stands within a block takes the nearest way out, and does not turn.
static void a_body_inside_a_block_leaves_by_the_nearest_side(void** state) {
    (void)state;
    kerb_sim_obstacle block = {KERB_SIM_BOX, {-20.0f, 0.0f}, {20.0f, 0.0f}, 24.0f};
    kerb_sim_world world = world_of(&block, 1);
    kerb_sim_body body = body_at(3.0f, -4.0f, 0.5f * KERB_PI);
    assert_true(kerb_sim_world_push(&world, &body, NULL, 0) > 0);
    expect_near((double)body.position.y, -12.0 - 2.3, 1e-4, "place");
    expect_near((double)body.position.x, 3.0, 1e-4, "place");
    expect_near((double)body.heading, 0.5 * (double)KERB_PI, 1e-6, "heading");
    kerb_sim_body other = body_at(17.5f, 1.0f, 0.5f * KERB_PI);
    assert_true(kerb_sim_world_push(&world, &other, NULL, 0) > 0);
    expect_near((double)other.position.x, 20.0 + 0.9, 1e-4, "place");
}

// What stands at the exit is felt there, though it was far from where the body was.
static void a_body_that_is_pushed_far_does_not_end_in_something_else(void** state) {
    (void)state;
    kerb_sim_obstacle obstacles[2] = {wall(-20.0f, 0.0f, 20.0f, 0.0f, 24.0f),
                                      post(3.5f, -15.5f, 1.0f)};
    kerb_sim_world world = world_of(obstacles, 2);
    kerb_sim_body body = body_at(3.0f, -4.0f, 0.5f * KERB_PI);
    assert_true(kerb_sim_world_push(&world, &body, NULL, 0) > 0);
    for (int i = 0; i < 2; i++)
        assert_true(gap_to(&body, &obstacles[i]) > -2e-4);
}

static void nothing_is_passed_through_at_sixty_metres_a_second(void** state) {
    (void)state;
    kerb_random random = test_random("tunnel");
    for (int i = 0; i < 1000; i++) {
        bool thin = (i & 1) != 0;
        kerb_sim_obstacle obstacle = wall(10.0f, -200.0f, 10.0f, 200.0f, thin ? 0.02f : 0.3f);
        kerb_sim_world world = world_of(&obstacle, 1);
        kerb_sim_body body = body_at(kerb_random_between(&random, 0.0f, 5.0f), 0.0f,
                                     kerb_random_between(&random, -KERB_PI, KERB_PI));
        float angle = kerb_random_between(&random, -1.4f, 1.4f);
        send(&body, 60.0f * cosf(angle), 60.0f * sinf(angle),
             kerb_random_between(&random, -5.0f, 5.0f));
        bool touched = false;
        for (int k = 0; k < 240; k++) {
            coast(&body, STEP);
            touched |= kerb_sim_world_push(&world, &body, NULL, 0) > 0;
            if (!(body.position.x < 9.9f - 0.5f))
                fail_msg("case %d is at x = %g", i, (double)body.position.x);
        }
        assert_true(touched);
    }
}

// --------------------------------------------------------------------------- several at once

// Twenty walls end to end, grazed: the speed that is lost is that of one long wall.
static void the_joints_of_a_row_of_walls_do_not_catch_a_car(void** state) {
    (void)state;
    kerb_sim_obstacle row[20];
    for (int i = 0; i < 20; i++)
        row[i] = wall(5.0f * (float)i, 2.0f, 5.0f * (float)i + 5.0f, 2.0f, 0.4f);
    kerb_sim_obstacle whole = wall(0.0f, 2.0f, 100.0f, 2.0f, 0.4f);
    kerb_sim_world worlds[2] = {world_of(row, 20), world_of(&whole, 1)};
    kerb_random random = test_random("joints");
    for (int i = 0; i < 200; i++) {
        float speed[2];
        float start = kerb_random_between(&random, 4.0f, 12.0f);
        float push = kerb_random_between(&random, 1.0f, 10.0f); // m/s², from tyres
        for (int k = 0; k < 2; k++) {
            kerb_sim_body body = body_at(start, 0.85f, 0.0f);
            send(&body, 30.0f, 0.5f, 0.0f);
            for (int step = 0; step < 240; step++) {
                vector v = velocity_of(&body);
                send(&body, (float)v.x, (float)v.y + push * STEP, body.yaw_rate);
                coast(&body, STEP);
                kerb_sim_world_push(&worlds[k], &body, NULL, 0);
            }
            speed[k] = (float)velocity_of(&body).x;
        }
        assert_true(speed[1] > 20.0f);
        expect_near((double)speed[0], (double)speed[1], 0.3, "speed after one second");
    }
}

typedef struct unrest {
    double moved, turned, speed; // the most of the last second
} unrest;

// Pushes a body for some time, in m/s² and rad/s², without tyres that hold it.
static unrest push_for(const kerb_sim_world* world, kerb_sim_body* body, float seconds, float push,
                       float turn) {
    unrest most = {0.0, 0.0, 0.0};
    kerb_sim_body rest = *body;
    int32_t last = (int32_t)(seconds * 240.0f);
    for (int32_t step = 0; step < last; step++) {
        body->forward += push * STEP;
        body->yaw_rate += turn * STEP;
        coast(body, STEP);
        kerb_sim_world_push(world, body, NULL, 0);
        if (step <= last - 240) {
            rest = *body;
            continue;
        }
        double x = (double)(body->position.x - rest.position.x);
        double y = (double)(body->position.y - rest.position.y);
        most.moved = fmax(most.moved, hypot(x, y));
        most.turned = fmax(most.turned, fabs((double)(body->heading - rest.heading)));
        most.speed = fmax(most.speed, hypot((double)body->forward, (double)body->side));
    }
    return most;
}

// Places are pushed apart without friction, so what is pushed hard may creep a little.
static void expect_rest(const unrest* most, const char* what, double value) {
    if (!(most->moved < 0.003 && most->turned < 0.001 && most->speed < 0.001))
        fail_msg("%s %g: moves %g m, turns %g rad, %g m/s within a second", what, value,
                 most->moved, most->turned, most->speed);
}

// It ends flat against one wall: its side, and a corner at the other, or in a wide wedge its
// bumper.
static void a_car_wedged_between_two_walls_comes_to_rest_and_does_not_jitter(void** state) {
    (void)state;
    for (float half_angle = 0.1f; half_angle < 1.15f; half_angle += 0.1f) {
        float c = 30.0f * cosf(half_angle), s = 30.0f * sinf(half_angle);
        kerb_sim_obstacle obstacles[2] = {wall(10.0f, 0.2f, 10.0f - c, 0.2f + s, 0.3f),
                                          wall(10.0f, -0.2f, 10.0f - c, -0.2f - s, 0.3f)};
        kerb_sim_world world = world_of(obstacles, 2);
        kerb_sim_body body = body_at(-5.0f, 0.0f, 0.08f);
        body.forward = 8.0f;
        unrest most = push_for(&world, &body, 30.0f, 5.0f, 0.0f);
        expect_rest(&most, "half angle", (double)half_angle);
        assert_true(body.position.x > -4.0f);
        double gaps[2] = {gap_to(&body, &obstacles[0]), gap_to(&body, &obstacles[1])};
        expect_near(fmin(gaps[0], gaps[1]), 0.0, 0.001, "gap to the nearer");
        if (half_angle < 0.75f)
            expect_near(fmax(gaps[0], gaps[1]), 0.0, 0.001, "gap to the other");
    }
}

// In a corridor narrower than it is long, a car turned by force jams between two corners where its
// length and width span it: l·sin h + w·cos h = 4 m.
static void a_car_turned_across_a_corridor_jams_there(void** state) {
    (void)state;
    kerb_sim_obstacle obstacles[2] = {wall(-30.0f, 2.1f, 30.0f, 2.1f, 0.2f),
                                      wall(-30.0f, -2.1f, 30.0f, -2.1f, 0.2f)};
    kerb_sim_world world = world_of(obstacles, 2);
    kerb_sim_body body = body_at(0.0f, 0.0f, 0.0f);
    unrest most = push_for(&world, &body, 5.0f, 0.0f, 3.0f);
    expect_rest(&most, "heading", (double)body.heading);
    double heading = (double)body.heading;
    expect_near(4.4 * sin(heading) + 1.8 * cos(heading), 4.0, 0.002, "span");
    for (int i = 0; i < 2; i++)
        expect_near(gap_to(&body, &obstacles[i]), 0.0, 0.001, "gap");
}

// Where there is no way out the body at least keeps still.
static void a_gap_narrower_than_the_car_holds_it_without_a_shake(void** state) {
    (void)state;
    kerb_sim_obstacle obstacles[2] = {wall(-30.0f, 1.0f, 30.0f, 1.0f, 0.3f),
                                      wall(-30.0f, -1.0f, 30.0f, -1.0f, 0.3f)};
    kerb_sim_world world = world_of(obstacles, 2);
    kerb_sim_body body = body_at(0.0f, 0.0f, 0.0f);
    unrest most = push_for(&world, &body, 5.0f, 0.0f, 0.0f);
    expect_rest(&most, "gap", 1.7);
}

// What the sweeps leave undone depends on the order of the points.
static void what_is_mirrored_goes_the_mirrored_way(void** state) {
    (void)state;
    kerb_random random = test_random("mirror");
    for (int i = 0; i < CASES / 10; i++) {
        kerb_sim_obstacle right = wall(kerb_random_between(&random, 1.5f, 3.0f),
                                       kerb_random_between(&random, -3.0f, 3.0f), 6.0f,
                                       kerb_random_between(&random, -3.0f, 3.0f), 0.5f);
        kerb_sim_obstacle left = right;
        left.from.y = -right.from.y;
        left.to.y = -right.to.y;
        kerb_sim_world world = world_of(&right, 1), mirrored = world_of(&left, 1);
        kerb_sim_body body = body_at(0.0f, 0.3f, kerb_random_between(&random, -0.3f, 0.3f));
        body.forward = kerb_random_between(&random, -20.0f, 20.0f);
        kerb_sim_body other = body;
        other.position.y = -body.position.y;
        other.heading = -body.heading;
        int32_t count = kerb_sim_world_push(&world, &body, NULL, 0);
        assert_int_equal(kerb_sim_world_push(&mirrored, &other, NULL, 0), count);
        expect_near((double)other.forward, (double)body.forward, 0.05, "forward");
        expect_near((double)other.side, -(double)body.side, 0.05, "side");
        expect_near((double)other.yaw_rate, -(double)body.yaw_rate, 0.05, "yaw rate");
        expect_near((double)other.position.y, -(double)body.position.y, 1e-3, "place");
    }
}

static void the_same_hit_gives_the_same_bits(void** state) {
    (void)state;
    kerb_random random = test_random("again");
    for (int i = 0; i < CASES / 10; i++) {
        kerb_sim_obstacle obstacles[4];
        for (int k = 0; k < 4; k++)
            obstacles[k] = random_obstacle(&random);
        kerb_sim_world world = world_of(obstacles, 4);
        kerb_sim_body first = random_body(&random, 3.0f), second = first;
        kerb_sim_contact a[TOUCHES], b[TOUCHES];
        memset(a, 0x55, sizeof a);
        memset(b, 0x55, sizeof b);
        int32_t count = kerb_sim_world_push(&world, &first, a, TOUCHES);
        assert_int_equal(kerb_sim_world_push(&world, &second, b, TOUCHES), count);
        assert_memory_equal(&first, &second, sizeof first);
        assert_memory_equal(a, b, sizeof a);
    }
}

// --------------------------------------------------------------------------- bad numbers

static void a_body_that_is_not_finite_is_left_alone(void** state) {
    (void)state;
    kerb_sim_obstacle obstacle = wall(1.0f, -10.0f, 1.0f, 10.0f, 0.4f);
    kerb_sim_world world = world_of(&obstacle, 1);
    const float bad[5] = {NAN, INFINITY, -INFINITY, 0.0f, -1.0f};
    for (int field = 0; field < 10; field++) {
        for (int k = 0; k < (field < 6 ? 3 : 5); k++) {
            kerb_sim_body body = body_at(0.0f, 0.0f, 0.0f), other = body_at(1.0f, 0.0f, 0.0f);
            float* fields[10] = {&body.position.x, &body.position.y,  &body.heading,
                                 &body.forward,    &body.side,        &body.yaw_rate,
                                 &body.mass,       &body.yaw_inertia, &body.half_width,
                                 &body.front};
            *fields[field] = field == 9 && k > 2 ? -2.2f : bad[k]; // no length: front + back < 0
            kerb_sim_body before = body, other_before = other;
            assert_int_equal(kerb_sim_world_push(&world, &body, NULL, 0), 0);
            assert_false(kerb_sim_bodies_push(&body, &other, NULL));
            assert_false(kerb_sim_bodies_push(&other, &body, NULL));
            assert_memory_equal(&body, &before, sizeof body);
            assert_memory_equal(&other, &other_before, sizeof other);
        }
    }
}

static void obstacles_that_are_not_finite_are_not_there_and_points_are_thin_posts(void** state) {
    (void)state;
    kerb_sim_obstacle bad[4] = {wall(NAN, 0.0f, 1.0f, 0.0f, 1.0f),
                                wall(1.0f, 0.0f, 1.0f, INFINITY, 1.0f), post(1.0f, NAN, 1.0f),
                                wall(1.0f, 0.0f, 2.0f, 0.0f, NAN)};
    kerb_sim_world world = world_of(bad, 4);
    kerb_sim_body body = body_at(0.0f, 0.0f, 0.0f), before = body;
    assert_int_equal(kerb_sim_world_push(&world, &body, NULL, 0), 0);
    assert_memory_equal(&body, &before, sizeof body);

    kerb_sim_obstacle dots[2] = {wall(2.2f, 0.0f, 2.2f, 0.0f, 0.0f), post(0.0f, 0.85f, 0.0f)};
    for (int i = 0; i < 2; i++) {
        world = world_of(&dots[i], 1);
        assert_true(kerb_sim_world_push(&world, &body, NULL, 0) > 0);
        assert_true(kerb_is_finite(body.position.x) && kerb_is_finite(body.position.y));
        expect_near((double)kerb_abs(body.position.x) + (double)kerb_abs(body.position.y), 0.1,
                    0.06, "way out");
        body = before;
    }
}

static void more_touches_than_asked_for_are_counted_and_not_written(void** state) {
    (void)state;
    kerb_sim_obstacle posts[40];
    for (int i = 0; i < 40; i++)
        posts[i] = post(2.3f, -0.8f + 0.04f * (float)i, 0.02f);
    kerb_sim_world world = world_of(posts, 40);
    kerb_sim_body body = body_at(0.0f, 0.0f, 0.0f);
    kerb_sim_contact contacts[3];
    memset(contacts, 0x55, sizeof contacts);
    assert_true(kerb_sim_world_push(&world, &body, contacts, 2) > 10);
    assert_int_equal(contacts[1].obstacle, 1);
    assert_int_equal(contacts[2].obstacle, 0x55555555);
}

// --------------------------------------------------------------------------- a car among walls

static kerb_sim_body body_of_car(const kerb_sim_car* car) {
    const kerb_sim_car_model* model = &car->model;
    kerb_sim_body body = {
        car->position,      car->heading,          car->forward,
        car->side,          car->yaw_rate,         model->mass,
        model->yaw_inertia, model->mass_to_bumper, model->length - model->mass_to_bumper,
        0.5f * model->width};
    return body;
}

static int32_t drive_among(const kerb_sim_world* world, kerb_sim_car* car,
                           const kerb_controls* controls, float seconds) {
    int32_t touched = 0;
    for (int i = 0; i < (int)(seconds / STEP + 0.5f); i++) {
        kerb_sim_car_step(car, controls, &level, STEP);
        kerb_sim_body body = body_of_car(car);
        if (kerb_sim_world_push(world, &body, NULL, 0) == 0)
            continue;
        touched++;
        car->position = body.position;
        car->heading = body.heading;
        car->forward = body.forward;
        car->side = body.side;
        car->yaw_rate = body.yaw_rate;
    }
    return touched;
}

static void full_throttle_into_a_wall_stops_there_with_wheels_that_spin_and_reverses_out(
    void** state) {
    (void)state;
    kerb_sim_car_model model = kerb_sim_pickup_model();
    kerb_sim_obstacle obstacle = wall(30.0f, -20.0f, 30.0f, 20.0f, 0.5f);
    kerb_sim_world world = world_of(&obstacle, 1);
    kerb_sim_car car = car_of(&model);
    kerb_controls controls = in_gear(1);
    controls.throttle = 1.0f;
    drive_among(&world, &car, &controls, 8.0f);
    float stood = car.position.x;
    expect_near((double)(stood + model.mass_to_bumper), 29.75, 0.005, "bumper");
    int32_t touched = drive_among(&world, &car, &controls, 4.0f);
    assert_true(touched > 4 * 240 - 10);
    expect_near((double)car.position.x, (double)stood, 0.002, "place");
    expect_near((double)car.heading, 0.0, 0.01, "heading");
    expect_near((double)car.forward, 0.0, 0.01, "speed");
    assert_true(car.wheel_rear * model.wheel_radius > 0.2f);

    controls.gear = -1;
    drive_among(&world, &car, &controls, 1.0f);
    touched = drive_among(&world, &car, &controls, 1.0f);
    assert_int_equal(touched, 0);
    assert_true(car.forward < -1.0f && car.position.x < stood - 1.0f);
    // As fast as a car that was never at a wall.
    kerb_sim_car free = car_of(&model);
    drive(&free, &controls, &level, 2.0f);
    expect_near((double)car.forward, (double)free.forward, 0.8, "speed in reverse");
}

static void a_car_at_an_angle_slides_along_a_wall_and_keeps_going(void** state) {
    (void)state;
    kerb_sim_car_model model = middling_car();
    kerb_sim_obstacle obstacle = wall(-10.0f, 5.0f, 300.0f, 5.0f, 0.5f);
    kerb_sim_world world = world_of(&obstacle, 1);
    kerb_sim_car car = rolling(&model, 15.0f);
    car.heading = 0.15f;
    kerb_controls controls = in_gear(1);
    controls.throttle = 0.3f;
    controls.steering = 0.1f; // on into the wall
    assert_true(drive_among(&world, &car, &controls, 4.0f) > 100);
    assert_true(car.forward > 8.0f && kerb_abs(car.heading) < 0.1f);
    float beside = 4.75f - 0.5f * model.width;
    assert_true(car.position.y < beside + 0.01f && car.position.y > beside - 0.5f);
    assert_true(car.position.x > 30.0f);
}

int sim_world_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(terrain_that_is_a_plane_has_its_heights_and_normal_everywhere),
        cmocka_unit_test(terrain_passes_through_its_points_and_slopes_as_it_rises),
        cmocka_unit_test(beyond_its_edge_terrain_goes_on_level_from_the_edge),
        cmocka_unit_test(without_terrain_the_ground_is_what_the_caller_says),
        cmocka_unit_test(the_last_zone_that_holds_a_place_gives_its_grip),
        cmocka_unit_test(a_car_that_hits_a_wall_head_on_stops),
        cmocka_unit_test(a_car_that_slides_along_a_wall_loses_friction_times_the_normal_impulse),
        cmocka_unit_test(a_hit_at_one_point_gives_the_closed_form_impulse),
        cmocka_unit_test(a_car_whose_left_corner_hits_turns_left),
        cmocka_unit_test(bodies_that_collide_keep_their_momentum_and_centre_and_lose_energy),
        cmocka_unit_test(bodies_that_meet_head_on_part_as_their_masses_say),
        cmocka_unit_test(it_does_not_matter_which_of_two_bodies_comes_first),
        cmocka_unit_test(kinetic_energy_never_grows),
        cmocka_unit_test(a_body_comes_out_of_any_obstacle),
        cmocka_unit_test(a_body_that_hardly_overlaps_comes_out_too),
        cmocka_unit_test(a_body_inside_a_block_leaves_by_the_nearest_side),
        cmocka_unit_test(a_body_that_is_pushed_far_does_not_end_in_something_else),
        cmocka_unit_test(nothing_is_passed_through_at_sixty_metres_a_second),
        cmocka_unit_test(the_joints_of_a_row_of_walls_do_not_catch_a_car),
        cmocka_unit_test(a_car_wedged_between_two_walls_comes_to_rest_and_does_not_jitter),
        cmocka_unit_test(a_car_turned_across_a_corridor_jams_there),
        cmocka_unit_test(a_gap_narrower_than_the_car_holds_it_without_a_shake),
        cmocka_unit_test(what_is_mirrored_goes_the_mirrored_way),
        cmocka_unit_test(the_same_hit_gives_the_same_bits),
        cmocka_unit_test(a_body_that_is_not_finite_is_left_alone),
        cmocka_unit_test(obstacles_that_are_not_finite_are_not_there_and_points_are_thin_posts),
        cmocka_unit_test(more_touches_than_asked_for_are_counted_and_not_written),
        cmocka_unit_test(
            full_throttle_into_a_wall_stops_there_with_wheels_that_spin_and_reverses_out),
        cmocka_unit_test(a_car_at_an_angle_slides_along_a_wall_and_keeps_going),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
