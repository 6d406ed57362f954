// Planners and drivers of kinds answer any calls: random bytes as calls through the fuzz target's
// entry point.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fuzz/kind_calls.h"
#include "test/seed.h"

// Each kind in turn.
static void random_bytes_as_calls_hold_what_the_fuzz_target_demands(void** state) {
    (void)state;
    kerb_random random = test_random("kind_calls");
    static uint8_t bytes[400];
    for (int32_t trial = 0; trial < test_share(3, 1) * KERB_SCENE_KIND_COUNT; trial++) {
        size_t size = 40 + (size_t)kerb_random_below(&random, 360);
        for (size_t i = 0; i < size; i++)
            bytes[i] = (uint8_t)kerb_random_below(&random, 256);
        bytes[0] = (uint8_t)(trial % KERB_SCENE_KIND_COUNT);
        fuzz_kind_calls(bytes, size);
    }
}

int kind_calls_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_bytes_as_calls_hold_what_the_fuzz_target_demands),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
