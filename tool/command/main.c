// The `kerb` command. To add a command: write command_NAME.c with its option table and its run
// function, and list both here.
#include "kerb/base.h"
#include "tool/command/command_bench.h"
#include "tool/command/command_calibrate.h"
#include "tool/command/command_convert.h"
#include "tool/command/command_follow.h"
#include "tool/command/command_lane.h"
#include "tool/command/command_plan.h"
#include "tool/command/command_race.h"
#include "tool/command/command_racing_line.h"
#include "tool/command/command_seek.h"

#include <errno.h>
#include <string.h>

typedef struct entry {
    const tool_command* command;
    tool_status (*run)(int argc, char** argv);
} entry;

static const entry entries[] = {
    {&tool_command_follow, tool_follow_run},
    {&tool_command_seek, tool_seek_run},
    {&tool_command_plan, tool_plan_run_command},
    {&tool_command_racing_line, tool_racing_line_run},
    {&tool_command_race, tool_race_command_run},
    {&tool_command_lane, tool_lane_command_run},
    {&tool_command_calibrate, tool_calibrate_run},
    {&tool_command_convert, tool_convert_run},
    {&tool_command_bench, tool_bench_run},
};
#define ENTRY_COUNT ((int32_t)(sizeof entries / sizeof entries[0]))

static const char* entry_name(const void* context, int32_t i) {
    return ((const entry*)context)[i].command->name;
}

static const entry* find_entry(const char* name) {
    for (int32_t i = 0; i < ENTRY_COUNT; i++) {
        if (strcmp(entries[i].command->name, name) == 0)
            return &entries[i];
    }
    return NULL;
}

static void print_help(FILE* out) {
    fprintf(out,
            "Kerb %s drives the vehicles in your game. This command drives them here, to show and\n"
            "to measure how well.\n\n"
            "usage: kerb COMMAND [options]\n\ncommands\n",
            kerb_version());
    for (int32_t i = 0; i < ENTRY_COUNT; i++)
        fprintf(out, "  %-10s%s\n", entries[i].command->name, entries[i].command->summary);
    fprintf(out, "\nkerb COMMAND --help   explains a command and its options\n"
                 "kerb --version        prints the version\n\n"
                 "to begin with:  kerb follow --course figure-eight --png figure-eight.png\n\n"
                 "Exit status: 0 done, 1 the work ran and failed, 2 it could not run (one line on\n"
                 "standard error says why).\n");
}

static tool_status command_main_complain_unknown(const char* word) {
    const char* nearest = tool_nearest_word(word, entry_name, entries, ENTRY_COUNT);
    if (nearest)
        return tool_complain("unknown command '%s' (did you mean %s?)", word, nearest);
    return tool_complain("unknown command '%s' (kerb --help lists them)", word);
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
    const entry* e = find_entry(argv[0]);
    if (!e)
        return command_main_complain_unknown(argv[0]);
    if (!asks_for_help(argc - 1, argv + 1))
        return e->run(argc - 1, argv + 1);
    tool_arguments_help(e->command, stdout);
    return TOOL_DONE;
}

static tool_status command_main_run(int argc, char** argv) {
    if (argc < 2)
        return tool_complain("which command? (kerb --help lists them)");
    if (strcmp(argv[1], "--version") == 0) {
        printf("kerb %s\n", kerb_version());
        return TOOL_DONE;
    }
    bool help = strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
                strcmp(argv[1], "help") == 0;
    if (help && argc > 2) {
        const entry* e = find_entry(argv[2]);
        if (!e)
            return command_main_complain_unknown(argv[2]);
        tool_arguments_help(e->command, stdout);
        return TOOL_DONE;
    }
    if (help) {
        print_help(stdout);
        return TOOL_DONE;
    }
    return run_command(argc - 1, argv + 1);
}

int main(int argc, char** argv) {
    tool_status status = command_main_run(argc, argv);
    // A full disk behind a redirection must not look like success.
    errno = 0;
    if (fflush(stdout) != 0 || ferror(stdout))
        status = tool_complain("standard output: %s", strerror(errno));
    return (int)status;
}
