// The page that replays a race: all cars on the track at the same time, which cars each driver
// reacts to, the order with its gaps, laps, and the decision of each driver.
#ifndef KERB_TOOL_PAGE_RACE_PAGE_H
#define KERB_TOOL_PAGE_RACE_PAGE_H

#include "tool/run/race.h"

/// Writes the page, whole or not at all; complains when it cannot. About 40 bytes a sample, of
/// which tool_race keeps at most TOOL_RACE_SAMPLES_MOST: at most 9 MB.
tool_status tool_race_page_write(const char* path, const tool_race* race);

#endif
