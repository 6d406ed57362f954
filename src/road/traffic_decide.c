// Purpose: decides the next speed of each vehicle from the state after the last step.
// Idea:    Each reason to be slower gives an acceleration or a greatest speed; the least counts.
//          A vehicle writes only what is its own, so vehicles may be decided in any order.
// Cost:    O(1) and, near a junction, O(claims of the junction).
#include "traffic_parts.h"

// Numbers without a source were chosen by trial on grids and street maps.

// A claim is requested this long before the vehicle would have to brake, [s]
static const float claim_lead_time = 1.2f;
// and from this distance to the line at any speed. [m]
static const float claim_distance = 3.0f;
// Front to stop line or conflict point at standstill. [m]
static const float line_gap = 0.5f;
// Distance to a line that even hard braking keeps; less than line_gap. [m]
static const float line_gap_min = 0.05f;
// Distance to the vehicle ahead that even hard braking keeps. [m]
static const float leader_gap_min = 0.3f;
// Distance to the vehicle ahead on the lane that is left. It is more than a vehicle needs behind it
// to change to the other lane as well. [m]
static const float old_lane_gap = 0.7f;
// Shortest distance with which a deceleration is computed, so that it stays finite. [m]
static const float distance_min = 0.1f;
// Braking for a line: this share of comfortable, or of what is needed where that is more. [1]
static const float line_comfort_share = 1.2f, line_need_share = 1.1f;
// Braking for a lower speed limit or a curve: this share of comfortable. [1]
static const float slower_road_share = 1.5f;
// A leader that costs less acceleration than this is not a reason for waiting. [m/s^2]
static const float leader_loss_min = 0.1f;
// A vehicle that has left a lane for a turn is followed from it until its rear is this far. [m]
static const float tail_reach = 1.0f;
// The same where the turn leads back sharply: its tail swings out. [m]
static const float tail_reach_tight = 3.0f;
// Room that a vehicle on a wrong lane keeps before the line, beyond that for its changes. [m]
static const float change_room_margin = 1.0f;
// A vehicle that has driven so far past such a place stays there: half of that margin. [m]
static const float place_missed = 0.5f;
// Wait at the end of a lane that does not lead where the route goes. [s]
static const float lane_patience = 5.0f;
// Longest halt for a vehicle that wants to change lanes, [s]
static const float courtesy_patience = 15.0f;
// and hardest braking for it, as a share of comfortable. [1]
static const float courtesy_share = 0.8f;
// A vehicle beside that is faster than this may still come ahead of this one and be let in. [m/s]
static const float let_in_speed = 1.0f;
// Longest wait for the gap behind a vehicle on the lane beside. [s]
static const float gap_patience = 8.0f;
// A gap that lies farther behind than this is not waited for. [m]
static const float gap_missed = 10.0f;
// Hardest braking to get room for overtaking what moves, as a share of comfortable. [1]
static const float fall_back_share = 0.4f;
// A gap beside is taken as at least this, so that following it stays smooth. [m]
static const float gap_beside_min = 0.5f;
// A vehicle that must change lanes drives at this speed [m/s]
static const float lane_search_speed = 4.0f;
// from this distance to the end of its lane on. [m]
static const float lane_search_distance = 15.0f;
// A planned stop that was passed by more than this is not braked for any more. [m]
static const float stop_missed = 1.0f;
// Deceleration at which a driver stops at amber rather than drive on: above comfortable, and from
// 50 km/h the line is passed within 2.0 s, less than the 3 s of amber. [m/s^2]
static const float amber_deceleration = 3.5f;
// A vehicle looks ahead over its comfortable stopping distance, and these. [s, m]
static const float reach_time = 2.0f, reach_distance = 15.0f;
// Beyond this time ahead a leader at the same speed changes the acceleration by about
// (time_gap / 6 s)^2 of it. [s]
static const float reach_time_min = 6.0f;
// Lane changes are considered about this often. [s]
static const float lane_interval = 0.8f;
// A vehicle that brakes less than this and is faster than that does not wait. [m/s^2, m/s]
static const float waits_braking = 0.05f, waits_speed = 1.0f;

// Time that is kept before a body crosses, and after it has gone. [s]
static const float before_crossing = 0.8f, after_crossing = 0.3f;
// What the host moves may brake as hard as tyres let it. [m/s^2]
static const float body_braking = 10.0f;
// A body that is partly beside and faster than this comes in ahead. [m/s]
static const float body_cuts_in = 1.0f;

typedef struct city_decision {
    const city_view* t;
    const city_car* c;
    const kerb_traffic_type* type;
    int32_t index;
    float v_wanted;
    float a;     ///< least acceleration of the models
    float v_max; ///< greatest safe speed
    kerb_traffic_wait wait;
    uint8_t flags;
    float reach;    ///< how far it looks
    float look;     ///< how far the front of a vehicle may be whose rear is within reach
    float rest;     ///< to the end of its segment
    float line;     ///< to the line before what long vehicles sweep; negative: there is none
    bool left_turn; ///< looks at a turn that its front has left
    bool lets_in;   ///< keeps a gap for a vehicle that waits beside
} city_decision;

