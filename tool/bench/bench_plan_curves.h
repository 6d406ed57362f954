// Rows of `kerb bench` for the curves of many vehicles.
#ifndef KERB_TOOL_BENCH_BENCH_PLAN_CURVES_H
#define KERB_TOOL_BENCH_BENCH_PLAN_CURVES_H

#include "tool/bench/bench_rows.h"

bool tool_bench_plan_curve(tool_bench_figure* figure);
bool tool_bench_plan_curves_300(tool_bench_figure* figure);
bool tool_bench_plan_curves_known(tool_bench_figure* figure);

#endif
