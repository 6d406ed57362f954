// Purpose: the lap time of a line of nodes, and its derivatives by every curvature and length.
// Idea:    The speed profile comes from a pass forwards and a separate pass backwards; the lower
//          speed of both holds (kerb_speed_profile does this exactly; a test compares the two).
//          Where a pass meets the limit of a corner, the minimum is rounded off. So the time
//          changes smoothly with the line, and a whole corner shares the derivative of its slowest
//          point.
//          The derivatives come from the same passes in reverse (the adjoint method): the
//          derivative by the speed at a point becomes the derivatives by the speed at the point
//          before, and by the curvature and the length in between.
// Cost:    O(nodes); the derivatives cost about two thirds of the time.
// Source:  Vamos 4.1, 4.2 for the laws; Giles and Pierce, "An introduction to the adjoint approach
//          to design", 2000.
#include "load.h"

#define GRAVITY ((double)KERB_GRAVITY)
// Width of the rounding over the limit. It is at most the gain of squared speed over ROUNDING_GAIN
// nodes, otherwise a weak vehicle would never come near its limits; and at least ROUNDING_LEAST of
// the limit. Chosen by trial. [1]
#define ROUNDING 0.03
#define ROUNDING_GAIN 4.0
#define ROUNDING_LEAST 1.0e-6
// Greatest number of laps of the passes on a closed line. Only a vehicle that never reaches its
// limits needs more than one. [1]
#define RACING_LINE_LAP_LAPS_MAX 3
// Squared speed at the end of a lap over that at its start, from which on the lap counts as closed.
// [1]
#define RACING_LINE_LAP_HELD 0.98
// The slope of the friction ellipse is infinite where all grip is used. Below this share of the
// grip the slope at this share counts. Chosen by trial. [1]
#define ELLIPSE_LEAST 0.1
// Least squared speed, (0.1 m/s)², so that the time stays finite. [m²/s²]
#define RACING_LINE_LAP_SQUARE_LEAST 1.0e-2

// Data of the vehicle that are equal for all nodes.
typedef struct racing_line_vehicle {
    const kerb_performance* performance;
    double lateral, drive_share, brake_share;
    double drive_loss, brake_loss; // share lost of the grip that turning leaves
    double powered;                // factor of the lateral acceleration while driving
    double turning;                // share of the lateral acceleration that takes from the engine
    double drag, rolling, downforce, top;
    double engine_least; // least acceleration of the engine at any speed
    double engine_steps; // entries of its table per m/s
} racing_line_vehicle;

// Tyres and gravity at a node, for the squared speed b.
typedef struct racing_line_grip {
    double load, load_gain;   // the tyres hold load + load_gain·b
    double aside, aside_gain; // the lateral acceleration is aside + aside_gain·b
    double climb;             // deceleration of slope and rolling
} racing_line_grip;

// An acceleration along the line, and its derivatives.
typedef struct racing_line_lap_pull {
    double value, by_square, by_curvature;
} racing_line_lap_pull;

static double engine_least_of(const kerb_performance* p) {
    double least = (double)p->drive[0];
    for (int32_t i = 1; i < KERB_DRIVE_COUNT; i++)
        least = line_least(least, (double)p->drive[i]);
    return least;
}

static racing_line_vehicle vehicle_of(const kerb_performance* p) {
    bool ellipse = p->budget != KERB_TRACTION_LINEAR;
    racing_line_vehicle c = {p,
                             (double)p->lateral,
                             0.0,
                             0.0,
                             ellipse ? (double)p->driving_loss : 0.0,
                             ellipse ? (double)p->braking_loss : 0.0,
                             ellipse ? 1.0 / (1.0 - (double)p->powered_loss) : 1.0,
                             ellipse ? (double)p->turning_drag : 0.0,
                             (double)p->drag,
                             (double)p->rolling,
                             (double)p->downforce,
                             0.0,
                             engine_least_of(p),
                             0.0};
    c.drive_share = (double)p->accelerating / c.lateral;
    c.brake_share = (double)p->braking / c.lateral;
    c.top = (double)p->speed_max * (double)p->speed_max;
    c.engine_steps = (double)(KERB_DRIVE_COUNT - 1) / (double)p->speed_max;
    return c;
}

