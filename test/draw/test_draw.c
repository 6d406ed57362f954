// Pictures of paths and followers: what is drawn is true to the geometry, and nothing is written
// outside the caller's arrays.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kerb/draw.h"
#include "test/seed.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINES = 1024, POINTS = 16, TEXTS = 4, WAYPOINTS = 64 };

// Room for everything a test draws.
typedef struct canvas {
    kerb_draw_line lines[LINES];
    kerb_draw_point points[POINTS];
    kerb_draw_text texts[TEXTS];
} canvas;

static kerb_draw_buffer buffer_over(canvas* c) {
    memset(c, 0, sizeof *c);
    return kerb_draw_buffer_make(c->lines, LINES, c->points, POINTS, c->texts, TEXTS);
}

static int count_lines(const kerb_draw_buffer* buffer, kerb_draw_role role) {
    int count = 0;
    for (int32_t i = 0; i < buffer->line_count; i++)
        count += buffer->lines[i].role == role;
    return count;
}

// The line number `n` of a role.
static kerb_draw_line line_of(const kerb_draw_buffer* buffer, kerb_draw_role role, int n) {
    for (int32_t i = 0; i < buffer->line_count; i++)
        if (buffer->lines[i].role == role && n-- == 0)
            return buffer->lines[i];
    fail_msg("no such line of role %d", (int)role);
    return buffer->lines[0];
}

static double apart(kerb_vec3 a, kerb_vec3 b) {
    return (double)kerb_vec3_length(kerb_vec3_sub(a, b));
}

static void assert_near(double value, double expected, double tolerance) {
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.9g is not %.9g", value, expected);
}

static void assert_at(kerb_vec3 point, double x, double y, double z) {
    assert_near((double)point.x, x, 1e-4);
    assert_near((double)point.y, y, 1e-4);
    assert_near((double)point.z, z, 1e-4);
}

// --------------------------------------------------------------------------- a world to draw

typedef struct world {
    kerb_path_point memory[WAYPOINTS];
    kerb_path path;
    kerb_vehicle vehicle;
    kerb_follower follower;
    kerb_motion motion;
} world;

static void build(world* w, const kerb_waypoint* waypoints, int32_t count, bool closed) {
    assert_int_equal(kerb_path_build(&w->path, w->memory, waypoints, count, closed, NULL), KERB_OK);
    w->vehicle = kerb_vehicle_default();
    w->follower = kerb_follower_make(&w->vehicle);
    w->motion = kerb_motion_default();
}

// A road with a bend, driven in `direction`.
static void build_bend(world* w, int32_t direction) {
    kerb_waypoint waypoints[4] = {kerb_waypoint_at(0, 0, 0), kerb_waypoint_at(40, 0, 1),
                                  kerb_waypoint_at(80, 25, 2), kerb_waypoint_at(90, 90, 3)};
    for (int i = 0; i < 4; i++)
        waypoints[i].direction = direction;
    build(w, waypoints, 4, false);
}

static void place(world* w, float x, float y, float heading, float forward_speed) {
    w->motion.position = kerb_vec3_make(x, y, 0.0f);
    w->motion.rotation = kerb_quat_from_heading(heading);
    w->motion.velocity = kerb_vec3_scale(kerb_quat_forward(w->motion.rotation), forward_speed);
}

static void drive(world* w, int frames) {
    for (int i = 0; i < frames; i++)
        (void)kerb_follower_drive(&w->follower, &w->path, &w->motion, NULL, 1.0f / 60.0f);
}

static void draw(kerb_draw_buffer* buffer, const world* w) {
    kerb_draw_follower(buffer, &w->follower, &w->path, &w->motion);
}

// --------------------------------------------------------------------------- limits

static void a_new_buffer_is_empty_and_clearing_empties_it_again(void** state) {
    (void)state;
    canvas c;
    kerb_draw_buffer buffer = buffer_over(&c);
    assert_int_equal(buffer.line_count + buffer.point_count + buffer.text_count, 0);
    assert_int_equal(buffer.dropped, 0);
    buffer.point_capacity = 0;
    world w;
    build_bend(&w, 1);
    drive(&w, 1);
    draw(&buffer, &w);
    assert_true(buffer.line_count > 0 && buffer.text_count > 0 && buffer.dropped > 0);
    kerb_draw_clear(&buffer);
    assert_int_equal(buffer.line_count + buffer.point_count + buffer.text_count, 0);
    assert_int_equal(buffer.dropped, 0);
    assert_ptr_equal(buffer.lines, c.lines);
    assert_int_equal(buffer.line_capacity, LINES);
}

static void draw_everything(kerb_draw_buffer* buffer, const world* w) {
    kerb_draw_path(buffer, &w->path, 0.0, w->path.length);
    draw(buffer, w);
}

