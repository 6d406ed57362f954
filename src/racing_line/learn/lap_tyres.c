// Purpose: how much a car's tyres hold, and how much its wings add, from slip and force in bends.
// Idea:    Windows of driving are put into bins by axle, by speed, and by place along the curve of
//          force over slip; a bin keeps means. lap_fit.c finds the curve that the bins show. Errors
//          of single windows average out; windows of one bend share theirs, and the law is never
//          quite right, so a bin is never sure. What is measured stays as it was measured, so a
//          wrong belief cannot change how it counts later.
// Cost:    O(1) for each tenth of a second; some of them fit, O(bins).
// Source:  Gustafsson, "Slip-based tire-road friction estimation", Automatica 1997 (the idea).
#include "lap_learner_parts.h"

#include "../../base/shared.h"
#include "../../vehicle/shared.h"

// Classes of speed, by what presses on wings of unit downforce, speed² / g: slower than 24 m/s
// wings of race cars add less than a fifth of the weight, faster than 41 m/s a third and more. [m]
#define LAP_BIN_SLOW 60.0f
#define LAP_BIN_FAST 170.0f
// Width of a class along the curve, as use [1]. Slip adds to it at this rate [1/rad], so that
// slides have classes of their own; at 5, noise of the slip makes gentle bends look like slides,
// and at 0, slides are mixed with bends that need as much force.
#define LAP_BIN_WIDTH 0.13f
#define LAP_BIN_SLIP 2.0f
// A bin is a mean over this many windows at most; half as many changed nothing. [1]
#define LAP_BIN_WINDOWS 120.0f
// Bins forget at this rate per window, because tyres and weather change: half in two minutes of
// bends. One with less than the least is empty again. [1]
#define LAP_BIN_FORGETS 0.0005f
#define LAP_BIN_LEAST 0.01f
// Axles and windows from one fit to the next: bounded work, and soon enough for the next bend. [1]
#define LAP_FIT_EVERY 3
// Fits after a merge: enough to find the curve from the description.
#define LAP_FITS_OF_MERGE 12
// A window teaches with less push along the car than this share of what pushes it aside, …
#define LAP_PUSH 0.2f
// … from this use on, … [1]
#define LAP_USE_FROM 0.12f
// … while the wheels turn by less than this. [rad]
#define LAP_TURNED 0.03f

void kerb_in_lap_tyres_begin(kerb_lap_learner* learner) {
    kerb_in_lap_fit_begin(learner);
    kerb_in_lap_mix(learner);
}

static void lap_forget(kerb_lap_learner_memory* m, float share) {
    kerb_lap_bin* all = &m->bins[0][0][0];
    for (int32_t i = 0; i < LAP_BINS; i++) {
        kerb_lap_bin* b = &all[i];
        b->windows -= share * b->windows;
        if (b->windows < LAP_BIN_LEAST)
            *b = (kerb_lap_bin){0};
    }
}

// A window, or a bin of another learner, becomes part of a bin.
static void lap_bin_add(kerb_lap_bin* to, const kerb_lap_bin* from) {
    to->windows += from->windows;
    float part = from->windows / kerb_max(to->windows, 1.0e-6f);
    to->slip += part * (from->slip - to->slip);
    to->force += part * (from->force - to->force);
    to->weight += part * (from->weight - to->weight);
    to->pressed += part * (from->pressed - to->pressed);
    to->windows = kerb_min(to->windows, LAP_BIN_WINDOWS);
}

static void lap_window_learn(kerb_lap_learner* learner, int32_t axle, const kerb_lap_bin* window) {
    kerb_lap_learner_memory* m = &learner->memory;
    float load = window->weight + learner->described.downforce * window->pressed;
    float place = (window->force / load + LAP_BIN_SLIP * window->slip) / LAP_BIN_WIDTH;
    int32_t along = (int32_t)kerb_min(place, (float)(KERB_LAP_LEARNER_PLACES - 1));
    int32_t fast = window->pressed < LAP_BIN_SLOW ? 0 : window->pressed < LAP_BIN_FAST ? 1 : 2;
    lap_bin_add(&m->bins[axle][fast][along], window);
}

