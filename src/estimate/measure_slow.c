// Purpose: what slows a vehicle: rolling resistance and drag, the brakes, and what wings press.
// Idea:    Resistance: least squares of the deceleration against speed², coasting fast and slowly.
//          Braking: the mean between two speeds, after it has built up and before standstill.
//          Downforce: tyres that are the limit of the brakes hold more where wings press on them:
//          the deceleration falls with speed², by more than drag explains. Brakes that are weaker
//          than the tyres lose the same at every speed; then only drag is seen, and no downforce is
//          said. Where brakes limit at high speed and tyres below it, the lower speeds count.
// Cost:    O(1) a frame; O(windows) at the end.
#include "measure.h"

// --------------------------------------------------------------------------- coasting

#define SLOW_INTERVAL 0.25f // the deceleration is averaged over this time [s]
#define SLOW_LEAST 0.3f     // slower, standstill is near [m/s]

// While the engine lets go, the deceleration still rises. After half as much time again, the
// engine's rest no longer matters.
static void slow_coast(kerb_measure_slow* m, float speed) {
    float time = m->time;
    if (time < m->at + 0.999f * SLOW_INTERVAL)
        return;
    float lost = (m->speed - speed + m->pulled - m->gravity) / kerb_max(time - m->at, 1e-3f);
    double middle = 0.5 * ((double)m->speed + (double)speed);
    bool rolls = m->count >= 3 && lost <= 1.002f * m->lost + 1e-4f;
    if (rolls && m->counts_at == 0.0f)
        m->counts_at = m->count > 3 ? 1.5f * time : time;
    if (m->counts_at > 0.0f && m->at >= m->counts_at)
        kerb_in_measure_fit_add(&m->resists, middle * middle, 0.0, (double)lost);
    m->at = time;
    m->speed = speed;
    m->pulled = m->gravity;
    m->lost = lost;
    m->count++;
}

// Neighbours err alike: four of them tell as much as one, so that deviations are twice those of the
// fit. [1]
#define RESISTANCE_ALIKE 2.0
// Share of the rolling resistance that a doubtful drag may change. [1]
#define DRAG_UNKNOWN 0.1f
// Where drag is not measured, the given one is that uncertain. [1]
#define DRAG_GIVEN 0.5f

// Both decelerate the vehicle. A slightly negative value is measurement noise.
static kerb_estimated roll_term(double term, float doubt) {
    float value = kerb_max((float)term, 0.0f);
    return (kerb_estimated){value, doubt + KERB_IN_MEASURE_SURE * value, true};
}

void kerb_in_measure_resistance(const kerb_measure_slow* m, const kerb_vehicle* v,
                                kerb_estimated* rolling, kerb_estimated* drag) {
    const kerb_measure_fit* fit = &m->resists;
    double c[3];
    *rolling = *drag = (kerb_estimated){0.0f, 0.0f, false};
    if (!kerb_in_measure_fit_solve(fit, 2, c))
        return;
    double n = (double)fit->count, squares = fit->matrix[0][1] / n;
    float doubt = (float)(RESISTANCE_ALIKE * kerb_in_measure_fit_deviation(fit, 2, 1));
    double unknown = 2.0 * (double)doubt * squares;
    if (unknown > (double)DRAG_UNKNOWN * (c[0] > 0.01 ? c[0] : 0.01)) {
        float by_drag = v->drag * (float)squares;
        float mean = (float)(RESISTANCE_ALIKE * kerb_in_measure_fit_deviation(fit, 1, 0));
        *rolling = roll_term((double)((float)(fit->right[0] / n) - by_drag),
                             kerb_sqrt(mean * mean + DRAG_GIVEN * DRAG_GIVEN * by_drag * by_drag));
        return;
    }
    *rolling =
        roll_term(c[0], (float)(RESISTANCE_ALIKE * kerb_in_measure_fit_deviation(fit, 2, 0)));
    *drag = roll_term(c[1], doubt);
}

// --------------------------------------------------------------------------- wings

