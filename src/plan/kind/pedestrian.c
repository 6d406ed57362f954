// Purpose: a person on foot as a kind of vehicle.
// Idea:    Routes are paths of the middle of the body with small arcs. On a long route the body
//          turns to the path at once and to the goal's heading at the end; on a short one it turns
//          evenly and steps sideways.
// Source:  See kerb_pedestrian.
#include "kerb/plan_kind.h"

#include "../../base/shared.h"

// Radii of the arcs of routes, by attempt. [m]
static const float walker_radius[KERB_KIND_ATTEMPTS_MAX] = {0.5f, 0.3f, 0.2f, 0.8f, 0.4f};
// Share of speeds and accelerations that routes use. [1]
#define WALKER_ROUTE_SHARE 0.7f
// The body is a rectangle that turns; routes keep this much from obstacles. [m]
#define WALKER_MARGIN 0.02f
// Share of the time of a route in which the body may turn; where it needs more, it steps sideways.
// [1]
#define WALKER_TURNING 0.5f
// Slower than this at an end, the direction of motion says nothing. [m/s]
#define WALKER_STANDS 0.05f

// The greatest speed along the body in a direction. Near 0 it changes smoothly from that backwards
// to that forwards.
static float walker_top(const kerb_pedestrian* p, float forward) {
    float slow = 0.5f * p->back_speed_max;
    float share = 0.5f + 0.5f * forward / kerb_sqrt(forward * forward + slow * slow);
    return 1.0f / (share / p->speed_max + (1.0f - share) / p->back_speed_max);
}

static void walker_rates(const void* vehicle, const float* state, const float* control,
                         float* rates) {
    const kerb_pedestrian* p = vehicle;
    float sine, cosine, forward = state[3], left = state[4];
    kerb_sin_cos(state[2], &sine, &cosine);
    float turn = control[2] * p->yaw_rate_max;
    float along = forward / walker_top(p, forward), across = left / p->side_speed_max;
    float square = along * along + across * across, cost = square * kerb_sqrt(square);
    rates[0] = forward * cosine - left * sine;
    rates[1] = forward * sine + left * cosine;
    rates[2] = turn;
    rates[3] = p->acceleration * (control[0] - cost * along) + turn * left;
    rates[4] = p->acceleration * (control[1] - cost * across) - turn * forward;
}

static int32_t walker_boxes(const void* vehicle, const float* state, kerb_kind_box* boxes) {
    const kerb_pedestrian* p = vehicle;
    boxes[0] = (kerb_kind_box){kerb_pose_make(state[0], state[1], state[2]), 0.5f * p->depth,
                               0.5f * p->depth, p->width};
    return 1;
}

static kerb_plan_limits walker_route_limits(const void* vehicle, int32_t trial) {
    const kerb_pedestrian* p = vehicle;
    kerb_plan_limits limits = kerb_plan_limits_default();
    limits.turning_radius = walker_radius[trial] * p->width;
    limits.speed_max = WALKER_ROUTE_SHARE * p->speed_max;
    limits.reverse_speed_max = 0.0f;
    limits.acceleration = limits.braking = 0.5f * WALKER_ROUTE_SHARE * p->acceleration;
    limits.lateral_acceleration = limits.acceleration;
    limits.yaw_rate_max = p->yaw_rate_max;
    limits.reversal_time = limits.steering_time = 0.0f;
    limits.front = limits.rear = 0.5f * kerb_max(p->width, p->depth);
    limits.width = 2.0f * limits.front;
    limits.margin = WALKER_MARGIN;
    return limits;
}

// In the direction of motion; where it stands, towards the other end.
static kerb_plan_end walker_route_end(const void* vehicle, const float* state, const float* other,
                                      bool is_goal) {
    const kerb_pedestrian* p = vehicle;
    kerb_vec2 to = {other[0] - state[0], other[1] - state[1]};
    float speed = kerb_sqrt(state[3] * state[3] + state[4] * state[4]);
    float heading = kerb_atan2(is_goal ? -to.y : to.y, is_goal ? -to.x : to.x);
    if (speed > WALKER_STANDS)
        heading = state[2] + kerb_atan2(state[4], state[3]);
    else
        speed = 0.0f;
    kerb_plan_end end = kerb_plan_end_make(
        state[0], state[1], heading, kerb_min(speed, 0.99f * WALKER_ROUTE_SHARE * p->speed_max));
    if (is_goal && speed == 0.0f)
        end.heading_tolerance = KERB_PI;
    return end;
}

