// Purpose: panels, series and heat maps of the thesis's figures.
// Idea:    a series grows by doubling. A figure that ran out of memory says so once, at the end.
#include "scene/thesis/thesis_ink.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

thesis_panel* kerb_scene_thesis_panel_add(thesis_figure* figure, const char* title,
                                          const char* x_label, const char* y_label) {
    int32_t at = figure->count < KERB_SCENE_THESIS_PANELS ? figure->count++ : figure->count - 1;
    thesis_panel* panel = &figure->panels[at];
    snprintf(panel->title, sizeof panel->title, "%s", title);
    panel->x_label = x_label;
    panel->y_label = y_label;
    return panel;
}

thesis_series* kerb_scene_thesis_series_add(thesis_panel* panel, kerb_scene_thesis_mark mark,
                                            const char* label, int32_t color) {
    int32_t at = panel->count < KERB_SCENE_THESIS_SERIES ? panel->count++ : panel->count - 1;
    thesis_series* series = &panel->series[at];
    series->mark = mark;
    snprintf(series->label, sizeof series->label, "%s", label);
    series->color = color;
    return series;
}

void kerb_scene_thesis_point(thesis_figure* figure, thesis_series* series, double x, double y) {
    if (series->count == series->capacity) {
        int32_t capacity = series->capacity ? 2 * series->capacity : 64;
        float* grown_x = realloc(series->x, (size_t)capacity * sizeof(float));
        series->x = grown_x ? grown_x : series->x;
        float* grown_y = realloc(series->y, (size_t)capacity * sizeof(float));
        series->y = grown_y ? grown_y : series->y;
        if (!grown_x || !grown_y) {
            figure->out_of_memory = true;
            return;
        }
        series->capacity = capacity;
    }
    series->x[series->count] = (float)x;
    series->y[series->count++] = (float)y;
}

void kerb_scene_thesis_gap(thesis_figure* figure, thesis_series* series) {
    kerb_scene_thesis_point(figure, series, (double)NAN, (double)NAN);
}

void kerb_scene_thesis_fit(thesis_panel* panel, bool is_map) {
    double x0 = 1e30, x1 = -1e30, y0 = 1e30, y1 = -1e30;
    for (int32_t i = 0; i < panel->count; i++)
        for (int32_t k = 0; k < panel->series[i].count; k++) {
            double x = (double)panel->series[i].x[k], y = (double)panel->series[i].y[k];
            if (x != x || y != y) // not a number
                continue;
            x0 = fmin(x0, x), x1 = fmax(x1, x);
            y0 = fmin(y0, y), y1 = fmax(y1, y);
        }
    if (x0 > x1)
        x0 = y0 = 0.0, x1 = y1 = 1.0;
    if (!is_map)
        y0 = fmin(y0, 0.0);
    double wide = fmax(0.05 * (x1 - x0), 1e-3), high = fmax(0.05 * (y1 - y0), 1e-3);
    panel->is_map = is_map;
    panel->x0 = is_map ? x0 - wide : x0;
    panel->x1 = is_map ? x1 + wide : x1;
    panel->y0 = is_map ? y0 - high : y0;
    panel->y1 = y1 + high;
}

void kerb_scene_thesis_heat(thesis_figure* figure, thesis_panel* panel, int32_t columns,
                            int32_t rows, const char* label,
                            float (*value)(const void* context, float x, float y),
                            const void* context) {
    panel->heat = malloc((size_t)columns * (size_t)rows * sizeof(float));
    if (!panel->heat) {
        figure->out_of_memory = true;
        return;
    }
    panel->columns = columns;
    panel->rows = rows;
    panel->heat_label = label;
    double wide = (panel->x1 - panel->x0) / columns, high = (panel->y1 - panel->y0) / rows;
    for (int32_t i = 0; i < rows; i++)
        for (int32_t k = 0; k < columns; k++)
            panel->heat[i * columns + k] = value(context, (float)(panel->x0 + (k + 0.5) * wide),
                                                 (float)(panel->y0 + (i + 0.5) * high));
}

#define INK_STEP 0.15f // between points of a movement's line [s]

void kerb_scene_thesis_trace(thesis_figure* figure, thesis_series* series, const kerb_plan* plan) {
    if (plan->count == 0)
        return;
    int32_t steps = (int32_t)(plan->time / INK_STEP) + 1;
    if (series->count > 0)
        kerb_scene_thesis_gap(figure, series);
    for (int32_t i = 0; i <= steps; i++) {
        kerb_plan_state state = kerb_plan_at(plan, plan->time * (float)i / (float)steps);
        kerb_scene_thesis_point(figure, series, (double)state.pose.position.x,
                                (double)state.pose.position.y);
    }
}

kerb_scene_thesis_result kerb_scene_thesis_search(thesis_figure* figure, thesis_series* series,
                                                  const kerb_plan_limits* limits,
                                                  const kerb_plan_search_settings* settings,
                                                  const kerb_plan_query* query,
                                                  const kerb_plan_world* world) {
    const kerb_host host = kerb_host_default();
    kerb_scene_thesis_result result = {0};
    kerb_plan_search search;
    if (kerb_plan_search_create(&search, limits, settings, &host, NULL) != KERB_OK) {
        figure->out_of_memory = true;
        return result;
    }
    if ((!world || kerb_plan_search_set_world(&search, world, NULL) == KERB_OK) &&
        kerb_plan_search_begin(&search, query, NULL) == KERB_OK) {
        kerb_plan_search_advance(&search, settings->expansions + 1);
        kerb_plan plan = kerb_plan_search_get_plan(&search);
        result.expansions = kerb_plan_search_get_report(&search).expansions;
        result.found = result.valid = plan.count > 0;
        result.cost = plan.cost;
        result.length = plan.length;
        if (series)
            kerb_scene_thesis_trace(figure, series, &plan);
    }
    kerb_plan_search_destroy(&search);
    return result;
}

void kerb_scene_thesis_histogram(kerb_scene_thesis_figure* figure, const double* values,
                                 int32_t count, double low, double high, int32_t bars,
                                 const char* x_label) {
    thesis_panel* panel = kerb_scene_thesis_panel_add(figure, "", x_label, "searches");
    thesis_series* series = kerb_scene_thesis_series_add(panel, KERB_SCENE_THESIS_BARS, "", 0);
    double most = 0.0;
    for (int32_t i = 0; i < bars; i++) {
        int32_t in = 0;
        for (int32_t k = 0; k < count; k++) {
            double at = floor((values[k] - low) / (high - low) * bars);
            in += (int32_t)fmin(fmax(at, 0.0), bars - 1.0) == i;
        }
        kerb_scene_thesis_point(figure, series, low + (high - low) * i / bars, in);
        most = fmax(most, in);
    }
    panel->x0 = low;
    panel->x1 = high;
    panel->y1 = 1.05 * fmax(most, 1.0);
}

void kerb_scene_thesis_figure_free(kerb_scene_thesis_figure* figure) {
    for (int32_t i = 0; i < figure->count; i++) {
        thesis_panel* panel = &figure->panels[i];
        free(panel->heat);
        for (int32_t k = 0; k < panel->count; k++) {
            free(panel->series[k].x);
            free(panel->series[k].y);
        }
    }
    memset(figure, 0, sizeof *figure);
}
