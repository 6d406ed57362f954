// What must hold for any bytes given to the readers of maps and of lists of movements. Called by
// the fuzz target, and by a test with the corpus and mutations of it.
#ifndef FUZZ_PLAN_FILES_H
#define FUZZ_PLAN_FILES_H

#include "fuzz/demand.h"
#include "kerb/io/grid_map.h"
#include "kerb/io/scenario.h"

#include <string.h>

static inline bool fuzz_is_read(kerb_result result, const kerb_error* error) {
    FUZZ_DEMAND(result == KERB_OK || (error->result == result && error->message[0]));
    return result == KERB_OK;
}

/// Notes are whole, and there are none that were left out without the others.
static inline void fuzz_notes(const kerb_io_notes* notes) {
    FUZZ_DEMAND(notes->count >= 0 && notes->count <= KERB_IO_NOTES_MAX && notes->left_out >= 0);
    FUZZ_DEMAND(notes->left_out == 0 || notes->count == KERB_IO_NOTES_MAX);
    for (int32_t i = 0; i < notes->count; i++)
        FUZZ_DEMAND(notes->rows[i].message[0] && notes->rows[i].line >= 0);
}

static inline void fuzz_grid(kerb_io_grid_map* map, const kerb_io_grid_map_head* head,
                             kerb_io_map_mode mode, const kerb_host* host) {
    FUZZ_DEMAND(map->columns >= 1 && map->rows >= 1);
    FUZZ_DEMAND(map->columns == head->columns && map->rows == head->rows);
    for (int32_t i = 0; i < map->columns * map->rows; i++)
        FUZZ_DEMAND(map->cells[i] == 0 || map->cells[i] == 255 || mode != KERB_IO_MAP_TRINARY);
    kerb_io_grid_map_destroy(map, host);
}

/// What was read with all of the bytes is read with as many as its head asks for.
static inline void fuzz_movingai(const char* text, size_t size, const kerb_host* host) {
    kerb_error error = {.result = KERB_OK};
    kerb_io_notes notes = {0};
    kerb_io_grid_map map;
    kerb_io_grid_map_head head;
    bool has_head =
        fuzz_is_read(kerb_io_grid_map_head_read_movingai(&head, text, size, &error), &error);
    if (fuzz_is_read(kerb_io_grid_map_read_movingai(&map, text, size, host, &notes, &error),
                     &error)) {
        FUZZ_DEMAND(has_head);
        fuzz_grid(&map, &head, KERB_IO_MAP_TRINARY, host);
    }
    fuzz_notes(&notes);
}

static inline void fuzz_pgm(const char* bytes, size_t size, const kerb_io_map_info* info,
                            const kerb_host* host) {
    kerb_error error = {.result = KERB_OK};
    kerb_io_grid_map map;
    kerb_io_grid_map_head head;
    bool has_head =
        fuzz_is_read(kerb_io_grid_map_head_read_pgm(&head, bytes, size, &error), &error);
    if (!fuzz_is_read(kerb_io_grid_map_read_pgm(&map, bytes, size, info, host, &error), &error))
        return;
    FUZZ_DEMAND(has_head);
    fuzz_grid(&map, &head, info->mode, host);
    size = bytes[1] == '5' && head.bytes_max < size ? (size_t)head.bytes_max : size;
    FUZZ_DEMAND(kerb_io_grid_map_read_pgm(&map, bytes, size, info, host, &error) == KERB_OK);
    kerb_io_grid_map_destroy(&map, host);
}

static inline void fuzz_info(const char* text, size_t size) {
    kerb_error error = {.result = KERB_OK};
    kerb_io_notes notes = {0};
    kerb_io_map_info info;
    if (fuzz_is_read(kerb_io_map_info_read(&info, text, size, &notes, &error), &error)) {
        FUZZ_DEMAND(info.resolution >= 0.001f && info.image[0]);
        FUZZ_DEMAND(memchr(info.image, '\0', sizeof info.image) != NULL);
        FUZZ_DEMAND(kerb_abs(info.origin.x) <= 1e6f && kerb_abs(info.origin.y) <= 1e6f);
        FUZZ_DEMAND(kerb_abs(info.yaw) <= 2.0f * KERB_PI);
        FUZZ_DEMAND(info.free >= 0.0f && info.free <= info.occupied && info.occupied <= 1.0f);
        FUZZ_DEMAND((int32_t)info.mode >= 0 && (int32_t)info.mode <= KERB_IO_MAP_RAW);
        FUZZ_DEMAND(!kerb_io_map_info_is_blocked(&info, info.negate ? 0.0f : 1.0f) ||
                    info.mode == KERB_IO_MAP_RAW || info.free == 0.0f);
    }
    fuzz_notes(&notes);
}

static inline void fuzz_parking(kerb_io_parking* parking, const kerb_host* host) {
    int32_t vertices = 0;
    for (int32_t i = 0; i < parking->polygon_count; i++)
        vertices += parking->vertex_counts[i];
    FUZZ_DEMAND(vertices == parking->vertex_count);
    for (int32_t i = 0; i < vertices; i++)
        FUZZ_DEMAND(kerb_abs(parking->vertices[i].x) <= 1e6f);
    kerb_io_parking_destroy(parking, host);
}

/// Each reader reads it or says what is wrong.
static inline void fuzz_plan_files(const uint8_t* data, size_t size) {
    const kerb_host host = kerb_host_default();
    const char* text = (const char*)data;
    kerb_error error = {.result = KERB_OK};
    kerb_io_notes notes = {0};
    kerb_io_scenarios list;
    kerb_io_parking parking;
    fuzz_movingai(text, size, &host);
    fuzz_info(text, size);
    const kerb_io_map_info info = {
        .occupied = 0.65f, .free = 0.2f, .mode = (kerb_io_map_mode)(size % 3)};
    fuzz_pgm(text, size, &info, &host);
    if (fuzz_is_read(kerb_io_scenarios_read(&list, text, size, &host, &notes, &error), &error)) {
        FUZZ_DEMAND(list.count >= 1);
        kerb_io_scenarios_destroy(&list, &host);
    }
    fuzz_notes(&notes);
    if (fuzz_is_read(kerb_io_parking_read(&parking, text, size, &host, &error), &error))
        fuzz_parking(&parking, &host);
}

#endif
