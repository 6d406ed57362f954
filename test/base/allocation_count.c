// Counts every call of the C library's allocator. The linker's --wrap=malloc turns calls of malloc
// into calls of __wrap_malloc, and __real_malloc into the C library's.
#include "test/base/allocation_count.h"

#include <stddef.h>

void* __real_malloc(size_t size);
void* __real_calloc(size_t count, size_t size);
void* __real_realloc(void* memory, size_t size);
void* __real_aligned_alloc(size_t alignment, size_t size);
void __real_free(void* memory);

void* __wrap_malloc(size_t size);
void* __wrap_calloc(size_t count, size_t size);
void* __wrap_realloc(void* memory, size_t size);
void* __wrap_aligned_alloc(size_t alignment, size_t size);
void __wrap_free(void* memory);

static long calls;

long test_allocation_count(void) {
    return calls;
}

void* __wrap_malloc(size_t size) {
    calls++;
    return __real_malloc(size);
}

void* __wrap_calloc(size_t count, size_t size) {
    calls++;
    return __real_calloc(count, size);
}

void* __wrap_realloc(void* memory, size_t size) {
    calls++;
    return __real_realloc(memory, size);
}

void* __wrap_aligned_alloc(size_t alignment, size_t size) {
    calls++;
    return __real_aligned_alloc(alignment, size);
}

void __wrap_free(void* memory) {
    calls++;
    __real_free(memory);
}
