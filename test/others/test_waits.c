// Cycles of vehicles that wait for each other: what the header's argument against gridlock
// promises, by driving vehicles on straight lines that cross in a ring.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kerb/kerb.h"
#include "test/seed.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define FRAME (1.0f / 30.0f)
#define FRONT 2.0f
#define REAR 2.0f
#define WIDTH 1.8f
#define BRAKING 3.5f
#define RING_MOST 6
#define QUEUE_MOST 3
#define CARS_MOST (RING_MOST * QUEUE_MOST)

// A car on a straight line, at a station of its own.
typedef struct car {
    kerb_vec2 origin, direction;
    float station, speed;
    float speed_most; // without others [m/s]; 0: 8
    uint32_t id;
    bool cannot_retreat;
    float retreat_delay; // [s]
    kerb_avoid avoid;
    kerb_avoid_answer answer;
} car;

typedef struct world {
    car cars[CARS_MOST];
    kerb_intent intents[CARS_MOST]; // of the last frame
    int32_t count;
    bool silent; // nobody publishes an intent
    kerb_avoid_settings settings;
} world;

static kerb_vec2 place_of(const car* c, float ahead) {
    return kerb_vec2_add(c->origin, kerb_vec2_scale(c->direction, c->station + ahead));
}

static void tell(world* w, int32_t i) {
    const car* c = &w->cars[i];
    kerb_intent* intent = &w->intents[i];
    *intent = (kerb_intent){.count = KERB_INTENT_POINTS_MAX,
                            .spacing = 3.0f,
                            .front = FRONT,
                            .rear = REAR,
                            .width = WIDTH};
    for (int32_t k = 0; k < intent->count; k++)
        intent->points[k] = place_of(c, 3.0f * (float)k);
    kerb_avoid_tell(&c->avoid, intent);
    kerb_intent_bound(intent);
}

static kerb_neighbour neighbour_of(const world* w, int32_t i) {
    const car* c = &w->cars[i];
    kerb_vec2 at = place_of(c, 0.5f * (FRONT - REAR));
    return (kerb_neighbour){.id = c->id,
                            .position = {at.x, at.y, 0.0f},
                            .velocity = {c->speed * c->direction.x, c->speed * c->direction.y, 0},
                            .forward = c->direction,
                            .length = FRONT + REAR,
                            .width = WIDTH,
                            .intent = w->silent ? NULL : &w->intents[i]};
}

static kerb_reference_line line_of(const car* c) {
    kerb_reference_line line = {.id = c->id,
                                .speed = c->speed,
                                .response_distance = 4.0f,
                                .response_distance_min = 4.0f,
                                .offset_slope = 0.5f,
                                .front = FRONT,
                                .rear = REAR,
                                .width = WIDTH,
                                .braking = BRAKING,
                                .braking_max = 7.0f,
                                .desired_speed = c->speed_most > 0.0f ? c->speed_most : 8.0f,
                                .cannot_retreat = c->cannot_retreat,
                                .retreat_delay = c->retreat_delay,
                                .count = KERB_REFERENCE_STATIONS_MAX};
    for (int32_t k = 0; k < line.count; k++) {
        float ahead = 3.0f * (float)k;
        kerb_vec2 at = place_of(c, ahead);
        line.stations[k] = (kerb_reference_station){.position = {at.x, at.y, 0.0f},
                                                    .direction = c->direction,
                                                    .left = 1.2f,
                                                    .right = 1.2f,
                                                    .distance = ahead,
                                                    .time = ahead / 5.0f};
    }
    return line;
}

// One frame: `sees`: who is told of whom, NULL: all of all.
static void frame(world* w, bool (*sees)[CARS_MOST]) {
    kerb_neighbour all[CARS_MOST], near[CARS_MOST];
    for (int32_t i = 0; i < w->count; i++)
        all[i] = neighbour_of(w, i);
    for (int32_t i = 0; i < w->count; i++) {
        car* c = &w->cars[i];
        int32_t count = 0;
        for (int32_t k = 0; k < w->count; k++)
            if (k != i && (sees == NULL || sees[i][k]))
                near[count++] = all[k];
        kerb_reference_line line = line_of(c);
        line.intent = w->silent ? NULL : &w->intents[i];
        float wanted = 0.0f;
        if (c->avoid.retreat > 0.0f) {
            float left = kerb_avoid_retreat(&c->avoid, c->speed,
                                            0.5f * c->speed * c->speed / BRAKING, FRAME);
            wanted = left > 0.0f && kerb_gap_behind(&line, near, count) > 0.7f ? -1.5f : 0.0f;
        } else {
            c->answer = kerb_avoid_others(&c->avoid, &w->settings, &line, near, count, FRAME);
            wanted = fminf(c->answer.speed, line.desired_speed);
        }
        float change = wanted - c->speed;
        c->speed += kerb_clamp(change, -2.0f * BRAKING * FRAME, 2.0f * FRAME);
        if (wanted <= 0.0f && change < 0.0f && c->speed > 0.0f)
            c->speed = fmaxf(c->speed, 0.0f);
    }
    for (int32_t i = 0; i < w->count; i++) {
        w->cars[i].station += w->cars[i].speed * FRAME;
        tell(w, i);
    }
}

