// A picture of one trial of the soak test: the town, the lines driven in it, and where vehicles got
// stuck or touched something.
#ifndef KERB_TOOL_PICTURE_SOAK_PICTURE_H
#define KERB_TOOL_PICTURE_SOAK_PICTURE_H

#include "tool/report/soak_record.h"

/// Writes an SVG or a PNG. Complains when it cannot. O(frames)
tool_status tool_soak_picture_svg(const char* path, const tool_soak* soak,
                                  const tool_soak_record* record);
tool_status tool_soak_picture_png(const char* path, const tool_soak* soak,
                                  const tool_soak_record* record);

#endif
