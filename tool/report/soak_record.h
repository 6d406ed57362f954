// What one trial of the soak test showed: frames of all vehicles, thinned to RECORD_HZ, and marks;
// and what is made of them: trace, picture, page.
#ifndef KERB_TOOL_REPORT_SOAK_RECORD_H
#define KERB_TOOL_REPORT_SOAK_RECORD_H

#include "tool/report/recording.h"
#include "tool/run/soak.h"

/// Of drive calls so many a second are kept, the fewer the slower the drivers are asked.
#define TOOL_SOAK_RECORD_HZ 15.0

typedef struct tool_soak_record {
    kerb_scene_course course;   ///< the town's solids and ground, without waypoints
    tool_recording* recordings; ///< one a vehicle
    int32_t count;
    int32_t every; ///< so many-th frame is kept
    int32_t frames;
    soak_mark* marks;
    int32_t mark_count, mark_capacity;
    bool out_of_memory;
} tool_soak_record;

tool_soak_record tool_soak_record_make(const kerb_scene_soak* soak);
void tool_soak_record_frames(tool_soak_record* record, const kerb_scene_frame* frames,
                             int32_t count);
void tool_soak_record_mark(tool_soak_record* record, const soak_mark* mark);
void tool_soak_record_free(tool_soak_record* record);

/// Writes the files that were asked for.
tool_status tool_soak_record_write(const tool_soak* soak, tool_soak_record* record);

#endif
