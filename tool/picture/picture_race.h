// The picture of a race: the lap chart (places lap by lap), the gaps to the leader below it, the
// track with the places of contacts, and the sums.
#ifndef KERB_TOOL_PICTURE_PICTURE_RACE_H
#define KERB_TOOL_PICTURE_PICTURE_RACE_H

#include "tool/run/race.h"

/// Writes the picture as SVG and as PNG where a path is given; complains when it cannot.
tool_status tool_picture_race_write(const char* svg, const char* png, const tool_race* race);

/// A driver's colour, as 0xRRGGBB: by the rank of skill, the best red, the least blue, over even
/// steps of hue in OKLCH; of equal ones by number. The page uses it too.
uint32_t tool_race_color(const tool_race* race, int32_t car);

#endif
