// Shortest ways forwards and in reverse: each word driven to its end in doubles, closed forms, and
// the faults that other libraries were reported for.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kerb/curve.h"
#include "test/flush_to_zero.h"
#include "test/seed.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

static void assert_near(float value, double expected, double tolerance) {
    if (!(fabs((double)value - expected) <= tolerance))
        fail_msg("%.9g is not %.9g", (double)value, expected);
}

static kerb_pose random_pose(kerb_random* random, float most) {
    float x = kerb_random_between(random, -most, most);
    float y = kerb_random_between(random, -most, most);
    return kerb_pose_make(x, y, kerb_random_between(random, -KERB_PI, KERB_PI));
}

// 1e-6 … 1e6, evenly by order of magnitude.
static float random_scale(kerb_random* random) {
    return (float)pow(10.0, (double)kerb_random_between(random, -6.0f, 6.0f));
}

static int reversals(const kerb_curve* way) {
    int count = 0;
    for (int i = 1; i < way->count; i++)
        count += (way->length[i] < 0.0f) != (way->length[i - 1] < 0.0f);
    return count;
}

// ------------------------------------------------------------------- driving

typedef struct place {
    double x, y, heading;
} place;

static place place_of(kerb_pose pose) {
    place result = {(double)pose.position.x, (double)pose.position.y,
                    atan2((double)pose.forward.y, (double)pose.forward.x)};
    return result;
}

// The first `distance` metres of a way, in doubles.
static place driven(const kerb_curve* way, double distance) {
    place p = place_of(way->start);
    for (int i = 0; i < way->count && distance > 0.0; i++) {
        double size = fmin(fabs((double)way->length[i]), distance), k = (double)way->curvature[i];
        double l = way->length[i] < 0.0f ? -size : size, half = 0.5 * k * l;
        double chord = half == 0.0 ? l : l * sin(half) / half;
        p.x += chord * cos(p.heading + half);
        p.y += chord * sin(p.heading + half);
        p.heading += 2.0 * half;
        distance -= size;
    }
    return p;
}

static double distance_between(kerb_pose a, kerb_pose b) {
    return hypot((double)a.position.x - (double)b.position.x,
                 (double)a.position.y - (double)b.position.y);
}

// What may be missing at the end: parts of the way and of the coordinates.
static void assert_leads_to(const kerb_curve* way, kerb_pose goal, float radius, const char* word) {
    place end = driven(way, (double)INFINITY), there = place_of(goal);
    double off = hypot(end.x - there.x, end.y - there.y);
    double turned = fabs(remainder(end.heading - there.heading, 2.0 * pi));
    double coordinates = fmax(hypot(there.x, there.y),
                              hypot((double)way->start.position.x, (double)way->start.position.y));
    double most = 5e-6 * (distance_between(way->start, goal) + (double)radius) + 4e-7 * coordinates;
    if (!(off <= most && turned <= 5e-6))
        fail_msg("%s: from (%.9g %.9g %.9g %.9g) to (%.9g %.9g %.9g %.9g), radius %g: %g m of %g m "
                 "and %g rad off",
                 word, (double)way->start.position.x, (double)way->start.position.y,
                 (double)way->start.forward.x, (double)way->start.forward.y,
                 (double)goal.position.x, (double)goal.position.y, (double)goal.forward.x,
                 (double)goal.forward.y, (double)radius, off, most, turned);
}

// ------------------------------------------------------------------- words

static char mirrored_in_space(char letter) {
    const char* others = "LRSlrs";
    return "RLSrls"[strchr(others, letter) - others];
}

static void there_are_48_words_each_with_its_mirror_images(void** state) {
    (void)state;
    for (int32_t i = 0; i < KERB_REEDS_SHEPP_WORDS; i++) {
        const char* text = kerb_reeds_shepp_word_text(i);
        char images[2][KERB_CURVE_PIECES + 1] = {{0}};
        for (size_t k = 0; k < strlen(text); k++) {
            images[0][k] = mirrored_in_space(text[k]);
            images[1][k] = (char)(isupper(text[k]) ? tolower(text[k]) : toupper(text[k]));
        }
        int found[2] = {0, 0};
        for (int32_t k = 0; k < KERB_REEDS_SHEPP_WORDS; k++) {
            assert_true(k == i || strcmp(text, kerb_reeds_shepp_word_text(k)) != 0);
            found[0] += strcmp(images[0], kerb_reeds_shepp_word_text(k)) == 0;
            found[1] += strcmp(images[1], kerb_reeds_shepp_word_text(k)) == 0;
        }
        assert_int_equal(found[0], 1);
        assert_int_equal(found[1], 1);
    }
}

