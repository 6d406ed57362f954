// Agents and desired steering: a vehicle as behaviours see it, and how an agent moves by a desired
// steering.
//
// An agent brakes or accelerates until it has the desired speed, then keeps it. It turns its front
// at a constant rate during the step, so its path is an arc. An agent on an arc of angle a moves
// along the chord, which is shorter than the arc by the factor sin(a/2)/(a/2) and turned by a/2.
// O(1).
#include "agent.h"
#include "behaviour.h"

#include "../base/shared.h"
#include "../vehicle/shared.h"

// The limit is grip or lock, whichever gives the larger circle.
static float tightest_circle(const kerb_vehicle* vehicle, float speed) {
    float by_lock = 1.0f / kerb_max(kerb_curvature_of(vehicle, 1.0f, kerb_abs(speed)), 1e-6f);
    return kerb_max(by_lock, speed * speed / vehicle->lateral_acceleration_max);
}

kerb_agent kerb_agent_of(const kerb_vehicle* vehicle, const kerb_motion* motion) {
    KERB_ASSERT(vehicle && motion);
    kerb_agent agent;
    kerb_motion_memory nowhere = {0};
    const kerb_motion clean =
        kerb_in_frame_take_vehicle(&nowhere, vehicle, motion, KERB_TIME_STEP_MIN).motion;
    motion = &clean;
    float speed = kerb_motion_forward_speed(motion);
    float to_middle = vehicle->reference_to_front - 0.5f * vehicle->length;
    kerb_vec3 forward = kerb_quat_forward(motion->rotation);
    forward.z = 0.0f;
    agent.forward = kerb_vec3_unit(forward, kerb_vec3_make(1.0f, 0.0f, 0.0f));
    agent.position = kerb_vec3_along(motion->position, agent.forward, to_middle);
    agent.position.z = 0.0f;
    agent.speed = speed;
    agent.radius = 0.5f * kerb_vec2_length(kerb_vec2_make(vehicle->length, vehicle->width));
    agent.turning_radius = tightest_circle(vehicle, speed);
    agent.speed_max = vehicle->speed_max;
    agent.acceleration = kerb_full_throttle_acceleration(vehicle, speed, speed < 0.0f);
    agent.braking = vehicle->braking_max;
    return agent;
}

// --------------------------------------------------------------------------- speed

// Changes the speed towards `wanted` at `rate`, for the time that this takes, but at most for the
// remaining time. Adds the distance and subtracts the time.
static void ramp(steer_travel* travel, float wanted, float rate, float* time) {
    float difference = wanted - travel->speed;
    float needed = kerb_abs(difference) / kerb_max(rate, 1e-30f);
    float taken = kerb_min(needed, *time);
    float after =
        needed <= *time ? wanted : travel->speed + (difference > 0.0f ? rate : -rate) * taken;
    travel->distance += 0.5f * (travel->speed + after) * taken;
    travel->speed = after;
    *time -= taken;
}

static bool agent_is_time(float time_step) {
    return time_step > 0.0f && steer_is_time(time_step);
}

steer_travel kerb_in_steer_travel_of(const kerb_agent* agent, float wanted, float time_step) {
    steer_travel travel = {agent->speed, 0.0f};
    if (!agent_is_time(time_step) || !kerb_is_finite(agent->speed) || !kerb_is_finite(wanted))
        return travel;
    float time = time_step;
    wanted = kerb_clamp(wanted, -agent->speed_max, agent->speed_max);
    // Braking comes first: down to the desired speed, or to standstill when the direction changes.
    float low = wanted * agent->speed > 0.0f ? wanted : 0.0f;
    if (kerb_abs(low) < kerb_abs(agent->speed))
        ramp(&travel, low, agent->braking, &time);
    if (kerb_abs(wanted) > kerb_abs(travel.speed) && wanted * travel.speed >= 0.0f)
        ramp(&travel, wanted, agent->acceleration, &time);
    travel.distance += travel.speed * time;
    return travel;
}

// --------------------------------------------------------------------------- turning

