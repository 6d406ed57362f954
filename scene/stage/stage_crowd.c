// Purpose: crowds of agents: a queue into a gate, streams that cross, a flock; and agents that
//          arrive from a ring of poses by directed seek.
// Idea:    Kinematic agents (kerb_agent_step): only the behaviour is seen.
// Cost:    that of the scene.
#include "scene/stage/stage_rooms.h"

#include "scene/crowd/crowd.h"
#include "scene/crowd/flocking.h"
#include "scene/crowd/seeking.h"

#include <string.h>

#define STAGE_CROWD_CAR 4.2f  // a car of a crowd is so long … [m]
#define STAGE_CROWD_WIDE 1.8f // … and so wide
#define STAGE_FLOCK_LENGTH 1.4f
#define STAGE_FLOCK_WIDTH 0.8f
#define STAGE_RING_AGAIN 3.0f // after all have arrived they start again [s]
#define STAGE_GATE_HALF 6.0f

typedef struct stage_crowd {
    int32_t count;
    kerb_scene_crowd crowd; // points into itself: it never moves
    kerb_scene_flock flock;
    kerb_scene_seek_drive ring[KERB_SCENE_SEEK_RING];
    bool driving[KERB_SCENE_SEEK_RING];
    float heading[KERB_STAGE_VEHICLES_MAX]; // in the step before [rad]
    float turning[KERB_STAGE_VEHICLES_MAX]; // [rad/s]
    float done;                             // ring: since all have arrived [s]
    int32_t arrived, round;
    kerb_sim_obstacle walls[2];
} stage_crowd;

// --------------------------------------------------------------------------- agents

static kerb_agent stage_crowd_agent(const kerb_stage* stage, int32_t index) {
    const stage_crowd* c = stage->scene_data;
    if (stage->scene == &kerb_scene_stage_ring)
        return c->ring[index].agent;
    const kerb_agents* all =
        stage->scene == &kerb_scene_stage_flock ? &c->flock.agents : &c->crowd.agents;
    return kerb_agents_get(all, index);
}

static float stage_agent_heading(const kerb_agent* agent) {
    return kerb_atan2(agent->forward.y, agent->forward.x);
}

static void stage_crowd_remember(kerb_stage* stage, stage_crowd* c) {
    for (int32_t i = 0; i < c->count; i++) {
        kerb_agent agent = stage_crowd_agent(stage, i);
        if (!(agent.position.x - agent.position.x == 0.0f))
            continue; // gone
        float heading = stage_agent_heading(&agent);
        c->turning[i] = kerb_wrap_angle(heading - c->heading[i]) / KERB_STAGE_STEP;
        c->heading[i] = heading;
    }
}

static void stage_crowd_show(const kerb_stage* stage, int32_t vehicle, stage_shown* shown) {
    const stage_crowd* c = stage->scene_data;
    kerb_agent agent = stage_crowd_agent(stage, vehicle);
    bool flock = stage->scene == &kerb_scene_stage_flock;
    bool ring = stage->scene == &kerb_scene_stage_ring;
    shown->hidden = !flock && !ring && c->crowd.is_gone[vehicle];
    if (!shown->hidden) { // who is gone is nowhere
        shown->motion.position = agent.position;
        shown->motion.rotation = kerb_quat_from_heading(stage_agent_heading(&agent));
        shown->motion.velocity = kerb_vec3_scale(agent.forward, agent.speed);
        shown->motion.angular_velocity.z = c->turning[vehicle];
    }
    shown->look = KERB_STAGE_AGENT;
    shown->role = vehicle == 0 ? KERB_STAGE_HERO : KERB_STAGE_TRAFFIC;
    shown->colour = stage->scene == &kerb_scene_stage_crossing ? vehicle % 2 : vehicle;
    shown->length = flock ? STAGE_FLOCK_LENGTH : STAGE_CROWD_CAR;
    shown->width = flock ? STAGE_FLOCK_WIDTH : STAGE_CROWD_WIDE;
    shown->target_speed = agent.speed_max;
    shown->controls.brake = 0.0f;
    // Wheels turned as much as the way bends.
    bool drives = !shown->hidden && kerb_abs(agent.speed) > 0.5f;
    float curvature = drives ? c->turning[vehicle] / agent.speed : 0.0f;
    shown->controls.steering = kerb_clamp(curvature * agent.turning_radius, -1.0f, 1.0f);
}

static void stage_crowd_draw(kerb_stage* stage, int32_t vehicle, kerb_draw_buffer* buffer) {
    kerb_agent agent = stage_crowd_agent(stage, vehicle);
    kerb_steering now = {agent.forward, agent.speed};
    if (stage->vehicles[vehicle].visible)
        kerb_draw_steering(buffer, &agent, &now, NULL);
}

