// Settings from words; names, ranges and choices come from the settings' table.
#include "tool/command/setting_words.h"

#include <stdlib.h>
#include <string.h>

static const char* setting_name(const void* context, int32_t i) {
    return ((const kerb_settings_table*)context)->settings[i].name;
}

static const kerb_setting* find(const tool_settable* what, const char* name) {
    const kerb_setting* setting = kerb_settings_find(what->table, name);
    if (setting && what->not_here && strcmp(name, what->not_here) == 0) {
        tool_complain("--set: the %s is chosen with %s", name, what->but_with);
        return NULL;
    }
    if (setting)
        return setting;
    const char* nearest = tool_nearest_word(name, setting_name, what->table, what->table->count);
    if (nearest)
        tool_complain("--set: unknown setting '%s' (did you mean %s?)", name, nearest);
    else
        tool_complain("--set: unknown setting '%s' (kerb %s --list lists them)", name,
                      what->command);
    return NULL;
}

// The index of a word among words separated by '|', or -1.
static int32_t choice_index(const char* choices, const char* word) {
    size_t length = strlen(word);
    int32_t index = 0;
    for (const char* c = choices; c; c = strchr(c, '|'), index++) {
        c += *c == '|';
        if (length > 0 && strncmp(c, word, length) == 0 && (c[length] == '|' || c[length] == '\0'))
            return index;
    }
    return -1;
}

static tool_status read_value(const kerb_setting* setting, const char* text, float* value) {
    if (setting->choices) {
        *value = (float)choice_index(setting->choices, text);
        return TOOL_DONE; // the table refuses -1 and names the choices
    }
    char* end;
    *value = strtof(text, &end);
    if (end == text || *end != '\0')
        return tool_complain("--set %s: '%s' is not a number", setting->name, text);
    return TOOL_DONE;
}

static tool_status apply(const char* word, const tool_settable* what, void* settings) {
    const char* equals = strchr(word, '=');
    char name[64];
    if (!equals || (size_t)(equals - word) >= sizeof name)
        return tool_complain("--set: '%s' is not NAME=VALUE", word);
    memcpy(name, word, (size_t)(equals - word));
    name[equals - word] = '\0';
    const kerb_setting* setting = find(what, name);
    float value;
    if (!setting || read_value(setting, equals + 1, &value) != TOOL_DONE)
        return TOOL_WRONG;
    kerb_error error = {.index = -1};
    if (kerb_settings_set(setting, settings, value, &error) != KERB_OK)
        return tool_complain_error("--set", &error);
    return TOOL_DONE;
}

tool_status tool_settings_apply(const tool_words* words, const tool_settable* what,
                                void* settings) {
    for (int32_t i = 0; i < words->count; i++) {
        if (apply(words->word[i], what, settings) != TOOL_DONE)
            return TOOL_WRONG;
    }
    return TOOL_DONE;
}
