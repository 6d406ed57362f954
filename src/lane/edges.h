// Points of the lane as the edges of the road tell them. Private to the room.
#ifndef LANE_EDGES_H
#define LANE_EDGES_H

#include "frame.h"

/// An edge farther from where it was expected has sprung. [m]
#define LANE_SPRING 0.6f
/// Road that is blocked within its own width and a half ahead turns there. [1]
#define LANE_CORNER_FREE 1.5f

/// A point of the lane and its direction there, as one edge says.
typedef struct lane_point {
    bool good;
    int32_t edge;  ///< 0 the lane's own, 1 the other
    kerb_vec2 hit; ///< on the edge
    kerb_vec2 place, direction;
    float along;  ///< the remembered lane from its point [m]
    bool nearer;  ///< than it was seen before
    bool behind;  ///< a corner of its edge, that it has to go round first
    float spring; ///< inward of where it was expected [m]
} lane_point;

/// Which of what the two edges say counts; not good: neither. An edge is believed where the lane
/// expects it, and where it goes on from where it was. While its own is where it is expected, the
/// other one is looked at now and then only. `points` are filled with what the edges say: the
/// lane's own, then the other. `offset`: of the lane from its own edge at P_Ahead. [m]
const lane_point* lane_choose_edge(kerb_lane_keeper* keeper, const kerb_lane_pose* pose,
                                   lane_seen* seen, float offset, lane_point points[2]);

#endif
