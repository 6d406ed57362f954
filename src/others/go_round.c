// Chooses the lateral offset when something is in the way, by trying: the judgement of judge.c is
// repeated with another offset.
//
// Cost: all neighbours again for each offset tried. That is at most three offsets for an obstacle
// at standstill and one for an oncoming vehicle.
#include "go_round.h"

// Chosen by trial, unless a reason is given.

#define PASS_BESIDE 0.7f // lateral clearance to a vehicle that it passes [m]
#define MEET_BESIDE 0.6f // lateral clearance to an oncoming vehicle [m]
// Cosine (46 degrees): one that faces the same way may be waiting itself.
#define GO_ROUND_FACES_OWN_WAY 0.7f
// Cosine (60 degrees): one that faces against is passed like an oncoming one.
#define FACES_AGAINST 0.5f
// Share of the offset: a vehicle this far out goes on when another comes.
#define OUT_THERE 0.5f
#define GO_ROUND_GAIN_LEAST 0.2f // speed that going round must gain [m/s]
#define OPEN_SPEED 1.0f          // a side that allows more than this speed is open [m/s]
// Vehicle widths by which the other side's offset must be smaller.
#define WORTH_WIDTHS 0.5f
// Lengths of the lateral move that it keeps behind the obstacle while it waits.
#define WAIT_FARTHER 1.1f
#define WAIT_ROOM 0.5f // additional distance to that [m]
// Farther on the other side than this share of the widths, both stay there.
#define CHOICE_MOST 0.5f
#define CHOICE_LEAST 0.05f // the same share for vehicles next to each other
// Growth of that share with the gap, because a near vehicle has less choice. [1/m]
#define CHOICE_SLOPE 0.015f

// The offset that passes it on one side. False when the corridor is too narrow there: then the
// offset uses all the width that there is.
static bool offset_past(const kerb_reference_line* way, const others_meeting* m, float side,
                        float beside, float* offset) {
    float wanted = side * m->aside + m->half_aside + 0.5f * way->width + beside;
    float most = kerb_in_way_room(way, m->gap, m->passed, side) - 0.5f * way->width;
    *offset = side * kerb_max(kerb_min(wanted, most), 0.0f);
    return wanted <= most;
}

// The side of the road on which it drives: 1 left, -1 right.
static float own_side(const judge* j) {
    return j->settings->driving_side == KERB_DRIVE_RIGHT ? -1.0f : 1.0f;
}

// --------------------------------------------------------------------------- obstacles

typedef struct go_round_passing {
    judge* judge;
    const verdict* first; // the judgement at offset 0
    float begun;          // offset by which it already passes the obstacle; 0: not begun [m]
    bool may;             // the obstacle has been at standstill for long enough
    bool open;            // there is enough width on one side
    float least_swing;    // shortest length of the lateral move [m]
    detour best;
} go_round_passing;

static go_round_passing passing_of(judge* j, const verdict* first) {
    bool known = j->memory->obstacle == first->id;
    go_round_passing p = {
        .judge = j, .first = first, .least_swing = UNLIMITED, .best.verdict = *first};
    p.begun = known ? j->memory->lateral_offset : 0.0f;
    p.may = first->meeting.facing < GO_ROUND_FACES_OWN_WAY ||
            (known && j->memory->obstacle_time >= j->settings->patience);
    return p;
}

// A pass that has begun on one side continues there. Else it begins on the side for overtaking, or
// on its own side when the other faces against it.
static float side_to_begin(const go_round_passing* p) {
    float side = -own_side(p->judge);
    if (p->first->meeting.facing < -FACES_AGAINST)
        side = -side;
    return p->begun * side < 0.0f ? -side : side;
}

// The side found first is open and needs about the same offset.
static bool is_no_better(const go_round_passing* p, float offset) {
    float worth = WORTH_WIDTHS * p->judge->way->width;
    return p->best.offset != 0.0f && p->best.verdict.speed > OPEN_SPEED &&
           kerb_abs(offset) > kerb_abs(p->best.offset) - worth;
}

static void go_round_try_side(go_round_passing* p, float side) {
    const kerb_reference_line* way = p->judge->way;
    const others_meeting* m = &p->first->meeting;
    float offset;
    if (!offset_past(way, m, side, PASS_BESIDE, &offset))
        return;
    p->open = true;
    float length =
        kerb_in_swing_length(way, offset - way->lateral_offset, PASS_BESIDE - BESIDE_OTHERS);
    p->least_swing = kerb_min(p->least_swing, length);
    if (!p->may)
        return;
    verdict v = kerb_in_judge_offset(p->judge, offset, m->passed);
    // Another vehicle is oncoming. Only a vehicle that is already far out goes on.
    if (v.comes && kerb_abs(way->lateral_offset) < OUT_THERE * kerb_abs(offset))
        return;
    bool better = v.speed > p->best.verdict.speed + GO_ROUND_GAIN_LEAST && !is_no_better(p, offset);
    if (p->begun * side > 0.0f || better)
        p->best = (detour){.offset = offset, .verdict = v};
}

// When it must wait behind the obstacle, it stops where there is still enough distance to move
// sideways.
static void wait_with_room(go_round_passing* p) {
    p->judge->behind_standing = WAIT_FARTHER * p->least_swing + WAIT_ROOM;
    p->best.verdict = kerb_in_judge_offset(p->judge, 0.0f, p->first->meeting.passed);
}

detour kerb_in_go_round_standing(judge* j, const verdict* first) {
    go_round_passing p = passing_of(j, first);
    float side = side_to_begin(&p);
    j->passing = true;
    go_round_try_side(&p, side);
    if (p.begun == 0.0f || p.best.offset == 0.0f)
        go_round_try_side(&p, -side);
    if (p.open && p.best.offset == 0.0f && first->meeting.gap > 0.0f)
        wait_with_room(&p);
    p.best.narrow = !p.open;
    return p.best;
}

// --------------------------------------------------------------------------- oncoming vehicles

detour kerb_in_go_round_oncoming(judge* j, const verdict* first) {
    const kerb_reference_line* way = j->way;
    const others_meeting* m = &first->meeting;
    float side = own_side(j);
    float between = m->aside - way->lateral_offset;
    float choice = kerb_clamp(CHOICE_SLOPE * m->gap, CHOICE_LEAST, CHOICE_MOST);
    if (between * side > choice * (0.5f * way->width + m->half_aside))
        side = -side;
    detour d = {.narrow = false};
    offset_past(way, m, side, MEET_BESIDE, &d.offset);
    d.verdict = kerb_in_judge_offset(j, d.offset, m->passed);
    return d;
}
