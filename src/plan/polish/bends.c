// Purpose: makes the curvature of a path of arcs continuous, so that wheels that turn at a limited
//          rate can follow it.
// Idea:    Round each joint a part of the path, a "window", is replaced by three clothoids. They
//          begin and end on the path with its pose and curvature, so all else of the path stays
//          where it is, and only the window must be tested against obstacles:
//
//              curvature         K2 .
//                                  / '-------  after
//                                 /
//                 before -----.  /
//                              '/ K1
//
//          Heading and both coordinates of the end give K1, K2 and the whole length. K1 and K2 lie
//          beyond the curvatures of the arcs by p times their difference d. For small angles a
//          middle clothoid of length 2q in a window of length 2rq has
//          1/12 = p (1/3 + (r (r² - 1)/2 - (r³ - 1)/3)/(r - 1)): 0.18, 0.083 and 0.025 for r of
//          1.25, 2 and 4. At a speed v the wheels need 2q = (1 + 2p) d v / rate.
//
//          A window is as long as the speed of the arcs at its joint asks for; where arcs are too
//          short, shorter, and the vehicle slower. Windows of joints that are very near are one.
//          A window that is not free, or bends too tightly, is tried again at a smaller size. Where
//          none is left the vehicle stops and turns its wheels: the path of arcs stays as it is.
// Cost:    O(arcs): a few µs for a window.
// Source:  Bertolazzi and Frego, "On the G2 Hermite interpolation problem with clothoids" (2018):
//          three clothoids; here with their moments as the first guess. Scheuer and Fraichard,
//          "Continuous-curvature path planning for car-like vehicles" (1997).
#include "bends.h"

#include "../model/piece.h"

#include "../../base/shared.h"

// Jumps of curvature that count as none, over the greatest curvature. [1]
#define BENDS_NOTHING 2e-4f
// Least length of an arc, and of a window. [m]
#define BENDS_SHORTEST 1e-4f
// Least and greatest share of a window's half by the half of its middle clothoid (r). [1] At 1.25
// all three clothoids are about as steep: the shortest window. Beyond 4 there is little to gain.
#define BENDS_REACH_LEAST 1.25f
#define BENDS_REACH_MOST 4.0f
// Neighbours whose windows leave each less than this share of the length it wants have a window in
// common. Chosen by trial. [1]
#define BENDS_SHARED 0.6f
// Greatest number of joints that have a window in common. [1]
#define BENDS_GROUP 6
// Greatest change of heading within a window. [rad] Beyond, small angles are no first guess.
#define BENDS_TURN_MOST 1.5f
// Rounds of Newton's method; three or four suffice. [1]
#define BENDS_ROUNDS 8

typedef struct bends_joint {
    float place;  // distance from the start of the leg [m]
    float change; // size of the jump [1/m]
    float half;   // of the window that it wants [m]
    int32_t arc;  // index of the arc after it
} bends_joint;

// A path that is being joined. Arcs without length are left out.
typedef struct bends_path {
    const plan_rates* rates;
    const plan_space* space;
    const plan_arc* arcs;
    const kerb_pose* poses; // at their starts
    const float* places;    // of their starts, from the start of the path [m]
    int32_t count;
    plan_clothoid* bends;
    int32_t bend_count;
    float standing; // standstill before the next bend; negative: none [s]
    float driven;   // up to here bends are made, from the start of the path [m]
    int32_t arc;    // at that place
} bends_path;

// --------------------------------------------------------------------------- three clothoids

// Between two states: the curvatures at both ends, and the end's pose seen from the start.
typedef struct bends_task {
    double before, after; // [1/m]
    double x, y, forward_x, forward_y;
    double share; // of the length, of the first and of the last clothoid
} bends_task;

typedef struct bends_shape {
    double k1, k2, length; // [1/m], [m]; negative in reverse
} bends_shape;

static void bends_parts(const bends_task* t, const bends_shape* s, double from[3], double change[3],
                        double length[3]) {
    const double k[4] = {t->before, s->k1, s->k2, t->after};
    const double share[3] = {t->share, 1.0 - 2.0 * t->share, t->share};
    for (int32_t i = 0; i < 3; i++) {
        from[i] = k[i];
        change[i] = k[i + 1] - k[i];
        length[i] = share[i] * s->length;
    }
}

