// Four maps of one extent: the start, after a third, after two thirds, the end. Bodies are drawn
// true to size, but never so small that front and back look equal. Where there are heights, each
// map has a view from the south below it.
#include "tool/picture/picture_scene.h"

#ifdef KERB_HAVE_CAIRO

#include "tool/picture/color_map.h"
#include "tool/picture/picture_file.h"
#include "tool/picture/picture_ink.h"
#include "tool/picture/picture_key.h"
#include "tool/picture/picture_map.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MOMENTS 4
#define PICTURE_SCENE_MARGIN 15.0
#define PICTURE_SCENE_HEAD 50.0
#define PANEL 470.0
#define CAPTION 20.0
#define PICTURE_SCENE_FOOT 30.0
#define TRAIL_SECONDS 8.0
#define TRAIL_SECONDS_FLYING 60.0
#define FLYING 10.0      // scenes whose heights differ by so much have a view from the south [m]
#define STRIP 100.0      // its height
#define LENGTH_LEAST 7.0 // of what is drawn [points]

#define ROLES_MOST 4

// A part that somebody plays.
typedef struct kerb_scene_role {
    const char* name;
    uint32_t color;
} kerb_scene_role;

typedef struct kerb_scene_picture {
    const tool_recording* const* recordings;
    int32_t count;
    map_extent extent;
    double panel_height;
    double lowest, highest; // of all places [m]
    kerb_scene_role roles[ROLES_MOST];
    int32_t role_count;
} kerb_scene_picture;

// --------------------------------------------------------------------------- extent

static void picture_scene_include(map_extent* extent, double x, double y) {
    extent->west = fmin(extent->west, x);
    extent->east = fmax(extent->east, x);
    extent->south = fmin(extent->south, y);
    extent->north = fmax(extent->north, y);
}

static map_extent picture_scene_extent_of(const kerb_scene_picture* p) {
    map_extent extent = {1e9, -1e9, 1e9, -1e9};
    const kerb_sim_world* world = &p->recordings[0]->course->world;
    for (int32_t i = 0; i < world->obstacle_count; i++) {
        picture_scene_include(&extent, (double)world->obstacles[i].from.x,
                              (double)world->obstacles[i].from.y);
        picture_scene_include(&extent, (double)world->obstacles[i].to.x,
                              (double)world->obstacles[i].to.y);
    }
    for (int32_t i = 0; i < p->count; i++) {
        for (int32_t k = 0; k < p->recordings[i]->count; k++) {
            kerb_vec3 place = p->recordings[i]->frames[k].motion.position;
            picture_scene_include(&extent, (double)place.x, (double)place.y);
        }
    }
    double edge = 0.02 * fmax(extent.east - extent.west, extent.north - extent.south) + 2.0;
    extent.west -= edge, extent.south -= edge;
    extent.east += edge, extent.north += edge;
    return extent;
}

static int32_t role_index(const kerb_scene_picture* p, const char* role) {
    int32_t i = 0;
    while (i < p->role_count && strcmp(p->roles[i].name, role) != 0)
        i++;
    return i;
}

// One entry for each part that somebody plays; those that the others are after are in the warning's
// colour.
static void collect_roles(kerb_scene_picture* p) {
    static const uint32_t colors[ROLES_MOST] = {0x2457c5u, 0xa8720au, 0x0b7285u, 0x7a4ea3u};
    int32_t unmarked = 0;
    for (int32_t i = 0; i < p->count; i++) {
        const tool_recording* r = p->recordings[i];
        if (!r->role || p->role_count == ROLES_MOST || role_index(p, r->role) < p->role_count)
            continue;
        kerb_scene_role role = {r->role, r->is_marked ? INK_WARNING : colors[unmarked]};
        unmarked += r->is_marked ? 0 : 1;
        p->roles[p->role_count++] = role;
    }
}

