// How racers come past one another:
//
//     bench_race_among [-full] [-seed N] [-only fields|duels] [-trace] [-v] [[-r] TRACK…]
//
//     fields   twelve gt cars of skill 0.6 to 1, the least skill in front, ten laps: the rank
//              correlation of their order with skill after 2, 5 and 10 laps, and contacts. One race
//              on each track, with -full ten
//     duels    a gt car of skill 1 starts 10 to 46 m behind one that takes 2 % longer for a lap:
//              whether it is in front after five laps, and clean. The other car is slower in one of
//              two ways: by the car (less of grip, brakes and engine: it never lets a car pass), or
//              by skill (it may let faster cars pass). The five laps begin half a lap after the
//              start, before which both have the same skill. Four duels of each kind on each track,
//              with -full ten
//
// TRACK: a built-in one or a file; with -r before it, the other way round. Without one: the
// built-in tracks in both directions. -seed: of the first race; others follow it. -v prints each
// race. -trace prints each duel as CSV, ten rows a second.
#include "kerb/io/track.h"
#include "scene/race/race.h"
#include "scene/race/race_lap.h"
#include "scene/race/race_stage.h"
#include "scene/race/tracks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIELD_CARS = 12, FIELD_LAPS = 10, DUEL_LAPS = 5, AMONG_TRACKS_MOST = 32, MARKS = 3 };
static const int32_t mark_laps[MARKS] = {2, 5, FIELD_LAPS};

#define SKILL_LEAST 0.6f
#define SLOWER_BY 0.02 // of a lap
// On the grid, by the last digit of the seed. [m]
#define DUEL_GAP_LEAST 10.0f
#define DUEL_GAP_STEP 4.0f
#define DUEL_FROM 0.5 // laps from the standing start, which is not about passing, driven alike
#define AMONG_TIME_MOST 7200.0

static bool is_verbose, is_traced;

// --------------------------------------------------------------------------- tracks

typedef struct among_track {
    const char* name;
    bool reverse;
} among_track;

// The bytes of a file, which the caller frees; NULL: it cannot be read.
static char* among_read(const char* name, size_t* size) {
    FILE* file = fopen(name, "rb");
    char* text = NULL;
    size_t room = 0;
    *size = 0;
    while (file != NULL && !feof(file) && !ferror(file)) {
        room += 65536;
        char* more = realloc(text, room);
        if (more == NULL)
            exit(1);
        text = more;
        *size += fread(text + *size, 1, room - *size, file);
    }
    if (file != NULL)
        fclose(file);
    return text;
}

static kerb_result build_stage(kerb_scene_race_stage* stage, const among_track* track,
                               const kerb_host* host, kerb_error* error) {
    kerb_sim_model model;
    kerb_scene_race_stage_settings settings = kerb_scene_race_stage_settings_default();
    kerb_sim_model_named("gt", &model);
    settings.reverse = track->reverse;
    kerb_scene_track built;
    kerb_result result = kerb_scene_track_make(track->name, host, &built, error);
    if (result == KERB_OK) {
        settings.closed = built.closed;
        result = kerb_scene_race_stage_build(stage, built.waypoints, built.count, &model, &settings,
                                             host, error);
        kerb_scene_track_free(&built, host);
        return result;
    }
    size_t size;
    char* text = among_read(track->name, &size);
    kerb_io_track read;
    if (text == NULL)
        return result;
    result = kerb_io_track_read(&read, text, size, host, NULL, error);
    if (result == KERB_OK) {
        settings.closed = read.closed;
        result = kerb_scene_race_stage_build(stage, read.waypoints, read.count, &model, &settings,
                                             host, error);
        kerb_io_track_destroy(&read, host);
    }
    free(text);
    return result;
}

// --------------------------------------------------------------------------- fields

typedef struct field_sum {
    int32_t races, with_hard, hard, contacts, overtakes, clean;
    double correlation[MARKS], least[MARKS], off_track, put_back;
} field_sum;

// True: `a` was ahead of `b` at the end of that lap.
static bool was_ahead(const kerb_scene_race* race, int32_t a, int32_t b, int32_t lap) {
    bool done_a = race->cars[a].laps >= lap, done_b = race->cars[b].laps >= lap;
    if (done_a && done_b)
        return kerb_scene_race_lap_end(race, a, lap - 1) <
               kerb_scene_race_lap_end(race, b, lap - 1);
    return done_a != done_b ? done_a : race->cars[a].place < race->cars[b].place;
}

