// Purpose: from the sums of the grid to values with a standard deviation.
// Idea:    each hypothesis is a linear regression of the curvature on its modelled steering. What
//          it leaves unexplained, over what the best one leaves, says how likely it is. The values
//          are means over all hypotheses, so a delay between two of the grid comes out between
//          them. Then one regression with a bend, for a steering that is not linear, gives gain
//          and trim. Windows beside each other err alike, and no hypothesis is the truth: both are
//          in the count of independent windows and in the floors of the deviations, which were
//          found on the family of hosts (scene/host/family.h, seeds 0 to 999).
// Cost:    O(models · delays), some microseconds.
// Source:  Bayesian model averaging; ridge regression for the prior.
#include "fit.h"
#include "frame.h"
#include "grid.h"

#include "../base/shared.h"

// Windows that together tell as much as one. Hypotheses differ where the steering moves, and the
// errors of the models last about half a second there. Tried on the family: of a hundred delays,
// 94, 96 and 98 are within two deviations at 2, 3 and 5. A static curve errs less alike.
#define FIT_WINDOWS_ALIKE 5.0f
#define FIT_CURVE_ALIKE 2.0f
// Share of the deviation of the curvature that even the right model of the grid leaves unexplained,
// because the grid is coarse. Tried: at 0.012 two of a hundred delays more are told too surely.
#define FIT_MISFIT_LEAST 0.04f

// The prior: standard deviations of the truth from the description.
#define FIT_PRIOR_GAIN 0.35f
#define FIT_PRIOR_TRIM 0.06f      // of the vehicles that have one [lock]
#define FIT_PRIOR_BEND 0.6f       // of x·|x|: exponents from 0.6 to 1.7
#define FIT_PRIOR_DEAD 0.006f     // of the step [lock]
#define FIT_PRIOR_DELAY 0.15f     // [s]
#define FIT_PRIOR_BODY_LAG 0.05f  // what bodies and tyres add to a described delay [s]
#define FIT_PRIOR_RATE_STEPS 1.5f // steps of the grid: a factor of two

// Bounds, and what the regressions do not know of themselves (floors of the deviations).
#define FIT_GAIN_LEAST 0.1f
#define FIT_GAIN_MOST 4.0f
#define FIT_GAIN_FLOOR 0.02f // of the value: the speeds that it is a mean of
#define FIT_TRIM_MOST 0.5f
#define FIT_TRIM_FLOOR 0.004f // a tenth of a degree of the wheels
#define FIT_TRIM_LEAST 0.002f // where it is taken for none
#define FIT_DELAY_FLOOR 0.01f // half a tick [s]
#define FIT_LATEST 0.1f     // weight of the last cell from which delays may be longer than all [1]
#define FIT_RATE_FLOOR 0.2f // of the value: nearly half a step of the grid

// Sure enough to be used: what the values are asked to be good for, as one deviation and a half.
#define FIT_GAIN_KNOWN 0.06f
#define FIT_TRIM_KNOWN 0.007f
#define FIT_DELAY_KNOWN 0.02f
#define FIT_RATE_KNOWN 0.25f

enum { FIT_CELLS = KERB_ESTIMATE_DELAYS * KERB_ESTIMATE_MODELS };

#define FIT_WORSE_MOST 16.0f // e^-16 of the best hypothesis counts nothing

float kerb_in_estimate_along(const kerb_vehicle* vehicle, float speed_square) {
    return vehicle->wheelbase + kerb_max(vehicle->understeer_gradient, 0.0f) * speed_square;
}

float kerb_in_estimate_lock(float lock, float more) {
    return kerb_clamp(kerb_atan(more * kerb_tan(0.3f * lock)) / 0.3f, 0.01f, 1.5f);
}

float kerb_in_estimate_curvature(const kerb_vehicle* vehicle, float speed) {
    float along = kerb_in_estimate_along(vehicle, speed * speed);
    return kerb_tan(0.3f * kerb_vehicle_steering_lock(vehicle, speed)) / (0.3f * along);
}

void kerb_in_estimate_describe(kerb_estimate* estimate) {
    const kerb_vehicle* v = &estimate->vehicle;
    float rate = kerb_in_estimate_described_rate(v);
    bool wheels = v->kind == KERB_VEHICLE_WHEELED;
    estimate->steering_gain = (kerb_estimated){1.0f, FIT_PRIOR_GAIN, false};
    estimate->trim = (kerb_estimated){0.0f, FIT_PRIOR_TRIM, false};
    estimate->delay = (kerb_estimated){(wheels ? v->steering_delay : 0.0f) + FIT_PRIOR_BODY_LAG,
                                       FIT_PRIOR_DELAY, false};
    estimate->steering_rate = (kerb_estimated){rate, rate, false};
}

