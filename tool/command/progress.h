// Shows the progress of long work on a terminal: one line that rewrites itself, after the first
// second. Silent when standard error is no terminal. Any thread may add to it.
#ifndef KERB_TOOL_COMMAND_PROGRESS_H
#define KERB_TOOL_COMMAND_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct tool_progress {
    const char* what; ///< "driving"
    double total;     ///< of what is added, in any unit
    double done;
    uint64_t begun, shown; ///< [ns]
    bool wanted;
    bool visible; ///< a line stands on the terminal
} tool_progress;

/// `wanted` false: never says anything.
tool_progress tool_progress_make(const char* what, double total, bool wanted);

/// Takes the lock of machine.h.
void tool_progress_add(tool_progress* progress, double step);

/// Wipes the line.
void tool_progress_end(tool_progress* progress);

#endif
