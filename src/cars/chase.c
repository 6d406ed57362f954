// One car against another: chase, ram, keep a place beside it, get in its way.
//
// A place that moves: the velocity wished is that of the place, and what brings the agent there so
// that it can still brake off the difference: closing at v with the distance e left needs
// v² <= 2·a·e. All O(1).
#include "kerb/cars.h"

#include "cars.h"

#include "../base/shared.h"

// Near its place it comes closer as exp(-t/T). [s]
#define SETTLING 0.8f
// Slower than this a leader counts as standing. [m/s]
#define CHASE_SLOW 2.0f
// Up to here it reverses to a place behind it rather than turning round. [m]
#define REVERSE_WITHIN 10.0f
// A place is in the way of a turn inside so many turning circles: before it reverses, and while.
#define ROOM_BEFORE 0.9f
#define ROOM_AFTER 1.3f
// This near its place it turns no more. [m]
#define NEAR_PLACE 1.5f
// To brake and to turn across before the target comes. [s]
#define TIME_ACROSS 1.5f
// Of the angle between two that drive the same way or against one another, at least.
#define CHASE_ALONG_COSINE 0.7f
// Nobody closes in faster on one of its own side. [m/s]
#define TOUCHING 2.5f
// Round another car it keeps so far aside. [m]
#define ROUND_IT 0.6f

// Speed at which to come nearer, that much away from the place.
static float chase_closing_speed(const kerb_cars_settings* settings, float distance) {
    float most =
        kerb_min(settings->closing_speed_max, kerb_sqrt(2.0f * settings->deceleration * distance));
    return kerb_min(most, distance / SETTLING);
}

// --------------------------------------------------------------------------- keep a place

// Where to head in the leader's frame, on the way from one place to another: beside the leader as
// long as it stands between.
static kerb_vec2 round_leader(const kerb_neighbour* leader, kerb_vec2 here, kerb_vec2 place,
                              float radius, float width) {
    float half_length = 0.5f * leader->length + radius;
    float half_width = 0.5f * (leader->width + width) + ROUND_IT;
    bool passes_along = (here.x < -0.5f * half_length && place.x > 0.5f * half_length) ||
                        (here.x > 0.5f * half_length && place.x < -0.5f * half_length);
    // At the flank, on the way to an end: past it first, then in.
    float end = kerb_abs(place.x);
    bool is_beside = end > 0.5f * leader->length + 1.0f && kerb_abs(here.x) < end - 0.4f;
    bool crosses = here.y * place.y < 0.0f && kerb_abs(here.x) < half_length &&
                   kerb_abs(place.x) < half_length;
    float side = here.y >= 0.0f ? 1.0f : -1.0f;
    float past = is_beside ? (place.x < 0.0f ? -1.0f : 1.0f) : 0.0f;
    kerb_vec2 beside = kerb_vec2_make(place.x + past, side * kerb_max(half_width, side * place.y));
    if (passes_along || (is_beside && kerb_abs(here.y) < half_width + 0.5f * radius))
        return beside;
    if (crosses) // to the other side: behind it
        return kerb_vec2_make(-half_length - 1.0f, here.y * 0.5f);
    return place;
}

// A place that a turn would go round for ever. Once it reverses, it goes on until there is room.
static bool is_inside_circle(const kerb_agent* agent, kerb_vec2 error) {
    kerb_vec2 there = steer_into(error, steer_level(agent->forward));
    float room = agent->speed < -0.3f ? ROOM_AFTER : ROOM_BEFORE;
    float aside = kerb_abs(there.y), circle = room * agent->turning_radius;
    float off = kerb_vec2_length(kerb_vec2_make(there.x, aside - circle));
    return kerb_vec2_length(error) > NEAR_PLACE && off < circle;
}

// In reverse, the nose turning to the place; from speed it brakes first.
static kerb_steering back_off(const kerb_agent* agent, kerb_vec2 error) {
    kerb_steering back = kerb_in_steer_velocity_wish(agent, error);
    back.speed = agent->speed > CHASE_SLOW ? 0.0f : -CHASE_SLOW;
    return back;
}

