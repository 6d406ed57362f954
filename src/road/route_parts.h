// The block of memory in which routes lie, and the hierarchy that is built for it. Private to the
// files route*.c.
#ifndef KERB_ROAD_ROUTE_PARTS_H
#define KERB_ROAD_ROUTE_PARTS_H

#include "kerb/route.h"

#define ROUTE_NO_TIME UINT32_MAX // no way

/// The start of the block. Places are offsets from the block's start, so that it can be copied.
typedef struct route_block {
    int32_t lane_count, link_count;
    int32_t back_count; ///< links, and sides of lanes
    int32_t rank_count; ///< lanes of the hierarchy; 0: there is none
    int32_t arc_count;  ///< arcs of the hierarchy
    int32_t share;      ///< by which ways are longer than their bounds [1/ROUTE_SHARE]
    uint32_t change_time;
    size_t lanes;      ///< kerb_route_lane[lane_count]
    size_t link_first; ///< int32_t[lane_count + 1]: links that leave a lane
    size_t link_to;    ///< int32_t[link_count]
    size_t link_time;  ///< uint32_t[link_count]
    size_t back_first; ///< int32_t[lane_count + 1]: lanes from which a lane is entered
    size_t back_from;  ///< int32_t[back_count]
    size_t rank_of;    ///< int32_t[lane_count]: rank of a lane
    size_t lane_of;    ///< int32_t[lane_count]: lane of a rank
    size_t ranks;      ///< route_rank[rank_count + 1]
    size_t arcs;       ///< route_arc[arc_count]
    size_t parts;      ///< route_parts_of[arc_count]
    size_t marks;      ///< route_marks[rank_count]
} route_block;

/// A lane in the hierarchy. Its arcs up lie before its arcs down.
typedef struct route_rank {
    int32_t up;     ///< first arc to a lane of higher rank
    int32_t down;   ///< first arc from a lane of higher rank; the arcs end where those of the next
                    ///< rank begin
    int32_t parent; ///< the rank above it: least of those that it has had arcs with; -1: none
} route_rank;

/// Sorted by rank.
typedef struct route_arc {
    int32_t rank;  ///< the higher rank
    uint32_t time; ///< from the start of one lane to the start of the other
} route_arc;

/// The two arcs that an arc stands for, in their order; or, where it leads straight to a lane, that
/// lane as -1 - lane in `first`; or ROUTE_DROPPED in `second`.
typedef struct route_parts_of {
    int32_t first, second;
} route_parts_of;

#define ROUTE_DROPPED (-2) // an arc that is not needed

/// From the start of a lane to the start of another, by ranks.
typedef struct route_step {
    int32_t from, to;
    uint32_t time;
} route_step;

// --------------------------------------------------------------------------- memory

static inline void* route_allocate(const kerb_allocator* allocator, size_t count, size_t size) {
    return allocator->allocate(allocator->context, (count + 1) * size, 8);
}

static inline void route_release(const kerb_allocator* allocator, void* memory, size_t count,
                                 size_t size) {
    if (memory)
        allocator->release(allocator->context, memory, (count + 1) * size);
}

// --------------------------------------------------------------------------- the order

/// Junctions of a network, while it is cut. Lane i is the arcs 2 i, along it, and 2 i + 1, back.
typedef struct route_cut {
    const int32_t* end;    ///< junction to which each arc leads
    int32_t *first, *arcs; ///< arcs that leave each junction
    int32_t* members;      ///< junctions, by part
    int32_t *cell, *seen, *steps, *along, *across, *level, *next; ///< of each junction
    int8_t *role, *side;
    int32_t *queue, *stack, *counts;
    uint8_t* room; ///< of each arc, for the flow
    int32_t cells, mark, reached;
    int32_t best_flow, best_small, best_direction;
} route_cut;