// What a window may be off before windows have shown it, over the described curvature at full lock,
// and how many windows that counts for: a few windows can always be explained without a rest. On
// hosts of the family, seeds 1000 to 1299, the truth is then within two deviations in 98 of 100
// after one second, where it was in 84. [1]
#define FIT_NOISE 0.03f
#define FIT_NOISE_WINDOWS 5.0f
// Share of a sum that its rounding may be: differences of sums that are smaller say nothing.
#define FIT_ROUNDING 1.0e-6f

// What is left unexplained by each cell; the least of it.
static float fit_leave(const kerb_estimate_memory* m, float left[FIT_CELLS],
                       float slope[FIT_CELLS]) {
    float n = 1.0f / m->n, least = kerb_max(m->yy - m->y * m->y * n, 0.0f);
    const float all = least;
    for (int32_t d = 0; d < KERB_ESTIMATE_DELAYS; d++) {
        const kerb_estimate_sums* s = &m->sums[d];
        float* cells = &left[(ptrdiff_t)d * KERB_ESTIMATE_MODELS];
        float* slopes = &slope[(ptrdiff_t)d * KERB_ESTIMATE_MODELS];
        for (int32_t i = 0; i < KERB_ESTIMATE_MODELS; i++) {
            float xx = s->xx[i] - s->x[i] * s->x[i] * n + 1.0e-6f;
            float xy = s->xy[i] - s->x[i] * m->y * n;
            xy = xy > 0.0f ? xy : 0.0f; // steering to the left never turns to the right
            slopes[i] = xy / xx;
            cells[i] = all - xy * slopes[i];
            cells[i] = cells[i] > 0.0f ? cells[i] : 0.0f;
        }
        for (int32_t i = 0; i < KERB_ESTIMATE_MODELS; i++)
            least = cells[i] < least ? cells[i] : least;
    }
    return least;
}

typedef struct fit_means {
    float weight, delay, delay_square, slope, slope_square;
    float rates[KERB_ESTIMATE_RATES]; // weights
    float latest;                     // weight of the longest delay with the longest lag
} fit_means;

static float fit_square(float x) {
    return x * x;
}

// The prior of a rate: near the described one, which is one of the grid.
static void fit_rate_priors(const kerb_estimate* estimate, float priors[KERB_ESTIMATE_RATES]) {
    const kerb_estimate_memory* m = &estimate->memory;
    float told = kerb_in_estimate_described_rate(&estimate->vehicle) * ESTIMATE_TICK;
    int32_t nearest = KERB_ESTIMATE_RATES - 1;
    for (int32_t r = KERB_ESTIMATE_RATES - 2; r >= 0; r--)
        nearest = told < 1.1f * m->rates[r] ? r : nearest;
    for (int32_t r = 0; r < KERB_ESTIMATE_RATES; r++)
        priors[r] =
            estimate_falling(0.5f * fit_square((float)(r - nearest) / FIT_PRIOR_RATE_STEPS));
}

static fit_means fit_average(const kerb_estimate* estimate, const float left[FIT_CELLS],
                             const float slope[FIT_CELLS], float least, float scale) {
    const kerb_vehicle* v = &estimate->vehicle;
    float told = (v->kind == KERB_VEHICLE_WHEELED ? v->steering_delay : 0.0f) + FIT_PRIOR_BODY_LAG;
    float priors[KERB_ESTIMATE_RATES];
    fit_rate_priors(estimate, priors);
    fit_means means = {0};
    for (int32_t d = 0; d < KERB_ESTIMATE_DELAYS; d++)
        for (int32_t l = 0; l < KERB_ESTIMATE_LAGS; l++) {
            int32_t first = d * KERB_ESTIMATE_MODELS + l * KERB_ESTIMATE_RATES;
            const float *cells = &left[first], *slopes = &slope[first];
            float best = cells[0];
            for (int32_t r = 1; r < KERB_ESTIMATE_RATES; r++)
                best = cells[r] < best ? cells[r] : best;
            if ((best - least) * scale > FIT_WORSE_MOST) // most of them, after some seconds
                continue;
            float delay = (float)d * ESTIMATE_TICK + kerb_in_estimate_lag_delay(l);
            float prior = estimate_falling(0.5f * fit_square((delay - told) / FIT_PRIOR_DELAY));
            for (int32_t r = 0; r < KERB_ESTIMATE_RATES; r++) {
                float worse = (cells[r] - least) * scale;
                if (worse > FIT_WORSE_MOST)
                    continue;
                float weight = prior * priors[r] * estimate_falling(worse);
                means.weight += weight;
                means.delay += weight * delay;
                means.delay_square += weight * delay * delay;
                means.slope += weight * slopes[r];
                means.slope_square += weight * slopes[r] * slopes[r];
                means.rates[r] += weight;
                means.latest +=
                    d == KERB_ESTIMATE_DELAYS - 1 && l == KERB_ESTIMATE_LAGS - 1 ? weight : 0.0f;
            }
        }
    float inverse = 1.0f / kerb_max(means.weight, 1.0e-30f);
    means.latest *= inverse;
    means.delay *= inverse;
    means.delay_square = kerb_max(means.delay_square * inverse - fit_square(means.delay), 0.0f);
    means.slope *= inverse;
    means.slope_square = kerb_max(means.slope_square * inverse - fit_square(means.slope), 0.0f);
    for (int32_t r = 0; r < KERB_ESTIMATE_RATES; r++)
        means.rates[r] *= inverse;
    return means;
}

