// The racing driver in vehicles of other sizes than cars, and far off the track.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "scene/host/family_race.h"

#include <stdio.h>

static kerb_family_race sizes_race;

// Hosts with 0.3 to 0.9 m of wheelbase, which left the track in each race while what the driver
// knows in metres, in metres per second and in seconds was that of a car.
static void model_cars_keep_to_the_track(void** state) {
    (void)state;
    static const uint64_t seeds[] = {62978, 63107, 63138, 62553};
    double off = 0.0;
    for (size_t i = 0; i < sizeof seeds / sizeof seeds[0]; i++) {
        kerb_family_host host;
        kerb_family_host_make(&host, seeds[i]);
        assert_true(kerb_vehicle_scale(&host.vehicle) < 0.5f);
        for (int32_t track = 0; track < 3; track++) {
            assert_true(kerb_family_race_open(&sizes_race, &host, seeds[i], track));
            kerb_family_race_drive(&sizes_race, NULL);
            assert_int_equal(sizes_race.laps, KERB_FAMILY_RACE_LAPS);
            for (int32_t lap = 3; lap < KERB_FAMILY_RACE_LAPS; lap++)
                off += sizes_race.off_track[lap];
            kerb_family_race_close(&sizes_race);
        }
    }
    printf("off the track after three laps, 12 races: %.1f s\n", off);
    assert_true(off < 1.0);
}

// Round and round in a circle of 40 m, 30 m beside the track: on its way, but to nowhere.
static void what_comes_nearer_to_neither_track_nor_finish_asks_the_host(void** state) {
    (void)state;
    const float time_step = 1.0f / 60.0f, speed = 5.0f, radius = 20.0f;
    kerb_family_host host;
    for (uint64_t seed = 500;; seed++) {
        kerb_family_host_make(&host, seed);
        if (host.truth.wheelbase > 2.2f && host.truth.wheelbase < 3.2f)
            break;
    }
    assert_true(kerb_family_race_open(&sizes_race, &host, 5, 0));
    const kerb_line_point* start = &sizes_race.line.points[0];
    kerb_racer racer = kerb_racer_make(&host.vehicle);
    float asked = -1.0f;
    for (int32_t i = 0; asked < 0.0f && i < 240 * 60; i++) {
        float time = (float)i * time_step, turn = speed / radius * time;
        kerb_motion motion = {.rotation = kerb_quat_from_heading(turn + 0.5f * KERB_PI)};
        motion.position =
            (kerb_vec3){(float)start->x + 40.0f + radius * kerb_cos(turn),
                        (float)start->y + 40.0f + radius * kerb_sin(turn), (float)start->z};
        motion.velocity = kerb_vec3_scale(kerb_quat_forward(motion.rotation), speed);
        motion.angular_velocity.z = speed / radius;
        kerb_controls controls =
            kerb_racer_drive(&racer, &sizes_race.line, &motion, NULL, time_step);
        if (controls.reason == KERB_REASON_TELEPORT)
            asked = time;
    }
    kerb_family_race_close(&sizes_race);
    printf("asked after %.0f s\n", (double)asked);
    assert_true(asked > 10.0f && asked < 200.0f);
}

int racer_sizes_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(model_cars_keep_to_the_track),
        cmocka_unit_test(what_comes_nearer_to_neither_track_nor_finish_asks_the_host),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
