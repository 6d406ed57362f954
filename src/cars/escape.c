// Fleeing from cars, with walls about.
//
// Each try is an arc of the agent's circle to a direction and straight on from there, at the speed
// that it has or soon gets; reversing, three arcs. Along it, at even times, it is seen how near
// walls and pursuers come, who are taken to go on as they go but to close in, too: they drive to
// where the agent is. What touches ends the try. O(tries · times · (pursuers + obstacles)).
#include "kerb/cars.h"

#include "cars.h"

#include "../base/shared.h"

#define DIRECTIONS 24
#define TIMES 12
// In reverse: to the left, straight, to the right.
#define BACKWARDS 3
// A try counts on at least this speed, and reversing on that. [m/s]
#define ESCAPE_SPEED_LEAST 7.0f
#define SPEED_BACK 4.0f
// Only slower than this it thinks of reversing. [m/s]
#define ESCAPE_SLOW 3.0f
// Pursuers farther off than this frighten nobody. [m]
#define AFRAID 25.0f
// Kept from walls. [m]
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

// A way that it might take.
typedef struct attempt {
    float turn;  // to be turned, left positive [rad]
    float speed; // signed
    float free;  // for so long nothing is in the way [s]
} attempt;

// Where the agent is after a time on its try, and how it faces.
static kerb_pose escape_place_at(const escape_frame* f, const attempt* a, float time) {
    float radius = kerb_max(f->agent->turning_radius, 0.5f);
    float way = kerb_abs(a->speed) * time;
    float angle = kerb_min(kerb_abs(a->turn), way / radius);
    float side = a->turn < 0.0f ? -1.0f : 1.0f;
    float sine, cosine;
    kerb_sin_cos(angle, &sine, &cosine);
    // Driving backwards on the circle, the front turns the same way and the place mirrors.
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

// The nearest wall, from the body's front, middle and back.
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

// The nearest pursuer: body to body, roughly. It closes in on where the agent is going.
static float pursuer_distance(const escape_frame* f, kerb_pose pose, float time) {
    float least = 1.0e6f;
    for (int32_t i = 0; i < f->count; i++) {
        const kerb_neighbour* pursuer = &f->pursuers[i];
        kerb_vec2 there = kerb_vec2_add(steer_level(pursuer->position),
                                        kerb_vec2_scale(steer_level(pursuer->velocity), time));
        // As a body along its length: the nearest point of its middle line.
        kerb_vec2 offset = steer_into(kerb_vec2_sub(pose.position, there), pursuer->forward);
        float half = 0.5f * kerb_max(pursuer->length - pursuer->width, 0.0f);
        offset.x -= kerb_clamp(offset.x, -half, half);
        float apart = kerb_vec2_length(offset) - 0.5f * pursuer->width - f->half_width;
        least = kerb_min(least, apart);
    }
    return least;
}

// How good a try is: the share of the horizon that it stays free, less how near pursuers come.
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

// As fast as it can still stop in what is free, but never standing still for that.
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
        // Once it reverses, it goes on until it is really free.
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
    if (!kerb_in_steer_is_usable(agent, 0.0f) || (count <= 0 && obstacle_count <= 0))
        return kerb_steering_none();
    escape_frame f = {agent,          pursuers,      count,         obstacles,
                      obstacle_count, 0.5f * size.y, 0.5f * size.x, settings->horizon};
    attempt best = best_attempt(&f);
    kerb_pose end = escape_place_at(&f, &best, 1.0e3f);
    kerb_steering wish = {steer_on_ground(end.forward), speed_on(&f, &best)};
    return wish;
}
