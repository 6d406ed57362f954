// Vehicles as JSON: what docs/formats.md promises, and what happens to every kind of broken file.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kerb/io/vehicle_json.h"
#include "test/allocation.h"
#include "test/seed.h"

#include <cjson/cJSON.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --------------------------------------------------------------------------- what tests need

static test_allocation allocation;
static kerb_host host;
static kerb_io_vehicle read;
static kerb_error error;

static int set_up(void** state) {
    (void)state;
    allocation = test_allocation_make();
    host = test_allocation_host(&allocation);
    return 0;
}

static int tear_down(void** state) {
    (void)state;
    test_allocation_check(&allocation);
    return 0;
}

// Reads from a block of just that length, so that the address sanitizer sees a step too far.
static kerb_result read_bytes(const char* text, size_t length) {
    char* block = malloc(length ? length : 1);
    memcpy(block, text, length);
    memset(&error, 0, sizeof error);
    kerb_result result = kerb_io_vehicle_json_read(&read, block, length, &host, &error);
    free(block);
    return result;
}

static void expect_vehicle(const char* text) {
    if (read_bytes(text, strlen(text)) != KERB_OK)
        fail_msg("refused: line %d, %s: %s", (int)error.line, error.field, error.message);
    assert_int_equal(kerb_vehicle_validate(&read.vehicle, NULL), KERB_OK);
}

static void expect_refusal_of(const char* text, size_t length, kerb_result result, int32_t line,
                              const char* field, const char* part_of_message) {
    kerb_io_vehicle before;
    memset(&before, 0x5A, sizeof before);
    read = before;
    kerb_result got = read_bytes(text, length);
    if (got != result || error.result != result)
        fail_msg("%s is %s (%s: %s)", text, kerb_result_text(got), error.field, error.message);
    assert_int_equal(error.line, line);
    assert_string_equal(error.field, field);
    if (!strstr(error.message, part_of_message))
        fail_msg("\"%s\" does not say \"%s\"", error.message, part_of_message);
    assert_memory_equal(&read, &before, sizeof read);
}

static void expect_refusal(const char* text, kerb_result result, int32_t line, const char* field,
                           const char* part_of_message) {
    expect_refusal_of(text, strlen(text), result, line, field, part_of_message);
}

static void expect_near(float value, double expected) {
    if (!(fabs((double)value - expected) <= 1e-5 * fabs(expected)))
        fail_msg("%g instead of %g", (double)value, expected);
}

// --------------------------------------------------------------------------- what is read

static void an_empty_object_is_the_default_vehicle(void** state) {
    (void)state;
    kerb_vehicle expected = kerb_vehicle_default();
    expect_vehicle("{}");
    assert_memory_equal(&read.vehicle, &expected, sizeof expected);
    assert_string_equal(read.name, "");
}

// Writes {"key": value} with the value's own key nested where the table's name has a dot.
static void write_one(kerb_io_text* text, const char* name, const char* value) {
    const char* dot = strchr(name, '.');
    kerb_io_text_add(text, dot ? "{\"drive_train\": {\"" : "{\"");
    kerb_io_text_add(text, dot ? dot + 1 : name);
    kerb_io_text_add(text, "\": ");
    kerb_io_text_add(text, value);
    kerb_io_text_add(text, dot ? "}}" : "}");
}

static void every_row_of_the_table_is_read_into_its_field(void** state) {
    (void)state;
    for (int32_t i = 0; i < kerb_vehicle_table.count; i++) {
        const kerb_setting* setting = &kerb_vehicle_table.settings[i];
        if (strchr(setting->name, '[') || setting->type != KERB_SETTING_FLOAT)
            continue;
        float value = setting->default_value * 1.03125f + 0.0009765625f;
        char number[32];
        snprintf(number, sizeof number, "%.9g", (double)value);
        kerb_io_text text = kerb_io_text_make(&host.allocator);
        write_one(&text, setting->name, number);
        expect_vehicle(text.data);
        assert_true(kerb_settings_get(setting, &read.vehicle) == value);
        kerb_io_text_destroy(&text);
    }
}

