// Purpose: city traffic on lanes with junctions, signals and claims (scene/city/).
// Idea:    Network and routes never change, so they are fixed. The block of traffic has no
//          pointers, so it is moved into the arena as it is, and a snapshot copies it.
// Cost:    that of a step of traffic: some 0.2 us for each vehicle.
#include "scene/stage/stage_rooms.h"

#include "scene/city/city_plan.h"
#include "scene/city/city_run.h"

#include <string.h>

#define STAGE_CITY_VEHICLES 240
#define STAGE_CITY_GRID 5       // crossings on a side
#define STAGE_CITY_RING 6       // length [100 m]
#define STAGE_CITY_SPACING 6.0f // of the shape of a lane, at most [m]

enum { CITY_CAR, CITY_TRUCK, CITY_BUS, CITY_KINDS };

// Six of eight are cars.
static const int32_t stage_city_kinds[] = {CITY_CAR, CITY_CAR, CITY_CAR, CITY_TRUCK,
                                           CITY_CAR, CITY_CAR, CITY_CAR, CITY_BUS};
enum { STAGE_CITY_TYPES = sizeof stage_city_kinds / sizeof stage_city_kinds[0] };

typedef struct stage_city {
    kerb_scene_city_run run;
    kerb_network_plan plan; // fixed
    kerb_traffic_type types[STAGE_CITY_TYPES];
    kerb_vehicle looks[CITY_KINDS]; // for wheels
} stage_city;

static int32_t stage_city_networks(void) {
    int32_t count = 0;
    while (kerb_scene_city_name(count) != NULL)
        count++;
    return count;
}

static const stage_choice stage_city_choices[] = {
    {.name = "network",
     .meaning = "which town",
     .count = stage_city_networks,
     .option = kerb_scene_city_name},
    {.name = "count",
     .meaning = "number of vehicles; one that arrives departs anew",
     .min = 1,
     .max = STAGE_CITY_VEHICLES,
     .fallback = 160},
    {.name = "left", .meaning = "1: traffic keeps left", .min = 0, .max = 1},
};
static const stage_figure stage_city_figures[] = {{"driving", "1"},
                                                  {"mean speed", "m/s"},
                                                  {"standing", "%"},
                                                  {"arrived", "1"},
                                                  {"asked for help", "1"}};

// --------------------------------------------------------------------------- made

static kerb_traffic_type stage_city_type(int32_t kind) {
    kerb_traffic_type type = kerb_traffic_car();
    if (kind == CITY_CAR)
        return type;
    type.length = kind == CITY_BUS ? 10.5f : 7.5f;
    type.width = kind == CITY_BUS ? 2.5f : 2.3f;
    type.acceleration *= 0.6f;
    type.top_speed = 25.0f;
    return type;
}

static kerb_vehicle stage_city_look(const kerb_traffic_type* type) {
    kerb_vehicle v = kerb_vehicle_default();
    v.length = type->length;
    v.width = type->width;
    v.wheelbase = 0.6f * type->length;
    v.reference_to_front = 0.5f * type->length; // its middle
    v.reference_to_rear_axle = 0.5f * v.wheelbase;
    return v;
}

static void* stage_city_keep(kerb_stage* stage, const void* items, int32_t count, size_t size) {
    void* kept = kerb_scene_stage_fix(stage, (size_t)(count + 1) * size);
    if (kept != NULL && count > 0)
        memcpy(kept, items, (size_t)count * size);
    return kept;
}

// Copies the plan, so that all of its memory is the stage's.
static bool stage_city_plan(kerb_stage* stage, stage_city* c) {
    kerb_scene_city city;
    const char* name = kerb_scene_city_name(stage->choices[0]);
    const int32_t size = strcmp(name, "grid") == 0 ? STAGE_CITY_GRID : STAGE_CITY_RING;
    if (!kerb_scene_city_make(&city, name, size, stage->choices[2] != 0))
        return false;
    kerb_network_plan* p = &c->plan;
    *p = city.plan;
    p->edges = stage_city_keep(stage, p->edges, p->edge_count, sizeof *p->edges);
    p->lanes = stage_city_keep(stage, p->lanes, p->lane_count, sizeof *p->lanes);
    p->turns = stage_city_keep(stage, p->turns, p->turn_count, sizeof *p->turns);
    p->junctions = stage_city_keep(stage, p->junctions, p->junction_count, sizeof *p->junctions);
    p->signals = stage_city_keep(stage, p->signals, p->signal_count, sizeof *p->signals);
    p->phases = stage_city_keep(stage, p->phases, p->phase_count, sizeof *p->phases);
    p->states = stage_city_keep(stage, p->states, p->state_count, sizeof *p->states);
    p->points = stage_city_keep(stage, p->points, p->point_count, sizeof *p->points);
    kerb_scene_city_free(&city);
    return p->edges && p->lanes && p->turns && p->junctions && p->signals && p->phases &&
           p->states && p->points;
}

