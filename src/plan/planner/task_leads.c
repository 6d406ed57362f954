// Purpose: ways into a plan of continuous curvature for a vehicle that is on the way already.
// Idea:    Paths of arcs may begin in any bend, but wheels are where they are. Where they cannot
//          follow the best path from there, the query begins once more at the ends of "leads". A
//          lead turns the wheels straight, at the rate that they have, and then keeps the speed or
//          brakes; or it stops, on a straight or in the bend that the wheels have. Behind a stop
//          everything can be driven that can be driven from rest. The times of leads are penalties
//          of starts, so the fastest way in wins. One whose plan cannot be followed either is
//          struck out, and the others compete again.
// Cost:    A query more, seldom several.
#include "kerb/plan_search.h"

#include "task.h"

#include "../../curve/shared.h"

// Reserve of lengths in which wheels turn and vehicles brake, for rounding and for the steps in
// which movement.c shares the grip. [1]
#define LEAD_SPARE 1.01f
// Share of the brakes below which a bend leaves too little grip to stop in it. [1]
#define LEAD_BRAKES_LEAST 0.05f

typedef enum lead_kind {
    LEAD_ON,       // wheels straight, at the same speed
    LEAD_SLOWER,   // wheels straight, braking
    LEAD_STRAIGHT, // wheels straight, then a stop
    LEAD_HELD,     // a stop in the bend
    LEAD_KINDS
} lead_kind;

// A start and the lead from it while it is made.
typedef struct lead_draft {
    const plan_rates* rates;
    const kerb_plan_end* origin;
    float square, speed, bend; // squared and plain speed, and size of the curvature
    float loss;                // of squared speed in the bend [m/s²]
    float sign;                // -1: in reverse
    int32_t reverse;
    kerb_pose at;
    plan_lead lead;
    float time; // [s]
} lead_draft;

static void lead_add(lead_draft* d, float curvature, float change, float length) {
    if (!(length > 0.0f))
        return;
    plan_clothoid b = {d->at, curvature, change, d->sign * length, -1.0f};
    d->at = curve_clothoid(d->at, curvature, change / length, b.length);
    d->lead.bends[d->lead.count++] = b;
}

// By how much the squared speed may fall per metre in the bend that the wheels have.
static float lead_loss(const plan_rates* rates, float square, float bend, int32_t reverse) {
    float loss = rates->loss[reverse], side = square * bend / rates->lateral;
    if (rates->grip > 0.0f)
        loss = kerb_min(loss, rates->grip * kerb_sqrt(kerb_max(1.0f - side * side, 0.0f)));
    return loss;
}

static float lead_stop(lead_draft* d, float curvature, float square, float loss) {
    float length = LEAD_SPARE * square / loss;
    lead_add(d, curvature, 0.0f, length);
    return square > 0.0f ? 2.0f * length / kerb_sqrt(square) : 0.0f;
}

// The wheels turn straight at the speed of the start, or while it brakes. Returns the squared speed
// behind that.
static float lead_unwind(lead_draft* d, bool brakes) {
    float length = LEAD_SPARE * d->speed * d->bend / d->rates->rate;
    float square = brakes ? kerb_max(d->square - d->loss * length / LEAD_SPARE, 0.0f) : d->square;
    lead_add(d, d->origin->curvature, -d->origin->curvature, length);
    d->time += 2.0f * length / (d->speed + kerb_sqrt(square));
    return square;
}

// Behind a lead that does not stop the wheels turn half of the first jump of the path before it.
static void lead_go_on(lead_draft* d, float square) {
    float speed = kerb_sqrt(square), bend = d->rates->bend_most;
    if (bend * square > d->rates->lateral)
        bend = d->rates->lateral / square;
    float length = 0.5f * LEAD_SPARE * speed * bend / d->rates->rate;
    d->lead.straight = d->sign * length;
    d->time += length / speed;
}

