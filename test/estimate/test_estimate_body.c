// What a body estimate learns of hosts in closed form and of the family, and what teaches nothing.
#include "kerb/kerb.h"
#include "scene/host/family_body.h"
#include "scene/host/family_drive.h"
#include "test/seed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define HZ 60.0f
#define SUB_STEPS 20

typedef enum tyre_shape { FLAT, PEAKED, RIGID } tyre_shape;

// A bicycle with a mass whose wheels obey at once. Axles slip by their compliance at small forces.
typedef struct bicycle {
    kerb_vehicle vehicle;
    float to_mass;     // from the axle that follows forward to the centre of mass [m]
    float to_point;    // … to the reference point [m]
    float index;       // radius of gyration² over the product of the axles' distances
    float rear, front; // compliances [rad s²/m]
    float grip;        // [m/s²]
    tyre_shape shape;
    float speed, side, yaw_rate; // side: at the centre of mass [m/s] [rad/s]
    float x, y, heading;
    bool tells_no_yaw_rate, tells_no_wheels;
    bool coarse; // one step a frame
} bicycle;

static bicycle bicycle_make(void) {
    bicycle b = {.vehicle = kerb_vehicle_default(),
                 .to_mass = 1.3f,
                 .to_point = 1.3f,
                 .index = 1.0f,
                 .rear = 0.006f,
                 .front = 0.006f,
                 .grip = 1000.0f,
                 .shape = FLAT,
                 .speed = 9.0f};
    b.vehicle.wheelbase = 2.7f;
    b.vehicle.reference_to_rear_axle = b.to_point;
    return b;
}

// Lateral force over the load's share at a slip angle. [m/s²]
static float tyre_force(const bicycle* b, float slip, float compliance) {
    float x = slip / (compliance * b->grip), size = kerb_abs(x);
    if (b->shape == FLAT)
        return b->grip * x / kerb_sqrt(1.0f + x * x);
    float rises = size / (1.0f + 0.25f * size * size);
    float share = size <= 2.0f ? rises : 0.78f + 0.22f * rises;
    return x < 0.0f ? -b->grip * share : b->grip * share;
}

static void bicycle_sub_step(bicycle* b, float angle, float step) {
    float length = b->vehicle.wheelbase, ahead = length - b->to_mass;
    if (b->shape == RIGID) {
        b->yaw_rate = b->speed * kerb_tan(angle) / length;
        b->side = b->to_mass * b->yaw_rate;
    } else {
        float rear_slip = kerb_atan2(b->to_mass * b->yaw_rate - b->side, b->speed);
        float front_slip = angle - kerb_atan2(b->side + ahead * b->yaw_rate, b->speed);
        float rear = tyre_force(b, rear_slip, b->rear) * ahead / length;
        float front = tyre_force(b, front_slip, b->front) * b->to_mass / length * kerb_cos(angle);
        b->side += (rear + front - b->yaw_rate * b->speed) * step;
        float inertia = b->index * ahead * b->to_mass;
        b->yaw_rate += (ahead * front - b->to_mass * rear) / inertia * step;
    }
    b->heading = kerb_wrap_angle(b->heading + b->yaw_rate * step);
    float sine, cosine;
    kerb_sin_cos(b->heading, &sine, &cosine);
    b->x += (b->speed * cosine - b->side * sine) * step;
    b->y += (b->speed * sine + b->side * cosine) * step;
}

static kerb_motion bicycle_step(bicycle* b, float steering, float step) {
    int32_t steps = b->coarse ? 1 : SUB_STEPS;
    for (int32_t i = 0; i < steps; i++)
        bicycle_sub_step(b, steering * b->vehicle.steering_angle_max, step / (float)steps);
    kerb_motion motion = kerb_motion_default();
    float sine, cosine, ahead = b->to_point - b->to_mass;
    kerb_sin_cos(b->heading, &sine, &cosine);
    float side = b->side + ahead * b->yaw_rate;
    motion.position = (kerb_vec3){b->x + ahead * cosine, b->y + ahead * sine, 0.0f};
    motion.rotation = kerb_quat_from_heading(b->heading);
    motion.velocity =
        (kerb_vec3){b->speed * cosine - side * sine, b->speed * sine + side * cosine, 0.0f};
    motion.angular_velocity.z = b->tells_no_yaw_rate ? 0.0f : b->yaw_rate;
    motion.steering = b->tells_no_wheels ? 0.0f : steering;
    return motion;
}

