// Who goes first where ways meet, among those that tell one another what they mean to do.
//
// Every vehicle claims its way as far ahead as it needs and tells the others. A zone that another
// has claimed, or is in, is not claimed; where two claim one in the same frame, the next frame
// shows it to both, and the one that would be there later gives it up: an order that is total, by
// times and then ids, so that of any set of claims one stays. Claims end only where the vehicle can
// stand without being in a zone: who could not leave a crossing, because somebody stands behind it,
// does not claim it (keep clear). So whoever holds a claim can use it up, and no circle of waiting
// vehicles arises. Where ways merge nobody stops: the later one follows the earlier as if it were
// ahead already.
//
// First come, first served would let a stream pass for ever: who claims anew lets him go who stands
// at the zone for longer, for as long as that can help.
//
// O(contests²). Source: reservations as in Dresner and Stone, "A multiagent approach to autonomous
// intersection management", Journal of Artificial Intelligence Research 31 (2008) 591-656, without
// their intersection manager.
#include "claim.h"
#include "right_of_way.h"

#define CLAIM_INSIDE 0.3f // so far in a zone one is in it [m]
#define SLIPPED 0.6f      // … unless it has lost its claim: then so far [m]
#define CLAIM_TIME 1.0f   // one claims what one will need within stopping, this long …
#define CLAIM_MORE 6.0f   // … and so much more [m]
#define PASS_BEFORE 1.2f  // who is through by so much before another comes goes [s]
#define CLEAR_AFTER 0.4f  // who comes by so much after another has left goes [s]
#define COURTESY 3.0f     // who has stood for so long gives way to claims only [s]
#define WAITS_LONGER 1.0f // by so much, it is let go [s]
#define CLAIM_NEAR 3.0f   // who waits stands no farther from the zone [m]

void kerb_in_claim_add(claim* c, const contest* with) {
    int32_t at = c->count;
    while (at > 0 && (c->contests[at - 1].zone.own_enter > with->zone.own_enter ||
                      (c->contests[at - 1].zone.own_enter == with->zone.own_enter &&
                       c->contests[at - 1].id > with->id))) {
        if (at < CONTESTS_MOST)
            c->contests[at] = c->contests[at - 1];
        at--;
    }
    if (at < CONTESTS_MOST)
        c->contests[at] = *with;
    c->count = c->count < CONTESTS_MOST ? c->count + 1 : CONTESTS_MOST;
}

// --------------------------------------------------------------------------- one contest

// One is through, clearly, before another comes.
static bool passes_before(float leave, float speed, float enter, float their_speed) {
    return time_for(leave, speed) + PASS_BEFORE < time_for(enter, their_speed);
}

// Both have claimed it. Where ways merge, who is sooner there; else the lower id, because being
// sooner is different from zone to zone, and of four at a crossing each may be sooner than the
// next.
static bool wins(const contest* c, const kerb_reference_line* way) {
    const control_zone* z = &c->zone;
    bool can_stop = stopping_distance(way->speed, way->braking_max) < z->own_enter;
    bool they_can = stopping_distance(c->speed, THEIR_BRAKING) < z->their_enter;
    if (can_stop != they_can)
        return they_can;
    float own = time_for(z->own_enter, way->speed);
    float their = time_for(z->their_enter, c->speed);
    bool stand = way->speed < STANDS && c->speed < STANDS;
    if (z->merges && !stand && kerb_abs(own - their) >= 0.1f)
        return own < their;
    if (!z->merges && passes_before(z->own_leave, way->speed, z->their_enter, c->speed))
        return true;
    if (!z->merges && passes_before(z->their_leave, c->speed, z->own_enter, way->speed))
        return false;
    return way->id < c->id;
}

// Nobody has it yet. Who stands there for longer is let go.
static bool lets_go(const contest* c, const kerb_avoid* memory) {
    return memory->yield_time < COURTESY && c->waited > memory->yield_time + WAITS_LONGER &&
           c->speed < STANDS && c->zone.their_enter < CLAIM_NEAR;
}

static bool claim_goes_first(const contest* c, const kerb_avoid* memory,
                             const kerb_reference_line* way) {
    const control_zone* z = &c->zone;
    bool own = memory->claimed > z->own_enter + CLAIM_INSIDE;
    bool their = c->clear > z->their_enter + CLAIM_INSIDE;
    // Who had to stop a little late has not come in by that.
    bool in = z->own_enter < -(own ? CLAIM_INSIDE : SLIPPED);
    bool they_are_in = z->their_enter < -(their ? CLAIM_INSIDE : SLIPPED);
    if (in && they_are_in && z->merges)
        return z->ahead < 0.0f || (z->ahead == 0.0f && way->id < c->id);
    if (in && they_are_in) // the deeper one gets out sooner
        return z->own_enter < z->their_enter || (z->own_enter == z->their_enter && way->id < c->id);
    if (in || they_are_in)
        return in;
    if (own && their)
        return wins(c, way);
    if (own || !their)
        return own || !lets_go(c, memory);
    // It has it, but will not be there for long.
    return !z->merges && passes_before(z->own_leave, way->speed, z->their_enter, c->speed);
}

