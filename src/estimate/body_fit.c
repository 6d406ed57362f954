// Purpose: from the sums of the windows to what the axles do.
// Idea:    an axle slips by its compliance times its force over its load. In a body that turns,
//          that force is the acceleration of one point of the body, so the slip of each axle is
//          linear in the curvature, the lateral acceleration of the reference point and the yaw
//          acceleration. For the axle that follows:
//              slip = d·curvature - c·(across + x·yaws)
//          and for the other one, with the tangent T of the wheels' angle:
//              slip = gain·T + trim - (lead - d)·curvature - c'·(across + x'·yaws)
//          Both are linear regressions with the description as the prior. x and x' give the
//          inertia: x + d = b - k²/a, lead - d - x' = a - k²/b (a, b: distances of the axles from
//          the centre of mass; k: radius of gyration).
// Cost:    O(1): some hundred operations, and some tens for each hypothesis of the angle.
// Source:  the single-track model (Rajamani, "Vehicle Dynamics and Control", 2012, section 2.3);
//          centres of percussion and k²/(a·b) (Milliken and Milliken, "Race Car Vehicle Dynamics",
//          1995, chapter 5); Bayesian linear regression.
#include "body.h"
#include "frame.h"

#include "../base/shared.h"

// Windows that together tell as much as one: the errors of the model last as long as a bend.
#define BODY_ALIKE 4.0f
// Slip that even the right model leaves unexplained: a share of the slip of the tyres, and the
// rounding of velocities. [1] [rad]
#define BODY_MISFIT_SHARE 0.03f
#define BODY_MISFIT_LEAST 3.0e-5f
#define BODY_OUTLIER 4.0f        // deviations at which a window counts a quarter
#define BODY_DOUBT 1.0f          // deviations of the compliance at which it does
#define BODY_MISFIT_FIRST 0.03f  // before anything is known [rad]
#define BODY_MISFIT_STEERED 0.1f // of the axle that steers: angles are less sure
#define BODY_SOFTEST 4.5f        // compliance of the softest tyres, over the usual

// The prior.
#define BODY_PRIOR_AXLE 0.1f    // of the place of the axle that follows [wheelbase]
#define BODY_PRIOR_SLIP 0.05f   // slip angle of an average tyre at its grip, if it were linear
#define BODY_PRIOR_POINT 0.3f   // of the points of both axles: k² from 0.4 to 1.6 a·b [wheelbase]
#define BODY_PRIOR_INDEX 0.35f  // of k²/(a·b)
#define BODY_PRIOR_MIDDLE 0.08f // of the centre of mass from the middle [wheelbase]
#define BODY_PRIOR_GAIN 0.35f   // of the commanded steering
#define BODY_PRIOR_TOLD 0.05f   // of the told angle
#define BODY_TOLD_BETTER 10.0f  // 2 · logarithm of the chances that the told angle is right
#define BODY_ANGLES_ALIKE 6.0f  // times as many windows tell as much as one, of angles
#define BODY_PRIOR_TRIM 0.06f   // [lock]
#define BODY_PRIOR_LENGTH 0.04f // of the wheelbase
#define BODY_PRIOR_BALANCE 0.6f // of the difference of the compliances [compliance]
#define BODY_PRIOR_BEND 0.4f    // of slip over force, at the grip; twice at least
#define BODY_LOCK_FALLS 0.15f   // of the lock, over the speeds of a drive
#define BODY_PRIOR_RIGID 0.3f   // share of the hosts without tyres
#define BODY_RIGID_SPREAD 0.02f // compliance of hosts without tyres [usual]
#define BODY_RIGID_RARE 1.7f    // -2 · logarithm of their share over the others'

// What the regressions do not know of themselves.
#define BODY_AXLE_FLOOR 0.008f // [wheelbase]
#define BODY_AXLE_BENDS 0.04f  // of the compliance
#define BODY_SLIP_FLOOR 0.05f  // of the compliance: loads that shift, power
#define BODY_INDEX_FLOOR 0.05f
#define BODY_BALANCE_FLOOR 0.12f // of the compliance: angles of the wheels
#define BODY_RIGID_FLOOR 0.04f   // compliance of a host without tyres [prior compliance]

