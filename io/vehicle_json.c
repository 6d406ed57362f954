// Purpose: vehicles as JSON.
// Idea:    kerb_vehicle_table gives the keys, their meaning and their ranges:
//          "drive_train.shift_time" in the table is shift_time within drive_train in JSON, and
//          "drive_train.gear_ratio[2]" is the third number of its array. The points of a curve are
//          two arrays, "speed" and "share", in an object of its name. A new field of the table is
//          read and written without a change in this file, unless it is an array or a curve.
// Cost:    O(length · fields).
#include "kerb/io/vehicle_json.h"

#include "io/json_text.h"
#include "io/number.h"
#include "io/quote.h"

#include <stdio.h>
#include <string.h>

// Rows of the table, with some to spare.
enum { FIELDS_MAX = 128 };

#define DRIVE_TRAIN "drive_train"
#define GEAR_COUNT "drive_train.gear_count"
#define GEAR_RATIO "drive_train.gear_ratio"

// The curves: their keys and the objects that these are in, their names in the table, and their
// places in a kerb_vehicle.
enum { CURVE_COUNT = 3, PARTS = 2 };
static const struct {
    const char *object, *key, *name;
    size_t offset;
} curves[CURVE_COUNT] = {
    {NULL, "steering_lock", "steering_lock", offsetof(kerb_vehicle, steering_lock)},
    {NULL, "power_share", "power_share", offsetof(kerb_vehicle, power_share)},
    {DRIVE_TRAIN, "torque", DRIVE_TRAIN ".torque", offsetof(kerb_vehicle, drive_train.torque)},
};
static const char* const parts[PARTS] = {"speed", "share"};

typedef struct vehicle_json_reader {
    kerb_io_vehicle* into;
    int32_t line[FIELDS_MAX]; // of each row of the table; 0: not given
    int32_t name_line;        // of the keys that are no rows; 0: not given
    int32_t drive_train_line;
    int32_t gear_ratio_line;
    int32_t ratios; // in gear_ratio
    int32_t curve_line[CURVE_COUNT];
    int32_t part_line[CURVE_COUNT][PARTS];
    int32_t points[CURVE_COUNT][PARTS];
    kerb_error error;
} vehicle_json_reader;

// A key and its value: in cJSON's tree, and in the text.
typedef struct member {
    const cJSON* item;
    kerb_io_json_cursor value;
    const char* object; // DRIVE_TRAIN, the name of a curve, or NULL for the vehicle itself
    int32_t line;       // of the key
} member;

// --------------------------------------------------------------------------- refusing

static kerb_result vehicle_json_refuse(vehicle_json_reader* in, kerb_result result, int32_t line,
                                       const char* field, const char* message) {
    return kerb_error_set(&in->error, result, field, line, -1, message);
}

static void full_name(char name[96], const char* object, const char* key) {
    char quoted[KERB_IO_QUOTE_MAX];
    kerb_io_quote(quoted, key, strlen(key));
    snprintf(name, 96, "%s%s%s", object ? object : "", object ? "." : "", quoted);
}

static kerb_result refuse_type(vehicle_json_reader* in, const member* at, const char* message) {
    char name[96];
    full_name(name, at->object, at->item->string);
    return vehicle_json_refuse(in, KERB_ERROR_WRONG_TYPE, at->line, name, message);
}

// The curve with a key in an object, or -1.
static int32_t find_curve(const char* object, const char* key) {
    for (int32_t i = 0; i < CURVE_COUNT; i++)
        if (strcmp(curves[i].key, key) == 0 && (object != NULL) == (curves[i].object != NULL))
            return i;
    return -1;
}

// The curve with a name, or -1. `length`: of the name.
static int32_t find_named_curve(const char* name, size_t length) {
    for (int32_t i = 0; i < CURVE_COUNT; i++)
        if (strlen(curves[i].name) == length && memcmp(curves[i].name, name, length) == 0)
            return i;
    return -1;
}

