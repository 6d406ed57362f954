// Traffic among what the host moves: bodies on lanes, between lanes, on junctions, crossing, and
// vehicles that the host's physics drives.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kerb/traffic_host.h"
#include "test/backward_tasks.h"
#include "test/road/grid_city.h"
#include "test/seed.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static grid_city city;
static kerb_traffic traffic;
static int32_t car_type, place_count;

static void make_city(int32_t side, grid_rule rule, int32_t vehicles_max, int32_t bodies_max) {
    kerb_traffic_settings settings;
    kerb_host host = kerb_host_default();
    grid_city_make(&city, side, 200, rule, false);
    kerb_settings_set_defaults(&kerb_traffic_settings_table, &settings);
    settings.vehicles_max = place_count = vehicles_max;
    settings.bodies_max = bodies_max;
    assert_int_equal(kerb_traffic_create(&traffic, &city.network, &settings, &host, NULL), KERB_OK);
    kerb_traffic_type car = kerb_traffic_car();
    car_type = kerb_traffic_add_type(&traffic, &car);
}

static void destroy_city(void) {
    kerb_traffic_destroy(&traffic);
    grid_city_destroy(&city);
}

static void step(void) {
    kerb_traffic_step(&traffic, &city.network, 0.1f, NULL);
}

static kerb_traffic_vehicle vehicle(int32_t index) {
    return kerb_traffic_vehicle_of(&traffic, &city.network, index);
}

static int32_t add_car(const int32_t* edges, int32_t count, int32_t lane, float station) {
    kerb_traffic_trip trip = kerb_traffic_trip_along(car_type, edges, count);
    trip.lane = lane;
    trip.station = station;
    return kerb_traffic_add(&traffic, &trip);
}

static void fill(kerb_random* random, int32_t edges) {
    int32_t route[32];
    for (;;) {
        int32_t count = grid_city_route(&city, random, edges, route);
        if (add_car(route, count, -1, kerb_random_between(random, 20, city.spacing - 50)) < 0)
            return;
    }
}

static box box_of_body(const kerb_traffic_body* b) {
    float sine, cosine;
    kerb_sin_cos(b->heading, &sine, &cosine);
    return (box){{b->position.x, b->position.y},
                 {0.5f * b->length * cosine, 0.5f * b->length * sine},
                 {-0.5f * b->width * sine, 0.5f * b->width * cosine},
                 -1,
                 -1};
}

// The vehicle that touches a body; -1: none.
static int32_t touched_by(const kerb_traffic_body* body) {
    box b = box_of_body(body);
    for (int32_t i = 0; i < place_count; i++) {
        kerb_traffic_vehicle v = vehicle(i);
        if (v.stage < KERB_TRAFFIC_DRIVING || i == body->vehicle)
            continue;
        box a[2];
        boxes_of(&v, i, a);
        if (boxes_overlap(&a[0], &b))
            return i;
    }
    return -1;
}

// A body on a lane, as if it drove there.
static kerb_traffic_body body_on(int32_t segment, float station, float left, float speed) {
    kerb_network_place place = kerb_network_at(&city.network, segment, station, left);
    kerb_traffic_body body = kerb_traffic_body_at(place.position, place.heading, 4.6f, 1.8f);
    kerb_sin_cos(place.heading, &body.velocity.y, &body.velocity.x);
    body.velocity = kerb_vec2_scale(body.velocity, speed);
    return body;
}

static void tell(const kerb_traffic_body* bodies, int32_t count) {
    assert_int_equal(kerb_traffic_set_bodies(&traffic, &city.network, bodies, count), count);
}

// --------------------------------------------------------------------------- places

