// What must hold for any bytes given to the readers of maps and of lists of movements. Called by
// the fuzz target, and by a test with the corpus and mutations of it.
#ifndef FUZZ_PLAN_FILES_H
#define FUZZ_PLAN_FILES_H

#include "fuzz/demand.h"
#include "kerb/io/grid_map.h"
#include "kerb/io/scenario.h"

static inline bool fuzz_is_read(kerb_result result, const kerb_error* error) {
    FUZZ_DEMAND(result == KERB_OK || (error->result == result && error->message[0]));
    return result == KERB_OK;
}

static inline void fuzz_grid(kerb_io_grid_map* map, const kerb_host* host) {
    FUZZ_DEMAND(map->columns >= 1 && map->rows >= 1);
    for (int32_t i = 0; i < map->columns * map->rows; i++)
        FUZZ_DEMAND(map->cells[i] == 0 || map->cells[i] == 255);
    kerb_io_grid_map_destroy(map, host);
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
    kerb_io_grid_map map;
    kerb_io_map_info info;
    kerb_io_scenarios list;
    kerb_io_parking parking;
    if (fuzz_is_read(kerb_io_grid_map_read_movingai(&map, text, size, &host, &error), &error))
        fuzz_grid(&map, &host);
    if (fuzz_is_read(kerb_io_map_info_read(&info, text, size, &error), &error))
        FUZZ_DEMAND(info.resolution > 0.0f && info.image[0]);
    info = (kerb_io_map_info){.occupied = 0.65f, .free = 0.2f};
    if (fuzz_is_read(kerb_io_grid_map_read_pgm(&map, text, size, &info, &host, &error), &error))
        fuzz_grid(&map, &host);
    if (fuzz_is_read(kerb_io_scenarios_read(&list, text, size, &host, &error), &error)) {
        FUZZ_DEMAND(list.count >= 1);
        kerb_io_scenarios_destroy(&list, &host);
    }
    if (fuzz_is_read(kerb_io_parking_read(&parking, text, size, &host, &error), &error))
        fuzz_parking(&parking, &host);
}

#endif
