// A car races alone: a track, its racing line, and a driver.
#include "sim/vehicle.h"

#include <kerb/kerb.h>
#include <stdio.h>

#define CORNER 20 // points on each half turn and on each straight

// Two straights of 300 m and two half turns of 60 m radius, 12 m wide.
static kerb_waypoint point_at(int i) {
    float angle = KERB_PI * (float)(i % CORNER) / (float)CORNER;
    float along = 300.0f * (float)(i % CORNER) / (float)CORNER;
    float side = i < 2 * CORNER ? 1.0f : -1.0f;
    kerb_waypoint w = i / CORNER % 2 == 0
                          ? kerb_waypoint_at(side * (along - 150.0f), side * -60.0f, 0.0f)
                          : kerb_waypoint_at(side * (150.0f + 60.0f * kerb_sin(angle)),
                                             side * -60.0f * kerb_cos(angle), 0.0f);
    w.left = w.right = 6.0f;
    return w;
}

// All at once, while the game loads. find_a_racing_line.c does a slice of it per frame.
static bool find_line(kerb_racing_line* line, const kerb_vehicle* car) {
    kerb_host host = kerb_host_default();
    kerb_waypoint waypoints[4 * CORNER];
    for (int i = 0; i < 4 * CORNER; i++)
        waypoints[i] = point_at(i);
    kerb_path track;
    if (kerb_path_create(&track, waypoints, 4 * CORNER, true, &host, NULL) != KERB_OK)
        return false;
    kerb_performance performance = kerb_performance_of(car);
    kerb_line_settings settings = kerb_line_settings_default();
    settings.margin = 0.5f * car->width + 0.5f;
    kerb_line_solver solver;
    bool found =
        kerb_line_solver_create(&solver, &track, &performance, &settings, &host, NULL) == KERB_OK;
    while (found && kerb_line_solver_advance(&solver, 100) == KERB_LINE_RUNNING) {
    }
    found = found && kerb_racing_line_create(line, &solver, 2.0f, &host, NULL) == KERB_OK;
    kerb_line_solver_destroy(&solver);
    kerb_path_destroy(&track);
    return found;
}

int main(void) {
    // In your game: describe the size, gears and limits of your car. This example uses one of the
    // reference cars of sim/.
    kerb_sim_model gt;
    kerb_racing_line line;
    if (!kerb_sim_model_named("gt", &gt) || !find_line(&line, &gt.vehicle))
        return 1;

    kerb_racer driver = kerb_racer_make(&gt.vehicle);
    driver.settings.skill = 0.9f; // 1 is as fast as it can; less gives players a chance
    kerb_vec3 start = {(float)line.points[0].x, (float)line.points[0].y, 0.0f};
    kerb_sim_vehicle car = kerb_sim_vehicle_make(&gt, start, line.points[0].heading);
    kerb_sim_ground ground = {.normal = {0.0f, 0.0f, 1.0f}, .grip = 1.0f};
    int frames = 0;
    for (; driver.decision.total_distance < 2.0 * line.length && frames < 60 * 300; frames++) {
        kerb_motion motion = kerb_sim_vehicle_motion(&car);
        kerb_controls controls = kerb_racer_drive(&driver, &line, &motion, NULL, 1.0f / 60.0f);
        for (int i = 0; i < 4; i++)
            kerb_sim_vehicle_step(&car, &controls, &ground, 1.0f / 240.0f);
    }
    printf("two laps from standstill took %.1f s; one lap at the limit takes %.1f s\n",
           frames / 60.0, line.time);
    kerb_racing_line_destroy(&line);
    return frames < 60 * 300 ? 0 : 1;
}
