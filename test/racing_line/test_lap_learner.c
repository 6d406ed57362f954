// What a lap learner makes of driving whose truth is known in closed form: a point mass with an
// engine, drag, brakes, and axles whose slip follows their force by the law of the tyres.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kerb/lap_learner.h"
#include "test/seed.h"

#include <math.h>
#include <string.h>

#define STEP (1.0f / 60.0f)

// A car in closed form. It starts along x and is never steered by anything but its curvature.
typedef struct true_car {
    kerb_vehicle vehicle;
    kerb_performance performance; // what is true
    float brakes;                 // deceleration of the full pedal, where the tyres hold it [m/s²]
    float stiffness[2];           // of front and rear, force over weight per slip [1/rad]
    double x, y;
    float heading, speed, curvature, drift; // drift: of the motion against the body [rad]
    float yaw_rate;
    bool commands; // the host tells the steering that acted, and no angle of the wheels
} true_car;

static true_car car_of(float stiffness) {
    true_car car = {.vehicle = kerb_vehicle_default(), .speed = 10.0f};
    car.performance = kerb_performance_of(&car.vehicle);
    car.performance.accelerating = 30.0f;
    car.brakes = 20.0f;
    car.stiffness[0] = car.stiffness[1] = stiffness;
    return car;
}

static float engine_at(const kerb_performance* p, float speed) {
    float place = kerb_clamp(speed / p->speed_max, 0.0f, 1.0f) * (float)(KERB_DRIVE_COUNT - 1);
    int32_t at = (int32_t)kerb_min(place, (float)(KERB_DRIVE_COUNT - 2));
    return p->drive[at] + (p->drive[at + 1] - p->drive[at]) * (place - (float)at);
}

// Moves it for a frame and shows the learner what it did. [curvature: left positive]
static void move(true_car* car, kerb_lap_learner* learner, float throttle, float brake,
                 float curvature) {
    const kerb_performance* p = &car->performance;
    const kerb_vehicle* v = &car->vehicle;
    float resists = p->rolling + p->drag * car->speed * car->speed;
    float gains =
        throttle * engine_at(p, car->speed) - resists - kerb_min(brake * car->brakes, p->braking);
    car->speed = kerb_max(car->speed + gains * STEP, 0.0f);
    float before = car->heading + car->drift;
    float course = before + curvature * car->speed * STEP;
    // Slip of each axle by the law of tyres that hold `lateral`.
    float load = 1.0f + p->downforce * car->speed * car->speed / KERB_GRAVITY;
    float use = car->speed * car->speed * curvature / (p->lateral * load), square = use * use;
    float bent = use * (1.0f + 0.9f * square * square) * p->lateral / KERB_GRAVITY;
    float rear = bent / car->stiffness[1], front = bent / car->stiffness[0];
    // The rear axle moves along its own slip, beside the reference point.
    car->drift = curvature * v->reference_to_rear_axle - rear;
    float heading = course - car->drift;
    car->yaw_rate = (heading - car->heading) / STEP;
    car->heading = heading;
    float middle = 0.5f * (before + course);
    car->x += (double)(car->speed * STEP * kerb_cos(middle));
    car->y += (double)(car->speed * STEP * kerb_sin(middle));
    kerb_motion motion = kerb_motion_default();
    motion.position = (kerb_vec3){(float)car->x, (float)car->y, 0.0f};
    motion.rotation = kerb_quat_from_heading(heading);
    motion.velocity =
        (kerb_vec3){car->speed * kerb_cos(course), car->speed * kerb_sin(course), 0.0f};
    motion.angular_velocity = (kerb_vec3){0.0f, 0.0f, curvature * car->speed};
    motion.gear = 4;
    float axle = v->wheelbase - v->reference_to_rear_axle;
    float wheels = front + car->drift + curvature * axle;
    motion.steering = car->commands ? 0.0f : wheels / v->steering_angle_max;
    kerb_controls controls = kerb_controls_safe(KERB_REASON_NONE);
    controls.steering = wheels / kerb_vehicle_steering_lock(v, car->speed);
    controls.throttle = throttle;
    controls.brake = brake;
    controls.handbrake = 0.0f;
    controls.gear = 4;
    kerb_lap_learner_feed(learner, NULL, 0.0, &motion, &controls, NULL, STEP);
}

