// Purpose: the figures of the AIPATH thesis that show plans and searches.
// Idea:    what a caption describes is planned here by kerb_plan_search; the places and limits that
//          the lost pictures had are ours. Plans that show a manoeuvre use the search's own
//          settings, so that they end exactly; experiments use the thesis's.
// Source:  AIPATH figures 4.4, 4.5, 4.10, 5.1 to 5.4, 5.6, 5.8, 5.11, 5.15, 5.16, A.6 to A.9.
#include "scene/thesis/thesis_figure.h"

#include "scene/thesis/thesis_ink.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static kerb_plan_search_settings exact_settings(void) {
    kerb_plan_search_settings settings = kerb_plan_search_settings_default();
    settings.expansions = 4000;
    settings.nodes = 65536;
    return settings;
}

static thesis_panel* place(thesis_figure* figure, const char* title) {
    return kerb_scene_thesis_panel_add(figure, title, "x [m]", "y [m]");
}

static kerb_scene_thesis_result draw_plan(thesis_figure* figure, thesis_panel* panel,
                                          const char* label, int32_t color,
                                          const kerb_plan_limits* limits, const kerb_plan_end* from,
                                          const kerb_plan_end* to) {
    thesis_series* line = kerb_scene_thesis_series_add(panel, KERB_SCENE_THESIS_LINE, label, color);
    const kerb_plan_query query = {from, to, 1, 1};
    kerb_plan_search_settings settings = exact_settings();
    return kerb_scene_thesis_search(figure, line, limits, &settings, &query, NULL);
}

// Both ends, as arrows of two metres.
static void draw_ends(thesis_figure* figure, thesis_panel* panel, const kerb_plan_end* from,
                      const kerb_plan_end* to) {
    thesis_series* arrows =
        kerb_scene_thesis_series_add(panel, KERB_SCENE_THESIS_ARROWS, "start and goal", 6);
    const kerb_plan_end* ends[] = {from, to};
    for (int32_t i = 0; i < 2; i++) {
        kerb_pose pose = ends[i]->pose;
        kerb_vec2 tip = kerb_vec2_add(pose.position, kerb_vec2_scale(pose.forward, 2.0f));
        kerb_scene_thesis_point(figure, arrows, (double)pose.position.x, (double)pose.position.y);
        kerb_scene_thesis_point(figure, arrows, (double)tip.x, (double)tip.y);
    }
}

// --------------------------------------------------------------------------- speed at the goal

// To 10 m/s over 10 m. (4.4)
static void draw_too_short(thesis_figure* figure) {
    const kerb_plan_limits limits = kerb_plan_limits_default();
    kerb_plan_end from = kerb_plan_end_make(0.0f, 0.0f, 0.0f, 0.0f);
    kerb_plan_end to = kerb_plan_end_make(10.0f, 0.0f, 0.0f, 10.0f);
    thesis_panel* panel = place(figure, "");
    draw_plan(figure, panel, "plan", 0, &limits, &from, &to);
    draw_ends(figure, panel, &from, &to);
    kerb_scene_thesis_fit(panel, true);
}

// Where it is along the line, over time, of the best plan that backs up. (4.5)
static void draw_backing_up(thesis_figure* figure) {
    kerb_plan_limits limits = kerb_plan_limits_default();
    limits.turning_radius = 40.0f; // a circle would take longer
    limits.reverse_speed_max = 5.0f;
    kerb_plan_end from = kerb_plan_end_make(0.0f, 0.0f, 0.0f, 3.0f);
    kerb_plan_end to = kerb_plan_end_make(10.0f, 0.0f, 0.0f, 10.0f);
    const kerb_plan_query query = {&from, &to, 1, 1};
    kerb_plan_search_settings settings = exact_settings();
    const kerb_host host = kerb_host_default();
    thesis_panel* panel = kerb_scene_thesis_panel_add(figure, "", "time [s]", "x [m]");
    thesis_series* along = kerb_scene_thesis_series_add(panel, KERB_SCENE_THESIS_LINE, "x", 0);
    thesis_panel* other = kerb_scene_thesis_panel_add(figure, "", "time [s]", "speed [m/s]");
    thesis_series* speed = kerb_scene_thesis_series_add(other, KERB_SCENE_THESIS_LINE, "speed", 1);
    kerb_plan_search search;
    if (kerb_plan_search_create(&search, &limits, &settings, &host, NULL) != KERB_OK) {
        figure->out_of_memory = true;
        return;
    }
    if (kerb_plan_search_begin(&search, &query, NULL) == KERB_OK) {
        kerb_plan_search_advance(&search, settings.expansions + 1);
        kerb_plan plan = kerb_plan_search_get_plan(&search);
        for (int32_t i = 0; i <= 200 && plan.count > 0; i++) {
            float time = plan.time * (float)i / 200.0f;
            kerb_plan_state state = kerb_plan_at(&plan, time);
            kerb_scene_thesis_point(figure, along, (double)time, (double)state.pose.position.x);
            kerb_scene_thesis_point(figure, speed, (double)time, (double)state.speed);
        }
    }
    kerb_plan_search_destroy(&search);
    kerb_scene_thesis_fit(panel, false);
    kerb_scene_thesis_fit(other, false);
}

