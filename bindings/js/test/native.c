// Drives the courses of test/model.mjs with the native library, and prints a hash of all controls.
#include "kerb/kerb.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef struct model {
    float x, y, hx, hy, speed, steering;
    int32_t gear;
} model;

static kerb_motion motion_of(const model* m) {
    kerb_motion motion = kerb_motion_default();
    motion.position = (kerb_vec3){m->x, m->y, 0.0f};
    const float w = kerb_sqrt((1.0f + m->hx) * 0.5f), z = kerb_sqrt((1.0f - m->hx) * 0.5f);
    motion.rotation = (kerb_quat){0.0f, 0.0f, m->hy < 0.0f ? -z : z, w};
    motion.velocity = (kerb_vec3){m->speed * m->hx, m->speed * m->hy, 0.0f};
    motion.angular_velocity = (kerb_vec3){0.0f, 0.0f, m->speed * (m->steering * 0.25f)};
    motion.steering = m->steering;
    motion.gear = m->gear;
    return motion;
}

static void step(model* m, const kerb_controls* controls) {
    const float dt = 0.015625f;
    m->gear = controls->gear;
    m->steering = controls->steering;
    const float way = controls->gear < 0 ? -1.0f : 1.0f;
    float along = m->speed * way;
    along = along + controls->throttle * 4.0f * dt;
    const float loss = (controls->brake * 8.0f + 0.125f) * dt;
    along = along > loss ? along - loss : along < -loss ? along + loss : 0.0f;
    m->speed = along * way;
    const float a = m->speed * (m->steering * 0.25f) * dt;
    const float hx = m->hx - m->hy * a, hy = m->hy + m->hx * a;
    const float length = kerb_sqrt(hx * hx + hy * hy);
    m->hx = hx / length;
    m->hy = hy / length;
    m->x = m->x + m->speed * m->hx * dt;
    m->y = m->y + m->speed * m->hy * dt;
}

static void take_word(uint32_t* hash, uint32_t word) {
    *hash = (*hash ^ word) * 16777619u;
}

static void take_float(uint32_t* hash, float value) {
    uint32_t word;
    memcpy(&word, &value, sizeof word);
    take_word(hash, word);
}

static void take(uint32_t* hash, const kerb_controls* controls) {
    take_float(hash, controls->throttle);
    take_float(hash, controls->brake);
    take_float(hash, controls->steering);
    take_float(hash, controls->clutch);
    take_word(hash, (uint32_t)controls->gear);
    take_word(hash, controls->handbrake ? 1u : 0u);
    take_word(hash, (uint32_t)controls->reason);
}

// What drives: the one of them that is not NULL.
typedef struct driving {
    kerb_follower* follower;
    const kerb_path* path;
    kerb_racer* racer;
    const kerb_racing_line* line;
    kerb_plan_driver* plan_driver;
    const kerb_plan* plan;
    kerb_parker* parker;
} driving;

static kerb_controls controls_of(const driving* d, const kerb_motion* motion) {
    const kerb_surroundings around = kerb_surroundings_default();
    const float dt = 0.015625f;
    if (d->follower)
        return kerb_follower_drive(d->follower, d->path, motion, &around, dt);
    if (d->racer)
        return kerb_racer_drive(d->racer, d->line, motion, &around, dt);
    if (d->plan_driver)
        return kerb_plan_driver_drive(d->plan_driver, d->plan, motion, &around, dt);
    return kerb_parker_drive(d->parker, kerb_pose_make(12.0f, 9.0f, 2.5f), motion, &around, dt);
}

static void drive(const char* name, const driving* d, float x, float y) {
    model m = {x, y, 1.0f, 0.0f, 0.0f, 0.0f, 1};
    uint32_t hash = 2166136261u;
    for (int i = 0; i < 4000; i++) {
        const kerb_motion motion = motion_of(&m);
        const kerb_controls controls = controls_of(d, &motion);
        take(&hash, &controls);
        step(&m, &controls);
    }
    printf("%s %08" PRIx32 "\n", name, hash);
}

static void set_width(kerb_waypoint* waypoints, int32_t count, float width) {
    for (int32_t i = 0; i < count; i++)
        waypoints[i].left = waypoints[i].right = 0.5f * width;
}

