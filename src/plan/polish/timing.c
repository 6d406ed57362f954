// Purpose: when to drive along a path that movers cross: more slowly, or after a wait.
// Idea:    A* over station, speed and time. At each station the plan without movers has the
//          greatest speed that still keeps all limits that follow. So any speed below it can be
//          driven: the vehicle accelerates until it reaches that profile and follows it from there.
//          Steps have a fixed duration and three actions: accelerate, keep the speed, brake. The
//          cost to go is the remaining time of the plan without movers.
// Cost:    O(log waiting + movers) per node.
// Source:  path-velocity decomposition: Kant and Zucker, "Toward efficient trajectory planning"
//          (1986).
#include "kerb/plan_search.h"

#include "timing.h"

#include "../../base/shared.h"
#include "../model/piece.h"

#include <string.h>

// Duration of a step. Shorter steps react more finely but reach less far with the same number of
// nodes; chosen by trial. [s]
#define TIMING_STEP 0.4f
// Cells of station and of speed, which keep one state per time. If the nodes do not suffice, the
// search runs again with cells twice as large. Chosen by trial. [m] [m/s]
#define TIMING_CELL 0.5f
#define TIMING_SPEED_CELL 0.35f
// Differences that count as rounding errors. [m], [s], [m/s], [m/s²], relative to 1 for squared
// speeds
#define NEARLY 1e-4f
enum { GAIN, KEEP, BRAKE, ACTIONS };

typedef struct journey {
    const plan_movers* movers;
    const kerb_plan_limits* limits;
    const kerb_plan_piece* pieces;
    int32_t count;
    float total; // time of the plan without movers [s]
    // Array for the pieces that are driven; NULL: none.
    kerb_plan_piece* out;
    int32_t out_count, out_capacity;
} journey;

// --------------------------------------------------------------------------- driving

// Time for a distance; NEVER where the vehicle stops before. [s]
static float timing_time_for(float distance, float speed, float acceleration) {
    if (kerb_abs(acceleration) < 1e-6f)
        return speed > 0.0f ? distance / speed : KERB_PLAN_NEVER;
    float square = speed * speed + 2.0f * acceleration * distance;
    if (square < 0.0f)
        return KERB_PLAN_NEVER;
    float sum = speed + kerb_sqrt(square);
    return sum > 0.0f ? 2.0f * distance / sum : KERB_PLAN_NEVER;
}

// Squared greatest speed at a place: that of the plan without movers. [m²/s²]
static float envelope(const kerb_plan_piece* p, float into) {
    return kerb_max(p->speed * p->speed + 2.0f * p->acceleration * into, 0.0f);
}

// Appends a piece; adjacent pieces of equal curvature, acceleration and direction are joined.
static void write_piece(journey* j, const kerb_plan_piece* p) {
    if (!j->out || p->duration <= 0.0f)
        return;
    kerb_plan_piece* last = j->out_count > 0 ? &j->out[j->out_count - 1] : NULL;
    bool is_arc = p->curvature_change == 0.0f;
    if (last && is_arc && last->curvature_change == 0.0f && last->curvature == p->curvature &&
        last->acceleration == p->acceleration && last->direction == p->direction &&
        (last->length > 0.0f) == (p->length > 0.0f)) {
        last->duration += p->duration;
        last->length += p->length;
    } else if (j->out_count < j->out_capacity) {
        j->out[j->out_count++] = *p;
    } else {
        j->out_capacity = -1; // too many
    }
}

// The curvature of a piece after `into` metres, at standstill seconds. [1/m]
static float timing_curvature(const kerb_plan_piece* p, float into) {
    float whole = p->length > 0.0f ? p->length : p->duration;
    if (p->curvature_change == 0.0f || !(whole > 0.0f))
        return p->curvature;
    return p->curvature + p->curvature_change * kerb_min(into / whole, 1.0f);
}

