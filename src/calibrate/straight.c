// Manoeuvres on a straight line: first movement, creep, top speed, coasting, braking, throttle
// delay, launch, reverse. What they drive for is measured by the estimators of estimate/measure.h.
//
// O(1) a frame; O(samples) at the end of a manoeuvre.
#include "frame.h"

// Spacing of the samples of a response. [s]
#define SAMPLE_SPACING (1.0f / 60.0f)
// Slower is standstill: above the noise of physics engines. [m/s]
#define STRAIGHT_STANDING 0.06f
// Waits at standstill. True after `seconds`.
static bool straight_stand(kerb_calibrator* calibrator, const calibrate_frame* frame, float seconds,
                           calibrate_wish* wish) {
    kerb_in_calibrate_hold(calibrator, frame, wish);
    wish->steering = 0.0f;
    if (kerb_abs(frame->speed) > STRAIGHT_STANDING)
        calibrator->memory.steady_time = 0.0f;
    calibrator->memory.steady_time += frame->time_step;
    return calibrator->memory.steady_time > seconds;
}

// --------------------------------------------------------------------------- driving off

// The throttle opens in this time. [s]
#define OPENS_IN 5.0f
// It does not move when it gains nothing in this time after the throttle is open: longer than any
// pause of a gearbox and delay of an engine. [s]
#define GAINS_WITHIN 7.0f
// At full throttle for so long, longer than most engines are late, its gain is its acceleration.
// [s]
#define FULL_FOR 1.5f

// What needs longer than the throttle takes to open is weaker than it is described, and is driven
// by what it gained since.
static void note_weak_push(kerb_calibrator* calibrator, float time, float gained) {
    float push = gained / kerb_max(time, FULL_FOR);
    if (time > FULL_FOR && push > 0.0f && push < calibrator->measured.acceleration_max)
        kerb_in_calibrate_note(calibrator, KERB_CALIBRATES_ACCELERATION_MAX,
                               kerb_in_measured(push, KERB_IN_MEASURE_GUESS));
}

// Opens the throttle slowly until the vehicle moves, then stops. As long as it gains speed it is
// given time. The braking is a first, careful estimate. mark[0]: greatest speed; mark[1]: when it
// last moved while it stops; mark[2], mark[3]: speed and time of the last gain that counts;
// mark[4], mark[5]: speed and time when the throttle was open for 0.5 s.
bool kerb_in_calibrate_drive_off(kerb_calibrator* calibrator, const calibrate_frame* frame,
                                 calibrate_wish* wish) {
    float crawl = kerb_in_calibrate_crawl(calibrator);
    float time = calibrator->memory.step_time;
    float* mark = calibrator->memory.mark;
    float* fastest = &mark[0];
    *fastest = kerb_max(frame->speed, *fastest);
    if (calibrator->memory.step == 0) {
        wish->throttle = kerb_min(time / OPENS_IN, 1.0f);
        if (*fastest > mark[2] + 0.5f * STRAIGHT_STANDING) {
            mark[2] = *fastest;
            mark[3] = time;
        }
        if (time < OPENS_IN + 0.5f)
            mark[4] = frame->speed, mark[5] = time;
        bool gains = time < kerb_max(mark[3], OPENS_IN) + GAINS_WITHIN;
        bool moves = *fastest > 0.3f * crawl;
        if (frame->speed > 2.0f * crawl || (!gains && moves) ||
            (moves && !kerb_in_calibrate_has_room(calibrator, frame, 0.5f))) {
            note_weak_push(calibrator, mark[3] - mark[5], mark[2] - mark[4]);
            kerb_in_calibrate_next_step(calibrator);
        } else if (!gains || frame->speed < -crawl)
            kerb_in_calibrate_fail(calibrator, KERB_CALIBRATION_DOES_NOT_MOVE);
        return false;
    }
    bool stands = straight_stand(calibrator, frame, 0.3f, wish);
    if (kerb_abs(frame->speed) > STRAIGHT_STANDING)
        calibrator->memory.mark[1] = time;
    if (time > 20.0f && !stands)
        kerb_in_calibrate_fail(calibrator, KERB_CALIBRATION_DOES_NOT_STOP);
    if (stands) {
        float braking = 0.7f * *fastest / (calibrator->memory.mark[1] + frame->time_step);
        kerb_in_calibrate_note(calibrator, KERB_CALIBRATES_BRAKING_MAX,
                               kerb_in_measured(braking, KERB_IN_MEASURE_GUESS));
    }
    return stands;
}

