// Purpose: the grip, learned up where the vehicle holds more than was believed, and down where slip
//          grows without more force.
// Idea:    hypotheses of the grip, each with curves of tyres of several shapes. All rise with the
//          compliance that the axles showed at small slip; they differ in where they end. A window
//          near the limit says how likely each is. The axle that slips more for its force is the
//          one that limits the vehicle.
// Cost:    O(hypotheses) a window near the limit.
#include "body.h"
#include "frame.h"

#include "../base/shared.h"

#define BODY_GRIP_LEAST 0.3f  // of the hypotheses, over the described grip
#define BODY_GRIP_RATIO 1.07f // from one to the next: to 2.4
#define BODY_GRIP_NEAR 0.5f   // share of the grip that a window must ask for
#define BODY_GRIP_SPREAD 0.3f // of the prior, relative
// Errors of the curves, relative. More force than a curve gives can hardly be; less can: power on
// an axle, loads that shift, the other axle at its limit.
#define BODY_GRIP_OVER 0.05f
#define BODY_GRIP_UNDER 0.06f
#define BODY_GRIP_DOUBT_MOST 0.8f // of a compliance that tells what slip means, relative
#define BODY_GRIP_DOUBT 0.5f      // of the doubt of the compliance that counts
#define BODY_GRIP_DRAG 0.2f       // of the force of a bend, backwards
#define BODY_GRIP_SLIP_MOST 0.5f  // beyond, it spins [rad]
#define BODY_GRIP_NOISE 0.02f     // of the force, over the described grip
#define BODY_GRIP_ALIKE 0.2f      // windows count so little: their errors are alike
#define BODY_GRIP_WORSE_MOST 8.0f // of a window: bumps and knocks say little
#define BODY_GRIP_FADE 0.995f     // of what is learned, for each window: 20 s at the limit
#define BODY_GRIP_FLOOR 0.04f     // of the value
#define BODY_GRIP_KNOWN 0.08f     // of the value
#define BODY_SLIDE_KNOWN 0.1f

// Shapes: share of the greatest force far beyond the limit. The first is a flat curve.
static const float body_shape_falls[KERB_BODY_SHAPES] = {1.0f, 0.93f, 0.78f};

// Force over the greatest one at a slip over that of a linear tyre, for all hypotheses.
static float body_curve(int32_t shape, float x) {
    if (shape == 0)
        return x / kerb_sqrt(1.0f + x * x);
    float half = 0.5f * x, rises = x / (1.0f + half * half);
    float falls = body_shape_falls[shape];
    return half <= 1.0f ? rises : falls + (1.0f - falls) * rises;
}

void kerb_in_body_describe_grip(kerb_body_estimate* estimate) {
    kerb_body_estimate_memory* m = &estimate->memory;
    for (int32_t i = 0; i < KERB_BODY_GRIPS; i++)
        for (int32_t s = 0; s < KERB_BODY_SHAPES; s++)
            m->grip_weights[s][i] = 0.0f;
    kerb_in_body_fit_grip(estimate);
}

typedef struct body_axle_use {
    float slip, force, compliance; // [rad] [m/s²] [rad s²/m]
    float doubt;                   // of the compliance, relative [1]
    float noise;                   // variance of the slip [rad²]
} body_axle_use;

// Which axle is nearer to its limit: the one that slips more for its compliance.
static body_axle_use body_nearer(const kerb_body_estimate* estimate,
                                 const kerb_in_body_window* window) {
    const kerb_body_estimate_memory* m = &estimate->memory;
    float axle = estimate->following_axle.value;
    body_axle_use use = {.slip = axle * window->curvature - window->slip,
                         .force = window->across + m->following_at * window->yaws,
                         .compliance = estimate->compliance.value,
                         .doubt = m->following_doubt,
                         .noise = m->noise};
    if (m->steered_doubt > BODY_GRIP_DOUBT_MOST)
        return use;
    float angle = m->gain * window->angle[m->angle] + m->trim, square = 1.0f + angle * angle;
    float slip = angle - (m->lead - axle) * window->curvature - window->slip;
    body_axle_use other = {.slip = slip / square,
                           .force = window->across + m->steered_at * window->yaws,
                           .compliance = m->steered_compliance,
                           .doubt = m->steered_doubt,
                           .noise = m->steered_noise};
    bool more = kerb_abs(other.slip) * use.compliance > kerb_abs(use.slip) * other.compliance;
    return more ? other : use;
}

