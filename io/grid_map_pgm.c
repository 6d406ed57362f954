// Purpose: reads pictures as maps: PGM images, and the YAML files with which ROS map_server
//          describes them.
// Cost:    O(length).
#include "io/grid_map_cells.h"

#include "io/number.h"

#include <string.h>

bool kerb_io_map_info_is_blocked(const kerb_io_map_info* info, float lightness) {
    float occupancy = info->negate ? lightness : 1.0f - lightness;
    return !(occupancy < info->free);
}

// --------------------------------------------------------------------------- PGM

typedef struct picture {
    const unsigned char* at;
    const unsigned char* end;
    int32_t line;
    kerb_error* error;
} picture;

static kerb_result grid_map_pgm_refuse(const picture* in, kerb_result result, const char* field,
                                       const char* message) {
    return kerb_error_set(in->error, result, field, in->line, -1, message);
}

static bool grid_map_pgm_is_space(int c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f';
}

static void grid_map_pgm_skip_spaces(picture* in) {
    bool is_comment = false;
    while (in->at < in->end && (is_comment || grid_map_pgm_is_space(*in->at) || *in->at == '#')) {
        is_comment = *in->at == '#' || (is_comment && *in->at != '\n');
        in->line += *in->at == '\n';
        in->at++;
    }
}

// A whole number, at most 99999999; -1: there is none.
static int32_t grid_map_pgm_read_whole(picture* in) {
    int32_t value = -1;
    grid_map_pgm_skip_spaces(in);
    for (int32_t digits = 0; in->at < in->end && *in->at >= '0' && *in->at <= '9'; digits++) {
        if (digits == 8)
            return -1;
        value = (value < 0 ? 0 : value * 10) + (*in->at++ - '0');
    }
    return value;
}

static kerb_result read_within(picture* in, const char* field, int32_t most, int32_t* value) {
    *value = grid_map_pgm_read_whole(in);
    if (*value < 0)
        return grid_map_pgm_refuse(in, KERB_ERROR_SYNTAX, field, "must be a whole number");
    if (*value < 1 || *value > most)
        return grid_map_pgm_refuse(in, KERB_ERROR_OUT_OF_RANGE, field,
                                   most == 65535 ? "must be 1 to 65535" : "must be 1 to 32768");
    return KERB_OK;
}

// A pixel's value, -1 where there is none any more.
static int32_t read_pixel(picture* in, bool is_text, int32_t most) {
    if (is_text)
        return grid_map_pgm_read_whole(in);
    int32_t bytes = most > 255 ? 2 : 1;
    if (in->end - in->at < bytes)
        return -1;
    int32_t value = *in->at++;
    if (bytes == 2)
        value = value * 256 + *in->at++;
    return value;
}

static kerb_result read_pixels(picture* in, bool is_text, int32_t most,
                               const kerb_io_map_info* info, kerb_io_grid_map* map) {
    for (int32_t y = map->rows - 1; y >= 0; y--)
        for (int32_t x = 0; x < map->columns; x++) {
            int32_t value = read_pixel(in, is_text, most);
            if (value < 0 || value > most)
                return grid_map_pgm_refuse(in, value < 0 ? KERB_ERROR_TOO_FEW : KERB_ERROR_SYNTAX,
                                           "pixels",
                                           value < 0 ? "end before the picture is full"
                                                     : "one is greater than the greatest");
            bool is_blocked = kerb_io_map_info_is_blocked(info, (float)value / (float)most);
            map->cells[(size_t)y * (size_t)map->columns + (size_t)x] = is_blocked ? 255 : 0;
        }
    return KERB_OK;
}

