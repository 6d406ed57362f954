// Contact between racing cars: what is pushed is what kerb_sim_bodies_push pushes, pair by pair;
// what is counted is what the words mean.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "scene/race/race_contacts.h"
#include "test/seed.h"

#include <math.h>
#include <string.h>

#define STEP (1.0f / 240.0f)

static kerb_scene_race_contacts contacts;
static kerb_sim_sweep sweep;

static int set_up(void** state) {
    (void)state;
    memset(&contacts, 0, sizeof contacts);
    memset(&sweep, 0, sizeof sweep);
    return 0;
}

static kerb_sim_body car_at(float x, float y, float heading, float speed) {
    kerb_sim_body body = {.position = {x, y, 0.0f},
                          .heading = heading,
                          .forward = speed,
                          .mass = 1000.0f,
                          .yaw_inertia = 1500.0f,
                          .front = 2.2f,
                          .back = 2.2f,
                          .half_width = 0.9f};
    return body;
}

static void move(kerb_sim_body* body) {
    body->position.x +=
        (body->forward * cosf(body->heading) - body->side * sinf(body->heading)) * STEP;
    body->position.y +=
        (body->forward * sinf(body->heading) + body->side * cosf(body->heading)) * STEP;
    body->heading += body->yaw_rate * STEP;
}

// All that happens in a step of a race but driving.
static void push(kerb_sim_body* bodies, int32_t count) {
    kerb_sim_group_touch found[KERB_SIM_GROUP_TOUCHES];
    int32_t touches = kerb_sim_sweep_push(&sweep, bodies, count, found, KERB_SIM_GROUP_TOUCHES);
    assert_true(touches <= KERB_SIM_GROUP_TOUCHES);
    kerb_scene_race_contacts_note(&contacts, found, touches, count, STEP);
}

static void step(kerb_sim_body* bodies, int32_t count) {
    for (int32_t i = 0; i < count; i++)
        move(&bodies[i]);
    push(bodies, count);
}

static void expect_near(double value, double expected, double tolerance, const char* what) {
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%s is %g instead of %g", what, value, expected);
}

// --------------------------------------------------------------------------- what is counted

static void a_car_that_runs_into_another_does_damage_by_the_square_of_closing_speed(void** state) {
    (void)state;
    kerb_sim_body bodies[2] = {car_at(0.0f, 0.0f, 0.0f, 13.0f), car_at(6.0f, 0.0f, 0.0f, 8.0f)};
    for (int i = 0; i < 240; i++)
        step(bodies, 2);
    assert_int_equal(contacts.contacts, 1);
    assert_int_equal(contacts.hard_contacts, 1);
    expect_near((double)contacts.damage, 25.0, 0.1, "damage");
    for (int i = 0; i < 2; i++) {
        assert_int_equal(contacts.cars[i].contacts, 1);
        assert_int_equal(contacts.cars[i].hard_contacts, 1);
        expect_near((double)contacts.cars[i].damage, 25.0, 0.1, "of each");
    }
    assert_true(bodies[1].forward > bodies[0].forward);
}

static void a_touch_slower_than_a_metre_per_second_is_light(void** state) {
    (void)state;
    kerb_sim_body bodies[2] = {car_at(0.0f, 0.0f, 0.0f, 20.9f), car_at(5.0f, 0.0f, 0.0f, 20.0f)};
    for (int i = 0; i < 480; i++)
        step(bodies, 2);
    assert_int_equal(contacts.contacts, 1);
    assert_int_equal(contacts.hard_contacts, 0);
    expect_near((double)contacts.damage, 0.81, 0.05, "damage");
}

// One that pushes another all the way, and bounces off it a little at first: one contact.
static void pushing_for_long_is_one_contact_and_does_hardly_more_damage(void** state) {
    (void)state;
    kerb_sim_body bodies[2] = {car_at(0.0f, 0.0f, 0.0f, 5.0f), car_at(4.6f, 0.0f, 0.0f, 3.0f)};
    for (int i = 0; i < 240 * 10; i++) {
        step(bodies, 2);
        bodies[0].forward += 2.0f * STEP; // goes on pushing
    }
    assert_int_equal(contacts.contacts, 1);
    assert_true(kerb_scene_race_contacts_touching(&contacts, 0, 1));
    assert_true(contacts.damage > 3.9f && contacts.damage < 5.0f);
}

