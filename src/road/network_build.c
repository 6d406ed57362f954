// Purpose: makes the block of a network from a plan.
// Idea:    Everything but the conflicts has a size that follows from the plan. Conflicts are found
//          on a block without them, collected in a list that grows, and then copied into the final
//          block.
// Cost:    O(points), and the conflicts of each junction.
#include "network_parts.h"

#include "../base/shared.h"

#include <string.h>

enum { NET_CURVE_POINTS = 17 }; // of a turn whose curve is made: bends of 6 degrees at right angles

typedef struct foe_item {
    int32_t turn;
    net_foe foe;
} foe_item;

typedef struct network_builder {
    const kerb_network_plan* plan;
    const kerb_allocator* allocator;
    char* block;
    net_block head;
    foe_item* foes;
    int32_t foe_capacity;
    net_overlap* overlaps;
    int32_t overlap_capacity;
    net_crossing* crossings;
    int32_t crossing_capacity;
} network_builder;

// --------------------------------------------------------------------------- layout

static size_t net_place_array(size_t* bytes, int32_t count, size_t size) {
    size_t at = *bytes;
    *bytes = kerb_in_round_up(at + (size_t)count * size, 8);
    return at;
}

// Points of lanes and turns, each with its own copy.
static int32_t net_count_points(const kerb_network_plan* plan) {
    int32_t count = 0;
    for (int32_t i = 0; i < plan->lane_count; i++)
        count += plan->lanes[i].point_count;
    for (int32_t i = 0; i < plan->turn_count; i++)
        count += plan->turns[i].point_count > 0 ? plan->turns[i].point_count : NET_CURVE_POINTS;
    return count;
}

// Foes, cells, overlaps and crossings come last, so that a block grows by them without moving
// anything else.
static size_t net_lay_out_network(net_block* head) {
    size_t bytes = 0;
    net_place_array(&bytes, 1, sizeof *head);
    head->edges = net_place_array(&bytes, head->edge_count, sizeof(kerb_network_edge));
    head->segments =
        net_place_array(&bytes, head->lane_count + head->turn_count, sizeof(net_segment));
    head->lanes = net_place_array(&bytes, head->lane_count, sizeof(net_lane));
    head->turns = net_place_array(&bytes, head->turn_count, sizeof(net_turn));
    head->lane_turns = net_place_array(&bytes, head->turn_count, sizeof(int32_t));
    head->junctions = net_place_array(&bytes, head->junction_count, sizeof(net_junction));
    head->junction_turns = net_place_array(&bytes, head->turn_count, sizeof(int32_t));
    head->signals = net_place_array(&bytes, head->signal_count, sizeof(kerb_network_signal));
    head->signal_first = net_place_array(&bytes, head->signal_count + 1, sizeof(int32_t));
    head->signal_turns = net_place_array(&bytes, head->turn_count, sizeof(int32_t));
    head->phases = net_place_array(&bytes, head->phase_count, sizeof(kerb_network_phase));
    head->states = net_place_array(&bytes, head->state_count, 1);
    head->points = net_place_array(&bytes, head->point_count, sizeof(kerb_vec3));
    head->stations = net_place_array(&bytes, head->point_count, sizeof(float));
    head->matrix = net_place_array(&bytes, head->matrix_count, sizeof(int32_t));
    head->foes = net_place_array(&bytes, head->foe_count, sizeof(net_foe));
    head->cell_first = net_place_array(&bytes, head->cell_count + 1, sizeof(int32_t));
    head->cell_items = net_place_array(&bytes, head->item_count, sizeof(int32_t));
    head->overlaps = net_place_array(&bytes, head->overlap_count, sizeof(net_overlap));
    head->crossings = net_place_array(&bytes, head->crossing_count, sizeof(net_crossing));
    return bytes;
}

static void* net_network_allocate(network_builder* b, size_t bytes) {
    return b->allocator->allocate(b->allocator->context, bytes, 64);
}

static void net_network_release(network_builder* b, void* memory, size_t bytes) {
    if (memory)
        b->allocator->release(b->allocator->context, memory, bytes);
}

// --------------------------------------------------------------------------- lanes

static void net_copy_array(void* to, const void* from, int32_t count, size_t size) {
    if (count > 0)
        memcpy(to, from, (size_t)count * size);
}

