// Purpose: analytic paths from one pose and speed to another, without a search ("shots").
// Idea:    A path is a lead-in, a turn, a straight or a turn to the other side, a turn, and a
//          lead-out. It has a closed form for any radii. Each of the eight kinds is tried with a
//          few radii that follow from the speeds; then the best kinds are improved, one number up
//          or down at a time. The time of the exact speed profile decides, so a wide turn at speed
//          competes with braking for a tight turn. If the vehicle may reverse, the words of Reeds
//          and Shepp compete, first at the smallest radius, with a straight to stop or to
//          accelerate on where the speeds need one.
// Cost:    Some 250 speed profiles; about twice as many with reverse.
// Source:  AIPATH 4.2.1 has the four words of turn, straight, turn at one radius; Dubins (1957) has
//          the two words of three turns. Different radii and the leads are additions: a limit of
//          lateral acceleration needs them.
#include "kerb/plan_search.h"

#include "shot.h"

#include "../../base/shared.h"

#define PLAN_SHOT_CIRCLE (2.0f * KERB_PI)

// Turns below this angle are rounding errors of a turn of 0; without it they would become full
// circles. [rad]
#define NO_TURN 2e-6f

// --------------------------------------------------------------------------- closed forms

// A kind of path: the sides of the first and the last turn, and what lies between them.
typedef struct plan_kind {
    float first, last; // 1: left, -1: right
    float middle;      // 0: a straight; ±1: a turn, with its circle on one of two possible sides
} plan_kind;

// Number of kinds: four with a straight, four with a middle turn. [1]
#define KINDS 8
static const plan_kind kinds[KINDS] = {
    {1.0f, 1.0f, 0.0f}, {-1.0f, -1.0f, 0.0f}, {1.0f, -1.0f, 0.0f},  {-1.0f, 1.0f, 0.0f},
    {1.0f, 1.0f, 1.0f}, {1.0f, 1.0f, -1.0f},  {-1.0f, -1.0f, 1.0f}, {-1.0f, -1.0f, -1.0f}};

// The numbers that determine a path of a kind: lengths of the leads and radii. [m]
enum { LEAD_IN, FIRST, MIDDLE, LAST, LEAD_OUT, NUMBERS };

// Angle from one direction to another, turning to one side. [0 … 2π)
static float plan_shot_turn_between(kerb_vec2 from, kerb_vec2 to, float side) {
    float angle = kerb_atan2(side * kerb_vec2_cross(from, to), kerb_vec2_dot(from, to));
    if (kerb_abs(angle) < NO_TURN)
        return 0.0f;
    return angle > 0.0f ? angle : angle + PLAN_SHOT_CIRCLE;
}

// Centre of a circle; `radius` is negative to the right.
static kerb_vec2 plan_shot_centre_of(kerb_pose pose, float radius) {
    return kerb_vec2_add(pose.position, kerb_vec2_scale(kerb_vec2_left(pose.forward), radius));
}

static plan_arc turn_of(kerb_vec2 from, kerb_vec2 to, float radius) {
    float side = radius > 0.0f ? 1.0f : -1.0f;
    plan_arc arc = {1.0f / radius, plan_shot_turn_between(from, to, side) * kerb_abs(radius)};
    return arc;
}

// Turn, straight, turn. With n to the left of the straight's direction u, centres c1, c2 and signed
// radii r1, r2: c2 - c1 = length·u + (r2 - r1)·n.
static bool close_straight(kerb_pose a, kerb_pose b, float r1, float r2, plan_arc arcs[3]) {
    kerb_vec2 v = kerb_vec2_sub(plan_shot_centre_of(b, r2), plan_shot_centre_of(a, r1));
    float aside = r2 - r1, square = kerb_vec2_dot(v, v), rest = square - aside * aside;
    if (!(rest >= 0.0f) || !(square > 1e-6f))
        return false;
    float length = kerb_sqrt(rest), scale = 1.0f / square;
    kerb_vec2 u =
        kerb_vec2_make((length * v.x + aside * v.y) * scale, (length * v.y - aside * v.x) * scale);
    arcs[0] = turn_of(a.forward, u, r1);
    arcs[1] = (plan_arc){0.0f, length};
    arcs[2] = turn_of(u, b.forward, r2);
    return true;
}

