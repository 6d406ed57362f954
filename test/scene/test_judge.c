// The judge of scene/, against vehicles that are moved by hand: what docs/command.md says that
// progress, stuck events, errors, corridor and finish mean.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "scene/course/judge.h"

#include <math.h>

#define STEP (1.0f / 60.0f)

// A judge, and the vehicle that it watches: 4 m long, 2 m wide, its reference point in the middle.
typedef struct rig {
    kerb_path path;
    kerb_scene_judge judge;
    float x, y, heading;
} rig;

static void rig_make(rig* r, const kerb_waypoint* waypoints, int32_t count, bool closed) {
    kerb_host host = kerb_host_default();
    assert_int_equal(kerb_path_create(&r->path, waypoints, count, closed, &host, NULL), KERB_OK);
    kerb_vehicle vehicle = kerb_vehicle_default();
    vehicle.length = 4.0f;
    vehicle.width = 2.0f;
    vehicle.reference_to_front = 2.0f;
    r->judge = kerb_scene_judge_make(&r->path, &vehicle);
    r->x = waypoints[0].position.x;
    r->y = waypoints[0].position.y;
    r->heading = 0.0f;
}

static void look(rig* r, float speed) {
    kerb_motion motion = kerb_motion_default();
    motion.position = kerb_vec3_make(r->x, r->y, 0.0f);
    motion.rotation = kerb_quat_from_heading(r->heading);
    motion.velocity = kerb_vec3_scale(kerb_quat_forward(motion.rotation), speed);
    kerb_scene_judge_watch(&r->judge, &motion, STEP);
}

static void stand(rig* r, float seconds) {
    for (int32_t i = 0; i < (int32_t)(seconds / STEP + 0.5f); i++)
        look(r, 0.0f);
}

// Moves straight to a place without turning; backwards when it lies behind.
static void move(rig* r, float x, float y, float speed) {
    float dx = x - r->x, dy = y - r->y;
    float length = kerb_vec2_length(kerb_vec2_make(dx, dy));
    bool behind = dx * kerb_cos(r->heading) + dy * kerb_sin(r->heading) < 0.0f;
    int32_t steps = (int32_t)(length / (speed * STEP) + 0.5f);
    float from_x = r->x, from_y = r->y;
    for (int32_t i = 1; i <= steps; i++) {
        r->x = from_x + dx * (float)i / (float)steps;
        r->y = from_y + dy * (float)i / (float)steps;
        look(r, behind ? -speed : speed);
    }
}

static void free_rig(rig* r) {
    kerb_path_destroy(&r->path);
}

// 100 m along x, waypoints 10 m apart, corridor 2 m to each side.
static void straight_course(rig* r) {
    kerb_waypoint waypoints[11];
    for (int32_t i = 0; i < 11; i++)
        waypoints[i] = kerb_waypoint_at(10.0f * (float)i, 0.0f, 0.0f);
    rig_make(r, waypoints, 11, false);
}

// --------------------------------------------------------------------------- stuck events

static void standing_for_five_seconds_is_a_stuck_event(void** state) {
    (void)state;
    rig r;
    straight_course(&r);
    move(&r, 20.0f, 0.0f, 5.0f);
    stand(&r, 4.5f);
    assert_int_equal(r.judge.stuck_events, 0);
    stand(&r, 1.0f);
    assert_int_equal(r.judge.stuck_events, 1);
    assert_true(r.judge.stuck);
    free_rig(&r);
}

static void creeping_is_stuck_below_two_metres_in_five_seconds_only(void** state) {
    (void)state;
    rig r;
    straight_course(&r);
    move(&r, 30.0f, 0.0f, 0.42f);
    assert_int_equal(r.judge.stuck_events, 0);
    move(&r, 33.0f, 0.0f, 0.38f);
    assert_int_equal(r.judge.stuck_events, 1);
    free_rig(&r);
}

static void going_back_and_forth_is_stuck(void** state) {
    (void)state;
    rig r;
    straight_course(&r);
    move(&r, 20.0f, 0.0f, 5.0f);
    for (int32_t i = 0; i < 3; i++) {
        move(&r, 14.0f, 0.0f, 5.0f);
        move(&r, 20.0f, 0.0f, 5.0f);
    }
    assert_int_equal(r.judge.stuck_events, 1);
    free_rig(&r);
}

