// Purpose: steering by preview: how the wheels must turn in the next seconds, within their angle
//          and their rate.
// Idea:    The curvature of a plan jumps, but wheels turn at a limited rate up to a limited angle.
//          Feed-forward of the present curvature comes late for each jump, and feedback then asks
//          for more than the greatest angle. So the next seconds are optimised together (model
//          predictive control). The state is e, the cross-track error, θ, the heading error, and κ,
//          the curvature of the wheels. In a step of h seconds the vehicle drives Δs metres, and
//          the plan turns by Δψ and moves sideways by E:
//
//              κ' = κ + h·u
//              θ' = θ + Δs·(κ + hu/2) - Δψ
//              e' = e + Δs·(θ - a·(κ + hu/2)) + Δs²·(κ/2 + hu/6) - E
//
//          where a is the distance by which the point that goes where the body points is ahead of
//          the rear axle: 0 but for vehicles whose rear wheels steer.
//          This is linear. The rate u of the wheels minimises the sum of e'², of the squared error
//          of a point ahead of the rear axle, and of (u/stiffness)², where |u| and κ are bounded.
//          Δs is negative in reverse and 0 at a standstill of the plan, so the same formulas hold
//          across cusps.
//
//          Without bounds, one backward recursion solves this: the linear-quadratic regulator with
//          preview. With bounds, an interior-point method repeats the recursion a few times with
//          weights that grow towards the bounds.
// Cost:    O(1): at most 10 rounds of 24 steps of some 150 operations.
// Source:  Rao, Wright and Rawlings, "Application of interior-point methods to model predictive
//          control" (1998).
#include "driver.h"

// Steps of the horizon. Fewer are too coarse for the jumps of a plan; cost grows with the number.
// Chosen by trial. [1]
#define STEER_STEPS 24
// Greatest number of rounds of the interior-point method; it mostly converges earlier. [1]
#define STEER_ROUNDS 10
// Horizon beyond the time to turn the wheels from one greatest angle to the other. Chosen by trial.
// [s]
#define HORIZON 1.8f
// Distance ahead of the rear axle of the second point whose error counts; it damps the heading. Of
// a car. [m]
#define STEER_NOSE 1.0f
// Distance in a step below which the plan counts as at standstill. [m]
#define STEER_WAY_LEAST 0.02f
// What the wheels begin to do within this time counts for the speed. [s]
#define SOON_SWINGS 1.0f
// Rounds that spread the planned rates beyond the wheels' rate to neighbouring steps. Chosen by
// trial. [1]
#define SPREADS 6
// Share of the present gap to the optimum that a round aims at. Usual for interior-point methods.
// [1]
#define TOWARDS 0.15f
// Share of the distance to the nearest bound that a round may go. Usual for interior-point methods.
// [1]
#define KEPT 0.95f

// The plan in a step of the horizon, seen from the start of the step.
typedef struct steer_stretch {
    float way;   // Δs, forwards positive [m]
    float turn;  // Δψ [rad]
    float aside; // E, to the left [m]
} steer_stretch;

// Two bounds of a number, and their multipliers.
typedef struct bounds {
    float least, most;
    float press_least, press_most;
} bounds;

// What the bounds add to the sum: ½·weight·x² + slope·x.
typedef struct pressure {
    float weight, slope;
} pressure;

// The optimal rate of a step, as a linear function of the state (e, θ, κ).
typedef struct policy {
    float constant, gain[3];
} policy;

typedef struct plan_driver_steering {
    float step; // [s]
    float rate_weight;
    float axle, nose; // of the point that follows, and of the nose ahead of it [m]
    steer_stretch ahead[STEER_STEPS];
    float planned[STEER_STEPS]; // rates at which the plan's own curvature changes
    float rate[STEER_STEPS], curvature[STEER_STEPS + 1]; // the present solution
    bounds of_rate[STEER_STEPS], of_curvature[STEER_STEPS];
    policy policies[STEER_STEPS];
} plan_driver_steering;

static void steer_look_ahead(const kerb_plan* plan, float time, float from, float step,
                             steer_stretch* ahead) {
    kerb_plan_state now = kerb_plan_at(plan, kerb_max(time, from));
    for (int32_t i = 0; i < STEER_STEPS; i++) {
        kerb_plan_state next = kerb_plan_at(plan, kerb_max(time + step * (float)(i + 1), from));
        kerb_vec2 way = kerb_vec2_sub(next.pose.position, now.pose.position);
        ahead[i].way = kerb_vec2_dot(now.pose.forward, way);
        ahead[i].aside = kerb_vec2_cross(now.pose.forward, way);
        ahead[i].turn = kerb_atan2(kerb_vec2_cross(now.pose.forward, next.pose.forward),
                                   kerb_vec2_dot(now.pose.forward, next.pose.forward));
        now = next;
    }
}

