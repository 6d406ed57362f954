// A grid of two-way streets with two lanes each way, for tests of traffic, with routes that wander.
#ifndef KERB_TEST_GRID_CITY_H
#define KERB_TEST_GRID_CITY_H

#include "kerb/traffic.h"

enum { GRID_SIDE_MAX = 30, GRID_EDGES_MAX = 4 * GRID_SIDE_MAX * GRID_SIDE_MAX };

typedef struct grid_city {
    int32_t side, edge_count;
    float spacing;
    int32_t edge[GRID_SIDE_MAX][GRID_SIDE_MAX][4]; ///< that leaves a crossing to the east, north, …
    int32_t from_x[GRID_EDGES_MAX], from_y[GRID_EDGES_MAX], way[GRID_EDGES_MAX];
    kerb_network network;
} grid_city;

typedef enum grid_rule { GRID_SIGNALS, GRID_NEAR_SIDE, GRID_PRIORITY, GRID_ALL_STOP } grid_rule;

/// Makes the network, from the heap. Junctions are `spacing` apart.
void grid_city_make(grid_city* city, int32_t side, float spacing, grid_rule rule, bool left_hand);
void grid_city_destroy(grid_city* city);

/// A route that never turns back: edges that follow one another. Returns their number.
int32_t grid_city_route(const grid_city* city, kerb_random* random, int32_t count, int32_t* edges);

/// Vehicles whose rectangles overlap by more than 1 cm. O(vehicles), with a grid of cells.
int32_t grid_city_overlaps(const kerb_traffic* traffic, const kerb_network* network,
                           int32_t vehicles_max, int32_t* first, int32_t* second);

#endif
