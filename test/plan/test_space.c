// Plans for kinds in space: against the checker, bounds, closed forms and obstacles.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kerb/curve.h"
#include "scene/plan/kind_drive.h"
#include "scene/plan/space_world.h"
#include "test/kind_rig.h"

static const char* const kinds[6] = {"spacecraft", "helicopter", "drone",
                                     "rocket",     "airplane",   "submarine"};

static void check_plan(const kerb_scene_kind* k, const kerb_plan_world* world,
                       const kind_ends* ends, const kerb_kind_plan* plan, int32_t goal) {
    kerb_error error;
    if (kerb_kind_check(&k->kind, ends->from, ends->to, world, plan, &error) != KERB_OK)
        fail_msg("%s, goal %d, piece %d: %s %s", k->kind.name, goal, error.index, error.field,
                 error.message);
    assert_true(plan->lower_bound <= plan->time * 1.0001f);
}

static void plans_in_open_space_are_found_and_pass_the_checker(void** unused) {
    (void)unused;
    for (int32_t n = 0; n < 6; n++) {
        static kerb_scene_kind k;
        assert_true(kerb_scene_kind_make(kinds[n], &k));
        kerb_random random = test_random(kinds[n]);
        kerb_kind_planner planner = kind_rig_planner(&k.kind);
        for (int32_t i = 0; i < test_share(200, 15); i++) {
            kind_ends ends;
            kerb_scene_kind_ends(&k, &random, ends.from, ends.to);
            if (kind_rig_run(&planner, &ends) != KERB_PLAN_FOUND)
                fail_msg("%s, goal %d: not found", kinds[n], i);
            kerb_kind_plan plan = kerb_kind_planner_get_plan(&planner);
            check_plan(&k, NULL, &ends, &plan, i);
        }
        kerb_kind_planner_destroy(&planner);
    }
}

// --------------------------------------------------------------------------- closed forms

// "AIPATH", 3.1.1: accelerate, flip, decelerate. The closed form coasts while it flips.
static void a_spacecraft_takes_the_time_of_two_burns_and_a_flip(void** unused) {
    (void)unused;
    kerb_spacecraft craft = kerb_spacecraft_default();
    kerb_kind kind = kerb_kind_of_spacecraft(&craft);
    kind.control_share = 1.0f;
    kerb_kind_planner planner = kind_rig_planner(&kind);
    float rate = craft.turn_rate_max, a = craft.acceleration;
    float flip = KERB_PI / rate + rate / craft.turn_acceleration;
    for (float distance = 20.0f; distance < 5000.0f; distance *= 1.7f) {
        kind_ends ends = {.from = {[6] = 1.0f}, .to = {distance, [6] = -1.0f}};
        assert_int_equal(kind_rig_run(&planner, &ends), KERB_PLAN_FOUND);
        kerb_kind_plan plan = kerb_kind_planner_get_plan(&planner);
        float burn = 0.5f * (kerb_sqrt(flip * flip + 4.0f * distance / a) - flip);
        assert_in_range((int)(1000.0f * plan.time / (2.0f * burn + flip)), 990, 1030);
    }
    kerb_kind_planner_destroy(&planner);
}

// The pose after an arc, or before it. [angle: left positive]
static kerb_pose after_arc(kerb_pose pose, float radius, float angle, bool before) {
    float heading = kerb_pose_heading(pose), side = angle < 0.0f ? -radius : radius;
    float turned = before ? heading - angle : heading + angle;
    float x = pose.position.x + side * (kerb_sin(turned) - kerb_sin(heading));
    float y = pose.position.y - side * (kerb_cos(turned) - kerb_cos(heading));
    return kerb_pose_make(x, y, turned);
}

// Length of the shortest way that is at least so long, of those with a turn at either end and any
// word of Dubins between them, by brute force. There may be none that is just so long: a goal
// nearer than four radii can be reached directly or by a loop, and not by a way between the two.
static float least_way(kerb_pose from, kerb_pose to, float radius, float least) {
    enum { TURNS = 120 };
    float best = 1e30f;
    for (int32_t i = -TURNS; i < TURNS; i++) {
        float first = 2.0f * KERB_PI * (float)i / (float)TURNS;
        kerb_pose begin = after_arc(from, radius, first, false);
        for (int32_t j = -TURNS; j < TURNS; j++) {
            float last = 2.0f * KERB_PI * (float)j / (float)TURNS;
            kerb_pose end = after_arc(to, radius, last, true);
            float turns = radius * (kerb_abs(first) + kerb_abs(last));
            for (int32_t w = 0; w < KERB_DUBINS_WORD_COUNT; w++) {
                float way = kerb_dubins_word_length((kerb_dubins_word)w, begin, end, radius);
                if (way + turns >= least)
                    best = kerb_min(best, way + turns);
            }
        }
    }
    return best;
}

