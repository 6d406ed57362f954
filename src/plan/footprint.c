// Purpose: is a vehicle's outline free of obstacles, at a pose and all along an arc?
// Idea:    Circles against the field of distances say yes at once in the open. Where they doubt,
//          the rectangle itself is held against the grid's bits, row by row, and the polygons'
//          edges. An outline that is free with so much more room all round is free until a corner
//          has moved so far: an arc is walked in such steps, wide ones first, so that nothing lies
//          between samples.
// Cost:    20 ns a pose in the open; exact: some ns for each row of cells, 3 ns an edge near by.
#include "world.h"

// Room that an arc is tried with, as a share of the outline's width, and by which it falls.
#define ROOM_FIRST 0.5f
#define ROOM_NEXT 0.25f
// Circles are asked about that and the next.
#define CIRCLE_ROOMS 2
// Places of an arc, of so many, that are looked at first: most arcs that are not free end there.
#define LOOKS 3
// To touch is not to overlap: the rectangle is smaller by so much. [m]
#define HAIR 1e-4f
// The host is asked at least so often along an arc. [m]
#define HOST_STEP 0.1f

// --------------------------------------------------------------------------- the field

// Field cell of a place, or -1 beyond.
static int32_t field_index(const plan_world* world, kerb_vec2 place) {
    float x = (place.x - world->field_origin.x) / world->field_cell;
    float y = (place.y - world->field_origin.y) / world->field_cell;
    if (!(x >= 0.0f && y >= 0.0f && x < (float)world->field_columns &&
          y < (float)world->field_rows))
        return -1;
    return (int32_t)y * world->field_columns + (int32_t)x;
}

float plan_world_clearance(const plan_world* world, kerb_vec2 place) {
    const uint8_t* field = plan_world_at(world, world->field);
    int32_t index = field_index(world, place);
    return index < 0 ? 0.0f : 0.5f * world->field_cell * (float)field[index];
}

static float room_in_box(const plan_world* world, kerb_vec2 place) {
    float x = kerb_min(place.x - world->least.x, world->most.x - place.x);
    float y = kerb_min(place.y - world->least.y, world->most.y - place.y);
    return kerb_min(x, y);
}

// So much further may the outline grow, as far as the circles know; negative: they do not.
static float room_by_circles(const plan_world* world, kerb_pose pose) {
    float least = KERB_NO_WAY;
    for (int32_t i = 0; i < world->circles; i++) {
        float along = world->circle_first + (float)i * world->circle_spacing;
        kerb_vec2 middle = kerb_vec2_add(pose.position, kerb_vec2_scale(pose.forward, along));
        if (world->field != 0)
            least = kerb_min(least, plan_world_clearance(world, middle));
        if (world->boxed)
            least = kerb_min(least, room_in_box(world, middle));
    }
    return least - world->circle_radius;
}

// --------------------------------------------------------------------------- the rectangle

typedef struct rectangle {
    kerb_vec2 corner[4]; // round it
    kerb_vec2 middle, forward;
    float half_length, half_width;
} rectangle;

// `longer` and `wider` at each end and side than the outline.
static rectangle rectangle_at(const plan_world* world, kerb_pose pose, float longer, float wider) {
    const plan_outline* o = &world->outline;
    rectangle r;
    r.half_length = 0.5f * (o->front + o->rear) + longer - HAIR;
    r.half_width = o->half_width + wider - HAIR;
    r.forward = pose.forward;
    float ahead = 0.5f * (o->front - o->rear);
    r.middle = kerb_vec2_add(pose.position, kerb_vec2_scale(pose.forward, ahead));
    kerb_vec2 along = kerb_vec2_scale(r.forward, r.half_length);
    kerb_vec2 aside = {-r.forward.y * r.half_width, r.forward.x * r.half_width};
    r.corner[0] = kerb_vec2_add(kerb_vec2_add(r.middle, along), aside);
    r.corner[1] = kerb_vec2_add(kerb_vec2_sub(r.middle, along), aside);
    r.corner[2] = kerb_vec2_sub(kerb_vec2_sub(r.middle, along), aside);
    r.corner[3] = kerb_vec2_sub(kerb_vec2_add(r.middle, along), aside);
    return r;
}

static bool in_box(const plan_world* world, const rectangle* r) {
    for (int32_t i = 0; i < 4; i++)
        if (!(r->corner[i].x >= world->least.x && r->corner[i].x <= world->most.x &&
              r->corner[i].y >= world->least.y && r->corner[i].y <= world->most.y))
            return false;
    return true;
}

// --------------------------------------------------------------------------- the grid

// Any bit of a row from `first` to `last`.
static bool any_bit(const uint64_t* words, int32_t first, int32_t last) {
    uint64_t from = ~(uint64_t)0 << (first & 63), to = ~(uint64_t)0 >> (63 - (last & 63));
    int32_t i = first >> 6, end = last >> 6;
    if (i == end)
        return (words[i] & from & to) != 0;
    if (words[i] & from)
        return true;
    while (++i < end)
        if (words[i])
            return true;
    return (words[end] & to) != 0;
}