// Spearman's, of the order at the end of a lap with skill; the last driver has the most.
static double correlation_after(const kerb_scene_race* race, int32_t lap) {
    int32_t square = 0, cars = race->count;
    for (int32_t a = 0; a < cars; a++) {
        int32_t place = 0;
        for (int32_t b = 0; b < cars; b++)
            place += b != a && was_ahead(race, b, a, lap);
        int32_t wrong = place - (cars - 1 - a);
        square += wrong * wrong;
    }
    return 1.0 - 6.0 * (double)square / ((double)cars * (double)(cars * cars - 1));
}

static void run_field(const kerb_scene_race_stage* stage, uint64_t seed, const kerb_host* host,
                      field_sum* sum) {
    float skills[FIELD_CARS];
    for (int32_t i = 0; i < FIELD_CARS; i++)
        skills[i] = SKILL_LEAST + (1.0f - SKILL_LEAST) * (float)i / (float)(FIELD_CARS - 1);
    kerb_scene_race_settings settings =
        kerb_scene_race_settings_default(&stage->line, &stage->ground, &stage->model);
    settings.performances = &stage->limits.performance;
    settings.cars = FIELD_CARS;
    settings.laps = FIELD_LAPS;
    settings.skills = skills;
    settings.order = KERB_SCENE_RACE_ORDER_REVERSE;
    settings.seed = seed;
    settings.time_most = AMONG_TIME_MOST;
    kerb_scene_race race;
    kerb_error error;
    if (kerb_scene_race_create(&race, &settings, host, &error) != KERB_OK)
        exit(1);
    while (kerb_scene_race_step(&race)) {
    }
    sum->races++;
    for (int32_t k = 0; k < MARKS; k++) {
        double correlation = correlation_after(&race, mark_laps[k]);
        sum->correlation[k] += correlation;
        if (sum->races == 1 || correlation < sum->least[k])
            sum->least[k] = correlation;
        if (is_verbose)
            printf("%s %.2f", k == 0 ? "    race" : ",", correlation);
    }
    if (is_verbose)
        printf("; contacts %d, hard %d, overtakes %d\n", (int)race.contacts->contacts,
               (int)race.contacts->hard_contacts, (int)race.overtakes);
    sum->contacts += race.contacts->contacts;
    sum->hard += race.contacts->hard_contacts;
    sum->with_hard += race.contacts->hard_contacts > 0;
    sum->overtakes += race.overtakes;
    sum->clean += race.overtakes_clean;
    for (int32_t i = 0; i < race.count; i++) {
        sum->off_track += race.cars[i].off_track_time;
        sum->put_back += race.cars[i].put_back;
    }
    kerb_scene_race_destroy(&race);
}

static void print_field(const char* name, const field_sum* sum) {
    printf("fields, %s: correlation", name);
    for (int32_t k = 0; k < MARKS; k++)
        printf("%s %.2f (least %.2f) after %d", k > 0 ? "," : "",
               sum->correlation[k] / (double)sum->races, sum->least[k], (int)mark_laps[k]);
    printf(" laps; races %d, with a hard contact %d, hard %d, contacts %d, overtakes %d, clean %d, "
           "off the track %.1f s, put back %.0f\n",
           (int)sum->races, (int)sum->with_hard, (int)sum->hard, (int)sum->contacts,
           (int)sum->overtakes, (int)sum->clean, sum->off_track, sum->put_back);
}

static void add_field(field_sum* sum, const field_sum* other) {
    for (int32_t k = 0; k < MARKS; k++) {
        sum->least[k] =
            sum->races == 0 || other->least[k] < sum->least[k] ? other->least[k] : sum->least[k];
        sum->correlation[k] += other->correlation[k];
    }
    sum->races += other->races;
    sum->with_hard += other->with_hard;
    sum->hard += other->hard;
    sum->contacts += other->contacts;
    sum->overtakes += other->overtakes;
    sum->clean += other->clean;
    sum->off_track += other->off_track;
    sum->put_back += other->put_back;
}

// --------------------------------------------------------------------------- the slower car

typedef enum slower_kind { SLOWER_CAR, SLOWER_SKILL, SLOWER_KINDS } slower_kind;
static const char* const slower_names[SLOWER_KINDS] = {"by car", "by skill"};

// A car of a duel: cars[0] is the slower one.
typedef struct duel_pair {
    kerb_sim_model cars[2];
    kerb_performance performances[2];
    float skills[2];
} duel_pair;

