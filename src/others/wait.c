// Purpose: finds cycles of vehicles that wait for each other, and dissolves them.
//
// Idea: each vehicle at standstill waits for one other: the one that limits its speed. So waits
// form chains, and a chain ends at a vehicle that does not wait, or leads into one cycle. Each
// vehicle offers a time in which it can clear the way of those that wait for it, by going back. It
// publishes the lower of two offers: its own, and that which the vehicle it waits for published in
// the last frame. In a cycle the least offer travels all the way round. No offer enters a cycle
// from outside, because a vehicle reads only from the one that it waits for. So a vehicle that
// receives its own offer is part of a cycle, and its offer is the least. Two offers of the same
// time are told apart by ids, so there is just one such vehicle.
//
// The offer of a vehicle that has left a cycle would travel round for ever. It counts one more wait
// in each frame, and is dropped at WAIT_HOPS_MAX. So longer cycles are not found.
//
// Where several vehicles are in the way, which of them limits the speed changes from frame to
// frame. A vehicle waits for all of them, but publishes one, so it keeps to that one while it
// stands there. A cycle through another of them is found after this one is dissolved.
//
// Cost: O(neighbours), and a zone for each vehicle that waits for this one, at standstill only.
//
// Source: edge chasing of Chandy, Misra and Haas, "Distributed deadlock detection", ACM
// Transactions on Computer Systems 1 (1983) 144-156, with the answer carried along instead of a
// probe.
#include "wait.h"

#include "infer.h"
#include "shared.h"

#include "../vehicle/shared.h"

// A limit below this means that a vehicle at standstill has to stay there. [m/s]
#define WAITED_FOR 0.5f
// What has not set off in this time cannot, and waits at any limit. [s]
#define WAIT_SETS_OFF 2.0f
// Greatest number of waits in a cycle that is found: more vehicles than fit round a block.
#define WAIT_HOPS_MAX 64
// Vehicles that set off are in a cycle for some frames, until they have seen each other's new
// claims. A cycle that lasts longer than that is one. [s]
#define CYCLE_SURE 1.0f
// A vehicle that has not limited the speed for this time counts as out of the way. In the town two
// limit it by turns of half a second to some seconds. [s]
#define WAIT_KEEPS 5.0f
#define RETREAT_SPEED 2.0f // mean speed of going back, in an estimate of its time [m/s]
#define RETREAT_BEGIN 2.0f // time to change into reverse and back again, in that estimate [s]
#define RETREAT_ROOM 1.0f  // gap to whoever is behind that is left [m]
// Where no known distance clears the way, as where vehicles stand across each other's lanes, one
// goes back by at most this: a length of a car, after which it faces another situation; each time
// that it comes back to the same one, a length farther. [m]
#define RETREAT_BLIND 4.0f
#define RETREAT_WORTH 1.0f // … if there is at least this room [m]
// Offer for such a retreat: higher than for any known distance, and higher each time, so that the
// vehicles of a cycle take turns. [s]
#define RETREAT_BLIND_TIME 100.0f
// A queue does not go back farther: some four cars, which is more than any crossing needs. [m]
#define RETREAT_FARTHEST 30.0f
// A cycle in which no vehicle can go back may still be dissolved by one outside that drives on and
// leaves room behind. After this time it is one for the host. [s]
#define CYCLE_HELPLESS 10.0f
// Going back has not helped after so many retreats before it gets past the place where it waited:
// that, too, is one for the host. [1]
#define RETREAT_TRIES 2
// Each further retreat, before it gets past the place where it waited, begins after twice the time;
// the time doubles at most so often, to 32 s. As with packets that collide on a network, another
// gets its turn. [1]
#define RETREAT_DOUBLINGS 5
// A chain that seems to end at a vehicle which stands for no reason may be a cycle whose lines
// bend, or lead to a wreck. It is taken for a cycle where vehicles stand across each other, after
// so many times the time, and so often. [1]
#define SILENT_UNSURE 5.0f
#define SILENT_TRIES 4
// One that waits behind a cycle goes back after so many times the time, so that a vehicle of the
// cycle gets room behind it. [1]
#define SILENT_RING 4.0f
// Room has to be asked for from one vehicle of a queue to the next, which takes seconds each. [s]
#define SILENT_HELPLESS 60.0f
// A vehicle ahead that has come nearer by this since this one stands asks for room, and one that
// has this much room can ask so. [m]
#define SILENT_NUDGE 0.5f
// It goes back by so much more, because it stops by this much late or early. [m]
#define RETREAT_MORE 0.3f