#define BODY_AXLE_KNOWN 0.03f
#define BODY_SLIP_KNOWN 0.2f
#define BODY_BALANCE_KNOWN 0.15f
#define BODY_GYRATION_KNOWN 0.15f
#define BODY_TYRES_KNOWN 0.05f

static float body_square(float x) {
    return x * x;
}

static float body_prior_compliance(const kerb_vehicle* vehicle) {
    return BODY_PRIOR_SLIP / vehicle->lateral_acceleration_max;
}

static kerb_estimated body_estimated(float value, float variance, float floor, float known) {
    float deviation = kerb_sqrt(kerb_max(variance, 0.0f) + floor * floor);
    return (kerb_estimated){value, deviation, deviation <= known};
}

// Towards the limit slip grows faster than force: by 1 + x²/4 … for round curves and by 1 + x²/2 …
// for flat ones, at a share x of the grip. [s⁴/m²]
static float body_prior_bend(const kerb_vehicle* vehicle) {
    return BODY_PRIOR_BEND / body_square(vehicle->lateral_acceleration_max);
}

void kerb_in_body_describe(kerb_body_estimate* estimate) {
    const kerb_vehicle* v = &estimate->vehicle;
    float compliance = body_prior_compliance(v), length = v->wheelbase;
    kerb_body_estimate_memory* m = &estimate->memory;
    estimate->following_axle =
        (kerb_estimated){v->reference_to_rear_axle, BODY_PRIOR_AXLE * length, false};
    estimate->compliance = (kerb_estimated){compliance, compliance, false};
    estimate->understeer_gradient =
        (kerb_estimated){v->understeer_gradient, BODY_PRIOR_BALANCE * compliance, false};
    float square = 0.25f * length * length;
    estimate->gyration_square = (kerb_estimated){square, BODY_PRIOR_INDEX * square, false};
    estimate->tyres = (kerb_estimated){1.0f - BODY_PRIOR_RIGID, 0.5f, false};
    m->bend = body_prior_bend(v);
    m->noise = body_square(BODY_MISFIT_FIRST);
    m->lead = length;
    m->following_at = -v->reference_to_rear_axle;
    m->steered_at = length - v->reference_to_rear_axle;
    m->gain = 1.0f;
    m->steered_compliance = compliance;
    m->following_doubt = 1.0f;
    m->steered_doubt = 2.0f;
}

// What a window leaves unexplained says whether it belongs to the model at all: spinning wheels and
// knocks do not. [0 … 1]
static float body_trust(const kerb_body_estimate* estimate, const kerb_in_body_window* window,
                        float bent) {
    const kerb_body_estimate_memory* m = &estimate->memory;
    float slips = estimate->following_axle.value * window->curvature - window->slip;
    float off = slips - estimate->compliance.value * bent;
    // Until the axle is known, the other one may be the one that follows.
    float other = m->lead * window->curvature;
    if (!estimate->following_axle.known && kerb_abs(off - other) < kerb_abs(off))
        off -= other, slips -= other;
    float usual = body_prior_compliance(&estimate->vehicle) * kerb_abs(bent);
    float doubt = BODY_DOUBT * estimate->compliance.deviation * bent;
    float trust =
        1.0f / (1.0f + off * off / (BODY_OUTLIER * BODY_OUTLIER * m->noise + doubt * doubt));
    // Softer than the softest tyre: it slides, whatever the force.
    float most = BODY_SOFTEST * usual +
                 3.0f * estimate->following_axle.deviation * kerb_abs(window->curvature);
    float beyond = kerb_max(kerb_abs(slips) - most, 0.0f) * (1.0f / BODY_MISFIT_FIRST);
    trust /= 1.0f + beyond * beyond;
    return trust * trust;
}

