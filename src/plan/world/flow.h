// A lower bound of the distance to the goals round the obstacles, as if the vehicle could turn on
// the spot anywhere. Private to the room.
#ifndef KERB_IN_PLAN_WORLD_FLOW_H
#define KERB_IN_PLAN_WORLD_FLOW_H

#include "regions.h"

// Head of a block without pointers. Data of the corners of its cells follow it.
typedef struct plan_flow {
    int32_t columns, rows;
    int32_t group;                   // cells of the field along a side of a coarse cell
    int32_t fine_columns, fine_rows; // of the field
    float cell;                      // [m]
    float per_cell;                  // 1 / cell
    kerb_vec2 origin;
    bool has_splits[2]; // of each kind: somewhere a wall runs between open cells
    int32_t splits[2];  // corners where one does
    int32_t kind;       // 0: prices of a guide, 1: of a bound
    int32_t level;      // all corners nearer than this are final [tenths of a cell]
    int32_t waiting;    // corners that are reached but not final
    int32_t bucket[32]; // first waiting corner of each level modulo 32; -1: none
} plan_flow;

// Layout with cells of about `cell` metres, larger where they would be too many.
plan_flow kerb_in_plan_flow_layout(const plan_world* world, float cell, int32_t cells_max);
// 30 per cell, half a byte per cell of the field, and the head.
size_t kerb_in_plan_flow_bytes(const plan_flow* layout);
// Marks the cells that the rear axle may reach: those where the largest circle about it that fits
// into the outline is free. Paths lead only between cells that are joined, however thin the wall
// between them is. Called once for all queries; call kerb_in_plan_flow_begin before asking. O(cells
// of the field)
void kerb_in_plan_flow_create(void* block, const plan_flow* layout, const plan_world* world,
                              const plan_regions* regions);
// Brings the block up to date after the world's field and the open cells have changed within a
// window of the field. Searches must begin anew. O(cells of the window)
void kerb_in_plan_flow_mend(plan_flow* flow, const plan_world* world, const plan_regions* regions,
                            plan_window window);
// Distance from an obstacle beyond which it has no effect on a flow, except through what it cuts
// off. [m]
float kerb_in_plan_flow_reach(const plan_world* world);
// Begins a search without goals. `surely`: every cell that might be reachable counts as open, so
// that distances are bounds. Otherwise only cells that are likely reachable do, and paths beside
// walls cost more: distances are then a guide. O(cells)
void kerb_in_plan_flow_begin(plan_flow* flow, bool surely);
void kerb_in_plan_flow_goal(plan_flow* flow, kerb_vec2 place);

// Distance to the nearest goal. Of a bound: no path is shorter; KERB_NO_CURVE: there is no path.
// Searches only as far as the answer needs: O(1) where it is known, otherwise O(cells nearer to a
// goal). [m]
float kerb_in_plan_flow_distance(plan_flow* flow, kerb_vec2 place);

// The corners of the shortest way along the grid from a place to the nearest goal. Returns their
// number; 0: there is no way, or it has more than `most`. O(corners)
int32_t kerb_in_plan_flow_way(plan_flow* flow, kerb_vec2 place, kerb_vec2* points, int32_t most);

// The corner of the grid's cells that is nearest to a place. Places outside the grid are clamped to
// it.
typedef struct plan_flow_spot {
    int32_t corner; // row by row
    float away;     // distance from it [cells]
} plan_flow_spot;

plan_flow_spot kerb_in_plan_flow_spot_at(const plan_flow* flow, kerb_vec2 place);

// The lengths that are known by now, for callers that ask often. Valid while the goals are the
// same.
typedef struct plan_flow_known {
    const int32_t* length; // of each corner [tenths of a cell]
    const uint8_t* split;  // not 0: a wall runs through it
    float cell;            // [m]; 0: there is no grid
} plan_flow_known;

plan_flow_known kerb_in_plan_flow_what_is_known(plan_flow* flow);

// Cells per tenth, at least: a straight line that is 10 u + 14 v tenths long along sides and
// diagonals is at least that many tenths over 10 · √(1 + 0.4²). [cells]
#define PLAN_FLOW_SHORTEST (1.0f / 10.7703296f)

// kerb_in_plan_flow_distance() for a corner with a final length and no wall through it. A goal is
// at most half a diagonal away from its own corner.
float kerb_in_plan_flow_metres(int32_t length, float away, float cell);

// kerb_in_plan_flow_distance() for a place whose spot is known already.
float kerb_in_plan_flow_distance_from(plan_flow* flow, const plan_flow_known* known,
                                      plan_flow_spot spot, kerb_vec2 place);

#endif
