// Trials of directed seek. What an agent sweeps in a step is an arc; whether it arrives is judged
// by the point of that arc that is nearest to the goal, in doubles.
#include "scene/seeking.h"

#include <math.h>

static const double CIRCLE = 6.283185307179586;

const char* scene_seek_word(scene_seek_variant variant) {
    static const char* const words[SCENE_SEEK_VARIANTS] = {
        "paper", "both-circles", "dubins", "reverse", "speed-radius", "two-radii", "3d", "3d-true"};
    return words[variant];
}

// --------------------------------------------------------------------------- making trials

static bool in_space(scene_seek_variant variant) {
    return variant == SCENE_SEEK_ONE_PLANE || variant == SCENE_SEEK_TWO_PLANES;
}

static bool radius_follows_speed(scene_seek_variant variant) {
    return variant == SCENE_SEEK_SPEED_RADIUS || variant == SCENE_SEEK_TWO_RADII;
}

static kerb_directed_seek_settings settings_for(scene_seek_variant variant) {
    kerb_directed_seek_settings settings = kerb_directed_seek_settings_default();
    settings.way = variant <= SCENE_SEEK_REVERSE ? (int32_t)variant : KERB_DIRECTED_PAPER;
    if (variant == SCENE_SEEK_SPEED_RADIUS)
        settings.radius = KERB_DIRECTED_RADIUS_LARGER;
    if (variant == SCENE_SEEK_TWO_RADII)
        settings.radius = KERB_DIRECTED_RADIUS_TWO;
    if (variant == SCENE_SEEK_ONE_PLANE)
        settings.space = KERB_DIRECTED_ONE_PLANE;
    if (variant == SCENE_SEEK_TWO_PLANES)
        settings.space = KERB_DIRECTED_TWO_PLANES;
    return settings;
}

static kerb_vec3 any_direction(kerb_random* random, bool space) {
    float heading = kerb_random_between(random, -KERB_PI, KERB_PI);
    float z = space ? kerb_random_between(random, -1.0f, 1.0f) : 0.0f;
    float level = space ? kerb_sqrt(1.0f - z * z) : 1.0f;
    return kerb_vec3_make(level * kerb_cos(heading), level * kerb_sin(heading), z);
}

// In space goals nearer than what is promised are left out.
static float any_distance(const scene_seek_plan* plan, kerb_random* random) {
    float share = kerb_random_unit(random);
    if (in_space(plan->variant))
        return plan->radius * (KERB_DIRECTED_SPACE_LEAST + 8.0f * share);
    return 8.0f * plan->radius * (plan->even_on_disc ? kerb_sqrt(share) : share);
}

// Tightest circle at a speed: part of it is the lock's, part grows with the speed's square.
static float radius_at(const scene_seek_trial* trial, float full, float speed) {
    float share = speed / trial->agent.speed_max;
    return full * (trial->radius_standing + (1.0f - trial->radius_standing) * share * share);
}

static kerb_pose level_pose(kerb_vec3 position, kerb_vec3 forward) {
    kerb_pose pose = {{position.x, position.y}, {forward.x, forward.y}};
    return pose;
}

static float shortest_of(const scene_seek_trial* trial, scene_seek_variant variant) {
    kerb_pose from = level_pose(trial->agent.position, trial->agent.forward);
    kerb_pose to = level_pose(trial->goal.position, trial->goal.forward);
    if (variant == SCENE_SEEK_REVERSE)
        return kerb_reeds_shepp_length(from, to, trial->agent.turn_radius);
    if (!in_space(variant))
        return kerb_dubins_length(from, to,
                                  kerb_max(trial->agent.turn_radius, trial->goal.turn_radius));
    kerb_directed_seek_settings exact = settings_for(SCENE_SEEK_ONE_PLANE);
    exact.way = KERB_DIRECTED_DUBINS;
    kerb_directed_thoughts thoughts;
    kerb_directed_seek(&exact, &trial->agent, &trial->goal, trial->time_step, &thoughts);
    return thoughts.distance;
}

scene_seek_trial scene_seek_trial_make(const scene_seek_plan* plan, int64_t number) {
    kerb_random random = kerb_random_make(plan->seed, (uint64_t)number);
    bool space = in_space(plan->variant), follows = radius_follows_speed(plan->variant);
    scene_seek_trial trial = {.settings = settings_for(plan->variant),
                              .time_step = 1.0f / plan->hz,
                              .radius_standing = follows ? 0.4f : 1.0f};
    // The start lies anywhere, so that no coordinate is special.
    kerb_vec3 start = {kerb_random_between(&random, -100.0f, 100.0f),
                       kerb_random_between(&random, -100.0f, 100.0f),
                       space ? kerb_random_between(&random, -100.0f, 100.0f) : 0.0f};
    float pace = plan->variant == SCENE_SEEK_REVERSE ? 1e4f : 0.6f;
    trial.agent = (kerb_agent){.position = start,
                               .forward = any_direction(&random, space),
                               .speed = plan->speed,
                               .radius = 1.0f,
                               .speed_max = plan->speed,
                               .acceleration = pace * plan->speed,
                               .braking = pace * plan->speed};
    kerb_vec3 to_goal = any_direction(&random, space);
    trial.goal.position = kerb_vec3_along(start, to_goal, any_distance(plan, &random));
    trial.goal.forward = any_direction(&random, space);
    trial.goal.speed = plan->speed;
    if (follows) {
        trial.agent.speed = plan->speed * kerb_random_between(&random, 0.3f, 1.0f);
        trial.goal.speed = plan->speed * kerb_random_between(&random, 0.3f, 1.0f);
    }
    trial.agent.turn_radius = radius_at(&trial, plan->radius, trial.agent.speed);
    trial.goal.turn_radius = radius_at(&trial, plan->radius, trial.goal.speed);
    trial.shortest = shortest_of(&trial, plan->variant);
    return trial;
}

