// Tracking a vehicle along a path: the tracked place follows it, and never jumps to another
// stretch that happens to be near. Each test drives a point whose true place is known.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "test/path_shapes.h"
#include "test/seed.h"

#include <stdlib.h>

#define PI 3.14159265358979323846

static path_shape shape;

// A vehicle beside a path: `aside` to the left of the place `along`, `above` it.
static kerb_vec3 beside(const kerb_path* path, double along, double aside, double above,
                        kerb_vec3* facing) {
    kerb_path_sample sample = kerb_path_sample_at(path, kerb_path_locate(path, along));
    double level = hypot((double)sample.direction.x, (double)sample.direction.y);
    *facing = sample.direction;
    return kerb_vec3_make(
        (float)((double)sample.position.x - aside * (double)sample.direction.y / level),
        (float)((double)sample.position.y + aside * (double)sample.direction.x / level),
        (float)((double)sample.position.z + above));
}

static kerb_vec3 turned(kerb_vec3 v, float angle) {
    return kerb_quat_rotate(kerb_quat_from_heading(angle), v);
}

static double along_of(const kerb_path* path, kerb_path_location at) {
    assert_on_path(path, at);
    return kerb_path_distance(path, at);
}

static kerb_path_location track(const kerb_path* path, kerb_path_location from, double x, double y,
                                double facing_x, double facing_y) {
    return kerb_path_track(path, from, kerb_vec3_make((float)x, (float)y, 0.0f),
                           kerb_vec3_make((float)facing_x, (float)facing_y, 0.0f));
}

// Drives or backs from `from` to `to` along the path, `aside` of it, and expects to be found there.
static void drive_beside(const kerb_path* path, double from, double to, double step, double aside,
                         double above, double tolerance) {
    kerb_path_location at = kerb_path_locate(path, from);
    double sign = to > from ? 1.0 : -1.0;
    for (double s = from; sign * (to - s) >= 0.0; s += sign * step) {
        kerb_vec3 facing;
        kerb_vec3 point = beside(path, s, aside, above, &facing);
        at = kerb_path_track(path, at, point, facing);
        double found = along_of(path, at);
        double off = path->closed ? remainder(found - s, path->length) : found - s;
        if (!(fabs(off) <= tolerance))
            fail_msg("at %.3f, %.2f aside, step %.2f: found at %.3f", s, aside, step, found);
    }
}

// --------------------------------------------------------------------------- straight and bends

static void on_a_straight_the_foot_of_the_perpendicular_is_tracked(void** state) {
    (void)state;
    kerb_random random = test_random("straight");
    path_shape_clear(&shape);
    for (int i = 0; i <= 40; i++)
        path_shape_add(&shape, 5.0 * i, 0, 0);
    path_shape_build(&shape, false);
    kerb_path_location at = {0, 0.0f};
    double x = 0.0;
    for (int i = 0; i < 20000; i++) {
        x += (double)kerb_random_between(&random, -5.0f, 5.0f);
        x = x < 0.0 ? 0.0 : x > 200.0 ? 200.0 : x;
        double y = (double)kerb_random_between(&random, -8.0f, 8.0f);
        at = track(&shape.path, at, x, y, i % 2, 0);
        assert_near(along_of(&shape.path, at), x, 1e-3);
    }
}

static void a_bend_is_tracked_at_any_offset_and_step(void** state) {
    (void)state;
    path_shape_clear(&shape);
    path_shape_add_arc(&shape, 0, 0, 25, 0, 1.5 * PI, 150, 0, 0);
    path_shape_build(&shape, false);
    for (double aside = -6.0; aside <= 6.0; aside += 1.5)
        for (double step = 0.05; step < 6.0; step *= 2.5)
            drive_beside(&shape.path, 0.0, shape.path.length, step, aside, 0.0, 0.3);
}

// --------------------------------------------------------------------------- the roads that fool

// Two circles of 30 m that touch make an eight which crosses itself at right angles … at speed.
static void build_figure_eight(path_shape* s) {
    path_shape_clear(s);
    for (int i = 0; i < 240; i++) {
        double t = 2.0 * PI * i / 240.0;
        path_shape_add(s, 60.0 * sin(t), 60.0 * sin(t) * cos(t), 0);
    }
    path_shape_build(s, true);
}