// Arrays in the middle of marked memory, cut to each capacity in turn.
static void what_does_not_fit_is_counted_and_never_written(void** state) {
    (void)state;
    world w;
    build_bend(&w, 1);
    place(&w, 10.0f, 1.0f, 0.0f, 8.0f);
    drive(&w, 3);
    canvas whole, cut;
    kerb_draw_buffer all = buffer_over(&whole);
    draw_everything(&all, &w);
    int32_t items = all.line_count + all.point_count + all.text_count;
    assert_int_equal(all.dropped, 0);

    for (int32_t capacity = 0; capacity <= all.line_count; capacity++) {
        memset(&cut, 0xA5, sizeof cut);
        canvas blank = cut;
        int32_t points = capacity < all.point_count ? capacity : all.point_count;
        int32_t texts = capacity < all.text_count ? capacity : all.text_count;
        kerb_draw_buffer buffer =
            kerb_draw_buffer_make(cut.lines, capacity, cut.points, points, cut.texts, texts);
        draw_everything(&buffer, &w);
        assert_int_equal(buffer.line_count, capacity);
        assert_int_equal(buffer.point_count, points);
        assert_int_equal(buffer.text_count, texts);
        assert_int_equal(buffer.dropped, items - capacity - points - texts);
        // What fits is what would have come first; the rest is untouched.
        assert_memory_equal(cut.lines, whole.lines, (size_t)capacity * sizeof *cut.lines);
        assert_memory_equal(cut.lines + capacity, blank.lines + capacity,
                            (size_t)(LINES - capacity) * sizeof *cut.lines);
        assert_memory_equal(cut.points + points, blank.points + points,
                            (size_t)(POINTS - points) * sizeof *cut.points);
        assert_memory_equal(cut.texts + texts, blank.texts + texts,
                            (size_t)(TEXTS - texts) * sizeof *cut.texts);
    }
}

static void arrays_may_be_missing_altogether(void** state) {
    (void)state;
    world w;
    build_bend(&w, 1);
    drive(&w, 1);
    canvas c;
    kerb_draw_buffer all = buffer_over(&c), none = kerb_draw_buffer_make(NULL, 0, NULL, 0, NULL, 0);
    draw_everything(&all, &w);
    draw_everything(&none, &w);
    assert_int_equal(none.line_count + none.point_count + none.text_count, 0);
    assert_int_equal(none.dropped, all.line_count + all.point_count + all.text_count);
}

// --------------------------------------------------------------------------- footprint

// Corner k of the footprint, worked out in doubles from the rotation's matrix.
static void corner_of(const world* w, const kerb_quat* unit, int k, double corner[3]) {
    const kerb_vehicle* v = &w->vehicle;
    double front = (double)v->reference_to_front;
    double x = k == 0 || k == 3 ? front : front - (double)v->length;
    double y = (k < 2 ? 0.5 : -0.5) * (double)v->width;
    double qx = (double)unit->x, qy = (double)unit->y, qz = (double)unit->z, qw = (double)unit->w;
    const double forward[3] = {1 - 2 * (qy * qy + qz * qz), 2 * (qx * qy + qw * qz),
                               2 * (qx * qz - qw * qy)};
    const double left[3] = {2 * (qx * qy - qw * qz), 1 - 2 * (qx * qx + qz * qz),
                            2 * (qy * qz + qw * qx)};
    const float at[3] = {w->motion.position.x, w->motion.position.y, w->motion.position.z};
    for (int i = 0; i < 3; i++)
        corner[i] = (double)at[i] + x * forward[i] + y * left[i];
}

static kerb_quat random_rotation(kerb_random* random) {
    return kerb_quat_from_angles(kerb_random_between(random, -3.1f, 3.1f),
                                 kerb_random_between(random, -1.5f, 1.5f),
                                 kerb_random_between(random, -3.1f, 3.1f));
}

static void the_footprint_is_the_vehicles_rectangle_at_any_rotation(void** state) {
    (void)state;
    kerb_random random = test_random("footprint");
    static world w;
    build_bend(&w, 1);
    for (int i = 0; i < 5000; i++) {
        w.vehicle.length = kerb_random_between(&random, 1.0f, 18.0f);
        w.vehicle.width = kerb_random_between(&random, 0.5f, 1.0f) * w.vehicle.length;
        w.vehicle.reference_to_front = kerb_random_between(&random, 0.0f, 1.0f) * w.vehicle.length;
        w.follower.vehicle = w.vehicle;
        w.motion.position = kerb_vec3_make(kerb_random_between(&random, -500, 500),
                                           kerb_random_between(&random, -500, 500), 20.0f);
        kerb_quat unit = random_rotation(&random);
        // Hosts let their rotations drift; the rectangle keeps its size.
        float drift = i % 2 == 0 ? 1.0f : kerb_random_between(&random, 0.9f, 1.1f);
        w.motion.rotation =
            (kerb_quat){unit.x * drift, unit.y * drift, unit.z * drift, unit.w * drift};
        canvas c;
        kerb_draw_buffer buffer = buffer_over(&c);
        draw(&buffer, &w);
        assert_int_equal(count_lines(&buffer, KERB_DRAW_FOOTPRINT), 4);
        for (int k = 0; k < 4; k++) {
            kerb_draw_line line = line_of(&buffer, KERB_DRAW_FOOTPRINT, k);
            double from[3], to[3];
            corner_of(&w, &unit, k, from);
            corner_of(&w, &unit, (k + 1) % 4, to);
            assert_at(line.from, from[0], from[1], from[2]);
            assert_at(line.to, to[0], to[1], to[2]);
        }
    }
}