// The plan's curvature over a step; false at a standstill.
static bool steer_bend_of(const steer_stretch* a, float* curvature) {
    if (kerb_abs(a->way) < STEER_WAY_LEAST)
        return false;
    *curvature = a->turn / a->way;
    return true;
}

// Rates of wheels that drive the plan: the change of its curvature from the middle of a step to the
// middle of the next. A jump that is too fast for the wheels is spread equally before and after it.
static void find_planned(plan_driver_steering* s, float most) {
    float share[STEER_STEPS];
    for (int32_t i = 0; i < STEER_STEPS; i++) {
        float before, after;
        bool known = i > 0 && i + 1 < STEER_STEPS && steer_bend_of(&s->ahead[i - 1], &before) &&
                     steer_bend_of(&s->ahead[i + 1], &after) &&
                     s->ahead[i - 1].way * s->ahead[i].way > 0.0f &&
                     s->ahead[i + 1].way * s->ahead[i].way > 0.0f;
        s->planned[i] = known ? 0.5f * (after - before) / s->step : 0.0f;
    }
    for (int32_t k = 0; k < SPREADS; k++) {
        for (int32_t i = 0; i < STEER_STEPS; i++)
            share[i] = 0.5f * (s->planned[i] - kerb_clamp(s->planned[i], -most, most));
        for (int32_t i = 0; i < STEER_STEPS; i++) {
            s->planned[i] -= 2.0f * share[i];
            s->planned[i] += i > 0 ? share[i - 1] : 0.0f;
            s->planned[i] += i + 1 < STEER_STEPS ? share[i + 1] : 0.0f;
        }
    }
    for (int32_t i = 0; i < STEER_STEPS; i++)
        s->planned[i] = kerb_clamp(s->planned[i], -most, most);
}

// --------------------------------------------------------------------------- bounds

typedef struct steer_shares {
    float way, press;
} steer_shares;

static bounds steer_bounds_of(float least, float most, float x, float centre) {
    return (bounds){least, most, centre / (x - least), centre / (most - x)};
}

static pressure pressure_of(const bounds* b, float x, float centre) {
    float low = 1.0f / (x - b->least), high = 1.0f / (b->most - x);
    pressure p = {.weight = b->press_least * low + b->press_most * high};
    p.slope = centre * (high - low) - p.weight * x;
    return p;
}

// Reduces the shares of a step so that x stays within its bounds and their multipliers stay
// positive.
static void steer_keep_within(const bounds* b, float x, float change, float centre,
                              steer_shares* s) {
    float low = x - b->least, high = b->most - x;
    float least = (centre - b->press_least * (low + change)) / low; // changes of the multipliers
    float most = (centre - b->press_most * (high - change)) / high;
    if (-change * s->way > KEPT * low)
        s->way = KEPT * low / -change;
    if (change * s->way > KEPT * high)
        s->way = KEPT * high / change;
    if (-least * s->press > KEPT * b->press_least)
        s->press = KEPT * b->press_least / -least;
    if (-most * s->press > KEPT * b->press_most)
        s->press = KEPT * b->press_most / -most;
}

static void press_on(bounds* b, float x, float change, float centre, float share) {
    float low = x - b->least, high = b->most - x;
    b->press_least += share * (centre - b->press_least * (low + change)) / low;
    b->press_most += share * (centre - b->press_most * (high - change)) / high;
}

// --------------------------------------------------------------------------- recursion

// Cost to go ½·xᵀPx + pᵀx of a state x = (e, θ, κ). P is symmetric.
typedef struct steer_value {
    float ee, et, ek, tt, tk, kk, e, t, k;
} steer_value;

