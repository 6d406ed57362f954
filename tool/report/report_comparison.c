// EA's Table I, for the trials that were driven. EA's own figures come from another game, other
// vehicles and other paths, so only their order and their ratios can be compared. They are printed
// beside ours when as many trials were driven as EA did.
#include "tool/report/report.h"

#include <string.h>

#define LABEL_WIDTH 26
#define COLUMN_WIDTH 10

// --------------------------------------------------------------------------- EA's figures

#define EA_TRIALS 60
#define EA_VEHICLES 6

typedef struct ea_column {
    const char* name;
    double stuck_trials, stuck_events, cte_mean, time_mean, inside_percent, speed_mean;
    int32_t by_vehicle[EA_VEHICLES];
} ea_column;

// Table I of "Efficient Ground Vehicle Path Following in Game AI".
static const ea_column ea_columns[] = {
    {"baseline", 33, 56, 1.46, 59.6, 91, 4.55, {3, 9, 8, 5, 11, 20}},
    {"fixed", 15, 17, 1.48, 40.9, 91, 5.82, {1, 2, 4, 3, 5, 2}},
    {"tuned", 8, 11, 1.32, 36.1, 93, 6.84, {1, 0, 2, 2, 5, 1}},
};

// Their vehicles, and ours that are after them.
static const char* const ea_vehicles[EA_VEHICLES] = {"Storm", "Bolte",  "Panhard Crab",
                                                     "Zaha",  "Armata", "Hovercraft"};
static const char* const our_vehicles[EA_VEHICLES] = {"buggy",   "pickup", "scout",
                                                      "carrier", "tank",   "hovercraft"};

// --------------------------------------------------------------------------- columns

#define COLUMNS_MOST 3

static const char* const followers[COLUMNS_MOST] = {"baseline", "paper", "kerb"};

typedef struct report_comparison_columns {
    const tool_report* report;
    const char* name[COLUMNS_MOST];
    tool_summary sum[COLUMNS_MOST];
    int32_t count;
    bool beside_ea; // as many trials as EA's, with the built-in vehicles
} report_comparison_columns;

static bool has_vehicle(const tool_report* report, const char* name) {
    tool_selection selection = {.vehicle = name};
    return tool_summarise(report->recordings, report->count, &selection).trials > 0;
}

static report_comparison_columns make_columns(const tool_report* report) {
    report_comparison_columns c = {.report = report, .beside_ea = true};
    for (int32_t i = 0; i < COLUMNS_MOST; i++) {
        tool_selection selection = {.follower = followers[i]};
        tool_summary sum = tool_summarise(report->recordings, report->count, &selection);
        if (sum.trials == 0)
            continue;
        c.name[c.count] = followers[i];
        c.sum[c.count++] = sum;
        c.beside_ea = c.beside_ea && sum.trials == EA_TRIALS;
    }
    for (int32_t i = 0; i < EA_VEHICLES; i++)
        c.beside_ea = c.beside_ea && has_vehicle(report, our_vehicles[i]);
    return c;
}

static void report_comparison_print_head(const report_comparison_columns* c, FILE* out) {
    fprintf(out, "\n%-*s", LABEL_WIDTH, "");
    for (int32_t i = 0; i < c->count; i++)
        fprintf(out, "%*s", COLUMN_WIDTH, c->name[i]);
    for (int32_t i = 0; i < 3 && c->beside_ea; i++)
        fprintf(out, "%s%*s", i == 0 ? "  | EA:" : "", COLUMN_WIDTH, ea_columns[i].name);
    fputc('\n', out);
}

// --------------------------------------------------------------------------- rows

typedef struct report_comparison_row {
    const char* label;
    double (*ours)(const tool_summary* sum);
    double (*theirs)(const ea_column* column); // NULL: EA does not say
    int decimals;
} report_comparison_row;

static double stuck_trials(const tool_summary* s) {
    return s->stuck_trials;
}
static double stuck_events(const tool_summary* s) {
    return s->stuck_events;
}
static double error_mean(const tool_summary* s) {
    return s->cte_mean;
}
static double time_mean(const tool_summary* s) {
    return s->time_mean;
}
static double inside_mean(const tool_summary* s) {
    return s->inside_percent;
}
static double speed_mean(const tool_summary* s) {
    return s->speed_mean;
}
static double speed_ratio(const tool_summary* s) {
    return s->speed_ratio;
}
static double unfinished(const tool_summary* s) {
    return s->trials - s->finished;
}
static double touches(const tool_summary* s) {
    return s->contacts;
}

