// Cars among cars: meetings against closed forms, sides against brute force, and whole scenes.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "scene/crowd/chase.h"
#include "test/seed.h"

#include <math.h>
#include <stdio.h>

static kerb_neighbour car_at(float x, float y, float heading, float speed) {
    kerb_neighbour car = {.position = kerb_vec3_make(x, y, 0.0f),
                          .forward = {kerb_cos(heading), kerb_sin(heading)},
                          .length = 5.0f,
                          .width = 2.0f};
    car.velocity = kerb_vec3_make(speed * car.forward.x, speed * car.forward.y, 0.0f);
    return car;
}

static kerb_agent agent_at(float x, float y, float heading, float speed) {
    kerb_agent agent = {.position = kerb_vec3_make(x, y, 0.0f),
                        .forward = kerb_vec3_make(kerb_cos(heading), kerb_sin(heading), 0.0f),
                        .speed = speed,
                        .radius = 2.7f,
                        .turning_radius = 6.0f,
                        .speed_max = 20.0f,
                        .acceleration = 4.0f,
                        .braking = 8.0f};
    return agent;
}

static void a_car_on_a_circle_is_predicted_on_it(void** state) {
    (void)state;
    kerb_neighbour car = car_at(3.0f, 4.0f, 0.0f, 10.0f);
    car.yaw_rate = 0.5f; // radius 20 m, middle at (3, 24)
    kerb_vec3 there = kerb_predict_car(&car, NULL, 2.0f);
    assert_true(fabsf(there.x - (3.0f + 20.0f * sinf(1.0f))) < 1e-3f);
    assert_true(fabsf(there.y - (24.0f - 20.0f * cosf(1.0f))) < 1e-3f);
}

static void a_car_on_a_road_is_predicted_round_the_bend(void** state) {
    (void)state;
    kerb_waypoint points[3] = {kerb_waypoint_at(0.0f, 0.0f, 0.0f),
                               kerb_waypoint_at(50.0f, 0.0f, 0.0f),
                               kerb_waypoint_at(50.0f, 80.0f, 0.0f)};
    kerb_host host = kerb_host_default();
    kerb_path road;
    assert_int_equal(kerb_path_create(&road, points, 3, false, &host, NULL), KERB_OK);
    kerb_neighbour car = car_at(30.0f, 1.0f, 0.0f, 10.0f);
    kerb_vec3 there = kerb_predict_car(&car, &road, 5.0f);
    assert_true(fabsf(there.x - 49.0f) < 1e-3f && fabsf(there.y - 30.0f) < 1e-3f);
    kerb_neighbour back = car_at(50.0f, 30.0f, -0.5f * KERB_PI, 10.0f);
    there = kerb_predict_car(&back, &road, 5.0f);
    assert_true(fabsf(there.x - 30.0f) < 1e-3f && fabsf(there.y) < 1e-3f);
    kerb_path_destroy(&road);
}

static void at_full_speed_the_meeting_is_that_of_the_closed_form(void** state) {
    (void)state;
    kerb_random random = test_random("meetings");
    for (int32_t i = 0; i < 500; i++) {
        kerb_neighbour car = car_at(kerb_random_between(&random, 20.0f, 60.0f),
                                    kerb_random_between(&random, -30.0f, 30.0f),
                                    kerb_random_between(&random, -KERB_PI, KERB_PI), 8.0f);
        kerb_agent agent = agent_at(0.0f, 0.0f, 0.0f, 20.0f);
        float time = kerb_intercept_time(car.position, car.velocity, 20.0f);
        kerb_vec3 there = kerb_vec3_along(car.position, car.velocity, time);
        agent.forward = kerb_vec3_unit(there, agent.forward); // no turn is needed
        kerb_interception meeting = kerb_intercept_car(&agent, &car, NULL, 10.0f);
        assert_true(fabsf(meeting.time - time) < 0.02f);
        assert_true(kerb_vec3_length(kerb_vec3_sub(meeting.position, there)) < 0.2f);
    }
}

static void who_cannot_catch_up_aims_at_the_horizon(void** state) {
    (void)state;
    kerb_neighbour car = car_at(50.0f, 0.0f, 0.0f, 30.0f);
    kerb_agent agent = agent_at(0.0f, 0.0f, 0.0f, 20.0f);
    kerb_interception meeting = kerb_intercept_car(&agent, &car, NULL, 4.0f);
    assert_true(meeting.time == 4.0f);
    assert_true(fabsf(meeting.position.x - 170.0f) < 0.01f);
}

