// Purpose: the racing line of a track, found in slices before one's eyes, then driven.
// Idea:    The solver lies in the arena. The line that it has is made anew now and then, always in
//          the memory of the one before. When it is done a racer drives the line, alone.
// Cost:    while it searches, so many steps of the solver as were chosen; then a race of one car.
#include "scene/stage/stage_rooms.h"

#include "scene/race/race.h"
#include "scene/race/race_limits.h"
#include "scene/race/tracks.h"

#include <string.h>

#define STAGE_LINE_SPACING 4.0f // of the line's points [m]
#define STAGE_LINE_FRAMES 6     // between two looks at the line
#define STAGE_LINE_MARGIN 0.5f  // from the edge to the side of the car [m]
#define STAGE_LINE_EVEN 0.5f    // of acceleration: neither brakes nor pushes [m/s²]
#define STAGE_LINE_LAPS 1000

typedef struct stage_line {
    kerb_sim_model model;
    kerb_path* track;               // fixed
    kerb_performance* performance;  // fixed
    kerb_scene_race_ground* ground; // fixed
    kerb_line_solver solver;
    size_t mark; // of the arena, behind the solver
    kerb_racing_line line;
    bool done;
    kerb_scene_race_settings settings;
    kerb_scene_race race;
    float first_time; // of the first line that was seen [s]
} stage_line;

static const char* stage_line_method(int32_t index) {
    return kerb_line_method_text((kerb_line_method)index);
}

static int32_t stage_line_methods(void) {
    return (int32_t)KERB_LINE_TIME + 1;
}

static const stage_choice stage_line_choices[] = {
    {.name = "track",
     .meaning = "of which track",
     .count = kerb_scene_track_count,
     .option = kerb_scene_track_name},
    {.name = "car",
     .meaning = "for which car",
     .fallback = 1,
     .count = kerb_sim_race_model_count,
     .option = kerb_sim_race_model_name},
    {.name = "method",
     .meaning = "what is made least: curvature, time, or the tension of the paper's springs",
     .fallback = KERB_LINE_TIME,
     .count = stage_line_methods,
     .option = stage_line_method},
    {.name = "steps",
     .meaning = "steps of the solver in ten frames",
     .min = 1,
     .max = 500,
     .fallback = 5},
};
STAGE_TABLE(line, kerb_racer_settings_table)

static const stage_table stage_line_tables[] = {
    {"racer", stage_table_of_line_kerb_racer_settings_table}};
static const stage_figure stage_line_figures[] = {{"share of the steps done", "1"},
                                                  {"lap time of the line", "s"},
                                                  {"lap time of the first line", "s"},
                                                  {"best lap driven", "s"}};

// --------------------------------------------------------------------------- the line

static void stage_line_look(kerb_stage* stage, stage_line* l) {
    stage->state->used = l->mark;
    if (kerb_racing_line_create(&l->line, &l->solver, STAGE_LINE_SPACING, &stage->arena, NULL) !=
        KERB_OK)
        memset(&l->line, 0, sizeof l->line);
    if (l->first_time <= 0.0f)
        l->first_time = (float)l->line.time;
}

static kerb_result stage_line_track(kerb_stage* stage, stage_line* l, kerb_error* error) {
    kerb_scene_track built;
    kerb_result result = kerb_scene_track_make(kerb_scene_track_name(stage->choices[0]),
                                               &stage->fixed, &built, error);
    if (result != KERB_OK)
        return result;
    result = kerb_path_create(l->track, built.waypoints, built.count, built.closed, &stage->fixed,
                              error);
    kerb_scene_track_free(&built, &stage->fixed);
    if (result != KERB_OK)
        return result;
    kerb_scene_race_ground_settings ground = kerb_scene_race_ground_settings_default();
    return kerb_scene_race_ground_create(l->ground, l->track, &ground, &stage->fixed, error);
}

