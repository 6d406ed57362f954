// The corridor is one polygon made of a quadrilateral for each segment and a wedge at the outer
// side of each bend, all with the same orientation, so that the non-zero rule fills their union
// without seams, also where the course crosses itself. Points closer than half a point on the page
// are left out, so that the cost of a million waypoints is limited by the page.
//
// Labels try eight places round their mark and use the one that covers least of the driven line and
// of other labels.
#ifdef KERB_HAVE_CAIRO
#include "tool/picture/picture_map.h"

#include "tool/picture/color_map.h"
#include "tool/picture/picture_world.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PICTURE_MAP_PI 3.14159265358979323846
#define PICTURE_MAP_SPEED_COLORS 96
#define LABELS_MAX 24
#define LABEL_SIZE 10.5

typedef map_spot picture_map_spot;

// --------------------------------------------------------------------------- extent and view

static void extend(map_extent* extent, double x, double y, double margin) {
    extent->west = fmin(extent->west, x - margin);
    extent->east = fmax(extent->east, x + margin);
    extent->south = fmin(extent->south, y - margin);
    extent->north = fmax(extent->north, y + margin);
}

map_extent map_extent_of(const tool_recording* recording) {
    map_extent extent = {HUGE_VAL, -HUGE_VAL, HUGE_VAL, -HUGE_VAL};
    const kerb_scene_course* course = recording->course;
    for (int32_t i = 0; i < course->count; i++) {
        const kerb_waypoint* w = &course->waypoints[i];
        double margin = fmin(fmax((double)w->left, (double)w->right), 50.0);
        extend(&extent, (double)w->position.x, (double)w->position.y, margin);
    }
    for (int32_t i = 0; i < course->world.obstacle_count; i++) {
        const kerb_sim_obstacle* o = &course->world.obstacles[i];
        extend(&extent, (double)o->from.x, (double)o->from.y, (double)o->thickness);
        extend(&extent, (double)o->to.x, (double)o->to.y, (double)o->thickness);
    }
    for (int32_t i = 0; i < course->world.zone_count; i++) {
        const kerb_sim_zone* z = &course->world.zones[i];
        extend(&extent, (double)z->centre.x, (double)z->centre.y, (double)z->radius);
    }
    double body = (double)recording->vehicle.length * 0.6;
    for (int32_t i = 0; i < recording->count; i++) {
        kerb_vec3 position = recording->frames[i].motion.position;
        extend(&extent, (double)position.x, (double)position.y, body);
    }
    return extent;
}

map_view map_view_make(map_extent extent, ink_box box) {
    double width = fmax(extent.east - extent.west, 1.0);
    double height = fmax(extent.north - extent.south, 1.0);
    map_view view = {box, extent, fmin(box.width / width, box.height / height)};
    return view;
}

map_spot map_place(const map_view* view, double x, double y) {
    double middle_x = 0.5 * (view->extent.west + view->extent.east);
    double middle_y = 0.5 * (view->extent.south + view->extent.north);
    picture_map_spot s = {view->box.x + 0.5 * view->box.width + (x - middle_x) * view->scale,
                          view->box.y + 0.5 * view->box.height - (y - middle_y) * view->scale};
    return s;
}

static picture_map_spot place_vec(const map_view* view, kerb_vec3 position) {
    return map_place(view, (double)position.x, (double)position.y);
}

static double apart(picture_map_spot a, picture_map_spot b) {
    return hypot(a.x - b.x, a.y - b.y);
}

// --------------------------------------------------------------------------- course

// The course on the page, thinned.
typedef struct rail {
    picture_map_spot* spots;
    double* left; // half widths on the page
    double* right;
    int32_t count;
} rail;

