// Purpose: steering, from turns at low speed: full lock, rate, delay; and the yaw rate of vehicles
//          that turn on the spot.
// Idea:    All comes from yaw rate, heading and speed. The wheel angle is that of a neutral bicycle
//          on the same circle: atan(wheelbase·curvature).
//          Rate: the slope of the wheel angle in the middle between lock and lock.
//          Delay: after a small step the heading is behind that of an immediate step. This error,
//          divided by the final curvature, is a distance: delay times speed. It does not matter
//          whether the response is late or gradual, nor how long a frame is. Tyres add delay with
//          speed, and a rate limit adds delay with the size of the step, so both are extrapolated
//          to 0.
// Cost:    O(1) a frame; O(samples) at the end.
#include "measure.h"

// Curvature is averaged over windows of this length, against noise of single frames. [s]
#define TURN_WINDOW 0.25f

bool kerb_in_measure_window(kerb_measure_turn* turn, const kerb_in_measure_frame* frame) {
    turn->turned += frame->turned;
    turn->driven += frame->speed * frame->time_step;
    turn->time += frame->time_step;
    if (turn->time < 0.999f * TURN_WINDOW)
        return false;
    turn->before = turn->curvature;
    turn->curvature = turn->turned / kerb_max(turn->driven, 1e-4f);
    turn->turned = turn->driven = turn->time = 0.0f;
    return true;
}

// --------------------------------------------------------------------------- full lock

void kerb_in_measure_at_lock(kerb_measure_turn* turn, const kerb_in_measure_frame* frame,
                             float side) {
    turn->sum[0] += side * frame->turned;
    turn->sum[1] += frame->speed * frame->time_step;
    turn->sum[2] += side * frame->speed * frame->yaw_rate * frame->time_step;
}

void kerb_in_measure_end_lock(kerb_measure_memory* m, bool last, float time) {
    float* sum = m->now.turn.sum;
    sum[3] += 0.5f * kerb_in_measure_curvature(&m->now.turn);
    sum[4] += 0.5f * sum[2] / time;
    sum[0] = sum[1] = sum[2] = 0.0f;
    if (!last)
        return;
    m->lock_curvature = sum[3];
    m->lock_lateral = sum[4];
}

kerb_estimated kerb_in_measure_lock(const kerb_measure_memory* m, const kerb_vehicle* v,
                                    float gradient) {
    return kerb_in_measured(kerb_in_measure_wheel_angle(v, m->lock_curvature) +
                                gradient * m->lock_lateral,
                            KERB_IN_MEASURE_SURE);
}

// --------------------------------------------------------------------------- lock to lock

// When the angle passed a share of its way, between two samples. [s]
static float passed_at(const kerb_measure_samples* s, float share) {
    int32_t last = s->count - 1, i = 1;
    float level = s->value[0] + share * (s->value[last] - s->value[0]);
    while (i < last && s->value[i] < level)
        i++;
    float part = (level - s->value[i - 1]) / kerb_max(s->value[i] - s->value[i - 1], 1e-6f);
    return s->time[i - 1] + kerb_clamp(part, 0.0f, 1.0f) * (s->time[i] - s->time[i - 1]);
}

bool kerb_in_measure_end_ramp(kerb_measure_memory* m, int32_t which, float speed) {
    const kerb_measure_samples* s = &m->samples;
    if (s->count < 3)
        return false;
    m->ramp_time[which] = passed_at(s, 0.75f) - passed_at(s, 0.25f);
    m->ramp_speed[which] = speed;
    return true;
}

// Of the time of the middle half, a part of a frame is uncertain. [1]
#define RATE_FRAME 0.075f
// At half the speed the body follows in half the time, the wheels in all of it. The time of the
// body is that uncertain. [1]
#define RATE_BODY 0.08f

kerb_estimated kerb_in_measure_steering_rate(const kerb_measure_memory* m, float time_step) {
    const kerb_measure_samples* s = &m->samples;
    const float *times = m->ramp_time, *speeds = m->ramp_speed;
    float way = s->value[s->count - 1] - s->value[0], slower = speeds[0] - speeds[1];
    float body = slower > 0.2f * speeds[0]
                     ? kerb_max(times[0] - times[1], 0.0f) * speeds[1] / slower
                     : 0.0f; // of the slow sweep
    float time = kerb_max(times[1] - kerb_min(body, 0.5f * times[1]), 0.5f * time_step);
    float frame = RATE_FRAME * time_step / time, part = RATE_BODY * body / time;
    return kerb_in_measured(
        0.5f * way / time,
        kerb_sqrt(KERB_IN_MEASURE_SURE * KERB_IN_MEASURE_SURE + frame * frame + part * part));
}

