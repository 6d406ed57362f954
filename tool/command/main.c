// The `kerb` command: finds the command that was asked for and runs it. commands.c lists them.
#include "kerb/base.h"
#include "tool/command/commands.h"

#include <errno.h>
#include <string.h>

static void print_help(FILE* out) {
    fprintf(out,
            "Kerb %s drives the vehicles in your game. This command drives them here, to\n"
            "show and to measure how well.\n\n"
            "usage: kerb COMMAND [options]\n\nCommands\n",
            kerb_version());
    for (int32_t i = 0; i < tool_entry_count; i++) {
        const tool_command* command = tool_entries[i].command;
        int column = fprintf(out, "  %-12s", command->name);
        tool_print_wrapped(out, command->summary, column, column);
    }
    fprintf(out, "\n"
                 "  kerb help COMMAND   explains a command and its options, with examples\n"
                 "  kerb --version      prints the version\n\n"
                 "To begin with\n"
                 "  kerb follow figure-eight --png figure-eight.png\n"
                 "      a picture of a drive\n"
                 "  kerb follow figure-eight --html figure-eight.html\n"
                 "      a page that replays it\n\n"
                 "Exit status: 0 done, 1 the work ran and failed, 2 it could not run (one line\n"
                 "on standard error says why).\n");
}

// Words after `--` are operands, whatever they look like.
static bool asks_for_help(int argc, char** argv) {
    for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
            return true;
    }
    return false;
}

static tool_status run_command(int argc, char** argv) {
    const tool_entry* e = tool_entry_find(argv[0]);
    if (!e)
        return tool_entry_complain_unknown(argv[0]);
    if (!asks_for_help(argc - 1, argv + 1))
        return e->run(argc - 1, argv + 1);
    tool_arguments_help(e->command, stdout);
    return TOOL_DONE;
}

static tool_status print_help_of(const char* name) {
    const tool_entry* e = tool_entry_find(name);
    if (!e)
        return tool_entry_complain_unknown(name);
    tool_arguments_help(e->command, stdout);
    return TOOL_DONE;
}

// "follow, seek, … or bench".
static tool_status complain_missing_command(void) {
    char names[256] = "";
    for (int32_t i = 0; i < tool_entry_count; i++) {
        size_t used = strlen(names);
        const char* before = i == 0 ? "" : i == tool_entry_count - 1 ? " or " : ", ";
        snprintf(names + used, sizeof names - used, "%s%s", before, tool_entries[i].command->name);
    }
    return tool_complain("which command? %s (kerb --help explains them)", names);
}

static bool is_one_of(const char* word, const char* a, const char* b, const char* c) {
    return strcmp(word, a) == 0 || strcmp(word, b) == 0 || strcmp(word, c) == 0;
}

static tool_status command_main_run(int argc, char** argv) {
    if (argc < 2)
        return complain_missing_command();
    if (is_one_of(argv[1], "--version", "-V", "version")) {
        printf("kerb %s\n", kerb_version());
        return TOOL_DONE;
    }
    if (!is_one_of(argv[1], "--help", "-h", "help"))
        return run_command(argc - 1, argv + 1);
    if (argc > 2)
        return print_help_of(argv[2]);
    print_help(stdout);
    return TOOL_DONE;
}

int main(int argc, char** argv) {
    tool_status status = command_main_run(argc, argv);
    // A full disk behind a redirection must not look like success.
    errno = 0;
    if (fflush(stdout) != 0 || ferror(stdout))
        status = tool_complain("standard output: %s", strerror(errno));
    return (int)status;
}
