// Purpose: the figures of the AIPATH thesis that need no search of their own: maps of its
//          estimates, and histograms and curves of the results of all jobs.
// Idea:    curves are columns of the tables, so that both say the same.
// Source:  AIPATH figures 4.2, 4.3, 4.6, 5.5, 5.10, 5.12 to 5.14, A.1 to A.5, A.10 to A.17.
#include "scene/thesis/thesis_figure.h"

#include "scene/thesis/thesis_ink.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FIGURES_REACH 4.0 // of maps round the origin [turning radii]

// --------------------------------------------------------------------------- distances

static float csc_from_origin(float heading, kerb_pose to) {
    return kerb_dubins_length_csc(kerb_pose_make(0.0f, 0.0f, heading), to, 1.0f);
}

static float distance_facing_up(const void* context, float x, float y) {
    (void)context;
    return csc_from_origin(0.5f * KERB_PI, kerb_pose_make(x, y, 0.5f * KERB_PI));
}

static float straight_distance(const void* context, float x, float y) {
    (void)context;
    return kerb_sqrt(x * x + y * y);
}

static thesis_panel* map_of(thesis_figure* figure, const char* title, double reach) {
    thesis_panel* panel = kerb_scene_thesis_panel_add(figure, title, "x [radii]", "y [radii]");
    panel->is_map = true;
    panel->x0 = panel->y0 = -reach;
    panel->x1 = panel->y1 = reach;
    return panel;
}

static void add_circles(thesis_figure* figure, thesis_panel* panel, double radius) {
    thesis_series* rim =
        kerb_scene_thesis_series_add(panel, KERB_SCENE_THESIS_DASHED, "turning circles", 7);
    for (int32_t side = -1; side <= 1; side += 2) {
        for (int32_t i = 0; i <= 48; i++) {
            double angle = (double)KERB_PI * i / 24.0;
            kerb_scene_thesis_point(figure, rim, radius * (side + cos(angle)), radius * sin(angle));
        }
        kerb_scene_thesis_gap(figure, rim);
    }
}

static void draw_distances(int32_t detail, thesis_figure* figure) {
    thesis_panel* panel = map_of(figure, "turn, straight, turn", FIGURES_REACH);
    kerb_scene_thesis_heat(figure, panel, detail, detail, "distance [radii]", distance_facing_up,
                           NULL);
    add_circles(figure, panel, 1.0);
    panel = map_of(figure, "straight line", FIGURES_REACH);
    kerb_scene_thesis_heat(figure, panel, detail, detail, "distance [radii]", straight_distance,
                           NULL);
}

// The heading of the least distance, in steps of 5 degrees, and that distance.
static float best_heading(float x, float y, float* distance) {
    float best = 0.0f;
    *distance = 1e30f;
    for (int32_t i = 0; i < 72; i++) {
        float heading = (float)i * KERB_PI / 36.0f;
        float length = csc_from_origin(0.5f * KERB_PI, kerb_pose_make(x, y, heading));
        if (length < *distance) {
            *distance = length;
            best = heading;
        }
    }
    return best;
}

static float least_distance(const void* context, float x, float y) {
    (void)context;
    float distance;
    best_heading(x, y, &distance);
    return distance;
}

static void draw_headings(int32_t detail, thesis_figure* figure) {
    thesis_panel* panel = map_of(figure, "", 3.0);
    kerb_scene_thesis_heat(figure, panel, detail, detail, "least distance [radii]", least_distance,
                           NULL);
    thesis_series* arrows =
        kerb_scene_thesis_series_add(panel, KERB_SCENE_THESIS_ARROWS, "best heading", 7);
    const int32_t side = detail < 20 ? 6 : 20;
    const double spacing = 6.0 / side;
    for (int32_t i = 0; i < side * side; i++) {
        int32_t column = i % side, row = i / side;
        double x = -3.0 + (column + 0.5) * spacing, y = -3.0 + (row + 0.5) * spacing;
        float distance;
        double heading = (double)best_heading((float)x, (float)y, &distance);
        double half = 0.38 * spacing;
        kerb_scene_thesis_point(figure, arrows, x - half * cos(heading), y - half * sin(heading));
        kerb_scene_thesis_point(figure, arrows, x + half * cos(heading), y + half * sin(heading));
    }
}

