// The clock is read at each addition, so callers add a few hundred times a second at most.
#include "tool/command/progress.h"

#include "tool/command/machine.h"

#include <stdio.h>

#define SECOND 1000000000u

tool_progress tool_progress_make(const char* what, double total, bool wanted) {
    tool_progress progress = {.what = what, .total = total, .begun = tool_clock_ns()};
    progress.wanted = wanted && tool_error_is_terminal();
    return progress;
}

static void show(tool_progress* progress, uint64_t now) {
    double part = progress->total > 0.0 ? progress->done / progress->total : 0.0;
    int percent = part < 1.0 ? (int)(part * 100.0) : 100;
    fprintf(stderr, "\r%s: %3d %%, %llu s ", progress->what, percent,
            (unsigned long long)((now - progress->begun) / SECOND));
    fflush(stderr);
    progress->shown = now;
    progress->visible = true;
}

void tool_progress_add(tool_progress* progress, double step) {
    if (!progress->wanted)
        return;
    tool_lock();
    progress->done += step;
    uint64_t now = tool_clock_ns();
    if (now - progress->begun > SECOND && now - progress->shown > SECOND / 5)
        show(progress, now);
    tool_unlock();
}

void tool_progress_end(tool_progress* progress) {
    if (progress->visible)
        fprintf(stderr, "\r%40s\r", "");
    progress->visible = false;
}
