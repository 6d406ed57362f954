// Three cars race each other. The fastest starts last and has to overtake.
#include <kerb/kerb.h>
#include <stdio.h>

#define CARS 3
#define LAPS 5
#define POINTS 80 // of the track

typedef struct player {
    kerb_racer driver;
    kerb_motion motion;
    float heading, speed, steering; // of the vehicle model [rad], [m/s], [1]
} player;

// An oval of 500 m by 160 m, 14 m wide. The line of least curvature is enough here;
// find_a_racing_line.c finds the line of least time.
static bool find_line(kerb_racing_line* line, const kerb_vehicle* car) {
    kerb_waypoint waypoints[POINTS];
    for (int i = 0; i < POINTS; i++) {
        float sine, cosine;
        kerb_sin_cos(2.0f * KERB_PI * (float)i / (float)POINTS, &sine, &cosine);
        waypoints[i] = kerb_waypoint_at(250.0f * cosine, 80.0f * sine, 0.0f);
        waypoints[i].left = waypoints[i].right = 7.0f;
    }
    kerb_host host = kerb_host_default();
    kerb_performance performance = kerb_performance_of(car);
    kerb_line_settings settings = kerb_line_settings_default();
    settings.method = KERB_LINE_CURVATURE;
    settings.margin = 0.5f * car->width + 0.5f;
    kerb_path track;
    kerb_line_solver solver;
    if (kerb_path_create(&track, waypoints, POINTS, true, &host, NULL) != KERB_OK ||
        kerb_line_solver_create(&solver, &track, &performance, &settings, &host, NULL) != KERB_OK)
        return false; // a game would report the error and clean up
    kerb_line_solver_advance(&solver, INT32_MAX);
    kerb_result result = kerb_racing_line_create(line, &solver, 2.0f, &host, NULL);
    kerb_line_solver_destroy(&solver);
    kerb_path_destroy(&track);
    return result == KERB_OK;
}

// Puts a car at standstill on the line or beside it: on the grid, and after a request to teleport.
static void put(player* p, const kerb_racing_line* line, double distance, float left) {
    kerb_line_point at = kerb_racing_line_at(line, distance);
    float sine, cosine;
    kerb_sin_cos(at.heading, &sine, &cosine);
    p->heading = at.heading;
    p->speed = p->steering = 0.0f;
    p->motion = kerb_motion_default();
    p->motion.position = (kerb_vec3){(float)at.x - left * sine, (float)at.y + left * cosine, 0};
    p->motion.rotation = kerb_quat_from_heading(p->heading);
}

// Your engine moves its vehicle here. This example uses a bicycle model without slip or gears.
static void move(player* p, const kerb_controls* controls, float step) {
    const kerb_vehicle* car = &p->driver.vehicle;
    float engine = kerb_min(car->acceleration_max, car->power / car->mass / (p->speed + 1.0f));
    float pull = engine * controls->throttle - car->braking_max * controls->brake;
    pull -= car->drag * p->speed * p->speed;
    p->speed = kerb_max(p->speed + pull * step, 0.0f);
    p->steering += kerb_clamp(controls->steering - p->steering, -2.0f * step, 2.0f * step);
    float yaw_rate = p->speed * kerb_curvature_of(car, p->steering, 0.0f);
    p->heading += yaw_rate * step;
    p->motion.rotation = kerb_quat_from_heading(p->heading);
    p->motion.velocity = kerb_vec3_scale(kerb_quat_forward(p->motion.rotation), p->speed);
    p->motion.position = kerb_vec3_along(p->motion.position, p->motion.velocity, step);
    p->motion.angular_velocity.z = yaw_rate;
    p->motion.steering = p->steering;
}

static int32_t laps_of(const player* p, const kerb_racing_line* line) {
    return (int32_t)(p->driver.decision.total_distance / line->length);
}

// A car as the others see it. The position is the middle of its footprint, not its reference point.
// The laps tell a lapped car to make way. The last field asks the car ahead to let it pass.
static kerb_neighbour seen(const player* p, uint32_t id, const kerb_racing_line* line) {
    const kerb_vehicle* car = &p->driver.vehicle;
    kerb_vec3 forward = kerb_quat_forward(p->motion.rotation);
    float middle = car->reference_to_front - 0.5f * car->length;
    kerb_neighbour neighbour = {.id = id,
                                .position = kerb_vec3_along(p->motion.position, forward, middle),
                                .velocity = p->motion.velocity,
                                .forward = {forward.x, forward.y},
                                .yaw_rate = p->motion.angular_velocity.z,
                                .length = car->length,
                                .width = car->width,
                                .laps = laps_of(p, line),
                                .overtake_request = p->driver.decision.overtake_request};
    return neighbour;
}

int main(void) {
    kerb_vehicle car = kerb_vehicle_default();
    kerb_racing_line line;
    if (!find_line(&line, &car))
        return 1;
    player players[CARS];
    for (int i = 0; i < CARS; i++) {
        players[i].driver = kerb_racer_make(&car);
        players[i].driver.settings.skill = 0.8f + 0.1f * (float)i; // the best one starts last
        players[i].driver.settings.seed = i;
        put(&players[i], &line, 10.0 * (CARS - i), i % 2 == 0 ? 2.0f : -2.0f);
    }

    float step = 1.0f / 60.0f;
    int winner = -1;
    for (int frame = 0; winner < 0 && frame < 60 * 600; frame++) {
        // All cars see the state before the frame, so that their order gives no advantage. In a
        // large field, list the cars within about 150 m. A driver skips the entry with its own id.
        kerb_neighbour all[CARS];
        for (int i = 0; i < CARS; i++)
            all[i] = seen(&players[i], (uint32_t)i, &line);
        for (int i = 0; i < CARS; i++) {
            player* p = &players[i];
            kerb_surroundings around = kerb_surroundings_default();
            around.id = (uint32_t)i;
            around.laps = all[i].laps;
            around.neighbours = all;
            around.neighbour_count = CARS;
            kerb_controls controls = kerb_racer_drive(&p->driver, &line, &p->motion, &around, step);
            move(p, &controls, step);
            if (controls.reason == KERB_REASON_TELEPORT) // stuck for good: it requests this
                put(p, &line, p->driver.decision.distance, 0.0f);
            if (laps_of(p, &line) == LAPS)
                winner = i;
        }
    }
    for (int i = 0; i < CARS; i++)
        printf("car %d, skill %.1f: %.0f m\n", i + 1, (double)players[i].driver.settings.skill,
               players[i].driver.decision.total_distance);
    kerb_racing_line_destroy(&line);
    return winner == CARS - 1 ? 0 : 1;
}
