// Goals for the uses that the paper names in 2.1: a pose for an attack, a pose behind a pursued
// agent, a place in a formation.
//
// Attack: the possible poses have three numbers on the plane (five in space, see attack_space.c).
// The best pose has the shortest Dubins path. The search tries a grid round the target, then ever
// smaller steps from the best pose on. Poses whose straight distance already exceeds the best
// length are skipped.
//
// Pursuit: the goal lies on the arc that the target drives on, at the first time at which the agent
// can be there. That time is found by stepping through the horizon, then by bisection. The length
// of paths jumps by a full circle, so a goal may be reached too early. Then the agent drives at the
// lower speed that arrives in time.
//
// Formation: each agent drives its own path, at a speed with which all arrive together: one with a
// shorter path, inside a bend, is slower.
#include "attack.h"

#include "../steer/shared.h"

#include "../base/shared.h"

#define BEARINGS 16          // directions round the target: 22.5 degrees apart
#define GOALS_MARGIN 0.15f   // share of arc and range left for errors of arriving [1]
#define GOALS_REFINEMENTS 24 // rounds of refinement: every round without success halves the steps
#define TURNS 48             // steps of a full turn on the agent's own circles
#define GOALS_MOMENTS 24     // times tried in the horizon
#define GOALS_HALVINGS 8     // bisections of a time or a turn: the error is 1/256 of the interval

// --------------------------------------------------------------------------- attack

static bool is_attack(const kerb_agent* agent, const kerb_attack_arc* arc, kerb_vec3 target) {
    return steer_is_there(agent) && steer_is_place(target) &&
           kerb_abs(agent->turning_radius) <= STEER_LIMIT_MOST && arc->range_min >= 0.0f &&
           arc->range_max >= arc->range_min && steer_is_number(arc->range_max) &&
           kerb_is_finite(arc->bearing) && arc->half_width >= 0.0f;
}

bool kerb_attack_reaches(const kerb_agent* agent, const kerb_attack_arc* arc, kerb_vec3 target) {
    KERB_ASSERT(agent && arc);
    if (!is_attack(agent, arc, target))
        return false;
    kerb_vec3 to = kerb_vec3_sub(target, agent->position);
    float distance = kerb_vec3_length(to);
    return distance >= arc->range_min && distance <= arc->range_max &&
           kerb_in_steer_attack_off(agent->forward, arc->bearing, to) <= arc->half_width;
}

// A pose, described by the target as seen from it.
typedef struct attack_pose {
    float bearing;  // direction of the pose as seen from the target [rad]
    float distance; // [m]
    float angle;    // angle from the front to the target [rad]
} attack_pose;

// The question of a search, and the best pose up to now.
typedef struct goals_attack_search {
    kerb_pose from;
    kerb_vec2 target;
    float radius;
    attack_pose least, most; // bounds of distance and angle
    attack_pose best;
    float length; // length of the best path; negative: none yet [m]
} goals_attack_search;

static kerb_pose goals_pose_of(const goals_attack_search* search, const attack_pose* attack) {
    float sine, cosine;
    kerb_pose pose;
    kerb_vec2 out;
    kerb_sin_cos(attack->bearing, &out.y, &out.x);
    kerb_sin_cos(attack->angle, &sine, &cosine);
    pose.position = kerb_vec2_add(search->target, kerb_vec2_scale(out, attack->distance));
    pose.forward = kerb_vec2_make(-out.x * cosine - out.y * sine, out.x * sine - out.y * cosine);
    return pose;
}

static bool try_pose(goals_attack_search* search, float bearing, float distance, float angle) {
    attack_pose attack = {bearing,
                          kerb_clamp(distance, search->least.distance, search->most.distance),
                          kerb_clamp(angle, search->least.angle, search->most.angle)};
    kerb_pose pose = goals_pose_of(search, &attack);
    float direct = kerb_vec2_length(kerb_vec2_sub(pose.position, search->from.position));
    if (search->length >= 0.0f && direct >= search->length)
        return false;
    float length = kerb_dubins_length(search->from, pose, search->radius);
    if (search->length >= 0.0f && !(length < search->length))
        return false;
    search->best = attack;
    search->length = length;
    return true;
}

