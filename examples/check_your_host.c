// A host with a mistake, and the check that names it: the velocity is given in the car's own axes.
#include <kerb/kerb.h>
#include <stdio.h>

// Your engine. This one uses a bicycle model.
typedef struct car_body {
    kerb_vec3 position;
    float heading, speed;
} car_body;

static void step_engine(car_body* body, const kerb_vehicle* car, const kerb_controls* controls,
                        float step) {
    body->speed += (4.0f * controls->throttle - 9.0f * controls->brake) * step;
    body->speed = kerb_max(body->speed, 0.0f);
    body->heading += body->speed * kerb_curvature_of(car, controls->steering, body->speed) * step;
    const kerb_vec3 forward = kerb_quat_forward(kerb_quat_from_heading(body->heading));
    body->position = kerb_vec3_along(body->position, forward, body->speed * step);
}

static kerb_motion motion_of(const car_body* body) {
    kerb_motion motion = kerb_motion_default();
    motion.position = body->position;
    motion.rotation = kerb_quat_from_heading(body->heading);
    motion.velocity = kerb_vec3_make(body->speed, 0.0f, 0.0f); // the mistake
    return motion;
}

int main(void) {
    const kerb_waypoint street[] = {kerb_waypoint_at(0, 0, 0), kerb_waypoint_at(40, 20, 0),
                                    kerb_waypoint_at(40, 120, 0)};
    kerb_host host = kerb_host_default();
    kerb_path path;
    if (kerb_path_create(&path, street, 3, false, &host, NULL) != KERB_OK)
        return 1;
    kerb_vehicle car = kerb_vehicle_default();
    kerb_follower driver = kerb_follower_make(&car);
    kerb_host_check check = kerb_host_check_make(&car);
    car_body body = {.position = {0.0f, 0.0f, 0.0f}, .heading = 0.46f};
    kerb_host_mistake mistake = KERB_HOST_NO_MISTAKE;
    float step = 1.0f / 60.0f, time = 0.0f;
    for (; time < 20.0f && mistake == KERB_HOST_NO_MISTAKE; time += step) {
        kerb_motion motion = motion_of(&body);
        // driver.controls are still those of the last frame, which moved the car to where it is.
        kerb_host_check_feed(&check, &motion, &driver.controls, step);
        mistake = kerb_host_check_worst(&check);
        kerb_controls controls = kerb_follower_drive(&driver, &path, &motion, NULL, step);
        step_engine(&body, &car, &controls, step);
    }
    printf("after %.1f s: %s.\n%s.\n", (double)time, kerb_host_mistake_text(mistake),
           kerb_host_mistake_remedy(mistake));
    kerb_path_destroy(&path);
    return mistake == KERB_HOST_VELOCITY_IN_VEHICLE_AXES ? 0 : 1;
}
