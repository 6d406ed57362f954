// Purpose: most arcs of a search are free, or are not, at a glance.
// Idea:    A search tries the same few arcs from thousands of poses. What the outline sweeps along
//          one is covered by discs once and for all; from a pose these are turned and moved, and
//          each is looked up in the field of distances. Where one is in doubt, a few points of the
//          outline that lie in a blocked cell settle that the arc is not free. Else convex hulls
//          of what is swept are laid over the grid, row by row, which hold so little more that
//          they settle it. In worlds of polygons the exact test does.
// Cost:    2 ns a disc, of which there are about 15, 150 ns for hulls; to make, two microseconds.
// Source:  for the hull Andrew, "Another efficient algorithm for convex hulls in two dimensions"
//          (1979).
#include "stencil.h"

// Parts are so short that the outline's ends swing aside by no more than this. [half widths]
#define SWING 0.6f
#define PARTS_MAX 4
// To touch is not to overlap: points and hulls lie so much within the outline. [m]
#define HAIR 1e-4f
// Rows of cells at most that hulls are laid over.
#define ROWS_MAX 256

// --------------------------------------------------------------------------- to make

// A disc at a pose's middle line, `along` from the rear axle.
static bool add_disc(plan_stencil* stencil, const plan_world* world, kerb_pose pose, float along,
                     float radius) {
    float room = radius / (0.5f * world->field_cell);
    if (stencil->discs == PLAN_STENCIL_DISCS || !(room <= 254.0f))
        return false;
    kerb_vec2 place = kerb_vec2_add(pose.position, kerb_vec2_scale(pose.forward, along));
    int32_t at = stencil->discs++, whole = (int32_t)room;
    stencil->disc_x[at] = place.x * world->field_per_metre;
    stencil->disc_y[at] = place.y * world->field_per_metre;
    stencil->disc_room[at] = whole + ((float)whole < room);
    return true;
}

// Covers what is swept from `half` metres before a pose to as far behind it. What comes to lie at x
// ahead of the pose's rear axle, after a turn of t at curvature k, was b to its left, lies
// x tan(t) - (1/cos(t) - 1)/k + b/cos(t) to the left of it.
//
// The leading end first, which is where most arcs that are not free end.
static bool cover_part(plan_stencil* stencil, const plan_world* world, kerb_pose pose, float half) {
    const plan_outline* o = &world->outline;
    float turn = kerb_abs(stencil->curvature) * half, sine, cosine;
    kerb_sin_cos(turn, &sine, &cosine);
    float rise = sine / cosine, more = (1.0f - cosine) / cosine;
    float bulge = turn > 0.0f ? more * (half / turn + o->half_width) : 0.0f;
    float longer = half + turn * o->half_width, length = o->front + o->rear + 2.0f * longer;
    float spaces = length / world->circle_spacing;
    if (!(spaces < (float)PLAN_STENCIL_DISCS))
        return false;
    int32_t count = 1 + (int32_t)spaces;
    float step = length / (float)count, first = 0.5f * step - o->rear - longer;
    for (int32_t i = 0; i < count; i++) {
        int32_t place = stencil->length < 0.0f ? i : count - 1 - i;
        float along = first + (float)place * step;
        float wide = o->half_width + bulge + rise * (kerb_abs(along) + 0.5f * step);
        float radius = kerb_sqrt(0.25f * step * step + wide * wide);
        if (!add_disc(stencil, world, pose, along, radius))
            return false;
    }
    return true;
}

static bool cover(plan_stencil* stencil, const plan_world* world) {
    const plan_outline* o = &world->outline;
    float swing = kerb_abs(stencil->curvature * stencil->length) * 0.5f;
    float parts = swing * kerb_max(o->front, o->rear) / (SWING * o->half_width);
    if (!(parts <= (float)PARTS_MAX))
        return false;
    int32_t count = 1 + (int32_t)parts;
    float part = stencil->length / (float)count;
    for (int32_t i = count - 1; i >= 0; i--) {
        float middle = part * ((float)i + 0.5f);
        kerb_pose pose = curve_moved(kerb_pose_make(0.0f, 0.0f, 0.0f), stencil->curvature, middle);
        if (!cover_part(stencil, world, pose, 0.5f * kerb_abs(part)))
            return false;
    }
    return true;
}

