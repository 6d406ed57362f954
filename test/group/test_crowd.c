// Keeping clear, queuing, gathering, following and formations: what they promise.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kerb/steer.h"

#include "kerb/group.h"
#include "scene/crowd/crowd.h"
#include "test/seed.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STEP 0.05f
#define TEN_MINUTES 600.0f

static kerb_scene_crowd crowd;

static kerb_scene_crowd_record run(kerb_scene_crowd_kind kind, int32_t count, uint64_t seed) {
    kerb_host host = kerb_host_default();
    assert_int_equal(kerb_scene_crowd_create(&crowd, kind, count, seed, &host), KERB_OK);
    bool goes_on = true;
    while (goes_on && crowd.record.time < TEN_MINUTES) {
        kerb_scene_crowd_step(&crowd, STEP);
        goes_on = kind == KERB_SCENE_CROWD_CROSSING || crowd.record.passed < count;
    }
    kerb_scene_crowd_destroy(&crowd);
    return crowd.record;
}

static void two_hundred_cars_pass_a_gate_one_by_one(void** state) {
    (void)state;
    const int32_t count = test_share(200, 60);
    kerb_scene_crowd_record record = run(KERB_SCENE_CROWD_GATE, count, 1);
    assert_int_equal(record.contacts, 0);
    assert_int_equal(record.passed, count);
    assert_true(record.longest_pause <= 10.0f);
}

// ------------------------------------------------------------------- gates

static kerb_agent agent_at(float x, float y, float heading, float speed);
static float least_gap(const kerb_agents* agents);

// A gate somewhere, its direction of any length.
static const kerb_gate some_gate = {{12.0f, -7.0f, 0.0f}, {1.5f, 2.0f, 0.0f}, 8.0f};

static kerb_vec2 seen_from_gate(const kerb_agent* agent) {
    float x = agent->position.x - some_gate.position.x, y = agent->position.y + 7.0f;
    return kerb_vec2_make(0.6f * x + 0.8f * y, 0.6f * y - 0.8f * x);
}

// Before the gate or abeam of it, facing it but for `off`.
static kerb_agent comes_to_gate(kerb_random* random, float bearing, float distance, float off) {
    float angle = kerb_atan2(0.8f, 0.6f) + KERB_PI + bearing;
    float heading = angle + KERB_PI + kerb_random_between(random, -off, off);
    return agent_at(some_gate.position.x + distance * kerb_cos(angle),
                    some_gate.position.y + distance * kerb_sin(angle), heading, 2.0f);
}

// How far beside its middle it passes the gate in this step; below 0: it does not.
static float passes_beside(const kerb_agent* before, const kerb_agent* after) {
    kerb_vec2 from = seen_from_gate(before), to = seen_from_gate(after);
    if (from.x > 0.0f || to.x <= 0.0f)
        return -1.0f;
    return fabsf(from.y + (to.y - from.y) * from.x / (from.x - to.x));
}

static void who_comes_from_any_side_passes_the_middle_of_a_gate(void** state) {
    (void)state;
    kerb_random random = test_random("from any side");
    kerb_agents none = {0};
    kerb_group alone = {&none, NULL, 0, -1};
    for (int32_t round = 0; round < 300; round++) {
        float bearing = kerb_random_between(&random, -1.35f, 1.35f);
        kerb_agent agent =
            comes_to_gate(&random, bearing, kerb_random_between(&random, 25, 80), 0.8f);
        float beside = -1.0f;
        for (int32_t step = 0; step < 1200 && beside < 0.0f; step++) {
            kerb_steering wish = kerb_queue(&agent, &some_gate, &alone, STEP);
            kerb_agent after = kerb_agent_step(&agent, &wish, STEP);
            beside = passes_beside(&agent, &after);
            agent = after;
        }
        assert_true(beside >= 0.0f && beside < 0.1f);
        assert_true(0.6f * agent.forward.x + 0.8f * agent.forward.y > 0.99f);
    }
}

