// Built-in networks for city traffic, and what it takes to make more: junctions, roads between
// them, and turns and signals that follow from both.
//
//     kerb_scene_city city;
//     if (kerb_scene_city_make(&city, "grid", 4, false))
//         kerb_network_create(&network, &city.plan, &host, &error);
//     kerb_scene_city_free(&city);
#ifndef KERB_SCENE_CITY_PLAN_H
#define KERB_SCENE_CITY_PLAN_H

#include "kerb/road.h"

/// A network that grows. Zeroed: empty.
typedef struct kerb_scene_city {
    kerb_network_plan plan; ///< Points to the arrays below.
    kerb_network_edge* edges;
    kerb_network_lane* lanes;
    kerb_network_turn* turns;
    kerb_network_junction* junctions;
    kerb_network_signal* signals;
    kerb_network_phase* phases;
    char* states;
    kerb_vec3* points;
    kerb_vec2* places; ///< Of junctions.
    int32_t rooms[9];  ///< Of the arrays, in this order.
    bool out_of_memory;
} kerb_scene_city;

/// Name of a built-in network, or NULL beyond the last.
const char* kerb_scene_city_name(int32_t index);

/// What it is, in a line.
const char* kerb_scene_city_meaning(int32_t index);

/// Makes a built-in network. `size` of "grid" is the number of crossings on a side, of "ring" its
/// length in 100 m; others have one size. False when the name is unknown or memory is missing.
bool kerb_scene_city_make(kerb_scene_city* city, const char* name, int32_t size, bool left_hand);

void kerb_scene_city_free(kerb_scene_city* city);

// --------------------------------------------------------------------------- parts

/// A junction. Returns its index. [m]
int32_t kerb_scene_city_junction(kerb_scene_city* city, float x, float y, kerb_junction_rule rule);

/// What a road is like.
typedef struct kerb_scene_city_road {
    int32_t lanes; ///< Of this direction. [>= 1]
    float speed;   ///< [m/s]
    int32_t priority;
    float set_back; ///< From the junctions' places to the lanes' ends. [m]
    float z;        ///< Height of its middle; its ends are at 0. [m]
    float bulge;    ///< Sideways distance of its middle from the straight line, left positive. [m]
    bool one_way;   ///< Lanes lie about the line, not beside it.
} kerb_scene_city_road;

/// A road in one direction. Returns its edge.
int32_t kerb_scene_city_add_road(kerb_scene_city* city, int32_t from, int32_t to,
                                 const kerb_scene_city_road* road);

/// Roads in both directions.
void kerb_scene_city_add_street(kerb_scene_city* city, int32_t a, int32_t b,
                                const kerb_scene_city_road* road);

/// Turns at all junctions, from each lane to those that lie in its direction. Vehicles turn round
/// only where nothing else leads on.
void kerb_scene_city_connect(kerb_scene_city* city);

/// Signals at a junction: two phases by axis, with amber and all red between. After
/// kerb_scene_city_connect. [s]
void kerb_scene_city_signal(kerb_scene_city* city, int32_t junction, float green, float offset);

/// Mirrors everything, so that traffic keeps left.
void kerb_scene_city_mirror(kerb_scene_city* city);

#endif
