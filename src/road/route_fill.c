// Purpose: the hierarchy of lanes: all arcs that come about when lanes are taken away by rank,
//          their times, and which of them are needed.
// Idea:    When a lane is taken away, those above it that it had arcs with get arcs among
//          themselves: lists that are merged upwards. From below to above, each arc gets its time
//          over the lanes below both. From above to below, it then gets the least time of all; an
//          arc that is no faster than a way over a lane above is dropped.
// Cost:    O(triangles of arcs): 1 to 4 s for grids of 100,000 lanes.
// Source:  Dibbelt, Strasser, Wagner, "Customizable Contraction Hierarchies", SEA 2014.
#include "route_parts.h"

#include <string.h>

// Triangles for each lane, and for the whole besides. Street maps have some 1,000 for each lane,
// grids of 100,000 lanes up to 10,000. A network with more than this is no network of roads: its
// hierarchy would take minutes and gigabytes.
static const uint64_t triangles_per_lane = 50000, triangles_free = 100000000;

typedef struct fill_builder {
    route_fill* fill;
    const route_step* steps;
    int32_t step_count;
    int32_t *step_first, *step_other; // higher ranks of the steps of each rank
    int32_t *low_first, *sorted;      // steps by their higher rank
    int32_t *low_tail, *low_arc;      // arcs by their higher rank
    int32_t *child, *next;            // ranks whose parent is the same
    int32_t *row, *merged;            // ranks
    int32_t* place;                   // of a rank in the list at hand
    route_both* near;                 // its times there
    uint64_t triangles;
    bool out_of_memory;
} fill_builder;

static void* fill_allocate(fill_builder* b, int32_t count, size_t size) {
    void* memory = route_allocate(b->fill->allocator, (size_t)count, size);
    b->out_of_memory |= !memory;
    return memory;
}

static void fill_release(fill_builder* b, void* memory, int32_t count, size_t size) {
    route_release(b->fill->allocator, memory, (size_t)count, size);
}

// --------------------------------------------------------------------------- lists of steps

static int32_t lower_rank(route_step step) {
    return step.from < step.to ? step.from : step.to;
}

static int32_t higher_rank(route_step step) {
    return step.from < step.to ? step.to : step.from;
}

// Sorted by the higher rank, then spread over the lower ranks: so each list is sorted.
static void list_steps(fill_builder* b) {
    const int32_t n = b->fill->count;
    memset(b->low_first, 0, ((size_t)n + 1) * sizeof *b->low_first);
    memset(b->step_first, 0, ((size_t)n + 1) * sizeof *b->step_first);
    for (int32_t i = 0; i < b->step_count; i++) {
        b->low_first[higher_rank(b->steps[i]) + 1]++;
        b->step_first[lower_rank(b->steps[i]) + 1]++;
    }
    for (int32_t i = 0; i < n; i++) {
        b->low_first[i + 1] += b->low_first[i];
        b->step_first[i + 1] += b->step_first[i];
    }
    for (int32_t i = 0; i < b->step_count; i++)
        b->sorted[b->low_first[higher_rank(b->steps[i])]++] = i;
    for (int32_t i = 0; i < b->step_count; i++) {
        route_step step = b->steps[b->sorted[i]];
        b->step_other[b->step_first[lower_rank(step)]++] = higher_rank(step);
    }
    for (int32_t i = n; i > 0; i--)
        b->step_first[i] = b->step_first[i - 1];
    b->step_first[0] = 0;
}

// --------------------------------------------------------------------------- arcs

// Room for `more` arcs.
static bool fill_reserve(fill_builder* b, int32_t used, int32_t more) {
    route_fill* f = b->fill;
    if (used > INT32_MAX / 2 - more)
        return false;
    if (used + more <= f->capacity)
        return true;
    int32_t capacity = used + more > INT32_MAX / 4 ? INT32_MAX / 2 : 2 * (used + more);
    int32_t* head = fill_allocate(b, capacity, sizeof *head);
    if (!head)
        return false;
    if (f->head)
        memcpy(head, f->head, (size_t)used * sizeof *head);
    fill_release(b, f->head, f->capacity, sizeof *f->head);
    f->head = head;
    f->capacity = capacity;
    return true;
}

