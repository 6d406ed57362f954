// Purpose: whether a footprint is free of obstacles, for the checker: simple, and in double
//          precision.
// Idea:    Neither a distance field nor bits: each blocked cell near by, and each edge of each
//          polygon, is tested against the rectangle.
// Cost:    O(cells under the footprint's bounds + vertices).
#include "check_world.h"

static double check_world_size_of(double x) {
    return x < 0.0 ? -x : x;
}

static int32_t floor_within(double x, int32_t count) {
    int32_t most = count - 1;
    if (!(x > 0.0))
        return 0;
    return x < (double)most ? (int32_t)x : most;
}

// A place in the axes of the footprint: ahead of the rear axle, and to its left.
static void seen(const plan_check_box* box, double x, double y, double* ahead, double* left) {
    double dx = x - box->x, dy = y - box->y;
    *ahead = dx * box->forward_x + dy * box->forward_y;
    *left = dy * box->forward_x - dx * box->forward_y;
}

// A corner of the footprint. [side: 1 left, -1 right]
static void corner(const plan_check_box* box, double ahead, double side, double* x, double* y) {
    double left = side * box->half_width;
    *x = box->x + ahead * box->forward_x - left * box->forward_y;
    *y = box->y + ahead * box->forward_y + left * box->forward_x;
}

static void check_world_bounds_of(const plan_check_box* box, double least[2], double most[2]) {
    for (int32_t i = 0; i < 4; i++) {
        double x, y;
        corner(box, i < 2 ? box->front : -box->rear, i % 2 == 0 ? 1.0 : -1.0, &x, &y);
        least[0] = i == 0 || x < least[0] ? x : least[0];
        least[1] = i == 0 || y < least[1] ? y : least[1];
        most[0] = i == 0 || x > most[0] ? x : most[0];
        most[1] = i == 0 || y > most[1] ? y : most[1];
    }
}

// --------------------------------------------------------------------------- cells

// A square and the footprint overlap unless an axis of one of them separates them. The square's own
// axes were tested by the bounds that chose it.
static bool meets_square(const plan_check_box* box, double x, double y, double half) {
    double ahead, left;
    seen(box, x, y, &ahead, &left);
    double reach =
        half * (check_world_size_of(box->forward_x) + check_world_size_of(box->forward_y));
    return ahead + reach > -box->rear && ahead - reach < box->front &&
           left + reach > -box->half_width && left - reach < box->half_width;
}

static bool meets_cells(const kerb_plan_world* w, const plan_check_box* box, const double least[2],
                        const double most[2]) {
    double size = (double)w->cell_size, x0 = (double)w->origin.x, y0 = (double)w->origin.y;
    if (most[0] <= x0 || most[1] <= y0 || least[0] >= x0 + size * w->columns ||
        least[1] >= y0 + size * w->rows)
        return false;
    int32_t west = floor_within((least[0] - x0) / size, w->columns);
    int32_t east = floor_within((most[0] - x0) / size, w->columns);
    int32_t south = floor_within((least[1] - y0) / size, w->rows);
    int32_t north = floor_within((most[1] - y0) / size, w->rows);
    for (int32_t row = south; row <= north; row++)
        for (int32_t column = west; column <= east; column++) {
            bool is_blocked = w->cells[(size_t)row * (size_t)w->columns + (size_t)column] == 255;
            if (is_blocked &&
                meets_square(box, x0 + size * (column + 0.5), y0 + size * (row + 0.5), 0.5 * size))
                return true;
        }
    return false;
}

// --------------------------------------------------------------------------- polygons

// The part of an edge, from 0 to 1, where from + t · change lies strictly between two walls.
static bool narrow(double from, double change, double low, double high, double* begin,
                   double* end) {
    if (change == 0.0)
        return from > low && from < high;
    double enters = (low - from) / change, leaves = (high - from) / change;
    if (enters > leaves) {
        double kept = enters;
        enters = leaves;
        leaves = kept;
    }
    *begin = enters > *begin ? enters : *begin;
    *end = leaves < *end ? leaves : *end;
    return *begin < *end;
}

static bool meets_edge(const plan_check_box* box, kerb_vec2 a, kerb_vec2 b) {
    double ahead, left, next_ahead, next_left, begin = 0.0, end = 1.0;
    seen(box, (double)a.x, (double)a.y, &ahead, &left);
    seen(box, (double)b.x, (double)b.y, &next_ahead, &next_left);
    return narrow(ahead, next_ahead - ahead, -box->rear, box->front, &begin, &end) &&
           narrow(left, next_left - left, -box->half_width, box->half_width, &begin, &end);
}

// If no edge meets the footprint, all of it is inside or outside the polygon, as its middle is.
static bool meets_polygon(const plan_check_box* box, const kerb_vec2* vertices, int32_t count) {
    double middle = 0.5 * (box->front - box->rear);
    double x = box->x + middle * box->forward_x, y = box->y + middle * box->forward_y;
    bool is_inside = false;
    for (int32_t i = 0; i < count; i++) {
        kerb_vec2 a = vertices[i], b = vertices[i + 1 < count ? i + 1 : 0];
        if (meets_edge(box, a, b))
            return true;
        bool crosses = ((double)a.y > y) != ((double)b.y > y);
        if (crosses && x < (double)a.x + ((double)b.x - (double)a.x) * (y - (double)a.y) /
                                             ((double)b.y - (double)a.y))
            is_inside = !is_inside;
    }
    return is_inside;
}

// --------------------------------------------------------------------------- the world

static bool leaves_box(const kerb_plan_world* w, const double least[2], const double most[2]) {
    bool is_boxed = w->box_min.x != w->box_max.x || w->box_min.y != w->box_max.y;
    return is_boxed && (least[0] < (double)w->box_min.x || least[1] < (double)w->box_min.y ||
                        most[0] > (double)w->box_max.x || most[1] > (double)w->box_max.y);
}

bool kerb_in_plan_check_is_free(const kerb_plan_world* world, const plan_check_box* box) {
    double least[2] = {0.0, 0.0}, most[2] = {0.0, 0.0};
    check_world_bounds_of(box, least, most);
    if (leaves_box(world, least, most) || (world->cells && meets_cells(world, box, least, most)))
        return false;
    const kerb_vec2* next = world->vertices;
    for (int32_t i = 0; i < world->polygon_count; i++) {
        if (meets_polygon(box, next, world->vertex_counts[i]))
            return false;
        next += world->vertex_counts[i];
    }
    kerb_pose pose = {{(float)box->x, (float)box->y},
                      {(float)box->forward_x, (float)box->forward_y}};
    return !world->is_free || world->is_free(world->context, pose);
}