// --------------------------------------------------------------------------- steering arc

// Every vertex of the arc lies on the circle that leaves the rear axle along the travel with the
// steered curvature; the vertices advance along it; and it reaches as far as the vehicle looks.
static void check_arc(const kerb_draw_buffer* buffer, const world* w, double travel) {
    double heading = (double)kerb_quat_heading(w->motion.rotation);
    double back = (double)w->vehicle.reference_to_rear_axle;
    double x0 = (double)w->motion.position.x - back * cos(heading);
    double y0 = (double)w->motion.position.y - back * sin(heading);
    double tx = travel * cos(heading), ty = travel * sin(heading);
    double curvature = (double)w->follower.decision.commanded_curvature;
    int pieces = count_lines(buffer, KERB_DRAW_ARC);
    assert_true(pieces >= 8);
    double before = 0.0, drawn = 0.0;
    for (int i = 0; i < pieces; i++) {
        kerb_draw_line line = line_of(buffer, KERB_DRAW_ARC, i);
        if (i == 0)
            assert_at(line.from, x0, y0, (double)w->motion.position.z);
        else
            assert_at(line.from, (double)line_of(buffer, KERB_DRAW_ARC, i - 1).to.x,
                      (double)line_of(buffer, KERB_DRAW_ARC, i - 1).to.y,
                      (double)w->motion.position.z);
        double px = (double)line.to.x - x0, py = (double)line.to.y - y0;
        double along = px * tx + py * ty, across = py * tx - px * ty;
        // Distance from the circle, in a form that straight on is no exception to.
        double off = across - 0.5 * curvature * (along * along + across * across);
        assert_near(off, 0.0, 1e-4 * (1.0 + hypot(along, across)));
        assert_true(hypot(along, across) > before); // up to half a circle
        before = hypot(along, across);
        drawn += apart(line.from, line.to);
    }
    double length = (double)kerb_max(w->follower.decision.lookahead, w->vehicle.length);
    if (length * fabs(curvature) > (double)KERB_PI)
        length = (double)KERB_PI / fabs(curvature);
    assert_near(drawn, length, 0.01 * length);
}

static void the_arc_is_the_circle_of_the_steered_curvature_in_reverse_too(void** state) {
    (void)state;
    kerb_random random = test_random("arc");
    static world w;
    for (int32_t direction = -1; direction <= 1; direction += 2) {
        build_bend(&w, direction);
        for (int i = 0; i < 3000; i++) {
            float facing = direction > 0 ? 0.0f : KERB_PI;
            place(&w, kerb_random_between(&random, 2, 38), kerb_random_between(&random, -4, 4),
                  facing + kerb_random_between(&random, -0.8f, 0.8f), (float)direction * 4.0f);
            drive(&w, 1);
            // What drove here is one thing; any thought must be drawn truly.
            if (i % 3 > 0)
                w.follower.decision.commanded_curvature =
                    (float)(pow(10.0, (double)kerb_random_between(&random, -8, 0.5)) *
                            (i % 2 ? 1.0 : -1.0));
            canvas c;
            kerb_draw_buffer buffer = buffer_over(&c);
            draw(&buffer, &w);
            check_arc(&buffer, &w, (double)direction);
        }
    }
}

// --------------------------------------------------------------------------- thoughts

static void nearest_point_and_target_are_those_of_the_thoughts(void** state) {
    (void)state;
    static world w;
    build_bend(&w, 1);
    place(&w, 12.0f, 1.5f, 0.1f, 6.0f);
    drive(&w, 5);
    canvas c;
    kerb_draw_buffer buffer = buffer_over(&c);
    draw(&buffer, &w);
    assert_int_equal(buffer.point_count, 2);
    for (int32_t i = 0; i < buffer.point_count; i++) {
        kerb_vec3 thought = buffer.points[i].role == KERB_DRAW_NEAREST ? w.follower.decision.nearest
                                                                       : w.follower.decision.target;
        assert_memory_equal(&buffer.points[i].position, &thought, sizeof thought);
    }
    assert_int_not_equal(buffer.points[0].role, buffer.points[1].role);
    kerb_draw_line error = line_of(&buffer, KERB_DRAW_NEAREST, 0);
    assert_near(apart(error.from, error.to), apart(w.follower.decision.nearest, w.motion.position),
                1e-6);
    kerb_draw_line aim = line_of(&buffer, KERB_DRAW_TARGET, 0);
    assert_near(apart(aim.to, w.follower.decision.target), 0.0, 1e-6);
}

static double distance_to_path(const kerb_path* path, kerb_vec3 point) {
    return apart(kerb_path_position(path, kerb_path_nearest(path, point)), point);
}

