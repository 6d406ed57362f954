// Manoeuvres with turns: full lock, steering rate and delay, grip, understeer; and turning on the
// spot. What they drive for is measured by the estimators of estimate/measure.h.
//
// O(1) a frame; O(samples) at the end of a manoeuvre.
#include "frame.h"

static float wheel_angle(const kerb_calibrator* calibrator, float curvature) {
    return kerb_in_measure_wheel_angle(&calibrator->measured, curvature);
}

static void go_slowly(kerb_calibrator* calibrator, const calibrate_frame* frame, float speed,
                      calibrate_wish* wish) {
    kerb_in_calibrate_keep_speed(calibrator, frame, speed,
                                 0.3f * calibrator->measured.acceleration_max, wish);
}

// Keeps the gear that is engaged when a measurement begins: a shift takes the drive away, and with
// tracks half of the yaw rate.
static void hold_gear(kerb_calibrator* calibrator, const calibrate_frame* frame,
                      calibrate_wish* wish) {
    if (calibrator->memory.gear <= 0)
        calibrator->memory.gear = frame->gear;
    wish->gear = calibrator->memory.gear > 0 ? calibrator->memory.gear : 0;
}

// --------------------------------------------------------------------------- full lock

#define CIRCLE_LEAST 2.0f // shortest time at full lock, also of the measurement [s]
#define CIRCLE_MOST 8.0f  // longest time to wait for a constant curvature [s]

// It has turned or not after this way, also where it is slow; after so long it does not move.
// [length], [s]
#define CIRCLE_WAY 0.1f
#define CIRCLE_STRAIGHT 1.0f
#define CIRCLE_WAITS 60.0f

#define RAMP_SLOWS 4.0f // time in which it slows down to half of crawl [s]

// Waits at full lock to one side, at a share of crawl, until the curvature is constant. True when
// it is.
static bool settle_at_lock(kerb_calibrator* calibrator, const calibrate_frame* frame, float side,
                           float share, calibrate_wish* wish) {
    kerb_measure_turn* turn = &calibrator->memory.measure.now.turn;
    go_slowly(calibrator, frame, share * kerb_in_calibrate_crawl(calibrator), wish);
    hold_gear(calibrator, frame, wish);
    wish->steering = side;
    bool window = kerb_in_measure_window(turn, frame);
    float time = calibrator->memory.step_time;
    return window && time > CIRCLE_LEAST && (kerb_in_measure_settled(turn) || time > CIRCLE_MOST);
}

// Left (steps 0 and 1), then right (2 and 3). Steps 0 and 2 wait for a constant curvature.
bool kerb_in_calibrate_circle(kerb_calibrator* calibrator, const calibrate_frame* frame,
                              calibrate_wish* wish) {
    kerb_calibrator_memory* m = &calibrator->memory;
    kerb_measure_turn* turn = &m->measure.now.turn;
    float side = m->step < 2 ? 1.0f : -1.0f;
    bool settled = settle_at_lock(calibrator, frame, side, 1.0f, wish);
    if (m->step % 2 == 0) {
        if (settled)
            kerb_in_calibrate_next_step(calibrator);
        return false;
    }
    kerb_in_measure_at_lock(turn, frame, side);
    if (m->step_time < CIRCLE_LEAST)
        return false;
    float length = calibrator->measured.length;
    bool turns = kerb_in_measure_curvature(turn) * length > 0.01f;
    if (turn->sum[1] < (turns ? CIRCLE_WAY : CIRCLE_STRAIGHT) * length) {
        if (m->step_time > CIRCLE_WAITS)
            kerb_in_calibrate_fail(calibrator, KERB_CALIBRATION_DOES_NOT_MOVE);
        return false;
    }
    if (!turns) {
        kerb_in_calibrate_fail(calibrator, KERB_CALIBRATION_DOES_NOT_STEER);
        return false;
    }
    kerb_in_measure_end_lock(&m->measure, m->step == 3, m->step_time);
    kerb_in_calibrate_next_step(calibrator);
    if (m->step < 4)
        return false;
    kerb_in_calibrate_note(calibrator, KERB_CALIBRATES_STEERING_ANGLE_MAX,
                           kerb_in_measure_lock(&m->measure, &calibrator->measured, 0.0f));
    return true;
}

