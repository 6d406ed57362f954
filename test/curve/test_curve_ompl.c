// Shortest ways, forwards alone and in reverse too, against OMPL's, on a million random pairs each.
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

// A million lengths take OMPL a second.
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

static void fail_between(kerb_pose from, kerb_pose to, double ours, double theirs) {
    fail_msg("(%.9g %.9g %.9g %.9g) to (%.9g %.9g %.9g %.9g): %.9g, OMPL %.9g",
             (double)from.position.x, (double)from.position.y, (double)from.forward.x,
             (double)from.forward.y, (double)to.position.x, (double)to.position.y,
             (double)to.forward.x, (double)to.forward.y, ours, theirs);
}

// --------------------------------------------------------------------------- forwards

static bool is_no_turn(double angle) {
    return fabs(remainder(angle, 2.0 * acos(-1.0))) < 2e-6;
}

// OMPL 1.5.2 was built with assertions and fails its own where a turn lies within 5e-7 of none, or
// circles just touch: it rounds the turn to none and then finds the goal missed. About one pair in
// a million does that to it.
static bool ompl_would_abort(const ompl_pose* from, const ompl_pose* to, double radius) {
    for (int i = 0; i < 4; i++) {
        double first = i & 1 ? 1.0 : -1.0, last = i & 2 ? 1.0 : -1.0;
        double x =
            (to->x - from->x) / radius - last * sin(to->heading) + first * sin(from->heading);
        double y =
            (to->y - from->y) / radius + last * cos(to->heading) - first * cos(from->heading);
        double apart = hypot(x, y), along = atan2(y, x), more[2] = {0.0, 0.0};
        if (first != last && apart >= 2.0)
            more[0] = more[1] = first * asin(2.0 / apart);
        if (first == last && apart <= 4.0)
            more[1] = first * (0.5 * acos(-1.0) + acos(0.25 * apart));
        for (int k = 0; k < 2; k++) {
            // Of three turns the last lies on the other side of the line between the centres.
            double end = first == last ? along - more[k] : along + more[k];
            if (is_no_turn(along + more[k] - from->heading) || is_no_turn(end - to->heading))
                return true;
        }
        if (first != last && fabs(apart - 2.0) < 1e-6)
            return true;
    }
    return false;
}

// Where circles barely reach one another a way grows with the square root of what is missing, so
// that rounding shows: the way must be that of a goal beside this one.
static bool is_steep(const ompl_pose* from, const ompl_pose* to, double radius, double ours) {
    double most = 0.0, length;
    for (int i = 0; i < 8; i++) {
        ompl_pose beside = *to;
        beside.x += 3e-6 * radius * cos(0.25 * i * acos(-1.0));
        beside.y += 3e-6 * radius * sin(0.25 * i * acos(-1.0));
        kerb_scene_ompl_dubins_lengths(from, &beside, radius, 1, &length);
        most = fmax(most, length);
    }
    return ours <= most;
}

// Where OMPL finds a shorter way, ours misses one. Where ours is shorter, it must truly lead there:
// within rounding it does, on either side of the places where the shortest length jumps.
static int judge_forwards(const ompl_pose* a, const ompl_pose* b, kerb_pose from, kerb_pose to,
                          float radius, double theirs) {
    double ours = (double)kerb_dubins_length(from, to, radius);
    double tolerance = 2e-6 * theirs + 1e-5 * (double)radius;
    if (!(ours <= theirs + tolerance) &&
        !(ours <= theirs + 2e-3 * (double)radius && is_steep(a, b, (double)radius, ours)))
        fail_between(from, to, ours, theirs);
    if (ours >= theirs - tolerance)
        return 0;
    kerb_curve way = kerb_dubins(from, to, radius);
    kerb_pose end = kerb_curve_end(&way);
    float away = kerb_vec2_length(kerb_vec2_sub(end.position, to.position));
    assert_true(fabs((double)kerb_curve_length(&way) - ours) <= tolerance);
    assert_true((double)away <= 5e-5 * (double)radius);
    return 1;
}

