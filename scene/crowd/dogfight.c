// Hunters get behind their prey by kerb_directed_pursue, which uses how the prey turns in space.
// Once there, they keep their nose on the prey: a place on its trail would make them look past it
// in a bend. The prey wanders, climbs and dives, and does not react. It is slightly slower, because
// hunters of equal speed would never catch up.
#include "kerb/seek.h"

#include "scene/crowd/dogfight.h"

#define SKY 300.0f        // its radius [m]
#define HORIZON 20.0f     // a hunter looks so far ahead [s]
#define AIMS_WITHIN 0.5f  // cosine of the angle off its nose within which a hunter aims
#define CATCHING_UP 0.3f  // of a lack of distance, per second [1/s]
#define ARC_COSINE 0.966f // fires within 15 degrees of its nose

static kerb_agent airplane(kerb_random* random, float speed) {
    float heading = kerb_random_between(random, -KERB_PI, KERB_PI);
    kerb_agent agent = {.forward = {kerb_cos(heading), kerb_sin(heading), 0.0f},
                        .speed = speed,
                        .radius = 5.0f,
                        .turning_radius = 35.0f,
                        .speed_max = speed,
                        .acceleration = 6.0f,
                        .braking = 10.0f};
    agent.position.x = kerb_random_between(random, -0.6f * SKY, 0.6f * SKY);
    agent.position.y = kerb_random_between(random, -0.6f * SKY, 0.6f * SKY);
    agent.position.z = kerb_random_between(random, -0.3f * SKY, 0.3f * SKY);
    return agent;
}

kerb_scene_dogfight kerb_scene_dogfight_make(uint64_t seed) {
    kerb_scene_dogfight fight = {.time = 0.0};
    kerb_random random = kerb_random_make(seed, 13);
    fight.sky = (kerb_region){.kind = KERB_REGION_ROUND, .radius = SKY};
    for (int32_t i = 0; i < KERB_SCENE_DOGFIGHT_PAIRS; i++) {
        fight.prey[i] = airplane(&random, 24.0f);
        fight.hunters[i] = airplane(&random, 32.0f);
        fight.wander[i] = kerb_wander_make(seed * KERB_SCENE_DOGFIGHT_PAIRS + (uint64_t)i);
    }
    return fight;
}

// Axis times rate of the turn from one direction to the next.
static kerb_vec3 turning_between(kerb_vec3 before, kerb_vec3 after, float time_step) {
    return kerb_vec3_scale(kerb_vec3_cross(before, after), 1.0f / time_step);
}

static kerb_agent prey_after(kerb_scene_dogfight* fight, int32_t i, float time_step) {
    kerb_agent* prey = &fight->prey[i];
    kerb_wander_settings settings = kerb_wander_settings_default();
    settings.speed = prey->speed_max;
    settings.turn_rate = 0.4f;
    settings.climb_rate = 0.2f;
    settings.change_time = 4.0f;
    kerb_steering wander = kerb_wander_steer(&fight->wander[i], &settings, prey, time_step);
    kerb_steering inside = kerb_contain(prey, &fight->sky, 10.0f, time_step);
    bool is_free = kerb_vec3_dot(inside.direction, inside.direction) == 0.0f;
    return kerb_agent_step(prey, is_free ? &wander : &inside, time_step);
}

// Behind its prey and near enough to aim at it.
static bool is_on_tail(const kerb_agent* hunter, const kerb_agent* prey) {
    kerb_vec3 way = kerb_vec3_sub(prey->position, hunter->position);
    float distance = kerb_vec3_length(way);
    return distance < 2.0f * KERB_SCENE_DOGFIGHT_GAP &&
           kerb_vec3_dot(way, hunter->forward) > AIMS_WITHIN * distance &&
           kerb_vec3_dot(way, prey->forward) > 0.0f;
}

// Nose on the prey, and to the gap.
static kerb_steering aim_at(const kerb_agent* hunter, const kerb_agent* prey) {
    kerb_vec3 way = kerb_vec3_sub(prey->position, hunter->position);
    float lack = kerb_vec3_length(way) - KERB_SCENE_DOGFIGHT_GAP;
    kerb_steering wish = {
        kerb_vec3_unit(way, hunter->forward),
        kerb_clamp(prey->speed + CATCHING_UP * lack, 0.5f * prey->speed, hunter->speed_max)};
    return wish;
}

static kerb_agent hunter_after(const kerb_scene_dogfight* fight, int32_t i, float time_step) {
    const kerb_agent *hunter = &fight->hunters[i], *prey = &fight->prey[i];
    kerb_directed_seek_settings settings = kerb_directed_seek_settings_default();
    settings.method = KERB_DIRECTED_DUBINS;
    settings.space = KERB_DIRECTED_TWO_PLANES;
    kerb_steering wish =
        is_on_tail(hunter, prey)
            ? aim_at(hunter, prey)
            : kerb_directed_pursue(&settings, hunter, prey, fight->turning[i],
                                   KERB_SCENE_DOGFIGHT_GAP, HORIZON, time_step, NULL);
    return kerb_agent_step(hunter, &wish, time_step);
}

static bool has_in_arc(const kerb_agent* hunter, const kerb_agent* prey) {
    kerb_vec3 way = kerb_vec3_sub(prey->position, hunter->position);
    float distance = kerb_vec3_length(way);
    return distance < KERB_SCENE_DOGFIGHT_RANGE &&
           kerb_vec3_dot(way, hunter->forward) > ARC_COSINE * distance;
}

// Behind, not too far, and headed much as the prey: in its tightest bend one who keeps the gap on
// its trail differs by 40 degrees.
static bool is_behind(const kerb_agent* hunter, const kerb_agent* prey) {
    kerb_vec3 way = kerb_vec3_sub(prey->position, hunter->position);
    return kerb_vec3_length(way) < 2.0f * KERB_SCENE_DOGFIGHT_GAP &&
           kerb_vec3_dot(way, prey->forward) > 0.0f &&
           kerb_vec3_dot(hunter->forward, prey->forward) > 0.5f;
}

static void dogfight_judge(kerb_scene_dogfight* fight, double time_step) {
    bool all = true;
    for (int32_t i = 0; i < KERB_SCENE_DOGFIGHT_PAIRS; i++) {
        bool behind = is_behind(&fight->hunters[i], &fight->prey[i]);
        fight->has_been[i] = fight->has_been[i] || behind;
        fight->behind += behind ? time_step : 0.0;
        bool aims = has_in_arc(&fight->hunters[i], &fight->prey[i]);
        fight->aiming += aims ? time_step : 0.0;
        fight->aiming_now[i] = aims ? fight->aiming_now[i] + time_step : 0.0;
        if (fight->aiming_now[i] > fight->aiming_longest)
            fight->aiming_longest = fight->aiming_now[i];
        all = all && fight->has_been[i];
    }
    if (all && !(fight->first_behind > 0.0))
        fight->first_behind = fight->time;
}

void kerb_scene_dogfight_step(kerb_scene_dogfight* fight, float time_step) {
    for (int32_t i = 0; i < KERB_SCENE_DOGFIGHT_PAIRS; i++) {
        kerb_agent hunter = hunter_after(fight, i, time_step);
        kerb_vec3 before = fight->prey[i].forward;
        fight->prey[i] = prey_after(fight, i, time_step);
        fight->turning[i] = turning_between(before, fight->prey[i].forward, time_step);
        fight->hunters[i] = hunter;
    }
    fight->time += (double)time_step;
    dogfight_judge(fight, (double)time_step);
}
