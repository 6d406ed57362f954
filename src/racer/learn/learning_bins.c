// Purpose: the bins in which a racing driver keeps what it has learned about a line.
// Idea:    A share of the grip for each section of the line, linear between the middles of the
//          sections. Neighbours differ by a limited step. Bins without a visit use what the visited
//          ones have in common.
// Cost:    O(1) to read, to raise and to lower; O(bins) for what they have in common.
#include "learning_parts.h"

// Halvings of the range of learned grips: to a thousandth.
#define MIDDLE_STEPS 10
#define LEARNING_BINS_BINS KERB_RACER_LEARNED_BINS
// Shortest bin; chosen by trial. [m]
#define BIN_LEAST 40.0f
// This part of a grip above 1 is not available for braking, which is planned with a smaller margin.
// [1]
#define BRAKES_SPARE 0.04f
// Greatest difference between neighbouring bins. [1]
#define LEARNING_BINS_STEP_MOST 0.05f

// In the first round a spare grip in some bins is no promise for the others.
static float common_now(const kerb_racer* racer) {
    float common = racer->memory.learnt.common;
    return racer->memory.learnt.way < racer->memory.learnt.length ? kerb_min(common, 1.0f) : common;
}

float kerb_in_learning_value(const kerb_racer* racer, int32_t bin) {
    return racer->memory.learnt.seen[bin] > 0 ? racer->memory.learnt.grip[bin] : common_now(racer);
}

bool kerb_in_learning_is_for(const kerb_racer* racer, const kerb_racing_line* line) {
    return racer->memory.learnt.length == line->length && racer->memory.learnt.count == line->count;
}

bool kerb_in_learning_is_on(const kerb_racer* racer) {
    return racer->settings.learning != 0;
}

int32_t kerb_in_learning_bins_of(const kerb_racer* racer, const kerb_racing_line* line) {
    return (int32_t)kerb_clamp((float)line->length / racer_metres(racer, BIN_LEAST), 4.0f,
                               (float)LEARNING_BINS_BINS);
}

// The bin before a place, and how far it is to the next one. A bin's value belongs to the middle of
// its section.
static int32_t bin_before(const kerb_racer* racer, const kerb_racing_line* line, double at,
                          float* share) {
    int32_t count = kerb_in_learning_bins_of(racer, line);
    double place = at / line->length, whole = (double)(int64_t)place;
    float in = (float)(place - (whole > place ? whole - 1.0 : whole)) * (float)count + 0.5f;
    int32_t bin = (int32_t)in;
    *share = in - (float)bin;
    return bin >= 1 ? (bin - 1) % count : count - 1;
}

float kerb_in_racer_learnt_grip(const kerb_racer* racer, const kerb_racing_line* line, double at) {
    if (!kerb_in_learning_is_on(racer) || !kerb_in_learning_is_for(racer, line))
        return 1.0f;
    float share;
    int32_t a = bin_before(racer, line, at, &share), count = kerb_in_learning_bins_of(racer, line);
    int32_t b = a + 1 < count ? a + 1 : 0;
    float from = kerb_in_learning_value(racer, a);
    float value = from + (kerb_in_learning_value(racer, b) - from) * share;
    // A lower skill uses a smaller part of a spare grip.
    return value > 1.0f ? 1.0f + (value - 1.0f) * racer->settings.skill : value;
}

// The first part of a spare grip in bends is the margin of the plan. Braking is planned with a
// smaller margin, so only the grip beyond that part counts for it.
float kerb_in_racer_learnt_brakes(float grip) {
    return grip > 1.0f ? kerb_max(grip - BRAKES_SPARE, 1.0f) / grip : 1.0f;
}

static float held_to_bounds(float grip) {
    return kerb_clamp(grip, KERB_RACER_LEARNED_GRIP_MIN, KERB_RACER_LEARNED_GRIP_MAX);
}

