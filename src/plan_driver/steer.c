// Which way to turn the wheels: what lies ahead, and how fast they turn, looked at together.
//
// Curvature jumps in a plan; wheels turn at their rate and up to their lock. Steering for what is
// here comes late for each jump, and what makes up for it asks for more than the lock. So the next
// seconds are looked at as a whole: with e aside, θ turned and κ the curvature that the wheels
// drive, a step of Δs metres, in which the plan turns by Δψ and gets aside by E, gives
//     κ' = κ + h·u,  θ' = θ + Δs·(κ + hu/2) - Δψ,  e' = e + Δs·θ + Δs²·(κ/2 + hu/6) - E,
// which is linear; and u, the rate of the wheels, is chosen so that the sum of e'², of the nose's
// error likewise and of (u/stiffness)² is the least, |u| and |κ| being bounded. Δs is negative in
// reverse and 0 where the plan stands, so one formula looks through cusps, too.
//
// Without bounds one backward recursion solves that (the linear-quadratic regulator with preview).
// With them, an interior-point method repeats it a few times, with weights that grow towards the
// bounds (Rao, Wright and Rawlings, "Application of interior-point methods to model predictive
// control", 1998). At most 10 rounds of 24 steps of some 150 operations.
#include "driver.h"

#define STEER_STEPS 24
#define STEER_ROUNDS 10
#define HORIZON 1.8f          // beyond the time from lock to lock [s]
#define STEER_NOSE 1.0f       // ahead of the rear axle, what is kept near as well [m]
#define STEER_WAY_LEAST 0.02f // slower than that in a step it stands [m]
#define SPREADS 6
#define TOWARDS 0.15f // what is left of the gap to the optimum is aimed at in each round [1]
#define KEPT 0.95f    // of the way to the nearest bound [1]

typedef struct steer_stretch {
    float way;   // Δs, forwards positive [m]
    float turn;  // Δψ [rad]
    float aside; // E, to the left [m]
} steer_stretch;

// How far two bounds of a number are, and what each of them presses with.
typedef struct bounds {
    float least, most;
    float press_least, press_most;
} bounds;

// What they add to the sum: ½·weight·x² + slope·x.
typedef struct pressure {
    float weight, slope;
} pressure;

typedef struct policy {
    float constant, gain[3];
} policy;

typedef struct plan_driver_steering {
    float step; // [s]
    float rate_weight;
    steer_stretch ahead[STEER_STEPS];
    float planned[STEER_STEPS]; // rates at which the plan's own curvature changes
    float rate[STEER_STEPS], curvature[STEER_STEPS + 1]; // as found so far
    bounds of_rate[STEER_STEPS], of_curvature[STEER_STEPS];
    policy policies[STEER_STEPS];
} plan_driver_steering;

static void steer_look_ahead(const kerb_plan* plan, float time, float step, steer_stretch* ahead) {
    kerb_plan_state now = kerb_plan_at(plan, time);
    for (int32_t i = 0; i < STEER_STEPS; i++) {
        kerb_plan_state next = kerb_plan_at(plan, time + step * (float)(i + 1));
        kerb_vec2 way = kerb_vec2_sub(next.pose.position, now.pose.position);
        ahead[i].way = kerb_vec2_dot(now.pose.forward, way);
        ahead[i].aside = kerb_vec2_cross(now.pose.forward, way);
        ahead[i].turn = kerb_atan2(kerb_vec2_cross(now.pose.forward, next.pose.forward),
                                   kerb_vec2_dot(now.pose.forward, next.pose.forward));
        now = next;
    }
}

// The plan's curvature over a step; none where it stands.
static bool steer_bend_of(const steer_stretch* a, float* curvature) {
    if (kerb_abs(a->way) < STEER_WAY_LEAST)
        return false;
    *curvature = a->turn / a->way;
    return true;
}

// How wheels turn that drive the plan: as its curvature changes from the middle of a step to that
// of the next, and a jump that is too quick for them as well before as after.
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

