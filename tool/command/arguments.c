// Reads a command line by its table. Fields are accessed by their offset, so that a command's
// options are one plain struct. O(words · options).
#include "tool/command/arguments.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WORD_BYTES 64
#define CHOICES_MOST 16

// --------------------------------------------------------------------------- names

bool tool_next_choice(const char** at, char* word, size_t size) {
    if (!*at)
        return false;
    size_t length = strcspn(*at, "|");
    snprintf(word, size, "%.*s", (int)length, *at);
    *at = (*at)[length] == '|' ? *at + length + 1 : NULL;
    return true;
}

static bool is_choice(const char* choices, const char* text) {
    char choice[WORD_BYTES];
    while (tool_next_choice(&choices, choice, sizeof choice)) {
        if (*text != '\0' && strcmp(choice, text) == 0)
            return true;
    }
    return false;
}

// "speed-mps" where the option is "speed" and its value is "MPS".
static bool is_name_with_unit(const tool_option* option, const char* name) {
    static const char* const units = "M|S|MPS|MPS2";
    size_t length = strlen(option->name);
    if (!option->value || !is_choice(units, option->value) ||
        strncmp(name, option->name, length) != 0 || name[length] != '-')
        return false;
    const char* unit = name + length + 1;
    size_t i = 0;
    while (unit[i] != '\0' && unit[i] == (char)tolower((unsigned char)option->value[i]))
        i++;
    return unit[i] == '\0' && option->value[i] == '\0';
}

static const tool_option* find_option(const tool_command* command, const char* name) {
    for (int32_t i = 0; i < command->option_count; i++) {
        const tool_option* option = &command->options[i];
        if (option->name && (strcmp(option->name, name) == 0 || is_name_with_unit(option, name) ||
                             is_choice(option->old, name)))
            return option;
    }
    return NULL;
}

bool tool_option_is_shown(const tool_option* option) {
    return option->meaning != NULL && option->type != TOOL_OPTION_HEADING;
}

// Words for suggestions: those that are shown.
static const char* option_word(const void* context, int32_t i) {
    const tool_option* option = &((const tool_command*)context)->options[i];
    return tool_option_is_shown(option) ? option->name : "";
}

static tool_status arguments_complain_unknown(const tool_command* command, const char* dashes,
                                              const char* name) {
    const char* nearest = tool_nearest_word(name, option_word, command, command->option_count);
    if (nearest)
        return tool_complain("%s: unknown option %s%s (did you mean --%s?)", command->name, dashes,
                             name, nearest);
    return tool_complain("%s: unknown option %s%s (kerb %s --help lists them)", command->name,
                         dashes, name, command->name);
}

static const char* choice_word(const void* context, int32_t i) {
    return ((const char(*)[WORD_BYTES])context)[i];
}

static tool_status complain_choice(const char* name, const char* text, const char* choices) {
    char words[CHOICES_MOST][WORD_BYTES];
    const char* at = choices;
    int32_t count = 0;
    while (count < CHOICES_MOST && tool_next_choice(&at, words[count], sizeof words[0]))
        count++;
    const char* nearest = tool_nearest_word(text, choice_word, words, count);
    return tool_complain("--%s: '%s' is none of %s%s%s%s", name, text, choices,
                         nearest ? " (did you mean " : "", nearest ? nearest : "",
                         nearest ? "?)" : "");
}

// --------------------------------------------------------------------------- reading

typedef struct reader {
    const tool_command* command;
    char** next;
    char** end;
    void* fields;
} reader;

static tool_status read_number(const tool_option* option, const char* text, double* number) {
    char* end;
    *number = strtod(text, &end);
    if (end == text || *end != '\0' || !isfinite(*number))
        return tool_complain("--%s: '%s' is not a number", option->name, text);
    if (*number < option->least || *number > option->most)
        return tool_complain("--%s: %s is not from %.9g to %.9g", option->name, text, option->least,
                             option->most);
    return TOOL_DONE;
}

