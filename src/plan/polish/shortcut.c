// Purpose: removes detours and kinks from a path that a search has found.
// Idea:    Two random places of the path are joined by the shortest path between them, with a
//          radius of one to six times the smallest. It replaces the part between them if the exact
//          speed profile shows that it saves time and if it is free. Wide radii win where speed is
//          worth more than distance.
// Cost:    O(arcs) per try; a shortcut that saves time is tested for obstacles as well.
#include "shortcut.h"

#include "../../base/shared.h"

// Greatest radius of a shortcut, over the smallest turning radius; chosen by trial. [1]
#define WIDEST 6.0f
// Least time that a shortcut must save. Less may be rounding. [s]
#define SHORTCUT_WORTH 1e-4f
// Arcs shorter than this are left out. [m]
#define SHORT 1e-5f
// Accepted movement of the end through rounding and left-out arcs: in position, in position per
// metre of coordinates and length, and in heading. [m], [1], [rad]
#define END_PLACE 5e-4f
#define END_SHARE 2e-6f
#define END_HEADING 1e-4f

static void shortcut_measure(plan_shortcut* s) {
    s->length = 0.0f;
    for (int32_t i = 0; i < s->count; i++) {
        s->length += kerb_abs(s->arcs[i].length);
        s->poses[i + 1] = curve_moved(s->poses[i], s->arcs[i].curvature, s->arcs[i].length);
    }
}

void kerb_in_plan_shortcut_begin(plan_shortcut* shortcut, const plan_rates* rates, kerb_pose start,
                                 const plan_arc* arcs, int32_t count, float speed_start,
                                 float speed_goal, uint64_t seed) {
    KERB_ASSERT(count >= 1 && count <= PLAN_ARCS_MAX);
    shortcut->random = kerb_random_make(seed, 11);
    shortcut->speed_start = speed_start;
    shortcut->speed_goal = speed_goal;
    shortcut->count = count;
    shortcut->successes = 0;
    for (int32_t i = 0; i < count; i++)
        shortcut->arcs[i] = arcs[i];
    shortcut->poses[0] = start;
    shortcut_measure(shortcut);
    shortcut->end = shortcut->poses[count];
    shortcut->time = kerb_in_plan_movement_time(rates, arcs, count, speed_start, speed_goal);
    shortcut->missing = kerb_in_plan_short_legs(rates, arcs, count);
    shortcut->toll = 0.0f;
}

void kerb_in_plan_shortcut_count_toll(plan_shortcut* s, const plan_space* space) {
    s->toll = plan_way_toll(space, s->poses[0], s->arcs, s->count);
}

// A place on the path.
typedef struct shortcut_place {
    int32_t arc;
    float into; // distance from the start of that arc [m]
    kerb_pose pose;
} shortcut_place;

static shortcut_place shortcut_place_at(const plan_shortcut* s, float distance) {
    shortcut_place p = {0, distance, s->poses[0]};
    while (p.arc + 1 < s->count && p.into > kerb_abs(s->arcs[p.arc].length))
        p.into -= kerb_abs(s->arcs[p.arc++].length);
    plan_arc arc = s->arcs[p.arc];
    p.into = kerb_min(p.into, kerb_abs(arc.length));
    p.pose = curve_moved(s->poses[p.arc], arc.curvature, arc.length < 0.0f ? -p.into : p.into);
    return p;
}

// A row of arcs; adjacent arcs of equal curvature and direction are joined.
typedef struct shortcut_row {
    int32_t count;
    plan_arc arcs[PLAN_ARCS_MAX + KERB_CURVE_PIECES + 2];
} shortcut_row;

static void shortcut_append(shortcut_row* r, float curvature, float length) {
    if (kerb_abs(length) < SHORT)
        return;
    plan_arc* last = r->count > 0 ? &r->arcs[r->count - 1] : NULL;
    if (last && last->curvature == curvature && (last->length < 0.0f) == (length < 0.0f))
        last->length += length;
    else
        r->arcs[r->count++] = (plan_arc){curvature, length};
}

