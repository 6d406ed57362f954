// A test program runs the tests of one room: every file test/ROOM/test_NAME.c has one entry,
//
//     int NAME_tests(void); // returns how many of its tests failed, as cmocka does
//
// and CMake writes the table of them.
#ifndef TEST_PROGRAM_H
#define TEST_PROGRAM_H

/// The tests of one file.
typedef struct test_entry {
    const char* name; ///< NULL: the end of the table
    int (*run)(void);
} test_entry;

/// The files of this program.
extern const test_entry test_entries[];

#endif
