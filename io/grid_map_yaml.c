// Purpose: reads the YAML files with which ROS map_server describes a picture, and says which cell
//          a pixel of it is.
// Idea:    libyaml parses the text twice. First its events alone are looked at: how deep the first
//          document is nested and how many anchors it has, because libyaml's time grows with the
//          square of both. Then it is loaded as a tree with its aliases resolved, and the few keys
//          that are known are taken from that.
// Cost:    O(length).
#include "kerb/io/grid_map.h"

#include "io/number.h"
#include "io/quote.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// --------------------------------------------------------------------------- cells and frames

const char* kerb_io_map_mode_text(kerb_io_map_mode value) {
    return value == KERB_IO_MAP_TRINARY ? "trinary"
           : value == KERB_IO_MAP_SCALE ? "scale"
           : value == KERB_IO_MAP_RAW   ? "raw"
                                        : "unknown";
}

// As map_server has it. Of values between free and blocked, 254 is the last that is not blocked.
uint8_t kerb_io_map_info_cell(const kerb_io_map_info* info, float lightness) {
    if (info->mode == KERB_IO_MAP_RAW) {
        float percent = floorf(lightness * 255.0f + 0.5f);
        return percent >= 0.0f && percent < 100.0f ? (uint8_t)floorf(percent * 2.54f + 0.5f) : 255;
    }
    float occupancy = info->negate ? lightness : 1.0f - lightness;
    if (occupancy < info->free)
        return 0;
    if (info->mode == KERB_IO_MAP_TRINARY || !(occupancy <= info->occupied))
        return 255;
    float between = info->occupied - info->free;
    float share = between > 0.0f ? (occupancy - info->free) / between : 1.0f;
    return (uint8_t)floorf(share * 254.0f + 0.5f);
}

bool kerb_io_map_info_is_blocked(const kerb_io_map_info* info, float lightness) {
    return kerb_io_map_info_cell(info, lightness) == 255;
}

kerb_pose kerb_io_map_info_from_world(const kerb_io_map_info* info, kerb_pose pose) {
    kerb_vec2 x = kerb_pose_make(0.0f, 0.0f, info->yaw).forward;
    kerb_vec2 p = kerb_vec2_sub(pose.position, info->origin), f = pose.forward;
    return (kerb_pose){{x.x * p.x + x.y * p.y, x.x * p.y - x.y * p.x},
                       {x.x * f.x + x.y * f.y, x.x * f.y - x.y * f.x}};
}

kerb_pose kerb_io_map_info_to_world(const kerb_io_map_info* info, kerb_pose pose) {
    kerb_vec2 x = kerb_pose_make(0.0f, 0.0f, info->yaw).forward;
    kerb_vec2 p = pose.position, f = pose.forward;
    kerb_vec2 turned = {x.x * p.x - x.y * p.y, x.y * p.x + x.x * p.y};
    return (kerb_pose){kerb_vec2_add(info->origin, turned),
                       {x.x * f.x - x.y * f.y, x.y * f.x + x.x * f.y}};
}

bool kerb_io_map_info_available(void) {
#if defined(KERB_HAVE_YAML)
    return true;
#else
    return false;
#endif
}

#if !defined(KERB_HAVE_YAML)

kerb_result kerb_io_map_info_read(kerb_io_map_info* info, const char* text, size_t length,
                                  kerb_io_notes* notes, kerb_error* error) {
    (void)text;
    (void)length;
    (void)notes;
    memset(info, 0, sizeof *info);
    return kerb_error_set(error, KERB_ERROR_UNKNOWN_FIELD, "yaml", 0, -1,
                          "this build reads no YAML, it was made without libyaml");
}

#else

#include <yaml.h>

enum {
    NESTED_MOST = 64,    // a map's file is nested twice
    ANCHORS_MOST = 1000, // a thousand take libyaml a millisecond
    MERGES_MOST = 8      // of a map into a map into a map …
};

typedef enum map_key {
    MAP_IMAGE,
    MAP_RESOLUTION,
    MAP_ORIGIN,
    MAP_NEGATE,
    MAP_OCCUPIED,
    MAP_FREE,
    MAP_MODE,
    MAP_KEYS
} map_key;

static const char* const map_key_names[MAP_KEYS] = {
    "image", "resolution", "origin", "negate", "occupied_thresh", "free_thresh", "mode"};

