// Trials of directed seek. An agent moves along an arc in a step; its arrival is judged by the
// point of that arc nearest to the goal, in doubles.
#include "scene/crowd/seeking.h"

#include <math.h>

static const double CIRCLE = 6.283185307179586;

const char* kerb_scene_seek_word(kerb_scene_seek_variant variant) {
    static const char* const words[KERB_SCENE_SEEK_VARIANTS] = {
        "paper", "both-circles", "dubins", "reverse", "speed-radius", "two-radii", "3d", "3d-true"};
    return words[variant];
}

// --------------------------------------------------------------------------- making trials

bool kerb_scene_seek_in_space(kerb_scene_seek_variant variant) {
    return variant == KERB_SCENE_SEEK_ONE_PLANE || variant == KERB_SCENE_SEEK_TWO_PLANES;
}

static bool radius_follows_speed(kerb_scene_seek_variant variant) {
    return variant == KERB_SCENE_SEEK_SPEED_RADIUS || variant == KERB_SCENE_SEEK_TWO_RADII;
}

static kerb_directed_seek_settings settings_for(kerb_scene_seek_variant variant) {
    kerb_directed_seek_settings settings = kerb_directed_seek_settings_default();
    settings.method = variant <= KERB_SCENE_SEEK_REVERSE ? (int32_t)variant : KERB_DIRECTED_PAPER;
    if (variant == KERB_SCENE_SEEK_SPEED_RADIUS)
        settings.radius = KERB_DIRECTED_RADIUS_LARGER;
    if (variant == KERB_SCENE_SEEK_TWO_RADII)
        settings.radius = KERB_DIRECTED_RADIUS_TWO;
    if (variant == KERB_SCENE_SEEK_ONE_PLANE)
        settings.space = KERB_DIRECTED_ONE_PLANE;
    if (variant == KERB_SCENE_SEEK_TWO_PLANES)
        settings.space = KERB_DIRECTED_TWO_PLANES;
    return settings;
}

static kerb_vec3 any_direction(kerb_random* random, bool space) {
    float heading = kerb_random_between(random, -KERB_PI, KERB_PI);
    float z = space ? kerb_random_between(random, -1.0f, 1.0f) : 0.0f;
    float level = space ? kerb_sqrt(1.0f - z * z) : 1.0f;
    return kerb_vec3_make(level * kerb_cos(heading), level * kerb_sin(heading), z);
}

// Each number drawn by a statement of its own: within one, their order is the compiler's.
static kerb_vec3 any_place(kerb_random* random, bool space) {
    float x = kerb_random_between(random, -100.0f, 100.0f);
    float y = kerb_random_between(random, -100.0f, 100.0f);
    float z = space ? kerb_random_between(random, -100.0f, 100.0f) : 0.0f;
    return kerb_vec3_make(x, y, z);
}

// In space goals nearer than what is promised are left out.
static float any_distance(const kerb_scene_seek_plan* plan, kerb_random* random) {
    float share = kerb_random_unit(random);
    if (kerb_scene_seek_in_space(plan->variant))
        return plan->radius * (KERB_DIRECTED_SPACE_RADII_MIN + 8.0f * share);
    return 8.0f * plan->radius * (plan->even_on_disc ? kerb_sqrt(share) : share);
}

// Tightest circle at a speed: part of it is the lock's, part grows with the speed's square.
static float radius_at(const kerb_scene_seek_trial* trial, float full, float speed) {
    float share = speed / trial->agent.speed_max;
    return full * (trial->radius_standing + (1.0f - trial->radius_standing) * share * share);
}

static kerb_pose level_pose(kerb_vec3 position, kerb_vec3 forward) {
    kerb_pose pose = {{position.x, position.y}, {forward.x, forward.y}};
    return pose;
}

static float shortest_of(const kerb_scene_seek_trial* trial, kerb_scene_seek_variant variant) {
    kerb_pose from = level_pose(trial->agent.position, trial->agent.forward);
    kerb_pose to = level_pose(trial->goal.position, trial->goal.forward);
    if (variant == KERB_SCENE_SEEK_REVERSE)
        return kerb_reeds_shepp_length(from, to, trial->agent.turning_radius);
    if (!kerb_scene_seek_in_space(variant))
        return kerb_dubins_length(
            from, to, kerb_max(trial->agent.turning_radius, trial->goal.turning_radius));
    kerb_directed_seek_settings exact = settings_for(KERB_SCENE_SEEK_ONE_PLANE);
    exact.method = KERB_DIRECTED_DUBINS;
    kerb_directed_decision thoughts;
    kerb_directed_seek(&exact, &trial->agent, &trial->goal, trial->time_step, &thoughts);
    return thoughts.distance;
}