// Makes the lead of a kind. False where the vehicle cannot drive it.
static bool lead_draw(lead_draft* d, int32_t kind) {
    const plan_rates* rates = d->rates;
    kerb_plan_end* end = &d->lead.end;
    float square = d->square;
    if (kind == LEAD_HELD) {
        if (d->loss < LEAD_BRAKES_LEAST * rates->loss[d->reverse] || d->bend == 0.0f)
            return false;
        d->time += lead_stop(d, d->origin->curvature, square, d->loss);
        square = 0.0f;
    } else {
        square = lead_unwind(d, kind != LEAD_ON);
        if (kind == LEAD_STRAIGHT) {
            d->time += lead_stop(d, 0.0f, square, rates->loss[d->reverse]);
            square = 0.0f;
        } else if (!(square > 0.0f)) {
            return false;
        } else {
            lead_go_on(d, square);
        }
    }
    end->curvature = kind == LEAD_HELD ? d->origin->curvature : 0.0f;
    end->speed = d->sign * kerb_sqrt(square);
    end->pose = curve_moved(d->at, 0.0f, d->lead.straight);
    end->penalty = d->origin->penalty + d->time;
    return true;
}

static bool lead_make(const plan_task* t, int32_t origin, int32_t kind, plan_lead* lead) {
    const kerb_plan_end* from = &t->origins[origin];
    const plan_rates* rates = &t->given_rates;
    lead_draft d = {.rates = rates,
                    .origin = from,
                    .speed = kerb_abs(from->speed),
                    .square = from->speed * from->speed,
                    .bend = kerb_abs(from->curvature),
                    .sign = from->speed < 0.0f ? -1.0f : 1.0f,
                    .reverse = from->speed < 0.0f ? 1 : 0,
                    .at = from->pose,
                    .lead = {.speed = from->speed, .curvature = from->curvature}};
    d.loss = lead_loss(rates, d.square, d.bend, d.reverse);
    bool is_made =
        from->speed != 0.0f && kerb_in_plan_task_may_begin(t, origin) && lead_draw(&d, kind);
    *lead = d.lead;
    return is_made;
}

static bool lead_is_free(const plan_lead* lead, const plan_space* space) {
    for (int32_t i = 0; space->is_bend_free && i < lead->count; i++)
        if (!space->is_bend_free(space->context, &lead->bends[i]))
            return false;
    const plan_arc straight = {0.0f, lead->straight};
    return plan_way_is_free(space, curve_moved(lead->end.pose, 0.0f, -lead->straight), &straight,
                            1);
}

// The next led starts: all that are left, the fastest kinds first. Returns their number.
static int32_t leads_offer(plan_task* t, const plan_site* site) {
    const plan_probe probe = kerb_in_plan_task_probe(t, site);
    const plan_space space = kerb_in_plan_task_space(&probe);
    int32_t count = 0;
    for (int32_t kind = 0; kind < LEAD_KINDS; kind++)
        for (int32_t i = 0; i < t->origin_count && count < KERB_PLAN_ENDS_MAX; i++) {
            uint64_t mark = (uint64_t)1 << (LEAD_KINDS * i + kind);
            plan_lead* lead = &t->leads[count];
            if ((t->leads_struck & mark) != 0)
                continue;
            t->leads_struck |= mark;
            if (!lead_make(t, i, kind, lead) || !lead_is_free(lead, &space))
                continue;
            t->can_stop = t->can_stop || lead->end.speed == 0.0f;
            t->lead_marks[count] = mark;
            t->origin_of[count] = i;
            t->starts[count++] = lead->end;
        }
    return count;
}

// Those that were offered and may be offered again: all but the one whose plan was found.
static void leads_return(plan_task* t) {
    for (int32_t i = 0; t->is_led && t->cost < KERB_PLAN_NEVER && i < t->start_count; i++)
        if (i != t->found.start)
            t->leads_struck &= ~t->lead_marks[i];
}

// --------------------------------------------------------------------------- direct ways

// A direct way and the ends that it connects.
typedef struct lead_way {
    float cost;
    int32_t origin;
    plan_aim aim;
    plan_clothoid bends[3];
} lead_way;