// Whether a row of the table has a key of its own: not the elements of arrays, nor what a curve
// consists of.
static bool has_key(const char* row) {
    const char* dot = strrchr(row, '.');
    return !strchr(row, '[') && (!dot || find_named_curve(row, (size_t)(dot - row)) < 0);
}

// The name of a row of the table within its object.
static const char* own_name(const char* full) {
    const char* dot = strchr(full, '.');
    return dot ? dot + 1 : full;
}

// The field that a key was meant to be, by its full name, or NULL. Fields of the other object
// count too, because that is a mistake to make.
static const char* nearest_field(const char* key) {
    kerb_io_nearest nearest = kerb_io_nearest_make(key, strlen(key));
    const char* best = NULL;
    if (kerb_io_nearest_consider(&nearest, "name"))
        best = "name";
    if (kerb_io_nearest_consider(&nearest, DRIVE_TRAIN))
        best = DRIVE_TRAIN;
    if (kerb_io_nearest_consider(&nearest, own_name(GEAR_RATIO)))
        best = GEAR_RATIO;
    for (int32_t i = 0; i < CURVE_COUNT; i++)
        if (kerb_io_nearest_consider(&nearest, curves[i].key))
            best = curves[i].name;
    for (int32_t i = 0; i < kerb_vehicle_table.count; i++) {
        const char* full = kerb_vehicle_table.settings[i].name;
        if (!has_key(full))
            continue;
        if (kerb_io_nearest_consider(&nearest, own_name(full)) ||
            kerb_io_nearest_consider(&nearest, full))
            best = full;
    }
    return best;
}

static bool is_in_curve(const member* at) {
    return at->object && find_named_curve(at->object, strlen(at->object)) >= 0;
}

static kerb_result refuse_unknown(vehicle_json_reader* in, const member* at) {
    char name[96], message[144] = "is no field of a vehicle";
    full_name(name, at->object, at->item->string);
    if (is_in_curve(at))
        return vehicle_json_refuse(in, KERB_ERROR_UNKNOWN_FIELD, at->line, name,
                                   "is no part of a curve, which has speed and share");
    const char* best = nearest_field(at->item->string);
    bool within = best && own_name(best) != best;
    const char* where = within && !at->object   ? " within " DRIVE_TRAIN
                        : !within && at->object ? " outside " DRIVE_TRAIN
                                                : "";
    if (best)
        snprintf(message, sizeof message, "is no field of a vehicle; did you mean %s%s?",
                 own_name(best), where);
    return vehicle_json_refuse(in, KERB_ERROR_UNKNOWN_FIELD, at->line, name, message);
}

// Notes where a key stands; a second one is refused.
static kerb_result note_line(vehicle_json_reader* in, const member* at, int32_t* line) {
    char name[96], message[64];
    if (*line == 0) {
        *line = at->line;
        return KERB_OK;
    }
    full_name(name, at->object, at->item->string);
    snprintf(message, sizeof message, "is given twice, first in line %d", (int)*line);
    return vehicle_json_refuse(in, KERB_ERROR_CONTRADICTION, at->line, name, message);
}

// --------------------------------------------------------------------------- values

static kerb_result refuse_number(vehicle_json_reader* in, const kerb_io_json_cursor* value,
                                 kerb_result result, const char* field, const char* message) {
    char quoted[KERB_IO_QUOTE_MAX], whole[192];
    const char* word;
    size_t length = kerb_io_json_word(value, &word);
    kerb_io_quote(quoted, word, length);
    snprintf(whole, sizeof whole, "%s: %s", message, quoted);
    return vehicle_json_refuse(in, result, value->line, field, whole);
}

static bool vehicle_json_is_digit(char c) {
    return c >= '0' && c <= '9';
}