static void the_kind_is_read_and_written_as_a_word(void** state) {
    (void)state;
    const char* words[] = {"wheeled", "tracked", "hover"};
    for (int32_t kind = KERB_VEHICLE_WHEELED; kind <= KERB_VEHICLE_HOVER; kind++) {
        char text[64];
        snprintf(text, sizeof text, "{\"kind\": \"%s\"}", words[kind]);
        expect_vehicle(text);
        assert_int_equal(read.vehicle.kind, kind);
        kerb_io_text written = kerb_io_text_make(&host.allocator);
        assert_int_equal(kerb_io_vehicle_json_write(&written, &read.vehicle, NULL, &error),
                         KERB_OK);
        snprintf(text, sizeof text, "\"kind\": \"%s\",", words[kind]);
        assert_non_null(strstr(written.data, text));
        kerb_io_text_destroy(&written);
    }
}

static void a_kind_that_is_none_is_refused_with_those_that_are(void** state) {
    (void)state;
    const char* others[] = {"", "wheel", "wheeledx", "hover|", "wheeled|tracked", "Hover", "|"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        char text[64];
        snprintf(text, sizeof text, "{\n\"kind\": \"%s\"}", others[i]);
        expect_refusal(text, KERB_ERROR_OUT_OF_RANGE, 2, "kind", "wheeled|tracked|hover");
    }
    expect_refusal("{\"kind\": 1}", KERB_ERROR_WRONG_TYPE, 1, "kind", "string");
    expect_refusal("{\"kind\": \"hover\",\n\"kind\": \"hover\"}", KERB_ERROR_CONTRADICTION, 2,
                   "kind", "twice");
}

static void a_curve_is_read_from_two_arrays(void** state) {
    (void)state;
    expect_vehicle("{\"steering_lock\": {\"speed\": [0, 10, 40], \"share\": [1, 0.8, 0.3]},\n"
                   "\"drive_train\": {\"gear_told\": \"nothing\",\n"
                   "\"torque\": {\"share\": [0.5, 1], \"speed\": [100, 600]}}}");
    const kerb_vehicle* v = &read.vehicle;
    assert_int_equal(v->steering_lock.count, 3);
    assert_int_equal(v->drive_train.torque.count, 2);
    assert_int_equal(v->power_share.count, 0);
    assert_int_equal(v->drive_train.gear_told, KERB_GEAR_TOLD_NOTHING);
    assert_true(v->steering_lock.speed[2] == 40.0f && v->steering_lock.share[2] == 0.3f);
    assert_true(v->drive_train.torque.speed[0] == 100.0f && v->drive_train.torque.share[0] == 0.5f);
}

static void a_curve_that_is_none_is_refused(void** state) {
    (void)state;
    expect_refusal("{\"steering_lock\": 1}", KERB_ERROR_WRONG_TYPE, 1, "steering_lock", "object");
    expect_refusal("{\"power_share\":\n{\"speed\": [1, 2], \"share\": [1]}}",
                   KERB_ERROR_CONTRADICTION, 1, "power_share", "as many");
    expect_refusal("{\"power_share\":\n{\"speed\": [2, 1], \"share\": [1,\n1]}}",
                   KERB_ERROR_CONTRADICTION, 2, "power_share.speed", "greater");
    expect_refusal("{\"power_share\":\n{\"speed\": [1, 2], \"share\": [1,\n0]}}",
                   KERB_ERROR_OUT_OF_RANGE, 3, "power_share.share", "0.02");
    expect_refusal("{\"power_share\": {\"speeds\": [1]}}", KERB_ERROR_UNKNOWN_FIELD, 1,
                   "power_share.speeds", "speed and share");
    expect_refusal("{\"power_share\": {\"count\": 1}}", KERB_ERROR_UNKNOWN_FIELD, 1,
                   "power_share.count", "speed and share");
    expect_refusal("{\"drive_train\": {\"torque\": {\"speed\": [1,2,3,4,5,6,7,8,\n9]}}}",
                   KERB_ERROR_TOO_MANY, 2, "drive_train.torque.speed", "at most 8");
    expect_refusal("{\"torque\": {}}", KERB_ERROR_UNKNOWN_FIELD, 1, "torque",
                   "torque within drive_train");
    expect_refusal("{\"steering_lck\": {}}", KERB_ERROR_UNKNOWN_FIELD, 1, "steering_lck",
                   "steering_lock");
    expect_refusal("{\"steering_lock\": {},\n\"steering_lock\": {}}", KERB_ERROR_CONTRADICTION, 2,
                   "steering_lock", "twice");
}

