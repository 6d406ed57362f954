// Places that move, for every kind of vehicle: chases and states at places.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "scene/plan/kind_course.h"
#include "scene/plan/kind_formation.h"
#include "test/kind_rig.h"

#include <math.h>
#include <stdio.h>

static const char* kind_named(kerb_scene_kind* k, int32_t name) {
    const char* text = kerb_scene_kind_text((kerb_scene_kind_name)name);
    assert_true(kerb_scene_kind_make(text, k));
    return text;
}

// A place that moves on straight or in a wide bend, where the kind has its random goals.
static kerb_kind_place random_place(const kerb_scene_kind* k, kerb_random* random) {
    float from[KERB_KIND_STATES_MAX], to[KERB_KIND_STATES_MAX], sine, cosine;
    kerb_scene_kind_ends(k, random, from, to);
    kerb_sin_cos(kerb_random_between(random, -KERB_PI, KERB_PI), &sine, &cosine);
    kerb_kind_place place = {.forward = {cosine, sine, 0.0f}};
    place.position = kerb_vec3_make(to[0], to[1], k->kind.space ? to[2] : 0.0f);
    place.speed = kerb_scene_kind_pace(k) * kerb_random_between(random, 0.3f, 1.0f);
    if (k->name == KERB_SCENE_AIRPLANE) // which plans with speeds near its cruise speed
        place.speed = k->airplane.cruise_speed * kerb_random_between(random, 0.8f, 0.9f);
    if (kerb_random_below(random, 2) == 0)
        place.curvature = kerb_random_between(random, -0.3f, 0.3f) / kerb_scene_kind_circle(k);
    return place;
}

// --------------------------------------------------------------------------- states at places

// A place goes on as a vehicle that turns evenly: against small steps.
static void a_place_moves_on_along_its_arc(void** unused) {
    (void)unused;
    kerb_random random = test_random("arcs");
    for (int32_t i = 0; i < 1000; i++) {
        float climb = kerb_random_between(&random, -0.3f, 0.3f),
              level = kerb_sqrt(1 - climb * climb);
        kerb_kind_place place = {.forward = {level, 0.0f, climb},
                                 .speed = kerb_random_between(&random, 0.0f, 30.0f),
                                 .curvature = kerb_random_between(&random, -0.05f, 0.05f)};
        double x = 0, y = 0, z = 0, heading = 0, step = 1e-3;
        for (int32_t k = 0; k < 2000; k++) {
            double middle = heading + 0.5 * step * (double)(place.speed * place.curvature);
            x += step * (double)(place.speed * level) * cos(middle);
            y += step * (double)(place.speed * level) * sin(middle);
            z += step * (double)(place.speed * climb);
            heading += step * (double)(place.speed * place.curvature);
        }
        kerb_kind_place after = kerb_kind_place_after(&place, 2.0f);
        assert_float_equal(after.position.x, (float)x, 1e-2f);
        assert_float_equal(after.position.y, (float)y, 1e-2f);
        assert_float_equal(after.position.z, (float)z, 1e-3f);
        assert_float_equal(after.forward.x, level * (float)cos(heading), 1e-3f);
        assert_float_equal(after.forward.y, level * (float)sin(heading), 1e-3f);
    }
}

// The model of a kind, with the state and control of a place, moves as the place does for a while.
static void the_state_at_a_place_moves_with_it(void** unused) {
    (void)unused;
    kerb_random random = test_random("trims");
    for (int32_t n = 0; n < KERB_SCENE_KIND_COUNT; n++) {
        kerb_scene_kind k;
        kind_named(&k, n);
        if (k.kind.space && k.kind.space->coasts)
            continue;
        float worst = 0.0f, time = 10.0f * k.kind.step_max;
        for (int32_t i = 0; i < test_share(1000, 100); i++) {
            kerb_kind_place place = random_place(&k, &random);
            place.position = kerb_vec3_make(0.0f, 0.0f, 0.0f);
            float state[KERB_KIND_STATES_MAX], control[KERB_KIND_CONTROLS_MAX];
            kerb_kind_state_at(&k.kind, &place, state, control);
            for (int32_t step = 0; step < 200; step++) { // Euler's rule in the middle
                float rates[KERB_KIND_STATES_MAX] = {0.0f}, half[KERB_KIND_STATES_MAX] = {0.0f};
                k.kind.rates(k.kind.vehicle, state, control, rates);
                for (int32_t s = 0; s < k.kind.states; s++)
                    half[s] = state[s] + 0.5f * time / 200.0f * rates[s];
                k.kind.rates(k.kind.vehicle, half, control, rates);
                for (int32_t s = 0; s < k.kind.states; s++)
                    state[s] += time / 200.0f * rates[s];
            }
            kerb_kind_place after = kerb_kind_place_after(&place, time);
            kerb_vec3 is = {state[0], state[1], k.kind.space ? state[2] : 0.0f};
            after.position.z = k.kind.space ? after.position.z : 0.0f;
            float off = kerb_vec3_length(kerb_vec3_sub(is, after.position));
            worst = kerb_max(worst, off / k.kind.error[0]);
        }
        print_message("%s: off by %.3f of its error in %.1f s\n", k.kind.name, (double)worst,
                      (double)time);
        assert_true(worst < 0.5f);
    }
}

