// Purpose: the fastest motion along a path of arcs.
// Idea:    Per metre, the squared speed rises by at most 2a and falls by at most 2d. The squared
//          speed at a joint of two arcs is the least of three values: the lower cap of both arcs,
//          the speed that acceleration reaches from the start, and the speed from which braking
//          still meets all that comes. Within an arc the vehicle accelerates, keeps to the cap, and
//          brakes; each of these parts may be empty.
// Cost:    O(arcs); a division and two square roots per arc.
// Source:  AIPATH eq. 2.1 to 2.3 and 4.1 (its algorithm 2, corrected), arc by arc. The two passes
//          are the usual velocity profile (Kant and Zucker, 1986).
#include "kerb/plan_search.h"

#include "movement.h"

#include "../../base/shared.h"
#include "../../curve/shared.h"

// Share by which the squared speed of an end may exceed what the path allows. An end that is just
// allowed may be off by that much through rounding: about 30 steps of a float. [1]
#define MOVEMENT_SLACK 4e-6f

plan_rates kerb_in_plan_rates_of(const kerb_plan_limits* limits) {
    const float speed[2] = {limits->speed_max, limits->reverse_speed_max};
    float most = limits->longitudinal_grip > 0.0f ? limits->longitudinal_grip : KERB_PLAN_NEVER;
    const float gain[2] = {2.0f * kerb_min(limits->acceleration, most),
                           2.0f * kerb_min(limits->reverse_acceleration, most)};
    const float loss[2] = {2.0f * kerb_min(limits->braking, most),
                           2.0f * kerb_min(limits->reverse_braking, most)};
    plan_rates rates = {.lateral = limits->lateral_acceleration,
                        .yaw_rate = limits->yaw_rate_max,
                        .reversal_time = limits->reversal_time,
                        .curvature = 1.0f / limits->turning_radius,
                        .grip = 2.0f * limits->longitudinal_grip,
                        .wheel_time = limits->steering_time * limits->turning_radius,
                        .rate = limits->curvature_rate,
                        .bend_most = 1.0f / limits->turning_radius};
    rates.rolling = KERB_PLAN_STEERING_WHILE_ROLLING;
    if (rates.rate > 0.0f) {
        rates.wheel_time = 1.0f / rates.rate;
        rates.rolling = 0.0f;
    }
    rates.drift = rates.wheel_time * rates.wheel_time / (24.0f * KERB_PLAN_STEERING_DEVIATION_MAX);
    for (int32_t i = 0; i < 2; i++) {
        rates.speed_squared[i] = speed[i] * speed[i];
        rates.gain[i] = gain[i];
        rates.loss[i] = loss[i];
        rates.per_acceleration[i] = 2.0f / gain[i];
        rates.per_braking[i] = 2.0f / loss[i];
        rates.share_gain[i] = gain[i] / (gain[i] + loss[i]);
        rates.share_loss[i] = loss[i] / (gain[i] + loss[i]);
    }
    return rates;
}

// --------------------------------------------------------------------------- joints

// The arcs that have a length, their caps, and the squared speeds at the joints. There is one joint
// more than arcs.
typedef struct profile {
    const plan_clothoid* bends; // that the arcs stand for; NULL: none
    int32_t count;              // of arcs
    int32_t arc[PLAN_ARCS_MAX]; // index of the arc in the path
    float length[PLAN_ARCS_MAX];
    float cap[PLAN_ARCS_MAX];
    float joint[PLAN_ARCS_MAX + 1];
} profile;

static inline int32_t is_reverse(plan_arc arc) {
    return arc.length < 0.0f ? 1 : 0;
}

// With a friction ellipse a bend is driven in so many parts of constant acceleration. More come
// nearer to what the ellipse allows, for more time. [1]
#define MOVEMENT_BEND_PARTS 3

// Whether an arc is driven in such parts.
static inline bool is_shared(const plan_rates* rates, plan_arc arc) {
    return rates->grip > 0.0f && arc.curvature != 0.0f;
}

static bool movement_lay_arc(profile* p, const plan_rates* rates, plan_arc arc, int32_t index,
                             float cap) {
    float length = kerb_abs(arc.length);
    int32_t parts = is_shared(rates, arc) ? MOVEMENT_BEND_PARTS : 1;
    float part = parts == 1 ? length : length / (float)parts;
    if (p->count + parts > PLAN_ARCS_MAX)
        return false;
    for (int32_t k = 0; k < parts; k++) {
        p->arc[p->count] = index;
        p->length[p->count] = part;
        p->cap[p->count++] = cap;
    }
    return true;
}

