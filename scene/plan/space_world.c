// Purpose: random obstacles in space.
// Idea:    Boxes at random places; every second one reaches to the floor. The height field has the
//          tops of boxes that stand; the octree is made from the boxes, eight levels deep.
// Cost:    O(boxes · nodes).
#include "scene/plan/space_world.h"

#include <string.h>

// Levels of the octree: cubes of a 64th of the volume.
#define SPACE_LEVELS 6

static kerb_space_box random_box(const kerb_space_world* w, float radius, float height, bool stands,
                                 kerb_random* random) {
    kerb_vec3 middle = {kerb_random_between(random, w->min.x, w->max.x),
                        kerb_random_between(random, w->min.y, w->max.y),
                        kerb_random_between(random, w->min.z, w->max.z)};
    kerb_vec3 half = {radius * kerb_random_between(random, 0.03f, 0.125f),
                      radius * kerb_random_between(random, 0.03f, 0.125f),
                      height * kerb_random_between(random, 0.06f, 0.25f)};
    kerb_space_box box = {kerb_vec3_sub(middle, half), kerb_vec3_add(middle, half)};
    if (stands)
        box.min.z = w->min.z;
    return box;
}

static void fill_ground(kerb_scene_space_world* s, int32_t count) {
    kerb_space_world* w = &s->world;
    w->heights = s->heights;
    w->columns = w->rows = KERB_SCENE_SPACE_CELLS;
    w->cell_size = (w->max.x - w->min.x) / (float)KERB_SCENE_SPACE_CELLS;
    w->ground_origin = kerb_vec2_make(w->min.x, w->min.y);
    for (int32_t i = 0; i < w->columns * w->rows; i++) {
        int32_t column = i % w->columns, row = i / w->columns;
        float x = w->min.x + w->cell_size * ((float)column + 0.5f);
        float y = w->min.y + w->cell_size * ((float)row + 0.5f);
        s->heights[i] = w->min.z;
        for (int32_t b = 0; b < count; b++) {
            const kerb_space_box* box = &s->boxes[b];
            if (x > box->min.x && x < box->max.x && y > box->min.y && y < box->max.y)
                s->heights[i] = kerb_max(s->heights[i], box->max.z);
        }
    }
}

// What boxes do to a cube: free, blocked where one holds all of it, or 2: in part.
static uint32_t cube_state(const kerb_scene_space_world* s, int32_t count, kerb_vec3 low,
                           float size) {
    uint32_t state = KERB_OCTREE_FREE;
    kerb_vec3 high = {low.x + size, low.y + size, low.z + size};
    for (int32_t i = 0; i < count; i++) {
        const kerb_space_box* b = &s->boxes[i];
        if (b->max.x <= low.x || b->max.y <= low.y || b->max.z <= low.z || b->min.x >= high.x ||
            b->min.y >= high.y || b->min.z >= high.z)
            continue;
        if (b->min.x <= low.x && b->min.y <= low.y && b->min.z <= low.z && b->max.x >= high.x &&
            b->max.y >= high.y && b->max.z >= high.z)
            return KERB_OCTREE_BLOCKED;
        state = 2;
    }
    return state;
}

// Fills the node at the end of the array and those below it; returns its index.
static uint32_t fill_node(kerb_scene_space_world* s, int32_t count, kerb_vec3 low, float size,
                          int32_t level) {
    uint32_t node = (uint32_t)s->world.octree_nodes++;
    float half = 0.5f * size;
    for (uint32_t c = 0; c < 8; c++) {
        kerb_vec3 least = {low.x + (c & 1u ? half : 0.0f), low.y + (c & 2u ? half : 0.0f),
                           low.z + (c & 4u ? half : 0.0f)};
        uint32_t state = cube_state(s, count, least, half);
        bool full = s->world.octree_nodes >= KERB_SCENE_SPACE_NODES;
        if (state == 2)
            state = level + 1 >= SPACE_LEVELS || full
                        ? KERB_OCTREE_BLOCKED
                        : fill_node(s, count, least, half, level + 1) + 1;
        s->octree[(size_t)node * 8 + c] = state;
    }
    return node;
}

void kerb_scene_space_make(kerb_scene_space_world* s, kerb_scene_space_form form, int32_t count,
                           float radius, float height, kerb_random* random) {
    kerb_space_world* w = &s->world;
    memset(w, 0, sizeof *w);
    w->min = kerb_vec3_make(-1.3f * radius, -1.3f * radius, -1.3f * height);
    w->max = kerb_vec3_make(1.3f * radius, 1.3f * radius, 1.3f * height);
    bool ground = form == KERB_SCENE_SPACE_GROUND;
    for (int32_t i = 0; i < count; i++)
        s->boxes[i] = random_box(w, radius, height, ground || i % 2 == 0, random);
    if (form == KERB_SCENE_SPACE_BOXES) {
        w->boxes = s->boxes;
        w->box_count = count;
    } else if (ground) {
        fill_ground(s, count);
    } else {
        w->octree = s->octree;
        w->octree_origin = w->min;
        w->octree_size = w->max.x - w->min.x;
        fill_node(s, count, w->octree_origin, w->octree_size, 0);
    }
}

bool kerb_scene_space_is_free(const kerb_scene_space_world* s, const kerb_kind* kind,
                              const float* state) {
    kerb_kind_ball balls[KERB_KIND_BALLS_MAX];
    int32_t count = kind->space->balls(kind->vehicle, state, balls);
    for (int32_t i = 0; i < count; i++) {
        balls[i].radius *= 1.1f;
        if (!kerb_space_world_is_free(&s->world, &balls[i]))
            return false;
    }
    return true;
}