bool kerb_in_wait_stands_for(const kerb_reference_line* way, const kerb_avoid* avoid,
                             const verdict* v) {
    float limit = avoid->standing_time > WAIT_SETS_OFF ? way->desired_speed : WAITED_FOR;
    return way->speed < STANDS && v->speed < limit;
}

static bool waits_for(const kerb_neighbour* n, uint32_t id) {
    return n->intent != NULL && n->intent->wait.hops > 0 && n->intent->wait.waits_for == id;
}

// How far it must go back so that the neighbour, which waits for it, can go on. Greater than any
// distance where going back does not help. [m]
static float wait_retreat_for(const judge* j, const kerb_neighbour* n) {
    others_strip their;
    others_zone zone;
    if (!j->tells || !kerb_in_intent_is_known(n->intent))
        return UNLIMITED;
    kerb_in_strip_of(n->intent, &their);
    if (!kerb_in_zone_between(&j->strip, &their, RETREAT_MORE, &zone) || zone.own_leave <= 0.0f ||
        zone.own_enter < -j->way->front - j->way->rear)
        return UNLIMITED;
    return kerb_max(STOP_BEFORE + RETREAT_MORE - zone.own_enter, 0.0f);
}

// --------------------------------------------------------------------------- offers

// How far it goes back, and what that costs.
typedef struct wait_offer {
    float retreat; // [m]
    float time;    // [s]
} wait_offer;

// Where no distance is known that clears the way.
static wait_offer wait_blind_offer(const judge* j, const kerb_avoid* avoid) {
    const float room = avoid->room_behind, times = (float)(1 + avoid->retreats);
    if (room < RETREAT_WORTH)
        return (wait_offer){0.0f, KERB_WAIT_NEVER};
    return (wait_offer){kerb_min(room, RETREAT_BLIND * times),
                        RETREAT_BLIND_TIME * times + j->way->retreat_delay};
}

static wait_offer wait_offer_of(const judge* j, const kerb_avoid* avoid) {
    float needed = 0.0f;
    bool any = false;
    for (int32_t i = 0; i < j->count; i++) {
        const kerb_neighbour* n = &j->neighbours[i];
        if (n->id == j->way->id || !waits_for(n, j->way->id))
            continue;
        any = true;
        needed = kerb_max(needed, wait_retreat_for(j, n));
    }
    const float room = avoid->room_behind;
    if (any && needed <= room && avoid->retreats == 0)
        return (wait_offer){needed, RETREAT_BEGIN + needed / RETREAT_SPEED + j->way->retreat_delay};
    return any ? wait_blind_offer(j, avoid) : (wait_offer){0.0f, KERB_WAIT_NEVER};
}

// How far it can go back, when those behind it that stand go back, too. [m]
static float wait_room_behind(const judge* j, kerb_avoid* avoid) {
    if (j->way->cannot_retreat)
        return 0.0f;
    kerb_in_avoid_note_behind(avoid, j->way, j->neighbours, j->count);
    float gap = avoid->behind_gap - RETREAT_ROOM;
    const kerb_intent* behind = NULL;
    for (int32_t i = 0; i < j->count; i++)
        if (j->neighbours[i].id == avoid->behind && avoid->behind_gap < UNLIMITED)
            behind = j->neighbours[i].intent;
    if (behind != NULL && behind->wait.hops > 0 && behind->room_behind > 0.0f) // and no NaN
        gap += behind->room_behind;
    return kerb_clamp(gap, 0.0f, RETREAT_FARTHEST);
}

// What it must go back for one ahead of it that goes back. [m]
static float wait_asked(const judge* j) {
    float asked = 0.0f;
    for (int32_t i = 0; i < j->count; i++) {
        const kerb_neighbour* n = &j->neighbours[i];
        if (n->intent == NULL || n->intent->behind != j->way->id || !(n->intent->retreat > 0.0f))
            continue;
        asked = kerb_max(asked, n->intent->retreat + RETREAT_ROOM - n->intent->behind_gap);
    }
    return asked;
}

