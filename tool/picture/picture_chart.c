// Every chart has one box for its curves; labels are outside of it.
#include "tool/picture/picture_line.h"

#ifdef KERB_HAVE_CAIRO
#include "tool/picture/picture_chart.h"

#include "tool/picture/color_map.h"
#include "tool/picture/picture_map.h"

#include <math.h>
#include <stdio.h>

// Stronger than drag and rolling resistance: the brakes are on. [m/s²]
#define BRAKES 1.0
// A dot is worth it for so much less speed, and so far from the last braking: in a long corner at
// the limit the brakes are touched all the time. [m/s] [m]
#define SPEED_LOST 2.0
#define SPEED_BACK 0.5
#define BRAKES_APART 20.0
#define AXIS_TEXT 10.0

// --------------------------------------------------------------------------- the line's numbers

static int32_t wrapped(const tool_picture_line* line, int32_t i) {
    if (line->closed && line->count > 0)
        return (i % line->count + line->count) % line->count;
    return i < 0 ? 0 : i >= line->count ? line->count - 1 : i;
}

static const tool_picture_line_point* picture_chart_point_at(const tool_picture_line* line,
                                                             int32_t i) {
    return &line->points[wrapped(line, i)];
}

// Forward acceleration from a point to the next. [m/s²]
static double acceleration_at(const tool_picture_line* line, int32_t i) {
    const tool_picture_line_point *a = picture_chart_point_at(line, i),
                                  *b = picture_chart_point_at(line, i + 1);
    double length = (double)a->profile.length;
    return length > 0.0 ? 0.5 * (b->speed * b->speed - a->speed * a->speed) / length : 0.0;
}

static double picture_chart_length_of(const tool_picture_line* line) {
    double length = 0.0;
    for (int32_t i = 0; i < (line->closed ? line->count : line->count - 1); i++)
        length += (double)line->points[i].profile.length;
    return fmax(length, 1.0);
}

// Of the vehicle and the slope, not of coasting.
static bool brakes_at(const tool_picture_line* line, int32_t i) {
    const kerb_profile_point* at = &picture_chart_point_at(line, i)->profile;
    double speed = picture_chart_point_at(line, i)->speed;
    double coasting = (double)(KERB_GRAVITY * at->up_forward + line->performance->rolling) +
                      (double)line->performance->drag * speed * speed;
    return acceleration_at(line, i) + coasting < -BRAKES;
}

// Speed that goes from here on, until it comes back or the brakes have been off for a while. [m/s]
static double speed_lost(const tool_picture_line* line, int32_t index) {
    double least = picture_chart_point_at(line, index)->speed, off = 0.0;
    for (int32_t k = 1; k < line->count && off < BRAKES_APART; k++) {
        double speed = picture_chart_point_at(line, index + k)->speed;
        if (speed > least + SPEED_BACK)
            break;
        least = fmin(least, speed);
        off += (double)picture_chart_point_at(line, index + k)->profile.length;
        if (brakes_at(line, index + k))
            off = 0.0;
    }
    return picture_chart_point_at(line, index)->speed - least;
}

bool chart_brakes_from(const tool_picture_line* line, int32_t index) {
    if (!brakes_at(line, index) || !brakes_at(line, index + 1))
        return false;
    double gone = 0.0;
    for (int32_t back = 1; gone < BRAKES_APART && back < line->count; back++) {
        gone += (double)picture_chart_point_at(line, index - back)->profile.length;
        if (brakes_at(line, index - back))
            return false;
    }
    return speed_lost(line, index) > SPEED_LOST;
}

double chart_speed_full(const tool_picture_line* line) {
    double most = 1.0;
    for (int32_t i = 0; i < line->count; i++)
        most = fmax(most, line->points[i].speed);
    double step = ink_round_number(most / 4.0);
    return step * ceil(most / step);
}

// --------------------------------------------------------------------------- axes

// What a box shows: from low to high, by `step`.
typedef struct axis {
    double low, high, step;
} axis;

typedef struct chart {
    ink_box box;
    axis x, y;
} chart;

static axis axis_make(double low, double high, double parts) {
    double step = ink_round_number((high - low) / parts);
    axis a = {step * floor(low / step + 1e-9), step * ceil(high / step - 1e-9), step};
    return a;
}

static double place_x(const chart* c, double x) {
    return c->box.x + c->box.width * (x - c->x.low) / (c->x.high - c->x.low);
}

static double picture_chart_place_y(const chart* c, double y) {
    return c->box.y + c->box.height * (c->y.high - y) / (c->y.high - c->y.low);
}

static void draw_rule(cairo_t* cr, double x0, double y0, double x1, double y1, bool zero) {
    ink_color(cr, zero ? INK_CENTRE : INK_CORRIDOR, 1.0);
    cairo_set_line_width(cr, 1.0);
    cairo_move_to(cr, x0, y0);
    cairo_line_to(cr, x1, y1);
    cairo_stroke(cr);
}

