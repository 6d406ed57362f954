// The trace of a trial as CSV: one line a frame, for spreadsheets, plots and comparisons.
//
//     io_text text = io_text_make(&host.allocator);
//     io_trace_csv_header(&text);
//     each frame: io_trace_csv_frame(&text, &frame);
//     if (io_text_result(&text, &error) != KERB_OK) …
//
// The same bytes on every machine and under every locale: numbers have fixed decimals, rounded
// from the exact value. The columns are listed in docs/formats.md.
#ifndef TOOL_TRACE_CSV_H
#define TOOL_TRACE_CSV_H

#include "kerb/io/text.h"
#include "scene/trial.h"

/// Appends the line that names the columns.
void io_trace_csv_header(io_text* text);

/// Appends a frame. Numbers that are not finite are written as nan, inf or -inf. About 1.5 µs.
void io_trace_csv_frame(io_text* text, const scene_frame* frame);

/// Appends header and frames. KERB_OK or OUT_OF_MEMORY.
kerb_result io_trace_csv_write(io_text* text, const scene_frame* frames, int32_t count,
                               kerb_error* error);

#endif
