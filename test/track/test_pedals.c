// The pedal law, on a mass that does what its description says: what is asked for is reached, and
// what the tyres leave stays in the circle.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kerb/kerb.h"
#include "src/track/shared.h"
#include "test/seed.h"

#include <math.h>
#include <string.h>

// A mass on a slope, driven by the law.
typedef struct mass {
    kerb_vehicle vehicle;
    kerb_motion motion;
    kerb_pedals_memory memory;
    kerb_controls controls;
    kerb_in_pedals_wish wish;
    float travel, slope; // sine of the slope along the travel
    float step;
    double speed, way; // along the travel
    int32_t waits;     // times that it began to wait on a hill
} mass;

static mass mass_at(kerb_random* random, float speed) {
    mass m = {.vehicle = kerb_vehicle_default(), .motion = kerb_motion_default()};
    m.vehicle.acceleration_max = kerb_random_between(random, 2.0f, 6.0f);
    m.vehicle.reverse_acceleration_max = m.vehicle.acceleration_max;
    m.vehicle.braking_max = kerb_random_between(random, 5.0f, 10.0f);
    m.vehicle.power = 400.0f * m.vehicle.mass; // which does not limit it here
    m.travel = 1.0f;
    m.step = 1.0f / kerb_random_between(random, 20.0f, 120.0f);
    m.speed = (double)speed;
    m.memory.speed_command = speed;
    m.controls = kerb_controls_safe(KERB_REASON_NONE);
    m.controls.brake = 0.0f;
    m.wish = (kerb_in_pedals_wish){
        .speed = 100.0f, .soon = 1.0e6f, .acceleration = 2.0f, .deceleration = 3.0f, .rolls = 0.5f};
    return m;
}

static kerb_in_track_frame frame_of(const mass* m) {
    float level = sqrtf(1.0f - m->slope * m->slope);
    return (kerb_in_track_frame){.vehicle = &m->vehicle,
                                 .motion = &m->motion,
                                 .travel = m->travel,
                                 .heading = {level, 0.0f, m->slope},
                                 .speed = (float)m->speed,
                                 .grip = 1.0f,
                                 .climb = m->slope,
                                 .radius = 6.0f,
                                 .scale = 1.0f,
                                 .time_step = m->step};
}

static void press(mass* m) {
    const kerb_speed_settings settings = {.proportional = 1.5f, .integral = 0.5f};
    kerb_in_track_frame frame = frame_of(m);
    kerb_controls before = m->controls;
    m->wish.controls = &before;
    kerb_in_pedals_force force = kerb_in_pedals_force_for(&m->memory, &frame, &settings, &m->wish);
    m->controls.handbrake = false;
    m->controls.reason = KERB_REASON_NONE;
    kerb_pedals(&m->vehicle, force.force, force.capacity, &m->controls);
    m->waits += kerb_in_pedals_press(&m->memory, &frame, &m->wish, &m->controls);
}

// Pedals act at once; brake and resistance only stop.
static void move(mass* m) {
    double push = (double)(m->controls.throttle *
                           kerb_full_throttle_acceleration(&m->vehicle, (float)m->speed, false)) -
                  9.81 * (double)m->slope;
    double holds = (double)(m->controls.brake * m->vehicle.braking_max +
                            kerb_coasting_deceleration(&m->vehicle, (float)m->speed)) +
                   (m->controls.handbrake ? 5.0 : 0.0);
    double step = (double)m->step, before = m->speed;
    m->speed += push * step;
    double stops = holds * step;
    m->speed = m->speed > 0.0 ? fmax(m->speed - stops, 0.0) : fmin(m->speed + stops, 0.0);
    m->way += 0.5 * (before + m->speed) * step;
    m->motion.velocity = kerb_vec3_make((float)m->speed, 0.0f, 0.0f);
}

static void run(mass* m, double seconds) {
    for (double time = 0.0; time < seconds; time += (double)m->step) {
        press(m);
        move(m);
    }
}

static void it_accelerates_as_asked_for_on_any_slope(void** state) {
    (void)state;
    kerb_random random = test_random("accelerates");
    for (int i = 0; i < 200; i++) {
        mass m = mass_at(&random, kerb_random_between(&random, 2.0f, 10.0f));
        m.slope = kerb_random_between(&random, -0.1f, 0.05f);
        m.wish.acceleration = kerb_random_between(&random, 0.3f, 1.2f);
        run(&m, 1.0);
        double before = m.speed;
        run(&m, 2.0);
        assert_true(fabs((m.speed - before) / 2.0 - (double)m.wish.acceleration) < 0.08);
    }
}

