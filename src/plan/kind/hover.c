// Purpose: legs of craft that hover: helicopters, drones, rockets.
// Idea:    Along each axis the velocity changes to a peak by a constant jerk up, a constant
//          acceleration and a constant jerk down, stays, and changes again to that of the end. The
//          duration of the leg is that of the slowest axis; the others choose a peak so low that
//          they take as long. Horizontal axes lie along the way and across, and share speed and
//          acceleration, so that their sum stays within a circle.
// Cost:    O(1): some bisections of 40 steps.
// Source:  Kröger, "On-Line Trajectory Generation in Robotic Systems", 2010 (profiles of an axis).
#include "hover.h"

#include "dash.h"

#include "../../base/shared.h"

#include <math.h>
#include <string.h>

// Halvings of a bisection in double precision.
#define HOVER_HALVINGS 40
// Longer tries of a duration that some axis cannot take: each by this share.
#define HOVER_TRIES 60
#define HOVER_LONGER 1.04
// Shares of speed and acceleration of the axes along and across, as angles. [rad]
#define HOVER_SPLITS 5
// How fast a craft without a plan stops. [1/s]
#define HOVER_STOP_RATE 0.6f
// A leg that begins at a higher speed than the limit may slow down from it. [1]
#define HOVER_OVER 1.0001f
// Rooms are larger than limits by this, for rounding. [1]
#define HOVER_ROUNDING 1.001f

// --------------------------------------------------------------------------- an axis

typedef struct hover_axis {
    double distance, from, to;        // [m], velocities [m/s]
    double up, down, push, rate;      // greatest velocities, acceleration and jerk
    double first, last, cruise, peak; // durations of the ramps and between them; velocity
} hover_axis;

// Duration of a change of velocity.
static double ramp_time(double change, double push, double rate) {
    double size = fabs(change);
    return size <= push * push / rate ? 2.0 * sqrt(size / rate) : size / push + push / rate;
}

// Distance of both ramps with a peak.
static double ramps_distance(hover_axis* a, double peak) {
    a->peak = peak;
    a->first = ramp_time(peak - a->from, a->push, a->rate);
    a->last = ramp_time(a->to - peak, a->push, a->rate);
    return 0.5 * (a->from + peak) * a->first + 0.5 * (peak + a->to) * a->last;
}

// Distance of a leg of a given duration, or of the ramps alone where it is 0.
static double axis_distance(hover_axis* a, double peak, double time) {
    double ramps = ramps_distance(a, peak);
    a->cruise = time > 0.0 ? time - a->first - a->last : 0.0;
    return ramps + peak * a->cruise;
}

// Between a peak that reaches less than the distance and one that reaches no less.
static void axis_halve(hover_axis* a, double low, double high, double time) {
    for (int32_t i = 0; i < HOVER_HALVINGS; i++) {
        double middle = 0.5 * (low + high);
        if (axis_distance(a, middle, time) < a->distance)
            low = middle;
        else
            high = middle;
    }
}

// The peak farthest from `near`, at most at `far`, whose ramps take no longer than a duration;
// those of `near` do not.
static double axis_farthest(hover_axis* a, double near, double far, double time) {
    axis_distance(a, far, time);
    if (a->cruise >= 0.0)
        return far;
    for (int32_t i = 0; i < HOVER_HALVINGS; i++) {
        double middle = 0.5 * (near + far);
        axis_distance(a, middle, time);
        if (a->cruise >= 0.0)
            near = middle;
        else
            far = middle;
    }
    return near;
}

static double axis_larger(double a, double b) {
    return a > b ? a : b;
}

static double axis_smaller(double a, double b) {
    return a < b ? a : b;
}

// Shortest duration of the family. [s]
static double axis_shortest(hover_axis* a) {
    a->cruise = 0.0;
    double farthest = ramps_distance(a, a->up);
    if (a->distance >= farthest) {
        a->cruise = (a->distance - farthest) / a->up;
        return a->first + a->last + a->cruise;
    }
    double backwards = ramps_distance(a, -a->down);
    if (a->distance <= backwards) {
        a->cruise = (backwards - a->distance) / a->down;
        return a->first + a->last + a->cruise;
    }
    // Just beyond the ends' velocities, towards rest, a peak reaches farther than one of them,
    // since it takes longer: such detours are left out.
    double most = axis_larger(a->from, a->to), least = axis_smaller(a->from, a->to);
    if (a->distance >= ramps_distance(a, most))
        axis_halve(a, most, a->up, 0.0);
    else
        axis_halve(a, -a->down, least, 0.0);
    return a->first + a->last;
}

