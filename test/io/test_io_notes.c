// Notes: kept in order, once each, within a fixed array.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kerb/io/text.h"

#include <stdio.h>
#include <string.h>

static void notes_are_kept_in_order_with_line_and_field(void** state) {
    (void)state;
    kerb_io_notes notes = {0};
    kerb_io_notes_add(&notes, "origin", 4, "assumed yaw 0 for nan");
    kerb_io_notes_add(&notes, "", 0, "assumed \";\" as separator");
    kerb_io_notes_add(NULL, "origin", 4, "nobody reads this");
    assert_int_equal(notes.count, 2);
    assert_int_equal(notes.left_out, 0);
    assert_string_equal(notes.rows[0].field, "origin");
    assert_int_equal(notes.rows[0].line, 4);
    assert_string_equal(notes.rows[0].message, "assumed yaw 0 for nan");
    assert_string_equal(notes.rows[1].field, "");
    assert_string_equal(notes.rows[1].message, "assumed \";\" as separator");
}

static void a_note_is_kept_once_however_often_it_is_added(void** state) {
    (void)state;
    kerb_io_notes notes = {0};
    for (int32_t i = 0; i < 100; i++) {
        kerb_io_notes_add(&notes, "map", 0, "letters that are not known count as blocked");
        kerb_io_notes_add(&notes, "map", i / 50 + 1, "a line of its own");
    }
    assert_int_equal(notes.count, 3);
    assert_int_equal(notes.left_out, 0);
}

static void notes_beyond_the_array_are_counted(void** state) {
    (void)state;
    kerb_io_notes notes = {0};
    for (int32_t i = 0; i < KERB_IO_NOTES_MAX + 5; i++)
        kerb_io_notes_add(&notes, "row", i + 1, "is ignored");
    assert_int_equal(notes.count, KERB_IO_NOTES_MAX);
    assert_int_equal(notes.left_out, 5);
    assert_int_equal(notes.rows[KERB_IO_NOTES_MAX - 1].line, KERB_IO_NOTES_MAX);
}

static void long_notes_end_with_a_whole_character(void** state) {
    (void)state;
    char message[400];
    kerb_io_notes notes = {0};
    for (int32_t shift = 0; shift < 2; shift++) {
        memset(message, 'a', sizeof message);
        for (size_t i = (size_t)shift; i + 2 < sizeof message; i += 2)
            memcpy(message + i, "\xC3\xA9", 2);
        message[sizeof message - 1] = '\0';
        kerb_io_notes_add(&notes, message, 1, message);
        size_t field = strlen(notes.rows[shift].field), text = strlen(notes.rows[shift].message);
        assert_true(field < sizeof notes.rows[0].field && text < sizeof notes.rows[0].message);
        assert_int_equal((field - (size_t)shift) % 2, 0);
        assert_int_equal((text - (size_t)shift) % 2, 0);
    }
}

int io_notes_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(notes_are_kept_in_order_with_line_and_field),
        cmocka_unit_test(a_note_is_kept_once_however_often_it_is_added),
        cmocka_unit_test(notes_beyond_the_array_are_counted),
        cmocka_unit_test(long_notes_end_with_a_whole_character),
    };
    return cmocka_run_group_tests_name("io notes", tests, NULL, NULL);
}