kerb_result kerb_io_grid_map_read_pgm(kerb_io_grid_map* map, const char* bytes, size_t size,
                                      const kerb_io_map_info* info, const kerb_host* host,
                                      kerb_error* error) {
    const unsigned char* at = (const unsigned char*)(const void*)bytes;
    picture in = {at, at + size, 1, error};
    memset(map, 0, sizeof *map);
    if (size < 3 || bytes[0] != 'P' || (bytes[1] != '5' && bytes[1] != '2') ||
        !grid_map_pgm_is_space(bytes[2]))
        return grid_map_pgm_refuse(&in, KERB_ERROR_SYNTAX, "magic", "must begin with P5 or P2");
    bool is_text = bytes[1] == '2';
    int32_t columns = 0, rows = 0, most = 0;
    in.at += 2;
    kerb_result result = read_within(&in, "width", KERB_PLAN_CELLS_MAX, &columns);
    if (result == KERB_OK)
        result = read_within(&in, "height", KERB_PLAN_CELLS_MAX, &rows);
    if (result == KERB_OK)
        result = read_within(&in, "maxval", 65535, &most);
    if (result != KERB_OK)
        return result;
    in.at += in.at < in.end; // one space before the pixels
    if ((size_t)(in.end - in.at) < (size_t)columns * (size_t)rows)
        return grid_map_pgm_refuse(&in, KERB_ERROR_TOO_FEW, "pixels",
                                   "end before the picture is full");
    result = kerb_io_grid_map_allocate(map, columns, rows, host, error);
    if (result == KERB_OK)
        result = read_pixels(&in, is_text, most, info, map);
    if (result != KERB_OK)
        kerb_io_grid_map_destroy(map, host);
    return result;
}

// --------------------------------------------------------------------------- YAML

typedef struct entry {
    const char* key;
    const char* value;
    size_t key_length, value_length;
    int32_t line;
    kerb_error* error;
} entry;

static kerb_result refuse_entry(const entry* e, kerb_result result, const char* field,
                                const char* message) {
    return kerb_error_set(e->error, result, field, e->line, -1, message);
}

static void grid_map_pgm_trim(const char** text, size_t* length) {
    while (*length > 0 && grid_map_pgm_is_space((unsigned char)**text)) {
        (*text)++;
        (*length)--;
    }
    while (*length > 0 && grid_map_pgm_is_space((unsigned char)(*text)[*length - 1]))
        (*length)--;
}

static bool is_key(const entry* e, const char* key) {
    return e->key_length == strlen(key) && memcmp(e->key, key, e->key_length) == 0;
}

static kerb_result grid_map_pgm_read_number(const entry* e, const char* field, const char* text,
                                            size_t length, float least, float most, float* value) {
    grid_map_pgm_trim(&text, &length);
    kerb_result result = kerb_io_number_read_float(text, length, value);
    if (result != KERB_OK)
        return refuse_entry(e, result, field, "must be a finite number");
    if (!(*value >= least && *value <= most))
        return refuse_entry(e, KERB_ERROR_OUT_OF_RANGE, field, "lies outside its range");
    return KERB_OK;
}

// "[x, y, yaw]"
static kerb_result read_origin(const entry* e, kerb_io_map_info* info) {
    const char* at = e->value;
    size_t left = e->value_length;
    float numbers[3] = {0.0f, 0.0f, 0.0f};
    if (left < 2 || at[0] != '[' || at[left - 1] != ']')
        return refuse_entry(e, KERB_ERROR_SYNTAX, "origin", "must be [x, y, yaw]");
    at++;
    left -= 2;
    for (int32_t i = 0; i < 3; i++) {
        const char* comma = i < 2 ? memchr(at, ',', left) : at + left;
        if (!comma)
            return refuse_entry(e, KERB_ERROR_SYNTAX, "origin", "must be [x, y, yaw]");
        size_t length = (size_t)(comma - at);
        kerb_result result =
            grid_map_pgm_read_number(e, "origin", at, length, -1e6f, 1e6f, &numbers[i]);
        if (result != KERB_OK)
            return result;
        at += i < 2 ? length + 1 : length;
        left -= i < 2 ? length + 1 : length;
    }
    if (numbers[2] != 0.0f)
        return refuse_entry(e, KERB_ERROR_OUT_OF_RANGE, "origin", "turned maps are not read");
    info->origin = (kerb_vec2){numbers[0], numbers[1]};
    return KERB_OK;
}

static kerb_result read_image(const entry* e, kerb_io_map_info* info) {
    const char* text = e->value;
    size_t length = e->value_length;
    bool is_quoted =
        length >= 2 && (text[0] == '"' || text[0] == '\'') && text[length - 1] == text[0];
    text += is_quoted;
    length -= is_quoted ? 2 : 0;
    if (length == 0 || length >= sizeof info->image || memchr(text, '\0', length))
        return refuse_entry(e, KERB_ERROR_OUT_OF_RANGE, "image", "must be a file's name");
    memcpy(info->image, text, length);
    info->image[length] = '\0';
    return KERB_OK;
}

