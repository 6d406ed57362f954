// The lane keeper on vehicles that it was not tuned on: hosts of the family.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "scene/lane/lane_family.h"
#include "test/seed.h"

// Before it learned its vehicle's steering, none was within 0.1 m of its lane.
static void bent_wheels_leave_few_beside_their_lane_after_10_s(void** state) {
    (void)state;
    static kerb_scene_lane_family_ride ride;
    const int count = test_share(30, 6);
    int beside = 0;
    for (int i = 0; i < count; i++) {
        const uint64_t seed = 61000 + (uint64_t)i;
        assert_true(kerb_scene_lane_family_run(seed, i % 2 == 0 ? 0.1f : -0.1f, NULL, &ride));
        beside += ride.parts[0].error_late > 0.1f;
    }
    if (beside * 5 > count)
        fail_msg("%d of %d are beside it", beside, count);
}

static void most_keep_their_lane_on_a_straight_and_an_arc(void** state) {
    (void)state;
    static kerb_scene_lane_family_ride ride;
    const int count = test_share(12, 3);
    int off = 0;
    for (int i = 0; i < count; i++) {
        assert_true(kerb_scene_lane_family_run(61000 + (uint64_t)i, 0.0f, NULL, &ride));
        off += !ride.finished || ride.outside > 0.0;
    }
    if (off * 6 > count)
        fail_msg("%d of %d leave the road", off, count);
}

int lane_family_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bent_wheels_leave_few_beside_their_lane_after_10_s),
        cmocka_unit_test(most_keep_their_lane_on_a_straight_and_an_arc),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