// What is missing to the end: along it, aside of it, and the sine of the angle.
static void bends_miss(const bends_task* t, const bends_shape* s, double miss[3]) {
    double from[3], change[3], length[3];
    curve_drawn at = {0.0, 0.0, 1.0, 0.0};
    bends_parts(t, s, from, change, length);
    for (int32_t i = 0; i < 3; i++)
        curve_draw_clothoid(&at, from[i], change[i], length[i]);
    double x = at.x - t->x, y = at.y - t->y;
    miss[0] = x * t->forward_x + y * t->forward_y;
    miss[1] = y * t->forward_x - x * t->forward_y;
    miss[2] = at.forward_y * t->forward_x - at.forward_x * t->forward_y;
}

// Solves a system of three equations by Cramer's rule. False where it is singular.
static bool bends_solve_three(double a[3][3], const double b[3], double x[3]) {
    double minor[3], whole = 0.0;
    for (int32_t i = 0; i < 3; i++) {
        int32_t j = (i + 1) % 3, k = (i + 2) % 3;
        minor[i] = a[1][j] * a[2][k] - a[1][k] * a[2][j];
        whole += a[0][i] * minor[i];
    }
    if (!(whole > 1e-30 || whole < -1e-30))
        return false;
    for (int32_t c = 0; c < 3; c++) {
        double sum = 0.0;
        for (int32_t r = 0; r < 3; r++) {
            int32_t r1 = (r + 1) % 3, r2 = (r + 2) % 3, c1 = (c + 1) % 3, c2 = (c + 2) % 3;
            sum += b[r] * (a[r1][c1] * a[r2][c2] - a[r1][c2] * a[r2][c1]);
        }
        x[c] = sum / whole;
    }
    return true;
}

// One step of Newton's method, with slopes by differences. False where there is none.
static bool bends_step(const bends_task* t, bends_shape* s, const double miss[3]) {
    double size = curve_size_of(s->length), slope[3][3], by[3];
    const double tiny[3] = {1e-4 / size, 1e-4 / size, 1e-4 * s->length};
    for (int32_t c = 0; c < 3; c++) {
        bends_shape other = *s;
        double there[3];
        other.k1 += c == 0 ? tiny[0] : 0.0;
        other.k2 += c == 1 ? tiny[1] : 0.0;
        other.length += c == 2 ? tiny[2] : 0.0;
        bends_miss(t, &other, there);
        for (int32_t r = 0; r < 3; r++)
            slope[r][c] = (there[r] - miss[r]) / tiny[c];
    }
    if (!bends_solve_three(slope, miss, by))
        return false;
    s->k1 -= by[0];
    s->k2 -= by[1];
    s->length -= by[2];
    return s->length * (s->length + by[2]) > 0.0;
}

static bool bends_fit(const bends_task* t, bends_shape* s) {
    double size = curve_size_of(s->length);
    for (int32_t i = 0; i < BENDS_ROUNDS; i++) {
        double miss[3];
        bends_miss(t, s, miss);
        double off = curve_size_of(miss[0]) + curve_size_of(miss[1]);
        if (off < 1e-7 * size && curve_size_of(miss[2]) < 1e-7)
            return true;
        if (!bends_step(t, s, miss) || curve_size_of(s->length) > 2.0 * size)
            return false;
    }
    return false;
}

// Sums of the curvature and of curvature times distance over a stretch where it changes linearly.
static void bends_add_moments(double from, double to, double k0, double k1, double moment[2]) {
    moment[0] += 0.5 * (to - from) * (k0 + k1);
    moment[1] += (to - from) * (k0 * (2.0 * from + to) + k1 * (from + 2.0 * to)) / 6.0;
}

