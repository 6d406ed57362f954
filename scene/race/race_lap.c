// Drives a racer in sim/ on the ground of a track. Laps are counted at the start of the line; a
// lap's time is interpolated within the frame.
#include "scene/race/race_lap.h"

#include <math.h>
#include <string.h>

#define RACE_LAP_STEP (1.0f / 240.0f)

static const kerb_sim_world race_lap_empty = {.zone_count = 0};

typedef struct race_lap_run {
    const kerb_scene_race_lap* lap;
    kerb_scene_race_lap_result* result;
    kerb_racer racer;
    kerb_sim_vehicle vehicle;
    void* elsewhere; // the car in another physics; NULL: it is `vehicle`
    kerb_scene_race_place place;
    double time, begun; // now, and when the lap began
    double total;       // along the line, of the last frame
    double errors;
    double turned; // sum of the steering command's changes
    float steering;
    float outside;
    int32_t phase;
    int32_t frames;
    kerb_controls told[KERB_SCENE_RACE_LATE_MAX + 1]; // the last ones, newest first
} race_lap_run;

kerb_scene_race_lap kerb_scene_race_lap_default(const kerb_racing_line* line,
                                                const kerb_scene_race_ground* ground,
                                                const kerb_sim_model* model) {
    kerb_scene_race_lap lap;
    memset(&lap, 0, sizeof lap);
    lap.line = line;
    lap.ground = ground;
    lap.model = model;
    lap.racer = kerb_racer_make(&model->vehicle);
    lap.laps = line->closed ? 5 : 1;
    lap.grip = 1.0f;
    lap.time_most = 120.0 + 10.0 * line->time * (double)lap.laps;
    lap.drive_every = 4;
    return lap;
}

static kerb_sim_ground ground_at(race_lap_run* r, kerb_vec3 position) {
    kerb_sim_ground under = kerb_scene_race_ground_at(r->lap->ground, &r->place, position);
    under.grip *= r->lap->grip;
    return under;
}

// False when the other physics cannot make the car.
static bool race_lap_put(race_lap_run* r) {
    const kerb_scene_race_lap* lap = r->lap;
    kerb_line_point p = kerb_racing_line_at(lap->line, lap->start);
    float sine, cosine;
    kerb_sin_cos(p.heading, &sine, &cosine);
    kerb_vec3 at = {(float)p.x - lap->start_aside * sine, (float)p.y + lap->start_aside * cosine,
                    (float)p.z};
    if (lap->physics != NULL) {
        kerb_sim_ground under = ground_at(r, at);
        at.z = under.height;
        r->elsewhere = lap->physics->make(lap->model, &race_lap_empty, &under, at,
                                          p.heading + lap->start_heading, NULL);
        return r->elsewhere != NULL;
    }
    r->vehicle = kerb_sim_vehicle_make(lap->model, at, p.heading + lap->start_heading);
    r->vehicle.car.forward = lap->start_speed;
    r->vehicle.car.wheel_front = r->vehicle.car.wheel_rear =
        lap->start_speed / r->vehicle.car.model.wheel_radius;
    return true;
}

static kerb_motion race_lap_motion_of(const race_lap_run* r) {
    kerb_motion motion = r->elsewhere != NULL ? r->lap->physics->motion(r->elsewhere)
                                              : kerb_sim_vehicle_motion(&r->vehicle);
    if (r->lap->hides_wheel_slip)
        motion.wheel_slip = 0.0f;
    return motion;
}

static void race_lap_step_elsewhere(race_lap_run* r, const kerb_controls* controls) {
    for (int32_t i = 0; i < r->lap->drive_every; i++) {
        kerb_sim_ground under = ground_at(r, race_lap_motion_of(r).position);
        r->lap->physics->step(r->elsewhere, controls, &under, RACE_LAP_STEP);
    }
}

static void race_lap_step_physics(race_lap_run* r, const kerb_controls* controls) {
    for (int32_t i = 0; i < r->lap->drive_every; i++) {
        kerb_sim_ground under = ground_at(r, r->vehicle.car.position);
        kerb_sim_vehicle_step(&r->vehicle, controls, &under, RACE_LAP_STEP);
        kerb_sim_body body = kerb_sim_vehicle_body(&r->vehicle);
        if (kerb_scene_race_ground_push(r->lap->ground, &r->place, &body, NULL, 0) > 0)
            kerb_sim_vehicle_set_body(&r->vehicle, &body);
    }
}