static inline racing_line_grip racing_line_lap_grip_at(const line_view* v,
                                                       const racing_line_vehicle* c, int32_t i) {
    racing_line_grip g;
    double tyres = c->lateral * v->grip[i];
    g.load = tyres * v->normal_z[i];
    g.load_gain = tyres / GRAVITY * (v->curvature_load[i] + c->downforce);
    g.aside = GRAVITY * v->up_left[i];
    g.aside_gain = v->bent[i];
    g.climb = GRAVITY * v->up_forward[i] + c->rolling;
    return g;
}

// ------------------------------------------------------------------- limits

// Lowers `most` to the greatest b on one side. [side: 1 sliding to the right, -1 to the left]
static void limit_side(const racing_line_grip* g, double side, double* most, double* slope) {
    double room = g->load - side * g->aside, gain = side * g->aside_gain - g->load_gain;
    if (room > *most * gain && room > 0.0)
        return;
    *most = room > 0.0 ? room / gain : 0.0;
    *slope = room > 0.0 ? -side * *most / gain : 0.0;
}

// ------------------------------------------------------------------- one step along the line

static inline double engine_at(const racing_line_vehicle* c, double speed, double* slope) {
    const double last = (double)(KERB_DRIVE_COUNT - 1) - 0.001;
    double at = line_least(speed * c->engine_steps, last);
    int32_t i = (int32_t)at;
    double low = (double)c->performance->drive[i], high = (double)c->performance->drive[i + 1];
    *slope = (high - low) * c->engine_steps;
    return low + (high - low) * (at - (double)i);
}

// Acceleration that turning leaves of the grip. With `slopes` also its derivatives.
static inline racing_line_lap_pull tyres_at(const racing_line_vehicle* c, const racing_line_grip* g,
                                            double b, bool slopes) {
    racing_line_lap_pull t = {0.0, 0.0, 0.0};
    double load = line_most(g->load + g->load_gain * b, 0.0);
    double aside = g->aside + g->aside_gain * b;
    if (c->performance->budget == KERB_TRACTION_LINEAR) {
        // The limit by grip alone, even where it is more than the vehicle's top speed.
        double limit = LINE_LIMIT_NONE, slope = 0.0;
        limit_side(g, 1.0, &limit, &slope);
        limit_side(g, -1.0, &limit, &slope);
        limit = line_most(limit, RACING_LINE_LAP_SQUARE_LEAST);
        double left = line_most(1.0 - sqrt(b / limit), 0.0);
        t.value = load * left;
        if (slopes && left > 0.0) {
            double steep = 0.5 * load / sqrt(b * limit);
            t.by_square = g->load_gain * left - steep;
            t.by_curvature = steep * b / limit * slope;
        }
        return t;
    }
    double square = line_most((load - aside) * (load + aside), 0.0);
    t.value = sqrt(square);
    if (slopes) {
        double steep = 1.0 / line_most(t.value, ELLIPSE_LEAST * load + 1.0e-6);
        t.by_square = (load * g->load_gain - aside * g->aside_gain) * steep;
        t.by_curvature = -aside * b * steep;
    }
    return t;
}

// Takes off what braking or driving loses while turning. `t`: what the ellipse leaves.
static inline racing_line_lap_pull less(racing_line_lap_pull t, double loss,
                                        const racing_line_grip* g, double b) {
    double load = g->load + g->load_gain * b;
    if (loss <= 0.0 || load <= 0.0)
        return t;
    double share = line_least(t.value / load, 1.0), slope = 1.0 - loss + 2.0 * loss * share;
    racing_line_lap_pull result = {t.value * (1.0 - loss + loss * share),
                                   t.by_square * slope - loss * share * share * g->load_gain,
                                   t.by_curvature * slope};
    return result;
}

static inline racing_line_lap_pull scaled(racing_line_lap_pull p, double factor) {
    racing_line_lap_pull result = {p.value * factor, p.by_square * factor, p.by_curvature * factor};
    return result;
}

