// Purpose: the layout of a racing-line solver's memory.
// Idea:    One block holds the head, the stations and one array after the other. It contains no
//          pointers, so it can be copied, saved and used elsewhere.
// Cost:    O(arrays) to find them; about 1 KB per node.
#include "line.h"

#include "../../base/shared.h"

// A cache line. [bytes]
#define ARENA_ALIGNMENT 64

static size_t array_bytes(int32_t nodes) {
    return kerb_in_round_up(((size_t)nodes + 2 * (size_t)LINE_GHOSTS) * sizeof(double),
                            ARENA_ALIGNMENT);
}

static size_t stations_bytes(int32_t nodes) {
    return kerb_in_round_up((size_t)nodes * LINE_FINE * sizeof(line_station), ARENA_ALIGNMENT);
}

#define COUNT_ONE(name) +1
static const size_t array_count = 0 LINE_ARRAYS(COUNT_ONE);

size_t kerb_in_line_arena_bytes(int32_t nodes) {
    return kerb_in_round_up(sizeof(line_head), ARENA_ALIGNMENT) + stations_bytes(nodes) +
           array_count * array_bytes(nodes);
}

line_view kerb_in_line_view_of(void* memory) {
    line_view v;
    char* next = memory;
    v.head = memory;
    v.nodes = v.head->nodes;
    v.closed = v.head->closed != 0;
    next += kerb_in_round_up(sizeof(line_head), ARENA_ALIGNMENT);
    v.stations = (line_station*)(void*)next;
    next += stations_bytes(v.nodes);
    size_t bytes = array_bytes(v.nodes);
#define FIND_ARRAY(name)                                                                           \
    v.name = (double*)(void*)next + LINE_GHOSTS;                                                   \
    next += bytes;
    LINE_ARRAYS(FIND_ARRAY)
#undef FIND_ARRAY
    return v;
}

void kerb_in_line_wrap(const line_view* v, double* array) {
    int32_t n = v->nodes;
    for (int32_t i = 0; i < LINE_GHOSTS; i++) {
        array[n + i] = v->closed ? array[i] : 0.0;
        array[-1 - i] = v->closed ? array[n - 1 - i] : 0.0;
    }
}