// Chooses the peak for a duration; false where there is none. Where the ramps take no longer, a
// higher peak is faster at any time, and reaches farther.
static bool axis_take(hover_axis* a, double time) {
    double most = axis_larger(a->from, a->to), least = axis_smaller(a->from, a->to);
    double reached = axis_distance(a, most, time);
    if (a->cruise < -1e-9)
        return false;
    if (a->distance >= reached)
        axis_halve(a, most, axis_farthest(a, most, a->up, time), time);
    else if (a->distance < axis_distance(a, least, time))
        axis_halve(a, axis_farthest(a, least, -a->down, time), least, time);
    else
        axis_halve(a, least, most, time);
    double error = axis_distance(a, a->peak, time) - a->distance;
    return a->cruise >= -1e-9 && fabs(error) <= 1e-5 * (1.0 + fabs(a->distance));
}

static hover_axis axis_make(double distance, double from, double to, double up, double down,
                            double push, double rate) {
    hover_axis a = {.distance = distance, .from = from, .to = to, .push = push, .rate = rate};
    a.up = axis_larger(up, axis_larger(from, to));
    a.down = axis_larger(down, axis_larger(-from, -to));
    return a;
}

// --------------------------------------------------------------------------- three axes

// Position and velocity at both ends, without accelerations.
typedef struct hover_ends {
    double place[2][3], velocity[2][3];
} hover_ends;

typedef struct hover_leg {
    hover_axis axes[3]; // along, across, up
    double along[2];    // direction of the first [1]
    double time;
} hover_leg;

// The leg whose axes along and across have the shares of an angle. False where there is none.
static bool hover_split(const hover_limits* l, const hover_ends* e, double cosine, double sine,
                        double least, hover_leg* leg) {
    double x = leg->along[0], y = leg->along[1], along[3], across[3];
    const double gap[3] = {e->place[1][0] - e->place[0][0], e->place[1][1] - e->place[0][1],
                           e->place[1][2] - e->place[0][2]};
    along[0] = gap[0] * x + gap[1] * y;
    across[0] = gap[1] * x - gap[0] * y;
    for (int32_t i = 0; i < 2; i++) {
        along[i + 1] = e->velocity[i][0] * x + e->velocity[i][1] * y;
        across[i + 1] = e->velocity[i][1] * x - e->velocity[i][0] * y;
    }
    double speed = (double)l->speed, push = (double)l->acceleration, jerk = (double)l->jerk;
    leg->axes[0] = axis_make(along[0], along[1], along[2], speed * cosine, speed * cosine,
                             push * cosine, jerk * cosine);
    leg->axes[1] = axis_make(across[0], across[1], across[2], speed * sine, speed * sine,
                             push * sine, jerk * sine);
    leg->axes[2] = axis_make(gap[2], e->velocity[0][2], e->velocity[1][2], (double)l->climb,
                             (double)l->sink, (double)l->lift, (double)l->lift_rate);
    double longest = axis_larger(leg->axes[0].up, leg->axes[0].down);
    double widest = axis_larger(leg->axes[1].up, leg->axes[1].down);
    if (longest * longest + widest * widest > speed * speed * (double)HOVER_OVER)
        return false;
    leg->time = least;
    for (int32_t i = 0; i < 3; i++)
        leg->time = axis_larger(leg->time, axis_shortest(&leg->axes[i]));
    for (int32_t i = 0; i < HOVER_TRIES; i++) {
        if (axis_take(&leg->axes[0], leg->time) && axis_take(&leg->axes[1], leg->time) &&
            axis_take(&leg->axes[2], leg->time))
            return true;
        leg->time *= HOVER_LONGER;
    }
    return false;
}

// The direction along the way: to the end; where the end is above or below, along the velocity.
static void hover_set_along(const hover_ends* e, hover_leg* leg) {
    double x = e->place[1][0] - e->place[0][0], y = e->place[1][1] - e->place[0][1];
    for (int32_t i = 0; i < 2 && x * x + y * y < 1e-8; i++) {
        x = e->velocity[i][0];
        y = e->velocity[i][1];
    }
    double size = sqrt(x * x + y * y);
    leg->along[0] = size > 1e-6 ? x / size : 1.0;
    leg->along[1] = size > 1e-6 ? y / size : 0.0;
}

