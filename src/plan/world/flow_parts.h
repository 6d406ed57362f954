// Data of the cells and corners of a flow's grid. Private to flow.c and flow_rooms.c.
//
// Cell (x, y) has the corners (x, y) to (x + 1, y + 1). Seen from a corner, the cells round it lie
// at these places:
//
//     1 | 0
//     --+--
//     3 | 2
//
// Seen from a cell, its corners have the same numbers with both axes reversed: cell 0 of a corner
// has that corner at its place 0, low and left.
//
// A room is a connected open part of a cell. A wall through a cell makes two rooms of it.
#ifndef KERB_IN_PLAN_WORLD_FLOW_PARTS_H
#define KERB_IN_PLAN_WORLD_FLOW_PARTS_H

#include "flow.h"

// Rooms of a cell that are distinguished: one on each side of a wall. More are rare; they count as
// one, which only makes paths shorter. [1]
#define PLAN_ROOMS 2

// A corner has one part, to which all rooms round it belong. Where a thin wall runs through it, it
// has a second part for the rooms on the other side. The first part has the index `corner`, the
// second `corner + count`.
typedef struct plan_flow_parts {
    int32_t count;   // of corners; arrays of cells have as many elements
    int32_t* length; // of each corner, then of each second part [tenths of a cell];
                     // INT32_MAX: not reached yet
    int32_t* next;   // neighbours in the list of the same bucket
    int32_t* before;
    uint8_t* price[PLAN_ROOMS]; // of paths through a cell's room, in halves; 0: no such room
    uint8_t* split;   // of each corner: rooms that belong to its second part; room r of the cell
                      // at place q is bit q + 4r
    uint8_t* room_of; // two bits per cell of the field: room + 1; 0: none, or the cell has only one
    uint64_t* sides;  // scratch memory of kerb_in_plan_flow_find_rooms
} plan_flow_parts;

size_t kerb_in_plan_flow_room_bytes(const plan_flow* flow);

// The sides of the rooms of two rows of cells, four numbers per room and one per cell; and two rows
// of bits of the field.
size_t kerb_in_plan_flow_side_bytes(const plan_flow* flow);

plan_flow_parts kerb_in_plan_flow_parts_of(plan_flow* flow);

int32_t kerb_in_plan_flow_room_at(const plan_flow_parts* v, size_t fine);

// Finds the rooms of all cells and the parts of all corners. O(cells of the field)
void kerb_in_plan_flow_find_rooms(plan_flow* flow, const plan_world* world,
                                  const plan_regions* regions, bool surely);

#endif
