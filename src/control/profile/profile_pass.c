// Purpose: the fastest speed along a whole line.
// Idea:    The pass forwards limits what the vehicle can gain, the pass backwards what it can lose.
//          The lower speed of both is the fastest profile. The passes do not depend on each other,
//          so one loop does a step of each and the processor overlaps them.
//
//          A step of h metres is the implicit midpoint rule. With b = v², m the b in the middle,
//
//              m = b + h·(share·sqrt(P(m)) - climb - drag·m),      b' = 2m - b,
//
//          where P is the quadratic polynomial of the friction ellipse. Squared, the equation has a
//          closed root. Explicit rules of second order lose 0.3 % of speed where a vehicle leaves
//          the limit of a corner, because the square root is infinitely steep there.
//
//          The slowest place of a corner usually lies between two points, and both passes would
//          leave it too fast. So its limit is interpolated by a parabola.
//
//          Everything that does not depend on b is prepared first, for a block of stretches, in
//          loops that compilers vectorise.
// Cost:    O(points): a square root a step, and one for the engine's speed. Latency decides, not
//          the number of operations.
// Source:  Vamos 4.1 and 4.2; the two passes: Lipp, Boyd, "Minimum-time speed optimisation over a
//          fixed path", 2014.
#include "profile_limits.h"

// A stretch where the vehicle would stand counts with this speed, so that its time is finite. [m/s]
#define PROFILE_PASS_CREEP 0.01f
// Greatest number of laps on a closed line. After these the profile is used as it is.
#define PROFILE_PASS_LAPS_MAX 100
// Stretches that are prepared at once. The arrays of a block fit into the first-level cache.
#define PROFILE_PASS_BLOCK 64
// Root mean square of a value that goes linearly from -1/2 to 1/2: sqrt(1/12).
#define ROOT_TWELFTH 0.28867513f

// The vehicle and one of the passes, constant for all steps.
typedef struct profile_pass_pass {
    const kerb_performance* performance;
    float way;      // 1 forwards, -1 backwards
    float share;    // greatest longitudinal over greatest lateral acceleration
    float loss;     // share that turning loses of the longitudinal grip; ellipse only
    float powered;  // factor on the lateral load; ellipse only, 1 backwards
    float turning;  // kerb_performance.turning_drag; ellipse only, forwards only
    float drag;     // against the direction of the pass [1/m]
    float per_step; // steps of the engine's table per m/s
    bool engine;    // the engine limits too
} profile_pass_pass;

typedef struct profile_pass_line {
    const kerb_profile_point* points;
    int32_t count;
    int32_t stretches;
    float* square; // of the speed: the lower of both passes, up to now
} profile_pass_line;

// The limits at the points of a block's stretches.
typedef struct profile_pass_places {
    float load[PROFILE_PASS_BLOCK + 1], load_gain[PROFILE_PASS_BLOCK + 1];
    float aside[PROFILE_PASS_BLOCK + 1], aside_gain[PROFILE_PASS_BLOCK + 1];
    float climb[PROFILE_PASS_BLOCK + 1], root[PROFILE_PASS_BLOCK + 1], most[PROFILE_PASS_BLOCK + 1],
        length[PROFILE_PASS_BLOCK + 1];
} profile_pass_places;

// Stretches in the order of a pass. Without tyres b becomes base + keep·b. The tyres hold load +
// load_gain·b at the middle of the stretch, and must hold aside + aside_gain·b there. They lift b
// to base + keep·b + lift, where
//
//     lift = whole·(tilt + sqrt(tilt² + left)),   tilt = tilt_load·load - tilt_aside·aside,
//     left = scale·(load² - aside² - spread²/12).
//
// Over the stretch, `aside` changes by `spread`. So `left` uses the mean of its squares, not the
// square at the middle, which is too optimistic where the curvature jumps.
typedef struct profile_pass_block {
    profile_pass_places places;
    float base[PROFILE_PASS_BLOCK], keep[PROFILE_PASS_BLOCK],
        push[PROFILE_PASS_BLOCK]; // push: b gained by 1 m/s²
    float load[PROFILE_PASS_BLOCK], load_gain[PROFILE_PASS_BLOCK], aside[PROFILE_PASS_BLOCK],
        aside_gain[PROFILE_PASS_BLOCK];
    float tilt_load[PROFILE_PASS_BLOCK], tilt_aside[PROFILE_PASS_BLOCK], scale[PROFILE_PASS_BLOCK],
        whole[PROFILE_PASS_BLOCK];
    float spread[PROFILE_PASS_BLOCK],
        spread_gain[PROFILE_PASS_BLOCK]; // divided by the root of 12; spread_gain: its growth with
                                         // b
} profile_pass_block;