// Makes the first car slower: `share` less of what tyres, brakes and engine give, or of skill.
static void make_slower(const kerb_scene_race_stage* stage, slower_kind kind, float share,
                        duel_pair* pair) {
    for (int32_t i = 0; i < 2; i++) {
        pair->cars[i] = stage->model;
        pair->performances[i] = stage->limits.performance;
        pair->skills[i] = 1.0f;
    }
    if (kind == SLOWER_SKILL) {
        pair->skills[0] = 1.0f - share;
        return;
    }
    float left = 1.0f - share;
    kerb_sim_car_model* car = &pair->cars[0].car;
    car->grip_along *= left;
    car->grip_across *= left;
    car->brake_force *= left;
    for (int32_t i = 0; i < KERB_SIM_TORQUE_POINTS; i++)
        car->engine_torque[i] *= left;
    pair->cars[0].vehicle = kerb_sim_car_vehicle(car);
    kerb_performance* p = &pair->performances[0];
    p->lateral *= left;
    p->braking *= left;
    p->accelerating *= left;
    for (int32_t i = 0; i < KERB_DRIVE_COUNT; i++)
        p->drive[i] *= left;
}

// Mean of the flying laps of the first car alone. [s]
static double lap_alone(const kerb_scene_race_stage* stage, const duel_pair* pair) {
    kerb_scene_race_lap lap =
        kerb_scene_race_lap_default(&stage->line, &stage->ground, &pair->cars[0]);
    lap.racer.performance = pair->performances[0];
    lap.racer.settings.skill = pair->skills[0];
    lap.time_most = AMONG_TIME_MOST;
    kerb_scene_race_lap_result result;
    kerb_scene_race_lap_run(&lap, &result);
    double sum = 0.0;
    for (int32_t i = 1; i < result.laps; i++)
        sum += result.lap_time[i];
    return sum / (double)(result.laps - 1);
}

// Finds by bisection how much less makes it slower by SLOWER_BY.
static void find_slower(const kerb_scene_race_stage* stage, slower_kind kind, duel_pair* pair) {
    float low = 0.0f, high = kind == SLOWER_CAR ? 0.1f : 0.4f;
    make_slower(stage, kind, 0.0f, pair);
    double fast = lap_alone(stage, pair);
    for (int32_t round = 0; round < 6; round++) {
        float middle = 0.5f * (low + high);
        make_slower(stage, kind, middle, pair);
        if (lap_alone(stage, pair) < (1.0 + SLOWER_BY) * fast)
            low = middle;
        else
            high = middle;
    }
    make_slower(stage, kind, 0.5f * (low + high), pair);
}

// --------------------------------------------------------------------------- duels

typedef struct duel_sum {
    int32_t duels, passed, passed_clean, hard, contacts;
    double laps; // until passed, of those that did
} duel_sum;

static void trace_duel(const kerb_scene_race* race) {
    if (!is_traced || (int32_t)(race->time * 60.0 + 0.5) % 6 != 0)
        return;
    const kerb_scene_race_car *a = &race->cars[0], *b = &race->cars[1];
    const kerb_racer_decision *d = &b->racer.decision, *e = &a->racer.decision;
    printf("%.2f,%.1f,%.2f,%.2f,%.2f,%.2f,%.2f,%.2f,%.2f,%s,%s,%.2f\n", race->time, b->progress,
           a->progress - b->progress, (double)kerb_vec3_length(b->motion.velocity),
           (double)kerb_vec3_length(a->motion.velocity), (double)d->target_speed,
           (double)d->cross_track_error, (double)b->racer.memory.traffic.way_offset,
           (double)a->racer.memory.traffic.way_offset, kerb_reason_text(d->reason),
           kerb_reason_text(e->reason), (double)d->overtake_request);
}

static void run_duel(const kerb_scene_race_stage* stage, const duel_pair* pair, uint64_t seed,
                     const kerb_host* host, duel_sum* sum) {
    kerb_scene_race_settings settings =
        kerb_scene_race_settings_default(&stage->line, &stage->ground, pair->cars);
    settings.model_count = 2;
    settings.performances = pair->performances;
    settings.cars = 2;
    settings.laps = DUEL_LAPS + 1;
    settings.skills = pair->skills;
    settings.grid_spacing = DUEL_GAP_LEAST + DUEL_GAP_STEP * (float)(seed % 10);
    settings.grid_jitter = 1.0f;
    settings.seed = seed;
    settings.time_most = AMONG_TIME_MOST;
    kerb_scene_race race;
    kerb_error error;
    if (kerb_scene_race_create(&race, &settings, host, &error) != KERB_OK)
        exit(1);
    double from = DUEL_FROM * race.length, behind = 0.0; // laps since then when it was behind last
    kerb_scene_race_car* faster = &race.cars[1];
    faster->racer.settings.skill = pair->skills[0];
    while (kerb_scene_race_step(&race) && faster->progress < from + DUEL_LAPS * race.length) {
        if (faster->progress > from)
            faster->racer.settings.skill = pair->skills[1];
        if (faster->progress < race.cars[0].progress)
            behind = (faster->progress - from) / race.length;
        trace_duel(&race);
    }
    bool passed = faster->place == 1, clean = race.contacts->contacts == 0;
    sum->duels++;
    sum->passed += passed;
    sum->passed_clean += passed && clean;
    sum->contacts += race.contacts->contacts;
    sum->hard += race.contacts->hard_contacts;
    sum->laps += passed ? behind : 0.0;
    if (is_verbose)
        printf("    duel %s at lap %.2f, contacts %d, hard %d\n", passed ? "passed" : "not passed",
               behind, (int)race.contacts->contacts, (int)race.contacts->hard_contacts);
    kerb_scene_race_destroy(&race);
}