static void try_bearing(goals_attack_search* search, float bearing, float distance) {
    const float distances[] = {distance, search->least.distance, search->most.distance};
    float middle = 0.5f * (search->least.angle + search->most.angle);
    for (int32_t i = 0; i < 3; i++) {
        try_pose(search, bearing, distances[i], middle);
        try_pose(search, bearing, distances[i], search->least.angle);
        try_pose(search, bearing, distances[i], search->most.angle);
    }
}

// Changes one number at a time, in both directions, by ever smaller steps. The result must not
// depend on the agent's position, else the agent would waver. The best pose of all does not move
// while the agent drives there.
static void goals_refine(goals_attack_search* search) {
    float turn = KERB_PI / (float)BEARINGS;
    float angle = 0.25f * (search->most.angle - search->least.angle);
    float metres = 0.25f * (search->most.distance - search->least.distance);
    for (int32_t i = 0; i < GOALS_REFINEMENTS; i++) {
        attack_pose at = search->best;
        bool better = try_pose(search, at.bearing + turn, at.distance, at.angle) ||
                      try_pose(search, at.bearing - turn, at.distance, at.angle);
        at = search->best;
        better |= try_pose(search, at.bearing, at.distance, at.angle + angle) ||
                  try_pose(search, at.bearing, at.distance, at.angle - angle);
        at = search->best;
        better |= try_pose(search, at.bearing, at.distance + metres, at.angle) ||
                  try_pose(search, at.bearing, at.distance - metres, at.angle);
        float factor = better ? 1.0f : 0.5f;
        turn *= factor, angle *= factor, metres *= factor;
    }
}

static goals_attack_search search_for(const kerb_agent* agent, const kerb_attack_arc* arc,
                                      kerb_vec3 target) {
    goals_attack_search search = {.radius = kerb_max(agent->turning_radius, 1e-3f),
                                  .length = -1.0f};
    float width = arc->range_max - arc->range_min;
    float edge = (1.0f - GOALS_MARGIN) * kerb_min(arc->half_width, KERB_PI);
    search.from.position = kerb_vec2_make(agent->position.x, agent->position.y);
    search.from.forward = kerb_vec2_make(agent->forward.x, agent->forward.y);
    search.target = kerb_vec2_make(target.x, target.y);
    search.least.distance = arc->range_min + GOALS_MARGIN * width;
    search.most.distance = arc->range_max - GOALS_MARGIN * width;
    search.least.angle = arc->bearing - edge;
    search.most.angle = arc->bearing + edge;
    return search;
}

// True with half of the margin.
static bool reaches_well(const goals_attack_search* search, const kerb_agent* from, float middle) {
    float x = search->target.x - from->position.x, y = search->target.y - from->position.y;
    float distance = kerb_vec2_length(kerb_vec2_make(x, y));
    float ahead = x * from->forward.x + y * from->forward.y;
    float aside = y * from->forward.x - x * from->forward.y;
    float off = kerb_wrap_angle(kerb_atan2(aside, ahead) - middle);
    float spare = 0.5f * GOALS_MARGIN / (1.0f - 2.0f * GOALS_MARGIN);
    float more = spare * (search->most.distance - search->least.distance);
    float edge = (search->most.angle - middle) * (1.0f + 0.5f * GOALS_MARGIN);
    return distance >= search->least.distance - more && distance <= search->most.distance + more &&
           kerb_abs(off) <= edge;
}

// Angle of a plain turn after which the target is in the arc; 0: never. Many paths end with such a
// turn, at a corner of the allowed poses, which a step just misses. Hence half of the margin.
static float turn_enough(const goals_attack_search* search, const kerb_agent* agent, float side,
                         float middle) {
    kerb_vec3 turning = {0.0f, 0.0f, side};
    kerb_agent on = *agent;
    on.speed = search->radius;
    float step = 2.0f * KERB_PI / (float)TURNS;
    for (int32_t i = 1; i < TURNS; i++) {
        float late = step * (float)i, early = late - step;
        kerb_agent there = kerb_agent_predict(&on, turning, late);
        if (!reaches_well(search, &there, middle))
            continue;
        for (int32_t k = 0; k < GOALS_HALVINGS; k++) {
            float half = 0.5f * (early + late);
            there = kerb_agent_predict(&on, turning, half);
            bool enough = reaches_well(search, &there, middle);
            early = enough ? early : half;
            late = enough ? half : late;
        }
        return late;
    }
    return 0.0f;
}