// On a straight the line is the path, moved by the lateral offset.
static void the_line_ahead_begins_at_the_vehicle_and_follows_the_path(void** state) {
    (void)state;
    static world w;
    kerb_waypoint straight[2] = {kerb_waypoint_at(0, 0, 0), kerb_waypoint_at(300, 0, 0)};
    build(&w, straight, 2, false);
    w.follower.settings.lateral_offset = 0.75f;
    for (int i = 0; i < 900; i++) {
        place(&w, 10.0f + 0.1f * (float)i, 0.75f, 0.0f, 6.0f);
        drive(&w, 1);
    }
    canvas c;
    kerb_draw_buffer buffer = buffer_over(&c);
    draw(&buffer, &w);
    int pieces = count_lines(&buffer, KERB_DRAW_PLANNED_PATH);
    assert_true(pieces > 10);
    float vehicle = w.motion.position.x, spacing = w.follower.memory.line.spacing;
    assert_near((double)line_of(&buffer, KERB_DRAW_PLANNED_PATH, 0).from.x, (double)vehicle,
                (double)spacing + 0.2);
    for (int i = 0; i < pieces; i++) {
        kerb_draw_line line = line_of(&buffer, KERB_DRAW_PLANNED_PATH, i);
        assert_true(line.to.x > line.from.x);
        assert_near((double)line.from.y, 0.75, 1e-3);
        assert_near((double)line.to.y, 0.75, 1e-3);
    }
    assert_true(line_of(&buffer, KERB_DRAW_PLANNED_PATH, pieces - 1).to.x > vehicle + 15.0f);
}

static void methods_without_a_line_of_their_own_show_the_path_as_far_as_they_look(void** state) {
    (void)state;
    static world w;
    build_bend(&w, 1);
    w.follower.settings = kerb_follower_settings_default(KERB_FOLLOWER_PAPER);
    place(&w, 36.0f, 0.5f, 0.0f, 6.0f);
    drive(&w, 3);
    canvas c;
    kerb_draw_buffer buffer = buffer_over(&c);
    draw(&buffer, &w);
    int pieces = count_lines(&buffer, KERB_DRAW_PLANNED_PATH);
    assert_true(pieces >= 1);
    double drawn = 0.0;
    for (int i = 0; i < pieces; i++) {
        kerb_draw_line line = line_of(&buffer, KERB_DRAW_PLANNED_PATH, i);
        assert_near(distance_to_path(&w.path, line.to), 0.0, 1e-4);
        drawn += apart(line.from, line.to);
    }
    assert_near(drawn, (double)w.follower.decision.lookahead, 1e-3);
    assert_near(
        apart(line_of(&buffer, KERB_DRAW_PLANNED_PATH, 0).from, w.follower.decision.nearest), 0.0,
        1e-3);
}

static void before_its_first_frame_a_follower_has_only_footprint_and_words(void** state) {
    (void)state;
    static world w;
    build_bend(&w, 1);
    canvas c;
    kerb_draw_buffer buffer = buffer_over(&c);
    draw(&buffer, &w);
    assert_int_equal(buffer.line_count, 4);
    assert_int_equal(buffer.point_count, 0);
    assert_int_equal(buffer.text_count, 1);
    assert_string_equal(buffer.texts[0].text, "0.0/0.0 m/s: not driven yet");
}

// --------------------------------------------------------------------------- others, and stuck

static void the_neighbour_that_decides_has_its_outline_and_a_line_to_it(void** state) {
    (void)state;
    static world w;
    build_bend(&w, 1);
    place(&w, 1.0f, 2.0f, 0.0f, 1.0f);
    static canvas c;
    kerb_draw_buffer buffer = buffer_over(&c);
    draw(&buffer, &w);
    assert_int_equal(count_lines(&buffer, KERB_DRAW_NEIGHBOUR), 0);
    w.follower.memory.path_id = w.path.id;
    w.follower.decision.neighbour =
        (kerb_neighbour){.position = {10, 5, 0}, .forward = {0, 1}, .length = 4.0f, .width = 2.0f};
    kerb_draw_clear(&buffer);
    draw(&buffer, &w);
    assert_int_equal(count_lines(&buffer, KERB_DRAW_NEIGHBOUR), 5);
    // It faces along y: 2 m wide along x, 4 m long.
    assert_at(line_of(&buffer, KERB_DRAW_NEIGHBOUR, 0).from, 9.0, 7.0, 0.0);
    assert_at(line_of(&buffer, KERB_DRAW_NEIGHBOUR, 1).from, 9.0, 3.0, 0.0);
    assert_at(line_of(&buffer, KERB_DRAW_NEIGHBOUR, 2).from, 11.0, 3.0, 0.0);
    assert_at(line_of(&buffer, KERB_DRAW_NEIGHBOUR, 4).from, 1.0, 2.0, 0.0);
    assert_at(line_of(&buffer, KERB_DRAW_NEIGHBOUR, 4).to, 10.0, 5.0, 0.0);
}

// Presses on where it does not move, until it is so stuck.
static void get_stuck(world* w, kerb_reason reason) {
    place(w, 5.0f, 0.0f, 0.0f, 1.0f);
    w->motion.velocity = kerb_vec3_make(0.0f, 0.0f, 0.0f);
    for (int i = 0; i < 60 * 200 && w->follower.decision.reason != reason; i++)
        kerb_follower_drive(&w->follower, &w->path, &w->motion, NULL, 1.0f / 60.0f);
    assert_int_equal(w->follower.decision.reason, reason);
}

