// Purpose: smooths noisy centre lines.
// Idea:    Each given point q is shifted by r. The shifts minimise
//
//              sum of weight |r|²  +  reach⁶ × sum of |third derivative of q + r|²
//
//          so waves shorter than about six times the reach disappear and longer ones stay. The
//          third derivative is 0 along parabolas and small along clothoids. So bends are not cut as
//          much as with the usual penalty on curvature: the error on radius R is R (reach/R)⁶
//          instead of R (reach/R)⁴.
//
//          The reach follows from the data by generalized cross-validation. Points that would be
//          shifted by more than the tolerance get more weight until they are not. The system to
//          solve is banded, with seven diagonals and a border of three columns on a closed track.
//          The unknown is the shift, not the position, so that large coordinates lose no digits.
// Cost:    O(count) per solve, some fifty solves.
// Source:  Reinsch, "Smoothing by spline functions", 1967; Craven and Wahba, "Smoothing noisy data
//          with spline functions", 1979.
#include "../../base/shared.h"
#include "kerb/racing_line.h"

#include <string.h>

// Diagonals of half the band; columns of the border; coordinates; least numbers of points that are
// smoothed; greatest number of rounds for the tolerance. [1]
enum { BAND = 4, BORDER = 3, AXES = 3, LEAST_OPEN = 5, LEAST_CLOSED = 8, ROUNDS = 60 };

// Reaches that are tried, from the least to the most, each this many times the one before. [mean
// spacings], [1]
#define SMOOTH_REACH_LEAST 0.5
#define REACH_RATIO 1.2
#define REACH_MOST 60.0
// Least spacing of points; nearer ones count as that far apart, so that the derivative stays
// finite. [mean spacings]
#define SMOOTH_SPACING_LEAST 0.1

typedef struct smoother {
    int32_t count;
    int32_t inner; // unknowns in the band; the others are the border
    bool closed;
    double reach;             // in mean spacings
    double* spacing;          // to the next point, in mean spacings
    double* weight;           // of each point
    double (*penalty)[BAND];  // diagonal and three to its right, wrapping when closed
    double (*factor)[BAND];   // Cholesky factor of the band, by rows: [k] belongs to column i - k
    double (*border)[BORDER]; // the last three columns, solved through the band
    double (*given)[AXES];    // values to smooth; unused axes are 0
    double (*pull)[AXES];     // minus penalty times given
    double (*shift)[AXES];    // the result
} smoother;

// --------------------------------------------------------------------------- memory

static size_t smoother_bytes(int32_t count) {
    return (size_t)count * (2 + 2 * BAND + BORDER + 3 * AXES) * sizeof(double);
}

static smoother smoother_make(void* memory, int32_t count, bool closed) {
    double* at = memory;
    size_t n = (size_t)count;
    smoother s = {.count = count, .inner = closed ? count - BORDER : count, .closed = closed};
    memset(memory, 0, smoother_bytes(count));
    s.spacing = at, at += n;
    s.weight = at, at += n;
    s.penalty = (double(*)[BAND])at, at += n * BAND;
    s.factor = (double(*)[BAND])at, at += n * BAND;
    s.border = (double(*)[BORDER])at, at += n * BORDER;
    s.given = (double(*)[AXES])at, at += n * AXES;
    s.pull = (double(*)[AXES])at, at += n * AXES;
    s.shift = (double(*)[AXES])at;
    return s;
}

// --------------------------------------------------------------------------- the penalty

static int32_t wrapped(const smoother* s, int32_t i) {
    return i < s->count ? i : i - s->count;
}

// Weights of four successive points in their third derivative, times the root of the length that it
// represents.
static void third_derivative(const smoother* s, int32_t first, double weights[BAND]) {
    double t[BAND] = {0.0};
    for (int32_t k = 1; k < BAND; k++)
        t[k] = t[k - 1] + s->spacing[wrapped(s, first + k - 1)];
    double root = sqrt(t[BAND - 1] / 3.0);
    for (int32_t k = 0; k < BAND; k++) {
        double product = 1.0;
        for (int32_t j = 0; j < BAND; j++)
            product *= j == k ? 1.0 : t[k] - t[j];
        weights[k] = 6.0 * root / product;
    }
}

static void measure_penalty(smoother* s) {
    memset(s->penalty, 0, (size_t)s->count * sizeof *s->penalty);
    int32_t pieces = s->closed ? s->count : s->count - BAND + 1;
    for (int32_t i = 0; i < pieces; i++) {
        double c[BAND];
        third_derivative(s, i, c);
        for (int32_t j = 0; j < BAND; j++)
            for (int32_t k = j; k < BAND; k++)
                s->penalty[wrapped(s, i + j)][k - j] += c[j] * c[k];
    }
}

