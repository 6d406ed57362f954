// One movement: the map to the left, with the tree of the search beneath the movement; speed and
// lateral acceleration over time to the right. Random goals: all movements on one map, turned so
// that every vehicle starts upwards from the middle. Sizes in points, y down.
#include "tool/picture/picture_plan.h"

#ifdef KERB_HAVE_CAIRO

#include "tool/page/plan_film.h"
#include "tool/picture/color_map.h"
#include "tool/picture/picture_file.h"
#include "tool/picture/picture_key.h"
#include "tool/picture/picture_map.h"
#include "tool/picture/picture_track.h"

#include <math.h>
#include <stdio.h>

#define PICTURE_PLAN_MARGIN 30.0
#define PICTURE_PLAN_HEAD 62.0
#define PICTURE_PLAN_GAP 16.0
#define PICTURE_PLAN_PADDING 22.0
#define PICTURE_PLAN_MAP_WIDTH 620.0
#define MAP_HEIGHT 560.0
#define CHART_WIDTH 424.0
#define PICTURE_PLAN_AXIS_ROOM 40.0
#define PICTURE_PLAN_FOOT 34.0 // for the scale and the colours
#define PICTURE_PLAN_STEP 0.03 // of what is drawn [s]
#define FOOTPRINT_STEP 0.75
#define MOVER 0xd9730du  // who crosses the way
#define PRICED 0x6fae5cu // ground that had better be kept off

// What is drawn: the run, and the speed of the last colour.
typedef struct sheet {
    const tool_plan_run* run;
    double full;
} sheet;

// Random goals are turned so that the start looks up.
typedef struct turning {
    double cosine, sine, x, y;
} turning;

// Many movements on one sheet; a list of one is drawn as one.
static bool picture_plan_is_many(const tool_plan_run* run) {
    return run->is_random || run->count > 1;
}

static turning turning_of(const tool_plan_run* run, const tool_plan_found* f) {
    turning t = {1.0, 0.0, 0.0, 0.0};
    if (!run->is_random)
        return t;
    kerb_pose start = f->task.from.pose;
    t.cosine = (double)start.forward.y;
    t.sine = (double)start.forward.x;
    t.x = (double)start.position.x;
    t.y = (double)start.position.y;
    return t;
}

static void turned(const turning* t, double* x, double* y) {
    double ahead_x = *x - t->x, ahead_y = *y - t->y;
    *x = t->cosine * ahead_x - t->sine * ahead_y;
    *y = t->sine * ahead_x + t->cosine * ahead_y;
}

static map_spot picture_plan_spot_of(const map_view* view, const turning* t, double x, double y) {
    turned(t, &x, &y);
    return map_place(view, x, y);
}

static int64_t drawn_count(const tool_plan_run* run) {
    return run->count < TOOL_PICTURE_PLANS ? run->count : TOOL_PICTURE_PLANS;
}

// --------------------------------------------------------------------------- where

static void picture_plan_include(map_extent* e, double x, double y, double room) {
    e->west = fmin(e->west, x - room);
    e->east = fmax(e->east, x + room);
    e->south = fmin(e->south, y - room);
    e->north = fmax(e->north, y + room);
}

static void include_end(map_extent* e, const turning* t, const kerb_plan_end* end, double room) {
    double x = (double)end->pose.position.x, y = (double)end->pose.position.y;
    turned(t, &x, &y);
    picture_plan_include(e, x, y, room);
}

static void include_movement(map_extent* e, const tool_plan_run* run, const tool_plan_found* f) {
    turning t = turning_of(run, f);
    double room = picture_plan_is_many(run) ? 1.0 : (double)(f->task.limits.front + 0.5f);
    const kerb_plan_query* c = f->job.choice;
    include_end(e, &t, &f->task.from, room);
    include_end(e, &t, &f->task.to, room);
    for (int32_t i = 0; c && i < c->start_count; i++)
        include_end(e, &t, &c->starts[i], room);
    for (int32_t i = 0; c && i < c->goal_count; i++)
        include_end(e, &t, &c->goals[i], room);
    for (int32_t k = 0; f->plan.count > 0 && 0.2 * (double)k < (double)f->plan.time; k++) {
        double time = 0.2 * (double)k;
        kerb_plan_state s = kerb_plan_at(&f->plan, (float)time);
        double x = (double)s.pose.position.x, y = (double)s.pose.position.y;
        turned(&t, &x, &y);
        picture_plan_include(e, x, y, room);
    }
}

// Of a list, those on the first one's map.
static bool is_here(const tool_plan_run* run, int64_t i) {
    return run->found[i].world == run->found[0].world;
}

// The tree of the one movement that is drawn; NULL: none.
static const tool_plan_film* film_of(const tool_plan_run* run) {
    bool has_tree =
        !picture_plan_is_many(run) && run->film_count > 0 && run->films[0].arc_count > 0;
    return has_tree ? run->films : NULL;
}

