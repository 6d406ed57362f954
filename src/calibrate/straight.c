// Manoeuvres on a straight line: first movement, top speed, coasting, braking, throttle delay,
// launch, reverse.
//
// Top speed     Full throttle, until the speed that is still to be gained is small. It is the sum
// of
//               the geometric series of the gains (Aitken). When the run is cut short, top speed is
//               where the remaining power equals the resistance.
// Resistance    Least squares of the deceleration against speed², coasting fast and slowly.
// Throttle      The delay, and its gradual share, with which the speed after a step fits best to
// the
//               force that has arrived (least squares, by search).
// Launch        The acceleration divided by the share of the throttle that has arrived.
//
// O(1) a frame; O(samples) at the end of a manoeuvre.
#include "frame.h"

#include <string.h>

// Spacing of the samples of a response. [s]
#define SAMPLE_SPACING (1.0f / 60.0f)
// Slower is standstill: above the noise of physics engines. [m/s]
#define STRAIGHT_STANDING 0.06f
// Deviation of a number that is not more than a bound or an order of magnitude, and of one that was
// measured in steady motion: what neither the model of a vehicle nor the frames tell. On the family
// of hosts. [1]
#define STRAIGHT_GUESS 0.25f
#define STRAIGHT_SURE 0.015f
// … and of a speed or power of a run that was cut short: it may be several times as great. [1]
#define STRAIGHT_BOUND 0.5f

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
        kerb_in_calibrate_note(calibrator, KERB_CALIBRATES_ACCELERATION_MAX, push,
                               STRAIGHT_GUESS * push);
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
        kerb_in_calibrate_note(calibrator, KERB_CALIBRATES_BRAKING_MAX, braking,
                               STRAIGHT_GUESS * braking);
    }
    return stands;
}

// --------------------------------------------------------------------------- creeping

// It creeps within this time, longer than most gearboxes take to engage, or not at all; and it has
// its speed after so long at most. [s]
#define CREEP_WAITS 3.0f
#define CREEP_MOST 15.0f
// A gain in a second that is no more is none: share of the speed, and least. [1], [m/s]
#define CREEP_GAIN 0.01f
#define CREEP_LEAST 0.01f
// Deviation of what was reached, and of none. [m/s]
#define CREEP_SURE 0.03f

// In gear without pedals, from standstill: at full lock where the place is small, so that it stays
// there. Step 0 stands, 1 creeps, 2 stops. mark[0], mark[1]: speed and time a second ago.
bool kerb_in_calibrate_creep(kerb_calibrator* calibrator, const calibrate_frame* frame,
                             calibrate_wish* wish) {
    float* mark = calibrator->memory.mark;
    float time = calibrator->memory.step_time, speed = frame->speed;
    if (calibrator->memory.step != 1) {
        bool over = calibrator->memory.step == 2;
        if (straight_stand(calibrator, frame, 0.3f, wish)) {
            if (!over)
                calibrator->memory.rest_wheels = frame->wheels;
            kerb_in_calibrate_next_step(calibrator);
        }
        return over && calibrator->memory.step == 3;
    }
    wish->steering = kerb_in_calibrate_is_small(calibrator) ? 1.0f : 0.0f;
    if (time < mark[1] + 1.0f)
        return false;
    float gained = speed - mark[0];
    bool creeps = speed > STRAIGHT_STANDING, steady = gained < CREEP_GAIN * speed + CREEP_LEAST;
    mark[0] = speed;
    mark[1] = time;
    if (creeps ? !steady && time < CREEP_MOST : time < CREEP_WAITS)
        return false;
    // A gain that goes on falls as fast as it fell before.
    float rest = steady ? 0.0f : kerb_max(gained, 0.0f);
    kerb_in_calibrate_note(calibrator, KERB_CALIBRATES_CREEP_SPEED, creeps ? speed + rest : 0.0f,
                           CREEP_SURE + rest);
    kerb_in_calibrate_next_step(calibrator);
    return false;
}

// --------------------------------------------------------------------------- top speed

// Speeds are compared a second apart. [s]
#define GAIN_TIME 1.0f
// … and gains over so many of them: 3 s, several times the longest pause of a gearbox.
#define GAIN_SPAN 3
_Static_assert(KERB_CALIBRATION_GAINS == 2 * GAIN_SPAN + 1, "two gains beside each other");
// The run is long enough when the speed that is still to be gained is below this share, in so many
// seconds in turn. A pause of a gearbox looks so in two. [1]
#define TOP_REST 0.01f
#define TOP_SECONDS 4

// Initial time between two moments that are kept. When there are too many, every other is dropped.
// [s]
#define PUSH_TIME 0.25f

