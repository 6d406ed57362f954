// Purpose: the power of an engine and its curve, from the run at full throttle.
// Idea:    one power, with which the model of all drivers takes the time to each speed that the
//          vehicle took. Then what it had at each speed (a vehicle that shifts by itself), or at
//          each speed of the engine (gears that the driver shifts): force times speed, resistance
//          added.
// Cost:    O(moments) for each power that is tried, once.
#include "measure.h"

float kerb_in_measure_gain(const kerb_vehicle* v, float power, float speed) {
    float force = v->acceleration_max + v->coasting_deceleration;
    float drive = kerb_min(force, power / kerb_max(speed, 0.01f));
    return drive - kerb_in_vehicle_coasting(v, speed);
}

// Of the run: the moments from a tenth of the speed to nine tenths, where a top speed is reached
// slowly, and the time by the model is uncertain by any part of it.
#define POWER_FROM 0.1f
#define POWER_TO 0.9f
#define POWER_LEAST 0.001f // of the greatest one that is tried
#define POWER_PARTS 6      // of the way between two moments

// --------------------------------------------------------------------------- by speed

// Edges of the parts of a run for each of which a power is found, as shares of its greatest speed.
static const float power_edge[] = {0.06f, 0.16f, 0.28f, 0.4f, 0.52f, 0.64f, 0.76f, 0.88f, 0.98f};
_Static_assert(sizeof power_edge / sizeof power_edge[0] == KERB_SHARE_POINTS_MAX + 1,
               "a point each");
// A share that falls by less is none: frames and pauses of a gearbox make as much of a difference.
// [1]
#define POWER_SAME 0.04f

// When the run came to a speed for the first time. [s] -1: never
static float power_time_at(const kerb_measure_memory* m, float speed) {
    for (int32_t i = 1; i < m->run_count; i++) {
        float before = m->run_speed[i - 1], now = m->run_speed[i];
        if (now < speed || before >= speed)
            continue;
        float part = (speed - before) / (now - before);
        return m->run_at[i - 1] + part * (m->run_at[i] - m->run_at[i - 1]);
    }
    return -1.0f;
}

// The time from a speed to another by the model. [s]
static float power_time(const kerb_vehicle* v, float power, float from, float to) {
    float part = (to - from) / (float)POWER_PARTS, time = 0.0f;
    for (int32_t i = 0; i < POWER_PARTS; i++) {
        float gain = kerb_in_measure_gain(v, power, from + ((float)i + 0.5f) * part);
        time += part / kerb_max(gain, 0.001f * v->acceleration_max);
    }
    return time;
}

// The power that takes the time that the run took from a speed to another. Where the force is the
// limit, what it has at the end. [W/kg]
static float power_between(const kerb_vehicle* v, float time, float from, float to) {
    float most = (v->acceleration_max + v->coasting_deceleration) * to;
    float low = POWER_LEAST * most, high = most;
    for (int32_t i = 0; i < 24; i++) {
        float middle = 0.5f * (low + high);
        if (power_time(v, middle, from, to) > time)
            low = middle;
        else
            high = middle;
    }
    return 0.5f * (low + high);
}

// Shares of the greatest of the values, at least 0.02; the curve's points are those of the values.
// Returns the greatest. `least`: smallest share.
static float power_shares(const float* values, kerb_share_curve* curve, float* least) {
    float best = 1.0e-6f;
    for (int32_t i = 0; i < curve->count; i++)
        best = kerb_max(best, values[i]);
    *least = 1.0f;
    for (int32_t i = 0; i < curve->count; i++) {
        curve->share[i] = kerb_clamp(values[i] / best, 0.02f, 1.0f);
        *least = kerb_min(*least, curve->share[i]);
    }
    return best;
}

// Greatest error of the times from the first edge to each other one, by a curve or a single power,
// against those of the run. [1]
static float power_error(const kerb_vehicle* v, const kerb_share_curve* curve, float best,
                         float end, const float* took) {
    float model = 0.0f, run = 0.0f, most = 0.0f;
    for (int32_t i = 0; i < KERB_SHARE_POINTS_MAX; i++) {
        float from = power_edge[i] * end;
        float part = (power_edge[i + 1] * end - from) / (float)POWER_PARTS;
        for (int32_t k = 0; k < POWER_PARTS; k++) {
            float speed = from + ((float)k + 0.5f) * part;
            float gain = kerb_in_measure_gain(v, best * kerb_share_at(curve, speed), speed);
            model += part / kerb_max(gain, 0.001f * v->acceleration_max);
        }
        run += took[i];
        // The last part comes near the top speed, where any error is great.
        if (i > 0 && i < KERB_SHARE_POINTS_MAX - 1)
            most = kerb_max(most, kerb_abs(model / run - 1.0f));
    }
    return most;
}

