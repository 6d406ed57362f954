// The calibrator, judged by a car in closed form whose limits and delays are exactly what they are
// said to be. test_calibrate_vehicles.c has vehicles of simulations.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "scene/course/calibration.h"
#include "test/calibrate/calibrate_rig.h"
#include "test/seed.h"

#include <math.h>
#include <string.h>

// --------------------------------------------------------------------------- a car in closed form

#define PLANT_STEP (1.0f / 240.0f)
#define PLANT_LATE 256 // steps that a command can be late

typedef struct plant {
    kerb_vehicle vehicle; // its truth
    bool gradual;         // delays are first-order lags instead of dead times
    float power;          // per mass [W/kg]
    float late_throttle[PLANT_LATE], late_steering[PLANT_LATE];
    int32_t step;
    float force, angle; // arrived: throttle -1 … 1, front wheels [rad]
    float speed, yaw_rate, heading;
    kerb_vec3 rear;             // position of the rear axle
    float brakes, moves, turns; // factors on what it does: 1; 0 for one that does not
    float roll;                 // how far it has tipped over [rad]
    float pause;                // of an automatic without drive at each shift [s]; 0: no shifts
    float pausing;              // of it left [s]
    int32_t gear;               // of the automatic, from 0
    float creep;                // speed to which it creeps in gear without throttle [m/s]
    bool slips;                 // tells wheels that spin at full throttle and lock at full brake
    float slip;
} plant;

static plant plant_make(bool gradual) {
    plant p = {.gradual = gradual, .brakes = 1.0f, .moves = 1.0f, .turns = 1.0f};
    p.vehicle = kerb_vehicle_default();
    p.vehicle.steering_angle_max = 0.52f;
    p.vehicle.steering_rate_max = 0.8f;
    p.vehicle.steering_delay = 0.1125f;
    p.vehicle.understeer_gradient = 0.003f;
    p.vehicle.acceleration_max = 4.4f;
    p.vehicle.reverse_acceleration_max = 4.4f;
    p.vehicle.braking_max = 7.3f;
    p.vehicle.coasting_deceleration = 0.21f;
    p.vehicle.drag = 0.0006f;
    p.vehicle.lateral_acceleration_max = 7.0f;
    p.vehicle.throttle_delay = 0.175f;
    p.vehicle.speed_max = 42.0f;
    p.power = kerb_coasting_deceleration(&p.vehicle, 42.0f) * 42.0f;
    p.vehicle.power = p.vehicle.mass * p.power;
    return p;
}

static float late(float* line, int32_t step, float delay, float command) {
    int32_t steps = (int32_t)(delay / PLANT_STEP + 0.5f);
    line[step % PLANT_LATE] = command;
    return step < steps ? 0.0f : line[(step - steps) % PLANT_LATE];
}

static void plant_commands(plant* p, const kerb_controls* controls) {
    const kerb_vehicle* v = &p->vehicle;
    float throttle = controls->clutch > 0.5f ? 0.0f : controls->throttle * (float)controls->gear;
    float angle = controls->steering * v->steering_angle_max;
    if (p->gradual) {
        p->force += (throttle - p->force) * (1.0f - expf(-PLANT_STEP / v->throttle_delay));
        angle = p->angle + (angle - p->angle) * (1.0f - expf(-PLANT_STEP / v->steering_delay));
    } else {
        p->force = late(p->late_throttle, p->step, v->throttle_delay, throttle);
        angle = late(p->late_steering, p->step, v->steering_delay, angle);
    }
    float most = v->steering_rate_max * PLANT_STEP;
    p->angle += kerb_clamp(angle - p->angle, -most, most);
    p->step++;
}

// What an automatic with pauses and creep makes of the push. [m/s²]
static float plant_automatic(plant* p, const kerb_controls* controls, float push) {
    static const float up[] = {8.0f, 14.0f, 20.0f, 28.0f, 1e9f};
    int32_t gear = p->gear;
    if (p->speed > up[p->gear])
        p->gear++;
    if (p->gear > 0 && p->speed < up[p->gear - 1] - 5.0f)
        p->gear--;
    p->pausing = gear == p->gear ? kerb_max(p->pausing - PLANT_STEP, 0.0f) : p->pause;
    if (p->pausing > 0.0f)
        push = 0.0f;
    if (controls->throttle == 0.0f && controls->gear != 0 && !controls->handbrake)
        push += (float)controls->gear * kerb_clamp(8.0f * (p->creep - kerb_abs(p->speed)), 0.0f,
                                                   p->creep > 0.0f ? 8.0f : 0.0f);
    return push;
}