static void cars_from_all_sides_pass_a_gate_in_turn(void** state) {
    (void)state;
    enum { CARS = 18 };
    static float of[12][CARS];
    kerb_agents agents = {CARS,  of[0], of[1], NULL,  of[3],  of[4], NULL,
                          of[6], of[7], of[8], of[9], of[10], of[11]};
    kerb_avoid_agents_settings settings = kerb_avoid_agents_settings_default();
    settings.horizon = settings.swerve = settings.yield_distance = 0.0f;
    kerb_random random = test_random("from all sides");
    int32_t passed = 0;
    for (int32_t i = 0; i < CARS; i++) {
        float bearing = 1.5f * ((float)(i % 9) / 4.0f - 1.0f);
        kerb_agent agent = comes_to_gate(&random, bearing, i < 9 ? 30.0f : 40.0f, 0.1f);
        kerb_agents_set(&agents, i, &agent);
    }
    for (int32_t step = 0; step < 1200; step++) {
        kerb_agent after[CARS];
        for (int32_t i = 0; i < CARS; i++) {
            kerb_agent agent = kerb_agents_get(&agents, i);
            kerb_group group = {&agents, NULL, CARS, i};
            kerb_steering wish = kerb_queue(&agent, &some_gate, &group, STEP);
            wish = kerb_avoid_agents(&settings, &agent, &wish, &group, STEP);
            after[i] = kerb_agent_step(&agent, &wish, STEP);
            float beside = passes_beside(&agent, &after[i]);
            assert_true(beside < 1.0f);
            passed += beside >= 0.0f ? 1 : 0;
        }
        for (int32_t i = 0; i < CARS; i++)
            kerb_agents_set(&agents, i, &after[i]);
        assert_true(least_gap(&agents) > 0.0f);
    }
    assert_int_equal(passed, CARS);
}

static void a_gate_without_a_direction_is_refused(void** state) {
    (void)state;
    kerb_agents none = {0};
    kerb_group alone = {&none, NULL, 0, -1};
    kerb_gate gate = {{0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 1.0f}, 8.0f};
    kerb_agent agent = agent_at(-30, 0, 0, 5.0f);
    assert_true(kerb_vec3_length(kerb_queue(&agent, &gate, &alone, STEP).direction) == 0.0f);
    gate.direction.x = NAN;
    assert_true(kerb_vec3_length(kerb_queue(&agent, &gate, &alone, STEP).direction) == 0.0f);
}

// Seeds in which lanes once stood for good while the others flowed, and one in which none did.
static void crossing_streams_never_stop_for_ten_seconds_and_no_lane_for_sixty(void** state) {
    (void)state;
    const uint64_t seeds[] = {1, 2, 5};
    const int32_t count = test_share(3, 1);
    for (int32_t i = 0; i < count; i++) {
        kerb_scene_crowd_record record = run(KERB_SCENE_CROWD_CROSSING, 64, seeds[i]);
        printf("seed %d: %d passed, a lane paused for %.1f s\n", (int)seeds[i], (int)record.passed,
               (double)record.longest_lane_pause);
        assert_int_equal(record.contacts, 0);
        assert_true(record.longest_pause <= 10.0f);
        assert_true(record.longest_lane_pause <= 60.0f);
        assert_true(record.longest_lane_pause > 10.0f); // who drives in alone takes 16 s
        assert_true(record.passed > 600);
    }
}

// ------------------------------------------------------------------- keeping clear

enum { MOST = 40 };
static float numbers[12][MOST];

static kerb_agents agents_of(int32_t count) {
    kerb_agents agents = {count,      numbers[0],  numbers[1], NULL,       numbers[3],
                          numbers[4], NULL,        numbers[6], numbers[7], numbers[8],
                          numbers[9], numbers[10], numbers[11]};
    return agents;
}

static kerb_agent agent_at(float x, float y, float heading, float speed) {
    kerb_agent agent = {
        {x, y, 0.0f}, {kerb_cos(heading), kerb_sin(heading), 0.0f}, speed, 1.5f, 5.0f, 10.0f, 3.0f,
        6.0f};
    return agent;
}

static float distance_between(const kerb_agents* agents, int32_t i, int32_t j) {
    return hypotf(agents->x[i] - agents->x[j], agents->y[i] - agents->y[j]);
}

static float least_gap(const kerb_agents* agents) {
    float least = 1e9f;
    for (int32_t i = 0; i < agents->count; i++) {
        for (int32_t j = 0; j < i; j++)
            least = fminf(least,
                          distance_between(agents, i, j) - agents->radius[i] - agents->radius[j]);
    }
    return least;
}

