// Purpose: how fast a racing driver may be at each place of its way.
// Idea:    The car brakes in thought from each corner backwards, with what cornering leaves of the
//          tyres, until that no longer changes what was known: the paper's braking simulation, run
//          once for each stretch of road instead of once a frame. Where the way was laid anew all
//          of it is braked through; there what the tyres hold in each bin is told for all bins at
//          once, in loops that compilers turn into vectors, and only the braking goes from bin to
//          bin.
// Cost:    40 ns a bin of a stretch that is new, 15 ns a bin of a way that was laid anew.
// Source:  Vamos 4.1 and 4.2.
#include "racer.h"

#include "../control/profile_limits.h"

#define SLOTS KERB_RACER_BINS
// Holding the speed counts by this, since through a short bend a car may slow; it takes so much of
// the tyres' square, or it does not matter, and no more than that. [1]
#define HELD_LEAST 0.02f
#define HELD_WEIGHT 0.6f
#define HELD_MOST 0.25f
// From so long before a change of sides until as long after it the body swings round. [s]
#define SWING_TIME 0.25f

// Of the way that is driven, or of the lane as if nobody were there. [1/m]
static inline float curvature_in(const kerb_racer* racer, int32_t bin, bool way) {
    int32_t slot = racer_slot_of(bin);
    if (way || bin >= racer->ahead.aside)
        return racer->ahead.curvature[slot];
    float lane = racer_lane_offset(racer, racer->ahead.left[slot], racer->ahead.right[slot]);
    return racer_bend_beside(racer->ahead.line_curvature[slot], lane, 0.0f);
}

// Between two bends to different sides the tyres are busy swinging the body round: as in a bend as
// sharp as the milder of both. [1/m]
static inline float swing_in(const kerb_racer* racer, int32_t bin, float speed, bool way) {
    int32_t reach = (int32_t)(SWING_TIME * speed / racer->ahead.spacing + 0.5f);
    int32_t last = racer->ahead.end - 1;
    int32_t before = bin - reach < racer->ahead.first ? racer->ahead.first : bin - reach;
    int32_t after = bin + reach < last ? bin + reach : last;
    float from = curvature_in(racer, before, way), to = curvature_in(racer, after, way);
    return from * to < 0.0f ? kerb_min(kerb_abs(from), kerb_abs(to)) : 0.0f;
}

float racer_swing_at(const kerb_racer* racer, int32_t bin, float speed) {
    return swing_in(racer, bin, speed, true);
}

// --------------------------------------------------------------------------- what the tyres hold

// How far the driven tyres are needed at the limit to hold the speed against what resists it: at
// high speed, with wings, far. Squared, weighed. [0 … HELD_MOST]
static inline float held_speed(const kerb_performance* p, const profile_limits* l) {
    float b = l->most, load = l->load + l->load_gain * b;
    float aside = kerb_abs(l->aside + l->aside_gain * b);
    float resists = p->rolling + p->drag * b + profile_turning(p->turning_drag, aside, load);
    float share = resists * p->lateral / kerb_max(p->accelerating * load, 0.1f);
    return kerb_min(HELD_WEIGHT * share * share, HELD_MOST);
}

// What that leaves of the grip where a bend limits the speed. [0 … 1]
static inline float grip_left(const kerb_performance* p, float most, float held) {
    bool counts = (most < p->speed_max * p->speed_max) & (held > HELD_LEAST);
    return counts ? kerb_sqrt(1.0f - held) : 1.0f;
}

static profile_limits limits_for(const kerb_racer* racer, const kerb_performance* performance,
                                 int32_t bin, float curvature) {
    kerb_profile_point p = racer_profile_point(racer, bin, curvature);
    profile_limits l = profile_limits_of(performance, &p);
    float left = grip_left(performance, l.most, held_speed(performance, &l));
    if (left < 1.0f) {
        p.grip *= left;
        l.most = profile_limits_of(performance, &p).most;
    }
    return l;
}

