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

#define COAST_INTERVAL 0.25f // the deceleration is averaged over this time [s]

// While the engine lets go, the deceleration still rises. After half as much time again, the
// engine's rest no longer matters.
void kerb_in_measure_coast(kerb_measure_memory* m, float time, float speed) {
    kerb_measure_coast* c = &m->now.coast;
    if (c->count > 0 && time < c->at + 0.999f * COAST_INTERVAL)
        return;
    float lost = (c->speed - speed) / kerb_max(time - c->at, 1e-3f);
    double middle = 0.5 * ((double)c->speed + (double)speed);
    bool rolls = c->count >= 3 && lost <= 1.002f * c->lost + 1e-4f;
    if (rolls && c->counts_at == 0.0f)
        c->counts_at = c->count > 3 ? 1.5f * time : time;
    if (c->counts_at > 0.0f && c->at >= c->counts_at)
        kerb_in_measure_fit_add(&m->coasting, middle * middle, 0.0, (double)lost);
    c->at = time;
    c->speed = speed;
    c->lost = lost;
    c->count++;
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

void kerb_in_measure_resistance(const kerb_measure_memory* m, const kerb_vehicle* v,
                                kerb_estimated* rolling, kerb_estimated* drag) {
    const kerb_measure_fit* fit = &m->coasting;
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

static void wings_watch(kerb_measure_memory* m, float speed, float time_step) {
    kerb_measure_brake* b = &m->now.brake;
    b->wings_time += time_step;
    if (b->count == 1) {
        m->wings_count = 0;
        b->wings_time = 0.0f;
        b->wings_speed = speed;
    }
    if (b->wings_time < kerb_max(WINGS_WINDOW, WINGS_FRAMES * time_step) * 0.999f)
        return;
    float lost = (b->wings_speed - speed) / b->wings_time;
    bool built = m->wings_count > 0 || lost <= WINGS_BUILT * b->wings_lost;
    if (built && speed > WINGS_SLOWEST && m->wings_count < KERB_MEASURE_WINDOWS) {
        m->wings_at[m->wings_count] = 0.5f * (b->wings_speed + speed);
        m->wings_by[m->wings_count++] = lost;
    }
    b->wings_lost = lost;
    b->wings_speed = speed;
    b->wings_time = 0.0f;
}

// Deceleration at rest, and by speed², of all speeds up to a greatest one. False: too few.
static bool wings_fit(const kerb_measure_memory* m, float fastest, double c[3], float* deviation) {
    kerb_measure_fit fit = {0};
    for (int32_t i = 0; i < m->wings_count; i++)
        if (m->wings_at[i] <= fastest)
            kerb_in_measure_fit_add(&fit, (double)(m->wings_at[i] * m->wings_at[i]), 0.0,
                                    (double)m->wings_by[i]);
    *deviation = WINGS_ALIKE * (float)kerb_in_measure_fit_deviation(&fit, 2, 1);
    return fit.count >= 4 && kerb_in_measure_fit_solve(&fit, 2, c);
}

kerb_estimated kerb_in_measure_wings(const kerb_measure_memory* m, const kerb_vehicle* v,
                                     float drag) {
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
    float turns = m->grip_lateral, square = m->grip_speed * m->grip_speed / KERB_GRAVITY;
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

void kerb_in_measure_brake(kerb_measure_memory* m, const kerb_in_measure_frame* frame, float time,
                           bool fast, bool locked) {
    kerb_measure_brake* b = &m->now.brake;
    // With locked wheels it may turn; what it loses is then not along its axis.
    float speed = kerb_sqrt(frame->speed * frame->speed + frame->side * frame->side);
    if (b->count++ == 0)
        b->first = speed;
    b->all += speed * speed * frame->time_step;
    if (speed < BRAKE_FROM * b->first && b->at == 0.0f) {
        b->at = b->end_at = time;
        b->speed = b->end_speed = speed;
        b->all = b->squares = 0.0f;
    } else if (speed > BRAKE_TO * b->first) {
        if (speed > BRAKE_MIDDLE * b->first)
            b->middle_at = time, b->middle_speed = speed;
        b->end_at = time;
        b->end_speed = speed;
        b->squares = b->all;
    }
    if (!fast)
        return;
    m->wings_locked = locked;
    wings_watch(m, speed, frame->time_step);
}

bool kerb_in_measure_brakes(const kerb_measure_memory* m, float speed) {
    return speed > BRAKE_TO * m->now.brake.first;
}

// Frames between the two speeds, without which the times are those of the frames. [1]
#define BRAKE_FRAMES 3.0f
// Deviation of a braking that slid, or was hardly seen. [1]
#define BRAKE_DOUBT 0.1f
// Drag and the frames make as much of a change. [1]
#define BRAKE_CHANGE 0.05f

kerb_estimated kerb_in_measure_braked(kerb_measure_memory* m, float time_step, bool slid) {
    const kerb_measure_brake* b = &m->now.brake;
    float span = b->end_at - b->at;
    bool sure = span > BRAKE_FRAMES * time_step && !slid, seen = m->braking > 0.0f;
    if (span < 0.5f * time_step || (seen && !m->braking_slid && slid) ||
        (seen && !sure && m->braking_sure))
        return (kerb_estimated){0.0f, 0.0f, false};
    m->braking_slid = slid;
    m->braking_sure = sure;
    m->braking = (b->speed - b->end_speed) / span;
    // A brake that builds up slowly, or wheels that lock on the way: the first half is not as the
    // second.
    float first = b->middle_at - b->at, second = b->end_at - b->middle_at;
    bool halves = first > BRAKE_FRAMES * time_step && second > BRAKE_FRAMES * time_step;
    float change =
        kerb_abs((b->speed - b->middle_speed) / first - (b->middle_speed - b->end_speed) / second);
    m->braking_doubt = halves ? kerb_max(change - BRAKE_CHANGE * m->braking, 0.0f) : 0.0f;
    m->braking_square = b->squares / span;
    return kerb_in_measured(m->braking, KERB_IN_MEASURE_GUESS);
}

// At rest, where wings do not press. That they do shows by this very braking.
kerb_estimated kerb_in_measure_braking(const kerb_measure_memory* m, const kerb_vehicle* v,
                                       bool wings) {
    float braking = m->braking - v->drag * m->braking_square;
    if (wings)
        braking /= 1.0f + v->downforce * m->braking_square / KERB_GRAVITY;
    float doubt =
        m->braking_doubt + (m->braking_sure ? KERB_IN_MEASURE_SURE : BRAKE_DOUBT) * braking;
    return (kerb_estimated){braking, doubt, m->braking > 0.0f};
}
