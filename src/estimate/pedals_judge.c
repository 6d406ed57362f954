// Purpose: what one window teaches of the pedals.
// Idea:    four explanations compete for each window: the regression as it is known now; tyres that
//          give in, so that the force is their limit and not the pedal's; a gearbox that pauses;
//          something else. The regression learns by the probability of its own explanation. That
//          the tyres give in is as probable as the pedal's force being above their limit. Pauses
//          follow one another (a hidden Markov chain of two states), and last no longer than a
//          shift can.
// Cost:    O(terms²/2) where few terms act; O(models) where a pedal moves.
// Source:  Bayesian regression; filtering of a Markov chain of two states.
#include "pedals.h"

#include "../base/shared.h"

#define JUDGE_FIXED 1048576.0f  // as the ring has it
#define JUDGE_DRIVE_BLUR 0.04f  // share of a pedal's force that no model explains
#define JUDGE_TURN_BLUR 0.05f   // resistance of turning, over the lateral acceleration
#define JUDGE_LIMIT_BLUR 0.08f  // share by which the limit of the tyres changes with the load
#define JUDGE_FORCE_LEAST 0.3f  // less than this tells nothing of pauses and tyres [m/s²]
#define JUDGE_MODEL_BLUR 0.2f   // models that differ by less than this share of the noise are alike
#define JUDGE_SCORE_MOST 4.5f   // an equation that is further off is wrong for all models
#define JUDGE_SEEN_STEP 0.5f    // share of the way to a greater force that a window goes
#define JUDGE_OTHER 0.01f       // probability of something else
#define JUDGE_OTHER_SPREAD 3.0f // its deviation [m/s²]
#define JUDGE_SLIP_TOLD 0.15f   // slip that the host tells, beyond which wheels spin or lock [1]
#define JUDGE_PAUSE_RATE 0.15f  // pauses a second of driving [1/s]
#define JUDGE_PAUSE_LENGTH 0.25f // their mean length [s]
#define JUDGE_PAUSE_MOST 1.2f    // no shift takes longer [s]
#define JUDGE_CHANGED 0.3f       // what the past counts after a change of the vehicle
#define JUDGE_CREEP_NOISE 0.15f  // [m/s²]
#define JUDGE_CREEP_BLUR 0.5f    // share of the push of creep that is not known
#define JUDGE_RESTS 0.03f        // slower than this is standstill; of a car [m/s]
#define JUDGE_HOLDS_MOST 8.0f    // log odds

// One pedal in a window: means over its models.
typedef struct judge_pedal {
    float press, bend; // [1]
    float variance;    // of the press between models
    bool moves;
    float presses[KERB_PEDAL_MODELS], bends[KERB_PEDAL_MODELS]; // where it moves
} judge_pedal;

// What the present values say of a window.
typedef struct judge_view {
    judge_pedal pedals[2];
    int32_t terms[KERB_PEDAL_TERMS]; // that act
    float of[KERB_PEDAL_TERMS];      // how much
    int32_t count;
    float strength[2], bends[2]; // force per press and per bend [m/s²]
    float force[2];              // of each pedal [m/s²]
    float loss;                  // [m/s²]
    float error;                 // observed less expected [m/s²]
    float noise;                 // variance of the observation
    float spread;                // … and of the values
} judge_view;

static float judge_square(float x) {
    return x * x;
}

static float judge_density(float error, float variance) {
    return 0.4f * estimate_falling(0.5f * error * error / variance) / kerb_sqrt(variance);
}

static const uint32_t* judge_row(const kerb_pedal_estimate_memory* m, int32_t ago) {
    return m->ring[(m->tick - ago + KERB_PEDAL_RING) % KERB_PEDAL_RING];
}

static void judge_means(const uint32_t* restrict end, const uint32_t* restrict begin, float scale,
                        float* restrict means) {
    for (int32_t l = 0; l < KERB_PEDAL_LAGS; l++)
        means[l] = (float)(int32_t)(end[l] - begin[l]) * scale;
}

