// Purpose: a motorcycle as a kind of vehicle.
// Idea:    The control is the lean that the rider wants. The lean comes to it as a second-order
//          system, and the curvature follows from the balance: what gravity does not need to
//          change the lean, the bend takes. So a motorcycle that is to lean left first turns right
//          (counter-steering), and that its path swings out before a bend is in the model. Errors
//          of the lean enter the wheels' angle in each frame, which is what balances it.
// Source:  See kerb_motorcycle.
#include "kerb/plan_kind.h"

#include "dash.h"

#include "../../base/shared.h"

// Share of the lean of a full control that bends of routes take. Plans use 0.8 of it; the rest is
// for coming into the bend. [1]
#define RIDER_BEND_SHARE 0.76f
// Radii of routes over the smallest one that this share allows, by attempt. The greater they are,
// the faster are the bends; the fourth is for narrow places.
static const float rider_wider[KERB_KIND_ATTEMPTS_MAX] = {1.8f, 2.5f, 3.5f, 1.3f, 5.0f};
// Below this speed brakes fade in the model, so that it stays smooth. [m/s]
#define RIDER_SLOW 1.0f

// Share of the wheels' lock that plans use: the rest balances. [1]
#define RIDER_LOCK_SHARE 0.65f

// Greatest curvature of the path of the rear wheel. [1/m]
static float rider_curvature_max(const kerb_motorcycle* m) {
    return kerb_tan(m->steering_angle_max) / m->wheelbase;
}

// The lean of a full control: lean_max, and at walking pace that of the wheels' lock. [rad]
static float rider_lean_most(const kerb_motorcycle* m, float speed) {
    float bend = RIDER_LOCK_SHARE * rider_curvature_max(m);
    float turn = (speed * speed + m->balance_speed * m->balance_speed) * bend;
    return m->lean_max * turn / (turn + KERB_GRAVITY * m->lean_max);
}

// Angular acceleration of the lean. [rad/s²]
static float rider_lean_acceleration(const kerb_motorcycle* m, const float* state, float control) {
    float frequency = 2.0f / m->lean_time; // critically damped
    float away = control * rider_lean_most(m, state[3]) - state[4];
    return frequency * (frequency * away - 2.0f * state[5]);
}

// Curvature of the path at which the lean gets an angular acceleration. [1/m]
static float rider_curvature(const kerb_motorcycle* m, float speed, float lean,
                             float acceleration) {
    float sine, cosine, help = m->balance_speed * m->balance_speed;
    kerb_sin_cos(lean, &sine, &cosine);
    return (KERB_GRAVITY * sine - m->mass_height * acceleration) /
           ((speed * speed + help) * cosine);
}

// Share of the brakes that acts in the model at a speed, and its sign.
static float rider_way(float speed) {
    return speed / kerb_sqrt(speed * speed + RIDER_SLOW * RIDER_SLOW);
}

static void rider_rates(const void* vehicle, const float* state, const float* control,
                        float* rates) {
    const kerb_motorcycle* m = vehicle;
    float sine, cosine, speed = state[3];
    kerb_sin_cos(state[2], &sine, &cosine);
    float acceleration = rider_lean_acceleration(m, state, control[1]);
    float push = control[0] *
                 (control[0] > 0.0f
                      ? m->acceleration
                      : m->braking * speed / kerb_sqrt(speed * speed + RIDER_SLOW * RIDER_SLOW));
    rates[0] = speed * cosine;
    rates[1] = speed * sine;
    rates[2] = speed * rider_curvature(m, speed, state[4], acceleration);
    rates[3] = push - m->acceleration / (m->speed_max * m->speed_max) * speed * kerb_abs(speed);
    rates[4] = state[5];
    rates[5] = acceleration;
}

// The head leans out of the track of the wheels.
static int32_t rider_boxes(const void* vehicle, const float* state, kerb_kind_box* boxes) {
    const kerb_motorcycle* m = vehicle;
    float aside = m->height * kerb_sin(state[4]);
    kerb_pose pose = kerb_pose_make(state[0], state[1], state[2]);
    pose.position =
        kerb_vec2_add(pose.position, kerb_vec2_scale(kerb_vec2_left(pose.forward), 0.5f * aside));
    boxes[0] = (kerb_kind_box){pose, m->length - m->rear, m->rear, m->width + kerb_abs(aside)};
    return 1;
}

static kerb_plan_limits rider_route_limits(const void* vehicle, int32_t trial) {
    const kerb_motorcycle* m = vehicle;
    kerb_plan_limits limits = kerb_plan_limits_default();
    // The lean of a full control, rider_lean_most, allows bends of the radius
    //     1 / (share · lock) + (balance_speed² + speed²) / lateral, lateral = share · g · lean_max.
    float lateral = RIDER_BEND_SHARE * KERB_GRAVITY * m->lean_max;
    float least = 1.0f / (RIDER_BEND_SHARE * RIDER_LOCK_SHARE * rider_curvature_max(m)) +
                  m->balance_speed * m->balance_speed / lateral;
    limits.turning_radius = rider_wider[trial] * least;
    limits.speed_max = 0.9f * m->speed_max;
    limits.reverse_speed_max = 0.0f;
    limits.acceleration = 0.4f * m->acceleration;
    limits.braking = 0.5f * m->braking;
    limits.lateral_acceleration = lateral * (1.0f - 1.0f / rider_wider[trial]);
    limits.yaw_rate_max = 1e3f;
    limits.reversal_time = limits.steering_time = 0.0f;
    limits.front = m->length - m->rear;
    limits.rear = m->rear;
    limits.width = m->width;
    limits.margin = 0.5f * m->width;
    return limits;
}

