// Purpose: what a vehicle does at full throttle: top speed, acceleration, delay of the throttle.
// Idea:    Top speed: the speed that is still to be gained is the sum of the geometric series of
//          the gains (Aitken). When the run is cut short, top speed is where the remaining power
//          equals the resistance.
//          Throttle: the delay, and its gradual share, with which the speed after a step fits best
//          to the force that has arrived (least squares, by search).
//          Launch: the acceleration divided by the share of the throttle that has arrived.
// Cost:    O(1) a frame; O(samples) at the end, the delay some hundred times that.
#include "measure.h"

// --------------------------------------------------------------------------- top speed

// Speeds are compared a second apart. [s]
#define GAIN_TIME 1.0f
// … and gains over so many of them: 3 s, several times the longest pause of a gearbox.
#define GAIN_SPAN 3
_Static_assert(KERB_MEASURE_GAINS == 2 * GAIN_SPAN + 1, "two gains beside each other");
// The run is long enough when the speed that is still to be gained is below this share, in so many
// seconds in turn. A pause of a gearbox looks so in two. [1]
#define TOP_REST 0.01f
#define TOP_SECONDS 4

bool kerb_in_measure_near_top(kerb_measure_gain* gain, float time, float speed) {
    if (time < gain->at + GAIN_TIME)
        return false;
    gain->at = time;
    gain->top = speed;
    for (int32_t i = KERB_MEASURE_GAINS - 1; i > 0; i--)
        gain->speed[i] = gain->speed[i - 1];
    gain->speed[0] = speed;
    if (++gain->count < KERB_MEASURE_GAINS)
        return false;
    float first = gain->speed[GAIN_SPAN] - gain->speed[KERB_MEASURE_GAINS - 1];
    float second = gain->speed[0] - gain->speed[GAIN_SPAN];
    float rest = second * second / kerb_max(first - second, 1e-9f);
    bool still = kerb_abs(first) + kerb_abs(second) < 0.1f * TOP_REST * speed;
    bool falls_off = first > second && rest < TOP_REST * speed;
    gain->near_count = speed > 0.0f && (still || falls_off) ? gain->near_count + 1 : 0;
    gain->top = speed + (still ? 0.0f : kerb_min(rest, TOP_REST * speed));
    return gain->near_count >= TOP_SECONDS;
}

kerb_estimated kerb_in_measure_top(const kerb_measure_gain* gain, bool near_top) {
    return kerb_in_measured(kerb_max(gain->top, 0.0f),
                            near_top ? KERB_IN_MEASURE_SURE : KERB_IN_MEASURE_BOUND);
}

// Initial time between two moments that are kept. When there are too many, every other is dropped.
// [s]
#define RUN_APART 0.25f

void kerb_in_measure_run(kerb_measure_memory* m, float time, float speed, int32_t gear) {
    if (m->run_apart == 0.0f)
        m->run_apart = RUN_APART;
    if (m->run_count > 0 && time < m->run_at[m->run_count - 1] + 0.999f * m->run_apart)
        return;
    if (m->run_count == KERB_MEASURE_MOMENTS) {
        m->run_apart *= 2.0f;
        m->run_count = KERB_MEASURE_MOMENTS / 2;
        for (int32_t i = 0; i < m->run_count; i++) {
            int32_t kept = i + i;
            m->run_at[i] = m->run_at[kept];
            m->run_speed[i] = m->run_speed[kept];
            m->run_gear[i] = m->run_gear[kept];
        }
        return;
    }
    m->run_at[m->run_count] = time;
    m->run_gear[m->run_count] = (int16_t)gear;
    m->run_speed[m->run_count++] = speed;
}

void kerb_in_measure_forget_run(kerb_measure_memory* m) {
    m->run_count = 0;
    m->run_apart = m->cut_speed = m->cut_gain = 0.0f;
    m->coasting = (kerb_measure_fit){.count = 0};
}

