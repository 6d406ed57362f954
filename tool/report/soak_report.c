// The soak test as a table and as JSON. Numbers are rounded to a millionth, as in the other
// reports.
#include "tool/report/json_report.h"
#include "tool/run/soak.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <string.h>

// --------------------------------------------------------------------------- JSON

static double share(double part, double whole) {
    return whole > 0.0 ? part / whole : 0.0;
}

static bool add_count(cJSON* object, const soak_count* c) {
    return tool_json_number(object, "stuck_events", c->stuck_events) &&
           tool_json_number(object, "short_waits", c->short_waits) &&
           tool_json_number(object, "collisions", c->vehicle_contacts + c->solid_contacts) &&
           tool_json_number(object, "vehicle_contacts", c->vehicle_contacts) &&
           tool_json_number(object, "hard_contacts", c->hard_contacts) &&
           tool_json_number(object, "solid_contacts", c->solid_contacts) &&
           tool_json_number(object, "solid_contacts_inside", c->solid_contacts_inside) &&
           tool_json_number(object, "teleports", c->teleports) &&
           tool_json_number(object, "trips_done", c->trips) &&
           tool_json_number(object, "driving_s", c->driving_s) &&
           tool_json_number(object, "distance_m", c->distance) &&
           tool_json_number(object, "speed_mean_mps", share(c->distance, c->driving_s)) &&
           tool_json_number(object, "standing_percent",
                            100.0 * share(c->standing_s, c->driving_s)) &&
           tool_json_number(object, "standing_longest_s", c->standing_longest) &&
           tool_json_number(object, "yield_percent",
                            100.0 * share(c->long_waits_s, c->driving_s)) &&
           tool_json_number(object, "inside_corridor_percent",
                            100.0 * share(c->inside, c->progress));
}

static double mean_drive_ns(const tool_soak* soak, int32_t method) {
    double sum = 0.0;
    for (int32_t i = 0; i < TOOL_SOAK_TRIALS; i++)
        sum += soak->results[(ptrdiff_t)method * TOOL_SOAK_TRIALS + i].drive_ns;
    return sum / TOOL_SOAK_TRIALS;
}

static bool add_minutes(cJSON* object, const tool_soak* soak, int32_t method) {
    cJSON* minutes = cJSON_AddArrayToObject(object, "stuck_events_by_minute");
    int32_t count = (int32_t)ceil(soak->options->minutes);
    for (int32_t minute = 0; minutes && minute < count; minute++) {
        int32_t events = 0;
        for (int32_t i = 0; i < TOOL_SOAK_TRIALS; i++)
            events +=
                soak->results[(ptrdiff_t)method * TOOL_SOAK_TRIALS + i].stuck_by_minute[minute];
        cJSON_AddItemToArray(minutes, cJSON_CreateNumber(events));
    }
    return minutes != NULL;
}

static bool add_reasons(cJSON* object, const tool_soak* soak, int32_t method) {
    cJSON* reasons = cJSON_AddObjectToObject(object, "stuck_events_by_reason");
    for (int32_t reason = 0; reasons && reason < KERB_REASON_COUNT; reason++) {
        int32_t events = 0;
        for (int32_t i = 0; i < TOOL_SOAK_TRIALS; i++)
            events +=
                soak->results[(ptrdiff_t)method * TOOL_SOAK_TRIALS + i].stuck_by_reason[reason];
        if (events > 0 &&
            !cJSON_AddNumberToObject(reasons, kerb_reason_text((kerb_reason)reason), events))
            return false;
    }
    return reasons != NULL;
}

static bool add_types(cJSON* object, const tool_soak* soak, int32_t method) {
    cJSON* types = cJSON_AddObjectToObject(object, "per_vehicle");
    for (int32_t i = 0; types && i < soak->type_count; i++) {
        soak_count sum = tool_soak_sum(soak, method, i);
        cJSON* type = cJSON_AddObjectToObject(types, soak->types[i].name);
        if (!type || !add_count(type, &sum))
            return false;
    }
    return types != NULL;
}

static bool add_trials(cJSON* object, const tool_soak* soak, int32_t method) {
    cJSON* trials = cJSON_AddArrayToObject(object, "results");
    for (int32_t i = 0; trials && i < TOOL_SOAK_TRIALS; i++) {
        const soak_result* result = &soak->results[(ptrdiff_t)method * TOOL_SOAK_TRIALS + i];
        cJSON* trial = cJSON_CreateObject();
        cJSON_AddItemToArray(trials, trial);
        if (!trial || !tool_json_number(trial, "seed", (double)tool_soak_seed(soak, i)) ||
            !add_count(trial, &result->all))
            return false;
    }
    return trials != NULL;
}