// Power by speed of a vehicle that shifts by itself: the pauses of its gearbox are in it.
// `single`: the power without a curve. The one with which the times come out better counts, and the
// deviation is half of the error that is left. False: the run does not tell it.
static bool power_by_speed(const kerb_measure_memory* m, kerb_vehicle* v, float single,
                           kerb_estimated* found) {
    float end = m->run_speed[m->run_count - 1], power[KERB_SHARE_POINTS_MAX], least;
    float took[KERB_SHARE_POINTS_MAX];
    for (int32_t i = 0; i < m->run_count; i++)
        if (m->run_gear[i] < 0 && m->run_speed[i] > power_edge[0] * end)
            return false;
    kerb_share_curve curve = {.count = KERB_SHARE_POINTS_MAX};
    for (int32_t i = 0; i < curve.count; i++) {
        float from = power_edge[i] * end, to = power_edge[i + 1] * end;
        float begins = power_time_at(m, from), ends = power_time_at(m, to);
        if (begins < 0.0f || ends <= begins)
            return false;
        took[i] = ends - begins;
        power[i] = power_between(v, took[i], from, to);
        curve.speed[i] = 0.5f * (from + to);
    }
    float best = power_shares(power, &curve, &least);
    const kerb_share_curve flat = {.count = 0};
    float with = power_error(v, &curve, best, end, took);
    float without = power_error(v, &flat, single, end, took);
    bool curved = least < 1.0f - POWER_SAME && with < without;
    if (curved)
        v->power_share = curve;
    *found = kerb_in_measured(v->mass * (curved ? best : single),
                              kerb_max(KERB_IN_MEASURE_SURE, 0.5f * (curved ? with : without)));
    return true;
}

// Torque by engine speed, where the driver shifts: from times in one gear, in a gear above the
// first, in which neither clutch nor tyres slip, a moment after the shift. Fewer parts of the
// engine's speeds than this make no curve, nor speeds that are nearer to each other. [1]
#define TORQUE_LEAST 4
#define TORQUE_SPAN 0.15f

// Speed of the engine over that of the vehicle in the time that ends with a moment of the run. 0:
// the engine did not drive all the time. [1/m]
static float torque_turns(const kerb_measure_memory* m, const kerb_drive_train* train,
                          int32_t moment) {
    const int gear = m->run_gear[moment];
    const int32_t lowest = train->gear_count > 1 ? 2 : 1;
    if (moment < 2 || gear < lowest || gear > train->gear_count ||
        m->run_gear[moment - 1] != gear || m->run_gear[moment - 2] != gear)
        return 0.0f;
    return train->gear_ratio[gear - 1] / train->wheel_radius;
}

static float torque_speed(const kerb_measure_memory* m, int32_t moment, float turns) {
    return 0.5f * (m->run_speed[moment] + m->run_speed[moment - 1]) * turns;
}

// Sums over the times in each part of the engine's speeds.
typedef struct torque_parts {
    float torque[KERB_SHARE_POINTS_MAX], fast[KERB_SHARE_POINTS_MAX], time[KERB_SHARE_POINTS_MAX];
} torque_parts;

static torque_parts torque_by_part(const kerb_measure_memory* m, const kerb_vehicle* v,
                                   float slowest, float part) {
    torque_parts parts = {{0.0f}, {0.0f}, {0.0f}};
    for (int32_t i = 2; i < m->run_count; i++) {
        float turns = torque_turns(m, &v->drive_train, i);
        if (turns <= 0.0f)
            continue;
        float fast = torque_speed(m, i, turns), took = m->run_at[i] - m->run_at[i - 1];
        int32_t at = (int32_t)((fast - slowest) / part);
        at = at < KERB_SHARE_POINTS_MAX ? at : KERB_SHARE_POINTS_MAX - 1;
        float gain = m->run_speed[i] - m->run_speed[i - 1];
        parts.torque[at] += (gain + took * kerb_in_vehicle_coasting(v, fast / turns)) / turns;
        parts.fast[at] += took * fast;
        parts.time[at] += took;
    }
    return parts;
}