// Chitsaz, LaValle 2007: low, medium and high climbs. Medium and high ones climb as steeply as
// possible all the way, where there is a way of that length.
static void an_airplane_takes_the_time_of_a_dubins_airplane(void** unused) {
    (void)unused;
    kerb_aircraft aircraft = kerb_aircraft_default();
    kerb_kind kind = kerb_kind_of_airplane(&aircraft);
    kind.control_share = 1.0f;
    kerb_kind_planner planner = kind_rig_planner(&kind);
    kerb_random random = test_random("Dubins airplane");
    float v = aircraft.cruise_speed, radius = kerb_aircraft_turning_radius(&aircraft, v);
    int32_t count = test_share(300, 60), cases[3] = {0}, loops = 0;
    for (int32_t i = 0; i < count; i++) {
        kind_ends ends = {.from = {[4] = v}, .to = {[4] = v}};
        float reach = i % 4 == 0 ? 3.0f : 10.0f; // some goals are near
        ends.to[0] = kerb_random_between(&random, -reach, reach) * radius;
        ends.to[1] = kerb_random_between(&random, -reach, reach) * radius;
        ends.to[2] = kerb_random_between(&random, -1.0f, 1.0f) * radius;
        ends.to[3] = kerb_random_between(&random, -KERB_PI, KERB_PI);
        assert_int_equal(kind_rig_run(&planner, &ends), KERB_PLAN_FOUND);
        kerb_kind_plan plan = kerb_kind_planner_get_plan(&planner);
        float level =
            kerb_dubins_length(kerb_pose_make(0.0f, 0.0f, 0.0f),
                               kerb_pose_make(ends.to[0], ends.to[1], ends.to[3]), radius);
        float rise = ends.to[2], sine = rise > 0.0f ? kind.control_max[1] : -kind.control_min[1];
        float slope = sine / kerb_sqrt(1.0f - sine * sine);
        bool low = kerb_abs(rise) <= level * slope;
        bool high = kerb_abs(rise) > (level + 2.0f * KERB_PI * radius) * slope;
        cases[low ? 0 : high ? 2 : 1]++;
        float best = low ? kerb_sqrt(level * level + rise * rise) / v : kerb_abs(rise) / sine / v;
        if (!low && !high && plan.time > 1.03f * best) {
            const kerb_pose end = kerb_pose_make(ends.to[0], ends.to[1], ends.to[3]);
            float way =
                least_way(kerb_pose_make(0.0f, 0.0f, 0.0f), end, radius, kerb_abs(rise) / slope);
            best = kerb_sqrt(way * way + rise * rise) / v;
            loops++;
        }
        if (plan.time > 1.03f * best || plan.time < 0.99f * best)
            fail_msg("goal %d: %.2f s instead of %.2f s", i, (double)plan.time, (double)best);
    }
    print_message("%d low, %d medium, %d high, %d by a loop\n", cases[0], cases[1], cases[2],
                  loops);
    assert_true(cases[0] > 0 && cases[1] > 0 && cases[2] > 0);
    kerb_kind_planner_destroy(&planner);
}

// From rest to rest along a line: jerk up and down to the greatest acceleration, and to the
// greatest speed.
static void a_drone_takes_the_time_of_a_profile_with_seven_phases(void** unused) {
    (void)unused;
    kerb_rotorcraft drone = kerb_drone_default();
    drone.drag = drone.side_drag = drone.lift_drag = 0.0f;
    kerb_kind kind = kerb_kind_of_rotorcraft(&drone);
    kind.control_share = 1.0f;
    kerb_kind_planner planner = kind_rig_planner(&kind);
    // Plans use nine tenths of what lift and tilt allow together.
    float push = 0.9f * (KERB_GRAVITY - drone.lift_acceleration) * kerb_tan(drone.tilt_max);
    float jerk = kind.control_max[0], top = drone.speed_max;
    for (float distance = 90.0f; distance < 900.0f; distance *= 1.5f) {
        kind_ends ends = {.to = {0.6f * distance, -0.8f * distance}};
        assert_int_equal(kind_rig_run(&planner, &ends), KERB_PLAN_FOUND);
        kerb_kind_plan plan = kerb_kind_planner_get_plan(&planner);
        float best = distance / top + top / push + push / jerk;
        assert_in_range((int)(1000.0f * plan.time / best), 995, 1010);
    }
    kerb_kind_planner_destroy(&planner);
}