static void a_figure_eight_is_crossed_straight_at_any_speed(void** state) {
    (void)state;
    build_figure_eight(&shape);
    double length = shape.path.length;
    // From a crawl to 300 m/s at 60 Hz; on both sides; both crossings; both ways round.
    for (double step = 0.05; step <= 5.0; step += 0.55)
        for (double aside = -2.0; aside <= 2.0; aside += 1.0) {
            drive_beside(&shape.path, 0.3 * length, 2.3 * length, step, aside, 0.0, 0.5);
            drive_beside(&shape.path, 2.3 * length, 0.3 * length, step, aside, 0.0, 0.5);
        }
}

static void a_figure_eight_is_crossed_without_knowing_where_the_vehicle_faces(void** state) {
    (void)state;
    build_figure_eight(&shape);
    kerb_path_location at = kerb_path_locate(&shape.path, 10.0);
    kerb_vec3 nowhere = {0.0f, 0.0f, 0.0f};
    for (double s = 10.0; s < 2.0 * shape.path.length; s += 1.0) {
        kerb_vec3 facing;
        kerb_vec3 point = beside(&shape.path, s, 1.5, 0.0, &facing);
        at = kerb_path_track(&shape.path, at, point, nowhere);
        assert_near(remainder(along_of(&shape.path, at) - s, shape.path.length), 0.0, 0.5);
    }
}

static void a_loop_driven_twice_is_driven_twice(void** state) {
    (void)state;
    path_shape_clear(&shape);
    path_shape_add_arc(&shape, 0, 0, 20, 0, 4.0 * PI, 240, 0, 0); // the second lap on the first
    path_shape_build(&shape, false);
    for (double step = 0.05; step <= 5.0; step += 0.55)
        for (double aside = -3.0; aside <= 3.0; aside += 1.5) {
            drive_beside(&shape.path, 0.0, shape.path.length, step, aside, 0.0, 0.5);
            drive_beside(&shape.path, shape.path.length, 0.0, step, aside, 0.0, 0.5);
        }
}

// Legs of 60 m, 3 m apart, joined by a half circle.
static void build_hairpin(path_shape* s, int pieces) {
    path_shape_clear(s);
    for (int i = 0; i < 60; i++)
        path_shape_add(s, (double)i, 0, 0);
    path_shape_add_arc(s, 60, 1.5, 1.5, -PI / 2, PI, pieces, 0, 0);
    for (int i = 59; i >= 0; i--)
        path_shape_add(s, (double)i, 3, 0);
    path_shape_build(s, false);
}

static void a_hairpin_of_three_metres_is_not_cut_through(void** state) {
    (void)state;
    for (int pieces = 1; pieces <= 12; pieces += 11) {
        build_hairpin(&shape, pieces);
        double length = shape.path.length;
        for (double step = 0.05; step <= 5.0; step += 0.55)
            for (double aside = -1.45; aside <= 1.46; aside += 0.29) {
                drive_beside(&shape.path, 0.0, 58.0, step, aside, 0.0, 0.05);
                drive_beside(&shape.path, length - 58.0, length, step, aside, 0.0, 0.05);
                // Backing up, too.
                drive_beside(&shape.path, length, length - 58.0, step, aside, 0.0, 0.05);
            }
    }
}

// Anywhere between the legs, weaving, not quite facing along.
static void weaving_between_the_legs_of_a_hairpin_stays_on_its_leg(void** state) {
    (void)state;
    kerb_random random = test_random("hairpin");
    build_hairpin(&shape, 12);
    for (int round = 0; round < 1000; round++) {
        double from = round % 2 == 0 ? 0.0 : shape.path.length - 58.0;
        double aside = 0.0, phase = (double)kerb_random_between(&random, 0.0f, 6.0f);
        double wave = (double)kerb_random_between(&random, 5.0f, 30.0f);
        kerb_path_location at = kerb_path_locate(&shape.path, from);
        for (double s = 0.0; s < 58.0; s += (double)kerb_random_between(&random, 0.05f, 2.0f)) {
            aside = 1.45 * sin(phase + s * 2.0 * PI / wave);
            kerb_vec3 facing;
            kerb_vec3 point = beside(&shape.path, from + s, aside, 0.0, &facing);
            facing = turned(facing, kerb_random_between(&random, -0.6f, 0.6f));
            at = kerb_path_track(&shape.path, at, point, facing);
            assert_near(along_of(&shape.path, at), from + s, 0.05);
        }
    }
}

