// Purpose: the first path between places that are far apart, without a search.
// Idea:    The shortest way along the grid of the distances round obstacles goes in eight
//          directions. It is pulled taut, until only corners are left that it needs to get round
//          obstacles. Each corner becomes a circle that passes the corner on its inner side, so
//          the path swings out before a bend and does not cut it; the path is the string round
//          these circles, arcs and their common tangents. A circle begins as wide as the greatest
//          speed needs it, and shrinks where something is in the way. The ends are the shortest
//          paths from the start to some place on the string, and from there to the goal.
//
//          All of it is tested exactly. Where a corner is too narrow there is no such path, and
//          the search has to find one.
// Cost:    O(corners of the way on the grid + length / clearance) tests of the field, and some
//          dozens of arcs for each corner of the string.
#include "line.h"

#include "../../base/shared.h"

#include <string.h>

// Distance that the string keeps from obstacles, over half of the vehicle's width. [1]
#define LINE_KEEP 1.05f
// Where the field does not show that a place is free, the next one is tested after this share of
// the distance to keep. [1]
#define LINE_STEP 0.5f
// Places to each axis that are looked at near a corner of the grid that is not free. [1]
#define LINE_NEAR 9
// Distance of these places, over the grid's cell: in a passage as wide as a cell one is in its
// middle. [1]
#define LINE_NEAR_STEP 0.25f
// How often corners are pulled inwards, and by what shares of the distance to the straight line
// between their neighbours. [1]
#define LINE_PULLS 3
// Steps of half the distance to keep to each side, in which a place for one corner instead of two
// is looked for. [1]
#define LINE_ASIDE 8
// Corners that are merged with one. [1]
#define LINE_MERGED 3
// Changes of circles until the line is given up. [1]
#define LINE_TRIES 1000
// Share of its radius that a circle keeps where something is in its way. [1]
#define LINE_SHRINK 0.75f
// How often a circle goes outwards, and how far, over the distance to keep. [1]
#define LINE_SHIFTS 4
// The shift at which it touches both legs of the string from inside: in a narrow passage the path
// then stays on the string. [1]
#define LINE_INSIDE 1
#define LINE_SHIFT 0.4f
// Cosine of half of the sharpest turn for which it begins farther out. [1]
#define LINE_SHARPEST 0.5f
// A path that turns to the wrong side at a circle by less goes straight on. [1]
#define LINE_WRONG_TURN 1e-4f
// Nearer to its ends the line need not be free. [radii]
#define END_RADII 1.5f
// Farthest corner from an end that may become the end of the line. [radii]
#define END_NEAR 6.0f
// Ends as near as this are one place. [m]
#define LINE_SAME_PLACE 0.01f

// --------------------------------------------------------------------------- the string

static kerb_vec2 string_unit(kerb_vec2 a) {
    float length = kerb_sqrt(kerb_vec2_dot(a, a));
    return length > 1e-6f ? kerb_vec2_scale(a, 1.0f / length) : kerb_vec2_make(0.0f, 0.0f);
}

static float string_keep(const plan_world* world) {
    return LINE_KEEP * world->outline.half_width;
}

// Whether discs along a straight line between two places are free, so that the vehicle likely is.
static bool string_sees(const plan_world* world, kerb_vec2 from, kerb_vec2 to) {
    kerb_vec2 way = kerb_vec2_sub(to, from);
    float length = kerb_sqrt(kerb_vec2_dot(way, way)), keep = string_keep(world);
    float least = LINE_STEP * keep, at = least;
    while (at < length) {
        kerb_vec2 place = kerb_vec2_add(from, kerb_vec2_scale(way, at / length));
        float clear = kerb_in_plan_world_clearance(world, place);
        float step = clear > keep ? kerb_sqrt(clear * clear - keep * keep) : 0.0f;
        if (step < least && !kerb_in_plan_world_disc_free(world, place, keep))
            return false;
        at += kerb_max(step, least);
    }
    return true;
}