// False where an arc cannot be driven at all. A length that is not a number counts as 0.
static bool find_arcs(profile* p, const plan_rates* rates, const plan_arc* arcs, int32_t count) {
    p->count = 0;
    p->bends = NULL;
    for (int32_t i = 0; i < count; i++) {
        if (!(kerb_abs(arcs[i].length) > 0.0f))
            continue;
        float cap = kerb_in_plan_cap(rates, arcs[i].curvature, is_reverse(arcs[i]));
        if (!(cap > 0.0f) || !movement_lay_arc(p, rates, arcs[i], i, cap))
            return false;
    }
    return true;
}

// --------------------------------------------------------------------------- wheels

// Wheels that turn at a constant rate round a jump of curvature leave the vehicle at a lateral
// offset of jump · length² / 24, where length is the distance driven while they turn. The allowed
// offset gives the greatest squared speed. [m²/s²]
static float drift_cap(const plan_rates* rates, float change) {
    float slow = rates->drift * change * change * change;
    return slow > 1e-12f ? 1.0f / slow : 1e12f;
}

// Jump of curvature at a joint; 0 where the vehicle does not drive on in one direction. [1/m]
static float change_at(const profile* p, const plan_arc* arcs, int32_t joint) {
    if (joint < 1 || joint >= p->count)
        return 0.0f;
    plan_arc before = arcs[p->arc[joint - 1]], after = arcs[p->arc[joint]];
    if (is_reverse(before) != is_reverse(after))
        return 0.0f; // the wheels turn at standstill
    return kerb_abs(after.curvature - before.curvature);
}

// Squared speed at which wheels turn by `change` within `length` metres.
static float turning_cap(const plan_rates* rates, float length, float change) {
    float in_time = length / (rates->wheel_time * change);
    return in_time * in_time;
}

static void movement_hold(profile* p, int32_t first, int32_t end, float most) {
    for (int32_t i = first; i < end; i++)
        p->cap[i] = kerb_min(p->cap[i], most);
}

// One or several jumps of curvature that the wheels turn through in one go.
typedef struct movement_turning {
    int32_t first, last; // joints
    float change;        // sum of the jumps of curvature [1/m]
    float before;        // distance from the previous turning [m]
} movement_turning;

// Whether two turnings are faster as one. As two, half of each must happen between them.
static bool are_one(const plan_rates* rates, const movement_turning* a, const movement_turning* b) {
    float all = a->change + b->change;
    return drift_cap(rates, all) > turning_cap(rates, b->before, 0.5f * all);
}

// Greatest squared speed with which `length` metres to rest, or from rest, take at least `time` at
// the acceleration a: l/v + v/2a = t. [gain: 2a] The usual form a·(t - root) would lose all digits
// on very short lengths.
static float resting_cap(float length, float time, float gain) {
    float a = 0.5f * gain, rest = time * time - 2.0f * length / a;
    if (!(rest > 0.0f))
        return 1e12f;
    float speed = 2.0f * length / (time + kerb_sqrt(rest));
    return speed * speed;
}

// A part of a path that is driven without a standstill. [joints; s]
typedef struct movement_leg {
    int32_t first, end;
    float rolls_first; // wheels go on turning for this time after it starts from rest
    float rolls_last;  // wheels begin to turn this time before it comes to rest
                       // negative: it does not start from rest, or does not end at rest
} movement_leg;

static float movement_length_of(const profile* p, int32_t first, int32_t end) {
    float length = 0.0f;
    for (int32_t i = first; i < end; i++)
        length += p->length[i];
    return length;
}

// Caps between a standstill and the first or last jump. Wheels must have turned for the standstill
// and for that jump; a very short arc between the two must not hide the jump. After a standstill
// the whole jump counts, so that crawling along such an arc never takes less time than standing.
static void cap_near_rest(profile* p, const plan_rates* rates, const plan_arc* arcs,
                          const movement_leg* l, const movement_turning* turnings, int32_t count) {
    if (count == 0)
        return;
    const movement_turning *first = &turnings[0], *last = &turnings[count - 1];
    int32_t reverse = is_reverse(arcs[p->arc[l->first]]);
    float whole = rates->wheel_time, half = 0.5f * whole;
    if (l->rolls_first >= 0.0f)
        movement_hold(p, l->first, first->first,
                      resting_cap(movement_length_of(p, l->first, first->first),
                                  l->rolls_first + whole * first->change, rates->gain[reverse]));
    if (l->rolls_last >= 0.0f)
        movement_hold(p, last->last, l->end,
                      resting_cap(movement_length_of(p, last->last, l->end),
                                  l->rolls_last + half * last->change, rates->loss[reverse]));
}

