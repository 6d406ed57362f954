// Plans for pedestrians, hovercraft and trailers, against the checker, bounds and closed forms.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "scene/plan/kind_drive.h"
#include "scene/plan/plane_world.h"
#include "test/kind_rig.h"

#include <stdio.h>

// Random ends on open ground; the speed ahead at some starts. Nearly all must be found, all must
// pass.
static void find(const kerb_kind* kind, const char* name, int32_t count, float radius, float speed,
                 int32_t least) {
    kerb_random random = test_random(name);
    kerb_kind_planner planner = kind_rig_planner(kind);
    int32_t found = 0;
    for (int32_t i = 0; i < count; i++) {
        kind_ends ends = {{0.0f}, {0.0f}};
        kind_rig_place(&random, radius, ends.to);
        ends.from[2] = kerb_random_between(&random, -KERB_PI, KERB_PI);
        if (speed > 0.0f && i % 2 == 1)
            ends.from[3] = kerb_random_between(&random, 0.0f, speed);
        if (kind_rig_run(&planner, &ends) != KERB_PLAN_FOUND)
            continue;
        found++;
        kerb_kind_plan plan = kerb_kind_planner_get_plan(&planner);
        kerb_error error;
        if (kerb_kind_check(kind, ends.from, ends.to, NULL, &plan, &error) != KERB_OK)
            fail_msg("%s, goal %d, piece %d: %s %s", name, i, error.index, error.field,
                     error.message);
        assert_true(plan.lower_bound <= plan.time * 1.0001f);
    }
    print_message("%s: %d of %d found\n", name, found, count);
    assert_true(found >= count * least / 100);
    kerb_kind_planner_destroy(&planner);
}

static void pedestrians_are_planned(void** unused) {
    (void)unused;
    kerb_pedestrian pedestrian = kerb_pedestrian_default();
    kerb_kind kind = kerb_kind_of_pedestrian(&pedestrian);
    find(&kind, "pedestrians", test_share(150, 30), 10.0f, 1.4f, 99);
    pedestrian.speed_max = 6.0f; // runs
    pedestrian.acceleration = 4.0f;
    kind = kerb_kind_of_pedestrian(&pedestrian);
    find(&kind, "runners", test_share(100, 10), 40.0f, 4.0f, 99);
}

static void hovercraft_are_planned(void** unused) {
    (void)unused;
    kerb_sim_hover_model model = kerb_sim_hovercraft_model();
    kerb_vehicle vehicle = kerb_sim_hover_vehicle(&model);
    kerb_kind kind = kerb_kind_of_hovercraft(&vehicle);
    find(&kind, "hovercraft", test_share(100, 8), 100.0f, 14.0f, 98);
}

// Feedback needs a control for an error of either sign: one whose effect turned round at 0 would
// push a craft that slides backwards too slowly ahead instead.
static void less_pedal_always_pushes_a_hovercraft_back(void** unused) {
    (void)unused;
    kerb_random random = test_random("pedal");
    kerb_sim_hover_model model = kerb_sim_hovercraft_model();
    kerb_vehicle vehicle = kerb_sim_hover_vehicle(&model);
    kerb_kind kind = kerb_kind_of_hovercraft(&vehicle);
    for (int32_t i = 0; i < 2000; i++) {
        float state[KERB_KIND_STATES_MAX] = {0.0f}, more[KERB_KIND_STATES_MAX] = {0.0f};
        float less[KERB_KIND_STATES_MAX] = {0.0f}, control[KERB_KIND_CONTROLS_MAX] = {0.0f};
        for (int32_t j = 2; j < kind.states; j++)
            state[j] = kerb_random_between(&random, -2.0f, 2.0f);
        control[0] = kerb_random_between(&random, -0.9f, 1.0f);
        kind.rates(&vehicle, state, control, more);
        control[0] -= 0.1f;
        kind.rates(&vehicle, state, control, less);
        assert_true(less[3] < more[3]);
    }
    const float sliding[KERB_KIND_STATES_MAX] = {0.0f, 0.0f, 0.0f, -1.0f};
    const float back[KERB_KIND_CONTROLS_MAX] = {-0.5f};
    kerb_controls controls = kind.controls_of(&vehicle, sliding, back);
    assert_int_equal(controls.gear, -1);
    assert_float_equal(controls.throttle, 0.5f, 0.0f);
    assert_float_equal(controls.brake, 0.0f, 0.0f);
}

