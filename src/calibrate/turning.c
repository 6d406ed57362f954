// Manoeuvres with turns: full lock, steering rate and delay, grip, understeer; and the yaw rate of
// vehicles that turn on the spot.
//
// All results come from yaw rate, heading and speed. The wheel angle is that of a neutral bicycle
// on the same circle: atan(wheelbase·curvature).
//
// Rate          The slope of the wheel angle in the middle between lock and lock.
// Delay         After a small step the heading is behind that of an immediate step. This error,
//               divided by the final curvature, is a distance: delay times speed. It does not
//               matter whether the response is late or gradual, nor how long a frame is. Tyres add
//               delay with speed, and a rate limit adds delay with the size of the step, so both
//               are extrapolated to 0.
// Grip          While the vehicle coasts, so that no tyre drives or brakes, the steering turns in
//               slowly until the lateral acceleration no longer rises.
// Understeer    With constant steering the curvature falls as the lateral acceleration rises. The
//               gradient is the slope of a least-squares fit in the linear part of the tyres. It is
//               measured while coasting on the circle, because thrust moves load off the front
//               wheels, and gaining speed on a circle needs a force for the growing yaw rate.
//
// O(1) a frame; O(samples) at the end of a manoeuvre.
#include "frame.h"

#include <string.h>

// Curvature is averaged over windows of this length, against noise of single frames. [s]
#define WINDOW 0.25f
// Deviation of what was measured in steady motion. [1]
#define TURNING_SURE 0.015f

// Means over windows. mark[0], mark[1]: heading and distance in the present window; mark[2]: its
// time; mark[3], mark[4]: curvature of the last window and of the one before. True at the end of a
// window.
static bool watch_curvature(kerb_calibrator* calibrator, const calibrate_frame* frame) {
    float* mark = calibrator->memory.mark;
    mark[0] += frame->turned;
    mark[1] += frame->speed * frame->time_step;
    mark[2] += frame->time_step;
    if (mark[2] < 0.999f * WINDOW)
        return false;
    mark[4] = mark[3];
    mark[3] = mark[0] / kerb_max(mark[1], 1e-4f);
    mark[0] = mark[1] = mark[2] = 0.0f;
    return true;
}

static float wheel_angle(const kerb_calibrator* calibrator, float curvature) {
    return kerb_atan(calibrator->measured.wheelbase * curvature);
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
    const float* mark = calibrator->memory.mark;
    go_slowly(calibrator, frame, share * kerb_in_calibrate_crawl(calibrator), wish);
    hold_gear(calibrator, frame, wish);
    wish->steering = side;
    bool window = watch_curvature(calibrator, frame);
    float time = calibrator->memory.step_time;
    bool settled = kerb_abs(mark[3] - mark[4]) < 0.003f * kerb_abs(mark[3]);
    return window && time > CIRCLE_LEAST && (settled || time > CIRCLE_MOST);
}