// The pose after the shorter plain turn, if that is shorter than the best path; else the best pose.
static kerb_pose turn_or_best(const goals_attack_search* search, const kerb_agent* agent,
                              float middle) {
    kerb_pose best = goals_pose_of(search, &search->best);
    float length = search->length;
    for (int32_t i = 0; i < 2; i++) {
        float side = i == 0 ? 1.0f : -1.0f;
        float turn = turn_enough(search, agent, side, middle);
        if (turn == 0.0f || turn * search->radius > length)
            continue;
        length = turn * search->radius;
        kerb_agent on = *agent;
        on.speed = search->radius;
        on = kerb_agent_predict(&on, kerb_vec3_make(0.0f, 0.0f, side), turn);
        best.position = kerb_vec2_make(on.position.x, on.position.y);
        best.forward = kerb_vec2_make(on.forward.x, on.forward.y);
    }
    return best;
}

kerb_directed_goal kerb_attack_goal(const kerb_agent* agent, const kerb_attack_arc* arc,
                                    kerb_vec3 target, float speed) {
    KERB_ASSERT(agent && arc);
    kerb_directed_goal goal = {agent->position, agent->forward, speed, agent->turning_radius};
    if (!is_attack(agent, arc, target) || kerb_attack_reaches(agent, arc, target))
        return goal;
    if (agent->forward.z != 0.0f || agent->position.z != target.z)
        return kerb_in_steer_attack_in_space(agent, arc, target, speed, GOALS_MARGIN);
    goals_attack_search search = search_for(agent, arc, target);
    kerb_vec2 from_target = kerb_vec2_sub(search.from.position, search.target);
    float distance = kerb_vec2_length(from_target);
    try_bearing(&search, kerb_atan2(from_target.y, from_target.x), distance);
    for (int32_t i = 0; i < BEARINGS; i++)
        try_bearing(&search, (float)i * (2.0f * KERB_PI / (float)BEARINGS), distance);
    goals_refine(&search);
    kerb_pose best = turn_or_best(&search, agent, arc->bearing);
    goal.position = kerb_vec3_make(best.position.x, best.position.y, agent->position.z);
    goal.forward = kerb_vec3_make(best.forward.x, best.forward.y, 0.0f);
    return goal;
}

// --------------------------------------------------------------------------- pursuit

kerb_agent kerb_agent_predict(const kerb_agent* agent, kerb_vec3 angular_velocity, float time) {
    KERB_ASSERT(agent);
    kerb_agent after = *agent;
    if (!steer_is_there(agent) || !steer_is_place(angular_velocity) ||
        !(kerb_abs(time) <= STEER_TIME_MOST))
        return after;
    float rate = kerb_vec3_length(angular_velocity), half = 0.5f * rate * time, sine, cosine;
    kerb_vec3 axis = kerb_vec3_unit(angular_velocity, kerb_vec3_make(0.0f, 0.0f, 1.0f));
    kerb_vec3 kept = kerb_vec3_scale(axis, kerb_vec3_dot(agent->forward, axis));
    kerb_vec3 turned = kerb_vec3_sub(agent->forward, kept);
    kerb_vec3 side = kerb_vec3_cross(axis, turned);
    kerb_sin_cos(half, &sine, &cosine);
    float chord = kerb_abs(half) < 0.01f ? 1.0f - half * half / 6.0f : sine / half;
    kerb_vec3 mean = kerb_vec3_along(kerb_vec3_scale(turned, cosine), side, sine);
    mean = kerb_vec3_along(kept, mean, chord);
    after.position = kerb_vec3_along(agent->position, mean, agent->speed * time);
    kerb_sin_cos(2.0f * half, &sine, &cosine);
    kerb_vec3 forward = kerb_vec3_along(kerb_vec3_scale(turned, cosine), side, sine);
    after.forward = kerb_vec3_unit(kerb_vec3_add(kept, forward), agent->forward);
    return after;
}

typedef struct chase {
    const kerb_directed_seek_settings* settings;
    const kerb_agent* agent;
    const kerb_agent* target;
    kerb_vec3 turning;
    float gap;
    float time_step;
} chase;