// --------------------------------------------------------------------------- lock to lock

float kerb_in_calibrate_slow_speed(const kerb_calibrator* calibrator) {
    return kerb_in_calibrate_crawl(calibrator);
}

float kerb_in_calibrate_slow_room(const kerb_calibrator* calibrator) {
    if (kerb_in_calibrate_is_small(calibrator))
        return 0.0f; // it circles
    return kerb_min(10.0f * calibrator->measured.length, kerb_in_calibrate_straight(calibrator));
}

// From lock to lock, at crawl (steps 0 and 1) and back at half of it (2 and 3). mark[0]: speed at
// which a turn began.
bool kerb_in_calibrate_steering_ramp(kerb_calibrator* calibrator, const calibrate_frame* frame,
                                     calibrate_wish* wish) {
    kerb_calibrator_memory* m = &calibrator->memory;
    int32_t step = m->step;
    float share = step < 2 ? 1.0f : 0.5f, way_side = step < 2 ? 1.0f : -1.0f;
    float side = step == 0 || step == 3 ? -1.0f : 1.0f;
    bool settled = settle_at_lock(calibrator, frame, side, share, wish);
    if (step == 0 || step == 2) {
        if (settled && (step == 0 || m->step_time > RAMP_SLOWS)) {
            kerb_in_calibrate_next_step(calibrator);
            m->measure.samples.count = 0;
            m->mark[0] = frame->speed;
        }
        return false;
    }
    float angle = wheel_angle(calibrator, frame->yaw_rate / kerb_max(frame->speed, 0.05f));
    kerb_in_measure_sample_slow(&m->measure, m->step_time, way_side * angle);
    if (!settled)
        return false;
    if (!kerb_in_measure_end_ramp(&m->measure, step / 2, m->mark[0]))
        return true;
    if (step == 1) {
        kerb_in_calibrate_next_step(calibrator);
        return false;
    }
    kerb_in_calibrate_note(calibrator, KERB_CALIBRATES_STEERING_RATE_MAX,
                           kerb_in_measure_steering_rate(&m->measure, frame->time_step));
    // What follows learns from what is known now.
    kerb_estimate_init(&m->estimate.steering, &calibrator->measured);
    kerb_body_estimate_init(&m->estimate.body, &calibrator->measured);
    return true;
}

// --------------------------------------------------------------------------- small steps

// Share of full lock. Each step is the difference of two neighbours.
static const float step_steering[] = {0.0f, 0.03f, -0.03f, 0.03f, 0.0f};
#define STEP_COUNT 4 // at each of the speeds
#define STEPS_IN_ALL (2 * (STEP_COUNT + 1))
#define STEP_LASTS 4.0f // of a step [s]

// Steering of the weave, as shares of full lock, each for WEAVE_TIME: as much as ordinary driving
// has, at a speed at which any tyre holds it. It moves at WEAVE_RATE, so that wheels with a limit
// of their rate follow. [1], [s], [lock/s]
static const float weave_steering[] = {0.3f, -0.2f, 0.35f, -0.3f,  0.1f, -0.35f,
                                       0.2f, -0.1f, 0.35f, -0.35f, 0.3f, -0.25f};
#define WEAVE_COUNT 12
#define WEAVE_TIME 1.3f
#define WEAVE_RATE 1.2f

