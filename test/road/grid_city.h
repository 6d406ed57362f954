// A grid of two-way streets with two lanes each way, for tests of traffic, with routes that wander.
#ifndef KERB_TEST_GRID_CITY_H
#define KERB_TEST_GRID_CITY_H

#include "test/road/rectangles.h"

#include <stdlib.h>

enum { GRID_SIDE_MAX = 30, GRID_EDGES_MAX = 4 * GRID_SIDE_MAX * GRID_SIDE_MAX };

typedef struct grid_city {
    int32_t side, edge_count;
    float spacing;
    int32_t edge[GRID_SIDE_MAX][GRID_SIDE_MAX][4]; ///< that leaves a crossing to the east, north, …
    int32_t from_x[GRID_EDGES_MAX], from_y[GRID_EDGES_MAX], way[GRID_EDGES_MAX];
    kerb_network network;
} grid_city;

typedef enum grid_rule { GRID_SIGNALS, GRID_NEAR_SIDE, GRID_PRIORITY, GRID_ALL_STOP } grid_rule;

static const int32_t step_x[4] = {1, 0, -1, 0}, step_y[4] = {0, 1, 0, -1};

typedef struct grid_plan {
    kerb_network_plan plan;
    kerb_network_edge* edges;
    kerb_network_lane* lanes;
    kerb_network_turn* turns;
    kerb_network_junction* junctions;
    kerb_vec3* points;
    kerb_network_signal* signals;
    kerb_network_phase* phases;
    char* states;
    bool left_hand;
} grid_plan;

static const float inset = 14.0f; // from the crossing's middle to the stop lines [m]

static void add_edge(grid_city* city, grid_plan* p, int32_t x, int32_t y, int32_t d) {
    int32_t to_x = x + step_x[d], to_y = y + step_y[d];
    if (to_x < 0 || to_y < 0 || to_x >= city->side || to_y >= city->side)
        return;
    int32_t e = city->edge_count++, lane = p->plan.lane_count;
    city->edge[x][y][d] = e;
    city->from_x[e] = x;
    city->from_y[e] = y;
    city->way[e] = d;
    p->edges[e] = (kerb_network_edge){lane, 2, y * city->side + x, to_y * city->side + to_x, 1};
    for (int32_t k = 0; k < 2; k++) {
        float off = k == 0 ? 4.8f : 1.6f; // lane 0 is the outer one
        if (p->left_hand)
            off = -off;
        float ox = off * (float)step_y[d], oy = -off * (float)step_x[d];
        int32_t point = p->plan.point_count;
        for (int32_t i = 0; i < 2; i++) {
            float along = i == 0 ? inset : city->spacing - inset;
            p->points[p->plan.point_count++] =
                kerb_vec3_make((float)x * city->spacing + along * (float)step_x[d] + ox,
                               (float)y * city->spacing + along * (float)step_y[d] + oy, 0);
        }
        p->lanes[p->plan.lane_count++] = kerb_network_lane_at(point, 2);
    }
}

// The outer lane leads straight on and to the near side, the inner one straight on and across.
static void add_turns(grid_city* city, grid_plan* p, int32_t e, bool signals) {
    int32_t x = city->from_x[e] + step_x[city->way[e]], y = city->from_y[e] + step_y[city->way[e]];
    for (int32_t turn = -1; turn <= 1; turn++)
        for (int32_t k = 0; k < 2; k++) {
            int32_t across = p->left_hand ? -1 : 1;
            int32_t to = city->edge[x][y][(city->way[e] + turn + 4) % 4];
            // Where a street ends, both lanes lead to both sides.
            bool ends = city->edge[x][y][city->way[e]] < 0;
            if (to < 0 || (!ends && ((k == 0 && turn == across) || (k == 1 && turn == -across))))
                continue;
            bool only = (city->edge[x][y][(city->way[e] + 1) % 4] < 0) ||
                        (city->edge[x][y][(city->way[e] + 3) % 4] < 0);
            if (ends && !only && ((k == 0) == (turn == across)))
                continue;
            kerb_network_turn t = kerb_network_turn_between(2 * e + k, 2 * to + k);
            if (signals) {
                t.signal = y * city->side + x;
                t.link = 6 * city->way[e] + 2 * (turn + 1) + k;
            }
            p->turns[p->plan.turn_count++] = t;
        }
}