static void backing_out_shows_where_to_and_which_way_the_nose_turns(void** state) {
    (void)state;
    static world w;
    build_bend(&w, 1);
    static canvas c;
    get_stuck(&w, KERB_REASON_BACKING_OUT);
    kerb_draw_buffer buffer = buffer_over(&c);
    draw(&buffer, &w);
    bool left = w.follower.memory.stuck.side > 0.0f;
    assert_string_equal(c.texts[0].text, left ? "0.0/0.0 m/s: stuck: backing out nose left"
                                              : "0.0/0.0 m/s: stuck: backing out nose right");
    // Arc and target lie behind; reversing, the tail swings to where the nose does not turn.
    assert_true(line_of(&buffer, KERB_DRAW_TARGET, 0).to.x < w.motion.position.x - 3.0f);
    int last = count_lines(&buffer, KERB_DRAW_ARC) - 1;
    kerb_vec3 end = line_of(&buffer, KERB_DRAW_ARC, last).to;
    assert_true(end.x < w.motion.position.x - w.follower.vehicle.reference_to_rear_axle - 1.0f);
    assert_true(left ? end.y < -0.1f : end.y > 0.1f);
}

static void asking_and_having_given_up_are_said(void** state) {
    (void)state;
    static world w;
    build_bend(&w, 1);
    static canvas c;
    get_stuck(&w, KERB_REASON_TELEPORT);
    kerb_draw_buffer buffer = buffer_over(&c);
    draw(&buffer, &w);
    assert_string_equal(c.texts[0].text, "0.0/0.0 m/s: stuck: requests a teleport");
    get_stuck(&w, KERB_REASON_GIVEN_UP);
    kerb_draw_clear(&buffer);
    draw(&buffer, &w);
    assert_string_equal(c.texts[0].text, "0.0/0.0 m/s: stuck: given up");
}

static void the_line_ahead_lies_where_it_goes_round_others(void** state) {
    (void)state;
    static world w;
    build_bend(&w, 1);
    place(&w, 0.0f, 0.0f, 0.0f, 1.0f);
    kerb_follower_drive(&w.follower, &w.path, &w.motion, NULL, 1.0f / 60.0f);
    static canvas c;
    kerb_draw_buffer buffer = buffer_over(&c);
    draw(&buffer, &w);
    double before = (double)line_of(&buffer, KERB_DRAW_PLANNED_PATH, 0).from.y;
    w.follower.memory.aside = 1.5f;
    kerb_draw_clear(&buffer);
    draw(&buffer, &w);
    assert_near((double)line_of(&buffer, KERB_DRAW_PLANNED_PATH, 0).from.y, before + 1.5, 1e-3);
}

// --------------------------------------------------------------------------- words

static const char* words(world* w, float speed, float target, kerb_reason reason) {
    static canvas c;
    place(w, 1.0f, 2.0f, 0.0f, 1.0f);
    w->motion.velocity = kerb_vec3_make(speed, 0.0f, 0.0f);
    w->follower.decision.target_speed = target;
    w->follower.decision.reason = reason;
    kerb_draw_buffer buffer = buffer_over(&c);
    draw(&buffer, w);
    assert_int_equal(buffer.text_count, 1);
    assert_int_equal(c.texts[0].role, KERB_DRAW_SPEED);
    assert_at(c.texts[0].position, 1.0, 2.0, 2.0);
    return c.texts[0].text;
}

static void the_text_says_speed_target_speed_and_reason(void** state) {
    (void)state;
    static world w;
    build_bend(&w, 1);
    assert_string_equal(words(&w, 12.34f, 13.86f, KERB_REASON_CURVE), "12.3/13.9 m/s: bend ahead");
    assert_string_equal(words(&w, 0.0f, 0.0f, KERB_REASON_ARRIVED), "0.0/0.0 m/s: arrived");
    assert_string_equal(words(&w, -3.5f, 4.0f, KERB_REASON_REVERSAL),
                        "-3.5/4.0 m/s: switching forward/reverse");
    assert_string_equal(words(&w, -0.04f, 0.05f, KERB_REASON_WAIT),
                        "0.0/0.1 m/s: waiting at a stop");
    assert_string_equal(words(&w, 99.96f, 10.0f, KERB_REASON_CRUISE), "100.0/10.0 m/s: cruising");
    // The longest there is.
    assert_string_equal(words(&w, -100.04f, 120.0f, KERB_REASON_SPEED_CAP),
                        "-100.0/120.0 m/s: at the speed cap of the host");
    // And what is longer than any is cut, with its end.
    assert_int_equal(strlen(words(&w, -3.0e8f, 1.0e9f, KERB_REASON_SPEED_CAP)), 47);
}

// Numbers are those of printf, whatever they are.
static void speeds_are_rounded_as_decimals_are(void** state) {
    (void)state;
    kerb_random random = test_random("words");
    static world w;
    build_bend(&w, 1);
    for (int i = 0; i < 5000; i++) {
        float speed = kerb_random_between(&random, -400.0f, 400.0f);
        const char* text = words(&w, speed, 1.0f, KERB_REASON_CRUISE);
        char* end;
        double read = strtod(text, &end);
        assert_int_equal(*end, '/');
        assert_int_equal(end[-2], '.');
        assert_near(read, (double)speed, 0.0501);
    }
}