// The curvature at a goal is free: straight, as now, or that which one clothoid ends with.
static float lead_try_direct(const plan_task* t, const plan_space* space, plan_pair pair,
                             plan_clothoid bends[3]) {
    const kerb_plan_end *from = &t->starts[pair.start], *to = &t->aims[pair.aim].end;
    kerb_vec2 way = kerb_vec2_sub(to->pose.position, from->pose.position);
    float most = t->given_rates.bend_most, size = kerb_sqrt(kerb_vec2_dot(way, way));
    float turn = kerb_vec2_cross(from->pose.forward, to->pose.forward);
    float even = size > 0.0f ? 2.0f * turn / size : 0.0f;
    even = (from->speed < 0.0f ? -even : even) - from->curvature;
    const float curvature[3] = {0.0f, from->curvature, kerb_clamp(even, -most, most)};
    return kerb_in_plan_direct(&t->given_rates, space, from, to, t->ends_straight ? 1 : 3,
                               curvature, bends);
}

static lead_way lead_find_direct(const plan_task* t, const plan_site* site) {
    const plan_probe probe = kerb_in_plan_task_probe(t, site);
    const plan_space space = kerb_in_plan_task_space(&probe);
    lead_way best = {.cost = KERB_PLAN_NEVER};
    for (int32_t i = 0; i < t->pair_count && t->pairs[i].bound < best.cost; i++) {
        plan_clothoid bends[3];
        plan_pair pair = t->pairs[i];
        if (t->starts[pair.start].speed == 0.0f || kerb_in_plan_task_is_there(t, pair))
            continue;
        float cost = lead_try_direct(t, &space, pair, bends) + kerb_in_plan_task_penalties(t, pair);
        if (!(cost < best.cost))
            continue;
        best.cost = cost;
        best.origin = t->origin_of[pair.start];
        best.aim = t->aims[pair.aim];
        for (int32_t k = 0; k < 3; k++)
            best.bends[k] = bends[k];
    }
    return best;
}

// Shows a direct way until another one is better.
static void lead_show_direct(plan_task* t, const plan_site* site, const lead_way* way) {
    const kerb_plan_end* from = &t->origins[way->origin];
    const plan_probe probe = kerb_in_plan_task_probe(t, site);
    const plan_space space = kerb_in_plan_task_space(&probe);
    plan_pair pair = {0, t->aim_count + 1, 0.0f};
    t->aims[pair.aim] = way->aim;
    t->shown = (plan_shown){.method = KERB_PLAN_METHOD_ANALYTIC,
                            .pair = pair,
                            .origin = way->origin,
                            .of = ++t->changes};
    t->shown.count = kerb_in_plan_movement_bends(&t->given_rates, way->bends, 3, from->curvature,
                                                 from->speed, way->aim.end.speed, t->pieces);
    kerb_in_plan_task_measure(t);
    t->shown.toll = kerb_in_plan_pieces_toll(&space, t->pieces, t->shown.count);
    t->shown.cost = t->shown.time + t->shown.toll + from->penalty + way->aim.end.penalty;
    t->is_onward = t->is_direct = true;
}

// Begins the query once more at the starts that are offered. False: it ended at once.
static bool lead_begin(plan_task* t, plan_site* site, int32_t count) {
    float least = t->lower_bound;
    kerb_in_plan_task_clear(t);
    t->is_led = true;
    t->start_count = count;
    kerb_in_plan_task_choose_pairs(t, site);
    t->lower_bound = least;
    return t->stage != PLAN_ENDED;
}

void kerb_in_plan_task_lead(plan_task* t, plan_site* site) {
    lead_way direct = {.cost = KERB_PLAN_NEVER};
    bool has_begun = false;
    if (!t->is_led)
        direct = lead_find_direct(t, site);
    while (!has_begun) {
        leads_return(t);
        int32_t count = leads_offer(t, site);
        if (count == 0)
            break;
        has_begun = lead_begin(t, site, count);
    }
    bool is_direct = direct.cost < KERB_PLAN_NEVER;
    if (!has_begun)
        t->outcome = t->can_stop ? KERB_PLAN_BUDGET_SPENT : KERB_PLAN_START_TOO_FAST;
    if (!has_begun && is_direct)
        t->outcome = KERB_PLAN_FOUND;
    if (is_direct)
        lead_show_direct(t, site, &direct);
}
