// Purpose: the parts of the one block of memory in which traffic lies.
// Idea:    The head of the block holds the offset of each part, so the block has no pointers: a
//          copy of it is a snapshot.
// Cost:    O(1).
#include "traffic_parts.h"

static void* block_part(void* memory, size_t offset) {
    return (char*)memory + offset;
}

city_view kerb_in_traffic_view(void* memory, void* network) {
    traffic_block* h = memory;
    return (city_view){
        .head = h,
        .net = network ? kerb_in_network_view(network) : (net_view){0},
        .cars = block_part(memory, h->cars),
        .flags = block_part(memory, h->flags),
        .wants = block_part(memory, h->wants),
        .chunks = block_part(memory, h->chunks),
        .lanes = block_part(memory, h->lanes),
        .junctions = block_part(memory, h->junctions),
        .signals = block_part(memory, h->signals),
        .outside = block_part(memory, h->outside),
        .events = block_part(memory, h->events),
        .bodies = block_part(memory, h->bodies),
        .marks = block_part(memory, h->marks),
        .times = block_part(memory, h->times),
        .knowledge = block_part(memory, h->knowledge),
        .owners = block_part(memory, h->owners),
    };
}
