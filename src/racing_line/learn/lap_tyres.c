// Purpose: how much a car's tyres hold, from slip and force in bends.
// Idea:    An axle at the slip angle s holds u = m·y(c·s/m): c its stiffness, m the grip that both
//          axles share, y the force over the grip. Tyres follow x = y + 0.9·y⁵ up to their grip,
//          about; the racer steers by the same law. Near 0 the law does not depend on m, so gentle
//          bends teach c alone, and the filter's derivatives say so. An extended Kalman filter of
//          (m, c front, c rear); each axle is a scalar measurement.
// Cost:    O(1) for each tenth of a second.
// Source:  Gustafsson, "Slip-based tire-road friction estimation", Automatica 1997 (the idea);
//          Simon, "Optimal State Estimation", section 13.2 (the filter).
#include "lap_learner_parts.h"

// Fifth-order part of the law: tyres with the shape of Pacejka's road tyres. [1]
#define LAP_BEND 0.9f
// Beyond their best slip tyres hold this share of what they hold in a steady bend at their limit.
// [1]
#define LAP_SLID 0.955f
// First stiffness: half of the grip at 0.03 rad, and its doubt as a share. [1/rad], [1]
#define LAP_STIFFNESS 16.7f
#define LAP_STIFFNESS_DOUBT 0.7f
// Error of one window's force, as use: load transfer, bumps, the body's sway. They last longer than
// a window, so it is twice what is seen in one. [1]
#define LAP_USE_ERROR 0.07f
// Changes with time: per window, as a share. [1]
#define LAP_GRIP_DRIFTS 0.0005f
#define LAP_STIFFNESS_DRIFTS 0.002f
// The law fits tyres by this share at its far end: the doubt that is left where the grip was seen
// at this use only grows with what was not seen. [1]
#define LAP_LAW_DOUBT 0.25f
// The greatest use fades at this rate per window that teaches. [1]
#define LAP_USED_FADES 0.0003f
// A window teaches with less push along the car than this share of what pushes it aside, …
#define LAP_PUSH 0.2f
// … from this use on, … [1]
#define LAP_USE_FROM 0.12f
// … while the wheels turn by less than this. [rad]
#define LAP_TURNED 0.03f
#define LAP_GRIP_LEAST 0.3f
#define LAP_GRIP_MOST 3.0f

void kerb_in_lap_tyres_begin(kerb_lap_learner* learner) {
    kerb_lap_learner_memory* m = &learner->memory;
    m->tyres[0] = 1.0f;
    m->tyres[1] = m->tyres[2] = LAP_STIFFNESS;
    m->tyres_covariance[0][0] = LAP_GRIP_DOUBT * LAP_GRIP_DOUBT;
    float stiff = LAP_STIFFNESS_DOUBT * LAP_STIFFNESS;
    m->tyres_covariance[1][1] = m->tyres_covariance[2][2] = stiff * stiff;
    m->used = 0.0f;
}

// Force over grip at the slip x, in units of the linear one; its slope. Newton's method from above,
// where the law is convex, so that it cannot miss.
static float lap_force(float x, float* slope) {
    float y = kerb_min(x, 1.0f); // above the root: x is
    for (int32_t i = 0; i < 5; i++) {
        float y4 = y * y * y * y;
        y -= (y * (1.0f + LAP_BEND * y4) - x) / (1.0f + 5.0f * LAP_BEND * y4);
    }
    if (y >= LAP_SLID) {
        *slope = 0.0f;
        return LAP_SLID;
    }
    float y2 = y * y;
    *slope = 1.0f / (1.0f + 5.0f * LAP_BEND * y2 * y2);
    return y;
}

static void lap_drift(kerb_lap_learner_memory* m) {
    float grip = LAP_GRIP_DRIFTS * m->tyres[0];
    m->tyres_covariance[0][0] += grip * grip;
    for (int32_t i = 1; i < 3; i++) {
        float stiff = LAP_STIFFNESS_DRIFTS * m->tyres[i];
        m->tyres_covariance[i][i] += stiff * stiff;
    }
}

// One axle (1: front, 2: rear) had this slip and this use.
static void lap_tyre_learn(kerb_lap_learner_memory* m, int32_t axle, float slip, float use) {
    float grip = m->tyres[0], slope;
    float x = m->tyres[axle] * slip / grip;
    float y = lap_force(x, &slope);
    float error = use - grip * y;
    float by[3] = {y - x * slope, 0.0f, 0.0f}, gain[3];
    by[axle] = slip * slope;
    float variance = LAP_USE_ERROR * LAP_USE_ERROR;
    for (int32_t i = 0; i < 3; i++) {
        gain[i] = m->tyres_covariance[i][0] * by[0] + m->tyres_covariance[i][axle] * by[axle];
    }
    float spread = by[0] * gain[0] + by[axle] * gain[axle];
    // What cannot be by the filter's own doubt counts for less: a kerb, a push.
    float far = error * error / (4.0f * (variance + spread));
    variance *= kerb_max(far, 1.0f);
    float scale = 1.0f / (variance + spread);
    float before[3] = {gain[0], gain[1], gain[2]};
    for (int32_t i = 0; i < 3; i++) {
        m->tyres[i] += before[i] * scale * error;
        for (int32_t k = 0; k < 3; k++)
            m->tyres_covariance[i][k] -= before[i] * before[k] * scale;
    }
    m->tyres[0] = kerb_clamp(m->tyres[0], LAP_GRIP_LEAST, LAP_GRIP_MOST);
    m->tyres[axle] = kerb_clamp(m->tyres[axle], 2.0f, 200.0f);
}

void kerb_in_lap_tyres(kerb_lap_learner* learner, const lap_tick* tick) {
    kerb_lap_learner_memory* m = &learner->memory;
    const kerb_vehicle* v = &learner->vehicle;
    const kerb_performance* p = &learner->described;
    float whole = p->lateral * tick->load * tick->grip;
    float push = tick->along + lap_resistance(p, tick->speed);
    if (kerb_abs(push) > LAP_PUSH * kerb_abs(tick->aside) || kerb_abs(tick->turned) > LAP_TURNED)
        return;
    // The acceleration at an axle is what its own tyres give, where the radius of gyration² is the
    // product of the axles' distances from the mass (centre of percussion).
    float at[2] = {v->wheelbase - v->reference_to_rear_axle, -v->reference_to_rear_axle};
    for (int32_t i = 0; i < 2; i++) {
        float use = (tick->aside + tick->yaw * at[i]) / whole;
        float side = use < 0.0f ? -1.0f : 1.0f, slip = side * tick->slip[i];
        use *= side;
        if (use < LAP_USE_FROM || slip <= 0.0f)
            continue;
        lap_drift(m);
        lap_tyre_learn(m, i + 1, slip, use);
        m->used = kerb_max(m->used - LAP_USED_FADES, kerb_min(use / (LAP_SLID * m->tyres[0]), 1.0f));
    }
}

float kerb_in_lap_grip_deviation(const kerb_lap_learner* learner) {
    const kerb_lap_learner_memory* m = &learner->memory;
    float unseen = LAP_LAW_DOUBT * (1.0f - m->used) * m->tyres[0];
    float filter = kerb_max(m->tyres_covariance[0][0], 0.0f);
    float both = kerb_sqrt(filter + (m->used > 0.0f ? unseen * unseen : 0.0f));
    return kerb_min(both, kerb_max(LAP_GRIP_DOUBT, kerb_sqrt(filter)));
}