static void touching_again_within_a_second_is_the_same_contact_and_later_another(void** state) {
    (void)state;
    for (int again = 0; again < 2; again++) {
        memset(&contacts, 0, sizeof contacts);
        kerb_sim_body bodies[2] = {car_at(0.0f, 0.0f, 0.0f, 3.0f), car_at(4.5f, 0.0f, 0.0f, 0.0f)};
        for (int i = 0; i < 30; i++)
            step(bodies, 2);
        assert_int_equal(contacts.contacts, 1);
        int apart = again == 0 ? 200 : 280;
        bodies[0] = car_at(-20.0f, 0.0f, 0.0f, 0.0f);
        bodies[1] = car_at(20.0f, 0.0f, 0.0f, 0.0f);
        for (int i = 0; i < apart; i++)
            step(bodies, 2);
        assert_false(kerb_scene_race_contacts_touching(&contacts, 0, 1));
        bodies[0] = car_at(0.0f, 0.0f, 0.0f, 0.5f);
        bodies[1] = car_at(4.4005f, 0.0f, 0.0f, 0.0f);
        for (int i = 0; i < 5; i++)
            step(bodies, 2);
        assert_int_equal(contacts.contacts, 1 + again);
        assert_int_equal(contacts.hard_contacts, 1); // the second was light
        expect_near((double)contacts.damage, 9.25, 0.1, "damage of both hits");
    }
}

// Steps in a row in which two touch are one hit, and its fastest moment counts.
static void a_hit_counts_by_its_fastest_moment(void** state) {
    (void)state;
    static const float closing[5] = {2.0f, 3.0f, 3.0f, 1.0f, 2.0f};
    for (int i = 0; i < 5; i++) {
        kerb_sim_body bodies[2] = {car_at(0.0f, 0.0f, 0.0f, closing[i]),
                                   car_at(4.3995f, 0.0f, 0.0f, 0.0f)};
        push(bodies, 2);
        assert_true(kerb_scene_race_contacts_touching(&contacts, 0, 1));
    }
    expect_near((double)contacts.damage, 9.0, 1e-3, "damage");
    kerb_sim_body apart[2] = {car_at(0.0f, 0.0f, 0.0f, 0.0f), car_at(9.0f, 0.0f, 0.0f, 0.0f)};
    push(apart, 2);
    kerb_sim_body again[2] = {car_at(0.0f, 0.0f, 0.0f, 2.0f), car_at(4.3995f, 0.0f, 0.0f, 0.0f)};
    push(again, 2);
    expect_near((double)contacts.damage, 13.0, 1e-3, "damage of the next hit");
    assert_int_equal(contacts.contacts, 1);
}

static void a_light_contact_that_grows_hard_counts_as_hard_once(void** state) {
    (void)state;
    kerb_sim_body bodies[2] = {car_at(0.0f, 0.0f, 0.0f, 0.5f), car_at(4.4005f, 0.0f, 0.0f, 0.0f)};
    for (int i = 0; i < 5; i++)
        step(bodies, 2);
    assert_int_equal(contacts.hard_contacts, 0);
    bodies[0] = car_at(0.0f, 0.0f, 0.0f, 4.0f);
    bodies[1] = car_at(4.41f, 0.0f, 0.0f, 0.0f);
    for (int i = 0; i < 60; i++)
        step(bodies, 2);
    assert_int_equal(contacts.contacts, 1);
    assert_int_equal(contacts.hard_contacts, 1);
}

static void cars_on_a_bridge_do_not_touch_those_under_it(void** state) {
    (void)state;
    kerb_sim_body bodies[2] = {car_at(0.0f, 0.0f, 0.0f, 5.0f), car_at(0.0f, 0.0f, 1.5f, 5.0f)};
    bodies[1].position.z = 5.0f;
    step(bodies, 2);
    assert_int_equal(contacts.contacts, 0);
    bodies[1].position.z = 0.5f;
    step(bodies, 2);
    assert_int_equal(contacts.contacts, 1);
}

static void walls_damage_a_car_alone(void** state) {
    (void)state;
    kerb_sim_contact found[2] = {{.closing_speed = 2.0f}, {.closing_speed = 3.0f}};
    for (int i = 0; i < 240; i++)
        kerb_scene_race_contacts_note_solid(&contacts, 4, found, i == 0 ? 2 : 0, 2, STEP);
    for (int i = 0; i < 240 * 2; i++)
        kerb_scene_race_contacts_note_solid(&contacts, 4, found, i == 240 ? 1 : 0, 2, STEP);
    assert_int_equal(contacts.cars[4].solid_contacts, 2);
    expect_near((double)contacts.cars[4].damage, 13.0, 1e-5, "damage");
    assert_int_equal(contacts.contacts, 0);
    assert_true(contacts.damage == 0.0f);
}

// --------------------------------------------------------------------------- who touches whom

