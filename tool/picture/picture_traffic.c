// Purpose: density and flow of a run on its map.
// Idea:    Of each lane the time and distance of all vehicles on it are summed. Over its length and
//          the run's time they are the density and the flow (Edie 1963).
// Cost:    O(vehicles) for each step, O(segments) for the picture.
#include "tool/picture/picture_traffic.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool tool_traffic_flow_make(tool_traffic_flow* flow, const kerb_network* network) {
    kerb_network_size size = kerb_network_size_of(network);
    flow->count = size.lanes + size.turns;
    flow->vehicle_seconds = calloc((size_t)flow->count, sizeof *flow->vehicle_seconds);
    flow->metres = calloc((size_t)flow->count, sizeof *flow->metres);
    return flow->vehicle_seconds && flow->metres;
}

void tool_traffic_flow_free(tool_traffic_flow* flow) {
    free(flow->vehicle_seconds);
    free(flow->metres);
    memset(flow, 0, sizeof *flow);
}

void tool_traffic_flow_add(tool_traffic_flow* flow, const kerb_scene_city_run* run) {
    double dt = (double)run->set_up.dt;
    for (int32_t i = 0; flow->count > 0 && i < run->vehicles_max; i++) {
        kerb_traffic_vehicle v = kerb_traffic_vehicle_of(&run->traffic, &run->network, i);
        if (v.segment < 0 || v.segment >= flow->count)
            continue;
        flow->vehicle_seconds[v.segment] += dt;
        flow->metres[v.segment] += dt * (double)v.speed;
    }
}

#if defined(KERB_HAVE_CAIRO)

#include "tool/picture/color_map.h"
#include "tool/picture/picture_file.h"
#include "tool/picture/picture_ink.h"

#define TRAFFIC_PANEL 620.0
#define TRAFFIC_MARGIN 24.0
#define TRAFFIC_HEAD 56.0
#define DENSITY_MOST 0.12 // vehicles a metre at which a lane is full of colour
#define FLOW_MOST 1500.0  // vehicles an hour

typedef struct traffic_picture {
    const tool_traffic_flow* flow;
    const kerb_scene_city_run* run;
    double left, bottom, scale; // of the map
} traffic_picture;

static void fit_map(traffic_picture* p) {
    const kerb_network_plan* plan = p->run->plan;
    double low[2] = {HUGE_VAL, HUGE_VAL}, high[2] = {-HUGE_VAL, -HUGE_VAL};
    for (int32_t i = 0; i < plan->point_count; i++) {
        low[0] = fmin(low[0], (double)plan->points[i].x);
        low[1] = fmin(low[1], (double)plan->points[i].y);
        high[0] = fmax(high[0], (double)plan->points[i].x);
        high[1] = fmax(high[1], (double)plan->points[i].y);
    }
    double size = fmax(fmax(high[0] - low[0], high[1] - low[1]), 1.0);
    p->scale = (TRAFFIC_PANEL - 2.0 * TRAFFIC_MARGIN) / size;
    p->left = low[0] - 0.5 * (size - (high[0] - low[0]));
    p->bottom = low[1] - 0.5 * (size - (high[1] - low[1]));
}

static void draw_lane(cairo_t* cr, const traffic_picture* p, int32_t segment, double value,
                      double origin) {
    const kerb_network* network = &p->run->network;
    float length = kerb_network_length(network, segment);
    int32_t steps = (int32_t)(length / 10.0f) + 1;
    tool_color color = tool_color_map(1.0 - value);
    for (int32_t i = 0; i <= steps; i++) {
        kerb_vec3 at =
            kerb_network_at(network, segment, length * (float)i / (float)steps, 0.0f).position;
        cairo_line_to(cr, origin + TRAFFIC_MARGIN + ((double)at.x - p->left) * p->scale,
                      TRAFFIC_HEAD + TRAFFIC_PANEL - TRAFFIC_MARGIN -
                          ((double)at.y - p->bottom) * p->scale);
    }
    double width = (double)kerb_network_segment_of(network, segment).width * p->scale;
    cairo_set_line_width(cr, fmax(0.9 * width, 0.7));
    if (value > 0.0)
        cairo_set_source_rgb(cr, color.red, color.green, color.blue);
    else
        ink_color(cr, INK_CORRIDOR_EDGE, 1.0);
    cairo_stroke(cr);
}

static void draw_map(cairo_t* cr, const traffic_picture* p, bool density, double origin) {
    double time = fmax(p->run->time, 1.0);
    for (int32_t i = p->flow->count - 1; i >= 0; i--) {
        double length = fmax((double)kerb_network_length(&p->run->network, i), 1.0);
        double value = density ? p->flow->vehicle_seconds[i] / time / length / DENSITY_MOST
                               : 3600.0 * p->flow->metres[i] / time / length / FLOW_MOST;
        draw_lane(cr, p, i, fmin(value, 1.0), origin);
    }
}

static void draw_scale(cairo_t* cr, double x, double y, const char* most) {
    ink_style note = {11.0, false, INK_TEXT_FAINT, INK_LEFT};
    for (int32_t i = 0; i < 60; i++) {
        tool_color color = tool_color_map(1.0 - i / 59.0);
        cairo_set_source_rgb(cr, color.red, color.green, color.blue);
        cairo_rectangle(cr, x + 2.0 * i, y, 2.5, 8.0);
        cairo_fill(cr);
    }
    ink_text(cr, x - 10.0, y + 8.0, "0", &note);
    ink_text(cr, x + 126.0, y + 8.0, most, &note);
}

static void draw_traffic(cairo_t* cr, const void* context) {
    const traffic_picture* p = context;
    ink_style title = {16.0, true, INK_TEXT, INK_LEFT};
    ink_color(cr, INK_PAGE, 1.0);
    cairo_paint(cr);
    draw_map(cr, p, true, 0.0);
    draw_map(cr, p, false, TRAFFIC_PANEL);
    ink_text(cr, TRAFFIC_MARGIN, 26.0, "Density", &title);
    draw_scale(cr, TRAFFIC_MARGIN + 12.0, 36.0, "120 vehicles a kilometre");
    ink_text(cr, TRAFFIC_PANEL + TRAFFIC_MARGIN, 26.0, "Flow", &title);
    draw_scale(cr, TRAFFIC_PANEL + TRAFFIC_MARGIN + 12.0, 36.0, "1500 vehicles an hour");
}

tool_status tool_picture_traffic_write(const char* svg, const char* png,
                                       const tool_traffic_flow* flow,
                                       const kerb_scene_city_run* run) {
    traffic_picture picture = {.flow = flow, .run = run};
    fit_map(&picture);
    const picture_page page = {2.0 * TRAFFIC_PANEL, TRAFFIC_PANEL + TRAFFIC_HEAD, draw_traffic,
                               &picture};
    tool_status status = svg ? picture_file_write(svg, PICTURE_SVG, &page) : TOOL_DONE;
    if (status == TOOL_DONE && png)
        status = picture_file_write(png, PICTURE_PNG, &page);
    return status;
}

#else

tool_status tool_picture_traffic_write(const char* svg, const char* png,
                                       const tool_traffic_flow* flow,
                                       const kerb_scene_city_run* run) {
    (void)flow;
    (void)run;
    return tool_complain("%s: this kerb was built without cairo, which draws the pictures",
                         svg ? svg : png);
}

#endif
