// The data of the page. A movement is a trial of its own course, driven from time 0; the search for
// it comes before, at times below 0. Arcs of trees are rows of seven float32, intermediate
// movements are rows of place and speed, blocked cells are rectangles as large as possible.
#include "tool/page/plan_page.h"

#include "tool/command/file.h"
#include "tool/page/page_writer.h"
#include "tool/page/plan_film.h"

#include <math.h>

#define PLAN_PAGE_STEP 0.05 // between samples of the movement [s]
#define STRIDE 3            // the same in ticks …
#define RATE 60             // … of which a second has so many
#define ANSWER_STEP 0.1
#define AROUND 0.3 // of the cells beyond the movements, as a share of their extent

static void put_float(tool_base64* stream, double value) {
    tool_base64_float(stream, (float)value);
}

static void begin_column(FILE* out, const char* name, tool_base64* stream) {
    fprintf(out, ",\"%s\":\"", name);
    *stream = (tool_base64){out, 0, 0};
}

static void end_column(tool_base64* stream) {
    tool_base64_end(stream);
    fputc('"', stream->out);
}

// --------------------------------------------------------------------------- obstacles

typedef struct plan_page_extent {
    double west, east, south, north;
} plan_page_extent;

static void plan_page_include(plan_page_extent* e, kerb_vec2 p) {
    e->west = fmin(e->west, (double)p.x);
    e->east = fmax(e->east, (double)p.x);
    e->south = fmin(e->south, (double)p.y);
    e->north = fmax(e->north, (double)p.y);
}

static plan_page_extent plan_page_extent_of(const tool_plan_found* f, const tool_plan_film* film) {
    plan_page_extent e = {1e30, -1e30, 1e30, -1e30};
    plan_page_include(&e, f->task.from.pose.position);
    plan_page_include(&e, f->task.to.pose.position);
    for (int32_t i = 0; i < film->arc_count; i++)
        plan_page_include(&e, film->arcs[i].from.position);
    for (int32_t i = 0; i < f->plan.count; i++)
        plan_page_include(&e, f->plan.pieces[i].start.position);
    double room = 20.0 + AROUND * fmax(e.east - e.west, e.north - e.south);
    return (plan_page_extent){e.west - room, e.east + room, e.south - room, e.north + room};
}

// Cells from `west` to `east`, rows from `south` to `north`, the last ones not in it.
typedef struct patch {
    int32_t west, east, south, north;
} patch;

static int32_t plan_page_held(double x, int32_t most) {
    return x <= 0.0 ? 0 : x >= (double)most ? most : (int32_t)x;
}

static patch patch_of(const kerb_plan_world* w, plan_page_extent e) {
    double size = (double)w->cell_size, x = (double)w->origin.x, y = (double)w->origin.y;
    return (patch){plan_page_held(floor((e.west - x) / size), w->columns),
                   plan_page_held(ceil((e.east - x) / size), w->columns),
                   plan_page_held(floor((e.south - y) / size), w->rows),
                   plan_page_held(ceil((e.north - y) / size), w->rows)};
}

// The part of the frame of a turned map that a part of the world may lie in.
static plan_page_extent plan_page_extent_in(const kerb_io_map_info* frame, plan_page_extent e) {
    plan_page_extent all = {1e30, -1e30, 1e30, -1e30};
    for (int32_t i = 0; i < 4; i++) {
        kerb_pose corner = kerb_pose_make((float)(i % 2 == 0 ? e.west : e.east),
                                          (float)(i < 2 ? e.south : e.north), 0.0f);
        plan_page_include(&all, kerb_io_map_info_from_world(frame, corner).position);
    }
    return all;
}

// Cells of at least a value. What is blocked as well is drawn so.
typedef struct marked_cells {
    const uint8_t* cells;
    uint8_t least, most;
} marked_cells;

static bool is_marked(const marked_cells* m, size_t i) {
    return m->cells[i] >= m->least && m->cells[i] <= m->most;
}

static bool is_run(const kerb_plan_world* w, const marked_cells* cells, const patch* p, int32_t y,
                   int32_t from, int32_t end) {
    if (y < p->south || y >= p->north)
        return false;
    size_t row = (size_t)y * (size_t)w->columns;
    if ((from > p->west && is_marked(cells, row + (size_t)from - 1)) ||
        (end < p->east && is_marked(cells, row + (size_t)end)))
        return false;
    for (int32_t x = from; x < end; x++)
        if (!is_marked(cells, row + (size_t)x))
            return false;
    return true;
}