// n lines that cross in a ring, 2 m from where they come nearest to the middle; on each a car whose
// body covers one crossing and whose nose stands before the next, and `behind` more behind it.
static world ring_of(int32_t n, int32_t behind, kerb_random* random) {
    world w = {.count = 0};
    kerb_settings_set_defaults(&kerb_avoid_settings_table, &w.settings);
    const float turn = 2.0f * KERB_PI / (float)n, radius = 2.0f / tanf(0.5f * turn);
    const float nose = 2.0f - 0.5f * WIDTH / sinf(turn) - 0.5f * WIDTH / fabsf(tanf(turn)) - 0.25f;
    uint32_t ids[CARS_MOST];
    int32_t cars = n * (1 + behind);
    for (int32_t i = 0; i < cars; i++)
        ids[i] = 1u + (uint32_t)i;
    for (int32_t i = cars - 1; i > 0; i--) { // in any order
        int32_t k = kerb_random_below(random, i + 1);
        uint32_t id = ids[i];
        ids[i] = ids[k];
        ids[k] = id;
    }
    for (int32_t i = 0; i < n; i++) {
        float angle = turn * (float)i;
        for (int32_t k = 0; k <= behind; k++) {
            car* c = &w.cars[w.count];
            *c = (car){.origin = {radius * sinf(angle), -radius * cosf(angle)},
                       .direction = {cosf(angle), sinf(angle)},
                       .station = nose - FRONT - (float)k * (FRONT + REAR + 2.2f),
                       .id = ids[w.count]};
            w.count++;
        }
    }
    for (int32_t i = 0; i < w.count; i++)
        tell(&w, i);
    return w;
}

static float deepest_overlap(const world* w) {
    float deepest = -1.0e9f;
    for (int32_t a = 0; a < w->count; a++) {
        for (int32_t b = a + 1; b < w->count; b++) {
            const car* pair[2] = {&w->cars[a], &w->cars[b]};
            kerb_vec2 off = kerb_vec2_sub(place_of(pair[1], 0.0f), place_of(pair[0], 0.0f));
            float apart = -1.0e9f; // along the axis on which they are farthest apart
            for (int32_t i = 0; i < 4; i++) {
                kerb_vec2 axis = pair[i / 2]->direction;
                if (i % 2 == 1)
                    axis = kerb_vec2_make(-axis.y, axis.x);
                float reach = 0.0f;
                for (int32_t k = 0; k < 2; k++)
                    reach += FRONT * fabsf(kerb_vec2_dot(axis, pair[k]->direction)) +
                             0.5f * WIDTH * fabsf(kerb_vec2_cross(axis, pair[k]->direction));
                apart = fmaxf(apart, fabsf(kerb_vec2_dot(axis, off)) - reach);
            }
            deepest = fmaxf(deepest, -apart);
        }
    }
    return deepest;
}

// Straight lines through one point, each with a stream of cars that never ends: one that is far
// past the crossing joins the tail of its line again. The ids of the first line are the lowest.
#define STREAM_CARS 6

static world streams_of(int32_t lines, kerb_random* random) {
    world w = {.count = 0};
    kerb_settings_set_defaults(&kerb_avoid_settings_table, &w.settings);
    for (int32_t i = 0; i < lines; i++) {
        const float angle = KERB_PI * ((float)i + 0.2f * kerb_random_unit(random)) / (float)lines;
        for (int32_t k = 0; k < STREAM_CARS; k++) {
            w.cars[w.count] = (car){.direction = {cosf(angle), sinf(angle)},
                                    .station = -12.0f - 9.0f * (float)k,
                                    .id = 1u + (uint32_t)w.count};
            tell(&w, w.count);
            w.count++;
        }
    }
    return w;
}

