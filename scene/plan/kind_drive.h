// Kinds of vehicles by name, and their drives along plans in the reference simulation.
#ifndef KERB_SCENE_PLAN_KIND_DRIVE_H
#define KERB_SCENE_PLAN_KIND_DRIVE_H

#include "kerb/kind_driver.h"
#include "sim/airplane.h"
#include "sim/hover.h"
#include "sim/hoverer.h"
#include "sim/motorcycle.h"
#include "sim/ship.h"
#include "sim/spacecraft.h"
#include "sim/submarine.h"
#include "sim/towing.h"
#include "sim/tracked.h"
#include "sim/walker.h"

/// Which model moves.
typedef enum kerb_scene_kind_name {
    KERB_SCENE_SHIP,
    KERB_SCENE_PEDESTRIAN,
    KERB_SCENE_HOVERCRAFT,
    KERB_SCENE_TRAILER,
    KERB_SCENE_MOTORCYCLE,
    KERB_SCENE_TANK,
    KERB_SCENE_SPACECRAFT, ///< from here on: in space
    KERB_SCENE_HELICOPTER,
    KERB_SCENE_DRONE,
    KERB_SCENE_ROCKET,
    KERB_SCENE_AIRPLANE,
    KERB_SCENE_SUBMARINE,
    KERB_SCENE_KIND_COUNT
} kerb_scene_kind_name;

/// A kind with all that stands behind it. Must not be moved: `kind` points into it.
typedef struct kerb_scene_kind {
    kerb_scene_kind_name name;
    kerb_sim_ship_model ship_model;
    kerb_sim_hover_model hover_model;
    kerb_sim_tracked_model tank_model;
    kerb_ship ship;
    kerb_pedestrian pedestrian;
    kerb_vehicle hovercraft, tank;
    kerb_towing towing;
    kerb_motorcycle motorcycle;
    kerb_spacecraft spacecraft;
    kerb_sim_hoverer_model hoverer_model; ///< of helicopter, drone or rocket
    kerb_sim_airplane_model airplane_model;
    kerb_aircraft airplane;
    kerb_sim_submarine_model submarine_model;
    kerb_submarine submarine;
    kerb_kind kind;
    float radius;   ///< of random goals [m]
    float height;   ///< greatest difference of height of random goals, in space [m]
    float accepted; ///< error at the goal: a tenth of the length, or 0.3 m [m]
} kerb_scene_kind;

/// "ship", "pedestrian", "hovercraft", "trailer", "motorcycle", "tank", "spacecraft", "helicopter",
/// "drone", "rocket", "airplane" or "submarine". Never NULL.
const char* kerb_scene_kind_text(kerb_scene_kind_name name);

/// The vehicle in one line. Never NULL.
const char* kerb_scene_kind_about(kerb_scene_kind_name name);

/// Fills a kind. False when there is no kind of that name.
bool kerb_scene_kind_make(const char* name, kerb_scene_kind* kind);

/// Random ends, as those of `kerb plan --random`: from rest to rest, an airplane at its cruise
/// speed. The start is the origin, in the plane with the heading 0.
void kerb_scene_kind_ends(const kerb_scene_kind* kind, kerb_random* random, float* from, float* to);

/// A vehicle of any model.
typedef union kerb_scene_kind_body {
    kerb_sim_ship ship;
    kerb_sim_walker walker;
    kerb_sim_hover hover;
    kerb_sim_towing towing;
    kerb_sim_motorcycle motorcycle;
    kerb_sim_tracked tank;
    kerb_sim_spacecraft spacecraft;
    kerb_sim_hoverer hoverer;
    kerb_sim_airplane airplane;
    kerb_sim_submarine submarine;
} kerb_scene_kind_body;

/// A vehicle that is driven frame by frame. Plain data: a copy saves it.
typedef struct kerb_scene_kind_ride {
    const kerb_scene_kind* kind;
    kerb_scene_kind_body body;
    kerb_kind_driver driver;
    kerb_motion motion;     ///< now
    kerb_controls controls; ///< of the last frame
} kerb_scene_kind_ride;

/// A vehicle in a state of a plan. `kind` must outlive it.
kerb_scene_kind_ride kerb_scene_kind_ride_make(const kerb_scene_kind* kind, const float* state);
/// The state of the vehicle now, of kind.states numbers.
void kerb_scene_kind_ride_state(const kerb_scene_kind_ride* ride, float* state);
/// The number of the state that kerb_motion does not tell; 0 where there is none.
float kerb_scene_kind_ride_told(const kerb_scene_kind_ride* ride);
/// Decides the controls for a frame. [frame: s]
void kerb_scene_kind_ride_decide(kerb_scene_kind_ride* ride, const kerb_kind_plan* plan,
                                 float frame);
/// Decides the controls for a frame that keeps a place. [frame: s]
void kerb_scene_kind_ride_keep(kerb_scene_kind_ride* ride, const kerb_kind_place* place,
                               float frame);
/// Simulates the frame.
void kerb_scene_kind_ride_move(kerb_scene_kind_ride* ride, float frame);

/// How a drive ended.
typedef struct kerb_scene_kind_driven {
    bool arrived;
    float time;          ///< until it arrived [s]
    float error;         ///< distance of the reference point from the goal [m]
    float heading_error; ///< [rad]
    float cross_track;   ///< greatest [m]
} kerb_scene_kind_driven;

/// Drives a plan from its start in the simulation.
kerb_scene_kind_driven kerb_scene_kind_drive(const kerb_scene_kind* kind,
                                             const kerb_kind_plan* plan);

#endif
