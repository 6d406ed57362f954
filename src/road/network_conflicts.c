// Purpose: where vehicles on two turns of a junction could touch, and which one yields.
// Idea:    Both middle lines are walked in steps of a metre at most, longer ones of more than 94 m
//          in 94 steps. Points that are closer than the two half widths belong to the conflict; its
//          part of each turn is the hull of its points. Turns that pass above one another do not
//          conflict. Two cars need less room than any two vehicles, so that there are two spans:
//          turns side by side that are close together hold up trucks, but not cars. Long vehicles
//          cut corners: for them there is a third span, of what they sweep (network_swept.c), with
//          that of any two vehicles.
// Cost:    O(turns of the junction squared times samples squared); ways whose boxes are apart cost
//          O(1).
#include "network_parts.h"

// Turns whose headings differ by less where they meet are driven beside or behind one another: 20
// degrees. [rad]
static const float net_beside_angle = 0.35f;
// Share of the lanes' half widths that vehicles on the two lanes need. Neighbouring lanes touch, so
// it must be less than 1; vehicles are 0.8 of a lane wide at most.
static const float net_conflict_width_share = 0.88f;
// Distance of the middles of two narrow vehicles that pass one another, which leaves 0.2 m. [m]
static const float net_narrow_reach = 2.05f;
// Least number of steps of a short turn.
static const float net_steps_min = 4.0f;
// Bends below the first count as straight on, beyond the second as back: 23 and 149 degrees. [rad]
static const float net_straight_bend = 0.4f, net_back_bend = 2.6f;
// A turn comes from a side when the sine of the angle between the two is beyond this: 17 degrees.
static const float net_side_sine = 0.3f;

static void net_sample_turn(const net_view* v, int32_t turn, net_sampled* out) {
    int32_t segment = v->head->lane_count + turn;
    float length = v->segments[segment].length;
    int32_t count = (int32_t)kerb_clamp(length, net_steps_min, (float)(NET_SAMPLES_MAX - 2)) + 2;
    out->count = count;
    out->step = length / (float)(count - 1);
    for (int32_t i = 0; i < count; i++) {
        out->points[i] = kerb_in_network_at(v, segment, out->step * (float)i, 0).position;
        if (i == 0)
            out->box = (net_box){out->points[0], out->points[0]};
        net_box_add(&out->box, out->points[i]);
    }
}

// The conflict's part of both turns. False: they do not meet.
static bool net_find_overlap(const net_sampled* a, const net_sampled* b, float reach,
                             net_span* foe) {
    *foe = (net_span){.begin = 0, .end = -1, .other_begin = 0, .other_end = -1};
    net_hull hull = net_hull_empty();
    if (!net_boxes_meet(&a->box, &b->box, reach))
        return false;
    for (int32_t i = 0; i < a->count; i++)
        for (int32_t k = 0; k < b->count; k++) {
            kerb_vec3 d = kerb_vec3_sub(a->points[i], b->points[k]);
            if (d.x * d.x + d.y * d.y < reach * reach && kerb_abs(d.z) <= KERB_IN_BRIDGE_HEIGHT)
                net_hull_add(&hull, i, k);
        }
    if (hull.last < 0)
        return false;
    foe->begin = kerb_max((float)(hull.first - 1), 0) * a->step;
    foe->end = kerb_min((float)(hull.last + 1), (float)(a->count - 1)) * a->step;
    foe->other_begin = kerb_max((float)(hull.other_first - 1), 0) * b->step;
    foe->other_end = kerb_min((float)(hull.other_last + 1), (float)(b->count - 1)) * b->step;
    return true;
}

// --------------------------------------------------------------------------- right of way

// How much right of way a turn has by itself: straight on 3, to the near side 2, across oncoming
// traffic 1, back 0.
static int32_t net_turn_rank(const net_view* v, int32_t turn) {
    float bend = v->head->left_hand ? -v->turns[turn].bend : v->turns[turn].bend;
    if (kerb_abs(bend) > net_back_bend)
        return 0;
    if (kerb_abs(bend) < net_straight_bend)
        return 3;
    return bend < 0 ? 2 : 1;
}

static float net_start_heading(const net_view* v, int32_t turn) {
    return kerb_in_network_at(v, v->head->lane_count + turn, 0, 0).heading;
}

// True when `a` yields to `b` because b comes from the near side, or crosses it less.
static bool net_yields_by_side(const net_view* v, int32_t a, int32_t b, bool rank_first) {
    int32_t rank_a = net_turn_rank(v, a), rank_b = net_turn_rank(v, b);
    if (rank_first && rank_a != rank_b)
        return rank_a < rank_b;
    float side = kerb_sin(net_start_heading(v, b) - net_start_heading(v, a));
    if (v->head->left_hand)
        side = -side;
    if (kerb_abs(side) > net_side_sine)
        return side > 0;
    return rank_a < rank_b;
}

static bool net_yields_by_rule(const net_view* v, int32_t a, int32_t b) {
    const net_turn *ta = &v->turns[a], *tb = &v->turns[b];
    int32_t edge_a = v->lanes[ta->from].edge, edge_b = v->lanes[tb->from].edge;
    if (edge_a == edge_b)
        return false;
    if (ta->back != tb->back)
        return ta->back;
    switch (v->junctions[v->segments[v->head->lane_count + a].junction].rule) {
    case KERB_JUNCTION_PRIORITY:
        if (v->edges[edge_a].priority != v->edges[edge_b].priority)
            return v->edges[edge_a].priority < v->edges[edge_b].priority;
        return net_yields_by_side(v, a, b, true);
    case KERB_JUNCTION_NEAR_SIDE:
        return net_yields_by_side(v, a, b, false);
    default:
        return false;
    }
}