static kerb_result stage_crowd_allocate(kerb_stage* stage, int32_t count, stage_crowd** made,
                                        kerb_error* error) {
    stage_crowd* c = kerb_scene_stage_allocate(stage, sizeof *c);
    *made = c;
    if (c == NULL)
        return kerb_scene_stage_no_memory(error);
    stage->scene_data = c;
    c->count = stage->vehicle_count = count;
    return KERB_OK;
}

static kerb_result stage_crowd_made(kerb_stage* stage, stage_crowd* c, kerb_result result,
                                    kerb_error* error) {
    if (result != KERB_OK)
        return kerb_error_set(error, result, "", 0, -1, kerb_result_text(result));
    stage_crowd_remember(stage, c);
    memset(c->turning, 0, sizeof c->turning);
    return KERB_OK;
}

// --------------------------------------------------------------------------- gate, crossing

static const stage_choice stage_crowd_choices[] = {
    {.name = "count", .meaning = "number of cars", .min = 8, .max = 200, .fallback = 64}};
static const stage_choice stage_flock_choices[] = {
    {.name = "count", .meaning = "number of agents", .min = 8, .max = 256, .fallback = 200}};

static kerb_result stage_crowd_make(kerb_stage* stage, kerb_error* error) {
    stage_crowd* c = NULL;
    kerb_result result = stage_crowd_allocate(stage, stage->choices[0], &c, error);
    if (result != KERB_OK)
        return result;
    bool gate = stage->scene == &kerb_scene_stage_gate;
    for (int32_t i = 0; i < 2 && gate; i++) {
        float side = i == 0 ? STAGE_GATE_HALF : -STAGE_GATE_HALF;
        c->walls[i] = (kerb_sim_obstacle){KERB_SIM_WALL, {0.0f, side}, {0.0f, 10.0f * side}, 0.6f};
    }
    result =
        kerb_scene_crowd_create(&c->crowd, gate ? KERB_SCENE_CROWD_GATE : KERB_SCENE_CROWD_CROSSING,
                                c->count, stage->seed, &stage->arena);
    return stage_crowd_made(stage, c, result, error);
}

static void stage_crowd_again(kerb_stage* stage, stage_crowd* c) {
    for (int32_t i = 0; i < c->count; i++) {
        if (!c->crowd.is_gone[i])
            return;
    }
    kerb_scene_crowd_destroy(&c->crowd);
    c->round++;
    // The memory that it had is free again, so it cannot fail.
    (void)kerb_scene_crowd_create(&c->crowd, KERB_SCENE_CROWD_GATE, c->count,
                                  stage->seed + 1000u * (uint32_t)c->round, &stage->arena);
}

static void stage_crowd_step(kerb_stage* stage) {
    stage_crowd* c = stage->scene_data;
    kerb_scene_crowd_step(&c->crowd, KERB_STAGE_STEP);
    if (stage->scene == &kerb_scene_stage_gate)
        stage_crowd_again(stage, c);
    stage_crowd_remember(stage, c);
}

static void stage_crowd_shapes(kerb_stage* stage) {
    const stage_crowd* c = stage->scene_data;
    bool gate = stage->scene == &kerb_scene_stage_gate;
    kerb_sim_world world = {.obstacles = c->walls, .obstacle_count = gate ? 2 : 0};
    kerb_scene_stage_add_world(stage, &world, false);
    if (gate) {
        kerb_stage_mark mark = {.kind = 2, .width = 2.0f * STAGE_GATE_HALF, .vehicle = -1};
        kerb_scene_stage_add_mark(stage, &mark);
    }
    float reach = gate ? 70.0f : 100.0f;
    kerb_scene_stage_reach(stage, gate ? -60.0f : 0.0f, 0.0f, reach);
}

static const stage_figure stage_crowd_figures[] = {
    {"passed", "1"}, {"contacts", "1"}, {"smallest gap", "m"}, {"longest pause", "s"}};

static float stage_crowd_figure(const kerb_stage* stage, int32_t figure) {
    const kerb_scene_crowd_record* r = &((const stage_crowd*)stage->scene_data)->crowd.record;
    switch (figure) {
    case 0:
        return (float)r->passed;
    case 1:
        return (float)r->contacts;
    case 2:
        return r->least_gap;
    default:
        return r->longest_pause;
    }
}

static const char* stage_crowd_reason(const kerb_stage* stage, int32_t vehicle) {
    (void)vehicle;
    return stage->scene == &kerb_scene_stage_gate ? "queues: the one nearest to the gate goes first"
                                                  : "keeps its lane and lets others cross";
}

// --------------------------------------------------------------------------- flock

STAGE_TABLE(crowd, kerb_flock_settings_table)

static const stage_table stage_flock_tables[] = {
    {"flock", stage_table_of_crowd_kerb_flock_settings_table}};