// Anybody, wishing anything at any moment, and with settings of any kind.
static void who_keeps_clear_never_touches_whatever_is_wished(void** state) {
    (void)state;
    kerb_random random = test_random("clear");
    const int32_t rounds = test_share(60, 12);
    for (int32_t round = 0; round < rounds; round++) {
        kerb_agents agents = agents_of(MOST);
        for (int32_t i = 0; i < MOST; i++) {
            // From rest, on a lattice on which all are clear.
            kerb_agent agent = agent_at(5.0f * (float)(i % 7), 5.0f * (float)(i / 7),
                                        kerb_random_between(&random, -KERB_PI, KERB_PI), 0.0f);
            agent.turning_radius = kerb_random_between(&random, 1.0f, 10.0f);
            agent.braking = kerb_random_between(&random, 3.0f, 9.0f);
            kerb_agents_set(&agents, i, &agent);
        }
        kerb_avoid_agents_settings settings = kerb_avoid_agents_settings_default();
        settings.swerve = kerb_random_unit(&random);
        settings.horizon = round % 3 == 0 ? 0.0f : 2.0f;
        settings.yield_distance = round % 2 == 0 ? 0.0f : 8.0f;
        float time_step = kerb_random_between(&random, 0.01f, 0.1f);
        for (int32_t step = 0; step < 150; step++) {
            kerb_agent after[MOST];
            for (int32_t i = 0; i < MOST; i++) {
                kerb_agent agent = kerb_agents_get(&agents, i);
                float heading = kerb_random_between(&random, -KERB_PI, KERB_PI);
                kerb_vec3 middle = {15.0f, 12.5f, 0.0f};
                kerb_vec3 way = kerb_vec3_sub(middle, agent.position);
                kerb_steering wish = {kerb_vec3_unit(way, agent.forward), 10.0f};
                if (step % 8 == 0)
                    wish.direction = kerb_vec3_make(kerb_cos(heading), kerb_sin(heading), 0.0f);
                kerb_group group = {&agents, NULL, MOST, i};
                wish = kerb_avoid_agents(&settings, &agent, &wish, &group, time_step);
                after[i] = kerb_agent_step(&agent, &wish, time_step);
            }
            for (int32_t i = 0; i < MOST; i++)
                kerb_agents_set(&agents, i, &after[i]);
            assert_true(least_gap(&agents) > 0.0f);
        }
    }
}

static void nobody_near_leaves_the_wish_as_it_is(void** state) {
    (void)state;
    kerb_agents agents = agents_of(1);
    kerb_agent agent = agent_at(0, 0, 0.3f, 5.0f);
    kerb_agents_set(&agents, 0, &agent);
    kerb_avoid_agents_settings settings = kerb_avoid_agents_settings_default();
    kerb_group group = {&agents, NULL, 1, 0};
    kerb_steering wish = {{kerb_cos(0.31f), kerb_sin(0.31f), 0.0f}, 7.0f};
    kerb_steering kept = kerb_avoid_agents(&settings, &agent, &wish, &group, STEP);
    assert_true(kept.speed == 7.0f);
    assert_true(fabsf(kept.direction.x - wish.direction.x) < 1e-4f);
    kerb_agent broken = agent;
    broken.position.x = NAN;
    assert_true(kerb_avoid_agents(&settings, &broken, &wish, &group, STEP).direction.x == 0.0f);
}

static void two_head_on_pass_each_other(void** state) {
    (void)state;
    kerb_agents agents = agents_of(2);
    kerb_agent a = agent_at(-40, 0, 0, 6.0f), b = agent_at(40, 0.2f, KERB_PI, 6.0f);
    kerb_agents_set(&agents, 0, &a);
    kerb_agents_set(&agents, 1, &b);
    kerb_avoid_agents_settings settings = kerb_avoid_agents_settings_default();
    for (int32_t step = 0; step < 600; step++) {
        kerb_agent after[2];
        for (int32_t i = 0; i < 2; i++) {
            kerb_agent agent = kerb_agents_get(&agents, i);
            kerb_steering wish = {{i == 0 ? 1.0f : -1.0f, 0.0f, 0.0f}, 8.0f};
            kerb_group group = {&agents, NULL, 2, i};
            wish = kerb_avoid_agents(&settings, &agent, &wish, &group, STEP);
            after[i] = kerb_agent_step(&agent, &wish, STEP);
        }
        kerb_agents_set(&agents, 0, &after[0]);
        kerb_agents_set(&agents, 1, &after[1]);
        assert_true(least_gap(&agents) > 0.0f);
    }
    assert_true(agents.x[0] > 60.0f && agents.x[1] < -60.0f);
}