static bool power_by_torque(const kerb_measure_memory* m, kerb_vehicle* v, kerb_estimated* found) {
    kerb_drive_train* train = &v->drive_train;
    float slowest = 1.0e9f, fastest = 0.0f;
    for (int32_t i = 2; i < m->run_count; i++) {
        float turns = torque_turns(m, train, i);
        if (turns <= 0.0f)
            continue;
        slowest = kerb_min(slowest, torque_speed(m, i, turns));
        fastest = kerb_max(fastest, torque_speed(m, i, turns));
    }
    if (fastest - slowest < TORQUE_SPAN * train->engine_speed_max)
        return false;
    torque_parts parts =
        torque_by_part(m, v, slowest, 1.0001f * (fastest - slowest) / (float)KERB_SHARE_POINTS_MAX);
    kerb_share_curve curve = {.count = 0};
    float torque[KERB_SHARE_POINTS_MAX];
    for (int32_t i = 0; i < KERB_SHARE_POINTS_MAX; i++)
        if (parts.time[i] > 0.0f && parts.torque[i] > 0.0f) {
            curve.speed[curve.count] = parts.fast[i] / parts.time[i];
            torque[curve.count++] = parts.torque[i] / parts.time[i];
        }
    if (curve.count < TORQUE_LEAST)
        return false;
    float least, best = power_shares(torque, &curve, &least);
    train->torque = curve;
    float share = kerb_share_at(&curve, train->engine_speed_power);
    bool reached = fastest > (1.0f - TORQUE_SPAN) * train->engine_speed_power;
    *found = kerb_in_measured(v->mass * best * share * train->engine_speed_power,
                              reached ? KERB_IN_MEASURE_SURE : KERB_IN_MEASURE_BOUND);
    return true;
}

// --------------------------------------------------------------------------- one power

// Mean square of the difference of the times from the first of the speeds to each other one, by the
// model less by the run. [s²] -1: too few.
static double misfit_of_power(const kerb_measure_memory* m, const kerb_vehicle* v, float power,
                              float from, float to) {
    double time = 0.0, squares = 0.0, begun = 0.0;
    int32_t count = 0;
    float speed = from;
    for (int32_t i = 0; i < m->run_count; i++) {
        float next = m->run_speed[i];
        if (next <= speed || next > to) // in a pause it comes to speeds that it has had
            continue;
        float part = (next - speed) / (float)POWER_PARTS;
        for (int32_t k = 0; k < POWER_PARTS && count > 0; k++) {
            float gain = kerb_in_measure_gain(v, power, speed + ((float)k + 0.5f) * part);
            time += (double)(part / kerb_max(gain, 0.001f * v->acceleration_max));
        }
        speed = next;
        if (count++ == 0)
            begun = (double)m->run_at[i];
        double error = time - ((double)m->run_at[i] - begun);
        squares += error * error;
    }
    return count < 3 ? -1.0 : squares / (double)count;
}

// The power with which the model takes the time to each speed that the vehicle took (least
// squares): pauses of a gearbox and the curve of an engine are in it. Not the greatest power at any
// one speed, which drivers would count on at all. `held`: at least. 0: too few moments. [W/kg]
static float power_in_all(const kerb_measure_memory* m, const kerb_vehicle* v, float end,
                          float held) {
    float from = kerb_max(POWER_FROM * end, m->run_speed[0]);
    float to = (m->cut_speed > 0.0f ? 1.0f : POWER_TO) * end;
    float most = end * (v->acceleration_max + v->coasting_deceleration);
    most = kerb_max(most, 1.02f * held);
    float power = kerb_max(held, POWER_LEAST * most); // nothing may resist
    float best = 0.0f, factor = 1.02f;
    double misfit = 1e30;
    while (power < most) {
        double now = misfit_of_power(m, v, power, from, to);
        // Where the power never limits, it is at least that of the full force at the end.
        if (now >= 0.0 && now <= misfit * 1.0001)
            misfit = now < misfit ? now : misfit, best = power;
        power *= factor;
    }
    float step = 0.01f;
    for (int32_t round = 0; round < 5 && best > 0.0f; round++) {
        for (int32_t side = -1; side <= 1; side += 2) {
            power = best * (1.0f + (float)side * step);
            double now = misfit_of_power(m, v, power, from, to);
            if (now >= 0.0 && now < misfit)
                misfit = now, best = power;
        }
        step *= 0.5f;
    }
    return best;
}

kerb_estimated kerb_in_measure_power(const kerb_measure_memory* m, kerb_vehicle* v) {
    if (m->run_count < 1)
        return (kerb_estimated){0.0f, 0.0f, false};
    float end = m->run_speed[m->run_count - 1];
    float held = end * kerb_in_vehicle_coasting(v, end); // drivers assume no less
    float best = power_in_all(m, v, end, held);
    if (best <= 0.0f)
        return kerb_in_measured(v->mass * held, KERB_IN_MEASURE_GUESS);
    bool cut = m->cut_speed > 0.0f;
    kerb_estimated found =
        kerb_in_measured(v->mass * best, cut ? KERB_IN_MEASURE_BOUND : KERB_IN_MEASURE_SURE);
    if (v->drive_train.gear_count > 0)
        (void)power_by_torque(m, v, &found);
    else if (!cut)
        (void)power_by_speed(m, v, best, &found);
    return found;
}