// Acceleration of the engine, less what turning takes from it.
static inline racing_line_lap_pull engine_pull(const racing_line_vehicle* c,
                                               const racing_line_grip* g, double b) {
    double slope, speed = sqrt(b);
    racing_line_lap_pull p = {engine_at(c, speed, &slope), 0.5 * slope / speed, 0.0};
    double load = g->load + g->load_gain * b, aside = g->aside + g->aside_gain * b;
    if (c->turning > 0.0 && load > 0.0) {
        double share = line_least(fabs(aside) / load, 1.0), side = aside < 0.0 ? -1.0 : 1.0;
        double steep = share < 1.0 ? 2.0 * share * side : side;
        p.value -= c->turning * share * fabs(aside);
        p.by_square -= c->turning * steep * g->aside_gain;
        p.by_square += share < 1.0 ? c->turning * share * share * g->load_gain : 0.0;
        p.by_curvature = -c->turning * steep * b;
    }
    return p;
}

static inline racing_line_lap_pull driving_at(const racing_line_vehicle* c,
                                              const racing_line_grip* g, double b, bool slopes) {
    racing_line_grip powered = *g;
    powered.aside *= c->powered;
    powered.aside_gain *= c->powered;
    racing_line_lap_pull p =
        scaled(less(tyres_at(c, &powered, b, slopes), c->drive_loss, g, b), c->drive_share);
    p.by_curvature *= c->powered;
    if (p.value > c->engine_least || c->turning > 0.0) {
        racing_line_lap_pull engine = engine_pull(c, g, b);
        if (engine.value < p.value)
            p = engine;
    }
    p.value -= g->climb + c->drag * b;
    p.by_square -= c->drag;
    return p;
}

// Deceleration, which the backward pass sees as a gain of speed.
static inline racing_line_lap_pull racing_line_lap_braking_at(const racing_line_vehicle* c,
                                                              const racing_line_grip* g, double b,
                                                              bool slopes) {
    racing_line_lap_pull p =
        scaled(less(tyres_at(c, g, b, slopes), c->brake_loss, g, b), c->brake_share);
    p.value += g->climb + c->drag * b;
    p.by_square += c->drag;
    return p;
}

// The minimum of both, rounded off; never more than either.
static inline double soft_least(double reached, double limit, double round) {
    double apart = reached - limit;
    return 0.5 * (reached + limit - sqrt(apart * apart + round * round));
}

static inline double racing_line_lap_reach(double b, double length, double acceleration) {
    return b + 2.0 * length * acceleration;
}

// Width of the rounding at a limit. `gain`: of squared speed to the next node on a straight.
static double rounding_of(double limit, double gain) {
    double most = line_least(ROUNDING * limit, ROUNDING_GAIN * gain);
    return line_most(most, ROUNDING_LEAST * limit);
}

static void find_rounding(const line_view* v, const racing_line_vehicle* c,
                          const racing_line_grip* g, int32_t i) {
    double slope, limit = v->limit[i], length = v->head->spacing;
    double load = line_most(g->load + g->load_gain * limit, 0.0);
    double driving = line_least(c->drive_share * load, engine_at(c, sqrt(limit), &slope));
    double drag = c->drag * limit + g->climb;
    v->round_forward[i] = rounding_of(limit, 2.0 * length * (driving - drag));
    v->round_backward[i] = rounding_of(limit, 2.0 * length * (c->brake_share * load + drag));
}

static int32_t find_limits(const line_view* v, const racing_line_vehicle* c) {
    int32_t slowest = 0;
    for (int32_t i = 0; i < v->nodes; i++) {
        racing_line_grip g = racing_line_lap_grip_at(v, c, i);
        double most = c->top, slope = 0.0;
        limit_side(&g, 1.0, &most, &slope);
        limit_side(&g, -1.0, &most, &slope);
        if (v->head->settings.crest_load > 0.0f) {
            double light = kerb_in_line_load_limit(v->head, v->curvature_load[i], v->normal_z[i]);
            slope = light < most ? 0.0 : slope;
            most = line_least(most, light);
        }
        v->limit[i] = line_most(most, RACING_LINE_LAP_SQUARE_LEAST);
        v->limit_slope[i] = slope;
        find_rounding(v, c, &g, i);
        slowest = v->limit[i] < v->limit[slowest] ? i : slowest;
    }
    return slowest;
}

// ------------------------------------------------------------------- the passes

static inline int32_t racing_line_lap_next_of(const line_view* v, int32_t i) {
    return i + 1 < v->nodes ? i + 1 : 0;
}

static inline int32_t racing_line_lap_last_of(const line_view* v, int32_t i) {
    return i > 0 ? i - 1 : v->nodes - 1;
}

