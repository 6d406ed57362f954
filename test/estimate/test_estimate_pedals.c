// What an estimate of pedals learns of closed-form hosts and of the family, and what teaches it
// nothing.
#include "kerb/kerb.h"
#include "scene/host/family_pedals.h"
#include "test/seed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define HZ 60.0f
#define COMMANDS 256 // a ring

// A host in closed form, on a straight road: acceleration of earlier pedals, losses, a slope.
typedef struct pure_car {
    kerb_vehicle vehicle;
    float drive, power; // greatest acceleration and power over mass
    float braking;      // [m/s²]
    float exponent;     // of the throttle
    float rolling, drag;
    float spins_at; // acceleration at which the wheels spin [m/s²]
    float pause;    // of its gearbox every third second [s]
    float slope;    // climb over distance
    float squat;    // pitch per acceleration [rad s²/m]
    float creep;    // [m/s]
    int32_t delay;  // [frames]
    float speed, x, time;
    kerb_controls commands[COMMANDS];
    int32_t count;
    float acceleration;
} pure_car;

static pure_car pure_car_make(void) {
    kerb_vehicle v = kerb_vehicle_default();
    v.lateral_acceleration_max = 12.0f; // tyres that hold what the brakes ask
    return (pure_car){.vehicle = v,
                      .drive = v.acceleration_max + v.coasting_deceleration,
                      .power = v.power / v.mass,
                      .braking = v.braking_max,
                      .exponent = 1.0f,
                      .rolling = v.coasting_deceleration,
                      .drag = v.drag,
                      .spins_at = 100.0f};
}

static float pure_press(const pure_car* car, float press) {
    return car->exponent == 0.5f ? kerb_sqrt(press) : press;
}

static kerb_motion pure_car_step(pure_car* car, const kerb_controls* given, float step) {
    car->commands[car->count++ % COMMANDS] = *given;
    int32_t then = car->count - 1 - car->delay;
    kerb_controls c = car->commands[(then < 0 ? 0 : then) % COMMANDS];
    float push = kerb_min(car->drive, car->power / kerb_max(car->speed, 0.1f));
    push = kerb_min(push * pure_press(car, c.throttle), car->spins_at);
    float phase = car->time - 3.0f * (float)(int32_t)(car->time / 3.0f);
    push = phase < car->pause ? 0.0f : push;
    if (c.throttle == 0.0f && c.brake == 0.0f && car->creep > 0.0f)
        push += kerb_clamp(2.0f * (car->creep - car->speed), 0.0f, 0.8f);
    float slow = car->braking * c.brake + car->rolling + car->drag * car->speed * car->speed;
    float pitch = kerb_atan(car->slope), pull = push - KERB_GRAVITY * kerb_sin(pitch);
    float before = car->speed;
    float faster = car->speed + pull * step;
    car->speed = kerb_max(faster - slow * step, 0.0f);
    car->acceleration += 0.2f * ((car->speed - before) / step - car->acceleration);
    car->time += step;
    kerb_vec3 way = {kerb_cos(pitch), 0.0f, kerb_sin(pitch)};
    car->x += 0.5f * (car->speed + before) * step;
    kerb_motion motion = kerb_motion_default();
    motion.position = kerb_vec3_scale(way, car->x);
    motion.velocity = kerb_vec3_scale(way, car->speed);
    motion.rotation = kerb_quat_from_angles(0.0f, -pitch - car->squat * car->acceleration, 0.0f);
    return motion;
}

// Pedals of ordinary driving.
typedef struct pure_foot {
    kerb_random random;
    float next, throttle, brake, throttle_target, brake_target;
} pure_foot;

static pure_foot foot_of(const char* test) {
    return (pure_foot){.random = test_random(test)};
}

