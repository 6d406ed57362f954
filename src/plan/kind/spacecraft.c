// Purpose: a spacecraft as a kind of vehicle.
// Idea:    Two burns of the engine and turns before, between and after them. For a given duration
//          the first burn follows from where the craft must be, the second from how fast; which
//          turns they need follows from their directions, so a few rounds make both agree. The
//          shortest duration in which the parts fit is found by bisection. From rest to rest this
//          is the closed form of turn, burn, flip, burn.
// Cost:    A leg is about 25 durations of 6 rounds.
// Source:  See kerb_spacecraft.
#include "kerb/plan_kind.h"

#include "../../base/shared.h"

#include <string.h>

enum { CRAFT_VELOCITY = 3, CRAFT_NOSE = 6, CRAFT_TURNING = 9 };

// Rounds in which burns and turns are made to agree: each halves the error, about. They begin with
// the burns of the duration before, so few are enough while the duration is searched for.
#define BURN_ROUNDS 5
#define BURN_LAST_ROUNDS 24
// Doublings and halvings of the duration.
#define BURN_DOUBLINGS 24
#define BURN_HALVINGS 14
// Error of the end that is accepted. [m]
#define BURN_ERROR 2e-3f
// Durations that are tried from the shortest on, each a little longer.
#define BURN_TRIES 20
// Burns shorter than this are left out: their direction is a matter of rounding. [s]
#define BURN_LEAST 1e-5f

static kerb_vec3 craft_vector(const float* state, int32_t first) {
    return kerb_vec3_make(state[first], state[first + 1], state[first + 2]);
}

static void craft_set(float* state, int32_t first, kerb_vec3 value) {
    state[first] = value.x;
    state[first + 1] = value.y;
    state[first + 2] = value.z;
}

// --------------------------------------------------------------------------- rates and footprint

static void spacecraft_rates(const void* vehicle, const float* state, const float* control,
                             float* rates) {
    const kerb_spacecraft* s = vehicle;
    kerb_vec3 nose = craft_vector(state, CRAFT_NOSE), turning = craft_vector(state, CRAFT_TURNING);
    craft_set(rates, 0, craft_vector(state, CRAFT_VELOCITY));
    craft_set(rates, CRAFT_VELOCITY, kerb_vec3_scale(nose, control[0] * s->acceleration));
    craft_set(rates, CRAFT_NOSE, kerb_vec3_cross(turning, nose));
    craft_set(rates, CRAFT_TURNING, craft_vector(control, 1));
}

static kerb_vec3 spacecraft_nose(const float* state) {
    const kerb_vec3 ahead = {1.0f, 0.0f, 0.0f};
    return kerb_vec3_unit(craft_vector(state, CRAFT_NOSE), ahead);
}

static int32_t spacecraft_boxes(const void* vehicle, const float* state, kerb_kind_box* boxes) {
    const kerb_spacecraft* s = vehicle;
    kerb_vec3 nose = spacecraft_nose(state);
    float level = kerb_vec2_length(kerb_vec2_make(nose.x, nose.y));
    float reach = s->radius + level * (0.5f * s->length - s->radius);
    boxes[0] = (kerb_kind_box){kerb_pose_make(state[0], state[1], kerb_atan2(nose.y, nose.x)),
                               reach, reach, 2.0f * s->radius};
    return 1;
}

static int32_t spacecraft_balls(const void* vehicle, const float* state, kerb_kind_ball* balls) {
    const kerb_spacecraft* s = vehicle;
    kerb_vec3 nose = spacecraft_nose(state), middle = craft_vector(state, 0);
    float reach = 0.5f * s->length - s->radius;
    // Balls cover the hull between them.
    float radius = kerb_sqrt(s->radius * s->radius + 0.25f * reach * reach);
    for (int32_t i = 0; i < 3; i++)
        balls[i] = (kerb_kind_ball){kerb_vec3_along(middle, nose, reach * (float)(i - 1)), radius};
    return 3;
}

// --------------------------------------------------------------------------- turns

// What of the craft plans use.
typedef struct craft_limits {
    float push, rate, turning; // [m/s², rad/s, rad/s²]
} craft_limits;

static float craft_angle(kerb_vec3 a, kerb_vec3 b) {
    return kerb_atan2(kerb_vec3_length(kerb_vec3_cross(a, b)), kerb_vec3_dot(a, b));
}

static float craft_turn_time(const craft_limits* l, float angle) {
    if (angle < l->rate * l->rate / l->turning)
        return 2.0f * kerb_sqrt(angle / l->turning);
    return angle / l->rate + l->rate / l->turning;
}

static void craft_add(kerb_kind_leg* leg, float time, float thrust, kerb_vec3 turning) {
    if (!(time > 0.0f) || leg->count >= KERB_KIND_LEG_PIECES)
        return;
    float* control = leg->controls[leg->count];
    control[0] = thrust;
    craft_set(control, 1, turning);
    leg->times[leg->count++] = time;
}

