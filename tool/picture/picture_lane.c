// The road from above with the vehicles in it, the line coloured by speed, and every few seconds
// the car with its rays.
#include "tool/picture/picture_lane.h"

#ifdef KERB_HAVE_CAIRO

#include "tool/picture/color_map.h"
#include "tool/picture/picture_file.h"
#include "tool/picture/picture_key.h"
#include "tool/picture/picture_track.h"

#include <math.h>
#include <stdio.h>

#define PICTURE_LANE_WIDTH 1100.0
#define PICTURE_LANE_HEIGHT 760.0
#define PICTURE_LANE_MARGIN 24.0
#define PICTURE_LANE_HEAD 56.0
#define PICTURE_LANE_FOOT 30.0 // with the key
#define BAR_WIDTH 130.0
#define RAYS_EVERY 90.0 // metres of the way from one fan of rays to the next

static double picture_lane_fastest(const tool_picture_lane* p) {
    double most = 1.0;
    for (int32_t i = 0; i < p->count; i++)
        most = fmax(most, (double)p->spots[i].speed);
    return most;
}

static void picture_lane_draw_line(cairo_t* cr, const map_view* view, const tool_picture_lane* p) {
    double most = picture_lane_fastest(p);
    cairo_set_line_width(cr, 1.8);
    for (int32_t i = 1; i < p->count; i++) {
        const tool_lane_spot *a = &p->spots[i - 1], *b = &p->spots[i];
        map_spot from = map_place(view, (double)a->x, (double)a->y);
        map_spot to = map_place(view, (double)b->x, (double)b->y);
        tool_color color = tool_color_map(MAP_COLOR_SHARE * (double)b->speed / most);
        cairo_set_source_rgb(cr, color.red, color.green, color.blue);
        cairo_move_to(cr, from.x, from.y);
        cairo_line_to(cr, to.x, to.y);
        cairo_stroke(cr);
    }
}

static void draw_fan(cairo_t* cr, const map_view* view, const tool_lane_spot* spot) {
    cairo_set_line_width(cr, 0.6);
    for (int32_t i = 0; i < spot->rays; i++) {
        map_spot from = map_place(view, (double)spot->ray_x[i], (double)spot->ray_y[i]);
        map_spot to = map_place(view, (double)spot->hit_x[i], (double)spot->hit_y[i]);
        bool vehicle = spot->what[i] == KERB_LANE_HIT_VEHICLE;
        ink_color(cr, vehicle ? INK_WARNING : INK_TEXT_FAINT, 0.8);
        cairo_move_to(cr, from.x, from.y);
        cairo_line_to(cr, to.x, to.y);
        cairo_stroke(cr);
        if (spot->what[i] == KERB_LANE_HIT_NOTHING)
            continue;
        cairo_arc(cr, to.x, to.y, 1.4, 0.0, 6.2832);
        cairo_fill(cr);
    }
    map_spot at = map_place(view, (double)spot->x, (double)spot->y);
    ink_color(cr, INK_TEXT, 1.0);
    cairo_arc(cr, at.x, at.y, 2.2, 0.0, 6.2832);
    cairo_fill(cr);
}

static void draw_rays(cairo_t* cr, const map_view* view, const tool_picture_lane* p) {
    double since = RAYS_EVERY;
    for (int32_t i = 1; i < p->count; i++) {
        const tool_lane_spot *a = &p->spots[i - 1], *b = &p->spots[i];
        since += hypot((double)(b->x - a->x), (double)(b->y - a->y));
        if (since < RAYS_EVERY)
            continue;
        since = 0.0;
        draw_fan(cr, view, b);
    }
}

// Larger than they are where the map is small, so that they are seen.
#define STANDING_LEAST 5.0

static void draw_standing(cairo_t* cr, const map_view* view, const tool_picture_lane* p) {
    ink_color(cr, INK_SOLID, 1.0);
    for (int32_t i = 0; i < p->standing_count; i++) {
        const kerb_scene_lane_box* box = &p->standing[i];
        map_spot at = map_place(view, (double)box->centre.x, (double)box->centre.y);
        double length = fmax((double)box->length * view->scale, STANDING_LEAST);
        double width = fmax((double)box->width * view->scale, 0.5 * STANDING_LEAST);
        cairo_save(cr);
        cairo_translate(cr, at.x, at.y);
        cairo_rotate(cr, -atan2((double)box->forward.y, (double)box->forward.x));
        cairo_rectangle(cr, -0.5 * length, -0.5 * width, length, width);
        cairo_fill(cr);
        cairo_restore(cr);
    }
}

static void mark_ray(cairo_t* cr, double x, double y, uint32_t color, bool dot) {
    ink_color(cr, color, 0.8);
    cairo_set_line_width(cr, 0.9);
    cairo_move_to(cr, x - 6.0, y);
    cairo_line_to(cr, x + 6.0, y);
    cairo_stroke(cr);
    if (!dot)
        return;
    cairo_arc(cr, x + 6.0, y, 1.8, 0.0, 6.2832);
    cairo_fill(cr);
}

