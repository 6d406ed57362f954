// One frame of the calibrator: the position in the area, the checks, the present manoeuvre, and the
// controls for what the manoeuvre wants. O(1) a frame, except at the end of a manoeuvre.
#include "../base/shared.h"
#include "frame.h"

#include <string.h>

// z of the up vector below which the vehicle counts as tipped over: a tilt of 60 degrees. [1]
#define UPRIGHT 0.5f
// Less steering is none. [1]
#define CALIBRATOR_STRAIGHT 1.0e-6f
// The calibration fails when the motion is impossible for longer. [s]
#define BAD_TIME 1.0f

// The order of the manoeuvres: a manoeuvre comes after those whose results it needs.
// What fits a small place comes first, and learns the steering that the fast ones need to stay on
// their line.
static const calibrate_manoeuvre manoeuvres[] = {
    {KERB_CALIBRATION_FIRST_MOVEMENT, true, true, NULL, NULL, kerb_in_calibrate_drive_off},
    {KERB_CALIBRATION_CREEP, true, true, NULL, NULL, kerb_in_calibrate_creep},
    {KERB_CALIBRATION_CIRCLE, true, false, NULL, NULL, kerb_in_calibrate_circle},
    {KERB_CALIBRATION_CIRCLE, false, true, NULL, NULL, kerb_in_calibrate_spin},
    {KERB_CALIBRATION_STEERING_RAMP, true, false, kerb_in_calibrate_slow_speed,
     kerb_in_calibrate_slow_room, kerb_in_calibrate_steering_ramp},
    {KERB_CALIBRATION_STEERING_STEPS, true, false, kerb_in_calibrate_slow_speed,
     kerb_in_calibrate_slow_room, kerb_in_calibrate_steering_steps},
    {KERB_CALIBRATION_TOP_SPEED, true, true, kerb_in_calibrate_slow_speed,
     kerb_in_calibrate_top_room, kerb_in_calibrate_top_speed},
    {KERB_CALIBRATION_COAST_FAST, true, true, NULL, NULL, kerb_in_calibrate_coast},
    {KERB_CALIBRATION_BRAKE, true, true, NULL, NULL, kerb_in_calibrate_brake},
    {KERB_CALIBRATION_COAST_SLOW, true, true, kerb_in_calibrate_roll_speed,
     kerb_in_calibrate_roll_room, kerb_in_calibrate_roll},
    {KERB_CALIBRATION_THROTTLE_STEP, true, true, kerb_in_calibrate_step_speed,
     kerb_in_calibrate_step_room, kerb_in_calibrate_throttle_step},
    {KERB_CALIBRATION_LAUNCH, true, true, kerb_in_calibrate_slow_speed,
     kerb_in_calibrate_launch_room, kerb_in_calibrate_launch},
    {KERB_CALIBRATION_REVERSE, true, true, kerb_in_calibrate_slow_speed,
     kerb_in_calibrate_reverse_room, kerb_in_calibrate_reverse},
    {KERB_CALIBRATION_GRIP, true, true, kerb_in_calibrate_grip_speed, kerb_in_calibrate_grip_room,
     kerb_in_calibrate_grip},
    {KERB_CALIBRATION_UNDERSTEER, true, false, kerb_in_calibrate_understeer_speed,
     kerb_in_calibrate_understeer_room, kerb_in_calibrate_understeer},
};
#define MANOEUVRE_COUNT ((int32_t)(sizeof manoeuvres / sizeof manoeuvres[0]))

void kerb_calibrator_init(kerb_calibrator* calibrator, const kerb_vehicle* known) {
    KERB_ASSERT(calibrator && known);
    const kerb_vehicle own = *known; // which may lie in the calibrator
    memset(calibrator, 0, sizeof *calibrator);
    calibrator->settings = kerb_calibration_settings_default();
    calibrator->measured = own;
    calibrator->controls = kerb_controls_safe(KERB_REASON_NONE);
    kerb_vehicle_estimate_init(&calibrator->memory.estimate, &own);
}

kerb_calibrator kerb_calibrator_make(const kerb_vehicle* known) {
    kerb_calibrator calibrator;
    kerb_calibrator_init(&calibrator, known);
    return calibrator;
}

size_t kerb_calibrator_bytes(void) {
    _Static_assert(_Alignof(kerb_calibrator) <= KERB_IN_SAVED_ALIGNMENT, "as hosts are promised");
    return sizeof(kerb_calibrator);
}

