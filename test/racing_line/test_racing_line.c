// The racing line against closed forms and properties: circles, straights, half turns, and random
// tracks with hills and banks.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "test/line_rig.h"
#include "test/seed.h"

#include <stdlib.h>

#define PI 3.14159265358979323846
// As far as a line may come nearer to an edge than the margin. [m]
#define VIOLATION_MAX 0.02

static line_rig rig, other;

static const kerb_line_method every_method[] = {KERB_LINE_SPRING, KERB_LINE_CURVATURE,
                                                KERB_LINE_TIME};

// ------------------------------------------------------------------- closed forms

static void on_a_circle_the_shortest_way_is_the_fastest(void** state) {
    (void)state;
    // At the limit v² = 12 R all round: time 2π·sqrt(R / 12), least at the inner edge.
    kerb_performance car = rig_car();
    kerb_line_settings settings = rig_settings(KERB_LINE_TIME);
    rig_circle(&rig, 100.0, 6.0);
    kerb_racing_line line = rig_solve(&rig, &car, &settings);
    for (int32_t i = 0; i < line.count; i++)
        if (!(fabs((double)line.points[i].lateral_offset - 5.0) < 0.05))
            fail_msg("at %.1f m: %.3f m off the centre", line.points[i].distance,
                     (double)line.points[i].lateral_offset);
    assert_near(line.time, 2.0 * PI * sqrt(95.0 / 12.0), 0.01);
    assert_near(line.length, 2.0 * PI * 95.0, 0.5);
    kerb_racing_line_destroy(&line);
    rig_end(&rig);
}

static void points_on_a_circle_say_what_a_circle_is(void** state) {
    (void)state;
    kerb_performance car = rig_car();
    kerb_line_settings settings = rig_settings(KERB_LINE_SPRING);
    settings.stiffness = 0.0f;
    rig_circle(&rig, 100.0, 6.0);
    kerb_racing_line line = rig_solve(&rig, &car, &settings);
    for (int32_t i = 0; i < line.count; i++) {
        const kerb_line_point* p = &line.points[i];
        assert_near((double)p->curvature, 0.01, 1.0e-5);
        assert_near((double)p->normal_curvature, 0.0, 1.0e-6);
        assert_near((double)p->speed, sqrt(1200.0), 0.05);
        assert_near((double)p->left, 6.0, 0.01);
        assert_near((double)p->right, 6.0, 0.01);
        assert_near((double)p->lane_shift, 0.0, 0.002);
        assert_near((double)p->up_normal, 1.0, 1.0e-6);
        double turned = remainder((double)p->heading - atan2(p->y, p->x) - PI / 2.0, 2.0 * PI);
        assert_near(turned, 0.0, 1.0e-4);
    }
    kerb_racing_line_destroy(&line);
    rig_end(&rig);
}

static void a_straight_stays_straight(void** state) {
    (void)state;
    kerb_performance car = rig_car();
    rig_begin(&rig, false);
    for (int32_t i = 0; i <= 100; i++)
        rig_add(&rig, 5.0 * (double)i, 0.0, 0.0, 5.0);
    rig_build(&rig);
    for (int32_t m = 0; m < 3; m++) {
        kerb_line_settings settings = rig_settings(every_method[m]);
        kerb_racing_line line = rig_solve(&rig, &car, &settings);
        assert_near(line.length, 500.0, 0.01);
        assert_near(line.time, 500.0 / 70.0, 0.001);
        for (int32_t i = 0; i < line.count; i++)
            assert_near(line.points[i].y, 0.0, 0.1);
        kerb_racing_line_destroy(&line);
    }
    rig_end(&rig);
}