static kerb_lap_learner learner_told(const true_car* car, float grip, float power) {
    kerb_performance told = car->performance;
    told.lateral *= grip;
    told.braking *= grip;
    for (int32_t i = 0; i < KERB_DRIVE_COUNT; i++)
        told.drive[i] *= power;
    return kerb_lap_learner_make(&car->vehicle, &told);
}

// In and out of bends that use up to `most` of the grip, each way.
static void drive_bends_at(true_car* car, kerb_lap_learner* learner, float speed, float most,
                           float seconds) {
    const kerb_performance* p = &car->performance;
    float square = speed * speed, load = 1.0f + p->downforce * square / KERB_GRAVITY;
    float full = p->lateral * load / square;
    for (float time = 0.0f; time < seconds; time += STEP) {
        float resists = p->rolling + p->drag * square;
        float hold = kerb_clamp(resists / engine_at(p, speed), 0.0f, 0.9f);
        car->speed = speed;
        move(car, learner, hold, 0.0f, full * most * kerb_sin(0.8f * time));
    }
    car->speed = speed;
}

static void drive_bends(true_car* car, kerb_lap_learner* learner, float most, float seconds) {
    drive_bends_at(car, learner, 25.0f, most, seconds);
}

static void full_throttle_teaches_the_engine_less_what_resists(void** state) {
    (void)state;
    static const float wrong[] = {0.8f, 1.0f, 1.25f};
    for (size_t n = 0; n < sizeof wrong / sizeof wrong[0]; n++) {
        true_car car = car_of(15.0f);
        car.performance.drag *= 1.2f; // wrong too: their sum is what counts
        kerb_lap_learner learner = learner_told(&car, 1.0f, wrong[n]);
        learner.described.drag /= 1.2f;
        for (int32_t i = 0; i < 60 * 25; i++)
            move(&car, &learner, 1.0f, 0.0f, 0.0f);
        kerb_performance now = kerb_lap_learner_performance(&learner, 0.0f);
        for (float speed = 15.0f; speed < car.speed - 2.0f; speed += 5.0f) {
            float is = engine_at(&car.performance, speed) - car.performance.drag * speed * speed;
            float learnt = engine_at(&now, speed) - now.drag * speed * speed;
            if (!(kerb_abs(learnt - is) < 0.03f * engine_at(&car.performance, speed) + 0.05f))
                fail_msg("told %.2f of the power, at %.0f m/s: %.2f, not %.2f m/s²",
                         (double)wrong[n], (double)speed, (double)learnt, (double)is);
        }
        assert_true(learner.power_ratio.known);
    }
}

// Described as strong as the tyres, which really hold as much as described.
static void brakes_weaker_than_described_and_than_the_tyres_are_the_limit(void** state) {
    (void)state;
    static const float weak[] = {0.6f, 0.7f, 0.8f, 0.9f}, pedals[] = {1.0f, 0.75f, 0.5f};
    for (size_t n = 0; n < sizeof weak / sizeof weak[0]; n++)
        for (size_t k = 0; k < sizeof pedals / sizeof pedals[0]; k++) {
            true_car car = car_of(15.0f);
            kerb_lap_learner learner = learner_told(&car, 1.0f, 1.0f);
            car.brakes = weak[n] * car.performance.braking;
            for (int32_t stop = 0; stop < 10; stop++) {
                car.speed = 40.0f;
                for (int32_t i = 0; i < 30; i++)
                    move(&car, &learner, 0.0f, 0.0f, 0.0f);
                while (car.speed > 15.0f)
                    move(&car, &learner, 0.0f, pedals[k], 0.0f);
            }
            kerb_performance now = kerb_lap_learner_performance(&learner, 0.0f);
            if (!(kerb_abs(now.braking / car.brakes - 1.0f) < 0.04f))
                fail_msg("%.2f of the brakes, pedal at %.2f: %.2f, not %.2f m/s²", (double)weak[n],
                         (double)pedals[k], (double)now.braking, (double)car.brakes);
            float ratio = now.braking / learner.described.braking;
            assert_true(kerb_abs(learner.braking_ratio.value - ratio) < 1.0e-3f);
        }
}

