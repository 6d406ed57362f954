// Purpose: whether a vehicle's outline is free of obstacles at a pose, and all along an arc.
// Idea:    In the open, circles against the distance field give the answer at once. In doubt, the
//          rectangle itself is tested against the bits of the grid, row by row, and against the
//          edges of the polygons. The area that the outline sweeps along an arc lies within a
//          rectangle about the middle of the arc, which is longer by the arc and wider by the swing
//          of its ends. If this rectangle is free, the arc is free; otherwise the arc is halved. So
//          no gaps remain between samples.
// Cost:    O(circles) in the open; the exact test O(rows of cells under the rectangle + edges of
//          near polygons).
#include "stencil.h"

#include "../../curve/shared.h"

// Parts of an arc that wait on the stack. Each is at most half as long as the one below it, so a
// float runs out of digits long before 64. [1]
#define FOOTPRINT_PARTS_MAX 64
// Greatest number of circles in a row; longer arcs are halved. It keeps the count within an
// int32_t. [1]
#define CIRCLES_MAX 1e6f
// Touching is not overlapping: the rectangle is smaller by this much, which covers the rounding of
// coordinates up to about 1 km. [m]
#define FOOTPRINT_HAIR 1e-4f
// Greatest distance between two questions to the host along an arc, as kerb_plan_world documents.
// [m]
#define HOST_STEP 0.1f
// Greatest number of questions to the host about one arc: those of 1 km. A longer arc counts as
// blocked, because ten million questions about one straight would take seconds; a search gets on in
// shorter arcs. [1]
#define HOST_STEPS_MOST 10000.0f

// --------------------------------------------------------------------------- the field

// Distance to the nearest obstacle, 0 outside the field. [half cells]
static inline int32_t field_at(const plan_world* world, const uint8_t* field, kerb_vec2 place) {
    float x = (place.x - world->field_origin.x) * world->field_per_metre;
    float y = (place.y - world->field_origin.y) * world->field_per_metre;
    if (!(x >= 0.0f && y >= 0.0f && x < (float)world->field_columns &&
          y < (float)world->field_rows))
        return 0;
    return field[(size_t)(int32_t)y * (size_t)world->field_columns + (size_t)(int32_t)x];
}

float kerb_in_plan_world_clearance(const plan_world* world, kerb_vec2 place) {
    const uint8_t* field = kerb_in_plan_world_at(world, world->field);
    return 0.5f * world->field_cell * (float)field_at(world, field, place);
}

static kerb_vec2 outline_middle(const plan_world* world, kerb_pose pose) {
    float ahead = 0.5f * (world->outline.front - world->outline.rear);
    return kerb_vec2_add(pose.position, kerb_vec2_scale(pose.forward, ahead));
}

// Clearance between the rectangle and the sides of the box. [m]
static float footprint_room_in_box(const plan_world* world, kerb_pose pose, kerb_vec2 middle) {
    const plan_outline* o = &world->outline;
    float half_length = 0.5f * (o->front + o->rear);
    float fx = kerb_abs(pose.forward.x), fy = kerb_abs(pose.forward.y);
    float x = kerb_min(middle.x - world->least.x, world->most.x - middle.x);
    float y = kerb_min(middle.y - world->least.y, world->most.y - middle.y);
    return kerb_min(x - (fx * half_length + fy * o->half_width),
                    y - (fy * half_length + fx * o->half_width)) +
           FOOTPRINT_HAIR;
}

static float room_by_field(const plan_world* world, kerb_pose pose) {
    const uint8_t* field = kerb_in_plan_world_at(world, world->field);
    int32_t least = 255;
    for (int32_t i = 0; i < world->circles; i++) {
        float along = world->circle_first + (float)i * world->circle_spacing;
        kerb_vec2 middle = kerb_vec2_add(pose.position, kerb_vec2_scale(pose.forward, along));
        int32_t here = field_at(world, field, middle);
        least = here < least ? here : least;
    }
    return 0.5f * world->field_cell * (float)least - world->circle_radius;
}