// The corners and the middles of the long sides.
static void add_points(plan_stencil* stencil, const plan_world* world, float length) {
    const plan_outline* o = &world->outline;
    const float along[3] = {o->front - HAIR, 0.5f * (o->front - o->rear), HAIR - o->rear};
    kerb_pose pose = curve_moved(kerb_pose_make(0.0f, 0.0f, 0.0f), stencil->curvature, length);
    float scale = 1.0f / world->cell;
    for (int32_t i = 0; i < 6; i++) {
        float aside = (o->half_width - HAIR) * (i & 1 ? -1.0f : 1.0f);
        kerb_vec2 by = curve_turned(pose.forward, along[i >> 1], aside);
        stencil->point_x[stencil->points] = (pose.position.x + by.x) * scale;
        stencil->point_y[stencil->points++] = (pose.position.y + by.y) * scale;
    }
}

// Of three points: whether the way from a over b to c turns right, or does not turn.
static bool turns_right(kerb_vec2 a, kerb_vec2 b, kerb_vec2 c) {
    return kerb_vec2_cross(kerb_vec2_sub(b, a), kerb_vec2_sub(c, b)) <= 0.0f;
}

// Four corners at both ends, and where tangents of their ways meet between.
#define HULL_POINTS 16

static void sort_by_x(kerb_vec2* points, int32_t count) {
    for (int32_t i = 1; i < count; i++) {
        kerb_vec2 moved = points[i];
        int32_t at = i;
        for (; at > 0 && (points[at - 1].x > moved.x ||
                          (points[at - 1].x == moved.x && points[at - 1].y > moved.y));
             at--)
            points[at] = points[at - 1];
        points[at] = moved;
    }
}

// Left about; how many corners it has.
static int32_t hull_of(kerb_vec2* points, kerb_vec2* hull) {
    int32_t count = 0;
    sort_by_x(points, HULL_POINTS);
    for (int32_t i = 0; i < HULL_POINTS; i++) {
        while (count >= 2 && turns_right(hull[count - 2], hull[count - 1], points[i]))
            count--;
        hull[count++] = points[i];
    }
    for (int32_t i = HULL_POINTS - 2, lower = count; i >= 0; i--) {
        while (count > lower && turns_right(hull[count - 2], hull[count - 1], points[i]))
            count--;
        hull[count++] = points[i];
    }
    return count - 1; // the last is the first again
}

// All that is swept on `part` metres of the arc: each corner's way is held by its tangents at both
// ends and half way, which meet two times, outside of it.
static void add_hull(plan_stencil* stencil, const plan_world* world, float from, float part) {
    const plan_outline* o = &world->outline;
    kerb_vec2 points[HULL_POINTS], hull[2 * HULL_POINTS];
    float curvature = stencil->curvature, outwards = 1.0f / kerb_cos(0.25f * curvature * part);
    const float places[4] = {0.0f, 0.25f, 0.75f, 1.0f};
    kerb_pose poses[4];
    for (int32_t i = 0; i < 4; i++)
        poses[i] =
            curve_moved(kerb_pose_make(0.0f, 0.0f, 0.0f), curvature, from + part * places[i]);
    for (int32_t i = 0; i < HULL_POINTS; i++) {
        kerb_pose pose = poses[i >> 2];
        float ahead = i & 1 ? o->front - HAIR : HAIR - o->rear;
        float aside = (o->half_width - HAIR) * (i & 2 ? -1.0f : 1.0f);
        kerb_vec2 corner = kerb_vec2_add(pose.position, curve_turned(pose.forward, ahead, aside));
        bool is_between = (i >> 2) % 3 != 0 && curvature != 0.0f;
        kerb_vec2 centre = {0.0f, is_between ? 1.0f / curvature : 0.0f};
        kerb_vec2 arm = kerb_vec2_sub(corner, centre);
        points[i] = is_between ? kerb_vec2_add(centre, kerb_vec2_scale(arm, outwards)) : corner;
    }
    int32_t count = hull_of(points, hull);
    for (int32_t i = 0; i < count && stencil->corners < PLAN_STENCIL_CORNERS; i++) {
        stencil->corner_x[stencil->corners] = hull[i].x / world->cell;
        stencil->corner_y[stencil->corners++] = hull[i].y / world->cell;
    }
    stencil->hull_end[stencil->hulls++] = stencil->corners;
}