static void plant_step(plant* p, const kerb_controls* controls) {
    const kerb_vehicle* v = &p->vehicle;
    plant_commands(p, controls);
    float drive = v->acceleration_max + v->coasting_deceleration;
    float push =
        p->moves * p->force * kerb_min(drive, p->power / kerb_max(kerb_abs(p->speed), 0.1f));
    if (p->pause > 0.0f || p->creep > 0.0f)
        push = plant_automatic(p, controls, push);
    p->slip = !p->slips                    ? 0.0f
              : controls->throttle == 1.0f ? 2.0f
              : controls->brake == 1.0f    ? -1.0f
                                           : 0.0f;
    float pull = kerb_coasting_deceleration(v, p->speed) +
                 p->brakes * controls->brake * (v->braking_max - v->coasting_deceleration);
    if (controls->handbrake)
        pull = kerb_max(pull, 9.0f);
    float pushed = p->speed + push * PLANT_STEP;
    p->speed = pushed > 0.0f ? kerb_max(pushed - pull * PLANT_STEP, 0.0f)
                             : kerb_min(pushed + pull * PLANT_STEP, 0.0f);
    // The bicycle in its documented form; beyond its grip it turns no harder.
    float most = v->lateral_acceleration_max / kerb_max(kerb_abs(p->speed), 0.1f);
    p->yaw_rate =
        p->turns * kerb_curvature_of(v, p->angle / v->steering_angle_max, p->speed) * p->speed;
    p->yaw_rate = kerb_clamp(p->yaw_rate, -most, most);
    p->heading += p->yaw_rate * PLANT_STEP;
    kerb_quat rotation = kerb_quat_from_heading(p->heading);
    p->rear = kerb_vec3_along(p->rear, kerb_quat_forward(rotation), p->speed * PLANT_STEP);
}

static kerb_motion plant_motion(const plant* p) {
    kerb_motion motion = kerb_motion_default();
    float arm = p->vehicle.reference_to_rear_axle;
    motion.rotation = kerb_quat_from_angles(p->heading, 0.0f, p->roll);
    kerb_quat level = kerb_quat_from_heading(p->heading);
    kerb_vec3 forward = kerb_quat_forward(level), left = kerb_quat_left(level);
    motion.position = kerb_vec3_along(p->rear, forward, arm);
    motion.velocity = kerb_vec3_along(kerb_vec3_scale(forward, p->speed), left, arm * p->yaw_rate);
    motion.angular_velocity.z = p->yaw_rate;
    motion.wheel_slip = p->slip;
    return motion;
}

static kerb_calibrator plant_calibrator(const plant* p) {
    kerb_vehicle known = kerb_scene_known_vehicle(&p->vehicle);
    return kerb_calibrator_make(&known);
}

// So many frames at 60 Hz, or to the end.
static void drive(kerb_calibrator* calibrator, plant* p, int32_t frames) {
    for (int32_t i = 0; i < frames && calibrator->outcome == KERB_CALIBRATION_RUNNING; i++) {
        kerb_motion motion = plant_motion(p);
        kerb_controls controls = kerb_calibrator_drive(calibrator, &motion, 1.0f / 60.0f);
        for (int32_t k = 0; k < 4; k++)
            plant_step(p, &controls);
    }
}

#define TO_THE_END 100000

static void expect_field(const kerb_calibrator* calibrator, const plant* p,
                         kerb_calibration_field field, double percent) {
    if (calibrator->confidence[field] != KERB_CALIBRATION_MEASURED)
        fail_msg("the deviation of %s is %g", kerb_calibration_field_name(field),
                 (double)calibrator->deviation[field]);
    double error = error_percent(calibrator, &p->vehicle, (int32_t)field);
    if (!(fabs(error) <= percent))
        fail_msg("%s is off by %.2f %%", kerb_calibration_field_name(field), error);
}

static void delays_are_found_whether_commands_come_late_or_gradually(void** state) {
    (void)state;
    for (int32_t gradual = 0; gradual < 2; gradual++) {
        plant p = plant_make(gradual == 1);
        kerb_calibrator calibrator = plant_calibrator(&p);
        drive(&calibrator, &p, TO_THE_END);
        assert_int_equal(calibrator.outcome, KERB_CALIBRATION_DONE);
        expect_field(&calibrator, &p, KERB_CALIBRATES_THROTTLE_DELAY, 3.0);
        expect_field(&calibrator, &p, KERB_CALIBRATES_STEERING_DELAY, 3.0);
        expect_field(&calibrator, &p, KERB_CALIBRATES_STEERING_RATE_MAX, 1.0);
    }
}

