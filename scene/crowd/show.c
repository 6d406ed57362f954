// Scenes by name. Each kind starts, steps and reports what it measured. The rest is shared: time,
// and frames of agents that have no controls and no decision of a follower.
#include "scene/crowd/show.h"

#include "scene/crowd/airplanes.h"
#include "scene/crowd/chase.h"
#include "scene/crowd/crowd.h"
#include "scene/crowd/dogfight.h"
#include "scene/crowd/flocking.h"

#include <math.h>
#include <string.h>

#define CROWD_SHOW_JUMP 20.0f // farther in one step: it left, and came back elsewhere [m]

// What drives in a scene.
typedef struct kerb_scene_show_state {
    union {
        kerb_scene_crowd crowd;
        kerb_scene_flock flock;
        kerb_scene_seek_drive ring[KERB_SCENE_SEEK_RING];
        kerb_scene_chase chase;
        kerb_scene_dogfight dogfight;
        kerb_scene_airplanes airplanes;
    } of;
    const struct crowd_kind* kind;
    bool driving[KERB_SCENE_SHOW_MOST];     // ring: not there yet
    kerb_vec3 places[KERB_SCENE_SHOW_MOST]; // in the step before [m]
    kerb_sim_obstacle solids[2];
    float least_apart; // chase: of any two, where they are [m]
} kerb_scene_show_state;

typedef struct crowd_kind {
    const char *name, *about;
    int32_t count;
    float seconds, time_step; // time_step 0: of the plan
    float length, width;      // of what is drawn [m]
    kerb_vehicle_kind looks;
    kerb_result (*start)(kerb_scene_show* show, const kerb_scene_seek_plan* plan,
                         const kerb_host* host);
    bool (*step)(kerb_scene_show* show);                                          // false: over
    bool (*agent)(const kerb_scene_show* show, int32_t index, kerb_agent* agent); // false: absent;
                                                                                  // NULL: a vehicle
    void (*measure)(kerb_scene_show* show);
    void (*stop)(kerb_scene_show* show); // may be NULL
    void (*vehicle)(const kerb_scene_show* show, int32_t index,
                    kerb_scene_frame* frame); // where no agent is
} crowd_kind;

// --------------------------------------------------------------------------- figures

static void add_figure(kerb_scene_show* show, const char* key, const char* text, double value) {
    kerb_scene_show_figure figure = {key, text, value};
    show->figures[show->figure_count++] = figure;
}

// --------------------------------------------------------------------------- gate, crossing

static kerb_result start_crowd(kerb_scene_show* show, kerb_scene_crowd_kind which, uint64_t seed,
                               const kerb_host* host) {
    return kerb_scene_crowd_create(&show->state->of.crowd, which, show->count, seed, host);
}

static kerb_result start_gate(kerb_scene_show* show, const kerb_scene_seek_plan* plan,
                              const kerb_host* host) {
    for (int32_t i = 0; i < 2; i++) {
        float side = i == 0 ? 1.0f : -1.0f;
        show->state->solids[i] =
            (kerb_sim_obstacle){KERB_SIM_WALL, {0.0f, 6.0f * side}, {0.0f, 60.0f * side}, 0.6f};
    }
    show->course.world.obstacles = show->state->solids;
    show->course.world.obstacle_count = 2;
    return start_crowd(show, KERB_SCENE_CROWD_GATE, plan->seed, host);
}

static kerb_result start_crossing(kerb_scene_show* show, const kerb_scene_seek_plan* plan,
                                  const kerb_host* host) {
    return start_crowd(show, KERB_SCENE_CROWD_CROSSING, plan->seed, host);
}

static bool step_crossing(kerb_scene_show* show) {
    kerb_scene_crowd_step(&show->state->of.crowd, (float)show->time_step);
    return true;
}

// Goes on until the last one has left, too.
static bool step_gate(kerb_scene_show* show) {
    kerb_scene_crowd* crowd = &show->state->of.crowd;
    kerb_scene_crowd_step(crowd, (float)show->time_step);
    for (int32_t i = 0; i < crowd->agents.count; i++) {
        if (!crowd->is_gone[i])
            return true;
    }
    return false;
}

static bool crowd_agent(const kerb_scene_show* show, int32_t index, kerb_agent* agent) {
    const kerb_scene_crowd* crowd = &show->state->of.crowd;
    *agent = kerb_agents_get(&crowd->agents, index);
    return !crowd->is_gone[index];
}