static void a_half_turn_is_taken_outside_inside_outside(void** state) {
    (void)state;
    kerb_performance car = rig_car();
    rig_u_turn(&rig, 200.0, 20.0, 6.0);
    for (int32_t m = 0; m < 3; m++) {
        kerb_line_settings settings = rig_settings(every_method[m]);
        kerb_racing_line line = rig_solve(&rig, &car, &settings);
        kerb_line_point before = kerb_racing_line_at(&line, 0.5 * line.length - 80.0);
        kerb_line_point middle = kerb_racing_line_at(&line, 0.5 * line.length);
        kerb_line_point after = kerb_racing_line_at(&line, 0.5 * line.length + 80.0);
        assert_true(before.lateral_offset < -2.0f && after.lateral_offset < -2.0f &&
                    middle.lateral_offset > 3.5f);
        kerb_racing_line_destroy(&line);
    }
    rig_end(&rig);
}

static void least_curvature_of_a_symmetrical_turn_is_symmetrical(void** state) {
    (void)state;
    kerb_performance car = rig_car();
    kerb_line_settings settings = rig_settings(KERB_LINE_CURVATURE);
    rig_u_turn(&rig, 200.0, 20.0, 6.0);
    kerb_racing_line line = rig_solve(&rig, &car, &settings);
    for (double s = 0.0; s < 0.5 * line.length; s += 3.0) {
        kerb_line_point a = kerb_racing_line_at(&line, s);
        kerb_line_point b = kerb_racing_line_at(&line, line.length - s);
        assert_near((double)a.lateral_offset, (double)b.lateral_offset, 0.05);
    }
    kerb_racing_line_destroy(&line);
    rig_end(&rig);
}

// ------------------------------------------------------------------- properties

static void lines_of_random_tracks_are_legal_and_faster_than_the_centre(void** state) {
    (void)state;
    kerb_random random = test_random("racing line");
    for (int32_t n = 0; n < 12; n++) {
        rig_random(&rig, &random, 1.0);
        kerb_performance car = rig_car();
        if (n % 3 == 1) {
            kerb_vehicle vehicle = kerb_vehicle_default();
            car = kerb_performance_of(&vehicle);
        } else if (n % 3 == 2) {
            car.downforce = 0.003f;
            car.drag = 0.001f;
        }
        double times[3];
        for (int32_t m = 0; m < 3; m++) {
            kerb_line_settings settings = rig_settings(every_method[m]);
            kerb_racing_line line = rig_solve(&rig, &car, &settings);
            times[m] = line.time;
            if (m > 0 && line.violation > VIOLATION_MAX)
                fail_msg("track %d, method %d: %.3f m beyond the margin", n, m, line.violation);
            kerb_racing_line_destroy(&line);
        }
        double centre = rig_centre_time(&rig, &car);
        // Where nearly all is flat out, rounder is only longer.
        bool sound = times[0] < 1.003 * centre && times[1] < 1.003 * centre;
        if (!sound || !(times[2] <= centre))
            fail_msg("track %d: centre %.2f s, lines %.2f %.2f %.2f s", n, centre, times[0],
                     times[1], times[2]);
        if (!(times[2] <= times[1] * 1.0005))
            fail_msg("track %d: least curvature %.3f s, least time %.3f s", n, times[1], times[2]);
        rig_end(&rig);
    }
}

static void a_mirrored_track_has_the_mirrored_line(void** state) {
    (void)state;
    kerb_performance car = rig_car();
    for (int32_t m = 0; m < 3; m++) {
        kerb_random random = test_random("mirror"), again = random;
        kerb_line_settings settings = rig_settings(every_method[m]);
        rig_random(&rig, &random, 1.0);
        rig_random(&other, &again, -1.0);
        kerb_racing_line a = rig_solve(&rig, &car, &settings);
        kerb_racing_line b = rig_solve(&other, &car, &settings);
        assert_int_equal(a.count, b.count);
        assert_near(a.time, b.time, 1.0e-4 * a.time);
        for (int32_t i = 0; i < a.count; i++)
            if (!(fabs((double)a.points[i].lateral_offset + (double)b.points[i].lateral_offset) <
                  0.05))
                fail_msg("method %d at %.0f m: %.3f and %.3f m", m, a.points[i].distance,
                         (double)a.points[i].lateral_offset, (double)b.points[i].lateral_offset);
        kerb_racing_line_destroy(&a);
        kerb_racing_line_destroy(&b);
        rig_end(&rig);
        rig_end(&other);
    }
}