static void lower_acceleration(city_decision* d, float a, kerb_traffic_wait wait) {
    if (a < d->a) {
        d->a = a;
        d->wait = wait;
    }
}

// The speed from which it can still stay behind something `gap` ahead by braking as hard as it can.
static void limit_by_hard_braking(city_decision* d, float gap, float v_ahead, float b_ahead) {
    d->v_max = kerb_min(d->v_max, kerb_in_safe_speed(d->c->v, kerb_max(gap, 0), v_ahead,
                                                     d->type->braking, b_ahead, d->t->dt));
}

// --------------------------------------------------------------------------- reasons

// Another vehicle ahead on the same way.
static void limit_by_leader(city_decision* d, const city_car* leader, float gap,
                            kerb_traffic_wait wait) {
    const kerb_traffic_type* other = &d->t->head->types[leader->type];
    if (gap > d->reach)
        return;
    float before = d->a;
    lower_acceleration(d, kerb_in_follow(d->c, d->type, d->v_wanted, gap, leader->v, leader->a),
                       wait);
    if (d->a < before && before - d->a < leader_loss_min)
        d->wait = KERB_TRAFFIC_WAIT_NONE;
    limit_by_hard_braking(d, gap - leader_gap_min, leader->v, other->braking);
}

// A line that it must not pass: brakes comfortably where it can, else as hard as it must.
static void limit_by_line(city_decision* d, float gap, kerb_traffic_wait wait) {
    float rest = kerb_max(gap, 0), b = d->type->deceleration;
    float v = kerb_in_safe_speed(d->c->v, kerb_max(rest - line_gap, 0), 0, b, b, d->t->dt);
    float need = d->c->v * d->c->v / (2 * kerb_max(rest - line_gap, distance_min));
    float hardest = kerb_max(line_comfort_share * b, line_need_share * need);
    lower_acceleration(d, kerb_max((v - d->c->v) / d->t->dt, -hardest), wait);
    limit_by_hard_braking(d, rest - line_gap_min, 0, d->type->braking);
}

// A lower speed from a distance on.
static void limit_by_slower_road(city_decision* d, float gap, float v) {
    float b = d->type->deceleration;
    float most = kerb_in_safe_speed(d->c->v, gap, v, b, b, d->t->dt);
    float limit = kerb_max(most, kerb_min(v, d->c->v));
    lower_acceleration(d, kerb_max((limit - d->c->v) / d->t->dt, -slower_road_share * b),
                       KERB_TRAFFIC_WAIT_NONE);
}

// --------------------------------------------------------------------------- bodies

// Something that crosses: drives before it or after it where it can, else waits. Who can stop
// before its way keeps a margin to drive before it; who no longer can would stop in its way.
static void limit_by_crossing(city_decision* d, const body_mark* m, float gap, float end) {
    const city_car* c = d->c;
    float clear = kerb_in_time_to_drive(end + c->length, c->v, c->acceleration, d->v_wanted);
    bool stops = c->v * c->v <= 2 * d->type->braking * (gap - line_gap_min);
    if (clear + (stops ? before_crossing : 0) < m->enters)
        return;
    if (m->enters <= 0)
        limit_by_hard_braking(d, gap - line_gap_min, 0, d->type->braking);
    if (gap > c->v * (m->leaves + after_crossing))
        return;
    limit_by_line(d, gap, KERB_TRAFFIC_WAIT_BODY);
}

// Something that stands or moves along the lane: followed, or braked for where it comes nearer.
static void limit_by_body(city_decision* d, const body_mark* m, float gap) {
    const city_car* c = d->c;
    if (m->speed < -KERB_IN_STANDSTILL) {
        limit_by_line(d, gap * c->v / (c->v - m->speed), KERB_TRAFFIC_WAIT_BODY);
        return;
    }
    float speed = kerb_max(m->speed, 0);
    lower_acceleration(d, kerb_in_follow(c, d->type, d->v_wanted, gap, speed, 0),
                       KERB_TRAFFIC_WAIT_BODY);
    limit_by_hard_braking(d, gap - leader_gap_min, speed, body_braking);
    const net_lane* lane = &d->t->net.lanes[m->segment];
    if (m->segment == c->segment && m->segment < d->t->head->lane_count &&
        speed < KERB_IN_STANDSTILL && gap >= KERB_IN_CHANGE_ROOM &&
        (lane->left >= 0 || lane->right >= 0)) // keeps room to pass it
        lower_acceleration(d,
                           kerb_in_follow(c, d->type, d->v_wanted,
                                          gap - KERB_IN_PASS_ROOM + d->type->min_gap, 0, 0),
                           KERB_TRAFFIC_WAIT_BODY);
}