// --------------------------------------------------------------------------- creeping

// In gear without pedals, from standstill: at full lock where the place is small, so that it stays
// there. Step 0 stands, 1 creeps, 2 stops.
bool kerb_in_calibrate_creep(kerb_calibrator* calibrator, const calibrate_frame* frame,
                             calibrate_wish* wish) {
    float time = calibrator->memory.step_time;
    if (calibrator->memory.step != 1) {
        bool over = calibrator->memory.step == 2;
        if (straight_stand(calibrator, frame, 0.3f, wish)) {
            if (!over)
                calibrator->memory.measure.rest_wheels = frame->wheels;
            kerb_in_calibrate_next_step(calibrator);
        }
        return over && calibrator->memory.step == 3;
    }
    wish->steering = kerb_in_calibrate_is_small(calibrator) ? 1.0f : 0.0f;
    kerb_estimated creep;
    if (!kerb_in_measure_creep(&calibrator->memory.measure.now.gain, time, frame->speed, &creep))
        return false;
    kerb_in_calibrate_note(calibrator, KERB_CALIBRATES_CREEP_SPEED, creep);
    kerb_in_calibrate_next_step(calibrator);
    return false;
}

// --------------------------------------------------------------------------- top speed

// A run that comes to no new speed in this time is over: it slides again and again. [s]
#define STALLS_IN 40.0f

// mark[7], mark[8]: greatest speed, and when it was reached.
static bool has_stalled(kerb_calibrator* calibrator, float speed) {
    float* mark = calibrator->memory.mark;
    if (speed > mark[7]) {
        mark[7] = speed;
        mark[8] = calibrator->memory.step_time;
    }
    return calibrator->memory.step_time > mark[8] + STALLS_IN;
}

// It begins where the longer part of the area lies ahead.
float kerb_in_calibrate_top_room(const kerb_calibrator* calibrator) {
    return kerb_in_calibrate_straight(calibrator);
}

bool kerb_in_calibrate_top_speed(kerb_calibrator* calibrator, const calibrate_frame* frame,
                                 calibrate_wish* wish) {
    if (calibrator->memory.step == 0) {
        if (straight_stand(calibrator, frame, 0.5f, wish))
            kerb_in_calibrate_next_step(calibrator);
        return false;
    }
    wish->steering = kerb_in_calibrate_keep_line(calibrator, frame);
    wish->throttle = kerb_in_calibrate_full_throttle(calibrator, frame);
    float time = calibrator->memory.step_time;
    kerb_measure_memory* m = &calibrator->memory.measure;
    (void)kerb_in_measure_sample(m, time, frame->speed, SAMPLE_SPACING);
    if (calibrator->memory.slides && wish->throttle == 0.0f)
        m->run_count = 0; // the times are no longer those of full throttle
    else
        kerb_in_measure_run(m, time, frame->speed, wish->throttle < 1.0f ? -1 : frame->gear);
    bool top = kerb_in_measure_near_top(&m->now.gain, time, frame->speed);
    bool cut = frame->speed >= calibrator->settings.speed_max ||
               has_stalled(calibrator, frame->speed) ||
               !kerb_in_calibrate_has_room(calibrator, frame, 2.0f);
    if (!top && !cut)
        return false;
    if (!top)
        kerb_in_measure_cut(m, time, frame->speed);
    kerb_in_calibrate_note(calibrator, KERB_CALIBRATES_SPEED_MAX,
                           top ? kerb_in_measure_top(&m->now.gain, true)
                               : kerb_in_measure_top_beyond(m, &calibrator->measured, false));
    kerb_in_calibrate_note(calibrator, KERB_CALIBRATES_ACCELERATION_MAX,
                           kerb_in_measure_first_push(m));
    return true;
}