// A tree that spreads far is cut off: the movement is what the picture is about.
static void include_tree(map_extent* e, const tool_plan_film* film) {
    double room = 0.25 * fmax(e->east - e->west, e->north - e->south);
    const map_extent most = {e->west - room, e->east + room, e->south - room, e->north + room};
    for (int32_t i = 0; i < film->arc_count; i++) {
        kerb_vec2 p = film->arcs[i].from.position;
        picture_plan_include(e, fmin(fmax((double)p.x, most.west), most.east),
                             fmin(fmax((double)p.y, most.south), most.north), 0.0);
    }
}

static map_extent picture_plan_extent_of(const tool_plan_run* run) {
    map_extent e = {1e30, -1e30, 1e30, -1e30};
    for (int64_t i = 0; i < drawn_count(run); i++)
        if (is_here(run, i))
            include_movement(&e, run, &run->found[i]);
    if (film_of(run))
        include_tree(&e, film_of(run));
    double room = run->found[0].world ? 0.04 * fmax(e.east - e.west, e.north - e.south) : 0.0;
    e = (map_extent){e.west - room, e.east + room, e.south - room, e.north + room};
    return e;
}

// --------------------------------------------------------------------------- obstacles

// From here on what is drawn at map_place of a place in the frame stands at its place in the world.
static void turn_map(cairo_t* cr, const map_view* view, const kerb_io_map_info* frame) {
    map_spot corner = map_place(view, (double)frame->origin.x, (double)frame->origin.y);
    map_spot zero = map_place(view, 0.0, 0.0);
    cairo_translate(cr, corner.x, corner.y);
    cairo_rotate(cr, -(double)frame->yaw); // y is down on the page
    cairo_translate(cr, -zero.x, -zero.y);
}

// The part of the world, or of the frame, that the card shows: the view fits one side of it.
static map_extent shown_extent(const map_view* view, const kerb_io_map_info* frame) {
    const map_extent* v = &view->extent;
    double x = 0.5 * (v->west + v->east), y = 0.5 * (v->south + v->north);
    double width = 0.5 * view->box.width / view->scale,
           height = 0.5 * view->box.height / view->scale;
    const map_extent here = {x - width, x + width, y - height, y + height};
    const map_extent* e = &here;
    map_extent all = {1e30, -1e30, 1e30, -1e30};
    if (!frame)
        return here;
    for (int32_t i = 0; i < 4; i++) {
        kerb_pose corner = kerb_pose_make((float)(i % 2 == 0 ? e->west : e->east),
                                          (float)(i < 2 ? e->south : e->north), 0.0f);
        kerb_vec2 p = kerb_io_map_info_from_world(frame, corner).position;
        picture_plan_include(&all, (double)p.x, (double)p.y, 0.0);
    }
    return all;
}

// Runs of cells of that value.
static void draw_cells(cairo_t* cr, const map_view* view, const map_extent* e,
                       const kerb_plan_world* w, const uint8_t* cells, uint8_t value) {
    double size = (double)w->cell_size, x0 = (double)w->origin.x, y0 = (double)w->origin.y;
    int32_t south = (int32_t)fmin(w->rows, fmax(0.0, floor((e->south - y0) / size)));
    int32_t north = (int32_t)fmin(w->rows, ceil((e->north - y0) / size));
    int32_t west = (int32_t)fmin(w->columns, fmax(0.0, floor((e->west - x0) / size)));
    int32_t east = (int32_t)fmin(w->columns, ceil((e->east - x0) / size));
    for (int32_t y = south; y < north; y++) {
        const uint8_t* row = cells + (size_t)y * (size_t)w->columns;
        for (int32_t x = west, end; x < east; x = end + 1) {
            for (end = x; end < east && row[end] == value;)
                end++;
            map_spot a = map_place(view, x0 + size * x, y0 + size * y);
            map_spot b = map_place(view, x0 + size * end, y0 + size * (y + 1));
            if (end > x) // a hair more, so that rows close up
                cairo_rectangle(cr, a.x, b.y - 0.15, b.x - a.x, a.y - b.y + 0.3);
        }
    }
    cairo_fill(cr);
}

// Which values ground has that costs. What is blocked is drawn as that.
static void values_of(const kerb_plan_world* w, bool has[256]) {
    size_t count = w->cost_map ? (size_t)w->columns * (size_t)w->rows : 0;
    for (size_t i = 0; i < count; i++)
        has[w->cost_map[i]] = true;
    has[0] = false;
    has[255] = has[255] && w->cost_map != w->cells;
}