static void append_part(shortcut_row* r, plan_arc arc, float from, float to) {
    shortcut_append(r, arc.curvature, arc.length < 0.0f ? from - to : to - from);
}

static void write_with_shortcut(const plan_shortcut* s, const shortcut_place* from,
                                const shortcut_place* to, const kerb_curve* way, shortcut_row* r) {
    r->count = 0;
    for (int32_t i = 0; i < from->arc; i++)
        shortcut_append(r, s->arcs[i].curvature, s->arcs[i].length);
    append_part(r, s->arcs[from->arc], 0.0f, from->into);
    for (int32_t i = 0; i < way->count; i++)
        shortcut_append(r, way->curvature[i], way->length[i]);
    append_part(r, s->arcs[to->arc], to->into, kerb_abs(s->arcs[to->arc].length));
    for (int32_t i = to->arc + 1; i < s->count; i++)
        shortcut_append(r, s->arcs[i].curvature, s->arcs[i].length);
}

// Whether a path still ends at its goal: a small error of heading at the start of a long path moves
// its end far.
static bool ends_there(const plan_shortcut* s, const shortcut_row* r) {
    kerb_pose end = kerb_in_plan_way_end(s->poses[0], r->arcs, r->count);
    kerb_vec2 apart = kerb_vec2_sub(end.position, s->end.position), p = s->end.position;
    float reach = kerb_abs(p.x) + kerb_abs(p.y) + s->length;
    return kerb_abs(apart.x) + kerb_abs(apart.y) <= END_PLACE + END_SHARE * reach &&
           kerb_abs(kerb_vec2_cross(end.forward, s->end.forward)) <= END_HEADING;
}

static bool way_is_free(const plan_space* space, const kerb_curve* way) {
    plan_arc arcs[KERB_CURVE_PIECES];
    for (int32_t i = 0; i < way->count; i++)
        arcs[i] = (plan_arc){way->curvature[i], way->length[i]};
    return plan_way_is_free(space, way->start, arcs, way->count);
}

static kerb_curve shortcut_shortest(const plan_rates* rates, kerb_pose from, kerb_pose to,
                                    float radius) {
    return rates->speed_squared[1] > 0.0f ? kerb_reeds_shepp(from, to, radius)
                                          : kerb_dubins(from, to, radius);
}

bool kerb_in_plan_shortcut_step(plan_shortcut* shortcut, const plan_rates* rates,
                                const plan_space* space) {
    plan_shortcut* s = shortcut;
    float a = s->length * kerb_random_unit(&s->random);
    float b = s->length * kerb_random_unit(&s->random);
    float share = kerb_random_unit(&s->random);
    float radius = (1.0f + (WIDEST - 1.0f) * share * share) / rates->curvature;
    shortcut_place from = shortcut_place_at(s, kerb_min(a, b)),
                   to = shortcut_place_at(s, kerb_max(a, b));
    kerb_curve way = shortcut_shortest(rates, from.pose, to.pose, radius);
    if (way.count == 0)
        return false;
    shortcut_row r;
    write_with_shortcut(s, &from, &to, &way, &r);
    if (r.count > PLAN_ARCS_MAX || r.count == 0)
        return false;
    float missing = kerb_in_plan_short_legs(rates, r.arcs, r.count);
    if (missing > s->missing)
        return false;
    float time = kerb_in_plan_movement_time(rates, r.arcs, r.count, s->speed_start, s->speed_goal);
    float toll = 0.0f, most = s->time + s->toll - SHORTCUT_WORTH;
    if (space->toll && time < most)
        toll = plan_way_toll(space, s->poses[0], r.arcs, r.count);
    if (!(time + toll < most) || !ends_there(s, &r) || !way_is_free(space, &way) ||
        !plan_way_is_clear(space, s->poses[0], r.arcs, r.count, s->speed_start, s->speed_goal))
        return false;
    s->time = time;
    s->missing = missing;
    s->toll = toll;
    s->count = r.count;
    s->successes++;
    for (int32_t i = 0; i < r.count; i++)
        s->arcs[i] = r.arcs[i];
    shortcut_measure(s);
    return true;
}