static void a_chase_without_ramming_keeps_its_distance(void** state) {
    (void)state;
    kerb_cars_settings settings = kerb_cars_settings_default();
    kerb_neighbour car = car_at(0.0f, 0.0f, 0.0f, 10.0f);
    kerb_agent agent = agent_at(-60.0f, 0.0f, 0.0f, 15.0f);
    agent.turning_radius = 1.0f;
    float least = 100.0f, hit = 100.0f;
    kerb_agent rammer = agent;
    for (int32_t i = 0; i < 1200; i++) {
        kerb_steering wish = kerb_chase(&settings, &agent, &car, NULL, false, 0.02f, NULL);
        agent = kerb_agent_step(&agent, &wish, 0.02f);
        wish = kerb_chase(&settings, &rammer, &car, NULL, true, 0.02f, NULL);
        rammer = kerb_agent_step(&rammer, &wish, 0.02f);
        car.position.x += 0.2f;
        hit = kerb_min(hit, kerb_vec3_length(kerb_vec3_sub(rammer.position, car.position)));
        least = kerb_min(least, car.position.x - agent.position.x);
    }
    float wanted = settings.gap + agent.radius + 0.5f * car.length;
    assert_true(least > wanted - 0.3f);
    assert_true(fabsf(car.position.x - agent.position.x - wanted) < 0.5f);
    assert_true(hit < 1.0f);
}

// --------------------------------------------------------------------------- sides

static float way_squared(const kerb_neighbour* target, const kerb_neighbour* car, int32_t side,
                         float gap) {
    kerb_vec2 offset = kerb_box_offset(target, side, gap, car->length, car->width);
    float x = target->position.x + offset.x - car->position.x;
    float y = target->position.y + offset.y - car->position.y;
    return x * x + y * y;
}

static void sides_are_all_taken_once_and_surplus_cars_wait(void** state) {
    (void)state;
    kerb_random random = test_random("sides");
    kerb_cars_settings settings = kerb_cars_settings_default();
    kerb_neighbour target = car_at(0.0f, 0.0f, 0.0f, 10.0f), cars[KERB_BOX_CARS_MAX];
    for (int32_t count = 0; count <= KERB_BOX_CARS_MAX; count++) {
        for (int32_t i = 0; i < count; i++)
            cars[i] = car_at(kerb_random_between(&random, -40.0f, 40.0f),
                             kerb_random_between(&random, -40.0f, 40.0f), 0.0f, 10.0f);
        kerb_box box = {0};
        kerb_box_assign(&box, &settings, &target, cars, count);
        int32_t taken[KERB_SIDE_COUNT] = {0}, waiting = 0;
        for (int32_t i = 0; i < count; i++) {
            if (box.side[i] >= 0)
                taken[box.side[i]]++;
            else
                waiting++;
        }
        for (int32_t side = 0; side < (int32_t)KERB_SIDE_COUNT; side++)
            assert_int_equal(taken[side], side < count ? 1 : 0);
        assert_int_equal(waiting, count > 4 ? count - 4 : 0);
    }
}

static void cars_already_at_their_sides_keep_them(void** state) {
    (void)state;
    kerb_cars_settings settings = kerb_cars_settings_default();
    kerb_neighbour target = car_at(5.0f, -3.0f, 0.0f, 10.0f), cars[4];
    for (int32_t i = 0; i < 4; i++) {
        int32_t side = 3 - i;
        kerb_vec2 offset = kerb_box_offset(&target, side, settings.gap, 5.0f, 2.0f);
        cars[i] = car_at(target.position.x + offset.x, target.position.y + offset.y, 0.0f, 10.0f);
        assert_true(way_squared(&target, &cars[i], side, settings.gap) < 1e-6f);
    }
    kerb_box box = {0};
    kerb_box_assign(&box, &settings, &target, cars, 4);
    for (int32_t i = 0; i < 4; i++)
        assert_int_equal(box.side[i], 3 - i);
}

static void cars_that_come_from_behind_do_not_cross_on_their_way(void** state) {
    (void)state;
    kerb_cars_settings settings = kerb_cars_settings_default();
    kerb_neighbour target = car_at(0.0f, 0.0f, 0.0f, 10.0f);
    kerb_neighbour cars[4] = {car_at(-30.0f, -9.0f, 0.0f, 10.0f), car_at(-20.0f, 3.0f, 0.0f, 10.0f),
                              car_at(-40.0f, 0.0f, 0.0f, 10.0f), car_at(25.0f, 0.0f, 0.0f, 10.0f)};
    kerb_box box = {0};
    kerb_box_assign(&box, &settings, &target, cars, 4);
    assert_int_equal(box.side[0], KERB_SIDE_RIGHT);
    assert_int_equal(box.side[1], KERB_SIDE_LEFT);
    assert_int_equal(box.side[2], KERB_SIDE_BEHIND);
    assert_int_equal(box.side[3], KERB_SIDE_FRONT);
}

// --------------------------------------------------------------------------- distance