// The shape with the moments of the path that it replaces: for small angles it has its end.
static bends_shape bends_guess(const bends_task* t, double size, const double moment[2]) {
    double a = t->share * size, b = size - a, first[2] = {0.0, 0.0}, second[2] = {0.0, 0.0};
    double rest[2] = {moment[0], moment[1]}, ends[2] = {0.0, 0.0};
    bends_add_moments(0.0, a, t->before, 0.0, ends);
    bends_add_moments(b, size, 0.0, t->after, ends);
    bends_add_moments(0.0, a, 0.0, 1.0, first);
    bends_add_moments(a, b, 1.0, 0.0, first);
    bends_add_moments(a, b, 0.0, 1.0, second);
    bends_add_moments(b, size, 1.0, 0.0, second);
    rest[0] -= ends[0];
    rest[1] -= ends[1];
    double whole = first[0] * second[1] - first[1] * second[0];
    bends_shape s = {.length = size};
    s.k1 = (rest[0] * second[1] - rest[1] * second[0]) / whole;
    s.k2 = (first[0] * rest[1] - first[1] * rest[0]) / whole;
    return s;
}

// --------------------------------------------------------------------------- windows

// A part of the path between two places, from the start of the path. [m]
typedef struct bends_window {
    float from, to;
    float before;        // curvature at its start [1/m]
    int32_t first, last; // arcs
} bends_window;

static kerb_pose bends_pose(const bends_path* p, int32_t arc, float place) {
    float along = place - p->places[arc];
    plan_arc a = p->arcs[arc];
    return curve_moved(p->poses[arc], a.curvature, a.length < 0.0f ? -along : along);
}

// The end of a window, seen from its start, and the moments of the path between.
static void bends_see(const bends_path* p, const bends_window* w, bends_task* t, double moment[2]) {
    curve_drawn at = {0.0, 0.0, 1.0, 0.0};
    double since = 0.0;
    for (int32_t i = w->first; i <= w->last; i++) {
        float from = i == w->first ? w->from : p->places[i];
        float to = i == w->last ? w->to : p->places[i + 1];
        double length = (double)to - (double)from, k = (double)p->arcs[i].curvature;
        curve_draw_clothoid(&at, k, 0.0, p->arcs[i].length < 0.0f ? -length : length);
        bends_add_moments(since, since + length, k, k, moment);
        since += length;
    }
    t->x = at.x;
    t->y = at.y;
    t->forward_x = at.forward_x;
    t->forward_y = at.forward_y;
}

static bool bends_is_allowed(const bends_path* p, const bends_shape* s) {
    double most = (double)p->rates->bend_most;
    return curve_size_of(s->k1) <= most && curve_size_of(s->k2) <= most;
}

static bool bends_are_free(const bends_path* p, const plan_clothoid bends[3]) {
    for (int32_t i = 0; p->space->is_bend_free && i < 3; i++)
        if (!p->space->is_bend_free(p->space->context, &bends[i]))
            return false;
    return true;
}

// The clothoids of a window, whose middle one takes `1 / reach` of it. False where there are none
// that are allowed and free.
static bool bends_try(const bends_path* p, const bends_window* w, float reach, plan_clothoid bends[3]) {
    bends_task t = {.before = (double)w->before,
                    .after = (double)p->arcs[w->last].curvature,
                    .share = 0.5 * (1.0 - 1.0 / (double)reach)};
    double moment[2] = {0.0, 0.0}, from[3], change[3], length[3];
    double size = (double)w->to - (double)w->from;
    if (size < (double)BENDS_SHORTEST)
        return false;
    bends_see(p, w, &t, moment);
    if (curve_size_of(moment[0]) > (double)BENDS_TURN_MOST)
        return false;
    bends_shape s = bends_guess(&t, size, moment);
    if (p->arcs[w->first].length < 0.0f)
        s.length = -s.length;
    if (!bends_fit(&t, &s) || !bends_is_allowed(p, &s))
        return false;
    bends_parts(&t, &s, from, change, length);
    kerb_pose at = bends_pose(p, w->first, w->from);
    for (int32_t i = 0; i < 3; i++) {
        bends[i] = (plan_clothoid){at, (float)from[i], (float)change[i], (float)length[i], -1.0f};
        at = curve_clothoid(at, bends[i].curvature, bends[i].change / kerb_abs(bends[i].length),
                            bends[i].length);
    }
    return bends_are_free(p, bends);
}

// --------------------------------------------------------------------------- the row

static bool bends_put(bends_path* p, plan_clothoid bend) {
    if (p->bend_count == PLAN_ARCS_MAX)
        return false;
    bend.standing = p->standing;
    p->standing = -1.0f;
    p->bends[p->bend_count++] = bend;
    return true;
}

