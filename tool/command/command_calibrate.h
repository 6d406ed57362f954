// `kerb calibrate`: measures a vehicle by driving it.
#ifndef KERB_TOOL_COMMAND_COMMAND_CALIBRATE_H
#define KERB_TOOL_COMMAND_COMMAND_CALIBRATE_H

#include "tool/command/arguments.h"

extern const tool_command tool_command_calibrate;

/// Runs it with the words after its name.
tool_status tool_calibrate_run(int argc, char** argv);

#endif
