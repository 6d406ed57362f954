// `kerb manual`: prints a manual page in the language of man(7): of the whole command, or of one of
// its commands. Texts are those of the option tables; troff fills the lines.
#include "tool/command/command_manual.h"

#include "tool/command/commands.h"

#include <ctype.h>
#include <string.h>

typedef struct manual_options {
    tool_words commands;
} manual_options;

static const tool_example command_manual_examples[] = {
    {"manual >kerb.1", "the page of the whole command; man -l kerb.1 shows it"},
    {"manual follow | man -l -", "that of one command"},
    {0},
};

const tool_command tool_command_manual = {
    .name = "manual",
    .summary = "prints a manual page, for man",
    .operands = "[COMMAND]",
    .operands_offset = offsetof(manual_options, commands),
    .words = &tool_words_commands,
    .explanation = "An installed Kerb has all pages: man kerb, man kerb-follow.",
    .examples = command_manual_examples,
};

// --------------------------------------------------------------------------- troff

// Dashes are those of options, backslashes are no commands, no line begins one, and an empty line
// begins a paragraph.
static void manual_put_text(const char* text) {
    bool begins = true;
    for (; *text != '\0'; text++) {
        bool is_paragraph = text[0] == '\n' && text[1] == '\n';
        if (begins && (*text == '.' || *text == '\''))
            fputs("\\&", stdout);
        begins = *text == '\n';
        text += is_paragraph ? 1 : 0;
        if (is_paragraph)
            fputs("\n.PP\n", stdout);
        else if (*text == '-')
            fputs("\\-", stdout);
        else if (*text == '\\')
            fputs("\\e", stdout);
        else
            putchar(*text);
    }
}

static void manual_put_paragraph(const char* request, const char* text) {
    printf("%s\n", request);
    manual_put_text(text);
    putchar('\n');
}

static void manual_put_heading(const char* text) {
    fputs(".SH ", stdout);
    for (; *text != '\0'; text++)
        putchar(toupper((unsigned char)*text));
    putchar('\n');
}

// .TH with quotes: the name, the version.
static void manual_put_title(const char* name) {
    fputs(".TH \"", stdout);
    for (; *name != '\0'; name++)
        putchar(toupper((unsigned char)*name));
    printf("\" 1 \"\" \"Kerb %s\" \"Kerb\"\n", kerb_version());
}

// --------------------------------------------------------------------------- options

static void manual_put_names(const tool_vocabulary* words) {
    if (!words)
        return;
    printf(".br\n%ss: ", words->what);
    for (int32_t i = 0; i < words->count(); i++) {
        printf("%s", i > 0 ? ", " : "");
        manual_put_text(words->word(i));
    }
    const char* at = words->further;
    char word[64];
    while (tool_next_choice(&at, word, sizeof word))
        printf(", %s", word);
    puts(".");
}

static bool has_range(const tool_option* option) {
    return option->type == TOOL_OPTION_NUMBER || option->type == TOOL_OPTION_WHOLE;
}

static void put_old_names(const tool_option* option) {
    const char* at = option->old;
    char word[64];
    if (!at)
        return;
    fputs(".br\nOther names:", stdout);
    for (bool first = true; tool_next_choice(&at, word, sizeof word); first = false) {
        fputs(first ? " \\-\\-" : ", \\-\\-", stdout);
        manual_put_text(word);
    }
    puts(".");
}

static void manual_put_option(const tool_option* option) {
    if (!option->meaning)
        return;
    if (option->type == TOOL_OPTION_HEADING) {
        printf(".SS \"%s\"\n", option->meaning);
        return;
    }
    char value[256];
    tool_option_value(option, sizeof value, value, sizeof value);
    fputs(".TP\n\\fB\\-\\-", stdout);
    manual_put_text(option->name);
    fputs("\\fR", stdout);
    if (value[0] != '\0') {
        fputs(" \\fI", stdout);
        manual_put_text(value);
        fputs("\\fR", stdout);
    }
    putchar('\n');
    manual_put_text(option->meaning);
    putchar('\n');
    if (has_range(option))
        printf(".br\nFrom %.12g to %.12g.\n", option->least, option->most);
    manual_put_names(option->words);
    put_old_names(option);
}