void kerb_in_body_add(kerb_body_estimate* estimate, const kerb_in_body_window* window,
                      float weight) {
    kerb_body_estimate_memory* m = &estimate->memory;
    float y = window->slip, force = window->across + m->following_at * window->yaws;
    float square = force * force;
    weight *= body_trust(estimate, window, force * (1.0f + m->bend * square));
    float x[KERB_BODY_FOLLOWING] = {window->curvature, window->across, window->yaws,
                                    force * square};
    kerb_body_following_sums* f = &m->following;
    f->n += weight;
    f->yy += weight * y * y;
    f->apart += weight * window->curvature * window->apart;
    for (int32_t i = 0; i < KERB_BODY_FOLLOWING; i++) {
        f->xy[i] += weight * x[i] * y;
        for (int32_t j = i; j < KERB_BODY_FOLLOWING; j++)
            f->xx[i][j] += weight * x[i] * x[j];
    }
    // Wheels at an angle push along, too, and slip is measured across them: 1/cos³ of the angle.
    float turned = body_square(m->lead * window->curvature);
    force = window->across + m->steered_at * window->yaws;
    float bend = (1.0f + 1.5f * turned) * (1.0f + m->bend * force * force);
    float z[KERB_BODY_STEERED] = {1.0f, window->curvature, bend * window->across,
                                  bend * window->yaws};
    kerb_body_steered_sums* s = &m->steered;
    s->n += weight;
    s->yy += weight * y * y;
    for (int32_t i = 0; i < KERB_BODY_STEERED; i++) {
        s->xy[i] += weight * z[i] * y;
        for (int32_t j = i; j < KERB_BODY_STEERED; j++)
            s->xx[i][j] += weight * z[i] * z[j];
    }
    for (int32_t h = 0; h < KERB_BODY_ANGLES; h++) {
        float a = weight * window->angle[h];
        s->ss[h] += a * window->angle[h];
        s->sy[h] += a * y;
    }
    for (int32_t i = 0; i < KERB_BODY_STEERED; i++)
        for (int32_t h = 0; h < KERB_BODY_ANGLES; h++)
            s->sx[i][h] += weight * window->angle[h] * z[i];
}

// --------------------------------------------------------------------------- regressions

enum { BODY_TERMS_MOST = 4 };

// A linear regression with a prior.
typedef struct body_regression {
    int32_t terms;
    float xx[BODY_TERMS_MOST][BODY_TERMS_MOST], xy[BODY_TERMS_MOST]; // over the noise's variance
    float prior[BODY_TERMS_MOST], spread[BODY_TERMS_MOST];
    float term[BODY_TERMS_MOST], variance[BODY_TERMS_MOST][BODY_TERMS_MOST];
    float determinant; // of the precision in spreads of the prior
} body_regression;

// Inverts the precision. In spreads of the prior it is a unit matrix and more, so that elimination
// without pivoting is safe.
static void body_invert(body_regression* r) {
    float a[BODY_TERMS_MOST][BODY_TERMS_MOST], inverse[BODY_TERMS_MOST][BODY_TERMS_MOST];
    int32_t n = r->terms;
    for (int32_t i = 0; i < n; i++)
        for (int32_t j = 0; j < n; j++) {
            float xx = i <= j ? r->xx[i][j] : r->xx[j][i], one = i == j ? 1.0f : 0.0f;
            a[i][j] = xx * r->spread[i] * r->spread[j] + one;
            inverse[i][j] = one;
        }
    r->determinant = 1.0f;
    for (int32_t i = 0; i < n; i++) {
        float pivot = kerb_max(a[i][i], 0.5f); // 1 or more but for rounding
        r->determinant *= pivot;
        pivot = 1.0f / pivot;
        for (int32_t j = 0; j < n; j++)
            a[i][j] *= pivot, inverse[i][j] *= pivot;
        for (int32_t k = 0; k < n; k++) {
            float factor = k == i ? 0.0f : a[k][i];
            for (int32_t j = 0; j < n; j++)
                a[k][j] -= factor * a[i][j], inverse[k][j] -= factor * inverse[i][j];
        }
    }
    for (int32_t i = 0; i < n; i++)
        for (int32_t j = 0; j < n; j++)
            r->variance[i][j] = inverse[i][j] * r->spread[i] * r->spread[j];
}

static void body_solve(body_regression* r) {
    body_invert(r);
    for (int32_t i = 0; i < r->terms; i++) {
        r->term[i] = 0.0f;
        for (int32_t j = 0; j < r->terms; j++)
            r->term[i] += r->variance[i][j] * (r->xy[j] + r->prior[j] / body_square(r->spread[j]));
    }
}

// --------------------------------------------------------------------------- axle that follows