static void names_may_hold_any_utf8_and_escapes(void** state) {
    (void)state;
    expect_vehicle("{\"name\": \"Gr\xC3\xBC\xC3\x9F \\\"9\\\" \\u00e9\"}");
    assert_string_equal(read.name, "Gr\xC3\xBC\xC3\x9F \"9\" \xC3\xA9");
}

static void gears_are_counted_by_their_ratios(void** state) {
    (void)state;
    expect_vehicle("{\"drive_train\": {\"gear_ratio\": [12, 7.5, 5]}}");
    assert_int_equal(read.vehicle.drive_train.gear_count, 3);
    assert_true(read.vehicle.drive_train.gear_ratio[1] == 7.5f);
    expect_vehicle("{\"drive_train\": {\"gear_ratio\": [12, 7.5], \"gear_count\": 2}}");
    assert_int_equal(read.vehicle.drive_train.gear_count, 2);
    expect_vehicle("{\"drive_train\": {\"gear_ratio\": [], \"gear_count\": 0}}");
    assert_int_equal(read.vehicle.drive_train.gear_count, 0);
    expect_vehicle("{\"drive_train\": {\"gear_ratio\": [10,9,8,7,6,5,4,3,2,1]}}");
    assert_int_equal(read.vehicle.drive_train.gear_count, 10);
}

static void a_byte_order_mark_and_carriage_returns_change_nothing(void** state) {
    (void)state;
    expect_vehicle("\xEF\xBB\xBF{\r\n\t\"mass\": 900\r\n}\r\n");
    assert_true(read.vehicle.mass == 900.0f);
    expect_refusal("\xEF\xBB\xBF{\r\n\r\n\"mas\": 900\r\n}\r\n", KERB_ERROR_UNKNOWN_FIELD, 3, "mas",
                   "did you mean mass?");
}

static void a_locale_with_a_decimal_comma_changes_nothing(void** state) {
    (void)state;
    const char* locales[] = {"de_DE.UTF-8", "de_DE", "fr_FR.UTF-8", "fr_FR", "German"};
    bool found = false;
    for (size_t i = 0; i < sizeof locales / sizeof *locales && !found; i++)
        found = setlocale(LC_ALL, locales[i]) != NULL && *localeconv()->decimal_point == ',';
    if (!found) {
        print_message("skipped: no locale with a decimal comma is installed\n");
        skip();
    }
    expect_vehicle("{\"wheelbase\": 3.25}");
    assert_true(read.vehicle.wheelbase == 3.25f);
    setlocale(LC_ALL, "C");
}

// --------------------------------------------------------------------------- what follows

static void a_wheelbase_alone_scales_the_vehicle_to_it(void** state) {
    (void)state;
    kerb_vehicle standard = kerb_vehicle_default();
    expect_vehicle("{\"wheelbase\": 3.6}");
    double scale = 3.6 / (double)standard.wheelbase;
    expect_near(read.vehicle.length, scale * (double)standard.length);
    expect_near(read.vehicle.reference_to_front, scale * (double)standard.reference_to_front);
    expect_near(read.vehicle.reference_to_rear_axle,
                scale * (double)standard.reference_to_rear_axle);
    assert_true(read.vehicle.width == standard.width);
    expect_vehicle("{\"length\": 9}");
    expect_near(read.vehicle.wheelbase, 9.0 / (double)standard.length * (double)standard.wheelbase);
}

static void a_given_reference_point_is_kept_and_the_rest_put_around_it(void** state) {
    (void)state;
    expect_vehicle("{\"wheelbase\": 4, \"length\": 6, \"reference_to_rear_axle\": 0}");
    assert_true(read.vehicle.reference_to_rear_axle == 0.0f);
    kerb_vehicle standard = kerb_vehicle_default();
    double front_overhang = (double)standard.reference_to_front +
                            (double)standard.reference_to_rear_axle - (double)standard.wheelbase;
    double part = front_overhang / ((double)standard.length - (double)standard.wheelbase);
    expect_near(read.vehicle.reference_to_front, 4.0 + part * 2.0);
    expect_vehicle("{\"wheelbase\": 4, \"length\": 6, \"reference_to_front\": 2.5}");
    expect_near(read.vehicle.reference_to_rear_axle, 1.5 + part * 2.0);
}

