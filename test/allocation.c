// An allocator for tests. Each block lies between a head, which is also a link of the list of
// blocks that are out, and marked bytes on both sides; fresh memory is filled with a pattern that
// is no useful float, index or pointer, so that reading it before writing shows.
#include "test/allocation.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

enum { MARGIN = 64, MARK = 0xA5, FRESH = 0xFB, STALE = 0xDD };

struct test_block {
    struct test_block* next;
    size_t size;
    void* raw;
    char* memory;
};

static void fill_margins(const struct test_block* block) {
    memset(block->memory - MARGIN, MARK, MARGIN);
    memset(block->memory + block->size, MARK, MARGIN);
}

static bool margins_are_whole(const struct test_block* block) {
    for (int i = 0; i < MARGIN; i++) {
        unsigned char before = (unsigned char)block->memory[i - MARGIN];
        unsigned char behind = (unsigned char)block->memory[block->size + (size_t)i];
        if (before != MARK || behind != MARK)
            return false;
    }
    return true;
}

static bool must_fail(test_allocation* allocation) {
    allocation->calls++;
    if (allocation->calls != allocation->fail_at)
        return false;
    allocation->failed = true;
    return true;
}

static void* allocate(void* context, size_t size, size_t alignment) {
    test_allocation* allocation = context;
    assert_true(alignment > 0 && alignment <= MARGIN && (alignment & (alignment - 1)) == 0);
    if (must_fail(allocation))
        return NULL;
    struct test_block* block = malloc(sizeof *block);
    // No more than asked for: memory aligned to 8 must not happen to be aligned to 64.
    char* raw = malloc(size + 4 * (size_t)MARGIN);
    if (!block || !raw)
        abort();
    uintptr_t start = (uintptr_t)raw + MARGIN;
    start += MARGIN - start % MARGIN + (alignment < MARGIN ? alignment : 0);
    *block = (struct test_block){allocation->blocks, size, raw, raw + (start - (uintptr_t)raw)};
    fill_margins(block);
    memset(block->memory, FRESH, size);
    allocation->blocks = block;
    allocation->live++;
    allocation->live_bytes += size;
    if (allocation->live_bytes > allocation->most_bytes)
        allocation->most_bytes = allocation->live_bytes;
    return block->memory;
}

static void release(void* context, void* memory, size_t size) {
    test_allocation* allocation = context;
    struct test_block** link = &allocation->blocks;
    while (*link && (*link)->memory != memory)
        link = &(*link)->next;
    struct test_block* block = *link;
    if (!block) {
        allocation->unknown++;
        return;
    }
    allocation->wrong_sizes += block->size != size;
    allocation->overruns += !margins_are_whole(block);
    allocation->live--;
    allocation->live_bytes -= block->size;
    *link = block->next;
    memset(block->memory, STALE, block->size);
    free(block->raw);
    free(block);
}

test_allocation test_allocation_make(void) {
    test_allocation allocation = {0};
    return allocation;
}

kerb_host test_allocation_host(test_allocation* allocation) {
    kerb_host host = kerb_host_default();
    host.allocator = (kerb_allocator){allocate, release, allocation};
    return host;
}

bool test_allocation_fail_next(test_allocation* allocation, int32_t n) {
    bool more = n == 1 || allocation->failed;
    allocation->calls = 0;
    allocation->failed = false;
    allocation->fail_at = more ? n : 0;
    return more;
}

void test_allocation_check(const test_allocation* allocation) {
    assert_int_equal(allocation->live, 0);
    assert_int_equal(allocation->live_bytes, 0);
    assert_int_equal(allocation->wrong_sizes, 0);
    assert_int_equal(allocation->overruns, 0);
    assert_int_equal(allocation->unknown, 0);
}
