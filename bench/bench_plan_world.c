// Time and memory to build the world of a planner, on a street map of 1,024 x 1,024 cells of 1 m,
// and time to change 10 m by 10 m of it.
// By hand: bench_plan_world [map of MovingAI] [times that it is made larger] [width of the car]
// Without a map: streets between random blocks. With "open" as a map: nothing stands.
#include "bench/town_map.h"
#include "kerb/io/grid_map.h"
#include "kerb/plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SIDE = 1024, ROUNDS = 7, CHANGES = 500, CHANGED = 10 };

// --------------------------------------------------------------------------- memory

// Bytes that are allocated, and the most that were at once.
typedef struct counted {
    kerb_allocator real;
    size_t now, most;
} counted;

static void* take(void* context, size_t bytes, size_t alignment) {
    counted* c = context;
    c->now += bytes;
    c->most = c->now > c->most ? c->now : c->most;
    return c->real.allocate(c->real.context, bytes, alignment);
}

static void give(void* context, void* memory, size_t bytes) {
    counted* c = context;
    c->now -= bytes;
    c->real.release(c->real.context, memory, bytes);
}

// --------------------------------------------------------------------------- maps

static void fill(town* t, int32_t x, int32_t y, int32_t width, int32_t height, uint8_t value) {
    for (int32_t j = y; j < y + height && j < t->rows; j++)
        for (int32_t i = x; i < x + width && i < t->columns; i++)
            t->cells[j * t->columns + i] = value;
}

// Blocks of 20 to 60 m with streets of 4 to 12 m between them, and a few free squares.
static town make_town(void) {
    town t = {calloc((size_t)SIDE * SIDE, 1), SIDE, SIDE};
    kerb_random random = kerb_random_make(1, 0);
    for (int32_t y = 0; y < SIDE;) {
        int32_t height = 20 + kerb_random_below(&random, 41);
        for (int32_t x = 0; x < SIDE;) {
            int32_t width = 20 + kerb_random_below(&random, 41);
            if (kerb_random_below(&random, 12) != 0)
                fill(&t, x, y, width, height, 255);
            x += width + 4 + kerb_random_below(&random, 9);
        }
        y += height + 4 + kerb_random_below(&random, 9);
    }
    return t;
}

static town make_field(void) {
    return (town){calloc((size_t)SIDE * SIDE, 1), SIDE, SIDE};
}

// --------------------------------------------------------------------------- changes

typedef struct timed {
    double mean, most; // [ms]
} timed;

static void count_in(timed* t, double began) {
    double took = milliseconds() - began;
    t->mean += took / CHANGES;
    t->most = took > t->most ? took : t->most;
}

// Blocks random squares and gives each its former cells again.
static void change_cells(kerb_planner* planner, const town* t, timed* blocked, timed* freed) {
    uint8_t full[CHANGED * CHANGED], before[CHANGED * CHANGED];
    memset(full, 255, sizeof full);
    kerb_random random = kerb_random_make(2, 0);
    for (int32_t i = 0; i < CHANGES; i++) {
        kerb_plan_cells c = {.columns = CHANGED, .rows = CHANGED, .cells = full};
        c.column = kerb_random_below(&random, t->columns - CHANGED);
        c.row = kerb_random_below(&random, t->rows - CHANGED);
        for (int32_t k = 0; k < CHANGED * CHANGED; k++)
            before[k] = t->cells[(c.row + k / CHANGED) * t->columns + c.column + k % CHANGED];
        double began = milliseconds();
        kerb_planner_change_cells(planner, &c, NULL);
        count_in(blocked, began);
        c.cells = before;
        began = milliseconds();
        kerb_planner_change_cells(planner, &c, NULL);
        count_in(freed, began);
    }
}

// Puts a turned square at random places and takes it away.
static void change_polygons(kerb_planner* planner, const town* t, timed* put, timed* taken) {
    kerb_random random = kerb_random_make(3, 0);
    for (int32_t i = 0; i < CHANGES; i++) {
        const float half = 0.5f * (float)CHANGED;
        float x = kerb_random_between(&random, 2.0f * half, (float)t->columns - 2.0f * half);
        float y = kerb_random_between(&random, 2.0f * half, (float)t->rows - 2.0f * half);
        const kerb_vec2 corners[4] = {
            {x - half, y - 1.0f}, {x + 1.0f, y - half}, {x + half, y + 1.0f}, {x - 1.0f, y + half}};
        double began = milliseconds();
        kerb_planner_change_polygon(planner, 0, corners, 4, NULL);
        count_in(put, began);
        began = milliseconds();
        kerb_planner_change_polygon(planner, 0, NULL, 0, NULL);
        count_in(taken, began);
    }
}

static void bench_changes(kerb_planner* planner, const town* t) {
    timed cells[2] = {{0}}, polygons[2] = {{0}};
    change_cells(planner, t, &cells[0], &cells[1]);
    change_polygons(planner, t, &polygons[0], &polygons[1]);
    const timed rows[4] = {cells[0], cells[1], polygons[0], polygons[1]};
    const char* const names[4] = {"cells blocked", "cells as before", "polygon put",
                                  "polygon taken"};
    for (int32_t i = 0; i < 4; i++)
        printf("%d m by %d m, %-16s %.3f ms on average, %.3f ms at most\n", CHANGED, CHANGED,
               names[i], rows[i].mean, rows[i].most);
}

int main(int count, char** arguments) {
    int32_t times = count > 2 ? atoi(arguments[2]) : 1;
    float width = count > 3 ? (float)atof(arguments[3]) : 1.8f;
    town t;
    if (count <= 1 || arguments[1][0] == 0)
        t = make_town();
    else if (strcmp(arguments[1], "open") == 0)
        t = make_field();
    else if (!load_town(arguments[1], times, &t))
        return 1;
    counted memory = {.real = kerb_host_default().allocator};
    kerb_host host = kerb_host_default();
    host.allocator = (kerb_allocator){take, give, &memory};
    kerb_plan_limits limits = kerb_plan_limits_default();
    limits.width = width;
    kerb_planner_settings settings = kerb_planner_settings_default();
    kerb_plan_world world = {.cells = t.cells,
                             .columns = t.columns,
                             .rows = t.rows,
                             .cell_size = 1.0f,
                             .spare_polygons = 1,
                             .spare_corners = 4};
    kerb_planner planner;
    kerb_error error;
    if (kerb_planner_create(&planner, &limits, &settings, &host, &error) != KERB_OK)
        return 1;
    double best = 1e9;
    for (int32_t i = 0; i < ROUNDS; i++) {
        kerb_planner_set_world(&planner, NULL, NULL); // the time to release it does not count
        double began = milliseconds();
        if (kerb_planner_set_world(&planner, &world, &error) != KERB_OK)
            return 1;
        double took = milliseconds() - began;
        best = took < best ? took : best;
    }
    printf("%d x %d cells of 1 m, car %.1f m wide\n", t.columns, t.rows, (double)width);
    printf("built in %.1f ms; %.1f MB, %.1f MB while it is built\n", best,
           1e-6 * (double)planner.world_bytes, 1e-6 * (double)memory.most);
    bench_changes(&planner, &t);
    kerb_planner_destroy(&planner);
    free(t.cells);
    return 0;
}