static kerb_result stage_line_solve(kerb_stage* stage, stage_line* l, kerb_error* error) {
    kerb_scene_race_limits limits;
    kerb_scene_race_limits_measure(&l->model, &limits);
    *l->performance = limits.performance;
    kerb_line_settings settings = kerb_line_settings_default();
    settings.method = stage->choices[2];
    settings.margin = 0.5f * l->model.vehicle.width + STAGE_LINE_MARGIN;
    kerb_result result = kerb_line_solver_create(&l->solver, l->track, l->performance, &settings,
                                                 &stage->arena, error);
    l->mark = stage->state->used;
    return result;
}

static kerb_result stage_line_make(kerb_stage* stage, kerb_error* error) {
    stage_line* l = kerb_scene_stage_allocate(stage, sizeof *l);
    if (l == NULL)
        return kerb_scene_stage_no_memory(error);
    stage->scene_data = l;
    l->track = kerb_scene_stage_fix(stage, sizeof *l->track);
    l->performance = kerb_scene_stage_fix(stage, sizeof *l->performance);
    l->ground = kerb_scene_stage_fix(stage, sizeof *l->ground);
    if (l->track == NULL || l->performance == NULL || l->ground == NULL)
        return kerb_scene_stage_no_memory(error);
    kerb_sim_model_named(kerb_sim_race_model_name(stage->choices[1]), &l->model);
    kerb_result result = stage_line_track(stage, l, error);
    if (result == KERB_OK)
        result = stage_line_solve(stage, l, error);
    if (result == KERB_OK)
        stage_line_look(stage, l);
    stage->vehicle_count = 1;
    return result;
}

// --------------------------------------------------------------------------- driving it

static void stage_line_apply(kerb_stage* stage) {
    stage_line* l = stage->scene_data;
    if (l->race.count > 0)
        memcpy(&l->race.cars[0].racer.settings, stage->settings[0], sizeof(kerb_racer_settings));
}

static void stage_line_begin_race(kerb_stage* stage, stage_line* l) {
    l->settings = kerb_scene_race_settings_default(&l->line, l->ground, &l->model);
    l->settings.performances = l->performance;
    l->settings.cars = 1;
    l->settings.laps = STAGE_LINE_LAPS;
    l->settings.time_most = 1.0e6;
    l->settings.seed = stage->seed;
    if (kerb_scene_race_create(&l->race, &l->settings, &stage->arena, NULL) != KERB_OK)
        memset(&l->race, 0, sizeof l->race);
    stage_line_apply(stage);
}

// The choice is in tenths of a step a frame, so that the search can be slow enough to be seen.
static int32_t stage_line_steps_now(const kerb_stage* stage) {
    int32_t frame = stage->state->frame, steps = stage->choices[3];
    return (frame + 1) * steps / 10 - frame * steps / 10;
}

static void stage_line_search(kerb_stage* stage, stage_line* l) {
    int32_t steps = stage_line_steps_now(stage);
    kerb_line_state state = KERB_LINE_RUNNING;
    if (steps > 0)
        state = kerb_line_solver_advance(&l->solver, steps);
    l->done = state == KERB_LINE_DONE;
    if (!l->done && stage->state->frame % STAGE_LINE_FRAMES != 0)
        return;
    stage_line_look(stage, l);
    kerb_scene_stage_reshape(stage);
    if (l->done)
        stage_line_begin_race(stage, l);
}

static void stage_line_step(kerb_stage* stage) {
    stage_line* l = stage->scene_data;
    if (!l->done) {
        stage_line_search(stage, l);
        return;
    }
    if (l->race.count == 0)
        return;
    kerb_scene_race_car* car = &l->race.cars[0];
    car->player = kerb_scene_stage_player(stage, 0, &l->model.vehicle, &car->motion);
    (void)kerb_scene_race_step(&l->race);
}

// --------------------------------------------------------------------------- showing it

