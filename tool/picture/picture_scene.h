// A picture of a scene of many agents: four moments of it, each agent with its path of the last
// seconds.
#ifndef KERB_TOOL_PICTURE_PICTURE_SCENE_H
#define KERB_TOOL_PICTURE_PICTURE_SCENE_H

#include "tool/command/message.h"
#include "tool/report/recording.h"

/// Writes an SVG and a PNG, each where its path is not NULL, of recordings that share a course and
/// their times. Complains when it cannot. O(frames)
tool_status tool_picture_scene_write(const char* svg, const char* png,
                                     const tool_recording* const* recordings, int32_t count);

#endif
