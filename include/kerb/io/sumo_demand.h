// Traffic demand of SUMO: who drives when, from where to where (`.rou.xml`), and what additional
// files add: types of vehicles, signal programmes, bus stops.
//
//     kerb_io_sumo_demand demand = kerb_io_sumo_demand_make(&host);
//     if (kerb_io_sumo_demand_read(&demand, &network, types, types_length, &notes, &error) ==
//             KERB_OK &&                                          // additional files first
//         kerb_io_sumo_demand_read(&demand, &network, text, length, &notes, &error) == KERB_OK)
//         printf("%d departures\n", demand.trip_count);
//     kerb_io_sumo_demand_destroy(&demand);
//
// What is read: vType, vTypeDistribution, route, vehicle, trip, flow, stop, busStop, tlLogic.
// Persons and all else are passed over with a note. A flow stays one item; kerb_io_sumo_departures
// writes all single departures in order of time.
//
// Threads: any thread may call these functions, as long as no two use the same demand or network.
// Lifetimes: a text is read during the call only; the network must outlive the demand.
#ifndef KERB_IO_SUMO_DEMAND_H
#define KERB_IO_SUMO_DEMAND_H

#include "kerb/io/sumo_network.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A type of vehicle.
typedef struct kerb_io_sumo_type {
    const char* id;
    uint32_t classes;    ///< Bits of kerb_io_sumo_class. [> 0]
    double length;       ///< [m] [> 0]
    double width;        ///< [m] [> 0]
    double min_gap;      ///< Distance to the vehicle in front at standstill. [m]
    double acceleration; ///< Greatest. [m/s^2] [> 0]
    double deceleration; ///< Comfortable. [m/s^2] [> 0]
    double emergency;    ///< Greatest deceleration. [m/s^2] [> 0]
    double top_speed;    ///< [m/s] [> 0]
    double time_gap;     ///< Wanted to the vehicle in front. [s] [>= 0]
    double speed_factor; ///< Mean share of the speed limit at which it drives. [1] [> 0]
    double speed_spread; ///< Standard deviation of that share. [1] [>= 0]
    double imperfection; ///< SUMO's sigma. [0 … 1]
    double share;        ///< Weight within its distribution. [1] [>= 0]
    int32_t line;        ///< In the text, from 1. 0: a type that needs no definition.
} kerb_io_sumo_type;

/// A name for several types, one of which each vehicle gets by chance; also for a single type.
typedef struct kerb_io_sumo_choice {
    const char* id;
    kerb_io_sumo_range types; ///< In `choice_types`.
} kerb_io_sumo_choice;

/// A stop on the way.
typedef struct kerb_io_sumo_stop {
    int32_t lane;    ///< In the network's `lanes`.
    double position; ///< Of the vehicle's front, from the lane's start. [m]
    double duration; ///< Shortest time at standstill. [s]
    double until;    ///< Does not leave before this time; negative: none. [s]
} kerb_io_sumo_stop;

/// Where a vehicle departs on its edge.
typedef enum kerb_io_sumo_place {
    KERB_IO_SUMO_PLACE_GIVEN, ///< the number
    KERB_IO_SUMO_PLACE_BEST,  ///< of the lanes that lead on along the route, the one with most room
    KERB_IO_SUMO_PLACE_FREE,  ///< the lane with most room
    KERB_IO_SUMO_PLACE_RANDOM ///< any
} kerb_io_sumo_place;

/// "given", "best", "free" or "random"; "unknown" out of range. Never NULL.
const char* kerb_io_sumo_place_text(kerb_io_sumo_place value);

/// A vehicle, a trip or a flow.
typedef struct kerb_io_sumo_trip {
    const char* id;
    int32_t choice;           ///< In `choices`.
    kerb_io_sumo_range edges; ///< In `route_edges`.
    bool complete;            ///< The edges are the whole route; else only from, via and to.
    double depart;            ///< Of the first one. [s]
    double end;               ///< Of a flow: no departure at or after this. [s]
    double period;            ///< Of a flow, mean time between departures; 0: one vehicle. [s]
    bool random;              ///< Times between departures are exponentially distributed.
    int32_t number;           ///< Greatest number of departures; 1 for one vehicle.
    kerb_io_sumo_place lane_rule;
    int32_t lane;             ///< With KERB_IO_SUMO_PLACE_GIVEN. [>= 0]
    double position;          ///< Of the front from the edge's start; negative: from its end. [m]
    bool position_given;      ///< Else: wherever there is room.
    double speed;             ///< At departure; negative: as fast as is safe. [m/s]
    double arrival;           ///< Position on the last edge; negative: its end. [m]
    kerb_io_sumo_range stops; ///< In `stops`.
    int32_t line;             ///< In the text, from 1.
} kerb_io_sumo_trip;

/// A single departure.
typedef struct kerb_io_sumo_departure {
    double time;    ///< [s]
    int32_t trip;   ///< In `trips`.
    int32_t number; ///< Of a flow, from 0.
    int32_t type;   ///< In `types`.
} kerb_io_sumo_departure;

/// A demand that was read.
typedef struct kerb_io_sumo_demand {
    kerb_io_sumo_type* types;
    int32_t type_count;
    kerb_io_sumo_choice* choices;
    int32_t choice_count;
    int32_t* choice_types; ///< Indices in `types`.
    kerb_io_sumo_trip* trips;
    int32_t trip_count;
    int32_t* route_edges; ///< Indices in the network's `edges`.
    int32_t route_edge_count;
    kerb_io_sumo_stop* stops;
    int32_t stop_count;
    kerb_host host;
    void* memory; ///< Texts and tables of names; private.
} kerb_io_sumo_demand;

/// An empty demand. Allocates nothing.
kerb_io_sumo_demand kerb_io_sumo_demand_make(const kerb_host* host);

/// Adds what a route file or an additional file says. Signal programmes go to the network: the last
/// one that is read is in force. O(bytes); allocates.
///
/// Notes, with the line: elements that are passed over, a flow that never departs, a route whose
/// edges are not connected, a departure by another event than time.
///
/// Errors, with line, name of the attribute, and the element in the message: SYNTAX, UNKNOWN_FIELD
/// (another kind of file; an edge, lane, route, type or stop that is not known), MISSING_FIELD,
/// WRONG_TYPE, NOT_FINITE, OUT_OF_RANGE, CONTRADICTION (an id twice), TOO_FEW (a route without an
/// edge), TOO_MANY, OUT_OF_MEMORY; UNKNOWN_FIELD of "xml" where this build has no expat. On error
/// the demand is empty; the network keeps the programmes that came before the error.
kerb_result kerb_io_sumo_demand_read(kerb_io_sumo_demand* demand, kerb_io_sumo_network* network,
                                     const char* text, size_t length, kerb_io_notes* notes,
                                     kerb_error* error);

/// Writes at most `capacity` departures before `end`, in order of time, and returns how many there
/// are. Types and times that are left to chance follow from `seed`. `departures` may be NULL when
/// `capacity` is 0. [end: s] O(departures log departures)
int32_t kerb_io_sumo_departures(const kerb_io_sumo_demand* demand, double end, uint64_t seed,
                                kerb_io_sumo_departure* departures, int32_t capacity);

/// Releases the memory and leaves an empty demand.
void kerb_io_sumo_demand_destroy(kerb_io_sumo_demand* demand);

#ifdef __cplusplus
}
#endif

#endif
