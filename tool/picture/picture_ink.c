// Text uses cairo's simple interface with unhinted metrics, so that SVG and PNG have the same
// layout.
#ifdef KERB_HAVE_CAIRO
#include "tool/picture/picture_ink.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define SIZE_LEAST 8.0

void ink_color(cairo_t* cr, uint32_t color, double alpha) {
    cairo_set_source_rgba(cr, (color >> 16 & 255u) / 255.0, (color >> 8 & 255u) / 255.0,
                          (color & 255u) / 255.0, alpha);
}

static void use_font(cairo_t* cr, const ink_style* style) {
    cairo_select_font_face(cr, "sans-serif", CAIRO_FONT_SLANT_NORMAL,
                           style->bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(cr, style->size);
}

double ink_text_width(cairo_t* cr, const char* text, const ink_style* style) {
    cairo_text_extents_t extents;
    use_font(cr, style);
    cairo_text_extents(cr, text, &extents);
    return extents.x_advance;
}

static double start_of(double x, double width, ink_align align) {
    if (align == INK_LEFT)
        return x;
    return align == INK_CENTRED ? x - 0.5 * width : x - width;
}

double ink_text(cairo_t* cr, double x, double y, const char* text, const ink_style* style) {
    double width = ink_text_width(cr, text, style);
    ink_color(cr, style->color, 1.0);
    cairo_move_to(cr, start_of(x, width, style->align), y);
    cairo_show_text(cr, text);
    return width;
}

// Drops the last character, all bytes of it.
static void drop_character(char* text) {
    size_t length = strlen(text);
    while (length > 0 && ((unsigned char)text[length - 1] & 0xc0u) == 0x80u)
        length--;
    text[length > 0 ? length - 1 : 0] = '\0';
}

void ink_text_within(cairo_t* cr, double x, double y, double width, const char* text,
                     const ink_style* style) {
    ink_style smaller = *style;
    double full = ink_text_width(cr, text, style);
    if (full > width)
        smaller.size = fmax(fmax(SIZE_LEAST, style->size * 0.85), style->size * width / full);
    char cut[320], shown[328];
    snprintf(cut, sizeof cut, "%s", text);
    snprintf(shown, sizeof shown, "%s", cut);
    while (cut[0] != '\0' && ink_text_width(cr, shown, &smaller) > width + 0.01) {
        drop_character(cut);
        snprintf(shown, sizeof shown, "%s\xe2\x80\xa6", cut);
    }
    ink_text(cr, x, y, shown, &smaller);
}

void ink_text_rimmed(cairo_t* cr, double x, double y, const char* text, const ink_style* style) {
    double width = ink_text_width(cr, text, style);
    cairo_move_to(cr, start_of(x, width, style->align), y);
    cairo_text_path(cr, text);
    cairo_set_line_join(cr, CAIRO_LINE_JOIN_ROUND);
    cairo_set_line_width(cr, 3.0);
    ink_color(cr, INK_CARD, 0.9);
    cairo_stroke(cr);
    ink_text(cr, x, y, text, style);
}

void ink_round_box(cairo_t* cr, ink_box box, double radius) {
    const double quarter = 1.5707963267948966;
    double right = box.x + box.width - radius, bottom = box.y + box.height - radius;
    cairo_new_sub_path(cr);
    cairo_arc(cr, right, box.y + radius, radius, -quarter, 0.0);
    cairo_arc(cr, right, bottom, radius, 0.0, quarter);
    cairo_arc(cr, box.x + radius, bottom, radius, quarter, 2.0 * quarter);
    cairo_arc(cr, box.x + radius, box.y + radius, radius, 2.0 * quarter, 3.0 * quarter);
    cairo_close_path(cr);
}

double ink_round_number(double most) {
    double power = pow(10.0, floor(log10(most)));
    double digit = most / power;
    return power * (digit >= 5.0 ? 5.0 : digit >= 2.0 ? 2.0 : 1.0);
}

#else
typedef int picture_ink_needs_cairo; // an empty file is no C
#endif