// By brute force over all pairs: none is left out that touches, and none is made up.
static void twenty_cars_in_a_heap_are_pushed_as_every_pair_by_itself(void** state) {
    (void)state;
    kerb_random random = test_random("twenty_cars_in_a_heap_are_pushed_as_every_pair_by_itself");
    int32_t alone = 0, found = 0;
    for (int round = 0; round < 40; round++) {
        memset(&contacts, 0, sizeof contacts);
        kerb_sim_body bodies[20];
        float size = kerb_random_between(&random, 20.0f, 120.0f);
        for (int i = 0; i < 20; i++)
            bodies[i] = car_at(kerb_random_between(&random, 0.0f, size),
                               kerb_random_between(&random, 0.0f, size),
                               kerb_random_between(&random, -3.0f, 3.0f),
                               kerb_random_between(&random, 0.0f, 20.0f));
        for (int i = 0; i < 60; i++) {
            for (int k = 0; k < 20; k++)
                move(&bodies[k]);
            int32_t touched[20] = {0}, with[20], before = 0;
            for (int32_t a = 0; a < 20; a++) {
                for (int32_t b = 0; b < 20; b++) {
                    kerb_sim_body one = bodies[a], other = bodies[b];
                    if (a != b && kerb_sim_bodies_push(&one, &other, NULL)) {
                        touched[a]++;
                        with[a] = b;
                        before++;
                    }
                }
            }
            push(bodies, 20);
            for (int32_t a = 0; a < 20; a++) {
                // Where several touch, one push may free or cause another.
                if (touched[a] == 1 && touched[with[a]] == 1) {
                    alone++;
                    bool hit = kerb_scene_race_contacts_touching(&contacts, a, with[a]);
                    found += hit ? 1 : 0;
                    assert_true(hit || before > 2);
                }
                for (int32_t b = 0; b < 20 && before == 0; b++)
                    assert_false(kerb_scene_race_contacts_touching(&contacts, a, b));
            }
        }
    }
    assert_true(alone > 500 && found > alone - alone / 50);
}

// With the order of another step remembered, or none: the same bodies give the same answer.
static void the_answer_does_not_depend_on_steps_before(void** state) {
    (void)state;
    kerb_random random = test_random("the_answer_does_not_depend_on_steps_before");
    kerb_sim_sweep used = {.ordered = 0};
    for (int round = 0; round < 100; round++) {
        kerb_sim_body bodies[16], same[16];
        for (int i = 0; i < 16; i++)
            same[i] = bodies[i] =
                car_at(kerb_random_between(&random, 0.0f, 20.0f),
                       kerb_random_between(&random, 0.0f, 20.0f), 0.3f * (float)i, 10.0f);
        kerb_sim_sweep fresh = {.ordered = 0};
        kerb_sim_group_touch found[120], found_again[120];
        int32_t touches = kerb_sim_sweep_push(&used, bodies, 16, found, 120);
        assert_int_equal(kerb_sim_sweep_push(&fresh, same, 16, found_again, 120), touches);
        assert_memory_equal(bodies, same, sizeof bodies);
        for (int32_t i = 0; i < touches; i++)
            assert_memory_equal(&found[i], &found_again[i], sizeof found[i]);
    }
}

static void cars_that_are_not_numbers_touch_nobody(void** state) {
    (void)state;
    kerb_sim_body bodies[4] = {car_at(NAN, 0.0f, 0.0f, 1.0f), car_at(0.0f, 0.0f, 0.0f, 9.0f),
                               car_at(INFINITY, 0.0f, 0.0f, 1.0f), car_at(4.0f, 0.0f, 0.0f, 1.0f)};
    push(bodies, 4);
    assert_int_equal(contacts.contacts, 1);
    assert_true(kerb_scene_race_contacts_touching(&contacts, 3, 1));
    assert_false(kerb_scene_race_contacts_touching(&contacts, 0, 1));
    assert_false(kerb_scene_race_contacts_touching(&contacts, 2, 2));
    push(bodies, 0);
}

int race_contacts_tests(void) {
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup(name, set_up)
        TEST(a_car_that_runs_into_another_does_damage_by_the_square_of_closing_speed),
        TEST(a_touch_slower_than_a_metre_per_second_is_light),
        TEST(pushing_for_long_is_one_contact_and_does_hardly_more_damage),
        TEST(touching_again_within_a_second_is_the_same_contact_and_later_another),
        TEST(a_hit_counts_by_its_fastest_moment),
        TEST(a_light_contact_that_grows_hard_counts_as_hard_once),
        TEST(cars_on_a_bridge_do_not_touch_those_under_it),
        TEST(walls_damage_a_car_alone),
        TEST(twenty_cars_in_a_heap_are_pushed_as_every_pair_by_itself),
        TEST(the_answer_does_not_depend_on_steps_before),
        TEST(cars_that_are_not_numbers_touch_nobody),
#undef TEST
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