// The free place near a corner of the grid, where the corner itself is not free.
static kerb_vec2 free_place_near(const plan_world* world, kerb_vec2 place, float cell) {
    float keep = string_keep(world), least = KERB_NO_CURVE;
    kerb_vec2 best = place;
    if (kerb_in_plan_world_clearance(world, place) >= keep ||
        kerb_in_plan_world_disc_free(world, place, keep))
        return place;
    for (int32_t i = 0; i < LINE_NEAR * LINE_NEAR; i++) {
        int32_t x = i % LINE_NEAR - LINE_NEAR / 2, y = i / LINE_NEAR - LINE_NEAR / 2;
        kerb_vec2 away = {(float)x, (float)y};
        float square = kerb_vec2_dot(away, away);
        kerb_vec2 beside = kerb_vec2_add(place, kerb_vec2_scale(away, LINE_NEAR_STEP * cell));
        if (square < least && kerb_in_plan_world_disc_free(world, beside, keep)) {
            least = square;
            best = beside;
        }
    }
    return best;
}

// The farthest point of the way that is seen from a place, as far as doubling and halving find it.
static int32_t farthest_seen(const plan_line* line, const plan_world* world, kerb_vec2 from,
                             int32_t next) {
    int32_t seen = next, step = 1, last = line->points - 1;
    while (seen < last) {
        int32_t to = seen + step < last ? seen + step : last;
        if (!string_sees(world, from, line->point[to]))
            break;
        seen = to;
        step *= 2;
    }
    for (step /= 2; step > 0; step /= 2)
        if (seen + step <= last && string_sees(world, from, line->point[seen + step]))
            seen += step;
    return seen;
}

// Makes bends of the points that the string needs.
static bool lay_string(plan_line* line, const plan_world* world) {
    line->bends = 0;
    for (int32_t i = 0;;) {
        if (line->bends == PLAN_LINE_BENDS_MAX)
            return false;
        line->bend[line->bends++] = (plan_bend){.at = line->point[i]};
        if (i == line->points - 1)
            return true;
        i = farthest_seen(line, world, line->point[i], i + 1);
    }
}

static void string_remove(plan_line* line, int32_t i) {
    line->bends--;
    memmove(&line->bend[i], &line->bend[i + 1], (size_t)(line->bends - i) * sizeof line->bend[0]);
}

static kerb_vec2 nearest_on(kerb_vec2 from, kerb_vec2 to, kerb_vec2 place) {
    kerb_vec2 way = kerb_vec2_sub(to, from), away = kerb_vec2_sub(place, from);
    float square = kerb_vec2_dot(way, way);
    float share = square > 0.0f ? kerb_vec2_dot(away, way) / square : 0.0f;
    return kerb_vec2_add(from, kerb_vec2_scale(way, kerb_clamp(share, 0.0f, 1.0f)));
}

// Pulls a corner towards the straight line between its neighbours, as far as both legs stay free.
static void pull_corner(plan_line* line, const plan_world* world, int32_t i) {
    kerb_vec2 before = line->bend[i - 1].at, after = line->bend[i + 1].at;
    kerb_vec2 inner = nearest_on(before, after, line->bend[i].at), outer = line->bend[i].at;
    for (int32_t k = 0; k < 5; k++) {
        kerb_vec2 middle = kerb_vec2_scale(kerb_vec2_add(inner, outer), 0.5f);
        if (string_sees(world, before, middle) && string_sees(world, middle, after))
            outer = middle;
        else
            inner = middle;
    }
    line->bend[i].at = outer;
}

// Puts one corner in place of several that are too near to each other for their turns.
static bool merge_corners(plan_line* line, const plan_world* world, int32_t first, int32_t last) {
    float keep = string_keep(world);
    kerb_vec2 before = line->bend[first - 1].at, after = line->bend[last + 1].at;
    kerb_vec2 both = kerb_vec2_add(line->bend[first].at, line->bend[last].at);
    kerb_vec2 aside = kerb_vec2_left(string_unit(kerb_vec2_sub(after, before)));
    for (int32_t k = 0; k <= 2 * LINE_ASIDE; k++) {
        int32_t steps = k % 2 != 0 ? (k + 1) / 2 : -k / 2;
        float away = 0.5f * (float)steps * keep;
        kerb_vec2 place = kerb_vec2_add(kerb_vec2_scale(both, 0.5f), kerb_vec2_scale(aside, away));
        if (!kerb_in_plan_world_disc_free(world, place, keep) ||
            !string_sees(world, before, place) || !string_sees(world, place, after))
            continue;
        line->bend[first].at = place;
        while (last > first)
            string_remove(line, last--);
        return true;
    }
    return false;
}