// g · sin(slope) and what the closed throttle brakes, from the first frame on, without having
// lacked anything before.
static void what_slope_and_resistance_take_is_known_ahead(void** state) {
    (void)state;
    kerb_random random = test_random("known ahead");
    const kerb_speed_settings settings = {.proportional = 1.5f, .integral = 0.5f};
    for (int i = 0; i < 200; i++) {
        mass m = mass_at(&random, kerb_random_between(&random, 3.0f, 15.0f));
        m.slope = kerb_random_between(&random, 0.0f, 0.1f);
        m.wish.speed = (float)m.speed;
        m.wish.controls = &m.controls;
        kerb_in_track_frame frame = frame_of(&m);
        kerb_in_pedals_force force =
            kerb_in_pedals_force_for(&m.memory, &frame, &settings, &m.wish);
        float takes = 9.81f * m.slope + kerb_coasting_deceleration(&m.vehicle, (float)m.speed);
        assert_true(fabsf(force.force - force.acceleration - takes) < 0.01f);
    }
}

static void it_holds_a_speed_on_any_slope(void** state) {
    (void)state;
    kerb_random random = test_random("holds");
    for (int i = 0; i < 200; i++) {
        mass m = mass_at(&random, kerb_random_between(&random, 3.0f, 20.0f));
        m.slope = kerb_random_between(&random, -0.12f, 0.05f);
        m.wish.speed = (float)m.speed + kerb_random_between(&random, -2.0f, 2.0f);
        run(&m, 12.0);
        assert_true(fabs(m.speed - (double)m.wish.speed) < 0.1);
    }
}

// The braking that ends at the stop is v² / 2d, frame by frame.
static void it_stops_where_the_braking_ends(void** state) {
    (void)state;
    kerb_random random = test_random("stops");
    for (int i = 0; i < 200; i++) {
        float speed = kerb_random_between(&random, 5.0f, 20.0f);
        mass m = mass_at(&random, speed);
        m.slope = kerb_random_between(&random, -0.08f, 0.08f);
        double stop = (double)(speed * speed) / 6.0;
        for (double time = 0.0; time < 20.0 && m.speed > 0.0; time += (double)m.step) {
            double left = fmax(stop - m.way, 0.01);
            double there = left < 0.05 ? 1.5 : 0.0; // now
            m.wish.knows = true;
            m.wish.known = -(float)fmax(m.speed * m.speed / (2.0 * left), there);
            m.wish.speed = (float)sqrt(6.0 * left);
            press(&m);
            move(&m);
        }
        assert_true(fabs(m.way - stop) < 0.1);
    }
}

static kerb_in_pedals_room room_of(mass* m, float slip, float yaw_rate, float grip) {
    float left = tanf(slip) * (float)m->speed +
                 m->vehicle.reference_to_rear_axle * yaw_rate; // of the reference point
    m->motion.velocity = kerb_vec3_make((float)m->speed, left, 0.0f);
    m->motion.angular_velocity.z = yaw_rate;
    kerb_in_track_frame frame = frame_of(m);
    frame.grip = grip;
    frame.bend = yaw_rate / (float)m->speed;
    return kerb_in_pedals_room_of(&frame, 0.0f);
}

// Brakes that act late: after some stops it stands where it was to stop.
static void where_it_stood_teaches_how_late_the_brakes_are(void** state) {
    (void)state;
    kerb_random random = test_random("late");
    for (int i = 0; i < 200; i++) {
        mass m = mass_at(&random, 0.0f);
        const double late = (double)kerb_random_between(&random, 0.0f, 0.5f);
        const float from = kerb_random_between(&random, 2.0f, 10.0f);
        double missed = 0.0;
        for (int stop = 0; stop < 12; stop++) {
            // Rolls on for that time, then brakes as planned.
            double way = 0.5 * (double)from * (double)from / 3.0, speed = (double)from;
            double left = way + (double)from * (double)m.memory.late;
            m.speed = speed;
            kerb_in_track_frame frame = frame_of(&m);
            const kerb_in_pedals_stop ahead = {(float)left, 3.0f};
            assert_true(fabs((double)kerb_in_pedals_stop_speed(&m.memory, &ahead) - speed) < 0.01);
            float braking = kerb_in_pedals_stop_braking(&m.memory, &frame, &ahead);
            missed = speed * late + 0.5 * speed * speed / (double)braking - left;
            kerb_in_pedals_stood(&m.memory, 1.0f, -(float)missed);
        }
        assert_true(fabs(missed) < 0.05);
        assert_true(fabs((double)m.memory.late - late) < 0.01);
    }
}

