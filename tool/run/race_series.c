// Each race is a job of its own on the stage that all share; its result is a row. Rows are printed
// in the order of the seeds, so that the number of threads changes nothing.
#include "tool/run/race_series.h"
#include "tool/report/json_report.h"

#include "tool/command/machine.h"
#include "tool/command/progress.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>

// What is left of a race.
typedef struct race_series_row {
    tool_race_sum sum;
    int32_t contacts, contacts_hard, overtakes, overtakes_clean, lappings, lappings_clean;
    double race_s, drive_ns, drive_p99_ns;
    bool done; // false: memory was missing
} race_series_row;

typedef struct series {
    const tool_race* prepared;
    const kerb_host* host;
    race_series_row* rows;
    int32_t count;
    tool_progress progress;
} series;

static void race_series_run_one(void* context, int32_t index) {
    series* s = context;
    tool_race race;
    uint64_t seed = (uint64_t)s->prepared->wish->seed + (uint64_t)index;
    if (tool_race_repeat(&race, s->prepared, seed, s->host)) {
        const kerb_scene_race* r = &race.race;
        s->rows[index] = (race_series_row){.sum = tool_race_sum_up(&race),
                                           .contacts = r->contacts->contacts,
                                           .contacts_hard = r->contacts->hard_contacts,
                                           .overtakes = r->overtakes,
                                           .overtakes_clean = r->overtakes_clean,
                                           .lappings = r->lappings,
                                           .lappings_clean = r->lappings_clean,
                                           .race_s = r->time,
                                           .drive_ns = kerb_scene_race_drive_ns(r),
                                           .drive_p99_ns = kerb_scene_race_drive_ns_below(r, 0.99),
                                           .done = true};
        tool_race_repeat_free(&race);
    }
    tool_progress_add(&s->progress, 1.0);
}

// --------------------------------------------------------------------------- sums

typedef struct race_series_total {
    race_series_row all; // sums; of the best lap the least, of times per call the mean
    int32_t untouched;   // races without a contact
    int32_t light;       // and without a hard one
    int32_t on_track;    // and in which nobody left the track
    double correlation;  // mean
    double correlation_least;
} race_series_total;

static double race_series_least_of(double a, double b) {
    return a == 0.0 || (b > 0.0 && b < a) ? b : a;
}

static void race_series_add_row(race_series_total* t, const race_series_row* r, double part) {
    t->all.sum.finished += r->sum.finished;
    t->all.sum.solid_contacts += r->sum.solid_contacts;
    t->all.sum.spins += r->sum.spins;
    t->all.sum.put_back += r->sum.put_back;
    t->all.sum.damage += r->sum.damage;
    t->all.sum.off_track_time += r->sum.off_track_time;
    t->all.sum.best_lap = race_series_least_of(t->all.sum.best_lap, r->sum.best_lap);
    t->all.sum.best_over_profile =
        race_series_least_of(t->all.sum.best_over_profile, r->sum.best_over_profile);
    t->all.contacts += r->contacts;
    t->all.contacts_hard += r->contacts_hard;
    t->all.overtakes += r->overtakes;
    t->all.overtakes_clean += r->overtakes_clean;
    t->all.lappings += r->lappings;
    t->all.lappings_clean += r->lappings_clean;
    t->all.race_s += r->race_s;
    t->all.drive_ns += part * r->drive_ns;
    t->all.drive_p99_ns += part * r->drive_p99_ns;
    t->untouched += r->contacts == 0;
    t->light += r->contacts_hard == 0;
    t->on_track += r->sum.off_track_time == 0.0;
    t->correlation += part * r->sum.skill_correlation;
    t->correlation_least = fmin(t->correlation_least, r->sum.skill_correlation);
}

static race_series_total total_of(const series* s) {
    race_series_total t = {.correlation_least = 1.0};
    for (int32_t i = 0; i < s->count; i++)
        race_series_add_row(&t, &s->rows[i], 1.0 / (double)s->count);
    if (!isfinite(t.correlation))
        t.correlation_least = t.correlation;
    return t;
}

// --------------------------------------------------------------------------- the table

static void race_series_print_row(int64_t seed, const race_series_row* r) {
    printf("%8lld%10d%8.1f%12d/%-4d%10d/%-4d%8d%8.1f%7d", (long long)seed, (int)r->sum.finished,
           r->race_s, (int)r->contacts, (int)r->contacts_hard, (int)r->overtakes,
           (int)r->overtakes_clean, (int)r->lappings, r->sum.off_track_time, (int)r->sum.spins);
    if (isfinite(r->sum.skill_correlation))
        printf("%10.3f", r->sum.skill_correlation);
    printf("\n");
}

static void race_series_print_table(const series* s) {
    const tool_race* p = s->prepared;
    race_series_total t = total_of(s);
    bool elsewhere = p->wish->physics != NULL;
    printf("%s, %.0f m: %d races of %d %s, %d cars of %s%s%s\n\n", p->track.name,
           p->stage.path.length, (int)s->count, (int)p->laps, p->laps == 1 ? "lap" : "laps",
           (int)p->wish->cars, p->wish->vehicle_names, elsewhere ? ", in " : "",
           elsewhere ? p->wish->physics->name : "");
    printf("%8s%10s%8s%17s%15s%8s%8s%7s%10s\n", "seed", "finished", "s", "contacts/hard",
           "passes/clean", "lapped", "off s", "spins", "by skill");
    for (int32_t i = 0; i < s->count; i++)
        race_series_print_row(p->wish->seed + i, &s->rows[i]);
    printf("\nraces without a contact %d, without a hard one %d, with no car off the track %d\n",
           (int)t.untouched, (int)t.light, (int)t.on_track);
    printf("contacts %d, hard %d; overtakes %d, clean %d; lapped %d, clean %d\n",
           (int)t.all.contacts, (int)t.all.contacts_hard, (int)t.all.overtakes,
           (int)t.all.overtakes_clean, (int)t.all.lappings, (int)t.all.lappings_clean);
    if (isfinite(t.correlation))
        printf("places by skill %.3f mean, %.3f at least\n", t.correlation, t.correlation_least);
    printf("driving %.0f ns per call\n", t.all.drive_ns);
}

