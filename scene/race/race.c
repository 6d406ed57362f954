// Purpose: a race, step by step.
// Idea:    All drivers use the state at the start of the step, so that no car's number is an
//          advantage. Then all vehicles move together, step by step of the physics, and are pushed
//          apart where they touch.
// Cost:    O(cars) per step for physics and ground, O(cars²) for contacts, and the cost of the
//          drivers.
#include "scene/race/race_parts.h"

#include <math.h>
#include <string.h>

#define DRIVE_EVERY_MOST 24
#define SEEDS 16777216 // that drivers get

kerb_scene_race_settings kerb_scene_race_settings_default(const kerb_racing_line* line,
                                                          const kerb_scene_race_ground* ground,
                                                          const kerb_sim_model* model) {
    kerb_scene_race_settings s;
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

static kerb_result check_skills(const kerb_scene_race_settings* s, kerb_error* error) {
    for (int32_t i = 0; s->skills != NULL && i < s->cars; i++)
        if (!(s->skills[i] >= 0.0f && s->skills[i] <= 1.0f))
            return kerb_error_set(error, KERB_ERROR_OUT_OF_RANGE, "skills", 0, i, "must be 0 to 1");
    return KERB_OK;
}

static kerb_result race_check(const kerb_scene_race_settings* s, kerb_error* error) {
    if (s->cars < 1 || s->cars > KERB_SCENE_RACE_CARS_MAX)
        return wrong(error, "cars", "must be 1 to 64");
    if (s->laps < 1 || s->laps > (s->line->closed ? KERB_SCENE_RACE_LAPS_MOST : 1))
        return wrong(error, "laps", "must be 1 to 1000, of an open track 1");
    if (s->model_count < 1)
        return wrong(error, "model_count", "must be at least 1");
    if (s->order < KERB_SCENE_RACE_ORDER_GIVEN || s->order > KERB_SCENE_RACE_ORDER_RANDOM)
        return wrong(error, "order", "is no kerb_scene_race_order");
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
    return result == KERB_OK ? kerb_scene_race_grid_check(s, error) : result;
}

// A piece of the block, and where the next one begins.
static size_t piece(size_t* end, size_t bytes) {
    size_t begin = (*end + 15) & ~(size_t)15;
    *end = begin + bytes;
    return begin;
}

static bool race_allocate(kerb_scene_race* race, const kerb_host* host) {
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
    race->cars = (kerb_scene_race_car*)(void*)(memory + cars);
    race->order = (int32_t*)(void*)(memory + order);
    race->pairs = (kerb_scene_race_pair*)(void*)(memory + pairs);
    race->contacts = (kerb_scene_race_contacts*)(void*)(memory + contacts);
    race->lap_ends = (double*)(void*)(memory + ends);
    race->group = race->physics->make(race->count, &host->allocator);
    return race->group != NULL;
}

static void race_prepare(kerb_scene_race* race, int32_t number) {
    const kerb_scene_race_settings* s = &race->settings;
    kerb_scene_race_car* car = &race->cars[number];
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

kerb_result kerb_scene_race_create(kerb_scene_race* race, const kerb_scene_race_settings* settings,
                                   const kerb_host* host, kerb_error* error) {
    memset(race, 0, sizeof *race);
    kerb_result result = race_check(settings, error);
    if (result != KERB_OK)
        return result;
    race->settings = *settings;
    race->drives = kerb_scene_call_times_make(settings->clock);
    race->count = settings->cars;
    race->flag = -1.0;
    race->physics = settings->physics != NULL ? settings->physics : &kerb_sim_group_own;
    if (!race_allocate(race, host)) {
        kerb_scene_race_destroy(race);
        return kerb_error_set(error, KERB_ERROR_OUT_OF_MEMORY, "", 0, -1, "out of memory");
    }
    for (int32_t i = 0; i < race->count; i++)
        race_prepare(race, i);
    if (!kerb_scene_race_grid_fill(race)) {
        kerb_scene_race_destroy(race);
        return wrong(error, "models", "cannot all be made in this physics");
    }
    kerb_scene_race_watch_begin(race);
    return KERB_OK;
}

void kerb_scene_race_destroy(kerb_scene_race* race) {
    if (race->group != NULL)
        race->physics->destroy(race->group);
    if (race->memory != NULL)
        race->allocator.release(race->allocator.context, race->memory, race->bytes);
    memset(race, 0, sizeof *race);
}

// --------------------------------------------------------------------------- driving

kerb_sim_ground kerb_scene_race_ground_under(const kerb_scene_race* race, kerb_scene_race_car* car,
                                             kerb_vec3 position) {
    kerb_sim_ground under = kerb_scene_race_ground_at(race->settings.ground, &car->on, position);
    under.grip *= race->settings.grip;
    return under;
}

// Of the middle of its footprint, which a driver of another car sees.
static kerb_neighbour race_neighbour_of(const kerb_scene_race* race, int32_t number) {
    const kerb_scene_race_car* car = &race->cars[number];
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
        .overtake_request = car->racer.decision.overtake_request,
    };
    return seen;
}

static int32_t see_all(const kerb_scene_race* race, kerb_neighbour* all) {
    int32_t count = 0;
    for (int32_t i = 0; i < race->count; i++)
        if (!race->cars[i].finished)
            all[count++] = race_neighbour_of(race, i);
    return count;
}

static int32_t see_near(const kerb_neighbour* all, int32_t count, uint32_t id, kerb_vec3 from,
                        kerb_neighbour* seen) {
    int32_t kept = 0;
    for (int32_t i = 0; i < count; i++) {
        kerb_vec3 away = kerb_vec3_sub(all[i].position, from);
        if (all[i].id != id &&
            kerb_vec3_dot(away, away) < KERB_SCENE_RACE_SIGHT * KERB_SCENE_RACE_SIGHT)
            seen[kept++] = all[i];
    }
    return kept;
}

static void drive_car(kerb_scene_race* race, int32_t number, const kerb_neighbour* all,
                      int32_t count, float step) {
    const kerb_scene_race_settings* s = &race->settings;
    kerb_scene_race_car* car = &race->cars[number];
    kerb_neighbour seen[KERB_SCENE_RACE_CARS_MAX];
    kerb_surroundings around = kerb_surroundings_default();
    around.id = (uint32_t)number;
    around.laps = car->laps;
    around.neighbours = seen;
    around.neighbour_count = car->neighbours =
        see_near(all, count, around.id, car->motion.position, seen);
    around.player_drives = car->player != NULL;
    around.applied = car->player != NULL || car->player_drove ? &car->controls : NULL;
    uint64_t begun = kerb_scene_call_begin(&race->drives);
    kerb_controls controls = kerb_racer_drive(&car->racer, s->line, &car->motion, &around, step);
    kerb_scene_call_end(&race->drives, begun);
    car->player_drove = car->player != NULL;
    car->controls = car->player != NULL ? *car->player : controls;
    int32_t phase = car->racer.decision.phase;
    car->spins += phase == KERB_RACER_SPINNING && car->phase != KERB_RACER_SPINNING;
    car->phase = phase;
}

// The strongest wake that it is in. Straight behind the others, whatever bend they are in: there
// drag matters little.
static float tow_of(const kerb_scene_race_settings* s, const kerb_neighbour* all, int32_t count,
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

static void set_tow(kerb_scene_race* race, int32_t number, float share) {
    race->cars[number].tow = share;
    race->physics->set_tow(race->group, number, share);
}

static void tow_all(kerb_scene_race* race, const kerb_neighbour* all, int32_t count) {
    for (int32_t i = 0; i < count; i++)
        set_tow(race, (int32_t)all[i].id, tow_of(&race->settings, all, count, i));
}

static void drive_all(kerb_scene_race* race, float step) {
    kerb_neighbour all[KERB_SCENE_RACE_CARS_MAX];
    int32_t count = see_all(race, all);
    if (race->settings.slipstream > 0.0f)
        tow_all(race, all, count);
    for (int32_t i = 0; i < race->count; i++)
        if (!race->cars[i].finished)
            drive_car(race, i, all, count, step);
}

// --------------------------------------------------------------------------- physics

static void push_off_walls(kerb_scene_race* race, int32_t number) {
    kerb_scene_race_car* car = &race->cars[number];
    kerb_sim_contact found[4];
    kerb_sim_body body = race->physics->body(race->group, number);
    int32_t touches = kerb_scene_race_ground_push(race->settings.ground, &car->on, &body, found, 4);
    if (touches > 0)
        race->physics->set_body(race->group, number, &body);
    kerb_scene_race_contacts_note_solid(race->contacts, number, found, touches, 4,
                                        KERB_SCENE_RACE_STEP);
}

static void race_step_physics(kerb_scene_race* race) {
    kerb_sim_group_input inputs[KERB_SCENE_RACE_CARS_MAX];
    kerb_sim_group_touch found[KERB_SIM_GROUP_TOUCHES];
    for (int32_t i = 0; i < race->count; i++) {
        kerb_scene_race_car* car = &race->cars[i];
        if (car->finished)
            continue;
        kerb_vec3 foot = race->physics->foot(race->group, i);
        inputs[i].controls = &car->controls;
        inputs[i].ground = kerb_scene_race_ground_under(race, car, foot);
    }
    int32_t touches = race->physics->step(race->group, inputs, KERB_SCENE_RACE_STEP, found,
                                          KERB_SIM_GROUP_TOUCHES);
    touches = touches < KERB_SIM_GROUP_TOUCHES ? touches : KERB_SIM_GROUP_TOUCHES;
    if (race->count > 1)
        kerb_scene_race_contacts_note(race->contacts, found, touches, race->count,
                                      KERB_SCENE_RACE_STEP);
    for (int32_t i = 0; i < race->count && race->settings.ground->walls[0] != NULL; i++)
        if (!race->cars[i].finished)
            push_off_walls(race, i);
}

static void come_to(kerb_scene_race* race, int32_t number) {
    kerb_scene_race_car* car = &race->cars[number];
    car->motion = race->physics->motion(race->group, number);
    kerb_scene_race_ground_under(race, car, car->motion.position);
}

bool kerb_scene_race_step(kerb_scene_race* race) {
    const kerb_scene_race_settings* s = &race->settings;
    if (race->finished == race->count || race->time >= s->time_most)
        return false;
    float step = KERB_SCENE_RACE_STEP * (float)s->drive_every;
    drive_all(race, step);
    if (s->watch != NULL)
        s->watch(s->context, race);
    for (int32_t i = 0; i < s->drive_every; i++)
        race_step_physics(race);
    race->time += (double)step;
    for (int32_t i = 0; i < race->count; i++) {
        if (race->cars[i].finished)
            continue;
        kerb_scene_race_grid_put_back(race, &race->cars[i], step);
        come_to(race, i);
    }
    kerb_scene_race_watch_step(race, (double)step);
    return race->finished < race->count && race->time < s->time_most;
}

bool kerb_scene_race_put(kerb_scene_race* race, int32_t number, kerb_vec3 position, float heading) {
    kerb_scene_race_car* car = &race->cars[number];
    if (car->finished)
        return false;
    memset(&car->on, 0, sizeof car->on);
    kerb_sim_ground under = kerb_scene_race_ground_under(race, car, position);
    position.z = under.height;
    const kerb_sim_model* model = &race->settings.models[car->model];
    if (!race->physics->put(race->group, number, model, &under, position, heading))
        return false;
    come_to(race, number);
    kerb_scene_race_watch_moved(race, car);
    return true;
}

// --------------------------------------------------------------------------- results

kerb_scene_race_result kerb_scene_race_result_at(const kerb_scene_race* race, int32_t place) {
    int32_t number = race->order[place - 1];
    const kerb_scene_race_car *car = &race->cars[number], *winner = &race->cars[race->order[0]];
    const kerb_scene_race_damage* damage = &race->contacts->cars[number];
    double total = car->finished ? car->total : race->time;
    bool same_laps = car->finished && winner->finished && car->laps == winner->laps;
    kerb_scene_race_result result = {
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

double kerb_scene_race_lap_end(const kerb_scene_race* race, int32_t car, int32_t lap) {
    return race->lap_ends[car * race->settings.laps + lap];
}

double kerb_scene_race_lap_time(const kerb_scene_race* race, int32_t car, int32_t lap) {
    double begun = lap > 0 ? kerb_scene_race_lap_end(race, car, lap - 1) : 0.0;
    return kerb_scene_race_lap_end(race, car, lap) - begun;
}

double kerb_scene_race_drive_ns(const kerb_scene_race* race) {
    return kerb_scene_call_median(&race->drives);
}

double kerb_scene_race_drive_ns_mean(const kerb_scene_race* race) {
    return kerb_scene_call_mean(&race->drives);
}

double kerb_scene_race_drive_ns_below(const kerb_scene_race* race, double share) {
    return kerb_scene_call_below(&race->drives, share);
}
