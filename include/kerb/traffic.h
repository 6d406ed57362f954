// Kerb traffic: vehicles that drive along routes through a network of lanes.
//
// Vehicles keep distance, change lanes, obey signals and right of way, and enter a junction only
// when they can leave it. Nobody is ever deleted or teleported.
//
// Call order: create traffic on a network, add trips at any time, step, read.
//
//     kerb_traffic traffic;
//     kerb_traffic_settings settings;
//     kerb_settings_set_defaults(&kerb_traffic_settings_table, &settings);
//     if (kerb_traffic_create(&traffic, &network, &settings, &host, &error) == KERB_OK) {
//         kerb_traffic_type car = kerb_traffic_car();
//         int32_t type = kerb_traffic_add_type(&traffic, &car);
//         int32_t route[2] = {0, 1}; // edges
//         kerb_traffic_trip trip = kerb_traffic_trip_along(type, route, 2);
//         int32_t vehicle = kerb_traffic_add(&traffic, &trip);
//         for (int32_t i = 0; i < 600; i++)
//             kerb_traffic_step(&traffic, &network, 0.1f, &host.tasks);
//         kerb_traffic_vehicle state = kerb_traffic_vehicle_of(&traffic, &network, vehicle);
//         printf("%s\n", kerb_traffic_stage_text(state.stage));
//     }
//     kerb_traffic_destroy(&traffic);
//
// Models: car following by the intelligent driver model with its constant-acceleration heuristic
// (Kesting, Treiber, Helbing 2010), bounded by the speed from which the vehicle can still stop
// (Gipps 1981); lane changes by MOBIL (Kesting, Treiber, Helbing 2007), and towards the lanes that
// lead where the route goes.
//
// Threads and lifetimes: traffic lies in one block of memory without pointers; a copy of its bytes
// is a snapshot; the routes beside it never change. A step gives the same bits for any number of
// workers. Nothing allocates but kerb_traffic_create and kerb_traffic_move_to. The network must be
// the one for which the traffic was created.
#ifndef KERB_TRAFFIC_H
#define KERB_TRAFFIC_H

#include "road.h"
#include "route.h"

/// Greatest number of vehicle types.
#define KERB_TRAFFIC_TYPES_MAX 64
/// Greatest number of vehicles in one traffic.
#define KERB_TRAFFIC_VEHICLES_MAX 1000000

/// Settings of a whole traffic. Table: kerb_traffic_settings_table.
typedef struct kerb_traffic_settings {
    int32_t vehicles_max;    ///< Places for vehicles, with those that wait outside. [1 … 1000000]
    int32_t route_edges_max; ///< Mean length of a route for which there is memory. [1 … 1000]
    int32_t events_max;      ///< Events that are kept until the host reads them. [1 … 1000000]
    int32_t seed;            ///< Of the spread between drivers.
    float spread;            ///< Spread of time gap and acceleration. [0 … 0.5]
    float turn_acceleration; ///< Greatest sideways acceleration in curves. [m/s^2] [0.5 … 10]
    float patience; ///< After this wait at a junction, a vehicle looks for another way. [s]
    /// A vehicle departs only where at most this share of its way's first edges is occupied, and
    /// waits outside until then: a network that is fuller lets fewer vehicles through. 1: departs
    /// wherever there is a place. [0.05 … 1]
    float fill_max;
    int32_t bodies_max; ///< Things that the host moves (kerb/traffic_host.h). [0 … 10000]
    int32_t known_max;  ///< Vehicles that may know of blocked roads at a time. [0 … 30000]
    float sight;        ///< A vehicle sees from this distance that a road is blocked. [m]
    float memory;       ///< It believes for this time what it saw or was told. [s]
} kerb_traffic_settings;

/// Range, default and meaning of every setting.
KERB_API const kerb_settings_table kerb_traffic_settings_table;

/// A type of vehicle with its driver. Table: kerb_traffic_type_table.
typedef struct kerb_traffic_type {
    float length, width;    ///< With the trailer. [m]
    float trailer;          ///< Length of the part behind the joint. 0: one rigid body. [m]
    float min_gap;          ///< To the vehicle in front at standstill. [m]
    float time_gap;         ///< Wanted to the vehicle in front. [s]
    float acceleration;     ///< Greatest. [m/s^2]
    float deceleration;     ///< Comfortable. [m/s^2]
    float braking;          ///< Hardest that the driver counts on. [m/s^2]
    float top_speed;        ///< [m/s]
    float speed_factor;     ///< Share of the speed limit that is driven. [1]
    float speed_spread;     ///< Standard deviation of that share. [1]
    float politeness;       ///< MOBIL: weight of what others lose by a lane change. [1]
    float change_threshold; ///< MOBIL: least gain for a lane change. [m/s^2]
    int32_t classes;        ///< Bits; lanes that share one may be used. [1 … 2^24]
    int32_t priority;       ///< Greater: others let it pass, and it reserves its way. 0: normal.
} kerb_traffic_type;