// Turn, turn the other way, turn: the middle circle makes a triangle with the other two. At each
// joint the direction is across the line of centres.
static bool close_turn(kerb_pose a, kerb_pose b, float r1, float middle, float r2, float which,
                       plan_arc arcs[3]) {
    kerb_vec2 c1 = plan_shot_centre_of(a, r1), c2 = plan_shot_centre_of(b, r2),
              v = kerb_vec2_sub(c2, c1);
    float to_first = r1 - middle, to_last = r2 - middle, square = kerb_vec2_dot(v, v);
    if (!(square > 1e-6f))
        return false;
    float along = 0.5f * (to_first * to_first - to_last * to_last + square) / square;
    float height = to_first * to_first / square - along * along;
    if (!(height >= 0.0f))
        return false;
    float across = which * kerb_sqrt(height);
    kerb_vec2 out =
        kerb_vec2_add(kerb_vec2_scale(v, along), kerb_vec2_scale(kerb_vec2_left(v), across));
    kerb_vec2 back = kerb_vec2_sub(out, v);
    kerb_vec2 u = kerb_vec2_scale(kerb_vec2_left(out), 1.0f / to_first);
    kerb_vec2 w = kerb_vec2_scale(kerb_vec2_left(back), 1.0f / to_last);
    arcs[0] = turn_of(a.forward, u, r1);
    arcs[1] = turn_of(u, w, middle);
    arcs[2] = turn_of(w, b.forward, r2);
    return true;
}

static int32_t close_forwards(const plan_kind* k, kerb_pose a, kerb_pose b,
                              const float numbers[NUMBERS], plan_arc* arcs) {
    float r1 = k->first * numbers[FIRST], r2 = k->last * numbers[LAST];
    bool closed = k->middle == 0.0f
                      ? close_straight(a, b, r1, r2, arcs)
                      : close_turn(a, b, r1, -k->first * numbers[MIDDLE], r2, k->middle, arcs);
    return closed ? 3 : 0;
}

static int32_t close_by_word(int32_t word, kerb_pose a, kerb_pose b, float radius, plan_arc* arcs) {
    kerb_curve curve = kerb_reeds_shepp_by_word(word, a, b, radius);
    for (int32_t i = 0; i < curve.count; i++)
        arcs[i] = (plan_arc){curve.curvature[i], curve.length[i]};
    return curve.count;
}

// A straight forwards or in reverse. The other kinds cannot express it exactly.
#define PLAN_SHOT_STRAIGHT (KINDS + KERB_REEDS_SHEPP_WORDS)

// Writes the arcs of a path and returns their number; 0 where no such path exists.
static int32_t close_way(int32_t way, kerb_pose from, kerb_pose to, const float numbers[NUMBERS],
                         plan_arc arcs[PLAN_SHOT_ARCS]) {
    kerb_pose a = from, b = to;
    a.position = kerb_vec2_add(a.position, kerb_vec2_scale(a.forward, numbers[LEAD_IN]));
    b.position = kerb_vec2_sub(b.position, kerb_vec2_scale(b.forward, numbers[LEAD_OUT]));
    arcs[0] = (plan_arc){0.0f, numbers[LEAD_IN]};
    if (way == PLAN_SHOT_STRAIGHT)
        return 1;
    int32_t count = way < KINDS ? close_forwards(&kinds[way], a, b, numbers, arcs + 1)
                                : close_by_word(way - KINDS, a, b, numbers[FIRST], arcs + 1);
    arcs[count + 1] = (plan_arc){0.0f, numbers[LEAD_OUT]};
    return count > 0 ? count + 2 : 0;
}

// --------------------------------------------------------------------------- trying