static void assert_spelled(const kerb_curve* way, const char* text, float radius) {
    if (way->count != (int32_t)strlen(text))
        return; // pieces of no length are left out
    for (int i = 0; i < way->count; i++) {
        double side = strchr("Ll", text[i]) ? 1.0 : strchr("Rr", text[i]) ? -1.0 : 0.0;
        assert_near(way->curvature[i] * radius, side, 1e-6);
        assert_int_equal(way->length[i] < 0.0f, islower(text[i]) != 0);
        assert_true(side == 0.0 || (double)fabsf(way->length[i]) <= 2.00001 * pi * (double)radius);
    }
}

static void every_word_that_exists_leads_to_the_goal(void** state) {
    (void)state;
    kerb_random random = test_random("reeds shepp words");
    int existing[KERB_REEDS_SHEPP_WORDS] = {0}, shortest[KERB_REEDS_SHEPP_WORDS] = {0};
    for (int i = 0; i < 30000; i++) {
        float scale = i % 2 ? 1.0f : random_scale(&random), radius = 3.0f * scale;
        kerb_pose from = random_pose(&random, 12.0f * scale);
        kerb_pose to = random_pose(&random, 12.0f * scale);
        float least = KERB_NO_CURVE, lengths[KERB_REEDS_SHEPP_WORDS];
        for (int32_t w = 0; w < KERB_REEDS_SHEPP_WORDS; w++) {
            float length = kerb_reeds_shepp_word_length(w, from, to, radius);
            kerb_curve way = kerb_reeds_shepp_by_word(w, from, to, radius);
            lengths[w] = length;
            assert_int_equal(way.count == 0, length >= KERB_NO_CURVE);
            if (way.count == 0)
                continue;
            const char* text = kerb_reeds_shepp_word_text(w);
            assert_leads_to(&way, to, radius, text);
            assert_near(kerb_curve_length(&way), (double)length, 2e-6 * (double)length);
            assert_spelled(&way, text, radius);
            existing[w]++;
            least = kerb_min(length, least);
        }
        // Several may be: LrL and rLr turn the same way all along, by the same angle in all.
        for (int32_t w = 0; w < KERB_REEDS_SHEPP_WORDS; w++)
            shortest[w] += lengths[w] <= 1.000001f * least;
        assert_true(kerb_reeds_shepp_length(from, to, radius) == least);
    }
    // Each is of use.
    for (int32_t w = 0; w < KERB_REEDS_SHEPP_WORDS; w++)
        if (existing[w] < 500 || shortest[w] < 2)
            fail_msg("%s exists %d times, is shortest %d times", kerb_reeds_shepp_word_text(w),
                     existing[w], shortest[w]);
}

// ------------------------------------------------------------------- shortest

static void the_way_is_as_long_as_the_length_says_and_leads_to_the_goal(void** state) {
    (void)state;
    kerb_random random = test_random("reeds shepp ways");
    for (int i = 0; i < 300000; i++) {
        float scale = i % 2 ? 1.0f : random_scale(&random);
        // From all but the same place to far away.
        float radius = 3.0f * scale * (i % 3 ? 1.0f : kerb_sqrt(random_scale(&random)));
        kerb_pose from = random_pose(&random, 12.0f * scale);
        kerb_pose to = random_pose(&random, 12.0f * scale);
        kerb_curve way = kerb_reeds_shepp(from, to, radius);
        float length = kerb_reeds_shepp_length(from, to, radius);
        assert_near(kerb_curve_length(&way), (double)length, 5e-6 * (double)length);
        assert_leads_to(&way, to, radius, "shortest");
    }
}

// Whatever way one drives, none was shorter than the shortest.
static void no_way_that_one_happens_to_drive_is_shorter(void** state) {
    (void)state;
    kerb_random random = test_random("reeds shepp wandering");
    for (int i = 0; i < 200000; i++) {
        kerb_curve way = {.start = random_pose(&random, 4.0f)};
        way.count = 1 + kerb_random_below(&random, KERB_CURVE_PIECES);
        for (int k = 0; k < way.count; k++) {
            way.curvature[k] = 0.5f * (float)(kerb_random_below(&random, 3) - 1);
            way.length[k] = kerb_random_between(&random, -3.0f, 3.0f);
        }
        place end = driven(&way, (double)INFINITY);
        kerb_pose goal = {{(float)end.x, (float)end.y},
                          {(float)cos(end.heading), (float)sin(end.heading)}};
        float length = kerb_reeds_shepp_length(way.start, goal, 2.0f);
        // Near the start, what rounding moves the goal aside costs the root of that.
        assert_true(length <= kerb_curve_length(&way) * 1.00001f + 2e-3f);
        assert_true((double)length >= 0.99999 * distance_between(way.start, goal));
    }
}

