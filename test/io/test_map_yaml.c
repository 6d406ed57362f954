// map_server's YAML and pictures: every style in which tools write them says the same, what is
// wrong is named with its line and key, and a random map written in a random style reads back.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kerb/io/grid_map.h"
#include "test/seed.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static kerb_error error;
static kerb_io_notes notes;
static kerb_io_map_info info;

static kerb_result read_bytes(const char* text, size_t length) {
    memset(&error, 0, sizeof error);
    memset(&notes, 0, sizeof notes);
    return kerb_io_map_info_read(&info, text, length, &notes, &error);
}

static kerb_result read_text(const char* text) {
    return read_bytes(text, strlen(text));
}

// --------------------------------------------------------------------------- styles

// All of them say: a.pgm, 0.05 m, (-1, 2.5), not turned, 0.65, 0.25, trinary.
static void every_style_of_yaml_says_the_same(void** state) {
    (void)state;
    static const char* const texts[] = {
        "image: a.pgm\nresolution: 0.05\norigin: [-1, 2.5, 0]\nnegate: 0\n"
        "occupied_thresh: 0.65\nfree_thresh: 0.25\n",
        // as PyYAML and yaml-cpp write it
        "free_thresh: 0.25\nimage: a.pgm\nmode: trinary\nnegate: 0\noccupied_thresh: 0.65\n"
        "origin:\n- -1.0\n- 2.5\n- 0.0\nresolution: 0.05\n",
        "image: a.pgm\nresolution: 0.05\norigin:\n  - -1\n  - 2.5\n  - 0\nfree_thresh: 0.25\n",
        "image: a.pgm\nresolution: 0.05\norigin: [-1.0,\n   2.5,\n   0.0]\nfree_thresh: 0.25\n",
        // byte order mark, CRLF, document marks, a directive
        "\xEF\xBB\xBFimage: a.pgm\r\nresolution: 0.05\r\norigin: [-1, 2.5, 0]\r\n"
        "free_thresh: 0.25\r\n",
        "%YAML 1.1\n---\nimage: a.pgm\nresolution: 0.05\norigin: [-1, 2.5, 0]\n"
        "free_thresh: 0.25\n...\n",
        "# by hand\n--- # a map\nimage: a.pgm # here\nresolution: 0.05 # m\n\n"
        "origin: [-1, 2.5, 0] # m, rad\nfree_thresh: 0.25",
        // flow
        "{image: a.pgm, resolution: 0.05, origin: [-1, 2.5, 0], free_thresh: 0.25}",
        "{\"image\": \"a.pgm\", \"resolution\": 0.05, \"origin\": [-1, 2.5, 0.0],\n"
        " \"negate\": false, \"free_thresh\": 0.25}",
        // quotes and tags
        "'image': 'a.pgm'\n\"resolution\": \"0.05\"\norigin: ['-1.0', \"2.5\", '0']\n"
        "negate: 'no'\nmode: \"trinary\"\nfree_thresh: '.25'\n",
        "image: !!str a.pgm\nresolution: !!float 5e-2\norigin: !!seq [-1., +2.5, -0.0]\n"
        "free_thresh: 25.0e-2\n",
        "image: >-\n  a.pgm\nresolution: |-\n  0.05\norigin: [-1, 2.5, 0]\nfree_thresh: 0.25\n",
        "? image\n: a.pgm\n? resolution\n: 0.05\n? origin\n: [-1, 2.5, 0]\n? free_thresh\n: 0.25\n",
        // anchors, and a map merged into the map
        "place: &p [-1, 2.5, 0]\nwhat: &w a.pgm\nimage: *w\nresolution: 0.05\norigin: *p\n"
        "free_thresh: 0.25\n",
        "base: &b {negate: 1, free_thresh: 0.25, resolution: 0.05}\n<<: *b\nimage: a.pgm\n"
        "origin: [-1, 2.5, 0]\nnegate: 0\n",
        // other keys
        "image: a.pgm\nresolution: 0.05\norigin: [-1, 2.5, 0]\nfree_thresh: 0.25\nwidth: 400\n"
        "cost: {a: [1, {b: c}], ? [x] : y}\nwidth: 500\nImage: b.pgm\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        if (read_text(texts[i]) != KERB_OK)
            fail_msg("text %zu, line %d: %s: %s", i, (int)error.line, error.field, error.message);
        assert_string_equal(info.image, "a.pgm");
        assert_true(info.resolution == 0.05f && info.yaw == 0.0f);
        assert_true(info.origin.x == -1.0f && info.origin.y == 2.5f);
        assert_true(!info.negate && info.occupied == 0.65f && info.free == 0.25f);
        assert_int_equal(info.mode, KERB_IO_MAP_TRINARY);
        assert_int_equal(notes.count, 0);
    }
}