static kerb_controls foot_press(pure_foot* foot, float speed, float step) {
    foot->next -= step;
    if (foot->next < 0.0f || (foot->brake_target > 0.0f && speed < 2.0f)) {
        int32_t what = kerb_random_below(&foot->random, 5);
        what = speed < 3.0f ? 0 : what;
        foot->throttle_target =
            what < 3 ? kerb_min(kerb_random_between(&foot->random, 0.2f, 1.2f), 1.0f) : 0.0f;
        foot->brake_target =
            what == 4 ? kerb_min(kerb_random_between(&foot->random, 0.1f, 1.1f), 1.0f) : 0.0f;
        foot->next = kerb_random_between(&foot->random, 0.8f, 3.0f);
    }
    float most = 4.0f * step;
    foot->throttle += kerb_clamp(foot->throttle_target - foot->throttle, -most, most);
    foot->brake += kerb_clamp(foot->brake_target - foot->brake, -most, most);
    kerb_controls controls = kerb_controls_safe(KERB_REASON_NONE);
    controls.gear = 1;
    controls.throttle = foot->throttle;
    controls.brake = foot->brake;
    return controls;
}

static void drive_car(pure_car* car, kerb_pedal_estimate* estimate, pure_foot* foot,
                      float seconds) {
    for (int32_t i = 0; i < (int32_t)(seconds * HZ); i++) {
        kerb_controls controls = foot_press(foot, car->speed, 1.0f / HZ);
        kerb_motion motion = pure_car_step(car, &controls, 1.0f / HZ);
        kerb_pedal_estimate_feed(estimate, &motion, &controls, NULL, 1.0f / HZ);
    }
    kerb_pedal_estimate_update(estimate);
}

static void an_estimate_of_pedals_begins_with_the_description(void** state) {
    (void)state;
    kerb_vehicle vehicle = kerb_vehicle_default();
    kerb_pedal_estimate estimate = kerb_pedal_estimate_make(&vehicle);
    kerb_vehicle same = kerb_pedal_estimate_vehicle(&estimate, &estimate.vehicle);
    assert_memory_equal(&same, &vehicle, sizeof vehicle);
    assert_float_equal(estimate.rolling.value, vehicle.coasting_deceleration, 1.0e-4f);
    assert_float_equal(estimate.drag.value, vehicle.drag, 1.0e-6f);
    for (int32_t k = 0; k < KERB_PEDAL_NODES; k++)
        assert_true(estimate.drive[k].value > 0.0f && !estimate.drive[k].known);
    assert_false(estimate.braking.known || estimate.power.known || estimate.creep_speed.known ||
                 estimate.spin_limit.known || estimate.lock_limit.known ||
                 estimate.shift_pause.known);
    assert_int_equal(kerb_pedal_estimate_bytes(), sizeof estimate);
}

static void it_learns_drive_brake_losses_and_delay_of_a_pure_car(void** state) {
    (void)state;
    kerb_random random = test_random("pedals_pure");
    for (int32_t i = 0; i < 12; i++) {
        pure_car car = pure_car_make();
        float stronger = kerb_random_between(&random, 0.7f, 1.4f);
        car.drive *= stronger;
        car.power *= stronger;
        car.braking *= kerb_random_between(&random, 0.6f, 1.1f);
        car.rolling *= kerb_random_between(&random, 0.7f, 1.4f);
        car.drag *= kerb_random_between(&random, 0.7f, 1.4f);
        car.delay = kerb_random_below(&random, 16); // to 0.25 s
        kerb_pedal_estimate estimate = kerb_pedal_estimate_make(&car.vehicle);
        pure_foot foot = {.random = random};
        drive_car(&car, &estimate, &foot, 60.0f);
        random = foot.random;
        kerb_estimated drive = kerb_pedal_estimate_drive_at(&estimate, 12.0f);
        float full = kerb_min(car.drive, car.power / 12.0f);
        assert_float_equal(drive.value, full, 0.05f * full);
        assert_float_equal(estimate.braking.value, car.braking, 0.05f * car.braking);
        assert_float_equal(estimate.rolling.value, car.rolling, 0.05f);
        assert_float_equal(estimate.throttle_delay.value, (float)car.delay / HZ, 0.035f);
        assert_float_equal(estimate.brake_delay.value, (float)car.delay / HZ, 0.04f);
        assert_float_equal(estimate.half_throttle.value, 0.5f, 0.05f);
        assert_true(estimate.throttle_delay.known);
        assert_false(estimate.spin_limit.known || estimate.lock_limit.known);
        kerb_vehicle learned = kerb_pedal_estimate_vehicle(&estimate, &estimate.vehicle);
        assert_int_equal(kerb_vehicle_validate(&learned, NULL), KERB_OK);
    }
}