static kerb_plan_piece piece_from(const kerb_plan_piece* p, const plan_timing_state* s,
                                  float acceleration, float duration) {
    kerb_plan_piece part = *p;
    bool stands = p->length == 0.0f;
    part.start = stands ? p->start : plan_piece_pose(p, s->into);
    part.time = s->time;
    part.duration = duration;
    part.curvature = timing_curvature(p, s->into);
    if (stands) { // whatever speed rounding has left
        part.curvature_change = timing_curvature(p, s->into + duration) - part.curvature;
        return part;
    }
    part.speed = s->speed;
    part.acceleration = acceleration;
    part.length = kerb_max((s->speed + 0.5f * acceleration * duration) * duration, 0.0f);
    part.curvature_change = timing_curvature(p, s->into + part.length) - part.curvature;
    return part;
}

static void next_piece(plan_timing_state* s) {
    s->piece++;
    s->into = 0.0f;
}

// An acceleration, less where the friction ellipse allows less of it at a squared speed.
static float timing_within_ellipse(const kerb_plan_limits* l, const kerb_plan_piece* p,
                                   float square, float wanted) {
    if (l->longitudinal_grip == 0.0f)
        return wanted;
    float across = kerb_min(square * plan_piece_bend(p) / l->lateral_acceleration, 1.0f);
    float most = l->longitudinal_grip * kerb_sqrt(1.0f - across * across);
    return kerb_clamp(wanted, -most, most);
}

// Acceleration of an action, as far as the profile of the plan without movers allows it.
static float timing_acceleration_of(const journey* j, const kerb_plan_piece* p,
                                    const plan_timing_state* s, int32_t action) {
    const kerb_plan_limits* l = j->limits;
    bool back = p->direction < 0;
    float wanted = action == GAIN   ? (back ? l->reverse_acceleration : l->acceleration)
                   : action == KEEP ? 0.0f
                                    : -(back ? l->reverse_braking : l->braking);
    float most = envelope(p, s->into);
    bool is_fastest = s->speed * s->speed >= most - NEARLY * (1.0f + most);
    wanted = timing_within_ellipse(
        l, p, wanted > 0.0f ? kerb_max(most, envelope(p, p->length)) : s->speed * s->speed, wanted);
    return is_fastest ? kerb_min(wanted, p->acceleration) : wanted;
}

// Duration until the piece ends, the vehicle stops, the profile is reached or `left` is over. [s]
static float timing_duration_of(const kerb_plan_piece* p, const plan_timing_state* s,
                                float acceleration, float left) {
    float most = timing_time_for(p->length - s->into, s->speed, acceleration);
    if (acceleration < 0.0f)
        most = kerb_min(most, s->speed / -acceleration);
    float gap = envelope(p, s->into) - s->speed * s->speed;
    if (acceleration > p->acceleration + NEARLY && gap > NEARLY) {
        float distance = 0.5f * gap / (acceleration - p->acceleration);
        if (distance < p->length - s->into)
            most = kerb_min(most, timing_time_for(distance, s->speed, acceleration));
    }
    return kerb_min(most, left);
}

// A part that nearly reaches the end of its piece is made to end there. When braking to rest, the
// last tenth of a millimetre still has 3 cm/s.
static void end_with(const kerb_plan_limits* l, const kerb_plan_piece* p,
                     const plan_timing_state* s, kerb_plan_piece* part) {
    bool back = p->direction < 0;
    float rest = p->length - s->into, square = s->speed * s->speed;
    if (part->length <= 0.0f || part->length < rest - NEARLY)
        return;
    float most = envelope(p, p->length);
    float end = kerb_sqrt(kerb_clamp(square + 2.0f * part->acceleration * rest, 0.0f, most));
    if (s->speed + end <= NEARLY)
        return;
    part->length = rest;
    part->curvature_change = p->curvature + p->curvature_change - part->curvature;
    part->duration = 2.0f * rest / (s->speed + end);
    // Over a very short distance, rounding would become a large acceleration.
    part->acceleration =
        kerb_clamp((end * end - square) / (2.0f * rest), -(back ? l->reverse_braking : l->braking),
                   back ? l->reverse_acceleration : l->acceleration);
}