static void an_event_is_closed_by_five_metres_of_progress(void** state) {
    (void)state;
    rig r;
    straight_course(&r);
    move(&r, 20.0f, 0.0f, 5.0f);
    stand(&r, 6.0f);
    move(&r, 24.8f, 0.0f, 5.0f);
    assert_true(r.judge.stuck);
    move(&r, 25.2f, 0.0f, 5.0f);
    assert_false(r.judge.stuck);
    assert_int_equal(r.judge.stuck_events, 1);
    stand(&r, 6.0f);
    assert_int_equal(r.judge.stuck_events, 2);
    free_rig(&r);
}

static void each_further_thirty_seconds_count_again(void** state) {
    (void)state;
    rig r;
    straight_course(&r);
    move(&r, 20.0f, 0.0f, 5.0f);
    stand(&r, 34.5f);
    assert_int_equal(r.judge.stuck_events, 1);
    stand(&r, 1.0f);
    assert_int_equal(r.judge.stuck_events, 2);
    stand(&r, 30.0f);
    assert_int_equal(r.judge.stuck_events, 3);
    free_rig(&r);
}

static void the_last_three_metres_are_excused(void** state) {
    (void)state;
    rig r;
    straight_course(&r);
    move(&r, 97.1f, 0.0f, 5.0f);
    stand(&r, 60.0f);
    assert_int_equal(r.judge.stuck_events, 0);
    free_rig(&r);
    straight_course(&r);
    move(&r, 96.0f, 0.0f, 5.0f);
    stand(&r, 6.0f);
    move(&r, 97.5f, 0.0f, 5.0f); // not five metres, but nobody is stuck there
    assert_false(r.judge.stuck);
    stand(&r, 60.0f);
    assert_int_equal(r.judge.stuck_events, 1);
    free_rig(&r);
}

// --------------------------------------------------------------------------- stops

// Half a metre between waypoints, and a stop at 20 m.
static void course_with_stop(rig* r, float seconds) {
    kerb_waypoint waypoints[101];
    for (int32_t i = 0; i < 101; i++)
        waypoints[i] = kerb_waypoint_at(0.5f * (float)i, 0.0f, 0.0f);
    waypoints[40].stop = seconds;
    rig_make(r, waypoints, 101, false);
}

static void a_stop_on_the_course_is_excused(void** state) {
    (void)state;
    rig r;
    course_with_stop(&r, 20.0f);
    move(&r, 17.5f, 0.0f, 5.0f); // 2.5 m before it, five waypoints
    stand(&r, 24.0f);
    move(&r, 40.0f, 0.0f, 5.0f);
    assert_int_equal(r.judge.stuck_events, 0);
    free_rig(&r);
}

static void standing_at_a_stop_for_ever_is_not_excused(void** state) {
    (void)state;
    rig r;
    course_with_stop(&r, 3.0f);
    move(&r, 20.0f, 0.0f, 5.0f);
    stand(&r, 3.0f + 5.0f + 4.0f);
    assert_int_equal(r.judge.stuck_events, 0);
    stand(&r, 1.5f);
    assert_int_equal(r.judge.stuck_events, 1);
    free_rig(&r);
}

static void standing_before_a_stop_is_not_excused(void** state) {
    (void)state;
    rig r;
    course_with_stop(&r, 20.0f);
    move(&r, 16.0f, 0.0f, 5.0f);
    stand(&r, 6.0f);
    assert_int_equal(r.judge.stuck_events, 1);
    free_rig(&r);
}

static void the_stop_of_a_closed_course_is_excused_on_both_sides_of_its_start(void** state) {
    (void)state;
    kerb_waypoint waypoints[4] = {kerb_waypoint_at(0, 0, 0), kerb_waypoint_at(50, 0, 0),
                                  kerb_waypoint_at(50, 50, 0), kerb_waypoint_at(0, 50, 0)};
    waypoints[0].stop = 8.0f;
    rig r;
    rig_make(&r, waypoints, 4, true);
    move(&r, 1.0f, 0.0f, 5.0f);
    stand(&r, 11.0f);
    assert_int_equal(r.judge.stuck_events, 0);
    free_rig(&r);
    rig_make(&r, waypoints, 4, true);
    r.heading = -0.5f * KERB_PI;
    r.x = 0.0f;
    r.y = 2.0f;
    r.judge.location = kerb_path_locate(&r.path, 198.0);
    r.judge.progress = r.judge.best = 198.0;
    stand(&r, 11.0f);
    assert_int_equal(r.judge.stuck_events, 0);
    free_rig(&r);
}

// --------------------------------------------------------------------------- cusps

