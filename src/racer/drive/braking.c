// Purpose: how fast a racing driver may be at each place ahead.
// Idea:    Speeds are computed backwards from each corner, with the braking that cornering leaves
//          to the tyres, until they no longer differ from the known ones. This is the paper's
//          braking simulation, run once for each stretch of road instead of once a frame. Where the
//          path was laid again, the pass goes from place to place, each a car's length long and as
//          sharp as its sharpest bin. There the tyres' limits are computed for all places at once,
//          in loops that compilers turn into vector code; only the braking goes from one place to
//          the next.
// Cost:    O(1) for each new bin, and for each place of a path that was laid again.
// Source:  Vamos 4.1 and 4.2.
#include "racer.h"

#include "../../control/shared.h"

#define BRAKING_SLOTS KERB_RACER_LOOKAHEAD_BINS
// Holding the speed takes part of the tyres' square: less than LEAST is ignored; the rest counts
// with WEIGHT, because a car may slow down through a short bend, up to MOST. [1]
#define HELD_LEAST 0.02f
#define HELD_WEIGHT 0.6f
#define HELD_MOST 0.25f
// The body swings round from this time before a change of sides to this time after it. [s]
#define SWING_TIME 0.25f

// Of the planned path, or of the lane (as if no other car were near). [1/m]
static inline float curvature_in(const kerb_racer* racer, int32_t bin, bool way) {
    int32_t slot = racer_slot_of(bin);
    if (way || bin >= racer->memory.ahead.aside)
        return racer->memory.ahead.curvature[slot];
    float lane = kerb_in_racer_lane_offset(racer, racer->memory.ahead.left[slot],
                                           racer->memory.ahead.right[slot]);
    return racer_bend_beside(racer->memory.ahead.line_curvature[slot], lane, 0.0f);
}

// Between two bends to opposite sides the tyres swing the body round. That counts as a bend as
// sharp as the milder of the two. [1/m]
static inline float swing_in(const kerb_racer* racer, int32_t bin, float speed, bool way) {
    int32_t reach =
        (int32_t)(racer_time(racer, SWING_TIME) * speed / racer->memory.ahead.spacing + 0.5f);
    int32_t last = racer->memory.ahead.end - 1;
    int32_t before =
        bin - reach < racer->memory.ahead.first ? racer->memory.ahead.first : bin - reach;
    int32_t after = bin + reach < last ? bin + reach : last;
    float from = curvature_in(racer, before, way), to = curvature_in(racer, after, way);
    return from * to < 0.0f ? kerb_min(kerb_abs(from), kerb_abs(to)) : 0.0f;
}

float kerb_in_racer_swing_at(const kerb_racer* racer, int32_t bin, float speed) {
    return swing_in(racer, bin, speed, true);
}

// --------------------------------------------------------------------------- what the tyres hold

// Share of the driven tyres' grip, at the limit, that holds the speed against resistance: large at
// high speed with wings. Squared and weighted. [0 … HELD_MOST]
static inline float held_speed(const kerb_performance* p, const profile_limits* l) {
    float b = l->most, load = l->load + l->load_gain * b;
    float aside = kerb_abs(l->aside + l->aside_gain * b);
    float resists =
        p->rolling + p->drag * b + kerb_in_profile_turning(p->turning_drag, aside, load);
    float share = resists * p->lateral / kerb_max(p->accelerating * load, 0.1f);
    return kerb_min(HELD_WEIGHT * share * share, HELD_MOST);
}

// Share of the grip that this leaves where a bend limits the speed. [0 … 1]
static inline float grip_left(const kerb_performance* p, float most, float held) {
    bool counts = (most < p->speed_max * p->speed_max) & (held > HELD_LEAST);
    return counts ? kerb_sqrt(1.0f - held) : 1.0f;
}