static rail rail_make(const map_view* view, const kerb_scene_course* course) {
    int32_t most = course->count + 1;
    rail r = {malloc((size_t)most * sizeof(picture_map_spot)),
              malloc((size_t)most * sizeof(double)), malloc((size_t)most * sizeof(double)), 0};
    if (!r.spots || !r.left || !r.right)
        return r;
    int32_t all = course->closed ? course->count + 1 : course->count;
    for (int32_t i = 0; i < all; i++) {
        const kerb_waypoint* w = &course->waypoints[i % course->count];
        picture_map_spot s = place_vec(view, w->position);
        bool last = i == all - 1;
        if (r.count > 0 && !last && apart(s, r.spots[r.count - 1]) < 0.5)
            continue;
        r.spots[r.count] = s;
        r.left[r.count] = (double)w->left * view->scale;
        r.right[r.count] = (double)w->right * view->scale;
        r.count++;
    }
    return r;
}

static void rail_free(rail* r) {
    free(r->spots);
    free(r->left);
    free(r->right);
}

// The unit vector to the left of a segment, as seen on the page, where y points down.
static bool left_of(picture_map_spot a, picture_map_spot b, picture_map_spot* left) {
    double length = apart(a, b);
    if (length <= 0.0)
        return false;
    left->x = (b.y - a.y) / length;
    left->y = -(b.x - a.x) / length;
    return true;
}

static void quadrilateral(cairo_t* cr, const rail* r, int32_t i, picture_map_spot left,
                          double rim) {
    picture_map_spot a = r->spots[i], b = r->spots[i + 1];
    double al = r->left[i] + rim, ar = r->right[i] + rim;
    double bl = r->left[i + 1] + rim, br = r->right[i + 1] + rim;
    cairo_move_to(cr, a.x + left.x * al, a.y + left.y * al);
    cairo_line_to(cr, b.x + left.x * bl, b.y + left.y * bl);
    cairo_line_to(cr, b.x - left.x * br, b.y - left.y * br);
    cairo_line_to(cr, a.x - left.x * ar, a.y - left.y * ar);
    cairo_close_path(cr);
}

// Fills the gap on the outer side of the bend at spot i.
static void wedge(cairo_t* cr, const rail* r, int32_t i, picture_map_spot before,
                  picture_map_spot after, double rim) {
    picture_map_spot s = r->spots[i];
    bool turns_right = before.x * after.y - before.y * after.x > 0.0;
    cairo_new_sub_path(cr);
    cairo_move_to(cr, s.x, s.y);
    if (turns_right)
        cairo_arc(cr, s.x, s.y, r->left[i] + rim, atan2(before.y, before.x),
                  atan2(after.y, after.x));
    else
        cairo_arc(cr, s.x, s.y, r->right[i] + rim, atan2(-after.y, -after.x),
                  atan2(-before.y, -before.x));
    cairo_close_path(cr);
}

static void fill_corridor(cairo_t* cr, const rail* r, double rim) {
    picture_map_spot before = {0.0, 0.0}, left;
    bool has_before = false;
    for (int32_t i = 0; i + 1 < r->count; i++) {
        if (!left_of(r->spots[i], r->spots[i + 1], &left))
            continue;
        quadrilateral(cr, r, i, left, rim);
        if (has_before)
            wedge(cr, r, i, before, left, rim);
        before = left;
        has_before = true;
    }
    cairo_set_fill_rule(cr, CAIRO_FILL_RULE_WINDING);
    cairo_fill(cr);
}

static void draw_centre(cairo_t* cr, const rail* r) {
    for (int32_t i = 0; i < r->count; i++)
        cairo_line_to(cr, r->spots[i].x, r->spots[i].y);
    const double dashes[] = {4.0, 3.5};
    cairo_set_dash(cr, dashes, 2, 0.0);
    cairo_set_line_join(cr, CAIRO_LINE_JOIN_ROUND);
    cairo_set_line_width(cr, 0.9);
    ink_color(cr, INK_CENTRE, 1.0);
    cairo_stroke(cr);
    cairo_set_dash(cr, NULL, 0, 0.0);
}

static void draw_course(cairo_t* cr, const map_view* view, const kerb_scene_course* course) {
    rail r = rail_make(view, course);
    if (r.spots && r.left && r.right) {
        ink_color(cr, INK_CORRIDOR_EDGE, 1.0);
        fill_corridor(cr, &r, 0.9);
        ink_color(cr, INK_CORRIDOR, 1.0);
        fill_corridor(cr, &r, 0.0);
        world_draw_ground(cr, view, &course->world);
        draw_centre(cr, &r);
        world_draw_solids(cr, view, &course->world);
    }
    rail_free(&r);
}

