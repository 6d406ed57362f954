// Purpose: reactions to the other vehicles near the reference line: the speed at which to drive
// behind, before or past them, and the lateral offset.
//
// Idea: each neighbour is measured against the reference line (meeting.c): its station, its lateral
// offset, and the parts of its velocity along and across the line. Its behaviour decides which
// speed it allows (judge.c, judge_rules.c). Where lines cross, the right of way decides
// (conflict.c, right_of_way.c). Where both vehicles publish their intents, claims decide (claim.c).
// When something is in the way, other offsets are tried (go_round.c).
//
// This file does one frame: the order of these steps, and the state from frame to frame.
// Cost: O(stations) for each neighbour that is near enough to matter, and more for one that crosses
// (conflict.c). The same cost again for each offset tried.
#include "go_round.h"
#include "narrow.h"
#include "shared.h"
#include "wait.h"

// Chosen by trial, unless a reason is given.

// Within this distance of its offset the vehicle may gain speed. [m]
#define ASIDE_ENOUGH 0.6f
#define SWING_SPEED 4.0f // while it moves sideways it need not be slower than this [m/s]
// Passing begins at this many response distances plus AVOID_NEAR_TIME.
#define NEAR_REACHES 3.0f
#define AVOID_NEAR_TIME 2.5f // see NEAR_REACHES: time at the present speed [s]
// A vehicle head-on with a stopped one backs out after this time if its id is higher. [s]
#define BLOCKED_HIGHER 4.0f
// The same time if its id is lower, so that both do not back out at once. [s]
#define BLOCKED_LOWER 9.0f
// What has stood in the way for longer than queues stand between two moves, and does not say that
// it waits, stays there. [s]
#define NO_ROOM_AFTER 10.0f

static const kerb_setting avoid_rows[] = {OTHERS_AVOID_ROWS("", 0, "")};
const kerb_settings_table kerb_avoid_settings_table = {
    "kerb_avoid_settings", sizeof(kerb_avoid_settings), avoid_rows,
    (int32_t)(sizeof avoid_rows / sizeof avoid_rows[0])};

// --------------------------------------------------------------------------- memory

// Duration of a condition: adds the time step while it holds, else 0. [s]
static float lasting(bool lasts, float since, float time_step) {
    return lasts ? since + time_step : 0.0f;
}

// How long it has stood for others, until it has driven its length.
static void avoid_remember_yielding(kerb_avoid* avoid, const kerb_reference_line* way, bool still,
                                    float time_step) {
    if (avoid->yield_driven > way->front + way->rear) {
        avoid->yield_time = 0.0f;
        avoid->insists = false;
    }
    avoid->yield_time += still ? time_step : 0.0f;
    avoid->yield_driven =
        avoid->yield_time > 0.0f ? avoid->yield_driven + way->speed * time_step : 0.0f;
}

static void avoid_remember(kerb_avoid* avoid, const kerb_reference_line* way, const verdict* first,
                           const verdict* v, float time_step) {
    avoid->standing_time = lasting(way->speed < STANDS, avoid->standing_time, time_step);
    bool still = kerb_in_wait_stands_for(way, avoid, v);
    avoid->waiting_time = lasting(still, avoid->waiting_time, time_step);
    avoid->blocked_time = lasting(still && v->stands, avoid->blocked_time, time_step);
    avoid_remember_yielding(avoid, way, still && v->index >= 0, time_step);
    bool same = avoid->obstacle == first->id || avoid->obstacle_time == 0.0f;
    avoid->obstacle_time = lasting(first->stands, same ? avoid->obstacle_time : 0.0f, time_step);
    avoid->obstacle = first->stands ? first->id : 0;
}

static bool avoid_is_blocked(const kerb_avoid* avoid, const kerb_reference_line* way,
                             const verdict* v) {
    return v->comes && avoid->blocked_time > (way->id > v->id ? BLOCKED_HIGHER : BLOCKED_LOWER);
}

// --------------------------------------------------------------------------- one frame

static judge judge_of(const kerb_avoid* avoid, const kerb_avoid_settings* settings,
                      const kerb_reference_line* way, const kerb_neighbour* neighbours,
                      int32_t count) {
    judge j = {.way = way,
               .settings = settings,
               .memory = avoid,
               .neighbours = neighbours,
               .count = count,
               .tells = way->intent != NULL && kerb_in_intent_is_known(way->intent),
               .claim.room = UNLIMITED,
               .claim.room_asked = UNLIMITED};
    if (j.tells)
        kerb_in_strip_of(way->intent, &j.strip);
    return j;
}

// Near enough to begin to pass it.
static bool avoid_is_near(const kerb_reference_line* way, const verdict* v) {
    return v->speed < way->desired_speed ||
           v->meeting.gap < NEAR_REACHES * way->response_distance + AVOID_NEAR_TIME * way->speed;
}

static bool is_to_be_passed(const verdict* first) {
    return first->stands && !first->comes;
}

