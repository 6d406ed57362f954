// `kerb follow --kinds`: ships, pedestrians, helicopters and other kinds on courses scaled to their
// turning circles.
#ifndef KERB_TOOL_RUN_KIND_TABLE_H
#define KERB_TOOL_RUN_KIND_TABLE_H

#include "scene/plan/kind_course.h"
#include "tool/command/inputs.h"
#include "tool/command/outputs.h"

/// What was asked for.
typedef struct tool_kind_table {
    tool_words kinds;   ///< none: all
    tool_words courses; ///< of scene/plan/kind_course.h; none: all
    tool_outputs outputs;
} tool_kind_table;

/// Drives and reports. TOOL_FAILED when a vehicle did not arrive.
tool_status tool_kind_table_run(const tool_kind_table* table);

#endif
