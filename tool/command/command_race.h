// `kerb race`: a race in the reference simulation.
#ifndef KERB_TOOL_COMMAND_COMMAND_RACE_H
#define KERB_TOOL_COMMAND_COMMAND_RACE_H

#include "tool/command/arguments.h"

extern const tool_command tool_command_race;

/// Runs it; `argv` are the words after the command's name.
tool_status tool_race_command_run(int argc, char** argv);

#endif