typedef struct map_yaml {
    const char* text;
    size_t length;
    yaml_document_t* document;
    int32_t lines[MAP_KEYS]; // 0: not there
    kerb_io_map_info* info;
    kerb_io_notes* notes;
    kerb_error* error;
} map_yaml;

typedef struct map_word {
    const char* text;
    size_t length;
} map_word;

static int32_t map_yaml_line(const yaml_node_t* node) {
    return (int32_t)node->start_mark.line + 1;
}

static kerb_result map_yaml_refuse(const map_yaml* in, const yaml_node_t* node, kerb_result result,
                                   const char* field, const char* message) {
    return kerb_error_set(in->error, result, field, node ? map_yaml_line(node) : 0, -1, message);
}

// --------------------------------------------------------------------------- libyaml's errors

// Bytes that are no text have a place in bytes only.
static int32_t line_of_problem(const yaml_parser_t* parser, const char* text, size_t length) {
    int32_t line = 1;
    if (parser->error != YAML_READER_ERROR)
        return (int32_t)parser->problem_mark.line + 1;
    for (size_t i = 0; i < length && i < parser->problem_offset; i++)
        line += text[i] == '\n';
    return line;
}

static kerb_result map_yaml_refuse_text(const map_yaml* in, const yaml_parser_t* parser) {
    const char* problem = parser->problem ? parser->problem : "is not YAML";
    if (parser->error == YAML_MEMORY_ERROR)
        return kerb_error_set(in->error, KERB_ERROR_OUT_OF_MEMORY, "", 0, -1,
                              "no memory for the YAML");
    return kerb_error_set(in->error, KERB_ERROR_SYNTAX, "",
                          line_of_problem(parser, in->text, in->length), -1, problem);
}

// --------------------------------------------------------------------------- first: its size

// What the events of the first document have shown.
typedef struct map_yaml_size {
    int32_t depth, anchors;
    int32_t documents; // begun
    bool is_over;      // what has to be looked at
} map_yaml_size;

static bool has_anchor(const yaml_event_t* event) {
    return (event->type == YAML_SCALAR_EVENT && event->data.scalar.anchor) ||
           (event->type == YAML_SEQUENCE_START_EVENT && event->data.sequence_start.anchor) ||
           (event->type == YAML_MAPPING_START_EVENT && event->data.mapping_start.anchor);
}

static kerb_result take_event(const map_yaml* in, const yaml_event_t* event, map_yaml_size* size) {
    int32_t line = (int32_t)event->start_mark.line + 1;
    bool begins =
        event->type == YAML_SEQUENCE_START_EVENT || event->type == YAML_MAPPING_START_EVENT;
    bool ends = event->type == YAML_SEQUENCE_END_EVENT || event->type == YAML_MAPPING_END_EVENT;
    size->depth += begins ? 1 : ends ? -1 : 0;
    size->anchors += has_anchor(event);
    size->documents += event->type == YAML_DOCUMENT_START_EVENT;
    size->is_over = event->type == YAML_STREAM_END_EVENT || size->documents > 1;
    if (size->documents > 1)
        kerb_io_notes_add(in->notes, "", line, "documents after the first are ignored");
    if (size->depth > NESTED_MOST)
        return kerb_error_set(in->error, KERB_ERROR_TOO_MANY, "", line, -1,
                              "is nested more than 64 deep");
    if (size->anchors > ANCHORS_MOST)
        return kerb_error_set(in->error, KERB_ERROR_TOO_MANY, "", line, -1,
                              "has more than 1000 anchors");
    return KERB_OK;
}

static void give_text(yaml_parser_t* parser, const map_yaml* in) {
    yaml_parser_set_input_string(parser, (const unsigned char*)(const void*)in->text, in->length);
}

static kerb_result measure(const map_yaml* in) {
    yaml_parser_t parser;
    map_yaml_size size = {0};
    kerb_result result = KERB_OK;
    if (!yaml_parser_initialize(&parser))
        return map_yaml_refuse_text(in, &parser);
    give_text(&parser, in);
    while (result == KERB_OK && !size.is_over) {
        yaml_event_t event;
        if (!yaml_parser_parse(&parser, &event)) {
            result = map_yaml_refuse_text(in, &parser);
            break;
        }
        result = take_event(in, &event, &size);
        yaml_event_delete(&event);
    }
    yaml_parser_delete(&parser);
    return result;
}

// --------------------------------------------------------------------------- values

