// Lengths, speeds and accelerations all times k: the line is the same and takes as long, for model
// cars on a table and for giants.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "test/line_rig.h"
#include "test/seed.h"

static line_rig rig, other;

// A level track with up to seven corners, some of them hairpins.
static void track_of_corners(line_rig* to, kerb_random* random) {
    const double pi = 3.14159265358979323846;
    double size = (double)kerb_random_between(random, 60.0f, 200.0f);
    double bite = (double)kerb_random_between(random, 0.1f, 0.35f);
    double waves = floor((double)kerb_random_between(random, 2.0f, 6.0f));
    double half_width = (double)kerb_random_between(random, 4.0f, 8.0f);
    double phase = (double)kerb_random_between(random, 0.0f, 6.28f);
    int32_t count = (int32_t)(2.0 * pi * size / 5.0);
    rig_begin(to, true);
    for (int32_t i = 0; i < count; i++) {
        double a = 2.0 * pi * (double)i / (double)count;
        double r = size * (1.0 + bite * sin(waves * a + phase));
        rig_add(to, r * cos(a), r * sin(a), 0.0, half_width);
    }
    rig_build(to);
}

// The track, times `scale`.
static void scaled_track(line_rig* to, const line_rig* from, double scale) {
    rig_begin(to, from->closed);
    for (int32_t i = 0; i < from->count; i++) {
        const kerb_waypoint* w = &from->waypoints[i];
        double x = (double)w->position.x, y = (double)w->position.y;
        rig_add(to, scale * x, scale * y, 0.0, scale * (double)w->left);
    }
    rig_build(to);
}

static kerb_performance scaled_car(const kerb_performance* car, float scale) {
    kerb_performance result = *car;
    result.lateral *= scale;
    result.accelerating *= scale;
    result.braking *= scale;
    result.speed_max *= scale;
    result.rolling *= scale;
    result.drag /= scale;
    result.downforce /= scale;
    for (int32_t i = 0; i < KERB_DRIVE_COUNT; i++)
        result.drive[i] *= scale;
    return result;
}

static kerb_line_settings settings_for(const line_rig* track, kerb_line_method method,
                                       kerb_line_side side, float margin) {
    kerb_line_settings settings = kerb_line_settings_of(&track->path, NULL);
    settings.method = (int32_t)method;
    settings.side = (int32_t)side;
    settings.margin = margin;
    return settings;
}

static void a_line_takes_as_long_at_any_scale(void** state) {
    (void)state;
    kerb_random random = test_random("scale");
    int32_t count = test_share(24, 6);
    for (int32_t n = 0; n < count; n++) {
        line_rig* plain = &other;
        track_of_corners(plain, &random);
        double scale = exp((double)kerb_random_between(&random, -2.302585f, 2.302585f));
        scale = n == 0 ? 0.1 : n == 1 ? 10.0 : scale;
        kerb_performance car = rig_car();
        if (n % 3 == 0) {
            kerb_vehicle vehicle = kerb_vehicle_default();
            car = kerb_performance_of(&vehicle);
        }
        kerb_line_method method = n % 4 == 3 ? KERB_LINE_CURVATURE : KERB_LINE_TIME;
        kerb_line_side side = (kerb_line_side)(n % 5 == 4 ? n / 5 % 4 : 0);
        kerb_line_settings settings = settings_for(plain, method, side, 1.0f);
        kerb_racing_line line = rig_solve(plain, &car, &settings);
        scaled_track(&rig, plain, scale);
        kerb_performance scaled = scaled_car(&car, (float)scale);
        settings = settings_for(&rig, method, side, (float)scale);
        kerb_racing_line same = rig_solve(&rig, &scaled, &settings);
        if (!(fabs(same.time / line.time - 1.0) < 0.01))
            fail_msg("%d: %.3f s, times %.3f %.3f s", (int)n, line.time, scale, same.time);
        // Where cross-sections meet, some lines enter the margin at any scale.
        if (!(same.violation <= scale * fmax(0.02, 1.2 * line.violation)))
            fail_msg("%d: times %.3f: %.4f m into the margin", (int)n, scale, same.violation);
        kerb_racing_line_destroy(&line);
        kerb_racing_line_destroy(&same);
        rig_end(&rig);
        rig_end(plain);
    }
}

static void settings_of_a_track_and_a_vehicle_are_in_proportion(void** state) {
    (void)state;
    for (int32_t n = 0; n < 3; n++) {
        double scale = n == 0 ? 0.1 : n == 1 ? 1.0 : 10.0;
        rig_circle(&other, 100.0, 6.0);
        scaled_track(&rig, &other, scale);
        kerb_vehicle vehicle = kerb_vehicle_default();
        kerb_line_settings settings = kerb_line_settings_of(&rig.path, &vehicle);
        double size = n == 1 ? 1.0 : 1.2 * scale; // 12 m is a usual width
        assert_near((double)kerb_track_scale(&rig.path), size, 1e-4 * size);
        assert_near((double)settings.node_spacing, 4.8 * scale, 1e-4 * scale);
        assert_near((double)settings.margin, 0.5 * (double)vehicle.width + 0.3, 1e-6);
        vehicle.width = (float)(1.8 * scale);
        settings = kerb_line_settings_of(&rig.path, &vehicle);
        double reserve = (double)settings.margin - 0.9 * scale;
        assert_true(reserve >= 0.1 * 1.8 * scale - 1e-6 && reserve <= 1.8 / 6.0 * scale + 1e-6);
        rig_end(&rig);
        rig_end(&other);
    }
}

// Springs are the paper's on tracks of usual width. On others they are in proportion.
static void springs_stay_within_narrow_tracks(void** state) {
    (void)state;
    rig_u_turn(&other, 200.0, 30.0, 6.0);
    scaled_track(&rig, &other, 0.1);
    kerb_performance car = rig_car(), small = scaled_car(&car, 0.1f);
    kerb_line_settings settings = kerb_line_settings_vamos();
    settings.margin = 1.0f;
    kerb_racing_line line = rig_solve(&other, &car, &settings);
    settings.margin = 0.1f;
    kerb_racing_line same = rig_solve(&rig, &small, &settings);
    assert_near(same.time, line.time, 0.01 * line.time);
    kerb_racing_line_destroy(&line);
    kerb_racing_line_destroy(&same);
    rig_end(&rig);
    rig_end(&other);
}

int line_scale_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_takes_as_long_at_any_scale),
        cmocka_unit_test(settings_of_a_track_and_a_vehicle_are_in_proportion),
        cmocka_unit_test(springs_stay_within_narrow_tracks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