// Keeps the speed at this moment of a run at full throttle. `gear`: below 0 while the throttle is
// not full.
static void keep_push(kerb_calibrator* calibrator, float speed, int32_t gear) {
    kerb_calibrator_memory* m = &calibrator->memory;
    float time = m->step_time;
    if (m->push_time == 0.0f)
        m->push_time = PUSH_TIME;
    if (m->push_count > 0 && time < m->push_at[m->push_count - 1] + 0.999f * m->push_time)
        return;
    if (m->push_count == KERB_CALIBRATION_PUSHES) {
        m->push_time *= 2.0f;
        m->push_count = KERB_CALIBRATION_PUSHES / 2;
        for (int32_t i = 0; i < KERB_CALIBRATION_PUSHES / 2; i++) {
            int32_t kept = i + i;
            m->push_at[i] = m->push_at[kept];
            m->push_speed[i] = m->push_speed[kept];
            m->push_gear[i] = m->push_gear[kept];
        }
        return;
    }
    m->push_at[m->push_count] = time;
    m->push_gear[m->push_count] = (int16_t)gear;
    m->push_speed[m->push_count++] = speed;
}

// Follows the speed at full throttle. The gains of two spans beside each other are the first terms
// of a geometric series; its sum is what is still to be gained. mark[3]: time of the last speed;
// mark[4]: estimated top speed. True when the top speed is near, for several seconds: after a pause
// of the gearbox the vehicle gains again.
static bool near_top(kerb_calibrator* calibrator, float speed) {
    kerb_calibrator_memory* m = &calibrator->memory;
    float* mark = m->mark;
    if (m->step_time < mark[3] + GAIN_TIME)
        return false;
    mark[3] = m->step_time;
    mark[4] = speed;
    for (int32_t i = KERB_CALIBRATION_GAINS - 1; i > 0; i--)
        m->gains[i] = m->gains[i - 1];
    m->gains[0] = speed;
    if (++m->gain_count < KERB_CALIBRATION_GAINS)
        return false;
    float first = m->gains[GAIN_SPAN] - m->gains[KERB_CALIBRATION_GAINS - 1];
    float second = m->gains[0] - m->gains[GAIN_SPAN];
    float rest = second * second / kerb_max(first - second, 1e-9f);
    bool still = kerb_abs(first) + kerb_abs(second) < 0.1f * TOP_REST * speed;
    bool falls_off = first > second && rest < TOP_REST * speed;
    m->near_count = speed > 0.0f && (still || falls_off) ? m->near_count + 1 : 0;
    mark[4] = speed + (still ? 0.0f : kerb_min(rest, TOP_REST * speed));
    return m->near_count >= TOP_SECONDS;
}

// The speed at which power equals resistance, power/v = coasting + drag·v², by bisection.
static float balance_speed(const kerb_vehicle* vehicle, float power) {
    float low = 0.0f, high = 500.0f;
    for (int32_t i = 0; i < 40; i++) {
        float middle = 0.5f * (low + high);
        if (kerb_coasting_deceleration(vehicle, middle) * middle < power)
            low = middle;
        else
            high = middle;
    }
    return low;
}

// Deviation of a top speed that was extrapolated, of all of it and of what was not driven. [1]
#define STRAIGHT_BEYOND 0.6f

// The top speed of a run that was cut short, from the present estimate of power and resistance.
static void extrapolate_top(kerb_calibrator* calibrator) {
    const kerb_vehicle* v = &calibrator->measured;
    float speed = calibrator->memory.top_speed;
    if (speed <= 0.0f)
        return;
    float power = v->power / v->mass;
    if (calibrator->confidence[KERB_CALIBRATES_POWER] == KERB_CALIBRATION_GIVEN)
        power =
            speed * (calibrator->memory.top_acceleration + kerb_coasting_deceleration(v, speed));
    float top = kerb_max(balance_speed(v, power), speed);
    kerb_in_calibrate_note(calibrator, KERB_CALIBRATES_SPEED_MAX, top,
                           STRAIGHT_BOUND * top + STRAIGHT_BEYOND * (top - speed));
}

// The acceleration in the last seconds, or in the whole run when it was shorter.
static void note_cut_run(kerb_calibrator* calibrator, float speed) {
    kerb_calibrator_memory* m = &calibrator->memory;
    bool gains = m->gain_count > GAIN_SPAN;
    float time = kerb_max(m->step_time, 0.1f);
    m->top_speed = speed;
    m->top_acceleration =
        gains ? (m->gains[0] - m->gains[GAIN_SPAN]) / ((float)GAIN_SPAN * GAIN_TIME) : speed / time;
    m->top_acceleration = kerb_max(m->top_acceleration, 0.0f);
    extrapolate_top(calibrator);
}

