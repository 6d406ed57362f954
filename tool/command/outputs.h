// Options that every command has: output files, the seed, the threads.
#ifndef KERB_TOOL_COMMAND_OUTPUTS_H
#define KERB_TOOL_COMMAND_OUTPUTS_H

#include "tool/command/arguments.h"

/// Part of each command's own struct.
typedef struct tool_outputs {
    bool json;
    bool quiet;
    const char* svg;
    const char* png;
    const char* html;
    const char* csv;
    int64_t seed;
    int64_t threads; ///< 0: as many as the machine has
} tool_outputs;

/// Greatest seed: the greatest whole number that every reader of JSON holds exactly.
#define TOOL_SEED_MAX 9007199254740991.0

/// Rows for the option table of a command whose struct `type` has a tool_outputs called `field`.
#define TOOL_OUTPUT_OPTIONS(type, field)                                                           \
    TOOL_HEADING("Output"),                                                                        \
        TOOL_FLAG(type, field.json, "json",                                                        \
                  "one JSON object on standard output, and nothing else there"),                   \
        TOOL_TEXT(type, field.csv, "csv", "FILE", NULL, "the trace: a row for every drive call"),  \
        TOOL_TEXT(type, field.svg, "svg", "FILE", NULL, "a picture in vectors"),                   \
        TOOL_TEXT(type, field.png, "png", "FILE", NULL, "the same picture in pixels"),             \
        TOOL_TEXT(type, field.html, "html", "FILE", NULL,                                          \
                  "one self-contained page that replays the run"),                                 \
        TOOL_FLAG(type, field.quiet, "quiet",                                                      \
                  "no table and no progress; errors are still printed")

/// Likewise, after all that is about outputs.
#define TOOL_EXECUTION_OPTIONS(type, field)                                                        \
    TOOL_HEADING("Execution"),                                                                     \
        TOOL_WHOLE(type, field.seed, "seed", "N", 0, TOOL_SEED_MAX,                                \
                   "seed of all random numbers (default 0)"),                                      \
        TOOL_WHOLE(type, field.threads, "threads", "N", 1, 64,                                     \
                   "number of threads (default: as many as the machine has); changes no result")

/// Complains about outputs that cannot be written, before any work.
tool_status tool_outputs_check(const tool_outputs* outputs);

/// Threads to use.
int32_t tool_outputs_threads(const tool_outputs* outputs);

#endif