static void limits_of_a_car_in_closed_form_are_found_exactly(void** state) {
    (void)state;
    plant p = plant_make(true);
    kerb_calibrator calibrator = plant_calibrator(&p);
    drive(&calibrator, &p, TO_THE_END);
    assert_int_equal(calibrator.outcome, KERB_CALIBRATION_DONE);
    assert_int_equal(kerb_vehicle_validate(&calibrator.measured, NULL), KERB_OK);
    expect_field(&calibrator, &p, KERB_CALIBRATES_STEERING_ANGLE_MAX, 0.5);
    expect_field(&calibrator, &p, KERB_CALIBRATES_UNDERSTEER_GRADIENT, 2.0);
    expect_field(&calibrator, &p, KERB_CALIBRATES_SPEED_MAX, 1.5);
    expect_field(&calibrator, &p, KERB_CALIBRATES_ACCELERATION_MAX, 1.0);
    expect_field(&calibrator, &p, KERB_CALIBRATES_REVERSE_ACCELERATION_MAX, 1.0);
    expect_field(&calibrator, &p, KERB_CALIBRATES_POWER, 5.0);
    expect_field(&calibrator, &p, KERB_CALIBRATES_BRAKING_MAX, 0.5);
    expect_field(&calibrator, &p, KERB_CALIBRATES_COASTING_DECELERATION, 0.5);
    expect_field(&calibrator, &p, KERB_CALIBRATES_DRAG, 0.5);
    expect_field(&calibrator, &p, KERB_CALIBRATES_LATERAL_ACCELERATION_MAX, 3.0);
    // What the host knows stays as it was given.
    assert_memory_equal(&calibrator.measured.wheelbase, &p.vehicle.wheelbase, sizeof(float));
    assert_int_equal(calibrator.confidence[KERB_CALIBRATES_YAW_RATE_MAX], KERB_CALIBRATION_GIVEN);
}

// --------------------------------------------------------------------------- gearboxes

// Time from a speed to another at full throttle, by a description or by the plant. [s]
static float time_by_model(const kerb_vehicle* v, float from, float to) {
    float time = 0.0f;
    for (float speed = from; speed < to; speed += 0.05f) {
        float force = v->acceleration_max + v->coasting_deceleration;
        float share = kerb_share_at(&v->power_share, speed);
        float drive = kerb_min(force, share * v->power / v->mass / speed);
        time += 0.05f / (drive - kerb_coasting_deceleration(v, speed));
    }
    return time;
}

static float time_of_plant(plant p, float from, float to) {
    kerb_controls controls = {.throttle = 1.0f, .gear = 1};
    float time = 0.0f;
    while (p.speed < from)
        plant_step(&p, &controls);
    for (; p.speed < to && time < 300.0f; time += PLANT_STEP)
        plant_step(&p, &controls);
    return time;
}

// Long pauses make it slower than any power that holds the top speed.
#define PAUSE_IN_POWER 0.4f

static void a_pause_of_the_gearbox_is_not_the_top_speed_and_the_power_gives_the_times(
    void** state) {
    (void)state;
    static const float pauses[] = {0.1f, 0.3f, 0.7f, 1.0f};
    for (int32_t i = 0; i < 4; i++) {
        plant p = plant_make(true);
        p.pause = pauses[i];
        kerb_calibrator calibrator = plant_calibrator(&p);
        drive(&calibrator, &p, TO_THE_END);
        assert_int_equal(calibrator.outcome, KERB_CALIBRATION_DONE);
        expect_field(&calibrator, &p, KERB_CALIBRATES_SPEED_MAX, 1.5);
        assert_int_equal(calibrator.confidence[KERB_CALIBRATES_POWER], KERB_CALIBRATION_MEASURED);
        plant fresh = plant_make(true);
        fresh.pause = pauses[i];
        float ratio =
            time_by_model(&calibrator.measured, 5.0f, 36.0f) / time_of_plant(fresh, 5.0f, 36.0f);
        if (pauses[i] < PAUSE_IN_POWER && !(fabsf(ratio - 1.0f) < 0.06f))
            fail_msg("with a pause of %g s the model takes %.3f of the time", (double)pauses[i],
                     (double)ratio);
    }
}

static void what_creeps_on_at_idle_is_measured_too(void** state) {
    (void)state;
    plant p = plant_make(true);
    p.creep = 3.0f;
    kerb_calibrator calibrator = plant_calibrator(&p);
    drive(&calibrator, &p, TO_THE_END);
    assert_int_equal(calibrator.outcome, KERB_CALIBRATION_DONE);
    expect_field(&calibrator, &p, KERB_CALIBRATES_STEERING_RATE_MAX, 5.0);
    assert_true(calibrator.confidence[KERB_CALIBRATES_STEERING_DELAY] >=
                KERB_CALIBRATION_ESTIMATED);
    assert_true(fabs(error_percent(&calibrator, &p.vehicle, KERB_CALIBRATES_STEERING_DELAY)) <
                20.0); // 0.02 s
    assert_true(fabsf(calibrator.measured.creep_speed - 3.0f) < 0.15f);
    assert_int_equal(calibrator.confidence[KERB_CALIBRATES_CREEP_SPEED], KERB_CALIBRATION_MEASURED);
    expect_field(&calibrator, &p, KERB_CALIBRATES_STEERING_ANGLE_MAX, 1.0);
    expect_field(&calibrator, &p, KERB_CALIBRATES_COASTING_DECELERATION, 5.0);
    // Its creep pushes against the brake, which casts doubt on it.
    assert_true(fabs(error_percent(&calibrator, &p.vehicle, KERB_CALIBRATES_BRAKING_MAX)) < 5.0);
}