static void stream_on(world* w, kerb_random* random) {
    for (int32_t i = 0; i < w->count; i++) {
        const int32_t first = i / STREAM_CARS * STREAM_CARS;
        float tail = -20.0f, speed = 8.0f;
        for (int32_t k = first; k < first + STREAM_CARS; k++) {
            speed = w->cars[k].station < tail ? w->cars[k].speed : speed;
            tail = fminf(tail, w->cars[k].station);
        }
        if (w->cars[i].station < 30.0f)
            continue;
        w->cars[i].station = tail - 7.0f - 5.0f * kerb_random_unit(random);
        w->cars[i].speed = speed;
        w->cars[i].avoid = (kerb_avoid){0};
        tell(w, i);
    }
}

// Each of the other lines may pass one car first that has waited longer, and what is already on its
// way: some 6 s each to set off, cross and leave.
static void where_streams_cross_nobody_is_passed_over_for_long(void** state) {
    (void)state;
    kerb_random random = test_random("where_streams_cross_nobody_is_passed_over_for_long");
    const int32_t trials = test_share(20, 4);
    float longest = 0.0f, deepest = -1.0e9f;
    int32_t through = 0;
    for (int32_t t = 0; t < trials; t++) {
        world w = streams_of(2 + t % 2, &random);
        float stood[CARS_MOST] = {0};
        for (int32_t i = 0; i < 150 * 30; i++) {
            frame(&w, NULL);
            deepest = fmaxf(deepest, deepest_overlap(&w));
            for (int32_t k = 0; k < w.count; k++) {
                const car* c = &w.cars[k];
                stood[k] = c->speed < 0.3f ? stood[k] + FRAME : 0.0f;
                longest = fmaxf(longest, stood[k]);
                through += c->station >= 30.0f;
            }
            stream_on(&w, &random);
        }
    }
    printf("longest stand %.1f s, %.1f cars a minute, deepest overlap %.2f m\n", (double)longest,
           (double)through / (2.5 * trials), (double)deepest);
    assert_true(deepest < 0.0f);
    assert_true(longest < 20.0f);
    assert_true((double)through / (2.5 * trials) > 15.0);
}

// One stands at a crossing and asks for it, and has stood for 20 s. Whether it waits, over others,
// for the car that lets it go first, or for somebody else.
static void who_lets_another_go_first_goes_on_where_that_one_waits_for_it(void** state) {
    (void)state;
    for (int32_t cycle = 0; cycle < 2; cycle++) {
        world w = {.cars = {{.direction = {1.0f, 0.0f}, .station = -6.0f, .id = 1},
                            {.direction = {0.0f, 1.0f}, .station = -4.5f, .id = 2}},
                   .count = 2};
        kerb_settings_set_defaults(&kerb_avoid_settings_table, &w.settings);
        tell(&w, 1);
        w.intents[1].asked = 20.0f;
        w.intents[1].yield_time = 20.0f;
        w.intents[1].wait = (kerb_wait){
            .hops = 3, .waits_for = 3, .clears = cycle == 1 ? 1 : 4, .clearing_time = 0.0f};
        kerb_avoid* avoid = &w.cars[0].avoid;
        float since = -1.0f;
        for (int32_t i = 0; i < 5 * 30; i++) {
            tell(&w, 0);
            kerb_reference_line line = line_of(&w.cars[0]);
            line.intent = &w.intents[0];
            const kerb_neighbour other = neighbour_of(&w, 1);
            (void)kerb_avoid_others(avoid, &w.settings, &line, &other, 1, FRAME);
            if (i > 3 && since < 0.0f && avoid->claimed > 6.0f)
                since = (float)i * FRAME;
        }
        assert_true(cycle == 1 ? since > 2.0f && since < 4.0f : since < 0.0f);
    }
}

// --------------------------------------------------------------------------- tests

static void dissolve_rings(const char* name, bool silent, float most) {
    kerb_random random = test_random(name);
    const int32_t trials = test_share(200, 20);
    int32_t left = 0;
    float longest = 0.0f, deepest = -1.0e9f;
    for (int32_t t = 0; t < trials; t++) {
        int32_t n = 3 + kerb_random_below(&random, 2), behind = kerb_random_below(&random, 3);
        world w = ring_of(n, behind, &random);
        w.silent = silent;
        float time = 0.0f;
        bool all = false;
        for (; !all && time < most; time += FRAME) {
            frame(&w, NULL);
            deepest = fmaxf(deepest, deepest_overlap(&w));
            all = true;
            for (int32_t i = 0; i < w.count; i++)
                all = all && w.cars[i].station > 12.0f;
        }
        left += all ? 0 : 1;
        longest = fmaxf(longest, all ? time : 0.0f);
    }
    printf("rings left: %d of %d, longest %.0f s, deepest overlap %.2f m\n", (int)left, (int)trials,
           (double)longest, (double)deepest);
    assert_int_equal(left, 0);
    assert_true(deepest < 0.0f);
}