static void the_lane_at_a_place_is_found(void** state) {
    (void)state;
    kerb_random random = test_random(__func__);
    grid_city_make(&city, 4, 200, GRID_SIGNALS, false);
    kerb_network_size size = kerb_network_size_of(&city.network);
    int32_t segments = size.lanes + size.turns;
    for (int32_t i = 0; i < 300; i++) {
        float x = kerb_random_between(&random, -50, 700),
              y = kerb_random_between(&random, -50, 700);
        float reach = kerb_random_between(&random, 0, 80);
        kerb_vec3 place = kerb_vec3_make(x, y, 0);
        int32_t found[600], expected[600], count = 0;
        for (int32_t s = 0; s < segments; s++)
            if (kerb_network_nearest_on(&city.network, s, place).distance <= reach)
                expected[count++] = s;
        assert_int_equal(kerb_network_near(&city.network, place, reach, found, 600), count);
        assert_memory_equal(found, expected, (size_t)count * sizeof *found);
        assert_int_equal(kerb_network_near(&city.network, place, reach, found, 3),
                         count < 3 ? count : 3);
    }
    for (int32_t i = 0; i < 300; i++) {
        int32_t lane = kerb_random_below(&random, size.lanes);
        float station = kerb_random_between(&random, 0, kerb_network_length(&city.network, lane));
        float left = kerb_random_between(&random, -3, 3);
        kerb_vec3 place = kerb_network_at(&city.network, lane, station, left).position;
        kerb_network_nearest n = kerb_network_nearest_on(&city.network, lane, place);
        assert_float_equal(n.station, station, 0.01f);
        assert_float_equal(n.left, left, 0.01f);
        assert_float_equal(n.distance, kerb_abs(left), 0.01f);
    }
    place_count = 0;
    grid_city_destroy(&city);
}

// --------------------------------------------------------------------------- bodies on a road

// A street with a body on each lane: nobody gets past, nobody touches them, all go on later.
static void vehicles_wait_behind_bodies_on_all_lanes_and_go_on(void** state) {
    (void)state;
    make_city(3, GRID_SIGNALS, 12, 4);
    int32_t e = city.edge[0][1][0], route[2] = {e, city.edge[1][1][0]};
    kerb_traffic_body bodies[2] = {body_on(2 * e, 120, 0, 0), body_on(2 * e + 1, 120, 0, 0)};
    for (int32_t i = 0; i < 12; i++)
        add_car(route, 2, -1, -1);
    for (int32_t i = 0; i < 500; i++) {
        tell(bodies, 2);
        step();
        assert_int_equal(touched_by(&bodies[0]), -1);
        assert_int_equal(touched_by(&bodies[1]), -1);
    }
    int32_t waiting = 0;
    for (int32_t i = 0; i < 12; i++)
        if (vehicle(i).stage == KERB_TRAFFIC_DRIVING) {
            assert_true(vehicle(i).station < 118);
            waiting += vehicle(i).wait == KERB_TRAFFIC_WAIT_BODY;
        }
    assert_int_equal(waiting, 2); // the first of each lane; the others wait for them
    tell(NULL, 0);
    for (int32_t i = 0; i < 1800; i++)
        step();
    assert_int_equal(kerb_traffic_counts_of(&traffic).arrived, 12);
    destroy_city();
}

static void vehicles_pass_a_body_on_one_lane(void** state) {
    (void)state;
    make_city(3, GRID_SIGNALS, 10, 4);
    int32_t e = city.edge[0][1][0], route[2] = {e, city.edge[1][1][0]};
    for (int32_t lane = 0; lane < 2; lane++) {
        kerb_traffic_body body = body_on(2 * e + lane, 90, 0, 0);
        int64_t arrived = kerb_traffic_counts_of(&traffic).arrived;
        for (int32_t i = 0; i < 5; i++)
            add_car(route, 2, lane, -1);
        for (int32_t i = 0; i < 2000; i++) {
            tell(&body, 1);
            step();
            assert_int_equal(touched_by(&body), -1);
        }
        assert_int_equal(kerb_traffic_counts_of(&traffic).arrived, arrived + 5);
    }
    destroy_city();
}

// Two lanes are blocked by one body between them.
static void a_body_between_two_lanes_blocks_both(void** state) {
    (void)state;
    make_city(3, GRID_SIGNALS, 6, 4);
    int32_t e = city.edge[0][1][0], route[2] = {e, city.edge[1][1][0]};
    kerb_traffic_body body = body_on(2 * e, 100, 1.6f, 0);
    for (int32_t i = 0; i < 6; i++)
        add_car(route, 2, i % 2, -1);
    for (int32_t i = 0; i < 600; i++) {
        tell(&body, 1);
        step();
        assert_int_equal(touched_by(&body), -1);
    }
    for (int32_t i = 0; i < 6; i++)
        assert_true(vehicle(i).segment / 2 == e && vehicle(i).station < 98);
    destroy_city();
}