static void measure_pull(smoother* s) {
    memset(s->pull, 0, (size_t)s->count * sizeof *s->pull);
    int32_t pieces = s->closed ? s->count : s->count - BAND + 1;
    for (int32_t i = 0; i < pieces; i++) {
        double c[BAND], third[AXES] = {0.0};
        third_derivative(s, i, c);
        for (int32_t k = 0; k < BAND; k++)
            for (int32_t axis = 0; axis < AXES; axis++)
                third[axis] += c[k] * s->given[wrapped(s, i + k)][axis];
        for (int32_t k = 0; k < BAND; k++)
            for (int32_t axis = 0; axis < AXES; axis++)
                s->pull[wrapped(s, i + k)][axis] -= c[k] * third[axis];
    }
}

// --------------------------------------------------------------------------- the band

static double reach_factor(const smoother* s) {
    double square = s->reach * s->reach;
    return square * square * square;
}

// Element (i, i - k) of the matrix within the band.
static double element(const smoother* s, int32_t i, int32_t k) {
    double value = reach_factor(s) * s->penalty[i - k][k];
    return k == 0 ? value + s->weight[i] : value;
}

static void factorize(smoother* s) {
    for (int32_t i = 0; i < s->inner; i++) {
        for (int32_t k = i < BAND ? i : BAND - 1; k >= 0; k--) {
            double sum = element(s, i, k);
            for (int32_t j = k + 1; j < BAND && j <= i; j++)
                sum -= s->factor[i][j] * s->factor[i - k][j - k];
            s->factor[i][k] = k == 0 ? sqrt(sum) : sum / s->factor[i - k][0];
        }
    }
}

// Solves with the factor, in place, for `columns` values per row.
static void solve_band(const smoother* s, double* values, int32_t columns) {
    for (int32_t i = 0; i < s->inner; i++)
        for (int32_t c = 0; c < columns; c++) {
            double sum = values[(ptrdiff_t)i * columns + c];
            for (int32_t k = 1; k < BAND && k <= i; k++)
                sum -= s->factor[i][k] * values[(ptrdiff_t)(i - k) * columns + c];
            values[(ptrdiff_t)i * columns + c] = sum / s->factor[i][0];
        }
    for (int32_t i = s->inner - 1; i >= 0; i--)
        for (int32_t c = 0; c < columns; c++) {
            double sum = values[(ptrdiff_t)i * columns + c];
            for (int32_t k = 1; k < BAND && i + k < s->inner; k++)
                sum -= s->factor[i + k][k] * values[(ptrdiff_t)(i + k) * columns + c];
            values[(ptrdiff_t)i * columns + c] = sum / s->factor[i][0];
        }
}

// --------------------------------------------------------------------------- the border

// The element of the matrix in border column b and any row. A column couples with the three rows
// after it, past the last to the first, and with the three rows before it.
static double border_element(const smoother* s, int32_t row, int32_t b) {
    int32_t column = s->inner + b;
    int32_t on = row - column, back = column - row;
    if (on < 0)
        on += s->count;
    if (on < BAND)
        return reach_factor(s) * s->penalty[column][on] + (on == 0 ? s->weight[row] : 0.0);
    return back > 0 && back < BAND ? reach_factor(s) * s->penalty[row][back] : 0.0;
}

static void fill_border(smoother* s) {
    memset(s->border, 0, (size_t)s->count * sizeof *s->border);
    for (int32_t i = 0; i < BORDER; i++)
        for (int32_t b = 0; b < BORDER; b++) {
            s->border[i][b] = border_element(s, i, b);
            s->border[s->inner - 1 - i][b] = border_element(s, s->inner - 1 - i, b);
        }
}

// Only the first and last rows of the border are not 0.
static bool touches_border(const smoother* s, int32_t row) {
    return row < BORDER || row >= s->inner - BORDER;
}

// Matrix and right-hand sides of the border's unknowns after those of the band are eliminated.
static void reduce(const smoother* s, double matrix[BORDER][BORDER], double right[BORDER][AXES]) {
    for (int32_t a = 0; a < BORDER; a++) {
        for (int32_t b = 0; b < BORDER; b++)
            matrix[a][b] = border_element(s, s->inner + a, b);
        memcpy(right[a], s->shift[s->inner + a], sizeof right[a]);
    }
    for (int32_t i = 0; i < s->inner; i++) {
        if (!touches_border(s, i))
            continue;
        for (int32_t a = 0; a < BORDER; a++) {
            double element_ai = border_element(s, i, a);
            for (int32_t b = 0; b < BORDER; b++)
                matrix[a][b] -= element_ai * s->border[i][b];
            for (int32_t axis = 0; axis < AXES; axis++)
                right[a][axis] -= element_ai * s->shift[i][axis];
        }
    }
}

