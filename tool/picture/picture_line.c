// One page: the map to the left, the g-g diagram to the right, the charts over distance below.
// Sizes in points, y down.
#include "tool/picture/picture_line.h"

#ifdef KERB_HAVE_CAIRO

#include "tool/picture/color_map.h"
#include "tool/picture/picture_chart.h"
#include "tool/picture/picture_file.h"
#include "tool/picture/picture_key.h"
#include "tool/picture/picture_map.h"
#include "tool/picture/picture_track.h"

#include <math.h>
#include <stdio.h>

#define PICTURE_LINE_WIDTH 1120.0
#define PICTURE_LINE_MARGIN 30.0
#define PICTURE_LINE_HEAD 62.0
#define PICTURE_LINE_SCALE_ROOM 170.0 // for the bar and its text
#define PICTURE_LINE_PADDING 22.0
#define PICTURE_LINE_GAP 16.0
#define TOP_HEIGHT 470.0
#define CHART_HEIGHT 190.0
#define PICTURE_LINE_MAP_WIDTH 640.0
#define PICTURE_LINE_AXIS_ROOM 40.0
#define PICTURE_LINE_HEIGHT                                                                        \
    (PICTURE_LINE_HEAD + TOP_HEIGHT + 2.0 * (PICTURE_LINE_GAP + CHART_HEIGHT) + PICTURE_LINE_MARGIN)

// --------------------------------------------------------------------------- the line

// One of so many steps of colour, so that a stretch of one colour is one stroke.
#define COLORS 64

static int32_t picture_line_color_of(const tool_picture_line* line, int32_t i, double full) {
    double speed = line->points[i % line->count].speed;
    return (int32_t)(COLORS * fmin(fmax(speed / full, 0.0), 1.0));
}

static void picture_line_draw_line(cairo_t* cr, const map_view* view,
                                   const tool_picture_line* line) {
    double full = chart_speed_full(line);
    int32_t last = line->closed ? line->count : line->count - 1;
    cairo_set_line_cap(cr, CAIRO_LINE_CAP_ROUND);
    cairo_set_line_join(cr, CAIRO_LINE_JOIN_ROUND);
    cairo_set_line_width(cr, 2.4);
    for (int32_t i = 0; i <= last; i++) {
        const tool_picture_line_point* at = &line->points[i % line->count];
        map_spot spot = map_place(view, at->x, at->y);
        cairo_line_to(cr, spot.x, spot.y);
        int32_t shade = picture_line_color_of(line, i, full);
        if (i == 0 || (i < last && shade == picture_line_color_of(line, i - 1, full)))
            continue;
        tool_color color = tool_color_map(MAP_COLOR_SHARE * shade / COLORS);
        cairo_set_source_rgb(cr, color.red, color.green, color.blue);
        cairo_stroke(cr);
        cairo_move_to(cr, spot.x, spot.y);
    }
    cairo_new_path(cr);
}

static void picture_line_draw_marks(cairo_t* cr, const map_view* view,
                                    const tool_picture_line* line) {
    for (int32_t i = 0; i < line->count; i++) {
        if (!chart_brakes_from(line, i))
            continue;
        map_spot at = map_place(view, line->points[i].x, line->points[i].y);
        ink_color(cr, INK_WARNING, 1.0);
        cairo_arc(cr, at.x, at.y, 3.6, 0.0, 6.2832);
        cairo_fill(cr);
    }
    map_spot start = map_place(view, line->points[0].x, line->points[0].y);
    map_mark_start(cr, start.x, start.y);
}

// Speed as colour, at the foot of the map.
static void draw_colors(cairo_t* cr, ink_box card, double full) {
    const ink_style note = {10.0, false, INK_TEXT_FAINT, INK_LEFT};
    double x = card.x + PICTURE_LINE_PADDING, y = card.y + card.height - 26.0, width = 150.0;
    for (int32_t i = 0; i < 75; i++) {
        tool_color color = tool_color_map(MAP_COLOR_SHARE * i / 74.0);
        cairo_set_source_rgb(cr, color.red, color.green, color.blue);
        cairo_rectangle(cr, x + 2.0 * i, y, 2.3, 7.0);
        cairo_fill(cr);
    }
    char text[32];
    ink_text(cr, x, y + 18.0, "0", &note);
    snprintf(text, sizeof text, "%g m/s", full);
    ink_text(cr, x + width - 6.0, y + 18.0, text, &note);
}

