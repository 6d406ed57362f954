// Purpose: improves a plan in small steps.
// Idea:    Under a limit of lateral acceleration an optimal path spirals: where the vehicle slows
//          down, it turns tighter and tighter. A row of about a dozen arcs comes within one percent
//          of that. Lengths and curvatures of adjacent arcs are changed at random, in directions
//          that keep the end of the last arc in its place. The time of the speed profile decides.
//          Step sizes grow with success and shrink with failure, as in a (1+1) evolution strategy.
//
//          No such change removes a leg, the part between two changes of direction: its length only
//          goes to zero, and the standstills at its ends stay. So whole legs are left out as well,
//          where the arcs round them can be closed without.
//
//          For small changes the end moves linearly with each number. These slopes are computed
//          once for all tries between two successes, so a try costs little more than its speed
//          profile. Only a change that would be faster is closed exactly, by Newton's method, and
//          judged again.
// Cost:    O(arcs) per try; a success costs some tries more.
// Source:  The speed profile turns this into a problem whose only constraint is the end. Projection
//          onto it as in Rosen's gradient projection (1961); step sizes after Rechenberg (1973).
#include "kerb/plan_search.h"

#include "polish.h"

#include "../../base/shared.h"

#include <string.h>

// Tries in a window of arcs before the next window; a success ends it as well. Chosen by trial. [1]
#define TRIES 24
// Greatest number of Newton iterations. They converge quadratically; a change that needs more is
// too great. [1]
#define NEWTON 5
// Usual greatest change of a length [turning radii] and of a curvature [greatest curvatures] at
// scale 1. Chosen by trial.
#define LENGTH_SCALE 0.4f
#define BEND_SCALE 0.2f
// Scale of changes below which the step size begins anew: smaller changes gain less than rounding.
// [1]
#define SCALE_LEAST 2e-3f
// Arcs below this length are not changed, because they would become negative. [m]
#define NOTHING 1e-4f
// Cost of the ground that counts as 0: rounding errors of adding and subtracting. [s]
#define NO_TOLL 1e-6f

// Share of the time that a success must save. Less may be rounding, and would let straights wobble.
// [1]
#define POLISH_GAIN 4e-6f

// Time that a turn of the wheels from straight ahead to their greatest angle must save. Without it
// a plan would keep every jerk of the wheels that saves a ten-thousandth of a second. [s]
#define UNREST 0.04f
// Arcs below this length do not count as a turn of the wheels. [m]
#define FLICK 1e-3f

// --------------------------------------------------------------------------- the first arcs

static void cut_longest(plan_polish* p) {
    int32_t longest = 0;
    for (int32_t i = 1; i < p->count; i++) {
        if (kerb_abs(p->arcs[i].length) > kerb_abs(p->arcs[longest].length))
            longest = i;
    }
    memmove(&p->arcs[longest + 1], &p->arcs[longest],
            (size_t)(p->count - longest) * sizeof p->arcs[0]);
    p->count++;
    p->arcs[longest].length *= 0.5f;
    p->arcs[longest + 1].length *= 0.5f;
}

static void find_poses(plan_polish* p, int32_t first, int32_t end) {
    for (int32_t i = first; i < end; i++)
        p->poses[i + 1] = curve_moved(p->poses[i], p->arcs[i].curvature, p->arcs[i].length);
}

static float polish_size_of(kerb_vec2 v) {
    return kerb_abs(v.x) + kerb_abs(v.y);
}

static bool is_cusp(const plan_polish* p, int32_t arc) {
    return (p->arcs[arc - 1].length < 0.0f) != (p->arcs[arc].length < 0.0f);
}

static void count_legs(plan_polish* p) {
    p->legs = p->count > 0 ? 1 : 0;
    for (int32_t i = 1; i < p->count; i++)
        p->legs += is_cusp(p, i);
}

