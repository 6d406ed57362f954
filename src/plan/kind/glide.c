// Purpose: legs of vehicles that move where they point: airplanes and submarines.
// Idea:    Seen from above a leg is a Dubins curve, and its slope is constant (the low case of the
//          Dubins airplane). Where it would be too steep, the curve is made longer: by a turn at
//          the start (medium), and whole circles before it (high), until the steepest slope is
//          enough. The length of the shortest curve after a turn jumps where its word changes. So
//          where that misses the length, words that are not the shortest are tried, one by one.
//          Along the leg the speed rises, stays and falls.
// Cost:    One Dubins curve; where the slope is too steep, about 40, and seldom up to 400.
// Source:  Chitsaz, LaValle, "Time-optimal Paths for a Dubins Airplane", CDC 2007; Owen, Beard,
//          McLain, "Implementing Dubins Airplane Paths on Fixed-Wing UAVs", 2014.
#include "glide.h"

#include "dash.h"

#include "kerb/curve.h"

#include "../../base/shared.h"

#include <string.h>

// Turns at the start that are tried, on each side, and halvings between two of them.
#define GLIDE_TURNS 12
#define GLIDE_HALVINGS 14
// A way that is so little longer than asked for is not improved. [1]
#define GLIDE_EXACT 1.002f
// Any word of the curve.
#define GLIDE_SHORTEST (-1)
// Shorter arcs and legs are left out. [m]
#define GLIDE_LEAST 1e-5f
// Halvings of the speed of a leg that waits, and how punctual it is. [s]
#define GLIDE_SPEED_HALVINGS 30
#define GLIDE_PUNCTUAL 5e-4f
// Longer ways that are tried for a leg that waits.
#define GLIDE_LONGER_WAYS 4
// Arcs of a leg: a turn at the start, those of a curve, and the straight at its end.
#define GLIDE_ARCS (2 + KERB_CURVE_PIECES)
// A direction that is steeper than this has no heading. [1]
#define GLIDE_LEVEL_LEAST 0.05f
// Greatest speed of a state over that of the vehicle, for rounding. [1]
#define GLIDE_ROUNDING 1.001f

void kerb_in_glide_rates(float radius, const float* state, const float* control, float* rates) {
    float sine, cosine, slope = kerb_clamp(control[GLIDE_SLOPE], -1.0f, 1.0f);
    float level = state[GLIDE_SPEED] * kerb_sqrt(1.0f - slope * slope);
    kerb_sin_cos(state[GLIDE_HEADING], &sine, &cosine);
    rates[0] = level * cosine;
    rates[1] = level * sine;
    rates[2] = state[GLIDE_SPEED] * slope;
    rates[GLIDE_HEADING] = level * control[GLIDE_CURVATURE] / radius;
    rates[GLIDE_SPEED] = control[GLIDE_PUSH];
}

glide_limits kerb_in_glide_planned(const kerb_kind* kind, const glide_limits* limits) {
    glide_limits planned = *limits;
    planned.radius /= kind->control_max[GLIDE_CURVATURE];
    planned.up = kind->control_max[GLIDE_SLOPE];
    planned.down = -kind->control_min[GLIDE_SLOPE];
    planned.push = kind->control_max[GLIDE_PUSH];
    planned.braking = -kind->control_min[GLIDE_PUSH];
    return planned;
}

void kerb_in_glide_via(const glide_limits* limits, kerb_vec3 position, kerb_vec3 direction,
                       float share, float* state) {
    float level = kerb_vec2_length(kerb_vec2_make(direction.x, direction.y));
    state[0] = position.x;
    state[1] = position.y;
    state[2] = position.z;
    if (level > GLIDE_LEVEL_LEAST)
        state[GLIDE_HEADING] = kerb_atan2(direction.y, direction.x);
    state[GLIDE_SPEED] = kerb_max(share * limits->speed_max, limits->speed_min);
}

// --------------------------------------------------------------------------- curves

// A way seen from above.
typedef struct glide_way {
    int32_t count;
    float curvature[GLIDE_ARCS], length[GLIDE_ARCS]; // [1/m, m]
    float whole;                                     // [m]
} glide_way;

static void glide_add(glide_way* way, float curvature, float length) {
    if (length <= GLIDE_LEAST)
        return;
    way->curvature[way->count] = curvature;
    way->length[way->count++] = length;
    way->whole += length;
}