static void picture_line_draw_map(cairo_t* cr, ink_box card, const tool_picture_line* line) {
    ink_box box = {card.x + PICTURE_LINE_PADDING, card.y + PICTURE_LINE_PADDING,
                   card.width - 2.0 * PICTURE_LINE_PADDING,
                   card.height - 2.0 * PICTURE_LINE_PADDING - 22.0};
    map_view view = map_view_make(picture_track_extent(line->track), box);
    picture_track_draw(cr, &view, line->track);
    picture_line_draw_line(cr, &view, line);
    picture_line_draw_marks(cr, &view, line);
    draw_colors(cr, card, chart_speed_full(line));
    key_draw_scale_bar(cr, card.x + card.width - PICTURE_LINE_PADDING - PICTURE_LINE_SCALE_ROOM,
                       card.y + card.height - 20.0, &view, PICTURE_LINE_SCALE_ROOM - 50.0);
}

// --------------------------------------------------------------------------- the page

// Room for a chart's labels within its card.
static ink_box picture_line_inside(ink_box card) {
    ink_box box = {card.x + PICTURE_LINE_PADDING + PICTURE_LINE_AXIS_ROOM, card.y + 30.0,
                   card.width - 2.0 * PICTURE_LINE_PADDING - PICTURE_LINE_AXIS_ROOM,
                   card.height - 60.0};
    return box;
}

static void picture_line_draw_page(cairo_t* cr, const void* context) {
    const tool_picture_line* line = context;
    const ink_style title = {17.0, true, INK_TEXT, INK_LEFT},
                    note = {12.0, false, INK_TEXT_FAINT, INK_LEFT};
    double inner = PICTURE_LINE_WIDTH - 2.0 * PICTURE_LINE_MARGIN,
           right = PICTURE_LINE_MARGIN + PICTURE_LINE_MAP_WIDTH + PICTURE_LINE_GAP;
    const ink_box map = {PICTURE_LINE_MARGIN, PICTURE_LINE_HEAD, PICTURE_LINE_MAP_WIDTH,
                         TOP_HEIGHT};
    const ink_box gg = {right, PICTURE_LINE_HEAD, inner - PICTURE_LINE_MAP_WIDTH - PICTURE_LINE_GAP,
                        TOP_HEIGHT};
    const ink_box bends = {PICTURE_LINE_MARGIN, PICTURE_LINE_HEAD + TOP_HEIGHT + PICTURE_LINE_GAP,
                           inner, CHART_HEIGHT};
    const ink_box speed = {PICTURE_LINE_MARGIN, bends.y + CHART_HEIGHT + PICTURE_LINE_GAP, inner,
                           CHART_HEIGHT};
    ink_color(cr, INK_PAGE, 1.0);
    cairo_paint(cr);
    ink_text_within(cr, PICTURE_LINE_MARGIN, 26.0, inner, line->title, &title);
    ink_text_within(cr, PICTURE_LINE_MARGIN, 45.0, inner, line->note, &note);
    picture_card(cr, map);
    picture_card(cr, gg);
    picture_card(cr, bends);
    picture_card(cr, speed);
    picture_line_draw_map(cr, map, line);
    chart_draw_gg(cr, picture_line_inside(gg), line);
    chart_draw_curvature(cr, picture_line_inside(bends), line);
    chart_draw_speed(cr, picture_line_inside(speed), line);
}

tool_status tool_picture_line_write(const char* svg, const char* png,
                                    const tool_picture_line* line) {
    const picture_page page = {PICTURE_LINE_WIDTH, PICTURE_LINE_HEIGHT, picture_line_draw_page,
                               line};
    tool_status status = svg ? picture_file_write(svg, PICTURE_SVG, &page) : TOOL_DONE;
    if (status == TOOL_DONE && png)
        status = picture_file_write(png, PICTURE_PNG, &page);
    return status;
}

#else

tool_status tool_picture_line_write(const char* svg, const char* png,
                                    const tool_picture_line* line) {
    (void)line;
    return tool_complain("%s cannot be drawn: this command was built without cairo",
                         svg   ? svg
                         : png ? png
                               : "a picture");
}

#endif