// Acceleration over a window that begins with a sample; 0 when the samples end before. [m/s²]
static float gain_over(const kerb_calibrator* calibrator, int32_t first, float window) {
    const float* times = calibrator->memory.sample_time;
    int32_t last = first;
    while (last < calibrator->memory.sample_count && times[last] < times[first] + window)
        last++;
    if (last >= calibrator->memory.sample_count)
        return 0.0f;
    float gain = calibrator->memory.sample[last] - calibrator->memory.sample[first];
    return gain / (times[last] - times[first]);
}

// From the first seconds at full throttle: a first estimate of acceleration_max, and the speed up
// to which the engine keeps its force.
static void note_first_push(kerb_calibrator* calibrator) {
    const float window = 0.25f;
    float hardest = 0.0f;
    calibrator->memory.flat_speed = 0.0f;
    for (int32_t i = 0; i < calibrator->memory.sample_count; i++) {
        float gain = gain_over(calibrator, i, window);
        hardest = kerb_max(hardest, gain);
        if (gain > 0.96f * hardest)
            calibrator->memory.flat_speed = calibrator->memory.sample[i];
    }
    if (hardest > 0.0f)
        kerb_in_calibrate_note(calibrator, KERB_CALIBRATES_ACCELERATION_MAX, hardest,
                               STRAIGHT_GUESS * hardest);
}

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
    kerb_in_calibrate_keep_sample(calibrator, time, frame->speed, SAMPLE_SPACING);
    if (calibrator->memory.slides && wish->throttle == 0.0f)
        calibrator->memory.push_count = 0; // the times are no longer those of full throttle
    else
        keep_push(calibrator, frame->speed, wish->throttle < 1.0f ? -1 : frame->gear);
    bool top = near_top(calibrator, frame->speed);
    bool cut = frame->speed >= calibrator->settings.speed_max ||
               has_stalled(calibrator, frame->speed) ||
               !kerb_in_calibrate_has_room(calibrator, frame, 2.0f);
    if (top)
        kerb_in_calibrate_note(calibrator, KERB_CALIBRATES_SPEED_MAX, calibrator->memory.mark[4],
                               STRAIGHT_SURE * calibrator->memory.mark[4]);
    else if (cut)
        note_cut_run(calibrator, frame->speed);
    if (!top && !cut)
        return false;
    note_first_push(calibrator);
    return true;
}

// --------------------------------------------------------------------------- rolling

#define ROLL_INTERVAL 0.25f // the deceleration is averaged over this time [s]

// Adds an interval of coasting to the fit. mark[0], mark[1]: time and speed at its start; mark[2]:
// the last deceleration; mark[3]: time from which intervals count; mark[4]: speed at the start of
// coasting. While the engine lets go, the deceleration still rises. After half as much time again,
// the engine's rest no longer matters.
static void add_rolling(kerb_calibrator* calibrator, const calibrate_frame* frame) {
    float* mark = calibrator->memory.mark;
    float time = calibrator->memory.step_time;
    if (calibrator->memory.count > 0 && time < mark[0] + 0.999f * ROLL_INTERVAL)
        return;
    if (calibrator->memory.count == 0)
        mark[4] = frame->speed;
    float lost = (mark[1] - frame->speed) / kerb_max(time - mark[0], 1e-3f);
    double middle = 0.5 * ((double)mark[1] + (double)frame->speed);
    bool rolls = calibrator->memory.count >= 3 && lost <= 1.002f * mark[2] + 1e-4f;
    if (rolls && mark[3] == 0.0f)
        mark[3] = calibrator->memory.count > 3 ? 1.5f * time : time;
    if (mark[3] > 0.0f && mark[0] >= mark[3])
        kerb_in_calibrate_fit_add(&calibrator->memory.coasting, middle * middle, 0.0, (double)lost);
    mark[0] = time;
    mark[1] = frame->speed;
    mark[2] = lost;
    calibrator->memory.count++;
}

static bool roll(kerb_calibrator* calibrator, const calibrate_frame* frame, float seconds,
                 calibrate_wish* wish) {
    wish->steering = kerb_in_calibrate_keep_line(calibrator, frame);
    wish->roll = true;
    add_rolling(calibrator, frame);
    return calibrator->memory.step_time > seconds + calibrator->memory.mark[3] ||
           frame->speed < 0.3f || !kerb_in_calibrate_has_room(calibrator, frame, 0.5f);
}