static void round_the_hairpin_itself_progress_goes_on(void** state) {
    (void)state;
    build_hairpin(&shape, 12);
    for (double step = 0.05; step <= 1.5; step += 0.29)
        for (double aside = -2.0; aside <= 0.8; aside += 0.4)
            drive_beside(&shape.path, 0.0, shape.path.length, step, aside, 0.0, 0.75);
}

static void a_multi_storey_ramp_is_climbed_storey_by_storey(void** state) {
    (void)state;
    path_shape_clear(&shape);
    // Five storeys of 3 m each above the other, a point about every metre.
    path_shape_add_arc(&shape, 0, 0, 10, 0, 10.0 * PI, 320, 0, 15);
    path_shape_build(&shape, false);
    for (double step = 0.05; step <= 3.0; step += 0.42)
        for (double aside = -3.0; aside <= 3.0; aside += 1.0)
            for (double above = -0.2; above <= 1.0; above += 0.4) { // the host's reference point
                drive_beside(&shape.path, 0.0, shape.path.length, step, aside, above, 0.5);
                drive_beside(&shape.path, shape.path.length, 0.0, step, aside, above, 0.5);
            }
}

// --------------------------------------------------------------------------- corners

static void build_corner(path_shape* s, double turn) {
    path_shape_clear(s);
    path_shape_add(s, -40, 0, 0);
    path_shape_add(s, 0, 0, 0);
    path_shape_add(s, 40 * cos(turn), 40 * sin(turn), 0);
    path_shape_build(s, false);
}

// Cuts a left corner of `turn` along the arc that touches both legs `cut` metres from it.
static void check_cut(double turn, double cut, double step) {
    build_corner(&shape, turn);
    const kerb_path* path = &shape.path;
    double radius = cut / tan(turn / 2.0), arc = radius * turn;
    double before = -1.0;
    kerb_path_location at = {0, 0.0f};
    for (double s = cut - 40.0; s <= arc + 38.0 - cut; s += step) {
        double heading = s <= 0.0 ? 0.0 : s >= arc ? turn : s / radius;
        double bend = heading * radius;
        double x = -cut + (s < 0.0 ? s : 0.0) + radius * sin(heading);
        double y = radius * (1.0 - cos(heading));
        x += (s - bend > 0.0 ? s - bend : 0.0) * cos(heading);
        y += (s - bend > 0.0 ? s - bend : 0.0) * sin(heading);
        at = track(path, at, x, y, cos(heading), sin(heading));
        double found = along_of(path, at);
        // Past a right angle the vehicle comes back beside the first leg before it is round.
        double back = turn > PI / 2.0 ? step : 1e-3;
        if (!(found >= before - back))
            fail_msg("turn %.2f cut %.1f step %.2f: back from %.3f to %.3f", turn, cut, step,
                     before, found);
        if (s <= 0.0)
            assert_near(found, 40.0 + s - cut, 0.05);
        if (s >= arc) // round, and where it is
            assert_near(found, 40.0 + cut + (s - arc), 0.05);
        before = found;
    }
}

static void a_vehicle_that_cuts_a_corner_gets_round_it(void** state) {
    (void)state;
    // Legs that lie closer than 37 degrees look parallel from far out, where a third of the way
    // between them is more than the gap: there a cut of 8 m is the most.
    const double open_legs = PI - 2.0 * atan(1.0 / 3.0);
    for (double turn = 0.2; turn < 2.7; turn += 0.3)
        for (double cut = 0.5; cut < (turn < open_legs ? 13.0 : 8.5); cut += 1.5)
            for (double step = 0.05; step < 3.0; step *= 3.0)
                check_cut(turn, cut, step);
}