static void net_measure(const net_view* v, net_segment* segment) {
    const kerb_vec3* p = v->points + segment->first_point;
    float* s = v->stations + segment->first_point;
    s[0] = 0;
    for (int32_t i = 1; i < segment->point_count; i++)
        s[i] = s[i - 1] + kerb_vec3_length(kerb_vec3_sub(p[i], p[i - 1]));
    segment->length = s[segment->point_count - 1];
}

static void net_fill_edges(const network_builder* b, const net_view* v) {
    for (int32_t e = 0; e < b->plan->edge_count; e++) {
        const kerb_network_edge* edge = &v->edges[e];
        int32_t last = edge->first_lane + edge->lane_count - 1;
        for (int32_t l = edge->first_lane; l <= last; l++) {
            int32_t faster = l < last ? l + 1 : -1, slower = l > edge->first_lane ? l - 1 : -1;
            v->lanes[l].edge = e;
            v->lanes[l].left = b->plan->left_hand ? slower : faster;
            v->lanes[l].right = b->plan->left_hand ? faster : slower;
            v->segments[l].junction = edge->to;
        }
    }
}

static int32_t net_fill_lanes(const network_builder* b, const net_view* v) {
    int32_t point = 0;
    for (int32_t i = 0; i < b->plan->lane_count; i++) {
        const kerb_network_lane* from = &b->plan->lanes[i];
        net_segment* s = &v->segments[i];
        s->width = from->width;
        s->speed_limit = from->speed_limit;
        s->classes = from->classes;
        s->first_point = point;
        s->point_count = from->point_count;
        v->lanes[i].edge = -1;
        net_copy_array(v->points + point, b->plan->points + from->first_point, from->point_count,
                       sizeof(kerb_vec3));
        net_measure(v, s);
        point += from->point_count;
    }
    return point;
}

// --------------------------------------------------------------------------- turns

static kerb_vec3 net_heading_vector(float heading, float slope) {
    float sine, cosine;
    kerb_sin_cos(heading, &sine, &cosine);
    return kerb_vec3_make(cosine, sine, slope);
}

// Handles of a cubic Bezier curve, as a share of its chord: at right angles nearly a circle, whose
// handles are 4/3 tan(pi/8) of the radius, and whose chord is sqrt(2) of it. [1]
static const float handle_share = 0.39f;

static void net_make_curve(const net_view* v, const net_turn* turn, net_segment* s) {
    const net_segment* from = &v->segments[turn->from];
    kerb_network_place a = kerb_in_network_at(v, turn->from, from->length, 0);
    kerb_network_place b = kerb_in_network_at(v, turn->to, 0, 0);
    float chord = kerb_vec3_length(kerb_vec3_sub(b.position, a.position));
    kerb_vec3 pa =
        kerb_vec3_along(a.position, net_heading_vector(a.heading, a.slope), handle_share * chord);
    kerb_vec3 pb =
        kerb_vec3_along(b.position, net_heading_vector(b.heading, b.slope), -handle_share * chord);
    for (int32_t i = 0; i < NET_CURVE_POINTS; i++) {
        float t = (float)i / (float)(NET_CURVE_POINTS - 1), u = 1 - t;
        kerb_vec3 p = kerb_vec3_scale(a.position, u * u * u);
        p = kerb_vec3_along(p, pa, 3 * u * u * t);
        p = kerb_vec3_along(p, pb, 3 * u * t * t);
        v->points[s->first_point + i] = kerb_vec3_along(p, b.position, t * t * t);
    }
}

// Greatest change of heading over a window of three pieces of a made curve.
static float net_curvature_of(const net_view* v, const net_segment* s) {
    const kerb_vec3* p = v->points + s->first_point;
    float most = 0;
    for (int32_t i = 0; i + 4 < s->point_count; i++) {
        kerb_vec3 a = kerb_vec3_sub(p[i + 1], p[i]), b = kerb_vec3_sub(p[i + 4], p[i + 3]);
        float turned = kerb_abs(kerb_atan2(a.x * b.y - a.y * b.x, a.x * b.x + a.y * b.y));
        float way = v->stations[s->first_point + i + 3] - v->stations[s->first_point + i];
        if (way > 0)
            most = kerb_max(most, turned / way);
    }
    return most;
}

// A turn that bends by more than this, on less than this length, has a radius below 3 m: vehicles
// on it reach far beyond its line. 149 degrees. [rad, m]
static const float tight_bend = 2.6f, tight_length = 8.0f;

