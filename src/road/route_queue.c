// Purpose: the queue of all searches for routes.
// Idea:    A binary heap in an array; of equal keys the smaller item comes first.
// Cost:    O(log count) for each call.
#include "route_parts.h"

static bool entry_before(route_entry a, route_entry b) {
    return a.key != b.key ? a.key < b.key : a.item < b.item;
}

void kerb_in_route_push(route_queue* queue, uint64_t key, int32_t item) {
    route_entry entry = {key, item};
    int32_t at = queue->count++;
    while (at > 0) {
        int32_t parent = (at - 1) / 2;
        if (!entry_before(entry, queue->entries[parent]))
            break;
        queue->entries[at] = queue->entries[parent];
        at = parent;
    }
    queue->entries[at] = entry;
}

route_entry kerb_in_route_pop(route_queue* queue) {
    route_entry first = queue->entries[0], last = queue->entries[--queue->count];
    int32_t at = 0;
    for (;;) {
        int32_t child = 2 * at + 1;
        if (child >= queue->count)
            break;
        if (child + 1 < queue->count &&
            entry_before(queue->entries[child + 1], queue->entries[child]))
            child++;
        if (!entry_before(queue->entries[child], last))
            break;
        queue->entries[at] = queue->entries[child];
        at = child;
    }
    if (queue->count > 0)
        queue->entries[at] = last;
    return first;
}