// A run of blocked cells goes on upwards as long as the same run is in the next row.
static void put_run(tool_base64* stream, const kerb_plan_world* w, const marked_cells* cells,
                    const patch* p, int32_t y, int32_t from, int32_t end) {
    if (is_run(w, cells, p, y - 1, from, end))
        return;
    int32_t top = y + 1;
    while (is_run(w, cells, p, top, from, end))
        top++;
    double size = (double)w->cell_size;
    put_float(stream, (double)w->origin.x + size * from);
    put_float(stream, (double)w->origin.y + size * y);
    put_float(stream, size * (end - from));
    put_float(stream, size * (top - y));
}

static void put_cells(FILE* out, const char* name, const kerb_plan_world* w,
                      const marked_cells* cells, plan_page_extent e) {
    tool_base64 stream;
    patch p = patch_of(w, e);
    begin_column(out, name, &stream);
    for (int32_t y = p.south; y < p.north; y++) {
        size_t row = (size_t)y * (size_t)w->columns;
        for (int32_t x = p.west, end; x < p.east; x = end + 1) {
            for (end = x; end < p.east && is_marked(cells, row + (size_t)end);)
                end++;
            if (end > x)
                put_run(&stream, w, cells, &p, y, x, end);
        }
    }
    end_column(&stream);
}

// One after the other: x, y, 1 where another polygon begins.
static void put_polygons(FILE* out, const kerb_plan_world* w) {
    tool_base64 stream;
    const kerb_vec2* next = w->vertices;
    begin_column(out, "polygons", &stream);
    for (int32_t i = 0; i < w->polygon_count; i++)
        for (int32_t k = 0; k < w->vertex_counts[i]; k++, next++) {
            put_float(&stream, (double)next->x);
            put_float(&stream, (double)next->y);
            put_float(&stream, k == 0 ? 1.0 : 0.0);
        }
    end_column(&stream);
}

// The pose of the frame in which cells and box are.
static void put_turn(FILE* out, const kerb_io_map_info* frame) {
    fputs(",\"turn\":[", out);
    tool_page_number(out, (double)frame->origin.x, 4);
    fputc(',', out);
    tool_page_number(out, (double)frame->origin.y, 4);
    fputc(',', out);
    tool_page_number(out, (double)frame->yaw, 7);
    fputc(']', out);
}

// Ground that costs at least half of the price is shown; on a map of its own what is blocked is not
// shown twice.
static void put_world(FILE* out, const kerb_plan_world* w, const kerb_io_map_info* frame,
                      plan_page_extent e) {
    const marked_cells blocked = {w->cells, 255, 255};
    const marked_cells priced = {w->cost_map, 128, w->cost_map == w->cells ? 254 : 255};
    if (frame) {
        put_turn(out, frame);
        e = plan_page_extent_in(frame, e);
    }
    if (w->cells)
        put_cells(out, "cells", w, &blocked, e);
    if (w->cost_map)
        put_cells(out, "priced", w, &priced, e);
    put_polygons(out, w);
    if (w->box_min.x == w->box_max.x && w->box_min.y == w->box_max.y)
        return;
    const float corners[4] = {w->box_min.x, w->box_min.y, w->box_max.x, w->box_max.y};
    tool_base64 stream;
    begin_column(out, "box", &stream);
    for (int32_t i = 0; i < 4; i++)
        tool_base64_float(&stream, corners[i]);
    end_column(&stream);
}

// --------------------------------------------------------------------------- how it was found

static void put_arcs(FILE* out, const tool_plan_film* film) {
    tool_base64 stream;
    begin_column(out, "arcs", &stream);
    for (int32_t i = 0; i < film->arc_count; i++) {
        const tool_film_arc* a = &film->arcs[i];
        const float row[7] = {a->from.position.x, a->from.position.y, kerb_pose_heading(a->from),
                              a->curvature,       a->length,          a->cost,
                              (float)a->expansion};
        for (int32_t k = 0; k < 7; k++)
            tool_base64_float(&stream, row[k]);
    }
    end_column(&stream);
}

static void put_answer(FILE* out, const tool_film_answer* answer) {
    const kerb_plan* plan = &answer->plan;
    fputc('{', out);
    tool_page_field_number(out, "cost", (double)plan->cost, 4);
    tool_page_field_number(out, "steps", (double)plan->steps, 0);
    fprintf(out, "\"expansions\":%d", (int)plan->expansions);
    tool_base64 stream;
    begin_column(out, "way", &stream);
    int32_t count = 1 + (int32_t)ceil((double)plan->time / ANSWER_STEP);
    for (int32_t i = 0; i <= count; i++) {
        kerb_plan_state s = kerb_plan_at(plan, (float)(ANSWER_STEP * i));
        put_float(&stream, (double)s.pose.position.x);
        put_float(&stream, (double)s.pose.position.y);
        put_float(&stream, (double)s.speed);
    }
    end_column(&stream);
    fputc('}', out);
}

