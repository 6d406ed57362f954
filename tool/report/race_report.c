// A race as a table, JSON and CSV. Drivers are numbered from 1.
#include "tool/run/race.h"

#include "io/number.h"
#include "tool/command/file.h"
#include "tool/report/json_report.h"

#include <cjson/cJSON.h>
#include <math.h>

// --------------------------------------------------------------------------- sums

// Rank from 1 of a car's skill, the best first; of equal ones the mean.
static double race_report_rank_of(const kerb_scene_race* race, int32_t car) {
    double rank = 1.0;
    for (int32_t i = 0; i < race->count; i++) {
        if (i == car)
            continue;
        rank += race->cars[i].skill > race->cars[car].skill    ? 1.0
                : race->cars[i].skill == race->cars[car].skill ? 0.5
                                                               : 0.0;
    }
    return rank;
}

// Pearson's correlation of the ranks, which holds with equal ranks too.
static double correlation_of(const kerb_scene_race* race) {
    double mean = 0.5 * (double)(race->count + 1), xy = 0.0, xx = 0.0, yy = 0.0;
    for (int32_t i = 0; i < race->count; i++) {
        double x = race_report_rank_of(race, i) - mean, y = (double)race->cars[i].place - mean;
        xy += x * y;
        xx += x * x;
        yy += y * y;
    }
    return xx > 0.0 && yy > 0.0 ? xy / sqrt(xx * yy) : (double)NAN;
}

tool_race_sum tool_race_sum_up(const tool_race* race) {
    tool_race_sum sum = {.skill_correlation = correlation_of(&race->race)};
    for (int32_t place = 1; place <= race->race.count; place++) {
        kerb_scene_race_result r = kerb_scene_race_result_at(&race->race, place);
        sum.finished += r.finished ? 1 : 0;
        sum.solid_contacts += r.solid_contacts;
        sum.spins += r.spins;
        sum.put_back += r.put_back;
        sum.off_track_time += r.off_track_time;
        if (r.best_lap == 0.0)
            continue;
        double ratio = r.best_lap / race->profiles[r.driver];
        sum.best_lap = fmin(r.best_lap, sum.best_lap > 0.0 ? sum.best_lap : r.best_lap);
        sum.best_over_profile =
            fmin(ratio, sum.best_over_profile > 0.0 ? sum.best_over_profile : ratio);
    }
    sum.damage = (double)race->race.contacts->damage;
    return sum;
}

// --------------------------------------------------------------------------- the table

static void race_report_print_head(const tool_race* r) {
    const tool_race_wish* w = r->wish;
    printf("%s%s, %.0f m: %d %s, %d %s of %s, seed %lld%s%s\n\n", r->track.name,
           w->reverse ? ", reverse direction" : "", r->stage.path.length, (int)r->laps,
           r->laps == 1 ? "lap" : "laps", (int)w->cars, w->cars == 1 ? "car" : "cars",
           w->vehicle_names, (long long)w->seed, w->physics ? ", in " : "",
           w->physics ? w->physics->name : "");
    printf("%5s%8s%7s%6s%6s%11s%9s%12s%10s%8s%10s%8s%6s\n", "place", "driver", "skill", "from",
           "laps", "best s", "profile", "total s", "gap s", "off s", "contacts", "damage", "back");
}

static void print_gap(const kerb_scene_race* race, const kerb_scene_race_result* r) {
    int32_t behind = kerb_scene_race_result_at(race, 1).laps - r->laps;
    if (!r->finished)
        printf("%10s", "–  ");
    else if (behind > 0)
        printf("%4d lap%-2s", (int)behind, behind > 1 ? "s" : "");
    else
        printf("%10.3f", r->gap);
}

static void race_report_print_row(const tool_race* race, int32_t place) {
    kerb_scene_race_result r = kerb_scene_race_result_at(&race->race, place);
    double profile = race->profiles[r.driver];
    printf("%5d%8d%7.2f%6d%6d", (int)place, (int)r.driver + 1, (double)r.skill, (int)r.start_place,
           (int)r.laps);
    if (r.best_lap > 0.0)
        printf("%11.3f%+8.1f%%", r.best_lap, 100.0 * (r.best_lap / profile - 1.0));
    else
        printf("%11s%9s", "-", "-");
    if (r.finished)
        printf("%12.3f", r.total);
    else
        printf("%12s", "unfinished");
    print_gap(&race->race, &r);
    printf("%8.1f%7d/%-2d%8.1f%6d\n", r.off_track_time, (int)r.contacts, (int)r.hard_contacts,
           (double)r.damage, (int)r.put_back);
}