static void nobody_runs_hard_into_one_ahead(void** state) {
    (void)state;
    kerb_cars_settings settings = kerb_cars_settings_default();
    kerb_agent agent = agent_at(0.0f, 0.0f, 0.0f, 18.0f);
    kerb_neighbour other = car_at(60.0f, 0.5f, 0.5f * KERB_PI, 0.0f);
    kerb_steering on = {{1.0f, 0.0f, 0.0f}, 20.0f};
    kerb_vec2 size = {5.0f, 2.0f};
    while (agent.position.x < 60.0f - 3.5f) {
        kerb_steering wish = kerb_brake_for_cars(&settings, &agent, size, &on, &other, 1, -1);
        agent = kerb_agent_step(&agent, &wish, 0.02f);
    }
    assert_true(agent.speed < 3.0f);
}

static void who_is_aside_or_behind_slows_nobody_down(void** state) {
    (void)state;
    kerb_cars_settings settings = kerb_cars_settings_default();
    kerb_agent agent = agent_at(0.0f, 0.0f, 0.0f, 18.0f);
    kerb_neighbour others[3] = {car_at(20.0f, 4.0f, 0.0f, 0.0f), car_at(-6.0f, 0.0f, 0.0f, 18.0f),
                                car_at(3.0f, 0.0f, 0.0f, 0.0f)}; // the last one is itself
    kerb_steering on = {{1.0f, 0.0f, 0.0f}, 20.0f}, odd = on;
    kerb_vec2 size = {5.0f, 2.0f};
    kerb_steering wish = kerb_brake_for_cars(&settings, &agent, size, &on, others, 3, 2);
    assert_memory_equal(&wish, &on, sizeof on);
    odd.speed = NAN;
    wish = kerb_brake_for_cars(&settings, &agent, size, &odd, others, 3, 2);
    assert_true(wish.speed == 0.0f);
}

// --------------------------------------------------------------------------- escape

static void one_flees_away_and_not_into_the_wall(void** state) {
    (void)state;
    kerb_cars_settings settings = kerb_cars_settings_default();
    kerb_agent agent = agent_at(0.0f, 0.0f, 0.0f, 10.0f);
    kerb_neighbour pursuer = car_at(-12.0f, 0.0f, 0.0f, 10.0f);
    kerb_vec2 size = {5.0f, 2.0f};
    kerb_steering open = kerb_escape(&settings, &agent, size, &pursuer, 1, NULL, 0);
    assert_true(open.direction.x > 0.0f && open.speed == agent.speed_max);
    kerb_obstacle walls[2] = {kerb_obstacle_between(kerb_vec3_make(25.0f, -100.0f, 0.0f),
                                                    kerb_vec3_make(25.0f, 100.0f, 0.0f)),
                              kerb_obstacle_between(kerb_vec3_make(-50.0f, -9.0f, 0.0f),
                                                    kerb_vec3_make(25.0f, -9.0f, 0.0f))};
    kerb_steering turned = kerb_escape(&settings, &agent, size, &pursuer, 1, walls, 2);
    assert_true(turned.direction.y > 0.5f); // the right is closed, too
}

static void one_at_a_wall_reverses(void** state) {
    (void)state;
    kerb_cars_settings settings = kerb_cars_settings_default();
    kerb_agent agent = agent_at(0.0f, 0.0f, 0.0f, 0.0f);
    kerb_obstacle wall = kerb_obstacle_between(kerb_vec3_make(3.2f, -100.0f, 0.0f),
                                               kerb_vec3_make(3.2f, 100.0f, 0.0f));
    kerb_vec2 size = {5.0f, 2.0f};
    assert_true(kerb_escape(&settings, &agent, size, NULL, 0, &wall, 1).speed < 0.0f);
}

// --------------------------------------------------------------------------- escort and block

#define STEP 0.02f

static kerb_neighbour seen_as(const kerb_agent* agent) {
    kerb_neighbour car = {.position = agent->position,
                          .velocity = kerb_vec3_scale(agent->forward, agent->speed),
                          .forward = {agent->forward.x, agent->forward.y},
                          .length = 5.0f,
                          .width = 2.0f};
    return car;
}

// How far two bodies are apart along the sides of the first, at the most; below 0: on no side.
static float apart_along(const kerb_neighbour* a, const kerb_neighbour* b) {
    kerb_vec3 to = kerb_vec3_sub(b->position, a->position);
    float along = to.x * a->forward.x + to.y * a->forward.y;
    float aside = to.y * a->forward.x - to.x * a->forward.y;
    float cosine = fabsf(a->forward.x * b->forward.x + a->forward.y * b->forward.y);
    float sine = fabsf(a->forward.x * b->forward.y - a->forward.y * b->forward.x);
    float ahead = fabsf(along) - 0.5f * (a->length + b->length * cosine + b->width * sine);
    float beside = fabsf(aside) - 0.5f * (a->width + b->length * sine + b->width * cosine);
    return kerb_max(ahead, beside);
}