static void what_gains_speed_slowly_is_given_time(void** state) {
    (void)state;
    static const float weak[] = {0.15f, 0.3f, 0.7f};
    for (int32_t i = 0; i < 3; i++) {
        plant p = plant_make(true);
        p.vehicle.acceleration_max = weak[i];
        kerb_calibrator calibrator = plant_calibrator(&p);
        for (int32_t k = 0; k < 4000 && calibrator.phase == KERB_CALIBRATION_FIRST_MOVEMENT; k++)
            drive(&calibrator, &p, 1);
        assert_int_equal(calibrator.outcome, KERB_CALIBRATION_RUNNING);
        assert_int_equal(calibrator.phase, KERB_CALIBRATION_CREEP);
    }
}

static void wheels_that_spin_or_lock_are_counted(void** state) {
    (void)state;
    plant p = plant_make(true);
    kerb_calibrator calibrator = plant_calibrator(&p);
    drive(&calibrator, &p, TO_THE_END);
    assert_int_equal(calibrator.spins, 0);
    assert_int_equal(calibrator.locks, 0);
    p = plant_make(true);
    p.slips = true;
    calibrator = plant_calibrator(&p);
    drive(&calibrator, &p, TO_THE_END);
    assert_true(calibrator.spins > 0 && calibrator.locks > 0);
}

// The default vehicle pushes ten times as hard, so that the share of the throttle that it needs to
// drive slowly does not move these.
static void what_hardly_moves_is_given_throttle_until_it_does(void** state) {
    (void)state;
    static const float pushes[] = {0.25f, 0.2f, 0.6f, 0.9f}, rolls[] = {0.15f, 0.15f, 0.5f, 0.9f};
    for (int32_t i = 0; i < 4; i++) {
        plant p = plant_make(true);
        p.vehicle.acceleration_max = p.vehicle.reverse_acceleration_max = pushes[i];
        p.vehicle.coasting_deceleration = rolls[i];
        p.vehicle.speed_max = 12.0f;
        p.power = kerb_coasting_deceleration(&p.vehicle, 12.0f) * 12.0f;
        p.vehicle.power = p.vehicle.mass * p.power;
        kerb_calibrator calibrator = plant_calibrator(&p);
        drive(&calibrator, &p, TO_THE_END);
        if (calibrator.outcome != KERB_CALIBRATION_DONE)
            fail_msg("%g m/s²: %s", (double)pushes[i],
                     kerb_calibration_failure_text(calibrator.failure));
        expect_field(&calibrator, &p, KERB_CALIBRATES_STEERING_ANGLE_MAX, 3.0);
        expect_field(&calibrator, &p, KERB_CALIBRATES_COASTING_DECELERATION, 10.0);
    }
}

// What it calls measured is right at any time step.
static void coarse_frames_do_not_make_the_grip_greater(void** state) {
    (void)state;
    static const int32_t steps[] = {4, 8, 12, 16, 20, 24, 30, 40, 48, 60}; // of 1/240 s
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        plant p = plant_make(true);
        p.vehicle.lateral_acceleration_max = 8.0f;
        kerb_calibrator calibrator = plant_calibrator(&p);
        while (calibrator.outcome == KERB_CALIBRATION_RUNNING) {
            kerb_motion motion = plant_motion(&p);
            kerb_controls controls =
                kerb_calibrator_drive(&calibrator, &motion, (float)steps[i] * PLANT_STEP);
            for (int32_t k = 0; k < steps[i]; k++)
                plant_step(&p, &controls);
        }
        assert_int_equal(calibrator.outcome, KERB_CALIBRATION_DONE);
        if (calibrator.confidence[KERB_CALIBRATES_LATERAL_ACCELERATION_MAX] ==
            KERB_CALIBRATION_MEASURED)
            expect_field(&calibrator, &p, KERB_CALIBRATES_LATERAL_ACCELERATION_MAX, 5.0);
    }
}

// --------------------------------------------------------------------------- room