// Steers to and fro while the estimate learns. On a line, each turn is to the side of the line, or
// it would leave a narrow road. mark[0]: steering now; mark[1], mark[2]: index and side of the
// turn. True at the end.
static bool weave(kerb_calibrator* calibrator, const calibrate_frame* frame, calibrate_wish* wish) {
    float* steering = &calibrator->memory.mark[0];
    int32_t index = (int32_t)(calibrator->memory.step_time / WEAVE_TIME);
    go_slowly(calibrator, frame, 1.5f * kerb_in_calibrate_crawl(calibrator), wish);
    hold_gear(calibrator, frame, wish);
    if (index >= WEAVE_COUNT)
        return true;
    float most = WEAVE_RATE * frame->time_step;
    float* mark = calibrator->memory.mark;
    bool circles = kerb_in_calibrate_is_small(calibrator);
    if ((float)index != mark[1] || mark[2] == 0.0f) {
        mark[1] = (float)index;
        mark[2] = weave_steering[index] < 0.0f ? -1.0f : 1.0f;
        if (!circles)
            mark[2] = kerb_in_calibrate_line_side(calibrator, frame);
    }
    // On a circle it weaves by less, or it would leave it.
    float turn = mark[2] * kerb_abs(weave_steering[index]) * (circles ? 0.7f : 1.0f);
    float wanted = turn + calibrator->memory.circling;
    *steering += kerb_clamp(wanted - *steering, -most, most);
    wish->steering = *steering;
    return false;
}

// Radius of the circle on which the steps are made in a small place, as a share of its smaller
// half. [1]
#define STEPS_CIRCLE 0.4f

// Steering about which the steps are made: trim; or in a small place that of a circle to the side
// where there is more room.
static void choose_circling(kerb_calibrator* calibrator, const calibrate_frame* frame) {
    const kerb_calibration_settings* settings = &calibrator->settings;
    float half = 0.5f * (settings->space_ahead + settings->space_behind);
    calibrator->memory.circling = calibrator->memory.line_trim;
    if (!kerb_in_calibrate_is_small(calibrator))
        return;
    float radius = STEPS_CIRCLE * kerb_min(half, settings->space_each_side);
    // To the side on which more of the place lies.
    float middle = 0.5f * (settings->space_ahead - settings->space_behind);
    float sine, cosine;
    kerb_sin_cos(frame->heading, &sine, &cosine);
    float side = cosine * -frame->y - sine * (middle - frame->x) < 0.0f ? -1.0f : 1.0f;
    float share = wheel_angle(calibrator, 1.0f / radius) / calibrator->measured.steering_angle_max;
    calibrator->memory.circling += side * kerb_clamp(share, 0.3f, 0.7f);
}

// `count`: index of the steering over both speeds. The first value of each speed is straight, while
// the vehicle reaches the speed.
bool kerb_in_calibrate_steering_steps(kerb_calibrator* calibrator, const calibrate_frame* frame,
                                      calibrate_wish* wish) {
    kerb_calibrator_memory* m = &calibrator->memory;
    kerb_measure_memory* measure = &m->measure;
    if (m->count >= STEPS_IN_ALL) {
        if (!weave(calibrator, frame, wish))
            return false;
        kerb_estimate* estimate = &m->estimate.steering;
        kerb_estimate_update(estimate);
        kerb_in_calibrate_note(calibrator, KERB_CALIBRATES_STEERING_DELAY,
                               kerb_in_measure_steering_delay(measure, estimate));
        if (estimate->trim.known)
            m->line_trim = estimate->trim.value;
        return true;
    }
    int32_t index = m->count % (STEP_COUNT + 1);
    bool fast = m->count > STEP_COUNT;
    go_slowly(calibrator, frame, kerb_in_calibrate_crawl(calibrator) * (fast ? 2.5f : 1.0f), wish);
    hold_gear(calibrator, frame, wish);
    kerb_in_measure_step(&measure->now.turn, frame, m->step_time);
    if (m->count == 0 && m->circling == 0.0f)
        choose_circling(calibrator, frame);
    wish->steering = m->circling + step_steering[index];
    if (m->step_time < STEP_LASTS)
        return false;
    float size = index > 0 ? kerb_abs(step_steering[index] - step_steering[index - 1]) : 0.0f;
    kerb_in_measure_end_step(measure, size, m->step_time);
    m->count++;
    kerb_in_calibrate_next_step(calibrator);
    if (m->count == STEPS_IN_ALL) {
        m->mark[0] = wish->steering;
        m->mark[1] = m->mark[2] = 0.0f;
        // In case that it cannot weave to the end.
        kerb_in_calibrate_note(calibrator, KERB_CALIBRATES_STEERING_DELAY,
                               kerb_in_measure_steps(measure));
        return false;
    }
    wish->steering = m->circling + step_steering[m->count % (STEP_COUNT + 1)];
    return false;
}