static inline void step_forwards(const line_view* v, const racing_line_vehicle* c, int32_t from,
                                 int32_t to) {
    racing_line_grip g = racing_line_lap_grip_at(v, c, from);
    double b = v->forward[from];
    double a = driving_at(c, &g, b, false).value;
    double reached = soft_least(racing_line_lap_reach(b, v->length[from], a), v->limit[to],
                                v->round_forward[to]);
    v->forward[to] = line_most(reached, RACING_LINE_LAP_SQUARE_LEAST);
}

static inline void step_backwards(const line_view* v, const racing_line_vehicle* c, int32_t from,
                                  int32_t to) {
    racing_line_grip g = racing_line_lap_grip_at(v, c, from);
    double b = v->backward[from];
    double a = racing_line_lap_braking_at(c, &g, b, false).value;
    double reached =
        soft_least(racing_line_lap_reach(b, v->length[to], a), v->limit[to], v->round_backward[to]);
    v->backward[to] = line_most(reached, RACING_LINE_LAP_SQUARE_LEAST);
}

// The first nodes of the passes. Closed: both at the slowest node. Open: at the ends, at the speed
// that these allow.
typedef struct racing_line_starts {
    int32_t forward, backward;
} racing_line_starts;

static racing_line_starts starts_of(const line_view* v, int32_t slowest) {
    racing_line_starts s = {v->closed ? slowest : 0, v->closed ? slowest : v->nodes - 1};
    return s;
}

static void racing_line_lap_pass(const line_view* v, const racing_line_vehicle* c,
                                 racing_line_starts s) {
    int32_t f = s.forward, b = s.backward;
    for (int32_t n = 1; n < v->nodes; n++) {
        int32_t next = racing_line_lap_next_of(v, f), last = racing_line_lap_last_of(v, b);
        step_forwards(v, c, f, next);
        step_backwards(v, c, b, last);
        f = next;
        b = last;
    }
}

// A closed lap must end with the speed at which it begins. If the limit at the start cannot be
// reached, the passes run another lap.
static void pass_laps(const line_view* v, const racing_line_vehicle* c, racing_line_starts s) {
    v->forward[s.forward] = v->limit[s.forward];
    v->backward[s.backward] = v->limit[s.backward];
    for (int32_t lap = 0; lap < RACING_LINE_LAP_LAPS_MAX; lap++) {
        double forward = v->forward[s.forward], backward = v->backward[s.backward];
        racing_line_lap_pass(v, c, s);
        v->head->laps = lap + 1;
        if (!v->closed)
            return;
        step_forwards(v, c, racing_line_lap_last_of(v, s.forward), s.forward);
        step_backwards(v, c, racing_line_lap_next_of(v, s.backward), s.backward);
        bool held = v->forward[s.forward] > RACING_LINE_LAP_HELD * forward;
        if (held && v->backward[s.backward] > RACING_LINE_LAP_HELD * backward)
            break;
    }
}

double kerb_in_line_lap(const line_view* v) {
    racing_line_vehicle c = vehicle_of(&v->head->performance);
    if (v->head->sharp)
        kerb_in_line_shape_sharpen(v, v->curvature, v->bent);
    else
        for (int32_t i = 0; i < v->nodes; i++)
            v->bent[i] = v->curvature[i];
    kerb_in_line_load_nodes(v);
    int32_t slowest = find_limits(v, &c);
    pass_laps(v, &c, starts_of(v, slowest));
    for (int32_t i = 0; i < v->nodes; i++)
        v->speed[i] = sqrt(line_least(v->forward[i], v->backward[i]));
    kerb_in_line_wrap(v, v->speed);
    double time = 0.0;
    for (int32_t i = 0; i < v->nodes; i++)
        time += 2.0 * v->length[i] / (v->speed[i] + v->speed[i + 1]);
    return time;
}

// ------------------------------------------------------------------- the adjoint