size_t kerb_calibrator_save(const kerb_calibrator* calibrator, void* block, size_t capacity) {
    return kerb_in_save("kerb_calibrator", calibrator, sizeof *calibrator, block, capacity);
}

kerb_result kerb_calibrator_load(kerb_calibrator* calibrator, const void* block, size_t size,
                                 kerb_error* error) {
    return kerb_in_load("kerb_calibrator", calibrator, sizeof *calibrator, block, size, error);
}

// --------------------------------------------------------------------------- outcomes

static void calibrator_finish(kerb_calibrator* calibrator) {
    kerb_in_calibrate_conclude(calibrator);
    calibrator->progress = 1.0f;
    calibrator->outcome = KERB_CALIBRATION_DONE;
    bool measured = false;
    for (int32_t i = 0; i < KERB_CALIBRATION_FIELD_COUNT; i++)
        measured = measured || (i != KERB_CALIBRATES_CREEP_SPEED && // which needs no room
                                calibrator->confidence[i] >= KERB_CALIBRATION_ESTIMATED);
    if (!measured)
        kerb_in_calibrate_fail(calibrator, KERB_CALIBRATION_OUT_OF_SPACE);
    if (kerb_vehicle_validate(&calibrator->measured, NULL) != KERB_OK)
        kerb_in_calibrate_fail(calibrator, KERB_CALIBRATION_INVALID_RESULT);
}

// --------------------------------------------------------------------------- the frame

// Time since the last call. Hosts that drive before they move their vehicle give the length of the
// frame that begins; in the frames between, the vehicle went as far as the one before was long.
// [s]
static float elapsed_since(const kerb_calibrator* calibrator, const kerb_motion* motion,
                           float time_step) {
    const kerb_calibrator_memory* m = &calibrator->memory;
    if (!m->placed || m->last_step <= 0.0f)
        return time_step;
    kerb_vec3 way = kerb_vec3_sub(motion->position, m->last.position);
    kerb_vec3 speed = kerb_vec3_scale(kerb_vec3_add(motion->velocity, m->last.velocity), 0.5f);
    float went = kerb_vec3_length(way), fast = kerb_vec3_length(speed);
    float by_now = kerb_abs(went - fast * time_step),
          by_last = kerb_abs(went - fast * m->last_step);
    return by_last < by_now ? m->last_step : time_step;
}

static void calibrator_place(kerb_calibrator* calibrator, const kerb_motion* motion) {
    kerb_vec3 forward = kerb_quat_forward(motion->rotation);
    forward.z = 0.0f;
    calibrator->memory.placed = true;
    calibrator->memory.start = motion->position;
    calibrator->memory.ahead = kerb_vec3_unit(forward, kerb_vec3_make(1.0f, 0.0f, 0.0f));
    calibrator->memory.last = *motion;
}

static calibrate_frame calibrator_frame_for(kerb_calibrator* calibrator, const kerb_motion* motion,
                                            float since_last, float time_step) {
    kerb_vec3 ahead = calibrator->memory.ahead;
    const kerb_motion* last = &calibrator->memory.last;
    kerb_vec3 way = kerb_vec3_sub(motion->position, calibrator->memory.start);
    kerb_vec3 forward = kerb_quat_forward(motion->rotation);
    kerb_vec3 left = kerb_quat_left(motion->rotation);
    kerb_vec3 change = kerb_vec3_sub(motion->velocity, last->velocity);
    float heading = kerb_quat_heading(motion->rotation);
    float yaw_rate = kerb_vec3_dot(motion->angular_velocity, kerb_quat_up(motion->rotation));
    return (calibrate_frame){
        .x = kerb_vec3_dot(way, ahead),
        .y = way.y * ahead.x - way.x * ahead.y,
        .heading = kerb_wrap_angle(heading - kerb_atan2(ahead.y, ahead.x)),
        .turned = kerb_wrap_angle(heading - kerb_quat_heading(last->rotation)),
        .speed = kerb_vec3_dot(motion->velocity, forward),
        .side = kerb_vec3_dot(motion->velocity, left),
        .yaw_rate = yaw_rate,
        .yaws = (yaw_rate - kerb_vec3_dot(last->angular_velocity, kerb_quat_up(last->rotation))) /
                since_last,
        .along = kerb_vec3_dot(change, forward) / since_last,
        .across = kerb_vec3_dot(change, left) / since_last,
        .time_step = time_step,
        .slip = motion->wheel_slip,
        .wheels = motion->steering,
        .gear = motion->gear,
    };
}

