// The results of trials as a table for people and as JSON for programs.
#ifndef KERB_TOOL_REPORT_REPORT_H
#define KERB_TOOL_REPORT_REPORT_H

#include "tool/report/summary.h"

#include <stdio.h>

/// What the reports are about.
typedef struct tool_report {
    const tool_recording* recordings; ///< by course, then vehicle, then follower
    int32_t count;
    int64_t seed;
    double drive_hz;
    const char* physics; ///< the word: "sim", "bullet"
} tool_report;

/// A row for each trial, and sums per follower when there are several.
void tool_report_table(const tool_report* report, FILE* out);

/// EA's Table I: a column for each follower, a row for each figure, and stuck events by vehicle.
/// When all built-in trials were driven, EA's own figures stand beside it.
void tool_report_comparison(const tool_report* report, FILE* out);

/// One JSON object with the keys of the manual. False when memory is missing.
bool tool_report_json(const tool_report* report, FILE* out);

#endif