static inline float with_swing(float curvature, float swing) {
    float both = kerb_sqrt(curvature * curvature + swing * swing);
    return curvature < 0.0f ? -both : both;
}

static profile_limits limits_at(const kerb_racer* racer, const racer_frame* frame, int32_t bin,
                                float b, bool way) {
    float curvature = curvature_in(racer, bin, way);
    float swing = swing_in(racer, bin, kerb_sqrt(b), way);
    if (swing > 0.0f)
        curvature = with_swing(curvature, swing);
    return limits_for(racer, &frame->limits, bin, curvature);
}

// --------------------------------------------------------------------------- braking in thought

// Where no speed holds, drag alone slows.
static inline float braking_at(const kerb_racer* racer, const racer_frame* frame, int32_t bin,
                               const profile_limits* l, float b) {
    float aside = l->aside + l->aside_gain * b, load = l->load + l->load_gain * b;
    float whole = kerb_abs(aside) >= load ? -l->climb - frame->limits.drag * b
                                          : profile_braking(&frame->limits, l, b);
    return racer->ahead.brakes[racer_slot_of(bin)] * whole;
}

// Greatest speed² at the one place from which the next can be met: Heun's step backwards.
static float speed_before(const kerb_racer* racer, const racer_frame* frame, int32_t bin,
                          const profile_limits* here, const profile_limits* next, float b) {
    float h = racer->ahead.spacing;
    float at_next = braking_at(racer, frame, bin + 1, next, kerb_min(b, next->most));
    float guess = kerb_clamp(b - 2.0f * h * at_next, 0.0f, here->most);
    float at_here = braking_at(racer, frame, bin, here, guess);
    return kerb_clamp(b - h * (at_next + at_here), 0.0f, here->most);
}

static void note_speed(kerb_racer* racer, int32_t bin, float corner, float square, bool way) {
    int32_t slot = racer_slot_of(bin);
    if (way) {
        racer->ahead.corner[slot] = corner;
        racer->ahead.squared[slot] = square;
    }
    if (!way || racer->ahead.aside <= racer->ahead.first) {
        racer->ahead.free_corner[slot] = corner;
        racer->ahead.free_squared[slot] = square;
    }
}

void racer_brake_back(kerb_racer* racer, const racer_frame* frame, int32_t fresh, bool way) {
    const float* known = way ? racer->ahead.squared : racer->ahead.free_squared;
    int32_t bin = racer->ahead.end - 1;
    profile_limits next = limits_at(racer, frame, bin, 0.0f, way);
    float b = next.most;
    note_speed(racer, bin, b, b, way);
    for (bin--; bin >= racer->ahead.first; bin--) {
        profile_limits here = limits_at(racer, frame, bin, b, way);
        b = speed_before(racer, frame, bin, &here, &next, b);
        if (bin < fresh && b >= known[racer_slot_of(bin)])
            return;
        note_speed(racer, bin, here.most, b, way);
        next = here;
    }
}

// --------------------------------------------------------------------------- a way laid anew

// What its tyres hold in all slots, swinging round apart: that bins need not wait for one another
// to be told.
typedef struct way_rows {
    float load[SLOTS], load_gain[SLOTS], aside[SLOTS], climb[SLOTS], root[SLOTS];
    float held[SLOTS];    // of the grip, squared: what holding the speed may take
    float most[SLOTS];    // greatest speed² by the bend [m²/s²]
    int32_t usual[SLOTS]; // or else not known here: more than sliding outwards counts
} way_rows;

// In one slot, with so much of the grip.
static inline profile_limits forces_in(const kerb_racer* racer, const kerb_performance* performance,
                                       int32_t slot, float left) {
    kerb_profile_point p = {0.0f,
                            racer->ahead.curvature[slot],
                            racer->ahead.normal_curvature[slot],
                            racer->ahead.up_forward[slot],
                            racer->ahead.up_left[slot],
                            racer->ahead.up_normal[slot],
                            racer->ahead.grip[slot] * left,
                            KERB_SPEED_UNLIMITED};
    return profile_forces(performance, &p);
}