typedef struct plan_target {
    const plan_rates* rates;
    const plan_space* space;
    const kerb_plan_end* from;
    const kerb_plan_end* to;
    float most;   // time from which on a path is of no use [s]
    int32_t keep; // number of paths that are improved [1 … PLAN_VOLLEY]
} plan_target;

// The best path of one kind until now.
typedef struct trial {
    float time;
    int32_t way; // one of the kinds, or from KINDS on a word of Reeds and Shepp
    float numbers[NUMBERS];
} trial;

static bool plan_shot_is_free(const plan_target* aim, const plan_arc* arcs, int32_t count) {
    return plan_way_is_free(aim->space, aim->from->pose, arcs, count);
}

// Whether a path ends at its goal. With radii of kilometres, or circles that barely touch, rounding
// errors can lead elsewhere.
static bool arrives(const plan_target* aim, const plan_arc* arcs, int32_t count) {
    kerb_pose end = kerb_in_plan_way_end(aim->from->pose, arcs, count), wanted = aim->to->pose;
    kerb_vec2 apart = kerb_vec2_sub(end.position, wanted.position);
    kerb_vec2 p = aim->from->pose.position, q = wanted.position;
    float close = 1e-6f * (kerb_abs(p.x) + kerb_abs(p.y) + kerb_abs(q.x) + kerb_abs(q.y));
    for (int32_t i = 0; i < count; i++)
        close += 1e-5f * kerb_abs(arcs[i].length);
    return kerb_abs(apart.x) + kerb_abs(apart.y) <= close &&
           kerb_abs(kerb_vec2_cross(end.forward, wanted.forward)) <= 1e-4f &&
           kerb_vec2_dot(end.forward, wanted.forward) > 0.0f;
}

// Whether a path takes too much time even at the greatest speed, less what rounding may add.
static bool is_too_long(const plan_target* aim, const plan_arc* arcs, int32_t count, float time) {
    float length = 0.0f,
          fastest = kerb_max(aim->rates->speed_squared[0], aim->rates->speed_squared[1]);
    for (int32_t i = 0; i < count; i++)
        length += kerb_abs(arcs[i].length);
    return time < KERB_PLAN_NEVER && 0.999f * length * length > time * time * fastest;
}

// Replaces the numbers of the trial if the new ones are faster.
static bool plan_shot_try_numbers(const plan_target* aim, trial* best,
                                  const float numbers[NUMBERS]) {
    plan_arc arcs[PLAN_SHOT_ARCS];
    int32_t count = close_way(best->way, aim->from->pose, aim->to->pose, numbers, arcs);
    if (count == 0)
        return false;
    if (is_too_long(aim, arcs, count, best->time))
        return false;
    float time =
        kerb_in_plan_movement_time(aim->rates, arcs, count, aim->from->speed, aim->to->speed);
    time += PLAN_SHORT_LEGS * kerb_in_plan_short_legs(aim->rates, arcs, count);
    if (!(time < best->time) || !arrives(aim, arcs, count) || !plan_shot_is_free(aim, arcs, count))
        return false;
    best->time = time;
    for (int32_t i = 0; i < NUMBERS; i++)
        best->numbers[i] = numbers[i];
    return true;
}

// Number of radii that are tried at each end; all pairs are tried, so it counts twice. [1]
#define RADII 4

// Radii to try at an end with a speed: the smallest, the one that this speed suits, one that suits
// a higher speed, and one that is wider than any speed needs. [m]
static void radii_for(const plan_target* aim, float speed, float radii[RADII]) {
    float least = 1.0f / aim->rates->curvature;
    float most = kerb_max(aim->rates->speed_squared[0] / aim->rates->lateral, 1.2f * least);
    float own = kerb_clamp(speed * speed / aim->rates->lateral, 1.4f * least, most);
    radii[0] = least;
    radii[1] = own;
    radii[2] = kerb_sqrt(own * most);
    radii[3] = 1.6f * most;
}