// No lane may starve, however well the others flow. [s]
#define LANE_PAUSE_MOST 60.0f

static void measure_crowd(kerb_scene_show* show) {
    const kerb_scene_crowd_record* record = &show->state->of.crowd.record;
    add_figure(show, "passed", "passed", record->passed);
    add_figure(show, "passed_per_min", "passed per minute",
               60.0 * record->passed / (double)kerb_max(record->last_pass, 1.0f));
    add_figure(show, "contacts", "contacts", record->contacts);
    add_figure(show, "gap_min_m", "smallest gap, m", (double)record->least_gap);
    add_figure(show, "longest_pause_s", "longest pause, s", (double)record->longest_pause);
    bool is_crossing = show->state->of.crowd.kind == KERB_SCENE_CROWD_CROSSING;
    if (is_crossing)
        add_figure(show, "longest_lane_pause_s", "longest pause of a lane, s",
                   (double)record->longest_lane_pause);
    bool all = is_crossing || record->passed == show->count;
    show->succeeded = all && record->contacts == 0 && record->longest_pause <= 10.0f &&
                      record->longest_lane_pause <= LANE_PAUSE_MOST;
}

static void stop_crowd(kerb_scene_show* show) {
    kerb_scene_crowd_destroy(&show->state->of.crowd);
}

// --------------------------------------------------------------------------- flock

static kerb_result start_flock(kerb_scene_show* show, const kerb_scene_seek_plan* plan,
                               const kerb_host* host) {
    return kerb_scene_flock_create(&show->state->of.flock, show->count, plan->seed, host);
}

static bool step_flock(kerb_scene_show* show) {
    kerb_scene_flock_step(&show->state->of.flock, (float)show->time_step);
    return true;
}

static bool flock_agent(const kerb_scene_show* show, int32_t index, kerb_agent* agent) {
    *agent = kerb_agents_get(&show->state->of.flock.agents, index);
    return true;
}

static double crowd_show_mean(double sum, int64_t count) {
    return count > 0 ? sum / (double)count : 0.0;
}

static void measure_flock(kerb_scene_show* show) {
    const kerb_scene_flock_record* record = &show->state->of.flock.record;
    double agreement = crowd_show_mean(record->agreement_sum, record->agreed);
    add_figure(show, "neighbours_mean", "neighbours, mean",
               crowd_show_mean(record->neighbours_sum, record->looks));
    add_figure(show, "heading_agreement_mean", "heading agreement, mean", agreement);
    add_figure(show, "collisions", "collisions", record->collisions);
    show->succeeded = agreement > 0.8;
}

static void stop_flock(kerb_scene_show* show) {
    kerb_scene_flock_destroy(&show->state->of.flock);
}

// --------------------------------------------------------------------------- ring

static kerb_result start_ring(kerb_scene_show* show, const kerb_scene_seek_plan* plan,
                              const kerb_host* host) {
    (void)host;
    for (int32_t i = 0; i < show->count; i++) {
        kerb_scene_seek_trial trial = kerb_scene_seek_ring_trial(plan, i);
        show->state->of.ring[i] = kerb_scene_seek_start(&trial);
        show->state->driving[i] = true;
    }
    return KERB_OK;
}

static bool step_ring(kerb_scene_show* show) {
    bool any = false;
    for (int32_t i = 0; i < show->count; i++) {
        bool* driving = &show->state->driving[i];
        *driving = *driving && kerb_scene_seek_step(&show->state->of.ring[i]);
        any = any || *driving;
    }
    return any;
}

static bool ring_agent(const kerb_scene_show* show, int32_t index, kerb_agent* agent) {
    *agent = show->state->of.ring[index].agent;
    return show->state->driving[index];
}

static void measure_ring(kerb_scene_show* show) {
    int32_t arrived = 0;
    for (int32_t i = 0; i < show->count; i++)
        arrived += show->state->of.ring[i].result.arrived ? 1 : 0;
    add_figure(show, "arrived", "arrived", arrived);
    show->succeeded = arrived == show->count;
}

// --------------------------------------------------------------------------- vehicles of a chase