// What is left unexplained by terms. [rad²]
static float body_following_left(const kerb_body_following_sums* s, const float* term) {
    float left = s->yy;
    for (int32_t i = 0; i < KERB_BODY_FOLLOWING; i++) {
        left -= 2.0f * term[i] * s->xy[i];
        for (int32_t j = 0; j < KERB_BODY_FOLLOWING; j++)
            left += term[i] * term[j] * (i <= j ? s->xx[i][j] : s->xx[j][i]);
    }
    return kerb_max(left, 1.0e-6f * s->yy);
}

typedef struct body_following {
    float axle, compliance, point; // point: from the axle forward to where its force shows [m]
    float axle_square, compliance_square, point_square; // variances
    float bend;                                         // [s⁴/m²]
    float noise;                                        // variance of a window's slip [rad²]
    float left;                                         // unexplained [rad²]
    float far; // from the prior: sum of squares, in its deviations
} body_following;

static float body_noise(float left, float n, float misfit, float force_square) {
    return left / n + body_square(BODY_MISFIT_LEAST) + misfit * misfit * force_square;
}

// The axle that follows, if it is within `spread` of `at`. `rigid`: and never slips. [m]
static body_following body_follow(const kerb_body_estimate* estimate, float at, float spread,
                                  bool rigid) {
    const kerb_body_following_sums* s = &estimate->memory.following;
    float usual = body_prior_compliance(&estimate->vehicle), length = estimate->vehicle.wheelbase;
    float force_square = s->xx[1][1] / s->n;
    body_following found = {.axle = at,
                            .compliance = usual,
                            .noise = kerb_min(body_square(0.1f * usual) * force_square + 1.0e-7f,
                                              estimate->memory.noise)};
    float bend = body_prior_bend(&estimate->vehicle);
    body_regression r = {.terms = KERB_BODY_FOLLOWING};
    for (int32_t pass = 0; pass < 2; pass++) {
        float weight = 1.0f / (found.noise * BODY_ALIKE);
        for (int32_t i = 0; i < KERB_BODY_FOLLOWING; i++) {
            r.xy[i] = weight * s->xy[i];
            for (int32_t j = i; j < KERB_BODY_FOLLOWING; j++)
                r.xx[i][j] = weight * s->xx[i][j];
        }
        float slips = kerb_max(found.compliance, 0.05f * usual);
        r.prior[0] = at, r.spread[0] = spread;
        r.prior[1] = rigid ? 0.0f : -usual;
        r.spread[1] = rigid ? BODY_RIGID_SPREAD * usual : usual;
        r.prior[2] = slips * found.axle, r.spread[2] = slips * BODY_PRIOR_POINT * length;
        r.prior[3] = -slips * bend, r.spread[3] = 1.5f * slips * bend;
        body_solve(&r);
        found.axle = r.term[0];
        found.compliance = kerb_max(-r.term[1], 0.0f);
        float left = body_following_left(s, r.term);
        found.noise = body_noise(left, s->n, BODY_MISFIT_SHARE * found.compliance, force_square);
        found.left = left;
        found.far = 0.0f;
        for (int32_t i = 0; i < KERB_BODY_FOLLOWING; i++)
            found.far += body_square((r.term[i] - r.prior[i]) / r.spread[i]);
    }
    float slips = kerb_max(found.compliance, 0.05f * usual), x = -r.term[2] / slips;
    found.axle_square = r.variance[0][0];
    found.compliance_square = r.variance[1][1];
    found.point = x + found.axle;
    found.bend = kerb_clamp(-r.term[3] / slips, 0.0f, 4.0f * bend);
    // Of x + d, with x = term[2]/term[1].
    float by[3] = {1.0f, x / slips, -1.0f / slips};
    for (int32_t i = 0; i < 3; i++)
        for (int32_t j = 0; j < 3; j++)
            found.point_square += by[i] * by[j] * r.variance[i][j];
    return found;
}

// Where the axle that follows may be: where it was described; at the wheels that were described as
// those that steer, as of forklifts; at the reference point, whose velocity some hosts tell along
// the body; or anywhere. In wheelbases ahead of the described place; -2 · logarithm of its share.
typedef struct body_place {
    float ahead, spread, rare;
} body_place;

static const body_place body_places[] = {
    {0.0f, BODY_PRIOR_AXLE, 0.3f}, {1.0f, BODY_PRIOR_AXLE, 4.6f}, {0.5f, 0.6f, 7.0f}};
enum { BODY_PLACES = sizeof body_places / sizeof *body_places };

