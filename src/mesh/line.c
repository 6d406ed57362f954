// Purpose: the reference line of a corridor: rounded corners, and the free width on both sides.
// Idea:    A taut string touches the inside of its corners, and a vehicle that turns there on a
//          radius would cut them. So each corner becomes a circle of the turning radius that passes
//          the corner's vertex at the clearance, and the line is the string round these circles:
//          arcs and their common tangents. It swings out before a bend and does not cut it. The
//          line is then followed over the mesh, polygon by polygon. Where it leaves the mesh or
//          comes too near to a border, the circles of that part are halved: at the radius of the
//          clearance the line is the shortest one that keeps it. All of it needs 50 kB of stack.
// Cost:    O(points · polygons across), each halving once more for the two legs beside it.
#include "../base/shared.h"
#include "../curve/shared.h"
#include "parts.h"

// Corners of a line: all of its work lies on the stack, and twice as many would not fit into the
// 64 kB that hosts give to a fiber. [1]
#define MESH_CORNERS_MAX 512
// Stack for the work on a line, as the header says. [bytes]
#define MESH_STACK_MAX 51200
// Greatest distance of the points' chords from the arcs. [m]
#define MESH_CHORD_ERROR 0.02f
// Radii below this share of the first one are 0: no vehicle turns so tightly, and each halving
// follows the line anew. [1]
#define MESH_RADIUS_SHARE_MIN 0.02f
// Where a passage is narrower than twice the clearance, a line need not keep more than this share
// of its width: the string itself keeps a half of it in the openings, and less between them. [1]
#define MESH_NARROW_SHARE 0.25f
// Rounding of positions on the mesh, and twice what a straight line may pass over a border. [m]
#define MESH_LEEWAY 0.02f
// A line that turns to the wrong side by less goes straight on: rounding of its directions. [rad]
#define MESH_WRONG_TURN_MAX 1e-4f
// Points of a leg at most: keeps the count an integer where the spacing is tiny. [1]
#define MESH_LEG_POINTS_MAX 1e6f

static const kerb_setting mesh_line_rows[] = {
    {"turning_radius", offsetof(kerb_mesh_line_settings, turning_radius), KERB_SETTING_FLOAT, "m",
     0.0f, 1000.0f, 5.0f, NULL, "radius of the arcs at corners"},
    {"clearance", offsetof(kerb_mesh_line_settings, clearance), KERB_SETTING_FLOAT, "m", 0.0f,
     1000.0f, 1.2f, NULL, "distance to keep from the corners of the corridor"},
    {"spacing", offsetof(kerb_mesh_line_settings, spacing), KERB_SETTING_FLOAT, "m", 0.05f, 1000.0f,
     2.0f, NULL, "greatest distance of points"},
    {"width_max", offsetof(kerb_mesh_line_settings, width_max), KERB_SETTING_FLOAT, "m", 0.0f,
     1000.0f, 6.0f, NULL, "greatest width to either side that is looked for"},
};

const kerb_settings_table kerb_mesh_line_settings_table = {
    "kerb_mesh_line_settings", sizeof(kerb_mesh_line_settings), mesh_line_rows,
    (int32_t)(sizeof mesh_line_rows / sizeof mesh_line_rows[0])};

kerb_mesh_line_settings kerb_mesh_line_settings_default(void) {
    kerb_mesh_line_settings settings;
    kerb_settings_set_defaults(&kerb_mesh_line_settings_table, &settings);
    return settings;
}

// A corner with its circle. Ends of the line and of links have radius 0.
typedef struct mesh_bend {
    curve_circle circle;
    bool skipped; // the line no longer bends here, because of the circles beside it
} mesh_bend;

// The straight part behind a corner.
typedef struct mesh_leg {
    curve_tangent way;
    kerb_mesh_place place; // of its start
    int32_t points;        // of the line, until its start
    float travelled;       // until its start [m]
} mesh_leg;