static void drive_follower(const kerb_vehicle* vehicle, const kerb_host* host) {
    kerb_waypoint points[] = {kerb_waypoint_at(0, 0, 0),   kerb_waypoint_at(60, 0, 0),
                              kerb_waypoint_at(60, 40, 0), kerb_waypoint_at(20, 50, 0),
                              kerb_waypoint_at(0, 60, 0),  kerb_waypoint_at(30, 62, 0)};
    points[1].speed_limit = 8.0f;
    points[2].stop = 1.0f;
    points[4].direction = points[5].direction = -1;
    set_width(points, 6, 6.0f);
    kerb_path path;
    if (kerb_path_create(&path, points, 6, false, host, NULL) != KERB_OK)
        return;
    kerb_follower follower = kerb_follower_make(vehicle);
    follower.settings.speed = 12.0f;
    drive("follower", &(driving){.follower = &follower, .path = &path}, 0.0f, 0.0f);
    kerb_path_destroy(&path);
}

static void drive_racer(const kerb_vehicle* vehicle, const kerb_host* host) {
    kerb_waypoint points[] = {kerb_waypoint_at(0, 0, 0),    kerb_waypoint_at(200, 0, 0),
                              kerb_waypoint_at(260, 60, 0), kerb_waypoint_at(200, 120, 0),
                              kerb_waypoint_at(0, 120, 0),  kerb_waypoint_at(-60, 60, 0)};
    set_width(points, 6, 12.0f);
    kerb_path track;
    if (kerb_path_create(&track, points, 6, true, host, NULL) != KERB_OK)
        return;
    const kerb_performance performance = kerb_performance_of(vehicle);
    const kerb_line_settings settings = kerb_line_settings_of(&track, vehicle);
    kerb_line_solver solver;
    kerb_racing_line line;
    if (kerb_line_solver_create(&solver, &track, &performance, &settings, host, NULL) != KERB_OK)
        return;
    while (kerb_line_solver_advance(&solver, 4) == KERB_LINE_RUNNING)
        continue;
    if (kerb_racing_line_create(&line, &solver, 2.0f, host, NULL) != KERB_OK)
        return;
    kerb_racer racer = kerb_racer_make(vehicle);
    const kerb_line_point start = kerb_racing_line_at(&line, 0.0);
    drive("racer", &(driving){.racer = &racer, .line = &line}, (float)start.x, (float)start.y);
    kerb_racing_line_destroy(&line);
    kerb_line_solver_destroy(&solver);
    kerb_path_destroy(&track);
}

static void drive_plan(const kerb_vehicle* vehicle, const kerb_host* host) {
    const kerb_plan_limits limits = kerb_plan_limits_to_drive(vehicle, 0.4f);
    const kerb_planner_settings settings = kerb_planner_settings_default();
    const kerb_vec2 wall[] = {{10, -5}, {12, -5}, {12, 8}, {10, 8}};
    const int32_t counts[] = {4};
    const kerb_plan_world world = {.vertices = wall, .vertex_counts = counts, .polygon_count = 1};
    const kerb_plan_end here = kerb_plan_end_make(0, 0, 0, 0),
                        there = kerb_plan_end_make(30, 5, 0, 0);
    const kerb_plan_query query = {&here, &there, 1, 1};
    kerb_planner planner;
    if (kerb_planner_create(&planner, &limits, &settings, host, NULL) != KERB_OK ||
        kerb_planner_set_world(&planner, &world, NULL) != KERB_OK ||
        kerb_planner_begin(&planner, &query, NULL) != KERB_OK)
        return;
    while (kerb_planner_advance(&planner, 1000) == KERB_PLAN_RUNNING)
        continue;
    const kerb_plan plan = kerb_planner_get_plan(&planner);
    kerb_plan_driver driver = kerb_plan_driver_make(vehicle);
    drive("planDriver", &(driving){.plan_driver = &driver, .plan = &plan}, 1.35f, 0.0f);
    kerb_planner_destroy(&planner);
}

int main(void) {
    const kerb_host host = kerb_host_default();
    kerb_vehicle vehicle = kerb_vehicle_default();
    vehicle.speed_max = 40.0f;
    drive_follower(&vehicle, &host);
    drive_racer(&vehicle, &host);
    drive_plan(&vehicle, &host);
    kerb_parker parker = kerb_parker_make(&vehicle);
    drive("parker", &(driving){.parker = &parker}, 0.0f, 0.0f);
    return 0;
}