// A player drives in front at random, and brakes as hard as tyres can.
static void nobody_runs_into_a_player_that_brakes_hard(void** state) {
    (void)state;
    kerb_random random = test_random(__func__);
    int32_t runs = test_share(40, 6);
    for (int32_t run = 0; run < runs; run++) {
        make_city(3, GRID_SIGNALS, 4, 1);
        int32_t e = city.edge[0][1][0], lane = kerb_random_below(&random, 2);
        int32_t route[2] = {e, city.edge[1][1][0]};
        float s = 40, v = kerb_random_between(&random, 0, 14), a = 0;
        float left = kerb_random_between(&random, -1, 1);
        for (int32_t i = 0; i < 3; i++)
            add_car(route, 2, lane, -1);
        for (int32_t i = 0; i < 600 && s < 165; i++) {
            if (i % 10 == 0)
                a = kerb_random_below(&random, 3) == 0 ? -9.5f : kerb_random_between(&random, 0, 4);
            kerb_traffic_body body = body_on(2 * e + lane, s, left, v);
            tell(&body, 1);
            step();
            float before = v;
            v = kerb_clamp(v + a * 0.1f, 0, 14);
            s += 0.05f * (before + v);
            body = body_on(2 * e + lane, s, left, v);
            int32_t by = touched_by(&body);
            // It may run into one ahead of it, also on the turn behind its street.
            assert_true(by < 0 || vehicle(by).segment / 2 != e || vehicle(by).station > s);
            if (by >= 0)
                break; // it would drive through that one
        }
        destroy_city();
    }
}

// Something thin that stands on a lane, at any station: a post of 10 cm, a barrier across.
static void nothing_is_too_thin_to_be_seen(void** state) {
    (void)state;
    kerb_random random = test_random(__func__);
    for (int32_t i = 0; i < 60; i++) {
        make_city(3, GRID_SIGNALS, 1, 1);
        int32_t e = city.edge[0][1][0], route[2] = {e, city.edge[1][1][0]};
        float width = i % 2 ? 0.1f : 6;
        kerb_traffic_body body =
            body_on(2 * e, kerb_random_between(&random, 80, 120), i % 2 ? 0 : 1.6f, 0);
        body.length = 0.1f;
        body.width = width;
        add_car(route, 2, 0, -1);
        for (int32_t k = 0; k < 250; k++) {
            tell(&body, 1);
            step();
            assert_int_equal(touched_by(&body), -1);
        }
        destroy_city();
    }
}

// Pedestrians walk across a busy street, visible for as long as braking takes.
static void nobody_runs_into_pedestrians_that_cross(void** state) {
    (void)state;
    kerb_random random = test_random(__func__);
    int32_t runs = test_share(60, 8);
    int64_t arrived = 0;
    for (int32_t run = 0; run < runs; run++) {
        make_city(3, GRID_SIGNALS, 8, 4);
        int32_t e = city.edge[0][1][0], route[2] = {e, city.edge[1][1][0]};
        for (int32_t i = 0; i < 8; i++)
            add_car(route, 2, -1, -1);
        float speed[4], station[4], left[4];
        for (int32_t k = 0; k < 4; k++) {
            speed[k] = kerb_random_between(&random, 0.8f, 3) * (k % 2 ? -1.0f : 1.0f);
            left[k] = (k % 2 ? 1.0f : -1.0f) * kerb_random_between(&random, 15, 50);
            station[k] = kerb_random_between(&random, 30, 150);
        }
        for (int32_t i = 0; i < 1500; i++) {
            kerb_traffic_body bodies[4];
            for (int32_t k = 0; k < 4; k++) {
                kerb_network_place place =
                    kerb_network_at(&city.network, 2 * e, station[k], left[k]);
                bodies[k] = kerb_traffic_body_at(place.position, place.heading + 1.57f, 0.5f, 0.5f);
                bodies[k].velocity = (kerb_vec2){0, speed[k]}; // the street leads east
            }
            tell(bodies, 4);
            step();
            for (int32_t k = 0; k < 4; k++) {
                left[k] += speed[k] * 0.1f;
                bodies[k].position.y += speed[k] * 0.1f;
                int32_t by = touched_by(&bodies[k]);
                // It may walk into the side of one that stands or passes.
                assert_true(by < 0 || vehicle(by).speed < 0.3f ||
                            vehicle(by).station > station[k] + 2);
            }
        }
        arrived += kerb_traffic_counts_of(&traffic).arrived;
        destroy_city();
    }
    assert_int_equal(arrived, 8 * runs);
}

