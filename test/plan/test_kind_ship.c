// Plans for ships, against the checker, their bound, closed forms and the world.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "test/kind_rig.h"

static kind_ends random_ends(kerb_random* random, const kerb_ship* ship, float radii) {
    kind_ends ends;
    kind_rig_place(random, radii * ship->turning_radius, ends.to);
    memset(ends.from, 0, sizeof ends.from);
    ends.from[2] = kerb_random_between(random, -KERB_PI, KERB_PI);
    ends.from[3] = kerb_random_between(random, 0.0f, ship->speed_max);
    if (kerb_random_below(random, 2) == 0)
        ends.to[3] = kerb_random_between(random, 0.0f, 0.75f * ship->speed_max);
    return ends;
}

static void plans_are_found_and_pass_the_checker(void** unused) {
    (void)unused;
    kerb_random random = test_random("ships");
    kerb_ship ship = kerb_ship_default();
    kerb_kind kind = kerb_kind_of_ship(&ship);
    kerb_kind_planner planner = kind_rig_planner(&kind);
    int32_t count = test_share(300, 40), found = 0;
    for (int32_t i = 0; i < count; i++) {
        ship.current = kerb_vec2_make(kerb_random_between(&random, -0.5f, 0.5f),
                                      kerb_random_between(&random, -0.5f, 0.5f));
        kind_ends ends = random_ends(&random, &ship, i % 2 == 0 ? 4.0f : 15.0f);
        if (kind_rig_run(&planner, &ends) != KERB_PLAN_FOUND)
            continue;
        found++;
        kerb_kind_plan plan = kerb_kind_planner_get_plan(&planner);
        kerb_error error;
        if (kerb_kind_check(&kind, ends.from, ends.to, NULL, &plan, &error) != KERB_OK)
            fail_msg("goal %d, piece %d: %s %s", i, error.index, error.field, error.message);
        assert_true(plan.lower_bound <= plan.time);
    }
    print_message("%d of %d found\n", found, count);
    assert_true(found * 100 >= count * 99);
    kerb_kind_planner_destroy(&planner);
}

// Distance and time of full ahead for `ahead` seconds and full astern to rest, with a share of the
// power, in small steps.
static void dash(const kerb_ship* ship, float share, double ahead, double* distance, double* time) {
    double speed = 0.0, step = 0.01, drag = (double)ship->acceleration / (double)ship->speed_max;
    drag /= (double)ship->speed_max;
    *distance = *time = 0.0;
    while (*time < ahead || speed > 0.0) {
        double push =
            *time < ahead ? (double)(share * ship->acceleration) : -(double)(share * ship->astern);
        speed += (push - drag * speed * speed) * step;
        *distance += speed * step;
        *time += step;
    }
}

static void straight_ahead_it_is_almost_as_fast_as_full_ahead_and_full_astern(void** unused) {
    (void)unused;
    kerb_ship ship = kerb_ship_default();
    kerb_kind kind = kerb_kind_of_ship(&ship);
    kerb_kind_planner planner = kind_rig_planner(&kind);
    float share = kind.control_share;
    for (int32_t i = 1; i <= 4; i++) {
        double distance, time;
        dash(&ship, share, 150.0 * i, &distance, &time);
        kind_ends ends = {.to = {(float)distance}};
        assert_int_equal(kind_rig_run(&planner, &ends), KERB_PLAN_FOUND);
        kerb_kind_plan plan = kerb_kind_planner_get_plan(&planner);
        print_message("%.0f m: %.1f s, fastest %.1f s\n", distance, (double)plan.time, time);
        assert_true((double)plan.time < 1.03 * time && (double)plan.time > 0.99 * time);
    }
    kerb_kind_planner_destroy(&planner);
}

static void a_plan_that_is_changed_is_refused(void** unused) {
    (void)unused;
    kerb_ship ship = kerb_ship_default();
    kerb_kind kind = kerb_kind_of_ship(&ship);
    kerb_kind_planner planner = kind_rig_planner(&kind);
    kind_ends ends = {.from = {0.0f, 0.0f, 0.0f, 5.0f}, .to = {900.0f, 500.0f, 1.5f}};
    assert_int_equal(kind_rig_run(&planner, &ends), KERB_PLAN_FOUND);
    kerb_kind_plan plan = kerb_kind_planner_get_plan(&planner), broken = plan;
    assert_int_equal(kerb_kind_check(&kind, ends.from, ends.to, NULL, &plan, NULL), KERB_OK);
    static float controls[KERB_KIND_PIECES_MAX * KERB_KIND_CONTROLS_MAX];
    memcpy(controls, plan.controls, sizeof(float) * (size_t)plan.count * KERB_KIND_CONTROLS_MAX);
    broken.controls = controls;
    float kept = controls[10 * KERB_KIND_CONTROLS_MAX];
    controls[10 * KERB_KIND_CONTROLS_MAX] = kept > 0.0f ? kept - 0.3f : kept + 0.3f;
    assert_int_equal(kerb_kind_check(&kind, ends.from, ends.to, NULL, &broken, NULL),
                     KERB_ERROR_CONTRADICTION);
    controls[10 * KERB_KIND_CONTROLS_MAX] = 1.2f;
    assert_int_equal(kerb_kind_check(&kind, ends.from, ends.to, NULL, &broken, NULL),
                     KERB_ERROR_OUT_OF_RANGE);
    broken = plan;
    broken.time *= 0.9f;
    assert_int_equal(kerb_kind_check(&kind, ends.from, ends.to, NULL, &broken, NULL),
                     KERB_ERROR_CONTRADICTION);
    ends.to[0] += 2.0f;
    assert_int_equal(kerb_kind_check(&kind, ends.from, ends.to, NULL, &plan, NULL),
                     KERB_ERROR_CONTRADICTION);
    // The middle of the plan as an obstacle.
    const float* middle = plan.states + (size_t)(plan.count / 2) * KERB_KIND_STATES_MAX;
    const kerb_vec2 corners[3] = {
        {middle[0], middle[1]}, {middle[0] + 1.0f, middle[1]}, {middle[0], middle[1] + 1.0f}};
    const int32_t corner_count = 3;
    const kerb_plan_world world = {
        .vertices = corners, .vertex_counts = &corner_count, .polygon_count = 1};
    ends.to[0] -= 2.0f;
    assert_int_equal(kerb_kind_check(&kind, ends.from, ends.to, &world, &plan, NULL),
                     KERB_ERROR_OUT_OF_RANGE);
    kerb_kind_planner_destroy(&planner);
}

