// Rows of `kerb bench` for kerb/curve.h.
#ifndef KERB_TOOL_BENCH_BENCH_CURVES_H
#define KERB_TOOL_BENCH_BENCH_CURVES_H

#include "tool/bench/bench_rows.h"

bool tool_bench_dubins_scalar(tool_bench_figure* figure);
bool tool_bench_dubins_batch(tool_bench_figure* figure);
bool tool_bench_reeds_shepp_scalar(tool_bench_figure* figure);

#endif