/// Range, default and meaning of every number of a type.
KERB_API const kerb_settings_table kerb_traffic_type_table;

/// A car: the defaults of kerb_traffic_type_table. A lane carries 1,900 of them an hour at 50 km/h.
KERB_API kerb_traffic_type kerb_traffic_car(void);

/// A stop on the way.
typedef struct kerb_traffic_stop {
    int32_t lane;   ///< -1: no stop.
    float station;  ///< Of the front. [m]
    float duration; ///< Least time at standstill. [s]
    float until;    ///< Does not leave before this time. [s]
} kerb_traffic_stop;

/// A trip.
typedef struct kerb_traffic_trip {
    int32_t type;         ///< From kerb_traffic_add_type.
    const int32_t* edges; ///< The whole route. Each edge is connected to the next one.
    int32_t edge_count;   ///< [>= 1]
    int32_t lane;         ///< Place in the first edge, from 0; -1: the best one.
    float station;        ///< Of the front on the first edge; negative: where there is room. [m]
    float speed;          ///< At departure; negative: as fast as is safe. [m/s]
    float arrival;        ///< Station on the last edge; negative: its end. [m]
    float depart;         ///< Waits outside until this time. [s]
    uint64_t user;        ///< The host's, told in events.
} kerb_traffic_trip;

/// Trip that departs at once, where there is room.
KERB_API kerb_traffic_trip kerb_traffic_trip_along(int32_t type, const int32_t* edges,
                                                   int32_t edge_count);

/// Where a vehicle is in its life.
typedef enum kerb_traffic_stage {
    KERB_TRAFFIC_NONE,    ///< No vehicle has this number.
    KERB_TRAFFIC_OUTSIDE, ///< Waits to depart.
    KERB_TRAFFIC_DRIVING,
    KERB_TRAFFIC_STOPPING ///< At a stop of its trip, or stopped by the host.
} kerb_traffic_stage;

/// "none", "outside", "driving" or "stopping"; "unknown" out of range. Never NULL.
KERB_API const char* kerb_traffic_stage_text(kerb_traffic_stage value);

/// Why a vehicle is not faster.
typedef enum kerb_traffic_wait {
    KERB_TRAFFIC_WAIT_NONE,     ///< Drives as it wants.
    KERB_TRAFFIC_WAIT_LEADER,   ///< The vehicle ahead.
    KERB_TRAFFIC_WAIT_SIGNAL,   ///< Red or amber.
    KERB_TRAFFIC_WAIT_YIELD,    ///< Others have the right of way.
    KERB_TRAFFIC_WAIT_CONFLICT, ///< A vehicle that claimed a conflict point before it.
    KERB_TRAFFIC_WAIT_ROOM,     ///< No room behind the junction.
    KERB_TRAFFIC_WAIT_RING,     ///< It would fill the last place in a ring of full lanes.
    KERB_TRAFFIC_WAIT_LANE,     ///< Must change lanes first.
    KERB_TRAFFIC_WAIT_STOP,     ///< A stop sign, or a stop of its trip.
    KERB_TRAFFIC_WAIT_BODY      ///< Something that the host moves.
} kerb_traffic_wait;

/// "none", "leader", "signal", "yield", "conflict", "room", "ring", "lane", "stop" or "body";
/// "unknown" out of range. Never NULL.
KERB_API const char* kerb_traffic_wait_text(kerb_traffic_wait value);

/// What happened to a vehicle.
typedef enum kerb_traffic_happening {
    KERB_TRAFFIC_DEPARTED,
    KERB_TRAFFIC_ARRIVED,
    KERB_TRAFFIC_REROUTED,   ///< Took another way because its own was full or closed.
    KERB_TRAFFIC_ASKED,      ///< Finds no way on by itself: the host should help.
    KERB_TRAFFIC_BACKED_OFF, ///< Began to drive back, to get room for a change of lanes.
    KERB_TRAFFIC_CREPT ///< Moved on by a lane at once with all vehicles of a ring of full lanes.
} kerb_traffic_happening;

/// "departed", "arrived", "rerouted", "asked", "backed off" or "crept"; "unknown" out of range.
/// Never NULL.
KERB_API const char* kerb_traffic_happening_text(kerb_traffic_happening value);

/// An event. Of an arrival all fields are set; else the last four are those until now.
typedef struct kerb_traffic_event {
    kerb_traffic_happening what;
    int32_t vehicle;
    uint64_t user;
    double time;        ///< [s]
    float depart_delay; ///< Waited outside. [s]
    float duration;     ///< Since departure. [s]
    float distance;     ///< [m]
    float time_loss;    ///< Against driving at the wanted speed, as SUMO defines it. [s]
    float waiting;      ///< Time slower than 0.1 m/s. [s]
} kerb_traffic_event;