// --------------------------------------------------------------------------- junctions

static void nobody_enters_a_junction_on_a_turn_that_is_blocked(void** state) {
    (void)state;
    make_city(3, GRID_PRIORITY, 16, 2);
    int32_t first[2] = {city.edge[0][1][0], city.edge[1][1][0]};
    int32_t second[2] = {city.edge[1][0][1], city.edge[1][1][1]};
    kerb_traffic_body body = kerb_traffic_body_at(kerb_vec3_make(200, 200, 0), 0.5f, 8, 8);
    for (int32_t i = 0; i < 8; i++) {
        add_car(first, 2, -1, -1);
        add_car(second, 2, -1, -1);
    }
    kerb_network_size size = kerb_network_size_of(&city.network);
    for (int32_t i = 0; i < 900; i++) {
        tell(&body, 1);
        step();
        assert_int_equal(touched_by(&body), -1);
        for (int32_t k = 0; k < 16; k++)
            if (vehicle(k).stage == KERB_TRAFFIC_DRIVING && i < 500)
                assert_true(vehicle(k).segment < size.lanes); // later some take another way
    }
    tell(NULL, 0);
    for (int32_t i = 0; i < 2000; i++)
        step();
    assert_int_equal(kerb_traffic_counts_of(&traffic).arrived, 16);
    destroy_city();
}

// A player that obeys nothing but who drives ahead of it.
typedef struct wild_player {
    int32_t segment;
    float s, v;
} wild_player;

static bool place_is_free(const kerb_traffic_body* at) {
    kerb_traffic_body longer = *at;
    longer.length += 6;
    return touched_by(&longer) < 0;
}

static kerb_traffic_body drive_wild(wild_player* p, kerb_random* random, float wanted) {
    kerb_network_size size = kerb_network_size_of(&city.network);
    p->s += p->v * 0.1f;
    while (p->s > kerb_network_length(&city.network, p->segment)) {
        p->s -= kerb_network_length(&city.network, p->segment);
        int32_t turns[16];
        if (p->segment >= size.lanes)
            p->segment = kerb_network_segment_of(&city.network, p->segment).to;
        else {
            int32_t n = kerb_network_turns_from(&city.network, p->segment, turns, 16);
            p->segment = size.lanes + turns[kerb_random_below(random, n)];
        }
    }
    kerb_traffic_body body = body_on(p->segment, p->s, 0, p->v);
    // It stops for who is close ahead of it.
    kerb_traffic_body ahead = body;
    ahead.position.x += body.velocity.x * 0.9f;
    ahead.position.y += body.velocity.y * 0.9f;
    p->v = place_is_free(&ahead) && place_is_free(&body) ? kerb_min(p->v + 0.3f, wanted)
                                                         : kerb_max(p->v - 0.9f, 0);
    return body;
}

