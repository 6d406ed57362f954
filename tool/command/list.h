// `kerb follow --list` and that of other commands: what can be driven, and what can be set.
#ifndef KERB_TOOL_COMMAND_LIST_H
#define KERB_TOOL_COMMAND_LIST_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/// Courses, vehicles and the follower's settings with unit, range and default.
void tool_list_print(FILE* out);

/// The same as one JSON object. False when memory is missing.
bool tool_list_json(int64_t seed, FILE* out);

/// Tracks, cars that race and the racing driver's settings.
void tool_list_print_race(FILE* out);

/// All built-in vehicles, the planner's settings and those of its search with speed.
void tool_list_print_plan(FILE* out);

/// Scenarios, tracks, all built-in vehicles and the lane keeper's settings.
void tool_list_print_lane(FILE* out);

#endif