static inline profile_pass_pass pass_make(const kerb_performance* performance, bool forwards) {
    float most = forwards ? performance->accelerating : performance->braking;
    profile_pass_pass p = {performance,
                           forwards ? 1.0f : -1.0f,
                           most / performance->lateral,
                           forwards ? performance->driving_loss : performance->braking_loss,
                           forwards ? kerb_in_profile_powered(performance) : 1.0f,
                           forwards ? performance->turning_drag : 0.0f,
                           forwards ? performance->drag : -performance->drag,
                           kerb_in_profile_engine_steps(performance),
                           forwards};
    return p;
}

// --------------------------------------------------------------------------- preparing a block

static profile_limits profile_pass_place_at(const profile_pass_places* at, int32_t k) {
    profile_limits l = {
        at->load[k], at->load_gain[k], at->aside[k], at->aside_gain[k], at->climb[k], 0.0f, 0.0f};
    return l;
}

static inline void set_place(profile_pass_places* into, int32_t k,
                             const kerb_performance* performance, const kerb_profile_point* point) {
    profile_limits l = kerb_in_profile_forces(performance, point);
    into->load[k] = l.load;
    into->load_gain[k] = l.load_gain;
    into->aside[k] = l.aside;
    into->aside_gain[k] = l.aside_gain;
    into->climb[k] = l.climb;
    // Negative: mend_roots computes it.
    into->root[k] = kerb_in_profile_is_usual(&l) ? kerb_in_profile_root_usual(&l) : -1.0f;
    into->most[k] = kerb_in_profile_limit(performance, point);
    into->length[k] = kerb_max(point->length, 0.0f);
}

// Computes the roots of points that are not the usual case: a steep bank, a sharp crest, a bad
// number.
static void mend_roots(profile_pass_places* into, int32_t count) {
    int32_t unusual = 0;
    for (int32_t k = 0; k < count; k++)
        unusual |= into->root[k] < 0.0f;
    for (int32_t k = 0; unusual && k < count; k++) {
        if (into->root[k] >= 0.0f)
            continue;
        profile_limits l = profile_pass_place_at(into, k);
        into->root[k] = kerb_in_profile_root_unusual(&l, into->most[k]);
    }
}

// Sets `count` points. The loop vectorises.
static inline void set_run(profile_pass_places* restrict into, const kerb_performance* performance,
                           const kerb_profile_point* restrict points, int32_t count) {
    const kerb_performance held = *performance;
    for (int32_t k = 0; k < count; k++)
        set_place(into, k, &held, &points[k]);
}

// --------------------------------------------------------------------------- corners

// Number of points on either side of a point that decide whether it is the slowest of a corner: the
// parabola and its neighbours need three.
#define PROFILE_PASS_BESIDE 3

static inline float profile_pass_bend_at(const float* slowness) {
    return 2.0f * slowness[0] - slowness[-1] - slowness[1];
}

// The greatest b at the slowest place at or beside root[0]. Along a line 1/b behaves like the
// curvature. Between the two points around that place, its second difference is taken as the
// smallest of those at the two points and at the next two. So where 1/b jumps or has a kink, the
// point itself is the slowest place. Only half of it is used, because many lines are splines whose
// curvature is linear from point to point.
static inline float corner_root(const float* root) {
    float numbers[2 * PROFILE_PASS_BESIDE + 1], *slowness = numbers + PROFILE_PASS_BESIDE;
    for (int32_t k = -PROFILE_PASS_BESIDE; k <= PROFILE_PASS_BESIDE; k++)
        slowness[k] = 1.0f / root[k];
    int32_t way = slowness[1] > slowness[-1] ? 1 : -1;
    float bend = kerb_min(
        kerb_min(profile_pass_bend_at(slowness - way), profile_pass_bend_at(slowness)),
        kerb_min(profile_pass_bend_at(slowness + way), profile_pass_bend_at(slowness + way + way)));
    float over = 0.5f * bend - (slowness[0] - slowness[way]);
    return over > 0.0f ? 1.0f / (slowness[0] + 0.25f * over * over / bend) : root[0];
}

