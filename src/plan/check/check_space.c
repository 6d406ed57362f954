// Purpose: the checker's test of footprints in space. It shares no code with the planner.
// Idea:    A ball is free when the nearest point of no solid is within its radius; in double
//          precision. Cells of the ground and leaves of the octree are boxes, found by walking
//          through all that may matter, without a table of distances.
// Cost:    O(boxes + cells under the footprint + nodes that meet it).
#include "check_space.h"

#include "check_parts.h"

// Errors of rounding of coordinates, as a share. [1]
#define CHECK_SPACE_ROUNDING 2e-6
// Deepest level of an octree that is looked at: cubes of a millionth of the whole. [1]
#define CHECK_OCTREE_DEPTH 20

typedef struct check_ball {
    double x, y, z, radius;
} check_ball;

static double check_outside(double x, double low, double high) {
    return x < low ? low - x : x > high ? x - high : 0.0;
}

static bool check_meets(const check_ball* b, const double low[3], const double high[3]) {
    double x = check_outside(b->x, low[0], high[0]), y = check_outside(b->y, low[1], high[1]);
    double z = check_outside(b->z, low[2], high[2]);
    return x * x + y * y + z * z < b->radius * b->radius;
}

static bool check_meets_boxes(const kerb_space_world* w, const check_ball* b) {
    for (int32_t i = 0; i < w->box_count; i++) {
        const kerb_space_box* box = &w->boxes[i];
        const double low[3] = {(double)box->min.x, (double)box->min.y, (double)box->min.z};
        const double high[3] = {(double)box->max.x, (double)box->max.y, (double)box->max.z};
        if (check_meets(b, low, high))
            return true;
    }
    return false;
}

// First or last cell that a place may be in, or beside by rounding.
static int32_t check_cell(double place, double origin, double size, int32_t count, int32_t beside) {
    double cell = (place - origin) / size + beside;
    return cell < 0.0 ? 0 : cell > count - 1 ? count - 1 : (int32_t)cell;
}

static bool check_meets_ground(const kerb_space_world* w, const check_ball* b) {
    if (!w->heights)
        return false;
    double size = (double)w->cell_size, x = (double)w->ground_origin.x;
    double y = (double)w->ground_origin.y;
    int32_t south = check_cell(b->y - b->radius, y, size, w->rows, -1);
    int32_t north = check_cell(b->y + b->radius, y, size, w->rows, 1);
    int32_t west = check_cell(b->x - b->radius, x, size, w->columns, -1);
    int32_t east = check_cell(b->x + b->radius, x, size, w->columns, 1);
    for (int32_t row = south; row <= north; row++)
        for (int32_t column = west; column <= east; column++) {
            double height = (double)w->heights[(size_t)row * (size_t)w->columns + (size_t)column];
            const double low[3] = {x + size * column, y + size * row, -1e30};
            const double high[3] = {low[0] + size, low[1] + size, height};
            if (height > b->z - b->radius && check_meets(b, low, high))
                return true;
        }
    return false;
}

// Recursion ends at the depth limit: validated octrees only refer to later nodes.
static bool check_meets_node(const kerb_space_world* w, const check_ball* b, uint32_t node,
                             const double low[3], double size, int32_t depth) {
    for (uint32_t c = 0; c < 8; c++) {
        uint32_t what = w->octree[(size_t)node * 8 + c];
        double half = 0.5 * size;
        const double least[3] = {low[0] + (c & 1u ? half : 0.0), low[1] + (c & 2u ? half : 0.0),
                                 low[2] + (c & 4u ? half : 0.0)};
        const double most[3] = {least[0] + half, least[1] + half, least[2] + half};
        if (what == KERB_OCTREE_FREE || !check_meets(b, least, most))
            continue;
        if (what == KERB_OCTREE_BLOCKED || depth >= CHECK_OCTREE_DEPTH ||
            check_meets_node(w, b, what - 1, least, half, depth + 1))
            return true;
    }
    return false;
}

static bool check_leaves(const kerb_space_world* w, const check_ball* b) {
    return b->x - b->radius < (double)w->min.x || b->x + b->radius > (double)w->max.x ||
           b->y - b->radius < (double)w->min.y || b->y + b->radius > (double)w->max.y ||
           b->z - b->radius < (double)w->min.z || b->z + b->radius > (double)w->max.z;
}

bool kerb_in_check_space(const kerb_kind* kind, const kerb_space_world* world, const float* state) {
    kerb_kind_ball balls[KERB_KIND_BALLS_MAX];
    if (!world)
        return true;
    int32_t count = kind->space->balls(kind->vehicle, state, balls);
    const double root[3] = {(double)world->octree_origin.x, (double)world->octree_origin.y,
                            (double)world->octree_origin.z};
    for (int32_t i = 0; i < count; i++) {
        check_ball b = {(double)balls[i].middle.x, (double)balls[i].middle.y,
                        (double)balls[i].middle.z, 0.0};
        b.radius = (double)balls[i].radius - PLAN_CHECK_LESS -
                   CHECK_SPACE_ROUNDING *
                       (plan_check_size(b.x) + plan_check_size(b.y) + plan_check_size(b.z));
        if (check_leaves(world, &b) || check_meets_boxes(world, &b) ||
            check_meets_ground(world, &b))
            return false;
        if (world->octree && check_meets_node(world, &b, 0, root, (double)world->octree_size, 0))
            return false;
    }
    return true;
}