static void the_slow_part_fits_a_town_square(void** state) {
    (void)state;
    static const kerb_calibration_field slow[] = {
        KERB_CALIBRATES_STEERING_ANGLE_MAX,   KERB_CALIBRATES_STEERING_RATE_MAX,
        KERB_CALIBRATES_STEERING_DELAY,       KERB_CALIBRATES_ACCELERATION_MAX,
        KERB_CALIBRATES_BRAKING_MAX,          KERB_CALIBRATES_THROTTLE_DELAY,
        KERB_CALIBRATES_COASTING_DECELERATION};
    plant p = plant_make(true);
    kerb_calibrator calibrator = plant_calibrator(&p);
    calibrator.settings.space_ahead = calibrator.settings.space_behind = 20.0f;
    calibrator.settings.space_each_side = 20.0f;
    drive(&calibrator, &p, TO_THE_END);
    assert_int_equal(calibrator.outcome, KERB_CALIBRATION_DONE);
    for (size_t i = 0; i < sizeof slow / sizeof slow[0]; i++)
        if (calibrator.confidence[slow[i]] < KERB_CALIBRATION_ESTIMATED)
            fail_msg("%s is not measured", kerb_calibration_field_name(slow[i]));
    for (size_t i = 0; i < sizeof slow / sizeof slow[0]; i++)
        if (!(fabs(error_percent(&calibrator, &p.vehicle, (int32_t)slow[i])) <
              (i == 2 ? 30.0 : 10.0))) // delay: 0.03 s
            fail_msg("%s is off by %.1f %%", kerb_calibration_field_name(slow[i]),
                     error_percent(&calibrator, &p.vehicle, (int32_t)slow[i]));
    assert_int_equal(calibrator.confidence[KERB_CALIBRATES_SPEED_MAX], KERB_CALIBRATION_GUESSED);
    assert_true(kerb_calibrator_room(&calibrator).length > 40.0f);
}

static void in_the_room_that_it_asks_for_it_reaches_its_top_speed(void** state) {
    (void)state;
    plant p = plant_make(true);
    kerb_calibration_room room;
    for (int32_t i = 0; i < 2; i++) {
        kerb_calibrator calibrator = plant_calibrator(&p);
        if (i > 0) {
            calibrator.settings.space_ahead = room.length;
            calibrator.settings.space_each_side = 0.5f * room.width;
        }
        drive(&calibrator, &p, TO_THE_END);
        expect_field(&calibrator, &p, KERB_CALIBRATES_SPEED_MAX, 1.5);
        room = kerb_calibrator_room(&calibrator);
        p = plant_make(true);
    }
    assert_true(room.length > 500.0f && room.length < 6000.0f);
}

static void a_run_that_is_cut_short_extrapolates_and_says_so(void** state) {
    (void)state;
    plant p = plant_make(true);
    kerb_calibrator calibrator = plant_calibrator(&p);
    calibrator.settings.space_ahead = 700.0f;
    drive(&calibrator, &p, TO_THE_END);
    assert_int_equal(calibrator.outcome, KERB_CALIBRATION_DONE);
    assert_int_equal(calibrator.confidence[KERB_CALIBRATES_SPEED_MAX], KERB_CALIBRATION_GUESSED);
    assert_true(fabs(error_percent(&calibrator, &p.vehicle, KERB_CALIBRATES_SPEED_MAX)) < 5.0);
}

static void what_nothing_slows_is_measured_too(void** state) {
    (void)state;
    plant p = plant_make(true);
    p.vehicle.coasting_deceleration = p.vehicle.drag = 0.0f;
    p.power = 60.0f;
    kerb_calibrator calibrator = plant_calibrator(&p);
    calibrator.measured.coasting_deceleration = calibrator.measured.drag = 0.0f;
    drive(&calibrator, &p, TO_THE_END);
    assert_int_equal(calibrator.outcome, KERB_CALIBRATION_DONE);
    assert_true(fabsf(calibrator.measured.power / (p.power * p.vehicle.mass) - 1.0f) < 0.1f);
}

static void it_drives_no_faster_than_it_is_told(void** state) {
    (void)state;
    plant p = plant_make(true);
    kerb_calibrator calibrator = plant_calibrator(&p);
    calibrator.settings.speed_max = 20.0f;
    float fastest = 0.0f;
    while (calibrator.outcome == KERB_CALIBRATION_RUNNING) {
        drive(&calibrator, &p, 1);
        fastest = kerb_max(fastest, p.speed);
    }
    assert_int_equal(calibrator.outcome, KERB_CALIBRATION_DONE);
    assert_true(fastest > 19.0f && fastest < 21.5f);
    assert_int_equal(calibrator.confidence[KERB_CALIBRATES_SPEED_MAX], KERB_CALIBRATION_GUESSED);
}

// --------------------------------------------------------------------------- what can go wrong

static void expect_failure(plant p, kerb_calibration_failure failure) {
    kerb_calibrator calibrator = plant_calibrator(&p);
    drive(&calibrator, &p, TO_THE_END);
    if (calibrator.outcome != KERB_CALIBRATION_FAILED || calibrator.failure != failure)
        fail_msg("%s instead of %s", kerb_calibration_failure_text(calibrator.failure),
                 kerb_calibration_failure_text(failure));
    kerb_motion motion = plant_motion(&p);
    kerb_controls controls = kerb_calibrator_drive(&calibrator, &motion, 1.0f / 60.0f);
    assert_true(controls.brake == 1.0f && controls.throttle == 0.0f);
}

