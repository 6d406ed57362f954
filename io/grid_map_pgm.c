// Purpose: reads PGM pictures as maps, by what a YAML file of ROS map_server says about them.
// Cost:    O(length).
#include "io/grid_map_cells.h"

#include "io/number.h"

#include <string.h>

// --------------------------------------------------------------------------- PGM

typedef struct picture {
    const unsigned char* at;
    const unsigned char* end;
    int32_t line;
    kerb_error* error;
} picture;

// What stands before the pixels.
typedef struct picture_head {
    int32_t columns, rows, most;
    bool is_text;
} picture_head;

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

// The lightness that a value stands for. A raw pixel is a number of its own, whatever the greatest.
static float lightness_of(const kerb_io_map_info* info, int32_t value, int32_t most) {
    return (float)value / (info->mode == KERB_IO_MAP_RAW ? 255.0f : (float)most);
}

static kerb_result read_pixels(picture* in, const picture_head* head, const kerb_io_map_info* info,
                               kerb_io_grid_map* map) {
    for (int32_t y = map->rows - 1; y >= 0; y--)
        for (int32_t x = 0; x < map->columns; x++) {
            int32_t value = read_pixel(in, head->is_text, head->most);
            if (value < 0 || value > head->most)
                return grid_map_pgm_refuse(in, value < 0 ? KERB_ERROR_TOO_FEW : KERB_ERROR_SYNTAX,
                                           "pixels",
                                           value < 0 ? "end before the picture is full"
                                                     : "one is greater than the greatest");
            map->cells[(size_t)y * (size_t)map->columns + (size_t)x] =
                kerb_io_map_info_cell(info, lightness_of(info, value, head->most));
        }
    return KERB_OK;
}

// What stands before the pixels, with the one space that ends it.
static kerb_result grid_map_pgm_read_head(picture* in, picture_head* head) {
    const char* bytes = (const char*)(const void*)in->at;
    if (in->end - in->at < 3 || bytes[0] != 'P' || (bytes[1] != '5' && bytes[1] != '2') ||
        !(grid_map_pgm_is_space(bytes[2]) || bytes[2] == '#'))
        return grid_map_pgm_refuse(in, KERB_ERROR_SYNTAX, "magic", "must begin with P5 or P2");
    head->is_text = bytes[1] == '2';
    in->at += 2;
    kerb_result result = read_within(in, "width", KERB_PLAN_CELLS_MAX, &head->columns);
    if (result == KERB_OK)
        result = read_within(in, "height", KERB_PLAN_CELLS_MAX, &head->rows);
    if (result == KERB_OK)
        result = read_within(in, "maxval", 65535, &head->most);
    in->at += in->at < in->end;
    return result;
}

static uint64_t pixel_count(const picture_head* head) {
    return (uint64_t)head->columns * (uint64_t)head->rows;
}

kerb_result kerb_io_grid_map_head_read_pgm(kerb_io_grid_map_head* head, const char* bytes,
                                           size_t size, kerb_error* error) {
    const unsigned char* at = (const unsigned char*)(const void*)bytes;
    picture in = {at, at + size, 1, error};
    picture_head h = {0};
    *head = (kerb_io_grid_map_head){0};
    kerb_result result = grid_map_pgm_read_head(&in, &h);
    if (result != KERB_OK)
        return result;
    // A pixel as text has up to five digits, and tools pad it; comments may stand between.
    uint64_t pixel = h.is_text ? 16 : h.most > 255 ? 2 : 1;
    uint64_t comments = h.is_text ? 65536 : 0;
    *head = (kerb_io_grid_map_head){h.columns, h.rows,
                                    (uint64_t)(in.at - at) + pixel * pixel_count(&h) + comments};
    return KERB_OK;
}

kerb_result kerb_io_grid_map_read_pgm(kerb_io_grid_map* map, const char* bytes, size_t size,
                                      const kerb_io_map_info* info, const kerb_host* host,
                                      kerb_error* error) {
    const unsigned char* at = (const unsigned char*)(const void*)bytes;
    picture in = {at, at + size, 1, error};
    picture_head head = {0};
    memset(map, 0, sizeof *map);
    kerb_result result = grid_map_pgm_read_head(&in, &head);
    if (result != KERB_OK)
        return result;
    if ((uint64_t)(in.end - in.at) < pixel_count(&head))
        return grid_map_pgm_refuse(&in, KERB_ERROR_TOO_FEW, "pixels",
                                   "end before the picture is full");
    result = kerb_io_grid_map_allocate(map, head.columns, head.rows, host, error);
    if (result == KERB_OK)
        result = read_pixels(&in, &head, info, map);
    if (result != KERB_OK)
        kerb_io_grid_map_destroy(map, host);
    return result;
}