// Caps at and between turnings. Any number of jumps may form one turning: with a limit of two or
// three, very short arcs could cut a great jump into small ones that seem harmless.
static void cap_turnings(profile* p, const plan_rates* rates, const movement_turning* turnings,
                         int32_t count) {
    for (int32_t i = 0; i < count; i++) {
        const movement_turning* t = &turnings[i];
        if (t->last > t->first)
            movement_hold(p, t->first, t->last, drift_cap(rates, t->change));
        if (i > 0)
            movement_hold(p, t[-1].last, t->first,
                          turning_cap(rates, t->before, 0.5f * (t[-1].change + t->change)));
    }
}

// Collects jumps into turnings. Two turnings that are faster as one are joined, and the result
// perhaps with the one before. O(arcs), because each jump is joined only once.
static void cap_leg(profile* p, const plan_rates* rates, const plan_arc* arcs,
                    const movement_leg* l) {
    movement_turning turnings[PLAN_ARCS_MAX];
    int32_t count = 0;
    float length = 0.0f; // since the last jump
    for (int32_t i = l->first; i < l->end; i++) {
        float change = i > l->first ? change_at(p, arcs, i) : 0.0f;
        if (change > 0.0f) {
            turnings[count++] = (movement_turning){i, i, change, length};
            length = 0.0f;
        }
        length += p->length[i];
        while (change > 0.0f && count > 1 &&
               are_one(rates, &turnings[count - 2], &turnings[count - 1])) {
            count--;
            turnings[count - 1].last = turnings[count].last;
            turnings[count - 1].change += turnings[count].change;
        }
    }
    cap_turnings(p, rates, turnings, count);
    cap_near_rest(p, rates, arcs, l, turnings, count);
}

// Wheels may need more time than the standstill at a change of direction. Half of the rest falls
// before the standstill, half after it. [s]
static float rolling_at(const profile* p, const plan_rates* rates, const plan_arc* arcs,
                        int32_t joint) {
    float before = arcs[p->arc[joint - 1]].curvature, after = arcs[p->arc[joint]].curvature;
    float needed = rates->wheel_time * kerb_abs(after - before);
    return 0.5f * kerb_max(needed - kerb_in_plan_standing(rates, before, after), 0.0f);
}

static float rolling_at_start(const profile* p, const plan_rates* rates, const plan_arc* arcs) {
    float first = arcs[p->arc[0]].curvature;
    return rates->wheel_time * kerb_abs(first) - kerb_in_plan_setting_off(rates, first);
}

static void cap_by_wheels(profile* p, const plan_rates* rates, const plan_arc* arcs,
                          float speed_start) {
    movement_leg l = {.rolls_first =
                          speed_start == 0.0f ? rolling_at_start(p, rates, arcs) : -1.0f};
    for (int32_t i = 1; i <= p->count; i++) {
        bool turns_back =
            i < p->count && is_reverse(arcs[p->arc[i - 1]]) != is_reverse(arcs[p->arc[i]]);
        if (!turns_back && i < p->count)
            continue;
        l.end = i;
        l.rolls_last = turns_back ? rolling_at(p, rates, arcs, i) : -1.0f;
        cap_leg(p, rates, arcs, &l);
        l = (movement_leg){.first = i, .rolls_first = l.rolls_last};
    }
}

// Squared speed after a part that begins, or ends, at the squared speed x, where both differ by at
// most `rate` per metre. In a bend the greater of both keeps to the ellipse: with the squared speed
// c of the lateral limit and d = length · grip, (y - x)² = d² (1 - y²/c²). [m²/s²]
static float movement_reach(const plan_rates* rates, plan_arc arc, float x, float rate,
                            float length) {
    float reached = x + rate * length;
    if (!is_shared(rates, arc))
        return reached;
    float bend = kerb_abs(arc.curvature) / rates->lateral, d = rates->grip * length;
    float q = d * bend * (d * bend), root = d * d * (1.0f + q) - q * x * x;
    float most = root > 0.0f ? (x + kerb_sqrt(root)) / (1.0f + q) : x;
    return kerb_min(reached, kerb_max(most, x));
}