static bool do_touch(const kerb_agent* a, const kerb_agent* b) {
    kerb_neighbour first = seen_as(a), second = seen_as(b);
    return apart_along(&first, &second) < 0.0f && apart_along(&second, &first) < 0.0f;
}

// Round about, on a way that winds; it stops in the end.
static kerb_steering winds(float time) {
    float heading = 0.5f * kerb_sin(0.25f * time);
    kerb_steering wish = {{kerb_cos(heading), kerb_sin(heading), 0.0f}, time < 40.0f ? 9.0f : 0.0f};
    return wish;
}

static void an_escort_stays_at_its_sides_without_touching(void** state) {
    (void)state;
    enum { CARS = 4 };
    kerb_cars_settings settings = kerb_cars_settings_default();
    kerb_agent guarded = agent_at(0.0f, 0.0f, 0.0f, 5.0f), cars[CARS];
    const float from[CARS][2] = {{25, 3}, {-20, -4}, {-10, 12}, {-8, -12}};
    kerb_box box = {0};
    float most = 0.0f;
    for (int32_t i = 0; i < CARS; i++)
        cars[i] = agent_at(from[i][0], from[i][1], 0.0f, 5.0f);
    for (int32_t step = 0; step < 3000; step++) {
        kerb_neighbour seen[CARS], middle = seen_as(&guarded);
        float time = (float)step * STEP;
        middle.yaw_rate = time < 40.0f ? 0.125f * kerb_cos(0.25f * time) : 0.0f;
        for (int32_t i = 0; i < CARS; i++)
            seen[i] = seen_as(&cars[i]);
        kerb_box_assign(&box, &settings, &middle, seen, CARS);
        for (int32_t i = 0; i < CARS; i++) {
            kerb_vec2 at = kerb_box_offset(&middle, box.side[i], settings.gap, 5.0f, 2.0f);
            kerb_vec3 to = kerb_vec3_sub(cars[i].position, guarded.position);
            kerb_vec2 is = {to.x * middle.forward.x + to.y * middle.forward.y,
                            to.y * middle.forward.x - to.x * middle.forward.y};
            if (time > 15.0f)
                most = kerb_max(most, hypotf(is.x - at.x, is.y - at.y));
            kerb_steering wish = kerb_escort(&box, &settings, i, &cars[i], seen, &middle);
            cars[i] = kerb_agent_step(&cars[i], &wish, STEP);
        }
        kerb_steering way = winds(time);
        guarded = kerb_agent_step(&guarded, &way, STEP);
        for (int32_t i = 0; i < CARS; i++) {
            assert_false(do_touch(&cars[i], &guarded));
            for (int32_t j = 0; j < i; j++)
                assert_false(do_touch(&cars[i], &cars[j]));
        }
    }
    printf("escort: at most %.2f m from their places\n", (double)most);
    assert_true(most < 1.5f);
}

// Drives straight on, and brakes for who is in its way: a driver who is no fool.
static kerb_steering drives_on(const kerb_agent* agent, const kerb_agent* other) {
    kerb_neighbour self = seen_as(agent), seen = seen_as(other);
    float along = other->position.x - agent->position.x, free = 1e6f;
    self.position.x = other->position.x;
    if (along > 0.0f && apart_along(&self, &seen) < 0.5f)
        free = along - 0.5f * (self.length + seen.length) - 2.0f;
    float slower = kerb_max(other->speed * other->forward.x, 0.0f);
    float most = kerb_sqrt(slower * slower + 2.0f * 5.0f * kerb_max(free, 0.0f));
    kerb_steering wish = {{1.0f, 0.0f, 0.0f}, kerb_min(15.0f, free > 0.0f ? most : 0.0f)};
    return wish;
}

static void a_place_inside_the_turning_circle_is_reached_not_circled(void** state) {
    (void)state;
    kerb_cars_settings settings = kerb_cars_settings_default();
    kerb_neighbour leader = car_at(0.0f, 0.0f, 0.0f, 0.0f);
    for (int32_t n = 0; n < 12; n++) {
        float angle = 2.0f * KERB_PI * (float)n / 12.0f, least = 1e6f;
        kerb_vec2 place = {0.0f, 6.0f};
        kerb_agent agent = agent_at(5.0f * kerb_cos(angle), 11.0f + 5.0f * kerb_sin(angle),
                                    angle + 0.5f * KERB_PI, 5.0f);
        for (int32_t step = 0; step < 1500; step++) {
            kerb_steering wish = kerb_keep_place(&settings, &agent, &leader, place, 2.0f);
            agent = kerb_agent_step(&agent, &wish, STEP);
            least = kerb_min(least, hypotf(agent.position.x, agent.position.y - 6.0f));
        }
        if (!(least < 1.6f))
            fail_msg("from %d: %g m off", (int)n, (double)least);
    }
}

