// The help of a command: its option table in two columns, then examples. 80 columns, which every
// terminal has.
#include "tool/command/arguments.h"

#include <string.h>

#define HELP_WIDTH 80
#define HELP_INDENT 24

void tool_print_wrapped(FILE* out, const char* text, int column, int indent) {
    bool fresh = true; // nothing of the text stands on this line yet
    while (*text != '\0') {
        int length = (int)strcspn(text, " \n");
        if (*text == '\n' || (!fresh && length > 0 && column + 1 + length > HELP_WIDTH)) {
            fprintf(out, "\n%*s", *text == '\n' && text[1] == '\n' ? 0 : indent, "");
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

void tool_option_value(const tool_option* option, size_t most, char* text, size_t size) {
    const char* value = option->value ? option->value : "";
    bool named = option->choices && strlen(option->choices) <= most;
    snprintf(text, size, "%s", named ? option->choices : value);
}

static void help_add(char* text, size_t size, const char* before, const char* word) {
    size_t used = strlen(text);
    snprintf(text + used, size - used, "%s%s", before, word);
}

// "buggy, pickup, …": what a vocabulary has, in one text.
static void help_vocabulary_text(const tool_vocabulary* words, char* text, size_t size) {
    text[0] = '\0';
    for (int32_t i = 0; i < words->count(); i++)
        help_add(text, size, i > 0 ? ", " : "", words->word(i));
    const char* at = words->further;
    char word[64];
    while (tool_next_choice(&at, word, sizeof word))
        help_add(text, size, ", ", word);
}

// Settings are too many for the help, and are listed with their units and ranges by --list.
static void help_print_names(const tool_vocabulary* words, int indent, FILE* out) {
    char names[1024];
    if (!words || words->is_setting)
        return;
    int column = fprintf(out, "%*s%ss: ", indent, "", words->what);
    help_vocabulary_text(words, names, sizeof names);
    tool_print_wrapped(out, names, column, indent);
}

static void help_print_option(const tool_option* option, FILE* out) {
    if (!option->meaning)
        return;
    if (option->type == TOOL_OPTION_HEADING) {
        fprintf(out, "\n%s\n", option->meaning);
        return;
    }
    char value[256];
    tool_option_value(option, HELP_WIDTH - 5 - strlen(option->name), value, sizeof value);
    int column = fprintf(out, "  --%s%s%s", option->name, value[0] != '\0' ? " " : "", value);
    if (column > HELP_INDENT - 2) {
        fputc('\n', out);
        column = 0;
    }
    fprintf(out, "%*s", HELP_INDENT - column, "");
    tool_print_wrapped(out, option->meaning, HELP_INDENT, HELP_INDENT);
    help_print_names(option->words, HELP_INDENT, out);
}

tool_status tool_complain_operand(const tool_command* command, const char* question) {
    char names[512];
    help_vocabulary_text(command->words, names, sizeof names);
    return tool_complain("%s: %s %s, or a file (kerb %s --help)", command->name, question, names,
                         command->name);
}

static bool has_option_of(const tool_command* command, const tool_vocabulary* words) {
    for (int32_t i = 0; i < command->option_count; i++) {
        if (tool_option_is_shown(&command->options[i]) && command->options[i].words == words)
            return true;
    }
    return false;
}

void tool_arguments_help(const tool_command* command, FILE* out) {
    fprintf(out, "kerb %s: %s\n\n", command->name, command->summary);
    fprintf(out, "usage: kerb %s%s%s%s\n", command->name, command->operands ? " " : "",
            command->operands ? command->operands : "",
            command->option_count > 0 ? " [options]" : "");
    if (command->words && !has_option_of(command, command->words))
        help_print_names(command->words, 0, out);
    for (int32_t i = 0; i < command->option_count; i++)
        help_print_option(&command->options[i], out);
    if (command->explanation) {
        fputc('\n', out);
        tool_print_wrapped(out, command->explanation, 0, 0);
    }
    if (command->examples)
        fprintf(out, "\nExamples\n");
    for (const tool_example* e = command->examples; e && e->words; e++)
        fprintf(out, "  kerb %s\n      %s\n", e->words, e->shows);
}