static inline profile_limits limits_of(const kerb_racer* racer, const way_rows* rows,
                                       int32_t slot) {
    return (profile_limits){
        rows->load[slot],  rows->load_gain[slot], rows->aside[slot], racer->ahead.curvature[slot],
        rows->climb[slot], rows->root[slot],      rows->most[slot]};
}

// As limits_for where that is usual. Loops without branches: in one alone compilers see paths to
// tell apart, and then make no vectors of it.
static void lay_limits(const kerb_racer* racer, const kerb_performance* performance, int32_t from,
                       int32_t end, way_rows* restrict rows) {
    const kerb_performance car = *performance;
    const float top = kerb_clamp(car.speed_max, 0.0f, KERB_SPEED_UNLIMITED), limit = top * top;
    for (int32_t i = from; i < end; i++) {
        profile_limits l = forces_in(racer, &car, i, 1.0f);
        rows->usual[i] = profile_is_usual(&l);
        rows->load[i] = l.load;
        rows->load_gain[i] = l.load_gain;
        rows->aside[i] = l.aside;
        rows->climb[i] = l.climb;
        rows->root[i] = profile_root_usual(&l);
        rows->most[i] = kerb_min(rows->root[i], limit);
    }
    for (int32_t i = from; i < end; i++) {
        profile_limits l = limits_of(racer, rows, i);
        rows->held[i] = held_speed(&car, &l);
    }
    for (int32_t i = from; i < end; i++) {
        float left = grip_left(&car, rows->most[i], rows->held[i]);
        profile_limits l = forces_in(racer, &car, i, left);
        rows->most[i] = kerb_min(profile_root_usual(&l), limit);
        rows->usual[i] &= profile_is_usual(&l);
    }
}

// Of the way, swinging round in it.
static inline profile_limits limits_in(const kerb_racer* racer, const racer_frame* frame,
                                       const way_rows* rows, int32_t bin, float b) {
    int32_t i = racer_slot_of(bin);
    float curvature = racer->ahead.curvature[i];
    float swing = swing_in(racer, bin, kerb_sqrt(b), true);
    if (swing > 0.0f)
        return limits_for(racer, &frame->limits, bin, with_swing(curvature, swing));
    if (!rows->usual[i])
        return limits_for(racer, &frame->limits, bin, curvature);
    return limits_of(racer, rows, i);
}

// Up to ten times a second among others: so not in the frame that laid the way, and each place's
// braking is told once, where the step to it is guessed to end.
void racer_brake_way(kerb_racer* racer, const racer_frame* frame) {
    int32_t last = racer->ahead.taken, first = racer->ahead.first;
    racer->ahead.taken = racer->ahead.first;
    last = last < racer->ahead.end - 1 ? last : racer->ahead.end - 1;
    if (last <= first)
        return;
    way_rows rows;
    int32_t from = racer_slot_of(first), to = racer_slot_of(last);
    lay_limits(racer, &frame->limits, from, from <= to ? to + 1 : SLOTS, &rows);
    if (to < from)
        lay_limits(racer, &frame->limits, 0, to + 1, &rows);
    float b = racer->ahead.squared[to], h = racer->ahead.spacing;
    profile_limits next = limits_in(racer, frame, &rows, last, b);
    float at_next = braking_at(racer, frame, last, &next, kerb_min(b, next.most));
    for (int32_t bin = last - 1; bin >= first; bin--) {
        profile_limits here = limits_in(racer, frame, &rows, bin, b);
        float guess = kerb_clamp(b - 2.0f * h * at_next, 0.0f, here.most);
        float at_here = braking_at(racer, frame, bin, &here, guess);
        b = kerb_clamp(b - h * (at_next + at_here), 0.0f, here.most);
        racer->ahead.corner[racer_slot_of(bin)] = here.most;
        racer->ahead.squared[racer_slot_of(bin)] = b;
        at_next = at_here;
    }
}