static kerb_result stage_flock_make(kerb_stage* stage, kerb_error* error) {
    stage_crowd* c = NULL;
    kerb_result result = stage_crowd_allocate(stage, stage->choices[0], &c, error);
    if (result != KERB_OK)
        return result;
    result = kerb_scene_flock_create(&c->flock, c->count, stage->seed, &stage->arena);
    if (result == KERB_OK) // the scene's own settings are what its table begins with
        memcpy(stage->settings[0], &c->flock.settings, sizeof c->flock.settings);
    return stage_crowd_made(stage, c, result, error);
}

static void stage_flock_apply(kerb_stage* stage) {
    stage_crowd* c = stage->scene_data;
    memcpy(&c->flock.settings, stage->settings[0], sizeof c->flock.settings);
}

static void stage_flock_step(kerb_stage* stage) {
    stage_crowd* c = stage->scene_data;
    kerb_scene_flock_step(&c->flock, KERB_STAGE_STEP);
    stage_crowd_remember(stage, c);
}

static void stage_flock_shapes(kerb_stage* stage) {
    const stage_crowd* c = stage->scene_data;
    const float radius = c->flock.meadow.radius;
    enum { STAGE_MEADOW_SIDES = 64 };
    kerb_vec3 before = {radius, 0.0f, 0.0f};
    for (int32_t i = 1; i <= STAGE_MEADOW_SIDES; i++) {
        kerb_vec3 at = {0.0f, 0.0f, 0.0f};
        kerb_sin_cos(2.0f * KERB_PI * (float)i / (float)STAGE_MEADOW_SIDES, &at.y, &at.x);
        at = kerb_vec3_scale(at, radius);
        kerb_scene_stage_add_line(stage, before, at, KERB_STAGE_SHAPE_EDGE);
        before = at;
    }
}

static const stage_figure stage_flock_figures[] = {
    {"neighbours, mean", "1"}, {"heading agreement, mean", "1"}, {"collisions", "1"}};

static float stage_flock_figure(const kerb_stage* stage, int32_t figure) {
    const kerb_scene_flock_record* r = &((const stage_crowd*)stage->scene_data)->flock.record;
    switch (figure) {
    case 0:
        return r->looks > 0 ? (float)(r->neighbours_sum / (double)r->looks) : -1.0f;
    case 1:
        return r->agreed > 0 ? (float)(r->agreement_sum / (double)r->agreed) : -1.0f;
    default:
        return (float)r->collisions;
    }
}

static const char* stage_flock_reason(const kerb_stage* stage, int32_t vehicle) {
    (void)stage;
    (void)vehicle;
    return "keeps apart, turns as its neighbours do, and stays with them";
}

// --------------------------------------------------------------------------- ring

static int32_t stage_ring_methods(void) {
    return (int32_t)KERB_SCENE_SEEK_TWO_RADII + 1; // those in the plane
}

static const char* stage_ring_method(int32_t index) {
    return kerb_scene_seek_word((kerb_scene_seek_variant)index);
}

static const stage_choice stage_ring_choices[] = {
    {.name = "method",
     .meaning = "how they find their way: as the paper does, or better",
     .fallback = KERB_SCENE_SEEK_DUBINS,
     .count = stage_ring_methods,
     .option = stage_ring_method}};
static const stage_figure stage_ring_figures[] = {{"arrived", "1"}, {"rounds", "1"}};

static void stage_ring_begin(kerb_stage* stage, stage_crowd* c) {
    kerb_scene_seek_plan plan = {.variant = (kerb_scene_seek_variant)stage->choices[0],
                                 .radius = 6.0f,
                                 .speed = 8.0f,
                                 .hz = 60.0f,
                                 .seed = stage->seed + 1000u * (uint32_t)c->round};
    for (int32_t i = 0; i < c->count; i++) {
        kerb_scene_seek_trial trial = kerb_scene_seek_ring_trial(&plan, i);
        c->ring[i] = kerb_scene_seek_start(&trial);
        c->driving[i] = true;
    }
    c->done = 0.0f;
}

static kerb_result stage_ring_make(kerb_stage* stage, kerb_error* error) {
    stage_crowd* c = NULL;
    kerb_result result = stage_crowd_allocate(stage, KERB_SCENE_SEEK_RING, &c, error);
    if (result != KERB_OK)
        return result;
    stage_ring_begin(stage, c);
    return stage_crowd_made(stage, c, KERB_OK, error);
}

static void stage_ring_step(kerb_stage* stage) {
    stage_crowd* c = stage->scene_data;
    bool any = false;
    for (int32_t i = 0; i < c->count; i++) {
        c->driving[i] = c->driving[i] && kerb_scene_seek_step(&c->ring[i]);
        if (!c->driving[i]) // stands at its goal, which is one for all
            c->ring[i].agent.speed = 0.0f;
        any = any || c->driving[i];
    }
    c->done = any ? 0.0f : c->done + KERB_STAGE_STEP;
    if (c->done > STAGE_RING_AGAIN) {
        c->round++;
        stage_ring_begin(stage, c);
    }
    stage_crowd_remember(stage, c);
}

