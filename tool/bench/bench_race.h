// Rows of `kerb bench` for racing: speed profiles, the driver.
#ifndef KERB_TOOL_BENCH_BENCH_RACE_H
#define KERB_TOOL_BENCH_BENCH_RACE_H

#include "tool/bench/bench_rows.h"

bool tool_bench_speed_profile(tool_bench_figure* figure);
bool tool_bench_racer_drive(tool_bench_figure* figure);
bool tool_bench_racer_drive_20(tool_bench_figure* figure);
bool tool_bench_racer_drive_20_99(tool_bench_figure* figure);

#endif
