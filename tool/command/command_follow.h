// `kerb follow`: drives each vehicle along each course with each follower.
#ifndef KERB_TOOL_COMMAND_COMMAND_FOLLOW_H
#define KERB_TOOL_COMMAND_COMMAND_FOLLOW_H

#include "tool/command/arguments.h"

extern const tool_command tool_command_follow;

/// Runs it with the words after its name.
tool_status tool_follow_run(int argc, char** argv);

#endif