static void draw_polygons(cairo_t* cr, const map_view* view, const kerb_plan_world* w) {
    const kerb_vec2* next = w->vertices;
    for (int32_t i = 0; i < w->polygon_count; i++) {
        for (int32_t k = 0; k < w->vertex_counts[i]; k++, next++) {
            map_spot spot = map_place(view, (double)next->x, (double)next->y);
            if (k == 0)
                cairo_move_to(cr, spot.x, spot.y);
            else
                cairo_line_to(cr, spot.x, spot.y);
        }
        cairo_close_path(cr);
        cairo_fill(cr);
    }
}

static void draw_world(cairo_t* cr, const map_view* view, const kerb_plan_world* w,
                       const kerb_io_map_info* frame) {
    const map_extent e = shown_extent(view, frame);
    bool has[256] = {false};
    values_of(w, has);
    cairo_save(cr);
    if (frame)
        turn_map(cr, view, frame);
    for (int32_t value = 1; value < 256; value++) {
        ink_color(cr, PRICED, 0.45 * value / 255.0);
        if (has[value])
            draw_cells(cr, view, &e, w, w->cost_map, (uint8_t)value);
    }
    ink_color(cr, INK_TEXT_FAINT, 0.55);
    if (w->cells)
        draw_cells(cr, view, &e, w, w->cells, 255);
    draw_polygons(cr, view, w);
    if (w->box_min.x != w->box_max.x || w->box_min.y != w->box_max.y) {
        map_spot a = map_place(view, (double)w->box_min.x, (double)w->box_min.y);
        map_spot b = map_place(view, (double)w->box_max.x, (double)w->box_max.y);
        cairo_set_line_width(cr, 1.0);
        cairo_rectangle(cr, a.x, b.y, b.x - a.x, a.y - b.y);
        cairo_stroke(cr);
    }
    cairo_restore(cr);
}

// --------------------------------------------------------------------------- the search's tree

// Other colours than those of speed: blue where the search begins, violet, orange at its far ends.
static void set_cost_color(cairo_t* cr, double share, double alpha) {
    static const double stops[3][3] = {{0.22, 0.47, 0.80}, {0.55, 0.36, 0.72}, {0.87, 0.45, 0.30}};
    double place = 2.0 * fmin(fmax(share, 0.0), 1.0);
    int32_t i = place < 1.0 ? 0 : 1;
    double c[3];
    for (int32_t k = 0; k < 3; k++)
        c[k] = stops[i][k] + (stops[i + 1][k] - stops[i][k]) * (place - i);
    cairo_set_source_rgba(cr, c[0], c[1], c[2], alpha);
}

static void draw_tree(cairo_t* cr, const map_view* view, const tool_plan_film* film) {
    // The more there are, the finer.
    double width = film->arc_count > 3000 ? 0.45 : 0.7, most = fmax((double)film->cost_most, 1e-6);
    cairo_set_line_width(cr, width);
    for (int32_t i = 0; i < film->arc_count; i++) {
        const tool_film_arc* arc = &film->arcs[i];
        double turn = fabs((double)(arc->curvature * arc->length));
        int32_t chords = 1 + (int32_t)fmin(turn / 0.2, 16.0);
        for (int32_t k = 0; k <= chords; k++) {
            kerb_vec2 place = tool_film_arc_at(arc, (float)k / (float)chords);
            map_spot at = map_place(view, (double)place.x, (double)place.y);
            cairo_line_to(cr, at.x, at.y);
        }
        set_cost_color(cr, (double)arc->cost / most, arc->leads_on ? 0.55 : 0.28);
        cairo_stroke(cr);
    }
}

// --------------------------------------------------------------------------- movements

static void set_speed_color(cairo_t* cr, double speed, double full, double alpha) {
    tool_color c = tool_color_map(MAP_COLOR_SHARE * fmin(fabs(speed) / full, 1.0));
    cairo_set_source_rgba(cr, c.red, c.green, c.blue, alpha);
}

static void draw_movement(cairo_t* cr, const map_view* view, const turning* t,
                          const tool_plan_found* f, const sheet* s, double width) {
    cairo_set_line_width(cr, width);
    cairo_set_line_join(cr, CAIRO_LINE_JOIN_ROUND);
    cairo_set_line_cap(cr, CAIRO_LINE_CAP_ROUND);
    kerb_plan_state last = kerb_plan_at(&f->plan, 0.0f);
    for (int32_t k = 0; PICTURE_PLAN_STEP + PICTURE_PLAN_STEP * (double)k <
                        (double)f->plan.time + PICTURE_PLAN_STEP;
         k++) {
        double time = PICTURE_PLAN_STEP + PICTURE_PLAN_STEP * (double)k;
        kerb_plan_state now = kerb_plan_at(&f->plan, (float)time);
        map_spot from = picture_plan_spot_of(view, t, (double)last.pose.position.x,
                                             (double)last.pose.position.y);
        map_spot to =
            picture_plan_spot_of(view, t, (double)now.pose.position.x, (double)now.pose.position.y);
        set_speed_color(cr, 0.5 * (double)(last.speed + now.speed), s->full, 1.0);
        cairo_move_to(cr, from.x, from.y);
        cairo_line_to(cr, to.x, to.y);
        cairo_stroke(cr);
        last = now;
    }
}

