// Several vehicles in one world, in sim/ and, where the build found it, in Bullet: what sim/group.h
// says holds in both.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/group.h"
#include "test/seed.h"
#ifdef KERB_HAVE_BULLET
#include "sim/bullet/group.h"
#endif

#include <math.h>
#include <stdio.h>
#include <string.h>

#define STEP (1.0f / 240.0f)
#define CARS 4

static const kerb_sim_group_physics* const worlds[] = {
    &kerb_sim_group_own,
#ifdef KERB_HAVE_BULLET
    &kerb_sim_bullet_group,
#endif
};
#define WORLDS ((int32_t)(sizeof worlds / sizeof worlds[0]))

static const kerb_sim_ground level = {.height = 0.0f, .normal = {0.0f, 0.0f, 1.0f}, .grip = 1.0f};

// A world with some cars, and what they do.
typedef struct rig {
    const kerb_sim_group_physics* physics;
    void* group;
    kerb_sim_model model;
    kerb_controls controls[CARS];
    kerb_sim_ground grounds[CARS];
    kerb_sim_group_touch found[8];
    float closing; // the fastest so far
    int32_t touches;
} rig;

static rig begin(int32_t world) {
    rig r = {.physics = worlds[world]};
    kerb_host host = kerb_host_default();
    r.group = r.physics->make(CARS, &host.allocator);
    assert_non_null(r.group);
    assert_true(kerb_sim_model_named("gt", &r.model));
    for (int32_t i = 0; i < CARS; i++) {
        r.controls[i] = (kerb_controls){.clutch = 1.0f};
        r.grounds[i] = level;
    }
    return r;
}

static void put(rig* r, int32_t car, float x, float y, float heading) {
    kerb_vec3 at = {x, y, r->grounds[car].height};
    assert_true(r->physics->put(r->group, car, &r->model, &r->grounds[car], at, heading));
}

static void push(rig* r, int32_t car, float forward) {
    kerb_sim_body body = r->physics->body(r->group, car);
    body.forward += forward;
    r->physics->set_body(r->group, car, &body);
}

// Returns the pairs that touched in the last step.
static int32_t run(rig* r, float seconds) {
    kerb_sim_group_input inputs[CARS];
    int32_t touches = 0;
    for (int32_t i = 0; i < CARS; i++)
        inputs[i] = (kerb_sim_group_input){&r->controls[i], r->grounds[i]};
    for (int32_t k = 0; k < (int32_t)(seconds / STEP + 0.5f); k++) {
        touches = r->physics->step(r->group, inputs, STEP, r->found, 8);
        r->touches += touches;
        for (int32_t i = 0; i < touches && i < 8; i++)
            r->closing = kerb_max(r->closing, r->found[i].closing_speed);
    }
    return touches;
}

static void assert_near(double value, double wanted, double most) {
    if (!(fabs(value - wanted) <= most))
        fail_msg("%g instead of %g, more than %g off", value, wanted, most);
}

static void a_car_put_stands_where_it_was_put(void** state) {
    (void)state;
    kerb_random random = test_random("a_car_put_stands_where_it_was_put");
    for (int32_t world = 0; world < WORLDS; world++) {
        rig r = begin(world);
        for (int32_t i = 0; i < 20; i++) { // the first puts it in, the others elsewhere
            float x = kerb_random_between(&random, -500.0f, 500.0f);
            float y = kerb_random_between(&random, -500.0f, 500.0f);
            float heading = kerb_random_between(&random, -3.0f, 3.0f);
            r.grounds[2].height = kerb_random_between(&random, -50.0f, 50.0f);
            put(&r, 2, x, y, heading);
            run(&r, 0.5f);
            kerb_motion motion = r.physics->motion(r.group, 2);
            kerb_vec3 forward = kerb_quat_forward(motion.rotation);
            assert_near((double)motion.position.x, (double)x, 0.02);
            assert_near((double)motion.position.y, (double)y, 0.02);
            assert_near((double)motion.position.z, (double)r.grounds[2].height, 0.02);
            assert_near((double)forward.x, cos((double)heading), 0.01);
            assert_near((double)forward.y, sin((double)heading), 0.01);
            kerb_vec3 foot = r.physics->foot(r.group, 2);
            assert_true(kerb_vec3_length(kerb_vec3_sub(foot, motion.position)) < 3.0f);
            push(&r, 2, 10.0f); // so that it is not at rest where it is next put
        }
        r.physics->destroy(r.group);
    }
}