static void a_ring_of_waiting_cars_is_dissolved(void** state) {
    (void)state;
    dissolve_rings("a_ring_of_waiting_cars_is_dissolved", false, 90.0f);
}

static void a_ring_of_cars_that_say_nothing_is_dissolved(void** state) {
    (void)state;
    dissolve_rings("a_ring_of_cars_that_say_nothing_is_dissolved", true, 180.0f);
}

// One that stands in its lane comes back towards it.
static void what_comes_nearer_while_it_stands_gets_room(void** state) {
    (void)state;
    world w = {.cars = {{.direction = {1.0f, 0.0f}, .id = 1}}, .count = 1, .silent = true};
    kerb_settings_set_defaults(&kerb_avoid_settings_table, &w.settings);
    kerb_neighbour ahead = {.id = 2, .forward = {1.0f, 0.0f}, .length = 4.0f, .width = 1.8f};
    kerb_avoid* avoid = &w.cars[0].avoid;
    for (int32_t i = 0; i < 20 * 30; i++) { // stands for 10 s, then comes back by 0.8 m
        float gap = 2.0f - kerb_clamp(0.2f * ((float)i * FRAME - 10.0f), 0.0f, 0.8f);
        ahead.position.x = FRONT + gap + 2.0f;
        ahead.velocity.x = gap < 2.0f && gap > 1.2f ? -0.2f : 0.0f;
        kerb_reference_line line = line_of(&w.cars[0]);
        (void)kerb_avoid_others(avoid, &w.settings, &line, &ahead, 1, FRAME);
        if (gap > 1.6f)
            assert_true(avoid->retreat <= 0.0f);
        if (avoid->retreat > 0.0f)
            break;
    }
    assert_true(avoid->retreat > 1.0f);
}

static void just_one_of_a_cycle_goes_back_though_none_sees_all_of_it(void** state) {
    (void)state;
    kerb_random random = test_random("just_one_of_a_cycle_goes_back");
    for (int32_t n = 3; n <= 4; n++) {
        world w = ring_of(n, 0, &random);
        bool sees[CARS_MOST][CARS_MOST] = {{false}};
        for (int32_t i = 0; i < n; i++)
            sees[i][(i + 1) % n] = sees[i][(i + n - 1) % n] = true;
        int32_t back = 0;
        for (float time = 0.0f; back == 0 && time < 5.0f; time += FRAME) {
            frame(&w, sees);
            for (int32_t i = 0; i < n; i++)
                back += w.cars[i].avoid.retreat > 0.0f ? 1 : 0;
        }
        assert_int_equal(back, 1);
    }
}

static void who_waits_says_for_whom(void** state) {
    (void)state;
    kerb_random random = test_random("who_waits_says_for_whom");
    world w = ring_of(4, 1, &random);
    for (int32_t i = 0; i < 10; i++)
        frame(&w, NULL);
    for (int32_t i = 0; i < w.count; i++) {
        const kerb_wait* wait = &w.intents[i].wait;
        // the first of a queue waits for the first on the next line, who follows for his leader
        uint32_t expected = i % 2 == 1 ? w.cars[i - 1].id : w.cars[(i + 2) % w.count].id;
        assert_true(wait->hops > 0);
        assert_int_equal(wait->waits_for, expected);
    }
}

// Two stand beside each other across its line, and each is the nearer one in turn, for a second.
static void of_two_in_its_way_it_names_one_as_long_as_that_stands_there(void** state) {
    (void)state;
    car c = {.direction = {1.0f, 0.0f}, .id = 1};
    world w = {.cars = {c}, .count = 1};
    kerb_settings_set_defaults(&kerb_avoid_settings_table, &w.settings);
    tell(&w, 0);
    kerb_neighbour two[2];
    for (int32_t i = 0; i < 2; i++)
        two[i] = (kerb_neighbour){
            .id = 2u + (uint32_t)i, .forward = {0.0f, 1.0f}, .length = 1.5f, .width = 2.0f};
    uint32_t named = 0;
    int32_t changes = 0;
    for (int32_t i = 0; i < 20 * 30; i++) {
        for (int32_t k = 0; k < 2; k++)
            two[k].position =
                kerb_vec3_make(i / 30 % 2 == k ? 4.2f : 6.0f, k == 0 ? 0.8f : -0.8f, 0.0f);
        kerb_reference_line line = line_of(&w.cars[0]);
        line.intent = &w.intents[0];
        (void)kerb_avoid_others(&w.cars[0].avoid, &w.settings, &line, two, 2, FRAME);
        tell(&w, 0);
        const kerb_wait* wait = &w.intents[0].wait;
        changes += wait->hops > 0 && named != 0 && wait->waits_for != named ? 1 : 0;
        named = wait->hops > 0 ? wait->waits_for : named;
    }
    assert_int_not_equal(named, 0);
    assert_int_equal(changes, 0);
    two[named - 2] = two[3 - named]; // the named one has gone
    kerb_reference_line line = line_of(&w.cars[0]);
    line.intent = &w.intents[0];
    (void)kerb_avoid_others(&w.cars[0].avoid, &w.settings, &line, two, 1, FRAME);
    assert_int_equal(w.cars[0].avoid.wait.waits_for, 5 - named);
}