// How far a convex figure reaches to both sides between two levels; false: not at all.
static bool span(const kerb_vec2* corner, float low, float high, float* left, float* right) {
    *left = KERB_NO_WAY;
    *right = -KERB_NO_WAY;
    for (int32_t i = 0; i < 4; i++) {
        kerb_vec2 a = corner[i], b = corner[(i + 1) & 3];
        float rise = b.y - a.y;
        if (a.y >= low && a.y <= high) {
            *left = kerb_min(*left, a.x);
            *right = kerb_max(*right, a.x);
        }
        if ((a.y < low) != (b.y < low)) {
            float x = a.x + (b.x - a.x) * ((low - a.y) / rise);
            *left = kerb_min(*left, x);
            *right = kerb_max(*right, x);
        }
        if ((a.y > high) != (b.y > high)) {
            float x = a.x + (b.x - a.x) * ((high - a.y) / rise);
            *left = kerb_min(*left, x);
            *right = kerb_max(*right, x);
        }
    }
    return *left <= *right;
}

static bool free_of_grid(const plan_world* world, const rectangle* r) {
    kerb_vec2 corner[4];
    float low = KERB_NO_WAY, high = -KERB_NO_WAY, scale = 1.0f / world->cell;
    for (int32_t i = 0; i < 4; i++) {
        corner[i] = kerb_vec2_scale(kerb_vec2_sub(r->corner[i], world->origin), scale);
        low = kerb_min(low, corner[i].y);
        high = kerb_max(high, corner[i].y);
    }
    if (!(high > 0.0f && low < (float)world->rows))
        return true;
    int32_t first = (int32_t)kerb_max(low, 0.0f);
    int32_t last = (int32_t)kerb_min(high, (float)(world->rows - 1));
    const uint64_t* bits = plan_world_at(world, world->bits);
    for (int32_t y = first; y <= last; y++) {
        float left, right;
        if (!span(corner, (float)y, (float)(y + 1), &left, &right) || right <= 0.0f ||
            left >= (float)world->columns)
            continue;
        int32_t from = (int32_t)kerb_max(left, 0.0f);
        int32_t to = (int32_t)kerb_min(right, (float)(world->columns - 1));
        if (any_bit(bits + (size_t)y * (size_t)world->words, from, to))
            return false;
    }
    return true;
}

// --------------------------------------------------------------------------- polygons

// Whether the straight from a to b, in the rectangle's own axes, enters it (Liang and Barsky).
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
    const kerb_vec2* vertex = plan_world_at(world, world->vertex);
    const int32_t* end = plan_world_at(world, world->polygon_end);
    const kerb_vec2* box = plan_world_at(world, world->polygon_box); // two corners each
    float far = kerb_sqrt(r->half_length * r->half_length + r->half_width * r->half_width);
    for (int32_t i = 0, first = 0; i < world->polygons; first = end[i++]) {
        kerb_vec2 least = box[2 * (size_t)i], most = box[2 * (size_t)i + 1];
        if (r->middle.x + far <= least.x || r->middle.x - far >= most.x ||
            r->middle.y + far <= least.y || r->middle.y - far >= most.y)
            continue;
        if (overlaps(r, vertex + first, end[i] - first))
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
    int32_t first = (int32_t)kerb_max(y - r, 0.0f);
    int32_t last = (int32_t)kerb_min(y + r, (float)(world->rows - 1));
    const uint64_t* bits = plan_world_at(world, world->bits);
    for (int32_t row = first; row <= last; row++) {
        float up = kerb_max(kerb_max((float)row - y, y - (float)(row + 1)), 0.0f);
        float half = kerb_sqrt(kerb_max(r * r - up * up, 0.0f));
        if (half <= 0.0f || x + half <= 0.0f || x - half >= (float)world->columns)
            continue;
        int32_t from = (int32_t)kerb_max(x - half, 0.0f);
        int32_t to = (int32_t)kerb_min(x + half, (float)(world->columns - 1));
        if (any_bit(bits + (size_t)row * (size_t)world->words, from, to))
            return false;
    }
    return true;
}

// Whether a polygon is farther than `radius` from the origin that its vertices are seen from.
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
    const kerb_vec2* vertex = plan_world_at(world, world->vertex);
    const int32_t* end = plan_world_at(world, world->polygon_end);
    const kerb_vec2* box = plan_world_at(world, world->polygon_box);
    for (int32_t i = 0, first = 0; i < world->polygons; first = end[i++]) {
        kerb_vec2 least = box[2 * (size_t)i], most = box[2 * (size_t)i + 1];
        bool near = middle.x + radius > least.x && middle.x - radius < most.x &&
                    middle.y + radius > least.y && middle.y - radius < most.y;
        if (near && !disc_free_of_polygon(vertex + first, end[i] - first, middle, radius))
            return false;
    }
    return true;
}

