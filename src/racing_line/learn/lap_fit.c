// Purpose: the tyres and wings that explain best what the bins of a lap learner have measured.
// Idea:    An axle at the slip angle s holds m·y(c·s/m) of what is described under its load: c its
//          stiffness, m its grip, y the force over the grip, by x = y + b·y⁵ up to the grip, about;
//          the racer steers by the same law, with the usual b. Near 0 the law does not depend on m,
//          and between 0 and the grip on b/m⁴, so gentle bends teach c and leave m in doubt. Grip,
//          stiffness and downforce of both axles, and b: the values of the greatest probability, by
//          Gauss and Newton's method. Slip is as uncertain as force, so a bin counts by its
//          distance from the whole curve in both directions; the curve is linear about its nearest
//          point. Soft tyres in a hard bend look like stiff ones that slide, so two fits begin,
//          with soft and with stiff tyres, and count by how well they explain the bins.
// Cost:    O(bins), some 5 µs.
// Source:  Boggs, Byrd and Schnabel, "A stable and efficient algorithm for nonlinear orthogonal
//          distance regression", SIAM J. Sci. Stat. Comput. 8, 1987.
#include "lap_learner_parts.h"

#include <string.h>

// Fifth-order part of the law: tyres with the shape of Pacejka's road tyres; its doubt, bounds. [1]
#define LAP_BEND 0.9f
#define LAP_BEND_DOUBT 0.15f
#define LAP_BEND_LEAST 0.3f
#define LAP_BEND_MOST 3.0f
// Beyond their best slip tyres hold this share of what they hold in a steady bend at their limit.
// [1]
#define LAP_SLID 0.955f
// Root of the stiffness, in described grips per slip angle, and its doubt: tyres of roads have 6 to
// 36. Bounds. [rad^-½]
#define LAP_ROOT_USUAL 4.0f
#define LAP_ROOT_DOUBT 1.5f
#define LAP_ROOT_LEAST 1.4f
#define LAP_ROOT_MOST 14.0f
// How much alike the grips of both axles are, before anything is learned. [1]
#define LAP_AXLES_ALIKE 0.8f
// Doubt about the downforce that is described, as a share, and where none is described. [1], [1/m]
#define LAP_WINGS_DOUBT 0.3f
#define LAP_NO_WINGS_DOUBT 0.0005f
// Errors of a window: of force, as use, by load transfer, bumps and the body's sway [1], and of
// slip [rad]. About LAP_ALIKE windows of a bend share their error [1]. The two errors of the law
// are left in the mean of a bin however many windows it has, because no car has quite this law.
// [1], [rad]
#define LAP_USE_ERROR 0.07f
#define LAP_SLIP_ERROR 0.004f
#define LAP_ALIKE 5.0f
#define LAP_USE_LAW_ERROR 0.03f
#define LAP_SLIP_LAW_ERROR 0.002f
// Bins farther away than this many deviations pull no harder than at that distance: kerbs, pushes.
// [1]
#define LAP_FAR 3.0f
// A bin with fewer windows shows nothing that was held. [1]
#define LAP_HELD_WINDOWS 4.0f
// A step is halved so many times less one before it is given up. [1]
#define LAP_PARTS 5
// Points of the curve from which the search for the nearest one begins. [1]
#define LAP_CURVE_POINTS 16

static const float lap_roots[KERB_LAP_LEARNER_TYRES] = {2.8f, 5.5f};

void kerb_in_lap_fit_begin(kerb_lap_learner* learner) {
    for (int32_t i = 0; i < KERB_LAP_LEARNER_TYRES; i++) {
        kerb_lap_tyres* t = &learner->memory.tyres[i];
        memset(t, 0, sizeof *t);
        for (int32_t axle = 0; axle < 2; axle++) {
            t->value[LAP_GRIP + axle] = 1.0f;
            t->value[LAP_ROOT + axle] = lap_roots[i];
            t->value[LAP_WINGS + axle] = learner->described.downforce;
            t->variance[axle] = LAP_GRIP_DOUBT * LAP_GRIP_DOUBT;
        }
        t->value[LAP_SHAPE] = LAP_BEND;
    }
}

// --------------------------------------------------------------------------- the law

// The law of one axle, and what was measured there.
typedef struct lap_curve {
    float grip, stiffness, shape;
    float slip, use;             // measured [rad], [1]
    float slip_error, use_error; // their standard deviations
} lap_curve;

// Slip at the share y of the grip, in units of the linear one; its slope.
static float lap_slip_at(const lap_curve* c, float y, float* slope) {
    float y4 = y * y * y * y;
    *slope = 1.0f + 5.0f * c->shape * y4;
    return y * (1.0f + c->shape * y4);
}

// Squared distance of the measurement from the curve at y, in standard deviations.
static float lap_distance(const lap_curve* c, float y) {
    float slope, slip = lap_slip_at(c, y, &slope) * c->grip / c->stiffness;
    float aside = (c->slip - slip) / c->slip_error, above = (c->use - c->grip * y) / c->use_error;
    if (y >= LAP_SLID && c->slip > slip)
        aside = 0.0f; // tyres that slide hold as much at any slip
    return aside * aside + above * above;
}