// Over all headings of the goal.
static float offset_of(const void* context, float bearing, float distance) {
    (void)context;
    float sine, cosine, sum = 0.0f;
    kerb_sin_cos(bearing * KERB_PI / 180.0f, &sine, &cosine);
    for (int32_t i = 0; i < 36; i++) {
        float heading = (float)i * KERB_PI / 18.0f;
        sum += csc_from_origin(0.0f, kerb_pose_make(distance * cosine, distance * sine, heading));
    }
    return sum / 36.0f - distance;
}

static void draw_offsets_by_bearing(int32_t detail, thesis_figure* figure) {
    thesis_panel* panel =
        kerb_scene_thesis_panel_add(figure, "", "bearing [degrees]", "distance [radii]");
    panel->x0 = -180.0, panel->x1 = 180.0, panel->y0 = 0.0, panel->y1 = 12.0;
    kerb_scene_thesis_heat(figure, panel, detail, detail, "longer by [radii]", offset_of, NULL);
}

// --------------------------------------------------------------------------- times

typedef struct figures_straight {
    kerb_plan_limits limits;
    kerb_plan_bound_settings bound;
    bool backs_up;
} figures_straight;

static float time_on_straight(const void* context, float distance, float speed) {
    const figures_straight* s = context;
    float time = kerb_plan_traversal_time(&s->limits, distance, speed, 1.0f);
    if (s->backs_up) {
        kerb_plan_end from = kerb_plan_end_make(0.0f, 0.0f, 0.0f, speed);
        kerb_plan_end to = kerb_plan_end_make(distance, 0.0f, 0.0f, 1.0f);
        time = kerb_plan_bound(&s->limits, &s->bound, &from, &to);
    }
    return time < 1.0e6f ? time : (float)NAN;
}

static void draw_straight(int32_t detail, bool backs_up, int32_t overshoot, thesis_figure* figure) {
    figures_straight s = {.limits = kerb_plan_limits_default(), .backs_up = backs_up};
    s.limits.turning_radius = 1.0f;
    s.limits.speed_max = 4.0f;
    s.limits.reverse_speed_max = 2.0f;
    s.limits.acceleration = s.limits.braking = 1.0f;
    s.limits.reverse_acceleration = s.limits.reverse_braking = 1.0f;
    s.limits.lateral_acceleration = 2.0f;
    if (overshoot == KERB_PLAN_CIRCULAR)
        s.limits.reverse_speed_max = 0.0f;
    s.bound.heuristic = KERB_PLAN_THESIS;
    s.bound.overshoot = overshoot;
    thesis_panel* panel =
        kerb_scene_thesis_panel_add(figure, "", "distance [m]", "speed at the start [m/s]");
    panel->x0 = 0.0, panel->x1 = 10.0, panel->y0 = 0.0, panel->y1 = 4.0;
    kerb_scene_thesis_heat(figure, panel, detail, detail, "time [s]", time_on_straight, &s);
}

static float time_to_place(const void* context, float x, float y) {
    const kerb_plan_limits* limits = context;
    const kerb_plan_bound_settings bound = {.heuristic = KERB_PLAN_THESIS};
    kerb_plan_end from = kerb_plan_end_make(0.0f, 0.0f, 0.5f * KERB_PI, 0.0f);
    kerb_plan_end to = kerb_plan_end_make(x, y, 0.5f * KERB_PI, 0.0f);
    return kerb_plan_bound(limits, &bound, &from, &to);
}

static void draw_times(int32_t detail, thesis_figure* figure) {
    kerb_plan_limits limits = kerb_plan_limits_default();
    thesis_panel* panel = kerb_scene_thesis_panel_add(figure, "", "x [m]", "y [m]");
    panel->is_map = true;
    panel->x0 = panel->y0 = -20.0, panel->x1 = panel->y1 = 20.0;
    kerb_scene_thesis_heat(figure, panel, detail, detail, "time [s]", time_to_place, &limits);
    add_circles(figure, panel, 5.0);
}