static void utf_16_is_read_too(void** state) {
    (void)state;
    const char* text = "image: a.pgm\nresolution: 0.05\norigin: [1, 2, 0]\n";
    char wide[256] = {(char)0xFF, (char)0xFE};
    size_t length = 2;
    for (size_t i = 0; text[i]; i++, length += 2)
        wide[length] = text[i];
    assert_int_equal(read_bytes(wide, length), KERB_OK);
    assert_string_equal(info.image, "a.pgm");
}

static void names_keep_what_is_no_comment(void** state) {
    (void)state;
    static const char* const names[][2] = {
        {"a#1.pgm", "a#1.pgm"},
        {"'a #1.pgm'", "a #1.pgm"},
        {"\"a #1.pgm\"", "a #1.pgm"},
        {"my map.pgm # x", "my map.pgm"},
        {"'it''s.pgm'", "it's.pgm"},
        {"\"\\x61\\u00e9.pgm\"", "a\xC3\xA9.pgm"},
        {"maps/\xC3\xA9.pgm", "maps/\xC3\xA9.pgm"},
        {"12", "12"},
        {"C:\\maps\\a.pgm", "C:\\maps\\a.pgm"},
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char text[200];
        snprintf(text, sizeof text, "resolution: 1\nimage: %s\norigin: [0, 0, 0]\n", names[i][0]);
        assert_int_equal(read_text(text), KERB_OK);
        assert_string_equal(info.image, names[i][1]);
    }
}

static kerb_result read_with(const char* line) {
    char text[400];
    snprintf(text, sizeof text, "image: a.pgm\nresolution: 1\n%s\n%s", line,
             strncmp(line, "origin", 6) == 0 ? "" : "origin: [0, 0, 0]\n");
    return read_text(text);
}

static void truth_values_and_modes_come_in_many_words(void** state) {
    (void)state;
    static const char* const yes[] = {"1", "true", "True", "TRUE", "yes", "on", "Y", "'1'", "1.0"};
    static const char* const no[] = {"0",   "false", "False", "FALSE", "no",
                                     "off", "N",     "'0'",   "0.0"};
    static const char* const modes[] = {"trinary", "scale", "raw", "\"Trinary\"", "'SCALE'", "Raw"};
    char line[80];
    for (size_t i = 0; i < sizeof yes / sizeof yes[0]; i++) {
        snprintf(line, sizeof line, "negate: %s", yes[i]);
        assert_true(read_with(line) == KERB_OK && info.negate);
        snprintf(line, sizeof line, "negate: %s", no[i]);
        assert_true(read_with(line) == KERB_OK && !info.negate);
    }
    for (int32_t i = 0; i < 6; i++) {
        snprintf(line, sizeof line, "mode: %s", modes[i]);
        assert_int_equal(read_with(line), KERB_OK);
        assert_int_equal(info.mode, i % 3);
        assert_string_equal(kerb_io_map_mode_text((kerb_io_map_mode)(i % 3)), modes[i % 3]);
    }
    assert_string_equal(kerb_io_map_mode_text((kerb_io_map_mode)7), "unknown");
}

