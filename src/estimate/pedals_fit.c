// Purpose: from the sums of the windows to values with a standard deviation.
// Idea:    one regression of all terms, with the description as its prior. The drive is a share of
//          the described one at some speeds, and shares of neighbouring speeds are near each other.
//          So a drive that was learned at some speeds tells of the others, with more doubt. Bends
//          of the pedals are terms beside their strength, so everything is linear.
// Cost:    O(terms³): some microseconds.
// Source:  Bayesian linear regression; Cholesky factors.
#include "pedals.h"

#include "../base/shared.h"

#include <string.h>

// The prior: standard deviations of the truth from the description.
#define MEND_PRIOR_DRIVE 0.4f    // share, of all speeds together
#define MEND_PRIOR_STEP 0.12f    // … of a speed from the next one
#define MEND_FADE_TIME 90.0f     // driving in which windows come to count 1/e [s]
#define MEND_NO_CREEP 2.5f       // log of how much more frequent no creep is than one of its speeds
#define MEND_PRIOR_BEND 0.4f     // of those that are not linear: exponents from 0.6 to 1.7
#define MEND_PRIOR_BRAKE 0.4f    // share
#define MEND_PRIOR_ROLLING 0.06f // [m/s²], and
#define MEND_PRIOR_LOSS 0.3f     // share
#define MEND_PRIOR_DRAG 0.03f    // [m/s²], and that share
#define MEND_PRIOR_DELAY 0.1f    // [s]
#define MEND_PRIOR_LATER 0.06f   // what engines and brakes add to a described delay [s]
#define MEND_PRIOR_NOISE 0.1f    // deviation of a window [m/s²]
#define MEND_NOISE_WINDOWS 10.0f // that the prior of it counts
#define MEND_PRIOR_GRIP 0.6f     // share of the tyres' limit that the driven wheels have
#define MEND_PRIOR_LOCK 0.9f     // share of it that is left where wheels lock
#define MEND_GRIP_SPREAD 0.25f   // of it, and of the limit of all
#define MEND_BEYOND_SEEN 1.1f    // the limit over the greatest force that was seen
#define MEND_LIMIT_PRIOR 1.0f    // of two windows: tyres are the limit in half of all vehicles

#define MEND_HOLDS 2.0f // log odds that the brake holds

// What the regression does not know of itself (floors of the deviations).
#define MEND_FORCE_FLOOR 0.02f  // share, and
#define MEND_BEND_FLOOR 0.3f    // … over what half of the pedal differs from one half
#define MEND_HALF_FLOOR 0.03f   // [1]
#define MEND_DELAY_FLOOR 0.02f  // [s]
#define MEND_LOSS_FLOOR 0.015f  // [m/s²]
#define MEND_CREEP_FLOOR 0.06f  // of a car [m/s]
#define MEND_PAUSE_FLOOR 0.05f  // [s]
#define MEND_LIMIT_WINDOW 0.15f // deviation of one window beyond the limit, share of it

// Sure enough to be used.
#define MEND_SHARE_KNOWN 0.07f
#define MEND_HALF_KNOWN 0.06f
#define MEND_DELAY_KNOWN 0.05f
#define MEND_LOSS_KNOWN 0.05f
#define MEND_CREEP_KNOWN 0.35f
#define MEND_LIMIT_WINDOWS 4.0f // beyond the limit
#define MEND_LIMIT_SURE 2.0f    // deviations by which the full pedal is beyond it

const float kerb_in_pedals_lag_share[KERB_PEDAL_LAGS] = {1.0f, 0.5f, 0.28f, 0.16f};

float kerb_in_pedals_model_delay(int32_t model) {
    int32_t lag = model % KERB_PEDAL_LAGS, delay = model / KERB_PEDAL_LAGS;
    float late = lag == 0 ? 0.0f : 1.0f / kerb_in_pedals_lag_share[lag] - 0.5f;
    return PEDALS_TICK * ((float)delay + late);
}