static void picture_chart_draw_axes(cairo_t* cr, const chart* c, const char* title) {
    const ink_style across = {AXIS_TEXT, false, INK_TEXT_FAINT, INK_CENTRED};
    const ink_style up = {AXIS_TEXT, false, INK_TEXT_FAINT, INK_RIGHT};
    const ink_style head = {12.0, true, INK_TEXT, INK_LEFT};
    char text[32];
    double bottom = c->box.y + c->box.height, right = c->box.x + c->box.width;
    for (int32_t i = 0; c->x.low + i * c->x.step < c->x.high + 1e-6 * c->x.step; i++) {
        double value = c->x.low + i * c->x.step, x = place_x(c, value);
        draw_rule(cr, x, c->box.y, x, bottom, fabs(value) < 1e-9);
        snprintf(text, sizeof text, "%g", fabs(value) < 1e-9 ? 0.0 : value);
        ink_text(cr, x, bottom + 14.0, text, &across);
    }
    for (int32_t i = 0; c->y.low + i * c->y.step < c->y.high + 1e-6 * c->y.step; i++) {
        double value = c->y.low + i * c->y.step, y = picture_chart_place_y(c, value);
        draw_rule(cr, c->box.x, y, right, y, fabs(value) < 1e-9);
        snprintf(text, sizeof text, "%g", fabs(value) < 1e-9 ? 0.0 : value);
        ink_text(cr, c->box.x - 6.0, y + 3.5, text, &up);
    }
    ink_text(cr, c->box.x, c->box.y - 9.0, title, &head);
}

static chart chart_over_distance(ink_box box, const tool_picture_line* line, double low,
                                 double high, double parts) {
    double length = picture_chart_length_of(line);
    chart c = {box, {0.0, length, ink_round_number(length / 5.0)}, axis_make(low, high, parts)};
    return c;
}

static void clip_to(cairo_t* cr, const chart* c) {
    cairo_save(cr);
    cairo_rectangle(cr, c->box.x, c->box.y, c->box.width, c->box.height);
    cairo_clip(cr);
}

// --------------------------------------------------------------------------- over distance

typedef double picture_chart_value_of(const tool_picture_line* line, int32_t i);

static double curvature_at(const tool_picture_line* line, int32_t i) {
    return (double)picture_chart_point_at(line, i)->profile.curvature;
}

static double picture_chart_speed_at(const tool_picture_line* line, int32_t i) {
    return picture_chart_point_at(line, i)->speed;
}

// Without the vehicle's top speed, so that the curve leaves the chart on straights.
static double limit_at(const tool_picture_line* line, int32_t i) {
    kerb_performance fast = *line->performance;
    fast.speed_max = 1000.0f;
    return (double)kerb_cornering_speed(&fast, &picture_chart_point_at(line, i)->profile);
}

static void picture_chart_draw_curve(cairo_t* cr, const chart* c, const tool_picture_line* line,
                                     picture_chart_value_of* value) {
    double distance = 0.0;
    clip_to(cr, c);
    for (int32_t i = 0; i < line->count + (line->closed ? 1 : 0); i++) {
        // Far above the chart cairo's coordinates would overflow.
        double y = fmin(value(line, i), 3.0 * c->y.high);
        cairo_line_to(cr, place_x(c, distance), picture_chart_place_y(c, y));
        distance += (double)picture_chart_point_at(line, i)->profile.length;
    }
    cairo_set_line_join(cr, CAIRO_LINE_JOIN_ROUND);
    cairo_stroke(cr);
    cairo_restore(cr);
}

void chart_draw_curvature(cairo_t* cr, ink_box box, const tool_picture_line* line) {
    double low = 0.0, high = 0.0;
    for (int32_t i = 0; i < line->count; i++) {
        low = fmin(low, curvature_at(line, i));
        high = fmax(high, curvature_at(line, i));
    }
    chart c = chart_over_distance(box, line, low, fmax(high, low + 1e-4), 4.0);
    picture_chart_draw_axes(cr, &c, "Curvature, left turns upwards [1/m] over distance [m]");
    ink_color(cr, 0x2f6f8fu, 1.0);
    cairo_set_line_width(cr, 1.6);
    picture_chart_draw_curve(cr, &c, line, curvature_at);
}

static void draw_braking_points(cairo_t* cr, const chart* c, const tool_picture_line* line) {
    double distance = 0.0;
    for (int32_t i = 0; i < line->count; i++) {
        if (chart_brakes_from(line, i)) {
            ink_color(cr, INK_WARNING, 1.0);
            cairo_arc(cr, place_x(c, distance),
                      picture_chart_place_y(c, picture_chart_speed_at(line, i)), 3.6, 0.0, 6.2832);
            cairo_fill(cr);
        }
        distance += (double)picture_chart_point_at(line, i)->profile.length;
    }
}

static void draw_speed_key(cairo_t* cr, ink_box box) {
    const ink_style note = {AXIS_TEXT, false, INK_TEXT_FAINT, INK_RIGHT};
    double x = box.x + box.width, y = box.y - 9.0;
    x -= ink_text(cr, x, y, "braking begins", &note) + 9.0;
    ink_color(cr, INK_WARNING, 1.0);
    cairo_arc(cr, x, y - 3.5, 3.6, 0.0, 6.2832);
    cairo_fill(cr);
    x -= 14.0;
    x -= ink_text(cr, x, y, "greatest in the corner", &note) + 5.0;
    draw_rule(cr, x - 16.0, y - 3.5, x, y - 3.5, true);
}