static void there_and_back_and_mirrored_it_is_as_far(void** state) {
    (void)state;
    kerb_random random = test_random("reeds shepp symmetry");
    for (int i = 0; i < 100000; i++) {
        kerb_pose from = random_pose(&random, 20.0f), to = random_pose(&random, 20.0f);
        float length = kerb_reeds_shepp_length(from, to, 5.0f);
        double tolerance = 1e-5 * (double)length + 1e-5;
        assert_near(kerb_reeds_shepp_length(to, from, 5.0f), (double)length, tolerance);
        from.position.y = -from.position.y;
        from.forward.y = -from.forward.y;
        to.position.y = -to.position.y;
        to.forward.y = -to.forward.y;
        assert_true(kerb_reeds_shepp_length(from, to, 5.0f) == length);
        from.forward = kerb_vec2_scale(from.forward, -1.0f);
        to.forward = kerb_vec2_scale(to.forward, -1.0f);
        assert_true(kerb_reeds_shepp_length(from, to, 5.0f) == length);
    }
}

// ------------------------------------------------------------------- closed forms

typedef struct known {
    double x, y, heading, length; // of the goal, in radii; seen from the start
    int32_t pieces;
} known;

static void where_geometry_tells_the_length_it_is_that(void** state) {
    (void)state;
    const known all[] = {
        {0.0, 0.0, 0.0, 0.0, 0},
        {0.0, 0.0, pi, pi, 3},
        {0.0, 0.0, -pi, pi, 3},
        {0.0, 0.0, 0.5 * pi, 0.5 * pi, 3},
        {2.0, 0.0, 0.0, 2.0, 1},
        {4.0, 0.0, 0.0, 4.0, 1},
        {-4.0, 0.0, 0.0, 4.0, 1},
        {0.0, 2.0, pi, pi, 1},
        {0.0, -2.0, -pi, pi, 1},
        {0.0, 4.0, pi, pi + 2.0, 3},
        {4.0, 0.0, pi, pi + 2.0, 3},
        {-4.0, 0.0, pi, pi + 2.0, 3},
        {1.0, 1.0, 0.5 * pi, 0.5 * pi, 1},
        {-1.0, 1.0, -0.5 * pi, 0.5 * pi, 1},
        {2.0, 2.0, 0.0, pi, 2},
        {2.0, 0.0, pi, pi, 2},
        {1e6, 0.0, 0.0, 1e6, 1},
        {-1e6, 0.0, 0.0, 1e6, 1},
    };
    static const float radii[] = {1e-3f, 1.0f, 6.5f, 1e3f};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        for (int k = 0; k < 4; k++) {
            double r = (double)radii[k];
            kerb_pose from = kerb_pose_make(0.0f, 0.0f, 0.0f);
            kerb_pose to = {{(float)(r * all[i].x), (float)(r * all[i].y)},
                            {(float)cos(all[i].heading), (float)sin(all[i].heading)}};
            double length = all[i].length * r;
            assert_near(kerb_reeds_shepp_length(from, to, radii[k]), length, 1e-6 * length);
            kerb_curve way = kerb_reeds_shepp(from, to, radii[k]);
            assert_int_equal(way.count, all[i].pieces);
            assert_leads_to(&way, to, radii[k], "known");
        }
    }
}

// Four equal arcs u, LRlr or its like, of which each moves one aside by u²/2.
static void a_little_aside_takes_four_arcs(void** state) {
    (void)state;
    static const float radii[] = {10.0f, 1e3f, 1e6f};
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 5; k++) {
            float aside = (float)pow(10.0, -k);
            kerb_pose from = kerb_pose_make(0, 0, 0), to = kerb_pose_make(0, aside, 0);
            double r = (double)radii[i], y = (double)aside / r;
            if (y > 1e-3)
                continue;
            double length = 4.0 * sqrt(0.5 * y) * r; // its limit for small y
            assert_near(kerb_reeds_shepp_length(from, to, radii[i]), length, 1e-3 * length);
            kerb_curve way = kerb_reeds_shepp(from, to, radii[i]);
            assert_int_equal(way.count, 4);
            assert_leads_to(&way, to, (float)length, "aside");
        }
    }
}