// What is asked of a way.
typedef struct glide_query {
    kerb_pose from, to;
    float radius, least; // [m]
    int32_t circles;     // whole ones at the start
    int32_t word;        // kerb_dubins_word; GLIDE_SHORTEST: that of the shortest curve
} glide_query;

// The way that first turns by an angle, left positive, and then takes a curve. Without pieces where
// there is no curve.
static glide_way glide_turned(const glide_query* q, float angle) {
    glide_way way = {.count = 0};
    float side = angle < 0.0f ? -1.0f : 1.0f, turn = kerb_abs(angle), radius = q->radius;
    float sine, cosine;
    kerb_sin_cos(turn, &sine, &cosine);
    kerb_vec2 forward = q->from.forward, left = {-forward.y, forward.x};
    kerb_pose begin = q->from;
    float ahead = radius * sine, aside = side * radius * (1.0f - cosine);
    begin.position.x += ahead * forward.x + aside * left.x;
    begin.position.y += ahead * forward.y + aside * left.y;
    begin.forward.x = cosine * forward.x + side * sine * left.x;
    begin.forward.y = cosine * forward.y + side * sine * left.y;
    bool any = q->word == GLIDE_SHORTEST;
    kerb_curve curve = any ? kerb_dubins(begin, q->to, radius)
                           : kerb_dubins_by_word((kerb_dubins_word)q->word, begin, q->to, radius);
    if (curve.count < 1 && !any)
        return way;
    glide_add(&way, side / radius, radius * (turn + 2.0f * KERB_PI * (float)q->circles));
    for (int32_t i = 0; i < curve.count; i++)
        glide_add(&way, curve.curvature[i], curve.length[i]);
    return way;
}

// The way of a turn between two, of which only `high` makes it long enough; nearly as long as
// wanted.
static glide_way glide_between(const glide_query* q, float low, float high) {
    glide_way best = glide_turned(q, high);
    for (int32_t i = 0; i < GLIDE_HALVINGS; i++) {
        float middle = 0.5f * (low + high);
        glide_way way = glide_turned(q, middle);
        if (way.whole >= q->least) {
            high = middle;
            best = way;
        } else {
            low = middle;
        }
    }
    return best;
}

// The turn of a step to a side. A whole circle would be no turn.
static float glide_turn(int32_t side, int32_t step) {
    float turn = 2.0f * KERB_PI / (float)GLIDE_TURNS * (float)step;
    return (float)side * kerb_min(turn, 6.283f);
}

// Takes the way with the least turn that makes it long enough, if it is shorter.
static void glide_try_turns(const glide_query* q, glide_way* best) {
    for (int32_t side = -1; side <= 1; side += 2)
        for (int32_t i = 1; i <= GLIDE_TURNS; i++) {
            if (glide_turned(q, glide_turn(side, i)).whole < q->least)
                continue;
            glide_way way = glide_between(q, glide_turn(side, i - 1), glide_turn(side, i));
            if (way.whole < best->whole)
                *best = way;
            break;
        }
}

// Takes ways of one word. Their length changes evenly with the turn, where that of the shortest
// curve jumps from word to word.
static void glide_try_word(const glide_query* q, glide_way* best) {
    for (int32_t side = -1; side <= 1; side += 2) {
        float before = glide_turned(q, 0.0f).whole;
        for (int32_t i = 1; i <= GLIDE_TURNS && best->whole > GLIDE_EXACT * q->least; i++) {
            float low = glide_turn(side, i - 1), high = glide_turn(side, i);
            float whole = glide_turned(q, high).whole;
            bool rises = before < q->least && whole >= q->least;
            bool falls = before >= q->least && whole < q->least;
            bool exists = before > 0.0f && whole > 0.0f;
            before = whole;
            if (!exists || (!rises && !falls))
                continue;
            glide_way way = rises ? glide_between(q, low, high) : glide_between(q, high, low);
            if (way.whole < best->whole)
                *best = way;
        }
    }
}

// The shortest way found that is at least so long.
static glide_way glide_at_least(kerb_pose from, kerb_pose to, float radius, float least) {
    glide_query q = {from, to, radius, least, 0, GLIDE_SHORTEST};
    glide_way shortest = glide_turned(&q, 0.0f), best = {.whole = 1e30f};
    if (shortest.whole >= least)
        return shortest;
    float circle = 2.0f * KERB_PI * radius;
    int32_t circles = (int32_t)kerb_min((least - shortest.whole) / circle, 1e6f);
    q.circles = circles;
    glide_try_turns(&q, &best);
    for (q.word = 0; q.word < KERB_DUBINS_WORD_COUNT; q.word++)
        for (q.circles = circles; q.circles >= 0 && q.circles >= circles - 1; q.circles--)
            glide_try_word(&q, &best);
    if (best.whole < 1e30f)
        return best;
    q.word = GLIDE_SHORTEST;
    q.circles = circles + 1;
    return glide_turned(&q, 0.0f);
}