// How much of the way from x by `change` keeps it within its bounds, and how much of the change of
// their presses keeps those above 0.
static void steer_keep_within(const bounds* b, float x, float change, float centre,
                              steer_shares* s) {
    float low = x - b->least, high = b->most - x;
    float least = (centre - b->press_least * (low + change)) / low; // what the presses change by
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

// ½·xᵀPx + pᵀx of a state x = (e, θ, κ); P is symmetric.
typedef struct steer_value {
    float ee, et, ek, tt, tk, kk, e, t, k;
} steer_value;

// The value before a step from that after it, and what to do in it.
static steer_value before(const plan_driver_steering* s, int32_t i, steer_value v, float centre,
                          policy* p) {
    const steer_stretch* a = &s->ahead[i];
    float w = a->way, h = s->step, half = 0.5f * w * w;
    pressure lock = pressure_of(&s->of_curvature[i], s->curvature[i + 1], centre);
    pressure rate = pressure_of(&s->of_rate[i], s->rate[i], centre);
    v.ee += 2.0f;
    v.et += STEER_NOSE;
    v.tt += STEER_NOSE * STEER_NOSE;
    v.kk += lock.weight;
    v.k += lock.slope;
    // P·b and what the step's constants make of p.
    float be = half * h * (1.0f / 3.0f), bt = 0.5f * w * h;
    float pe = v.ee * be + v.et * bt + v.ek * h, pt = v.et * be + v.tt * bt + v.tk * h;
    float pk = v.ek * be + v.tk * bt + v.kk * h;
    float e = v.e - v.ee * a->aside - v.et * a->turn;
    float t = v.t - v.et * a->aside - v.tt * a->turn;
    float k = v.k - v.ek * a->aside - v.tk * a->turn;
    float curved = be * pe + bt * pt + h * pk + s->rate_weight + rate.weight;
    float slope = be * e + bt * t + h * k + rate.slope - s->rate_weight * s->planned[i],
          per = 1.0f / curved;
    // A's transpose of each: e stays, θ += w·e, κ += ½w²·e + w·θ.
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

static void recurse(plan_driver_steering* s, float centre) {
    steer_value v = {0};
    for (int32_t i = STEER_STEPS - 1; i >= 0; i--)
        v = before(s, i, v, centre, &s->policies[i]);
}

// Drives it in thought, and goes as far towards that as the bounds let.
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
        e += w * t + w * w * (0.5f * k + turning * (1.0f / 6.0f)) - a->aside;
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

// Mean of press times distance: 0 at the optimum.
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

// --------------------------------------------------------------------------- the whole

#define CENTRE 10.0f // pressure times distance at first [m²]
#define STEER_INSIDE 0.999f
#define ENOUGH 3e-5f // as near to the optimum as matters [m²]

// How far aside it will get, so driven.
static float farthest_aside(const plan_driver_steering* s, plan_off off) {
    float e = off.aside, t = off.angle, most = 0.0f;
    for (int32_t i = 0; i < STEER_STEPS; i++) {
        const steer_stretch* a = &s->ahead[i];
        float w = a->way, k = s->curvature[i], turning = s->step * s->rate[i];
        e += w * t + w * w * (0.5f * k + turning * (1.0f / 6.0f)) - a->aside;
        t += w * (k + 0.5f * turning) - a->turn;
        most = kerb_max(most, kerb_abs(e));
    }
    return most;
}

// Well within all bounds: the wheels go back to straight at half their rate.
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
                                float time, float pace) {
    plan_driver_steering s = {.rate_weight = 1.0f / (wheels->stiffness * wheels->stiffness)};
    s.step = (2.0f * wheels->most / wheels->rate + HORIZON) / (float)STEER_STEPS;
    off.curvature =
        kerb_clamp(off.curvature, STEER_INSIDE * wheels->least, STEER_INSIDE * wheels->most);
    steer_look_ahead(plan, time, pace * s.step, s.ahead);
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
    return (plan_steered){kerb_clamp(told, wheels->least, wheels->most), farthest_aside(&s, off)};
}
