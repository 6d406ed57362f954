// Purpose: a car with a trailer as a kind of vehicle.
// Idea:    The path of the trailer's axle decides all else: its curvature gives the angle of the
//          hitch, and the change of that angle the steering of the car. So routes are planned for
//          the trailer's axle, with a radius at which the hitch keeps well within its limit.
// Source:  Rouchon, Fliess, Lévine, Martin, "Flatness and Motion Planning: the Car with n
//          Trailers", ECC 1993.
#include "kerb/plan_kind.h"

#include "../../base/shared.h"

// Angles of the hitch on routes, over the greatest, by attempt. [1]
static const float towing_fold[KERB_KIND_ATTEMPTS_MAX] = {0.25f, 0.18f, 0.35f, 0.13f, 0.45f};
// Time constant with which the model's steering comes to its command. [s]
#define TOWING_STEERING 0.3f
// Speed below which pedals change the direction. [m/s]
#define TOWING_STANDS 0.03f

// Greatest curvature of the path of the car's rear axle. [1/m]
static float towing_curvature(const kerb_towing* t) {
    return 1.0f / kerb_vehicle_turning_radius(&t->car);
}

static void towing_rates(const void* vehicle, const float* state, const float* control,
                         float* rates) {
    const kerb_towing* t = vehicle;
    float sine, cosine, fold_sine, fold_cosine, speed = state[4];
    kerb_sin_cos(state[2], &sine, &cosine);
    kerb_sin_cos(state[3], &fold_sine, &fold_cosine);
    float turn = speed * state[5], swing = t->hitch_behind * turn;
    float along = speed * fold_cosine + swing * fold_sine;
    float trailer_turn = (speed * fold_sine - swing * fold_cosine) / t->trailer_axle;
    float relative = speed / t->speed_max;
    rates[0] = along * cosine;
    rates[1] = along * sine;
    rates[2] = trailer_turn;
    rates[3] = turn - trailer_turn;
    rates[4] = t->acceleration * (control[0] - relative * relative * relative);
    rates[5] = (control[1] * towing_curvature(t) - state[5]) / TOWING_STEERING;
}

// The car's pose at its rear axle.
static kerb_pose towing_car(const kerb_towing* t, const float* state) {
    kerb_pose trailer = kerb_pose_make(state[0], state[1], state[2]);
    kerb_pose car = kerb_pose_make(0.0f, 0.0f, state[2] + state[3]);
    kerb_vec2 hitch =
        kerb_vec2_add(trailer.position, kerb_vec2_scale(trailer.forward, t->trailer_axle));
    car.position = kerb_vec2_add(hitch, kerb_vec2_scale(car.forward, t->hitch_behind));
    return car;
}

static int32_t towing_boxes(const void* vehicle, const float* state, kerb_kind_box* boxes) {
    const kerb_towing* t = vehicle;
    float front = t->car.reference_to_front + t->car.reference_to_rear_axle;
    boxes[0] = (kerb_kind_box){kerb_pose_make(state[0], state[1], state[2]), t->trailer_front,
                               t->trailer_rear, t->trailer_width};
    boxes[1] = (kerb_kind_box){towing_car(t, state), front, t->car.length - front, t->car.width};
    return 2;
}

static kerb_plan_limits towing_route_limits(const void* vehicle, int32_t trial) {
    const kerb_towing* t = vehicle;
    kerb_plan_limits limits = kerb_plan_limits_default();
    float front = t->car.reference_to_front + t->car.reference_to_rear_axle;
    float by_hitch = t->trailer_axle / kerb_tan(towing_fold[trial] * t->hitch_angle_max);
    float car = 1.3f * kerb_vehicle_turning_radius(&t->car);
    float by_car =
        car * car + t->hitch_behind * t->hitch_behind - t->trailer_axle * t->trailer_axle;
    limits.turning_radius = kerb_max(by_hitch, kerb_sqrt(by_car));
    limits.speed_max = limits.reverse_speed_max = 0.6f * t->speed_max;
    limits.acceleration = limits.braking = 0.5f * t->acceleration;
    limits.reverse_acceleration = limits.reverse_braking = 0.5f * t->acceleration;
    limits.lateral_acceleration = 1e3f;
    limits.yaw_rate_max = 0.5f * t->speed_max / limits.turning_radius;
    limits.reversal_time = 0.5f;
    limits.steering_time = 0.0f;
    limits.front = t->trailer_axle + t->hitch_behind + front;
    limits.rear = t->trailer_rear;
    limits.width = kerb_max(t->trailer_width, t->car.width);
    limits.margin = 0.05f;
    return limits;
}

static kerb_plan_end towing_route_end(const void* vehicle, const float* state, const float* other,
                                      bool is_goal) {
    const kerb_towing* t = vehicle;
    (void)other;
    (void)is_goal;
    float most = 0.59f * t->speed_max;
    return kerb_plan_end_make(state[0], state[1], state[2], kerb_clamp(state[4], -most, most));
}