// Runs straight on for `over` metres past a left corner, then swings wide round the outside.
static void a_vehicle_outside_a_corner_waits_at_it_and_goes_on(void** state) {
    (void)state;
    build_corner(&shape, PI / 2.0);
    const kerb_path* path = &shape.path;
    for (double over = 1.0; over < 7.0; over += 1.0)
        for (double step = 0.05; step < 3.0; step *= 3.0) {
            kerb_path_location at = {0, 0.0f};
            double before = -1.0;
            for (double s = -30.0; s < 35.0; s += step) {
                double x = s < over ? s : over, y = s < over ? 0.0 : s - over;
                at = track(path, at, x, y - 1.0, s < over ? 1 : 0, s < over ? 0 : 1);
                double found = along_of(path, at);
                assert_true(found >= before - 1e-3);
                before = found;
                double expected = 40.0 + (x < 0.0 ? x : y - 1.0 > 0.0 ? y - 1.0 : 0.0);
                assert_near(found, expected, 0.05);
            }
        }
}

// --------------------------------------------------------------------------- doubling back

// Out to 50 m, round, and back on the same line.
static void a_path_that_doubles_back_is_driven_out_and_back(void** state) {
    (void)state;
    path_shape_clear(&shape);
    for (int i = 0; i <= 20; i++)
        path_shape_add(&shape, 2.5 * (i < 20 ? i : 20), 0, 0);
    for (int i = 19; i >= 0; i--)
        path_shape_add(&shape, 2.5 * i, 0, 0);
    path_shape_build(&shape, false);
    const kerb_path* path = &shape.path;
    for (double radius = 1.0; radius < 6.0; radius += 1.0)
        for (double step = 0.05; step < 3.0; step *= 3.0) {
            kerb_path_location at = {0, 0.0f};
            double arc = PI * radius, before = 0.0;
            for (double s = 0.0; s < 50.0; s += step) {
                at = track(path, at, s, 0.3, 1, 0);
                assert_near(along_of(path, at), s, 0.01);
            }
            for (double s = 0.0; s < arc; s += step) { // a turn round the end of the path
                double a = s / radius;
                at = track(path, at, 50.0 + radius * sin(a), radius * (1.0 - cos(a)), cos(a),
                           sin(a));
                assert_true(along_of(path, at) >= before - 1e-3);
                before = along_of(path, at);
            }
            for (double s = 0.0; s < 50.0; s += step) {
                double aside = 2.0 * radius * (s < 20.0 ? 1.0 - s / 20.0 : 0.0);
                at = track(path, at, 50.0 - s, aside, -1, 0);
                if (s > 1.0)
                    assert_near(along_of(path, at), 50.0 + s, 0.05);
            }
        }
}

static void a_change_of_travel_is_never_passed_by_itself(void** state) {
    (void)state;
    kerb_random random = test_random("cusp");
    path_shape_clear(&shape);
    for (int i = 0; i <= 40; i++) {
        path_shape_add(&shape, i <= 20 ? i : 40 - i, i <= 20 ? 0.0 : 0.2 * (i - 20), 0)->direction =
            i < 20 ? 1 : -1;
    }
    path_shape_build(&shape, false);
    for (int round = 0; round < 2000; round++) {
        kerb_path_location first = kerb_path_locate(&shape.path, 18.0);
        kerb_path_location second = kerb_path_locate(&shape.path, 22.5);
        for (int i = 0; i < 20; i++) {
            kerb_vec3 point = {kerb_random_between(&random, 10, 26),
                               kerb_random_between(&random, -5, 5), 0.0f};
            kerb_vec3 facing =
                turned(kerb_vec3_make(1, 0, 0), kerb_random_between(&random, -3.1f, 3.1f));
            first = kerb_path_track(&shape.path, first, point, facing);
            second = kerb_path_track(&shape.path, second, point, facing);
            assert_true(along_of(&shape.path, first) <= 20.0 + 1e-4);
            assert_int_equal(shape.path.points[first.segment].travel, 1);
            assert_true(along_of(&shape.path, second) >= 20.0 - 1e-4);
            assert_int_equal(shape.path.points[second.segment].travel, -1);
        }
    }
}

// --------------------------------------------------------------------------- ends and rounds

