// How far it is to the goals round the obstacles, at least: for something that can turn anywhere.
// Private to the room.
#ifndef KERB_PLAN_FLOW_H
#define KERB_PLAN_FLOW_H

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
plan_flow plan_flow_layout(const plan_world* world, float cell, int32_t cells_max);
// 30 a cell, a half for each of the field's, and the head.
size_t plan_flow_bytes(const plan_flow* layout);
// Marks the cells that the rear axle may reach: those with room for the circle that fits into the
// outline round it. Ways lead only from cells to cells that they are joined with, however thin the
// wall between them. Once for all queries; begin before asking. O(cells of the field)
void plan_flow_create(void* block, const plan_flow* layout, const plan_world* world,
                      const plan_regions* regions);
// No goals yet. `surely`: all cells that might be reached are, so that distances are bounds; else
// those that likely are, and ways beside walls count for more: a guide. O(cells), quick
void plan_flow_begin(plan_flow* flow, bool surely);
void plan_flow_goal(plan_flow* flow, kerb_vec2 place);

// Of a bound: no way from here to the nearest goal is shorter. KERB_NO_WAY: there is none at all.
// Finds what it needs to know, and no more: O(1) where known, else O(cells nearer to a goal). [m]
float plan_flow_distance(plan_flow* flow, kerb_vec2 place);

#endif