// --------------------------------------------------------------------------- rolling

static bool roll(kerb_calibrator* calibrator, const calibrate_frame* frame, float seconds,
                 calibrate_wish* wish) {
    wish->steering = kerb_in_calibrate_keep_line(calibrator, frame);
    wish->roll = true;
    kerb_measure_memory* m = &calibrator->memory.measure;
    kerb_in_measure_coast(m, calibrator->memory.step_time, frame->speed);
    return calibrator->memory.step_time > seconds + m->now.coast.counts_at || frame->speed < 0.3f ||
           !kerb_in_calibrate_has_room(calibrator, frame, 0.5f);
}

bool kerb_in_calibrate_coast(kerb_calibrator* calibrator, const calibrate_frame* frame,
                             calibrate_wish* wish) {
    return roll(calibrator, frame, 5.0f, wish);
}

#define ROLL_ROOM 6.0f // room to coast and stop, over the speed [s]

float kerb_in_calibrate_roll_speed(const kerb_calibrator* calibrator) {
    float by_room = (kerb_in_calibrate_straight(calibrator) - 5.0f) / ROLL_ROOM;
    float crawl = kerb_in_calibrate_crawl(calibrator);
    float fast = kerb_min(0.5f * calibrator->measured.speed_max, 5.0f * crawl);
    return kerb_min(fast, kerb_max(by_room, crawl));
}

float kerb_in_calibrate_roll_room(const kerb_calibrator* calibrator) {
    float room = ROLL_ROOM * kerb_in_calibrate_roll_speed(calibrator) + 5.0f;
    return kerb_min(room, kerb_in_calibrate_straight(calibrator));
}

bool kerb_in_calibrate_roll(kerb_calibrator* calibrator, const calibrate_frame* frame,
                            calibrate_wish* wish) {
    if (!roll(calibrator, frame, 5.0f, wish))
        return false;
    kerb_estimated rolling, drag;
    kerb_in_measure_resistance(&calibrator->memory.measure, &calibrator->measured, &rolling, &drag);
    kerb_in_calibrate_note(calibrator, KERB_CALIBRATES_COASTING_DECELERATION, rolling);
    kerb_in_calibrate_note(calibrator, KERB_CALIBRATES_DRAG, drag);
    return true;
}

// --------------------------------------------------------------------------- braking

#define SPARED_MOST 30.0f // longest time without the handbrake [s]

// A frame of full braking. `fast`: from high speed. True at standstill, when it is measured. What
// the handbrake adds is no part of the brake: it waits until that has been measured, or until it
// holds against a creep at last.
static bool brakes_fully(kerb_calibrator* calibrator, const calibrate_frame* frame, bool fast,
                         calibrate_wish* wish) {
    kerb_measure_memory* m = &calibrator->memory.measure;
    float time = calibrator->memory.step_time;
    wish->roll = true;
    kerb_in_calibrate_watch_locks(calibrator, frame);
    kerb_in_measure_brake(m, frame, time, fast,
                          calibrator->locks > calibrator->memory.locks_before);
    bool stands = straight_stand(calibrator, frame, 0.3f, wish);
    if (kerb_in_measure_brakes(m, frame->speed) && time < SPARED_MOST)
        wish->handbrake = false;
    wish->steering = kerb_in_calibrate_keep_line(calibrator, frame);
    // One after a launch counts where that from high speed slid, or where no speed was high.
    if (stands && (fast || !m->braking_sure)) {
        bool slid = calibrator->locks > calibrator->memory.locks_before;
        kerb_in_calibrate_note(calibrator, KERB_CALIBRATES_BRAKING_MAX,
                               kerb_in_measure_braked(m, frame->time_step, slid));
    }
    return stands;
}