enum { ESTIMATE_CURVE_TERMS = 4 }; // x, x·|x|, the step, 1

// The inverse of a positive definite matrix, by elimination without pivoting. A pivot that rounding
// takes away counts as a part of its diagonal: the term is then unknown, not infinite.
static void fit_invert(float a[ESTIMATE_CURVE_TERMS][ESTIMATE_CURVE_TERMS],
                       float inverse[ESTIMATE_CURVE_TERMS][ESTIMATE_CURVE_TERMS]) {
    for (int32_t i = 0; i < ESTIMATE_CURVE_TERMS; i++)
        for (int32_t j = 0; j < ESTIMATE_CURVE_TERMS; j++)
            inverse[i][j] = i == j ? 1.0f : 0.0f;
    float least[ESTIMATE_CURVE_TERMS];
    for (int32_t i = 0; i < ESTIMATE_CURVE_TERMS; i++)
        least[i] = kerb_max(1.0e-6f * a[i][i], 1.0e-30f);
    for (int32_t i = 0; i < ESTIMATE_CURVE_TERMS; i++) {
        float pivot = 1.0f / kerb_max(a[i][i], least[i]);
        for (int32_t j = 0; j < ESTIMATE_CURVE_TERMS; j++)
            a[i][j] *= pivot, inverse[i][j] *= pivot;
        for (int32_t k = 0; k < ESTIMATE_CURVE_TERMS; k++) {
            float factor = k == i ? 0.0f : a[k][i];
            for (int32_t j = 0; j < ESTIMATE_CURVE_TERMS; j++)
                a[k][j] -= factor * a[i][j], inverse[k][j] -= factor * inverse[i][j];
        }
    }
}

// The static curve of the steering, and what is known of it.
typedef struct fit_curve {
    float term[ESTIMATE_CURVE_TERMS];
    float variance[ESTIMATE_CURVE_TERMS][ESTIMATE_CURVE_TERMS];
} fit_curve;

static void fit_terms_at(float u, float terms[ESTIMATE_CURVE_TERMS]) {
    terms[0] = u;
    terms[1] = u * kerb_abs(u);
    terms[2] = kerb_in_estimate_dead(u);
    terms[3] = 1.0f;
}

static float fit_curve_at(const fit_curve* curve, float u) {
    float terms[ESTIMATE_CURVE_TERMS], sum = 0.0f;
    fit_terms_at(u, terms);
    for (int32_t i = 0; i < ESTIMATE_CURVE_TERMS; i++)
        sum += curve->term[i] * terms[i];
    return sum;
}

// Variance of a weighted sum of the terms.
static float fit_curve_variance(const fit_curve* curve, const float weight[ESTIMATE_CURVE_TERMS]) {
    float sum = 0.0f;
    for (int32_t i = 0; i < ESTIMATE_CURVE_TERMS; i++)
        for (int32_t j = 0; j < ESTIMATE_CURVE_TERMS; j++)
            sum += weight[i] * weight[j] * curve->variance[i][j];
    return kerb_max(sum, 0.0f);
}