static net_foe_kind net_kind_of_foe(const net_turn* a, const net_turn* b) {
    if (a->from == b->from)
        return NET_DIVERGES;
    return a->to == b->to ? NET_MERGES : NET_CROSSES;
}

static net_span net_span_swapped(const net_span* span) {
    return (net_span){span->other_begin, span->other_end, span->begin, span->end};
}

static net_foe net_swapped(const net_foe* foe, int32_t turn) {
    net_foe other = *foe;
    other.turn = turn;
    other.wide = net_span_swapped(&foe->wide);
    other.narrow = net_span_swapped(&foe->narrow);
    other.swings = net_span_swapped(&foe->swings);
    other.yields = foe->leads;
    other.leads = foe->yields;
    return other;
}

// Turns that begin together conflict from there on, and those that end together until there.
static void net_fit_span(int32_t kind, float length_a, float length_b, net_span* span) {
    if (kind == NET_DIVERGES) {
        span->begin = kerb_min(span->begin, 0);
        span->other_begin = kerb_min(span->other_begin, 0);
    }
    if (kind == NET_MERGES) {
        span->begin = span->end < 0 ? length_a : span->begin;
        span->other_begin = span->end < 0 ? length_b : span->other_begin;
        span->end = length_a;
        span->other_end = length_b;
    }
}

static bool net_runs_beside(const net_view* v, int32_t a, int32_t b, const net_span* span) {
    int32_t lanes = v->head->lane_count;
    float mine = 0.5f * (span->begin + span->end);
    float other = 0.5f * (span->other_begin + span->other_end);
    float angle = kerb_in_network_at(v, lanes + a, mine, 0).heading -
                  kerb_in_network_at(v, lanes + b, other, 0).heading;
    return kerb_abs(kerb_wrap_angle(angle)) < net_beside_angle;
}

// The hull of two spans.
static void net_join_spans(net_span* span, const net_span* with) {
    if (!net_span_is_any(with))
        return;
    if (!net_span_is_any(span)) {
        *span = *with;
        return;
    }
    span->begin = kerb_min(span->begin, with->begin);
    span->end = kerb_max(span->end, with->end);
    span->other_begin = kerb_min(span->other_begin, with->other_begin);
    span->other_end = kerb_max(span->other_end, with->other_end);
}

static bool net_find_pair(const net_view* v, int32_t a, int32_t b, const net_turn_shape* sa,
                          const net_turn_shape* sb, net_foe* foe) {
    const net_segment* segments = v->segments + v->head->lane_count;
    float reach = 0.5f * (segments[a].width + segments[b].width) * net_conflict_width_share;
    *foe = (net_foe){.turn = b, .kind = (uint8_t)net_kind_of_foe(&v->turns[a], &v->turns[b])};
    foe->swings = (net_span){.begin = 0, .end = -1, .other_begin = 0, .other_end = -1};
    kerb_in_network_swept_meet(&sa->swept, &sb->swept, foe->kind == NET_DIVERGES,
                               foe->kind == NET_MERGES, &foe->swings);
    net_find_overlap(&sa->sampled, &sb->sampled, reach, &foe->wide);
    net_find_overlap(&sa->sampled, &sb->sampled, kerb_min(reach, net_narrow_reach), &foe->narrow);
    bool any = net_span_is_any(&foe->wide);
    net_join_spans(&foe->swings, &foe->wide);
    if (!net_span_is_any(&foe->swings))
        return false;
    if (foe->kind == NET_CROSSES && net_runs_beside(v, a, b, any ? &foe->wide : &foe->swings))
        foe->kind = NET_BESIDE;
    net_fit_span(foe->kind, segments[a].length, segments[b].length, &foe->swings);
    net_fit_span(foe->kind, segments[a].length, segments[b].length, &foe->wide);
    net_fit_span(foe->kind, segments[a].length, segments[b].length, &foe->narrow);
    if (foe->kind != NET_DIVERGES && any) {
        foe->yields = net_yields_by_rule(v, a, b);
        foe->leads = !foe->yields && net_yields_by_rule(v, b, a);
    }
    return true;
}

bool kerb_in_network_conflicts(const net_view* v, int32_t junction, net_turn_shape* shapes,
                               net_add_foe* add, void* context) {
    const net_junction* j = &v->junctions[junction];
    const int32_t* turns = v->junction_turns + j->first_turn;
    for (int32_t i = 0; i < j->turn_count; i++) {
        net_span back;
        net_swept* swept = &shapes[i].swept;
        net_sample_turn(v, turns[i], &shapes[i].sampled);
        kerb_in_network_sweep(v, turns[i], swept);
        if (!kerb_in_network_swept_meet(swept, swept, true, true, &back))
            continue;
        v->turns[turns[i]].swept_from = kerb_max(-back.begin, 0);
        v->turns[turns[i]].swept_to = kerb_max(back.end - swept->length, 0);
    }
    for (int32_t i = 0; i < j->turn_count; i++)
        for (int32_t k = i + 1; k < j->turn_count; k++) {
            net_foe foe;
            if (!net_find_pair(v, turns[i], turns[k], &shapes[i], &shapes[k], &foe))
                continue;
            net_foe other = net_swapped(&foe, turns[i]);
            if (!add(context, turns[i], &foe) || !add(context, turns[k], &other))
                return false;
        }
    return true;
}
