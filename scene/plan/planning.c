// The tasks of the planner's experiments: random poses, the cars, and the maps.
#include "scene/plan/planning.h"

#include <string.h>

kerb_scene_plan_task kerb_scene_plan_random(uint64_t seed, int64_t index, float radius_min,
                                            float radius_max) {
    kerb_random random = kerb_random_make(seed, (uint64_t)index);
    kerb_scene_plan_task task = {.limits = kerb_plan_limits_default()};
    kerb_plan_limits* l = &task.limits;
    l->turning_radius = kerb_random_between(&random, radius_min, radius_max);
    l->lateral_acceleration = kerb_random_between(&random, 10.0f, 20.0f);
    float distance = kerb_random_between(&random, 0.0f, 8.0f * l->turning_radius), sine, cosine;
    kerb_sin_cos(kerb_random_between(&random, -KERB_PI, KERB_PI), &sine, &cosine);
    float heading = kerb_random_between(&random, -KERB_PI, KERB_PI);
    float goal_heading = kerb_random_between(&random, -KERB_PI, KERB_PI);
    float speed = kerb_random_between(&random, 0.0f, l->speed_max);
    float goal_speed = kerb_random_between(&random, 0.0f, l->speed_max);
    task.from = kerb_plan_end_make(0.0f, 0.0f, heading, speed);
    task.to = kerb_plan_end_make(distance * cosine, distance * sine, goal_heading, goal_speed);
    return task;
}

kerb_plan_limits kerb_scene_plan_cell_car(void) {
    kerb_plan_limits limits = kerb_plan_limits_default();
    limits.turning_radius = 2.0f;
    limits.reverse_speed_max = 2.0f;
    limits.front = 1.6f;
    limits.rear = 0.4f;
    limits.width = 0.9f;
    return limits;
}

kerb_plan_limits kerb_scene_plan_parking_car(void) {
    kerb_plan_limits limits = kerb_plan_limits_default();
    limits.turning_radius = 2.8f / kerb_tan(0.75f);
    limits.speed_max = limits.reverse_speed_max = 2.5f;
    limits.acceleration = limits.braking = 1.0f;
    limits.reverse_acceleration = limits.reverse_braking = 1.0f;
    limits.reversal_time = 0.0f;
    limits.front = 2.8f + 0.96f;
    limits.rear = 0.929f;
    limits.width = 1.942f;
    return limits;
}

// --------------------------------------------------------------------------- blocks

#define BLOCKS_EXTENT ((float)KERB_SCENE_PLAN_BLOCKS_SIDE * KERB_SCENE_PLAN_BLOCKS_CELL)
#define BLOCKS_INSET 5.0f // of start and goal from their corners [m]
#define BLOCKS_KEPT_CLEAR 10.0f
#define BLOCKS_LEAST 4.0f
#define BLOCKS_MOST 12.0f

typedef struct planning_block {
    kerb_pose middle;
    kerb_vec2 half;
} planning_block;

static kerb_vec2 seen_from(const planning_block* b, kerb_vec2 place) {
    kerb_vec2 away = kerb_vec2_sub(place, b->middle.position);
    return kerb_vec2_make(kerb_vec2_dot(b->middle.forward, away),
                          kerb_vec2_cross(b->middle.forward, away));
}

// 0 inside.
static float planning_distance_to(const planning_block* b, kerb_vec2 place) {
    kerb_vec2 seen = seen_from(b, place);
    float x = kerb_max(kerb_abs(seen.x) - b->half.x, 0.0f);
    float y = kerb_max(kerb_abs(seen.y) - b->half.y, 0.0f);
    return kerb_sqrt(x * x + y * y);
}

static planning_block random_block(kerb_random* random) {
    planning_block b;
    float x = kerb_random_between(random, 0.0f, BLOCKS_EXTENT);
    float y = kerb_random_between(random, 0.0f, BLOCKS_EXTENT);
    float heading = kerb_random_between(random, -KERB_PI, KERB_PI);
    b.middle = kerb_pose_make(x, y, heading);
    b.half.x = 0.5f * kerb_random_between(random, BLOCKS_LEAST, BLOCKS_MOST);
    b.half.y = 0.5f * kerb_random_between(random, BLOCKS_LEAST, BLOCKS_MOST);
    return b;
}

static void mark_cells(const planning_block* b, uint8_t* cells) {
    for (int32_t y = 0; y < KERB_SCENE_PLAN_BLOCKS_SIDE; y++)
        for (int32_t x = 0; x < KERB_SCENE_PLAN_BLOCKS_SIDE; x++) {
            kerb_vec2 middle = {((float)x + 0.5f) * KERB_SCENE_PLAN_BLOCKS_CELL,
                                ((float)y + 0.5f) * KERB_SCENE_PLAN_BLOCKS_CELL};
            kerb_vec2 seen = seen_from(b, middle);
            if (kerb_abs(seen.x) <= b->half.x && kerb_abs(seen.y) <= b->half.y)
                cells[y * KERB_SCENE_PLAN_BLOCKS_SIDE + x] = 255;
        }
}

void kerb_scene_plan_blocks_make(uint64_t seed, int64_t index, kerb_scene_plan_blocks* blocks) {
    kerb_random random = kerb_random_make(seed, (uint64_t)index);
    float far = BLOCKS_EXTENT - BLOCKS_INSET;
    memset(blocks, 0, sizeof *blocks);
    blocks->task.limits = kerb_plan_limits_default();
    blocks->task.from = kerb_plan_end_make(BLOCKS_INSET, BLOCKS_INSET, 0.25f * KERB_PI, 0.0f);
    blocks->task.to = kerb_plan_end_make(far, far, 0.25f * KERB_PI, 0.0f);
    blocks->world = (kerb_plan_world){.cells = blocks->cells,
                                      .columns = KERB_SCENE_PLAN_BLOCKS_SIDE,
                                      .rows = KERB_SCENE_PLAN_BLOCKS_SIDE,
                                      .cell_size = KERB_SCENE_PLAN_BLOCKS_CELL,
                                      .box_max = {BLOCKS_EXTENT, BLOCKS_EXTENT}};
    for (int32_t i = 0; i < KERB_SCENE_PLAN_BLOCKS;) {
        planning_block b = random_block(&random);
        if (planning_distance_to(&b, blocks->task.from.pose.position) < BLOCKS_KEPT_CLEAR ||
            planning_distance_to(&b, blocks->task.to.pose.position) < BLOCKS_KEPT_CLEAR)
            continue;
        mark_cells(&b, blocks->cells);
        i++;
    }
}