// Gaussian elimination without pivoting, because the matrix is positive definite.
static void solve_small(double matrix[BORDER][BORDER], double right[BORDER][AXES]) {
    for (int32_t a = 0; a < BORDER; a++)
        for (int32_t b = a + 1; b < BORDER; b++) {
            double factor = matrix[b][a] / matrix[a][a];
            for (int32_t c = a; c < BORDER; c++)
                matrix[b][c] -= factor * matrix[a][c];
            for (int32_t axis = 0; axis < AXES; axis++)
                right[b][axis] -= factor * right[a][axis];
        }
    for (int32_t a = BORDER - 1; a >= 0; a--)
        for (int32_t axis = 0; axis < AXES; axis++) {
            for (int32_t c = a + 1; c < BORDER; c++)
                right[a][axis] -= matrix[a][c] * right[c][axis];
            right[a][axis] /= matrix[a][a];
        }
}

static void solve_border(smoother* s) {
    double matrix[BORDER][BORDER], right[BORDER][AXES];
    fill_border(s);
    solve_band(s, s->border[0], BORDER);
    reduce(s, matrix, right);
    solve_small(matrix, right);
    for (int32_t i = 0; i < s->inner; i++)
        for (int32_t axis = 0; axis < AXES; axis++)
            for (int32_t b = 0; b < BORDER; b++)
                s->shift[i][axis] -= s->border[i][b] * right[b][axis];
    memcpy(s->shift[s->inner], right, sizeof right);
}

// Computes `shift` for the present reach and weights.
static void smooth_solve(smoother* s) {
    double factor = reach_factor(s);
    for (int32_t i = 0; i < s->count; i++)
        for (int32_t axis = 0; axis < AXES; axis++)
            s->shift[i][axis] = factor * s->pull[i][axis];
    factorize(s);
    solve_band(s, s->shift[0], AXES);
    if (s->closed)
        solve_border(s);
}

// --------------------------------------------------------------------------- reach

static double shift_square(const smoother* s, int32_t i) {
    const double* r = s->shift[i];
    return r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
}

// Share of a point's own noise that stays in its smoothed position, for even spacing: the mean of
// the filter's response over all waves. [1]
static double kept_part(double reach) {
    enum { WAVES = 256 };
    double square = reach * reach, factor = square * square * square, sum = 0.0;
    for (int32_t i = 0; i < WAVES; i++) {
        double wave = 2.0 - 2.0 * (double)kerb_cos(((float)i + 0.5f) * (KERB_PI / WAVES));
        sum += 1.0 / (1.0 + factor * wave * wave * wave);
    }
    return sum / WAVES;
}

// Estimate of the mean square error at left-out points, apart from a factor.
static double validate(smoother* s) {
    double sum = 0.0, lost = 1.0 - kept_part(s->reach);
    smooth_solve(s);
    for (int32_t i = 0; i < s->count; i++)
        sum += shift_square(s, i);
    return sum / (lost * lost);
}

static void choose_reach(smoother* s) {
    double best = -1.0, chosen = SMOOTH_REACH_LEAST;
    double most = (double)s->count / 8.0 < REACH_MOST ? (double)s->count / 8.0 : REACH_MOST;
    int32_t steps = 0;
    for (double reach = SMOOTH_REACH_LEAST; reach <= most || steps == 0; steps++) {
        s->reach = reach;
        double error = validate(s);
        if (best < 0.0 || error < best) {
            best = error;
            chosen = reach;
        }
        reach *= REACH_RATIO;
    }
    s->reach = chosen;
    smooth_solve(s);
}

// --------------------------------------------------------------------------- within the tolerance

// Increases the weights of points that are shifted too far, and decreases those that are greater
// than needed. True if all shifts are within the tolerance.
static bool smooth_weigh(smoother* s, double tolerance) {
    bool within = true;
    for (int32_t i = 0; i < s->count; i++) {
        double off = sqrt(shift_square(s, i)) / tolerance;
        double weight = s->weight[i] * off;
        within = within && off <= 1.0;
        if (off > 1.0 || s->weight[i] > 1.0)
            s->weight[i] = weight > 1.0 ? weight : 1.0;
    }
    return within;
}

static void smooth_clip(smoother* s, double tolerance) {
    for (int32_t i = 0; i < s->count; i++) {
        double off = sqrt(shift_square(s, i));
        for (int32_t axis = 0; axis < AXES && off > tolerance; axis++)
            s->shift[i][axis] *= tolerance / off;
    }
}

// Aims slightly inside the tolerance, because the rounds converge to it from outside.
static void smooth_keep_within(smoother* s, double tolerance) {
    for (int32_t round = 0; round < ROUNDS && !smooth_weigh(s, 0.999 * tolerance); round++)
        smooth_solve(s);
    smooth_clip(s, tolerance);
}

// --------------------------------------------------------------------------- points