typedef struct mesh_rounding {
    const kerb_mesh* mesh;
    const kerb_mesh_line_settings* settings;
    kerb_mesh_line* line;
    int32_t count; // of corners
    mesh_corner corners[MESH_CORNERS_MAX];
    mesh_bend bends[MESH_CORNERS_MAX];
    mesh_leg legs[MESH_CORNERS_MAX];
    kerb_mesh_place place; // where the following of the line has come
    float travelled;       // [m]
    bool accepts;          // whatever borders are in the way
} mesh_rounding;

_Static_assert(sizeof(mesh_rounding) <= MESH_STACK_MAX, "as hosts are promised");

static kerb_vec2 mesh_unit(kerb_vec2 a) {
    float length = kerb_vec2_length(a);
    return length > MESH_LENGTH_MIN ? kerb_vec2_scale(a, 1.0f / length) : (kerb_vec2){0.0f, 0.0f};
}

static kerb_vec2 mesh_corner_at(const mesh_rounding* r, int32_t i) {
    return mesh_flat(r->corners[i].place.position);
}

// Whether the line has an arc at a corner.
static bool mesh_is_round(const mesh_rounding* r, int32_t i) {
    return kerb_abs(r->bends[i].circle.radius) > 0.0f;
}

// --------------------------------------------------------------------------- geometry

// The corner's circle. It passes the vertex at the distance to keep, on the outer side; at the
// smallest radius its middle is the vertex.
static void mesh_place_bend(mesh_rounding* r, int32_t i) {
    mesh_bend* bend = &r->bends[i];
    const mesh_corner* corner = &r->corners[i];
    bend->circle.middle = mesh_corner_at(r, i);
    if (!mesh_is_round(r, i))
        return;
    kerb_vec2 in = mesh_unit(kerb_vec2_sub(mesh_corner_at(r, i), mesh_corner_at(r, i - 1))),
              out = mesh_unit(kerb_vec2_sub(mesh_corner_at(r, i + 1), mesh_corner_at(r, i)));
    // Inwards, at right angles to the mean direction: also defined where it goes straight on.
    kerb_vec2 mean = mesh_unit(kerb_vec2_add(in, out));
    kerb_vec2 inwards = kerb_vec2_scale(kerb_vec2_left(mean), corner->side);
    float farther = kerb_max(kerb_abs(bend->circle.radius) - corner->keep, 0.0f);
    bend->circle.middle = kerb_vec2_add(corner->vertex, kerb_vec2_scale(inwards, farther));
}

static int32_t mesh_bend_after(const mesh_rounding* r, int32_t i) {
    do
        i++;
    while (r->bends[i].skipped);
    return i;
}

static int32_t mesh_bend_before(const mesh_rounding* r, int32_t i) {
    do
        i--;
    while (r->bends[i].skipped);
    return i;
}

// The radius with which a corner begins.
static float mesh_first_radius(const mesh_rounding* r, int32_t i) {
    return kerb_max(r->settings->turning_radius, r->corners[i].keep);
}

// Halves a circle, first down to the clearance, which is the string that keeps away from corners,
// then further.
static bool mesh_halve(mesh_rounding* r, int32_t i) {
    float radius = kerb_abs(r->bends[i].circle.radius), keep = r->corners[i].keep;
    if (!mesh_is_round(r, i))
        return false;
    float next = radius > keep ? kerb_max(0.5f * radius, keep) : 0.5f * radius;
    if (next < MESH_RADIUS_SHARE_MIN * mesh_first_radius(r, i))
        next = 0.0f;
    r->bends[i].circle.radius = r->corners[i].side * next;
    return true;
}

// Halves the circles at both ends of a leg, and takes back the corners that were skipped between
// them. False: there is none to halve.
static bool mesh_tighten(mesh_rounding* r, int32_t from, int32_t to) {
    bool changed = mesh_halve(r, from);
    changed = mesh_halve(r, to) || changed;
    for (int32_t i = from + 1; changed && i < to; i++)
        r->bends[i].skipped = false;
    return changed;
}

