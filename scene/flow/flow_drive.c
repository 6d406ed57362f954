// Purpose: drives the vehicles of a scene, each alone or all together.
// Idea:    Followers with a simulated vehicle each, 60 frames a second, told of each other and of
//          what each means to do. A vehicle that has arrived is taken out, unless it parks.
#include "scene/flow/flow.h"
#include "sim/world.h"

#include <string.h>

#define FLOW_HZ 60
#define FLOW_PHYSICS 4 // steps in a frame
#define FLOW_WATCHED 6 // frames from one watch to the next

// One vehicle that is under way.
typedef struct flow_driver {
    const flow_vehicle* vehicle;
    kerb_sim_vehicle sim;
    kerb_follower follower;
    kerb_motion motion;
    kerb_controls controls;
    kerb_intent intent;
    kerb_path path;
    double memory[(FLOW_POINTS + 4) * 24];
    double arrival; // negative: not yet [s]
    bool gone;
} flow_driver;

typedef struct flow_run {
    const kerb_scene_flow* flow;
    flow_driver drivers[FLOW_VEHICLES];
    int32_t count;
    double time;
} flow_run;

static bool flow_begin(flow_driver* d, const kerb_scene_flow* flow, const flow_vehicle* vehicle,
                       int32_t way) {
    const flow_way* w = &vehicle->ways[way];
    memset(d, 0, sizeof *d);
    d->vehicle = vehicle;
    d->arrival = -1.0;
    if (kerb_path_bytes(w->count) > sizeof d->memory ||
        kerb_path_build(&d->path, d->memory, w->points, w->count, false, NULL) != KERB_OK)
        return false;
    const kerb_path_location start = kerb_path_locate(&d->path, (double)vehicle->start);
    const kerb_path_sample at = kerb_path_sample_at(&d->path, start);
    d->sim = kerb_sim_vehicle_make(&flow->model, at.position,
                                   kerb_atan2(at.direction.y, at.direction.x));
    d->motion = kerb_sim_vehicle_motion(&d->sim);
    d->follower = kerb_follower_make(&flow->model.vehicle);
    d->follower.settings = flow->settings;
    return true;
}

static kerb_neighbour flow_neighbour_of(const kerb_scene_flow* flow, const flow_driver* d) {
    const kerb_vehicle* shape = &flow->model.vehicle;
    const kerb_vec3 forward = kerb_quat_forward(d->motion.rotation);
    const float to_middle = shape->reference_to_front - 0.5f * shape->length;
    kerb_neighbour n = {.id = d->vehicle->id, .velocity = d->motion.velocity};
    n.position = kerb_vec3_add(d->motion.position, kerb_vec3_scale(forward, to_middle));
    kerb_sin_cos(kerb_quat_heading(d->motion.rotation), &n.forward.y, &n.forward.x);
    n.yaw_rate = d->motion.angular_velocity.z;
    n.length = shape->length;
    n.width = shape->width;
    n.intent = &d->intent;
    return n;
}

static double flow_station(const flow_driver* d) {
    return kerb_path_distance(&d->path, d->follower.memory.location);
}

static void flow_ask(flow_run* run, kerb_neighbour* all) {
    for (int32_t i = 0; i < run->count; i++)
        all[i] = flow_neighbour_of(run->flow, &run->drivers[i]);
    for (int32_t i = 0; i < run->count; i++) {
        flow_driver* d = &run->drivers[i];
        kerb_neighbour near[FLOW_VEHICLES];
        kerb_surroundings around = kerb_surroundings_default();
        around.id = d->vehicle->id;
        around.neighbours = near;
        for (int32_t k = 0; k < run->count; k++)
            if (k != i && !run->drivers[k].gone)
                near[around.neighbour_count++] = all[k];
        if (!d->gone)
            d->controls = kerb_follower_drive(&d->follower, &d->path, &d->motion, &around,
                                              1.0f / (float)FLOW_HZ);
    }
    for (int32_t i = 0; i < run->count; i++)
        kerb_follower_intent(&run->drivers[i].follower, &run->drivers[i].path,
                             &run->drivers[i].intent);
}

static int32_t flow_push(flow_run* run) {
    int32_t touches = 0;
    for (int32_t a = 0; a < run->count; a++) {
        for (int32_t b = a + 1; b < run->count; b++) {
            flow_driver *da = &run->drivers[a], *db = &run->drivers[b];
            if (da->gone || db->gone)
                continue;
            kerb_sim_body one = kerb_sim_vehicle_body(&da->sim);
            kerb_sim_body other = kerb_sim_vehicle_body(&db->sim);
            if (!kerb_sim_bodies_push(&one, &other, NULL))
                continue;
            kerb_sim_vehicle_set_body(&da->sim, &one);
            kerb_sim_vehicle_set_body(&db->sim, &other);
            touches++;
        }
    }
    return touches;
}

