// The steering law's knowledge of the vehicle, for the drivers on the floors above: where it will
// be when a command acts, and which command gives a curvature.
#ifndef KERB_IN_TRACK_SHARED_H
#define KERB_IN_TRACK_SHARED_H

#include "kerb/private/track_memory.h"

/// One frame. Curvatures and speeds are those of the travel: left turns are positive, whichever way
/// the vehicle faces.
typedef struct kerb_in_track_frame {
    const kerb_vehicle* vehicle;
    const kerb_motion* motion;
    float travel;      ///< 1 forwards, -1 in reverse
    kerb_vec3 heading; ///< unit vector of the travel of the body
    float speed;       ///< along it [m/s]
    float ahead;     ///< of the reference point, along the travel, to the point that is steered [m]
    float grip;      ///< of the surface [1]
    float time_step; ///< [s]
    bool teaches;    ///< its motion follows from what was asked
} kerb_in_track_frame;

/// Begins anew: it knows the description only. O(estimate)
void kerb_in_track_begin(kerb_track_memory* track, const kerb_vehicle* vehicle);

/// Takes it that this curvature was asked for all along, as where the travel changes or somebody
/// else has driven. O(ticks)
void kerb_in_track_start(kerb_track_memory* track, float curvature);

/// Takes what the frame tells: delay, gain, slip, and what it steers beside what was asked. Feed
/// track->estimate before. O(ticks of the delay)
void kerb_in_track_watch(kerb_track_memory* track, const kerb_in_track_frame* frame);

/// Where the steered point will be when a command of this frame acts.
typedef struct kerb_in_track_soon {
    float time;         ///< until then [s]
    kerb_vec3 position; ///< [m]
    kerb_vec2 course;   ///< unit vector of its heading, with its crab angle
    float lead;         ///< by which its course is ahead of this heading, per curvature [m]
} kerb_in_track_soon;

kerb_in_track_soon kerb_in_track_soon_of(const kerb_track_memory* track,
                                         const kerb_in_track_frame* frame);

/// The shortest time in which errors may fade with enough of a margin. [s]
float kerb_in_track_response(const kerb_track_memory* track, float time_step);

/// Greatest rate of the wheels that it knows. [rad/s]
float kerb_in_track_rate(const kerb_track_memory* track, const kerb_vehicle* vehicle);

/// The command for wheels at this share of the lock, from which the driver expects this curvature
/// of the travel.
float kerb_in_track_steer(kerb_track_memory* track, float steering, float curvature);

/// The command that gives a curvature of the travel, and asks for it.
float kerb_in_track_command(kerb_track_memory* track, const kerb_in_track_frame* frame,
                            float curvature);

#endif