// --------------------------------------------------------------------------- paths

static void a_straight_path_has_its_corridor_beside_it(void** state) {
    (void)state;
    static world w;
    kerb_waypoint waypoints[2] = {kerb_waypoint_at(0, 0, 5), kerb_waypoint_at(100, 0, 5)};
    waypoints[0].left = 1.0f, waypoints[0].right = 2.0f;
    waypoints[1].left = 3.0f, waypoints[1].right = 4.0f;
    build(&w, waypoints, 2, false);
    canvas c;
    kerb_draw_buffer buffer = buffer_over(&c);
    kerb_draw_path(&buffer, &w.path, 25.0, 75.0);
    assert_int_equal(buffer.line_count, 3);
    kerb_draw_line middle = line_of(&buffer, KERB_DRAW_PATH, 0);
    assert_at(middle.from, 25.0, 0.0, 5.0);
    assert_at(middle.to, 75.0, 0.0, 5.0);
    kerb_draw_line left = line_of(&buffer, KERB_DRAW_CORRIDOR, 0);
    assert_at(left.from, 25.0, 1.5, 5.0);
    assert_at(left.to, 75.0, 2.5, 5.0);
    kerb_draw_line right = line_of(&buffer, KERB_DRAW_CORRIDOR, 1);
    assert_at(right.from, 25.0, -2.5, 5.0);
    assert_at(right.to, 75.0, -3.5, 5.0);
}

static void a_banked_corridor_rises_to_its_left(void** state) {
    (void)state;
    static world w;
    kerb_waypoint waypoints[2] = {kerb_waypoint_at(0, 0, 0), kerb_waypoint_at(0, 50, 0)};
    waypoints[0].bank = waypoints[1].bank = 0.3f;
    build(&w, waypoints, 2, false);
    canvas c;
    kerb_draw_buffer buffer = buffer_over(&c);
    kerb_draw_path(&buffer, &w.path, 0.0, 50.0);
    assert_at(line_of(&buffer, KERB_DRAW_CORRIDOR, 0).to, -2.0, 50.0, 2.0 * tan(0.3));
    assert_at(line_of(&buffer, KERB_DRAW_CORRIDOR, 1).to, 2.0, 50.0, -2.0 * tan(0.3));
}

// A square round: the corridor's edges are squares 2 m inside and outside, without gaps.
static void a_closed_corridor_closes_with_mitred_corners(void** state) {
    (void)state;
    static world w;
    kerb_waypoint waypoints[4] = {kerb_waypoint_at(0, 0, 0), kerb_waypoint_at(40, 0, 0),
                                  kerb_waypoint_at(40, 40, 0), kerb_waypoint_at(0, 40, 0)};
    build(&w, waypoints, 4, true);
    canvas c;
    kerb_draw_buffer buffer = buffer_over(&c);
    kerb_draw_path(&buffer, &w.path, 0.0, 160.0);
    assert_int_equal(count_lines(&buffer, KERB_DRAW_PATH), 4);
    assert_int_equal(count_lines(&buffer, KERB_DRAW_CORRIDOR), 8);
    double inside = 0.0, outside = 0.0;
    for (int i = 0; i < 8; i++) {
        kerb_draw_line line = line_of(&buffer, KERB_DRAW_CORRIDOR, i);
        kerb_draw_line next = line_of(&buffer, KERB_DRAW_CORRIDOR, (i + 2) % 8);
        assert_near(apart(line.to, next.from), 0.0, 1e-4);
        *(i % 2 == 0 ? &inside : &outside) += apart(line.from, line.to);
    }
    assert_near(inside, 4.0 * 36.0, 1e-3);
    assert_near(outside, 4.0 * 44.0, 1e-3);
}

// A path drawn from anywhere to anywhere, however far, keeps to its length.
static void drawn_stretches_have_the_length_asked_for(void** state) {
    (void)state;
    kerb_random random = test_random("stretches");
    static world w;
    kerb_waypoint waypoints[5] = {kerb_waypoint_at(0, 0, 0), kerb_waypoint_at(30, 0, 4),
                                  kerb_waypoint_at(35, 50, 0), kerb_waypoint_at(-10, 60, -3),
                                  kerb_waypoint_at(-30, 10, 0)};
    for (int i = 0; i < 4000; i++) {
        bool closed = i % 2 == 1;
        build(&w, waypoints, 5, closed);
        double from = (double)kerb_random_between(&random, -500, 500);
        double to = from + (double)kerb_random_between(&random, -50, 500);
        double low = from, high = to, length = w.path.length;
        if (!closed) {
            low = low < 0.0 ? 0.0 : low;
            high = high > length ? length : high;
        }
        double expected = high - low < 0.0 ? 0.0 : high - low;
        if (closed && expected > length)
            expected = length;
        canvas c;
        kerb_draw_buffer buffer = buffer_over(&c);
        kerb_draw_path(&buffer, &w.path, from, to);
        double drawn = 0.0;
        for (int n = 0; n < count_lines(&buffer, KERB_DRAW_PATH); n++) {
            kerb_draw_line line = line_of(&buffer, KERB_DRAW_PATH, n);
            assert_near(distance_to_path(&w.path, line.from), 0.0, 1e-3);
            drawn += apart(line.from, line.to);
        }
        assert_near(drawn, expected, 2e-3);
        assert_int_equal(count_lines(&buffer, KERB_DRAW_CORRIDOR),
                         2 * count_lines(&buffer, KERB_DRAW_PATH));
    }
}

