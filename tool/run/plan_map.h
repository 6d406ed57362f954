// Maps and lists of movements from files, in the form that the planner needs.
#ifndef KERB_TOOL_RUN_PLAN_MAP_H
#define KERB_TOOL_RUN_PLAN_MAP_H

#include "kerb/io/grid_map.h"
#include "kerb/io/scenario.h"
#include "scene/plan/planning.h"
#include "tool/run/named_file.h"

/// A map. `world` points into the others.
typedef struct tool_plan_map {
    char path[TOOL_NAMED_BYTES];
    kerb_plan_world world; ///< of a turned map in its own frame, with its corner at (0, 0)
    kerb_io_map_info info; ///< of a map of map_server; else zeroed
    kerb_io_grid_map grid;
    kerb_io_parking parking;
} tool_plan_map;

/// What is done about maps.
typedef struct tool_plan_map_rules {
    bool allow_outside; ///< files named in a file may lie outside of its folder
    float price; ///< of a metre where a map of mode scale or raw is nearly occupied [s/m] [>= 0]
} tool_plan_map_rules;

/// MovingAI's .map; map_server's .yaml, or its .pgm or .png with a .yaml of that name beside it.
/// Complains with file, line and field; notes what was assumed. Free it with tool_plan_map_free.
tool_status tool_plan_map_load(const char* path, const tool_plan_map_rules* rules,
                               tool_plan_map* map);
void tool_plan_map_free(tool_plan_map* map);

/// The frame of a turned map's `world`; NULL where it is the world's own.
const kerb_io_map_info* tool_plan_map_frame(const tool_plan_map* map);

/// One movement of a list.
typedef struct tool_plan_case {
    kerb_scene_plan_task task;
    int32_t map;      ///< -1: open ground
    bool any_heading; ///< at both ends
    int32_t index;    ///< in the file
    double length;    ///< by which the longest are chosen
} tool_plan_case;

typedef struct tool_plan_list {
    tool_plan_case* cases; ///< as in the file; ends in the frame of the map
    int32_t count;
    tool_plan_map* maps;
    int32_t map_count;
    const char* car; ///< whose movements these are; NULL: those of the caller's limits
} tool_plan_list;

/// Reads a list and the maps that it names, which lie in its folder. `limits` are for Kerb's CSV;
/// other lists have their own cars. With `limit` > 0 the longest so many are kept. Complains.
tool_status tool_plan_list_load(const char* path, const tool_plan_map_rules* rules,
                                const kerb_plan_limits* limits, int64_t limit,
                                tool_plan_list* list);
void tool_plan_list_free(tool_plan_list* list);

#endif