static bool add_method(cJSON* object, const tool_soak* soak, int32_t method) {
    tool_soak_figure figure = tool_soak_driving_per_event(soak, method);
    soak_count sum = tool_soak_sum(soak, method, -1);
    return cJSON_AddStringToObject(object, "follower", tool_soak_method_name(soak, method)) &&
           tool_json_number(object, "driving_s_per_stuck_event", tool_soak_per_event(&sum)) &&
           tool_json_number(object, "driving_s_per_stuck_event_mean_of_trials", figure.mean) &&
           tool_json_number(object, "sigma_s", figure.sigma) && add_count(object, &sum) &&
           tool_json_number(object, "drive_ns", mean_drive_ns(soak, method)) &&
           add_minutes(object, soak, method) && add_reasons(object, soak, method) &&
           add_types(object, soak, method) && add_trials(object, soak, method);
}

static bool soak_report_add_all(cJSON* root, const tool_soak* soak) {
    const tool_soak_options* o = soak->options;
    bool added = cJSON_AddBoolToObject(root, "soak", true) &&
                 tool_json_number(root, "drive_hz", o->hz) &&
                 tool_json_number(root, "vehicles", (double)o->count) &&
                 tool_json_number(root, "minutes", o->minutes) &&
                 tool_json_number(root, "disobedient_percent", o->disobedient) &&
                 cJSON_AddBoolToObject(root, "no_intents", o->no_intents) &&
                 tool_json_number(root, "trials", TOOL_SOAK_TRIALS) && add_method(root, soak, 0);
    for (int32_t method = 1; added && method < soak->method_count; method++) {
        cJSON* beside = cJSON_AddObjectToObject(root, tool_soak_method_name(soak, method));
        added = beside && add_method(beside, soak, method);
    }
    return added;
}

bool tool_soak_report_json(const tool_soak* soak, FILE* out) {
    cJSON* root = tool_json_begin("follow", soak->options->outputs.seed);
    return tool_json_end(root, soak_report_add_all(root, soak), out);
}

// --------------------------------------------------------------------------- table

static void soak_report_print_head(FILE* out) {
    fprintf(out, "%-10s%12s  %7s  %6s  %15s  %15s  %5s  %6s  %5s\n", "", "driving per", "", "stuck",
            "vehicles touch", "solids touched", "back", "trips", "speed");
    fprintf(out, "%-10s%12s  %7s  %6s  %15s  %15s  %5s  %6s  %5s\n", "", "stuck event", "sigma",
            "events", "(hard)", "(in corridor)", "", "", "m/s");
}

static void print_count(const soak_count* c, FILE* out) {
    fprintf(out, "  %6d  %8d (%4d)  %8d (%4d)  %5d  %6d  %5.2f\n", (int)c->stuck_events,
            (int)c->vehicle_contacts, (int)c->hard_contacts, (int)c->solid_contacts,
            (int)c->solid_contacts_inside, (int)c->teleports, (int)c->trips,
            share(c->distance, c->driving_s));
}

static void print_method(const tool_soak* soak, int32_t method, FILE* out) {
    tool_soak_figure figure = tool_soak_driving_per_event(soak, method);
    soak_count sum = tool_soak_sum(soak, method, -1);
    fprintf(out, "%-10s%10.0f s  %5.0f s", tool_soak_method_name(soak, method),
            tool_soak_per_event(&sum), figure.sigma);
    print_count(&sum, out);
}

static void print_types(const tool_soak* soak, FILE* out) {
    fprintf(out, "\n%s by vehicle\n", tool_soak_method_name(soak, 0));
    for (int32_t i = 0; i < soak->type_count; i++) {
        soak_count sum = tool_soak_sum(soak, 0, i);
        fprintf(out, "%-10s%10.0f s  %7s", soak->types[i].name, tool_soak_per_event(&sum), "");
        print_count(&sum, out);
    }
}

void tool_soak_report_table(const tool_soak* soak, FILE* out) {
    const tool_soak_options* o = soak->options;
    fprintf(out, "%d vehicles in the town, %d trials of %g min\n\n", (int)o->count,
            TOOL_SOAK_TRIALS, o->minutes);
    if (o->no_intents)
        fprintf(out, "no driver is told what the others mean to do\n\n");
    if (o->disobedient > 0.0)
        fprintf(out, "%g %% of the drivers yield to nobody\n\n", o->disobedient);
    soak_report_print_head(out);
    for (int32_t method = 0; method < soak->method_count; method++)
        print_method(soak, method, out);
    print_types(soak, out);
}
