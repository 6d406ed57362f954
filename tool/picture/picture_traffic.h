// A picture of a city: how fast each lane was driven on average, and how many passed.
#ifndef KERB_TOOL_PICTURE_PICTURE_TRAFFIC_H
#define KERB_TOOL_PICTURE_PICTURE_TRAFFIC_H

#include "scene/city/city_run.h"
#include "tool/command/message.h"

/// What is summed over a run, by segment.
typedef struct tool_traffic_flow {
    double* vehicle_seconds; ///< time that all vehicles spent there
    double* metres;          ///< that all drove there
    int32_t count;           ///< segments; 0: nothing is kept
} tool_traffic_flow;

bool tool_traffic_flow_make(tool_traffic_flow* flow, const kerb_network* network);
/// After a step.
void tool_traffic_flow_add(tool_traffic_flow* flow, const kerb_scene_city_run* run);
void tool_traffic_flow_free(tool_traffic_flow* flow);

/// Draws density on the left and flow on the right, as SVG and PNG, each where its path is given.
tool_status tool_picture_traffic_write(const char* svg, const char* png,
                                       const tool_traffic_flow* flow,
                                       const kerb_scene_city_run* run);

#endif
