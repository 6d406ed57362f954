// Two cars on crossing streets. Each knows of the other: one gives way, and both arrive.
#include <kerb/kerb.h>
#include <stdio.h>

typedef struct player {
    uint32_t id; // constant; where the rules give neither car priority, the lower id goes first
    kerb_follower driver;
    kerb_path path;
    kerb_motion motion;
    float heading, speed;
} player;

// Your engine moves its vehicle here. This example uses a bicycle model.
static void move(player* p, const kerb_controls* controls, float step) {
    float pull = 4.0f * controls->throttle - 9.0f * controls->brake;
    p->speed = kerb_max(p->speed + pull * step, 0.0f);
    p->heading +=
        p->speed * kerb_curvature_of(&p->driver.vehicle, controls->steering, p->speed) * step;
    p->motion.rotation = kerb_quat_from_heading(p->heading);
    p->motion.velocity = kerb_vec3_scale(kerb_quat_forward(p->motion.rotation), p->speed);
    p->motion.position = kerb_vec3_along(p->motion.position, p->motion.velocity, step);
}

// A vehicle as the other sees it. The position is the middle of its footprint, not its reference
// point.
static kerb_neighbour seen(const player* p) {
    const kerb_vehicle* vehicle = &p->driver.vehicle;
    kerb_vec3 forward = kerb_quat_forward(p->motion.rotation);
    float middle = vehicle->reference_to_front - 0.5f * vehicle->length;
    kerb_neighbour neighbour = {.id = p->id,
                                .position = kerb_vec3_along(p->motion.position, forward, middle),
                                .velocity = p->motion.velocity,
                                .forward = {forward.x, forward.y},
                                .yaw_rate = p->motion.angular_velocity.z,
                                .length = vehicle->length,
                                .width = vehicle->width};
    return neighbour;
}

int main(void) {
    const kerb_waypoint streets[2][2] = {{kerb_waypoint_at(-50, 0, 0), kerb_waypoint_at(50, 0, 0)},
                                         {kerb_waypoint_at(0, -50, 0), kerb_waypoint_at(0, 50, 0)}};
    kerb_host host = kerb_host_default();
    kerb_vehicle car = kerb_vehicle_default();
    player players[2];
    for (int i = 0; i < 2; i++) {
        player* p = &players[i];
        *p = (player){.id = (uint32_t)i + 1U, .heading = i == 0 ? 0.0f : 0.5f * KERB_PI};
        if (kerb_path_create(&p->path, streets[i], 2, false, &host, NULL) != KERB_OK)
            return 1;
        p->driver = kerb_follower_make(&car);
        p->motion = kerb_motion_default();
        p->motion.position = streets[i][0].position;
        p->motion.rotation = kerb_quat_from_heading(p->heading);
    }

    float step = 1.0f / 60.0f;
    bool gave_way = false;
    for (int frame = 0; frame < 60 * 30; frame++) {
        // One list for all: a driver skips the entry with its own id. In a large world, list only
        // the vehicles that can be reached within a few seconds.
        kerb_neighbour all[2] = {seen(&players[0]), seen(&players[1])};
        for (int i = 0; i < 2; i++) {
            player* p = &players[i];
            kerb_surroundings around = kerb_surroundings_default();
            around.id = p->id;
            around.neighbours = all;
            around.neighbour_count = 2;
            kerb_controls controls =
                kerb_follower_drive(&p->driver, &p->path, &p->motion, &around, step);
            gave_way = gave_way || controls.reason == KERB_REASON_YIELDING;
            move(p, &controls, step);
        }
    }
    bool arrived = true;
    for (int i = 0; i < 2; i++) {
        arrived = arrived && players[i].driver.controls.reason == KERB_REASON_ARRIVED;
        kerb_path_destroy(&players[i].path);
    }
    printf("%s, %s\n", arrived ? "both arrived" : "not arrived",
           gave_way ? "one gave way" : "nobody gave way");
    return arrived && gave_way ? 0 : 1;
}