// By how much the outline can grow on all sides and stay free, as far as the circles show; `enough`
// or more where one circle round all of the outline shows it. Negative: unknown. [m]
static float room_by_circles(const plan_world* world, kerb_pose pose, float enough) {
    kerb_vec2 middle = outline_middle(world, pose);
    float room = KERB_NO_CURVE;
    if (world->boxed)
        room = footprint_room_in_box(world, pose, middle);
    if (world->field == 0 || room < 0.0f)
        return room;
    float round = kerb_in_plan_world_clearance(world, middle) - world->round_radius;
    return kerb_min(room, round >= enough ? round : room_by_field(world, pose));
}

// --------------------------------------------------------------------------- the rectangle

typedef struct rectangle {
    kerb_vec2 middle, forward;
    float half_length, half_width;
    kerb_vec2 reach; // of the corners, along x and y
} rectangle;

// The outline at a pose, `longer` at each end and `wider` at each side.
static rectangle rectangle_at(const plan_world* world, kerb_pose pose, float longer, float wider) {
    const plan_outline* o = &world->outline;
    rectangle r;
    r.half_length = 0.5f * (o->front + o->rear) + longer - FOOTPRINT_HAIR;
    r.half_width = o->half_width + wider - FOOTPRINT_HAIR;
    r.forward = pose.forward;
    r.middle = outline_middle(world, pose);
    float fx = kerb_abs(r.forward.x), fy = kerb_abs(r.forward.y);
    r.reach.x = fx * r.half_length + fy * r.half_width;
    r.reach.y = fy * r.half_length + fx * r.half_width;
    return r;
}

static bool footprint_in_box(const plan_world* world, const rectangle* r) {
    return r->middle.x - r->reach.x >= world->least.x &&
           r->middle.x + r->reach.x <= world->most.x &&
           r->middle.y - r->reach.y >= world->least.y && r->middle.y + r->reach.y <= world->most.y;
}

// --------------------------------------------------------------------------- the grid

// A rectangle in coordinates of the grid: its leftmost and rightmost corner, and the slopes of its
// sides upwards and downwards from there. [cells]
typedef struct outline_in_cells {
    float low, high;
    kerb_vec2 left, right;
    float left_up, left_down, right_up, right_down; // x for each row away from that corner
} outline_in_cells;

static float slope(float x, float y) {
    return y > 0.0f ? x / y : 0.0f; // a level side lies within the row of its corner
}

static outline_in_cells seen_by_grid(const plan_world* world, const rectangle* r) {
    float scale = 1.0f / world->cell, x = r->forward.x, y = r->forward.y;
    kerb_vec2 middle = kerb_vec2_scale(kerb_vec2_sub(r->middle, world->origin), scale);
    kerb_vec2 reach = kerb_vec2_scale(r->reach, scale);
    float length = r->half_length * scale, width = r->half_width * scale;
    // Which corners are extreme depends on the quadrant of the heading; half a turn changes
    // nothing.
    bool rises = (x >= 0.0f) == (y >= 0.0f);
    float fx = kerb_abs(x), fy = kerb_abs(y);
    // From the middle to the leftmost and to the uppermost corner.
    float left_y = rises ? fx * width - fy * length : fy * length - fx * width;
    float top_x = rises ? fx * length - fy * width : fy * width - fx * length;
    outline_in_cells o = {.low = middle.y - reach.y,
                          .high = middle.y + reach.y,
                          .left = {middle.x - reach.x, middle.y + left_y},
                          .right = {middle.x + reach.x, middle.y - left_y}};
    o.left_up = slope(reach.x + top_x, reach.y - left_y);
    o.left_down = slope(reach.x - top_x, reach.y + left_y);
    o.right_up = -o.left_down;
    o.right_down = -o.left_up;
    return o;
}

// Extreme x of the two sides at an extreme corner, between two levels of y.
static inline float side_between(kerb_vec2 corner, float up, float down, float low, float high) {
    if (low > corner.y)
        return corner.x + up * (low - corner.y);
    return high < corner.y ? corner.x + down * (corner.y - high) : corner.x;
}