void kerb_in_pedals_creep_shares(const kerb_pedal_estimate_memory* memory,
                                 float shares[KERB_PEDAL_CREEPS]) {
    float best = memory->creep[0] + MEND_NO_CREEP, sum = 0.0f;
    for (int32_t c = 1; c < KERB_PEDAL_CREEPS; c++)
        best = kerb_max(best, memory->creep[c]);
    for (int32_t c = 0; c < KERB_PEDAL_CREEPS; c++) {
        float prior = c == 0 ? MEND_NO_CREEP : 0.0f;
        shares[c] = estimate_falling(best - memory->creep[c] - prior);
        sum += shares[c];
    }
    for (int32_t c = 0; c < KERB_PEDAL_CREEPS; c++)
        shares[c] /= sum;
}

// Speeds of the nodes, over speed_max: closer where a drive of constant power falls fast.
static const float mend_nodes[KERB_PEDAL_NODES] = {0.0f, 0.1f, 0.2f, 0.35f, 0.55f, 0.8f, 1.1f};
// Speeds of creep of a car; most automatics are near 1.5 m/s.
static const float mend_creeps[KERB_PEDAL_CREEPS] = {0.0f, 0.35f, 0.6f, 0.85f, 1.1f,
                                                     1.4f, 1.7f,  2.1f, 2.7f};

static float mend_square(float x) {
    return x * x;
}

kerb_in_pedals_place kerb_in_pedals_place_of(const kerb_vehicle* vehicle, float speed) {
    float share = kerb_clamp(speed / vehicle->speed_max, 0.0f, mend_nodes[KERB_PEDAL_NODES - 1]);
    int32_t node = 0;
    while (node < KERB_PEDAL_NODES - 2 && share > mend_nodes[node + 1])
        node++;
    return (kerb_in_pedals_place){node, (share - mend_nodes[node]) /
                                            (mend_nodes[node + 1] - mend_nodes[node])};
}

float kerb_in_pedals_described_drive(const kerb_vehicle* vehicle, float speed) {
    const kerb_vehicle* v = vehicle;
    float most = v->acceleration_max + v->coasting_deceleration;
    float needed =
        v->speed_max * (v->coasting_deceleration + v->drag * v->speed_max * v->speed_max);
    float power = kerb_max(v->power / v->mass, needed);
    return kerb_max(kerb_min(most, power / kerb_max(speed, 0.01f * v->speed_max)), 0.01f);
}

float kerb_in_pedals_scale(const kerb_vehicle* vehicle) {
    return kerb_clamp(kerb_sqrt(vehicle->wheelbase * (1.0f / 2.7f)), 0.2f, 2.0f);
}

float kerb_in_pedals_creep_speed(const kerb_vehicle* vehicle, int32_t creep) {
    return mend_creeps[creep] * kerb_in_pedals_scale(vehicle);
}

// A converter pulls with some tenths of m/s² until it is near its speed.
float kerb_in_pedals_creep_push(float creep_speed, float speed) {
    return creep_speed > 0.0f ? kerb_clamp(2.0f * (creep_speed - speed), 0.0f, 0.8f) : 0.0f;
}

// Information of the prior, and its products with the description.
static void mend_prior(const kerb_vehicle* v, float sums[KERB_PEDAL_PAIRS],
                       float products[KERB_PEDAL_TERMS]) {
    memset(sums, 0, KERB_PEDAL_PAIRS * sizeof *sums);
    memset(products, 0, KERB_PEDAL_TERMS * sizeof *products);
    float level = 1.0f / (mend_square(MEND_PRIOR_DRIVE) * (float)KERB_PEDAL_NODES);
    float step = 1.0f / mend_square(MEND_PRIOR_STEP);
    for (int32_t k = 0; k < KERB_PEDAL_NODES; k++) {
        sums[kerb_in_pedals_pair(k, k)] += level;
        products[k] = level;
        if (k + 1 == KERB_PEDAL_NODES)
            continue;
        sums[kerb_in_pedals_pair(k, k)] += step;
        sums[kerb_in_pedals_pair(k + 1, k + 1)] += step;
        sums[kerb_in_pedals_pair(k, k + 1)] -= step;
    }
    float drag = v->drag * v->speed_max * v->speed_max;
    const float means[] = {0.0f, 1.0f, 0.0f, v->coasting_deceleration, drag};
    const float deviations[] = {MEND_PRIOR_BEND, MEND_PRIOR_BRAKE, MEND_PRIOR_BEND,
                                MEND_PRIOR_ROLLING + MEND_PRIOR_LOSS * means[3],
                                MEND_PRIOR_DRAG + MEND_PRIOR_LOSS * drag};
    for (int32_t i = 0; i < 5; i++) {
        float information = 1.0f / mend_square(deviations[i]);
        sums[kerb_in_pedals_pair(PEDALS_BEND + i, PEDALS_BEND + i)] = information;
        products[PEDALS_BEND + i] = information * means[i];
    }
}

