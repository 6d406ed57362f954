// Written frame by frame through one small buffer, so that the memory does not grow with the length
// of the trace.
#include "tool/report/trace.h"

#include "tool/command/file.h"
#include "tool/report/trace_csv.h"

#include <errno.h>
#include <string.h>

typedef struct trace_trials {
    const tool_recording* recordings;
    int32_t count;
} trace_trials;

static bool flush(FILE* out, kerb_io_text* text) {
    if (text->out_of_memory)
        errno = ENOMEM;
    bool written = !text->out_of_memory && fwrite(text->data, 1, text->length, out) == text->length;
    text->length = 0;
    return written;
}

// A cell and the comma behind it, in quotes where its content needs them.
static void add_cell(kerb_io_text* text, const char* cell) {
    bool quoted = strpbrk(cell, ",\"#\r\n") != NULL || cell[0] == ' ';
    if (quoted)
        kerb_io_text_add(text, "\"");
    for (const char* c = cell; *c != '\0'; c++)
        kerb_io_text_add_bytes(text, *c == '"' ? "\"\"" : c, *c == '"' ? 2 : 1);
    kerb_io_text_add(text, quoted ? "\"," : ",");
}

static bool print_trial(FILE* out, kerb_io_text* text, const tool_recording* r, bool named) {
    for (int32_t i = 0; i < r->count; i++) {
        if (named) {
            add_cell(text, r->course->name);
            add_cell(text, r->vehicle_name);
            add_cell(text, r->follower_name);
        }
        tool_trace_csv_frame(text, &r->frames[i]);
        if (!flush(out, text))
            return false;
    }
    return true;
}

static bool print_trials(FILE* out, const void* context) {
    const trace_trials* t = context;
    kerb_host host = kerb_host_default();
    kerb_io_text text = kerb_io_text_make(&host.allocator);
    bool named = t->count > 1;
    if (named)
        kerb_io_text_add(&text, "course,vehicle,follower,");
    tool_trace_csv_header(&text);
    bool printed = flush(out, &text);
    for (int32_t i = 0; i < t->count && printed; i++)
        printed = print_trial(out, &text, &t->recordings[i], named);
    kerb_io_text_destroy(&text);
    return printed;
}

tool_status tool_trace_write(const char* path, const tool_recording* recordings, int32_t count) {
    trace_trials t = {recordings, count};
    return tool_file_print(path, print_trials, &t);
}
