// Runs one trial: the driver at drive_hz, the simulation at physics_hz or more, the judge after
// every frame.
#include "scene/course/trial_run.h"

#include <string.h>

// A trial that takes longer than ten times the course at this speed has failed. [m/s]
#define TRIAL_SLOWEST 5.0
// Touches that follow each other sooner are one. [s]
#define TRIAL_APART_SECONDS 1.0
// A vehicle that crosses the finish is shown for so much longer, to be seen to stop. [s]
#define STOP_SECONDS 3.0

kerb_scene_trial kerb_scene_trial_default(const kerb_scene_course* course,
                                          const kerb_vehicle* vehicle,
                                          const kerb_follower_settings* settings) {
    kerb_scene_trial trial;
    memset(&trial, 0, sizeof trial);
    trial.course = course;
    trial.vehicle = vehicle;
    trial.settings = *settings;
    trial.drive_hz = 60.0f;
    trial.physics_hz = 240.0f;
    return trial;
}

// --------------------------------------------------------------------------- the ground

// The road as the course describes it: through the nearest point, sloping along the course and
// banked across it. Where zones say what grip there is, the waypoints' word for it counts only as
// a driver's.
static kerb_sim_ground road_under(const kerb_scene_trial_run_state* r, kerb_vec3 position) {
    kerb_path_sample road = kerb_path_sample_at(&r->path, r->judge.location);
    kerb_vec3 along = road.direction;
    kerb_vec3 left =
        kerb_vec3_unit(kerb_vec3_make(-along.y, along.x, 0.0f), kerb_vec3_make(0.0f, 1.0f, 0.0f));
    float sine, cosine;
    kerb_sin_cos(road.bank, &sine, &cosine);
    left = kerb_vec3_make(left.x * cosine, left.y * cosine, sine);
    kerb_vec3 normal =
        kerb_vec3_unit(kerb_vec3_cross(along, left), kerb_vec3_make(0.0f, 0.0f, 1.0f));
    kerb_vec3 off = kerb_vec3_sub(position, road.position);
    bool has_zones = r->trial->course->world.zone_count > 0;
    kerb_sim_ground ground = {.normal = normal, .grip = has_zones ? 1.0f : road.grip};
    ground.height =
        road.position.z - (off.x * normal.x + off.y * normal.y) / kerb_max(normal.z, 0.2f);
    return ground;
}

static kerb_sim_ground trial_ground_under(const kerb_scene_trial_run_state* r, kerb_vec3 position) {
    kerb_sim_ground road = road_under(r, position);
    return kerb_sim_world_ground(&r->trial->course->world, position, &road);
}

// --------------------------------------------------------------------------- the vehicle

static kerb_result place_elsewhere(kerb_scene_trial_run_state* r, kerb_vec3 position,
                                   float heading) {
    const kerb_sim_physics* physics = r->trial->physics;
    const kerb_sim_world* world = &r->trial->course->world;
    kerb_sim_ground road = road_under(r, position);
    physics->destroy(r->elsewhere);
    r->elsewhere = physics->make(&r->model, world, &road, position, heading, &r->error);
    return r->elsewhere != NULL ? KERB_OK : r->error.result;
}

// At rest on the course, facing along it.
static kerb_result place_vehicle(kerb_scene_trial_run_state* r, kerb_path_location location) {
    kerb_path_sample place = kerb_path_sample_at(&r->path, location);
    float heading = kerb_atan2(place.direction.y, place.direction.x);
    if (place.travel < 0)
        heading += KERB_PI;
    heading = kerb_wrap_angle(heading);
    if (r->trial->physics != NULL)
        return place_elsewhere(r, place.position, heading);
    r->vehicle = kerb_sim_vehicle_make(&r->model, place.position, heading);
    return KERB_OK;
}

static kerb_motion vehicle_motion(const kerb_scene_trial_run_state* r) {
    return r->trial->physics != NULL ? r->trial->physics->motion(r->elsewhere)
                                     : kerb_sim_vehicle_motion(&r->vehicle);
}

static void trial_note_touch(kerb_scene_trial_run_state* r) {
    if (r->touch.count == 0 || r->time > r->touch.since + TRIAL_APART_SECONDS)
        r->touch.count++;
    r->touch.since = r->time;
    r->touch.now = true;
}

static void step_vehicle(kerb_scene_trial_run_state* r, const kerb_controls* controls,
                         float time_step) {
    kerb_sim_ground ground = trial_ground_under(r, kerb_sim_vehicle_body(&r->vehicle).position);
    kerb_sim_vehicle_step(&r->vehicle, controls, &ground, time_step);
    kerb_sim_body body = kerb_sim_vehicle_body(&r->vehicle);
    if (kerb_sim_world_push(&r->trial->course->world, &body, NULL, 0) == 0)
        return;
    kerb_sim_vehicle_set_body(&r->vehicle, &body);
    trial_note_touch(r);
}