static void calibrator_check(kerb_calibrator* calibrator, const kerb_motion* motion,
                             const calibrate_frame* frame) {
    const kerb_calibration_settings* settings = &calibrator->settings;
    float length = calibrator->measured.length;
    bool inside = frame->x < settings->space_ahead + length &&
                  frame->x > -settings->space_behind - length &&
                  kerb_abs(frame->y) < settings->space_each_side + length;
    if (kerb_quat_up(motion->rotation).z < UPRIGHT)
        kerb_in_calibrate_fail(calibrator, KERB_CALIBRATION_TIPPED_OVER);
    else if (!inside)
        kerb_in_calibrate_fail(calibrator, KERB_CALIBRATION_OUT_OF_SPACE);
    else if (calibrator->time > settings->time_max)
        kerb_in_calibrate_fail(calibrator, KERB_CALIBRATION_OUT_OF_TIME);
}

// --------------------------------------------------------------------------- manoeuvres

static const calibrate_manoeuvre* manoeuvre_of(const kerb_calibrator* calibrator) {
    return &manoeuvres[calibrator->memory.manoeuvre];
}

static bool calibrator_is_for(const calibrate_manoeuvre* manoeuvre,
                              const kerb_calibrator* calibrator) {
    return calibrator->measured.kind == KERB_VEHICLE_WHEELED ? manoeuvre->wheeled
                                                             : manoeuvre->others;
}

// Begins the manoeuvre at `index`, or the first one after it that is for this kind of vehicle.
static void calibrator_begin(kerb_calibrator* calibrator, const calibrate_frame* frame,
                             int32_t index) {
    while (index < MANOEUVRE_COUNT && !calibrator_is_for(&manoeuvres[index], calibrator))
        index++;
    if (index >= MANOEUVRE_COUNT) {
        calibrator_finish(calibrator);
        return;
    }
    calibrator->memory.manoeuvre = index;
    calibrator->memory.approaching = manoeuvres[index].speed != NULL;
    calibrator->memory.turns = 0;
    calibrator->memory.backs = calibrator->memory.leaves = calibrator->memory.to_end = false;
    // Coasting and braking go on along the line of the run before.
    if (manoeuvres[index].speed != NULL)
        calibrator->memory.own_line = false;
    calibrator->memory.travel = kerb_abs(frame->heading) < 0.5f * KERB_PI ? 1.0f : -1.0f;
    calibrator->phase = manoeuvres[index].phase;
    // A manoeuvre that begins again has been counted.
    calibrator->progress = kerb_max(calibrator->progress, (float)index / (float)MANOEUVRE_COUNT);
    kerb_in_calibrate_forget(calibrator);
}

// The manoeuvre from which it must begin again. Coasting and braking go on from top speed; then all
// that was measured since is void.
static int32_t begin_again_at(kerb_calibrator* calibrator) {
    kerb_calibrator_memory* m = &calibrator->memory;
    kerb_calibration_phase phase = manoeuvre_of(calibrator)->phase;
    bool runs = phase == KERB_CALIBRATION_TOP_SPEED || phase == KERB_CALIBRATION_COAST_FAST ||
                phase == KERB_CALIBRATION_BRAKE;
    if (!runs)
        return m->manoeuvre;
    kerb_in_measure_forget_run(&m->measure);
    int32_t first = 0;
    while (manoeuvres[first].phase != KERB_CALIBRATION_TOP_SPEED)
        first++;
    return first;
}

static void calibrator_begin_again(kerb_calibrator* calibrator, const calibrate_frame* frame,
                                   calibrate_wish* wish) {
    const calibrate_manoeuvre* manoeuvre = manoeuvre_of(calibrator);
    // The first movement knows nothing of the vehicle yet; others drive to their place themselves.
    bool drives_back =
        manoeuvre->phase != KERB_CALIBRATION_FIRST_MOVEMENT && manoeuvre->speed == NULL;
    bool begins = kerb_in_calibrate_begins_again(calibrator, frame, drives_back, wish);
    if (!begins)
        return;
    calibrator->memory.again = CALIBRATE_AGAIN_NOT;
    calibrator_begin(calibrator, frame, begin_again_at(calibrator));
}

