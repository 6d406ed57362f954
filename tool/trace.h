// The trace of trials as one CSV file.
#ifndef TOOL_TRACE_H
#define TOOL_TRACE_H

#include "tool/message.h"
#include "tool/recording.h"

/// Writes a row for every frame. With several trials the first columns say which: course, vehicle,
/// follower. The recordings must hold their frames. Complains when it cannot.
tool_status tool_trace_write(const char* path, const tool_recording* recordings, int32_t count);

#endif