// Bodies on a segment whose start is `way` ahead.
static void limit_by_bodies(city_decision* d, int32_t segment, float way) {
    const city_view* t = d->t;
    for (int32_t i = kerb_in_mark_for(t, d->c, t->lanes[segment].mark); i >= 0;
         i = kerb_in_mark_for(t, d->c, t->marks[i].next)) {
        const body_mark* m = &t->marks[i];
        float gap = way + m->begin, end = way + m->end;
        if (end <= 0 || gap > d->reach)
            continue;
        if (mark_crosses(m))
            limit_by_crossing(d, m, gap, end);
        else if (gap > 0 || m->speed < body_cuts_in)
            limit_by_body(d, m, kerb_max(gap, 0));
        else // comes in beside
            lower_acceleration(d, -d->type->deceleration, KERB_TRAFFIC_WAIT_BODY);
    }
}

// --------------------------------------------------------------------------- junctions

// Station of the other turn up to which another vehicle is in the way. Only those that cut corners
// need the lanes beside.
static float conflict_end(const city_decision* d, const net_foe* foe, const net_span* span) {
    if (car_swings(d->t, d->c))
        return span->other_end;
    return kerb_min(span->other_end, d->t->net.segments[d->t->head->lane_count + foe->turn].length);
}

// A vehicle that claimed a conflicting turn before.
static void limit_by_conflict(city_decision* d, const net_foe* foe, const city_car* other,
                              const car_claim* theirs, float to_entry) {
    float front = other->way - claim_entry(theirs), rear = front - other->length;
    const net_span* span = foe_span(d->t, foe, d->c, other);
    if (rear >= conflict_end(d, foe, span) || span->end < span->begin)
        return;
    float begin = car_swings(d->t, other) ? span->begin : kerb_max(span->begin, 0);
    float line = to_entry + begin;
    if (d->left_turn && line <= 0)
        return;
    if (foe->kind == NET_DIVERGES) {
        limit_by_leader(d, other, to_entry + rear, KERB_TRAFFIC_WAIT_LEADER);
        if (begin < 0 && line > 0) // one of the two comes back beside its lane
            limit_by_line(d, line, KERB_TRAFFIC_WAIT_CONFLICT);
        return;
    }
    if (to_entry >= d->rest && line > d->line && d->line >= 0 && line < d->rest + line_gap)
        line = d->line; // else it would stand on ground that long vehicles sweep
    if (foe->kind == NET_MERGES || foe->kind == NET_BESIDE) {
        // Both share the way to the span's end: the vehicle that claimed first is ahead there.
        float other_rest = span->other_end - rear;
        float gap = to_entry + span->end - other_rest;
        if (gap > line) {
            limit_by_leader(d, other, gap, KERB_TRAFFIC_WAIT_CONFLICT);
            return;
        }
        if (gap > 0 && front > span->other_begin) {
            limit_by_leader(d, other, gap, KERB_TRAFFIC_WAIT_CONFLICT);
            return;
        }
    }
    limit_by_line(d, line, KERB_TRAFFIC_WAIT_CONFLICT);
}

// The rear of a vehicle that has left its lane for a turn, seen from the lane.
static void limit_by_tails(city_decision* d, int32_t lane, float to_end) {
    const city_view* t = d->t;
    int32_t junction = t->net.segments[lane].junction;
    for (int32_t i = t->junctions[junction].first; i >= 0;) {
        const city_car* other = &t->cars[i / CAR_CLAIMS];
        const car_claim* held = &other->claims[i % CAR_CLAIMS];
        float front = other->way - claim_entry(held);
        if (other != d->c && t->net.turns[claim_turn(held)].from == lane && front >= 0 &&
            front < other->length +
                        (t->net.turns[claim_turn(held)].tight ? tail_reach_tight : tail_reach))
            limit_by_leader(d, other, to_end + front - other->length, KERB_TRAFFIC_WAIT_LEADER);
        i = claim_next(held);
    }
}

// All claims of a junction that are older than the own one, `mine`.
static void limit_by_older_claims(city_decision* d, int32_t turn, int32_t mine, float to_entry) {
    const city_view* t = d->t;
    int32_t junction = t->net.segments[t->head->lane_count + turn].junction;
    for (int32_t i = t->junctions[junction].first; i >= 0 && i != mine;) {
        const city_car* other = &t->cars[i / CAR_CLAIMS];
        const car_claim* held = &other->claims[i % CAR_CLAIMS];
        if (other != d->c && claim_turn(held) != turn) {
            const net_foe* foe = net_foe_of(&t->net, turn, claim_turn(held));
            if (foe)
                limit_by_conflict(d, foe, other, held, to_entry);
        }
        i = claim_next(held);
    }
}

// Turns that its front has left, while its rear holds their claims: it may still come to ground on
// the lane behind that long vehicles sweep.
static void limit_by_turns_behind(city_decision* d) {
    const city_car* c = d->c;
    d->left_turn = true;
    for (int32_t k = 0; k < c->passed; k++) {
        int32_t place = claim_place(c, k);
        limit_by_older_claims(d, claim_turn(&c->claims[place]), d->index * CAR_CLAIMS + place,
                              claim_entry(&c->claims[place]) - c->way);
    }
    d->left_turn = false;
}

static bool signal_allows(char letter) {
    return letter == 'g' || letter == 'G' || letter == 'o' || letter == 'O' || letter == 's';
}

// Length at the end of a lane that long vehicles sweep.
static float swept_end(const city_view* t, int32_t lane) {
    return t->net.segments[lane].length - lane_line(t, lane);
}

