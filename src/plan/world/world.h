// What stands in the way of a planned movement, and whether a vehicle's footprint is free of it.
// Private to the room.
//
//     world.c       the block of memory: obstacles copied, cells marked
//     field.c       how far each place is from the nearest obstacle, at least
//     footprint.c   one pose, exactly; a whole arc, without gaps between samples
//     price.c       what an arc costs beside its time
//     flow.c        how far it is to the goal round the obstacles, at least
//
// A plan_world is one block without pointers: copy it and the copy works.
#ifndef KERB_IN_PLAN_WORLD_WORLD_H
#define KERB_IN_PLAN_WORLD_WORLD_H

#include "kerb/plan.h"

// The rectangle that must stay free, margin in it, from the rear axle. [m]
typedef struct plan_outline {
    float front, rear, half_width;
} plan_outline;

#define PLAN_CIRCLES_MAX 12

// Head of the block. Offsets count bytes from the head; 0: not there.
typedef struct plan_world {
    size_t bytes;
    plan_outline outline;

    // Circles along the middle line that cover the outline.
    int32_t circles;
    float circle_first, circle_spacing, circle_radius; // [m]
    float round_radius;                                // of one circle that covers it all
    float reach;                                       // from the rear axle to the farthest corner

    bool boxed; // the outline must stay between these corners
    kerb_vec2 least, most;

    // Occupancy, a bit a cell, row by row in whole words.
    int32_t columns, rows, words; // words of a row
    float cell;                   // [m]
    kerb_vec2 origin;
    size_t bits;

    // Polygons: their vertices, and where each ends.
    int32_t polygons, vertices;
    size_t vertex, polygon_end, polygon_box;

    // The field: in each cell the least distance to an obstacle from anywhere in it, in half cells,
    // rounded down, 255 for as far and more.
    int32_t field_columns, field_rows;
    float field_cell, field_per_metre;
    kerb_vec2 field_origin;
    size_t field;

    // Prices of a metre, a byte a cell: `price` seconds where it is 255.
    int32_t price_columns, price_rows;
    float price_cell, price; // [m], [s/m]
    kerb_vec2 price_origin;
    size_t prices;

    bool (*is_free)(void* context, kerb_pose pose);
    void* context;
} plan_world;

// Bytes of the block for these obstacles, scratch for building it apart; the head says all.
plan_world kerb_in_plan_world_layout(const kerb_plan_world* given, const plan_outline* outline,
                                     int32_t field_cells_max);
// Bytes of the scratch that kerb_in_plan_world_build needs meanwhile.
size_t kerb_in_plan_world_scratch(const plan_world* layout);
// Fills the block, which has layout->bytes, aligned to 8. O(cells + vertices)
void kerb_in_plan_world_build(void* block, const plan_world* layout, const kerb_plan_world* given,
                              void* scratch);

static inline const void* plan_world_at(const plan_world* world, size_t offset) {
    return (const char*)world + offset;
}

// Any bit of a row from `first` to `last`.
static inline bool plan_any_bit(const uint64_t* words, int32_t first, int32_t last) {
    uint64_t from = ~(uint64_t)0 << (first & 63), to = ~(uint64_t)0 >> (63 - (last & 63));
    int32_t i = first >> 6, end = last >> 6;
    if (i == end)
        return (words[i] & from & to) != 0;
    if (words[i] & from)
        return true;
    while (++i < end)
        if (words[i])
            return true;
    return (words[end] & to) != 0;
}

// Cells of one row from `left` to `right`.
static inline bool plan_world_row_free(const plan_world* world, const uint64_t* bits, int32_t row,
                                       float left, float right) {
    int32_t from = (int32_t)kerb_max(left, 0.0f);
    int32_t to = (int32_t)kerb_min(right, (float)(world->columns - 1));
    return from > to || right <= 0.0f ||
           !plan_any_bit(bits + (size_t)row * (size_t)world->words, from, to);
}

// Marks field cells' distances from the obstacles that `blocked` (a byte a cell) says. field.c
void kerb_in_plan_field_measure(uint8_t* field, const uint8_t* blocked, int32_t columns,
                                int32_t rows, void* scratch);
size_t kerb_in_plan_field_scratch(int32_t columns, int32_t rows);

// What an arc costs beside its time, length negative: in reverse. O(length in cells) price.c [s]
float kerb_in_plan_world_toll(const plan_world* world, kerb_pose from, float curvature,
                              float length);

// At least so far is it from here to the nearest obstacle; 0 also where nothing is known. [m]
float kerb_in_plan_world_clearance(const plan_world* world, kerb_vec2 place);
// Whether no obstacle comes nearer than `radius` to a place; the box does not count. Exact.
bool kerb_in_plan_world_disc_free(const plan_world* world, kerb_vec2 middle, float radius);

// Whether the outline, `further` wider all round, is free where its rear axle stands at the pose.
bool kerb_in_plan_world_pose_free(const plan_world* world, kerb_pose pose, float further);
// Whether it is all along an arc; length negative: in reverse. No gaps: what lies between samples
// is covered too. Gaps with less than `least_room` to spare may count as closed. [m > 0]
// O(length over clearance)
bool kerb_in_plan_world_arc_free(const plan_world* world, kerb_pose from, float curvature,
                                 float length, float least_room);

#endif