// The legs from corner `first` on. Returns the first corner whose leg has changed.
static int32_t mesh_lay_legs(mesh_rounding* r, int32_t first) {
    for (int32_t i = first; i + 1 < r->count;) {
        int32_t next = mesh_bend_after(r, i);
        mesh_place_bend(r, i);
        mesh_place_bend(r, next);
        if (!curve_find_tangent(r->bends[i].circle, r->bends[next].circle, &r->legs[i].way)) {
            if (mesh_tighten(r, i, next)) {
                i = i > 0 ? mesh_bend_before(r, i) : 0;
                first = i < first ? i : first;
                continue;
            }
            r->legs[i].way.along =
                i > 0 ? r->legs[mesh_bend_before(r, i)].way.along : (kerb_vec2){1.0f, 0.0f};
            r->legs[i].way.from = r->bends[i].circle.middle;
            r->legs[i].way.length = 0.0f;
        }
        i = next;
    }
    return first;
}

// The turn at a corner, to the side of its circle. [rad]
static float mesh_turn_at(const mesh_rounding* r, int32_t i) {
    kerb_vec2 in = r->legs[mesh_bend_before(r, i)].way.along, out = r->legs[i].way.along;
    float turn = kerb_atan2(kerb_vec2_cross(in, out), kerb_vec2_dot(in, out));
    return r->bends[i].circle.radius < 0.0f ? -turn : turn;
}

// Skips a corner round which the line would turn to the wrong side. False: there is none.
static bool mesh_skip_one(mesh_rounding* r, int32_t first, int32_t* changed) {
    for (int32_t i = first > 1 ? first : 1; i + 1 < r->count; i++) {
        if (r->bends[i].skipped || !mesh_is_round(r, i) ||
            mesh_turn_at(r, i) >= -MESH_WRONG_TURN_MAX)
            continue;
        r->bends[i].skipped = true;
        *changed = mesh_bend_before(r, i);
        return true;
    }
    return false;
}

// --------------------------------------------------------------------------- following

static float mesh_width_to(const mesh_rounding* r, kerb_vec2 direction) {
    if (!(r->settings->width_max > 0.0f) && !(r->settings->clearance > 0.0f))
        return 0.0f;
    float most = kerb_max(r->settings->width_max, r->settings->clearance / MESH_NARROW_SHARE);
    return kerb_mesh_ray(r->mesh, r->place, direction, most).distance;
}

// Adds the present place to the line. False: it is nearer to a border than `need`.
static bool mesh_add_point(mesh_rounding* r, kerb_vec2 along, float need, bool flies) {
    float left = flies ? 0.0f : mesh_width_to(r, kerb_vec2_left(along));
    float right = flies ? 0.0f : mesh_width_to(r, kerb_vec2_scale(kerb_vec2_left(along), -1.0f));
    kerb_mesh_line* line = r->line;
    if (line->count < line->capacity)
        line->points[line->count] =
            (kerb_mesh_line_point){r->place.position, kerb_min(left, r->settings->width_max),
                                   kerb_min(right, r->settings->width_max), r->place.polygon};
    line->count++;
    return kerb_min(left, right) >= kerb_min(need, MESH_NARROW_SHARE * (left + right));
}

// Goes straight to a place. False: a border is in the way.
static bool mesh_walk(mesh_rounding* r, kerb_vec2 to) {
    kerb_vec2 step = kerb_vec2_sub(to, mesh_flat(r->place.position));
    float length = kerb_vec2_length(step);
    r->travelled += length;
    if (!(length > 0.0f))
        return true;
    kerb_mesh_hit hit =
        kerb_mesh_ray(r->mesh, r->place, kerb_vec2_scale(step, 1.0f / length), length);
    r->place = hit.place;
    r->place.position.x = to.x;
    r->place.position.y = to.y;
    return r->accepts || hit.distance >= length - MESH_LEEWAY;
}