// Inverts a symmetric positive matrix by its Cholesky factor. False where it is not positive.
static bool mend_invert(float a[KERB_PEDAL_PAIRS]) {
    enum { N = KERB_PEDAL_TERMS };
    float l[N][N], inverse[N][N];
    for (int32_t i = 0; i < N; i++)
        for (int32_t j = 0; j <= i; j++) {
            float sum = a[kerb_in_pedals_pair(i, j)];
            for (int32_t k = 0; k < j; k++)
                sum -= l[i][k] * l[j][k];
            if (i == j && !(sum > 1.0e-6f))
                return false;
            l[i][j] = i == j ? kerb_sqrt(sum) : sum / l[j][j];
        }
    for (int32_t j = 0; j < N; j++) {
        inverse[j][j] = 1.0f / l[j][j];
        for (int32_t i = j + 1; i < N; i++) {
            float sum = 0.0f;
            for (int32_t k = j; k < i; k++)
                sum -= l[i][k] * inverse[k][j];
            inverse[i][j] = sum / l[i][i];
        }
    }
    for (int32_t i = 0; i < N; i++)
        for (int32_t j = 0; j <= i; j++) {
            float sum = 0.0f;
            for (int32_t k = i; k < N; k++)
                sum += inverse[k][i] * inverse[k][j];
            a[kerb_in_pedals_pair(i, j)] = sum;
        }
    return true;
}

// Half of all pedals are linear. How probable that is of this one says how its bend, and with it
// all that hangs on the bend, lies near 0: two normal distributions (Savage and Dickey's ratio).
static void mend_straighten(kerb_pedal_estimate_memory* m, int32_t bend) {
    float column[KERB_PEDAL_TERMS], b = m->terms[bend];
    float variance = m->covariance[kerb_in_pedals_pair(bend, bend)];
    float ratio = kerb_sqrt(mend_square(MEND_PRIOR_BEND) / variance) *
                  estimate_falling(0.5f * b * b / variance);
    float linear = ratio / (1.0f + ratio);
    for (int32_t i = 0; i < KERB_PEDAL_TERMS; i++) {
        column[i] = m->covariance[kerb_in_pedals_pair(i, bend)] / variance;
        m->terms[i] -= linear * column[i] * b;
    }
    float less = linear * (variance - (1.0f - linear) * b * b);
    for (int32_t i = 0; i < KERB_PEDAL_TERMS; i++)
        for (int32_t j = 0; j <= i; j++)
            m->covariance[kerb_in_pedals_pair(i, j)] -= less * column[i] * column[j];
}

