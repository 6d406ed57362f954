// Settings tables: defaults, checks and access by name for any settings struct.
//
// A table lists each field of a struct with its offset, range and default, so that one loop serves
// every settings struct of the library. Values pass as floats; whole numbers up to 2^24 are exact.
// O(fields) for a struct and to find a field by name, O(1) to get or set a field. No allocation.
#include "assertion.h"
#include "number_text.h"
#include "setting_rows.h"

#include <string.h>

static bool base_is_finite(float value) {
    return value - value == 0.0f;
}

// A field lies at any offset in a struct of any type. memcpy is the only way to access it that
// breaks no aliasing rule.
static void write_value(const kerb_setting* setting, void* settings, float value) {
    char* at = (char*)settings + setting->offset;
    int32_t whole = setting->type == KERB_SETTING_FLOAT ? 0 : (int32_t)value;
    if (setting->type == KERB_SETTING_FLOAT)
        memcpy(at, &value, sizeof value);
    else
        memcpy(at, &whole, sizeof whole);
}

float kerb_settings_get(const kerb_setting* setting, const void* settings) {
    KERB_ASSERT(setting && settings);
    const char* at = (const char*)settings + setting->offset;
    float value;
    int32_t whole;
    if (setting->type == KERB_SETTING_FLOAT) {
        memcpy(&value, at, sizeof value);
        return value;
    }
    memcpy(&whole, at, sizeof whole);
    return (float)whole;
}

void kerb_settings_set_defaults(const kerb_settings_table* table, void* settings) {
    KERB_ASSERT(table && settings);
    for (int32_t i = 0; i < table->count; i++)
        write_value(&table->settings[i], settings, table->settings[i].default_value);
}

static kerb_result fail_range(const kerb_setting* setting, kerb_error* error) {
    if (setting->choices) {
        kerb_text text = kerb_in_text_make("must be one of ");
        kerb_in_text_add(&text, setting->choices);
        return kerb_error_set(error, KERB_ERROR_OUT_OF_RANGE, setting->name, 0, -1, text.text);
    }
    kerb_text text = kerb_in_text_make("must be from ");
    kerb_in_text_add_number(&text, setting->min);
    kerb_in_text_add(&text, " to ");
    kerb_in_text_add_number(&text, setting->max);
    if (strcmp(setting->unit, "1") != 0) {
        kerb_in_text_add(&text, " ");
        kerb_in_text_add(&text, setting->unit);
    }
    return kerb_error_set(error, KERB_ERROR_OUT_OF_RANGE, setting->name, 0, -1, text.text);
}

static kerb_result base_check(const kerb_setting* setting, float value, kerb_error* error) {
    if (!base_is_finite(value))
        return kerb_error_set(error, KERB_ERROR_NOT_FINITE, setting->name, 0, -1,
                              "must be a finite number");
    if (value < setting->min || value > setting->max)
        return fail_range(setting, error);
    if (setting->type != KERB_SETTING_FLOAT && value != (float)(int32_t)value)
        return kerb_error_set(error, KERB_ERROR_WRONG_TYPE, setting->name, 0, -1,
                              "must be a whole number");
    return KERB_OK;
}

kerb_result kerb_settings_validate(const kerb_settings_table* table, const void* settings,
                                   kerb_error* error) {
    KERB_ASSERT(table && settings);
    kerb_result result = KERB_OK;
    for (int32_t i = 0; i < table->count && result == KERB_OK; i++) {
        const kerb_setting* setting = &table->settings[i];
        result = base_check(setting, kerb_settings_get(setting, settings), error);
    }
    return result;
}

// Units of one length, over any power of time: "g" is an acceleration.
static bool is_length(const char* unit) {
    if (unit[0] != 'm' && unit[0] != 'g') // most of the others, at once
        return false;
    static const char* const units[] = {"m", "m/s", "m/s^2", "m/s²", "m/s^3", "g"};
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (strcmp(unit, units[i]) == 0)
            return true;
    return false;
}

void kerb_in_settings_to_units(const kerb_settings_table* table, void* settings, float by) {
    KERB_ASSERT(table && settings);
    for (int32_t i = 0; i < table->count; i++) {
        const kerb_setting* setting = &table->settings[i];
        if (setting->type == KERB_SETTING_FLOAT && is_length(setting->unit))
            write_value(setting, settings, by * kerb_settings_get(setting, settings));
    }
}

void kerb_in_settings_scale(const kerb_settings_table* table, void* settings, float by) {
    kerb_in_settings_to_units(table, settings, by);
    for (int32_t i = 0; i < table->count; i++) {
        const kerb_setting* setting = &table->settings[i];
        if (setting->type != KERB_SETTING_FLOAT || !is_length(setting->unit))
            continue;
        float value = kerb_settings_get(setting, settings);
        value = value < setting->min ? setting->min : value;
        write_value(setting, settings, value > setting->max ? setting->max : value);
    }
}

const kerb_setting* kerb_settings_find(const kerb_settings_table* table, const char* name) {
    KERB_ASSERT(table && name);
    for (int32_t i = 0; i < table->count; i++)
        if (strcmp(table->settings[i].name, name) == 0)
            return &table->settings[i];
    return NULL;
}

kerb_result kerb_settings_set(const kerb_setting* setting, void* settings, float value,
                              kerb_error* error) {
    KERB_ASSERT(setting && settings);
    kerb_result result = base_check(setting, value, error);
    if (result == KERB_OK)
        write_value(setting, settings, value);
    return result;
}
