// Each entry is a sample, drawn by the code that draws it on the map, and a word or two.
#ifdef KERB_HAVE_CAIRO
#include "tool/picture/picture_key.h"

#include "tool/picture/color_map.h"
#include "tool/picture/picture_world.h"

#include <math.h>
#include <stdio.h>

#define GRADIENT_STOPS 32
#define SAMPLE_WIDTH 20.0
#define SAMPLE_HEIGHT 12.0
#define MARK_WIDTH 12.0
#define TEXT_GAP 5.0   // between a sample and its text
#define ENTRY_GAP 18.0 // between entries
#define BASE_LINE 3.8  // of text whose middle is at 0
#define TICK 4.0       // at the ends of the scale bar
#define GRIPS_ALIKE 0.005

static const ink_style text_style = {10.5, false, INK_TEXT_FAINT, INK_LEFT};

// --------------------------------------------------------------------------- scales

static void draw_bar(cairo_t* cr, double x, double y, double length) {
    cairo_set_line_cap(cr, CAIRO_LINE_CAP_BUTT);
    cairo_set_line_join(cr, CAIRO_LINE_JOIN_MITER);
    cairo_move_to(cr, x, y - TICK);
    cairo_line_to(cr, x, y);
    cairo_line_to(cr, x + length, y);
    cairo_line_to(cr, x + length, y - TICK);
    cairo_set_line_width(cr, 1.2);
    ink_color(cr, INK_TEXT_FAINT, 1.0);
    cairo_stroke(cr);
}

void key_draw_scale_bar(cairo_t* cr, double x, double y, const map_view* view, double most) {
    double metres = ink_round_number(fmax(most / view->scale, 1e-6));
    double length = metres * view->scale;
    draw_bar(cr, x, y, length);
    char text[32];
    if (metres >= 1000.0)
        snprintf(text, sizeof text, "%.0f km", metres / 1000.0);
    else
        snprintf(text, sizeof text, "%.3g m", metres);
    ink_text(cr, x + length + 7.0, y + 1.0, text, &text_style);
}

void key_draw_speeds(cairo_t* cr, ink_box bar) {
    cairo_pattern_t* colors = cairo_pattern_create_linear(bar.x, 0.0, bar.x + bar.width, 0.0);
    for (int32_t i = 0; i <= GRADIENT_STOPS; i++) {
        double part = i / (double)GRADIENT_STOPS;
        tool_color c = tool_color_map(MAP_COLOR_SHARE * part);
        cairo_pattern_add_color_stop_rgb(colors, part, c.red, c.green, c.blue);
    }
    ink_round_box(cr, bar, 3.0);
    cairo_set_source(cr, colors);
    cairo_fill(cr);
    cairo_pattern_destroy(colors);
}

// --------------------------------------------------------------------------- entries

static double picture_key_draw_words(cairo_t* cr, double x, double y, const char* text) {
    x += TEXT_GAP;
    return x + ink_text(cr, x, y + BASE_LINE, text, &text_style) + ENTRY_GAP;
}

double key_draw_mark(cairo_t* cr, double x, double y, void (*mark)(cairo_t* cr, double x, double y),
                     const char* text) {
    mark(cr, x + 0.5 * MARK_WIDTH, y);
    return picture_key_draw_words(cr, x + MARK_WIDTH, y, text);
}

static void trace_sample(cairo_t* cr, double x, double y) {
    ink_round_box(cr, (ink_box){x, y - 0.5 * SAMPLE_HEIGHT, SAMPLE_WIDTH, SAMPLE_HEIGHT}, 2.0);
}

double key_draw_corridor(cairo_t* cr, double x, double y) {
    trace_sample(cr, x, y);
    ink_color(cr, INK_CORRIDOR, 1.0);
    cairo_fill_preserve(cr);
    cairo_set_line_width(cr, 1.0);
    ink_color(cr, INK_CORRIDOR_EDGE, 1.0);
    cairo_stroke(cr);
    return picture_key_draw_words(cr, x + SAMPLE_WIDTH, y, "corridor");
}

double key_draw_contours(cairo_t* cr, double x, double y, const kerb_sim_world* world) {
    double step = world_contour_step(world);
    if (step <= 0.0)
        return x;
    cairo_new_path(cr);
    for (int32_t side = -1; side <= 1; side += 2) {
        cairo_move_to(cr, x, y + side * 3.0);
        cairo_line_to(cr, x + SAMPLE_WIDTH, y + side * 3.0);
    }
    world_stroke_contour(cr);
    char text[32];
    snprintf(text, sizeof text, "%.3g m of height", step);
    return picture_key_draw_words(cr, x + SAMPLE_WIDTH, y, text);
}

// --------------------------------------------------------------------------- grips

static void add_grip(key_grips* grips, double grip) {
    int32_t at = 0;
    while (at < grips->count && grips->grips[at] > grip + GRIPS_ALIKE)
        at++;
    bool known = at < grips->count && fabs(grips->grips[at] - grip) <= GRIPS_ALIKE;
    if (known || at == KEY_GRIPS_MOST)
        return;
    if (grips->count < KEY_GRIPS_MOST)
        grips->count++;
    for (int32_t i = grips->count - 1; i > at; i--)
        grips->grips[i] = grips->grips[i - 1];
    grips->grips[at] = grip;
}

void key_add_grips(key_grips* grips, const kerb_sim_world* world) {
    for (int32_t i = 0; i < world->zone_count; i++)
        add_grip(grips, (double)world->zones[i].grip);
}

double key_draw_grips(cairo_t* cr, double x, double y, const key_grips* grips) {
    for (int32_t i = 0; i < grips->count; i++) {
        trace_sample(cr, x, y);
        ink_color(cr, INK_CARD, 1.0); // as on the map, whatever the page's colour
        cairo_fill_preserve(cr);
        world_tint(cr, grips->grips[i]);
        cairo_fill(cr);
        char text[32];
        snprintf(text, sizeof text, "grip \xc3\x97 %.2g", grips->grips[i]);
        x = picture_key_draw_words(cr, x + SAMPLE_WIDTH, y, text);
    }
    return x;
}

#else
typedef int picture_key_needs_cairo; // an empty file is no C
#endif