// The likeliest hypothesis, with place and compliance as means over all. Half of them never slip.
static body_following body_find_following(const kerb_body_estimate* estimate) {
    const kerb_vehicle* v = &estimate->vehicle;
    body_following all[2 * BODY_PLACES];
    float noise = 1.0e30f, worse[2 * BODY_PLACES];
    for (int32_t i = 0; i < 2 * BODY_PLACES; i++) {
        const body_place* place = &body_places[i / 2];
        float at = v->reference_to_rear_axle - place->ahead * v->wheelbase;
        all[i] = body_follow(estimate, at, place->spread * v->wheelbase, i % 2 == 1);
        noise = kerb_min(noise, all[i].noise);
    }
    int32_t best = 0;
    for (int32_t i = 0; i < 2 * BODY_PLACES; i++) {
        float rare = body_places[i / 2].rare + (i % 2 == 1 ? BODY_RIGID_RARE : 0.0f);
        worse[i] = all[i].left / (noise * BODY_ALIKE) + all[i].far + rare;
        best = worse[i] < worse[best] ? i : best;
    }
    float sum = 0.0f, axle = 0.0f, compliance = 0.0f, axle_square = 0.0f, square = 0.0f;
    for (int32_t i = 0; i < 2 * BODY_PLACES; i++) {
        float weight = estimate_falling(0.5f * (worse[i] - worse[best]));
        float from = all[i].axle - all[best].axle, slips = all[i].compliance - all[best].compliance;
        sum += weight;
        axle += weight * from;
        compliance += weight * slips;
        axle_square += weight * (all[i].axle_square + from * from);
        square += weight * (all[i].compliance_square + slips * slips);
    }
    body_following found = all[best];
    axle /= sum, compliance /= sum;
    found.axle += axle;
    found.compliance += compliance;
    found.axle_square = axle_square / sum - axle * axle;
    found.compliance_square = square / sum - compliance * compliance;
    return found;
}

// --------------------------------------------------------------------------- axle that steers

typedef struct body_steered {
    float gain, trim, compliance, point; // point: from where its force shows to the axle [m]
    float compliance_square, point_square, gain_square;
    int32_t angle;
    float noise;
} body_steered;

// The best hypothesis of the angle, with the other terms eliminated.
static void body_find_angle(const kerb_body_steered_sums* s, const body_regression* r, float weight,
                            float sign, body_steered* found, float* k) {
    float most = -1.0e30f;
    for (int32_t h = 0; h < KERB_BODY_ANGLES; h++) {
        float with[BODY_TERMS_MOST];
        float spread = h == KERB_BODY_DELAYS ? BODY_PRIOR_TOLD : BODY_PRIOR_GAIN;
        float prior = 1.0f / (spread * spread);
        float precision = weight * s->ss[h] + prior, points = weight * s->sy[h] + sign * prior;
        for (int32_t i = 0; i < r->terms; i++) {
            with[i] = 0.0f;
            for (int32_t j = 0; j < r->terms; j++)
                with[i] += r->variance[i][j] * weight * s->sx[j][h];
            precision -= with[i] * weight * s->sx[i][h];
            points -= weight * s->sx[i][h] * r->term[i];
        }
        precision = kerb_max(precision, prior);
        float gain = points / precision, better = points * gain - prior;
        better += h == KERB_BODY_DELAYS ? BODY_TOLD_BETTER : 0.0f;
        if (better <= most)
            continue;
        most = better;
        found->angle = h;
        found->gain = gain;
        found->gain_square = 1.0f / precision;
        for (int32_t i = 0; i < r->terms; i++)
            k[i] = with[i];
    }
}

static float body_steered_left(const kerb_body_steered_sums* s, const float* term, float gain,
                               int32_t h) {
    float left = s->yy + gain * (gain * s->ss[h] - 2.0f * s->sy[h]);
    for (int32_t i = 0; i < KERB_BODY_STEERED; i++) {
        left += 2.0f * term[i] * (gain * s->sx[i][h] - s->xy[i]);
        for (int32_t j = 0; j < KERB_BODY_STEERED; j++)
            left += term[i] * term[j] * (i <= j ? s->xx[i][j] : s->xx[j][i]);
    }
    return kerb_max(left, 1.0e-6f * s->yy);
}

