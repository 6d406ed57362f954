// The racing driver in Bullet, a physics that nobody tuned it for: wheels that do not slip until
// their grip is spent, and slide without warning then.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "scene/race/race.h"
#include "scene/race/race_pace.h"
#include "test/seed.h"
#ifdef KERB_HAVE_BULLET
#include "sim/bullet/bullet.h"
#include "sim/bullet/group.h"
#endif

#include <math.h>
#include <stdio.h>

#ifdef KERB_HAVE_BULLET

// A GT car, measured once: that takes Bullet as long as some laps.
static kerb_scene_race_pace gt;

static void assert_near(double value, double wanted, double most) {
    if (!(fabs(value - wanted) <= most))
        fail_msg("%g instead of %g, more than %g off", value, wanted, most);
}

static void open_pace(kerb_scene_race_pace* pace, const char* track, const char* car) {
    kerb_host host = kerb_host_default();
    kerb_error error;
    kerb_scene_track made;
    kerb_sim_model model;
    assert_true(kerb_sim_model_named(car, &model));
    assert_int_equal(kerb_scene_track_make(track, &host, &made, &error), KERB_OK);
    if (kerb_scene_race_pace_open_in(pace, made.waypoints, made.count, made.closed, &model,
                                     &kerb_sim_bullet_physics, &host, &error) != KERB_OK)
        fail_msg("%s on %s: %s %s", car, track, error.field, error.message);
    kerb_scene_track_free(&made, &host);
}

static void close_pace(kerb_scene_race_pace* pace) {
    kerb_host host = kerb_host_default();
    kerb_scene_race_pace_close(pace, &host);
}

// What the front axle and the rear axle hold, by their loads alone, while it brakes with `braking`:
// the lateral acceleration at which the first of them slides. Along the wheel Bullet counts half.
static double slides_at(const kerb_sim_car_model* car, double braking) {
    double wheelbase = (double)(car->front_to_mass + car->rear_to_mass), least = 1.0e9;
    for (int32_t axle = 0; axle < 2; axle++) {
        double way = axle == 0 ? 1.0 : -1.0;
        double arm = (double)(axle == 0 ? car->rear_to_mass : car->front_to_mass);
        double share = axle == 0 ? (double)car->brake_front : 1.0 - (double)car->brake_front;
        double load = (double)KERB_GRAVITY * arm / wheelbase +
                      way * braking * (double)car->mass_height / wheelbase;
        double along = 0.5 * share * braking, whole = (double)car->grip_across * load;
        double aside = sqrt(fmax(whole * whole - along * along, 0.0));
        least = fmin(least, aside * wheelbase / arm);
    }
    return least;
}

static void check_limits(const kerb_sim_model* model, const kerb_performance* p) {
    const kerb_sim_car_model* car = &model->car;
    double weight = (double)KERB_GRAVITY, wings = (double)(car->downforce_area / car->mass);
    assert_near((double)p->lateral / ((double)car->grip_across * weight), 1.0, 0.02);
    assert_near((double)p->braking / ((double)car->grip_along * weight), 1.0, 0.04);
    assert_near((double)p->drag / (double)(car->drag_area / car->mass), 1.0, 0.03);
    assert_near((double)p->rolling / ((double)car->rolling_resistance * weight), 1.0, 0.07);
    assert_near((double)p->downforce, wings, 0.1 * wings + 1.0e-4);
    // It brakes in bends with what its light rear leaves: never promised more than that.
    for (int32_t i = 2; i < 8 && wings == 0.0; i++) {
        double braking = 0.1 * (double)i * (double)p->braking;
        double aside = slides_at(car, braking) / (double)p->lateral;
        double left = sqrt(fmax(1.0 - aside * aside, 0.0)), loss = (double)p->braking_loss;
        double told = (double)p->braking * left * (1.0 - loss + loss * left);
        if (!(told < 1.12 * braking + 0.3))
            fail_msg("braking %.2f m/s² at %.2f of the grip: told %.2f", braking, aside, told);
    }
}

static void check_laps(const kerb_scene_race_pace* pace, const char* car) {
    kerb_scene_race_lap lap = kerb_scene_race_pace_lap(pace);
    kerb_scene_race_lap_result result;
    lap.laps = 2;
    kerb_scene_race_lap_run(&lap, &result);
    double more = result.best / pace->line.time - 1.0;
    printf("%s: %.2f s, profile %+.2f %%, nearest to the edge %.2f m, wheel %.3f 1/s\n", car,
           result.best, 100.0 * more, -result.outside_most, result.steering_rate);
    if (result.laps < 2 || result.off_track_time > 0.0 || result.spins > 0 || !(more < 0.03))
        fail_msg("%s: %d laps, %.2f s off the track, %d spins, %+.2f %%", car, result.laps,
                 result.off_track_time, result.spins, 100.0 * more);
    // A wheel that swings from side to side moves several times as much.
    if (!(result.steering_rate < 0.25))
        fail_msg("%s: the wheel moves by %.3f a second", car, result.steering_rate);
}