// The cost to go before a step from the one after it, and the policy of the step.
static steer_value before(const plan_driver_steering* s, int32_t i, steer_value v, float centre,
                          policy* p) {
    const steer_stretch* a = &s->ahead[i];
    float w = a->way, h = s->step, half = 0.5f * w * w - s->axle * w;
    pressure lock = pressure_of(&s->of_curvature[i], s->curvature[i + 1], centre);
    pressure rate = pressure_of(&s->of_rate[i], s->rate[i], centre);
    // Nobody minds that wheels turn at standstill.
    float rate_weight = w == 0.0f ? 0.0f : s->rate_weight;
    // The errors of the point that follows, and of the nose ahead of it.
    float nose = s->axle + s->nose;
    v.ee += 2.0f;
    v.et += s->axle + nose;
    v.tt += s->axle * s->axle + nose * nose;
    v.kk += lock.weight;
    v.k += lock.slope;
    // P·b, and p with the constants of the step.
    float be = h * w * (w * (1.0f / 6.0f) - 0.5f * s->axle), bt = 0.5f * w * h;
    float pe = v.ee * be + v.et * bt + v.ek * h, pt = v.et * be + v.tt * bt + v.tk * h;
    float pk = v.ek * be + v.tk * bt + v.kk * h;
    float e = v.e - v.ee * a->aside - v.et * a->turn;
    float t = v.t - v.et * a->aside - v.tt * a->turn;
    float k = v.k - v.ek * a->aside - v.tk * a->turn;
    float curved = be * pe + bt * pt + h * pk + rate_weight + rate.weight;
    float slope = be * e + bt * t + h * k + rate.slope - rate_weight * s->planned[i],
          per = 1.0f / curved;
    // The transpose of A applied to each: e stays, θ += w·e, κ += ½w²·e + w·θ.
    float ge = pe, gt = w * pe + pt, gk = half * pe + w * pt + pk;
    p->constant = -slope * per;
    p->gain[0] = -ge * per;
    p->gain[1] = -gt * per;
    p->gain[2] = -gk * per;
    float et = w * v.ee + v.et, ek = half * v.ee + w * v.et + v.ek;
    float tk = half * v.et + w * v.tt + v.tk;
    steer_value n = {.ee = v.ee + ge * p->gain[0],
                     .et = et + ge * p->gain[1],
                     .ek = ek + ge * p->gain[2],
                     .tt = w * et + w * v.et + v.tt + gt * p->gain[1],
                     .tk = w * ek + tk + gt * p->gain[2],
                     .e = e + ge * p->constant,
                     .t = w * e + t + gt * p->constant,
                     .k = half * e + w * t + k + gk * p->constant};
    float kk = half * v.ek + w * v.tk + v.kk;
    n.kk = half * ek + w * tk + kk + gk * p->gain[2];
    return n;
}

// Sideways way of the rear axle in a step that begins with θ and κ. [m]
static float steer_way_aside(const plan_driver_steering* s, float way, float angle, float curvature,
                             float turning) {
    float middle = curvature + 0.5f * turning;
    return way * (angle - s->axle * middle) +
           way * way * (0.5f * curvature + turning * (1.0f / 6.0f));
}

static void recurse(plan_driver_steering* s, float centre) {
    steer_value v = {0};
    for (int32_t i = STEER_STEPS - 1; i >= 0; i--)
        v = before(s, i, v, centre, &s->policies[i]);
}

// Simulates the policies and moves the solution as far towards the result as the bounds allow.
static void steer_go_on(plan_driver_steering* s, plan_off off, float centre) {
    float rate[STEER_STEPS], curvature[STEER_STEPS + 1];
    steer_shares share = {1.0f, 1.0f};
    float e = off.aside, t = off.angle, k = off.curvature;
    curvature[0] = k;
    for (int32_t i = 0; i < STEER_STEPS; i++) {
        const policy* p = &s->policies[i];
        const steer_stretch* a = &s->ahead[i];
        float u = p->constant + p->gain[0] * e + p->gain[1] * t + p->gain[2] * k, w = a->way;
        float turning = s->step * u;
        e += steer_way_aside(s, w, t, k, turning) - a->aside;
        t += w * (k + 0.5f * turning) - a->turn;
        k += turning;
        rate[i] = u;
        curvature[i + 1] = k;
        steer_keep_within(&s->of_rate[i], s->rate[i], u - s->rate[i], centre, &share);
        steer_keep_within(&s->of_curvature[i], s->curvature[i + 1], k - s->curvature[i + 1], centre,
                          &share);
    }
    for (int32_t i = 0; i < STEER_STEPS; i++) {
        float by = rate[i] - s->rate[i], bend = curvature[i + 1] - s->curvature[i + 1];
        press_on(&s->of_rate[i], s->rate[i], by, centre, share.press);
        press_on(&s->of_curvature[i], s->curvature[i + 1], bend, centre, share.press);
        s->rate[i] += share.way * by;
        s->curvature[i + 1] += share.way * bend;
    }
}