static void the_length_is_the_same_on_both_sides_of_half_a_turn(void** state) {
    (void)state;
    kerb_random random = test_random("reeds shepp half turn");
    for (int i = 0; i < 20000; i++) {
        kerb_pose from = random_pose(&random, 8.0f), left = random_pose(&random, 8.0f);
        left.forward = kerb_vec2_scale(from.forward, -1.0f);
        kerb_pose right = left;
        left.forward.x -= 1e-6f * left.forward.y;
        left.forward.y += 1e-6f * left.forward.x;
        right.forward.x += 1e-6f * right.forward.y;
        right.forward.y -= 1e-6f * right.forward.x;
        float length = kerb_reeds_shepp_length(from, left, 1.0f);
        assert_near(kerb_reeds_shepp_length(from, right, 1.0f), (double)length, 2e-5);
    }
}

// ------------------------------------------------------------------- scale and place

static void with_a_radius_a_million_times_the_distance_digits_remain(void** state) {
    (void)state;
    kerb_random random = test_random("reeds shepp large radius");
    kerb_pose from = kerb_pose_make(0.0f, 0.0f, 0.0f);
    for (int i = 0; i < 50000; i++) {
        // Within what two bends of such a radius reach.
        float x = kerb_random_between(&random, 0.5f, 2.0f), aside = 2e-7f * x * x;
        kerb_pose to = kerb_pose_make(x, kerb_random_between(&random, -aside, aside), 0.0f);
        assert_near(kerb_reeds_shepp_length(from, to, 1e6f), (double)x, 1e-6 * (double)x);
        kerb_curve way = kerb_reeds_shepp(from, to, 1e6f);
        place end = driven(&way, (double)INFINITY);
        assert_true(fabs(end.x - (double)x) <= 1e-6 &&
                    fabs(end.y - (double)to.position.y) <= 0.01 * (double)aside + 1e-9);
        assert_int_equal(reversals(&way), 0);
    }
}

static void with_a_radius_far_below_the_distance_it_is_the_straight_one(void** state) {
    (void)state;
    kerb_random random = test_random("reeds shepp small radius");
    for (int i = 0; i < 50000; i++) {
        kerb_pose from = random_pose(&random, 5.0f), to = random_pose(&random, 5.0f);
        double straight = distance_between(from, to);
        float length = kerb_reeds_shepp_length(from, to, 1e-6f);
        assert_near(length, straight, 2e-6 * straight + 1e-5);
    }
}

static bool is_same(const kerb_curve* a, const kerb_curve* b) {
    return a->count == b->count && memcmp(a->length, b->length, sizeof a->length) == 0 &&
           memcmp(a->curvature, b->curvature, sizeof a->curvature) == 0;
}

// OMPL #1044: after a translation, other ways with circles and cusps. Far out more goals count as
// being on a way, for floats cannot tell: where that is so, and only there, pieces are left out.
static void moved_by_whole_metres_nothing_changes(void** state) {
    (void)state;
    kerb_random random = test_random("reeds shepp moved");
    int others = 0;
    for (int i = 0; i < 50000; i++) {
        kerb_pose from = random_pose(&random, 20.0f), to = random_pose(&random, 20.0f);
        // Places that are exact there too.
        float* numbers[] = {&from.position.x, &from.position.y, &to.position.x, &to.position.y};
        for (int k = 0; k < 4; k++)
            *numbers[k] = floorf(*numbers[k] * 64.0f) / 64.0f;
        kerb_curve here = kerb_reeds_shepp(from, to, 5.0f);
        from.position = kerb_vec2_add(from.position, kerb_vec2_make(1e5f, -1e5f));
        to.position = kerb_vec2_add(to.position, kerb_vec2_make(1e5f, -1e5f));
        kerb_curve there = kerb_reeds_shepp(from, to, 5.0f);
        if (is_same(&here, &there))
            continue;
        others++;
        assert_true(there.count < here.count);
        assert_true(kerb_curve_length(&there) < kerb_curve_length(&here));
        assert_near((float)distance_between(kerb_curve_end(&there), to), 0.0, 0.5);
    }
    assert_true(others <= 10);
}