static void draw_circles(thesis_figure* figure) {
    static const float lateral[] = {50.0f, 20.0f, 10.0f, 5.0f};
    thesis_panel* panel = place(figure, "");
    kerb_plan_end from = kerb_plan_end_make(0.0f, 0.0f, 0.0f, 0.0f);
    kerb_plan_end to = kerb_plan_end_make(12.0f, 0.0f, 0.0f, 12.0f);
    for (int32_t i = 0; i < 4; i++) {
        kerb_plan_limits limits = kerb_plan_limits_default();
        limits.lateral_acceleration = lateral[i];
        char label[40];
        snprintf(label, sizeof label, "lateral %d m/s2", (int)lateral[i]);
        draw_plan(figure, panel, label, i, &limits, &from, &to);
    }
    draw_ends(figure, panel, &from, &to);
    kerb_scene_thesis_fit(panel, true);
}

static void draw_radii(thesis_figure* figure) {
    static const float radius[] = {4.0f, 6.0f, 7.0f, 9.0f};
    thesis_panel* panel = place(figure, "");
    kerb_plan_end from = kerb_plan_end_make(0.0f, 0.0f, 0.0f, 5.0f);
    kerb_plan_end to = kerb_plan_end_make(6.0f, 6.0f, 0.5f * KERB_PI, 5.0f);
    for (int32_t i = 0; i < 4; i++) {
        kerb_plan_limits limits = kerb_plan_limits_default();
        limits.turning_radius = radius[i];
        char label[40];
        snprintf(label, sizeof label, "turning radius %d m", (int)radius[i]);
        draw_plan(figure, panel, label, i, &limits, &from, &to);
    }
    draw_ends(figure, panel, &from, &to);
    kerb_scene_thesis_fit(panel, true);
}

// --------------------------------------------------------------------------- the probe

// A wall across the way of the probe. (4.10)
static void draw_probe_first(int32_t detail, thesis_figure* figure) {
    enum { SIDE = 60 };
    uint8_t wall[SIDE * SIDE] = {0};
    for (int32_t i = 26; i < 36; i++)
        wall[i * SIDE + 32] = wall[i * SIDE + 33] = 255;
    const kerb_plan_world world = {.cells = wall,
                                   .columns = SIDE,
                                   .rows = SIDE,
                                   .cell_size = 1.0f,
                                   .origin = {-10.0f, -30.0f}};
    kerb_plan_limits limits = kerb_plan_limits_default();
    kerb_plan_end from = kerb_plan_end_make(0.0f, 0.0f, 0.0f, 0.0f);
    kerb_plan_end to = kerb_plan_end_make(40.0f, 4.0f, 0.0f, 0.0f);
    const kerb_plan_query query = {&from, &to, 1, 1};
    kerb_plan_search_settings settings = kerb_plan_search_settings_thesis();
    settings.probing = KERB_PLAN_PROBING_FIRST;
    settings.weight = settings.last_weight = 1.5f;
    settings.expansions = 800 * detail;
    settings.nodes = 400000;
    const kerb_host host = kerb_host_default();
    kerb_plan_search search;
    if (kerb_plan_search_create(&search, &limits, &settings, &host, NULL) != KERB_OK) {
        figure->out_of_memory = true;
        return;
    }
    thesis_panel* panel = place(figure, "");
    if (kerb_plan_search_set_world(&search, &world, NULL) == KERB_OK &&
        kerb_plan_search_begin(&search, &query, NULL) == KERB_OK) {
        kerb_plan_search_advance(&search, settings.expansions);
        kerb_plan_search_report report = kerb_plan_search_get_report(&search);
        thesis_series* later =
            kerb_scene_thesis_series_add(panel, KERB_SCENE_THESIS_DOTS, "states of A*", 3);
        thesis_series* probe =
            kerb_scene_thesis_series_add(panel, KERB_SCENE_THESIS_DOTS, "states of the probe", 1);
        // The probe keeps all successors of its states: with 15 each, about so many are its.
        int32_t of_probe = report.probe_expansions * 16;
        for (int32_t i = 0; i < report.nodes; i++) {
            kerb_plan_search_node node = kerb_plan_search_get_node(&search, i);
            if (i < of_probe || i % (report.nodes / 4000 + 1) == 0)
                kerb_scene_thesis_point(figure, i < of_probe ? probe : later,
                                        (double)node.pose.position.x, (double)node.pose.position.y);
        }
        kerb_plan plan = kerb_plan_search_get_plan(&search);
        thesis_series* line =
            kerb_scene_thesis_series_add(panel, KERB_SCENE_THESIS_LINE, "plan", 0);
        kerb_scene_thesis_trace(figure, line, &plan);
    }
    kerb_plan_search_destroy(&search);
    thesis_series* edge = kerb_scene_thesis_series_add(panel, KERB_SCENE_THESIS_DASHED, "wall", 7);
    static const float corner[][2] = {{22, -4}, {24, -4}, {24, 6}, {22, 6}, {22, -4}};
    for (int32_t i = 0; i < 5; i++)
        kerb_scene_thesis_point(figure, edge, (double)corner[i][0], (double)corner[i][1]);
    draw_ends(figure, panel, &from, &to);
    kerb_scene_thesis_fit(panel, true);
}

