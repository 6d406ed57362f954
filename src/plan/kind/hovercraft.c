// Purpose: a hovercraft as a kind of vehicle.
// Idea:    Thrust along the body, friction against the motion, drag along and across. A negative
//          pedal brakes with fan and skirt ahead, and is reverse thrust backwards: so less pedal
//          always pushes back, and feedback finds a control for an error of either sign. In a bend
//          of a route the nose points inwards, so that a part of the thrust bends the course.
// Source:  Yun, Bliault, "Theory and Design of Air Cushion Craft" (skirt drag, rudder, reversible
//          propeller); Fossen, "Handbook of Marine Craft Hydrodynamics and Motion Control", 2011.
#include "kerb/plan_kind.h"

#include "dash.h"

#include "../../base/shared.h"

// Thrust at a drift angle of 45° gives most of the lateral acceleration that kerb_vehicle tells.
#define CRAFT_DIAGONAL 0.70710678f
// Below this speed friction fades in the model, and the brake becomes reverse thrust, so that it
// stays smooth. [m/s]
#define CRAFT_SLOW 0.5f
// Slower ahead than this the fan pushes back in reverse gear: half of the speed below which a brake
// leaves stopping to the skirt. [m/s]
#define CRAFT_REVERSES (0.5f * CRAFT_SLOW)
// Faster than this a craft that brakes may turn at its full rate. [m/s]
#define CRAFT_TURNS 2.0f
// A nose that points beside the motion, u = tan(angle), takes the share (1 + 2 u³) / (1 + u²) of
// the drag of a thrust along it: least, 0.9666, where u³ + 3 u = 1. [1]
#define CRAFT_ASKEW_DRAG 0.966f
// Faster than any craft without drag becomes over a way that has numbers. [m/s]
#define CRAFT_FASTEST 1e6f
// Share of the accelerations that routes use, by attempt. [1]
static const float craft_share[KERB_KIND_ATTEMPTS_MAX] = {0.5f, 0.4f, 0.3f, 0.2f, 0.15f};

// Accelerations of a craft. [m/s²]
typedef struct craft_forces {
    float thrust, fan, skirt; // ahead; fan and skirt as the brake
    float along, across;      // friction
    float drag, drag_across;  // per speed² [1/m]
} craft_forces;

static craft_forces craft_forces_of(const kerb_vehicle* v) {
    craft_forces f = {.along = v->coasting_deceleration, .drag = v->drag};
    f.thrust = v->acceleration_max + f.along;
    f.fan = v->reverse_acceleration_max + f.along;
    f.skirt = kerb_max(v->braking_max - f.fan - f.along, 0.0f);
    f.across = f.along + 2.0f * (v->lateral_acceleration_max - CRAFT_DIAGONAL * f.thrust);
    f.across = kerb_max(f.across, 0.001f * KERB_GRAVITY);
    f.drag_across = 2.0f * f.drag; // the longer side
    return f;
}

static void craft_rates(const void* vehicle, const float* state, const float* control,
                        float* rates) {
    const kerb_vehicle* v = vehicle;
    craft_forces f = craft_forces_of(v);
    float sine, cosine, forward = state[3], left = state[4], turn = state[5];
    kerb_sin_cos(state[2], &sine, &cosine);
    float speed = kerb_sqrt(forward * forward + left * left + CRAFT_SLOW * CRAFT_SLOW);
    float brake = control[0] < 0.0f ? -control[0] : 0.0f;
    float push = control[0] * (control[0] > 0.0f ? f.thrust : f.fan);
    // Reverse thrust leaves the skirt up.
    float ahead = 0.5f + 0.5f * forward / kerb_sqrt(forward * forward + CRAFT_SLOW * CRAFT_SLOW);
    float rub = brake * f.skirt * ahead;
    // A lowered skirt holds the heading of a craft that hardly moves.
    float free = 1.0f - brake * ahead * kerb_max(1.0f - speed / CRAFT_TURNS, 0.0f);
    rates[0] = forward * cosine - left * sine;
    rates[1] = forward * sine + left * cosine;
    rates[2] = turn;
    rates[3] = push - (f.along + rub) * forward / speed - f.drag * forward * kerb_abs(forward) +
               turn * left;
    rates[4] =
        -(f.across + rub) * left / speed - f.drag_across * left * kerb_abs(left) - turn * forward;
    rates[5] = (control[1] * free * v->yaw_rate_max - turn) * 2.0f * v->yaw_acceleration_max /
               v->yaw_rate_max;
}

static int32_t craft_boxes(const void* vehicle, const float* state, kerb_kind_box* boxes) {
    const kerb_vehicle* v = vehicle;
    boxes[0] = (kerb_kind_box){kerb_pose_make(state[0], state[1], state[2]), v->reference_to_front,
                               v->length - v->reference_to_front, v->width};
    return 1;
}

static kerb_plan_limits craft_route_limits(const void* vehicle, int32_t trial) {
    const kerb_vehicle* v = vehicle;
    float share = craft_share[trial];
    kerb_plan_limits limits = kerb_plan_limits_default();
    limits.turning_radius = v->length;
    limits.speed_max = 0.8f * v->speed_max;
    limits.reverse_speed_max = 0.0f;
    limits.acceleration = share * v->acceleration_max;
    limits.braking = share * v->braking_max;
    limits.lateral_acceleration = share * v->lateral_acceleration_max;
    limits.yaw_rate_max = share * v->yaw_rate_max;
    limits.reversal_time = limits.steering_time = 0.0f;
    limits.front = v->reference_to_front;
    limits.rear = v->length - limits.front;
    limits.width = v->width;
    limits.margin = 0.25f * v->width;
    return limits;
}