static void trailers_are_planned(void** unused) {
    (void)unused;
    kerb_towing towing = kerb_towing_default();
    kerb_kind kind = kerb_kind_of_towing(&towing);
    find(&kind, "trailers", test_share(100, 8), 20.0f, 0.0f, 97);
}

static void motorcycles_are_planned(void** unused) {
    (void)unused;
    kerb_motorcycle motorcycle = kerb_motorcycle_default();
    kerb_kind kind = kerb_kind_of_motorcycle(&motorcycle);
    find(&kind, "motorcycles", test_share(100, 8), 60.0f, 15.0f, 97);
}

// A plan that takes longer than its first route would is tried on other routes, too. The planner of
// one route keeps what it finds.
static void a_poor_plan_is_tried_on_other_routes(void** unused) {
    (void)unused;
    kerb_random random = test_random("poor");
    kerb_motorcycle motorcycle = kerb_motorcycle_default();
    kerb_kind kind = kerb_kind_of_motorcycle(&motorcycle);
    const kerb_host host = kerb_host_default();
    kerb_kind_settings settings = kerb_kind_settings_default();
    kerb_kind_planner many = kind_rig_planner(&kind), one;
    settings.attempts = 1;
    assert_int_equal(kerb_kind_planner_create(&one, &kind, &settings, &host, NULL), KERB_OK);
    float with_many = 0.0f, with_one = 0.0f;
    for (int32_t i = 0; i < 40; i++) {
        kind_ends ends = {.from = {0.0f}};
        kind_rig_place(&random, 60.0f, ends.to);
        if (kind_rig_run(&many, &ends) != KERB_PLAN_FOUND ||
            kind_rig_run(&one, &ends) != KERB_PLAN_FOUND)
            continue;
        float best = kerb_kind_planner_get_plan(&many).time;
        float only = kerb_kind_planner_get_plan(&one).time;
        assert_true(best <= only);
        with_many += best;
        with_one += only;
    }
    print_message("%.3f of the time\n", (double)(with_many / with_one));
    assert_true(with_many < 0.97f * with_one);
    kerb_kind_planner_destroy(&many);
    kerb_kind_planner_destroy(&one);
}

static void tanks_are_planned(void** unused) {
    (void)unused;
    kerb_sim_tracked_model model = kerb_sim_tank_model();
    kerb_vehicle vehicle = kerb_sim_tracked_vehicle(&model);
    kerb_kind kind = kerb_kind_of_tank(&vehicle);
    find(&kind, "tanks", test_share(100, 10), 50.0f, 8.0f, 99);
}

// On a circle a motorcycle leans until gravity and bend are in balance; b is its rider's own.
static void a_motorcycle_in_a_steady_bend_leans_as_far_as_the_closed_form(void** unused) {
    (void)unused;
    kerb_random random = test_random("leans");
    kerb_motorcycle motorcycle = kerb_motorcycle_default();
    kerb_kind kind = kerb_kind_of_motorcycle(&motorcycle);
    for (int32_t i = 0; i < 1000; i++) {
        float state[KERB_KIND_STATES_MAX] = {0.0f}, rates[KERB_KIND_STATES_MAX] = {0.0f};
        float control[KERB_KIND_CONTROLS_MAX] = {0.0f, kerb_random_between(&random, -0.8f, 0.8f)};
        state[3] = kerb_random_between(&random, 3.0f, 40.0f);
        for (int32_t k = 0; k < 500; k++) { // the lean settles
            kind.rates(&motorcycle, state, control, rates);
            state[4] += 0.01f * rates[4];
            state[5] += 0.01f * rates[5];
        }
        kind.rates(&motorcycle, state, control, rates);
        float b = motorcycle.balance_speed;
        float bend = 9.80665f * kerb_tan(state[4]) / (state[3] * state[3] + b * b);
        assert_true(kerb_abs(rates[2] - state[3] * bend) < 1e-3f);
        assert_true(kerb_abs(state[4]) < motorcycle.lean_max);
    }
}

