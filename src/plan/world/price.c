// Purpose: the cost of the ground in addition to the time: grass, a bus lane, somebody's yard.
// Idea:    A grid holds a price per metre. It is summed along the path of the rear axle, in the
//          middles of steps that are short against a cell, so that a path gains nothing by stepping
//          across the corners of cells.
// Cost:    O(length / cell), 10 steps per cell.
#include "world.h"

#include "../../curve/shared.h"

// Step over cell. Ten steps per cell suit the 2 % and half a cell that kerb_plan_check accepts. [1]
#define PRICE_STEP 0.1f
// Greatest number of steps of an arc, which limits the cost of arcs over 400 cells long. [1]
#define PRICE_STEPS_MOST 4096

static float plan_price_at(const plan_world* world, kerb_vec2 place) {
    float x = floorf((place.x - world->price_origin.x) / world->price_cell);
    float y = floorf((place.y - world->price_origin.y) / world->price_cell);
    if (!(x >= 0.0f && y >= 0.0f && x < (float)world->price_columns &&
          y < (float)world->price_rows))
        return 0.0f;
    const uint8_t* prices = kerb_in_plan_world_at(world, world->prices);
    size_t at = (size_t)y * (size_t)world->price_columns + (size_t)x;
    return world->price * (float)prices[at] * (1.0f / 255.0f);
}

float kerb_in_plan_world_toll(const plan_world* world, kerb_pose from, float curvature,
                              float length) {
    if (world->prices == 0)
        return 0.0f;
    float size = kerb_abs(length);
    float count =
        kerb_min(floorf(size / (PRICE_STEP * world->price_cell)) + 1.0f, (float)PRICE_STEPS_MOST);
    float sum = 0.0f, step = length / count;
    kerb_pose by = curve_moved(kerb_pose_make(0.0f, 0.0f, 0.0f), curvature, step);
    kerb_pose at = curve_moved(from, curvature, 0.5f * step);
    for (int32_t i = 0; (float)i < count; i++) {
        kerb_vec2 f = at.forward, p = by.position, turn = by.forward;
        sum += plan_price_at(world, at.position);
        at.position.x += f.x * p.x - f.y * p.y;
        at.position.y += f.y * p.x + f.x * p.y;
        at.forward = kerb_vec2_make(f.x * turn.x - f.y * turn.y, f.y * turn.x + f.x * turn.y);
    }
    return sum * size / count;
}
