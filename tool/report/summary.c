// Every trial has the same weight, as in EA's Table I: a long course does not dominate a short one.
// Only the cost of a drive call is a mean over calls.
#include "tool/report/summary.h"

#include <string.h>

static bool matches(const char* wanted, const char* name) {
    return !wanted || strcmp(wanted, name) == 0;
}

bool tool_is_selected(const tool_selection* selection, const tool_recording* recording) {
    return matches(selection->course, recording->course->name) &&
           matches(selection->vehicle, recording->vehicle_name) &&
           matches(selection->follower, recording->follower_name);
}

static void summary_add(tool_summary* sum, const kerb_scene_result* result) {
    sum->trials++;
    sum->finished += result->finished ? 1 : 0;
    sum->stuck_trials += result->stuck_events > 0 ? 1 : 0;
    sum->stuck_events += result->stuck_events;
    sum->contacts += result->contacts;
    sum->teleports += result->teleports;
    sum->cte_mean += result->cte_mean;
    sum->cte_max = result->cte_max > sum->cte_max ? result->cte_max : sum->cte_max;
    sum->inside_percent += result->inside_percent;
    sum->left_road += result->left_road > 0.0 ? 1 : 0;
    sum->left_road_max =
        result->left_road > sum->left_road_max ? result->left_road : sum->left_road_max;
    sum->time_mean += result->time;
    sum->speed_mean += result->speed_mean;
    sum->speed_ratio += result->speed_ratio;
    sum->drive_ns += result->drive_ns * result->frames;
}

tool_summary tool_summarise(const tool_recording* recordings, int32_t count,
                            const tool_selection* selection) {
    tool_summary sum = {0};
    double calls = 0.0;
    for (int32_t i = 0; i < count; i++) {
        if (!tool_is_selected(selection, &recordings[i]))
            continue;
        summary_add(&sum, &recordings[i].result);
        calls += recordings[i].result.frames;
    }
    if (sum.trials == 0)
        return sum;
    sum.cte_mean /= sum.trials;
    sum.inside_percent /= sum.trials;
    sum.time_mean /= sum.trials;
    sum.speed_mean /= sum.trials;
    sum.speed_ratio /= sum.trials;
    sum.drive_ns /= calls > 0.0 ? calls : 1.0;
    return sum;
}