// Whether a kind has a turn in the middle. It gets the larger radius of both ends.
static bool has_middle(int32_t way) {
    return way < KINDS && kinds[way].middle != 0.0f;
}

static void try_radii(const plan_target* aim, trial* best, float lead_in, float lead_out) {
    float first[RADII], last[RADII];
    radii_for(aim, aim->from->speed, first);
    radii_for(aim, aim->to->speed, last);
    for (int32_t i = 0; i < RADII; i++) {
        for (int32_t j = 0; j < RADII; j++) {
            float middle = has_middle(best->way) ? kerb_max(first[i], last[j]) : 0.0f;
            const float numbers[NUMBERS] = {lead_in, first[i], middle, last[j], lead_out};
            plan_shot_try_numbers(aim, best, numbers);
        }
    }
}

// A number changed by a step: radii by a share of themselves, leads by metres in proportion to the
// smallest radius, without changing their direction.
static float stepped(const plan_target* aim, const trial* best, int32_t number, float step) {
    float least = 1.0f / aim->rates->curvature, now = best->numbers[number];
    if (number != LEAD_IN && number != LEAD_OUT)
        return kerb_max(now * (1.0f + step), least);
    float speed = number == LEAD_IN ? aim->from->speed : aim->to->speed;
    return speed < 0.0f ? kerb_min(now - 2.0f * step * least, 0.0f)
                        : kerb_max(now + 2.0f * step * least, 0.0f);
}

static bool step_number(const plan_target* aim, trial* best, int32_t number, float step) {
    float numbers[NUMBERS];
    for (int32_t i = 0; i < NUMBERS; i++)
        numbers[i] = best->numbers[i];
    numbers[number] = stepped(aim, best, number, step);
    return numbers[number] != best->numbers[number] && plan_shot_try_numbers(aim, best, numbers);
}

static bool has_number(int32_t way, int32_t number) {
    if (number == MIDDLE)
        return has_middle(way);
    return number != LAST || way < KINDS;
}

// Rounds of improvement. The step begins at 60 % and falls to 40 % of itself after each round
// without success. More rounds gain little; chosen by trial. [1]
#define PLAN_SHOT_ROUNDS 6
static void improve(const plan_target* aim, trial* best) {
    float step = 0.6f;
    for (int32_t round = 0; round < PLAN_SHOT_ROUNDS; round++) {
        bool better = false;
        for (int32_t i = 0; i < NUMBERS; i++) {
            if (has_number(best->way, i) && (step_number(aim, best, i, step) ||
                                             step_number(aim, best, i, -step / (1.0f + step))))
                better = true;
        }
        if (!better)
            step *= 0.4f;
    }
}

// --------------------------------------------------------------------------- in reverse too

// Distance along the pose on which a speed changes from or to rest, long enough to be a leg. [m]
// [rate: of the squared speed]
static float plan_shot_lead(const plan_target* aim, float speed, const float rate[2]) {
    if (speed == 0.0f)
        return 0.0f;
    int32_t reverse = speed < 0.0f ? 1 : 0;
    float length = kerb_max(speed * speed / rate[reverse], kerb_in_plan_leg_least(aim->rates));
    return reverse ? -length : length;
}

// To stop at the start, and to reach the speed at the goal. [m]
static float lead_in_of(const plan_target* aim) {
    return plan_shot_lead(aim, aim->from->speed, aim->rates->loss);
}

static float lead_out_of(const plan_target* aim) {
    return plan_shot_lead(aim, aim->to->speed, aim->rates->gain);
}

// Tries a word at the smallest radius, with and without straights to stop and to accelerate on.
static void try_word(const plan_target* aim, trial* best) {
    float leads_in[2] = {lead_in_of(aim), 0.0f}, leads_out[2] = {lead_out_of(aim), 0.0f};
    float least = 1.0f / aim->rates->curvature;
    for (int32_t i = leads_in[0] != 0.0f ? 0 : 1; i < 2; i++) {
        for (int32_t j = leads_out[0] != 0.0f ? 0 : 1; j < 2; j++) {
            const float numbers[NUMBERS] = {leads_in[i], least, 0.0f, least, leads_out[j]};
            plan_shot_try_numbers(aim, best, numbers);
        }
    }
}