// Heading of the body: from the start's to that of the path, then to the goal's, each at a share of
// the greatest yaw rate; evenly where there is no time for both.
static float walker_heading(const kerb_pedestrian* p, const kerb_kind_query* query, float path,
                            float time) {
    float rate = WALKER_ROUTE_SHARE * p->yaw_rate_max;
    float first = kerb_wrap_angle(path - query->from[2]);
    float last = kerb_wrap_angle(query->to[2] - path);
    float whole = kerb_wrap_angle(query->to[2] - query->from[2]);
    if (kerb_abs(first) + kerb_abs(last) > WALKER_TURNING * rate * query->time)
        return query->from[2] + whole * time / kerb_max(query->time, 1e-3f);
    float left = query->time - time;
    if (kerb_abs(last) > rate * left)
        return query->to[2] - kerb_clamp(last, -rate * left, rate * left);
    return query->from[2] + kerb_clamp(first, -rate * time, rate * time);
}

static void walker_on_route(const void* vehicle, const kerb_kind_query* query,
                            const kerb_plan_state* at, float* state, float* control) {
    const kerb_pedestrian* p = vehicle;
    float sine, cosine, path = kerb_pose_heading(at->pose);
    state[0] = at->pose.position.x;
    state[1] = at->pose.position.y;
    state[2] = walker_heading(p, query, path, at->time);
    kerb_sin_cos(path - state[2], &sine, &cosine);
    state[3] = at->speed * cosine;
    state[4] = at->speed * sine;
    float along = state[3] / walker_top(p, state[3]), across = state[4] / p->side_speed_max;
    float square = along * along + across * across, cost = square * kerb_sqrt(square);
    float bend = at->speed * at->speed * at->curvature;
    float push = (at->acceleration * cosine - bend * sine) / p->acceleration;
    float side = (at->acceleration * sine + bend * cosine) / p->acceleration;
    control[0] = kerb_clamp(push + cost * along, -1.0f, 1.0f);
    control[1] = kerb_clamp(side + cost * across, -1.0f, 1.0f);
    control[2] = 0.0f;
}

static float walker_bound(const void* vehicle, const float* from, const float* to) {
    const kerb_pedestrian* p = vehicle;
    // Efforts forwards and sideways may act at once: by a tenth more than one alone.
    float top = 1.1f * kerb_max(p->speed_max, kerb_max(p->side_speed_max, p->back_speed_max));
    float speed = kerb_sqrt(from[3] * from[3] + from[4] * from[4]);
    float distance = kerb_vec2_length(kerb_vec2_make(to[0] - from[0], to[1] - from[1]));
    float turn = kerb_abs(kerb_wrap_angle(to[2] - from[2]));
    return kerb_max(distance / kerb_max(top, speed), turn / p->yaw_rate_max);
}

static void walker_state_of(const void* vehicle, const kerb_motion* motion, const float* told,
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
}

static kerb_controls walker_controls_of(const void* vehicle, const float* state,
                                        const float* control) {
    (void)vehicle;
    (void)state;
    if (!control)
        return kerb_controls_safe(KERB_REASON_ARRIVED);
    kerb_controls controls = {.throttle = kerb_abs(control[0]),
                              .steering = control[2],
                              .gear = control[0] < 0.0f ? -1 : 1,
                              .roll = -control[1],
                              .reason = KERB_REASON_CRUISE};
    return controls;
}

kerb_kind kerb_kind_of_pedestrian(const kerb_pedestrian* pedestrian) {
    KERB_ASSERT(pedestrian);
    const kerb_pedestrian* p = pedestrian;
    kerb_kind kind = {
        .name = "pedestrian",
        .vehicle = p,
        .states = 5,
        .controls = 3,
        .state_names = {"x_m", "y_m", "heading_rad", "forward_mps", "left_mps"},
        .control_names = {"forward", "sideways", "turn"},
        .control_min = {-1.0f, -1.0f, -1.0f},
        .control_max = {1.0f, 1.0f, 1.0f},
        .delay = {p->answer_time, p->answer_time, p->answer_time},
        .error = {0.2f * p->speed_max, 0.2f * p->speed_max, 0.5f, 0.5f * p->speed_max,
                  0.5f * p->speed_max},
        .tolerance = {0.02f, 0.02f, 0.02f, 0.02f * p->speed_max, 0.02f * p->speed_max},
        .control_share = 0.85f,
        .step_max = 0.12f * kerb_min(p->side_speed_max, p->back_speed_max) / p->acceleration,
        .rates = walker_rates,
        .boxes = walker_boxes,
        .route_limits = walker_route_limits,
        .route_end = walker_route_end,
        .on_route = walker_on_route,
        .bound = walker_bound,
        .state_of = walker_state_of,
        .controls_of = walker_controls_of,
    };
    return kind;
}