// Left (steps 0 and 1), then right (2 and 3). Steps 0 and 2 wait for a constant curvature. In steps
// 1 and 3, mark[5 … 7] sum up heading, distance and lateral acceleration. mark[8], mark[9]: means
// over both sides.
bool kerb_in_calibrate_circle(kerb_calibrator* calibrator, const calibrate_frame* frame,
                              calibrate_wish* wish) {
    float* mark = calibrator->memory.mark;
    float side = calibrator->memory.step < 2 ? 1.0f : -1.0f;
    bool settled = settle_at_lock(calibrator, frame, side, 1.0f, wish);
    if (calibrator->memory.step % 2 == 0) {
        if (!settled)
            return false;
        mark[5] = mark[6] = mark[7] = 0.0f;
        kerb_in_calibrate_next_step(calibrator);
        return false;
    }
    mark[5] += side * frame->turned;
    mark[6] += frame->speed * frame->time_step;
    mark[7] += side * frame->speed * frame->yaw_rate * frame->time_step;
    if (calibrator->memory.step_time < CIRCLE_LEAST)
        return false;
    float curvature = mark[5] / kerb_max(mark[6], 1e-4f), length = calibrator->measured.length;
    bool turns = curvature * length > 0.01f;
    if (mark[6] < (turns ? CIRCLE_WAY : CIRCLE_STRAIGHT) * length) {
        if (calibrator->memory.step_time > CIRCLE_WAITS)
            kerb_in_calibrate_fail(calibrator, KERB_CALIBRATION_DOES_NOT_MOVE);
        return false;
    }
    if (!turns) {
        kerb_in_calibrate_fail(calibrator, KERB_CALIBRATION_DOES_NOT_STEER);
        return false;
    }
    mark[8] += 0.5f * curvature;
    mark[9] += 0.5f * mark[7] / calibrator->memory.step_time;
    kerb_in_calibrate_next_step(calibrator);
    if (calibrator->memory.step < 4)
        return false;
    calibrator->memory.lock_curvature = mark[8];
    calibrator->memory.lock_lateral = mark[9];
    float angle = wheel_angle(calibrator, mark[8]);
    kerb_in_calibrate_note(calibrator, KERB_CALIBRATES_STEERING_ANGLE_MAX, angle,
                           TURNING_SURE * angle);
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

// When the angle passed a share of its way, between two samples. [s]
static float passed_at(const kerb_calibrator* calibrator, float share) {
    const float* times = calibrator->memory.sample_time;
    const float* angles = calibrator->memory.sample;
    int32_t last = calibrator->memory.sample_count - 1, i = 1;
    float level = angles[0] + share * (angles[last] - angles[0]);
    while (i < last && angles[i] < level)
        i++;
    float part = (level - angles[i - 1]) / kerb_max(angles[i] - angles[i - 1], 1e-6f);
    return times[i - 1] + kerb_clamp(part, 0.0f, 1.0f) * (times[i] - times[i - 1]);
}

// Of the time of the middle half, a part of a frame is uncertain. [1]
#define RATE_FRAME 0.075f
// At half the speed the body follows in half the time, the wheels in all of it. The time of the
// body is that uncertain. [1]
#define RATE_BODY 0.08f

// After the sweeps. mark[6], mark[7]: time of the middle half at crawl, and its speed; mark[8],
// mark[9]: … at half of that.
static void note_steering_rate(kerb_calibrator* calibrator, float way, float time_step) {
    const float* mark = calibrator->memory.mark;
    float speeds = mark[7] - mark[9];
    float body = speeds > 0.2f * mark[7] ? kerb_max(mark[6] - mark[8], 0.0f) * mark[9] / speeds
                                         : 0.0f; // of the slow sweep
    float time = kerb_max(mark[8] - kerb_min(body, 0.5f * mark[8]), 0.5f * time_step);
    float frame = RATE_FRAME * time_step / time, part = RATE_BODY * body / time;
    float doubt = kerb_sqrt(TURNING_SURE * TURNING_SURE + frame * frame + part * part);
    float rate = 0.5f * way / time;
    kerb_in_calibrate_note(calibrator, KERB_CALIBRATES_STEERING_RATE_MAX, rate, doubt * rate);
}

// From lock to lock, at crawl (steps 0 and 1) and back at half of it (2 and 3).
bool kerb_in_calibrate_steering_ramp(kerb_calibrator* calibrator, const calibrate_frame* frame,
                                     calibrate_wish* wish) {
    float* mark = calibrator->memory.mark;
    int32_t step = calibrator->memory.step;
    float share = step < 2 ? 1.0f : 0.5f, way_side = step < 2 ? 1.0f : -1.0f;
    float side = step == 0 || step == 3 ? -1.0f : 1.0f;
    bool settled = settle_at_lock(calibrator, frame, side, share, wish);
    if (step == 0 || step == 2) {
        if (settled && (step == 0 || calibrator->memory.step_time > RAMP_SLOWS)) {
            kerb_in_calibrate_next_step(calibrator);
            calibrator->memory.sample_count = 0;
            mark[11] = frame->speed;
        }
        return false;
    }
    float angle = wheel_angle(calibrator, frame->yaw_rate / kerb_max(frame->speed, 0.05f));
    kerb_in_calibrate_keep_sample(calibrator, calibrator->memory.step_time, way_side * angle, 0.0f);
    kerb_in_calibrate_thin_samples(calibrator);
    if (!settled)
        return false;
    if (calibrator->memory.sample_count < 3)
        return true;
    const float* angles = calibrator->memory.sample;
    float way = angles[calibrator->memory.sample_count - 1] - angles[0];
    mark[5 + step] = passed_at(calibrator, 0.75f) - passed_at(calibrator, 0.25f);
    mark[6 + step] = mark[11];
    if (step == 1) {
        kerb_in_calibrate_next_step(calibrator);
        return false;
    }
    note_steering_rate(calibrator, way, frame->time_step);
    // What follows learns from what is known now.
    kerb_estimate_init(&calibrator->memory.estimate, &calibrator->measured);
    kerb_body_estimate_init(&calibrator->memory.body, &calibrator->measured);
    return true;
}

// --------------------------------------------------------------------------- small steps

// Share of full lock. Each step is the difference of two neighbours.
static const float step_steering[] = {0.0f, 0.03f, -0.03f, 0.03f, 0.0f};
#define STEP_COUNT 4 // at each of the speeds
#define STEPS_IN_ALL (2 * (STEP_COUNT + 1))
#define STEP_SETTLES 2.2f // after so long the wheels and the body have arrived [s]
#define STEPS_ALONE 0.03f // deviation of what they tell when nothing confirms it [s]
#define STEP_LASTS 4.0f   // of a step; its end, from STEP_SETTLES on, gives the curvature [s]

// One step is over. mark[5]: curvature before it; mark[6], mark[7]: heading and distance until
// STEP_SETTLES; mark[9], mark[10]: … of the rest. Returns the curvature after it.
static float end_steering_step(kerb_calibrator* calibrator, int32_t index) {
    const float* mark = calibrator->memory.mark;
    double before = (double)mark[5], after = (double)(mark[9] / kerb_max(mark[10], 1e-4f));
    double heading = (double)mark[6], distance = (double)mark[7];
    double behind = (after * distance - heading) / (after - before);
    double speed = (double)((mark[7] + mark[10]) / kerb_max(calibrator->memory.step_time, 1e-3f));
    if (index > 0 && kerb_is_finite((float)behind) && speed > 0.0) {
        double size = (double)kerb_abs(step_steering[index] - step_steering[index - 1]);
        kerb_in_calibrate_fit_add(&calibrator->memory.fit, speed, size, behind / speed);
    }
    return (float)after;
}

// What the steps alone say; -1: nothing. [s]
static float delay_of_steps(const kerb_calibrator* calibrator) {
    double c[3];
    bool solved = kerb_in_calibrate_fit_solve(&calibrator->memory.fit, 3, c);
    return solved ? kerb_max((float)c[0], 0.0f) : -1.0f;
}

// Steering of the weave, as shares of full lock, each for WEAVE_TIME: as much as ordinary driving
// has, at a speed at which any tyre holds it. It moves at WEAVE_RATE, so that wheels with a limit
// of their rate follow. [1], [s], [lock/s]
static const float weave_steering[] = {0.3f, -0.2f, 0.35f, -0.3f,  0.1f, -0.35f,
                                       0.2f, -0.1f, 0.35f, -0.35f, 0.3f, -0.25f};
#define WEAVE_COUNT 12
#define WEAVE_TIME 1.3f
#define WEAVE_RATE 1.2f

// Steers to and fro while the estimate learns. On a line, each turn is to the side of the line, or
// it would leave a narrow road. mark[8]: steering now; mark[9], mark[10]: index and side of the
// turn. True at the end.
static bool weave(kerb_calibrator* calibrator, const calibrate_frame* frame, calibrate_wish* wish) {
    float* steering = &calibrator->memory.mark[8];
    int32_t index = (int32_t)(calibrator->memory.step_time / WEAVE_TIME);
    go_slowly(calibrator, frame, 1.5f * kerb_in_calibrate_crawl(calibrator), wish);
    hold_gear(calibrator, frame, wish);
    if (index >= WEAVE_COUNT)
        return true;
    float most = WEAVE_RATE * frame->time_step;
    float* mark = calibrator->memory.mark;
    bool circles = kerb_in_calibrate_is_small(calibrator);
    if ((float)index != mark[9] || mark[10] == 0.0f) {
        mark[9] = (float)index;
        mark[10] = weave_steering[index] < 0.0f ? -1.0f : 1.0f;
        if (!circles)
            mark[10] = kerb_in_calibrate_line_side(calibrator, frame);
    }
    // On a circle it weaves by less, or it would leave it.
    float turn = mark[10] * kerb_abs(weave_steering[index]) * (circles ? 0.7f : 1.0f);
    float wanted = turn + calibrator->memory.circling;
    *steering += kerb_clamp(wanted - *steering, -most, most);
    wish->steering = *steering;
    return false;
}

// The body follows the wheels by at most this much later, on soft tyres at the speed of the weave.
// [s]
#define WEAVE_BODY 0.15f

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

// What steps and weave say together. The steps are sharper, and know the delay of the body, but a
// creep or uneven frames spoil them; then they are not where the estimate says.
#define STEPS_BODY 0.012f // of the body in the delay that the weave teaches [s]
#define STEPS_SURE 0.004f // deviation of what the steps tell, beside that of their fit [s]

static void note_steering_delay(kerb_calibrator* calibrator, float by_steps) {
    kerb_estimate* estimate = &calibrator->memory.estimate;
    kerb_estimate_update(estimate);
    const kerb_estimated* delay = &estimate->delay;
    float doubt = 2.0f * delay->deviation;
    bool agree = by_steps < delay->value + doubt && by_steps > delay->value - doubt - WEAVE_BODY;
    float by_fit =
        (float)kerb_in_calibrate_fit_deviation(&calibrator->memory.fit, 3, 0) + STEPS_SURE;
    // The estimate's delay has some of the body in it.
    float body = delay->known ? STEPS_BODY : 0.5f * WEAVE_BODY;
    if (agree)
        kerb_in_calibrate_note(calibrator, KERB_CALIBRATES_STEERING_DELAY, by_steps, by_fit);
    else
        kerb_in_calibrate_note(calibrator, KERB_CALIBRATES_STEERING_DELAY, delay->value,
                               kerb_sqrt(delay->deviation * delay->deviation + body * body));
    if (estimate->trim.known)
        calibrator->memory.line_trim = estimate->trim.value;
}

// `count`: index of the steering over both speeds. The first value of each speed is straight, while
// the vehicle reaches the speed.
bool kerb_in_calibrate_steering_steps(kerb_calibrator* calibrator, const calibrate_frame* frame,
                                      calibrate_wish* wish) {
    float* mark = calibrator->memory.mark;
    if (calibrator->memory.count >= STEPS_IN_ALL) {
        if (!weave(calibrator, frame, wish))
            return false;
        note_steering_delay(calibrator, delay_of_steps(calibrator));
        return true;
    }
    int32_t index = calibrator->memory.count % (STEP_COUNT + 1);
    bool fast = calibrator->memory.count > STEP_COUNT;
    go_slowly(calibrator, frame, kerb_in_calibrate_crawl(calibrator) * (fast ? 2.5f : 1.0f), wish);
    hold_gear(calibrator, frame, wish);
    float time = calibrator->memory.step_time;
    if (time > 0.0f) { // the frame that commands the step still belongs to the time before it
        int32_t at = time < STEP_SETTLES ? 6 : 9;
        mark[at] += frame->turned;
        mark[at + 1] += frame->speed * frame->time_step;
    }
    if (calibrator->memory.count == 0 && calibrator->memory.circling == 0.0f)
        choose_circling(calibrator, frame);
    float trim = calibrator->memory.circling;
    wish->steering = trim + step_steering[index];
    if (time < STEP_LASTS)
        return false;
    mark[5] = end_steering_step(calibrator, index);
    mark[6] = mark[7] = mark[9] = mark[10] = 0.0f;
    calibrator->memory.count++;
    kerb_in_calibrate_next_step(calibrator);
    if (calibrator->memory.count == STEPS_IN_ALL) {
        mark[8] = wish->steering;
        mark[9] = mark[10] = 0.0f;
        if (delay_of_steps(calibrator) > 0.0f) // in case that it cannot weave to the end
            kerb_in_calibrate_note(calibrator, KERB_CALIBRATES_STEERING_DELAY,
                                   delay_of_steps(calibrator), STEPS_ALONE);
        return false;
    }
    wish->steering = trim + step_steering[calibrator->memory.count % (STEP_COUNT + 1)];
    return false;
}

// --------------------------------------------------------------------------- grip

// Lateral acceleration that full lock would give without slip: three times what the best tyres
// hold, since the lock may fall with speed, and the vehicle slows down on the way. No faster: the
// room grows with speed². [m/s²]
#define GRIP_BEYOND 40.0f

// A wheeled vehicle turns in on a circle that fits into half of the width. A tracked one drives
// fast, because it needs more than half of its yaw rate to lose its grip.
float kerb_in_calibrate_grip_speed(const kerb_calibrator* calibrator) {
    float top = calibrator->measured.speed_max;
    if (calibrator->measured.kind == KERB_VEHICLE_HOVER)
        return kerb_min(0.5f * top, 2.5f);
    if (calibrator->measured.kind == KERB_VEHICLE_TRACKED)
        return 0.9f * top;
    float lock = kerb_max(calibrator->memory.lock_curvature, 1e-3f);
    float by_room = kerb_sqrt(2.0f * calibrator->settings.space_each_side);
    return kerb_min(kerb_min(0.85f * top, kerb_sqrt(GRIP_BEYOND / lock)), by_room);
}

float kerb_in_calibrate_grip_room(const kerb_calibrator* calibrator) {
    float speed = kerb_in_calibrate_grip_speed(calibrator);
    return 4.0f * speed + 0.25f * speed * speed;
}

#define GRIP_FILTER 0.15f // time constant of the filter of lateral acceleration [s]
#define GRIP_GONE 0.9f    // share of the steering's effect that is left beyond the limit [1]
#define GRIP_TIME 12.0f   // longest time of turning in [s]
// Deviation of a bound, and of the greatest lateral acceleration where the grip gave out. [1]
#define GRIP_GUESS 0.3f
#define GRIP_SURE 0.018f
#define GRIP_LOCK 0.08f     // deviation where full lock gives no more without slip [1]
#define GRIP_TRACKS 0.04f   // of the greatest one that tracks gave before it fell [1]
#define GRIP_OF_TYRES 15.0f // no tyre without wings holds more [m/s²]
// Wings that nobody told: one vehicle in some has them. Deviation of their downforce. [1/m]
#define GRIP_WINGS 0.0005f

// Lateral acceleration that a steering gives to a vehicle whose tyres do not slip. [m/s²]
static float without_slip(const kerb_vehicle* vehicle, float steering, float speed) {
    float square = speed * speed;
    return square * kerb_tan(steering * vehicle->steering_angle_max) /
           (vehicle->wheelbase + kerb_max(vehicle->understeer_gradient, 0.0f) * square);
}

// Until so much of it has come, nothing is said about the share that the tyres give. [m/s²]
#define GRIP_BEGINS 1.0f
// Below this steering an error of the trim counts for too much. [1]
#define GRIP_FROM 0.1f

// mark[0]: filtered lateral acceleration; mark[1]: its greatest value; mark[5]: greatest value up
// to 1 percent; mark[2], mark[4]: steering and speed at that value; mark[3]: initial speed;
// mark[6]: steering, as late as the vehicle and the filter are; mark[7]: greatest share of the
// lateral acceleration without slip that it has had: below 1 where the lock falls with speed;
// mark[8 … 10]: value, steering and speed of mark[5], mark[2] and mark[4] before.
static bool turn_in(kerb_calibrator* calibrator, const calibrate_frame* frame, float side_rate,
                    calibrate_wish* wish) {
    const kerb_vehicle* vehicle = &calibrator->measured;
    float* mark = calibrator->memory.mark;
    float time = calibrator->memory.step_time;
    if (calibrator->memory.count++ == 0)
        mark[3] = frame->speed;
    hold_gear(calibrator, frame, wish);
    float steering = kerb_min(side_rate * time * (1.0f + 0.25f * time), 1.0f);
    wish->steering = steering + calibrator->memory.line_trim;
    // Of the middle of the axles, where the mass of most vehicles is: the reference point moves
    // aside when the body turns faster.
    float lever = vehicle->kind == KERB_VEHICLE_WHEELED
                      ? 0.5f * vehicle->wheelbase - vehicle->reference_to_rear_axle
                      : 0.0f;
    float lateral = frame->across + lever * frame->yaws;
    mark[0] += (lateral - mark[0]) * frame->time_step / (GRIP_FILTER + frame->time_step);
    mark[1] = kerb_max(mark[0], mark[1]);
    if (mark[0] > 1.01f * mark[5]) {
        mark[8] = mark[5];
        mark[9] = mark[2];
        mark[10] = mark[4];
        mark[5] = mark[0];
        mark[2] = steering;
        mark[4] = frame->speed;
    }
    float late = GRIP_FILTER + vehicle->steering_delay;
    mark[6] += (steering - mark[6]) * frame->time_step / (late + frame->time_step);
    float most = without_slip(vehicle, mark[6], frame->speed);
    if (most > GRIP_BEGINS && mark[6] > GRIP_FROM)
        mark[7] = kerb_min(kerb_max(mark[7], mark[0] / most), 1.0f);
    bool past = mark[0] < 0.92f * mark[1] && time > 1.0f;
    bool slides = kerb_abs(frame->side) > 0.8f * kerb_abs(frame->speed);
    bool slow = frame->speed < 0.4f * mark[3];
    // The lateral acceleration falls although the steering grew: more steering gives no more.
    bool over = past || slides || slow || time > GRIP_TIME ||
                kerb_in_calibrate_near_edge(calibrator, frame);
    if (!over)
        return false;
    // Near its peak a tyre gives the last percent for a tenth more steering; what takes half as
    // much again crept on beyond the limit, at the pace of rounding or of the vehicle's attitude.
    bool crept = mark[8] > 0.98f * mark[1] && mark[2] > 1.5f * mark[9];
    calibrator->memory.grip_lateral = mark[1];
    calibrator->memory.grip_steering = crept ? mark[9] : mark[2];
    calibrator->memory.grip_speed = crept ? mark[10] : mark[4];
    calibrator->memory.grip_share = kerb_clamp(mark[7], 0.2f, 1.0f);
    // It gave out where, at the end, much less comes of the steering than came before.
    bool edge = !past && !slides && !slow && time <= GRIP_TIME;
    calibrator->memory.grip_gave_out = slides || (!edge && mark[0] < GRIP_GONE * mark[7] * most);
    calibrator->memory.grip_edge = edge;
    // Tracks that give out take less of a turn than before, or all of the speed.
    bool tracks = vehicle->kind == KERB_VEHICLE_TRACKED && (past || slow || slides);
    kerb_in_calibrate_note(calibrator, KERB_CALIBRATES_LATERAL_ACCELERATION_MAX, mark[1],
                           (tracks ? GRIP_TRACKS : GRIP_GUESS) * mark[1]);
    return true;
}

// Angle between body and course at which thrust turns the course hardest. [rad]
#define DRIFT (0.25f * KERB_PI)
#define DRIFT_NEAR 0.05f // tolerance of that angle [rad]
#define COURSE_TIME 6.0f // longest time of each step [s]

static void solve_course(kerb_calibrator* calibrator) {
    double c[3] = {(double)calibrator->memory.mark[1], 0.0, 0.0};
    bool solved = kerb_in_calibrate_fit_solve(&calibrator->memory.fit, 2, c);
    kerb_in_calibrate_note(calibrator, KERB_CALIBRATES_LATERAL_ACCELERATION_MAX, (float)c[0],
                           (solved ? TURNING_SURE : GRIP_GUESS) * (float)c[0]);
}

// A hovering vehicle turns its course hardest when its body is at half a right angle to the course.
// Step 0 turns the body, step 1 drives. mark[0]: acceleration across the course in the last frame;
// mark[1]: its greatest value. The fit of it against speed² removes the part of drag.
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
    mark[0] = frame->across * cosine + frame->along * sine;
    mark[1] = kerb_max(mark[1], mark[0]);
    if (kerb_abs(error) < DRIFT_NEAR && time > 5.0f * vehicle->throttle_delay + 0.3f)
        kerb_in_calibrate_fit_add(&calibrator->memory.fit, (double)(speed * speed), 0.0,
                                  (double)mark[0]);
    if (time < COURSE_TIME && frame->speed < 0.85f * vehicle->speed_max &&
        !kerb_in_calibrate_near_edge(calibrator, frame))
        return false;
    solve_course(calibrator);
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
                    0.7f * calibrator->memory.lock_curvature);
}

