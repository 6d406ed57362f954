// City traffic put together: routes between edges, random trips, and a run with its observer.
//
//     kerb_scene_city_run run;
//     if (kerb_scene_city_run_make(&run, &plan, &set_up, &host, &error) == KERB_OK)
//         while (run.time < 600.0)
//             kerb_scene_city_run_step(&run);
//     kerb_scene_city_run_free(&run);
#ifndef KERB_SCENE_CITY_RUN_H
#define KERB_SCENE_CITY_RUN_H

#include "kerb/route.h"
#include "kerb/traffic.h"
#include "scene/city/city_watch.h"

// --------------------------------------------------------------------------- routes

/// Routes from edge to edge of a plan.
typedef struct kerb_scene_router {
    kerb_routes routes;
    kerb_route_work work;
    const kerb_network_plan* plan;
    int32_t* edge_of; ///< Of each lane.
    int32_t* way;     ///< Lanes of the last answer.
    int32_t capacity;
    kerb_allocator allocator;
} kerb_scene_router;

/// Time of a change of lanes, for routes. [ms]
#define KERB_SCENE_ROUTER_CHANGE 1000

kerb_result kerb_scene_router_make(kerb_scene_router* router, const kerb_network_plan* plan,
                                   const kerb_host* host, kerb_error* error);
void kerb_scene_router_free(kerb_scene_router* router);

/// The fastest way from an edge to another for a class of vehicles. Writes its edges and returns
/// how many; 0: no way, or more than the capacity.
int32_t kerb_scene_router_find(kerb_scene_router* router, int32_t from, int32_t to,
                               uint32_t classes, int32_t* edges, int32_t capacity);

// --------------------------------------------------------------------------- a run

/// Longest route of a trip. [edges]
#define KERB_SCENE_CITY_ROUTE_MAX 1000

/// A trip of a demand.
typedef struct kerb_scene_city_trip {
    double depart; ///< [s]
    int32_t type;  ///< In the set-up's types.
    const int32_t* edges;
    int32_t edge_count;
    int32_t lane; ///< As kerb_traffic_trip.
    float station, speed, arrival;
    const kerb_traffic_stop* stops;
    int32_t stop_count;
} kerb_scene_city_trip;

/// A road that is closed for a while.
typedef struct kerb_scene_city_block {
    int32_t edge;
    double from, until; ///< [s]
} kerb_scene_city_block;

typedef struct kerb_scene_city_set_up {
    const kerb_traffic_type* types;
    int32_t type_count;
    const kerb_scene_city_trip* trips; ///< In order of departure; NULL: random ones.
    int32_t trip_count;
    int32_t vehicles; ///< Of random trips: so many at a time; each that arrives departs anew.
    const kerb_scene_city_block* blocks;
    int32_t block_count;
    float dt; ///< [s]
    uint64_t seed;
    bool watched; ///< An observer looks at each step.
} kerb_scene_city_set_up;

/// What became of all trips.
typedef struct kerb_scene_city_sums {
    int64_t arrived;
    double time_loss, depart_delay, duration, distance, waiting; ///< Of those that arrived. [s, m]
} kerb_scene_city_sums;

typedef struct kerb_scene_city_run {
    kerb_scene_city_set_up set_up;
    kerb_network network;
    kerb_traffic traffic;
    kerb_scene_router router;
    kerb_scene_watch* watch;
    kerb_random random;
    double time;
    int32_t next_trip; ///< The first that has not been handed over.
    int32_t vehicles_max;
    bool* closed; ///< By block.
    kerb_allocator allocator;
    const kerb_network_plan* plan;
    kerb_scene_city_sums sums;
    /// Called for each event, may be NULL.
    void (*on_event)(void* context, const kerb_traffic_event* event);
    void* context;
} kerb_scene_city_run;

/// The plan must outlive the run.
kerb_result kerb_scene_city_run_make(kerb_scene_city_run* run, const kerb_network_plan* plan,
                                     const kerb_scene_city_set_up* set_up, const kerb_host* host,
                                     kerb_error* error);

/// Hands over trips that are due, and opens and closes roads. Before each step of traffic.
void kerb_scene_city_run_prepare(kerb_scene_city_run* run);

/// Moves traffic on. `tasks` may be NULL.
void kerb_scene_city_run_move(kerb_scene_city_run* run, const kerb_tasks* tasks);

/// Takes events and looks at what happened. After each step of traffic.
void kerb_scene_city_run_look(kerb_scene_city_run* run);

/// All three.
void kerb_scene_city_run_step(kerb_scene_city_run* run);

/// Trips that are due but have not departed.
int32_t kerb_scene_city_run_outside(const kerb_scene_city_run* run);

void kerb_scene_city_run_free(kerb_scene_city_run* run);

#endif
