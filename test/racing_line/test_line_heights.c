// Heights: crests against closed forms, and roads whose heights are polygons against smooth ones.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "test/line_rig.h"
#include "test/seed.h"

static line_rig rig;

// So fast and strong that only a crest limits it.
static kerb_performance strong_car(void) {
    return kerb_performance_point_mass(12.0f, 60.0f, 60.0f, 120.0f);
}

static kerb_line_settings plain_settings(void) {
    kerb_line_settings settings = kerb_line_settings_of(&rig.path, NULL);
    settings.method = KERB_LINE_CURVATURE;
    return settings;
}

// A gentle slope up, an arc of a circle over its top, and down again.
static void road_over_a_circle(double radius) {
    const double slope = 0.06, half = radius * slope;
    rig_begin(&rig, false);
    double length = 300.0 + 2.0 * half + 300.0;
    int32_t count = (int32_t)(length / 4.0);
    for (int32_t i = 0; i <= count; i++) {
        double x = length * (double)i / (double)count - 0.5 * length;
        double angle = fmax(fmin(x / half, 1.0), -1.0) * atan(slope);
        double z = radius * (cos(angle) - 1.0), beyond = fabs(x) - radius * sin(fabs(angle));
        rig_add(&rig, x, 0.0, z - (beyond > 0.0 ? beyond * slope : 0.0), 6.0);
    }
    rig_build(&rig);
}

static double speed_at_middle(const kerb_racing_line* line) {
    return (double)kerb_racing_line_at(line, 0.5 * line->length).speed;
}

static void over_a_round_crest_the_speed_is_the_root_of_gravity_times_radius(void** state) {
    (void)state;
    const double radii[] = {300.0, 600.0, 1000.0};
    const float shares[] = {0.0f, 0.3f, 0.5f};
    kerb_performance car = strong_car();
    for (int32_t n = 0; n < 9; n++) {
        double radius = radii[n / 3];
        road_over_a_circle(radius);
        kerb_line_settings settings = plain_settings();
        settings.wheelbase = 2.7f;
        settings.ride_time = 0.1f;
        settings.crest_load = shares[n % 3];
        kerb_racing_line line = rig_solve(&rig, &car, &settings);
        double load = (double)shares[n % 3];
        double known = sqrt((1.0 - load) * (double)KERB_GRAVITY * radius);
        assert_near(speed_at_middle(&line), known, 0.01 * known);
        kerb_racing_line_destroy(&line);
        rig_end(&rig);
    }
}

// A kink by an angle a counts as the curvature a / (L + v·time): the speed is the root of
// v² = g·(L + v·time) / a.
static void a_kink_counts_over_the_wheelbase_and_the_ride_time(void** state) {
    (void)state;
    kerb_performance car = strong_car();
    for (int32_t n = 0; n < 6; n++) {
        double kink = n % 2 == 0 ? 0.08 : 0.15, base = 10.0, time = 0.15 * (double)(n / 2);
        rig_begin(&rig, false);
        for (int32_t i = -200; i <= 200; i++)
            rig_add(&rig, 2.0 * i, 0.0, -fabs(kink * (double)i), 6.0);
        rig_build(&rig);
        kerb_line_settings settings = plain_settings();
        settings.node_spacing = 1.0f;
        settings.wheelbase = (float)base;
        settings.ride_time = (float)time;
        kerb_racing_line line = rig_solve(&rig, &car, &settings);
        double pull = (double)KERB_GRAVITY / kink;
        double known = 0.5 * (pull * time + sqrt(pull * time * pull * time + 4.0 * pull * base));
        assert_near(speed_at_middle(&line), fmin(known, 120.0), 0.06 * known);
        kerb_racing_line_destroy(&line);
        rig_end(&rig);
    }
}

typedef struct hills {
    double radius, straight, height, length;
    double waves;
} hills;

static double height_at(const hills* h, double station) {
    return 0.5 * h->height * sin(6.283185307179586 * h->waves * station / h->length);
}

// Two straights and two half circles.
static void place_at(const hills* h, double station, double* x, double* y) {
    const double pi = 3.14159265358979323846, bend = pi * h->radius;
    bool back = station >= h->straight + bend;
    double s = back ? station - h->straight - bend : station, turn = back ? -1.0 : 1.0;
    double angle = s > h->straight ? (s - h->straight) / h->radius : 0.0;
    double along = s > h->straight ? h->straight : s;
    *x = turn * (along - 0.5 * h->straight + h->radius * sin(angle));
    *y = turn * -h->radius * cos(angle);
}