float kerb_in_calibrate_understeer_speed(const kerb_calibrator* calibrator) {
    return kerb_min(0.3f * circle_speed(calibrator), kerb_in_calibrate_crawl(calibrator));
}

float kerb_in_calibrate_understeer_room(const kerb_calibrator* calibrator) {
    return 3.0f / turning_circle_curvature(calibrator) + 10.0f;
}

// Adds a window of the coast on the circle. mark[5]: speed at its start; mark[6]: told angle of the
// wheels, integrated; mark[7]: windows.
static void add_to_circle(kerb_calibrator* calibrator, const calibrate_frame* frame) {
    kerb_calibrator_memory* m = &calibrator->memory;
    float* mark = m->mark;
    mark[6] += frame->wheels * frame->time_step;
    float time = mark[2] + frame->time_step;
    if (!watch_curvature(calibrator, frame))
        return;
    float middle = 0.5f * (mark[5] + frame->speed), wheels = mark[6] / time;
    bool counts = m->step == 3 && m->step_time > 1.0f;
    mark[5] = frame->speed;
    mark[6] = 0.0f;
    if (!counts)
        return;
    double lateral = (double)(mark[3] * middle * middle);
    float angle = wheel_angle(calibrator, mark[3]);
    float turned = wheel_angle(calibrator, m->circle_curvature) * wheels /
                   (m->circle_wheels != 0.0f ? m->circle_wheels : 1.0f);
    kerb_in_calibrate_fit_add(&m->fit, lateral, 0.0, (double)angle);
    kerb_in_calibrate_fit_add(&m->circle, lateral, 0.0, (double)(angle - turned));
    mark[7] += 1.0f;
    if (m->sample_count < KERB_CALIBRATION_SAMPLES && (int32_t)mark[7] % 2 == 0) {
        m->sample_time[m->sample_count] = middle;
        m->sample[m->sample_count++] = wheels;
    }
}

