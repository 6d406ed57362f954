// How far it is to the goals round the obstacles, at least: for something that can turn anywhere.
// Private to the room.
#ifndef KERB_IN_PLAN_WORLD_FLOW_H
#define KERB_IN_PLAN_WORLD_FLOW_H

#include "regions.h"

// Head of a block without pointers; what is known of the corners of its cells follows.
typedef struct plan_flow {
    int32_t columns, rows;
    int32_t group;                   // cells of the field along a side
    int32_t fine_columns, fine_rows; // of the field
    float cell;                      // [m]
    float per_cell;
    kerb_vec2 origin;
    bool has_splits[2]; // of each kind: somewhere walls run between open cells
    int32_t kind;       // of prices: 0: a guide's, 1: a bound's
    int32_t level;      // all corners nearer than that are final [tenths of a cell]
    int32_t waiting;    // corners that are reached and not final
    int32_t bucket[32]; // first waiting corner of each level, modulo; -1: none
} plan_flow;

// Cells of about `cell` metres, larger where they would be too many.
plan_flow kerb_in_plan_flow_layout(const plan_world* world, float cell, int32_t cells_max);
// 30 a cell, a half for each of the field's, and the head.
size_t kerb_in_plan_flow_bytes(const plan_flow* layout);
// Marks the cells that the rear axle may reach: those with room for the circle that fits into the
// outline round it. Ways lead only from cells to cells that they are joined with, however thin the
// wall between them. Once for all queries; begin before asking. O(cells of the field)
void kerb_in_plan_flow_create(void* block, const plan_flow* layout, const plan_world* world,
                              const plan_regions* regions);
// No goals yet. `surely`: all cells that might be reached are, so that distances are bounds; else
// those that likely are, and ways beside walls count for more: a guide. O(cells), quick
void kerb_in_plan_flow_begin(plan_flow* flow, bool surely);
void kerb_in_plan_flow_goal(plan_flow* flow, kerb_vec2 place);

// Of a bound: no way from here to the nearest goal is shorter. KERB_NO_CURVE: there is none at all.
// Finds what it needs to know, and no more: O(1) where known, else O(cells nearer to a goal). [m]
float kerb_in_plan_flow_distance(plan_flow* flow, kerb_vec2 place);

// Where a place is among the corners of the grid's cells: the nearest one. Places beyond the grid
// are held to it.
typedef struct plan_flow_spot {
    int32_t corner; // row by row
    float away;     // from it [cells]
} plan_flow_spot;

static inline plan_flow_spot plan_flow_spot_at(const plan_flow* flow, kerb_vec2 place) {
    float x = (place.x - flow->origin.x) * flow->per_cell;
    float y = (place.y - flow->origin.y) * flow->per_cell;
    x = kerb_clamp(x, 0.0f, (float)flow->columns);
    y = kerb_clamp(y, 0.0f, (float)flow->rows);
    int32_t column = (int32_t)(x + 0.5f), row = (int32_t)(y + 0.5f);
    float aside = x - (float)column, above = y - (float)row;
    plan_flow_spot spot = {row * (flow->columns + 1) + column,
                           kerb_sqrt(aside * aside + above * above)};
    return spot;
}

// What is known of corners by now, for who asks often; stays true while the goals are the same.
typedef struct plan_flow_known {
    const int32_t* length; // of each corner [tenths of a cell]
    const uint8_t* split;  // not 0: a wall runs through it
    float cell;            // [m]; 0: there is no grid
} plan_flow_known;

plan_flow_known kerb_in_plan_flow_what_is_known(plan_flow* flow);

// Ways of 10 and 14 over straight ones, at most: sqrt(1 + 0.4²)/10, in cells.
#define PLAN_FLOW_SHORTEST (1.0f / 10.7703296f)

// kerb_in_plan_flow_distance() of a corner that no wall runs through and whose length is final. A
// goal is at most half a diagonal from its own corner.
static inline float plan_flow_metres(int32_t length, float away, float cell) {
    float cells = (float)length * PLAN_FLOW_SHORTEST - away - 0.70710678f;
    return kerb_max(cells, 0.0f) * cell;
}

// The same as kerb_in_plan_flow_distance() for a place whose spot was found before.
static inline float plan_flow_distance_from(plan_flow* flow, const plan_flow_known* known,
                                            plan_flow_spot spot, kerb_vec2 place) {
    if (!(known->cell > 0.0f))
        return 0.0f;
    int32_t length = known->length[spot.corner];
    if (known->split[spot.corner] != 0 || length >= flow->level)
        return kerb_in_plan_flow_distance(flow, place);
    return plan_flow_metres(length, spot.away, known->cell);
}

#endif
