// A racer among others that drive as they are told, on an oval wide enough for three cars: what
// tests of the racing driver in traffic look at.
#ifndef TEST_RACER_SHOW_H
#define TEST_RACER_SHOW_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "scene/race/race_stage.h"
#include "sim/world.h"
#include "src/racer/traffic/traffic.h"
#include "test/line_rig.h"

#define DRIVE_STEP (1.0f / 60.0f)
#define OTHERS_MOST 24

static kerb_scene_race_stage stage; // an oval, wide enough for three cars
static kerb_host host;
static line_rig rig;

// Two straights and two half turns, counter-clockwise; the line keeps so far from the edges.
static inline void oval_with(kerb_scene_race_stage* made, double straight, double radius,
                             double half_width, float margin) {
    const double pi = 3.14159265358979323846;
    rig_begin(&rig, true);
    int32_t steps = (int32_t)(straight / 5.0), turns = (int32_t)(pi * radius / 4.0);
    for (int32_t side = 0; side < 2; side++) {
        double sign = side == 0 ? 1.0 : -1.0;
        for (int32_t i = 0; i < steps; i++)
            rig_add(&rig, sign * (5.0 * (double)i - 0.5 * straight), -sign * radius, 0.0,
                    half_width);
        for (int32_t i = 0; i < turns; i++) {
            double a = pi * ((double)i / (double)turns - 0.5);
            rig_add(&rig, sign * (0.5 * straight + radius * cos(a)), sign * radius * sin(a), 0.0,
                    half_width);
        }
    }
    kerb_sim_model model;
    kerb_error error;
    assert_true(kerb_sim_model_named("gt", &model));
    kerb_scene_race_stage_settings settings = kerb_scene_race_stage_settings_default();
    settings.method = KERB_LINE_CURVATURE;
    settings.margin = margin;
    if (kerb_scene_race_stage_build(made, rig.waypoints, rig.count, &model, &settings, &host,
                                    &error) != KERB_OK)
        fail_msg("%s: %s", error.field, error.message);
}

static inline void oval(kerb_scene_race_stage* made, double straight, double radius,
                        double half_width) {
    oval_with(made, straight, radius, half_width, kerb_scene_race_stage_settings_default().margin);
}

static inline int open_stage(void** state) {
    (void)state;
    host = kerb_host_default();
    oval(&stage, 700.0, 60.0, 7.0);
    return 0;
}

static inline int close_stage(void** state) {
    (void)state;
    kerb_scene_race_stage_free(&stage);
    return 0;
}

// ------------------------------------------------------------------- one racer, others as told

// One that drives as it is told, along the line and beside it.
typedef struct puppet {
    double at;        // along the line [m]
    float offset;     // [m]
    float speed;      // most, held by what the line allows; negative: against the traffic [m/s]
    float braking;    // from `brakes_at` on [m/s²]
    double brakes_at; // [s]
    float now;        // its speed [m/s]
    int32_t laps;
    float asks;      // to be let by
    float goes_to;   // the offset that it moves to from then on [m]
    float aside;     // at this speed; 0: it keeps its offset [m/s]
    double aside_at; // [s]
    float turned;    // nose against the line, and by so much more a second [rad], [rad/s]
    float turning;
    float moves; // aside now [m/s]
} puppet;

typedef struct show {
    const kerb_scene_race_stage* stage;
    kerb_racer racer;
    kerb_sim_vehicle vehicle;
    kerb_scene_race_place on;
    puppet puppets[OTHERS_MOST];
    int32_t count;
    int32_t laps; // that the racer has done, as it is told
    double time;
    bool touched, gave_way;
    float outside, nearest; // greatest; least gap to one ahead in the same lane [m]
    float aside_most;       // farthest from the line [m]
} show;

static inline kerb_line_point pose_of(const kerb_scene_race_stage* s, double at, float offset,
                                      kerb_vec3* place) {
    kerb_line_point p = kerb_racing_line_at(&s->line, at);
    float sine, cosine;
    kerb_sin_cos(p.heading, &sine, &cosine);
    *place = kerb_vec3_make((float)p.x - offset * sine, (float)p.y + offset * cosine, (float)p.z);
    return p;
}

static inline void begin_show(show* w, const kerb_scene_race_stage* s, double at, float offset,
                              float speed) {
    memset(w, 0, sizeof *w);
    w->stage = s;
    kerb_vec3 place;
    kerb_line_point p = pose_of(s, at, offset, &place);
    w->vehicle = kerb_sim_vehicle_make(&s->model, place, p.heading);
    w->vehicle.car.forward = speed;
    w->vehicle.car.wheel_front = w->vehicle.car.wheel_rear = speed / s->model.car.wheel_radius;
    w->vehicle.car.gear = 4;
    w->racer = kerb_racer_make(&s->model.vehicle);
    w->racer.performance = s->limits.performance;
    w->outside = -1.0e6f;
    w->nearest = 1.0e6f;
}

