// `kerb line`: the racing line of a track, and its speeds.
#ifndef KERB_TOOL_COMMAND_COMMAND_RACING_LINE_H
#define KERB_TOOL_COMMAND_COMMAND_RACING_LINE_H

#include "tool/command/arguments.h"

extern const tool_command tool_command_racing_line;

/// Runs it with the words after its name.
tool_status tool_racing_line_run(int argc, char** argv);

#endif