// Turns from one direction to another about their normal; half a turn about any.
static void craft_add_turn(const craft_limits* l, kerb_vec3 from, kerb_vec3 to,
                           kerb_kind_leg* leg) {
    const kerb_vec3 none = {0.0f, 0.0f, 0.0f}, left = {0.0f, 1.0f, 0.0f}, up = {0.0f, 0.0f, 1.0f};
    float angle = craft_angle(from, to), most = l->rate / l->turning;
    float rising = kerb_min(kerb_sqrt(angle / l->turning), most);
    kerb_vec3 other = kerb_vec3_unit(kerb_vec3_cross(from, up), left);
    kerb_vec3 axis = kerb_vec3_cross(from, to);
    if (kerb_vec3_length(axis) < 1e-4f) // half a turn, upwards over the back
        axis = kerb_vec3_dot(from, to) < 0.0f ? other : none;
    axis = kerb_vec3_unit(axis, other);
    craft_add(leg, rising, 0.0f, kerb_vec3_scale(axis, l->turning));
    craft_add(leg, craft_turn_time(l, angle) - 2.0f * rising, 0.0f, none);
    craft_add(leg, rising, 0.0f, kerb_vec3_scale(axis, -l->turning));
}

// --------------------------------------------------------------------------- burns

// A leg of two burns, from a craft that does not turn.
typedef struct craft_burns {
    kerb_vec3 gap, from, to;      // to the end; velocities at both ends
    kerb_vec3 nose, last;         // direction of the nose at both ends
    bool passes;                  // the end's nose is free
    kerb_vec3 first, second;      // directions of the burns
    float burn[2], turn[3], time; // durations; 0: there is none [s]
    float slack;                  // time that is left to coast [s]
    float error;                  // of the end, by what the last round changed [m]
    kerb_vec3 guess;              // change of velocity of the first burn beyond gap / time
} craft_burns;

// Directions and durations of the burns from their changes of velocity.
static void burns_take(const craft_limits* l, craft_burns* b, kerb_vec3 first, kerb_vec3 second) {
    b->burn[0] = kerb_vec3_length(first) / l->push;
    b->burn[1] = kerb_vec3_length(second) / l->push;
    b->first = b->burn[0] > BURN_LEAST ? kerb_vec3_unit(first, b->nose) : b->nose;
    b->second = b->burn[1] > BURN_LEAST ? kerb_vec3_unit(second, b->first) : b->first;
    b->turn[0] = craft_turn_time(l, craft_angle(b->nose, b->first));
    b->turn[1] = craft_turn_time(l, craft_angle(b->first, b->second));
    b->turn[2] = b->passes ? 0.0f : craft_turn_time(l, craft_angle(b->second, b->last));
}

// The burns of a duration; false where its parts do not fit into it. `allowed`: time that may be
// missing, for rounding.
static bool burns_fit(const craft_limits* l, craft_burns* b, float time, int32_t rounds,
                      float allowed) {
    kerb_vec3 change = kerb_vec3_sub(b->to, b->from);
    kerb_vec3 gap = kerb_vec3_along(b->gap, b->from, -time);
    kerb_vec3 first = kerb_vec3_add(kerb_vec3_scale(gap, 1.0f / time), b->guess);
    b->time = time;
    burns_take(l, b, first, kerb_vec3_sub(change, first));
    for (int32_t i = 0; i < rounds; i++) {
        // A burn moves the end as if it were at its middle, this long before the end.
        float early = time - b->turn[0] - 0.5f * b->burn[0], late = b->turn[2] + 0.5f * b->burn[1];
        if (!(early - late > 1e-4f * time))
            return false;
        kerb_vec3 before = first;
        first = kerb_vec3_scale(kerb_vec3_along(gap, change, -late), 1.0f / (early - late));
        burns_take(l, b, first, kerb_vec3_sub(change, first));
        b->error = (early - late) * kerb_vec3_length(kerb_vec3_sub(first, before));
    }
    b->slack = time - (b->turn[0] + b->burn[0] + b->turn[1] + b->burn[1] + b->turn[2]);
    if (!(b->slack >= -allowed))
        return false;
    b->guess = kerb_vec3_along(first, gap, -1.0f / time);
    return true;
}