static void where_nobody_can_go_back_the_host_is_asked(void** state) {
    (void)state;
    kerb_random random = test_random("where_nobody_can_go_back");
    world w = ring_of(4, 0, &random);
    // a wall behind each: something that stands there and says nothing
    kerb_neighbour walls[4];
    for (int32_t i = 0; i < 4; i++) {
        kerb_vec2 at = place_of(&w.cars[i], -REAR - 1.0f);
        walls[i] = (kerb_neighbour){.id = 100u + (uint32_t)i,
                                    .position = {at.x, at.y, 0.0f},
                                    .forward = w.cars[i].direction,
                                    .length = 1.0f,
                                    .width = 1.0f};
    }
    int32_t asked = 0;
    for (float time = 0.0f; time < 20.0f; time += FRAME) {
        for (int32_t i = 0; i < 4; i++) {
            kerb_neighbour near[CARS_MOST];
            int32_t count = 0;
            for (int32_t k = 0; k < 4; k++)
                if (k != i)
                    near[count++] = neighbour_of(&w, k);
            near[count++] = walls[i];
            kerb_reference_line line = line_of(&w.cars[i]);
            line.intent = &w.intents[i];
            w.cars[i].answer =
                kerb_avoid_others(&w.cars[i].avoid, &w.settings, &line, near, count, FRAME);
            assert_true(w.cars[i].avoid.retreat <= 0.0f);
        }
        for (int32_t i = 0; i < 4; i++)
            tell(&w, i);
    }
    for (int32_t i = 0; i < 4; i++)
        asked += w.cars[i].answer.helpless ? 1 : 0;
    assert_int_equal(asked, 1);
}

// As of hovercraft on a slope that is too steep for their fan backwards.
static void only_who_can_go_back_does(void** state) {
    (void)state;
    kerb_random random = test_random("only_who_can_go_back_does");
    const int32_t trials = test_share(40, 8);
    for (int32_t t = 0; t < trials; t++) {
        world w = ring_of(4, 0, &random);
        int32_t able = kerb_random_below(&random, 5); // 4: none
        for (int32_t i = 0; i < 4; i++)
            w.cars[i].cannot_retreat = i != able;
        int32_t first = -1;
        bool asks = false;
        for (float time = 0.0f; time < 20.0f; time += FRAME) {
            frame(&w, NULL);
            for (int32_t i = 0; i < 4; i++) {
                asks = asks || w.cars[i].answer.helpless;
                assert_true(w.cars[i].avoid.retreat <= 0.0f || i == able);
                first = first < 0 && w.cars[i].avoid.retreat > 0.0f ? i : first;
            }
        }
        assert_int_equal(first, able < 4 ? able : -1);
        assert_int_equal(asks, able == 4);
    }
}

// As a car among hovercraft, which must turn round.
static void who_is_sooner_out_of_the_way_goes_back(void** state) {
    (void)state;
    kerb_random random = test_random("who_is_sooner_out_of_the_way_goes_back");
    const int32_t trials = test_share(40, 8);
    for (int32_t t = 0; t < trials; t++) {
        world w = ring_of(4, 0, &random);
        int32_t soon = kerb_random_below(&random, 4), first = -1;
        for (int32_t i = 0; i < 4; i++)
            w.cars[i].retreat_delay = i == soon ? 0.0f : 8.0f;
        for (float time = 0.0f; time < 20.0f && first < 0; time += FRAME) {
            frame(&w, NULL);
            for (int32_t i = 0; i < 4; i++)
                first = first < 0 && w.cars[i].avoid.retreat > 0.0f ? i : first;
        }
        assert_int_equal(first, soon);
    }
}

