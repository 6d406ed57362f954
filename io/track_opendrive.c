// Purpose: turns roads of OpenDRIVE into a track.
// Idea:    A road is a reference line of pieces. Line, arc and spiral have a curvature that is
//          linear in the distance: the heading is a square of it, and the place its integral, taken
//          by Gauss's rule from point to point. Each piece begins where the file says, so that no
//          error adds up.
//
//          A file holds a town. Roads that link to one another without a junction are one line:
//          every road has at most one such neighbour at either end, so these are chains and rings,
//          and the longest is taken.
// Cost:    O(points × lanes of a section), and O(roads²) for the links.
// Source:  ASAM OpenDRIVE 1.4 to 1.8.
#include "io/csv_table.h"
#include "io/opendrive_xml.h"
#include "io/projection.h"
#include "io/track_parts.h"
#include "kerb/math.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define ROAD_SPACING_MAX 2.0 // of points [m]
#define ROAD_SPACING_MIN 0.1 // however tight the bend [m]
#define POLY_SPACING 1.0     // on cubics, whose curvature is not looked for [m]
// On a curvature k the spacing is at most sqrt(this / k): then chords are shorter than arcs by 2 mm
// a radian, as in track_torcs.c. [m]
#define ROAD_FACTOR 0.048

// A place on the reference line.
typedef struct road_pen {
    double x, y;
    double along_x, along_y; // unit vector of travel
} road_pen;

// Which roads, and whether each is taken from its end to its start.
typedef struct road_chain {
    int32_t* road;
    bool* backwards;
    int32_t count;
    bool closed;
    double length;
} road_chain;

// Whether lanes are driven on the left and on the right of the chain.
typedef struct road_sides {
    bool left, right;
} road_sides;

typedef struct roads {
    const opendrive_document* document;
    const opendrive_road* road;
    int32_t count;
    kerb_io_line line;
    road_sides sides;
    kerb_error* error;
} roads;

static double cubic_at(const double c[4], double t) {
    return c[0] + t * (c[1] + t * (c[2] + t * c[3]));
}

static double cubic_slope(const double c[4], double t) {
    return c[1] + t * (2.0 * c[2] + 3.0 * t * c[3]);
}

// The value at `s` of what the last cubic before it says; 0 before the first.
static double profile_at(const opendrive_cubic* cubic, int32_t count, double s) {
    int32_t i = count - 1;
    while (i >= 0 && cubic[i].s > s)
        i--;
    return i >= 0 ? cubic_at(cubic[i].c, s - cubic[i].s) : 0.0;
}

static double road_value(const roads* in, int32_t road, opendrive_kind kind, double s) {
    int32_t count;
    const opendrive_cubic* cubics = kerb_io_opendrive_items(in->document, road, kind, &count);
    return profile_at(cubics, count, s);
}

// --------------------------------------------------------------------------- reference line

static double heading_at(const opendrive_geometry* g, double s) {
    double change = g->length > 0.0 ? (g->curvature[1] - g->curvature[0]) / g->length : 0.0;
    return g->heading + s * (g->curvature[0] + 0.5 * s * change);
}

// From one distance to another on a piece of linear curvature, by four points of Gauss.
static void walk_curvature(const opendrive_geometry* g, double from, double to, road_pen* pen) {
    static const double point[] = {-0.8611363115940526, -0.3399810435848563, 0.3399810435848563,
                                   0.8611363115940526};
    static const double weight[] = {0.3478548451374538, 0.6521451548625461, 0.6521451548625461,
                                    0.3478548451374538};
    double half = 0.5 * (to - from), sine, cosine;
    for (int32_t i = 0; i < 4; i++) {
        kerb_io_sine_cosine(heading_at(g, from + half * (1.0 + point[i])), &sine, &cosine);
        pen->x += half * weight[i] * cosine;
        pen->y += half * weight[i] * sine;
    }
    kerb_io_sine_cosine(heading_at(g, to), &pen->along_y, &pen->along_x);
}

// From the piece's own axes u and v to those of the file.
static void place_local(const opendrive_geometry* g, double u, double v, double du, double dv,
                        road_pen* pen) {
    double sine, cosine, length = sqrt(du * du + dv * dv);
    kerb_io_sine_cosine(g->heading, &sine, &cosine);
    pen->x = g->x + u * cosine - v * sine;
    pen->y = g->y + u * sine + v * cosine;
    if (!(length > 0.0))
        return; // where it stands still it keeps its direction
    pen->along_x = (du * cosine - dv * sine) / length;
    pen->along_y = (du * sine + dv * cosine) / length;
}