// --------------------------------------------------------------------------- speed

// Speeds along a leg, over distance: a change to the cruise speed, that speed, and a change from
// it.
typedef struct glide_profile {
    float from, cruise, to;      // speeds [m/s]
    float first, last, whole;    // distances of the changes; length of the leg [m]
    float first_push, last_push; // accelerations of the changes [m/s²]
    float push, braking;         // greatest, both ways [m/s²]
} glide_profile;

// Completes a profile of a cruise speed. False where the leg is too short for it.
static bool glide_cruise_at(glide_profile* p, float cruise) {
    p->cruise = cruise;
    p->first_push = cruise >= p->from ? p->push : -p->braking;
    p->last_push = cruise >= p->to ? -p->braking : p->push;
    float first = (cruise * cruise - p->from * p->from) / (2.0f * p->first_push);
    float last = (p->to * p->to - cruise * cruise) / (2.0f * p->last_push);
    p->first = kerb_min(first, p->whole);
    p->last = kerb_min(last, p->whole - p->first);
    return first + last <= p->whole;
}

// The fastest profile.
static glide_profile glide_profile_of(const glide_limits* l, float from, float to, float whole) {
    glide_profile p = {
        .from = from, .to = to, .whole = whole, .push = l->push, .braking = l->braking};
    float square =
        (2.0f * l->push * l->braking * whole + l->braking * from * from + l->push * to * to) /
        (l->push + l->braking);
    float most = kerb_max(l->speed_max, kerb_max(from, to));
    glide_cruise_at(&p, kerb_max(kerb_min(kerb_sqrt(square), most), kerb_max(from, to)));
    return p;
}

// Where the acceleration next changes after a distance; the acceleration until then.
static float glide_next(const glide_profile* p, float at, float* push) {
    float end = p->whole - p->last;
    *push = at < p->first ? p->first_push : at < end ? 0.0f : p->last_push;
    return at < p->first ? p->first : at < end ? end : p->whole;
}

static float glide_speed(const glide_profile* p, float at) {
    float end = p->whole - p->last;
    float square = at <= p->first
                       ? p->from * p->from + 2.0f * p->first_push * at
                       : p->cruise * p->cruise + 2.0f * p->last_push * kerb_max(at - end, 0.0f);
    return kerb_sqrt(kerb_max(square, 0.0f));
}

// Time of a piece of constant acceleration.
static float glide_time(const glide_profile* p, float from, float to) {
    float speeds = glide_speed(p, from) + glide_speed(p, to);
    return speeds > 1e-6f ? 2.0f * (to - from) / speeds : 0.0f;
}

// --------------------------------------------------------------------------- legs

// Where a leg rises: not while it is slow, at its begin and its end.
typedef struct glide_slope {
    float first, last;   // lengths of the level parts [m]
    float level, whole;  // lengths of all, seen from above and along the leg [m]
    float sine, stretch; // of the slope; length along the leg over that seen from above [1]
} glide_slope;

// Distance in which a speed is no longer slow, or begins to be.
static float glide_slow(float slow, float speed, float push) {
    return speed < slow ? (slow * slow - speed * speed) / (2.0f * push) : 0.0f;
}

static glide_slope glide_slope_of(const glide_limits* l, const float* from, const float* to) {
    glide_slope slope = {.first = glide_slow(l->slow, from[GLIDE_SPEED], l->push),
                         .last = glide_slow(l->slow, to[GLIDE_SPEED], l->braking)};
    return slope;
}

// Completes a slope for a way of a length seen from above.
static void glide_slope_take(glide_slope* slope, const glide_limits* l, float level, float rise) {
    if (kerb_abs(rise) < GLIDE_LEAST)
        slope->first = slope->last = 0.0f;
    float middle = kerb_max(level - slope->first - slope->last, 0.0f);
    float along = kerb_sqrt(middle * middle + rise * rise);
    slope->level = level;
    slope->whole = level - middle + along;
    slope->sine = along > GLIDE_LEAST ? kerb_clamp(rise / along, -l->down, l->up) : 0.0f;
    slope->stretch = middle > 0.0f ? along / middle : 1.0f;
}