// A quick test that takes the outer of both sides' lines: a row with a corner in it is tested too
// wide. True: certainly free.
static bool surely_free(const plan_world* world, const outline_in_cells* o, int32_t first,
                        int32_t last) {
    const uint64_t* bits = kerb_in_plan_world_at(world, world->bits);
    // Extreme values within the first row, then from row to row.
    float up = o->left.x + o->left_up * ((float)first - o->left.y);
    float down = o->left.x + o->left_down * (o->left.y - (float)(first + 1));
    float right_up = o->right.x + o->right_up * ((float)first - o->right.y);
    float right_down = o->right.x + o->right_down * (o->right.y - (float)(first + 1));
    for (int32_t y = first; y <= last; y++) {
        float left = kerb_max(kerb_max(up, down), o->left.x);
        float right = kerb_min(kerb_min(right_up, right_down), o->right.x);
        if (!kerb_in_plan_world_row_free(world, bits, y, left, right))
            return false;
        up += o->left_up;
        down -= o->left_down;
        right_up += o->right_up;
        right_down -= o->right_down;
    }
    return true;
}

static bool free_of_grid(const plan_world* world, const rectangle* r) {
    outline_in_cells o = seen_by_grid(world, r);
    if (!(o.high > 0.0f && o.low < (float)world->rows && o.right.x > 0.0f &&
          o.left.x < (float)world->columns))
        return true;
    int32_t first = (int32_t)kerb_max(o.low, 0.0f);
    int32_t last = (int32_t)kerb_min(o.high, (float)(world->rows - 1));
    if (surely_free(world, &o, first, last))
        return true;
    const uint64_t* bits = kerb_in_plan_world_at(world, world->bits);
    for (int32_t y = first; y <= last; y++) {
        float low = (float)y, high = (float)(y + 1);
        float left = side_between(o.left, o.left_up, o.left_down, low, high);
        float right = side_between(o.right, o.right_up, o.right_down, low, high);
        if (!kerb_in_plan_world_row_free(world, bits, y, left, right))
            return false;
    }
    return true;
}

static bool cell_is_blocked(const plan_world* world, const uint64_t* bits, float x, float y) {
    if (!(x >= 0.0f && y >= 0.0f && x < (float)world->columns && y < (float)world->rows))
        return false;
    int32_t column = (int32_t)x;
    const uint64_t* row = bits + (size_t)(int32_t)y * (size_t)world->words;
    return (row[column >> 6] >> (column & 63)) & 1;
}

static bool cell_at_is_blocked(const plan_world* world, const uint64_t* bits, kerb_vec2 place) {
    float scale = 1.0f / world->cell;
    return cell_is_blocked(world, bits, (place.x - world->origin.x) * scale,
                           (place.y - world->origin.y) * scale);
}

// Whether a corner or the middle of a long side lies in a blocked cell. It finds most poses that
// are not free.
static bool stands_on_cells(const plan_world* world, kerb_pose pose) {
    const plan_outline* o = &world->outline;
    const uint64_t* bits = kerb_in_plan_world_at(world, world->bits);
    float scale = 1.0f / world->cell, wide = (o->half_width - FOOTPRINT_HAIR) * scale;
    const float along[3] = {o->front - FOOTPRINT_HAIR, 0.5f * (o->front - o->rear),
                            FOOTPRINT_HAIR - o->rear};
    kerb_vec2 f = pose.forward;
    kerb_vec2 axle = kerb_vec2_scale(kerb_vec2_sub(pose.position, world->origin), scale);
    for (int32_t i = 0; i < 3; i++) {
        float x = axle.x + f.x * along[i] * scale, y = axle.y + f.y * along[i] * scale;
        if (cell_is_blocked(world, bits, x - f.y * wide, y + f.x * wide) ||
            cell_is_blocked(world, bits, x + f.y * wide, y - f.x * wide))
            return true;
    }
    return false;
}

// --------------------------------------------------------------------------- polygons

// Whether the straight line from a to b, in the axes of the rectangle, enters it (Liang and
// Barsky).
static bool enters(const rectangle* r, kerb_vec2 a, kerb_vec2 b) {
    float from = 0.0f, to = 1.0f;
    const float start[2] = {a.x, a.y}, step[2] = {b.x - a.x, b.y - a.y};
    const float half[2] = {r->half_length, r->half_width};
    for (int32_t i = 0; i < 2; i++) {
        if (kerb_abs(step[i]) < 1e-12f) {
            if (kerb_abs(start[i]) >= half[i])
                return false;
            continue;
        }
        float t0 = (-half[i] - start[i]) / step[i], t1 = (half[i] - start[i]) / step[i];
        from = kerb_max(from, kerb_min(t0, t1));
        to = kerb_min(to, kerb_max(t0, t1));
        if (!(from < to))
            return false;
    }
    return true;
}