// It will have left before this one comes.
static bool comes_after(const contest* c, const kerb_reference_line* way) {
    const control_zone* z = &c->zone;
    if (c->speed < 1.0f || z->their_leave > z->their_enter + c->clear)
        return false;
    return z->their_leave / c->speed + CLEAR_AFTER < time_for(z->own_enter, way->speed);
}

// --------------------------------------------------------------------------- the claim

typedef struct claiming {
    claim* claim;
    const kerb_avoid* memory;
    const kerb_avoid_settings* settings;
    const kerb_reference_line* way;
    claim_answer answer;
} claiming;

static void claim_limit(claiming* c, float speed, const contest* with, bool yields) {
    if (speed >= c->answer.speed)
        return;
    c->answer.speed = speed;
    c->answer.index = with->index;
    c->answer.yields = yields;
}

static float claim_speed_before(const claiming* c, float distance) {
    return kerb_gap_speed(distance, 0.0f, STOP_TIME, 0.0f, c->way->braking);
}

// Behind one that merges first, as if it were ahead already; before the zone there is time for it.
static void follow(claiming* c, const contest* with) {
    const kerb_reference_line* way = c->way;
    const control_zone* z = &with->zone;
    float gap = z->ahead - with->rear - way->front;
    float speed =
        kerb_gap_speed(gap, with->speed, c->settings->gap_time, c->settings->gap_min, way->braking);
    if (z->own_enter > 0.0f)
        speed = kerb_max(speed, claim_speed_before(c, z->own_enter - STOP_BEFORE));
    claim_limit(c, speed, with, false);
    float room = kerb_max(gap + with->clear - c->settings->gap_min, z->own_enter - STOP_BEFORE);
    if (room < c->answer.clear)
        c->answer.clear = room;
}

// Claims zone by zone, the nearest first, until one cannot be had or is not needed yet.
static void claim_zones(claiming* c, const contest** held_by) {
    const kerb_reference_line* way = c->way;
    float speed = kerb_max(way->speed, 0.0f);
    float need = stopping_distance(speed, way->braking) + CLAIM_TIME * speed + CLAIM_MORE;
    for (int32_t i = 0; i < c->claim->count; i++) {
        const contest* with = &c->claim->contests[i];
        const control_zone* z = &with->zone;
        if (z->own_enter - STOP_BEFORE >= c->answer.clear)
            continue;
        if (z->own_enter > need) {
            c->answer.clear = z->own_enter - STOP_BEFORE;
            return;
        }
        bool first = claim_goes_first(with, c->memory, way);
        if (!first && z->merges) {
            follow(c, with);
        } else if (!first) {
            c->answer.clear = z->own_enter - STOP_BEFORE;
            *held_by = comes_after(with, way) ? NULL : with;
            return;
        }
        need = kerb_max(need, z->own_leave + STOP_BEFORE);
    }
}

// No standing in a zone that another wants to cross.
static void keep_clear(claiming* c, const contest** held_by) {
    for (int32_t i = c->claim->count - 1; i >= 0; i--) {
        const contest* with = &c->claim->contests[i];
        const control_zone* z = &with->zone;
        bool in = c->answer.clear > z->own_enter && c->answer.clear < z->own_leave;
        if (z->merges || !in || z->own_enter < 0.0f)
            continue;
        c->answer.clear = z->own_enter - STOP_BEFORE;
        if (*held_by == NULL || (*held_by)->zone.own_enter >= z->own_enter)
            *held_by = with;
    }
}

claim_answer kerb_in_claim_way(claim* c, const kerb_avoid* memory,
                               const kerb_avoid_settings* settings,
                               const kerb_reference_line* way) {
    claiming now = {.claim = c, .memory = memory, .settings = settings, .way = way};
    const kerb_intent* own = way->intent;
    float end = own->spacing * (float)(own->count - 1);
    now.answer = (claim_answer){
        .speed = UNLIMITED, .clear = kerb_min(kerb_max(c->room, 0.0f), end), .index = -1};
    const contest* held_by = NULL;
    claim_zones(&now, &held_by);
    bool yields = held_by != NULL;
    keep_clear(&now, &held_by);
    if (held_by != NULL)
        claim_limit(&now, claim_speed_before(&now, now.answer.clear), held_by, yields);
    now.answer.clear = kerb_max(now.answer.clear, 0.0f);
    return now.answer;
}
