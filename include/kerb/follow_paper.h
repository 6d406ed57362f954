// Kerb follow_paper: the modules of EA's path follower, alone, for comparison and for study.
#ifndef KERB_FOLLOW_PAPER_H
#define KERB_FOLLOW_PAPER_H

#include "follow.h"

// --------------------------------------------------------------------------- EA's modules alone

/// Algorithm 1, lines 1-9: samples the path every `spacing` metres of straight-line distance from
/// `location`, `count` samples with the vehicle's position as the first, and returns the greatest
/// Bézier curvature among them. [1/m] [count: 3 … 16] O(points passed)
KERB_API float kerb_follow_curvature_ahead(const kerb_path* path, kerb_path_location location,
                                           kerb_vec3 position, float spacing, int32_t count);

/// Algorithm 1 whole: eq. 1 with that curvature, held between speed_least and speed. With
/// KERB_AHEAD_BRAKING each sampled curve limits by its braking distance instead: use that where
/// speed² / (2·deceleration) exceeds the reach of the samples' first curve, 12 m with EA's values.
KERB_API float kerb_follow_target_speed(const kerb_follower_settings* settings,
                                        const kerb_path* path, kerb_path_location location,
                                        kerb_vec3 position, float* curvature);

/// The point of the path `lookahead` metres after the nearest, `offset` to its left; beyond the
/// end of an open path on its straight continuation, so that a vehicle arrives straight.
KERB_API kerb_vec3 kerb_follow_target_point(const kerb_path* path, kerb_path_location location,
                                            float lookahead, float offset);

/// Chase the rabbit: moves `rabbit` along the path at `speed`, but keeps it between least and
/// most metres ahead of `location`. Returns its new place.
KERB_API kerb_path_location kerb_follow_rabbit(const kerb_path* path, kerb_path_location location,
                                               kerb_path_location rabbit, float speed, float least,
                                               float most, float time_step);

/// The baseline's target speed: inversely proportional to the largest angle between the vehicle's
/// forward vector and a segment of the path within the samples' reach. [m/s] (EA section III)
KERB_API float kerb_follow_baseline_speed(const kerb_follower_settings* settings,
                                          const kerb_path* path, kerb_path_location location,
                                          kerb_vec3 forward, float* angle);

#endif
