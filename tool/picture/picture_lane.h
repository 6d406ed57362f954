// A picture of lane keeping: the road, the line of the first car, and its rays at some moments.
#ifndef KERB_TOOL_PICTURE_PICTURE_LANE_H
#define KERB_TOOL_PICTURE_PICTURE_LANE_H

#include "scene/lane/lane_drive.h"
#include "tool/command/message.h"

/// A place that was driven.
typedef struct tool_lane_spot {
    float time, x, y, heading, speed, target_speed, error, edge_distance, steering;
    int32_t rays, reason;
    float ray_x[KERB_LANE_RAYS_MAX], ray_y[KERB_LANE_RAYS_MAX]; ///< origins of its rays …
    float hit_x[KERB_LANE_RAYS_MAX], hit_y[KERB_LANE_RAYS_MAX]; ///< … and where they ended
    uint8_t what[KERB_LANE_RAYS_MAX];                           ///< kerb_lane_hit_kind
} tool_lane_spot;

typedef struct tool_picture_lane {
    const char* title;
    const char* note;
    const kerb_path* road;
    const tool_lane_spot* spots;
    int32_t count;
    const kerb_scene_lane_box* standing; ///< boxes that stand in the road
    int32_t standing_count;
} tool_picture_lane;

/// Writes an SVG and a PNG, each where its path is not NULL. Complains when it cannot.
tool_status tool_picture_lane_write(const char* svg, const char* png,
                                    const tool_picture_lane* picture);

#endif