static void lines_of_a_side_keep_to_it(void** state) {
    (void)state;
    kerb_performance car = rig_car();
    kerb_random random = test_random("sides");
    rig_random(&rig, &random, 1.0);
    double times[4];
    for (int32_t side = 0; side < 4; side++) {
        kerb_line_settings settings = rig_settings(KERB_LINE_TIME);
        settings.side = side;
        kerb_racing_line line = rig_solve(&rig, &car, &settings);
        times[side] = line.time;
        assert_true(line.violation <= VIOLATION_MAX);
        for (int32_t i = 0; i < line.count; i++) {
            double offset = (double)line.points[i].lateral_offset;
            assert_false(side == KERB_LINE_LEFT && offset < -VIOLATION_MAX);
            assert_false(side == KERB_LINE_RIGHT && offset > VIOLATION_MAX);
        }
        kerb_racing_line_destroy(&line);
    }
    assert_true(times[0] < times[1] && times[0] < times[2] && times[0] <= times[3]);
    rig_end(&rig);
}

// Where the usual line swings out to the right before a left turn, the defensive one lies so near
// to the inside that nobody fits in, from the straight to the middle of the turn; then it runs out.
static void a_defensive_line_leaves_nobody_room_inside_before_a_corner(void** state) {
    (void)state;
    kerb_performance car = rig_car();
    kerb_line_settings settings = rig_settings(KERB_LINE_TIME);
    rig_u_turn(&rig, 250.0, 20.0, 6.0);
    kerb_racing_line usual = rig_solve(&rig, &car, &settings);
    settings.side = KERB_LINE_DEFENSIVE;
    kerb_racing_line line = rig_solve(&rig, &car, &settings);
    const double middle = 0.5 * line.length, width = 2.0;
    for (double before = 0.0; before < 100.0; before += 5.0) {
        kerb_line_point p = kerb_racing_line_at(&line, middle - before);
        if (!((double)p.left - 0.5 * width < width))
            fail_msg("%.0f m before the middle: %.2f m", before, (double)p.left);
    }
    kerb_line_point open = kerb_racing_line_at(&usual, 0.5 * usual.length - 60.0);
    assert_true((double)open.left - 0.5 * width > 2.0 * width);
    assert_true(kerb_racing_line_at(&line, middle + 60.0).lateral_offset < -2.0f);
    assert_true(line.violation <= VIOLATION_MAX);
    assert_true(line.time < 1.1 * usual.time);
    kerb_racing_line_destroy(&usual);
    kerb_racing_line_destroy(&line);
    rig_end(&rig);
}

static void springs_between_near_nodes_do_not_swing_up(void** state) {
    (void)state;
    kerb_performance car = rig_car();
    kerb_line_settings settings = rig_settings(KERB_LINE_SPRING);
    rig_u_turn(&rig, 200.0, 20.0, 6.0);
    kerb_racing_line far = rig_solve(&rig, &car, &settings);
    static const float spacings[] = {0.5f, 1.0f, 2.0f};
    for (int32_t i = 0; i < 3; i++) {
        settings.node_spacing = spacings[i];
        kerb_racing_line near = rig_solve(&rig, &car, &settings);
        assert_true(near.time < 1.1 * far.time);
        kerb_racing_line_destroy(&near);
    }
    kerb_racing_line_destroy(&far);
    rig_end(&rig);
}