static void turned_maps_keep_their_yaw(void** state) {
    (void)state;
    static const char* const yaws[] = {"1.5708", "-3.14159", "1e-17", "-6.2831", "0.0000000001"};
    for (size_t i = 0; i < sizeof yaws / sizeof yaws[0]; i++) {
        char line[80];
        snprintf(line, sizeof line, "origin: [1, 2, %s]", yaws[i]);
        assert_int_equal(read_with(line), KERB_OK);
        assert_true(info.yaw == strtof(yaws[i], NULL));
        assert_int_equal(notes.count, 0);
    }
}

// --------------------------------------------------------------------------- notes

static void expect_note(const char* line, const char* field, int32_t at, const char* part) {
    assert_int_equal(read_with(line), KERB_OK);
    assert_int_equal(notes.count, 1);
    assert_string_equal(notes.rows[0].field, field);
    assert_int_equal(notes.rows[0].line, at);
    assert_non_null(strstr(notes.rows[0].message, part));
}

static void what_is_assumed_is_noted(void** state) {
    (void)state;
    static const char* const nans[] = {"nan", "-nan", ".nan", ".NaN", "NaN", "-nan(ind)", "'nan'"};
    for (size_t i = 0; i < sizeof nans / sizeof nans[0]; i++) {
        char line[80];
        snprintf(line, sizeof line, "origin: [1, 2, %s]", nans[i]);
        expect_note(line, "origin", 3, "assumed yaw 0 for nan");
        assert_true(info.yaw == 0.0f && info.origin.y == 2.0f);
    }
    expect_note("origin:\n- 1\n- 2\n- nan", "origin", 6, "yaw 0");
    expect_note("origin: [1, 2]", "origin", 3, "assumed yaw 0 for none");
    expect_note("mode: raw\nnegate: 1", "negate", 4, "no effect");
    assert_int_equal(read_text("image: a\nresolution: 1\norigin: [0, 0, 0]\n---\nimage: b\n"),
                     KERB_OK);
    assert_string_equal(info.image, "a");
    assert_int_equal(notes.count, 1);
    assert_int_equal(notes.rows[0].line, 4);
    // Nobody has to take them.
    const char* text = "image: a\nresolution: 1\norigin: [0, 0, nan]\n";
    assert_int_equal(kerb_io_map_info_read(&info, text, strlen(text), NULL, NULL), KERB_OK);
}

// --------------------------------------------------------------------------- refusals

static void expect_refused(const char* text, kerb_result result, const char* field, int32_t line,
                           const char* part) {
    kerb_result got = read_text(text);
    if (got != result || strcmp(error.field, field) != 0 || error.line != line ||
        !strstr(error.message, part))
        fail_msg("\"%s\": %s, line %d: %s: %s", text, kerb_result_text(got), (int)error.line,
                 error.field, error.message);
}

static void expect_value_refused(const char* line, kerb_result result, const char* field,
                                 const char* part) {
    char text[400];
    snprintf(text, sizeof text, "image: a\n%s\n", line);
    expect_refused(text, result, field, 2, part);
}