static void stage_ring_shapes(kerb_stage* stage) {
    const stage_crowd* c = stage->scene_data;
    const kerb_directed_goal* goal = &c->ring[0].trial.goal;
    kerb_stage_mark mark = {.kind = 1,
                            .x = goal->position.x,
                            .y = goal->position.y,
                            .heading = kerb_atan2(goal->forward.y, goal->forward.x),
                            .length = STAGE_CROWD_CAR,
                            .width = STAGE_CROWD_WIDE,
                            .vehicle = -1};
    kerb_scene_stage_add_mark(stage, &mark);
    for (int32_t i = 0; i < c->count; i++)
        kerb_scene_stage_reach(stage, c->ring[i].trial.agent.position.x,
                               c->ring[i].trial.agent.position.y, 15.0f);
}

static float stage_ring_figure(const kerb_stage* stage, int32_t figure) {
    const stage_crowd* c = stage->scene_data;
    int32_t arrived = 0;
    for (int32_t i = 0; i < c->count; i++)
        arrived += c->ring[i].result.arrived ? 1 : 0;
    return figure == 0 ? (float)arrived : (float)c->round;
}

static const char* stage_ring_reason(const kerb_stage* stage, int32_t vehicle) {
    const stage_crowd* c = stage->scene_data;
    return c->driving[vehicle] ? "drives circle, straight, circle" : "has passed its goal";
}

// --------------------------------------------------------------------------- what they are

const stage_scene kerb_scene_stage_gate = {
    .id = "groups/gate",
    .group = "Groups",
    .title = "A queue into a gate",
    .look = "Cars that cannot turn on the spot come from everywhere and pass one gate without "
            "a jam, because each lets the next one go.",
    .try_this = "Choose more cars and watch the flow through the gate stay even.",
    .choices = stage_crowd_choices,
    .choice_count = 1,
    .figures = stage_crowd_figures,
    .figure_count = 4,
    .arena_bytes = 1u << 20,
    .make = stage_crowd_make,
    .step = stage_crowd_step,
    .show = stage_crowd_show,
    .shapes = stage_crowd_shapes,
    .draw = stage_crowd_draw,
    .figure = stage_crowd_figure,
    .reason = stage_crowd_reason,
};

const stage_scene kerb_scene_stage_crossing = {
    .id = "groups/crossing",
    .group = "Groups",
    .title = "Two streams that cross",
    .look = "Two streams of four lanes each pass through each other without a signal and without "
            "touching.",
    .try_this = "Choose more cars, and see where the crossing begins to clog.",
    .choices = stage_crowd_choices,
    .choice_count = 1,
    .figures = stage_crowd_figures,
    .figure_count = 4,
    .arena_bytes = 1u << 20,
    .make = stage_crowd_make,
    .step = stage_crowd_step,
    .show = stage_crowd_show,
    .shapes = stage_crowd_shapes,
    .draw = stage_crowd_draw,
    .figure = stage_crowd_figure,
    .reason = stage_crowd_reason,
};

const stage_scene kerb_scene_stage_flock = {
    .id = "groups/flock",
    .group = "Groups",
    .title = "A flock in a meadow",
    .look = "Two hundred agents with a turning circle become one flock out of three simple urges.",
    .try_this = "Move the sliders of separation, alignment and cohesion, one after the other, to "
                "nothing.",
    .choices = stage_flock_choices,
    .choice_count = 1,
    .tables = stage_flock_tables,
    .table_count = 1,
    .figures = stage_flock_figures,
    .figure_count = 3,
    .arena_bytes = 1u << 20,
    .make = stage_flock_make,
    .apply = stage_flock_apply,
    .step = stage_flock_step,
    .show = stage_crowd_show,
    .shapes = stage_flock_shapes,
    .draw = stage_crowd_draw,
    .figure = stage_flock_figure,
    .reason = stage_flock_reason,
};

const stage_scene kerb_scene_stage_ring = {
    .id = "seek/ring",
    .group = "Directed seek",
    .title = "From a ring of poses to one",
    .look = "Thirty-six agents that face all ways arrive at one place, all facing the same way.",
    .try_this = "Choose another method: as the paper describes it, some drive a circle too many.",
    .choices = stage_ring_choices,
    .choice_count = 1,
    .figures = stage_ring_figures,
    .figure_count = 2,
    .arena_bytes = 1u << 20,
    .make = stage_ring_make,
    .step = stage_ring_step,
    .show = stage_crowd_show,
    .shapes = stage_ring_shapes,
    .draw = stage_crowd_draw,
    .figure = stage_ring_figure,
    .reason = stage_ring_reason,
};