static kerb_vec2 seen_from(const rectangle* r, kerb_vec2 place) {
    kerb_vec2 away = kerb_vec2_sub(place, r->middle);
    return kerb_vec2_make(kerb_vec2_dot(r->forward, away), kerb_vec2_cross(r->forward, away));
}

static bool overlaps(const rectangle* r, const kerb_vec2* vertex, int32_t count) {
    bool around = false; // the rectangle's middle lies in the polygon
    kerb_vec2 a = seen_from(r, vertex[count - 1]);
    for (int32_t i = 0; i < count; i++) {
        kerb_vec2 b = seen_from(r, vertex[i]);
        if (enters(r, a, b))
            return true;
        if ((a.y > 0.0f) != (b.y > 0.0f) && a.x + (b.x - a.x) * (-a.y / (b.y - a.y)) > 0.0f)
            around = !around;
        a = b;
    }
    return around;
}

static bool free_of_polygons(const plan_world* world, const rectangle* r) {
    const kerb_vec2* vertex = kerb_in_plan_world_at(world, world->vertex);
    const plan_polygon* polygon = kerb_in_plan_world_at(world, world->polygon);
    float far = kerb_sqrt(r->half_length * r->half_length + r->half_width * r->half_width);
    for (int32_t i = 0; i < world->polygons; i++) {
        const plan_polygon* p = &polygon[i];
        if (r->middle.x + far <= p->least.x || r->middle.x - far >= p->most.x ||
            r->middle.y + far <= p->least.y || r->middle.y - far >= p->most.y)
            continue;
        if (overlaps(r, vertex + p->first, p->count))
            return false;
    }
    return true;
}

// --------------------------------------------------------------------------- discs

static bool disc_free_of_grid(const plan_world* world, kerb_vec2 middle, float radius) {
    float x = (middle.x - world->origin.x) / world->cell;
    float y = (middle.y - world->origin.y) / world->cell, r = radius / world->cell;
    if (y + r <= 0.0f || y - r >= (float)world->rows)
        return true;
    if (cell_at_is_blocked(world, kerb_in_plan_world_at(world, world->bits), middle))
        return false;
    int32_t first = (int32_t)kerb_max(y - r, 0.0f);
    int32_t last = (int32_t)kerb_min(y + r, (float)(world->rows - 1));
    const uint64_t* bits = kerb_in_plan_world_at(world, world->bits);
    for (int32_t row = first; row <= last; row++) {
        float up = kerb_max(kerb_max((float)row - y, y - (float)(row + 1)), 0.0f);
        float half = kerb_sqrt(kerb_max(r * r - up * up, 0.0f));
        if (half <= 0.0f || x + half <= 0.0f || x - half >= (float)world->columns)
            continue;
        int32_t from = (int32_t)kerb_max(x - half, 0.0f);
        int32_t to = (int32_t)kerb_min(x + half, (float)(world->columns - 1));
        if (kerb_in_plan_any_bit(bits + (size_t)row * (size_t)world->words, from, to))
            return false;
    }
    return true;
}

// Whether no point of a polygon is nearer to `middle` than `radius`.
static bool disc_free_of_polygon(const kerb_vec2* vertex, int32_t count, kerb_vec2 middle,
                                 float radius) {
    bool around = false;
    kerb_vec2 a = kerb_vec2_sub(vertex[count - 1], middle);
    for (int32_t i = 0; i < count; i++) {
        kerb_vec2 b = kerb_vec2_sub(vertex[i], middle), edge = kerb_vec2_sub(b, a);
        float square = kerb_vec2_dot(edge, edge);
        float share = square > 0.0f ? -kerb_vec2_dot(a, edge) / square : 0.0f;
        kerb_vec2 foot = kerb_vec2_add(a, kerb_vec2_scale(edge, kerb_clamp(share, 0.0f, 1.0f)));
        if (kerb_vec2_dot(foot, foot) < radius * radius)
            return false;
        if ((a.y > 0.0f) != (b.y > 0.0f) && a.x + (b.x - a.x) * (-a.y / (b.y - a.y)) > 0.0f)
            around = !around;
        a = b;
    }
    return !around;
}