static kerb_result read_negate(const entry* e, kerb_io_map_info* info) {
    bool is_one = e->value_length == 1 && *e->value == '1';
    bool is_true = e->value_length == 4 && memcmp(e->value, "true", 4) == 0;
    bool is_zero = e->value_length == 1 && *e->value == '0';
    bool is_false = e->value_length == 5 && memcmp(e->value, "false", 5) == 0;
    info->negate = is_one || is_true;
    if (!(is_one || is_true || is_zero || is_false))
        return refuse_entry(e, KERB_ERROR_WRONG_TYPE, "negate", "must be 0 or 1");
    return KERB_OK;
}

static kerb_result read_entry(const entry* e, kerb_io_map_info* info) {
    if (is_key(e, "image"))
        return read_image(e, info);
    if (is_key(e, "resolution"))
        return grid_map_pgm_read_number(e, "resolution", e->value, e->value_length, 0.001f, 1000.0f,
                                        &info->resolution);
    if (is_key(e, "origin"))
        return read_origin(e, info);
    if (is_key(e, "negate"))
        return read_negate(e, info);
    if (is_key(e, "occupied_thresh"))
        return grid_map_pgm_read_number(e, "occupied_thresh", e->value, e->value_length, 0.0f, 1.0f,
                                        &info->occupied);
    if (is_key(e, "free_thresh"))
        return grid_map_pgm_read_number(e, "free_thresh", e->value, e->value_length, 0.0f, 1.0f,
                                        &info->free);
    if (is_key(e, "mode") && !(e->value_length == 7 && memcmp(e->value, "trinary", 7) == 0))
        return refuse_entry(e, KERB_ERROR_OUT_OF_RANGE, "mode", "only trinary is read");
    return KERB_OK;
}

// False where the line is empty or a comment.
static kerb_result grid_map_pgm_read_line(entry* e, const char* line, size_t length,
                                          kerb_io_map_info* info) {
    const char* comment = memchr(line, '#', length);
    if (comment)
        length = (size_t)(comment - line);
    grid_map_pgm_trim(&line, &length);
    if (length == 0 || (length >= 3 && memcmp(line, "---", 3) == 0))
        return KERB_OK;
    const char* colon = memchr(line, ':', length);
    if (!colon)
        return refuse_entry(e, KERB_ERROR_SYNTAX, "", "must be \"key: value\"");
    e->key = line;
    e->key_length = (size_t)(colon - line);
    e->value = colon + 1;
    e->value_length = length - e->key_length - 1;
    grid_map_pgm_trim(&e->key, &e->key_length);
    grid_map_pgm_trim(&e->value, &e->value_length);
    return read_entry(e, info);
}

static kerb_result check_info(const kerb_io_map_info* info, bool has_origin, const entry* e) {
    const char* missing = info->image[0] == '\0'       ? "image"
                          : !(info->resolution > 0.0f) ? "resolution"
                          : !has_origin                ? "origin"
                                                       : NULL;
    if (missing)
        return kerb_error_set(e->error, KERB_ERROR_MISSING_FIELD, missing, 0, -1,
                              "must be in the file");
    if (!(info->free <= info->occupied))
        return kerb_error_set(e->error, KERB_ERROR_CONTRADICTION, "free_thresh", 0, -1,
                              "must not be more than occupied_thresh");
    return KERB_OK;
}

kerb_result kerb_io_map_info_read(kerb_io_map_info* info, const char* text, size_t length,
                                  kerb_error* error) {
    const char* end = text + length;
    entry e = {.line = 0, .error = error};
    bool has_origin = false;
    *info = (kerb_io_map_info){.occupied = 0.65f, .free = 0.196f};
    for (const char* at = text; at < end;) {
        const char* ending = memchr(at, '\n', (size_t)(end - at));
        const char* stop = ending ? ending : end;
        e.line++;
        e.key = NULL;
        kerb_result result = grid_map_pgm_read_line(&e, at, (size_t)(stop - at), info);
        if (result != KERB_OK)
            return result;
        has_origin = has_origin || (e.key && is_key(&e, "origin"));
        at = ending ? ending + 1 : end;
    }
    return check_info(info, has_origin, &e);
}
