// Settings as words: --set NAME=VALUE.
#ifndef KERB_TOOL_COMMAND_SETTING_WORDS_H
#define KERB_TOOL_COMMAND_SETTING_WORDS_H

#include "tool/command/arguments.h"

/// What can be set, and what cannot.
typedef struct tool_settable {
    const kerb_settings_table* table;
    const char* command;  ///< whose --list lists the settings
    const char* not_here; ///< a setting that is chosen by another option; NULL: none …
    const char* but_with; ///< … this one: "--follower"
} tool_settable;

/// Sets every "NAME=VALUE" of `words`, the last one of a name winning, in a struct of the table's
/// type. A choice is given by its word. Complains about unknown names and values outside their
/// range.
tool_status tool_settings_apply(const tool_words* words, const tool_settable* what, void* settings);

#endif