// Neighbours err alike: four of them tell as much as one, so that deviations are twice those of the
// fit. [1]
#define RESISTANCE_ALIKE 2.0
// Share of the rolling resistance that a doubtful drag may change. [1]
#define DRAG_UNKNOWN 0.1f
// Where drag is not measured, the given one is that uncertain. [1]
#define DRAG_GIVEN 0.5f

static void solve_resistance(kerb_calibrator* calibrator) {
    double c[3] = {0.0, 0.0, 0.0};
    if (!kerb_in_calibrate_fit_solve(&calibrator->memory.coasting, 2, c))
        return;
    // Where only low speeds were driven, nothing is known of drag, and the given one counts.
    const kerb_calibration_fit* fit = &calibrator->memory.coasting;
    double n = (double)fit->count, squares = fit->matrix[0][1] / n;
    float doubt = (float)(RESISTANCE_ALIKE * kerb_in_calibrate_fit_deviation(fit, 2, 1));
    double unknown = 2.0 * (double)doubt * squares;
    if (unknown > (double)DRAG_UNKNOWN * (c[0] > 0.01 ? c[0] : 0.01)) {
        float drag = calibrator->measured.drag * (float)squares;
        float rolling = kerb_max((float)(fit->right[0] / n) - drag, 0.0f);
        float mean = (float)(RESISTANCE_ALIKE * kerb_in_calibrate_fit_deviation(fit, 1, 0));
        kerb_in_calibrate_note(calibrator, KERB_CALIBRATES_COASTING_DECELERATION, rolling,
                               kerb_sqrt(mean * mean + DRAG_GIVEN * DRAG_GIVEN * drag * drag) +
                                   STRAIGHT_SURE * rolling);
        return;
    }
    // Both decelerate the vehicle. A slightly negative value is measurement noise.
    kerb_in_calibrate_note(calibrator, KERB_CALIBRATES_COASTING_DECELERATION,
                           kerb_max((float)c[0], 0.0f),
                           (float)(RESISTANCE_ALIKE * kerb_in_calibrate_fit_deviation(fit, 2, 0)) +
                               STRAIGHT_SURE * kerb_max((float)c[0], 0.0f));
    kerb_in_calibrate_note(calibrator, KERB_CALIBRATES_DRAG, kerb_max((float)c[1], 0.0f),
                           doubt + STRAIGHT_SURE * kerb_max((float)c[1], 0.0f));
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
    solve_resistance(calibrator);
    return true;
}

// --------------------------------------------------------------------------- braking

// Braking is measured between these shares of the initial speed: after it has built up, and before
// standstill. [1]
#define BRAKE_FROM 0.5f
#define BRAKE_TO 0.15f
#define BRAKE_MIDDLE 0.325f
#define SPARED_MOST 30.0f // longest time without the handbrake [s]

// Follows a full braking. mark[0]: initial speed; mark[1], mark[2]: time and speed at BRAKE_FROM;
// mark[3], mark[4]: the last time and speed above BRAKE_TO; mark[5]: ∫ speed² dt between the two;
// mark[6]: that integral up to now; mark[7], mark[8]: the last time and speed above BRAKE_MIDDLE.
static void watch_braking(kerb_calibrator* calibrator, const calibrate_frame* frame) {
    float* mark = calibrator->memory.mark;
    float time = calibrator->memory.step_time;
    // With locked wheels it may turn; what it loses is then not along its axis.
    float speed = kerb_sqrt(frame->speed * frame->speed + frame->side * frame->side);
    if (mark[0] == 0.0f)
        mark[0] = speed;
    mark[6] += speed * speed * frame->time_step;
    if (speed < BRAKE_FROM * mark[0] && mark[1] == 0.0f) {
        mark[1] = mark[3] = time;
        mark[2] = mark[4] = speed;
        mark[6] = mark[5] = 0.0f;
    } else if (speed > BRAKE_TO * mark[0]) {
        if (speed > BRAKE_MIDDLE * mark[0])
            mark[7] = time, mark[8] = speed;
        mark[3] = time;
        mark[4] = speed;
        mark[5] = mark[6];
    }
    kerb_in_calibrate_watch_locks(calibrator, frame);
}

// What the handbrake adds is no part of the brake: it waits until that has been measured, or until
// it holds against a creep at last.
static void spare_handbrake(const kerb_calibrator* calibrator, const calibrate_frame* frame,
                            calibrate_wish* wish) {
    if (frame->speed > BRAKE_TO * calibrator->memory.mark[0] &&
        calibrator->memory.step_time < SPARED_MOST)
        wish->handbrake = false;
}