static void brakes_beyond_the_tyres_teach_what_the_tyres_hold(void** state) {
    (void)state;
    static const float wrong[] = {0.8f, 1.0f, 1.2f};
    for (size_t n = 0; n < sizeof wrong / sizeof wrong[0]; n++) {
        true_car car = car_of(15.0f);
        kerb_lap_learner learner = learner_told(&car, wrong[n], 1.0f);
        for (int32_t stop = 0; stop < 8; stop++) {
            car.speed = 40.0f;
            for (int32_t i = 0; i < 30; i++)
                move(&car, &learner, 0.0f, 0.0f, 0.0f);
            float pedal = stop % 2 == 0 ? 0.2f : 1.0f;
            while (car.speed > 15.0f)
                move(&car, &learner, 0.0f, pedal, 0.0f);
        }
        kerb_performance now = kerb_lap_learner_performance(&learner, 0.0f);
        if (!(kerb_abs(now.braking / car.performance.braking - 1.0f) < 0.04f))
            fail_msg("told %.2f: %.2f, not %.2f m/s²", (double)wrong[n], (double)now.braking,
                     (double)car.performance.braking);
    }
}

static void bends_teach_the_grip_upwards_as_well_as_down(void** state) {
    (void)state;
    static const float stiff[] = {8.0f, 15.0f, 30.0f}, wrong[] = {0.75f, 0.85f, 1.0f, 1.2f};
    for (size_t s = 0; s < sizeof stiff / sizeof stiff[0]; s++)
        for (size_t n = 0; n < sizeof wrong / sizeof wrong[0]; n++) {
            true_car car = car_of(stiff[s]);
            kerb_lap_learner learner = learner_told(&car, wrong[n], 1.0f);
            drive_bends(&car, &learner, 0.93f, 60.0f);
            float is = 1.0f / wrong[n];
            float error = kerb_abs(learner.grip_ratio.value - is);
            float doubt = learner.grip_ratio.deviation;
            if (!(error < 0.1f * is && error < 2.0f * doubt && doubt < 0.1f))
                fail_msg("stiffness %.0f, told %.2f: %.3f ± %.3f, not %.3f", (double)stiff[s],
                         (double)wrong[n], (double)learner.grip_ratio.value,
                         (double)learner.grip_ratio.deviation, (double)is);
        }
}

// Where full steering turns the wheels less at speed, commands are shares of that.
static void commands_of_a_lock_that_speed_reduces_teach_the_grip(void** state) {
    (void)state;
    static const float shares[] = {1.0f, 0.6f, 0.3f}, wrong[] = {0.8f, 1.0f, 1.2f};
    for (size_t s = 0; s < sizeof shares / sizeof shares[0]; s++)
        for (size_t n = 0; n < sizeof wrong / sizeof wrong[0]; n++) {
            true_car car = car_of(15.0f);
            car.commands = true;
            car.vehicle.steering_delay = 0.0f;
            car.vehicle.steering_rate_max = 20.0f;
            car.vehicle.steering_lock = (kerb_share_curve){.count = 2};
            car.vehicle.steering_lock.speed[1] = 20.0f;
            car.vehicle.steering_lock.share[0] = 1.0f;
            car.vehicle.steering_lock.share[1] = shares[s];
            kerb_lap_learner learner = learner_told(&car, wrong[n], 1.0f);
            drive_bends(&car, &learner, 0.93f, 60.0f);
            float is = 1.0f / wrong[n];
            if (!(kerb_abs(learner.grip_ratio.value / is - 1.0f) < 0.06f))
                fail_msg("lock %.1f, told %.2f: %.3f, not %.3f", (double)shares[s],
                         (double)wrong[n], (double)learner.grip_ratio.value, (double)is);
            for (int32_t axle = 0; axle < 2; axle++) { // 15 over the weight, of the best fit
                const kerb_lap_tyres* best = &learner.memory.tyres[0];
                for (int32_t i = 1; i < KERB_LAP_LEARNER_TYRES; i++)
                    if (learner.memory.tyres[i].misfit < best->misfit)
                        best = &learner.memory.tyres[i];
                float stiff = 15.0f * KERB_GRAVITY / learner.described.lateral;
                float root = best->value[2 + axle], has = root * root;
                if (!(kerb_abs(has / stiff - 1.0f) < 0.15f))
                    fail_msg("lock %.1f, told %.2f: axle %d has %.1f, not %.1f", (double)shares[s],
                             (double)wrong[n], axle, (double)has, (double)stiff);
            }
        }
}