// The regression: values and covariance from the sums and the prior.
static void mend_regress(kerb_pedal_estimate* estimate) {
    kerb_pedal_estimate_memory* m = &estimate->memory;
    float sums[KERB_PEDAL_PAIRS], products[KERB_PEDAL_TERMS];
    mend_prior(&estimate->vehicle, sums, products);
    for (int32_t i = 0; i < KERB_PEDAL_PAIRS; i++)
        sums[i] += m->information[i];
    if (!mend_invert(sums))
        return; // keeps the values: they are as good as the sums
    memcpy(m->covariance, sums, sizeof sums);
    for (int32_t i = 0; i < KERB_PEDAL_TERMS; i++) {
        float value = 0.0f;
        for (int32_t j = 0; j < KERB_PEDAL_TERMS; j++)
            value += sums[kerb_in_pedals_pair(i, j)] * (products[j] + m->products[j]);
        m->terms[i] = value;
    }
    for (int32_t p = 0; p < 2; p++)
        mend_straighten(m, p == 0 ? PEDALS_BEND : PEDALS_BRAKE_BEND);
    float* x = m->terms;
    for (int32_t k = 0; k < KERB_PEDAL_NODES; k++)
        x[k] = kerb_clamp(x[k], 0.02f, 50.0f);
    x[PEDALS_BRAKE] = kerb_clamp(x[PEDALS_BRAKE], 0.02f, 50.0f);
    x[PEDALS_BRAKE_BEND] =
        kerb_clamp(x[PEDALS_BRAKE_BEND], -0.6f * x[PEDALS_BRAKE], x[PEDALS_BRAKE]);
    x[PEDALS_BEND] = kerb_clamp(x[PEDALS_BEND], -0.6f * x[1], x[1]);
    x[PEDALS_ROLLING] = kerb_clamp(x[PEDALS_ROLLING], 0.0f, 20.0f);
    x[PEDALS_DRAG] = kerb_clamp(x[PEDALS_DRAG], 0.0f, 50.0f);
}

static kerb_estimated mend_estimated(float value, float variance, float least, float known) {
    float deviation = kerb_sqrt(kerb_max(variance, 0.0f) + least * least);
    return (kerb_estimated){value, deviation, deviation <= known};
}

void kerb_in_pedals_limit_of(kerb_pedal_estimate* estimate, int32_t pedal) {
    const kerb_vehicle* v = &estimate->vehicle;
    kerb_pedal_limit* limit = &estimate->memory.limits[pedal];
    float all = v->lateral_acceleration_max;
    float told = pedal == PEDALS_THROTTLE
                     ? kerb_max(MEND_PRIOR_GRIP * all, 1.1f * v->acceleration_max)
                     : kerb_max(MEND_PRIOR_LOCK * all, v->braking_max);
    told = kerb_max(told, MEND_BEYOND_SEEN * limit->seen);
    float prior = 1.0f / mend_square(MEND_GRIP_SPREAD * told);
    float mean = limit->n > 0.1f ? limit->sum / limit->n : told;
    float window = mend_square(MEND_LIMIT_WINDOW * kerb_max(mean, 0.1f * told)) * PEDALS_ALIKE;
    float information = limit->n / window;
    limit->variance = 1.0f / (prior + information);
    limit->mean = (prior * told + information * mean) * limit->variance;
    if (limit->mean < limit->seen) { // what told less was no slip
        limit->n = limit->sum = 0.0f;
        limit->mean = told;
        limit->variance = 1.0f / prior;
    }
}

// How far the force of a full pedal is beyond the limit of the tyres, in deviations.
static bool mend_is_beyond(const kerb_pedal_limit* limit, float force, float variance) {
    float doubt = kerb_sqrt(variance + limit->variance);
    return limit->n > MEND_LIMIT_WINDOWS && force - limit->mean > MEND_LIMIT_SURE * doubt;
}

// A force that the tyres may limit.
static kerb_estimated mend_held(const kerb_pedal_limit* limit, float weight, float force,
                                float variance, float half) {
    // A bend is known less well where it is used than where it was learned.
    float floor = MEND_FORCE_FLOOR + MEND_BEND_FLOOR * kerb_abs(half - 0.5f);
    float most = limit->mean * weight, doubt = kerb_sqrt(variance + limit->variance);
    // The limit is above all that the tyres gave already.
    float spread = kerb_sqrt(limit->variance) * weight, least = limit->seen * weight;
    float below = limit->seen > 0.0f ? kerb_in_pedals_above((least - most) / spread) : 0.0f;
    float beyond = kerb_in_pedals_above((force - most) / doubt);
    beyond = kerb_clamp((beyond - below) / (1.01f - below), 0.0f, 1.0f) *
             (limit->n + MEND_LIMIT_PRIOR) / (limit->n + 2.0f);
    float mean = beyond * most + (1.0f - beyond) * force;
    float square = beyond * limit->variance + (1.0f - beyond) * variance +
                   beyond * (1.0f - beyond) * mend_square(force - most);
    return mend_estimated(mean, square, floor * mean, MEND_SHARE_KNOWN * mean);
}