// Whoever goes back is followed at once, as in a junction that is full: it stands where it stood.
static void where_going_back_twice_has_not_helped_the_host_is_asked(void** state) {
    (void)state;
    kerb_random random = test_random("where_going_back_twice_has_not_helped");
    world w = ring_of(4, 0, &random);
    int32_t retreats[4] = {0}, asks = -1;
    float time = 0.0f;
    for (; asks < 0 && time < 120.0f; time += FRAME) {
        for (int32_t i = 0; i < 4; i++) {
            car* c = &w.cars[i];
            if (c->avoid.retreat > 0.0f) {
                c->speed = 0.0f;
                retreats[i] += kerb_avoid_retreat(&c->avoid, -1.5f, 0.0f, FRAME) <= 0.0f ? 1 : 0;
            }
        }
        car before[4];
        memcpy(before, w.cars, sizeof before);
        frame(&w, NULL);
        for (int32_t i = 0; i < 4; i++) {
            w.cars[i].station = before[i].station;
            w.cars[i].speed = 0.0f;
            asks = w.cars[i].answer.helpless ? i : asks;
        }
    }
    printf("asked after %.0f s\n", (double)time);
    assert_true(asks >= 0);
    assert_true(retreats[asks] >= 2);
}

static void a_claim_ends_before_what_stands_across_the_line(void** state) {
    (void)state;
    car c = {.direction = {1.0f, 0.0f}, .id = 1};
    kerb_avoid_settings settings;
    kerb_settings_set_defaults(&kerb_avoid_settings_table, &settings);
    world w = {.cars = {c}, .count = 1, .settings = settings};
    tell(&w, 0);
    kerb_neighbour across = {.id = 2,
                             .position = {14.0f, 0.0f, 0.0f},
                             .forward = {0.0f, 1.0f},
                             .length = 4.0f,
                             .width = 2.0f};
    kerb_reference_line line = line_of(&c);
    line.intent = &w.intents[0];
    kerb_avoid avoid = {0};
    (void)kerb_avoid_others(&avoid, &settings, &line, &across, 1, FRAME);
    assert_true(avoid.claimed <= 14.0f - 1.0f - FRONT);
}

// --------------------------------------------------------------------------- retreats

static void walls_behind_all_but_the_first(const world* w, kerb_neighbour* walls) {
    for (int32_t i = 1; i < w->count; i++) {
        kerb_vec2 at = place_of(&w->cars[i], -REAR - 1.0f);
        walls[i] = (kerb_neighbour){.id = 100u + (uint32_t)i,
                                    .position = {at.x, at.y, 0.0f},
                                    .forward = w->cars[i].direction,
                                    .length = 1.0f,
                                    .width = 1.0f};
    }
}

// How far the first of a ring of three goes back, and after which time, when only it can and it has
// gone back so often already.
static float first_retreat(int32_t retreats, float* after) {
    kerb_random random = kerb_random_make(7u, 0u);
    world w = ring_of(3, 0, &random);
    kerb_neighbour walls[3];
    walls_behind_all_but_the_first(&w, walls);
    w.cars[0].avoid.retreats = retreats;
    w.cars[0].avoid.regain = 100.0f;
    for (*after = 0.0f; *after < 60.0f && w.cars[0].avoid.retreat <= 0.0f; *after += FRAME) {
        for (int32_t i = 0; i < 3; i++) {
            kerb_neighbour near[4];
            int32_t count = 0;
            for (int32_t k = 0; k < 3; k++)
                if (k != i)
                    near[count++] = neighbour_of(&w, k);
            if (i > 0)
                near[count++] = walls[i];
            kerb_reference_line line = line_of(&w.cars[i]);
            line.intent = &w.intents[i];
            (void)kerb_avoid_others(&w.cars[i].avoid, &w.settings, &line, near, count, FRAME);
        }
        for (int32_t i = 0; i < 3; i++)
            tell(&w, i);
    }
    return w.cars[0].avoid.retreat;
}

static void each_further_retreat_is_longer_and_begins_later(void** state) {
    (void)state;
    float last_after = 0.0f;
    for (int32_t retreats = 1; retreats <= 4; retreats++) {
        float after;
        float distance = first_retreat(retreats, &after);
        assert_float_equal(distance, 4.0f * (float)(retreats + 1), 0.01f);
        assert_true(after > 1.5f * last_after);
        last_after = after;
    }
}

