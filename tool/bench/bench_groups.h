// Rows of `kerb bench` for agents in groups, kerb/steer.h.
#ifndef KERB_TOOL_BENCH_BENCH_GROUPS_H
#define KERB_TOOL_BENCH_BENCH_GROUPS_H

#include "tool/bench/bench_rows.h"

bool tool_bench_flock(tool_bench_figure* figure);

#endif
