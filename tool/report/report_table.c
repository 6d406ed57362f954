// Column widths follow the content. Bad results are visible by their words: an unfinished trial
// says "no".
#include "tool/report/report.h"

#include <string.h>

typedef struct report_table_widths {
    int course, vehicle, follower;
} report_table_widths;

static int wider(int width, const char* text) {
    int length = (int)strlen(text);
    return length > width ? length : width;
}

static report_table_widths report_table_measure(const tool_report* report) {
    report_table_widths w = {(int)strlen("course"), (int)strlen("vehicle"),
                             (int)strlen("follower")};
    for (int32_t i = 0; i < report->count; i++) {
        w.course = wider(w.course, report->recordings[i].course->name);
        w.vehicle = wider(w.vehicle, report->recordings[i].vehicle_name);
        w.follower = wider(w.follower, report->recordings[i].follower_name);
    }
    return w;
}

static void print_names(report_table_widths w, const char* course, const char* vehicle,
                        const char* follower, FILE* out) {
    fprintf(out, "%-*s  %-*s  %-*s", w.course, course, w.vehicle, vehicle, w.follower, follower);
}

static void report_table_print_head(report_table_widths w, FILE* out) {
    print_names(w, "course", "vehicle", "follower", out);
    fprintf(
        out,
        "  finished  stuck  touches  error mean  error max  inside    time  speed  ratio  drive\n");
    print_names(w, "", "", "", out);
    fprintf(out, "            events                    m          m       %%       s    m/s       "
                 "     ns\n");
}

static void print_figures(const tool_summary* s, FILE* out) {
    char finished[32];
    if (s->trials == 1)
        snprintf(finished, sizeof finished, "%s", s->finished ? "yes" : "no");
    else
        snprintf(finished, sizeof finished, "%d/%d", (int)s->finished, (int)s->trials);
    fprintf(out, "  %8s  %5d  %7d  %10.3f  %9.3f  %6.1f  %6.1f  %5.2f  %5.3f  %5.0f\n", finished,
            (int)s->stuck_events, (int)s->contacts, s->cte_mean, s->cte_max, s->inside_percent,
            s->time_mean, s->speed_mean, s->speed_ratio, s->drive_ns);
}

static void print_rule(report_table_widths w, FILE* out) {
    int length = w.course + w.vehicle + w.follower + 4 + 85;
    for (int i = 0; i < length; i++)
        fputc('-', out);
    fputc('\n', out);
}

static bool seen_before(const tool_report* report, int32_t index) {
    for (int32_t i = 0; i < index; i++) {
        if (strcmp(report->recordings[i].follower_name, report->recordings[index].follower_name) ==
            0)
            return true;
    }
    return false;
}

static void print_sums(const tool_report* report, report_table_widths w, FILE* out) {
    for (int32_t i = 0; i < report->count; i++) {
        if (seen_before(report, i))
            continue;
        const char* follower = report->recordings[i].follower_name;
        tool_selection selection = {.follower = follower};
        tool_summary sum = tool_summarise(report->recordings, report->count, &selection);
        if (sum.trials == 1)
            return; // every follower drove once: the rows above say it all
        print_names(w, "all", "", follower, out);
        print_figures(&sum, out);
    }
}

void tool_report_table(const tool_report* report, FILE* out) {
    report_table_widths w = report_table_measure(report);
    report_table_print_head(w, out);
    print_rule(w, out);
    tool_selection any = {0};
    for (int32_t i = 0; i < report->count; i++) {
        const tool_recording* r = &report->recordings[i];
        tool_summary one = tool_summarise(r, 1, &any);
        print_names(w, r->course->name, r->vehicle_name, r->follower_name, out);
        print_figures(&one, out);
    }
    tool_selection first = {.follower = report->recordings[0].follower_name};
    if (tool_summarise(report->recordings, report->count, &first).trials > 1) {
        print_rule(w, out);
        print_sums(report, w, out);
    }
}