static inline bool is_slowest(const float* root) {
    return (root[0] <= root[-1]) & (root[0] <= root[1]) & (root[0] > 0.0f) &
           (root[0] < PROFILE_SQUARE_MAX);
}

static float root_at(const kerb_performance* performance, const profile_pass_line* l,
                     int32_t index) {
    int32_t last = l->count - 1;
    bool closed = l->stretches == l->count;
    if (index < 0)
        index = closed ? index + l->count : 0;
    if (index > last)
        index = closed ? index - l->count : last;
    index = index < 0 ? 0 : index > last ? last : index;
    return kerb_in_profile_limits_of(performance, &l->points[index]).root;
}

// Lowers `most` at the slowest places of corners, among `count` points from `first` on.
static void slow_corners(profile_pass_places* into, const kerb_performance* performance,
                         const profile_pass_line* l, int32_t first, int32_t count) {
    float roots[PROFILE_PASS_BLOCK + 1 + 2 * PROFILE_PASS_BESIDE];
    float* root = roots + PROFILE_PASS_BESIDE;
    for (int32_t k = 0; k < count; k++)
        root[k] = into->root[k];
    for (int32_t k = 1; k <= PROFILE_PASS_BESIDE; k++) {
        root[-k] = root_at(performance, l, first - k);
        root[count - 1 + k] = root_at(performance, l, first + count - 1 + k);
    }
    for (int32_t k = 0; k < count; k++)
        if (is_slowest(&root[k]))
            into->most[k] = kerb_min(into->most[k], corner_root(&root[k]));
}

// Sets `count` points from `first` on, and the one after them.
static void set_places(profile_pass_places* into, const kerb_performance* performance,
                       const profile_pass_line* l, int32_t first, int32_t count) {
    int32_t end = first + count < l->count ? first + count : 0;
    set_run(into, performance, &l->points[first], count);
    set_place(into, count, performance, &l->points[end]);
    mend_roots(into, count + 1);
    for (int32_t k = 0; k <= count; k++)
        into->most[k] = kerb_min(into->root[k], into->most[k]);
    slow_corners(into, performance, l, first, count + 1);
}

// The change of b in a stretch without tyres. The loop vectorises.
static inline void set_coasting(profile_pass_block* into, const profile_pass_pass* p,
                                int32_t count) {
    const float way = -p->way, drag = p->drag;
    for (int32_t k = 0; k < count; k++) {
        float length = into->places.length[k];
        float inverse = 1.0f / (1.0f + length * drag);
        float climb = into->places.climb[k] + into->places.climb[k + 1];
        into->base[k] = way * length * inverse * climb;
        into->keep[k] = 2.0f * inverse - 1.0f;
        into->push[k] = 2.0f * length * inverse;
    }
}

// What the tyres add, by the friction ellipse. The loop vectorises.
static inline void set_ellipse(profile_pass_block* restrict into, const profile_pass_pass* p,
                               int32_t count) {
    const profile_pass_places* at = &into->places;
    const float share = p->share, half = 0.5f * p->powered, twelfth = ROOT_TWELFTH * p->powered;
    for (int32_t k = 0; k < count; k++) {
        float coasted = 0.5f * into->base[k], inverse = 0.5f * (into->keep[k] + 1.0f);
        float gain = 0.5f * (at->load_gain[k] + at->load_gain[k + 1]);
        float aside_gain = half * (at->aside_gain[k] + at->aside_gain[k + 1]);
        into->load[k] = 0.5f * (at->load[k] + at->load[k + 1]) + gain * coasted;
        into->aside[k] = half * (at->aside[k] + at->aside[k + 1]) + aside_gain * coasted;
        into->spread[k] = twelfth * (at->aside[k + 1] - at->aside[k]);
        into->spread_gain[k] = twelfth * (at->aside_gain[k + 1] - at->aside_gain[k]);
        gain *= inverse;
        aside_gain *= inverse;
        into->load_gain[k] = gain;
        into->aside_gain[k] = aside_gain;
        // Square of the change of b by 1 m/s² of grip within half of the stretch.
        float reach = 0.5f * into->push[k] * share / inverse, square = reach * reach;
        float rest = 1.0f - square * (gain * gain - aside_gain * aside_gain);
        // Kept at 0.5 or more, for dips so sharp that the grip grows with speed faster than a step
        // can resolve.
        float whole = rest > 0.5f ? rest : 0.5f;
        into->tilt_load[k] = square * gain;
        into->tilt_aside[k] = square * aside_gain;
        into->scale[k] = square * whole;
        into->whole[k] = 2.0f * inverse / whole;
    }
}