kerb_steering kerb_keep_place(const kerb_cars_settings* settings, const kerb_agent* agent,
                              const kerb_neighbour* leader, kerb_vec2 offset, float width) {
    KERB_ASSERT(settings && agent && leader);
    if (!kerb_in_steer_is_usable(agent, 0.0f) || !kerb_in_steer_is_finite_car(leader))
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
    if (along > CHASE_SLOW && ahead < 0.0f && kerb_vec2_dot(error, front) < 0.0f) {
        // It is past its place: on along with the leader, as slowly as needed.
        kerb_steering wait = {steer_on_ground(leader->forward), 0.0f};
        return wait;
    }
    if (ahead < 0.0f && distance < REVERSE_WITHIN && agent->speed < CHASE_SLOW) {
        kerb_steering back = kerb_in_steer_velocity_wish(agent, kerb_vec2_scale(velocity, -1.0f));
        back.speed = -kerb_min(back.speed, 5.0f);
        return back;
    }
    kerb_steering wish = kerb_in_steer_velocity_wish(agent, velocity);
    wish.speed = kerb_min(wish.speed, agent->speed_max);
    if (kerb_abs(along) < CHASE_SLOW && is_inside_circle(agent, error))
        return back_off(agent, error);
    return wish;
}

// --------------------------------------------------------------------------- chase

// Up to the target's tail and along with it.
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
        wish.direction = agent->forward;
    wish.speed = agent->speed_max;
    if (!ram)
        wish.speed =
            kerb_min(wish.speed, chase_speed_behind(settings, agent, target, wish.direction));
    return wish;
}

// --------------------------------------------------------------------------- block

// Where to stand across: with a road where it is soonest, of the places that it reaches well before
// the target. (The first that it could reach goes on before the target while it drives beside the
// road, for ever.) Without one the first: straight ahead of a target, that is nearest to it, and
// where it is soonest may be too near before its wheels.
static bool place_across(const kerb_cars_settings* settings, const kerb_agent* agent,
                         const kerb_neighbour* target, const kerb_path* road, kerb_vec3* place) {
    if (kerb_vec2_length(steer_level(target->velocity)) < CHASE_SLOW)
        return false;
    if (road)
        return kerb_in_steer_place_before(agent, target, road, settings->horizon, TIME_ACROSS,
                                          place);
    kerb_interception met = kerb_intercept_car(agent, target, NULL, settings->horizon);
    if (met.time >= 0.95f * settings->horizon)
        return false;
    *place = kerb_predict_car(target, NULL, met.time + TIME_ACROSS);
    return true;
}

static kerb_steering stand_across(const kerb_cars_settings* settings, const kerb_agent* agent,
                                  const kerb_neighbour* target, kerb_vec3 place) {
    kerb_vec2 way = steer_level(kerb_vec3_sub(place, agent->position));
    float distance = kerb_vec2_length(way);
    float speed = kerb_sqrt(2.0f * settings->deceleration * kerb_max(distance - 1.0f, 0.0f));
    kerb_vec2 left = kerb_vec2_make(-target->forward.y, target->forward.x);
    float side = kerb_vec2_dot(left, steer_level(agent->forward)) >= 0.0f ? 1.0f : -1.0f;
    kerb_vec2 across = kerb_vec2_scale(left, side);
    float near = kerb_clamp(1.0f - (distance - 2.0f) / 8.0f, 0.0f, 1.0f);
    kerb_vec2 aim = kerb_vec2_add(kerb_vec2_scale(way, (1.0f - near) / kerb_max(distance, 1e-3f)),
                                  kerb_vec2_scale(across, near));
    kerb_steering wish = {kerb_vec3_unit(steer_on_ground(aim), agent->forward),
                          kerb_min(speed, agent->speed_max)};
    return wish;
}