// A smaller lateral part of the desired direction comes from rounding. [rad]
#define AGENT_TURN_LEAST 1e-6f

// The left side of a level agent.
static kerb_vec3 agent_left_of(kerb_vec3 forward) {
    kerb_vec3 left = kerb_vec3_make(-forward.y, forward.x, 0.0f);
    return kerb_vec3_unit(left, kerb_vec3_make(0.0f, 1.0f, 0.0f));
}

// A unit vector at a right angle to the front: removes the part along the front that rounding
// leaves.
static kerb_vec3 agent_squared(kerb_vec3 side, kerb_vec3 forward) {
    kerb_vec3 unit = kerb_vec3_unit(side, side);
    float along = kerb_vec3_dot(unit, forward);
    return kerb_vec3_unit(kerb_vec3_along(unit, forward, -along), agent_left_of(forward));
}

// The angle by which it turns over a distance, and the side.
typedef struct agent_turning {
    kerb_vec3 side; // unit length
    float angle;    // [rad] [>= 0]
} agent_turning;

// A desired direction straight backwards counts as one to the left.
static agent_turning turning_towards(const kerb_agent* agent, kerb_vec3 wish, float distance) {
    kerb_vec3 direction = kerb_vec3_unit(wish, agent->forward);
    float along = kerb_vec3_dot(direction, agent->forward);
    kerb_vec3 across = kerb_vec3_along(direction, agent->forward, -along);
    float most = kerb_abs(distance) / kerb_max(agent->turning_radius, 1e-6f);
    float size = kerb_vec3_length(across);
    agent_turning t = {agent_left_of(agent->forward), along < 0.0f ? KERB_PI : 0.0f};
    if (size > AGENT_TURN_LEAST) {
        t.side = agent_squared(across, agent->forward);
        t.angle = kerb_atan2(size, along);
    }
    t.angle = kerb_min(t.angle, most);
    return t;
}

// sin(a)/a
static float chord_share(float a) {
    return kerb_abs(a) < 0.01f ? 1.0f - a * a * (1.0f / 6.0f) : kerb_sin(a) / a;
}

static kerb_vec3 agent_turned(kerb_vec3 forward, kerb_vec3 side, float angle) {
    return kerb_vec3_unit(steer_turned(forward, side, angle), forward);
}

kerb_agent kerb_agent_step(const kerb_agent* agent, const kerb_steering* desired, float time_step) {
    KERB_ASSERT(agent && desired);
    kerb_agent after = *agent;
    if (!kerb_in_steer_is_usable(agent, time_step))
        return after;
    bool wishes = kerb_in_steer_is_wish(desired);
    steer_travel travel =
        kerb_in_steer_travel_of(agent, wishes ? desired->speed : agent->speed, time_step);
    kerb_vec3 direction = wishes ? desired->direction : agent->forward;
    agent_turning t = turning_towards(agent, direction, travel.distance);
    kerb_vec3 chord = agent_turned(agent->forward, t.side, 0.5f * t.angle);
    after.position =
        kerb_vec3_along(agent->position, chord, travel.distance * chord_share(0.5f * t.angle));
    after.forward = agent_turned(agent->forward, t.side, t.angle);
    after.speed = travel.speed;
    return after;
}

kerb_vec3 kerb_steering_force(const kerb_agent* agent, const kerb_steering* desired, float mass,
                              float time_step) {
    KERB_ASSERT(agent && desired);
    if (!kerb_in_steer_is_wish(desired) || !agent_is_time(time_step) ||
        !kerb_in_steer_is_usable(agent, time_step) || !steer_is_number(mass))
        return kerb_vec3_make(0.0f, 0.0f, 0.0f);
    steer_travel travel = kerb_in_steer_travel_of(agent, desired->speed, time_step);
    agent_turning t = turning_towards(agent, desired->direction, agent->speed * time_step);
    float along = (travel.speed - agent->speed) / time_step;
    float across = agent->speed * t.angle / time_step;
    kerb_vec3 force = kerb_vec3_scale(agent->forward, mass * along);
    return kerb_vec3_along(force, t.side, mass * across);
}