// ------------------------------------------------------------------- faults of others

// Goals at multiples of half a radius and of an eighth of a turn, where words meet.
static void where_words_meet_no_arc_is_a_loop_and_no_piece_is_tiny(void** state) {
    (void)state;
    for (int turned = 0; turned < 7; turned++) {
        kerb_pose from = kerb_pose_make(0.0f, 0.0f, (float)turned);
        double c = (double)from.forward.x, s = (double)from.forward.y;
        for (int i = 0; i < 17 * 17 * 16; i++) {
            int column = i % 17 - 8, row = i / 17 % 17 - 8, eighth = i / 289;
            double x = 0.5 * column, y = 0.5 * row, h = pi / 8.0 * eighth;
            kerb_pose to = {{(float)(c * x - s * y), (float)(s * x + c * y)},
                            {(float)(c * cos(h) - s * sin(h)), (float)(s * cos(h) + c * sin(h))}};
            kerb_curve way = kerb_reeds_shepp(from, to, 1.0f);
            assert_leads_to(&way, to, 1.0f, "grid");
            for (int k = 0; k < way.count; k++) {
                assert_true((double)fabsf(way.length[k] * way.curvature[k]) <= pi + 1e-5);
                if (fabsf(way.length[k]) < 1e-5f)
                    fail_msg("(%g %g %g): piece %d is %g m", x, y, h, k, (double)way.length[k]);
            }
        }
    }
}

// Asked anew from every place on the way, in floats, as a follower would: what remains must fall by
// what was driven, and reversals that were not there may appear only where rounding truly
// moved the place aside.
static void the_remaining_distance_never_jumps_while_following(void** state) {
    (void)state;
    kerb_random random = test_random("reeds shepp following");
    int asked = 0, turned_back = 0;
    for (int i = 0; i < 10000; i++) {
        float radius = i % 2 ? 1.0f : random_scale(&random);
        kerb_pose from = random_pose(&random, 4.0f * radius);
        kerb_pose to = random_pose(&random, 4.0f * radius);
        kerb_curve way = kerb_reeds_shepp(from, to, radius);
        double length = (double)kerb_reeds_shepp_length(from, to, radius);
        for (int k = 1; k < 40; k++) {
            place at = driven(&way, length * k / 40.0);
            kerb_pose pose = {{(float)at.x, (float)at.y},
                              {(float)cos(at.heading), (float)sin(at.heading)}};
            double left = length * (40 - k) / 40.0;
            assert_near(kerb_reeds_shepp_length(pose, to, radius), left, 2e-5 * (double)radius);
            kerb_curve anew = kerb_reeds_shepp(pose, to, radius);
            turned_back += reversals(&anew) > reversals(&way);
            asked++;
        }
    }
    if (turned_back * 4000 > asked)
        fail_msg("%d of %d with more reversals", turned_back, asked);
}

static void the_rest_of_a_way_is_shorter_by_what_was_driven(void** state) {
    (void)state;
    kerb_random random = test_random("reeds shepp rest");
    for (int i = 0; i < 20000; i++) {
        kerb_pose from = random_pose(&random, 12.0f), to = random_pose(&random, 12.0f);
        kerb_curve way = kerb_reeds_shepp(from, to, 4.0f);
        float whole = kerb_curve_length(&way), gone = kerb_random_unit(&random) * whole;
        kerb_curve rest = kerb_curve_remainder(&way, gone);
        assert_near(kerb_curve_length(&rest), (double)(whole - gone), 1e-5 * (double)whole);
        assert_leads_to(&rest, to, 4.0f + whole, "rest");
    }
}

// ------------------------------------------------------------------- bad numbers

static void numbers_that_are_none_have_no_way(void** state) {
    (void)state;
    static const float bad[] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 3 * 8; i++) {
        kerb_pose poses[2] = {kerb_pose_make(1, 2, 3), kerb_pose_make(4, 5, 6)};
        float* numbers[] = {&poses[i / 4 % 2].position.x, &poses[i / 4 % 2].position.y,
                            &poses[i / 4 % 2].forward.x, &poses[i / 4 % 2].forward.y};
        *numbers[i % 4] = bad[i / 8];
        assert_true(kerb_reeds_shepp_length(poses[0], poses[1], 1.0f) == KERB_NO_CURVE);
        assert_true(kerb_reeds_shepp_word_length(0, poses[0], poses[1], 1.0f) == KERB_NO_CURVE);
        assert_int_equal(kerb_reeds_shepp(poses[0], poses[1], 1.0f).count, 0);
    }
    static const float radii[] = {0.0f, -1.0f, NAN, INFINITY};
    kerb_pose from = kerb_pose_make(1, 2, 3), to = kerb_pose_make(4, 5, 6);
    for (int i = 0; i < 4; i++) {
        assert_true(kerb_reeds_shepp_length(from, to, radii[i]) == KERB_NO_CURVE);
        assert_int_equal(kerb_reeds_shepp(from, to, radii[i]).count, 0);
    }
}