// How far one hull may turn so that it holds no more than `room` beside what is swept: the inner
// side's sagitta, and between its tangents the outermost corner's. [rad]
static float hull_turn(const plan_stencil* stencil, const plan_world* world, float room) {
    const plan_outline* o = &world->outline;
    float radius = 1.0f / kerb_abs(stencil->curvature), far = kerb_max(o->front, o->rear);
    float inner = kerb_max(radius - o->half_width, 0.1f * radius), outer = radius + o->half_width;
    outer = kerb_sqrt(outer * outer + far * far);
    return kerb_min(kerb_sqrt(8.0f * room / inner), kerb_sqrt(32.0f * room / outer));
}

static kerb_vec2 stencil_corner(const plan_stencil* stencil, int32_t i) {
    return kerb_vec2_make(stencil->corner_x[i], stencil->corner_y[i]);
}

// Whether a corner lies in the hull that goes left about from `first` to before `end`, if any.
static bool is_in_hull(const plan_stencil* stencil, int32_t corner, int32_t first, int32_t end) {
    if (first == end)
        return false;
    kerb_vec2 at = stencil_corner(stencil, corner);
    for (int32_t i = first, before = end - 1; i < end; before = i++) {
        kerb_vec2 a = stencil_corner(stencil, before), b = stencil_corner(stencil, i);
        if (kerb_vec2_cross(kerb_vec2_sub(b, a), kerb_vec2_sub(at, a)) < 0.0f)
            return false;
    }
    return true;
}

// Edges within another hull, which are nowhere farthest to either side, are left out: those whose
// ends lie in the hull after or before.
static void add_edges(plan_stencil* stencil) {
    for (int32_t i = 0, before = 0, first = 0; i < stencil->hulls; i++) {
        int32_t end = stencil->hull_end[i], after = end;
        if (i + 1 < stencil->hulls)
            after = stencil->hull_end[i + 1];
        bool was_before = is_in_hull(stencil, end - 1, before, first);
        bool was_after = is_in_hull(stencil, end - 1, end, after);
        for (int32_t to = first, from = end - 1; to < end; from = to++) {
            bool is_before = is_in_hull(stencil, to, before, first);
            bool is_after = is_in_hull(stencil, to, end, after);
            if (!(was_before && is_before) && !(was_after && is_after)) {
                stencil->edge_from[stencil->edges] = (uint8_t)from;
                stencil->edge_to[stencil->edges++] = (uint8_t)to;
            }
            was_before = is_before;
            was_after = is_after;
        }
        before = first;
        first = end;
    }
}

static void add_hulls(plan_stencil* stencil, const plan_world* world, float room) {
    int32_t count = 1;
    if (stencil->curvature != 0.0f) {
        float parts =
            kerb_abs(stencil->curvature * stencil->length) / hull_turn(stencil, world, room);
        if (!(parts < (float)PLAN_STENCIL_HULLS))
            return;
        count = 1 + (int32_t)parts;
    }
    float part = stencil->length / (float)count;
    for (int32_t i = 0; i < count; i++)
        add_hull(stencil, world, part * (float)i, part);
    if (stencil->corners == PLAN_STENCIL_CORNERS)
        stencil->hulls = 0; // too many
    add_edges(stencil);
}

// Poses that have all of the arc in the field and in the box.
static void lay_inner_box(plan_stencil* stencil, const plan_world* world) {
    float reach = world->reach + kerb_abs(stencil->length) + HAIR;
    kerb_vec2 least = world->field_origin;
    kerb_vec2 most = {least.x + (float)world->field_columns * world->field_cell,
                      least.y + (float)world->field_rows * world->field_cell};
    if (world->boxed) {
        least =
            kerb_vec2_make(kerb_max(least.x, world->least.x), kerb_max(least.y, world->least.y));
        most = kerb_vec2_make(kerb_min(most.x, world->most.x), kerb_min(most.y, world->most.y));
    }
    // Discs are wider than what they cover.
    reach += 2.0f * world->outline.half_width + world->field_cell;
    stencil->least = kerb_vec2_make(least.x + reach, least.y + reach);
    stencil->most = kerb_vec2_make(most.x - reach, most.y - reach);
}