// --------------------------------------------------------------------------- obstacles

static bool random_ends_in(const kerb_scene_kind* k, const kerb_scene_space_world* s,
                           kerb_random* random, kind_ends* ends) {
    for (int32_t i = 0; i < 100; i++) {
        kerb_scene_kind_ends(k, random, ends->from, ends->to);
        // The start lies anywhere, too.
        kind_ends other;
        kerb_scene_kind_ends(k, random, other.from, other.to);
        memcpy(ends->from, other.to, 3 * sizeof(float));
        if (kerb_scene_space_is_free(s, &k->kind, ends->from) &&
            kerb_scene_space_is_free(s, &k->kind, ends->to))
            return true;
    }
    return false;
}

static void plans_among_obstacles_of_all_forms_are_found_and_pass_the_checker(void** unused) {
    (void)unused;
    static kerb_scene_space_world s;
    for (int32_t n = 0; n < 6; n++) {
        static kerb_scene_kind k;
        assert_true(kerb_scene_kind_make(kinds[n], &k));
        kerb_random random = test_random("obstacles in space");
        int32_t count = test_share(24, 3), found = 0, tried = 0;
        for (int32_t i = 0; i < count; i++) {
            kerb_kind_planner planner = kind_rig_planner(&k.kind);
            kerb_scene_space_make(&s, (kerb_scene_space_form)(i % 3), 30, k.radius, k.height,
                                  &random);
            const kerb_plan_world world = {.space = &s.world};
            assert_int_equal(kerb_kind_planner_set_world(&planner, &world, NULL), KERB_OK);
            for (int32_t j = 0; j < 5; j++) {
                kind_ends ends;
                if (!random_ends_in(&k, &s, &random, &ends))
                    continue;
                tried++;
                if (kind_rig_run(&planner, &ends) != KERB_PLAN_FOUND)
                    continue;
                found++;
                kerb_kind_plan plan = kerb_kind_planner_get_plan(&planner);
                check_plan(&k, &world, &ends, &plan, i);
            }
            kerb_kind_planner_destroy(&planner);
        }
        print_message("%s: %d of %d found\n", kinds[n], found, tried);
        assert_true(tried > 0 && (tried - found) * 12 <= tried + 11); // one in twelve, of a few one
    }
}

// Obstacles in the plane would be none for what flies: they are refused, by name.
static void obstacles_in_the_plane_are_refused_for_kinds_in_space(void** unused) {
    (void)unused;
    static kerb_scene_kind k;
    assert_true(kerb_scene_kind_make("drone", &k));
    kerb_kind_planner planner = kind_rig_planner(&k.kind);
    const kerb_vec2 corners[3] = {{4.0f, -1.0f}, {5.0f, -1.0f}, {5.0f, 1.0f}};
    const int32_t count = 3;
    const uint8_t cell = 255;
    const kerb_plan_world wrong[3] = {
        {.vertices = corners, .vertex_counts = &count, .polygon_count = 1},
        {.cells = &cell, .columns = 1, .rows = 1, .cell_size = 1.0f},
        {.box_max = {9.0f, 9.0f}}};
    kerb_error error;
    for (int32_t i = 0; i < 3; i++) {
        assert_int_equal(kerb_kind_planner_set_world(&planner, &wrong[i], &error),
                         KERB_ERROR_MISSING_FIELD);
        assert_string_equal(error.field, "space");
    }
    const kerb_plan_world none = {.cells = NULL};
    assert_int_equal(kerb_kind_planner_set_world(&planner, &none, &error), KERB_OK);
    // Beside a world in space the others do not count.
    const kerb_space_world air = {.min = {-50.0f, -50.0f, -50.0f}, .max = {50.0f, 50.0f, 50.0f}};
    kerb_plan_world both = wrong[0];
    both.space = &air;
    assert_int_equal(kerb_kind_planner_set_world(&planner, &both, &error), KERB_OK);
    kerb_kind_planner_destroy(&planner);
}