static tool_status read_whole(const tool_option* option, const char* text, int64_t* whole) {
    char* end;
    errno = 0;
    long long value = strtoll(text, &end, 10);
    if (end == text || *end != '\0')
        return tool_complain("--%s: '%s' is not a whole number", option->name, text);
    if (errno == ERANGE || (double)value < option->least || (double)value > option->most)
        return tool_complain("--%s: %s is not from %.16g to %.16g", option->name, text,
                             option->least, option->most);
    *whole = value;
    return TOOL_DONE;
}

static tool_status arguments_add_word(tool_words* words, const char* word, const char* what) {
    if (words->count == (int32_t)(sizeof words->word / sizeof words->word[0]))
        return tool_complain("%s: too many; %d at most", what, (int)words->count);
    words->word[words->count++] = word;
    return TOOL_DONE;
}

static tool_status store(const tool_option* option, const char* text, void* fields) {
    void* field = (char*)fields + option->offset;
    switch (option->type) {
    case TOOL_OPTION_NUMBER:
        return read_number(option, text, field);
    case TOOL_OPTION_WHOLE:
        return read_whole(option, text, field);
    case TOOL_OPTION_WORDS:
        return arguments_add_word(field, text, option->name);
    case TOOL_OPTION_TEXT:
        if (option->choices && !is_choice(option->choices, text))
            return complain_choice(option->name, text, option->choices);
        if (*text == '\0')
            return tool_complain("--%s: the value is empty", option->name);
        *(const char**)field = text;
        return TOOL_DONE;
    case TOOL_OPTION_FLAG:
    case TOOL_OPTION_HEADING:
    case TOOL_OPTION_PLANNED:
        break; // they take no value
    }
    return TOOL_DONE;
}

static tool_status complain_missing(const tool_option* option) {
    char value[256];
    tool_option_value(option, sizeof value, value, sizeof value);
    return tool_complain("--%s needs a value: --%s %s", option->name, option->name, value);
}

static tool_status read_option(reader* r, const char* word) {
    const char* equals = strchr(word, '=');
    size_t length = equals ? (size_t)(equals - word) : strlen(word);
    char name[WORD_BYTES];
    snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : sizeof name), word);
    const tool_option* option = find_option(r->command, name);
    if (!option)
        return arguments_complain_unknown(r->command, "--", name);
    if (option->type == TOOL_OPTION_PLANNED)
        return tool_complain("%s: --%s is not there yet", r->command->name, option->name);
    if (option->type == TOOL_OPTION_FLAG) {
        if (equals)
            return tool_complain("--%s takes no value", option->name);
        *(bool*)((char*)r->fields + option->offset) = true;
        return TOOL_DONE;
    }
    // A following option is taken for a forgotten value, not for the value; --opt=--x says it.
    if (!equals && (r->next == r->end || strncmp(*r->next, "--", 2) == 0))
        return complain_missing(option);
    return store(option, equals ? equals + 1 : *r->next++, r->fields);
}

static tool_status read_operand(reader* r, const char* word) {
    if (!r->command->operands)
        return tool_complain("%s: '%s' is not an option (kerb %s --help lists them)",
                             r->command->name, word, r->command->name);
    return arguments_add_word((tool_words*)((char*)r->fields + r->command->operands_offset), word,
                              r->command->name);
}

tool_status tool_arguments_read(const tool_command* command, int argc, char** argv, void* fields) {
    reader r = {command, argv, argv + argc, fields};
    bool options = true;
    while (r.next < r.end) {
        const char* word = *r.next++;
        tool_status status;
        if (options && strcmp(word, "--") == 0) {
            options = false;
            continue;
        }
        if (options && strncmp(word, "--", 2) == 0)
            status = read_option(&r, word + 2);
        else if (options && word[0] == '-' && isalpha((unsigned char)word[1]))
            status = arguments_complain_unknown(command, "-", word + 1);
        else
            status = read_operand(&r, word);
        if (status != TOOL_DONE)
            return status;
    }
    return TOOL_DONE;
}