// The acceleration in the last seconds, or in the whole run when it was shorter.
void kerb_in_measure_cut(kerb_measure_memory* m, float time, float speed) {
    const kerb_measure_gain* gain = &m->now.gain;
    m->cut_speed = speed;
    m->cut_gain = gain->count > GAIN_SPAN
                      ? (gain->speed[0] - gain->speed[GAIN_SPAN]) / ((float)GAIN_SPAN * GAIN_TIME)
                      : speed / kerb_max(time, 0.1f);
    m->cut_gain = kerb_max(m->cut_gain, 0.0f);
}

// The speed at which power equals resistance, power/v = coasting + drag·v², by bisection.
static float balance_speed(const kerb_vehicle* vehicle, float power) {
    float low = 0.0f, high = 500.0f;
    for (int32_t i = 0; i < 40; i++) {
        float middle = 0.5f * (low + high);
        if (kerb_in_vehicle_coasting(vehicle, middle) * middle < power)
            low = middle;
        else
            high = middle;
    }
    return low;
}

// Deviation of a top speed that was extrapolated, of what was not driven. [1]
#define PUSH_BEYOND 0.6f

kerb_estimated kerb_in_measure_top_beyond(const kerb_measure_memory* m, const kerb_vehicle* v,
                                          bool power_known) {
    float speed = m->cut_speed, power = v->power / v->mass;
    if (!power_known)
        power = speed * (m->cut_gain + kerb_in_vehicle_coasting(v, speed));
    float top = kerb_max(balance_speed(v, power), speed);
    float doubt = KERB_IN_MEASURE_BOUND * top + PUSH_BEYOND * (top - speed);
    return (kerb_estimated){top, doubt, speed > 0.0f};
}

// --------------------------------------------------------------------------- launching

#define FIRST_WINDOW 0.25f

// Acceleration over a window that begins with a sample; 0 when the samples end before. [m/s²]
static float gain_over(const kerb_measure_samples* s, int32_t first, float window) {
    int32_t last = first;
    while (last < s->count && s->time[last] < s->time[first] + window)
        last++;
    if (last >= s->count)
        return 0.0f;
    return (s->value[last] - s->value[first]) / (s->time[last] - s->time[first]);
}

kerb_estimated kerb_in_measure_first_push(kerb_measure_memory* m) {
    float hardest = 0.0f;
    m->flat_speed = 0.0f;
    for (int32_t i = 0; i < m->samples.count; i++) {
        float gain = gain_over(&m->samples, i, FIRST_WINDOW);
        hardest = kerb_max(hardest, gain);
        if (gain > 0.96f * hardest)
            m->flat_speed = m->samples.value[i];
    }
    return kerb_in_measured(hardest, KERB_IN_MEASURE_GUESS);
}

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