// Forwards to x = 30, back to x = 20, forwards to x = 60: 80 m, all on one line.
static void course_with_cusps(rig* r) {
    kerb_waypoint waypoints[] = {kerb_waypoint_at(0, 0, 0), kerb_waypoint_at(30, 0, 0),
                                 kerb_waypoint_at(20, 0, 0), kerb_waypoint_at(60, 0, 0)};
    waypoints[1].direction = -1;
    rig_make(r, waypoints, 4, false);
}

static void a_cusp_is_passed_by_moving_the_new_way(void** state) {
    (void)state;
    static const float off[] = {-1.0f, 0.0f, 0.8f};
    for (int32_t i = 0; i < 3; i++) {
        rig r;
        course_with_cusps(&r);
        move(&r, 30.0f + off[i], 0.0f, 5.0f);
        assert_true(fabs(r.judge.best - 30.0 - fmin((double)off[i], 0.0)) < 0.01);
        stand(&r, 3.0f);
        move(&r, 20.0f - off[i], 0.0f, 3.0f);
        move(&r, 60.5f, 0.0f, 5.0f);
        assert_true(r.judge.finished);
        assert_int_equal(r.judge.stuck_events, 0);
        assert_true(fabs(r.judge.best - 80.0) < 0.01);
        free_rig(&r);
    }
}

static void who_never_reverses_never_gets_past_a_cusp(void** state) {
    (void)state;
    rig r;
    course_with_cusps(&r);
    move(&r, 60.5f, 0.0f, 5.0f);
    assert_false(r.judge.finished);
    assert_true(fabs(r.judge.best - 30.0) < 0.01);
    free_rig(&r);
}

static void changing_gear_at_a_cusp_is_excused(void** state) {
    (void)state;
    rig r;
    course_with_cusps(&r);
    move(&r, 30.0f, 0.0f, 5.0f);
    stand(&r, 6.5f);
    move(&r, 20.0f, 0.0f, 3.0f);
    stand(&r, 6.5f);
    assert_int_equal(r.judge.stuck_events, 0);
    free_rig(&r);
}

static void what_sticks_out_past_a_cusp_is_inside(void** state) {
    (void)state;
    rig r;
    course_with_cusps(&r);
    move(&r, 30.5f, 0.0f, 5.0f); // its front is 2.5 m past, the corridor 2 m wide
    assert_true(r.judge.inside);
    assert_true(r.judge.error == 0.0f);
    move(&r, 30.5f, 1.2f, 0.5f);
    assert_false(r.judge.inside);
    assert_true(fabsf(r.judge.error - 1.2f) < 1.0e-5f);
    free_rig(&r);
}

// --------------------------------------------------------------------------- progress

// Two legs 5 m apart, joined by a half turn that is drawn as three segments.
static void hairpin_course(rig* r) {
    kerb_waypoint waypoints[] = {kerb_waypoint_at(0, 0, 0), kerb_waypoint_at(50, 0, 0),
                                 kerb_waypoint_at(52, 2.5f, 0), kerb_waypoint_at(50, 5, 0),
                                 kerb_waypoint_at(0, 5, 0)};
    rig_make(r, waypoints, 5, false);
}

static void backing_out_is_no_progress_on_the_leg_that_leads_back(void** state) {
    (void)state;
    rig r;
    hairpin_course(&r);
    move(&r, 44.0f, 0.0f, 5.0f);
    move(&r, 34.0f, 2.0f, 3.0f); // still nearer to the first leg
    assert_true(fabs(r.judge.best - 44.0) < 0.01);
    assert_true(fabs(r.judge.progress - 34.0) < 0.01);
    free_rig(&r);
}

static void leaving_the_course_and_meeting_it_later_is_no_progress(void** state) {
    (void)state;
    kerb_waypoint waypoints[] = {kerb_waypoint_at(0, 0, 0), kerb_waypoint_at(50, 0, 0),
                                 kerb_waypoint_at(50, 60, 0), kerb_waypoint_at(100, 60, 0),
                                 kerb_waypoint_at(100, -60, 0)};
    rig r;
    rig_make(&r, waypoints, 5, false);
    move(&r, 100.0f, 0.0f, 10.0f); // straight on at the corner, to the fourth leg
    r.heading = -0.5f * KERB_PI;
    move(&r, 100.0f, -61.0f, 10.0f); // and along that to the end
    assert_true(fabs(r.judge.best - 50.0) < 0.01);
    assert_false(r.judge.finished);
    free_rig(&r);
}