static void put_end(FILE* out, const char* name, const kerb_plan_end* end) {
    fprintf(out, ",\"%s\":[", name);
    tool_page_number(out, (double)end->pose.position.x, 4);
    fputc(',', out);
    tool_page_number(out, (double)end->pose.position.y, 4);
    fputc(',', out);
    tool_page_number(out, (double)kerb_pose_heading(end->pose), 5);
    fputc(']', out);
}

// One after the other: x, y, heading, velocity x and y, length, width.
static void put_movers(FILE* out, const tool_plan_job* job) {
    tool_base64 stream;
    begin_column(out, "movers", &stream);
    for (int32_t i = 0; i < job->mover_count; i++) {
        const kerb_plan_mover* m = &job->movers[i];
        const float row[7] = {m->pose.position.x,
                              m->pose.position.y,
                              kerb_pose_heading(m->pose),
                              m->velocity.x,
                              m->velocity.y,
                              m->length,
                              m->width};
        for (int32_t k = 0; k < 7; k++)
            tool_base64_float(&stream, row[k]);
    }
    end_column(&stream);
}

static void put_plan(FILE* out, const tool_plan_found* f, const tool_plan_film* film) {
    fputs(",\"plan\":{", out);
    tool_page_field_text(out, "outcome", kerb_plan_outcome_text(f->outcome));
    tool_page_field_number(out, "lower_bound", (double)f->plan.lower_bound, 4);
    tool_page_field_number(out, "cost_most", (double)film->cost_most, 4);
    tool_page_field_number(out, "steps", (double)f->plan.steps, 0);
    tool_page_field_number(out, "left_out", (double)film->left_out, 0);
    fprintf(out, "\"expansions\":%d", (int)film->expansions);
    put_end(out, "from", &f->task.from);
    put_end(out, "to", &f->task.to);
    put_movers(out, &f->job);
    put_arcs(out, film);
    fputs(",\"answers\":[", out);
    for (int32_t i = 0; i < film->answer_count; i++) {
        fputs(i > 0 ? ",\n" : "", out);
        put_answer(out, &film->answers[i]);
    }
    fputc(']', out);
    if (f->world)
        put_world(out, f->world, f->job.frame, plan_page_extent_of(f, film));
    fputc('}', out);
}

// --------------------------------------------------------------------------- movements

static void plan_page_put_course(FILE* out, const tool_plan_run* run, int64_t i) {
    static const char* const names[7] = {"x", "y", "left", "right", "limit", "stop", "direction"};
    const tool_plan_found* f = &run->found[i];
    const kerb_scene_plan_driven* driven = &f->driven.result;
    char name[96], about[240];
    if (run->count > 1)
        snprintf(name, sizeof name, "Plan %lld", (long long)i + 1);
    else
        snprintf(name, sizeof name, "Plan");
    if (f->driven.was)
        snprintf(about, sizeof about,
                 "%.2f s over %.1f m; driven in %.2f s%s, at most %.2f m off%s",
                 (double)f->plan.time, (double)f->plan.length, (double)driven->time,
                 driven->arrived ? "" : ", not arrived", (double)driven->error,
                 f->driven.touched ? ", touching an obstacle" : "");
    else if (f->plan.count > 0)
        snprintf(about, sizeof about, "%.2f s over %.1f m; no plan takes less than %.2f s",
                 (double)f->plan.time, (double)f->plan.length, (double)f->plan.lower_bound);
    else
        snprintf(about, sizeof about, "%s", kerb_plan_outcome_text(f->outcome));
    fputc('{', out);
    tool_page_field_text(out, "name", name);
    tool_page_field_text(out, "about", about);
    fputs("\"closed\":false,\"solids\":\"\",\"zones\":\"\"", out);
    kerb_vec2 start = f->task.from.pose.position;
    const float values[7] = {start.x, start.y, 0.0f, 0.0f, 0.0f, 0.0f, 1.0f};
    for (int32_t k = 0; k < 7; k++) {
        tool_base64 stream;
        begin_column(out, names[k], &stream);
        tool_base64_float(&stream, values[k]);
        end_column(&stream);
    }
    put_plan(out, f, &run->films[i]);
    fputc('}', out);
}