// Before it leans to the left it steers to the right, and its rear wheel turns there first.
static void a_motorcycle_steers_away_from_a_bend_first(void** unused) {
    (void)unused;
    kerb_motorcycle motorcycle = kerb_motorcycle_default();
    kerb_kind kind = kerb_kind_of_motorcycle(&motorcycle);
    kerb_sim_motorcycle sim = kerb_sim_motorcycle_make(&motorcycle, 0.0f, 0.0f, 0.0f);
    sim.speed = 12.0f;
    const float control[KERB_KIND_CONTROLS_MAX] = {0.2f, 0.5f};
    float least = 0.0f;
    for (int32_t i = 0; i < 1500; i++) {
        float state[KERB_KIND_STATES_MAX] = {0.0f};
        kerb_motion motion = kerb_sim_motorcycle_motion(&sim);
        kind.state_of(&motorcycle, &motion, NULL, state);
        assert_true(kerb_abs(state[4] - sim.lean) < 1e-3f);
        assert_true(kerb_abs(state[3] - sim.speed) < 1e-2f);
        kerb_controls controls = kind.controls_of(&motorcycle, state, control);
        if (i == 0)
            assert_true(controls.steering < 0.0f);
        kerb_sim_motorcycle_step(&sim, &controls, 0.002f);
        least = kerb_min(least, sim.heading);
    }
    assert_true(least < -0.005f);    // it turned right first
    assert_true(sim.heading > 0.3f); // and then left
    assert_true(!sim.fallen && sim.lean > 0.2f);
}

// Nobody steers: it falls.
static void a_motorcycle_falls_when_nobody_steers(void** unused) {
    (void)unused;
    kerb_motorcycle motorcycle = kerb_motorcycle_default();
    kerb_sim_motorcycle sim = kerb_sim_motorcycle_make(&motorcycle, 0.0f, 0.0f, 0.0f);
    const kerb_controls nothing = {.gear = 1};
    sim.speed = 12.0f;
    sim.lean = 0.02f;
    for (int32_t i = 0; i < 2000; i++)
        kerb_sim_motorcycle_step(&sim, &nothing, 0.002f);
    assert_true(sim.fallen);
}

static void a_tank_turns_on_the_spot(void** unused) {
    (void)unused;
    kerb_sim_tracked_model model = kerb_sim_tank_model();
    kerb_vehicle vehicle = kerb_sim_tracked_vehicle(&model);
    kerb_kind kind = kerb_kind_of_tank(&vehicle);
    kerb_kind_planner planner = kind_rig_planner(&kind);
    kind_ends ends = {{0.0f}, {0.0f, 0.0f, 3.0f}};
    assert_int_equal(kind_rig_run(&planner, &ends), KERB_PLAN_FOUND);
    kerb_kind_plan plan = kerb_kind_planner_get_plan(&planner);
    assert_true(plan.length < 0.5f * vehicle.length);
    assert_true(plan.time < 2.0f * plan.lower_bound);
    kerb_kind_planner_destroy(&planner);
}