static kerb_result stage_city_make(kerb_stage* stage, kerb_error* error) {
    stage_city* c = kerb_scene_stage_allocate(stage, sizeof *c);
    if (c == NULL || !stage_city_plan(stage, c))
        return kerb_scene_stage_no_memory(error);
    stage->scene_data = c;
    stage->vehicle_count = stage->choices[1];
    for (int32_t i = 0; i < STAGE_CITY_TYPES; i++) {
        c->types[i] = stage_city_type(stage_city_kinds[i]);
        c->looks[stage_city_kinds[i]] = stage_city_look(&c->types[i]);
    }
    const kerb_scene_city_set_up set_up = {.types = c->types,
                                           .type_count = STAGE_CITY_TYPES,
                                           .vehicles = stage->vehicle_count,
                                           .dt = KERB_STAGE_STEP,
                                           .seed = stage->seed};
    kerb_result result = kerb_scene_city_run_make(&c->run, &c->plan, &set_up, &stage->fixed, error);
    if (result != KERB_OK)
        return result;
    void* block = kerb_scene_stage_allocate(stage, c->run.traffic.bytes);
    if (block == NULL)
        return kerb_scene_stage_no_memory(error);
    memcpy(block, c->run.traffic.memory, c->run.traffic.bytes);
    stage->fixed.allocator.release(stage->fixed.allocator.context, c->run.traffic.memory,
                                   c->run.traffic.bytes);
    c->run.traffic.memory = block;
    return KERB_OK;
}

static void stage_city_step(kerb_stage* stage) {
    stage_city* c = stage->scene_data;
    kerb_scene_city_run_step(&c->run);
}

// --------------------------------------------------------------------------- shown

static kerb_traffic_vehicle stage_city_vehicle(const kerb_stage* stage, int32_t vehicle) {
    const stage_city* c = stage->scene_data;
    return kerb_traffic_vehicle_of(&c->run.traffic, &c->run.network, vehicle);
}

static bool stage_city_is_out(const kerb_traffic_vehicle* v) {
    return v->stage == KERB_TRAFFIC_DRIVING || v->stage == KERB_TRAFFIC_STOPPING;
}

static void stage_city_show(const kerb_stage* stage, int32_t vehicle, stage_shown* shown) {
    static const int32_t looks[CITY_KINDS] = {KERB_STAGE_CAR, KERB_STAGE_TRUCK, KERB_STAGE_BUS};
    const stage_city* c = stage->scene_data;
    const kerb_traffic_vehicle v = stage_city_vehicle(stage, vehicle);
    shown->role = KERB_STAGE_TRAFFIC;
    shown->hidden = !stage_city_is_out(&v);
    shown->colour = vehicle % 6;
    if (shown->hidden)
        return;
    const int32_t kind = stage_city_kinds[v.type];
    const kerb_vec3 along = kerb_vec3_sub(v.position, v.rear);
    const float flat = kerb_sqrt(along.x * along.x + along.y * along.y);
    const kerb_vec3 forward = kerb_vec3_unit(along, kerb_vec3_make(1.0f, 0.0f, 0.0f));
    shown->vehicle = &c->looks[kind];
    shown->look = looks[kind];
    shown->motion.position = kerb_vec3_scale(kerb_vec3_add(v.position, v.rear), 0.5f);
    shown->motion.rotation =
        kerb_quat_from_angles(v.heading, kerb_atan2(along.z, kerb_max(flat, 0.01f)), 0.0f);
    shown->motion.velocity = kerb_vec3_scale(forward, v.speed);
    shown->controls.throttle = kerb_clamp(v.acceleration / 2.0f, 0.0f, 1.0f);
    shown->controls.brake = kerb_clamp(-v.acceleration / 6.0f, 0.0f, 1.0f);
    shown->controls.gear = 1;
    shown->target_speed = kerb_network_segment_of(&c->run.network, v.segment).speed_limit;
    shown->cross_track_error = v.left;
    shown->progress = v.station;
}

static const char* stage_city_reason(const kerb_stage* stage, int32_t vehicle) {
    static const char* const texts[] = {"drives as it wants",
                                        "behind the vehicle ahead",
                                        "waits for its signal",
                                        "gives way",
                                        "another has claimed the crossing",
                                        "no room behind the junction",
                                        "keeps the last place in a ring of roads free",
                                        "must change lanes first",
                                        "stops"};
    const kerb_traffic_vehicle v = stage_city_vehicle(stage, vehicle);
    if (!stage_city_is_out(&v))
        return "waits to depart";
    return texts[v.wait];
}