static kerb_controls commands(float steering) {
    kerb_controls controls = kerb_controls_safe(KERB_REASON_NONE);
    controls.brake = 0.0f;
    controls.gear = 1;
    controls.steering = steering;
    return controls;
}

// Ramps and pauses of the steering, and speeds that come and go.
typedef struct driver {
    kerb_random random;
    float steering, target, pause, most, pace; // pace: speed wanted [m/s]
} driver;

static driver driver_of(const char* test, float most) {
    return (driver){.random = test_random(test), .most = most, .pace = 9.0f};
}

static float driver_steer(driver* d, bicycle* b, float step) {
    d->pause -= step;
    if (d->pause < 0.0f) {
        d->target = kerb_random_between(&d->random, -d->most, d->most);
        d->pace = kerb_random_between(&d->random, 7.0f, 12.0f);
        d->pause = kerb_random_between(&d->random, 0.4f, 1.6f);
    }
    d->steering += kerb_clamp(d->target - d->steering, -1.2f * step, 1.2f * step);
    b->speed += kerb_clamp(d->pace - b->speed, -1.5f * step, 1.5f * step);
    return d->steering;
}

static void drive(bicycle* b, kerb_body_estimate* estimate, driver* d, float seconds) {
    float step = 1.0f / HZ;
    for (int32_t i = 0; i < (int32_t)(seconds * HZ); i++) {
        kerb_controls controls = commands(driver_steer(d, b, step));
        kerb_motion motion = bicycle_step(b, controls.steering, step);
        kerb_body_estimate_feed(estimate, &motion, &controls, NULL, step);
    }
    kerb_body_estimate_update(estimate);
}

static void a_body_estimate_begins_with_the_description(void** state) {
    (void)state;
    kerb_vehicle vehicle = kerb_vehicle_default();
    kerb_body_estimate estimate = kerb_body_estimate_make(&vehicle);
    assert_true(estimate.following_axle.value == vehicle.reference_to_rear_axle);
    assert_float_equal(estimate.grip.value, vehicle.lateral_acceleration_max,
                       0.1f * vehicle.lateral_acceleration_max);
    assert_false(estimate.following_axle.known || estimate.compliance.known ||
                 estimate.understeer_gradient.known || estimate.gyration_square.known ||
                 estimate.tyres.known || estimate.grip.known);
    kerb_vehicle same = kerb_body_estimate_vehicle(&estimate, &vehicle);
    assert_memory_equal(&same, &vehicle, sizeof vehicle);
}

static void it_learns_axles_and_inertia_in_closed_form(void** state) {
    (void)state;
    kerb_random random = test_random("body_pure");
    for (int32_t i = 0; i < 12; i++) {
        bicycle b = bicycle_make();
        b.to_mass = kerb_random_between(&random, 1.1f, 1.6f);
        b.to_point = kerb_random_between(&random, -0.5f, 3.2f);
        b.index = kerb_random_between(&random, 0.4f, 1.6f);
        b.rear = kerb_random_between(&random, 0.003f, 0.012f);
        b.front = b.rear * kerb_random_between(&random, 0.8f, 1.8f);
        b.vehicle.reference_to_rear_axle = b.to_point + kerb_random_between(&random, -0.3f, 0.3f);
        b.vehicle.reference_to_front = 3.5f - b.to_point;
        b.tells_no_yaw_rate = i % 3 == 0;
        kerb_body_estimate e = kerb_body_estimate_make(&b.vehicle);
        driver d = {.random = random, .most = 0.12f, .pace = 9.0f};
        drive(&b, &e, &d, 30.0f);
        random = d.random;
        float square = b.index * b.to_mass * (2.7f - b.to_mass);
        assert_true(e.following_axle.known && e.compliance.known && e.tyres.known);
        assert_float_equal(e.following_axle.value, b.to_point, 0.1f);
        assert_float_equal(e.compliance.value, b.rear, 0.2f * b.rear);
        assert_float_equal(e.gyration_square.value, square, 3.0f * e.gyration_square.deviation);
        assert_float_equal(e.gyration_square.value, square, 0.2f * square + 0.2f);
        assert_float_equal(e.understeer_gradient.value, b.front - b.rear,
                           0.1f * b.rear + 3.0f * e.understeer_gradient.deviation);
        assert_true(e.understeer_gradient.deviation < 0.8f * b.rear);
        assert_true(e.tyres.value > 0.95f);
        kerb_vehicle learned = kerb_body_estimate_vehicle(&e, &b.vehicle);
        assert_int_equal(kerb_vehicle_validate(&learned, NULL), KERB_OK);
        assert_true(learned.reference_to_rear_axle == e.following_axle.value);
    }
}

