// The picture of a racer: the way that it means to drive lies where it drives, its colours say what
// it will do with its speed, and nothing is written outside the caller's arrays.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kerb/draw.h"
#include "kerb/racer.h"
#include "test/line_rig.h"
#include "test/seed.h"

enum { LINES = 512, POINTS = 8, TEXTS = 2 };

typedef struct canvas {
    kerb_draw_line lines[LINES];
    kerb_draw_point points[POINTS];
    kerb_draw_text texts[TEXTS];
} canvas;

static line_rig rig;
static kerb_racing_line line;
static kerb_vehicle vehicle;
static canvas on;

static kerb_draw_buffer empty(void) {
    memset(&on, 0, sizeof on);
    return kerb_draw_buffer_make(on.lines, LINES, on.points, POINTS, on.texts, TEXTS);
}

// A straight of 400 m, half a turn of 50 m radius to the left, and a straight back.
static int lay_line(void** state) {
    (void)state;
    rig_u_turn(&rig, 400.0, 50.0, 6.0);
    vehicle = kerb_vehicle_default();
    kerb_performance performance = kerb_performance_of(&vehicle);
    kerb_line_settings settings = kerb_line_settings_vamos();
    settings.spring_steps = 1;
    settings.stiffness = 0.0f; // along the centre
    settings.node_spacing = 2.0f;
    line = rig_solve(&rig, &performance, &settings);
    return 0;
}

static int take_line(void** state) {
    (void)state;
    kerb_racing_line_destroy(&line);
    rig_end(&rig);
    return 0;
}

// Beside the line at a distance along it, heading along it.
static kerb_motion motion_at(double distance, float aside, float speed) {
    kerb_line_point p = kerb_racing_line_at(&line, distance);
    kerb_motion motion = kerb_motion_default();
    motion.rotation = kerb_quat_from_heading(p.heading);
    kerb_vec3 left = kerb_quat_left(motion.rotation);
    motion.position =
        kerb_vec3_along(kerb_vec3_make((float)p.x, (float)p.y, (float)p.z), left, aside);
    motion.velocity = kerb_vec3_scale(kerb_quat_forward(motion.rotation), speed);
    return motion;
}

static kerb_racer driven(const kerb_motion* motion, float lane) {
    kerb_racer racer = kerb_racer_make(&vehicle);
    racer.settings.lane_shift = lane;
    for (int i = 0; i < 600; i++) // the lane is reached in seconds, the place stays
        (void)kerb_racer_drive(&racer, &line, motion, NULL, 1.0f / 60.0f);
    return racer;
}

static int count_of(const kerb_draw_buffer* buffer, kerb_draw_role role) {
    int count = 0;
    for (int32_t i = 0; i < buffer->line_count; i++)
        count += buffer->lines[i].role == role;
    return count;
}

static bool is_way(const kerb_draw_line* l) {
    return l->role == KERB_DRAW_PLANNED_PATH || l->role == KERB_DRAW_BRAKING ||
           l->role == KERB_DRAW_ACCELERATING;
}

// Pieces of the way ahead, in order.
static int way_of(const kerb_draw_buffer* buffer, kerb_draw_line* way) {
    int count = 0;
    for (int32_t i = 0; i < buffer->line_count; i++)
        if (is_way(&buffer->lines[i]))
            way[count++] = buffer->lines[i];
    return count;
}

static double apart(kerb_vec3 a, kerb_vec3 b) {
    return (double)kerb_vec3_length(kerb_vec3_sub(a, b));
}

// --------------------------------------------------------------------------- the way ahead