// --------------------------------------------------------------------------- grip

float kerb_in_calibrate_grip_room(const kerb_calibrator* calibrator) {
    float speed = kerb_in_calibrate_grip_speed(calibrator);
    return 4.0f * speed + 0.25f * speed * speed;
}

// The steering grows ever faster, at first by `rate`. [lock/s]
static bool turn_in(kerb_calibrator* calibrator, const calibrate_frame* frame, float rate,
                    calibrate_wish* wish) {
    kerb_calibrator_memory* m = &calibrator->memory;
    float time = m->step_time;
    hold_gear(calibrator, frame, wish);
    float steering = kerb_min(rate * time * (1.0f + 0.25f * time), 1.0f);
    wish->steering = steering + m->line_trim;
    if (!kerb_in_measure_turn_in(&m->measure, &calibrator->measured, frame, steering, time,
                                 kerb_in_calibrate_near_edge(calibrator, frame)))
        return false;
    kerb_in_calibrate_note(calibrator, KERB_CALIBRATES_LATERAL_ACCELERATION_MAX,
                           kerb_in_measure_held(&m->measure));
    return true;
}

// Angle between body and course at which thrust turns the course hardest. [rad]
#define DRIFT (0.25f * KERB_PI)
#define DRIFT_NEAR 0.05f // tolerance of that angle [rad]
#define COURSE_TIME 6.0f // longest time of each step [s]

// A hovering vehicle turns its course hardest when its body is at half a right angle to the course.
// Step 0 turns the body, step 1 drives. mark[0]: acceleration across the course in the last frame.
static bool turn_course(kerb_calibrator* calibrator, const calibrate_frame* frame,
                        calibrate_wish* wish) {
    const kerb_vehicle* vehicle = &calibrator->measured;
    float* mark = calibrator->memory.mark;
    float speed = kerb_sqrt(frame->speed * frame->speed + frame->side * frame->side);
    float drift = -kerb_atan2(frame->side, frame->speed); // angle between body and course
    float error = DRIFT - drift;
    float time = calibrator->memory.step_time;
    float wanted = mark[0] / kerb_max(speed, 0.5f) + 4.0f * error;
    wish->steering = kerb_clamp(wanted / vehicle->yaw_rate_max, -1.0f, 1.0f);
    if (calibrator->memory.step == 0) {
        if (kerb_abs(error) < DRIFT_NEAR || time > COURSE_TIME)
            kerb_in_calibrate_next_step(calibrator);
        return false;
    }
    wish->throttle = 1.0f;
    float sine, cosine;
    kerb_sin_cos(drift, &sine, &cosine);
    bool steady = kerb_abs(error) < DRIFT_NEAR && time > 5.0f * vehicle->throttle_delay + 0.3f;
    kerb_measure_memory* m = &calibrator->memory.measure;
    mark[0] = frame->across * cosine + frame->along * sine;
    kerb_in_measure_course(m, speed, mark[0], steady);
    if (time < COURSE_TIME && frame->speed < 0.85f * vehicle->speed_max &&
        !kerb_in_calibrate_near_edge(calibrator, frame))
        return false;
    kerb_in_calibrate_note(calibrator, KERB_CALIBRATES_LATERAL_ACCELERATION_MAX,
                           kerb_in_measure_thrust(m));
    return true;
}

