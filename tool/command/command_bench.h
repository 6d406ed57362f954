// `kerb bench`: the cost of kernels and drivers.
#ifndef KERB_TOOL_COMMAND_COMMAND_BENCH_H
#define KERB_TOOL_COMMAND_COMMAND_BENCH_H

#include "tool/command/arguments.h"

extern const tool_command tool_command_bench;

/// Runs it with the words after its name.
tool_status tool_bench_run(int argc, char** argv);

#endif