static void to_and_fro_before_the_place_where_it_waited_is_not_past_it(void** state) {
    (void)state;
    world w = {.cars = {{.direction = {1.0f, 0.0f}, .id = 1}}, .count = 1};
    kerb_settings_set_defaults(&kerb_avoid_settings_table, &w.settings);
    kerb_avoid* avoid = &w.cars[0].avoid;
    avoid->retreats = 2;
    avoid->retreat = 6.0f;
    tell(&w, 0);
    float start = w.cars[0].station, beyond = start;
    for (int32_t round = 0; round < 3; round++) { // back, forth by less than that, …
        avoid->retreat = 6.0f;
        while (avoid->retreat > 0.0f)
            frame(&w, NULL);
        while (w.cars[0].station < start - 0.5f)
            frame(&w, NULL);
        assert_int_equal(avoid->retreats, 2);
    }
    while (avoid->retreats > 0 && beyond < start + 50.0f) { // … and on
        frame(&w, NULL);
        beyond = w.cars[0].station;
    }
    assert_in_range((int32_t)(beyond - start), (int32_t)(FRONT + REAR) - 1,
                    (int32_t)(FRONT + REAR) + 2);
}

// The one ahead of it has slid across the line, and goes back along that.
// A vehicle that goes back by 4 m stands before another one, and names `behind`, 1 m from it.
static float retreat_of_one_behind(uint32_t behind) {
    world w = {.cars = {{.direction = {1.0f, 0.0f}, .id = 1},
                        {.origin = {5.0f, 0.0f}, .direction = {1.0f, 0.0f}, .id = 2}},
               .count = 2};
    kerb_settings_set_defaults(&kerb_avoid_settings_table, &w.settings);
    tell(&w, 0);
    tell(&w, 1);
    w.intents[1].retreat = 4.0f;
    w.intents[1].behind = behind;
    w.intents[1].behind_gap = 1.0f;
    kerb_neighbour ahead = neighbour_of(&w, 1);
    ahead.forward = kerb_vec2_make(0.0f, 1.0f);
    kerb_avoid* avoid = &w.cars[0].avoid;
    for (int32_t i = 0; i < 90 && avoid->retreat <= 0.0f; i++) {
        kerb_reference_line line = line_of(&w.cars[0]);
        line.intent = &w.intents[0];
        (void)kerb_avoid_others(avoid, &w.settings, &line, &ahead, 1, FRAME);
        tell(&w, 0);
    }
    return avoid->retreat;
}

static void who_is_named_by_one_that_goes_back_makes_room(void** state) {
    (void)state;
    const float named = retreat_of_one_behind(1);
    assert_true(named > 3.0f && named < 5.0f);
    assert_true(retreat_of_one_behind(7) == 0.0f);
}

// --------------------------------------------------------------------------- lines that merge

// A slow car and a fast one on lines that run together for 20 m, which get there at about the same
// time: one goes first, and the other gets there gap_min behind it. Where it only kept its gap
// along the line, it came nearer.
static void a_slow_and_a_fast_car_merge_one_behind_the_other(void** state) {
    (void)state;
    kerb_random random = test_random("slow and fast cars that merge");
    float nearest = 1.0e9f;
    for (int32_t i = 0; i < 200; i++) {
        world w = {.count = 2};
        kerb_settings_set_defaults(&kerb_avoid_settings_table, &w.settings);
        const float slow = kerb_random_between(&random, 2.0f, 5.0f), fast = 8.0f;
        const float soon = kerb_random_between(&random, 4.0f, 6.0f);
        const float angle = 0.2f * (kerb_random_unit(&random) < 0.5f ? -1.0f : 1.0f);
        const uint32_t slow_id = 1u + (uint32_t)(i % 2);
        w.cars[0] = (car){.direction = {1.0f, 0.0f},
                          .station = -10.0f - soon * slow,
                          .speed = slow,
                          .speed_most = slow,
                          .id = slow_id};
        w.cars[1] = (car){.direction = {cosf(angle), sinf(angle)},
                          .station = -10.0f - (soon + kerb_random_between(&random, -1, 1)) * fast,
                          .speed = fast,
                          .id = 3u - slow_id};
        tell(&w, 0);
        tell(&w, 1);
        for (int32_t k = 0; k < 20 * 30; k++) {
            frame(&w, NULL);
            const float a = w.cars[0].station, b = w.cars[1].station;
            if (fminf(a, b) > -12.0f && fmaxf(a, b) < 0.0f) // in the zone
                nearest = fminf(nearest, fabsf(a - b) - FRONT - REAR);
        }
        assert_true(w.cars[0].station > 0.0f && w.cars[1].station > 0.0f);
    }
    printf("%.2f m behind at least\n", (double)nearest);
    assert_true(nearest > 2.0f); // gap_min
}