static profile_limits braking_limits_for(const kerb_racer* racer,
                                         const kerb_performance* performance, int32_t bin,
                                         float curvature) {
    kerb_profile_point p = kerb_in_racer_profile_point(racer, bin, curvature);
    profile_limits l = kerb_in_profile_limits_of(performance, &p);
    float left = grip_left(performance, l.most, held_speed(performance, &l));
    if (left < 1.0f) {
        p.grip *= left;
        l.most = kerb_in_profile_limits_of(performance, &p).most;
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
    return braking_limits_for(racer, &frame->limits, bin, curvature);
}

// --------------------------------------------------------------------------- braking in thought

// Where no speed holds the bend, drag alone slows the car.
static inline float racer_braking_at(const kerb_racer* racer, const racer_frame* frame, int32_t bin,
                                     const profile_limits* l, float b) {
    float aside = l->aside + l->aside_gain * b, load = l->load + l->load_gain * b;
    float whole = kerb_abs(aside) >= load ? -l->climb - frame->limits.drag * b
                                          : kerb_in_profile_braking(&frame->limits, l, b);
    return racer->memory.ahead.brakes[racer_slot_of(bin)] * whole;
}

// Greatest speed² at one place from which the next can be met: Heun's step, backwards.
static float braking_speed_before(const kerb_racer* racer, const racer_frame* frame, int32_t bin,
                                  const profile_limits* here, const profile_limits* next, float b) {
    float h = racer->memory.ahead.spacing;
    float at_next = racer_braking_at(racer, frame, bin + 1, next, kerb_min(b, next->most));
    float guess = kerb_clamp(b - 2.0f * h * at_next, 0.0f, here->most);
    float at_here = racer_braking_at(racer, frame, bin, here, guess);
    return kerb_clamp(b - h * (at_next + at_here), 0.0f, here->most);
}

// The rows that a backward pass writes: those of the planned path, of the lane, or both.
typedef enum back_rows { BACK_WAY = 1, BACK_LANE = 2, BACK_BOTH = 3 } back_rows;

static void note_speed(kerb_racer* racer, int32_t bin, float corner, float square, back_rows rows) {
    int32_t slot = racer_slot_of(bin);
    if (rows & BACK_WAY) {
        racer->memory.ahead.corner[slot] = corner;
        racer->memory.ahead.squared[slot] = square;
    }
    if (rows & BACK_LANE) {
        racer->memory.ahead.free_corner[slot] = corner;
        racer->memory.ahead.free_squared[slot] = square;
    }
}

// The last bin, beyond which nothing is known. True: the pass began there.
static bool begin_back(kerb_racer* racer, const racer_frame* frame, int32_t* at, back_rows rows) {
    if (*at < racer->memory.ahead.end - 1)
        return false;
    profile_limits last = limits_at(racer, frame, *at, 0.0f, (rows & BACK_WAY) != 0);
    note_speed(racer, *at, last.most, last.most, rows);
    *at -= 1;
    return true;
}

// From the bin `at` back to `least`, at most `most` bins, until the speeds no longer change. Then
// nothing is left to do, and `at` says so. Returns the number of bins computed.
static int32_t run_back(kerb_racer* racer, const racer_frame* frame, int32_t* at, int32_t least,
                        int32_t most, back_rows rows) {
    bool way = (rows & BACK_WAY) != 0;
    const float* known = way ? racer->memory.ahead.squared : racer->memory.ahead.free_squared;
    int32_t begun = *at;
    if (*at < least || most <= 0)
        return 0;
    float beyond = 0.0f;
    if (!begin_back(racer, frame, at, rows) && *at + 2 < racer->memory.ahead.end)
        beyond = known[racer_slot_of(*at + 2)];
    profile_limits next = limits_at(racer, frame, *at + 1, beyond, way);
    float b = known[racer_slot_of(*at + 1)];
    for (; *at >= least && begun - *at < most; *at -= 1) {
        profile_limits here = limits_at(racer, frame, *at, b, way);
        b = braking_speed_before(racer, frame, *at, &here, &next, b);
        if (*at < racer->memory.ahead.fresh && b >= known[racer_slot_of(*at)]) {
            int32_t told = begun - *at + 1;
            *at = racer->memory.ahead.first - 1;
            return told;
        }
        note_speed(racer, *at, here.most, b, rows);
        next = here;
    }
    return begun - *at;
}

bool kerb_in_racer_brakes_back(const kerb_racer* racer) {
    return racer->memory.ahead.back >= racer->memory.ahead.first ||
           racer->memory.ahead.back_lane >= racer->memory.ahead.first;
}

// Where the planned path is the lane, one pass does for both.
void kerb_in_racer_brake_back(kerb_racer* racer, const racer_frame* frame, int32_t most) {
    int32_t *way = &racer->memory.ahead.back, *lane = &racer->memory.ahead.back_lane;
    int32_t first = racer->memory.ahead.first;
    int32_t apart = racer->memory.ahead.aside > first ? racer->memory.ahead.aside : first;
    if (*way == *lane && *way >= apart) {
        most -= run_back(racer, frame, way, apart, most, BACK_BOTH);
        *lane = *way;
    }
    if (*way < apart)
        most -= run_back(racer, frame, way, first, most, BACK_WAY);
    if (*way < first)
        run_back(racer, frame, lane, first, most, BACK_LANE);
}

// --------------------------------------------------------------------------- a way laid anew

// Places of the way, RACER_STRIDE bins apart, and what the tyres hold there, swinging round apart:
// that places need not wait for one another to be told.
#define BRAKING_PLACES (BRAKING_SLOTS / RACER_STRIDE + 2) // greatest number of places
// Places of the path, RACER_STRIDE bins apart, and the tyres' limits there, without swinging round,
// so that no place needs the result of another.
typedef struct way_rows {
    int32_t first, count; // the bin of the first place; places
    float curvature[BRAKING_PLACES], normal_curvature[BRAKING_PLACES], grip[BRAKING_PLACES];
    float up_forward[BRAKING_PLACES], up_left[BRAKING_PLACES], up_normal[BRAKING_PLACES];
    float load[BRAKING_PLACES], load_gain[BRAKING_PLACES], aside[BRAKING_PLACES],
        climb[BRAKING_PLACES], root[BRAKING_PLACES];
    float held[BRAKING_PLACES];    // of the grip, squared: what holding the speed may take
    float most[BRAKING_PLACES];    // greatest speed² by the bend [m²/s²]
    int32_t usual[BRAKING_PLACES]; // or else not known here: more than sliding outwards counts
} way_rows;

// A row of the ring at the places.
static void gather(const float* ring, way_rows* rows, float* row) {
    int32_t slot = racer_slot_of(rows->first);
    for (int32_t i = 0; i < rows->count; i++, slot += RACER_STRIDE)
        row[i] = ring[slot % BRAKING_SLOTS];
}

// The sharpest bend between the places before and after each: no apex is missed.
static void gather_bends(const float* ring, way_rows* rows) {
    for (int32_t i = 0; i < rows->count; i++) {
        int32_t bin = rows->first + RACER_STRIDE * i;
        float bend = ring[racer_slot_of(bin)];
        float before = ring[racer_slot_of(bin - 1)], after = ring[racer_slot_of(bin + 1)];
        bend = kerb_abs(before) > kerb_abs(bend) ? before : bend;
        rows->curvature[i] = kerb_abs(after) > kerb_abs(bend) ? after : bend;
    }
}

// The forces at one place, with the share `left` of the grip.
static inline profile_limits forces_in(const way_rows* rows, const kerb_performance* performance,
                                       int32_t i, float left) {
    kerb_profile_point p = {0.0f,
                            rows->curvature[i],
                            rows->normal_curvature[i],
                            rows->up_forward[i],
                            rows->up_left[i],
                            rows->up_normal[i],
                            rows->grip[i] * left,
                            KERB_SPEED_UNLIMITED};
    return kerb_in_profile_forces(performance, &p);
}

static inline profile_limits limits_of(const way_rows* rows, int32_t i) {
    return (profile_limits){rows->load[i],  rows->load_gain[i], rows->aside[i], rows->curvature[i],
                            rows->climb[i], rows->root[i],      rows->most[i]};
}

// As limits_at in the usual case. Several loops without branches: compilers do not turn one large
// loop into vector code.
static void lay_limits(const kerb_performance* performance, way_rows* restrict rows) {
    const kerb_performance car = *performance;
    const float top = kerb_clamp(car.speed_max, 0.0f, KERB_SPEED_UNLIMITED), limit = top * top;
    const int32_t count = rows->count;
    for (int32_t i = 0; i < count; i++) {
        profile_limits l = forces_in(rows, &car, i, 1.0f);
        rows->usual[i] = kerb_in_profile_is_usual(&l);
        rows->load[i] = l.load;
        rows->load_gain[i] = l.load_gain;
        rows->aside[i] = l.aside;
        rows->climb[i] = l.climb;
        rows->root[i] = kerb_in_profile_root_usual(&l);
        rows->most[i] = kerb_min(rows->root[i], limit);
    }
    for (int32_t i = 0; i < count; i++) {
        profile_limits l = limits_of(rows, i);
        rows->held[i] = held_speed(&car, &l);
    }
    for (int32_t i = 0; i < count; i++) {
        float left = grip_left(&car, rows->most[i], rows->held[i]);
        profile_limits l = forces_in(rows, &car, i, left);
        rows->most[i] = kerb_min(kerb_in_profile_root_usual(&l), limit);
        rows->usual[i] &= kerb_in_profile_is_usual(&l);
    }
}

static void lay_rows(const kerb_racer* racer, const racer_frame* frame, way_rows* rows) {
    gather_bends(racer->memory.ahead.curvature, rows);
    gather(racer->memory.ahead.normal_curvature, rows, rows->normal_curvature);
    gather(racer->memory.ahead.grip, rows, rows->grip);
    gather(racer->memory.ahead.up_forward, rows, rows->up_forward);
    gather(racer->memory.ahead.up_left, rows, rows->up_left);
    gather(racer->memory.ahead.up_normal, rows, rows->up_normal);
    lay_limits(&frame->limits, rows);
}

// Of the way, swinging round in it.
static inline profile_limits limits_in(const kerb_racer* racer, const racer_frame* frame,
                                       const way_rows* rows, int32_t i, float b) {
    int32_t bin = rows->first + RACER_STRIDE * i;
    float curvature = rows->curvature[i];
    float swing = swing_in(racer, bin, kerb_sqrt(b), true);
    if (swing > 0.0f)
        return braking_limits_for(racer, &frame->limits, bin, with_swing(curvature, swing));
    if (!rows->usual[i])
        return braking_limits_for(racer, &frame->limits, bin, curvature);
    return limits_of(rows, i);
}

// Between two places speed² changes linearly.
static void note_between(kerb_racer* racer, int32_t bin, float corner, float square,
                         float next_corner, float next) {
    for (int32_t k = 0; k < RACER_STRIDE; k++) {
        int32_t slot = racer_slot_of(bin + k);
        float share = (float)k * (1.0f / (float)RACER_STRIDE);
        racer->memory.ahead.corner[slot] = corner + (next_corner - corner) * share;
        racer->memory.ahead.squared[slot] = square + (next - square) * share;
    }
}

// Runs up to ten times a second when other cars are near. Therefore not in the frame that laid the
// path, only from place to place, and no farther back than the car. Each place's braking is
// computed once, at the guessed end of the step to it.
void kerb_in_racer_brake_way(kerb_racer* racer, const racer_frame* frame) {
    int32_t last = racer->memory.ahead.taken, here = racer_bin_at(racer, frame->total) - 1;
    racer->memory.ahead.taken = racer->memory.ahead.first;
    last = last < racer->memory.ahead.end - 2 ? last : racer->memory.ahead.end - 2;
    if (last <= here)
        return;
    way_rows rows;
    rows.count = (last - here + RACER_STRIDE - 1) / RACER_STRIDE + 1;
    rows.first = last - RACER_STRIDE * (rows.count - 1);
    lay_rows(racer, frame, &rows);
    float b = racer->memory.ahead.squared[racer_slot_of(last)];
    float corner = racer->memory.ahead.corner[racer_slot_of(last)];
    float h = (float)RACER_STRIDE * racer->memory.ahead.spacing;
    profile_limits next = limits_in(racer, frame, &rows, rows.count - 1, b);
    float at_next = racer_braking_at(racer, frame, last, &next, kerb_min(b, next.most));
    for (int32_t i = rows.count - 2; i >= 0; i--) {
        int32_t bin = rows.first + RACER_STRIDE * i;
        profile_limits l = limits_in(racer, frame, &rows, i, b);
        float guess = kerb_clamp(b - 2.0f * h * at_next, 0.0f, l.most);
        float at_here = racer_braking_at(racer, frame, bin, &l, guess);
        float square = kerb_clamp(b - h * (at_next + at_here), 0.0f, l.most);
        note_between(racer, bin, l.most, square, corner, b);
        b = square;
        corner = l.most;
        at_next = at_here;
    }
}
