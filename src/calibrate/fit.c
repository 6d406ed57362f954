// Least squares in running sums: y = c₀ + c₁ x₁ + c₂ x₂, by the normal equations in doubles; and
// the samples of a fast response. Cost: O(1) for a point or a solution, O(samples) for a fit of
// samples.
#include "frame.h"

void kerb_in_calibrate_fit_add(kerb_calibration_fit* fit, double x1, double x2, double y) {
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
bool kerb_in_calibrate_fit_solve(const kerb_calibration_fit* fit, int32_t unknowns, double c[3]) {
    kerb_calibration_fit work = *fit;
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
double kerb_in_calibrate_fit_deviation(const kerb_calibration_fit* fit, int32_t unknowns,
                                       int32_t term) {
    double c[3], column[3];
    kerb_calibration_fit unit = *fit;
    for (int32_t i = 0; i < 3; i++)
        unit.right[i] = i == term ? 1.0 : 0.0;
    if (fit->count <= unknowns + 1 || !kerb_in_calibrate_fit_solve(fit, unknowns, c) ||
        !kerb_in_calibrate_fit_solve(&unit, unknowns, column))
        return 1e30;
    double left = fit->square;
    for (int32_t i = 0; i < unknowns; i++)
        left -= c[i] * fit->right[i];
    double variance = (left > 0.0 ? left : 0.0) / (double)(fit->count - unknowns) * column[term];
    return (double)kerb_sqrt((float)(variance > 0.0 ? variance : 0.0));
}

void kerb_in_calibrate_keep_sample(kerb_calibrator* calibrator, float time, float value,
                                   float spacing) {
    int32_t count = calibrator->memory.sample_count;
    if (count >= KERB_CALIBRATION_SAMPLES)
        return;
    // Slightly less than the spacing, so that frames of exactly that length are all kept.
    if (count > 0 && time < calibrator->memory.sample_time[count - 1] + 0.999f * spacing)
        return;
    calibrator->memory.sample_time[count] = time;
    calibrator->memory.sample[count] = value;
    calibrator->memory.sample_count = count + 1;
}

void kerb_in_calibrate_thin_samples(kerb_calibrator* calibrator) {
    if (calibrator->memory.sample_count < KERB_CALIBRATION_SAMPLES)
        return;
    calibrator->memory.sample_count = KERB_CALIBRATION_SAMPLES / 2;
    for (int32_t i = 0; i < KERB_CALIBRATION_SAMPLES / 2; i++) {
        int32_t kept = 2 * i;
        calibrator->memory.sample_time[i] = calibrator->memory.sample_time[kept];
        calibrator->memory.sample[i] = calibrator->memory.sample[kept];
    }
}

bool kerb_in_calibrate_fit_between(const kerb_calibrator* calibrator, float from, float to,
                                   double c[3]) {
    kerb_calibration_fit fit = {0};
    for (int32_t i = 0; i < calibrator->memory.sample_count; i++) {
        float value = calibrator->memory.sample[i];
        if (value >= from && value <= to)
            kerb_in_calibrate_fit_add(&fit, (double)calibrator->memory.sample_time[i], 0.0,
                                      (double)value);
    }
    c[0] = c[1] = c[2] = 0.0;
    return fit.count >= 3 && kerb_in_calibrate_fit_solve(&fit, 2, c);
}

bool kerb_in_calibrate_fit_samples(const kerb_calibrator* calibrator, float from, float to,
                                   int32_t terms, double c[3]) {
    kerb_calibration_fit fit = {0};
    for (int32_t i = 0; i < calibrator->memory.sample_count; i++) {
        double time = (double)calibrator->memory.sample_time[i];
        if (time >= (double)from && time <= (double)to)
            kerb_in_calibrate_fit_add(&fit, time, time * time,
                                      (double)calibrator->memory.sample[i]);
    }
    c[0] = c[1] = c[2] = 0.0;
    return kerb_in_calibrate_fit_solve(&fit, terms, c);
}
