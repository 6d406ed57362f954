// Purpose: helicopters and drones as a kind of vehicle.
// Idea:    Their limits as those of a craft that hovers; jerk as rates of tilting, and lift.
// Source:  See kerb_rotorcraft.
#include "hover.h"

#include "../../base/shared.h"

// Share of speeds and accelerations that plans use; the rest is for the driver's corrections. [1]
#define ROTOR_SHARE 0.9f

// What the craft can do at any vertical speed and acceleration: the collective also balances
// vertical drag, and gravity less the greatest sinking acceleration tilts.
static hover_limits rotor_limits(const kerb_rotorcraft* r, float share) {
    float balance = r->lift_drag * kerb_max(r->climb_max, r->sink_max);
    float lift = kerb_max(r->lift_acceleration - balance, 0.1f * r->lift_acceleration);
    float tilted = (KERB_GRAVITY - kerb_min(lift, 0.9f * KERB_GRAVITY)) * kerb_tan(r->tilt_max);
    hover_limits limits = {.speed = r->speed_max,
                           .climb = r->climb_max,
                           .sink = r->sink_max,
                           .lift = share * lift,
                           .lift_rate = r->lift_rate,
                           .yaw_rate = r->yaw_rate_max};
    // A craft that is slow for its tilt has some acceleration left at its greatest speed.
    limits.acceleration =
        share * kerb_max(tilted - kerb_max(r->drag, r->side_drag) * r->speed_max, 0.1f * tilted);
    limits.jerk = (KERB_GRAVITY - kerb_min(lift, 0.9f * KERB_GRAVITY)) * r->tilt_rate_max;
    return limits;
}

// The limits of plans: jerks and yaw rate are those of the kind's controls.
static hover_limits rotor_planned(const kerb_kind* kind) {
    hover_limits limits = rotor_limits(kind->vehicle, ROTOR_SHARE);
    limits.jerk = kind->control_max[0];
    limits.lift_rate = kind->control_max[2];
    limits.yaw_rate = kind->control_max[HOVER_YAW];
    return limits;
}

static void rotor_rates(const void* vehicle, const float* state, const float* control,
                        float* rates) {
    (void)vehicle;
    kerb_in_hover_rates(state, control, true, rates);
}

static int32_t rotor_boxes(const void* vehicle, const float* state, kerb_kind_box* boxes) {
    const kerb_rotorcraft* r = vehicle;
    boxes[0] = (kerb_kind_box){kerb_pose_make(state[0], state[1], state[HOVER_HEADING]),
                               0.5f * r->length, 0.5f * r->length, r->width};
    return 1;
}

static int32_t rotor_balls(const void* vehicle, const float* state, kerb_kind_ball* balls) {
    const kerb_rotorcraft* r = vehicle;
    float radius = 0.5f * kerb_max(kerb_max(r->length, r->width), r->height);
    balls[0] = (kerb_kind_ball){{state[0], state[1], state[2]}, radius};
    return 1;
}

static void rotor_via(const kerb_kind* kind, kerb_vec3 position, kerb_vec3 direction, float share,
                      float* state) {
    hover_limits limits = rotor_planned(kind);
    kerb_in_hover_via(&limits, position, direction, share, state);
}

static bool rotor_connect(const kerb_kind* kind, const float* from, const float* to, bool passes,
                          kerb_kind_leg* leg) {
    hover_limits limits = rotor_planned(kind);
    return kerb_in_hover_connect(&limits, true, from, to, passes, 0.0f, leg);
}

static bool rotor_connect_in(const kerb_kind* kind, const float* from, const float* to, float time,
                             float curvature, kerb_kind_leg* leg) {
    (void)curvature;
    hover_limits limits = rotor_planned(kind);
    return kerb_in_hover_connect(&limits, true, from, to, false, time, leg);
}

static float rotor_bound(const void* vehicle, const float* from, const float* to) {
    hover_limits limits = rotor_limits(vehicle, 1.0f);
    return kerb_in_hover_bound(&limits, true, from, to);
}

