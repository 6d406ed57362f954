// The command line, declared: each command lists its options in a table. The parser, the messages
// and the help text use that table.
//
//     static const tool_option options[] = {
//         TOOL_NUMBER(settings, speed, "speed", "MPS", 0.1, 100, "wanted on a straight"), …};
//     static const tool_command command = {"follow", "drives …", options, COUNT, …};
//     if (tool_arguments_read(&command, argc, argv, &settings) != TOOL_DONE) return TOOL_WRONG;
//
// It accepts `--speed 12`, `--speed=12`, flags, and `--` before words that begin with a dash.
#ifndef KERB_TOOL_COMMAND_ARGUMENTS_H
#define KERB_TOOL_COMMAND_ARGUMENTS_H

#include "tool/command/message.h"

#include <stdio.h>

/// Words for an option that may be given several times, and for a command's operands.
typedef struct tool_words {
    const char* word[64];
    int32_t count;
} tool_words;

typedef enum tool_option_type {
    TOOL_OPTION_HEADING, ///< no option: `meaning` heads the options that follow, in the help
    TOOL_OPTION_FLAG,    ///< a `bool`, set when the option is there
    TOOL_OPTION_TEXT,    ///< a `const char*`; one of `choices` if there are any
    TOOL_OPTION_WORDS,   ///< a `tool_words`: every use adds a word
    TOOL_OPTION_PLANNED, ///< a word that the interface has and this version has not: refused
    TOOL_OPTION_NUMBER,  ///< a `double` from `least` to `most`
    TOOL_OPTION_WHOLE    ///< an `int64_t` from `least` to `most`
} tool_option_type;

/// One option of a command.
typedef struct tool_option {
    const char* name;  ///< without the dashes
    const char* value; ///< what its value is called in the help: "FILE"; NULL for a flag
    tool_option_type type;
    size_t offset; ///< of its field in the command's own struct
    double least, most;
    const char* choices; ///< words separated by '|', or NULL
    const char* meaning; ///< for the help; a standard value is named in it; NULL: not in the help
} tool_option;

// clang-format off
// Rows of an option table; `field` is a field of the command's own struct `type`.
#define TOOL_HEADING(meaning) {NULL, NULL, TOOL_OPTION_HEADING, 0, 0, 0, NULL, meaning}
#define TOOL_FLAG(type, field, name, meaning)                                                      \
    {name, NULL, TOOL_OPTION_FLAG, offsetof(type, field), 0, 0, NULL, meaning}
#define TOOL_TEXT(type, field, name, value, choices, meaning)                                      \
    {name, value, TOOL_OPTION_TEXT, offsetof(type, field), 0, 0, choices, meaning}
#define TOOL_WORDS(type, field, name, value, meaning)                                              \
    {name, value, TOOL_OPTION_WORDS, offsetof(type, field), 0, 0, NULL, meaning}
#define TOOL_NUMBER(type, field, name, value, least, most, meaning)                                \
    {name, value, TOOL_OPTION_NUMBER, offsetof(type, field), least, most, NULL, meaning}
#define TOOL_WHOLE(type, field, name, value, least, most, meaning)                                 \
    {name, value, TOOL_OPTION_WHOLE, offsetof(type, field), least, most, NULL, meaning}
#define TOOL_PLANNED(name) {name, NULL, TOOL_OPTION_PLANNED, 0, 0, 0, NULL, NULL}
// clang-format on

/// What a command takes.
typedef struct tool_command {
    const char* name;
    const char* summary; ///< one line, as "drives vehicles along courses"
    const tool_option* options;
    int32_t option_count;
    const char* operands;    ///< what they are called in the help: "[NAME...]"; NULL: takes none
    size_t operands_offset;  ///< of a `tool_words` in the command's own struct
    const char* explanation; ///< paragraphs after the options; may be NULL
} tool_command;

/// Fills `fields`, the command's own struct, which holds the standard values, from the words after
/// the command's name. Complains and returns TOOL_WRONG at the first word that is wrong.
tool_status tool_arguments_read(const tool_command* command, int argc, char** argv, void* fields);

/// Prints the help of a command.
void tool_arguments_help(const tool_command* command, FILE* out);

#endif