bool kerb_in_calibrate_grip(kerb_calibrator* calibrator, const calibrate_frame* frame,
                            calibrate_wish* wish) {
    const kerb_vehicle* vehicle = &calibrator->measured;
    if (vehicle->kind == KERB_VEHICLE_HOVER)
        return turn_course(calibrator, frame, wish);
    if (vehicle->kind == KERB_VEHICLE_TRACKED) {
        kerb_in_calibrate_keep_speed(calibrator, frame, kerb_in_calibrate_grip_speed(calibrator),
                                     vehicle->acceleration_max, wish);
        return turn_in(calibrator, frame, 0.25f, wish);
    }
    wish->roll = true;
    float square = kerb_max(kerb_in_calibrate_grip_speed(calibrator), 1.0f);
    float angle_rate = 2.5f * vehicle->wheelbase / (square * square);
    return turn_in(calibrator, frame, angle_rate / vehicle->steering_angle_max, wish);
}

// --------------------------------------------------------------------------- understeer

// Share of the grip up to which tyres are linear. [1]
#define LINEAR_SHARE 0.3f
// It coasts down to this share of the speed, for at most this time. [s]
#define ROLL_TO 0.45f
#define TURNING_ROLL_TIME 60.0f

static float linear_lateral(const kerb_calibrator* calibrator) {
    return LINEAR_SHARE * calibrator->measured.lateral_acceleration_max;
}

// The speed at which the circle reaches the end of the linear part of the tyres.
static float circle_speed(const kerb_calibrator* calibrator) {
    float radius = 0.3f * calibrator->settings.space_each_side;
    float by_room = kerb_sqrt(linear_lateral(calibrator) * radius);
    return kerb_min(0.85f * calibrator->measured.speed_max, kerb_min(by_room, 15.0f));
}

static float turning_circle_curvature(const kerb_calibrator* calibrator) {
    float speed = circle_speed(calibrator);
    return kerb_min(linear_lateral(calibrator) / (speed * speed),
                    0.7f * calibrator->memory.measure.lock_curvature);
}

float kerb_in_calibrate_understeer_speed(const kerb_calibrator* calibrator) {
    return kerb_min(0.3f * circle_speed(calibrator), kerb_in_calibrate_crawl(calibrator));
}

float kerb_in_calibrate_understeer_room(const kerb_calibrator* calibrator) {
    return 3.0f / turning_circle_curvature(calibrator) + 10.0f;
}

#define CIRCLE_TURNS_IN 6.0f // time in which it finds the steering of the circle [s]
#define CIRCLE_FINDS 1.0f    // rate at which it does so [1/s]

// Step 0, at crawl. Steering need not be linear, nor straight at 0: it is moved until the curvature
// is as wanted. Then it stays.
static void find_circle(kerb_calibrator* calibrator, const calibrate_frame* frame) {
    kerb_calibrator_memory* m = &calibrator->memory;
    float wanted = turning_circle_curvature(calibrator);
    float now = frame->yaw_rate / kerb_max(frame->speed, 0.3f);
    float off = wheel_angle(calibrator, wanted) - wheel_angle(calibrator, now);
    float late = kerb_min(m->step_time, 1.0f); // it begins with what the description says
    m->circle_steering +=
        CIRCLE_FINDS * late * frame->time_step * off / calibrator->measured.steering_angle_max;
    m->circle_steering = kerb_clamp(m->circle_steering, -1.0f, 1.0f);
    if (m->step_time > CIRCLE_TURNS_IN)
        kerb_in_calibrate_next_step(calibrator);
}