// --------------------------------------------------------------------------- small steps

#define STEP_SETTLES 2.2f // after so long the wheels and the body have arrived [s]
#define STEPS_ALONE 0.03f // deviation of what they tell when nothing confirms it [s]

void kerb_in_measure_step(kerb_measure_turn* turn, const kerb_in_measure_frame* frame, float time) {
    if (time <= 0.0f) // the frame that commands the step still belongs to the time before it
        return;
    float* sum = &turn->sum[time < STEP_SETTLES ? 0 : 2];
    sum[0] += frame->turned;
    sum[1] += frame->speed * frame->time_step;
}

void kerb_in_measure_end_step(kerb_measure_memory* m, float size, float time) {
    kerb_measure_turn* turn = &m->now.turn;
    float* sum = turn->sum;
    double before = (double)turn->curvature, after = (double)(sum[2] / kerb_max(sum[3], 1e-4f));
    double heading = (double)sum[0], distance = (double)sum[1];
    double behind = (after * distance - heading) / (after - before);
    double speed = (double)((sum[1] + sum[3]) / kerb_max(time, 1e-3f));
    if (size > 0.0f && kerb_is_finite((float)behind) && speed > 0.0)
        kerb_in_measure_fit_add(&m->now.fit, speed, (double)size, behind / speed);
    turn->curvature = (float)after;
    sum[0] = sum[1] = sum[2] = sum[3] = 0.0f;
}

kerb_estimated kerb_in_measure_steps(const kerb_measure_memory* m) {
    double c[3];
    bool solved = kerb_in_measure_fit_solve(&m->now.fit, 3, c);
    return (kerb_estimated){kerb_max((float)c[0], 0.0f), STEPS_ALONE, solved && c[0] > 0.0};
}

// The body follows the wheels by at most this much later, on soft tyres at the speed of the weave.
// [s]
#define WEAVE_BODY 0.15f
// What steps and weave say together. The steps are sharper, and know the delay of the body, but a
// creep or uneven frames spoil them; then they are not where the estimate says.
#define STEPS_BODY 0.012f // of the body in the delay that the weave teaches [s]
#define STEPS_SURE 0.004f // deviation of what the steps tell, beside that of their fit [s]

kerb_estimated kerb_in_measure_steering_delay(const kerb_measure_memory* m,
                                              const kerb_estimate* estimate) {
    const kerb_estimated* delay = &estimate->delay;
    double c[3];
    float steps =
        kerb_in_measure_fit_solve(&m->now.fit, 3, c) ? kerb_max((float)c[0], 0.0f) : -1.0f;
    float doubt = 2.0f * delay->deviation;
    float by_fit = (float)kerb_in_measure_fit_deviation(&m->now.fit, 3, 0) + STEPS_SURE;
    if (steps < delay->value + doubt && steps > delay->value - doubt - WEAVE_BODY)
        return (kerb_estimated){steps, by_fit, true};
    // The estimate's delay has some of the body in it.
    float body = delay->known ? STEPS_BODY : 0.5f * WEAVE_BODY;
    return (kerb_estimated){delay->value,
                            kerb_sqrt(delay->deviation * delay->deviation + body * body), true};
}

// --------------------------------------------------------------------------- on the spot

#define SPIN_GUESS 0.3f // deviation of a yaw acceleration that no slope shows [1]

void kerb_in_measure_spin(kerb_measure_memory* m, float rate, float time_step,
                          kerb_estimated* rate_max, kerb_estimated* acceleration_max) {
    double line[3];
    kerb_measure_fit fit = {0};
    for (int32_t i = 0; i < m->samples.count; i++) {
        float value = m->samples.value[i];
        if (value >= 0.2f * rate && value <= 0.8f * rate)
            kerb_in_measure_fit_add(&fit, (double)m->samples.time[i], 0.0, (double)value);
    }
    bool sloped = fit.count >= 3 && kerb_in_measure_fit_solve(&fit, 2, line);
    float* sum = m->now.turn.sum;
    sum[0] += 0.5f * rate;
    sum[1] += sloped ? 0.5f * (float)line[1] : 0.5f * rate / time_step;
    *rate_max = kerb_in_measured(sum[0], KERB_IN_MEASURE_SURE);
    *acceleration_max = kerb_in_measured(sum[1], sloped ? KERB_IN_MEASURE_SURE : SPIN_GUESS);
}
