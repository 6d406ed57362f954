// Purpose: least times to and from a few lanes at the edge of the network: marks, from which a
// bound
//          of the time between any two lanes follows.
// Idea:    No way from a to b is faster than d(mark, b) - d(mark, a), or than d(a, mark) -
//          d(b, mark). Each mark is the lane that is farthest from those chosen before it. All
//          times from a mark come from a sweep up in the hierarchy and one over all ranks down.
// Cost:    O(arcs of the hierarchy) for each mark: some 20 ms for a grid of 100,000 lanes.
// Source:  Goldberg and Harrelson, "Computing the Shortest Path: A* Search Meets Graph Theory",
//          SODA 2005 (landmarks); Delling, Goldberg, Nowatzyk, Werneck, "PHAST", IPDPS 2011.
#include "route_parts.h"

typedef struct route_marker {
    int32_t count;
    const route_rank* ranks;
    const route_arc* arcs;
    uint32_t* time; // of each rank
} route_marker;

// Least times from a rank to all others, or to it from all others.
static void times_of_mark(const route_marker* m, int32_t mark, bool from) {
    for (int32_t i = 0; i < m->count; i++)
        m->time[i] = ROUTE_NO_TIME;
    m->time[mark] = 0;
    for (int32_t i = mark; i >= 0; i = m->ranks[i].parent) {
        int32_t first = from ? m->ranks[i].up : m->ranks[i].down;
        int32_t end = from ? m->ranks[i].down : m->ranks[i + 1].up;
        for (int32_t k = first; k < end; k++) {
            uint32_t time = route_sum(m->time[i], m->arcs[k].time);
            if (time < m->time[m->arcs[k].rank])
                m->time[m->arcs[k].rank] = time;
        }
    }
    for (int32_t i = m->count - 1; i >= 0; i--) {
        int32_t first = from ? m->ranks[i].down : m->ranks[i].up;
        int32_t end = from ? m->ranks[i + 1].up : m->ranks[i].down;
        for (int32_t k = first; k < end; k++) {
            uint32_t time = route_sum(m->time[m->arcs[k].rank], m->arcs[k].time);
            if (time < m->time[i])
                m->time[i] = time;
        }
    }
}

// The rank that is farthest from all marks, of those that each mark leads to.
static int32_t farthest_of_marks(const route_marks* marks, int32_t count, int32_t mark_count) {
    int32_t best = count - 1;
    uint32_t best_time = 0;
    for (int32_t i = 0; i < count; i++) {
        uint32_t time = ROUTE_NO_TIME;
        for (int32_t k = 0; k < mark_count; k++)
            time = marks[i].from[k] < time ? marks[i].from[k] : time;
        if (time != ROUTE_NO_TIME && time > best_time) {
            best_time = time;
            best = i;
        }
    }
    return best;
}

void kerb_in_route_mark(route_marks* marks, const route_rank* ranks, const route_arc* arcs,
                        int32_t count, uint32_t* time) {
    const route_marker m = {count, ranks, arcs, time};
    // The highest rank lies in the middle: the lane farthest from it is the first mark.
    times_of_mark(&m, count - 1, true);
    for (int32_t i = 0; i < count; i++)
        marks[i].from[0] = time[i];
    for (int32_t k = 0; k < ROUTE_MARKS; k++) {
        int32_t mark = farthest_of_marks(marks, count, k > 0 ? k : 1);
        times_of_mark(&m, mark, true);
        for (int32_t i = 0; i < count; i++)
            marks[i].from[k] = time[i];
        times_of_mark(&m, mark, false);
        for (int32_t i = 0; i < count; i++)
            marks[i].to[k] = time[i];
    }
}