// --------------------------------------------------------------------------- chases

static void finish_chase(kerb_kind_chase* chase, kerb_kind_planner* planner, int32_t slice) {
    while (kerb_kind_chase_advance(chase, planner, slice) == KERB_PLAN_RUNNING)
        continue;
}

// Nearly all targets are met by plans that pass the checker, after the bound.
static void places_that_move_are_met_by_every_kind(void** unused) {
    (void)unused;
    kerb_random random = test_random("chases");
    for (int32_t n = 0; n < KERB_SCENE_KIND_COUNT; n++) {
        kerb_scene_kind k;
        kind_named(&k, n);
        kerb_kind_planner planner = kind_rig_planner(&k.kind);
        int32_t asked = test_share(40, 5), met = 0, punctual = 0, tries = 0;
        for (int32_t i = 0; i < asked; i++) {
            float from[KERB_KIND_STATES_MAX], to[KERB_KIND_STATES_MAX];
            kerb_scene_kind_ends(&k, &random, from, to);
            kerb_kind_target target = kerb_kind_target_make(random_place(&k, &random));
            target.horizon = 3600.0f;
            kerb_kind_chase chase;
            kerb_error error;
            assert_int_equal(kerb_kind_chase_begin(&chase, &planner, from, &target, &error),
                             KERB_OK);
            finish_chase(&chase, &planner, 100);
            kerb_plan_meeting m = kerb_kind_chase_meeting(&chase);
            tries += m.tries;
            if (!m.is_met)
                continue;
            met++;
            punctual += m.early <= (k.kind.space && k.kind.space->coasts ? 0.11f : 2e-3f) ? 1 : 0;
            kerb_kind_plan plan = kerb_kind_planner_get_plan(&planner);
            float goal[KERB_KIND_STATES_MAX];
            kerb_kind_place place = kerb_kind_target_at(&target, m.time);
            kerb_kind_state_at(&k.kind, &place, goal, NULL);
            if (kerb_kind_check(&k.kind, from, goal, NULL, &plan, &error) != KERB_OK)
                fail_msg("%s %d: piece %d: %s %s", k.kind.name, i, error.index, error.field,
                         error.message);
            assert_float_equal(m.time - plan.time, m.early, 2e-3f);
            assert_true(m.time >= 0.999f * m.time_bound - 0.02f);
        }
        print_message("%s: %d of %d met, %d of them at the very time, %.1f queries\n", k.kind.name,
                      met, asked, punctual, (double)tries / (double)asked);
        assert_true(met * 10 >= asked * 8);
        assert_true(punctual * 10 >= met * 8);
        kerb_kind_planner_destroy(&planner);
    }
}