static void vehicles_that_do_not_obey_are_told_apart(void** state) {
    (void)state;
    plant p = plant_make(true);
    p.moves = 0.0f;
    expect_failure(p, KERB_CALIBRATION_DOES_NOT_MOVE);
    p = plant_make(true);
    p.moves = -1.0f; // forward gear drives backwards
    expect_failure(p, KERB_CALIBRATION_DOES_NOT_MOVE);
    p = plant_make(true);
    p.brakes = p.vehicle.coasting_deceleration = p.vehicle.drag = 0.0f;
    expect_failure(p, KERB_CALIBRATION_DOES_NOT_STOP);
    p = plant_make(true);
    p.turns = 0.0f;
    expect_failure(p, KERB_CALIBRATION_DOES_NOT_STEER);
}

static void what_does_not_drive_on_is_not_said_to_steer_wrongly(void** state) {
    (void)state;
    plant p = plant_make(true);
    kerb_calibrator calibrator = plant_calibrator(&p);
    while (calibrator.phase == KERB_CALIBRATION_FIRST_MOVEMENT)
        drive(&calibrator, &p, 1);
    p.moves = 0.0f; // its engine stops
    drive(&calibrator, &p, TO_THE_END);
    assert_int_equal(calibrator.failure, KERB_CALIBRATION_DOES_NOT_MOVE);
}

static void a_vehicle_that_tips_over_ends_it(void** state) {
    (void)state;
    plant p = plant_make(true);
    kerb_calibrator calibrator = plant_calibrator(&p);
    drive(&calibrator, &p, 600);
    assert_int_equal(calibrator.outcome, KERB_CALIBRATION_RUNNING);
    p.roll = 0.9f; // leaning hard, but on its wheels
    drive(&calibrator, &p, 1);
    assert_int_equal(calibrator.outcome, KERB_CALIBRATION_RUNNING);
    p.roll = 1.2f;
    drive(&calibrator, &p, 1);
    assert_int_equal(calibrator.failure, KERB_CALIBRATION_TIPPED_OVER);
}

static void leaving_the_room_ends_it(void** state) {
    (void)state;
    plant p = plant_make(true);
    kerb_calibrator calibrator = plant_calibrator(&p);
    drive(&calibrator, &p, 600);
    p.rear.y += 300.0f; // somebody put it elsewhere, for good
    drive(&calibrator, &p, 16);
    assert_int_equal(calibrator.outcome, KERB_CALIBRATION_FAILED);
    assert_int_equal(calibrator.failure, KERB_CALIBRATION_OUT_OF_SPACE);
}

static void it_ends_when_its_time_is_over(void** state) {
    (void)state;
    plant p = plant_make(true);
    kerb_calibrator calibrator = plant_calibrator(&p);
    calibrator.settings.time_max = 30.0f;
    drive(&calibrator, &p, TO_THE_END);
    assert_int_equal(calibrator.failure, KERB_CALIBRATION_OUT_OF_TIME);
    assert_true(calibrator.time < 30.1f);
}

static void motion_that_is_not_finite_is_borne_for_a_second(void** state) {
    (void)state;
    plant p = plant_make(true);
    kerb_calibrator calibrator = plant_calibrator(&p);
    drive(&calibrator, &p, 120);
    kerb_motion motion = plant_motion(&p);
    motion.velocity.x = NAN;
    for (int32_t i = 0; i < 58; i++) {
        kerb_controls controls = kerb_calibrator_drive(&calibrator, &motion, 1.0f / 60.0f);
        assert_true(controls.brake == 1.0f && controls.throttle == 0.0f);
        assert_int_equal(controls.reason, KERB_REASON_BAD_MOTION);
    }
    assert_int_equal(calibrator.outcome, KERB_CALIBRATION_RUNNING);
    drive(&calibrator, &p, 60); // well again: the second counts anew
    for (int32_t i = 0; i < 58; i++)
        (void)kerb_calibrator_drive(&calibrator, &motion, 1.0f / 60.0f);
    assert_int_equal(calibrator.outcome, KERB_CALIBRATION_RUNNING);
    for (int32_t i = 0; i < 10; i++)
        (void)kerb_calibrator_drive(&calibrator, &motion, 1.0f / 60.0f);
    assert_int_equal(calibrator.failure, KERB_CALIBRATION_BAD_MOTION);
    assert_int_equal(calibrator.bad_frames, 126);
}

static void a_bad_time_step_repeats_the_last_controls(void** state) {
    (void)state;
    plant p = plant_make(true);
    kerb_calibrator calibrator = plant_calibrator(&p);
    drive(&calibrator, &p, 400);
    kerb_controls before = calibrator.controls;
    static const float steps[] = {0.0f, -1.0f, NAN, INFINITY};
    for (size_t i = 0; i < 4; i++) {
        kerb_motion motion = plant_motion(&p);
        kerb_controls now = kerb_calibrator_drive(&calibrator, &motion, steps[i]);
        assert_true(now.throttle == before.throttle && now.steering == before.steering);
        assert_int_equal(now.reason, KERB_REASON_BAD_STEP);
    }
    assert_int_equal(calibrator.outcome, KERB_CALIBRATION_RUNNING);
}

