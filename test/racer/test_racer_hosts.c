// The racing driver in hosts that are not Kerb's simulation: cars that go where their wheels point,
// as in arcade games and prototypes. Nothing slips there, and what looks like slip is geometry.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kerb/racing_line.h"

#include "kerb/racer.h"
#include "scene/race/tracks.h"

#include <math.h>
#include <stdio.h>

#define STEP (1.0f / 60.0f)
#define LAPS 3

// How a host without slip moves its cars and tells of it.
typedef enum told {
    ALONG_THE_BODY,   // the reference point moves along the body, wherever it lies
    TURNED,           // as of a rigid bicycle: only the rear axle moves along the body
    WITHOUT_YAW,      // along the body, and the angular velocity is left at 0
    WITHOUT_STEERING, // along the body, and the wheels' place is left at 0
    MANNERS
} told;

typedef struct bicycle {
    kerb_vehicle car;
    double x, y;
    float heading, speed, steering;
} bicycle;

static float drift(const bicycle* b, told how) {
    float curvature = kerb_curvature_of(&b->car, b->steering, b->speed);
    return how == TURNED ? kerb_atan(curvature * b->car.reference_to_rear_axle) : 0.0f;
}

static kerb_motion motion_of(const bicycle* b, told how, float height) {
    kerb_motion motion = kerb_motion_default();
    motion.position = kerb_vec3_make((float)b->x, (float)b->y, height);
    motion.rotation = kerb_quat_from_heading(b->heading);
    kerb_quat course = kerb_quat_from_heading(b->heading + drift(b, how));
    motion.velocity = kerb_vec3_scale(kerb_quat_forward(course), b->speed);
    float turns = b->speed * kerb_curvature_of(&b->car, b->steering, b->speed);
    motion.angular_velocity.z = how == WITHOUT_YAW ? 0.0f : turns;
    motion.steering = how == WITHOUT_STEERING ? 0.0f : b->steering;
    return motion;
}

static void move(bicycle* b, const kerb_controls* controls, told how) {
    const kerb_vehicle* car = &b->car;
    float push = car->acceleration_max * controls->throttle - car->braking_max * controls->brake;
    b->steering = controls->steering;
    b->speed = kerb_clamp(b->speed + push * STEP, 0.0f, car->speed_max);
    b->heading += b->speed * kerb_curvature_of(car, b->steering, b->speed) * STEP;
    double course = (double)(b->heading + drift(b, how));
    b->x += (double)(b->speed * STEP) * cos(course);
    b->y += (double)(b->speed * STEP) * sin(course);
}

static kerb_racing_line find_line(const char* name, const kerb_vehicle* car) {
    kerb_host host = kerb_host_default();
    kerb_scene_track track;
    kerb_path path;
    kerb_line_solver solver;
    kerb_racing_line line;
    kerb_performance limits = kerb_performance_of(car);
    kerb_line_settings settings = kerb_line_settings_default();
    settings.margin = 0.5f * car->width + 0.5f;
    assert_int_equal(kerb_scene_track_make(name, &host, &track, NULL), KERB_OK);
    assert_int_equal(
        kerb_path_create(&path, track.waypoints, track.count, track.closed, &host, NULL), KERB_OK);
    assert_int_equal(kerb_line_solver_create(&solver, &path, &limits, &settings, &host, NULL),
                     KERB_OK);
    kerb_line_solver_advance(&solver, INT32_MAX);
    assert_int_equal(kerb_racing_line_create(&line, &solver, 2.0f, &host, NULL), KERB_OK);
    kerb_line_solver_destroy(&solver);
    kerb_path_destroy(&path);
    kerb_scene_track_free(&track, &host);
    return line;
}

// Drives from standing; all laps must end, not much slower than the profile.
static void drive(const kerb_racing_line* line, const kerb_vehicle* car, told how) {
    kerb_racer racer = kerb_racer_make(car);
    kerb_line_point start = kerb_racing_line_at(line, 0.0);
    bicycle b = {*car, start.x, start.y, start.heading, 0.0f, 0.0f};
    double time = 0.0, most = 1.05 * line->time * LAPS + 10.0, outside = -1.0e9;
    while (racer.decision.total_distance < LAPS * line->length && time < most) {
        double at = racer.decision.distance;
        kerb_motion motion = motion_of(&b, how, (float)kerb_racing_line_at(line, at).z);
        kerb_controls controls = kerb_racer_drive(&racer, line, &motion, NULL, STEP);
        kerb_line_point p = kerb_racing_line_at(line, racer.decision.distance);
        float lane = racer.decision.lane_shift, edge = lane > 0.0f ? p.left : p.right;
        outside = fmax(outside, (double)((fabsf(lane) - 1.0f) * edge));
        move(&b, &controls, how);
        time += (double)STEP;
    }
    printf("host %d, reference %.1f m before the rear axle: %.1f s, profile %.1f s, nearest to the "
           "edge %.2f m\n",
           (int)how, (double)car->reference_to_rear_axle, time, LAPS * line->time, -outside);
    if (!(time < most) || outside > 0.0)
        fail_msg("host %d, reference %.1f m: after %.1f s at %.1f m, %.2f m outside", (int)how,
                 (double)car->reference_to_rear_axle, time, racer.decision.total_distance, outside);
}

static void a_car_that_goes_where_its_wheels_point_laps_on_the_track(void** state) {
    (void)state;
    static const char* const tracks[2] = {"vamos", "downs"};
    for (int32_t i = 0; i < 2 * MANNERS; i++) {
        kerb_vehicle car = kerb_vehicle_default();
        float moved = car.reference_to_rear_axle; // only the reference point; the body stays
        car.reference_to_rear_axle = i < MANNERS ? 0.0f : 0.5f * car.wheelbase;
        car.reference_to_front += moved - car.reference_to_rear_axle;
        kerb_racing_line line = find_line(tracks[i % 2], &car);
        drive(&line, &car, (told)(i % MANNERS));
        kerb_racing_line_destroy(&line);
    }
}

int racer_hosts_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_car_that_goes_where_its_wheels_point_laps_on_the_track),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