static void towing_on_route(const void* vehicle, const kerb_kind_query* query,
                            const kerb_plan_state* at, float* state, float* control) {
    const kerb_towing* t = vehicle;
    (void)query;
    // In a steady bend the hitch is at the same distance from the middle of all circles.
    float bend = at->curvature, axle = t->trailer_axle, behind = t->hitch_behind;
    float radius = bend != 0.0f ? 1.0f / kerb_abs(bend) : 0.0f;
    float hitch = kerb_sqrt(radius * radius + axle * axle);
    float car = kerb_sqrt(kerb_max(hitch * hitch - behind * behind, 1e-6f));
    float sign = bend < 0.0f ? -1.0f : 1.0f;
    state[0] = at->pose.position.x;
    state[1] = at->pose.position.y;
    state[2] = kerb_pose_heading(at->pose);
    state[3] = bend != 0.0f ? sign * (kerb_atan(axle / radius) + kerb_atan(behind / car)) : 0.0f;
    state[5] = bend != 0.0f ? sign / car : 0.0f;
    state[4] = bend != 0.0f ? at->speed * car / radius : at->speed;
    float relative = state[4] / t->speed_max;
    float push = at->acceleration / t->acceleration * (at->speed < 0.0f ? -1.0f : 1.0f);
    control[0] = kerb_clamp(push + relative * relative * relative, -1.0f, 1.0f);
    control[1] = kerb_clamp(state[5] / towing_curvature(t), -1.0f, 1.0f);
}

static float towing_bound(const void* vehicle, const float* from, const float* to) {
    const kerb_towing* t = vehicle;
    float distance = kerb_vec2_length(kerb_vec2_make(to[0] - from[0], to[1] - from[1]));
    float turn = kerb_abs(kerb_wrap_angle(to[2] - from[2]));
    float top = kerb_max(t->speed_max, kerb_abs(from[4]));
    // The trailer's axle is never faster than the hitch.
    float swing = t->hitch_behind * kerb_max(towing_curvature(t), kerb_abs(from[5]));
    top *= kerb_sqrt(1.0f + swing * swing);
    return kerb_max(distance / top, turn * t->trailer_axle / top);
}

static float towing_room(const void* vehicle, const float* state) {
    const kerb_towing* t = vehicle;
    return 1.0f - kerb_abs(state[3]) / t->hitch_angle_max;
}

static void towing_state_of(const void* vehicle, const kerb_motion* motion, const float* told,
                            float* state) {
    const kerb_towing* t = vehicle;
    float heading = kerb_quat_heading(motion->rotation), fold = told ? told[0] : 0.0f;
    kerb_pose car = kerb_pose_make(motion->position.x, motion->position.y, heading);
    kerb_pose trailer = kerb_pose_make(0.0f, 0.0f, heading - fold);
    float back = t->car.reference_to_rear_axle + t->hitch_behind;
    kerb_vec2 hitch = kerb_vec2_add(car.position, kerb_vec2_scale(car.forward, -back));
    kerb_vec2 axle = kerb_vec2_add(hitch, kerb_vec2_scale(trailer.forward, -t->trailer_axle));
    state[0] = axle.x;
    state[1] = axle.y;
    state[2] = heading - fold;
    state[3] = fold;
    state[4] = kerb_motion_forward_speed(motion);
    state[5] = kerb_tan(motion->steering * t->car.steering_angle_max) / t->car.wheelbase;
}

static kerb_controls towing_controls_of(const void* vehicle, const float* state,
                                        const float* control) {
    const kerb_towing* t = vehicle;
    if (!control)
        return kerb_controls_safe(KERB_REASON_ARRIVED);
    float speed = state[4], relative = speed / t->speed_max;
    float wanted = t->acceleration * (control[0] - relative * relative * relative);
    bool back = speed < -TOWING_STANDS || (speed < TOWING_STANDS && wanted < 0.0f);
    float along = back ? -wanted : wanted, rest = t->car.coasting_deceleration;
    float most = back ? t->car.reverse_acceleration_max : t->car.acceleration_max;
    kerb_controls controls = {.gear = back ? -1 : 1, .reason = KERB_REASON_CRUISE};
    if (along + rest > 0.0f)
        controls.throttle = kerb_min((along + rest) / (most + rest), 1.0f);
    else
        controls.brake = kerb_min(-(along + rest) / t->car.braking_max, 1.0f);
    float angle = kerb_atan(control[1] * towing_curvature(t) * t->car.wheelbase);
    controls.steering = kerb_clamp(angle / t->car.steering_angle_max, -1.0f, 1.0f);
    return controls;
}

kerb_kind kerb_kind_of_towing(const kerb_towing* towing) {
    KERB_ASSERT(towing);
    const kerb_towing* t = towing;
    kerb_kind kind = {
        .name = "trailer",
        .vehicle = t,
        .states = 6,
        .controls = 2,
        .state_names = {"x_m", "y_m", "heading_rad", "hitch_rad", "speed_mps", "curvature_1pm"},
        .control_names = {"pedal", "steering"},
        .control_min = {-1.0f, -1.0f},
        .control_max = {1.0f, 1.0f},
        .error = {0.3f, 0.3f, 0.15f, 0.3f, 0.3f * t->speed_max, towing_curvature(t)},
        .tolerance = {0.01f, 0.01f, 0.005f, 0.01f, 0.01f * t->speed_max,
                      0.02f * towing_curvature(t)},
        .control_share = 0.7f,
        .step_max = 0.5f * TOWING_STEERING,
        .piece_max = 0.2f,
        .smoothing = 3.0f,
        .closing_feedback = 0.1f,
        .rates = towing_rates,
        .boxes = towing_boxes,
        .route_limits = towing_route_limits,
        .route_end = towing_route_end,
        .on_route = towing_on_route,
        .bound = towing_bound,
        .room = towing_room,
        .state_of = towing_state_of,
        .controls_of = towing_controls_of,
    };
    return kind;
}
