// Purpose: a race, step by step.
// Idea:    Everybody drives by what was true at the start of the step, so that no car's number is
//          an advantage; then all vehicles move together, step by step of the physics, pushed apart
//          where they touch.
// Cost:    a microsecond a car and physics step, the ground in it, and what the drivers cost; 20
//          cars are raced 100 to 200 times as fast as they drive.
#include "scene/race/race_parts.h"

#include <math.h>
#include <string.h>

#define DRIVE_EVERY_MOST 24
#define SEEDS 16777216 // that drivers get

scene_race_settings scene_race_settings_default(const kerb_racing_line* line,
                                                const scene_race_ground* ground,
                                                const sim_model* model) {
    scene_race_settings s;
    memset(&s, 0, sizeof s);
    s.line = line;
    s.ground = ground;
    s.models = model;
    s.model_count = 1;
    s.cars = 2;
    s.laps = line->closed ? 3 : 1;
    s.grid_spacing = 8.0f;
    s.grid_jitter = 0.3f;
    s.grip = 1.0f;
    s.slipstream_length = 20.0f;
    s.drive_every = 4;
    s.time_most = 1.0e6;
    return s;
}

// --------------------------------------------------------------------------- creation

static kerb_result wrong(kerb_error* error, const char* field, const char* message) {
    return kerb_error_set(error, KERB_ERROR_OUT_OF_RANGE, field, 0, -1, message);
}

static kerb_result check_skills(const scene_race_settings* s, kerb_error* error) {
    for (int32_t i = 0; s->skills != NULL && i < s->cars; i++)
        if (!(s->skills[i] >= 0.0f && s->skills[i] <= 1.0f))
            return kerb_error_set(error, KERB_ERROR_OUT_OF_RANGE, "skills", 0, i, "must be 0 to 1");
    return KERB_OK;
}

static kerb_result check(const scene_race_settings* s, kerb_error* error) {
    if (s->cars < 1 || s->cars > SCENE_RACE_CARS_MAX)
        return wrong(error, "cars", "must be 1 to 64");
    if (s->laps < 1 || s->laps > (s->line->closed ? SCENE_RACE_LAPS_MOST : 1))
        return wrong(error, "laps", "must be 1 to 1000, of an open track 1");
    if (s->model_count < 1)
        return wrong(error, "model_count", "must be at least 1");
    if (s->order < SCENE_RACE_ORDER_GIVEN || s->order > SCENE_RACE_ORDER_RANDOM)
        return wrong(error, "order", "is no scene_race_order");
    if (!(s->grid_spacing > 0.0f && s->grid_spacing < 1000.0f))
        return wrong(error, "grid_spacing", "must be above 0 and below 1000");
    if (!(s->grid_jitter >= 0.0f && s->grid_jitter <= s->grid_spacing))
        return wrong(error, "grid_jitter", "must be 0 to the spacing");
    if (!(s->grip > 0.0f && s->grip < 100.0f))
        return wrong(error, "grip", "must be above 0 and below 100");
    if (!(s->slipstream >= 0.0f && s->slipstream <= 0.9f))
        return wrong(error, "slipstream", "must be 0 to 0.9");
    if (!(s->slipstream_length >= 1.0f && s->slipstream_length <= 200.0f))
        return wrong(error, "slipstream_length", "must be 1 to 200");
    if (s->drive_every < 1 || s->drive_every > DRIVE_EVERY_MOST)
        return wrong(error, "drive_every", "must be 1 to 24");
    if (!(s->time_most > 0.0))
        return wrong(error, "time_most", "must be above 0");
    kerb_result result = check_skills(s, error);
    return result == KERB_OK ? race_grid_check(s, error) : result;
}

// A piece of the block, and where the next one begins.
static size_t piece(size_t* end, size_t bytes) {
    size_t begin = (*end + 15) & ~(size_t)15;
    *end = begin + bytes;
    return begin;
}

