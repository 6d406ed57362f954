// Purpose: a submarine as a kind of vehicle.
// Idea:    Plans are those of a Dubins airplane with speeds: it cannot hover, but it can stop. The
//          driver turns the hull: it commands the rates of yaw and pitch that the path has, and
//          corrects them, because a slender hull is not stable by itself.
// Source:  See kerb_submarine and glide.c.
#include "glide.h"

#include "../../base/shared.h"

// Share of the greatest speed that plans use. [1]
#define DIVER_SPEED_SHARE 0.95f
// Slower than this share of the greatest speed the hull tells the heading, not the motion. [1]
#define DIVER_SLOW 0.05f
// Gains of the rudders on the error of a turning rate. [1]
#define DIVER_YAW_GAIN 1.5f
#define DIVER_PITCH_GAIN 1.5f

static glide_limits diver_limits(const kerb_submarine* s) {
    float sine = kerb_sin(s->pitch_max);
    glide_limits limits = {.radius = s->turning_radius,
                           .speed_max = s->speed_max,
                           .slow = s->level_speed,
                           .up = sine,
                           .down = sine,
                           .push = s->acceleration,
                           .braking = s->braking};
    return limits;
}

// The speed that it keeps in the turns of plans, and half of its power for the driver.
static glide_limits diver_planned(const kerb_kind* kind) {
    const kerb_submarine* s = kind->vehicle;
    glide_limits limits = diver_limits(s);
    limits.speed_max *= DIVER_SPEED_SHARE * s->turning_speed;
    limits.slow = kerb_min(limits.slow, 0.9f * limits.speed_max);
    limits.waiting = limits.slow; // slower ones cannot keep a slope
    return kerb_in_glide_planned(kind, &limits);
}

static void diver_rates(const void* vehicle, const float* state, const float* control,
                        float* rates) {
    const kerb_submarine* s = vehicle;
    kerb_in_glide_rates(s->turning_radius, state, control, rates);
}

static int32_t diver_boxes(const void* vehicle, const float* state, kerb_kind_box* boxes) {
    const kerb_submarine* s = vehicle;
    boxes[0] = (kerb_kind_box){kerb_pose_make(state[0], state[1], state[GLIDE_HEADING]),
                               0.5f * s->length, 0.5f * s->length, 2.0f * s->radius};
    return 1;
}

// One ball about the hull, whatever its pitch.
static int32_t diver_balls(const void* vehicle, const float* state, kerb_kind_ball* balls) {
    const kerb_submarine* s = vehicle;
    balls[0] = (kerb_kind_ball){{state[0], state[1], state[2]}, 0.5f * s->length};
    return 1;
}

static void diver_via(const kerb_kind* kind, kerb_vec3 position, kerb_vec3 direction, float share,
                      float* state) {
    glide_limits limits = diver_planned(kind);
    kerb_in_glide_via(&limits, position, direction, share, state);
}

static bool diver_connect(const kerb_kind* kind, const float* from, const float* to, bool passes,
                          kerb_kind_leg* leg) {
    const kerb_submarine* s = kind->vehicle;
    glide_limits limits = diver_planned(kind);
    (void)passes;
    return kerb_in_glide_connect(s->turning_radius, &limits, from, to, leg);
}

static bool diver_connect_in(const kerb_kind* kind, const float* from, const float* to, float time,
                             float curvature, kerb_kind_leg* leg) {
    (void)curvature;
    const kerb_submarine* s = kind->vehicle;
    glide_limits limits = diver_planned(kind);
    return kerb_in_glide_connect_in(s->turning_radius, &limits, from, to, time, leg);
}

static float diver_bound(const void* vehicle, const float* from, const float* to) {
    glide_limits limits = diver_limits(vehicle);
    return kerb_in_glide_bound(&limits, limits.speed_max, from, to);
}

static float diver_room(const void* vehicle, const float* state) {
    const kerb_submarine* s = vehicle;
    return kerb_in_glide_room(s->speed_max, state);
}