// A drone from rest, and a place that moves away from it along a line: the time of meeting is where
// its own closed form, a plan to the place at that time, takes as long.
static void a_meeting_is_the_first_at_which_the_plan_is_not_late(void** unused) {
    (void)unused;
    kerb_random random = test_random("earliest");
    kerb_rotorcraft drone = kerb_drone_default();
    kerb_kind kind = kerb_kind_of_rotorcraft(&drone);
    kerb_kind_planner planner = kind_rig_planner(&kind);
    for (int32_t i = 0; i < test_share(200, 20); i++) {
        kind_ends ends = {{0.0f}, {0.0f}};
        kerb_kind_place place = {
            .position = {kerb_random_between(&random, 5.0f, 100.0f), 0.0f, 0.0f},
            .forward = {1.0f, 0.0f, 0.0f},
            .speed = kerb_random_between(&random, 0.5f, 8.0f)};
        kerb_kind_target target = kerb_kind_target_make(place);
        kerb_kind_chase chase;
        assert_int_equal(kerb_kind_chase_begin(&chase, &planner, ends.from, &target, NULL),
                         KERB_OK);
        finish_chase(&chase, &planner, 7);
        float met = kerb_kind_chase_meeting(&chase).time, earliest = 0.0f;
        for (float time = 0.2f; earliest == 0.0f; time += 0.2f) {
            kerb_kind_place at = kerb_kind_target_at(&target, time);
            kerb_kind_state_at(&kind, &at, ends.to, NULL);
            assert_int_equal(kind_rig_run(&planner, &ends), KERB_PLAN_FOUND);
            if (kerb_kind_planner_get_plan(&planner).time <= time)
                earliest = time;
        }
        assert_true(kerb_abs(met - earliest) < 0.45f);
    }
    kerb_kind_planner_destroy(&planner);
}

// A slot that comes from behind: an airplane and a submarine, which move on whatever they do, and a
// drone are where it is at the very time, with its speed.
static void places_that_come_from_behind_are_waited_for(void** unused) {
    (void)unused;
    kerb_random random = test_random("from behind");
    const char* names[] = {"airplane", "submarine", "drone"};
    for (int32_t n = 0; n < 3; n++) {
        kerb_scene_kind k;
        assert_true(kerb_scene_kind_make(names[n], &k));
        kerb_kind_planner planner = kind_rig_planner(&k.kind);
        int32_t asked = test_share(40, 5), punctual = 0;
        for (int32_t i = 0; i < asked; i++) {
            float circle = kerb_scene_kind_circle(&k), from[KERB_KIND_STATES_MAX];
            float goal[KERB_KIND_STATES_MAX];
            kerb_kind_place own = {.forward = {1.0f, 0.0f, 0.0f}}, slot;
            own.speed = kerb_scene_kind_pace(&k);
            slot = own;
            slot.position.x = -circle * kerb_random_between(&random, 0.1f, 1.0f);
            slot.position.y = circle * kerb_random_between(&random, -0.3f, 0.3f);
            kerb_kind_state_at(&k.kind, &own, from, NULL);
            kerb_kind_target target = kerb_kind_target_make(slot);
            kerb_kind_chase chase;
            assert_int_equal(kerb_kind_chase_begin(&chase, &planner, from, &target, NULL), KERB_OK);
            finish_chase(&chase, &planner, 100);
            kerb_plan_meeting m = kerb_kind_chase_meeting(&chase);
            assert_true(m.is_met);
            punctual += m.early <= 2e-3f ? 1 : 0;
            kerb_kind_plan plan = kerb_kind_planner_get_plan(&planner);
            kerb_kind_place place = kerb_kind_target_at(&target, m.time);
            kerb_kind_state_at(&k.kind, &place, goal, NULL);
            assert_int_equal(kerb_kind_check(&k.kind, from, goal, NULL, &plan, NULL), KERB_OK);
        }
        print_message("%s: %d of %d at the very time\n", k.kind.name, punctual, asked);
        assert_true(punctual * 10 >= asked * 9);
        kerb_kind_planner_destroy(&planner);
    }
}

static void a_chase_does_not_depend_on_its_slices(void** unused) {
    (void)unused;
    kerb_random random = test_random("slices");
    for (int32_t n = 0; n < KERB_SCENE_KIND_COUNT; n += 3) {
        kerb_scene_kind k;
        kind_named(&k, n);
        kerb_kind_planner planner = kind_rig_planner(&k.kind);
        const float from[KERB_KIND_STATES_MAX] = {0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 1.0f};
        kerb_kind_target target = kerb_kind_target_make(random_place(&k, &random));
        kerb_kind_chase one, many;
        assert_int_equal(kerb_kind_chase_begin(&one, &planner, from, &target, NULL), KERB_OK);
        finish_chase(&one, &planner, 100000);
        float time = kerb_kind_planner_get_plan(&planner).time;
        assert_int_equal(kerb_kind_chase_begin(&many, &planner, from, &target, NULL), KERB_OK);
        finish_chase(&many, &planner, 1);
        assert_true(time == kerb_kind_planner_get_plan(&planner).time);
        assert_true(one.made.time == many.made.time && one.made.tries == many.made.tries);
        kerb_kind_planner_destroy(&planner);
    }
}

