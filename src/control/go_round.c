// Which offset is wanted with something in the way, found by trying: the same judgement, with
// another offset wanted.
//
// All neighbours again for each offset tried: three at most for what stands, one for what comes.
#include "go_round.h"

#define PASS_BESIDE 0.7f            // room beside what is gone round [m]
#define MEET_BESIDE 0.6f            // … and beside what comes head-on [m]
#define GO_ROUND_FACES_OWN_WAY 0.7f // cosine: who faces the same way so much may be waiting itself
#define FACES_AGAINST 0.5f          // cosine: who faces this way so much is met as one that comes
#define OUT_THERE 0.5f              // of the offset: who is so far aside gets on with it
#define GO_ROUND_GAIN_LEAST 0.2f    // going round must allow so much more speed [m/s]
#define OPEN_SPEED 1.0f             // a side that allows more is open [m/s]
#define WORTH_WIDTHS 0.5f           // the other must be so many widths less aside to be worth it
#define WAIT_FARTHER 1.1f           // who waits to swing out stands so many swings behind …
#define WAIT_ROOM 0.5f              // … and so much more [m]
#define CHOICE_MOST 0.5f    // of the widths: so far on the other side both are clearly there …
#define CHOICE_LEAST 0.05f  // … and next to each other …
#define CHOICE_SLOPE 0.015f // … because the nearer it is, the less is left to choose [1/m]

// The offset that passes it on one side. False when the way is too narrow there; then as far as
// there is room.
static bool offset_past(const kerb_reference_line* way, const control_meeting* m, float side,
                        float beside, float* offset) {
    float wanted = side * m->aside + m->half_aside + 0.5f * way->width + beside;
    float most = kerb_in_way_room(way, m->gap, m->passed, side) - 0.5f * way->width;
    *offset = side * kerb_max(kerb_min(wanted, most), 0.0f);
    return wanted <= most;
}

// The driving side: left is 1.
static float own_side(const judge* j) {
    return j->settings->driving_side == KERB_DRIVE_RIGHT ? -1.0f : 1.0f;
}

// --------------------------------------------------------------------------- what stands

typedef struct go_round_passing {
    judge* judge;
    const verdict* first; // the judgement of staying on the line
    float begun;          // the offset by which it is being passed already; 0: not begun [m]
    bool may;             // it has stood for long enough
    bool open;            // there is room on a side
    float least_swing;    // to go aside there [m]
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

// What was begun on one side is done there; else the side to overtake on, or to meet on.
static float side_to_begin(const go_round_passing* p) {
    float side = -own_side(p->judge);
    if (p->first->meeting.facing < -FACES_AGAINST)
        side = -side;
    return p->begun * side < 0.0f ? -side : side;
}

// By the other side, which is open, at about the same way round.
static bool is_no_better(const go_round_passing* p, float offset) {
    float worth = WORTH_WIDTHS * p->judge->way->width;
    return p->best.offset != 0.0f && p->best.verdict.speed > OPEN_SPEED &&
           kerb_abs(offset) > kerb_abs(p->best.offset) - worth;
}

static void go_round_try_side(go_round_passing* p, float side) {
    const kerb_reference_line* way = p->judge->way;
    const control_meeting* m = &p->first->meeting;
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
    // Somebody comes; who is out there already gets on with it.
    if (v.comes && kerb_abs(way->lateral_offset) < OUT_THERE * kerb_abs(offset))
        return;
    bool better = v.speed > p->best.verdict.speed + GO_ROUND_GAIN_LEAST && !is_no_better(p, offset);
    if (p->begun * side > 0.0f || better)
        p->best = (detour){offset, v};
}

// Who must wait behind it waits where there is still room to swing out.
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
    return p.best;
}

// --------------------------------------------------------------------------- what comes

detour kerb_in_go_round_oncoming(judge* j, const verdict* first) {
    const kerb_reference_line* way = j->way;
    const control_meeting* m = &first->meeting;
    float side = own_side(j);
    float between = m->aside - way->lateral_offset;
    float choice = kerb_clamp(CHOICE_SLOPE * m->gap, CHOICE_LEAST, CHOICE_MOST);
    if (between * side > choice * (0.5f * way->width + m->half_aside))
        side = -side;
    detour d;
    offset_past(way, m, side, MEET_BESIDE, &d.offset);
    d.verdict = kerb_in_judge_offset(j, d.offset, m->passed);
    return d;
}