// Where it stands, a person turns at the greatest yaw rate that plans use.
static void a_pedestrian_turns_on_the_spot(void** unused) {
    (void)unused;
    kerb_pedestrian pedestrian = kerb_pedestrian_default();
    kerb_kind kind = kerb_kind_of_pedestrian(&pedestrian);
    kerb_kind_planner planner = kind_rig_planner(&kind);
    kind_ends ends = {{0.0f}, {0.0f, 0.0f, 3.0f}};
    assert_int_equal(kind_rig_run(&planner, &ends), KERB_PLAN_FOUND);
    kerb_kind_plan plan = kerb_kind_planner_get_plan(&planner);
    float fastest = 3.0f / (pedestrian.yaw_rate_max * kind.control_share);
    assert_true(plan.time < 1.05f * fastest);
    assert_true(plan.length < 0.05f);
    kerb_kind_planner_destroy(&planner);
}

static void a_pedestrian_steps_aside_where_that_is_near(void** unused) {
    (void)unused;
    kerb_pedestrian pedestrian = kerb_pedestrian_default();
    kerb_kind kind = kerb_kind_of_pedestrian(&pedestrian);
    kerb_kind_planner planner = kind_rig_planner(&kind);
    kind_ends ends = {{0.0f}, {0.0f, 0.4f, 0.0f}};
    assert_int_equal(kind_rig_run(&planner, &ends), KERB_PLAN_FOUND);
    kerb_kind_plan plan = kerb_kind_planner_get_plan(&planner);
    for (int32_t k = 0; k <= plan.count; k++)
        assert_true(kerb_abs(plan.states[k * KERB_KIND_STATES_MAX + 2]) < 1.3f);
    assert_true(plan.time < 2.0f);
    kerb_kind_planner_destroy(&planner);
}

// --------------------------------------------------------------------------- obstacles

// Ships among islands, persons among tables, tanks among houses.
static void all_kinds_are_planned_among_obstacles(void** unused) {
    (void)unused;
    kerb_random random = test_random("islands");
    for (int32_t n = 0; n < KERB_SCENE_KIND_COUNT; n++) {
        kerb_scene_kind k;
        assert_true(kerb_scene_kind_make(kerb_scene_kind_text((kerb_scene_kind_name)n), &k));
        if (k.kind.space) // test_space has these
            continue;
        kerb_kind_planner planner = kind_rig_planner(&k.kind);
        kerb_scene_plane_world islands;
        int32_t asked = 0, found = 0;
        for (int32_t i = 0; i < test_share(24, 4); i++) {
            kerb_scene_plane_make(&islands, k.radius, &random);
            kerb_error error;
            if (kerb_kind_planner_set_world(&planner, &islands.world, &error) != KERB_OK)
                fail_msg("%s: %s %s", k.kind.name, error.field, error.message);
            kind_ends ends = {{0.0f}, {0.0f}};
            kind_rig_place(&random, k.radius, ends.to);
            ends.from[2] = kerb_random_between(&random, -KERB_PI, KERB_PI);
            kerb_plan_outcome outcome = kind_rig_run(&planner, &ends);
            if (outcome == KERB_PLAN_GOAL_BLOCKED || outcome == KERB_PLAN_START_BLOCKED)
                continue;
            asked++;
            if (outcome != KERB_PLAN_FOUND)
                continue;
            found++;
            kerb_kind_plan plan = kerb_kind_planner_get_plan(&planner);
            if (kerb_kind_check(&k.kind, ends.from, ends.to, &islands.world, &plan, &error) !=
                KERB_OK)
                fail_msg("%s %d: piece %d: %s %s", k.kind.name, i, error.index, error.field,
                         error.message);
        }
        print_message("%s: %d of %d found\n", k.kind.name, found, asked);
        assert_true(found * 10 >= asked * 8);
        kerb_kind_planner_destroy(&planner);
    }
}

static float dash_time(const kerb_kind* kind, float distance) {
    kerb_kind_planner planner = kind_rig_planner(kind);
    kind_ends ends = {.from = {0.0f}, .to = {distance}};
    assert_int_equal(kind_rig_run(&planner, &ends), KERB_PLAN_FOUND);
    float time = kerb_kind_planner_get_plan(&planner).time;
    kerb_kind_planner_destroy(&planner);
    return time;
}