// Time of the present path and the price of legs that are too short; NEVER where it cannot be
// driven.
static float priced_time(const plan_polish* p, const plan_rates* rates, float speed_goal) {
    float missing = p->legs > 1 ? kerb_in_plan_short_legs(rates, p->arcs, p->count) : 0.0f;
    return kerb_in_plan_movement_time(rates, p->arcs, p->count, p->speed_start, speed_goal) +
           PLAN_SHORT_LEGS * missing;
}

void kerb_in_plan_polish_begin(plan_polish* polish, const plan_rates* rates, kerb_pose start,
                               const plan_arc* arcs, int32_t count, int32_t arcs_wanted,
                               float speed_start, float speed_goal, uint64_t seed) {
    KERB_ASSERT(count > 0 && count <= PLAN_ARCS_MAX && arcs_wanted <= PLAN_ARCS_MAX);
    polish->random = kerb_random_make(seed, 1);
    polish->speed_start = speed_start;
    polish->speed_goal = speed_goal;
    polish->count = 0;
    for (int32_t i = 0; i < count; i++) {
        if (kerb_abs(arcs[i].length) > 0.0f)
            polish->arcs[polish->count++] = arcs[i];
    }
    while (polish->count > 0 && polish->count < arcs_wanted)
        cut_longest(polish);
    count_legs(polish);
    polish->poses[0] = start;
    find_poses(polish, 0, polish->count);
    float reach =
        polish_size_of(start.position) + polish_size_of(polish->poses[polish->count].position);
    polish->closeness = 2e-5f + 1e-6f * reach;
    polish->time = priced_time(polish, rates, speed_goal);
    polish->scale = 0.3f;
    polish->tries = 0;
    polish->toll = 0.0f;
    polish->slack = (plan_slack){.speed_least = speed_goal, .speed_most = speed_goal};
}

void kerb_in_plan_polish_count_toll(plan_polish* p, const plan_space* space) {
    p->toll = plan_way_toll(space, p->poses[0], p->arcs, p->count);
}

void kerb_in_plan_polish_loosen(plan_polish* p, const plan_rates* rates, const plan_slack* slack) {
    p->slack = *slack;
    p->speed_goal =
        kerb_in_plan_aim_speed(rates, slack, p->arcs, p->count, p->speed_start, p->speed_goal);
    p->time = priced_time(p, rates, p->speed_goal);
}

// --------------------------------------------------------------------------- slopes of the end

// Slope of an arc's end by its curvature: the integral of s·n(s). All that follows turns as well.
static kerb_vec2 bent_by(plan_arc arc, kerb_pose from, kerb_pose to) {
    float k = arc.curvature, l = arc.length;
    if (kerb_abs(k * l) > 0.05f) {
        kerb_vec2 chord = kerb_vec2_sub(to.position, from.position);
        return kerb_vec2_scale(kerb_vec2_sub(kerb_vec2_scale(to.forward, l), chord), 1.0f / k);
    }
    float x = from.forward.x + 2.0f * to.forward.x, y = from.forward.y + 2.0f * to.forward.y;
    return kerb_vec2_scale(kerb_vec2_make(-y, x), l * l * (1.0f / 6.0f));
}

// Slopes of the end of the window. Rows 2i and 2i+1: by the length and by the curvature of its arc
// i.
static void find_slopes(plan_polish* p, const plan_arc* arcs, const kerb_pose* poses) {
    kerb_vec2 end = poses[p->size].position;
    for (int32_t i = 0; i < p->size; i++) {
        plan_arc arc = arcs[i];
        kerb_vec2 rest = kerb_vec2_sub(end, poses[i + 1].position);
        kerb_vec2 bend = bent_by(arc, poses[i], poses[i + 1]);
        kerb_vec2 ahead = poses[i + 1].forward;
        float* by_length = p->slope[2 * (size_t)i];
        float* by_bend = p->slope[2 * (size_t)i + 1];
        by_length[0] = ahead.x - arc.curvature * rest.y;
        by_length[1] = ahead.y + arc.curvature * rest.x;
        by_length[2] = arc.curvature;
        by_bend[0] = bend.x - arc.length * rest.y;
        by_bend[1] = bend.y + arc.length * rest.x;
        by_bend[2] = arc.length;
    }
}