// The goal: a pose behind the target on its arc, after a time.
static kerb_directed_goal goal_after(const chase* c, float time) {
    float speed = kerb_max(c->target->speed, 0.0f);
    float back = c->gap / kerb_max(speed, 0.1f * kerb_abs(c->agent->speed_max));
    kerb_agent there = kerb_agent_predict(c->target, c->turning, time - back);
    if (speed * back < c->gap) // a slow target: straight behind it
        there.position = kerb_vec3_along(there.position, there.forward, speed * back - c->gap);
    kerb_directed_goal goal = {there.position, there.forward, kerb_min(speed, c->agent->speed_max),
                               c->agent->turning_radius};
    return goal;
}

// Time that a ramp between the speed and the cruising speed costs. [s]
static float lost_by(float most, float speed, float rate) {
    float difference = kerb_max(most - kerb_max(speed, 0.0f), 0.0f);
    return 0.5f * difference * difference / kerb_max(rate * most, 1e-6f);
}

// The mean speed with which the agent arrives in time. Above its greatest speed: too late.
static float speed_to_be_there(const chase* c, float time, kerb_directed_goal* goal) {
    kerb_directed_decision thoughts;
    *goal = goal_after(c, time);
    kerb_directed_seek(c->settings, c->agent, goal, c->time_step, &thoughts);
    float most = c->agent->speed_max, even = kerb_min(thoughts.distance / time, most);
    float lost = lost_by(even, c->agent->speed, c->agent->acceleration) +
                 lost_by(even, goal->speed, c->agent->braking);
    if (thoughts.stage == KERB_DIRECTED_NO_PATH || time <= lost)
        return 2.0f * most;
    return thoughts.distance / (time - lost);
}

// Times tried. They are closer together in the near future: the first is at 1.2 % of the horizon.
static float moment_of(float horizon, int32_t moment) {
    int32_t most = GOALS_MOMENTS * (GOALS_MOMENTS + 8);
    return horizon * ((float)(moment * (moment + 8)) / (float)most);
}

// The first time at which the agent can be there. Returns the speed for it.
static float goals_meet(const chase* c, float horizon, kerb_directed_goal* goal) {
    float most = c->agent->speed_max;
    int32_t moment = 1;
    float speed = speed_to_be_there(c, moment_of(horizon, moment), goal);
    while (speed > most && moment < GOALS_MOMENTS)
        speed = speed_to_be_there(c, moment_of(horizon, ++moment), goal);
    if (speed > most)
        return most;
    float early = moment_of(horizon, moment - 1), late = moment_of(horizon, moment);
    // Not before the first time tried: an agent ahead of its place lets the place come up.
    for (int32_t i = 0; i < GOALS_HALVINGS && moment > 1; i++) {
        kerb_directed_goal between;
        float half = 0.5f * (early + late), needed = speed_to_be_there(c, half, &between);
        if (needed > most) {
            early = half;
            continue;
        }
        late = half;
        *goal = between;
        speed = needed;
    }
    return speed;
}

kerb_steering kerb_directed_pursue(const kerb_directed_seek_settings* settings,
                                   const kerb_agent* agent, const kerb_agent* target,
                                   kerb_vec3 angular_velocity, float distance, float horizon,
                                   float time_step, kerb_directed_goal* goal) {
    KERB_ASSERT(settings && agent && target);
    chase c = {settings, agent, target, angular_velocity, distance, time_step};
    kerb_directed_goal meeting = {agent->position, agent->forward, agent->speed, 0.0f};
    bool usable = horizon > 0.0f && kerb_is_finite(horizon) && steer_is_number(distance) &&
                  kerb_in_steer_is_usable(agent, time_step) &&
                  kerb_in_steer_is_usable(target, 0.0f) && steer_is_place(angular_velocity);
    kerb_agent driver = *agent;
    if (usable)
        driver.speed_max = goals_meet(&c, kerb_min(horizon, STEER_TIME_MOST), &meeting);
    if (goal)
        *goal = meeting;
    if (!usable)
        return kerb_steering_none();
    return kerb_directed_seek(settings, &driver, &meeting, time_step, NULL);
}
