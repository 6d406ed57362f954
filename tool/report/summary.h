// The summary of several trials: the figures of EA's Table I.
#ifndef KERB_TOOL_REPORT_SUMMARY_H
#define KERB_TOOL_REPORT_SUMMARY_H

#include "tool/report/recording.h"

typedef struct tool_summary {
    int32_t trials, finished;
    int32_t stuck_trials; ///< with at least one stuck event
    int32_t stuck_events;
    int32_t contacts;      ///< touches of solids
    int32_t teleports;     ///< how often a vehicle was put back
    double cte_mean;       ///< mean over trials of their means over path distance [m]
    double cte_max;        ///< [m]
    double inside_percent; ///< as cte_mean
    int32_t left_road;     ///< trials in which the vehicle left the road
    double left_road_max;  ///< greatest distance beyond the road's edge [m]
    double time_mean;      ///< an unfinished trial counts with its time limit [s]
    double speed_mean;     ///< mean over trials [m/s]
    double speed_ratio;    ///< mean over trials: least time possible over time driven
    double drive_ns;       ///< mean cost of a drive call
} tool_summary;

/// Which trials count; NULL: any.
typedef struct tool_selection {
    const char* course;
    const char* vehicle;
    const char* follower;
} tool_selection;

bool tool_is_selected(const tool_selection* selection, const tool_recording* recording);

/// O(count). All zero when nothing is selected.
tool_summary tool_summarise(const tool_recording* recordings, int32_t count,
                            const tool_selection* selection);

#endif