// Whose velocity is along the body at the reference point, or at its front axle.
static void a_host_without_tyres_is_told_from_one_with_them(void** state) {
    (void)state;
    const float points[] = {1.3f, 0.0f, 2.7f};
    for (size_t i = 0; i < sizeof points / sizeof *points; i++) {
        bicycle b = bicycle_make();
        b.shape = RIGID;
        b.to_point = points[i];
        kerb_body_estimate e = kerb_body_estimate_make(&b.vehicle);
        driver d = driver_of("body_rigid", 0.3f);
        drive(&b, &e, &d, 30.0f);
        assert_true(e.tyres.known && e.tyres.value < 0.05f);
        assert_true(e.compliance.value < 0.0005f);
        assert_true(e.following_axle.known);
        assert_float_equal(e.following_axle.value, points[i], 0.03f);
        assert_false(e.gyration_square.known);
    }
}

// Its places and its velocities tell of two axles.
static void an_engine_of_one_step_a_frame_makes_the_axle_less_sure(void** state) {
    (void)state;
    for (int32_t k = 0; k < 4; k++) {
        bicycle b = bicycle_make();
        b.shape = RIGID;
        b.to_point = 1.35f;
        b.coarse = k < 3;
        kerb_body_estimate e = kerb_body_estimate_make(&b.vehicle);
        driver d = driver_of("body_one_step", 0.2f);
        for (int32_t i = 0; i < (int32_t)(30.0f * HZ); i++) {
            kerb_controls controls = commands(driver_steer(&d, &b, 1.0f / HZ));
            if (b.coarse)
                b.speed = 7.0f + 3.0f * (float)k;
            kerb_motion motion = bicycle_step(&b, controls.steering, 1.0f / HZ);
            kerb_body_estimate_feed(&e, &motion, &controls, NULL, 1.0f / HZ);
        }
        kerb_body_estimate_update(&e);
        assert_true(kerb_abs(e.following_axle.value - 1.35f) < 2.0f * e.following_axle.deviation);
        assert_true(b.coarse || e.following_axle.known);
    }
}

// The front axle follows: the vehicle steers with its rear wheels.
static void rear_steering_is_found(void** state) {
    (void)state;
    bicycle b = bicycle_make();
    b.to_mass = -1.4f; // behind the axle that follows
    b.to_point = -1.4f;
    b.shape = RIGID;
    b.vehicle.reference_to_rear_axle = 1.3f;
    kerb_body_estimate e = kerb_body_estimate_make(&b.vehicle);
    driver d = driver_of("body_forklift", 0.3f);
    drive(&b, &e, &d, 20.0f);
    assert_float_equal(e.following_axle.value, -1.4f, 0.05f);
    kerb_vehicle learned = kerb_body_estimate_vehicle(&e, &b.vehicle);
    assert_int_equal(kerb_vehicle_validate(&learned, NULL), KERB_OK);
}

static void driving_straight_teaches_nothing_of_the_body(void** state) {
    (void)state;
    bicycle b = bicycle_make();
    kerb_body_estimate e = kerb_body_estimate_make(&b.vehicle), fresh = e;
    driver d = driver_of("body_straight", 0.0f);
    drive(&b, &e, &d, 60.0f);
    assert_false(e.following_axle.known || e.compliance.known || e.gyration_square.known ||
                 e.grip.known || e.understeer_gradient.known);
    assert_true(e.grip.deviation == fresh.grip.deviation);
    assert_true(e.excitation < 0.01f);
}

