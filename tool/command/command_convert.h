// `kerb convert`: between file formats.
#ifndef KERB_TOOL_COMMAND_COMMAND_CONVERT_H
#define KERB_TOOL_COMMAND_COMMAND_CONVERT_H

#include "tool/command/arguments.h"

extern const tool_command tool_command_convert;

/// Runs it with the words after its name.
tool_status tool_convert_run(int argc, char** argv);

#endif
