// One car against another: chase, ram, keep a place beside it, brake for it.
//
// To keep a moving place, the desired velocity is that of the place plus a velocity towards it. The
// latter is small enough for the agent to brake it off in time: closing at v with the distance e
// left needs v² <= 2·a·e. All O(1).
#include "kerb/cars.h"

#include "cars.h"

#include "../base/shared.h"

// Time constant: near its place the distance decays as exp(-t/T). [s]
#define SETTLING 0.8f
// Within this distance it reverses to a place behind it instead of turning round. [m]
#define REVERSE_WITHIN 10.0f
// Turning radii within which a place is too near for a turn: before it reverses, and while it does
// (hysteresis). [1]
#define ROOM_BEFORE 0.9f
#define ROOM_AFTER 1.3f
// Within this distance of its place it does not turn any more. [m]
#define NEAR_PLACE 1.5f
// Greatest closing speed towards a car of its own side. [m/s]
#define TOUCHING 2.5f
// Lateral clearance on the way round another car. [m]
#define ROUND_IT 0.6f

// Closing speed at a distance from the place.
static float chase_closing_speed(const kerb_cars_settings* settings, float distance) {
    float most =
        kerb_min(settings->closing_speed_max, kerb_sqrt(2.0f * settings->deceleration * distance));
    return kerb_min(most, distance / SETTLING);
}

// --------------------------------------------------------------------------- keep a place

// Where to aim in the leader's frame, on the way from `here` to `place`: beside the leader while
// the leader is between the two.
static kerb_vec2 round_leader(const kerb_neighbour* leader, kerb_vec2 here, kerb_vec2 place,
                              float radius, float width) {
    float half_length = 0.5f * leader->length + radius;
    float half_width = 0.5f * (leader->width + width) + ROUND_IT;
    bool passes_along = (here.x < -0.5f * half_length && place.x > 0.5f * half_length) ||
                        (here.x > 0.5f * half_length && place.x < -0.5f * half_length);
    // Beside the leader, on the way to one of its ends: first past it, then in.
    float end = kerb_abs(place.x);
    bool is_beside = end > 0.5f * leader->length + 1.0f && kerb_abs(here.x) < end - 0.4f;
    bool crosses = here.y * place.y < 0.0f && kerb_abs(here.x) < half_length &&
                   kerb_abs(place.x) < half_length;
    float side = here.y >= 0.0f ? 1.0f : -1.0f;
    float past = is_beside ? (place.x < 0.0f ? -1.0f : 1.0f) : 0.0f;
    kerb_vec2 beside = kerb_vec2_make(place.x + past, side * kerb_max(half_width, side * place.y));
    if (passes_along || (is_beside && kerb_abs(here.y) < half_width + 0.5f * radius))
        return beside;
    if (crosses) // to the other side: behind the leader
        return kerb_vec2_make(-half_length - 1.0f, here.y * 0.5f);
    return place;
}

// A place that a turn would circle for ever. Once the car reverses, it continues until there is
// enough space.
static bool is_inside_circle(const kerb_agent* agent, kerb_vec2 error) {
    kerb_vec2 there = steer_into(error, steer_level(agent->forward));
    float room = agent->speed < -0.3f ? ROOM_AFTER : ROOM_BEFORE;
    float aside = kerb_abs(there.y), circle = room * agent->turning_radius;
    float off = kerb_vec2_length(kerb_vec2_make(there.x, aside - circle));
    return kerb_vec2_length(error) > NEAR_PLACE && off < circle;
}

// In reverse, with the nose turning to the place. At speed it brakes first.
static kerb_steering back_off(const kerb_agent* agent, kerb_vec2 error) {
    kerb_steering back = kerb_in_steer_velocity_wish(agent, error);
    back.speed = agent->speed > CARS_SLOW ? 0.0f : -CARS_SLOW;
    return back;
}

