// Purpose: right of way where lines meet, among vehicles that publish their intents.
//
// Idea: every vehicle claims the part of its line that it needs soon and publishes the claim. It
// does not claim a zone that another vehicle has claimed or is in. When two vehicles claim a zone
// in the same frame, both see it in the next frame, and the one that would arrive later gives its
// claim up. The order is total (times, then ids), so exactly one of any set of claims remains. A
// claim ends only where the vehicle can stop outside every zone: a vehicle that could not leave a
// crossing, because another one stands behind it, does not claim the crossing (keep clear). So
// every holder of a claim can use it up, and no cycle of waiting vehicles arises. Where lines
// merge nobody stops: the later vehicle follows the earlier one as if that were already ahead.
//
// With "first come, first served" alone, a stream of vehicles could pass for ever. So a vehicle
// that stands asks for what it would claim if nobody had claimed any of it, and the one that has
// waited longest comes first: whoever has not waited as long, has not entered any zone and can
// still stop gives its claim up, or makes none. So nothing new enters the zones of the one that has
// waited longest, what is in them leaves them, and it gets its claim. It asks only as far as there
// is room to leave every crossing, so that nobody waits for one that could not go.
//
// Cost: O(contests²). Source: reservations as in Dresner and Stone, "A multiagent approach to
// autonomous intersection management", Journal of Artificial Intelligence Research 31 (2008)
// 591-656, without their intersection manager.
#include "claim.h"
#include "right_of_way.h"

// Chosen by trial.

#define CLAIM_INSIDE 0.3f // a vehicle is in a zone when it is this far inside [m]
#define SLIPPED 0.6f      // the same for one that has lost its claim: it may have stopped late [m]
// It claims its stopping distance, this time at its speed, and CLAIM_MORE. [s]
#define CLAIM_TIME 1.0f
#define CLAIM_MORE 6.0f // see CLAIM_TIME [m]
// A vehicle goes first when it leaves this long before the other enters. [s]
#define PASS_BEFORE 1.2f
#define CLEAR_AFTER 0.4f // a vehicle may enter this long after the other has left [s]
// Waits are compared in steps of this. Where two or three streams cross, the longest stand and the
// vehicles that get through in a minute are 7 s and 27 with 2 s, 10 s and 28 with 6 s, 15 s and 29
// with 10 s, and 145 s and 31 where waits do not count. [s]
#define WAIT_STEP 6.0f

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

typedef struct claiming {
    claim* claim;
    int32_t limited_by; // index of the neighbour that ends the claim; -1: none
    bool entered;       // it is in a zone already
    const kerb_avoid* memory;
    const kerb_avoid_settings* settings;
    const kerb_reference_line* way;
    claim_answer answer;
} claiming;

// --------------------------------------------------------------------------- one contest

// Distance to where it waits for the zone. [m]
static float waits_at(const contest* c) {
    return c->zone.own_enter - c->before - STOP_BEFORE;
}

static int32_t wait_steps(float waited) {
    return (int32_t)(kerb_clamp(waited, 0.0f, UNLIMITED) / WAIT_STEP);
}

// Above 0: the other has waited longer; below 0: this one has; 0: both as long.
static int32_t claim_waits_longer(const contest* c, const kerb_avoid* memory) {
    return wait_steps(c->waited) - wait_steps(memory->yield_time);
}

// True when one vehicle clearly leaves the zone before the other enters it.
static bool passes_before(float leave, float speed, float enter, float their_speed) {
    return time_for(leave, speed) + PASS_BEFORE < time_for(enter, their_speed);
}