static void a_player_that_obeys_no_rule_is_not_run_into(void** state) {
    (void)state;
    kerb_random random = test_random(__func__);
    int32_t runs = test_share(6, 1), contacts = 0;
    for (int32_t run = 0; run < runs; run++) {
        make_city(4, run % 2 ? GRID_NEAR_SIDE : GRID_SIGNALS, 80, 2);
        wild_player p = {kerb_random_below(&random, 16), 20, 0};
        kerb_traffic_body before = body_on(p.segment, p.s, 0, 0);
        bool touches = false;
        for (int32_t i = 0; i < 3000; i++) {
            if (i % 10 == 0)
                fill(&random, 6);
            kerb_traffic_body body = drive_wild(&p, &random, 9);
            tell(&body, 1);
            step();
            int32_t by = touched_by(&body);
            // Who stands, or brakes as hard as it can, is not at fault. Nor is one into whose side
            // the player drives: it is where the player was not before.
            if (by >= 0 && !touches && touched_by(&before) == by && vehicle(by).speed > 0.3f &&
                vehicle(by).acceleration > -5.9f)
                contacts++;
            touches = by >= 0;
            before = body;
        }
        int32_t a, b;
        assert_int_equal(test_overlaps(&traffic, &city.network, 80, &a, &b), 0);
        assert_true(kerb_traffic_counts_of(&traffic).arrived > 20);
        destroy_city();
    }
    assert_int_equal(contacts, 0);
}

// --------------------------------------------------------------------------- driven by the host

// Physics with a lag of 0.4 s: it steers and speeds up towards where it should be that much later.
static void follow_motion(kerb_traffic_body* body, const kerb_motion* later) {
    float speed = kerb_vec2_length(body->velocity), want = kerb_vec3_length(later->velocity);
    float heading = kerb_quat_heading(later->rotation), sine, cosine;
    body->heading += 0.25f * kerb_wrap_angle(heading - body->heading);
    kerb_sin_cos(body->heading, &sine, &cosine);
    kerb_vec3 error = kerb_vec3_sub(later->position, body->position);
    float aside = 0.25f * (-error.x * sine + error.y * cosine);
    speed += 0.25f * (want - speed);
    body->velocity = kerb_vec2_make(speed * cosine, speed * sine);
    body->position.x += 0.1f * body->velocity.x - aside * sine;
    body->position.y += 0.1f * body->velocity.y + aside * cosine;
    body->position.z = later->position.z;
}

static void vehicles_that_the_host_drives_arrive_like_others(void** state) {
    (void)state;
    kerb_random random = test_random(__func__);
    enum { DRIVEN = 10, ALL = 60 };
    int32_t steps = test_share(3000, 600), most = 0;
    make_city(4, GRID_SIGNALS, ALL, DRIVEN);
    kerb_traffic_body bodies[DRIVEN];
    bool known[DRIVEN] = {false};
    int64_t driven_arrived = 0;
    for (int32_t i = 0; i < steps; i++) {
        int32_t count = 0;
        if (i % 10 == 0)
            fill(&random, 6);
        kerb_traffic_body told[DRIVEN];
        for (int32_t k = 0; k < DRIVEN; k++) {
            bool driving = vehicle(k).stage >= KERB_TRAFFIC_DRIVING;
            driven_arrived += known[k] && !driving;
            if (!driving) {
                known[k] = false;
                continue;
            }
            kerb_motion wanted = kerb_traffic_motion_of(&traffic, &city.network, k, 0.4f);
            if (!known[k]) {
                kerb_motion now = kerb_traffic_motion_of(&traffic, &city.network, k, 0);
                bodies[k] =
                    kerb_traffic_body_at(now.position, kerb_quat_heading(now.rotation), 4.6f, 1.8f);
                bodies[k].velocity = (kerb_vec2){now.velocity.x, now.velocity.y};
                bodies[k].vehicle = k;
                known[k] = true;
            } else
                follow_motion(&bodies[k], &wanted);
            told[count++] = bodies[k];
        }
        tell(told, count);
        step();
        most = count > most ? count : most;
        for (int32_t k = 0; k < count; k++) {
            kerb_traffic_vehicle v = vehicle(told[k].vehicle);
            if (v.stage < KERB_TRAFFIC_DRIVING)
                continue;
            assert_float_equal(0.5f * (v.position.x + v.rear.x), told[k].position.x, 0.01f);
        }
        int32_t a, b;
        if (i % 5 == 0)
            assert_int_equal(test_overlaps(&traffic, &city.network, ALL, &a, &b), 0);
    }
    assert_int_equal(most, DRIVEN);
    if (steps == 3000)
        assert_true(driven_arrived > 10);
    destroy_city();
}

