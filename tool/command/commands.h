// All commands. To add one: write command_NAME.c with its option table and its run function, and
// list both in commands.c; help, manual and completions find it there.
#ifndef KERB_TOOL_COMMAND_COMMANDS_H
#define KERB_TOOL_COMMAND_COMMANDS_H

#include "tool/command/arguments.h"

typedef struct tool_entry {
    const tool_command* command;
    tool_status (*run)(int argc, char** argv); ///< of the words after the command's name
} tool_entry;

extern const tool_entry tool_entries[];
extern const int32_t tool_entry_count;

/// Names of all commands.
extern const tool_vocabulary tool_words_commands;

/// The command of that name; NULL: there is none.
const tool_entry* tool_entry_find(const char* name);

/// Complains about a word that is no command, with the nearest one. Returns TOOL_WRONG.
tool_status tool_entry_complain_unknown(const char* word);

#endif
