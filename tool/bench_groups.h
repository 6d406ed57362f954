// Rows of `kerb bench` for agents in groups, kerb/steer.h.
#ifndef TOOL_BENCH_GROUPS_H
#define TOOL_BENCH_GROUPS_H

#include "tool/bench_rows.h"

bool tool_bench_flock(tool_bench_figure* figure);

#endif