// Whether the vehicle stands between an arc, driven in a direction, and the next one.
static inline bool stands_after(const profile* p, const plan_arc* arcs, int32_t i,
                                int32_t reverse) {
    int32_t next = p->arc[i + 1];
    if (p->bends)
        return next != p->arc[i] && p->bends[next].standing >= 0.0f;
    return is_reverse(arcs[next]) != reverse;
}

// From the start onwards, with the caps of both arcs at each joint.
static void pass_forwards(profile* p, const plan_rates* rates, const plan_arc* arcs) {
    for (int32_t i = 0; i < p->count; i++) {
        plan_arc arc = arcs[p->arc[i]];
        int32_t reverse = is_reverse(arc);
        float reached = movement_reach(rates, arc, p->joint[i], rates->gain[reverse], p->length[i]);
        reached = kerb_min(reached, p->cap[i]);
        if (i + 1 < p->count) {
            bool turns_back = stands_after(p, arcs, i, reverse);
            reached = turns_back ? 0.0f : kerb_min(reached, p->cap[i + 1]);
            if (rates->wheel_time > 0.0f && !turns_back)
                reached = kerb_min(reached, drift_cap(rates, change_at(p, arcs, i + 1)));
        }
        p->joint[i + 1] = reached;
    }
}

static void pass_backwards(profile* p, const plan_rates* rates, const plan_arc* arcs) {
    for (int32_t i = p->count - 1; i >= 0; i--) {
        plan_arc arc = arcs[p->arc[i]];
        float allowed =
            movement_reach(rates, arc, p->joint[i + 1], rates->loss[is_reverse(arc)], p->length[i]);
        p->joint[i] = kerb_min(p->joint[i], allowed);
    }
}

// Squared speed of an end; negative where its direction is not that of its arc.
static float end_square(float speed, plan_arc arc) {
    float along = is_reverse(arc) ? -speed : speed;
    return along >= 0.0f ? along * along : -1.0f;
}

// The profile of the arcs that were found, between the speeds of both ends.
static bool movement_run(profile* p, const plan_rates* rates, const plan_arc* arcs,
                         float speed_start, float speed_goal) {
    int32_t last = p->count - 1;
    float start = end_square(speed_start, arcs[p->arc[0]]);
    float goal = end_square(speed_goal, arcs[p->arc[last]]);
    float start_least = start * (1.0f - MOVEMENT_SLACK),
          goal_least = goal * (1.0f - MOVEMENT_SLACK);
    if (!(start >= 0.0f) || !(goal >= 0.0f) || !(start_least <= p->cap[0]))
        return false;
    p->joint[0] = start;
    pass_forwards(p, rates, arcs);
    if (!(goal_least <= p->joint[p->count]))
        return false;
    p->joint[p->count] = goal;
    pass_backwards(p, rates, arcs);
    bool starts = start_least <= p->joint[0];
    p->joint[0] = start;
    return starts;
}

static bool movement_solve(profile* p, const plan_rates* rates, const plan_arc* arcs, int32_t count,
                           float speed_start, float speed_goal) {
    KERB_ASSERT(count >= 0 && count <= PLAN_ARCS_MAX);
    if (!find_arcs(p, rates, arcs, count))
        return false;
    if (p->count == 0)
        return speed_start == speed_goal;
    if (rates->wheel_time > 0.0f)
        cap_by_wheels(p, rates, arcs, speed_start);
    return movement_run(p, rates, arcs, speed_start, speed_goal);
}

// --------------------------------------------------------------------------- between joints

// Duration from length and mean speed, so that both fit one another to the last digit however the
// speeds were rounded. [s]
static float movement_duration_of(float length, float from, float to) {
    return length > 0.0f ? 2.0f * length / (from + to) : 0.0f;
}

// The parts of an arc. [m, m/s]
typedef struct movement_parts {
    float gaining, keeping, losing; // metres
    float from, top, to;            // speeds
} movement_parts;

