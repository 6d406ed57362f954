// Purpose: what is measured in a race: progress, laps, places, overtakes, time off the track.
// Idea:    Progress is the sum of small steps along the track's centre line. Two cars pass each
//          other when their difference in progress goes through a whole number of laps: at zero
//          they exchange places, at another number one of them is lapped. The change counts once it
//          has lasted.
// Cost:    O(cars²) a step.
#include "scene/race/race_parts.h"

#include <math.h>

// A change of the order lasts for so long, or it was none; and a contact so long before or after
// belongs to it. [s]
#define HOLDS 2.0
// Of an open track, where nobody is lapped. [m]
#define NO_LAP 1.0e12
// The end of an open track, before its last point, which nobody need hit. [m]
#define END_SPARE 0.5

static double along_track(const kerb_scene_race* race, const kerb_scene_race_car* car) {
    const kerb_path* track = race->settings.ground->track;
    const kerb_path_point* p = &track->points[car->on.foot.segment];
    return p->distance + car->on.foot.share * (double)p->length + car->on.foot.beyond;
}

static double round_of(const kerb_scene_race* race) {
    return race->settings.ground->track->closed ? race->length : NO_LAP;
}

// --------------------------------------------------------------------------- laps

static double* lap_end(const kerb_scene_race* race, const kerb_scene_race_car* car, int32_t lap) {
    ptrdiff_t number = car - race->cars;
    return &race->lap_ends[number * race->settings.laps + lap];
}

static void race_watch_finish(kerb_scene_race* race, kerb_scene_race_car* car, double at) {
    car->finished = true;
    car->total = at;
    car->progress = race->length * (double)car->laps;
    race->finished++;
    race->physics->take_out(race->group, (int32_t)(car - race->cars));
    if (race->flag < 0.0)
        race->flag = at;
}

static void cross_line(kerb_scene_race* race, kerb_scene_race_car* car, double at) {
    double lap = at - car->lap_began;
    *lap_end(race, car, car->laps++) = at;
    car->lap_began = at;
    if (car->best_lap == 0.0 || lap < car->best_lap)
        car->best_lap = lap;
}

static void race_watch_move(kerb_scene_race* race, kerb_scene_race_car* car, double step) {
    double now = along_track(race, car), moved = now - car->along;
    if (race->settings.ground->track->closed)
        moved -= race->length * floor(moved / race->length + 0.5);
    car->along = now;
    car->progress += moved;
    double next = race->length * (double)(car->laps + 1);
    if (car->progress < next)
        return;
    double share = moved > 0.0 ? fmin((car->progress - next) / moved, 1.0) : 0.0;
    cross_line(race, car, race->time - share * step);
}

// --------------------------------------------------------------------------- places

static bool leads(const kerb_scene_race_car* a, const kerb_scene_race_car* b) {
    if (a->finished && b->finished && a->laps == b->laps)
        return a->total < b->total;
    return a->progress > b->progress;
}

static void sort_places(kerb_scene_race* race) {
    int32_t* order = race->order;
    for (int32_t i = 1; i < race->count; i++) {
        int32_t car = order[i], k = i;
        for (; k > 0 && leads(&race->cars[car], &race->cars[order[k - 1]]); k--)
            order[k] = order[k - 1];
        order[k] = car;
    }
    for (int32_t i = 0; i < race->count; i++)
        race->cars[order[i]].place = i + 1;
}

// --------------------------------------------------------------------------- overtakes

kerb_scene_race_pair* kerb_scene_race_pair_of(const kerb_scene_race* race, int32_t a, int32_t b) {
    int32_t low = a < b ? a : b, high = a < b ? b : a;
    return &race->pairs[high * (high - 1) / 2 + low];
}

static int32_t rounds_between(const kerb_scene_race* race, int32_t low, int32_t high) {
    double gap = race->cars[low].progress - race->cars[high].progress;
    return (int32_t)floor(gap / round_of(race));
}

static bool in_trouble(const kerb_scene_race_car* car) {
    return car->outside > 0.0f || car->phase != KERB_RACER_DRIVING || car->waits > 0.0f;
}