static void a_blocker_brakes_its_target_down(void** state) {
    (void)state;
    kerb_cars_settings settings = kerb_cars_settings_default();
    const float from[4][2] = {{-25, 0}, {-15, 4}, {0, -5}, {-40, -6}};
    for (int32_t n = 0; n < 8; n++) {
        kerb_agent target = agent_at(0.0f, 0.0f, 0.0f, 12.0f);
        kerb_agent blocker = agent_at(from[n % 4][0], from[n % 4][1], 0.0f, 12.0f);
        bool across = n >= 4;
        blocker.speed_max = 25.0f;
        for (int32_t step = 0; step < 2500; step++) {
            kerb_neighbour seen = seen_as(&target);
            kerb_vec2 size = {5.0f, 2.0f};
            kerb_steering wish = kerb_block(&settings, &blocker, &seen, NULL, across, size, STEP);
            kerb_steering on = drives_on(&target, &blocker);
            blocker = kerb_agent_step(&blocker, &wish, STEP);
            target = kerb_agent_step(&target, &on, STEP);
            assert_false(do_touch(&blocker, &target));
        }
        float ahead = blocker.position.x - target.position.x;
        if (!(target.speed < 0.5f && ahead > 0.0f && ahead < 12.0f))
            fail_msg("from %g, %g%s: %g m/s, blocker %g m ahead, %g m aside",
                     (double)from[n % 4][0], (double)from[n % 4][1], across ? " across" : "",
                     (double)target.speed, (double)ahead,
                     (double)(blocker.position.y - target.position.y));
    }
}

static void a_blocker_from_ahead_gets_in_the_way_and_stops_its_target(void** state) {
    (void)state;
    kerb_cars_settings settings = kerb_cars_settings_default();
    const float from[5][3] = {
        {60, -20, 1.57f}, {60, 20, -1.57f}, {80, -30, 1.57f}, {50, 10, -2.5f}, {90, -25, 1.2f}};
    for (int32_t n = 0; n < 5; n++) {
        kerb_agent target = agent_at(0.0f, 0.0f, 0.0f, 10.0f);
        kerb_agent blocker = agent_at(from[n][0], from[n][1], from[n][2], 0.0f);
        for (int32_t step = 0; step < 2500; step++) {
            kerb_neighbour seen = seen_as(&target);
            kerb_vec2 size = {5.0f, 2.0f};
            kerb_steering wish = kerb_block(&settings, &blocker, &seen, NULL, true, size, STEP);
            kerb_steering on = drives_on(&target, &blocker);
            blocker = kerb_agent_step(&blocker, &wish, STEP);
            target = kerb_agent_step(&target, &on, STEP);
            assert_false(do_touch(&blocker, &target));
        }
        float ahead = blocker.position.x - target.position.x;
        assert_true(target.speed < 0.5f && ahead > 0.0f && ahead < 12.0f);
    }
}

// --------------------------------------------------------------------------- scenes

static kerb_scene_chase scene;

static void box_in_eight_of_ten(const char* name, int32_t seeds) {
    int32_t boxed = 0;
    for (int32_t seed = 0; seed < seeds; seed++) {
        assert_true(kerb_scene_chase_make(name, (uint64_t)seed, &scene));
        while (!scene.done && scene.time < 90.0)
            kerb_scene_chase_step(&scene, 1.0f / 60.0f);
        boxed += scene.done;
    }
    printf("%s: %d of %d boxed in\n", name, (int)boxed, (int)seeds);
    assert_true(boxed * 10 >= seeds * 8);
}

static void four_box_in_one(void** state) {
    (void)state;
    box_in_eight_of_ten("field-chase", 12);
    box_in_eight_of_ten("police-chase", 10);
}

// From lock to lock and back twice in three seconds would be 2.7.
static void nobody_in_a_chase_twitches_the_wheels(void** state) {
    (void)state;
    for (int32_t seed = 0; seed < 2; seed++) {
        assert_true(kerb_scene_chase_make("police-chase", (uint64_t)seed, &scene));
        double travel[KERB_SCENE_CHASE_CARS] = {0.0};
        float before[KERB_SCENE_CHASE_CARS] = {0.0f};
        while (!scene.done && scene.time < 40.0) {
            kerb_scene_chase_step(&scene, 1.0f / 60.0f);
            for (int32_t i = 0; i < scene.count; i++) {
                travel[i] += (double)fabsf(scene.cars[i].controls.steering - before[i]);
                before[i] = scene.cars[i].controls.steering;
            }
        }
        for (int32_t i = 0; i < scene.count; i++)
            if (travel[i] > 2.7 * scene.time)
                fail_msg("seed %d, car %d: %g a second", (int)seed, (int)i, travel[i] / scene.time);
    }
}