// Joins a sorted list with the row, without what is not above `rank`. Returns the new length.
static int32_t merge_row(fill_builder* b, int32_t length, const int32_t* list, int32_t count,
                         int32_t rank) {
    const int32_t* row = b->row;
    int32_t *out = b->merged, *begin = b->merged, i = 0, k = 0;
    while (i < length || k < count) {
        int32_t value = k >= count || (i < length && row[i] <= list[k]) ? row[i] : list[k];
        i += i < length && row[i] == value;
        k += k < count && list[k] == value;
        if (value > rank && (out == begin || out[-1] != value))
            *out++ = value;
    }
    b->merged = b->row;
    b->row = begin;
    return (int32_t)(out - begin);
}

// The list of a rank: its own steps and the lists of its children.
static int32_t make_row(fill_builder* b, int32_t rank) {
    const route_fill* f = b->fill;
    int32_t length = merge_row(b, 0, b->step_other + b->step_first[rank],
                               b->step_first[rank + 1] - b->step_first[rank], rank);
    for (int32_t child = b->child[rank]; child >= 0; child = b->next[child])
        length = merge_row(b, length, f->head + f->first[child],
                           f->first[child + 1] - f->first[child], rank);
    return length;
}

// False when there are too many, or no memory.
static bool list_arcs_up(fill_builder* b) {
    route_fill* f = b->fill;
    const uint64_t most = triangles_per_lane * (uint64_t)f->count + triangles_free;
    f->first[0] = 0;
    for (int32_t i = 0; i < f->count; i++)
        b->child[i] = -1;
    for (int32_t i = 0; i < f->count; i++) {
        int32_t length = make_row(b, i), used = f->first[i];
        b->triangles += (uint64_t)length * (uint64_t)length / 2;
        if (b->triangles > most || !fill_reserve(b, used, length))
            return false;
        if (length > 0)
            memcpy(f->head + used, b->row, (size_t)length * sizeof *f->head);
        f->first[i + 1] = used + length;
        f->parent[i] = length > 0 ? b->row[0] : -1;
        if (length > 0) {
            b->next[i] = b->child[b->row[0]];
            b->child[b->row[0]] = i;
        }
    }
    return true;
}

// Arcs by their higher rank; those of each in the order of their lower rank.
static void list_arcs_down(fill_builder* b) {
    const route_fill* f = b->fill;
    const int32_t n = f->count, arcs = f->first[n];
    memset(b->low_first, 0, ((size_t)n + 1) * sizeof *b->low_first);
    for (int32_t k = 0; k < arcs; k++)
        b->low_first[f->head[k] + 1]++;
    for (int32_t i = 0; i < n; i++)
        b->low_first[i + 1] += b->low_first[i];
    for (int32_t i = 0; i < n; i++)
        for (int32_t k = f->first[i]; k < f->first[i + 1]; k++) {
            int32_t at = b->low_first[f->head[k]]++;
            b->low_tail[at] = i;
            b->low_arc[at] = k;
        }
    for (int32_t i = n; i > 0; i--)
        b->low_first[i] = b->low_first[i - 1];
    b->low_first[0] = 0;
}

// --------------------------------------------------------------------------- times