static void wrong_values_are_named_with_line_and_key(void** state) {
    (void)state;
    expect_value_refused("resolution: 5 cm", KERB_ERROR_WRONG_TYPE, "resolution", "\"5 cm\"");
    expect_value_refused("resolution: [1, 1]", KERB_ERROR_WRONG_TYPE, "resolution", "not a list");
    expect_value_refused("resolution: {x: 1}", KERB_ERROR_WRONG_TYPE, "resolution", "not a map");
    expect_value_refused("resolution:", KERB_ERROR_WRONG_TYPE, "resolution", "0.001 to 1000 m");
    expect_value_refused("resolution: 0", KERB_ERROR_OUT_OF_RANGE, "resolution", "0.001 to 1000 m");
    expect_value_refused("resolution: 0,05", KERB_ERROR_WRONG_TYPE, "resolution", "\"0,05\"");
    expect_value_refused("resolution: .nan", KERB_ERROR_NOT_FINITE, "resolution", "\".nan\"");
    expect_value_refused("origin: 1", KERB_ERROR_WRONG_TYPE, "origin", "[x, y, yaw]");
    expect_value_refused("origin: {x: 1, y: 2}", KERB_ERROR_WRONG_TYPE, "origin", "not a map");
    expect_value_refused("origin: [1]", KERB_ERROR_TOO_FEW, "origin", "three numbers");
    expect_value_refused("origin: [1, 2, 3, 4]", KERB_ERROR_TOO_MANY, "origin", "three numbers");
    expect_value_refused("origin: [nan, 2, 3]", KERB_ERROR_NOT_FINITE, "origin", "\"nan\"");
    expect_value_refused("origin: [1, [2], 3]", KERB_ERROR_WRONG_TYPE, "origin", "not a list");
    expect_value_refused("origin: [1, 2e6, 0]", KERB_ERROR_OUT_OF_RANGE, "origin", "1000000 m");
    expect_value_refused("origin: [1, 2, .inf]", KERB_ERROR_NOT_FINITE, "origin", "radians");
    expect_value_refused("origin: [1, 2, 90]", KERB_ERROR_OUT_OF_RANGE, "origin", "radians");
    expect_value_refused("origin: [1, 2, north]", KERB_ERROR_WRONG_TYPE, "origin", "\"north\"");
    expect_value_refused("negate: maybe", KERB_ERROR_WRONG_TYPE, "negate", "\"maybe\"");
    expect_value_refused("negate: 2", KERB_ERROR_WRONG_TYPE, "negate", "0 or 1");
    expect_value_refused("negate: [0]", KERB_ERROR_WRONG_TYPE, "negate", "not a list");
    expect_value_refused("mode: binary", KERB_ERROR_WRONG_TYPE, "mode", "trinary, scale or raw");
    expect_value_refused("mode: {}", KERB_ERROR_WRONG_TYPE, "mode", "not a map");
    expect_value_refused("occupied_thresh: 65", KERB_ERROR_OUT_OF_RANGE, "occupied_thresh",
                         "0 to 1");
    expect_value_refused("free_thresh: low", KERB_ERROR_WRONG_TYPE, "free_thresh", "\"low\"");
    expect_value_refused("image: b", KERB_ERROR_CONTRADICTION, "image", "twice");
    expect_refused("image: [a]", KERB_ERROR_WRONG_TYPE, "image", 1, "a file's name");
    expect_refused("image: ~", KERB_ERROR_WRONG_TYPE, "image", 1, "a file's name");
    expect_refused("image: ''", KERB_ERROR_OUT_OF_RANGE, "image", 1, "a file's name");
    expect_refused("image: \"a\\0b\"", KERB_ERROR_OUT_OF_RANGE, "image", 1, "a file's name");
}

static void missing_and_broken_files_are_named(void** state) {
    (void)state;
    expect_refused("", KERB_ERROR_MISSING_FIELD, "image", 0, "must be in the file");
    expect_refused("image: a\norigin: [0, 0, 0]\n", KERB_ERROR_MISSING_FIELD, "resolution", 0, "");
    expect_refused("image: a\nresolution: 1\n", KERB_ERROR_MISSING_FIELD, "origin", 0, "");
    expect_refused("image: a\nresolution: 1\norigin: [0, 0, 0]\nfree_thresh: 0.9\n",
                   KERB_ERROR_CONTRADICTION, "free_thresh", 4, "occupied_thresh");
    expect_refused("image: a.pgm, resolution 1", KERB_ERROR_MISSING_FIELD, "resolution", 0, "");
    expect_refused("just words", KERB_ERROR_WRONG_TYPE, "", 1, "keys with values");
    expect_refused("- image: a\n", KERB_ERROR_WRONG_TYPE, "", 1, "keys with values");
    expect_refused("image: a\norigin: [0, 0\nresolution: 1\n", KERB_ERROR_SYNTAX, "", 3, "");
    expect_refused("image: a\n\tresolution: 1\n", KERB_ERROR_SYNTAX, "", 2, "");
    expect_refused("image: a\norigin: *where\n", KERB_ERROR_SYNTAX, "", 2, "alias");
    expect_refused("image: a\nname: \xE9t\xE9\n", KERB_ERROR_SYNTAX, "", 2, "UTF-8");
    expect_refused("image: a\nresolution: \x01\n", KERB_ERROR_SYNTAX, "", 2, "control");
}