// The arcs from where bends are made up to a place of an arc.
static bool bends_put_arcs(bends_path* p, int32_t arc, float place) {
    for (; p->arc <= arc; p->arc++) {
        plan_arc a = p->arcs[p->arc];
        float to = p->arc == arc ? place : p->places[p->arc + 1], length = to - p->driven;
        plan_clothoid bend = {bends_pose(p, p->arc, p->driven), a.curvature, 0.0f,
                          a.length < 0.0f ? -length : length, -1.0f};
        if (length > 0.0f && !bends_put(p, bend))
            return false;
        p->driven = kerb_max(p->driven, to);
        if (p->arc == arc)
            break;
    }
    return true;
}

static float bends_end(const bends_path* p, int32_t arc) {
    return p->places[arc + 1];
}

static bool bends_put_three(bends_path* p, const bends_window* w, const plan_clothoid bends[3]) {
    if (!bends_put_arcs(p, w->first, w->from))
        return false;
    for (int32_t i = 0; i < 3; i++)
        if (!bends_put(p, bends[i]))
            return false;
    p->driven = w->to;
    p->arc = w->last;
    return true;
}

// --------------------------------------------------------------------------- joints

// Sizes of a window that are tried, one after the other. [1]
static const float bends_sizes[] = {1.0f, 0.6f, 0.35f, 0.2f, 0.1f};
#define BENDS_SIZES ((int32_t)(sizeof bends_sizes / sizeof bends_sizes[0]))

// A window from a joint to a later one or the same, with so much before and after them.
static bends_window bends_window_round(const bends_path* p, const bends_joint* first,
                                       const bends_joint* last, float before, float after) {
    return (bends_window){first->place - before, last->place + after,
                          p->arcs[first->arc - 1].curvature, first->arc - 1, last->arc};
}

// Half of the middle clothoid that a jump wants at a speed, for r = 2. [m]
static float bends_wanted(const bends_path* p, float change, float speed) {
    return 0.5f * (7.0f / 6.0f) * change * speed / p->rates->rate;
}

// Whether a window takes longer than to stop, turn the wheels and set off again. With r = 1.25 a
// window takes 1.7 times as long as the wheels take at standstill.
static bool bends_is_slow(const bends_path* p, const bends_joint* j, float half) {
    int32_t reverse = p->arcs[j->arc].length < 0.0f ? 1 : 0;
    float a = 0.5f * kerb_min(p->rates->gain[reverse], p->rates->loss[reverse]);
    float saved = 0.35f * j->change / p->rates->rate;
    return half < j->half && half < 0.5f * a * saved * saved;
}

// The window of one joint, with at most so much before and after it. Where there is none: a
// standstill.
static bool bends_join_one(bends_path* p, const bends_joint* j, float room) {
    plan_clothoid bends[3];
    for (int32_t i = 0; i < BENDS_SIZES; i++) {
        float half = bends_sizes[i] * kerb_min(room, BENDS_REACH_MOST * j->half);
        bends_window w = bends_window_round(p, j, j, half, half);
        float reach = kerb_clamp(half / j->half, BENDS_REACH_LEAST, BENDS_REACH_MOST);
        if (bends_is_slow(p, j, half))
            break;
        if (bends_try(p, &w, reach, bends) ||
            (reach < BENDS_REACH_MOST && bends_try(p, &w, BENDS_REACH_MOST, bends)))
            return bends_put_three(p, &w, bends);
    }
    if (!bends_put_arcs(p, j->arc - 1, j->place))
        return false;
    p->standing = j->change / p->rates->rate;
    return true;
}

// Room before a joint, on its arc.
static float bends_room_before(const bends_path* p, const bends_joint* j) {
    return j->place - kerb_max(p->driven, p->places[j->arc - 1]);
}

// Room after a joint: where the next one is near, the share of the arc that it wants.
static float bends_room_after(const bends_path* p, const bends_joint* joints, int32_t count,
                              int32_t i) {
    float after = bends_end(p, joints[i].arc) - joints[i].place;
    if (i + 1 < count)
        after *= joints[i].half / (joints[i].half + joints[i + 1].half);
    return after;
}