static void it_learns_a_throttle_that_is_not_linear(void** state) {
    (void)state;
    pure_car car = pure_car_make();
    car.exponent = 0.5f;
    kerb_pedal_estimate estimate = kerb_pedal_estimate_make(&car.vehicle);
    pure_foot foot = foot_of("pedals_bend");
    drive_car(&car, &estimate, &foot, 60.0f);
    assert_float_equal(estimate.half_throttle.value, 0.7071f, 0.05f);
    kerb_estimated drive = kerb_pedal_estimate_drive_at(&estimate, 12.0f);
    float full = kerb_min(car.drive, car.power / 12.0f);
    assert_float_equal(drive.value, full, 0.1f * full);
}

// On a slope the drive is the same, whatever gravity does; and a body that squats stays on the
// flat.
static void slopes_and_squatting_are_not_taken_for_drive(void** state) {
    (void)state;
    for (int32_t k = 0; k < 3; k++) {
        pure_car car = pure_car_make();
        car.slope = k == 0 ? 0.08f : k == 1 ? -0.05f : 0.0f;
        car.squat = k == 2 ? 0.01f : 0.0f;
        kerb_pedal_estimate estimate = kerb_pedal_estimate_make(&car.vehicle);
        pure_foot foot = foot_of("pedals_slope");
        drive_car(&car, &estimate, &foot, 60.0f);
        kerb_estimated drive = kerb_pedal_estimate_drive_at(&estimate, 10.0f);
        float full = kerb_min(car.drive, car.power / 10.0f);
        assert_float_equal(drive.value, full, 0.04f * full);
        assert_float_equal(estimate.rolling.value, car.rolling, 0.04f);
        assert_float_equal(estimate.braking.value, car.braking, 0.05f * car.braking);
    }
}

static void pauses_of_the_gearbox_are_told_and_cost_no_power(void** state) {
    (void)state;
    pure_car car = pure_car_make();
    car.pause = 0.4f;
    kerb_pedal_estimate estimate = kerb_pedal_estimate_make(&car.vehicle);
    pure_foot foot = foot_of("pedals_pause");
    drive_car(&car, &estimate, &foot, 60.0f);
    kerb_estimated drive = kerb_pedal_estimate_drive_at(&estimate, 12.0f);
    float full = kerb_min(car.drive, car.power / 12.0f);
    assert_float_equal(drive.value, full, 0.06f * full);
    assert_true(estimate.shift_pause.known);
    assert_float_equal(estimate.shift_pause.value, 0.4f, 0.12f);
    pure_car smooth = pure_car_make();
    kerb_pedal_estimate other = kerb_pedal_estimate_make(&smooth.vehicle);
    drive_car(&smooth, &other, &foot, 60.0f);
    assert_true(other.shift_pause.value < 0.05f);
}

static void wheels_that_spin_are_told_and_limit_the_drive(void** state) {
    (void)state;
    pure_car car = pure_car_make();
    car.drive *= 2.0f;
    car.power *= 2.0f;
    car.spins_at = 0.8f * car.vehicle.acceleration_max;
    kerb_pedal_estimate estimate = kerb_pedal_estimate_make(&car.vehicle);
    pure_foot foot = foot_of("pedals_spin");
    drive_car(&car, &estimate, &foot, 90.0f);
    kerb_estimated drive = kerb_pedal_estimate_drive_at(&estimate, 6.0f);
    assert_float_equal(drive.value, car.spins_at, 0.1f * car.spins_at);
    assert_true(estimate.spin_limit.known);
    assert_float_equal(estimate.spin_limit.value, car.spins_at, 0.1f * car.spins_at);
}