// What the host does to it now and then, on average once in ten seconds.
typedef enum disturbance {
    PUT_ELSEWHERE, // in the area, at standstill, facing anywhere
    GLITCHES,      // elsewhere for one frame, or for ten
    IMPOSSIBLE,    // motion for one frame
    LONG,          // a frame of 1 s
    DISTURBANCES
} disturbance;

static void disturb(kerb_random* random, disturbance what, kerb_calibrator* calibrator, plant* p) {
    kerb_motion motion = plant_motion(p);
    int32_t frames = what == GLITCHES && kerb_random_below(random, 2) > 0 ? 10 : 1;
    if (what == PUT_ELSEWHERE) {
        p->speed = p->yaw_rate = p->force = 0.0f;
        p->heading = kerb_random_between(random, -3.1f, 3.1f);
        p->rear.x = kerb_random_between(random, 0.0f, 2500.0f);
        p->rear.y = kerb_random_between(random, -100.0f, 100.0f);
        return;
    }
    for (int32_t i = 0; i < frames; i++) {
        motion = plant_motion(p);
        if (what == GLITCHES)
            motion = kerb_motion_default(), motion.position.y = 5000.0f;
        if (what == IMPOSSIBLE)
            motion.velocity.y = 1.0e18f;
        float step = what == LONG ? 1.0f : 1.0f / 60.0f;
        kerb_controls controls = kerb_calibrator_drive(calibrator, &motion, step);
        for (int32_t k = 0; k < (what == LONG ? 240 : 4); k++)
            plant_step(p, &controls);
    }
}

static void disturbed_it_measures_again_and_finds_the_same(void** state) {
    (void)state;
    kerb_random random = test_random("disturbed_it_measures_again_and_finds_the_same");
    for (int32_t i = 0; i < DISTURBANCES * test_share(6, 2); i++) {
        plant p = plant_make(true);
        kerb_calibrator calibrator = plant_calibrator(&p);
        calibrator.settings.time_max = 5000.0f;
        disturbance what = (disturbance)(i % DISTURBANCES);
        int32_t next = 200, left = 12;
        while (calibrator.outcome == KERB_CALIBRATION_RUNNING) {
            drive(&calibrator, &p, next);
            next = kerb_random_below(&random, 1200);
            if (left-- > 0 && calibrator.outcome == KERB_CALIBRATION_RUNNING)
                disturb(&random, what, &calibrator, &p);
        }
        if (calibrator.outcome != KERB_CALIBRATION_DONE)
            fail_msg("disturbance %d: %s", (int)what,
                     kerb_calibration_failure_text(calibrator.failure));
        for (int32_t field = 0; field < KERB_CALIBRATION_FIELD_COUNT; field++) {
            // The plant has no top speed in reverse of its own.
            if (calibrator.confidence[field] < KERB_CALIBRATION_ESTIMATED ||
                field == KERB_CALIBRATES_REVERSE_SPEED_MAX)
                continue;
            double error = error_percent(&calibrator, &p.vehicle, field);
            if (!(fabs(error) <= 5.0))
                fail_msg("disturbance %d: %s is off by %.2f %%", (int)what,
                         kerb_calibration_field_name((kerb_calibration_field)field), error);
        }
    }
}

static void with_another_origin_it_goes_on_with_the_same_controls(void** state) {
    (void)state;
    plant p = plant_make(true);
    kerb_calibrator calibrator = plant_calibrator(&p), moved = calibrator;
    kerb_vec3 origin = {0.0f, 0.0f, 0.0f};
    float most = 0.0f;
    for (int32_t i = 0; calibrator.outcome == KERB_CALIBRATION_RUNNING; i++) {
        if (i % 240 == 100) { // and back again, because far places are coarse
            float way = i / 240 % 2 == 0 ? 1.0f : -1.0f;
            kerb_vec3 by = {way * 1024.0f, way * -2048.0f, way * 64.0f};
            kerb_calibrator_shift_origin(&moved, by);
            origin = kerb_vec3_add(origin, by);
        }
        kerb_motion motion = plant_motion(&p), there = motion;
        there.position = kerb_vec3_sub(motion.position, origin);
        kerb_controls controls = kerb_calibrator_drive(&calibrator, &motion, 1.0f / 60.0f);
        kerb_controls same = kerb_calibrator_drive(&moved, &there, 1.0f / 60.0f);
        most = kerb_max(most, fabsf(controls.steering - same.steering));
        most = kerb_max(most, fabsf(controls.throttle - same.throttle));
        most = kerb_max(most, fabsf(controls.brake - same.brake));
        for (int32_t k = 0; k < 4; k++)
            plant_step(&p, &controls);
    }
    assert_int_equal(moved.outcome, KERB_CALIBRATION_DONE);
    if (!(most < 1.0e-3f))
        fail_msg("controls %g apart", (double)most);
}

// --------------------------------------------------------------------------- as an object