// From all round a ring straight to the other side, all through its middle at once.
static void who_drive_through_one_another_all_get_to_the_other_side(void** state) {
    (void)state;
    enum { COUNT = 12 };
    kerb_random random = test_random("other side");
    kerb_avoid_agents_settings settings = kerb_avoid_agents_settings_default();
    for (int32_t round = 0; round < 8; round++) {
        int32_t count = 2 + round * 10 / 7, through = 0;
        kerb_agents agents = agents_of(count);
        float time = 0.0f, turn = kerb_random_between(&random, -KERB_PI, KERB_PI);
        kerb_vec3 out[COUNT];
        for (int32_t i = 0; i < count; i++) {
            float at = (float)i + kerb_random_between(&random, -0.2f, 0.2f);
            float bearing = turn + 2.0f * KERB_PI * at / (float)count;
            out[i] = kerb_vec3_make(kerb_cos(bearing), kerb_sin(bearing), 0.0f);
            kerb_agent agent =
                agent_at(60.0f * out[i].x, 60.0f * out[i].y, bearing + KERB_PI, 6.0f);
            agent.speed_max = 8.0f;
            kerb_agents_set(&agents, i, &agent);
        }
        for (; through < count; time += STEP) {
            kerb_agent after[COUNT];
            assert_true(time < 60.0f); // alone: 14 s
            through = 0;
            for (int32_t i = 0; i < count; i++) {
                kerb_agent agent = kerb_agents_get(&agents, i);
                kerb_group group = {&agents, NULL, count, i};
                kerb_steering wish = kerb_seek(&agent, kerb_vec3_scale(out[i], -200.0f), STEP);
                wish = kerb_avoid_agents(&settings, &agent, &wish, &group, STEP);
                after[i] = kerb_agent_step(&agent, &wish, STEP);
                through += kerb_vec3_dot(after[i].position, out[i]) < -50.0f ? 1 : 0;
            }
            for (int32_t i = 0; i < count; i++)
                kerb_agents_set(&agents, i, &after[i]);
            assert_true(least_gap(&agents) > 0.0f);
        }
        printf("%d through one another: in %.1f s\n", (int)count, (double)time);
    }
}

// ------------------------------------------------------------------- formation

static void slots_are_never_nearer_than_the_spacing(void** state) {
    (void)state;
    for (int32_t shape = 0; shape <= KERB_FORMATION_RING; shape++) {
        for (int32_t count = 1; count <= 40; count++) {
            for (int32_t i = 0; i < count; i++) {
                kerb_vec3 a = kerb_formation_slot((kerb_formation_shape)shape, i, count, 4.0f);
                assert_true(i > 0 || (a.x == 0.0f && a.y == 0.0f));
                for (int32_t j = 0; j < i; j++) {
                    kerb_vec3 b = kerb_formation_slot((kerb_formation_shape)shape, j, count, 4.0f);
                    assert_true(hypotf(a.x - b.x, a.y - b.y) >= 4.0f * 0.9999f);
                }
            }
        }
    }
}

static kerb_vec2 between(kerb_vec3 from, kerb_vec3 to) {
    return kerb_vec2_make(to.x - from.x, to.y - from.y);
}

static bool do_ways_cross(kerb_vec3 a, kerb_vec3 b, kerb_vec3 c, kerb_vec3 d) {
    kerb_vec2 ab = between(a, b), cd = between(c, d);
    float of_c = kerb_vec2_cross(ab, between(a, c));
    float of_d = kerb_vec2_cross(ab, between(a, d));
    float of_a = kerb_vec2_cross(cd, between(c, a));
    float of_b = kerb_vec2_cross(cd, between(c, b));
    return of_c * of_d < 0.0f && of_a * of_b < 0.0f;
}

static void assigned_slots_are_each_taken_once_and_no_ways_cross(void** state) {
    (void)state;
    kerb_random random = test_random("slots");
    enum { COUNT = 25 };
    for (int32_t round = 0; round < 300; round++) {
        kerb_vec3 positions[COUNT], places[COUNT];
        int32_t slots[COUNT], taken[COUNT] = {0};
        for (int32_t i = 0; i < COUNT; i++) {
            positions[i] = kerb_vec3_make(kerb_random_between(&random, -50, 50),
                                          kerb_random_between(&random, -50, 50), 0.0f);
            places[i] = kerb_formation_slot(KERB_FORMATION_WEDGE, i, COUNT, 5.0f);
            slots[i] = i;
        }
        kerb_formation_assign(positions, places, slots, COUNT, 0.0f);
        assert_int_equal(kerb_formation_assign(positions, places, slots, COUNT, 1e-3f), 0);
        for (int32_t i = 0; i < COUNT; i++) {
            taken[slots[i]]++;
            for (int32_t j = 0; j < i; j++)
                assert_false(
                    do_ways_cross(positions[i], places[slots[i]], positions[j], places[slots[j]]));
        }
        for (int32_t i = 0; i < COUNT; i++)
            assert_int_equal(taken[i], 1);
    }
}