// From rest to 38 of 50 m/s: what the drive gave there is put in, whatever it may give beyond.
static void power_is_put_in_where_the_vehicle_was_driven(void** state) {
    (void)state;
    for (int32_t k = 0; k < 2; k++) {
        pure_car car = pure_car_make();
        car.vehicle.speed_max = 50.0f;
        car.power *= k == 0 ? 0.6f : 1.0f;
        car.vehicle.power *= k == 0 ? 1.0f : 0.6f;
        kerb_pedal_estimate e = kerb_pedal_estimate_make(&car.vehicle);
        float throttle = 1.0f;
        for (int32_t i = 0; i < (int32_t)(300.0f * HZ); i++) {
            throttle = car.speed > 38.0f ? 0.0f : car.speed < 1.0f ? 1.0f : throttle;
            kerb_controls controls = kerb_controls_safe(KERB_REASON_NONE);
            controls.gear = 1;
            controls.throttle = throttle;
            controls.brake = throttle > 0.0f ? 0.0f : 0.5f;
            kerb_motion motion = pure_car_step(&car, &controls, 1.0f / HZ);
            kerb_pedal_estimate_feed(&e, &motion, &controls, NULL, 1.0f / HZ);
        }
        kerb_pedal_estimate_update(&e);
        kerb_vehicle learned = kerb_pedal_estimate_vehicle(&e, &car.vehicle);
        assert_int_equal(kerb_vehicle_validate(&learned, NULL), KERB_OK);
        float truth = car.power * learned.mass;
        assert_float_equal(learned.power, truth, 0.12f * truth);
        for (float speed = 20.0f; speed < 35.0f; speed += 5.0f) {
            float gives = learned.power * kerb_share_at(&learned.power_share, speed);
            assert_float_equal(gives, truth, 0.2f * truth);
        }
    }
}

// One value that a description cannot hold costs no other.
static void what_cannot_be_put_in_costs_nothing_else(void** state) {
    (void)state;
    kerb_vehicle vehicle = kerb_vehicle_default();
    kerb_pedal_estimate pedals = kerb_pedal_estimate_make(&vehicle);
    pedals.drag = (kerb_estimated){-1.0f, 0.1f, true};
    pedals.braking = (kerb_estimated){7.5f, 0.1f, true};
    assert_true(kerb_pedal_estimate_vehicle(&pedals, &vehicle).braking_max == 7.5f);
    assert_true(kerb_pedal_estimate_vehicle(&pedals, &vehicle).drag == vehicle.drag);
    kerb_estimate steering = kerb_estimate_make(&vehicle);
    steering.steering_rate = (kerb_estimated){-1.0f, 0.1f, true};
    steering.delay = (kerb_estimated){0.2f, 0.01f, true};
    assert_true(kerb_estimate_vehicle(&steering, &vehicle).steering_delay == 0.2f);
}

static void a_change_of_power_is_found(void** state) {
    (void)state;
    pure_car car = pure_car_make();
    kerb_pedal_estimate estimate = kerb_pedal_estimate_make(&car.vehicle);
    pure_foot foot = foot_of("pedals_change");
    drive_car(&car, &estimate, &foot, 60.0f);
    car.drive *= 0.6f;
    car.power *= 0.6f;
    drive_car(&car, &estimate, &foot, 90.0f);
    kerb_estimated drive = kerb_pedal_estimate_drive_at(&estimate, 10.0f);
    float full = kerb_min(car.drive, car.power / 10.0f);
    assert_float_equal(drive.value, full, 0.12f * full);
}

static void creep_is_learned_without_pedals(void** state) {
    (void)state;
    for (int32_t k = 0; k < 2; k++) {
        pure_car car = pure_car_make();
        car.creep = k == 0 ? 1.5f : 0.0f;
        kerb_pedal_estimate estimate = kerb_pedal_estimate_make(&car.vehicle);
        for (int32_t i = 0; i < (int32_t)(24.0f * HZ); i++) {
            kerb_controls controls = kerb_controls_safe(KERB_REASON_NONE);
            controls.gear = 1;
            controls.brake = i % 480 < 120 ? 0.3f : 0.0f;
            kerb_motion motion = pure_car_step(&car, &controls, 1.0f / HZ);
            kerb_pedal_estimate_feed(&estimate, &motion, &controls, NULL, 1.0f / HZ);
        }
        kerb_pedal_estimate_update(&estimate);
        assert_true(estimate.creep_speed.known);
        assert_float_equal(estimate.creep_speed.value, car.creep, 0.3f);
        assert_true(estimate.brake_holds.value > 0.9f);
    }
}