// Distance to the line of its lane: before what long vehicles sweep, and before crossings at its
// end, unless it has taken them.
static float line_rest(const city_view* t, const city_car* c, float rest) {
    if (kerb_in_crossing_ahead(t, c) >= KERB_IN_NO_LIMIT)
        return kerb_clamp(lane_line(t, c->segment) - c->s, 0, rest);
    return kerb_max(kerb_in_crossings_line(t, c, c->segment) - c->s, 0);
}

// Nobody has claimed a turn on which it would sweep the place where a vehicle has stopped beyond
// its line.
static bool may_stay_beyond_line(const city_view* t, const city_car* c) {
    int32_t turn = claim_turn(&c->claims[claim_place(c, c->passed)]);
    for (int32_t i = t->junctions[t->net.segments[c->segment].junction].first; i >= 0;) {
        const city_car* other = &t->cars[i / CAR_CLAIMS];
        const car_claim* held = &other->claims[i % CAR_CLAIMS];
        const net_foe* foe = other == c ? NULL : net_foe_of(&t->net, turn, claim_turn(held));
        if (foe && car_swings(t, other) && foe->swings.begin < -car_rest(t, c))
            return false;
        i = claim_next(held);
    }
    return c->v < KERB_IN_STANDSTILL;
}

// Distance to the line before which a vehicle with a claim stops at red. Negative: it is on ground
// that long vehicles sweep, and drives on.
static float rest_to_give_back(const city_view* t, const city_car* c, float rest) {
    float line = kerb_in_crossings_line(t, c, c->segment);
    if (c->s <= line)
        return line - c->s;
    line = lane_line(t, c->segment);
    if (line >= t->net.segments[c->segment].length)
        return rest;
    return may_stay_beyond_line(t, c) ? line_gap_min : line - c->s;
}

// Crossings of its lane that it has not taken and beyond which it can stand.
static void limit_by_crossing_ahead(city_decision* d) {
    const city_view* t = d->t;
    const city_car* c = d->c;
    float begin = kerb_in_crossing_ahead(t, c), rest = kerb_max(begin - c->s, 0);
    bool last = kerb_in_route_peek(t, c, 1) < 0;
    if (rest > d->reach || (!last && begin >= kerb_in_crossings_line(t, c, c->segment)))
        return;
    int32_t before = c->ahead[0];
    if ((before < 0 || node_station(t, before) - node_car(t, before)->length > begin) &&
        rest <= c->v * c->v / (2 * d->type->deceleration) + c->v * claim_lead_time + claim_distance)
        d->flags |= CAR_WANTS_CROSSING;
    limit_by_line(d, rest,
                  c->wait == KERB_TRAFFIC_WAIT_ROOM ? KERB_TRAFFIC_WAIT_ROOM
                                                    : KERB_TRAFFIC_WAIT_CONFLICT);
}

// The first crossing that it has not taken on the lane, `way` ahead, to which its claims lead.
static void limit_by_crossing_beyond(city_decision* d, int32_t lane, float way) {
    const city_view* t = d->t;
    float end;
    int32_t n = kerb_in_crossings_at_start(t, d->c, lane, &end);
    const net_segment* s = &t->net.segments[lane];
    if (n < s->crossing_count)
        limit_by_line(d, way + t->net.crossings[s->first_crossing + n].begin,
                      KERB_TRAFFIC_WAIT_CONFLICT);
}

// Room before its line, `rest` ahead, in which a vehicle that must change lanes stops: for its
// changes, and a length more where it wants to the slow side, so that of two that want the lane of
// one another, one is ahead and can change. Less where it would not finish the change that it is
// in, and stand across two lanes, or would not leave the junction behind it, where others may wait
// for its rear.
static float room_for_lane_goal(const city_view* t, const city_car* c, float rest) {
    if (c->next_turn >= 0)
        return 0;
    const int32_t lane = car_lane_to_reach(c);
    const int32_t apart = c->goal > c->segment ? c->goal - c->segment : c->segment - c->goal;
    const int32_t more = lane < 0 ? 0 : apart - 1;
    const float one = KERB_IN_CHANGE_ROOM + change_room_margin;
    const float all = one + KERB_IN_CHANGE_ROOM * (float)more;
    const float behind = all + c->length + KERB_IN_STAND_ROOM;
    const float finishes = rest - KERB_IN_CHANGE_LENGTH * kerb_abs(c->shift);
    const float leaves = c->s + rest - c->length - lane_start(t, c->segment);
    const float most = kerb_min(finishes, leaves) + place_missed;
    if (behind < most && lane >= 0 && lane < c->segment)
        return behind;
    return all < most ? all : one < most ? one : 0;
}