// --------------------------------------------------------------------------- judging a step

// The point of a swept arc that is nearest to a goal.
typedef struct approach {
    double distance; // from the goal [m]
    double heading;  // angle between its direction there and the goal's [rad]
    double driven;   // up to there [m]
    double whole;    // length of the arc [m]
} approach;

typedef struct vector {
    double x, y, z;
} vector;

static vector from_float(kerb_vec3 a) {
    vector result = {(double)a.x, (double)a.y, (double)a.z};
    return result;
}

static vector sum(vector a, double share, vector b) {
    vector result = {a.x + share * b.x, a.y + share * b.y, a.z + share * b.z};
    return result;
}

static double dot(vector a, vector b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static vector unit(vector a) {
    double length = sqrt(dot(a, a));
    return sum((vector){0.0, 0.0, 0.0}, length > 0.0 ? 1.0 / length : 0.0, a);
}

static double angle_between(vector a, vector b) {
    vector difference = sum(a, -1.0, b);
    return 2.0 * asin(fmin(0.5 * sqrt(dot(difference, difference)), 1.0));
}

// Where it is after the share `t` of its turn: on the arc p + ρ (sin φ f + (1 - cos φ) s).
static approach approach_of(const kerb_agent* before, const kerb_agent* after,
                            const kerb_directed_goal* goal) {
    vector f = unit(from_float(before->forward)), next = unit(from_float(after->forward));
    vector moved = sum(from_float(after->position), -1.0, from_float(before->position));
    vector to_goal = sum(from_float(goal->position), -1.0, from_float(before->position));
    vector side = unit(sum(next, -dot(next, f), f));
    double turn = angle_between(f, next), chord = sqrt(dot(moved, moved));
    double sign = dot(moved, sum(f, 1.0, next)) < 0.0 ? -1.0 : 1.0;
    bool straight = turn < 1e-6;
    double length = straight ? chord : chord * 0.5 * turn / sin(0.5 * turn);
    approach a = {.whole = length};
    vector here, heading;
    if (straight) {
        double along = fmin(fmax(sign * dot(to_goal, f), 0.0), length);
        here = sum((vector){0.0, 0.0, 0.0}, sign * along, f);
        heading = f;
        a.driven = along;
    } else {
        double radius = sign * length / turn;
        double phi = atan2(dot(to_goal, f) / radius, 1.0 - dot(to_goal, side) / radius);
        phi = fmin(fmax(phi, 0.0), turn);
        here = sum(sum((vector){0.0, 0.0, 0.0}, radius * sin(phi), f), radius * (1.0 - cos(phi)),
                   side);
        heading = sum(sum((vector){0.0, 0.0, 0.0}, cos(phi), f), sin(phi), side);
        a.driven = phi / turn * length;
    }
    vector off = sum(to_goal, -1.0, here);
    a.distance = sqrt(dot(off, off));
    a.heading = angle_between(heading, unit(from_float(goal->forward)));
    return a;
}

double scene_seek_shortest_least(const scene_seek_plan* plan) {
    return 0.1 * (double)(plan->speed / plan->hz) + 0.01;
}

double scene_seek_tolerance(const scene_seek_trial* trial) {
    return 0.1 * (double)(kerb_abs(trial->agent.speed_max) * trial->time_step) + 0.01;
}

// --------------------------------------------------------------------------- driving

// The first pass that is near enough counts, at its nearest point: where that is the end of a
// step, the next one may come nearer still.
static bool note(const approach* a, double tolerance, double driven, scene_seek_result* result) {
    bool hit = a->distance <= tolerance && a->heading <= SCENE_SEEK_HEADING_TOLERANCE;
    if (hit && (!result->arrived || a->distance < result->position_error)) {
        result->arrived = true;
        result->position_error = a->distance;
        result->heading_error = a->heading;
        result->driven = driven + a->driven;
        return a->driven < a->whole;
    }
    return result->arrived;
}

scene_seek_result scene_seek_run(const scene_seek_trial* trial, scene_seek_watch* watch,
                                 void* context) {
    scene_seek_result result = {.arrived = false};
    kerb_agent agent = trial->agent;
    float full = trial->agent.turn_radius / (radius_at(trial, 1.0f, trial->agent.speed));
    double tolerance = scene_seek_tolerance(trial), driven = 0.0;
    double most = 50.0 * (double)trial->shortest + 60.0 * CIRCLE * (double)full;
    double least_step = 0.02 * (double)(trial->agent.speed_max * trial->time_step);
    int64_t calls_most = (int64_t)(most / least_step);
    while (driven < most && result.calls < calls_most) {
        kerb_directed_thoughts thoughts;
        bool first = result.calls++ == 0;
        kerb_steering wish = kerb_directed_seek(&trial->settings, &agent, &trial->goal,
                                                trial->time_step, first ? &thoughts : NULL);
        if (first)
            result.planned = (double)thoughts.distance;
        if (watch)
            watch(context, &agent);
        kerb_agent after = kerb_agent_step(&agent, &wish, trial->time_step);
        approach a = approach_of(&agent, &after, &trial->goal);
        if (note(&a, tolerance, driven, &result))
            break;
        driven += a.whole;
        agent = after;
        agent.turn_radius = radius_at(trial, full, kerb_abs(agent.speed));
    }
    if (watch)
        watch(context, &agent);
    return result;
}
