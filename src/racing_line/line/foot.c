// Purpose: the foot of a place on the centre line, with the surface there.
// Idea:    Walks from a guess along the stations until one lies behind the place and one ahead of
//          it. It never looks further: where the cross-sections of a hairpin meet or the track
//          crosses itself, the nearest part of the centre line may be the wrong one. Between the
//          two stations all values are linear, apart from the arc of the centre line.
// Cost:    O(stations walked).
// Source:  our own.
#include "line.h"

// Greatest number of stations of a walk: 16 nodes. More would lead to another part of the track.
// [1]
#define WALK_MOST 64

static int32_t racing_line_foot_station_count(const line_view* v) {
    return v->closed ? v->nodes * LINE_FINE : (v->nodes - 1) * LINE_FINE + 1;
}

static int32_t station_beside(const line_view* v, int32_t k, int32_t step) {
    int32_t count = racing_line_foot_station_count(v), j = k + step;
    if (v->closed)
        return j < 0 ? j + count : j >= count ? j - count : j;
    return j < 0 ? 0 : j >= count ? count - 1 : j;
}

static line_vector ahead_at(const line_view* v, int32_t k) {
    return line_unit(line_sub(v->stations[station_beside(v, k, 1)].centre,
                              v->stations[station_beside(v, k, -1)].centre));
}

// How far a place lies ahead of a station.
static double ahead_of(const line_view* v, int32_t k, line_vector place) {
    return line_dot(line_sub(place, v->stations[k].centre), ahead_at(v, k));
}

// The station behind a place, near `guess`.
static int32_t station_behind(const line_view* v, int32_t guess, line_vector place) {
    int32_t k = guess, last = racing_line_foot_station_count(v) - 1;
    int32_t way = ahead_of(v, k, place) >= 0.0 ? 1 : -1;
    for (int32_t n = 0; n < WALK_MOST; n++) {
        int32_t next = station_beside(v, k, way);
        if (next == k)
            break;
        if (way > 0 && ahead_of(v, next, place) < 0.0)
            return k;
        k = next;
        if (way < 0 && ahead_of(v, k, place) >= 0.0)
            return k;
    }
    return !v->closed && k == last ? last - 1 : k;
}

static double racing_line_foot_mean(double a, double b, double share) {
    return a + (b - a) * share;
}

line_foot kerb_in_line_foot_at(const line_view* v, int32_t guess, line_vector place) {
    int32_t k = station_behind(v, station_beside(v, guess, 0), place),
            next = station_beside(v, k, 1);
    const line_station *a = &v->stations[k], *b = &v->stations[next];
    double past = ahead_of(v, k, place), to = -ahead_of(v, next, place);
    double share = past + to != 0.0 ? past / (past + to) : 0.0;
    share = line_least(line_most(share, 0.0), 1.0);
    line_vector way = line_sub(b->centre, a->centre);
    line_foot f;
    f.ahead = line_unit(way);
    f.left = line_unit(line_between(a->left, b->left, share));
    f.normal = line_unit(line_cross(f.ahead, f.left));
    // Where the centre line turns left, it lies to the right of its chord by this much.
    double bow = 0.5 * share * (1.0 - share) * line_dot(line_sub(a->left, b->left), way);
    line_vector chord = line_between(a->centre, b->centre, share);
    f.offset = line_dot(line_sub(place, chord), f.left) + bow;
    f.low = racing_line_foot_mean(a->low, b->low, share);
    f.high = racing_line_foot_mean(a->high, b->high, share);
    f.room_left = racing_line_foot_mean(a->room_left, b->room_left, share);
    f.room_right = racing_line_foot_mean(a->room_right, b->room_right, share);
    f.grip = racing_line_foot_mean(a->grip, b->grip, share);
    f.bank = racing_line_foot_mean(a->bank, b->bank, share);
    return f;
}