static void a_line_lies_on_the_banked_surface(void** state) {
    (void)state;
    // A cone: bank 0.2 about a circle of radius 100, so that z falls with the radius.
    kerb_performance car = rig_car();
    kerb_line_settings settings = rig_settings(KERB_LINE_TIME);
    rig_circle(&rig, 100.0, 6.0);
    for (int32_t i = 0; i < rig.count; i++)
        rig.waypoints[i].bank = -0.2f;
    kerb_path_destroy(&rig.path);
    rig_build(&rig);
    kerb_racing_line line = rig_solve(&rig, &car, &settings);
    for (int32_t i = 0; i < line.count; i++) {
        const kerb_line_point* p = &line.points[i];
        double radius = hypot(p->x, p->y);
        assert_near(p->z, (radius - 100.0) * tan(0.2), 0.01);
        assert_near((double)p->up_left, sin(-0.2), 1.0e-3);
        assert_near((double)p->curvature, cos(0.2) / radius, 2.0e-4);
        assert_near((double)p->normal_curvature, sin(0.2) / radius, 2.0e-4);
    }
    kerb_racing_line_destroy(&line);
    rig_end(&rig);
}

static void no_line_is_shown_more_room_than_the_track_has(void** state) {
    (void)state;
    // Widths that change at every point, which lie anywhere between the solver's stations.
    kerb_performance car = rig_car();
    kerb_random random = test_random("room");
    rig_begin(&rig, false);
    for (int32_t i = 0; i <= 120; i++)
        rig_add(&rig, 4.7 * (double)i, 0.0, 0.0, 3.0);
    for (int32_t i = 0; i <= 120; i++)
        rig.waypoints[i].left = kerb_random_between(&random, 2.5f, 4.0f);
    rig_build(&rig);
    for (int32_t m = 1; m < 3; m++) {
        kerb_line_settings settings = rig_settings(every_method[m]);
        kerb_racing_line line = rig_solve(&rig, &car, &settings);
        assert_true(line.violation <= VIOLATION_MAX);
        for (int32_t i = 0; i < line.count; i++) {
            const kerb_line_point* p = &line.points[i];
            int32_t k = (int32_t)(p->x / 4.7);
            k = k < 119 ? k : 119;
            double a = (double)rig.waypoints[k].left, b = (double)rig.waypoints[k + 1].left;
            double room = a + (b - a) * (p->x / 4.7 - (double)k);
            if (!((double)p->left <= room - p->y + 0.002))
                fail_msg("at %.2f m: %.4f m of %.4f", p->x, (double)p->left, room - p->y);
        }
        kerb_racing_line_destroy(&line);
    }
    rig_end(&rig);
}

// ------------------------------------------------------------------- reading a line

static void a_line_is_read_between_its_points_and_round_its_end(void** state) {
    (void)state;
    kerb_performance car = rig_car();
    kerb_line_settings settings = rig_settings(KERB_LINE_SPRING);
    settings.stiffness = 0.0f;
    rig_circle(&rig, 50.0, 4.0);
    kerb_racing_line line = rig_solve(&rig, &car, &settings);
    for (double s = -2.5 * line.length; s < 2.5 * line.length; s += 7.3) {
        kerb_line_point p = kerb_racing_line_at(&line, s);
        double a = s / 50.0;
        assert_near(p.x, 50.0 * cos(a), 0.02);
        assert_near(p.y, 50.0 * sin(a), 0.02);
        assert_near(remainder((double)p.heading - a - PI / 2.0, 2.0 * PI), 0.0, 1.0e-3);
    }
    kerb_line_point start = kerb_racing_line_at(&line, 0.0);
    const double odd[] = {(double)NAN, (double)INFINITY, -(double)INFINITY};
    for (int32_t i = 0; i < 3; i++)
        assert_true(kerb_racing_line_at(&line, odd[i]).x == start.x);
    kerb_racing_line_destroy(&line);
    rig_end(&rig);
}

