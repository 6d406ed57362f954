// Purpose: balls against boxes, height field and octree.
// Idea:    All solids are boxes along the axes. A ball meets a box when its nearest point is within
//          the radius. Of the height field only cells under the ball count; an octree is walked
//          down where its cubes meet the ball.
// Cost:    O(boxes + cells under the ball + nodes that meet it).
#include "kerb/plan_space.h"

#include "../../base/shared.h"

// Deepest level of an octree that is looked at. [1]
#define SOLIDS_DEPTH 20
// Greatest coordinate of the volume. [m]
#define SOLIDS_FAR 1e6f

static float solid_outside(float x, float low, float high) {
    return kerb_max(kerb_max(low - x, x - high), 0.0f);
}

static bool solid_meets(const kerb_kind_ball* b, kerb_vec3 low, kerb_vec3 high) {
    float x = solid_outside(b->middle.x, low.x, high.x);
    float y = solid_outside(b->middle.y, low.y, high.y);
    float z = solid_outside(b->middle.z, low.z, high.z);
    return x * x + y * y + z * z < b->radius * b->radius;
}

static int32_t solid_cell(float place, float origin, float size, int32_t count) {
    return (int32_t)kerb_clamp(floorf((place - origin) / size), 0.0f, (float)(count - 1));
}

static bool meets_ground(const kerb_space_world* w, const kerb_kind_ball* b) {
    float size = w->cell_size, r = b->radius;
    kerb_vec2 origin = w->ground_origin;
    int32_t west = solid_cell(b->middle.x - r, origin.x, size, w->columns);
    int32_t east = solid_cell(b->middle.x + r, origin.x, size, w->columns);
    int32_t south = solid_cell(b->middle.y - r, origin.y, size, w->rows);
    int32_t north = solid_cell(b->middle.y + r, origin.y, size, w->rows);
    for (int32_t row = south; row <= north; row++)
        for (int32_t column = west; column <= east; column++) {
            float height = w->heights[(size_t)row * (size_t)w->columns + (size_t)column];
            kerb_vec3 low = {origin.x + size * (float)column, origin.y + size * (float)row, -1e30f};
            kerb_vec3 high = {origin.x + size * (float)(column + 1),
                              origin.y + size * (float)(row + 1), height};
            if (height > b->middle.z - r && solid_meets(b, low, high))
                return true;
        }
    return false;
}

// Recursion ends: nodes refer to later nodes only, and at SOLIDS_DEPTH.
static bool meets_octree(const kerb_space_world* w, const kerb_kind_ball* b, uint32_t node,
                         kerb_vec3 low, float size, int32_t depth) {
    float half = 0.5f * size;
    for (uint32_t c = 0; c < 8; c++) {
        uint32_t what = w->octree[(size_t)node * 8 + c];
        kerb_vec3 least = {low.x + (c & 1u ? half : 0.0f), low.y + (c & 2u ? half : 0.0f),
                           low.z + (c & 4u ? half : 0.0f)};
        kerb_vec3 most = {least.x + half, least.y + half, least.z + half};
        if (what == KERB_OCTREE_FREE || !solid_meets(b, least, most))
            continue;
        if (what == KERB_OCTREE_BLOCKED || depth >= SOLIDS_DEPTH ||
            meets_octree(w, b, what - 1, least, half, depth + 1))
            return true;
    }
    return false;
}

static bool leaves_volume(const kerb_space_world* w, const kerb_kind_ball* b) {
    float r = b->radius;
    return b->middle.x - r < w->min.x || b->middle.y - r < w->min.y || b->middle.z - r < w->min.z ||
           b->middle.x + r > w->max.x || b->middle.y + r > w->max.y || b->middle.z + r > w->max.z;
}

bool kerb_space_world_is_free(const kerb_space_world* world, const kerb_kind_ball* ball) {
    KERB_ASSERT(world && ball);
    if (leaves_volume(world, ball))
        return false;
    for (int32_t i = 0; i < world->box_count; i++)
        if (solid_meets(ball, world->boxes[i].min, world->boxes[i].max))
            return false;
    if (world->heights && meets_ground(world, ball))
        return false;
    return !world->octree ||
           !meets_octree(world, ball, 0, world->octree_origin, world->octree_size, 0);
}