// Probes to places on a grid, as in 5.10: from where they end to where they were sent. (5.16)
static void draw_probe_ends(int32_t detail, thesis_figure* figure) {
    kerb_plan_limits limits = kerb_plan_limits_default();
    kerb_plan_search_settings settings = kerb_plan_search_settings_thesis();
    settings.probing = KERB_PLAN_PROBING_ONLY;
    settings.nodes = 8192;
    const kerb_host host = kerb_host_default();
    thesis_panel* panel = place(figure, "");
    thesis_series* arrows = kerb_scene_thesis_series_add(panel, KERB_SCENE_THESIS_ARROWS,
                                                         "from its end to the goal", 0);
    thesis_series* goals =
        kerb_scene_thesis_series_add(panel, KERB_SCENE_THESIS_DOTS, "goal reached", 3);
    const int32_t side = detail < 20 ? 6 : 26;
    for (int32_t i = 0; i < side * side; i++) {
        int32_t column = i % side, row = i / side;
        float x = -20.0f + 40.0f * ((float)column + 0.5f) / (float)side;
        float y = -20.0f + 40.0f * ((float)row + 0.5f) / (float)side;
        kerb_plan_end from = kerb_plan_end_make(0.0f, 0.0f, 0.5f * KERB_PI, 0.0f);
        kerb_plan_end to = kerb_plan_end_make(x, y, 0.5f * KERB_PI, 0.0f);
        const kerb_plan_query query = {&from, &to, 1, 1};
        kerb_plan_search search;
        if (kerb_plan_search_create(&search, &limits, &settings, &host, NULL) != KERB_OK) {
            figure->out_of_memory = true;
            return;
        }
        if (kerb_plan_search_begin(&search, &query, NULL) == KERB_OK) {
            kerb_plan_search_advance(&search, settings.expansions + 1);
            kerb_plan plan = kerb_plan_search_get_plan(&search);
            if (plan.count > 0) {
                kerb_scene_thesis_point(figure, goals, (double)x, (double)y);
            } else {
                kerb_plan effort = kerb_plan_search_get_partial_plan(&search);
                kerb_vec2 end = {0.0f, 0.0f};
                if (effort.count > 0)
                    end = kerb_plan_at(&effort, effort.time).pose.position;
                kerb_scene_thesis_point(figure, arrows, (double)end.x, (double)end.y);
                kerb_scene_thesis_point(figure, arrows, (double)x, (double)y);
            }
        }
        kerb_plan_search_destroy(&search);
    }
    snprintf(goals->label, sizeof goals->label, "reached: %d of %d", (int)goals->count,
             (int)(side * side));
    kerb_scene_thesis_fit(panel, true);
}

// --------------------------------------------------------------------------- costs to all places