static void rounds_of_a_closed_path_are_counted_forwards_and_backwards(void** state) {
    (void)state;
    path_shape_clear(&shape);
    path_shape_add_arc(&shape, 0, 0, 30, 0, 2.0 * PI * 0.99, 99, 0, 0);
    path_shape_build(&shape, true);
    const kerb_path* path = &shape.path;
    for (int way = -1; way <= 1; way += 2)
        for (double step = 0.05; step < 6.0; step *= 2.5) {
            kerb_path_location at = kerb_path_locate(path, 5.0);
            double counted = 5.0, end = 5.0 + way * 5.0 * path->length;
            for (double s = 5.0; way * (end - s) > 0.0; s += way * step) {
                kerb_vec3 facing;
                kerb_vec3 point = beside(path, fmod(s + 6.0 * path->length, path->length),
                                         2.0 * sin(s / 9.0), 0.0, &facing);
                // Driven or backed: the vehicle faces the path's way in both.
                kerb_path_location next = kerb_path_track(path, at, point, facing);
                counted += (double)kerb_path_distance_between(path, at, next);
                at = next;
                assert_near(counted, s, 0.5);
            }
        }
}

static void past_an_end_the_end_is_held(void** state) {
    (void)state;
    path_shape_clear(&shape);
    path_shape_add(&shape, 0, 0, 0);
    path_shape_add(&shape, 30, 0, 0);
    path_shape_add(&shape, 60, 0, 0);
    path_shape_build(&shape, false);
    kerb_path_location at = kerb_path_locate(&shape.path, 50.0);
    for (double x = 50.0; x < 120.0; x += 1.0) {
        at = track(&shape.path, at, x, 1, 1, 0);
        assert_near(along_of(&shape.path, at), x < 60.0 ? x : 60.0, 1e-4);
    }
    for (double x = 120.0; x > 40.0; x -= 1.0) { // and left again
        at = track(&shape.path, at, x, 1, -1, 0);
        assert_near(along_of(&shape.path, at), x < 60.0 ? x : 60.0, 1e-4);
    }
    at = kerb_path_locate(&shape.path, 3.0);
    for (double x = 3.0; x > -80.0; x -= 1.0) {
        at = track(&shape.path, at, x, -2, 1, 0);
        assert_near(along_of(&shape.path, at), x > 0.0 ? x : 0.0, 1e-4);
    }
    for (double x = -80.0; x < 20.0; x += 1.0) {
        at = track(&shape.path, at, x, -2, 1, 0);
        assert_near(along_of(&shape.path, at), x > 0.0 ? x : 0.0, 1e-4);
    }
}

static void a_place_before_a_way_back_within_reach_is_found_again(void** state) {
    (void)state;
    // Lost in a fork of one's own: pushed 4 m off at a corner of 90 degrees and back.
    build_corner(&shape, PI / 2.0);
    kerb_path_location at = kerb_path_locate(&shape.path, 38.0);
    for (int i = 0; i <= 40; i++) {
        double off = i < 20 ? 0.2 * i : 0.2 * (40 - i);
        at = track(&shape.path, at, -2.0, off, 1, 0);
    }
    assert_near(along_of(&shape.path, at), 38.0, 1e-3);
}

// --------------------------------------------------------------------------- any road

// For each metre of the path: the distance to the nearest other stretch, one that is more than
// `apart` metres away along the path.
static void measure_clearance(const kerb_path* path, double apart, double* clearance, int count) {
    static kerb_vec3 places[SHAPE_POINTS * 2];
    assert_true(count <= SHAPE_POINTS * 2);
    for (int i = 0; i < count; i++)
        places[i] = kerb_path_position(path, kerb_path_locate(path, (double)i));
    for (int i = 0; i < count; i++) {
        clearance[i] = 1e3;
        for (int k = 0; k < count; k++) {
            double distance = path_shape_apart(places[i], places[k]);
            if (abs(i - k) > (int)apart && distance < clearance[i])
                clearance[i] = distance;
        }
    }
}