static float rotor_room(const void* vehicle, const float* state) {
    hover_limits limits = rotor_limits(vehicle, 1.0f);
    return kerb_in_hover_room(&limits, state);
}

static hover_drag rotor_drag(const kerb_rotorcraft* r) {
    hover_drag drag = {r->drag, r->side_drag};
    return drag;
}

static void rotor_state_of(const void* vehicle, const kerb_motion* motion, const float* told,
                           float* state) {
    const kerb_rotorcraft* r = vehicle;
    kerb_in_hover_state_of(motion, rotor_drag(r), told, state);
    state[HOVER_HEADING] = kerb_quat_heading(motion->rotation);
}

static kerb_controls rotor_controls_of(const void* vehicle, const kerb_motion* motion,
                                       const float* state, const float* control) {
    const kerb_rotorcraft* r = vehicle;
    kerb_controls controls = {.throttle = 1.0f, .gear = 1, .reason = KERB_REASON_CRUISE};
    hover_limits limits = rotor_limits(r, 1.0f);
    float stop[KERB_KIND_CONTROLS_MAX];
    if (!control) {
        kerb_in_hover_stop(&limits, state, stop);
        control = stop;
    }
    kerb_vec3 turning = kerb_in_hover_tilting(motion, rotor_drag(r), state, control);
    float lift = state[HOVER_ACCELERATION + 2] + control[2] * r->lift_delay +
                 r->lift_drag * state[HOVER_VELOCITY + 2];
    controls.lift = kerb_clamp(lift / r->lift_acceleration, -1.0f, 1.0f);
    controls.roll = kerb_clamp(turning.x / r->tilt_rate_max, -1.0f, 1.0f);
    controls.pitch = kerb_clamp(turning.y / r->tilt_rate_max, -1.0f, 1.0f);
    controls.yaw = kerb_clamp(control[HOVER_YAW] / r->yaw_rate_max, -1.0f, 1.0f);
    return controls;
}

kerb_kind kerb_kind_of_rotorcraft(const kerb_rotorcraft* rotorcraft) {
    KERB_ASSERT(rotorcraft);
    static const kerb_kind_space space = {
        HOVER_HEADING,     true,  rotor_balls,     rotor_via, rotor_connect,
        rotor_controls_of, false, rotor_connect_in};
    const kerb_rotorcraft* r = rotorcraft;
    hover_limits l = rotor_limits(r, 1.0f);
    float place = kerb_max(0.1f * r->length, 0.05f * r->speed_max),
          fine = kerb_max(4e-3f * r->length, 0.03f);
    kerb_kind kind = {
        .name = "rotorcraft",
        .vehicle = r,
        .states = 10,
        .controls = 4,
        .state_names = {"x_m", "y_m", "z_m", "vx_mps", "vy_mps", "vz_mps", "ax_mps2", "ay_mps2",
                        "az_mps2", "heading_rad"},
        .control_names = {"jx_mps3", "jy_mps3", "jz_mps3", "yaw_rate_radps"},
        .control_min = {-l.jerk, -l.jerk, -l.lift_rate, -l.yaw_rate},
        .control_max = {l.jerk, l.jerk, l.lift_rate, l.yaw_rate},
        .control_share = 0.7f,
        .delay = {r->tilt_delay, r->tilt_delay, 0.0f, 0.0f},
        .error = {place, place, place, 1.0f, 1.0f, 1.0f, l.acceleration, l.acceleration, l.lift,
                  0.3f},
        .tolerance = {fine, fine, fine, 0.02f, 0.02f, 0.02f, 0.05f, 0.05f, 0.05f, 0.02f},
        .step_max = kerb_min(0.25f, 0.5f * l.acceleration / l.jerk),
        .rates = rotor_rates,
        .boxes = rotor_boxes,
        .bound = rotor_bound,
        .room = rotor_room,
        .state_of = rotor_state_of,
        .space = &space,
    };
    return kind;
}
