// The cost of a call of directed seek: a row of `kerb bench`, and a figure of `kerb seek`.
#ifndef KERB_TOOL_BENCH_BENCH_SEEK_H
#define KERB_TOOL_BENCH_BENCH_SEEK_H

#include "scene/crowd/seeking.h"
#include "tool/bench/bench_rows.h"

/// Mean cost of a call at the starts of trials. 0 without memory. [ns]
double tool_seek_call_ns(const kerb_scene_seek_plan* plan);

bool tool_bench_directed_seek(tool_bench_figure* figure);

#endif