static bool plan_shot_may_reverse(const plan_target* aim) {
    return aim->rates->speed_squared[1] > 0.0f;
}

// --------------------------------------------------------------------------- the best of them

// The best trials, best first.
typedef struct ranking {
    int32_t count;
    trial trials[PLAN_VOLLEY];
} ranking;

static void rank(const plan_target* aim, ranking* r, const trial* t) {
    if (!(t->time < aim->most))
        return;
    int32_t at = r->count < aim->keep ? r->count++ : aim->keep;
    for (; at > 0 && t->time < r->trials[at - 1].time; at--) {
        if (at < aim->keep)
            r->trials[at] = r->trials[at - 1];
    }
    if (at < aim->keep)
        r->trials[at] = *t;
}

static void rank_straight(const plan_target* aim, ranking* r) {
    kerb_pose from = aim->from->pose;
    kerb_vec2 apart = kerb_vec2_sub(aim->to->pose.position, from.position);
    trial t = {.time = aim->most, .way = PLAN_SHOT_STRAIGHT};
    const float numbers[NUMBERS] = {kerb_vec2_dot(apart, from.forward)};
    plan_shot_try_numbers(aim, &t, numbers);
    rank(aim, r, &t);
}

static void rank_kinds(const plan_target* aim, ranking* r, float lead_in, float lead_out) {
    for (int32_t i = 0; i < KINDS; i++) {
        trial t = {.time = aim->most, .way = i};
        try_radii(aim, &t, lead_in, lead_out);
        rank(aim, r, &t);
    }
}

// Tries all kinds. If no other works, a straight to stop on, the shortest path at low speed and a
// straight to accelerate on always work on free ground.
static ranking rank_all(const plan_target* aim) {
    ranking first = {0};
    rank_straight(aim, &first);
    rank_kinds(aim, &first, 0.0f, 0.0f);
    for (int32_t i = 0; plan_shot_may_reverse(aim) && i < KERB_REEDS_SHEPP_WORDS; i++) {
        trial t = {.time = aim->most, .way = KINDS + i};
        try_word(aim, &t);
        rank(aim, &first, &t);
    }
    if (first.count == 0)
        rank_kinds(aim, &first, lead_in_of(aim), lead_out_of(aim));
    return first;
}

static plan_volley shoot_at(const plan_target* aim) {
    ranking first = rank_all(aim), improved = {0};
    for (int32_t i = 0; i < first.count; i++) {
        if (first.trials[i].way != PLAN_SHOT_STRAIGHT)
            improve(aim, &first.trials[i]);
        rank(aim, &improved, &first.trials[i]);
    }
    plan_volley volley = {.count = improved.count};
    for (int32_t i = 0; i < improved.count; i++) {
        const trial* t = &improved.trials[i];
        plan_shot* shot = &volley.shots[i];
        shot->count = close_way(t->way, aim->from->pose, aim->to->pose, t->numbers, shot->arcs);
        shot->time = kerb_in_plan_movement_time(aim->rates, shot->arcs, shot->count,
                                                aim->from->speed, aim->to->speed);
    }
    return volley;
}

plan_volley kerb_in_plan_shoot(const plan_rates* rates, const plan_space* space,
                               const kerb_plan_end* from, const kerb_plan_end* to) {
    const plan_target aim = {rates, space, from, to, KERB_PLAN_NEVER, PLAN_VOLLEY};
    return shoot_at(&aim);
}

plan_volley kerb_in_plan_shoot_below(const plan_rates* rates, const plan_space* space,
                                     const kerb_plan_end* from, const kerb_plan_end* to,
                                     float time) {
    const plan_target aim = {rates, space, from, to, time, 1};
    return shoot_at(&aim);
}
