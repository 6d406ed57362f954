// Purpose: the speed that each kind of neighbour allows: one at standstill, one ahead, one that
// cuts in, one oncoming, one that crosses.
//
// Cost: O(1) each. An oncoming one while an obstacle is being passed costs MEETING_PLACES times as
// much. One that crosses costs what conflict.c says.
#include "conflict.h"
#include "judge.h"

// Chosen by trial, unless a reason is given.

#define BESIDE_DOING 0.15f // lateral clearance while it already passes [m]
// Growth of the lateral clearance with speed, from BESIDE_DOING on. [s]
#define BESIDE_PER_SPEED 0.03f
// One that moves outwards faster than this counts as leaving. [m/s]
#define LEAVES 0.5f
#define JUDGE_RULES_COMES_IN 0.2f // one that moves inwards more slowly only drifts [m/s]
// Time for which an inward movement is predicted as a lane change. [s]
#define CUT_IN 1.8f
// Lower speeds count as this speed when times are computed. [m/s]
#define JUDGE_RULES_PACE_LEAST 1.0f
#define FALL_BACK 0.7f // share of the other's speed: enough to fall back behind it
// While passing, the vehicle may have this share of its speed when they meet …
#define DETOUR_SLOW 0.6f
#define DETOUR_FAST 0.8f    // … or up to this share of its desired speed
#define MEETING_PLACES 8    // meeting points tried between the two
#define DRIFT_BELIEVED 1.0f // time for which a lateral drift is predicted [s]
// Times response_distance_min: distance to move sideways before an oncoming vehicle.
#define SWING_ROOM 1.5f
// Speed towards one that faces this vehicle, while both may still move aside. [m/s]
#define JUDGE_RULES_CREEP 1.2f
// Share of the desired speed at which it passes an oncoming vehicle.
#define BESIDE_PACE 0.5f

// At low speed a smaller clearance is enough.
static float judge_rules_room_beside(float speed) {
    return kerb_clamp(BESIDE_DOING + BESIDE_PER_SPEED * speed, BESIDE_DOING, BESIDE_OTHERS);
}

// Notes what a neighbour allows, if nobody allows less. The verdict to complete; NULL: it does not
// count.
static verdict* judge_rules_limit(judge* j, const others_meeting* m, float speed,
                                  kerb_reason reason) {
    verdict* v = &j->verdict;
    uint32_t id = m->neighbour->id;
    if (speed > v->speed || (speed == v->speed && v->index >= 0 && id >= v->id))
        return NULL;
    *v = (verdict){.speed = speed, .reason = reason, .index = m->index, .id = id, .meeting = *m};
    return v;
}

float kerb_in_judge_overlap(const judge* j, const others_meeting* m) {
    const kerb_reference_line* way = j->way;
    // A pass that has begun is not given up for a small difference.
    bool doing = j->passing && j->memory->lateral_offset * j->swing.to > 0.0f;
    float margin = doing ? BESIDE_DOING : judge_rules_room_beside(way->speed);
    float half = 0.5f * way->width + m->half_aside + (m->gap > 0.0f ? margin : 0.0f);
    float at_first = m->aside - kerb_in_swing_offset_at(&j->swing, kerb_max(m->gap, 0.0f));
    float at_last = m->aside - kerb_in_swing_offset_at(&j->swing, m->passed);
    if (at_first * at_last < 0.0f)
        return half;
    float least = kerb_min(kerb_abs(at_first), kerb_abs(at_last));
    if (m->gap >= way->response_distance)
        return half - least;
    // While the vehicle is at an angle to the line, its nose has another lateral offset.
    float at_nose = m->aside - way->lateral_offset - way->front * way->heading_error;
    return half - kerb_min(least, kerb_abs(at_nose));
}

// --------------------------------------------------------------------------- along the road

void kerb_in_judge_standing(judge* j, const others_meeting* m) {
    float least = kerb_max(j->settings->gap_min, j->behind_standing);
    float speed = kerb_gap_speed(m->gap, 0.0f, STOP_TIME, least, j->way->braking);
    verdict* v = judge_rules_limit(j, m, speed, KERB_REASON_FOLLOWING);
    if (v != NULL)
        v->stands = true;
}

// The speed behind a vehicle that moves along the line at `speed_along`.
static float judge_rules_speed_behind(const judge* j, const others_meeting* m, float speed_along) {
    return kerb_gap_speed(m->gap, speed_along, j->settings->gap_time, j->settings->gap_min,
                          j->way->braking);
}