// Windows err alike: four of them tell as much as one. [1]
#define UNDERSTEER_ALIKE 2.0f
// What else changes with speed, over the spread of the lateral acceleration. [rad]
#define UNDERSTEER_ELSE 1.0e-4f
// A vehicle with this lateral acceleration, over its wheelbase, is where understeer counts: at 15
// m/s for a car. [m/s²]
#define UNDERSTEER_AT 83.0f
// Of the lock that nobody tells, a drive may lose as much. [1]
#define CIRCLE_FALLS 0.1f
// Points of steering_lock between the least and the greatest speed of the coast.
#define CIRCLE_POINTS 6
// A lock that falls by less does not fall, and no lock grows with speed. [1]
#define CIRCLE_KEPT 0.98f

// Mean share of the wheels' angle at crawl that they had near a speed. -1: none was seen.
static float lock_near(const kerb_calibrator* calibrator, float speed, float spacing) {
    const kerb_calibrator_memory* m = &calibrator->memory;
    float sum = 0.0f, weights = 0.0f;
    for (int32_t i = 0; i < m->sample_count; i++) {
        float weight = 1.0f - kerb_abs(m->sample_time[i] - speed) / spacing;
        if (weight <= 0.0f)
            continue;
        // What trims the wheels does not fall with their lock.
        sum += weight * (m->sample[i] - m->rest_wheels) / (m->circle_wheels - m->rest_wheels);
        weights += weight;
    }
    return weights > 0.0f ? sum / weights : -1.0f;
}