// The share of the grip at the point of the curve that is nearest to the measurement.
static float lap_nearest(const lap_curve* c) {
    float best = LAP_SLID, least = lap_distance(c, best);
    for (int32_t i = 0; i < LAP_CURVE_POINTS; i++) {
        float y = LAP_SLID * (float)i / (float)LAP_CURVE_POINTS, distance = lap_distance(c, y);
        if (distance < least) {
            least = distance;
            best = y;
        }
    }
    for (int32_t i = 0; i < 2; i++) { // Gauss and Newton's steps along the curve
        float slope, slip = lap_slip_at(c, best, &slope) * c->grip / c->stiffness;
        if (best >= LAP_SLID && c->slip > slip)
            break;
        float along = slope * c->grip / c->stiffness / c->slip_error, up = c->grip / c->use_error;
        float step = along * (c->slip - slip) / c->slip_error +
                     up * (c->use - c->grip * best) / c->use_error;
        best = kerb_clamp(best + step / (along * along + up * up), 0.0f, LAP_SLID);
    }
    return best;
}

// --------------------------------------------------------------------------- the fit

typedef struct lap_normal { // normal equations
    float matrix[LAP_VALUES][LAP_VALUES];
    float right[LAP_VALUES];
} lap_normal;

// What is known before anything is learned.
static void lap_prior(const kerb_lap_learner* learner, const kerb_lap_tyres* t, lap_normal* n,
                      float* misfit) {
    const float down = learner->described.downforce;
    const float wings = LAP_WINGS_DOUBT * down + LAP_NO_WINGS_DOUBT;
    const float mean[LAP_VALUES] = {1.0f, 1.0f, LAP_ROOT_USUAL, LAP_ROOT_USUAL,
                                    down, down, LAP_BEND};
    const float alone = 1.0f / (1.0f - LAP_AXLES_ALIKE * LAP_AXLES_ALIKE);
    const float doubt[LAP_VALUES] = {LAP_GRIP_DOUBT, LAP_GRIP_DOUBT, LAP_ROOT_DOUBT, LAP_ROOT_DOUBT,
                                     wings,          wings,          LAP_BEND_DOUBT};
    memset(n, 0, sizeof *n);
    for (int32_t i = 0; i < LAP_VALUES; i++)
        n->matrix[i][i] = (i < LAP_ROOT ? alone : 1.0f) / (doubt[i] * doubt[i]);
    n->matrix[0][1] = n->matrix[1][0] = -LAP_AXLES_ALIKE * n->matrix[0][0];
    *misfit = 0.0f;
    for (int32_t i = 0; i < LAP_VALUES; i++) {
        for (int32_t k = 0; k < LAP_VALUES; k++)
            n->right[i] += n->matrix[i][k] * (mean[k] - t->value[k]);
        *misfit += n->right[i] * (mean[i] - t->value[i]);
    }
}

// Standard deviation of the mean of a bin, of one window's error and what is left of the law's.
static float lap_error(const kerb_lap_bin* b, float window, float law) {
    return kerb_sqrt(window * window * LAP_ALIKE / b->windows + law * law);
}

// The curve of an axle, and what a bin has measured there.
static lap_curve lap_curve_of(const kerb_lap_tyres* t, int32_t axle, const kerb_lap_bin* b) {
    float root = t->value[LAP_ROOT + axle];
    float load = b->weight + t->value[LAP_WINGS + axle] * b->pressed;
    return (lap_curve){t->value[LAP_GRIP + axle],
                       root * root,
                       t->value[LAP_SHAPE],
                       b->slip,
                       b->force / load,
                       lap_error(b, LAP_SLIP_ERROR, LAP_SLIP_LAW_ERROR),
                       lap_error(b, LAP_USE_ERROR, LAP_USE_LAW_ERROR)};
}

// Adds what one bin says to the normal equations; returns its squared distance from the curve, in
// deviations.
static float lap_bin_says(const kerb_lap_tyres* t, int32_t axle, const kerb_lap_bin* b,
                          lap_normal* n) {
    int32_t at[4] = {LAP_GRIP + axle, LAP_ROOT + axle, LAP_WINGS + axle, LAP_SHAPE};
    lap_curve c = lap_curve_of(t, axle, b);
    float y = lap_nearest(&c), per, x = lap_slip_at(&c, y, &per);
    float slope = 1.0f / per, nearest = x * c.grip / c.stiffness;
    if (y >= LAP_SLID && c.slip > nearest)
        slope = 0.0f;
    float error = c.use - c.grip * y - c.stiffness * slope * (c.slip - nearest);
    float load = b->weight + t->value[at[2]] * b->pressed;
    float by[4] = {y - x * slope, 2.0f * t->value[at[1]] * nearest * slope,
                   c.grip * y * b->pressed / load, -c.grip * y * y * y * y * y * slope};
    float noise = c.stiffness * slope * c.slip_error;
    float information = 1.0f / (c.use_error * c.use_error + noise * noise);
    float square = error * error * information;
    information *= kerb_min(1.0f, LAP_FAR * LAP_FAR / kerb_max(square, 1.0e-6f));
    for (int32_t i = 0; i < 4; i++) {
        n->right[at[i]] += by[i] * information * error;
        for (int32_t k = 0; k < 4; k++)
            n->matrix[at[i]][at[k]] += by[i] * information * by[k];
    }
    return kerb_min(square, LAP_FAR * LAP_FAR);
}