// `lead`: of the steered axle before the other one. [m]
static body_steered body_find_steered(const kerb_body_estimate* estimate,
                                      const body_following* following, float lead) {
    const kerb_body_steered_sums* s = &estimate->memory.steered;
    const kerb_vehicle* v = &estimate->vehicle;
    float usual = body_prior_compliance(v), sign = lead > 0.0f ? 1.0f : -1.0f;
    float slips = kerb_max(following->compliance, 0.05f * usual), force_square = s->xx[2][2] / s->n;
    float at = lead - following->axle;
    body_steered found = {.gain = sign, .noise = 4.0f * following->noise + 1.0e-5f};
    body_regression r = {.terms = KERB_BODY_STEERED};
    const float prior[] = {0.0f, -at, -following->compliance, -slips * at};
    const float spread[] = {
        BODY_PRIOR_TRIM * v->steering_angle_max,
        kerb_sqrt(body_square(BODY_PRIOR_LENGTH * lead) + following->axle_square),
        kerb_sqrt(body_square(BODY_PRIOR_BALANCE * slips) + following->compliance_square),
        slips * (BODY_PRIOR_POINT * kerb_abs(lead) + 0.5f * kerb_abs(at))};
    float k[BODY_TERMS_MOST] = {0};
    for (int32_t pass = 0; pass < 3; pass++) {
        float weight = 1.0f / (found.noise * BODY_ALIKE);
        for (int32_t i = 0; i < KERB_BODY_STEERED; i++) {
            r.prior[i] = prior[i], r.spread[i] = spread[i];
            r.xy[i] = weight * s->xy[i];
            for (int32_t j = i; j < KERB_BODY_STEERED; j++)
                r.xx[i][j] = weight * s->xx[i][j];
        }
        body_solve(&r);
        body_find_angle(s, &r, weight, sign, &found, k);
        for (int32_t i = 0; i < KERB_BODY_STEERED; i++)
            r.term[i] -= k[i] * found.gain;
        float left = body_steered_left(s, r.term, found.gain, found.angle);
        found.noise = body_noise(left, s->n, BODY_MISFIT_STEERED * slips, force_square);
    }
    found.trim = r.term[0];
    found.compliance = kerb_max(-r.term[2], 0.05f * slips);
    found.compliance_square = r.variance[2][2] + k[2] * k[2] * found.gain_square;
    float x = -r.term[3] / found.compliance;
    found.point = -r.term[1] - x;
    const float by[] = {0.0f, -1.0f, -x / found.compliance, 1.0f / found.compliance};
    float through = 0.0f;
    for (int32_t i = 0; i < KERB_BODY_STEERED; i++) {
        through += by[i] * k[i];
        for (int32_t j = 0; j < KERB_BODY_STEERED; j++)
            found.point_square += by[i] * by[j] * r.variance[i][j];
    }
    found.point_square += through * through * found.gain_square;
    return found;
}

// --------------------------------------------------------------------------- values

// 1 - k²/(a·b) from the points of both axles: their sum over the wheelbase, or twice the surer one,
// as far as the centre of mass is in the middle.
static void body_fit_gyration(kerb_body_estimate* estimate, const body_following* following,
                              const body_steered* steered, float lead) {
    float per = 1.0f / lead, m = 0.0f, m_square = 0.0f, off = 0.1f;
    float first = following->point * per, second = steered->point * per;
    float v1 = following->point_square * per * per, v2 = steered->point_square * per * per;
    v2 *= BODY_ANGLES_ALIKE;
    // first = m/2 + g, second = m/2 - g; g: the centre of mass off the middle, times m.
    for (int32_t pass = 0; pass < 2; pass++) {
        float w1 = 1.0f / (v1 + 1.0e-6f), w2 = 1.0f / (v2 + 1.0e-6f);
        float pm = 1.0f / body_square(BODY_PRIOR_INDEX), pg = 1.0f / body_square(off);
        float mm = 0.25f * (w1 + w2) + pm, gg = w1 + w2 + pg, mg = 0.5f * (w1 - w2);
        float ym = 0.5f * (w1 * first + w2 * second), yg = w1 * first - w2 * second;
        float determinant = kerb_max(mm * gg - mg * mg, 1.0e-6f);
        m = (ym * gg - yg * mg) / determinant;
        m_square = gg / determinant;
        off = BODY_PRIOR_MIDDLE * kerb_abs(m) + 0.01f;
    }
    float index = kerb_clamp(1.0f - m, 0.1f, 3.0f);
    float square = 0.25f * body_square(lead) * (1.0f - body_square(2.0f * BODY_PRIOR_MIDDLE));
    estimate->gyration_square = body_estimated(square * index, square * square * m_square,
                                               square * BODY_INDEX_FLOOR * (0.5f + index),
                                               BODY_GYRATION_KNOWN * square * index);
}

