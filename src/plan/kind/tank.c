// Purpose: a vehicle on tracks as a kind of vehicle.
// Idea:    A hull of 40 t needs time to begin a turn and to end it, so the yaw rate belongs to the
//          state and comes to that of the steering with a lag. Routes have arcs so small that it
//          nearly turns on the spot; the motion makes of them what is fastest. No track is faster
//          than the engine drives it, so who drives at full speed cannot turn.
// Source:  Wong, "Theory of Ground Vehicles", chapter 6 (skid steering).
#include "kerb/plan_kind.h"

#include "../../base/shared.h"

// Radius of the arcs of routes, over the length, by attempt. [1]
static const float tank_radius[KERB_KIND_ATTEMPTS_MAX] = {0.15f, 0.4f, 0.8f, 0.25f, 1.5f};
// Share of the accelerations and of the yaw rate that routes use. [1]
#define TANK_ROUTE_SHARE 0.5f
// Share of the greatest speed that routes use: near it there is no acceleration left. [1]
#define TANK_ROUTE_SPEED 0.8f
// Speed below which pedals change the direction. [m/s]
#define TANK_STANDS 0.05f

// The acceleration both ways. [m/s²]
static float tank_acceleration(const kerb_vehicle* v) {
    return kerb_min(v->acceleration_max, v->reverse_acceleration_max);
}

// The greatest speed in a direction; near 0 it changes smoothly from that in reverse to that ahead.
static float tank_top(const kerb_vehicle* v, float speed) {
    float slow = 0.5f * v->reverse_speed_max;
    float share = 0.5f + 0.5f * speed / kerb_sqrt(speed * speed + slow * slow);
    return 1.0f / (share / v->speed_max + (1.0f - share) / v->reverse_speed_max);
}

// Acceleration of a pedal, which the engine's power limits; brakes know no such limit. [m/s²]
static float tank_push(const kerb_vehicle* v, float speed, float pedal) {
    float most = tank_acceleration(v);
    if (pedal * speed <= 0.0f || !(v->power > 0.0f))
        return pedal * most;
    float share = speed * most * v->mass / v->power;
    return pedal * most / kerb_sqrt(1.0f + share * share);
}

// Deceleration without pedals. It holds the greatest speed under full throttle. [m/s²]
static float tank_losses(const kerb_vehicle* v, float speed) {
    float top = tank_top(v, speed), relative = speed / top, square = relative * relative;
    return tank_push(v, top, 1.0f) * square * square * relative;
}

static void tank_rates(const void* vehicle, const float* state, const float* control,
                       float* rates) {
    const kerb_vehicle* v = vehicle;
    float sine, cosine, speed = state[3];
    kerb_sin_cos(state[2], &sine, &cosine);
    rates[0] = speed * cosine;
    rates[1] = speed * sine;
    rates[2] = state[4];
    rates[3] = tank_push(v, speed, control[0]) - tank_losses(v, speed);
    rates[4] = (control[1] * v->yaw_rate_max - state[4]) * 2.0f * v->yaw_acceleration_max /
               v->yaw_rate_max;
}

static int32_t tank_boxes(const void* vehicle, const float* state, kerb_kind_box* boxes) {
    const kerb_vehicle* v = vehicle;
    boxes[0] = (kerb_kind_box){kerb_pose_make(state[0], state[1], state[2]), v->reference_to_front,
                               v->length - v->reference_to_front, v->width};
    return 1;
}

static kerb_plan_limits tank_route_limits(const void* vehicle, int32_t trial) {
    const kerb_vehicle* v = vehicle;
    kerb_plan_limits limits = kerb_plan_limits_default();
    float gentle = TANK_ROUTE_SHARE * tank_acceleration(v);
    limits.turning_radius = tank_radius[trial] * v->length;
    limits.speed_max = TANK_ROUTE_SPEED * v->speed_max;
    limits.reverse_speed_max = TANK_ROUTE_SPEED * v->reverse_speed_max;
    limits.acceleration = limits.braking = gentle;
    limits.reverse_acceleration = limits.reverse_braking = gentle;
    limits.lateral_acceleration = TANK_ROUTE_SHARE * v->lateral_acceleration_max;
    limits.yaw_rate_max = TANK_ROUTE_SHARE * v->yaw_rate_max;
    limits.reversal_time = limits.steering_time = 0.0f;
    limits.front = v->reference_to_front;
    limits.rear = v->length - limits.front;
    limits.width = v->width;
    limits.margin = 0.05f * v->width;
    return limits;
}

static kerb_plan_end tank_route_end(const void* vehicle, const float* state, const float* other,
                                    bool is_goal) {
    const kerb_vehicle* v = vehicle;
    (void)other;
    (void)is_goal;
    float share = 0.99f * TANK_ROUTE_SPEED;
    return kerb_plan_end_make(
        state[0], state[1], state[2],
        kerb_clamp(state[3], -share * v->reverse_speed_max, share * v->speed_max));
}