static bool map_yaml_take_word(const yaml_node_t* node, map_word* word) {
    if (node->type != YAML_SCALAR_NODE)
        return false;
    word->text = (const char*)(const void*)node->data.scalar.value;
    word->length = node->data.scalar.length;
    while (word->length > 0 && *word->text == ' ') {
        word->text++;
        word->length--;
    }
    while (word->length > 0 && word->text[word->length - 1] == ' ')
        word->length--;
    return true;
}

static char map_yaml_small(char c) {
    return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c;
}

// Whether they are equal, large letters as small ones.
static bool is_word(map_word word, const char* other) {
    if (word.length != strlen(other))
        return false;
    for (size_t i = 0; i < word.length; i++)
        if (map_yaml_small(word.text[i]) != other[i])
            return false;
    return true;
}

static bool is_one_of(map_word word, const char* const* others) {
    for (; *others; others++)
        if (is_word(word, *others))
            return true;
    return false;
}

// As C, Python and YAML write it: nan, -nan, .NaN, nan(ind), -nan(0x8000).
static bool is_nan(map_word word) {
    size_t at = word.length > 0 && (*word.text == '-' || *word.text == '+');
    at += at < word.length && word.text[at] == '.';
    map_word rest = {word.text + at, word.length - at < 3 ? word.length - at : 3};
    map_word behind = {word.text + at + rest.length, word.length - at - rest.length};
    return is_word(rest, "nan") && (behind.length == 0 || *behind.text == '(');
}

static kerb_result refuse_value(const map_yaml* in, const yaml_node_t* node, kerb_result result,
                                const char* field, const char* wanted) {
    char message[144], quoted[KERB_IO_QUOTE_MAX] = "";
    map_word word;
    if (map_yaml_take_word(node, &word)) {
        kerb_io_quote(quoted, word.text, word.length);
        snprintf(message, sizeof message, "must be %s: \"%s\"", wanted, quoted);
    } else
        snprintf(message, sizeof message, "must be %s, not a %s", wanted,
                 node->type == YAML_SEQUENCE_NODE ? "list" : "map");
    return map_yaml_refuse(in, node, result, field, message);
}

static kerb_result map_yaml_read_number(const map_yaml* in, const yaml_node_t* node,
                                        const char* field, float least, float most,
                                        const char* wanted, float* value) {
    map_word word;
    kerb_result result = map_yaml_take_word(node, &word)
                             ? kerb_io_number_read_float(word.text, word.length, value)
                             : KERB_ERROR_WRONG_TYPE;
    if (result == KERB_ERROR_WRONG_TYPE && node->type == YAML_SCALAR_NODE &&
        (is_nan(word) || is_one_of(word, (const char* const[]){".inf", "+.inf", "-.inf", NULL})))
        result = KERB_ERROR_NOT_FINITE;
    if (result == KERB_OK && !(*value >= least && *value <= most))
        result = KERB_ERROR_OUT_OF_RANGE;
    return result == KERB_OK ? KERB_OK : refuse_value(in, node, result, field, wanted);
}

// Some tools write nan where they have no yaw.
static kerb_result read_yaw(const map_yaml* in, const yaml_node_t* node) {
    const float turn = 2.0f * KERB_PI;
    map_word word;
    if (map_yaml_take_word(node, &word) && is_nan(word)) {
        kerb_io_notes_add(in->notes, "origin", map_yaml_line(node), "assumed yaw 0 for nan");
        return KERB_OK;
    }
    return map_yaml_read_number(in, node, "origin", -turn, turn, "a yaw within a turn, in radians",
                                &in->info->yaw);
}

static kerb_result read_origin(const map_yaml* in, const yaml_node_t* node) {
    const char* const place = "[x, y, yaw], from -1000000 to 1000000 m";
    if (node->type != YAML_SEQUENCE_NODE)
        return refuse_value(in, node, KERB_ERROR_WRONG_TYPE, "origin", "[x, y, yaw]");
    const yaml_node_item_t* items = node->data.sequence.items.start;
    ptrdiff_t count = node->data.sequence.items.top - items;
    if (count != 2 && count != 3)
        return map_yaml_refuse(in, node, count < 2 ? KERB_ERROR_TOO_FEW : KERB_ERROR_TOO_MANY,
                               "origin", "must be three numbers, [x, y, yaw]");
    kerb_result result = map_yaml_read_number(in, yaml_document_get_node(in->document, items[0]),
                                              "origin", -1e6f, 1e6f, place, &in->info->origin.x);
    if (result == KERB_OK)
        result = map_yaml_read_number(in, yaml_document_get_node(in->document, items[1]), "origin",
                                      -1e6f, 1e6f, place, &in->info->origin.y);
    if (result == KERB_OK && count == 3)
        return read_yaw(in, yaml_document_get_node(in->document, items[2]));
    if (result == KERB_OK)
        kerb_io_notes_add(in->notes, "origin", map_yaml_line(node), "assumed yaw 0 for none");
    return result;
}