// The hills as a polygon whose sides are `side` long, with `parts` points to a side.
static double time_over_hills(const hills* h, double side, int32_t parts) {
    int32_t sides = (int32_t)(h->length / side);
    rig_begin(&rig, true);
    for (int32_t i = 0; i < sides * parts; i++) {
        double at = h->length * (double)i / (double)(sides * parts), x, y;
        double from = h->length * (double)(i / parts) / (double)sides;
        double to = h->length * (double)(i / parts + 1) / (double)sides;
        double share = (double)(i % parts) / (double)parts;
        place_at(h, at, &x, &y);
        rig_add(&rig, x, y, height_at(h, from) * (1.0 - share) + height_at(h, to) * share, 6.0);
    }
    rig_build(&rig);
    kerb_performance car = rig_car();
    kerb_line_settings settings = kerb_line_settings_default();
    kerb_racing_line line = rig_solve(&rig, &car, &settings);
    double time = line.time;
    kerb_racing_line_destroy(&line);
    rig_end(&rig);
    return time;
}

static void polygons_of_heights_are_driven_as_fast_as_the_hills_they_stand_for(void** state) {
    (void)state;
    const double pi = 3.14159265358979323846;
    kerb_random random = test_random("hills");
    int32_t count = test_share(4, 1);
    for (int32_t n = 0; n < count; n++) {
        hills h = {.radius = (double)kerb_random_between(&random, 30.0f, 100.0f)};
        h.straight = (double)kerb_random_between(&random, 300.0f, 600.0f);
        h.length = 2.0 * (h.straight + pi * h.radius);
        h.waves = floor(h.length / (double)kerb_random_between(&random, 200.0f, 400.0f));
        double crest = (double)kerb_random_between(&random, 400.0f, 800.0f); // its radius
        double wave = 2.0 * pi * h.waves / h.length;
        h.height = 2.0 / (crest * wave * wave);
        double smooth = time_over_hills(&h, 4.0, 1);
        const double sides[] = {1.0, 5.0, 20.0, 5.0, 20.0, 20.0};
        const int32_t parts[] = {1, 1, 1, 5, 20, 4}; // with a point every metre too
        for (int32_t k = 0; k < 6; k++) {
            double time = time_over_hills(&h, sides[k], parts[k]);
            if (!(fabs(time / smooth - 1.0) < 0.05))
                fail_msg("crests of %.0f m: %.2f s, as sides of %.0f m with %d points %.2f s",
                         crest, smooth, sides[k], (int)parts[k], time);
        }
    }
}

// Speed on a ring of radius 60 m that is banked by an angle, outside up.
static double speed_on_a_bank(double angle, bool level) {
    const double pi = 3.14159265358979323846;
    rig_begin(&rig, true);
    for (int32_t i = 0; i < 120; i++) {
        double a = 2.0 * pi * (double)i / 120.0;
        rig_add(&rig, 60.0 * cos(a), 60.0 * sin(a), 0.0, 5.0);
        rig.waypoints[i].bank = (float)-angle;
    }
    if (level)
        kerb_waypoints_level(rig.waypoints, rig.count);
    rig_build(&rig);
    kerb_performance car = rig_car();
    kerb_line_settings settings = plain_settings();
    settings.margin = 5.0f; // the centre line alone
    kerb_racing_line line = rig_solve(&rig, &car, &settings);
    double speed = (double)line.points[7].speed;
    kerb_racing_line_destroy(&line);
    rig_end(&rig);
    return speed;
}

static void banking_holds_as_on_an_inclined_plane_and_a_levelled_path_has_none(void** state) {
    (void)state;
    const double lateral = 12.0, gravity = (double)KERB_GRAVITY, grip = lateral / gravity;
    for (int32_t degrees = 0; degrees <= 20; degrees += 10) {
        double angle = (double)degrees / 57.29577951308232, slope = tan(angle);
        double banked = sqrt(gravity * 60.0 * (slope + grip) / (1.0 - grip * slope));
        assert_near(speed_on_a_bank(angle, false), banked, 0.01 * banked);
        assert_near(speed_on_a_bank(angle, true), sqrt(lateral * 60.0), 0.3);
    }
}

int line_heights_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(over_a_round_crest_the_speed_is_the_root_of_gravity_times_radius),
        cmocka_unit_test(a_kink_counts_over_the_wheelbase_and_the_ride_time),
        cmocka_unit_test(banking_holds_as_on_an_inclined_plane_and_a_levelled_path_has_none),
        cmocka_unit_test(polygons_of_heights_are_driven_as_fast_as_the_hills_they_stand_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