static float mend_force(const kerb_pedal_estimate* estimate, float speed, float* variance) {
    const kerb_pedal_estimate_memory* m = &estimate->memory;
    kerb_in_pedals_place at = kerb_in_pedals_place_of(&estimate->vehicle, speed);
    float full = kerb_in_pedals_described_drive(&estimate->vehicle, speed);
    float a = full * (1.0f - at.part), b = full * at.part;
    int32_t i = at.node, j = at.node + 1;
    *variance = a * a * m->covariance[kerb_in_pedals_pair(i, i)] +
                b * b * m->covariance[kerb_in_pedals_pair(j, j)] +
                2.0f * a * b * m->covariance[kerb_in_pedals_pair(i, j)];
    *variance = kerb_max(*variance, 0.0f);
    return a * m->terms[i] + b * m->terms[j];
}

kerb_estimated kerb_pedal_estimate_drive_at(const kerb_pedal_estimate* estimate, float speed) {
    KERB_ASSERT(estimate && kerb_is_finite(speed));
    float most = mend_nodes[KERB_PEDAL_NODES - 1] * estimate->vehicle.speed_max, variance;
    speed = kerb_clamp(speed, 0.0f, most);
    float force = mend_force(estimate, speed, &variance);
    float weight = 1.0f + estimate->vehicle.downforce * speed * speed / KERB_GRAVITY;
    return mend_held(&estimate->memory.limits[PEDALS_THROTTLE], weight, force, variance,
                     estimate->half_throttle.value);
}

float kerb_pedal_estimate_speed(const kerb_pedal_estimate* estimate, int32_t node) {
    KERB_ASSERT(estimate && node >= 0 && node < KERB_PEDAL_NODES);
    return mend_nodes[node] * estimate->vehicle.speed_max;
}

// The drive by speed, and its greatest power where that is sure.
static void mend_drive_of(kerb_pedal_estimate* estimate) {
    const kerb_vehicle* v = &estimate->vehicle;
    for (int32_t k = 0; k < KERB_PEDAL_NODES; k++)
        estimate->drive[k] = kerb_pedal_estimate_drive_at(estimate, mend_nodes[k] * v->speed_max);
    // The greatest may be where it never drove: two deviations reach as high as those anywhere.
    float best = 0.0f, highest = 0.0f;
    for (int32_t i = 1; i <= 10; i++) {
        float speed = 0.1f * (float)i * v->speed_max;
        kerb_estimated at = kerb_pedal_estimate_drive_at(estimate, speed);
        highest = kerb_max(highest, speed * (at.value + 2.0f * at.deviation));
        best = kerb_max(best, speed * at.value);
    }
    float deviation = 0.5f * (highest - best);
    estimate->power = mend_estimated(best * v->mass, mend_square(deviation * v->mass), 0.0f,
                                     MEND_SHARE_KNOWN * best * v->mass);
}

// The share of the force that half of a pedal gives.
static kerb_estimated mend_half(const kerb_pedal_estimate_memory* m, int32_t strength,
                                int32_t bend) {
    float s = m->terms[strength], b = m->terms[bend] / s;
    float variance = m->covariance[kerb_in_pedals_pair(bend, bend)] +
                     b * b * m->covariance[kerb_in_pedals_pair(strength, strength)] -
                     2.0f * b * m->covariance[kerb_in_pedals_pair(strength, bend)];
    return mend_estimated(kerb_clamp(0.5f + PEDALS_BEND_HALF * b, 0.05f, 0.95f),
                          mend_square(PEDALS_BEND_HALF) * variance / mend_square(s),
                          MEND_HALF_FLOOR, MEND_HALF_KNOWN);
}