// A small box that a wing would just touch, late on a way of kilometres under a low ceiling, where
// tests are close to one another: they must not drift from the plan that the checker sees.
static void a_box_that_is_just_touched_is_seen_by_the_planner(void** unused) {
    (void)unused;
    kerb_random random = test_random("touched");
    kerb_scene_kind k;
    assert_true(kerb_scene_kind_make("airplane", &k));
    kerb_kind_planner planner = kind_rig_planner(&k.kind);
    int32_t found = 0, count = test_share(100, 20);
    for (int32_t i = 0; i < count; i++) {
        kind_ends ends;
        float state[KERB_KIND_STATES_MAX], control[KERB_KIND_CONTROLS_MAX];
        kerb_kind_ball balls[KERB_KIND_BALLS_MAX];
        kerb_scene_kind_ends(&k, &random, ends.from, ends.to);
        ends.to[2] = 0.0f;
        assert_int_equal(kerb_kind_planner_set_world(&planner, NULL, NULL), KERB_OK);
        assert_int_equal(kind_rig_run(&planner, &ends), KERB_PLAN_FOUND);
        kerb_kind_plan plan = kerb_kind_planner_get_plan(&planner);
        float time = plan.time * kerb_random_between(&random, 0.5f, 0.95f);
        kerb_kind_plan_at(&k.kind, &plan, time, state, control);
        k.kind.space->balls(k.kind.vehicle, state, balls);
        float aside = 0.99f * balls[0].radius + 0.1f;
        kerb_vec3 middle = {state[0] - aside * kerb_sin(state[3]),
                            state[1] + aside * kerb_cos(state[3]), state[2]};
        const kerb_vec3 half = {0.1f, 0.1f, 0.1f};
        const kerb_space_box box = {kerb_vec3_sub(middle, half), kerb_vec3_add(middle, half)};
        const kerb_space_world space = {
            .min = {-9e3f, -9e3f, -6.0f}, .max = {9e3f, 9e3f, 6.0f}, .boxes = &box, .box_count = 1};
        const kerb_plan_world world = {.space = &space};
        assert_int_equal(kerb_kind_planner_set_world(&planner, &world, NULL), KERB_OK);
        if (kind_rig_run(&planner, &ends) != KERB_PLAN_FOUND)
            continue;
        found++;
        plan = kerb_kind_planner_get_plan(&planner);
        check_plan(&k, &world, &ends, &plan, i);
    }
    print_message("%d of %d found\n", found, count);
    assert_true(found * 10 >= count * 8);
    kerb_kind_planner_destroy(&planner);
}

static void a_box_put_into_a_plan_is_seen_by_the_checker(void** unused) {
    (void)unused;
    kerb_rotorcraft drone = kerb_drone_default();
    kerb_kind kind = kerb_kind_of_rotorcraft(&drone);
    kerb_kind_planner planner = kind_rig_planner(&kind);
    kind_ends ends = {.to = {40.0f, 10.0f, 5.0f}};
    assert_int_equal(kind_rig_run(&planner, &ends), KERB_PLAN_FOUND);
    kerb_kind_plan plan = kerb_kind_planner_get_plan(&planner);
    const kerb_space_box box = {{19.0f, 0.0f, 0.0f}, {21.0f, 10.0f, 5.0f}};
    kerb_space_world space = {.min = {-50.0f, -50.0f, -50.0f}, .max = {50.0f, 50.0f, 50.0f}};
    const kerb_plan_world world = {.space = &space};
    assert_int_equal(kerb_kind_check(&kind, ends.from, ends.to, &world, &plan, NULL), KERB_OK);
    space.boxes = &box;
    space.box_count = 1;
    kerb_error error;
    assert_int_equal(kerb_kind_check(&kind, ends.from, ends.to, &world, &plan, &error),
                     KERB_ERROR_OUT_OF_RANGE);
    assert_string_equal(error.field, "world");
    // The planner goes round it, above or beside, in little more time.
    assert_int_equal(kerb_kind_planner_set_world(&planner, &world, NULL), KERB_OK);
    float direct = plan.time;
    assert_int_equal(kind_rig_run(&planner, &ends), KERB_PLAN_FOUND);
    plan = kerb_kind_planner_get_plan(&planner);
    assert_int_equal(kerb_kind_check(&kind, ends.from, ends.to, &world, &plan, NULL), KERB_OK);
    assert_true(plan.time > direct && plan.time < 1.5f * direct);
    // A goal within the box.
    kind_ends inside = {.to = {20.0f, 5.0f, 2.0f}};
    assert_int_equal(kind_rig_run(&planner, &inside), KERB_PLAN_GOAL_BLOCKED);
    kerb_kind_planner_destroy(&planner);
}

