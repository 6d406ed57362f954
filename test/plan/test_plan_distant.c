// The table of distant ways against the shortest ways themselves.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kerb/curve.h"
#include "src/plan/search/distant.h"
#include "test/seed.h"

#include <math.h>

enum { PAIRS = 100000 };

static float between(kerb_random* random, float least, float most) {
    return kerb_random_between(random, least, most);
}

// Poses at least so many radii away from one another.
typedef struct pair {
    kerb_pose from, to;
    float radius, straight;
} pair;

static pair random_pair(kerb_random* random, float most) {
    pair p;
    p.radius = between(random, 0.5f, 12.0f);
    float away = p.radius * between(random, PLAN_DISTANT_LEAST * 1.0001f, most);
    kerb_pose way = kerb_pose_make(between(random, -50.0f, 50.0f), between(random, -50.0f, 50.0f),
                                   between(random, -KERB_PI, KERB_PI));
    kerb_vec2 there = kerb_vec2_add(way.position, kerb_vec2_scale(way.forward, away));
    p.from = kerb_pose_make(way.position.x, way.position.y, between(random, -KERB_PI, KERB_PI));
    p.to = kerb_pose_make(there.x, there.y, between(random, -KERB_PI, KERB_PI));
    p.straight = kerb_vec2_length(kerb_vec2_sub(there, way.position));
    return p;
}

static float told(const plan_distant* distant, const pair* p) {
    return kerb_in_plan_distant_length(distant, p->from, p->to, p->radius, p->straight);
}

static void distant_ways_are_nearly_as_long_as_told(void** state) {
    (void)state;
    kerb_random random = test_random("distant ways");
    plan_distant distant;
    kerb_in_plan_distant_create(&distant);
    double squares = 0.0;
    int32_t count = test_share(PAIRS, PAIRS / 10);
    for (int32_t i = 0; i < count; i++) {
        pair p = random_pair(&random, i % 2 ? 5.0f : 30.0f);
        float off = told(&distant, &p) - kerb_reeds_shepp_length(p.from, p.to, p.radius);
        assert_true(fabsf(off) <= 0.2f * p.radius);
        squares += (double)(off * off / (p.radius * p.radius));
    }
    assert_true(sqrt(squares / count) <= 0.025);
}

// The same way seen in a mirror, and driven back, is as long.
static void mirrored_and_driven_back_a_distant_way_is_as_long(void** state) {
    (void)state;
    kerb_random random = test_random("distant ways mirrored");
    plan_distant distant;
    kerb_in_plan_distant_create(&distant);
    for (int32_t i = 0; i < 1000; i++) {
        pair p = random_pair(&random, 20.0f), mirrored = p, back = p;
        mirrored.from.position.y = -p.from.position.y;
        mirrored.to.position.y = -p.to.position.y;
        mirrored.from.forward.y = -p.from.forward.y;
        mirrored.to.forward.y = -p.to.forward.y;
        back.from = p.to;
        back.to = p.from;
        assert_float_equal(told(&distant, &p), told(&distant, &mirrored), 2e-3f * p.radius);
        assert_float_equal(told(&distant, &p), told(&distant, &back), 0.3f * p.radius);
    }
}

// Straight on, forwards or in reverse, nothing is longer than the straight.
static void straight_on_a_distant_way_is_the_straight(void** state) {
    (void)state;
    plan_distant distant;
    kerb_in_plan_distant_create(&distant);
    for (float away = 2.0f; away < 200.0f; away *= 1.1f)
        for (float heading = 0.0f; heading < 4.0f; heading += KERB_PI) {
            pair p = {kerb_pose_make(0.0f, 0.0f, heading), kerb_pose_make(away, 0.0f, heading),
                      1.0f, away};
            assert_float_equal(told(&distant, &p), away, 1e-3f);
        }
}

int plan_distant_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distant_ways_are_nearly_as_long_as_told),
        cmocka_unit_test(mirrored_and_driven_back_a_distant_way_is_as_long),
        cmocka_unit_test(straight_on_a_distant_way_is_the_straight),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