static void without_pedals_it_stays_unsure_of_them(void** state) {
    (void)state;
    pure_car car = pure_car_make();
    car.speed = 30.0f;
    car.rolling *= 1.5f;
    kerb_pedal_estimate estimate = kerb_pedal_estimate_make(&car.vehicle);
    const kerb_pedal_estimate fresh = estimate;
    kerb_controls controls = kerb_controls_safe(KERB_REASON_NONE);
    controls.gear = 1;
    controls.brake = 0.0f;
    for (int32_t i = 0; i < (int32_t)(60.0f * HZ); i++) {
        kerb_motion motion = pure_car_step(&car, &controls, 1.0f / HZ);
        kerb_pedal_estimate_feed(&estimate, &motion, &controls, NULL, 1.0f / HZ);
    }
    kerb_pedal_estimate_update(&estimate);
    assert_float_equal(estimate.rolling.value, car.rolling, 0.03f);
    assert_true(estimate.rolling.known);
    assert_false(estimate.braking.known || estimate.drive[1].known);
    assert_float_equal(estimate.braking.value, fresh.braking.value, 1.0e-3f);
    assert_true(estimate.drive[1].deviation > 0.9f * fresh.drive[1].deviation);
    assert_float_equal(estimate.throttle_delay.value, fresh.throttle_delay.value, 1.0e-3f);
}

static void standing_reverse_flight_and_what_the_host_forbids_teach_nothing(void** state) {
    (void)state;
    enum { STANDS, REVERSES, FALLS, LIES, SLIDES, HANDBRAKE, FORBIDDEN, WHEEL_UP, KINDS };
    pure_car car = pure_car_make();
    kerb_pedal_estimate learned = kerb_pedal_estimate_make(&car.vehicle);
    pure_foot foot = foot_of("pedals_frozen");
    drive_car(&car, &learned, &foot, 40.0f);
    for (int32_t kind = 0; kind < KINDS; kind++) {
        kerb_pedal_estimate estimate = learned;
        pure_car other = car;
        other.drive *= 0.5f;
        other.power *= 0.5f;
        other.braking *= 0.5f;
        float fall = 0.0f;
        for (int32_t i = 0; i < 600; i++) {
            kerb_controls controls = foot_press(&foot, other.speed, 1.0f / HZ);
            other.speed = kind == STANDS ? 0.0f : other.speed;
            kerb_motion motion = pure_car_step(&other, &controls, 1.0f / HZ);
            kerb_surroundings around = kerb_surroundings_default();
            around.do_not_learn = kind == FORBIDDEN;
            around.wheels_on_ground = kind == WHEEL_UP ? 0.75f : 1.0f;
            controls.handbrake = kind == HANDBRAKE;
            fall -= KERB_GRAVITY / HZ;
            if (kind == FALLS)
                motion.velocity.z = fall;
            if (kind == LIES)
                motion.rotation = kerb_quat_from_angles(0.0f, 0.0f, 1.6f);
            if (kind == SLIDES)
                motion.velocity.y = 8.0f + 0.4f * other.speed;
            if (kind == REVERSES) {
                motion.velocity = kerb_vec3_scale(motion.velocity, -1.0f);
                motion.position = kerb_vec3_scale(motion.position, -1.0f);
            }
            kerb_pedal_estimate_feed(&estimate, &motion, &controls, &around, 1.0f / HZ);
        }
        kerb_pedal_estimate_update(&estimate);
        // The first window began before.
        assert_true(estimate.taught < learned.taught + 0.3f);
        assert_float_equal(estimate.braking.value, learned.braking.value,
                           0.03f * learned.braking.value);
        assert_float_equal(estimate.drive[2].value, learned.drive[2].value,
                           0.03f * learned.drive[2].value);
    }
}