// A car that would no longer be able to leave a crossing, because another has just stopped behind
// it, gives its claim up while it can stop before it, and keeps it when it cannot.
static void what_can_no_longer_stop_keeps_its_claim_of_a_crossing(void** state) {
    (void)state;
    for (int32_t late = 0; late < 2; late++) {
        world w = {.count = 3};
        kerb_settings_set_defaults(&kerb_avoid_settings_table, &w.settings);
        const float before = late != 0 ? -9.0f : -20.0f;
        w.cars[0] = (car){.direction = {1.0f, 0.0f}, .station = before, .speed = 8.0f, .id = 1};
        w.cars[1] = (car){.direction = {0.0f, 1.0f}, .station = -20.0f, .speed = 8.0f, .id = 2};
        w.cars[2] = (car){.direction = {1.0f, 0.0f}, .station = 7.0f, .id = 3};
        for (int32_t i = 0; i < 3; i++)
            tell(&w, i);
        car* c = &w.cars[0];
        kerb_neighbour others[2] = {neighbour_of(&w, 1), neighbour_of(&w, 2)};
        kerb_reference_line line = line_of(c);
        line.intent = &w.intents[0];
        (void)kerb_avoid_others(&c->avoid, &w.settings, &line, others, 1, FRAME);
        assert_true(c->avoid.claimed > 10.0f - before);
        (void)kerb_avoid_others(&c->avoid, &w.settings, &line, others, 2, FRAME);
        const float nose_in = -before - FRONT - 0.5f * WIDTH;
        assert_true(late != 0 ? c->avoid.claimed > nose_in : c->avoid.claimed < nose_in);
    }
}

// Of two that have claimed a crossing the lower id keeps its claim, unless the other says that it
// cannot stop any more, as on ice.
static void who_says_that_it_cannot_stop_goes_first(void** state) {
    (void)state;
    for (int32_t slides = 0; slides < 2; slides++) {
        world w = {.count = 2};
        kerb_settings_set_defaults(&kerb_avoid_settings_table, &w.settings);
        w.cars[0] = (car){.direction = {1.0f, 0.0f}, .station = -16.0f, .speed = 8.0f, .id = 1};
        w.cars[1] = (car){.direction = {0.0f, 1.0f}, .station = -16.0f, .speed = 8.0f, .id = 2};
        w.cars[1].avoid.claimed = w.cars[0].avoid.claimed = 40.0f;
        w.cars[1].avoid.stopping = slides != 0 ? 20.0f : 6.0f;
        for (int32_t i = 0; i < 2; i++)
            tell(&w, i);
        assert_true(w.intents[1].stopping == w.cars[1].avoid.stopping);
        car* c = &w.cars[0];
        const kerb_neighbour other = neighbour_of(&w, 1);
        kerb_reference_line line = line_of(c);
        line.intent = &w.intents[0];
        (void)kerb_avoid_others(&c->avoid, &w.settings, &line, &other, 1, FRAME);
        const float nose_in = 16.0f - FRONT - 0.5f * WIDTH;
        assert_true(slides != 0 ? c->avoid.claimed < nose_in : c->avoid.claimed > nose_in);
        // 8²/(2·7) m, and what the brakes are late by
        assert_float_equal(c->avoid.stopping, 64.0f / 14.0f, 0.01f);
    }
}

int waits_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ring_of_waiting_cars_is_dissolved),
        cmocka_unit_test(a_ring_of_cars_that_say_nothing_is_dissolved),
        cmocka_unit_test(what_comes_nearer_while_it_stands_gets_room),
        cmocka_unit_test(just_one_of_a_cycle_goes_back_though_none_sees_all_of_it),
        cmocka_unit_test(who_waits_says_for_whom),
        cmocka_unit_test(of_two_in_its_way_it_names_one_as_long_as_that_stands_there),
        cmocka_unit_test(where_nobody_can_go_back_the_host_is_asked),
        cmocka_unit_test(only_who_can_go_back_does),
        cmocka_unit_test(who_is_sooner_out_of_the_way_goes_back),
        cmocka_unit_test(where_going_back_twice_has_not_helped_the_host_is_asked),
        cmocka_unit_test(a_claim_ends_before_what_stands_across_the_line),
        cmocka_unit_test(each_further_retreat_is_longer_and_begins_later),
        cmocka_unit_test(to_and_fro_before_the_place_where_it_waited_is_not_past_it),
        cmocka_unit_test(who_is_named_by_one_that_goes_back_makes_room),
        cmocka_unit_test(who_lets_another_go_first_goes_on_where_that_one_waits_for_it),
        cmocka_unit_test(where_streams_cross_nobody_is_passed_over_for_long),
        cmocka_unit_test(a_slow_and_a_fast_car_merge_one_behind_the_other),
        cmocka_unit_test(what_can_no_longer_stop_keeps_its_claim_of_a_crossing),
        cmocka_unit_test(who_says_that_it_cannot_stop_goes_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
