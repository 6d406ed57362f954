// A picture of directed seek: many agents from a ring of poses to one goal.
#ifndef KERB_TOOL_PICTURE_PICTURE_SEEK_H
#define KERB_TOOL_PICTURE_PICTURE_SEEK_H

#include "scene/crowd/seeking.h"
#include "tool/command/message.h"

/// Writes an SVG and a PNG of arrivals, each where its path is not NULL. Complains when it cannot.
tool_status tool_picture_seek_write(const char* svg, const char* png,
                                    const kerb_scene_seek_plan* plan);

#endif
