// Escape from pursuing cars, among walls.
//
// Each attempt is an arc of the agent's turning circle to a direction, then a straight line, at its
// present speed or the one that it soon reaches; in reverse there are three arcs. At even times
// along it, the distances to walls and pursuers are measured. Pursuers are predicted at constant
// velocity. A contact ends the attempt. O(attempts · times · (pursuers + obstacles)).
#include "kerb/cars.h"

#include "cars.h"

#include "../base/shared.h"

#define DIRECTIONS 24 // directions tried: 15 degrees apart
#define TIMES 12      // times in the horizon at which an attempt is checked
// In reverse: to the left, straight, to the right.
#define BACKWARDS 3
// Speed of an attempt, at least, and in reverse. [m/s]
#define ESCAPE_SPEED_LEAST 7.0f
#define SPEED_BACK 4.0f
// Only below this speed it considers reversing. [m/s]
#define ESCAPE_SLOW 3.0f
// Pursuers beyond this distance count as no danger. [m]
#define AFRAID 25.0f
// Margin to walls. [m]
#define ESCAPE_MARGIN 0.5f

typedef struct escape_frame {
    const kerb_agent* agent;
    const kerb_neighbour* pursuers;
    int32_t count;
    const kerb_obstacle* obstacles;
    int32_t obstacle_count;
    float half_width, half_length;
    float horizon;
} escape_frame;

// One way that the agent might take.
typedef struct attempt {
    float turn;  // angle to turn, left positive [rad]
    float speed; // signed [m/s]
    float free;  // time until the first contact [s]
} attempt;

// Position and direction of the agent after a time on the attempt.
static kerb_pose escape_place_at(const escape_frame* f, const attempt* a, float time) {
    float radius = kerb_max(f->agent->turning_radius, 0.5f);
    float way = kerb_abs(a->speed) * time;
    float angle = kerb_min(kerb_abs(a->turn), way / radius);
    float side = a->turn < 0.0f ? -1.0f : 1.0f;
    float sine, cosine;
    kerb_sin_cos(angle, &sine, &cosine);
    // In reverse on the circle, the front turns the same way and the position is mirrored.
    kerb_vec2 moved = kerb_vec2_make(radius * sine, side * radius * (1.0f - cosine));
    kerb_vec2 facing = kerb_vec2_make(cosine, side * sine);
    moved = kerb_vec2_add(moved, kerb_vec2_scale(facing, way - angle * radius));
    if (a->speed < 0.0f) {
        moved.x = -moved.x;
        facing.y = -facing.y;
    }
    kerb_vec2 front = steer_level(f->agent->forward);
    kerb_pose pose = {kerb_vec2_add(steer_level(f->agent->position), steer_out_of(moved, front)),
                      steer_out_of(facing, front)};
    return pose;
}

static float escape_distance_to(const kerb_obstacle* obstacle, kerb_vec2 place) {
    kerb_vec2 from = steer_level(obstacle->from);
    kerb_vec2 way = kerb_vec2_sub(steer_level(obstacle->to), from);
    kerb_vec2 offset = kerb_vec2_sub(place, from);
    float square = kerb_vec2_dot(way, way);
    float share =
        square > 0.0f ? kerb_clamp(kerb_vec2_dot(offset, way) / square, 0.0f, 1.0f) : 0.0f;
    return kerb_vec2_length(kerb_vec2_sub(offset, kerb_vec2_scale(way, share))) - obstacle->radius;
}

// Distance to the nearest wall, from the front and the rear of the body.
static float wall_distance(const escape_frame* f, kerb_pose pose) {
    float least = 1.0e6f;
    float reach = kerb_max(f->half_length - f->half_width, 0.0f);
    kerb_vec2 front = kerb_vec2_add(pose.position, kerb_vec2_scale(pose.forward, reach));
    kerb_vec2 back = kerb_vec2_add(pose.position, kerb_vec2_scale(pose.forward, -reach));
    for (int32_t i = 0; i < f->obstacle_count; i++) {
        least = kerb_min(least, escape_distance_to(&f->obstacles[i], front));
        least = kerb_min(least, escape_distance_to(&f->obstacles[i], back));
    }
    return least - f->half_width - ESCAPE_MARGIN;
}

