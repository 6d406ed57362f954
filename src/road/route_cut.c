// Purpose: cuts a part of a network in two of like size, through as few lanes as it finds.
// Idea:    Two coordinates are measured from the network itself: steps from one end less steps from
//          the other end, and the same across. In four directions of these, the foremost quarter of
//          the junctions is held on one side and the rearmost on the other; a greatest flow between
//          them (Dinic) shows the narrowest cut. The cut that is narrowest for the size of its
//          smaller part is taken.
// Cost:    O(lanes · phases of the flow), with some ten phases on a grid.
// Source:  Schild and Sommer, "On Balanced Separators in Road Networks", SEA 2015 (inertial flow).
#include "route_parts.h"

#include <string.h>

// Share of the junctions that is held on each side. Half: narrower cuts far from the middle, hence
// deeper orders; double: the middle only. Orders of grids and streets differ by less than 10 %.
enum { CUT_HELD_SHARE = 4 };

// --------------------------------------------------------------------------- steps

// Steps from a junction to all that hang together with it; appends them to the queue. Returns where
// the queue ends.
static int32_t cut_reach(route_cut* c, int32_t from, int32_t cell, int32_t* steps, int32_t count) {
    int32_t i = count;
    c->seen[from] = c->mark;
    steps[from] = 0;
    c->queue[count++] = from;
    for (; i < count; i++) {
        int32_t node = c->queue[i];
        for (int32_t k = c->first[node]; k < c->first[node + 1]; k++) {
            int32_t to = c->end[c->arcs[k]];
            if (c->cell[to] != cell || c->seen[to] == c->mark)
                continue;
            c->seen[to] = c->mark;
            steps[to] = steps[node] + 1;
            c->queue[count++] = to;
        }
    }
    return count;
}

// Steps from a junction to all of its part. Returns the farthest.
static int32_t cut_steps(route_cut* c, int32_t from, int32_t cell, int32_t* steps) {
    c->mark++;
    return c->queue[cut_reach(c, from, cell, steps, 0) - 1];
}

// The junction of a part that is farthest by `steps` and nearest to the middle between the ends.
static int32_t cut_corner(const route_cut* c, int32_t low, int32_t high, const int32_t* steps) {
    int32_t best = c->members[low], best_value = INT32_MIN;
    for (int32_t i = low; i < high; i++) {
        int32_t node = c->members[i], aside = c->along[node] < 0 ? -c->along[node] : c->along[node];
        int32_t value = (steps ? steps[node] : 0) - aside;
        if (value > best_value) {
            best_value = value;
            best = node;
        }
    }
    return best;
}

static void cut_measure(route_cut* c, int32_t low, int32_t high, int32_t cell) {
    int32_t a = cut_steps(c, c->members[low], cell, c->steps);
    int32_t b = cut_steps(c, a, cell, c->along);
    cut_steps(c, b, cell, c->steps);
    for (int32_t i = low; i < high; i++)
        c->along[c->members[i]] -= c->steps[c->members[i]];
    cut_steps(c, cut_corner(c, low, high, NULL), cell, c->steps);
    int32_t d = cut_corner(c, low, high, c->steps);
    cut_steps(c, d, cell, c->across);
    int32_t e = cut_corner(c, low, high, c->across);
    cut_steps(c, e, cell, c->steps);
    for (int32_t i = low; i < high; i++)
        c->across[c->members[i]] -= c->steps[c->members[i]];
}

// --------------------------------------------------------------------------- greatest flow

enum { HELD_NOT, HELD_FRONT, HELD_REAR };

