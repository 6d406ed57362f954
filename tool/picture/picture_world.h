// A course's world on a map: the ground's height and grip, and solids. Only with cairo.
#ifndef KERB_TOOL_PICTURE_PICTURE_WORLD_H
#define KERB_TOOL_PICTURE_PICTURE_WORLD_H

#include "tool/picture/picture_map.h"

/// Zones of other grip as tinted patches, heights as contour lines. O(heights · contours)
void world_draw_ground(cairo_t* cr, const map_view* view, const kerb_sim_world* world);

/// Sets the colour of ground with a grip, also for the key. [times the tyres' own]
void world_tint(cairo_t* cr, double grip);

/// From one contour to the next; 0: none are drawn. [m] O(heights)
double world_contour_step(const kerb_sim_world* world);

/// Strokes the current path as a contour, also for the key.
void world_stroke_contour(cairo_t* cr);

/// Walls, boxes and posts.
void world_draw_solids(cairo_t* cr, const map_view* view, const kerb_sim_world* world);

#endif