static void net_fill_turn(const network_builder* b, const net_view* v, int32_t i, int32_t point) {
    const kerb_network_turn* from = &b->plan->turns[i];
    const net_segment *lane_a = &v->segments[from->from], *lane_b = &v->segments[from->to];
    net_segment* s = &v->segments[b->plan->lane_count + i];
    net_turn* turn = &v->turns[i];
    *turn = (net_turn){.from = from->from,
                       .to = from->to,
                       .signal = from->signal,
                       .link = from->link,
                       .stop = from->stop,
                       .back = from->back};
    s->width = kerb_min(lane_a->width, lane_b->width);
    s->speed_limit = from->speed_limit > 0 ? from->speed_limit
                                           : kerb_min(lane_a->speed_limit, lane_b->speed_limit);
    s->classes = UINT32_MAX;
    s->first_point = point;
    s->point_count = from->point_count > 0 ? from->point_count : NET_CURVE_POINTS;
    s->junction = v->segments[from->from].junction;
    if (from->point_count > 0)
        net_copy_array(v->points + point, b->plan->points + from->first_point, from->point_count,
                       sizeof(kerb_vec3));
    else
        net_make_curve(v, turn, s);
    net_measure(v, s);
    if (from->point_count == 0)
        s->curvature = net_curvature_of(v, s);
    turn->all_stop = v->junctions[s->junction].rule == KERB_JUNCTION_ALL_STOP;
    turn->bend = kerb_wrap_angle(kerb_in_network_at(v, turn->to, 0, 0).heading -
                                 kerb_in_network_at(v, turn->from, lane_a->length, 0).heading);
    turn->tight = kerb_abs(turn->bend) > tight_bend && s->length < tight_length;
}

// Lists of turns by lane and by junction, in the order of the turns.
static void net_list_turns(const network_builder* b, const net_view* v) {
    int32_t at_lane = 0, at_junction = 0;
    for (int32_t i = 0; i < b->plan->turn_count; i++) {
        v->lanes[v->turns[i].from].turn_count++;
        v->junctions[v->segments[b->plan->lane_count + i].junction].turn_count++;
    }
    for (int32_t i = 0; i < b->plan->lane_count; i++) {
        v->lanes[i].first_turn = at_lane;
        at_lane += v->lanes[i].turn_count;
        v->lanes[i].turn_count = 0;
    }
    for (int32_t i = 0; i < b->plan->junction_count; i++) {
        v->junctions[i].first_turn = at_junction;
        at_junction += v->junctions[i].turn_count;
        v->junctions[i].turn_count = 0;
    }
    for (int32_t i = 0; i < b->plan->turn_count; i++) {
        net_lane* lane = &v->lanes[v->turns[i].from];
        net_junction* junction = &v->junctions[v->segments[b->plan->lane_count + i].junction];
        v->lane_turns[lane->first_turn + lane->turn_count++] = i;
        v->turns[i].slot = junction->turn_count;
        v->junction_turns[junction->first_turn + junction->turn_count++] = i;
    }
}

// A list of turns by signal, in the order of the turns.
static void net_list_signal_turns(const net_view* v) {
    int32_t signals = v->head->signal_count;
    for (int32_t i = 0; i < v->head->turn_count; i++)
        if (v->turns[i].signal >= 0)
            v->signal_first[v->turns[i].signal + 1]++;
    for (int32_t i = 0; i < signals; i++)
        v->signal_first[i + 1] += v->signal_first[i];
    for (int32_t i = 0; i < v->head->turn_count; i++)
        if (v->turns[i].signal >= 0)
            v->signal_turns[v->signal_first[v->turns[i].signal]++] = i;
    for (int32_t i = signals; i > 0; i--) // each is now where the next one begins
        v->signal_first[i] = v->signal_first[i - 1];
    v->signal_first[0] = 0;
}

// --------------------------------------------------------------------------- conflicts

static bool net_keep_foe(void* context, int32_t turn, const net_foe* foe) {
    network_builder* b = context;
    if (b->head.foe_count == b->foe_capacity) {
        int32_t capacity = 2 * b->foe_capacity + 64;
        foe_item* foes = net_network_allocate(b, (size_t)capacity * sizeof *foes);
        if (!foes)
            return false;
        net_copy_array(foes, b->foes, b->foe_capacity, sizeof *foes);
        net_network_release(b, b->foes, (size_t)b->foe_capacity * sizeof *foes);
        b->foes = foes;
        b->foe_capacity = capacity;
    }
    b->foes[b->head.foe_count++] = (foe_item){turn, *foe};
    b->head.conflict_count += net_span_is_any(&foe->wide) && turn < foe->turn;
    return true;
}

