// A lane keeper at the wheel of hosts of the family (scene/host/family.h), on a road of two lanes:
// a straight, then an arc.
#ifndef KERB_SCENE_LANE_LANE_FAMILY_H
#define KERB_SCENE_LANE_LANE_FAMILY_H

#include "scene/host/family.h"
#include "scene/host/family_ride.h"

/// What was measured on the straight and on the arc.
typedef struct kerb_scene_lane_family_part {
    kerb_family_swings commanded; ///< changes of direction of the command by 2 % of the lock …
    kerb_family_swings wheels;    ///< … and of the wheels, after the first seconds
    double seconds;               ///< over which those were counted
    double error_sum;             ///< |offset from its lane| over time, from 10 s on [m s]
    double error_time;            ///< [s]
    float error_max;              ///< [m]
    float error_late;             ///< greatest from 10 to 11 s [m]
} kerb_scene_lane_family_part;

/// A ride.
typedef struct kerb_scene_lane_family_ride {
    kerb_family_host host;
    kerb_lane_keeper keeper;
    float speed;    ///< that it is set to [m/s]
    float radius;   ///< of the arc, left positive [m]
    float lane;     ///< from the edge to the middle of the lane [m]
    double time;    ///< [s]
    double outside; ///< time with the reference point beyond an edge [s]
    bool finished;  ///< it drove on both parts as long as it should
    float step;     ///< of the last frame [s]
    float offset;   ///< from its lane, towards the road's middle positive [m]
    kerb_controls controls;
    kerb_scene_lane_family_part parts[2];
} kerb_scene_lane_family_ride;

/// Drives host `seed` from a standstill, beside its lane by at most a metre, for half a minute on
/// each part. `trim`: share of the lock that replaces the host's own trim, on the straight alone,
/// and it begins at speed; 0: neither. `watch` is called after each frame; may be NULL. False: no
/// memory.
bool kerb_scene_lane_family_run(uint64_t seed, float trim,
                                void (*watch)(const kerb_scene_lane_family_ride* ride),
                                kerb_scene_lane_family_ride* ride);

#endif