static void measure_heights(kerb_scene_picture* p) {
    p->lowest = 1e9, p->highest = -1e9;
    for (int32_t i = 0; i < p->count; i++) {
        for (int32_t k = 0; k < p->recordings[i]->count; k++) {
            double z = (double)p->recordings[i]->frames[k].motion.position.z;
            p->lowest = fmin(p->lowest, z);
            p->highest = fmax(p->highest, z);
        }
    }
}

static bool is_flying(const kerb_scene_picture* p) {
    return p->highest - p->lowest > FLYING;
}

static double picture_scene_card_height(const kerb_scene_picture* p) {
    return p->panel_height + CAPTION + (is_flying(p) ? STRIP + CAPTION : 0.0);
}

static kerb_scene_picture picture_of(const tool_recording* const* recordings, int32_t count) {
    kerb_scene_picture p = {.recordings = recordings, .count = count};
    p.extent = picture_scene_extent_of(&p);
    collect_roles(&p);
    measure_heights(&p);
    double shape = (p.extent.north - p.extent.south) / (p.extent.east - p.extent.west);
    p.panel_height = PANEL * fmin(fmax(shape, 0.3), 1.2);
    return p;
}

// --------------------------------------------------------------------------- drawing

static void draw_solids(cairo_t* cr, const map_view* view, const kerb_sim_world* world) {
    ink_color(cr, INK_SOLID, 1.0);
    for (int32_t i = 0; i < world->obstacle_count; i++) {
        const kerb_sim_obstacle* o = &world->obstacles[i];
        map_spot from = map_place(view, (double)o->from.x, (double)o->from.y);
        map_spot to = map_place(view, (double)o->to.x, (double)o->to.y);
        cairo_move_to(cr, from.x, from.y);
        cairo_line_to(cr, to.x, to.y);
        cairo_set_line_width(cr, fmax((double)o->thickness * view->scale, 2.0));
        cairo_stroke(cr);
    }
}

// What is drawn: the map, or the view from the south, in which heights are stretched.
typedef struct kerb_scene_view {
    const kerb_scene_picture* picture;
    map_view map;
    bool is_strip;
    double top; // of the strip
} kerb_scene_view;

static map_spot picture_scene_spot_of(const kerb_scene_view* view, kerb_vec3 place) {
    const kerb_scene_picture* p = view->picture;
    map_spot at = map_place(&view->map, (double)place.x, (double)place.y);
    double share = (p->highest - (double)place.z) / fmax(p->highest - p->lowest, 1e-3);
    if (view->is_strip)
        at.y = view->top + 8.0 + share * (STRIP - 16.0);
    return at;
}

// Up to the frame `now`, back to where it was away.
static void draw_trail(cairo_t* cr, const kerb_scene_view* view, const tool_recording* r,
                       int32_t now) {
    double seconds = is_flying(view->picture) ? TRAIL_SECONDS_FLYING : TRAIL_SECONDS;
    double since = r->frames[now].time - seconds;
    cairo_new_path(cr);
    for (int32_t k = now; k >= 0 && !r->frames[k].absent && r->frames[k].time >= since; k--) {
        map_spot at = picture_scene_spot_of(view, r->frames[k].motion.position);
        cairo_line_to(cr, at.x, at.y);
    }
    cairo_set_line_width(cr, 1.1);
    cairo_stroke(cr);
}

// Wider than long: fuselage, wings, tail. One unit long, the nose ahead at 0.5.
static void draw_airplane(cairo_t* cr, double length) {
    cairo_save(cr);
    cairo_scale(cr, length, length);
    cairo_rectangle(cr, -0.5, -0.07, 1.0, 0.14);
    cairo_rectangle(cr, 0.0, -0.65, 0.22, 1.3);
    cairo_rectangle(cr, -0.5, -0.22, 0.13, 0.44);
    cairo_fill(cr);
    cairo_restore(cr);
}

