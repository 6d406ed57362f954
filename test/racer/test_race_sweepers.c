// Rings of nothing but long, fast bends, among which no straight mends what a bend does wrong.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "scene/race/race_pace.h"

#define POINT_SPACING 5.0f
#define POINTS_MOST 1000
#define LAPS 4

// About so far from its middle everywhere, with waves of so many in a round.
typedef struct ring {
    float radius, two, three, five;
    float half_width, bank; // [m], [rad]
} ring;

static int32_t lay(const ring* r, kerb_waypoint* waypoints) {
    int32_t count = (int32_t)(2.0f * KERB_PI * r->radius / POINT_SPACING);
    assert_true(count <= POINTS_MOST);
    for (int32_t i = 0; i < count; i++) {
        float turn = 2.0f * KERB_PI * (float)i / (float)count;
        float waves = r->two * kerb_cos(2.0f * turn) + r->three * kerb_cos(3.0f * turn + 1.0f) +
                      r->five * kerb_cos(5.0f * turn);
        float out = r->radius * (1.0f + waves);
        waypoints[i] = kerb_waypoint_at(out * kerb_cos(turn), out * kerb_sin(turn), 0.0f);
        waypoints[i].left = waypoints[i].right = r->half_width;
        waypoints[i].bank = r->bank;
    }
    return count;
}

static void open_ring(kerb_scene_race_pace* pace, const ring* r, bool reverse, const char* car) {
    static kerb_waypoint waypoints[POINTS_MOST];
    kerb_host host = kerb_host_default();
    kerb_sim_model model;
    int32_t count = lay(r, waypoints);
    if (reverse)
        kerb_waypoints_reverse(waypoints, count, true);
    assert_true(kerb_sim_model_named(car, &model));
    assert_int_equal(
        kerb_scene_race_pace_open_on(pace, waypoints, count, true, &model, &host, NULL), KERB_OK);
}

static void drive(const kerb_scene_race_pace* pace, kerb_scene_race_lap* lap,
                  kerb_scene_race_lap_result* result) {
    *lap = kerb_scene_race_pace_lap(pace);
    lap->laps = LAPS;
    kerb_scene_race_lap_run(lap, result);
    assert_int_equal(result->laps, LAPS);
}

// At 5 g the throttle takes so much load off the front that it gives way with most of the bend
// still to come: only less of it keeps the car on the track.
static void a_car_whose_front_gives_way_in_a_long_bend_lifts_and_stays_on_the_track(void** state) {
    (void)state;
    const ring fast = {260.0f, 0.1f, 0.12f, 0.03f, 5.2f, 0.0f};
    kerb_host host = kerb_host_default();
    for (int32_t i = 0; i < 2; i++) {
        kerb_scene_race_pace pace;
        kerb_scene_race_lap lap;
        kerb_scene_race_lap_result result;
        open_ring(&pace, &fast, i == 1, "formula");
        drive(&pace, &lap, &result);
        if (!(result.off_track_time == 0.0 && result.best < 1.055 * pace.line.time))
            fail_msg("%s: %.3f of the profile, %.2f s off the track",
                     i == 1 ? "reverse" : "forward", result.best / pace.line.time,
                     result.off_track_time);
        kerb_scene_race_pace_close(&pace, &host);
    }
}

static void keep_racer(void* context, const kerb_scene_race_frame* frame) {
    *(kerb_racer*)context = *frame->racer;
}

// It takes no bend there gently, and until it knows its tyres it takes every slip for a slide.
static void on_gravel_it_learns_how_its_tyres_slip_from_bends_near_the_limit(void** state) {
    (void)state;
    const ring wide = {380.0f, 0.2f, 0.1f, 0.0f, 5.2f, 0.0f};
    kerb_host host = kerb_host_default();
    kerb_scene_race_pace pace;
    kerb_scene_race_lap_result result;
    kerb_racer racer;
    open_ring(&pace, &wide, false, "rally");
    kerb_scene_race_lap lap = kerb_scene_race_pace_lap(&pace);
    lap.laps = LAPS;
    lap.watch = keep_racer;
    lap.context = &racer;
    kerb_scene_race_lap_run(&lap, &result);
    if (!(racer.memory.half_slip_time > 0.3f && racer.memory.half_slip[1] > 0.036f))
        fail_msg("%.4f rad at half of the grip after %.2f s", (double)racer.memory.half_slip[1],
                 (double)racer.memory.half_slip_time);
    assert_true(result.off_track_time == 0.0 && result.best < 1.037 * pace.line.time);
    kerb_scene_race_pace_close(&pace, &host);
}

// Where its line is lower, the bank takes a part of what would stop the car there.
static void from_high_on_a_bank_it_comes_down_to_its_line_and_no_farther(void** state) {
    (void)state;
    const ring oval = {380.0f, 0.2f, 0.0f, 0.0f, 9.0f, -0.25f};
    kerb_host host = kerb_host_default();
    kerb_scene_race_pace pace;
    open_ring(&pace, &oval, false, "rally");
    for (int32_t place = 0; place < 8; place++) {
        kerb_scene_race_lap lap = kerb_scene_race_pace_lap(&pace);
        kerb_scene_race_lap_result result;
        lap.start = pace.line.length * (double)place / 8.0;
        kerb_line_point p = kerb_racing_line_at(&pace.line, lap.start);
        lap.start_aside = 1.5f - p.right; // the outside is high
        lap.laps = 1;
        lap.time_most = 25.0;
        kerb_scene_race_lap_run(&lap, &result);
        if (result.off_track_time > 0.0)
            fail_msg("from %.0f m: %.2f m past the edge", lap.start, result.outside_most);
    }
    kerb_scene_race_pace_close(&pace, &host);
}

int race_sweepers_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_car_whose_front_gives_way_in_a_long_bend_lifts_and_stays_on_the_track),
        cmocka_unit_test(on_gravel_it_learns_how_its_tyres_slip_from_bends_near_the_limit),
        cmocka_unit_test(from_high_on_a_bank_it_comes_down_to_its_line_and_no_farther),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