// Random roads with random lateral error below half the distance to any other stretch.
static void the_tracked_place_never_jumps_and_stays_true_on_any_road(void** state) {
    (void)state;
    kerb_random random = test_random("any road");
    static double clearance[SHAPE_POINTS * 2];
    for (int round = 0; round < 600; round++) {
        bool hilly = round % 3 == 0;
        float curvature = 1.0f / 12.0f;
        path_shape_wander(&shape, &random, 300, 1.0f, curvature, hilly ? 0.15f : 0.0f);
        const kerb_path* path = &shape.path;
        int count = (int)path->length;
        // Within this way a bend of 12 m may come back on itself as the same stretch.
        measure_clearance(path, 16.0, clearance, count);
        double aside = 0.0, s = 1.0, found = 1.0;
        kerb_path_location at = kerb_path_locate(path, s);
        float most_step = kerb_random_between(&random, 0.1f, 5.0f);
        while (s < path->length - 6.0) {
            double step = (double)kerb_random_between(&random, 0.05f, most_step);
            s += step;
            double room = 0.45 * clearance[(int)s] - 0.7; // samples lie a metre apart
            room = room < 0.0 ? 0.0 : room > 4.0 ? 4.0 : room;
            aside += (double)kerb_random_between(&random, -0.5f, 0.5f) * step;
            aside = aside > room ? room : aside < -room ? -room : aside;
            kerb_vec3 facing;
            kerb_vec3 point = beside(path, s, aside, 0.0, &facing);
            facing = turned(facing, kerb_random_between(&random, -0.5f, 0.5f));
            at = kerb_path_track(path, at, point, facing);
            double next = along_of(path, at);
            // The true foot, up to what a polyline's vertices hide: a turn of up to 1.5/12 each.
            if (!(fabs(next - s) <= 0.15 + 0.25 * fabs(aside)))
                fail_msg("round %d at %.2f, %.2f aside: found at %.2f", round, s, aside, next);
            // Inside a bend the foot moves faster than the vehicle, by 1/(1 - 4/12).
            if (!(fabs(next - found) <= 1.5 * step + 0.5 * fabs(aside) + 0.3))
                fail_msg("round %d at %.2f: jumped from %.2f to %.2f", round, s, found, next);
            found = next;
        }
    }
}

// Corners of all kinds: whatever the point does, the answer is a place of the path, no worse than
// where tracking began, and reached within the window.
static void tracking_stays_within_its_window_whatever_the_point_does(void** state) {
    (void)state;
    kerb_random random = test_random("window");
    for (int i = 0; i < 20000; i++) {
        if (i % 50 == 0)
            path_shape_scatter(&shape, &random, 5 + kerb_random_below(&random, 60), 40.0f, 5.0f,
                               i % 100 == 0);
        const kerb_path* path = &shape.path;
        kerb_path_location from =
            kerb_path_locate(path, (double)kerb_random_unit(&random) * path->length);
        kerb_vec3 here = kerb_path_position(path, from);
        kerb_vec3 point = {here.x + kerb_random_between(&random, -3, 3),
                           here.y + kerb_random_between(&random, -3, 3), here.z};
        kerb_vec3 nowhere = {0.0f, 0.0f, 0.0f};
        kerb_path_location to = kerb_path_track(path, from, point, nowhere);
        assert_on_path(path, to);
        assert_true(path_shape_apart(kerb_path_position(path, to), point) <=
                    path_shape_apart(here, point) + 1e-3);
        // It was 4.3 m off at most: sliding goes that far and weighing three times as far.
        assert_true(fabs((double)kerb_path_distance_between(path, from, to)) <=
                    (double)KERB_PATH_WINDOW + 4.3);
    }
}

// The rule as the header states it, by brute force: every segment's nearest point within the
// window pays its squared distance and a third of the way there, squared.
static double cheapest(const kerb_path* path, kerb_path_location from, kerb_vec3 point) {
    double start = kerb_path_distance(path, from), best = HUGE_VAL;
    for (int32_t i = 0; i < path->segment_count; i++) {
        const kerb_path_point* segment = &path->points[i];
        double along =
            (double)kerb_vec3_dot(kerb_vec3_sub(point, segment->position), segment->direction);
        along = along < 0.0 ? 0.0 : fmin(along, (double)segment->length);
        double way = fabs(segment->distance + along - start);
        double off = path_shape_apart(
            kerb_vec3_along(segment->position, segment->direction, (float)along), point);
        if (way <= (double)KERB_PATH_WINDOW)
            best = fmin(best, off * off + way * way / 9.0);
    }
    return best;
}