// A manoeuvre that leads out of the area is over: the vehicle stops, and the next one begins. What
// the manoeuvre has noted stays. True while it stops.
static bool leaves_no_more(kerb_calibrator* calibrator, const calibrate_frame* frame,
                           calibrate_wish* wish) {
    kerb_calibrator_memory* m = &calibrator->memory;
    bool brakes = calibrator->controls.brake >= 1.0f; // no more can be done
    if (!m->leaves && !brakes && kerb_in_calibrate_would_leave(calibrator, frame)) {
        m->leaves = true;
        m->steady_time = 0.0f;
    }
    if (!m->leaves)
        return false;
    if (!kerb_in_calibrate_stands(calibrator, frame, wish))
        return true;
    m->leaves = false;
    if (m->approaching)
        return true; // it drives on to its place, and back from the edge
    calibrator->skipped++;
    calibrator_begin(calibrator, frame, m->manoeuvre + 1);
    return true;
}

static void calibrator_go_on(kerb_calibrator* calibrator, const calibrate_frame* frame,
                             calibrate_wish* wish) {
    const calibrate_manoeuvre* manoeuvre = manoeuvre_of(calibrator);
    bool over;
    calibrator->memory.step_time += frame->time_step;
    calibrator->memory.phase_time += frame->time_step;
    if (calibrator->memory.again != CALIBRATE_AGAIN_NOT) {
        calibrator_begin_again(calibrator, frame, wish);
        return;
    }
    if (leaves_no_more(calibrator, frame, wish))
        return;
    if (calibrator->memory.approaching) {
        bool given_up;
        if (kerb_in_calibrate_approach(calibrator, frame, manoeuvre->speed(calibrator),
                                       manoeuvre->room(calibrator), wish, &given_up)) {
            calibrator->memory.approaching = false;
            kerb_in_calibrate_forget(calibrator);
        }
        over = given_up;
        calibrator->skipped += given_up ? 1 : 0;
    } else {
        over = manoeuvre->drive(calibrator, frame, wish);
    }
    if (over && calibrator->outcome == KERB_CALIBRATION_RUNNING)
        calibrator_begin(calibrator, frame, calibrator->memory.manoeuvre + 1);
}

// --------------------------------------------------------------------------- controls

static kerb_controls controls_for(kerb_calibrator* calibrator, const kerb_motion* motion,
                                  const calibrate_wish* wish, float time_step) {
    kerb_controls controls = {.reason = KERB_REASON_CRUISE};
    controls.throttle = kerb_clamp(wish->throttle, 0.0f, 1.0f);
    controls.brake = kerb_clamp(wish->brake, 0.0f, 1.0f);
    // No host turns its wheels by so little, and what decays on a straight line ends here.
    bool straight = kerb_abs(wish->steering) < CALIBRATOR_STRAIGHT;
    controls.steering = straight ? 0.0f : kerb_clamp(wish->steering, -1.0f, 1.0f);
    controls.handbrake = wish->handbrake;
    bool shifts = calibrator->measured.drive_train.gear_count > 0;
    controls.gear =
        kerb_gearbox_drive(&calibrator->memory.gearbox, &calibrator->measured, motion,
                           wish->direction, controls.throttle, time_step, &controls.clutch);
    if (shifts && wish->gear > 0) {
        controls.gear = wish->gear;
        controls.clutch = 0.0f;
    }
    if (wish->roll) {
        controls.clutch = 1.0f;
        controls.gear = 0; // an automatic in gear would creep on
    }
    return controls;
}

// What is measured now is void: the manoeuvre begins again, from standstill.
static void calibrator_void(kerb_calibrator* calibrator) {
    if (calibrator->memory.travel != 0.0f) { // else it has not begun
        kerb_in_calibrate_forget(calibrator);
        calibrator->memory.again = CALIBRATE_AGAIN_STOP;
    }
}

// Impossible motion: brakes, and fails when it stays so for BAD_TIME.
static kerb_controls bear(kerb_calibrator* calibrator, float time_step) {
    calibrator->memory.bad_time += time_step;
    calibrator_void(calibrator);
    if (calibrator->memory.bad_time > BAD_TIME && calibrator->outcome == KERB_CALIBRATION_RUNNING)
        kerb_in_calibrate_fail(calibrator, KERB_CALIBRATION_BAD_MOTION);
    return kerb_controls_safe(KERB_REASON_BAD_MOTION);
}

