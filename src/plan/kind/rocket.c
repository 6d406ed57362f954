// Purpose: a rocket as a kind of vehicle.
// Idea:    A craft that hovers on its engine: the thrust that remains at the greatest tilt lifts
//          it, and its smallest thrust lets it sink.
// Source:  See kerb_rocket.
#include "hover.h"

#include "../../base/shared.h"

// Share of speeds and accelerations that plans use; the rest is for the driver's corrections. [1]
#define ROCKET_SHARE 0.9f

// Share of the greatest vertical acceleration that limits allow; with less of it there is more
// thrust to tilt when it sinks. [1]
#define ROCKET_LIFT 0.5f
static const hover_drag rocket_drag = {0.0f, 0.0f};

// Accelerations, equal upwards and downwards, that thrust and tilt allow together.
static hover_limits rocket_limits(const kerb_rocket* r, float share) {
    float sine, cosine;
    kerb_sin_cos(r->tilt_max, &sine, &cosine);
    float lift = kerb_min(r->thrust_max * cosine - KERB_GRAVITY, KERB_GRAVITY - r->thrust_min);
    lift = kerb_max(ROCKET_LIFT * lift, 0.1f);
    hover_limits limits = {.speed = r->speed_max,
                           .climb = r->speed_max,
                           .sink = r->speed_max,
                           .lift = share * lift,
                           .lift_rate = r->throttle_rate,
                           .yaw_rate = 1.0f};
    // When it sinks fastest, the least thrust tilts.
    limits.acceleration = share * (KERB_GRAVITY - lift) * sine / cosine;
    limits.jerk = (KERB_GRAVITY - lift) * r->tilt_rate_max;
    return limits;
}

static hover_limits rocket_planned(const kerb_kind* kind) {
    hover_limits limits = rocket_limits(kind->vehicle, ROCKET_SHARE);
    limits.jerk = kind->control_max[0];
    limits.lift_rate = kind->control_max[2];
    return limits;
}

static void rocket_rates(const void* vehicle, const float* state, const float* control,
                         float* rates) {
    (void)vehicle;
    kerb_in_hover_rates(state, control, false, rates);
}

static int32_t rocket_boxes(const void* vehicle, const float* state, kerb_kind_box* boxes) {
    const kerb_rocket* r = vehicle;
    boxes[0] = (kerb_kind_box){kerb_pose_make(state[0], state[1], 0.0f), r->radius, r->radius,
                               2.0f * r->radius};
    return 1;
}

// Balls in a row along the thrust.
static int32_t rocket_balls(const void* vehicle, const float* state, kerb_kind_ball* balls) {
    const kerb_rocket* r = vehicle;
    const float* a = state + HOVER_ACCELERATION;
    const kerb_vec3 upright = {0.0f, 0.0f, 1.0f};
    kerb_vec3 middle = {state[0], state[1], state[2]};
    kerb_vec3 up =
        kerb_vec3_unit(kerb_vec3_make(a[0], a[1], kerb_max(a[2] + KERB_GRAVITY, 0.1f)), upright);
    float reach = 0.5f * r->length - r->radius, between = 2.0f * reach / 3.0f;
    // Balls cover the hull between them.
    float radius = kerb_sqrt(r->radius * r->radius + 0.25f * between * between);
    for (int32_t i = 0; i < 4; i++)
        balls[i] =
            (kerb_kind_ball){kerb_vec3_along(middle, up, between * (float)i - reach), radius};
    return 4;
}

static void rocket_via(const kerb_kind* kind, kerb_vec3 position, kerb_vec3 direction, float share,
                       float* state) {
    hover_limits limits = rocket_planned(kind);
    kerb_in_hover_via(&limits, position, direction, share, state);
}

static bool rocket_connect(const kerb_kind* kind, const float* from, const float* to, bool passes,
                           kerb_kind_leg* leg) {
    hover_limits limits = rocket_planned(kind);
    return kerb_in_hover_connect(&limits, false, from, to, passes, 0.0f, leg);
}