// The order has changed from `rounds` to `now`: who has passed whom?
static void race_watch_count_pass(kerb_scene_race* race, kerb_scene_race_pair* pair, int32_t low,
                                  int32_t high) {
    bool up = pair->now > pair->rounds;
    bool for_place = (pair->now < 0) != (pair->rounds < 0);
    bool laps = up ? pair->rounds >= 0 : pair->rounds < 0;
    int32_t by = up ? low : high, of = up ? high : low;
    int32_t clean = pair->touched < pair->since - HOLDS ? 1 : 0;
    pair->rounds = pair->now;
    if (pair->gift)
        return;
    if (for_place) {
        race->overtakes++;
        race->overtakes_clean += clean;
        race->cars[by].overtakes++;
        race->cars[of].overtaken++;
    } else if (laps) { // and not: takes back a lap
        race->lappings++;
        race->lappings_clean += clean;
    }
}

static void watch_pair(kerb_scene_race* race, kerb_scene_race_pair* pair, int32_t low,
                       int32_t high) {
    const kerb_scene_race_car *a = &race->cars[low], *b = &race->cars[high];
    const kerb_scene_race_touch* touch = &race->contacts->pairs[pair - race->pairs];
    float step = KERB_SCENE_RACE_STEP * (float)race->settings.drive_every;
    if (touch->lasts && touch->since < step)
        pair->touched = race->time;
    bool ends = a->finished || b->finished;
    int32_t now = ends ? pair->now : rounds_between(race, low, high);
    if (now != pair->now) {
        pair->now = now;
        pair->since = race->time;
        pair->gift = in_trouble(now > pair->rounds ? b : a);
    }
    if (pair->now != pair->rounds && (ends || race->time - pair->since >= HOLDS))
        race_watch_count_pass(race, pair, low, high);
}

static void race_watch_watch_pairs(kerb_scene_race* race) {
    kerb_scene_race_pair* pair = race->pairs;
    for (int32_t high = 1; high < race->count; high++)
        for (int32_t low = 0; low < high; low++)
            watch_pair(race, pair++, low, high);
}

// --------------------------------------------------------------------------- steps

void kerb_scene_race_watch_begin(kerb_scene_race* race) {
    for (int32_t i = 0; i < race->count; i++) {
        kerb_scene_race_car* car = &race->cars[i];
        car->along = along_track(race, car);
        if (!race->settings.ground->track->closed)
            car->progress = car->along;
        car->outside = car->outside_most = kerb_scene_race_ground_outside(&car->on);
    }
    race->length = race->settings.ground->track->length;
    if (!race->settings.ground->track->closed)
        race->length -= END_SPARE;
    for (int32_t i = 0; i < race->count; i++)
        kerb_scene_race_watch_moved(race, &race->cars[i]);
}

void kerb_scene_race_watch_moved(kerb_scene_race* race, const kerb_scene_race_car* car) {
    int32_t number = (int32_t)(car - race->cars);
    for (int32_t i = 0; i < race->count; i++) {
        if (i == number)
            continue;
        int32_t low = i < number ? i : number, high = i < number ? number : i;
        kerb_scene_race_pair* pair = kerb_scene_race_pair_of(race, low, high);
        pair->rounds = pair->now = rounds_between(race, low, high);
        if (race->time == 0.0)
            pair->touched = -2.0 * HOLDS;
    }
}

static void watch_car(kerb_scene_race* race, kerb_scene_race_car* car, double step) {
    car->outside = kerb_scene_race_ground_outside(&car->on);
    car->outside_most = kerb_max(car->outside_most, car->outside);
    car->off_track_time += car->outside > 0.0f ? step : 0.0;
    int32_t before = car->laps;
    race_watch_move(race, car, step);
    bool flagged = race->flag >= 0.0 && car->lap_began > race->flag;
    if (car->laps == race->settings.laps || (car->laps > before && flagged))
        race_watch_finish(race, car, car->lap_began);
}

void kerb_scene_race_watch_step(kerb_scene_race* race, double step) {
    for (int32_t i = 0; i < race->count; i++)
        if (!race->cars[race->order[i]].finished)
            watch_car(race, &race->cars[race->order[i]], step);
    sort_places(race);
    race_watch_watch_pairs(race);
}