static kerb_result start_named(kerb_scene_show* show, const char* name, uint64_t seed) {
    kerb_scene_chase* chase = &show->state->of.chase;
    if (!kerb_scene_chase_make(name, seed, chase))
        return KERB_ERROR_UNKNOWN_FIELD;
    show->count = chase->count;
    show->course.world = chase->world;
    show->state->least_apart = 1.0e6f;
    static const char* const roles[] = {"target", "police", "first", "column", NULL, "formation"};
    for (int32_t i = 0; i < show->count; i++) {
        show->vehicles[i] = chase->cars[i].model.vehicle;
        const char* role = roles[chase->cars[i].part];
        show->roles[i] = role ? role : chase->cars[i].model.name;
        show->marked[i] = chase->cars[i].part == (int32_t)KERB_SCENE_CHASE_TARGET ||
                          chase->cars[i].part == (int32_t)KERB_SCENE_CHASE_FIRST;
    }
    return KERB_OK;
}

static kerb_result start_chase(kerb_scene_show* show, const kerb_scene_seek_plan* plan,
                               const kerb_host* host) {
    (void)host;
    return start_named(show, show->name, plan->seed);
}

static kerb_result start_police_chase(kerb_scene_show* show, const kerb_scene_seek_plan* plan,
                                      const kerb_host* host) {
    (void)host;
    return start_named(show, "police-chase", plan->seed);
}

static void note_distances(kerb_scene_show* show) {
    for (int32_t i = 1; i < show->count; i++) {
        for (int32_t k = 0; k < i; k++) {
            kerb_vec3 way =
                kerb_vec3_sub(show->frames[i].motion.position, show->frames[k].motion.position);
            show->state->least_apart = kerb_min(show->state->least_apart, kerb_vec3_length(way));
        }
    }
}

static void chase_frame(const kerb_scene_show* show, int32_t index, kerb_scene_frame* frame) {
    const kerb_scene_chase_car* car = &show->state->of.chase.cars[index];
    frame->motion = kerb_sim_vehicle_motion(&car->vehicle);
    frame->controls = car->controls;
}

static bool step_chase(kerb_scene_show* show) {
    note_distances(show);
    kerb_scene_chase_step(&show->state->of.chase, (float)show->time_step);
    return !show->state->of.chase.done;
}

static void measure_contacts(kerb_scene_show* show) {
    const kerb_scene_chase* chase = &show->state->of.chase;
    add_figure(show, "hard_contacts", "contacts above 3 m/s", chase->hard_contacts);
    add_figure(show, "hard_among_equals", "of these within one side", chase->hard_among_equals);
}

static void measure_boxed_in(kerb_scene_show* show) {
    const kerb_scene_chase* chase = &show->state->of.chase;
    add_figure(show, "boxed_in", "boxed in", chase->done ? 1.0 : 0.0);
    add_figure(show, "boxed_in_s", "boxed in after, s",
               chase->done ? chase->done_time : (double)NAN);
    measure_contacts(show);
    show->succeeded = chase->done;
}

static void measure_convoy(kerb_scene_show* show) {
    add_figure(show, "apart_min_m", "smallest distance, m", (double)show->state->least_apart);
    measure_contacts(show);
    show->succeeded = show->state->of.chase.hard_contacts == 0;
}

static void measure_formation(kerb_scene_show* show) {
    float off = show->state->of.chase.off_place;
    add_figure(show, "off_place_max_m", "off its place, at most, m", (double)off);
    add_figure(show, "apart_min_m", "smallest distance, m", (double)show->state->least_apart);
    measure_contacts(show);
    show->succeeded = show->state->of.chase.hard_contacts == 0 && off < 2.0f;
}

static void measure_arrivals(kerb_scene_show* show) {
    const kerb_scene_chase* chase = &show->state->of.chase;
    int32_t parked = 0;
    for (int32_t i = 0; i < chase->count; i++)
        parked += chase->cars[i].parker.phase == (int32_t)KERB_PARKER_ARRIVED ? 1 : 0;
    add_figure(show, "arrived", "arrived", parked);
    measure_contacts(show);
    show->succeeded = chase->done && chase->hard_contacts == 0;
}

// --------------------------------------------------------------------------- airplanes

static kerb_result start_airplanes(kerb_scene_show* show, const kerb_scene_seek_plan* plan,
                                   const kerb_host* host) {
    (void)host;
    kerb_scene_airplanes* scene = &show->state->of.airplanes;
    kerb_scene_airplanes_make(scene, plan->seed);
    // The gate's posts, as wide as it takes to be seen from above.
    kerb_vec2 middle = {scene->gate.position.x, scene->gate.position.y};
    kerb_vec2 left = {-scene->gate.forward.y, scene->gate.forward.x};
    for (int32_t i = 0; i < 2; i++) {
        float side = i == 0 ? 1.0f : -1.0f;
        show->state->solids[i] = (kerb_sim_obstacle){
            KERB_SIM_WALL, kerb_vec2_add(middle, kerb_vec2_scale(left, 30.0f * side)),
            kerb_vec2_add(middle, kerb_vec2_scale(left, 90.0f * side)), 10.0f};
    }
    show->course.world.obstacles = show->state->solids;
    show->course.world.obstacle_count = 2;
    return KERB_OK;
}