// Merges corners that are nearer to each other than their turns need.
static void merge_near(plan_line* line, const plan_world* world, float near) {
    for (int32_t i = 1; i + 2 < line->bends; i++) {
        int32_t last = i;
        for (int32_t k = i + 1; k + 1 < line->bends && k <= i + LINE_MERGED; k++) {
            kerb_vec2 way = kerb_vec2_sub(line->bend[k].at, line->bend[k - 1].at);
            if (!(kerb_vec2_dot(way, way) < near * near))
                break;
            last = k;
        }
        while (last > i && !merge_corners(line, world, i, last))
            last--;
    }
}

static void pull_taut(plan_line* line, const plan_world* world) {
    for (int32_t k = 0; k < LINE_PULLS; k++)
        for (int32_t i = 1; i < line->bends - 1;) {
            if (string_sees(world, line->bend[i - 1].at, line->bend[i + 1].at)) {
                string_remove(line, i);
                i = i > 1 ? i - 1 : i;
            } else {
                pull_corner(line, world, i);
                i++;
            }
        }
}

// --------------------------------------------------------------------------- circles

// What the path is tested with.
typedef struct string_ways {
    const plan_ground* ground;
    float least, widest; // radius [m]
    float keep;          // [m]
    float sign;          // -1: the vehicle drives in reverse
} string_ways;

static kerb_vec2 string_middle(const plan_bend* b) {
    float from = b->shifts == LINE_INSIDE ? b->radius / b->cosine : b->radius - b->outwards;
    return kerb_vec2_add(b->at, kerb_vec2_scale(b->inwards, from));
}

// The vertex of the obstacle lies at the distance to keep from the corner, anywhere between the
// normals of both legs. So the circle passes the corner a little farther out.
static void place_circles(plan_line* line, float radius, float keep) {
    for (int32_t i = 1; i < line->bends - 1; i++) {
        plan_bend* b = &line->bend[i];
        kerb_vec2 in = string_unit(kerb_vec2_sub(b->at, b[-1].at));
        kerb_vec2 out = string_unit(kerb_vec2_sub(b[1].at, b->at));
        kerb_vec2 mean = string_unit(kerb_vec2_add(in, out));
        b->side = kerb_vec2_cross(in, out) < 0.0f ? -1.0f : 1.0f;
        b->inwards = kerb_vec2_scale(kerb_vec2_left(mean), b->side);
        b->cosine = kerb_max(kerb_vec2_dot(mean, out), LINE_SHARPEST);
        b->radius = radius;
        b->outwards = keep * (1.0f / b->cosine - 1.0f);
    }
}

static int32_t bend_after(const plan_line* line, int32_t i) {
    do
        i++;
    while (line->bend[i].is_skipped);
    return i;
}

static int32_t bend_before(const plan_line* line, int32_t i) {
    do
        i--;
    while (line->bend[i].is_skipped);
    return i;
}

static curve_circle string_circle(const plan_bend* b) {
    return (curve_circle){string_middle(b), b->side * b->radius};
}

// Finds the leg from one circle to the next. What is known of them holds on if it is the same.
static bool find_leg(plan_bend* a, plan_bend* b) {
    curve_tangent leg;
    if (!curve_find_tangent(string_circle(a), string_circle(b), &leg))
        return false;
    bool is_same = a->is_leg_free && leg.along.x == a->leg.along.x &&
                   leg.along.y == a->leg.along.y && leg.from.x == a->leg.from.x &&
                   leg.from.y == a->leg.from.y && leg.length == a->leg.length;
    if (!is_same)
        a->is_leg_free = a->is_free = b->is_free = false;
    a->leg = leg;
    return true;
}

