// Purpose: chooses the rule for each neighbour. The lowest speed that a neighbour allows counts.
//
// Idea: a neighbour that moves along the line, in either direction, is assumed to follow the road
// and to change only its lateral offset. One that moves across is predicted by its velocity and yaw
// rate. One that publishes its intent is not predicted: zones are shared by claims (claim.c).
// Cost: O(neighbours), and what the rules cost.
#include "judge.h"

#include "narrow.h"

// Chosen by trial.

#define ZONE_MARGIN 0.5f  // margin between two strips of known intents [m]
#define OPPOSED 0.95f     // cosine (162 degrees) from which lines count as head-on
#define ALONG_SHARE 0.85f // share of its speed along the line: it follows the same road
#define FACES 0.7f        // cosine (46 degrees) of a vehicle that faces this one
#define MAKES_ROOM 3.0f   // such a vehicle may be making way in reverse up to this speed [m/s]
#define TAIL_SLACK 0.5f   // a follower may reach past the own tail by this distance [m]

// A vehicle that is not ahead takes care of itself.
static bool is_ahead(const kerb_reference_line* way, const others_meeting* m) {
    return m->along + m->half_along > way->front && m->along > 0.0f;
}

// The overlap with a vehicle ahead. For others -1, which means: outside by at least a metre.
static float overlap_ahead(const judge* j, const others_meeting* m, bool ahead) {
    return ahead ? kerb_in_judge_overlap(j, m) : -1.0f;
}

static bool goes_against(const others_meeting* m) {
    return m->speed_along < -ALONG_SHARE * m->speed;
}

// --------------------------------------------------------------------------- known intents

// Limits how far the front may go behind another vehicle: with the distance that the other has
// claimed, if it drives. One that stands would give up what this one claims past it, and stay where
// it is.
static void keep_behind(judge* j, const others_meeting* m) {
    const float claimed = m->speed < STANDS ? 0.0f : m->neighbour->intent->claimed;
    const float room = m->gap - j->settings->gap_min + claimed;
    kerb_in_claim_end_at(&j->claim, room, m->index);
    j->claim.room_asked = kerb_min(j->claim.room_asked, room);
}

// Adds the zone that is shared with a neighbour. True when both are head-on through all of the
// zone.
static bool survey(judge* j, const others_meeting* m) {
    const kerb_intent* intent = m->neighbour->intent;
    contest c = {.speed = m->speed,
                 .clear = intent->claimed,
                 .asked = intent->asked,
                 .waited = intent->yield_time,
                 .stopping = intent->stopping > 0.0f ? intent->stopping
                                                     : stopping_distance(m->speed, THEIR_BRAKING),
                 .rear = intent->rear,
                 .id = m->neighbour->id,
                 .index = m->index};
    if (!kerb_in_boxes_meet(j->way->intent, intent, ZONE_MARGIN))
        return false;
    others_strip their;
    kerb_in_strip_of(intent, &their);
    // Who is aside for one that comes is out of its strip, and yet waits for it.
    const bool opposed = m->facing < -OPPOSED;
    const float aside = opposed ? kerb_abs(j->way->offset_set_point) : 0.0f;
    if (!kerb_in_zone_between(&j->strip, &their, ZONE_MARGIN + aside, &c.zone))
        return false;
    if (c.zone.own_leave <= 0.0f || c.zone.their_leave <= 0.0f)
        return false;
    if (c.zone.opposed) {
        if (!j->surveyed)
            kerb_in_narrow_add(j, m, &c);
        return true;
    }
    if (!j->surveyed)
        kerb_in_claim_add(&j->claim, &c);
    return false;
}

static bool follows(const kerb_reference_line* way, const others_meeting* m) {
    return kerb_abs(m->aside - way->lateral_offset) < 0.5f * way->width && judge_leads(m) &&
           m->along + m->half_along < -way->rear + TAIL_SLACK;
}

// The other does not know of an offset that is only tried. And a vehicle that has moved aside for
// an oncoming one must not return because their lines no longer overlap.
static bool comes_untold(const judge* j, const others_meeting* m) {
    bool aside = j->swing.to != 0.0f || j->memory->lateral_offset != 0.0f;
    return aside && m->speed > STANDS && goes_against(m);
}

static void consider_known(judge* j, const others_meeting* m) {
    float overlap = overlap_ahead(j, m, is_ahead(j->way, m));
    bool leads = overlap > 0.0f && judge_leads(m);
    bool comes = false;
    if (!j->surveyed && leads)
        keep_behind(j, m);
    else if (!leads && !follows(j->way, m))
        comes = survey(j, m);
    if (comes || comes_untold(j, m))
        kerb_in_judge_oncoming(j, m);
    else if (overlap > 0.0f && m->speed < STANDS)
        kerb_in_judge_standing(j, m);
    else if (overlap > 0.0f)
        kerb_in_judge_same_way(j, m, overlap);
}

// --------------------------------------------------------------------------- unknown intents

// A vehicle that faces this one, ahead and at standstill or making way in reverse. It was oncoming
// and may go on.
static bool has_come(const judge* j, const others_meeting* m) {
    return m->facing < -FACES && m->speed < MAKES_ROOM && m->gap > 0.0f &&
           kerb_in_judge_overlap(j, m) > 0.0f;
}

static void consider_unknown(judge* j, const others_meeting* m) {
    bool stands = m->speed < STANDS;
    bool aligned = !stands && kerb_abs(m->speed_along) > ALONG_SHARE * m->speed;
    bool comes = aligned && m->speed_along < 0.0f;
    if (m->gap > way_end(j->way) && !comes && (stands || aligned))
        return;
    if (comes || has_come(j, m)) {
        kerb_in_judge_oncoming(j, m);
        return;
    }
    bool ahead = is_ahead(j->way, m);
    float overlap = overlap_ahead(j, m, ahead);
    if (overlap > 0.0f && stands)
        kerb_in_judge_standing(j, m);
    else if (overlap > 0.0f)
        kerb_in_judge_same_way(j, m, overlap);
    else if (aligned && ahead)
        kerb_in_judge_cut_in(j, m, -overlap);
    else if (!stands && !aligned)
        kerb_in_judge_crossing(j, m);
}

// --------------------------------------------------------------------------- all of them

static void judge_consider(judge* j, const kerb_neighbour* n, int32_t index) {
    others_meeting m;
    if (!kerb_in_meeting_with(j->way, n, index, &m))
        return;
    if (j->tells && n->intent != NULL && kerb_in_intent_is_known(n->intent))
        consider_known(j, &m);
    else
        consider_unknown(j, &m);
}

verdict kerb_in_judge_offset(judge* j, float offset, float until) {
    j->swing = kerb_in_swing_to(j->way, offset, until);
    j->verdict = (verdict){.speed = UNLIMITED, .reason = KERB_REASON_NONE, .index = -1};
    for (int32_t i = 0; i < j->count; i++)
        judge_consider(j, &j->neighbours[i], i);
    return j->verdict;
}