bool kerb_in_calibrate_brake(kerb_calibrator* calibrator, const calibrate_frame* frame,
                             calibrate_wish* wish) {
    if (calibrator->memory.count++ == 0)
        calibrator->memory.locks_before = calibrator->locks;
    return brakes_fully(calibrator, frame, true, wish);
}

// --------------------------------------------------------------------------- throttle

// Not near the speed at which the engine's force begins to fall: a kink in the force would look
// like a delay.
float kerb_in_calibrate_step_speed(const kerb_calibrator* calibrator) {
    float top = calibrator->measured.speed_max, flat = calibrator->memory.measure.flat_speed;
    float speed = kerb_min(0.4f * top, 5.0f * kerb_in_calibrate_crawl(calibrator));
    if (kerb_in_calibrate_is_short(calibrator))
        return kerb_min(speed, 1.5f * kerb_in_calibrate_crawl(calibrator));
    bool near = speed > 0.7f * flat - 1.0f && speed < 1.4f * flat + 1.0f;
    float above = 1.4f * flat + 1.0f;
    return near && above < 0.7f * top ? above : speed;
}

float kerb_in_calibrate_step_room(const kerb_calibrator* calibrator) {
    return kerb_min(8.0f * kerb_in_calibrate_step_speed(calibrator) + 20.0f,
                    kerb_in_calibrate_straight(calibrator));
}

// Acceleration by the step: so small that the speed, and with it the engine's force, changes
// little. [m/s²]
#define STEP_GAIN 1.5f
// Coasting before the step, for the samples without throttle. [s]
#define STEP_WAIT 2.5f
// Spacing of the samples of the step: 2.6 s fit into the store. [s]
#define STEP_SPACING (1.0f / 55.0f)

static float step_throttle(const kerb_calibrator* calibrator) {
    return kerb_clamp(STEP_GAIN / calibrator->measured.acceleration_max, 0.15f, 0.6f);
}

bool kerb_in_calibrate_throttle_step(kerb_calibrator* calibrator, const calibrate_frame* frame,
                                     calibrate_wish* wish) {
    wish->steering = kerb_in_calibrate_keep_line(calibrator, frame);
    if (calibrator->memory.count++ == 0)
        calibrator->memory.gear = frame->gear;
    wish->gear = calibrator->memory.gear; // a shift would look like a delay
    float time = calibrator->memory.step_time - STEP_WAIT;
    kerb_measure_memory* m = &calibrator->memory.measure;
    if (time > -0.65f)
        (void)kerb_in_measure_sample(m, time, frame->speed, STEP_SPACING);
    // The frame that opens the throttle is time 0.
    if (time > -0.5f * frame->time_step && calibrator->memory.step == 0) {
        for (int32_t i = 0; i < m->samples.count; i++)
            m->samples.time[i] -= time;
        calibrator->memory.step_time -= time;
        calibrator->memory.step = 1;
    }
    wish->throttle = calibrator->memory.step == 1 ? step_throttle(calibrator) : 0.0f;
    bool full = m->samples.count >= KERB_MEASURE_SAMPLES || time > 2.6f;
    if (full || !kerb_in_calibrate_has_room(calibrator, frame, 0.5f) || frame->speed < 0.3f) {
        kerb_in_calibrate_note(calibrator, KERB_CALIBRATES_THROTTLE_DELAY,
                               kerb_in_measure_throttle(m, &calibrator->measured));
        return true;
    }
    return false;
}

// --------------------------------------------------------------------------- launching