static void no_way_of_ompl_is_shorter(void** state) {
    (void)state;
    static ompl_pose theirs[2][BATCH];
    static kerb_pose ours[2][BATCH];
    static double lengths[BATCH];
    kerb_random random = test_random("ompl dubins");
    int shorter = 0, left_out = 0;
    const int pairs = test_share(PAIRS, PAIRS / 10);
    for (int round = 0; round < pairs / BATCH; round++) {
        float radius = kerb_random_between(&random, 0.5f, 12.0f);
        for (int i = 0; i < BATCH; i++) {
            ours[0][i] = random_pose(&random, 4.0f * radius, &theirs[0][i]);
            ours[1][i] = random_pose(&random, 4.0f * radius, &theirs[1][i]);
            if (ompl_would_abort(&theirs[0][i], &theirs[1][i], (double)radius)) {
                left_out++;
                i--; // another pair instead
            }
        }
        kerb_scene_ompl_dubins_lengths(theirs[0], theirs[1], (double)radius, BATCH, lengths);
        for (int i = 0; i < BATCH; i++)
            shorter += judge_forwards(&theirs[0][i], &theirs[1][i], ours[0][i], ours[1][i], radius,
                                      lengths[i]);
    }
    print_message("%d pairs; ours shorter within rounding: %d; left out: %d\n", pairs, shorter,
                  left_out);
    assert_true(shorter < pairs / 10000 && left_out < pairs / 10000);
}

// --------------------------------------------------------------------------- in reverse too

// 1 where they differ by more than the rounding of a float, which may be where circles barely
// touch: lengths go with a root there, and OMPL and we draw the line at different places.
static int judge_both_ways(kerb_pose from, kerb_pose to, float radius, double theirs) {
    double ours = (double)kerb_reeds_shepp_length(from, to, radius), r = (double)radius;
    if (fabs(ours - theirs) <= 2e-6 * theirs + 2e-6 * r)
        return 0;
    if (!(fabs(ours - theirs) <= 1e-4 * r))
        fail_between(from, to, ours, theirs);
    return 1;
}

static void a_million_lengths_are_those_of_ompl(void** state) {
    (void)state;
    static ompl_pose theirs[2][BATCH];
    static kerb_pose ours[2][BATCH];
    static double lengths[BATCH];
    kerb_random random = test_random("ompl reeds shepp");
    int different = 0;
    const int pairs = test_share(PAIRS, PAIRS / 10);
    for (int round = 0; round < pairs / BATCH; round++) {
        float radius = kerb_random_between(&random, 0.5f, 12.0f);
        // Mostly within 8 radii, some very near, some far.
        float most = radius * (round % 4 == 0 ? 0.5f : round % 4 == 1 ? 40.0f : 4.0f);
        for (int i = 0; i < BATCH; i++) {
            ours[0][i] = random_pose(&random, most, &theirs[0][i]);
            ours[1][i] = random_pose(&random, most, &theirs[1][i]);
        }
        kerb_scene_ompl_reeds_shepp_lengths(theirs[0], theirs[1], (double)radius, BATCH, lengths);
        for (int i = 0; i < BATCH; i++)
            different += judge_both_ways(ours[0][i], ours[1][i], radius, lengths[i]);
    }
    print_message("%d pairs; different by more than rounding: %d\n", pairs, different);
    assert_true(different < pairs / 10000);
}

int curve_ompl_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_way_of_ompl_is_shorter),
        cmocka_unit_test(a_million_lengths_are_those_of_ompl),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

static void shortest_ways_are_compared_with_ompl(void** state) {
    (void)state;
    print_message("built without OMPL (libompl-dev, g++): nothing to compare with\n");
    skip();
}

int curve_ompl_tests(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(shortest_ways_are_compared_with_ompl)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