// A table stands in the way of a person, who walks close past its nearest corner: a way of two
// straight lines past the corner, half a body's width beside it, is about the shortest.
static void a_person_walks_close_past_a_table(void** unused) {
    (void)unused;
    kerb_random random = test_random("tables");
    kerb_pedestrian pedestrian = kerb_pedestrian_default();
    kerb_kind kind = kerb_kind_of_pedestrian(&pedestrian);
    kerb_kind_planner planner = kind_rig_planner(&kind);
    int32_t count = test_share(60, 30);
    float sum = 0.0f;
    for (int32_t i = 0; i < count; i++) {
        float x = kerb_random_between(&random, 2.0f, 4.5f);
        float y = kerb_random_between(&random, 0.1f, 0.9f);
        const kerb_vec2 corners[4] = {{x, y - 2.5f}, {x + 1.5f, y - 2.5f}, {x + 1.5f, y}, {x, y}};
        const int32_t corner_count = 4;
        const kerb_plan_world world = {
            .vertices = corners, .vertex_counts = &corner_count, .polygon_count = 1};
        assert_int_equal(kerb_kind_planner_set_world(&planner, &world, NULL), KERB_OK);
        kind_ends ends = {.from = {0.0f}, .to = {8.0f}};
        assert_int_equal(kind_rig_run(&planner, &ends), KERB_PLAN_FOUND);
        kerb_kind_plan plan = kerb_kind_planner_get_plan(&planner);
        assert_int_equal(kerb_kind_check(&kind, ends.from, ends.to, &world, &plan, NULL), KERB_OK);
        float aside = y + 0.5f * pedestrian.width;
        float way = kerb_sqrt(x * x + aside * aside) + 1.5f +
                    kerb_sqrt((6.5f - x) * (6.5f - x) + aside * aside);
        float share = plan.time / dash_time(&kind, way);
        assert_true(share > 0.95f);
        sum += share;
    }
    print_message("%.3f of the time of a straight way as long\n", (double)(sum / (float)count));
    assert_true(sum < 1.05f * (float)count);
    kerb_kind_planner_destroy(&planner);
}

// The angle of the hitch and the lean of a motorcycle are limits that shorter motions soon leave. A
// plan that goes on getting shorter along them takes 0.67 and 0.74 of the time of one that was not;
// one that ends where it meets them takes 0.74 and 0.80 of the time.
static void plans_are_shortened_along_the_limits_of_their_rooms(void** unused) {
    static const char* const names[2] = {"trailer", "motorcycle"};
    static const float most[2] = {0.71f, 0.77f};
    (void)unused;
    for (int32_t n = 0; n < 2; n++) {
        kerb_random random = test_random(names[n]);
        kerb_scene_kind k;
        assert_true(kerb_scene_kind_make(names[n], &k));
        kerb_kind_settings settings = kerb_kind_settings_default();
        settings.shortening = 1.0f;
        const kerb_host host = kerb_host_default();
        kerb_kind_planner planner = kind_rig_planner(&k.kind), first;
        assert_int_equal(kerb_kind_planner_create(&first, &k.kind, &settings, &host, NULL),
                         KERB_OK);
        float sum = 0.0f;
        int32_t count = 0;
        for (int32_t i = 0; i < test_share(40, 15); i++) {
            kind_ends ends = {{0.0f}, {0.0f}};
            kind_rig_place(&random, k.radius, ends.to);
            if (kind_rig_run(&first, &ends) != KERB_PLAN_FOUND ||
                kind_rig_run(&planner, &ends) != KERB_PLAN_FOUND)
                continue;
            sum +=
                kerb_kind_planner_get_plan(&planner).time / kerb_kind_planner_get_plan(&first).time;
            count++;
        }
        print_message("%s: %.3f of the time before\n", names[n], (double)(sum / (float)count));
        assert_true(count > 0 && sum < most[n] * (float)count);
        kerb_kind_planner_destroy(&planner);
        kerb_kind_planner_destroy(&first);
    }
}

