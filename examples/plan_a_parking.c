// Planning: a pick-up comes down a lane and backs into the gap between two parked cars, a slice of
// work at a time; whoever drives it then knows where it should be at any moment.
#include <kerb/kerb.h>
#include <stdio.h>

enum { CARS = 3 };

int main(void) {
    // Two parked cars with a gap between them, and a wall along the other side of the lane.
    static const kerb_vec2 corners[4 * CARS] = {
        {0, 0},      {4.6f, 0},  {4.6f, 1.9f}, {0, 1.9f},     // behind the gap
        {12.4f, 0},  {17, 0},    {17, 1.9f},   {12.4f, 1.9f}, // before it
        {-10, 7.5f}, {30, 7.5f}, {30, 8},      {-10, 8}};
    static const int32_t counts[CARS] = {4, 4, 4};
    const kerb_plan_world world = {
        .vertices = corners, .vertex_counts = counts, .polygon_count = CARS};
    const kerb_host host = kerb_host_default();
    kerb_vehicle pickup = kerb_vehicle_default(); // or your own: size, wheels, what it can do
    kerb_plan_limits limits = kerb_plan_limits_of(&pickup, 1);
    limits.speed_max = 5; // as people park, not as the physics would let them
    limits.reverse_speed_max = 2;
    limits.acceleration = limits.reverse_acceleration = 1;
    limits.braking = limits.reverse_braking = limits.lateral_acceleration = 2;
    kerb_planner_settings settings = kerb_planner_settings_default();
    kerb_planner planner;
    kerb_error error;
    if (kerb_planner_create(&planner, &limits, &settings, &host, &error) != KERB_OK ||
        kerb_planner_world(&planner, &world, &error) != KERB_OK) {
        printf("%s: %s\n", error.field, error.message);
        return 1;
    }
    // From the lane at 3 m/s into the gap, facing the lane's way; a hand's breadth more or less
    // will do.
    kerb_plan_end here = kerb_plan_end_make(-6, 4.7f, 0, 3);
    kerb_plan_end gap = kerb_plan_end_make(6.6f, 0.95f, 0, 0);
    gap.position_tolerance = 0.1f;
    gap.heading_tolerance = 0.05f;
    const kerb_plan_query query = {&here, &gap, 1, 1};
    int frames = 0;
    bool begun = kerb_planner_begin(&planner, &query, &error) == KERB_OK;
    while (begun && kerb_planner_advance(&planner, 500) == KERB_PLAN_RUNNING)
        frames++; // what it has found so far can be driven already: kerb_planner_plan
    kerb_plan plan = kerb_planner_plan(&planner);
    printf("%d pieces, %.1f s, %.1f m, found in %d frames\n", plan.count, (double)plan.time,
           (double)plan.length, frames);
    for (int second = 0; (float)second < plan.time; second++) {
        kerb_plan_state now = kerb_plan_at(&plan, (float)second);
        printf("%4d s: at %6.2f, %5.2f, %5.2f m/s\n", second, (double)now.pose.position.x,
               (double)now.pose.position.y, (double)now.speed);
    }
    kerb_result checked = kerb_plan_check(&limits, &query, &world, &plan, &error);
    kerb_planner_destroy(&planner);
    return checked == KERB_OK ? 0 : 1;
}
