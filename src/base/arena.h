// Sizes of the parts of one memory block that holds several arrays. Private to the library.
#ifndef KERB_IN_BASE_ARENA_H
#define KERB_IN_BASE_ARENA_H

#include <stddef.h>

/// The first multiple of `alignment` that is not below `size`. [alignment: > 0]
static inline size_t kerb_in_round_up(size_t size, size_t alignment) {
    return (size + alignment - 1) / alignment * alignment;
}

#endif