static void judge_press(const kerb_pedal_estimate_memory* m, int32_t p, int32_t ticks,
                        judge_pedal* pedal) {
    const kerb_pedal_follows* f = &m->pedals[p];
    // Steady until all lags are over: the models agree.
    pedal->moves = f->steady < 1.2f;
    pedal->press = f->command;
    pedal->bend = kerb_in_pedals_bend(f->command);
    pedal->variance = 0.0f;
    if (!pedal->moves)
        return;
    float scale = 1.0f / (JUDGE_FIXED * (float)ticks);
    for (int32_t d = 0; d < KERB_PEDAL_DELAYS; d++) {
        const uint32_t* end = judge_row(m, d) + (ptrdiff_t)p * 2 * KERB_PEDAL_LAGS;
        const uint32_t* begin = judge_row(m, d + ticks) + (ptrdiff_t)p * 2 * KERB_PEDAL_LAGS;
        float* presses = &pedal->presses[(ptrdiff_t)d * KERB_PEDAL_LAGS];
        float* bends = &pedal->bends[(ptrdiff_t)d * KERB_PEDAL_LAGS];
        judge_means(end, begin, scale, presses);
        judge_means(end + KERB_PEDAL_LAGS, begin + KERB_PEDAL_LAGS, scale, bends);
    }
    float press[KERB_PEDAL_LAGS] = {0}, bend[KERB_PEDAL_LAGS] = {0}, squares[KERB_PEDAL_LAGS] = {0};
    for (int32_t d = 0; d < KERB_PEDAL_MODELS; d += KERB_PEDAL_LAGS)
        for (int32_t l = 0; l < KERB_PEDAL_LAGS; l++) {
            float x = f->weight[d + l] * pedal->presses[d + l];
            press[l] += x;
            bend[l] += f->weight[d + l] * pedal->bends[d + l];
            squares[l] += x * pedal->presses[d + l];
        }
    pedal->press = (press[0] + press[1]) + (press[2] + press[3]);
    pedal->bend = (bend[0] + bend[1]) + (bend[2] + bend[3]);
    float square = (squares[0] + squares[1]) + (squares[2] + squares[3]);
    pedal->variance = kerb_max(square - judge_square(pedal->press), 0.0f);
}

static void judge_add_term(judge_view* view, int32_t term, float of) {
    if (of == 0.0f)
        return;
    view->terms[view->count] = term;
    view->of[view->count++] = of;
}

// The terms of one window, and what is expected of it.
static void judge_expect(const kerb_pedal_estimate* estimate, const kerb_in_pedals_window* w,
                         judge_view* view) {
    const kerb_pedal_estimate_memory* m = &estimate->memory;
    const kerb_vehicle* v = &estimate->vehicle;
    const float* x = m->terms;
    const judge_pedal *throttle = &view->pedals[0], *brake = &view->pedals[1];
    float full = kerb_in_pedals_described_drive(v, w->speed), braking = v->braking_max;
    kerb_in_pedals_place at = kerb_in_pedals_place_of(v, w->speed);
    float square = judge_square(w->speed / v->speed_max);
    judge_add_term(view, at.node, full * (1.0f - at.part) * throttle->press);
    judge_add_term(view, at.node + 1, full * at.part * throttle->press);
    judge_add_term(view, PEDALS_BEND, full * throttle->bend);
    judge_add_term(view, PEDALS_BRAKE, -braking * brake->press);
    judge_add_term(view, PEDALS_BRAKE_BEND, -braking * brake->bend);
    judge_add_term(view, PEDALS_ROLLING, -1.0f);
    judge_add_term(view, PEDALS_DRAG, -square);
    float nodes = (1.0f - at.part) * x[at.node] + at.part * x[at.node + 1];
    view->strength[0] = full * nodes;
    view->bends[0] = full * x[PEDALS_BEND];
    view->strength[1] = braking * x[PEDALS_BRAKE];
    view->bends[1] = braking * x[PEDALS_BRAKE_BEND];
    for (int32_t p = 0; p < 2; p++)
        view->force[p] = kerb_max(view->strength[p] * view->pedals[p].press +
                                      view->bends[p] * view->pedals[p].bend,
                                  0.0f);
    view->loss = x[PEDALS_ROLLING] + x[PEDALS_DRAG] * square;
}

