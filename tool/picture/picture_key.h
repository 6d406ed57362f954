// The legend of a map, for its foot: scale bar, colours of speed, marks, grips. Only with cairo.
#ifndef KERB_TOOL_PICTURE_PICTURE_KEY_H
#define KERB_TOOL_PICTURE_PICTURE_KEY_H

#include "tool/picture/picture_map.h"

/// A bar of a round length, at most `most` points long, on a base line at y.
void key_draw_scale_bar(cairo_t* cr, double x, double y, const map_view* view, double most);

/// The colours of speeds from 0 on.
void key_draw_speeds(cairo_t* cr, ink_box bar);

// The entries stand in a row, with their middle at y. Each returns where the next one begins.

double key_draw_mark(cairo_t* cr, double x, double y, void (*mark)(cairo_t* cr, double x, double y),
                     const char* text);
double key_draw_corridor(cairo_t* cr, double x, double y);

/// How far contours are apart; nothing where there are none.
double key_draw_contours(cairo_t* cr, double x, double y, const kerb_sim_world* world);

/// Most grips that a key tells apart; the eye would not tell more.
#define KEY_GRIPS_MOST 4

/// The different grips of zones, the best first.
typedef struct key_grips {
    double grips[KEY_GRIPS_MOST];
    int32_t count;
} key_grips;

/// Adds those of a world; of too many the best stay.
void key_add_grips(key_grips* grips, const kerb_sim_world* world);

/// One entry for each; nothing where there are none.
double key_draw_grips(cairo_t* cr, double x, double y, const key_grips* grips);

#endif