static void any_wheelbase_and_length_that_fit_give_a_valid_vehicle(void** state) {
    (void)state;
    kerb_random random = test_random(__func__);
    for (int32_t i = 0; i < 3000; i++) {
        float wheelbase = kerb_random_between(&random, 1.8f, 20.0f);
        float length = i % 10 ? wheelbase + kerb_random_between(&random, 0.0f, 8.0f) : wheelbase;
        char text[96];
        snprintf(text, sizeof text, "{\"wheelbase\": %.9g, \"length\": %.9g}", (double)wheelbase,
                 (double)length);
        expect_vehicle(text);
    }
}

static void reverse_is_no_faster_than_forwards_unless_it_is_said(void** state) {
    (void)state;
    expect_vehicle("{\"speed_max\": 5, \"acceleration_max\": 1}");
    assert_true(read.vehicle.reverse_speed_max == 5.0f);
    assert_true(read.vehicle.reverse_acceleration_max == 1.0f);
    expect_vehicle("{\"speed_max\": 5, \"reverse_speed_max\": 7}");
    assert_true(read.vehicle.reverse_speed_max == 7.0f);
}

static void power_is_what_the_top_speed_needs_unless_it_is_said(void** state) {
    (void)state;
    expect_vehicle("{\"speed_max\": 20, \"mass\": 9000}");
    float needed = 9000.0f * (0.15f + 0.0004f * 400.0f) * 20.0f;
    assert_true(kerb_abs(read.vehicle.power - needed) < 1e-4f * needed);
    expect_vehicle("{\"speed_max\": 20, \"mass\": 9000, \"power\": 200000}");
    assert_true(read.vehicle.power == 200000.0f);
    expect_vehicle("{\"width\": 1.7}");
    assert_true(read.vehicle.power == kerb_vehicle_default().power);
}

// --------------------------------------------------------------------------- what is refused

static void unknown_keys_are_named_and_a_near_name_is_offered(void** state) {
    (void)state;
    expect_refusal("{\n\"mass\": 1000,\n\"weelbase\": 2}", KERB_ERROR_UNKNOWN_FIELD, 3, "weelbase",
                   "did you mean wheelbase?");
    expect_refusal("{\"colour\": 2}", KERB_ERROR_UNKNOWN_FIELD, 1, "colour", "is no field");
    assert_null(strstr(error.message, "mean"));
    expect_refusal("{\"wheel_radius\": 0.3}", KERB_ERROR_UNKNOWN_FIELD, 1, "wheel_radius",
                   "mean wheel_radius within drive_train?");
    expect_refusal("{\"drive_train.shift_time\": 0.3}", KERB_ERROR_UNKNOWN_FIELD, 1,
                   "drive_train.shift_time", "mean shift_time within drive_train?");
    expect_refusal("{\"drive_train\": {\n\"mass\": 3}}", KERB_ERROR_UNKNOWN_FIELD, 2,
                   "drive_train.mass", "mean mass outside drive_train?");
    expect_refusal("{\"drive_train\": {\"gear_ratios\": 3}}", KERB_ERROR_UNKNOWN_FIELD, 1,
                   "drive_train.gear_ratios", "mean gear_ratio?");
    expect_refusal("{\"drive_train\": {\"gear_ratio[0]\": 3}}", KERB_ERROR_UNKNOWN_FIELD, 1,
                   "drive_train.gear_ratio[0]", "");
    expect_refusal("{\"\": 3}", KERB_ERROR_UNKNOWN_FIELD, 1, "", "");
    expect_refusal("{\"Mass\": 3}", KERB_ERROR_UNKNOWN_FIELD, 1, "Mass", "mean mass?");
}

