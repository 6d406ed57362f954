// Rows of `kerb bench` for the lane keeper.
#ifndef TOOL_BENCH_LANE_H
#define TOOL_BENCH_LANE_H

#include "tool/bench_rows.h"

bool tool_bench_lane_drive(tool_bench_figure* figure);

#endif