static void wings_that_nobody_told_of_are_learned(void** state) {
    (void)state;
    static const float wings[] = {0.0f, 0.001f, 0.002f}, told[] = {0.0f, 0.0015f};
    for (size_t n = 0; n < sizeof wings / sizeof wings[0]; n++)
        for (size_t k = 0; k < sizeof told / sizeof told[0]; k++) {
            true_car car = car_of(20.0f);
            car.performance.downforce = told[k];
            kerb_lap_learner learner = learner_told(&car, 1.0f, 1.0f);
            car.performance.downforce = wings[n];
            for (int32_t i = 0; i < 12; i++)
                drive_bends_at(&car, &learner, 15.0f * (float)(1 + i % 4), 0.95f, 10.0f);
            kerb_performance now = kerb_lap_learner_performance(&learner, 0.0f);
            for (float speed = 15.0f; speed < 61.0f; speed += 15.0f) {
                float square = speed * speed / KERB_GRAVITY;
                float is = car.performance.lateral * (1.0f + wings[n] * square);
                float learnt = now.lateral * (1.0f + now.downforce * square);
                if (!(kerb_abs(learnt / is - 1.0f) < 0.08f))
                    fail_msg("told %.4f of %.4f, at %.0f m/s: %.1f, not %.1f m/s²", (double)told[k],
                             (double)wings[n], (double)speed, (double)learnt, (double)is);
            }
        }
}

// Wheels that twitch change the slip while the force stays: no reason to think that the tyres are
// spent. Other tyres every tenth of a second stand for them.
static void slip_that_is_noisy_makes_no_tyres_look_spent(void** state) {
    (void)state;
    kerb_random random = test_random("noisy slip");
    for (int32_t n = 0; n < 20; n++) {
        true_car car = car_of(25.0f);
        kerb_lap_learner learner = learner_told(&car, 1.0f, 1.0f);
        float most = kerb_random_between(&random, 0.6f, 0.7f);
        float curvature = most * car.performance.lateral / (25.0f * 25.0f);
        for (int32_t i = 0; i < 60 * 60; i++) {
            if (i % 6 == 0)
                car.stiffness[0] = car.stiffness[1] = kerb_random_between(&random, 16.0f, 36.0f);
            car.speed = 25.0f;
            move(&car, &learner, 0.3f, 0.0f, i / 120 % 2 == 0 ? curvature : -curvature);
        }
        kerb_estimated grip = learner.grip_ratio;
        if (!(kerb_abs(grip.value - 1.0f) < 2.0f * grip.deviation && grip.value > 0.85f))
            fail_msg("bends of %.2f: %.3f ± %.3f, not 1", (double)most, (double)grip.value,
                     (double)grip.deviation);
    }
}

// Tyres that are stiffer than any that it can know, as of hosts without tyres: each step of the fit
// towards their best values must bring them nearer.
static void tyres_that_never_slip_leave_the_grip_where_it_is(void** state) {
    (void)state;
    static const float told[] = {0.7f, 1.0f, 1.3f};
    for (size_t n = 0; n < sizeof told / sizeof told[0]; n++) {
        true_car car = car_of(2000.0f);
        kerb_lap_learner learner = learner_told(&car, told[n], 1.0f);
        drive_bends(&car, &learner, 0.9f, 60.0f);
        float least = learner.grip_ratio.value, most = least;
        for (int32_t i = 0; i < 60; i++) {
            drive_bends(&car, &learner, 0.9f, 0.5f);
            least = kerb_min(least, learner.grip_ratio.value);
            most = kerb_max(most, learner.grip_ratio.value);
        }
        if (most > 1.1f * least)
            fail_msg("told %.2f: from %.3f to %.3f", (double)told[n], (double)least, (double)most);
    }
}