// Creep pushes where nothing is pressed: its mean and variance. [m/s²]
static float judge_creep(const kerb_pedal_estimate* estimate, float speed, float* variance) {
    float shares[KERB_PEDAL_CREEPS], mean = 0.0f, square = 0.0f;
    kerb_in_pedals_creep_shares(&estimate->memory, shares);
    for (int32_t c = 0; c < KERB_PEDAL_CREEPS; c++) {
        float push =
            kerb_in_pedals_creep_push(kerb_in_pedals_creep_speed(&estimate->vehicle, c), speed);
        mean += shares[c] * push;
        square += shares[c] * push * push;
    }
    *variance = square - mean * mean + judge_square(JUDGE_CREEP_BLUR * mean);
    return mean;
}

static judge_view judge_look(const kerb_pedal_estimate* estimate, const kerb_in_pedals_window* w) {
    const kerb_pedal_estimate_memory* m = &estimate->memory;
    judge_view view;
    view.count = 0;
    for (int32_t p = 0; p < 2; p++)
        judge_press(m, p, w->ticks, &view.pedals[p]);
    judge_expect(estimate, w, &view);
    float creep = 0.0f, variance = 0.0f;
    if (view.pedals[0].press < 0.05f && view.pedals[1].press < 0.2f &&
        w->speed < 4.0f * kerb_in_pedals_scale(&estimate->vehicle))
        creep = judge_creep(estimate, w->speed, &variance);
    view.error = w->gained - creep - (view.force[0] - view.force[1] - view.loss);
    view.noise = m->noise_sum / m->noise_count + judge_square(JUDGE_TURN_BLUR * w->across) +
                 judge_square(JUDGE_DRIVE_BLUR) *
                     (judge_square(view.force[0]) + judge_square(view.force[1])) +
                 variance;
    for (int32_t p = 0; p < 2; p++)
        view.noise += judge_square(view.strength[p]) * view.pedals[p].variance;
    view.spread = view.noise;
    for (int32_t i = 0; i < view.count; i++)
        for (int32_t j = 0; j <= i; j++)
            view.spread += (i == j ? 1.0f : 2.0f) * view.of[i] * view.of[j] *
                           m->covariance[kerb_in_pedals_pair(view.terms[i], view.terms[j])];
    view.spread = kerb_max(view.spread, view.noise);
    return view;
}

// The models of one pedal that moves: how well each one's press explains the window.
static void judge_models(kerb_pedal_estimate_memory* m, const judge_view* view, int32_t p,
                         float trust) {
    const judge_pedal* pedal = &view->pedals[p];
    float own = judge_square(view->strength[p]) * pedal->variance;
    float noise = view->spread - own; // of all but this pedal's delay
    if (!pedal->moves || own < judge_square(JUDGE_MODEL_BLUR) * noise)
        return;
    float most = m->limits[p].mean, sign = p == 0 ? 1.0f : -1.0f;
    float rest = view->error + sign * view->force[p];
    float strength = view->strength[p], bends = view->bends[p], scale = 0.5f / noise;
    float* scores = m->pedals[p].score;
    trust *= 1.0f / PEDALS_ALIKE;
    most = kerb_max(most, view->force[p]);
    for (int32_t j = 0; j < KERB_PEDAL_MODELS; j++) {
        float force = strength * pedal->presses[j] + bends * pedal->bends[j];
        force = force > 0.0f ? force : 0.0f;
        force = force < most ? force : most;
        float e = rest - sign * force, score = scale * e * e;
        scores[j] -= trust * (score < JUDGE_SCORE_MOST ? score : JUDGE_SCORE_MOST);
    }
}