static void draw_leaving(thesis_figure* figure) {
    thesis_panel* panel =
        kerb_scene_thesis_panel_add(figure, "", "beside the centre [m]", "added cost [ms]");
    thesis_series* line = kerb_scene_thesis_series_add(panel, KERB_SCENE_THESIS_LINE, "", 0);
    const kerb_plan_limits limits = kerb_plan_limits_default();
    for (int32_t i = 0; i <= 30; i++) {
        double cost = (double)kerb_scene_thesis_leaving(&limits, 0.1f * (float)i);
        kerb_scene_thesis_point(figure, line, 0.1 * i, 1000.0 * cost);
    }
    kerb_scene_thesis_fit(panel, false);
}

// --------------------------------------------------------------------------- of the tables

static kerb_scene_thesis_table table_named(const kerb_scene_thesis* thesis, const char* name) {
    kerb_scene_thesis_table table = {0};
    for (int32_t i = 0; i < KERB_SCENE_THESIS_TABLES; i++) {
        table = kerb_scene_thesis_tabulate(thesis, i);
        if (strcmp(table.name, name) == 0)
            break;
    }
    return table;
}

// Ours, and the thesis's where it has numbers (column < 0: it has none), over the first column.
static void draw_columns(const kerb_scene_thesis* thesis, const char* name, int32_t ours,
                         int32_t theirs, const char* x_label, const char* y_label,
                         thesis_figure* figure) {
    kerb_scene_thesis_table table = table_named(thesis, name);
    thesis_panel* panel = kerb_scene_thesis_panel_add(figure, "", x_label, y_label);
    for (int32_t k = 0; k < 2; k++) {
        int32_t column = k == 0 ? ours : theirs;
        if (column < 0)
            continue;
        thesis_series* line = kerb_scene_thesis_series_add(
            panel, KERB_SCENE_THESIS_LINE, k == 0 ? "ours" : "the thesis", k == 0 ? 0 : 1);
        for (int32_t i = 0; i < table.rows; i++)
            kerb_scene_thesis_point(figure, line, table.cells[i][0], table.cells[i][column]);
    }
    kerb_scene_thesis_fit(panel, false);
}

static void draw_by_cell(const kerb_scene_thesis* thesis, int32_t ours, int32_t theirs,
                         thesis_figure* figure) {
    const char* cell = "size of cells [m]";
    bool deviation = ours == 2;
    draw_columns(thesis, "5.5", ours, theirs, cell,
                 deviation ? "expansions, deviation" : "expansions, mean", figure);
    draw_columns(thesis, "5.6", ours, theirs, cell,
                 deviation ? "time of the plan, deviation [s]" : "time of the plan, mean [s]",
                 figure);
}

// --------------------------------------------------------------------------- histograms

static void draw_curve_work(const kerb_scene_thesis* thesis, int32_t curve, thesis_figure* figure) {
    const kerb_scene_thesis_result* r = kerb_scene_thesis_of_curve(thesis, curve);
    double* values = malloc((size_t)thesis->goals * sizeof *values);
    if (!values) {
        figure->out_of_memory = true;
        return;
    }
    int32_t count = 0;
    for (int32_t i = 0; i < thesis->goals; i++)
        if (r[i].found)
            values[count++] = r[i].expansions;
    kerb_scene_thesis_histogram(figure, values, count, 0.0, 5000.0, 25, "expansions");
    free(values);
}

typedef enum figures_ratio { RATIO_SAVED_WORK, RATIO_SAVED_TIME, RATIO_LOST_TIME } figures_ratio;

// In percent, of goals that both have found; of a probe also where it came beside the goal.
static void draw_ratio(const kerb_scene_thesis* thesis, int32_t first, int32_t second,
                       figures_ratio ratio, double low, double high, const char* label,
                       thesis_figure* figure) {
    const kerb_scene_thesis_result* a = kerb_scene_thesis_of_variant(thesis, first);
    const kerb_scene_thesis_result* b = kerb_scene_thesis_of_variant(thesis, second);
    double* values = malloc((size_t)thesis->goals * sizeof *values);
    if (!values) {
        figure->out_of_memory = true;
        return;
    }
    int32_t count = 0;
    bool is_probe = second == KERB_SCENE_THESIS_PROBE;
    for (int32_t i = 0; i < thesis->goals; i++) {
        bool counts = is_probe ? ratio == RATIO_SAVED_WORK || kerb_scene_thesis_comes_beside(&b[i])
                               : b[i].found;
        if (!a[i].found || !counts || a[i].expansions <= 0 || !(a[i].cost > 0.0f))
            continue;
        double part = ratio == RATIO_SAVED_WORK ? (double)b[i].expansions / (double)a[i].expansions
                                                : (double)b[i].cost / (double)a[i].cost;
        values[count++] = 100.0 * (ratio == RATIO_LOST_TIME ? part - 1.0 : 1.0 - part);
    }
    kerb_scene_thesis_histogram(figure, values, count, low, high, 25, label);
    free(values);
}