// The deceleration is averaged over this time, at least; and so many frames. [s]
#define WINGS_WINDOW 0.2f
#define WINGS_FRAMES 2.0f
// Slower, brakes and frames do not give what they gave before. [m/s]
#define WINGS_SLOWEST 2.0f
// The brakes have built up where a window lost no more than this multiple of the one before. [1]
#define WINGS_BUILT 1.01f
// Shares of the greatest speed that are tried as the fastest one that counts. [1]
#define WINGS_CUTS 3
static const float wings_cut[WINGS_CUTS] = {1.0f, 0.75f, 0.55f};
// Windows err alike: four of them tell as much as one. [1]
#define WINGS_ALIKE 2.0f
// The tyres brake by at least this share of what they hold in a bend. Below it brakes are the
// limit. [1]
#define WINGS_TYRES 0.8f
// What a change of load from axle to axle takes or gives while the speed falls. [1/m]
#define WINGS_ELSE 1.0e-4f
// Where the brakes limit one axle, only what presses on the other shows: that may be this share of
// all of it less than was seen. Where none shows, as many wings may stay hidden: of 55 hosts one
// had any. [1], [1/m]
#define WINGS_HALF 0.5f
#define WINGS_HIDDEN 0.00025f

static void wings_watch(kerb_measure_slow* m, float speed, float time_step) {
    float time = m->time - m->at;
    if (time < kerb_max(WINGS_WINDOW, WINGS_FRAMES * time_step) * 0.999f)
        return;
    float lost = (m->speed - speed + m->pulled - m->gravity) / time;
    bool built = m->wings_count > 0 || lost <= WINGS_BUILT * m->lost;
    if (built && speed > WINGS_SLOWEST && m->wings_count < KERB_MEASURE_WINDOWS) {
        m->wings_at[m->wings_count] = 0.5f * (m->speed + speed);
        m->wings_by[m->wings_count++] = lost;
    }
    m->at = m->time;
    m->speed = speed;
    m->pulled = m->gravity;
    m->lost = lost;
}

// Deceleration at rest, and by speed², of all speeds up to a greatest one. False: too few.
static bool wings_fit(const kerb_measure_slow* m, float fastest, double c[3], float* deviation) {
    kerb_measure_fit fit = {0};
    for (int32_t i = 0; i < m->wings_count; i++)
        if (m->wings_at[i] <= fastest)
            kerb_in_measure_fit_add(&fit, (double)(m->wings_at[i] * m->wings_at[i]), 0.0,
                                    (double)m->wings_by[i]);
    *deviation = WINGS_ALIKE * (float)kerb_in_measure_fit_deviation(&fit, 2, 1);
    return fit.count >= 4 && kerb_in_measure_fit_solve(&fit, 2, c);
}

kerb_estimated kerb_in_measure_wings(const kerb_measure_slow* m, const kerb_measure_memory* turn,
                                     const kerb_vehicle* v, float drag) {
    double c[3];
    float best = 0.0f, doubt = 0.0f, holds = 0.0f;
    for (int32_t i = 0; i < WINGS_CUTS && m->wings_count > 0 && !m->wings_locked; i++) {
        float deviation;
        if (!wings_fit(m, wings_cut[i] * m->wings_at[0], c, &deviation))
            break;
        float tyres = (float)c[0] - v->coasting_deceleration;
        if (tyres <= 0.0f)
            break;
        float per = KERB_GRAVITY / tyres;
        float wings = ((float)c[1] - v->drag) * per;
        float error = kerb_sqrt(deviation * deviation + drag * drag) * per + WINGS_ELSE;
        if (i > 0 && wings - best < 2.0f * (error + doubt))
            continue;
        best = wings;
        doubt = error;
        holds = tyres;
    }
    float turns = turn->grip_lateral;
    float square = turn->grip_speed * turn->grip_speed / KERB_GRAVITY;
    turns /= 1.0f + kerb_max(best, 0.0f) * square;
    bool tyres = turns > 0.0f && holds > WINGS_TYRES * turns;
    // What falls with speed² is no brake.
    bool presses = best > 3.0f * doubt, shows = doubt > 0.0f && (tyres || presses);
    doubt = kerb_max(doubt, presses ? WINGS_HALF * best : WINGS_HIDDEN);
    return (kerb_estimated){kerb_max(best, 0.0f), doubt, shows};
}

// --------------------------------------------------------------------------- braking

// Braking is measured between these shares of the initial speed: after it has built up, and before
// standstill. [1]
#define BRAKE_FROM 0.5f
#define BRAKE_TO 0.15f
#define BRAKE_MIDDLE 0.325f

// Frames between the two speeds, without which the times are those of the frames. [1]
#define BRAKE_FRAMES 3.0f
// Deviation of a braking that slid, or was hardly seen. [1]
#define BRAKE_DOUBT 0.1f
// Drag and the frames make as much of a change. [1]
#define BRAKE_CHANGE 0.05f