static void limits_are_those_of_bullets_friction_and_cars_come_near_them(void** state) {
    (void)state;
    check_limits(&gt.model, &gt.limits.performance);
    check_laps(&gt, "gt");
    static const char* const cars[3] = {"road", "formula", "truck"};
    // On banks the formula car weighs five times what it does at rest.
    static const char* const tracks[3] = {"vamos", "saucer", "vamos"};
    for (int32_t i = 0; i < test_share(3, 0); i++) {
        kerb_scene_race_pace pace;
        open_pace(&pace, tracks[i], cars[i]);
        check_limits(&pace.model, &pace.limits.performance);
        check_laps(&pace, cars[i]);
        close_pace(&pace);
    }
}

static kerb_scene_race_settings settings_in_one_world(void) {
    kerb_scene_race_settings settings =
        kerb_scene_race_settings_default(&gt.line, &gt.ground, &gt.model);
    settings.performances = &gt.limits.performance;
    settings.physics = &kerb_sim_bullet_group;
    return settings;
}

static void begin_race(kerb_scene_race* race, const kerb_scene_race_settings* settings) {
    kerb_host host = kerb_host_default();
    kerb_error error;
    if (kerb_scene_race_create(race, settings, &host, &error) != KERB_OK)
        fail_msg("%s: %s", error.field, error.message);
}

// Bullet's contacts between them; nobody tuned the driver for this world.
static void eight_cars_race_in_one_world_without_hard_contacts(void** state) {
    (void)state;
    const int32_t cars = test_share(8, 3);
    kerb_scene_race_settings settings = settings_in_one_world();
    settings.cars = cars;
    settings.laps = 2;
    settings.seed = 5;
    settings.time_most = 300.0;
    enum { COMPARED = 1200 }; // frames; the second race need not go on longer
    double progress[8] = {0};
    kerb_scene_race race;
    begin_race(&race, &settings);
    for (int32_t frame = 1; kerb_scene_race_step(&race); frame++)
        for (int32_t i = 0; frame == COMPARED && i < cars; i++)
            progress[i] = race.cars[i].progress;
    assert_int_equal(race.finished, cars);
    assert_true(race.contacts->contacts <= 1);
    assert_int_equal(race.contacts->hard_contacts, 0);
    // In most races nobody leaves the track, in some one car does for a moment.
    double off_track = 0.0;
    for (int32_t i = 0; i < cars; i++) {
        off_track += race.cars[i].off_track_time;
        assert_int_equal(race.cars[i].put_back, 0);
    }
    assert_true(off_track < 5.0);
    // Nobody holds the first one up.
    assert_near(race.cars[race.order[0]].best_lap / gt.line.time, 1.015, 0.015);
    kerb_scene_race_destroy(&race);
    begin_race(&race, &settings);
    for (int32_t frame = 1; frame <= COMPARED; frame++)
        assert_true(kerb_scene_race_step(&race));
    for (int32_t i = 0; i < cars; i++)
        assert_true(race.cars[i].progress == progress[i] && progress[i] > 100.0); // to the bit
    kerb_scene_race_destroy(&race);
}

// One is thrown at the other: 15 m/s are 225 m²/s² of damage, to both.
static void a_crash_is_counted_as_bullet_has_it(void** state) {
    (void)state;
    kerb_scene_race_settings settings = settings_in_one_world();
    settings.laps = 1;
    settings.grid_jitter = 0.0f;
    settings.grid_spacing = 12.0f;
    kerb_scene_race race;
    begin_race(&race, &settings);
    kerb_sim_body front = race.physics->body(race.group, 0), thrown = front;
    thrown.position.x -= 6.0f * cosf(front.heading);
    thrown.position.y -= 6.0f * sinf(front.heading);
    thrown.forward = 15.0f;
    race.physics->set_body(race.group, 1, &thrown);
    for (int32_t i = 0; i < 30; i++)
        kerb_scene_race_step(&race);
    assert_int_equal(race.contacts->contacts, 1);
    assert_int_equal(race.contacts->hard_contacts, 1);
    assert_near((double)race.contacts->damage, 225.0, 60.0);
    for (int32_t i = 0; i < 2; i++)
        assert_int_equal(race.contacts->cars[i].hard_contacts, 1);
    kerb_scene_race_destroy(&race);
}

static int open_gt(void** state) {
    (void)state;
    open_pace(&gt, "downs", "gt");
    return 0;
}

static int close_gt(void** state) {
    (void)state;
    close_pace(&gt);
    return 0;
}

int race_bullet_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(limits_are_those_of_bullets_friction_and_cars_come_near_them),
        cmocka_unit_test(eight_cars_race_in_one_world_without_hard_contacts),
        cmocka_unit_test(a_crash_is_counted_as_bullet_has_it),
    };
    return cmocka_run_group_tests(tests, open_gt, close_gt);
}

#else

int race_bullet_tests(void) {
    puts("built without Bullet");
    return 0;
}

#endif