// The agent as the target sees it on its way.
typedef struct ahead_of_target {
    kerb_vec2 here;  // ahead and to its left
    kerb_vec2 along; // where the way leads there
} ahead_of_target;

// On a road, round its bends: in its own frame who stands on the road ahead would be beside it.
static ahead_of_target seen_by(const kerb_neighbour* target, const kerb_path* road,
                               const kerb_agent* agent) {
    kerb_vec2 apart = steer_level(kerb_vec3_sub(agent->position, target->position));
    ahead_of_target seen = {steer_into(apart, target->forward), target->forward};
    steer_road_place place = kerb_in_steer_place_on(road, target);
    if (!place.is_on)
        return seen;
    float sense = place.speed < 0.0f ? -1.0f : 1.0f;
    kerb_path_location there = kerb_path_nearest(road, agent->position);
    kerb_path_sample sample = kerb_path_sample_at(road, there);
    seen.here.x = sense * kerb_path_distance_between(road, place.here, there);
    seen.here.y = sense * (kerb_path_cross_track(road, there, agent->position) - place.aside);
    seen.along = kerb_vec2_scale(steer_level(sample.direction), sense);
    return seen;
}

// Once in its way, it must not yield any more: a place to stand at, thought out anew, would go on
// before the target for ever. Who has come across it stays; who drives before it brakes it down.
static bool stays_across(const kerb_agent* agent, const ahead_of_target* seen) {
    float along = kerb_vec2_dot(steer_level(agent->forward), seen->along);
    return kerb_abs(along) < CHASE_ALONG_COSINE;
}

kerb_steering kerb_block(const kerb_cars_settings* settings, const kerb_agent* agent,
                         const kerb_neighbour* target, const kerb_path* road, bool across,
                         kerb_vec2 size, float time_step) {
    KERB_ASSERT(settings && agent && target);
    if (!kerb_in_steer_is_usable(agent, 0.0f) || !kerb_in_steer_is_finite_car(target))
        return kerb_steering_none();
    kerb_vec3 place;
    ahead_of_target seen = seen_by(target, road, agent);
    kerb_vec2 here = seen.here;
    bool is_in_way = kerb_abs(here.y) < 0.5f * (target->width + size.y);
    // The straight way to a place before the target leads no one through it who is ahead of it.
    across = across && here.x > 0.5f * (target->length + size.x);
    if (across && is_in_way && stays_across(agent, &seen))
        return kerb_in_steer_velocity_wish(agent, kerb_vec2_make(0.0f, 0.0f));
    if (across && !is_in_way && place_across(settings, agent, target, road, &place))
        return stand_across(settings, agent, target, place);
    kerb_box box = {.count = 1, .side = {KERB_SIDE_FRONT}};
    kerb_neighbour self = {.position = agent->position,
                           .forward = steer_level(agent->forward),
                           .length = size.x,
                           .width = size.y};
    return kerb_box_in(&box, settings, 0, agent, &self, target, NULL, 0, time_step, NULL);
}

// --------------------------------------------------------------------------- keep a distance

// Half of what a body covers along a direction and across it. `turned`: its front in that frame.
static kerb_vec2 half_extent(kerb_vec2 turned, float length, float width) {
    float along = kerb_abs(turned.x), across = kerb_abs(turned.y);
    return kerb_vec2_make(0.5f * (along * length + across * width),
                          0.5f * (across * length + along * width));
}

// The speed along `way` that stops behind the other; greater than any where it is not in the way.
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
    // Where it will be aside once the gap is closed.
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
    if (!kerb_in_steer_is_usable(agent, 0.0f) || !kerb_vec3_is_finite(desired->direction) ||
        !kerb_is_finite(desired->speed))
        return kerb_steering_none();
    kerb_steering kept = *desired;
    float back = desired->speed < 0.0f ? -1.0f : 1.0f;
    kerb_vec2 front = kerb_vec2_scale(steer_level(agent->forward), back);
    // It is on its way from where it faces to where it wishes to.
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