static void the_speed_profile_of_a_line_is_that_of_its_points(void** state) {
    (void)state;
    kerb_performance car = rig_car();
    kerb_random random = test_random("profile");
    kerb_line_settings settings = rig_settings(KERB_LINE_CURVATURE);
    rig_random(&rig, &random, 1.0);
    kerb_racing_line line = rig_solve(&rig, &car, &settings);
    kerb_profile_point* points = malloc((size_t)line.count * sizeof *points);
    float* speeds = malloc((size_t)line.count * sizeof *speeds);
    for (int32_t i = 0; i < line.count; i++) {
        const kerb_line_point* p = &line.points[i];
        kerb_profile_point q =
            kerb_profile_point_level((float)(line.length / (double)line.count), p->curvature);
        q.normal_curvature = p->normal_curvature;
        q.up_forward = p->up_forward;
        q.up_left = p->up_left;
        q.up_normal = p->up_normal;
        q.grip = p->grip;
        points[i] = q;
    }
    double time = kerb_speed_profile(&car, points, line.count, true, 0.0f, 0.0f, speeds);
    assert_near(time, line.time, 0.002 * time);
    for (int32_t i = 0; i < line.count; i++)
        assert_near((double)speeds[i], (double)line.points[i].speed, 0.7);
    free(points);
    free(speeds);
    kerb_racing_line_destroy(&line);
    rig_end(&rig);
}

static void a_line_becomes_a_path_to_drive(void** state) {
    (void)state;
    kerb_performance car = rig_car();
    kerb_random random = test_random("waypoints");
    kerb_line_settings settings = rig_settings(KERB_LINE_TIME);
    rig_random(&rig, &random, 1.0);
    kerb_racing_line line = rig_solve(&rig, &car, &settings);
    kerb_waypoint* waypoints = malloc((size_t)line.count * sizeof *waypoints);
    kerb_racing_line_waypoints(&line, waypoints);
    kerb_path path;
    kerb_error error;
    assert_int_equal(kerb_path_create(&path, waypoints, line.count, line.closed, &rig.host, &error),
                     KERB_OK);
    assert_near(path.length, line.length, 0.01 * line.length);
    for (int32_t i = 0; i < line.count; i++) {
        assert_true(waypoints[i].speed_limit == line.points[i].speed);
        assert_true(waypoints[i].left == line.points[i].left);
    }
    kerb_path_destroy(&path);
    free(waypoints);
    kerb_racing_line_destroy(&line);
    rig_end(&rig);
}

static void the_programs_chain_has_nodes_every_two_usable_widths(void** state) {
    (void)state;
    rig_circle(&rig, 100.0, 6.0);
    kerb_line_settings settings = kerb_line_settings_vamos_program(&rig.path);
    assert_near((double)settings.node_spacing, 2.0 * (12.0 - 3.2), 1.0e-3);
    assert_int_equal(settings.spring_steps, 500);
    settings.halve_nodes = 1;
    kerb_performance car = rig_car();
    kerb_racing_line line = rig_solve(&rig, &car, &settings);
    assert_near(line.length, 2.0 * PI * 100.0, 70.0);
    kerb_racing_line_destroy(&line);
    rig_end(&rig);
}

int racing_line_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(on_a_circle_the_shortest_way_is_the_fastest),
        cmocka_unit_test(points_on_a_circle_say_what_a_circle_is),
        cmocka_unit_test(a_straight_stays_straight),
        cmocka_unit_test(a_half_turn_is_taken_outside_inside_outside),
        cmocka_unit_test(least_curvature_of_a_symmetrical_turn_is_symmetrical),
        cmocka_unit_test(lines_of_random_tracks_are_legal_and_faster_than_the_centre),
        cmocka_unit_test(a_mirrored_track_has_the_mirrored_line),
        cmocka_unit_test(lines_of_a_side_keep_to_it),
        cmocka_unit_test(a_defensive_line_leaves_nobody_room_inside_before_a_corner),
        cmocka_unit_test(springs_between_near_nodes_do_not_swing_up),
        cmocka_unit_test(a_line_lies_on_the_banked_surface),
        cmocka_unit_test(no_line_is_shown_more_room_than_the_track_has),
        cmocka_unit_test(a_line_is_read_between_its_points_and_round_its_end),
        cmocka_unit_test(the_speed_profile_of_a_line_is_that_of_its_points),
        cmocka_unit_test(a_line_becomes_a_path_to_drive),
        cmocka_unit_test(the_programs_chain_has_nodes_every_two_usable_widths),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