// The lock by speed, where the host tells the angle of its wheels: how much of it at one command is
// left. At the speed of the first point it is all there. Returns what the bend may change by at the
// speed for which it counts, if that was not driven. [1]
static float note_lock(kerb_calibrator* calibrator) {
    kerb_calibrator_memory* m = &calibrator->memory;
    kerb_share_curve curve = {.count = 1};
    curve.speed[0] = m->circle_speed;
    for (int32_t i = 0; i < KERB_SHARE_POINTS_MAX; i++)
        curve.share[i] = 1.0f;
    float slowest = 1e9f, fastest = 0.0f, least = 1.0f;
    for (int32_t i = 0; i < m->sample_count; i++) {
        slowest = kerb_min(slowest, m->sample_time[i]);
        fastest = kerb_max(fastest, m->sample_time[i]);
    }
    float spacing = (fastest - slowest) / (float)(CIRCLE_POINTS - 1);
    for (int32_t i = 0; i < CIRCLE_POINTS && spacing > 0.0f; i++) {
        float speed = slowest + (float)i * spacing;
        float share = lock_near(calibrator, speed, spacing);
        if (share < 0.0f || speed < 1.05f * curve.speed[curve.count - 1])
            continue;
        curve.speed[curve.count] = speed;
        curve.share[curve.count] = kerb_clamp(share, 0.02f, 1.0f);
        least = kerb_min(least, curve.share[curve.count++]);
    }
    if (curve.count <= 2)
        return 1.0f;
    m->circle_fell = true;
    if (least >= CIRCLE_KEPT)
        return 0.0f;
    calibrator->measured.steering_lock = curve;
    int32_t end = curve.count - 1;
    float slope =
        (curve.share[end - 1] - curve.share[end]) / (curve.speed[end] - curve.speed[end - 1]);
    float counts = kerb_sqrt(UNDERSTEER_AT * calibrator->measured.wheelbase);
    return kerb_max(slope * (counts - curve.speed[end]) / curve.share[end], 0.0f);
}

