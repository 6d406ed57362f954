// What a course's world looks like on a map: the ground's height and grip, and solids. Only with
// cairo.
#ifndef TOOL_PICTURE_WORLD_H
#define TOOL_PICTURE_WORLD_H

#include "tool/picture_map.h"

/// Zones of other grip as tinted patches, heights as contour lines. O(heights · contours)
void world_draw_ground(cairo_t* cr, const map_view* view, const sim_world* world);

/// Walls, boxes and posts.
void world_draw_solids(cairo_t* cr, const map_view* view, const sim_world* world);

#endif