// io/number.h takes what people write; JSON wants a digit on both sides of the point and no zeros
// in front. Never looks beyond the text: an object's ends in a bracket.
static bool is_json_number(const char* at) {
    at += *at == '-';
    if (!vehicle_json_is_digit(*at) || (*at == '0' && vehicle_json_is_digit(at[1])))
        return false;
    while (vehicle_json_is_digit(*at))
        at++;
    return *at != '.' || vehicle_json_is_digit(at[1]);
}

// Reads the number that the cursor stands at into a row of the table.
static kerb_result vehicle_json_read_number(vehicle_json_reader* in,
                                            const kerb_io_json_cursor* value, int32_t row) {
    const kerb_setting* setting = &kerb_vehicle_table.settings[row];
    const char* word;
    size_t length = kerb_io_json_word(value, &word);
    float number = 0.0f;
    kerb_result result = kerb_io_number_read_float(word, length, &number);
    if (result == KERB_ERROR_OUT_OF_RANGE)
        return refuse_number(in, value, result, setting->name, "is too great for a number");
    if (result != KERB_OK || !is_json_number(word))
        return refuse_number(in, value, KERB_ERROR_SYNTAX, setting->name, "is not a number");
    result = kerb_settings_set(setting, &in->into->vehicle, number, &in->error);
    if (result != KERB_OK)
        return refuse_number(in, value, result, setting->name, in->error.message);
    return KERB_OK;
}

// The name of a choice by its number; its length.
static const char* choice_at(const kerb_setting* setting, int32_t number, size_t* length) {
    const char* choice = setting->choices;
    for (; number > 0; number--)
        choice = strchr(choice, '|') + 1;
    *length = strcspn(choice, "|");
    return choice;
}

// The number of a choice by its name, or -1.
static int32_t find_choice(const kerb_setting* setting, const char* name) {
    for (int32_t i = 0; i <= (int32_t)setting->max; i++) {
        size_t length;
        const char* choice = choice_at(setting, i, &length);
        if (strlen(name) == length && memcmp(choice, name, length) == 0)
            return i;
    }
    return -1;
}

static int32_t find_row(const char* name) {
    const kerb_setting* setting = kerb_settings_find(&kerb_vehicle_table, name);
    return setting ? (int32_t)(setting - kerb_vehicle_table.settings) : -1;
}

// The row of an element of an array, or -1.
static int32_t find_element(const char* array, int32_t i) {
    char name[96];
    snprintf(name, sizeof name, "%s[%d]", array, (int)i);
    return find_row(name);
}

// The row of a key, or -1. Dots and brackets are how the table says what JSON says with objects
// and arrays: a key that has them itself is none of its names.
static int32_t find_field(const char* object, const char* key) {
    char name[96];
    int length =
        snprintf(name, sizeof name, "%s%s%s", object ? object : "", object ? "." : "", key);
    bool fits = length > 0 && (size_t)length < sizeof name;
    return fits && !strpbrk(key, ".[") && has_key(name) ? find_row(name) : -1;
}

static kerb_result read_choice(vehicle_json_reader* in, const member* at, int32_t row) {
    const kerb_setting* setting = &kerb_vehicle_table.settings[row];
    char message[144], quoted[KERB_IO_QUOTE_MAX];
    if (!cJSON_IsString(at->item))
        return refuse_type(in, at, "must be a string");
    const char* name = at->item->valuestring;
    int32_t choice = find_choice(setting, name);
    if (choice >= 0)
        return kerb_settings_set(setting, &in->into->vehicle, (float)choice, &in->error);
    kerb_io_quote(quoted, name, strlen(name));
    snprintf(message, sizeof message, "must be one of %s: %s", setting->choices, quoted);
    return vehicle_json_refuse(in, KERB_ERROR_OUT_OF_RANGE, at->line, setting->name, message);
}