// What it must go back for one ahead of it that says nothing, and has come nearer. [m]
static float wait_nudged(const judge* j, kerb_avoid* avoid, const verdict* v) {
    const kerb_neighbour* n = &j->neighbours[v->index];
    if (v->reason != KERB_REASON_FOLLOWING || n->intent != NULL)
        return 0.0f;
    if (avoid->stood_for != n->id || v->meeting.gap > avoid->stood_gap) {
        avoid->stood_for = n->id;
        avoid->stood_gap = v->meeting.gap;
    }
    if (v->meeting.gap < avoid->stood_gap - SILENT_NUDGE)
        return RETREAT_BLIND;
    return v->meeting.gap < RETREAT_ROOM ? j->settings->gap_min - v->meeting.gap : 0.0f;
}

static void wait_begin_retreat(kerb_avoid* avoid, float distance) {
    avoid->retreat = distance;
    avoid->retreat_time = avoid->cycle_time = avoid->silent_time = 0.0f;
    avoid->wait = (kerb_wait){0};
    avoid->stood_for = 0;
}

// A vehicle that has got past the place where it waited, by its length, begins anew. One that goes
// to and fro before it does not.
static void wait_regain(const kerb_reference_line* way, kerb_avoid* avoid, float time_step) {
    avoid->regain -= way->speed * time_step;
    if (avoid->regain < -(way->front + way->rear))
        avoid->retreats = 0;
    if (avoid->retreats == 0)
        avoid->regain = 0.0f;
}

static bool is_better(const kerb_wait* a, const kerb_wait* b) {
    return a->clearing_time < b->clearing_time ||
           (a->clearing_time == b->clearing_time && a->clears < b->clears);
}

// The neighbour that it waits for: the one that it has published, while that stands and has limited
// the speed lately, or the one that limits it now.
static int32_t wait_whom(const judge* j, kerb_avoid* avoid, int32_t limiting, float time_step) {
    int32_t kept = limiting;
    for (int32_t i = 0; i < j->count && avoid->wait.hops > 0; i++) {
        const kerb_neighbour* n = &j->neighbours[i];
        if (n->id == avoid->wait.waits_for && kerb_vec3_length(n->velocity) < STANDS)
            kept = i;
    }
    avoid->wait_kept = kept == limiting ? 0.0f : avoid->wait_kept + time_step;
    if (avoid->wait_kept <= WAIT_KEEPS)
        return kept;
    avoid->wait_kept = 0.0f;
    return limiting;
}

// How long a cycle lasts before this vehicle goes back. [s]
static float wait_sure(const kerb_avoid* avoid) {
    return CYCLE_SURE * (float)(1 << (avoid->retreats < RETREAT_DOUBLINGS ? avoid->retreats
                                                                          : RETREAT_DOUBLINGS));
}

// The same for a chain of vehicles that do not say for whom they wait. Offers are unknown there:
// the first by id of those that can go back has its turn, then the next. Negative: it is no cycle.
// [s]
static float wait_silent_sure(const judge* j, const kerb_avoid* avoid, int32_t first) {
    const infer_chain chain = kerb_in_infer_waits(j, first);
    const float sure = wait_sure(avoid), turn = (float)(1 + 2 * chain.before);
    if (!chain.silent)
        return -1.0f;
    switch (chain.end) {
    case INFER_BACK:
        return sure * turn;
    case INFER_RING:
        return SILENT_RING * sure;
    case INFER_STANDS:
        return chain.across && avoid->retreats < SILENT_TRIES ? SILENT_UNSURE * sure * turn : -1.0f;
    default:
        return -1.0f;
    }
}

// Goes back when it is its turn among vehicles that say nothing.
static void wait_watch_silent(const judge* j, kerb_avoid* avoid, int32_t first, float time_step) {
    const float sure = wait_silent_sure(j, avoid, first);
    avoid->silent_time = sure >= 0.0f ? avoid->silent_time + time_step : 0.0f;
    if (sure < 0.0f || avoid->silent_time < sure || avoid->room_behind < SILENT_NUDGE)
        return;
    wait_begin_retreat(avoid, RETREAT_BLIND * (float)(1 + avoid->retreats));
    avoid->retreats++;
}