static void values_of_another_type_are_refused(void** state) {
    (void)state;
    const char* values[] = {"\"3\"", "true", "null", "[3]", "{}"};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        char text[64];
        snprintf(text, sizeof text, "{\n\n\"mass\": %s}", values[i]);
        expect_refusal(text, KERB_ERROR_WRONG_TYPE, 3, "mass", "must be a number");
    }
    expect_refusal("{\"name\": 3}", KERB_ERROR_WRONG_TYPE, 1, "name", "string");
    expect_refusal("{\"drive_train\": 3}", KERB_ERROR_WRONG_TYPE, 1, "drive_train", "object");
    expect_refusal("{\"drive_train\": {\"gear_ratio\": 3}}", KERB_ERROR_WRONG_TYPE, 1,
                   "drive_train.gear_ratio", "array");
    expect_refusal("{\"drive_train\": {\"gear_ratio\": [3,\n2,\n\"x\"]}}", KERB_ERROR_WRONG_TYPE, 3,
                   "drive_train.gear_ratio", "array of numbers");
    assert_int_equal(error.index, 2);
    expect_refusal("{\"drive_train\": {\"gear_count\": 1.5}}", KERB_ERROR_WRONG_TYPE, 1,
                   "drive_train.gear_count", "whole number");
    expect_refusal("\n[1, 2]", KERB_ERROR_WRONG_TYPE, 2, "", "object");
    expect_refusal("12", KERB_ERROR_WRONG_TYPE, 1, "", "object");
}

static void keys_given_twice_are_refused(void** state) {
    (void)state;
    expect_refusal("{\"mass\": 1000,\n\"mass\": 1000}", KERB_ERROR_CONTRADICTION, 2, "mass",
                   "twice, first in line 1");
    expect_refusal("{\"name\": \"a\",\n\"name\": \"a\"}", KERB_ERROR_CONTRADICTION, 2, "name",
                   "twice");
    expect_refusal("{\"drive_train\": {},\n\"drive_train\": {}}", KERB_ERROR_CONTRADICTION, 2,
                   "drive_train", "twice");
    expect_refusal("{\"drive_train\": {\"gear_ratio\": [1],\n\"gear_ratio\": [1]}}",
                   KERB_ERROR_CONTRADICTION, 2, "drive_train.gear_ratio", "twice");
    expect_refusal("{\"mass\": 1000,\n\"m\\u0061ss\": 1000}", KERB_ERROR_CONTRADICTION, 2, "mass",
                   "twice");
}

static void numbers_outside_their_range_are_named_with_it(void** state) {
    (void)state;
    expect_refusal("{\n\"wheelbase\": 0}", KERB_ERROR_OUT_OF_RANGE, 2, "wheelbase",
                   "must be from 0.02 to 150 m: 0");
    expect_refusal("{\"mass\": -5}", KERB_ERROR_OUT_OF_RANGE, 1, "mass", ": -5");
    expect_refusal("{\"mass\": 1e999}", KERB_ERROR_OUT_OF_RANGE, 1, "mass", "too great");
    expect_refusal("{\"drive_train\": {\"gear_ratio\": [3,\n-2]}}", KERB_ERROR_OUT_OF_RANGE, 2,
                   "drive_train.gear_ratio[1]", ": -2");
    assert_int_equal(error.index, 1);
    expect_refusal("{\"drive_train\": {\"gear_ratio\": [11,10,9,8,7,6,5,4,3,2,1]}}",
                   KERB_ERROR_TOO_MANY, 1, "drive_train.gear_ratio", "10");
}

static void fields_that_cannot_both_be_right_are_refused_at_their_line(void** state) {
    (void)state;
    expect_refusal("{\n\"length\": 4,\n\"width\": 5}", KERB_ERROR_CONTRADICTION, 3, "width",
                   "length");
    expect_refusal("{\"drive_train\": {\"gear_count\": 3,\n\"gear_ratio\": [3, 2]}}",
                   KERB_ERROR_CONTRADICTION, 1, "drive_train.gear_count",
                   "is 3, but gear_ratio has 2");
    expect_refusal("{\"drive_train\": {\n\"gear_count\": 3}}", KERB_ERROR_MISSING_FIELD, 2,
                   "drive_train.gear_ratio", "must be given");
    expect_refusal("{\"drive_train\": {\"gear_ratio\": [\n3,\n4]}}", KERB_ERROR_CONTRADICTION, 3,
                   "drive_train.gear_ratio", "gear below");
    assert_int_equal(error.index, 1);
}

static void names_that_do_not_fit_are_refused(void** state) {
    (void)state;
    char text[128] = "{\"name\": \"";
    memset(text + 10, 'x', 63);
    strcpy(text + 73, "\"}");
    expect_vehicle(text);
    strcpy(text + 73, "x\"}");
    expect_refusal(text, KERB_ERROR_OUT_OF_RANGE, 1, "name", "63 bytes");
    expect_refusal("{\"name\": \"a\\nb\"}", KERB_ERROR_OUT_OF_RANGE, 1, "name", "control");
}

