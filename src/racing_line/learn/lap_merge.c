// Purpose: what one learner knows, given to another one of the same model.
// Idea:    of the tyres, bins of measurements are added. Engine and brakes: each filter knows its
//          prior, its value and its variance; what it learned is the information that it has beyond
//          the prior, so the prior is not counted twice.
// Cost:    O(memory).
// Source:  the information form of the Kalman filter (Simon, "Optimal State Estimation", section
//          6.2).
#include "lap_learner_parts.h"

#include "../../base/shared.h"

#include <string.h>

// Information below this share of the prior's is rounding, or what drifting has cost. [1]
#define LAP_INFORMATION_LEAST 1.0e-3f

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
    if (share <= 0.0f || learner == other ||
        memcmp(&learner->vehicle, &other->vehicle, sizeof learner->vehicle) != 0 ||
        memcmp(&learner->described, &other->described, sizeof learner->described) != 0)
        return;
    const kerb_lap_learner fresh = kerb_lap_learner_make(&learner->vehicle, &learner->described);
    kerb_lap_learner_memory* m = &learner->memory;
    const kerb_lap_learner_memory *o = &other->memory, *f = &fresh.memory;
    for (int32_t i = 0; i < KERB_DRIVE_COUNT; i++)
        lap_merge_value(&m->drive[i], &m->drive_variance[i],
                        (const float[]){o->drive[i], o->drive_variance[i]},
                        (const float[]){f->drive[i], f->drive_variance[i]}, share);
    lap_merge_value(&m->brakes, &m->brakes_variance, (const float[]){o->brakes, o->brakes_variance},
                    (const float[]){f->brakes, f->brakes_variance}, share);
    lap_merge_value(&m->brake_grip, &m->brake_grip_variance,
                    (const float[]){o->brake_grip, o->brake_grip_variance},
                    (const float[]){f->brake_grip, f->brake_grip_variance}, share);
    kerb_in_lap_tyres_merge(learner, other, share);
    kerb_in_lap_show(learner);
}
