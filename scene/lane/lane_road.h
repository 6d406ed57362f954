// A road as rays meet it: its edges as segments, vehicles on it as boxes. Level, because the rays
// of the lane keeper are.
#ifndef KERB_SCENE_LANE_LANE_ROAD_H
#define KERB_SCENE_LANE_LANE_ROAD_H

#include "kerb/lane.h"
#include "kerb/path.h"

/// Of the road's edge, or across it.
typedef struct kerb_scene_lane_segment {
    kerb_vec2 from, to;
    int32_t what; ///< kerb_lane_hit_kind; KERB_LANE_HIT_NOTHING: a gap
} kerb_scene_lane_segment;

/// A vehicle as rays meet it.
typedef struct kerb_scene_lane_box {
    kerb_vec2 centre, forward; ///< forward: unit length
    float length, width;       ///< [m]
    kerb_vec2 velocity;        ///< [m/s]
    float height;              ///< of the road under it: kerb_scene_lane_road_height [m]
} kerb_scene_lane_box;

/// The edges of a path's corridor: left ones first, one for each of its segments. What an edge is
/// may be changed, and its ends moved by up to KERB_SCENE_LANE_MOVED.
typedef struct kerb_scene_lane_road {
    kerb_path path; ///< level
    kerb_scene_lane_segment* left;
    kerb_scene_lane_segment* right;
    struct kerb_scene_lane_block* blocks; ///< circles round every few segments
    float* heights;                       ///< of the path's points before it was laid flat [m]
    kerb_host host;
} kerb_scene_lane_road;

#define KERB_SCENE_LANE_MOVED 10.0f

/// Builds the edges of the corridor round waypoints, laid flat. Errors as kerb_path_create.
/// O(count)
kerb_result kerb_scene_lane_road_create(kerb_scene_lane_road* road, const kerb_waypoint* waypoints,
                                        int32_t count, bool closed, const kerb_host* host,
                                        kerb_error* error);

/// Gives the memory back. Harmless on a zeroed road.
void kerb_scene_lane_road_destroy(kerb_scene_lane_road* road);

/// Height that the road had at the start of a segment before it was laid flat. [m]
float kerb_scene_lane_road_height(const kerb_scene_lane_road* road, int32_t segment);

/// Answers a ray: the nearest of the edges within 250 m along the road of `near`, and of the boxes
/// but the one with index `self`. Where the road crosses itself on a bridge, what is above or below
/// the part at `near` is not met: nothing that is higher or lower than a slope of 0.15 leads to.
/// O(segments there + boxes)
kerb_lane_hit kerb_scene_lane_road_cast(const kerb_scene_lane_road* road, int32_t near_segment,
                                        const kerb_scene_lane_box* boxes, int32_t count,
                                        int32_t self, const kerb_lane_ray* ray);

/// Distance of a point from the right or left edge, negative beyond it; gaps count as edges. [m]
float kerb_scene_lane_road_distance(const kerb_scene_lane_road* road, int32_t near_segment,
                                    bool left, kerb_vec2 point);

/// Whether any of a vehicle's corners, or of its sides' middles, is over the edge on its side.
/// oncoming: it drives against the road's direction.
bool kerb_scene_lane_road_is_over(const kerb_scene_lane_road* road, int32_t near_segment,
                                  const kerb_scene_lane_box* box, bool oncoming);

/// Least width between the edges anywhere. [m]
float kerb_scene_lane_road_width(const kerb_scene_lane_road* road);

#endif
