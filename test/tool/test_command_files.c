// The files that the command writes: whole or not at all, whoever else writes there, and nothing of
// the user's touched.
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#if defined(KERB_COMMAND) && !defined(_WIN32)

#define COMMAND_VERB "follow"
#include "test/seed.h"
#include "test/tool/command_rig.h"

#include <signal.h>
#include <sys/stat.h>

static void expect_no_temporary_file(void) {
    assert_int_equal(run_shell("ls | grep -v '^mine' | grep '\\.part$'"), 1);
}

static void two_commands_that_write_one_file_leave_one_whole_file(void** state) {
    (void)state;
    assert_int_equal(run("lane-change --csv a.csv --quiet"), 0);
    assert_int_equal(run("lane-change --vehicle tank --csv b.csv --quiet"), 0);
    for (int32_t i = 0; i < 5; i++) {
        int status = run_shell("rm -f c.csv; \"$KERB\" follow lane-change --csv c.csv --quiet & "
                               "\"$KERB\" follow lane-change --vehicle tank --csv c.csv --quiet; "
                               "second=$?; wait $! && test $second = 0");
        assert_int_equal(status, 0);
        assert_int_equal(run_shell("cmp c.csv a.csv || cmp c.csv b.csv"), 0);
    }
    expect_no_temporary_file();
}

static void a_users_own_file_of_a_similar_name_stays(void** state) {
    (void)state;
    put("mine.csv.part", "mine\n");
    assert_int_equal(run("lane-change --csv mine.csv --quiet"), 0);
    expect_in("mine.csv.part", "mine\n");
    expect_refusal("lane-change --csv mine.csv --speed 0", "--speed");
    expect_in("mine.csv.part", "mine\n");
    expect_no_temporary_file();
}

static void a_replaced_file_keeps_its_permissions(void** state) {
    (void)state;
    assert_int_equal(run_shell("umask 022; \"$KERB\" follow lane-change --csv new.csv --quiet"), 0);
    assert_int_equal(run_shell("find new.csv -perm 644 | grep new"), 0);
    assert_int_equal(run_shell("chmod 640 new.csv"), 0);
    assert_int_equal(run("lane-change --csv new.csv --quiet"), 0);
    assert_int_equal(run_shell("find new.csv -perm 640 | grep new"), 0);
}

static void links_lead_to_the_file_that_is_replaced(void** state) {
    (void)state;
    assert_int_equal(run_shell("mkdir there; : >there/real.csv; ln -s there/real.csv link.csv; "
                               "ln -s nothing.csv dangling.csv"),
                     0);
    assert_int_equal(run("lane-change --csv link.csv --svg /dev/null --quiet"), 0);
    assert_int_equal(run_shell("test -h link.csv"), 0);
    expect_in("there/real.csv", "time_s,");
    assert_int_equal(run("lane-change --csv dangling.csv --quiet"), 0);
    expect_in("nothing.csv", "time_s,");
}

static void standard_output_and_pipes_are_written_to(void** state) {
    (void)state;
    assert_int_equal(run("lane-change --csv plain.csv --quiet"), 0);
    assert_int_equal(run_shell("\"$KERB\" follow lane-change --csv /dev/stdout --quiet >o1.csv; "
                               "\"$KERB\" follow lane-change --csv /dev/stdout --quiet | "
                               "cat >o2.csv; mkfifo pipe; cat pipe >o3.csv & "
                               "\"$KERB\" follow lane-change --csv pipe --quiet; wait; "
                               "cmp o1.csv plain.csv && cmp o2.csv plain.csv && "
                               "cmp o3.csv plain.csv"),
                     0);
    // What is printed comes after it, not over it.
    assert_int_equal(run_shell("\"$KERB\" follow lane-change --csv /dev/stdout >o4.csv"), 0);
    assert_int_equal(run_shell("head -c 7 o4.csv | grep time_s, && tail -1 o4.csv | grep lane"), 0);
    expect_refusal("lane-change --json --csv /dev/stdout", "--csv: standard output has the object");
}

