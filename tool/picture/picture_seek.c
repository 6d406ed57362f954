// Agents start on a ring round the goal, each with another heading, and drive as the trials do.
// Colours change round the ring, so that neighbouring lines differ. In space there are two views,
// from above and from the east: what is in the north of one is to the right in the other.
#include "tool/picture/picture_seek.h"

#ifdef KERB_HAVE_CAIRO

#include "tool/picture/color_map.h"
#include "tool/picture/picture_file.h"
#include "tool/picture/picture_ink.h"
#include "tool/picture/picture_key.h"
#include "tool/picture/picture_map.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define STARTS KERB_SCENE_SEEK_RING
#define SIZE 720.0
#define PICTURE_SEEK_MARGIN 30.0
#define PICTURE_SEEK_HEAD 62.0

// What one agent drove.
typedef struct picture_seek_track {
    kerb_agent* agents;
    int32_t count, capacity;
    bool arrived;
} picture_seek_track;

typedef struct ring {
    const kerb_scene_seek_plan* plan;
    kerb_directed_goal goal;
    picture_seek_track tracks[STARTS];
} ring;

static void picture_seek_keep(void* context, const kerb_agent* agent) {
    picture_seek_track* t = context;
    if (t->count == t->capacity) {
        int32_t capacity = 2 * t->capacity + 256;
        kerb_agent* grown = realloc(t->agents, (size_t)capacity * sizeof *grown);
        if (!grown)
            return;
        t->agents = grown;
        t->capacity = capacity;
    }
    t->agents[t->count++] = *agent;
}

static void drive_one(ring* r, int32_t i) {
    kerb_scene_seek_trial trial = kerb_scene_seek_ring_trial(r->plan, i);
    r->goal = trial.goal;
    r->tracks[i].arrived = kerb_scene_seek_run(&trial, picture_seek_keep, &r->tracks[i]).arrived;
}

// From where one looks.
typedef enum looks { FROM_ABOVE, FROM_EAST } looks;

// To the right and up on the page. [m]
static map_spot seen(looks from, kerb_vec3 p) {
    map_spot above = {(double)p.x, (double)p.y}, east = {(double)p.y, (double)p.z};
    return from == FROM_ABOVE ? above : east;
}

static void picture_seek_include(map_extent* extent, map_spot p) {
    extent->west = fmin(extent->west, p.x);
    extent->east = fmax(extent->east, p.x);
    extent->south = fmin(extent->south, p.y);
    extent->north = fmax(extent->north, p.y);
}

static map_extent picture_seek_extent_of(const ring* r, looks from) {
    map_extent extent = {0};
    for (int32_t i = 0; i < STARTS; i++) {
        for (int32_t k = 0; k < r->tracks[i].count; k++)
            picture_seek_include(&extent, seen(from, r->tracks[i].agents[k].position));
    }
    return extent;
}

// Both views to the same scale: one extent's size for both.
static map_extent widened(map_extent extent, const ring* r) {
    map_extent above = picture_seek_extent_of(r, FROM_ABOVE),
               east = picture_seek_extent_of(r, FROM_EAST);
    double width = fmax(above.east - above.west, east.east - east.west);
    double height = fmax(above.north - above.south, east.north - east.south);
    double wider = 0.5 * (width - (extent.east - extent.west));
    double higher = 0.5 * (height - (extent.north - extent.south));
    map_extent result = {extent.west - wider, extent.east + wider, extent.south - higher,
                         extent.north + higher};
    return result;
}

// --------------------------------------------------------------------------- drawing

// A view of all.
typedef struct panel {
    map_view map;
    looks from;
} panel;

static map_spot picture_seek_spot_of(const panel* p, kerb_vec3 position) {
    map_spot at = seen(p->from, position);
    return map_place(&p->map, at.x, at.y);
}

// Who faces along the line of sight is seen from behind: a dot with short wings.
static void draw_arrow(cairo_t* cr, const panel* p, kerb_vec3 position, kerb_vec3 forward,
                       double size) {
    map_spot at = picture_seek_spot_of(p, position), ahead = seen(p->from, forward);
    double x = ahead.x, y = -ahead.y, length = fmax(hypot(x, y), 1e-6);
    double across_x = -y / length, across_y = x / length;
    cairo_move_to(cr, at.x + size * x, at.y + size * y);
    cairo_line_to(cr, at.x - 0.6 * size * x + 0.5 * size * across_x,
                  at.y - 0.6 * size * y + 0.5 * size * across_y);
    cairo_line_to(cr, at.x - 0.6 * size * x - 0.5 * size * across_x,
                  at.y - 0.6 * size * y - 0.5 * size * across_y);
    cairo_close_path(cr);
    cairo_fill(cr);
}