// A light core along what is driven in reverse.
static void draw_reverse(cairo_t* cr, const map_view* view, const turning* t,
                         const tool_plan_found* f, double width) {
    cairo_set_line_width(cr, width);
    ink_color(cr, INK_CARD, 1.0);
    kerb_plan_state last = kerb_plan_at(&f->plan, 0.0f);
    for (int32_t k = 0; PICTURE_PLAN_STEP + PICTURE_PLAN_STEP * (double)k <
                        (double)f->plan.time + PICTURE_PLAN_STEP;
         k++) {
        double time = PICTURE_PLAN_STEP + PICTURE_PLAN_STEP * (double)k;
        kerb_plan_state now = kerb_plan_at(&f->plan, (float)time);
        map_spot from = picture_plan_spot_of(view, t, (double)last.pose.position.x,
                                             (double)last.pose.position.y);
        map_spot to =
            picture_plan_spot_of(view, t, (double)now.pose.position.x, (double)now.pose.position.y);
        if (now.direction < 0) {
            cairo_move_to(cr, from.x, from.y);
            cairo_line_to(cr, to.x, to.y);
            cairo_stroke(cr);
        }
        last = now;
    }
}

// As it was driven: a dark line over the planned one.
static void picture_plan_draw_driven(cairo_t* cr, const map_view* view, const turning* t,
                                     const tool_plan_found* f, double width) {
    const tool_plan_driven* d = &f->driven;
    cairo_set_line_width(cr, width);
    ink_color(cr, INK_TEXT, 0.9);
    for (int32_t i = 0; i < d->count; i++) {
        kerb_vec2 at = d->moments[i].rear.position;
        map_spot spot = picture_plan_spot_of(view, t, (double)at.x, (double)at.y);
        cairo_line_to(cr, spot.x, spot.y);
    }
    cairo_stroke(cr);
}

static void outline(cairo_t* cr, const map_view* view, const kerb_plan_limits* l, kerb_pose pose) {
    const double along[4] = {(double)l->front, (double)l->front, -(double)l->rear,
                             -(double)l->rear};
    const double aside[4] = {0.5 * (double)l->width, -0.5 * (double)l->width,
                             -0.5 * (double)l->width, 0.5 * (double)l->width};
    double fx = (double)pose.forward.x, fy = (double)pose.forward.y;
    for (int32_t i = 0; i < 4; i++) {
        map_spot at = map_place(view, (double)pose.position.x + along[i] * fx - aside[i] * fy,
                                (double)pose.position.y + along[i] * fy + aside[i] * fx);
        cairo_line_to(cr, at.x, at.y);
    }
    cairo_close_path(cr);
}

// Where the vehicle is every so often; at both ends it is solid, with an arrow.
static void draw_footprints(cairo_t* cr, const map_view* view, const tool_plan_found* f) {
    const kerb_plan_limits* l = &f->task.limits;
    cairo_set_line_width(cr, 0.7);
    for (int32_t k = 0; FOOTPRINT_STEP * (double)k < (double)f->plan.time; k++) {
        double time = FOOTPRINT_STEP * (double)k;
        outline(cr, view, l, kerb_plan_at(&f->plan, (float)time).pose);
        ink_color(cr, INK_CENTRE, 0.6);
        cairo_stroke(cr);
    }
}

// Those who cross the way, when a footprint is drawn, the fainter the later.
static void draw_movers(cairo_t* cr, const map_view* view, const tool_plan_found* f) {
    cairo_set_line_width(cr, 0.9);
    for (int32_t i = 0; i < f->job.mover_count; i++) {
        const kerb_plan_mover* m = &f->job.movers[i];
        const kerb_plan_limits box = {
            .front = 0.5f * m->length, .rear = 0.5f * m->length, .width = m->width};
        for (int32_t k = 0; FOOTPRINT_STEP * (double)k < (double)f->plan.time; k++) {
            float time = (float)(FOOTPRINT_STEP * (double)k);
            kerb_pose pose = m->pose;
            pose.position = kerb_vec2_add(pose.position, kerb_vec2_scale(m->velocity, time));
            outline(cr, view, &box, pose);
            ink_color(cr, MOVER, 0.9 - 0.7 * (double)(time / f->plan.time));
            cairo_stroke(cr);
        }
    }
}

