// Purpose: least times to and from a few lanes at the edge of the network: marks, from which a
//          bound of the time between any two lanes follows.
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

static void set_mark(const route_marker* m, route_marks* marks, int32_t k, int32_t mark) {
    times_of_mark(m, mark, true);
    for (int32_t i = 0; i < m->count; i++)
        marks[i].from[k] = m->time[i];
    times_of_mark(m, mark, false);
    for (int32_t i = 0; i < m->count; i++)
        marks[i].to[k] = m->time[i];
}

// The first mark leads to the lane and back.
static bool is_round_trip(const route_marks* m) {
    return m->from[0] != ROUTE_NO_TIME && m->to[0] != ROUTE_NO_TIME;
}

// A high rank, which lies in the middle of the network, as the first mark for now. From a lane
// that is no dead end, at least half of all lanes are reached and lead back; a few are tried.
enum { CENTRES_MAX = 8 };

static void set_centre(const route_marker* m, route_marks* marks) {
    for (int32_t k = 0; k < CENTRES_MAX && k < m->count; k++) {
        int32_t reached = 0;
        set_mark(m, marks, 0, m->count - 1 - k);
        for (int32_t i = 0; i < m->count; i++)
            reached += is_round_trip(&marks[i]);
        if (reached > m->count / 2)
            return;
    }
}

// The rank that is farthest from all marks, of those that they lead to and from.
static int32_t farthest_of_marks(const route_marks* marks, int32_t count, int32_t mark_count) {
    int32_t best = count - 1;
    uint32_t best_time = 0;
    for (int32_t i = 0; i < count; i++) {
        uint32_t time = ROUTE_NO_TIME;
        for (int32_t k = 0; k < mark_count; k++)
            time = marks[i].from[k] < time ? marks[i].from[k] : time;
        if (is_round_trip(&marks[i]) && time > best_time) {
            best_time = time;
            best = i;
        }
    }
    return best;
}

// --------------------------------------------------------------------------- how far bounds are
// off

// Times from so many lanes to every 16th lane are compared with their bounds.
enum { MARK_SAMPLES = 8, MARK_SAMPLE_STEP = 16 };
// Most ways, so many of a hundred, are longer than their bound by no more than the share that is
// looked for. Fewer: many a sweep is made twice; more: sweeps are wider.
enum { MARK_SAMPLES_WITHIN = 66 };

// How much longer ways are than their bounds. [1/ROUTE_SHARE, up to ROUTE_SHARE]
static int32_t measure_bounds(const route_marker* m, const route_marks* marks) {
    int32_t count_of[ROUTE_SHARE + 1] = {0}, count = 0, within = 0, share = 0;
    for (int32_t i = 0; i < MARK_SAMPLES; i++) {
        const int64_t part_of = 2 * (int64_t)i + 1;
        int32_t from = (int32_t)(m->count * part_of / (2 * (int64_t)MARK_SAMPLES));
        times_of_mark(m, from, true);
        for (int32_t to = i; to < m->count; to += MARK_SAMPLE_STEP) {
            if (m->time[to] == ROUTE_NO_TIME || to == from)
                continue;
            uint32_t bound = route_bound(&marks[from], &marks[to]), more = m->time[to] - bound;
            uint64_t part = ((uint64_t)more * ROUTE_SHARE + bound) / ((uint64_t)bound + 1);
            count_of[part < ROUTE_SHARE ? part : ROUTE_SHARE]++;
            count++;
        }
    }
    while (share < ROUTE_SHARE && (int64_t)within * 100 < (int64_t)count * MARK_SAMPLES_WITHIN)
        within += count_of[share++];
    return share;
}

int32_t kerb_in_route_mark(route_marks* marks, const route_rank* ranks, const route_arc* arcs,
                           int32_t count, uint32_t* time) {
    route_marker m = {count, ranks, arcs, NULL};
    m.time = time;
    set_centre(&m, marks);
    for (int32_t k = 0; k < ROUTE_MARKS; k++)
        set_mark(&m, marks, k, farthest_of_marks(marks, count, k > 0 ? k : 1));
    return measure_bounds(&m, marks);
}