plan_stencil plan_stencil_make(const plan_world* world, float curvature, float length,
                               float least_room) {
    plan_stencil stencil = {.curvature = curvature, .length = length};
    lay_inner_box(&stencil, world);
    if (world->field != 0 && !cover(&stencil, world))
        stencil.discs = 0;
    if (world->bits != 0) {
        add_points(&stencil, world, length);
        add_points(&stencil, world, 0.5f * length);
    }
    if (world->bits != 0 && world->polygons == 0)
        add_hulls(&stencil, world, least_room);
    return stencil;
}

// --------------------------------------------------------------------------- to ask

static bool discs_are_free(const plan_stencil* stencil, const plan_world* world, kerb_pose from) {
    const uint8_t* field = plan_world_at(world, world->field);
    float x0 = (from.position.x - world->field_origin.x) * world->field_per_metre;
    float y0 = (from.position.y - world->field_origin.y) * world->field_per_metre;
    for (int32_t i = 0; i < stencil->discs; i++) {
        kerb_vec2 by = curve_turned(from.forward, stencil->disc_x[i], stencil->disc_y[i]);
        int32_t column = (int32_t)(x0 + by.x), row = (int32_t)(y0 + by.y);
        if (field[row * world->field_columns + column] < stencil->disc_room[i])
            return false;
    }
    return true;
}

// `place` and what is turned are in cells of the grid.
static bool a_point_is_blocked(const plan_stencil* stencil, const plan_world* world,
                               kerb_vec2 place, kerb_vec2 forward) {
    const uint64_t* bits = plan_world_at(world, world->bits);
    float columns = (float)world->columns, rows = (float)world->rows;
    for (int32_t i = 0; i < stencil->points; i++) {
        kerb_vec2 by = curve_turned(forward, stencil->point_x[i], stencil->point_y[i]);
        float x = place.x + by.x, y = place.y + by.y;
        if (!(x >= 0.0f && y >= 0.0f && x < columns && y < rows))
            continue;
        int32_t column = (int32_t)x;
        uint64_t word = bits[(int32_t)y * world->words + (column >> 6)];
        if ((word >> (column & 63)) & 1)
            return true;
    }
    return false;
}

// Leftmost and rightmost corner of the hulls in each row, counted from the lowest one, and where
// their sides cross the line below it.
typedef struct raster {
    float left[ROWS_MAX], right[ROWS_MAX];
    float left_side[ROWS_MAX], right_side[ROWS_MAX];
} raster;

// And the line above them.
static void clear_rows(raster* r, int32_t rows) {
    for (int32_t y = 0; y <= rows; y++) {
        r->left[y] = r->left_side[y] = KERB_NO_WAY;
        r->right[y] = r->right_side[y] = -KERB_NO_WAY;
    }
}

static inline void lay_corner(raster* r, float x, float y) {
    int32_t row = (int32_t)y;
    r->left[row] = kerb_min(r->left[row], x);
    r->right[row] = kerb_max(r->right[row], x);
}

// Hulls go left about, so that what leads down is on their left side.
static inline void lay_edge(raster* r, kerb_vec2 from, kerb_vec2 to) {
    float slope = (to.x - from.x) / (to.y - from.y);
    for (int32_t y = (int32_t)to.y + 1, end = (int32_t)from.y; y <= end; y++)
        r->left_side[y] = kerb_min(r->left_side[y], to.x + slope * ((float)y - to.y));
    for (int32_t y = (int32_t)from.y + 1, end = (int32_t)to.y; y <= end; y++)
        r->right_side[y] = kerb_max(r->right_side[y], from.x + slope * ((float)y - from.y));
}

// Of a convex outline the farthest place in a row is a corner or lies on the line above or below.
static void fill_rows(raster* r, int32_t rows) {
    for (int32_t y = 0; y < rows; y++) {
        float left = kerb_min(r->left_side[y], r->left_side[y + 1]);
        float right = kerb_max(r->right_side[y], r->right_side[y + 1]);
        r->left[y] = kerb_min(r->left[y], left);
        r->right[y] = kerb_max(r->right[y], right);
    }
}

