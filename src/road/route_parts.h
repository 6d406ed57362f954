// The block of memory in which routes lie, and the hierarchy that is built for it. Private to the
// files route*.c.
#ifndef KERB_ROAD_ROUTE_PARTS_H
#define KERB_ROAD_ROUTE_PARTS_H

#include "kerb/route.h"

#define ROUTE_NO_TIME UINT32_MAX // no way

/// The start of the block. Places are offsets from the block's start, so that it can be copied.
typedef struct route_block {
    int32_t lane_count, link_count;
    int32_t node_count;           ///< junctions
    int32_t up_count, down_count; ///< arcs of the hierarchy
    uint32_t change_time;
    size_t lanes;      ///< kerb_route_lane[lane_count]
    size_t link_first; ///< int32_t[lane_count + 1]: links that leave a lane
    size_t link_to;    ///< int32_t[link_count]
    size_t link_time;  ///< uint32_t[link_count]
    size_t node_of;    ///< int32_t[lane_count]: junction at the lane's start, numbered by rank
    size_t up_first;   ///< int32_t[node_count + 1]: arcs to junctions of higher rank
    size_t up_arcs;    ///< route_arc[up_count]
    size_t down_first; ///< int32_t[node_count + 1]: arcs from junctions of higher rank
    size_t down_arcs;  ///< route_arc[down_count]
} route_block;

typedef struct route_arc {
    int32_t node;
    uint32_t time;
} route_arc;

/// An arc between junctions, before the hierarchy.
typedef struct route_road {
    int32_t from, to;
    uint32_t time;
} route_road;

/// The hierarchy. Junctions are numbered by rank: an arc upwards leads to a greater number.
typedef struct route_hierarchy {
    int32_t node_count;
    int32_t* rank;     ///< of each junction
    route_road* roads; ///< with shortcuts, by rank
    int32_t road_count, road_capacity;
} route_hierarchy;

/// Contracts all junctions. Roads between the same two may be there several times. False when there
/// is no memory.
bool kerb_in_route_contract(route_hierarchy* hierarchy, int32_t node_count, const route_road* roads,
                            int32_t road_count, const kerb_allocator* allocator);
void kerb_in_route_hierarchy_destroy(route_hierarchy* hierarchy, const kerb_allocator* allocator);

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
