// `kerb manual`: the manual pages, made from the option tables.
#ifndef KERB_TOOL_COMMAND_COMMAND_MANUAL_H
#define KERB_TOOL_COMMAND_COMMAND_MANUAL_H

#include "tool/command/arguments.h"

extern const tool_command tool_command_manual;

tool_status tool_manual_run(int argc, char** argv);

#endif
