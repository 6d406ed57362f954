// `kerb seek --scene NAME`: a scene of many agents, as figures, picture and replay page.
#ifndef KERB_TOOL_RUN_SEEK_SCENE_H
#define KERB_TOOL_RUN_SEEK_SCENE_H

#include "scene/crowd/show.h"
#include "tool/command/outputs.h"
#include "tool/report/recording.h"

/// Runs it, writes the files that were asked for, prints its figures. The plan's seed is the
/// scene's.
tool_status tool_seek_scene_run(const char* name, const kerb_scene_seek_plan* plan,
                                const tool_outputs* outputs);

/// Prints the scenes, one a line.
void tool_seek_scene_list(FILE* out);

#endif
