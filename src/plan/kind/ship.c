// Purpose: a ship as a kind of vehicle.
// Idea:    In distance instead of time, Nomoto's model does not depend on the speed: the curvature
//          of the path of the pivot point comes exponentially to that of the rudder. So routes of
//          arcs are good guesses, if their radius is larger than the ship's by the share of the
//          lag.
// Source:  See kerb_ship. Pivot point: the point whose sideways velocity is 0 in a steady turn.
#include "kerb/plan_kind.h"

#include "dash.h"

#include "../../base/shared.h"

// Share of the greatest speed below which a ship answers its rudder as at that speed. It keeps the
// yaw rate from staying for ever at rest. [1]
#define SHIP_SLOWEST 0.05f
// Turning radii of routes over the smallest one, by attempt. [1]
static const float ship_wider[KERB_KIND_ATTEMPTS_MAX] = {1.55f, 1.9f, 2.4f, 3.2f, 4.2f};
// Share of the controls that plans use.
#define SHIP_SHARE 0.7f
// Share of the greatest speed that routes use: nine tenths of what SHIP_SHARE of the throttle keeps
// up, which is 0.84. A ship that falls behind its route cuts the bends. [1]
#define SHIP_ROUTE_SPEED 0.75f
// Mean acceleration up to that speed with SHIP_SHARE of the throttle, against the resistance:
// 0.75 · sqrt(0.7) / artanh(0.75 / sqrt(0.7)) of the greatest. [1]
#define SHIP_ROUTE_ACCELERATION 0.43f
// Distance through the water over which a slide to the side dies out, in lengths. [1]
#define SHIP_SLIDE_LENGTHS 2.0f

// Velocity with which current and wind carry a ship.
static kerb_vec2 ship_drift(const kerb_ship* ship) {
    return kerb_vec2_add(ship->current, kerb_vec2_scale(ship->wind, ship->leeway));
}

static void ship_rates(const void* vehicle, const float* state, const float* control,
                       float* rates) {
    const kerb_ship* ship = vehicle;
    kerb_vec2 drift = ship_drift(ship);
    float sine, cosine, speed = state[3], rate = state[4];
    kerb_sin_cos(state[2], &sine, &cosine);
    rates[0] = speed * cosine + drift.x;
    rates[1] = speed * sine + drift.y;
    rates[2] = rate;
    float top = ship->speed_max, radius = ship->turning_radius, left = ship->turning_speed;
    float push = control[0] * (control[0] > 0.0f ? ship->acceleration : ship->astern);
    float turning = (1.0f / (left * left) - 1.0f) * radius * radius * rate * rate;
    float slowest = SHIP_SLOWEST * top;
    float flow = kerb_sqrt(speed * speed + slowest * slowest);
    float resistance = speed * kerb_abs(speed) + turning * speed / flow;
    rates[3] = push - ship->acceleration / (top * top) * resistance;
    rates[4] = (speed * control[1] / radius - rate) * flow / ship->yaw_lag;
}

static int32_t ship_boxes(const void* vehicle, const float* state, kerb_kind_box* boxes) {
    const kerb_ship* ship = vehicle;
    float front = ship->reference_to_bow - ship->reference_to_pivot;
    boxes[0] = (kerb_kind_box){kerb_pose_make(state[0], state[1], state[2]), front,
                               ship->length - front, ship->width};
    return 1;
}

static kerb_plan_limits ship_route_limits(const void* vehicle, int32_t trial) {
    const kerb_ship* ship = vehicle;
    kerb_plan_limits limits = kerb_plan_limits_default();
    limits.turning_radius = ship_wider[trial] * ship->turning_radius;
    limits.speed_max = SHIP_ROUTE_SPEED * ship->speed_max;
    limits.reverse_speed_max = 0.0f;
    limits.acceleration = SHIP_ROUTE_ACCELERATION * ship->acceleration;
    limits.braking = SHIP_SHARE * ship->astern;
    limits.lateral_acceleration = 1e3f;
    // A turn takes speed away.
    limits.yaw_rate_max = ship->turning_speed * ship->speed_max / limits.turning_radius;
    limits.reversal_time = limits.steering_time = 0.0f;
    limits.front = ship->reference_to_bow - ship->reference_to_pivot;
    limits.rear = ship->length - limits.front;
    limits.width = ship->width;
    // The ship leaves a route where the curvature jumps, by about jump · lag² / 24.
    limits.margin =
        kerb_min(ship->yaw_lag * ship->yaw_lag / (12.0f * limits.turning_radius), ship->width);
    return limits;
}

static kerb_plan_end ship_route_end(const void* vehicle, const float* state, const float* other,
                                    bool is_goal) {
    const kerb_ship* ship = vehicle;
    (void)other;
    (void)is_goal;
    float speed = kerb_clamp(state[3], 0.0f, 0.999f * SHIP_ROUTE_SPEED * ship->speed_max);
    return kerb_plan_end_make(state[0], state[1], state[2], speed);
}