// Weights of the numbers. A number at its limit is held there: pushed against the limit, it would
// only disturb Newton's method.
static void find_weights(plan_polish* p, const plan_rates* rates, const plan_arc* arcs) {
    float length = LENGTH_SCALE / rates->curvature, bend = BEND_SCALE * rates->curvature;
    for (int32_t i = 0; i < p->size; i++) {
        bool is_short = kerb_abs(arcs[i].length) < NOTHING;
        bool is_tight = kerb_abs(arcs[i].curvature) > 0.9999f * rates->curvature;
        p->weight[2 * (size_t)i] = is_short ? 0.0f : length * length;
        p->weight[2 * (size_t)i + 1] = is_tight || is_short ? 0.0f : bend * bend;
    }
}

static void find_inverse(plan_polish* p) {
    float m[6] = {0.0f};
    for (int32_t i = 0; i < 2 * p->size; i++) {
        const float* s = p->slope[i];
        float x = p->weight[i] * s[0], y = p->weight[i] * s[1], h = p->weight[i] * s[2];
        m[0] += x * s[0];
        m[1] += x * s[1];
        m[2] += x * s[2];
        m[3] += y * s[1];
        m[4] += y * s[2];
        m[5] += h * s[2];
    }
    float xx = m[3] * m[5] - m[4] * m[4], xy = m[2] * m[4] - m[1] * m[5];
    float xh = m[1] * m[4] - m[2] * m[3];
    float determinant = m[0] * xx + m[1] * xy + m[2] * xh;
    p->is_regular = determinant > 1e-6f * m[0] * m[3] * m[5];
    if (!p->is_regular)
        return;
    float scale = 1.0f / determinant;
    p->inverse[0] = xx * scale;
    p->inverse[1] = xy * scale;
    p->inverse[2] = xh * scale;
    p->inverse[3] = (m[0] * m[5] - m[2] * m[2]) * scale;
    p->inverse[4] = (m[1] * m[2] - m[0] * m[4]) * scale;
    p->inverse[5] = (m[0] * m[3] - m[1] * m[1]) * scale;
}

static void linearize(plan_polish* p, const plan_rates* rates, const plan_arc* arcs,
                      const kerb_pose* poses) {
    find_slopes(p, arcs, poses);
    find_weights(p, rates, arcs);
    find_inverse(p);
}

// Adds the weighted least change that moves the end by `error`.
static void add_correction(const plan_polish* p, const float error[3], float* change) {
    const float* n = p->inverse;
    float x = n[0] * error[0] + n[1] * error[1] + n[2] * error[2];
    float y = n[1] * error[0] + n[3] * error[1] + n[4] * error[2];
    float h = n[2] * error[0] + n[4] * error[1] + n[5] * error[2];
    for (int32_t i = 0; i < 2 * p->size; i++) {
        const float* s = p->slope[i];
        change[i] += p->weight[i] * (s[0] * x + s[1] * y + s[2] * h);
    }
}

// An arc after a change, within the limits. No arc changes its direction of travel.
static plan_arc changed(plan_arc arc, const float* change, const plan_rates* rates) {
    float length = arc.length + change[0];
    arc.length = arc.length < 0.0f ? kerb_min(length, -1e-9f) : kerb_max(length, 1e-9f);
    arc.curvature = kerb_clamp(arc.curvature + change[1], -rates->curvature, rates->curvature);
    return arc;
}

// --------------------------------------------------------------------------- one try