// The line of its lane while the turn is not claimed.
static void limit_by_unclaimed_turn(city_decision* d, float rest) {
    const city_view* t = d->t;
    const city_car* c = d->c;
    kerb_traffic_wait wait = c->wait >= KERB_TRAFFIC_WAIT_YIELD && c->wait != KERB_TRAFFIC_WAIT_LANE
                                 ? (kerb_traffic_wait)c->wait
                                 : KERB_TRAFFIC_WAIT_YIELD;
    int32_t before = c->ahead[0];
    rest = line_rest(t, c, rest);
    float stay;
    if (c->next_turn < 0)
        wait = KERB_TRAFFIC_WAIT_LANE;
    else if (kerb_in_is_overtaken(t, c, d->index, &stay))
        wait = KERB_TRAFFIC_WAIT_LEADER; // it would claim before the one that will be ahead of it
    else if (!signal_allows(kerb_in_traffic_letter(t, c->next_turn)) && !car_has_priority(t, c))
        wait = KERB_TRAFFIC_WAIT_SIGNAL;
    else if (!d->lets_in && c->shadow < 0 && !car_overtakes(c) &&
             (before < 0 || (!(before & 1) && car_goes_on(node_car(t, before)))) &&
             rest <= c->v * c->v / (2 * d->type->deceleration) + c->v * claim_lead_time +
                         claim_distance)
        d->flags |= CAR_WANTS_CLAIM;
    limit_by_line(d, rest - room_for_lane_goal(t, c, rest), wait);
}

// A body stands on the turn, or on the lane behind it without room before it.
static bool body_stands_beyond(const city_decision* d, int32_t turn) {
    const city_view* t = d->t;
    return kerb_in_body_ahead(t, d->c, t->head->lane_count + turn, 0) < KERB_IN_NO_LIMIT ||
           kerb_in_body_ahead(t, d->c, t->net.turns[turn].to, 0) < d->c->need;
}

// It will be red when it enters a turn. Where the turn is slower, it brakes evenly until then; it
// does not count on driving faster than now.
static bool enters_at_red(const city_decision* d, int32_t turn, float way) {
    float v = d->c->v;
    float slow = kerb_min(v, kerb_in_wanted_speed(d->t, d->c, d->t->head->lane_count + turn));
    float time = way / kerb_max(0.5f * (v + slow), KERB_IN_STANDSTILL);
    return !signal_allows(kerb_in_traffic_letter_after(d->t, turn, time)) &&
           kerb_in_traffic_letter_after(d->t, turn, time) != 'y';
}

// At amber it stops where that is comfortable enough, at red, or when it will be red, wherever it
// can stop before the line. `way`: to the turn. `passes`: it comes there over lanes too short to
// stand on, when the signal may have changed.
static bool gives_back(const city_decision* d, int32_t turn, float rest, float way, bool passes) {
    char letter = kerb_in_traffic_letter(d->t, turn);
    float v = d->c->v;
    if (rest < 0)
        return false;
    if (d->t->head->mark_count > 0 && body_stands_beyond(d, turn) &&
        v * v <= 2 * d->type->deceleration * kerb_max(rest - line_gap, 0))
        return true;
    if (car_has_priority(d->t, d->c) || passes)
        return false;
    if (signal_allows(letter)) // its line may lie well before the turn
        return d->line >= 0 && v * v <= 2 * d->type->deceleration * (rest - line_gap_min) &&
               kerb_in_turns_red(d->t, d->c, turn, way);
    if (letter == 'y' && v * v <= 2 * amber_deceleration * kerb_max(rest - line_gap, 0))
        return true;
    return (letter != 'y' || enters_at_red(d, turn, way)) && v * v <= 2 * d->type->braking * rest;
}

// For turns behind lanes too short to stand on it gives back where a body stands, or where it would
// come at red: this line is the last before which it stands in nobody's way.
static bool chain_gives_back(const city_decision* d, int32_t held, float rest) {
    const city_view* t = d->t;
    const city_car* c = d->c;
    float way = car_rest(t, c);
    for (int32_t k = held; k < c->claim_count; k++) {
        int32_t turn = claim_turn(&c->claims[claim_place(c, k)]), lane = t->net.turns[turn].to;
        if (gives_back(d, turn, rest, way, k > held) ||
            (k > held && c->v * c->v <= 2 * d->type->deceleration * kerb_max(rest - line_gap, 0) &&
             kerb_in_comes_at_red(t, c, turn, way)))
            return true;
        if (car_can_stand(t, c, lane))
            return false;
        way += t->net.segments[t->head->lane_count + turn].length + t->net.segments[lane].length;
    }
    return false;
}

// It is red behind a lane too short to stand on: it stops before the end of that lane, its rear on
// the turn, with its claims. So those that claimed after it wait for it, whatever their signal. It
// was not expected to come there at red, or has waited too long to wait for better.
static bool stops_on_turn(const city_decision* d, int32_t lane, int32_t turn, float way) {
    const city_view* t = d->t;
    const city_car* c = d->c;
    return !car_can_stand(t, c, lane) && !signal_allows(kerb_in_traffic_letter(t, turn)) &&
           !car_has_priority(t, c) && c->v * c->v <= 2 * d->type->braking * way;
}

