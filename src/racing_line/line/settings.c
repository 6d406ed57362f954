// Purpose: the settings of the racing line: their table, their defaults, and the presets of Vamos's
//          paper.
#include "kerb/racing_line.h"

#include "../../base/shared.h"

#define RACING_LINE_ROW(field, ...) KERB_IN_SETTING(kerb_line_settings, field, __VA_ARGS__)
#define RACING_LINE_COUNT(field, ...) KERB_IN_COUNT(kerb_line_settings, field, __VA_ARGS__)
#define RACING_LINE_CHOICE(field, ...) KERB_IN_CHOICE(kerb_line_settings, field, __VA_ARGS__)

static const kerb_setting racing_line_rows[] = {
    RACING_LINE_CHOICE(method, 2, 2, "spring|curvature|time", "what is minimized"),
    RACING_LINE_CHOICE(side, 3, 0, "normal|left|right|defensive",
                       "part of the track that the line uses"),
    RACING_LINE_ROW(margin, "m", 0.0f, 20.0f, 1.0f, "smallest distance from the line to an edge"),
    RACING_LINE_ROW(node_spacing, "m", 0.1f, 50.0f, 4.0f,
                    "distance between nodes along the centre line"),
    RACING_LINE_COUNT(curvature_steps, 1, 1000, 25, "CURVATURE: steps; TIME takes them first"),
    RACING_LINE_COUNT(time_steps, 1, 10000, 64, "TIME: further steps"),
    RACING_LINE_COUNT(spring_steps, 1, 100000, 800, "SPRING: steps"),
    RACING_LINE_ROW(stiffness, "N·m/rad", 0.0f, 10.0f, 1.0f, "SPRING: stiffness of the hinges"),
    RACING_LINE_ROW(damping, "kg/s", 0.0f, 1.0f, 0.1f, "SPRING: damping of the nodes"),
    RACING_LINE_COUNT(halve_nodes, 0, 1, 0, "SPRING: 1 deletes every second node at the end"),
};
const kerb_settings_table kerb_line_settings_table = {
    "kerb_line_settings", sizeof(kerb_line_settings), racing_line_rows,
    (int32_t)(sizeof racing_line_rows / sizeof racing_line_rows[0])};

kerb_line_settings kerb_line_settings_default(void) {
    kerb_line_settings settings;
    kerb_settings_set_defaults(&kerb_line_settings_table, &settings);
    return settings;
}

kerb_line_settings kerb_line_settings_vamos(void) {
    kerb_line_settings settings = kerb_line_settings_default();
    settings.method = KERB_LINE_SPRING;
    settings.node_spacing = 8.0f;
    return settings;
}

kerb_line_settings kerb_line_settings_vamos_program(const kerb_path* track) {
    kerb_line_settings settings = kerb_line_settings_vamos();
    settings.margin = 1.6f;
    settings.spring_steps = 500;
    settings.stiffness = 0.5f;
    settings.damping = 0.01f;
    double widths = 0.0;
    for (int32_t i = 0; i < track->count; i++)
        widths += (double)(track->points[i].left + track->points[i].right);
    float usable = (float)(widths / (double)track->count) - 2.0f * settings.margin;
    settings.node_spacing = kerb_clamp(2.0f * usable, 1.0f, 50.0f);
    return settings;
}
