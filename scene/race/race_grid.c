// Purpose: where the cars of a race are placed: on the grid, and back on the track.
// Idea:    Places one behind the other, to the left and to the right of the middle in turns; one
//          column where the track is too narrow for two. Distances are along the centre line,
//          backwards from the start line; on an open track, which has nothing there, forwards from
//          its start.
// Cost:    O(cars) for each car.
#include "scene/race/race_parts.h"

#define FRONT_ROW 1.0f       // from the start line to the first car's front [m]
#define COLUMN_SHARE 0.45f   // columns are so far from the middle, of half the width
#define EDGE_SPARE 0.4f      // from a car's side to the edge, at least [m]
#define COLUMNS_SPARE 0.6f   // from side to side of two columns, at least [m]
#define NOSE_TO_TAIL 3.0f    // in a single column [m]
#define GRID_SHARE 0.8       // of a lap that the grid may take
#define HEADING_JITTER 0.01f // of headings, for each metre of the places' [rad/m]

// Nobody may be so near to a place where a car is put back: ahead, or behind at rest; and behind so
// much more for each metre per second. [m], [s]
#define FREE_ROUND 12.0f
#define FREE_TIME 4.0f
// That long it waits for such a place; then only for one that is not taken. [s]
#define WAITS_MOST 15.0f
#define FREE_LEAST 7.0f

static float longest(const kerb_scene_race_settings* s) {
    float length = 0.0f;
    for (int32_t i = 0; i < s->model_count; i++)
        length = kerb_max(length, s->models[i].vehicle.length);
    return length;
}

static float widest(const kerb_scene_race_settings* s) {
    float width = 0.0f;
    for (int32_t i = 0; i < s->model_count; i++)
        width = kerb_max(width, s->models[i].vehicle.width);
    return width;
}

// From the middle of the road to a column where the track is so wide; 0: there is but one.
static float column_aside(float half, float car) {
    float aside = kerb_min(COLUMN_SHARE * half, half - 0.5f * car - EDGE_SPARE);
    return 2.0f * aside >= car + COLUMNS_SPARE ? aside : 0.0f;
}

// Two columns anywhere would need two columns everywhere: so the narrowest place decides.
static float spacing_of(const kerb_scene_race_settings* s) {
    const kerb_path* track = s->ground->track;
    float narrowest = 1.0e9f;
    double grid = (double)s->cars * (double)s->grid_spacing;
    for (int32_t i = 0; i < track->count; i++) {
        const kerb_path_point* p = &track->points[i];
        double from = track->closed ? track->length - p->distance : p->distance;
        if (from <= grid + 20.0)
            narrowest = kerb_min(narrowest, 0.5f * (p->left + p->right));
    }
    bool single = column_aside(narrowest, widest(s)) == 0.0f;
    return single ? kerb_max(s->grid_spacing, longest(s) + NOSE_TO_TAIL) : s->grid_spacing;
}

kerb_result kerb_scene_race_grid_check(const kerb_scene_race_settings* s, kerb_error* error) {
    double needs = (double)s->cars * (double)spacing_of(s) + (double)longest(s);
    if (needs <= GRID_SHARE * s->ground->track->length)
        return KERB_OK;
    return kerb_error_set(error, KERB_ERROR_OUT_OF_RANGE, "cars", 0, -1,
                          "the grid is longer than the track");
}

// --------------------------------------------------------------------------- putting

// Puts a car at rest, `aside` of the centre line, its location on the track known. False when the
// physics cannot.
static bool race_grid_put(kerb_scene_race* race, kerb_scene_race_car* car,
                          kerb_path_location location, float aside, float turned) {
    const kerb_sim_model* model = &race->settings.models[car->model];
    kerb_path_sample p = kerb_path_sample_at(race->settings.ground->track, location);
    float heading = kerb_atan2(p.direction.y, p.direction.x);
    float sine, cosine;
    kerb_sin_cos(heading, &sine, &cosine);
    kerb_vec3 at = {p.position.x - aside * sine, p.position.y + aside * cosine, p.position.z};
    kerb_sim_ground under = kerb_scene_race_ground_under(race, car, at);
    int32_t number = (int32_t)(car - race->cars);
    at.z = under.height;
    if (!race->physics->put(race->group, number, model, &under, at, heading + turned))
        return false;
    car->motion = race->physics->motion(race->group, number);
    return true;
}