// The same solids as boxes and as an octree free the same balls.
static void an_octree_blocks_what_its_cubes_block(void** unused) {
    (void)unused;
    // The upper half along x of the root's first eighth, and its last eighth.
    const uint32_t octree[16] = {2, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1};
    const kerb_space_box boxes[2] = {{{2.0f, 0.0f, 0.0f}, {4.0f, 4.0f, 4.0f}},
                                     {{4.0f, 4.0f, 4.0f}, {8.0f, 8.0f, 8.0f}}};
    kerb_space_world as_octree = {.min = {-20.0f, -20.0f, -20.0f}, .max = {20.0f, 20.0f, 20.0f}};
    kerb_space_world as_boxes = as_octree;
    as_octree.octree = octree;
    as_octree.octree_nodes = 2;
    as_octree.octree_size = 8.0f;
    as_boxes.boxes = boxes;
    as_boxes.box_count = 2;
    kerb_random random = test_random("octree");
    int32_t free = 0;
    for (int32_t i = 0; i < 20000; i++) {
        kerb_kind_ball ball = {{kerb_random_between(&random, -4.0f, 12.0f),
                                kerb_random_between(&random, -4.0f, 12.0f),
                                kerb_random_between(&random, -4.0f, 12.0f)},
                               kerb_random_between(&random, 0.1f, 3.0f)};
        bool is_free = kerb_space_world_is_free(&as_boxes, &ball);
        assert_int_equal(is_free, kerb_space_world_is_free(&as_octree, &ball));
        free += is_free ? 1 : 0;
    }
    assert_in_range(free, 2000, 18000);
}

static void worlds_that_cannot_be_are_refused_by_name(void** unused) {
    (void)unused;
    kerb_space_world w = {.min = {0.0f, 0.0f, 0.0f}, .max = {10.0f, 10.0f, -1.0f}};
    kerb_error error;
    assert_int_equal(kerb_space_world_validate(&w, &error), KERB_ERROR_OUT_OF_RANGE);
    assert_string_equal(error.field, "max");
    w.max.z = 10.0f;
    assert_int_equal(kerb_space_world_validate(&w, &error), KERB_OK);
    w.box_count = 1;
    assert_int_equal(kerb_space_world_validate(&w, &error), KERB_ERROR_MISSING_FIELD);
    const kerb_space_box box = {{1.0f, 0.0f, 0.0f}, {0.0f, 1.0f, 1.0f}};
    w.boxes = &box;
    assert_int_equal(kerb_space_world_validate(&w, &error), KERB_ERROR_OUT_OF_RANGE);
    assert_string_equal(error.field, "boxes");
    w.box_count = 0;
    const uint32_t circle[8] = {1, 0, 0, 0, 2, 0, 0, 0};
    w.octree = circle;
    w.octree_nodes = 1;
    w.octree_size = 8.0f;
    assert_int_equal(kerb_space_world_validate(&w, &error), KERB_ERROR_OUT_OF_RANGE);
    assert_string_equal(error.field, "octree");
    w.octree = NULL;
    const float heights[2] = {0.0f, NAN};
    w.heights = heights;
    w.columns = 2;
    w.rows = 1;
    w.cell_size = 1.0f;
    assert_int_equal(kerb_space_world_validate(&w, &error), KERB_ERROR_NOT_FINITE);
    assert_int_equal(error.index, 1);
}

