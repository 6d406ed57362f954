// `kerb plan`: the fastest movement from pose to pose.
#ifndef KERB_TOOL_COMMAND_COMMAND_PLAN_H
#define KERB_TOOL_COMMAND_COMMAND_PLAN_H

#include "tool/command/arguments.h"

extern const tool_command tool_command_plan;

/// Runs it with the words after its name.
tool_status tool_plan_run_command(int argc, char** argv);

#endif
