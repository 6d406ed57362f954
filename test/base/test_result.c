// Results, errors, the version and the default host.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kerb/kerb.h"

#include <signal.h>
#include <string.h>

static void the_linked_library_has_the_version_of_the_headers(void** state) {
    (void)state;
    char parts[32] = {(char)('0' + KERB_VERSION_MAJOR), '.', (char)('0' + KERB_VERSION_MINOR), '.',
                      (char)('0' + KERB_VERSION_PATCH), '\0'};
    assert_string_equal(kerb_version(), KERB_VERSION);
    assert_string_equal(KERB_VERSION, parts);
}

static void every_result_has_its_own_words(void** state) {
    (void)state;
    for (int i = KERB_OK; i <= KERB_ERROR_WRONG_TYPE; i++) {
        const char* text = kerb_result_text((kerb_result)i);
        assert_non_null(text);
        assert_true(strlen(text) > 1);
        for (int j = KERB_OK; j < i; j++)
            assert_string_not_equal(text, kerb_result_text((kerb_result)j));
    }
    assert_string_equal(kerb_result_text(KERB_ERROR_OUT_OF_MEMORY), "out of memory");
}

static void a_number_that_is_no_result_has_words_too(void** state) {
    (void)state;
    assert_string_equal(kerb_result_text((kerb_result)(KERB_ERROR_WRONG_TYPE + 1)), "unknown");
}

static void an_error_says_what_it_was_told(void** state) {
    (void)state;
    kerb_error error;
    kerb_result result =
        kerb_error_set(&error, KERB_ERROR_SYNTAX, "left_m", 12, 3, "must be a number");
    assert_int_equal(result, KERB_ERROR_SYNTAX);
    assert_int_equal(error.result, KERB_ERROR_SYNTAX);
    assert_int_equal(error.line, 12);
    assert_int_equal(error.index, 3);
    assert_string_equal(error.field, "left_m");
    assert_string_equal(error.message, "must be a number");
}

static void nobody_has_to_ask_for_the_error(void** state) {
    (void)state;
    assert_int_equal(kerb_error_set(NULL, KERB_ERROR_TOO_FEW, "x", 0, -1, "y"), KERB_ERROR_TOO_FEW);
}

static void missing_texts_are_empty(void** state) {
    (void)state;
    kerb_error error;
    kerb_error_set(&error, KERB_ERROR_TOO_FEW, NULL, 0, -1, NULL);
    assert_string_equal(error.field, "");
    assert_string_equal(error.message, "");
}

static void long_texts_are_cut_between_characters(void** state) {
    (void)state;
    kerb_error error;
    char field[100];
    char message[400];
    // Two bytes each: 47 bytes of room would cut the last one in half.
    for (size_t i = 0; i < sizeof field - 1; i++)
        field[i] = i % 2 ? '\xB5' : '\xC3';
    field[sizeof field - 1] = '\0';
    memset(message, 'm', sizeof message - 1);
    message[sizeof message - 1] = '\0';
    kerb_error_set(&error, KERB_ERROR_SYNTAX, field, 0, -1, message);
    assert_int_equal(strlen(error.field), sizeof error.field - 2);
    assert_int_equal(strlen(error.message), sizeof error.message - 1);
}

static void a_text_that_just_fits_is_whole(void** state) {
    (void)state;
    kerb_error error;
    char field[sizeof error.field];
    memset(field, 'f', sizeof field - 1);
    field[sizeof field - 1] = '\0';
    kerb_error_set(&error, KERB_ERROR_SYNTAX, field, 0, -1, "");
    assert_string_equal(error.field, field);
}

static void the_default_allocator_aligns_as_asked(void** state) {
    (void)state;
    kerb_allocator allocator = kerb_host_default().allocator;
    for (size_t alignment = 1; alignment <= 64; alignment *= 2) {
        for (size_t size = 0; size < 200; size += 13) {
            unsigned char* memory = allocator.allocate(allocator.context, size, alignment);
            assert_non_null(memory);
            assert_int_equal((uintptr_t)memory % alignment, 0);
            memset(memory, 0xEE, size);
            allocator.release(allocator.context, memory, size);
        }
    }
}

static void the_default_allocator_answers_the_impossible_with_null(void** state) {
    (void)state;
    kerb_allocator allocator = kerb_host_default().allocator;
    assert_null(allocator.allocate(allocator.context, SIZE_MAX, 64));
    assert_null(allocator.allocate(allocator.context, SIZE_MAX - 64, 64));
    allocator.release(allocator.context, NULL, 0);
}

static void mark_items(int32_t begin, int32_t end, void* argument) {
    int32_t* times = argument;
    for (int32_t i = begin; i < end; i++)
        times[i]++;
}

static void default_tasks_do_every_item_once(void** state) {
    (void)state;
    kerb_tasks tasks = kerb_host_default().tasks;
    int32_t times[100] = {0};
    void* handle = tasks.start(tasks.context, mark_items, times, 99, 7);
    tasks.finish(tasks.context, handle);
    for (int i = 0; i < 99; i++)
        assert_int_equal(times[i], 1);
    assert_int_equal(times[99], 0);
}

static void fail_if_called(int32_t begin, int32_t end, void* argument) {
    (void)begin;
    (void)end;
    (void)argument;
    fail();
}

static void default_tasks_leave_an_empty_range_alone(void** state) {
    (void)state;
    kerb_tasks tasks = kerb_host_default().tasks;
    tasks.finish(tasks.context, tasks.start(tasks.context, fail_if_called, NULL, 0, 1));
}

static jmp_buf after_abort;

static void leave_abort(int signal_number) {
    (void)signal_number;
    longjmp(after_abort, 1);
}

static void without_a_host_of_its_own_a_failed_assertion_aborts(void** state) {
    (void)state;
    void (*before)(int) = signal(SIGABRT, leave_abort);
    if (setjmp(after_abort) == 0) {
        kerb_assert_failed("the test looks for this line", __FILE__, __LINE__);
        fail_msg("came back");
    }
    signal(SIGABRT, before);
}

int result_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_linked_library_has_the_version_of_the_headers),
        cmocka_unit_test(every_result_has_its_own_words),
        cmocka_unit_test(a_number_that_is_no_result_has_words_too),
        cmocka_unit_test(an_error_says_what_it_was_told),
        cmocka_unit_test(nobody_has_to_ask_for_the_error),
        cmocka_unit_test(missing_texts_are_empty),
        cmocka_unit_test(long_texts_are_cut_between_characters),
        cmocka_unit_test(a_text_that_just_fits_is_whole),
        cmocka_unit_test(the_default_allocator_aligns_as_asked),
        cmocka_unit_test(the_default_allocator_answers_the_impossible_with_null),
        cmocka_unit_test(default_tasks_do_every_item_once),
        cmocka_unit_test(default_tasks_leave_an_empty_range_alone),
        cmocka_unit_test(without_a_host_of_its_own_a_failed_assertion_aborts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