// Steps from the sources over lanes with room. True when a sink is reached.
static bool cut_levels(route_cut* c, int32_t low, int32_t high, int32_t cell) {
    int32_t count = 0;
    bool reached = false;
    for (int32_t i = low; i < high; i++) {
        int32_t node = c->members[i];
        c->level[node] = c->role[node] == HELD_FRONT ? 0 : -1;
        c->next[node] = c->first[node];
        if (c->level[node] == 0)
            c->queue[count++] = node;
    }
    for (int32_t i = 0; i < count; i++) {
        int32_t node = c->queue[i];
        if (c->role[node] == HELD_REAR)
            continue;
        for (int32_t k = c->first[node]; k < c->first[node + 1]; k++) {
            int32_t to = c->end[c->arcs[k]];
            if (!c->room[c->arcs[k]] || c->cell[to] != cell || c->level[to] >= 0)
                continue;
            c->level[to] = c->level[node] + 1;
            reached |= c->role[to] == HELD_REAR;
            c->queue[count++] = to;
        }
    }
    c->reached = count;
    return reached;
}

// A lane with room to the next level, or -1.
static int32_t cut_step_on(route_cut* c, int32_t node, int32_t cell) {
    for (; c->next[node] < c->first[node + 1]; c->next[node]++) {
        int32_t arc = c->arcs[c->next[node]], to = c->end[arc];
        if (c->room[arc] && c->cell[to] == cell && c->level[to] == c->level[node] + 1)
            return arc;
    }
    return -1;
}

// Pushes as much as the levels let through from one source. Returns how much.
static int32_t cut_push(route_cut* c, int32_t source, int32_t cell) {
    int32_t depth = 0, node = source, flow = 0;
    for (;;) {
        if (c->role[node] == HELD_REAR) {
            while (depth > 0) {
                int32_t arc = c->stack[--depth];
                c->room[arc]--;
                c->room[arc ^ 1]++;
            }
            flow++;
            node = source;
            continue;
        }
        int32_t arc = cut_step_on(c, node, cell);
        if (arc >= 0) {
            c->stack[depth++] = arc;
            node = c->end[arc];
        } else if (depth > 0) {
            node = c->end[c->stack[--depth] ^ 1];
            c->next[node]++;
        } else {
            return flow;
        }
    }
}

static int32_t cut_flow(route_cut* c, int32_t low, int32_t high, int32_t cell) {
    int32_t flow = 0;
    for (int32_t i = low; i < high; i++)
        for (int32_t k = c->first[c->members[i]]; k < c->first[c->members[i] + 1]; k++)
            c->room[c->arcs[k]] = 1;
    while (cut_levels(c, low, high, cell))
        for (int32_t i = low; i < high; i++)
            if (c->role[c->members[i]] == HELD_FRONT)
                flow += cut_push(c, c->members[i], cell);
    return flow;
}

// Of the narrowest cuts, the one nearest to the sources is known from cut_levels; this finds the
// one nearest to the sinks: junctions from which a sink is reached get the level 0, others -1.
static int32_t cut_from_sinks(route_cut* c, int32_t low, int32_t high, int32_t cell) {
    int32_t count = 0;
    for (int32_t i = low; i < high; i++) {
        int32_t node = c->members[i];
        c->level[node] = c->role[node] == HELD_REAR ? 0 : -1;
        if (c->level[node] == 0)
            c->queue[count++] = node;
    }
    for (int32_t i = 0; i < count; i++)
        for (int32_t k = c->first[c->queue[i]]; k < c->first[c->queue[i] + 1]; k++) {
            int32_t to = c->end[c->arcs[k]];
            if (!c->room[c->arcs[k] ^ 1] || c->cell[to] != cell || c->level[to] >= 0)
                continue;
            c->level[to] = 0;
            c->queue[count++] = to;
        }
    return count;
}

// --------------------------------------------------------------------------- the best cut

static int32_t cut_key(const route_cut* c, int32_t node, int32_t direction) {
    const int32_t x = c->along[node], y = c->across[node];
    return direction == 0 ? x : direction == 1 ? y : direction == 2 ? x + y : x - y;
}

