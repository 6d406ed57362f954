// `kerb completions`: prints a script that makes bash or zsh complete commands, options, and the
// names that options take. Everything is in the script, so that a completion starts no program.
#include "tool/command/command_completions.h"

#include "tool/command/commands.h"

#include <string.h>

typedef struct completions_options {
    tool_words shells;
} completions_options;

static int32_t shell_count(void) {
    return 2;
}

static const char* shell_name(int32_t index) {
    return index == 0 ? "bash" : "zsh";
}

static const tool_vocabulary shells = {.what = "shell", .count = shell_count, .word = shell_name};

static const tool_example command_completions_examples[] = {
    {"completions bash >~/.local/share/bash-completion/completions/kerb",
     "for bash, in new shells"},
    {"completions zsh >~/.zfunc/_kerb", "for zsh, where fpath has that folder"},
    {0},
};

const tool_command tool_command_completions = {
    .name = "completions",
    .summary = "prints a script by which a shell completes the words of kerb",
    .operands = "SHELL",
    .operands_offset = offsetof(completions_options, shells),
    .words = &shells,
    .explanation = "An installed Kerb has both scripts where the shells look for them.",
    .examples = command_completions_examples,
};

// --------------------------------------------------------------------------- what follows an
// option

static bool takes_file(const char* value) {
    return value && strstr(value, "FILE") != NULL;
}

static bool completions_takes_number(const tool_option* option) {
    return option->type == TOOL_OPTION_NUMBER || option->type == TOOL_OPTION_WHOLE;
}

// Names, further words and choices, each after a blank.
static void completions_put_words(const tool_vocabulary* words, const char* choices) {
    char word[64];
    for (int32_t i = 0; words && i < words->count(); i++)
        printf(" %s", words->word(i));
    const char* further = words ? words->further : NULL;
    while (tool_next_choice(&further, word, sizeof word))
        printf(" %s", word);
    while (tool_next_choice(&choices, word, sizeof word))
        printf(" %s", word);
}

// --------------------------------------------------------------------------- bash

static void bash_put_pattern(const tool_option* option) {
    const char* at = option->old;
    char word[64];
    printf("    --%s", option->name);
    while (tool_next_choice(&at, word, sizeof word))
        printf("|--%s", word);
    if (completions_takes_number(option))
        printf("|--%s-*", option->name);
    printf(") ");
}

static void bash_put_option(const tool_option* option) {
    if (!tool_option_is_shown(option) || !option->value)
        return;
    bash_put_pattern(option);
    const char* call = option->words && option->words->is_setting ? "_kerb_settings"
                       : takes_file(option->value)                ? "_kerb_files"
                                                                  : "_kerb_words";
    if (!completions_takes_number(option)) {
        printf("%s", call);
        completions_put_words(option->words, option->choices);
        printf("; ");
    }
    puts("return ;;");
}

static void bash_put_command(const tool_command* command) {
    printf("\n_kerb_%s() {\n    case $prev in\n", command->name);
    for (int32_t i = 0; i < command->option_count; i++)
        bash_put_option(&command->options[i]);
    puts("    esac\n    case $cur in\n    -*) _kerb_words \\");
    for (int32_t i = 0; i < command->option_count; i++) {
        if (tool_option_is_shown(&command->options[i]))
            printf("        --%s \\\n", command->options[i].name);
    }
    puts("        --help ;;");
    bool files = command->words != &tool_words_commands && command->words != &shells &&
                 command->words != &tool_words_rows && command->operands != NULL;
    if (command->operands) {
        printf("    *) %s", files ? "_kerb_files" : "_kerb_words");
        completions_put_words(command->words, NULL);
        puts(" ;;");
    }
    puts("    esac\n}");
}

static void put_bash(void) {
    puts("# Completion of kerb for bash, written by `kerb completions bash`.\n\n"
         "# WORD…: those that begin as what is typed.\n"
         "_kerb_words() {\n"
         "    COMPREPLY=($(compgen -W \"$*\" -- \"$cur\"))\n"
         "}\n\n"
         "# WORD…: names of settings, which a value follows.\n"
         "_kerb_settings() {\n"
         "    COMPREPLY=($(compgen -S = -W \"$*\" -- \"$cur\"))\n"
         "    compopt -o nospace 2>/dev/null\n"
         "}\n\n"
         "# WORD…: those, and files.\n"
         "_kerb_files() {\n"
         "    local names=\"$*\" IFS=$'\\n'\n"
         "    COMPREPLY=($(IFS=' '; compgen -W \"$names\" -- \"$cur\") $(compgen -f -- \"$cur\"))\n"
         "    compopt -o filenames 2>/dev/null\n"
         "}");
    for (int32_t i = 0; i < tool_entry_count; i++)
        bash_put_command(tool_entries[i].command);
    puts("\n_kerb() {\n"
         "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}\n"
         "    COMPREPLY=()\n"
         "    # --option=word comes as three words.\n"
         "    if [[ $cur == = ]]; then\n"
         "        cur=\n"
         "    elif [[ $prev == = && COMP_CWORD -gt 2 ]]; then\n"
         "        prev=${COMP_WORDS[COMP_CWORD - 2]}\n"
         "    fi\n"
         "    if ((COMP_CWORD == 1)); then");
    fputs("        _kerb_words", stdout);
    completions_put_words(&tool_words_commands, "help|--help|--version");
    puts("\n        return\n    fi\n    case ${COMP_WORDS[1]} in");
    for (int32_t i = 0; i < tool_entry_count; i++)
        printf("    %s) _kerb_%s ;;\n", tool_entries[i].command->name,
               tool_entries[i].command->name);
    fputs("    help) _kerb_words", stdout);
    completions_put_words(&tool_words_commands, NULL);
    puts(" ;;\n    esac\n}\n\ncomplete -F _kerb kerb");
}