static kerb_plan_end rider_route_end(const void* vehicle, const float* state, const float* other,
                                     bool is_goal) {
    const kerb_motorcycle* m = vehicle;
    (void)other;
    (void)is_goal;
    return kerb_plan_end_make(state[0], state[1], state[2],
                              kerb_clamp(state[3], 0.0f, 0.89f * m->speed_max));
}

static void rider_on_route(const void* vehicle, const kerb_kind_query* query,
                           const kerb_plan_state* at, float* state, float* control) {
    const kerb_motorcycle* m = vehicle;
    (void)query;
    float help = m->balance_speed * m->balance_speed;
    float lean = kerb_atan((at->speed * at->speed + help) * at->curvature / KERB_GRAVITY);
    float relative = at->speed / m->speed_max;
    float push = at->acceleration + m->acceleration * relative * relative;
    state[0] = at->pose.position.x;
    state[1] = at->pose.position.y;
    state[2] = kerb_pose_heading(at->pose);
    state[3] = at->speed;
    float most = rider_lean_most(m, at->speed);
    state[4] = kerb_clamp(lean, -most, most);
    state[5] = 0.0f;
    control[0] = kerb_clamp(push / (push > 0.0f ? m->acceleration : m->braking), -1.0f, 1.0f);
    control[1] = state[4] / most;
}

static float rider_bound(const void* vehicle, const float* from, const float* to) {
    const kerb_motorcycle* m = vehicle;
    float distance = kerb_vec2_length(kerb_vec2_make(to[0] - from[0], to[1] - from[1]));
    return kerb_in_kind_rush(distance, kerb_abs(from[3]), m->speed_max, m->acceleration);
}

// The wheels turn no farther than their lock.
static float rider_room(const void* vehicle, const float* state) {
    const kerb_motorcycle* m = vehicle;
    float bend = rider_curvature(m, state[3], state[4], 0.0f) / rider_curvature_max(m);
    float lean = kerb_abs(state[4]) / (1.1f * m->lean_max);
    return 1.0f - kerb_max(kerb_abs(bend), lean);
}

// Lean, to the left positive, from the body's left axis. [rad]
static float rider_lean_of(kerb_quat rotation) {
    return -kerb_asin(kerb_clamp(kerb_quat_left(rotation).z, -1.0f, 1.0f));
}

static void rider_state_of(const void* vehicle, const kerb_motion* motion, const float* told,
                           float* state) {
    const kerb_motorcycle* m = vehicle;
    (void)told;
    float heading = kerb_quat_heading(motion->rotation);
    kerb_vec2 forward = kerb_pose_make(0.0f, 0.0f, heading).forward, left = kerb_vec2_left(forward);
    kerb_vec2 velocity = {motion->velocity.x, motion->velocity.y};
    kerb_vec2 spin = {motion->angular_velocity.x, motion->angular_velocity.y};
    float lean = rider_lean_of(motion->rotation), aside = m->mass_height * kerb_sin(lean);
    state[0] = motion->position.x - m->reference_to_rear_axle * forward.x - aside * left.x;
    state[1] = motion->position.y - m->reference_to_rear_axle * forward.y - aside * left.y;
    state[2] = heading;
    // In a bend the wheels are faster than the centre of mass, which is farther inside.
    state[3] = kerb_vec2_dot(velocity, forward) + motion->angular_velocity.z * aside;
    state[4] = lean;
    state[5] = -kerb_vec2_dot(spin, forward);
}

static kerb_controls rider_controls_of(const void* vehicle, const float* state,
                                       const float* control) {
    const kerb_motorcycle* m = vehicle;
    // To stop it stays upright.
    float lean = control ? control[1] : 0.0f, pedal = control ? control[0] : -1.0f;
    float acceleration = rider_lean_acceleration(m, state, lean);
    float bend = rider_curvature(m, state[3], state[4], acceleration);
    float angle = kerb_atan(bend * m->wheelbase);
    kerb_controls controls = {.throttle = kerb_max(pedal, 0.0f),
                              .brake =
                                  kerb_max(-pedal * (control ? rider_way(state[3]) : 1.0f), 0.0f),
                              .steering = kerb_clamp(angle / m->steering_angle_max, -1.0f, 1.0f),
                              .gear = 1,
                              .reason = control ? KERB_REASON_CRUISE : KERB_REASON_ARRIVED};
    return controls;
}

kerb_kind kerb_kind_of_motorcycle(const kerb_motorcycle* motorcycle) {
    KERB_ASSERT(motorcycle);
    const kerb_motorcycle* m = motorcycle;
    kerb_kind kind = {
        .name = "motorcycle",
        .vehicle = m,
        .states = 6,
        .controls = 2,
        .state_names = {"x_m", "y_m", "heading_rad", "speed_mps", "lean_rad", "lean_rate_radps"},
        .control_names = {"pedal", "lean"},
        .control_min = {-1.0f, -1.0f},
        .control_max = {1.0f, 1.0f},
        .delay = {m->throttle_delay, 0.0f},
        .error = {1.0f, 1.0f, 0.3f, 3.0f, 0.5f * m->lean_max, m->lean_max / m->lean_time},
        .tolerance = {0.02f, 0.02f, 0.01f, 0.05f, 0.02f, 0.05f},
        .control_share = 0.8f,
        .step_max = kerb_min(0.2f * m->lean_time, 0.8f * RIDER_SLOW / m->braking),
        .smoothing = 2.0f * m->lean_time,
        .closing_feedback = 0.1f,
        .rates = rider_rates,
        .boxes = rider_boxes,
        .route_limits = rider_route_limits,
        .route_end = rider_route_end,
        .on_route = rider_on_route,
        .bound = rider_bound,
        .room = rider_room,
        .state_of = rider_state_of,
        .controls_of = rider_controls_of,
    };
    return kind;
}
