#include "scene/planning.h"

scene_plan_task scene_plan_random(uint64_t seed, int64_t index, float radius_min,
                                  float radius_max) {
    kerb_random random = kerb_random_make(seed, (uint64_t)index);
    scene_plan_task task = {.limits = kerb_plan_limits_default()};
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