// --------------------------------------------------------------------------- zsh

// Within '…[ ]' : the first clause, without what zsh would read.
static void zsh_put_meaning(const char* text) {
    for (; *text != '\0'; text++) {
        bool ends = (*text == '.' || *text == ';') && (text[1] == ' ' || text[1] == '\0');
        if (ends || strncmp(text, " (", 2) == 0)
            return;
        if (*text == '\'')
            fputs("'\\''", stdout);
        else if (*text == '[' || *text == ']' || *text == ':' || *text == '\\')
            printf("\\%c", *text);
        else
            putchar(*text);
    }
}

// ":what:action", within quotes.
static void zsh_put_value(const char* what, const char* value, const tool_vocabulary* words,
                          const char* choices) {
    bool files = takes_file(value);
    if (!words && !choices) {
        printf(":%s:%s", what, files ? "_files" : " ");
        return;
    }
    const char* call = words && words->is_setting ? "_kerb_settings"
                       : files                    ? "_kerb_files"
                                                  : "_kerb_words";
    printf(":%s:{%s %s", what, call, what);
    completions_put_words(words, choices);
    printf("}");
}

static void zsh_put_option(const tool_option* option) {
    if (!tool_option_is_shown(option))
        return;
    printf("        '%s--%s%s[", option->type == TOOL_OPTION_WORDS ? "*" : "", option->name,
           option->value ? "=" : "");
    zsh_put_meaning(option->meaning);
    fputs("]", stdout);
    if (option->value)
        zsh_put_value(option->words ? option->words->what : option->name, option->value,
                      option->words, option->choices);
    puts("' \\");
}

static void zsh_put_command(const tool_command* command) {
    printf("    %s)\n        _arguments \\\n", command->name);
    for (int32_t i = 0; i < command->option_count; i++)
        zsh_put_option(&command->options[i]);
    fputs("        '(- *)--help[explains the command]'", stdout);
    if (command->operands) {
        bool names = command->words == &tool_words_commands || command->words == &shells ||
                     command->words == &tool_words_rows;
        fputs(" \\\n        '*", stdout);
        zsh_put_value(command->words ? command->words->what : "file", names ? "NAME" : "FILE",
                      command->words, NULL);
        fputs("'", stdout);
    }
    puts(" ;;");
}

static void put_zsh(void) {
    puts("#compdef kerb\n"
         "# Completion of kerb for zsh, written by `kerb completions zsh`.\n\n"
         "# KIND WORD…: those words; names of settings; those, and files.\n"
         "_kerb_words() {\n"
         "    local expl what=$1\n    shift\n"
         "    _wanted words expl $what compadd -- \"$@\"\n"
         "}\n\n"
         "_kerb_settings() {\n"
         "    local expl what=$1\n    shift\n"
         "    _wanted settings expl $what compadd -S = -- \"$@\"\n"
         "}\n\n"
         "_kerb_files() {\n"
         "    local what=$1\n    shift\n"
         "    _alternative \"words:$what:($*)\" 'files:file:_files'\n"
         "}\n\n"
         "_kerb() {\n"
         "    local context curcontext=$curcontext state state_descr line\n"
         "    typeset -A opt_args\n"
         "    _arguments -C '(- *)'{-h,--help}'[lists the commands]' \\\n"
         "        '(- *)'{-V,--version}'[prints the version]' \\\n"
         "        '1: :->command' '*:: :->rest'\n"
         "    if [[ $state == command ]]; then\n"
         "        local -a commands=(");
    for (int32_t i = 0; i < tool_entry_count; i++) {
        printf("            '%s:", tool_entries[i].command->name);
        zsh_put_meaning(tool_entries[i].command->summary);
        puts("'");
    }
    puts("            'help:explains a command'\n        )\n"
         "        _describe -t commands command commands\n"
         "        return\n    fi\n    [[ $state == rest ]] || return\n    case $words[1] in");
    for (int32_t i = 0; i < tool_entry_count; i++)
        zsh_put_command(tool_entries[i].command);
    fputs("    help)\n        _arguments '1:command:{_kerb_words command", stdout);
    completions_put_words(&tool_words_commands, NULL);
    puts("}' ;;\n    esac\n}\n\n"
         "# Autoloaded it is called now; sourced it is registered.\n"
         "if [[ $funcstack[1] == _kerb ]]; then\n    _kerb \"$@\"\nelse\n"
         "    compdef _kerb kerb\nfi");
}

// --------------------------------------------------------------------------- the command

tool_status tool_completions_run(int argc, char** argv) {
    completions_options o = {0};
    if (tool_arguments_read(&tool_command_completions, argc, argv, &o) != TOOL_DONE)
        return TOOL_WRONG;
    if (o.shells.count != 1)
        return tool_complain("completions: for which shell? bash or zsh");
    bool bash = strcmp(o.shells.word[0], "bash") == 0;
    if (!bash && strcmp(o.shells.word[0], "zsh") != 0)
        return tool_complain("completions: unknown shell '%s': bash or zsh", o.shells.word[0]);
    if (bash)
        put_bash();
    else
        put_zsh();
    return TOOL_DONE;
}