// How far along u a distance leads: du/ds = 1 / sqrt(1 + v'²), by Runge and Kutta.
static double walk_u(const opendrive_geometry* g, double u, double step) {
    double k[4], at = u;
    for (int32_t i = 0; i < 4; i++) {
        double slope = cubic_slope(g->v, at);
        k[i] = 1.0 / sqrt(1.0 + slope * slope);
        at = u + step * k[i] * (i < 2 ? 0.5 : 1.0);
    }
    return u + step / 6.0 * (k[0] + 2.0 * k[1] + 2.0 * k[2] + k[3]);
}

static double spacing_of(const opendrive_geometry* g) {
    double most = fmax(fabs(g->curvature[0]), fabs(g->curvature[1]));
    if (g->shape != OPENDRIVE_CURVATURE)
        return POLY_SPACING;
    return most > 0.0 ? fmax(fmin(ROAD_SPACING_MAX, sqrt(ROAD_FACTOR / most)), ROAD_SPACING_MIN)
                      : ROAD_SPACING_MAX;
}

// --------------------------------------------------------------------------- lanes

// Distances of the innermost and the outermost edge of what is driven on one side.
typedef struct lane_span {
    bool any;
    double inner, outer;
} lane_span;

// Outer edge of a lane whose inner edge is given.
static double lane_edge(const roads* in, int32_t road, int32_t lane, double s, double inner) {
    int32_t count;
    const opendrive_width* widths =
        kerb_io_opendrive_items(in->document, road, OPENDRIVE_WIDTHS, &count);
    const opendrive_width* here = NULL;
    for (int32_t i = 0; i < count; i++)
        if (widths[i].lane == lane && (!here || widths[i].cubic.s <= s))
            here = &widths[i];
    if (!here)
        return inner;
    double value = fabs(cubic_at(here->cubic.c, s - here->cubic.s));
    return here->border ? fmax(value, inner) : inner + value;
}

static lane_span span_at(const roads* in, int32_t road, int32_t side, double s) {
    lane_span span = {false, 0.0, 0.0};
    int32_t count, lanes;
    const opendrive_cubic* sections =
        kerb_io_opendrive_items(in->document, road, OPENDRIVE_SECTIONS, &count);
    const opendrive_lane* lane =
        kerb_io_opendrive_items(in->document, road, OPENDRIVE_LANES, &lanes);
    int32_t section = count - 1;
    while (section > 0 && sections[section].s > s)
        section--;
    double edge = 0.0;
    for (int32_t id = 1; section >= 0; id++) {
        int32_t i = 0;
        while (i < lanes &&
               (lane[i].section != in->road[road].first[OPENDRIVE_SECTIONS] + section ||
                lane[i].id != side * id))
            i++;
        if (i == lanes)
            break;
        double outer = lane_edge(in, road, in->road[road].first[OPENDRIVE_LANES] + i,
                                 s - sections[section].s, edge);
        if (lane[i].driven && !span.any)
            span.inner = edge;
        if (lane[i].driven)
            span.outer = outer;
        span.any |= lane[i].driven;
        edge = outer;
    }
    return span;
}

static road_sides sides_of(const roads* in, const road_chain* chain) {
    road_sides sides = {false, false};
    for (int32_t k = 0; k < chain->count; k++) {
        int32_t count;
        const opendrive_lane* lane =
            kerb_io_opendrive_items(in->document, chain->road[k], OPENDRIVE_LANES, &count);
        for (int32_t i = 0; i < count; i++) {
            bool left = (lane[i].id > 0) != chain->backwards[k];
            sides.left |= lane[i].driven && lane[i].id != 0 && left;
            sides.right |= lane[i].driven && lane[i].id != 0 && !left;
        }
    }
    return sides;
}

// --------------------------------------------------------------------------- points

static kerb_result opendrive_refuse(const roads* in, kerb_result result, int32_t line,
                                    const char* field, const char* message) {
    return kerb_error_set(in->error, result, field, line, -1, message);
}

static float to_width(double width) {
    return (float)fmin(fmax(width, 0.0), (double)KERB_POSITION_MAX);
}

