// The whole of a file of command tests where there is no command to run, or no POSIX shell: one
// test, that is skipped and says so. cmocka is included.
#ifndef TEST_COMMAND_MISSING_H
#define TEST_COMMAND_MISSING_H

static void the_command_is_not_here(void** state) {
    (void)state;
    print_message("skipped: the kerb command is not in this build\n");
    skip();
}

static int command_missing_tests(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_command_is_not_here)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