static void draw_end(cairo_t* cr, const map_view* view, const tool_plan_found* f,
                     const kerb_plan_end* end, uint32_t color) {
    const kerb_plan_limits* l = &f->task.limits;
    outline(cr, view, l, end->pose);
    ink_color(cr, color, 0.16);
    cairo_fill_preserve(cr);
    ink_color(cr, color, 1.0);
    cairo_set_line_width(cr, 1.3);
    cairo_stroke(cr);
    double fx = (double)end->pose.forward.x, fy = (double)end->pose.forward.y;
    double x = (double)end->pose.position.x + (double)l->front * fx;
    double y = (double)end->pose.position.y + (double)l->front * fy, size = 0.45 * (double)l->width;
    map_spot tip = map_place(view, x, y);
    map_spot left = map_place(view, x - size * (fx + fy), y - size * (fy - fx));
    map_spot right = map_place(view, x - size * (fx - fy), y - size * (fy + fx));
    cairo_move_to(cr, tip.x, tip.y);
    cairo_line_to(cr, left.x, left.y);
    cairo_line_to(cr, right.x, right.y);
    cairo_close_path(cr);
    cairo_fill(cr);
}

static void draw_goal_arrow(cairo_t* cr, const map_view* view, const turning* t, kerb_pose pose) {
    double x = (double)pose.position.x, y = (double)pose.position.y;
    double fx = (double)pose.forward.x, fy = (double)pose.forward.y;
    map_spot at = picture_plan_spot_of(view, t, x, y),
             tip = picture_plan_spot_of(view, t, x + fx, y + fy);
    double size = hypot(tip.x - at.x, tip.y - at.y), dx = (tip.x - at.x) / size,
           dy = (tip.y - at.y) / size;
    cairo_move_to(cr, at.x + 6.0 * dx, at.y + 6.0 * dy);
    cairo_line_to(cr, at.x - 3.0 * dx - 3.2 * dy, at.y - 3.0 * dy + 3.2 * dx);
    cairo_line_to(cr, at.x - 3.0 * dx + 3.2 * dy, at.y - 3.0 * dy - 3.2 * dx);
    cairo_close_path(cr);
    ink_color(cr, INK_WARNING, 0.9);
    cairo_fill(cr);
}

// The ends that it could have had as well, in grey.
static void draw_choice(cairo_t* cr, const map_view* view, const tool_plan_found* f) {
    const kerb_plan_query* c = f->job.choice;
    for (int32_t i = 0; c && c->start_count > 1 && i < c->start_count; i++)
        draw_end(cr, view, f, &c->starts[i], INK_TEXT_FAINT);
    for (int32_t i = 0; c && c->goal_count > 1 && i < c->goal_count; i++)
        draw_end(cr, view, f, &c->goals[i], INK_TEXT_FAINT);
}

static void picture_plan_draw_key(cairo_t* cr, double x, double y, const char* least,
                                  const char* most,
                                  void (*set_color)(cairo_t* cr, double share, double alpha)) {
    const ink_style note = {10.0, false, INK_TEXT_FAINT, INK_LEFT};
    for (int32_t i = 0; i < 75; i++) {
        set_color(cr, i / 74.0, 1.0);
        cairo_rectangle(cr, x + 2.0 * i, y, 2.3, 7.0);
        cairo_fill(cr);
    }
    ink_text(cr, x, y + 18.0, least, &note);
    ink_text(cr, x + 144.0, y + 18.0, most, &note);
}

static void set_share_color(cairo_t* cr, double share, double alpha) {
    set_speed_color(cr, share, 1.0, alpha);
}

static void draw_keys(cairo_t* cr, ink_box card, const sheet* s) {
    double y = card.y + card.height - 30.0;
    char text[48];
    snprintf(text, sizeof text, "%.3g m/s", s->full);
    picture_plan_draw_key(cr, card.x + PICTURE_PLAN_PADDING, y, "0", text, set_share_color);
    if (!film_of(s->run))
        return;
    snprintf(text, sizeof text, "%.3g s", (double)film_of(s->run)->cost_most);
    picture_plan_draw_key(cr, card.x + PICTURE_PLAN_PADDING + 205.0, y, "search: 0", text,
                          set_cost_color);
}