static void flow_step(flow_run* run, flow_times* times) {
    const kerb_sim_ground ground = {.normal = {0.0f, 0.0f, 1.0f}, .grip = 1.0f};
    int32_t touches = 0;
    for (int32_t step = 0; step < FLOW_PHYSICS; step++) {
        for (int32_t i = 0; i < run->count; i++)
            if (!run->drivers[i].gone)
                kerb_sim_vehicle_step(&run->drivers[i].sim, &run->drivers[i].controls, &ground,
                                      1.0f / (float)(FLOW_HZ * FLOW_PHYSICS));
        touches += flow_push(run);
    }
    times->contacts += touches > 0 ? 1 : 0;
    run->time += 1.0 / (double)FLOW_HZ;
    for (int32_t i = 0; i < run->count; i++)
        run->drivers[i].motion = kerb_sim_vehicle_motion(&run->drivers[i].sim);
}

static void flow_arrive(flow_run* run, flow_times* times) {
    for (int32_t i = 0; i < run->count; i++) {
        flow_driver* d = &run->drivers[i];
        if (d->arrival >= 0.0 || flow_station(d) < (double)d->vehicle->ways[0].finish)
            continue;
        d->arrival = run->time;
        d->gone = !d->vehicle->ways[0].stays;
        times->arrived++;
        times->sum += run->time;
        times->last = run->time;
    }
}

// Those that have not arrived in time count with all of it.
static flow_times flow_closed(flow_times times, int32_t count) {
    times.sum += FLOW_SECONDS * (double)(count - times.arrived);
    if (times.arrived < count)
        times.last = FLOW_SECONDS;
    return times;
}

flow_times kerb_scene_flow_drive(const kerb_scene_flow* flow,
                                 void (*watch)(void* context, double time, int32_t vehicle,
                                               const kerb_motion* motion, kerb_reason reason),
                                 void* context) {
    flow_run run = {.flow = flow, .count = flow->count};
    flow_times times = {0};
    kerb_neighbour all[FLOW_VEHICLES];
    for (int32_t i = 0; i < run.count; i++)
        if (!flow_begin(&run.drivers[i], flow, &flow->vehicles[i], 0))
            return flow_closed(times, flow->count);
    for (int32_t frame = 0; frame < (int32_t)FLOW_SECONDS * FLOW_HZ && times.arrived < run.count;
         frame++) {
        flow_ask(&run, all);
        for (int32_t i = 0; watch != NULL && frame % FLOW_WATCHED == 0 && i < run.count; i++)
            if (!run.drivers[i].gone)
                watch(context, run.time, i, &run.drivers[i].motion, run.drivers[i].controls.reason);
        flow_step(&run, &times);
        flow_arrive(&run, &times);
    }
    return flow_closed(times, flow->count);
}

// --------------------------------------------------------------------------- alone

// Notes the speed at each FLOW_SPACING that it has got past.
static void flow_note(float* speeds, int32_t* count, double along, float speed) {
    while (*count < FLOW_SPEEDS && (double)*count * FLOW_SPACING <= along)
        speeds[(*count)++] = speed;
}

static double flow_drive_alone(flow_run* run, const flow_vehicle* vehicle, int32_t way,
                               float* speeds, int32_t* count) {
    flow_driver* d = &run->drivers[0];
    flow_times times = {0};
    kerb_neighbour all[FLOW_VEHICLES];
    if (!flow_begin(d, run->flow, vehicle, way))
        return FLOW_SECONDS;
    run->count = 1;
    run->time = 0.0;
    *count = 0;
    const double finish = (double)vehicle->ways[way].finish;
    while (run->time < FLOW_SECONDS && flow_station(d) < finish) {
        flow_ask(run, all);
        flow_step(run, &times);
        flow_note(speeds, count, flow_station(d) - (double)vehicle->start,
                  kerb_vec3_length(d->motion.velocity));
    }
    return run->time;
}

static void flow_learn_launch(kerb_scene_flow* flow, flow_run* run) {
    flow_vehicle straight = {.id = 1, .way_count = 1};
    flow_way* way = &straight.ways[0];
    way->points[0] = kerb_waypoint_at(0.0f, 0.0f, 0.0f);
    way->points[1] = kerb_waypoint_at(200.0f, 0.0f, 0.0f);
    way->count = 2;
    way->finish = 120.0f;
    (void)flow_drive_alone(run, &straight, 0, flow->launch, &flow->launch_count);
}

flow_times kerb_scene_flow_solo(kerb_scene_flow* flow) {
    flow_run run = {.flow = flow};
    flow_times times = {0};
    flow_learn_launch(flow, &run);
    for (int32_t i = 0; i < flow->count; i++) {
        for (int32_t k = flow->vehicles[i].way_count - 1; k >= 0; k--) {
            flow_way* way = &flow->vehicles[i].ways[k];
            const double time =
                flow_drive_alone(&run, &flow->vehicles[i], k, way->speeds, &way->speed_count);
            if (k > 0)
                continue;
            times.arrived += time < FLOW_SECONDS ? 1 : 0;
            times.sum += time;
            times.last = time > times.last ? time : times.last;
        }
    }
    return times;
}
