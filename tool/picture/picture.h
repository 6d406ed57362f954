// Pictures of trials: the course with its corridor, the driven line coloured by speed, and where
// the vehicle started, stopped, got stuck and ended. Several trials form a grid with one scale of
// colours. Drawn with cairo.
#ifndef KERB_TOOL_PICTURE_PICTURE_H
#define KERB_TOOL_PICTURE_PICTURE_H

#include "tool/command/message.h"
#include "tool/report/recording.h"

/// False when the command was built without cairo.
bool tool_picture_available(void);

/// Writes an SVG or a PNG of the trials, which must hold their frames. Complains when it cannot.
/// O(frames + waypoints). [count: > 0]
tool_status tool_picture_write_svg(const char* path, const tool_recording* recordings,
                                   int32_t count);
tool_status tool_picture_write_png(const char* path, const tool_recording* recordings,
                                   int32_t count);

#endif