static bool disc_free_of_polygons(const plan_world* world, kerb_vec2 middle, float radius) {
    const kerb_vec2* vertex = kerb_in_plan_world_at(world, world->vertex);
    const plan_polygon* polygon = kerb_in_plan_world_at(world, world->polygon);
    for (int32_t i = 0; i < world->polygons; i++) {
        const plan_polygon* p = &polygon[i];
        bool near = middle.x + radius > p->least.x && middle.x - radius < p->most.x &&
                    middle.y + radius > p->least.y && middle.y - radius < p->most.y;
        if (near && !disc_free_of_polygon(vertex + p->first, p->count, middle, radius))
            return false;
    }
    return true;
}

bool kerb_in_plan_world_disc_free(const plan_world* world, kerb_vec2 middle, float radius) {
    if (world->field != 0 && kerb_in_plan_world_clearance(world, middle) >= radius)
        return true;
    if (world->bits != 0 && !disc_free_of_grid(world, middle, radius))
        return false;
    return world->polygons == 0 || disc_free_of_polygons(world, middle, radius);
}

// --------------------------------------------------------------------------- poses and arcs

static bool rectangle_is_free(const plan_world* world, const rectangle* r) {
    if (world->boxed && !footprint_in_box(world, r))
        return false;
    if (world->bits != 0 && !free_of_grid(world, r))
        return false;
    return world->polygons == 0 || free_of_polygons(world, r);
}

static bool rectangle_free(const plan_world* world, kerb_pose pose, float longer, float wider) {
    rectangle r = rectangle_at(world, pose, longer, wider);
    return rectangle_is_free(world, &r);
}

static bool stands_free(const plan_world* world, kerb_pose pose, float further) {
    return room_by_circles(world, pose, further) >= further ||
           rectangle_free(world, pose, further, further);
}

static bool footprint_bounded(const plan_world* world) {
    return world->boxed || world->field != 0;
}

// Distance that the rear axle can drive from a place, whatever its direction, where the smaller
// outline counts; 0: it does not count there. [m]
static float eased_length(const plan_world* world, kerb_vec2 place) {
    float most = 0.0f;
    for (int32_t i = 0; i < world->eased_count; i++) {
        kerb_vec2 away = kerb_vec2_sub(place, world->eased[i]);
        most = kerb_max(most, world->eased_radius - kerb_sqrt(kerb_vec2_dot(away, away)));
    }
    return most;
}

bool kerb_in_plan_world_pose_free(const plan_world* world, kerb_pose pose, float further) {
    if (eased_length(world, pose.position) > 0.0f)
        world = kerb_in_plan_world_eased(world);
    if (footprint_bounded(world) && !stands_free(world, pose, further))
        return false;
    return world->is_free == NULL || world->is_free(world->context, pose);
}

// A shape that contains what the outline sweeps along an arc with `pose` in its middle: the outline
// at that pose, `longer` at each end, and wider at each side by `bulge` and by `swing` times the
// distance from the rear axle.
typedef struct sweep {
    kerb_pose pose;
    float longer, swing, bulge;
} sweep;

// The bounds follow from the motion of a point (a, b) of the outline. After s metres it is at
// (sin(ks)/k + a cos(ks) - b sin(ks), (1 - cos(ks))/k + a sin(ks) + b cos(ks)).
static sweep sweep_about(const plan_world* world, kerb_pose pose, float curvature, float half) {
    float turn = kerb_abs(curvature) * half;
    float longer = half + turn * world->outline.half_width;
    sweep result = {pose, longer, turn, turn * 0.5f * half};
    return result;
}