// 1/v_max²; negative when grip grows faster with speed than the lateral force.
static float slowness_at(const profile_pass_places* at, int32_t k) {
    profile_limits l = profile_pass_place_at(at, k);
    if (!kerb_in_profile_is_usual(&l))
        return 1.0f / at->root[k];
    float aside = l.aside_gain < 0.0f ? -l.aside : l.aside;
    return (kerb_abs(l.aside_gain) - l.load_gain) / (l.load - aside);
}

// Mean of the square root of a value that goes linearly from a to b. Negative values count as 0.
static float mean_root(float a, float b) {
    float from = kerb_max(a, 0.0f), to = kerb_max(b, 0.0f), root = kerb_sqrt(from);
    float rest = kerb_sqrt(to), sum = root + rest;
    if (a >= 0.0f && b >= 0.0f)
        return sum > 0.0f ? (2.0f / 3.0f) * (from + root * rest + to) / sum : 0.0f;
    return from + to > 0.0f ? (2.0f / 3.0f) * (from * root + to * rest) / kerb_abs(a - b) : 0.0f;
}

// For the linear budget: the load of the tyres, and 1/v_max in place of `aside`.
static inline void set_linear(profile_pass_block* restrict into, int32_t count) {
    const profile_pass_places* at = &into->places;
    float slowness = slowness_at(at, 0);
    for (int32_t k = 0; k < count; k++) {
        float next = slowness_at(at, k + 1);
        into->load[k] = 0.5f * (at->load[k] + at->load[k + 1]);
        into->load_gain[k] = 0.5f * (at->load_gain[k] + at->load_gain[k + 1]);
        into->aside[k] = mean_root(slowness, next);
        slowness = next;
    }
}

// Prepares `count` stretches, from the one that begins at point `first` on.
static inline void prepare(profile_pass_block* into, const profile_pass_pass* p, bool linear,
                           const profile_pass_line* l, int32_t first, int32_t count) {
    set_places(&into->places, p->performance, l, first, count);
    set_coasting(into, p, count);
    if (linear)
        set_linear(into, count);
    else
        set_ellipse(into, p, count);
}

// --------------------------------------------------------------------------- steps

// Lift of b by the tyres, if `part` is the share of what turning leaves of them.
static inline float ellipse_lift(const profile_pass_block* at, int32_t k, float part, float b) {
    float square = part * part;
    float load = at->load[k] + at->load_gain[k] * b;
    float aside = at->aside[k] + at->aside_gain[k] * b;
    float tilt = square * (at->tilt_load[k] * load - at->tilt_aside[k] * aside);
    float spread = at->spread[k] + at->spread_gain[k] * b;
    float rest = (load - aside) * (load + aside) - spread * spread;
    float left = square * at->scale[k] * rest;
    float lift = at->whole[k] * (tilt + kerb_sqrt(tilt * tilt + left));
    return kerb_min(left, load) > 0.0f ? lift : 0.0f;
}

// The share that the loss leaves, at the middle of a stretch that lifts b by `lift`. [1 - loss … 1]
static float part_left(const profile_pass_block* at, int32_t k, float loss, float b, float lift) {
    float middle = b + lift / (at->keep[k] + 1.0f);
    float load = at->load[k] + at->load_gain[k] * middle;
    float aside = at->aside[k] + at->aside_gain[k] * middle;
    float share = load > 0.0f ? aside / load : 1.0f;
    return 1.0f - loss + loss * kerb_sqrt(kerb_max(1.0f - share * share, 0.0f));
}