bool plan_world_disc_free(const plan_world* world, kerb_vec2 middle, float radius) {
    if (world->field != 0 && plan_world_clearance(world, middle) >= radius)
        return true;
    if (world->bits != 0 && !disc_free_of_grid(world, middle, radius))
        return false;
    return world->polygons == 0 || disc_free_of_polygons(world, middle, radius);
}

// --------------------------------------------------------------------------- poses and arcs

static bool rectangle_free(const plan_world* world, kerb_pose pose, float longer, float wider) {
    rectangle r = rectangle_at(world, pose, longer, wider);
    if (world->boxed && !in_box(world, &r))
        return false;
    if (world->bits != 0 && !free_of_grid(world, &r))
        return false;
    return world->polygons == 0 || free_of_polygons(world, &r);
}

static bool stands_free(const plan_world* world, kerb_pose pose, float further) {
    return room_by_circles(world, pose) >= further || rectangle_free(world, pose, further, further);
}

static bool bounded(const plan_world* world) {
    return world->boxed || world->field != 0;
}

bool plan_world_pose_free(const plan_world* world, kerb_pose pose, float further) {
    if (bounded(world) && !stands_free(world, pose, further))
        return false;
    return world->is_free == NULL || world->is_free(world->context, pose);
}

static kerb_pose along(kerb_pose from, float curvature, float length) {
    kerb_curve arc = {.start = from, .count = 1, .curvature = {curvature}, .length = {length}};
    return kerb_curve_end(&arc);
}

// What a straight sweeps is a rectangle again.
static bool straight_free(const plan_world* world, kerb_pose from, float length) {
    kerb_pose middle = along(from, 0.0f, 0.5f * length);
    return rectangle_free(world, middle, 0.5f * kerb_abs(length), 0.0f);
}

typedef struct walk {
    const plan_world* world;
    kerb_pose from;
    float curvature, sign, size; // sign: of the direction, size: of the length
    float pace;                  // of a corner per metre
    float covered;               // so far along it is free
} walk;

// One sample, as far on as `room` all round would cover it.
static bool walk_by_circles(walk* w, float room) {
    float place = kerb_min(w->covered + room / w->pace, w->size);
    float known = room_by_circles(w->world, along(w->from, w->curvature, w->sign * place));
    if (known < room)
        return false;
    w->covered = place + known / w->pace;
    return true;
}

static bool walk_exactly(walk* w, float room) {
    float place = kerb_min(w->covered + room / w->pace, w->size);
    if (!rectangle_free(w->world, along(w->from, w->curvature, w->sign * place), room, room))
        return false;
    w->covered = place + room / w->pace;
    return true;
}

// From sample to sample, each tried with ever less room until it is free: circles first.
static bool walk_on(walk* w, float least_room) {
    float first = ROOM_FIRST * 2.0f * w->world->outline.half_width, room = first;
    for (int32_t i = 0; i < CIRCLE_ROOMS; i++) {
        if (walk_by_circles(w, room))
            return true;
        room *= ROOM_NEXT;
    }
    room = first;
    while (room > least_room) {
        if (walk_exactly(w, room))
            return true;
        room *= ROOM_NEXT;
    }
    return walk_exactly(w, least_room);
}

static bool looks_free(const walk* w) {
    for (int32_t i = LOOKS; i > 0; i--) {
        float place = w->size * (float)i / (float)LOOKS;
        if (!stands_free(w->world, along(w->from, w->curvature, w->sign * place), 0.0f))
            return false;
    }
    return true;
}

static bool bend_free(const plan_world* world, kerb_pose from, float curvature, float length,
                      float least_room) {
    walk w = {world,
              from,
              curvature,
              length < 0.0f ? -1.0f : 1.0f,
              kerb_abs(length),
              1.0f + kerb_abs(curvature) * world->reach,
              0.0f};
    if (!looks_free(&w))
        return false;
    do
        if (!walk_on(&w, least_room))
            return false;
    while (w.covered < w.size);
    return true;
}

static bool host_agrees(const plan_world* world, kerb_pose from, float curvature, float length) {
    int32_t steps = 1 + (int32_t)(kerb_abs(length) / HOST_STEP);
    for (int32_t i = 0; i <= steps; i++) {
        float place = length * (float)i / (float)steps;
        if (!world->is_free(world->context, along(from, curvature, place)))
            return false;
    }
    return true;
}

bool plan_world_arc_free(const plan_world* world, kerb_pose from, float curvature, float length,
                         float least_room) {
    if (bounded(world)) {
        bool free = curvature == 0.0f ? straight_free(world, from, length)
                                      : bend_free(world, from, curvature, length, least_room);
        if (!free)
            return false;
    }
    return world->is_free == NULL || host_agrees(world, from, curvature, length);
}
