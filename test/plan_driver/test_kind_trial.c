// One suite for all kinds of vehicles: those that Kerb knows, and those that the examples add. A
// kind of a user's own passes the same one, kerb_kind_try.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kerb/kind_trial.h"
#include "scene/plan/kind_drive.h"
#include "scene/plan/plane_world.h"
#include "scene/plan/space_world.h"
#include "test/plan_driver/example_kinds.h"
#include "test/seed.h"

#include <string.h>

static const kerb_scene_kind* drawn; // whose ends are drawn

static void scene_ends(const kerb_kind* kind, kerb_random* random, float* from, float* to) {
    (void)kind;
    kerb_scene_kind_ends(drawn, random, from, to);
}

// A vehicle in the simulation of its kind.
static void scene_place(void* body, const float* state) {
    kerb_scene_kind_ride* ride = body;
    *ride = kerb_scene_kind_ride_make(drawn, state);
}

static kerb_motion scene_motion(const void* body, float* told) {
    const kerb_scene_kind_ride* ride = body;
    told[0] = kerb_scene_kind_ride_told(ride);
    return ride->motion;
}

static void scene_step(void* body, const kerb_controls* controls, float time_step) {
    kerb_scene_kind_ride* ride = body;
    ride->controls = *controls;
    kerb_scene_kind_ride_move(ride, time_step);
}

static void passes(const kerb_kind_trial* trial, kerb_kind_findings* findings) {
    const kerb_host host = kerb_host_default();
    kerb_error error;
    if (kerb_kind_try(trial, &host, findings, &error) != KERB_OK)
        fail_msg("%s, query %d, %d: %s %s", trial->kind->name, findings->query, error.index,
                 error.field, error.message);
    print_message("%s: %d of %d found, %.2f s, %d arrived, %.3f m off, %.3f of the time\n",
                  trial->kind->name, findings->found, findings->asked, (double)findings->time,
                  findings->arrived, (double)findings->error, (double)findings->late);
}

static void every_kind_keeps_its_promises_and_is_driven(void** unused) {
    (void)unused;
    for (int32_t n = 0; n < KERB_SCENE_KIND_COUNT; n++) {
        static kerb_scene_kind k;
        static kerb_scene_kind_ride ride;
        assert_true(kerb_scene_kind_make(kerb_scene_kind_text((kerb_scene_kind_name)n), &k));
        drawn = &k;
        kerb_random random = test_random("trials");
        kerb_kind_trial trial = {.kind = &k.kind,
                                 .queries = test_share(20, 2),
                                 .seed = kerb_random_bits(&random),
                                 .ends = scene_ends,
                                 .body = &ride,
                                 .place = scene_place,
                                 .motion = scene_motion,
                                 .step = scene_step,
                                 .time_step = n == KERB_SCENE_SHIP ? 0.1f : 0.02f};
        kerb_kind_findings f;
        passes(&trial, &f);
        assert_true(f.found + 1 >= f.asked && f.arrived + 1 >= f.found);
    }
}

static void every_kind_keeps_its_promises_among_obstacles(void** unused) {
    (void)unused;
    for (int32_t n = 0; n < KERB_SCENE_KIND_COUNT; n++) {
        static kerb_scene_kind k;
        static kerb_scene_space_world space;
        kerb_scene_plane_world plane;
        assert_true(kerb_scene_kind_make(kerb_scene_kind_text((kerb_scene_kind_name)n), &k));
        drawn = &k;
        kerb_random random = test_random("trials among obstacles");
        kerb_scene_plane_make(&plane, k.radius, &random);
        kerb_plan_world world = plane.world;
        if (k.kind.space) {
            kerb_scene_space_make(&space, KERB_SCENE_SPACE_BOXES, 20, k.radius, k.height, &random);
            world = (kerb_plan_world){.space = &space.world};
        }
        kerb_kind_trial trial = {.kind = &k.kind,
                                 .world = &world,
                                 .queries = test_share(10, 2),
                                 .seed = kerb_random_bits(&random),
                                 .ends = scene_ends};
        kerb_kind_findings f;
        passes(&trial, &f);
        assert_true(f.found + 1 >= f.asked); // one of ten may be missed
    }
}

static void kinds_that_the_examples_add_pass_the_same_suite(void** unused) {
    (void)unused;
    kerb_random random = test_random("examples");
    kerb_kind_findings f;
    kerb_kind_trial forklift = forklift_trial();
    forklift.queries = test_share(60, 15);
    forklift.seed = kerb_random_bits(&random);
    passes(&forklift, &f);
    assert_true(f.found * 20 >= f.asked * 19 && f.arrived * 20 >= f.found * 19);
    assert_true(f.error < 0.3f && f.late < 1.1f);
    kerb_kind_trial camera = camera_trial();
    camera.queries = test_share(100, 30);
    camera.seed = kerb_random_bits(&random);
    passes(&camera, &f);
    assert_int_equal(f.found, f.asked);
    assert_int_equal(f.arrived, f.found);
    assert_true(f.error < 0.3f && f.late < 1.1f);
}

// --------------------------------------------------------------------------- broken promises

static kerb_kind honest; // the kind that the broken ones stand on

static float too_high(const void* vehicle, const float* from, const float* to) {
    return 3.0f * honest.bound(vehicle, from, to) + 20.0f;
}

static void rates_of_a_place(const void* vehicle, const float* state, const float* control,
                             float* rates) {
    honest.rates(vehicle, state, control, rates);
    rates[3] += 1e-3f * state[0];
}

static int32_t asked; // how often the next was

static void rates_that_remember(const void* vehicle, const float* state, const float* control,
                                float* rates) {
    honest.rates(vehicle, state, control, rates);
    rates[3] += asked++ % 7 == 0 ? 1e-3f : 0.0f;
}

static void guess_that_remembers(const void* vehicle, const kerb_kind_query* query,
                                 const kerb_plan_state* at, float* state, float* control) {
    honest.on_route(vehicle, query, at, state, control);
    control[0] *= asked++ % 101 < 50 ? 1.0f : 0.9f;
}

static void says(const kerb_kind* kind, const char* field) {
    const kerb_host host = kerb_host_default();
    kerb_kind_trial trial = {.kind = kind, .queries = 20, .seed = 3, .ends = scene_ends};
    kerb_kind_findings f;
    kerb_error error;
    assert_int_not_equal(kerb_kind_try(&trial, &host, &f, &error), KERB_OK);
    assert_string_equal(error.field, field);
}

static void a_broken_promise_is_named(void** unused) {
    (void)unused;
    static kerb_scene_kind k;
    assert_true(kerb_scene_kind_make("tank", &k));
    drawn = &k;
    honest = k.kind;
    kerb_kind kind = honest;
    kind.bound = too_high;
    says(&kind, "bound");
    kind = honest;
    kind.rates = rates_of_a_place;
    says(&kind, "rates");
    kind.rates = rates_that_remember;
    says(&kind, "rates");
    kind = honest;
    kind.rates = NULL;
    says(&kind, "rates");
    kind = honest;
    kind.on_route = guess_that_remembers;
    says(&kind, "steps");
}

int kind_trial_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_keeps_its_promises_and_is_driven),
        cmocka_unit_test(every_kind_keeps_its_promises_among_obstacles),
        cmocka_unit_test(kinds_that_the_examples_add_pass_the_same_suite),
        cmocka_unit_test(a_broken_promise_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