static bool rocket_connect_in(const kerb_kind* kind, const float* from, const float* to, float time,
                              float curvature, kerb_kind_leg* leg) {
    (void)curvature;
    hover_limits limits = rocket_planned(kind);
    return kerb_in_hover_connect(&limits, false, from, to, false, time, leg);
}

static float rocket_bound(const void* vehicle, const float* from, const float* to) {
    hover_limits limits = rocket_limits(vehicle, 1.0f);
    return kerb_in_hover_bound(&limits, false, from, to);
}

static float rocket_room(const void* vehicle, const float* state) {
    hover_limits limits = rocket_limits(vehicle, 1.0f);
    return kerb_in_hover_room(&limits, state);
}

static void rocket_state_of(const void* vehicle, const kerb_motion* motion, const float* told,
                            float* state) {
    (void)vehicle;
    kerb_in_hover_state_of(motion, rocket_drag, told, state);
}

static kerb_controls rocket_controls_of(const void* vehicle, const kerb_motion* motion,
                                        const float* state, const float* control) {
    const kerb_rocket* r = vehicle;
    kerb_controls controls = {.gear = 1, .reason = KERB_REASON_CRUISE};
    hover_limits limits = rocket_limits(r, 1.0f);
    float stop[KERB_KIND_CONTROLS_MAX];
    if (!control) {
        kerb_in_hover_stop(&limits, state, stop);
        control = stop;
    }
    kerb_vec3 turning = kerb_in_hover_tilting(motion, rocket_drag, state, control);
    float lift = state[HOVER_ACCELERATION + 2] + control[2] * r->throttle_delay;
    float upright = kerb_max(kerb_quat_up(motion->rotation).z, 0.2f);
    float thrust = (KERB_GRAVITY + lift) / upright;
    controls.throttle =
        kerb_clamp((thrust - r->thrust_min) / (r->thrust_max - r->thrust_min), 0.0f, 1.0f);
    controls.roll = kerb_clamp(turning.x / r->tilt_rate_max, -1.0f, 1.0f);
    controls.pitch = kerb_clamp(turning.y / r->tilt_rate_max, -1.0f, 1.0f);
    return controls;
}

kerb_kind kerb_kind_of_rocket(const kerb_rocket* rocket) {
    KERB_ASSERT(rocket);
    static const kerb_kind_space space = {-1,
                                          true,
                                          rocket_balls,
                                          rocket_via,
                                          rocket_connect,
                                          rocket_controls_of,
                                          false,
                                          rocket_connect_in};
    const kerb_rocket* r = rocket;
    hover_limits l = rocket_limits(r, 1.0f);
    float place = kerb_max(0.1f * r->length, 0.1f), fine = kerb_max(2e-3f * r->length, 0.01f);
    kerb_kind kind = {
        .name = "rocket",
        .vehicle = r,
        .states = 9,
        .controls = 3,
        .state_names = {"x_m", "y_m", "z_m", "vx_mps", "vy_mps", "vz_mps", "ax_mps2", "ay_mps2",
                        "az_mps2"},
        .control_names = {"jx_mps3", "jy_mps3", "jz_mps3"},
        .control_min = {-l.jerk, -l.jerk, -l.lift_rate},
        .control_max = {l.jerk, l.jerk, l.lift_rate},
        .control_share = 0.7f,
        .delay = {r->tilt_delay, r->tilt_delay, 0.0f},
        .error = {place, place, place, 1.0f, 1.0f, 1.0f, l.acceleration, l.acceleration, l.lift},
        .tolerance = {fine, fine, fine, 0.03f, 0.03f, 0.03f, 0.05f, 0.05f, 0.05f},
        .step_max = kerb_min(0.25f, 0.5f * l.acceleration / l.jerk),
        .rates = rocket_rates,
        .boxes = rocket_boxes,
        .bound = rocket_bound,
        .room = rocket_room,
        .state_of = rocket_state_of,
        .space = &space,
    };
    return kind;
}