static void a_closed_course_is_finished_after_one_round(void** state) {
    (void)state;
    kerb_waypoint waypoints[4] = {kerb_waypoint_at(0, 0, 0), kerb_waypoint_at(50, 0, 0),
                                  kerb_waypoint_at(50, 50, 0), kerb_waypoint_at(0, 50, 0)};
    rig r;
    rig_make(&r, waypoints, 4, true);
    static const float corners[4][2] = {{50, 0}, {50, 50}, {0, 50}, {0, 0.5f}};
    for (int32_t i = 0; i < 4; i++) {
        move(&r, corners[i][0], corners[i][1], 5.0f);
        r.heading += 0.5f * KERB_PI;
    }
    assert_false(r.judge.finished);
    move(&r, 1.0f, 0.0f, 5.0f);
    assert_true(r.judge.finished);
    assert_true(fabs(r.judge.best - 201.0) < 0.05);
    free_rig(&r);
}

static void backwards_over_the_start_of_a_closed_course_is_no_round(void** state) {
    (void)state;
    kerb_waypoint waypoints[4] = {kerb_waypoint_at(0, 0, 0), kerb_waypoint_at(50, 0, 0),
                                  kerb_waypoint_at(50, 50, 0), kerb_waypoint_at(0, 50, 0)};
    rig r;
    rig_make(&r, waypoints, 4, true);
    r.heading = 0.5f * KERB_PI;
    move(&r, 0.0f, 20.0f, 5.0f);
    assert_false(r.judge.finished);
    assert_true(r.judge.best == 0.0);
    assert_true(fabs(r.judge.progress + 20.0) < 0.01);
    free_rig(&r);
}

static void who_is_put_back_goes_on_from_the_best_progress(void** state) {
    (void)state;
    rig r;
    straight_course(&r);
    move(&r, 40.0f, 0.0f, 5.0f);
    move(&r, 15.0f, 0.0f, 5.0f);
    kerb_scene_judge_put_back(&r.judge);
    assert_true(fabs(kerb_path_distance(&r.path, r.judge.location) - 40.0) < 0.01);
    assert_true(r.judge.progress == r.judge.best);
    r.x = 40.0f;
    move(&r, 100.5f, 0.0f, 5.0f);
    assert_true(r.judge.finished);
    free_rig(&r);
}

// --------------------------------------------------------------------------- error and corridor

static void errors_count_by_metres_of_progress_not_by_seconds(void** state) {
    (void)state;
    rig r;
    straight_course(&r);
    r.y = 1.0f;
    move(&r, 10.0f, 1.0f, 2.0f);
    stand(&r, 3.0f);
    move(&r, 5.0f, 1.0f, 2.0f);
    move(&r, 10.0f, 1.0f, 2.0f);
    r.y = 0.0f;
    move(&r, 40.0f, 0.0f, 10.0f);
    assert_true(fabs(r.judge.error_sum / r.judge.best - 0.25) < 0.01);
    assert_true(r.judge.error_max == 1.0);
    free_rig(&r);
}

static void the_whole_footprint_must_be_in_the_corridor(void** state) {
    (void)state;
    rig r;
    straight_course(&r);
    move(&r, 20.0f, 0.0f, 5.0f);
    r.y = 0.95f;
    look(&r, 0.0f);
    assert_true(r.judge.inside);
    r.y = 1.05f; // its left side is 2.05 m off
    look(&r, 0.0f);
    assert_false(r.judge.inside);
    r.y = 0.0f;
    r.heading = 0.7f; // its corners are 2 sin 0.7 + cos 0.7 = 2.05 m off
    look(&r, 0.0f);
    assert_false(r.judge.inside);
    r.heading = 0.6f; // 1.95 m
    look(&r, 0.0f);
    assert_true(r.judge.inside);
    free_rig(&r);
}

static void corridors_may_be_wider_on_one_side_and_further_on(void** state) {
    (void)state;
    kerb_waypoint waypoints[] = {kerb_waypoint_at(0, 0, 0), kerb_waypoint_at(50, 0, 0),
                                 kerb_waypoint_at(100, 0, 0)};
    waypoints[1].left = 5.0f;
    rig r;
    rig_make(&r, waypoints, 3, false);
    move(&r, 50.0f, 0.0f, 5.0f);
    r.y = 3.5f; // 4.5 m off at the side; the corridor is 4.88 m wide at its ends
    look(&r, 0.0f);
    assert_true(r.judge.inside);
    r.y = -1.1f;
    look(&r, 0.0f);
    assert_false(r.judge.inside);
    free_rig(&r);
}

static void who_sticks_out_at_either_end_is_inside(void** state) {
    (void)state;
    rig r;
    straight_course(&r);
    look(&r, 0.0f); // its rear is 2 m before the start
    assert_true(r.judge.inside);
    move(&r, 99.9f, 0.0f, 5.0f);
    assert_true(r.judge.inside);
    free_rig(&r);
}

