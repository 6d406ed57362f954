// A racing line as a table, JSON and CSV.
#include "tool/run/racing_line.h"

#include "tool/command/file.h"
#include "tool/report/json_report.h"

#include <cjson/cJSON.h>
#include <math.h>

typedef struct racing_line_report_speeds {
    double least, most, mean; // [m/s]
} racing_line_report_speeds;

static racing_line_report_speeds speeds_of(const kerb_racing_line* line) {
    racing_line_report_speeds s = {1e9, 0.0, line->time > 0.0 ? line->length / line->time : 0.0};
    for (int32_t i = 0; i < line->count; i++) {
        s.least = fmin(s.least, (double)line->points[i].speed);
        s.most = fmax(s.most, (double)line->points[i].speed);
    }
    return s;
}

// --------------------------------------------------------------------------- the table

static void racing_line_report_print_head(const tool_racing_line* f) {
    const tool_racing_line_wish* w = f->wish;
    const kerb_performance* p = &w->performance;
    printf("method %s, side %s; ", tool_racing_line_method(w->method),
           tool_racing_line_side(w->side));
    if (w->vehicle_name)
        printf("%s: ", w->vehicle_name);
    printf("%.1f m/s² lateral, %.1f driving, %.1f braking, %.1f m/s at most\n\n",
           (double)p->lateral, (double)p->accelerating, (double)p->braking, (double)p->speed_max);
}

static void racing_line_report_print_one(const tool_racing_line* f) {
    racing_line_report_speeds s = speeds_of(&f->line);
    const char* lap = f->line.closed ? "lap time" : "time";
    printf("%-20s %.3f s (along the centre line %.3f s)\n", lap, f->line.time, f->centre.time);
    printf("%-20s %.1f m (centre line %.1f m), %d points\n", "length", f->line.length,
           f->centre.length, (int)f->line.count);
    printf("%-20s %.1f to %.1f m/s, mean %.1f m/s\n", "speed", s.least, s.most, s.mean);
    printf("%-20s %.2f m from the edges; the line enters it by %.3f m\n", "margin",
           (double)f->settings.margin, f->line.violation);
    printf("%-20s %.1f ms\n", "found in", f->compute_ms);
}

static void racing_line_report_print_row(const tool_racing_line* f) {
    printf("%-20s%10.1f%14.3f%12.3f%12.1f%14.3f%10.1f\n", f->track.name, f->path.length,
           f->centre.time, f->line.time, f->line.length, f->line.violation, f->compute_ms);
}

void tool_racing_line_print(const tool_racing_line* found, int32_t count) {
    if (count == 1)
        printf("%s: ", found->track.name);
    racing_line_report_print_head(found);
    if (count == 1) {
        racing_line_report_print_one(found);
        return;
    }
    printf("%-20s%10s%14s%12s%12s%14s%10s\n", "track", "m", "centre line s", "line s", "line m",
           "into margin m", "ms");
    for (int32_t i = 0; i < count; i++)
        racing_line_report_print_row(&found[i]);
}

// --------------------------------------------------------------------------- JSON

static bool racing_line_report_add_wish(cJSON* object, const tool_racing_line* f) {
    const tool_racing_line_wish* w = f->wish;
    const kerb_performance* p = &w->performance;
    const char* vehicle = w->vehicle_name ? w->vehicle_name : "point mass";
    return cJSON_AddStringToObject(object, "track", f->track.name) &&
           cJSON_AddStringToObject(object, "method", tool_racing_line_method(w->method)) &&
           cJSON_AddStringToObject(object, "side", tool_racing_line_side(w->side)) &&
           cJSON_AddStringToObject(object, "vehicle", vehicle) &&
           tool_json_number(object, "lateral_mps2", (double)p->lateral) &&
           tool_json_number(object, "accel_mps2", (double)p->accelerating) &&
           tool_json_number(object, "brake_mps2", (double)p->braking) &&
           tool_json_number(object, "top_mps", (double)p->speed_max) &&
           tool_json_number(object, "margin_m", (double)f->settings.margin) &&
           tool_json_number(object, "node_spacing_m", (double)f->settings.node_spacing) &&
           cJSON_AddBoolToObject(object, "reverse", w->reverse);
}