static bool allocate(scene_race* race, const kerb_host* host) {
    size_t count = (size_t)race->count, laps = (size_t)race->settings.laps, bytes = 0;
    size_t cars = piece(&bytes, count * sizeof *race->cars);
    size_t order = piece(&bytes, count * sizeof *race->order);
    size_t pairs = piece(&bytes, (count * (count - 1) / 2 + 1) * sizeof *race->pairs);
    size_t contacts = piece(&bytes, sizeof *race->contacts);
    size_t ends = piece(&bytes, count * laps * sizeof *race->lap_ends);
    unsigned char* memory = host->allocator.allocate(host->allocator.context, bytes, 64);
    if (memory == NULL)
        return false;
    memset(memory, 0, bytes);
    race->memory = memory;
    race->bytes = bytes;
    race->allocator = host->allocator;
    race->cars = (scene_race_car*)(void*)(memory + cars);
    race->order = (int32_t*)(void*)(memory + order);
    race->pairs = (scene_race_pair*)(void*)(memory + pairs);
    race->contacts = (scene_race_contacts*)(void*)(memory + contacts);
    race->lap_ends = (double*)(void*)(memory + ends);
    race->group = race->physics->make(race->count, &host->allocator);
    return race->group != NULL;
}

static void prepare(scene_race* race, int32_t number) {
    const scene_race_settings* s = &race->settings;
    scene_race_car* car = &race->cars[number];
    car->model = number % s->model_count;
    car->skill = s->skills != NULL ? s->skills[number] : 1.0f;
    car->racer = kerb_racer_make(&s->models[car->model].vehicle);
    if (s->performances != NULL)
        car->racer.performance = s->performances[car->model];
    kerb_random random = kerb_random_make(s->seed, 2 + (uint64_t)number);
    car->racer.settings.skill = car->skill;
    car->racer.settings.seed = kerb_random_below(&random, SEEDS);
    car->racer.settings.slipstream = s->slipstream;
    car->racer.settings.slipstream_length = s->slipstream_length;
    if (s->prepare != NULL)
        s->prepare(s->context, number, &car->racer);
}

kerb_result scene_race_create(scene_race* race, const scene_race_settings* settings,
                              const kerb_host* host, kerb_error* error) {
    memset(race, 0, sizeof *race);
    kerb_result result = check(settings, error);
    if (result != KERB_OK)
        return result;
    race->settings = *settings;
    race->count = settings->cars;
    race->flag = -1.0;
    race->physics = settings->physics != NULL ? settings->physics : &sim_group_own;
    if (!allocate(race, host)) {
        scene_race_destroy(race);
        return kerb_error_set(error, KERB_ERROR_OUT_OF_MEMORY, "", 0, -1, "out of memory");
    }
    for (int32_t i = 0; i < race->count; i++)
        prepare(race, i);
    if (!race_grid_fill(race)) {
        scene_race_destroy(race);
        return wrong(error, "models", "cannot all be made in this physics");
    }
    race_watch_begin(race);
    return KERB_OK;
}

void scene_race_destroy(scene_race* race) {
    if (race->group != NULL)
        race->physics->destroy(race->group);
    if (race->memory != NULL)
        race->allocator.release(race->allocator.context, race->memory, race->bytes);
    memset(race, 0, sizeof *race);
}

// --------------------------------------------------------------------------- driving

sim_ground race_ground_under(const scene_race* race, scene_race_car* car, kerb_vec3 position) {
    sim_ground under = scene_race_ground_at(race->settings.ground, &car->on, position);
    under.grip *= race->settings.grip;
    return under;
}

// Of the middle of its footprint, which a driver of another car sees.
static kerb_neighbour neighbour_of(const scene_race* race, int32_t number) {
    const scene_race_car* car = &race->cars[number];
    const kerb_vehicle* vehicle = &race->settings.models[car->model].vehicle;
    kerb_vec3 forward = kerb_quat_forward(car->motion.rotation);
    float middle = vehicle->reference_to_front - 0.5f * vehicle->length;
    kerb_vec3 arm = kerb_vec3_scale(forward, middle);
    float level = kerb_max(kerb_sqrt(forward.x * forward.x + forward.y * forward.y), 1e-6f);
    kerb_neighbour seen = {
        .id = (uint32_t)number,
        .position = kerb_vec3_add(car->motion.position, arm),
        .velocity =
            kerb_vec3_add(car->motion.velocity, kerb_vec3_cross(car->motion.angular_velocity, arm)),
        .forward = {forward.x / level, forward.y / level},
        .yaw_rate = car->motion.angular_velocity.z,
        .length = vehicle->length,
        .width = vehicle->width,
        .laps = car->laps,
        .asks = car->racer.thoughts.asks,
    };
    return seen;
}

static int32_t see_all(const scene_race* race, kerb_neighbour* all) {
    int32_t count = 0;
    for (int32_t i = 0; i < race->count; i++)
        if (!race->cars[i].finished)
            all[count++] = neighbour_of(race, i);
    return count;
}

