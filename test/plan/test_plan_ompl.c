// Movements through fields of blocks against those of OMPL's control-based RRT.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#ifdef KERB_HAVE_OMPL

#include "kerb/plan.h"
#include "scene/ompl/ompl_crossing.h"
#include "scene/plan/planning.h"

enum { FIELDS = 4, FOUND_LEAST = 1 };
#define LIMIT 8.0 // [s]

// Seconds; 0: none found.
static float planned(const kerb_scene_plan_blocks* field) {
    const kerb_host host = kerb_host_default();
    const kerb_planner_settings settings = kerb_planner_settings_default();
    const kerb_plan_query query = {&field->task.from, &field->task.to, 1, 1};
    kerb_planner planner;
    assert_int_equal(kerb_planner_create(&planner, &field->task.limits, &settings, &host, NULL),
                     KERB_OK);
    assert_int_equal(kerb_planner_set_world(&planner, &field->world, NULL), KERB_OK);
    assert_int_equal(kerb_planner_begin(&planner, &query, NULL), KERB_OK);
    while (kerb_planner_advance(&planner, 1000) == KERB_PLAN_RUNNING)
        ;
    kerb_plan plan = kerb_planner_get_plan(&planner);
    float time = plan.count > 0 ? plan.cost : 0.0f;
    kerb_planner_destroy(&planner);
    return time;
}

// OMPL's arrives within 2 m and 2 m/s of the goal, ours at it: two seconds at most between them.
static void no_movement_of_ompl_is_faster(void** state) {
    (void)state;
    static kerb_scene_plan_blocks field;
    int found = 0;
    for (int i = 0; i < FIELDS; i++) {
        kerb_scene_plan_blocks_make(1, i, &field);
        const kerb_plan_limits* l = &field.task.limits;
        const ompl_field same = {field.cells,
                                 KERB_SCENE_PLAN_BLOCKS_SIDE,
                                 (double)KERB_SCENE_PLAN_BLOCKS_CELL,
                                 {5.0, 5.0, 0.78539816},
                                 {95.0, 95.0, 0.78539816},
                                 (double)l->turning_radius,
                                 (double)l->speed_max,
                                 (double)l->acceleration,
                                 (double)l->braking,
                                 (double)l->lateral_acceleration,
                                 (double)l->front,
                                 (double)l->rear,
                                 (double)l->width};
        float ours = planned(&field);
        ompl_crossing theirs = kerb_scene_ompl_cross(&same, LIMIT);
        print_message("%d: %.2f s; OMPL %s %.2f s, after %.2f s\n", i, (double)ours,
                      theirs.found ? "found" : "found none:", theirs.movement, theirs.thought);
        if (!theirs.found)
            continue;
        found++;
        assert_true(ours > 0.0f && (double)ours < theirs.movement + 2.0);
    }
    assert_true(found >= FOUND_LEAST);
}

int plan_ompl_tests(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(no_movement_of_ompl_is_faster)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

static void movements_are_compared_with_ompl(void** state) {
    (void)state;
    print_message("built without OMPL (libompl-dev, g++): nothing to compare with\n");
    skip();
}

int plan_ompl_tests(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(movements_are_compared_with_ompl)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
