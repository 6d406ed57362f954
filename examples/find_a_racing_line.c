// Finds the racing line of a track, a slice of work per frame, as a game does while it loads. Then
// makes a path of the line, which any driver can follow.
#include <kerb/kerb.h>
#include <stdio.h>
#include <stdlib.h>

#define CORNER 20 // points on each half turn and on each straight

// Two straights of 200 m and two half turns of 40 m radius, 10 m wide.
static kerb_waypoint point_at(int i) {
    float angle = KERB_PI * (float)(i % CORNER) / (float)CORNER;
    float along = 200.0f * (float)(i % CORNER) / (float)CORNER;
    float side = i < 2 * CORNER ? 1.0f : -1.0f;
    kerb_waypoint w = i / CORNER % 2 == 0
                          ? kerb_waypoint_at(side * (along - 100.0f), side * -40.0f, 0.0f)
                          : kerb_waypoint_at(side * (100.0f + 40.0f * kerb_sin(angle)),
                                             side * -40.0f * kerb_cos(angle), 0.0f);
    w.left = w.right = 5.0f;
    return w;
}

int main(void) {
    kerb_host host = kerb_host_default();
    kerb_error error;
    kerb_waypoint waypoints[4 * CORNER];
    for (int i = 0; i < 4 * CORNER; i++)
        waypoints[i] = point_at(i);
    kerb_path track;
    if (kerb_track_validate(waypoints, 4 * CORNER, true, &error) != KERB_OK ||
        kerb_path_create(&track, waypoints, 4 * CORNER, true, &host, &error) != KERB_OK)
        return 1;

    kerb_vehicle car = kerb_vehicle_default();
    kerb_performance performance = kerb_performance_of(&car);
    kerb_line_settings settings = kerb_line_settings_default();
    settings.margin = 0.5f * car.width + 0.3f;
    kerb_line_solver solver;
    if (kerb_line_solver_create(&solver, &track, &performance, &settings, &host, &error) != KERB_OK)
        return 1;
    while (kerb_line_solver_advance(&solver, 4) == KERB_LINE_RUNNING)
        printf("%.0f %%\n", 100.0 * (double)kerb_line_solver_progress(&solver)); // once per frame

    kerb_racing_line line;
    if (kerb_racing_line_create(&line, &solver, 2.0f, &host, &error) != KERB_OK)
        return 1;
    kerb_line_solver_destroy(&solver);
    printf("%.2f s a lap of %.0f m\n", line.time, line.length);

    // For a follower: the line as a path. The speed profile becomes its speed limits.
    kerb_path path;
    kerb_waypoint* places = malloc((size_t)line.count * sizeof *places);
    if (!places)
        return 1;
    kerb_racing_line_waypoints(&line, places);
    kerb_result result = kerb_path_create(&path, places, line.count, line.closed, &host, &error);
    bool shorter = result == KERB_OK && path.length < track.length;
    free(places);
    kerb_path_destroy(&path);
    kerb_racing_line_destroy(&line);
    kerb_path_destroy(&track);
    return shorter ? 0 : 1;
}
