// Crowds: placing, deciding, moving, counting. Nothing here helps the agents: they see one another
// within SIGHT. An agent that no other agent sees is in no other agent's path.
#include "scene/crowd/crowd.h"

#include <math.h>
#include <string.h>

#define SIGHT 40.0f
#define CROWD_RADIUS 2.3f  // round a car's corners
#define CROWD_SPACING 6.5f // between cars that wait [m]
#define FUNNEL 0.9f        // half its width, for each metre before the gate
#define FUNNEL_FROM 20.0f
#define LANES KERB_SCENE_CROWD_LANES
#define CROWD_LANE_WIDTH 7.0f
#define STREAM_ENDS 90.0f
#define PAST 40.0f

static kerb_agent car_at(float x, float y, float heading, float speed) {
    kerb_agent car = {{x, y, 0.0f}, {kerb_cos(heading), kerb_sin(heading), 0.0f},
                      speed,        CROWD_RADIUS,
                      5.5f,         10.0f,
                      3.0f,         6.0f};
    return car;
}

// ------------------------------------------------------------------- placing

// Row by row before the gate, each as wide as its distance allows, none quite in its place.
static void place_before_gate(kerb_scene_crowd* crowd, kerb_random* random) {
    int32_t placed = 0;
    for (int32_t row = 0; placed < crowd->agents.count; row++) {
        float x = -(FUNNEL_FROM + CROWD_SPACING * (float)row), half = -FUNNEL * x;
        int32_t wide = (int32_t)(2.0f * half / CROWD_SPACING);
        for (int32_t n = 0; n < wide && placed < crowd->agents.count; n++) {
            float y = ((float)n - 0.5f * (float)(wide - 1)) * CROWD_SPACING;
            float aside = kerb_random_between(random, -0.6f, 0.6f);
            float ahead = kerb_random_between(random, -0.6f, 0.6f);
            float heading = kerb_random_between(random, -0.3f, 0.3f);
            kerb_agent car = car_at(x + ahead, y + aside, kerb_atan2(-y, -x) + heading, 0.0f);
            kerb_agents_set(&crowd->agents, placed++, &car);
        }
    }
}

static bool drives_along_y(const kerb_scene_crowd* crowd, int32_t i) {
    return crowd->kind == KERB_SCENE_CROWD_CROSSING && i % 2 == 1;
}

static kerb_agent car_in_stream(bool along_y, float along, float lane, float speed) {
    return along_y ? car_at(lane, along, 0.5f * KERB_PI, speed) : car_at(along, lane, 0.0f, speed);
}

static void place_in_streams(kerb_scene_crowd* crowd, kerb_random* random) {
    int32_t rows = (crowd->agents.count + 2 * LANES - 1) / (2 * LANES);
    float apart = (STREAM_ENDS - 20.0f) / (float)rows;
    for (int32_t i = 0; i < crowd->agents.count; i++) {
        int32_t lane = i / 2 % LANES, row = i / 2 / LANES;
        crowd->lane[i] = CROWD_LANE_WIDTH * ((float)lane - 0.5f * (float)(LANES - 1));
        float along = -STREAM_ENDS + apart * ((float)row + kerb_random_between(random, 0.0f, 0.2f));
        kerb_agent car = car_in_stream(drives_along_y(crowd, i), along, crowd->lane[i], 4.0f);
        kerb_agents_set(&crowd->agents, i, &car);
    }
}

kerb_result kerb_scene_crowd_create(kerb_scene_crowd* crowd, kerb_scene_crowd_kind kind,
                                    int32_t count, uint64_t seed, const kerb_host* host) {
    memset(crowd, 0, sizeof *crowd);
    if (count < 1 || count > KERB_SCENE_CROWD_MOST)
        return KERB_ERROR_OUT_OF_RANGE;
    float(*of)[KERB_SCENE_CROWD_MOST] = crowd->numbers;
    const kerb_agents agents = {count, of[0], of[1], NULL,  of[3],  of[4], NULL,
                                of[6], of[7], of[8], of[9], of[10], of[11]};
    crowd->kind = kind;
    crowd->agents = agents;
    crowd->record.least_gap = 1.0e6f;
    kerb_random random = kerb_random_make(seed, 7);
    if (kind == KERB_SCENE_CROWD_GATE)
        place_before_gate(crowd, &random);
    else
        place_in_streams(crowd, &random);
    return kerb_neighbour_grid_create(&crowd->grid, KERB_SCENE_CROWD_MOST, host, NULL);
}

void kerb_scene_crowd_destroy(kerb_scene_crowd* crowd) {
    kerb_neighbour_grid_destroy(&crowd->grid);
}

// ------------------------------------------------------------------- thinking

static kerb_steering wish_at_gate(const kerb_agent* car, const kerb_group* group, float time_step) {
    const kerb_gate gate = {{0.0f, 0.0f, 0.0f}, {1.0f, 0.0f, 0.0f}, 8.0f};
    kerb_avoid_agents_settings settings = kerb_avoid_agents_settings_default();
    // Who queues does not push past, and the queue says who goes first.
    settings.horizon = settings.swerve = settings.yield_distance = 0.0f;
    kerb_steering wish = kerb_queue(car, &gate, group, time_step);
    return kerb_avoid_agents(&settings, car, &wish, group, time_step);
}

static kerb_steering wish_in_stream(const kerb_scene_crowd* crowd, int32_t i, const kerb_agent* car,
                                    const kerb_group* group, float time_step) {
    kerb_vec3 aim = car->position;
    if (drives_along_y(crowd, i))
        aim.x = crowd->lane[i], aim.y += 15.0f;
    else
        aim.y = crowd->lane[i], aim.x += 15.0f;
    kerb_vec3 way = kerb_vec3_sub(aim, car->position);
    kerb_steering wish = {kerb_vec3_unit(way, car->forward), 8.0f};
    kerb_avoid_agents_settings settings = kerb_avoid_agents_settings_default();
    settings.horizon = settings.swerve = 0.0f; // streams keep their lanes
    return kerb_avoid_agents(&settings, car, &wish, group, time_step);
}