// --------------------------------------------------------------------------- validation

static kerb_result solid_wrong(kerb_error* error, const char* field, int32_t index,
                               const char* message) {
    return kerb_error_set(error, KERB_ERROR_OUT_OF_RANGE, field, 0, index, message);
}

static bool solid_is_ordered(kerb_vec3 low, kerb_vec3 high) {
    return low.x <= high.x && low.y <= high.y && low.z <= high.z; // false for NaN
}

static kerb_result validate_ground(const kerb_space_world* w, kerb_error* error) {
    if (!w->heights)
        return KERB_OK;
    if (w->columns < 1 || w->columns > KERB_PLAN_CELLS_MAX)
        return solid_wrong(error, "columns", -1, "must be 1 to 32768");
    if (w->rows < 1 || w->rows > KERB_PLAN_CELLS_MAX)
        return solid_wrong(error, "rows", -1, "must be 1 to 32768");
    if (!(w->cell_size > 0.0f && w->cell_size <= SOLIDS_FAR))
        return solid_wrong(error, "cell_size", -1, "must be above 0, up to 1e6 m");
    if (!(kerb_abs(w->ground_origin.x) <= SOLIDS_FAR && kerb_abs(w->ground_origin.y) <= SOLIDS_FAR))
        return solid_wrong(error, "ground_origin", -1, "must be within 1e6 m");
    for (int32_t i = 0; i < w->columns * w->rows; i++)
        if (!kerb_is_finite(w->heights[i]))
            return kerb_error_set(error, KERB_ERROR_NOT_FINITE, "heights", 0, i,
                                  "must be finite numbers");
    return KERB_OK;
}

static kerb_result validate_octree(const kerb_space_world* w, kerb_error* error) {
    if (!w->octree)
        return KERB_OK;
    if (w->octree_nodes < 1 || w->octree_nodes > 1000000)
        return solid_wrong(error, "octree_nodes", -1, "must be 1 to 1e6");
    if (!(w->octree_size > 0.0f && w->octree_size <= SOLIDS_FAR))
        return solid_wrong(error, "octree_size", -1, "must be above 0, up to 1e6 m");
    if (!kerb_vec3_is_finite(w->octree_origin))
        return solid_wrong(error, "octree_origin", -1, "must be finite numbers");
    for (int32_t n = 0; n < w->octree_nodes; n++)
        for (int32_t c = 0; c < 8; c++) {
            uint32_t what = w->octree[(size_t)n * 8 + (size_t)c];
            if (what > KERB_OCTREE_BLOCKED &&
                (what - 1 <= (uint32_t)n || what - 1 >= (uint32_t)w->octree_nodes))
                return solid_wrong(error, "octree", n, "must refer to a later node");
        }
    return KERB_OK;
}

kerb_result kerb_space_world_validate(const kerb_space_world* world, kerb_error* error) {
    KERB_ASSERT(world);
    const kerb_vec3 least = {-SOLIDS_FAR, -SOLIDS_FAR, -SOLIDS_FAR};
    const kerb_vec3 most = {SOLIDS_FAR, SOLIDS_FAR, SOLIDS_FAR};
    if (!(world->min.x < world->max.x && world->min.y < world->max.y &&
          world->min.z < world->max.z && solid_is_ordered(least, world->min) &&
          solid_is_ordered(world->max, most)))
        return solid_wrong(error, "max", -1, "must be above min, both within 1e6 m");
    if (world->box_count < 0 || world->box_count > 100000)
        return solid_wrong(error, "box_count", -1, "must be 0 to 1e5");
    if (world->box_count > 0 && !world->boxes)
        return kerb_error_set(error, KERB_ERROR_MISSING_FIELD, "boxes", 0, -1,
                              "must be an array of box_count boxes");
    for (int32_t i = 0; i < world->box_count; i++)
        if (!solid_is_ordered(world->boxes[i].min, world->boxes[i].max) ||
            !kerb_vec3_is_finite(world->boxes[i].min) || !kerb_vec3_is_finite(world->boxes[i].max))
            return solid_wrong(error, "boxes", i, "must have finite corners, min up to max");
    kerb_result result = validate_ground(world, error);
    return result == KERB_OK ? validate_octree(world, error) : result;
}
