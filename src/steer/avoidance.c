// Obstacle avoidance: keeps the desired steering while its path is clear, else finds the nearest
// clear direction.
//
// A path to a direction is an arc of the turning circle, then a straight line. Its clear length is
// found by steps along it that are as long as the distance to the nearest obstacle (J. Hart,
// "Sphere tracing", 1996). So any obstacle with a distance function works, on the plane and in
// space. The candidate directions are fixed in the world: after a step towards one of them, the
// rest of its path is the path to the same candidate and is as clear as before. The speed never
// exceeds the one that stops within the clear length, so the agent can always stop on its path.
//
// A desired direction at a right angle or more, as from directed seek in a turn, is judged by its
// arc only, because it will have changed before the arc ends.
//
// Cost: O(count) for each path, times at most 64 steps; one path when the desired direction is
// clear, else 33 to 35. No allocation. Reynolds 1999 steers away from the centre of the nearest
// obstacle instead. That ignores the turning circle and the obstacles behind the nearest.
#include "behaviour.h"

#include "../base/shared.h"

// Greatest number of steps along a path, and candidate directions on the plane, 11 degrees apart.
enum { AVOIDANCE_STRIDES = 64, LEVEL_DIRECTIONS = 32 };

// Scores of a path: the agent can stop on it, it is clear, and it keeps the present direction.
// Agreement with the desired direction has the score 1. The first score outweighs all others
// together. Chosen by trial.
#define AVOIDANCE_SAFE 100.0f
#define FREE 8.0f
#define KEEPING 0.6f

#define AVOIDANCE_FIELD(field) #field, offsetof(kerb_avoid_obstacles_settings, field)
static const kerb_setting avoidance_rows[] = {
    {AVOIDANCE_FIELD(space), KERB_SETTING_CHOICE, "1", 0.0f, 1.0f, 0.0f, "level|space",
     "where it may turn: to the side, or up and down, too"},
    {AVOIDANCE_FIELD(margin), KERB_SETTING_FLOAT, "m", 0.0f, 1000.0f, 0.3f, NULL,
     "distance kept from obstacles"},
    {AVOIDANCE_FIELD(lookahead_time), KERB_SETTING_FLOAT, "s", 0.0f, 60.0f, 0.5f, NULL,
     "look-ahead beyond stopping distance and turning circle"},
};
const kerb_settings_table kerb_avoid_obstacles_settings_table = {
    "kerb_avoid_obstacles_settings", sizeof(kerb_avoid_obstacles_settings), avoidance_rows,
    (int32_t)(sizeof avoidance_rows / sizeof avoidance_rows[0])};

kerb_avoid_obstacles_settings kerb_avoid_obstacles_settings_default(void) {
    kerb_avoid_obstacles_settings settings;
    kerb_settings_set_defaults(&kerb_avoid_obstacles_settings_table, &settings);
    return settings;
}

// --------------------------------------------------------------------------- directions

kerb_vec3 kerb_in_steer_level_direction(int32_t i, int32_t count) {
    float sine, cosine;
    kerb_sin_cos(2.0f * KERB_PI * (float)i / (float)count, &sine, &cosine);
    return kerb_vec3_make(cosine, sine, 0.0f);
}

kerb_vec3 kerb_in_steer_space_direction(int32_t i) {
    if (i < 16)
        return kerb_in_steer_level_direction(i, 16);
    if (i >= 32)
        return kerb_vec3_make(0.0f, 0.0f, i == 32 ? 1.0f : -1.0f);
    kerb_vec3 level = kerb_in_steer_level_direction(i % 8, 8);
    const float half = 0.70710678f; // at 45 degrees
    return kerb_vec3_make(half * level.x, half * level.y, i < 24 ? half : -half);
}

// --------------------------------------------------------------------------- paths

// An arc to a direction, then a straight line.
typedef struct avoidance_way {
    kerb_vec3 from, forward, side, direction;
    float radius, arc; // the arc's length [m]
} avoidance_way;