static void next_window(plan_polish* p, const plan_rates* rates) {
    int32_t size = p->count < PLAN_WINDOW ? p->count : PLAN_WINDOW;
    if (p->count > PLAN_WINDOW && kerb_random_below(&p->random, 2) == 0)
        size = 4 + kerb_random_below(&p->random, PLAN_WINDOW - 4);
    p->size = size;
    p->first = p->count > size ? kerb_random_below(&p->random, p->count - size + 1) : 0;
    p->tries = TRIES;
    linearize(p, rates, p->arcs + p->first, p->poses + p->first);
}

// A random number in (-1, 1), small values more often.
static float bell(kerb_random* random) {
    return kerb_random_unit(random) - kerb_random_unit(random);
}

// A random change of a few numbers, or of all.
static void random_change(plan_polish* p, float change[2 * PLAN_WINDOW], const plan_rates* rates) {
    float scale = p->scale * (kerb_random_below(&p->random, 4) == 0 ? 3.0f : 1.0f);
    float by[2] = {scale * LENGTH_SCALE / rates->curvature, scale * BEND_SCALE * rates->curvature};
    int32_t numbers = 2 * p->size, few = kerb_random_below(&p->random, 8);
    for (int32_t i = 0; i < numbers; i++)
        change[i] = few >= 5 ? by[i & 1] * bell(&p->random) : 0.0f;
    for (int32_t i = 0; i < few && few < 5; i++) {
        int32_t number = kerb_random_below(&p->random, numbers);
        change[number] += 1.7f * by[number & 1] * bell(&p->random);
    }
}

// Corrects a change so that the end moves by `by`: x, y, heading.
static void keep_end(const plan_polish* p, const float by[3], float change[2 * PLAN_WINDOW]) {
    float moved[3] = {by[0], by[1], by[2]};
    for (int32_t i = 0; i < 2 * p->size; i++) {
        for (int32_t k = 0; k < 3; k++)
            moved[k] -= p->slope[i][k] * change[i];
    }
    add_correction(p, moved, change);
}

// Difference from the window's end to the desired pose: x, y, heading.
static void end_error(kerb_pose end, kerb_pose wanted, float error[3]) {
    error[0] = wanted.position.x - end.position.x;
    error[1] = wanted.position.y - end.position.y;
    error[2] = kerb_atan2(kerb_vec2_cross(end.forward, wanted.forward),
                          kerb_vec2_dot(end.forward, wanted.forward));
}

// Closes the window's arcs to the desired end by Newton's method. Overwrites the window's slopes.
static bool close_window(plan_polish* p, const plan_rates* rates, plan_arc* arcs, kerb_pose wanted,
                         kerb_pose poses[PLAN_WINDOW + 1]) {
    poses[0] = p->poses[p->first];
    for (int32_t round = 0;; round++) {
        for (int32_t i = 0; i < p->size; i++)
            poses[i + 1] = curve_moved(poses[i], arcs[i].curvature, arcs[i].length);
        float error[3], change[2 * PLAN_WINDOW] = {0.0f};
        end_error(poses[p->size], wanted, error);
        if (kerb_abs(error[0]) + kerb_abs(error[1]) <= p->closeness && kerb_abs(error[2]) <= 3e-6f)
            return true;
        if (round == NEWTON)
            return false;
        linearize(p, rates, arcs, poses);
        if (!p->is_regular)
            return false;
        add_correction(p, error, change);
        for (int32_t i = 0; i < p->size; i++)
            arcs[i] = changed(arcs[i], change + 2 * (size_t)i, rates);
    }
}

// The same. Where the final speed has slack and cannot be reached, a lower one is tried.
static float polish_time_of(const plan_polish* p, const plan_rates* rates, float* speed_goal) {
    float time = priced_time(p, rates, *speed_goal);
    if (time < KERB_PLAN_NEVER || p->slack.speed_least == p->slack.speed_most)
        return time;
    *speed_goal = kerb_clamp(0.9f * *speed_goal, p->slack.speed_least, p->slack.speed_most);
    return priced_time(p, rates, *speed_goal);
}