static kerb_result read_field(vehicle_json_reader* in, const member* at) {
    int32_t row = find_field(at->object, at->item->string);
    if (row < 0)
        return refuse_unknown(in, at);
    kerb_result result = note_line(in, at, &in->line[row]);
    if (result != KERB_OK)
        return result;
    if (kerb_vehicle_table.settings[row].type == KERB_SETTING_CHOICE)
        return read_choice(in, at, row);
    if (!cJSON_IsNumber(at->item))
        return refuse_type(in, at, "must be a number");
    return vehicle_json_read_number(in, &at->value, row);
}

static kerb_result read_name(vehicle_json_reader* in, const member* at) {
    kerb_result result = note_line(in, at, &in->name_line);
    if (result != KERB_OK)
        return result;
    if (!cJSON_IsString(at->item))
        return refuse_type(in, at, "must be a string");
    const char* name = at->item->valuestring;
    if (strlen(name) >= sizeof in->into->name)
        return vehicle_json_refuse(in, KERB_ERROR_OUT_OF_RANGE, at->line, "name",
                                   "must be at most 63 bytes");
    for (const char* c = name; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 0x7F)
            return vehicle_json_refuse(in, KERB_ERROR_OUT_OF_RANGE, at->line, "name",
                                       "must not hold control characters");
    memcpy(in->into->name, name, strlen(name) + 1);
    return KERB_OK;
}

// Reads an array of numbers into the rows of the table that have its name, and counts them.
static kerb_result read_array(vehicle_json_reader* in, const member* at, const char* name,
                              int32_t most, int32_t* line, int32_t* count) {
    kerb_result result = note_line(in, at, line);
    if (result != KERB_OK)
        return result;
    if (!cJSON_IsArray(at->item))
        return refuse_type(in, at, "must be an array of numbers");
    kerb_io_json_cursor cursor = at->value;
    kerb_io_json_enter(&cursor);
    for (const cJSON* item = at->item->child; item; item = item->next, ++*count) {
        int32_t row = *count < most ? find_element(name, *count) : -1;
        char message[48];
        kerb_io_json_next(&cursor);
        snprintf(message, sizeof message, "must be at most %d numbers", (int)most);
        if (row < 0)
            return vehicle_json_refuse(in, KERB_ERROR_TOO_MANY, cursor.line, name, message);
        if (!cJSON_IsNumber(item))
            result = refuse_number(in, &cursor, KERB_ERROR_WRONG_TYPE, name,
                                   "must be an array of numbers");
        else
            result = vehicle_json_read_number(in, &cursor, row);
        if (result != KERB_OK) {
            in->error.index = *count;
            return result;
        }
        in->line[row] = cursor.line;
        kerb_io_json_pass(&cursor);
    }
    return KERB_OK;
}

static kerb_result read_part(vehicle_json_reader* in, const member* at) {
    int32_t curve = find_named_curve(at->object, strlen(at->object));
    for (int32_t i = 0; i < PARTS; i++) {
        char name[96];
        full_name(name, at->object, parts[i]);
        if (strcmp(at->item->string, parts[i]) == 0)
            return read_array(in, at, name, KERB_SHARE_POINTS_MAX, &in->part_line[curve][i],
                              &in->points[curve][i]);
    }
    return refuse_unknown(in, at);
}

// --------------------------------------------------------------------------- objects

static kerb_result read_member(vehicle_json_reader* in, const member* at);

static kerb_result read_object(vehicle_json_reader* in, const cJSON* object,
                               kerb_io_json_cursor cursor, const char* name) {
    kerb_result result = KERB_OK;
    kerb_io_json_enter(&cursor);
    for (const cJSON* item = object->child; item && result == KERB_OK; item = item->next) {
        member at = {.item = item, .object = name};
        kerb_io_json_next(&cursor);
        at.line = cursor.line;
        kerb_io_json_pass(&cursor);
        kerb_io_json_next(&cursor);
        at.value = cursor;
        result = read_member(in, &at);
        kerb_io_json_pass(&cursor);
    }
    return result;
}