static bool step_airplanes(kerb_scene_show* show) {
    const kerb_scene_airplanes* scene = &show->state->of.airplanes;
    kerb_scene_airplanes_step(&show->state->of.airplanes, (float)show->time_step);
    for (int32_t i = 0; i < KERB_SCENE_AIRPLANES; i++) {
        if (!kerb_scene_airplanes_is_gone(scene, i))
            return true;
    }
    return false;
}

static void airplane_frame(const kerb_scene_show* show, int32_t index, kerb_scene_frame* frame) {
    const kerb_scene_airplanes* scene = &show->state->of.airplanes;
    frame->absent = kerb_scene_airplanes_is_gone(scene, index);
    if (frame->absent)
        return;
    frame->motion = kerb_scene_airplanes_motion(scene, index);
    frame->controls = scene->airplanes[index].pilot.controls;
}

static void measure_airplanes(kerb_scene_show* show) {
    const kerb_scene_airplanes* scene = &show->state->of.airplanes;
    double position = 0.0, heading = 0.0;
    for (int32_t i = 0; i < KERB_SCENE_AIRPLANES; i++) {
        bool passed = scene->airplanes[i].passed > 0.0f;
        position = fmax(position, passed ? scene->airplanes[i].off_gate : 0.0);
        heading = fmax(heading, passed ? scene->airplanes[i].off_heading : 0.0);
    }
    double path = crowd_show_mean(scene->record.path_error_sum, scene->record.looks);
    add_figure(show, "path_error_mean_m", "path error, mean, m", path);
    add_figure(show, "path_error_max_m", "path error, greatest, m", scene->record.path_error_max);
    add_figure(show, "arrived", "arrived", scene->record.arrived);
    add_figure(show, "arrival_error_max_m", "off the gate, at most, m", position);
    add_figure(show, "arrival_error_max_deg", "off its direction, degrees",
               heading * 57.29577951308232);
    show->succeeded = scene->record.arrived == KERB_SCENE_AIRPLANES && path < 2.0 &&
                      position < 3.0 && heading < 0.02;
}

// --------------------------------------------------------------------------- dogfight

static kerb_result start_dogfight(kerb_scene_show* show, const kerb_scene_seek_plan* plan,
                                  const kerb_host* host) {
    (void)host;
    show->state->of.dogfight = kerb_scene_dogfight_make(plan->seed);
    for (int32_t i = 0; i < show->count; i++) {
        show->roles[i] = i % 2 == 0 ? "prey" : "hunter";
        show->marked[i] = i % 2 == 0;
    }
    return KERB_OK;
}

static bool step_dogfight(kerb_scene_show* show) {
    kerb_scene_dogfight_step(&show->state->of.dogfight, (float)show->time_step);
    return true;
}

static bool dogfight_agent(const kerb_scene_show* show, int32_t index, kerb_agent* agent) {
    const kerb_scene_dogfight* fight = &show->state->of.dogfight;
    *agent = index % 2 == 0 ? fight->prey[index / 2] : fight->hunters[index / 2];
    return true;
}

static void measure_dogfight(kerb_scene_show* show) {
    const kerb_scene_dogfight* fight = &show->state->of.dogfight;
    double share = 100.0 * fight->behind / (KERB_SCENE_DOGFIGHT_PAIRS * show->time);
    bool all = fight->first_behind > 0.0;
    add_figure(show, "behind_percent", "behind the prey, %", share);
    double in_arc = 100.0 * fight->aiming / (KERB_SCENE_DOGFIGHT_PAIRS * show->time);
    add_figure(show, "in_arc_percent", "prey in the arc of fire, %", in_arc);
    add_figure(show, "in_arc_longest_s", "longest in the arc, s", fight->aiming_longest);
    add_figure(show, "all_behind_s", "all were behind once after, s",
               all ? fight->first_behind : (double)NAN);
    show->succeeded = all && in_arc > 50.0;
}

// --------------------------------------------------------------------------- all of them