static void a_player_at_the_pedals_is_learned_from(void** state) {
    (void)state;
    pure_car car = pure_car_make();
    car.braking *= 0.7f;
    kerb_pedal_estimate estimate = kerb_pedal_estimate_make(&car.vehicle);
    pure_foot player = foot_of("pedals_player");
    for (int32_t i = 0; i < (int32_t)(60.0f * HZ); i++) {
        kerb_controls acted = foot_press(&player, car.speed, 1.0f / HZ), driver = acted;
        driver.throttle = 1.0f - acted.throttle;
        driver.brake = 0.0f;
        kerb_motion motion = pure_car_step(&car, &acted, 1.0f / HZ);
        kerb_surroundings around = kerb_surroundings_default();
        around.applied = &acted;
        kerb_pedal_estimate_feed(&estimate, &motion, &driver, &around, 1.0f / HZ);
    }
    kerb_pedal_estimate_update(&estimate);
    assert_float_equal(estimate.braking.value, car.braking, 0.05f * car.braking);
}

static void pedals_are_learned_alike_at_all_frame_rates(void** state) {
    (void)state;
    const float rates[] = {6.0f, 10.0f, 24.0f, 60.0f, 144.0f};
    for (size_t k = 0; k < sizeof rates / sizeof *rates; k++) {
        pure_car car = pure_car_make();
        car.drive *= 0.8f;
        car.power *= 0.8f;
        kerb_pedal_estimate estimate = kerb_pedal_estimate_make(&car.vehicle);
        pure_foot foot = foot_of("pedals_rates");
        for (int32_t i = 0; i < (int32_t)(60.0f * rates[k]); i++) {
            kerb_controls controls = foot_press(&foot, car.speed, 1.0f / rates[k]);
            kerb_motion motion = pure_car_step(&car, &controls, 1.0f / rates[k]);
            kerb_pedal_estimate_feed(&estimate, &motion, &controls, NULL, 1.0f / rates[k]);
        }
        kerb_pedal_estimate_update(&estimate);
        kerb_estimated drive = kerb_pedal_estimate_drive_at(&estimate, 10.0f);
        float full = kerb_min(car.drive, car.power / 10.0f);
        assert_float_equal(drive.value, full, 0.06f * full);
        assert_true(estimate.throttle_delay.value < 0.04f);
    }
}

static float any_bits(kerb_random* random) {
    const float odd[] = {NAN, INFINITY, -1.0e30f, 1.0e-42f, 0.0f};
    int32_t which = kerb_random_below(random, 6);
    return which < 5 ? odd[which] : kerb_random_between(random, -100.0f, 100.0f);
}

static bool is_sound(kerb_estimated e) {
    return kerb_is_finite(e.value) && kerb_is_finite(e.deviation) && e.deviation >= 0.0f;
}

static bool all_is_sound(const kerb_pedal_estimate* e) {
    const kerb_estimated values[] = {
        e->power,       e->half_throttle, e->throttle_delay, e->braking,     e->half_brake,
        e->brake_delay, e->rolling,       e->drag,           e->creep_speed, e->brake_holds,
        e->shift_pause, e->spin_limit,    e->lock_limit};
    bool sound = kerb_is_finite(e->taught) && kerb_is_finite(e->misfit);
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        sound = sound && is_sound(values[i]);
    for (int32_t k = 0; k < KERB_PEDAL_NODES; k++)
        sound = sound && is_sound(e->drive[k]) && e->drive[k].value >= 0.0f;
    return sound;
}

static void hostile_frames_never_make_pedals_unsound(void** state) {
    (void)state;
    kerb_random random = test_random("pedals_hostile");
    pure_car car = pure_car_make();
    kerb_pedal_estimate estimate = kerb_pedal_estimate_make(&car.vehicle);
    pure_foot foot = {.random = random};
    for (int32_t i = 0; i < 30000; i++) {
        float step = 1.0f / HZ;
        kerb_controls controls = foot_press(&foot, car.speed, step);
        kerb_motion motion = pure_car_step(&car, &controls, step);
        float* const numbers[] = {
            &motion.position.x, &motion.position.z, &motion.rotation.w, &motion.rotation.y,
            &motion.velocity.x, &motion.velocity.z, &motion.wheel_slip, &motion.angular_velocity.z,
            &controls.throttle, &controls.brake,    &controls.clutch,   &step};
        int32_t one_in = i % 6000 < 3000 ? 4 : 100;
        if (kerb_random_below(&random, one_in) == 0)
            *numbers[kerb_random_below(&random, 12)] = any_bits(&random);
        kerb_pedal_estimate_feed(&estimate, &motion, &controls, NULL, step);
        if (i % 50 == 0) {
            kerb_pedal_estimate_update(&estimate);
            assert_true(all_is_sound(&estimate));
            kerb_vehicle learned = kerb_pedal_estimate_vehicle(&estimate, &estimate.vehicle);
            assert_int_equal(kerb_vehicle_validate(&learned, NULL), KERB_OK);
        }
    }
    assert_true(estimate.bad_frames > 0);
}