static movement_parts movement_parts_of(const profile* p, int32_t i, const plan_rates* rates,
                                        plan_arc arc) {
    int32_t reverse = is_reverse(arc);
    float length = p->length[i], from = p->joint[i], to = p->joint[i + 1];
    float rise = rates->loss[reverse] * length - (from - to); // of the peak, times (2a+2d)/2a
    float peak = from + rates->share_gain[reverse] * rise;
    peak = kerb_max(peak, kerb_max(from, to));
    bool capped = peak > p->cap[i];
    float top = capped ? kerb_max(p->cap[i], kerb_max(from, to)) : peak;
    movement_parts result = {.from = kerb_sqrt(from), .top = kerb_sqrt(top), .to = kerb_sqrt(to)};
    result.gaining = kerb_min((top - from) / rates->gain[reverse], length);
    if (capped)
        result.losing = kerb_min((top - to) / rates->loss[reverse], length - result.gaining);
    else
        result.losing = length - result.gaining;
    result.keeping = capped ? length - result.gaining - result.losing : 0.0f;
    return result;
}

static float arc_time(const profile* p, int32_t i, const plan_rates* rates, plan_arc arc) {
    if (is_shared(rates, arc))
        return movement_duration_of(p->length[i], kerb_sqrt(p->joint[i]),
                                    kerb_sqrt(p->joint[i + 1]));
    movement_parts t = movement_parts_of(p, i, rates, arc);
    int32_t reverse = is_reverse(arc);
    float time = (t.top - t.from) * rates->per_acceleration[reverse] +
                 (t.top - t.to) * rates->per_braking[reverse];
    return t.keeping > 0.0f ? time + t.keeping / t.top : time;
}

float kerb_in_plan_movement_time(const plan_rates* rates, const plan_arc* arcs, int32_t count,
                                 float speed_start, float speed_goal) {
    profile p;
    if (!movement_solve(&p, rates, arcs, count, speed_start, speed_goal))
        return KERB_PLAN_NEVER;
    float time = 0.0f;
    if (p.count > 0 && speed_start == 0.0f)
        time = kerb_in_plan_setting_off(rates, arcs[p.arc[0]].curvature);
    for (int32_t i = 0; i < p.count; i++) {
        plan_arc arc = arcs[p.arc[i]];
        time += arc_time(&p, i, rates, arc);
        if (i + 1 < p.count && is_reverse(arcs[p.arc[i + 1]]) != is_reverse(arc))
            time += kerb_in_plan_standing(rates, arc.curvature, arcs[p.arc[i + 1]].curvature);
    }
    return time;
}

// --------------------------------------------------------------------------- pieces

typedef struct piece_row {
    kerb_plan_piece* pieces;
    int32_t count;
    kerb_pose at;
    float time;
} piece_row;

static void add_piece(piece_row* row, plan_arc arc, float length, float duration, float speed,
                      float acceleration) {
    if (length > 0.0f || duration > 0.0f) {
        kerb_plan_piece piece = {row->at, row->time,    duration,      length,
                                 speed,   acceleration, arc.curvature, is_reverse(arc) ? -1 : 1,
                                 0.0f};
        row->pieces[row->count++] = piece;
        row->at = curve_moved(row->at, arc.curvature, is_reverse(arc) ? -length : length);
        row->time += duration;
    }
}

static void movement_add_arc(piece_row* row, const plan_rates* rates, plan_arc arc,
                             movement_parts t) {
    int32_t reverse = is_reverse(arc);
    add_piece(row, arc, t.gaining, movement_duration_of(t.gaining, t.from, t.top), t.from,
              0.5f * rates->gain[reverse]);
    add_piece(row, arc, t.keeping, movement_duration_of(t.keeping, t.top, t.top), t.top, 0.0f);
    add_piece(row, arc, t.losing, movement_duration_of(t.losing, t.top, t.to), t.top,
              -0.5f * rates->loss[reverse]);
}

// Rounding of squares of squared speeds, some hundred steps of a float. [1]
#define MOVEMENT_ROUNDING 2e-5f

// By how much the squared speed may change per metre at the greater one of a part. Over a very
// short length rounding would become a great acceleration.
static float movement_change_most(const plan_rates* rates, plan_arc arc, float square, float most) {
    float side = square * kerb_abs(arc.curvature) / rates->lateral;
    float left = 1.0f - side * side * (1.0f - MOVEMENT_ROUNDING);
    return kerb_min(most, rates->grip * kerb_sqrt(kerb_max(left, 0.0f)));
}

