// The built-in tracks: polygons whose corners are rounded so that they close exactly: by arcs on
// level ground, by arcs with easements where there are hills and banking. Height, banking and width
// belong to corners and blend along the track from one to the next.
//
// A banked straight is a plane and a banked arc a cone. Where they meet, a surface that turns also
// dips, all at once, and a car would be thrown. Where a slope enters an arc, its inside is suddenly
// steeper. So the curvature of such a corner rises and falls linearly, over a quarter of its length
// each, as in road design:
//
//     curvature    ____
//                 /    \          the turn up to a place is the area below:
//                /      \         turned_share
//            ___/        \___
//
// Angles are found by bisection and bends are walked piece by piece, with square roots and
// polynomials alone, so that the waypoints are the same on every machine.
#include "scene/race/tracks.h"

#include <math.h>
#include <string.h>

// Greatest spacing of waypoints on arcs and on straights. [m]
#define ARC_SPACING 2.0
#define STRAIGHT_SPACING 4.0
// At least, on tight arcs.
#define PIECES_PER_RADIAN 8.0

// A corner of the polygon. One with radius 0 lies on a straight: there something else changes.
typedef struct tracks_corner {
    double x, y;   // before rounding [m]
    double radius; // of the arc that would round it [m]
    double z;      // in the middle of the corner [m]
    float bank;    // all through the corner, left side up positive [degrees]
    float width;   // half of the track's [m]
} tracks_corner;

typedef struct design {
    const char* name;
    const char* about;
    const tracks_corner* corners;
    int32_t count;
    double length;   // to which all is scaled; 0: as drawn [m]
    double easement; // share of a corner over which its curvature grows, and falls again
} design;

// --------------------------------------------------------------------------- the tracks

// "Computer-Controlled Cars in Vamos", figures 1, 3 and 8. The pictures are lost; the words give
// 1133 m, two left turns after the long straight that make one smooth curve, a right turn 3 with
// the sharp left turn 4 close behind it, a sweep through 5, and 6 before the long straight. Radii,
// angles and the width are ours. It starts in the middle of the long straight.
static const tracks_corner vamos[] = {
    {148.0, 0.0, 0.0, 0, 0, 5},    {296.0, 0.0, 36.0, 0, 0, 5},   {296.0, 105.0, 32.0, 0, 0, 5},
    {168.0, 127.5, 24.0, 0, 0, 5}, {168.0, 196.5, 13.0, 0, 0, 5}, {0.0, 99.5, 60.0, 0, 0, 5},
    {0.0, 0.0, 30.0, 0, 0, 5},
};

// Hills: a blind crest before the first corner, dips under braking, and two corners that fall away
// to the outside (the fourth and the eighth).
static const tracks_corner downs[] = {
    {0, 0, 0, 12, 0, 6},         {420, 0, 0, 28, 0, 6},      {600, 0, 45, 24, -3, 6},
    {640, 190, 70, 13, -5, 6},   {500, 300, 55, 6, 4, 6},    {560, 440, 30, 9, 3, 6},
    {400, 560, 28, 18, -6, 6.5}, {310, 400, 60, 14, 4, 6},   {120, 420, 40, 17, 5, 6},
    {60, 620, 35, 27, 3, 6},     {-120, 640, 24, 32, -7, 6}, {-170, 420, 0, 34, 0, 6},
    {-210, 240, 90, 22, -4, 6},  {-190, 0, 38, 8, -5, 6},
};

// A speedway's banking on both ends, joined on one side by a flat and narrow infield.
static const tracks_corner saucer[] = {
    {0, 0, 0, 0, -6, 9},         {620, 0, 150, 0, -18, 9},  {620, 330, 150, 0, -18, 9},
    {340, 330, 0, 0, -4, 8},     {230, 330, 26, 0, 0, 6},   {220, 235, 18, -1, 0, 6},
    {110, 210, 22, -1, 0, 6},    {90, 330, 24, 0, 0, 6},    {-60, 330, 0, 0, -4, 8},
    {-400, 330, 150, 0, -18, 9}, {-400, 0, 150, 0, -18, 9},
};