// Derivatives of the time by each squared speed, given to the pass that set it.
static void share_worth(const line_view* v) {
    for (int32_t i = 0; i < v->nodes; i++) {
        double after = v->speed[i] + v->speed[i + 1], before = v->speed[i] + v->speed[i - 1];
        double last_length = i > 0 || v->closed ? v->length[racing_line_lap_last_of(v, i)] : 0.0;
        double worth = -(v->length[i] / (after * after) +
                         last_length / (i > 0 || v->closed ? before * before : 1.0)) /
                       v->speed[i];
        bool slower = v->forward[i]<v->backward[i], faster = v->forward[i]> v->backward[i];
        double of_forward = slower ? 1.0 : faster ? 0.0 : 0.5;
        v->length_worth[i] = 2.0 / after;
        v->forward_worth[i] = worth * of_forward;
        v->backward_worth[i] = worth * (1.0 - of_forward);
        v->bent_worth[i] = 0.0;
    }
}

// The adjoint of the step `from` -> `to` of a pass. `stretch` is the node whose length it went
// along.
static inline void unstep(const line_view* v, int32_t from, int32_t to, int32_t stretch,
                          racing_line_lap_pull p, double b, double round, double* worth) {
    double length = v->length[stretch];
    double apart = racing_line_lap_reach(b, length, p.value) - v->limit[to];
    double by_gap = 0.5 / sqrt(apart * apart + round * round), share = apart * by_gap;
    // The rounding grows with the limit, unless the gain of the vehicle sets it.
    double grows = round >= 0.999 * ROUNDING * v->limit[to] ? by_gap * round * ROUNDING : 0.0;
    double of_limit = worth[to] * (0.5 + share - grows), of_reached = worth[to] * (0.5 - share);
    v->bent_worth[to] += of_limit * v->limit_slope[to];
    v->length_worth[stretch] += 2.0 * of_reached * p.value;
    v->bent_worth[from] += 2.0 * of_reached * length * p.by_curvature;
    worth[to] = 0.0;
    worth[from] += of_reached * (1.0 + 2.0 * length * p.by_square);
}

static inline void unstep_forwards(const line_view* v, const racing_line_vehicle* c, int32_t from,
                                   int32_t to) {
    racing_line_grip g = racing_line_lap_grip_at(v, c, from);
    double b = v->forward[from];
    unstep(v, from, to, from, driving_at(c, &g, b, true), b, v->round_forward[to],
           v->forward_worth);
}

static inline void unstep_backwards(const line_view* v, const racing_line_vehicle* c, int32_t from,
                                    int32_t to) {
    racing_line_grip g = racing_line_lap_grip_at(v, c, from);
    double b = v->backward[from];
    unstep(v, from, to, to, racing_line_lap_braking_at(c, &g, b, true), b, v->round_backward[to],
           v->backward_worth);
}

// The derivative at the start of the first lap belongs to the limit there.
static void unstart(const line_view* v, int32_t start, double* worth) {
    v->bent_worth[start] += worth[start] * v->limit_slope[start];
    worth[start] = 0.0;
}

// The adjoint of a lap. The last step of a closed lap ends at the node where its first began.
static void unpass(const line_view* v, const racing_line_vehicle* c, racing_line_starts s) {
    int32_t f = s.forward, b = s.backward;
    for (int32_t n = v->closed ? 0 : 1; n < v->nodes; n++) {
        f = racing_line_lap_last_of(v, f);
        b = racing_line_lap_next_of(v, b);
        unstep_forwards(v, c, f, racing_line_lap_next_of(v, f));
        unstep_backwards(v, c, b, racing_line_lap_last_of(v, b));
    }
}

void kerb_in_line_lap_gradient(const line_view* v) {
    racing_line_vehicle c = vehicle_of(&v->head->performance);
    int32_t slowest = 0;
    for (int32_t i = 0; i < v->nodes; i++)
        slowest = v->limit[i] < v->limit[slowest] ? i : slowest;
    share_worth(v);
    // All laps count as equal to the last one.
    racing_line_starts s = starts_of(v, slowest);
    for (int32_t lap = 0; lap < v->head->laps; lap++)
        unpass(v, &c, s);
    unstart(v, s.forward, v->forward_worth);
    unstart(v, s.backward, v->backward_worth);
    if (v->head->sharp)
        kerb_in_line_shape_sharpen(v, v->bent_worth, v->curvature_worth);
    else
        for (int32_t i = 0; i < v->nodes; i++)
            v->curvature_worth[i] = v->bent_worth[i];
    kerb_in_line_wrap(v, v->curvature_worth);
    kerb_in_line_wrap(v, v->length_worth);
}
