// The picture of a lane keeper: rays end where they met something, and say what.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kerb/draw.h"

#include <math.h>
#include <string.h>

enum { LINES = 64, POINTS = 16, TEXTS = 2 };

typedef struct canvas {
    kerb_draw_line lines[LINES];
    kerb_draw_point points[POINTS];
    kerb_draw_text texts[TEXTS];
    kerb_draw_buffer buffer;
} canvas;

static canvas on;
static kerb_lane_keeper keeper;
static kerb_motion motion;
static kerb_lane_ray rays[KERB_LANE_RAYS_MAX];
static kerb_lane_hit hits[KERB_LANE_RAYS_MAX];
static int32_t count;

// At 10 m/s in the middle of a road 7 m wide, somebody in the way of ray number `stopped`.
static void drive(int32_t stopped) {
    kerb_vehicle vehicle = kerb_vehicle_default();
    keeper = kerb_lane_keeper_make(&vehicle);
    motion = kerb_motion_default();
    motion.velocity.x = 10.0f;
    count = kerb_lane_keeper_rays(&keeper, &motion, rays);
    memset(hits, 0, sizeof hits);
    for (int32_t i = 0; i < count; i++) {
        bool aside = fabsf(rays[i].direction.y) > 0.9f;
        hits[i].kind = i == stopped ? KERB_LANE_HIT_VEHICLE
                       : aside      ? KERB_LANE_HIT_EDGE
                                    : KERB_LANE_HIT_NOTHING;
        hits[i].distance = i == stopped ? 15.0f : 3.5f;
        hits[i].normal.y = rays[i].direction.y > 0.0f ? -1.0f : 1.0f;
        hits[i].velocity.x = 5.0f;
    }
    kerb_lane_keeper_drive(&keeper, rays, hits, count, &motion, NULL, 1.0f / 60.0f);
    memset(&on, 0, sizeof on);
    on.buffer = kerb_draw_buffer_make(on.lines, LINES, on.points, POINTS, on.texts, TEXTS);
}

static int lines_of(kerb_draw_role role) {
    int n = 0;
    for (int32_t i = 0; i < on.buffer.line_count; i++)
        n += on.lines[i].role == role;
    return n;
}

static bool has_line(kerb_draw_role role, kerb_vec3 from, kerb_vec3 to) {
    for (int32_t i = 0; i < on.buffer.line_count; i++) {
        const kerb_draw_line* l = &on.lines[i];
        if (l->role == role && kerb_vec3_length(kerb_vec3_sub(l->from, from)) < 1e-4f &&
            kerb_vec3_length(kerb_vec3_sub(l->to, to)) < 1e-4f)
            return true;
    }
    return false;
}

static void every_ray_ends_where_it_met_something_and_says_what(void** state) {
    (void)state;
    drive(3);
    kerb_draw_lane_keeper(&on.buffer, &keeper, rays, hits, count, &motion);
    assert_int_equal(lines_of(KERB_DRAW_RAY), count - 1);
    assert_int_equal(lines_of(KERB_DRAW_RAY_VEHICLE), 1);
    for (int32_t i = 0; i < count; i++) {
        bool met = hits[i].kind != KERB_LANE_HIT_NOTHING;
        float length = met ? hits[i].distance : rays[i].length;
        kerb_vec3 end = kerb_vec3_along(rays[i].origin, rays[i].direction, length);
        assert_true(has_line(i == 3 ? KERB_DRAW_RAY_VEHICLE : KERB_DRAW_RAY, rays[i].origin, end));
    }
    assert_true(has_line(KERB_DRAW_TARGET, motion.position, keeper.decision.target));
    assert_int_equal(on.buffer.text_count, 1);
    assert_non_null(strstr(on.texts[0].text, "10.0/"));
    assert_non_null(strstr(on.texts[0].text, kerb_reason_text(keeper.decision.reason)));
    assert_true(on.buffer.line_count <= 32 && on.buffer.dropped == 0);
}

static void answers_that_make_no_sense_are_drawn_as_nothing_met(void** state) {
    (void)state;
    drive(-1);
    static const float odd[] = {NAN, -1.0f, 1e9f};
    for (int i = 0; i < 3; i++) {
        hits[0].distance = odd[i];
        kerb_draw_clear(&on.buffer);
        kerb_draw_lane_keeper(&on.buffer, &keeper, rays, hits, count, &motion);
        kerb_vec3 end = kerb_vec3_along(rays[0].origin, rays[0].direction, rays[0].length);
        assert_true(has_line(KERB_DRAW_RAY, rays[0].origin, end));
    }
}

static void motion_that_is_not_finite_draws_nothing(void** state) {
    (void)state;
    drive(-1);
    motion.position.x = NAN;
    kerb_draw_lane_keeper(&on.buffer, &keeper, rays, hits, count, &motion);
    assert_int_equal(on.buffer.line_count + on.buffer.point_count + on.buffer.text_count, 0);
}

int draw_lane_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_ray_ends_where_it_met_something_and_says_what),
        cmocka_unit_test(answers_that_make_no_sense_are_drawn_as_nothing_met),
        cmocka_unit_test(motion_that_is_not_finite_draws_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