static void a_kind_without_a_function_is_refused(void** unused) {
    (void)unused;
    kerb_spacecraft craft = kerb_spacecraft_default();
    kerb_kind kind = kerb_kind_of_spacecraft(&craft);
    kerb_error error;
    assert_int_equal(kerb_kind_validate(&kind, &error), KERB_OK);
    kerb_kind_space space = *kind.space;
    space.connect = NULL;
    kind.space = &space;
    assert_int_equal(kerb_kind_validate(&kind, &error), KERB_ERROR_MISSING_FIELD);
    assert_string_equal(error.field, "space.connect");
}

// To go straight on as it goes is one plan of many, so none takes longer.
static void going_straight_on_takes_no_longer_than_at_constant_speed(void** unused) {
    (void)unused;
    for (int32_t n = 0; n < 2; n++) {
        static kerb_scene_kind k;
        const char* name = n == 0 ? "helicopter" : "drone";
        assert_true(kerb_scene_kind_make(name, &k));
        const kerb_rotorcraft craft = n == 0 ? kerb_helicopter_default() : kerb_drone_default();
        kerb_random random = test_random(name);
        kerb_kind_planner planner = kind_rig_planner(&k.kind);
        for (int32_t i = 0; i < test_share(1000, 100); i++) {
            float heading = kerb_random_between(&random, -KERB_PI, KERB_PI);
            float speed = kerb_random_between(&random, 0.1f, 0.95f) * craft.speed_max;
            float distance = kerb_random_between(&random, 1.0f, 200.0f);
            kind_ends ends = {.from = {0.0f, 0.0f, 30.0f}};
            ends.from[3] = speed * kerb_cos(heading);
            ends.from[4] = speed * kerb_sin(heading);
            ends.from[9] = heading;
            ends.to[0] = distance * kerb_cos(heading);
            ends.to[1] = distance * kerb_sin(heading);
            for (int32_t s = 2; s < 10; s++)
                ends.to[s] = ends.from[s];
            assert_int_equal(kind_rig_run(&planner, &ends), KERB_PLAN_FOUND);
            kerb_kind_plan plan = kerb_kind_planner_get_plan(&planner);
            check_plan(&k, NULL, &ends, &plan, i);
            if (plan.time > 1.001f * distance / speed)
                fail_msg("%s, goal %d: %.1f m at %.2f m/s in %.2f s", name, i, (double)distance,
                         (double)speed, (double)plan.time);
        }
        kerb_kind_planner_destroy(&planner);
    }
}

static void what_glides_finds_no_plan_backwards_and_ends(void** unused) {
    (void)unused;
    for (int32_t n = 4; n < 6; n++) {
        static kerb_scene_kind k;
        assert_true(kerb_scene_kind_make(kinds[n], &k));
        kerb_random random = test_random(kinds[n]);
        kerb_kind_planner planner = kind_rig_planner(&k.kind);
        for (int32_t i = 0; i < 20; i++) {
            kind_ends ends;
            kerb_scene_kind_ends(&k, &random, ends.from, ends.to);
            float* end = i % 2 ? ends.from : ends.to;
            end[4] = -kerb_random_between(&random, 1.0f, 1000.0f);
            assert_int_not_equal(kind_rig_run(&planner, &ends), KERB_PLAN_FOUND);
            assert_int_equal(kerb_kind_planner_get_plan(&planner).count, 0);
        }
        kerb_kind_planner_destroy(&planner);
    }
}

int space_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plans_in_open_space_are_found_and_pass_the_checker),
        cmocka_unit_test(what_glides_finds_no_plan_backwards_and_ends),
        cmocka_unit_test(going_straight_on_takes_no_longer_than_at_constant_speed),
        cmocka_unit_test(a_spacecraft_takes_the_time_of_two_burns_and_a_flip),
        cmocka_unit_test(an_airplane_takes_the_time_of_a_dubins_airplane),
        cmocka_unit_test(a_drone_takes_the_time_of_a_profile_with_seven_phases),
        cmocka_unit_test(plans_among_obstacles_of_all_forms_are_found_and_pass_the_checker),
        cmocka_unit_test(obstacles_in_the_plane_are_refused_for_kinds_in_space),
        cmocka_unit_test(a_box_that_is_just_touched_is_seen_by_the_planner),
        cmocka_unit_test(a_box_put_into_a_plan_is_seen_by_the_checker),
        cmocka_unit_test(an_octree_blocks_what_its_cubes_block),
        cmocka_unit_test(worlds_that_cannot_be_are_refused_by_name),
        cmocka_unit_test(a_kind_without_a_function_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
