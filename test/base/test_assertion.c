// A host's kerb_assert_failed takes the place of the library's. Linked with a static library that
// is built with KERB_ASSERTIONS; had the library's own been linked, this would abort, or not link.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kerb/base.h"

#include <string.h>

static jmp_buf back;
static const char* failed_condition;
static const char* failed_file;
static int failed_line;

void kerb_assert_failed(const char* condition, const char* file, int line) {
    failed_condition = condition;
    failed_file = file;
    failed_line = line;
    longjmp(back, 1);
}

static void a_host_hears_of_wrong_use(void** state) {
    (void)state;
    kerb_random random = kerb_random_make(1, 1);
    if (setjmp(back) == 0) {
        kerb_random_below(&random, 0);
        fail_msg("no assertion");
    }
    assert_string_equal(failed_condition, "count > 0");
    assert_non_null(strstr(failed_file, "random.c"));
    assert_true(failed_line > 0);
}

static void a_missing_table_is_wrong_use(void** state) {
    (void)state;
    if (setjmp(back) == 0) {
        kerb_settings_validate(NULL, &failed_line, NULL);
        fail_msg("no assertion");
    }
    assert_non_null(strstr(failed_condition, "table"));
}

static void bad_data_is_no_wrong_use(void** state) {
    (void)state;
    static const kerb_setting row = {"x",  0,     KERB_SETTING_FLOAT, "m", 0.0f, 1.0f, 0.5f,
                                     NULL, "an x"};
    float x = 0.5f;
    if (setjmp(back) != 0)
        fail_msg("asserted: %s", failed_condition);
    assert_int_equal(kerb_settings_set(&row, &x, 2.0f, NULL), KERB_ERROR_OUT_OF_RANGE);
}

int assertion_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_host_hears_of_wrong_use),
        cmocka_unit_test(a_missing_table_is_wrong_use),
        cmocka_unit_test(bad_data_is_no_wrong_use),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