static void gentle_bends_leave_the_grip_in_doubt(void** state) {
    (void)state;
    true_car car = car_of(15.0f);
    kerb_lap_learner learner = learner_told(&car, 0.8f, 1.0f);
    drive_bends(&car, &learner, 0.3f, 60.0f);
    assert_false(learner.grip_ratio.known);
    assert_true(learner.grip_ratio.deviation > 0.08f);
    // The caution of one deviation is what a driver stays below.
    kerb_performance careful = kerb_lap_learner_performance(&learner, 1.0f);
    assert_true(careful.lateral < 0.93f * kerb_lap_learner_performance(&learner, 0.0f).lateral);
}

// What was measured hours ago is forgotten, and what is forgotten says nothing.
static void hours_of_gentle_bends_bring_the_doubt_back(void** state) {
    (void)state;
    true_car car = car_of(15.0f);
    kerb_lap_learner learner = learner_told(&car, 0.8f, 1.0f);
    drive_bends(&car, &learner, 1.2f, 20.0f);
    float known = learner.grip_ratio.deviation;
    for (int32_t hour = 0; hour < 2; hour++) {
        drive_bends(&car, &learner, 0.4f, 3600.0f);
        kerb_estimated grip = learner.grip_ratio;
        if (!(grip.value > 0.8f && grip.value < 1.4f && grip.deviation > known))
            fail_msg("after %d hours %.3f ± %.3f", hour + 1, (double)grip.value,
                     (double)grip.deviation);
    }
    assert_false(learner.grip_ratio.known);
}

static void what_the_host_says_not_to_learn_teaches_nothing(void** state) {
    (void)state;
    true_car car = car_of(15.0f);
    kerb_lap_learner learner = learner_told(&car, 0.8f, 0.8f);
    kerb_surroundings around = kerb_surroundings_default();
    around.do_not_learn = true;
    kerb_motion motion = kerb_motion_default();
    kerb_controls controls = kerb_controls_safe(KERB_REASON_NONE);
    controls.throttle = 1.0f;
    controls.brake = controls.handbrake = 0.0f;
    for (int32_t i = 0; i < 600; i++) {
        motion.velocity.x = 10.0f + 0.05f * (float)i;
        motion.position.x += motion.velocity.x * STEP;
        kerb_lap_learner_feed(&learner, NULL, 0.0, &motion, &controls, &around, STEP);
    }
    assert_true(learner.power_ratio.value == 1.0f && learner.grip_ratio.value == 1.0f);
    motion.velocity.x = NAN;
    kerb_lap_learner_feed(&learner, NULL, 0.0, &motion, &controls, NULL, STEP);
    assert_int_equal(learner.bad_frames, 1);
}

static void whatever_it_is_fed_it_gives_a_valid_performance(void** state) {
    (void)state;
    kerb_random random = test_random("lap learner nonsense");
    kerb_vehicle vehicle = kerb_vehicle_default();
    kerb_performance told = kerb_performance_of(&vehicle);
    kerb_lap_learner learner = kerb_lap_learner_make(&vehicle, &told);
    kerb_motion motion = kerb_motion_default();
    for (int32_t i = 0; i < 20000; i++) {
        kerb_controls controls = kerb_controls_safe(KERB_REASON_NONE);
        controls.throttle = kerb_random_between(&random, 0.0f, 1.1f);
        controls.brake = kerb_random_between(&random, -0.5f, 1.0f);
        controls.handbrake = 0.0f;
        controls.steering = kerb_random_between(&random, -1.0f, 1.0f);
        motion.velocity = (kerb_vec3){kerb_random_between(&random, -60.0f, 80.0f),
                                      kerb_random_between(&random, -30.0f, 30.0f), 0.0f};
        motion.angular_velocity.z = kerb_random_between(&random, -3.0f, 3.0f);
        motion.steering = kerb_random_between(&random, -1.0f, 1.0f);
        motion.position.x += motion.velocity.x * 0.02f;
        motion.position.y += motion.velocity.y * 0.02f;
        kerb_lap_learner_feed(&learner, NULL, 0.0, &motion, &controls, NULL, 0.02f);
        kerb_performance now =
            kerb_lap_learner_performance(&learner, kerb_random_between(&random, 0.0f, 3.0f));
        assert_int_equal(kerb_performance_validate(&now, NULL), KERB_OK);
    }
}