static void what_must_not_teach_changes_nothing(void** state) {
    (void)state;
    enum { STANDS, REVERSES, TOLD_NOT_TO, WHEEL_IN_THE_AIR, FALLS, LIES, HANDBRAKE, KINDS };
    bicycle b = bicycle_make();
    kerb_body_estimate learned = kerb_body_estimate_make(&b.vehicle);
    driver d = driver_of("body_frozen", 0.12f);
    drive(&b, &learned, &d, 20.0f);
    for (int32_t kind = 0; kind < KINDS; kind++) {
        kerb_body_estimate e = learned;
        bicycle other = b;
        other.rear = other.front = 0.015f;
        driver other_d = d;
        float fall = 0.0f;
        for (int32_t i = 0; i < 600; i++) {
            float step = 1.0f / HZ;
            kerb_controls controls = commands(driver_steer(&other_d, &other, step));
            kerb_motion motion = bicycle_step(&other, controls.steering, step);
            kerb_surroundings around = kerb_surroundings_default();
            if (kind == STANDS || kind == REVERSES)
                motion.velocity = kerb_vec3_scale(motion.velocity, kind == STANDS ? 0.0f : -1.0f);
            around.do_not_learn = kind == TOLD_NOT_TO;
            around.wheels_on_ground = kind == WHEEL_IN_THE_AIR ? 0.75f : 1.0f;
            fall -= KERB_GRAVITY / HZ;
            if (kind == FALLS)
                motion.velocity.z = fall;
            if (kind == LIES)
                motion.rotation = kerb_quat_from_angles(other.heading, 0.0f, 1.6f);
            controls.handbrake = kind == HANDBRAKE;
            kerb_body_estimate_feed(&e, &motion, &controls, &around, step);
        }
        kerb_body_estimate_update(&e);
        assert_true(e.taught < learned.taught + 0.3f);
        assert_float_equal(e.compliance.value, learned.compliance.value, 0.0005f);
    }
}

// --------------------------------------------------------------------------- grip

// Bends up to the limit and beyond, at about one speed; a slide is steered straight.
static void drive_hard(bicycle* b, kerb_body_estimate* estimate, driver* d, float seconds) {
    float step = 1.0f / HZ;
    for (int32_t i = 0; i < (int32_t)(seconds * HZ); i++) {
        float steering = driver_steer(d, b, step);
        if (kerb_abs(b->to_mass * b->yaw_rate - b->side) > 0.3f * b->speed)
            steering = d->steering = d->target = 0.0f;
        kerb_controls controls = commands(steering);
        kerb_motion motion = bicycle_step(b, steering, step);
        kerb_body_estimate_feed(estimate, &motion, &controls, NULL, step);
    }
    kerb_body_estimate_update(estimate);
}

static void grip_is_learned_up_and_down(void** state) {
    (void)state;
    const tyre_shape shapes[] = {FLAT, PEAKED};
    const float told[] = {0.7f, 1.0f, 1.35f};
    for (size_t k = 0; k < 2; k++)
        for (size_t i = 0; i < 3; i++) {
            bicycle b = bicycle_make();
            b.shape = shapes[k];
            b.grip = 7.0f;
            b.front = 0.008f; // understeers, so that it does not spin
            b.vehicle.lateral_acceleration_max = told[i] * b.grip;
            kerb_body_estimate e = kerb_body_estimate_make(&b.vehicle);
            driver gentle = driver_of("body_grip", 0.12f), hard = gentle;
            hard.most = 0.45f;
            drive(&b, &e, &gentle, 15.0f);
            drive_hard(&b, &e, &hard, 30.0f);
            assert_float_equal(e.grip.value, b.grip, 0.16f * b.grip);
            assert_true(kerb_abs(e.grip.value - b.grip) < 3.0f * e.grip.deviation);
            assert_true(e.grip_at_least < 1.02f * b.grip);
            assert_true(e.grip.deviation < 0.17f * b.grip);
            kerb_vehicle learned = kerb_body_estimate_vehicle(&e, &b.vehicle);
            assert_true(learned.lateral_acceleration_max ==
                        (e.grip.known ? e.grip.value : b.vehicle.lateral_acceleration_max));
        }
}

