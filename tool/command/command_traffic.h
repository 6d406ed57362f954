// `kerb traffic`.
#ifndef KERB_TOOL_COMMAND_COMMAND_TRAFFIC_H
#define KERB_TOOL_COMMAND_COMMAND_TRAFFIC_H

#include "tool/command/arguments.h"

extern const tool_command tool_command_traffic;

tool_status tool_traffic_run(int argc, char** argv);

#endif