static void tank_on_route(const void* vehicle, const kerb_kind_query* query,
                          const kerb_plan_state* at, float* state, float* control) {
    const kerb_vehicle* v = vehicle;
    (void)query;
    float push = at->acceleration * (at->speed < 0.0f ? -1.0f : 1.0f);
    push += tank_losses(v, at->speed);
    float most = kerb_abs(tank_push(v, at->speed, push < 0.0f ? -1.0f : 1.0f));
    state[0] = at->pose.position.x;
    state[1] = at->pose.position.y;
    state[2] = kerb_pose_heading(at->pose);
    state[3] = at->speed;
    state[4] = at->speed * at->curvature;
    control[0] = kerb_clamp(push / most, -1.0f, 1.0f);
    control[1] = kerb_clamp(state[4] / v->yaw_rate_max, -1.0f, 1.0f);
}

static float tank_bound(const void* vehicle, const float* from, const float* to) {
    const kerb_vehicle* v = vehicle;
    float distance = kerb_vec2_length(kerb_vec2_make(to[0] - from[0], to[1] - from[1]));
    float turn = kerb_abs(kerb_wrap_angle(to[2] - from[2]));
    float top = kerb_max(kerb_max(v->speed_max, v->reverse_speed_max), kerb_abs(from[3]));
    return kerb_max(distance / top, turn / kerb_max(v->yaw_rate_max, kerb_abs(from[4])));
}

// The outer track is no faster than the greatest speed.
static float tank_room(const void* vehicle, const float* state) {
    const kerb_vehicle* v = vehicle;
    float outer = kerb_abs(state[3]) + 0.5f * v->track_width * kerb_abs(state[4]);
    float lateral = kerb_abs(state[3] * state[4]) / v->lateral_acceleration_max;
    float fastest = kerb_max(v->speed_max, 0.5f * v->track_width * v->yaw_rate_max);
    return 1.0f - kerb_max(outer / fastest, lateral);
}

static void tank_state_of(const void* vehicle, const kerb_motion* motion, const float* told,
                          float* state) {
    (void)vehicle;
    (void)told;
    state[0] = motion->position.x;
    state[1] = motion->position.y;
    state[2] = kerb_quat_heading(motion->rotation);
    state[3] = kerb_motion_forward_speed(motion);
    state[4] = motion->angular_velocity.z;
}

static kerb_controls tank_controls_of(const void* vehicle, const float* state,
                                      const float* control) {
    const kerb_vehicle* v = vehicle;
    if (!control)
        return kerb_controls_safe(KERB_REASON_ARRIVED);
    float speed = state[3], wanted = tank_push(v, speed, control[0]) - tank_losses(v, speed);
    bool back = speed < -TANK_STANDS || (speed < TANK_STANDS && wanted < 0.0f);
    float rest = v->coasting_deceleration + v->drag * speed * speed;
    float along = (back ? -wanted : wanted) + rest;
    float most = kerb_abs(tank_push(v, speed, back ? -1.0f : 1.0f)) + v->coasting_deceleration;
    kerb_controls controls = {
        .gear = back ? -1 : 1, .steering = control[1], .reason = KERB_REASON_CRUISE};
    if (along > 0.0f)
        controls.throttle = kerb_min(along / most, 1.0f);
    else
        controls.brake = kerb_min(-along / v->braking_max, 1.0f);
    return controls;
}

kerb_kind kerb_kind_of_tank(const kerb_vehicle* vehicle) {
    KERB_ASSERT(vehicle);
    const kerb_vehicle* v = vehicle;
    float lag = 0.5f * v->yaw_rate_max / v->yaw_acceleration_max;
    kerb_kind kind = {
        .name = "tank",
        .vehicle = v,
        .states = 5,
        .controls = 2,
        .state_names = {"x_m", "y_m", "heading_rad", "speed_mps", "yaw_rate_radps"},
        .control_names = {"pedal", "turn"},
        .control_min = {-1.0f, -1.0f},
        .control_max = {1.0f, 1.0f},
        .delay = {v->throttle_delay, 0.0f},
        .error = {0.2f * v->length, 0.2f * v->length, 0.3f, 2.0f, v->yaw_rate_max},
        .tolerance = {0.005f * v->length, 0.005f * v->length, 0.01f, 0.05f,
                      0.02f * v->yaw_rate_max},
        .control_share = 0.6f,
        .step_max = 0.3f * kerb_max(lag, 0.3f),
        .smoothing = lag,
        .rates = tank_rates,
        .boxes = tank_boxes,
        .route_limits = tank_route_limits,
        .route_end = tank_route_end,
        .on_route = tank_on_route,
        .bound = tank_bound,
        .room = tank_room,
        .state_of = tank_state_of,
        .controls_of = tank_controls_of,
    };
    return kind;
}