static void diver_state_of(const void* vehicle, const kerb_motion* motion, const float* told,
                           float* state) {
    const kerb_submarine* s = vehicle;
    (void)told;
    kerb_vec3 v = motion->velocity, nose = kerb_quat_forward(motion->rotation);
    float ahead = kerb_vec3_dot(v, nose), moving = kerb_vec3_length(v);
    float hull = kerb_atan2(nose.y, nose.x);
    // From the hull's heading to that of the motion.
    float share = kerb_clamp(moving / (DIVER_SLOW * s->speed_max) - 1.0f, 0.0f, 1.0f);
    float slip = ahead > 0.0f ? kerb_wrap_angle(kerb_atan2(v.y, v.x) - hull) : 0.0f;
    state[0] = motion->position.x;
    state[1] = motion->position.y;
    state[2] = motion->position.z;
    state[GLIDE_HEADING] = hull + share * slip;
    state[GLIDE_SPEED] = ahead > 0.0f ? moving : ahead;
}

// Throttle for an acceleration at a speed: resistance grows with speed².
static float diver_throttle(const kerb_submarine* s, float speed, float push) {
    float relative = speed / s->speed_max;
    return push / s->acceleration + relative * kerb_abs(relative);
}

static kerb_controls diver_controls_of(const void* vehicle, const kerb_motion* motion,
                                       const float* state, const float* control) {
    const kerb_submarine* s = vehicle;
    float speed = state[GLIDE_SPEED], flow = kerb_max(speed, 0.1f * s->speed_max);
    float push = control ? control[GLIDE_PUSH] : -speed / (1.0f + s->throttle_delay);
    float throttle = kerb_clamp(diver_throttle(s, speed, push), -1.0f, 1.0f);
    kerb_controls controls = {.throttle = kerb_abs(throttle),
                              .gear = throttle < 0.0f ? -1 : 1,
                              .reason = KERB_REASON_CRUISE};
    kerb_vec3 nose = kerb_quat_forward(motion->rotation), v = motion->velocity;
    kerb_vec3 turning =
        kerb_quat_rotate(kerb_quat_conjugate(motion->rotation), motion->angular_velocity);
    float curvature = control ? control[GLIDE_CURVATURE] : 0.0f;
    float yaw = curvature * flow / s->turning_radius, fastest = flow / s->turning_radius;
    float rudder = curvature + DIVER_YAW_GAIN * (yaw - turning.z) / fastest;
    // The slope of the motion follows the pitch; at low speed only the pitch is known.
    float wanted = control ? kerb_asin(kerb_clamp(control[GLIDE_SLOPE], -1.0f, 1.0f)) : 0.0f;
    float pitch = kerb_asin(kerb_clamp(nose.z, -1.0f, 1.0f)), slope = pitch;
    float moving = kerb_vec3_length(v);
    if (moving > DIVER_SLOW * s->speed_max)
        slope = kerb_asin(kerb_clamp(v.z / moving, -1.0f, 1.0f));
    float rise = (wanted - 0.5f * (slope + pitch)) * flow / kerb_max(2.0f * s->pitch_lag, 0.1f);
    // Nose down is positive.
    float planes = -(rise + turning.y) * DIVER_PITCH_GAIN / fastest;
    controls.steering = kerb_clamp(rudder, -1.0f, 1.0f);
    controls.pitch = kerb_clamp(planes, -1.0f, 1.0f);
    return controls;
}

kerb_kind kerb_kind_of_submarine(const kerb_submarine* submarine) {
    KERB_ASSERT(submarine);
    static const kerb_kind_space space = {GLIDE_HEADING, false,           diver_balls,
                                          diver_via,     diver_connect,   diver_controls_of,
                                          false,         diver_connect_in};
    const kerb_submarine* s = submarine;
    glide_limits l = diver_limits(s);
    float place = 0.35f * s->length, fine = kerb_max(5e-3f * s->length, 0.01f);
    float yaw = s->yaw_lag / s->speed_max, pitch = s->pitch_lag / s->speed_max;
    kerb_kind kind = {
        .name = "submarine",
        .vehicle = s,
        .states = 5,
        .controls = 3,
        .state_names = {"x_m", "y_m", "z_m", "heading_rad", "speed_mps"},
        .control_names = {"curvature", "slope", "acceleration_mps2"},
        .control_min = {-1.0f, -l.down, -l.braking},
        .control_max = {1.0f, l.up, l.push},
        .control_share = 0.6f,
        .delay = {yaw, pitch, s->throttle_delay},
        .error = {place, place, place, 0.3f, 0.2f * s->speed_max},
        .tolerance = {fine, fine, fine, 0.01f, 0.02f * s->speed_max},
        .step_max = 0.1f * s->turning_radius / s->speed_max,
        .rates = diver_rates,
        .boxes = diver_boxes,
        .bound = diver_bound,
        .room = diver_room,
        .state_of = diver_state_of,
        .space = &space,
    };
    return kind;
}