// The value that half of the visited bins exceed: a single bad place does not move it. By halving
// the range, so that nothing is sorted.
static float middle_of_bins(const kerb_racer* racer, int32_t count, int32_t seen) {
    float low = KERB_RACER_LEARNED_GRIP_MIN, high = KERB_RACER_LEARNED_GRIP_MAX;
    for (int32_t k = 0; k < MIDDLE_STEPS; k++) {
        float middle = 0.5f * (low + high);
        int32_t below = 0;
        for (int32_t i = 0; i < count; i++)
            below += racer->memory.learnt.seen[i] > 0 && racer->memory.learnt.grip[i] < middle;
        *(2 * below > seen ? &high : &low) = middle;
    }
    return 0.5f * (low + high);
}

void kerb_in_learning_find_common(kerb_racer* racer, int32_t count) {
    float spare = 0.0f, never_fell = 0.0f;
    int32_t seen = 0;
    for (int32_t i = 0; i < count; i++) {
        if (racer->memory.learnt.seen[i] == 0)
            continue;
        seen++;
        if (racer->memory.learnt.falls[i] > 0)
            continue;
        spare += racer->memory.learnt.grip[i] - 1.0f;
        never_fell += 1.0f;
    }
    // Added 1: one bend is half a proof.
    float middle = middle_of_bins(racer, count, seen) - 1.0f;
    racer->memory.learnt.common = 1.0f + middle * (float)seen / (float)(seen + 1);
    if (middle > 0.0f && spare > 0.0f)
        racer->memory.learnt.common = 1.0f + spare / (never_fell + 1.0f);
    racer->memory.learnt.common = held_to_bounds(racer->memory.learnt.common);
}

void kerb_in_learning_see(kerb_racer* racer, int32_t bin) {
    if (racer->memory.learnt.seen[bin] == 0)
        racer->memory.learnt.grip[bin] = common_now(racer);
    if (racer->memory.learnt.seen[bin] < UINT8_MAX)
        racer->memory.learnt.seen[bin]++;
}

void kerb_in_learning_fall(kerb_racer* racer, int32_t bin, float step, float least) {
    float now = racer->memory.learnt.grip[bin];
    racer->memory.learnt.grip[bin] = held_to_bounds(kerb_max(now - step, kerb_min(now, least)));
}

static bool fell(const kerb_racer* racer, int32_t bin) {
    return racer->memory.learnt.falls[bin] > 0 || racer->memory.learnt.held[bin] > 0;
}

static void learning_bins_beside(int32_t bin, int32_t count, int32_t sides[2]) {
    sides[0] = bin > 0 ? bin - 1 : count - 1;
    sides[1] = bin + 1 < count ? bin + 1 : 0;
}

void kerb_in_learning_level(kerb_racer* racer, int32_t bin, int32_t count) {
    int32_t sides[2];
    learning_bins_beside(bin, count, sides);
    float most = racer->memory.learnt.grip[bin] + LEARNING_BINS_STEP_MOST;
    for (int32_t i = 0; i < 2; i++)
        racer->memory.learnt.grip[sides[i]] = kerb_min(racer->memory.learnt.grip[sides[i]], most);
}

void kerb_in_learning_rise(kerb_racer* racer, int32_t bin, int32_t count, float step) {
    int32_t sides[2];
    learning_bins_beside(bin, count, sides);
    float now = racer->memory.learnt.grip[bin], most = KERB_RACER_LEARNED_GRIP_MAX;
    for (int32_t i = 0; i < 2; i++)
        if (fell(racer, sides[i]))
            most = kerb_min(most, racer->memory.learnt.grip[sides[i]] + LEARNING_BINS_STEP_MOST);
    float risen = kerb_max(now, kerb_min(now + step, most));
    racer->memory.learnt.grip[bin] = risen;
    for (int32_t i = 0; i < 2; i++)
        if (racer->memory.learnt.seen[sides[i]] > 0 && !fell(racer, sides[i]))
            racer->memory.learnt.grip[sides[i]] =
                kerb_max(racer->memory.learnt.grip[sides[i]], risen - LEARNING_BINS_STEP_MOST);
}