static void solve_understeer(kerb_calibrator* calibrator) {
    kerb_calibrator_memory* m = &calibrator->memory;
    double c[3];
    bool told = m->circle_wheels != 0.0f && kerb_in_body_believes_wheels(&m->body);
    const kerb_calibration_fit* fit = told ? &m->circle : &m->fit;
    float doubt = UNDERSTEER_ALIKE * (float)kerb_in_calibrate_fit_deviation(fit, 2, 1);
    double n = (double)(fit->count > 0 ? fit->count : 1), mean = fit->matrix[0][1] / n;
    float spread = kerb_sqrt(kerb_max((float)(fit->matrix[1][1] / n - mean * mean), 1e-9f));
    if (!kerb_in_calibrate_fit_solve(fit, 2, c))
        return;
    // A bend that may be another by this share. Untold wheels: as much as the trim, which does not
    // fall with the lock, is of the steering.
    float net = kerb_max(kerb_abs(m->circle_steering - m->line_trim), 0.01f);
    float lock = told ? note_lock(calibrator) : CIRCLE_FALLS * kerb_abs(m->line_trim) / net;
    // And by as much where it was not half as fast as it counts.
    float fast = 0.0f, counts = UNDERSTEER_AT * calibrator->measured.wheelbase;
    for (int32_t i = 0; i < m->sample_count; i++)
        fast = kerb_max(fast, m->sample_time[i]);
    lock += CIRCLE_FALLS * kerb_max(1.0f - 3.0f * fast * fast / counts, 0.0f);
    m->circle_doubt = lock * kerb_max(1.0f / UNDERSTEER_AT - (float)c[1], 0.0f);
    // Three causes that know nothing of each other.
    float other = UNDERSTEER_ELSE / spread;
    doubt = kerb_sqrt(doubt * doubt + other * other + m->circle_doubt * m->circle_doubt);
    kerb_in_calibrate_note(calibrator, KERB_CALIBRATES_UNDERSTEER_GRADIENT, -(float)c[1], doubt);
}

