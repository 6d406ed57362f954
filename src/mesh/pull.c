// Purpose: the shortest line in a corridor.
// Idea:    A funnel: the two lines from the last corner past the open sides until now. A side makes
//          the funnel narrower; where one line would cross the other, the other's end is the next
//          corner, and the funnel begins anew there. Seen from above: sides are passed in their
//          order, so a corridor may lead over or under itself. A link ends one line and begins
//          another.
// Cost:    O(steps²) at worst, because the funnel begins anew at its corner; O(steps) usually.
// Source:  Chazelle, "A theorem on polygon cutting with applications" (1982); Lee and Preparata,
//          "Euclidean shortest paths in the presence of rectilinear barriers" (1984).
#include "../base/shared.h"
#include "parts.h"

typedef struct mesh_string {
    const mesh_parts* p;
    const kerb_mesh_corridor* corridor;
    float clearance;
    mesh_corner* corners;    // either these
    kerb_mesh_place* places; // or these
    int32_t capacity, count;
} mesh_string;

static bool mesh_is_same_place(kerb_vec3 a, kerb_vec3 b) {
    return a.x <= b.x && a.x >= b.x && a.y <= b.y && a.y >= b.y;
}

static void mesh_add_corner(mesh_string* s, const mesh_corner* corner) {
    if (s->count < s->capacity && s->corners)
        s->corners[s->count] = *corner;
    if (s->count < s->capacity && s->places)
        s->places[s->count] = corner->place;
    s->count++;
}

static void mesh_add_end(mesh_string* s, int32_t polygon, kerb_vec3 position, bool jumps) {
    const mesh_corner end = {
        .place = {polygon, position}, .vertex = mesh_flat(position), .jumps = jumps};
    mesh_add_corner(s, &end);
}

// Ends of an open side, or twice the end of the line.
typedef struct mesh_gate {
    kerb_vec3 left, right;
} mesh_gate;

static mesh_side mesh_side_crossed(const mesh_string* s, int32_t step) {
    kerb_mesh_step at = s->corridor->steps[step];
    return mesh_opening_at(s->p, at.polygon, s->p->first[at.polygon] + at.exit);
}

static mesh_gate mesh_gate_at(const mesh_string* s, int32_t step, int32_t last, kerb_vec3 end) {
    if (step == last)
        return (mesh_gate){end, end};
    mesh_side open = mesh_side_crossed(s, step);
    float length = kerb_vec2_length(kerb_vec2_sub(mesh_flat(open.to), mesh_flat(open.from)));
    float keep = kerb_min(s->clearance / kerb_max(length, MESH_LENGTH_MIN), 0.5f);
    if (!(keep > 0.0f))
        return (mesh_gate){open.to, open.from};
    return (mesh_gate){mesh_between(open.from, open.to, 1.0f - keep),
                       mesh_between(open.from, open.to, keep)};
}

// A corner at one end of an open side.
static void mesh_add_bend(mesh_string* s, int32_t step, kerb_vec3 at, float side) {
    mesh_side open = mesh_side_crossed(s, step);
    kerb_vec2 vertex = mesh_flat(side > 0.0f ? open.to : open.from);
    const mesh_corner bend = {.place = {s->corridor->steps[step].polygon, at},
                              .vertex = vertex,
                              .keep = kerb_vec2_length(kerb_vec2_sub(mesh_flat(at), vertex)),
                              .side = side};
    mesh_add_corner(s, &bend);
}

// The funnel: its apex, and the ends of its lines with the steps whose gates they belong to.
typedef struct mesh_funnel {
    kerb_vec3 apex, left, right;
    int32_t left_step, right_step;
} mesh_funnel;

static void mesh_begin_funnel(mesh_funnel* f, kerb_vec3 apex, int32_t step) {
    *f = (mesh_funnel){apex, apex, apex, step, step};
}