static inline puppet* add_puppet(show* w, double at, float offset, float speed) {
    puppet* p = &w->puppets[w->count++];
    *p = (puppet){.at = at, .offset = offset, .speed = speed, .now = speed};
    return p;
}

static inline void move_puppet_aside(const show* w, puppet* p) {
    float most = w->time >= p->aside_at ? p->aside : 0.0f;
    p->moves = kerb_clamp((p->goes_to - p->offset) / DRIVE_STEP, -most, most);
    p->offset += p->moves * DRIVE_STEP;
    p->turned += p->turning * DRIVE_STEP;
}

// As fast as told, but no faster than a slower car takes the bends.
static inline void move_puppet(const show* w, puppet* p) {
    float most = 0.85f * kerb_racing_line_at(&w->stage->line, p->at).speed;
    p->now = kerb_min(p->now + 6.0f * DRIVE_STEP, kerb_min(p->speed, most));
    if (p->braking > 0.0f && w->time >= p->brakes_at) {
        p->speed = kerb_max(p->speed - p->braking * DRIVE_STEP, 0.0f);
        p->now = kerb_min(p->now, p->speed);
    }
    p->at += (double)(p->now * DRIVE_STEP);
    move_puppet_aside(w, p);
}

static inline kerb_neighbour see_puppet(const show* w, int32_t index) {
    const puppet* p = &w->puppets[index];
    kerb_vec3 place;
    kerb_line_point line = pose_of(w->stage, p->at, p->offset, &place);
    float sine, cosine, nose_sine, nose_cosine, facing = p->speed < 0.0f ? -1.0f : 1.0f;
    kerb_sin_cos(line.heading, &sine, &cosine);
    kerb_sin_cos(line.heading + p->turned, &nose_sine, &nose_cosine);
    const kerb_vehicle* v = &w->stage->model.vehicle;
    return (kerb_neighbour){
        .id = (uint32_t)index + 1u,
        .position = place,
        .velocity = {p->now * cosine - p->moves * sine, p->now * sine + p->moves * cosine, 0.0f},
        .forward = {facing * nose_cosine, facing * nose_sine},
        .length = v->length,
        .width = v->width,
        .laps = p->laps,
        .overtake_request = p->asks};
}

static inline kerb_sim_body body_of(const kerb_neighbour* n) {
    float half = 0.5f * n->length;
    return (kerb_sim_body){.position = n->position,
                           .heading = kerb_atan2(n->forward.y, n->forward.x),
                           .mass = 1000.0f,
                           .yaw_inertia = 1000.0f,
                           .front = half,
                           .back = half,
                           .half_width = 0.5f * n->width};
}

static inline void watch_show(show* w, const kerb_neighbour* seen) {
    const kerb_scene_race_stage* s = w->stage;
    float offset = w->racer.decision.cross_track_error + w->racer.memory.traffic.way_offset;
    w->aside_most = kerb_max(w->aside_most, kerb_abs(offset));
    w->outside = kerb_max(w->outside, kerb_scene_race_ground_outside(&w->on));
    for (int32_t i = 0; i < w->count; i++) {
        kerb_sim_body mine = kerb_sim_vehicle_body(&w->vehicle), his = body_of(&seen[i]);
        w->touched |= kerb_sim_bodies_push(&mine, &his, NULL);
        double ahead = w->puppets[i].at - w->racer.decision.distance;
        ahead -= s->line.length * floor(ahead / s->line.length + 0.5);
        if (ahead > 0.0 && kerb_abs(offset - w->puppets[i].offset) < s->model.vehicle.width)
            w->nearest = kerb_min(w->nearest, (float)ahead - s->model.vehicle.length);
    }
}

static inline void run_show(show* w, double seconds) {
    const kerb_scene_race_stage* s = w->stage;
    for (double end = w->time + seconds; w->time < end; w->time += (double)DRIVE_STEP) {
        kerb_neighbour seen[OTHERS_MOST];
        for (int32_t i = 0; i < w->count; i++) {
            move_puppet(w, &w->puppets[i]);
            seen[i] = see_puppet(w, i);
        }
        kerb_surroundings around = kerb_surroundings_default();
        around.neighbours = seen;
        around.neighbour_count = w->count;
        around.laps = w->laps;
        kerb_motion motion = kerb_sim_vehicle_motion(&w->vehicle);
        kerb_controls controls =
            kerb_racer_drive(&w->racer, &s->line, &motion, &around, DRIVE_STEP);
        for (int32_t k = 0; k < 4; k++) {
            kerb_sim_ground under =
                kerb_scene_race_ground_at(&s->ground, &w->on, w->vehicle.car.position);
            kerb_sim_vehicle_step(&w->vehicle, &controls, &under, 0.25f * DRIVE_STEP);
        }
        w->gave_way |= controls.reason == KERB_REASON_YIELDING;
        watch_show(w, seen);
    }
}

// Ahead of a puppet, shorter way round. [m]
static inline double lead_of(const show* w, int32_t index) {
    double lead = w->racer.decision.distance - w->puppets[index].at;
    return lead - w->stage->line.length * floor(lead / w->stage->line.length + 0.5);
}

#endif
