// Trips and places of vehicles in SUMO's own formats, so that its tools can look at them.
#ifndef KERB_TOOL_REPORT_TRAFFIC_FILES_H
#define KERB_TOOL_REPORT_TRAFFIC_FILES_H

#include "tool/run/traffic_load.h"

#include <stdio.h>

void tool_tripinfo_begin(FILE* out);
/// A trip that arrived.
void tool_tripinfo_add(FILE* out, const tool_traffic_load* load, const kerb_traffic_event* trip);
void tool_tripinfo_end(FILE* out);

void tool_fcd_begin(FILE* out);
/// All vehicles at a time.
void tool_fcd_add(FILE* out, const tool_traffic_load* load, const kerb_scene_city_run* run);
void tool_fcd_end(FILE* out);

#endif