// A column on a circle: every place lies on the leader's circle, and heads along it.
static void a_column_bends_with_the_way(void** state) {
    (void)state;
    kerb_agent leader = agent_at(3.0f, 1.0f, 0.4f, 8.0f);
    kerb_vec2 centre = {3.0f - 20.0f * kerb_sin(0.4f), 1.0f + 20.0f * kerb_cos(0.4f)};
    for (int32_t n = 0; n < 12; n++) {
        for (float side = -6.0f; side < 7.0f; side += 3.0f) {
            kerb_formation_place place = kerb_formation_place_of(
                &leader, 0.05f, kerb_vec3_make(-4.0f * (float)n, side, 0.0f));
            kerb_vec2 out = {place.position.x - centre.x, place.position.y - centre.y};
            assert_true(fabsf(kerb_vec2_length(out) - (20.0f - side)) < 1e-3f);
            assert_true(fabsf(out.x * place.forward.x + out.y * place.forward.y) < 1e-2f);
            assert_true(fabsf(place.speed - 8.0f * (20.0f - side) / 20.0f) < 1e-4f);
        }
    }
}

static void a_formation_keeps_its_places_through_a_bend(void** state) {
    (void)state;
    enum { COUNT = 9 };
    kerb_agent leader = agent_at(0, 0, 0, 6.0f), others[COUNT];
    float most = 0.0f;
    for (int32_t i = 1; i < COUNT; i++) {
        kerb_vec3 slot = kerb_formation_slot(KERB_FORMATION_WEDGE, i, COUNT, 5.0f);
        others[i] = agent_at(slot.x - 3.0f, slot.y + 1.0f, 0.2f, 6.0f);
    }
    for (int32_t step = 0; step < 1200; step++) {
        float curvature = step > 400 && step < 800 ? 0.02f : 0.0f;
        float turn = curvature * leader.speed * STEP;
        kerb_steering ahead = {{0, 0, 0}, 6.0f};
        ahead.direction.x = leader.forward.x - turn * leader.forward.y;
        ahead.direction.y = leader.forward.y + turn * leader.forward.x;
        for (int32_t i = 1; i < COUNT; i++) {
            kerb_vec3 slot = kerb_formation_slot(KERB_FORMATION_WEDGE, i, COUNT, 5.0f);
            kerb_formation_place place = kerb_formation_place_of(&leader, curvature, slot);
            kerb_steering wish = kerb_formation_keep(&others[i], &place, STEP);
            kerb_vec3 off = kerb_vec3_sub(place.position, others[i].position);
            if ((step > 300 && step <= 400) || (step > 700 && step < 800) || step > 1100)
                most = fmaxf(most, kerb_vec3_length(off));
            others[i] = kerb_agent_step(&others[i], &wish, STEP);
        }
        leader = kerb_agent_step(&leader, &ahead, STEP);
    }
    assert_true(most < 0.5f);
}

enum { BEND_POINTS = 180, BENT = 9 };

// 100 m straight, a bend by 90 degrees to the left of 30 m, and on.
static void make_bend(kerb_path* path, float side) {
    kerb_waypoint points[BEND_POINTS];
    float x = -100.0f, y = 0.0f, heading = 0.0f;
    for (int32_t i = 0; i < BEND_POINTS; i++) {
        bool bends = i >= 100 && i < 147; // 47 m: a quarter of a circle
        points[i] = kerb_waypoint_at(x, y, 0.0f);
        float turn = bends ? side * 0.5f * KERB_PI / 47.0f : 0.0f;
        x += kerb_cos(heading + 0.5f * turn), y += kerb_sin(heading + 0.5f * turn);
        heading += turn;
    }
    kerb_host host = kerb_host_default();
    assert_int_equal(kerb_path_create(path, points, BEND_POINTS, false, &host, NULL), KERB_OK);
}

// Neither side by side nor one behind the other have changed their order, as the path sees them.
static void assert_in_order(const kerb_path* path, const kerb_agent* agents,
                            const kerb_vec3* slots) {
    kerb_vec2 seen[BENT];
    for (int32_t i = 0; i < BENT; i++) {
        kerb_path_location at = kerb_path_nearest(path, agents[i].position);
        seen[i].x = (float)kerb_path_distance(path, at);
        seen[i].y = kerb_path_cross_track(path, at, agents[i].position);
        for (int32_t j = 0; j < i; j++) {
            kerb_vec3 apart = kerb_vec3_sub(agents[i].position, agents[j].position);
            assert_true(kerb_vec3_length(apart) > agents[i].radius + agents[j].radius);
            if (fabsf(slots[i].y - slots[j].y) > 1.0f)
                assert_true((seen[i].y - seen[j].y) * (slots[i].y - slots[j].y) > 0.0f);
            if (fabsf(slots[i].x - slots[j].x) > 1.0f)
                assert_true((seen[i].x - seen[j].x) * (slots[i].x - slots[j].x) > 0.0f);
        }
    }
}

