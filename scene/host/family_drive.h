// Ordinary driving with a host of the family, and what an estimate should learn of it.
#ifndef KERB_SCENE_HOST_FAMILY_DRIVE_H
#define KERB_SCENE_HOST_FAMILY_DRIVE_H

#include "scene/host/family.h"

/// How hard somebody presses the accelerator.
typedef struct kerb_family_foot {
    float gain;         ///< throttle for each m/s that is missing [s/m]
    float throttle_max; ///< [0 … 1]
} kerb_family_foot;

/// Controls that hold a speed at a steering. [m/s] [1]
kerb_controls kerb_family_hold(const kerb_family_host* host, float speed, float steering,
                               kerb_family_foot foot);

/// A drive with ramps and pauses of the steering, at most 0.35 of the lock, at a speed at which
/// that takes 0.4 of the grip.
typedef struct kerb_family_drive {
    kerb_family_host host;
    kerb_random random;
    float speed;    ///< that it holds [m/s]
    float steering; ///< commanded now [1]
    float target;   ///< to which the steering moves [1]
    double next;    ///< time of the next target [s]
    double time;    ///< [s]
    double begun;   ///< when it was fast enough; negative before [s]
} kerb_family_drive;

void kerb_family_drive_make(kerb_family_drive* drive, uint64_t seed);

/// One frame. Returns its length; the controls of it are in `controls`. [s]
float kerb_family_drive_step(kerb_family_drive* drive, kerb_controls* controls);

/// What is true of steering at a speed.
typedef struct kerb_family_steering {
    float gain;  ///< curvature from -0.3 to 0.3 of the lock, over 0.6 [1/m]
    float trim;  ///< command at which it drives straight [1]
    float delay; ///< half of the hysteresis of a command that moves at 0.4 lock/s [s]
    float rate;  ///< of the wheels, near the middle [lock/s]
} kerb_family_steering;

/// Measures it by driving copies of the host.
kerb_family_steering kerb_family_steering_of(const kerb_family_host* host, float speed);

#endif
