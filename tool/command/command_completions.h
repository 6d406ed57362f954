// `kerb completions`: what bash and zsh complete, made from the option tables.
#ifndef KERB_TOOL_COMMAND_COMMAND_COMPLETIONS_H
#define KERB_TOOL_COMMAND_COMMAND_COMPLETIONS_H

#include "tool/command/arguments.h"

extern const tool_command tool_command_completions;

tool_status tool_completions_run(int argc, char** argv);

#endif