// --------------------------------------------------------------------------- driven line

// The driven line on the page, without the frames that would not move the pen.
typedef struct picture_map_track {
    picture_map_spot* spots;
    int32_t* colors; // of the piece that begins at the spot
    int32_t count;
} picture_map_track;

static int32_t picture_map_color_of(const kerb_scene_frame* frame, double speed_full) {
    double speed = fabs((double)kerb_motion_forward_speed(&frame->motion));
    double part = speed_full > 0.0 ? speed / speed_full : 0.0;
    return (int32_t)(fmin(part, 1.0) * (PICTURE_MAP_SPEED_COLORS - 1) + 0.5);
}

static void stroke_piece(cairo_t* cr, int32_t color) {
    tool_color c = tool_color_map(MAP_COLOR_SHARE * color / (PICTURE_MAP_SPEED_COLORS - 1));
    cairo_set_source_rgb(cr, c.red, c.green, c.blue);
    cairo_stroke(cr);
}

static picture_map_track track_make(const map_view* view, const tool_recording* r,
                                    double speed_full) {
    picture_map_track t = {malloc((size_t)r->count * sizeof(picture_map_spot)),
                           malloc((size_t)r->count * sizeof(int32_t)), 0};
    for (int32_t i = 0; t.spots && t.colors && i < r->count; i++) {
        picture_map_spot s = place_vec(view, r->frames[i].motion.position);
        if (t.count > 0 && i < r->count - 1 && apart(s, t.spots[t.count - 1]) < 0.8)
            continue;
        t.spots[t.count] = s;
        t.colors[t.count] = picture_map_color_of(&r->frames[i], speed_full);
        t.count++;
    }
    return t;
}

static void track_free(picture_map_track* t) {
    free(t->spots);
    free(t->colors);
}

// A dark casing below keeps the bright colours apart from the ground.
static void draw_casing(cairo_t* cr, const picture_map_track* t, double width) {
    for (int32_t i = 0; i < t->count; i++)
        cairo_line_to(cr, t->spots[i].x, t->spots[i].y);
    cairo_set_line_width(cr, width + 1.1);
    ink_color(cr, INK_TEXT, 0.55);
    cairo_stroke(cr);
}

// Each run of one colour is one stroke.
static void picture_map_draw_line(cairo_t* cr, const picture_map_track* t) {
    const double width = 2.8;
    cairo_set_line_join(cr, CAIRO_LINE_JOIN_ROUND);
    cairo_set_line_cap(cr, CAIRO_LINE_CAP_ROUND);
    draw_casing(cr, t, width);
    cairo_set_line_width(cr, width);
    int32_t begin = 0;
    for (int32_t i = 1; i < t->count; i++) {
        if (i < t->count - 1 && t->colors[i] == t->colors[begin])
            continue;
        for (int32_t k = begin; k <= i; k++)
            cairo_line_to(cr, t->spots[k].x, t->spots[k].y);
        stroke_piece(cr, t->colors[begin]);
        begin = i;
    }
}

// --------------------------------------------------------------------------- marks

void map_mark_start(cairo_t* cr, double x, double y) {
    cairo_new_sub_path(cr);
    cairo_arc(cr, x, y, 4.2, 0.0, 2.0 * PICTURE_MAP_PI);
    ink_color(cr, INK_CARD, 1.0);
    cairo_fill_preserve(cr);
    cairo_set_line_width(cr, 1.8);
    ink_color(cr, INK_TEXT, 1.0);
    cairo_stroke(cr);
}

void map_mark_end(cairo_t* cr, double x, double y) {
    cairo_new_sub_path(cr);
    cairo_arc(cr, x, y, 5.4, 0.0, 2.0 * PICTURE_MAP_PI);
    ink_color(cr, INK_CARD, 1.0);
    cairo_fill(cr);
    cairo_arc(cr, x, y, 4.4, 0.0, 2.0 * PICTURE_MAP_PI);
    ink_color(cr, INK_TEXT, 1.0);
    cairo_fill(cr);
}