// The last joint of a window that begins with joint `i`.
static int32_t bends_group(const bends_joint* joints, int32_t count, int32_t i) {
    int32_t most = i + BENDS_GROUP - 1;
    while (i < most && i + 1 < count &&
           joints[i + 1].place - joints[i].place <
               BENDS_SHARED * BENDS_REACH_LEAST * (joints[i].half + joints[i + 1].half))
        i++;
    return i;
}

// One window for several joints.
static bool bends_join_group(bends_path* p, const bends_joint* joints, int32_t count, int32_t i,
                             int32_t last) {
    plan_clothoid bends[3];
    float before = kerb_min(bends_room_before(p, &joints[i]), 2.0f * joints[i].half);
    float after = kerb_min(bends_room_after(p, joints, count, last), 2.0f * joints[last].half);
    for (int32_t k = 0; k < BENDS_SIZES; k++) {
        bends_window w = bends_window_round(p, &joints[i], &joints[last], bends_sizes[k] * before,
                                            bends_sizes[k] * after);
        if (bends_try(p, &w, 2.0f, bends))
            return bends_put_three(p, &w, bends);
    }
    return false;
}

// Joins the arcs of a leg up to its end. False where there are too many clothoids.
static bool bends_join(bends_path* p, const bends_joint* joints, int32_t count, int32_t end) {
    for (int32_t i = 0; i < count; i++) {
        if (joints[i].place < p->driven) // within the window of the start
            continue;
        int32_t last = bends_group(joints, count, i);
        for (; last > i; last--)
            if (bends_join_group(p, joints, count, i, last))
                break;
        if (last > i) {
            i = last;
            continue;
        }
        float before = bends_room_before(p, &joints[i]);
        float room = kerb_min(before, bends_room_after(p, joints, count, i));
        if (!bends_join_one(p, &joints[i], room))
            return false;
    }
    return bends_put_arcs(p, end, bends_end(p, end));
}

// --------------------------------------------------------------------------- the start

// Sizes of the first window of a plan that begins with speed. [1]
static const float bends_start_sizes[] = {1.0f, 1.5f, 0.7f, 2.5f, 4.0f};

// The arc of a place. [first: before which it is not]
static int32_t bends_arc_at(const bends_path* p, int32_t first, int32_t last, float place) {
    while (first < last && p->places[first + 1] < place)
        first++;
    return first;
}

// The wheels come from where they are at the start to where the path has them. False where they
// cannot.
static bool bends_set_off(bends_path* p, const kerb_plan_end* start, int32_t last) {
    float change = kerb_abs(p->arcs[0].curvature - start->curvature);
    if (start->speed == 0.0f) {
        p->standing = change > 0.0f ? change / p->rates->rate : -1.0f;
        return true;
    }
    if (change <= BENDS_NOTHING * p->rates->bend_most)
        return true;
    float wanted = 4.0f * bends_wanted(p, change, kerb_abs(start->speed));
    for (int32_t i = 0; i < 5; i++) {
        float to = kerb_min(bends_start_sizes[i] * wanted, bends_end(p, last));
        plan_clothoid bends[3];
        bends_window w = {0.0f, to, start->curvature, 0, bends_arc_at(p, 0, last, to)};
        if (bends_try(p, &w, 3.0f, bends))
            return bends_put_three(p, &w, bends);
    }
    return false;
}

// --------------------------------------------------------------------------- the whole path

// The arcs that have a length, with their poses and places.
typedef struct bends_arcs {
    int32_t count;
    plan_arc arcs[PLAN_ARCS_MAX];
    kerb_pose poses[PLAN_ARCS_MAX + 1];
    float places[PLAN_ARCS_MAX + 1];
} bends_arcs;

static void bends_collect(bends_arcs* a, kerb_pose start, const plan_arc* arcs, int32_t count) {
    a->count = 0;
    a->poses[0] = start;
    a->places[0] = 0.0f;
    for (int32_t i = 0; i < count; i++) {
        if (!(kerb_abs(arcs[i].length) > 0.0f))
            continue;
        int32_t n = a->count++;
        a->arcs[n] = arcs[i];
        a->poses[n + 1] = curve_moved(a->poses[n], arcs[i].curvature, arcs[i].length);
        a->places[n + 1] = a->places[n] + kerb_abs(arcs[i].length);
    }
}

// The speed at a place of a motion along the arcs. Places are asked for in order. [m/s]
typedef struct bends_motion {
    const kerb_plan_piece* pieces;
    int32_t count, at;
    float begun; // distance up to the piece [m]
} bends_motion;