// From a straight into a bend and out of it, where a rigid formation would sweep and fold.
static void a_formation_drives_a_bend_of_a_path_in_order(void** state) {
    (void)state;
    for (int32_t n = 0; n < 8; n++) {
        const kerb_formation_shape shape = (kerb_formation_shape)(n / 2);
        kerb_path path;
        make_bend(&path, n % 2 == 0 ? 1.0f : -1.0f);
        kerb_path_location here = kerb_path_locate(&path, 60.0);
        kerb_agent agents[BENT];
        kerb_vec3 slots[BENT];
        float most = 0.0f;
        for (int32_t i = 0; i < BENT; i++) {
            slots[i] = kerb_formation_slot(shape, i, BENT, 5.0f);
            agents[i] = agent_at(-40.0f + slots[i].x, slots[i].y, 0, 5.0f);
        }
        for (int32_t step = 0; kerb_path_distance(&path, here) < 177.0; step++) {
            assert_true(step < 2000);
            here = kerb_path_track(&path, here, agents[0].position, agents[0].forward);
            kerb_path_location ahead = kerb_path_advance(&path, here, 5.0f);
            kerb_steering wish = kerb_seek(&agents[0], kerb_path_position(&path, ahead), STEP);
            wish.speed = 5.0f;
            for (int32_t i = 1; i < BENT; i++) {
                kerb_formation_place place =
                    kerb_formation_place_along(&path, here, agents[0].speed, slots[i]);
                kerb_vec3 off = kerb_vec3_sub(agents[i].position, place.position);
                most = fmaxf(most, kerb_vec3_length(off));
                kerb_steering keep = kerb_formation_keep(&agents[i], &place, STEP);
                agents[i] = kerb_agent_step(&agents[i], &keep, STEP);
            }
            agents[0] = kerb_agent_step(&agents[0], &wish, STEP);
            assert_in_order(&path, agents, slots);
        }
        printf("shape %d: at most %.2f m off\n", (int)shape, (double)most);
        assert_true(most < 1.5f);
        kerb_path_destroy(&path);
    }
}

// Places beside the path are where a parallel curve is, and beyond its ends go straight on.
static void places_along_a_path_lie_on_parallel_curves(void** state) {
    (void)state;
    kerb_path path;
    make_bend(&path, 1.0f);
    float radius = 47.0f / (0.5f * KERB_PI);
    for (float distance = 105.0f; distance < 145.0f; distance += 0.3f) {
        kerb_path_location here = kerb_path_locate(&path, (double)distance + 4.0);
        kerb_vec3 slot = {-4.0f, 12.0f, 0.0f};
        kerb_formation_place place = kerb_formation_place_along(&path, here, 5.0f, slot);
        float from_centre = hypotf(place.position.x, place.position.y - radius);
        assert_true(fabsf(from_centre - (radius - 12.0f)) < 0.02f);
        assert_true(fabsf(place.speed - 5.0f * (radius - 12.0f) / radius) < 0.02f);
        assert_true(fabsf(place.curvature - 1.0f / (radius - 12.0f)) < 1e-3f);
    }
    kerb_vec3 back = {-30.0f, 7.0f, 0.0f};
    kerb_formation_place before =
        kerb_formation_place_along(&path, kerb_path_locate(&path, 10.0), 5.0f, back);
    assert_true(fabsf(before.position.x + 120.0f) < 1e-3f &&
                fabsf(before.position.y - 7.0f) < 1e-3f);
    assert_true(fabsf(before.forward.x - 1.0f) < 1e-5f && before.speed == 5.0f);
    kerb_path_destroy(&path);
}

// From a column to a line abreast on the move: places are shared out anew, once, and taken.
static void a_formation_changes_its_shape_on_the_move(void** state) {
    (void)state;
    enum { COUNT = 7 };
    kerb_agent leader = agent_at(0, 0, 0, 5.0f), others[COUNT];
    int32_t slots[COUNT - 1], exchanges = 0;
    for (int32_t i = 1; i < COUNT; i++) {
        kerb_vec3 slot = kerb_formation_slot(KERB_FORMATION_COLUMN, i, COUNT, 5.0f);
        others[i] = agent_at(slot.x, slot.y + 0.3f * (float)(i % 3 - 1), 0, 5.0f);
        slots[i - 1] = i - 1;
    }
    float worst = 0.0f;
    for (int32_t step = 0; step < 600; step++) {
        kerb_vec3 positions[COUNT - 1], places[COUNT - 1];
        kerb_formation_place in[COUNT];
        for (int32_t i = 1; i < COUNT; i++) {
            kerb_vec3 slot = kerb_formation_slot(KERB_FORMATION_LINE, i, COUNT, 5.0f);
            in[i] = kerb_formation_place_of(&leader, 0.0f, slot);
            places[i - 1] = in[i].position;
            positions[i - 1] = others[i].position;
        }
        int32_t now = kerb_formation_assign(positions, places, slots, COUNT - 1, 0.5f);
        exchanges += step > 0 ? now : 0;
        worst = 0.0f;
        for (int32_t i = 1; i < COUNT; i++) {
            const kerb_formation_place* place = &in[slots[i - 1] + 1];
            kerb_vec3 off = kerb_vec3_sub(others[i].position, place->position);
            worst = fmaxf(worst, kerb_vec3_length(off));
            kerb_steering wish = kerb_formation_keep(&others[i], place, STEP);
            others[i] = kerb_agent_step(&others[i], &wish, STEP);
        }
        kerb_steering straight = {leader.forward, 5.0f};
        leader = kerb_agent_step(&leader, &straight, STEP);
    }
    printf("changing shape: %d exchanges on the way, %.2f m off\n", (int)exchanges, (double)worst);
    assert_true(worst < 0.3f);
    assert_true(exchanges <= COUNT);
}

