// One trial as a map: course, corridor, driven line, marks. Only with cairo.
#ifndef KERB_TOOL_PICTURE_PICTURE_MAP_H
#define KERB_TOOL_PICTURE_PICTURE_MAP_H

#include "tool/picture/picture_ink.h"
#include "tool/report/recording.h"

/// What a map covers. [m]
typedef struct map_extent {
    double west, east, south, north;
} map_extent;

/// The corridor, the solids along it, and everything that was driven.
map_extent map_extent_of(const tool_recording* recording);

/// Where on the page a map lies: metres to points, north up.
typedef struct map_view {
    ink_box box;
    map_extent extent;
    double scale; ///< points per metre
} map_view;

/// A place on the page. [points, y down]
typedef struct map_spot {
    double x, y;
} map_spot;

map_spot map_place(const map_view* view, double x, double y);

/// The largest map of an extent in a box, in its middle.
map_view map_view_make(map_extent extent, ink_box box);

/// Draws it. `speed_full`: the speed of the last colour. [m/s]
void map_draw(cairo_t* cr, const map_view* view, const tool_recording* recording,
              double speed_full);

/// The part of the colour map that is used: without the last yellow, which is faint on white.
#define MAP_COLOR_SHARE 0.94

// The marks, also for the key.
void map_mark_start(cairo_t* cr, double x, double y);
void map_mark_end(cairo_t* cr, double x, double y);
void map_mark_stop(cairo_t* cr, double x, double y);
void map_mark_stuck(cairo_t* cr, double x, double y);
void map_mark_touch(cairo_t* cr, double x, double y);

#endif
