// An airplane flies along waypoints, then arrives at the threshold of a runway in its direction.
#include "sim/airplane.h"

#include <kerb/kerb.h>
#include <stdio.h>

// Your engine moves its airplane here. This example uses the reference airplane of sim/.
static void fly(kerb_sim_airplane* airplane, const kerb_controls* controls, int frames) {
    for (int i = 0; i < frames; i++)
        kerb_sim_airplane_step(airplane, controls, 1.0f / 240.0f);
}

int main(void) {
    const kerb_waypoint airway[] = {kerb_waypoint_at(0, 0, 500), kerb_waypoint_at(2000, 0, 600),
                                    kerb_waypoint_at(3500, 1500, 650),
                                    kerb_waypoint_at(3500, 4000, 600)};
    const kerb_directed_goal threshold = {
        .position = {0, 2000, 300}, .forward = {0, -1, 0}, .speed = 50, .turning_radius = 1};
    kerb_host host = kerb_host_default();
    kerb_path path;
    if (kerb_path_create(&path, airway, 4, false, &host, NULL) != KERB_OK)
        return 1;
    kerb_sim_airplane_model model = kerb_sim_trainer_model();
    kerb_aircraft aircraft = kerb_sim_airplane_aircraft(&model);
    kerb_sim_airplane airplane = kerb_sim_airplane_make(&model, airway[0].position, 0, 62);
    kerb_flyer pilot = kerb_flyer_make(&aircraft);
    float step = 1.0f / 60.0f;
    do {
        kerb_motion motion = kerb_sim_airplane_motion(&airplane);
        kerb_controls controls = kerb_flyer_follow(&pilot, &path, &motion, step);
        fly(&airplane, &controls, 4);
    } while (pilot.controls.reason != KERB_REASON_ARRIVED);
    do {
        kerb_motion motion = kerb_sim_airplane_motion(&airplane);
        kerb_controls controls = kerb_flyer_arrive(&pilot, &threshold, &motion, step);
        fly(&airplane, &controls, 4);
    } while (pilot.controls.reason != KERB_REASON_ARRIVED);
    kerb_vec3 off = kerb_vec3_sub(airplane.position, threshold.position);
    printf("over the threshold, %.1f m beside it and %.1f m above it\n", (double)off.x,
           (double)off.z);
    kerb_path_destroy(&path);
    return kerb_abs(off.x) < 5.0f && kerb_abs(off.z) < 5.0f ? 0 : 1;
}
