// Purpose: a place where a racing driver loses its lap by being faster than before.
// Idea:    The time from one section to the end of the second after it is compared with the best
//          that was driven there, and the plan of now with the plan of then. More speed that takes
//          more time was too much at that place: it goes back to the plan of then.
// Cost:    O(1) a frame.
#include "learning_parts.h"

// A longer time than this multiple of the best one was lost. [1]
#define LOST_TIME_FROM 1.04f
// The plan was faster if it has more grip by this share. [1]
#define LOST_PLAN_FROM 0.004f
// Greatest fall at once. [1]
#define LOST_FALL 0.05f
// After it, the section does not rise for this many visits.
#define LOST_HELD 6

void kerb_in_learning_forget_time(kerb_racer* racer) {
    for (int32_t i = 0; i < KERB_RACER_LEARNED_SPAN; i++)
        racer->memory.learnt.took[i] = -1.0f;
}

void kerb_in_learning_take_time(kerb_racer* racer, float time_step) {
    if (racer->memory.learnt.took[0] >= 0.0f)
        racer->memory.learnt.took[0] += time_step;
}

// The plan of a section, as lateral grip. [m/s²]
static float plan_at(const kerb_racer* racer, int32_t bin) {
    return kerb_in_learning_value(racer, bin) * racer->memory.car.lateral;
}

static void give_back(kerb_racer* racer, int32_t bin, float plan) {
    kerb_in_learning_see(racer, bin);
    kerb_in_learning_fall(racer, bin, LOST_FALL, plan / racer->memory.car.lateral);
    if (racer->memory.learnt.held[bin] < LOST_HELD)
        racer->memory.learnt.held[bin] = LOST_HELD;
}

// The sections of the span that ends with `bin` were driven in `time`.
static void judge_span(kerb_racer* racer, int32_t bin, int32_t count, float time) {
    int32_t first = (bin + count - (KERB_RACER_LEARNED_SPAN - 1)) % count;
    int32_t next = (first + 1) % count;
    float* best = &racer->memory.learnt.best[first];
    float plan = kerb_max(plan_at(racer, first), plan_at(racer, next));
    float* then = &racer->memory.learnt.best_plan[first];
    if (!(*best > 0.0f) || time < *best) {
        *best = time;
        *then = plan;
    } else if (time > LOST_TIME_FROM * *best && plan > (1.0f + LOST_PLAN_FROM) * *then) {
        give_back(racer, first, *then);
        give_back(racer, next, *then);
        kerb_in_learning_find_common(racer, count);
    }
}

void kerb_in_learning_leave_time(kerb_racer* racer, const kerb_racing_line* line) {
    float* took = racer->memory.learnt.took;
    float time = 0.0f;
    bool whole = true;
    for (int32_t i = 0; i < KERB_RACER_LEARNED_SPAN; i++) {
        whole = whole && took[i] > 0.0f;
        time += took[i];
    }
    // From standing, and behind a pause, times say nothing.
    if (whole && racer->memory.learnt.way > racer->memory.learnt.length)
        judge_span(racer, racer->memory.learnt.bin, kerb_in_learning_bins_of(racer, line), time);
    for (int32_t i = KERB_RACER_LEARNED_SPAN - 1; i > 0; i--)
        took[i] = took[i - 1];
    took[0] = 0.0f;
}