// It will be red behind a lane further on, on which it can stand, and it stops there as comfortably
// as at amber, or as limit_by_line brakes, which begins late where comfortable is more than that:
// who had not begun would drive on. It gives the claim back when it is on that lane, which may be
// too short to stop on from the speed of now.
static bool stops_at_next_line(const city_decision* d, int32_t lane, int32_t turn, float way) {
    const city_view* t = d->t;
    const city_car* c = d->c;
    float rest = way - swept_end(t, lane) - line_gap;
    float b = kerb_max(amber_deceleration, line_comfort_share * d->type->deceleration);
    return t->net.turns[turn].signal >= 0 && car_can_stand(t, c, lane) &&
           c->v * c->v <= 2 * b * kerb_max(rest, 0) && kerb_in_turns_red(t, c, turn, way);
}

// --------------------------------------------------------------------------- the way ahead

static bool limit_by_last_vehicle(city_decision* d, int32_t segment, float way) {
    int32_t node = d->t->lanes[segment].last;
    if (node < 0)
        return false;
    const city_car* leader = node_car(d->t, node);
    if (leader == d->c)
        return true;
    limit_by_leader(d, leader, way + node_station(d->t, node) - leader->length,
                    KERB_TRAFFIC_WAIT_LEADER);
    return true;
}

// What lies beyond the end of its segment. `claim`: the one for the turn it is on or comes to.
static void limit_by_way_ahead(city_decision* d, float way, int32_t lane, int32_t held) {
    const city_view* t = d->t;
    const city_car* c = d->c;
    bool found = c->ahead[0] >= 0;
    while (way < d->look) {
        int32_t place = claim_place(c, held);
        int32_t turn = held < c->claim_count ? claim_turn(&c->claims[place]) : -1;
        if (lane >= 0) { // way is the distance to the lane's end
            if (turn < 0) {
                if (!found)
                    limit_by_tails(d, lane, way);
                if (lane == c->segment && kerb_in_route_peek(t, c, 1) >= 0)
                    limit_by_unclaimed_turn(d, way);
                else if (lane != c->segment && kerb_in_route_peek(t, c, held - c->passed + 1) >= 0)
                    limit_by_line(d, way - swept_end(t, lane), KERB_TRAFFIC_WAIT_ROOM);
                return;
            }
            const bool on_way = lane != c->segment || (c->passed > 0 && !car_can_stand(t, c, lane));
            if (!on_way && chain_gives_back(d, held, rest_to_give_back(t, c, way))) {
                d->flags |= CAR_GIVES_BACK;
                if (!found) // it stays behind what has not wholly left the lane
                    limit_by_tails(d, lane, way);
                limit_by_line(d, rest_to_give_back(t, c, way), KERB_TRAFFIC_WAIT_SIGNAL);
                return;
            }
            if (on_way && stops_on_turn(d, lane, turn, way))
                limit_by_line(d, way, KERB_TRAFFIC_WAIT_SIGNAL);
            if (lane != c->segment && stops_at_next_line(d, lane, turn, way))
                limit_by_line(d, way - swept_end(t, lane), KERB_TRAFFIC_WAIT_SIGNAL);
            limit_by_older_claims(d, turn, d->index * CAR_CLAIMS + place, way);
            int32_t segment = t->head->lane_count + turn;
            if (t->lanes[segment].mark >= 0)
                limit_by_bodies(d, segment, way);
            limit_by_slower_road(d, way, kerb_in_wanted_speed(t, c, segment));
            found = found || limit_by_last_vehicle(d, segment, way);
            way += t->net.segments[segment].length;
        }
        lane = t->net.turns[turn].to;
        limit_by_slower_road(d, way, kerb_in_wanted_speed(t, c, lane));
        if (t->lanes[lane].mark >= 0)
            limit_by_bodies(d, lane, way);
        found = found || limit_by_last_vehicle(d, lane, way);
        if (held + 1 >= c->claim_count && has_crossings(t, lane))
            limit_by_crossing_beyond(d, lane, way);
        way += t->net.segments[lane].length;
        held++;
        if (found && held >= c->claim_count)
            return;
    }
}

// The vehicle ahead on the lane that it leaves: it need not keep a distance, only not touch it.
static void limit_by_old_lane(city_decision* d, const city_car* leader, float gap) {
    const kerb_traffic_type* other = &d->t->head->types[leader->type];
    float v = kerb_in_safe_speed(d->c->v, kerb_max(gap - old_lane_gap, 0), leader->v,
                                 d->type->deceleration, other->braking, d->t->dt);
    lower_acceleration(d, (v - d->c->v) / d->t->dt, KERB_TRAFFIC_WAIT_LEADER);
    limit_by_hard_braking(d, gap - leader_gap_min, leader->v, other->braking);
}

// Keeps room to pass a vehicle that is broken or at a stop, where there is a lane beside.
static void limit_by_obstacle(city_decision* d, const city_car* leader, float gap) {
    const net_lane* lane = &d->t->net.lanes[d->c->segment];
    float room = KERB_IN_PASS_ROOM;
    bool passes = leader->broken || leader->stage == KERB_TRAFFIC_STOPPING;
    if (lane->oncoming >= 0 && !car_overtakes(d->c))
        passes = kerb_in_may_overtake(d->t, d->c, leader, &room) || passes;
    bool moves = leader->v > KERB_IN_STANDSTILL; // then it can fall back
    if (!passes || gap > d->reach || (gap < KERB_IN_CHANGE_ROOM && !moves) ||
        (lane->left < 0 && lane->right < 0 && lane->oncoming < 0))
        return;
    float rest = gap - room + d->type->min_gap;
    float a = kerb_in_follow(d->c, d->type, d->v_wanted, rest, leader->v, leader->a);
    lower_acceleration(d, moves ? kerb_max(a, -fall_back_share * d->type->deceleration) : a,
                       KERB_TRAFFIC_WAIT_LEADER);
}