// --------------------------------------------------------------------------- JSON

static bool race_series_add_lap(cJSON* object, const char* key, double value) {
    return tool_json_number(object, key, value > 0.0 ? value : (double)NAN);
}

static bool add_figures(cJSON* o, const race_series_row* r) {
    return tool_json_number(o, "finished", r->sum.finished) &&
           race_series_add_lap(o, "best_lap_s", r->sum.best_lap) &&
           race_series_add_lap(o, "best_over_profile", r->sum.best_over_profile) &&
           tool_json_number(o, "race_s", r->race_s) &&
           tool_json_number(o, "contacts", r->contacts) &&
           tool_json_number(o, "contacts_hard", r->contacts_hard) &&
           tool_json_number(o, "contacts_solid", r->sum.solid_contacts) &&
           tool_json_number(o, "damage", r->sum.damage) &&
           tool_json_number(o, "off_track_s", r->sum.off_track_time) &&
           tool_json_number(o, "spins", r->sum.spins) &&
           tool_json_number(o, "put_back", r->sum.put_back) &&
           tool_json_number(o, "overtakes", r->overtakes) &&
           tool_json_number(o, "overtakes_clean", r->overtakes_clean) &&
           tool_json_number(o, "lappings", r->lappings) &&
           tool_json_number(o, "lappings_clean", r->lappings_clean) &&
           tool_json_number(o, "drive_ns", r->drive_ns) &&
           tool_json_number(o, "drive_p99_ns", r->drive_p99_ns);
}

static bool add_races(cJSON* root, const series* s) {
    cJSON* array = cJSON_AddArrayToObject(root, "per_race");
    bool added = array != NULL;
    for (int32_t i = 0; i < s->count && added; i++) {
        cJSON* o = cJSON_CreateObject();
        added = o && cJSON_AddItemToArray(array, o) &&
                tool_json_number(o, "seed", (double)(s->prepared->wish->seed + i)) &&
                add_figures(o, &s->rows[i]) &&
                tool_json_number(o, "skill_correlation", s->rows[i].sum.skill_correlation);
    }
    return added;
}

static bool race_series_add_all(cJSON* root, const series* s) {
    const tool_race* p = s->prepared;
    race_series_total t = total_of(s);
    return cJSON_AddStringToObject(root, "track", p->track.name) &&
           cJSON_AddStringToObject(root, "direction", p->wish->reverse ? "reverse" : "forward") &&
           cJSON_AddStringToObject(root, "physics", tool_race_physics_name(p)) &&
           cJSON_AddStringToObject(root, "vehicle", p->wish->vehicle_names) &&
           tool_json_number(root, "cars", p->wish->cars) &&
           tool_json_number(root, "laps", p->laps) &&
           tool_json_number(root, "length_m", p->stage.path.length) &&
           tool_json_number(root, "profile_s", p->profiles[0]) &&
           tool_json_number(root, "races", s->count) &&
           tool_json_number(root, "races_without_contact", t.untouched) &&
           tool_json_number(root, "races_without_hard_contact", t.light) &&
           tool_json_number(root, "races_on_track", t.on_track) && add_figures(root, &t.all) &&
           tool_json_number(root, "skill_correlation_mean", t.correlation) &&
           tool_json_number(root, "skill_correlation_min", t.correlation_least) &&
           add_races(root, s);
}

static bool race_series_print_json(const series* s) {
    cJSON* root = tool_json_begin("race", s->prepared->wish->seed);
    return tool_json_end(root, race_series_add_all(root, s), stdout);
}

// --------------------------------------------------------------------------- the series

static tool_status race_series_report(const series* s, bool json) {
    bool finished = true;
    for (int32_t i = 0; i < s->count; i++) {
        if (!s->rows[i].done)
            return tool_complain("race: no memory");
        finished = finished && s->rows[i].sum.finished == s->prepared->wish->cars;
    }
    if (json && !race_series_print_json(s))
        return tool_complain("race: no memory for the report");
    if (!json && !s->prepared->wish->quiet)
        race_series_print_table(s);
    return finished ? TOOL_DONE : TOOL_FAILED;
}

tool_status tool_race_series_run(const tool_race_wish* wish, int32_t count, int32_t threads,
                                 bool json, const kerb_host* host) {
    tool_race* prepared = calloc(1, sizeof *prepared);
    series s = {.prepared = prepared, .host = host, .count = count};
    s.rows = calloc((size_t)count, sizeof *s.rows);
    tool_status status = prepared && s.rows ? TOOL_DONE : tool_complain("race: no memory");
    if (status == TOOL_DONE)
        status = tool_race_prepare(prepared, wish, host);
    if (status == TOOL_DONE) {
        s.progress = tool_progress_make("racing", (double)count, !wish->quiet);
        tool_parallel(count, threads, race_series_run_one, &s);
        tool_progress_end(&s.progress);
        status = race_series_report(&s, json);
    }
    if (prepared)
        tool_race_free(prepared, host);
    free(prepared);
    free(s.rows);
    return status;
}