typedef struct searches_costs {
    thesis_figure* figure;
    kerb_plan_limits limits;
    kerb_plan_search_settings settings;
} searches_costs;

static float cost_to_place(const void* context, float x, float y) {
    const searches_costs* c = context;
    kerb_plan_end from = kerb_plan_end_make(0.0f, 0.0f, 0.5f * KERB_PI, 0.0f);
    kerb_plan_end to = kerb_plan_end_make(x, y, 0.5f * KERB_PI, 0.0f);
    const kerb_plan_query query = {&from, &to, 1, 1};
    kerb_scene_thesis_result found =
        kerb_scene_thesis_search(c->figure, NULL, &c->limits, &c->settings, &query, NULL);
    return found.found ? found.cost : (float)NAN;
}

static void draw_costs(const kerb_scene_thesis* thesis, int32_t detail, thesis_figure* figure) {
    searches_costs c = {figure, kerb_plan_limits_default(), kerb_scene_thesis_settings(thesis)};
    c.settings.expansions = detail < 20 ? 300 : 3000;
    c.settings.nodes = 8 * c.settings.expansions;
    thesis_panel* panel = place(figure, "");
    panel->is_map = true;
    panel->x0 = panel->y0 = -20.0, panel->x1 = panel->y1 = 20.0;
    // Each is a search: a map of fewer cells.
    kerb_scene_thesis_heat(figure, panel, 2 * detail / 3, 2 * detail / 3, "time [s]", cost_to_place,
                           &c);
}

// --------------------------------------------------------------------------- bends

static void draw_arc(thesis_figure* figure, thesis_series* series,
                     const kerb_scene_thesis_road* road, double aside) {
    double side = road->angle < 0.0f ? -1.0 : 1.0, turn = fabs((double)road->angle);
    double radius = (double)road->radius - side * aside;
    if (series->count > 0)
        kerb_scene_thesis_gap(figure, series);
    for (int32_t i = 0; i <= 40; i++) {
        double angle = turn * i / 40.0;
        kerb_scene_thesis_point(figure, series, radius * sin(angle),
                                side * ((double)road->radius - radius * cos(angle)));
    }
}

static void draw_road(thesis_figure* figure, thesis_panel* panel,
                      const kerb_scene_thesis_road* road) {
    thesis_series* edges =
        kerb_scene_thesis_series_add(panel, KERB_SCENE_THESIS_DASHED, "usable width", 7);
    draw_arc(figure, edges, road, (double)road->half_width);
    draw_arc(figure, edges, road, -(double)road->half_width);
    thesis_series* ideal =
        kerb_scene_thesis_series_add(panel, KERB_SCENE_THESIS_DASHED, "ideal line", 1);
    draw_arc(figure, ideal, road, 0.0);
}

static kerb_scene_thesis_result plan_road(thesis_figure* figure, thesis_series* line,
                                          const kerb_plan_limits* limits,
                                          const kerb_plan_search_settings* settings,
                                          kerb_scene_thesis_road* road, float speed) {
    kerb_scene_thesis_road_ends ends;
    const kerb_plan_query query = kerb_scene_thesis_road_query(limits, road, speed, &ends);
    const kerb_plan_world world = {.is_free = kerb_scene_thesis_is_on_road, .context = road};
    return kerb_scene_thesis_search(figure, line, limits, settings, &query, &world);
}

static void draw_widths(const kerb_scene_thesis* thesis, int32_t detail, thesis_figure* figure) {
    thesis_panel* panel = place(figure, "");
    kerb_plan_limits limits = kerb_scene_thesis_width_limits();
    kerb_plan_search_settings settings = kerb_scene_thesis_width_settings(thesis);
    settings.expansions = detail < 20 ? 500 : settings.expansions;
    for (int32_t i = 0; i < KERB_SCENE_THESIS_WIDTHS; i += detail < 20 ? 5 : 1) {
        char label[40];
        snprintf(label, sizeof label, "%.1f m", 0.6 * (i + 1));
        thesis_series* line =
            kerb_scene_thesis_series_add(panel, KERB_SCENE_THESIS_LINE, label, i % 6);
        kerb_scene_thesis_road road = kerb_scene_thesis_road_of_width(i);
        plan_road(figure, line, &limits, &settings, &road, KERB_SCENE_THESIS_SPEED);
    }
    kerb_scene_thesis_road widest = kerb_scene_thesis_road_of_width(KERB_SCENE_THESIS_WIDTHS - 1);
    draw_road(figure, panel, &widest);
    kerb_scene_thesis_fit(panel, true);
}