// Sorts a part by its key in a direction, into queue. Keys are at most twice the size apart from 0.
static void cut_sort(route_cut* c, int32_t low, int32_t high, int32_t direction) {
    const int32_t reach = 2 * (high - low);
    memset(c->counts, 0, (size_t)(2 * reach + 2) * sizeof *c->counts);
    for (int32_t i = low; i < high; i++)
        c->counts[cut_key(c, c->members[i], direction) + reach + 1]++;
    for (int32_t i = 0; i <= 2 * reach; i++)
        c->counts[i + 1] += c->counts[i];
    for (int32_t i = low; i < high; i++)
        c->queue[c->counts[cut_key(c, c->members[i], direction) + reach]++] = c->members[i];
}

// Holds the ends of the order on their sides.
static void cut_hold(route_cut* c, int32_t low, int32_t high, int32_t direction) {
    int32_t size = high - low, held = size / CUT_HELD_SHARE > 1 ? size / CUT_HELD_SHARE : 1;
    cut_sort(c, low, high, direction);
    for (int32_t i = 0; i < size; i++)
        c->role[c->queue[i]] = (int8_t)(i < held           ? HELD_FRONT
                                        : i >= size - held ? HELD_REAR
                                                           : HELD_NOT);
}

static int32_t smaller_of_cut(int32_t part, int32_t whole) {
    return part < whole - part ? part : whole - part;
}

// Tries a direction; keeps the sides when their cut is the best yet.
static void cut_try(route_cut* c, int32_t low, int32_t high, int32_t cell, int32_t direction) {
    const int32_t size = high - low;
    cut_hold(c, low, high, direction);
    int32_t flow = cut_flow(c, low, high, cell);
    int32_t small = smaller_of_cut(c->reached, size);
    int32_t other = cut_from_sinks(c, low, high, cell);
    bool by_sinks = smaller_of_cut(other, size) >= small;
    if (by_sinks)
        small = smaller_of_cut(other, size);
    else
        cut_levels(c, low, high, cell);
    if (c->best_small > 0 && (int64_t)flow * c->best_small >= (int64_t)c->best_flow * small)
        return;
    c->best_flow = flow;
    c->best_small = small;
    c->best_direction = direction;
    for (int32_t i = low; i < high; i++)
        c->side[c->members[i]] = (c->level[c->members[i]] >= 0) == by_sinks;
}

// Puts the junctions of one side before those of the other. Returns where the other begins.
static int32_t cut_divide(route_cut* c, int32_t low, int32_t high) {
    int32_t middle = low, count = 0;
    for (int32_t i = low; i < high; i++)
        if (c->side[c->members[i]])
            c->queue[count++] = c->members[i];
        else
            c->members[middle++] = c->members[i];
    memcpy(c->members + middle, c->queue, (size_t)count * sizeof *c->members);
    return middle;
}

int32_t kerb_in_route_connected(route_cut* c, int32_t low, int32_t high) {
    const int32_t cell = ++c->cells;
    int32_t count = 0, parts = 0;
    for (int32_t i = low; i < high; i++)
        c->cell[c->members[i]] = cell;
    c->mark++;
    for (int32_t i = low; i < high; i++) {
        if (c->seen[c->members[i]] == c->mark)
            continue;
        count = cut_reach(c, c->members[i], cell, c->steps, count);
        c->counts[parts++] = low + count;
    }
    memcpy(c->members + low, c->queue, (size_t)count * sizeof *c->members);
    return parts;
}

int32_t kerb_in_route_cut(route_cut* c, int32_t low, int32_t high) {
    const int32_t cell = c->cells;
    c->best_small = 0;
    cut_measure(c, low, high, cell);
    for (int32_t direction = 0; direction < 4; direction++)
        cut_try(c, low, high, cell, direction);
    return cut_divide(c, low, high);
}

int32_t kerb_in_route_beside(const route_cut* c, int32_t node) {
    static const int32_t beside[4] = {1, 0, 3, 2};
    return cut_key(c, node, beside[c->best_direction]);
}
