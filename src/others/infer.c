// Purpose: finds cycles of waiting vehicles among those that do not publish their intents.
//
// Idea: a vehicle at standstill that says nothing waits for the nearest vehicle straight in front
// of it. All drivers see the same vehicles, so all that are in a cycle infer the same cycle, and
// the same order of those that have room to go back. Where a line bends, the inference may err:
// such a chain seems to end at a vehicle that stands for no reason.
//
// Cost: O(neighbours) for each vehicle of the chain, at standstill only.
#include "infer.h"

#include "../vehicle/shared.h"

// A vehicle in front waits for what is at most so far ahead of it: gaps of queues, and some more
// for a lane that bends. [m]
#define INFER_AHEAD 4.0f
// It can go back when this much is free behind it. [m]
#define INFER_BEHIND 2.0f
// Longer chains are not followed: more vehicles than stand on a crossing. [1]
#define INFER_MOST 12
// Vehicles whose directions have less than this cosine (41 degrees) stand across each other. [1]
#define INFER_ACROSS 0.75f

kerb_neighbour kerb_in_infer_self(const judge* j) {
    const kerb_reference_line* way = j->way;
    const kerb_reference_station* here = &way->stations[0];
    const float cosine = kerb_cos(way->heading_error), sine = kerb_sin(way->heading_error);
    const kerb_vec2 forward = {cosine * here->direction.x - sine * here->direction.y,
                               sine * here->direction.x + cosine * here->direction.y};
    const float middle = 0.5f * (way->front - way->rear);
    return (kerb_neighbour){.id = way->id,
                            .position = {here->position.x + middle * forward.x,
                                         here->position.y + middle * forward.y, here->position.z},
                            .forward = forward,
                            .length = way->front + way->rear,
                            .width = way->width};
}

// The gap between the end of `of` on one side (1: front, -1: rear) and `n`, if that is straight
// before that end, else UNLIMITED. [m]
static float infer_gap(const kerb_neighbour* of, const kerb_neighbour* n, float side) {
    const kerb_vec2 ahead =
        kerb_vec2_scale(kerb_in_meeting_direction(of->forward, (kerb_vec2){1.0f, 0.0f}), side);
    const kerb_vec2 off = {n->position.x - of->position.x, n->position.y - of->position.y};
    const way_spot half =
        kerb_in_meeting_extents(n, kerb_in_meeting_direction(n->forward, ahead), ahead);
    const float along = kerb_vec2_dot(ahead, off), aside = kerb_vec2_cross(ahead, off);
    if (along <= 0.0f || kerb_abs(aside) >= half.aside + 0.5f * of->width ||
        kerb_abs(n->position.z - of->position.z) > MEETING_HEIGHT)
        return UNLIMITED;
    return along - half.along - 0.5f * of->length;
}

// The least gap on one side, and to whom: an index among the neighbours, or their count for this
// vehicle itself; -1: nobody within `reach`.
static int32_t infer_nearest(const judge* j, const kerb_neighbour* self, const kerb_neighbour* of,
                             float side, float reach) {
    int32_t nearest = -1;
    for (int32_t i = 0; i <= j->count; i++) {
        const kerb_neighbour* n = i < j->count ? &j->neighbours[i] : self;
        if (n->id == of->id || (i < j->count && n->id == self->id) ||
            !kerb_in_neighbour_is_possible(n))
            continue;
        const float gap = infer_gap(of, n, side);
        if (gap >= reach)
            continue;
        reach = gap;
        nearest = i;
    }
    return nearest;
}

static bool infer_says(const kerb_neighbour* n) {
    return n->intent != NULL && kerb_in_intent_is_known(n->intent);
}

// For whom a neighbour waits, by what it says.
static int32_t infer_said(const judge* j, const kerb_neighbour* n) {
    for (int32_t i = 0; i < j->count; i++)
        if (j->neighbours[i].id == n->intent->wait.waits_for)
            return j->neighbours[i].id == j->way->id ? j->count : i;
    return n->intent->wait.waits_for == j->way->id ? j->count : -1;
}

static bool infer_is_across(const kerb_neighbour* a, const kerb_neighbour* b) {
    return kerb_abs(kerb_vec2_dot(a->forward, b->forward)) < INFER_ACROSS;
}

infer_chain kerb_in_infer_waits(const judge* j, int32_t first) {
    const kerb_neighbour self = kerb_in_infer_self(j);
    infer_chain chain = {.end = INFER_ON};
    int32_t at = first, members[INFER_MOST];
    for (int32_t hops = 0; hops < INFER_MOST; hops++) {
        const kerb_neighbour* n = &j->neighbours[at];
        const bool says = infer_says(n);
        if (kerb_vec3_length(n->velocity) >= STANDS || (says && n->intent->wait.hops == 0))
            return chain;
        for (int32_t i = 0; i < hops; i++)
            chain.end = members[i] == at ? INFER_RING : chain.end;
        if (chain.end == INFER_RING)
            return chain;
        members[hops] = at;
        const kerb_neighbour* last = hops > 0 ? &j->neighbours[members[hops - 1]] : &self;
        chain.across = chain.across || infer_is_across(last, n);
        chain.silent = chain.silent || !says;
        if (n->id < j->way->id && infer_nearest(j, &self, n, -1.0f, INFER_BEHIND) < 0)
            chain.before++;
        at = says ? infer_said(j, n) : infer_nearest(j, &self, n, 1.0f, INFER_AHEAD);
        if (at == j->count || at < 0) {
            chain.end = at < 0 ? INFER_STANDS : INFER_BACK;
            return chain;
        }
    }
    return chain;
}
