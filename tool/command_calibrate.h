// `kerb calibrate`: measures a vehicle by driving it.
#ifndef TOOL_COMMAND_CALIBRATE_H
#define TOOL_COMMAND_CALIBRATE_H

#include "tool/arguments.h"

extern const tool_command tool_command_calibrate;

/// Runs it with the words after its name.
tool_status tool_calibrate_run(int argc, char** argv);

#endif