static bool put_on_grid(kerb_scene_race* race, kerb_scene_race_car* car, float spacing,
                        kerb_random* random) {
    const kerb_scene_race_settings* s = &race->settings;
    const kerb_path* track = s->ground->track;
    const kerb_vehicle* vehicle = &s->models[car->model].vehicle;
    int32_t slot = car->start_place - 1;
    float jitter = s->grid_jitter;
    float back = FRONT_ROW + (float)slot * spacing + vehicle->reference_to_front +
                 kerb_random_between(random, 0.0f, 1.0f) * jitter;
    if (!track->closed) // the last in the first metres, the first ahead
        back -= FRONT_ROW + (float)race->count * spacing + longest(s);
    kerb_path_location at =
        kerb_path_locate(track, track->closed ? track->length - (double)back : -(double)back);
    kerb_path_sample p = kerb_path_sample_at(track, at);
    float half = 0.5f * (p.left + p.right);
    float aside = column_aside(half, widest(s)) * (slot % 2 == 0 ? 1.0f : -1.0f);
    aside += 0.5f * (p.left - p.right);
    aside += 0.5f * jitter * kerb_random_between(random, -1.0f, 1.0f);
    float turned = HEADING_JITTER * jitter * kerb_random_between(random, -1.0f, 1.0f);
    car->on.known = true;
    car->on.location = at;
    car->on.foot = (race_foot){.segment = at.segment};
    car->progress = track->closed ? -(double)back : 0.0;
    return race_grid_put(race, car, at, aside, turned);
}

// --------------------------------------------------------------------------- the grid

static bool comes_first(const kerb_scene_race* race, int32_t a, int32_t b, const uint32_t* lots) {
    const kerb_scene_race_car *one = &race->cars[a], *other = &race->cars[b];
    if (race->settings.order == KERB_SCENE_RACE_ORDER_REVERSE)
        return one->skill != other->skill ? one->skill < other->skill : a > b;
    if (race->settings.order == KERB_SCENE_RACE_ORDER_RANDOM)
        return lots[a] != lots[b] ? lots[a] < lots[b] : a < b;
    return a < b;
}

bool kerb_scene_race_grid_fill(kerb_scene_race* race) {
    kerb_random random = kerb_random_make(race->settings.seed, 1);
    uint32_t lots[KERB_SCENE_RACE_CARS_MAX] = {0};
    for (int32_t i = 0; i < race->count; i++)
        lots[i] = kerb_random_bits(&random);
    float spacing = spacing_of(&race->settings);
    for (int32_t i = 0; i < race->count; i++) {
        int32_t place = 1;
        for (int32_t k = 0; k < race->count; k++)
            place += k != i && comes_first(race, k, i, lots);
        race->cars[i].start_place = race->cars[i].place = place;
        race->order[place - 1] = i;
        if (!put_on_grid(race, &race->cars[i], spacing, &random))
            return false;
    }
    return true;
}

// --------------------------------------------------------------------------- putting back

static bool race_grid_is_free(const kerb_scene_race* race, const kerb_scene_race_car* car,
                              float around, float time) {
    const kerb_path* track = race->settings.ground->track;
    for (int32_t i = 0; i < race->count; i++) {
        const kerb_scene_race_car* other = &race->cars[i];
        if (other == car || other->finished)
            continue;
        float ahead = kerb_path_distance_between(track, car->on.location, other->on.location);
        float speed = kerb_max(kerb_motion_forward_speed(&other->motion), 0.0f);
        if (ahead < around && ahead > -around - time * speed)
            return false;
    }
    return true;
}

// On that half of the track on which it is, at least a metre from where it stood: a driver
// knows by that that it was put somewhere.
static float aside_for(const kerb_scene_race_car* car) {
    float offset = (float)car->on.foot.offset;
    float left = 0.5f * car->on.edge_left, right = -0.5f * car->on.edge_right;
    float near_it = kerb_abs(offset - left) < kerb_abs(offset - right) ? left : right;
    float other = near_it == left ? right : left;
    return kerb_abs(offset - near_it) < 1.0f ? other : near_it;
}

void kerb_scene_race_grid_put_back(kerb_scene_race* race, kerb_scene_race_car* car, float step) {
    kerb_reason reason = car->controls.reason;
    if (reason != KERB_REASON_TELEPORT && reason != KERB_REASON_GIVEN_UP) {
        car->waits = 0.0f;
        return;
    }
    car->waits += step;
    bool late = car->waits > WAITS_MOST;
    if (!race_grid_is_free(race, car, late ? FREE_LEAST : FREE_ROUND, late ? 0.0f : FREE_TIME))
        return;
    race_grid_put(race, car, car->on.location, aside_for(car), 0.0f);
    car->put_back++;
    car->waits = 0.0f;
    kerb_scene_race_watch_moved(race, car);
}