void tool_race_print(const tool_race* r) {
    const kerb_scene_race* race = &r->race;
    tool_race_sum sum = tool_race_sum_up(r);
    race_report_print_head(r);
    for (int32_t place = 1; place <= race->count; place++)
        race_report_print_row(r, place);
    printf("\n%-20s %.3f s, by the limits measured on the car\n", "profile", r->profiles[0]);
    printf("%-20s %d, %d of them hard\n", "contacts", (int)race->contacts->contacts,
           (int)race->contacts->hard_contacts);
    printf("%-20s %d, %d of them clean; lapped %d, %d of them clean\n", "overtakes",
           (int)race->overtakes, (int)race->overtakes_clean, (int)race->lappings,
           (int)race->lappings_clean);
    if (isfinite(sum.skill_correlation))
        printf("%-20s %.3f (rank correlation)\n", "places by skill", sum.skill_correlation);
    printf("%-20s %.0f ns per call, 99 %% below %.0f ns\n", "driving",
           kerb_scene_race_drive_ns(race), kerb_scene_race_drive_ns_below(race, 0.99));
    printf("%-20s %.1f s in %.2f s: %.0f times real time\n", "raced", race->time, r->wall_s,
           race->time / fmax(r->wall_s, 1e-9));
}

// --------------------------------------------------------------------------- JSON

const char* tool_race_physics_name(const tool_race* race) {
    return race->wish->physics != NULL ? race->wish->physics->name : "sim";
}

// Times of laps of which there is none are null.
static bool race_report_add_lap(cJSON* object, const char* key, double value) {
    return tool_json_number(object, key, value > 0.0 ? value : (double)NAN);
}

static bool add_lap_times(cJSON* object, const kerb_scene_race* race,
                          const kerb_scene_race_result* r) {
    cJSON* array = cJSON_AddArrayToObject(object, "lap_times_s");
    bool added = array != NULL;
    for (int32_t lap = 0; lap < r->laps && added; lap++) {
        double time = kerb_scene_race_lap_time(race, r->driver, lap);
        cJSON* item = cJSON_CreateNumber(round(time * 1e6) / 1e6);
        added = item && cJSON_AddItemToArray(array, item);
    }
    return added;
}

static bool race_report_add_result(cJSON* array, const tool_race* race, int32_t place) {
    cJSON* o = cJSON_CreateObject();
    if (!o || !cJSON_AddItemToArray(array, o))
        return false;
    kerb_scene_race_result r = kerb_scene_race_result_at(&race->race, place);
    const kerb_sim_model* model = &race->wish->models[race->race.cars[r.driver].model];
    return tool_json_number(o, "driver", r.driver + 1) &&
           tool_json_number(o, "skill", (double)r.skill) && tool_json_number(o, "place", place) &&
           tool_json_number(o, "start_place", r.start_place) &&
           tool_json_number(o, "laps", r.laps) &&
           race_report_add_lap(o, "best_lap_s", r.best_lap) &&
           tool_json_number(o, "total_s", r.total) &&
           tool_json_number(o, "damage", (double)r.damage) &&
           tool_json_number(o, "off_track_s", r.off_track_time) &&
           cJSON_AddBoolToObject(o, "left_road", r.outside_most > 0.0f) &&
           tool_json_number(o, "left_road_m", fmax((double)r.outside_most, 0.0)) &&
           cJSON_AddStringToObject(o, "vehicle", model->name) &&
           cJSON_AddBoolToObject(o, "finished", r.finished) &&
           tool_json_number(o, "gap_s", r.gap) &&
           race_report_add_lap(o, "best_over_profile", r.best_lap / race->profiles[r.driver]) &&
           tool_json_number(o, "contacts", r.contacts) &&
           tool_json_number(o, "contacts_hard", r.hard_contacts) &&
           tool_json_number(o, "contacts_solid", r.solid_contacts) &&
           tool_json_number(o, "spins", r.spins) && tool_json_number(o, "put_back", r.put_back) &&
           tool_json_number(o, "overtakes", r.overtakes) &&
           tool_json_number(o, "overtaken", r.overtaken) && add_lap_times(o, &race->race, &r);
}

static bool race_report_add_results(cJSON* root, const tool_race* race) {
    cJSON* array = cJSON_AddArrayToObject(root, "results");
    bool added = array != NULL;
    for (int32_t place = 1; place <= race->race.count && added; place++)
        added = race_report_add_result(array, race, place);
    return added;
}

static bool race_report_add_wish(cJSON* root, const tool_race* r) {
    const tool_race_wish* w = r->wish;
    return cJSON_AddStringToObject(root, "track", r->track.name) &&
           cJSON_AddStringToObject(root, "direction", w->reverse ? "reverse" : "forward") &&
           cJSON_AddStringToObject(root, "physics", tool_race_physics_name(r)) &&
           cJSON_AddStringToObject(root, "vehicle", w->vehicle_names) &&
           tool_json_number(root, "cars", w->cars) && tool_json_number(root, "laps", r->laps) &&
           tool_json_number(root, "length_m", r->stage.path.length) &&
           tool_json_number(root, "profile_s", r->profiles[0]);
}