// From a vehicle that changes lanes to the end of the lane that it leaves.
static float lane_rest_beside(const city_view* t, int32_t index) {
    return t->net.segments[t->cars[index].shadow].length - node_station(t, 2 * index + 1);
}

static void limit_by_vehicles_ahead(city_decision* d) {
    const city_view* t = d->t;
    const city_car* c = d->c;
    for (int32_t k = 0; k < (c->shadow >= 0 ? 2 : 1); k++) {
        int32_t node = k == 0 ? kerb_in_follows(t, c) : c->ahead[1];
        if (node < 0) {
            if (k == 1)
                limit_by_tails(d, c->shadow, lane_rest_beside(t, d->index));
            continue;
        }
        const city_car* leader = node_car(t, node);
        float s = k == 0 ? c->s : node_station(t, 2 * d->index + 1);
        if (k == 1) {
            limit_by_old_lane(d, leader, node_station(t, node) - leader->length - s);
            continue;
        }
        float gap = node_station(t, node) - leader->length - s;
        limit_by_leader(d, leader, gap, KERB_TRAFFIC_WAIT_LEADER);
        if (leader->overtaken >= 0 && leader->ahead[0] >= 0) { // and what that one passes
            const city_car* passed = node_car(t, leader->ahead[0]);
            gap = node_station(t, leader->ahead[0]) - passed->length - s;
            limit_by_leader(d, passed, gap, KERB_TRAFFIC_WAIT_LEADER);
            limit_by_obstacle(d, passed, gap);
        }
        if (car_on_lane(t, c))
            limit_by_obstacle(d, leader, gap);
    }
}

// Another vehicle beside, `index`, wants to change in front of this one.
static bool may_be_let_in(const city_view* t, const city_car* c, int32_t index) {
    if (index < 0)
        return false;
    const city_car* other = &t->cars[index];
    return other->stage == KERB_TRAFFIC_DRIVING && car_on_lane(t, other) && other->shadow < 0 &&
           other->goal >= 0 && other->goal != other->segment && other->segment != c->segment &&
           t->net.lanes[other->segment].edge == t->net.lanes[c->segment].edge &&
           car_station_beside(t, other, c->segment) -
                   (other->v > let_in_speed ? 0 : other->length) >=
               c->s;
}

// Lets a vehicle in that wants to change in front of it, as far as that is comfortable. For one
// that waits at standstill it does not claim the junction either: no vehicle may enter in front of
// a claim.
static void limit_by_courtesy(city_decision* d) {
    const city_view* t = d->t;
    const city_car* c = d->c;
    if (car_goes_on(c) || c->waited > courtesy_patience)
        return;
    int32_t requester = t->lanes[c->segment].requester;
    d->lets_in = may_be_let_in(t, c, requester);
    if (!d->lets_in)
        requester = c->makes_way_for;
    if (!may_be_let_in(t, c, requester))
        return;
    const city_car* other = &t->cars[requester];
    float rear = car_station_beside(t, other, c->segment) - other->length;
    float gap = kerb_max(rear - c->s, gap_beside_min);
    float a = kerb_in_follow(c, d->type, d->v_wanted, gap, other->v, other->a);
    lower_acceleration(d, kerb_max(a, -courtesy_share * d->type->deceleration),
                       KERB_TRAFFIC_WAIT_LEADER);
}

// Waits on its lane for the gap behind a vehicle on the lane beside, with room for the change.
// After a while it drives on to the line.
static void limit_by_gap_beside(city_decision* d) {
    const city_view* t = d->t;
    const city_car* c = d->c;
    if (c->falls_behind < 0 || c->shadow >= 0 || car_goes_on(c) || c->waited > gap_patience)
        return;
    const city_car* other = &t->cars[c->falls_behind];
    if (other->stage != KERB_TRAFFIC_DRIVING || !car_on_lane(t, other) ||
        t->net.lanes[other->segment].edge != t->net.lanes[c->segment].edge)
        return;
    float rear = car_station_beside(t, other, c->segment) - other->length;
    float gap = rear - c->s - KERB_IN_CHANGE_ROOM - gap_beside_min;
    if (gap > d->reach || gap < -gap_missed)
        return;
    float a = kerb_in_follow(c, d->type, d->v_wanted,
                             kerb_max(gap + d->type->min_gap, gap_beside_min), other->v, other->a);
    lower_acceleration(d, kerb_max(a, -d->type->deceleration), KERB_TRAFFIC_WAIT_LANE);
}

