// Purpose: how much a car's tyres hold, from slip and force in bends.
// Idea:    An axle at the slip angle s holds u = m·y(c·s/m): c its stiffness, m the grip that both
//          axles share, y the force over the grip. Tyres follow x = y + 0.9·y⁵ up to their grip,
//          about; the racer steers by the same law. Near 0 the law does not depend on m, so gentle
//          bends teach c alone, and the filter's derivatives say so. An extended Kalman filter of
//          (m, c front, c rear); each axle is a scalar measurement. Soft tyres in a hard bend look
//          like stiff ones that slide, and a filter that began with the wrong kind stays there: so
//          four filters begin with soft to stiff tyres, and count by how well they predict.
// Cost:    O(1) for each tenth of a second.
// Source:  Gustafsson, "Slip-based tire-road friction estimation", Automatica 1997 (the idea);
//          Simon, "Optimal State Estimation", section 13.2 (the filter).
#include "lap_learner_parts.h"

#include "../../vehicle/shared.h"

// Fifth-order part of the law: tyres with the shape of Pacejka's road tyres. [1]
#define LAP_BEND 0.9f
// Beyond their best slip tyres hold this share of what they hold in a steady bend at their limit.
// [1]
#define LAP_SLID 0.955f
// Doubt about the stiffness of a hypothesis, as a share: half of the step to the next one. [1]
#define LAP_STIFFNESS_DOUBT 0.4f
// One error adds no more to a misfit; a misfit fades at this rate per window. [1]
#define LAP_MISFIT_MOST 9.0f
#define LAP_MISFIT_FADES 0.002f
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

static const float lap_stiffness[KERB_LAP_LEARNER_TYRES] = {6.0f, 11.0f, 20.0f, 36.0f};

void kerb_in_lap_tyres_begin(kerb_lap_learner* learner) {
    kerb_lap_learner_memory* m = &learner->memory;
    for (int32_t i = 0; i < KERB_LAP_LEARNER_TYRES; i++) {
        kerb_lap_tyres* t = &m->tyres[i];
        float stiff = LAP_STIFFNESS_DOUBT * lap_stiffness[i];
        t->value[0] = 1.0f;
        t->value[1] = t->value[2] = lap_stiffness[i];
        t->covariance[0][0] = LAP_GRIP_DOUBT * LAP_GRIP_DOUBT;
        t->covariance[1][1] = t->covariance[2][2] = stiff * stiff;
    }
    m->grip = 1.0f;
    m->grip_variance = LAP_GRIP_DOUBT * LAP_GRIP_DOUBT;
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

static void lap_drift(kerb_lap_tyres* t, int32_t axle) {
    float grip = LAP_GRIP_DRIFTS * t->value[0], stiff = LAP_STIFFNESS_DRIFTS * t->value[axle];
    t->covariance[0][0] += grip * grip;
    t->covariance[axle][axle] += stiff * stiff;
}

// One axle (1: front, 2: rear) had this slip and this use.
static void lap_tyre_learn(kerb_lap_tyres* t, int32_t axle, float slip, float use) {
    float grip = t->value[0], slope;
    float x = t->value[axle] * slip / grip;
    float y = lap_force(x, &slope);
    float error = use - grip * y;
    float by[3] = {y - x * slope, 0.0f, 0.0f}, gain[3];
    by[axle] = slip * slope;
    float variance = LAP_USE_ERROR * LAP_USE_ERROR;
    t->misfit += kerb_min(error * error / variance, LAP_MISFIT_MOST) - LAP_MISFIT_FADES * t->misfit;
    for (int32_t i = 0; i < 3; i++)
        gain[i] = t->covariance[i][0] * by[0] + t->covariance[i][axle] * by[axle];
    float spread = by[0] * gain[0] + by[axle] * gain[axle];
    // What cannot be by the filter's own doubt counts for less: a kerb, a push.
    float far = error * error / (4.0f * (variance + spread));
    variance *= kerb_max(far, 1.0f);
    float scale = 1.0f / (variance + spread);
    for (int32_t i = 0; i < 3; i++) {
        t->value[i] += gain[i] * scale * error;
        for (int32_t k = 0; k < 3; k++)
            t->covariance[i][k] -= gain[i] * gain[k] * scale;
    }
    t->value[0] = kerb_clamp(t->value[0], LAP_GRIP_LEAST, LAP_GRIP_MOST);
    t->value[axle] = kerb_clamp(t->value[axle], LAP_STIFFNESS_LEAST, LAP_STIFFNESS_MOST);
}

void kerb_in_lap_mix(kerb_lap_learner_memory* m) {
    float least = m->tyres[0].misfit, sum = 0.0f, mean = 0.0f, square = 0.0f;
    for (int32_t i = 1; i < KERB_LAP_LEARNER_TYRES; i++)
        least = kerb_min(least, m->tyres[i].misfit);
    for (int32_t i = 0; i < KERB_LAP_LEARNER_TYRES; i++) {
        const kerb_lap_tyres* t = &m->tyres[i];
        // The tail of Student's distribution: errors are not independent, and no hypothesis is
        // ever ruled out.
        float weight = 1.0f / (1.0f + 0.25f * (t->misfit - least));
        weight *= weight;
        sum += weight;
        mean += weight * t->value[0];
        square += weight * (t->value[0] * t->value[0] + t->covariance[0][0]);
    }
    m->grip = mean / sum;
    m->grip_variance = kerb_max(square / sum - m->grip * m->grip, 0.0f);
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
    // product of the axles' distances from the mass (centre of percussion). Another radius lets the
    // axles need more or less of their tyres for a turn, by its share.
    float share = kerb_in_vehicle_inertia_share(v), rear = v->reference_to_rear_axle;
    float at[2] = {share * (v->wheelbase - rear), -share * rear};
    for (int32_t i = 0; i < 2; i++) {
        float use = (tick->aside + tick->yaw * at[i]) / whole;
        float side = use < 0.0f ? -1.0f : 1.0f, slip = side * tick->slip[i];
        use *= side;
        if (use < LAP_USE_FROM || slip <= 0.0f)
            continue;
        for (int32_t k = 0; k < KERB_LAP_LEARNER_TYRES; k++) {
            lap_drift(&m->tyres[k], i + 1);
            lap_tyre_learn(&m->tyres[k], i + 1, slip, use);
        }
        kerb_in_lap_mix(m);
        m->used = kerb_max(m->used - LAP_USED_FADES, kerb_min(use / (LAP_SLID * m->grip), 1.0f));
    }
}

float kerb_in_lap_grip_deviation(const kerb_lap_learner* learner) {
    const kerb_lap_learner_memory* m = &learner->memory;
    float unseen = m->used > 0.0f ? LAP_LAW_DOUBT * (1.0f - m->used) * m->grip : 0.0f;
    float both = kerb_sqrt(m->grip_variance + unseen * unseen);
    return kerb_min(both, kerb_max(LAP_GRIP_DOUBT, kerb_sqrt(m->grip_variance)));
}