kerb_steering kerb_keep_place(const kerb_cars_settings* settings, const kerb_agent* agent,
                              const kerb_neighbour* leader, kerb_vec2 offset, float width) {
    KERB_ASSERT(settings && agent && leader);
    if (!kerb_in_steer_is_usable(agent, 0.0f) || !kerb_in_steer_is_finite_car(leader) ||
        !(kerb_abs(offset.x) + kerb_abs(offset.y) + kerb_abs(width) <= STEER_NUMBER_MOST))
        return kerb_steering_none();
    kerb_vec2 front = steer_level(agent->forward);
    kerb_vec2 apart = steer_level(kerb_vec3_sub(agent->position, leader->position));
    kerb_vec2 here = steer_into(apart, leader->forward);
    kerb_vec2 aim = round_leader(leader, here, offset, agent->radius, width);
    kerb_vec2 error = steer_out_of(kerb_vec2_sub(aim, here), leader->forward);
    float distance = kerb_vec2_length(error);
    float closing = chase_closing_speed(settings, distance);
    kerb_vec2 carried = kerb_vec2_make(-aim.y * leader->yaw_rate, aim.x * leader->yaw_rate);
    kerb_vec2 moving =
        kerb_vec2_add(steer_level(leader->velocity), steer_out_of(carried, leader->forward));
    kerb_vec2 nearer = kerb_vec2_scale(error, closing / kerb_max(distance, 1e-3f));
    kerb_vec2 velocity = kerb_vec2_add(moving, nearer);
    float along = kerb_vec2_dot(steer_level(leader->velocity), front);
    float ahead = kerb_vec2_dot(velocity, front);
    if (along > CARS_SLOW && ahead < 0.0f && kerb_vec2_dot(error, front) < 0.0f) {
        // It is past its place: it goes on with the leader, as slowly as necessary.
        return steer_wish(steer_on_ground(leader->forward), 0.0f);
    }
    if (ahead < 0.0f && distance < REVERSE_WITHIN && agent->speed < CARS_SLOW) {
        kerb_steering back = kerb_in_steer_velocity_wish(agent, kerb_vec2_scale(velocity, -1.0f));
        back.speed = -kerb_min(back.speed, 5.0f);
        return back;
    }
    kerb_steering wish = kerb_in_steer_velocity_wish(agent, velocity);
    wish.speed = kerb_min(wish.speed, agent->speed_max);
    if (kerb_abs(along) < CARS_SLOW && is_inside_circle(agent, error))
        return back_off(agent, error);
    return wish;
}

// --------------------------------------------------------------------------- chase

// The speed that comes up to the target's tail and then follows it.
static float chase_speed_behind(const kerb_cars_settings* settings, const kerb_agent* agent,
                                const kerb_neighbour* target, kerb_vec3 direction) {
    kerb_vec3 way = kerb_vec3_sub(target->position, agent->position);
    float between = kerb_vec2_length(steer_level(way)) - agent->radius - 0.5f * target->length;
    float along = kerb_max(kerb_vec3_dot(target->velocity, direction), 0.0f);
    float left = between - settings->gap;
    if (left < 0.0f)
        return kerb_max(along + left, 0.0f);
    return along + kerb_sqrt(2.0f * settings->deceleration * left);
}

kerb_steering kerb_chase(const kerb_cars_settings* settings, const kerb_agent* agent,
                         const kerb_neighbour* target, const kerb_path* road, bool ram,
                         float time_step, kerb_interception* interception) {
    KERB_ASSERT(settings && agent && target);
    if (!kerb_in_steer_is_usable(agent, 0.0f) || !kerb_in_steer_is_finite_car(target))
        return kerb_steering_none();
    kerb_interception met = kerb_intercept_car(agent, target, road, settings->horizon);
    if (interception)
        *interception = met;
    kerb_steering wish = kerb_seek(agent, met.position, time_step);
    if (kerb_vec3_dot(wish.direction, wish.direction) == 0.0f)
        wish = steer_wish(agent->forward, 0.0f);
    wish.speed = agent->speed_max;
    if (!ram)
        wish.speed =
            kerb_min(wish.speed, chase_speed_behind(settings, agent, target, wish.direction));
    return wish;
}