static kerb_result read_image(const map_yaml* in, const yaml_node_t* node) {
    kerb_io_map_info* info = in->info;
    bool is_null = node->type == YAML_SCALAR_NODE &&
                   node->data.scalar.style == YAML_PLAIN_SCALAR_STYLE &&
                   is_one_of((map_word){(const char*)(const void*)node->data.scalar.value,
                                        node->data.scalar.length},
                             (const char* const[]){"", "~", "null", NULL});
    if (node->type != YAML_SCALAR_NODE || is_null)
        return refuse_value(in, node, KERB_ERROR_WRONG_TYPE, "image", "a file's name");
    const char* text = (const char*)(const void*)node->data.scalar.value;
    size_t length = node->data.scalar.length;
    if (length == 0 || length >= sizeof info->image || memchr(text, '\0', length))
        return refuse_value(in, node, KERB_ERROR_OUT_OF_RANGE, "image",
                            "a file's name of 1 to 255 bytes");
    memcpy(info->image, text, length);
    info->image[length] = '\0';
    return KERB_OK;
}

// Whatever YAML 1.1 calls a truth value, or a number as map_server's own files have it.
static kerb_result read_negate(const map_yaml* in, const yaml_node_t* node) {
    static const char* const yes[] = {"1", "true", "yes", "on", "y", NULL};
    static const char* const no[] = {"0", "false", "no", "off", "n", NULL};
    map_word word = {NULL, 0};
    float number = -1.0f;
    if (!map_yaml_take_word(node, &word))
        return refuse_value(in, node, KERB_ERROR_WRONG_TYPE, "negate", "0 or 1");
    (void)kerb_io_number_read_float(word.text, word.length, &number);
    in->info->negate = is_one_of(word, yes) || number == 1.0f;
    if (!in->info->negate && !is_one_of(word, no) && number != 0.0f)
        return refuse_value(in, node, KERB_ERROR_WRONG_TYPE, "negate", "0 or 1");
    return KERB_OK;
}

static kerb_result read_mode(const map_yaml* in, const yaml_node_t* node) {
    map_word word;
    for (int32_t i = 0; map_yaml_take_word(node, &word) && i <= KERB_IO_MAP_RAW; i++)
        if (is_word(word, kerb_io_map_mode_text((kerb_io_map_mode)i))) {
            in->info->mode = (kerb_io_map_mode)i;
            return KERB_OK;
        }
    return refuse_value(in, node, KERB_ERROR_WRONG_TYPE, "mode", "trinary, scale or raw");
}

static kerb_result read_value(const map_yaml* in, map_key key, const yaml_node_t* node) {
    kerb_io_map_info* info = in->info;
    switch (key) {
    case MAP_IMAGE:
        return read_image(in, node);
    case MAP_RESOLUTION:
        return map_yaml_read_number(in, node, "resolution", 0.001f, 1000.0f,
                                    "a number from 0.001 to 1000 m", &info->resolution);
    case MAP_ORIGIN:
        return read_origin(in, node);
    case MAP_NEGATE:
        return read_negate(in, node);
    case MAP_OCCUPIED:
        return map_yaml_read_number(in, node, "occupied_thresh", 0.0f, 1.0f, "a number from 0 to 1",
                                    &info->occupied);
    case MAP_FREE:
        return map_yaml_read_number(in, node, "free_thresh", 0.0f, 1.0f, "a number from 0 to 1",
                                    &info->free);
    default:
        return read_mode(in, node);
    }
}

// --------------------------------------------------------------------------- the map

// Keys are told apart by large and small letters, as everywhere in YAML.
static map_key key_of(const yaml_node_t* node) {
    map_key key = MAP_IMAGE;
    while (key < MAP_KEYS &&
           !(node->type == YAML_SCALAR_NODE &&
             node->data.scalar.length == strlen(map_key_names[key]) &&
             memcmp(node->data.scalar.value, map_key_names[key], node->data.scalar.length) == 0))
        key++;
    return key;
}

