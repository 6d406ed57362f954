// Purpose: the greatest speed along a line, in space: cornering, braking, driving, and the passes.
// Idea:    b = v² turns every law into a line in b: the tyres' load and the force aside are linear
// in
//          it, and so is db/ds = 2a but for one square root, the friction ellipse. A pass forwards
//          keeps to what the vehicle can gain, one backwards to what it can lose; the lesser of
//          both is the fastest profile.
// Cost:    O(points), nothing allocated.
// Source:  Vamos eq. 15-27, signs mended; forward-backward passes as Lipp and Boyd,
//          "Minimum-time speed optimisation over a fixed path", 2014.
#include "kerb/control.h"

// A stretch where the vehicle would stand counts at this speed. [m/s]
#define CREEP 0.01f
// Laps after which a closed line is taken as it is.
#define LAPS_MAX 64

// One point, for one vehicle, in terms of b = v².
typedef struct limits {
    float load, load_gain;   // what the tyres hold aside: load + load_gain·b [m/s²]
    float aside, aside_gain; // what they must hold: aside + aside_gain·b [m/s²]
    float climb;             // gravity and rolling resistance [m/s²]
    float grip_most;         // greatest b by grip; ROOT_NONE: no limit
    float most;              // greatest b [m²/s²]
} limits;

#define ROOT_NONE 1.0e12f

// Greatest b with gain·b <= room, b >= 0; -1: none.
static inline float root_of(float room, float gain) {
    return gain > 0.0f ? kerb_min(room / gain, ROOT_NONE) : ROOT_NONE;
}

static inline bool all_finite(const kerb_profile_point* p) {
    float sum =
        p->curvature + p->normal_curvature + p->up_forward + p->up_left + p->up_normal + p->grip;
    return kerb_is_finite(sum);
}

// The same against sliding outwards and inwards, whichever side the line turns to:
// gain·b <= room, where room is what is left at rest and gain what speed takes more than it brings.
typedef struct slide {
    float room[2], gain[2]; // to the right, to the left
} slide;

static inline slide slide_of(const limits* l) {
    slide s = {{l->load - l->aside, l->load + l->aside},
               {l->aside_gain - l->load_gain, -l->aside_gain - l->load_gain}};
    return s;
}

// Where both are negative the vehicle holds only above the root.
static inline float least_of(const slide* s) {
    float least = 0.0f;
    for (int32_t side = 0; side < 2; side++)
        if (s->room[side] < 0.0f)
            least =
                kerb_max(s->gain[side] < 0.0f ? s->room[side] / s->gain[side] : ROOT_NONE, least);
    return least;
}

static inline float most_of(const slide* s) {
    float most = kerb_min(root_of(s->room[0], s->gain[0]), root_of(s->room[1], s->gain[1]));
    return most > 0.0f && most >= least_of(s) ? most : 0.0f;
}

static inline limits limits_of(const kerb_performance* performance, const kerb_profile_point* p) {
    limits l;
    float grip = performance->lateral * kerb_max(p->grip, 0.0f);
    l.load = grip * p->up_normal;
    l.load_gain = grip * (1.0f / KERB_GRAVITY) * (p->normal_curvature + performance->downforce);
    l.aside = KERB_GRAVITY * p->up_left;
    l.aside_gain = p->curvature;
    l.climb = KERB_GRAVITY * p->up_forward + performance->rolling;
    slide s = slide_of(&l);
    l.grip_most = all_finite(p) ? most_of(&s) : 0.0f;
    float limit = kerb_max(kerb_min(p->speed_limit, performance->speed_max), 0.0f);
    l.most = kerb_min(l.grip_most, limit * limit);
    if (least_of(&s) > l.most)
        l.most = 0.0f;
    return l;
}

// --------------------------------------------------------------------------- accelerations

// What turning leaves of the tyres, as if they held as much along as aside. [m/s²]
static inline float tyres_left(int32_t budget, const limits* l, float b) {
    float load = l->load + l->load_gain * b;
    if (budget == KERB_TRACTION_LINEAR)
        return kerb_max(load, 0.0f) * kerb_max(1.0f - kerb_sqrt(b / l->grip_most), 0.0f);
    float aside = kerb_abs(l->aside + l->aside_gain * b);
    return kerb_sqrt(kerb_max(load - aside, 0.0f) * (load + aside));
}

