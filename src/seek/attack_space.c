// Finds a pose in space from which an agent can attack.
//
// Such a pose has five numbers: the direction from which the target is approached (two angles), the
// distance, and two angles by which the front is turned left and up from the direction that aims
// the middle of the arc at the target. The arc is a cone, so a pose is allowed when the target is
// off its middle by at most its half width. The best pose has the shortest path in two planes
// (space.c). The search tries a grid round the target, then changes one number at a time by ever
// smaller steps from the best pose on. Poses whose straight distance already exceeds the best
// length are skipped.
// Cost: O(AZIMUTHS · ELEVATIONS · 15 + ATTACK_SPACE_REFINEMENTS · 10) paths, too slow for every
// agent in every frame.
#include "attack.h"

#include "../steer/shared.h"

#define AZIMUTHS 16 // grid of directions: 22.5 degrees apart
// Grid of directions: 30 degrees apart, from -60 to 60 degrees.
#define ELEVATIONS 5
// Rounds of refinement: every round without success halves the steps.
#define ATTACK_SPACE_REFINEMENTS 24
#define ATTACK_SPACE_NUMBERS 5 // numbers of a pose
// Sine of the bearing from which an arc counts as pointing sideways.
#define ATTACK_SPACE_ASIDE_LEAST 0.1f
// Steepest front with such an arc, because near the vertical its sides turn freely. [rad]
#define STEEP_MOST 1.0f
// Share of the half width by which the grid turns the front; the rest is for the refinement.
#define ATTACK_SPACE_ASIDE_SHARE 0.9f

// The pose as five numbers: azimuth and elevation of the pose as seen from the target, distance,
// and the angles by which the front is turned left and up from aiming the arc's middle at the
// target. [rad], [m]
typedef struct attack_numbers {
    float of[ATTACK_SPACE_NUMBERS];
} attack_numbers;

typedef struct attack_space_attack_search {
    const kerb_agent* agent;
    kerb_vec3 target;
    float middle, edge; // of the arc [rad]
    float least, most;  // bounds of the distance [m]
    kerb_directed_goal goal;
    attack_numbers best;
    float length; // length of the best path; negative: none yet [m]
} attack_space_attack_search;

static kerb_vec3 attack_space_direction_of(float azimuth, float elevation) {
    float sine, cosine, up, level;
    kerb_sin_cos(azimuth, &sine, &cosine);
    kerb_sin_cos(elevation, &up, &level);
    return kerb_vec3_make(level * cosine, level * sine, up);
}

kerb_vec3 kerb_in_steer_attack_middle(kerb_vec3 forward, float middle) {
    float sine, cosine;
    kerb_vec3 left = kerb_vec3_make(-forward.y, forward.x, 0.0f);
    left = kerb_vec3_unit(left, kerb_vec3_make(0.0f, 1.0f, 0.0f));
    kerb_sin_cos(middle, &sine, &cosine);
    return kerb_vec3_along(kerb_vec3_scale(forward, cosine), left, sine);
}

float kerb_in_steer_attack_off(kerb_vec3 forward, float middle, kerb_vec3 to_target) {
    kerb_vec3 aim = kerb_in_steer_attack_middle(forward, middle);
    return kerb_atan2(kerb_vec3_length(kerb_vec3_cross(aim, to_target)),
                      kerb_vec3_dot(aim, to_target));
}

// The front that aims the arc's middle at `to` as well as possible without bank, turned by `left`
// and `up`. A broadside cannot aim upwards. Near the vertical, the sides of the agent point
// anywhere, so a small error of the front turns a sideways arc far: hence the limit on the pitch.
static kerb_vec3 front_of(float middle, kerb_vec3 to, float left, float up) {
    float sine, cosine;
    kerb_sin_cos(middle, &sine, &cosine);
    float steep = kerb_abs(cosine) > 0.01f ? kerb_clamp(to.z / cosine, -1.0f, 1.0f) : 0.0f;
    float pitch = kerb_asin(steep);
    float level = kerb_sqrt(kerb_max(1.0f - steep * steep, 0.0f));
    float heading = kerb_atan2(to.y, to.x) - kerb_atan2(sine, cosine * level);
    float most = kerb_abs(sine) > ATTACK_SPACE_ASIDE_LEAST ? STEEP_MOST : 0.5f * KERB_PI;
    return attack_space_direction_of(heading + left, kerb_clamp(pitch + up, -most, most));
}