void kerb_in_judge_same_way(judge* j, const others_meeting* m, float overlap) {
    const kerb_reference_line* way = j->way;
    float leaving = m->aside > way->lateral_offset ? m->speed_aside : -m->speed_aside;
    if (leaving > LEAVES && m->gap > 0.0f &&
        kerb_in_way_time_at(way, m->gap) > overlap / leaving + PASS_AFTER)
        return; // it has left by then
    float speed = judge_rules_speed_behind(j, m, kerb_max(m->speed_along, 0.0f));
    judge_rules_limit(j, m, speed, KERB_REASON_FOLLOWING);
}

void kerb_in_judge_cut_in(judge* j, const others_meeting* m, float apart) {
    const kerb_reference_line* way = j->way;
    float inward = m->aside > way->lateral_offset ? -m->speed_aside : m->speed_aside;
    if (inward < JUDGE_RULES_COMES_IN || apart > CUT_IN * inward)
        return;
    float nose = m->along + m->half_along - way->front;
    float earlier = -nose / kerb_max(kerb_max(way->speed, m->speed_along), JUDGE_RULES_PACE_LEAST);
    if (m->gap < 0.0f && kerb_in_right_of_way(way->id, m->neighbour->id, earlier, 0.0f))
        return;
    float speed = judge_rules_speed_behind(j, m, m->speed_along);
    judge_rules_limit(j, m, kerb_max(speed, FALL_BACK * m->speed_along), KERB_REASON_YIELDING);
}

// --------------------------------------------------------------------------- head-on

// The smallest lateral distance to an oncoming vehicle over all stations where they may meet. While
// passing, the vehicle may be slower or faster than now, and must be back on its side in time. [m]
static float apart_when_meeting(const judge* j, const others_meeting* m) {
    float slow = kerb_max(j->way->speed, JUDGE_RULES_PACE_LEAST), fast = slow;
    if (j->passing) {
        slow *= DETOUR_SLOW;
        fast = kerb_max(slow, DETOUR_FAST * j->way->desired_speed);
    }
    float from = kerb_max(m->gap, 0.0f) * slow / (slow + m->speed);
    float to = m->passed * fast / (fast + m->speed);
    // A lateral drift does not go on off the road.
    float aside = m->aside + m->speed_aside * kerb_min(from / slow, DRIFT_BELIEVED);
    int32_t places = j->passing ? MEETING_PLACES : 1;
    float apart = UNLIMITED;
    for (int32_t i = 0; i <= places; i++) {
        float place = from + (to - from) * (float)i / (float)places;
        apart = kerb_min(apart, kerb_abs(aside - kerb_in_swing_offset_at(&j->swing, place)));
    }
    return apart;
}

// Keeps the distance that a lateral move needs, as long as that helps. The rest is done at walking
// speed.
static float speed_towards(const judge* j, const others_meeting* m) {
    const kerb_reference_line* way = j->way;
    float least = j->settings->gap_min, room = least + SWING_ROOM * way->response_distance_min;
    float towards = kerb_min(m->speed_along, 0.0f);
    float speed = kerb_gap_speed(m->gap, towards, STOP_TIME, room, way->braking);
    float walk = kerb_gap_speed(m->gap, towards, STOP_TIME, least, way->braking);
    speed = kerb_max(speed, kerb_min(walk, JUDGE_RULES_CREEP));
    if (m->along + m->half_along <
        way->front) // beside it: braking does not help, only the lateral offset does
        speed = kerb_max(speed, BESIDE_PACE * way->desired_speed);
    return speed;
}

void kerb_in_judge_oncoming(judge* j, const others_meeting* m) {
    const kerb_reference_line* way = j->way;
    float beside = m->gap > 0.0f ? judge_rules_room_beside(way->speed + m->speed) : 0.0f;
    float half = 0.5f * way->width + m->half_aside + beside;
    if (m->passed < 0.0f || apart_when_meeting(j, m) >= half)
        return;
    verdict* v = judge_rules_limit(j, m, speed_towards(j, m), KERB_REASON_YIELDING);
    if (v != NULL) {
        v->comes = true;
        v->stands = m->speed < STANDS;
    }
}

// --------------------------------------------------------------------------- across

void kerb_in_judge_crossing(judge* j, const others_meeting* m) {
    const kerb_reference_line* way = j->way;
    conflict c;
    if (kerb_in_conflict_is_unlikely(way, m) || !kerb_in_conflict_find(way, &j->swing, m, &c))
        return;
    if (c.own_enter > way_end(way))
        return; // beyond the known end of the line
    if (!kerb_in_right_of_way_is_theirs(way, j->memory->waiting_time, &c, m->neighbour->id,
                                        m->speed))
        return;
    float speed = kerb_gap_speed(c.own_enter, 0.0f, STOP_TIME, STOP_BEFORE, way->braking);
    judge_rules_limit(j, m, speed, KERB_REASON_YIELDING);
}