static float bends_speed(bends_motion* m, float place) {
    while (m->at + 1 < m->count && m->begun + m->pieces[m->at].length < place)
        m->begun += m->pieces[m->at++].length;
    const kerb_plan_piece* p = &m->pieces[m->at];
    float into = kerb_clamp(place - m->begun, 0.0f, p->length);
    return kerb_sqrt(kerb_max(p->speed * p->speed + 2.0f * p->acceleration * into, 0.0f));
}

// Joints of a leg: where the curvature jumps.
static int32_t bends_joints(const bends_path* p, bends_motion* motion, int32_t first, int32_t last,
                            bends_joint* joints) {
    int32_t count = 0;
    for (int32_t i = first + 1; i <= last; i++) {
        float change = kerb_abs(p->arcs[i].curvature - p->arcs[i - 1].curvature);
        if (change <= BENDS_NOTHING * p->rates->bend_most)
            continue;
        bends_joint j = {.place = p->places[i], .change = change, .arc = i};
        j.half = kerb_max(bends_wanted(p, change, bends_speed(motion, j.place)), BENDS_SHORTEST);
        joints[count++] = j;
    }
    return count;
}

static bool bends_join_all(bends_path* p, const kerb_plan_end* start, bends_motion* motion) {
    bends_joint joints[PLAN_ARCS_MAX];
    for (int32_t first = 0, last; first < p->count; first = last + 1) {
        last = first;
        while (last + 1 < p->count &&
               (p->arcs[last + 1].length < 0.0f) == (p->arcs[first].length < 0.0f))
            last++;
        if (first > 0) {
            float change = kerb_abs(p->arcs[first].curvature - p->arcs[first - 1].curvature);
            p->standing = kerb_max(p->rates->reversal_time, change / p->rates->rate);
        } else if (!bends_set_off(p, start, last)) {
            return false;
        }
        int32_t count = bends_joints(p, motion, first, last, joints);
        if (!bends_join(p, joints, count, last))
            return false;
    }
    return true;
}

int32_t kerb_in_plan_bends_pieces(const plan_rates* rates, const plan_space* space,
                                  const kerb_plan_end* start, const plan_arc* arcs, int32_t count,
                                  float speed_goal, kerb_plan_piece* pieces) {
    int32_t made = kerb_in_plan_movement_pieces(rates, start->pose, arcs, count, start->speed,
                                                speed_goal, pieces);
    if (!(rates->rate > 0.0f) || made == 0)
        return made;
    bends_arcs a;
    plan_clothoid bends[PLAN_ARCS_MAX];
    bends_collect(&a, start->pose, arcs, count);
    bends_motion motion = {pieces, made, 0, 0.0f};
    bends_path path = {.rates = rates,
                       .space = space,
                       .arcs = a.arcs,
                       .poses = a.poses,
                       .places = a.places,
                       .count = a.count,
                       .bends = bends,
                       .standing = -1.0f};
    if (!bends_join_all(&path, start, &motion))
        return 0;
    return kerb_in_plan_movement_bends(rates, bends, path.bend_count, start->curvature,
                                       start->speed, speed_goal, pieces);
}

// Parts of a clothoid whose cost of the ground is that of an arc each. [1]
#define BENDS_TOLL_PARTS 4

float kerb_in_plan_pieces_toll(const plan_space* space, const kerb_plan_piece* pieces,
                               int32_t count) {
    float toll = 0.0f;
    for (int32_t i = 0; space->toll && i < count; i++) {
        const kerb_plan_piece* p = &pieces[i];
        int32_t parts = p->curvature_change != 0.0f && p->length > 0.0f ? BENDS_TOLL_PARTS : 1;
        float part = p->length / (float)parts;
        for (int32_t k = 0; k < parts; k++) {
            float share = ((float)k + 0.5f) / (float)parts;
            plan_arc arc = {p->curvature, p->direction < 0 ? -part : part};
            arc.curvature += parts > 1 ? p->curvature_change * share : 0.0f;
            toll += space->toll(space->context,
                                parts > 1 ? plan_piece_pose(p, part * (float)k) : p->start, arc);
        }
    }
    return toll;
}