// Distance to the nearest pursuer, roughly from body to body.
static float pursuer_distance(const escape_frame* f, kerb_pose pose, float time) {
    float least = 1.0e6f;
    for (int32_t i = 0; i < f->count; i++) {
        const kerb_neighbour* pursuer = &f->pursuers[i];
        kerb_vec2 there = kerb_vec2_add(steer_level(pursuer->position),
                                        kerb_vec2_scale(steer_level(pursuer->velocity), time));
        // The pursuer's body is its middle line with a width.
        kerb_vec2 offset = steer_into(kerb_vec2_sub(pose.position, there), pursuer->forward);
        float half = 0.5f * kerb_max(pursuer->length - pursuer->width, 0.0f);
        offset.x -= kerb_clamp(offset.x, -half, half);
        float apart = kerb_vec2_length(offset) - 0.5f * pursuer->width - f->half_width;
        least = kerb_min(least, apart);
    }
    return least;
}

// The score of an attempt: the share of the horizon that is clear, minus the nearness of pursuers.
static float worth_of(const escape_frame* f, attempt* a) {
    float near = 0.0f;
    int32_t free = 0;
    for (int32_t i = 1; i <= TIMES; i++) {
        float time = f->horizon * (float)i / (float)TIMES;
        kerb_pose pose = escape_place_at(f, a, time);
        if (wall_distance(f, pose) < 0.0f)
            break;
        float apart = pursuer_distance(f, pose, time);
        if (apart < 0.3f)
            break;
        near += kerb_max(1.0f - apart / AFRAID, 0.0f);
        free = i;
    }
    a->free = f->horizon * (float)free / (float)TIMES;
    float fear = free > 0 ? near / (float)free : 1.0f;
    return (float)free / (float)TIMES - 0.8f * fear;
}

static void escape_consider(const escape_frame* f, attempt* a, float liking, attempt* best,
                            float* worth) {
    float value = worth_of(f, a) + liking;
    if (value > *worth) {
        *worth = value;
        *best = *a;
    }
}

// A speed that can still stop within the clear part, but not below 3 m/s.
static float speed_on(const escape_frame* f, const attempt* a) {
    if (a->speed < 0.0f)
        return a->speed;
    if (a->free >= 0.999f * f->horizon)
        return f->agent->speed_max;
    float safe = kerb_sqrt(2.0f * 0.7f * f->agent->braking * a->free * a->speed);
    return kerb_min(kerb_max(safe, 3.0f), f->agent->speed_max);
}

static attempt best_attempt(const escape_frame* f) {
    float along = f->agent->speed;
    float speed = kerb_max(along, kerb_min(ESCAPE_SPEED_LEAST, f->agent->speed_max));
    attempt best = {0.0f, speed, 0.0f};
    float worth = -1.0e6f;
    for (int32_t i = 0; i < DIRECTIONS; i++) {
        attempt a = {2.0f * KERB_PI * ((float)i / (float)DIRECTIONS - 0.5f), speed, 0.0f};
        escape_consider(f, &a, 0.15f * kerb_cos(a.turn), &best, &worth);
    }
    for (int32_t i = 0; i < BACKWARDS && kerb_abs(along) < ESCAPE_SLOW; i++) {
        attempt a = {1.2f * (float)(i - 1), -SPEED_BACK, 0.0f};
        // Once it reverses, it continues until it is really free.
        escape_consider(f, &a, along < -0.3f ? 0.0f : -0.25f, &best, &worth);
    }
    return best;
}

kerb_steering kerb_escape(const kerb_cars_settings* settings, const kerb_agent* agent,
                          kerb_vec2 size, const kerb_neighbour* pursuers, int32_t count,
                          const kerb_obstacle* obstacles, int32_t obstacle_count) {
    KERB_ASSERT(settings && agent && (pursuers || count <= 0) &&
                (obstacles || obstacle_count <= 0));
    for (int32_t i = 0; i < count; i++) {
        if (!kerb_in_steer_is_finite_car(&pursuers[i]))
            return kerb_steering_none();
    }
    if (!kerb_in_steer_is_usable(agent, 0.0f) || (count <= 0 && obstacle_count <= 0) ||
        !(kerb_abs(size.x) + kerb_abs(size.y) <= STEER_NUMBER_MOST))
        return kerb_steering_none();
    escape_frame f = {agent,          pursuers,      count,         obstacles,
                      obstacle_count, 0.5f * size.y, 0.5f * size.x, settings->horizon};
    attempt best = best_attempt(&f);
    kerb_pose end = escape_place_at(&f, &best, 1.0e3f);
    return steer_wish(steer_on_ground(end.forward), speed_on(&f, &best));
}