static void stage_line_show(const kerb_stage* stage, int32_t vehicle, stage_shown* shown) {
    const stage_line* l = stage->scene_data;
    (void)vehicle;
    shown->vehicle = &l->model.vehicle;
    shown->look = kerb_scene_stage_look(l->model.name);
    shown->role = KERB_STAGE_HERO;
    shown->hidden = l->race.count == 0;
    kerb_path_sample start = kerb_path_sample_at(l->track, kerb_path_locate(l->track, 0.0));
    shown->motion.position = start.position;
    shown->motion.rotation =
        kerb_quat_from_heading(kerb_atan2(start.direction.y, start.direction.x));
    if (l->race.count == 0)
        return;
    const kerb_scene_race_car* car = &l->race.cars[0];
    shown->motion = car->motion;
    shown->controls = car->controls;
    shown->target_speed = car->racer.decision.target_speed;
    shown->cross_track_error = car->racer.decision.cross_track_error;
    shown->progress = (float)car->progress;
}

static void stage_line_shapes(kerb_stage* stage) {
    const stage_line* l = stage->scene_data;
    kerb_scene_stage_add_path(stage, l->track, false);
    kerb_scene_stage_add_start(stage, l->track);
    kerb_scene_stage_add_racing_line(stage, &l->line);
}

static bool stage_line_can_take(const kerb_stage* stage, int32_t vehicle) {
    (void)vehicle;
    return ((const stage_line*)stage->scene_data)->race.count > 0;
}

// Where the line brakes and pushes, and what the racer thinks of it.
static void stage_line_draw(kerb_stage* stage, int32_t vehicle, kerb_draw_buffer* buffer) {
    const stage_line* l = stage->scene_data;
    int32_t segments = l->line.closed ? l->line.count : l->line.count - 1;
    for (int32_t i = 0; i < segments; i++) {
        const kerb_line_point* a = &l->line.points[i];
        const kerb_line_point* b = &l->line.points[(i + 1) % l->line.count];
        float gain = 0.5f * (b->speed * b->speed - a->speed * a->speed) / STAGE_LINE_SPACING;
        kerb_draw_role role = gain > STAGE_LINE_EVEN    ? KERB_DRAW_ACCELERATING
                              : gain < -STAGE_LINE_EVEN ? KERB_DRAW_BRAKING
                                                        : KERB_DRAW_PLANNED_PATH;
        kerb_scene_stage_draw_line(buffer, kerb_vec3_make((float)a->x, (float)a->y, (float)a->z),
                                   kerb_vec3_make((float)b->x, (float)b->y, (float)b->z), role);
    }
    if (l->race.count > 0)
        kerb_draw_racer(buffer, &l->race.cars[vehicle].racer, &l->line,
                        &l->race.cars[vehicle].motion);
}

static float stage_line_figure(const kerb_stage* stage, int32_t figure) {
    const stage_line* l = stage->scene_data;
    switch (figure) {
    case 0:
        return l->done ? 1.0f : kerb_line_solver_progress(&l->solver);
    case 1:
        return (float)l->line.time;
    case 2:
        return l->first_time;
    default:
        return l->race.count > 0 && l->race.cars[0].best_lap > 0.0 ? (float)l->race.cars[0].best_lap
                                                                   : -1.0f;
    }
}

static const char* stage_line_reason(const kerb_stage* stage, int32_t vehicle) {
    const stage_line* l = stage->scene_data;
    return l->race.count > 0 ? kerb_reason_text((kerb_reason)stage->vehicles[vehicle].reason)
                             : "the solver is looking for the line";
}

const stage_scene kerb_scene_stage_line = {
    .id = "race/line",
    .group = "Race",
    .title = "The racing line, as it is found",
    .look = "The line moves from the middle of the track to where the lap is shortest, a few steps "
            "of the solver in each frame; then a racer drives it.",
    .try_this = "Choose the method of least curvature or the paper's springs and compare the lap "
                "times.",
    .choices = stage_line_choices,
    .choice_count = 4,
    .tables = stage_line_tables,
    .table_count = 1,
    .figures = stage_line_figures,
    .figure_count = 4,
    .arena_bytes = 6u << 20,
    .make = stage_line_make,
    .apply = stage_line_apply,
    .step = stage_line_step,
    .show = stage_line_show,
    .shapes = stage_line_shapes,
    .can_take = stage_line_can_take,
    .draw = stage_line_draw,
    .figure = stage_line_figure,
    .reason = stage_line_reason,
};