// Price of the jumps of curvature in a window, those at its ends included. [s] A change of
// direction does not count, because the wheels turn at standstill there.
static float unrest_of(const plan_polish* p, const plan_rates* rates, const plan_arc* window) {
    int32_t first = p->first > 0 ? -1 : 0;
    int32_t end = p->first + p->size < p->count ? p->size + 1 : p->size;
    const plan_arc* last = NULL;
    float jumps = 0.0f;
    for (int32_t i = first; i < end; i++) {
        const plan_arc* arc = i < 0 || i == p->size ? &p->arcs[p->first + i] : &window[i];
        if (kerb_abs(arc->length) < FLICK)
            continue;
        if (last && (last->length < 0.0f) == (arc->length < 0.0f))
            jumps += kerb_abs(arc->curvature - last->curvature);
        last = arc;
    }
    return UNREST / rates->curvature * jumps;
}

static bool try_change(plan_polish* p, const plan_rates* rates, const plan_space* space,
                       kerb_pose wanted, const float change[2 * PLAN_WINDOW]) {
    plan_arc before[PLAN_WINDOW];
    plan_arc* arcs = p->arcs + p->first;
    kerb_pose poses[PLAN_WINDOW + 1];
    poses[0] = p->poses[p->first];
    memcpy(before, arcs, (size_t)p->size * sizeof *arcs);
    for (int32_t i = 0; i < p->size; i++)
        arcs[i] = changed(arcs[i], change + 2 * (size_t)i, rates);
    float speed = p->speed_goal, time = polish_time_of(p, rates, &speed), toll = 0.0f;
    // Cost of the ground in the window before and after; outside of it nothing changes.
    bool may_save = p->toll > NO_TOLL && time < p->time + p->toll;
    float before_toll = may_save ? plan_way_toll(space, poses[0], before, p->size) : 0.0f;
    // The change must not cost more, and further jumps of curvature must pay for themselves.
    float unrest = unrest_of(p, rates, before) - POLISH_GAIN * p->time;
    float most = p->time + before_toll + kerb_min(unrest - unrest_of(p, rates, arcs), 0.0f);
    if (time < most)
        toll = plan_way_toll(space, poses[0], arcs, p->size);
    if (time + toll < most) {
        p->tries = 0;
        time = close_window(p, rates, arcs, wanted, poses) ? polish_time_of(p, rates, &speed)
                                                           : KERB_PLAN_NEVER;
        toll = plan_way_toll(space, poses[0], arcs, p->size);
        most = p->time + before_toll + kerb_min(unrest - unrest_of(p, rates, arcs), 0.0f);
    }
    if (time + toll < most && plan_way_is_free(space, poses[0], arcs, p->size) &&
        plan_way_is_clear(space, p->poses[0], p->arcs, p->count, p->speed_start, speed)) {
        memcpy(p->poses + p->first, poses, (size_t)p->size * sizeof *poses);
        p->poses[p->first + p->size] = wanted;
        p->time = time;
        p->toll += toll - before_toll;
        p->speed_goal = speed;
        return true;
    }
    memcpy(arcs, before, (size_t)p->size * sizeof *arcs);
    return false;
}

// --------------------------------------------------------------------------- a leg less

// Tries over those that leave out a leg; chosen by trial. [1]
#define LEG_EVERY 16
// Longest leg that is left out, over the smallest radius. Farther away Newton's method does not
// find the end. [1]
#define LEG_MOST 1.0f

// A leg, and the length of its arcs.
typedef struct polish_leg {
    int32_t first, end;
    float length; // [m]
} polish_leg;

static polish_leg leg_at(const plan_polish* p, int32_t which) {
    polish_leg leg = {0, 0, 0.0f};
    for (int32_t i = 1; i < p->count && which > 0; i++)
        if (is_cusp(p, i) && which-- > 0)
            leg.first = i;
    leg.end = leg.first;
    do
        leg.length += kerb_abs(p->arcs[leg.end++].length);
    while (leg.end < p->count && !is_cusp(p, leg.end));
    return leg;
}

