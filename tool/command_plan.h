// `kerb plan`: the fastest movement from pose to pose.
#ifndef TOOL_COMMAND_PLAN_H
#define TOOL_COMMAND_PLAN_H

#include "tool/arguments.h"

extern const tool_command tool_command_plan;

/// Runs it with the words after its name.
tool_status tool_plan_run_command(int argc, char** argv);

#endif