// The chances that the compliance that was found is none, or any: Bayes factor of two normal
// distributions.
static float body_chance_of_tyres(float compliance, float variance, float usual) {
    variance += body_square(BODY_RIGID_FLOOR * usual);
    float spread = body_square(2.0f * usual) / variance;
    float rigid =
        BODY_PRIOR_RIGID / (1.0f - BODY_PRIOR_RIGID) * kerb_sqrt(1.0f + spread) *
        estimate_falling(0.5f * body_square(compliance) / variance * spread / (1.0f + spread));
    return 1.0f / (1.0f + rigid);
}

void kerb_in_body_fit(kerb_body_estimate* estimate) {
    kerb_body_estimate_memory* m = &estimate->memory;
    const kerb_vehicle* v = &estimate->vehicle;
    float usual = body_prior_compliance(v), length = v->wheelbase;
    body_following f = body_find_following(estimate);
    // It follows the axle that it is nearer to.
    float lead = f.axle > v->reference_to_rear_axle - 0.5f * length ? length : -length;
    body_steered s = body_find_steered(estimate, &f, lead);
    m->bend = f.bend;
    m->noise = kerb_min(f.noise, body_square(BODY_MISFIT_FIRST));
    m->steered_noise = s.noise;
    m->lead = lead;
    m->following_at = f.point - f.axle;
    m->steered_at = lead - f.axle - s.point;
    m->gain = s.gain;
    m->trim = s.trim;
    m->angle = s.angle;
    m->steered_compliance = s.compliance;
    m->following_doubt = kerb_sqrt(f.compliance_square) / kerb_max(f.compliance, 0.01f * usual);
    m->steered_doubt = kerb_sqrt(s.compliance_square) / kerb_max(s.compliance, 0.01f * usual);
    const kerb_body_following_sums* sums = &m->following;
    estimate->excitation = kerb_sqrt(sums->xx[1][1] / sums->n);
    estimate->misfit = kerb_sqrt(f.left / sums->n);

    float chance = body_chance_of_tyres(f.compliance, f.compliance_square, usual);
    estimate->tyres = body_estimated(chance, chance * (1.0f - chance), 0.01f, 1.0f);
    estimate->tyres.known = chance < BODY_TYRES_KNOWN || chance > 1.0f - BODY_TYRES_KNOWN;
    bool rigid = chance < BODY_TYRES_KNOWN;
    // An engine that moves a vehicle by one step a frame along its newest velocity tells places and
    // velocities of axles half a frame's way apart. Nobody knows which of them is meant.
    float apart = sums->apart / kerb_max(sums->xx[0][0], 1.0e-12f);
    estimate->following_axle = body_estimated(f.axle, f.axle_square + body_square(apart),
                                              BODY_AXLE_FLOOR * length, BODY_AXLE_KNOWN * length);
    estimate->compliance =
        body_estimated(f.compliance, f.compliance_square,
                       BODY_SLIP_FLOOR * f.compliance + 0.5f * BODY_RIGID_FLOOR * usual,
                       BODY_SLIP_KNOWN * f.compliance);
    estimate->compliance.known = estimate->compliance.known || rigid;
    bool told = s.angle == KERB_BODY_DELAYS;
    // Commands alone do not tell a lock that falls with speed from wheels that slip.
    float falls =
        told ? 0.0f : BODY_LOCK_FALLS * length * kerb_sqrt(sums->xx[0][0] / sums->xx[1][1]);
    estimate->understeer_gradient = body_estimated(
        s.compliance - f.compliance, s.compliance_square + f.compliance_square + falls * falls,
        BODY_SLIP_FLOOR * f.compliance, BODY_BALANCE_KNOWN * usual);
    body_fit_gyration(estimate, &f, &s, lead);
    estimate->gyration_square.known = estimate->gyration_square.known && !rigid;
}
