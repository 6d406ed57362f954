// Purpose: makes the curvature of a path of arcs continuous, so that wheels that turn at a limited
//          rate can follow it.
// Idea:    The wheels turn half of each jump of curvature before its joint and half after it. So a
//          path becomes a chain of plateaus, with the curvatures of its arcs, and ramps between
//          them, clothoids as long as the wheels need at the speed of the arcs' motion:
//
//              curvature              .--------.
//                        arcs ->  |--/---       \---|
//                                 | /            \  |
//                          -------'                '------
//
//          That is what the caps of movement.c price, so it takes about as long. Ramps that would
//          overlap move apart. At a standstill the wheels turn the part of a ramp that lies beyond
//          it. The chain ends a few centimetres beside the path: the least changes of plateaus, of
//          their curvatures and lengths, bring it back there (Newton's method). All of it is tested
//          against obstacles. A chain that is not free, or too tight, is divided on the longest of
//          its arcs, on which both parts then begin and end.
//
//          A single joint between two fixed ends has a window of three clothoids:
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
//          1.25, 2 and 4. At a speed v the wheels need 2q = (1 + 2p) d v / rate. Where arcs are too
//          short it is shorter, and the vehicle slower. Where no size is free, it stops and turns
//          its wheels: there the path of arcs stays as it is.
// Cost:    O(arcs): some µs for a joint.
// Source:  Scheuer and Fraichard, "Continuous-curvature path planning for car-like vehicles"
//          (1997). Three clothoids: Bertolazzi and Frego, "On the G2 Hermite interpolation problem
//          with clothoids" (2018), here with their moments as the first guess.
#include "bends.h"

#include "../model/piece.h"
#include "three.h"

#include "../../base/shared.h"

// Jumps of curvature that count as none, over the greatest curvature. [1]
#define BENDS_NOTHING 2e-4f
// Least length of an arc, and of a window. [m]
#define BENDS_SHORTEST 1e-4f
// Least and greatest share of a window's half by the half of its middle clothoid (r). [1] At 1.25
// all three clothoids are about as steep: the shortest window. Beyond 4 there is little to gain.
#define BENDS_REACH_LEAST 1.25f
#define BENDS_REACH_MOST 4.0f
// Greatest number of joints of a chain. [1]
#define BENDS_CHAIN 16
// Greatest share of a chain that ramps take. [1]
#define BENDS_FULL 0.95
// A ramp of which less than this lies before a standstill, or after it, is left out: drivers cannot
// drive slivers. In all, and over the smallest radius. [m], [1]
#define BENDS_SLIVER 0.3
#define BENDS_SLIVER_RADII 0.06
// Change of curvature for which ramps are longer than their jumps ask for, over the greatest
// curvature: plateaus change a little when the chain is closed. Chosen by trial. [1]
#define BENDS_SPARE 0.02f
// Greatest change of heading within a window. [rad] Beyond, small angles are no first guess.
#define BENDS_TURN_MOST 1.5f
// Rounds of Newton's method; three or four suffice. [1]
#define BENDS_ROUNDS 10

// A path that is being joined. Arcs without length are left out.
typedef struct bends_path {
    const plan_rates* rates;
    const plan_space* space;
    const plan_arc* arcs;
    const kerb_pose* poses; // at their starts
    const float* places;    // of their starts, from the start of the path [m]
    int32_t count;
    float speed_start; // [m/s] [>= 0]
    plan_clothoid* bends;
    int32_t bend_count;
    bool goes_on;   // behind its end, with its last curvature
    float standing; // standstill before the next bend; negative: none [s]
    float driven;   // up to here bends are made, from the start of the path [m]
    int32_t arc;    // at that place
} bends_path;

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
static void bends_see(const bends_path* p, const bends_window* w, plan_three_task* t,
                      double moment[2]) {
    curve_drawn at = {0.0, 0.0, 1.0, 0.0};
    double since = 0.0;
    for (int32_t i = w->first; i <= w->last; i++) {
        float from = i == w->first ? w->from : p->places[i];
        float to = i == w->last ? w->to : p->places[i + 1];
        double length = (double)to - (double)from, k = (double)p->arcs[i].curvature;
        curve_draw_clothoid(&at, k, 0.0, p->arcs[i].length < 0.0f ? -length : length);
        kerb_in_plan_three_moments(since, since + length, k, k, moment);
        since += length;
    }
    t->x = at.x;
    t->y = at.y;
    t->forward_x = at.forward_x;
    t->forward_y = at.forward_y;
}

