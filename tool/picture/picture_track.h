// What pictures of race tracks share. Empty without cairo.
#ifndef KERB_TOOL_PICTURE_PICTURE_TRACK_H
#define KERB_TOOL_PICTURE_PICTURE_TRACK_H

#ifdef KERB_HAVE_CAIRO

#include "kerb/path.h"
#include "tool/picture/picture_map.h"

/// A card's ground.
void picture_card(cairo_t* cr, ink_box box);

/// From edge to edge.
map_extent picture_track_extent(const kerb_path* track);

/// The band between the edges.
void picture_track_draw(cairo_t* cr, const map_view* view, const kerb_path* track);

#endif
#endif