// Adds the point of the line beside a place of the reference line.
static kerb_result add_beside(roads* in, int32_t road, bool backwards, const road_pen* pen,
                              double s) {
    lane_span left = span_at(in, road, 1, s), right = span_at(in, road, -1, s);
    bool whole_left = backwards ? in->sides.right : in->sides.left;
    bool whole_right = backwards ? in->sides.left : in->sides.right;
    double t = road_value(in, road, OPENDRIVE_OFFSETS, s);
    double roll = road_value(in, road, OPENDRIVE_ROLLS, s);
    kerb_io_line_point point = kerb_io_line_point_at(0.0, 0.0, 0.0);
    if (whole_left != whole_right) {
        const lane_span* span = whole_left ? &left : &right;
        t += (whole_left ? 0.5 : -0.5) * (span->inner + span->outer);
        point.left = point.right = to_width(0.5 * (span->outer - span->inner));
    } else if (whole_left) {
        point.left = to_width(backwards ? right.outer : left.outer);
        point.right = to_width(backwards ? left.outer : right.outer);
    }
    roll = fmin(fmax(roll, -1.5), 1.5);
    point.x = pen->x - t * pen->along_y;
    point.y = pen->y + t * pen->along_x;
    point.z = road_value(in, road, OPENDRIVE_ELEVATIONS, s) + t * (double)kerb_tan((float)roll);
    point.bank = (float)(backwards ? -roll : roll);
    if (!(fabs(point.x) <= 1e12 && fabs(point.y) <= 1e12 && fabs(point.z) <= 1e12))
        return opendrive_refuse(in, KERB_ERROR_OUT_OF_RANGE, in->road[road].line, "road",
                                "leaves the plane");
    kerb_result result = kerb_io_line_add(&in->line, point);
    return result == KERB_OK
               ? KERB_OK
               : opendrive_refuse(in, result, in->road[road].line, "road",
                                  result == KERB_ERROR_TOO_MANY ? "the road is too long"
                                                                : "no memory for the points");
}

static kerb_result draw_geometry(roads* in, int32_t road, bool backwards,
                                 const opendrive_geometry* g, bool ended) {
    int32_t pieces = (int32_t)(g->length / spacing_of(g)) + 1;
    double u = 0.0, before = 0.0;
    road_pen pen = {.x = g->x, .y = g->y};
    kerb_io_sine_cosine(g->heading, &pen.along_y, &pen.along_x);
    for (int32_t i = 0; i < pieces + (ended ? 1 : 0); i++) {
        double s = g->length * i / pieces;
        if (g->shape == OPENDRIVE_CURVATURE && i > 0) {
            walk_curvature(g, before, s, &pen);
        } else if (g->shape == OPENDRIVE_POLY3) {
            u = i > 0 ? walk_u(g, u, s - before) : 0.0;
            place_local(g, u, cubic_at(g->v, u), 1.0, cubic_slope(g->v, u), &pen);
        } else if (g->shape == OPENDRIVE_PARAM_POLY3) {
            double p = !g->normalized ? s : (double)i / pieces;
            place_local(g, cubic_at(g->u, p), cubic_at(g->v, p), cubic_slope(g->u, p),
                        cubic_slope(g->v, p), &pen);
        }
        before = s;
        kerb_result result = add_beside(in, road, backwards, &pen, g->s + s);
        if (result != KERB_OK)
            return result;
    }
    return KERB_OK;
}

// The points of a road that was drawn from its start, from its end.
static void turn_points(kerb_io_line* line, int32_t first) {
    for (int32_t i = first, k = line->count - 1; i < k; i++, k--) {
        kerb_io_line_point point = line->points[i];
        line->points[i] = line->points[k];
        line->points[k] = point;
    }
}

// Where a road begins the one before it has ended.
static void drop_start(kerb_io_line* line, int32_t first) {
    if (first == 0 || line->count <= first)
        return;
    const kerb_io_line_point *a = &line->points[first - 1], *b = &line->points[first];
    if (fabs(a->x - b->x) > 0.1 || fabs(a->y - b->y) > 0.1)
        return;
    memmove(&line->points[first - 1], &line->points[first],
            (size_t)(line->count - first) * sizeof line->points[0]);
    line->count--;
}

static kerb_result draw_road(roads* in, int32_t road, bool backwards) {
    int32_t count, first = in->line.count;
    const opendrive_geometry* g =
        kerb_io_opendrive_items(in->document, road, OPENDRIVE_GEOMETRIES, &count);
    kerb_result result = KERB_OK;
    for (int32_t i = 0; i < count && result == KERB_OK; i++)
        result = draw_geometry(in, road, backwards, &g[i], i == count - 1);
    if (result == KERB_OK && backwards)
        turn_points(&in->line, first);
    drop_start(&in->line, first);
    return result;
}