static kerb_result read_drive_train(vehicle_json_reader* in, const member* at) {
    kerb_result result = note_line(in, at, &in->drive_train_line);
    if (result != KERB_OK)
        return result;
    if (!cJSON_IsObject(at->item))
        return refuse_type(in, at, "must be an object");
    return read_object(in, at->item, at->value, DRIVE_TRAIN);
}

static kerb_result read_curve(vehicle_json_reader* in, const member* at, int32_t curve) {
    kerb_result result = note_line(in, at, &in->curve_line[curve]);
    if (result != KERB_OK)
        return result;
    if (!cJSON_IsObject(at->item))
        return refuse_type(in, at, "must be an object with speed and share");
    return read_object(in, at->item, at->value, curves[curve].name);
}

static kerb_result read_member(vehicle_json_reader* in, const member* at) {
    const char* key = at->item->string;
    if (is_in_curve(at))
        return read_part(in, at);
    int32_t curve = find_curve(at->object, key);
    if (curve >= 0)
        return read_curve(in, at, curve);
    if (!at->object && strcmp(key, "name") == 0)
        return read_name(in, at);
    if (!at->object && strcmp(key, DRIVE_TRAIN) == 0)
        return read_drive_train(in, at);
    if (at->object && strcmp(key, "gear_ratio") == 0)
        return read_array(in, at, GEAR_RATIO, KERB_GEARS_MAX, &in->gear_ratio_line, &in->ratios);
    return read_field(in, at);
}

// --------------------------------------------------------------------------- what follows

static bool is_given(const vehicle_json_reader* in, const char* name) {
    return in->line[find_row(name)] > 0;
}

static kerb_result settle_gears(vehicle_json_reader* in) {
    kerb_drive_train* train = &in->into->vehicle.drive_train;
    if (in->gear_ratio_line == 0 && train->gear_count > 0)
        return vehicle_json_refuse(in, KERB_ERROR_MISSING_FIELD, in->line[find_row(GEAR_COUNT)],
                                   GEAR_RATIO, "must be given where gear_count is more than 0");
    if (in->gear_ratio_line == 0)
        return KERB_OK;
    if (!is_given(in, GEAR_COUNT))
        train->gear_count = in->ratios;
    if (train->gear_count == in->ratios)
        return KERB_OK;
    char message[96];
    snprintf(message, sizeof message, "is %d, but gear_ratio has %d numbers",
             (int)train->gear_count, (int)in->ratios);
    return vehicle_json_refuse(in, KERB_ERROR_CONTRADICTION, in->line[find_row(GEAR_COUNT)],
                               GEAR_COUNT, message);
}

// A curve has as many points as its arrays have numbers.
static kerb_result settle_curves(vehicle_json_reader* in) {
    for (int32_t i = 0; i < CURVE_COUNT; i++) {
        if (in->points[i][0] != in->points[i][1])
            return vehicle_json_refuse(in, KERB_ERROR_CONTRADICTION, in->curve_line[i],
                                       curves[i].name,
                                       "must have as many numbers in share as in speed");
        void* place = (char*)&in->into->vehicle + curves[i].offset;
        ((kerb_share_curve*)place)->count = in->points[i][0];
    }
    return KERB_OK;
}

