// Rows of `kerb bench` for the planner.
#ifndef KERB_TOOL_BENCH_BENCH_PLAN_H
#define KERB_TOOL_BENCH_BENCH_PLAN_H

#include "tool/bench/bench_rows.h"

bool tool_bench_plan_bound(tool_bench_figure* figure);
bool tool_bench_plan_shot(tool_bench_figure* figure);
bool tool_bench_plan_shot_reverse(tool_bench_figure* figure);
bool tool_bench_plan_improvement(tool_bench_figure* figure);
bool tool_bench_plan_expansion(tool_bench_figure* figure);
bool tool_bench_plan_expansion_speed(tool_bench_figure* figure);
bool tool_bench_plan_in_space(tool_bench_figure* figure);
bool tool_bench_plan_blocks(tool_bench_figure* figure);

#endif