// Nobody leaves it for a round because it stopped sooner than he could.
static void a_formation_that_stops_stands_in_its_places(void** state) {
    (void)state;
    enum { COUNT = 9 };
    for (int32_t shape = 0; shape <= KERB_FORMATION_RING; shape++) {
        for (int32_t harder = 1; harder <= 3; harder++) {
            kerb_agent leader = agent_at(0, 0, 0, 8.0f), others[COUNT];
            kerb_vec3 slots[COUNT];
            leader.braking = 3.0f * (float)harder;
            for (int32_t i = 1; i < COUNT; i++) {
                slots[i] = kerb_formation_slot((kerb_formation_shape)shape, i, COUNT, 5.0f);
                others[i] = agent_at(slots[i].x, slots[i].y, 0, 8.0f);
            }
            for (int32_t step = 0; step < 300; step++) {
                kerb_steering stop = {leader.forward, step < 60 ? 8.0f : 0.0f};
                for (int32_t i = 1; i < COUNT; i++) {
                    kerb_formation_place place = kerb_formation_place_of(&leader, 0, slots[i]);
                    kerb_steering wish = kerb_formation_keep(&others[i], &place, STEP);
                    others[i] = kerb_agent_step(&others[i], &wish, STEP);
                    assert_true(others[i].forward.x > 0.99f);
                    if (step == 299)
                        assert_true(kerb_vec3_length(
                                        kerb_vec3_sub(others[i].position, place.position)) < 0.2f);
                }
                leader = kerb_agent_step(&leader, &stop, STEP);
            }
        }
    }
}

// ------------------------------------------------------------------- following, gathering

static void a_follower_ends_behind_its_leader(void** state) {
    (void)state;
    kerb_agent leader = agent_at(20, 10, 0.5f, 5.0f), agent = agent_at(-20, 0, 0, 5.0f);
    kerb_steering straight = {leader.forward, 5.0f};
    for (int32_t step = 0; step < 1200; step++) {
        kerb_steering wish = kerb_follow_leader(&agent, &leader, 4.0f, STEP);
        agent = kerb_agent_step(&agent, &wish, STEP);
        leader = kerb_agent_step(&leader, &straight, STEP);
    }
    kerb_vec3 place = kerb_vec3_along(leader.position, leader.forward, -7.0f);
    assert_true(kerb_vec3_length(kerb_vec3_sub(agent.position, place)) < 0.5f);
}

// Anywhere round a leader that stands or creeps: beside it, ahead of it, facing any way.
static void followers_get_behind_a_leader_that_hardly_moves(void** state) {
    (void)state;
    kerb_random random = test_random("hardly_moves");
    for (int32_t round = 0; round < 400; round++) {
        const float speeds[] = {0.0f, 0.0f, 0.02f, 0.1f, 0.4f, 1.0f};
        kerb_agent leader = agent_at(3, -2, 0.7f, speeds[round % 6]);
        kerb_steering straight = {leader.forward, leader.speed};
        kerb_agent agent =
            agent_at(kerb_random_between(&random, -30, 30), kerb_random_between(&random, -30, 30),
                     kerb_random_between(&random, -KERB_PI, KERB_PI), 0.0f);
        agent.speed = kerb_random_between(&random, 0.0f, 6.0f);
        for (int32_t step = 0; step < 1200; step++) {
            kerb_steering wish = kerb_follow_leader(&agent, &leader, 4.0f, STEP);
            agent = kerb_agent_step(&agent, &wish, STEP);
            leader = kerb_agent_step(&leader, &straight, STEP);
        }
        kerb_vec3 place = kerb_vec3_along(leader.position, leader.forward, -7.0f);
        kerb_vec3 off = kerb_vec3_sub(agent.position, place);
        float along = kerb_vec3_dot(off, leader.forward);
        float aside = leader.forward.x * off.y - leader.forward.y * off.x;
        float facing = kerb_vec3_dot(agent.forward, leader.forward);
        bool well = fabsf(along) < 0.2f && fabsf(aside) < 0.5f * agent.radius && facing > 0.95f;
        if (!well || fabsf(agent.speed - leader.speed) > 0.05f)
            fail_msg("round %d: %g m ahead, %g m aside, facing %g, at %g m/s", (int)round,
                     (double)along, (double)aside, (double)facing, (double)agent.speed);
    }
}

