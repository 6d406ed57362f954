// Scenes of cars among cars: a police chase, a column and a formation through a bend, arrivals at
// poses. The command, the tests and the replay share them.
//
//     kerb_scene_chase scene;
//     if (kerb_scene_chase_make("police-chase", seed, &scene))
//         while (!scene.done && scene.time < 90.0)
//             kerb_scene_chase_step(&scene, 1.0f / 60.0f);
#ifndef KERB_SCENE_CROWD_CHASE_H
#define KERB_SCENE_CROWD_CHASE_H

#include "kerb/steer.h"

#include "kerb/seek.h"

#include "kerb/cars.h"
#include "sim/vehicle.h"
#include "sim/world.h"

#define KERB_SCENE_CHASE_CARS 16
#define KERB_SCENE_CHASE_WALLS 64
#define KERB_SCENE_CHASE_ROAD_POINTS 256

/// What one of a scene's vehicles is there for.
typedef enum kerb_scene_chase_part {
    KERB_SCENE_CHASE_TARGET,   ///< flees
    KERB_SCENE_CHASE_POLICE,   ///< boxes the target in
    KERB_SCENE_CHASE_FIRST,    ///< leads a column along the road
    KERB_SCENE_CHASE_COLUMN,   ///< follows in the column
    KERB_SCENE_CHASE_ARRIVING, ///< parks at its pose
    KERB_SCENE_CHASE_FORMATION ///< keeps its place in a formation behind the first
} kerb_scene_chase_part;

typedef struct kerb_scene_chase_car {
    int32_t part; ///< kerb_scene_chase_part
    kerb_sim_model model;
    kerb_sim_vehicle vehicle;
    kerb_steering_driver driver;
    kerb_parker parker;
    kerb_pose start, goal; ///< of one that parks
    float waited;          ///< it has not got on for so long [s]
    float backs_off;       ///< to its start, for so long yet [s]
    kerb_stuck stuck;
    double driven;   ///< [m]
    float undecided; ///< of a chase: has kept to its wish for so long [s]
    kerb_controls controls;
    const kerb_controls* player; ///< who drives in place of the driver; NULL: nobody
    kerb_steering wish;
    kerb_vec3 aim; ///< where it means to meet the target, or its place in the formation
} kerb_scene_chase_car;

/// Of two cars.
typedef struct kerb_scene_chase_contact {
    double touched; ///< last [s]
    bool was_hard;
} kerb_scene_chase_contact;

/// A scene and its state. Plain data, large; its only pointers are in `world` and `road` and lead
/// into itself: do not copy it.
typedef struct kerb_scene_chase {
    int32_t count;
    kerb_scene_chase_car cars[KERB_SCENE_CHASE_CARS];
    int32_t wall_count;
    kerb_sim_obstacle walls[KERB_SCENE_CHASE_WALLS];
    kerb_obstacle obstacles[KERB_SCENE_CHASE_WALLS]; ///< the same, as behaviours see them
    kerb_sim_world world;
    kerb_cars_settings settings;
    kerb_box box;
    kerb_trail trail;
    kerb_path road; ///< of the first of a column or formation
    kerb_path_point road_points[KERB_SCENE_CHASE_ROAD_POINTS];
    kerb_path_location where; ///< it is on it
    double time;              ///< [s]
    bool done;                ///< boxed in, all arrived …
    double done_time;         ///< when [s]
    float held;               ///< the target has not got away for so long [s]
    kerb_vec2 held_at;
    float off_place; ///< formation: greatest distance of any from its place, once formed [m]
    kerb_scene_chase_contact contacts[KERB_SCENE_CHASE_CARS][KERB_SCENE_CHASE_CARS];
    int32_t hard_contacts;     ///< of cars, closing at more than 3 m/s
    int32_t hard_among_equals; ///< of these between two with the same part
} kerb_scene_chase;

int32_t kerb_scene_chase_count(void);
/// [index: 0 … count - 1]
const char* kerb_scene_chase_name(int32_t index);
const char* kerb_scene_chase_about(int32_t index); ///< one line

/// False when there is no scene of that name.
bool kerb_scene_chase_make(const char* name, uint64_t seed, kerb_scene_chase* scene);

/// One frame: everyone decides by what was before it, then all move. [time_step: > 0 … 0.1 s]
void kerb_scene_chase_step(kerb_scene_chase* scene, float time_step);

/// A car as others see it.
kerb_neighbour kerb_scene_chase_seen(const kerb_scene_chase* scene, int32_t index);

#endif
