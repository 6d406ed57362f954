// A plan of a kind of vehicle, seen from above: the footprints along it, coloured by
// time, over the obstacles. Sizes in points, y down.
#include "tool/run/kind_run.h"

#ifdef KERB_HAVE_CAIRO

#include "tool/picture/color_map.h"
#include "tool/picture/picture_file.h"
#include "tool/picture/picture_ink.h"

#include <math.h>
#include <stdio.h>

#define KIND_PAGE 720.0
#define KIND_HEAD 56.0
#define KIND_EDGE 24.0
#define KIND_SHOWN 40 // footprints

// From metres to points.
typedef struct kind_view {
    double scale, left, low;
} kind_view;

static void kind_view_to(const kind_view* view, double x, double y, double* px, double* py) {
    *px = KIND_EDGE + (x - view->left) * view->scale;
    *py = KIND_HEAD + KIND_PAGE - KIND_EDGE - (y - view->low) * view->scale;
}

static void kind_corner(const kerb_kind_box* box, int32_t i, double* x, double* y) {
    double ahead = (double)(i == 0 || i == 3 ? box->front : -box->rear);
    double left = (double)box->width * (i < 2 ? 0.5 : -0.5);
    *x = (double)box->pose.position.x + ahead * (double)box->pose.forward.x -
         left * (double)box->pose.forward.y;
    *y = (double)box->pose.position.y + ahead * (double)box->pose.forward.y +
         left * (double)box->pose.forward.x;
}

// A square that contains the plan with its footprints.
static kind_view kind_view_of(const tool_kind_found* f) {
    double least[2] = {1e9, 1e9}, most[2] = {-1e9, -1e9};
    for (int32_t k = 0; k <= f->plan.count; k++) {
        kerb_kind_box boxes[KERB_KIND_BOXES_MAX];
        const float* state = f->plan.states + (size_t)k * KERB_KIND_STATES_MAX;
        int32_t count = f->kind->boxes(f->kind->vehicle, state, boxes);
        for (int32_t i = 0; i < 4 * count; i++) {
            double at[2];
            kind_corner(&boxes[i / 4], i % 4, &at[0], &at[1]);
            for (int32_t along = 0; along < 2; along++) {
                least[along] = fmin(least[along], at[along]);
                most[along] = fmax(most[along], at[along]);
            }
        }
    }
    double size = 1.1 * fmax(fmax(most[0] - least[0], most[1] - least[1]), 0.1);
    kind_view view = {(KIND_PAGE - 2.0 * KIND_EDGE) / size, 0.5 * (least[0] + most[0] - size),
                      0.5 * (least[1] + most[1] - size)};
    return view;
}

static void draw_kind_world(cairo_t* cr, const kind_view* view, const kerb_plan_world* w) {
    ink_color(cr, INK_SOLID, 0.8);
    for (int32_t i = 0; w->cells && i < w->columns * w->rows; i++) {
        double x, y, size = (double)w->cell_size;
        if (w->cells[i] != 255)
            continue;
        const int32_t column = i % w->columns, row = i / w->columns;
        kind_view_to(view, (double)w->origin.x + size * (double)column,
                     (double)w->origin.y + size * (double)(row + 1), &x, &y);
        cairo_rectangle(cr, x, y, size * view->scale, size * view->scale);
    }
    const kerb_vec2* vertex = w->vertices;
    for (int32_t p = 0; p < w->polygon_count; p++) {
        for (int32_t i = 0; i < w->vertex_counts[p]; i++, vertex++) {
            double x, y;
            kind_view_to(view, (double)vertex->x, (double)vertex->y, &x, &y);
            if (i == 0)
                cairo_move_to(cr, x, y);
            else
                cairo_line_to(cr, x, y);
        }
        cairo_close_path(cr);
    }
    cairo_fill(cr);
}

static void draw_kind_footprint(cairo_t* cr, const kind_view* view, const tool_kind_found* f,
                                int32_t k, bool strong) {
    kerb_kind_box boxes[KERB_KIND_BOXES_MAX];
    const float* state = f->plan.states + (size_t)k * KERB_KIND_STATES_MAX;
    int32_t count = f->kind->boxes(f->kind->vehicle, state, boxes);
    tool_color color = tool_color_map((double)k / (double)f->plan.count);
    for (int32_t b = 0; b < count; b++) {
        for (int32_t i = 0; i < 4; i++) {
            double x, y, px, py;
            kind_corner(&boxes[b], i, &x, &y);
            kind_view_to(view, x, y, &px, &py);
            if (i == 0)
                cairo_move_to(cr, px, py);
            else
                cairo_line_to(cr, px, py);
        }
        cairo_close_path(cr);
        cairo_set_source_rgba(cr, color.red, color.green, color.blue, strong ? 0.7 : 0.25);
        cairo_fill_preserve(cr);
        cairo_set_source_rgba(cr, color.red, color.green, color.blue, 1.0);
        cairo_set_line_width(cr, 0.8);
        cairo_stroke(cr);
    }
}