static void draw_track(cairo_t* cr, const panel* p, const picture_seek_track* t, double share) {
    tool_color color = tool_color_map(MAP_COLOR_SHARE * fabs(1.0 - 2.0 * share));
    cairo_set_source_rgba(cr, color.red, color.green, color.blue, 0.85);
    for (int32_t k = 0; k < t->count; k++) {
        map_spot at = picture_seek_spot_of(p, t->agents[k].position);
        cairo_line_to(cr, at.x, at.y);
    }
    cairo_set_line_width(cr, 1.4);
    cairo_stroke(cr);
    if (t->count > 0)
        draw_arrow(cr, p, t->agents[0].position, t->agents[0].forward, 7.0);
}

static void draw_panel(cairo_t* cr, const ring* r, looks from) {
    double left = from == FROM_ABOVE ? 0.0 : SIZE - 0.5 * PICTURE_SEEK_MARGIN;
    ink_box box = {left + PICTURE_SEEK_MARGIN, PICTURE_SEEK_HEAD, SIZE - 2.0 * PICTURE_SEEK_MARGIN,
                   SIZE - 2.0 * PICTURE_SEEK_MARGIN};
    panel p = {map_view_make(widened(picture_seek_extent_of(r, from), r), box), from};
    ink_color(cr, INK_CARD, 1.0);
    ink_round_box(cr,
                  (ink_box){left + 0.5 * PICTURE_SEEK_MARGIN,
                            PICTURE_SEEK_HEAD - 0.5 * PICTURE_SEEK_MARGIN,
                            SIZE - PICTURE_SEEK_MARGIN, SIZE - PICTURE_SEEK_MARGIN},
                  8.0);
    cairo_fill(cr);
    for (int32_t i = 0; i < STARTS; i++)
        draw_track(cr, &p, &r->tracks[i], (double)i / STARTS);
    ink_color(cr, INK_WARNING, 1.0);
    draw_arrow(cr, &p, r->goal.position, r->goal.forward, 11.0);
    double foot = PICTURE_SEEK_HEAD + SIZE - 1.5 * PICTURE_SEEK_MARGIN - 8.0;
    key_draw_scale_bar(cr, left + PICTURE_SEEK_MARGIN, foot, &p.map, 110.0);
    if (!kerb_scene_seek_in_space(r->plan->variant))
        return;
    ink_style note = {12.0, false, INK_TEXT_FAINT, INK_LEFT};
    ink_text(cr, left + PICTURE_SEEK_MARGIN, PICTURE_SEEK_HEAD + 3.0,
             from == FROM_ABOVE ? "From above, north up" : "From the east: height up, north right",
             &note);
}

static void draw_ring(cairo_t* cr, const void* context) {
    const ring* r = context;
    ink_color(cr, INK_PAGE, 1.0);
    cairo_paint(cr);
    draw_panel(cr, r, FROM_ABOVE);
    if (kerb_scene_seek_in_space(r->plan->variant))
        draw_panel(cr, r, FROM_EAST);
    int32_t arrived = 0;
    for (int32_t i = 0; i < STARTS; i++)
        arrived += r->tracks[i].arrived ? 1 : 0;
    char text[200];
    ink_style title = {17.0, true, INK_TEXT, INK_LEFT},
              note = {12.0, false, INK_TEXT_FAINT, INK_LEFT};
    snprintf(text, sizeof text, "Directed seek: %s", kerb_scene_seek_word(r->plan->variant));
    ink_text(cr, 0.5 * PICTURE_SEEK_MARGIN, 26.0, text, &title);
    snprintf(text, sizeof text,
             "%d of %d arrive. Turning circles of %g m, starts %g m from the goal (red).",
             (int)arrived, STARTS, (double)r->plan->radius,
             (double)(KERB_SCENE_SEEK_RING_RADII * r->plan->radius));
    ink_text(cr, 0.5 * PICTURE_SEEK_MARGIN, 41.0, text, &note);
}

tool_status tool_picture_seek_write(const char* svg, const char* png,
                                    const kerb_scene_seek_plan* plan) {
    ring* r = calloc(1, sizeof *r);
    if (!r)
        return tool_complain("seek: no memory for the picture");
    r->plan = plan;
    for (int32_t i = 0; i < STARTS; i++)
        drive_one(r, i);
    double width =
        kerb_scene_seek_in_space(plan->variant) ? 2.0 * SIZE - 0.5 * PICTURE_SEEK_MARGIN : SIZE;
    const picture_page page = {width, SIZE + PICTURE_SEEK_HEAD - PICTURE_SEEK_MARGIN, draw_ring, r};
    tool_status status = svg ? picture_file_write(svg, PICTURE_SVG, &page) : TOOL_DONE;
    if (status == TOOL_DONE && png)
        status = picture_file_write(png, PICTURE_PNG, &page);
    for (int32_t i = 0; i < STARTS; i++)
        free(r->tracks[i].agents);
    free(r);
    return status;
}

#else

tool_status tool_picture_seek_write(const char* svg, const char* png,
                                    const kerb_scene_seek_plan* plan) {
    (void)plan;
    return tool_complain("%s: this kerb was built without cairo, which draws the pictures",
                         svg ? svg : png);
}

#endif