// Moves one line of the funnel to the end of a gate. Returns the step of the next corner, which is
// then the apex, or -1. `side` is 1 for the left line and -1 for the right one.
static int32_t mesh_narrow(mesh_funnel* f, float side, kerb_vec3 to, int32_t step) {
    kerb_vec3* own = side > 0.0f ? &f->left : &f->right;
    kerb_vec3 other = side > 0.0f ? f->right : f->left;
    if (side * mesh_left_of(f->apex, *own, to) > 0.0f)
        return -1; // the gate's end does not make the funnel narrower
    if (mesh_is_same_place(f->apex, *own) || side * mesh_left_of(f->apex, other, to) >= 0.0f) {
        *own = to;
        *(side > 0.0f ? &f->left_step : &f->right_step) = step;
        return -1;
    }
    int32_t corner_step = side > 0.0f ? f->right_step : f->left_step;
    mesh_begin_funnel(f, other, corner_step);
    return corner_step;
}

// The line from a place in polygon `first` of the corridor to one in polygon `last`, without its
// ends.
static void mesh_pull_part(mesh_string* s, int32_t first, int32_t last, kerb_vec3 from,
                           kerb_vec3 to) {
    mesh_funnel f;
    mesh_begin_funnel(&f, from, first - 1);
    for (int32_t step = first; step <= last; step++) {
        mesh_gate gate = mesh_gate_at(s, step, last, to);
        int32_t corner = mesh_narrow(&f, -1.0f, gate.right, step);
        float side = 1.0f; // the right line came to lie left of the left one
        if (corner < 0) {
            corner = mesh_narrow(&f, 1.0f, gate.left, step);
            side = -1.0f;
        }
        if (corner < 0)
            continue;
        if (!mesh_is_same_place(f.apex, to) && corner < last)
            mesh_add_bend(s, corner, f.apex, side);
        step = corner;
    }
}

static int32_t mesh_pull_all(mesh_string* s) {
    const kerb_mesh_corridor* corridor = s->corridor;
    kerb_mesh_place from = corridor->from;
    mesh_add_end(s, from.polygon, from.position, false);
    int32_t first = 0;
    for (int32_t i = 0; i + 1 < corridor->count; i++) {
        if (corridor->steps[i].exit >= 0)
            continue;
        const kerb_mesh_link* link = &s->p->links[-2 - corridor->steps[i].exit];
        bool onwards = link->from_polygon == corridor->steps[i].polygon &&
                       link->to_polygon == corridor->steps[i + 1].polygon;
        kerb_vec3 leaves = onwards ? link->from : link->to, lands = onwards ? link->to : link->from;
        mesh_pull_part(s, first, i, from.position, leaves);
        mesh_add_end(s, corridor->steps[i].polygon, leaves, true);
        from = (kerb_mesh_place){corridor->steps[i + 1].polygon, lands};
        mesh_add_end(s, from.polygon, lands, false);
        first = i + 1;
    }
    mesh_pull_part(s, first, corridor->count - 1, from.position, corridor->to.position);
    mesh_add_end(s, corridor->to.polygon, corridor->to.position, false);
    return s->count;
}

int32_t kerb_in_mesh_pull(const mesh_parts* p, const kerb_mesh_corridor* corridor, float clearance,
                          mesh_corner* corners, int32_t capacity) {
    mesh_string s = {p, corridor, clearance, corners, NULL, capacity, 0};
    return mesh_pull_all(&s);
}

int32_t kerb_mesh_pull(const kerb_mesh* mesh, const kerb_mesh_corridor* corridor, float clearance,
                       kerb_mesh_place* corners, int32_t capacity) {
    KERB_ASSERT(mesh && corridor && (corners || capacity <= 0) && clearance >= 0.0f);
    if (corridor->count <= 0 || corridor->count > corridor->capacity)
        return 0;
    mesh_parts p = kerb_in_mesh_parts(mesh);
    mesh_string s = {&p, corridor, clearance, NULL, corners, capacity, 0};
    return mesh_pull_all(&s);
}