// A motion ahead is where the vehicle is after a step at the same speed.
static void a_motion_leads_where_the_vehicle_goes(void** state) {
    (void)state;
    make_city(3, GRID_PRIORITY, 1, 1);
    int32_t route[3] = {city.edge[0][1][0], city.edge[1][1][1], city.edge[1][2][2]};
    add_car(route, 3, 1, -1);
    for (int32_t i = 0; i < 500; i++) {
        step();
        if (vehicle(0).stage != KERB_TRAFFIC_DRIVING)
            break;
        kerb_traffic_vehicle v = vehicle(0);
        kerb_motion now = kerb_traffic_motion_of(&traffic, &city.network, 0, 0);
        assert_float_equal(now.position.x, 0.5f * (v.position.x + v.rear.x), 1e-3f);
        assert_float_equal(kerb_quat_heading(now.rotation), v.heading, 1e-3f);
        assert_float_equal(kerb_vec3_length(now.velocity), v.speed, 1e-3f);
        kerb_motion next = kerb_traffic_motion_of(&traffic, &city.network, 0, 0.1f);
        step();
        v = vehicle(0);
        if (v.stage != KERB_TRAFFIC_DRIVING)
            break;
        // It turns by 3 rad/s at most, and speeds up by 6 m/s^2 at most.
        assert_float_equal(next.position.x, 0.5f * (v.position.x + v.rear.x), 0.1f);
        assert_float_equal(next.position.y, 0.5f * (v.position.y + v.rear.y), 0.1f);
    }
    assert_int_equal(kerb_traffic_counts_of(&traffic).arrived, 1);
    destroy_city();
}

// --------------------------------------------------------------------------- incidents

static int32_t knowing(int32_t lane) {
    int32_t count = 0;
    for (int32_t i = 0; i < place_count; i++) {
        kerb_route_knowledge known = kerb_traffic_knowledge_of(&traffic, i);
        for (int32_t k = 0; k < known.count; k++)
            count += known.lanes[k] == lane;
    }
    return count;
}

static void set_incident(int32_t edge, bool blocked) {
    kerb_traffic_set_incident(&traffic, 2 * edge, blocked);
    kerb_traffic_set_incident(&traffic, 2 * edge + 1, blocked);
}

// Nobody knows of it from afar; who comes near drives round it; later it is forgotten.
static void a_blocked_road_is_known_only_to_those_that_came_near(void** state) {
    (void)state;
    make_city(4, GRID_SIGNALS, 20, 0);
    int32_t e = city.edge[1][1][0];
    int32_t route[3] = {city.edge[0][1][0], e, city.edge[2][1][0]};
    set_incident(e, true);
    add_car(route, 3, 0, 10);
    for (int32_t i = 0; i < 60; i++) // 162 m before the end of the first street; it sees 80 m
        step();
    assert_int_equal(vehicle(0).stage, KERB_TRAFFIC_DRIVING);
    assert_int_equal(knowing(2 * e), 0);
    while (172 - vehicle(0).station > 78)
        step();
    for (int32_t i = 0; i < 12; i++)
        step();
    assert_int_equal(knowing(2 * e), 1);
    assert_int_equal(kerb_traffic_counts_of(&traffic).reroutes, 1);
    for (int32_t i = 0; i < 19; i++)
        add_car(route, 3, i % 2, -1);
    for (int32_t i = 0; i < 4000; i++) {
        step();
        for (int32_t k = 0; k < 20; k++)
            assert_true(vehicle(k).segment / 2 != e);
    }
    assert_int_equal(kerb_traffic_counts_of(&traffic).arrived, 20);
    assert_int_equal(kerb_traffic_counts_of(&traffic).asked, 0);
    assert_int_equal(knowing(2 * e), 0); // those that knew have arrived
    destroy_city();
}