// As bodies do: a hit at 8 m/s, both as heavy, hardly any bounce.
static void one_that_runs_into_another_pushes_it_and_loses_as_much(void** state) {
    (void)state;
    for (int32_t world = 0; world < WORLDS; world++) {
        rig r = begin(world);
        put(&r, 1, 0.0f, 0.0f, 0.5f);
        float gap = r.model.car.length + 2.0f;
        put(&r, 3, gap * cosf(0.5f), gap * sinf(0.5f), 0.5f);
        run(&r, 0.5f);
        assert_int_equal(r.touches, 0);
        push(&r, 1, 8.0f);
        run(&r, 0.2f);
        assert_int_equal(r.touches, 0);
        run(&r, 0.3f);
        float behind = r.physics->body(r.group, 1).forward;
        float front = r.physics->body(r.group, 3).forward;
        printf("%s: %.2f m/s closing, then %.2f and %.2f\n", r.physics->name, (double)r.closing,
               (double)behind, (double)front);
        assert_true(r.touches > 0);
        assert_near((double)r.closing, 8.0, 0.4);
        assert_near((double)(behind + front), 8.0, 0.8);
        assert_true(front >= behind - 0.1f && front - behind < 2.0f);
        assert_int_equal(r.found[0].a, 1);
        assert_int_equal(r.found[0].b, 3);
        r.physics->destroy(r.group);
    }
}

// Bodies are boxes as long and as wide as the model: side by side with a hand between them they do
// not touch, and so they do not one above the other.
static void those_that_do_not_touch_are_not_told_of(void** state) {
    (void)state;
    for (int32_t world = 0; world < WORLDS; world++) {
        rig r = begin(world);
        put(&r, 0, 0.0f, 0.0f, 0.0f);
        put(&r, 1, 0.0f, r.model.car.width + 0.1f, 0.0f);
        put(&r, 2, r.model.car.length + 0.1f, 0.0f, 0.0f);
        r.grounds[3].height = 6.0f; // on a bridge
        put(&r, 3, 0.5f, 0.3f, 1.0f);
        run(&r, 2.0f);
        assert_int_equal(r.touches, 0);
        for (int32_t i = 0; i < CARS; i++)
            assert_near((double)r.physics->motion(r.group, i).position.z,
                        (double)r.grounds[i].height, 0.03);
        put(&r, 1, 0.0f, r.model.car.width - 0.05f, 0.0f);
        run(&r, STEP);
        assert_int_equal(r.touches, 1);
        r.physics->destroy(r.group);
    }
}

static void who_is_taken_out_is_in_nobodys_way(void** state) {
    (void)state;
    for (int32_t world = 0; world < WORLDS; world++) {
        rig r = begin(world);
        put(&r, 0, 0.0f, 0.0f, 0.0f);
        put(&r, 1, 8.0f, 0.0f, 0.0f);
        run(&r, 0.2f);
        r.physics->take_out(r.group, 1);
        r.physics->take_out(r.group, 1);
        r.physics->take_out(r.group, 2); // who never was there
        push(&r, 0, 10.0f);
        run(&r, 1.0f);
        assert_int_equal(r.touches, 0);
        assert_true(r.physics->motion(r.group, 0).position.x > 8.0f);
        r.physics->destroy(r.group);
    }
}

// A body that is set and read again is the same, and pushing does not tilt the car.
static void a_body_comes_back_as_it_was_set(void** state) {
    (void)state;
    kerb_random random = test_random("a_body_comes_back_as_it_was_set");
    for (int32_t world = 0; world < WORLDS; world++) {
        rig r = begin(world);
        r.grounds[0].normal = kerb_vec3_make(0.0995037f, 0.0f, 0.9950372f);
        put(&r, 0, 3.0f, 4.0f, 1.0f);
        run(&r, 0.2f);
        for (int32_t i = 0; i < 100; i++) {
            kerb_sim_body body = r.physics->body(r.group, 0);
            body.position.x += kerb_random_between(&random, -0.1f, 0.1f);
            body.position.y += kerb_random_between(&random, -0.1f, 0.1f);
            body.heading =
                kerb_wrap_angle(body.heading + kerb_random_between(&random, -0.1f, 0.1f));
            body.forward += kerb_random_between(&random, -1.0f, 1.0f);
            body.side += kerb_random_between(&random, -1.0f, 1.0f);
            body.yaw_rate += kerb_random_between(&random, -0.2f, 0.2f);
            float up = kerb_quat_up(r.physics->motion(r.group, 0).rotation).z;
            r.physics->set_body(r.group, 0, &body);
            kerb_sim_body again = r.physics->body(r.group, 0);
            assert_near((double)again.position.x, (double)body.position.x, 1e-4);
            assert_near((double)again.position.y, (double)body.position.y, 1e-4);
            assert_near((double)kerb_wrap_angle(again.heading - body.heading), 0.0, 1e-3);
            assert_near((double)again.yaw_rate, (double)body.yaw_rate, 1e-3);
            assert_near((double)kerb_quat_up(r.physics->motion(r.group, 0).rotation).z, (double)up,
                        1e-4);
            float fast = sqrtf(body.forward * body.forward + body.side * body.side);
            float now = sqrtf(again.forward * again.forward + again.side * again.side);
            assert_near((double)now, (double)fast, 1e-3 + 0.02 * (double)fast);
        }
        r.physics->destroy(r.group);
    }
}