// --------------------------------------------------------------------------- chains

// The neighbour at an end of a road, and which of its own ends is there. -1: none.
static int32_t neighbour_of(const roads* in, int32_t road, int32_t end, int32_t* its_end) {
    const opendrive_link* link = &in->road[road].link[end];
    if (!link->given)
        return -1;
    for (int32_t i = 0; i < in->count; i++)
        if (strcmp(in->road[i].id, link->road) == 0) {
            *its_end = link->end ? 1 : 0;
            // Only one that agrees: at the mouth of a junction many say that they continue a road,
            // which itself names the junction.
            const opendrive_link* back = &in->road[i].link[*its_end];
            bool agrees = back->given && strcmp(back->road, in->road[road].id) == 0 &&
                          back->end == (end == 1);
            return agrees ? i : -1;
        }
    return -1;
}

static double road_length(const roads* in, int32_t road) {
    int32_t count;
    const opendrive_geometry* g =
        kerb_io_opendrive_items(in->document, road, OPENDRIVE_GEOMETRIES, &count);
    double length = 0.0;
    for (int32_t i = 0; i < count; i++)
        length += g[i].length;
    return length;
}

// One step of a chain, onwards from a road that is left by its end (backwards: by its start).
static int32_t step(const int32_t* neighbour, int32_t road, bool* backwards) {
    const int32_t* slot = &neighbour[4 * road + (*backwards ? 0 : 2)];
    *backwards = slot[1] == 1;
    return slot[0];
}

// The chain that a road is part of. `neighbour`: for each road start and end, each with the other
// road and its end. Marks its roads in `seen`.
static void follow_chain(const roads* in, const int32_t* neighbour, int32_t road, bool* seen,
                         road_chain* chain) {
    int32_t first = road;
    bool backwards = true;
    chain->count = 0;
    chain->closed = false;
    chain->length = 0.0;
    for (int32_t i = 0; i < in->count; i++) { // to its beginning, against the road
        bool turned = backwards;
        int32_t next = step(neighbour, first, &turned);
        if (next < 0 || next == road)
            break;
        first = next;
        backwards = turned;
    }
    backwards = !backwards;
    while (first >= 0 && !seen[first]) {
        seen[first] = true;
        chain->road[chain->count] = first;
        chain->backwards[chain->count++] = backwards;
        chain->length += road_length(in, first);
        first = step(neighbour, first, &backwards);
    }
    chain->closed = first >= 0 && first == chain->road[0];
}

typedef struct chain_memory {
    int32_t* neighbour; // 4 for each road
    int32_t* road[2];
    bool* backwards[2];
    bool* seen;
    char* block;
    size_t size;
} chain_memory;

static bool chain_memory_make(chain_memory* memory, int32_t count,
                              const kerb_allocator* allocator) {
    size_t all = (size_t)count;
    memory->size = all * (6 * sizeof(int32_t) + 3 * sizeof(bool));
    memory->block = allocator->allocate(allocator->context, memory->size, _Alignof(int32_t));
    if (!memory->block)
        return false;
    memset(memory->block, 0, memory->size);
    memory->neighbour = (int32_t*)(void*)memory->block;
    memory->road[0] = memory->neighbour + 4 * all;
    memory->road[1] = memory->road[0] + all;
    memory->backwards[0] = (bool*)(memory->road[1] + all);
    memory->backwards[1] = memory->backwards[0] + all;
    memory->seen = memory->backwards[1] + all;
    return true;
}

static void find_neighbours(const roads* in, int32_t* neighbour) {
    for (int32_t road = 0; road < in->count; road++)
        for (int32_t end = 0; end < 2; end++) {
            int32_t* slot = &neighbour[4 * road + 2 * end];
            slot[0] = neighbour_of(in, road, end, &slot[1]);
        }
}

static road_chain find_longest(const roads* in, const chain_memory* memory) {
    road_chain best = {memory->road[0], memory->backwards[0], 0, false, 0.0};
    road_chain chain = {memory->road[1], memory->backwards[1], 0, false, 0.0};
    find_neighbours(in, memory->neighbour);
    for (int32_t road = 0; road < in->count; road++) {
        if (memory->seen[road])
            continue;
        follow_chain(in, memory->neighbour, road, memory->seen, &chain);
        if (best.count == 0 || chain.length > best.length) {
            road_chain other = best;
            best = chain;
            chain = other;
        }
    }
    return best;
}