// A figure of eight: up through two hairpins tighter than half the width, so that cross-sections
// cross within them, over a bridge, round and back under it.
static const tracks_corner overpass[] = {
    {0, 0, 0, 3, 0, 6},        {260, 0, 50, 5, -4, 6},     {300, 150, 25, 9, -4, 6.5},
    {60, 105, 7.4, 13, 3, 7},  {310, 215, 7.6, 17, -3, 7}, {40, 232, 45, 20, -4, 6},
    {-184, 41.6, 0, 14, 0, 5}, {-300, -57, 55, 9, 6, 6},   {-420, 60, 45, 6, 5, 6},
    {-340, 190, 35, 5, 4, 6},  {-184, 41.6, 0, 2, 0, 6},   {-140, 0, 70, 2, -3, 6},
};

#define DESIGN(name, about, length, easement)                                                      \
    { #name, about, name, (int32_t)(sizeof name / sizeof name[0]), length, easement }

static const design designs[] = {
    DESIGN(vamos, "the example of the Vamos paper: six turns, 1133 m", 1133.0, 0.0),
    DESIGN(downs, "over hills: blind crests, dips, corners that fall away", 0.0, 0.25),
    DESIGN(saucer, "steep banking at both ends, and an infield", 0.0, 0.25),
    DESIGN(overpass, "a figure of eight with a bridge, and very tight hairpins", 0.0, 0.25),
};
#define DESIGN_COUNT ((int32_t)(sizeof designs / sizeof designs[0]))

// --------------------------------------------------------------------------- rounding

enum { CORNERS_MOST = 32 };

typedef struct tracks_point {
    double x, y;
} tracks_point;

static tracks_point along(tracks_point from, tracks_point direction, double distance) {
    tracks_point p = {from.x + distance * direction.x, from.y + distance * direction.y};
    return p;
}

// A corner as it is driven: from `in` round by `turn` to `out`.
typedef struct tracks_bend {
    tracks_point in, out;
    tracks_point heading; // unit vector at `in`
    double turn;          // left positive [rad]
    double easement;      // as the design has it
    double length;        // [m]
    double begin, end;    // distance along the track [m]
    int32_t pieces;       // that it is cut into, evenly
} tracks_bend;

typedef struct tracks_outline {
    const design* design;
    double scale;
    tracks_bend bends[CORNERS_MOST];
    double length; // [m]
} tracks_outline;

static tracks_point tracks_place(const tracks_outline* o, int32_t i) {
    const tracks_corner* c = &o->design->corners[(i + o->design->count) % o->design->count];
    tracks_point p = {o->scale * c->x, o->scale * c->y};
    return p;
}

static tracks_point tracks_unit(tracks_point from, tracks_point to) {
    double x = to.x - from.x, y = to.y - from.y, length = sqrt(x * x + y * y);
    tracks_point p = {x / length, y / length};
    return p;
}

// The arcsine of a small number: five terms of its series are exact to 1e-11 up to 0.15.
static double small_arcsine(double s) {
    double q = s * s;
    return s * (1.0 + q * (1.0 / 6.0 + q * (3.0 / 40.0 + q * (15.0 / 336.0 + q * 105.0 / 3456.0))));
}

// The angle of a turn below half a circle: halved until the series for its sine is good enough.
static double angle_of(double cosine, double sine) {
    double halves = 1.0;
    while (sine > 0.15 || cosine < 0.0) {
        double half = sqrt(0.5 * (1.0 + cosine));
        sine = 0.5 * sine / half;
        cosine = half;
        halves *= 2.0;
    }
    return halves * small_arcsine(sine);
}

// How much of the turn is done at a share of the length.
static double turned_share(double easement, double share) {
    if (share < easement)
        return share * share / (2.0 * easement * (1.0 - easement));
    if (share > 1.0 - easement)
        return 1.0 - turned_share(easement, 1.0 - share);
    return (share - 0.5 * easement) / (1.0 - easement);
}

// A unit vector turned by a small angle.
static tracks_point tracks_turned(tracks_point v, double angle) {
    double q = angle * angle;
    double sine = angle * (1.0 - q / 6.0 * (1.0 - q / 20.0 * (1.0 - q / 42.0)));
    double cosine = 1.0 - q / 2.0 * (1.0 - q / 12.0 * (1.0 - q / 30.0 * (1.0 - q / 56.0)));
    tracks_point p = {v.x * cosine - v.y * sine, v.x * sine + v.y * cosine};
    return p;
}

// Walks piece `k` of a bend of this length: along its chord, turning by half before and after.
static tracks_point tracks_walk(const tracks_bend* b, int32_t k, double length, tracks_point from,
                                tracks_point* heading) {
    double begin = turned_share(b->easement, (double)k / b->pieces);
    double turn = b->turn * (turned_share(b->easement, (double)(k + 1) / b->pieces) - begin);
    tracks_point half = tracks_turned(*heading, 0.5 * turn);
    *heading = tracks_turned(half, 0.5 * turn);
    return along(from, half, length / b->pieces * (1.0 - turn * turn / 24.0));
}

// How far before the polygon's corner a bend of length 1 begins.
static double tangent_of_unit(const tracks_bend* b, double sine) {
    tracks_point at = {0.0, 0.0}, heading = {1.0, 0.0};
    for (int32_t k = 0; k < b->pieces; k++)
        at = tracks_walk(b, k, 1.0, at, &heading);
    return fabs(at.y) / sine;
}

static void round_corner(tracks_outline* o, int32_t i) {
    tracks_bend* b = &o->bends[i];
    tracks_point at = tracks_place(o, i), u = tracks_unit(tracks_place(o, i - 1), at),
                 v = tracks_unit(at, tracks_place(o, i + 1));
    double cross = u.x * v.y - u.y * v.x, dot = u.x * v.x + u.y * v.y;
    double radius = o->scale * o->design->corners[i].radius;
    *b = (tracks_bend){.in = at, .out = at, .heading = u, .easement = o->design->easement};
    if (radius <= 0.0)
        return;
    double turn = angle_of(dot, fabs(cross));
    double tangent = radius * fabs(cross) / (1.0 + dot);
    double pieces = turn * (radius / ARC_SPACING > PIECES_PER_RADIAN ? radius / ARC_SPACING
                                                                     : PIECES_PER_RADIAN);
    b->in = along(at, u, -tangent);
    b->out = along(at, v, tangent);
    b->turn = cross < 0.0 ? -turn : turn;
    b->pieces = (int32_t)pieces + 1;
    b->length = tangent / tangent_of_unit(b, fabs(cross));
}

static double distance(tracks_point a, tracks_point b) {
    double x = b.x - a.x, y = b.y - a.y;
    return sqrt(x * x + y * y);
}

static void round_all(tracks_outline* o) {
    int32_t count = o->design->count;
    double s = 0.0;
    for (int32_t i = 0; i < count; i++)
        round_corner(o, i);
    for (int32_t i = 0; i < count; i++) {
        tracks_bend* b = &o->bends[i];
        b->begin = s;
        b->end = s + b->length;
        s = b->end + distance(b->out, o->bends[(i + 1) % count].in);
    }
    o->length = s;
}

static void outline_make(tracks_outline* o, const design* from) {
    *o = (tracks_outline){.design = from, .scale = 1.0};
    round_all(o);
    if (from->length > 0.0) {
        o->scale = from->length / o->length;
        round_all(o);
    }
}

// --------------------------------------------------------------------------- what blends

// 0 to 1 with no slope and no curvature at the ends, so that crests and dips begin softly.
static double soft_step(double s, double from, double to) {
    double t = to > from ? (s - from) / (to - from) : 1.0;
    t = t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t;
    return t * t * t * (10.0 + t * (6.0 * t - 15.0));
}

static double tracks_mix(double from, double to, double t) {
    return from + t * (to - from);
}

// A waypoint at distance `s`, between the corners i and i + 1 or on one of them.
static kerb_waypoint waypoint_at(const tracks_outline* o, int32_t i, double s, tracks_point p) {
    int32_t next = (i + 1) % o->design->count;
    const tracks_corner *a = &o->design->corners[i], *b = &o->design->corners[next];
    const tracks_bend *from = &o->bends[i], *to = &o->bends[next];
    double lap = next == 0 ? o->length : 0.0;
    double height =
        soft_step(s, 0.5 * (from->begin + from->end), lap + 0.5 * (to->begin + to->end));
    double rest = soft_step(s, from->end, lap + to->begin);
    kerb_waypoint w =
        kerb_waypoint_at((float)p.x, (float)p.y, (float)tracks_mix(a->z, b->z, height));
    w.bank = (float)tracks_mix((double)a->bank, (double)b->bank, rest) * (KERB_PI / 180.0f);
    w.left = w.right = (float)tracks_mix((double)a->width, (double)b->width, rest);
    return w;
}

// --------------------------------------------------------------------------- waypoints

// Waypoints go to `waypoints`, or are only counted while that is NULL.
typedef struct tracks_draft {
    const tracks_outline* outline;
    kerb_waypoint* waypoints;
    int32_t count;
} tracks_draft;

// `i` is the corner that was entered last.
static void tracks_add(tracks_draft* d, int32_t i, double s, tracks_point p) {
    const tracks_outline* o = d->outline;
    const tracks_bend* b = &o->bends[i];
    // Up to the middle of its arc, a corner's height still comes from the corner before.
    bool early = s < 0.5 * (b->begin + b->end) && i > 0;
    if (d->waypoints)
        d->waypoints[d->count] = waypoint_at(o, early ? i - 1 : i, s, p);
    d->count++;
}

static void add_bend(tracks_draft* d, int32_t i) {
    const tracks_bend* b = &d->outline->bends[i];
    tracks_point at = b->in, heading = b->heading;
    tracks_add(d, i, b->begin, at);
    for (int32_t k = 0; k < b->pieces; k++) {
        at = tracks_walk(b, k, b->length, at, &heading);
        at = k + 1 < b->pieces ? at : b->out;
        tracks_add(d, i, tracks_mix(b->begin, b->end, (double)(k + 1) / b->pieces), at);
    }
}

static void add_straight(tracks_draft* d, int32_t i) {
    const tracks_outline* o = d->outline;
    tracks_point from = o->bends[i].out, to = o->bends[(i + 1) % o->design->count].in;
    double length = distance(from, to);
    int32_t pieces = (int32_t)(length / STRAIGHT_SPACING) + 1;
    for (int32_t k = 1; k < pieces; k++) {
        double t = (double)k / pieces;
        tracks_point p = {tracks_mix(from.x, to.x, t), tracks_mix(from.y, to.y, t)};
        tracks_add(d, i, o->bends[i].end + t * length, p);
    }
}

static void add_all(tracks_draft* d) {
    d->count = 0;
    for (int32_t i = 0; i < d->outline->design->count; i++) {
        add_bend(d, i);
        add_straight(d, i);
    }
}

// --------------------------------------------------------------------------- the interface

int32_t kerb_scene_track_count(void) {
    return DESIGN_COUNT;
}

const char* kerb_scene_track_name(int32_t index) {
    return designs[index].name;
}

const char* kerb_scene_track_about(int32_t index) {
    return designs[index].about;
}

static const design* tracks_find(const char* name) {
    for (int32_t i = 0; i < DESIGN_COUNT; i++)
        if (strcmp(designs[i].name, name) == 0)
            return &designs[i];
    return NULL;
}

static size_t bytes(int32_t count) {
    return (size_t)count * sizeof(kerb_waypoint);
}

kerb_result kerb_scene_track_make(const char* name, const kerb_host* host, kerb_scene_track* track,
                                  kerb_error* error) {
    const design* found = tracks_find(name);
    *track = (kerb_scene_track){.name = NULL};
    if (!found)
        return kerb_error_set(error, KERB_ERROR_UNKNOWN_FIELD, name, 0, -1,
                              "there is no track of this name");
    tracks_outline o;
    outline_make(&o, found);
    tracks_draft d = {&o, NULL, 0};
    add_all(&d);
    const kerb_allocator* allocator = &host->allocator;
    d.waypoints = allocator->allocate(allocator->context, bytes(d.count), _Alignof(kerb_waypoint));
    if (!d.waypoints)
        return kerb_error_set(error, KERB_ERROR_OUT_OF_MEMORY, "track", 0, -1,
                              "no memory for the waypoints");
    add_all(&d);
    *track = (kerb_scene_track){found->name, d.waypoints, d.count, true};
    return KERB_OK;
}

void kerb_scene_track_free(kerb_scene_track* track, const kerb_host* host) {
    if (track->waypoints)
        host->allocator.release(host->allocator.context, track->waypoints, bytes(track->count));
    *track = (kerb_scene_track){.name = NULL};
}