// A part of a bend, between two squared speeds.
static void movement_add_part(piece_row* row, const plan_rates* rates, plan_arc arc, float length,
                              float from, float to) {
    float before = kerb_sqrt(from), after = kerb_sqrt(to);
    int32_t reverse = is_reverse(arc);
    float most = to > from ? rates->gain[reverse] : rates->loss[reverse];
    most = movement_change_most(rates, arc, kerb_max(to, from), most);
    float change = kerb_clamp((to - from) / length, -most, most);
    add_piece(row, arc, length, movement_duration_of(length, before, after), before, 0.5f * change);
}

static void add_reversal(piece_row* row, const plan_rates* rates, plan_arc before, plan_arc next) {
    float standing = kerb_in_plan_standing(rates, before.curvature, next.curvature);
    add_piece(row, next, 0.0f, standing, 0.0f, 0.0f);
}

int32_t kerb_in_plan_movement_pieces(const plan_rates* rates, kerb_pose start, const plan_arc* arcs,
                                     int32_t count, float speed_start, float speed_goal,
                                     kerb_plan_piece* pieces) {
    profile p;
    piece_row row = {pieces, 0, start, 0.0f};
    if (!movement_solve(&p, rates, arcs, count, speed_start, speed_goal))
        return 0;
    if (p.count > 0 && speed_start == 0.0f)
        add_piece(&row, arcs[p.arc[0]], 0.0f,
                  kerb_in_plan_setting_off(rates, arcs[p.arc[0]].curvature), 0.0f, 0.0f);
    for (int32_t i = 0; i < p.count; i++) {
        plan_arc arc = arcs[p.arc[i]];
        if (is_shared(rates, arc))
            movement_add_part(&row, rates, arc, p.length[i], p.joint[i], p.joint[i + 1]);
        else
            movement_add_arc(&row, rates, arc, movement_parts_of(&p, i, rates, arc));
        if (i + 1 < p.count && is_reverse(arcs[p.arc[i + 1]]) != is_reverse(arc))
            add_reversal(&row, rates, arc, arcs[p.arc[i + 1]]);
    }
    return row.count;
}

// --------------------------------------------------------------------------- clothoids

// Share of the rate of curvature that is planned, so that rounding does not exceed it. [1]
#define MOVEMENT_RATE_USED 0.9995f

// Arcs that stand for clothoids: as long, with the greatest curvature.
static bool find_bends(profile* p, const plan_rates* rates, const plan_clothoid* bends,
                       int32_t count, plan_arc* arcs) {
    p->count = 0;
    p->bends = bends;
    int32_t left = PLAN_ARCS_MAX - count;
    for (int32_t i = 0; i < count; i++) {
        const plan_clothoid* b = &bends[i];
        float end = b->curvature + b->change, length = kerb_abs(b->length);
        arcs[i] =
            (plan_arc){kerb_abs(end) > kerb_abs(b->curvature) ? end : b->curvature, b->length};
        float cap = kerb_in_plan_cap(rates, arcs[i].curvature, is_reverse(arcs[i]));
        if (b->change != 0.0f) {
            float most = MOVEMENT_RATE_USED * rates->rate * length / kerb_abs(b->change);
            cap = kerb_min(cap, most * most);
        }
        bool is_one = !is_shared(rates, arcs[i]);
        int32_t parts = is_one || left < MOVEMENT_BEND_PARTS ? 1 : MOVEMENT_BEND_PARTS;
        left -= parts - 1;
        if (!(cap > 0.0f))
            return false;
        for (int32_t k = 0; k < parts; k++) {
            p->arc[p->count] = i;
            p->length[p->count] = length / (float)parts;
            p->cap[p->count++] = cap;
        }
    }
    return true;
}

// The last piece of a row, added as that of an arc, becomes part of a clothoid from `into` on.
static void movement_bend_pieces(piece_row* row, int32_t first, const plan_clothoid* b,
                                 float* into) {
    float whole = kerb_abs(b->length), slope = b->change / whole;
    for (int32_t i = first; i < row->count; i++) {
        kerb_plan_piece* p = &row->pieces[i];
        p->start = curve_clothoid(b->start, b->curvature, slope, b->length < 0.0f ? -*into : *into);
        p->curvature = b->curvature + slope * *into;
        p->curvature_change = slope * p->length;
        *into += p->length;
    }
}