static kerb_plan_end craft_route_end(const void* vehicle, const float* state, const float* other,
                                     bool is_goal) {
    const kerb_vehicle* v = vehicle;
    (void)other;
    (void)is_goal;
    float speed = kerb_clamp(state[3], 0.0f, 0.79f * v->speed_max);
    return kerb_plan_end_make(state[0], state[1], state[2], speed);
}

static void craft_on_route(const void* vehicle, const kerb_kind_query* query,
                           const kerb_plan_state* at, float* state, float* control) {
    const kerb_vehicle* v = vehicle;
    (void)query;
    craft_forces f = craft_forces_of(v);
    float bend = at->speed * at->speed * at->curvature, sine, cosine;
    float drift = kerb_asin(kerb_clamp(0.8f * bend / f.thrust, -0.7f, 0.7f));
    kerb_sin_cos(drift, &sine, &cosine);
    state[0] = at->pose.position.x;
    state[1] = at->pose.position.y;
    state[2] = kerb_pose_heading(at->pose) + drift;
    state[3] = at->speed * cosine;
    state[4] = -at->speed * sine;
    state[5] = at->speed * at->curvature;
    float rubbing = at->speed > CRAFT_SLOW ? f.along : 0.0f;
    float push = at->acceleration + rubbing + f.drag * at->speed * at->speed;
    push = push < 0.0f ? push / (f.fan + f.skirt) : push / f.thrust;
    control[0] = kerb_clamp(push + kerb_abs(bend) / f.thrust * 0.3f, -1.0f, 1.0f);
    control[1] = kerb_clamp(state[5] / v->yaw_rate_max, -1.0f, 1.0f);
}

static float craft_bound(const void* vehicle, const float* from, const float* to) {
    const kerb_vehicle* v = vehicle;
    craft_forces f = craft_forces_of(v);
    float speed = kerb_sqrt(from[3] * from[3] + from[4] * from[4]);
    float distance = kerb_vec2_length(kerb_vec2_make(to[0] - from[0], to[1] - from[1]));
    float turn = kerb_abs(kerb_wrap_angle(to[2] - from[2]));
    float rate = kerb_max(v->yaw_rate_max, kerb_abs(from[5]));
    // Only drag limits the speed: friction does not grow with it.
    float push = kerb_max(f.thrust, f.fan), top = CRAFT_FASTEST;
    if (f.drag > 0.0f)
        top = kerb_min(kerb_sqrt(push / (CRAFT_ASKEW_DRAG * f.drag)), top);
    return kerb_max(kerb_in_kind_rush(distance, speed, top, push), turn / rate);
}

static void craft_state_of(const void* vehicle, const kerb_motion* motion, const float* told,
                           float* state) {
    (void)vehicle;
    (void)told;
    float sine, cosine, heading = kerb_quat_heading(motion->rotation);
    kerb_sin_cos(heading, &sine, &cosine);
    state[0] = motion->position.x;
    state[1] = motion->position.y;
    state[2] = heading;
    state[3] = motion->velocity.x * cosine + motion->velocity.y * sine;
    state[4] = motion->velocity.y * cosine - motion->velocity.x * sine;
    state[5] = motion->angular_velocity.z;
}

static kerb_controls craft_controls_of(const void* vehicle, const float* state,
                                       const float* control) {
    (void)vehicle;
    if (!control) {
        kerb_controls stop = kerb_controls_safe(KERB_REASON_ARRIVED);
        stop.gear = 1;
        return stop;
    }
    bool back = control[0] < 0.0f && state[3] < CRAFT_REVERSES;
    kerb_controls controls = {.throttle = back ? -control[0] : kerb_max(control[0], 0.0f),
                              .brake = back ? 0.0f : kerb_max(-control[0], 0.0f),
                              .steering = control[1],
                              .gear = back ? -1 : 1,
                              .reason = KERB_REASON_CRUISE};
    return controls;
}

// The fan answers late, the skirt at once: the mean over thrust and brake.
static float craft_delay(const kerb_vehicle* v, craft_forces f) {
    return 0.5f * (1.0f + f.fan / (f.fan + f.skirt)) * v->throttle_delay;
}

kerb_kind kerb_kind_of_hovercraft(const kerb_vehicle* vehicle) {
    KERB_ASSERT(vehicle);
    const kerb_vehicle* v = vehicle;
    craft_forces f = craft_forces_of(v);
    kerb_kind kind = {
        .name = "hovercraft",
        .vehicle = v,
        .states = 6,
        .controls = 2,
        .state_names = {"x_m", "y_m", "heading_rad", "forward_mps", "left_mps", "yaw_rate_radps"},
        .control_names = {"pedal", "turn"},
        .control_min = {-1.0f, -1.0f},
        .control_max = {1.0f, 1.0f},
        .delay = {craft_delay(v, f), 0.0f},
        .error = {0.2f * v->length, 0.2f * v->length, 0.4f, 0.5f * f.thrust, 0.5f * f.thrust,
                  v->yaw_rate_max},
        .tolerance = {0.01f * v->length, 0.01f * v->length, 0.01f, 0.05f, 0.05f,
                      0.02f * v->yaw_rate_max},
        .control_share = 0.54f,
        .step_max = kerb_min(0.8f * CRAFT_SLOW / (f.fan + f.skirt + f.across),
                             0.15f * v->yaw_rate_max / v->yaw_acceleration_max),
        .piece_max = 0.12f, // with longer ones, drives end farther from the goal
        .smoothing = 1.0f,
        .closing_feedback = 0.1f,
        .rates = craft_rates,
        .boxes = craft_boxes,
        .route_limits = craft_route_limits,
        .route_end = craft_route_end,
        .on_route = craft_on_route,
        .bound = craft_bound,
        .state_of = craft_state_of,
        .controls_of = craft_controls_of,
    };
    return kind;
}