// Distance from the nearest straight between two neighbouring points of the trail.
static float off_trail(const kerb_trail* trail, kerb_vec3 place) {
    float least = 1e6f;
    for (int32_t k = 0; k + 1 < trail->count; k++) {
        int32_t index = (trail->newest - k + KERB_TRAIL_POINTS) % KERB_TRAIL_POINTS;
        int32_t before = (index - 1 + KERB_TRAIL_POINTS) % KERB_TRAIL_POINTS;
        kerb_vec2 from = trail->points[before];
        kerb_vec2 way = kerb_vec2_sub(trail->points[index], from);
        kerb_vec2 offset = kerb_vec2_sub(kerb_vec2_make(place.x, place.y), from);
        float share = kerb_vec2_dot(offset, way) / kerb_vec2_dot(way, way);
        kerb_vec2 foot = kerb_vec2_scale(way, kerb_clamp(share, 0.0f, 1.0f));
        least = kerb_min(least, kerb_vec2_length(kerb_vec2_sub(offset, foot)));
    }
    return least;
}

static void a_column_stays_in_its_leaders_trail_without_touching(void** state) {
    (void)state;
    assert_true(kerb_scene_chase_make("convoy", 3, &scene));
    float aside = 0.0f, gap = 0.0f;
    while (scene.time < 60.0) {
        kerb_scene_chase_step(&scene, 1.0f / 60.0f);
        // Once formed: the road is known, and everyone has caught up.
        for (int32_t i = 1; i < scene.count && scene.time > 30.0; i++) {
            kerb_vec3 place = kerb_scene_chase_seen(&scene, i).position;
            kerb_vec3 ahead = kerb_scene_chase_seen(&scene, i - 1).position;
            aside = kerb_max(aside, off_trail(&scene.trail, place));
            gap = kerb_max(gap, fabsf(hypotf(ahead.x - place.x, ahead.y - place.y) - 12.0f));
        }
    }
    printf("column: %.2f m aside, %.2f m in distance\n", (double)aside, (double)gap);
    assert_int_equal(scene.hard_contacts, 0);
    assert_true(aside < 1.0f);
    assert_true(gap < 2.0f);
}

static void a_formation_holds_its_shape_through_a_bend(void** state) {
    (void)state;
    assert_true(kerb_scene_chase_make("formation", 4, &scene));
    while (scene.time < 30.0)
        kerb_scene_chase_step(&scene, 1.0f / 60.0f);
    printf("formation: %.2f m off\n", (double)scene.off_place);
    assert_int_equal(scene.hard_contacts, 0);
    assert_true(scene.cars[0].driven > 150.0);
    assert_true(scene.off_place < 1.75f); // a quarter of the spacing
}

static void the_same_seed_gives_the_same_chase(void** state) {
    (void)state;
    kerb_vec3 where[2];
    for (int32_t run = 0; run < 2; run++) {
        assert_true(kerb_scene_chase_make("police-chase", 5, &scene));
        for (int32_t i = 0; i < 600; i++)
            kerb_scene_chase_step(&scene, 1.0f / 60.0f);
        where[run] = kerb_scene_chase_seen(&scene, 2).position;
    }
    assert_memory_equal(&where[0], &where[1], sizeof where[0]);
}

// --------------------------------------------------------------------------- bad numbers

static bool is_none(kerb_steering wish) {
    return kerb_vec3_length(wish.direction) == 0.0f;
}

static void numbers_that_are_none_wish_nothing(void** state) {
    (void)state;
    kerb_cars_settings settings = kerb_cars_settings_default();
    kerb_agent agent = agent_at(0.0f, 0.0f, 0.0f, 5.0f), bad = agent;
    kerb_neighbour car = car_at(20.0f, 0.0f, 0.0f, 5.0f), odd = car;
    kerb_vec2 size = {5.0f, 2.0f}, place = {-6.0f, 0.0f};
    bad.speed = NAN;
    odd.velocity.x = INFINITY;
    assert_true(is_none(kerb_chase(&settings, &bad, &car, NULL, true, 0.02f, NULL)));
    assert_true(is_none(kerb_chase(&settings, &agent, &odd, NULL, true, 0.02f, NULL)));
    assert_true(is_none(kerb_keep_place(&settings, &agent, &odd, place, 2.0f)));
    assert_true(is_none(kerb_block(&settings, &agent, &odd, NULL, true, size, 0.02f)));
    assert_true(is_none(kerb_escape(&settings, &agent, size, &odd, 1, NULL, 0)));
    assert_true(is_none(kerb_escape(&settings, &agent, size, NULL, 0, NULL, 0)));
    kerb_trail trail = {0};
    assert_true(is_none(kerb_convoy(&trail, &settings, &agent, &car, &car, 12.0f)));
    kerb_trail_record(&trail, kerb_vec3_make(NAN, 0.0f, 0.0f));
    assert_int_equal(trail.count, 0);
    kerb_box box = {0};
    kerb_box_assign(&box, &settings, &odd, &odd, 1);
    assert_int_equal(box.count, 1);
    assert_int_equal(kerb_settings_validate(&kerb_cars_settings_table, &settings, NULL), KERB_OK);
}

