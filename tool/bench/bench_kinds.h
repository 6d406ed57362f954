// Rows of `kerb bench` for kinds of vehicles: the mean and the most of whole plans.
#ifndef KERB_TOOL_BENCH_BENCH_KINDS_H
#define KERB_TOOL_BENCH_BENCH_KINDS_H

#include "tool/bench/bench_rows.h"

bool tool_bench_kind_ship(tool_bench_figure* figure);
bool tool_bench_kind_pedestrian(tool_bench_figure* figure);
bool tool_bench_kind_hovercraft(tool_bench_figure* figure);
bool tool_bench_kind_trailer(tool_bench_figure* figure);
bool tool_bench_kind_motorcycle(tool_bench_figure* figure);
bool tool_bench_kind_tank(tool_bench_figure* figure);
bool tool_bench_plan_in_space(tool_bench_figure* figure);

#endif