// Frames between the two speeds, without which the times are those of the frames. [1]
#define BRAKE_FRAMES 3.0f
// Deviation of a braking that slid, or was hardly seen. [1]
#define BRAKE_DOUBT 0.1f
// Drag and the frames make as much of a change. [1]
#define BRAKE_CHANGE 0.05f

// At standstill: what was followed. A braking in which it slid counts only where there is no other.
static void note_braking(kerb_calibrator* calibrator, const calibrate_frame* frame, bool slid) {
    kerb_calibrator_memory* m = &calibrator->memory;
    const float* mark = m->mark;
    float span = mark[3] - mark[1];
    bool seen = m->braking_rate > 0.0f && !m->braking_slid;
    if (span < 0.5f * frame->time_step || (seen && slid))
        return;
    bool sure = span > BRAKE_FRAMES * frame->time_step && !slid;
    if (m->braking_rate > 0.0f && !sure && m->braking_sure)
        return;
    m->braking_slid = slid;
    m->braking_sure = sure;
    m->braking_rate = (mark[2] - mark[4]) / span;
    // A brake that builds up slowly, or wheels that lock on the way: the first half is not as the
    // second.
    float first = mark[7] - mark[1], second = mark[3] - mark[7];
    bool halves =
        first > BRAKE_FRAMES * frame->time_step && second > BRAKE_FRAMES * frame->time_step;
    float change = kerb_abs((mark[2] - mark[8]) / first - (mark[8] - mark[4]) / second);
    change = halves ? kerb_max(change - BRAKE_CHANGE * m->braking_rate, 0.0f) : 0.0f;
    m->braking_doubt = change;
    m->braking_square = mark[5] / span;
    kerb_in_calibrate_note(calibrator, KERB_CALIBRATES_BRAKING_MAX, m->braking_rate,
                           STRAIGHT_GUESS * m->braking_rate);
}

bool kerb_in_calibrate_brake(kerb_calibrator* calibrator, const calibrate_frame* frame,
                             calibrate_wish* wish) {
    if (calibrator->memory.count++ == 0)
        calibrator->memory.locks_before = calibrator->locks;
    wish->roll = true;
    watch_braking(calibrator, frame);
    kerb_in_calibrate_watch_wings(calibrator, frame);
    bool stands = straight_stand(calibrator, frame, 0.3f, wish);
    spare_handbrake(calibrator, frame, wish);
    wish->steering = kerb_in_calibrate_keep_line(calibrator, frame);
    if (stands)
        note_braking(calibrator, frame, calibrator->locks > calibrator->memory.locks_before);
    return stands;
}

// --------------------------------------------------------------------------- throttle

