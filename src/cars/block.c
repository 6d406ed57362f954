// Purpose: a car that blocks another one: it stands across the road, or drives in front of it.
// Idea:    The agent stops across the road at a point ahead of the target that it reaches well
//          before the target does. Once it is in the target's way, or where there is no such point,
//          it acts as a box of one car at the target's front.
// Cost:    O(1) without a road. With a road, some searches for the nearest point of the road.
#include "kerb/cars.h"

#include "cars.h"

#include "../base/shared.h"

// To brake and to turn across before the target comes. [s]
#define TIME_ACROSS 1.5f
// Of the angle between two that drive the same way or against one another, at least.
#define BLOCK_ALONG_COSINE 0.7f

// Finds a point at which to stand across the target's road. On a road it is the point that the
// agent reaches soonest among those that it reaches well before the target. The first point that
// the agent could reach would move on for ever while the agent drives beside the road. Without a
// road it is the first point straight ahead of the target: the one reached soonest may be too close
// to the target's wheels.
static bool place_across(const kerb_cars_settings* settings, const kerb_agent* agent,
                         const kerb_neighbour* target, const kerb_path* road, kerb_vec3* place) {
    if (kerb_vec2_length(steer_level(target->velocity)) < CARS_SLOW)
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
    kerb_vec2 left = kerb_vec2_left(target->forward);
    float side = kerb_vec2_dot(left, steer_level(agent->forward)) >= 0.0f ? 1.0f : -1.0f;
    kerb_vec2 across = kerb_vec2_scale(left, side);
    float near = kerb_clamp(1.0f - (distance - 2.0f) / 8.0f, 0.0f, 1.0f);
    kerb_vec2 aim = kerb_vec2_add(kerb_vec2_scale(way, (1.0f - near) / kerb_max(distance, 1e-3f)),
                                  kerb_vec2_scale(across, near));
    return steer_wish(kerb_vec3_unit(steer_on_ground(aim), agent->forward),
                      kerb_min(speed, agent->speed_max));
}

// The agent as seen from the target along its route.
typedef struct ahead_of_target {
    kerb_vec2 here;  // distance ahead, lateral offset to the left [m]
    kerb_vec2 along; // direction of the route there
} ahead_of_target;

// On a road both are measured along it. In the target's own frame, an agent on the road round the
// next bend would be beside it.
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

// An agent in the target's way must not yield any more: a point to stand at, computed anew in each
// step, would move on ahead of the target for ever. An agent that is across the road stays; one
// that drives in front of the target slows it down.
static bool stays_across(const kerb_agent* agent, const ahead_of_target* seen) {
    float along = kerb_vec2_dot(steer_level(agent->forward), seen->along);
    return kerb_abs(along) < BLOCK_ALONG_COSINE;
}

kerb_steering kerb_block(const kerb_cars_settings* settings, const kerb_agent* agent,
                         const kerb_neighbour* target, const kerb_path* road, bool across,
                         kerb_vec2 size, float time_step) {
    KERB_ASSERT(settings && agent && target);
    if (!kerb_in_steer_is_usable(agent, 0.0f) || !kerb_in_steer_is_finite_car(target) ||
        !(kerb_abs(size.x) + kerb_abs(size.y) <= STEER_NUMBER_MOST))
        return kerb_steering_none();
    kerb_vec3 place;
    ahead_of_target seen = seen_by(target, road, agent);
    kerb_vec2 here = seen.here;
    bool is_in_way = kerb_abs(here.y) < 0.5f * (target->width + size.y);
    // From ahead of the target, the straight line to a point in front of it does not cross it.
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
