// The report on the AIPATH thesis's experiments: its tables and figures anew, in one page.
#ifndef KERB_TOOL_PAGE_THESIS_PAGE_H
#define KERB_TOOL_PAGE_THESIS_PAGE_H

#include "scene/thesis/thesis_figure.h"
#include "tool/command/arguments.h"

/// Writes the page, which needs nothing from elsewhere: figures are SVG, heat maps images in them.
/// [KERB_SCENE_THESIS_FIGURES figures] Complains when it cannot.
tool_status tool_thesis_page_write(const char* path, const kerb_scene_thesis* thesis,
                                   const kerb_scene_thesis_figure* figures);

#endif