// Not near the speed at which the engine's force begins to fall: a kink in the force would look
// like a delay.
float kerb_in_calibrate_step_speed(const kerb_calibrator* calibrator) {
    float top = calibrator->measured.speed_max, flat = calibrator->memory.flat_speed;
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

// e^-x for x >= 0: its series at x/64, raised to the 64th power by squaring. Error below 1e-5.
static float decay(float x) {
    float y = -kerb_min(x, 60.0f) / 64.0f;
    float e = 1.0f + y * (1.0f + y * (0.5f + y * (1.0f / 6.0f)));
    for (int32_t i = 0; i < 6; i++)
        e *= e;
    return e;
}

// The arrived share of a step, integrated over the time since it began to arrive. [s]
static float arrived_since(float since, float lag) {
    float time = kerb_max(since, 0.0f);
    return time - lag * (1.0f - decay(time / lag));
}

// The arrived share of the throttle, integrated over the time since the command. A negative `dead`
// time means that a part arrives at once, as in physics engines whose steps end with what they have
// just decided. [s]
static float arrived_until(float time, float dead, float lag) {
    return arrived_since(time - dead, lag) - arrived_since(-dead, lag);
}

// A delay, its gradual share, and the sum of squared errors against the samples.
typedef struct delay_guess {
    float delay, share;
    double misfit;
} delay_guess;

// The sum of squared errors of the best fit for a delay. The fit is the line before the step, the
// force that arrives, and the change of the force with speed.
static double misfit_of(const kerb_calibrator* calibrator, const double before[3], float until,
                        float delay, float share) {
    const float* times = calibrator->memory.sample_time;
    const float* values = calibrator->memory.sample;
    float lag = kerb_max(share * delay, 1e-4f), dead = delay - share * delay;
    kerb_calibration_fit fit = {0};
    double squares = 0.0, drift = 0.0, c[3];
    float last = 0.0f, last_gain = 0.0f;
    for (int32_t i = 0; i < calibrator->memory.sample_count && times[i] <= until; i++) {
        if (times[i] <= 0.0f)
            continue;
        float force = arrived_until(times[i], dead, lag);
        float gain = values[i] - (float)before[0];
        drift += 0.5 * (double)((gain + last_gain) * (force - last));
        last = force;
        last_gain = gain;
        double risen = (double)values[i] - before[0] - before[1] * (double)times[i];
        kerb_in_calibrate_fit_add(&fit, (double)force, drift, risen);
        squares += risen * risen;
    }
    // Nothing rises before the step, so there is no constant term: only the lower right part of the
    // sums.
    kerb_calibration_fit slopes = {.count = fit.count};
    for (int32_t a = 0; a < 2; a++) {
        for (int32_t b = 0; b < 2; b++)
            slopes.matrix[a][b] = fit.matrix[a + 1][b + 1];
        slopes.right[a] = fit.right[a + 1];
    }
    if (!kerb_in_calibrate_fit_solve(&slopes, 2, c))
        return 1e30;
    return squares - c[0] * slopes.right[0] - c[1] * slopes.right[1];
}

#define SHARE_MOST 1.3f // greatest gradual share; above 1 a part of the throttle arrives at once

// The better of a guess and the best one up to now.
static delay_guess better(const kerb_calibrator* calibrator, const double before[3], float until,
                          delay_guess best, float delay, float share) {
    delay_guess guess = {kerb_max(delay, 1e-3f), kerb_clamp(share, 0.0f, SHARE_MOST), 0.0};
    guess.misfit = misfit_of(calibrator, before, until, guess.delay, guess.share);
    return guess.misfit < best.misfit ? guess : best;
}

// Searches around a guess, in delay and share. The steps are halved when nothing is better.
static delay_guess straight_refine(const kerb_calibrator* calibrator, const double before[3],
                                   float until, delay_guess best) {
    float step = 0.25f;
    best.misfit = misfit_of(calibrator, before, until, best.delay, best.share);
    for (int32_t round = 0; round < 60 && step > 1e-3f; round++) {
        delay_guess last = best;
        float change = step * last.delay;
        best = better(calibrator, before, until, best, last.delay + change, last.share);
        best = better(calibrator, before, until, best, last.delay - change, last.share);
        best = better(calibrator, before, until, best, last.delay, last.share + step);
        best = better(calibrator, before, until, best, last.delay, last.share - step);
        if (best.misfit >= last.misfit)
            step *= 0.5f;
    }
    return best;
}

// The delay with the smallest misfit: the best one of a grid, then refined.
static delay_guess best_delay(const kerb_calibrator* calibrator, const double before[3],
                              float until) {
    delay_guess best = {0.0f, 0.0f, 1e31};
    float delay = 0.005f;
    while (delay < 1.2f) {
        float share = 0.0f;
        while (share < SHARE_MOST) {
            best = better(calibrator, before, until, best, delay, share);
            share += 0.25f;
        }
        delay *= 1.4f;
    }
    return straight_refine(calibrator, before, until, best);
}

// Adds the speed that resistance has taken to the samples, so that only the engine's part remains.
static void add_resistance(kerb_calibrator* calibrator) {
    const float* times = calibrator->memory.sample_time;
    float* values = calibrator->memory.sample;
    float taken = 0.0f, last = values[0];
    for (int32_t i = 1; i < calibrator->memory.sample_count; i++) {
        float middle = 0.5f * (last + values[i]);
        taken +=
            kerb_coasting_deceleration(&calibrator->measured, middle) * (times[i] - times[i - 1]);
        last = values[i];
        values[i] += taken;
    }
}

// Deviation of a delay that a step tells. [s]
#define STEP_SURE 0.006f

static void solve_throttle(kerb_calibrator* calibrator) {
    double before[3];
    add_resistance(calibrator);
    if (!kerb_in_calibrate_fit_samples(calibrator, -0.6f, 0.0f, 2, before))
        return;
    delay_guess guess = best_delay(calibrator, before, 10.0f);
    // Samples long after the delay contain no information about it.
    guess = straight_refine(calibrator, before, 4.0f * guess.delay + 0.25f, guess);
    calibrator->memory.throttle_lag = guess.share * guess.delay;
    calibrator->memory.throttle_dead = guess.delay - calibrator->memory.throttle_lag;
    kerb_in_calibrate_note(calibrator, KERB_CALIBRATES_THROTTLE_DELAY, guess.delay,
                           STEP_SURE + STRAIGHT_SURE * guess.delay);
}

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
    if (time > -0.65f)
        kerb_in_calibrate_keep_sample(calibrator, time, frame->speed, STEP_SPACING);
    // The frame that opens the throttle is time 0.
    if (time > -0.5f * frame->time_step && calibrator->memory.step == 0) {
        for (int32_t i = 0; i < calibrator->memory.sample_count; i++)
            calibrator->memory.sample_time[i] -= time;
        calibrator->memory.step_time -= time;
        calibrator->memory.step = 1;
    }
    wish->throttle = calibrator->memory.step == 1 ? step_throttle(calibrator) : 0.0f;
    bool full = calibrator->memory.sample_count >= KERB_CALIBRATION_SAMPLES || time > 2.6f;
    if (full || !kerb_in_calibrate_has_room(calibrator, frame, 0.5f) || frame->speed < 0.3f) {
        solve_throttle(calibrator);
        return true;
    }
    return false;
}

