// Racing, timed on a lap as long as Monza's, 5.8 km, with heights.
#include "tool/bench/bench_race.h"

#include "kerb/racing_line.h"

#include "kerb/racer.h"
#include "scene/race/race.h"
#include "scene/race/race_stage.h"
#include "scene/race/tracks.h"
#include "tool/command/machine.h"

#include <stdlib.h>

#define POINTS 2900
#define BENCH_RACE_SPACING 2.0f
#define BENCH_RACE_ROUNDS 200 // 20 ms
#define RACE_ROUNDS 5

typedef struct bench_race_lap {
    kerb_profile_point points[POINTS];
    float speeds[POINTS];
} bench_race_lap;

// Seven corners with straights in between, over hills, banked towards the inside.
static kerb_profile_point bench_race_point_at(int32_t i) {
    float turn = 6.2831853f * (float)i / (float)POINTS;
    float bend = kerb_sin(7.0f * turn), hill = 0.05f * kerb_cos(3.0f * turn);
    float sharp = bend * bend * bend;
    kerb_profile_point point =
        kerb_profile_point_level(BENCH_RACE_SPACING, 0.03f * sharp * sharp * bend);
    point.normal_curvature = 0.0005f * kerb_sin(3.0f * turn);
    point.up_forward = hill;
    point.up_left = -0.05f * bend;
    point.up_normal = kerb_sqrt(1.0f - hill * hill - 0.0025f * bend * bend);
    return point;
}

static double bench_race_best_of(const kerb_performance* performance, bench_race_lap* l) {
    double best = 0.0;
    for (int32_t round = 0; round < BENCH_RACE_ROUNDS; round++) {
        uint64_t begun = tool_clock_ns();
        kerb_speed_profile(performance, l->points, POINTS, true, 0.0f, 0.0f, l->speeds);
        double ns = (double)(tool_clock_ns() - begun) / POINTS;
        best = round == 0 || ns < best ? ns : best;
    }
    return best;
}

bool tool_bench_speed_profile(tool_bench_figure* figure) {
    bench_race_lap* l = malloc(sizeof *l);
    if (!l)
        return false;
    for (int32_t i = 0; i < POINTS; i++)
        l->points[i] = bench_race_point_at(i);
    kerb_vehicle vehicle = kerb_vehicle_default();
    kerb_performance performance = kerb_performance_of(&vehicle);
    figure->ns = bench_race_best_of(&performance, l);
    free(l);
    return true;
}

// --------------------------------------------------------------------------- racer_drive

#define RACE_HZ 60.0f
#define RACE_LAPS 3

// A car that is where the line and its speeds are: what the driver sees when all goes well.
static kerb_motion motion_at(const kerb_line_point* p) {
    kerb_motion motion = kerb_motion_default();
    motion.position = kerb_vec3_make((float)p->x, (float)p->y, (float)p->z);
    motion.rotation = kerb_quat_from_heading(p->heading);
    motion.velocity = kerb_vec3_scale(kerb_quat_forward(motion.rotation), p->speed);
    motion.angular_velocity.z = p->curvature * p->speed;
    return motion;
}

static int32_t race_frames(const kerb_racing_line* line, kerb_motion* motions, int32_t most) {
    int32_t count = 0;
    double length = line->length * RACE_LAPS;
    for (double at = 0.0; at < length && count < most; count++) {
        kerb_line_point p = kerb_racing_line_at(line, at);
        motions[count] = motion_at(&p);
        at += (double)(kerb_max(p.speed, 1.0f) / RACE_HZ);
    }
    return count;
}

static void time_racer(tool_bench_figure* figure, const kerb_racing_line* line,
                       const kerb_vehicle* vehicle) {
    int32_t most = (int32_t)(RACE_HZ * RACE_LAPS * 2.0f * (float)line->time) + 100;
    kerb_motion* motions = malloc((size_t)most * sizeof *motions);
    if (!motions)
        return;
    int32_t count = race_frames(line, motions, most);
    for (int32_t round = 0; round < RACE_ROUNDS; round++) {
        kerb_racer racer = kerb_racer_make(vehicle);
        uint64_t begun = tool_clock_ns();
        for (int32_t i = 0; i < count; i++)
            kerb_racer_drive(&racer, line, &motions[i], NULL, 1.0f / RACE_HZ);
        double ns = (double)(tool_clock_ns() - begun) / count;
        figure->ns = round == 0 || ns < figure->ns ? ns : figure->ns;
    }
    free(motions);
}