static bool hover_is_straight(const hover_limits* l, const hover_ends* e, const hover_leg* leg) {
    double most = 0.0;
    for (int32_t i = 0; i < 2; i++)
        most = axis_larger(
            most, fabs(e->velocity[i][1] * leg->along[0] - e->velocity[i][0] * leg->along[1]));
    return most < 1e-4 * (double)l->speed;
}

static bool hover_fastest(const hover_limits* l, const hover_ends* e, double least,
                          hover_leg* best) {
    static const double splits[HOVER_SPLITS][2] = {
        {0.97, 0.24}, {0.9, 0.43}, {0.7071, 0.7071}, {0.43, 0.9}, {0.24, 0.97}};
    bool found = false;
    hover_leg leg;
    hover_set_along(e, &leg);
    if (hover_is_straight(l, e, &leg)) {
        *best = leg;
        return hover_split(l, e, 0.99999, 0.004, least, best);
    }
    for (int32_t i = 0; i < HOVER_SPLITS; i++) {
        if (!hover_split(l, e, splits[i][0], splits[i][1], least, &leg))
            continue;
        if (!found || leg.time < best->time)
            *best = leg;
        found = true;
    }
    return found;
}

// --------------------------------------------------------------------------- pieces

// Times at which the jerk of an axis changes, and the jerks until then.
typedef struct hover_switches {
    double times[7], jerks[7];
} hover_switches;

static void add_ramp(hover_switches* s, int32_t first, double begin, const hover_axis* a,
                     double change, double time) {
    double size = fabs(change);
    double turn = size <= a->push * a->push / a->rate ? sqrt(size / a->rate) : a->push / a->rate;
    double jerk = change > 0.0 ? a->rate : -a->rate;
    s->times[first] = begin + turn;
    s->times[first + 1] = begin + time - turn;
    s->times[first + 2] = begin + time;
    s->jerks[first] = jerk;
    s->jerks[first + 1] = 0.0;
    s->jerks[first + 2] = -jerk;
}

static hover_switches hover_switches_of(const hover_axis* a) {
    hover_switches s;
    add_ramp(&s, 0, 0.0, a, a->peak - a->from, a->first);
    s.times[3] = a->first + axis_larger(a->cruise, 0.0);
    s.jerks[3] = 0.0;
    add_ramp(&s, 4, s.times[3], a, a->to - a->peak, a->last);
    return s;
}

static double hover_jerk_at(const hover_switches* s, double time) {
    for (int32_t i = 0; i < 7; i++)
        if (time < s->times[i])
            return s->jerks[i];
    return 0.0;
}

static double hover_next(const hover_switches* switches, double time, double end) {
    double next = end;
    for (int32_t a = 0; a < 3; a++)
        for (int32_t i = 0; i < 7; i++)
            if (switches[a].times[i] > time && switches[a].times[i] < next)
                next = switches[a].times[i];
    return next;
}

static void hover_add_pieces(const hover_leg* h, float yaw_rate, kerb_kind_leg* leg) {
    hover_switches switches[3];
    for (int32_t a = 0; a < 3; a++)
        switches[a] = hover_switches_of(&h->axes[a]);
    for (double time = 0.0; time < h->time && leg->count < KERB_KIND_LEG_PIECES;) {
        double next = hover_next(switches, time, h->time), middle = 0.5 * (time + next);
        double along = hover_jerk_at(&switches[0], middle);
        double across = hover_jerk_at(&switches[1], middle);
        float* control = leg->controls[leg->count];
        control[0] = (float)(along * h->along[0] - across * h->along[1]);
        control[1] = (float)(along * h->along[1] + across * h->along[0]);
        control[2] = (float)hover_jerk_at(&switches[2], middle);
        control[HOVER_YAW] = yaw_rate;
        leg->times[leg->count++] = (float)(next - time);
        time = next;
    }
}

// --------------------------------------------------------------------------- accelerations at ends

// Time in which the acceleration can be brought to 0. [s]
static float hover_easing(const hover_limits* l, const float* state) {
    const float* a = state + HOVER_ACCELERATION;
    float level = kerb_vec2_length(kerb_vec2_make(a[0], a[1]));
    return kerb_max(level / l->jerk, kerb_abs(a[2]) / l->lift_rate);
}

