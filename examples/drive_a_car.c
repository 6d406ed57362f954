// The smallest complete program: a car drives round a street corner and stops at the end.
#include <kerb/kerb.h>
#include <stdio.h>

int main(void) {
    const kerb_waypoint street[] = {kerb_waypoint_at(0, 0, 0), kerb_waypoint_at(60, 0, 0),
                                    kerb_waypoint_at(60, 40, 0)};
    kerb_host host = kerb_host_default();
    kerb_path path;
    if (kerb_path_create(&path, street, 3, false, &host, NULL) != KERB_OK)
        return 1;
    kerb_vehicle car = kerb_vehicle_default();
    kerb_follower driver = kerb_follower_make(&car);
    kerb_motion motion = kerb_motion_default();
    float heading = 0.0f, speed = 0.0f, step = 1.0f / 60.0f;
    while (driver.controls.reason != KERB_REASON_ARRIVED) {
        kerb_controls controls = kerb_follower_drive(&driver, &path, &motion, NULL, step);
        // Your engine moves its vehicle here. This example uses a bicycle model:
        speed = kerb_max(speed + (4.0f * controls.throttle - 9.0f * controls.brake) * step, 0.0f);
        heading += speed * kerb_curvature_of(&car, controls.steering, speed) * step;
        motion.rotation = kerb_quat_from_heading(heading);
        motion.velocity = kerb_vec3_scale(kerb_quat_forward(motion.rotation), speed);
        motion.position = kerb_vec3_along(motion.position, motion.velocity, step);
    }
    printf("arrived at %.2f, %.2f\n", (double)motion.position.x, (double)motion.position.y);
    kerb_path_destroy(&path);
    return 0;
}