void map_mark_stop(cairo_t* cr, double x, double y) {
    cairo_new_sub_path(cr);
    for (int32_t i = 0; i < 8; i++) {
        double angle = (i + 0.5) * PICTURE_MAP_PI / 4.0;
        cairo_line_to(cr, x + 5.2 * cos(angle), y + 5.2 * sin(angle));
    }
    cairo_close_path(cr);
    ink_color(cr, INK_WARNING, 1.0);
    cairo_fill_preserve(cr);
    cairo_set_line_width(cr, 1.2);
    ink_color(cr, INK_CARD, 1.0);
    cairo_stroke(cr);
}

void map_mark_stuck(cairo_t* cr, double x, double y) {
    cairo_new_sub_path(cr);
    cairo_arc(cr, x, y, 6.4, 0.0, 2.0 * PICTURE_MAP_PI);
    ink_color(cr, INK_CARD, 0.9);
    cairo_fill(cr);
    for (int32_t side = -1; side <= 1; side += 2) {
        cairo_move_to(cr, x - 3.8, y - 3.8 * side);
        cairo_line_to(cr, x + 3.8, y + 3.8 * side);
    }
    cairo_set_line_cap(cr, CAIRO_LINE_CAP_ROUND);
    cairo_set_line_width(cr, 2.4);
    ink_color(cr, INK_WARNING, 1.0);
    cairo_stroke(cr);
}

void map_mark_touch(cairo_t* cr, double x, double y) {
    cairo_new_sub_path(cr);
    cairo_arc(cr, x, y, 3.6, 0.0, 2.0 * PICTURE_MAP_PI);
    ink_color(cr, INK_CARD, 0.8);
    cairo_fill_preserve(cr);
    cairo_set_line_width(cr, 1.6);
    ink_color(cr, INK_WARNING, 1.0);
    cairo_stroke(cr);
}

// The body below the driven line, or the outline above it: so that both are seen.
static void picture_map_draw_vehicle(cairo_t* cr, picture_map_spot s, double scale, double heading,
                                     const kerb_vehicle* vehicle, bool outline) {
    double front = (double)vehicle->reference_to_front * scale;
    double length = (double)vehicle->length * scale, width = (double)vehicle->width * scale;
    ink_box body = {front - length, -0.5 * width, length, width};
    cairo_save(cr);
    cairo_translate(cr, s.x, s.y);
    cairo_rotate(cr, -heading);
    ink_round_box(cr, body, fmin(width, length) * 0.22);
    if (outline) {
        // A windscreen tells front from back.
        cairo_move_to(cr, front - 0.30 * length, -0.34 * width);
        cairo_curve_to(cr, front - 0.24 * length, -0.2 * width, front - 0.24 * length, 0.2 * width,
                       front - 0.30 * length, 0.34 * width);
        cairo_set_line_width(cr, 0.9);
        ink_color(cr, INK_TEXT, 0.8);
        cairo_stroke(cr);
    } else {
        ink_color(cr, INK_CARD, 0.85);
        cairo_fill(cr);
    }
    cairo_restore(cr);
}

// Footprints a few lengths apart, as many as leave the line to be seen.
static void draw_vehicles(cairo_t* cr, const map_view* view, const tool_recording* r,
                          bool outline) {
    double length = (double)r->vehicle.length * view->scale;
    if (length < 7.0)
        return;
    picture_map_spot first = place_vec(view, r->frames[0].motion.position);
    picture_map_spot last = place_vec(view, r->frames[r->count - 1].motion.position);
    double step = fmax(3.2 * length, 64.0), since = 0.0;
    for (int32_t i = 1; i < r->count; i++) {
        picture_map_spot before = place_vec(view, r->frames[i - 1].motion.position);
        picture_map_spot s = place_vec(view, r->frames[i].motion.position);
        since += apart(before, s);
        if (since < step)
            continue;
        since = 0.0;
        if (fmin(apart(s, first), apart(s, last)) < 1.3 * length)
            continue; // leaves room for the marks and their labels
        double heading = (double)kerb_quat_heading(r->frames[i].motion.rotation);
        picture_map_draw_vehicle(cr, s, view->scale, heading, &r->vehicle, outline);
    }
}