static avoidance_way avoidance_way_to(const kerb_agent* agent, kerb_vec3 direction) {
    avoidance_way w = {agent->position, agent->forward, {0.0f, 0.0f, 0.0f}, direction, 0.0f, 0.0f};
    w.side = kerb_in_steer_side(agent->forward, direction);
    w.radius = kerb_max(agent->turning_radius, 1e-6f);
    float along = kerb_vec3_dot(direction, w.forward), across = kerb_vec3_dot(direction, w.side);
    w.arc = w.radius * kerb_atan2(kerb_max(across, 0.0f), along);
    return w;
}

static kerb_vec3 avoidance_place_on(const avoidance_way* w, float metres) {
    float sine, cosine, arc = kerb_min(metres, w->arc);
    kerb_sin_cos(arc / w->radius, &sine, &cosine);
    kerb_vec3 place = kerb_vec3_along(w->from, w->forward, w->radius * sine);
    place = kerb_vec3_along(place, w->side, w->radius * (1.0f - cosine));
    return kerb_vec3_along(place, w->direction, metres - arc);
}

static float clearance_at(kerb_vec3 place, const kerb_obstacle* obstacles, int32_t count) {
    float least = (float)INFINITY;
    for (int32_t i = 0; i < count; i++) {
        kerb_vec3 to = kerb_vec3_sub(steer_nearest_on(&obstacles[i], place), place);
        // Most obstacles are farther away than an earlier one, which shows without a square root.
        // Obstacles with NaN are never nearer.
        float square = kerb_vec3_dot(to, to), reach = least + obstacles[i].radius;
        if (reach > 0.0f && square < reach * reach)
            least = kerb_sqrt(square) - obstacles[i].radius;
    }
    return least;
}

float kerb_free_distance(const kerb_agent* agent, kerb_vec3 direction,
                         const kerb_obstacle* obstacles, int32_t count, float margin,
                         float horizon) {
    KERB_ASSERT(agent && (obstacles || count == 0));
    if (!kerb_in_steer_is_usable(agent, 0.0f) || !kerb_vec3_is_finite(direction) ||
        !(horizon > 0.0f))
        return 0.0f;
    avoidance_way w = avoidance_way_to(agent, kerb_vec3_unit(direction, agent->forward));
    float needed = agent->radius + margin;
    float room = clearance_at(w.from, obstacles, count) - needed;
    // The agent is already too near: paths on which it gets no nearer are clear.
    float least = kerb_min(room, 0.0f) - 1e-4f;
    float stride_least = horizon / (float)AVOIDANCE_STRIDES, metres = 0.0f;
    // The strides fill the horizon, unless it is so short that a share of it rounds to nothing.
    for (int32_t i = 0; i <= AVOIDANCE_STRIDES && metres < horizon; i++) {
        metres += kerb_max(room - least, stride_least);
        room = clearance_at(avoidance_place_on(&w, kerb_min(metres, horizon)), obstacles, count) -
               needed;
        if (room < least)
            return kerb_clamp(metres - stride_least, 0.0f, horizon);
    }
    return horizon;
}

// --------------------------------------------------------------------------- choosing

typedef struct avoidance {
    const kerb_avoid_obstacles_settings* settings;
    const kerb_agent* agent;
    const kerb_obstacle* obstacles;
    int32_t count;
    float stopping; // stopping distance [m]
    float horizon;  // length of the path that is checked [m]
} avoidance;

typedef struct option {
    kerb_vec3 direction;
    float free, score;
} option;

// Stopping distance, if braking begins at the end of the step.
static float avoidance_stopping_distance(const kerb_agent* agent, float time_step) {
    float speed = kerb_abs(agent->speed);
    return 0.5f * speed * speed / kerb_max(agent->braking, 1e-3f) + speed * time_step;
}