static const crowd_kind crowd_show_kinds[] = {
    {"ring", "arrivals at one pose from a ring of poses", KERB_SCENE_SEEK_RING, 600.0f, 0.0f, 3.0f,
     1.4f, KERB_VEHICLE_WHEELED, start_ring, step_ring, ring_agent, measure_ring, NULL, NULL},
    {"gate", "200 cars queue into a gate", 200, 600.0f, 0.05f, 4.2f, 1.8f, KERB_VEHICLE_WHEELED,
     start_gate, step_gate, crowd_agent, measure_crowd, stop_crowd, NULL},
    {"crossing", "64 cars in streams that cross", 64, 600.0f, 0.05f, 4.2f, 1.8f,
     KERB_VEHICLE_WHEELED, start_crossing, step_crossing, crowd_agent, measure_crowd, stop_crowd,
     NULL},
    {"flock", "200 agents flock in a round meadow", 200, 120.0f, 0.05f, 1.0f, 0.5f,
     KERB_VEHICLE_HOVER, start_flock, step_flock, flock_agent, measure_flock, stop_flock, NULL},
    {"chase", "four police cars box in one among houses", 0, 90.0f, 1.0f / 60.0f, 0.0f, 0.0f,
     KERB_VEHICLE_WHEELED, start_police_chase, step_chase, NULL, measure_boxed_in, NULL,
     chase_frame},
    {"field-chase", "four cars box in one on a walled field", 0, 90.0f, 1.0f / 60.0f, 0.0f, 0.0f,
     KERB_VEHICLE_WHEELED, start_chase, step_chase, NULL, measure_boxed_in, NULL, chase_frame},
    {"convoy", "six pick-ups in column through bends", 0, 42.0f, 1.0f / 60.0f, 0.0f, 0.0f,
     KERB_VEHICLE_WHEELED, start_chase, step_chase, NULL, measure_convoy, NULL, chase_frame},
    {"formation", "six pick-ups in two rows of three through a bend of 90 degrees", 0, 30.0f,
     1.0f / 60.0f, 0.0f, 0.0f, KERB_VEHICLE_WHEELED, start_chase, step_chase, NULL,
     measure_formation, NULL, chase_frame},
    {"arrivals", "pick-ups and tanks park on a ring of poses", 0, 120.0f, 1.0f / 60.0f, 0.0f, 0.0f,
     KERB_VEHICLE_WHEELED, start_chase, step_chase, NULL, measure_arrivals, NULL, chase_frame},
    {"dogfight", "three airplanes get three others into their arc of fire",
     2 * KERB_SCENE_DOGFIGHT_PAIRS, 90.0f, 1.0f / 60.0f, 8.0f, 10.0f, KERB_VEHICLE_HOVER,
     start_dogfight, step_dogfight, dogfight_agent, measure_dogfight, NULL, NULL},
    {"airplanes", "six airplanes follow a path in space, then fly through a gate",
     KERB_SCENE_AIRPLANES, 240.0f, 1.0f / 60.0f, 7.57f, 10.59f, KERB_VEHICLE_HOVER, start_airplanes,
     step_airplanes, NULL, measure_airplanes, NULL, airplane_frame},
};

int32_t kerb_scene_show_count(void) {
    return (int32_t)(sizeof crowd_show_kinds / sizeof crowd_show_kinds[0]);
}

const char* kerb_scene_show_name(int32_t index) {
    return crowd_show_kinds[index].name;
}

const char* kerb_scene_show_about(int32_t index) {
    return crowd_show_kinds[index].about;
}

static const crowd_kind* kind_named(const char* name) {
    for (int32_t i = 0; i < kerb_scene_show_count(); i++) {
        if (strcmp(crowd_show_kinds[i].name, name) == 0)
            return &crowd_show_kinds[i];
    }
    return NULL;
}

// --------------------------------------------------------------------------- frames

// Wheels turned as much as the way bends.
static float steering_of(const kerb_agent* agent, float turned, float moved) {
    return moved > 1e-3f ? kerb_clamp(turned / moved * agent->turning_radius, -1.0f, 1.0f) : 0.0f;
}