static float string_turn_at(const plan_line* line, int32_t i) {
    kerb_vec2 in = line->bend[bend_before(line, i)].leg.along, out = line->bend[i].leg.along;
    return line->bend[i].side * kerb_atan2(kerb_vec2_cross(in, out), kerb_vec2_dot(in, out));
}

// Shrinks a circle. The least one goes outwards, and is wide again.
static bool string_shrink(plan_bend* b, const string_ways* w) {
    if (b->radius > w->least) {
        b->radius = kerb_max(LINE_SHRINK * b->radius, w->least);
        return true;
    }
    if (b->side == 0.0f || b->shifts == LINE_SHIFTS)
        return false;
    b->shifts++;
    if (b->shifts > LINE_INSIDE)
        b->outwards += LINE_SHIFT * w->keep;
    b->radius = w->widest;
    return true;
}

// Shrinks the circles at both ends of a leg, and takes back the corners that were skipped between
// them. False: nothing is left to change.
static bool shrink_beside(plan_line* line, int32_t from, int32_t to, const string_ways* w) {
    bool has_changed = string_shrink(&line->bend[from], w);
    has_changed = string_shrink(&line->bend[to], w) || has_changed;
    for (int32_t i = from + 1; has_changed && i < to; i++)
        line->bend[i].is_skipped = false;
    return has_changed;
}

// Finds the legs. Returns the first of two circles that overlap and cannot shrink, or -1.
static int32_t find_legs(plan_line* line, const string_ways* w) {
    for (int32_t i = 0; i < line->bends - 1;) {
        int32_t next = bend_after(line, i);
        if (find_leg(&line->bend[i], &line->bend[next])) {
            i = next;
            continue;
        }
        if (!shrink_beside(line, i, next, w))
            return i;
        i = i > 0 ? bend_before(line, i) : i;
    }
    return -1;
}

// Skips a corner at which the line would turn to the wrong side. False: there is none.
static bool string_skip_one(plan_line* line) {
    for (int32_t i = bend_after(line, 0); i < line->bends - 1; i = bend_after(line, i))
        if (string_turn_at(line, i) < -LINE_WRONG_TURN) {
            line->bend[i].is_skipped = true;
            return true;
        }
    return false;
}

// --------------------------------------------------------------------------- the path

static bool string_is_free(const string_ways* w, kerb_vec2 from, kerb_vec2 along, float curvature,
                           float length) {
    const plan_space* space = w->ground->space;
    kerb_pose pose = {from, kerb_vec2_scale(along, w->sign)};
    plan_arc arc = {curvature * w->sign, length * w->sign};
    return !space->is_free || space->is_free(space->context, pose, arc);
}

// Tests what has changed. Returns the first bend whose arc or leg is not free, or -1.
static int32_t first_blocked(plan_line* line, const string_ways* w, bool* is_leg) {
    for (int32_t i = 0; i < line->bends - 1; i = bend_after(line, i)) {
        plan_bend* b = &line->bend[i];
        *is_leg = false;
        if (i > 0 && !b->is_free) {
            kerb_vec2 in = line->bend[bend_before(line, i)].leg.along;
            kerb_vec2 from = kerb_vec2_sub(
                string_middle(b), kerb_vec2_scale(kerb_vec2_left(in), b->side * b->radius));
            float turn = kerb_max(string_turn_at(line, i), 0.0f);
            if (!string_is_free(w, from, in, b->side / b->radius, turn * b->radius))
                return i;
            b->is_free = true;
        }
        *is_leg = true;
        // Near the ends a shot replaces the line.
        float first = i == 0 ? END_RADII * w->least : 0.0f;
        bool is_last = bend_after(line, i) == line->bends - 1;
        float length = b->leg.length - first - (is_last ? END_RADII * w->least : 0.0f);
        kerb_vec2 from = kerb_vec2_add(b->leg.from, kerb_vec2_scale(b->leg.along, first));
        if (!b->is_leg_free && length > 0.0f &&
            !string_is_free(w, from, b->leg.along, 0.0f, length))
            return i;
        b->is_leg_free = true;
    }
    return -1;
}

