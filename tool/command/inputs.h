// Courses and vehicles by name or from a file.
#ifndef KERB_TOOL_COMMAND_INPUTS_H
#define KERB_TOOL_COMMAND_INPUTS_H

#include "scene/course/trial.h"
#include "tool/command/message.h"

/// A vehicle and how it is called.
typedef struct tool_vehicle {
    char name[64];
    kerb_vehicle vehicle;
    bool has_model;       ///< a built-in one, which is simulated by its own model …
    kerb_sim_model model; ///< … this one; others by one that is made from `vehicle`
} tool_vehicle;

/// The built-in vehicles.
int32_t tool_vehicle_count(void);
const char* tool_vehicle_name(int32_t index);
const char* tool_vehicle_about(int32_t index);

/// A built-in course, or a CSV file. Complains, with file, line and field, when it is neither or
/// when nothing could drive it. Free it with kerb_scene_course_free.
tool_status tool_course_load(const char* word, const kerb_host* host, kerb_scene_course* course);

/// The file's name without folders and extension, as UTF-8, cut where it does not fit.
void tool_name_from_path(const char* path, char* name, size_t size);

/// A built-in vehicle, or a JSON file. Complains as tool_course_load does, and names the command
/// whose --list lists vehicles.
tool_status tool_vehicle_load(const char* word, const char* lister, const kerb_host* host,
                              tool_vehicle* vehicle);

#endif