// --------------------------------------------------------------------------- a bay

// Walls beside a bay of 3.2 m, which opens to a yard of 16 m.
static const kerb_vec2 bay_corners[12] = {{-40.0f, -12.0f}, {-1.6f, -12.0f}, {-1.6f, 0.0f},
                                          {-40.0f, 0.0f},   {1.6f, -12.0f},  {40.0f, -12.0f},
                                          {40.0f, 0.0f},    {1.6f, 0.0f},    {-40.0f, 16.0f},
                                          {40.0f, 16.0f},   {40.0f, 18.0f},  {-40.0f, 18.0f}};
static const int32_t bay_counts[3] = {4, 4, 4};

static void a_trailer_is_reversed_into_a_bay(void** unused) {
    (void)unused;
    kerb_random random = test_random("bays");
    kerb_towing towing = kerb_towing_default();
    kerb_kind kind = kerb_kind_of_towing(&towing);
    kerb_kind_planner planner = kind_rig_planner(&kind);
    const kerb_plan_world world = {
        .vertices = bay_corners, .vertex_counts = bay_counts, .polygon_count = 3};
    assert_int_equal(kerb_kind_planner_set_world(&planner, &world, NULL), KERB_OK);
    int32_t count = test_share(20, 3), found = 0;
    float folded = 0.0f;
    for (int32_t i = 0; i < count; i++) {
        kind_ends ends = {.to = {0.0f, -5.0f, 0.5f * KERB_PI}};
        ends.from[0] = kerb_random_between(&random, -12.0f, 12.0f);
        ends.from[1] = kerb_random_between(&random, 2.5f, 13.0f);
        ends.from[2] = (i % 2 == 0 ? 0.0f : KERB_PI) + kerb_random_between(&random, -0.15f, 0.15f);
        if (kind_rig_run(&planner, &ends) != KERB_PLAN_FOUND)
            continue;
        found++;
        kerb_kind_plan plan = kerb_kind_planner_get_plan(&planner);
        assert_int_equal(kerb_kind_check(&kind, ends.from, ends.to, &world, &plan, NULL), KERB_OK);
        for (int32_t k = 0; k <= plan.count; k++)
            folded = kerb_max(folded, kerb_abs(plan.states[k * KERB_KIND_STATES_MAX + 3]));
    }
    print_message("%d of %d found, hitch at most %.0f degrees\n", found, count,
                  (double)(folded * 180.0f / KERB_PI));
    assert_true(found * 20 >= count * 19);
    assert_true(folded < KERB_PI / 3.0f);
    kerb_kind_planner_destroy(&planner);
}

int kinds_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pedestrians_are_planned),
        cmocka_unit_test(hovercraft_are_planned),
        cmocka_unit_test(less_pedal_always_pushes_a_hovercraft_back),
        cmocka_unit_test(trailers_are_planned),
        cmocka_unit_test(motorcycles_are_planned),
        cmocka_unit_test(tanks_are_planned),
        cmocka_unit_test(a_poor_plan_is_tried_on_other_routes),
        cmocka_unit_test(a_motorcycle_in_a_steady_bend_leans_as_far_as_the_closed_form),
        cmocka_unit_test(a_motorcycle_steers_away_from_a_bend_first),
        cmocka_unit_test(a_motorcycle_falls_when_nobody_steers),
        cmocka_unit_test(a_tank_turns_on_the_spot),
        cmocka_unit_test(a_pedestrian_turns_on_the_spot),
        cmocka_unit_test(a_pedestrian_steps_aside_where_that_is_near),
        cmocka_unit_test(all_kinds_are_planned_among_obstacles),
        cmocka_unit_test(a_person_walks_close_past_a_table),
        cmocka_unit_test(plans_are_shortened_along_the_limits_of_their_rooms),
        cmocka_unit_test(a_trailer_is_reversed_into_a_bay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