static inline float engine_drive(const kerb_performance* performance, float per_step, float speed) {
    float at = kerb_clamp(speed * per_step, 0.0f, (float)(KERB_DRIVE_COUNT - 1) - 0.001f);
    int32_t i = (int32_t)at;
    float low = performance->drive[i], high = performance->drive[i + 1];
    return low + (high - low) * (at - (float)i);
}

static inline float drive_steps(const kerb_performance* performance) {
    return (float)(KERB_DRIVE_COUNT - 1) / performance->speed_max;
}

static inline float braking_at(const kerb_performance* performance, const limits* l, float b) {
    float tyres =
        performance->braking / performance->lateral * tyres_left(performance->budget, l, b);
    return -l->climb - performance->drag * b - tyres;
}

static inline float driving_at(const kerb_performance* performance, const limits* l, float b) {
    float tyres =
        performance->accelerating / performance->lateral * tyres_left(performance->budget, l, b);
    float engine = engine_drive(performance, drive_steps(performance), kerb_sqrt(b));
    return kerb_min(tyres, engine) - l->climb - performance->drag * b;
}

// --------------------------------------------------------------------------- one point

kerb_profile_point kerb_profile_point_level(float length, float curvature) {
    kerb_profile_point point = {length, curvature, 0.0f, 0.0f,
                                0.0f,   1.0f,      1.0f, KERB_SPEED_UNLIMITED};
    return point;
}

float kerb_cornering_speed(const kerb_performance* performance, const kerb_profile_point* point) {
    return kerb_sqrt(limits_of(performance, point).most);
}

float kerb_cornering_speed_least(const kerb_performance* performance,
                                 const kerb_profile_point* point) {
    limits l = limits_of(performance, point);
    slide s = slide_of(&l);
    return l.most > 0.0f ? kerb_sqrt(least_of(&s)) : 0.0f;
}

// 0 where the sum came from a point that is not finite.
static float finite_or_zero(float value) {
    return kerb_is_finite(value) ? value : 0.0f;
}

float kerb_braking_acceleration(const kerb_performance* performance,
                                const kerb_profile_point* point, float speed) {
    limits l = limits_of(performance, point);
    return finite_or_zero(braking_at(performance, &l, speed * speed));
}

float kerb_driving_acceleration(const kerb_performance* performance,
                                const kerb_profile_point* point, float speed) {
    limits l = limits_of(performance, point);
    return finite_or_zero(driving_at(performance, &l, speed * speed));
}

// --------------------------------------------------------------------------- passes

typedef float acceleration_at(const kerb_performance*, const limits*, float);

// b at the other end of a stretch of 2·half metres, by Heun's method; `sign` 1 driving on, -1 back.
static float step(const kerb_performance* performance, acceleration_at* acceleration, float sign,
                  const limits* from, const limits* to, float length, float b) {
    float gain = sign * 2.0f * kerb_max(length, 0.0f);
    float first = acceleration(performance, from, b);
    float there = kerb_clamp(b + gain * first, 0.0f, to->most);
    float second = acceleration(performance, to, there);
    return kerb_clamp(b + 0.5f * gain * (first + second), 0.0f, to->most);
}

static int32_t slowest(const kerb_performance* performance, const kerb_profile_point* points,
                       int32_t count) {
    int32_t best = 0;
    float least = ROOT_NONE;
    for (int32_t i = 0; i < count; i++) {
        float most = limits_of(performance, &points[i]).most;
        if (most < least) {
            least = most;
            best = i;
        }
    }
    return best;
}

static inline int32_t after(int32_t i, int32_t count) {
    return i + 1 < count ? i + 1 : 0;
}

static inline int32_t before(int32_t i, int32_t count) {
    return i > 0 ? i - 1 : count - 1;
}