// libyaml takes seconds for either where it is left alone.
static void deep_and_entangled_files_are_refused_at_once(void** state) {
    (void)state;
    enum { LENGTH = 400000 };
    char* text = malloc(LENGTH + 32);
    assert_non_null(text);
    memset(text, '[', LENGTH);
    assert_int_equal(read_bytes(text, LENGTH), KERB_ERROR_TOO_MANY);
    assert_non_null(strstr(error.message, "64 deep"));
    size_t length = (size_t)sprintf(text, "a: [");
    for (int i = 0; length < LENGTH; i++)
        length += (size_t)sprintf(text + length, "&a%d x,", i);
    assert_int_equal(read_bytes(text, length), KERB_ERROR_TOO_MANY);
    assert_non_null(strstr(error.message, "anchors"));
    free(text);
    assert_int_equal(read_text("a: &a\n  <<: *a\nimage: b\n<<: *a\n"), KERB_ERROR_MISSING_FIELD);
}

// --------------------------------------------------------------------------- cells

static void cells_are_those_of_map_server(void** state) {
    (void)state;
    // 205 is what its tools write for unknown: just not free.
    const kerb_io_map_info trinary = {.occupied = 0.65f, .free = 0.196f};
    assert_int_equal(kerb_io_map_info_cell(&trinary, 1.0f), 0);
    assert_int_equal(kerb_io_map_info_cell(&trinary, 254.0f / 255.0f), 0);
    assert_int_equal(kerb_io_map_info_cell(&trinary, 205.0f / 255.0f), 255);
    assert_int_equal(kerb_io_map_info_cell(&trinary, 0.0f), 255);
    const kerb_io_map_info scale = {.occupied = 0.75f, .free = 0.25f, .mode = KERB_IO_MAP_SCALE};
    assert_int_equal(kerb_io_map_info_cell(&scale, 0.8f), 0);
    assert_int_equal(kerb_io_map_info_cell(&scale, 0.75f), 0);
    assert_int_equal(kerb_io_map_info_cell(&scale, 0.5f), 127);
    assert_int_equal(kerb_io_map_info_cell(&scale, 0.25f), 254);
    assert_int_equal(kerb_io_map_info_cell(&scale, 0.2f), 255);
    const kerb_io_map_info dark = {
        .occupied = 0.75f, .free = 0.25f, .negate = true, .mode = KERB_IO_MAP_SCALE};
    assert_int_equal(kerb_io_map_info_cell(&dark, 0.2f), 0);
    assert_int_equal(kerb_io_map_info_cell(&dark, 0.8f), 255);
    const kerb_io_map_info raw = {.occupied = 0.65f, .free = 0.196f, .mode = KERB_IO_MAP_RAW};
    const int32_t wanted[6][2] = {{0, 0}, {1, 3}, {50, 127}, {99, 251}, {100, 255}, {255, 255}};
    for (int32_t i = 0; i < 6; i++)
        assert_int_equal(kerb_io_map_info_cell(&raw, (float)wanted[i][0] / 255.0f), wanted[i][1]);
    const kerb_io_map_info even = {.occupied = 0.5f, .free = 0.5f, .mode = KERB_IO_MAP_SCALE};
    assert_int_equal(kerb_io_map_info_cell(&even, 0.5f), 254);
}

