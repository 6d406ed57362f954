// Purpose: when to drive a way that others cross: slower, or after a wait.
// Idea:    A* over place along the way, speed and time. The movement without others is as fast as
//          any may be at each place and still keep to all that comes; so whatever is driven below
//          its speeds can be driven, gaining speed until it is met and following it from there.
//          In steps of a fixed time: gain speed, keep it, brake. What is still to go is what the
//          undisturbed movement takes from there.
// Cost:    a microsecond or two a node, and what it takes to see that each of the others is clear.
// Source:  path-velocity decomposition: Kant and Zucker, "Toward efficient trajectory planning"
//          (1986).
#include "kerb/plan_search.h"

#include "timing.h"

#include "../../base/shared.h"
#include "../../curve/shared.h"

#include <string.h>

#define TIMING_STEP 0.4f // of time [s]
// Cells along the way and of speed, of which one state of a time is kept: fine ones first, and
// where these are too many before anybody has arrived, twice as coarse. [m] [m/s]
#define TIMING_CELL 0.5f
#define TIMING_SPEED_CELL 0.35f
#define NEARLY 1e-4f
enum { GAIN, KEEP, BRAKE, ACTIONS };

typedef struct journey {
    const plan_movers* movers;
    const kerb_plan_limits* limits;
    const kerb_plan_piece* pieces;
    int32_t count;
    float total; // time of the undisturbed movement [s]
    // Where what is driven is written; NULL: nowhere.
    kerb_plan_piece* out;
    int32_t out_count, out_capacity;
} journey;

// --------------------------------------------------------------------------- driving

// Seconds for a distance; NEVER where it stops before.
static float timing_time_for(float distance, float speed, float acceleration) {
    if (kerb_abs(acceleration) < 1e-6f)
        return speed > 0.0f ? distance / speed : KERB_PLAN_NEVER;
    float square = speed * speed + 2.0f * acceleration * distance;
    if (square < 0.0f)
        return KERB_PLAN_NEVER;
    float sum = speed + kerb_sqrt(square);
    return sum > 0.0f ? 2.0f * distance / sum : KERB_PLAN_NEVER;
}

// Square of the greatest speed here.
static float envelope(const kerb_plan_piece* p, float into) {
    return kerb_max(p->speed * p->speed + 2.0f * p->acceleration * into, 0.0f);
}

// One after the other; what goes on alike becomes one piece.
static void write_piece(journey* j, const kerb_plan_piece* p) {
    if (!j->out || p->duration <= 0.0f)
        return;
    kerb_plan_piece* last = j->out_count > 0 ? &j->out[j->out_count - 1] : NULL;
    if (last && last->curvature == p->curvature && last->acceleration == p->acceleration &&
        last->direction == p->direction && (last->length > 0.0f) == (p->length > 0.0f)) {
        last->duration += p->duration;
        last->length += p->length;
    } else if (j->out_count < j->out_capacity) {
        j->out[j->out_count++] = *p;
    } else {
        j->out_capacity = -1; // too many
    }
}

static kerb_plan_piece piece_from(const kerb_plan_piece* p, const plan_timing_state* s,
                                  float acceleration, float duration) {
    kerb_plan_piece part = *p;
    bool stands = p->length == 0.0f;
    part.start =
        stands ? p->start : curve_moved(p->start, p->curvature, (float)p->direction * s->into);
    part.time = s->time;
    part.duration = duration;
    part.speed = s->speed;
    part.acceleration = acceleration;
    part.length = kerb_max((s->speed + 0.5f * acceleration * duration) * duration, 0.0f);
    return part;
}

static void next_piece(plan_timing_state* s) {
    s->piece++;
    s->into = 0.0f;
}

// What the action asks for, as far as the speeds of the undisturbed movement allow it.
static float timing_acceleration_of(const journey* j, const kerb_plan_piece* p,
                                    const plan_timing_state* s, int32_t action) {
    const kerb_plan_limits* l = j->limits;
    bool back = p->direction < 0;
    float wanted = action == GAIN   ? (back ? l->reverse_acceleration : l->acceleration)
                   : action == KEEP ? 0.0f
                                    : -(back ? l->reverse_braking : l->braking);
    float most = envelope(p, s->into);
    bool is_fastest = s->speed * s->speed >= most - NEARLY * (1.0f + most);
    return is_fastest ? kerb_min(wanted, p->acceleration) : wanted;
}

// Until the piece ends, the speed is 0, the greatest one is reached or the time is over. How long.
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

// A part that ends as good as where its piece does, ends there: braking to rest, the last tenth of
// a millimetre is 3 cm/s.
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
    part->duration = 2.0f * rest / (s->speed + end);
    // Over a short rest, rounding would be a large acceleration.
    part->acceleration =
        kerb_clamp((end * end - square) / (2.0f * rest), -(back ? l->reverse_braking : l->braking),
                   back ? l->reverse_acceleration : l->acceleration);
}

// One part of a step, of at most `left` seconds; what it took. False: it meets somebody.
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

// It must arrive as fast as it was to.
static bool is_arrival(const journey* j, const plan_timing_state* s) {
    const kerb_plan_piece* last = &j->pieces[j->count - 1];
    float wanted = last->speed + last->acceleration * last->duration;
    return s->piece == j->count && s->speed >= wanted - 5e-4f;
}

// The node that arrives first; -1: none was found.
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

// Drives it once more and writes it down.
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