static void take_out_arcs(plan_polish* p, int32_t first, int32_t count) {
    memmove(&p->arcs[first], &p->arcs[first + count],
            (size_t)(p->count - first - count) * sizeof p->arcs[0]);
    p->count -= count;
}

static void put_back_arcs(plan_polish* p, int32_t first, int32_t count, const plan_arc* arcs) {
    memmove(&p->arcs[first + count], &p->arcs[first],
            (size_t)(p->count - first) * sizeof p->arcs[0]);
    memcpy(&p->arcs[first], arcs, (size_t)count * sizeof *arcs);
    p->count += count;
}

// Whether the path without the leg, closed round the gap, is better. Changes the arcs of the
// window, and its time and cost where it is better.
static bool close_gap(plan_polish* p, const plan_rates* rates, const plan_space* space,
                      kerb_pose wanted, float before_toll, kerb_pose poses[PLAN_WINDOW + 1]) {
    plan_arc* arcs = p->arcs + p->first;
    float speed = p->speed_goal;
    if (!close_window(p, rates, arcs, wanted, poses))
        return false;
    float time = polish_time_of(p, rates, &speed), toll = 0.0f;
    float most = p->time * (1.0f - POLISH_GAIN) + before_toll;
    if (time < most)
        toll = plan_way_toll(space, poses[0], arcs, p->size);
    if (!(time + toll < most) || !plan_way_is_free(space, poses[0], arcs, p->size) ||
        !plan_way_is_clear(space, p->poses[0], p->arcs, p->count, p->speed_start, speed))
        return false;
    p->time = time;
    p->toll += toll - before_toll;
    p->speed_goal = speed;
    return true;
}

// Leaves out a random leg, where the path is better without it.
static bool leave_out_leg(plan_polish* p, const plan_rates* rates, const plan_space* space) {
    polish_leg leg = leg_at(p, kerb_random_below(&p->random, p->legs));
    int32_t gone = leg.end - leg.first, left = p->count - gone;
    if (leg.length * rates->curvature > LEG_MOST || gone > PLAN_WINDOW || left < 2)
        return false;
    plan_arc leg_arcs[PLAN_WINDOW], before[PLAN_WINDOW];
    kerb_pose poses[PLAN_WINDOW + 1];
    p->tries = 0; // the window and its slopes are another's from here on
    p->size = left < PLAN_WINDOW ? left : PLAN_WINDOW;
    int32_t first = leg.first - p->size / 2, last = left - p->size;
    p->first = first < 0 ? 0 : first < last ? first : last;
    kerb_pose wanted = p->poses[p->first + p->size + gone];
    float toll = p->toll > NO_TOLL
                     ? plan_way_toll(space, p->poses[p->first], p->arcs + p->first, p->size + gone)
                     : 0.0f;
    memcpy(leg_arcs, &p->arcs[leg.first], (size_t)gone * sizeof *leg_arcs);
    take_out_arcs(p, leg.first, gone);
    memcpy(before, p->arcs + p->first, (size_t)p->size * sizeof *before);
    if (!close_gap(p, rates, space, wanted, toll, poses)) {
        memcpy(p->arcs + p->first, before, (size_t)p->size * sizeof *before);
        put_back_arcs(p, leg.first, gone, leg_arcs);
        return false;
    }
    memmove(&p->poses[p->first + p->size], &p->poses[p->first + p->size + gone],
            (size_t)(p->count - p->first - p->size + 1) * sizeof p->poses[0]);
    memcpy(p->poses + p->first, poses, (size_t)p->size * sizeof *poses);
    count_legs(p);
    return true;
}

// --------------------------------------------------------------------------- an end with slack

// Share of the tolerances that is used, so that rounding does not leave them. [1]
#define POLISH_HELD 0.999f

static kerb_pose polish_turned(kerb_pose pose, float angle) {
    float sine, cosine;
    kerb_vec2 f = pose.forward;
    kerb_sin_cos(angle, &sine, &cosine);
    pose.forward = kerb_vec2_make(f.x * cosine - f.y * sine, f.x * sine + f.y * cosine);
    return pose;
}

