// The main function of every test program: `test_ROOM NAME [TEST]` runs the tests of one file, or
// those whose names match TEST (`*` and `?` stand for anything); `test_ROOM --list` names the
// files; without an argument one file after the other runs, in one process.
#include "test/program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

static int list(void) {
    for (const test_entry* entry = test_entries; entry->name; entry++)
        puts(entry->name);
    return 0;
}

static int run_all(void) {
    int failed = 0;
    for (const test_entry* entry = test_entries; entry->name; entry++)
        failed += entry->run();
    return failed;
}

static int run_one(const char* program, const char* name) {
    for (const test_entry* entry = test_entries; entry->name; entry++)
        if (strcmp(entry->name, name) == 0)
            return entry->run();
    fprintf(stderr, "%s: no file of tests is called '%s'; --list names them\n", program, name);
    return 1;
}

int main(int count, char** arguments) {
    if (count < 2)
        return run_all() != 0;
    if (strcmp(arguments[1], "--list") == 0)
        return list();
    if (count > 2)
        cmocka_set_test_filter(arguments[2]);
    return run_one(arguments[0], arguments[1]) != 0;
}