static void net_sort_foes(const network_builder* b, const net_view* v) {
    int32_t at = 0;
    for (int32_t i = 0; i < b->head.foe_count; i++)
        v->turns[b->foes[i].turn].foe_count++;
    for (int32_t i = 0; i < b->head.turn_count; i++) {
        v->turns[i].first_foe = at;
        at += v->turns[i].foe_count;
        v->turns[i].foe_count = 0;
    }
    for (int32_t i = 0; i < b->head.matrix_count; i++)
        v->matrix[i] = -1;
    for (int32_t i = 0; i < b->head.foe_count; i++) {
        const foe_item* item = &b->foes[i];
        net_turn* turn = &v->turns[item->turn];
        const net_junction* j =
            &v->junctions[v->segments[b->head.lane_count + item->turn].junction];
        int32_t place = turn->first_foe + turn->foe_count++;
        v->foes[place] = item->foe;
        v->matrix[j->matrix + turn->slot * j->turn_count + v->turns[item->foe.turn].slot] = place;
    }
}

static void net_apply_yields(const network_builder* b, const net_view* v) {
    for (int32_t i = 0; i < b->plan->yield_count; i++) {
        kerb_network_yield y = b->plan->yields[i];
        const net_segment* s = v->segments + b->head.lane_count;
        if (s[y.turn].junction != s[y.to].junction || !net_foe_of(v, y.turn, y.to))
            continue;
        net_foe* foe = &v->foes[net_foe_of(v, y.turn, y.to) - v->foes];
        net_foe* other = &v->foes[net_foe_of(v, y.to, y.turn) - v->foes];
        if (!net_span_is_any(&foe->wide))
            continue;
        foe->yields = other->leads = true;
    }
}

// The ends of lanes that long vehicles sweep.
static void net_fill_swept_ends(const net_view* v) {
    for (int32_t i = 0; i < v->head->turn_count; i++) {
        net_turn* turn = &v->turns[i];
        net_lane *from = &v->lanes[turn->from], *to = &v->lanes[turn->to];
        float length = v->segments[v->head->lane_count + i].length;
        turn->tail = turn->swept_to;
        from->swept_end = kerb_max(from->swept_end, turn->swept_from);
        to->swept_start = kerb_max(to->swept_start, turn->swept_to);
        for (int32_t k = turn->first_foe; k < turn->first_foe + turn->foe_count; k++) {
            const net_foe* foe = &v->foes[k];
            turn->tail = kerb_max(turn->tail, foe->swings.end - length);
            from->swept_end = kerb_max(from->swept_end, -foe->swings.begin);
            if (foe->kind != NET_MERGES)
                to->swept_start = kerb_max(to->swept_start, foe->swings.end - length);
        }
    }
}

// --------------------------------------------------------------------------- lanes that overlap

static bool net_keep_overlap(void* context, const net_overlap* overlap) {
    network_builder* b = context;
    if (b->head.overlap_count == b->overlap_capacity) {
        int32_t capacity = 2 * b->overlap_capacity + 16;
        net_overlap* overlaps = net_network_allocate(b, (size_t)capacity * sizeof *overlaps);
        if (!overlaps)
            return false;
        net_copy_array(overlaps, b->overlaps, b->overlap_capacity, sizeof *overlaps);
        net_network_release(b, b->overlaps, (size_t)b->overlap_capacity * sizeof *overlaps);
        b->overlaps = overlaps;
        b->overlap_capacity = capacity;
    }
    b->overlaps[b->head.overlap_count++] = *overlap;
    return true;
}

static void net_sort_overlaps(const network_builder* b, const net_view* v) {
    int32_t at = 0;
    for (int32_t i = 0; i < b->head.overlap_count; i++)
        v->lanes[b->overlaps[i].lane].overlap_count++;
    for (int32_t i = 0; i < b->head.lane_count; i++) {
        v->lanes[i].first_overlap = at;
        at += v->lanes[i].overlap_count;
        v->lanes[i].overlap_count = 0;
    }
    for (int32_t i = 0; i < b->head.overlap_count; i++) {
        net_lane* lane = &v->lanes[b->overlaps[i].lane];
        v->overlaps[lane->first_overlap + lane->overlap_count++] = b->overlaps[i];
    }
}

