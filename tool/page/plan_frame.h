// Movements on turned maps. The planner knows grids along x and y alone: it plans in the frame of
// the map, and what was found is turned back before it is reported.
#ifndef KERB_TOOL_PAGE_PLAN_FRAME_H
#define KERB_TOOL_PAGE_PLAN_FRAME_H

#include "tool/page/plan_film.h"

/// Ends and movers from the world into the frame of a map, and back. NULL: nothing happens.
void tool_plan_ends_to_map(const kerb_io_map_info* frame, kerb_plan_end* ends, int32_t count);
void tool_plan_ends_to_world(const kerb_io_map_info* frame, kerb_plan_end* ends, int32_t count);
void tool_plan_movers_to_map(const kerb_io_map_info* frame, kerb_plan_mover* movers, int32_t count);
void tool_plan_movers_to_world(const kerb_io_map_info* frame, kerb_plan_mover* movers,
                               int32_t count);

/// What was found, with its kept pieces and moments, by the frame of its job. The job's own choice
/// and movers are its owner's to turn. `world` stays in the frame.
void tool_plan_found_to_world(tool_plan_found* found);

/// A film of it.
void tool_plan_film_to_world(const tool_plan_found* found, tool_plan_film* film);

#endif