// Probabilities of the models of delay, and their mean.
static kerb_estimated mend_delay(kerb_pedal_follows* pedal, float told) {
    float scores[KERB_PEDAL_MODELS];
    float best = -1.0e9f, sum = 0.0f, mean = 0.0f, square = 0.0f;
    for (int32_t j = 0; j < KERB_PEDAL_MODELS; j++) {
        float late = kerb_in_pedals_model_delay(j) - told - MEND_PRIOR_LATER;
        scores[j] = pedal->score[j] - 0.5f * mend_square(late / MEND_PRIOR_DELAY);
        best = kerb_max(best, scores[j]);
    }
    for (int32_t j = 0; j < KERB_PEDAL_MODELS; j++) {
        pedal->weight[j] = estimate_falling(best - scores[j]);
        sum += pedal->weight[j];
    }
    for (int32_t j = 0; j < KERB_PEDAL_MODELS; j++) {
        float delay = kerb_in_pedals_model_delay(j);
        pedal->weight[j] /= sum;
        mean += pedal->weight[j] * delay;
        square += pedal->weight[j] * delay * delay;
    }
    return mend_estimated(mean, square - mean * mean, MEND_DELAY_FLOOR, MEND_DELAY_KNOWN);
}

static void mend_creep(kerb_pedal_estimate* estimate) {
    kerb_pedal_estimate_memory* m = &estimate->memory;
    float shares[KERB_PEDAL_CREEPS], mean = 0.0f, square = 0.0f;
    kerb_in_pedals_creep_shares(m, shares);
    for (int32_t c = 0; c < KERB_PEDAL_CREEPS; c++) {
        float speed = kerb_in_pedals_creep_speed(&estimate->vehicle, c);
        mean += shares[c] * speed;
        square += shares[c] * speed * speed;
    }
    float scale = kerb_in_pedals_scale(&estimate->vehicle);
    estimate->creep_speed = mend_estimated(mean, square - mean * mean, MEND_CREEP_FLOOR * scale,
                                           MEND_CREEP_KNOWN * scale);
    m->creep_fitted = m->creep_windows;
    float holds = kerb_in_pedals_above((m->holds + MEND_HOLDS) * (1.0f / 1.702f));
    estimate->brake_holds = mend_estimated(holds, holds * (1.0f - holds), 0.01f, 0.2f);
}

// Mean length of the pauses; none where the vehicle drove through its gears without one.
static void mend_pause(kerb_pedal_estimate* estimate) {
    const kerb_pedal_estimate_memory* m = &estimate->memory;
    float told = estimate->vehicle.drive_train.gear_count > 0
                     ? estimate->vehicle.drive_train.shift_time
                     : 0.0f;
    if (m->pauses >= 1.5f) {
        float mean = m->pauses_sum / m->pauses;
        float variance = kerb_max(m->pauses_square / m->pauses - mean * mean, 0.0f);
        estimate->shift_pause = mend_estimated(mean, variance / m->pauses, MEND_PAUSE_FLOOR, 0.1f);
        return;
    }
    bool through = true; // its speeds taught of the drive, and no pause was among them
    for (int32_t k = 1; k <= 4; k++)
        through = through && m->information[kerb_in_pedals_pair(k, k)] > 100.0f;
    float deviation = m->pauses < 0.5f && through ? MEND_PAUSE_FLOOR : 0.2f;
    estimate->shift_pause =
        (kerb_estimated){through ? 0.0f : told, deviation, m->pauses < 0.5f && through};
}

