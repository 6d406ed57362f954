// What the figures of the thesis are drawn with. Private to scene/thesis.
#ifndef KERB_SCENE_THESIS_THESIS_INK_H
#define KERB_SCENE_THESIS_THESIS_INK_H

#include "scene/thesis/thesis_figure.h"

#include "kerb/plan_search.h"
#include "scene/thesis/thesis_parts.h"

typedef kerb_scene_thesis_figure thesis_figure;
typedef kerb_scene_thesis_panel thesis_panel;
typedef kerb_scene_thesis_series thesis_series;

// Without room left, panels and series are ones that nobody sees; memory that is missing shows in
// `out_of_memory`.
thesis_panel* kerb_scene_thesis_panel_add(thesis_figure* figure, const char* title,
                                          const char* x_label, const char* y_label);
thesis_series* kerb_scene_thesis_series_add(thesis_panel* panel, kerb_scene_thesis_mark mark,
                                            const char* label, int32_t color);
void kerb_scene_thesis_point(thesis_figure* figure, thesis_series* series, double x, double y);
// The line ends here and begins anew.
void kerb_scene_thesis_gap(thesis_figure* figure, thesis_series* series);
// A map of both axes in metres; with it the bounds that show all points and 5 % more.
void kerb_scene_thesis_fit(thesis_panel* panel, bool is_map);

// A heat map: value(context, x, y) in the middle of each cell.
void kerb_scene_thesis_heat(thesis_figure* figure, thesis_panel* panel, int32_t columns,
                            int32_t rows, const char* label,
                            float (*value)(const void* context, float x, float y),
                            const void* context);

// A line along a plan.
void kerb_scene_thesis_trace(thesis_figure* figure, thesis_series* series, const kerb_plan* plan);
// Searches, and adds the line of what is found. The result without movement where nothing is.
kerb_scene_thesis_result kerb_scene_thesis_search(thesis_figure* figure, thesis_series* series,
                                                  const kerb_plan_limits* limits,
                                                  const kerb_plan_search_settings* settings,
                                                  const kerb_plan_query* query,
                                                  const kerb_plan_world* world);

// Figures by searches: of chapters 4 and 5, and of the curves of appendix A.
void kerb_scene_thesis_draw_searches(const kerb_scene_thesis* thesis, const char* name,
                                     int32_t detail, thesis_figure* figure);
// The directional search beside ours, 5.3.
void kerb_scene_thesis_draw_directional(int32_t detail, thesis_figure* figure);

#endif