static int32_t see_near(const kerb_neighbour* all, int32_t count, uint32_t id, kerb_vec3 from,
                        kerb_neighbour* seen) {
    int32_t kept = 0;
    for (int32_t i = 0; i < count; i++) {
        kerb_vec3 away = kerb_vec3_sub(all[i].position, from);
        if (all[i].id != id && kerb_vec3_dot(away, away) < SCENE_RACE_SIGHT * SCENE_RACE_SIGHT)
            seen[kept++] = all[i];
    }
    return kept;
}

// 16 bins for each doubling, linear within it.
static int32_t bin_of(uint64_t ns) {
    int32_t doubling = 0;
    while (doubling < SCENE_RACE_CLOCK_BINS / 16 - 1 && (ns >> (doubling + 1)) != 0)
        doubling++;
    uint64_t rest = ns - ((uint64_t)1 << doubling);
    int32_t within = ns == 0 ? 0 : (int32_t)((rest * 16) >> doubling);
    return doubling * 16 + (within < 15 ? within : 15);
}

static void note_time(scene_race* race, uint64_t ns) {
    race->drives++;
    race->drive_sum += (double)ns;
    race->drive_bins[bin_of(ns)]++;
}

static void drive_car(scene_race* race, int32_t number, const kerb_neighbour* all, int32_t count,
                      float step) {
    const scene_race_settings* s = &race->settings;
    scene_race_car* car = &race->cars[number];
    kerb_neighbour seen[SCENE_RACE_CARS_MAX];
    kerb_surroundings around = kerb_surroundings_default();
    around.id = (uint32_t)number;
    around.laps = car->laps;
    around.neighbours = seen;
    around.neighbour_count = car->neighbours =
        see_near(all, count, around.id, car->motion.position, seen);
    uint64_t begun = s->clock != NULL ? s->clock() : 0;
    car->controls = kerb_racer_drive(&car->racer, s->line, &car->motion, &around, step);
    if (s->clock != NULL)
        note_time(race, s->clock() - begun);
    int32_t phase = car->racer.thoughts.phase;
    car->spins += phase == KERB_RACER_SPINS && car->phase != KERB_RACER_SPINS;
    car->phase = phase;
}

// The strongest wake that it is in. Straight behind the others, whatever bend they are in: there
// drag matters little.
static float tow_of(const scene_race_settings* s, const kerb_neighbour* all, int32_t count,
                    int32_t own) {
    const kerb_neighbour* n = &all[own];
    float tow = 0.0f;
    for (int32_t i = 0; i < count; i++) {
        const kerb_neighbour* o = &all[i];
        kerb_vec3 to = kerb_vec3_sub(o->position, n->position);
        float gap = to.x * o->forward.x + to.y * o->forward.y - 0.5f * (n->length + o->length);
        float aside = to.y * o->forward.x - to.x * o->forward.y;
        bool same_way = n->forward.x * o->forward.x + n->forward.y * o->forward.y > 0.0f;
        if (i != own && same_way)
            tow = kerb_max(tow, kerb_slipstream(s->slipstream, s->slipstream_length, gap,
                                                aside / (0.5f * (n->width + o->width))));
    }
    return tow;
}

static void set_tow(scene_race* race, int32_t number, float share) {
    race->cars[number].tow = share;
    race->physics->set_tow(race->group, number, share);
}

static void tow_all(scene_race* race, const kerb_neighbour* all, int32_t count) {
    for (int32_t i = 0; i < count; i++)
        set_tow(race, (int32_t)all[i].id, tow_of(&race->settings, all, count, i));
}

static void drive_all(scene_race* race, float step) {
    kerb_neighbour all[SCENE_RACE_CARS_MAX];
    int32_t count = see_all(race, all);
    if (race->settings.slipstream > 0.0f)
        tow_all(race, all, count);
    for (int32_t i = 0; i < race->count; i++)
        if (!race->cars[i].finished)
            drive_car(race, i, all, count, step);
}

// --------------------------------------------------------------------------- physics

static void push_off_walls(scene_race* race, int32_t number) {
    scene_race_car* car = &race->cars[number];
    sim_contact found[4];
    sim_body body = race->physics->body(race->group, number);
    int32_t touches = scene_race_ground_push(race->settings.ground, &car->on, &body, found, 4);
    if (touches > 0)
        race->physics->set_body(race->group, number, &body);
    scene_race_contacts_note_solid(race->contacts, number, found, touches, 4, SCENE_RACE_STEP);
}