/// Sorts a part by what hangs together. Returns how many pieces there are; their ends are in
/// counts.
int32_t kerb_in_route_connected(route_cut* c, int32_t low, int32_t high);
/// Cuts the part last given to kerb_in_route_connected, which is one piece and has two junctions at
/// least, in two. Returns where the second begins.
int32_t kerb_in_route_cut(route_cut* c, int32_t low, int32_t high);
/// Place of a junction along the last cut.
int32_t kerb_in_route_beside(const route_cut* c, int32_t node);

/// Ranks of all lanes: those of a cut are above those of the parts that it cuts off. `node` holds
/// the junctions at the lanes' starts and ends. False when there is no memory.
bool kerb_in_route_order(int32_t* rank_of, const int32_t* node, int32_t node_count,
                         int32_t lane_count, const kerb_allocator* allocator);

// --------------------------------------------------------------------------- the hierarchy

/// Times of an arc, to the higher rank and from it.
typedef struct route_both {
    uint32_t up, down;
} route_both;

typedef struct route_middles {
    int32_t up, down;
} route_middles;

/// Arcs between all lanes that meet when lanes are taken away by rank.
typedef struct route_fill {
    const kerb_allocator* allocator;
    int32_t count;   ///< ranks
    int32_t* parent; ///< the least higher rank of each rank; -1: none
    int32_t* first;  ///< first arc of each rank; [count + 1]
    int32_t* head;   ///< higher rank of each arc, sorted for each rank
    route_both* time;
    route_middles* middle; ///< rank that an arc leads through; -1: none; or ROUTE_DROPPED
    int32_t capacity;
} route_fill;

/// Finds all arcs and their times. False when there is no memory. When there are too many arcs, all
/// fields are 0: the network gets no hierarchy.
bool kerb_in_route_fill(route_fill* fill, int32_t count, const route_step* steps,
                        int32_t step_count, const kerb_allocator* allocator);
void kerb_in_route_fill_destroy(route_fill* fill);

// --------------------------------------------------------------------------- marks

/// Lanes at the edge of the network for bounds of times. Sweeps with double as many look at 5 to 20
/// % fewer ranks, but the bounds then take longer than what they save.
#define ROUTE_MARKS 4

/// Least times of a rank from the marks and to them.
typedef struct route_marks {
    uint32_t from[ROUTE_MARKS], to[ROUTE_MARKS];
} route_marks;

/// Unit of the share by which ways are longer than their bounds: a whole.
#define ROUTE_SHARE 64

/// Chooses the marks of a hierarchy and finds their times. Returns by which share ways are longer
/// than their bounds at most, as a rule. [time: memory for `count` numbers]
int32_t kerb_in_route_mark(route_marks* marks, const route_rank* ranks, const route_arc* arcs,
                           int32_t count, uint32_t* time);

/// A time that no way between two ranks is less than.
static inline uint32_t route_bound(const route_marks* from, const route_marks* to) {
    uint32_t bound = 0;
    for (int32_t i = 0; i < ROUTE_MARKS; i++) {
        uint32_t there = to->from[i] > from->from[i] ? to->from[i] - from->from[i] : 0;
        uint32_t back = from->to[i] > to->to[i] ? from->to[i] - to->to[i] : 0;
        bound = there > bound ? there : bound;
        bound = back > bound ? back : bound;
    }
    return bound;
}

/// Sum that stays below ROUTE_NO_TIME only if it is a time.
static inline uint32_t route_sum(uint32_t a, uint32_t b) {
    return a > ROUTE_NO_TIME - b ? ROUTE_NO_TIME : a + b;
}

// --------------------------------------------------------------------------- a queue

/// A binary heap. Ties are broken by the item, so that the order never depends on its past.
typedef struct route_entry {
    uint64_t key;
    int32_t item;
} route_entry;

typedef struct route_queue {
    route_entry* entries;
    int32_t count, capacity;
} route_queue;

/// Adds an entry. The capacity must suffice.
void kerb_in_route_push(route_queue* queue, uint64_t key, int32_t item);
route_entry kerb_in_route_pop(route_queue* queue);

#endif