bool kerb_in_body_add_grip(kerb_body_estimate* estimate, const kerb_in_body_window* window) {
    kerb_body_estimate_memory* m = &estimate->memory;
    float limit = estimate->vehicle.lateral_acceleration_max;
    float believed = kerb_in_body_limit(estimate) * window->grip;
    bool may_slip = estimate->tyres.value > 0.5f && m->following_doubt < BODY_GRIP_DOUBT_MOST;
    body_axle_use use =
        may_slip ? body_nearer(estimate, window) : (body_axle_use){.force = window->across};
    float force = kerb_abs(use.force);
    float linear = may_slip ? (use.force < 0.0f ? -use.slip : use.slip) / use.compliance : force;
    if (kerb_max(force, linear) < BODY_GRIP_NEAR * believed || linear < 0.0f ||
        kerb_abs(window->along) > kerb_max(0.5f * force, 0.3f * believed) ||
        kerb_abs(use.slip) > BODY_GRIP_SLIP_MOST)
        return false;
    // Errors of the slip matter where force still grows with it.
    float grows = may_slip ? kerb_min(force / kerb_max(linear, 0.1f), 1.0f) : 0.0f;
    float slips = may_slip ? kerb_sqrt(use.noise) / use.compliance : 0.0f;
    float error = grows * (BODY_GRIP_DOUBT * use.doubt * force + slips) + BODY_GRIP_NOISE * limit;
    float over = error + BODY_GRIP_OVER * force, under = error + BODY_GRIP_UNDER * force;
    over = BODY_GRIP_ALIKE * 0.5f / (over * over);
    under = BODY_GRIP_ALIKE * 0.5f / (under * under);
    // A slip angle turns a part of the force backwards: that is no use of the grip by pedals.
    float along = kerb_max(kerb_abs(window->along) - BODY_GRIP_DRAG * force, 0.0f);
    along *= along;
    float most = limit * window->grip * BODY_GRIP_LEAST;
    for (int32_t i = 0; i < KERB_BODY_GRIPS; i++) {
        float left = kerb_sqrt(kerb_max(most * most - along, 0.01f * most * most));
        for (int32_t s = 0; s < KERB_BODY_SHAPES; s++) {
            // Without slip to compare with, only what holds is known.
            float holds = may_slip ? left * body_curve(s, linear / left) : kerb_min(force, left);
            float off = force - holds;
            float worse = (off > 0.0f ? over : under) * off * off;
            m->grip_weights[s][i] = BODY_GRIP_FADE * m->grip_weights[s][i] -
                                    kerb_min(worse, BODY_GRIP_ALIKE * BODY_GRIP_WORSE_MOST);
        }
        most *= BODY_GRIP_RATIO;
    }
    m->grip_taught = BODY_GRIP_FADE * m->grip_taught + 1.0f;
    return true;
}

// The prior is a normal distribution of the ratio's logarithm.
static float body_grip_prior(float ratio) {
    ratio *= 1.0f + 0.5f * BODY_GRIP_SPREAD * BODY_GRIP_SPREAD; // so that the mean is as described
    float far = (ratio - 1.0f) / (BODY_GRIP_SPREAD * kerb_sqrt(ratio));
    return 0.5f * far * far;
}

void kerb_in_body_fit_grip(kerb_body_estimate* estimate) {
    kerb_body_estimate_memory* m = &estimate->memory;
    float limit = estimate->vehicle.lateral_acceleration_max, best = -1.0e30f;
    float ratios[KERB_BODY_GRIPS], priors[KERB_BODY_GRIPS];
    for (int32_t i = 0; i < KERB_BODY_GRIPS; i++) {
        ratios[i] = i == 0 ? BODY_GRIP_LEAST : ratios[i - 1] * BODY_GRIP_RATIO;
        priors[i] = body_grip_prior(ratios[i]);
    }
    for (int32_t s = 0; s < KERB_BODY_SHAPES; s++)
        for (int32_t i = 0; i < KERB_BODY_GRIPS; i++)
            best = kerb_max(best, m->grip_weights[s][i] - priors[i]);
    float all = 0.0f, mean = 0.0f, square = 0.0f, falls = 0.0f, falls_square = 0.0f;
    float by_grip[KERB_BODY_GRIPS] = {0};
    for (int32_t i = 0; i < KERB_BODY_GRIPS; i++) {
        float ratio = ratios[i], prior = priors[i];
        for (int32_t s = 0; s < KERB_BODY_SHAPES; s++) {
            float weight = estimate_falling(best - m->grip_weights[s][i] + prior);
            by_grip[i] += weight;
            falls += weight * body_shape_falls[s];
            falls_square += weight * body_shape_falls[s] * body_shape_falls[s];
        }
        all += by_grip[i];
        mean += by_grip[i] * ratio;
        square += by_grip[i] * ratio * ratio;
    }
    float per = 1.0f / all, below = 0.0f;
    mean *= per, square *= per, falls *= per, falls_square *= per;
    float floor = BODY_GRIP_FLOOR * mean;
    float deviation = kerb_sqrt(kerb_max(square - mean * mean, 0.0f) + floor * floor);
    estimate->grip =
        (kerb_estimated){mean * limit, deviation * limit, deviation < BODY_GRIP_KNOWN * mean};
    estimate->slide_grip.value = falls;
    estimate->slide_grip.deviation =
        kerb_sqrt(kerb_max(falls_square - falls * falls, 0.0f) + 0.02f * 0.02f);
    estimate->slide_grip.known = estimate->slide_grip.deviation < BODY_SLIDE_KNOWN;
    int32_t least = 0;
    while (least < KERB_BODY_GRIPS - 1 && below + by_grip[least] < 0.05f * all)
        below += by_grip[least++];
    float part = by_grip[least] > 0.0f ? (0.05f * all - below) / by_grip[least] : 0.0f;
    estimate->grip_at_least =
        limit * ratios[least] * (1.0f + (part - 0.5f) * (BODY_GRIP_RATIO - 1.0f));
}
