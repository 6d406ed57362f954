// Runs one trial: driver at drive_hz, simulation at least at physics_hz, judge after every frame.
#include "scene/trial.h"
#include "scene/judge.h"

#include <string.h>

// A trial that takes longer than ten times the course at this speed has failed. [m/s]
#define SLOWEST 5.0

scene_trial scene_trial_default(const scene_course* course, const kerb_vehicle* vehicle,
                                const kerb_follower_settings* settings) {
    scene_trial trial;
    memset(&trial, 0, sizeof trial);
    trial.course = course;
    trial.vehicle = vehicle;
    trial.settings = *settings;
    trial.drive_hz = 60.0f;
    trial.physics_hz = 240.0f;
    return trial;
}

// Everything that exists while a trial runs.
typedef struct run {
    const scene_trial* trial;
    kerb_path path;   // what the driver is given
    kerb_path judged; // the same, all forwards
    kerb_follower follower;
    sim_car car;
    scene_judge judge;
    double time;
    double driven;
    double drive_ns;
    double drive_ns_max;
    int32_t frames;
} run;

// --------------------------------------------------------------------------- the two paths

static kerb_result build_judged(run* r, const kerb_host* host, kerb_error* error) {
    const scene_course* course = r->trial->course;
    size_t bytes = (size_t)course->count * sizeof(kerb_waypoint);
    kerb_waypoint* copy = host->allocator.allocate(host->allocator.context, bytes, 8);
    if (copy == NULL)
        return kerb_error_set(error, KERB_ERROR_OUT_OF_MEMORY, "course", 0, -1,
                              "no memory for the judge's course");
    for (int32_t i = 0; i < course->count; i++) {
        copy[i] = course->waypoints[i];
        // A reversal makes the vehicle stand: to the judge it is a stop.
        if (i > 0 && copy[i].direction != course->waypoints[i - 1].direction)
            copy[i].stop = kerb_max(copy[i].stop, 1.0f);
        copy[i].direction = 1;
    }
    kerb_result result =
        kerb_path_create(&r->judged, copy, course->count, course->closed, host, error);
    host->allocator.release(host->allocator.context, copy, bytes);
    return result;
}

static kerb_result build_paths(run* r, const kerb_host* host, kerb_error* error) {
    const scene_course* course = r->trial->course;
    kerb_result result =
        kerb_path_create(&r->path, course->waypoints, course->count, course->closed, host, error);
    if (result != KERB_OK)
        return result;
    result = build_judged(r, host, error);
    if (result != KERB_OK)
        kerb_path_destroy(&r->path);
    return result;
}

// --------------------------------------------------------------------------- the ground

// The road as the course describes it: through the nearest point, sloping along the course and
// banked across it.
static sim_ground ground_under(const run* r) {
    kerb_path_sample road = kerb_path_sample_at(&r->judged, r->judge.location);
    kerb_vec3 along = road.direction;
    kerb_vec3 left =
        kerb_vec3_unit(kerb_vec3_make(-along.y, along.x, 0.0f), kerb_vec3_make(0.0f, 1.0f, 0.0f));
    float sine, cosine;
    kerb_sin_cos(road.bank, &sine, &cosine);
    left = kerb_vec3_make(left.x * cosine, left.y * cosine, sine);
    kerb_vec3 normal =
        kerb_vec3_unit(kerb_vec3_cross(along, left), kerb_vec3_make(0.0f, 0.0f, 1.0f));
    kerb_vec3 off = kerb_vec3_sub(r->car.position, road.position);
    sim_ground ground = {.normal = normal, .grip = road.grip};
    ground.height =
        road.position.z - (off.x * normal.x + off.y * normal.y) / kerb_max(normal.z, 0.2f);
    return ground;
}

// --------------------------------------------------------------------------- running

static void place_car(run* r) {
    const scene_trial* trial = r->trial;
    sim_car_model model = trial->model != NULL ? *trial->model : sim_car_model_for(trial->vehicle);
    const kerb_path_point* first = &r->path.points[0];
    float heading = first->heading + (first->travel > 0 ? 0.0f : KERB_PI);
    r->car = sim_car_make(&model, first->position, kerb_wrap_angle(heading));
}