// Odd but valid descriptions: nothing divides by 0.
static void odd_descriptions_are_sound(void** state) {
    (void)state;
    for (int32_t k = 0; k < 5; k++) {
        pure_car car = pure_car_make();
        kerb_vehicle* v = &car.vehicle;
        if (k == 0)
            v->coasting_deceleration = v->drag = 0.0f;
        else if (k == 1)
            v->speed_max = 0.5f;
        else if (k == 2)
            v->power = 1.0e-3f;
        else if (k == 3)
            v->braking_max = 1.0e-3f;
        else
            v->acceleration_max = v->lateral_acceleration_max = 1.0e-3f;
        kerb_pedal_estimate estimate = kerb_pedal_estimate_make(v);
        pure_foot foot = foot_of("pedals_odd");
        drive_car(&car, &estimate, &foot, 20.0f);
        assert_true(all_is_sound(&estimate));
    }
}

static void a_saved_estimate_of_pedals_learns_the_same_bits(void** state) {
    (void)state;
    pure_car car = pure_car_make();
    kerb_pedal_estimate first = kerb_pedal_estimate_make(&car.vehicle);
    pure_foot foot = foot_of("pedals_copies");
    drive_car(&car, &first, &foot, 7.0f);
    kerb_pedal_estimate second = first, third = kerb_pedal_estimate_make(&car.vehicle);
    size_t size = kerb_pedal_estimate_save(&first, NULL, 0);
    void* block = malloc(size);
    assert_non_null(block);
    assert_int_equal(kerb_pedal_estimate_save(&first, block, size), size);
    assert_int_equal(kerb_pedal_estimate_load(&third, block, size, NULL), KERB_OK);
    kerb_estimate steering = kerb_estimate_make(&car.vehicle);
    assert_int_not_equal(kerb_estimate_load(&steering, block, size, NULL), KERB_OK);
    free(block);
    kerb_pedal_estimate* const all[] = {&first, &second, &third};
    for (int32_t i = 0; i < 3; i++) {
        pure_car car_copy = car;
        pure_foot foot_copy = foot;
        drive_car(&car_copy, all[i], &foot_copy, 7.0f);
    }
    for (int32_t i = 1; i < 3; i++) {
        assert_memory_equal(first.memory.terms, all[i]->memory.terms, sizeof first.memory.terms);
        assert_memory_equal(&first.braking.value, &all[i]->braking.value, sizeof(float));
        assert_memory_equal(&first.throttle_delay.value, &all[i]->throttle_delay.value,
                            sizeof(float));
    }
}

static void a_reset_forgets_pedals_and_a_merge_gives_them(void** state) {
    (void)state;
    pure_car car = pure_car_make();
    car.braking *= 0.6f;
    kerb_pedal_estimate teacher = kerb_pedal_estimate_make(&car.vehicle);
    pure_foot foot = foot_of("pedals_merge");
    drive_car(&car, &teacher, &foot, 60.0f);
    kerb_pedal_estimate pupil = kerb_pedal_estimate_make(&car.vehicle);
    kerb_pedal_estimate_merge(&pupil, &teacher, 0.5f);
    assert_float_equal(pupil.braking.value, car.braking, 0.08f * car.braking);
    assert_true(pupil.rolling.deviation >= teacher.rolling.deviation);
    kerb_vehicle other = car.vehicle;
    other.wheelbase *= 1.1f;
    kerb_pedal_estimate stranger = kerb_pedal_estimate_make(&other);
    const kerb_pedal_estimate before = stranger;
    kerb_pedal_estimate_merge(&stranger, &teacher, 1.0f);
    assert_memory_equal(&stranger.memory, &before.memory, sizeof before.memory);
    kerb_pedal_estimate_reset(&teacher);
    kerb_pedal_estimate fresh = kerb_pedal_estimate_make(&car.vehicle);
    assert_memory_equal(&teacher.memory, &fresh.memory, sizeof fresh.memory);
}