// At the end of a braking. One in which it slid counts only where there is no other, and a sure one
// is replaced only by one from a higher speed.
static void brake_end(kerb_measure_slow* m, float time_step) {
    float span = m->end_at - m->from_at;
    bool sure = span > BRAKE_FRAMES * time_step && !m->slid, seen = m->braking > 0.0f;
    if (m->from_at == 0.0f || span < 0.5f * time_step || (seen && !m->braking_slid && m->slid) ||
        (m->braking_sure && (!sure || m->first < m->braked_from)))
        return;
    m->braked_from = m->first;
    m->braking_slid = m->slid;
    m->braking_sure = sure;
    m->braking = (m->from_speed - m->end_speed) / span;
    // A brake that builds up slowly, or wheels that lock on the way: the first half is not as the
    // second.
    float half = m->middle_at - m->from_at, rest = m->end_at - m->middle_at;
    bool halves = half > BRAKE_FRAMES * time_step && rest > BRAKE_FRAMES * time_step;
    float change = kerb_abs((m->from_speed - m->middle_speed) / half -
                            (m->middle_speed - m->end_speed) / rest);
    m->braking_doubt = halves ? kerb_max(change - BRAKE_CHANGE * m->braking, 0.0f) : 0.0f;
    m->braking_square = m->squares / span;
}

static void slow_brake(kerb_measure_slow* m, float speed, float time_step) {
    float level = speed + m->gravity; // which it would have on level ground
    m->all += speed * speed * time_step;
    if (speed < BRAKE_FROM * m->first && m->from_at == 0.0f) {
        m->from_at = m->end_at = m->time;
        m->from_speed = m->end_speed = level;
        m->all = m->squares = 0.0f;
    } else if (speed > BRAKE_TO * m->first) {
        if (speed > BRAKE_MIDDLE * m->first)
            m->middle_at = m->time, m->middle_speed = level;
        m->end_at = m->time;
        m->end_speed = level;
        m->squares = m->all;
    } else {
        brake_end(m, time_step);
        m->counts = false;
    }
}

// At rest, where wings do not press. That they do shows by this very braking.
kerb_estimated kerb_in_measure_braking(const kerb_measure_slow* m, float drag, float downforce) {
    float braking = m->braking - drag * m->braking_square;
    braking /= 1.0f + downforce * m->braking_square / KERB_GRAVITY;
    float doubt =
        m->braking_doubt + (m->braking_sure ? KERB_IN_MEASURE_SURE : BRAKE_DOUBT) * braking;
    return (kerb_estimated){braking, doubt, m->braking > 0.0f};
}

// --------------------------------------------------------------------------- a frame

// A stretch begins with the state before its first frame.
static void slow_begin(kerb_measure_slow* m, bool brakes, float speed) {
    m->slid = false;
    m->time = m->gravity = m->at = m->pulled = m->lost = m->counts_at = 0.0f;
    m->from_at = m->middle_at = m->middle_speed = m->all = m->squares = 0.0f;
    m->count = 1;
    m->speed = m->first = speed;
    m->counts = speed > SLOW_LEAST;
    if (!brakes || speed <= m->wings_from)
        return;
    m->wings_from = speed;
    m->wings_count = 0;
}

void kerb_in_measure_slow_merge(kerb_measure_slow* m, const kerb_measure_slow* other) {
    const kerb_measure_fit own = m->resists;
    const float braking = m->braking;
    if (braking <= 0.0f && other->braking > 0.0f) {
        *m = *other;
        m->resists = own;
        m->stretch = 0;
    }
    if (own.count == 0)
        m->resists = other->resists;
}

void kerb_in_measure_slow(kerb_measure_slow* m, const kerb_in_measure_slowing* f) {
    // With locked wheels it may turn; what it loses is then not along its axis.
    float side = f->brakes ? f->side * f->side : 0.0f;
    float speed = kerb_sqrt(f->speed * f->speed + side);
    int32_t now = f->brakes ? 2 : f->coasts ? 1 : 0;
    if (now != m->stretch)
        slow_begin(m, f->brakes, kerb_sqrt(f->before * f->before + side));
    m->stretch = now;
    m->time += f->time_step;
    m->gravity += KERB_GRAVITY * f->slope * f->time_step;
    m->slid = m->slid || f->slides;
    m->counts = m->counts && (now == 2 || speed > SLOW_LEAST);
    if (now == 1 && m->counts)
        slow_coast(m, speed);
    if (now != 2 || !m->counts)
        return;
    if (m->first >= m->wings_from) {
        m->wings_locked = m->slid;
        wings_watch(m, speed, f->time_step);
    }
    slow_brake(m, speed, f->time_step);
}