static bool is_merge(const yaml_node_t* node) {
    return node->type == YAML_SCALAR_NODE && node->data.scalar.style == YAML_PLAIN_SCALAR_STYLE &&
           node->data.scalar.length == 2 && memcmp(node->data.scalar.value, "<<", 2) == 0;
}

// Keys of a map. What is merged in gives way to what was there before, and twice is an error only
// within one map.
static kerb_result read_pairs(map_yaml* in, const yaml_node_t* map) {
    bool seen[MAP_KEYS] = {false};
    bool before[MAP_KEYS];
    for (int32_t i = 0; i < MAP_KEYS; i++)
        before[i] = in->lines[i] > 0;
    for (const yaml_node_pair_t* pair = map->data.mapping.pairs.start;
         pair < map->data.mapping.pairs.top; pair++) {
        const yaml_node_t* name = yaml_document_get_node(in->document, pair->key);
        map_key key = key_of(name);
        if (key == MAP_KEYS)
            continue;
        if (seen[key])
            return map_yaml_refuse(in, name, KERB_ERROR_CONTRADICTION, map_key_names[key],
                                   "is there twice");
        seen[key] = true;
        if (before[key])
            continue;
        in->lines[key] = map_yaml_line(name);
        kerb_result result = read_value(in, key, yaml_document_get_node(in->document, pair->value));
        if (result != KERB_OK)
            return result;
    }
    return KERB_OK;
}

// The map that is merged into another: the value of its key "<<". NULL: none.
static const yaml_node_t* merged_into(const map_yaml* in, const yaml_node_t* map) {
    for (const yaml_node_pair_t* pair = map->data.mapping.pairs.start;
         pair < map->data.mapping.pairs.top; pair++) {
        const yaml_node_t* value = yaml_document_get_node(in->document, pair->value);
        if (is_merge(yaml_document_get_node(in->document, pair->key)) &&
            value->type == YAML_MAPPING_NODE)
            return value;
    }
    return NULL;
}

static kerb_result check_info(const map_yaml* in) {
    static const map_key required[3] = {MAP_IMAGE, MAP_RESOLUTION, MAP_ORIGIN};
    for (int32_t i = 0; i < 3; i++)
        if (in->lines[required[i]] == 0)
            return kerb_error_set(in->error, KERB_ERROR_MISSING_FIELD, map_key_names[required[i]],
                                  0, -1, "must be in the file");
    if (!(in->info->free <= in->info->occupied))
        return kerb_error_set(in->error, KERB_ERROR_CONTRADICTION, "free_thresh",
                              in->lines[MAP_FREE], -1, "must not be more than occupied_thresh");
    if (in->info->negate && in->info->mode == KERB_IO_MAP_RAW)
        kerb_io_notes_add(in->notes, "negate", in->lines[MAP_NEGATE], "has no effect in mode raw");
    return KERB_OK;
}

static kerb_result read_document(map_yaml* in) {
    const yaml_node_t* map = yaml_document_get_root_node(in->document);
    if (!map)
        return map_yaml_refuse(in, NULL, KERB_ERROR_MISSING_FIELD, "image", "must be in the file");
    if (map->type != YAML_MAPPING_NODE)
        return map_yaml_refuse(in, map, KERB_ERROR_WRONG_TYPE, "",
                               "must be keys with values, as in \"image: map.pgm\"");
    for (int32_t i = 0; map && i < MERGES_MOST; i++) {
        kerb_result result = read_pairs(in, map);
        if (result != KERB_OK)
            return result;
        map = merged_into(in, map);
    }
    return check_info(in);
}

kerb_result kerb_io_map_info_read(kerb_io_map_info* info, const char* text, size_t length,
                                  kerb_io_notes* notes, kerb_error* error) {
    yaml_parser_t parser;
    yaml_document_t document;
    map_yaml in = {.text = text,
                   .length = length,
                   .document = &document,
                   .info = info,
                   .notes = notes,
                   .error = error};
    *info = (kerb_io_map_info){.occupied = 0.65f, .free = 0.196f};
    kerb_result result = measure(&in);
    if (result != KERB_OK)
        return result;
    if (!yaml_parser_initialize(&parser))
        return map_yaml_refuse_text(&in, &parser);
    give_text(&parser, &in);
    if (yaml_parser_load(&parser, &document)) {
        result = read_document(&in);
        yaml_document_delete(&document);
    } else
        result = map_yaml_refuse_text(&in, &parser);
    yaml_parser_delete(&parser);
    return result;
}

#endif
