// Purpose: tests quickly whether the arcs of a search are free.
// Idea:    A search tries the same few arcs from thousands of poses. The area that the outline
//          sweeps along an arc is covered by discs, once. For a pose the discs are turned and
//          moved, and each is looked up in the distance field. If a disc is in doubt, a few points
//          of the outline are looked up in the grid; one in a blocked cell shows that the arc is
//          blocked. Otherwise convex hulls of the swept area are tested against the grid, row by
//          row: first a hull with few sides, which contains a little more than the area and decides
//          three arcs in four, then hulls that contain so little more that they decide the rest. In
//          worlds of polygons the exact test decides.
//
//          In a row of cells a hull extends between the extreme values of its sides on the lines
//          below and above the row. Computed for all rows at once, this takes no branches.
//          Following each side through its own rows cost 17 wrong branch predictions per hull.
// Cost:    O(discs), about 15; hulls O(sides · rows). Made once for each arc of a search.
// Source:  for the hull Andrew, "Another efficient algorithm for convex hulls in two dimensions"
//          (1979).
#include "stencil.h"

#include "../../base/shared.h"

// Greatest lateral swing of the outline's ends within a part of the arc that one row of discs
// covers. Less takes more discs; more makes them too wide. Chosen by trial. [half widths]
#define STENCIL_SWING 0.6f
// Greatest number of such parts; arcs that need more have no discs, because these would not fit
// into PLAN_STENCIL_DISCS. [1]
#define STENCIL_PARTS_MAX 4
// Touching is not overlapping: points and hulls lie this far within the outline. [m]
#define STENCIL_HAIR 1e-4f
// How far the hull with few sides may reach beyond the others. More leaves it fewer sides but more
// arcs in doubt; chosen by trial. [half widths]
#define STENCIL_BESIDE 0.12f
// Rows that are computed at once, without a branch between: four floats fill a register of every
// processor with vector instructions. [1]
#define STENCIL_LANES 4
// Greatest number of rows of cells under a hull; larger hulls are left to the exact test. It bounds
// the stack. [1]
#define ROWS_MAX 256

// --------------------------------------------------------------------------- making

// Adds a disc on the middle line of a pose, `along` metres ahead of the rear axle.
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

// Covers the area that is swept from `half` metres before a pose to `half` metres after it. A line
// of the outline at lateral offset b, after a turn of t at curvature k, lies at a lateral offset of
// x tan(t) - (1/cos(t) - 1)/k + b/cos(t) where it is x ahead of the pose's rear axle.
//
// The leading end comes first, because most arcs that are not free are blocked there.
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

