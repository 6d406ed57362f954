// Purpose: what one learner knows, given to another one of the same model.
// Idea:    each filter knows its prior, its value and its covariance. What it learned is the
//          information that it has beyond the prior, so the prior is not counted twice. Both
//          learners began alike, hence each hypothesis of one goes to the same one of the other.
//          Values of a filter hang together (grip and stiffness), so what was learned is split into
//          sums of values that were measured apart, and these are given one after the other.
// Cost:    O(memory).
// Source:  the information form of the Kalman filter (Simon, "Optimal State Estimation", section
//          6.2).
#include "lap_learner_parts.h"

#include "../../base/shared.h"

#include <string.h>

enum { LAP_VALUES = 3 }; // of a hypothesis: grip, stiffness of front and rear

// Information below this share of the prior's is rounding, or what drifting has cost. [1]
#define LAP_INFORMATION_LEAST 1.0e-3f

// The inverse of a symmetric positive matrix, by its cofactors.
static void lap_invert(const float a[LAP_VALUES][LAP_VALUES],
                       float inverse[LAP_VALUES][LAP_VALUES]) {
    for (int32_t i = 0; i < LAP_VALUES; i++)
        for (int32_t j = 0; j < LAP_VALUES; j++) {
            int32_t r = (j + 1) % LAP_VALUES, s = (j + 2) % LAP_VALUES;
            int32_t c = (i + 1) % LAP_VALUES, d = (i + 2) % LAP_VALUES;
            inverse[i][j] = a[r][c] * a[s][d] - a[r][d] * a[s][c];
        }
    float whole = 0.0f;
    for (int32_t i = 0; i < LAP_VALUES; i++)
        whole += a[0][i] * inverse[i][0];
    float per = 1.0f / kerb_max(whole, 1.0e-30f);
    for (int32_t i = 0; i < LAP_VALUES; i++)
        for (int32_t j = 0; j < LAP_VALUES; j++)
            inverse[i][j] *= per;
}

// The filter learns that `of` times its values is `measured`, with a variance.
static void lap_measure(kerb_lap_tyres* t, const float of[LAP_VALUES], float measured,
                        float variance) {
    float gain[LAP_VALUES], spread = variance, expected = 0.0f;
    for (int32_t i = 0; i < LAP_VALUES; i++) {
        gain[i] = 0.0f;
        for (int32_t k = 0; k < LAP_VALUES; k++)
            gain[i] += t->covariance[i][k] * of[k];
    }
    for (int32_t i = 0; i < LAP_VALUES; i++) {
        spread += of[i] * gain[i];
        expected += of[i] * t->value[i];
    }
    for (int32_t i = 0; i < LAP_VALUES; i++) {
        t->value[i] += gain[i] * (measured - expected) / spread;
        for (int32_t k = 0; k < LAP_VALUES; k++)
            t->covariance[i][k] -= gain[i] * gain[k] / spread;
    }
}

// In units of the prior: its deviations are 1 and its values 0.
static void lap_scale(kerb_lap_tyres* t, const kerb_lap_tyres* prior, bool back) {
    for (int32_t i = 0; i < LAP_VALUES; i++) {
        float unit = kerb_sqrt(prior->covariance[i][i]);
        t->value[i] =
            back ? t->value[i] * unit + prior->value[i] : (t->value[i] - prior->value[i]) / unit;
        for (int32_t k = 0; k < LAP_VALUES; k++) {
            float both = unit * kerb_sqrt(prior->covariance[k][k]);
            t->covariance[i][k] *= back ? both : 1.0f / both;
        }
    }
}