// The arc at a corner, from the end of the leg before it.
static bool mesh_walk_arc(mesh_rounding* r, int32_t i, float need) {
    float radius = kerb_abs(r->bends[i].circle.radius), turn = mesh_turn_at(r, i);
    if (!(radius > 0.0f) || !(turn > 0.0f))
        return true;
    if (!mesh_add_point(r, r->legs[mesh_bend_before(r, i)].way.along, need, false))
        return false;
    // A chord over the angle a is radius · a² / 8 away from its arc.
    float step =
        kerb_min(r->settings->spacing / radius, kerb_sqrt(8.0f * MESH_CHORD_ERROR / radius));
    int32_t count = 1 + (int32_t)(turn / step);
    kerb_vec2 out = r->legs[mesh_bend_before(r, i)].way.along;
    float side = r->bends[i].circle.radius > 0.0f ? 1.0f : -1.0f;
    kerb_vec2 from = kerb_vec2_scale(kerb_vec2_left(out), -r->bends[i].circle.radius);
    for (int32_t k = 1; k <= count; k++) {
        float sine, cosine;
        kerb_sin_cos(side * turn * (float)k / (float)count, &sine, &cosine);
        kerb_vec2 to = {from.x * cosine - from.y * sine, from.x * sine + from.y * cosine};
        kerb_vec2 along = {out.x * cosine - out.y * sine, out.x * sine + out.y * cosine};
        if (!mesh_walk(r, kerb_vec2_add(r->bends[i].circle.middle, to)))
            return false;
        if (k < count && !mesh_add_point(r, along, need, false))
            return false;
    }
    return true;
}

// A link: straight through the air.
static void mesh_fly_leg(mesh_rounding* r, int32_t i) {
    kerb_vec3 from = r->corners[i].place.position, to = r->corners[i + 1].place.position;
    float length = kerb_vec3_length(kerb_vec3_sub(to, from));
    mesh_add_point(r, r->legs[i].way.along, 0.0f, false);
    int32_t count = 1 + (int32_t)kerb_min(length / r->settings->spacing, MESH_LEG_POINTS_MAX);
    for (int32_t k = 1; k < count; k++) {
        r->place.position = mesh_between(from, to, (float)k / (float)count);
        mesh_add_point(r, r->legs[i].way.along, 0.0f, true);
    }
    r->place = r->corners[i + 1].place;
    r->travelled += length;
}

static bool mesh_walk_leg(mesh_rounding* r, int32_t i, float need) {
    const mesh_leg* leg = &r->legs[i];
    if (r->corners[i].jumps) {
        mesh_fly_leg(r, i);
        return true;
    }
    if (!mesh_add_point(r, leg->way.along, need, false))
        return false;
    int32_t count =
        1 + (int32_t)kerb_min(leg->way.length / r->settings->spacing, MESH_LEG_POINTS_MAX);
    for (int32_t k = 1; k <= count; k++) {
        float share = (float)k / (float)count;
        if (!mesh_walk(r, kerb_vec2_add(leg->way.from,
                                        kerb_vec2_scale(leg->way.along, share * leg->way.length))))
            return false;
        if (k < count && !mesh_add_point(r, leg->way.along, need, false))
            return false;
    }
    return true;
}

// Follows the line from leg `first` on. Returns the leg that cannot be followed, or -1. Legs whose
// circles have no radius are those of the string: they are accepted as they are. The first and the
// last leg begin and end where the caller wants, also beside a border.
static int32_t mesh_follow_legs(mesh_rounding* r, int32_t first) {
    r->place = r->legs[first].place;
    r->travelled = r->legs[first].travelled;
    r->line->count = r->legs[first].points;
    for (int32_t i = first, next; i + 1 < r->count; i = next) {
        next = mesh_bend_after(r, i);
        r->legs[i].place = r->place;
        r->legs[i].points = r->line->count;
        r->legs[i].travelled = r->travelled;
        bool end = i == 0 || next + 1 == r->count;
        float need = end ? 0.0f : r->settings->clearance - MESH_LEEWAY;
        bool well =
            mesh_walk_leg(r, i, need) && (next + 1 == r->count || mesh_walk_arc(r, next, need));
        if (well)
            continue;
        if (mesh_is_round(r, i) || mesh_is_round(r, next))
            return i;
        if (next > i + 1) { // corners between were skipped for circles that are gone by now
            for (int32_t k = i + 1; k < next; k++)
                r->bends[k].skipped = false;
            return i;
        }
        // The string itself, which rounding led over a border.
        r->line->count = r->legs[i].points;
        r->travelled = r->legs[i].travelled;
        r->place = r->corners[i].place;
        r->accepts = true;
        mesh_walk_leg(r, i, 0.0f);
        r->accepts = false;
        r->place = r->corners[next].place;
    }
    return -1;
}

