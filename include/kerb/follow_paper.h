// Kerb follow_paper: the parts of two published path followers, each by itself, for study and
// comparison. Games do not need this header: kerb_follower_drive calls these parts.
//
// EA is the paper "Efficient Ground Vehicle Path Following in Game AI". Its follower is method
// PAPER of follow.h; the one that it compares with is method BASELINE. In every frame:
//
//     kerb_path_location here = kerb_path_nearest(&path, position);
//     kerb_follower_settings settings = kerb_follower_settings_default(KERB_FOLLOWER_PAPER);
//     float curvature;
//     float speed = kerb_follow_target_speed(&settings, &path, here, position, &curvature);
//     kerb_vec3 target = kerb_follow_target_point(&path, here, 0.6f * speed, 0.0f);
//     // drive at `speed`, steer to `target` (kerb_pure_pursuit in control.h)
//
// The functions keep no state and allocate nothing. Any number of threads may call them at the same
// time, also on one path. In all functions `location` is the location on the path that is nearest
// to the vehicle.
//
// It does NOT brake for stops, speed limits or other vehicles.
#ifndef KERB_FOLLOW_PAPER_H
#define KERB_FOLLOW_PAPER_H

#include "path.h"

/// How PAPER and BASELINE choose the point that they steer to.
typedef enum kerb_target_point {
    KERB_TARGET_LOOKAHEAD, ///< the point of the path one look-ahead distance past the nearest point
    KERB_TARGET_RABBIT ///< a point that runs ahead at the target speed and waits for the vehicle
} kerb_target_point;

/// "lookahead" or "rabbit"; "unknown" out of range. Never NULL.
KERB_API const char* kerb_target_point_text(kerb_target_point value);

/// How PAPER limits its speed for the bends ahead. Each bend is a Bézier curve of three samples.
typedef enum kerb_speed_ahead {
    KERB_AHEAD_SHARPEST, ///< the sharpest bend within the samples limits now (EA eq. 1)
    KERB_AHEAD_BRAKING   ///< each bend limits by the braking distance that is left before it
} kerb_speed_ahead;

/// "sharpest" or "braking"; "unknown" out of range. Never NULL.
KERB_API const char* kerb_speed_ahead_text(kerb_speed_ahead value);

/// Settings of PAPER and BASELINE: the member `paper` of kerb_follower_settings. EA section III has
/// the defaults.
typedef struct kerb_follower_paper_settings {
    /// Distance from one sample of the path to the next (EA Δh). [m] [0.1 … 100] Default: 6.
    float sample_spacing;
    /// Number of samples (EA N). [3 … 16] Default: 5.
    int32_t sample_count;
    /// PAPER: kerb_speed_ahead. Default: KERB_AHEAD_SHARPEST.
    int32_t speed_ahead;
    /// kerb_target_point. Default: KERB_TARGET_LOOKAHEAD.
    int32_t target_point;
    /// Time of look-ahead: the look-ahead distance is this time multiplied by the speed, clamped to
    /// the two limits below. [s] [0 … 5] Default: 0.6.
    float lookahead_time;
    /// Shortest look-ahead distance. [m] [0.1 … 100] Default: 6.
    float lookahead_min;
    /// Longest look-ahead distance. [m] [0.1 … 500] Default: 30.
    float lookahead_max;
    /// BASELINE: largest angle ahead at which it still drives at `speed`. Beyond it the speed falls
    /// as 1/angle. [rad] [0.01 … 3.2] Default: 0.4.
    float proportional_angle;
} kerb_follower_paper_settings;

struct kerb_follower_settings; // follow.h

/// The greatest curvature ahead (EA Algorithm 1, lines 1-9). [1/m] [>= 0]
///
/// The first sample is `position`, the vehicle's. Each further sample lies on the path, at a
/// straight distance of `spacing` metres from the sample before it. Three samples in a row make a
/// Bézier curve; the greatest curvature of all these curves is returned. Near the end of an open
/// path there are fewer samples, and the last one is the end of the path. O(points passed)
///
/// spacing: [m] [> 0]; count: number of samples, `position` included. [3 … 16]
KERB_API float kerb_follow_curvature_ahead(const kerb_path* path, kerb_path_location location,
                                           kerb_vec3 position, float spacing, int32_t count);

/// The target speed of PAPER (EA Algorithm 1). [m/s] O(points passed)
///
/// KERB_AHEAD_SHARPEST: EA eq. 1 for the greatest curvature ahead, which is written to `curvature`.
/// KERB_AHEAD_BRAKING: each bend ahead limits the speed by the braking distance before it.
/// `curvature` receives the curvature of the bend that limits, or 0 when none does. Both: the speed
/// is clamped to settings.speed_min and settings.speed. [curvature: 1/m]
///
/// Use KERB_AHEAD_BRAKING where the braking distance speed² / (2·deceleration) is longer than the
/// first Bézier curve of the samples. With EA's values that curve is 12 m long.
KERB_API float kerb_follow_target_speed(const struct kerb_follower_settings* settings,
                                        const kerb_path* path, kerb_path_location location,
                                        kerb_vec3 position, float* curvature);

/// The point of the path `lookahead` metres past `location`, moved by the lateral offset `offset`,
/// left positive. Past the end of an open path the point lies on its straight continuation, so that
/// the vehicle arrives straight. [m] O(points passed)
KERB_API kerb_vec3 kerb_follow_target_point(const kerb_path* path, kerb_path_location location,
                                            float lookahead, float offset);

/// Chase the rabbit: moves the point `rabbit` along the path at `speed` [m/s] for `time_step` [s],
/// but keeps it at least `lookahead_min` and at most `lookahead_max` metres ahead of `location`.
/// Returns its new location. O(points passed)
KERB_API kerb_path_location kerb_follow_rabbit(const kerb_path* path, kerb_path_location location,
                                               kerb_path_location rabbit, float speed,
                                               float lookahead_min, float lookahead_max,
                                               float time_step);

/// The target speed of BASELINE (EA section III), clamped to settings.speed_min and settings.speed.
/// [m/s] O(points passed)
///
/// Each segment of the path within the reach of the samples makes an angle with `forward`, the unit
/// vector in which the vehicle faces. The largest of these angles is written to `angle` [rad]. Up
/// to settings.paper.proportional_angle the speed is settings.speed. Beyond it the speed is
/// inversely proportional to the angle.
KERB_API float kerb_follow_baseline_speed(const struct kerb_follower_settings* settings,
                                          const kerb_path* path, kerb_path_location location,
                                          kerb_vec3 forward, float* angle);

#endif