#define CIRCLE_TURNS_IN 6.0f // time in which it finds the steering of the circle [s]
#define CIRCLE_FINDS 1.0f    // rate at which it does so [1/s]
#define CIRCLE_LISTENS 3.0f  // after that, time in which it sees what the wheels do at crawl [s]

// Steps 0 and 1, at crawl. Steering need not be linear, nor straight at 0: it is moved until the
// curvature is as wanted. Then it stays. mark[8 … 11]: heading, distance, told angle, time.
static void find_circle(kerb_calibrator* calibrator, const calibrate_frame* frame) {
    kerb_calibrator_memory* m = &calibrator->memory;
    float* mark = m->mark;
    float wanted = turning_circle_curvature(calibrator);
    if (m->step == 0) {
        float now = frame->yaw_rate / kerb_max(frame->speed, 0.3f);
        float off = wheel_angle(calibrator, wanted) - wheel_angle(calibrator, now);
        float late = kerb_min(m->step_time, 1.0f); // it begins with what the description says
        m->circle_steering +=
            CIRCLE_FINDS * late * frame->time_step * off / calibrator->measured.steering_angle_max;
        m->circle_steering = kerb_clamp(m->circle_steering, -1.0f, 1.0f);
        if (m->step_time > CIRCLE_TURNS_IN)
            kerb_in_calibrate_next_step(calibrator);
        return;
    }
    if (m->step_time < 1.0f) // the wheels and the body follow
        return;
    mark[8] += frame->turned;
    mark[9] += frame->speed * frame->time_step;
    mark[10] += frame->wheels * frame->time_step;
    mark[11] += frame->time_step;
    if (m->step_time < CIRCLE_LISTENS)
        return;
    m->circle_curvature = mark[8] / kerb_max(mark[9], 1e-3f);
    m->circle_wheels = mark[10] / mark[11];
    m->circle_speed = mark[9] / mark[11];
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
        memset(&m->circle, 0, sizeof m->circle);
    }
    if (m->step < 2)
        find_circle(calibrator, frame);
    wish->steering = m->circle_steering;
    add_to_circle(calibrator, frame);
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