static void judge_add(kerb_pedal_estimate_memory* m, const judge_view* view, float own) {
    float weight = own / (view->noise * PEDALS_ALIKE);
    float y = view->error; // from the values as they are to the observation
    for (int32_t i = 0; i < view->count; i++)
        y += view->of[i] * m->terms[view->terms[i]];
    for (int32_t i = 0; i < view->count; i++) {
        float share = weight * view->of[i];
        m->products[view->terms[i]] += share * y;
        for (int32_t j = 0; j <= i; j++)
            m->information[kerb_in_pedals_pair(view->terms[i], view->terms[j])] +=
                share * view->of[j];
    }
    m->noise_sum +=
        own * judge_square(view->error) * (m->noise_sum / m->noise_count) / view->spread;
    m->noise_count += own;
}

// The end of a pause of the gearbox: it counts where some of the drive was missing.
static void judge_end_pause(kerb_pedal_estimate_memory* m) {
    if (m->pause_lost > 0.03f) {
        m->pauses += 1.0f;
        m->pauses_sum += m->pause_lost;
        m->pauses_square += judge_square(m->pause_lost);
    }
    m->pause_lost = m->pause_time = 0.0f;
}

// The force that the tyres gave although the pedal, not they, explains it: their limit is beyond
// it. A step of half the way, because a single window may err.
static void judge_seen(kerb_pedal_estimate* estimate, int32_t p, float got, float own) {
    kerb_pedal_limit* limit = &estimate->memory.limits[p];
    if (got <= limit->seen)
        return;
    limit->seen += JUDGE_SEEN_STEP * own * (got - limit->seen);
    kerb_in_pedals_limit_of(estimate, p);
}

// Moves the chain of pauses on. Returns how probable a pause was before this window showed
// anything.
static float judge_pause_before(const kerb_pedal_estimate_memory* m, float time) {
    float enters = m->window_neutral ? 0.5f : JUDGE_PAUSE_RATE * time;
    float leaves = kerb_min(time / JUDGE_PAUSE_LENGTH, 0.9f);
    return m->pausing * (1.0f - leaves) + (1.0f - m->pausing) * enters;
}

static void judge_pause_after(kerb_pedal_estimate* estimate, float pausing, float got, float time) {
    kerb_pedal_estimate_memory* m = &estimate->memory;
    m->pausing = pausing;
    if (pausing > 0.5f) {
        m->pause_time += time;
        m->pause_lost += time * (1.0f - kerb_clamp(got, 0.0f, 1.0f));
        if (m->pause_time > JUDGE_PAUSE_MOST) { // this is no pause: the vehicle changed
            m->pausing = m->pause_time = m->pause_lost = 0.0f;
            kerb_in_pedals_fade(estimate, JUDGE_CHANGED);
            kerb_in_pedals_fit(estimate);
        }
    } else {
        judge_end_pause(m);
    }
}

// How probable it is that the tyres give in, before the motion is looked at.
static float judge_gives_in(const kerb_pedal_estimate_memory* m, const judge_view* view, int32_t p,
                            float limit) {
    if (view->force[p] < JUDGE_FORCE_LEAST)
        return 0.0f;
    bool told = p == 0 ? m->window_spins > JUDGE_SLIP_TOLD : m->window_locks < -JUDGE_SLIP_TOLD;
    if (told)
        return 0.95f;
    float doubt = kerb_sqrt(view->spread + m->limits[p].variance);
    return kerb_in_pedals_above((view->force[p] - limit) / doubt);
}