// Mean of multiplier times distance from the bound (complementarity): 0 at the optimum.
static float gap_of(const plan_driver_steering* s) {
    float sum = 0.0f;
    for (int32_t i = 0; i < STEER_STEPS; i++) {
        const bounds *r = &s->of_rate[i], *k = &s->of_curvature[i];
        sum += r->press_least * (s->rate[i] - r->least) + r->press_most * (r->most - s->rate[i]);
        sum += k->press_least * (s->curvature[i + 1] - k->least) +
               k->press_most * (k->most - s->curvature[i + 1]);
    }
    return sum / (float)(4 * STEER_STEPS);
}

// --------------------------------------------------------------------------- the controller

// Complementarity at the start: multiplier times distance from the bound. Chosen by trial. [m²]
#define CENTRE 10.0f
// Share of the bounds to which the present curvature is clamped, so that it starts inside them. [1]
#define STEER_INSIDE 0.999f
// Gap at which the solution is good enough: errors of some millimetres. [m²]
#define ENOUGH 3e-5f

// Greatest cross-track error of the solution. [m]
static float farthest_aside(const plan_driver_steering* s, plan_off off) {
    float e = off.aside, t = off.angle, most = 0.0f;
    for (int32_t i = 0; i < STEER_STEPS; i++) {
        const steer_stretch* a = &s->ahead[i];
        float w = a->way, k = s->curvature[i], turning = s->step * s->rate[i];
        e += steer_way_aside(s, w, t, k, turning) - a->aside;
        t += w * (k + 0.5f * turning) - a->turn;
        most = kerb_max(most, kerb_abs(e));
    }
    return most;
}

// Greatest change of curvature to one side, of those that begin soon, while it drives. [1/m]
static float greatest_swing(const plan_driver_steering* s) {
    float most = 0.0f, swing = 0.0f;
    for (int32_t i = 0; i < STEER_STEPS; i++) {
        float turning = kerb_abs(s->ahead[i].way) < STEER_WAY_LEAST ? 0.0f : s->rate[i] * s->step;
        if (turning * swing <= 0.0f) {
            swing = 0.0f;
            if ((float)i * s->step > SOON_SWINGS)
                break;
        }
        swing += turning;
        most = kerb_max(most, kerb_abs(swing));
    }
    return most;
}

// A first solution well within all bounds: the wheels turn back to straight at half of their rate.
static void steer_begin(plan_driver_steering* s, const plan_wheels* wheels, float curvature) {
    float most = 0.5f * wheels->rate;
    s->curvature[0] = curvature;
    for (int32_t i = 0; i < STEER_STEPS; i++) {
        s->rate[i] = kerb_clamp(-curvature / s->step, -most, most);
        curvature += s->rate[i] * s->step;
        s->curvature[i + 1] = curvature;
        s->of_rate[i] = steer_bounds_of(-wheels->rate, wheels->rate, s->rate[i], CENTRE);
        s->of_curvature[i] = steer_bounds_of(wheels->least, wheels->most, curvature, CENTRE);
    }
}

plan_steered kerb_in_plan_steer(const kerb_plan* plan, const plan_wheels* wheels, plan_off off,
                                float time, float from, float pace) {
    plan_driver_steering s = {.rate_weight = 1.0f / (wheels->stiffness * wheels->stiffness),
                              .axle = wheels->axle,
                              .nose = STEER_NOSE * wheels->scale};
    s.step = (2.0f * wheels->most / wheels->rate + HORIZON + kerb_abs(wheels->axle)) /
             (float)STEER_STEPS;
    off.curvature =
        kerb_clamp(off.curvature, STEER_INSIDE * wheels->least, STEER_INSIDE * wheels->most);
    steer_look_ahead(plan, time, from, pace * s.step, s.ahead);
    find_planned(&s, wheels->rate);
    steer_begin(&s, wheels, off.curvature);
    for (int32_t i = 0; i < STEER_ROUNDS; i++) {
        float gap = gap_of(&s), centre = TOWARDS * gap;
        if (gap < ENOUGH)
            break;
        recurse(&s, centre);
        steer_go_on(&s, off, centre);
    }
    float told = off.curvature + s.rate[0] * wheels->answer;
    return (plan_steered){kerb_clamp(told, wheels->least, wheels->most), farthest_aside(&s, off),
                          greatest_swing(&s)};
}