// Makes the first or the last corner the end of the line, where it is near to the end: a shot
// leads there. False: it is not, or no other corner is left.
static bool give_up_end(plan_line* line, const string_ways* w, int32_t corner) {
    bool is_first = corner <= 1, is_last = corner >= line->bends - 2;
    int32_t end = is_first ? 0 : line->bends - 1, next = is_first ? 1 : line->bends - 2;
    kerb_vec2 way = kerb_vec2_sub(line->bend[next].at, line->bend[end].at);
    float near = END_NEAR * w->least;
    if (!(is_first || is_last) || line->bends < 4 || !(kerb_vec2_dot(way, way) < near * near))
        return false;
    string_remove(line, end);
    plan_bend* b = &line->bend[is_first ? 0 : line->bends - 1];
    *b = (plan_bend){.at = b->at};
    for (int32_t i = 1; i < line->bends - 1; i++)
        line->bend[i].is_skipped = line->bend[i].is_free = false;
    return true;
}

// Rounds the corners of the string. False: something is in the way of the least radius.
static bool round_corners(plan_line* line, const string_ways* w) {
    place_circles(line, w->widest, w->keep);
    for (int32_t tries = 0; tries < LINE_TRIES; tries++) {
        bool is_leg = true, has_changed = false;
        int32_t at = find_legs(line, w);
        if (at < 0 && string_skip_one(line))
            continue;
        if (at < 0) {
            at = first_blocked(line, w, &is_leg);
            if (at < 0)
                return true;
            has_changed = is_leg ? shrink_beside(line, at, bend_after(line, at), w)
                                 : string_shrink(&line->bend[at], w);
        }
        int32_t last = is_leg ? bend_after(line, at) : at;
        if (!has_changed && !give_up_end(line, w, at) && !give_up_end(line, w, last))
            return false;
    }
    return false;
}

// Writes the arcs of the rounded string.
static int32_t write_line(const plan_line* line, const string_ways* w, plan_arc* arcs) {
    int32_t count = 0;
    for (int32_t i = 0; i < line->bends - 1; i = bend_after(line, i)) {
        const plan_bend* b = &line->bend[i];
        float turn = i > 0 ? kerb_max(string_turn_at(line, i), 0.0f) : 0.0f;
        if (turn > 0.0f && b->radius > 0.0f)
            arcs[count++] = (plan_arc){w->sign * b->side / b->radius, w->sign * turn * b->radius};
        arcs[count++] = (plan_arc){0.0f, w->sign * b->leg.length};
    }
    return count;
}

// --------------------------------------------------------------------------- ends

// Arcs of a line with a shot at each end. [1]
#define LINE_ARCS_MAX (2 * PLAN_LINE_BENDS_MAX + 2 * KERB_CURVE_PIECES)
// Where shots meet the line, in radii from its ends, and their radii. [1]
#define LINE_SHOT_PLACES 6
#define LINE_SHOT_RADII 2
static const float shot_places[LINE_SHOT_PLACES] = {1.5f, 3.0f, 5.0f, 8.0f, 12.0f, 20.0f};

// A path in the making.
typedef struct string_path {
    kerb_pose start;
    int32_t count;
    plan_arc arcs[LINE_ARCS_MAX];
} string_path;

static float string_length(const plan_arc* arcs, int32_t count) {
    float length = 0.0f;
    for (int32_t i = 0; i < count; i++)
        length += kerb_abs(arcs[i].length);
    return length;
}

static void string_append(string_path* p, float curvature, float length) {
    if (length != 0.0f && p->count < LINE_ARCS_MAX)
        p->arcs[p->count++] = (plan_arc){curvature, length};
}

