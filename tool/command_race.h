// `kerb race`: a race in the reference simulation.
#ifndef TOOL_COMMAND_RACE_H
#define TOOL_COMMAND_RACE_H

#include "tool/arguments.h"

extern const tool_command tool_command_race;

/// Runs it; `argv` are the words after the command's name.
tool_status tool_race_command_run(int argc, char** argv);

#endif