kerb_scene_seek_trial kerb_scene_seek_trial_make(const kerb_scene_seek_plan* plan, int64_t number) {
    kerb_random random = kerb_random_make(plan->seed, (uint64_t)number);
    bool space = kerb_scene_seek_in_space(plan->variant),
         follows = radius_follows_speed(plan->variant);
    kerb_scene_seek_trial trial = {.settings = settings_for(plan->variant),
                                   .time_step = 1.0f / plan->hz,
                                   .radius_standing = follows ? 0.4f : 1.0f};
    // The start lies anywhere, so that no coordinate is special.
    kerb_vec3 start = any_place(&random, space);
    float pace = plan->variant == KERB_SCENE_SEEK_REVERSE ? 1e4f : 0.6f;
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
    trial.agent.turning_radius = radius_at(&trial, plan->radius, trial.agent.speed);
    trial.goal.turning_radius = radius_at(&trial, plan->radius, trial.goal.speed);
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

static vector seeking_unit(vector a) {
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
    vector f = seeking_unit(from_float(before->forward)),
           next = seeking_unit(from_float(after->forward));
    vector moved = sum(from_float(after->position), -1.0, from_float(before->position));
    vector to_goal = sum(from_float(goal->position), -1.0, from_float(before->position));
    vector side = seeking_unit(sum(next, -dot(next, f), f));
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
    a.heading = angle_between(heading, seeking_unit(from_float(goal->forward)));
    return a;
}

double kerb_scene_seek_shortest_least(const kerb_scene_seek_plan* plan) {
    return 0.1 * (double)(plan->speed / plan->hz) + 0.01;
}

double kerb_scene_seek_tolerance(const kerb_scene_seek_trial* trial) {
    return 0.1 * (double)(kerb_abs(trial->agent.speed_max) * trial->time_step) + 0.01;
}

// --------------------------------------------------------------------------- driving

// The first pass that is near enough counts, at its nearest point: where that is the end of a
// step, the next one may come nearer still.
static bool seeking_note(const approach* a, double tolerance, double driven,
                         kerb_scene_seek_result* result) {
    bool hit = a->distance <= tolerance && a->heading <= KERB_SCENE_SEEK_HEADING_TOLERANCE;
    if (hit && (!result->arrived || a->distance < result->position_error)) {
        result->arrived = true;
        result->position_error = a->distance;
        result->heading_error = a->heading;
        result->driven = driven + a->driven;
        return a->driven < a->whole;
    }
    return result->arrived;
}

kerb_scene_seek_drive kerb_scene_seek_start(const kerb_scene_seek_trial* trial) {
    kerb_scene_seek_drive drive = {.trial = *trial, .agent = trial->agent};
    return drive;
}

static float full_radius(const kerb_scene_seek_trial* trial) {
    return trial->agent.turning_radius / (radius_at(trial, 1.0f, trial->agent.speed));
}

// Who has driven or thought this much more than it should will never arrive.
static bool is_worth_driving(const kerb_scene_seek_drive* drive) {
    const kerb_scene_seek_trial* trial = &drive->trial;
    double most = 50.0 * (double)trial->shortest + 60.0 * CIRCLE * (double)full_radius(trial);
    double least_step = 0.02 * (double)(trial->agent.speed_max * trial->time_step);
    return drive->driven < most && drive->result.calls < (int64_t)(most / least_step);
}

bool kerb_scene_seek_step(kerb_scene_seek_drive* drive) {
    const kerb_scene_seek_trial* trial = &drive->trial;
    kerb_scene_seek_result* result = &drive->result;
    if (!is_worth_driving(drive))
        return false;
    kerb_directed_decision thoughts;
    bool first = result->calls++ == 0;
    kerb_steering wish = kerb_directed_seek(&trial->settings, &drive->agent, &trial->goal,
                                            trial->time_step, first ? &thoughts : NULL);
    if (first)
        result->planned = (double)thoughts.distance;
    kerb_agent after = kerb_agent_step(&drive->agent, &wish, trial->time_step);
    approach a = approach_of(&drive->agent, &after, &trial->goal);
    bool arrived = seeking_note(&a, kerb_scene_seek_tolerance(trial), drive->driven, result);
    drive->driven += a.whole;
    drive->agent = after;
    drive->agent.turning_radius =
        radius_at(trial, full_radius(trial), kerb_abs(drive->agent.speed));
    return !arrived;
}

kerb_scene_seek_result kerb_scene_seek_run(const kerb_scene_seek_trial* trial,
                                           kerb_scene_seek_watch* watch, void* context) {
    kerb_scene_seek_drive drive = kerb_scene_seek_start(trial);
    bool goes_on = true;
    while (goes_on) {
        kerb_agent before = drive.agent;
        goes_on = kerb_scene_seek_step(&drive);
        if (watch)
            watch(context, &before);
    }
    return drive.result;
}

static kerb_vec3 direction_of(float heading, float climb) {
    float level = kerb_cos(climb);
    return kerb_vec3_make(level * kerb_cos(heading), level * kerb_sin(heading), kerb_sin(climb));
}

// The facing turns five times while the place goes round once: all kinds of ways. In space the ring
// goes up and down twice, over and under the goal, and the facing climbs and dives.
kerb_scene_seek_trial kerb_scene_seek_ring_trial(const kerb_scene_seek_plan* plan, int32_t index) {
    kerb_scene_seek_trial trial = kerb_scene_seek_trial_make(plan, 0);
    float place = 2.0f * KERB_PI * (float)index / (float)KERB_SCENE_SEEK_RING;
    float facing = 5.0f * place + 0.7f, distance = KERB_SCENE_SEEK_RING_RADII * plan->radius;
    float lift = kerb_scene_seek_in_space(plan->variant) ? 1.0f : 0.0f;
    trial.agent.position =
        kerb_vec3_scale(direction_of(place, lift * 0.7f * kerb_sin(2.0f * place)), distance);
    trial.agent.forward = direction_of(facing, lift * 0.8f * kerb_sin(3.0f * place));
    trial.goal.position = kerb_vec3_make(0.0f, 0.0f, 0.0f);
    trial.goal.forward = direction_of(0.5f * KERB_PI, lift * KERB_SCENE_SEEK_RING_CLIMB);
    trial.shortest = distance;
    return trial;
}