static float pass_forward(const kerb_performance* performance, const kerb_profile_point* points,
                          int32_t count, int32_t start, int32_t steps, float b, float* square) {
    int32_t i = start;
    limits here = limits_of(performance, &points[i]);
    for (int32_t n = 0; n < steps; n++) {
        square[i] = b;
        int32_t next = after(i, count);
        limits there = limits_of(performance, &points[next]);
        b = step(performance, driving_at, 1.0f, &here, &there, points[i].length, b);
        here = there;
        i = next;
    }
    return b;
}

static float pass_backward(const kerb_performance* performance, const kerb_profile_point* points,
                           int32_t count, int32_t start, int32_t steps, float b, float* square) {
    int32_t i = start;
    limits here = limits_of(performance, &points[i]);
    for (int32_t n = 0; n < steps; n++) {
        square[i] = b;
        int32_t next = before(i, count);
        limits there = limits_of(performance, &points[next]);
        b = step(performance, braking_at, -1.0f, &here, &there, points[next].length, b);
        b = kerb_min(b, square[next]);
        here = there;
        i = next;
    }
    return b;
}

static double time_of(const kerb_profile_point* points, const float* speed, int32_t count,
                      bool closed) {
    double time = 0.0;
    for (int32_t i = 0; i < (closed ? count : count - 1); i++) {
        float sum = speed[i] + speed[after(i, count)];
        float length = kerb_is_finite(points[i].length) ? kerb_max(points[i].length, 0.0f) : 0.0f;
        time += (double)(2.0f * length / kerb_max(sum, 2.0f * CREEP));
    }
    return time;
}

static void closed_passes(const kerb_performance* performance, const kerb_profile_point* points,
                          int32_t count, float* square) {
    int32_t start = slowest(performance, points, count);
    float b = limits_of(performance, &points[start]).most;
    for (int32_t lap = 0; lap < LAPS_MAX; lap++) {
        float round = pass_forward(performance, points, count, start, count, b, square);
        if (round >= b)
            break;
        b = round;
    }
    for (int32_t lap = 0; lap < LAPS_MAX; lap++) {
        float round = pass_backward(performance, points, count, start, count, b, square);
        if (round >= b)
            break;
        b = round;
    }
}

static void open_passes(const kerb_performance* performance, const kerb_profile_point* points,
                        int32_t count, float speed_start, float speed_end, float* square) {
    float first = limits_of(performance, &points[0]).most;
    float b = kerb_clamp(speed_start * kerb_abs(speed_start), 0.0f, first);
    square[count - 1] = pass_forward(performance, points, count, 0, count - 1, b, square);
    b = kerb_clamp(speed_end * kerb_abs(speed_end), 0.0f, square[count - 1]);
    square[0] = pass_backward(performance, points, count, count - 1, count - 1, b, square);
}

double kerb_speed_profile(const kerb_performance* performance, const kerb_profile_point* points,
                          int32_t count, bool closed, float speed_start, float speed_end,
                          float* speed) {
    if (count < 1)
        return 0.0;
    if (closed)
        closed_passes(performance, points, count, speed);
    else
        open_passes(performance, points, count, speed_start, speed_end, speed);
    for (int32_t i = 0; i < count; i++)
        speed[i] = kerb_sqrt(speed[i]);
    return time_of(points, speed, count, closed);
}

// --------------------------------------------------------------------------- look-ahead

bool kerb_braking_due(const kerb_performance* performance, const kerb_profile_point* points,
                      int32_t count, bool closed, int32_t index, float along, float speed,
                      float deceleration) {
    if (count < 1 || index < 0 || index >= count)
        return false;
    limits here = limits_of(performance, &points[index]);
    float b = speed * kerb_abs(speed);
    float left = points[index].length - along;
    int32_t steps = closed ? count : count - 1 - index;
    for (int32_t n = 0; n < steps && b > 0.0f; n++) {
        int32_t next = after(index, count);
        limits there = limits_of(performance, &points[next]);
        b = deceleration > 0.0f ? b - 2.0f * deceleration * left
                                : b + 2.0f * left * braking_at(performance, &here, b);
        if (b > there.most)
            return true;
        here = there;
        index = next;
        left = points[index].length;
    }
    return false;
}
