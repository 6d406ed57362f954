// Charts over distance, and the g-g diagram, of a driven line. Only with cairo.
#ifndef KERB_TOOL_PICTURE_PICTURE_CHART_H
#define KERB_TOOL_PICTURE_PICTURE_CHART_H

#include "tool/picture/picture_ink.h"
#include "tool/picture/picture_line.h"

/// Curvature over distance, left turns upwards. (Vamos figure 6)
void chart_draw_curvature(cairo_t* cr, ink_box box, const tool_picture_line* line);

/// Speed and its limit over distance; where braking begins is marked. (Vamos figures 7 and 8)
void chart_draw_speed(cairo_t* cr, ink_box box, const tool_picture_line* line);

/// Acceleration along over acceleration aside of every point, in g, over the ellipse of the tyres.
void chart_draw_gg(cairo_t* cr, ink_box box, const tool_picture_line* line);

/// Greatest of the limits that matter: that of the drawn speeds, rounded up. [m/s]
double chart_speed_full(const tool_picture_line* line);

/// True where braking begins: the vehicle brakes from here on and loses more than 2 m/s before it
/// gains any, and did not brake for 20 m before.
bool chart_brakes_from(const tool_picture_line* line, int32_t index);

#endif
