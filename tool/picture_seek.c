// Agents start on a ring round the goal, each facing another way, and drive as the trials do. The
// lines are coloured round the ring, so that one can be told from its neighbours. In space they are
// seen from above.
#include "tool/picture_seek.h"

#ifdef KERB_HAVE_CAIRO

#include "tool/color_map.h"
#include "tool/picture_file.h"
#include "tool/picture_ink.h"
#include "tool/picture_map.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define STARTS SCENE_SEEK_RING
#define SIZE 720.0
#define MARGIN 30.0
#define HEAD 62.0

// What one agent drove.
typedef struct track {
    kerb_agent* agents;
    int32_t count, capacity;
    bool arrived;
} track;

typedef struct ring {
    const scene_seek_plan* plan;
    kerb_directed_goal goal;
    track tracks[STARTS];
} ring;

static void keep(void* context, const kerb_agent* agent) {
    track* t = context;
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
    scene_seek_trial trial = scene_seek_ring_trial(r->plan, i);
    r->goal = trial.goal;
    r->tracks[i].arrived = scene_seek_run(&trial, keep, &r->tracks[i]).arrived;
}

static void include(map_extent* extent, kerb_vec3 p) {
    extent->west = fmin(extent->west, (double)p.x);
    extent->east = fmax(extent->east, (double)p.x);
    extent->south = fmin(extent->south, (double)p.y);
    extent->north = fmax(extent->north, (double)p.y);
}

static map_extent extent_of(const ring* r) {
    map_extent extent = {0};
    for (int32_t i = 0; i < STARTS; i++) {
        for (int32_t k = 0; k < r->tracks[i].count; k++)
            include(&extent, r->tracks[i].agents[k].position);
    }
    return extent;
}

// --------------------------------------------------------------------------- drawing

static void draw_arrow(cairo_t* cr, const map_view* view, kerb_vec3 position, kerb_vec3 forward,
                       double size) {
    map_spot at = map_place(view, (double)position.x, (double)position.y);
    double x = (double)forward.x, y = -(double)forward.y;
    cairo_move_to(cr, at.x + size * x, at.y + size * y);
    cairo_line_to(cr, at.x - 0.6 * size * x - 0.5 * size * y,
                  at.y - 0.6 * size * y + 0.5 * size * x);
    cairo_line_to(cr, at.x - 0.6 * size * x + 0.5 * size * y,
                  at.y - 0.6 * size * y - 0.5 * size * x);
    cairo_close_path(cr);
    cairo_fill(cr);
}

static void draw_track(cairo_t* cr, const map_view* view, const track* t, double share) {
    tool_color color = tool_color_map(MAP_COLOR_SHARE * fabs(1.0 - 2.0 * share));
    cairo_set_source_rgba(cr, color.red, color.green, color.blue, 0.85);
    for (int32_t k = 0; k < t->count; k++) {
        kerb_vec3 p = t->agents[k].position;
        map_spot at = map_place(view, (double)p.x, (double)p.y);
        cairo_line_to(cr, at.x, at.y);
    }
    cairo_set_line_width(cr, 1.4);
    cairo_stroke(cr);
    if (t->count > 0)
        draw_arrow(cr, view, t->agents[0].position, t->agents[0].forward, 7.0);
}

static void draw_ring(cairo_t* cr, const void* context) {
    const ring* r = context;
    ink_box box = {MARGIN, HEAD, SIZE - 2.0 * MARGIN, SIZE - 2.0 * MARGIN};
    map_view view = map_view_make(extent_of(r), box);
    ink_color(cr, INK_PAGE, 1.0);
    cairo_paint(cr);
    ink_color(cr, INK_CARD, 1.0);
    ink_round_box(cr, (ink_box){0.5 * MARGIN, HEAD - 0.5 * MARGIN, SIZE - MARGIN, SIZE - MARGIN},
                  8.0);
    cairo_fill(cr);
    int32_t arrived = 0;
    for (int32_t i = 0; i < STARTS; i++) {
        draw_track(cr, &view, &r->tracks[i], (double)i / STARTS);
        arrived += r->tracks[i].arrived ? 1 : 0;
    }
    ink_color(cr, INK_WARNING, 1.0);
    draw_arrow(cr, &view, r->goal.position, r->goal.forward, 11.0);
    char text[160];
    ink_style title = {17.0, true, INK_TEXT, INK_LEFT},
              note = {12.0, false, INK_TEXT_FAINT, INK_LEFT};
    snprintf(text, sizeof text, "Directed seek: %s", scene_seek_word(r->plan->variant));
    ink_text(cr, 0.5 * MARGIN, 26.0, text, &title);
    snprintf(text, sizeof text,
             "%d of %d arrive. Turning circles of %g m, starts %g m from the goal.", (int)arrived,
             STARTS, (double)r->plan->radius, (double)(SCENE_SEEK_RING_RADII * r->plan->radius));
    ink_text(cr, 0.5 * MARGIN, 41.0, text, &note);
}

tool_status tool_picture_seek_write(const char* svg, const char* png, const scene_seek_plan* plan) {
    ring* r = calloc(1, sizeof *r);
    if (!r)
        return tool_complain("seek: no memory for the picture");
    r->plan = plan;
    for (int32_t i = 0; i < STARTS; i++)
        drive_one(r, i);
    const picture_page page = {SIZE, SIZE + HEAD - MARGIN, draw_ring, r};
    tool_status status = svg ? picture_file_write(svg, PICTURE_SVG, &page) : TOOL_DONE;
    if (status == TOOL_DONE && png)
        status = picture_file_write(png, PICTURE_PNG, &page);
    for (int32_t i = 0; i < STARTS; i++)
        free(r->tracks[i].agents);
    free(r);
    return status;
}

#else

tool_status tool_picture_seek_write(const char* svg, const char* png, const scene_seek_plan* plan) {
    (void)plan;
    return tool_complain("%s: this kerb was built without cairo, which draws the pictures",
                         svg ? svg : png);
}

#endif