// The curve of one rate after one delay, by regression with the prior.
static fit_curve fit_curve_of(const kerb_estimate_memory* m, int32_t c, int32_t r, float noise) {
    float s[KERB_ESTIMATE_PRODUCTS];
    for (int32_t i = 0; i < KERB_ESTIMATE_PRODUCTS; i++)
        s[i] = m->curves[c].of[i][r];
    // What the described gain of 1 leaves over.
    float right[ESTIMATE_CURVE_TERMS] = {
        s[ESTIMATE_CURVE_XY] - s[ESTIMATE_CURVE_XX], s[ESTIMATE_CURVE_QY] - s[ESTIMATE_CURVE_XQ],
        s[ESTIMATE_CURVE_SY] - s[ESTIMATE_CURVE_XS], m->y - s[ESTIMATE_CURVE_X]};
    float a[ESTIMATE_CURVE_TERMS][ESTIMATE_CURVE_TERMS] = {
        {s[ESTIMATE_CURVE_XX] + noise / fit_square(FIT_PRIOR_GAIN), s[ESTIMATE_CURVE_XQ],
         s[ESTIMATE_CURVE_XS], s[ESTIMATE_CURVE_X]},
        {s[ESTIMATE_CURVE_XQ], s[ESTIMATE_CURVE_QQ] + noise / fit_square(FIT_PRIOR_BEND),
         s[ESTIMATE_CURVE_QS], s[ESTIMATE_CURVE_Q]},
        {s[ESTIMATE_CURVE_XS], s[ESTIMATE_CURVE_QS],
         s[ESTIMATE_CURVE_SS] + noise / fit_square(FIT_PRIOR_DEAD), s[ESTIMATE_CURVE_S]},
        {s[ESTIMATE_CURVE_X], s[ESTIMATE_CURVE_Q], s[ESTIMATE_CURVE_S],
         m->n + noise / fit_square(FIT_PRIOR_TRIM)}};
    fit_curve curve;
    fit_invert(a, curve.variance);
    for (int32_t i = 0; i < ESTIMATE_CURVE_TERMS; i++) {
        curve.term[i] = i == 0 ? 1.0f : 0.0f;
        for (int32_t j = 0; j < ESTIMATE_CURVE_TERMS; j++)
            curve.term[i] += curve.variance[i][j] * right[j];
    }
    for (int32_t i = 0; i < ESTIMATE_CURVE_TERMS; i++)
        for (int32_t j = 0; j < ESTIMATE_CURVE_TERMS; j++)
            curve.variance[i][j] *= noise;
    return curve;
}

// The command at which a curve is straight, by halving.
static float fit_straight_at(const fit_curve* curve) {
    float low = -FIT_TRIM_MOST, high = FIT_TRIM_MOST;
    for (int32_t i = 0; i < 20; i++) {
        float middle = 0.5f * (low + high);
        *(fit_curve_at(curve, middle) > 0.0f ? &high : &low) = middle;
    }
    return 0.5f * (low + high);
}

static kerb_estimated fit_estimated(float value, float variance, float least, float known) {
    float deviation = kerb_sqrt(variance + least * least);
    return (kerb_estimated){value, deviation, deviation <= known};
}

// A value at a bound of what is believed: what the bound cut off is doubt.
static kerb_estimated fit_cut(kerb_estimated estimated, float cut) {
    if (cut > 0.0f)
        estimated = (kerb_estimated){estimated.value, estimated.deviation + cut, false};
    return estimated;
}

// A trim in view of the prior that half of all vehicles have none: the chances that the measured
// one comes of none or of any (Bayes factor of two normal distributions).
static kerb_estimated fit_trim_of(float trim, float variance) {
    variance += fit_square(FIT_TRIM_FLOOR);
    float spread = fit_square(FIT_PRIOR_TRIM) / variance;
    float none = kerb_sqrt(1.0f + spread) *
                 estimate_falling(0.5f * fit_square(trim) / variance * spread / (1.0f + spread));
    none /= 1.0f + none;
    float mean = (1.0f - none) * trim;
    return fit_estimated(mean, (1.0f - none) * variance + none * (1.0f - none) * fit_square(trim),
                         FIT_TRIM_LEAST, FIT_TRIM_KNOWN);
}

// The rate: a mean in steps of the grid, sure only where slower and faster ones are excluded.
static void fit_rate_of(kerb_estimate* estimate, const fit_means* means) {
    const kerb_estimate_memory* m = &estimate->memory;
    float mean = 0.0f, spread = 0.0f, share = 0.0f;
    for (int32_t r = 0; r < KERB_ESTIMATE_RATES - 1; r++) {
        float rate = m->rates[r] / ESTIMATE_TICK;
        mean += means->rates[r] * rate;
        spread += means->rates[r] * rate * rate;
        share += means->rates[r];
    }
    float told = kerb_in_estimate_described_rate(&estimate->vehicle);
    float none = 1.0f - share;
    float open = kerb_max(told, m->rates[KERB_ESTIMATE_RATES - 2] / ESTIMATE_TICK);
    mean += none * open;
    spread = kerb_max(spread + none * open * open - mean * mean, 0.0f);
    estimate->steering_rate =
        fit_estimated(mean, spread, FIT_RATE_FLOOR * mean, FIT_RATE_KNOWN * mean);
    estimate->steering_rate.known = estimate->steering_rate.known && none < 0.1f;
}