static void who_misses_a_corner_is_outside_though_in_line_with_the_leg_before(void** state) {
    (void)state;
    kerb_waypoint waypoints[] = {kerb_waypoint_at(0, 0, 0), kerb_waypoint_at(50, 0, 0),
                                 kerb_waypoint_at(50, 50, 0)};
    rig r;
    rig_make(&r, waypoints, 3, false);
    move(&r, 50.5f, 0.0f, 5.0f);
    assert_false(r.judge.inside); // its front corners are at (52.5, ±1)
    free_rig(&r);
    rig_make(&r, waypoints, 3, false);
    move(&r, 46.0f, 0.0f, 5.0f);
    assert_true(r.judge.inside);
    move(&r, 55.0f, 0.0f, 5.0f);
    assert_false(r.judge.inside);
    assert_true(fabsf(kerb_abs(r.judge.error) - 5.0f) < 0.01f);
    free_rig(&r);
}

// --------------------------------------------------------------------------- the finish

static void the_finish_is_the_normal_through_the_last_waypoint(void** state) {
    (void)state;
    rig r;
    straight_course(&r);
    move(&r, 99.9f, 1.5f, 5.0f);
    assert_false(r.judge.finished);
    move(&r, 100.1f, 1.5f, 5.0f);
    assert_true(r.judge.finished);
    free_rig(&r);
}

static void past_the_finish_outside_the_corridor_is_not_finished(void** state) {
    (void)state;
    rig r;
    straight_course(&r);
    move(&r, 102.0f, 2.5f, 5.0f);
    assert_false(r.judge.finished);
    free_rig(&r);
}

static void a_course_that_ends_in_reverse_is_finished_backwards(void** state) {
    (void)state;
    kerb_waypoint waypoints[] = {kerb_waypoint_at(0, 0, 0), kerb_waypoint_at(30, 0, 0),
                                 kerb_waypoint_at(10, 0, 0)};
    waypoints[1].direction = -1;
    rig r;
    rig_make(&r, waypoints, 3, false);
    move(&r, 30.0f, 0.0f, 5.0f);
    assert_false(r.judge.finished);
    move(&r, 9.9f, 0.0f, 3.0f);
    assert_true(r.judge.finished);
    free_rig(&r);
}

int judge_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(standing_for_five_seconds_is_a_stuck_event),
        cmocka_unit_test(creeping_is_stuck_below_two_metres_in_five_seconds_only),
        cmocka_unit_test(going_back_and_forth_is_stuck),
        cmocka_unit_test(an_event_is_closed_by_five_metres_of_progress),
        cmocka_unit_test(each_further_thirty_seconds_count_again),
        cmocka_unit_test(the_last_three_metres_are_excused),
        cmocka_unit_test(a_stop_on_the_course_is_excused),
        cmocka_unit_test(standing_at_a_stop_for_ever_is_not_excused),
        cmocka_unit_test(standing_before_a_stop_is_not_excused),
        cmocka_unit_test(the_stop_of_a_closed_course_is_excused_on_both_sides_of_its_start),
        cmocka_unit_test(a_cusp_is_passed_by_moving_the_new_way),
        cmocka_unit_test(who_never_reverses_never_gets_past_a_cusp),
        cmocka_unit_test(changing_gear_at_a_cusp_is_excused),
        cmocka_unit_test(what_sticks_out_past_a_cusp_is_inside),
        cmocka_unit_test(backing_out_is_no_progress_on_the_leg_that_leads_back),
        cmocka_unit_test(leaving_the_course_and_meeting_it_later_is_no_progress),
        cmocka_unit_test(a_closed_course_is_finished_after_one_round),
        cmocka_unit_test(backwards_over_the_start_of_a_closed_course_is_no_round),
        cmocka_unit_test(who_is_put_back_goes_on_from_the_best_progress),
        cmocka_unit_test(errors_count_by_metres_of_progress_not_by_seconds),
        cmocka_unit_test(the_whole_footprint_must_be_in_the_corridor),
        cmocka_unit_test(corridors_may_be_wider_on_one_side_and_further_on),
        cmocka_unit_test(who_sticks_out_at_either_end_is_inside),
        cmocka_unit_test(who_misses_a_corner_is_outside_though_in_line_with_the_leg_before),
        cmocka_unit_test(the_finish_is_the_normal_through_the_last_waypoint),
        cmocka_unit_test(past_the_finish_outside_the_corridor_is_not_finished),
        cmocka_unit_test(a_course_that_ends_in_reverse_is_finished_backwards),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
