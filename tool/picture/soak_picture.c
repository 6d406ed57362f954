// Streets are wide strokes; the driven lines are thin ones in the colour of their speed, nearly
// transparent, so that dense traffic looks dense.
#include "tool/picture/soak_picture.h"

#ifdef KERB_HAVE_CAIRO

#include "tool/picture/color_map.h"
#include "tool/picture/picture_file.h"
#include "tool/picture/picture_key.h"
#include "tool/picture/picture_world.h"

#include <math.h>
#include <string.h>

#define SOAK_PICTURE_WIDTH 1000.0
#define SOAK_PICTURE_HEAD 62.0
#define SOAK_PICTURE_FOOT 44.0
#define SOAK_PICTURE_MARGIN 24.0
#define SCALE_WIDTH 170.0
#define SCALE_WORDS 40.0 // of that
#define SOAK_PICTURE_SPEED_COLORS 16

typedef struct soak_picture_page {
    const tool_soak* soak;
    const tool_soak_record* record;
    map_view view;
    double height;
    double speed_full; // of the last colour [m/s]
} soak_picture_page;

static soak_picture_page page_make(const tool_soak* soak, const tool_soak_record* record) {
    soak_picture_page p;
    memset(&p, 0, sizeof p);
    p.soak = soak;
    p.record = record;
    p.speed_full = 1.0;
    const kerb_sim_terrain* t = &record->course.world.terrain;
    double side = (double)(t->nx - 1) * (double)t->spacing;
    map_extent extent = {(double)t->x, (double)t->x + side, (double)t->y, (double)t->y + side};
    double box = SOAK_PICTURE_WIDTH - 2.0 * SOAK_PICTURE_MARGIN;
    p.view = map_view_make(extent, (ink_box){SOAK_PICTURE_MARGIN, SOAK_PICTURE_HEAD, box, box});
    p.height = SOAK_PICTURE_HEAD + box + SOAK_PICTURE_FOOT;
    for (int32_t i = 0; i < record->count; i++) {
        for (int32_t k = 0; k < record->recordings[i].count; k++)
            p.speed_full = fmax(p.speed_full, fabs((double)kerb_motion_forward_speed(
                                                  &record->recordings[i].frames[k].motion)));
    }
    return p;
}

// --------------------------------------------------------------------------- streets

static map_spot soak_picture_spot_of(const soak_picture_page* p, kerb_vec3 position) {
    return map_place(&p->view, (double)position.x, (double)position.y);
}

static void trace_points(cairo_t* cr, const soak_picture_page* p, int32_t first, int32_t count) {
    for (int32_t i = first; i < first + count; i++) {
        map_spot s = soak_picture_spot_of(p, p->soak->town->points[i].position);
        if (i == first)
            cairo_move_to(cr, s.x, s.y);
        else
            cairo_line_to(cr, s.x, s.y);
    }
}

static void trace_streets(cairo_t* cr, const soak_picture_page* p) {
    const kerb_scene_town* town = p->soak->town;
    for (int32_t i = 0; i < town->lane_count; i++)
        trace_points(cr, p, town->lanes[i].first, town->lanes[i].count);
    for (int32_t i = 0; i < town->link_count; i++)
        trace_points(cr, p, town->links[i].first, town->links[i].count);
}

static void stroke_streets(cairo_t* cr, const soak_picture_page* p, double width, uint32_t color) {
    trace_streets(cr, p);
    cairo_set_line_width(cr, width * p->view.scale);
    ink_color(cr, color, 1.0);
    cairo_stroke(cr);
}

static void draw_streets(cairo_t* cr, const soak_picture_page* p) {
    cairo_set_line_cap(cr, CAIRO_LINE_CAP_ROUND);
    cairo_set_line_join(cr, CAIRO_LINE_JOIN_ROUND);
    stroke_streets(cr, p, 2.0 * (double)TOWN_LANE_HALF + 0.8, INK_CORRIDOR_EDGE);
    stroke_streets(cr, p, 2.0 * (double)TOWN_LANE_HALF, INK_CORRIDOR);
}

// --------------------------------------------------------------------------- what was driven

static int32_t soak_picture_color_of(const soak_picture_page* p, const kerb_scene_frame* frame) {
    double part = fabs((double)kerb_motion_forward_speed(&frame->motion)) / p->speed_full;
    return (int32_t)(fmin(part, 1.0) * (SOAK_PICTURE_SPEED_COLORS - 1) + 0.5);
}

static void stroke_driven(cairo_t* cr, int32_t color) {
    tool_color c = tool_color_map(MAP_COLOR_SHARE * color / (SOAK_PICTURE_SPEED_COLORS - 1));
    cairo_set_source_rgba(cr, c.red, c.green, c.blue, 0.5);
    cairo_stroke(cr);
}

static void soak_picture_draw_driven(cairo_t* cr, const soak_picture_page* p,
                                     const tool_recording* r) {
    cairo_set_line_width(cr, 0.9);
    int32_t color = -1;
    for (int32_t i = 1; i < r->count; i++) {
        map_spot from = soak_picture_spot_of(p, r->frames[i - 1].motion.position);
        map_spot to = soak_picture_spot_of(p, r->frames[i].motion.position);
        int32_t next = soak_picture_color_of(p, &r->frames[i]);
        if (next != color) {
            if (color >= 0)
                stroke_driven(cr, color);
            cairo_move_to(cr, from.x, from.y);
            color = next;
        }
        cairo_line_to(cr, to.x, to.y);
    }
    if (color >= 0)
        stroke_driven(cr, color);
}

