// A recording: all that a trial showed, kept so that the table, the trace, the pictures and the
// replay page use the same frames.
//
//     tool_recording recording = {.course = &course, .vehicle = vehicle, .settings = settings};
//     trial.watch = tool_recording_watch;
//     trial.context = &recording;
//     … run …
//     tool_recording_free(&recording);
#ifndef KERB_TOOL_REPORT_RECORDING_H
#define KERB_TOOL_REPORT_RECORDING_H

#include "scene/course/trial.h"

/// One trial as it was driven. Plain data; zero it to start.
typedef struct tool_recording {
    const kerb_scene_course* course; ///< not owned; must outlive the recording
    kerb_vehicle vehicle;
    char vehicle_name[64];
    const char* role;       ///< in a scene of many: "police"; NULL where all are alike
    bool is_marked;         ///< the one that the others are after, or follow
    char follower_name[16]; ///< "kerb", "paper" or "baseline"
    kerb_follower_settings settings;
    kerb_scene_result result;
    kerb_scene_frame* frames; ///< one a drive call, in order of time
    int32_t count;
    int32_t capacity;
    bool out_of_memory; ///< frames are missing at the end
} tool_recording;

/// A kerb_scene_trial.watch: appends the frame to the recording that is its context.
void tool_recording_watch(void* context, const kerb_scene_frame* frame);

/// Gives the frames back. Harmless on a zeroed recording, and twice.
void tool_recording_free(tool_recording* recording);

#endif