// --------------------------------------------------------------------------- the whole

static kerb_result find_road(const roads* in, const char* id, road_chain* chain) {
    for (int32_t i = 0; i < in->count; i++)
        if (strcmp(in->road[i].id, id) == 0) {
            chain->road[0] = i;
            chain->backwards[0] = false;
            chain->count = 1;
            return KERB_OK;
        }
    return opendrive_refuse(in, KERB_ERROR_UNKNOWN_FIELD, 0, "road", "no road has this id");
}

static void note_chain(const roads* in, const road_chain* chain, kerb_io_notes* notes) {
    char message[96];
    int32_t others = in->count - chain->count;
    snprintf(message, sizeof message, "took the road \"%.40s\"", in->road[chain->road[0]].id);
    if (chain->count > 1)
        snprintf(message, sizeof message, "took a chain of %d roads from \"%.40s\"",
                 (int)chain->count, in->road[chain->road[0]].id);
    kerb_io_notes_add(notes, "", 0, message);
    snprintf(message, sizeof message, "ignored the other roads: %d", (int)others);
    if (others > 0)
        kerb_io_notes_add(notes, "", 0, message);
    if (!in->sides.left && !in->sides.right)
        kerb_io_track_note_widths(notes);
    else if (in->sides.left != in->sides.right)
        kerb_io_notes_add(notes, "", 0, "took the middle of the lanes, which lie on one side");
}

static kerb_result draw_chain(roads* in, const road_chain* chain, kerb_io_track* track,
                              kerb_io_notes* notes) {
    kerb_result result = KERB_OK;
    in->sides = sides_of(in, chain);
    note_chain(in, chain, notes);
    for (int32_t i = 0; i < chain->count && result == KERB_OK; i++)
        result = draw_road(in, chain->road[i], chain->backwards[i]);
    if (result == KERB_OK && chain->closed && in->line.count > 2)
        in->line.count--; // its last point is its first
    if (result == KERB_OK)
        result = kerb_io_line_finish(&in->line, KERB_IO_LINE_METRES, chain->closed ? 1 : -1, 1.0,
                                     track, notes, in->error);
    if (result == KERB_OK)
        memcpy(track->name, in->road[chain->road[0]].name, sizeof track->name);
    return result;
}

static kerb_result read_roads(roads* in, const char* road, kerb_io_track* track,
                              kerb_io_notes* notes, const kerb_allocator* allocator) {
    chain_memory memory;
    if (in->count == 0)
        return opendrive_refuse(in, KERB_ERROR_TOO_FEW, 0, "road", "the file has no roads");
    if (!chain_memory_make(&memory, in->count, allocator))
        return opendrive_refuse(in, KERB_ERROR_OUT_OF_MEMORY, 0, "", "no memory for the roads");
    road_chain chain = {memory.road[0], memory.backwards[0], 0, false, 0.0};
    kerb_result result = KERB_OK;
    if (road)
        result = find_road(in, road, &chain);
    else
        chain = find_longest(in, &memory);
    if (result == KERB_OK)
        result = draw_chain(in, &chain, track, notes);
    allocator->release(allocator->context, memory.block, memory.size);
    return result;
}

kerb_result kerb_io_track_opendrive_read(kerb_io_track* track, const char* text, size_t length,
                                         const char* road, const kerb_host* host,
                                         kerb_io_notes* notes, kerb_error* error) {
    opendrive_document document;
    kerb_io_notes said = {0};
    *track = (kerb_io_track){.waypoints = NULL};
    kerb_result result =
        kerb_io_opendrive_xml_read(&document, text, length, &host->allocator, error);
    if (result != KERB_OK)
        return result;
    roads in = {.document = &document,
                .road = document.list[OPENDRIVE_ROADS].items,
                .count = document.list[OPENDRIVE_ROADS].count,
                .line = {.allocator = &host->allocator},
                .error = error};
    result = read_roads(&in, road, track, &said, &host->allocator);
    if (result == KERB_OK)
        kerb_io_csv_pass_notes(notes, &said);
    kerb_io_line_destroy(&in.line);
    kerb_io_opendrive_xml_destroy(&document, &host->allocator);
    return result;
}