static void a_place_is_left_only_for_one_that_is_worth_the_way(void** state) {
    (void)state;
    kerb_random random = test_random("worth the way");
    kerb_vec3 nowhere = {0.0f, 0.0f, 0.0f};
    int left = 0, kept = 0;
    for (int i = 0; i < 30000; i++) {
        if (i % 50 == 0)
            path_shape_scatter(&shape, &random, 30, 15.0f, 0.0f, false);
        const kerb_path* path = &shape.path;
        // A foot of the perpendicular: nothing to slide to.
        kerb_path_location from = {kerb_random_below(&random, path->segment_count), 0.0f};
        float share = kerb_random_between(&random, 0.02f, 0.98f);
        from.segment_distance = share * path->points[from.segment].length;
        kerb_vec3 facing;
        double aside = (double)kerb_random_between(&random, -7.0f, 7.0f);
        kerb_vec3 point = beside(path, kerb_path_distance(path, from), aside, 0.0, &facing);
        kerb_path_location to = kerb_path_track(path, from, point, nowhere);
        double way = kerb_path_distance(path, to) - kerb_path_distance(path, from);
        double off = path_shape_apart(kerb_path_position(path, to), point);
        assert_true(fabs(way) <= (double)KERB_PATH_WINDOW + 1e-3);
        // Never dearer than to stay; and the cheapest, but that at a bend of up to 18 degrees
        // either foot will do: sin²(18°) of the squared distance.
        double cost = off * off + way * way / 9.0, least = cheapest(path, from, point);
        assert_true(cost >= least - 2e-3 && cost <= aside * aside + 2e-3);
        assert_true(cost <= least + 2e-3 + 0.0975 * aside * aside);
        if (to.segment == from.segment)
            kept++;
        else
            left++;
    }
    assert_true(kept > 1000 && left > 1000);
}

static void points_that_are_no_numbers_give_a_place_all_the_same(void** state) {
    (void)state;
    kerb_random random = test_random("no numbers");
    const float evil[] = {NAN, INFINITY, -INFINITY, 3e38f};
    for (int i = 0; i < 400; i++) {
        path_shape_scatter(&shape, &random, 5 + kerb_random_below(&random, 20), 40.0f, 5.0f,
                           i % 2 == 0);
        kerb_path_location from = kerb_path_locate(&shape.path, 20.0);
        kerb_vec3 point = {1.0f, 2.0f, 0.0f}, facing = {1.0f, 0.0f, 0.0f};
        float* places[] = {&point.x, &point.y, &point.z, &facing.x, &facing.y};
        *places[kerb_random_below(&random, 5)] = evil[kerb_random_below(&random, 4)];
        kerb_path_location to = kerb_path_track(&shape.path, from, point, facing);
        assert_on_path(&shape.path, to);
        if (!kerb_vec3_is_finite(point)) // it is left where it was
            assert_true(to.segment == from.segment && to.segment_distance == from.segment_distance);
        assert_on_path(&shape.path, kerb_path_nearest_facing(&shape.path, point, facing));
    }
}

int path_track_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(on_a_straight_the_foot_of_the_perpendicular_is_tracked),
        cmocka_unit_test(a_bend_is_tracked_at_any_offset_and_step),
        cmocka_unit_test(a_figure_eight_is_crossed_straight_at_any_speed),
        cmocka_unit_test(a_figure_eight_is_crossed_without_knowing_where_the_vehicle_faces),
        cmocka_unit_test(a_loop_driven_twice_is_driven_twice),
        cmocka_unit_test(a_hairpin_of_three_metres_is_not_cut_through),
        cmocka_unit_test(weaving_between_the_legs_of_a_hairpin_stays_on_its_leg),
        cmocka_unit_test(round_the_hairpin_itself_progress_goes_on),
        cmocka_unit_test(a_multi_storey_ramp_is_climbed_storey_by_storey),
        cmocka_unit_test(a_vehicle_that_cuts_a_corner_gets_round_it),
        cmocka_unit_test(a_vehicle_outside_a_corner_waits_at_it_and_goes_on),
        cmocka_unit_test(a_path_that_doubles_back_is_driven_out_and_back),
        cmocka_unit_test(a_change_of_travel_is_never_passed_by_itself),
        cmocka_unit_test(rounds_of_a_closed_path_are_counted_forwards_and_backwards),
        cmocka_unit_test(past_an_end_the_end_is_held),
        cmocka_unit_test(a_place_before_a_way_back_within_reach_is_found_again),
        cmocka_unit_test(the_tracked_place_never_jumps_and_stays_true_on_any_road),
        cmocka_unit_test(tracking_stays_within_its_window_whatever_the_point_does),
        cmocka_unit_test(a_place_is_left_only_for_one_that_is_worth_the_way),
        cmocka_unit_test(points_that_are_no_numbers_give_a_place_all_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
