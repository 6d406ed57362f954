// Any simulated ground vehicle behind one interface, the six reference vehicles by
// name, and the cars that race.
#ifndef KERB_SIM_VEHICLE_H
#define KERB_SIM_VEHICLE_H

#include "sim/body.h"
#include "sim/car.h"
#include "sim/hover.h"
#include "sim/tracked.h"

/// What a vehicle is made of; which member holds is said by vehicle.kind (kerb_vehicle_kind).
typedef struct sim_model {
    char name[24];
    kerb_vehicle vehicle; ///< its limits, as a driver should know them: closed forms
    sim_car_model car;
    sim_tracked_model tracked;
    sim_hover_model hover;
} sim_model;

/// The reference vehicles, after EA's six: pickup, buggy, scout, carrier, tank, hovercraft.
/// [index: 0 … count - 1]
int32_t sim_model_count(void);
const char* sim_model_name(int32_t index);
const char* sim_model_about(int32_t index); ///< one line

/// The cars that race, which belong to no list of all vehicles: road, gt, formula, rally, truck.
/// [index: 0 … count - 1]
int32_t sim_race_model_count(void);
const char* sim_race_model_name(int32_t index);
const char* sim_race_model_about(int32_t index); ///< one line

/// A reference vehicle or a car that races. False when there is no model of that name.
bool sim_model_named(const char* name, sim_model* model);

/// A model that has the limits of a kerb_vehicle, of whatever kind.
sim_model sim_model_for(const kerb_vehicle* vehicle);

/// One vehicle. Plain data: copy it to rewind.
typedef struct sim_vehicle {
    kerb_vehicle_kind kind;
    sim_car car;
    sim_tracked tracked;
    sim_hover hover;
} sim_vehicle;

/// At rest, its reference point at `position`.
sim_vehicle sim_vehicle_make(const sim_model* model, kerb_vec3 position, float heading);

/// One step. [time_step: > 0, at most 1/200 s]
void sim_vehicle_step(sim_vehicle* vehicle, const kerb_controls* controls, const sim_ground* ground,
                      float time_step);

/// What the driver is told.
kerb_motion sim_vehicle_motion(const sim_vehicle* vehicle);

/// Its body, and the body back after contacts moved it or changed its velocities.
sim_body sim_vehicle_body(const sim_vehicle* vehicle);
void sim_vehicle_set_body(sim_vehicle* vehicle, const sim_body* body);

#endif