void kerb_in_estimate_fit(kerb_estimate* estimate) {
    const kerb_estimate_memory* m = &estimate->memory;
    float left[FIT_CELLS], slope[FIT_CELLS];
    float least = fit_leave(m, left, slope);
    float all = kerb_max(m->yy - m->y * m->y / m->n, 1.0e-9f);
    float unsure = fit_square(FIT_MISFIT_LEAST) * all + FIT_ROUNDING * m->yy;
    float prior = FIT_NOISE_WINDOWS * fit_square(FIT_NOISE);
    float noise = (least + unsure + prior) / (m->n + FIT_NOISE_WINDOWS); // variance of a window
    fit_means means = fit_average(estimate, left, slope, least, 0.5f / (noise * FIT_WINDOWS_ALIKE));
    estimate->misfit = kerb_min(least / all, 1.0f);
    int32_t rate = 0;
    for (int32_t r = 1; r < KERB_ESTIMATE_RATES; r++)
        rate = means.rates[r] > means.rates[rate] ? r : rate;
    float steps = (means.delay - kerb_in_estimate_lag_delay(ESTIMATE_CURVE_LAG)) /
                  ((float)ESTIMATE_CURVE_STEP * ESTIMATE_TICK);
    int32_t c = (int32_t)kerb_clamp(steps + 0.5f, 0.0f, (float)(KERB_ESTIMATE_CURVES - 1));
    fit_curve curve = fit_curve_of(m, c, rate, noise * FIT_CURVE_ALIKE);
    // The curve is that of one lag. All lags together know better how steep it is.
    float own = slope[ESTIMATE_CURVE_STEP * c * KERB_ESTIMATE_MODELS +
                      ESTIMATE_CURVE_LAG * KERB_ESTIMATE_RATES + rate];
    float steeper = own > 0.1f ? kerb_clamp(means.slope / own, 0.7f, 1.5f) : 1.0f;
    for (int32_t i = 0; i < 3; i++)
        curve.term[i] *= steeper;
    float n = m->n, x = m->curves[c].of[ESTIMATE_CURVE_X][rate],
          xx = m->curves[c].of[ESTIMATE_CURVE_XX][rate];
    estimate->excitation = kerb_sqrt(kerb_max(xx / n - fit_square(x / n), 0.0f));

    float left_turn[ESTIMATE_CURVE_TERMS], straight[ESTIMATE_CURVE_TERMS];
    fit_terms_at(0.3f, left_turn);
    for (int32_t i = 0; i < ESTIMATE_CURVE_TERMS; i++)
        left_turn[i] = i < 3 ? left_turn[i] / 0.3f : 0.0f;
    float gain = 0.0f;
    for (int32_t i = 0; i < ESTIMATE_CURVE_TERMS; i++)
        gain += curve.term[i] * left_turn[i];
    float found = gain;
    gain = kerb_clamp(gain, FIT_GAIN_LEAST, FIT_GAIN_MOST);
    estimate->steering_gain =
        fit_estimated(gain, fit_curve_variance(&curve, left_turn) + means.slope_square,
                      FIT_GAIN_FLOOR * gain, FIT_GAIN_KNOWN * gain);
    estimate->steering_gain = fit_cut(estimate->steering_gain, kerb_abs(found - gain));
    float trim = fit_straight_at(&curve);
    float bends = kerb_abs(fit_curve_at(&curve, trim)) / gain; // where it is not straight there
    fit_terms_at(trim, straight);
    estimate->trim = fit_trim_of(trim, fit_curve_variance(&curve, straight) / fit_square(gain));
    estimate->trim = fit_cut(estimate->trim, bends > FIT_TRIM_LEAST ? bends : 0.0f);
    // Beyond the grid a longer delay would explain more, and a slower rate looks like it.
    bool late = means.latest > FIT_LATEST;
    estimate->delay =
        fit_estimated(means.delay, means.delay_square, FIT_DELAY_FLOOR, FIT_DELAY_KNOWN);
    fit_rate_of(estimate, &means);
    if (late) {
        float longest = ESTIMATE_TICK * (float)(KERB_ESTIMATE_DELAYS - 1) +
                        kerb_in_estimate_lag_delay(KERB_ESTIMATE_LAGS - 1);
        estimate->delay = fit_cut(estimate->delay, means.latest * 0.5f * longest);
        estimate->steering_rate =
            fit_cut(estimate->steering_rate, means.latest * estimate->steering_rate.value);
    }
}