static bool bends_is_allowed(const bends_path* p, const plan_three* s) {
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
static bool bends_try(const bends_path* p, const bends_window* w, float reach,
                      plan_clothoid bends[3]) {
    plan_three_task t = {.before = (double)w->before,
                         .after = (double)p->arcs[w->last].curvature,
                         .share = 0.5 * (1.0 - 1.0 / (double)reach)};
    double moment[2] = {0.0, 0.0}, from[3], change[3], length[3];
    double size = (double)w->to - (double)w->from;
    if (size < (double)BENDS_SHORTEST)
        return false;
    bends_see(p, w, &t, moment);
    if (curve_size_of(moment[0]) > (double)BENDS_TURN_MOST)
        return false;
    plan_three s = kerb_in_plan_three_guess(&t, size, moment);
    if (p->arcs[w->first].length < 0.0f)
        s.length = -s.length;
    if (!kerb_in_plan_three_fit(&t, &s, 4.0 * (double)p->rates->bend_most) ||
        !bends_is_allowed(p, &s))
        return false;
    kerb_in_plan_three_parts(&t, &s, from, change, length);
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

// Goes on to a place of the path without making bends.
static void bends_go_to(bends_path* p, float place) {
    while (p->arc + 1 < p->count && p->places[p->arc + 1] <= place)
        p->arc++;
    p->driven = place;
}

// The arcs from where bends are made up to a place.
static bool bends_put_arcs(bends_path* p, float place) {
    while (p->driven < place) {
        plan_arc a = p->arcs[p->arc];
        float to = kerb_min(place, p->places[p->arc + 1]), length = to - p->driven;
        plan_clothoid bend = {bends_pose(p, p->arc, p->driven), a.curvature, 0.0f,
                              a.length < 0.0f ? -length : length, -1.0f};
        if (length > 0.0f && !bends_put(p, bend))
            return false;
        bends_go_to(p, to);
    }
    return true;
}

static bool bends_put_three(bends_path* p, const bends_window* w, const plan_clothoid bends[3]) {
    if (!bends_put_arcs(p, w->from))
        return false;
    for (int32_t i = 0; i < 3; i++)
        if (!bends_put(p, bends[i]))
            return false;
    bends_go_to(p, w->to);
    return true;
}

// --------------------------------------------------------------------------- chains

// A part of a leg that is drawn anew: plateaus of constant curvature, with ramps between them.
typedef struct bends_chain {
    int32_t ramps;
    bool is_held[BENDS_CHAIN + 1];     // whether the curvature of a plateau must stay
    double curvature[BENDS_CHAIN + 1]; // of the plateaus [1/m]
    double plateau[BENDS_CHAIN + 1];   // their lengths [m]
    double ramp[BENDS_CHAIN];          // lengths [m]
    double sign;                       // -1: in reverse
    curve_drawn end;                   // that is wanted, from the start
} bends_chain;

// Joints of a leg and the places between which they are joined, from the start of the path. At a
// standstill the curvature is free.
typedef struct bends_part {
    const bends_joint* joints;
    int32_t count;
    float from, to; // [m]
    bool is_free_first, is_free_last;
} bends_part;

// The middles of ramps: as near to their joints as they can be, one behind the other. Neighbours
// that would overlap move together (pool adjacent violators); each counts by its jump. The ramps
// are `shrink` times as long as they should be.
static void bends_place_ramps(const bends_part* part, double shrink, double* middle) {
    const bends_joint* j = part->joints;
    double sum[BENDS_CHAIN], weight[BENDS_CHAIN], offset[BENDS_CHAIN];
    int32_t members[BENDS_CHAIN], pools = 0, last = part->count - 1;
    for (int32_t i = 0; i <= last; i++) {
        double apart = i > 0 ? 0.5 * shrink * ((double)j[i - 1].ramp + (double)j[i].ramp) : 0.0;
        offset[i] = i > 0 ? offset[i - 1] + apart : 0.0;
        weight[pools] = (double)j[i].change;
        sum[pools] = weight[pools] * ((double)j[i].place - offset[i]);
        members[pools++] = 1;
        for (; pools > 1 && sum[pools - 2] * weight[pools - 1] > sum[pools - 1] * weight[pools - 2];
             pools--) {
            sum[pools - 2] += sum[pools - 1];
            weight[pools - 2] += weight[pools - 1];
            members[pools - 2] += members[pools - 1];
        }
    }
    double low =
        part->is_free_first ? -1e30 : (double)part->from + 0.5 * shrink * (double)j[0].ramp;
    double high = (double)part->to - 0.5 * shrink * (double)j[last].ramp - offset[last];
    high = part->is_free_last ? 1e30 : high;
    for (int32_t k = 0, next = 0; k < pools; k++) {
        double at = sum[k] / weight[k];
        at = at < high ? at : high;
        at = at > low ? at : low;
        for (int32_t i = 0; i < members[k]; i++, next++)
            middle[next] = offset[next] + at;
    }
}

// The ramps of a part with the plateaus between them, cut off at its ends.
static void bends_make_chain(const bends_path* p, const bends_part* part, bends_chain* c) {
    const bends_joint* j = part->joints;
    double middle[BENDS_CHAIN], all = 0.0, from = (double)part->from, to = (double)part->to;
    for (int32_t i = 0; i < part->count; i++)
        all += (double)j[i].ramp;
    double most = BENDS_FULL * (to - from), shrink = all > most ? most / all : 1.0, driven = from;
    double sliver = BENDS_SLIVER_RADII / (double)p->rates->bend_most;
    sliver = sliver < BENDS_SLIVER ? sliver : BENDS_SLIVER;
    bends_place_ramps(part, shrink, middle);
    c->ramps = 0;
    c->sign = p->arcs[j[0].arc].length < 0.0f ? -1.0 : 1.0;
    c->curvature[0] = (double)j[0].before;
    for (int32_t i = 0; i < part->count; i++) {
        double half = 0.5 * shrink * (double)j[i].ramp, begin = middle[i] - half;
        double end = middle[i] + half, k0 = (double)j[i].before, k1 = (double)j[i].after;
        double slope = (k1 - k0) / (end - begin);
        if (begin >= to - (part->is_free_last ? sliver : 0.0))
            break;
        if (part->is_free_first && end <= from + sliver) {
            c->curvature[c->ramps] = k1;
            continue;
        }
        if (end > to)
            k1 = k0 + slope * (to - begin);
        if (begin < from)
            k0 = end > from ? k0 + slope * (from - begin) : k1;
        begin = begin > driven ? begin : driven;
        end = end < to ? end : to;
        c->curvature[c->ramps] = k0;
        if (end <= begin)
            continue;
        c->plateau[c->ramps] = begin - driven;
        c->ramp[c->ramps++] = end - begin;
        c->curvature[c->ramps] = k1;
        driven = end;
    }
    c->plateau[c->ramps] = to - driven;
    for (int32_t i = 0; i <= c->ramps; i++)
        c->is_held[i] = (i == 0 && !part->is_free_first) || (i == c->ramps && !part->is_free_last);
}

// Where the chain ends, and the middles and ends of its plateaus on the way.
static curve_drawn bends_draw_chain(const bends_chain* c, curve_drawn* middle, curve_drawn* end) {
    curve_drawn at = {0.0, 0.0, 1.0, 0.0};
    for (int32_t i = 0; i <= c->ramps; i++) {
        curve_draw_clothoid(&at, c->curvature[i], 0.0, 0.5 * c->sign * c->plateau[i]);
        middle[i] = at;
        curve_draw_clothoid(&at, c->curvature[i], 0.0, 0.5 * c->sign * c->plateau[i]);
        end[i] = at;
        if (i < c->ramps)
            curve_draw_clothoid(&at, c->curvature[i], c->curvature[i + 1] - c->curvature[i],
                                c->sign * c->ramp[i]);
    }
    return at;
}

// How the end moves (x, y, heading) with the curvature of a plateau, and with its length.
static void bends_slopes(const bends_chain* c, int32_t i, const curve_drawn* middle,
                         const curve_drawn* end, const curve_drawn* whole, double by_curvature[3],
                         double by_length[3]) {
    double turn = c->plateau[i];
    turn += i > 0 ? 0.5 * c->ramp[i - 1] : 0.0;
    turn += i < c->ramps ? 0.5 * c->ramp[i] : 0.0;
    turn *= c->sign;
    by_curvature[0] = -turn * (whole->y - middle->y);
    by_curvature[1] = turn * (whole->x - middle->x);
    by_curvature[2] = turn;
    double bend = c->sign * c->curvature[i];
    by_length[0] = c->sign * end->forward_x - bend * (whole->y - end->y);
    by_length[1] = c->sign * end->forward_y + bend * (whole->x - end->x);
    by_length[2] = bend;
}

// One step of Newton's method with the least changes, each over what it may change by. False where
// there is none.
static bool bends_correct(bends_chain* c, double most, const curve_drawn* middle,
                          const curve_drawn* end, const curve_drawn* whole, const double miss[3]) {
    double slope[2 * (BENDS_CHAIN + 1)][3] = {{0.0}}, sum[3][3] = {{0.0}}, force[3];
    double share[2 * (BENDS_CHAIN + 1)] = {0.0};
    for (int32_t i = 0; i <= c->ramps; i++) {
        const int32_t k = 2 * i; // first the curvature of the plateau, then its length
        bends_slopes(c, i, &middle[i], &end[i], whole, slope[k], slope[k + 1]);
        share[k] = c->is_held[i] ? 0.0 : most * most;
        share[k + 1] = c->plateau[i] * c->plateau[i];
    }
    for (int32_t i = 0; i < 2 * (c->ramps + 1); i++)
        for (int32_t r = 0; r < 3; r++)
            for (int32_t k = 0; k < 3; k++)
                sum[r][k] += slope[i][r] * share[i] * slope[i][k];
    if (!kerb_in_plan_three_solve(sum, miss, force))
        return false;
    for (int32_t i = 0; i < 2 * (c->ramps + 1); i++) {
        double by =
            share[i] * (slope[i][0] * force[0] + slope[i][1] * force[1] + slope[i][2] * force[2]);
        double* number = i % 2 == 0 ? &c->curvature[i / 2] : &c->plateau[i / 2];
        *number -= by;
    }
    for (int32_t i = 0; i <= c->ramps; i++)
        if (c->plateau[i] < 0.0)
            return false;
    return true;
}

// Changes plateaus until the chain ends where it should. A plateau that becomes too tight is held
// at the greatest curvature.
static bool bends_close_chain(bends_chain* c, double most) {
    curve_drawn middle[BENDS_CHAIN + 1], end[BENDS_CHAIN + 1];
    double size = 0.0;
    for (int32_t i = 0; i <= c->ramps; i++)
        size += c->plateau[i] + (i < c->ramps ? c->ramp[i] : 0.0);
    for (int32_t round = 0; round < BENDS_ROUNDS; round++) {
        curve_drawn at = bends_draw_chain(c, middle, end), *to = &c->end;
        const double miss[3] = {at.x - to->x, at.y - to->y,
                                at.forward_y * to->forward_x - at.forward_x * to->forward_y};
        double off = curve_size_of(miss[0]) + curve_size_of(miss[1]);
        bool is_tight = false;
        for (int32_t i = 0; i <= c->ramps; i++)
            if (curve_size_of(c->curvature[i]) > most * (1.0 + 1e-9)) {
                c->curvature[i] = c->curvature[i] < 0.0 ? -most : most;
                c->is_held[i] = is_tight = true;
            }
        if (is_tight)
            continue;
        if (off < 1e-7 * size && curve_size_of(miss[2]) < 1e-7)
            return true;
        if (!bends_correct(c, most, middle, end, &at, miss))
            return false;
    }
    return false;
}

// The end of a part, seen from its start.
static curve_drawn bends_see_part(const bends_path* p, const bends_part* part) {
    curve_drawn at = {0.0, 0.0, 1.0, 0.0};
    for (int32_t i = p->arc; i < p->count && p->places[i] < part->to; i++) {
        double from = (double)kerb_max(p->places[i], part->from);
        double to = (double)kerb_min(p->places[i + 1], part->to);
        double length = to > from ? to - from : 0.0;
        curve_draw_clothoid(&at, (double)p->arcs[i].curvature, 0.0,
                            p->arcs[i].length < 0.0f ? -length : length);
    }
    return at;
}

// Draws a clothoid and puts it in the row, where it is free.
static bool bends_put_drawn(bends_path* p, kerb_pose* at, double curvature, double change,
                            double length) {
    if (!(curve_size_of(length) > 0.0))
        return true;
    plan_clothoid b = {*at, (float)curvature, (float)change, (float)length, -1.0f};
    if (!(kerb_abs(b.length) > 0.0f))
        return true;
    if (p->space->is_bend_free && !p->space->is_bend_free(p->space->context, &b))
        return false;
    *at = curve_clothoid(*at, b.curvature, b.change / kerb_abs(b.length), b.length);
    return bends_put(p, b);
}

static bool bends_put_chain(bends_path* p, const bends_part* part, const bends_chain* c) {
    int32_t before = p->bend_count;
    float standing = p->standing;
    kerb_pose at = bends_pose(p, p->arc, part->from);
    bool is_put = true;
    for (int32_t i = 0; is_put && i <= c->ramps; i++) {
        is_put = bends_put_drawn(p, &at, c->curvature[i], 0.0, c->sign * c->plateau[i]);
        if (is_put && i < c->ramps)
            is_put = bends_put_drawn(p, &at, c->curvature[i], c->curvature[i + 1] - c->curvature[i],
                                     c->sign * c->ramp[i]);
    }
    if (!is_put) {
        p->bend_count = before;
        p->standing = standing;
        return false;
    }
    bends_go_to(p, part->to);
    return true;
}

static bool bends_join_chain(bends_path* p, const bends_part* part) {
    bends_chain c;
    if (part->count > BENDS_CHAIN)
        return false;
    bends_make_chain(p, part, &c);
    c.end = bends_see_part(p, part);
    return bends_close_chain(&c, (double)p->rates->bend_most) && bends_put_chain(p, part, &c);
}

// --------------------------------------------------------------------------- joints

// Sizes of a window that are tried, one after the other. [1]
static const float bends_sizes[] = {1.0f, 0.6f, 0.35f, 0.2f, 0.1f};
#define BENDS_SIZES ((int32_t)(sizeof bends_sizes / sizeof bends_sizes[0]))

// Whether a window takes longer than to stop, turn the wheels and set off again. With r = 1.25 a
// window takes 1.7 times as long as the wheels take at standstill.
static bool bends_is_slow(const bends_path* p, const bends_joint* j, float half) {
    int32_t reverse = p->arcs[j->arc].length < 0.0f ? 1 : 0;
    float a = 0.5f * kerb_min(p->rates->gain[reverse], p->rates->loss[reverse]);
    float saved = 0.35f * j->change / p->rates->rate;
    return half < 0.5f * j->ramp && half < 0.5f * a * saved * saved;
}

// The window of one joint. Where there is none: a standstill.
static bool bends_join_one(bends_path* p, const bends_part* part) {
    const bends_joint* j = part->joints;
    plan_clothoid bends[3];
    float room = kerb_min(j->place - part->from, part->to - j->place);
    float middle = 0.5f * (7.0f / 6.0f) * j->ramp;
    for (int32_t i = 0; i < BENDS_SIZES; i++) {
        float half = bends_sizes[i] * kerb_min(room, BENDS_REACH_MOST * middle);
        bends_window w = {j->place - half, j->place + half, j->before, j->arc - 1, j->arc};
        float reach = kerb_clamp(half / middle, BENDS_REACH_LEAST, BENDS_REACH_MOST);
        if (bends_is_slow(p, j, half))
            break;
        while (reach <= BENDS_REACH_MOST) {
            if (bends_try(p, &w, reach, bends))
                return bends_put_three(p, &w, bends) && bends_put_arcs(p, part->to);
            reach *= 1.7f;
        }
    }
    if (!bends_put_arcs(p, j->place))
        return false;
    p->standing = j->change / p->rates->rate;
    return bends_put_arcs(p, part->to);
}

// Lengths of the window at a start with speed, over that of its ramp; they may reach over further
// joints. [1]
static const float bends_start_sizes[] = {2.0f, 1.5f, 3.0f, 4.5f, 7.0f, 10.0f};
#define BENDS_START_SIZES ((int32_t)(sizeof bends_start_sizes / sizeof bends_start_sizes[0]))

// Whether the wheels can follow the clothoid with which a plan begins at its speed.
static bool bends_is_slow_enough(const bends_path* p, const plan_clothoid* b) {
    return p->speed_start * kerb_abs(b->change) < 0.999f * p->rates->rate * kerb_abs(b->length);
}

// The window of a plan that begins with speed, up to which the wheels have come from where they
// were to where the path has them. Makes the rest of the part.
static bool bends_join_start(bends_path* p, bends_part* part) {
    const bends_joint* j = part->joints;
    for (int32_t i = 0; i < BENDS_START_SIZES; i++) {
        float to = kerb_min(part->from + bends_start_sizes[i] * j->ramp, part->to);
        bends_window w = {part->from, to, j->before, 0, 0};
        plan_clothoid bends[3];
        while (w.last + 1 < p->count && p->places[w.last + 1] < to)
            w.last++;
        if (!bends_try(p, &w, 3.0f, bends) || !bends_is_slow_enough(p, &bends[0]))
            continue;
        part->from = to;
        for (; part->count > 0 && part->joints->place <= to; part->count--)
            part->joints++;
        return bends_put_three(p, &w, bends);
    }
    return false;
}

// After which joint of a part it is divided: where most is left between two ramps.
static int32_t bends_divide(const bends_part* part) {
    int32_t best = 0;
    float most = -1e30f;
    for (int32_t i = 0; i + 1 < part->count; i++) {
        const bends_joint* j = &part->joints[i];
        float left = j[1].place - j[0].place - 0.5f * (j[0].ramp + j[1].ramp);
        if (left > most) {
            most = left;
            best = i;
        }
    }
    return best;
}

// Joins the joints of a part in one chain, or in several.
static bool bends_join(bends_path* p, const bends_part* whole) {
    bends_part rest = *whole, *part = &rest;
    if (part->count == 0)
        return bends_put_arcs(p, part->to);
    if (bends_join_chain(p, part))
        return true;
    if (part->joints->is_start)
        return bends_join_start(p, part) && bends_join(p, part);
    if (part->count == 1)
        return bends_join_one(p, part);
    int32_t i = bends_divide(part);
    const bends_joint* j = &part->joints[i];
    float share = j[0].ramp / (j[0].ramp + j[1].ramp);
    float at = j[0].place + share * (j[1].place - j[0].place);
    bends_part first = *part, last = *part;
    first.count = i + 1;
    first.to = last.from = at;
    first.is_free_last = last.is_free_first = false;
    last.joints += i + 1;
    last.count -= i + 1;
    return bends_join(p, &first) && bends_join(p, &last);
}

// --------------------------------------------------------------------------- the whole path

static void bends_collect(plan_bends_memory* a, const plan_arc* arcs, int32_t count) {
    for (int32_t i = 0; i < count; i++) {
        if (!(kerb_abs(arcs[i].length) > 0.0f))
            continue;
        int32_t n = a->count++;
        a->arcs[n] = arcs[i];
        a->poses[n + 1] = curve_moved(a->poses[n], arcs[i].curvature, arcs[i].length);
        a->places[n + 1] = a->places[n] + kerb_abs(arcs[i].length);
    }
}

// A motion along the arcs.
typedef struct bends_motion {
    const kerb_plan_piece* pieces;
    int32_t count, at;
    float begun; // distance up to piece `at` [m]
} bends_motion;

// The speed at a place. Quick where the places follow one another. [m/s]
static float bends_speed(bends_motion* m, float place) {
    while (m->at > 0 && m->begun > place)
        m->begun -= m->pieces[--m->at].length;
    while (m->at + 1 < m->count && m->begun + m->pieces[m->at].length < place)
        m->begun += m->pieces[m->at++].length;
    const kerb_plan_piece* p = &m->pieces[m->at];
    float into = kerb_clamp(place - m->begun, 0.0f, p->length);
    return kerb_sqrt(kerb_max(p->speed * p->speed + 2.0f * p->acceleration * into, 0.0f));
}

// The length of a ramp at a place, at the greatest speed on it. [m]
static float bends_ramp(const bends_path* p, bends_motion* m, float place, float change) {
    float time = (change + BENDS_SPARE * p->rates->bend_most) / p->rates->rate;
    float half = 0.5f * time * bends_speed(m, place);
    // One after the other: how far it has read rounds the next.
    float after = bends_speed(m, place + half), before = bends_speed(m, place - half);
    float speed = kerb_max(kerb_max(before, after), bends_speed(m, place));
    return kerb_max(time * speed, BENDS_SHORTEST);
}

static void bends_add_joint(const bends_path* p, bends_motion* m, int32_t arc, float before,
                            bends_joint* joints, int32_t* count) {
    bends_joint j = {
        .place = p->places[arc], .before = before, .after = p->arcs[arc].curvature, .arc = arc};
    j.change = kerb_abs(j.after - j.before);
    if (j.change <= BENDS_NOTHING * p->rates->bend_most)
        return;
    j.ramp = bends_ramp(p, m, j.place, j.change);
    joints[(*count)++] = j;
}

// Joints of a leg: where the curvature jumps.
static int32_t bends_joints(const bends_path* p, const kerb_plan_end* start, bends_motion* motion,
                            int32_t first, int32_t last, bends_joint* joints) {
    int32_t count = 0;
    if (first == 0 && start->speed != 0.0f) {
        bends_add_joint(p, motion, 0, start->curvature, joints, &count);
        joints[0].is_start = count > 0;
    }
    for (int32_t i = first + 1; i <= last; i++)
        bends_add_joint(p, motion, i, p->arcs[i - 1].curvature, joints, &count);
    return count;
}

// The wheels turn from where they were at the end of the leg before, or at the start.
static void bends_turn_at_rest(bends_path* p, const kerb_plan_end* start, int32_t from) {
    for (int32_t i = from; i < p->bend_count; i++) {
        plan_clothoid* b = &p->bends[i];
        if (b->standing < 0.0f)
            continue;
        float before = i > 0 ? b[-1].curvature + b[-1].change : start->curvature;
        b->standing = kerb_abs(b->curvature - before) / p->rates->rate;
        if (i > 0 && (b[-1].length < 0.0f) != (b->length < 0.0f))
            b->standing = kerb_max(b->standing, p->rates->reversal_time);
    }
}

static bool bends_join_all(bends_path* p, bends_joint* joints, const kerb_plan_end* start,
                           bends_motion* motion) {
    for (int32_t first = 0, last; first < p->count; first = last + 1) {
        last = first;
        while (last + 1 < p->count &&
               (p->arcs[last + 1].length < 0.0f) == (p->arcs[first].length < 0.0f))
            last++;
        bool begins_at_rest = first > 0 || start->speed == 0.0f;
        p->standing = begins_at_rest ? 0.0f : -1.0f;
        bends_part part = {.joints = joints,
                           .from = p->places[first],
                           .to = p->places[last + 1],
                           .is_free_first = begins_at_rest,
                           .is_free_last = !p->goes_on || last + 1 < p->count};
        part.count = bends_joints(p, start, motion, first, last, joints);
        if (!bends_join(p, &part))
            return false;
    }
    bends_turn_at_rest(p, start, 0);
    return true;
}

// Of a lead, its straight is a part of the path: there the wheels turn for the first jump.
static void bends_collect_lead(plan_bends_memory* a, const plan_lead* lead, kerb_pose start,
                               const plan_arc* arcs, int32_t count) {
    const plan_arc straight = {0.0f, lead ? lead->straight : 0.0f};
    a->count = 0;
    a->poses[0] = curve_moved(start, 0.0f, -straight.length);
    a->places[0] = 0.0f;
    bends_collect(a, &straight, 1);
    bends_collect(a, arcs, count);
}

int32_t kerb_in_plan_bends_row(plan_bends_memory* memory, const plan_rates* of_arcs,
                               const plan_rates* rates, const plan_space* space,
                               const plan_lead* lead, const kerb_plan_end* start,
                               const plan_arc* arcs, int32_t count, float speed_goal, bool goes_on,
                               kerb_plan_piece* scratch) {
    bends_collect_lead(memory, lead, start->pose, arcs, count);
    int32_t made = kerb_in_plan_movement_pieces(of_arcs, memory->poses[0], memory->arcs,
                                                memory->count, start->speed, speed_goal, scratch);
    if (made == 0 && (!lead || memory->count > 0))
        return 0;
    kerb_plan_end from = *start;
    from.curvature = kerb_clamp(start->curvature, -rates->bend_most, rates->bend_most);
    bends_motion motion = {scratch, made, 0, 0.0f};
    bends_path path = {.rates = rates,
                       .space = space,
                       .arcs = memory->arcs,
                       .poses = memory->poses,
                       .places = memory->places,
                       .count = memory->count,
                       .speed_start = kerb_abs(start->speed),
                       .goes_on = goes_on,
                       .bends = memory->bends,
                       .standing = -1.0f};
    for (int32_t i = 0; lead && i < lead->count; i++)
        bends_put(&path, lead->bends[i]);
    return bends_join_all(&path, memory->joints, &from, &motion) ? path.bend_count : 0;
}

int32_t kerb_in_plan_bends_pieces(plan_bends_memory* memory, const plan_rates* of_arcs,
                                  const plan_rates* rates, const plan_space* space,
                                  const plan_lead* lead, const kerb_plan_end* start,
                                  const plan_arc* arcs, int32_t count, float speed_goal,
                                  kerb_plan_piece* pieces) {
    if (!(rates->rate > 0.0f))
        return kerb_in_plan_movement_pieces(of_arcs, start->pose, arcs, count, start->speed,
                                            speed_goal, pieces);
    float wheels = kerb_clamp(start->curvature, -rates->bend_most, rates->bend_most);
    int32_t made = kerb_in_plan_bends_row(memory, of_arcs, rates, space, lead, start, arcs, count,
                                          speed_goal, false, pieces);
    return kerb_in_plan_movement_bends(rates, memory->bends, made, lead ? lead->curvature : wheels,
                                       lead ? lead->speed : start->speed, speed_goal, pieces);
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