// --------------------------------------------------------------------------- all of them

static void draw_appendix(const kerb_scene_thesis* thesis, int32_t number, int32_t detail,
                          thesis_figure* figure) {
    const int32_t by_distance = KERB_SCENE_THESIS_BY_DISTANCE, by_time = KERB_SCENE_THESIS_BY_TIME;
    const int32_t probe = KERB_SCENE_THESIS_PROBE;
    switch (number) {
    case 1:
        draw_offsets_by_bearing(detail, figure);
        break;
    case 2:
        draw_straight(detail, false, KERB_PLAN_CIRCULAR, figure);
        break;
    case 3:
        draw_straight(detail, true, KERB_PLAN_LINEAR, figure);
        break;
    case 4:
        draw_straight(detail, true, KERB_PLAN_CIRCULAR, figure);
        break;
    case 5:
        draw_straight(detail, true, KERB_PLAN_COMBINED, figure);
        break;
    case 10:
    case 11:
    case 12:
    case 13:
        draw_curve_work(thesis, number - 10, figure);
        break;
    case 14:
        draw_ratio(thesis, by_distance, by_time, RATIO_SAVED_WORK, -25.0, 100.0,
                   "fewer expansions [%]", figure);
        break;
    case 15:
        draw_ratio(thesis, by_distance, by_time, RATIO_SAVED_TIME, -25.0, 25.0,
                   "less time of the plan [%]", figure);
        break;
    case 16:
        draw_ratio(thesis, by_time, probe, RATIO_SAVED_WORK, 0.0, 100.0, "fewer expansions [%]",
                   figure);
        break;
    default:
        draw_ratio(thesis, by_time, probe, RATIO_LOST_TIME, -25.0, 100.0,
                   "more time of the plan [%]", figure);
        break;
    }
}

// False: it needs searches.
static bool draw_without_search(const kerb_scene_thesis* thesis, const char* name, int32_t detail,
                                thesis_figure* figure) {
    if (name[0] == 'A') {
        int32_t number = atoi(name + 2);
        if (number >= 6 && number <= 9)
            return false;
        draw_appendix(thesis, number, detail, figure);
    } else if (strcmp(name, "4.2") == 0)
        draw_distances(detail, figure);
    else if (strcmp(name, "4.3") == 0)
        draw_headings(detail, figure);
    else if (strcmp(name, "4.6") == 0)
        draw_columns(thesis, "4.6", 1, -1, "distance [radii]", "longer by [radii]", figure);
    else if (strcmp(name, "5.5") == 0)
        draw_leaving(figure);
    else if (strcmp(name, "5.10") == 0)
        draw_times(detail, figure);
    else if (strcmp(name, "5.12") == 0)
        draw_by_cell(thesis, 1, 4, figure);
    else if (strcmp(name, "5.13") == 0)
        draw_by_cell(thesis, 2, 5, figure);
    else if (strcmp(name, "5.14") == 0)
        draw_columns(thesis, "5.14", 1, -1, "size of cells [m]", "failed [%]", figure);
    else
        return false;
    return true;
}

bool kerb_scene_thesis_draw(const kerb_scene_thesis* thesis, int32_t number, int32_t detail,
                            kerb_scene_thesis_figure* figure) {
    *figure = kerb_scene_thesis_figure_words(number);
    if (!draw_without_search(thesis, figure->name, detail, figure))
        kerb_scene_thesis_draw_searches(thesis, figure->name, detail, figure);
    if (figure->out_of_memory)
        kerb_scene_thesis_figure_free(figure);
    return figure->name != NULL;
}