// Drives a part of a step, of at most `left` seconds, and sets the time that it took. False: it
// meets a mover.
static bool drive_part(journey* j, plan_timing_state* s, int32_t action, float left, float* took) {
    const kerb_plan_piece* p = &j->pieces[s->piece];
    bool stands = p->length == 0.0f;
    float acceleration = stands ? 0.0f : timing_acceleration_of(j, p, s, action);
    bool waits = !stands && s->speed <= NEARLY && acceleration <= 0.0f;
    if (waits)
        acceleration = s->speed = 0.0f;
    *took = stands  ? kerb_min(p->duration - s->into, left)
            : waits ? left
                    : timing_duration_of(p, s, acceleration, left);
    kerb_plan_piece part = piece_from(p, s, acceleration, *took);
    if (!stands)
        end_with(j->limits, p, s, &part);
    if (!kerb_in_plan_movers_piece_is_free(j->movers, &part))
        return false;
    write_piece(j, &part);
    *took = part.duration;
    s->into += stands ? *took : part.length;
    s->speed = kerb_max(s->speed + part.acceleration * *took, 0.0f);
    s->speed = stands ? 0.0f : kerb_min(s->speed, kerb_sqrt(envelope(p, s->into)));
    s->time += *took;
    if (s->into >= (stands ? p->duration : p->length) - NEARLY)
        next_piece(s);
    return true;
}

// Greatest number of parts of a step; it ends a step that makes no progress on very short pieces.
// [1]
#define TIMING_PARTS_MOST 256

static bool drive_step(journey* j, plan_timing_state* s, int32_t action) {
    float left = TIMING_STEP, took;
    for (int32_t i = 0; left > 1e-5f && s->piece < j->count; i++) {
        if (i == TIMING_PARTS_MOST || !drive_part(j, s, action, left, &took))
            return false;
        left -= took;
    }
    return true;
}

// --------------------------------------------------------------------------- the search

static float timing_still_to_go(const journey* j, const plan_timing_state* s) {
    if (s->piece == j->count)
        return 0.0f;
    const kerb_plan_piece* p = &j->pieces[s->piece];
    float into = p->length == 0.0f ? s->into : timing_time_for(s->into, p->speed, p->acceleration);
    return j->total - p->time - kerb_min(into, p->duration);
}

static uint32_t timing_cell_of(const plan_timing* t, const plan_timing_state* s) {
    uint32_t key = (uint32_t)(int32_t)(s->time / TIMING_STEP + 0.5f);
    key = key * 2654435761u + (uint32_t)s->piece;
    key = key * 2654435761u + (uint32_t)(int32_t)(s->into / t->cell);
    key = key * 2654435761u + (uint32_t)(int32_t)(s->speed / t->speed_cell);
    return (key ^ key >> 15) * 2246822519u >> 7;
}

static bool is_alike(const plan_timing* t, const plan_timing_state* a, const plan_timing_state* b) {
    return a->piece == b->piece && kerb_abs(a->time - b->time) < 0.5f * TIMING_STEP &&
           (int32_t)(a->into / t->cell) == (int32_t)(b->into / t->cell) &&
           (int32_t)(a->speed / t->speed_cell) == (int32_t)(b->speed / t->speed_cell);
}

static bool is_known(plan_timing* t, const plan_timing_state* s) {
    uint32_t at = timing_cell_of(t, s) & (PLAN_TIMING_TABLE - 1);
    for (; t->table[at] != 0; at = (at + 1) & (PLAN_TIMING_TABLE - 1))
        if (is_alike(t, &t->nodes[t->table[at] - 1].state, s))
            return true;
    t->table[at] = t->count + 1;
    return false;
}

static void timing_push(plan_timing* t, int32_t node) {
    int32_t at = t->waiting++;
    for (; at > 0; at = (at - 1) / 2) {
        int32_t above = t->heap[(at - 1) / 2];
        if (!(t->nodes[node].estimate < t->nodes[above].estimate))
            break;
        t->heap[at] = above;
    }
    t->heap[at] = node;
}