// --------------------------------------------------------------------------- launching

// The arrived share of the throttle, averaged over an interval since the command.
static float arrived(const kerb_calibrator* calibrator, float from, float to) {
    float lag = kerb_max(calibrator->memory.throttle_lag, 1e-4f);
    float dead = calibrator->memory.throttle_dead;
    return (arrived_until(to, dead, lag) - arrived_until(from, dead, lag)) /
           kerb_max(to - from, 1e-6f);
}

// Drive per mass at full throttle, from a window and the share that had arrived. 0: no samples.
// [m/s²]
static float drive_over(const kerb_calibrator* calibrator, float from, float length) {
    const float* times = calibrator->memory.sample_time;
    const float* values = calibrator->memory.sample;
    int32_t count = calibrator->memory.sample_count;
    int32_t i = 0;
    while (i < count && times[i] < from)
        i++;
    int32_t j = i;
    while (j < count - 1 && times[j] < times[i] + length)
        j++;
    if (i >= count || j <= i)
        return 0.0f;
    float gain = (values[j] - values[i]) / (times[j] - times[i]);
    float middle = 0.5f * (values[i] + values[j]);
    float resisting = kerb_coasting_deceleration(&calibrator->measured, middle);
    return (gain + resisting) / kerb_max(arrived(calibrator, times[i], times[j]), 0.1f);
}

#define LAUNCH_WINDOW 0.2f // length of the windows in which the launch is measured [s]
// Spinning wheels keep at least this share of the force. A smaller share means that the power or
// the top speed limits. [1]
#define LAUNCH_KEPT 0.65f
// Two windows agree within this share. A force that falls with speed falls by more in the first
// LAUNCH_LATE windows. [1]
#define LAUNCH_SAME 0.02f
#define LAUNCH_LATE 4
// Deviation where it slid, or where it is not known when the throttle acts. [1]
#define LAUNCH_DOUBT 0.1f

static bool knows_throttle(const kerb_calibrator* calibrator) {
    return calibrator->confidence[KERB_CALIBRATES_THROTTLE_DELAY] >= KERB_CALIBRATION_ESTIMATED;
}

// The greatest of all windows: the only estimate when the throttle's delay is not known.
static float hardest_drive(const kerb_calibrator* calibrator) {
    float hardest = 0.0f;
    float from = 0.0f;
    while (from < 2.5f) {
        hardest = kerb_max(hardest, drive_over(calibrator, from, LAUNCH_WINDOW));
        from += 0.5f * LAUNCH_WINDOW;
    }
    return hardest;
}

// In the late window all of the throttle has arrived and the wheel loads have become steady. It
// counts when the drive keeps its strength. When the power limits sooner, the early windows count,
// in which the throttle was still arriving. `deviation`: of it, as a share.
static float launch_acceleration(const kerb_calibrator* calibrator, float* deviation) {
    bool full = calibrator->memory.throttle_share >= 1.0f; // it has not slid
    *deviation = LAUNCH_DOUBT;
    if (!knows_throttle(calibrator))
        return hardest_drive(calibrator) - calibrator->measured.coasting_deceleration;
    float dead = calibrator->memory.throttle_dead;
    float lag = kerb_max(calibrator->memory.throttle_lag, 0.02f);
    float early = 0.0f, next = 0.0f;
    float share = 0.6f;
    while (share < 1.3f) {
        float at = dead + share * lag, drives = drive_over(calibrator, at, LAUNCH_WINDOW);
        if (drives > early) {
            early = drives;
            next = drive_over(calibrator, at + LAUNCH_WINDOW, LAUNCH_WINDOW);
        }
        share += 0.3f;
    }
    // Wheels may begin to spin on the way: the first windows beside each other that agree.
    float from = dead + kerb_max(4.0f * lag, 0.35f), late = 0.0f;
    bool keeps = false;
    for (int32_t i = 0; i < LAUNCH_LATE && !keeps; i++) {
        late = drive_over(calibrator, from, LAUNCH_WINDOW);
        float later = drive_over(calibrator, from + LAUNCH_WINDOW, LAUNCH_WINDOW);
        keeps = late > LAUNCH_KEPT * early && kerb_abs(later - late) < LAUNCH_SAME * late;
        from += LAUNCH_WINDOW;
    }
    float drive = keeps ? late : early;
    // What did not keep its strength is as doubtful as it changes at once.
    float change = 0.5f * kerb_abs(early - next) / kerb_max(early, 1e-3f);
    if (full)
        *deviation = keeps ? STRAIGHT_SURE : kerb_clamp(change, STRAIGHT_SURE, LAUNCH_DOUBT);
    return drive - calibrator->measured.coasting_deceleration;
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
    kerb_in_calibrate_keep_sample(calibrator, calibrator->memory.step_time, speed, SAMPLE_SPACING);
    return calibrator->memory.sample_count >= KERB_CALIBRATION_SAMPLES;
}