// Who turned away tells those behind it and those that it meets.
static void who_knows_of_a_blocked_road_tells_others(void** state) {
    (void)state;
    make_city(4, GRID_PRIORITY, 2, 0);
    int32_t e = city.edge[1][1][0];
    int32_t route[3] = {city.edge[0][1][0], e, city.edge[2][1][0]};
    // Comes from where the first one will turn to, and does not want to enter the street.
    int32_t down[3] = {city.edge[1][3][3], city.edge[1][2][3], city.edge[1][1][3]};
    set_incident(e, true);
    add_car(route, 3, 1, -1);
    int32_t first_known = -1;
    bool met = false;
    for (int32_t i = 0; i < 1500; i++) {
        if (i == 130)
            add_car(down, 3, 1, -1);
        step();
        if (vehicle(1).stage == KERB_TRAFFIC_DRIVING &&
            kerb_traffic_knowledge_of(&traffic, 1).count > 0 && first_known < 0) {
            first_known = i;
            kerb_traffic_vehicle a = vehicle(0), b = vehicle(1);
            float x = a.position.x - b.position.x, y = a.position.y - b.position.y;
            met = x * x + y * y < 45 * 45;
        }
    }
    assert_true(first_known >= 0);
    assert_true(met);
    assert_int_equal(kerb_traffic_counts_of(&traffic).arrived, 2);
    destroy_city();
}

// A street with a dead end: who has no way round waits, asks nobody, and goes on when it is clear.
static void those_without_a_way_round_go_on_when_it_clears(void** state) {
    (void)state;
    make_city(2, GRID_PRIORITY, 6, 0);
    int32_t route[3] = {city.edge[0][0][0], city.edge[1][0][1], city.edge[1][1][2]};
    int32_t e = city.edge[1][0][1];
    set_incident(e, true);
    for (int32_t i = 0; i < 6; i++)
        add_car(route, 3, -1, -1);
    for (int32_t i = 0; i < 12000; i++)
        step();
    kerb_traffic_counts counts = kerb_traffic_counts_of(&traffic);
    assert_int_equal(counts.arrived + counts.vehicles + counts.outside, 6);
    assert_int_equal(counts.arrived, 0);
    assert_int_equal(counts.asked, 0);
    set_incident(e, false);
    for (int32_t i = 0; i < 6000; i++)
        step();
    assert_int_equal(kerb_traffic_counts_of(&traffic).arrived, 6);
    destroy_city();
}

// A road in a busy city is blocked for a while by bodies that stand on it.
static void a_street_that_bodies_block_is_driven_round(void** state) {
    (void)state;
    kerb_random random = test_random(__func__);
    int32_t steps = test_share(5000, 800);
    make_city(4, GRID_SIGNALS, 120, 2);
    int32_t e = city.edge[1][1][0];
    kerb_traffic_body bodies[2] = {body_on(2 * e, 30, 0, 0), body_on(2 * e + 1, 30, 0, 0)};
    for (int32_t i = 0; i < steps; i++) {
        if (i % 10 == 0 && i < steps / 2)
            fill(&random, 8);
        bool blocked = i > steps / 10 && i < steps / 2;
        tell(bodies, blocked ? 2 : 0);
        step();
        int32_t a, b;
        if (i % 5 == 0)
            assert_int_equal(test_overlaps(&traffic, &city.network, 120, &a, &b), 0);
        for (int32_t k = 0; k < 2 && blocked && i > steps / 10 + 50; k++)
            assert_int_equal(touched_by(&bodies[k]), -1);
    }
    for (int32_t i = 0; i < 1000; i++) // a trip that began late takes up to 100 s more
        step();
    kerb_traffic_counts counts = kerb_traffic_counts_of(&traffic);
    assert_int_equal(counts.asked, 0);
    if (steps == 5000) {
        assert_true(counts.reroutes > 5);
        assert_int_equal(counts.vehicles + counts.outside, 0);
    }
    destroy_city();
}

// --------------------------------------------------------------------------- the rest

static void more_bodies_than_there_is_room_for_are_passed_over(void** state) {
    (void)state;
    make_city(3, GRID_SIGNALS, 4, 2);
    int32_t e = city.edge[0][1][0];
    kerb_traffic_body bodies[3] = {body_on(2 * e, 50, 0, 0), body_on(2 * e, 90, 0, 0),
                                   body_on(2 * e, 100, 0, 0)};
    bodies[1].vehicle = 3; // does not drive
    assert_int_equal(kerb_traffic_set_bodies(&traffic, &city.network, bodies, 3), 2);
    assert_int_equal(kerb_traffic_set_bodies(&traffic, &city.network, NULL, 0), 0);
    destroy_city();
}

