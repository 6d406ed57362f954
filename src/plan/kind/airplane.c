// Purpose: an airplane as a kind of vehicle.
// Idea:    Plans are those of a Dubins airplane at cruise speed. The driver banks so that the lift
//          gives the turn and the climb that are wanted; the angle of attack that this lift needs
//          follows from the stall, and the pitch rate brings it about.
// Source:  See glide.c; Stevens, Lewis, "Aircraft Control and Simulation" (coordinated turns).
#include "glide.h"

#include "../../base/shared.h"

// Share of the climb and of the sink at idle throttle that plans may use with all of their
// controls; turns and the driver need the rest. [1]
#define PLANE_SLOPE_SHARE 0.8f
// Time in which the slope of the path is corrected, and the angle of attack. [s]
#define PLANE_SLOPE_TIME 0.8f
#define PLANE_ANGLE_TIME 0.4f
// Rolls with as much more stick as the rate is missing: the answer takes a quarter of the time. [1]
#define PLANE_ROLL_LEAD 3.0f
// Share of the greatest bank that turns of plans change at once. A share of 0.5 leaves as few of
// 200 drives far from the goal. [1]
#define PLANE_ROLL_SHARE 0.6f
// Straight flight at the end of plans that are driven, on which the driver corrects what is left of
// the last turn. [s]
#define PLANE_APPROACH_TIME 3.5f
// Speed of plans that wait over the stall speed, as that of approaches to a runway (FAR 23.73). [1]
#define PLANE_WAITING 1.3f
// Share of the greatest load factor that is flown. [1]
#define PLANE_PULL_SHARE 0.9f

static glide_limits plane_limits(const kerb_aircraft* a) {
    float v = a->cruise_speed, climb = PLANE_SLOPE_SHARE * kerb_aircraft_climb_rate(a, v);
    float sink = PLANE_SLOPE_SHARE * kerb_aircraft_drag(a, v, 1.0f) / KERB_GRAVITY;
    float spare = kerb_max(kerb_aircraft_thrust(a, v) - kerb_aircraft_drag(a, v, 1.0f), 0.05f);
    glide_limits limits = {.radius = kerb_aircraft_turning_radius(a, v),
                           .speed_min = v,
                           .speed_max = v,
                           .waiting = kerb_min(PLANE_WAITING * a->stall_speed, v),
                           .up = kerb_clamp(climb / v, 0.005f, 0.7f),
                           .down = kerb_clamp(sink, 0.005f, 0.7f),
                           .push = spare,
                           .braking = kerb_max(kerb_aircraft_drag(a, v, 1.0f), 0.05f)};
    return limits;
}

static void plane_rates(const void* vehicle, const float* state, const float* control,
                        float* rates) {
    const kerb_aircraft* a = vehicle;
    kerb_in_glide_rates(kerb_aircraft_turning_radius(a, a->cruise_speed), state, control, rates);
}

static int32_t plane_boxes(const void* vehicle, const float* state, kerb_kind_box* boxes) {
    const kerb_aircraft* a = vehicle;
    boxes[0] = (kerb_kind_box){kerb_pose_make(state[0], state[1], state[GLIDE_HEADING]),
                               0.5f * a->length, 0.5f * a->length, a->wingspan};
    return 1;
}

static int32_t plane_balls(const void* vehicle, const float* state, kerb_kind_ball* balls) {
    const kerb_aircraft* a = vehicle;
    balls[0] =
        (kerb_kind_ball){{state[0], state[1], state[2]}, 0.5f * kerb_max(a->length, a->wingspan)};
    return 1;
}

static glide_limits plane_planned(const kerb_kind* kind) {
    glide_limits limits = plane_limits(kind->vehicle);
    return kerb_in_glide_planned(kind, &limits);
}

static void plane_via(const kerb_kind* kind, kerb_vec3 position, kerb_vec3 direction, float share,
                      float* state) {
    glide_limits limits = plane_planned(kind);
    kerb_in_glide_via(&limits, position, direction, share, state);
}