static void huge_and_minute_numbers_give_finite_ones(void** state) {
    (void)state;
    static const float sizes[] = {0.0f, 1e-45f, 1e-38f, 1e-20f, 1.0f, 1e20f, 3e38f};
    for (int i = 0; i < 7 * 7 * 7; i++) {
        kerb_pose from = kerb_pose_make(-sizes[i % 7], sizes[i / 7 % 7], 1.0f);
        kerb_pose to = kerb_pose_make(sizes[i / 7 % 7], sizes[i % 7], -2.0f);
        float radius = sizes[i / 49];
        if (radius <= 0.0f)
            continue;
        float length = kerb_reeds_shepp_length(from, to, radius);
        assert_true(length >= 0.0f && length <= KERB_NO_CURVE);
        kerb_curve way = kerb_reeds_shepp(from, to, radius);
        assert_true(way.count >= 0 && way.count <= KERB_CURVE_PIECES);
        for (int k = 0; k < way.count; k++)
            assert_true(kerb_is_finite(way.length[k]) && kerb_is_finite(way.curvature[k]));
    }
}

static void flushing_denormal_numbers_to_zero_changes_no_bit(void** state) {
    (void)state;
    kerb_random random = test_random("reeds shepp flushed");
    for (int i = 0; i < 20000; i++) {
        float small = (float)pow(10.0, (double)kerb_random_between(&random, -45.0f, 2.0f));
        float radius = (float)pow(10.0, (double)kerb_random_between(&random, -32.0f, 2.0f));
        kerb_pose from = random_pose(&random, small), to = random_pose(&random, small);
        if (i % 2)
            from.forward = to.forward = kerb_vec2_make(1.0f, small * 1e-10f);
        float length = kerb_reeds_shepp_length(from, to, radius);
        kerb_curve way = kerb_reeds_shepp(from, to, radius);
        if (!test_flush_to_zero(true))
            return;
        float flushed = kerb_reeds_shepp_length(from, to, radius);
        kerb_curve flushed_way = kerb_reeds_shepp(from, to, radius);
        test_flush_to_zero(false);
        assert_true(flushed == length);
        assert_int_equal(flushed_way.count, way.count);
        assert_memory_equal(flushed_way.length, way.length, sizeof way.length);
        assert_memory_equal(flushed_way.curvature, way.curvature, sizeof way.curvature);
    }
}

int reeds_shepp_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(there_are_48_words_each_with_its_mirror_images),
        cmocka_unit_test(every_word_that_exists_leads_to_the_goal),
        cmocka_unit_test(the_way_is_as_long_as_the_length_says_and_leads_to_the_goal),
        cmocka_unit_test(no_way_that_one_happens_to_drive_is_shorter),
        cmocka_unit_test(there_and_back_and_mirrored_it_is_as_far),
        cmocka_unit_test(where_geometry_tells_the_length_it_is_that),
        cmocka_unit_test(a_little_aside_takes_four_arcs),
        cmocka_unit_test(the_length_is_the_same_on_both_sides_of_half_a_turn),
        cmocka_unit_test(with_a_radius_a_million_times_the_distance_digits_remain),
        cmocka_unit_test(with_a_radius_far_below_the_distance_it_is_the_straight_one),
        cmocka_unit_test(moved_by_whole_metres_nothing_changes),
        cmocka_unit_test(where_words_meet_no_arc_is_a_loop_and_no_piece_is_tiny),
        cmocka_unit_test(the_remaining_distance_never_jumps_while_following),
        cmocka_unit_test(the_rest_of_a_way_is_shorter_by_what_was_driven),
        cmocka_unit_test(numbers_that_are_none_have_no_way),
        cmocka_unit_test(huge_and_minute_numbers_give_finite_ones),
        cmocka_unit_test(flushing_denormal_numbers_to_zero_changes_no_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