static void step_physics(scene_race* race) {
    sim_group_input inputs[SCENE_RACE_CARS_MAX];
    sim_group_touch found[SIM_GROUP_TOUCHES];
    for (int32_t i = 0; i < race->count; i++) {
        scene_race_car* car = &race->cars[i];
        if (car->finished)
            continue;
        kerb_vec3 foot = race->physics->foot(race->group, i);
        inputs[i].controls = &car->controls;
        inputs[i].ground = race_ground_under(race, car, foot);
    }
    int32_t touches =
        race->physics->step(race->group, inputs, SCENE_RACE_STEP, found, SIM_GROUP_TOUCHES);
    touches = touches < SIM_GROUP_TOUCHES ? touches : SIM_GROUP_TOUCHES;
    if (race->count > 1)
        scene_race_contacts_note(race->contacts, found, touches, race->count, SCENE_RACE_STEP);
    for (int32_t i = 0; i < race->count && race->settings.ground->walls[0] != NULL; i++)
        if (!race->cars[i].finished)
            push_off_walls(race, i);
}

static void come_to(scene_race* race, int32_t number) {
    scene_race_car* car = &race->cars[number];
    car->motion = race->physics->motion(race->group, number);
    race_ground_under(race, car, car->motion.position);
}

bool scene_race_step(scene_race* race) {
    const scene_race_settings* s = &race->settings;
    if (race->finished == race->count || race->time >= s->time_most)
        return false;
    float step = SCENE_RACE_STEP * (float)s->drive_every;
    drive_all(race, step);
    if (s->watch != NULL)
        s->watch(s->context, race);
    for (int32_t i = 0; i < s->drive_every; i++)
        step_physics(race);
    race->time += (double)step;
    for (int32_t i = 0; i < race->count; i++) {
        if (race->cars[i].finished)
            continue;
        race_grid_put_back(race, &race->cars[i], step);
        come_to(race, i);
    }
    race_watch_step(race, (double)step);
    return race->finished < race->count && race->time < s->time_most;
}

// --------------------------------------------------------------------------- results

scene_race_result scene_race_result_at(const scene_race* race, int32_t place) {
    int32_t number = race->order[place - 1];
    const scene_race_car *car = &race->cars[number], *winner = &race->cars[race->order[0]];
    const scene_race_damage* damage = &race->contacts->cars[number];
    double total = car->finished ? car->total : race->time;
    bool same_laps = car->finished && winner->finished && car->laps == winner->laps;
    scene_race_result result = {
        .driver = number,
        .skill = car->skill,
        .place = place,
        .start_place = car->start_place,
        .laps = car->laps,
        .finished = car->finished,
        .best_lap = car->best_lap,
        .total = total,
        .gap = same_laps ? total - winner->total : 0.0,
        .damage = damage->damage,
        .off_track_time = car->off_track_time,
        .outside_most = car->outside_most,
        .contacts = damage->contacts,
        .hard_contacts = damage->hard_contacts,
        .solid_contacts = damage->solid_contacts,
        .spins = car->spins,
        .put_back = car->put_back,
        .overtakes = car->overtakes,
        .overtaken = car->overtaken,
    };
    return result;
}

double scene_race_lap_end(const scene_race* race, int32_t car, int32_t lap) {
    return race->lap_ends[car * race->settings.laps + lap];
}

double scene_race_lap_time(const scene_race* race, int32_t car, int32_t lap) {
    double begun = lap > 0 ? scene_race_lap_end(race, car, lap - 1) : 0.0;
    return scene_race_lap_end(race, car, lap) - begun;
}

double scene_race_drive_ns(const scene_race* race) {
    return race->drives > 0 ? race->drive_sum / (double)race->drives : 0.0;
}

// The upper end of the bin in which the share is reached.
double scene_race_drive_ns_below(const scene_race* race, double share) {
    double wanted = share * (double)race->drives, sum = 0.0;
    for (int32_t bin = 0; bin < SCENE_RACE_CLOCK_BINS && race->drives > 0; bin++) {
        sum += (double)race->drive_bins[bin];
        if (sum >= wanted)
            return (double)((uint64_t)1 << (bin / 16)) * (1.0 + (double)(bin % 16 + 1) / 16.0);
    }
    return 0.0;
}