static void saved_and_loaded_it_learns_on_with_the_same_bits(void** state) {
    (void)state;
    static unsigned char block[32768];
    true_car car = car_of(15.0f);
    kerb_lap_learner learner = learner_told(&car, 0.8f, 1.1f), other;
    drive_bends(&car, &learner, 0.8f, 5.0f);
    memset(&other, 0, sizeof other);
    assert_true(kerb_lap_learner_save(&learner, block, sizeof block) <= sizeof block);
    assert_int_equal(kerb_lap_learner_load(&other, block, sizeof block, NULL), KERB_OK);
    true_car again = car;
    drive_bends(&car, &learner, 0.9f, 5.0f);
    drive_bends(&again, &other, 0.9f, 5.0f);
    assert_memory_equal(&learner, &other, sizeof learner);
    kerb_lap_learner_reset(&learner);
    assert_true(learner.grip_ratio.value == 1.0f && !learner.grip_ratio.known);
}

// Two cars of one model: one drives bends, the other straights.
static void a_merge_gives_what_another_of_the_model_learned(void** state) {
    (void)state;
    true_car car = car_of(15.0f), twin = car_of(15.0f);
    kerb_performance told = car.performance;
    told.lateral *= 0.8f;
    for (int32_t i = 0; i < KERB_DRIVE_COUNT; i++)
        told.drive[i] *= 0.8f;
    const kerb_lap_learner fresh = kerb_lap_learner_make(&car.vehicle, &told);
    kerb_lap_learner bends = fresh, straights = fresh, all = fresh;
    drive_bends(&car, &bends, 0.95f, 60.0f);
    for (int32_t i = 0; i < 600; i++)
        move(&twin, &straights, 1.0f, 0.0f, 0.0f);
    assert_true(bends.grip_ratio.deviation < 0.6f * fresh.grip_ratio.deviation);
    assert_true(straights.power_ratio.known);
    assert_false(straights.grip_ratio.known);
    kerb_lap_learner_merge(&all, &bends, 1.0f);
    kerb_lap_learner_merge(&all, &straights, 1.0f);
    // A learner that knows nothing yet knows as much as the one that gave all; perhaps it has found
    // already that soft and stiff tyres explain that equally well.
    assert_float_equal(all.grip_ratio.value, bends.grip_ratio.value, 0.03f);
    assert_true(all.grip_ratio.deviation < bends.grip_ratio.deviation + 0.01f);
    assert_true(all.grip_ratio.deviation > 0.4f * bends.grip_ratio.deviation);
    assert_true(all.power_ratio.known);
    assert_float_equal(all.power_ratio.value, straights.power_ratio.value, 0.02f);
    // Half of what was driven leaves more doubt, and nothing is given twice from nothing.
    kerb_lap_learner half = fresh, none = fresh;
    kerb_lap_learner_merge(&half, &straights, 0.5f);
    assert_true(half.power_ratio.deviation > straights.power_ratio.deviation);
    assert_true(half.power_ratio.deviation < fresh.power_ratio.deviation);
    for (int32_t i = 0; i < 10; i++)
        kerb_lap_learner_merge(&none, &fresh, 1.0f);
    assert_float_equal(none.grip_ratio.deviation, fresh.grip_ratio.deviation, 1e-5f);
    assert_float_equal(none.power_ratio.deviation, fresh.power_ratio.deviation, 1e-5f);
    kerb_performance p = kerb_lap_learner_performance(&all, 0.0f);
    assert_int_equal(kerb_performance_validate(&p, NULL), KERB_OK);
    // Another model takes nothing.
    told.drag *= 1.5f;
    kerb_lap_learner stranger = kerb_lap_learner_make(&car.vehicle, &told);
    kerb_lap_learner_merge(&stranger, &bends, 1.0f);
    assert_true(stranger.grip_ratio.value == 1.0f && !stranger.grip_ratio.known);
}