float kerb_in_calibrate_launch_room(const kerb_calibrator* calibrator) {
    return kerb_min(4.0f * calibrator->measured.acceleration_max + 20.0f,
                    kerb_in_calibrate_straight(calibrator));
}

// Stops by full braking, which counts where that from high speed slid, or where no speed was high.
static bool stop_after_launch(kerb_calibrator* calibrator, const calibrate_frame* frame,
                              calibrate_wish* wish) {
    wish->roll = true;
    watch_braking(calibrator, frame);
    bool stands = straight_stand(calibrator, frame, 0.3f, wish);
    spare_handbrake(calibrator, frame, wish);
    wish->steering = kerb_in_calibrate_keep_line(calibrator, frame);
    if (stands && !calibrator->memory.braking_sure)
        note_braking(calibrator, frame, calibrator->locks > calibrator->memory.locks_before);
    return stands;
}

bool kerb_in_calibrate_launch(kerb_calibrator* calibrator, const calibrate_frame* frame,
                              calibrate_wish* wish) {
    if (calibrator->memory.step == 2)
        return stop_after_launch(calibrator, frame, wish);
    wish->steering = kerb_in_calibrate_keep_line(calibrator, frame);
    bool done = push_off(calibrator, frame, frame->speed, wish);
    if (done ||
        (calibrator->memory.step == 1 && !kerb_in_calibrate_has_room(calibrator, frame, 0.3f))) {
        float deviation, push = launch_acceleration(calibrator, &deviation);
        kerb_in_calibrate_note(calibrator, KERB_CALIBRATES_ACCELERATION_MAX, push,
                               deviation * push);
        kerb_in_calibrate_next_step(calibrator);
        memset(calibrator->memory.mark, 0, sizeof calibrator->memory.mark);
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
    bool top = near_top(calibrator, -frame->speed);
    if (!top && has_room_behind(calibrator, frame) && calibrator->memory.step_time < 60.0f)
        return false;
    float fastest = calibrator->memory.mark[4];
    float deviation, push = launch_acceleration(calibrator, &deviation);
    if (fastest > 0.0f)
        kerb_in_calibrate_note(calibrator, KERB_CALIBRATES_REVERSE_SPEED_MAX, fastest,
                               (top ? STRAIGHT_SURE : STRAIGHT_BOUND) * fastest);
    kerb_in_calibrate_note(calibrator, KERB_CALIBRATES_REVERSE_ACCELERATION_MAX, push,
                           deviation * push);
    kerb_in_calibrate_next_step(calibrator);
    return false;
}

// --------------------------------------------------------------------------- at the end

void kerb_in_calibrate_straight_results(kerb_calibrator* calibrator) {
    const kerb_vehicle* vehicle = &calibrator->measured;
    kerb_in_calibrate_note_power(calibrator);
    kerb_in_calibrate_note_wings(calibrator);
    const kerb_calibrator_memory* m = &calibrator->memory;
    float braking = m->braking_rate - vehicle->drag * m->braking_square;
    // At rest, where wings do not press. That they do shows by this very braking.
    if (calibrator->confidence[KERB_CALIBRATES_DOWNFORCE] != KERB_CALIBRATION_GIVEN)
        braking /= 1.0f + vehicle->downforce * m->braking_square / KERB_GRAVITY;
    if (m->braking_rate > 0.0f)
        kerb_in_calibrate_note(calibrator, KERB_CALIBRATES_BRAKING_MAX, braking,
                               m->braking_doubt +
                                   (m->braking_sure ? STRAIGHT_SURE : BRAKE_DOUBT) * braking);
    extrapolate_top(calibrator);
}