void kerb_in_pedals_fit(kerb_pedal_estimate* estimate) {
    kerb_pedal_estimate_memory* m = &estimate->memory;
    const kerb_vehicle* v = &estimate->vehicle;
    bool wheels = v->kind == KERB_VEHICLE_WHEELED;
    mend_regress(estimate);
    for (int32_t p = 0; p < 2; p++)
        kerb_in_pedals_limit_of(estimate, p);
    int32_t node = 1; // the pedal's shape is that over the drive where it is known best
    for (int32_t k = 2; k < KERB_PEDAL_NODES; k++)
        if (m->covariance[kerb_in_pedals_pair(k, k)] <
            m->covariance[kerb_in_pedals_pair(node, node)])
            node = k;
    estimate->half_throttle = mend_half(m, node, PEDALS_BEND);
    estimate->half_brake = mend_half(m, PEDALS_BRAKE, PEDALS_BRAKE_BEND);
    mend_drive_of(estimate);
    estimate->throttle_delay = mend_delay(&m->pedals[PEDALS_THROTTLE], v->throttle_delay);
    float force = v->braking_max * m->terms[PEDALS_BRAKE];
    float variance = mend_square(v->braking_max) *
                     m->covariance[kerb_in_pedals_pair(PEDALS_BRAKE, PEDALS_BRAKE)];
    const kerb_pedal_limit *spin = &m->limits[0], *lock = &m->limits[1];
    estimate->braking = mend_held(lock, 1.0f, force, variance, estimate->half_brake.value);
    estimate->brake_delay =
        mend_delay(&m->pedals[PEDALS_STOPPING], wheels ? v->steering_delay : 0.0f);
    float top = mend_square(v->speed_max);
    estimate->rolling =
        mend_estimated(m->terms[PEDALS_ROLLING],
                       m->covariance[kerb_in_pedals_pair(PEDALS_ROLLING, PEDALS_ROLLING)],
                       MEND_LOSS_FLOOR, MEND_LOSS_KNOWN);
    estimate->drag = mend_estimated(m->terms[PEDALS_DRAG] / top,
                                    m->covariance[kerb_in_pedals_pair(PEDALS_DRAG, PEDALS_DRAG)] /
                                        mend_square(top),
                                    4.0f * MEND_LOSS_FLOOR / top, 4.0f * MEND_LOSS_KNOWN / top);
    mend_creep(estimate);
    mend_pause(estimate);
    float drive_variance, drive = mend_force(estimate, 0.0f, &drive_variance);
    estimate->spin_limit = (kerb_estimated){spin->mean, kerb_sqrt(spin->variance),
                                            mend_is_beyond(spin, drive, drive_variance)};
    estimate->lock_limit = (kerb_estimated){lock->mean, kerb_sqrt(lock->variance),
                                            mend_is_beyond(lock, force, variance)};
    estimate->misfit = kerb_sqrt(m->noise_sum / m->noise_count);
}

void kerb_in_pedals_describe(kerb_pedal_estimate* estimate) {
    kerb_pedal_estimate_memory* m = &estimate->memory;
    m->noise_count = MEND_NOISE_WINDOWS;
    m->noise_sum = MEND_NOISE_WINDOWS * mend_square(MEND_PRIOR_NOISE);
    kerb_in_pedals_fit(estimate);
}

static void mend_fade_all(float* sums, int32_t count, float share) {
    for (int32_t i = 0; i < count; i++)
        sums[i] *= share;
}

void kerb_in_pedals_fade(kerb_pedal_estimate* estimate, float share) {
    kerb_pedal_estimate_memory* m = &estimate->memory;
    mend_fade_all(m->information, KERB_PEDAL_PAIRS, share);
    mend_fade_all(m->products, KERB_PEDAL_TERMS, share);
    for (int32_t p = 0; p < 2; p++) {
        mend_fade_all(m->pedals[p].score, KERB_PEDAL_MODELS, share);
        m->limits[p].n *= share;
        m->limits[p].sum *= share;
        m->limits[p].seen *= share;
    }
    mend_fade_all(m->creep, KERB_PEDAL_CREEPS, share);
    m->pauses *= share;
    m->pauses_sum *= share;
    m->pauses_square *= share;
    m->noise_sum =
        m->noise_sum * share + (1.0f - share) * MEND_NOISE_WINDOWS * mend_square(MEND_PRIOR_NOISE);
    m->noise_count = m->noise_count * share + (1.0f - share) * MEND_NOISE_WINDOWS;
    estimate->taught *= share;
}

void kerb_pedal_estimate_update(kerb_pedal_estimate* estimate) {
    KERB_ASSERT(estimate);
    kerb_pedal_estimate_memory* m = &estimate->memory;
    // Of the driving since the fit before; the windows are a tenth of a second or more. What was
    // only seen at standstill does not make the rest older.
    float x = (float)m->windows_since_fit * ((float)PEDALS_WINDOW_TICKS * PEDALS_TICK) *
              (1.0f / MEND_FADE_TIME);
    kerb_in_pedals_fit(estimate);
    kerb_in_pedals_fade(estimate, estimate_kept(x));
    m->fits += m->fits < PEDALS_FIT_MOST;
    m->windows_since_fit = 0;
}
