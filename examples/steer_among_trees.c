// Steering: an agent with a turning radius of 4 m drives between trees to a goal, and stops there
// facing back.
#include <kerb/kerb.h>
#include <stdio.h>

enum { TREES = 4 };

int main(void) {
    const kerb_obstacle trees[TREES] = {kerb_obstacle_round(kerb_vec3_make(20, 1, 0), 3),
                                        kerb_obstacle_round(kerb_vec3_make(32, -9, 0), 2),
                                        kerb_obstacle_round(kerb_vec3_make(36, 14, 0), 4),
                                        kerb_obstacle_round(kerb_vec3_make(47, 0, 0), 2)};
    kerb_agent agent = {.forward = {1, 0, 0},
                        .radius = 1,
                        .turning_radius = 4,
                        .speed_max = 8,
                        .acceleration = 3,
                        .braking = 6};
    const kerb_directed_goal goal = {{70, 10, 0}, {-1, 0, 0}, 0, 4};
    kerb_directed_seek_settings seek = kerb_directed_seek_settings_default();
    kerb_avoid_obstacles_settings avoid = kerb_avoid_obstacles_settings_default();
    kerb_directed_decision decision;
    const float step = 1.0f / 60.0f;
    int steps = 0;
    do {
        kerb_steering desired = kerb_directed_seek(&seek, &agent, &goal, step, &decision);
        desired =
            kerb_avoid_obstacles(&avoid, &agent, &desired, trees, TREES, decision.distance, step);
        agent = kerb_agent_step(&agent, &desired, step); // or your engine, with kerb_steering_force
    } while (++steps < 3600 && (decision.stage != KERB_DIRECTED_AT_GOAL || agent.speed > 0.01f));
    printf("%.1f s: at %.2f, %.2f, facing %.2f, %.2f\n", (double)((float)steps * step),
           (double)agent.position.x, (double)agent.position.y, (double)agent.forward.x,
           (double)agent.forward.y);
    return steps < 3600 ? 0 : 1;
}
