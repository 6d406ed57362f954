// Purpose: the window of stations ahead: places, directions, curvatures and clearances at knots.
// Idea:    Knots have fixed stations. Between them the line is the cubic with the knots' places and
//          tangents (Hermite). Who fills it from a path knows all of it ahead. Who sees it point by
//          point appends knots, and the curvature of a knot is measured anew, from the directions
//          on both sides, as soon as the line is known that far beyond it: so it lags behind
//          nothing where it is driven.
// Cost:    O(1) a call.
#include "shared.h"

#include "../base/shared.h"

#include <string.h>

// Edges are made of straight pieces, and a ray tells the direction of one. Directions are averaged
// over this number of knots to each side, the nearer ones more, and curvature is measured over as
// many.
#define LINE_CALM_KNOTS 3
#define LINE_BEND_KNOTS 3

double kerb_in_line_floor(double x) {
    if (!(x > -9.0e15 && x < 9.0e15)) // and NaN
        return 0.0;
    double whole = (double)(int64_t)x;
    return whole > x ? whole - 1.0 : whole;
}

void kerb_in_line_reset(kerb_line* line) {
    line->first = line->knots = 0;
}

void kerb_in_line_shift_origin(kerb_line* line, kerb_vec3 new_origin) {
    for (int32_t i = 0; i < KERB_LINE_KNOTS; i++)
        line->position[i] = kerb_vec3_sub(line->position[i], new_origin);
}

void kerb_in_line_move_left(kerb_line* line, float left) {
    for (int32_t i = 0; i < KERB_LINE_KNOTS; i++) {
        line->position[i].x -= left * line->direction[i].y;
        line->position[i].y += left * line->direction[i].x;
    }
}

// --------------------------------------------------------------------------- reading

// The knots on both sides of a station, held to the window, and how far it lies between them;
// outside the window the share leaves 0 … 1.
static float between_knots(const kerb_line* line, double station, int32_t* a, int32_t* b) {
    int32_t first = line->first, last = line->knots - 2;
    last = last > first ? last : first;
    double knots = station * line->per_metre;
    double whole = kerb_in_line_floor(knots);
    int32_t knot = whole < (double)first ? first : whole > (double)last ? last : (int32_t)whole;
    *a = kerb_in_line_slot(knot);
    *b = kerb_in_line_slot(knot + 1 < line->knots ? knot + 1 : knot);
    return (float)(knots - (double)knot);
}

// Beyond an end of a seen line: on along the arc of the knot there.
static kerb_line_place on_arc(const kerb_line* line, int32_t knot, float way) {
    int32_t at = kerb_in_line_slot(knot);
    float bend = line->curvature[at],
          half = kerb_clamp(0.5f * bend * way, -0.5f * KERB_PI, 0.5f * KERB_PI);
    float sine, cosine;
    kerb_sin_cos(half, &sine, &cosine);
    kerb_vec2 from = line->direction[at];
    kerb_vec2 chord = {from.x * cosine - from.y * sine, from.y * cosine + from.x * sine};
    // The chord of an arc that turns by 2·half: sin(half)/half of its length.
    float length = kerb_abs(half) > 0.01f ? way * sine / half : way;
    kerb_vec3 position = line->position[at];
    position.x += chord.x * length;
    position.y += chord.y * length;
    return (kerb_line_place){
        .position = position,
        .direction = {chord.x * cosine - chord.y * sine, chord.y * cosine + chord.x * sine},
        .curvature = bend};
}

kerb_line_place kerb_in_line_at(const kerb_line* line, double station) {
    int32_t a, b;
    float t = between_knots(line, station, &a, &b);
    float u = kerb_clamp(t, 0.0f, 1.0f), past = t - u;
    if (line->bends_on && (past != 0.0f || line->knots - line->first < 2)) {
        int32_t end = past < 0.0f ? line->first : line->knots - 1;
        return on_arc(line, end, (float)(station - (double)end * (double)line->spacing));
    }
    kerb_vec3 from = line->position[a], to = line->position[b];
    kerb_vec2 out = line->direction[a], in = line->direction[b];
    bool doubles_back = kerb_vec2_dot(out, in) < 0.0f;
    if (doubles_back) // what counts is where it goes
        out = in;
    // Not made a unit vector again: knots are so near that it is within a hundredth of one.
    kerb_vec2 direction = {out.x + u * (in.x - out.x), out.y + u * (in.y - out.y)};
    float v = 1.0f - u, spacing = line->spacing;
    float h_to = u * u * (3.0f - 2.0f * u);
    float h_out = u * v * v * spacing * line->pace[a];
    float h_in = -u * u * v * spacing * line->pace[b];
    float k_a = line->curvature[a], k_b = line->curvature[b];
    kerb_line_place place;
    place.position.x = from.x + h_to * (to.x - from.x) + h_out * out.x + h_in * in.x +
                       past * spacing * direction.x;
    place.position.y = from.y + h_to * (to.y - from.y) + h_out * out.y + h_in * in.y +
                       past * spacing * direction.y;
    place.position.z = from.z + t * (to.z - from.z);
    place.direction = direction;
    place.doubles_back = doubles_back;
    place.curvature = past == 0.0f ? k_a + (k_b - k_a) * u : 0.0f;
    return place;
}

