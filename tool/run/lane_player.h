// `kerb lane TRACK --scenario player`: a scripted human among bots, and the results.
#ifndef KERB_TOOL_RUN_LANE_PLAYER_H
#define KERB_TOOL_RUN_LANE_PLAYER_H

#include "scene/lane/lane_player.h"
#include "tool/command/message.h"
#include "tool/command/outputs.h"

/// What is run, ready to run, and for whom it is told.
typedef struct tool_lane_player {
    const char* track;
    const char* vehicle;
    kerb_scene_lane_player_plan plan;
    const tool_outputs* outputs;
    const char* html; ///< NULL: no page
} tool_lane_player;

/// Whether there is room for the bots on the road; complains when there is not.
tool_status tool_lane_player_check(const tool_lane_player* wish);

/// Runs it, writes the page and prints the table or the JSON object. TOOL_FAILED when the road
/// ended too early.
tool_status tool_lane_player_run(const tool_lane_player* wish, const kerb_host* host);

#endif