// In space: the line that the reference point follows, coloured by time.
static void draw_kind_track(cairo_t* cr, const kind_view* view, const tool_kind_found* f) {
    cairo_set_line_width(cr, 1.5);
    for (int32_t k = 0; f->kind->space && k < f->plan.count; k++) {
        const float* a = f->plan.states + (size_t)k * KERB_KIND_STATES_MAX;
        const float* b = a + KERB_KIND_STATES_MAX;
        tool_color color = tool_color_map((double)k / (double)f->plan.count);
        double x, y;
        cairo_set_source_rgba(cr, color.red, color.green, color.blue, 1.0);
        kind_view_to(view, (double)a[0], (double)a[1], &x, &y);
        cairo_move_to(cr, x, y);
        kind_view_to(view, (double)b[0], (double)b[1], &x, &y);
        cairo_line_to(cr, x, y);
        cairo_stroke(cr);
    }
}

// In space: the heights of the plan, for the head.
static void kind_heights(const tool_kind_found* f, char* text, size_t size) {
    double least = 1e9, most = -1e9;
    for (int32_t k = 0; k <= f->plan.count; k++) {
        double z = (double)f->plan.states[(size_t)k * KERB_KIND_STATES_MAX + 2];
        least = fmin(least, z);
        most = fmax(most, z);
    }
    text[0] = 0;
    if (f->kind->space)
        snprintf(text, size, "; heights %.0f to %.0f m", least, most);
}

static void draw_kind_page(cairo_t* cr, const void* context) {
    const tool_kind_found* f = context;
    const ink_style title = {16.0, true, INK_TEXT, INK_LEFT};
    const ink_style note = {11.0, false, INK_TEXT_FAINT, INK_LEFT};
    char text[240], heights[60];
    ink_color(cr, INK_PAGE, 1.0);
    cairo_paint(cr);
    ink_text(cr, KIND_EDGE, 26.0, f->kind->name, &title);
    kind_view view = kind_view_of(f);
    kind_heights(f, heights, sizeof heights);
    snprintf(text, sizeof text,
             "%.1f s, %.1f m; footprints from violet (start) to yellow (goal); the picture is %.0f "
             "m wide%s",
             (double)f->plan.time, (double)f->plan.length,
             (KIND_PAGE - 2.0 * KIND_EDGE) / view.scale, heights);
    ink_text_within(cr, KIND_EDGE, 44.0, KIND_PAGE - 2.0 * KIND_EDGE, text, &note);
    cairo_rectangle(cr, KIND_EDGE, KIND_HEAD + KIND_EDGE, KIND_PAGE - 2.0 * KIND_EDGE,
                    KIND_PAGE - 2.0 * KIND_EDGE);
    ink_color(cr, INK_CARD, 1.0);
    cairo_fill_preserve(cr);
    cairo_clip(cr);
    if (f->world)
        draw_kind_world(cr, &view, f->world);
    draw_kind_track(cr, &view, f);
    int32_t every = f->plan.count / KIND_SHOWN + 1;
    for (int32_t k = 0; k < f->plan.count; k += every)
        draw_kind_footprint(cr, &view, f, k, k == 0);
    draw_kind_footprint(cr, &view, f, f->plan.count, true);
}

tool_status tool_picture_kind_write(const char* svg, const char* png,
                                    const tool_kind_found* found) {
    if (found->plan.count < 1)
        return TOOL_DONE;
    const picture_page page = {KIND_PAGE, KIND_HEAD + KIND_PAGE, draw_kind_page, found};
    tool_status status = svg ? picture_file_write(svg, PICTURE_SVG, &page) : TOOL_DONE;
    if (status == TOOL_DONE && png)
        status = picture_file_write(png, PICTURE_PNG, &page);
    return status;
}

#else

tool_status tool_picture_kind_write(const char* svg, const char* png,
                                    const tool_kind_found* found) {
    (void)found;
    return tool_complain("%s cannot be drawn: this command was built without cairo",
                         svg ? svg : png);
}

#endif