static kerb_controls ask_driver(run* r, const kerb_motion* motion, float time_step) {
    uint64_t (*clock)(void) = r->trial->clock_ns;
    uint64_t before = clock != NULL ? clock() : 0;
    kerb_controls controls = kerb_follower_drive(&r->follower, &r->path, motion, NULL, time_step);
    if (clock != NULL) {
        double spent = (double)(clock() - before);
        r->drive_ns += spent;
        if (spent > r->drive_ns_max)
            r->drive_ns_max = spent;
    }
    return controls;
}

static void simulate(run* r, const kerb_controls* controls, float time_step) {
    int32_t steps = (int32_t)(r->trial->physics_hz * time_step + 0.999f);
    steps = steps > 1 ? steps : 1;
    for (int32_t i = 0; i < steps; i++) {
        sim_ground ground = ground_under(r);
        sim_car_step(&r->car, controls, &ground, time_step / (float)steps);
    }
}

static void show(const run* r, const kerb_motion* motion, const kerb_controls* controls) {
    if (r->trial->watch == NULL)
        return;
    scene_frame frame = {.time = r->time,
                         .motion = *motion,
                         .controls = *controls,
                         .thoughts = r->follower.thoughts,
                         .cross_track_error = r->judge.error,
                         .progress = r->judge.best,
                         .inside_corridor = r->judge.inside,
                         .stuck = r->judge.stuck};
    r->trial->watch(r->trial->context, &frame);
}

static void run_to_the_end(run* r) {
    float time_step = 1.0f / r->trial->drive_hz;
    double limit = 10.0 * r->judged.length / SLOWEST;
    kerb_motion motion = sim_car_motion(&r->car);
    while (r->time < limit) {
        kerb_controls controls = ask_driver(r, &motion, time_step);
        show(r, &motion, &controls);
        simulate(r, &controls, time_step);
        kerb_vec3 before = motion.position;
        motion = sim_car_motion(&r->car);
        r->driven += (double)kerb_vec3_length(kerb_vec3_sub(motion.position, before));
        r->frames++;
        r->time = (double)r->frames * (double)time_step;
        scene_judge_watch(&r->judge, &motion, time_step);
        if (r->judge.finished)
            break;
    }
}

static scene_result result_of(const run* r) {
    double metres = r->judge.best > 1.0e-6 ? r->judge.best : 1.0e-6;
    scene_result result = {
        .finished = r->judge.finished,
        .stuck_events = r->judge.stuck_events,
        .time = r->time,
        .distance = r->driven,
        .cte_mean = r->judge.error_sum / metres,
        .cte_max = r->judge.error_max,
        .inside_percent = 100.0 * r->judge.inside_sum / metres,
        .speed_mean = r->driven / r->time,
        .drive_ns = r->drive_ns / (double)r->frames,
        .drive_ns_max = r->drive_ns_max,
        .frames = r->frames,
    };
    return result;
}

kerb_result scene_trial_run(const scene_trial* trial, const kerb_host* host, scene_result* result,
                            kerb_error* error) {
    memset(result, 0, sizeof *result);
    kerb_result valid =
        kerb_settings_validate(&kerb_follower_settings_table, &trial->settings, error);
    if (valid == KERB_OK)
        valid = kerb_vehicle_validate(trial->vehicle, error);
    if (valid != KERB_OK)
        return valid;
    run r;
    memset(&r, 0, sizeof r);
    r.trial = trial;
    valid = build_paths(&r, host, error);
    if (valid != KERB_OK)
        return valid;
    r.follower = kerb_follower_make(trial->vehicle);
    r.follower.settings = trial->settings;
    r.judge = scene_judge_make(&r.judged, trial->vehicle);
    place_car(&r);
    run_to_the_end(&r);
    *result = result_of(&r);
    kerb_path_destroy(&r.path);
    kerb_path_destroy(&r.judged);
    return KERB_OK;
}
