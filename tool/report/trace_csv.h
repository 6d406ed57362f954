// The trace of a trial as CSV: one line per frame, for spreadsheets, plots and comparisons.
//
//     kerb_io_text text = kerb_io_text_make(&host.allocator);
//     tool_trace_csv_header(&text);
//     each frame: tool_trace_csv_frame(&text, &frame);
//     if (kerb_io_text_result(&text, &error) != KERB_OK) …
//
// The bytes are equal on every machine and under every locale: numbers have fixed decimals, rounded
// from the exact value. docs/formats.md lists the columns.
#ifndef KERB_TOOL_REPORT_TRACE_CSV_H
#define KERB_TOOL_REPORT_TRACE_CSV_H

#include "kerb/io/text.h"
#include "scene/course/trial.h"

/// Appends the line that names the columns.
void tool_trace_csv_header(kerb_io_text* text);

/// Appends a frame. Numbers that are not finite are written as nan, inf or -inf. About 1.5 µs.
void tool_trace_csv_frame(kerb_io_text* text, const kerb_scene_frame* frame);

/// Appends header and frames. KERB_OK or OUT_OF_MEMORY.
kerb_result tool_trace_csv_write(kerb_io_text* text, const kerb_scene_frame* frames, int32_t count,
                                 kerb_error* error);

#endif
