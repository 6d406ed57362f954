// The path of a parker. Private to the room.
#ifndef KERB_IN_SEEK_PARK_H
#define KERB_IN_SEEK_PARK_H

#include "../steer/shared.h"
#include "kerb/seek.h"

/// The best path from one pose of the rear axle to another. It has no pieces when there is none.
kerb_curve kerb_in_steer_park_plan(const kerb_parker* parker, kerb_pose from, kerb_pose to);

/// The first piece after the stretch of one direction of travel that begins with `piece`.
int32_t kerb_in_steer_park_stretch_end(const kerb_curve* way, int32_t piece);

/// The mean curvature of the present stretch over `window` metres round a station. [1/m]
float kerb_in_steer_park_curvature(const kerb_parker* parker, float distance, float window);

/// The window in which the wheels can turn at a speed. [m]
float kerb_in_steer_park_window(const kerb_parker* parker, float speed);

/// Greatest speed at a station of the stretch, for the bends ahead, without its end. [m/s]
float kerb_in_steer_park_speed(const kerb_parker* parker, float distance);

#endif