static detour avoid_choose(judge* j, const verdict* first) {
    if (is_to_be_passed(first) && avoid_is_near(j->way, first))
        return kerb_in_go_round_standing(j, first);
    if (first->comes)
        return kerb_in_go_round_oncoming(j, first);
    return (detour){.verdict = *first};
}

// Applies what the claims of vehicles with known intents leave of the reference line.
static void claim_for(judge* j, kerb_avoid* avoid, detour* way) {
    verdict* best = &way->verdict;
    // Nobody claims ground that it cannot reach, because others would wait for it there.
    bool ends = best->reason == KERB_REASON_FOLLOWING || best->comes;
    if (best->index >= 0 && ends && (best->comes || !judge_leads(&best->meeting))) {
        const float room = best->meeting.gap - j->settings->gap_min;
        kerb_in_claim_end_at(&j->claim, room, best->index);
        const kerb_intent* intent = j->neighbours[best->index].intent;
        if (best->comes || best->stands || intent == NULL || !kerb_in_intent_is_known(intent) ||
            !kerb_in_claim_leaves(&j->claim, best->index))
            j->claim.room_asked = kerb_min(j->claim.room_asked, room);
    }
    claim_answer answer = kerb_in_claim_way(&j->claim, avoid, j->settings, j->way);
    const float speed = kerb_max(j->way->speed, 0.0f);
    avoid->claimed = answer.clear;
    avoid->asked = answer.asked;
    avoid->stopping = stopping_distance(speed, j->way->braking_max) + speed * j->way->braking_delay;
    const float aside = answer.narrow ? kerb_in_narrow_aside(j, answer.clear) : 0.0f;
    if (kerb_abs(aside) > kerb_abs(way->offset))
        way->offset = aside;
    avoid->courteous = answer.courteous && answer.speed < best->speed;
    if (answer.speed < best->speed)
        *best =
            (verdict){.speed = answer.speed, .reason = KERB_REASON_YIELDING, .index = answer.index};
}

// It has cleared the way for others and holds its place while they pass.
static void avoid_hold(kerb_avoid* avoid, verdict* v, float time_step) {
    if (avoid->hold_time <= 0.0f)
        return;
    avoid->hold_time -= time_step;
    avoid->claimed = avoid->asked = 0.0f;
    v->speed = 0.0f;
    v->reason = KERB_REASON_MAKING_ROOM;
}

// The corridor is too narrow to pass what stands there and does not wait itself.
static bool has_no_room(const judge* j, const detour* d) {
    const kerb_avoid* avoid = j->memory;
    if (!d->narrow || d->verdict.reason != KERB_REASON_FOLLOWING ||
        avoid->blocked_time < NO_ROOM_AFTER)
        return false;
    const kerb_intent* intent = j->neighbours[d->verdict.index].intent;
    return intent == NULL || intent->wait.hops == 0;
}

static kerb_avoid_answer avoid_answer_of(const kerb_avoid* avoid, const kerb_reference_line* way,
                                         const verdict* first, const verdict* v) {
    kerb_avoid_answer answer = {.speed = v->speed,
                                .lateral_offset = avoid->lateral_offset,
                                .reason = v->reason,
                                .index = v->index,
                                .blocked = avoid_is_blocked(avoid, way, v),
                                .helpless = kerb_in_wait_is_helpless(avoid)};
    if (avoid->lateral_offset == 0.0f || v->speed < way->desired_speed)
        return answer;
    answer.reason = KERB_REASON_AVOIDING;
    answer.index = first->index;
    // A lateral move takes more distance at higher speed, so the vehicle moves sideways first and
    // accelerates afterwards.
    if (is_to_be_passed(first) &&
        kerb_abs(avoid->lateral_offset - way->lateral_offset) > ASIDE_ENOUGH)
        answer.speed = kerb_min(answer.speed, kerb_max(way->speed, SWING_SPEED));
    return answer;
}

kerb_avoid_answer kerb_avoid_others(kerb_avoid* avoid, const kerb_avoid_settings* settings,
                                    const kerb_reference_line* line,
                                    const kerb_neighbour* neighbours, int32_t count,
                                    float time_step) {
    judge j = judge_of(avoid, settings, line, neighbours, count);
    avoid->claimed -= line->speed * time_step;
    verdict first = kerb_in_judge_offset(&j, 0.0f, UNLIMITED);
    j.surveyed = true;
    detour best = avoid_choose(&j, &first);
    if (j.tells)
        claim_for(&j, avoid, &best);
    avoid_remember(avoid, line, &first, &best.verdict, time_step);
    avoid->lateral_offset = best.offset;
    avoid_hold(avoid, &best.verdict, time_step);
    kerb_in_wait_watch(&j, avoid, &best.verdict, time_step);
    if (has_no_room(&j, &best))
        best.verdict.reason = KERB_REASON_NO_ROOM;
    return avoid_answer_of(avoid, line, &first, &best.verdict);
}