static double smooth_between(const smoother* s, int32_t i) {
    int32_t next = wrapped(s, i + 1);
    double x = s->given[next][0] + s->shift[next][0] - s->given[i][0] - s->shift[i][0];
    double y = s->given[next][1] + s->shift[next][1] - s->given[i][1] - s->shift[i][1];
    double z = s->given[next][2] + s->shift[next][2] - s->given[i][2] - s->shift[i][2];
    return sqrt(x * x + y * y + z * z);
}

// Spacings of the smoothed points, because those of noisy points are mostly noise.
static void measure_spacing(smoother* s) {
    int32_t segments = s->closed ? s->count : s->count - 1;
    double sum = 0.0;
    for (int32_t i = 0; i < segments; i++)
        sum += smooth_between(s, i);
    double mean = sum / segments;
    for (int32_t i = 0; i < segments; i++) {
        double spacing = mean > 0.0 ? smooth_between(s, i) / mean : 1.0;
        s->spacing[i] = spacing > SMOOTH_SPACING_LEAST ? spacing : SMOOTH_SPACING_LEAST;
    }
}

static void smooth_points(smoother* s, const kerb_waypoint* waypoints, double tolerance) {
    for (int32_t i = 0; i < s->count; i++) {
        s->spacing[i] = s->weight[i] = 1.0;
        s->given[i][0] = (double)waypoints[i].position.x;
        s->given[i][1] = (double)waypoints[i].position.y;
        s->given[i][2] = (double)waypoints[i].position.z;
    }
    for (int32_t pass = 0; pass < 2; pass++) { // by index, then by distance
        if (pass > 0)
            measure_spacing(s);
        measure_penalty(s);
        measure_pull(s);
        choose_reach(s);
    }
    smooth_keep_within(s, tolerance);
}

// --------------------------------------------------------------------------- widths

static void smooth_place(const smoother* s, kerb_waypoint* waypoints) {
    for (int32_t i = 0; i < s->count; i++)
        waypoints[i].position = kerb_vec3_make((float)(s->given[i][0] + s->shift[i][0]),
                                               (float)(s->given[i][1] + s->shift[i][1]),
                                               (float)(s->given[i][2] + s->shift[i][2]));
}

static float smoothed_width(const smoother* s, int32_t i, int32_t side) {
    return kerb_clamp((float)(s->given[i][side] + s->shift[i][side]), 0.0f, KERB_POSITION_MAX);
}

// Widths are smoothed with the weights and the reach of the points. Smoothing is linear, so each
// edge comes to lie where it would lie if it were smoothed itself.
static void smooth_widths(smoother* s, kerb_waypoint* waypoints) {
    for (int32_t i = 0; i < s->count; i++) {
        s->given[i][0] = (double)waypoints[i].left;
        s->given[i][1] = (double)waypoints[i].right;
        s->given[i][2] = 0.0;
    }
    measure_pull(s);
    smooth_solve(s);
    for (int32_t i = 0; i < s->count; i++) {
        waypoints[i].left = smoothed_width(s, i, 0);
        waypoints[i].right = smoothed_width(s, i, 1);
    }
}

// --------------------------------------------------------------------------- the interface

static kerb_result check_tolerance(float tolerance, kerb_error* error) {
    if (!kerb_is_finite(tolerance))
        return kerb_error_set(error, KERB_ERROR_NOT_FINITE, "tolerance", 0, -1,
                              "must be a finite number");
    if (tolerance < 0.001f || tolerance > 1000.0f)
        return kerb_error_set(error, KERB_ERROR_OUT_OF_RANGE, "tolerance", 0, -1,
                              "must be from 0.001 to 1000 m");
    return KERB_OK;
}

kerb_result kerb_track_smooth(kerb_waypoint* waypoints, int32_t count, bool closed, float tolerance,
                              const kerb_host* host, kerb_error* error) {
    KERB_ASSERT((waypoints != NULL || count <= 0) && host != NULL);
    kerb_result result = check_tolerance(tolerance, error);
    if (result == KERB_OK)
        result = kerb_waypoints_validate(waypoints, count, error);
    if (result != KERB_OK || count < (closed ? LEAST_CLOSED : LEAST_OPEN))
        return result;
    const kerb_allocator* allocator = &host->allocator;
    void* memory = allocator->allocate(allocator->context, smoother_bytes(count), 8);
    if (memory == NULL)
        return kerb_error_set(error, KERB_ERROR_OUT_OF_MEMORY, "track", 0, -1,
                              "no memory to smooth the track");
    smoother s = smoother_make(memory, count, closed);
    smooth_points(&s, waypoints, (double)tolerance);
    smooth_place(&s, waypoints);
    smooth_widths(&s, waypoints);
    allocator->release(allocator->context, memory, smoother_bytes(count));
    return KERB_OK;
}