// The ship points into the stream so far that it moves along the route.
static void ship_on_route(const void* vehicle, const kerb_kind_query* query,
                          const kerb_plan_state* at, float* state, float* control) {
    const kerb_ship* ship = vehicle;
    (void)query;
    kerb_vec2 drift = ship_drift(ship), forward = at->pose.forward;
    float across = forward.x * drift.y - forward.y * drift.x;
    float along = forward.x * drift.x + forward.y * drift.y;
    float crab =
        kerb_asin(kerb_clamp(-across / kerb_max(at->speed, 0.5f * ship->speed_max), -0.9f, 0.9f));
    state[0] = at->pose.position.x;
    state[1] = at->pose.position.y;
    state[2] = kerb_pose_heading(at->pose) + crab;
    state[3] = kerb_clamp(at->speed - along, 0.0f, ship->speed_max);
    state[4] = at->speed * at->curvature;
    float relative = state[3] / ship->speed_max;
    float push = at->acceleration + ship->acceleration * relative * relative;
    control[0] = kerb_clamp(push / (push > 0.0f ? ship->acceleration : ship->astern), -1.0f, 1.0f);
    control[1] = kerb_clamp(at->curvature * ship->turning_radius, -1.0f, 1.0f);
}

// Full astern may push more than full ahead, and then drive the ship faster.
static float ship_bound(const void* vehicle, const float* from, const float* to) {
    const kerb_ship* ship = vehicle;
    float push = kerb_max(ship->acceleration, ship->astern), speed = kerb_abs(from[3]);
    float top = kerb_max(ship->speed_max * kerb_sqrt(push / ship->acceleration), speed);
    float drift = kerb_vec2_length(ship_drift(ship));
    float distance = kerb_vec2_length(kerb_vec2_make(to[0] - from[0], to[1] - from[1]));
    float move = kerb_in_kind_rush(distance, speed + drift, top + drift, push);
    float turn = kerb_abs(kerb_wrap_angle(to[2] - from[2]));
    float fastest = kerb_max(top / ship->turning_radius, kerb_abs(from[4]));
    return kerb_max(move, turn / fastest);
}

static void ship_state_of(const void* vehicle, const kerb_motion* motion, const float* told,
                          float* state) {
    const kerb_ship* ship = vehicle;
    (void)told;
    kerb_vec2 drift = ship_drift(ship);
    float sine, cosine, heading = kerb_quat_heading(motion->rotation);
    kerb_sin_cos(heading, &sine, &cosine);
    state[0] = motion->position.x + ship->reference_to_pivot * cosine;
    state[1] = motion->position.y + ship->reference_to_pivot * sine;
    state[2] = heading;
    state[3] = (motion->velocity.x - drift.x) * cosine + (motion->velocity.y - drift.y) * sine;
    state[4] = motion->angular_velocity.z;
}

// The model has no sway. A pivot point that slides goes on to do so while the ship brakes, and the
// water stops it over some lengths. What comes before the water has stopped it the rudder still
// corrects: so the slide counts less twice over, the longer the way to the stop is.
static kerb_vec2 ship_slide(const void* vehicle, const kerb_motion* motion, const float* goal) {
    const kerb_ship* ship = vehicle;
    float state[KERB_KIND_STATES_MAX], sine, cosine;
    ship_state_of(vehicle, motion, NULL, state);
    kerb_sin_cos(state[2], &sine, &cosine);
    kerb_vec2 drift = ship_drift(ship);
    float aside = (motion->velocity.y - drift.y) * cosine - (motion->velocity.x - drift.x) * sine;
    aside += ship->reference_to_pivot * state[4]; // of the pivot point
    float speed = kerb_abs(state[3]), water = SHIP_SLIDE_LENGTHS * ship->length;
    float brakes = kerb_max(speed - kerb_abs(goal[3]), 0.0f);
    float stopping = brakes / (SHIP_SHARE * ship->astern), died = 1.0f + stopping * speed / water;
    float slides = aside * stopping / (died * died);
    return kerb_vec2_make(-slides * sine, slides * cosine);
}

static kerb_controls ship_controls_of(const void* vehicle, const float* state,
                                      const float* control) {
    const kerb_ship* ship = vehicle;
    if (!control) { // the propeller against the speed
        float push = kerb_clamp(-state[3] / (0.1f * ship->speed_max), -1.0f, 1.0f);
        kerb_controls stop = {.throttle = kerb_abs(push),
                              .gear = push < 0.0f ? -1 : 1,
                              .reason = KERB_REASON_ARRIVED};
        return stop;
    }
    kerb_controls controls = {.throttle = kerb_abs(control[0]),
                              .steering = control[1],
                              .gear = control[0] < 0.0f ? -1 : 1,
                              .reason = KERB_REASON_CRUISE};
    return controls;
}

kerb_kind kerb_kind_of_ship(const kerb_ship* ship) {
    KERB_ASSERT(ship);
    float rate = ship->speed_max / ship->turning_radius;
    kerb_kind kind = {
        .name = "ship",
        .vehicle = ship,
        .states = 5,
        .controls = 2,
        .state_names = {"x_m", "y_m", "heading_rad", "speed_mps", "yaw_rate_radps"},
        .control_names = {"throttle", "rudder"},
        .control_min = {-1.0f, -1.0f},
        .control_max = {1.0f, 1.0f},
        .delay = {ship->throttle_delay, ship->rudder_delay},
        .error = {0.025f * ship->length, 0.025f * ship->length, 0.3f, 0.3f * ship->speed_max, rate},
        .tolerance = {2e-3f * ship->length, 2e-3f * ship->length, 2e-3f, 2e-3f * ship->speed_max,
                      0.01f * rate},
        .control_share = SHIP_SHARE,
        .step_max = 0.3f * ship->yaw_lag / ship->speed_max,
        .rates = ship_rates,
        .boxes = ship_boxes,
        .route_limits = ship_route_limits,
        .route_end = ship_route_end,
        .on_route = ship_on_route,
        .bound = ship_bound,
        .state_of = ship_state_of,
        .controls_of = ship_controls_of,
        .slide = ship_slide,
    };
    return kind;
}