static void add_signal(grid_city* city, grid_plan* p, int32_t i) {
    static const float durations[6] = {25, 3, 2, 25, 3, 2};
    p->signals[i] = (kerb_network_signal){p->plan.phase_count, 6, 24,
                                          (float)(i * 7 % 60 + i / city->side), false};
    for (int32_t k = 0; k < 6; k++) {
        p->phases[p->plan.phase_count++] =
            (kerb_network_phase){durations[k], 0, 0, p->plan.state_count};
        for (int32_t link = 0; link < 24; link++) {
            bool mine = (link / 6) % 2 == k / 3;
            int32_t turn = link % 6 / 2 - 1, across = p->left_hand ? -1 : 1;
            char green = turn == across ? 'g' : 'G';
            p->states[p->plan.state_count++] =
                (char)(!mine || k % 3 == 2 ? 'r' : (k % 3 == 1 ? 'y' : green));
        }
    }
}

/// Makes the network, from the heap. Junctions are `spacing` apart.
static void grid_city_make(grid_city* city, int32_t side, float spacing, grid_rule rule,
                           bool left_hand) {
    size_t n = (size_t)(side * side);
    grid_plan p = {.left_hand = left_hand};
    *city = (grid_city){.side = side, .spacing = spacing};
    p.edges = malloc(4 * n * sizeof *p.edges);
    p.lanes = malloc(8 * n * sizeof *p.lanes);
    p.turns = malloc(48 * n * sizeof *p.turns);
    p.junctions = malloc(n * sizeof *p.junctions);
    p.points = malloc(16 * n * sizeof *p.points);
    p.signals = malloc(n * sizeof *p.signals);
    p.phases = malloc(6 * n * sizeof *p.phases);
    p.states = malloc(144 * n);
    for (int32_t x = 0; x < side; x++)
        for (int32_t y = 0; y < side; y++)
            for (int32_t d = 0; d < 4; d++)
                city->edge[x][y][d] = -1;
    for (int32_t y = 0; y < side; y++)
        for (int32_t x = 0; x < side; x++)
            for (int32_t d = 0; d < 4; d++)
                add_edge(city, &p, x, y, d);
    for (int32_t e = 0; e < city->edge_count; e++)
        add_turns(city, &p, e, rule == GRID_SIGNALS);
    for (int32_t i = 0; i < side * side; i++) {
        p.junctions[i].rule = rule == GRID_NEAR_SIDE  ? KERB_JUNCTION_NEAR_SIDE
                              : rule == GRID_ALL_STOP ? KERB_JUNCTION_ALL_STOP
                                                      : KERB_JUNCTION_PRIORITY;
        if (rule == GRID_SIGNALS)
            add_signal(city, &p, i);
    }
    p.plan.left_hand = left_hand;
    p.plan.edges = p.edges;
    p.plan.edge_count = city->edge_count;
    p.plan.lanes = p.lanes;
    p.plan.turns = p.turns;
    p.plan.junctions = p.junctions;
    p.plan.junction_count = side * side;
    p.plan.signals = p.signals;
    p.plan.signal_count = rule == GRID_SIGNALS ? side * side : 0;
    p.plan.phases = p.phases;
    p.plan.states = p.states;
    p.plan.points = p.points;
    kerb_host host = kerb_host_default();
    kerb_error error;
    if (kerb_network_create(&city->network, &p.plan, &host, &error) != KERB_OK)
        abort();
    free(p.edges);
    free(p.lanes);
    free(p.turns);
    free(p.junctions);
    free(p.points);
    free(p.signals);
    free(p.phases);
    free(p.states);
}

static void grid_city_destroy(grid_city* city) {
    kerb_network_destroy(&city->network);
}

/// A route that never turns back: edges that follow one another. Returns their number.
static int32_t grid_city_route(const grid_city* city, kerb_random* random, int32_t count,
                               int32_t* edges) {
    edges[0] = kerb_random_below(random, city->edge_count);
    for (int32_t i = 1; i < count; i++) {
        int32_t e = edges[i - 1], d = city->way[e];
        int32_t x = city->from_x[e] + step_x[d], y = city->from_y[e] + step_y[d];
        int32_t next = -1;
        while (next < 0)
            next = city->edge[x][y][(d + kerb_random_below(random, 3) + 3) % 4];
        edges[i] = next;
    }
    return count;
}

#endif
