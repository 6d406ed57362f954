// Street maps of MovingAI for benchmarks of large worlds, and processor time.
#ifndef KERB_BENCH_TOWN_MAP_H
#define KERB_BENCH_TOWN_MAP_H

#include "kerb/io/grid_map.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/// Cells of a map, by rows; 0: free. The owner frees `cells`.
typedef struct town {
    uint8_t* cells;
    int32_t columns, rows;
} town;

static inline double milliseconds(void) {
    return 1e3 * (double)clock() / (double)CLOCKS_PER_SEC; // processor time
}

static inline char* read_file(const char* path, size_t* length) {
    FILE* file = fopen(path, "rb");
    if (!file)
        return NULL;
    fseek(file, 0, SEEK_END);
    *length = (size_t)ftell(file);
    rewind(file);
    char* text = malloc(*length);
    *length = fread(text, 1, *length, file);
    fclose(file);
    return text;
}

// A map mirrored at its diagonal, so that it is not one that figures were tuned on, with each cell
// made `times` cells wide and high.
static inline bool load_town(const char* path, int32_t times, town* t) {
    size_t length;
    char* text = read_file(path, &length);
    kerb_host host = kerb_host_default();
    kerb_io_grid_map map;
    kerb_error error;
    if (!text || kerb_io_grid_map_read_movingai(&map, text, length, &host, NULL, &error) != KERB_OK)
        return false;
    free(text);
    *t = (town){NULL, map.rows * times, map.columns * times};
    t->cells = malloc((size_t)t->columns * (size_t)t->rows);
    for (int32_t y = 0; y < t->rows; y++)
        for (int32_t x = 0; x < t->columns; x++)
            t->cells[y * t->columns + x] = map.cells[x / times * map.columns + y / times];
    kerb_io_grid_map_destroy(&map, &host);
    return true;
}

#endif