// --------------------------------------------------------------------------- labels

typedef struct labels {
    const map_view* view;
    const picture_map_track* track;
    ink_box taken[LABELS_MAX];
    int32_t count;
} labels;

static bool holds(ink_box box, picture_map_spot s, double margin) {
    return s.x > box.x - margin && s.x < box.x + box.width + margin && s.y > box.y - margin &&
           s.y < box.y + box.height + margin;
}

static bool overlap(ink_box a, ink_box b) {
    return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height &&
           b.y < a.y + a.height;
}

// How much is covered, counted in places of the driven line; other labels and the box's edge
// count more than any line.
static double cost_of(const labels* l, ink_box box) {
    double cost = 0.0;
    for (int32_t i = 0; i < l->track->count; i++)
        cost += holds(box, l->track->spots[i], 3.0) ? 1.0 : 0.0;
    for (int32_t i = 0; i < l->count; i++)
        cost += overlap(box, l->taken[i]) ? 1e6 : 0.0;
    const ink_box* all = &l->view->box;
    bool inside = box.x >= all->x - 8.0 && box.y >= all->y - 8.0 &&
                  box.x + box.width <= all->x + all->width + 8.0 &&
                  box.y + box.height <= all->y + all->height + 8.0;
    return cost + (inside ? 0.0 : 1e5);
}

static ink_box label_box(picture_map_spot s, double width, int32_t direction) {
    double angle = direction * PICTURE_MAP_PI / 4.0, height = LABEL_SIZE;
    double reach_x = 10.0 + 0.5 * width, reach_y = 9.0 + 0.5 * height;
    double x = s.x + cos(angle) * (direction % 4 == 0 ? reach_x : reach_x * 1.3);
    double y = s.y + sin(angle) * (direction % 4 == 2 ? reach_y : reach_y * 1.4);
    ink_box box = {x - 0.5 * width, y - 0.5 * height, width, height};
    return box;
}

static void reserve(labels* l, ink_box box) {
    if (l->count < LABELS_MAX)
        l->taken[l->count++] = box;
}

// Marks are reserved first, so that no label covers one.
static void reserve_mark(labels* l, picture_map_spot s) {
    ink_box box = {s.x - 6.0, s.y - 6.0, 12.0, 12.0};
    reserve(l, box);
}

static void draw_label(cairo_t* cr, labels* l, picture_map_spot s, const char* text,
                       uint32_t color) {
    ink_style style = {LABEL_SIZE, false, color, INK_CENTRED};
    double width = ink_text_width(cr, text, &style), least = HUGE_VAL;
    ink_box best = {0};
    for (int32_t direction = 0; direction < 8; direction++) {
        ink_box box = label_box(s, width, direction);
        double cost = cost_of(l, box);
        if (cost < least) {
            least = cost;
            best = box;
        }
    }
    if (least >= 1e6)
        return; // no place without covering another label
    reserve(l, best);
    ink_text_rimmed(cr, best.x + 0.5 * width, best.y + best.height - 1.5, text, &style);
}

// --------------------------------------------------------------------------- events

typedef enum event_kind { EVENT_STOP, EVENT_STUCK, EVENT_PUT_BACK } event_kind;

typedef struct event {
    picture_map_spot spot;
    char text[48];
    event_kind kind;
} event;

typedef struct event_list {
    event events[LABELS_MAX / 3];
    int32_t count;
} event_list;

static event* add_event(event_list* list, picture_map_spot s, event_kind kind) {
    int32_t most = (int32_t)(sizeof list->events / sizeof list->events[0]);
    if (list->count == most)
        return NULL;
    event* e = &list->events[list->count++];
    *e = (event){.spot = s, .kind = kind};
    return e;
}