static void stage_city_shape(kerb_stage* stage, int32_t segment, bool edges) {
    const stage_city* c = stage->scene_data;
    const kerb_network* network = &c->run.network;
    const kerb_network_segment s = kerb_network_segment_of(network, segment);
    const int32_t parts = 1 + (int32_t)(s.length / STAGE_CITY_SPACING);
    const float half = 0.5f * s.width;
    kerb_vec3 right = kerb_network_at(network, segment, 0.0f, -half).position;
    kerb_vec3 left = kerb_network_at(network, segment, 0.0f, half).position;
    for (int32_t i = 1; i <= parts; i++) {
        const float station = s.length * (float)i / (float)parts;
        const kerb_vec3 on_right = kerb_network_at(network, segment, station, -half).position;
        const kerb_vec3 on_left = kerb_network_at(network, segment, station, half).position;
        const kerb_vec3 corners[4] = {right, on_right, on_left, left};
        kerb_scene_stage_add_quad(stage, corners, KERB_STAGE_SHAPE_ROAD);
        if (edges) {
            kerb_scene_stage_add_line(stage, right, on_right,
                                      s.right < 0 ? KERB_STAGE_SHAPE_EDGE
                                                  : KERB_STAGE_SHAPE_MIDDLE);
            kerb_scene_stage_add_line(stage, left, on_left,
                                      s.left < 0 ? KERB_STAGE_SHAPE_EDGE : KERB_STAGE_SHAPE_MIDDLE);
        }
        right = on_right;
        left = on_left;
    }
}

static void stage_city_shapes(kerb_stage* stage) {
    const stage_city* c = stage->scene_data;
    const kerb_network_size size = kerb_network_size_of(&c->run.network);
    for (int32_t i = 0; i < size.lanes + size.turns; i++)
        stage_city_shape(stage, i, i < size.lanes);
}

// The stop line of each signal in its colour, and what the vehicle has claimed.
static void stage_city_draw(kerb_stage* stage, int32_t vehicle, kerb_draw_buffer* buffer) {
    const stage_city* c = stage->scene_data;
    const kerb_network* network = &c->run.network;
    const kerb_network_size size = kerb_network_size_of(network);
    for (int32_t i = 0; i < size.turns; i++) {
        const kerb_network_segment s = kerb_network_segment_of(network, size.lanes + i);
        if (s.signal < 0)
            continue;
        const char letter = kerb_traffic_signal(&c->run.traffic, network, i);
        const bool green = letter == 'g' || letter == 'G';
        const float share = 0.5f * s.width;
        kerb_scene_stage_draw_line(buffer,
                                   kerb_network_at(network, size.lanes + i, 0.0f, -share).position,
                                   kerb_network_at(network, size.lanes + i, 0.0f, share).position,
                                   green ? KERB_DRAW_ACCELERATING : KERB_DRAW_BRAKING);
    }
    if (vehicle < 0)
        return;
    const kerb_traffic_vehicle v = stage_city_vehicle(stage, vehicle);
    if (!stage_city_is_out(&v) || v.next_turn < 0)
        return;
    const int32_t turn = size.lanes + v.next_turn;
    const float length = kerb_network_length(network, turn);
    kerb_vec3 before = v.position;
    for (int32_t i = 0; i <= 8; i++) {
        const kerb_vec3 next = kerb_network_at(network, turn, length * (float)i / 8.0f, 0).position;
        kerb_scene_stage_draw_line(buffer, before, next,
                                   v.claims > 0 ? KERB_DRAW_PLANNED_PATH : KERB_DRAW_PATH);
        before = next;
    }
}

static float stage_city_figure(const kerb_stage* stage, int32_t figure) {
    const stage_city* c = stage->scene_data;
    const kerb_traffic_counts counts = kerb_traffic_counts_of(&c->run.traffic);
    float speed = 0.0f, standing = 0.0f, out = 0.0f;
    for (int32_t i = 0; i < stage->vehicle_count; i++) {
        const kerb_traffic_vehicle v = stage_city_vehicle(stage, i);
        if (!stage_city_is_out(&v))
            continue;
        out += 1.0f;
        speed += v.speed;
        standing += v.speed < 0.1f ? 1.0f : 0.0f;
    }
    switch (figure) {
    case 0:
        return out;
    case 1:
        return out > 0.0f ? speed / out : 0.0f;
    case 2:
        return out > 0.0f ? 100.0f * standing / out : 0.0f;
    case 3:
        return (float)counts.arrived;
    default:
        return (float)counts.asked;
    }
}

const stage_scene kerb_scene_stage_city = {
    .id = "road/city",
    .group = "City",
    .title = "City traffic that cannot lock",
    .look = "Lanes, signals and right of way: everybody enters a junction only when there is room "
            "to leave it.",
    .try_this = "Fill the town with vehicles, click one and read what it waits for.",
    .choices = stage_city_choices,
    .choice_count = 3,
    .figures = stage_city_figures,
    .figure_count = 5,
    .arena_bytes = 1u << 20,
    .make = stage_city_make,
    .step = stage_city_step,
    .show = stage_city_show,
    .shapes = stage_city_shapes,
    .draw = stage_city_draw,
    .figure = stage_city_figure,
    .reason = stage_city_reason,
};
