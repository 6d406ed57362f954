// Texts of this room's enums. Choices of settings have the words of their settings tables. O(1)
#include "kerb/lane.h"

#include "../base/shared.h"

const char* kerb_lane_edge_text(kerb_lane_edge value) {
    static const char* const texts[] = {
        [KERB_LANE_RIGHT] = "right",
        [KERB_LANE_LEFT] = "left",
        [KERB_LANE_BOTH] = "both",
    };
    return KERB_ENUM_TEXT(texts, value);
}

const char* kerb_lane_steering_text(kerb_lane_steering value) {
    static const char* const texts[] = {
        [KERB_LANE_BICYCLE] = "bicycle",
        [KERB_LANE_COSINES] = "cosines",
    };
    return KERB_ENUM_TEXT(texts, value);
}

const char* kerb_lane_obstacles_text(kerb_lane_obstacles value) {
    static const char* const texts[] = {
        [KERB_LANE_STAY] = "stay",
        [KERB_LANE_AVOID] = "avoid",
    };
    return KERB_ENUM_TEXT(texts, value);
}

const char* kerb_lane_ray_purpose_text(kerb_lane_ray_purpose value) {
    static const char* const texts[] = {
        [KERB_LANE_RAY_EDGE] = "edge",
        [KERB_LANE_RAY_ACROSS] = "other edge",
        [KERB_LANE_RAY_LOOKOUT] = "lookout",
        [KERB_LANE_RAY_LANE] = "own lane",
        [KERB_LANE_RAY_BESIDE] = "beside",
        [KERB_LANE_RAY_BEHIND] = "behind in another lane",
        [KERB_LANE_RAY_AHEAD] = "ahead in another lane",
        [KERB_LANE_RAY_SCAN] = "scan of an edge",
    };
    return KERB_ENUM_TEXT(texts, value);
}

const char* kerb_lane_hit_kind_text(kerb_lane_hit_kind value) {
    static const char* const texts[] = {
        [KERB_LANE_HIT_NOTHING] = "nothing",
        [KERB_LANE_HIT_EDGE] = "edge",
        [KERB_LANE_HIT_WALL] = "wall",
        [KERB_LANE_HIT_VEHICLE] = "vehicle",
    };
    return KERB_ENUM_TEXT(texts, value);
}