// --------------------------------------------------------------------------- crossings

static bool net_keep_crossing(void* context, const net_crossing* crossing) {
    network_builder* b = context;
    if (b->head.crossing_count == b->crossing_capacity) {
        int32_t capacity = 2 * b->crossing_capacity + 16;
        net_crossing* crossings = net_network_allocate(b, (size_t)capacity * sizeof *crossings);
        if (!crossings)
            return false;
        net_copy_array(crossings, b->crossings, b->crossing_capacity, sizeof *crossings);
        net_network_release(b, b->crossings, (size_t)b->crossing_capacity * sizeof *b->crossings);
        b->crossings = crossings;
        b->crossing_capacity = capacity;
    }
    b->crossings[b->head.crossing_count++] = *crossing;
    return true;
}

// By segment, and by begin on each.
static void net_sort_crossings(const network_builder* b, const net_view* v) {
    int32_t at = 0, segments = b->head.lane_count + b->head.turn_count;
    for (int32_t i = 0; i < b->head.crossing_count; i++)
        v->segments[b->crossings[i].segment].crossing_count++;
    for (int32_t i = 0; i < segments; i++) {
        v->segments[i].first_crossing = at;
        at += v->segments[i].crossing_count;
        v->segments[i].crossing_count = 0;
    }
    for (int32_t i = 0; i < b->head.crossing_count; i++) {
        net_segment* s = &v->segments[b->crossings[i].segment];
        net_crossing* list = v->crossings + s->first_crossing;
        int32_t k = s->crossing_count++;
        for (; k > 0 && list[k - 1].begin > b->crossings[i].begin; k--)
            list[k] = list[k - 1];
        list[k] = b->crossings[i];
    }
}

// --------------------------------------------------------------------------- building

static kerb_result net_check_connected(const net_view* v, kerb_error* error) {
    for (int32_t i = 0; i < v->head->lane_count; i++)
        if (v->lanes[i].edge < 0)
            return kerb_error_set(error, KERB_ERROR_CONTRADICTION, "lanes", 0, i,
                                  "must belong to exactly one edge");
    for (int32_t i = 0; i < v->head->turn_count; i++) {
        const net_turn* t = &v->turns[i];
        if (v->edges[v->lanes[t->from].edge].to != v->edges[v->lanes[t->to].edge].from)
            return kerb_error_set(error, KERB_ERROR_CONTRADICTION, "turns.to", 0, i,
                                  "must start at the junction where the lane of `from` ends");
    }
    for (int32_t i = 0; i < v->head->junction_count; i++)
        if (v->junctions[i].turn_count > KERB_JUNCTION_TURNS_MAX)
            return kerb_error_set(error, KERB_ERROR_TOO_MANY, "junctions", 0, i,
                                  "must have at most 256 turns");
    return KERB_OK;
}

static kerb_result net_fill_network(network_builder* b, kerb_error* error) {
    const kerb_network_plan* plan = b->plan;
    memcpy(b->block, &b->head, sizeof b->head);
    net_view v = kerb_in_network_view(b->block);
    net_copy_array(v.edges, plan->edges, plan->edge_count, sizeof *v.edges);
    net_copy_array(v.signals, plan->signals, plan->signal_count, sizeof *v.signals);
    net_copy_array(v.phases, plan->phases, plan->phase_count, sizeof *v.phases);
    net_copy_array(v.states, plan->states, plan->state_count, 1);
    for (int32_t i = 0; i < plan->junction_count; i++)
        v.junctions[i].rule = (int32_t)plan->junctions[i].rule;
    int32_t point = net_fill_lanes(b, &v);
    net_fill_edges(b, &v);
    for (int32_t i = 0; i < plan->turn_count; i++) {
        net_fill_turn(b, &v, i, point);
        point += v.segments[plan->lane_count + i].point_count;
    }
    net_list_turns(b, &v);
    net_list_signal_turns(&v);
    return net_check_connected(&v, error);
}

// Gives the block the size of the head's counts; what was in it stays.
static bool net_enlarge(network_builder* b, size_t* bytes) {
    size_t old = *bytes, full = net_lay_out_network(&b->head);
    char* block = net_network_allocate(b, full);
    if (!block)
        return false;
    memset(block, 0, full);
    memcpy(block, b->block, old);
    memcpy(block, &b->head, sizeof b->head);
    net_network_release(b, b->block, old);
    b->block = block;
    *bytes = full;
    return true;
}