static kerb_motion crowd_show_motion_of(const kerb_agent* agent, const kerb_motion* before,
                                        float moved) {
    float heading = kerb_atan2(agent->forward.y, agent->forward.x);
    float turned = kerb_wrap_angle(heading - kerb_quat_heading(before->rotation));
    kerb_motion motion = kerb_motion_default();
    motion.position = agent->position;
    float level = kerb_vec2_length(kerb_vec2_make(agent->forward.x, agent->forward.y));
    motion.rotation = kerb_quat_from_angles(heading, -kerb_atan2(agent->forward.z, level), 0.0f);
    motion.velocity = kerb_vec3_scale(agent->forward, agent->speed);
    motion.steering = steering_of(agent, turned, moved);
    motion.gear = agent->speed < 0.0f ? -1 : 1;
    return motion;
}

static void show_agent(kerb_scene_show* show, int32_t i) {
    kerb_scene_frame* frame = &show->frames[i];
    kerb_vec3* place = &show->state->places[i];
    kerb_agent agent;
    frame->absent = !show->state->kind->agent(show, i, &agent);
    if (frame->absent)
        return;
    float moved = kerb_vec3_length(kerb_vec3_sub(agent.position, *place));
    *place = agent.position;
    // A replay moves everything evenly from frame to frame, so it must not see who comes back.
    if (show->time > 0.0 && moved > CROWD_SHOW_JUMP)
        frame->absent = true;
    else
        frame->motion = crowd_show_motion_of(&agent, &frame->motion, moved);
}

static void show_all(kerb_scene_show* show) {
    for (int32_t i = 0; i < show->count; i++) {
        kerb_scene_frame* frame = &show->frames[i];
        frame->time = show->time;
        frame->inside_corridor = true;
        if (show->state->kind->agent)
            show_agent(show, i);
        else
            show->state->kind->vehicle(show, i, frame);
        frame->thoughts.nearest = frame->thoughts.target = frame->motion.position;
    }
}

static kerb_vehicle vehicle_of(const crowd_kind* k) {
    kerb_vehicle vehicle = kerb_vehicle_default();
    vehicle.kind = (int32_t)k->looks;
    vehicle.length = k->length;
    vehicle.width = k->width;
    vehicle.reference_to_front = 0.5f * k->length;
    vehicle.wheelbase = 0.6f * k->length;
    vehicle.reference_to_rear_axle = 0.3f * k->length;
    return vehicle;
}

// --------------------------------------------------------------------------- making, stepping

static void describe(kerb_scene_show* show, const crowd_kind* k, const kerb_scene_seek_plan* plan) {
    show->name = k->name;
    show->count = k->count;
    show->seconds = (double)k->seconds;
    show->time_step = k->time_step > 0.0f ? (double)k->time_step : 1.0 / (double)plan->hz;
    strncpy(show->course.name, k->name, sizeof show->course.name - 1);
    strncpy(show->course.about, k->about, sizeof show->course.about - 1);
    show->course.speed = 10.0f;
    show->state->kind = k;
    for (int32_t i = 0; i < k->count; i++) {
        show->vehicles[i] = vehicle_of(k);
        show->frames[i].motion = kerb_motion_default();
    }
}

kerb_result kerb_scene_show_make(kerb_scene_show** out, const char* name,
                                 const kerb_scene_seek_plan* plan, const kerb_host* host) {
    const kerb_allocator* allocator = &host->allocator;
    size_t size = sizeof(kerb_scene_show) + sizeof(kerb_scene_show_state);
    const crowd_kind* k = kind_named(name);
    *out = NULL;
    if (!k)
        return KERB_ERROR_UNKNOWN_FIELD;
    kerb_scene_show* show = allocator->allocate(allocator->context, size, sizeof(double));
    if (!show)
        return KERB_ERROR_OUT_OF_MEMORY;
    memset(show, 0, size);
    show->state = (kerb_scene_show_state*)(show + 1);
    describe(show, k, plan);
    kerb_result result = k->start(show, plan, host);
    if (result == KERB_OK) {
        show_all(show);
        *out = show;
    } else {
        allocator->release(allocator->context, show, size);
    }
    return result;
}

bool kerb_scene_show_step(kerb_scene_show* show) {
    const crowd_kind* k = show->state->kind;
    bool goes_on = k->step(show);
    show->time += show->time_step;
    goes_on = goes_on && show->time + 0.5 * show->time_step < show->seconds;
    show_all(show);
    if (!goes_on)
        k->measure(show);
    return goes_on;
}

void kerb_scene_show_free(kerb_scene_show* show, const kerb_host* host) {
    if (!show)
        return;
    if (show->state->kind->stop)
        show->state->kind->stop(show);
    host->allocator.release(host->allocator.context, show,
                            sizeof(kerb_scene_show) + sizeof(kerb_scene_show_state));
}
