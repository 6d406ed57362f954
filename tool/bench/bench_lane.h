// Rows of `kerb bench` for the lane keeper.
#ifndef KERB_TOOL_BENCH_BENCH_LANE_H
#define KERB_TOOL_BENCH_BENCH_LANE_H

#include "tool/bench/bench_rows.h"

bool tool_bench_lane_drive(tool_bench_figure* figure);

#endif
