// Static obstacles, and whether a vehicle's footprint is free of them. Private to the room.
//
//     world.c       builds the block of memory: copies obstacles, marks cells
//     change.c      new values of cells and polygons
//     marks.c       cells of the field that obstacles touch
//     field.c       distance field: lower bound of the distance to the nearest obstacle
//     footprint.c   exact test of a pose; test of a whole arc without gaps
//     price.c       cost of the ground along an arc
//     flow.c        lower bound of the distance to the goals round the obstacles
//
// A plan_world is one block without pointers into itself, so a copy of the block works.
//
// The start of a query may lie a little inside an obstacle, because a driver leaves its plan by
// some centimetres. Near such a start the outline counts as smaller: a second head, behind the
// first, has the same obstacles and the smaller outline.
#ifndef KERB_IN_PLAN_WORLD_WORLD_H
#define KERB_IN_PLAN_WORLD_WORLD_H

#include "bits.h"
#include "kerb/plan.h"

// The rectangle that must stay free, with its margin; distances from the rear axle. [m]
typedef struct plan_outline {
    float front, rear, half_width;
} plan_outline;

// Greatest number of circles that cover the outline, enough at full density for vehicles up to 6
// times as long as wide; on longer ones the circles are larger. [1]
#define PLAN_CIRCLES_MAX 12

// A polygon of the block. One without vertices has a box that nothing meets.
typedef struct plan_polygon {
    kerb_vec2 least, most; // corners of the box round it
    int32_t first, count;  // its vertices
    int32_t room;          // for so many
} plan_polygon;

// Head of the block. Offsets count bytes from the head; 0: that part does not exist.
typedef struct plan_world {
    size_t bytes;
    plan_outline outline;

    // Circles along the middle line that cover the outline.
    int32_t circles;
    float circle_first, circle_spacing, circle_radius; // [m]
    float round_radius;                                // of one circle that covers the outline
    float reach;                                       // from the rear axle to the farthest corner

    // Places within `eased_radius` of these starts count with the smaller outline.
    int32_t eased_count;
    float eased_radius; // [m]
    kerb_vec2 eased[KERB_PLAN_ENDS_MAX];

    bool boxed; // the outline must stay within the box between these corners
    kerb_vec2 least, most;

    // Occupancy grid, one bit per cell, rows of whole words.
    int32_t columns, rows, words; // words of a row
    float cell;                   // [m]
    kerb_vec2 origin;
    size_t bits;

    int32_t polygons;      // behind the last that has vertices
    int32_t polygon_count; // that there is room for
    int32_t vertices;
    size_t vertex, polygon;
    kerb_vec2 extent_least, extent_most; // of all obstacles, and of changes [m]

    // Distance field: in each cell a lower bound of the distance to an obstacle from any point of
    // the cell, in half cells, rounded down, at most 255.
    int32_t field_columns, field_rows;
    float field_cell, field_per_metre;
    kerb_vec2 field_origin;
    size_t field;
    // Cells of the field that an obstacle touches, one bit per cell, rows of whole words; and
    // memory for rows of the field that are being computed.
    int32_t field_words; // words of a row
    size_t blocked, field_rows_memory;

    // Cost map, one byte per cell: a metre costs `price` where the byte is 255.
    int32_t price_columns, price_rows;
    float price_cell, price; // [m], [s/m]
    kerb_vec2 price_origin;
    size_t prices;

    bool (*is_free)(void* context, kerb_pose pose);
    void* context;
} plan_world;

// The head of the block for these obstacles, with sizes and offsets. `bytes` is its size without
// scratch memory.
plan_world kerb_in_plan_world_layout(const kerb_plan_world* given, const plan_outline* outline,
                                     int32_t field_cells_max);
// Fills the block, which has layout->bytes, aligned to 8. O(cells + vertices)
void kerb_in_plan_world_build(void* block, const plan_world* layout, const kerb_plan_world* given);

// Writes new values of cells, which lie in the grid, into the copies of the grid and the cost map.
// Returns the window of the field in which blocked cells must be marked anew. Defined in change.c.
plan_window kerb_in_plan_world_put_cells(plan_world* world, const kerb_plan_cells* cells);
// Gives a polygon new vertices, of which there is room for so many. Writes one or two windows in
// which blocked cells must be marked anew, and returns their number.
int32_t kerb_in_plan_world_put_polygon(plan_world* world, int32_t index, const kerb_vec2* vertices,
                                       int32_t count, plan_window windows[2]);

// Makes the outline smaller by `by` near these places. [count: 0: nowhere]
void kerb_in_plan_world_ease(plan_world* world, const kerb_vec2* places, int32_t count, float by);
// The head with the smaller outline.
const plan_world* kerb_in_plan_world_eased(const plan_world* world);

static inline const void* kerb_in_plan_world_at(const plan_world* world, size_t offset) {
    return (const char*)world + offset;
}

// The same, to write there.
static inline void* kerb_in_plan_world_part(plan_world* world, size_t offset) {
    return (char*)world + offset;
}

// Whether any bit of a row from `first` to `last` is set.
bool kerb_in_plan_any_bit(const uint64_t* words, int32_t first, int32_t last);

// Whether the cells of a row from `left` to `right` are free. [cells]
bool kerb_in_plan_world_row_free(const plan_world* world, const uint64_t* bits, int32_t row,
                                 float left, float right);

// The cells of the field that the rectangle between two corners touches.
plan_window kerb_in_plan_world_window(const plan_world* w, kerb_vec2 least, kerb_vec2 most);
// Marks the blocked cells of the field within a window. Defined in marks.c.
void kerb_in_plan_world_mark(plan_world* world, plan_window window);

// Memory for rows of the field. [bytes]
size_t kerb_in_plan_field_memory(int32_t columns, int32_t rows);
// Fills the distance field from the blocked cells. Defined in field.c.
void kerb_in_plan_field_measure(plan_world* world);
// Brings the field up to date after blocked cells have changed within a window, which is not empty.
// O(cells that are nearer to it than to what stands elsewhere)
void kerb_in_plan_field_mend(plan_world* world, plan_window changed);

// Cost of the ground along an arc; a negative length is in reverse. O(length in cells). Defined in
// price.c. [s]
float kerb_in_plan_world_toll(const plan_world* world, kerb_pose from, float curvature,
                              float length);

// Lower bound of the distance to the nearest obstacle; 0 also where nothing is known. [m]
float kerb_in_plan_world_clearance(const plan_world* world, kerb_vec2 place);
// Whether no obstacle is nearer to a place than `radius`. Exact; ignores the box.
bool kerb_in_plan_world_disc_free(const plan_world* world, kerb_vec2 middle, float radius);

// Whether the outline, `further` wider on all sides, is free with its rear axle at the pose.
bool kerb_in_plan_world_pose_free(const plan_world* world, kerb_pose pose, float further);
// Whether the outline is free all along an arc; a negative length is in reverse. The test has no
// gaps between samples. Passages with a clearance below `least_room` may count as closed. [m > 0]
// O(length / clearance)
bool kerb_in_plan_world_arc_free(const plan_world* world, kerb_pose from, float curvature,
                                 float length, float least_room);
// The same along a clothoid, whose curvature changes by `slope` per metre driven. [1/m²]
bool kerb_in_plan_world_bend_free(const plan_world* world, kerb_pose from, float curvature,
                                  float slope, float length, float least_room);

#endif