static double ea_stuck_trials(const ea_column* c) {
    return c->stuck_trials;
}
static double ea_stuck_events(const ea_column* c) {
    return c->stuck_events;
}
static double ea_error_mean(const ea_column* c) {
    return c->cte_mean;
}
static double ea_time_mean(const ea_column* c) {
    return c->time_mean;
}
static double ea_inside_mean(const ea_column* c) {
    return c->inside_percent;
}
static double ea_speed_mean(const ea_column* c) {
    return c->speed_mean;
}

static const report_comparison_row report_comparison_rows[] = {
    {"stuck trials", stuck_trials, ea_stuck_trials, 0},
    {"stuck events", stuck_events, ea_stuck_events, 0},
    {"cross-track error mean, m", error_mean, ea_error_mean, 2},
    {"total time mean, s", time_mean, ea_time_mean, 1},
    {"inside corridor mean, %", inside_mean, ea_inside_mean, 1},
    {"speed mean, m/s", speed_mean, ea_speed_mean, 2},
    {"speed ratio mean", speed_ratio, NULL, 3},
    {"trials not finished", unfinished, NULL, 0},
    {"touches of solids", touches, NULL, 0},
};

static void report_comparison_print_row(const report_comparison_columns* c,
                                        const report_comparison_row* r, FILE* out) {
    fprintf(out, "%-*s", LABEL_WIDTH, r->label);
    for (int32_t i = 0; i < c->count; i++)
        fprintf(out, "%*.*f", COLUMN_WIDTH, r->decimals, r->ours(&c->sum[i]));
    for (int32_t i = 0; i < 3 && c->beside_ea && r->theirs; i++)
        fprintf(out, "%s%*.*f", i == 0 ? "  |    " : "", COLUMN_WIDTH, r->decimals,
                r->theirs(&ea_columns[i]));
    fputc('\n', out);
}

static int32_t ea_index(const char* vehicle) {
    for (int32_t i = 0; i < EA_VEHICLES; i++) {
        if (strcmp(our_vehicles[i], vehicle) == 0)
            return i;
    }
    return -1;
}

static void print_vehicle(const report_comparison_columns* c, const char* vehicle, FILE* out) {
    fprintf(out, "  %-*s", LABEL_WIDTH - 2, vehicle);
    for (int32_t i = 0; i < c->count; i++) {
        tool_selection selection = {.vehicle = vehicle, .follower = c->name[i]};
        tool_summary sum = tool_summarise(c->report->recordings, c->report->count, &selection);
        fprintf(out, "%*d", COLUMN_WIDTH, (int)sum.stuck_events);
    }
    int32_t theirs = ea_index(vehicle);
    for (int32_t i = 0; i < 3 && c->beside_ea && theirs >= 0; i++)
        fprintf(out, "%s%*d", i == 0 ? "  |    " : "", COLUMN_WIDTH,
                (int)ea_columns[i].by_vehicle[theirs]);
    if (c->beside_ea && theirs >= 0)
        fprintf(out, "  %s", ea_vehicles[theirs]);
    fputc('\n', out);
}

static bool is_first_of_vehicle(const tool_report* report, int32_t index) {
    for (int32_t i = 0; i < index; i++) {
        if (strcmp(report->recordings[i].vehicle_name, report->recordings[index].vehicle_name) == 0)
            return false;
    }
    return true;
}

void tool_report_comparison(const tool_report* report, FILE* out) {
    report_comparison_columns c = make_columns(report);
    report_comparison_print_head(&c, out);
    for (size_t i = 0; i < sizeof report_comparison_rows / sizeof report_comparison_rows[0]; i++)
        report_comparison_print_row(&c, &report_comparison_rows[i], out);
    fprintf(out, "stuck events by vehicle\n");
    for (int32_t i = 0; i < report->count; i++) {
        if (is_first_of_vehicle(report, i))
            print_vehicle(&c, report->recordings[i].vehicle_name, out);
    }
}
