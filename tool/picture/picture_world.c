// Contour lines by marching squares: in each cell of the height field, a line between the two sides
// that a height crosses. Cells with four crossed sides (saddles) are left out: hills that vehicles
// drive on hardly have any.
#ifdef KERB_HAVE_CAIRO
#include "tool/picture/picture_world.h"

#include <math.h>

#define PICTURE_WORLD_PI 3.14159265358979323846
#define CONTOURS_MOST 12.0
#define RISE_LEAST 0.1 // less is level [m]

// --------------------------------------------------------------------------- grip

// Slippery is blue as water, the less grip the more; more grip than asphalt is brown.
void world_tint(cairo_t* cr, double grip) {
    if (grip < 1.0)
        ink_color(cr, 0x3d7fd1u, 0.42 - 0.3 * fmax(grip, 0.0));
    else
        ink_color(cr, 0x9a6a3au, 0.2);
}

static void draw_zone(cairo_t* cr, const map_view* view, const kerb_sim_zone* zone) {
    map_spot centre = map_place(view, (double)zone->centre.x, (double)zone->centre.y);
    cairo_new_sub_path(cr);
    if (zone->radius > 0.0f) {
        cairo_arc(cr, centre.x, centre.y, (double)zone->radius * view->scale, 0.0,
                  2.0 * PICTURE_WORLD_PI);
    } else {
        double length = (double)zone->half_length * view->scale;
        double width = (double)zone->half_width * view->scale;
        cairo_save(cr);
        cairo_translate(cr, centre.x, centre.y);
        cairo_rotate(cr, -(double)zone->heading);
        cairo_rectangle(cr, -length, -width, 2.0 * length, 2.0 * width);
        cairo_restore(cr);
    }
    world_tint(cr, (double)zone->grip);
    cairo_fill(cr);
}

// --------------------------------------------------------------------------- heights

static double height_at(const kerb_sim_terrain* t, int32_t i, int32_t j) {
    return (double)t->heights[j * t->nx + i];
}

static map_spot crossing(const map_view* view, const kerb_sim_terrain* t, int32_t i, int32_t j,
                         int32_t di, int32_t dj, double height) {
    double from = height_at(t, i, j), to = height_at(t, i + di, j + dj);
    double part = (height - from) / (to - from);
    return map_place(view, (double)t->x + (i + part * di) * (double)t->spacing,
                     (double)t->y + (j + part * dj) * (double)t->spacing);
}

static void contour_in_cell(cairo_t* cr, const map_view* view, const kerb_sim_terrain* t, int32_t i,
                            int32_t j, double height) {
    static const int32_t sides[4][4] = {{0, 0, 1, 0}, {0, 1, 1, 0}, {0, 0, 0, 1}, {1, 0, 0, 1}};
    map_spot ends[4];
    int32_t count = 0;
    for (int32_t s = 0; s < 4; s++) {
        int32_t x = i + sides[s][0], y = j + sides[s][1];
        bool below = height_at(t, x, y) < height;
        if (below != (height_at(t, x + sides[s][2], y + sides[s][3]) < height))
            ends[count++] = crossing(view, t, x, y, sides[s][2], sides[s][3], height);
    }
    if (count != 2)
        return;
    cairo_move_to(cr, ends[0].x, ends[0].y);
    cairo_line_to(cr, ends[1].x, ends[1].y);
}

static void trace_contour(cairo_t* cr, const map_view* view, const kerb_sim_terrain* t,
                          double height) {
    for (int32_t j = 0; j + 1 < t->ny; j++) {
        for (int32_t i = 0; i + 1 < t->nx; i++)
            contour_in_cell(cr, view, t, i, j, height);
    }
}

void world_stroke_contour(cairo_t* cr) {
    cairo_set_line_width(cr, 0.7);
    ink_color(cr, 0x9a6a3au, 0.55);
    cairo_stroke(cr);
}

typedef struct height_range {
    double least, most;
} height_range;

static height_range range_of(const kerb_sim_terrain* t) {
    height_range range = {height_at(t, 0, 0), height_at(t, 0, 0)};
    for (int32_t i = 0; i < t->nx * t->ny; i++) {
        range.least = fmin(range.least, (double)t->heights[i]);
        range.most = fmax(range.most, (double)t->heights[i]);
    }
    return range;
}

double world_contour_step(const kerb_sim_world* world) {
    const kerb_sim_terrain* t = &world->terrain;
    if (t->nx < 2 || t->ny < 2)
        return 0.0;
    height_range range = range_of(t);
    double rise = range.most - range.least;
    return rise > RISE_LEAST ? ink_round_number(rise / CONTOURS_MOST * 2.0) : 0.0;
}

static void draw_heights(cairo_t* cr, const map_view* view, const kerb_sim_world* world) {
    double step = world_contour_step(world);
    if (step <= 0.0)
        return;
    height_range range = range_of(&world->terrain);
    // Between round heights: level ground, which is often at a round one, then has no contour.
    double height = (floor(range.least / step) + 0.5) * step;
    while (height < range.most) {
        if (height > range.least) {
            trace_contour(cr, view, &world->terrain, height);
            world_stroke_contour(cr);
        }
        height += step;
    }
}

void world_draw_ground(cairo_t* cr, const map_view* view, const kerb_sim_world* world) {
    cairo_save(cr);
    cairo_rectangle(cr, view->box.x, view->box.y, view->box.width, view->box.height);
    cairo_clip(cr);
    for (int32_t i = 0; i < world->zone_count; i++)
        draw_zone(cr, view, &world->zones[i]);
    draw_heights(cr, view, world);
    cairo_restore(cr);
}

// --------------------------------------------------------------------------- solids

static void draw_solid(cairo_t* cr, const map_view* view, const kerb_sim_obstacle* o) {
    map_spot from = map_place(view, (double)o->from.x, (double)o->from.y);
    map_spot to = map_place(view, (double)o->to.x, (double)o->to.y);
    double thickness = (double)o->thickness * view->scale;
    ink_color(cr, INK_SOLID, 1.0);
    cairo_new_sub_path(cr);
    if (o->kind == KERB_SIM_POST) {
        cairo_arc(cr, from.x, from.y, fmax(0.5 * thickness, 1.9), 0.0, 2.0 * PICTURE_WORLD_PI);
        cairo_fill(cr);
        return;
    }
    cairo_move_to(cr, from.x, from.y);
    cairo_line_to(cr, to.x, to.y);
    // Round ends close the gaps of walls that meet at angles; houses stand alone.
    cairo_set_line_cap(cr, o->kind == KERB_SIM_BOX ? CAIRO_LINE_CAP_BUTT : CAIRO_LINE_CAP_ROUND);
    cairo_set_line_width(cr, fmax(thickness, 1.5));
    cairo_stroke(cr);
}

void world_draw_solids(cairo_t* cr, const map_view* view, const kerb_sim_world* world) {
    for (int32_t i = 0; i < world->obstacle_count; i++)
        draw_solid(cr, view, &world->obstacles[i]);
}

#else
typedef int picture_world_needs_cairo; // an empty file is no C
#endif
