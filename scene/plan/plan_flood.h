// Which places of a map are connected: confirms or refutes what a planner says about a path, by a
// method that shares nothing with it.
#ifndef KERB_SCENE_PLAN_PLAN_FLOOD_H
#define KERB_SCENE_PLAN_PLAN_FLOOD_H

#include "kerb/plan.h"

/// A map's grid and box as a lattice of places: those where a circle has room, numbered by the
/// region that they belong to.
typedef struct kerb_scene_plan_flood {
    int32_t columns, rows;
    float step;       ///< from place to place [m]
    kerb_vec2 origin; ///< of the first one [m]
    int32_t regions;
    int32_t* region; ///< row by row; 0: no room, else 1 … regions
} kerb_scene_plan_flood;

typedef enum kerb_scene_plan_flooded {
    KERB_SCENE_PLAN_UNKNOWN, ///< a world with more in it than cells and a box, or an end outside it
    KERB_SCENE_PLAN_CUT_OFF, ///< no vehicle of these limits gets from one end to the other: proven
    KERB_SCENE_PLAN_MAY_CONNECT ///< a circle somewhat smaller than the vehicle does
} kerb_scene_plan_flooded;

/// Floods a world for the circle about the rear axle that the footprint holds, less what the
/// lattice may miss: two places whose circle is anywhere on a way between them are neighbours. So
/// where the ends lie in different regions there is no way. False: out of memory, or a world with
/// polygons, a function or no box. O(blocked cells · (radius / step)² + places)
bool kerb_scene_plan_flood_make(const kerb_plan_world* world, const kerb_plan_limits* limits,
                                kerb_scene_plan_flood* flood);
void kerb_scene_plan_flood_free(kerb_scene_plan_flood* flood);

kerb_scene_plan_flooded kerb_scene_plan_flood_between(const kerb_scene_plan_flood* flood,
                                                      kerb_vec2 from, kerb_vec2 to);

#endif