static void print_duel(const char* name, slower_kind kind, const duel_sum* sum) {
    printf("duels %s, %s: passed within %d laps %d of %d (%.0f %%), clean %d, after %.1f laps on "
           "average; contacts %d, hard %d\n",
           slower_names[kind], name, DUEL_LAPS, (int)sum->passed, (int)sum->duels,
           100.0 * sum->passed / (double)sum->duels, (int)sum->passed_clean,
           sum->laps / (sum->passed > 0 ? (double)sum->passed : 1.0), (int)sum->contacts,
           (int)sum->hard);
}

static void add_duel(duel_sum* sum, const duel_sum* other) {
    sum->duels += other->duels;
    sum->passed += other->passed;
    sum->passed_clean += other->passed_clean;
    sum->hard += other->hard;
    sum->contacts += other->contacts;
    sum->laps += other->laps;
}

// --------------------------------------------------------------------------- all of it

typedef struct among_wish {
    among_track tracks[AMONG_TRACKS_MOST];
    int32_t count;
    uint64_t seed;
    bool full, fields, duels;
} among_wish;

static among_wish read_wish(int argc, char** argv) {
    among_wish wish = {.seed = 1000, .fields = true, .duels = true};
    bool reverse = false;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "-full") == 0)
            wish.full = true;
        else if (strcmp(argv[i], "-v") == 0)
            is_verbose = true;
        else if (strcmp(argv[i], "-trace") == 0)
            is_traced = true;
        else if (strcmp(argv[i], "-r") == 0)
            reverse = true;
        else if (strcmp(argv[i], "-seed") == 0 && i + 1 < argc)
            wish.seed = strtoull(argv[++i], NULL, 10);
        else if (strcmp(argv[i], "-only") == 0 && i + 1 < argc) {
            wish.fields = strcmp(argv[++i], "fields") == 0;
            wish.duels = !wish.fields;
        } else if (wish.count < AMONG_TRACKS_MOST) {
            wish.tracks[wish.count++] = (among_track){argv[i], reverse};
            reverse = false;
        }
    }
    if (wish.count > 0)
        return wish;
    for (; wish.count < 2 * kerb_scene_track_count(); wish.count++)
        wish.tracks[wish.count] =
            (among_track){kerb_scene_track_name(wish.count / 2), wish.count % 2 == 1};
    return wish;
}

int main(int argc, char** argv) {
    among_wish wish = read_wish(argc, argv);
    kerb_host host = kerb_host_default();
    field_sum fields = {0};
    duel_sum duels[SLOWER_KINDS] = {{0}};
    for (int32_t t = 0; t < wish.count; t++) {
        static kerb_scene_race_stage stage;
        kerb_error error = {.index = -1};
        char name[256];
        snprintf(name, sizeof name, "%s%s", wish.tracks[t].name,
                 wish.tracks[t].reverse ? " in reverse" : "");
        if (build_stage(&stage, &wish.tracks[t], &host, &error) != KERB_OK) {
            fprintf(stderr, "%s: %s\n", name, error.message);
            return 1;
        }
        field_sum field = {0};
        for (int32_t k = 0; wish.fields && k < (wish.full ? 10 : 1); k++)
            run_field(&stage, wish.seed + (uint64_t)k, &host, &field);
        if (wish.fields)
            print_field(name, &field);
        add_field(&fields, &field);
        for (int32_t kind = 0; wish.duels && kind < SLOWER_KINDS; kind++) {
            duel_pair pair;
            duel_sum duel = {0};
            find_slower(&stage, (slower_kind)kind, &pair);
            for (int32_t k = 0; k < (wish.full ? 10 : 4); k++)
                run_duel(&stage, &pair, wish.seed + (uint64_t)k, &host, &duel);
            print_duel(name, (slower_kind)kind, &duel);
            add_duel(&duels[kind], &duel);
        }
        fflush(stdout);
        kerb_scene_race_stage_free(&stage);
    }
    if (wish.fields)
        print_field("all tracks", &fields);
    for (int32_t kind = 0; wish.duels && kind < SLOWER_KINDS; kind++)
        print_duel("all tracks", (slower_kind)kind, &duels[kind]);
    return 0;
}