static bool net_find_conflicts(network_builder* b, const net_view* v) {
    int32_t most = 0;
    for (int32_t i = 0; i < b->head.junction_count; i++)
        most = v->junctions[i].turn_count > most ? v->junctions[i].turn_count : most;
    size_t bytes = (size_t)(most + 1) * sizeof(net_turn_shape);
    net_turn_shape* shapes = net_network_allocate(b, bytes);
    bool done = shapes != NULL;
    for (int32_t i = 0; done && i < b->head.junction_count; i++) {
        v->junctions[i].matrix = b->head.matrix_count;
        b->head.matrix_count += v->junctions[i].turn_count * v->junctions[i].turn_count;
        done = kerb_in_network_conflicts(v, i, shapes, net_keep_foe, b);
    }
    net_network_release(b, shapes, bytes);
    return done;
}

// Conflicts and cells are found on the block without them.
static bool net_add_conflicts(network_builder* b, size_t* bytes) {
    net_view v = kerb_in_network_view(b->block);
    if (!net_find_conflicts(b, &v))
        return false;
    kerb_in_network_choose_cells(&v, &b->head);
    if (!net_enlarge(b, bytes))
        return false;
    v = kerb_in_network_view(b->block);
    net_sort_foes(b, &v);
    net_fill_swept_ends(&v);
    kerb_in_network_fill_cells(&v);
    net_apply_yields(b, &v);
    return true;
}

// Lanes that overlap and segments that cross are found by the cells.
static bool net_add_overlaps(network_builder* b, size_t* bytes) {
    net_view v = kerb_in_network_view(b->block);
    for (int32_t i = 0; i < b->head.lane_count; i++)
        v.lanes[i].oncoming = kerb_in_network_oncoming(&v, i);
    for (int32_t i = 0; i < b->head.lane_count; i++)
        if (!kerb_in_network_overlaps(&v, i, net_keep_overlap, b))
            return false;
    for (int32_t i = 0; i < b->head.lane_count + b->head.turn_count; i++)
        if (!kerb_in_network_crossings(&v, i, net_keep_crossing, b))
            return false;
    if (b->head.overlap_count + b->head.crossing_count == 0)
        return true;
    if (!net_enlarge(b, bytes))
        return false;
    v = kerb_in_network_view(b->block);
    net_sort_overlaps(b, &v);
    net_sort_crossings(b, &v);
    return true;
}

static kerb_result net_no_network_memory(kerb_error* error) {
    return kerb_error_set(error, KERB_ERROR_OUT_OF_MEMORY, "", 0, -1, "no memory for the network");
}

kerb_result kerb_network_create(kerb_network* network, const kerb_network_plan* plan,
                                const kerb_host* host, kerb_error* error) {
    *network = (kerb_network){0};
    kerb_result result = kerb_in_network_check(plan, error);
    if (result != KERB_OK)
        return result;
    network_builder b = {.plan = plan, .allocator = &host->allocator};
    b.head = (net_block){.edge_count = plan->edge_count,
                         .lane_count = plan->lane_count,
                         .turn_count = plan->turn_count,
                         .junction_count = plan->junction_count,
                         .signal_count = plan->signal_count,
                         .phase_count = plan->phase_count,
                         .state_count = plan->state_count,
                         .point_count = net_count_points(plan),
                         .left_hand = plan->left_hand};
    size_t bytes = net_lay_out_network(&b.head);
    b.block = net_network_allocate(&b, bytes);
    if (!b.block)
        return net_no_network_memory(error);
    memset(b.block, 0, bytes);
    result = net_fill_network(&b, error);
    if (result == KERB_OK && !(net_add_conflicts(&b, &bytes) && net_add_overlaps(&b, &bytes)))
        result = net_no_network_memory(error);
    net_network_release(&b, b.foes, (size_t)b.foe_capacity * sizeof *b.foes);
    net_network_release(&b, b.overlaps, (size_t)b.overlap_capacity * sizeof *b.overlaps);
    net_network_release(&b, b.crossings, (size_t)b.crossing_capacity * sizeof *b.crossings);
    if (result == KERB_OK)
        *network = (kerb_network){b.block, bytes, host->allocator};
    else
        net_network_release(&b, b.block, bytes);
    return result;
}

void kerb_network_destroy(kerb_network* network) {
    if (network->memory)
        network->allocator.release(network->allocator.context, network->memory, network->bytes);
    *network = (kerb_network){0};
}
