// Purpose: a race on a built-in track (scene/race/).
// Idea:    Track, limits and racing line are made once; the race runs, and begins again.
// Cost:    that of the race: per step a drive call and four physics steps for each car.
#include "scene/stage/stage_rooms.h"

#include "scene/race/race.h"
#include "scene/race/race_stage.h"
#include "scene/race/tracks.h"

#include <string.h>

#define STAGE_RACE_CARS 16
#define STAGE_RACE_AGAIN 6.0f // after the last has finished [s]

typedef struct stage_race {
    kerb_scene_race race;
    kerb_scene_race_settings settings;
    kerb_scene_race_stage* track;  // fixed
    kerb_performance* performance; // fixed, of the one model
    float skills[STAGE_RACE_CARS];
    float over; // for so long [s]
    int32_t round;
} stage_race;

static const stage_choice stage_race_choices[] = {
    {.name = "track",
     .meaning = "where the race is",
     .fallback = 1,
     .count = kerb_scene_track_count,
     .option = kerb_scene_track_name},
    {.name = "car",
     .meaning = "what all of them drive",
     .fallback = 1,
     .count = kerb_sim_race_model_count,
     .option = kerb_sim_race_model_name},
    {.name = "count", .meaning = "number of cars", .min = 1, .max = STAGE_RACE_CARS, .fallback = 8},
    {.name = "laps", .meaning = "length of the race", .min = 1, .max = 20, .fallback = 3},
    {.name = "spread",
     .meaning = "by how many percent of skill the slowest rival is worse than the best",
     .min = 0,
     .max = 60,
     .fallback = 25},
};
STAGE_TABLE(race, kerb_racer_settings_table)

static const stage_table stage_race_tables[] = {
    {"first car", stage_table_of_race_kerb_racer_settings_table},
    {"rivals", stage_table_of_race_kerb_racer_settings_table}};
static const stage_figure stage_race_figures[] = {
    {"lap of the first car", "1"},
    {"its place", "1"},
    {"its best lap", "s"},
    {"overtakes, clean", "1"},
    {"overtakes, others", "1"},
    {"time of the racing line", "s"},
    {"its spins", "1"},
};

static float stage_race_skill(const kerb_stage* stage, int32_t car) {
    const kerb_racer_settings* first = stage->settings[0];
    const kerb_racer_settings* rivals = stage->settings[1];
    if (car == 0)
        return first->skill;
    int32_t others = stage->choices[2] - 1;
    float share = others > 1 ? (float)(car - 1) / (float)(others - 1) : 0.0f;
    return kerb_max(rivals->skill - 0.01f * (float)stage->choices[4] * share, 0.0f);
}

static void stage_race_apply(kerb_stage* stage) {
    stage_race* r = stage->scene_data;
    for (int32_t i = 0; i < r->race.count; i++) {
        kerb_racer* racer = &r->race.cars[i].racer;
        const kerb_racer_settings* table = stage->settings[i == 0 ? 0 : 1];
        int32_t seed = racer->settings.seed;
        racer->settings = *table;
        racer->settings.seed = seed;
        racer->settings.skill = stage_race_skill(stage, i);
    }
}

static kerb_result stage_race_begin(kerb_stage* stage, stage_race* r, kerb_error* error) {
    r->settings =
        kerb_scene_race_settings_default(&r->track->line, &r->track->ground, &r->track->model);
    for (int32_t i = 0; i < stage->choices[2]; i++)
        r->skills[i] = stage_race_skill(stage, i);
    r->settings.performances = r->performance;
    r->settings.cars = stage->choices[2];
    r->settings.laps = stage->choices[3];
    r->settings.skills = r->skills;
    r->settings.order = KERB_SCENE_RACE_ORDER_REVERSE;
    r->settings.grid_jitter = 0.5f;
    r->settings.seed = stage->seed + 1000u * (uint32_t)r->round;
    r->settings.time_most = 3600.0;
    return kerb_scene_race_create(&r->race, &r->settings, &stage->arena, error);
}

static kerb_result stage_race_make(kerb_stage* stage, kerb_error* error) {
    stage_race* r = kerb_scene_stage_allocate(stage, sizeof *r);
    if (r == NULL)
        return kerb_scene_stage_no_memory(error);
    stage->scene_data = r;
    r->track = kerb_scene_stage_fix(stage, sizeof *r->track);
    r->performance = kerb_scene_stage_fix(stage, sizeof *r->performance);
    if (r->track == NULL || r->performance == NULL)
        return kerb_scene_stage_no_memory(error);
    kerb_result result = kerb_scene_race_stage_make(
        r->track, kerb_scene_track_name(stage->choices[0]),
        kerb_sim_race_model_name(stage->choices[1]), &stage->fixed, error);
    if (result != KERB_OK)
        return result;
    *r->performance = r->track->limits.performance;
    stage->vehicle_count = stage->choices[2];
    return stage_race_begin(stage, r, error);
}

static void stage_race_step(kerb_stage* stage) {
    stage_race* r = stage->scene_data;
    for (int32_t i = 0; i < r->race.count; i++) {
        kerb_scene_race_car* car = &r->race.cars[i];
        car->player = kerb_scene_stage_player(stage, i, &r->track->model.vehicle, &car->motion);
    }
    bool goes_on = kerb_scene_race_step(&r->race);
    r->over = goes_on ? 0.0f : r->over + KERB_STAGE_STEP;
    if (r->over < STAGE_RACE_AGAIN)
        return;
    r->over = 0.0f;
    r->round++;
    kerb_scene_race_destroy(&r->race);
    (void)stage_race_begin(stage, r, NULL); // in the memory that it had before
    stage_race_apply(stage);
}