// The car has what it was told some calls ago.
static void race_lap_step(race_lap_run* r, const kerb_controls* controls) {
    memmove(&r->told[1], &r->told[0], KERB_SCENE_RACE_LATE_MAX * sizeof r->told[0]);
    r->told[0] = *controls;
    const kerb_controls* acts = &r->told[r->lap->controls_late];
    if (r->elsewhere != NULL)
        race_lap_step_elsewhere(r, acts);
    else
        race_lap_step_physics(r, acts);
}

static void count_laps(race_lap_run* r, double step) {
    kerb_scene_race_lap_result* result = r->result;
    double now = r->racer.decision.total_distance, length = r->lap->line->length;
    double next = length * (double)(result->laps + 1);
    if (now >= next && result->laps < KERB_SCENE_RACE_LAPS_MAX) {
        double share = now > r->total ? (now - next) / (now - r->total) : 0.0;
        double at = r->time - share * step;
        double lap_time = at - r->begun;
        result->lap_time[result->laps++] = lap_time;
        r->begun = at;
        if (result->laps > 1 && (result->best == 0.0 || lap_time < result->best))
            result->best = lap_time;
    }
    r->total = now;
}

static void race_lap_measure(race_lap_run* r, const kerb_controls* controls, double step) {
    kerb_scene_race_lap_result* result = r->result;
    const kerb_racer_decision* t = &r->racer.decision;
    double error = fabs((double)t->cross_track_error);
    r->errors += error;
    r->frames++;
    result->error_max = fmax(result->error_max, error);
    result->outside_most = fmax(result->outside_most, (double)r->outside);
    result->off_track_time += r->outside > 0.0f ? step : 0.0;
    r->turned += fabs((double)(controls->steering - r->steering));
    r->steering = controls->steering;
    result->spins += t->phase == KERB_RACER_SPINNING && r->phase != KERB_RACER_SPINNING;
    r->phase = t->phase;
}

static void race_lap_tell(const race_lap_run* r, const kerb_motion* motion,
                          const kerb_controls* controls) {
    if (!r->lap->watch)
        return;
    kerb_scene_race_frame frame = {r->time,   *motion,    *controls,
                                   &r->racer, r->outside, r->result->laps};
    r->lap->watch(r->lap->context, &frame);
}

void kerb_scene_race_lap_run(const kerb_scene_race_lap* lap, kerb_scene_race_lap_result* result) {
    memset(result, 0, sizeof *result);
    result->outside_most = -1.0e9;
    race_lap_run r;
    memset(&r, 0, sizeof r);
    r.lap = lap;
    r.result = result;
    r.racer = lap->racer;
    for (int32_t i = 0; i <= KERB_SCENE_RACE_LATE_MAX; i++)
        r.told[i] = kerb_controls_safe(KERB_REASON_NONE);
    if (!race_lap_put(&r))
        return;
    double frame = (double)lap->drive_every * (double)RACE_LAP_STEP;
    bool asked = false;
    while (result->laps < lap->laps && r.time < lap->time_most) {
        kerb_motion motion = race_lap_motion_of(&r);
        ground_at(&r, motion.position);
        r.outside = kerb_scene_race_ground_outside(&r.place);
        kerb_controls controls = kerb_racer_drive(&r.racer, lap->line, &motion, NULL, (float)frame);
        race_lap_measure(&r, &controls, frame);
        count_laps(&r, frame);
        race_lap_tell(&r, &motion, &controls);
        result->asked += controls.reason == KERB_REASON_TELEPORT && !asked;
        asked = controls.reason == KERB_REASON_TELEPORT;
        race_lap_step(&r, &controls);
        r.time += frame;
    }
    result->time = r.time;
    result->error_mean = r.frames > 0 ? r.errors / (double)r.frames : 0.0;
    result->steering_rate = r.time > 0.0 ? r.turned / r.time : 0.0;
    if (r.elsewhere != NULL)
        lap->physics->destroy(r.elsewhere);
}