/// Traffic. Read-only for the host.
typedef struct kerb_traffic {
    void* memory; ///< One block without pointers.
    size_t bytes; ///< Size of the block.
    kerb_allocator allocator;
    kerb_routes routes;   ///< Of the network, for other ways. Never changes while driving.
    kerb_route_work work; ///< Holds nothing between steps.
} kerb_traffic;

/// Creates traffic without vehicles at time 0. Allocates. Errors: those of kerb_settings_validate;
/// OUT_OF_MEMORY. On error all fields are 0. O(segments + vehicles_max), and kerb_routes_create for
/// the network's lanes.
KERB_API kerb_result kerb_traffic_create(kerb_traffic* traffic, const kerb_network* network,
                                         const kerb_traffic_settings* settings,
                                         const kerb_host* host, kerb_error* error);

/// Releases the memory and sets all fields to 0. Does nothing when all fields are already 0.
KERB_API void kerb_traffic_destroy(kerb_traffic* traffic);

/// Adds a type of vehicle and returns its number, or -1 when there is no place. Asserts that it is
/// valid by its table.
KERB_API int32_t kerb_traffic_add_type(kerb_traffic* traffic, const kerb_traffic_type* type);

/// Adds a vehicle that waits outside until it departs. Returns its number, or -1 when there is no
/// place for it or its route. Numbers are used again after arrival. The route is copied. O(edges)
KERB_API int32_t kerb_traffic_add(kerb_traffic* traffic, const kerb_traffic_trip* trip);

/// Gives a vehicle the next stop on its way. It replaces one that was not reached.
KERB_API void kerb_traffic_set_stop(kerb_traffic* traffic, int32_t vehicle,
                                    const kerb_traffic_stop* stop);

/// Stops a vehicle at once as if it had broken down, or lets it go on.
KERB_API void kerb_traffic_set_broken(kerb_traffic* traffic, int32_t vehicle, bool broken);

/// Moves everything on by a time. The same bits for any number of workers. `tasks` may be NULL: the
/// calling thread does all. [dt: s] [0.01 … 1]
KERB_API void kerb_traffic_step(kerb_traffic* traffic, const kerb_network* network, float dt,
                                const kerb_tasks* tasks);

/// Takes at most `capacity` of the oldest events out and returns how many.
KERB_API int32_t kerb_traffic_take_events(kerb_traffic* traffic, kerb_traffic_event* events,
                                          int32_t capacity);

/// A vehicle as it is now.
typedef struct kerb_traffic_vehicle {
    kerb_traffic_stage stage;
    kerb_traffic_wait wait;
    int32_t type;
    uint64_t user;
    int32_t segment;     ///< Of the front. -1 outside.
    float station;       ///< Of the front on it. [m]
    float left;          ///< Lateral offset while it changes lanes. [m]
    kerb_vec3 position;  ///< Middle of the front.
    kerb_vec3 joint;     ///< Where the trailer is coupled; the rear of a rigid vehicle.
    kerb_vec3 rear;      ///< Middle of the rear, of the trailer where there is one.
    float heading;       ///< From the joint to the front. [rad]
    float length, width; ///< With the trailer. [m]
    float speed;         ///< Negative while it backs off. [m/s]
    float acceleration;  ///< [m/s^2]
    int32_t next_turn;   ///< Turn that it takes at the end of its lane, or -1.
    int32_t claims;      ///< Turns ahead and under it that it has claimed.
    float waited;        ///< Time at standstill, without a break. [s]
} kerb_traffic_vehicle;

/// The vehicle of a number in [0, vehicles_max). O(1)
KERB_API kerb_traffic_vehicle kerb_traffic_vehicle_of(const kerb_traffic* traffic,
                                                      const kerb_network* network, int32_t vehicle);

/// The letter that a signal shows to a turn now, as in kerb_network_phase; 'O' for a turn without a
/// signal.
KERB_API char kerb_traffic_signal(const kerb_traffic* traffic, const kerb_network* network,
                                  int32_t turn);

/// Counts since the traffic was created.
typedef struct kerb_traffic_counts {
    double time;      ///< [s]
    int32_t vehicles; ///< Driving or stopping now.
    int32_t outside;  ///< Waiting to depart now.
    int64_t departed, arrived, updates, lane_changes, reroutes;
    int64_t backed_off;  ///< Vehicles that drove back to get room for a change of lanes.
    int64_t crept;       ///< Vehicles that moved on with a ring of full lanes.
    int64_t asked;       ///< Interventions asked of the host.
    int64_t events_lost; ///< Events for which there was no place.
} kerb_traffic_counts;

/// What has happened since the traffic was created. O(1)
KERB_API kerb_traffic_counts kerb_traffic_counts_of(const kerb_traffic* traffic);

#endif
