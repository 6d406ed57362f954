// Prepares the track for the widest of the cars, measures each of them, and records the race.
#include "tool/run/race.h"

#include "tool/command/machine.h"
#include "tool/command/progress.h"
#include "tool/command/setting_words.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define RUN_RACE_MARGIN 0.5f // from the track's edge to the side of a car on the line [m]
#define SAMPLE_EVERY 6       // drive calls, unless that is too much
#define LAPS 5               // when nothing is said
#define DRIVE_EVERY 4        // steps of the physics

// --------------------------------------------------------------------------- preparing

typedef struct solving {
    tool_progress progress;
    double done;
} solving;

static void show_solving(void* context, float share) {
    solving* s = context;
    tool_progress_add(&s->progress, (double)share - s->done);
    s->done = (double)share;
}

static kerb_scene_race_stage_settings stage_settings(const tool_race* r) {
    const tool_race_wish* wish = r->wish;
    kerb_scene_race_stage_settings settings = kerb_scene_race_stage_settings_default();
    float width = 0.0f;
    for (int32_t i = 0; i < wish->model_count; i++)
        width = kerb_max(width, wish->models[i].vehicle.width);
    settings.margin = RUN_RACE_MARGIN + 0.5f * (width - wish->models[0].vehicle.width);
    settings.closed = r->track.closed;
    settings.reverse = wish->reverse;
    settings.physics = wish->physics;
    settings.ground.wall_distance = wish->wall_distance;
    return settings;
}

// A piece of the line, and how fast it is entered.
typedef struct stretch {
    int32_t from, to; // of the line's points; of a closed one all of them
    float entry;      // of an open one [m/s]
} stretch;

// Time along it by its own points, which are fewer than those that the line's time was taken on.
static bool profile_time(const kerb_racing_line* line, stretch piece,
                         const kerb_performance* performance, double* time) {
    int32_t count = piece.to - piece.from + 1;
    kerb_profile_point* points = malloc((size_t)count * sizeof *points);
    float* speeds = malloc((size_t)count * sizeof *speeds);
    float step = (float)(line->length / (double)(line->closed ? line->count : line->count - 1));
    bool made = points && speeds;
    for (int32_t i = 0; i < count && made; i++) {
        const kerb_line_point* p = &line->points[piece.from + i];
        points[i] = kerb_profile_point_level(step, p->curvature);
        points[i].normal_curvature = p->normal_curvature;
        points[i].up_forward = p->up_forward;
        points[i].up_left = p->up_left;
        points[i].up_normal = p->up_normal;
        points[i].grip = p->grip;
    }
    if (made)
        *time = kerb_speed_profile(performance, points, count, line->closed, piece.entry,
                                   KERB_SPEED_UNLIMITED, speeds);
    free(points);
    free(speeds);
    return made;
}

// The first model's is the line's; the others' are in proportion.
static bool set_flying_profiles(tool_race* r) {
    const kerb_racing_line* line = &r->stage.line;
    stretch lap = {0, line->count - 1, 0.0f};
    double of_model[TOOL_RACE_MODELS_MOST] = {0};
    for (int32_t i = 0; i < r->wish->model_count; i++)
        if (!profile_time(line, lap, &r->performances[i], &of_model[i]))
            return false;
    for (int32_t car = 0; car < r->race.count; car++)
        r->profiles[car] = line->time * of_model[r->race.cars[car].model] / of_model[0];
    return true;
}

static int32_t point_near(const kerb_racing_line* line, kerb_vec3 at) {
    int32_t best = 0;
    double least = 1.0e30;
    for (int32_t i = 0; i < line->count; i++) {
        const kerb_line_point* p = &line->points[i];
        double x = p->x - (double)at.x, y = p->y - (double)at.y, z = p->z - (double)at.z;
        double square = x * x + y * y + z * z;
        best = square < least ? i : best;
        least = fmin(square, least);
    }
    return best;
}

