// Purpose: what all measurements use: least squares in running sums, y = c₀ + c₁ x₁ + c₂ x₂, by the
//          normal equations in doubles; samples of a response; and two estimates of one thing.
// Cost:    O(1) for a point or a solution, O(samples) for a fit of samples.
#include "measure.h"

#include <string.h>

void kerb_in_measure_begin(kerb_measure_memory* m) {
    memset(&m->now, 0, sizeof m->now);
    m->samples.count = 0;
}

void kerb_in_measure_fit_add(kerb_measure_fit* fit, double x1, double x2, double y) {
    const double term[3] = {1.0, x1, x2};
    for (int32_t i = 0; i < 3; i++) {
        for (int32_t j = 0; j < 3; j++)
            fit->matrix[i][j] += term[i] * term[j];
        fit->right[i] += term[i] * y;
    }
    fit->square += y * y;
    fit->count++;
}

// Elimination without pivoting. The matrix is a sum of squares, so its diagonal stays positive as
// long as the points determine the unknowns.
bool kerb_in_measure_fit_solve(const kerb_measure_fit* fit, int32_t unknowns, double c[3]) {
    kerb_measure_fit work = *fit;
    c[0] = c[1] = c[2] = 0.0;
    if (fit->count < unknowns)
        return false;
    for (int32_t k = 0; k < unknowns; k++) {
        if (!(work.matrix[k][k] > 1e-10 * fit->matrix[k][k]))
            return false;
        for (int32_t i = k + 1; i < unknowns; i++) {
            double factor = work.matrix[i][k] / work.matrix[k][k];
            for (int32_t j = k; j < unknowns; j++)
                work.matrix[i][j] -= factor * work.matrix[k][j];
            work.right[i] -= factor * work.right[k];
        }
    }
    for (int32_t k = unknowns - 1; k >= 0; k--) {
        c[k] = work.right[k];
        for (int32_t j = k + 1; j < unknowns; j++)
            c[k] -= work.matrix[k][j] * c[j];
        c[k] /= work.matrix[k][k];
    }
    return true;
}

// The variance of a term is its entry of the inverted matrix times that of a point.
double kerb_in_measure_fit_deviation(const kerb_measure_fit* fit, int32_t unknowns, int32_t term) {
    double c[3], column[3];
    kerb_measure_fit unit = *fit;
    for (int32_t i = 0; i < 3; i++)
        unit.right[i] = i == term ? 1.0 : 0.0;
    if (fit->count <= unknowns + 1 || !kerb_in_measure_fit_solve(fit, unknowns, c) ||
        !kerb_in_measure_fit_solve(&unit, unknowns, column))
        return 1e30;
    double left = fit->square;
    for (int32_t i = 0; i < unknowns; i++)
        left -= c[i] * fit->right[i];
    double variance = (left > 0.0 ? left : 0.0) / (double)(fit->count - unknowns) * column[term];
    return (double)kerb_sqrt((float)(variance > 0.0 ? variance : 0.0));
}

bool kerb_in_measure_sample(kerb_measure_memory* m, float time, float value, float spacing) {
    kerb_measure_samples* s = &m->samples;
    // Slightly less than the spacing, so that frames of exactly that length are all kept.
    bool early = s->count > 0 && time < s->time[s->count - 1] + 0.999f * spacing;
    if (s->count < KERB_MEASURE_SAMPLES && !early) {
        s->time[s->count] = time;
        s->value[s->count++] = value;
    }
    return s->count >= KERB_MEASURE_SAMPLES;
}

void kerb_in_measure_sample_slow(kerb_measure_memory* m, float time, float value) {
    kerb_measure_samples* s = &m->samples;
    if (!kerb_in_measure_sample(m, time, value, 0.0f))
        return;
    s->count = KERB_MEASURE_SAMPLES / 2;
    for (int32_t i = 0; i < s->count; i++) {
        int32_t kept = 2 * i;
        s->time[i] = s->time[kept];
        s->value[i] = s->value[kept];
    }
}

bool kerb_in_measure_fit_samples(const kerb_measure_samples* samples, float from, float to,
                                 int32_t terms, double c[3]) {
    kerb_measure_fit fit = {0};
    for (int32_t i = 0; i < samples->count; i++) {
        double time = (double)samples->time[i];
        if (time >= (double)from && time <= (double)to)
            kerb_in_measure_fit_add(&fit, time, time * time, (double)samples->value[i]);
    }
    return kerb_in_measure_fit_solve(&fit, terms, c);
}

// So many deviations of both are a contradiction: on the family of hosts the manoeuvre was right in
// two of three that were three deviations apart, and in none that were more than four. [1]
#define MEASURE_APART 4.0f

kerb_estimated kerb_in_measure_join(kerb_estimated own, kerb_estimated other) {
    if (!own.known || other.deviation < own.deviation)
        return other.known ? other : own;
    float apart = kerb_abs(own.value - other.value);
    float both = kerb_sqrt(own.deviation * own.deviation + other.deviation * other.deviation);
    if (apart > MEASURE_APART * both)
        own.deviation = kerb_max(own.deviation, 0.5f * apart);
    return own;
}
