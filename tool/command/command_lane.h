// `kerb lane`: cars keep their lane by rays against the road's edge.
#ifndef KERB_TOOL_COMMAND_COMMAND_LANE_H
#define KERB_TOOL_COMMAND_COMMAND_LANE_H

#include "tool/command/arguments.h"

extern const tool_command tool_command_lane;

/// Runs it; `argv` are the words after the command's name.
tool_status tool_lane_command_run(int argc, char** argv);

#endif