static void trial_step_elsewhere(kerb_scene_trial_run_state* r, const kerb_controls* controls,
                                 float time_step) {
    kerb_sim_ground road = road_under(r, vehicle_motion(r).position);
    r->trial->physics->step(r->elsewhere, controls, &road, time_step);
    if (r->trial->physics->touching(r->elsewhere))
        trial_note_touch(r);
}

// --------------------------------------------------------------------------- running

static kerb_controls ask_driver(kerb_scene_trial_run_state* r, const kerb_motion* motion,
                                float time_step) {
    kerb_surroundings around = kerb_surroundings_default();
    around.player_drives = r->player != NULL;
    around.applied = r->player != NULL || r->player_drove ? &r->controls : NULL;
    uint64_t begun = kerb_scene_call_begin(&r->drives);
    kerb_controls controls =
        kerb_follower_drive(&r->follower, &r->path, motion, &around, time_step);
    kerb_scene_call_end(&r->drives, begun);
    r->player_drove = r->player != NULL;
    r->controls = r->player != NULL ? *r->player : controls;
    return r->controls;
}

static void trial_simulate(kerb_scene_trial_run_state* r, const kerb_controls* controls,
                           float time_step) {
    int32_t steps = (int32_t)(r->trial->physics_hz * time_step + 0.999f);
    steps = steps > 1 ? steps : 1;
    r->touch.now = false;
    for (int32_t i = 0; i < steps; i++) {
        if (r->trial->physics != NULL)
            trial_step_elsewhere(r, controls, time_step / (float)steps);
        else
            step_vehicle(r, controls, time_step / (float)steps);
    }
}

static void trial_show(const kerb_scene_trial_run_state* r, const kerb_motion* motion,
                       const kerb_controls* controls) {
    if (r->trial->watch == NULL)
        return;
    kerb_scene_frame frame = {.time = r->time,
                              .motion = *motion,
                              .controls = *controls,
                              .thoughts = r->follower.decision,
                              .cross_track_error = r->judge.error,
                              .progress = r->judge.best,
                              .inside_corridor = r->judge.inside,
                              .stuck = r->judge.stuck,
                              .touching = r->touch.now};
    r->trial->watch(r->trial->context, &frame);
}

static void trial_seat_driver(kerb_scene_trial_run_state* r) {
    r->follower = kerb_follower_make(r->trial->vehicle);
    r->follower.settings = r->trial->settings;
}

// What the host does for a driver that has given up: back to where it had got to. Who was put back
// by less than half a metre would not notice, and ask again.
static kerb_result teleport(kerb_scene_trial_run_state* r) {
    kerb_scene_judge_put_back(&r->judge);
    trial_seat_driver(r);
    r->teleports++;
    return place_vehicle(r, r->judge.location);
}

kerb_result kerb_scene_trial_frame(kerb_scene_trial_run_state* run) {
    float time_step = 1.0f / run->trial->drive_hz;
    kerb_motion* motion = &run->motion;
    kerb_controls controls = ask_driver(run, motion, time_step);
    trial_show(run, motion, &controls);
    if (controls.reason == KERB_REASON_TELEPORT) {
        kerb_result placed = teleport(run);
        if (placed != KERB_OK)
            return placed;
    }
    kerb_vec3 before = vehicle_motion(run).position;
    trial_simulate(run, &controls, time_step);
    *motion = vehicle_motion(run);
    run->driven += (double)kerb_vec3_length(kerb_vec3_sub(motion->position, before));
    run->frames++;
    run->time = (double)run->frames * (double)time_step;
    kerb_scene_judge_watch(&run->judge, motion, time_step);
    return KERB_OK;
}

static kerb_result run_to_the_end(kerb_scene_trial_run_state* r) {
    kerb_result result = KERB_OK;
    r->limit =
        10.0 * r->path.length / (TRIAL_SLOWEST * (double)kerb_vehicle_scale(r->trial->vehicle));
    while (r->time < r->limit && !r->judge.finished && result == KERB_OK)
        result = kerb_scene_trial_frame(r);
    return result;
}

// The result is known; whoever watches also wants to see the vehicle come to rest.
static kerb_result show_the_stop(kerb_scene_trial_run_state* r) {
    double until = r->time + STOP_SECONDS;
    kerb_result result = KERB_OK;
    while (r->time < until && r->follower.controls.reason != KERB_REASON_ARRIVED &&
           result == KERB_OK)
        result = kerb_scene_trial_frame(r);
    return result;
}