// The end as it is when its acceleration has been brought to 0, `sign` 1, or before it came from 0,
// `sign` -1; adds the piece.
static void hover_ease(const float* state, float time, float sign, hover_ends* e, int32_t end) {
    const float *v = state + HOVER_VELOCITY, *a = state + HOVER_ACCELERATION;
    for (int32_t i = 0; i < 3; i++) {
        double t = (double)time * (double)sign, push = (double)a[i];
        e->velocity[end][i] = (double)v[i] + 0.5 * push * t;
        e->place[end][i] = (double)state[i] + (double)v[i] * t + push * t * t / 3.0;
    }
}

static void hover_add_easing(const float* state, float time, float sign, kerb_kind_leg* leg) {
    if (!(time > 0.0f) || leg->count >= KERB_KIND_LEG_PIECES)
        return;
    float* control = leg->controls[leg->count];
    for (int32_t i = 0; i < 3; i++)
        control[i] = -sign * state[HOVER_ACCELERATION + i] / time;
    control[HOVER_YAW] = 0.0f;
    leg->times[leg->count++] = time;
}

bool kerb_in_hover_connect(const hover_limits* limits, bool turns, const float* from,
                           const float* to, bool passes, float time, kerb_kind_leg* leg) {
    hover_ends e;
    hover_leg h;
    float first = hover_easing(limits, from), last = hover_easing(limits, to);
    hover_ease(from, first, 1.0f, &e, 0);
    hover_ease(to, last, -1.0f, &e, 1);
    float turn = turns ? kerb_wrap_angle(to[HOVER_HEADING] - from[HOVER_HEADING]) : 0.0f;
    // A leg that takes no time has no pieces.
    float least = passes ? 1e-3f : kerb_max(kerb_abs(turn) / limits->yaw_rate, 1e-3f);
    least = kerb_max(least, time - first - last);
    if (!hover_fastest(limits, &e, (double)least, &h))
        return false;
    leg->count = 0;
    float rate = turn / (float)h.time;
    hover_add_easing(from, first, 1.0f, leg);
    hover_add_pieces(&h, kerb_clamp(rate, -limits->yaw_rate, limits->yaw_rate), leg);
    hover_add_easing(to, last, -1.0f, leg);
    return leg->count > 0;
}

// --------------------------------------------------------------------------- rates, bound, room

void kerb_in_hover_rates(const float* state, const float* control, bool turns, float* rates) {
    for (int32_t i = 0; i < 3; i++) {
        rates[i] = state[HOVER_VELOCITY + i];
        rates[HOVER_VELOCITY + i] = state[HOVER_ACCELERATION + i];
        rates[HOVER_ACCELERATION + i] = control[i];
    }
    if (turns)
        rates[HOVER_HEADING] = control[HOVER_YAW];
}

void kerb_in_hover_via(const hover_limits* limits, kerb_vec3 position, kerb_vec3 direction,
                       float share, float* state) {
    float level = kerb_vec2_length(kerb_vec2_make(direction.x, direction.y));
    float upright = direction.z > 0.0f ? limits->climb : limits->sink;
    float speed =
        share / kerb_max(kerb_max(level / limits->speed, kerb_abs(direction.z) / upright), 1e-6f);
    memset(state, 0, sizeof(float) * HOVER_HEADING);
    state[0] = position.x;
    state[1] = position.y;
    state[2] = position.z;
    state[3] = speed * direction.x;
    state[4] = speed * direction.y;
    state[5] = speed * direction.z;
}

float kerb_in_hover_bound(const hover_limits* limits, bool turns, const float* from,
                          const float* to) {
    kerb_vec2 gap = {to[0] - from[0], to[1] - from[1]};
    float push = HOVER_ROUNDING * limits->acceleration, lift = HOVER_ROUNDING * limits->lift;
    float top = HOVER_ROUNDING * limits->speed;
    float fastest = HOVER_ROUNDING * kerb_max(limits->climb, limits->sink);
    float first = kerb_vec2_length(kerb_vec2_make(from[3], from[4]));
    float last = kerb_vec2_length(kerb_vec2_make(to[3], to[4]));
    float level = kerb_in_kind_dash(kerb_vec2_length(gap), first, last, push, push, top);
    float upright = kerb_in_kind_dash(kerb_abs(to[2] - from[2]), kerb_abs(from[5]), kerb_abs(to[5]),
                                      lift, lift, fastest);
    float turn = turns ? kerb_abs(kerb_wrap_angle(to[HOVER_HEADING] - from[HOVER_HEADING])) : 0.0f;
    return kerb_max(kerb_max(level, upright), turn / limits->yaw_rate);
}