static bool attack_space_try_numbers(attack_space_attack_search* search, attack_numbers numbers) {
    const float* n = numbers.of;
    float distance = numbers.of[2] = kerb_clamp(n[2], search->least, search->most);
    kerb_vec3 out = attack_space_direction_of(n[0], n[1]), to = kerb_vec3_scale(out, -1.0f);
    kerb_directed_goal goal = search->goal;
    goal.position = kerb_vec3_along(search->target, out, distance);
    float direct = kerb_vec3_length(kerb_vec3_sub(goal.position, search->agent->position));
    if (search->length >= 0.0f && direct >= search->length)
        return false;
    goal.forward = front_of(search->middle, to, n[3], n[4]);
    if (kerb_in_steer_attack_off(goal.forward, search->middle, to) > search->edge)
        return false;
    kerb_directed_seek_settings settings = kerb_directed_seek_settings_default();
    kerb_directed_decision thoughts;
    settings.method = KERB_DIRECTED_DUBINS;
    settings.space = KERB_DIRECTED_TWO_PLANES;
    kerb_directed_seek(&settings, search->agent, &goal, 0.0f, &thoughts);
    if (thoughts.stage == KERB_DIRECTED_NO_PATH ||
        (search->length >= 0.0f && !(thoughts.distance < search->length)))
        return false;
    search->goal = goal;
    search->best = numbers;
    search->length = thoughts.distance;
    return true;
}

// From one direction, at three distances, aimed at the target or turned.
static void attack_space_try_side(attack_space_attack_search* search, float azimuth,
                                  float elevation, float distance) {
    const float distances[] = {distance, search->least, search->most};
    float aside = ATTACK_SPACE_ASIDE_SHARE * search->edge;
    for (int32_t i = 0; i < 3; i++) {
        attack_numbers n = {{azimuth, elevation, distances[i], 0.0f, 0.0f}};
        attack_space_try_numbers(search, n);
        for (int32_t k = 0; k < 4; k++) {
            n.of[3] = k < 2 ? (k == 0 ? aside : -aside) : 0.0f;
            n.of[4] = k < 2 ? 0.0f : (k == 2 ? aside : -aside);
            attack_space_try_numbers(search, n);
        }
    }
}

static void attack_space_refine(attack_space_attack_search* search) {
    float quarter = 0.25f * (search->most - search->least), turn = KERB_PI / (float)AZIMUTHS;
    float step[ATTACK_SPACE_NUMBERS] = {turn, turn, quarter, 0.5f * search->edge,
                                        0.5f * search->edge};
    for (int32_t i = 0; i < ATTACK_SPACE_REFINEMENTS; i++) {
        bool better = false;
        for (int32_t k = 0; k < 2 * ATTACK_SPACE_NUMBERS; k++) {
            attack_numbers n = search->best;
            n.of[k / 2] += k % 2 == 0 ? step[k / 2] : -step[k / 2];
            better |= attack_space_try_numbers(search, n);
        }
        for (int32_t k = 0; k < ATTACK_SPACE_NUMBERS && !better; k++)
            step[k] *= 0.5f;
    }
}

kerb_directed_goal kerb_in_steer_attack_in_space(const kerb_agent* agent,
                                                 const kerb_attack_arc* arc, kerb_vec3 target,
                                                 float speed, float margin) {
    float width = arc->range_max - arc->range_min;
    attack_space_attack_search search = {.agent = agent, .target = target, .middle = arc->bearing};
    search.edge = (1.0f - margin) * kerb_min(arc->half_width, KERB_PI);
    search.least = arc->range_min + margin * width;
    search.most = arc->range_max - margin * width;
    kerb_directed_goal here = {agent->position, agent->forward, speed, agent->turning_radius};
    search.goal = here;
    search.length = -1.0f;
    kerb_vec3 off = kerb_vec3_sub(agent->position, target);
    float distance = kerb_vec3_length(off), level = kerb_vec2_length(kerb_vec2_make(off.x, off.y));
    attack_space_try_side(&search, kerb_atan2(off.y, off.x), kerb_atan2(off.z, level), distance);
    for (int32_t i = 0; i < AZIMUTHS * ELEVATIONS; i++) {
        float azimuth = 2.0f * KERB_PI / (float)AZIMUTHS * (float)(i % AZIMUTHS);
        int32_t storey = i / AZIMUTHS - ELEVATIONS / 2;
        float elevation = KERB_PI / 6.0f * (float)storey;
        attack_space_try_side(&search, azimuth, elevation, distance);
    }
    attack_space_refine(&search);
    return search.goal;
}