// The limits of a leg, which ends straight at the end of plans that are driven.
static glide_limits plane_ending(const kerb_kind* kind, bool passes) {
    const kerb_aircraft* a = kind->vehicle;
    glide_limits limits = plane_planned(kind);
    if (!passes && kind->control_share < 1.0f)
        limits.approach = PLANE_APPROACH_TIME * a->cruise_speed;
    return limits;
}

static bool plane_connect(const kerb_kind* kind, const float* from, const float* to, bool passes,
                          kerb_kind_leg* leg) {
    glide_limits limits = plane_ending(kind, passes);
    return kerb_in_glide_connect(plane_limits(kind->vehicle).radius, &limits, from, to, leg);
}

static bool plane_connect_in(const kerb_kind* kind, const float* from, const float* to, float time,
                             float curvature, kerb_kind_leg* leg) {
    const kerb_aircraft* a = kind->vehicle;
    glide_limits limits = plane_ending(kind, false);
    float most = 1.0f / limits.radius;
    limits.bend = kerb_clamp(curvature, -most, most);
    return kerb_in_glide_connect_in(plane_limits(a).radius, &limits, from, to, time, leg);
}

// A plan may be faster than those that are found, which fly at cruise speed.
static float plane_bound(const void* vehicle, const float* from, const float* to) {
    const kerb_aircraft* a = vehicle;
    glide_limits limits = plane_limits(a);
    return kerb_in_glide_bound(&limits, a->speed_max, from, to);
}

static float plane_room(const void* vehicle, const float* state) {
    const kerb_aircraft* a = vehicle;
    return kerb_in_glide_room(a->speed_max, state);
}

static void plane_state_of(const void* vehicle, const kerb_motion* motion, const float* told,
                           float* state) {
    (void)vehicle;
    (void)told;
    state[0] = motion->position.x;
    state[1] = motion->position.y;
    state[2] = motion->position.z;
    state[GLIDE_HEADING] = kerb_atan2(motion->velocity.y, motion->velocity.x);
    state[GLIDE_SPEED] = kerb_vec3_length(motion->velocity);
}

// How the path bends, and the lift for it.
typedef struct plane_bend {
    float speed;      // [m/s]
    float turn, rise; // rates of heading and slope [rad/s]
    float bank, load; // of the lift, right side down positive; load factor [rad, 1]
} plane_bend;

static plane_bend plane_bend_of(const kerb_aircraft* a, const float* state,
                                const kerb_vec3* velocity, const float* control) {
    plane_bend b = {.speed = kerb_max(state[GLIDE_SPEED], 0.5f * a->stall_speed)};
    float slope = kerb_asin(kerb_clamp(velocity->z / b.speed, -1.0f, 1.0f));
    float wanted = control ? control[GLIDE_SLOPE] : 0.0f;
    float radius = kerb_aircraft_turning_radius(a, a->cruise_speed);
    b.turn = control ? b.speed * control[GLIDE_CURVATURE] / radius : 0.0f;
    b.rise = (kerb_asin(kerb_clamp(wanted, -1.0f, 1.0f)) - slope) / PLANE_SLOPE_TIME;
    float left = b.speed * b.turn, up = b.speed * b.rise + KERB_GRAVITY * kerb_cos(slope);
    b.bank =
        kerb_clamp(-kerb_atan2(left, kerb_max(up, 0.3f * KERB_GRAVITY)), -a->bank_max, a->bank_max);
    b.load = kerb_clamp(kerb_sqrt(left * left + up * up) / KERB_GRAVITY, 0.0f,
                        PLANE_PULL_SHARE * a->load_factor_max);
    return b;
}

// Time constant of the bank.
static float plane_roll_time(const kerb_aircraft* a) {
    return kerb_max(a->rate_delay, 0.1f);
}