static void the_way_ahead_begins_at_the_car_and_lies_beside_the_line_as_the_lane_says(
    void** state) {
    (void)state;
    for (int k = -1; k <= 1; k++) {
        float lane = 0.5f * (float)k;
        kerb_motion motion = motion_at(200.0, 0.0f, 20.0f);
        kerb_racer racer = driven(&motion, lane);
        kerb_draw_buffer buffer = empty();
        kerb_draw_racer(&buffer, &racer, &line, &motion);
        kerb_draw_line way[LINES];
        int count = way_of(&buffer, way);
        assert_true(count > 50);
        // The room to the edge is 6 m, less half the car and the margin that it keeps.
        float room = 6.0f - 0.5f * vehicle.width - racer.settings.margin;
        for (int i = 0; i < count; i++) {
            if (i > 0)
                assert_near(apart(way[i].from, way[i - 1].to), 0.0, 1e-5);
            // On the first straight, along x at y = -50; in the bend about the origin.
            double x = (double)way[i].to.x, y = (double)way[i].to.y;
            if (x < -1.0 && y < 0.0)
                assert_near(y, -50.0 + (double)(lane * room), 0.05);
            else if (x > 1.0)
                assert_near(hypot(x, y), 50.0 - (double)(lane * room), 0.2);
        }
        assert_near((double)way[0].from.x, (double)motion.position.x,
                    (double)racer.memory.ahead.spacing + 0.1);
    }
}

// Each of `roles` in turn, one or more pieces of it, and nothing else before the last of them, but
// for the piece in which it goes from gaining to braking.
static void expect_order(const kerb_draw_line* way, int count, const kerb_draw_role* roles,
                         int wanted) {
    int at = 0;
    for (int i = 0; i < wanted; i++) {
        int begun = at;
        if (i > 0 && at + 1 < count && way[at + 1].role == roles[i])
            at++;
        while (at < count && way[at].role == roles[i])
            at++;
        if (at == begun)
            fail_msg("piece %d of %d has role %d instead of %d", at, count,
                     at < count ? (int)way[at].role : -1, (int)roles[i]);
    }
}

static void colours_say_where_it_will_drive_brake_and_keep_its_speed(void** state) {
    (void)state;
    // From a slow start: it gains, brakes for the bend, and keeps its speed where that is even.
    static const kerb_draw_role order[] = {KERB_DRAW_ACCELERATING, KERB_DRAW_BRAKING};
    kerb_motion motion = motion_at(300.0, 0.0f, 10.0f);
    kerb_racer racer = driven(&motion, 0.0f);
    kerb_draw_buffer buffer = empty();
    kerb_draw_racer(&buffer, &racer, &line, &motion);
    kerb_draw_line way[LINES];
    int count = way_of(&buffer, way), even = 0;
    expect_order(way, count, order, 2);
    for (int i = 0; i < count; i++) {
        if (way[i].from.x < 25.0f || way[i].to.x < 25.0f)
            continue;
        assert_int_equal(way[i].role, KERB_DRAW_PLANNED_PATH);
        even++;
    }
    assert_true(even > 5);
    // The faster it is now, the earlier it will brake.
    int slow = count_of(&buffer, KERB_DRAW_ACCELERATING);
    motion = motion_at(300.0, 0.0f, 30.0f);
    racer = driven(&motion, 0.0f);
    buffer = empty();
    kerb_draw_racer(&buffer, &racer, &line, &motion);
    way_of(&buffer, way);
    int fast = 0;
    while (way[fast].role == KERB_DRAW_ACCELERATING)
        fast++;
    assert_true(fast > 0 && fast < slow);
    motion = motion_at(395.0, 0.0f, 60.0f);
    racer = driven(&motion, 0.0f);
    buffer = empty();
    kerb_draw_racer(&buffer, &racer, &line, &motion);
    way_of(&buffer, way);
    assert_int_equal(way[0].role, KERB_DRAW_BRAKING);
}