// A row of circles covers the sweep. If the field shows that each circle is free, the sweep is
// free. If the middle line of a straight meets a blocked cell, the sweep is blocked.
static plan_room row_of_circles(const plan_world* world, const sweep* s) {
    const uint8_t* field = kerb_in_plan_world_at(world, world->field);
    const plan_outline* o = &world->outline;
    float length = o->front + o->rear + 2.0f * s->longer, half = 0.5f * world->circle_spacing;
    float spaces = length / world->circle_spacing, scale = 0.5f * world->field_cell;
    const uint64_t* bits = world->bits != 0 ? kerb_in_plan_world_at(world, world->bits) : NULL;
    bool is_straight = s->swing == 0.0f && bits != NULL;
    plan_room found = PLAN_OPEN;
    if (!(spaces < CIRCLES_MAX))
        return PLAN_DOUBTFUL;
    int32_t count = 1 + (int32_t)spaces;
    float step = length / (float)count, first = 0.5f * step - o->rear - s->longer;
    for (int32_t i = 0; i < count; i++) {
        float along = first + (float)i * step;
        float wide = o->half_width + s->bulge + s->swing * (kerb_abs(along) + half + s->longer);
        kerb_vec2 place = kerb_vec2_add(s->pose.position, kerb_vec2_scale(s->pose.forward, along));
        float clear = scale * (float)field_at(world, field, place);
        if (clear * clear >= half * half + wide * wide)
            continue;
        if (!is_straight)
            return PLAN_DOUBTFUL;
        if (cell_at_is_blocked(world, bits, place))
            return PLAN_BLOCKED;
        found = PLAN_DOUBTFUL;
    }
    return found;
}

static plan_room room_of_sweep(const plan_world* world, const sweep* s, const rectangle* r) {
    if (world->boxed && !footprint_in_box(world, r))
        return s->swing == 0.0f ? PLAN_BLOCKED : PLAN_DOUBTFUL;
    if (world->field == 0)
        return PLAN_OPEN;
    float clear = kerb_in_plan_world_clearance(world, r->middle);
    if (clear * clear >= r->half_length * r->half_length + r->half_width * r->half_width)
        return PLAN_OPEN;
    return row_of_circles(world, s);
}

// The quick tests come first.
static bool sweep_is_free(const plan_world* world, const sweep* s, float wider) {
    rectangle r = rectangle_at(world, s->pose, s->longer, wider);
    plan_room found = room_of_sweep(world, s, &r);
    if (found != PLAN_DOUBTFUL)
        return found == PLAN_OPEN;
    return !(world->bits != 0 && stands_on_cells(world, s->pose)) && rectangle_is_free(world, &r);
}

// A straight sweeps a rectangle.
static bool straight_free(const plan_world* world, kerb_pose from, float length) {
    float half = 0.5f * kerb_abs(length);
    sweep s = {curve_moved(from, 0.0f, 0.5f * length), half, 0.0f, 0.0f};
    return sweep_is_free(world, &s, 0.0f);
}

static bool stands_blocked(const plan_world* world, kerb_pose pose) {
    return !rectangle_free(world, pose, 0.0f, 0.0f);
}

typedef struct footprint_part {
    float from, to; // along the arc [m]
} footprint_part;

// A way of the rear axle: its curvature changes by `slope` per metre. A negative length is in
// reverse. [1/m, 1/m², m]
typedef struct footprint_way {
    kerb_pose from;
    float curvature, slope, length;
} footprint_way;

static inline kerb_pose footprint_way_pose(const footprint_way* w, float along) {
    return curve_clothoid(w->from, w->curvature, w->slope, along);
}

// The greatest curvature of a part of it. Its sign does not matter.
static inline float footprint_way_bend(const footprint_way* w, footprint_part part) {
    float begin = w->curvature + w->slope * part.from, end = w->curvature + w->slope * part.to;
    return kerb_abs(begin) > kerb_abs(end) ? begin : end;
}