static kerb_controls plane_controls_of(const void* vehicle, const kerb_motion* motion,
                                       const float* state, const float* control) {
    const kerb_aircraft* a = vehicle;
    kerb_controls controls = {.gear = 1, .reason = KERB_REASON_CRUISE};
    plane_bend b = plane_bend_of(a, state, &motion->velocity, control);
    kerb_quat back = kerb_quat_conjugate(motion->rotation);
    kerb_vec3 wind = kerb_quat_rotate(back, motion->velocity);
    kerb_vec3 left = kerb_quat_left(motion->rotation), up = kerb_quat_up(motion->rotation);
    float bank = kerb_atan2(left.z, up.z), sine, cosine;
    kerb_sin_cos(state[GLIDE_HEADING], &sine, &cosine);
    // The path turns about the vertical, and rises about the horizontal to its right.
    kerb_vec3 bend = {b.rise * sine, -b.rise * cosine, b.turn};
    kerb_vec3 rate = kerb_quat_rotate(back, bend);
    // Lift grows with the angle of attack and with speed², up to the stall.
    float ratio = a->stall_speed / b.speed, angle = kerb_atan2(-wind.z, kerb_max(wind.x, 1.0f));
    float wanted = kerb_min(b.load * ratio * ratio, 0.9f) * a->stall_angle;
    kerb_vec3 turning = kerb_quat_rotate(back, motion->angular_velocity);
    float roll = kerb_wrap_angle(b.bank - bank) / plane_roll_time(a);
    roll = kerb_clamp(roll, -a->roll_rate_max, a->roll_rate_max);
    roll += PLANE_ROLL_LEAD * (roll - turning.x);
    controls.roll = kerb_clamp(roll / a->roll_rate_max, -1.0f, 1.0f);
    float pitch = rate.y - (wanted - angle) / PLANE_ANGLE_TIME;
    controls.pitch = kerb_clamp(pitch / a->pitch_rate_max, -1.0f, 1.0f);
    controls.yaw = kerb_clamp(rate.z / a->yaw_rate_max, -1.0f, 1.0f);
    float push = control ? control[GLIDE_PUSH] : 0.5f * (a->cruise_speed - b.speed);
    push += kerb_aircraft_drag(a, b.speed, b.load) + KERB_GRAVITY * motion->velocity.z / b.speed;
    controls.throttle =
        kerb_clamp(push / kerb_max(kerb_aircraft_thrust(a, b.speed), 0.1f), 0.0f, 1.0f);
    return controls;
}

kerb_kind kerb_kind_of_airplane(const kerb_aircraft* aircraft) {
    KERB_ASSERT(aircraft);
    static const kerb_kind_space space = {GLIDE_HEADING, false,           plane_balls,
                                          plane_via,     plane_connect,   plane_controls_of,
                                          false,         plane_connect_in};
    const kerb_aircraft* a = aircraft;
    glide_limits l = plane_limits(a);
    float fine = 0.02f * a->wingspan, roll = plane_roll_time(a);
    // The lag of the roll, and half of the time that the change of bank takes at the full rate.
    roll += a->rate_delay / (1.0f + PLANE_ROLL_LEAD) +
            0.5f * PLANE_ROLL_SHARE * a->bank_max / a->roll_rate_max;
    // Feedback must be slower than the roll.
    float far = kerb_max(0.7f * roll * a->cruise_speed, a->wingspan);
    kerb_kind kind = {
        .name = "airplane",
        .vehicle = a,
        .states = 5,
        .controls = 3,
        .state_names = {"x_m", "y_m", "z_m", "heading_rad", "speed_mps"},
        .control_names = {"curvature", "slope", "acceleration_mps2"},
        .control_min = {-1.0f, -l.down, -l.braking},
        .control_max = {1.0f, l.up, l.push},
        .control_share = 0.6f,
        .delay = {roll, PLANE_SLOPE_TIME, 0.0f},
        .error = {far, far, 0.5f * far, 0.3f, 5.0f},
        .tolerance = {fine, fine, fine, 2e-3f, 0.1f},
        .step_max = 0.1f * l.radius / a->cruise_speed,
        .rates = plane_rates,
        .boxes = plane_boxes,
        .bound = plane_bound,
        .room = plane_room,
        .state_of = plane_state_of,
        .space = &space,
    };
    return kind;
}
