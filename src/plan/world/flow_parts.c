// Purpose: where the parts of a flow lie in its block of memory.
// Idea:    flow_parts.h has the layout: one block without pointers, which may be copied.
// Cost:    O(1) each.
#include "flow_parts.h"

size_t kerb_in_plan_flow_room_bytes(const plan_flow* flow) {
    return ((size_t)flow->fine_columns * (size_t)flow->fine_rows + 3) / 4;
}

size_t kerb_in_plan_flow_side_bytes(const plan_flow* flow) {
    size_t words = ((size_t)flow->fine_columns + PLAN_WORD - 1) / PLAN_WORD;
    return 2 * (((size_t)flow->columns + 1) * (PLAN_ROOMS * 4 + 1) + words) * sizeof(uint64_t);
}

plan_flow_parts kerb_in_plan_flow_parts_of(plan_flow* flow) {
    plan_flow_parts v;
    size_t count = ((size_t)flow->columns + 1) * ((size_t)flow->rows + 1);
    v.count = (int32_t)count;
    v.sides = (uint64_t*)(void*)((char*)flow + (sizeof(plan_flow) + 7) / 8 * 8);
    v.length = (int32_t*)(void*)((char*)v.sides + kerb_in_plan_flow_side_bytes(flow));
    v.next = v.length + 2 * count;
    v.before = v.next + 2 * count;
    uint8_t* bytes = (uint8_t*)(v.before + 2 * count);
    bytes += (size_t)flow->kind * (3 * count + kerb_in_plan_flow_room_bytes(flow));
    v.price[0] = bytes;
    v.price[1] = bytes + count;
    v.split = bytes + 2 * count;
    v.room_of = bytes + 3 * count;
    return v;
}

int32_t kerb_in_plan_flow_room_at(const plan_flow_parts* v, size_t fine) {
    return v->room_of[fine / 4] >> 2 * (fine % 4) & 3;
}