// The vehicle may be faster than its description says: that is what is to be measured.
static kerb_in_frame_input calibrator_take(kerb_calibrator* calibrator, const kerb_motion* motion,
                                           float time_step) {
    return kerb_in_frame_take_vehicle_beyond(&calibrator->memory.motion, &calibrator->measured,
                                             motion, calibrator->settings.speed_max,
                                             KERB_IN_JUMP_LENGTHS, time_step);
}

// The estimates learn from every frame, whatever it is driven for.
static void calibrator_teach(kerb_calibrator* calibrator, const kerb_motion* motion, float time) {
    kerb_vehicle_estimate* e = &calibrator->memory.estimate;
    kerb_estimate_feed(&e->steering, motion, &calibrator->controls, NULL, time);
    kerb_pedal_estimate_feed(&e->pedals, motion, &calibrator->controls, NULL, time);
    kerb_body_estimate_feed(&e->body, motion, &calibrator->controls, NULL, time);
}

kerb_controls kerb_calibrator_drive(kerb_calibrator* calibrator, const kerb_motion* motion,
                                    float time_step) {
    KERB_ASSERT(calibrator != NULL && motion != NULL);
    kerb_in_frame_input input = calibrator_take(calibrator, motion, time_step);
    float elapsed = input.time_step;
    if (input.fault == KERB_REASON_NONE)
        elapsed = elapsed_since(calibrator, &input.motion, input.time_step);
    calibrator_teach(calibrator, motion,
                     input.fault == KERB_REASON_NONE && !input.counts ? elapsed : time_step);
    calibrator->bad_frames += input.counts ? 1 : 0;
    if (input.fault == KERB_REASON_BAD_MOTION)
        return bear(calibrator, input.time_step);
    if (input.fault != KERB_REASON_NONE) {
        calibrator->controls.reason = input.fault;
        return calibrator->controls;
    }
    calibrator->memory.bad_time = 0.0f;
    if (!calibrator->memory.placed) {
        calibrator_place(calibrator, &input.motion);
        input.elsewhere = false;
    }
    if (input.counts) // a long step
        calibrator_void(calibrator);
    calibrator->memory.last_step = input.time_step;
    float given = input.time_step, since_last;
    input.time_step = elapsed;
    kerb_motion now = kerb_in_calibrate_believe(calibrator, &input, &since_last);
    calibrate_frame frame = calibrator_frame_for(calibrator, &now, since_last, elapsed);
    if (calibrator->memory.jumped <= 0.0f)
        calibrator->memory.last = now;
    else if (calibrator->phase == KERB_CALIBRATION_STEERING_STEPS &&
             !calibrator->memory.approaching)
        kerb_in_calibrate_forget(calibrator); // a step is too short to be guessed in parts
    calibrate_wish wish = {.direction = 1};
    if (calibrator->outcome == KERB_CALIBRATION_RUNNING)
        calibrator_check(calibrator, &now, &frame);
    if (calibrator->outcome == KERB_CALIBRATION_RUNNING) {
        calibrator->time += given;
        if (calibrator->phase == KERB_CALIBRATION_FIRST_MOVEMENT &&
            calibrator->memory.travel == 0.0f)
            calibrator_begin(calibrator, &frame, 0);
        calibrator_go_on(calibrator, &frame, &wish);
    }
    const kerb_calibrator_memory* m = &calibrator->memory;
    calibrator->measures = calibrator->outcome == KERB_CALIBRATION_RUNNING && !m->approaching &&
                           !m->leaves && m->again == CALIBRATE_AGAIN_NOT;
    calibrator->controls = controls_for(calibrator, &now, &wish, given);
    if (calibrator->outcome != KERB_CALIBRATION_RUNNING)
        calibrator->controls = kerb_controls_safe(KERB_REASON_ARRIVED);
    return calibrator->controls;
}

void kerb_calibrator_shift_origin(kerb_calibrator* calibrator, kerb_vec3 new_origin) {
    KERB_ASSERT(calibrator != NULL && kerb_vec3_is_finite(new_origin));
    kerb_calibrator_memory* m = &calibrator->memory;
    m->start = kerb_vec3_sub(m->start, new_origin);
    m->last.position = kerb_vec3_sub(m->last.position, new_origin);
    kerb_in_motion_shift_origin(&m->motion, new_origin);
    kerb_vehicle_estimate_shift_origin(&m->estimate, new_origin);
}