// Slows before the place where it must have changed lanes.
static void limit_by_lane_goal(city_decision* d) {
    const city_car* c = d->c;
    if (car_lane_to_reach(c) < 0 || car_goes_on(c))
        return;
    float rest = car_rest(d->t, c) - lane_search_distance;
    limit_by_slower_road(d, kerb_max(rest, 0), lane_search_speed);
}

static void limit_by_planned_stop(city_decision* d) {
    const city_car* c = d->c;
    if (c->stop.lane == c->segment && c->stop.lane >= 0 && c->s <= c->stop.station + stop_missed)
        limit_by_line(d, c->stop.station - c->s + line_gap, KERB_TRAFFIC_WAIT_STOP);
}

static bool considers_lane_change(const city_view* t, const city_car* c, int32_t index) {
    if (!car_on_lane(t, c) || c->shadow >= 0 || c->claim_count > 0)
        return false;
    const net_lane* lane = &t->net.lanes[c->segment];
    float room;
    if (lane->left < 0 && lane->right < 0 &&
        (lane->oncoming < 0 || c->ahead[0] < 0 || (c->ahead[0] & 1) ||
         !kerb_in_may_overtake(t, c, node_car(t, c->ahead[0]), &room)))
        return false;
    int32_t every = (int32_t)(lane_interval / t->dt) + 1;
    return (t->head->step + index) % every == 0;
}

static void decide_car(const city_view* t, int32_t index) {
    city_car* c = &t->cars[index];
    if (car_way_back(t, c) > 0) {
        c->v_next = kerb_in_back_speed(t, c);
        t->flags[index] = 0;
        return;
    }
    city_decision d = {.t = t,
                       .c = c,
                       .type = &t->head->types[c->type],
                       .index = index,
                       .v_max = KERB_IN_NO_LIMIT};
    d.v_wanted = kerb_in_wanted_speed(t, c, c->segment);
    if (car_overtakes(c))
        d.v_wanted = kerb_in_overtake_speed(t, c, d.v_wanted);
    d.a = kerb_in_free_road(c, d.type, d.v_wanted);
    d.reach = reach_distance + c->v * reach_time + c->v * c->v / (2 * d.type->deceleration);
    d.reach = kerb_max(d.reach, reach_time_min * c->v);
    limit_by_vehicles_ahead(&d);
    float rest = car_rest(t, c);
    if (car_on_lane(t, c))
        d.reach += rest - line_rest(t, c, rest);
    d.look = d.reach + t->head->need_max;
    d.rest = rest;
    d.line =
        car_on_lane(t, c) && swept_end(t, c->segment) > 0 ? lane_line(t, c->segment) - c->s : -1;
    if (t->head->swinging > 0)
        limit_by_turns_behind(&d);
    if (t->lanes[c->segment].mark >= 0)
        limit_by_bodies(&d, c->segment, -c->s);
    if (c->shadow >= 0 && t->lanes[c->shadow].mark >= 0)
        limit_by_bodies(&d, c->shadow, -node_station(t, 2 * index + 1));
    if (car_on_lane(t, c)) {
        limit_by_courtesy(&d);
        if (has_crossings(t, c->segment) && !car_goes_on(c))
            limit_by_crossing_ahead(&d);
        if (rest < d.look)
            limit_by_way_ahead(&d, rest, c->segment, c->passed);
        limit_by_lane_goal(&d);
        limit_by_gap_beside(&d);
        limit_by_planned_stop(&d);
    } else {
        int32_t turn = c->segment - t->head->lane_count;
        int32_t place = claim_place(c, c->passed);
        limit_by_older_claims(&d, turn, index * CAR_CLAIMS + place,
                              claim_entry(&c->claims[place]) - c->way);
        limit_by_way_ahead(&d, rest, -1, c->passed);
    }
    float stay;
    if (kerb_in_is_overtaken(t, c, index, &stay))
        limit_by_line(&d, stay - c->s + line_gap, KERB_TRAFFIC_WAIT_LEADER);
    float v = kerb_min(c->v + d.a * t->dt, d.v_max);
    if (c->broken || c->stage == KERB_TRAFFIC_STOPPING)
        v = kerb_min(v, c->v - d.type->braking * t->dt);
    c->v_next = kerb_max(v, kerb_max(0, c->v - d.type->braking * t->dt));
    c->wait =
        (uint8_t)(d.a > -waits_braking && c->v > waits_speed ? KERB_TRAFFIC_WAIT_NONE : d.wait);
    if (c->broken && c->v < KERB_IN_STANDSTILL && car_on_lane(t, c) && car_goes_on(c))
        d.flags |= CAR_GIVES_BACK; // others must not wait for it at the junction
    if (considers_lane_change(t, c, index))
        d.flags |= CAR_WANTS_LANE;
    if (c->waited > t->head->settings.patience ||
        (c->waited > lane_patience && c->wait == KERB_TRAFFIC_WAIT_LANE))
        d.flags |= CAR_STUCK;
    t->flags[index] = d.flags;
}

void kerb_in_traffic_decide(city_view* t, int32_t begin, int32_t end) {
    for (int32_t i = begin; i < end; i++)
        if (t->cars[i].stage >= KERB_TRAFFIC_DRIVING)
            decide_car(t, i);
}