// `is_doubtful`: a quick test of the whole arc gave no answer.
static bool bend_free(const plan_world* world, const footprint_way* way, float least_room,
                      bool is_doubtful) {
    float length = way->length, sign = length < 0.0f ? -1.0f : 1.0f;
    float far = kerb_max(world->outline.front, world->outline.rear);
    footprint_part waiting[FOOTPRINT_PARTS_MAX];
    waiting[0] = (footprint_part){0.0f, kerb_abs(length)};
    int32_t count = 1;
    bool is_first = !is_doubtful;
    while (count > 0) {
        footprint_part now = waiting[--count];
        float half = 0.5f * (now.to - now.from), place = now.from + half;
        kerb_pose pose = footprint_way_pose(way, sign * place);
        sweep s = sweep_about(world, pose, footprint_way_bend(way, now), half);
        float wider = s.bulge + s.swing * far;
        rectangle r = rectangle_at(world, pose, s.longer, wider);
        bool is_whole = count == 0 && half >= 0.5f * kerb_abs(length);
        if (!(is_doubtful && is_whole) && room_of_sweep(world, &s, &r) == PLAN_OPEN)
            continue;
        // Most arcs that are not free are blocked at their end.
        if (is_first && world->bits != 0 && stands_on_cells(world, footprint_way_pose(way, length)))
            return false;
        is_first = false;
        if (!(world->bits != 0 && stands_on_cells(world, pose)) && rectangle_is_free(world, &r))
            continue;
        bool is_least = kerb_max(s.longer, wider) <= least_room;
        if (is_least || count + 2 > FOOTPRINT_PARTS_MAX || stands_blocked(world, pose))
            return false;
        // The far part is tested first, because most arcs that are not free are blocked there.
        waiting[count++] = (footprint_part){now.from, place};
        waiting[count++] = (footprint_part){place, now.to};
    }
    return true;
}

static bool host_agrees(const plan_world* world, const footprint_way* way) {
    float wanted = kerb_abs(way->length) / HOST_STEP;
    if (!(wanted <= HOST_STEPS_MOST))
        return false;
    int32_t steps = 1 + (int32_t)wanted;
    for (int32_t i = 0; i <= steps; i++) {
        float place = way->length * (float)i / (float)steps;
        if (!world->is_free(world->context, footprint_way_pose(way, place)))
            return false;
    }
    return true;
}

static bool footprint_way_free(const plan_world* world, const footprint_way* way,
                               float least_room) {
    if (footprint_bounded(world)) {
        bool free = way->curvature == 0.0f && way->slope == 0.0f
                        ? straight_free(world, way->from, way->length)
                        : bend_free(world, way, least_room, false);
        if (!free)
            return false;
    }
    return world->is_free == NULL || host_agrees(world, way);
}

bool kerb_in_plan_world_bend_free(const plan_world* world, kerb_pose from, float curvature,
                                  float slope, float length, float least_room) {
    float near = eased_length(world, from.position), size = kerb_abs(length);
    footprint_way way = {from, curvature, slope, length};
    if (near > 0.0f) {
        const plan_world* eased = kerb_in_plan_world_eased(world);
        float part = kerb_min(near, size);
        way.length = length < 0.0f ? -part : part;
        if (!footprint_way_free(eased, &way, least_room))
            return false;
        if (near >= size)
            return true;
        way = (footprint_way){footprint_way_pose(&way, way.length), curvature + slope * part, slope,
                              length - way.length};
    }
    return footprint_way_free(world, &way, least_room);
}

bool kerb_in_plan_world_arc_free(const plan_world* world, kerb_pose from, float curvature,
                                 float length, float least_room) {
    return kerb_in_plan_world_bend_free(world, from, curvature, 0.0f, length, least_room);
}

static bool doubtful_arc_free(const plan_world* world, kerb_pose from, const plan_stencil* stencil,
                              float least_room) {
    const footprint_way way = {from, stencil->curvature, 0.0f, stencil->length};
    if (stencil->curvature != 0.0f)
        return bend_free(world, &way, least_room, true);
    return straight_free(world, from, stencil->length);
}

bool kerb_in_plan_world_stencil_free(const plan_world* world, kerb_pose from,
                                     const plan_stencil* stencil, float least_room) {
    if (eased_length(world, from.position) > 0.0f)
        return kerb_in_plan_world_arc_free(world, from, stencil->curvature, stencil->length,
                                           least_room);
    if (footprint_bounded(world)) {
        plan_room room = kerb_in_plan_stencil_ask(stencil, world, from);
        if (room == PLAN_BLOCKED ||
            (room == PLAN_DOUBTFUL && !doubtful_arc_free(world, from, stencil, least_room)))
            return false;
    }
    const footprint_way way = {from, stencil->curvature, 0.0f, stencil->length};
    return world->is_free == NULL || host_agrees(world, &way);
}