void kerb_in_lap_tyres(kerb_lap_learner* learner, const lap_tick* tick) {
    kerb_lap_learner_memory* m = &learner->memory;
    const kerb_vehicle* v = &learner->vehicle;
    const kerb_performance* p = &learner->described;
    float push = tick->along + lap_resistance(p, tick->speed);
    if (kerb_abs(push) > LAP_PUSH * kerb_abs(tick->aside) || kerb_abs(tick->turned) > LAP_TURNED)
        return;
    // The acceleration at an axle is what its own tyres give, where the radius of gyration² is the
    // product of the axles' distances from the mass (centre of percussion). Another radius lets the
    // axles need more or less of their tyres for a turn, by its share.
    float share = kerb_in_vehicle_inertia_share(v), rear = v->reference_to_rear_axle;
    float at[2] = {share * (v->wheelbase - rear), -share * rear};
    for (int32_t i = 0; i < 2; i++) {
        float force = (tick->aside + tick->yaw * at[i]) / (p->lateral * tick->grip);
        float side = force < 0.0f ? -1.0f : 1.0f;
        kerb_lap_bin window = {1.0f, side * tick->slip[i], side * force, tick->weight,
                               tick->speed * tick->speed / KERB_GRAVITY};
        if (window.force < LAP_USE_FROM * lap_load(tick, p->downforce) || window.slip <= 0.0f)
            continue;
        lap_window_learn(learner, i, &window);
        m->taught++;
    }
    if (m->taught >= LAP_FIT_EVERY) {
        lap_forget(m, LAP_BIN_FORGETS * (float)m->taught);
        m->taught = 0;
        m->fitted = m->fitted + 1 < KERB_LAP_LEARNER_TYRES ? m->fitted + 1 : 0;
        kerb_in_lap_fit(learner, &m->tyres[m->fitted]);
        kerb_in_lap_mix(learner);
    }
}

void kerb_in_lap_tyres_merge(kerb_lap_learner* learner, const kerb_lap_learner* other,
                             float share) {
    kerb_lap_bin* own = &learner->memory.bins[0][0][0];
    const kerb_lap_bin* given = &other->memory.bins[0][0][0];
    for (int32_t i = 0; i < LAP_BINS; i++) {
        kerb_lap_bin part = given[i];
        part.windows *= share;
        if (part.windows >= LAP_BIN_LEAST)
            lap_bin_add(&own[i], &part);
    }
    for (int32_t i = 0; i < LAP_FITS_OF_MERGE * KERB_LAP_LEARNER_TYRES; i++)
        kerb_in_lap_fit(learner, &learner->memory.tyres[i % KERB_LAP_LEARNER_TYRES]);
    kerb_in_lap_mix(learner);
}

void kerb_in_lap_mix(kerb_lap_learner* learner) {
    kerb_lap_learner_memory* m = &learner->memory;
    float least = m->tyres[0].misfit, sum = 0.0f, mean = 0.0f, square = 0.0f, wings = 0.0f;
    float held = 0.0f;
    for (int32_t i = 1; i < KERB_LAP_LEARNER_TYRES; i++)
        least = kerb_min(least, m->tyres[i].misfit);
    for (int32_t i = 0; i < KERB_LAP_LEARNER_TYRES; i++) {
        const kerb_lap_tyres* t = &m->tyres[i];
        // The tail of Student's distribution: no hypothesis is ever ruled out.
        float weight = 1.0f / (1.0f + 0.5f * (t->misfit - least));
        weight *= weight;
        // The car holds what its weaker axle holds, at rest and at any speed.
        const float *grip = t->value + LAP_GRIP, *down = t->value + LAP_WINGS;
        int32_t weaker = grip[1] < grip[0] ? 1 : 0;
        float whole = grip[weaker];
        sum += weight;
        mean += weight * whole;
        square += weight * (whole * whole + t->variance[weaker]);
        wings += weight * kerb_min(grip[0] * down[0], grip[1] * down[1]);
        held += weight * kerb_min(t->held[0], t->held[1]);
    }
    m->grip = mean / sum;
    m->grip_variance = kerb_max(square / sum - m->grip * m->grip, 0.0f);
    m->held = held / sum;
    m->downforce = wings / mean;
}

float kerb_in_lap_grip_deviation(const kerb_lap_learner* learner) {
    return kerb_sqrt(learner->memory.grip_variance);
}

// The quantile of the grip that lies `caution` deviations below the mean, given that it is at least
// what was held. By Student's distribution with two degrees of freedom, whose distribution function
// F(z) = (1 + z / √(2 + z²)) / 2 has an inverse in closed form.
float kerb_in_lap_careful_grip(const kerb_lap_learner* learner, float caution) {
    const kerb_lap_learner_memory* m = &learner->memory;
    float deviation = kerb_max(kerb_sqrt(m->grip_variance), 1.0e-4f);
    float held = (m->held - m->grip) / deviation;
    float below = 0.5f + 0.5f * held / kerb_sqrt(2.0f + held * held);
    float share = 0.5f - 0.5f * caution / kerb_sqrt(2.0f + caution * caution);
    float at = below + (1.0f - below) * share;
    if (at >= 0.5f)
        return m->grip;
    return m->grip + deviation * (2.0f * at - 1.0f) / kerb_sqrt(2.0f * at * (1.0f - at));
}