// Steps: 0 and 1 turn in at crawl, 2 gains speed, 3 coasts on the circle until the tyres have
// almost no load.
bool kerb_in_calibrate_understeer(kerb_calibrator* calibrator, const calibrate_frame* frame,
                                  calibrate_wish* wish) {
    kerb_calibrator_memory* m = &calibrator->memory;
    float fast = circle_speed(calibrator), time = m->step_time;
    if (m->count++ == 0) {
        float angle = wheel_angle(calibrator, turning_circle_curvature(calibrator));
        m->circle_steering = m->line_trim + angle / calibrator->measured.steering_angle_max;
    }
    if (m->step == 0)
        find_circle(calibrator, frame);
    else if (m->step == 1 && kerb_in_measure_circle(&m->measure, frame, time))
        kerb_in_calibrate_next_step(calibrator);
    wish->steering = m->circle_steering;
    kerb_in_measure_on_circle(&m->measure, &calibrator->measured, frame,
                              m->step == 3 && m->step_time > 1.0f);
    if (m->step == 3) {
        wish->roll = true;
        if (time < TURNING_ROLL_TIME && frame->speed > ROLL_TO * fast &&
            !kerb_in_calibrate_near_edge(calibrator, frame))
            return false;
        return true;
    }
    float push = kerb_min(0.8f, 0.4f * calibrator->measured.acceleration_max);
    float slow = kerb_in_calibrate_understeer_speed(calibrator);
    kerb_in_calibrate_keep_speed(calibrator, frame, m->step < 2 ? slow : fast, push, wish);
    if (m->step < 2)
        hold_gear(calibrator, frame, wish); // while it gains speed it may shift: it coasts then
    bool hard = frame->speed * frame->yaw_rate > linear_lateral(calibrator);
    if (m->step == 2 && (frame->speed > 0.98f * fast || hard || time > 40.0f ||
                         kerb_in_calibrate_near_edge(calibrator, frame)))
        kerb_in_calibrate_next_step(calibrator);
    return false;
}

// --------------------------------------------------------------------------- on the spot

// Steps: 0 stops, 1 turns left, 2 stops, 3 turns right. mark[0], mark[1]: yaw rate half a second
// ago, and time of it.
bool kerb_in_calibrate_spin(kerb_calibrator* calibrator, const calibrate_frame* frame,
                            calibrate_wish* wish) {
    kerb_calibrator_memory* m = &calibrator->memory;
    float *mark = m->mark, time = m->step_time, side = m->step < 2 ? 1.0f : -1.0f;
    if (m->step % 2 == 0) {
        wish->brake = 1.0f;
        m->measure.samples.count = 0;
        mark[0] = mark[1] = 0.0f;
        if (time > 0.5f && kerb_abs(frame->speed) < 0.1f && kerb_abs(frame->yaw_rate) < 0.01f)
            kerb_in_calibrate_next_step(calibrator);
        return time > 30.0f;
    }
    hold_gear(calibrator, frame, wish);
    wish->steering = side;
    float rate = side * frame->yaw_rate;
    kerb_in_measure_sample_slow(&m->measure, time, rate);
    if (time < mark[1] + 0.5f)
        return false;
    bool settled = rate - mark[0] < 0.003f * rate && time > 1.5f;
    mark[0] = rate;
    mark[1] = time;
    if (!settled && time < 15.0f)
        return false;
    if (!(rate > 1e-3f)) {
        kerb_in_calibrate_fail(calibrator, KERB_CALIBRATION_DOES_NOT_STEER);
        return false;
    }
    kerb_estimated rate_max, acceleration_max;
    kerb_in_measure_spin(&m->measure, rate, frame->time_step, &rate_max, &acceleration_max);
    kerb_in_calibrate_next_step(calibrator);
    if (m->step < 4)
        return false;
    kerb_in_calibrate_note(calibrator, KERB_CALIBRATES_YAW_RATE_MAX, rate_max);
    kerb_in_calibrate_note(calibrator, KERB_CALIBRATES_YAW_ACCELERATION_MAX, acceleration_max);
    return true;
}