static void out_of_the_bend_it_gains_speed(void** state) {
    (void)state;
    double bend_end = 400.0 + 3.14159265 * 50.0;
    kerb_motion motion = motion_at(bend_end + 5.0, 0.0f, 15.0f);
    kerb_racer racer = driven(&motion, 0.0f);
    kerb_draw_buffer buffer = empty();
    kerb_draw_racer(&buffer, &racer, &line, &motion);
    assert_int_equal(count_of(&buffer, KERB_DRAW_BRAKING), 0);
    assert_true(count_of(&buffer, KERB_DRAW_ACCELERATING) > 20);
}

// --------------------------------------------------------------------------- thoughts

static void before_its_first_frame_and_on_another_line_there_is_only_the_car(void** state) {
    (void)state;
    kerb_motion motion = motion_at(100.0, 0.0f, 12.34f);
    kerb_racer fresh = kerb_racer_make(&vehicle), elsewhere = driven(&motion, 0.0f);
    elsewhere.memory.line_key[1] += 1.0;
    const kerb_racer* racers[] = {&fresh, &elsewhere};
    for (int i = 0; i < 2; i++) {
        kerb_draw_buffer buffer = empty();
        kerb_draw_racer(&buffer, racers[i], &line, &motion);
        assert_int_equal(buffer.line_count, 4);
        assert_int_equal(count_of(&buffer, KERB_DRAW_FOOTPRINT), 4);
        assert_int_equal(buffer.point_count, 0);
        assert_int_equal(buffer.text_count, 1);
    }
    assert_string_equal(on.texts[0].text + 4, strchr(on.texts[0].text, '/'));
    kerb_draw_buffer buffer = empty();
    kerb_draw_racer(&buffer, &fresh, &line, &motion);
    assert_string_equal(on.texts[0].text, "12.3/0.0 m/s: not driven yet");
}

static void place_error_and_target_are_those_of_the_thoughts(void** state) {
    (void)state;
    kerb_motion motion = motion_at(150.0, 1.5f, 25.0f);
    kerb_racer racer = driven(&motion, 0.0f);
    kerb_draw_buffer buffer = empty();
    kerb_draw_racer(&buffer, &racer, &line, &motion);
    assert_int_equal(buffer.point_count, 2);
    for (int32_t i = 0; i < buffer.line_count; i++) {
        const kerb_draw_line* l = &buffer.lines[i];
        if (l->role == KERB_DRAW_NEAREST) // square to the line, as long as the error
            assert_near(apart(l->from, l->to), 1.5, 0.02);
        if (l->role == KERB_DRAW_TARGET)
            assert_near(apart(l->to, racer.decision.target), 0.0, 1e-6);
    }
    assert_int_equal(count_of(&buffer, KERB_DRAW_ARC), 16);
}

static void the_neighbour_that_decides_has_its_outline_and_a_line_to_it(void** state) {
    (void)state;
    kerb_motion motion = motion_at(100.0, 0.0f, 20.0f);
    kerb_racer racer = driven(&motion, 0.0f);
    kerb_draw_buffer buffer = empty();
    kerb_draw_racer(&buffer, &racer, &line, &motion);
    assert_int_equal(count_of(&buffer, KERB_DRAW_NEIGHBOUR), 0);
    racer.decision.neighbour =
        (kerb_neighbour){.position = {10, 5, 0}, .forward = {0, 1}, .length = 4.0f, .width = 2.0f};
    buffer = empty();
    kerb_draw_racer(&buffer, &racer, &line, &motion);
    assert_int_equal(count_of(&buffer, KERB_DRAW_NEIGHBOUR), 5);
}

static void the_text_says_speed_target_speed_reason_and_lane(void** state) {
    (void)state;
    kerb_motion motion = motion_at(200.0, 0.0f, 33.26f);
    kerb_racer racer = driven(&motion, 0.0f);
    racer.decision.target_speed = 41.04f;
    racer.decision.reason = KERB_REASON_CURVE;
    kerb_draw_buffer buffer = empty();
    racer.decision.lane_shift = 0.09f;
    kerb_draw_racer(&buffer, &racer, &line, &motion);
    assert_string_equal(on.texts[0].text, "33.3/41.0 m/s: bend ahead");
    buffer = empty();
    racer.decision.lane_shift = -0.42f;
    kerb_draw_racer(&buffer, &racer, &line, &motion);
    assert_string_equal(on.texts[0].text, "33.3/41.0 m/s: bend ahead, lane -0.4");
}