static bool add_race(cJSON* root, const tool_race* r) {
    const kerb_scene_race* race = &r->race;
    tool_race_sum sum = tool_race_sum_up(r);
    return tool_json_number(root, "finished", sum.finished) &&
           race_report_add_lap(root, "best_lap_s", sum.best_lap) &&
           race_report_add_lap(root, "best_over_profile", sum.best_over_profile) &&
           tool_json_number(root, "race_s", race->time) &&
           tool_json_number(root, "contacts", race->contacts->contacts) &&
           tool_json_number(root, "contacts_hard", race->contacts->hard_contacts) &&
           tool_json_number(root, "contacts_solid", sum.solid_contacts) &&
           tool_json_number(root, "damage", sum.damage) &&
           tool_json_number(root, "off_track_s", sum.off_track_time) &&
           tool_json_number(root, "spins", sum.spins) &&
           tool_json_number(root, "put_back", sum.put_back) &&
           tool_json_number(root, "overtakes", race->overtakes) &&
           tool_json_number(root, "overtakes_clean", race->overtakes_clean) &&
           tool_json_number(root, "lappings", race->lappings) &&
           tool_json_number(root, "lappings_clean", race->lappings_clean) &&
           tool_json_number(root, "skill_correlation", sum.skill_correlation) &&
           tool_json_number(root, "drive_ns", kerb_scene_race_drive_ns(race)) &&
           tool_json_number(root, "drive_p99_ns", kerb_scene_race_drive_ns_below(race, 0.99)) &&
           tool_json_number(root, "race_ms", 1e3 * r->wall_s);
}

bool tool_race_print_json(const tool_race* race) {
    cJSON* root = tool_json_begin("race", race->wish->seed);
    return tool_json_end(root,
                         race_report_add_wish(root, race) && add_race(root, race) &&
                             race_report_add_results(root, race),
                         stdout);
}

// --------------------------------------------------------------------------- CSV

static void race_report_put(FILE* out, const char* before, double value, int32_t decimals) {
    char text[KERB_IO_NUMBER_TEXT_MAX];
    kerb_io_number_write_fixed(text, value, decimals);
    fprintf(out, "%s%s", before, text);
}

// Of kerb_racer_phase.
static const char* const phases[] = {"drives", "spins", "turns", "backs out"};

static void put_sample(FILE* out, double time, int32_t car, const tool_race_sample* s) {
    race_report_put(out, "", time, 3);
    fprintf(out, ",%d", (int)car + 1);
    race_report_put(out, ",", (double)s->progress, 2);
    race_report_put(out, ",", (double)s->x, 3);
    race_report_put(out, ",", (double)s->y, 3);
    race_report_put(out, ",", (double)s->heading, 4);
    race_report_put(out, ",", (double)s->speed, 3);
    race_report_put(out, ",", (double)s->target_speed, 3);
    race_report_put(out, ",", (double)s->steering, 4);
    race_report_put(out, ",", (double)s->throttle, 3);
    race_report_put(out, ",", (double)s->brake, 3);
    fprintf(out, ",%d", (int)s->gear);
    race_report_put(out, ",", (double)s->lane, 3);
    race_report_put(out, ",", (double)s->error, 3);
    fprintf(out, ",%d,%s,", s->outside ? 1 : 0, kerb_reason_text((kerb_reason)s->reason));
    if (s->decider >= 0)
        fprintf(out, "%d", (int)s->decider + 1);
    fprintf(out, ",%s,%d,%d\n", phases[s->phase], s->touching ? 1 : 0, (int)s->told);
}

static bool race_report_print_rows(FILE* out, const void* context) {
    const tool_race* r = context;
    fputs("t_s,driver,progress_m,x_m,y_m,heading_rad,speed_mps,target_speed_mps,steering,throttle,"
          "brake,gear,lane,error_m,outside,reason,minded,phase,touching,told\n",
          out);
    for (int32_t i = 0; i < r->sample_count; i++)
        for (int32_t car = 0; car < r->race.count; car++) {
            const tool_race_sample* sample = tool_race_sample_at(r, i, car);
            if (!sample->absent)
                put_sample(out, (double)i * tool_race_sample_step(r), car, sample);
        }
    return !ferror(out);
}

tool_status tool_race_write_csv(const char* path, const tool_race* race) {
    return tool_file_print(path, race_report_print_rows, race);
}