static void lap_merge_tyres(kerb_lap_tyres* to, const kerb_lap_tyres* from,
                            const kerb_lap_tyres* prior, float share) {
    kerb_lap_tyres taught = *from;
    lap_scale(&taught, prior, false);
    float known[LAP_VALUES][LAP_VALUES], sums[LAP_VALUES];
    lap_invert((const float(*)[LAP_VALUES])taught.covariance, known);
    for (int32_t i = 0; i < LAP_VALUES; i++) {
        sums[i] = 0.0f;
        for (int32_t k = 0; k < LAP_VALUES; k++)
            sums[i] += known[i][k] * taught.value[k];
    }
    for (int32_t i = 0; i < LAP_VALUES; i++)
        known[i][i] -= 1.0f; // the prior's
    lap_scale(to, prior, false);
    // known = L·D·Lᵀ: each column of L is a sum of values, and D the information about it.
    for (int32_t j = 0; j < LAP_VALUES; j++) {
        float information = known[j][j], of[LAP_VALUES] = {0.0f};
        if (information < LAP_INFORMATION_LEAST)
            continue;
        for (int32_t i = j; i < LAP_VALUES; i++)
            of[i] = known[i][j] / information;
        float measured = sums[j] / information;
        for (int32_t i = j + 1; i < LAP_VALUES; i++) {
            sums[i] -= of[i] * sums[j];
            for (int32_t k = j + 1; k < LAP_VALUES; k++)
                known[i][k] -= of[i] * of[k] * information;
        }
        lap_measure(to, of, measured, 1.0f / (share * information));
    }
    lap_scale(to, prior, true);
    to->value[0] = kerb_clamp(to->value[0], LAP_GRIP_LEAST, LAP_GRIP_MOST);
    for (int32_t i = 1; i < LAP_VALUES; i++)
        to->value[i] = kerb_clamp(to->value[i], LAP_STIFFNESS_LEAST, LAP_STIFFNESS_MOST);
    to->misfit += share * from->misfit;
}

static void lap_merge_value(float* value, float* variance, const float from[2],
                            const float prior[2], float share) {
    float information = 1.0f / from[1] - 1.0f / prior[1];
    if (information * prior[1] < LAP_INFORMATION_LEAST)
        return;
    float measured = (from[0] / from[1] - prior[0] / prior[1]) / information;
    float error = 1.0f / (share * information);
    float part = *variance / (*variance + error);
    *value += part * (measured - *value);
    *variance *= 1.0f - part;
}

void kerb_lap_learner_merge(kerb_lap_learner* learner, const kerb_lap_learner* other, float share) {
    KERB_ASSERT(learner && other);
    _Static_assert(sizeof(kerb_vehicle) % 4 == 0, "numbers of four bytes, no padding");
    _Static_assert(sizeof(kerb_performance) % 4 == 0, "numbers of four bytes, no padding");
    share = kerb_clamp(share, 0.0f, 1.0f);
    if (share <= 0.0f || memcmp(&learner->vehicle, &other->vehicle, sizeof learner->vehicle) != 0 ||
        memcmp(&learner->described, &other->described, sizeof learner->described) != 0)
        return;
    const kerb_lap_learner fresh = kerb_lap_learner_make(&learner->vehicle, &learner->described);
    kerb_lap_learner_memory* m = &learner->memory;
    const kerb_lap_learner_memory *o = &other->memory, *f = &fresh.memory;
    for (int32_t i = 0; i < KERB_LAP_LEARNER_TYRES; i++)
        lap_merge_tyres(&m->tyres[i], &o->tyres[i], &f->tyres[i], share);
    for (int32_t i = 0; i < KERB_DRIVE_COUNT; i++)
        lap_merge_value(&m->drive[i], &m->drive_variance[i],
                        (const float[]){o->drive[i], o->drive_variance[i]},
                        (const float[]){f->drive[i], f->drive_variance[i]}, share);
    lap_merge_value(&m->brakes, &m->brakes_variance, (const float[]){o->brakes, o->brakes_variance},
                    (const float[]){f->brakes, f->brakes_variance}, share);
    lap_merge_value(&m->brake_grip, &m->brake_grip_variance,
                    (const float[]){o->brake_grip, o->brake_grip_variance},
                    (const float[]){f->brake_grip, f->brake_grip_variance}, share);
    m->used = kerb_max(m->used, share * o->used);
    kerb_in_lap_mix(m);
    kerb_in_lap_show(learner);
}
