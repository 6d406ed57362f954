// A command in a folder of its own, for the tests of commands: files put there, the command run
// there and what it printed. Before it is included COMMAND_VERB names the command, "line" say, and
// _POSIX_C_SOURCE is 200809L; cmocka is included, and KERB_COMMAND is the program.
#ifndef TEST_COMMAND_RIG_H
#define TEST_COMMAND_RIG_H

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define BYTES_MOST (1 << 20)

// Of mkdtemp: what the test's `main` makes of it.
static char folder[64] = "/tmp/kerb_" COMMAND_VERB "_XXXXXX";

static inline FILE* open_file(const char* name, const char* mode) {
    char path[160];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return fopen(path, mode);
}

// To be freed; empty where there is no such file.
static inline char* contents(const char* name) {
    FILE* file = open_file(name, "rb");
    char* text = calloc(1, BYTES_MOST);
    assert_non_null(text);
    if (file) {
        (void)!fread(text, 1, BYTES_MOST - 1, file);
        fclose(file);
    }
    return text;
}

static inline FILE* create(const char* name) {
    FILE* file = open_file(name, "wb");
    assert_non_null(file);
    return file;
}

static inline void put(const char* name, const char* text) {
    FILE* file = create(name);
    fputs(text, file);
    fclose(file);
}

// Runs in the folder; standard output goes to the file `out`, standard error to `error`.
static inline int run(const char* arguments) {
    char line[1024];
    assert_true(snprintf(line, sizeof line, "cd %s && '%s' " COMMAND_VERB " %s >out 2>error",
                         folder, KERB_COMMAND, arguments) < (int)sizeof line);
    int status = system(line);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

// Runs a line of the shell in the folder, where $KERB is the command.
static inline int run_shell(const char* words) {
    char line[2048];
    assert_true(snprintf(line, sizeof line, "cd %s && KERB='%s' && { %s ; } >out 2>error", folder,
                         KERB_COMMAND, words) < (int)sizeof line);
    int status = system(line);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static inline void expect_in(const char* file, const char* part) {
    char* text = contents(file);
    if (!strstr(text, part))
        fail_msg("%s does not hold \"%s\":\n%.300s", file, part, text);
    free(text);
}

// Exit status 2, nothing printed, one line that says why.
static inline void expect_refusal(const char* arguments, const char* part) {
    assert_int_equal(run(arguments), 2);
    char *out = contents("out"), *message = contents("error");
    assert_int_equal(strlen(out), 0);
    const char* end = strchr(message, '\n');
    assert_true(end && end[1] == '\0');
    if (!strstr(message, part))
        fail_msg("\"%s\" does not say \"%s\"", message, part);
    free(out);
    free(message);
}

// What the command reports with --json, ending with that status. To be deleted.
static inline cJSON* report_of(const char* arguments, int status) {
    char line[1024];
    int length = snprintf(line, sizeof line, "%s --json", arguments);
    assert_in_range(length, 0, sizeof line - 1);
    assert_int_equal(run(line), status);
    char *out = contents("out"), *message = contents("error");
    assert_int_equal(strlen(message), 0);
    cJSON* root = cJSON_Parse(out);
    assert_non_null(root);
    free(out);
    free(message);
    return root;
}

static inline cJSON* report(const char* arguments) {
    return report_of(arguments, 0);
}

static inline double number(const cJSON* object, const char* key) {
    const cJSON* item = cJSON_GetObjectItem(object, key);
    if (!cJSON_IsNumber(item))
        fail_msg("\"%s\" is no number of the report", key);
    return item->valuedouble;
}

static inline void expect_near(double value, double wanted, double share) {
    if (!(fabs(value - wanted) <= share * fabs(wanted)))
        fail_msg("%.6f is not within %g of %.6f", value, share, wanted);
}

// Before and after all tests. The font library keeps a cache to the end of the program, which a
// build with the leak sanitizer would complain of after the pictures.
static inline int make_folder(void** state) {
    (void)state;
    if (!mkdtemp(folder))
        return -1;
    char options[160];
    put("leaks.txt", "leak:libfontconfig\n");
    snprintf(options, sizeof options, "suppressions=%s/leaks.txt:print_suppressions=0", folder);
    return setenv("LSAN_OPTIONS", options, 1);
}

static inline int remove_folder(void** state) {
    (void)state;
    char line[160];
    snprintf(line, sizeof line, "rm -r '%s'", folder);
    return system(line);
}

#endif