static avoidance avoidance_of(const kerb_avoid_obstacles_settings* settings,
                              const kerb_agent* agent, const kerb_obstacle* obstacles,
                              int32_t count, float time_step) {
    avoidance a = {settings, agent, obstacles, count, avoidance_stopping_distance(agent, time_step),
                   0.0f};
    // To stop, to turn round, and a reserve.
    a.horizon = a.stopping + 2.0f * agent->turning_radius + agent->radius + 1.0f +
                kerb_abs(agent->speed) * settings->lookahead_time;
    return a;
}

static float free_towards(const avoidance* a, kerb_vec3 direction, float horizon) {
    return kerb_free_distance(a->agent, direction, a->obstacles, a->count, a->settings->margin,
                              horizon);
}

// Order of the scores: first paths on which it can still stop, then clear ones, then those near the
// desired direction and near the present one. So of two sides of an obstacle straight ahead, it
// keeps the one that it has begun with.
static void try_direction(const avoidance* a, kerb_vec3 direction, kerb_vec3 wish, option* best) {
    float score =
        kerb_vec3_dot(direction, wish) + KEEPING * kerb_vec3_dot(direction, a->agent->forward);
    if (score + AVOIDANCE_SAFE + FREE <= best->score) // not even if it were completely clear
        return;
    float free = free_towards(a, direction, a->horizon);
    score += AVOIDANCE_SAFE * kerb_min(free / kerb_max(a->stopping, 1e-3f), 1.0f) +
             FREE * free / a->horizon;
    if (score > best->score) {
        option better = {direction, free, score};
        *best = better;
    }
}

static option best_option(const avoidance* a, kerb_vec3 wish) {
    option best = {a->agent->forward, 0.0f, -(float)INFINITY};
    bool space = a->settings->space != 0;
    int32_t count = space ? KERB_CONTEXT_SPACE : LEVEL_DIRECTIONS;
    try_direction(a, wish, wish, &best);
    for (int32_t i = 0; i < count; i++)
        try_direction(
            a, space ? kerb_in_steer_space_direction(i) : kerb_in_steer_level_direction(i, count),
            wish, &best);
    return best;
}

// The length of the desired path that must be clear.
static float concern(const avoidance* a, kerb_vec3 wish, float goal_distance) {
    float concerned = kerb_min(a->horizon, goal_distance);
    if (kerb_vec3_dot(wish, a->agent->forward) < 0.05f)
        concerned = kerb_min(concerned, 0.5f * KERB_PI * a->agent->turning_radius);
    return concerned;
}

kerb_steering kerb_avoid_obstacles(const kerb_avoid_obstacles_settings* settings,
                                   const kerb_agent* agent, const kerb_steering* desired,
                                   const kerb_obstacle* obstacles, int32_t count,
                                   float goal_distance, float time_step) {
    KERB_ASSERT(settings && agent && desired && (obstacles || count == 0));
    bool wishes = kerb_in_steer_is_wish(desired);
    if (!kerb_in_steer_is_usable(agent, time_step) || (wishes && desired->speed < 0.0f))
        return wishes ? *desired : kerb_steering_none();
    avoidance a = avoidance_of(settings, agent, obstacles, count, time_step);
    kerb_vec3 direction =
        wishes ? kerb_vec3_unit(desired->direction, agent->forward) : agent->forward;
    float speed = wishes ? desired->speed : kerb_max(agent->speed, 0.0f);
    float free = free_towards(&a, direction, a.horizon);
    if (free >= a.horizon)
        return *desired;
    if (free < concern(&a, direction, goal_distance)) {
        option best = best_option(&a, direction);
        direction = best.direction;
        free = best.free;
    }
    // Obstacles beyond the goal must not reduce the speed before it.
    if (free < goal_distance)
        speed = kerb_min(speed, kerb_in_steer_speed_before(agent, 0.0f, free, time_step));
    return steer_wish(direction, speed);
}