void kerb_in_wait_watch(const judge* j, kerb_avoid* avoid, const verdict* v, float time_step) {
    wait_regain(j->way, avoid, time_step);
    bool waits =
        kerb_in_wait_stands_for(j->way, avoid, v) && v->index >= 0 && avoid->hold_time <= 0.0f;
    if (!waits) {
        avoid->wait = (kerb_wait){0};
        avoid->cycle_time = avoid->silent_time = avoid->room_behind = 0.0f;
        avoid->stood_for = 0;
        return;
    }
    avoid->room_behind = wait_room_behind(j, avoid);
    const float asked =
        kerb_max(kerb_min(wait_asked(j), avoid->room_behind), wait_nudged(j, avoid, v));
    if (asked > RETREAT_MORE && !j->way->cannot_retreat) {
        wait_begin_retreat(avoid, asked);
        return;
    }
    const int32_t whom = wait_whom(j, avoid, v->index, time_step);
    const kerb_neighbour* n = &j->neighbours[whom];
    const wait_offer offer = avoid->courteous ? (wait_offer){0.0f, 0.0f} : wait_offer_of(j, avoid);
    const kerb_wait own = {
        .hops = 1, .waits_for = n->id, .clears = j->way->id, .clearing_time = offer.time};
    const kerb_wait known = n->intent != NULL ? n->intent->wait : (kerb_wait){0};
    const bool counts = known.hops > 0 && known.hops < WAIT_HOPS_MAX;
    const bool told = counts && known.clears == own.clears;
    avoid->wait = own;
    if (counts && !told && is_better(&known, &own)) {
        avoid->wait.clears = known.clears;
        avoid->wait.clearing_time = known.clearing_time;
        avoid->wait.hops = known.hops + 1;
    }
    avoid->cycle_time = told ? avoid->cycle_time + time_step : 0.0f;
    if (!told) {
        wait_watch_silent(j, avoid, whom, time_step);
        return;
    }
    if (avoid->cycle_time < wait_sure(avoid) || offer.time >= KERB_WAIT_NEVER)
        return;
    if (avoid->courteous) {
        avoid->insists = true;
        avoid->cycle_time = 0.0f;
        return;
    }
    wait_begin_retreat(avoid, kerb_max(offer.retreat, RETREAT_MORE));
    avoid->retreats++;
}

bool kerb_in_wait_is_helpless(const kerb_avoid* avoid) {
    const bool tried = avoid->retreats >= RETREAT_TRIES && avoid->wait.hops > 0 &&
                       avoid->standing_time > CYCLE_HELPLESS;
    return avoid->cycle_time > CYCLE_HELPLESS || avoid->silent_time > SILENT_HELPLESS || tried;
}

// --------------------------------------------------------------------------- retreat

// A retreat is given up after this time: 4 m at walking speed take 4 s, and those behind must go
// first. [s]
#define RETREAT_LASTS 15.0f
// After a retreat it claims nothing for this time: the others have set off by then. [s]
#define RETREAT_HOLD 3.0f

float kerb_avoid_retreat(kerb_avoid* avoid, float speed, float stopping_distance, float time_step) {
    avoid->retreat += speed * time_step;
    avoid->regain -= speed * time_step;
    avoid->yield_driven += speed * time_step;
    avoid->retreat_time += time_step;
    if (avoid->retreat <= stopping_distance || avoid->retreat_time > RETREAT_LASTS) {
        avoid->retreat = 0.0f;
        avoid->hold_time = RETREAT_HOLD;
    }
    return avoid->retreat;
}

void kerb_avoid_tell(const kerb_avoid* avoid, kerb_intent* intent) {
    const bool retreats = avoid->retreat > 0.0f;
    intent->claimed = retreats ? 0.0f : avoid->claimed;
    intent->asked = retreats ? 0.0f : avoid->asked;
    intent->stopping = avoid->stopping;
    intent->yield_time = avoid->yield_time;
    intent->wait = retreats ? (kerb_wait){0} : avoid->wait;
    intent->room_behind = retreats ? 0.0f : avoid->room_behind;
    intent->retreat = avoid->retreat;
    intent->behind = avoid->behind;
    intent->behind_gap = avoid->behind_gap;
}
