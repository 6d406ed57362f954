// A town for many vehicles at once: streets with two lanes, junctions without signals or signs, a
// roundabout, a ring road, a hill, a gravel pit and a wet hollow, houses and lamp posts. It is
// always the same; the soak test drives in it.
//
//     kerb_scene_town* town;
//     kerb_scene_town_make(&town, &host, &error);
//     int32_t lanes[TOWN_ROUTE_LANES];
//     int32_t count = kerb_scene_town_route(town, from, to, &random, lanes, TOWN_ROUTE_LANES);
//     int32_t waypoints = kerb_scene_town_waypoints(town, lanes, count, out, most);
//     … kerb_path_build …
//     kerb_scene_town_free(town, &host);
//
// A **lane** leads from one junction to the next, a **link** through a junction from the end of one
// lane to the start of another. Right-hand traffic. No vehicle turns round.
#ifndef KERB_SCENE_TOWN_TOWN_H
#define KERB_SCENE_TOWN_TOWN_H

#include "kerb/path.h"
#include "sim/world.h"

#define TOWN_POINTS 16384
#define TOWN_LANES 160
#define TOWN_LINKS 640
#define TOWN_OBSTACLES 2048
#define TOWN_ZONES 8
#define TOWN_HEIGHTS 65536
#define TOWN_CELLS 32             ///< along one side of the grid in which solids are looked up
#define TOWN_CELL_OBSTACLES 12288 ///< in all cells
#define TOWN_ROUTE_LANES 64       ///< enough for any route that kerb_scene_town_route finds
#define TOWN_ROUTE_WAYPOINTS 4096 ///< enough for the waypoints of as many lanes

/// Half the width of a lane: its corridor to each side. [m]
#define TOWN_LANE_HALF 2.5f
/// No solid is nearer to a corridor than this. [m]
#define TOWN_CLEARANCE 1.0f

/// Points [first, first + count) of kerb_scene_town.points, both ends included.
typedef struct town_lane {
    int32_t first, count;
    int32_t from, to; ///< junctions
    int32_t street;
    int32_t first_link, link_count;    ///< that begin at its end
    float length;                      ///< [m]
    float speed_limit;                 ///< [m/s]
    float heading_first, heading_last; ///< at its ends [rad]
} town_lane;

/// Points as for a lane, without both ends, which are the lanes'.
typedef struct town_link {
    int32_t first, count;
    int32_t from, to; ///< lanes
    float length;     ///< [m]
    float turn;       ///< left positive [rad]
} town_link;

typedef struct kerb_scene_town {
    kerb_waypoint points[TOWN_POINTS];
    town_lane lanes[TOWN_LANES];
    town_link links[TOWN_LINKS];
    kerb_sim_obstacle obstacles[TOWN_OBSTACLES];
    kerb_sim_zone zones[TOWN_ZONES];
    float heights[TOWN_HEIGHTS];
    int32_t point_count, lane_count, link_count;
    kerb_sim_world world;         ///< all of it
    float west, south, cell_size; ///< of the cells [m]
    int32_t cell_first[TOWN_CELLS * TOWN_CELLS + 1];
    kerb_sim_obstacle cell_obstacles[TOWN_CELL_OBSTACLES];
} kerb_scene_town;

/// Makes the town, some 2 MB in one allocation. OUT_OF_MEMORY is its only error.
kerb_result kerb_scene_town_make(kerb_scene_town** town, const kerb_host* host, kerb_error* error);

/// Gives it back. NULL is fine.
void kerb_scene_town_free(kerb_scene_town* town, const kerb_host* host);

/// The world as seen by a body at a place: its solids are those that a body of up to 12 m may
/// touch there. O(1)
kerb_sim_world kerb_scene_town_world_at(const kerb_scene_town* town, float x, float y);

/// The lanes of a way from the start of lane `from` to the end of lane `to`, both included. With
/// `random` it is the shortest for somebody whose taste makes each lane up to twice as long, so
/// that not everybody drives through the middle; NULL: the shortest. [from != to] 0 when there is
/// none or it has more than `most` lanes. O(lanes²)
int32_t kerb_scene_town_route(const kerb_scene_town* town, int32_t from, int32_t to,
                              kerb_random* random, int32_t* lanes, int32_t most);

/// The link from one lane to another, -1 when there is none.
int32_t kerb_scene_town_link(const kerb_scene_town* town, int32_t from, int32_t to);

/// The waypoints of lanes that follow each other, links included. Returns how many there are; only
/// the first `most` are written. O(waypoints)
int32_t kerb_scene_town_waypoints(const kerb_scene_town* town, const int32_t* lanes, int32_t count,
                                  kerb_waypoint* waypoints, int32_t most);

/// Height of the ground as it was designed, before the grid of heights. [m]
float kerb_scene_town_height(float x, float y);

#endif
