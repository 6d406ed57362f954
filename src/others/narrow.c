// Purpose: who drives first through a stretch that is too narrow for two: a narrow bridge, a lane
//          with passing places.
//
// Idea: a stretch of the own corridor in which both widths do not fit side by side is a zone, as a
// crossing is one: it is claimed whole, before it is entered, and one that waits for it stops where
// the corridor is wider, on its own side. Both vehicles know the same corridor, and find the same
// stretch, as far as their reference lines reach.
//
// Cost: O(stations) for each vehicle that comes head-on.
#include "narrow.h"

// Two that pass each other at walking pace keep this between them and to each edge. [m]
#define NARROW_BESIDE 0.15f

// Distance in which the other moves aside, when the vehicle has no place on its side. [m]
#define MOVES_ASIDE 6.0f

// A place to wait reaches this share of a length back, and begins this far from its end. [1], [m]
#define LENGTHS 1.5f
#define PLACE_EDGE 4.0f

// By how much the corridor is too narrow at a station; negative: it is wide enough. [m]
static float narrow_lack(const judge* j, int32_t station, float width) {
    const kerb_reference_station* at = &j->way->stations[station];
    return j->way->width + width + 3.0f * NARROW_BESIDE - at->left - at->right;
}

// Between two stations, one of them too narrow: where the width is just enough. [m]
static float narrow_edge(const judge* j, int32_t station, float width) {
    const float a = narrow_lack(j, station - 1, width), b = narrow_lack(j, station, width);
    const float from = j->way->stations[station - 1].distance;
    return from + (j->way->stations[station].distance - from) * a / (a - b);
}

// From its own side (1) or that of the other (-1): one that waits there is out of the other's way.
static bool narrow_has_place(const judge* j, float from, float to, float side, float width) {
    if (j->settings->driving_side == KERB_DRIVE_RIGHT)
        side = -side;
    const float room = kerb_in_way_room(j->way, from, to, side);
    return room - 0.5f * j->way->width > 0.5f * (j->way->width + width) + 2.0f * NARROW_BESIDE;
}

void kerb_in_narrow_add(judge* j, const others_meeting* m, const contest* with) {
    const kerb_reference_line* way = j->way;
    const kerb_intent* their = m->neighbour->intent;
    const float first = with->zone.own_enter + way->front;
    const float last = with->zone.own_leave - way->rear;
    for (int32_t i = 0; i < way->count; i++) {
        if (narrow_lack(j, i, their->width) <= 0.0f)
            continue;
        float from = i > 0 ? narrow_edge(j, i, their->width) : -way->rear;
        while (i < way->count && narrow_lack(j, i, their->width) > 0.0f)
            i++;
        float to = i < way->count ? narrow_edge(j, i, their->width) : way_end(way);
        from = kerb_max(from, first);
        to = kerb_min(to, last);
        contest c = *with;
        c.narrow = true;
        const bool own = narrow_has_place(j, from - LENGTHS * (way->front + way->rear),
                                          from - PLACE_EDGE, 1.0f, their->width);
        const bool other = narrow_has_place(
            j, to + PLACE_EDGE, to + LENGTHS * (their->front + their->rear), -1.0f, their->width);
        c.waits = own && !other;
        c.goes = other && !own;
        if (!own)
            c.before = MOVES_ASIDE;
        // The other enters the zone where this vehicle leaves it.
        c.zone = (others_zone){.own_enter = from - way->front,
                               .own_leave = to + way->rear,
                               .their_enter = with->zone.their_enter + (last - to),
                               .their_leave = with->zone.their_leave - (from - first),
                               .opposed = true};
        if (from < to && c.zone.own_leave > 0.0f && c.zone.their_leave > 0.0f)
            kerb_in_claim_add(&j->claim, &c);
    }
}

float kerb_in_narrow_aside(const judge* j, float until) {
    const kerb_reference_line* way = j->way;
    const float side = j->settings->driving_side == KERB_DRIVE_RIGHT ? -1.0f : 1.0f;
    const float room =
        kerb_in_way_room(way, 0.0f, kerb_max(until + way->front - PLACE_EDGE, 0.0f), side);
    return side * kerb_max(room - 0.5f * way->width - NARROW_BESIDE, 0.0f);
}
