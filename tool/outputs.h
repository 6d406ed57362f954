// Options that every command has: where results go, the seed, the threads.
#ifndef TOOL_OUTPUTS_H
#define TOOL_OUTPUTS_H

#include "tool/arguments.h"

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
    {NULL, NULL, TOOL_OPTION_HEADING, 0, 0, 0, NULL, "What comes out"},                            \
        {"json",                                                                                   \
         NULL,                                                                                     \
         TOOL_OPTION_FLAG,                                                                         \
         offsetof(type, field.json),                                                               \
         0,                                                                                        \
         0,                                                                                        \
         NULL,                                                                                     \
         "one JSON object on standard output, and nothing else there"},                            \
        {"csv",                                                                                    \
         "FILE",                                                                                   \
         TOOL_OPTION_TEXT,                                                                         \
         offsetof(type, field.csv),                                                                \
         0,                                                                                        \
         0,                                                                                        \
         NULL,                                                                                     \
         "the trace: a row for every drive call"},                                                 \
        {"svg", "FILE", TOOL_OPTION_TEXT,       offsetof(type, field.svg), 0,                      \
         0,     NULL,   "a picture that scales"},                                                  \
        {"png",                                                                                    \
         "FILE",                                                                                   \
         TOOL_OPTION_TEXT,                                                                         \
         offsetof(type, field.png),                                                                \
         0,                                                                                        \
         0,                                                                                        \
         NULL,                                                                                     \
         "the same picture in pixels"},                                                            \
        {"html",                                                                                   \
         "FILE",                                                                                   \
         TOOL_OPTION_TEXT,                                                                         \
         offsetof(type, field.html),                                                               \
         0,                                                                                        \
         0,                                                                                        \
         NULL,                                                                                     \
         "one self-contained page that replays the run"},                                          \
        {"quiet",                                                                                  \
         NULL,                                                                                     \
         TOOL_OPTION_FLAG,                                                                         \
         offsetof(type, field.quiet),                                                              \
         0,                                                                                        \
         0,                                                                                        \
         NULL,                                                                                     \
         "no table and no progress; errors are still said"},                                       \
        {NULL, NULL, TOOL_OPTION_HEADING, 0, 0, 0, NULL, "How it runs"},                           \
        {"seed",        "N",  TOOL_OPTION_WHOLE,          offsetof(type, field.seed), 0,           \
         TOOL_SEED_MAX, NULL, "of all random numbers (0)"},                                        \
    {                                                                                              \
        "threads", "N", TOOL_OPTION_WHOLE, offsetof(type, field.threads), 1, 64, NULL,             \
            "to work on (as many as the machine has); changes no result"                           \
    }

/// Complains about outputs that cannot be written, before any work.
tool_status tool_outputs_check(const tool_outputs* outputs);

/// Threads to use.
int32_t tool_outputs_threads(const tool_outputs* outputs);

#endif