static void text_that_is_not_json_is_refused_with_its_line(void** state) {
    (void)state;
    expect_refusal("", KERB_ERROR_SYNTAX, 1, "", "ends before");
    expect_refusal(" \n\n", KERB_ERROR_SYNTAX, 3, "", "ends before");
    expect_refusal("{\"mass\": 3,\n", KERB_ERROR_SYNTAX, 2, "", "ends before");
    expect_refusal("{\n\"mass\" 3}", KERB_ERROR_SYNTAX, 2, "", "3}");
    expect_refusal("{\n\"mass\": 3,\n}", KERB_ERROR_SYNTAX, 3, "", "}");
    expect_refusal("{\"mass\": 3}\nx", KERB_ERROR_SYNTAX, 2, "", "after the end");
    expect_refusal("{\"mass\": 3}{}", KERB_ERROR_SYNTAX, 1, "", "after the end");
    expect_refusal("{\"mass\": NaN}", KERB_ERROR_SYNTAX, 1, "", "NaN");
    expect_refusal("{\"mass\": -Infinity}", KERB_ERROR_SYNTAX, 1, "", "Inf");
    expect_refusal("{\"mass\": 1.2.3}", KERB_ERROR_SYNTAX, 1, "mass", "1.2.3");
    expect_refusal("{\"mass\": 01}", KERB_ERROR_SYNTAX, 1, "mass", "01");
    expect_refusal("{\"mass\": 1.}", KERB_ERROR_SYNTAX, 1, "mass", "1.");
    expect_refusal("{\"mass\": 1.e2}", KERB_ERROR_SYNTAX, 1, "mass", "1.e2");
    expect_refusal("{\"mass\": -.5}", KERB_ERROR_SYNTAX, 1, "mass", "-.5");
    expect_refusal("{\"mass\": -}", KERB_ERROR_SYNTAX, 1, "mass", "not a number");
    expect_refusal("{\"mass\": 1 2}", KERB_ERROR_SYNTAX, 1, "", "2}");
    expect_refusal("{\"mass\": 1,5}", KERB_ERROR_SYNTAX, 1, "", "5}");
    expect_refusal("{'mass': 1}", KERB_ERROR_SYNTAX, 1, "", "'mass'");
    expect_refusal("{\"mass\": 1 // heavy\n}", KERB_ERROR_SYNTAX, 1, "", "//");
    expect_refusal("{\n\"mass: 1,\n\"length\": 2}", KERB_ERROR_SYNTAX, 2, "", "does not end");
}

static void bytes_that_are_no_text_are_refused(void** state) {
    (void)state;
    expect_refusal_of("{\"mass\":\n\0 1}", 13, KERB_ERROR_SYNTAX, 2, "", "zero byte");
    expect_refusal("{\"mass\\u0000\": 1}", KERB_ERROR_SYNTAX, 1, "", "zero byte");
    expect_refusal("{\x01\"mass\": 1}", KERB_ERROR_SYNTAX, 1, "", "control");
    expect_refusal("{\"name\": \"a\tb\"}", KERB_ERROR_SYNTAX, 1, "", "control");
    const char* broken[] = {
        "\xFF", "\xC0\xAF", "\xE0\x80\xAF", "\xED\xA0\x80",    "\xF4\x90\x80\x80",
        "\xC3", "\xE2\x82", "\x80",         "\xF0\x80\x80\x80"};
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        char text[64];
        snprintf(text, sizeof text, "{\n\"name\": \"%s\"}", broken[i]);
        expect_refusal(text, KERB_ERROR_SYNTAX, 2, "", "UTF-8");
        snprintf(text, sizeof text, "{\"name\": \"%s", broken[i]);
        expect_refusal(text, KERB_ERROR_SYNTAX, 1, "", "UTF-8");
    }
}

static void deep_and_long_texts_are_refused_quickly(void** state) {
    (void)state;
    enum { LONG = (1 << 20) + 1 };
    char* text = malloc(LONG);
    memset(text, '[', LONG);
    expect_refusal_of(text, LONG, KERB_ERROR_TOO_MANY, 0, "", "1 MiB");
    assert_int_equal(read_bytes(text, LONG - 1), KERB_ERROR_SYNTAX);
    memset(text, ' ', LONG);
    memcpy(text, "{}", 2);
    assert_int_equal(read_bytes(text, LONG - 1), KERB_OK);
    memset(text, '9', LONG);
    memcpy(text, "{\"mass\":0.", 10);
    text[LONG - 2] = '}';
    assert_int_equal(read_bytes(text, LONG - 1), KERB_OK);
    assert_true(read.vehicle.mass == 1.0f);
    free(text);
}

