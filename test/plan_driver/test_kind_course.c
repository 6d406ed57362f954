// Given paths on water, on foot, in the air and under water: plans along them, and their drives.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kerb/kind_course.h"
#include "scene/plan/kind_course.h"
#include "scene/plan/kind_drive.h"
#include "test/kind_rig.h"

#define PLACES 14
#define PIECES (PLACES * KERB_KIND_PIECES_MAX)
// Radius of the bend over that of the turning circle.
#define BEND 4.0f
#define SLOPE 0.05f

// Memory of a plan.
typedef struct course_rig {
    float states[(PIECES + 1) * KERB_KIND_STATES_MAX], times[PIECES + 1];
    float controls[PIECES * KERB_KIND_CONTROLS_MAX];
    float gains[PIECES * KERB_KIND_CONTROLS_MAX * KERB_KIND_STATES_MAX];
} course_rig;

static kerb_kind_course_memory memory_of(course_rig* rig) {
    kerb_kind_course_memory memory = {rig->states, rig->controls, rig->gains, rig->times, PIECES};
    return memory;
}

// A place on a straight line that goes over into a bend, and rises in space.
static kerb_kind_place place_at(const kerb_scene_kind* k, float along, float speed) {
    float radius = BEND * kerb_scene_kind_circle(k), straight = 1.5f * radius;
    float angle = kerb_max(along - straight, 0.0f) / radius, sine, cosine;
    float rise = k->kind.space ? SLOPE : 0.0f, level = kerb_sqrt(1.0f - rise * rise);
    kerb_sin_cos(angle, &sine, &cosine);
    kerb_kind_place place = {.position = {kerb_min(along, straight) + radius * sine,
                                          radius * (1.0f - cosine), along * rise / level},
                             .forward = {level * cosine, level * sine, rise},
                             .speed = speed,
                             .curvature = angle > 0.0f ? 1.0f / radius : 0.0f};
    return place;
}

static void make_places(const kerb_scene_kind* k, float speed, float* at) {
    memset(at, 0, sizeof(float) * PLACES * KERB_KIND_STATES_MAX);
    for (int32_t i = 0; i < PLACES; i++) {
        kerb_kind_place place = place_at(k, kerb_scene_kind_circle(k) * (float)i, speed);
        kerb_kind_state_at(&k->kind, &place, at + i * KERB_KIND_STATES_MAX, NULL);
    }
}

static kerb_plan_outcome find(kerb_kind_course* course, kerb_kind_planner* planner, int32_t steps) {
    kerb_plan_outcome outcome = KERB_PLAN_RUNNING;
    while (outcome == KERB_PLAN_RUNNING)
        outcome = kerb_kind_course_advance(course, planner, steps);
    return outcome;
}

// Greatest distance of a plan from the path, by brute force. [m]
static float farthest(const kerb_scene_kind* k, const kerb_kind_plan* plan) {
    float most = 0.0f, step = 0.02f * kerb_scene_kind_circle(k);
    for (int32_t i = 0; i <= plan->count; i++) {
        const float* state = plan->states + i * KERB_KIND_STATES_MAX;
        float least = 1e9f;
        for (int32_t j = 0; j < PLACES * 50; j++) {
            kerb_vec3 at = place_at(k, step * (float)j, 1.0f).position;
            at.z = k->kind.space ? at.z : 0.0f;
            kerb_vec3 off = {state[0] - at.x, state[1] - at.y,
                             k->kind.space ? state[2] - at.z : 0.0f};
            least = kerb_min(least, kerb_vec3_length(off));
        }
        most = kerb_max(most, least);
    }
    return most;
}

static void kinds_plan_along_a_given_path_and_drive_it(void** unused) {
    (void)unused;
    static const struct {
        const char* name;
        float speed; // [m/s]
    } kinds[] = {{"ship", 3.0f},  {"pedestrian", 0.8f}, {"tank", 3.0f},
                 {"drone", 5.0f}, {"helicopter", 4.0f}, {"submarine", 1.0f}};
    static course_rig rig, other;
    for (size_t n = 0; n < sizeof kinds / sizeof kinds[0]; n++) {
        static kerb_scene_kind k;
        float at[PLACES * KERB_KIND_STATES_MAX];
        assert_true(kerb_scene_kind_make(kinds[n].name, &k));
        make_places(&k, kinds[n].speed, at);
        kerb_kind_planner planner = kind_rig_planner(&k.kind);
        kerb_kind_course course, sliced;
        kerb_kind_course_memory memory = memory_of(&rig), slices = memory_of(&other);
        kerb_error error;
        assert_int_equal(
            kerb_kind_course_begin(&course, &planner, at, NULL, PLACES, &memory, &error), KERB_OK);
        assert_int_equal(find(&course, &planner, 1000), KERB_PLAN_FOUND);
        assert_int_equal(course.place, PLACES - 1);
        const float* last = at + (PLACES - 1) * KERB_KIND_STATES_MAX;
        if (kerb_kind_check(&k.kind, at, last, NULL, &course.plan, &error) != KERB_OK)
            fail_msg("%s, piece %d: %s %s", kinds[n].name, error.index, error.field, error.message);
        float circle = kerb_scene_kind_circle(&k), off = farthest(&k, &course.plan);
        kerb_scene_kind_driven driven = kerb_scene_kind_drive(&k, &course.plan);
        print_message("%s: %.1f s, %.3f of the radius off at most; driven in %.1f s, %.2f m off\n",
                      kinds[n].name, (double)course.plan.time, (double)(off / circle),
                      (double)driven.time, (double)driven.cross_track);
        assert_true(off < 0.15f * circle);
        assert_true(driven.arrived && driven.cross_track < 0.1f * circle);
        // In slices: the same plan to the bit.
        assert_int_equal(
            kerb_kind_course_begin(&sliced, &planner, at, NULL, PLACES, &slices, &error), KERB_OK);
        assert_int_equal(find(&sliced, &planner, 7), KERB_PLAN_FOUND);
        assert_int_equal(sliced.plan.count, course.plan.count);
        assert_memory_equal(rig.states, other.states,
                            sizeof(float) * KERB_KIND_STATES_MAX * (size_t)(course.plan.count + 1));
        kerb_kind_planner_destroy(&planner);
    }
}