// What did not brake for a stop tells nothing.
static void standing_teaches_nothing_without_braking(void** state) {
    (void)state;
    kerb_pedals_memory memory = {0};
    kerb_in_pedals_stood(&memory, 1.0f, -2.0f);
    assert_true(memory.late == 0.0f);
}

static void a_creeping_vehicle_is_held_by_its_handbrake_where_it_wants_to_stand(void** state) {
    (void)state;
    kerb_random random = test_random("creep");
    for (int i = 0; i < 200; i++) {
        mass m = mass_at(&random, kerb_random_between(&random, 0.05f, 0.45f));
        kerb_in_track_frame frame = frame_of(&m);
        frame.scale = kerb_random_between(&random, 0.1f, 2.0f);
        kerb_controls controls = {.brake = 1.0f};
        m.wish.speed = 0.0f;
        kerb_in_pedals_press(&m.memory, &frame, &m.wish, &controls);
        assert_true(controls.handbrake);
        controls = (kerb_controls){.brake = 1.0f};
        m.wish.speed = 1.0f;
        kerb_in_pedals_press(&m.memory, &frame, &m.wish, &controls);
        assert_false(controls.handbrake);
    }
}

static void drive_and_bend_stay_in_the_circle_of_one_axle(void** state) {
    (void)state;
    kerb_random random = test_random("circle");
    for (int i = 0; i < 5000; i++) {
        mass m = mass_at(&random, kerb_random_between(&random, 1.0f, 40.0f));
        float grip = kerb_random_between(&random, 0.1f, 1.5f);
        float most = m.vehicle.lateral_acceleration_max * grip;
        float tyres = fmaxf(m.vehicle.braking_max * grip, most);
        float share = kerb_random_between(&random, 0.0f, 1.5f);
        float side = kerb_random_below(&random, 2) == 0 ? 1.0f : -1.0f;
        kerb_in_pedals_room room = room_of(&m, 0.0f, side * share * most / (float)m.speed, grip);
        float axle =
            fmaxf(m.vehicle.acceleration_max, 0.5f * m.vehicle.lateral_acceleration_max) * grip;
        float used = room.push / axle;
        assert_true(used * used + fminf(share * share, 1.0f) < 1.001f);
        assert_true(room.brake / tyres + fminf(share, 1.0f) < 1.101f);
        assert_true(room.push >= 0.0f && room.brake > 0.0f);
    }
}

static void all_of_the_axle_drives_on_a_straight(void** state) {
    (void)state;
    kerb_random random = test_random("straight");
    for (int i = 0; i < 500; i++) {
        mass m = mass_at(&random, kerb_random_between(&random, 1.0f, 40.0f));
        kerb_in_pedals_room room = room_of(&m, 0.0f, 0.0f, 1.0f);
        assert_true(room.push >= m.vehicle.acceleration_max);
        assert_true(room.brake >= 0.8f * m.vehicle.braking_max);
    }
}

// It turns more than its wheels stand for: so slide rear wheels that steer.
static void a_vehicle_that_turns_too_far_gets_less_drive(void** state) {
    (void)state;
    kerb_random random = test_random("turns");
    for (int i = 0; i < 1000; i++) {
        mass m = mass_at(&random, kerb_random_between(&random, 8.0f, 40.0f));
        float slip = kerb_random_between(&random, 0.29f, 1.2f), speed = (float)m.speed;
        float side = kerb_random_below(&random, 2) == 0 ? 1.0f : -1.0f;
        float yaw_rate = side * slip * speed / m.vehicle.wheelbase;
        m.motion.velocity =
            kerb_vec3_make(speed, m.vehicle.reference_to_rear_axle * yaw_rate, 0.0f);
        m.motion.angular_velocity.z = yaw_rate;
        kerb_in_track_frame frame = frame_of(&m);
        frame.grip = 1000.0f; // which leaves the bend out
        frame.radius = 0.001f;
        assert_true(kerb_in_pedals_room_of(&frame, 0.0f).push == 0.0f);
        frame.bend = yaw_rate / speed;
        assert_true(kerb_in_pedals_room_of(&frame, 0.0f).push > 0.0f);
        frame.bend = 2.0f * yaw_rate / speed; // it turns less
        assert_true(kerb_in_pedals_room_of(&frame, 0.0f).push > 0.0f);
    }
}

