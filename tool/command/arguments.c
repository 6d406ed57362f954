// Reads a command line by its table and prints the table as help. Fields are accessed by their
// offset, so that a command's options are one plain struct. O(words · options).
#include "tool/command/arguments.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define HELP_WIDTH 92
#define HELP_INDENT 28

// --------------------------------------------------------------------------- reading

typedef struct reader {
    const tool_command* command;
    char** next;
    char** end;
    void* fields;
} reader;

static const char* option_word(const void* context, int32_t i) {
    const tool_option* option = &((const tool_command*)context)->options[i];
    return option->name ? option->name : "";
}

static const tool_option* find_option(const tool_command* command, const char* name,
                                      size_t length) {
    for (int32_t i = 0; i < command->option_count; i++) {
        const char* candidate = option_word(command, i);
        if (strlen(candidate) == length && length > 0 && memcmp(candidate, name, length) == 0)
            return &command->options[i];
    }
    return NULL;
}

static tool_status arguments_complain_unknown(const tool_command* command, const char* word,
                                              size_t length) {
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)length, word);
    const char* nearest = tool_nearest_word(name, option_word, command, command->option_count);
    if (nearest)
        return tool_complain("%s: unknown option --%s (did you mean --%s?)", command->name, name,
                             nearest);
    return tool_complain("%s: unknown option --%s (kerb %s --help lists them)", command->name, name,
                         command->name);
}

static bool is_choice(const char* choices, const char* text) {
    size_t length = strlen(text);
    for (const char* choice = choices; choice; choice = strchr(choice, '|')) {
        choice += *choice == '|';
        if (length > 0 && strncmp(choice, text, length) == 0 &&
            (choice[length] == '|' || choice[length] == '\0'))
            return true;
    }
    return false;
}

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
            return tool_complain("--%s: '%s' is none of %s", option->name, text, option->choices);
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

static tool_status read_option(reader* r, const char* word) {
    const char* equals = strchr(word, '=');
    size_t length = equals ? (size_t)(equals - word) : strlen(word);
    const tool_option* option = find_option(r->command, word, length);
    if (!option)
        return arguments_complain_unknown(r->command, word, length);
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
        return tool_complain("--%s needs a value: --%s %s", option->name, option->name,
                             option->value);
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
        else
            status = read_operand(&r, word);
        if (status != TOOL_DONE)
            return status;
    }
    return TOOL_DONE;
}

// --------------------------------------------------------------------------- help

// Fills lines with the words of `text`, from `column` on; further lines begin at `indent`.
static void print_wrapped(FILE* out, const char* text, int column, int indent) {
    bool fresh = true; // nothing of the text stands on this line yet
    while (*text != '\0') {
        int length = (int)strcspn(text, " \n");
        if (*text == '\n' || (!fresh && length > 0 && column + 1 + length > HELP_WIDTH)) {
            fprintf(out, "\n%*s", indent, "");
            column = indent;
            fresh = true;
        }
        if (length > 0) {
            column += fprintf(out, "%s%.*s", fresh ? "" : " ", length, text);
            fresh = false;
            text += length;
        } else {
            text++;
        }
    }
    fputc('\n', out);
}

static void print_option(const tool_option* option, FILE* out) {
    if (!option->meaning)
        return;
    if (option->type == TOOL_OPTION_HEADING) {
        fprintf(out, "\n%s\n", option->meaning);
        return;
    }
    int column = fprintf(out, "  --%s%s%s", option->name, option->value ? " " : "",
                         option->value ? option->value : "");
    if (column > HELP_INDENT - 2) {
        fputc('\n', out);
        column = 0;
    }
    fprintf(out, "%*s", HELP_INDENT - column, "");
    print_wrapped(out, option->meaning, HELP_INDENT, HELP_INDENT);
}

void tool_arguments_help(const tool_command* command, FILE* out) {
    fprintf(out, "kerb %s: %s\n\n", command->name, command->summary);
    fprintf(out, "usage: kerb %s [options]%s%s\n", command->name, command->operands ? " " : "",
            command->operands ? command->operands : "");
    for (int32_t i = 0; i < command->option_count; i++)
        print_option(&command->options[i], out);
    if (command->explanation) {
        fputc('\n', out);
        print_wrapped(out, command->explanation, 0, 0);
    }
}