// The usable band, with cells of half a metre beside it. (5.4)
static void draw_band(thesis_figure* figure) {
    kerb_scene_thesis_road road = {8.0f, -0.5f * KERB_PI, 1.5f};
    thesis_panel* panel = place(figure, "r 8 m, w_r 6 m, w_u 3 m");
    thesis_series* blocked =
        kerb_scene_thesis_series_add(panel, KERB_SCENE_THESIS_DOTS, "blocked cell", 4);
    thesis_series* open =
        kerb_scene_thesis_series_add(panel, KERB_SCENE_THESIS_DOTS, "free cell", 3);
    for (int32_t i = 0; i < 24 * 24; i++) {
        int32_t column = i % 24, row = i / 24;
        double x = -0.5 + 0.5 * (column + 0.5), y = 3.5 - 0.5 * (row + 0.5);
        double away = hypot(x, y + 8.0) - 8.0;
        if (x < 0.0 || y < -8.0 || fabs(away) > 3.0)
            continue;
        bool is_free =
            kerb_scene_thesis_is_on_road(&road, kerb_pose_make((float)x, (float)y, 0.0f));
        kerb_scene_thesis_point(figure, is_free ? open : blocked, x, y);
    }
    draw_road(figure, panel, &road);
    kerb_scene_thesis_road whole = road;
    whole.half_width = 3.0f;
    thesis_series* edges = kerb_scene_thesis_series_add(panel, KERB_SCENE_THESIS_LINE, "road", 6);
    draw_arc(figure, edges, &whole, 3.0);
    draw_arc(figure, edges, &whole, -3.0);
    kerb_scene_thesis_fit(panel, true);
}

static void draw_curve(const kerb_scene_thesis* thesis, int32_t curve, thesis_figure* figure) {
    static const float radius[] = {5.0f, 6.5f, 8.0f};
    thesis_panel* panel = place(figure, "");
    kerb_plan_search_settings settings = kerb_scene_thesis_settings(thesis);
    settings.expansions = settings.expansions < 20000 ? settings.expansions : 20000;
    kerb_scene_thesis_road road = kerb_scene_thesis_road_of(curve);
    for (int32_t i = 0; i < 3; i++) {
        kerb_plan_limits limits = kerb_scene_thesis_as_a_point(kerb_plan_limits_default());
        limits.turning_radius = radius[i];
        char label[40];
        snprintf(label, sizeof label, "turning radius %.1f m", (double)radius[i]);
        thesis_series* line = kerb_scene_thesis_series_add(panel, KERB_SCENE_THESIS_LINE, label, i);
        plan_road(figure, line, &limits, &settings, &road, 5.0f);
    }
    draw_road(figure, panel, &road);
    kerb_scene_thesis_fit(panel, true);
}

// A vehicle each half second of the plan, as its outline. (5.8)
static void draw_outlines(thesis_figure* figure, thesis_panel* panel, const kerb_plan* plan) {
    thesis_series* outline =
        kerb_scene_thesis_series_add(panel, KERB_SCENE_THESIS_LINE, "vehicle", 0);
    const kerb_plan_limits car = kerb_plan_limits_default();
    const float corner[5][2] = {{car.front, 0.5f * car.width},
                                {-car.rear, 0.5f * car.width},
                                {-car.rear, -0.5f * car.width},
                                {car.front, -0.5f * car.width},
                                {car.front, 0.5f * car.width}};
    const int32_t count = plan->count > 0 ? (int32_t)(2.0f * plan->time) + 2 : 0;
    for (int32_t k = 0; k < count; k++) {
        float time = kerb_min(0.5f * (float)k, plan->time);
        kerb_pose pose = kerb_plan_at(plan, time).pose;
        float sine = pose.forward.y, cosine = pose.forward.x;
        for (int32_t i = 0; i < 5; i++) {
            float x = corner[i][0], y = corner[i][1];
            kerb_scene_thesis_point(figure, outline,
                                    (double)(pose.position.x + cosine * x - sine * y),
                                    (double)(pose.position.y + sine * x + cosine * y));
        }
        kerb_scene_thesis_gap(figure, outline);
    }
}