static int32_t arc_to(const route_fill* f, int32_t rank, int32_t head) {
    int32_t low = f->first[rank], high = f->first[rank + 1];
    while (low + 1 < high) {
        int32_t middle = low + (high - low) / 2;
        if (f->head[middle] <= head)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static void set_steps(fill_builder* b) {
    route_fill* f = b->fill;
    for (int32_t k = 0; k < f->first[f->count]; k++) {
        f->time[k] = (route_both){ROUTE_NO_TIME, ROUTE_NO_TIME};
        f->middle[k] = (route_middles){-1, -1};
    }
    for (int32_t i = 0; i < b->step_count; i++) {
        route_step step = b->steps[i];
        route_both* time = &f->time[arc_to(f, lower_rank(step), higher_rank(step))];
        uint32_t* own = step.from < step.to ? &time->up : &time->down;
        if (step.time < *own)
            *own = step.time;
    }
}

static void find_places(fill_builder* b, int32_t rank) {
    const route_fill* f = b->fill;
    for (int32_t k = f->first[rank]; k < f->first[rank + 1]; k++) {
        b->place[f->head[k]] = k;
        b->near[f->head[k]] = f->time[k];
    }
}

static void keep_times(fill_builder* b, int32_t rank) {
    const route_fill* f = b->fill;
    for (int32_t k = f->first[rank]; k < f->first[rank + 1]; k++)
        f->time[k] = b->near[f->head[k]];
}

// Ways over a lane below both. Of equally fast ones the way over the highest: the arcs that it is
// made of are then not dropped.
static void time_arcs_over(fill_builder* b, int32_t low, int32_t arc) {
    const route_fill* f = b->fill;
    const uint64_t up = f->time[arc].up, down = f->time[arc].down;
    if (up == ROUTE_NO_TIME && down == ROUTE_NO_TIME)
        return;
    for (int32_t k = arc + 1; k < f->first[low + 1]; k++) {
        route_both* near = &b->near[f->head[k]];
        uint64_t there = down + f->time[k].up, back = f->time[k].down + up;
        if (there <= near->up) {
            near->up = (uint32_t)there;
            f->middle[b->place[f->head[k]]].up = low;
        }
        if (back <= near->down) {
            near->down = (uint32_t)back;
            f->middle[b->place[f->head[k]]].down = low;
        }
    }
}

// A way that is as fast passes the lane above first, unless the rest takes no time: so no two arcs
// are dropped for one another.
static bool is_bypass(uint64_t time, uint32_t rest, uint32_t own) {
    return time < own || (time == own && rest > 0);
}

// Ways over a lane above: of the three arcs of a triangle, the two that share the lowest lane may
// be slower than a way over the third, whose time is known. Ways that begin with an arc that was
// dropped need not be looked at (`up`, `down`: it was not): one over a lane above it is as fast.
static inline void drop_triangles(fill_builder* b, int32_t low, int32_t arc, bool up, bool down) {
    const route_fill* f = b->fill;
    const int32_t end = f->first[low + 1];
    route_both near = f->time[arc];
    for (int32_t k = arc + 1; k < end; k++) {
        const route_both high = b->near[f->head[k]], far = f->time[k];
        if (up && is_bypass((uint64_t)near.up + high.up, high.up, far.up)) {
            f->time[k].up = near.up + high.up;
            f->middle[k].up = ROUTE_DROPPED;
        }
        if (down && is_bypass((uint64_t)near.down + high.down, high.down, far.down)) {
            f->time[k].down = near.down + high.down;
            f->middle[k].down = ROUTE_DROPPED;
        }
        if (is_bypass((uint64_t)far.up + high.down, high.down, near.up)) {
            near.up = far.up + high.down;
            f->middle[arc].up = ROUTE_DROPPED;
        }
        if (is_bypass((uint64_t)far.down + high.up, high.up, near.down)) {
            near.down = far.down + high.up;
            f->middle[arc].down = ROUTE_DROPPED;
        }
    }
    f->time[arc] = near;
}

static void drop_arcs_over(fill_builder* b, int32_t low, int32_t arc) {
    const route_middles middle = b->fill->middle[arc];
    const bool up = middle.up != ROUTE_DROPPED && b->fill->time[arc].up < ROUTE_NO_TIME;
    const bool down = middle.down != ROUTE_DROPPED && b->fill->time[arc].down < ROUTE_NO_TIME;
    if (up && down)
        drop_triangles(b, low, arc, true, true);
    else if (up)
        drop_triangles(b, low, arc, true, false);
    else if (down)
        drop_triangles(b, low, arc, false, true);
    else
        drop_triangles(b, low, arc, false, false);
}

static void set_times(fill_builder* b) {
    const int32_t n = b->fill->count;
    for (int32_t i = 0; i < n; i++) {
        find_places(b, i);
        for (int32_t k = b->low_first[i]; k < b->low_first[i + 1]; k++)
            time_arcs_over(b, b->low_tail[k], b->low_arc[k]);
        keep_times(b, i);
    }
    for (int32_t i = n - 1; i >= 0; i--) {
        find_places(b, i);
        for (int32_t k = b->low_first[i]; k < b->low_first[i + 1]; k++)
            drop_arcs_over(b, b->low_tail[k], b->low_arc[k]);
    }
}

// --------------------------------------------------------------------------- all together

static bool fill_arcs_of(fill_builder* b) {
    route_fill* f = b->fill;
    list_steps(b);
    if (!list_arcs_up(b))
        return false;
    const int32_t arcs = f->first[f->count];
    f->time = fill_allocate(b, f->capacity, sizeof *f->time);
    f->middle = fill_allocate(b, f->capacity, sizeof *f->middle);
    b->low_tail = fill_allocate(b, arcs, sizeof *b->low_tail);
    b->low_arc = fill_allocate(b, arcs, sizeof *b->low_arc);
    if (!b->out_of_memory) {
        list_arcs_down(b);
        set_steps(b);
        set_times(b);
    }
    fill_release(b, b->low_tail, arcs, sizeof *b->low_tail);
    fill_release(b, b->low_arc, arcs, sizeof *b->low_arc);
    return true;
}

bool kerb_in_route_fill(route_fill* fill, int32_t count, const route_step* steps,
                        int32_t step_count, const kerb_allocator* allocator) {
    *fill = (route_fill){.allocator = allocator, .count = count};
    fill_builder b = {.fill = fill, .steps = steps, .step_count = step_count};
    int32_t** of_ranks[] = {&fill->parent, &fill->first, &b.step_first, &b.low_first, &b.child,
                            &b.next,       &b.row,       &b.merged,     &b.place};
    for (size_t i = 0; i < sizeof of_ranks / sizeof *of_ranks; i++)
        *of_ranks[i] = fill_allocate(&b, count, sizeof(int32_t));
    b.step_other = fill_allocate(&b, step_count, sizeof *b.step_other);
    b.sorted = fill_allocate(&b, step_count, sizeof *b.sorted);
    b.near = fill_allocate(&b, count, sizeof *b.near);
    bool complete = !b.out_of_memory && fill_arcs_of(&b);
    int32_t *row = b.row, *merged = b.merged; // exchanged many times
    int32_t* to_release[] = {b.step_first, b.low_first, b.child, b.next, row, merged, b.place};
    for (size_t i = 0; i < sizeof to_release / sizeof *to_release; i++)
        fill_release(&b, to_release[i], count, sizeof(int32_t));
    fill_release(&b, b.step_other, step_count, sizeof *b.step_other);
    fill_release(&b, b.near, count, sizeof *b.near);
    fill_release(&b, b.sorted, step_count, sizeof *b.sorted);
    if (b.out_of_memory || !complete)
        kerb_in_route_fill_destroy(fill);
    return !b.out_of_memory;
}

void kerb_in_route_fill_destroy(route_fill* fill) {
    if (!fill->allocator)
        return;
    fill_builder b = {.fill = fill};
    fill_release(&b, fill->parent, fill->count, sizeof *fill->parent);
    fill_release(&b, fill->first, fill->count, sizeof *fill->first);
    fill_release(&b, fill->head, fill->capacity, sizeof *fill->head);
    fill_release(&b, fill->time, fill->capacity, sizeof *fill->time);
    fill_release(&b, fill->middle, fill->capacity, sizeof *fill->middle);
    *fill = (route_fill){0};
}
