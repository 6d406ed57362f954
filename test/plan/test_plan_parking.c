// The parking cases of TPCAP, planned and checked; and the hardest, whatever a change of direction
// costs.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kerb/io/scenario.h"
#include "scene/plan/planning.h"
#include "test/plan_rig.h"

#include <stdio.h>

static bool read_case(kerb_io_parking* parking, int32_t number) {
    const kerb_host host = kerb_host_default();
    char name[256];
    snprintf(name, sizeof name, KERB_SOURCE_DIR "/../shared/data/parking/Case%d.csv", number);
    FILE* file = fopen(name, "rb");
    if (!file)
        return false;
    static char text[1 << 16];
    size_t size = fread(text, 1, sizeof text, file);
    fclose(file);
    assert_int_equal(kerb_io_parking_read(parking, text, size, &host, NULL), KERB_OK);
    return true;
}

// What stands there, in a box with 8 m beyond start and goal.
static kerb_plan_world world_of(const kerb_io_parking* p) {
    const float room = 8.0f;
    kerb_vec2 a = p->from.position, b = p->to.position;
    return (kerb_plan_world){.vertices = p->vertices,
                             .vertex_counts = p->vertex_counts,
                             .polygon_count = p->polygon_count,
                             .box_min = {kerb_min(a.x, b.x) - room, kerb_min(a.y, b.y) - room},
                             .box_max = {kerb_max(a.x, b.x) + room, kerb_max(a.y, b.y) + room}};
}

static void expect_parked(const kerb_plan_world* world, const kerb_plan_limits* limits,
                          const kerb_io_parking* p) {
    const kerb_host host = kerb_host_default();
    const kerb_plan_end from = {.pose = p->from}, to = {.pose = p->to};
    const kerb_plan_query query = {&from, &to, 1, 1};
    kerb_planner_settings settings = kerb_planner_settings_default();
    settings.improvement = 0;
    kerb_planner planner;
    assert_int_equal(kerb_planner_create(&planner, limits, &settings, &host, NULL), KERB_OK);
    assert_int_equal(kerb_planner_set_world(&planner, world, NULL), KERB_OK);
    assert_int_equal(kerb_planner_begin(&planner, &query, NULL), KERB_OK);
    kerb_plan_outcome outcome = KERB_PLAN_RUNNING;
    while (outcome == KERB_PLAN_RUNNING)
        outcome = kerb_planner_advance(&planner, 1000);
    kerb_plan plan = kerb_planner_get_plan(&planner);
    if (outcome != KERB_PLAN_FOUND)
        fail_msg("%s from %g, %g with %g s for a change of direction",
                 kerb_plan_outcome_text(outcome), (double)p->from.position.x,
                 (double)p->from.position.y, (double)limits->reversal_time);
    assert_int_equal(kerb_plan_check(limits, &query, world, &plan, NULL), KERB_OK);
    kerb_planner_destroy(&planner);
}

static void every_case_is_parked_without_touching(void** state) {
    (void)state;
    static const int32_t cases[] = {1, 2, 4, 5, 7, 9, 10, 11, 13, 14, 16, 17, 19};
    const kerb_host host = kerb_host_default();
    const kerb_plan_limits limits = kerb_scene_plan_parking_car();
    int32_t read = 0;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        kerb_io_parking p;
        if (!read_case(&p, cases[i]))
            continue;
        const kerb_plan_world world = world_of(&p);
        expect_parked(&world, &limits, &p);
        kerb_io_parking_destroy(&p, &host);
        read++;
    }
    if (read == 0) {
        print_message("skipped: ../shared/data with parking cases is not here\n");
        skip();
    }
}

static void a_gap_half_a_metre_longer_than_the_car_is_found_whatever_turning_back_costs(
    void** state) {
    (void)state;
    const kerb_host host = kerb_host_default();
    kerb_io_parking p;
    if (!read_case(&p, 7)) {
        print_message("skipped: ../shared/data with parking cases is not here\n");
        skip();
    }
    const kerb_plan_world world = world_of(&p);
    kerb_plan_limits limits = kerb_scene_plan_parking_car();
    for (int32_t i = 0; i < 4; i++) {
        static const float times[4] = {0.0f, 0.2f, 0.5f, 1.2f};
        limits.reversal_time = times[i];
        expect_parked(&world, &limits, &p);
    }
    kerb_io_parking_destroy(&p, &host);
}

int plan_parking_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_case_is_parked_without_touching),
        cmocka_unit_test(
            a_gap_half_a_metre_longer_than_the_car_is_found_whatever_turning_back_costs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