static void gentle_driving_leaves_the_grip_as_it_was_told(void** state) {
    (void)state;
    bicycle b = bicycle_make();
    b.grip = 9.0f;
    b.vehicle.lateral_acceleration_max = 9.0f;
    kerb_body_estimate e = kerb_body_estimate_make(&b.vehicle);
    kerb_body_estimate fresh = e;
    driver d = driver_of("body_gentle", 0.08f);
    drive(&b, &e, &d, 60.0f);
    assert_false(e.grip.known);
    assert_float_equal(e.grip.value, fresh.grip.value, 0.15f * fresh.grip.value);
    assert_true(e.grip.deviation > 0.5f * fresh.grip.deviation);
}

// On ground of half the grip the vehicle holds half, and its own grip is as before.
static void the_hosts_grip_of_the_ground_is_not_taken_for_the_vehicles(void** state) {
    (void)state;
    bicycle b = bicycle_make();
    b.grip = 7.0f;
    b.front = 0.008f;
    b.vehicle.lateral_acceleration_max = 7.0f;
    kerb_body_estimate e = kerb_body_estimate_make(&b.vehicle);
    driver d = driver_of("body_ice", 0.12f);
    drive(&b, &e, &d, 15.0f);
    b.grip = 3.5f;
    for (int32_t i = 0; i < (int32_t)(20.0f * HZ); i++) {
        float steering = 2.0f * driver_steer(&d, &b, 1.0f / HZ);
        kerb_controls controls = commands(steering);
        kerb_motion motion = bicycle_step(&b, steering, 1.0f / HZ);
        kerb_surroundings around = kerb_surroundings_default();
        around.grip = 0.5f;
        kerb_body_estimate_feed(&e, &motion, &controls, &around, 1.0f / HZ);
    }
    kerb_body_estimate_update(&e);
    assert_float_equal(e.grip.value, 7.0f, 0.9f);
}

// --------------------------------------------------------------------------- objects

static float any_bits(kerb_random* random) {
    switch (kerb_random_below(random, 6)) {
    case 0:
        return NAN;
    case 1:
        return INFINITY;
    case 2:
        return -1.0e30f;
    case 3:
        return 1.0e-42f;
    case 4:
        return 0.0f;
    default:
        return kerb_random_between(random, -100.0f, 100.0f);
    }
}

static void assert_sound(const kerb_body_estimate* e) {
    const kerb_estimated values[] = {e->following_axle,  e->compliance, e->understeer_gradient,
                                     e->gyration_square, e->tyres,      e->grip,
                                     e->slide_grip};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        assert_true(kerb_is_finite(values[i].value) && kerb_is_finite(values[i].deviation) &&
                    values[i].deviation > 0.0f);
    assert_true(kerb_is_finite(e->grip_at_least) && e->grip_at_least > 0.0f);
    kerb_vehicle learned = kerb_body_estimate_vehicle(e, &e->vehicle);
    assert_int_equal(kerb_vehicle_validate(&learned, NULL), KERB_OK);
}