static void who_is_in_the_leaders_way_leaves_it(void** state) {
    (void)state;
    kerb_agent leader = agent_at(0, 0, 0, 4.0f), agent = agent_at(9, 0.5f, 0, 4.0f);
    kerb_steering wish = kerb_follow_leader(&agent, &leader, 4.0f, STEP);
    assert_true(wish.direction.y > 0.5f);
    agent.position.y = -0.5f;
    wish = kerb_follow_leader(&agent, &leader, 4.0f, STEP);
    assert_true(wish.direction.y < -0.5f);
}

static void a_crowd_gathers_round_a_spot(void** state) {
    (void)state;
    enum { COUNT = 24 };
    kerb_agents agents = agents_of(COUNT);
    const kerb_vec3 spot = {0.0f, 0.0f, 0.0f};
    kerb_avoid_agents_settings settings = kerb_avoid_agents_settings_default();
    settings.horizon = settings.swerve = settings.yield_distance = 0.0f;
    for (int32_t i = 0; i < COUNT; i++) {
        float bearing = 2.0f * KERB_PI * (float)i / (float)COUNT;
        float distance = 40.0f + 9.0f * (float)(i % 4);
        kerb_agent agent = agent_at(distance * kerb_cos(bearing), distance * kerb_sin(bearing),
                                    bearing + KERB_PI, 0.0f);
        kerb_agents_set(&agents, i, &agent);
    }
    for (int32_t step = 0; step < 1200; step++) {
        kerb_agent after[COUNT];
        for (int32_t i = 0; i < COUNT; i++) {
            kerb_agent agent = kerb_agents_get(&agents, i);
            kerb_group group = {&agents, NULL, COUNT, i};
            kerb_steering wish = kerb_gather(&agent, spot, 8.0f, 1.0f, &group);
            wish = kerb_avoid_agents(&settings, &agent, &wish, &group, STEP);
            after[i] = kerb_agent_step(&agent, &wish, STEP);
        }
        for (int32_t i = 0; i < COUNT; i++)
            kerb_agents_set(&agents, i, &after[i]);
        assert_true(least_gap(&agents) > 0.0f);
    }
    for (int32_t i = 0; i < COUNT; i++) {
        float distance = hypotf(agents.x[i], agents.y[i]);
        assert_true(distance > 7.0f && distance < 22.0f && agents.speed[i] < 0.05f);
    }
}

int crowd_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_keeps_clear_never_touches_whatever_is_wished),
        cmocka_unit_test(nobody_near_leaves_the_wish_as_it_is),
        cmocka_unit_test(two_head_on_pass_each_other),
        cmocka_unit_test(who_drive_through_one_another_all_get_to_the_other_side),
        cmocka_unit_test(slots_are_never_nearer_than_the_spacing),
        cmocka_unit_test(assigned_slots_are_each_taken_once_and_no_ways_cross),
        cmocka_unit_test(a_column_bends_with_the_way),
        cmocka_unit_test(a_formation_keeps_its_places_through_a_bend),
        cmocka_unit_test(a_formation_drives_a_bend_of_a_path_in_order),
        cmocka_unit_test(places_along_a_path_lie_on_parallel_curves),
        cmocka_unit_test(a_formation_changes_its_shape_on_the_move),
        cmocka_unit_test(a_formation_that_stops_stands_in_its_places),
        cmocka_unit_test(a_follower_ends_behind_its_leader),
        cmocka_unit_test(followers_get_behind_a_leader_that_hardly_moves),
        cmocka_unit_test(who_is_in_the_leaders_way_leaves_it),
        cmocka_unit_test(a_crowd_gathers_round_a_spot),
        cmocka_unit_test(who_comes_from_any_side_passes_the_middle_of_a_gate),
        cmocka_unit_test(cars_from_all_sides_pass_a_gate_in_turn),
        cmocka_unit_test(a_gate_without_a_direction_is_refused),
        cmocka_unit_test(two_hundred_cars_pass_a_gate_one_by_one),
        cmocka_unit_test(crossing_streams_never_stop_for_ten_seconds_and_no_lane_for_sixty),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