static void picture_plan_draw_map(cairo_t* cr, ink_box card, const sheet* s) {
    const tool_plan_run* run = s->run;
    ink_box box = {card.x + PICTURE_PLAN_PADDING, card.y + PICTURE_PLAN_PADDING,
                   card.width - 2.0 * PICTURE_PLAN_PADDING,
                   card.height - 2.0 * PICTURE_PLAN_PADDING - PICTURE_PLAN_FOOT};
    map_view view = map_view_make(picture_plan_extent_of(run), box);
    if (run->found[0].world) {
        cairo_save(cr);
        cairo_rectangle(cr, box.x, box.y, box.width, box.height);
        cairo_clip(cr);
        draw_world(cr, &view, run->found[0].world, run->found[0].job.frame);
        cairo_restore(cr);
    }
    if (film_of(run)) {
        cairo_save(cr);
        cairo_rectangle(cr, box.x, box.y, box.width, box.height);
        cairo_clip(cr);
        draw_tree(cr, &view, film_of(run));
        cairo_restore(cr);
    }
    for (int64_t i = 0; i < drawn_count(run); i++) {
        const tool_plan_found* f = &run->found[i];
        if (!is_here(run, i))
            continue;
        turning t = turning_of(run, f);
        if (!picture_plan_is_many(run)) {
            cairo_save(cr);
            cairo_rectangle(cr, box.x, box.y, box.width, box.height);
            cairo_clip(cr);
            draw_movers(cr, &view, f);
            cairo_restore(cr);
            draw_footprints(cr, &view, f);
        }
        if (f->plan.count > 0)
            draw_movement(cr, &view, &t, f, s, picture_plan_is_many(run) ? 1.5 : 3.0);
        if (f->plan.count > 0)
            draw_reverse(cr, &view, &t, f, picture_plan_is_many(run) ? 0.5 : 1.0);
        picture_plan_draw_driven(cr, &view, &t, f, picture_plan_is_many(run) ? 0.5 : 0.9);
        if (picture_plan_is_many(run))
            draw_goal_arrow(cr, &view, &t, f->task.to.pose);
    }
    if (!picture_plan_is_many(run)) {
        draw_choice(cr, &view, run->found);
        draw_end(cr, &view, run->found, &run->found->task.from, INK_SOLID);
        draw_end(cr, &view, run->found, &run->found->task.to, INK_WARNING);
    }
    draw_keys(cr, card, s);
    key_draw_scale_bar(cr, card.x + card.width - PICTURE_PLAN_PADDING - 170.0,
                       card.y + card.height - 22.0, &view, 120.0);
}

// --------------------------------------------------------------------------- over time

// A curve over time: what is drawn, from least to most, with its limits as lines.
typedef struct curve {
    const char* title;
    double least, most;
    double limits[2];
    double (*value)(const kerb_plan_state* s);   // as planned; NULL: nothing is
    double (*driven)(const tool_plan_moment* m); // as driven; NULL: not known
} curve;

static double speed_value(const kerb_plan_state* s) {
    return (double)s->speed;
}

static double sideways_value(const kerb_plan_state* s) {
    return (double)(s->speed * kerb_abs(s->speed) * s->curvature);
}

static double driven_speed(const tool_plan_moment* m) {
    return (double)m->speed;
}

static double driven_error(const tool_plan_moment* m) {
    return (double)m->error;
}

// The planned seconds, or the driven ones where those are more.
static double seconds_of(const tool_plan_found* f) {
    double driven = f->driven.count > 0 ? (double)f->driven.result.time : 0.0;
    return fmax(fmax((double)f->plan.time, driven), 1e-6);
}

static double y_of(ink_box box, const curve* c, double value) {
    return box.y + box.height * (c->most - value) / (c->most - c->least);
}

static void draw_level(cairo_t* cr, ink_box box, const curve* c, double value, uint32_t color) {
    double y = y_of(box, c, value);
    ink_color(cr, color, 1.0);
    cairo_set_line_width(cr, 0.8);
    cairo_move_to(cr, box.x, y);
    cairo_line_to(cr, box.x + box.width, y);
    cairo_stroke(cr);
}

static void picture_plan_draw_axes(cairo_t* cr, ink_box box, const curve* c, double seconds) {
    const ink_style right = {10.0, false, INK_TEXT_FAINT, INK_RIGHT},
                    centred = {10.0, false, INK_TEXT_FAINT, INK_CENTRED},
                    bold = {12.0, true, INK_TEXT, INK_LEFT};
    char text[32];
    ink_text(cr, box.x - PICTURE_PLAN_AXIS_ROOM + 10.0, box.y - 14.0, c->title, &bold);
    double step = ink_round_number((c->most - c->least) / 3.0);
    for (int32_t k = 0; ceil(c->least / step) * step + step * (double)k <= c->most + 1e-9; k++) {
        double v = ceil(c->least / step) * step + step * (double)k;
        draw_level(cr, box, c, v, INK_CORRIDOR);
        snprintf(text, sizeof text, "%.4g", fabs(v) < 1e-9 ? 0.0 : v);
        ink_text(cr, box.x - 6.0, y_of(box, c, v) + 3.5, text, &right);
    }
    double each = ink_round_number(seconds / 4.0);
    for (int32_t k = 0; each * (double)k <= seconds + 1e-9; k++) {
        double t = each * (double)k;
        bool is_last = t + each > seconds + 1e-9;
        snprintf(text, sizeof text, is_last ? "%.4g s" : "%.4g", t);
        ink_text(cr, box.x + box.width * t / seconds, box.y + box.height + 16.0, text, &centred);
    }
}

static void draw_driven_curve(cairo_t* cr, ink_box box, const tool_plan_driven* d, const curve* c,
                              double seconds) {
    cairo_set_line_width(cr, c->value ? 0.9 : 1.5);
    ink_color(cr, INK_TEXT, 0.9);
    for (int32_t i = 0; i < d->count; i++)
        cairo_line_to(cr, box.x + box.width * (double)d->moments[i].time / seconds,
                      y_of(box, c, c->driven(&d->moments[i])));
    cairo_stroke(cr);
}