// A pose clamped to the goal's tolerances.
static kerb_pose held_to(const plan_slack* slack, kerb_pose pose) {
    kerb_vec2 away = kerb_vec2_sub(pose.position, slack->middle.position);
    float square = kerb_vec2_dot(away, away), most = POLISH_HELD * slack->position;
    if (square > most * most)
        pose.position =
            kerb_vec2_add(slack->middle.position, kerb_vec2_scale(away, most / kerb_sqrt(square)));
    if (slack->heading >= KERB_PI)
        return pose;
    kerb_vec2 f = slack->middle.forward;
    float turn = kerb_atan2(kerb_vec2_cross(f, pose.forward), kerb_vec2_dot(f, pose.forward));
    float held = kerb_clamp(turn, -POLISH_HELD * slack->heading, POLISH_HELD * slack->heading);
    return held == turn ? pose : polish_turned(pose, held - turn);
}

// A random pose near the end; the scale gives the distance.
static kerb_pose moved_end(plan_polish* p, kerb_pose end, const plan_rates* rates) {
    float scale = kerb_min(3.0f * p->scale, 1.0f);
    float reach = kerb_min(p->slack.position, 1.0f / rates->curvature);
    kerb_pose moved = end;
    moved.position.x += 2.0f * scale * reach * bell(&p->random);
    moved.position.y += 2.0f * scale * reach * bell(&p->random);
    moved = polish_turned(moved, scale * kerb_min(p->slack.heading, 1.0f) * bell(&p->random));
    return held_to(&p->slack, moved);
}

static bool try_faster_end(plan_polish* p, const plan_rates* rates) {
    float speed =
        kerb_in_plan_aim_speed(rates, &p->slack, p->arcs, p->count, p->speed_start, p->speed_goal);
    float time = priced_time(p, rates, speed);
    if (!(time < p->time * (1.0f - POLISH_GAIN)))
        return false;
    p->time = time;
    p->speed_goal = speed;
    return true;
}

// Chooses the desired end of this try, and how far the window's end then moves.
static void move_end(plan_polish* p, const plan_rates* rates, kerb_pose* wanted, float by[3]) {
    bool is_loose = p->slack.position > 0.0f || p->slack.heading > 0.0f;
    if (!is_loose || p->first + p->size < p->count || kerb_random_below(&p->random, 3) == 0)
        return;
    kerb_pose end = *wanted;
    *wanted = moved_end(p, end, rates);
    end_error(end, *wanted, by);
}

// --------------------------------------------------------------------------- a step

bool kerb_in_plan_polish_step(plan_polish* p, const plan_rates* rates, const plan_space* space) {
    if (p->count < 2)
        return false;
    if (p->legs > 1 && kerb_random_below(&p->random, LEG_EVERY) == 0)
        return leave_out_leg(p, rates, space);
    if (p->tries <= 0)
        next_window(p, rates);
    p->tries--;
    if (!p->is_regular)
        return false;
    bool is_faster_end =
        p->slack.speed_least != p->slack.speed_most && kerb_random_below(&p->random, 16) == 0;
    if (is_faster_end && try_faster_end(p, rates))
        return true;
    float change[2 * PLAN_WINDOW] = {0.0f}, by[3] = {0.0f};
    kerb_pose wanted = p->poses[p->first + p->size];
    move_end(p, rates, &wanted, by);
    random_change(p, change, rates);
    keep_end(p, by, change);
    if (try_change(p, rates, space, wanted, change)) {
        p->scale = kerb_min(1.5f * p->scale, 1.0f);
        return true;
    }
    p->scale *= 0.97f;
    if (p->scale < SCALE_LEAST) {
        float share = kerb_random_unit(&p->random);
        p->scale = SCALE_LEAST + 0.3f * share * share;
    }
    return false;
}