static void stretches_of_no_length_and_of_no_number_draw_nothing_or_all(void** state) {
    (void)state;
    static world w;
    build_bend(&w, 1);
    canvas c;
    kerb_draw_buffer buffer = buffer_over(&c);
    kerb_draw_path(&buffer, &w.path, 50.0, 50.0);
    kerb_draw_path(&buffer, &w.path, 50.0, 20.0);
    kerb_draw_path(&buffer, &w.path, 500.0, 900.0);
    assert_int_equal(buffer.line_count, 0);
    kerb_draw_path(&buffer, &w.path, -HUGE_VAL, HUGE_VAL);
    assert_int_equal(count_lines(&buffer, KERB_DRAW_PATH), 3);
    kerb_draw_clear(&buffer);
    kerb_draw_path(&buffer, &w.path, (double)NAN, (double)NAN); // whatever it is, it ends
    for (int32_t i = 0; i < buffer.line_count; i++)
        assert_true(kerb_vec3_is_finite(buffer.lines[i].from));
}

// --------------------------------------------------------------------------- bad input

static void assert_all_finite(const kerb_draw_buffer* buffer) {
    for (int32_t i = 0; i < buffer->line_count; i++)
        assert_true(kerb_vec3_is_finite(buffer->lines[i].from) &&
                    kerb_vec3_is_finite(buffer->lines[i].to));
    for (int32_t i = 0; i < buffer->point_count; i++)
        assert_true(kerb_vec3_is_finite(buffer->points[i].position));
    for (int32_t i = 0; i < buffer->text_count; i++) {
        assert_true(kerb_vec3_is_finite(buffer->texts[i].position));
        assert_non_null(memchr(buffer->texts[i].text, 0, sizeof buffer->texts[i].text));
    }
}

// A bad number in any word of the motion or of what the follower remembers of the world.
static void no_item_is_ever_at_nan_or_infinity(void** state) {
    (void)state;
    static world w, bad;
    build_bend(&w, 1);
    place(&w, 20.0f, 1.0f, 0.1f, 8.0f);
    drive(&w, 5);
    const float evil[] = {NAN, INFINITY, -INFINITY, 3.0e38f, -3.0e38f, 0.0f};
    float* const places[] = {
        &bad.motion.position.x,
        &bad.motion.position.z,
        &bad.motion.rotation.w,
        &bad.motion.velocity.x,
        &bad.motion.angular_velocity.z,
        &bad.follower.decision.nearest.x,
        &bad.follower.decision.target.y,
        &bad.follower.decision.lookahead,
        &bad.follower.decision.target_speed,
        &bad.follower.decision.commanded_curvature,
        &bad.follower.memory.lateral_offset,
        &bad.follower.memory.line.spacing,
        &bad.follower.memory.line.position[0].x,
        &bad.follower.vehicle.length,
        &bad.follower.vehicle.reference_to_rear_axle,
    };
    canvas c;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        for (size_t j = 0; j < sizeof evil / sizeof *evil; j++) {
            bad = w;
            bad.path.points = w.path.points;
            *places[i] = evil[j];
            kerb_draw_buffer buffer = buffer_over(&c);
            draw(&buffer, &bad);
            assert_all_finite(&buffer);
        }
    bad = w;
    bad.follower.memory.line_distance = (double)NAN;
    bad.follower.decision.distance = (double)NAN;
    bad.follower.settings.method = KERB_FOLLOWER_PAPER;
    kerb_draw_buffer buffer = buffer_over(&c);
    draw(&buffer, &bad);
    assert_all_finite(&buffer);
}

static void the_same_follower_gives_the_same_picture(void** state) {
    (void)state;
    static world w;
    build_bend(&w, 1);
    place(&w, 30.0f, -1.0f, 0.2f, 9.0f);
    drive(&w, 10);
    static canvas a, b;
    kerb_follower before = w.follower;
    kerb_draw_buffer first = buffer_over(&a), second = buffer_over(&b);
    draw_everything(&first, &w);
    draw_everything(&second, &w);
    assert_memory_equal(&a, &b, sizeof a);
    assert_int_equal(first.line_count, second.line_count);
    assert_memory_equal(&before, &w.follower, sizeof before); // looking changes nothing
}

// --------------------------------------------------------------------------- colours

// Relative luminance as WCAG 2 defines it.
static double luminance(uint32_t color) {
    const double weight[3] = {0.0722, 0.7152, 0.2126};
    double sum = 0.0;
    for (int i = 0; i < 3; i++) {
        double part = (double)((color >> (8 * i)) & 0xFF) / 255.0;
        sum += weight[i] * (part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4));
    }
    return sum;
}