static void draw_planned_curve(cairo_t* cr, ink_box box, const sheet* s, const curve* c,
                               double seconds) {
    const tool_plan_found* f = s->run->found;
    double planned = (double)f->plan.time;
    kerb_plan_state last = kerb_plan_at(&f->plan, 0.0f);
    cairo_set_line_width(cr, 2.0);
    cairo_set_line_cap(cr, CAIRO_LINE_CAP_ROUND);
    for (int32_t k = 0; f->plan.count > 0 && (PICTURE_PLAN_STEP + PICTURE_PLAN_STEP * (double)k) <
                                                 planned + PICTURE_PLAN_STEP;
         k++) {
        double time = PICTURE_PLAN_STEP + PICTURE_PLAN_STEP * (double)k;
        kerb_plan_state now = kerb_plan_at(&f->plan, (float)time);
        set_speed_color(cr, 0.5 * (double)(last.speed + now.speed), s->full, 1.0);
        cairo_move_to(cr, box.x + box.width * (double)last.time / seconds,
                      y_of(box, c, c->value(&last)));
        cairo_line_to(cr, box.x + box.width * (double)now.time / seconds,
                      y_of(box, c, c->value(&now)));
        cairo_stroke(cr);
        last = now;
    }
}

static void picture_plan_draw_curve(cairo_t* cr, ink_box box, const sheet* s, const curve* c) {
    const tool_plan_found* f = s->run->found;
    double seconds = seconds_of(f);
    picture_plan_draw_axes(cr, box, c, seconds);
    for (int32_t i = 0; i < 2; i++)
        draw_level(cr, box, c, c->limits[i], INK_WARNING);
    if (c->value)
        draw_planned_curve(cr, box, s, c, seconds);
    if (c->driven)
        draw_driven_curve(cr, box, &f->driven, c, seconds);
}

static void draw_charts(cairo_t* cr, ink_box area, const sheet* s) {
    const kerb_plan_limits* l = &s->run->found->task.limits;
    double back = 0.0, top = (double)l->speed_max, aside = (double)l->lateral_acceleration;
    const tool_plan_found* f = s->run->found;
    for (int32_t i = 0; i < f->plan.count; i++)
        back = f->plan.pieces[i].direction < 0 ? (double)l->reverse_speed_max : back;
    const curve speed = {"Speed, m/s",
                         -1.1 * back,
                         1.1 * fmin(top, 1.25 * s->full),
                         {-back, fmin(top, 1.1 * fmin(top, 1.25 * s->full))},
                         speed_value,
                         driven_speed};
    const curve sideways = {"Lateral, m/s², left positive",
                            -1.15 * aside,
                            1.15 * aside,
                            {-aside, aside},
                            sideways_value,
                            NULL};
    double most = 1.1 * fmax(TOOL_PLAN_ERROR_MOST, (double)f->driven.result.error);
    const curve error = {
        "Off the plan, m", 0.0, most, {TOOL_PLAN_ERROR_MOST, TOOL_PLAN_ERROR_MOST}, NULL,
        driven_error};
    const curve* curves[3] = {&speed, &sideways, &error};
    int32_t count = f->driven.count > 0 ? 3 : 2;
    double height = (area.height - PICTURE_PLAN_GAP * (count - 1)) / count;
    for (int32_t i = 0; i < count; i++) {
        ink_box card = {area.x, area.y + (height + PICTURE_PLAN_GAP) * i, area.width, height};
        picture_card(cr, card);
        ink_box box = {card.x + PICTURE_PLAN_PADDING + PICTURE_PLAN_AXIS_ROOM - 10.0, card.y + 44.0,
                       card.width - 2.0 * PICTURE_PLAN_PADDING - PICTURE_PLAN_AXIS_ROOM + 10.0,
                       card.height - 78.0};
        picture_plan_draw_curve(cr, box, s, curves[i]);
    }
}

// --------------------------------------------------------------------------- the page

static void draw_driven_words(cairo_t* cr, const tool_plan_found* f) {
    const ink_style note = {12.0, false, INK_TEXT_FAINT, INK_RIGHT};
    const kerb_scene_plan_driven* r = &f->driven.result;
    char text[120];
    snprintf(text, sizeof text, "dark: driven, %.2f s%s, at most %.2f m off%s", (double)r->time,
             r->arrived ? "" : " and not arrived", (double)r->error,
             f->driven.touched ? ", touching an obstacle" : "");
    ink_text(cr, PICTURE_PLAN_MARGIN + PICTURE_PLAN_MAP_WIDTH + PICTURE_PLAN_GAP + CHART_WIDTH,
             26.0, text, &note);
}

