// A host of the family with a follower at its wheel, and what is measured of the ride.
#ifndef KERB_SCENE_HOST_FAMILY_RIDE_H
#define KERB_SCENE_HOST_FAMILY_RIDE_H

#include "scene/host/family.h"

/// Counts changes of direction of a signal of at least a threshold since the last extreme.
typedef struct kerb_family_swings {
    bool begun;
    float low, high; ///< before the first move of the threshold
    float extreme;
    int32_t direction; ///< in which it moved last: -1, 0, 1
    int32_t count;
} kerb_family_swings;

void kerb_family_swings_watch(kerb_family_swings* swings, float value, float threshold);

/// A ride. Plain data: a copy goes on from here.
typedef struct kerb_family_ride {
    kerb_family_host host;
    kerb_follower follower;
    kerb_motion motion;          ///< before the last frame
    kerb_controls controls;      ///< of the last frame
    const kerb_controls* player; ///< who drives in place of the follower; NULL: nobody
    bool player_drove;           ///< in the frame before
    float gain;                  ///< the wheels turn to this multiple of their angle [1]
    float disturbance;           ///< added to the commanded steering of the next frame [1]
    float applied;               ///< steering that the host was given in the last frame [1]
    double time;                 ///< [s]
} kerb_family_ride;

/// What the followers of all rides made from now on steer by. At first: what they are told.
void kerb_family_ride_steer_by(kerb_follower_steering steering);

/// A ride of a host, driven by a follower that is told `vehicle`, at a speed on straights. [m/s]
void kerb_family_ride_make(kerb_family_ride* ride, const kerb_family_host* host,
                           const kerb_vehicle* vehicle, float speed);

/// One frame along a path. Returns its length. [s]
float kerb_family_ride_step(kerb_family_ride* ride, const kerb_path* path);

/// What a description can say of the truth: delay, rate, lock by speed, the axle that follows,
/// inertia, creep, and the gear that is told.
kerb_vehicle kerb_family_true_vehicle(const kerb_family_host* host);

/// Coefficient of friction that counts; 1 without tyres. [1]
float kerb_family_grip(const kerb_family_host* host);

/// Greatest speed at which the trim alone asks for `share` of the grip. [m/s]
float kerb_family_trim_speed(const kerb_family_host* host, float share);

#endif
