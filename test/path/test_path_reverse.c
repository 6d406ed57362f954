// A path from its other end: what must change sides, and what must hold on the same segments.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kerb/path.h"
#include "test/seed.h"

#include <string.h>

enum { MOST = 12 };

static kerb_waypoint some_waypoint(kerb_random* random, int32_t i) {
    kerb_waypoint w = kerb_waypoint_at((float)i * 10.0f, kerb_random_between(random, -2, 2), 1.0f);
    w.left = kerb_random_between(random, 1, 5);
    w.right = kerb_random_between(random, 1, 5);
    w.bank = kerb_random_below(random, 2) ? kerb_random_between(random, -0.3f, 0.3f) : 0.0f;
    w.stop = kerb_random_between(random, 0, 5);
    w.speed_limit = kerb_random_between(random, 1, 50);
    w.grip = kerb_random_between(random, 0.5f, 1.5f);
    w.direction = kerb_random_below(random, 2) ? 1 : -1;
    return w;
}

static void fill(kerb_random* random, kerb_waypoint* waypoints, int32_t count) {
    for (int32_t i = 0; i < count; i++)
        waypoints[i] = some_waypoint(random, i);
}

static bool same_place(const kerb_waypoint* a, const kerb_waypoint* b) {
    return memcmp(&a->position, &b->position, sizeof a->position) == 0;
}

static const kerb_waypoint* at_place(const kerb_waypoint* list, int32_t count,
                                     const kerb_waypoint* place) {
    for (int32_t i = 0; i < count; i++)
        if (same_place(&list[i], place))
            return &list[i];
    fail_msg("a waypoint is lost");
    return NULL;
}

static void left_and_right_and_banking_change_sides(void** state) {
    (void)state;
    kerb_random random = test_random(__func__);
    kerb_waypoint before[MOST], after[MOST];
    for (int32_t round = 0; round < 200; round++) {
        int32_t count = 1 + kerb_random_below(&random, MOST);
        bool closed = kerb_random_below(&random, 2) == 1;
        fill(&random, before, count);
        memcpy(after, before, sizeof before);
        kerb_waypoints_reverse(after, count, closed);
        for (int32_t i = 0; i < count && count > 1; i++) {
            const kerb_waypoint* old = at_place(before, count, &after[i]);
            assert_true(after[i].left == old->right && after[i].right == old->left);
            assert_true(after[i].bank == -old->bank);
            assert_true(after[i].stop == old->stop && after[i].grip == old->grip);
        }
    }
}

// Every segment of the reversed path against the same segment of the path as it was.
static void limits_and_directions_hold_on_the_same_segments(void** state) {
    (void)state;
    kerb_random random = test_random(__func__);
    kerb_waypoint before[MOST], after[MOST];
    for (int32_t round = 0; round < 200; round++) {
        int32_t count = 2 + kerb_random_below(&random, MOST - 1);
        bool closed = count > 2 && kerb_random_below(&random, 2) == 1;
        fill(&random, before, count);
        memcpy(after, before, sizeof before);
        kerb_waypoints_reverse(after, count, closed);
        for (int32_t i = 0; i < (closed ? count : count - 1); i++) {
            const kerb_waypoint* from = at_place(before, count, &after[(i + 1) % count]);
            int32_t next = (int32_t)(from - before + 1) % count;
            assert_true(same_place(&before[next], &after[i]));
            assert_true(after[i].speed_limit == from->speed_limit);
            assert_int_equal(after[i].direction, from->direction);
        }
    }
}

static void twice_gives_back_the_same(void** state) {
    (void)state;
    kerb_random random = test_random(__func__);
    kerb_waypoint before[MOST], after[MOST];
    for (int32_t count = 0; count <= MOST; count++) {
        for (int32_t closed = 0; closed < 2; closed++) {
            fill(&random, before, count);
            memcpy(after, before, sizeof before);
            kerb_waypoints_reverse(after, count, closed == 1);
            kerb_waypoints_reverse(after, count, closed == 1);
            if (count > 0)
                assert_memory_equal(after, before, (size_t)count * sizeof before[0]);
        }
    }
}

static void a_closed_path_starts_where_it_started(void** state) {
    (void)state;
    kerb_random random = test_random(__func__);
    kerb_waypoint before[5], after[5];
    fill(&random, before, 5);
    memcpy(after, before, sizeof before);
    kerb_waypoints_reverse(after, 5, true);
    assert_true(same_place(&after[0], &before[0]));
    assert_true(same_place(&after[1], &before[4]));
    kerb_waypoints_reverse(after, 5, false);
    assert_true(same_place(&after[0], &before[1]));
}

// So all drivers do on it what they do on a path that was never banked.
static void a_levelled_path_is_the_path_without_its_banks(void** state) {
    (void)state;
    kerb_random random = test_random(__func__);
    kerb_waypoint banked[5], plain[5];
    fill(&random, banked, 5);
    memcpy(plain, banked, sizeof plain);
    for (int32_t i = 0; i < 5; i++)
        plain[i].bank = 0.0f;
    kerb_waypoints_level(banked, 5);
    assert_memory_equal(banked, plain, sizeof plain);
}

int path_reverse_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(left_and_right_and_banking_change_sides),
        cmocka_unit_test(limits_and_directions_hold_on_the_same_segments),
        cmocka_unit_test(twice_gives_back_the_same),
        cmocka_unit_test(a_closed_path_starts_where_it_started),
        cmocka_unit_test(a_levelled_path_is_the_path_without_its_banks),
    };
    return cmocka_run_group_tests_name("path reverse", tests, NULL, NULL);
}