static void picture_plan_draw_words(cairo_t* cr, const tool_plan_run* run) {
    const ink_style title = {17.0, true, INK_TEXT, INK_LEFT},
                    note = {12.0, false, INK_TEXT_FAINT, INK_LEFT};
    const tool_plan_found* f = run->found;
    double width =
        PICTURE_PLAN_MAP_WIDTH + (picture_plan_is_many(run) ? 0.0 : PICTURE_PLAN_GAP + CHART_WIDTH);
    char text[200];
    if (picture_plan_is_many(run) && !run->is_random) {
        ink_text(cr, PICTURE_PLAN_MARGIN, 26.0, "Plans, coloured by speed", &title);
        snprintf(text, sizeof text, "%d of %lld; arrows are the goals", (int)drawn_count(run),
                 (long long)run->count);
    } else if (picture_plan_is_many(run)) {
        ink_text(cr, PICTURE_PLAN_MARGIN, 26.0, "Random goals, each vehicle starting upwards",
                 &title);
        snprintf(text, sizeof text, "%d of %lld; turning radius %g to %g m; arrows are the goals",
                 (int)drawn_count(run), (long long)run->count, run->radius_min, run->radius_max);
    } else {
        snprintf(text, sizeof text, "Plan: %s", run->vehicle);
        ink_text_within(cr, PICTURE_PLAN_MARGIN, 26.0, width, text, &title);
        char toll[64] = "";
        if (f->plan.ground_cost > 0.005f)
            snprintf(toll, sizeof toll, ", ground cost %.2f s", (double)f->plan.ground_cost);
        if (f->plan.count > 0)
            snprintf(text, sizeof text,
                     "%.2f s over %.1f m%s, no plan takes less than %.2f s; %g to %g m/s; "
                     "footprints every %g s%s",
                     (double)f->plan.time, (double)f->plan.length, toll,
                     (double)f->plan.lower_bound, (double)f->task.from.speed,
                     (double)f->task.to.speed, FOOTPRINT_STEP,
                     f->task.limits.reverse_speed_max > 0.0f ? "; light core: in reverse" : "");
        else
            snprintf(text, sizeof text, "%s", kerb_plan_outcome_text(f->outcome));
    }
    ink_text_within(cr, PICTURE_PLAN_MARGIN, 45.0, width, text, &note);
    if (f->driven.was && !picture_plan_is_many(run))
        draw_driven_words(cr, f);
}

static void picture_plan_draw_page(cairo_t* cr, const void* context) {
    const sheet* s = context;
    const ink_box map = {PICTURE_PLAN_MARGIN, PICTURE_PLAN_HEAD, PICTURE_PLAN_MAP_WIDTH,
                         MAP_HEIGHT};
    double right = PICTURE_PLAN_MARGIN + PICTURE_PLAN_MAP_WIDTH + PICTURE_PLAN_GAP;
    ink_color(cr, INK_PAGE, 1.0);
    cairo_paint(cr);
    picture_plan_draw_words(cr, s->run);
    picture_card(cr, map);
    picture_plan_draw_map(cr, map, s);
    if (!picture_plan_is_many(s->run))
        draw_charts(cr, (ink_box){right, PICTURE_PLAN_HEAD, CHART_WIDTH, MAP_HEIGHT}, s);
}

// The last colour is the fastest that is driven, so that slow movements are told apart too.
static double speed_full(const tool_plan_run* run) {
    double full = 1.0;
    for (int64_t i = 0; i < drawn_count(run); i++) {
        const kerb_plan* plan = &run->found[i].plan;
        for (int32_t k = 0; k < plan->count; k++) {
            const kerb_plan_piece* p = &plan->pieces[k];
            full = fmax(full, (double)(p->speed + p->acceleration * p->duration));
            full = fmax(full, (double)p->speed);
        }
    }
    return full;
}

tool_status tool_picture_plan_write(const char* svg, const char* png, const tool_plan_run* run) {
    const sheet s = {run, speed_full(run)};
    double width = 2.0 * PICTURE_PLAN_MARGIN + PICTURE_PLAN_MAP_WIDTH +
                   (picture_plan_is_many(run) ? 0.0 : PICTURE_PLAN_GAP + CHART_WIDTH);
    const picture_page page = {width, PICTURE_PLAN_HEAD + MAP_HEIGHT + PICTURE_PLAN_MARGIN,
                               picture_plan_draw_page, &s};
    tool_status status = svg ? picture_file_write(svg, PICTURE_SVG, &page) : TOOL_DONE;
    if (status == TOOL_DONE && png)
        status = picture_file_write(png, PICTURE_PNG, &page);
    return status;
}

#else

tool_status tool_picture_plan_write(const char* svg, const char* png, const tool_plan_run* run) {
    (void)run;
    return tool_complain("%s cannot be drawn: this command was built without cairo",
                         svg ? svg : png);
}

#endif
