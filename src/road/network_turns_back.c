// Purpose: turns back for streets that end: an edge from which no turn leads on.
// Idea:    Edges are listed by the junction where they begin; of those that lead back to where a
//          dead end comes from, the one that begins nearest to its end is taken.
// Cost:    O(edges + lanes + turns), and the edges of each junction for a dead end there.
#include "network_parts.h"

#include "../base/shared.h"

#include <string.h>

typedef struct back_finder {
    const kerb_network_plan* plan;
    int32_t* edge_of;    ///< of each lane
    int32_t* leads_on;   ///< of each edge: 1 when a turn leads on
    int32_t* from_first; ///< edges by the junction where they begin: ranges in `from_edges`
    int32_t* from_edges;
} back_finder;

static void back_list_edges(const back_finder* f) {
    const kerb_network_plan* p = f->plan;
    for (int32_t e = 0; e < p->edge_count; e++) {
        const kerb_network_edge* edge = &p->edges[e];
        for (int32_t l = edge->first_lane; l < edge->first_lane + edge->lane_count; l++)
            f->edge_of[l] = e;
        f->from_first[edge->from + 1]++;
    }
    for (int32_t i = 0; i < p->junction_count; i++)
        f->from_first[i + 1] += f->from_first[i];
    for (int32_t e = 0; e < p->edge_count; e++)
        f->from_edges[f->from_first[p->edges[e].from]++] = e;
    for (int32_t i = p->junction_count; i > 0; i--) // each is now where the next one begins
        f->from_first[i] = f->from_first[i - 1];
    f->from_first[0] = 0;
    for (int32_t i = 0; i < p->turn_count; i++)
        f->leads_on[f->edge_of[p->turns[i].from]] = 1;
}

// The lanes nearest to the fast side that a class of vehicles may both use. False: there are none.
static bool back_lanes(const kerb_network_plan* p, int32_t from, int32_t to,
                       kerb_network_turn* turn) {
    const kerb_network_edge *a = &p->edges[from], *b = &p->edges[to];
    for (int32_t i = a->first_lane + a->lane_count - 1; i >= a->first_lane; i--)
        for (int32_t k = b->first_lane + b->lane_count - 1; k >= b->first_lane; k--)
            if (p->lanes[i].classes & p->lanes[k].classes) {
                *turn = kerb_network_turn_between(i, k);
                turn->back = true;
                return true;
            }
    return false;
}

static float back_distance(const kerb_network_plan* p, const kerb_network_turn* turn) {
    const kerb_network_lane *a = &p->lanes[turn->from], *b = &p->lanes[turn->to];
    return kerb_vec3_length(
        kerb_vec3_sub(p->points[a->first_point + a->point_count - 1], p->points[b->first_point]));
}

// The turn back from an edge. False: nothing leads back.
static bool back_from(const back_finder* f, int32_t edge, kerb_network_turn* best) {
    const kerb_network_plan* p = f->plan;
    int32_t junction = p->edges[edge].to;
    bool found = false;
    for (int32_t i = f->from_first[junction]; i < f->from_first[junction + 1]; i++) {
        kerb_network_turn turn;
        int32_t other = f->from_edges[i];
        if (other == edge || p->edges[other].to != p->edges[edge].from ||
            !back_lanes(p, edge, other, &turn) ||
            (found && back_distance(p, &turn) >= back_distance(p, best)))
            continue;
        *best = turn;
        found = true;
    }
    return found;
}

static int32_t back_find_all(const back_finder* f, kerb_network_turn* turns, int32_t capacity) {
    int32_t count = 0;
    back_list_edges(f);
    for (int32_t e = 0; e < f->plan->edge_count; e++) {
        kerb_network_turn turn;
        if (f->leads_on[e] || !back_from(f, e, &turn))
            continue;
        if (count < capacity)
            turns[count] = turn;
        count++;
    }
    return count;
}

int32_t kerb_network_turns_back(const kerb_network_plan* plan, const kerb_host* host,
                                kerb_network_turn* turns, int32_t capacity) {
    if (kerb_in_network_check(plan, NULL) != KERB_OK)
        return 0;
    const kerb_allocator* a = &host->allocator;
    size_t lane_count = (size_t)plan->lane_count, edge_count = (size_t)plan->edge_count;
    size_t all = lane_count + 2 * edge_count + (size_t)plan->junction_count + 1;
    int32_t* numbers = a->allocate(a->context, all * sizeof *numbers, 8);
    if (!numbers)
        return -1;
    memset(numbers, 0, all * sizeof *numbers);
    back_finder f = {plan, numbers, numbers + lane_count, numbers + lane_count + edge_count,
                     numbers + all - edge_count};
    int32_t count = back_find_all(&f, turns, capacity);
    a->release(a->context, numbers, all * sizeof *numbers);
    return count;
}