static void a_rear_axle_that_slides_gets_no_drive(void** state) {
    (void)state;
    kerb_random random = test_random("slides");
    for (int i = 0; i < 1000; i++) {
        mass m = mass_at(&random, kerb_random_between(&random, 8.0f, 40.0f));
        float slip = kerb_random_between(&random, 0.29f, 1.2f);
        if (kerb_random_below(&random, 2) == 0)
            slip = -slip;
        assert_true(room_of(&m, slip, 0.0f, 1.0f).push == 0.0f);
        // But brakes are not given up for what the wheels stand aside.
        assert_true(room_of(&m, slip, 0.0f, 1.0f).brake >= 0.8f * m.vehicle.braking_max);
    }
}

static void so_slow_that_nothing_slides_a_slip_takes_no_drive(void** state) {
    (void)state;
    kerb_random random = test_random("slow");
    for (int i = 0; i < 1000; i++) {
        mass m = mass_at(&random, kerb_random_between(&random, 0.3f, 1.0f));
        float slip = kerb_random_between(&random, -0.6f, 0.6f);
        assert_true(room_of(&m, slip, 0.0f, 1.0f).push > 0.9f * m.vehicle.acceleration_max);
    }
}

static void on_a_hill_that_is_too_steep_it_waits_and_does_not_roll_down(void** state) {
    (void)state;
    kerb_random random = test_random("steep");
    for (int i = 0; i < 50; i++) {
        mass m = mass_at(&random, 0.0f);
        m.vehicle.braking_max = 10.0f; // which holds on any of them
        m.slope = 0.1f * m.vehicle.acceleration_max * kerb_random_between(&random, 1.15f, 1.4f);
        run(&m, 20.0);
        assert_true(m.waits > 1);
        assert_true(m.way > -1.0);
    }
}

static void a_vehicle_that_shall_stand_is_braked_and_forgets_what_it_lacked(void** state) {
    (void)state;
    kerb_random random = test_random("stands");
    mass m = mass_at(&random, 0.0f);
    m.memory.speed_control.integral_term = 2.0f;
    m.wish.stands = true;
    press(&m);
    assert_true(m.controls.throttle == 0.0f && m.controls.brake == 1.0f);
    assert_true(m.memory.speed_control.integral_term == 0.0f);
}

static void rolling_back_it_brakes_before_it_drives(void** state) {
    (void)state;
    kerb_random random = test_random("rolls");
    mass m = mass_at(&random, 0.0f);
    m.speed = -0.6;
    press(&m);
    assert_true(m.controls.throttle == 0.0f && m.controls.brake > 0.5f);
    m.speed = -0.4;
    press(&m);
    assert_true(m.controls.throttle > 0.0f);
}

int pedals_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_accelerates_as_asked_for_on_any_slope),
        cmocka_unit_test(what_slope_and_resistance_take_is_known_ahead),
        cmocka_unit_test(it_holds_a_speed_on_any_slope),
        cmocka_unit_test(it_stops_where_the_braking_ends),
        cmocka_unit_test(drive_and_bend_stay_in_the_circle_of_one_axle),
        cmocka_unit_test(all_of_the_axle_drives_on_a_straight),
        cmocka_unit_test(a_rear_axle_that_slides_gets_no_drive),
        cmocka_unit_test(a_vehicle_that_turns_too_far_gets_less_drive),
        cmocka_unit_test(where_it_stood_teaches_how_late_the_brakes_are),
        cmocka_unit_test(standing_teaches_nothing_without_braking),
        cmocka_unit_test(a_creeping_vehicle_is_held_by_its_handbrake_where_it_wants_to_stand),
        cmocka_unit_test(so_slow_that_nothing_slides_a_slip_takes_no_drive),
        cmocka_unit_test(on_a_hill_that_is_too_steep_it_waits_and_does_not_roll_down),
        cmocka_unit_test(a_vehicle_that_shall_stand_is_braked_and_forgets_what_it_lacked),
        cmocka_unit_test(rolling_back_it_brakes_before_it_drives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
