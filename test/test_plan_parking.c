// The hardest of the parking cases, whatever a change of direction costs.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "io/scenario.h"
#include "scene/planning.h"
#include "test/plan_rig.h"

#include <stdio.h>

static bool read_case(io_parking* parking) {
    const kerb_host host = kerb_host_default();
    FILE* file = fopen(KERB_SOURCE_DIR "/../shared/data/parking/Case7.csv", "rb");
    if (!file)
        return false;
    static char text[1 << 16];
    size_t size = fread(text, 1, sizeof text, file);
    fclose(file);
    assert_int_equal(io_parking_read(parking, text, size, &host, NULL), KERB_OK);
    return true;
}

static void expect_parked(const kerb_plan_world* world, const kerb_plan_limits* limits,
                          const io_parking* p) {
    const kerb_host host = kerb_host_default();
    const kerb_plan_end from = {.pose = p->from}, to = {.pose = p->to};
    const kerb_plan_query query = {&from, &to, 1, 1};
    kerb_planner_settings settings = kerb_planner_settings_default();
    settings.improvement = 0;
    kerb_planner planner;
    assert_int_equal(kerb_planner_create(&planner, limits, &settings, &host, NULL), KERB_OK);
    assert_int_equal(kerb_planner_world(&planner, world, NULL), KERB_OK);
    assert_int_equal(kerb_planner_begin(&planner, &query, NULL), KERB_OK);
    kerb_plan_outcome outcome = KERB_PLAN_RUNNING;
    while (outcome == KERB_PLAN_RUNNING)
        outcome = kerb_planner_advance(&planner, 1000);
    kerb_plan plan = kerb_planner_plan(&planner);
    if (outcome != KERB_PLAN_FOUND)
        fail_msg("%s with %g s for a change of direction", kerb_plan_outcome_text(outcome),
                 (double)limits->reversal_time);
    assert_int_equal(kerb_plan_check(limits, &query, world, &plan, NULL), KERB_OK);
    kerb_planner_destroy(&planner);
}

static void a_gap_half_a_metre_longer_than_the_car_is_found_whatever_turning_back_costs(
    void** state) {
    (void)state;
    const kerb_host host = kerb_host_default();
    io_parking p;
    if (!read_case(&p)) {
        print_message("skipped: ../shared/data with parking cases is not here\n");
        skip();
    }
    kerb_vec2 a = p.from.position, b = p.to.position;
    const kerb_plan_world world = {.vertices = p.vertices,
                                   .vertex_counts = p.vertex_counts,
                                   .polygon_count = p.polygon_count,
                                   .least = {kerb_min(a.x, b.x) - 8.0f, kerb_min(a.y, b.y) - 8.0f},
                                   .most = {kerb_max(a.x, b.x) + 8.0f, kerb_max(a.y, b.y) + 8.0f}};
    kerb_plan_limits limits = scene_plan_parking_car();
    for (int32_t i = 0; i < 4; i++) {
        static const float times[4] = {0.0f, 0.2f, 0.5f, 1.2f};
        limits.reversal_time = times[i];
        expect_parked(&world, &limits, &p);
    }
    io_parking_free(&p, &host);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(
            a_gap_half_a_metre_longer_than_the_car_is_found_whatever_turning_back_costs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