static void find_stops(event_list* list, const map_view* view, const kerb_scene_course* course) {
    for (int32_t i = 0; i < course->count; i++) {
        const kerb_waypoint* w = &course->waypoints[i];
        event* e =
            w->stop > 0.0f ? add_event(list, place_vec(view, w->position), EVENT_STOP) : NULL;
        if (e && w->stop >= KERB_STOP_FOREVER)
            snprintf(e->text, sizeof e->text, "stop");
        else if (e)
            snprintf(e->text, sizeof e->text, "stop %.3g s", (double)w->stop);
    }
}

static bool is_put_back(const kerb_scene_frame* frame) {
    return frame->controls.reason == KERB_REASON_TELEPORT;
}

// Where a vehicle got stuck, and where it was when it was put back.
static void find_stuck(event_list* list, const map_view* view, const tool_recording* r) {
    for (int32_t i = 1; i < r->count; i++) {
        const kerb_scene_frame *before = &r->frames[i - 1], *now = &r->frames[i];
        event* e = NULL;
        if (now->stuck && !before->stuck) {
            e = add_event(list, place_vec(view, now->motion.position), EVENT_STUCK);
            if (e)
                snprintf(e->text, sizeof e->text, "stuck at %.0f s", now->time);
        } else if (is_put_back(now) && !is_put_back(before)) {
            e = add_event(list, place_vec(view, now->motion.position), EVENT_PUT_BACK);
            if (e)
                snprintf(e->text, sizeof e->text, "put back at %.0f s", now->time);
        }
    }
}

// Touches that follow one another within a second are one, as in the result.
static void draw_touches(cairo_t* cr, const map_view* view, const tool_recording* r) {
    double last = -HUGE_VAL;
    for (int32_t i = 0; i < r->count; i++) {
        const kerb_scene_frame* frame = &r->frames[i];
        if (!frame->touching)
            continue;
        picture_map_spot s = place_vec(view, frame->motion.position);
        if (frame->time > last + 1.0)
            map_mark_touch(cr, s.x, s.y);
        last = frame->time;
    }
}

static void draw_ends(cairo_t* cr, labels* l, picture_map_spot start, picture_map_spot end,
                      bool finished) {
    map_mark_start(cr, start.x, start.y);
    map_mark_end(cr, end.x, end.y);
    bool same = apart(start, end) < 14.0 && finished;
    draw_label(cr, l, start, same ? "start and end" : "start", INK_TEXT);
    if (!same)
        draw_label(cr, l, end, finished ? "end" : "not finished",
                   finished ? INK_TEXT : INK_WARNING);
}

static void draw_events(cairo_t* cr, const map_view* view, const tool_recording* r,
                        const picture_map_track* t) {
    event_list list = {.count = 0};
    find_stuck(&list, view, r);
    find_stops(&list, view, r->course);
    labels l = {.view = view, .track = t};
    picture_map_spot start = place_vec(view, r->frames[0].motion.position);
    picture_map_spot end = place_vec(view, r->frames[r->count - 1].motion.position);
    reserve_mark(&l, start);
    reserve_mark(&l, end);
    draw_touches(cr, view, r);
    for (int32_t i = 0; i < list.count; i++) {
        const event* e = &list.events[i];
        reserve_mark(&l, e->spot);
        (e->kind == EVENT_STOP ? map_mark_stop : map_mark_stuck)(cr, e->spot.x, e->spot.y);
    }
    draw_ends(cr, &l, start, end, r->result.finished);
    for (int32_t i = 0; i < list.count; i++)
        draw_label(cr, &l, list.events[i].spot, list.events[i].text, INK_WARNING);
}

void map_draw(cairo_t* cr, const map_view* view, const tool_recording* recording,
              double speed_full) {
    draw_course(cr, view, recording->course);
    if (recording->count == 0)
        return;
    picture_map_track t = track_make(view, recording, speed_full);
    if (t.spots && t.colors) {
        draw_vehicles(cr, view, recording, false);
        picture_map_draw_line(cr, &t);
        draw_vehicles(cr, view, recording, true);
        draw_events(cr, view, recording, &t);
    }
    track_free(&t);
}

#else
typedef int picture_map_needs_cairo; // an empty file is no C
#endif