static void what_cannot_be_written_is_named_with_its_reason(void** state) {
    (void)state;
    expect_refusal("lane-change --csv nowhere/a.csv", "nowhere/a.csv: No such file");
    expect_refusal("lane-change --csv . ", ".: Is a directory");
    put("plain", "");
    expect_refusal("lane-change --csv plain/a.csv", "plain/a.csv: Not a directory");
    char words[400] = "lane-change --csv ";
    memset(words + strlen(words), 'x', 300);
    expect_refusal(words, "File name too long");
    if (access("/dev/full", W_OK) == 0)
        expect_refusal("lane-change --csv /dev/full --quiet", "/dev/full: No space left");
    // A limit of size in the place of a full disk.
    put("whole.csv", "whole\n");
    assert_int_equal(run_shell("ulimit -f 8; \"$KERB\" follow lane-change --csv whole.csv --quiet"),
                     2);
    expect_in("error", "whole.csv: File too large");
    expect_in("whole.csv", "whole\n");
    expect_no_temporary_file();
}

// Root may write everywhere.
static void folders_and_files_that_are_read_only_are_refused(void** state) {
    (void)state;
    if (geteuid() == 0) {
        print_message("skipped: run by root, who may write everywhere\n");
        skip();
    }
    assert_int_equal(run_shell("mkdir closed; : >closed/old.csv; : >fixed.csv; "
                               "chmod 444 fixed.csv; chmod 555 closed"),
                     0);
    expect_refusal("lane-change --csv closed/new.csv", "its folder cannot be written");
    expect_refusal("lane-change --csv closed/old.csv", "its folder cannot be written");
    expect_refusal("lane-change --csv fixed.csv", "fixed.csv: Permission denied");
    assert_int_equal(run_shell("chmod 755 closed"), 0);
}

// The page is large, so that most signals come while it is written; one that comes later finds it
// complete.
static void a_signal_leaves_no_temporary_file(void** state) {
    (void)state;
    static const int signals[] = {SIGTERM, SIGHUP, SIGINT};
    put("mine.html.part", "mine\n");
    for (int32_t i = 0; i < test_share(3, 1); i++) {
        pid_t child = fork();
        if (child == 0) {
            signal(signals[i], SIG_DFL);
            if (chdir(folder) == 0)
                execl(KERB_COMMAND, KERB_COMMAND, "follow", "all", "--follower", "kerb",
                      "--vehicle", "all", "--html", "page.html", "--quiet", (char*)NULL);
            _exit(127);
        }
        char line[256];
        snprintf(line, sizeof line,
                 "for i in $(seq 500); do kill -0 %d && sleep 0.01; "
                 "for f in page.html.*.part; do test -s \"$f\" && exit 0; done; done; true",
                 (int)child);
        run_shell(line);
        kill(child, signals[i]);
        int status;
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true((WIFSIGNALED(status) && WTERMSIG(status) == signals[i]) ||
                    (WIFEXITED(status) && WEXITSTATUS(status) == 0));
        expect_no_temporary_file();
        expect_in("mine.html.part", "mine\n");
    }
}

int command_files_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_commands_that_write_one_file_leave_one_whole_file),
        cmocka_unit_test(a_users_own_file_of_a_similar_name_stays),
        cmocka_unit_test(a_replaced_file_keeps_its_permissions),
        cmocka_unit_test(links_lead_to_the_file_that_is_replaced),
        cmocka_unit_test(standard_output_and_pipes_are_written_to),
        cmocka_unit_test(what_cannot_be_written_is_named_with_its_reason),
        cmocka_unit_test(folders_and_files_that_are_read_only_are_refused),
        cmocka_unit_test(a_signal_leaves_no_temporary_file),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}

#else
#include "test/tool/command_missing.h"

int command_files_tests(void) {
    return command_missing_tests();
}
#endif