// A car of this outline, so that there is something to look at: limits know no wheels. What was
// driven has its own.
static void plan_page_put_vehicle(FILE* out, const tool_plan_run* run, const tool_plan_found* f) {
    const kerb_plan_limits* l = &f->task.limits;
    const kerb_vehicle* v = f->driven.was ? &f->driven.vehicle : NULL;
    double wheelbase = v ? (double)v->wheelbase : 0.76 * (double)l->front;
    double angle = v ? (double)v->steering_angle_max : atan(wheelbase / (double)l->turning_radius);
    bool is_thesis = run->is_random && !run->is_named;
    fputs("\"vehicle\":{", out);
    tool_page_field_text(out, "name", is_thesis ? "the thesis's car" : run->vehicle);
    tool_page_field_number(out, "kind", v ? (double)v->kind : 0.0, 0);
    tool_page_field_number(out, "length", (double)(l->front + l->rear), 3);
    tool_page_field_number(out, "width", (double)l->width, 3);
    tool_page_field_number(out, "reference_to_front", (double)l->front, 3);
    tool_page_field_number(out, "reference_to_rear_axle", 0.0, 3);
    tool_page_field_number(out, "wheelbase", wheelbase, 3);
    fputs("\"steering_angle_max\":", out);
    tool_page_number(out, angle, 5);
    fputs("},", out);
}

typedef enum plan_page_column {
    X,
    Y,
    PROGRESS,
    HEADING,
    SPEED,
    CURVATURE,
    ALONG,
    COLUMNS
} plan_page_column;

static double plan_page_value_of(const kerb_plan_state* s, plan_page_column c) {
    switch (c) {
    case X:
        return (double)s->pose.position.x;
    case Y:
        return (double)s->pose.position.y;
    case HEADING:
        return (double)kerb_pose_heading(s->pose);
    case SPEED:
        return (double)s->speed;
    case CURVATURE:
        return (double)s->curvature;
    default:
        return (double)s->acceleration;
    }
}

static int32_t sample_count(const kerb_plan* plan) {
    return plan->count > 0 ? 2 + (int32_t)floor((double)plan->time / PLAN_PAGE_STEP) : 1;
}

static void put_columns(FILE* out, const tool_plan_found* f) {
    static const char* const names[COLUMNS] = {"x",     "y",         "progress", "heading",
                                               "speed", "curvature", "along"};
    kerb_plan_state rest = {.pose = f->task.from.pose};
    for (int32_t c = 0; c < COLUMNS; c++) {
        tool_base64 stream;
        double driven = 0.0;
        kerb_plan_state last = f->plan.count > 0 ? kerb_plan_at(&f->plan, 0.0f) : rest;
        begin_column(out, names[c], &stream);
        for (int32_t i = 0; i < sample_count(&f->plan); i++) {
            kerb_plan_state s =
                f->plan.count > 0 ? kerb_plan_at(&f->plan, (float)(PLAN_PAGE_STEP * i)) : rest;
            driven += 0.5 * fabs((double)(s.speed + last.speed)) * (double)(s.time - last.time);
            put_float(&stream,
                      c == PROGRESS ? driven : plan_page_value_of(&s, (plan_page_column)c));
            last = s;
        }
        end_column(&stream);
    }
}

// --------------------------------------------------------------------------- as it was driven

typedef enum driven_column {
    DRIVEN_X,
    DRIVEN_Y,
    DRIVEN_PROGRESS,
    DRIVEN_HEADING,
    DRIVEN_SPEED,
    DRIVEN_CURVATURE,
    DRIVEN_ALONG,
    DRIVEN_STEERING,
    DRIVEN_THROTTLE,
    DRIVEN_BRAKE,
    DRIVEN_ERROR,
    DRIVEN_LATE,
    DRIVEN_GEAR,
    DRIVEN_PLANNED,
    DRIVEN_COLUMNS
} driven_column;

static int32_t driven_count(const tool_plan_found* f) {
    return 2 + (int32_t)floor((double)f->driven.result.time / PLAN_PAGE_STEP);
}

// What it gained from a tenth of a second before until now. [m/s²]
static double gained(const tool_plan_driven* d, const tool_plan_moment* now) {
    const tool_plan_moment* before = tool_plan_moment_at(d, (double)now->time - 0.1);
    double passed = (double)(now->time - before->time);
    return passed > 0.0 ? (fabs((double)now->speed) - fabs((double)before->speed)) / passed : 0.0;
}