static void a_place_that_stands_is_met_when_the_plan_arrives(void** unused) {
    (void)unused;
    kerb_pedestrian pedestrian = kerb_pedestrian_default();
    kerb_kind kind = kerb_kind_of_pedestrian(&pedestrian);
    kerb_kind_planner planner = kind_rig_planner(&kind);
    const float from[KERB_KIND_STATES_MAX] = {0.0f};
    kerb_kind_place place = {.position = {6.0f, 1.0f, 0.0f}, .forward = {0.0f, 1.0f, 0.0f}};
    kerb_kind_target target = kerb_kind_target_make(place);
    kerb_kind_chase chase;
    assert_int_equal(kerb_kind_chase_begin(&chase, &planner, from, &target, NULL), KERB_OK);
    finish_chase(&chase, &planner, 10);
    kerb_plan_meeting m = kerb_kind_chase_meeting(&chase);
    assert_true(m.is_met && m.tries == 1);
    assert_float_equal(m.time, kerb_kind_planner_get_plan(&planner).time, 1e-4f);
    kerb_kind_planner_destroy(&planner);
}

static void a_target_that_is_too_fast_is_late(void** unused) {
    (void)unused;
    kerb_rotorcraft drone = kerb_drone_default();
    kerb_kind kind = kerb_kind_of_rotorcraft(&drone);
    kerb_kind_planner planner = kind_rig_planner(&kind);
    const float from[KERB_KIND_STATES_MAX] = {0.0f};
    kerb_kind_place place = {
        .position = {200.0f, 0.0f, 0.0f}, .forward = {1.0f, 0.0f, 0.0f}, .speed = 14.9f};
    kerb_kind_target target = kerb_kind_target_make(place);
    target.horizon = 20.0f;
    kerb_kind_chase chase;
    assert_int_equal(kerb_kind_chase_begin(&chase, &planner, from, &target, NULL), KERB_OK);
    finish_chase(&chase, &planner, 10);
    kerb_plan_meeting m = kerb_kind_chase_meeting(&chase);
    assert_true(!m.is_met && m.early < -1.0f);
    assert_true(kerb_kind_planner_get_plan(&planner).count > 0);
    kerb_kind_planner_destroy(&planner);
}

static void bad_targets_are_refused(void** unused) {
    (void)unused;
    kerb_rotorcraft drone = kerb_drone_default();
    kerb_kind kind = kerb_kind_of_rotorcraft(&drone);
    kerb_kind_planner planner = kind_rig_planner(&kind);
    const float from[KERB_KIND_STATES_MAX] = {0.0f};
    const kerb_kind_target good =
        kerb_kind_target_make((kerb_kind_place){.forward = {1.0f, 0.0f, 0.0f}, .speed = 1.0f});
    kerb_kind_target bad[5] = {good, good, good, good, good};
    bad[0].place.speed = -1.0f;
    bad[1].place.forward.x = 2.0f;
    bad[2].place.position.y = NAN;
    bad[3].horizon = NAN;
    bad[4].place.curvature = 1e9f;
    for (int32_t i = 0; i < 5; i++) {
        kerb_kind_chase chase;
        kerb_error error;
        assert_int_not_equal(kerb_kind_chase_begin(&chase, &planner, from, &bad[i], &error),
                             KERB_OK);
        assert_string_equal(error.field, i == 3 ? "horizon" : "place");
        assert_int_equal(kerb_kind_chase_advance(&chase, &planner, 10), KERB_PLAN_NO_PATH);
        assert_int_equal(kerb_kind_planner_get_plan(&planner).count, 0);
    }
    kerb_kind_planner_destroy(&planner);
}

int kind_chase_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_place_moves_on_along_its_arc),
        cmocka_unit_test(the_state_at_a_place_moves_with_it),
        cmocka_unit_test(places_that_move_are_met_by_every_kind),
        cmocka_unit_test(a_meeting_is_the_first_at_which_the_plan_is_not_late),
        cmocka_unit_test(places_that_come_from_behind_are_waited_for),
        cmocka_unit_test(a_chase_does_not_depend_on_its_slices),
        cmocka_unit_test(a_place_that_stands_is_met_when_the_plan_arrives),
        cmocka_unit_test(a_target_that_is_too_fast_is_late),
        cmocka_unit_test(bad_targets_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
