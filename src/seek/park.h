// What a parker knows of its way. Private to the room.
#ifndef KERB_IN_SEEK_PARK_H
#define KERB_IN_SEEK_PARK_H

#include "../steer/shared.h"
#include "kerb/seek.h"

/// The best way from a pose of the rear axle to another; no pieces where there is none.
kerb_curve kerb_in_steer_park_plan(const kerb_parker* parker, kerb_pose from, kerb_pose to);

/// The first piece after the stretch of one direction that begins with `piece`.
int32_t kerb_in_steer_park_stretch_end(const kerb_curve* way, int32_t piece);

/// The mean curvature over `window` metres round a place of the stretch that is driven. [1/m]
float kerb_in_steer_park_curvature(const kerb_parker* parker, float distance, float window);

/// The window in which the wheels can turn at a speed. [m]
float kerb_in_steer_park_window(const kerb_parker* parker, float speed);

/// Greatest speed for what lies ahead of the place on the stretch, its end left out. [m/s]
float kerb_in_steer_park_speed(const kerb_parker* parker, float distance);

#endif