static kerb_scene_result result_of(const kerb_scene_trial_run_state* r) {
    double metres = r->judge.best > 1.0e-6 ? r->judge.best : 1.0e-6;
    bool finished = r->judge.finished && r->teleports == 0;
    kerb_scene_result result = {
        .finished = finished,
        .stuck_events = r->judge.stuck_events,
        .contacts = r->touch.count,
        .teleports = r->teleports,
        .time = finished ? r->time : r->limit,
        .distance = r->driven,
        .cte_mean = r->judge.error_sum / metres,
        .cte_max = r->judge.error_max,
        .inside_percent = 100.0 * r->judge.inside_sum / metres,
        .left_road = r->judge.outside_max,
        .speed_mean = r->driven / r->time,
        .speed_ratio = r->fastest.time / (finished ? r->time : r->limit),
        .drive_ns = kerb_scene_call_median(&r->drives),
        .drive_ns_max = (double)r->drives.longest,
        .frames = r->frames,
    };
    return result;
}

// What the course and the vehicle would allow at the speeds that are asked for.
static kerb_result find_fastest(kerb_scene_trial_run_state* r, const kerb_host* host,
                                kerb_error* error) {
    const kerb_scene_trial* trial = r->trial;
    bool slow_back = trial->settings.method == KERB_FOLLOWER_KERB; // others know one speed only
    double speed = (double)trial->settings.speed;
    double reverse_speed = slow_back ? (double)trial->settings.reverse_speed : speed;
    return kerb_scene_fastest_find(&r->path, &trial->course->world, trial->vehicle, speed,
                                   reverse_speed, host, &r->fastest, error);
}

// --------------------------------------------------------------------------- step by step

kerb_result kerb_scene_trial_put(kerb_scene_trial_run_state* run, kerb_vec3 position,
                                 float heading) {
    kerb_path_location near = kerb_path_nearest(&run->path, position);
    kerb_scene_judge judge = kerb_scene_judge_make(&run->path, run->trial->vehicle);
    judge.location = near;
    judge.progress = judge.best = judge.window_best = kerb_path_distance(&run->path, near);
    run->judge = judge;
    if (run->trial->physics != NULL)
        return place_elsewhere(run, position, heading);
    run->vehicle = kerb_sim_vehicle_make(&run->model, position, heading);
    run->motion = vehicle_motion(run);
    return KERB_OK;
}

kerb_result kerb_scene_trial_restart(kerb_scene_trial_run_state* run) {
    trial_seat_driver(run);
    run->judge = kerb_scene_judge_make(&run->path, run->trial->vehicle);
    kerb_result placed = place_vehicle(run, run->judge.location);
    if (placed == KERB_OK)
        run->motion = vehicle_motion(run);
    return placed;
}

kerb_result kerb_scene_trial_begin(kerb_scene_trial_run_state* run, const kerb_scene_trial* trial,
                                   const kerb_host* host, kerb_error* error) {
    memset(run, 0, sizeof *run);
    kerb_result valid =
        kerb_settings_validate(&kerb_follower_settings_table, &trial->settings, error);
    if (valid == KERB_OK)
        valid = kerb_vehicle_validate(trial->vehicle, error);
    if (valid != KERB_OK)
        return valid;
    run->drives = kerb_scene_call_times_make(trial->clock_ns);
    run->trial = trial;
    const kerb_scene_course* course = trial->course;
    valid =
        kerb_path_create(&run->path, course->waypoints, course->count, course->closed, host, error);
    if (valid != KERB_OK)
        return valid;
    run->model = trial->model != NULL ? *trial->model : kerb_sim_model_for(trial->vehicle);
    valid = kerb_scene_trial_restart(run);
    if (valid != KERB_OK) {
        kerb_error_set(error, valid, run->error.field, 0, -1, run->error.message);
        kerb_scene_trial_end(run);
    }
    return valid;
}

void kerb_scene_trial_end(kerb_scene_trial_run_state* run) {
    if (run->trial != NULL && run->trial->physics != NULL)
        run->trial->physics->destroy(run->elsewhere);
    kerb_path_destroy(&run->path);
    memset(run, 0, sizeof *run);
}

// --------------------------------------------------------------------------- all of it

kerb_result kerb_scene_trial_run(const kerb_scene_trial* trial, const kerb_host* host,
                                 kerb_scene_result* result, kerb_error* error) {
    memset(result, 0, sizeof *result);
    kerb_scene_trial_run_state r;
    kerb_result valid = kerb_scene_trial_begin(&r, trial, host, error);
    if (valid != KERB_OK)
        return valid;
    valid = find_fastest(&r, host, &r.error);
    if (valid == KERB_OK)
        valid = run_to_the_end(&r);
    if (valid == KERB_OK)
        *result = result_of(&r);
    if (valid == KERB_OK && trial->watch != NULL && r.judge.finished && !r.path.closed)
        valid = show_the_stop(&r);
    if (valid != KERB_OK)
        kerb_error_set(error, valid, r.error.field, 0, -1, r.error.message);
    kerb_scene_trial_end(&r);
    return valid;
}