static void a_turned_map_has_a_frame_of_its_own(void** state) {
    (void)state;
    const kerb_io_map_info quarter = {.origin = {10.0f, -5.0f}, .yaw = 0.5f * KERB_PI};
    kerb_pose at = kerb_io_map_info_to_world(&quarter, kerb_pose_make(3.0f, 1.0f, 0.25f));
    assert_true(fabsf(at.position.x - 9.0f) < 1e-5f && fabsf(at.position.y + 2.0f) < 1e-5f);
    assert_true(fabsf(kerb_pose_heading(at) - (0.25f + 0.5f * KERB_PI)) < 1e-5f);
    kerb_random random = test_random(__func__);
    for (int32_t i = 0; i < 10000; i++) {
        kerb_io_map_info map = {.origin = {kerb_random_between(&random, -100.0f, 100.0f),
                                           kerb_random_between(&random, -100.0f, 100.0f)},
                                .yaw = kerb_random_between(&random, -6.28f, 6.28f)};
        kerb_pose pose = kerb_pose_make(kerb_random_between(&random, -100.0f, 100.0f),
                                        kerb_random_between(&random, -100.0f, 100.0f),
                                        kerb_random_between(&random, -3.0f, 3.0f));
        kerb_pose here = kerb_io_map_info_from_world(&map, pose);
        kerb_pose back = kerb_io_map_info_to_world(&map, here);
        assert_true(hypotf(back.position.x - pose.position.x, back.position.y - pose.position.y) <
                    1e-4f);
        assert_true(hypotf(back.forward.x - pose.forward.x, back.forward.y - pose.forward.y) <
                    1e-5f);
        double apart = hypot((double)(pose.position.x - map.origin.x),
                             (double)(pose.position.y - map.origin.y));
        assert_true(fabs(hypot((double)here.position.x, (double)here.position.y) - apart) < 1e-4);
    }
}

// --------------------------------------------------------------------------- random maps

enum { SIDE_MOST = 9, TEXT_MOST = 4096 };

// A map that is written and read back.
typedef struct written {
    kerb_io_map_info info;
    int32_t columns, rows, most;
    int32_t pixels[SIDE_MOST * SIDE_MOST]; // the top row first
    char text[TEXT_MOST];
    size_t length;
    const char* ending; // of a line
} written;

static bool coin(kerb_random* random) {
    return kerb_random_below(random, 2) == 1;
}

static void add(written* w, const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    w->length += (size_t)vsnprintf(w->text + w->length, TEXT_MOST - w->length, format, arguments);
    va_end(arguments);
    assert_true(w->length < TEXT_MOST);
}

static void add_number(written* w, kerb_random* random, float value) {
    const char* quote = (const char* const[]){"", "", "'", "\""}[kerb_random_below(random, 4)];
    const char* form =
        (const char* const[]){"%s%.9g%s", "%s%.9e%s",
                              "%s%+.12f%s"}[fabsf(value) >= 0.01f ? kerb_random_below(random, 3)
                                                                  : kerb_random_below(random, 2)];
    add(w, form, quote, (double)value, quote);
}

static void add_origin(written* w, kerb_random* random, bool is_flow) {
    const float numbers[3] = {w->info.origin.x, w->info.origin.y, w->info.yaw};
    bool is_list = !is_flow && coin(random);
    add(w, is_list ? "" : "[");
    for (int32_t i = 0; i < 3; i++) {
        add(w, is_list ? "%s- " : i > 0 ? ", " : "", w->ending);
        add_number(w, random, numbers[i]);
    }
    add(w, is_list ? "" : "]");
}

static void add_value(written* w, kerb_random* random, int32_t key, bool is_flow) {
    static const char* const yes[] = {"1", "true", "True", "yes", "on", "'1'"};
    static const char* const no[] = {"0", "false", "False", "no", "off", "\"0\""};
    int32_t word = kerb_random_below(random, 6);
    switch (key) {
    case 0:
        add(w, (const char* const[]){"'%s'", "\"%s\""}[coin(random)], w->info.image);
        break;
    case 1:
        add_number(w, random, w->info.resolution);
        break;
    case 2:
        add_origin(w, random, is_flow);
        break;
    case 3:
        add(w, "%s", w->info.negate ? yes[word] : no[word]);
        break;
    case 4:
        add_number(w, random, w->info.occupied);
        break;
    case 5:
        add_number(w, random, w->info.free);
        break;
    case 6:
        add(w, coin(random) ? "%s" : "\"%s\"", kerb_io_map_mode_text(w->info.mode));
        break;
    default:
        add(w, "{width: [1, 2], x: 'y'}");
    }
}