// Distance along the leg, for one seen from above.
static float glide_stretched(const glide_slope* slope, float level) {
    if (level <= slope->first)
        return level;
    if (level >= slope->level - slope->last)
        return slope->whole - (slope->level - level);
    return slope->first + slope->stretch * (level - slope->first);
}

// Where the slope next changes after a distance along the leg; the slope until then.
static float glide_next_slope(const glide_slope* slope, float at, float* sine) {
    float end = slope->whole - slope->last;
    *sine = at >= slope->first && at < end ? slope->sine : 0.0f;
    return at < slope->first ? slope->first : at < end ? end : slope->whole;
}

// Writes the pieces: arcs, cut where acceleration and slope change.
static bool glide_write(float radius, const glide_way* way, const glide_profile* p,
                        const glide_slope* slope, kerb_kind_leg* leg) {
    float at = 0.0f, level = 0.0f;
    leg->count = 0;
    for (int32_t i = 0; i < way->count; i++) {
        level += way->length[i];
        float end = i + 1 == way->count ? p->whole : glide_stretched(slope, level);
        while (at < end) {
            float push, sine, next = kerb_min(glide_next(p, at, &push), end);
            next = kerb_min(next, glide_next_slope(slope, at, &sine));
            if (leg->count >= KERB_KIND_LEG_PIECES)
                return false;
            if (next - at > GLIDE_LEAST || next >= end) {
                float* control = leg->controls[leg->count];
                memset(control, 0, sizeof leg->controls[0]);
                control[GLIDE_CURVATURE] = way->curvature[i] * radius;
                control[GLIDE_SLOPE] = sine;
                control[GLIDE_PUSH] = push;
                leg->times[leg->count++] = glide_time(p, at, next);
            }
            at = next;
        }
    }
    return true;
}

// A leg that takes no time: the end is where it begins.
static bool glide_stay(kerb_kind_leg* leg) {
    memset(leg->controls[0], 0, sizeof leg->controls[0]);
    leg->count = 1;
    leg->times[0] = 0.0f;
    return true;
}

// A leg before it is written.
typedef struct glide_course {
    glide_way way;
    glide_slope slope;
    glide_profile profile;
} glide_course;

// The pose from which an arc leads to another.
static kerb_pose glide_before(kerb_pose end, float length, float curvature) {
    float half = 0.5f * curvature * length, sine, cosine;
    float chord = kerb_abs(half) < 0.01f ? length : length * kerb_sin(half) / half;
    kerb_vec2 forward = end.forward;
    kerb_sin_cos(half, &sine, &cosine);
    end.position.x -= chord * (forward.x * cosine + forward.y * sine);
    end.position.y -= chord * (forward.y * cosine - forward.x * sine);
    kerb_sin_cos(2.0f * half, &sine, &cosine);
    end.forward.x = forward.x * cosine + forward.y * sine;
    end.forward.y = forward.y * cosine - forward.x * sine;
    return end;
}

// The shortest leg that is long enough for the slope, for the change of speed, and for a length
// seen from above.
static void glide_lay(const glide_limits* l, const float* from, const float* to, float longer,
                      glide_course* c) {
    kerb_pose begin = kerb_pose_make(from[0], from[1], from[GLIDE_HEADING]);
    kerb_pose end = kerb_pose_make(to[0], to[1], to[GLIDE_HEADING]);
    float rise = to[2] - from[2], steepest = rise > 0.0f ? l->up : l->down;
    float first = from[GLIDE_SPEED], last = to[GLIDE_SPEED];
    c->slope = glide_slope_of(l, from, to);
    float least = kerb_abs(rise) * kerb_sqrt(1.0f - steepest * steepest) / steepest;
    least += kerb_abs(rise) < GLIDE_LEAST ? 0.0f : c->slope.first + c->slope.last;
    float change = (last * last - first * first) / 2.0f;
    least = kerb_max(least, change > 0.0f ? change / l->push : -change / l->braking);
    least = kerb_max(least, longer);
    end = glide_before(end, l->approach, l->bend);
    c->way = glide_at_least(begin, end, l->radius, least - l->approach);
    glide_add(&c->way, l->bend, l->approach);
    glide_slope_take(&c->slope, l, c->way.whole, rise);
    c->profile = glide_profile_of(l, first, last, c->slope.whole);
}