static void colours_differ_and_read_on_white_and_on_black(void** state) {
    (void)state;
    for (int i = 0; i < KERB_DRAW_ROLE_COUNT; i++) {
        uint32_t color = kerb_draw_color((kerb_draw_role)i);
        assert_true(color <= 0xFFFFFF);
        assert_true((luminance(color) + 0.05) / 0.05 >= 3.0);
        assert_true(1.05 / (luminance(color) + 0.05) >= 3.0);
        for (int j = 0; j < i; j++)
            assert_int_not_equal(color, kerb_draw_color((kerb_draw_role)j));
    }
}

// --------------------------------------------------------------------------- steering

static void a_wish_is_drawn_with_both_circles_and_its_map(void** state) {
    (void)state;
    canvas c;
    kerb_draw_buffer buffer = buffer_over(&c);
    kerb_agent agent = {{10, 20, 0}, {0, 1, 0}, 5, 1, 4, 10, 3, 6};
    kerb_steering wish = {{1, 0, 0}, 7};
    kerb_context map = kerb_context_make(true);
    kerb_context_add_steering(&map, &wish, 1.0f);
    kerb_context_add_danger(&map, kerb_vec3_make(0, -1, 0), 0.5f);
    kerb_draw_steering(&buffer, &agent, &wish, &map);
    kerb_draw_line line = line_of(&buffer, KERB_DRAW_TARGET, 0);
    assert_at(line.from, 10, 20, 0);
    assert_at(line.to, 17, 20, 0);
    assert_int_equal(count_lines(&buffer, KERB_DRAW_ARC), 64);
    for (int i = 0; i < 64; i++) {
        kerb_vec3 to = line_of(&buffer, KERB_DRAW_ARC, i).to;
        double left = apart(to, kerb_vec3_make(6, 20, 0));
        double right = apart(to, kerb_vec3_make(14, 20, 0));
        assert_near(fmin(fabs(left - 4.0), fabs(right - 4.0)), 0.0, 1e-4);
    }
    // 15 of 16: straight against the wish there is no interest; 7 lie within 90 degrees of danger.
    assert_int_equal(count_lines(&buffer, KERB_DRAW_PLANNED_PATH), 15);
    assert_int_equal(count_lines(&buffer, KERB_DRAW_CORRIDOR), 7);
    assert_at(line_of(&buffer, KERB_DRAW_PLANNED_PATH, 0).to, 16, 20, 0);
    assert_int_equal(buffer.dropped, 0);
    kerb_draw_clear(&buffer);
    kerb_draw_steering(&buffer, &agent, &(kerb_steering){{0, 0, 0}, 0}, NULL);
    assert_int_equal(count_lines(&buffer, KERB_DRAW_TARGET), 0);
    agent.position.x = (float)NAN;
    kerb_draw_clear(&buffer);
    kerb_draw_steering(&buffer, &agent, &wish, &map);
    assert_int_equal(buffer.line_count, 0);
}

int draw_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_wish_is_drawn_with_both_circles_and_its_map),
        cmocka_unit_test(a_new_buffer_is_empty_and_clearing_empties_it_again),
        cmocka_unit_test(what_does_not_fit_is_counted_and_never_written),
        cmocka_unit_test(arrays_may_be_missing_altogether),
        cmocka_unit_test(the_footprint_is_the_vehicles_rectangle_at_any_rotation),
        cmocka_unit_test(the_arc_is_the_circle_of_the_steered_curvature_in_reverse_too),
        cmocka_unit_test(nearest_point_and_target_are_those_of_the_thoughts),
        cmocka_unit_test(the_line_ahead_begins_at_the_vehicle_and_follows_the_path),
        cmocka_unit_test(methods_without_a_line_of_their_own_show_the_path_as_far_as_they_look),
        cmocka_unit_test(before_its_first_frame_a_follower_has_only_footprint_and_words),
        cmocka_unit_test(the_neighbour_that_decides_has_its_outline_and_a_line_to_it),
        cmocka_unit_test(backing_out_shows_where_to_and_which_way_the_nose_turns),
        cmocka_unit_test(asking_and_having_given_up_are_said),
        cmocka_unit_test(the_line_ahead_lies_where_it_goes_round_others),
        cmocka_unit_test(the_text_says_speed_target_speed_and_reason),
        cmocka_unit_test(speeds_are_rounded_as_decimals_are),
        cmocka_unit_test(a_straight_path_has_its_corridor_beside_it),
        cmocka_unit_test(a_banked_corridor_rises_to_its_left),
        cmocka_unit_test(a_closed_corridor_closes_with_mitred_corners),
        cmocka_unit_test(drawn_stretches_have_the_length_asked_for),
        cmocka_unit_test(stretches_of_no_length_and_of_no_number_draw_nothing_or_all),
        cmocka_unit_test(no_item_is_ever_at_nan_or_infinity),
        cmocka_unit_test(the_same_follower_gives_the_same_picture),
        cmocka_unit_test(colours_differ_and_read_on_white_and_on_black),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