// The inverse of a symmetric positive matrix, by Gauss and Jordan's elimination, which needs no
// exchange of rows there.
static void lap_invert(float a[LAP_VALUES][LAP_VALUES], float inverse[LAP_VALUES][LAP_VALUES]) {
    for (int32_t i = 0; i < LAP_VALUES; i++)
        for (int32_t j = 0; j < LAP_VALUES; j++)
            inverse[i][j] = i == j ? 1.0f : 0.0f;
    for (int32_t p = 0; p < LAP_VALUES; p++) {
        float per = 1.0f / kerb_max(a[p][p], 1.0e-20f);
        for (int32_t j = 0; j < LAP_VALUES; j++) {
            a[p][j] *= per;
            inverse[p][j] *= per;
        }
        for (int32_t i = 0; i < LAP_VALUES; i++) {
            float times = a[i][p];
            for (int32_t j = 0; i != p && j < LAP_VALUES; j++) {
                a[i][j] -= times * a[p][j];
                inverse[i][j] -= times * inverse[p][j];
            }
        }
    }
}

static void lap_bounds(kerb_lap_tyres* t) {
    for (int32_t axle = 0; axle < 2; axle++) {
        float* v = t->value + axle;
        v[LAP_GRIP] = kerb_clamp(v[LAP_GRIP], LAP_GRIP_LEAST, LAP_GRIP_MOST);
        v[LAP_ROOT] = kerb_clamp(v[LAP_ROOT], LAP_ROOT_LEAST, LAP_ROOT_MOST);
        v[LAP_WINGS] = kerb_max(v[LAP_WINGS], 0.0f);
    }
    t->value[LAP_SHAPE] = kerb_clamp(t->value[LAP_SHAPE], LAP_BEND_LEAST, LAP_BEND_MOST);
}

// The greatest mean use of a bin of the axle, less its own error.
static float lap_held(const kerb_lap_learner_memory* m, const kerb_lap_tyres* t, int32_t axle) {
    float held = 0.0f;
    const kerb_lap_bin* bins = &m->bins[axle][0][0];
    for (int32_t i = 0; i < LAP_BINS / 2; i++) {
        const kerb_lap_bin* b = &bins[i];
        float load = b->weight + t->value[LAP_WINGS + axle] * b->pressed;
        if (b->windows >= LAP_HELD_WINDOWS)
            held = kerb_max(held, b->force / load - lap_error(b, LAP_USE_ERROR, LAP_USE_LAW_ERROR));
    }
    return held;
}

// The normal equations at the values of a fit; its misfit: the squared distances of all bins, and
// of the values from what is known before.
static float lap_equations(const kerb_lap_learner* learner, const kerb_lap_tyres* t,
                           lap_normal* n) {
    float misfit;
    lap_prior(learner, t, n, &misfit);
    for (int32_t axle = 0; axle < 2; axle++) {
        const kerb_lap_bin* bins = &learner->memory.bins[axle][0][0];
        for (int32_t i = 0; i < LAP_BINS / 2; i++)
            if (bins[i].windows > 0.0f)
                misfit += lap_bin_says(t, axle, &bins[i], n);
    }
    return misfit;
}

void kerb_in_lap_fit(const kerb_lap_learner* learner, kerb_lap_tyres* t) {
    lap_normal n, at_step;
    float inverse[LAP_VALUES][LAP_VALUES];
    kerb_lap_tyres from = *t;
    from.misfit = lap_equations(learner, &from, &n);
    lap_invert(n.matrix, inverse);
    // A whole step can go past the best values, and at a bound to and fro for ever: then a part.
    float part = 1.0f;
    for (int32_t k = 0; k < LAP_PARTS; k++) {
        *t = from;
        for (int32_t i = 0; i < LAP_VALUES; i++)
            for (int32_t j = 0; j < LAP_VALUES; j++)
                t->value[i] += part * inverse[i][j] * n.right[j];
        lap_bounds(t);
        t->misfit = lap_equations(learner, t, &at_step);
        if (t->misfit < from.misfit)
            break;
        *t = from;
        part *= 0.5f;
    }
    for (int32_t axle = 0; axle < 2; axle++) {
        t->variance[axle] = inverse[LAP_GRIP + axle][LAP_GRIP + axle];
        t->held[axle] = lap_held(&learner->memory, t, axle);
    }
}
