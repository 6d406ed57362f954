// Flocking by kerb_flock_steer, for each agent by itself, because the meadow counts, too: near its
// border the direction home gets more weight, so that a flock turns together. Containment is the
// last resort: an agent that follows it ignores the others and runs into them.
#include "scene/crowd/flocking.h"

#include <math.h>
#include <string.h>

#define MEADOW 160.0f // its radius [m]
#define HOME 60.0f    // within so much of its middle nobody wants home [m]
#define HOMESICK 0.6f // weight of the way home at the border, beside the flock's 1
#define PLACED 80.0f  // within such a square's half side at first [m]
#define FLOCKING_MARGIN 3.0f
#define FLOCKING_RADIUS 0.5f
#define FLOCKING_SETTLED 20.0f // seconds until a flock is judged

static kerb_agent bird(kerb_random* random) {
    float heading = kerb_random_between(random, -KERB_PI, KERB_PI);
    float x = kerb_random_between(random, -PLACED, PLACED);
    float y = kerb_random_between(random, -PLACED, PLACED);
    kerb_agent agent = {.position = {x, y, 0.0f},
                        .forward = {kerb_cos(heading), kerb_sin(heading), 0.0f},
                        .speed = 8.0f,
                        .radius = FLOCKING_RADIUS,
                        .turning_radius = 5.0f,
                        .speed_max = 14.0f,
                        .acceleration = 4.0f,
                        .braking = 6.0f};
    return agent;
}

static kerb_flock_settings settings_of_flock(void) {
    kerb_flock_settings settings = kerb_flock_settings_default();
    settings.speed_min = 5.0f; // nobody hovers
    return settings;
}

kerb_result kerb_scene_flock_create(kerb_scene_flock* flock, int32_t count, uint64_t seed,
                                    const kerb_host* host) {
    memset(flock, 0, sizeof *flock);
    if (count < 1 || count > KERB_SCENE_FLOCK_MOST)
        return KERB_ERROR_OUT_OF_RANGE;
    float(*of)[KERB_SCENE_FLOCK_MOST] = flock->numbers;
    const kerb_agents agents = {count, of[0], of[1], NULL,  of[3],  of[4], NULL,
                                of[6], of[7], of[8], of[9], of[10], of[11]};
    flock->agents = agents;
    flock->settings = settings_of_flock();
    flock->meadow = (kerb_region){.kind = KERB_REGION_ROUND, .radius = MEADOW};
    kerb_random random = kerb_random_make(seed, 11);
    for (int32_t i = 0; i < count; i++) {
        kerb_agent agent = bird(&random);
        kerb_agents_set(&flock->agents, i, &agent);
    }
    return kerb_neighbour_grid_create(&flock->grid, count, host, NULL);
}

void kerb_scene_flock_destroy(kerb_scene_flock* flock) {
    kerb_neighbour_grid_destroy(&flock->grid);
}

static float sight_of(const kerb_flock_settings* settings) {
    return kerb_max(settings->separation_radius,
                    kerb_max(settings->alignment_radius, settings->cohesion_radius));
}

static kerb_steering drawn_home(const kerb_agent* agent, const kerb_steering* flocking) {
    float away = kerb_vec3_length(agent->position);
    kerb_steering home = {kerb_vec3_unit(kerb_vec3_scale(agent->position, -1.0f), agent->forward),
                          flocking->speed};
    const kerb_steering wishes[2] = {*flocking, home};
    const float weights[2] = {1.0f, HOMESICK * kerb_max(away - HOME, 0.0f) / (MEADOW - HOME)};
    return kerb_steering_blend(wishes, weights, 2);
}

static kerb_agent agent_after(const kerb_scene_flock* flock, int32_t i, float time_step) {
    int32_t found[KERB_SCENE_FLOCK_MOST];
    kerb_agent agent = kerb_agents_get(&flock->agents, i);
    int32_t count = kerb_neighbours_within(&flock->grid, agent.position, sight_of(&flock->settings),
                                           found, KERB_SCENE_FLOCK_MOST);
    kerb_group group = {&flock->agents, found, count, i};
    kerb_steering wish = kerb_contain(&agent, &flock->meadow, FLOCKING_MARGIN, time_step);
    if (kerb_vec3_dot(wish.direction, wish.direction) == 0.0f) {
        wish = kerb_flock_steer(&flock->settings, &agent, &group);
        wish = drawn_home(&agent, &wish);
    }
    return kerb_flock_step(&agent, &wish, time_step);
}

// --------------------------------------------------------------------------- judging

static void judge_pair(kerb_scene_flock* flock, int32_t i, int32_t k, float apart) {
    bool* overlapped = &flock->overlapped[i * KERB_SCENE_FLOCK_MOST + k];
    bool overlap = apart < flock->agents.radius[i] + flock->agents.radius[k];
    flock->record.collisions += overlap && !*overlapped ? 1 : 0;
    *overlapped = overlap;
}

static void judge_one(kerb_scene_flock* flock, int32_t i) {
    const kerb_agents* agents = &flock->agents;
    kerb_scene_flock_record* record = &flock->record;
    double x = 0.0, y = 0.0;
    int32_t neighbours = 0;
    for (int32_t k = 0; k < agents->count; k++) {
        float apart = hypotf(agents->x[i] - agents->x[k], agents->y[i] - agents->y[k]);
        if (k == i || apart > flock->settings.alignment_radius)
            continue;
        neighbours++;
        x += (double)agents->forward_x[k];
        y += (double)agents->forward_y[k];
        if (k < i)
            judge_pair(flock, i, k, apart);
    }
    record->looks++;
    record->neighbours_sum += neighbours;
    double length = sqrt(x * x + y * y);
    if (length == 0.0)
        return;
    double with = x * (double)agents->forward_x[i] + y * (double)agents->forward_y[i];
    record->agreement_sum += with / length;
    record->agreed++;
}

void kerb_scene_flock_step(kerb_scene_flock* flock, float time_step) {
    kerb_agent after[KERB_SCENE_FLOCK_MOST];
    const kerb_agents* agents = &flock->agents;
    kerb_neighbour_grid_build(&flock->grid, agents->x, agents->y, NULL, agents->count,
                              sight_of(&flock->settings));
    for (int32_t i = 0; i < agents->count; i++)
        after[i] = agent_after(flock, i, time_step);
    for (int32_t i = 0; i < agents->count; i++)
        kerb_agents_set(agents, i, &after[i]);
    flock->record.time += time_step;
    for (int32_t i = 0; i < agents->count && flock->record.time > FLOCKING_SETTLED; i++)
        judge_one(flock, i);
}