static void a_copy_goes_on_as_the_original(void** state) {
    (void)state;
    plant p = plant_make(true);
    kerb_calibrator calibrator = plant_calibrator(&p);
    drive(&calibrator, &p, 6000);
    plant p_copy = p;
    kerb_calibrator copy = calibrator;
    drive(&calibrator, &p, TO_THE_END);
    drive(&copy, &p_copy, TO_THE_END);
    assert_int_equal(copy.outcome, KERB_CALIBRATION_DONE);
    assert_memory_equal(&copy.measured, &calibrator.measured, sizeof copy.measured);
}

static void it_does_not_matter_where_it_starts_and_facing_where(void** state) {
    (void)state;
    plant here = plant_make(false), there = plant_make(false);
    there.heading = 2.5f;
    there.rear = kerb_vec3_make(-400.0f, 900.0f, 12.0f);
    kerb_calibrator a = plant_calibrator(&here), b = plant_calibrator(&there);
    drive(&a, &here, TO_THE_END);
    drive(&b, &there, TO_THE_END);
    assert_int_equal(b.outcome, KERB_CALIBRATION_DONE);
    for (int32_t field = 0; field < KERB_CALIBRATION_FIELD_COUNT; field++)
        if (a.confidence[field] >= KERB_CALIBRATION_ESTIMATED)
            assert_true(fabs(error_percent(&b, &a.measured, field)) < 2.0);
}

static void progress_never_falls_and_ends_at_one(void** state) {
    (void)state;
    plant p = plant_make(true);
    kerb_calibrator calibrator = plant_calibrator(&p);
    float last = 0.0f;
    while (calibrator.outcome == KERB_CALIBRATION_RUNNING) {
        drive(&calibrator, &p, 1);
        assert_true(calibrator.progress >= last && calibrator.progress <= 1.0f);
        last = calibrator.progress;
    }
    assert_true(last == 1.0f);
}

static void every_value_has_its_words(void** state) {
    (void)state;
    for (int32_t i = 0; i < KERB_CALIBRATION_FAILURE_COUNT; i++)
        assert_non_null(strchr(kerb_calibration_failure_text((kerb_calibration_failure)i), ' '));
    for (int32_t i = 0; i < KERB_CALIBRATION_PHASE_COUNT; i++)
        assert_string_not_equal(kerb_calibration_phase_text((kerb_calibration_phase)i), "unknown");
    assert_string_equal(kerb_calibration_phase_text((kerb_calibration_phase)999), "unknown");
    assert_string_equal(kerb_calibration_failure_text((kerb_calibration_failure)-1), "unknown");
    assert_string_equal(kerb_calibration_confidence_text(KERB_CALIBRATION_ESTIMATED), "estimated");
    kerb_calibration_settings settings = kerb_calibration_settings_default();
    assert_int_equal(kerb_settings_validate(&kerb_calibration_settings_table, &settings, NULL),
                     KERB_OK);
}

int calibrate_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(delays_are_found_whether_commands_come_late_or_gradually),
        cmocka_unit_test(limits_of_a_car_in_closed_form_are_found_exactly),
        cmocka_unit_test(a_pause_of_the_gearbox_is_not_the_top_speed_and_the_power_gives_the_times),
        cmocka_unit_test(what_creeps_on_at_idle_is_measured_too),
        cmocka_unit_test(what_gains_speed_slowly_is_given_time),
        cmocka_unit_test(what_hardly_moves_is_given_throttle_until_it_does),
        cmocka_unit_test(wheels_that_spin_or_lock_are_counted),
        cmocka_unit_test(coarse_frames_do_not_make_the_grip_greater),
        cmocka_unit_test(the_slow_part_fits_a_town_square),
        cmocka_unit_test(in_the_room_that_it_asks_for_it_reaches_its_top_speed),
        cmocka_unit_test(a_run_that_is_cut_short_extrapolates_and_says_so),
        cmocka_unit_test(what_nothing_slows_is_measured_too),
        cmocka_unit_test(it_drives_no_faster_than_it_is_told),
        cmocka_unit_test(vehicles_that_do_not_obey_are_told_apart),
        cmocka_unit_test(what_does_not_drive_on_is_not_said_to_steer_wrongly),
        cmocka_unit_test(a_vehicle_that_tips_over_ends_it),
        cmocka_unit_test(leaving_the_room_ends_it),
        cmocka_unit_test(it_ends_when_its_time_is_over),
        cmocka_unit_test(motion_that_is_not_finite_is_borne_for_a_second),
        cmocka_unit_test(a_bad_time_step_repeats_the_last_controls),
        cmocka_unit_test(disturbed_it_measures_again_and_finds_the_same),
        cmocka_unit_test(with_another_origin_it_goes_on_with_the_same_controls),
        cmocka_unit_test(a_copy_goes_on_as_the_original),
        cmocka_unit_test(it_does_not_matter_where_it_starts_and_facing_where),
        cmocka_unit_test(progress_never_falls_and_ends_at_one),
        cmocka_unit_test(every_value_has_its_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