static void draw_vehicles(const kerb_scene_thesis* thesis, thesis_figure* figure) {
    kerb_plan_search_settings settings = kerb_scene_thesis_settings(thesis);
    settings.expansions = settings.expansions < 20000 ? settings.expansions : 20000;
    const kerb_host host = kerb_host_default();
    for (int32_t curve = 0; curve < KERB_SCENE_THESIS_CURVES; curve++) {
        thesis_panel* panel = place(figure, kerb_scene_thesis_curves[curve].name);
        kerb_plan_limits limits = kerb_scene_thesis_as_a_point(kerb_plan_limits_default());
        kerb_scene_thesis_road road = kerb_scene_thesis_road_of(curve);
        kerb_scene_thesis_road_ends ends;
        const kerb_plan_query query = kerb_scene_thesis_road_query(&limits, &road, 5.0f, &ends);
        const kerb_plan_world world = {.is_free = kerb_scene_thesis_is_on_road, .context = &road};
        kerb_plan_search search;
        if (kerb_plan_search_create(&search, &limits, &settings, &host, NULL) != KERB_OK) {
            figure->out_of_memory = true;
            return;
        }
        if (kerb_plan_search_set_world(&search, &world, NULL) == KERB_OK &&
            kerb_plan_search_begin(&search, &query, NULL) == KERB_OK) {
            kerb_plan_search_advance(&search, settings.expansions + 1);
            kerb_plan plan = kerb_plan_search_get_plan(&search);
            draw_outlines(figure, panel, &plan);
        }
        kerb_plan_search_destroy(&search);
        draw_road(figure, panel, &road);
        kerb_scene_thesis_fit(panel, true);
    }
}

// --------------------------------------------------------------------------- headings

static void draw_directions(const kerb_scene_thesis* thesis, thesis_figure* figure) {
    static const float degrees[] = {1.0f, 2.0f, 10.0f};
    thesis_panel* panel = place(figure, "");
    kerb_plan_limits limits = kerb_plan_limits_default();
    kerb_plan_end from = kerb_plan_end_make(0.0f, 0.0f, 0.0f, 5.0f);
    kerb_plan_end to = kerb_plan_end_make(26.0f, 15.0f, 2.0f, 5.0f);
    const kerb_plan_query query = {&from, &to, 1, 1};
    for (int32_t i = 0; i < 3; i++) {
        kerb_plan_search_settings settings = kerb_scene_thesis_settings(thesis);
        settings.heading_cell = degrees[i] * KERB_PI / 180.0f;
        if (i == 2)
            settings.turn_step = settings.heading_cell;
        thesis_series* line = kerb_scene_thesis_series_add(panel, KERB_SCENE_THESIS_LINE, "", i);
        kerb_scene_thesis_result r =
            kerb_scene_thesis_search(figure, line, &limits, &settings, &query, NULL);
        if (r.found)
            snprintf(line->label, sizeof line->label, "%d deg: %d expansions, %.2f s",
                     (int)degrees[i], (int)r.expansions, (double)r.cost);
        else
            snprintf(line->label, sizeof line->label, "%d deg: not found", (int)degrees[i]);
    }
    draw_ends(figure, panel, &from, &to);
    kerb_scene_thesis_fit(panel, true);
}

void kerb_scene_thesis_draw_searches(const kerb_scene_thesis* thesis, const char* name,
                                     int32_t detail, thesis_figure* figure) {
    if (name[0] == 'A')
        draw_curve(thesis, atoi(name + 2) - 6, figure);
    else if (strcmp(name, "4.4") == 0)
        draw_too_short(figure);
    else if (strcmp(name, "4.5") == 0)
        draw_backing_up(figure);
    else if (strcmp(name, "4.10") == 0)
        draw_probe_first(detail, figure);
    else if (strcmp(name, "5.1") == 0)
        draw_radii(figure);
    else if (strcmp(name, "5.2") == 0)
        draw_circles(figure);
    else if (strcmp(name, "5.3") == 0)
        kerb_scene_thesis_draw_directional(detail, figure);
    else if (strcmp(name, "5.4") == 0)
        draw_band(figure);
    else if (strcmp(name, "5.6") == 0)
        draw_widths(thesis, detail, figure);
    else if (strcmp(name, "5.8") == 0)
        draw_vehicles(thesis, figure);
    else if (strcmp(name, "5.11") == 0)
        draw_costs(thesis, detail, figure);
    else if (strcmp(name, "5.15") == 0)
        draw_directions(thesis, figure);
    else if (strcmp(name, "5.16") == 0)
        draw_probe_ends(detail, figure);
}