// Square behind, pointed in front.
static void draw_body(cairo_t* cr, const kerb_scene_view* scene, const tool_recording* r,
                      int32_t now) {
    const kerb_motion* motion = &r->frames[now].motion;
    const map_view* view = &scene->map;
    map_spot at = picture_scene_spot_of(scene, motion->position);
    if (scene->is_strip) {
        cairo_arc(cr, at.x, at.y, 3.0, 0.0, 6.2832);
        cairo_fill(cr);
        return;
    }
    double length = (double)r->vehicle.length * view->scale;
    double larger = fmax(1.0, LENGTH_LEAST / length);
    double front = (double)r->vehicle.reference_to_front * view->scale * larger;
    double half = 0.5 * (double)r->vehicle.width * view->scale * larger;
    length *= larger;
    cairo_save(cr);
    cairo_translate(cr, at.x, at.y);
    cairo_rotate(cr, -(double)kerb_quat_heading(motion->rotation));
    if (r->vehicle.width > r->vehicle.length) {
        draw_airplane(cr, fmax(length, 2.0 * LENGTH_LEAST));
        cairo_restore(cr);
        return;
    }
    cairo_move_to(cr, front - length, -half);
    cairo_line_to(cr, front - 0.35 * length, -half);
    cairo_line_to(cr, front, -0.35 * half);
    cairo_line_to(cr, front, 0.35 * half);
    cairo_line_to(cr, front - 0.35 * length, half);
    cairo_line_to(cr, front - length, half);
    cairo_close_path(cr);
    cairo_fill(cr);
    cairo_restore(cr);
}

static void set_color(cairo_t* cr, const kerb_scene_picture* p, int32_t index, double alpha) {
    const char* name = p->recordings[index]->role;
    int32_t role = name ? role_index(p, name) : p->role_count;
    if (role < p->role_count) {
        ink_color(cr, p->roles[role].color, alpha);
        return;
    }
    double place = p->count > 1 ? (double)index / (p->count - 1) : 0.0;
    tool_color color = tool_color_map(MAP_COLOR_SHARE * place);
    cairo_set_source_rgba(cr, color.red, color.green, color.blue, alpha);
}

static void draw_one(cairo_t* cr, const kerb_scene_view* view, const kerb_scene_picture* p,
                     int32_t i, double share) {
    const tool_recording* r = p->recordings[i];
    int32_t now = (int32_t)(share * (r->count - 1) + 0.5);
    if (r->count == 0 || r->frames[now].absent)
        return;
    set_color(cr, p, i, 0.35);
    draw_trail(cr, view, r, now);
    set_color(cr, p, i, 1.0);
    draw_body(cr, view, r, now);
}

static void draw_everybody(cairo_t* cr, const kerb_scene_view* view, double share) {
    for (int32_t i = 0; i < view->picture->count; i++)
        draw_one(cr, view, view->picture, i, share);
}

static void draw_strip(cairo_t* cr, kerb_scene_view view, double x, double y, double share) {
    const kerb_scene_picture* p = view.picture;
    view.is_strip = true;
    view.top = y + CAPTION;
    char text[80];
    ink_style note = {11.0, false, INK_TEXT_FAINT, INK_LEFT};
    ink_color(cr, INK_CARD_EDGE, 1.0);
    cairo_rectangle(cr, x, y, PANEL, 1.0);
    cairo_fill(cr);
    snprintf(text, sizeof text, "from the south, heights stretched: %.0f to %.0f m", p->lowest,
             p->highest);
    ink_text(cr, x + 10.0, y + 15.0, text, &note);
    draw_everybody(cr, &view, share);
}

