// The tests' own allocator finds what it is there to find; then every allocation of the library
// fails in turn.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kerb/kerb.h"
#include "test/allocation.h"

#include <string.h>

static void* get(kerb_host* host, size_t size, size_t alignment) {
    return host->allocator.allocate(host->allocator.context, size, alignment);
}

static void give(kerb_host* host, void* memory, size_t size) {
    host->allocator.release(host->allocator.context, memory, size);
}

// ------------------------------------------------------------------- the allocator itself

static void memory_that_goes_back_leaves_nothing(void** state) {
    (void)state;
    test_allocation allocation = test_allocation_make();
    kerb_host host = test_allocation_host(&allocation);
    void* a = get(&host, 100, 16);
    void* b = get(&host, 50, 8);
    assert_int_equal(allocation.live, 2);
    assert_int_equal(allocation.live_bytes, 150);
    give(&host, a, 100);
    give(&host, b, 50);
    assert_int_equal(allocation.most_bytes, 150);
    assert_int_equal(allocation.calls, 2);
    test_allocation_check(&allocation);
}

static void memory_is_aligned_as_asked_and_no_better(void** state) {
    (void)state;
    test_allocation allocation = test_allocation_make();
    kerb_host host = test_allocation_host(&allocation);
    for (size_t alignment = 1; alignment <= 64; alignment *= 2) {
        void* memory = get(&host, 10, alignment);
        assert_int_equal((uintptr_t)memory % alignment, 0);
        if (alignment < 64)
            assert_int_not_equal((uintptr_t)memory % (2 * alignment), 0);
        give(&host, memory, 10);
    }
    test_allocation_check(&allocation);
}

static void a_leak_shows(void** state) {
    (void)state;
    test_allocation allocation = test_allocation_make();
    kerb_host host = test_allocation_host(&allocation);
    void* memory = get(&host, 10, 8);
    assert_int_equal(allocation.live, 1);
    give(&host, memory, 10);
    assert_int_equal(allocation.live, 0);
}

static void a_wrong_size_shows(void** state) {
    (void)state;
    test_allocation allocation = test_allocation_make();
    kerb_host host = test_allocation_host(&allocation);
    give(&host, get(&host, 10, 8), 11);
    assert_int_equal(allocation.wrong_sizes, 1);
}

static void writing_beyond_either_end_shows(void** state) {
    (void)state;
    test_allocation allocation = test_allocation_make();
    kerb_host host = test_allocation_host(&allocation);
    char* memory = get(&host, 10, 8);
    memory[10] = 0;
    give(&host, memory, 10);
    assert_int_equal(allocation.overruns, 1);
    memory = get(&host, 10, 8);
    memory[-1] = 0;
    give(&host, memory, 10);
    assert_int_equal(allocation.overruns, 2);
}

static void giving_back_twice_shows(void** state) {
    (void)state;
    test_allocation allocation = test_allocation_make();
    kerb_host host = test_allocation_host(&allocation);
    void* memory = get(&host, 10, 8);
    give(&host, memory, 10);
    give(&host, memory, 10);
    assert_int_equal(allocation.unknown, 1);
}

static void exactly_the_wanted_allocation_fails(void** state) {
    (void)state;
    test_allocation allocation = test_allocation_make();
    kerb_host host = test_allocation_host(&allocation);
    int rounds = 0;
    for (int32_t n = 1; test_allocation_fail_next(&allocation, n); n++) {
        rounds++;
        for (int32_t i = 1; i <= 3; i++) {
            void* memory = get(&host, 8, 8);
            assert_int_equal(memory == NULL, i == n);
            if (memory)
                give(&host, memory, 8);
        }
        assert_int_equal(allocation.failed, n <= 3);
    }
    // Three that fail, and one more that tells that there was no fourth.
    assert_int_equal(rounds, 4);
    assert_int_equal(allocation.fail_at, 0);
    test_allocation_check(&allocation);
}

// ------------------------------------------------------------------- the library

static void every_allocation_of_a_path_may_fail(void** state) {
    (void)state;
    kerb_waypoint waypoints[50];
    for (int i = 0; i < 50; i++)
        waypoints[i] = kerb_waypoint_at((float)i * 3.0f, (float)(i % 5), 0.0f);
    test_allocation allocation = test_allocation_make();
    kerb_host host = test_allocation_host(&allocation);
    int failures = 0;
    for (int32_t n = 1; test_allocation_fail_next(&allocation, n); n++) {
        kerb_path path;
        kerb_error error;
        kerb_result result = kerb_path_create(&path, waypoints, 50, n % 2 == 0, &host, &error);
        assert_int_equal(result, allocation.failed ? KERB_ERROR_OUT_OF_MEMORY : KERB_OK);
        failures += allocation.failed;
        if (result == KERB_OK)
            kerb_path_destroy(&path);
        else
            assert_int_equal(error.result, KERB_ERROR_OUT_OF_MEMORY);
        test_allocation_check(&allocation);
    }
    assert_true(failures > 0);
}

static void a_path_of_bad_data_leaves_no_memory_behind(void** state) {
    (void)state;
    kerb_waypoint waypoints[3] = {kerb_waypoint_at(0, 0, 0), kerb_waypoint_at(10, 0, 0),
                                  kerb_waypoint_at(20, 0, 0)};
    waypoints[2].position.y = -kerb_sqrt(1e38f) * 1e30f;
    test_allocation allocation = test_allocation_make();
    kerb_host host = test_allocation_host(&allocation);
    kerb_path path;
    kerb_error error;
    assert_int_not_equal(kerb_path_create(&path, waypoints, 3, false, &host, &error), KERB_OK);
    test_allocation_check(&allocation);
}

int allocation_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_that_goes_back_leaves_nothing),
        cmocka_unit_test(memory_is_aligned_as_asked_and_no_better),
        cmocka_unit_test(a_leak_shows),
        cmocka_unit_test(a_wrong_size_shows),
        cmocka_unit_test(writing_beyond_either_end_shows),
        cmocka_unit_test(giving_back_twice_shows),
        cmocka_unit_test(exactly_the_wanted_allocation_fails),
        cmocka_unit_test(every_allocation_of_a_path_may_fail),
        cmocka_unit_test(a_path_of_bad_data_leaves_no_memory_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