static void write_yaml(written* w, kerb_random* random) {
    static const char* const keys[8] = {"image",           "resolution",  "origin", "negate",
                                        "occupied_thresh", "free_thresh", "mode",   "more"};
    int32_t order[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    bool is_flow = kerb_random_below(random, 4) == 0;
    w->ending = coin(random) ? "\n" : "\r\n";
    w->length = 0;
    add(w, coin(random) ? "\xEF\xBB\xBF" : "");
    add(w, coin(random) ? "--- # a map%s" : "", w->ending);
    add(w, is_flow ? "{" : "");
    for (int32_t i = 0; i < 8; i++) {
        int32_t other = i + kerb_random_below(random, 8 - i), key = order[other];
        order[other] = order[i];
        add(w, coin(random) ? "%s: " : "\"%s\": ", keys[key]);
        add_value(w, random, key, is_flow);
        add(w, is_flow ? (i < 7 ? ", " : "}") : coin(random) ? "%s" : " # why%s", w->ending);
    }
    add(w, coin(random) ? "" : "%s", w->ending);
}

static void write_pgm(written* w, kerb_random* random) {
    bool is_text = coin(random);
    w->length = 0;
    add(w, is_text ? "P2%s" : "P5%s", coin(random) ? "\n# made by a test\n" : " ");
    add(w, coin(random) ? "%d %d\n%d" : "%d\n#\n%d %d", (int)w->columns, (int)w->rows,
        (int)w->most);
    add(w, "\n");
    for (int32_t i = 0; i < w->columns * w->rows; i++) {
        if (is_text)
            add(w, kerb_random_below(random, 9) ? "%d " : "%d # x\n", (int)w->pixels[i]);
        else if (w->most > 255)
            w->text[w->length++] = (char)(w->pixels[i] >> 8);
        if (!is_text)
            w->text[w->length++] = (char)(w->pixels[i] & 255);
    }
}

static void draw(written* w, kerb_random* random) {
    static const int32_t greatest[4] = {255, 1, 100, 65535};
    kerb_io_map_info* i = &w->info;
    memset(w, 0, sizeof *w);
    snprintf(i->image, sizeof i->image, "my #%d.pgm", (int)kerb_random_below(random, 1000));
    i->resolution = kerb_random_between(random, 0.001f, 2.0f);
    i->origin = kerb_vec2_make(kerb_random_between(random, -1000.0f, 1000.0f),
                               kerb_random_between(random, -1.0f, 1.0f));
    i->yaw = kerb_random_between(random, -6.28f, 6.28f) * (float)kerb_random_below(random, 2);
    i->negate = coin(random);
    i->free = kerb_random_between(random, 0.0f, 0.5f);
    i->occupied = kerb_random_between(random, 0.5f, 1.0f);
    i->mode = (kerb_io_map_mode)kerb_random_below(random, 3);
    w->columns = 1 + kerb_random_below(random, SIDE_MOST);
    w->rows = 1 + kerb_random_below(random, SIDE_MOST);
    w->most = greatest[kerb_random_below(random, 4)];
    for (int32_t k = 0; k < w->columns * w->rows; k++)
        w->pixels[k] = kerb_random_below(random, w->most + 1);
}

static bool is_same_info(const kerb_io_map_info* a, const kerb_io_map_info* b) {
    return strcmp(a->image, b->image) == 0 && a->resolution == b->resolution &&
           a->origin.x == b->origin.x && a->origin.y == b->origin.y && a->yaw == b->yaw &&
           a->negate == b->negate && a->free == b->free && a->occupied == b->occupied &&
           a->mode == b->mode;
}

// By map_server's own rules, in doubles; 0 to 100 and -1 for unknown.
static double occupancy_of(const written* w, int32_t pixel) {
    const kerb_io_map_info* i = &w->info;
    if (i->mode == KERB_IO_MAP_RAW)
        return pixel <= 100 ? pixel : -1.0;
    double dark = 1.0 - (double)pixel / w->most, occupied = i->negate ? 1.0 - dark : dark;
    if (occupied < (double)i->free)
        return 0.0;
    if (occupied > (double)i->occupied)
        return 100.0;
    if (i->mode == KERB_IO_MAP_TRINARY)
        return -1.0;
    return 1.0 + 98.0 * (occupied - (double)i->free) / (double)(i->occupied - i->free);
}

// Where floats may decide otherwise.
static bool is_near_a_threshold(const written* w, int32_t pixel) {
    double dark = 1.0 - (double)pixel / w->most, occupied = w->info.negate ? 1.0 - dark : dark;
    return fabs(occupied - (double)w->info.free) < 1e-5 ||
           fabs(occupied - (double)w->info.occupied) < 1e-5;
}

static void check_cells(const written* w, const kerb_io_grid_map* map) {
    assert_true(map->columns == w->columns && map->rows == w->rows);
    for (int32_t y = 0; y < w->rows; y++)
        for (int32_t x = 0; x < w->columns; x++) {
            int32_t pixel = w->pixels[(w->rows - 1 - y) * w->columns + x];
            double wanted = occupancy_of(w, pixel);
            int32_t cell = map->cells[y * map->columns + x];
            if (is_near_a_threshold(w, pixel))
                continue;
            if (wanted < 0.0 || wanted >= 100.0)
                assert_int_equal(cell, 255);
            else
                assert_true(cell < 255 && fabs(wanted / 100.0 - cell / 255.0) < 0.02);
        }
}

static void a_random_map_in_a_random_style_reads_back(void** state) {
    (void)state;
    const kerb_host host = kerb_host_default();
    kerb_random random = test_random(__func__);
    for (int32_t i = 0; i < test_share(20000, 5000); i++) {
        written w;
        draw(&w, &random);
        write_yaml(&w, &random);
        if (read_bytes(w.text, w.length) != KERB_OK)
            fail_msg("line %d: %s: %s in:\n%s", (int)error.line, error.field, error.message,
                     w.text);
        if (!is_same_info(&info, &w.info))
            fail_msg("something else was read from:\n%s", w.text);
        kerb_io_grid_map map;
        kerb_io_grid_map_head head;
        write_pgm(&w, &random);
        assert_int_equal(kerb_io_grid_map_head_read_pgm(&head, w.text, w.length, &error), KERB_OK);
        assert_true(head.columns == w.columns && head.rows == w.rows && head.bytes_max >= w.length);
        assert_int_equal(kerb_io_grid_map_read_pgm(&map, w.text, w.length, &info, &host, &error),
                         KERB_OK);
        check_cells(&w, &map);
        kerb_io_grid_map_destroy(&map, &host);
    }
}

// --------------------------------------------------------------------------- the whole

static void without_libyaml_it_is_refused_in_words(void** state) {
    (void)state;
    expect_refused("image: a\n", KERB_ERROR_UNKNOWN_FIELD, "yaml", 0, "libyaml");
}

int map_yaml_tests(void) {
    const struct CMUnitTest without[] = {
        cmocka_unit_test(without_libyaml_it_is_refused_in_words),
        cmocka_unit_test(cells_are_those_of_map_server),
        cmocka_unit_test(a_turned_map_has_a_frame_of_its_own),
    };
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_style_of_yaml_says_the_same),
        cmocka_unit_test(utf_16_is_read_too),
        cmocka_unit_test(names_keep_what_is_no_comment),
        cmocka_unit_test(truth_values_and_modes_come_in_many_words),
        cmocka_unit_test(turned_maps_keep_their_yaw),
        cmocka_unit_test(what_is_assumed_is_noted),
        cmocka_unit_test(wrong_values_are_named_with_line_and_key),
        cmocka_unit_test(missing_and_broken_files_are_named),
        cmocka_unit_test(deep_and_entangled_files_are_refused_at_once),
        cmocka_unit_test(cells_are_those_of_map_server),
        cmocka_unit_test(a_turned_map_has_a_frame_of_its_own),
        cmocka_unit_test(a_random_map_in_a_random_style_reads_back),
    };
    if (!kerb_io_map_info_available()) {
        print_message("skipped: maps of map_server: this build was made without libyaml\n");
        return cmocka_run_group_tests_name("map yaml", without, NULL, NULL);
    }
    return cmocka_run_group_tests_name("map yaml", tests, NULL, NULL);
}