static void draw_moment(cairo_t* cr, const kerb_scene_picture* p, int32_t moment) {
    double share = (double)moment / (MOMENTS - 1);
    int32_t column = moment % 2, row = moment / 2;
    double x = PICTURE_SCENE_MARGIN + column * (PANEL + PICTURE_SCENE_MARGIN);
    double y = PICTURE_SCENE_HEAD + row * (picture_scene_card_height(p) + PICTURE_SCENE_MARGIN);
    ink_box card = {x, y, PANEL, picture_scene_card_height(p)};
    kerb_scene_view view = {.picture = p};
    view.map =
        map_view_make(p->extent, (ink_box){x + 5.0, y + CAPTION, PANEL - 10.0, p->panel_height});
    const tool_recording* r = p->recordings[0];
    cairo_save(cr);
    ink_color(cr, INK_CARD, 1.0);
    ink_round_box(cr, card, 6.0);
    cairo_fill_preserve(cr);
    cairo_clip(cr);
    draw_solids(cr, &view.map, &r->course->world);
    draw_everybody(cr, &view, share);
    if (is_flying(p))
        draw_strip(cr, view, x, y + CAPTION + p->panel_height, share);
    cairo_restore(cr);
    char text[32];
    ink_style note = {11.0, false, INK_TEXT_FAINT, INK_LEFT};
    double time = r->frames[(int32_t)(share * (r->count - 1) + 0.5)].time;
    snprintf(text, sizeof text, "after %.1f s", time);
    ink_text(cr, x + 10.0, y + 15.0, text, &note);
}

// Scale and parts, under the maps.
static void picture_scene_draw_key(cairo_t* cr, const kerb_scene_picture* p) {
    double y = PICTURE_SCENE_HEAD + 2.0 * (picture_scene_card_height(p) + PICTURE_SCENE_MARGIN),
           x = PICTURE_SCENE_MARGIN + 10.0;
    map_view view = map_view_make(p->extent, (ink_box){0.0, 0.0, PANEL - 10.0, p->panel_height});
    ink_style note = {12.0, false, INK_TEXT, INK_LEFT};
    key_draw_scale_bar(cr, x, y + 12.0, &view, 110.0);
    x += 180.0;
    for (int32_t i = 0; i < p->role_count; i++) {
        ink_color(cr, p->roles[i].color, 1.0);
        cairo_rectangle(cr, x, y + 3.0, 16.0, 8.0);
        cairo_fill(cr);
        x += 24.0 + ink_text(cr, x + 22.0, y + 11.0, p->roles[i].name, &note) + 18.0;
    }
    ink_style faint = {12.0, false, INK_TEXT_FAINT, INK_LEFT};
    ink_text(cr, x, y + 11.0, is_flying(p) ? "Trails: the last minute." : "Trails: the last 8 s.",
             &faint);
}

static void draw_scene(cairo_t* cr, const void* context) {
    const kerb_scene_picture* p = context;
    const kerb_scene_course* course = p->recordings[0]->course;
    ink_style title = {17.0, true, INK_TEXT, INK_LEFT},
              note = {12.0, false, INK_TEXT_FAINT, INK_LEFT};
    ink_color(cr, INK_PAGE, 1.0);
    cairo_paint(cr);
    ink_text(cr, PICTURE_SCENE_MARGIN, 24.0, course->name, &title);
    ink_text(cr, PICTURE_SCENE_MARGIN, 40.0, course->about, &note);
    for (int32_t moment = 0; moment < MOMENTS; moment++)
        draw_moment(cr, p, moment);
    picture_scene_draw_key(cr, p);
}

tool_status tool_picture_scene_write(const char* svg, const char* png,
                                     const tool_recording* const* recordings, int32_t count) {
    kerb_scene_picture p = picture_of(recordings, count);
    const picture_page page = {2.0 * PANEL + 3.0 * PICTURE_SCENE_MARGIN,
                               PICTURE_SCENE_HEAD +
                                   2.0 * (picture_scene_card_height(&p) + PICTURE_SCENE_MARGIN) +
                                   PICTURE_SCENE_FOOT,
                               draw_scene, &p};
    tool_status status = svg ? picture_file_write(svg, PICTURE_SVG, &page) : TOOL_DONE;
    if (status == TOOL_DONE && png)
        status = picture_file_write(png, PICTURE_PNG, &page);
    return status;
}

#else

tool_status tool_picture_scene_write(const char* svg, const char* png,
                                     const tool_recording* const* recordings, int32_t count) {
    (void)recordings;
    (void)count;
    return tool_complain("%s: this kerb was built without cairo, which draws the pictures",
                         svg ? svg : png);
}

#endif