// From standing where each car is now, on the grid, to where its lap ends: on an open track nobody
// comes flying, and who starts farther ahead has less to drive.
static bool set_standing_profiles(tool_race* r) {
    const kerb_racing_line* line = &r->stage.line;
    const kerb_path* track = &r->stage.path;
    kerb_path_location end = kerb_path_locate(track, r->race.length);
    int32_t to = point_near(line, kerb_path_sample_at(track, end).position);
    bool set = true;
    for (int32_t car = 0; car < r->race.count && set; car++) {
        const kerb_scene_race_car* c = &r->race.cars[car];
        int32_t from = point_near(line, c->motion.position);
        set = profile_time(line, (stretch){from < to ? from : to, to, 0.0f},
                           &r->performances[c->model], &r->profiles[car]);
    }
    return set;
}

// With everybody on the grid. False when memory is missing.
static bool set_profiles(tool_race* r) {
    return r->stage.line.closed ? set_flying_profiles(r) : set_standing_profiles(r);
}

static tool_status set_stage(tool_race* r, const kerb_host* host) {
    const tool_race_wish* wish = r->wish;
    kerb_error error = {.index = -1};
    if (tool_track_load(wish->track, host, &r->track) != TOOL_DONE ||
        tool_track_check(wish->track, &r->track) != TOOL_DONE)
        return TOOL_WRONG;
    r->laps = wish->laps > 0 ? wish->laps : r->track.closed ? LAPS : 1;
    solving s = {tool_progress_make(r->track.name, 1.0, !wish->quiet), 0.0};
    kerb_scene_race_stage_settings settings = stage_settings(r);
    settings.progress = show_solving;
    settings.context = &s;
    kerb_result result = kerb_scene_race_stage_build(&r->stage, r->track.waypoints, r->track.count,
                                                     &wish->models[0], &settings, host, &error);
    tool_progress_end(&s.progress);
    if (result != KERB_OK)
        return tool_complain_error(wish->track, &error);
    r->performances[0] = r->stage.limits.performance;
    for (int32_t i = 1; i < wish->model_count; i++) {
        kerb_scene_race_limits limits;
        if (!kerb_scene_race_limits_measure_in(&wish->models[i], wish->physics, &limits))
            return tool_complain("race: '%s' cannot be measured", wish->models[i].name);
        r->performances[i] = limits.performance;
    }
    return TOOL_DONE;
}

static void prepare_driver(void* context, int32_t car, kerb_racer* racer) {
    const tool_race_wish* wish = ((const tool_race*)context)->wish;
    const tool_settable what = {&kerb_racer_settings_table, "race", NULL, NULL};
    if (wish->people)
        racer->settings =
            kerb_racer_settings_of_seed((uint32_t)racer->settings.seed, wish->skills[car]);
    racer->settings.slipstream = wish->slipstream;
    if (wish->has_aggressions)
        racer->settings.aggression = wish->aggressions[car];
    if (wish->settings)
        tool_settings_apply(wish->settings, &what, &racer->settings); // which were checked before
}

// --------------------------------------------------------------------------- watching

static void note_contact(tool_race* r, const kerb_scene_race* race, int32_t pair, int32_t a,
                         int32_t b) {
    const kerb_scene_race_touch* touch = &race->contacts->pairs[pair];
    if (!touch->lasts)
        r->lasting[pair] = 0;
    if (!touch->lasts)
        return;
    if (r->lasting[pair] == 0 && r->contact_count < TOOL_RACE_CONTACTS_MOST) {
        const kerb_vec3 one = race->cars[a].motion.position, other = race->cars[b].motion.position;
        r->contacts[r->contact_count++] = (tool_race_contact){
            race->time, 0.5f * (one.x + other.x), 0.5f * (one.y + other.y), 0.0f, {a, b}};
        r->lasting[pair] = r->contact_count;
    }
    if (r->lasting[pair] > 0)
        r->contacts[r->lasting[pair] - 1].closing = touch->hardest;
}

static void watch_contacts(tool_race* r, const kerb_scene_race* race) {
    int32_t pair = 0;
    for (int32_t b = 1; b < race->count; b++)
        for (int32_t a = 0; a < b; a++)
            note_contact(r, race, pair++, a, b);
}

