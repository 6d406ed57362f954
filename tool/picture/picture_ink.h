// What all parts of a picture use: colours, text, round numbers for scales. Only with cairo.
#ifndef KERB_TOOL_PICTURE_PICTURE_INK_H
#define KERB_TOOL_PICTURE_PICTURE_INK_H

#include <cairo.h>
#include <stdbool.h>
#include <stdint.h>

// Colours as 0xRRGGBB, chosen on a light ground; the warning colour is told from all of viridis
// by colour-blind eyes too.
#define INK_PAGE 0xf4f5f7u
#define INK_CARD 0xffffffu
#define INK_CARD_EDGE 0xdfe3e8u
#define INK_TEXT 0x1d232bu
#define INK_TEXT_FAINT 0x66707du
#define INK_CORRIDOR 0xe9ecf1u
#define INK_CORRIDOR_EDGE 0xc3cad4u
#define INK_CENTRE 0x9aa4b2u
#define INK_SOLID 0x4a5360u
#define INK_WARNING 0xc8321eu

/// A rectangle on the page. [points, y down]
typedef struct ink_box {
    double x, y, width, height;
} ink_box;

typedef enum ink_align { INK_LEFT, INK_CENTRED, INK_RIGHT } ink_align;

typedef struct ink_style {
    double size;
    bool bold;
    uint32_t color;
    ink_align align;
} ink_style;

void ink_color(cairo_t* cr, uint32_t color, double alpha);

/// Width of a text. [points]
double ink_text_width(cairo_t* cr, const char* text, const ink_style* style);

/// Text with its base line at y. Returns its width.
double ink_text(cairo_t* cr, double x, double y, const char* text, const ink_style* style);

/// As ink_text, but at most `width` wide: set smaller, and cut with an ellipsis if that is not
/// enough.
void ink_text_within(cairo_t* cr, double x, double y, double width, const char* text,
                     const ink_style* style);

/// Text with a light rim, readable on top of lines.
void ink_text_rimmed(cairo_t* cr, double x, double y, const char* text, const ink_style* style);

/// A path with rounded corners, neither filled nor stroked yet.
void ink_round_box(cairo_t* cr, ink_box box, double radius);

/// 1, 2 or 5 times a power of ten, at most `most`. [most: > 0]
double ink_round_number(double most);

#endif
