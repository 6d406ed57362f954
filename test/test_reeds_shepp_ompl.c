// Shortest ways forwards and in reverse against OMPL's, on a million random pairs.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#ifdef KERB_HAVE_OMPL

#include "kerb/curve.h"
#include "scene/ompl/ompl_ways.h"
#include "test/seed.h"

#include <math.h>

enum { PAIRS = 1000000, BATCH = 10000 };

static kerb_pose random_pose(kerb_random* random, float most, ompl_pose* same) {
    float x = kerb_random_between(random, -most, most);
    float y = kerb_random_between(random, -most, most);
    kerb_pose pose = kerb_pose_make(x, y, kerb_random_between(random, -KERB_PI, KERB_PI));
    same->x = (double)x;
    same->y = (double)y;
    // What the pose really says: its sine and cosine were rounded.
    same->heading = atan2((double)pose.forward.y, (double)pose.forward.x);
    return pose;
}

// 1 where they differ by more than the rounding of a float, which may be where circles barely
// touch: lengths go with a root there, and OMPL and we draw the line at different places.
static int judge(kerb_pose from, kerb_pose to, float radius, double theirs) {
    double ours = (double)kerb_reeds_shepp_length(from, to, radius), r = (double)radius;
    if (fabs(ours - theirs) <= 2e-6 * theirs + 2e-6 * r)
        return 0;
    if (!(fabs(ours - theirs) <= 1e-4 * r))
        fail_msg("(%.9g %.9g %.9g %.9g) to (%.9g %.9g %.9g %.9g): %.9g, OMPL %.9g",
                 (double)from.position.x, (double)from.position.y, (double)from.forward.x,
                 (double)from.forward.y, (double)to.position.x, (double)to.position.y,
                 (double)to.forward.x, (double)to.forward.y, ours, theirs);
    return 1;
}

static void a_million_lengths_are_those_of_ompl(void** state) {
    (void)state;
    static ompl_pose theirs[2][BATCH];
    static kerb_pose ours[2][BATCH];
    static double lengths[BATCH];
    kerb_random random = test_random("ompl reeds shepp");
    int different = 0;
    for (int round = 0; round < PAIRS / BATCH; round++) {
        float radius = kerb_random_between(&random, 0.5f, 12.0f);
        // Mostly within 8 radii, some very near, some far.
        float most = radius * (round % 4 == 0 ? 0.5f : round % 4 == 1 ? 40.0f : 4.0f);
        for (int i = 0; i < BATCH; i++) {
            ours[0][i] = random_pose(&random, most, &theirs[0][i]);
            ours[1][i] = random_pose(&random, most, &theirs[1][i]);
        }
        ompl_reeds_shepp_lengths(theirs[0], theirs[1], (double)radius, BATCH, lengths);
        for (int i = 0; i < BATCH; i++)
            different += judge(ours[0][i], ours[1][i], radius, lengths[i]);
    }
    print_message("%d pairs; different by more than rounding: %d\n", PAIRS, different);
    assert_true(different < PAIRS / 10000);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_million_lengths_are_those_of_ompl)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

static void shortest_ways_are_compared_with_ompl(void** state) {
    (void)state;
    print_message("built without OMPL (libompl-dev, g++): nothing to compare with\n");
    skip();
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(shortest_ways_are_compared_with_ompl)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