static bool is_touching(const kerb_scene_race* race, int32_t car) {
    for (int32_t i = 0; i < race->count; i++) {
        int32_t low = i < car ? i : car, high = i < car ? car : i;
        const kerb_scene_race_touch* touch = &race->contacts->pairs[high * (high - 1) / 2 + low];
        if (i != car && touch->lasts && touch->since < 0.1f)
            return true;
    }
    return false;
}

static int8_t decider_of(const kerb_scene_race* race, const kerb_racer_decision* thoughts) {
    const kerb_neighbour* n = &thoughts->neighbour;
    bool known = n->length > 0.0f && n->id < (uint32_t)race->count;
    return (int8_t)(known ? (int32_t)n->id : -1);
}

static tool_race_sample sample_of(const kerb_scene_race* race, int32_t number) {
    const kerb_scene_race_car* car = &race->cars[number];
    const kerb_racer_decision* t = &car->racer.decision;
    kerb_vec3 forward = kerb_quat_forward(car->motion.rotation);
    tool_race_sample s = {
        .x = car->motion.position.x,
        .y = car->motion.position.y,
        .heading = kerb_atan2(forward.y, forward.x),
        .speed = kerb_motion_forward_speed(&car->motion),
        .target_speed = t->target_speed,
        .acceleration = t->acceleration,
        .steering = car->motion.steering,
        .throttle = car->controls.throttle,
        .brake = car->controls.brake,
        .lane = t->lane_shift,
        .error = t->cross_track_error,
        .target_x = t->target.x,
        .target_y = t->target.y,
        .progress = (float)car->progress,
        .reason = (int8_t)car->controls.reason,
        .gear = (int8_t)car->motion.gear,
        .phase = (int8_t)t->phase,
        .decider = decider_of(race, t),
        .told = (int8_t)car->neighbours,
        .outside = car->outside > 0.0f,
        .absent = car->finished,
        .touching = is_touching(race, number),
    };
    return s;
}

static bool run_race_make_room(tool_race* r) {
    if (r->sample_count < r->sample_room)
        return true;
    int32_t room = r->sample_room > 0 ? 2 * r->sample_room : 1024;
    size_t bytes = (size_t)room * (size_t)r->race.count * sizeof *r->samples;
    tool_race_sample* samples = realloc(r->samples, bytes);
    if (!samples)
        return false;
    r->samples = samples;
    r->sample_room = room;
    return true;
}

static void take_samples(tool_race* r, const kerb_scene_race* race) {
    if (!run_race_make_room(r)) {
        r->out_of_memory = true;
        return;
    }
    for (int32_t i = 0; i < race->count; i++)
        r->samples[r->sample_count * race->count + i] = sample_of(race, i);
    r->sample_count++;
}

static void run_race_watch(void* context, const kerb_scene_race* race) {
    tool_race* r = context;
    watch_contacts(r, race);
    if (r->wish->records && r->drives % r->sample_every == 0 && !r->out_of_memory)
        take_samples(r, race);
    r->drives++;
}

// --------------------------------------------------------------------------- running

static kerb_scene_race_settings settings_of(tool_race* r) {
    const tool_race_wish* wish = r->wish;
    kerb_scene_race_settings s =
        kerb_scene_race_settings_default(&r->stage.line, &r->stage.ground, wish->models);
    s.performances = r->performances;
    s.physics = wish->physics != NULL ? wish->physics->group : NULL;
    s.model_count = wish->model_count;
    s.cars = wish->cars;
    s.laps = r->laps;
    s.skills = wish->skills;
    s.order = wish->order;
    s.grip = wish->grip;
    s.slipstream = wish->slipstream;
    s.seed = (uint64_t)wish->seed;
    s.drive_every = DRIVE_EVERY;
    double expected = r->stage.line.time * (double)r->laps;
    s.time_most = wish->time_most > 0.0 ? wish->time_most : 120.0 + 3.0 * expected;
    s.prepare = prepare_driver;
    s.watch = run_race_watch;
    s.context = r;
    s.clock = tool_clock_ns;
    double samples = 1.2 * expected * (double)wish->cars * 60.0;
    r->sample_every = SAMPLE_EVERY;
    while (samples / (double)r->sample_every > TOOL_RACE_SAMPLES_MOST)
        r->sample_every++;
    return s;
}

