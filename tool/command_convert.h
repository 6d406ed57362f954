// `kerb convert`: between file formats.
#ifndef TOOL_COMMAND_CONVERT_H
#define TOOL_COMMAND_CONVERT_H

#include "tool/arguments.h"

extern const tool_command tool_command_convert;

/// Runs it with the words after its name.
tool_status tool_convert_run(int argc, char** argv);

#endif