static void hostile_frames_never_make_a_body_estimate_unsound(void** state) {
    (void)state;
    kerb_random random = test_random("body_hostile");
    bicycle b = bicycle_make();
    kerb_body_estimate e = kerb_body_estimate_make(&b.vehicle);
    driver d = {.random = random, .most = 0.4f, .pace = 9.0f};
    for (int32_t i = 0; i < 30000; i++) {
        float step = 1.0f / HZ;
        kerb_controls controls = commands(driver_steer(&d, &b, step));
        b.grip = 9.0f;
        if (kerb_abs(b.side) > 20.0f)
            b.side = b.yaw_rate = 0.0f;
        kerb_motion motion = bicycle_step(&b, controls.steering, step);
        kerb_surroundings around = kerb_surroundings_default();
        float* const numbers[] = {&motion.position.x,      &motion.position.z,
                                  &motion.rotation.w,      &motion.rotation.x,
                                  &motion.velocity.x,      &motion.velocity.z,
                                  &motion.steering,        &motion.angular_velocity.z,
                                  &controls.steering,      &step,
                                  &motion.wheel_slip,      &around.grip,
                                  &around.wheels_on_ground};
        if (kerb_random_below(&random, 4) == 0)
            *numbers[kerb_random_below(&random, 13)] = any_bits(&random);
        kerb_body_estimate_feed(&e, &motion, &controls, &around, step);
        if (i % 50 == 0) {
            kerb_body_estimate_update(&e);
            assert_sound(&e);
        }
    }
    assert_true(e.bad_frames > 0);
}

