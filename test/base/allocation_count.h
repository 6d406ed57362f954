// Counts every call of the C library's allocator in a program linked with
// -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=free,--wrap=aligned_alloc.
#ifndef TEST_ALLOCATION_COUNT_H
#define TEST_ALLOCATION_COUNT_H

/// Calls of any of the five since the program started.
long test_allocation_count(void);

#endif
