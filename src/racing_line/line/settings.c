// Purpose: the settings of the racing line: their table, their defaults, and the presets of Vamos's
//          paper.
#include "line.h"

#include "../../base/shared.h"

// Margin of a line for nobody in particular. [m]
#define SETTINGS_MARGIN 1.0f
// Beside a vehicle of which nothing else is known: what a driver needs to be off by. [m]
#define SETTINGS_RESERVE 0.3f
// The same for a model car and for a giant, as a share of its width. [1]
#define SETTINGS_RESERVE_MOST (1.0f / 6.0f)
#define SETTINGS_RESERVE_LEAST (1.0f / 10.0f)
// Least distance between the nodes of the Vamos program. [m]
#define SETTINGS_PROGRAM_LEAST 1.0f

#define RACING_LINE_ROW(field, ...) KERB_IN_SETTING(kerb_line_settings, field, __VA_ARGS__)
#define RACING_LINE_COUNT(field, ...) KERB_IN_COUNT(kerb_line_settings, field, __VA_ARGS__)
#define RACING_LINE_CHOICE(field, ...) KERB_IN_CHOICE(kerb_line_settings, field, __VA_ARGS__)

static const kerb_setting racing_line_rows[] = {
    RACING_LINE_CHOICE(method, 2, 2, "spring|curvature|time", "what is minimized"),
    RACING_LINE_CHOICE(side, 3, 0, "normal|left|right|defensive",
                       "part of the track that the line uses"),
    RACING_LINE_ROW(margin, "m", 0.0f, 20.0f, SETTINGS_MARGIN,
                    "smallest distance from the line to an edge"),
    RACING_LINE_ROW(node_spacing, "m", 0.0f, 500.0f, 0.0f,
                    "distance between nodes along the centre line; 0: by the track's width"),
    RACING_LINE_ROW(wheelbase, "m", 0.0f, 100.0f, 0.0f,
                    "length over which heights count; 0: by the track's width"),
    RACING_LINE_ROW(ride_time, "s", 0.0f, 2.0f, 0.33f,
                    "further time of driving over which heights count"),
    RACING_LINE_ROW(crest_load, "1", 0.0f, 0.9f, 0.0f,
                    "smallest load on the tyres over a crest, as a share of the weight"),
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

kerb_line_settings kerb_line_settings_of(const kerb_path* track, const kerb_vehicle* vehicle) {
    KERB_ASSERT(track);
    kerb_line_settings settings = kerb_line_settings_default();
    settings.margin *= kerb_track_scale(track);
    if (vehicle) {
        float own = vehicle->width;
        settings.margin = 0.5f * own + kerb_clamp(SETTINGS_RESERVE, SETTINGS_RESERVE_LEAST * own,
                                                  SETTINGS_RESERVE_MOST * own);
    }
    settings.margin = kerb_min(settings.margin, 20.0f);
    if (vehicle)
        settings.wheelbase = kerb_clamp(vehicle->wheelbase, 0.0f, 100.0f);
    return kerb_in_line_track_settings(track, &settings);
}

kerb_line_settings kerb_line_settings_vamos(void) {
    kerb_line_settings settings = kerb_line_settings_default();
    settings.method = KERB_LINE_SPRING;
    return settings;
}

kerb_line_settings kerb_line_settings_vamos_program(const kerb_path* track) {
    kerb_line_settings settings = kerb_line_settings_vamos();
    settings.spring_steps = 500;
    settings.stiffness = 0.5f;
    settings.damping = 0.01f;
    float scale = kerb_track_scale(track);
    settings.margin = 1.6f * scale;
    double widths = 0.0;
    for (int32_t i = 0; i < track->count; i++)
        widths += (double)(track->points[i].left + track->points[i].right);
    float usable = (float)(widths / (double)track->count) - 2.0f * settings.margin;
    settings.node_spacing =
        kerb_clamp(2.0f * usable, SETTINGS_PROGRAM_LEAST * scale, 50.0f * kerb_max(scale, 1.0f));
    return settings;
}