// Drive per mass at full throttle, from a window and the share that had arrived. 0: no samples.
// [m/s²]
static float drive_over(const kerb_measure_memory* m, const kerb_vehicle* v, float from,
                        float length) {
    const float *times = m->samples.time, *values = m->samples.value;
    int32_t count = m->samples.count, i = 0;
    while (i < count && times[i] < from)
        i++;
    int32_t j = i;
    while (j < count - 1 && times[j] < times[i] + length)
        j++;
    if (i >= count || j <= i)
        return 0.0f;
    float gain = (values[j] - values[i]) / (times[j] - times[i]);
    float resisting = kerb_in_vehicle_coasting(v, 0.5f * (values[i] + values[j]));
    float lag = kerb_max(m->throttle_lag, 1e-4f), dead = m->throttle_dead;
    float arrived = (arrived_until(times[j], dead, lag) - arrived_until(times[i], dead, lag)) /
                    kerb_max(times[j] - times[i], 1e-6f);
    return (gain + resisting) / kerb_max(arrived, 0.1f);
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

// The greatest of all windows: the only estimate when the throttle's delay is not known.
static float hardest_drive(const kerb_measure_memory* m, const kerb_vehicle* v) {
    float hardest = 0.0f;
    float from = 0.0f;
    while (from < 2.5f) {
        hardest = kerb_max(hardest, drive_over(m, v, from, LAUNCH_WINDOW));
        from += 0.5f * LAUNCH_WINDOW;
    }
    return hardest;
}

// In the late window all of the throttle has arrived and the wheel loads have become steady. It
// counts when the drive keeps its strength. When the power limits sooner, the early windows count,
// in which the throttle was still arriving.
kerb_estimated kerb_in_measure_launch(const kerb_measure_memory* m, const kerb_vehicle* v,
                                      bool timed, bool slid) {
    if (!timed)
        return kerb_in_measured(hardest_drive(m, v) - v->coasting_deceleration, LAUNCH_DOUBT);
    float dead = m->throttle_dead, lag = kerb_max(m->throttle_lag, 0.02f);
    float early = 0.0f, next = 0.0f;
    float share = 0.6f;
    while (share < 1.3f) {
        float at = dead + share * lag, drives = drive_over(m, v, at, LAUNCH_WINDOW);
        if (drives > early) {
            early = drives;
            next = drive_over(m, v, at + LAUNCH_WINDOW, LAUNCH_WINDOW);
        }
        share += 0.3f;
    }
    // Wheels may begin to spin on the way: the first windows beside each other that agree.
    float from = dead + kerb_max(4.0f * lag, 0.35f), late = 0.0f;
    bool keeps = false;
    for (int32_t i = 0; i < LAUNCH_LATE && !keeps; i++) {
        late = drive_over(m, v, from, LAUNCH_WINDOW);
        float later = drive_over(m, v, from + LAUNCH_WINDOW, LAUNCH_WINDOW);
        keeps = late > LAUNCH_KEPT * early && kerb_abs(later - late) < LAUNCH_SAME * late;
        from += LAUNCH_WINDOW;
    }
    // What did not keep its strength is as doubtful as it changes at once.
    float change = 0.5f * kerb_abs(early - next) / kerb_max(early, 1e-3f);
    float doubt =
        keeps ? KERB_IN_MEASURE_SURE : kerb_clamp(change, KERB_IN_MEASURE_SURE, LAUNCH_DOUBT);
    return kerb_in_measured((keeps ? late : early) - v->coasting_deceleration,
                            slid ? LAUNCH_DOUBT : doubt);
}

// --------------------------------------------------------------------------- throttle

// A delay, its gradual share, and the sum of squared errors against the samples.
typedef struct delay_guess {
    float delay, share;
    double misfit;
} delay_guess;

// The sum of squared errors of the best fit for a delay. The fit is the line before the step, the
// force that arrives, and the change of the force with speed. Nothing rises before the step, so
// there is no constant term.
static double misfit_of(const kerb_measure_samples* s, const double before[3], float until,
                        float delay, float share) {
    float lag = kerb_max(share * delay, 1e-4f), dead = delay - share * delay;
    double ff = 0.0, fd = 0.0, dd = 0.0, fr = 0.0, dr = 0.0, squares = 0.0, drift = 0.0;
    float last = 0.0f, last_gain = 0.0f;
    for (int32_t i = 0; i < s->count && s->time[i] <= until; i++) {
        if (s->time[i] <= 0.0f)
            continue;
        float force = arrived_until(s->time[i], dead, lag);
        float gain = s->value[i] - (float)before[0];
        drift += 0.5 * (double)((gain + last_gain) * (force - last));
        last = force;
        last_gain = gain;
        double risen = (double)s->value[i] - before[0] - before[1] * (double)s->time[i];
        double f = (double)force;
        ff += f * f, fd += f * drift, dd += drift * drift, fr += f * risen, dr += drift * risen;
        squares += risen * risen;
    }
    double rest = dd - fd / ff * fd;
    if (!(ff > 0.0 && rest > 1e-10 * dd))
        return 1e30;
    double c1 = (dr - fd / ff * fr) / rest, c0 = (fr - fd * c1) / ff;
    return squares - c0 * fr - c1 * dr;
}

#define SHARE_MOST 1.3f // greatest gradual share; above 1 a part of the throttle arrives at once

// The better of a guess and the best one up to now.
static delay_guess better(const kerb_measure_samples* s, const double before[3], float until,
                          delay_guess best, float delay, float share) {
    delay_guess guess = {kerb_max(delay, 1e-3f), kerb_clamp(share, 0.0f, SHARE_MOST), 0.0};
    guess.misfit = misfit_of(s, before, until, guess.delay, guess.share);
    return guess.misfit < best.misfit ? guess : best;
}

// Searches around a guess, in delay and share. The steps are halved when nothing is better.
static delay_guess push_refine(const kerb_measure_samples* s, const double before[3], float until,
                               delay_guess best) {
    float step = 0.25f;
    best.misfit = misfit_of(s, before, until, best.delay, best.share);
    for (int32_t round = 0; round < 60 && step > 1e-3f; round++) {
        delay_guess last = best;
        float change = step * last.delay;
        best = better(s, before, until, best, last.delay + change, last.share);
        best = better(s, before, until, best, last.delay - change, last.share);
        best = better(s, before, until, best, last.delay, last.share + step);
        best = better(s, before, until, best, last.delay, last.share - step);
        if (best.misfit >= last.misfit)
            step *= 0.5f;
    }
    return best;
}

// The delay with the smallest misfit: the best one of a grid, then refined.
static delay_guess best_delay(const kerb_measure_samples* s, const double before[3], float until) {
    delay_guess best = {0.0f, 0.0f, 1e31};
    float delay = 0.005f;
    while (delay < 1.2f) {
        float share = 0.0f;
        while (share < SHARE_MOST) {
            best = better(s, before, until, best, delay, share);
            share += 0.25f;
        }
        delay *= 1.4f;
    }
    return push_refine(s, before, until, best);
}

// Adds the speed that resistance has taken to the samples, so that only the engine's part remains.
static void add_resistance(kerb_measure_samples* s, const kerb_vehicle* v) {
    float taken = 0.0f, last = s->value[0];
    for (int32_t i = 1; i < s->count; i++) {
        float middle = 0.5f * (last + s->value[i]);
        taken += kerb_in_vehicle_coasting(v, middle) * (s->time[i] - s->time[i - 1]);
        last = s->value[i];
        s->value[i] += taken;
    }
}

// Deviation of a delay that a step tells. [s]
#define STEP_SURE 0.006f

kerb_estimated kerb_in_measure_throttle(kerb_measure_memory* m, const kerb_vehicle* v) {
    double before[3];
    kerb_measure_samples* s = &m->samples;
    add_resistance(s, v);
    if (!kerb_in_measure_fit_samples(s, -0.6f, 0.0f, 2, before))
        return (kerb_estimated){0.0f, 0.0f, false};
    delay_guess guess = best_delay(s, before, 10.0f);
    // Samples long after the delay contain no information about it.
    guess = push_refine(s, before, 4.0f * guess.delay + 0.25f, guess);
    m->throttle_lag = guess.share * guess.delay;
    m->throttle_dead = guess.delay - m->throttle_lag;
    return (kerb_estimated){guess.delay, STEP_SURE + KERB_IN_MEASURE_SURE * guess.delay, true};
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
// Slower is standstill: above the noise of physics engines. [m/s]
#define CREEP_STANDING 0.06f

bool kerb_in_measure_creep(kerb_measure_gain* gain, float time, float speed,
                           kerb_estimated* creep) {
    if (time < gain->at + GAIN_TIME)
        return false;
    float gained = speed - gain->speed[0];
    bool creeps = speed > CREEP_STANDING, steady = gained < CREEP_GAIN * speed + CREEP_LEAST;
    gain->speed[0] = speed;
    gain->at = time;
    if (creeps ? !steady && time < CREEP_MOST : time < CREEP_WAITS)
        return false;
    // A gain that goes on falls as fast as it fell before.
    float rest = steady ? 0.0f : kerb_max(gained, 0.0f);
    *creep = (kerb_estimated){creeps ? speed + rest : 0.0f, CREEP_SURE + rest, true};
    return true;
}