kerb_vec3 kerb_in_line_point(const kerb_line* line, double station, float offset) {
    int32_t a, b;
    float t = between_knots(line, station, &a, &b);
    kerb_vec3 step = kerb_vec3_sub(line->position[b], line->position[a]);
    kerb_vec3 point = kerb_vec3_along(line->position[a], step, t);
    if (offset == 0.0f)
        return point;
    kerb_vec2 left = line->direction[a];
    return kerb_vec3_along(point, kerb_vec3_make(-left.y, left.x, 0.0f), offset);
}

float kerb_in_line_curvature(const kerb_line* line, double station) {
    int32_t a, b;
    float t = kerb_clamp(between_knots(line, station, &a, &b), 0.0f, 1.0f);
    float from = line->curvature[a];
    return from + (line->curvature[b] - from) * t;
}

float kerb_in_line_mean_curvature(const kerb_line* line, double from, float length) {
    int32_t first = line->first;
    float last = (float)(line->knots - 1 - first);
    double ahead = from * line->per_metre - (double)first;
    float knots = (float)ahead, step = 0.25f * length * (float)line->per_metre;
    float sum = 0.0f;
    for (int32_t i = 0; i <= 4; i++) {
        float at = kerb_clamp(knots + (float)i * step, 0.0f, last);
        int32_t knot = (int32_t)kerb_min(at, last - 1.0f);
        float a = line->curvature[kerb_in_line_slot(first + knot)];
        float b = line->curvature[kerb_in_line_slot(first + knot + 1)];
        sum += a + (b - a) * (at - (float)knot);
    }
    return 0.2f * sum;
}

float kerb_in_line_step(const kerb_line* line, const kerb_line_place* place, kerb_vec3 point) {
    float x = point.x - place->position.x, y = point.y - place->position.y;
    float along = x * place->direction.x + y * place->direction.y;
    float across = y * place->direction.x - x * place->direction.y;
    // Inside a bend the foot moves faster than the point.
    float scale = kerb_clamp(1.0f - across * place->curvature, 0.5f, 2.0f);
    float reach = 3.0f * line->spacing;
    return kerb_clamp(along / scale, -reach, reach);
}

// --------------------------------------------------------------------------- public

void kerb_line_stations(const kerb_line* line, double* from, double* to) {
    KERB_ASSERT(line != NULL && from != NULL && to != NULL);
    const bool empty = line->knots <= line->first;
    *from = empty ? 0.0 : (double)line->first * (double)line->spacing;
    *to = empty ? 0.0 : kerb_in_line_end(line);
}

kerb_line_place kerb_line_at(const kerb_line* line, double station) {
    KERB_ASSERT(line != NULL);
    if (line->knots - line->first < (line->bends_on ? 1 : 2))
        return (kerb_line_place){.curvature = 0.0f};
    return kerb_in_line_at(line, station);
}

float kerb_line_room(const kerb_line* line, double station) {
    KERB_ASSERT(line != NULL);
    if (line->knots <= line->first)
        return 0.0f;
    int32_t a, b;
    between_knots(line, station, &a, &b);
    float at_a = kerb_min(line->room_left[a], line->room_right[a]);
    float at_b = kerb_min(line->room_left[b], line->room_right[b]);
    return kerb_min(at_a, at_b);
}

// --------------------------------------------------------------------------- filling by sight

static void put_knot(kerb_line* line, kerb_line_sight* sight, const kerb_in_line_seen* seen) {
    int32_t at = kerb_in_line_slot(line->knots++);
    line->position[at] = seen->position;
    line->direction[at] = sight->seen[at] = seen->direction;
    line->pace[at] = 1.0f;
    line->curvature[at] = seen->curvature;
    line->room_left[at] = seen->left;
    line->room_right[at] = seen->right;
    if (line->knots - line->first > KERB_LINE_KNOTS)
        line->first = line->knots - KERB_LINE_KNOTS;
}

// The last knot is what was seen last.
static void sight_from(kerb_line_sight* sight, kerb_vec2 direction) {
    sight->sum = kerb_vec2_make(0.0f, 0.0f);
    sight->direction = direction;
    sight->along = 0.0f;
}

void kerb_in_line_begin(kerb_line* line, kerb_line_sight* sight, float spacing, double station,
                        const kerb_in_line_seen* seen) {
    line->spacing = spacing;
    line->per_metre = 1.0 / (double)spacing;
    line->first = line->knots = (int32_t)kerb_in_line_floor(station * line->per_metre + 0.5);
    line->bends_on = true;
    put_knot(line, sight, seen);
    sight_from(sight, seen->direction);
}