static void mark_edge(cairo_t* cr, double x, double y) {
    mark_ray(cr, x, y, INK_TEXT_FAINT, true);
}

static void mark_vehicle(cairo_t* cr, double x, double y) {
    mark_ray(cr, x, y, INK_WARNING, true);
}

static void mark_nothing(cairo_t* cr, double x, double y) {
    mark_ray(cr, x, y, INK_TEXT_FAINT, false);
}

static void mark_driver(cairo_t* cr, double x, double y) {
    ink_color(cr, INK_TEXT, 1.0);
    cairo_arc(cr, x, y, 2.2, 0.0, 6.2832);
    cairo_fill(cr);
}

static void mark_standing(cairo_t* cr, double x, double y) {
    ink_color(cr, INK_SOLID, 1.0);
    cairo_rectangle(cr, x - 5.0, y - 2.5, 10.0, 5.0);
    cairo_fill(cr);
}

static void picture_lane_draw_key(cairo_t* cr, const map_view* view, const tool_picture_lane* p) {
    const ink_style text = {10.5, false, INK_TEXT_FAINT, INK_LEFT};
    const double y = PICTURE_LANE_HEIGHT - 22.0;
    key_draw_scale_bar(cr, PICTURE_LANE_MARGIN, y, view, 150.0);
    double x = PICTURE_LANE_MARGIN + 230.0;
    ink_text(cr, x, y + 3.8, "0", &text);
    key_draw_speeds(cr, (ink_box){x + 12.0, y - 4.0, BAR_WIDTH, 8.0});
    char fast[32];
    snprintf(fast, sizeof fast, "%.0f m/s", picture_lane_fastest(p));
    ink_text(cr, x + BAR_WIDTH + 19.0, y + 3.8, fast, &text);
    x += BAR_WIDTH + 90.0;
    x = key_draw_mark(cr, x, y, mark_driver, "car");
    x = key_draw_mark(cr, x, y, mark_edge, "ray that met the edge");
    x = key_draw_mark(cr, x, y, mark_nothing, "nothing");
    x = key_draw_mark(cr, x, y, mark_vehicle, "a vehicle");
    if (p->standing_count > 0)
        key_draw_mark(cr, x, y, mark_standing, "stopped vehicle");
}

static void picture_lane_draw_page(cairo_t* cr, const void* context) {
    const tool_picture_lane* p = context;
    const ink_style title = {17.0, true, INK_TEXT, INK_LEFT};
    const ink_style note = {12.0, false, INK_TEXT_FAINT, INK_LEFT};
    ink_color(cr, INK_PAGE, 1.0);
    cairo_paint(cr);
    ink_text_within(cr, PICTURE_LANE_MARGIN, 26.0, PICTURE_LANE_WIDTH - 2.0 * PICTURE_LANE_MARGIN,
                    p->title, &title);
    ink_text_within(cr, PICTURE_LANE_MARGIN, 44.0, PICTURE_LANE_WIDTH - 2.0 * PICTURE_LANE_MARGIN,
                    p->note, &note);
    const ink_box card = {
        PICTURE_LANE_MARGIN, PICTURE_LANE_HEAD, PICTURE_LANE_WIDTH - 2.0 * PICTURE_LANE_MARGIN,
        PICTURE_LANE_HEIGHT - PICTURE_LANE_HEAD - PICTURE_LANE_MARGIN - PICTURE_LANE_FOOT + 8.0};
    picture_card(cr, card);
    const ink_box box = {card.x + 16.0, card.y + 16.0, card.width - 32.0, card.height - 32.0};
    map_view view = map_view_make(picture_track_extent(p->road), box);
    cairo_save(cr);
    cairo_rectangle(cr, card.x, card.y, card.width, card.height);
    cairo_clip(cr);
    picture_track_draw(cr, &view, p->road);
    draw_standing(cr, &view, p);
    picture_lane_draw_line(cr, &view, p);
    draw_rays(cr, &view, p);
    cairo_restore(cr);
    picture_lane_draw_key(cr, &view, p);
}

tool_status tool_picture_lane_write(const char* svg, const char* png,
                                    const tool_picture_lane* picture) {
    const picture_page page = {PICTURE_LANE_WIDTH, PICTURE_LANE_HEIGHT, picture_lane_draw_page,
                               picture};
    tool_status status = svg ? picture_file_write(svg, PICTURE_SVG, &page) : TOOL_DONE;
    if (status == TOOL_DONE && png)
        status = picture_file_write(png, PICTURE_PNG, &page);
    return status;
}

#else

tool_status tool_picture_lane_write(const char* svg, const char* png,
                                    const tool_picture_lane* picture) {
    (void)picture;
    return tool_complain("%s: this kerb was built without cairo, which draws the pictures",
                         svg ? svg : png);
}

#endif