static bool burns_shortest(const craft_limits* l, craft_burns* b) {
    float low = 0.0f, high = 0.1f;
    int32_t i = 0;
    while (!burns_fit(l, b, high, BURN_ROUNDS, 0.0f)) {
        low = high;
        high *= 2.0f;
        if (++i > BURN_DOUBLINGS)
            return false;
    }
    for (i = 0; i < BURN_HALVINGS; i++) {
        float middle = 0.5f * (low + high);
        if (burns_fit(l, b, middle, BURN_ROUNDS, 0.0f))
            high = middle;
        else
            low = middle;
    }
    // With exact burns the shortest duration may be a little too short.
    for (i = 0; i < BURN_TRIES; i++) {
        if (burns_fit(l, b, high, BURN_LAST_ROUNDS, 1e-4f) && b->error <= BURN_ERROR)
            return true;
        high *= 1.002f;
    }
    return false;
}

static void burns_add(const craft_limits* l, const craft_burns* b, float thrust,
                      kerb_kind_leg* leg) {
    const kerb_vec3 none = {0.0f, 0.0f, 0.0f};
    float burn = thrust;
    if (b->burn[0] > BURN_LEAST) {
        craft_add_turn(l, b->nose, b->first, leg);
        craft_add(leg, b->burn[0], burn, none);
    }
    craft_add(leg, b->slack, 0.0f, none);
    if (b->burn[1] > BURN_LEAST) {
        craft_add_turn(l, b->first, b->second, leg);
        craft_add(leg, b->burn[1], burn, none);
    }
    if (!b->passes)
        craft_add_turn(l, b->second, b->last, leg);
}

static craft_limits spacecraft_planned(const kerb_kind* kind) {
    const kerb_spacecraft* s = kind->vehicle;
    // One axis of three shares what the controls allow in any direction.
    craft_limits limits = {kind->control_max[0] * s->acceleration, 0.95f * s->turn_rate_max,
                           kind->control_max[1]};
    return limits;
}

// Stops turning; changes the state as this does.
static void spacecraft_stop_turning(const craft_limits* l, float* state, kerb_kind_leg* leg) {
    kerb_vec3 turning = craft_vector(state, CRAFT_TURNING), nose = craft_vector(state, CRAFT_NOSE);
    kerb_vec3 velocity = craft_vector(state, CRAFT_VELOCITY);
    float rate = kerb_vec3_length(turning), time = rate / l->turning, sine, cosine;
    if (rate < 1e-6f)
        return;
    kerb_vec3 axis = kerb_vec3_scale(turning, 1.0f / rate);
    craft_add(leg, time, 0.0f, kerb_vec3_scale(axis, -l->turning));
    kerb_sin_cos(0.5f * rate * time, &sine, &cosine);
    kerb_vec3 turned = kerb_vec3_scale(nose, cosine); // Rodrigues
    turned = kerb_vec3_along(turned, kerb_vec3_cross(axis, nose), sine);
    turned = kerb_vec3_along(turned, axis, kerb_vec3_dot(axis, nose) * (1.0f - cosine));
    craft_set(state, 0, kerb_vec3_along(craft_vector(state, 0), velocity, time));
    craft_set(state, CRAFT_NOSE, turned);
}

static bool spacecraft_connect(const kerb_kind* kind, const float* from, const float* to,
                               bool passes, kerb_kind_leg* leg) {
    craft_limits limits = spacecraft_planned(kind);
    float begin[KERB_KIND_STATES_MAX];
    leg->count = 0;
    memcpy(begin, from, sizeof(float) * 12);
    spacecraft_stop_turning(&limits, begin, leg);
    craft_burns b = {.gap = kerb_vec3_sub(craft_vector(to, 0), craft_vector(begin, 0)),
                     .from = craft_vector(begin, CRAFT_VELOCITY),
                     .to = craft_vector(to, CRAFT_VELOCITY),
                     .nose = spacecraft_nose(begin),
                     .last = spacecraft_nose(to),
                     .passes = passes};
    if (!burns_shortest(&limits, &b))
        return false;
    burns_add(&limits, &b, kind->control_max[0], leg);
    if (leg->count == 0)
        craft_add(leg, 1e-3f, 0.0f, kerb_vec3_make(0.0f, 0.0f, 0.0f));
    return true;
}

static void spacecraft_via(const kerb_kind* kind, kerb_vec3 position, kerb_vec3 direction,
                           float share, float* state) {
    const kerb_spacecraft* s = kind->vehicle;
    memset(state, 0, sizeof(float) * 12);
    craft_set(state, 0, position);
    craft_set(state, CRAFT_VELOCITY, kerb_vec3_scale(direction, share * s->speed_max));
    craft_set(state, CRAFT_NOSE, direction);
}

// --------------------------------------------------------------------------- bound and room

