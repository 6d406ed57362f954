// Which rule is for whom: each neighbour in turn, the least speed that one of them allows counts.
//
// What goes along the way, with it or against it, is taken to follow the road and may only change
// sides; what goes across is led on by its velocity and yaw rate. Who tells what it means to do is
// not led on: zones are shared by claims (claim.c). O(neighbours), and what the rules cost.
#include "judge.h"

#define ZONE_MARGIN 0.5f  // between two strips of which both are told [m]
#define OPPOSED 0.95f     // whose ways go against one another by so much come head-on
#define SAME_WAY 0.75f    // cosine between vehicles of which one follows the other
#define ALONG_SHARE 0.85f // of its speed along the way: it follows the same road
#define FACES 0.7f        // cosine by which one faces this way
#define MAKES_ROOM 3.0f   // … and slower than this it may be making room backwards [m/s]
#define TAIL_SLACK 0.5f   // one that follows may reach past one's tail by so much [m]

verdict* kerb_in_judge_limit(judge* j, const control_meeting* m, float speed, kerb_reason reason) {
    verdict* v = &j->verdict;
    uint32_t id = m->neighbour->id;
    if (speed > v->speed || (speed == v->speed && v->index >= 0 && id >= v->id))
        return NULL;
    *v = (verdict){.speed = speed, .reason = reason, .index = m->index, .id = id, .meeting = *m};
    return v;
}

// Who is not ahead looks after itself.
static bool is_ahead(const kerb_reference_line* way, const control_meeting* m) {
    return m->along + m->half_along > way->front && m->along > 0.0f;
}

// Off by at least a metre, where that is all that matters.
static float overlap_ahead(const judge* j, const control_meeting* m, bool ahead) {
    return ahead ? kerb_in_judge_overlap(j, m) : -1.0f;
}

static bool goes_against(const control_meeting* m) {
    return m->speed_along < -ALONG_SHARE * m->speed;
}

// --------------------------------------------------------------------------- known intents

// How far one's front may go behind another, for what that one has claimed itself.
static void keep_behind(judge* j, const control_meeting* m) {
    float room = m->gap - j->settings->gap_min + m->neighbour->intent->claimed;
    if (room < j->claim.room) {
        j->claim.room = room;
        j->claim.room_index = m->index;
    }
}

// Notes the zone that is shared with a neighbour. True when both go head-on through the whole of
// it.
static bool survey(judge* j, const control_meeting* m) {
    const kerb_intent* intent = m->neighbour->intent;
    contest c = {.speed = m->speed,
                 .clear = intent->claimed,
                 .waited = intent->yield_time,
                 .rear = intent->rear,
                 .id = m->neighbour->id,
                 .index = m->index};
    if (!kerb_in_boxes_meet(j->way->intent, intent, ZONE_MARGIN))
        return false;
    control_strip their;
    kerb_in_strip_of(intent, &their);
    if (!kerb_in_zone_between(&j->strip, &their, ZONE_MARGIN, &c.zone))
        return false;
    if (c.zone.own_leave <= 0.0f || c.zone.their_leave <= 0.0f)
        return false;
    if (c.zone.facing < -OPPOSED && c.zone.facing_last < -OPPOSED)
        return true;
    if (!j->surveyed)
        kerb_in_claim_add(&j->claim, &c);
    return false;
}

static bool follows(const kerb_reference_line* way, const control_meeting* m) {
    return kerb_abs(m->aside - way->lateral_offset) < 0.5f * way->width && m->facing > SAME_WAY &&
           m->along + m->half_along < -way->rear + TAIL_SLACK;
}

// Nobody has been told of an offset that is only tried, and who has gone aside for one that comes
// must not come back because the ways are apart now.
static bool comes_untold(const judge* j, const control_meeting* m) {
    bool aside = j->swing.to != 0.0f || j->memory->lateral_offset != 0.0f;
    return aside && m->speed > STANDS && goes_against(m);
}

static void consider_known(judge* j, const control_meeting* m) {
    float overlap = overlap_ahead(j, m, is_ahead(j->way, m));
    bool leads = overlap > 0.0f && m->facing > SAME_WAY;
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

// What faces this way and stands, or makes room backwards, has come and may go on.
static bool has_come(const judge* j, const control_meeting* m) {
    return m->facing < -FACES && m->speed < MAKES_ROOM && m->gap > 0.0f &&
           kerb_in_judge_overlap(j, m) > 0.0f;
}

static void consider_unknown(judge* j, const control_meeting* m) {
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
    control_meeting m;
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