// A part of the family: enough that a doubt half as great as it should be is found.
static void doubt_of_pedals_is_honest_on_the_family(void** state) {
    (void)state;
    enum { HOSTS = 60 };
    int32_t honest = 0, count = 0;
    for (uint64_t seed = 5000; seed < 5000 + HOSTS; seed++) {
        kerb_family_pedal_drive drive;
        kerb_family_pedal_drive_make(&drive, seed);
        kerb_vehicle told = kerb_family_wrong_vehicle(&drive.host, seed, 0.2f);
        kerb_pedal_estimate estimate = kerb_pedal_estimate_make(&told);
        while (drive.time < 30.0) {
            kerb_controls controls;
            float step = kerb_family_pedal_drive_step(&drive, &controls);
            kerb_motion motion = kerb_family_motion(&drive.host);
            kerb_pedal_estimate_feed(&estimate, &motion, &controls, NULL, step);
        }
        kerb_pedal_estimate_update(&estimate);
        const kerb_family_truth* t = &drive.host.truth;
        float speed = 0.6f * drive.fastest;
        const kerb_estimated got[] = {kerb_pedal_estimate_drive_at(&estimate, speed),
                                      estimate.braking, estimate.rolling, estimate.throttle_delay,
                                      estimate.brake_delay};
        const float truth[] = {kerb_family_force(&drive.host, speed, 1.0f, 0.0f),
                               -kerb_family_force(&drive.host, 0.3f * t->speed_max, 0.0f, 1.0f),
                               t->rolling, t->delay + t->throttle_lag, t->delay + t->brake_lag};
        for (int32_t i = 0; i < 5; i++) {
            honest += kerb_abs(got[i].value - truth[i]) <= 2.0f * got[i].deviation;
            count++;
        }
    }
    print_message("%d of %d within two deviations\n", (int)honest, (int)count);
    assert_true(honest >= count * 90 / 100);
}

int estimate_pedals_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_estimate_of_pedals_begins_with_the_description),
        cmocka_unit_test(it_learns_drive_brake_losses_and_delay_of_a_pure_car),
        cmocka_unit_test(it_learns_a_throttle_that_is_not_linear),
        cmocka_unit_test(slopes_and_squatting_are_not_taken_for_drive),
        cmocka_unit_test(pauses_of_the_gearbox_are_told_and_cost_no_power),
        cmocka_unit_test(wheels_that_spin_are_told_and_limit_the_drive),
        cmocka_unit_test(power_is_put_in_where_the_vehicle_was_driven),
        cmocka_unit_test(what_cannot_be_put_in_costs_nothing_else),
        cmocka_unit_test(a_change_of_power_is_found),
        cmocka_unit_test(creep_is_learned_without_pedals),
        cmocka_unit_test(without_pedals_it_stays_unsure_of_them),
        cmocka_unit_test(standing_reverse_flight_and_what_the_host_forbids_teach_nothing),
        cmocka_unit_test(a_player_at_the_pedals_is_learned_from),
        cmocka_unit_test(pedals_are_learned_alike_at_all_frame_rates),
        cmocka_unit_test(hostile_frames_never_make_pedals_unsound),
        cmocka_unit_test(odd_descriptions_are_sound),
        cmocka_unit_test(a_saved_estimate_of_pedals_learns_the_same_bits),
        cmocka_unit_test(a_reset_forgets_pedals_and_a_merge_gives_them),
        cmocka_unit_test(doubt_of_pedals_is_honest_on_the_family),
    };
    return cmocka_run_group_tests_name("estimate_pedals", tests, NULL, NULL);
}