static void it_goes_round_islands(void** unused) {
    (void)unused;
    kerb_random random = test_random("islands");
    kerb_ship ship = kerb_ship_default();
    kerb_kind kind = kerb_kind_of_ship(&ship);
    kerb_kind_planner planner = kind_rig_planner(&kind);
    int32_t found = 0, count = test_share(20, 4);
    for (int32_t i = 0; i < count; i++) {
        float x = kerb_random_between(&random, 1800.0f, 2600.0f);
        float y = kerb_random_between(&random, -300.0f, 300.0f);
        const kerb_vec2 corners[4] = {
            {x, y - 400.0f}, {x + 400.0f, y - 300.0f}, {x + 300.0f, y + 300.0f}, {x, y + 400.0f}};
        const int32_t corner_count = 4;
        const kerb_plan_world world = {
            .vertices = corners, .vertex_counts = &corner_count, .polygon_count = 1};
        assert_int_equal(kerb_kind_planner_set_world(&planner, &world, NULL), KERB_OK);
        kind_ends ends = {.to = {4500.0f, 0.0f, kerb_random_between(&random, -1.0f, 1.0f)}};
        if (kind_rig_run(&planner, &ends) != KERB_PLAN_FOUND)
            continue;
        found++;
        kerb_kind_plan plan = kerb_kind_planner_get_plan(&planner);
        assert_int_equal(kerb_kind_check(&kind, ends.from, ends.to, &world, &plan, NULL), KERB_OK);
    }
    print_message("%d of %d found\n", found, count);
    assert_true(found * 10 >= count * 9);
    kerb_kind_planner_destroy(&planner);
}

static void bad_input_is_named(void** unused) {
    (void)unused;
    kerb_ship ship = kerb_ship_default();
    kerb_kind kind = kerb_kind_of_ship(&ship);
    kerb_kind_planner planner = kind_rig_planner(&kind);
    kerb_error error;
    kind_ends ends = {.from = {0.0f, NAN}};
    assert_int_equal(kerb_kind_planner_begin(&planner, ends.from, ends.to, &error),
                     KERB_ERROR_NOT_FINITE);
    assert_string_equal(error.field, "from");
    assert_int_equal(error.index, 1);
    ends.from[1] = 2e6f;
    assert_int_equal(kerb_kind_planner_begin(&planner, ends.to, ends.from, &error),
                     KERB_ERROR_OUT_OF_RANGE);
    assert_string_equal(error.field, "to");
    kerb_kind_planner_destroy(&planner);
    kind.rates = NULL;
    assert_int_equal(kerb_kind_validate(&kind, &error), KERB_ERROR_MISSING_FIELD);
    assert_string_equal(error.field, "rates");
    kind = kerb_kind_of_ship(&ship);
    kind.tolerance[3] = 0.0f;
    assert_int_equal(kerb_kind_validate(&kind, &error), KERB_ERROR_OUT_OF_RANGE);
    assert_string_equal(error.field, "tolerance");
}

// A ship that points along x and slides to its left.
static void a_slide_counts_until_the_ship_has_the_speed_of_its_goal(void** unused) {
    (void)unused;
    kerb_ship ship = kerb_ship_default();
    ship.current = kerb_vec2_make(0.3f, -0.4f);
    kerb_kind kind = kerb_kind_of_ship(&ship);
    kerb_motion motion = kerb_motion_default();
    motion.velocity = kerb_vec3_make(2.0f + ship.current.x, 0.1f + ship.current.y, 0.0f);
    const float rest[KERB_KIND_STATES_MAX] = {0.0f};
    const float passes[KERB_KIND_STATES_MAX] = {0.0f, 0.0f, 0.0f, 2.0f};
    kerb_vec2 slide = kind.slide(&ship, &motion, rest);
    // Longer than the share of full astern that plans use it does not take to stop.
    assert_float_equal(slide.x, 0.0f, 1e-4f);
    assert_true(slide.y > 0.0f);
    assert_true(slide.y < 0.1f * 2.0f / (0.7f * ship.astern));
    slide = kind.slide(&ship, &motion, passes);
    assert_float_equal(slide.x, 0.0f, 1e-4f);
    assert_float_equal(slide.y, 0.0f, 1e-4f);
    // One that turns about its pivot point does not slide.
    motion.angular_velocity.z = -0.1f / ship.reference_to_pivot;
    slide = kind.slide(&ship, &motion, rest);
    assert_float_equal(slide.y, 0.0f, 1e-3f);
}

int kind_ship_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plans_are_found_and_pass_the_checker),
        cmocka_unit_test(straight_ahead_it_is_almost_as_fast_as_full_ahead_and_full_astern),
        cmocka_unit_test(a_plan_that_is_changed_is_refused),
        cmocka_unit_test(it_goes_round_islands),
        cmocka_unit_test(bad_input_is_named),
        cmocka_unit_test(a_slide_counts_until_the_ship_has_the_speed_of_its_goal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