static void errors_may_be_left_unasked(void** state) {
    (void)state;
    assert_int_equal(kerb_io_vehicle_json_read(&read, "{", 1, &host, NULL), KERB_ERROR_SYNTAX);
}

// --------------------------------------------------------------------------- properties

static const char sample[] =
    "{\n    \"name\": \"small \\u0062us\",\n    \"wheelbase\": 4.325,\n    \"mass\": 5.2e3,\n"
    "    \"drive_train\": {\"gear_ratio\": [22.5, 13.1, 8, 5.5],\n"
    "                    \"wheel_radius\": 0.37}\n}\n";

static void a_file_cut_at_any_byte_is_refused(void** state) {
    (void)state;
    expect_vehicle(sample);
    for (size_t length = 0; length < strlen(sample) - 2; length++) {
        assert_int_equal(read_bytes(sample, length), KERB_ERROR_SYNTAX);
        assert_true(error.line >= 1 && error.message[0] != '\0');
    }
}

static void draw_curve(kerb_share_curve* curve, float top, kerb_random* random) {
    *curve = (kerb_share_curve){.count = kerb_random_below(random, KERB_SHARE_POINTS_MAX + 1)};
    for (int32_t i = 0; i < KERB_SHARE_POINTS_MAX; i++)
        curve->share[i] = 1.0f;
    for (int32_t i = 0; i < curve->count; i++) {
        curve->speed[i] = top * ((float)i + kerb_random_between(random, 0.0f, 0.9f));
        curve->share[i] = kerb_random_between(random, 0.02f, 1.0f);
    }
}

static kerb_vehicle any_vehicle(kerb_random* random) {
    kerb_vehicle vehicle = kerb_vehicle_default();
    for (int32_t i = 0; i < kerb_vehicle_table.count; i++) {
        const kerb_setting* setting = &kerb_vehicle_table.settings[i];
        float scale = kerb_random_between(random, 0.98f, 1.02f);
        if (setting->type == KERB_SETTING_FLOAT)
            kerb_settings_set(setting, &vehicle, setting->default_value * scale, NULL);
    }
    vehicle.kind = kerb_random_below(random, KERB_VEHICLE_HOVER + 1);
    vehicle.drive_train.gear_count = kerb_random_below(random, KERB_GEARS_MAX + 1);
    for (int32_t i = vehicle.drive_train.gear_count; i < KERB_GEARS_MAX; i++)
        vehicle.drive_train.gear_ratio[i] = kerb_vehicle_default().drive_train.gear_ratio[i];
    vehicle.drive_train.gear_told = kerb_random_below(random, 2);
    draw_curve(&vehicle.steering_lock, 8.0f, random);
    draw_curve(&vehicle.power_share, 12.0f, random);
    draw_curve(&vehicle.drive_train.torque, 150.0f, random);
    return vehicle;
}

static void a_written_vehicle_reads_back_to_the_bit(void** state) {
    (void)state;
    kerb_random random = test_random(__func__);
    for (int32_t i = 0; i < 300; i++) {
        kerb_vehicle vehicle = any_vehicle(&random);
        kerb_io_text text = kerb_io_text_make(&host.allocator);
        kerb_result result =
            kerb_io_vehicle_json_write(&text, &vehicle, "a \"b\" \\ \xC3\xA9", &error);
        if (result != KERB_OK)
            fail_msg("refused: %s: %s", error.field, error.message);
        expect_vehicle(text.data);
        assert_memory_equal(&read.vehicle, &vehicle, sizeof vehicle);
        assert_string_equal(read.name, "a \"b\" \\ \xC3\xA9");
        kerb_io_text_destroy(&text);
    }
}

static void a_vehicle_that_is_not_valid_is_not_written(void** state) {
    (void)state;
    kerb_vehicle vehicle = kerb_vehicle_default();
    kerb_io_text text = kerb_io_text_make(&host.allocator);
    vehicle.mass = NAN;
    assert_int_equal(kerb_io_vehicle_json_write(&text, &vehicle, NULL, &error),
                     KERB_ERROR_NOT_FINITE);
    assert_string_equal(error.field, "mass");
    assert_int_equal(text.length, 0);
    kerb_io_text_destroy(&text);
}