// The hulls' corners in cells, and what they span.
typedef struct turned_corners {
    float x[PLAN_STENCIL_CORNERS], y[PLAN_STENCIL_CORNERS];
    kerb_vec2 least, most;
} turned_corners;

static void turn_corners(const plan_stencil* stencil, kerb_vec2 place, kerb_vec2 forward,
                         turned_corners* c) {
    float left = KERB_NO_WAY, right = -KERB_NO_WAY, low = KERB_NO_WAY, high = -KERB_NO_WAY;
    for (int32_t i = 0; i < stencil->corners; i++) {
        kerb_vec2 by = curve_turned(forward, stencil->corner_x[i], stencil->corner_y[i]);
        c->x[i] = place.x + by.x;
        c->y[i] = place.y + by.y;
        left = kerb_min(left, c->x[i]);
        right = kerb_max(right, c->x[i]);
        low = kerb_min(low, c->y[i]);
        high = kerb_max(high, c->y[i]);
    }
    c->least = kerb_vec2_make(left, low);
    c->most = kerb_vec2_make(right, high);
}

static bool is_in_box(const plan_world* world, kerb_vec2 least, kerb_vec2 most) {
    float cell = world->cell;
    kerb_vec2 o = world->origin;
    return !world->boxed ||
           (o.x + least.x * cell >= world->least.x && o.x + most.x * cell <= world->most.x &&
            o.y + least.y * cell >= world->least.y && o.y + most.y * cell <= world->most.y);
}

static void lay_hulls(raster* r, const plan_stencil* stencil, turned_corners* c, float base) {
    for (int32_t i = 0; i < stencil->corners; i++) {
        c->y[i] -= base;
        lay_corner(r, c->x[i], c->y[i]);
    }
    for (int32_t i = 0; i < stencil->edges; i++) {
        int32_t from = stencil->edge_from[i], to = stencil->edge_to[i];
        lay_edge(r, (kerb_vec2){c->x[from], c->y[from]}, (kerb_vec2){c->x[to], c->y[to]});
    }
}

static plan_room room_by_hulls(const plan_stencil* stencil, const plan_world* world,
                               kerb_vec2 place, kerb_vec2 forward) {
    turned_corners c;
    turn_corners(stencil, place, forward, &c);
    if (!(c.most.y - c.least.y < (float)(ROWS_MAX - 3)))
        return PLAN_DOUBTFUL;
    if (!is_in_box(world, c.least, c.most))
        return PLAN_BLOCKED;
    raster r;
    float base = floorf(c.least.y);
    int32_t rows = 1 + (int32_t)(c.most.y - base), lowest = (int32_t)base;
    clear_rows(&r, rows);
    lay_hulls(&r, stencil, &c, base);
    fill_rows(&r, rows);
    const uint64_t* bits = plan_world_at(world, world->bits);
    for (int32_t y = 0; y < rows; y++) {
        int32_t row = lowest + y;
        if (row >= 0 && row < world->rows &&
            !plan_world_row_free(world, bits, row, r.left[y], r.right[y]))
            return PLAN_BLOCKED;
    }
    return PLAN_OPEN;
}

static bool is_within(const plan_stencil* stencil, kerb_vec2 place) {
    return place.x >= stencil->least.x && place.x <= stencil->most.x &&
           place.y >= stencil->least.y && place.y <= stencil->most.y;
}

plan_room plan_stencil_ask(const plan_stencil* stencil, const plan_world* world, kerb_pose from) {
    if (stencil->discs > 0 && is_within(stencil, from.position) &&
        discs_are_free(stencil, world, from))
        return PLAN_OPEN;
    if (world->bits == 0)
        return PLAN_DOUBTFUL;
    kerb_vec2 place =
        kerb_vec2_scale(kerb_vec2_sub(from.position, world->origin), 1.0f / world->cell);
    if (a_point_is_blocked(stencil, world, place, from.forward))
        return PLAN_BLOCKED;
    if (stencil->hulls == 0)
        return PLAN_DOUBTFUL;
    return room_by_hulls(stencil, world, place, from.forward);
}