static void movement_stand(piece_row* row, const plan_clothoid* b, float wheels) {
    if (b->standing > 0.0f)
        row->pieces[row->count++] = (kerb_plan_piece){.start = b->start,
                                                      .time = row->time,
                                                      .duration = b->standing,
                                                      .curvature = wheels,
                                                      .direction = b->length < 0.0f ? -1 : 1,
                                                      .curvature_change = b->curvature - wheels};
    row->time += kerb_max(b->standing, 0.0f);
}

int32_t kerb_in_plan_movement_bends(const plan_rates* rates, const plan_clothoid* bends,
                                    int32_t count, float wheels, float speed_start,
                                    float speed_goal, kerb_plan_piece* pieces) {
    KERB_ASSERT(count >= 0 && count <= PLAN_ARCS_MAX);
    profile p;
    plan_arc arcs[PLAN_ARCS_MAX];
    plan_rates free = *rates; // the clothoids leave the wheels their time
    free.wheel_time = 0.0f;
    piece_row row = {pieces, 0, {{0.0f, 0.0f}, {1.0f, 0.0f}}, 0.0f};
    if (count <= 0 || !find_bends(&p, &free, bends, count, arcs) ||
        !movement_run(&p, &free, arcs, speed_start, speed_goal))
        return 0;
    float into = 0.0f;
    for (int32_t i = 0; i < p.count; i++) {
        const plan_clothoid* b = &bends[p.arc[i]];
        plan_arc arc = arcs[p.arc[i]];
        if (i == 0 || p.arc[i] != p.arc[i - 1]) {
            movement_stand(&row, b, wheels);
            wheels = b->curvature + b->change;
            into = 0.0f;
        }
        int32_t first = row.count;
        if (is_shared(&free, arc))
            movement_add_part(&row, &free, arc, p.length[i], p.joint[i], p.joint[i + 1]);
        else
            movement_add_arc(&row, &free, arc, movement_parts_of(&p, i, &free, arc));
        movement_bend_pieces(&row, first, b, &into);
    }
    return row.count;
}

// Least length of a leg: in all, and over the smallest turning radius. The plan is tested to have
// legs of LEG_LEAST; rounding takes less than LEG_ROUNDING. [m], [1], [1]
#define LEG_LEAST 0.05f
#define LEG_RADII 0.025f
#define LEG_ROUNDING 1.001f

float kerb_in_plan_leg_least(const plan_rates* rates) {
    return LEG_ROUNDING * kerb_min(LEG_LEAST, LEG_RADII / rates->curvature);
}

float kerb_in_plan_short_legs(const plan_rates* rates, const plan_arc* arcs, int32_t count) {
    float least = kerb_in_plan_leg_least(rates);
    float missing = 0.0f, leg = 0.0f;
    bool turns = false;
    for (int32_t i = 0; i < count; i++) {
        float length = arcs[i].length;
        if (length == 0.0f)
            continue;
        if (leg != 0.0f && (length < 0.0f) != (leg < 0.0f)) {
            missing += kerb_max(least - kerb_abs(leg), 0.0f);
            leg = 0.0f;
            turns = true;
        }
        leg += length;
    }
    return turns ? missing + kerb_max(least - kerb_abs(leg), 0.0f) : 0.0f;
}

kerb_pose kerb_in_plan_way_end(kerb_pose start, const plan_arc* arcs, int32_t count) {
    for (int32_t i = 0; i < count; i++)
        start = curve_moved(start, arcs[i].curvature, arcs[i].length);
    return start;
}

float kerb_in_plan_standing(const plan_rates* rates, float before, float after) {
    float turning = rates->wheel_time * kerb_abs(after - before) - rates->rolling;
    return kerb_max(rates->reversal_time, turning);
}

float kerb_in_plan_setting_off(const plan_rates* rates, float curvature) {
    return kerb_max(rates->wheel_time * kerb_abs(curvature) - rates->rolling, 0.0f);
}

float kerb_in_plan_cap(const plan_rates* rates, float curvature, int32_t reverse) {
    float bend = kerb_abs(curvature), most = rates->speed_squared[reverse];
    if (bend * most > rates->lateral)
        most = rates->lateral / bend;
    if (bend * bend * most > rates->yaw_rate * rates->yaw_rate)
        most = rates->yaw_rate * rates->yaw_rate / (bend * bend);
    return most;
}
