// The table of commands, in the order of the help: what drives first, then what helps.
#include "tool/command/commands.h"

#include "tool/command/command_bench.h"
#include "tool/command/command_calibrate.h"
#include "tool/command/command_completions.h"
#include "tool/command/command_convert.h"
#include "tool/command/command_follow.h"
#include "tool/command/command_lane.h"
#include "tool/command/command_manual.h"
#include "tool/command/command_plan.h"
#include "tool/command/command_race.h"
#include "tool/command/command_racing_line.h"
#include "tool/command/command_seek.h"
#include "tool/command/command_traffic.h"

#include <string.h>

const tool_entry tool_entries[] = {
    {&tool_command_follow, tool_follow_run},     {&tool_command_seek, tool_seek_run},
    {&tool_command_plan, tool_plan_run_command}, {&tool_command_racing_line, tool_racing_line_run},
    {&tool_command_race, tool_race_command_run}, {&tool_command_lane, tool_lane_command_run},
    {&tool_command_traffic, tool_traffic_run},   {&tool_command_calibrate, tool_calibrate_run},
    {&tool_command_convert, tool_convert_run},   {&tool_command_bench, tool_bench_run},
    {&tool_command_manual, tool_manual_run},     {&tool_command_completions, tool_completions_run},
};
const int32_t tool_entry_count = (int32_t)(sizeof tool_entries / sizeof tool_entries[0]);

static int32_t entry_count(void) {
    return tool_entry_count;
}

static const char* entry_name(int32_t index) {
    return tool_entries[index].command->name;
}

const tool_vocabulary tool_words_commands = {
    .what = "command",
    .count = entry_count,
    .word = entry_name,
};

const tool_entry* tool_entry_find(const char* name) {
    for (int32_t i = 0; i < tool_entry_count; i++) {
        if (strcmp(tool_entries[i].command->name, name) == 0)
            return &tool_entries[i];
    }
    return NULL;
}

// Words that may stand in a command's place.
static const char* const other_words[] = {"help", "--help", "--version"};
#define OTHER_WORD_COUNT ((int32_t)(sizeof other_words / sizeof other_words[0]))

static const char* first_word(const void* context, int32_t i) {
    (void)context;
    return i < tool_entry_count ? entry_name(i) : other_words[i - tool_entry_count];
}

tool_status tool_entry_complain_unknown(const char* word) {
    const char* nearest =
        tool_nearest_word(word, first_word, NULL, tool_entry_count + OTHER_WORD_COUNT);
    if (nearest)
        return tool_complain("unknown command '%s' (did you mean %s?)", word, nearest);
    return tool_complain("unknown command '%s' (kerb --help lists them)", word);
}
