// `kerb plan --thesis`: the tables of the AIPATH thesis beside its own numbers.
#ifndef KERB_TOOL_RUN_PLAN_THESIS_H
#define KERB_TOOL_RUN_PLAN_THESIS_H

#include "tool/command/outputs.h"

/// Runs all experiments with so many random goals each, and reports them. FAILED when the checker
/// rejects a movement. [goals, expansions >= 1]
tool_status tool_plan_run_thesis(const tool_outputs* outputs, int64_t goals, int64_t expansions);

#endif
