// Purpose: one interface for all ground vehicles, and the six reference vehicles and the race cars
//          by name.
// Idea:    Each function calls that of car, tracked or hover, by the kind of the vehicle.
#include "sim/vehicle.h"

#include <string.h>

// --------------------------------------------------------------------------- models

typedef struct reference {
    const char* name;
    const char* about;
    kerb_vehicle_kind kind;
    kerb_sim_car_model (*car)(void);
} reference;

// The everyday one first: who names none gets it.
static const reference references[] = {
    {"pickup", "two tonnes, 180 kW, rear-wheel drive, five gears", KERB_VEHICLE_WHEELED,
     kerb_sim_pickup_model},
    {"buggy", "one tonne, 2.4 m wheelbase, quick steering, rear-wheel drive, shifts for itself",
     KERB_VEHICLE_WHEELED, kerb_sim_buggy_model},
    {"scout", "armoured car, 8 t, all wheels driven, shifts for itself", KERB_VEHICLE_WHEELED,
     kerb_sim_scout_model},
    {"carrier", "eight wheels, 18 t, 7.5 m long, slow steering, 10.5 m turning radius",
     KERB_VEHICLE_WHEELED, kerb_sim_carrier_model},
    {"tank", "40 t on tracks, 12 m/s, turns on the spot", KERB_VEHICLE_TRACKED, NULL},
    {"hovercraft",
     "six seats on air, 1.2 t, hardly any grip, turns its body at once and its course slowly",
     KERB_VEHICLE_HOVER, NULL},
};

static const reference racers[] = {
    {"road", "hot hatch, 1.45 t, 169 kW, front-wheel drive", KERB_VEHICLE_WHEELED,
     kerb_sim_road_model},
    {"gt", "GT racing car, 1.36 t, 400 kW, slicks, some downforce", KERB_VEHICLE_WHEELED,
     kerb_sim_gt_model},
    {"formula", "single-seater, 700 kg, 560 kW, wings: 5 g in fast bends", KERB_VEHICLE_WHEELED,
     kerb_sim_formula_model},
    {"rally", "rally car on gravel, 1.39 t, 225 kW, all wheels driven", KERB_VEHICLE_WHEELED,
     kerb_sim_rally_model},
    {"truck", "racing truck, 5.4 t, 820 kW, at most 160 km/h", KERB_VEHICLE_WHEELED,
     kerb_sim_truck_model},
};

int32_t kerb_sim_model_count(void) {
    return (int32_t)(sizeof references / sizeof references[0]);
}

const char* kerb_sim_model_name(int32_t index) {
    return references[index].name;
}

const char* kerb_sim_model_about(int32_t index) {
    return references[index].about;
}

int32_t kerb_sim_race_model_count(void) {
    return (int32_t)(sizeof racers / sizeof racers[0]);
}

const char* kerb_sim_race_model_name(int32_t index) {
    return racers[index].name;
}

const char* kerb_sim_race_model_about(int32_t index) {
    return racers[index].about;
}

static kerb_sim_model make_reference(const reference* which) {
    kerb_sim_model model = {.car = {0}};
    strncpy(model.name, which->name, sizeof model.name - 1);
    switch (which->kind) {
    case KERB_VEHICLE_WHEELED:
        model.car = which->car();
        model.vehicle = kerb_sim_car_vehicle(&model.car);
        break;
    case KERB_VEHICLE_TRACKED:
        model.tracked = kerb_sim_tank_model();
        model.vehicle = kerb_sim_tracked_vehicle(&model.tracked);
        break;
    case KERB_VEHICLE_HOVER:
        model.hover = kerb_sim_hovercraft_model();
        model.vehicle = kerb_sim_hover_vehicle(&model.hover);
        break;
    }
    return model;
}

static const reference* find(const reference* list, int32_t count, const char* name) {
    for (int32_t i = 0; i < count; i++) {
        if (strcmp(list[i].name, name) == 0)
            return &list[i];
    }
    return NULL;
}

bool kerb_sim_model_named(const char* name, kerb_sim_model* model) {
    const reference* found = find(references, kerb_sim_model_count(), name);
    if (found == NULL)
        found = find(racers, kerb_sim_race_model_count(), name);
    if (found != NULL)
        *model = make_reference(found);
    return found != NULL;
}

kerb_sim_model kerb_sim_model_for(const kerb_vehicle* vehicle) {
    kerb_sim_model model = {.vehicle = *vehicle};
    switch ((kerb_vehicle_kind)vehicle->kind) {
    case KERB_VEHICLE_WHEELED:
        model.car = kerb_sim_car_model_for(vehicle);
        break;
    case KERB_VEHICLE_TRACKED:
        model.tracked = kerb_sim_tracked_model_for(vehicle);
        break;
    case KERB_VEHICLE_HOVER:
        model.hover = kerb_sim_hover_model_for(vehicle);
        break;
    }
    return model;
}

