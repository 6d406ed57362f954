// A picture of directed seek: many agents from a ring of poses to one goal.
#ifndef TOOL_PICTURE_SEEK_H
#define TOOL_PICTURE_SEEK_H

#include "scene/seeking.h"
#include "tool/message.h"

/// Writes an SVG and a PNG of arrivals, each where its path is not NULL. Complains when it cannot.
tool_status tool_picture_seek_write(const char* svg, const char* png, const scene_seek_plan* plan);

#endif