void kerb_in_line_end_at(kerb_line* line, kerb_line_sight* sight, double station) {
    int32_t end = (int32_t)kerb_in_line_floor(station * line->per_metre) + 1;
    end = end > line->first ? end : line->first + 1;
    line->knots = end < line->knots ? end : line->knots;
    sight_from(sight, sight->seen[kerb_in_line_slot(line->knots - 1)]);
}

static kerb_vec2 unit_or(kerb_vec2 v, kerb_vec2 otherwise) {
    float size = kerb_vec2_length(v);
    return size > 1.0e-3f ? kerb_vec2_scale(v, 1.0f / size) : otherwise;
}

// The mean of what was seen on both sides, as far as the line is known on both.
static void calm_knot(kerb_line* line, const kerb_line_sight* sight, int32_t knot) {
    int32_t half = line->knots - 1 - knot, behind = knot - line->first;
    half = half < behind ? half : behind;
    half = half < LINE_CALM_KNOTS ? half : LINE_CALM_KNOTS;
    // What was seen up to a knot is that of half a knot before.
    kerb_vec2 sum = {0.0f, 0.0f};
    for (int32_t i = 1 - half; i <= half; i++)
        sum = kerb_vec2_add(sum, kerb_vec2_scale(sight->seen[kerb_in_line_slot(knot + i)],
                                                 (float)half + 0.5f - kerb_abs((float)i - 0.5f)));
    kerb_vec2* direction = &line->direction[kerb_in_line_slot(knot)];
    *direction = unit_or(sum, *direction);
}

// From the directions on both sides. Beyond the last knot that has them, what it measured goes on.
static void measure_bend(kerb_line* line, int32_t knot) {
    if (knot - LINE_BEND_KNOTS < line->first)
        return;
    kerb_vec2 from = line->direction[kerb_in_line_slot(knot - LINE_BEND_KNOTS)];
    kerb_vec2 to = line->direction[kerb_in_line_slot(knot + LINE_BEND_KNOTS)];
    float bend = kerb_vec2_cross(from, to) / (2.0f * LINE_BEND_KNOTS * line->spacing);
    for (; knot < line->knots; knot++)
        line->curvature[kerb_in_line_slot(knot)] = bend;
}

static void calm_knots(kerb_line* line, const kerb_line_sight* sight) {
    int32_t from = line->knots - 1 - LINE_CALM_KNOTS;
    for (int32_t knot = from > line->first ? from : line->first; knot < line->knots; knot++)
        calm_knot(line, sight, knot);
    measure_bend(line, from - LINE_BEND_KNOTS);
}

// The direction changes evenly from the last point that was seen to `direction`, at `to`; from
// there on it is `end`.
static void sight_add(kerb_line_sight* sight, float to, kerb_vec2 end) {
    float half = 0.5f * (to - sight->along);
    kerb_vec2 both = kerb_vec2_add(sight->direction, end);
    sight->sum = kerb_vec2_add(sight->sum, kerb_vec2_scale(both, half));
    sight->direction = end;
    sight->along = to;
}

// On the cubic from the last knot to a point, a spacing on.
static kerb_in_line_seen next_knot(const kerb_line* line, const kerb_in_line_seen* seen,
                                   float along) {
    int32_t at = kerb_in_line_slot(line->knots - 1);
    const kerb_vec3 from = line->position[at];
    const kerb_vec2 before = line->direction[at];
    float u = line->spacing / along, v = 1.0f - u;
    float h = u * u * (3.0f - 2.0f * u), out = u * v * v * along, in = -u * u * v * along;
    kerb_in_line_seen knot = *seen;
    knot.position.x =
        from.x + h * (seen->position.x - from.x) + out * before.x + in * seen->direction.x;
    knot.position.y =
        from.y + h * (seen->position.y - from.y) + out * before.y + in * seen->direction.y;
    return knot;
}

void kerb_in_line_see(kerb_line* line, kerb_line_sight* sight, const kerb_in_line_seen* seen) {
    const float spacing = line->spacing;
    for (int32_t i = 0; i < KERB_LINE_KNOTS; i++) {
        int32_t at = kerb_in_line_slot(line->knots - 1);
        const kerb_vec2 way = kerb_vec2_make(seen->position.x - line->position[at].x,
                                             seen->position.y - line->position[at].y);
        float along = kerb_vec2_length(way);
        if (along <= sight->along || kerb_vec2_dot(way, line->direction[at]) <= 0.0f)
            return;
        if (along < spacing) {
            sight_add(sight, along, seen->direction);
            return;
        }
        float share = (spacing - sight->along) / (along - sight->along);
        kerb_vec2 turn = kerb_vec2_sub(seen->direction, sight->direction);
        sight_add(sight, spacing, kerb_vec2_add(sight->direction, kerb_vec2_scale(turn, share)));
        kerb_in_line_seen knot = next_knot(line, seen, along);
        knot.direction = unit_or(sight->sum, seen->direction);
        put_knot(line, sight, &knot);
        calm_knots(line, sight);
        sight->sum = kerb_vec2_make(0.0f, 0.0f);
        sight->along = 0.0f;
    }
}