// What is measured by two learners in turns is known as if one had measured all of it.
static void two_that_learn_apart_know_together_what_one_would(void** state) {
    (void)state;
    for (int32_t n = 0; n < 3; n++) {
        true_car car = car_of(10.0f + 6.0f * (float)n);
        kerb_performance told = car.performance;
        told.lateral *= 0.85f + 0.15f * (float)n;
        kerb_lap_learner one = kerb_lap_learner_make(&car.vehicle, &told), first = one,
                         second = one;
        true_car same = car;
        drive_bends(&same, &one, 0.9f, 40.0f);
        drive_bends(&car, &first, 0.9f, 20.0f);
        drive_bends(&car, &second, 0.9f, 20.0f);
        float alone = kerb_max(first.grip_ratio.deviation, second.grip_ratio.deviation);
        kerb_lap_learner_merge(&first, &second, 1.0f);
        assert_float_equal(first.grip_ratio.value, one.grip_ratio.value, 0.04f);
        assert_true(first.grip_ratio.deviation < alone);
        assert_true(first.grip_ratio.deviation > 0.4f * one.grip_ratio.deviation);
        for (int32_t i = 0; i < KERB_LAP_LEARNER_TYRES; i++)
            for (int32_t k = 0; k < 2; k++)
                assert_true(first.memory.tyres[i].variance[k] > 0.0f);
    }
}

// Far shifts that would be jumps: it learns on as without them.
static void with_another_origin_it_learns_on_with_the_same_bits(void** state) {
    (void)state;
    true_car car = car_of(15.0f), moved;
    kerb_lap_learner learner = learner_told(&car, 0.8f, 1.1f), shifted;
    drive_bends(&car, &learner, 0.8f, 5.0f);
    moved = car;
    shifted = learner;
    for (int32_t i = 0; i < 40; i++) {
        kerb_vec3 by = {i % 2 == 0 ? 1024.0f : -1024.0f, i % 2 == 0 ? -512.0f : 512.0f, 0.0f};
        kerb_lap_learner_shift_origin(&shifted, by);
        moved.x -= (double)by.x;
        moved.y -= (double)by.y;
        drive_bends(&car, &learner, 0.8f, 0.25f);
        drive_bends(&moved, &shifted, 0.8f, 0.25f);
    }
    learner.memory.last.position = shifted.memory.last.position; // rounded elsewhere
    assert_memory_equal(&learner, &shifted, sizeof learner);
}

int lap_learner_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(full_throttle_teaches_the_engine_less_what_resists),
        cmocka_unit_test(brakes_weaker_than_described_and_than_the_tyres_are_the_limit),
        cmocka_unit_test(brakes_beyond_the_tyres_teach_what_the_tyres_hold),
        cmocka_unit_test(bends_teach_the_grip_upwards_as_well_as_down),
        cmocka_unit_test(commands_of_a_lock_that_speed_reduces_teach_the_grip),
        cmocka_unit_test(wings_that_nobody_told_of_are_learned),
        cmocka_unit_test(slip_that_is_noisy_makes_no_tyres_look_spent),
        cmocka_unit_test(tyres_that_never_slip_leave_the_grip_where_it_is),
        cmocka_unit_test(gentle_bends_leave_the_grip_in_doubt),
        cmocka_unit_test(hours_of_gentle_bends_bring_the_doubt_back),
        cmocka_unit_test(what_the_host_says_not_to_learn_teaches_nothing),
        cmocka_unit_test(whatever_it_is_fed_it_gives_a_valid_performance),
        cmocka_unit_test(saved_and_loaded_it_learns_on_with_the_same_bits),
        cmocka_unit_test(a_merge_gives_what_another_of_the_model_learned),
        cmocka_unit_test(two_that_learn_apart_know_together_what_one_would),
        cmocka_unit_test(with_another_origin_it_learns_on_with_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
