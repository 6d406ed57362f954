// Trials of a follower on a host of the family: a course, and how far its loop is from unrest.
#ifndef KERB_SCENE_HOST_FAMILY_TRIAL_H
#define KERB_SCENE_HOST_FAMILY_TRIAL_H

#include "scene/host/family_ride.h"

/// What a trial gave.
typedef struct kerb_family_trial {
    bool finished;
    bool stuck;       ///< without progress, or it asked for a teleport, or gave up
    float time;       ///< to the end [s]
    float error_mean; ///< over metres of progress [m]
    float error_max;  ///< [m]
    float inside;     ///< share of the progress with the whole footprint in the corridor [1]
} kerb_family_trial;

/// Who drives a course.
typedef enum kerb_family_driver {
    KERB_FAMILY_AS_TOLD,   ///< told what the host tells
    KERB_FAMILY_TRUE,      ///< told the truth
    KERB_FAMILY_TRUE_SLOW, ///< … and at 0.6 of the speed
    KERB_FAMILY_DRIVERS
} kerb_family_driver;

/// Speed on straights of courses for a host. [m/s]
float kerb_family_course_speed(const kerb_family_host* host);

/// A ride of such a driver at the speed of courses.
void kerb_family_ride_of(kerb_family_ride* ride, const kerb_family_host* host,
                         kerb_family_driver driver);

/// Drives a path from its start to its end. `watch` sees each frame; it may be NULL.
kerb_family_trial kerb_family_course_drive(const kerb_family_host* host, const kerb_path* path,
                                           kerb_family_driver driver,
                                           void (*watch)(const kerb_family_ride* ride));

/// Frequencies at which a loop is asked.
enum { KERB_FAMILY_TONES = 14 };

/// Margins of the steering loop, on a straight.
typedef struct kerb_family_margin {
    float speed;     ///< [m/s]
    bool settles;    ///< as it is
    float gain;      ///< greatest factor at which it settles; 8: not found [1] [1 … 8]
    float delay;     ///< greatest added delay at which it settles [s] [0 … 0.8]
    float crossover; ///< frequency at which the loop gain passes 1; 0: not found [rad/s]
    float phase;     ///< phase margin there, by the loop's answer to small tones [rad]
    bool doubled;    ///< settles with the steering gain doubled
    bool delayed;    ///< … with a delay of 45 degrees at the crossover
} kerb_family_margin;

/// Drives copies of a host, told `vehicle`, on a straight for some 500 s.
kerb_family_margin kerb_family_margin_of(const kerb_family_host* host, const kerb_vehicle* vehicle,
                                         float speed, void (*watch)(const kerb_family_ride* ride));

#endif
