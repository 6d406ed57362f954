// The trace of trials as one CSV file.
#ifndef KERB_TOOL_REPORT_TRACE_H
#define KERB_TOOL_REPORT_TRACE_H

#include "tool/command/message.h"
#include "tool/report/recording.h"

/// Writes a row for every frame. With several trials the first columns say which: course, vehicle,
/// follower. The recordings must hold their frames. Complains when it cannot.
tool_status tool_trace_write(const char* path, const tool_recording* recordings, int32_t count);

#endif