// --------------------------------------------------------------------------- a road that winds

enum { WINDING_POINTS = 300 };

// 1.5 km, bends of 45 m to either side every 190 m.
static void make_winding_road(kerb_path* road) {
    kerb_waypoint points[WINDING_POINTS];
    for (int i = 0; i < WINDING_POINTS; i++) {
        float x = 5.0f * (float)i;
        points[i] = kerb_waypoint_at(x, 40.0f * kerb_sin(x / 42.0f), 0.0f);
    }
    kerb_host host = kerb_host_default();
    assert_int_equal(kerb_path_create(road, points, WINDING_POINTS, false, &host, NULL), KERB_OK);
}

static kerb_neighbour driving_on(const kerb_path* road, float distance, float aside, float speed) {
    kerb_path_sample at = kerb_path_sample_at(road, kerb_path_locate(road, (double)distance));
    kerb_neighbour car = {.length = 4.5f, .width = 1.8f};
    kerb_vec3 left = {-at.direction.y, at.direction.x, 0.0f};
    car.forward = kerb_vec2_make(at.direction.x, at.direction.y);
    car.position = kerb_vec3_along(at.position, left, aside);
    car.velocity = kerb_vec3_scale(at.direction, speed);
    car.yaw_rate = at.curvature * speed;
    return car;
}

// Close before it, in the strip that it is about to drive.
static bool is_close_before(const kerb_neighbour* car, const kerb_agent* agent) {
    kerb_vec3 off = kerb_vec3_sub(agent->position, car->position);
    kerb_vec2 to = {off.x, off.y};
    float along = kerb_vec2_dot(car->forward, to), aside = kerb_vec2_cross(car->forward, to);
    return along > 0.0f && along < 12.0f && fabsf(aside) < car->width;
}

// What became of a hunt after a car on the winding road.
typedef struct hunt {
    float time;        // until it was caught [s]
    float driven;      // [m]
    float first_error; // of where it was foreseen at first to be met, when met [m]
} hunt;

static hunt hunt_on(const kerb_path* road, bool knows_road, kerb_agent agent, float from,
                    float aside, bool block) {
    kerb_cars_settings settings = kerb_cars_settings_default();
    settings.horizon = 20.0f;
    hunt h = {0};
    kerb_interception first = {0};
    const float step = 0.05f, speed = 14.0f;
    const kerb_vec2 size = {4.5f, 1.8f};
    for (float apart = 1e3f; apart > 4.5f && h.time < 90.0f; h.time += step) {
        kerb_neighbour car = driving_on(road, from + speed * h.time, aside, speed);
        kerb_interception met = {0};
        const kerb_path* known = knows_road ? road : NULL;
        kerb_steering wish = kerb_chase(&settings, &agent, &car, known, true, step, &met);
        if (block)
            wish = kerb_block(&settings, &agent, &car, known, true, size, step);
        first = h.time == 0.0f ? met : first;
        agent = kerb_agent_step(&agent, &wish, step);
        h.driven += agent.speed * step;
        apart = kerb_vec3_length(kerb_vec3_sub(car.position, agent.position));
        if (block && is_close_before(&car, &agent))
            break;
        h.first_error = kerb_vec3_length(kerb_vec3_sub(agent.position, first.position));
    }
    return h;
}

static kerb_agent hunter_near(kerb_random* random, const kerb_neighbour* car) {
    kerb_agent agent = {.radius = 2.4f,
                        .turning_radius = 6.0f,
                        .speed = 10.0f,
                        .speed_max = 17.0f,
                        .acceleration = 4.0f,
                        .braking = 8.0f};
    float angle = kerb_random_between(random, -KERB_PI, KERB_PI);
    agent.forward = kerb_vec3_make(kerb_cos(angle), kerb_sin(angle), 0.0f);
    angle = kerb_random_between(random, -KERB_PI, KERB_PI);
    kerb_vec3 off = {kerb_cos(angle), kerb_sin(angle), 0.0f};
    agent.position =
        kerb_vec3_along(car->position, off, kerb_random_between(random, 30.0f, 150.0f));
    return agent;
}