// Lift and loss depend on each other. Three rounds, from the loss at the start of the stretch on,
// come near enough.
static float lossy_lift(const profile_pass_block* at, int32_t k, float loss, float b) {
    float lift = 0.0f;
    for (int32_t round = 0; round < 3; round++)
        lift = ellipse_lift(at, k, part_left(at, k, loss, b, lift), b);
    return lift;
}

static inline float linear_lift(const profile_pass_block* at, int32_t k, float share, float b) {
    float load = kerb_max(at->load[k] + at->load_gain[k] * b, 0.0f);
    float left = kerb_max(1.0f - kerb_sqrt(b) * at->aside[k], 0.0f);
    return at->push[k] * share * load * left;
}

// The engine's lift, less what turning takes at the middle of the stretch.
static float turning_lift(const profile_pass_pass* p, const profile_pass_block* at, int32_t k,
                          float b, float lift) {
    float middle = b + lift / (at->keep[k] + 1.0f);
    float load = at->load[k] + at->load_gain[k] * middle;
    float aside = at->aside[k] + at->aside_gain[k] * middle;
    return lift - at->push[k] * kerb_in_profile_turning(p->turning, aside / p->powered, load);
}

// b at the end of stretch k, at most `most`. `gained`: change of b in the last step; set to that of
// this step.
static inline float profile_pass_step(const profile_pass_pass* p, bool linear,
                                      const profile_pass_block* at, int32_t k, float most, float b,
                                      float* gained) {
    float middle = kerb_max(b + 0.5f * *gained, 0.0f);
    float lift = linear           ? linear_lift(at, k, p->share, middle)
                 : p->loss > 0.0f ? lossy_lift(at, k, p->loss, b)
                                  : ellipse_lift(at, k, 1.0f, b);
    if (p->engine) {
        float engine = kerb_in_profile_engine(p->performance, p->per_step, kerb_sqrt(middle));
        float driven = at->push[k] * engine;
        if (!linear && p->turning > 0.0f)
            driven = turning_lift(p, at, k, b, driven);
        lift = kerb_min(lift, driven);
    }
    // NaN becomes 0.
    float next = kerb_clamp(at->base[k] + at->keep[k] * b + lift, 0.0f, most);
    // From a limit on, the pass continues as from the start of a lap.
    *gained = next < most ? next - b : 0.0f;
    return next;
}

// State of a pass.
typedef struct profile_pass_runner {
    float b;
    float gained; // change of b in the last step
} profile_pass_runner;

static inline void keep_lesser(float* square, int32_t index, float b) {
    square[index] = kerb_min(b, square[index]);
}

static inline void pass_both(const kerb_performance* performance, bool linear,
                             const profile_pass_line* l, profile_pass_runner* ahead,
                             profile_pass_runner* back) {
    const profile_pass_pass forwards = pass_make(performance, true),
                            backwards = pass_make(performance, false);
    profile_pass_block to, from;
    for (int32_t done = 0; done < l->stretches; done += PROFILE_PASS_BLOCK) {
        int32_t rest = l->stretches - done,
                count = rest < PROFILE_PASS_BLOCK ? rest : PROFILE_PASS_BLOCK;
        int32_t first = rest - count; // of the backward pass
        prepare(&to, &forwards, linear, l, done, count);
        prepare(&from, &backwards, linear, l, first, count);
        for (int32_t k = 0, j = count - 1; k < count; k++, j--) {
            int32_t next = done + k + 1 < l->count ? done + k + 1 : 0;
            ahead->b = profile_pass_step(&forwards, linear, &to, k, to.places.most[k + 1], ahead->b,
                                         &ahead->gained);
            back->b = profile_pass_step(&backwards, linear, &from, j, from.places.most[j], back->b,
                                        &back->gained);
            keep_lesser(l->square, next, ahead->b);
            keep_lesser(l->square, first + j, back->b);
        }
    }
}