static bool make_line(const kerb_path* path, const kerb_vehicle* vehicle, kerb_host* host,
                      kerb_racing_line* line) {
    kerb_performance performance = kerb_performance_of(vehicle);
    kerb_line_settings settings = kerb_line_settings_default();
    settings.method = KERB_LINE_CURVATURE;
    settings.margin = 0.5f * vehicle->width + 0.5f;
    kerb_line_solver solver;
    if (kerb_line_solver_create(&solver, path, &performance, &settings, host, NULL) != KERB_OK)
        return false;
    while (kerb_line_solver_advance(&solver, 100) == KERB_LINE_RUNNING) {
    }
    kerb_result result = kerb_racing_line_create(line, &solver, 2.0f, host, NULL);
    kerb_line_solver_destroy(&solver);
    return result == KERB_OK;
}

bool tool_bench_racer_drive(tool_bench_figure* figure) {
    kerb_host host = kerb_host_default();
    kerb_scene_track track;
    kerb_path path;
    kerb_racing_line line;
    if (kerb_scene_track_make("downs", &host, &track, NULL) != KERB_OK)
        return false;
    bool made =
        kerb_path_create(&path, track.waypoints, track.count, track.closed, &host, NULL) == KERB_OK;
    kerb_scene_track_free(&track, &host);
    if (!made)
        return false;
    kerb_vehicle vehicle = kerb_vehicle_default();
    bool found = make_line(&path, &vehicle, &host, &line);
    if (found) {
        time_racer(figure, &line, &vehicle);
        kerb_racing_line_destroy(&line);
    }
    kerb_path_destroy(&path);
    return found;
}

// --------------------------------------------------------------------------- among others

#define PACK_CARS 20

// A race in sim/ from the grid on, everybody among the others: nanoseconds of the drive calls.
static bool race_pack(const kerb_scene_race_stage* stage, const kerb_host* host, double* mean,
                      double* most) {
    kerb_scene_race race;
    kerb_scene_race_settings settings =
        kerb_scene_race_settings_default(&stage->line, &stage->ground, &stage->model);
    settings.performances = &stage->limits.performance;
    settings.cars = PACK_CARS;
    settings.laps = 1;
    settings.clock = tool_clock_ns;
    if (kerb_scene_race_create(&race, &settings, host, NULL) != KERB_OK)
        return false;
    while (kerb_scene_race_step(&race)) {
    }
    *mean = kerb_scene_race_drive_ns_mean(&race);
    *most = kerb_scene_race_drive_ns_below(&race, 0.99);
    kerb_scene_race_destroy(&race);
    return true;
}

static bool make_stage(kerb_scene_race_stage* stage, const kerb_host* host) {
    kerb_scene_track track;
    kerb_sim_model model;
    if (!kerb_sim_model_named("gt", &model) ||
        kerb_scene_track_make("downs", host, &track, NULL) != KERB_OK)
        return false;
    kerb_scene_race_stage_settings settings = kerb_scene_race_stage_settings_default();
    settings.method = KERB_LINE_CURVATURE;
    bool made = kerb_scene_race_stage_build(stage, track.waypoints, track.count, &model, &settings,
                                            host, NULL) == KERB_OK;
    kerb_scene_track_free(&track, host);
    return made;
}

// The best of some races: what else the machine does only adds.
static bool time_pack(double* mean, double* most) {
    kerb_host host = kerb_host_default();
    kerb_scene_race_stage stage;
    if (!make_stage(&stage, &host))
        return false;
    bool raced = true;
    for (int32_t round = 0; raced && round < RACE_ROUNDS; round++) {
        double now[2] = {0.0, 0.0};
        raced = race_pack(&stage, &host, &now[0], &now[1]);
        *mean = round == 0 || now[0] < *mean ? now[0] : *mean;
        *most = round == 0 || now[1] < *most ? now[1] : *most;
    }
    kerb_scene_race_stage_free(&stage);
    return raced;
}

bool tool_bench_racer_drive_20(tool_bench_figure* figure) {
    double most;
    return time_pack(&figure->ns, &most);
}

bool tool_bench_racer_drive_20_99(tool_bench_figure* figure) {
    double mean;
    return time_pack(&mean, &figure->ns);
}