void chart_draw_speed(cairo_t* cr, ink_box box, const tool_picture_line* line) {
    chart c = chart_over_distance(box, line, 0.0, 1.08 * chart_speed_full(line), 5.0);
    picture_chart_draw_axes(cr, &c, "Speed [m/s] over distance [m]");
    draw_speed_key(cr, box);
    ink_color(cr, INK_CENTRE, 1.0);
    cairo_set_line_width(cr, 1.2);
    picture_chart_draw_curve(cr, &c, line, limit_at);
    ink_color(cr, 0x2f6f8fu, 1.0);
    cairo_set_line_width(cr, 2.0);
    picture_chart_draw_curve(cr, &c, line, picture_chart_speed_at);
    draw_braking_points(cr, &c, line);
}

// --------------------------------------------------------------------------- g-g

// What the tyres do along and aside, over the load on them: 1 where they hold as much as presses on
// them. Slopes, banks, crests, drag and downforce are in it, so that the limit is one curve.
typedef struct tyres {
    double along, aside;
} tyres;

// Between a point and the next, as the acceleration is.
static tyres tyres_at(const tool_picture_line* line, int32_t i) {
    const kerb_performance* p = line->performance;
    const double gravity = (double)KERB_GRAVITY;
    double load = 0.0, aside = 0.0, along = acceleration_at(line, i) + (double)p->rolling;
    for (int32_t k = 0; k < 2; k++) {
        const kerb_profile_point* at = &picture_chart_point_at(line, i + k)->profile;
        double square = picture_chart_speed_at(line, i + k) * picture_chart_speed_at(line, i + k),
               grip = (double)at->grip;
        load += 0.5 * grip *
                (gravity * (double)at->up_normal +
                 (double)(at->normal_curvature + p->downforce) * square);
        aside += 0.5 * (gravity * (double)at->up_left + (double)at->curvature * square);
        along += 0.5 * (gravity * (double)at->up_forward + (double)p->drag * square);
    }
    load = fmax(load, 1e-3);
    return (tyres){along / load, aside / load};
}

// What they hold: the lower half brakes, the upper drives.
static void draw_ellipse(cairo_t* cr, const chart* c, const kerb_performance* p) {
    double aside = (double)p->lateral / (double)KERB_GRAVITY;
    for (int32_t i = 0; i <= 72; i++) {
        double turn = 6.283185307 * i / 72.0, along = sin(turn);
        along *= (double)(along < 0.0 ? p->braking : p->accelerating);
        cairo_line_to(cr, place_x(c, -aside * cos(turn)),
                      picture_chart_place_y(c, along / (double)KERB_GRAVITY));
    }
    ink_color(cr, INK_CENTRE, 1.0);
    cairo_set_line_width(cr, 1.2);
    cairo_stroke(cr);
}

static chart chart_of_gg(ink_box box, const tool_picture_line* line) {
    const kerb_performance* p = line->performance;
    double most = (double)kerb_max(p->lateral, kerb_max(p->braking, p->accelerating));
    double reach = 1.06 * most / (double)KERB_GRAVITY, size = fmin(box.width, box.height);
    double step = ink_round_number(reach / 2.0);
    box.width = box.height = size;
    chart c = {box, {-reach, reach, step}, {-reach, reach, step}};
    c.x.low = c.y.low = -step * ceil(reach / step);
    c.x.high = c.y.high = -c.x.low;
    return c;
}

void chart_draw_gg(cairo_t* cr, ink_box box, const tool_picture_line* line) {
    chart c = chart_of_gg(box, line);
    picture_chart_draw_axes(cr, &c, "Tyre force over load, left turns left");
    double full = chart_speed_full(line);
    clip_to(cr, &c);
    for (int32_t i = 0; i < (line->closed ? line->count : line->count - 1); i++) {
        tyres t = tyres_at(line, i);
        tool_color color = tool_color_map(MAP_COLOR_SHARE * picture_chart_speed_at(line, i) / full);
        cairo_set_source_rgba(cr, color.red, color.green, color.blue, 0.75);
        cairo_arc(cr, place_x(&c, -t.aside), picture_chart_place_y(&c, t.along), 1.7, 0.0, 6.2832);
        cairo_fill(cr);
    }
    cairo_restore(cr);
    draw_ellipse(cr, &c, line->performance);
    const ink_style note = {AXIS_TEXT, false, INK_TEXT_FAINT, INK_LEFT};
    ink_text(cr, c.box.x, c.box.y + c.box.height + 38.0,
             "Points: colour of speed. Outline: what the tyres hold.", &note);
    ink_text(cr, c.box.x, c.box.y + c.box.height + 52.0,
             "Slopes, banks, crests, drag and downforce taken out.", &note);
}

#endif