// A block lies on one place, which is left out; then on the last one, which cannot be.
static void places_in_obstacles_are_left_out(void** unused) {
    (void)unused;
    static course_rig rig;
    static kerb_scene_kind k;
    float at[PLACES * KERB_KIND_STATES_MAX];
    assert_true(kerb_scene_kind_make("ship", &k));
    make_places(&k, 3.0f, at);
    kerb_kind_planner planner = kind_rig_planner(&k.kind);
    for (int32_t n = 0; n < 2; n++) {
        const float* state = at + (n == 0 ? 4 : PLACES - 1) * KERB_KIND_STATES_MAX;
        float size = 0.1f * k.ship.length;
        const kerb_vec2 block[4] = {{state[0] - size, state[1] - size},
                                    {state[0] + size, state[1] - size},
                                    {state[0] + size, state[1] + size},
                                    {state[0] - size, state[1] + size}};
        const int32_t corners = 4;
        const kerb_plan_world world = {
            .vertices = block, .vertex_counts = &corners, .polygon_count = 1};
        assert_int_equal(kerb_kind_planner_set_world(&planner, &world, NULL), KERB_OK);
        kerb_kind_course course;
        kerb_kind_course_memory memory = memory_of(&rig);
        kerb_error error;
        assert_int_equal(
            kerb_kind_course_begin(&course, &planner, at, NULL, PLACES, &memory, &error), KERB_OK);
        kerb_plan_outcome outcome = find(&course, &planner, 1000);
        assert_int_equal(outcome, n == 0 ? KERB_PLAN_FOUND : KERB_PLAN_BUDGET_SPENT);
        assert_int_equal(course.place, n == 0 ? PLACES - 1 : PLACES - 2);
        const float* end = at + course.place * KERB_KIND_STATES_MAX;
        assert_int_equal(kerb_kind_check(&k.kind, at, end, &world, &course.plan, &error), KERB_OK);
    }
    kerb_kind_planner_destroy(&planner);
}

static void a_course_refuses_what_cannot_be_planned(void** unused) {
    (void)unused;
    static course_rig rig;
    static kerb_scene_kind k;
    float at[PLACES * KERB_KIND_STATES_MAX];
    assert_true(kerb_scene_kind_make("pedestrian", &k));
    make_places(&k, 0.8f, at);
    kerb_kind_planner planner = kind_rig_planner(&k.kind);
    kerb_kind_course course;
    kerb_kind_course_memory memory = memory_of(&rig);
    kerb_error error;
    assert_int_equal(kerb_kind_course_begin(&course, &planner, at, NULL, 1, &memory, &error),
                     KERB_ERROR_TOO_FEW);
    assert_string_equal(error.field, "places");
    assert_int_equal(kerb_kind_course_advance(&course, &planner, 10), KERB_PLAN_IMPOSSIBLE);
    memory.pieces = 0;
    assert_int_equal(kerb_kind_course_begin(&course, &planner, at, NULL, PLACES, &memory, &error),
                     KERB_ERROR_OUT_OF_RANGE);
    assert_string_equal(error.field, "pieces");
    memory.pieces = 200; // a few legs
    assert_int_equal(kerb_kind_course_begin(&course, &planner, at, NULL, PLACES, &memory, &error),
                     KERB_OK);
    assert_int_equal(find(&course, &planner, 1000), KERB_PLAN_BUDGET_SPENT);
    assert_true(course.place > 0 && course.place < PLACES - 1 && course.plan.count <= 200);
    kerb_kind_planner_destroy(&planner);
}

int kind_course_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kinds_plan_along_a_given_path_and_drive_it),
        cmocka_unit_test(places_in_obstacles_are_left_out),
        cmocka_unit_test(a_course_refuses_what_cannot_be_planned),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
