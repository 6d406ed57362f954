// One interface for all simulated ground vehicles; the six reference vehicles and the race cars by
// name.
#ifndef KERB_SIM_VEHICLE_H
#define KERB_SIM_VEHICLE_H

#include "sim/body.h"
#include "sim/car.h"
#include "sim/hover.h"
#include "sim/tracked.h"

/// What a vehicle is made of; which member holds is said by vehicle.kind (kerb_vehicle_kind).
typedef struct kerb_sim_model {
    char name[24];
    kerb_vehicle vehicle; ///< its limits, as a driver should know them: closed forms
    kerb_sim_car_model car;
    kerb_sim_tracked_model tracked;
    kerb_sim_hover_model hover;
} kerb_sim_model;

/// The reference vehicles, after EA's six: pickup, buggy, scout, carrier, tank, hovercraft.
/// [index: 0 … count - 1]
int32_t kerb_sim_model_count(void);
const char* kerb_sim_model_name(int32_t index);
const char* kerb_sim_model_about(int32_t index); ///< one line

/// The cars that race, which belong to no list of all vehicles: road, gt, formula, rally, truck.
/// [index: 0 … count - 1]
int32_t kerb_sim_race_model_count(void);
const char* kerb_sim_race_model_name(int32_t index);
const char* kerb_sim_race_model_about(int32_t index); ///< one line

/// A reference vehicle or a car that races. False when there is no model of that name.
bool kerb_sim_model_named(const char* name, kerb_sim_model* model);

/// A model that has the limits of a kerb_vehicle, of whatever kind.
kerb_sim_model kerb_sim_model_for(const kerb_vehicle* vehicle);

/// One vehicle. Plain data: copy it to rewind.
typedef struct kerb_sim_vehicle {
    kerb_vehicle_kind kind;
    kerb_sim_car car;
    kerb_sim_tracked tracked;
    kerb_sim_hover hover;
} kerb_sim_vehicle;

/// At rest, its reference point at `position`.
kerb_sim_vehicle kerb_sim_vehicle_make(const kerb_sim_model* model, kerb_vec3 position,
                                       float heading);

/// One step. [time_step: > 0, at most 1/200 s]
void kerb_sim_vehicle_step(kerb_sim_vehicle* vehicle, const kerb_controls* controls,
                           const kerb_sim_ground* ground, float time_step);

/// What the driver is told.
kerb_motion kerb_sim_vehicle_motion(const kerb_sim_vehicle* vehicle);

/// Its body, and the body back after contacts moved it or changed its velocities.
kerb_sim_body kerb_sim_vehicle_body(const kerb_sim_vehicle* vehicle);
void kerb_sim_vehicle_set_body(kerb_sim_vehicle* vehicle, const kerb_sim_body* body);

#endif
