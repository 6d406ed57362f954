// The command line, declared: each command lists its options in a table. The parser, the messages,
// the help, the manual pages and the shells' completions use that table, and nothing else.
//
//     static const tool_option options[] = {
//         TOOL_NUMBER(settings, speed, "speed", "MPS", 0.1, 100, "wanted on a straight"),
//         TOOL_WORDS(settings, tracks, "track", "NAME|FILE", "where", .words = &tool_words_tracks),
//         …};
//     static const tool_command command = {"follow", "drives …", options, COUNT, …};
//     if (tool_arguments_read(&command, argc, argv, &settings) != TOOL_DONE) return TOOL_WRONG;
//
// It accepts `--speed 12`, `--speed=12`, flags, and `--` before words that begin with a dash. An
// option whose value is a unit is also known with the unit in its name: `--speed MPS` is
// `--speed-mps` as well, in every command. Names of earlier versions are in `.old`.
#ifndef KERB_TOOL_COMMAND_ARGUMENTS_H
#define KERB_TOOL_COMMAND_ARGUMENTS_H

#include "tool/command/message.h"
#include "tool/command/vocabulary.h"

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
    const char* old;     ///< further names that are not shown, separated by '|'; or NULL
    const tool_vocabulary* words; ///< names that it takes, among others; or NULL
} tool_option;

// clang-format off
// Rows of an option table; `field` is a field of the command's own struct `type`. The meaning comes
// last; `.old = …` and `.words = …` may follow it.
#define TOOL_HEADING(text) {.type = TOOL_OPTION_HEADING, .meaning = text}
#define TOOL_FLAG(type_, field, name_, ...)                                                        \
    {.name = name_, .type = TOOL_OPTION_FLAG, .offset = offsetof(type_, field),                    \
     .meaning = __VA_ARGS__}
#define TOOL_TEXT(type_, field, name_, value_, choices_, ...)                                      \
    {.name = name_, .value = value_, .type = TOOL_OPTION_TEXT, .offset = offsetof(type_, field),   \
     .choices = choices_, .meaning = __VA_ARGS__}
#define TOOL_WORDS(type_, field, name_, value_, ...)                                               \
    {.name = name_, .value = value_, .type = TOOL_OPTION_WORDS, .offset = offsetof(type_, field),  \
     .meaning = __VA_ARGS__}
#define TOOL_NUMBER(type_, field, name_, value_, least_, most_, ...)                               \
    {.name = name_, .value = value_, .type = TOOL_OPTION_NUMBER, .offset = offsetof(type_, field), \
     .least = least_, .most = most_, .meaning = __VA_ARGS__}
#define TOOL_WHOLE(type_, field, name_, value_, least_, most_, ...)                                \
    {.name = name_, .value = value_, .type = TOOL_OPTION_WHOLE, .offset = offsetof(type_, field),  \
     .least = least_, .most = most_, .meaning = __VA_ARGS__}
#define TOOL_PLANNED(name_) {.name = name_, .type = TOOL_OPTION_PLANNED}
// clang-format on

/// A line that shows how a command is used.
typedef struct tool_example {
    const char* words; ///< after "kerb "
    const char* shows; ///< what it shows
} tool_example;

/// What a command takes.
typedef struct tool_command {
    const char* name;
    const char* summary; ///< one line, as "drives vehicles along courses"
    const tool_option* options;
    int32_t option_count;
    const char* operands;         ///< what they are called in the help: "[NAME...]"; NULL: none
    size_t operands_offset;       ///< of a `tool_words` in the command's own struct
    const char* explanation;      ///< paragraphs after the options; may be NULL
    const tool_vocabulary* words; ///< names that operands take, or NULL
    const tool_example* examples; ///< up to one whose `words` are NULL
} tool_command;

/// Fields of a command after its name and summary, of tables whose names begin with that stem.
#define TOOL_COMMAND_OPTIONS(stem)                                                                 \
    .options = stem##_options, .option_count = sizeof stem##_options / sizeof stem##_options[0],   \
    .examples = stem##_examples

/// Fills `fields`, the command's own struct, which holds the standard values, from the words after
/// the command's name. Complains and returns TOOL_WRONG at the first word that is wrong.
tool_status tool_arguments_read(const tool_command* command, int argc, char** argv, void* fields);

/// Prints the help of a command, 80 columns wide.
void tool_arguments_help(const tool_command* command, FILE* out);

/// Complains about an operand that is missing, with the names that it takes: "race: on which track?
/// vamos, …". Returns TOOL_WRONG.
tool_status tool_complain_operand(const tool_command* command, const char* question);

/// True for an option that help, manual and completions show.
bool tool_option_is_shown(const tool_option* option);

/// Writes what the value of an option is called: its choices with '|' between them, or the name of
/// its value; "" for a flag. `most`: beyond this many letters choices become "WORD".
void tool_option_value(const tool_option* option, size_t most, char* text, size_t size);

/// The next of words separated by '|'; false when there is none left. `*at` begins with the list.
bool tool_next_choice(const char** at, char* word, size_t size);

/// Prints words in lines of up to 80 columns. The first begins at `column`, further ones at
/// `indent`; '\n' begins a line.
void tool_print_wrapped(FILE* out, const char* text, int column, int indent);

#endif