// At full thrust all the time: the distance lies below two parabolas of the speed.
static float spacecraft_bound(const void* vehicle, const float* from, const float* to) {
    const kerb_spacecraft* s = vehicle;
    kerb_vec3 first = craft_vector(from, CRAFT_VELOCITY), last = craft_vector(to, CRAFT_VELOCITY);
    float distance = kerb_vec3_length(kerb_vec3_sub(craft_vector(to, 0), craft_vector(from, 0)));
    float speed = 0.5f * (kerb_vec3_length(first) + kerb_vec3_length(last));
    // distance <= speed · t + a · t² / 4
    float move = 2.0f * (kerb_sqrt(speed * speed + s->acceleration * distance) - speed);
    float change = kerb_vec3_length(kerb_vec3_sub(last, first));
    float turn = craft_angle(spacecraft_nose(from), spacecraft_nose(to));
    return kerb_max(kerb_max(move, change) / s->acceleration, turn / s->turn_rate_max);
}

static float spacecraft_room(const void* vehicle, const float* state) {
    const kerb_spacecraft* s = vehicle;
    return 1.0f - kerb_vec3_length(craft_vector(state, CRAFT_TURNING)) / s->turn_rate_max;
}

// --------------------------------------------------------------------------- real craft

static void spacecraft_state_of(const void* vehicle, const kerb_motion* motion, const float* told,
                                float* state) {
    (void)vehicle;
    (void)told;
    craft_set(state, 0, motion->position);
    craft_set(state, CRAFT_VELOCITY, motion->velocity);
    craft_set(state, CRAFT_NOSE, kerb_quat_forward(motion->rotation));
    craft_set(state, CRAFT_TURNING, motion->angular_velocity);
}

static kerb_controls spacecraft_controls_of(const void* vehicle, const kerb_motion* motion,
                                            const float* state, const float* control) {
    const kerb_spacecraft* s = vehicle;
    kerb_controls controls = {.gear = 1, .reason = KERB_REASON_CRUISE};
    kerb_vec3 nose = craft_vector(state, CRAFT_NOSE), turning = craft_vector(state, CRAFT_TURNING);
    // Without controls it stops turning, within half a second where it can.
    kerb_vec3 wanted = control ? craft_vector(control, 1) : kerb_vec3_scale(turning, -2.0f);
    // What it turns about its nose is no part of the plan: it stops that.
    wanted = kerb_vec3_along(wanted, nose, -kerb_vec3_dot(wanted, nose));
    wanted = kerb_vec3_along(wanted, nose, -2.0f * kerb_vec3_dot(turning, nose));
    kerb_vec3 body = kerb_quat_rotate(kerb_quat_conjugate(motion->rotation), wanted);
    controls.throttle = control ? kerb_clamp(control[0], 0.0f, 1.0f) : 0.0f;
    controls.roll = kerb_clamp(body.x / s->turn_acceleration, -1.0f, 1.0f);
    controls.pitch = kerb_clamp(body.y / s->turn_acceleration, -1.0f, 1.0f);
    controls.yaw = kerb_clamp(body.z / s->turn_acceleration, -1.0f, 1.0f);
    return controls;
}

kerb_kind kerb_kind_of_spacecraft(const kerb_spacecraft* spacecraft) {
    KERB_ASSERT(spacecraft);
    static const kerb_kind_space space = {
        -1,   false, spacecraft_balls, spacecraft_via, spacecraft_connect, spacecraft_controls_of,
        true, NULL};
    const kerb_spacecraft* s = spacecraft;
    float place = 0.2f * s->length, fine = kerb_max(0.01f * s->length, 0.02f);
    float turn = s->turn_acceleration;
    kerb_kind kind = {
        .name = "spacecraft",
        .vehicle = s,
        .states = 12,
        .controls = 4,
        .state_names = {"x_m", "y_m", "z_m", "vx_mps", "vy_mps", "vz_mps", "nose_x", "nose_y",
                        "nose_z", "wx_radps", "wy_radps", "wz_radps"},
        .control_names = {"thrust", "turn_x_radps2", "turn_y_radps2", "turn_z_radps2"},
        .control_min = {0.0f, -turn, -turn, -turn},
        .control_max = {1.0f, turn, turn, turn},
        .control_share = 0.9f,
        .delay = {s->throttle_delay, s->turn_delay, s->turn_delay, s->turn_delay},
        .error = {place, place, place, 0.2f * s->acceleration, 0.2f * s->acceleration,
                  0.2f * s->acceleration, 0.2f, 0.2f, 0.2f, 0.3f, 0.3f, 0.3f},
        .tolerance = {fine, fine, fine, 0.01f * s->acceleration, 0.01f * s->acceleration,
                      0.01f * s->acceleration, 0.01f, 0.01f, 0.01f, 0.01f, 0.01f, 0.01f},
        .step_max = kerb_min(0.1f / s->turn_rate_max, 0.5f),
        .rates = spacecraft_rates,
        .boxes = spacecraft_boxes,
        .bound = spacecraft_bound,
        .room = spacecraft_room,
        .state_of = spacecraft_state_of,
        .space = &space,
    };
    return kind;
}