// Length and wheelbase in proportion; then the reference point between the axles as it lies there
// in the default, and of what the length exceeds the wheelbase, the same part in front.
static void settle_size(const vehicle_json_reader* in) {
    const kerb_vehicle standard = kerb_vehicle_default();
    kerb_vehicle* vehicle = &in->into->vehicle;
    bool rear = is_given(in, "reference_to_rear_axle"), front = is_given(in, "reference_to_front");
    if (!rear && !front && !is_given(in, "wheelbase") && !is_given(in, "length"))
        return;
    if (is_given(in, "wheelbase") && !is_given(in, "length"))
        vehicle->length = standard.length * (vehicle->wheelbase / standard.wheelbase);
    if (is_given(in, "length") && !is_given(in, "wheelbase"))
        vehicle->wheelbase = standard.wheelbase * (vehicle->length / standard.length);
    float standard_front = standard.reference_to_front + standard.reference_to_rear_axle;
    float front_part =
        (standard_front - standard.wheelbase) / (standard.length - standard.wheelbase);
    // From the rear axle to the front bumper.
    float to_front = vehicle->wheelbase + front_part * (vehicle->length - vehicle->wheelbase);
    if (!rear && !front)
        vehicle->reference_to_rear_axle =
            standard.reference_to_rear_axle * (vehicle->wheelbase / standard.wheelbase);
    else if (!rear)
        vehicle->reference_to_rear_axle = to_front - vehicle->reference_to_front;
    if (!front)
        vehicle->reference_to_front = to_front - vehicle->reference_to_rear_axle;
}

static void settle_reverse(const vehicle_json_reader* in) {
    kerb_vehicle* vehicle = &in->into->vehicle;
    if (!is_given(in, "reverse_speed_max") && vehicle->reverse_speed_max > vehicle->speed_max)
        vehicle->reverse_speed_max = vehicle->speed_max;
    if (!is_given(in, "reverse_acceleration_max") &&
        vehicle->reverse_acceleration_max > vehicle->acceleration_max)
        vehicle->reverse_acceleration_max = vehicle->acceleration_max;
}

// What holds the top speed; a vehicle without any resistance has no less than a trace of power.
static void settle_power(const vehicle_json_reader* in) {
    kerb_vehicle* vehicle = &in->into->vehicle;
    bool follows = is_given(in, "mass") || is_given(in, "speed_max") || is_given(in, "drag") ||
                   is_given(in, "coasting_deceleration");
    if (is_given(in, "power") || !follows)
        return;
    float resisting =
        vehicle->coasting_deceleration + vehicle->drag * vehicle->speed_max * vehicle->speed_max;
    vehicle->power = kerb_clamp(vehicle->mass * resisting * vehicle->speed_max, 0.001f, 1e12f);
}

// Where the field of an error stands.
static int32_t vehicle_json_line_of(const vehicle_json_reader* in, const kerb_error* error) {
    int32_t row = error->index >= 0 ? find_element(error->field, error->index) : -1;
    if (row < 0)
        row = find_row(error->field);
    return row >= 0 ? in->line[row] : 0;
}

static kerb_result settle(vehicle_json_reader* in) {
    kerb_result result = settle_gears(in);
    if (result == KERB_OK)
        result = settle_curves(in);
    if (result != KERB_OK)
        return result;
    // Only what was said decides what follows: the file of a whole vehicle is left as it is.
    settle_size(in);
    settle_reverse(in);
    settle_power(in);
    result = kerb_vehicle_validate(&in->into->vehicle, &in->error);
    if (result != KERB_OK)
        in->error.line = vehicle_json_line_of(in, &in->error);
    return result;
}

static kerb_result read_root(vehicle_json_reader* in, const cJSON* root,
                             kerb_io_json_cursor cursor) {
    if (!cJSON_IsObject(root))
        return vehicle_json_refuse(in, KERB_ERROR_WRONG_TYPE, cursor.line, "",
                                   "a vehicle must be an object");
    kerb_result result = read_object(in, root, cursor, NULL);
    return result == KERB_OK ? settle(in) : result;
}

kerb_result kerb_io_vehicle_json_read(kerb_io_vehicle* vehicle, const char* text, size_t length,
                                      const kerb_host* host, kerb_error* error) {
    kerb_io_vehicle read = {.vehicle = kerb_vehicle_default()};
    vehicle_json_reader in = {.into = &read};
    cJSON* root;
    kerb_result result = kerb_io_json_parse(text, length, &host->allocator, &root, &in.error);
    if (result == KERB_OK)
        result = read_root(&in, root, kerb_io_json_cursor_make(text, length));
    cJSON_Delete(root);
    if (result == KERB_OK)
        *vehicle = read;
    else if (error)
        *error = in.error;
    return result;
}

