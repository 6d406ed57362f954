// Many races that differ in their seed alone, and their common results: a figure like "no hard
// contact in nine of ten starts" comes from them.
#ifndef KERB_TOOL_RUN_RACE_SERIES_H
#define KERB_TOOL_RUN_RACE_SERIES_H

#include "tool/run/race.h"

#define TOOL_RACE_SERIES_MOST 10000

/// Runs `count` races with the seeds from the wish's on, on so many threads, and prints a table or
/// a JSON object. Complains. TOOL_FAILED when not all cars finished in all of them.
tool_status tool_race_series_run(const tool_race_wish* wish, int32_t count, int32_t threads,
                                 bool json, const kerb_host* host);

#endif