static void every_failed_allocation_is_reported_and_nothing_leaks(void** state) {
    (void)state;
    int32_t failures = 0;
    kerb_vehicle vehicle = kerb_vehicle_default();
    for (int32_t n = 1; test_allocation_fail_next(&allocation, n); n++) {
        kerb_result result = read_bytes(sample, sizeof sample - 1);
        kerb_io_text text = kerb_io_text_make(&host.allocator);
        if (result == KERB_OK)
            result = kerb_io_vehicle_json_write(&text, &vehicle, "name", &error);
        assert_int_equal(result, allocation.failed ? KERB_ERROR_OUT_OF_MEMORY : KERB_OK);
        failures += allocation.failed;
        kerb_io_text_destroy(&text);
        test_allocation_check(&allocation);
    }
    assert_true(failures >= 2);
}

// cJSON's own allocations: only a test may set its hooks, because they are global.
static int32_t json_calls, json_fail_at, json_live;

static void* json_allocate(size_t size) {
    if (++json_calls == json_fail_at)
        return NULL;
    json_live++;
    return malloc(size);
}

static void json_release(void* memory) {
    json_live -= memory != NULL;
    free(memory);
}

static void a_failed_allocation_within_the_json_library_is_an_error_without_leaks(void** state) {
    (void)state;
    cJSON_Hooks hooks = {json_allocate, json_release};
    cJSON_InitHooks(&hooks);
    int32_t failures = 0;
    do {
        json_calls = 0;
        json_fail_at = failures + 1;
        if (read_bytes(sample, sizeof sample - 1) == KERB_OK)
            break;
        assert_int_equal(error.result, KERB_ERROR_SYNTAX);
        assert_int_equal(json_live, 0);
        failures++;
    } while (failures < 1000);
    cJSON_InitHooks(NULL);
    assert_true(json_calls < json_fail_at);
    assert_true(failures > 10);
    assert_int_equal(json_live, 0);
}

int vehicle_json_tests(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(an_empty_object_is_the_default_vehicle),
        TEST(every_row_of_the_table_is_read_into_its_field),
        TEST(the_kind_is_read_and_written_as_a_word),
        TEST(a_kind_that_is_none_is_refused_with_those_that_are),
        TEST(a_curve_is_read_from_two_arrays),
        TEST(a_curve_that_is_none_is_refused),
        TEST(names_may_hold_any_utf8_and_escapes),
        TEST(gears_are_counted_by_their_ratios),
        TEST(a_byte_order_mark_and_carriage_returns_change_nothing),
        TEST(a_locale_with_a_decimal_comma_changes_nothing),
        TEST(a_wheelbase_alone_scales_the_vehicle_to_it),
        TEST(a_given_reference_point_is_kept_and_the_rest_put_around_it),
        TEST(any_wheelbase_and_length_that_fit_give_a_valid_vehicle),
        TEST(reverse_is_no_faster_than_forwards_unless_it_is_said),
        TEST(power_is_what_the_top_speed_needs_unless_it_is_said),
        TEST(unknown_keys_are_named_and_a_near_name_is_offered),
        TEST(values_of_another_type_are_refused),
        TEST(keys_given_twice_are_refused),
        TEST(numbers_outside_their_range_are_named_with_it),
        TEST(fields_that_cannot_both_be_right_are_refused_at_their_line),
        TEST(names_that_do_not_fit_are_refused),
        TEST(text_that_is_not_json_is_refused_with_its_line),
        TEST(bytes_that_are_no_text_are_refused),
        TEST(deep_and_long_texts_are_refused_quickly),
        TEST(errors_may_be_left_unasked),
        TEST(a_file_cut_at_any_byte_is_refused),
        TEST(a_written_vehicle_reads_back_to_the_bit),
        TEST(a_vehicle_that_is_not_valid_is_not_written),
        TEST(every_failed_allocation_is_reported_and_nothing_leaks),
        TEST(a_failed_allocation_within_the_json_library_is_an_error_without_leaks),
    };
    return cmocka_run_group_tests_name("vehicle json", tests, NULL, NULL);
}
