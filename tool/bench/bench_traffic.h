// Rows of `kerb bench` for city traffic.
#ifndef KERB_TOOL_BENCH_BENCH_TRAFFIC_H
#define KERB_TOOL_BENCH_BENCH_TRAFFIC_H

#include "tool/bench/bench_rows.h"

bool tool_bench_traffic_update(tool_bench_figure* figure);
bool tool_bench_traffic_update_20000(tool_bench_figure* figure);
bool tool_bench_traffic_update_two(tool_bench_figure* figure);
bool tool_bench_traffic_step_300(tool_bench_figure* figure);

#endif