static void stage_race_show(const kerb_stage* stage, int32_t vehicle, stage_shown* shown) {
    const stage_race* r = stage->scene_data;
    const kerb_scene_race_car* car = &r->race.cars[vehicle];
    shown->vehicle = &r->track->model.vehicle;
    shown->motion = car->motion;
    shown->controls = car->controls;
    shown->look = kerb_scene_stage_look(r->track->model.name);
    shown->role = vehicle == 0 ? KERB_STAGE_HERO : KERB_STAGE_RIVAL;
    shown->colour = vehicle;
    shown->hidden = car->finished;
    shown->target_speed = car->racer.decision.target_speed;
    shown->cross_track_error = car->racer.decision.cross_track_error;
    shown->progress = (float)car->progress;
    for (int32_t i = 0; i < r->race.count; i++) {
        if (i == vehicle || r->race.pairs == NULL)
            continue;
        int32_t low = i < vehicle ? i : vehicle, high = i < vehicle ? vehicle : i;
        const kerb_scene_race_pair* pair = &r->race.pairs[low * r->race.count + high];
        bool now = r->race.time > 0.0 && r->race.time - pair->touched < 0.05;
        shown->touching = shown->touching || now;
    }
}

void kerb_scene_stage_add_racing_line(kerb_stage* stage, const kerb_racing_line* line) {
    int32_t segments = line->closed ? line->count : line->count - 1;
    for (int32_t i = 0; i < segments; i++) {
        const kerb_line_point *a = &line->points[i], *b = &line->points[(i + 1) % line->count];
        kerb_scene_stage_add_line(stage, kerb_vec3_make((float)a->x, (float)a->y, (float)a->z),
                                  kerb_vec3_make((float)b->x, (float)b->y, (float)b->z),
                                  KERB_STAGE_SHAPE_LINE);
    }
}

void kerb_scene_stage_add_start(kerb_stage* stage, const kerb_path* track) {
    kerb_path_sample at = kerb_path_sample_at(track, kerb_path_locate(track, 0.0));
    kerb_vec3 left = kerb_vec3_make(-at.direction.y, at.direction.x, 0.0f);
    kerb_scene_stage_add_line(stage, kerb_vec3_along(at.position, left, at.left),
                              kerb_vec3_along(at.position, left, -at.right),
                              KERB_STAGE_SHAPE_START);
}

static void stage_race_shapes(kerb_stage* stage) {
    const stage_race* r = stage->scene_data;
    kerb_scene_stage_add_path(stage, &r->track->path, false);
    kerb_scene_stage_add_start(stage, &r->track->path);
    kerb_scene_stage_add_racing_line(stage, &r->track->line);
}

static bool stage_race_can_take(const kerb_stage* stage, int32_t vehicle) {
    (void)stage;
    (void)vehicle;
    return true;
}

static kerb_result stage_race_drag(kerb_stage* stage, int32_t kind, int32_t index, kerb_pose pose,
                                   kerb_error* error) {
    (void)kind;
    stage_race* r = stage->scene_data;
    pose = kerb_scene_stage_reference(&r->track->model.vehicle, pose);
    kerb_vec3 at =
        kerb_vec3_make(pose.position.x, pose.position.y, r->race.cars[index].motion.position.z);
    if (kerb_scene_race_put(&r->race, index, at, kerb_pose_heading(pose)))
        return KERB_OK;
    return kerb_error_set(error, KERB_ERROR_CONTRADICTION, "index", 0, index,
                          "has finished the race");
}

static void stage_race_draw(kerb_stage* stage, int32_t vehicle, kerb_draw_buffer* buffer) {
    const stage_race* r = stage->scene_data;
    const kerb_scene_race_car* car = &r->race.cars[vehicle];
    kerb_draw_racer(buffer, &car->racer, &r->track->line, &car->motion);
}

static float stage_race_figure(const kerb_stage* stage, int32_t figure) {
    const stage_race* r = stage->scene_data;
    const kerb_scene_race_car* car = &r->race.cars[0];
    switch (figure) {
    case 0:
        return (float)(car->laps + 1);
    case 1:
        return (float)car->place;
    case 2:
        return car->best_lap > 0.0 ? (float)car->best_lap : -1.0f;
    case 3:
        return (float)r->race.overtakes_clean;
    case 4:
        return (float)(r->race.overtakes - r->race.overtakes_clean);
    case 5:
        return (float)r->track->line.time;
    default:
        return (float)car->spins;
    }
}

const stage_scene kerb_scene_stage_race = {
    .id = "race/race",
    .group = "Race",
    .title = "A race from the back of the grid",
    .look = "The first car, which is the fastest, starts last and passes its rivals one by one, "
            "mostly without touching them.",
    .try_this = "Take its wheel and race against them, or change its skill and aggression while it "
                "drives.",
    .choices = stage_race_choices,
    .choice_count = 5,
    .tables = stage_race_tables,
    .table_count = 2,
    .figures = stage_race_figures,
    .figure_count = 7,
    .arena_bytes = 2u << 20,
    .make = stage_race_make,
    .apply = stage_race_apply,
    .step = stage_race_step,
    .show = stage_race_show,
    .shapes = stage_race_shapes,
    .can_take = stage_race_can_take,
    .drag = stage_race_drag,
    .draw = stage_race_draw,
    .figure = stage_race_figure,
};