// Appends the part of a path between two distances from its start.
static void append_between(string_path* to, const string_path* of, float from, float until) {
    float at = 0.0f;
    for (int32_t i = 0; i < of->count; i++) {
        float length = kerb_abs(of->arcs[i].length);
        float first = kerb_max(from, at), last = kerb_min(until, at + length);
        if (last > first)
            string_append(to, of->arcs[i].curvature,
                          of->arcs[i].length < 0.0f ? first - last : last - first);
        at += length;
    }
}

static kerb_curve string_shot(const plan_search* s, kerb_pose from, kerb_pose to, float radius) {
    return s->rates.speed_squared[1] > 0.0f && s->rates.speed_squared[0] > 0.0f
               ? kerb_reeds_shepp(from, to, radius)
               : kerb_dubins(from, to, radius);
}

static void append_shot(string_path* p, const kerb_curve* shot) {
    for (int32_t i = 0; i < shot->count; i++)
        string_append(p, shot->curvature[i], shot->length[i]);
}

static bool shot_of_line_is_free(const plan_space* space, const kerb_curve* shot) {
    string_path p = {.start = shot->start};
    append_shot(&p, shot);
    return plan_way_is_free(space, p.start, p.arcs, p.count);
}

// Whether two ends are one place.
static bool is_at(kerb_vec2 a, kerb_vec2 b) {
    return kerb_abs(a.x - b.x) + kerb_abs(a.y - b.y) <= LINE_SAME_PLACE;
}

// An end that a path may have, and what is known of the best one until now.
typedef struct string_end {
    const kerb_plan_end* ends;
    int32_t count, best;
    float cost; // of the path with it [s]
} string_end;

// Connects a start with the line by the shot that makes the fastest path.
static bool string_add_start(const plan_search* s, const string_ways* w, const string_path* line,
                             kerb_vec2 place, string_end* starts, string_path* best) {
    float length = string_length(line->arcs, line->count);
    for (int32_t k = 0; k < starts->count; k++)
        for (int32_t i = 0; i < LINE_SHOT_PLACES * LINE_SHOT_RADII; i++) {
            const kerb_plan_end* start = &starts->ends[k];
            float until = shot_places[i / LINE_SHOT_RADII] * w->least;
            if (!is_at(start->pose.position, place) || until > 0.5f * length)
                continue;
            string_path first = {.start = line->start}, path = {.start = start->pose};
            append_between(&first, line, 0.0f, until);
            kerb_pose there = kerb_in_plan_way_end(first.start, first.arcs, first.count);
            kerb_curve shot =
                string_shot(s, start->pose, there, w->least * (float)(1 + i % LINE_SHOT_RADII));
            append_shot(&path, &shot);
            append_between(&path, line, until, length);
            float cost = start->penalty + kerb_in_plan_movement_time(
                                              &s->rates, path.arcs, path.count, start->speed, 0.0f);
            if (!(cost < starts->cost) || !shot_of_line_is_free(w->ground->space, &shot))
                continue;
            starts->cost = cost;
            starts->best = k;
            *best = path;
        }
    return starts->cost < KERB_PLAN_NEVER;
}

static bool string_add_goal(const plan_search* s, const string_ways* w, const string_path* line,
                            float speed, kerb_vec2 place, string_end* goals, string_path* best) {
    float length = string_length(line->arcs, line->count);
    for (int32_t i = 0; i < LINE_SHOT_PLACES; i++) {
        float until = length - shot_places[i] * w->least;
        if (until < 0.5f * length)
            break;
        string_path first = {.start = line->start};
        append_between(&first, line, 0.0f, until);
        kerb_pose there = kerb_in_plan_way_end(first.start, first.arcs, first.count);
        for (int32_t k = 0; k < goals->count * LINE_SHOT_RADII; k++) {
            const kerb_plan_end* goal = &goals->ends[k / LINE_SHOT_RADII];
            if (!is_at(goal->pose.position, place))
                continue;
            kerb_curve shot =
                string_shot(s, there, goal->pose, w->least * (float)(1 + k % LINE_SHOT_RADII));
            string_path path = first;
            append_shot(&path, &shot);
            float cost = goal->penalty + kerb_in_plan_movement_time(&s->rates, path.arcs,
                                                                    path.count, speed, goal->speed);
            if (!(cost < goals->cost) || !shot_of_line_is_free(w->ground->space, &shot))
                continue;
            goals->cost = cost;
            goals->best = k / LINE_SHOT_RADII;
            *best = path;
        }
    }
    return goals->cost < KERB_PLAN_NEVER;
}

