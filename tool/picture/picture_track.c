// A race track as a grey band, and the card behind it.
#include "tool/picture/picture_track.h"

#ifdef KERB_HAVE_CAIRO

#include <math.h>
#include <stdio.h>

// A point of the track's edge: `side` 1 left, -1 right.
static void edge_at(const kerb_path* track, int32_t i, double side, double* x, double* y) {
    int32_t last = track->count - 1, before = i > 0 ? i - 1 : track->closed ? last : i;
    const kerb_path_point *at = &track->points[i], *back = &track->points[before];
    double dx = (double)(at->direction.x + back->direction.x);
    double dy = (double)(at->direction.y + back->direction.y), length = fmax(hypot(dx, dy), 1e-6);
    double width = side * (double)(side > 0.0 ? at->left : at->right) * cos((double)at->bank);
    *x = (double)at->position.x - width * dy / length;
    *y = (double)at->position.y + width * dx / length;
}

static void picture_track_include(map_extent* extent, double x, double y) {
    extent->west = fmin(extent->west, x);
    extent->east = fmax(extent->east, x);
    extent->south = fmin(extent->south, y);
    extent->north = fmax(extent->north, y);
}

map_extent picture_track_extent(const kerb_path* track) {
    map_extent extent = {1e9, -1e9, 1e9, -1e9};
    for (int32_t i = 0; i < track->count; i++) {
        for (int32_t side = -1; side <= 1; side += 2) {
            double x, y;
            edge_at(track, i, (double)side, &x, &y);
            picture_track_include(&extent, x, y);
        }
    }
    return extent;
}

static void trace_edge(cairo_t* cr, const map_view* view, const kerb_path* track, double side) {
    for (int32_t i = 0; i < track->count; i++) {
        double x, y;
        edge_at(track, i, side, &x, &y);
        map_spot at = map_place(view, x, y);
        cairo_line_to(cr, at.x, at.y);
    }
    if (track->closed)
        cairo_close_path(cr);
}

// One quadrilateral a segment: a track that crosses itself stays whole.
void picture_track_draw(cairo_t* cr, const map_view* view, const kerb_path* track) {
    ink_color(cr, INK_CORRIDOR, 1.0);
    cairo_set_line_join(cr, CAIRO_LINE_JOIN_ROUND); // where edges turn back there are no spikes
    for (int32_t i = 0; i < track->segment_count; i++) {
        const int32_t ends[4] = {i, (i + 1) % track->count, (i + 1) % track->count, i};
        for (int32_t k = 0; k < 4; k++) {
            double x, y;
            edge_at(track, ends[k], k < 2 ? 1.0 : -1.0, &x, &y);
            map_spot at = map_place(view, x, y);
            cairo_line_to(cr, at.x, at.y);
        }
        cairo_close_path(cr);
        // The hair between neighbours is covered by their outlines.
        cairo_set_line_width(cr, 0.6);
        cairo_fill_preserve(cr);
        cairo_stroke(cr);
    }
    ink_color(cr, INK_CORRIDOR_EDGE, 1.0);
    cairo_set_line_width(cr, 1.0);
    trace_edge(cr, view, track, 1.0);
    cairo_stroke(cr);
    trace_edge(cr, view, track, -1.0);
    cairo_stroke(cr);
}

void picture_card(cairo_t* cr, ink_box box) {
    ink_round_box(cr, box, 8.0);
    ink_color(cr, INK_CARD, 1.0);
    cairo_fill_preserve(cr);
    ink_color(cr, INK_CARD_EDGE, 1.0);
    cairo_set_line_width(cr, 1.0);
    cairo_stroke(cr);
}

#else

typedef int picture_track_needs_cairo; // an empty file is no C

#endif