// Foresees the place on the road at once and drives there; without the road it drives after a
// target that turns away from every place that is foreseen.
static void who_knows_the_road_cuts_off_who_drives_along_it(void** state) {
    (void)state;
    kerb_random random = test_random("winding road");
    kerb_path road;
    make_winding_road(&road);
    float with = 0.0f, without = 0.0f, metres = 0.0f, detour = 0.0f, error = 0.0f;
    int32_t later = 0, foreseen = 0;
    for (int i = 0; i < 100; i++) {
        float from = kerb_random_between(&random, 150.0f, 300.0f);
        float aside = kerb_random_between(&random, -3.0f, 3.0f);
        kerb_neighbour car = driving_on(&road, from, aside, 14.0f);
        kerb_agent agent = hunter_near(&random, &car);
        hunt knows = hunt_on(&road, true, agent, from, aside, false);
        hunt guesses = hunt_on(&road, false, agent, from, aside, false);
        with += knows.time, without += guesses.time;
        metres += knows.driven, detour += guesses.driven;
        later += knows.time > guesses.time + 0.5f ? 1 : 0;
        assert_true(knows.time < 60.0f);
        foreseen += knows.time < 20.0f ? 1 : 0;
        error += knows.time < 20.0f ? knows.first_error : 0.0f;
    }
    printf("caught after %.1f s and %.0f m, not knowing the road %.1f s and %.0f m; %d later; "
           "%d foreseen, %.1f m off\n",
           (double)(with / 100.0f), (double)(metres / 100.0f), (double)(without / 100.0f),
           (double)(detour / 100.0f), (int)later, (int)foreseen,
           (double)(error / (float)(foreseen > 0 ? foreseen : 1)));
    kerb_path_destroy(&road);
    assert_true(with < 0.9f * without && metres < 0.9f * detour && later <= 5);
}

// Whoever is ahead of it, on either side of the road, stands in its way in time.
static void who_knows_the_road_stands_in_the_way_of_who_drives_along_it(void** state) {
    (void)state;
    kerb_random random = test_random("block a road");
    kerb_path road;
    make_winding_road(&road);
    int32_t with = 0, without = 0;
    for (int i = 0; i < 60; i++) {
        float from = kerb_random_between(&random, 150.0f, 300.0f);
        kerb_neighbour ahead = driving_on(&road, from + 120.0f, 0.0f, 0.0f);
        kerb_agent agent = hunter_near(&random, &ahead);
        float side = kerb_random_between(&random, -60.0f, 60.0f);
        agent.position = kerb_vec3_make(ahead.position.x, ahead.position.y + side, 0.0f);
        with += hunt_on(&road, true, agent, from, 0.0f, true).time < 20.0f ? 1 : 0;
        without += hunt_on(&road, false, agent, from, 0.0f, true).time < 20.0f ? 1 : 0;
    }
    printf("in its way: %d of 60, not knowing the road %d\n", (int)with, (int)without);
    kerb_path_destroy(&road);
    assert_true(with >= 50 && with >= without);
}

int cars_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_car_on_a_circle_is_predicted_on_it),
        cmocka_unit_test(a_car_on_a_road_is_predicted_round_the_bend),
        cmocka_unit_test(at_full_speed_the_meeting_is_that_of_the_closed_form),
        cmocka_unit_test(who_cannot_catch_up_aims_at_the_horizon),
        cmocka_unit_test(a_chase_without_ramming_keeps_its_distance),
        cmocka_unit_test(sides_are_all_taken_once_and_surplus_cars_wait),
        cmocka_unit_test(cars_already_at_their_sides_keep_them),
        cmocka_unit_test(cars_that_come_from_behind_do_not_cross_on_their_way),
        cmocka_unit_test(nobody_runs_hard_into_one_ahead),
        cmocka_unit_test(who_is_aside_or_behind_slows_nobody_down),
        cmocka_unit_test(one_flees_away_and_not_into_the_wall),
        cmocka_unit_test(one_at_a_wall_reverses),
        cmocka_unit_test(an_escort_stays_at_its_sides_without_touching),
        cmocka_unit_test(a_place_inside_the_turning_circle_is_reached_not_circled),
        cmocka_unit_test(a_blocker_brakes_its_target_down),
        cmocka_unit_test(a_blocker_from_ahead_gets_in_the_way_and_stops_its_target),
        cmocka_unit_test(four_box_in_one),
        cmocka_unit_test(nobody_in_a_chase_twitches_the_wheels),
        cmocka_unit_test(a_column_stays_in_its_leaders_trail_without_touching),
        cmocka_unit_test(a_formation_holds_its_shape_through_a_bend),
        cmocka_unit_test(the_same_seed_gives_the_same_chase),
        cmocka_unit_test(numbers_that_are_none_wish_nothing),
        cmocka_unit_test(who_knows_the_road_cuts_off_who_drives_along_it),
        cmocka_unit_test(who_knows_the_road_stands_in_the_way_of_who_drives_along_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