// The acceleration of a launch, from the samples.
static kerb_estimated launch_acceleration(const kerb_calibrator* calibrator) {
    bool timed =
        calibrator->confidence[KERB_CALIBRATES_THROTTLE_DELAY] >= KERB_CALIBRATION_ESTIMATED;
    bool slid = calibrator->memory.throttle_share < 1.0f;
    return kerb_in_measure_launch(&calibrator->memory.measure, &calibrator->measured, timed, slid);
}

// From standstill: full throttle, with samples of the speed. True when all samples are stored.
static bool push_off(kerb_calibrator* calibrator, const calibrate_frame* frame, float speed,
                     calibrate_wish* wish) {
    if (calibrator->memory.step == 0) {
        if (straight_stand(calibrator, frame, 0.5f, wish))
            kerb_in_calibrate_next_step(calibrator);
        else
            return false;
    }
    wish->brake = 0.0f;
    wish->handbrake = false;
    wish->throttle = kerb_in_calibrate_full_throttle(calibrator, frame);
    return kerb_in_measure_sample(&calibrator->memory.measure, calibrator->memory.step_time, speed,
                                  SAMPLE_SPACING);
}

float kerb_in_calibrate_launch_room(const kerb_calibrator* calibrator) {
    return kerb_min(4.0f * calibrator->measured.acceleration_max + 20.0f,
                    kerb_in_calibrate_straight(calibrator));
}

bool kerb_in_calibrate_launch(kerb_calibrator* calibrator, const calibrate_frame* frame,
                              calibrate_wish* wish) {
    if (calibrator->memory.step == 2)
        return brakes_fully(calibrator, frame, false, wish);
    wish->steering = kerb_in_calibrate_keep_line(calibrator, frame);
    bool done = push_off(calibrator, frame, frame->speed, wish);
    if (done ||
        (calibrator->memory.step == 1 && !kerb_in_calibrate_has_room(calibrator, frame, 0.3f))) {
        kerb_in_calibrate_note(calibrator, KERB_CALIBRATES_ACCELERATION_MAX,
                               launch_acceleration(calibrator));
        kerb_in_calibrate_next_step(calibrator);
        calibrator->memory.slides = false;
        calibrator->memory.locks_before = calibrator->locks;
    }
    return false;
}

// True when there is length behind the vehicle, seen in the direction that it faces.
static bool has_room_behind(kerb_calibrator* calibrator, const calibrate_frame* frame) {
    calibrator->memory.travel = -calibrator->memory.travel;
    bool room = kerb_in_calibrate_has_room(calibrator, frame, 0.5f);
    calibrator->memory.travel = -calibrator->memory.travel;
    return room;
}

// Ahead it needs only to stop.
float kerb_in_calibrate_reverse_room(const kerb_calibrator* calibrator) {
    return calibrator->measured.length;
}

bool kerb_in_calibrate_reverse(kerb_calibrator* calibrator, const calibrate_frame* frame,
                               calibrate_wish* wish) {
    if (calibrator->memory.step == 2)
        return straight_stand(calibrator, frame, 0.3f, wish);
    wish->direction = -1;
    wish->steering = kerb_in_calibrate_keep_back(calibrator, frame);
    push_off(calibrator, frame, -frame->speed, wish);
    if (calibrator->memory.step != 1)
        return false;
    kerb_measure_gain* gain = &calibrator->memory.measure.now.gain;
    bool top = kerb_in_measure_near_top(gain, calibrator->memory.step_time, -frame->speed);
    if (!top && has_room_behind(calibrator, frame) && calibrator->memory.step_time < 60.0f)
        return false;
    kerb_in_calibrate_note(calibrator, KERB_CALIBRATES_REVERSE_SPEED_MAX,
                           kerb_in_measure_top(gain, top));
    kerb_in_calibrate_note(calibrator, KERB_CALIBRATES_REVERSE_ACCELERATION_MAX,
                           launch_acceleration(calibrator));
    kerb_in_calibrate_next_step(calibrator);
    return false;
}