float kerb_in_hover_room(const hover_limits* limits, const float* state) {
    const float *v = state + HOVER_VELOCITY, *a = state + HOVER_ACCELERATION;
    float speed = kerb_vec2_length(kerb_vec2_make(v[0], v[1])) / limits->speed;
    float push = kerb_vec2_length(kerb_vec2_make(a[0], a[1])) / limits->acceleration;
    float upright = v[2] > 0.0f ? v[2] / limits->climb : -v[2] / limits->sink;
    float lift = kerb_abs(a[2]) / limits->lift;
    return HOVER_ROUNDING - kerb_max(kerb_max(speed, push), kerb_max(upright, lift));
}

// --------------------------------------------------------------------------- real craft

// The drag of a horizontal velocity, or its change with that of an acceleration.
static kerb_vec2 hover_drag_of(const kerb_motion* motion, hover_drag drag, kerb_vec2 velocity) {
    float sine, cosine;
    kerb_sin_cos(kerb_quat_heading(motion->rotation), &sine, &cosine);
    float ahead = drag.ahead * (velocity.x * cosine + velocity.y * sine);
    float left = drag.side * (velocity.y * cosine - velocity.x * sine);
    return kerb_vec2_make(ahead * cosine - left * sine, ahead * sine + left * cosine);
}

void kerb_in_hover_state_of(const kerb_motion* motion, hover_drag drag, const float* told,
                            float* state) {
    kerb_vec3 up = kerb_quat_up(motion->rotation), v = motion->velocity;
    kerb_vec2 against = hover_drag_of(motion, drag, kerb_vec2_make(v.x, v.y));
    float lift = told ? told[0] : 0.0f;
    float push = (KERB_GRAVITY + lift) / kerb_max(up.z, 0.2f);
    state[0] = motion->position.x;
    state[1] = motion->position.y;
    state[2] = motion->position.z;
    state[3] = v.x;
    state[4] = v.y;
    state[5] = v.z;
    state[6] = push * up.x - against.x;
    state[7] = push * up.y - against.y;
    state[8] = lift;
}

// The body's up shall point along the sum of acceleration, drag and gravity, so it turns about the
// normal of its present and its next direction.
kerb_vec3 kerb_in_hover_tilting(const kerb_motion* motion, hover_drag drag, const float* state,
                                const float* control) {
    const float *v = state + HOVER_VELOCITY, *a = state + HOVER_ACCELERATION;
    kerb_vec2 against = hover_drag_of(motion, drag, kerb_vec2_make(v[0], v[1]));
    kerb_vec2 more = hover_drag_of(motion, drag, kerb_vec2_make(a[0], a[1]));
    kerb_vec3 push = {a[0] + against.x, a[1] + against.y, KERB_GRAVITY + a[2]};
    kerb_vec3 change = {control[0] + more.x, control[1] + more.y, control[2]};
    float square = kerb_max(kerb_vec3_dot(push, push), 1.0f);
    kerb_vec3 turning = kerb_vec3_scale(kerb_vec3_cross(push, change), 1.0f / square);
    return kerb_quat_rotate(kerb_quat_conjugate(motion->rotation), turning);
}

// Towards an acceleration against the velocity, each with the time constant that damps the other.
void kerb_in_hover_stop(const hover_limits* limits, const float* state, float* control) {
    const float *v = state + HOVER_VELOCITY, *a = state + HOVER_ACCELERATION;
    for (int32_t i = 0; i < 3; i++) {
        float most = i < 2 ? limits->acceleration : limits->lift;
        float jerk = i < 2 ? limits->jerk : limits->lift_rate;
        float wanted = kerb_clamp(-HOVER_STOP_RATE * v[i], -most, most);
        control[i] = kerb_clamp(4.0f * HOVER_STOP_RATE * (wanted - a[i]), -jerk, jerk);
    }
    control[HOVER_YAW] = 0.0f;
}
