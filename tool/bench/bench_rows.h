// The rows of `kerb bench`: a name that stays, and a function that measures.
#ifndef KERB_TOOL_BENCH_BENCH_ROWS_H
#define KERB_TOOL_BENCH_BENCH_ROWS_H

#include "kerb/base.h"

/// What a row found. Zero, apart from `ns`, where it has nothing to say.
typedef struct tool_bench_figure {
    double ns;        ///< mean per call or item
    double most_ns;   ///< greatest of single calls
    const char* peer; ///< a library that does the same, or NULL
    double peer_ns;   ///< 0: this build is without it
} tool_bench_figure;

typedef struct tool_bench_row {
    const char* name;
    const char* meaning;                        ///< what is timed, per what
    bool (*measure)(tool_bench_figure* figure); ///< false: it could not (no memory)
} tool_bench_row;

extern const tool_bench_row tool_bench_rows[];
extern const int32_t tool_bench_row_count;

#endif