static int32_t pop(plan_timing* t) {
    int32_t best = t->heap[0], moved = t->heap[--t->waiting], at = 0;
    for (;;) {
        int32_t child = 2 * at + 1;
        if (child >= t->waiting)
            break;
        if (child + 1 < t->waiting &&
            t->nodes[t->heap[child + 1]].estimate < t->nodes[t->heap[child]].estimate)
            child++;
        if (!(t->nodes[t->heap[child]].estimate < t->nodes[moved].estimate))
            break;
        t->heap[at] = t->heap[child];
        at = child;
    }
    t->heap[at] = moved;
    return best;
}

static void timing_add(plan_timing* t, const journey* j, const plan_timing_state* s, int32_t parent,
                       int32_t action) {
    if (t->count == PLAN_TIMING_NODES || is_known(t, s))
        return;
    t->nodes[t->count] = (plan_timing_node){*s, s->time + timing_still_to_go(j, s), parent, action};
    timing_push(t, t->count++);
}

// Whether a state is at the end with the planned final speed.
static bool is_arrival(const journey* j, const plan_timing_state* s) {
    const kerb_plan_piece* last = &j->pieces[j->count - 1];
    float wanted = last->speed + last->acceleration * last->duration;
    return s->piece == j->count && s->speed >= wanted - 5e-4f;
}

// The node that arrives first; -1: none.
static int32_t timing_search(plan_timing* t, journey* j, float coarseness) {
    plan_timing_state start = {0, 0.0f, j->pieces[0].speed, 0.0f};
    t->count = t->waiting = 0;
    t->cell = coarseness * TIMING_CELL;
    t->speed_cell = coarseness * TIMING_SPEED_CELL;
    memset(t->table, 0, sizeof t->table);
    timing_add(t, j, &start, -1, GAIN);
    while (t->waiting > 0 && t->count < PLAN_TIMING_NODES) {
        int32_t index = pop(t);
        if (is_arrival(j, &t->nodes[index].state))
            return index;
        for (int32_t action = 0; action < ACTIONS; action++) {
            plan_timing_state next = t->nodes[index].state;
            if (next.piece < j->count && drive_step(j, &next, action))
                timing_add(t, j, &next, index, action);
        }
    }
    return -1;
}

// Drives the steps that lead to a node again and writes their pieces.
static bool write_all(plan_timing* t, journey* j, int32_t index) {
    int32_t count = 0;
    for (; t->nodes[index].parent >= 0; index = t->nodes[index].parent)
        t->heap[count++] = t->nodes[index].action;
    plan_timing_state s = t->nodes[index].state;
    while (count > 0)
        if (!drive_step(j, &s, t->heap[--count]))
            return false;
    return j->out_capacity >= 0;
}

int32_t kerb_in_plan_timing_adapt(plan_timing* timing, const plan_movers* movers,
                                  const kerb_plan_limits* limits, kerb_plan_piece* pieces,
                                  int32_t count, kerb_plan_piece* scratch, int32_t capacity) {
    KERB_ASSERT(count > 0);
    if (kerb_in_plan_movers_are_clear(movers, pieces, count))
        return count;
    const kerb_plan_piece* last = &pieces[count - 1];
    journey j = {.movers = movers,
                 .limits = limits,
                 .pieces = pieces,
                 .count = count,
                 .total = last->time + last->duration,
                 .out_capacity = capacity};
    int32_t arrived = timing_search(timing, &j, 1.0f);
    if (arrived < 0 && timing->count == PLAN_TIMING_NODES)
        arrived = timing_search(timing, &j, 2.0f);
    j.out = scratch;
    if (arrived < 0 || !write_all(timing, &j, arrived))
        return 0;
    memcpy(pieces, scratch, (size_t)j.out_count * sizeof *pieces);
    return j.out_count;
}