static void in_anothers_wake_a_car_rolls_farther(void** state) {
    (void)state;
    for (int32_t world = 0; world < WORLDS; world++) {
        rig r = begin(world);
        for (int32_t i = 0; i < 2; i++)
            put(&r, i, 0.0f, 20.0f * (float)i, 0.0f);
        run(&r, 0.2f);
        for (int32_t i = 0; i < 2; i++) {
            r.controls[i].gear = 0;
            push(&r, i, 60.0f);
        }
        run(&r, 1.0f); // wheels, which stood still, first have to spin up
        r.physics->set_tow(r.group, 1, 0.5f);
        double lost[2], before[2];
        for (int32_t i = 0; i < 2; i++)
            before[i] = (double)r.physics->body(r.group, i).forward;
        run(&r, 2.0f);
        for (int32_t i = 0; i < 2; i++)
            lost[i] = before[i] - (double)r.physics->body(r.group, i).forward;
        // Rolling resistance is there in both.
        double rolling = (double)(r.model.car.rolling_resistance * KERB_GRAVITY) * 2.0;
        assert_near((lost[1] - rolling) / (lost[0] - rolling), 0.5, 0.08);
        r.physics->destroy(r.group);
    }
}

static void the_same_steps_give_the_same_bits(void** state) {
    (void)state;
    for (int32_t world = 0; world < WORLDS; world++) {
        kerb_motion ends[2][CARS];
        for (int32_t again = 0; again < 2; again++) {
            rig r = begin(world);
            for (int32_t i = 0; i < CARS; i++) {
                put(&r, i, 6.0f * (float)i, 0.3f * (float)i, 0.05f * (float)i);
                r.controls[i] = (kerb_controls){.throttle = 1.0f, .gear = 1, .steering = 0.1f};
            }
            r.controls[3].throttle = 0.0f;
            r.controls[3].brake = 1.0f;
            run(&r, 3.0f);
            assert_true(r.touches > 10);
            for (int32_t i = 0; i < CARS; i++)
                ends[again][i] = r.physics->motion(r.group, i);
            r.physics->destroy(r.group);
        }
        for (int32_t i = 0; i < CARS; i++)
            assert_memory_equal(&ends[0][i].position, &ends[1][i].position, sizeof(kerb_vec3));
    }
}

#ifdef KERB_HAVE_BULLET
static void bullet_has_nothing_without_wheels(void** state) {
    (void)state;
    kerb_host host = kerb_host_default();
    kerb_sim_model tank;
    assert_true(kerb_sim_model_named("tank", &tank));
    void* group = kerb_sim_bullet_group.make(1, &host.allocator);
    kerb_vec3 at = {0.0f, 0.0f, 0.0f};
    assert_false(kerb_sim_bullet_group.put(group, 0, &tank, &level, at, 0.0f));
    kerb_sim_bullet_group.destroy(group);
    kerb_sim_bullet_group.destroy(NULL);
}
#endif

int group_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_car_put_stands_where_it_was_put),
        cmocka_unit_test(one_that_runs_into_another_pushes_it_and_loses_as_much),
        cmocka_unit_test(those_that_do_not_touch_are_not_told_of),
        cmocka_unit_test(who_is_taken_out_is_in_nobodys_way),
        cmocka_unit_test(a_body_comes_back_as_it_was_set),
        cmocka_unit_test(in_anothers_wake_a_car_rolls_farther),
        cmocka_unit_test(the_same_steps_give_the_same_bits),
#ifdef KERB_HAVE_BULLET
        cmocka_unit_test(bullet_has_nothing_without_wheels),
#endif
    };
#ifndef KERB_HAVE_BULLET
    puts("built without Bullet: in sim/ only");
#endif
    return cmocka_run_group_tests(tests, NULL, NULL);
}
