// An allocator for tests: counts, fails the allocation that it is told to, and finds leaks and
// memory that comes back with another size than it went out.
//
//     test_allocation allocation = test_allocation_make();
//     kerb_host host = test_allocation_host(&allocation);
//     … create and destroy …
//     test_allocation_check(&allocation); // nothing leaked, nothing wrong
//
// To fail every allocation in turn:
//
//     for (int n = 1; test_allocation_fail_next(&allocation, n); n++) {
//         result = create(…, &host);   // OUT_OF_MEMORY exactly when allocation.failed
//         if (result == KERB_OK) destroy(…);
//         test_allocation_check(&allocation);
//     }
#ifndef TEST_ALLOCATION_H
#define TEST_ALLOCATION_H

#include "kerb/base.h"

typedef struct test_allocation {
    int32_t calls;             ///< allocations asked for since the last test_allocation_fail_next
    int32_t fail_at;           ///< the number of the call that fails, from 1; 0: none
    bool failed;               ///< that call has come
    int32_t live;              ///< blocks that are out
    size_t live_bytes;         ///< their sizes as asked for
    size_t most_bytes;         ///< the greatest that live_bytes has been
    int32_t wrong_sizes;       ///< releases with another size than the allocation's
    int32_t overruns;          ///< releases of blocks that were written before or behind
    int32_t unknown;           ///< releases of what was never allocated here, or twice
    struct test_block* blocks; ///< those that are out
} test_allocation;

test_allocation test_allocation_make(void);

/// A host with this allocator, silent and serial.
kerb_host test_allocation_host(test_allocation* allocation);

/// Starts a round in which allocation number `n` fails. False, and ready for use without failures,
/// when the round before had no allocation to fail: then all of them have failed once.
bool test_allocation_fail_next(test_allocation* allocation, int32_t n);

/// Fails the running cmocka test if a block is still out or was misused.
void test_allocation_check(const test_allocation* allocation);

#endif