static double driven_value(const tool_plan_found* f, const tool_plan_moment* m, driven_column c) {
    const kerb_vehicle* v = &f->driven.vehicle;
    switch (c) {
    case DRIVEN_X:
        return (double)m->rear.position.x;
    case DRIVEN_Y:
        return (double)m->rear.position.y;
    case DRIVEN_HEADING:
        return (double)kerb_pose_heading(m->rear);
    case DRIVEN_SPEED:
        return (double)m->speed;
    case DRIVEN_CURVATURE:
        return tan((double)(m->steering * v->steering_angle_max)) / (double)v->wheelbase;
    case DRIVEN_ALONG:
        return gained(&f->driven, m);
    case DRIVEN_STEERING:
        return (double)m->steering;
    case DRIVEN_THROTTLE:
        return (double)m->throttle;
    case DRIVEN_BRAKE:
        return (double)m->brake;
    case DRIVEN_ERROR:
        return (double)m->error;
    case DRIVEN_LATE:
        return (double)m->late;
    case DRIVEN_GEAR:
        return m->gear;
    default:
        return fabs((double)kerb_plan_at(&f->plan, m->time).speed);
    }
}

static void put_driven_columns(FILE* out, const tool_plan_found* f) {
    static const char* const names[DRIVEN_COLUMNS] = {
        "x",        "y",        "progress", "heading", "speed", "curvature", "along",
        "steering", "throttle", "brake",    "error",   "late",  "gear",      "planned"};
    for (int32_t c = 0; c < DRIVEN_COLUMNS; c++) {
        tool_base64 stream;
        double way = 0.0;
        const tool_plan_moment* last = tool_plan_moment_at(&f->driven, 0.0);
        begin_column(out, names[c], &stream);
        for (int32_t i = 0; i < driven_count(f); i++) {
            const tool_plan_moment* m = tool_plan_moment_at(&f->driven, PLAN_PAGE_STEP * i);
            way += 0.5 * fabs((double)(m->speed + last->speed)) * (double)(m->time - last->time);
            put_float(&stream, c == DRIVEN_PROGRESS ? way : driven_value(f, m, (driven_column)c));
            last = m;
        }
        end_column(&stream);
    }
}

static void plan_page_put_trial(FILE* out, const tool_plan_run* run, int64_t i) {
    const tool_plan_found* f = &run->found[i];
    bool is_driven = f->driven.count > 0;
    double seconds = is_driven ? (double)f->driven.result.time : (double)f->plan.time;
    bool is_finished = is_driven ? f->driven.result.arrived : f->plan.count > 0;
    fprintf(out, "{\"course\":%d,", (int)i);
    tool_page_field_text(out, "follower", "plan");
    plan_page_put_vehicle(out, run, f);
    fputs("\"result\":{", out);
    tool_page_field_number(out, "time_s", seconds, 4);
    fprintf(out, "\"finished\":%s},", is_finished ? "true" : "false");
    fprintf(out, "\"driven\":%s,", is_driven ? "true" : "false");
    tool_page_field_number(out, "start", 0.0, 0);
    tool_page_field_number(out, "end", seconds, 5);
    fprintf(out, "\"rate\":%d,\"stride\":%d,\"count\":%d", RATE, STRIDE,
            (int)(is_driven ? driven_count(f) : sample_count(&f->plan)));
    if (is_driven)
        put_driven_columns(out, f);
    else
        put_columns(out, f);
    fputs("}", out);
}

static void plan_page_put_data(FILE* out, const void* context) {
    const tool_plan_run* run = context;
    fputs("{", out);
    tool_page_field_text(out, "kerb", KERB_VERSION);
    tool_page_field_text(out, "title", "kerb plan");
    fputs("\n\"reasons\":[],\n\"courses\":[", out);
    for (int64_t i = 0; i < run->film_count; i++) {
        fputs(i > 0 ? ",\n" : "", out);
        plan_page_put_course(out, run, i);
    }
    fputs("],\n\"trials\":[", out);
    for (int64_t i = 0; i < run->film_count; i++) {
        fputs(i > 0 ? ",\n" : "", out);
        plan_page_put_trial(out, run, i);
    }
    fputs("\n]}", out);
}

static bool plan_page_print_page(FILE* out, const void* context) {
    return tool_page_write(out, "kerb plan", plan_page_put_data, context);
}

tool_status tool_plan_page_write(const char* path, const tool_plan_run* run) {
    return tool_file_print(path, plan_page_print_page, run);
}