// What a host's physics has lost is passed over, and the others are taken.
static void bodies_that_no_world_has_are_passed_over(void** state) {
    (void)state;
    make_city(2, GRID_PRIORITY, 4, 16);
    const kerb_vec3 origin = {0};
    kerb_traffic_body bodies[10];
    for (int32_t i = 0; i < 10; i++)
        bodies[i] = kerb_traffic_body_at(origin, 0.0f, 4.0f, 2.0f);
    bodies[0].position.x = NAN;
    bodies[1].position.z = INFINITY;
    bodies[2].position.y = 1e30f;
    bodies[3].heading = NAN;
    bodies[4].velocity.y = NAN;
    bodies[5].velocity.x = 1e20f;
    bodies[6].length = 0.0f;
    bodies[7].width = NAN;
    bodies[8].length = INFINITY;
    assert_int_equal(kerb_traffic_set_bodies(&traffic, &city.network, bodies, 10), 1);
    for (int32_t i = 0; i < 50; i++)
        kerb_traffic_step(&traffic, &city.network, 0.1f, NULL);
    assert_int_equal(kerb_traffic_set_bodies(&traffic, &city.network, bodies, 9), 0);
    destroy_city();
}

static void bodies_keep_the_bits_for_any_division_of_work(void** state) {
    (void)state;
    static char* blocks[2];
    size_t bytes = 0;
    for (int32_t k = 0; k < 2; k++) {
        kerb_random random = kerb_random_make(4, 4);
        int32_t size = 7;
        kerb_tasks tasks = test_backward_tasks(&size);
        make_city(4, GRID_SIGNALS, 300, 2);
        wild_player p = {3, 20, 0};
        for (int32_t i = 0; i < 300; i++) {
            fill(&random, 6);
            kerb_traffic_body body = drive_wild(&p, &random, 9);
            tell(&body, 1);
            kerb_traffic_step(&traffic, &city.network, 0.1f, k == 0 ? NULL : &tasks);
        }
        bytes = traffic.bytes;
        blocks[k] = malloc(bytes);
        memcpy(blocks[k], traffic.memory, bytes);
        destroy_city();
    }
    assert_memory_equal(blocks[0], blocks[1], bytes);
    for (int32_t k = 0; k < 2; k++)
        free(blocks[k]);
}

int traffic_host_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_lane_at_a_place_is_found),
        cmocka_unit_test(vehicles_wait_behind_bodies_on_all_lanes_and_go_on),
        cmocka_unit_test(vehicles_pass_a_body_on_one_lane),
        cmocka_unit_test(a_body_between_two_lanes_blocks_both),
        cmocka_unit_test(nobody_runs_into_a_player_that_brakes_hard),
        cmocka_unit_test(nothing_is_too_thin_to_be_seen),
        cmocka_unit_test(nobody_runs_into_pedestrians_that_cross),
        cmocka_unit_test(nobody_enters_a_junction_on_a_turn_that_is_blocked),
        cmocka_unit_test(a_player_that_obeys_no_rule_is_not_run_into),
        cmocka_unit_test(vehicles_that_the_host_drives_arrive_like_others),
        cmocka_unit_test(a_motion_leads_where_the_vehicle_goes),
        cmocka_unit_test(a_blocked_road_is_known_only_to_those_that_came_near),
        cmocka_unit_test(who_knows_of_a_blocked_road_tells_others),
        cmocka_unit_test(those_without_a_way_round_go_on_when_it_clears),
        cmocka_unit_test(a_street_that_bodies_block_is_driven_round),
        cmocka_unit_test(more_bodies_than_there_is_room_for_are_passed_over),
        cmocka_unit_test(bodies_that_no_world_has_are_passed_over),
        cmocka_unit_test(bodies_keep_the_bits_for_any_division_of_work),
    };
    return cmocka_run_group_tests_name("traffic_host", tests, NULL, NULL);
}