// --------------------------------------------------------------------------- pages

static void put_examples(const tool_example* examples) {
    if (!examples)
        return;
    manual_put_heading("Examples");
    for (const tool_example* e = examples; e->words; e++) {
        fputs(".TP\n\\fBkerb ", stdout);
        manual_put_text(e->words);
        puts("\\fR");
        manual_put_text(e->shows);
        putchar('\n');
    }
}

static void put_page_of(const tool_command* command) {
    char name[64];
    snprintf(name, sizeof name, "kerb-%s", command->name);
    manual_put_title(name);
    manual_put_heading("Name");
    manual_put_text(name);
    fputs(" \\- ", stdout);
    manual_put_text(command->summary);
    putchar('\n');
    manual_put_heading("Synopsis");
    printf("\\fBkerb %s\\fR", command->name);
    if (command->operands)
        printf(" \\fI%s\\fR", command->operands);
    puts(command->option_count > 0 ? " [\\fIoptions\\fR]" : "");
    if (command->explanation) {
        manual_put_heading("Description");
        manual_put_text(command->explanation);
        putchar('\n');
        manual_put_names(command->words);
    }
    if (command->option_count > 0)
        manual_put_heading("Options");
    for (int32_t i = 0; i < command->option_count; i++)
        manual_put_option(&command->options[i]);
    put_examples(command->examples);
    manual_put_heading("See also");
    puts("\\fBkerb\\fR(1)");
}

static void put_page_of_all(void) {
    manual_put_title("kerb");
    manual_put_heading("Name");
    puts("kerb \\- drives vehicles, to show and to measure how well");
    manual_put_heading("Synopsis");
    puts("\\fBkerb\\fR \\fICOMMAND\\fR [\\fIoptions\\fR]\n.br\n"
         "\\fBkerb help\\fR [\\fICOMMAND\\fR]\n.br\n\\fBkerb \\-\\-version\\fR");
    manual_put_heading("Description");
    puts("Kerb is a library that drives the vehicles of games. This command drives them without a\n"
         "game, in a simulation, and prints, draws and replays how well they are driven.\n"
         ".PP\nOptions are written \\fB\\-\\-speed 12\\fR or \\fB\\-\\-speed=12\\fR. An option "
         "whose value is a unit\nmay have the unit in its name: \\fB\\-\\-speed\\-mps 12\\fR.\n"
         "Of an option that is given twice the last counts, unless it may be given several times.\n"
         "After \\fB\\-\\-\\fR nothing is an option.");
    manual_put_heading("Commands");
    for (int32_t i = 0; i < tool_entry_count; i++) {
        const tool_command* command = tool_entries[i].command;
        printf(".TP\n\\fBkerb\\-%s\\fR(1)\n", command->name);
        manual_put_text(command->summary);
        putchar('\n');
    }
    manual_put_heading("Files");
    manual_put_text(
        "A file is written under a temporary name beside it and renamed when it is complete, "
        "so that nobody ever reads half of it. What stops the command by SIGINT, SIGTERM or "
        "SIGHUP removes that temporary file, too.\n");
    manual_put_heading("Exit status");
    manual_put_paragraph(".TP\n0", "Done.");
    manual_put_paragraph(".TP\n1",
                         "The work ran and failed: a trial did not finish, there is no plan.");
    manual_put_paragraph(".TP\n2",
                         "It could not run: an unknown word, a file that cannot be read or "
                         "written, an impossible setting. One line on standard error says why.");
}

tool_status tool_manual_run(int argc, char** argv) {
    manual_options o = {0};
    if (tool_arguments_read(&tool_command_manual, argc, argv, &o) != TOOL_DONE)
        return TOOL_WRONG;
    if (o.commands.count > 1)
        return tool_complain("manual: of one command at a time");
    if (o.commands.count == 0) {
        put_page_of_all();
        return TOOL_DONE;
    }
    const tool_entry* e = tool_entry_find(o.commands.word[0]);
    if (!e)
        return tool_entry_complain_unknown(o.commands.word[0]);
    put_page_of(e->command);
    return TOOL_DONE;
}
