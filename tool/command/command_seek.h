// `kerb seek`: agents from random poses to random poses by directed seek.
#ifndef KERB_TOOL_COMMAND_COMMAND_SEEK_H
#define KERB_TOOL_COMMAND_COMMAND_SEEK_H

#include "tool/command/arguments.h"

extern const tool_command tool_command_seek;

tool_status tool_seek_run(int argc, char** argv);

#endif