static void assert_same(const kerb_body_estimate* a, const kerb_body_estimate* b) {
    const float pairs[][2] = {{a->following_axle.value, b->following_axle.value},
                              {a->compliance.value, b->compliance.value},
                              {a->understeer_gradient.value, b->understeer_gradient.value},
                              {a->gyration_square.value, b->gyration_square.value},
                              {a->grip.value, b->grip.value},
                              {a->tyres.deviation, b->tyres.deviation},
                              {a->taught, b->taught}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        assert_memory_equal(&pairs[i][0], &pairs[i][1], sizeof(float));
}

static void a_copy_and_a_saved_body_estimate_learn_the_same_bits(void** state) {
    (void)state;
    bicycle b = bicycle_make();
    kerb_body_estimate first = kerb_body_estimate_make(&b.vehicle);
    driver d = driver_of("body_copies", 0.12f);
    drive(&b, &first, &d, 3.0f);
    kerb_body_estimate second = first, third = kerb_body_estimate_make(&b.vehicle);
    size_t size = kerb_body_estimate_save(&first, NULL, 0);
    void* block = malloc(size);
    assert_non_null(block);
    assert_int_equal(kerb_body_estimate_save(&first, block, size), size);
    assert_int_equal(kerb_body_estimate_load(&third, block, size, NULL), KERB_OK);
    free(block);
    kerb_body_estimate* const all[] = {&first, &second, &third};
    for (int32_t i = 0; i < 3; i++) {
        bicycle b_copy = b;
        driver d_copy = d;
        drive(&b_copy, all[i], &d_copy, 5.0f);
    }
    assert_same(&first, &second);
    assert_same(&first, &third);
}

static void a_body_estimate_is_reset_and_merged(void** state) {
    (void)state;
    bicycle b = bicycle_make();
    b.to_point = 1.6f;
    kerb_body_estimate teacher = kerb_body_estimate_make(&b.vehicle);
    driver d = driver_of("body_merge", 0.12f);
    drive(&b, &teacher, &d, 20.0f);
    kerb_body_estimate pupil = kerb_body_estimate_make(&b.vehicle);
    kerb_body_estimate_merge(&pupil, &teacher, 0.5f);
    assert_float_equal(pupil.following_axle.value, 1.6f, 0.06f);
    assert_true(pupil.following_axle.deviation >= 0.9f * teacher.following_axle.deviation);
    kerb_vehicle other = b.vehicle;
    other.mass *= 1.1f;
    kerb_body_estimate stranger = kerb_body_estimate_make(&other);
    kerb_body_estimate_merge(&stranger, &teacher, 1.0f);
    assert_true(stranger.following_axle.value == other.reference_to_rear_axle);
    kerb_body_estimate_reset(&teacher);
    kerb_body_estimate fresh = kerb_body_estimate_make(&b.vehicle);
    assert_memory_equal(&teacher, &fresh, sizeof fresh);
}

static void it_goes_on_where_the_origin_moves(void** state) {
    (void)state;
    bicycle b = bicycle_make();
    kerb_body_estimate e = kerb_body_estimate_make(&b.vehicle);
    driver d = driver_of("body_origin", 0.12f);
    for (int32_t i = 0; i < 20; i++) {
        drive(&b, &e, &d, 1.0f);
        kerb_vec3 origin = {b.x, b.y, 0.0f};
        kerb_body_estimate_shift_origin(&e, origin);
        b.x = b.y = 0.0f;
    }
    assert_int_equal(e.bad_frames, 0);
    assert_float_equal(e.following_axle.value, 1.3f, 0.05f);
    assert_float_equal(e.compliance.value, 0.006f, 0.0008f);
}

// Within 600 m of the origin, where places tell lateral distances.
static void moves_of_the_origin_change_nothing_that_is_learned(void** state) {
    (void)state;
    bicycle b[2] = {bicycle_make(), bicycle_make()};
    kerb_body_estimate e[2];
    for (int32_t k = 0; k < 2; k++) {
        driver d = driver_of("body_shifts", 0.12f);
        e[k] = kerb_body_estimate_make(&b[k].vehicle);
        float at = 400.0f;
        for (int32_t i = 0; i < 20; i++) {
            float by = i % 2 == 0 ? 1000.0f : -1000.0f;
            for (int32_t n = 0; n < (int32_t)HZ; n++) {
                kerb_controls controls = commands(driver_steer(&d, &b[k], 1.0f / HZ));
                kerb_motion motion = bicycle_step(&b[k], controls.steering, 1.0f / HZ);
                motion.position.x += at;
                kerb_body_estimate_feed(&e[k], &motion, &controls, NULL, 1.0f / HZ);
            }
            if (k == 0)
                continue;
            kerb_body_estimate_shift_origin(&e[k], (kerb_vec3){by, 0.0f, 0.0f});
            at -= by;
        }
        kerb_body_estimate_update(&e[k]);
    }
    assert_float_equal(e[1].taught, e[0].taught, 0.01f);
    assert_float_equal(e[1].following_axle.value, e[0].following_axle.value, 0.01f);
    assert_float_equal(e[1].compliance.value, e[0].compliance.value, 0.0001f);
    assert_float_equal(e[1].compliance.deviation, e[0].compliance.deviation, 0.0001f);
    assert_float_equal(e[1].misfit, e[0].misfit, 0.1f * e[0].misfit);
}

// Understeer that the description tells and the vehicle does not have, or the other way round. It
// must not count twice, whichever of lock and gradient is put in first.
static void lock_and_gradient_together_give_the_curvature_that_was_driven(void** state) {
    (void)state;
    kerb_random random = test_random("body_understeer");
    int32_t known = 0;
    for (int32_t i = 0; i < 6; i++) {
        bicycle b = bicycle_make();
        float lock = b.vehicle.steering_angle_max, true_gradient = i % 2 == 0 ? 0.0f : 0.008f;
        b.front = b.rear + true_gradient;
        b.vehicle.understeer_gradient = 0.008f - true_gradient;
        kerb_estimate steering = kerb_estimate_make(&b.vehicle);
        kerb_body_estimate e = kerb_body_estimate_make(&b.vehicle);
        driver d = {.random = random, .most = 0.2f, .pace = 9.0f};
        for (int32_t k = 0; k < (int32_t)(60.0f * HZ); k++) {
            kerb_controls controls = commands(driver_steer(&d, &b, 1.0f / HZ));
            kerb_motion motion = bicycle_step(&b, controls.steering, 1.0f / HZ);
            kerb_body_estimate_feed(&e, &motion, &controls, NULL, 1.0f / HZ);
            kerb_estimate_feed(&steering, &motion, &controls, NULL, 1.0f / HZ);
        }
        random = d.random;
        kerb_body_estimate_update(&e);
        kerb_estimate_update(&steering);
        assert_true(steering.steering_gain.known);
        known += e.understeer_gradient.known;
        kerb_vehicle learned[4];
        learned[0] = kerb_estimate_vehicle(&steering, &b.vehicle);
        learned[0] = kerb_body_estimate_vehicle(&e, &learned[0]);
        learned[1] = kerb_body_estimate_vehicle(&e, &b.vehicle);
        assert_true(learned[1].steering_angle_max == lock); // nothing taught this one
        learned[1] = kerb_estimate_vehicle(&steering, &learned[1]);
        learned[2] = kerb_body_estimate_vehicle(&e, &learned[0]); // once more
        learned[3] = kerb_estimate_vehicle(&steering, &learned[2]);
        float wanted = kerb_tan(0.3f * lock) / (2.7f + true_gradient * 81.0f);
        for (int32_t k = 0; k < 4; k++) {
            assert_int_equal(kerb_vehicle_validate(&learned[k], NULL), KERB_OK);
            float gives = kerb_curvature_of(&learned[k], 0.3f, 9.0f);
            assert_float_equal(gives, wanted, 0.1f * wanted);
            assert_float_equal(gives, kerb_curvature_of(&learned[0], 0.3f, 9.0f), 0.03f * wanted);
        }
    }
    assert_true(known >= 3);
}

// --------------------------------------------------------------------------- family

static void its_doubt_of_the_body_is_honest_on_the_family(void** state) {
    (void)state;
    enum { HOSTS = 40 };
    int32_t honest = 0, near = 0, count = 0;
    for (uint64_t seed = 5000; seed < 5000 + HOSTS; seed++) {
        kerb_family_drive drive;
        kerb_family_drive_make(&drive, seed);
        kerb_body_estimate e = kerb_body_estimate_make(&drive.host.vehicle);
        while (drive.time < 50.0 && (drive.begun < 0.0 || drive.time < drive.begun + 20.0)) {
            kerb_controls controls;
            float step = kerb_family_drive_step(&drive, &controls);
            kerb_motion motion = kerb_family_motion(&drive.host);
            kerb_body_estimate_feed(&e, &motion, &controls, NULL, step);
        }
        kerb_body_estimate_update(&e);
        kerb_family_body truth = kerb_family_body_of(&drive.host, drive.speed);
        const float errors[] = {e.following_axle.value - truth.following_axle,
                                e.compliance.value - truth.compliance,
                                e.gyration_square.value - truth.gyration_square};
        const float deviations[] = {e.following_axle.deviation, e.compliance.deviation,
                                    e.gyration_square.deviation};
        const float least[] = {0.04f * drive.host.truth.wheelbase, 0.2f * truth.compliance,
                               0.2f * truth.gyration_square};
        for (int32_t i = 0; i < (truth.tyres ? 3 : 1); i++) {
            honest += kerb_abs(errors[i]) <= 2.0f * deviations[i];
            near += kerb_abs(errors[i]) <= least[i];
            count++;
        }
    }
    print_message("%d of %d within two deviations, %d near\n", (int)honest, (int)count, (int)near);
    assert_true(honest >= count * 88 / 100);
    assert_true(near >= count * 80 / 100);
}

int estimate_body_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_body_estimate_begins_with_the_description),
        cmocka_unit_test(it_learns_axles_and_inertia_in_closed_form),
        cmocka_unit_test(a_host_without_tyres_is_told_from_one_with_them),
        cmocka_unit_test(an_engine_of_one_step_a_frame_makes_the_axle_less_sure),
        cmocka_unit_test(rear_steering_is_found),
        cmocka_unit_test(driving_straight_teaches_nothing_of_the_body),
        cmocka_unit_test(what_must_not_teach_changes_nothing),
        cmocka_unit_test(grip_is_learned_up_and_down),
        cmocka_unit_test(gentle_driving_leaves_the_grip_as_it_was_told),
        cmocka_unit_test(the_hosts_grip_of_the_ground_is_not_taken_for_the_vehicles),
        cmocka_unit_test(hostile_frames_never_make_a_body_estimate_unsound),
        cmocka_unit_test(a_copy_and_a_saved_body_estimate_learn_the_same_bits),
        cmocka_unit_test(a_body_estimate_is_reset_and_merged),
        cmocka_unit_test(it_goes_on_where_the_origin_moves),
        cmocka_unit_test(moves_of_the_origin_change_nothing_that_is_learned),
        cmocka_unit_test(lock_and_gradient_together_give_the_curvature_that_was_driven),
        cmocka_unit_test(its_doubt_of_the_body_is_honest_on_the_family),
    };
    return cmocka_run_group_tests_name("estimate_body", tests, NULL, NULL);
}