bool kerb_in_glide_connect(float radius, const glide_limits* l, const float* from, const float* to,
                           kerb_kind_leg* leg) {
    if (from[GLIDE_SPEED] < 0.0f || to[GLIDE_SPEED] < 0.0f) // nothing that glides moves backwards
        return false;
    glide_course c;
    glide_lay(l, from, to, 0.0f, &c);
    if (c.slope.whole < GLIDE_LEAST)
        return glide_stay(leg);
    return c.way.count > 0 && glide_write(radius, &c.way, &c.profile, &c.slope, leg);
}

// --------------------------------------------------------------------------- legs that wait

static float glide_duration(const glide_profile* p) {
    float cruise = p->whole - p->first - p->last;
    return (p->cruise - p->from) / p->first_push + (p->to - p->cruise) / p->last_push +
           (cruise > 0.0f ? cruise / kerb_max(p->cruise, 1e-3f) : 0.0f);
}

// Makes the profile so slow that it takes a time. False where it is too fast or too slow for that.
static bool glide_slow_down(const glide_limits* l, float time, glide_profile* p) {
    float low = kerb_min(l->waiting, p->cruise), high = p->cruise;
    if (glide_duration(p) > time + GLIDE_PUNCTUAL)
        return false;
    for (int32_t i = 0; i < GLIDE_SPEED_HALVINGS; i++) {
        float middle = 0.5f * (low + high);
        if (glide_cruise_at(p, middle) && glide_duration(p) <= time)
            high = middle;
        else
            low = middle;
    }
    glide_cruise_at(p, high);
    return kerb_abs(glide_duration(p) - time) <= GLIDE_PUNCTUAL;
}

// The length of a way seen from above that takes so much longer at a speed.
static float glide_longer(const glide_course* c, float longer, float speed) {
    return c->way.whole + longer * speed / c->slope.stretch;
}

bool kerb_in_glide_connect_in(float radius, const glide_limits* l, const float* from,
                              const float* to, float time, kerb_kind_leg* leg) {
    if (from[GLIDE_SPEED] < 0.0f || to[GLIDE_SPEED] < 0.0f)
        return false;
    glide_course c, shortest;
    glide_lay(l, from, to, 0.0f, &shortest);
    float longer = time - glide_duration(&shortest.profile);
    // Slower on the shortest way; or a way so long that the fastest takes nearly the time, or one
    // that is less long, because ways of any length between two need not exist.
    for (int32_t i = 0; i <= GLIDE_LONGER_WAYS; i++) {
        float share = (float)(GLIDE_LONGER_WAYS - i) / (float)GLIDE_LONGER_WAYS;
        float speed = l->waiting + share * (l->speed_max - l->waiting);
        c = shortest;
        if (i > 0)
            glide_lay(l, from, to, glide_longer(&shortest, longer, speed), &c);
        if (c.way.count > 0 && glide_slow_down(l, time, &c.profile))
            return glide_write(radius, &c.way, &c.profile, &c.slope, leg);
    }
    return false;
}

float kerb_in_glide_room(float speed_max, const float* state) {
    float speed = state[GLIDE_SPEED] / speed_max;
    return kerb_min(speed, GLIDE_ROUNDING - speed);
}

float kerb_in_glide_bound(const glide_limits* l, float speed_max, const float* from,
                          const float* to) {
    kerb_pose begin = kerb_pose_make(from[0], from[1], from[GLIDE_HEADING]);
    kerb_pose end = kerb_pose_make(to[0], to[1], to[GLIDE_HEADING]);
    float level = kerb_vec2_length(kerb_vec2_sub(end.position, begin.position));
    float turn = kerb_abs(kerb_wrap_angle(to[GLIDE_HEADING] - from[GLIDE_HEADING]));
    float rise = to[2] - from[2];
    // The length of Dubins's curve jumps by a loop at goals that are nearer than four radii, so
    // that rounding, or a goal that is met within its tolerances, may take the loop away.
    if (level > 4.0f * l->radius)
        level = kerb_dubins_length(begin, end, l->radius);
    level = kerb_max(level, l->radius * turn);
    float steepest = rise > 0.0f ? l->up : l->down;
    // Lengths are rounded by a millionth.
    float whole = kerb_max(kerb_sqrt(level * level + rise * rise), kerb_abs(rise) / steepest);
    return 0.9999f * kerb_in_kind_dash(whole, from[GLIDE_SPEED], to[GLIDE_SPEED], l->push,
                                       l->braking, GLIDE_ROUNDING * speed_max);
}