static kerb_agent car_after(const kerb_scene_crowd* crowd, int32_t i, float time_step) {
    int32_t found[KERB_SCENE_CROWD_MOST];
    kerb_agent car = kerb_agents_get(&crowd->agents, i);
    int32_t count =
        kerb_neighbours_within(&crowd->grid, car.position, SIGHT, found, KERB_SCENE_CROWD_MOST);
    kerb_group group = {&crowd->agents, found, count, i};
    kerb_steering wish = crowd->kind == KERB_SCENE_CROWD_GATE
                             ? wish_at_gate(&car, &group, time_step)
                             : wish_in_stream(crowd, i, &car, &group, time_step);
    return kerb_agent_step(&car, &wish, time_step);
}

// ------------------------------------------------------------------- leaving and coming back

static void leave(kerb_scene_crowd* crowd, int32_t i) {
    crowd->is_gone[i] = true;
    crowd->agents.x[i] = crowd->agents.y[i] = NAN;
}

// At the start of its lane again, once there is room.
static void come_back(kerb_scene_crowd* crowd, int32_t i) {
    bool along_y = drives_along_y(crowd, i);
    kerb_agent car = car_in_stream(along_y, -STREAM_ENDS, crowd->lane[i], 4.0f);
    for (int32_t j = 0; j < crowd->agents.count; j++) {
        float x = crowd->agents.x[j] - car.position.x, y = crowd->agents.y[j] - car.position.y;
        if (hypotf(x, y) < 4.0f * CROWD_RADIUS)
            return;
    }
    crowd->is_gone[i] = crowd->is_past[i] = false;
    kerb_agents_set(&crowd->agents, i, &car);
}

// Number of its lane, those of both streams in turn: as they are placed.
static int32_t lane_of(int32_t i) {
    return i % (2 * LANES);
}

static void crowd_count_pass(kerb_scene_crowd* crowd, int32_t i) {
    kerb_scene_crowd_record* record = &crowd->record;
    crowd->is_past[i] = true;
    record->passed++;
    record->longest_pause = kerb_max(record->longest_pause, record->time - record->last_pass);
    record->last_pass = record->time;
    crowd->lane_passed[lane_of(i)] = record->time;
}

static void follow_up(kerb_scene_crowd* crowd, int32_t i) {
    float along = drives_along_y(crowd, i) ? crowd->agents.y[i] : crowd->agents.x[i];
    float past = crowd->kind == KERB_SCENE_CROWD_GATE ? 0.0f : PAST;
    if (!crowd->is_past[i] && along > past)
        crowd_count_pass(crowd, i);
    if (along > STREAM_ENDS)
        leave(crowd, i);
}

// ------------------------------------------------------------------- a step

// A stream may flow while one of its lanes stands for good.
static void judge_lanes(kerb_scene_crowd* crowd) {
    kerb_scene_crowd_record* record = &crowd->record;
    bool has_any[2 * LANES] = {false};
    for (int32_t i = 0; i < crowd->agents.count; i++) {
        if (!crowd->is_gone[i] && !crowd->is_past[i])
            has_any[lane_of(i)] = true;
    }
    for (int32_t lane = 0; lane < 2 * LANES; lane++) {
        if (!has_any[lane])
            crowd->lane_passed[lane] = record->time;
        float pause = record->time - crowd->lane_passed[lane];
        record->longest_lane_pause = kerb_max(record->longest_lane_pause, pause);
    }
}

static void crowd_judge(kerb_scene_crowd* crowd) {
    const kerb_agents* agents = &crowd->agents;
    kerb_scene_crowd_record* record = &crowd->record;
    for (int32_t i = 0; i < agents->count; i++) {
        for (int32_t j = 0; j < i; j++) {
            if (crowd->is_gone[i] || crowd->is_gone[j])
                continue;
            float gap = hypotf(agents->x[i] - agents->x[j], agents->y[i] - agents->y[j]) -
                        agents->radius[i] - agents->radius[j];
            record->least_gap = kerb_min(record->least_gap, gap);
            record->contacts += gap < 0.0f ? 1 : 0;
        }
    }
    bool any_wait = crowd->kind == KERB_SCENE_CROWD_CROSSING || record->passed < agents->count;
    if (any_wait)
        record->longest_pause = kerb_max(record->longest_pause, record->time - record->last_pass);
    if (crowd->kind == KERB_SCENE_CROWD_CROSSING)
        judge_lanes(crowd);
}

void kerb_scene_crowd_step(kerb_scene_crowd* crowd, float time_step) {
    kerb_agent after[KERB_SCENE_CROWD_MOST];
    const kerb_agents* agents = &crowd->agents;
    for (int32_t i = 0; i < agents->count && crowd->kind == KERB_SCENE_CROWD_CROSSING; i++) {
        if (crowd->is_gone[i])
            come_back(crowd, i);
    }
    kerb_neighbour_grid_build(&crowd->grid, agents->x, agents->y, NULL, agents->count, SIGHT);
    for (int32_t i = 0; i < agents->count; i++) {
        if (!crowd->is_gone[i])
            after[i] = car_after(crowd, i, time_step);
    }
    crowd->record.time += time_step;
    for (int32_t i = 0; i < agents->count; i++) {
        if (crowd->is_gone[i])
            continue;
        kerb_agents_set(agents, i, &after[i]);
        follow_up(crowd, i);
    }
    crowd_judge(crowd);
}