static bool add_line(cJSON* object, const tool_racing_line* f) {
    racing_line_report_speeds s = speeds_of(&f->line);
    return cJSON_AddBoolToObject(object, "closed", f->line.closed) &&
           tool_json_number(object, "lap_time_s", f->line.time) &&
           tool_json_number(object, "centre_lap_time_s", f->centre.time) &&
           tool_json_number(object, "length_m", f->line.length) &&
           tool_json_number(object, "track_length_m", f->path.length) &&
           tool_json_number(object, "speed_min_mps", s.least) &&
           tool_json_number(object, "speed_max_mps", s.most) &&
           tool_json_number(object, "speed_mean_mps", s.mean) &&
           tool_json_number(object, "compute_ms", f->compute_ms) &&
           tool_json_number(object, "points", f->line.count) &&
           cJSON_AddBoolToObject(object, "inside", tool_racing_line_is_inside(f)) &&
           cJSON_AddBoolToObject(object, "left_road",
                                 f->line.violation >
                                     (double)f->settings.margin + TOOL_RACING_LINE_SLACK) &&
           tool_json_number(object, "violation_m", f->line.violation);
}

static bool racing_line_report_add_results(cJSON* root, const tool_racing_line* found,
                                           int32_t count) {
    if (count == 1)
        return racing_line_report_add_wish(root, found) && add_line(root, found);
    cJSON* results = cJSON_AddArrayToObject(root, "results");
    bool added = results != NULL;
    for (int32_t i = 0; i < count && added; i++) {
        cJSON* object = cJSON_CreateObject();
        added = object && cJSON_AddItemToArray(results, object) &&
                racing_line_report_add_wish(object, &found[i]) && add_line(object, &found[i]);
    }
    return added;
}

bool tool_racing_line_print_json(const tool_racing_line* found, int32_t count, int64_t seed) {
    cJSON* root = tool_json_begin("line", seed);
    return tool_json_end(root, racing_line_report_add_results(root, found, count), stdout);
}

// --------------------------------------------------------------------------- CSV

typedef struct lines {
    const tool_racing_line* found;
    int32_t count;
} lines;

// A name that would not be one plain cell stands in quotes.
static void print_name(FILE* out, const char* name) {
    fputc('"', out);
    for (; *name != '\0'; name++) {
        if (*name == '"')
            fputc('"', out);
        fputc(*name, out);
    }
    fputs("\",", out);
}

// A micrometre: curvature from three places a metre apart stays good to 4e-6 1/m.
static void print_point(FILE* out, const kerb_line_point* p) {
    fprintf(out, "%.4f,%.6f,%.6f,%.6f,%.6f,%.8f,%.4f,%.5f\n", p->distance, p->x, p->y, p->z,
            (double)p->heading, (double)p->curvature, (double)p->speed, (double)p->lane_shift);
}

static bool print_lines(FILE* out, const void* context) {
    const lines* l = context;
    fprintf(out, "%ss_m,x_m,y_m,z_m,heading_rad,curvature_1pm,speed_mps,lane_shift\n",
            l->count > 1 ? "track," : "");
    for (int32_t i = 0; i < l->count; i++) {
        for (int32_t k = 0; k < l->found[i].line.count; k++) {
            if (l->count > 1)
                print_name(out, l->found[i].track.name);
            print_point(out, &l->found[i].line.points[k]);
        }
    }
    return !ferror(out);
}

tool_status tool_racing_line_write_csv(const char* path, const tool_racing_line* found,
                                       int32_t count) {
    const lines l = {found, count};
    return tool_file_print(path, print_lines, &l);
}
