// Formations of every kind of vehicle: slots are met and kept.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "scene/plan/kind_formation.h"
#include "test/kind_rig.h"

#include <math.h>
#include <stdio.h>

// Followers come from elsewhere and keep a slot behind and beside, in space also above or below,
// through a bend. The offset from the leader is within a tenth of the length or 0.3 m then.
static void keep_slots(const char* name, int32_t count, int32_t least_percent) {
    kerb_scene_kind k;
    kerb_random random = test_random(name);
    assert_true(kerb_scene_kind_make(name, &k));
    int32_t met = 0, near = 0;
    float worst = 0.0f;
    for (int32_t i = 0; i < count; i++) {
        float size = 10.0f * k.accepted;
        kerb_vec3 slot = {-kerb_random_between(&random, size, 3.0f * size),
                          kerb_random_between(&random, -1.5f * size, 1.5f * size),
                          k.kind.space ? kerb_random_between(&random, -size, size) : 0.0f};
        kerb_scene_kind_company c;
        assert_true(kerb_scene_kind_formation_drive(&k, slot, &random, &c));
        met += c.met ? 1 : 0;
        near += c.met && c.error_max <= k.accepted ? 1 : 0;
        worst = kerb_max(worst, c.error_max);
    }
    print_message("%s: %d of %d met, %d kept, greatest error of the offset %.3f m\n", name, met,
                  count, near, (double)worst);
    assert_true(met * 100 >= count * 90);
    assert_true(near * 100 >= count * least_percent);
}

static void kinds_in_the_plane_keep_their_slots(void** unused) {
    (void)unused;
    const char* names[] = {"ship", "pedestrian", "hovercraft", "trailer", "motorcycle", "tank"};
    for (int32_t i = 0; i < 6; i++)
        keep_slots(names[i], test_share(6, 2), 90);
}

static void kinds_in_space_keep_their_slots(void** unused) {
    (void)unused;
    const char* names[] = {"helicopter", "drone", "rocket", "submarine"};
    for (int32_t i = 0; i < 4; i++)
        keep_slots(names[i], test_share(6, 2), 90);
    keep_slots("airplane", test_share(15, 2), test_share(70, 50));
}

// What coasts takes part in a formation by the plan of its leader, moved by the offset.
static void a_spacecraft_flies_beside_another_by_its_plan(void** unused) {
    (void)unused;
    kerb_random random = test_random("squadron");
    kerb_scene_kind k;
    assert_true(kerb_scene_kind_make("spacecraft", &k));
    kerb_kind_planner planner = kind_rig_planner(&k.kind);
    for (int32_t i = 0; i < test_share(20, 3); i++) {
        kind_ends ends;
        kerb_scene_kind_ends(&k, &random, ends.from, ends.to);
        assert_int_equal(kind_rig_run(&planner, &ends), KERB_PLAN_FOUND);
        kerb_kind_plan plan = kerb_kind_planner_get_plan(&planner), moved = plan;
        const float offset[3] = {30.0f, -20.0f, 15.0f};
        static float states[(KERB_KIND_PIECES_MAX + 1) * KERB_KIND_STATES_MAX];
        for (int32_t s = 0; s < (plan.count + 1) * KERB_KIND_STATES_MAX; s++) {
            int32_t axis = s % KERB_KIND_STATES_MAX;
            states[s] = plan.states[s] + (axis < 3 ? offset[axis] : 0.0f);
        }
        moved.states = states;
        for (int32_t axis = 0; axis < 3; axis++) {
            ends.from[axis] += offset[axis];
            ends.to[axis] += offset[axis];
        }
        assert_int_equal(kerb_kind_check(&k.kind, ends.from, ends.to, NULL, &moved, NULL), KERB_OK);
        kerb_scene_kind_ride leader = kerb_scene_kind_ride_make(&k, plan.states);
        kerb_scene_kind_ride wing = kerb_scene_kind_ride_make(&k, states);
        for (float time = 0.0f; time < plan.time; time += 0.02f) {
            float a[KERB_KIND_STATES_MAX], b[KERB_KIND_STATES_MAX];
            kerb_scene_kind_ride_decide(&leader, &plan, 0.02f);
            kerb_scene_kind_ride_decide(&wing, &moved, 0.02f);
            kerb_scene_kind_ride_move(&leader, 0.02f);
            kerb_scene_kind_ride_move(&wing, 0.02f);
            kerb_scene_kind_ride_state(&leader, a);
            kerb_scene_kind_ride_state(&wing, b);
            for (int32_t axis = 0; axis < 3; axis++)
                assert_true(kerb_abs(b[axis] - a[axis] - offset[axis]) < k.accepted);
        }
    }
    kerb_kind_planner_destroy(&planner);
}

static void one_that_cannot_keep_a_place_says_so(void** unused) {
    (void)unused;
    kerb_spacecraft craft = kerb_spacecraft_default();
    kerb_kind coasts = kerb_kind_of_spacecraft(&craft);
    kerb_rotorcraft drone = kerb_drone_default();
    kerb_kind hovers = kerb_kind_of_rotorcraft(&drone);
    kerb_kind_driver one = kerb_kind_driver_make(&coasts), other = kerb_kind_driver_make(&hovers);
    kerb_motion motion = kerb_motion_default();
    kerb_kind_place place = {.forward = {1.0f, 0.0f, 0.0f}, .speed = 1.0f};
    assert_int_equal(kerb_kind_driver_keep(&one, &place, &motion, NULL, 0.02f).reason,
                     KERB_REASON_GIVEN_UP);
    assert_int_equal(kerb_kind_driver_keep(&other, &place, &motion, NULL, 0.02f).reason,
                     KERB_REASON_CRUISE);
    place.position.x = 500.0f;
    assert_int_equal(kerb_kind_driver_keep(&other, &place, &motion, NULL, 0.02f).reason,
                     KERB_REASON_GIVEN_UP);
    motion.position.x = NAN;
    assert_int_equal(kerb_kind_driver_keep(&other, &place, &motion, NULL, 0.02f).reason,
                     KERB_REASON_BAD_MOTION);
}

int kind_keep_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kinds_in_the_plane_keep_their_slots),
        cmocka_unit_test(kinds_in_space_keep_their_slots),
        cmocka_unit_test(a_spacecraft_flies_beside_another_by_its_plan),
        cmocka_unit_test(one_that_cannot_keep_a_place_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
