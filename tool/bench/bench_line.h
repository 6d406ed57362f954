// Rows of `kerb bench` about racing lines.
#ifndef KERB_TOOL_BENCH_BENCH_LINE_H
#define KERB_TOOL_BENCH_BENCH_LINE_H

#include "tool/bench/bench_rows.h"

/// A line of a generated track of 5.8 km, in all: from the track to the last step.
bool tool_bench_line_time(tool_bench_figure* figure);
bool tool_bench_line_curvature(tool_bench_figure* figure);
bool tool_bench_line_spring(tool_bench_figure* figure);

/// Least lap time of an open track of 1, 10 and 100 km, a metre of it.
bool tool_bench_line_1_km(tool_bench_figure* figure);
bool tool_bench_line_10_km(tool_bench_figure* figure);
bool tool_bench_line_100_km(tool_bench_figure* figure);

#endif