// Both have claimed the zone. Where lines merge, the vehicle that arrives sooner wins. Else the
// lower id wins, because the order of arrival differs from zone to zone: of four vehicles at a
// crossing each may be sooner than the next.
static bool wins(const contest* c, const kerb_avoid* memory, const kerb_reference_line* way) {
    const others_zone* z = &c->zone;
    // What this one has told in the last frame, as the other reckons with it.
    const float own_stopping = memory->stopping > 0.0f
                                   ? memory->stopping
                                   : stopping_distance(way->speed, way->braking_max);
    bool can_stop = own_stopping < z->own_enter;
    bool they_can = c->stopping < z->their_enter;
    if (can_stop != they_can)
        return they_can;
    if (c->waits != c->goes)
        return c->goes;
    const int32_t longer = claim_waits_longer(c, memory);
    if (longer != 0)
        return longer < 0;
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

// The other has not claimed the zone, but asks for it and has waited longer.
static bool lets_go(const contest* c, const kerb_avoid* memory) {
    return !memory->insists && !c->goes && c->asked > c->zone.their_enter + CLAIM_INSIDE &&
           claim_waits_longer(c, memory) > 0;
}

// It can give its claim up: it has entered no zone, and need not brake hard to stop before this
// one.
static bool can_give_up(const claiming* now, const contest* c) {
    const kerb_reference_line* way = now->way;
    const float speed = kerb_max(way->speed, 0.0f);
    return !now->entered && stopping_distance(speed, way->braking) + STOP_TIME * speed <
                                c->zone.own_enter - STOP_BEFORE;
}

static bool claim_goes_first(const claiming* now, const contest* c) {
    const kerb_avoid* memory = now->memory;
    const kerb_reference_line* way = now->way;
    const others_zone* z = &c->zone;
    bool own = memory->claimed > z->own_enter + CLAIM_INSIDE;
    bool their = c->clear > z->their_enter + CLAIM_INSIDE;
    // A vehicle without a claim that had to stop a little late has not entered by that.
    bool in = z->own_enter < -(own ? CLAIM_INSIDE : SLIPPED);
    bool they_are_in = z->their_enter < -(their ? CLAIM_INSIDE : SLIPPED);
    if (in && they_are_in && z->merges)
        return z->ahead < 0.0f || (z->ahead == 0.0f && way->id < c->id);
    if (in && they_are_in) // the one that is deeper in the zone gets out sooner
        return z->own_enter < z->their_enter || (z->own_enter == z->their_enter && way->id < c->id);
    if (in || they_are_in)
        return in;
    if (own && their)
        return wins(c, memory, way);
    if (!own && c->waits)
        return passes_before(z->own_leave, way->speed, z->their_enter, c->speed);
    if (own && !can_give_up(now, c))
        return true;
    if (own || !their)
        return !lets_go(c, memory);
    // The other has claimed the zone but will not arrive for some time.
    return !z->merges && passes_before(z->own_leave, way->speed, z->their_enter, c->speed);
}

// The other vehicle will have left the zone before this one arrives.
static bool comes_after(const contest* c, const kerb_reference_line* way) {
    const others_zone* z = &c->zone;
    if (c->speed < 1.0f || z->their_leave > z->their_enter + c->clear)
        return false;
    return z->their_leave / c->speed + CLEAR_AFTER < time_for(z->own_enter, way->speed);
}

// --------------------------------------------------------------------------- the claim

static void claim_limit(claiming* c, float speed, int32_t index) {
    if (speed >= c->answer.speed)
        return;
    c->answer.speed = speed;
    c->answer.index = index;
}

static float claim_speed_before(const claiming* c, float distance) {
    return kerb_gap_speed(distance, 0.0f, STOP_TIME, 0.0f, c->way->braking);
}

// Follows a vehicle that merges first, as if it were already ahead. Before the zone, the stopping
// distance to the zone is enough, and a speed at which it gets there when the other is ahead: until
// then the gap is one along the line, and they may be side by side.
static void follow(claiming* c, const contest* with) {
    const kerb_reference_line* way = c->way;
    const others_zone* z = &with->zone;
    float gap = z->ahead - with->rear - way->front;
    float speed =
        kerb_gap_speed(gap, with->speed, c->settings->gap_time, c->settings->gap_min, way->braking);
    if (z->own_enter > 0.0f) {
        const float passed = time_for(c->settings->gap_min + z->own_enter - gap, with->speed);
        speed = kerb_min(speed, z->own_enter / kerb_max(passed, 0.01f));
        speed = kerb_max(speed, claim_speed_before(c, z->own_enter - STOP_BEFORE));
    }
    claim_limit(c, speed, with->index);
    float room = kerb_max(gap + with->clear - c->settings->gap_min, z->own_enter - STOP_BEFORE);
    if (room < c->answer.clear) {
        c->answer.clear = room;
        c->limited_by = with->index;
    }
}

// Claims zone by zone, nearest first, until one is not available or not needed yet.
static void claim_zones(claiming* c, const contest** held_by) {
    const kerb_reference_line* way = c->way;
    float speed = kerb_max(way->speed, 0.0f);
    float need = stopping_distance(speed, way->braking) + CLAIM_TIME * speed + CLAIM_MORE;
    for (int32_t i = 0; i < c->claim->count; i++) {
        const contest* with = &c->claim->contests[i];
        const others_zone* z = &with->zone;
        if (with->narrow && !c->answer.narrow)
            c->answer.narrow = !claim_goes_first(c, with);
        if (waits_at(with) >= c->answer.clear)
            continue;
        if (z->own_enter - with->before > need) {
            c->answer.clear = waits_at(with);
            c->limited_by = with->index;
            return;
        }
        bool first = claim_goes_first(c, with);
        if (!first)
            c->answer.courteous = !with->waits && with->clear <= z->their_enter + CLAIM_INSIDE &&
                                  z->their_enter > -SLIPPED;
        if (!first && z->merges) {
            follow(c, with);
        } else if (!first) {
            c->answer.clear = waits_at(with);
            c->limited_by = with->index;
            *held_by = comes_after(with, way) ? NULL : with;
            return;
        }
        need = kerb_max(need, z->own_leave + STOP_BEFORE);
    }
}

// The claim must not end in a zone that another vehicle wants to cross. What it waits for there is
// not that vehicle, but the one that ended the claim. What can no longer stop before the zone keeps
// its claim there: others would enter it, and be hit.
static void keep_clear(claiming* c, const contest** held_by) {
    for (int32_t i = c->claim->count - 1; i >= 0; i--) {
        const contest* with = &c->claim->contests[i];
        const others_zone* z = &with->zone;
        bool in = c->answer.clear > z->own_enter - with->before && c->answer.clear < z->own_leave;
        const bool holds = c->memory->claimed > z->own_enter + CLAIM_INSIDE;
        if (z->merges || !in || z->own_enter < 0.0f || (holds && !can_give_up(c, with)))
            continue;
        c->answer.clear = waits_at(with);
        if (*held_by == NULL || (*held_by)->zone.own_enter >= z->own_enter) {
            *held_by = with;
            c->answer.courteous = false;
        }
    }
}

// How far it would claim if nobody had claimed any of it.
static float claim_asked(const claiming* c, float end) {
    const kerb_reference_line* way = c->way;
    float speed = kerb_max(way->speed, 0.0f), asked = kerb_clamp(c->claim->room_asked, 0.0f, end);
    float need = stopping_distance(speed, way->braking) + CLAIM_TIME * speed + CLAIM_MORE;
    for (int32_t i = 0; i < c->claim->count; i++) {
        const contest* with = &c->claim->contests[i];
        const others_zone* z = &with->zone;
        if (z->own_enter - with->before > need)
            asked = kerb_min(asked, waits_at(with));
        else if (waits_at(with) < asked)
            need = kerb_max(need, z->own_leave + STOP_BEFORE);
    }
    for (int32_t i = c->claim->count - 1; i >= 0; i--) {
        const contest* with = &c->claim->contests[i];
        const others_zone* z = &with->zone;
        if (!z->merges && asked > z->own_enter - with->before && asked < z->own_leave &&
            z->own_enter >= 0.0f)
            asked = waits_at(with);
    }
    return kerb_max(asked, 0.0f);
}

bool kerb_in_claim_leaves(const claim* c, int32_t index) {
    for (int32_t i = 0; i < c->count; i++) {
        const contest* with = &c->contests[i];
        if (with->index == index)
            return with->clear >= with->zone.their_leave;
    }
    return true;
}

static bool claim_has_entered(const claim* c) {
    for (int32_t i = 0; i < c->count; i++)
        if (!c->contests[i].zone.merges && c->contests[i].zone.own_enter < -CLAIM_INSIDE)
            return true;
    return false;
}

claim_answer kerb_in_claim_way(claim* c, const kerb_avoid* memory,
                               const kerb_avoid_settings* settings,
                               const kerb_reference_line* way) {
    claiming now = {.claim = c,
                    .entered = claim_has_entered(c),
                    .memory = memory,
                    .settings = settings,
                    .way = way};
    const kerb_intent* own = way->intent;
    float end = own->spacing * (float)(own->count - 1);
    now.limited_by = c->room < end ? c->room_index : -1;
    now.answer = (claim_answer){
        .speed = UNLIMITED, .clear = kerb_min(kerb_max(c->room, 0.0f), end), .index = -1};
    now.answer.asked = claim_asked(&now, end);
    const contest* held_by = NULL;
    claim_zones(&now, &held_by);
    keep_clear(&now, &held_by);
    if (held_by != NULL) {
        int32_t index = now.limited_by >= 0 ? now.limited_by : held_by->index;
        claim_limit(&now, claim_speed_before(&now, now.answer.clear), index);
    }
    now.answer.clear = kerb_max(now.answer.clear, 0.0f);
    return now.answer;
}