// The vehicles where the trial ended.
static void soak_picture_draw_vehicle(cairo_t* cr, const soak_picture_page* p,
                                      const tool_recording* r) {
    if (r->count == 0)
        return;
    const kerb_motion* motion = &r->frames[r->count - 1].motion;
    map_spot at = soak_picture_spot_of(p, motion->position);
    double front = (double)r->vehicle.reference_to_front * p->view.scale;
    double length = (double)r->vehicle.length * p->view.scale;
    double width = (double)r->vehicle.width * p->view.scale;
    cairo_save(cr);
    cairo_translate(cr, at.x, at.y);
    cairo_rotate(cr, -(double)kerb_quat_heading(motion->rotation));
    cairo_rectangle(cr, front - length, -0.5 * width, length, width);
    ink_color(cr, INK_TEXT, 1.0);
    cairo_fill(cr);
    cairo_restore(cr);
}

static void soak_picture_draw_marks(cairo_t* cr, const soak_picture_page* p) {
    for (int32_t i = 0; i < p->record->mark_count; i++) {
        const soak_mark* m = &p->record->marks[i];
        map_spot s = soak_picture_spot_of(p, m->position);
        if (m->kind == SOAK_MARK_STUCK)
            map_mark_stuck(cr, s.x, s.y);
        else if (m->kind != SOAK_MARK_TELEPORT)
            map_mark_touch(cr, s.x, s.y);
    }
}

// --------------------------------------------------------------------------- the page

static void soak_picture_draw_head(cairo_t* cr, const soak_picture_page* p) {
    const soak_count* c = &p->soak->results[0].all;
    const ink_style title = {19.0, true, INK_TEXT, INK_LEFT};
    const ink_style line = {12.0, false, INK_TEXT_FAINT, INK_LEFT};
    char text[256];
    snprintf(text, sizeof text, "Soak test: %d vehicles, follower %s", (int)p->record->count,
             tool_soak_method_name(p->soak, 0));
    ink_text(cr, SOAK_PICTURE_MARGIN, 28.0, text, &title);
    snprintf(text, sizeof text,
             "%.0f min of driving, mean speed %.1f m/s. %d stuck events, %d contacts of vehicles, "
             "%d touches of solids.",
             c->driving_s / 60.0, c->distance / c->driving_s, (int)c->stuck_events,
             (int)c->vehicle_contacts, (int)c->solid_contacts);
    ink_text(cr, SOAK_PICTURE_MARGIN, 47.0, text, &line);
}

static double draw_speeds(cairo_t* cr, const soak_picture_page* p, double x, double y) {
    const ink_style style = {10.5, false, INK_TEXT_FAINT, INK_LEFT};
    const ink_box bar = {x, y - 5.0, 120.0, 10.0};
    char text[64];
    snprintf(text, sizeof text, "0 to %.0f m/s", p->speed_full);
    key_draw_speeds(cr, bar);
    x += bar.width + 7.0;
    return x + ink_text(cr, x, y + 3.8, text, &style) + 18.0;
}

static void soak_picture_draw_key(cairo_t* cr, const soak_picture_page* p) {
    double y = p->height - 22.0, x = SOAK_PICTURE_MARGIN;
    key_grips grips = {.count = 0};
    key_add_grips(&grips, &p->record->course.world);
    x = key_draw_mark(cr, x, y, map_mark_stuck, "stuck event");
    x = key_draw_mark(cr, x, y, map_mark_touch, "contact");
    x = draw_speeds(cr, p, x, y);
    x = key_draw_grips(cr, x, y, &grips);
    key_draw_contours(cr, x, y, &p->record->course.world);
    key_draw_scale_bar(cr, SOAK_PICTURE_WIDTH - SOAK_PICTURE_MARGIN - SCALE_WIDTH, y + 2.0,
                       &p->view, SCALE_WIDTH - SCALE_WORDS);
}

static void soak_picture_draw_page(cairo_t* cr, const void* context) {
    const soak_picture_page* p = context;
    ink_color(cr, INK_CARD, 1.0);
    cairo_paint(cr);
    draw_streets(cr, p);
    world_draw_ground(cr, &p->view, &p->record->course.world);
    world_draw_solids(cr, &p->view, &p->record->course.world);
    for (int32_t i = 0; i < p->record->count; i++)
        soak_picture_draw_driven(cr, p, &p->record->recordings[i]);
    for (int32_t i = 0; i < p->record->count; i++)
        soak_picture_draw_vehicle(cr, p, &p->record->recordings[i]);
    soak_picture_draw_marks(cr, p);
    soak_picture_draw_head(cr, p);
    soak_picture_draw_key(cr, p);
}

// --------------------------------------------------------------------------- files

static tool_status soak_picture_write_as(const char* path, picture_format format,
                                         const tool_soak* soak, const tool_soak_record* record) {
    soak_picture_page p = page_make(soak, record);
    const picture_page picture = {SOAK_PICTURE_WIDTH, p.height, soak_picture_draw_page, &p};
    return picture_file_write(path, format, &picture);
}

tool_status tool_soak_picture_svg(const char* path, const tool_soak* soak,
                                  const tool_soak_record* record) {
    return soak_picture_write_as(path, PICTURE_SVG, soak, record);
}

tool_status tool_soak_picture_png(const char* path, const tool_soak* soak,
                                  const tool_soak_record* record) {
    return soak_picture_write_as(path, PICTURE_PNG, soak, record);
}

#else

static tool_status no_cairo(const char* path) {
    return tool_complain("%s: this kerb was built without cairo, which draws the pictures", path);
}

tool_status tool_soak_picture_svg(const char* path, const tool_soak* soak,
                                  const tool_soak_record* record) {
    (void)soak;
    (void)record;
    return no_cairo(path);
}

tool_status tool_soak_picture_png(const char* path, const tool_soak* soak,
                                  const tool_soak_record* record) {
    (void)soak;
    (void)record;
    return no_cairo(path);
}

#endif