// One further lap of one pass. True when it met a limit: from there on all is equal to the lap
// before.
static bool settle_lap(const profile_pass_pass* p, bool linear, const profile_pass_line* l,
                       profile_pass_runner* r) {
    profile_pass_block one = {.base = {0.0f}};
    for (int32_t n = 0; n < l->count; n++) {
        int32_t from = p->engine ? n : l->count - 1 - n;
        int32_t next = p->engine ? (n + 1 < l->count ? n + 1 : 0) : from;
        prepare(&one, p, linear, l, from, 1);
        float most = one.places.most[p->engine ? 1 : 0];
        r->b = profile_pass_step(p, linear, &one, 0, most, r->b, &r->gained);
        keep_lesser(l->square, next, r->b);
        if (r->b >= most)
            return true;
    }
    return false;
}

// Continues for further laps while the speed at the start still decreases.
static void profile_pass_settle(const kerb_performance* performance, bool forwards,
                                const profile_pass_line* l, float began, profile_pass_runner* r) {
    const profile_pass_pass p = pass_make(performance, forwards);
    bool linear = performance->budget == KERB_TRACTION_LINEAR;
    for (int32_t lap = 1; lap < PROFILE_PASS_LAPS_MAX && r->b < began * (1.0f - 1.0e-6f); lap++) {
        began = r->b;
        if (settle_lap(&p, linear, l, r))
            return;
    }
}

// --------------------------------------------------------------------------- the whole line

static profile_pass_runner runner_at(const kerb_performance* performance,
                                     const profile_pass_line* l, int32_t index, float b) {
    profile_limits limits = kerb_in_profile_limits_of(performance, &l->points[index]);
    profile_pass_runner r = {kerb_clamp(b, 0.0f, limits.most), 0.0f};
    keep_lesser(l->square, index, r.b);
    return r;
}

static void profile_pass_run(const kerb_performance* performance, const profile_pass_line* l,
                             profile_pass_runner* ahead, profile_pass_runner* back) {
    if (performance->budget == KERB_TRACTION_LINEAR)
        pass_both(performance, true, l, ahead, back);
    else
        pass_both(performance, false, l, ahead, back);
}

static void run_closed(const kerb_performance* performance, const profile_pass_line* l) {
    profile_pass_runner ahead = runner_at(performance, l, 0, PROFILE_SQUARE_MAX), back = ahead;
    float began = ahead.b;
    profile_pass_run(performance, l, &ahead, &back);
    profile_pass_settle(performance, true, l, began, &ahead);
    profile_pass_settle(performance, false, l, began, &back);
}

static void run_open(const kerb_performance* performance, const profile_pass_line* l, float start,
                     float end) {
    profile_pass_runner ahead = runner_at(performance, l, 0, kerb_in_profile_square(start));
    profile_pass_runner back = runner_at(performance, l, l->count - 1, kerb_in_profile_square(end));
    profile_pass_run(performance, l, &ahead, &back);
}

// Travel time. The acceleration is constant between two points.
static double profile_pass_time_of(const profile_pass_line* l) {
    const float* speed = l->square;
    double time = 0.0;
    for (int32_t i = 0; i < l->stretches; i++) {
        float next = speed[i + 1 < l->count ? i + 1 : 0];
        float length = kerb_clamp(l->points[i].length, 0.0f, PROFILE_SQUARE_MAX);
        time += (double)(2.0f * length / kerb_max(speed[i] + next, 2.0f * PROFILE_PASS_CREEP));
    }
    return time;
}

double kerb_speed_profile(const kerb_performance* performance, const kerb_profile_point* points,
                          int32_t count, bool closed, float speed_start, float speed_end,
                          float* speed) {
    if (count < 1)
        return 0.0;
    const profile_pass_line l = {points, count, closed ? count : count - 1, speed};
    for (int32_t i = 0; i < count; i++)
        speed[i] = PROFILE_SQUARE_MAX;
    if (closed)
        run_closed(performance, &l);
    else
        run_open(performance, &l, speed_start, speed_end);
    for (int32_t i = 0; i < count; i++)
        speed[i] = kerb_sqrt(speed[i]);
    return profile_pass_time_of(&l);
}