// --------------------------------------------------------------------------- keep a distance

// Half the extents of a body along a direction and across it. `turned`: its front in that frame.
static kerb_vec2 half_extent(kerb_vec2 turned, float length, float width) {
    float along = kerb_abs(turned.x), across = kerb_abs(turned.y);
    return kerb_vec2_make(0.5f * (along * length + across * width),
                          0.5f * (across * length + along * width));
}

// The speed along `way` that stops behind the other car. Very large when that is not in the way.
static float speed_before_car(const kerb_cars_settings* settings, const kerb_agent* agent,
                              kerb_vec2 size, kerb_vec2 way, float speed,
                              const kerb_neighbour* other) {
    kerb_vec2 apart = steer_into(steer_level(kerb_vec3_sub(other->position, agent->position)), way);
    kerb_vec2 moving = steer_into(steer_level(other->velocity), way);
    kerb_vec2 own = half_extent(steer_into(steer_level(agent->forward), way), size.x, size.y);
    kerb_vec2 its = half_extent(steer_into(other->forward, way), other->length, other->width);
    float between = apart.x - own.x - its.x;
    if (apart.x < 0.0f || between < -0.5f * (own.x + its.x))
        return 1.0e6f;
    // Lateral distance at the time when the gap is closed.
    float closing = kerb_max(speed - moving.x, 1.0f);
    float time = kerb_clamp(between / closing, 0.0f, 2.0f);
    float aside = kerb_min(kerb_abs(apart.y + moving.y * time), kerb_abs(apart.y));
    if (aside > own.y + its.y + 0.3f)
        return 1.0e6f;
    float along = kerb_max(moving.x, 0.0f) + TOUCHING;
    return kerb_sqrt(along * along + 3.0f * settings->deceleration * kerb_max(between, 0.0f));
}

kerb_steering kerb_brake_for_cars(const kerb_cars_settings* settings, const kerb_agent* agent,
                                  kerb_vec2 size, const kerb_steering* desired,
                                  const kerb_neighbour* others, int32_t count, int32_t self) {
    KERB_ASSERT(settings && agent && desired && (others || count <= 0));
    if (!kerb_in_steer_is_usable(agent, 0.0f) ||
        !(kerb_vec3_dot(desired->direction, desired->direction) <= STEER_FORWARD_MOST) ||
        !kerb_is_finite(desired->speed) ||
        !(kerb_abs(size.x) + kerb_abs(size.y) <= STEER_NUMBER_MOST))
        return kerb_steering_none();
    kerb_steering kept = *desired;
    float back = desired->speed < 0.0f ? -1.0f : 1.0f;
    kerb_vec2 front = kerb_vec2_scale(steer_level(agent->forward), back);
    // Its path leads from its heading towards the desired direction.
    kerb_vec2 half_way =
        kerb_vec2_add(front, kerb_vec2_scale(steer_level(desired->direction), back));
    kerb_vec2 way = front;
    if (kerb_vec2_dot(half_way, front) > 0.5f)
        way = kerb_vec2_scale(half_way, 1.0f / kerb_vec2_length(half_way));
    for (int32_t i = 0; i < count; i++) {
        if (i == self || !kerb_in_steer_is_finite_car(&others[i]))
            continue;
        float speed = kerb_max(back * agent->speed, 0.0f);
        float most = kerb_min(speed_before_car(settings, agent, size, front, speed, &others[i]),
                              speed_before_car(settings, agent, size, way, speed, &others[i]));
        if (kerb_abs(kept.speed) > most)
            kept.speed = back * most;
    }
    return kept;
}