// --------------------------------------------------------------------------- writing

static void write_key(kerb_io_text* text, const char* indent, const char* key) {
    kerb_io_text_add(text, indent);
    kerb_io_json_add_string(text, key);
    kerb_io_text_add(text, ": ");
}

static void write_array(kerb_io_text* text, const float* numbers, int32_t count) {
    kerb_io_text_add(text, "[");
    for (int32_t i = 0; i < count; i++) {
        if (i > 0)
            kerb_io_text_add(text, ", ");
        kerb_io_text_add_float(text, numbers[i]);
    }
    kerb_io_text_add(text, "]");
}

// The curves that lie within drive_train, or those that do not, each with its comma. One without
// points is left out.
static void write_curves(kerb_io_text* text, const kerb_vehicle* vehicle, bool within) {
    for (int32_t i = 0; i < CURVE_COUNT; i++) {
        const void* place = (const char*)vehicle + curves[i].offset;
        const kerb_share_curve* curve = place;
        if ((curves[i].object != NULL) != within || curve->count <= 0)
            continue;
        write_key(text, within ? "        " : "    ", curves[i].key);
        write_key(text, "{", parts[0]);
        write_array(text, curve->speed, curve->count);
        write_key(text, ", ", parts[1]);
        write_array(text, curve->share, curve->count);
        kerb_io_text_add(text, "},\n");
    }
}

static void write_value(kerb_io_text* text, const kerb_setting* setting,
                        const kerb_vehicle* vehicle) {
    float value = kerb_settings_get(setting, vehicle);
    if (setting->type != KERB_SETTING_CHOICE) {
        kerb_io_text_add_float(text, value);
        return;
    }
    char name[32];
    size_t length;
    const char* choice = choice_at(setting, (int32_t)value, &length);
    snprintf(name, sizeof name, "%.*s", (int)length, choice);
    kerb_io_json_add_string(text, name);
}

// The rows of the table that lie within drive_train, or those that do not, each with its comma.
static void write_rows(kerb_io_text* text, const kerb_vehicle* vehicle, bool within) {
    size_t prefix = strlen(DRIVE_TRAIN ".");
    for (int32_t i = 0; i < kerb_vehicle_table.count; i++) {
        const kerb_setting* setting = &kerb_vehicle_table.settings[i];
        bool inside = strncmp(setting->name, DRIVE_TRAIN ".", prefix) == 0;
        if (inside != within || !has_key(setting->name))
            continue;
        write_key(text, within ? "        " : "    ", setting->name + (within ? prefix : 0));
        write_value(text, setting, vehicle);
        kerb_io_text_add(text, ",\n");
    }
}

kerb_result kerb_io_vehicle_json_write(kerb_io_text* text, const kerb_vehicle* vehicle,
                                       const char* name, kerb_error* error) {
    kerb_result result = kerb_vehicle_validate(vehicle, error);
    if (result != KERB_OK)
        return result;
    kerb_io_text_add(text, "{\n");
    if (name && *name) {
        write_key(text, "    ", "name");
        kerb_io_json_add_string(text, name);
        kerb_io_text_add(text, ",\n");
    }
    write_rows(text, vehicle, false);
    write_curves(text, vehicle, false);
    write_key(text, "    ", DRIVE_TRAIN);
    kerb_io_text_add(text, "{\n");
    write_rows(text, vehicle, true);
    write_curves(text, vehicle, true);
    write_key(text, "        ", own_name(GEAR_RATIO));
    write_array(text, vehicle->drive_train.gear_ratio, vehicle->drive_train.gear_count);
    kerb_io_text_add(text, "\n    }\n}\n");
    return kerb_io_text_result(text, error);
}