// --------------------------------------------------------------------------- driving

kerb_sim_vehicle kerb_sim_vehicle_make(const kerb_sim_model* model, kerb_vec3 position,
                                       float heading) {
    kerb_sim_vehicle vehicle = {.kind = (kerb_vehicle_kind)model->vehicle.kind};
    switch (vehicle.kind) {
    case KERB_VEHICLE_WHEELED:
        vehicle.car = kerb_sim_car_make(&model->car, position, heading);
        break;
    case KERB_VEHICLE_TRACKED:
        vehicle.tracked = kerb_sim_tracked_make(&model->tracked, position, heading);
        break;
    case KERB_VEHICLE_HOVER:
        vehicle.hover = kerb_sim_hover_make(&model->hover, position, heading);
        break;
    }
    return vehicle;
}

void kerb_sim_vehicle_step(kerb_sim_vehicle* vehicle, const kerb_controls* controls,
                           const kerb_sim_ground* ground, float time_step) {
    switch (vehicle->kind) {
    case KERB_VEHICLE_WHEELED:
        kerb_sim_car_step(&vehicle->car, controls, ground, time_step);
        break;
    case KERB_VEHICLE_TRACKED:
        kerb_sim_tracked_step(&vehicle->tracked, controls, ground, time_step);
        break;
    case KERB_VEHICLE_HOVER:
        kerb_sim_hover_step(&vehicle->hover, controls, ground, time_step);
        break;
    }
}

kerb_motion kerb_sim_vehicle_motion(const kerb_sim_vehicle* vehicle) {
    switch (vehicle->kind) {
    case KERB_VEHICLE_TRACKED:
        return kerb_sim_tracked_motion(&vehicle->tracked);
    case KERB_VEHICLE_HOVER:
        return kerb_sim_hover_motion(&vehicle->hover);
    default:
        return kerb_sim_car_motion(&vehicle->car);
    }
}

// --------------------------------------------------------------------------- bodies

// The sizes are named alike in all models, and the motions in all vehicles.
#define BODY_OF(thing)                                                                             \
    {                                                                                              \
        .position = (thing).position, .heading = (thing).heading, .forward = (thing).forward,      \
        .side = (thing).side, .yaw_rate = (thing).yaw_rate, .mass = (thing).model.mass,            \
        .yaw_inertia = (thing).model.yaw_inertia, .front = (thing).model.mass_to_bumper,           \
        .back = (thing).model.length - (thing).model.mass_to_bumper,                               \
        .half_width = 0.5f * (thing).model.width                                                   \
    }

kerb_sim_body kerb_sim_vehicle_body(const kerb_sim_vehicle* vehicle) {
    kerb_sim_body car = BODY_OF(vehicle->car);
    kerb_sim_body tracked = BODY_OF(vehicle->tracked);
    kerb_sim_body hover = BODY_OF(vehicle->hover);
    return vehicle->kind == KERB_VEHICLE_TRACKED ? tracked
           : vehicle->kind == KERB_VEHICLE_HOVER ? hover
                                                 : car;
}

// A body that was turned keeps its tilt until the next step finds the ground's.
static void place(const kerb_sim_body* body, kerb_vec3* position, float* heading,
                  kerb_quat* rotation) {
    float turned = kerb_wrap_angle(body->heading - *heading);
    *rotation = kerb_quat_multiply(kerb_quat_from_heading(turned), *rotation);
    *position = body->position;
    *heading = body->heading;
}

static void push_car(kerb_sim_car* car, const kerb_sim_body* body) {
    place(body, &car->position, &car->heading, &car->rotation);
    car->forward = body->forward;
    car->side = body->side;
    car->yaw_rate = body->yaw_rate;
}

static void push_tracked(kerb_sim_tracked* tracked, const kerb_sim_body* body) {
    place(body, &tracked->position, &tracked->heading, &tracked->rotation);
    tracked->forward = body->forward;
    tracked->side = body->side;
    tracked->yaw_rate = body->yaw_rate;
}

static void push_hover(kerb_sim_hover* hover, const kerb_sim_body* body) {
    place(body, &hover->position, &hover->heading, &hover->rotation);
    hover->forward = body->forward;
    hover->side = body->side;
    hover->yaw_rate = body->yaw_rate;
}

void kerb_sim_vehicle_set_body(kerb_sim_vehicle* vehicle, const kerb_sim_body* body) {
    switch (vehicle->kind) {
    case KERB_VEHICLE_WHEELED:
        push_car(&vehicle->car, body);
        break;
    case KERB_VEHICLE_TRACKED:
        push_tracked(&vehicle->tracked, body);
        break;
    case KERB_VEHICLE_HOVER:
        push_hover(&vehicle->hover, body);
        break;
    }
}