static bool stencil_cover(plan_stencil* stencil, const plan_world* world) {
    const plan_outline* o = &world->outline;
    float swing = kerb_abs(stencil->curvature * stencil->length) * 0.5f;
    float parts = swing * kerb_max(o->front, o->rear) / (STENCIL_SWING * o->half_width);
    if (!(parts <= (float)STENCIL_PARTS_MAX))
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

// Adds the corners and the middles of the long sides at a place on the arc.
static void add_points(plan_stencil* stencil, const plan_world* world, float length) {
    const plan_outline* o = &world->outline;
    const float along[3] = {o->front - STENCIL_HAIR, 0.5f * (o->front - o->rear),
                            STENCIL_HAIR - o->rear};
    kerb_pose pose = curve_moved(kerb_pose_make(0.0f, 0.0f, 0.0f), stencil->curvature, length);
    float scale = 1.0f / world->cell;
    for (int32_t i = 0; i < 6; i++) {
        float aside = (o->half_width - STENCIL_HAIR) * (i & 1 ? -1.0f : 1.0f);
        kerb_vec2 by = curve_turned(pose.forward, along[i >> 1], aside);
        stencil->point_x[stencil->points] = (pose.position.x + by.x) * scale;
        stencil->point_y[stencil->points++] = (pose.position.y + by.y) * scale;
    }
}

// Whether the line from a over b to c turns right or does not turn.
static bool turns_right(kerb_vec2 a, kerb_vec2 b, kerb_vec2 c) {
    return kerb_vec2_cross(kerb_vec2_sub(b, a), kerb_vec2_sub(c, b)) <= 0.0f;
}

// Points round the swept area: four corners at both ends, and two points on each corner's path
// where its tangents meet. [1]
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

// The convex hull, anticlockwise. Returns the number of its corners.
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

// Each side becomes a direction and the hull's greatest extent in that direction. The direction of
// a very short side is not exact, but the extent fits it, so the sides contain the hull and hardly
// more.
static void add_side(plan_stencil* stencil, int32_t at, int32_t first, int32_t end) {
    int32_t next = at + 1 < end ? at + 1 : first;
    float x = stencil->corner_y[next] - stencil->corner_y[at];
    float y = stencil->corner_x[at] - stencil->corner_x[next];
    float scale = 1.0f / kerb_sqrt(kerb_max(x * x + y * y, 1e-20f)), reach = -KERB_NO_CURVE;
    stencil->side_x[at] = x * scale;
    stencil->side_y[at] = y * scale;
    for (int32_t i = first; i < end; i++)
        reach = kerb_max(reach, stencil->side_x[at] * stencil->corner_x[i] +
                                    stencil->side_y[at] * stencil->corner_y[i]);
    stencil->side_reach[at] = reach;
}

static void add_corners(plan_stencil* stencil, const plan_world* world, const kerb_vec2* hull,
                        int32_t count) {
    int32_t first = stencil->corners;
    for (int32_t i = 0; i < count && stencil->corners < PLAN_STENCIL_CORNERS; i++) {
        stencil->corner_x[stencil->corners] = hull[i].x / world->cell;
        stencil->corner_y[stencil->corners++] = hull[i].y / world->cell;
    }
    for (int32_t i = first; i < stencil->corners; i++)
        add_side(stencil, i, first, stencil->corners);
    stencil->hull_end[stencil->hulls++] = stencil->corners;
}

// The hull of what is swept on `part` metres of the arc. The path of each corner lies inside its
// tangents at both ends and in the middle. These meet at two points outside of the path.
static int32_t find_hull(const plan_stencil* stencil, const plan_world* world, float from,
                         float part, kerb_vec2 hull[2 * HULL_POINTS]) {
    const plan_outline* o = &world->outline;
    kerb_vec2 points[HULL_POINTS];
    float curvature = stencil->curvature, outwards = 1.0f / kerb_cos(0.25f * curvature * part);
    const float places[4] = {0.0f, 0.25f, 0.75f, 1.0f};
    kerb_pose poses[4];
    for (int32_t i = 0; i < 4; i++)
        poses[i] =
            curve_moved(kerb_pose_make(0.0f, 0.0f, 0.0f), curvature, from + part * places[i]);
    for (int32_t i = 0; i < HULL_POINTS; i++) {
        kerb_pose pose = poses[i >> 2];
        float ahead = i & 1 ? o->front - STENCIL_HAIR : STENCIL_HAIR - o->rear;
        float aside = (o->half_width - STENCIL_HAIR) * (i & 2 ? -1.0f : 1.0f);
        kerb_vec2 corner = kerb_vec2_add(pose.position, curve_turned(pose.forward, ahead, aside));
        bool is_between = (i >> 2) % 3 != 0 && curvature != 0.0f;
        kerb_vec2 centre = {0.0f, is_between ? 1.0f / curvature : 0.0f};
        kerb_vec2 arm = kerb_vec2_sub(corner, centre);
        points[i] = is_between ? kerb_vec2_add(centre, kerb_vec2_scale(arm, outwards)) : corner;
    }
    return hull_of(points, hull);
}

// Leaves out the side from b to c: finds the point where the side before it (from a) and the side
// after it (to d) meet, and its distance from the side. False: they do not meet there.
static bool stencil_meet(kerb_vec2 a, kerb_vec2 b, kerb_vec2 c, kerb_vec2 d, kerb_vec2* where,
                         float* far) {
    kerb_vec2 before = kerb_vec2_sub(b, a), side = kerb_vec2_sub(c, b), after = kerb_vec2_sub(d, c);
    float turn = kerb_vec2_cross(before, after), length = kerb_vec2_length(side);
    float on = kerb_vec2_cross(side, after);
    if (!(turn > 1e-3f * kerb_vec2_length(before) * kerb_vec2_length(after)))
        return false;
    *where = kerb_vec2_add(b, kerb_vec2_scale(before, on / turn));
    *far = kerb_vec2_cross(kerb_vec2_sub(*where, b), side) / length;
    return true;
}

// Leaves out sides while the new corner is at most `most` outside, those with the nearest corner
// first. Returns the number of corners that are left.
static int32_t without_short_sides(kerb_vec2* hull, int32_t count, float most) {
    while (count > 4) {
        float least = most, far;
        int32_t best = -1;
        kerb_vec2 where, corner = {0.0f, 0.0f};
        for (int32_t i = 0; i < count; i++)
            if (stencil_meet(hull[(i + count - 1) % count], hull[i], hull[(i + 1) % count],
                             hull[(i + 2) % count], &where, &far) &&
                far <= least) {
                least = far;
                best = i;
                corner = where;
            }
        if (best < 0)
            break;
        hull[best] = corner;
        for (int32_t i = (best + 1) % count; i + 1 < count; i++)
            hull[i] = hull[i + 1];
        count--;
    }
    return count;
}

// Greatest turn of an arc whose hull reaches at most `room` beyond the swept area. It follows from
// the sagitta of the inner side, and of the outermost corner between its tangents. [rad]
static float hull_turn(const plan_stencil* stencil, const plan_world* world, float room) {
    const plan_outline* o = &world->outline;
    float radius = 1.0f / kerb_abs(stencil->curvature), far = kerb_max(o->front, o->rear);
    float inner = kerb_max(radius - o->half_width, 0.1f * radius), outer = radius + o->half_width;
    outer = kerb_sqrt(outer * outer + far * far);
    return kerb_min(kerb_sqrt(8.0f * room / inner), kerb_sqrt(32.0f * room / outer));
}

static void add_hulls(plan_stencil* stencil, const plan_world* world, float room) {
    int32_t count = 1;
    if (stencil->curvature != 0.0f) {
        float parts =
            kerb_abs(stencil->curvature * stencil->length) / hull_turn(stencil, world, room);
        if (!(parts < (float)(PLAN_STENCIL_HULLS - 1)))
            return;
        count = 1 + (int32_t)parts;
    }
    kerb_vec2 hull[2 * HULL_POINTS];
    int32_t corners = find_hull(stencil, world, 0.0f, stencil->length, hull);
    corners = without_short_sides(hull, corners, STENCIL_BESIDE * world->outline.half_width);
    add_corners(stencil, world, hull, corners);
    float part = stencil->length / (float)count;
    for (int32_t i = 0; i < count; i++)
        add_corners(stencil, world, hull, find_hull(stencil, world, part * (float)i, part, hull));
    if (stencil->corners == PLAN_STENCIL_CORNERS)
        stencil->hulls = 0; // too many corners
}

// The poses from which all of the arc lies in the field and in the box.
static void lay_inner_box(plan_stencil* stencil, const plan_world* world) {
    float reach = world->reach + kerb_abs(stencil->length) + STENCIL_HAIR;
    stencil->far = world->bits != 0 ? 1.0f + reach / world->cell : 0.0f;
    kerb_vec2 least = world->field_origin;
    kerb_vec2 most = {least.x + (float)world->field_columns * world->field_cell,
                      least.y + (float)world->field_rows * world->field_cell};
    if (world->boxed) {
        least =
            kerb_vec2_make(kerb_max(least.x, world->least.x), kerb_max(least.y, world->least.y));
        most = kerb_vec2_make(kerb_min(most.x, world->most.x), kerb_min(most.y, world->most.y));
    }
    // Discs are wider than the area that they cover.
    reach += 2.0f * world->outline.half_width + world->field_cell;
    stencil->least = kerb_vec2_make(least.x + reach, least.y + reach);
    stencil->most = kerb_vec2_make(most.x - reach, most.y - reach);
}

plan_stencil kerb_in_plan_stencil_make(const plan_world* world, float curvature, float length,
                                       float least_room) {
    plan_stencil stencil = {.curvature = curvature, .length = length};
    lay_inner_box(&stencil, world);
    if (world->field != 0 && !stencil_cover(&stencil, world))
        stencil.discs = 0;
    if (world->bits != 0) {
        add_points(&stencil, world, length);
        add_points(&stencil, world, 0.5f * length);
    }
    if (world->bits != 0 && world->polygons == 0)
        add_hulls(&stencil, world, least_room);
    return stencil;
}

// Corners and sides of a hull are anticlockwise; mirroring reverses their order.
static void mirror_hull(const plan_stencil* of, int32_t first, int32_t end, plan_stencil* s) {
    for (int32_t i = first; i < end; i++) {
        int32_t corner = end - 1 - (i - first), side = corner > first ? corner - 1 : end - 1;
        s->corner_x[i] = of->corner_x[corner];
        s->corner_y[i] = -of->corner_y[corner];
        s->side_x[i] = of->side_x[side];
        s->side_y[i] = -of->side_y[side];
        s->side_reach[i] = of->side_reach[side];
    }
}

void kerb_in_plan_stencil_mirror(const plan_stencil* of, plan_stencil* mirrored) {
    plan_stencil* s = mirrored;
    *s = *of;
    s->curvature = -of->curvature;
    for (int32_t i = 0; i < s->discs; i++)
        s->disc_y[i] = -of->disc_y[i];
    for (int32_t i = 0; i < s->points; i++)
        s->point_y[i] = -of->point_y[i];
    for (int32_t i = 0, first = 0; i < s->hulls; first = s->hull_end[i++])
        mirror_hull(of, first, s->hull_end[i], s);
}

// --------------------------------------------------------------------------- asking

static bool discs_are_free(const plan_stencil* stencil, const plan_world* world, kerb_pose from) {
    const uint8_t* field = kerb_in_plan_world_at(world, world->field);
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

static bool stencil_is_blocked(const uint64_t* bits, int32_t words, float x, float y) {
    int32_t column = (int32_t)x;
    return (bits[(int32_t)y * words + (column >> 6)] >> (column & 63)) & 1;
}

// `place` and the turned points are in cells of the grid. Where all of the arc is within the grid,
// the points need no test of their own.
static bool a_point_is_blocked(const plan_stencil* stencil, const plan_world* world,
                               kerb_vec2 place, kerb_vec2 forward) {
    const uint64_t* bits = kerb_in_plan_world_at(world, world->bits);
    float columns = (float)world->columns, rows = (float)world->rows, far = stencil->far;
    bool is_in_grid =
        place.x >= far && place.y >= far && place.x < columns - far && place.y < rows - far;
    for (int32_t i = 0; i < stencil->points; i++) {
        kerb_vec2 by = curve_turned(forward, stencil->point_x[i], stencil->point_y[i]);
        float x = place.x + by.x, y = place.y + by.y;
        if ((is_in_grid || (x >= 0.0f && y >= 0.0f && x < columns && y < rows)) &&
            stencil_is_blocked(bits, world->words, x, y))
            return true;
    }
    return false;
}

// Hulls turned into the axes of the grid, relative to the place where the arc begins. [cells]
typedef struct turned_hulls {
    float x[PLAN_STENCIL_CORNERS], y[PLAN_STENCIL_CORNERS]; // corners
    // A side is x = at + slope y; with the opposite sign where the hull lies to its left.
    float at[PLAN_STENCIL_CORNERS], slope[PLAN_STENCIL_CORNERS];
    bool is_right[PLAN_STENCIL_CORNERS];
    kerb_vec2 least, most;
} turned_hulls;

// Turns the corners from `first` up to but without `end`.
static void turn_corners(const plan_stencil* stencil, kerb_vec2 forward, int32_t first, int32_t end,
                         turned_hulls* h) {
    float left = KERB_NO_CURVE, right = -KERB_NO_CURVE, low = KERB_NO_CURVE, high = -KERB_NO_CURVE;
    for (int32_t i = first; i < end; i++) {
        kerb_vec2 by = curve_turned(forward, stencil->corner_x[i], stencil->corner_y[i]);
        h->x[i] = by.x;
        h->y[i] = by.y;
    }
    for (int32_t i = first; i < end; i++) {
        left = kerb_min(left, h->x[i]);
        right = kerb_max(right, h->x[i]);
        low = kerb_min(low, h->y[i]);
        high = kerb_max(high, h->y[i]);
    }
    h->least = kerb_vec2_make(left, low);
    h->most = kerb_vec2_make(right, high);
}

// A level side bounds only the uppermost or the lowest row. A side with this slope does so too, and
// avoids a division by 0. [1]
#define LEVEL 1e-9f

static void turn_sides(const plan_stencil* stencil, kerb_vec2 forward, int32_t first, int32_t end,
                       turned_hulls* h) {
    for (int32_t i = first; i < end; i++) {
        kerb_vec2 out = curve_turned(forward, stencil->side_x[i], stencil->side_y[i]);
        bool is_right = out.x > 0.0f;
        float across = 1.0f / -kerb_max(kerb_abs(out.x), LEVEL);
        h->at[i] = stencil->side_reach[i] * across;
        h->slope[i] = -out.y * across;
        h->is_right[i] = is_right;
    }
}

static bool is_in_box(const plan_world* world, kerb_vec2 least, kerb_vec2 most) {
    float cell = world->cell;
    kerb_vec2 o = world->origin;
    return !world->boxed ||
           (o.x + least.x * cell >= world->least.x && o.x + most.x * cell <= world->most.x &&
            o.y + least.y * cell >= world->least.y && o.y + most.y * cell <= world->most.y);
}

// The lines between the rows of cells, and those below and above all rows: their y, and where the
// hull begins and ends on them. The end has the opposite sign, so that both are the maximum over
// the sides.
typedef struct lines_of_rows {
    float y[ROWS_MAX + STENCIL_LANES], side[2][ROWS_MAX + STENCIL_LANES];
} lines_of_rows;

static void begin_lines(lines_of_rows* l, int32_t lines, float base, float low, float high) {
    for (int32_t i = 0; i < lines; i += STENCIL_LANES)
        for (int32_t k = i; k < i + STENCIL_LANES; k++) {
            l->y[k] = kerb_clamp(base + (float)k, low, high);
            l->side[0][k] = l->side[1][k] = -KERB_NO_CURVE;
        }
}

static void lay_side(const float* y, float* side, int32_t lines, float at, float slope) {
    for (int32_t i = 0; i < lines; i += STENCIL_LANES) {
        float greatest[STENCIL_LANES];
        for (int32_t k = 0; k < STENCIL_LANES; k++)
            greatest[k] = kerb_max(side[i + k], at + slope * y[i + k]);
        for (int32_t k = 0; k < STENCIL_LANES; k++)
            side[i + k] = greatest[k];
    }
}

// Where the hull begins and ends in each row. It is widest on the line below or above the row, or
// at a corner.
typedef struct extents {
    float left[ROWS_MAX + STENCIL_LANES], right[ROWS_MAX + STENCIL_LANES];
} extents;

static void stencil_fill_rows(const lines_of_rows* l, extents* e, int32_t rows, float x) {
    for (int32_t i = 0; i < rows; i += STENCIL_LANES)
        for (int32_t k = i; k < i + STENCIL_LANES; k++) {
            e->left[k] = x + kerb_min(l->side[0][k], l->side[0][k + 1]);
            e->right[k] = x - kerb_min(l->side[1][k], l->side[1][k + 1]);
        }
}

static bool rows_are_free(const plan_world* world, const extents* e, int32_t lowest, int32_t rows) {
    const uint64_t* bits = kerb_in_plan_world_at(world, world->bits);
    for (int32_t y = 0; y < rows; y++) {
        int32_t row = lowest + y;
        if (row >= 0 && row < world->rows &&
            !kerb_in_plan_world_row_free(world, bits, row, e->left[y], e->right[y]))
            return false;
    }
    return true;
}

static bool hull_is_free(const turned_hulls* h, const plan_world* world, kerb_vec2 place,
                         int32_t first, int32_t end) {
    float low = KERB_NO_CURVE, high = -KERB_NO_CURVE;
    for (int32_t i = first; i < end; i++) {
        low = kerb_min(low, h->y[i]);
        high = kerb_max(high, h->y[i]);
    }
    int32_t lowest = (int32_t)floorf(place.y + low);
    int32_t rows = 1 + (int32_t)(place.y + high - (float)lowest);
    float base = (float)lowest - place.y;
    lines_of_rows l;
    extents e;
    KERB_WRITTEN(l);
    KERB_WRITTEN(e);
    begin_lines(&l, rows + 1, base, low, high);
    for (int32_t i = first; i < end; i++)
        lay_side(l.y, l.side[h->is_right[i]], rows + 1, h->at[i], h->slope[i]);
    stencil_fill_rows(&l, &e, rows, place.x);
    for (int32_t i = first; i < end; i++) {
        int32_t row = (int32_t)(h->y[i] - base);
        e.left[row] = kerb_min(e.left[row], place.x + h->x[i]);
        e.right[row] = kerb_max(e.right[row], place.x + h->x[i]);
    }
    return rows_are_free(world, &e, lowest, rows);
}

static plan_room room_by_hulls(const plan_stencil* stencil, const plan_world* world,
                               kerb_vec2 place, kerb_vec2 forward) {
    turned_hulls h;
    int32_t whole = stencil->hull_end[0];
    turn_corners(stencil, forward, 0, whole, &h);
    if (!(h.most.y - h.least.y < (float)(ROWS_MAX - 3)))
        return PLAN_DOUBTFUL;
    bool is_in = is_in_box(world, kerb_vec2_add(place, h.least), kerb_vec2_add(place, h.most));
    turn_sides(stencil, forward, 0, whole, &h);
    if (is_in && hull_is_free(&h, world, place, 0, whole))
        return PLAN_OPEN;
    turn_corners(stencil, forward, whole, stencil->corners, &h);
    if (!is_in_box(world, kerb_vec2_add(place, h.least), kerb_vec2_add(place, h.most)))
        return PLAN_BLOCKED;
    turn_sides(stencil, forward, whole, stencil->corners, &h);
    for (int32_t i = 1, first = whole; i < stencil->hulls; first = stencil->hull_end[i++])
        if (!hull_is_free(&h, world, place, first, stencil->hull_end[i]))
            return PLAN_BLOCKED;
    return PLAN_OPEN;
}

static bool stencil_is_within(const plan_stencil* stencil, kerb_vec2 place) {
    return place.x >= stencil->least.x && place.x <= stencil->most.x &&
           place.y >= stencil->least.y && place.y <= stencil->most.y;
}

plan_room kerb_in_plan_stencil_ask(const plan_stencil* stencil, const plan_world* world,
                                   kerb_pose from) {
    if (stencil->discs > 0 && stencil_is_within(stencil, from.position) &&
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
