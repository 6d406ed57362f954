// Purpose: hosts of the family park.
// Idea:    each host gets the task at its own size, and limits from what it tells.
// Cost:    a search or a few, and the drives.
#include "scene/host/family_park.h"

#define PARK_SHARE 0.4f      // of what the vehicle can do, planned
#define PARK_SPEED 2.5f      // of TPCAP's car [m/s]
#define PARK_PUSH 1.0f       // … [m/s²]
#define PARK_ROOM 8.0f       // beyond start and goal [m of the task]
#define PARK_NEAR 0.1f       // [m]
#define PARK_STRAIGHT 0.052f // 3 degrees [rad]

enum { PARK_VERTICES = 512, PARK_EXPANSIONS = 60000 };

typedef void (*park_watch)(const kerb_family_host* host, const kerb_plan_driver* driver);

typedef struct park_place {
    kerb_vec2 vertices[PARK_VERTICES];
    kerb_plan_world world;
    kerb_plan_limits limits;
    kerb_pose from, to;
} park_place;

static bool park_scale(park_place* place, const kerb_family_host* host,
                       const kerb_family_park_task* task) {
    float by = host->truth.wheelbase / KERB_FAMILY_PARK_WHEELBASE;
    int32_t count = 0;
    for (int32_t i = 0; i < task->polygon_count; i++)
        count += task->vertex_counts[i];
    if (count > PARK_VERTICES)
        return false;
    for (int32_t i = 0; i < count; i++)
        place->vertices[i] = kerb_vec2_scale(task->vertices[i], by);
    place->from = task->from;
    place->to = task->to;
    place->from.position = kerb_vec2_scale(task->from.position, by);
    place->to.position = kerb_vec2_scale(task->to.position, by);
    kerb_vec2 a = place->from.position, b = place->to.position;
    float room = PARK_ROOM * by;
    place->world =
        (kerb_plan_world){.vertices = place->vertices,
                          .vertex_counts = task->vertex_counts,
                          .polygon_count = task->polygon_count,
                          .box_min = {kerb_min(a.x, b.x) - room, kerb_min(a.y, b.y) - room},
                          .box_max = {kerb_max(a.x, b.x) + room, kerb_max(a.y, b.y) + room}};
    kerb_plan_limits* l = &place->limits;
    *l = kerb_plan_limits_to_drive(&host->vehicle, PARK_SHARE);
    float speed = PARK_SPEED * kerb_sqrt(by);
    l->speed_max = kerb_min(l->speed_max, speed);
    l->reverse_speed_max = kerb_min(l->reverse_speed_max, speed);
    l->acceleration = kerb_min(l->acceleration, PARK_PUSH);
    l->braking = kerb_min(l->braking, PARK_PUSH);
    l->reverse_acceleration = kerb_min(l->reverse_acceleration, PARK_PUSH);
    l->reverse_braking = kerb_min(l->reverse_braking, PARK_PUSH);
    return true;
}

static bool park_search(kerb_family_parked* parked, kerb_planner* planner, kerb_pose from,
                        kerb_pose to, kerb_plan* plan) {
    const kerb_plan_end start = {.pose = from}, goal = {.pose = to};
    const kerb_plan_query query = {&start, &goal, 1, 1};
    if (kerb_planner_begin(planner, &query, NULL) != KERB_OK)
        return false;
    kerb_plan_outcome outcome = KERB_PLAN_RUNNING;
    while (outcome == KERB_PLAN_RUNNING)
        outcome = kerb_planner_advance(planner, 1000);
    parked->outcome = (int32_t)outcome;
    *plan = kerb_planner_get_plan(planner);
    return outcome == KERB_PLAN_FOUND && plan->count > 0;
}

// Pose of a point ahead of the described rear axle.
static kerb_pose park_pose(const kerb_family_host* host, float ahead) {
    kerb_motion motion = kerb_family_motion(host);
    kerb_vec3 facing = kerb_quat_forward(motion.rotation);
    float back = host->vehicle.reference_to_rear_axle - ahead;
    return (kerb_pose){
        .position = {motion.position.x - back * facing.x, motion.position.y - back * facing.y},
        .forward = {facing.x, facing.y}};
}

