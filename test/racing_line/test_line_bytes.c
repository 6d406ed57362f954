// Racing lines of whatever passes the check of tracks: the corpus of the fuzz target is for
// libFuzzer, here are random bytes.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fuzz/racing_line.h"
#include "test/seed.h"

static void any_track_that_passes_the_check_has_a_line_of_numbers(void** state) {
    (void)state;
    kerb_random random = test_random("bytes of a track");
    for (int32_t n = 0; n < 60; n++) {
        uint8_t data[FUZZ_LINE_HEAD + 40 * FUZZ_LINE_POINT];
        int32_t reach = 1 + n % 16; // smooth at first, then wild
        for (size_t i = 0; i < sizeof data; i++) {
            int32_t middle = i < FUZZ_LINE_HEAD ? 128 : i % FUZZ_LINE_POINT == 1 ? 0 : 80;
            float spread = i < FUZZ_LINE_HEAD ? 127.0f : 4.0f * (float)reach;
            data[i] = (uint8_t)(middle + (int32_t)kerb_random_between(&random, -spread, spread));
        }
        data[6] = (uint8_t)(n % 2 ? data[6] | 128 : data[6] & 127);
        fuzz_racing_line(data, sizeof data);
    }
}

int line_bytes_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_track_that_passes_the_check_has_a_line_of_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