// --------------------------------------------------------------------------- the interface

static void mesh_begin_rounding(mesh_rounding* r) {
    for (int32_t i = 0; i < r->count; i++) {
        r->bends[i].circle.radius = r->corners[i].side * mesh_first_radius(r, i); // 0 at ends
        r->bends[i].skipped = false;
    }
    r->legs[0].place = r->corners[0].place;
    r->legs[0].points = 0;
    r->legs[0].travelled = 0.0f;
    r->accepts = false;
}

static void mesh_round_line(mesh_rounding* r) {
    int32_t first = 0;
    for (;;) {
        int32_t changed = mesh_lay_legs(r, first);
        first = changed < first ? changed : first;
        if (mesh_skip_one(r, first, &changed)) {
            first = changed < first ? changed : first;
            continue;
        }
        int32_t follow_from = first > 0 ? mesh_bend_before(r, first) : 0;
        int32_t bad = mesh_follow_legs(r, follow_from);
        if (bad < 0)
            return;
        int32_t next = mesh_bend_after(r, bad);
        mesh_tighten(r, bad, next);
        first = bad > 0 ? mesh_bend_before(r, bad) : 0;
    }
}

static float mesh_least_radius(const mesh_rounding* r) {
    float least = r->settings->turning_radius;
    for (int32_t i = 1; i + 1 < r->count; i++)
        if (!r->bends[i].skipped && kerb_abs(r->corners[i].side) > 0.0f)
            least = kerb_min(least, kerb_abs(r->bends[i].circle.radius));
    return least;
}

kerb_result kerb_mesh_make_line(const kerb_mesh* mesh, const kerb_mesh_corridor* corridor,
                                const kerb_mesh_line_settings* settings, kerb_mesh_line* line,
                                kerb_error* error) {
    KERB_ASSERT(mesh && corridor && settings && line && (line->points || line->capacity <= 0));
    line->count = 0;
    line->length = line->radius_min = 0.0f;
    kerb_result result = kerb_settings_validate(&kerb_mesh_line_settings_table, settings, error);
    if (result != KERB_OK)
        return result;
    if (corridor->count <= 0 || corridor->count > corridor->capacity)
        return kerb_error_set(error, KERB_ERROR_TOO_FEW, "count", 0, -1, "there is no corridor");
    mesh_rounding r;
    r.mesh = mesh;
    r.settings = settings;
    r.line = line;
    mesh_parts p = kerb_in_mesh_parts(mesh);
    r.count = kerb_in_mesh_pull(&p, corridor, settings->clearance, r.corners, MESH_CORNERS_MAX);
    if (r.count > MESH_CORNERS_MAX)
        return kerb_error_set(error, KERB_ERROR_TOO_MANY, "count", 0, -1,
                              "the corridor has over 512 corners: use a part of it");
    mesh_begin_rounding(&r);
    mesh_round_line(&r);
    int32_t last = mesh_bend_before(&r, r.count - 1);
    r.place = r.corners[r.count - 1].place;
    mesh_add_point(&r, r.legs[last].way.along, 0.0f, false);
    line->length = r.travelled;
    line->radius_min = mesh_least_radius(&r);
    if (line->count > line->capacity)
        return kerb_error_set(error, KERB_ERROR_TOO_MANY, "capacity", 0, -1,
                              "the line has more points than `capacity`");
    return KERB_OK;
}