// --------------------------------------------------------------------------- the line

static int32_t nearest_start(const plan_search* s, plan_flow* flow, const kerb_plan_query* query) {
    float least = KERB_PLAN_NEVER;
    int32_t best = -1;
    for (int32_t i = 0; i < query->start_count; i++) {
        float cost =
            query->starts[i].penalty +
            kerb_in_plan_flow_distance(flow, query->starts[i].pose.position) / s->turning_speed;
        if (cost < least) {
            least = cost;
            best = i;
        }
    }
    return best;
}

static kerb_vec2 nearest_goal(const kerb_plan_query* query, kerb_vec2 place) {
    float least = KERB_PLAN_NEVER;
    kerb_vec2 best = place;
    for (int32_t i = 0; i < query->goal_count; i++) {
        kerb_vec2 away = kerb_vec2_sub(query->goals[i].pose.position, place);
        if (kerb_vec2_dot(away, away) < least) {
            least = kerb_vec2_dot(away, away);
            best = query->goals[i].pose.position;
        }
    }
    return best;
}

// The way along the grid, from the start to the goal itself.
static bool lay_way(plan_line* line, const plan_world* world, plan_flow* flow,
                    const kerb_plan_query* query, kerb_vec2 start) {
    int32_t count = kerb_in_plan_flow_way(flow, start, line->point + 1, PLAN_LINE_POINTS_MAX - 2);
    if (count == 0)
        return false;
    for (int32_t i = 1; i <= count; i++)
        line->point[i] = free_place_near(world, line->point[i], flow->cell);
    line->point[0] = start;
    line->points = count + 2;
    line->point[count + 1] = nearest_goal(query, line->point[count]);
    return true;
}

bool kerb_in_plan_line_find(plan_line* line, plan_search* s, const plan_ground* ground,
                            const plan_world* world, const kerb_plan_query* query) {
    const plan_rates* r = &s->rates;
    bool is_reverse = r->speed_squared[1] > r->speed_squared[0];
    string_ways ways = {.ground = ground,
                        .least = 1.0f / r->curvature,
                        .keep = string_keep(world),
                        .sign = is_reverse ? -1.0f : 1.0f};
    ways.widest = kerb_max(r->speed_squared[is_reverse] / r->lateral, ways.least);
    int32_t nearest = nearest_start(s, ground->flow, query);
    if (nearest < 0 ||
        !lay_way(line, world, ground->flow, query, query->starts[nearest].pose.position) ||
        !lay_string(line, world))
        return false;
    pull_taut(line, world);
    merge_near(line, world, 2.0f * ways.least);
    pull_taut(line, world);
    if (!round_corners(line, &ways))
        return false;
    string_path string = {
        .start = {line->bend[0].at, kerb_vec2_scale(line->bend[0].leg.along, ways.sign)}};
    string.count = write_line(line, &ways, string.arcs);
    string_path begun, path;
    string_end starts = {query->starts, query->start_count, 0, KERB_PLAN_NEVER};
    string_end goals = {query->goals, query->goal_count, 0, KERB_PLAN_NEVER};
    if (!string_add_start(s, &ways, &string, line->point[0], &starts, &begun) ||
        !string_add_goal(s, &ways, &begun, query->starts[starts.best].speed,
                         line->point[line->points - 1], &goals, &path))
        return false;
    s->start = starts.best;
    s->goal = goals.best;
    s->time = goals.cost - query->goals[goals.best].penalty;
    s->reckoned = 0.0f;
    s->count = path.count;
    memcpy(s->arcs, path.arcs, (size_t)path.count * sizeof path.arcs[0]);
    return true;
}