void kerb_in_pedals_judge(kerb_pedal_estimate* estimate, const kerb_in_pedals_window* w) {
    kerb_pedal_estimate_memory* m = &estimate->memory;
    judge_view view = judge_look(estimate, w);
    int32_t p = view.force[0] >= view.force[1] ? 0 : 1;
    float weight = 1.0f + estimate->vehicle.downforce * w->speed * w->speed / KERB_GRAVITY;
    float limit = m->limits[p].mean * weight;
    // The force of this pedal that the motion shows.
    float got = view.force[p] + (p == 0 ? view.error : -view.error);
    float slips = judge_gives_in(m, &view, p, limit);
    float least = kerb_min(view.force[p], limit), pause = 0.0f;
    bool tells = p == 0 && least > JUDGE_FORCE_LEAST;
    if (tells)
        pause = judge_pause_before(m, w->time);
    float blur = kerb_sqrt(view.noise), none = 0.5f * judge_density(got, view.noise);
    float partly = got > -blur && got < least + blur ? 0.5f / (least + 2.0f * blur) : 0.0f;
    float limit_variance =
        view.noise + m->limits[p].variance + judge_square(JUDGE_LIMIT_BLUR * limit);
    float own = (1.0f - pause) * (1.0f - slips) * judge_density(view.error, view.spread);
    float slid = (1.0f - pause) * slips * judge_density(got - limit, limit_variance);
    float paused = pause * (none + partly);
    float other =
        JUDGE_OTHER * judge_density(view.error, view.spread + judge_square(JUDGE_OTHER_SPREAD));
    float all = own + slid + paused + other + 1.0e-12f;
    for (int32_t k = 0; k < 2; k++)
        judge_models(m, &view, k, 1.0f - (paused + other) / all);
    judge_add(m, &view, own / all);
    if (slid > 0.01f * all) {
        float share = slid / all, value = got / weight;
        m->limits[p].n += share;
        m->limits[p].sum += share * value;
        kerb_in_pedals_limit_of(estimate, p);
    }
    judge_seen(estimate, p, kerb_min(got, view.force[p]) / weight, own / all);
    if (tells)
        judge_pause_after(estimate, paused / all, got / least, w->time);
    else
        m->pausing = m->pause_time = m->pause_lost = 0.0f;
}

// --------------------------------------------------------------------------- creep

void kerb_in_pedals_judge_creep(kerb_pedal_estimate* estimate, const kerb_in_pedals_window* w) {
    kerb_pedal_estimate_memory* m = &estimate->memory;
    float scale = kerb_in_pedals_scale(&estimate->vehicle);
    bool rests = kerb_abs(w->speed) < JUDGE_RESTS * scale && kerb_abs(w->gained) < 0.2f;
    float loss = estimate->rolling.value;
    for (int32_t c = 0; c < KERB_PEDAL_CREEPS; c++) {
        float speed = kerb_in_pedals_creep_speed(&estimate->vehicle, c);
        float push = kerb_in_pedals_creep_push(speed, w->speed);
        float expected = rests ? kerb_max(push - loss, 0.0f) : push - loss;
        float noise = judge_square(JUDGE_CREEP_NOISE) + judge_square(JUDGE_CREEP_BLUR * push) +
                      judge_square(estimate->rolling.deviation);
        float score = 0.5f * judge_square(w->gained - expected) / noise;
        m->creep[c] -= kerb_min(score, JUDGE_SCORE_MOST) * (1.0f / PEDALS_ALIKE);
    }
    m->creep_windows += 1.0f;
    if (!m->windows_since_fit && m->creep_windows >= 2.0f * m->creep_fitted + 4.0f)
        kerb_pedal_estimate_update(estimate);
}

void kerb_in_pedals_judge_hold(kerb_pedal_estimate* estimate, const kerb_in_pedals_window* w) {
    kerb_pedal_estimate_memory* m = &estimate->memory;
    float scale = kerb_in_pedals_scale(&estimate->vehicle), speed = kerb_abs(w->speed);
    bool rests = speed < JUDGE_RESTS * scale;
    // It rolls on at a speed to which it creeps, and the brake does not slow it.
    bool rolls = !rests && speed < 2.0f * scale && w->gained > -0.2f;
    if (rests || rolls)
        m->holds =
            kerb_clamp(m->holds + (rests ? 0.5f : -0.5f), -JUDGE_HOLDS_MOST, JUDGE_HOLDS_MOST);
}