static void park_judge(const kerb_family_host* host, kerb_pose goal, float* error, float* angle) {
    kerb_pose pose = park_pose(host, 0.0f);
    kerb_vec2 off = kerb_vec2_sub(pose.position, goal.position);
    *error = kerb_sqrt(kerb_vec2_dot(off, off));
    *angle = kerb_abs(kerb_atan2(kerb_vec2_cross(pose.forward, goal.forward),
                                 kerb_vec2_dot(pose.forward, goal.forward)));
}

static bool park_drive(kerb_family_host* host, kerb_plan_driver* driver, const kerb_plan* plan,
                       float* time, park_watch watch) {
    double begun = host->time, most = 3.0 * (double)plan->time + 20.0, rests = 0.0;
    bool arrived = false;
    kerb_surroundings around = kerb_surroundings_default();
    // Until it stands for a second and has arrived or given up, or needs a plan for another axle.
    while (host->time < begun + most && rests < 1.0) {
        float step = kerb_family_frame(host);
        kerb_motion motion = kerb_family_motion(host);
        kerb_controls controls = kerb_plan_driver_drive(driver, plan, &motion, &around, step);
        if (watch)
            watch(host, driver);
        kerb_family_step(host, &controls, step);
        arrived = controls.reason == KERB_REASON_ARRIVED;
        bool other = kerb_plan_driver_axle(driver) != driver->axle;
        if (other)
            around.speed_cap = 0.0f;
        bool ends = other || arrived || controls.reason == KERB_REASON_GIVEN_UP;
        rests = ends && kerb_abs(host->forward) < 0.02f ? rests + (double)step : 0.0;
    }
    *time += (float)(host->time - begun);
    return arrived;
}

// Plans for the axle that follows, from where it stands, and drives. False: no plan.
static bool park_once(kerb_family_parked* parked, kerb_family_host* host, park_place* place,
                      kerb_plan_driver* driver, park_watch watch) {
    const kerb_host memory = kerb_host_default();
    kerb_planner_settings settings = kerb_planner_settings_default();
    settings.improvement = 0;
    settings.expansions = PARK_EXPANSIONS;
    driver->axle = kerb_plan_driver_axle(driver);
    kerb_plan_limits limits = place->limits;
    limits.front -= driver->axle;
    limits.rear += driver->axle;
    kerb_pose to = place->to;
    to.position = kerb_vec2_add(to.position, kerb_vec2_scale(to.forward, driver->axle));
    kerb_planner planner;
    kerb_plan plan;
    if (kerb_planner_create(&planner, &limits, &settings, &memory, NULL) != KERB_OK)
        return false;
    bool planned = kerb_planner_set_world(&planner, &place->world, NULL) == KERB_OK &&
                   park_search(parked, &planner, park_pose(host, driver->axle), to, &plan);
    if (planned) {
        parked->arrived = park_drive(host, driver, &plan, &parked->time, watch);
        park_judge(host, place->to, &parked->error, &parked->angle);
    }
    kerb_planner_destroy(&planner);
    return planned;
}

static void park_all(kerb_family_parked* parked, kerb_family_host* host, park_place* place,
                     park_watch watch) {
    float ahead = host->vehicle.reference_to_rear_axle;
    kerb_vec2 at = kerb_vec2_add(place->from.position, kerb_vec2_scale(place->from.forward, ahead));
    kerb_family_put(host, kerb_vec3_make(at.x, at.y, 0.0f),
                    kerb_atan2(place->from.forward.y, place->from.forward.x), 0.0f);
    kerb_plan_driver driver = kerb_plan_driver_make(&host->vehicle);
    parked->planned = park_once(parked, host, place, &driver, watch);
    const bool arrived = parked->arrived;
    parked->first = parked->error;
    parked->first_angle = parked->angle;
    while (parked->planned && parked->moves < KERB_FAMILY_PARK_MOVES &&
           (parked->error > PARK_NEAR || parked->angle > PARK_STRAIGHT) &&
           park_once(parked, host, place, &driver, watch))
        parked->moves++;
    parked->arrived = arrived;
}

kerb_family_parked kerb_family_park(const kerb_family_host* host, const kerb_family_park_task* task,
                                    park_watch watch) {
    kerb_family_parked parked = {.first = 1.0e3f, .error = 1.0e3f};
    static park_place place;
    if (!park_scale(&place, host, task))
        return parked;
    kerb_family_host copy = *host;
    park_all(&parked, &copy, &place, watch);
    return parked;
}