// --------------------------------------------------------------------------- limits

static void what_does_not_fit_is_counted(void** state) {
    (void)state;
    kerb_motion motion = motion_at(200.0, 1.0f, 30.0f);
    kerb_racer racer = driven(&motion, 0.3f);
    kerb_draw_buffer all = empty();
    kerb_draw_racer(&all, &racer, &line, &motion);
    assert_int_equal(all.dropped, 0);
    assert_true(all.line_count <= 154);
    int32_t items = all.line_count + all.point_count + all.text_count;
    for (int32_t room = 0; room <= all.line_count; room += 7) {
        memset(&on, 0xA5, sizeof on);
        kerb_draw_buffer cut = kerb_draw_buffer_make(on.lines, room, NULL, 0, NULL, 0);
        kerb_draw_racer(&cut, &racer, &line, &motion);
        assert_int_equal(cut.line_count, room);
        assert_int_equal(cut.dropped, items - room);
        const unsigned char* after = (const unsigned char*)&on.lines[room];
        assert_int_equal(after[0], 0xA5);
    }
}

static void no_item_is_ever_at_nan_or_infinity(void** state) {
    (void)state;
    kerb_random random = test_random("draw racer");
    for (int i = 0; i < 300; i++) {
        float reach = kerb_random_bits(&random) % 3 == 0 ? 1.0e8f : 500.0f;
        kerb_motion motion = kerb_motion_default();
        motion.position = kerb_vec3_make(kerb_random_between(&random, -reach, reach),
                                         kerb_random_between(&random, -reach, reach), 0.0f);
        motion.rotation = kerb_quat_from_angles(kerb_random_between(&random, -3.0f, 3.0f), 0.3f,
                                                kerb_random_between(&random, -3.0f, 3.0f));
        motion.velocity.x = kerb_random_between(&random, -300.0f, 300.0f);
        kerb_racer racer = kerb_racer_make(&vehicle);
        racer.settings.lane_shift = kerb_random_between(&random, -1.0f, 1.0f);
        (void)kerb_racer_drive(&racer, &line, &motion, NULL, 0.02f);
        if (i % 4 == 0)
            motion.position.x = i % 8 == 0 ? NAN : INFINITY;
        kerb_draw_buffer buffer = empty();
        kerb_draw_racer(&buffer, &racer, &line, &motion);
        if (i % 4 == 0)
            assert_int_equal(buffer.line_count + buffer.point_count + buffer.text_count, 0);
        for (int32_t k = 0; k < buffer.line_count; k++)
            assert_true(kerb_vec3_is_finite(on.lines[k].from) &&
                        kerb_vec3_is_finite(on.lines[k].to));
    }
}

int draw_racer_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_way_ahead_begins_at_the_car_and_lies_beside_the_line_as_the_lane_says),
        cmocka_unit_test(colours_say_where_it_will_drive_brake_and_keep_its_speed),
        cmocka_unit_test(out_of_the_bend_it_gains_speed),
        cmocka_unit_test(before_its_first_frame_and_on_another_line_there_is_only_the_car),
        cmocka_unit_test(place_error_and_target_are_those_of_the_thoughts),
        cmocka_unit_test(the_neighbour_that_decides_has_its_outline_and_a_line_to_it),
        cmocka_unit_test(the_text_says_speed_target_speed_reason_and_lane),
        cmocka_unit_test(what_does_not_fit_is_counted),
        cmocka_unit_test(no_item_is_ever_at_nan_or_infinity),
    };
    return cmocka_run_group_tests(tests, lay_line, take_line);
}
