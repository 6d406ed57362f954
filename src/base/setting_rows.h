// Rows of a settings table. Private to the library.
//
// A file gives its own struct once and lists its fields:
//
//     #define ROW(field, ...) KERB_IN_SETTING(kerb_flyer_settings, field, __VA_ARGS__)
//     static const kerb_setting rows[] = {
//         ROW(final_approach_time, "s", 0.0f, 60.0f, 3.0f, "straight flight before a goal"),
#ifndef KERB_IN_BASE_SETTING_ROWS_H
#define KERB_IN_BASE_SETTING_ROWS_H

#include "kerb/base.h"

// clang-format off
/// A float: its unit, smallest and greatest value, default and meaning.
#define KERB_IN_SETTING(type, field, unit, min, max, value, meaning)                               \
    {#field, offsetof(type, field), KERB_SETTING_FLOAT, unit, min, max, value, NULL, meaning}

/// A whole number.
#define KERB_IN_COUNT(type, field, min, max, value, meaning)                                       \
    {#field, offsetof(type, field), KERB_SETTING_INT, "1", min, max, value, NULL, meaning}

/// A choice: its last value, its default, and the names of all values, separated by '|'.
#define KERB_IN_CHOICE(type, field, last, value, names, meaning)                                   \
    {#field, offsetof(type, field), KERB_SETTING_CHOICE, "1", 0, last, value, names, meaning}
// clang-format on

/// Multiplies all lengths, speeds and accelerations of a settings struct, which are told by their
/// units: for computing in other units than metres, where the ranges of the table do not hold.
/// O(fields)
void kerb_in_settings_to_units(const kerb_settings_table* table, void* settings, float by);

/// The same for settings that hosts read: keeps them in their ranges. O(fields)
void kerb_in_settings_scale(const kerb_settings_table* table, void* settings, float by);

#endif