static tool_status run_race_begin(tool_race* r, const kerb_host* host) {
    kerb_error error = {.index = -1};
    kerb_scene_race_settings settings = settings_of(r);
    if (kerb_scene_race_create(&r->race, &settings, host, &error) != KERB_OK)
        return tool_complain_error(r->track.name, &error);
    size_t cars = (size_t)r->race.count, pairs = cars * (cars - 1) / 2 + 1;
    r->contacts = calloc(TOOL_RACE_CONTACTS_MOST, sizeof *r->contacts);
    r->lasting = calloc(pairs, sizeof *r->lasting);
    bool made = r->contacts && r->lasting && set_profiles(r);
    return made ? TOOL_DONE : tool_complain("race: no memory");
}

static void race_to_the_end(tool_race* r) {
    double whole = r->race.length * (double)r->laps, done = 0.0;
    tool_progress progress = tool_progress_make("racing", whole, !r->wish->quiet);
    uint64_t begun = tool_clock_ns();
    for (int32_t i = 1; kerb_scene_race_step(&r->race); i++) {
        if (i % 60 != 0)
            continue;
        double now = r->race.cars[r->race.order[r->race.count - 1]].progress;
        tool_progress_add(&progress, fmax(now, 0.0) - done);
        done = fmax(now, 0.0);
    }
    r->wall_s = (double)(tool_clock_ns() - begun) * 1e-9;
    tool_progress_end(&progress);
    if (r->wish->records && !r->out_of_memory)
        take_samples(r, &r->race);
}

tool_status tool_race_prepare(tool_race* race, const tool_race_wish* wish, const kerb_host* host) {
    *race = (tool_race){.wish = wish};
    if (set_stage(race, host) != TOOL_DONE)
        return TOOL_WRONG;
    // Whether the settings make a race is the same for every seed.
    kerb_error error = {.index = -1};
    kerb_scene_race_settings settings = settings_of(race);
    if (kerb_scene_race_create(&race->race, &settings, host, &error) != KERB_OK)
        return tool_complain_error(race->track.name, &error);
    bool set = set_profiles(race);
    kerb_scene_race_destroy(&race->race);
    return set ? TOOL_DONE : tool_complain("race: no memory");
}

bool tool_race_repeat(tool_race* race, const tool_race* prepared, uint64_t seed,
                      const kerb_host* host) {
    *race = *prepared;
    kerb_scene_race_settings settings = settings_of(race);
    settings.seed = seed;
    settings.watch = NULL;
    if (kerb_scene_race_create(&race->race, &settings, host, NULL) != KERB_OK)
        return false;
    if (!set_profiles(race)) {
        kerb_scene_race_destroy(&race->race);
        return false;
    }
    while (kerb_scene_race_step(&race->race)) {
    }
    return true;
}

void tool_race_repeat_free(tool_race* race) {
    kerb_scene_race_destroy(&race->race);
}

tool_status tool_race_run(tool_race* race, const tool_race_wish* wish, const kerb_host* host) {
    if (tool_race_prepare(race, wish, host) != TOOL_DONE || run_race_begin(race, host) != TOOL_DONE)
        return TOOL_WRONG;
    race_to_the_end(race);
    return race->out_of_memory ? tool_complain("race: no memory for the trace") : TOOL_DONE;
}

void tool_race_free(tool_race* race, const kerb_host* host) {
    kerb_scene_race_destroy(&race->race);
    kerb_scene_race_stage_free(&race->stage);
    tool_track_free(&race->track, host);
    free(race->contacts);
    free(race->lasting);
    free(race->samples);
}

double tool_race_sample_step(const tool_race* race) {
    return (double)race->sample_every * (double)(KERB_SCENE_RACE_STEP * (float)DRIVE_EVERY);
}

const tool_race_sample* tool_race_sample_at(const tool_race* race, int32_t index, int32_t car) {
    return &race->samples[index * race->race.count + car];
}
