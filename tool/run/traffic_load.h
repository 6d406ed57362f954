// What `kerb traffic` runs on: a network by name or from a file, its demand, and the names that
// SUMO's files have for both.
#ifndef KERB_TOOL_RUN_TRAFFIC_LOAD_H
#define KERB_TOOL_RUN_TRAFFIC_LOAD_H

#include "kerb/io/sumo_demand.h"
#include "kerb/io/sumo_road.h"
#include "scene/city/city_plan.h"
#include "scene/city/city_run.h"
#include "tool/command/arguments.h"

/// A network with its demand.
typedef struct tool_traffic_load {
    const kerb_network_plan* plan;
    kerb_scene_city city;      ///< built in
    kerb_io_sumo_network sumo; ///< or from a file
    kerb_io_sumo_plan sumo_plan;
    kerb_io_sumo_demand demand;
    kerb_traffic_type types[KERB_TRAFFIC_TYPES_MAX];
    const char* type_names[KERB_TRAFFIC_TYPES_MAX];
    int32_t type_count;
    kerb_scene_city_trip* trips;        ///< NULL: no demand was given
    kerb_io_sumo_departure* departures; ///< of the trips
    int32_t trip_count;
    int32_t left_out; ///< trips that no way leads to
    int32_t* route_edges;
    int32_t route_edge_count, route_edge_room;
    kerb_traffic_stop* stops;
    bool from_file;
} tool_traffic_load;

/// Loads a network: a built-in name, or a `.net.xml`. `size`: of built-in ones, 0 for the standard.
tool_status tool_traffic_load_network(tool_traffic_load* load, const char* name, int32_t size,
                                      bool left_hand);

/// Loads additional files, then route files; trips until `seconds`.
tool_status tool_traffic_load_demand(tool_traffic_load* load, const tool_words* additional,
                                     const tool_words* routes, double seconds, int64_t seed);

/// Index of an edge of the plan by its name, or -1.
int32_t tool_traffic_edge_named(const tool_traffic_load* load, const char* name);

/// Names as in SUMO's files; built-in networks count: "e3", "e3_0". `segment` may be a turn.
void tool_traffic_edge_name(const tool_traffic_load* load, int32_t edge, char name[80]);
void tool_traffic_segment_name(const tool_traffic_load* load, int32_t segment, char name[80]);

/// Name of a trip: that of the file, or "v" and its number.
void tool_traffic_trip_name(const tool_traffic_load* load, uint64_t trip, char name[80]);

void tool_traffic_load_free(tool_traffic_load* load);

#endif