// Steps: 0 stops, 1 turns left, 2 stops, 3 turns right. mark[5], mark[6]: means over both sides.
bool kerb_in_calibrate_spin(kerb_calibrator* calibrator, const calibrate_frame* frame,
                            calibrate_wish* wish) {
    float* mark = calibrator->memory.mark;
    float time = calibrator->memory.step_time;
    float side = calibrator->memory.step < 2 ? 1.0f : -1.0f;
    if (calibrator->memory.step % 2 == 0) {
        wish->brake = 1.0f;
        calibrator->memory.sample_count = 0;
        mark[0] = mark[1] = 0.0f;
        if (time > 0.5f && kerb_abs(frame->speed) < 0.1f && kerb_abs(frame->yaw_rate) < 0.01f)
            kerb_in_calibrate_next_step(calibrator);
        return time > 30.0f;
    }
    hold_gear(calibrator, frame, wish);
    wish->steering = side;
    kerb_in_calibrate_keep_sample(calibrator, time, side * frame->yaw_rate, 0.0f);
    kerb_in_calibrate_thin_samples(calibrator);
    // mark[0]: yaw rate half a second ago; mark[1]: time of it.
    if (time < mark[1] + 0.5f)
        return false;
    float rate = side * frame->yaw_rate;
    bool settled = rate - mark[0] < 0.003f * rate && time > 1.5f;
    mark[0] = rate;
    mark[1] = time;
    if (!settled && time < 15.0f)
        return false;
    if (!(rate > 1e-3f)) {
        kerb_in_calibrate_fail(calibrator, KERB_CALIBRATION_DOES_NOT_STEER);
        return false;
    }
    double line[3];
    bool sloped = kerb_in_calibrate_fit_between(calibrator, 0.2f * rate, 0.8f * rate, line);
    mark[5] += 0.5f * rate;
    mark[6] += sloped ? 0.5f * (float)line[1] : 0.5f * rate / frame->time_step;
    kerb_in_calibrate_next_step(calibrator);
    if (calibrator->memory.step < 4)
        return false;
    kerb_in_calibrate_note(calibrator, KERB_CALIBRATES_YAW_RATE_MAX, mark[5],
                           TURNING_SURE * mark[5]);
    kerb_in_calibrate_note(calibrator, KERB_CALIBRATES_YAW_ACCELERATION_MAX, mark[6],
                           (sloped ? TURNING_SURE : GRIP_GUESS) * mark[6]);
    return true;
}

// --------------------------------------------------------------------------- at the end

// The front wheels push along their own axis, and only the cosine of it turns the vehicle. Grip was
// the limit, not lock or speed, when a vehicle with unlimited grip would have turned clearly
// harder.
static void note_grip(kerb_calibrator* calibrator) {
    const kerb_vehicle* vehicle = &calibrator->measured;
    float steering = calibrator->memory.grip_steering;
    float share = calibrator->memory.grip_share; // of the lock that is there at this speed
    float angle = share * steering * vehicle->steering_angle_max;
    float most = share * without_slip(vehicle, steering, calibrator->memory.grip_speed);
    bool gave_out =
        calibrator->memory.grip_gave_out ||
        (!calibrator->memory.grip_edge && calibrator->memory.grip_lateral < GRIP_GONE * most);
    float speed = calibrator->memory.grip_speed, square = speed * speed / KERB_GRAVITY;
    float grip =
        calibrator->memory.grip_lateral / kerb_cos(angle) / (1.0f + vehicle->downforce * square);
    // What moves along circles at any speed has no tyres that could give out; a cap of its own is
    // no higher than those of tyres.
    const kerb_estimated* tyres = &calibrator->memory.body.tyres;
    bool slips = !tyres->known || tyres->value > 0.5f || grip < GRIP_OF_TYRES;
    // Near full lock, that may be the limit instead.
    float start = kerb_in_calibrate_grip_speed(calibrator);
    float near = calibrator->memory.grip_lateral /
                 kerb_max(start * start * calibrator->memory.lock_curvature, 1e-3f);
    float wings = calibrator->deviation[KERB_CALIBRATES_DOWNFORCE];
    wings = (wings > 0.0f ? kerb_min(wings, GRIP_WINGS) : GRIP_WINGS) * square;
    float sure = kerb_sqrt(GRIP_SURE * GRIP_SURE + wings * wings);
    sure += GRIP_LOCK * near * near;
    kerb_in_calibrate_note(calibrator, KERB_CALIBRATES_LATERAL_ACCELERATION_MAX, grip,
                           (gave_out && slips ? sure : GRIP_GUESS) * grip);
}

// Corrects the steering angle for the lateral acceleration of the slow circle.
void kerb_in_calibrate_turning_results(kerb_calibrator* calibrator) {
    const kerb_vehicle* vehicle = &calibrator->measured;
    if (vehicle->kind != KERB_VEHICLE_WHEELED)
        return;
    if (calibrator->phase == KERB_CALIBRATION_UNDERSTEER)
        solve_understeer(calibrator);
    float angle = wheel_angle(calibrator, calibrator->memory.lock_curvature) +
                  vehicle->understeer_gradient * calibrator->memory.lock_lateral;
    if (calibrator->memory.lock_curvature > 0.0f)
        kerb_in_calibrate_note(calibrator, KERB_CALIBRATES_STEERING_ANGLE_MAX, angle,
                               TURNING_SURE * angle);
    if (calibrator->memory.grip_lateral > 0.0f)
        note_grip(calibrator);
}
