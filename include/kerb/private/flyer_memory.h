// What a flyer keeps between frames: the type of its member `memory`.
//
// This header is no interface. Its fields may change their meaning in any version, and no field may
// be read or written by a host. It is public because a driver is a plain struct: the host has to
// know its size to hold it, copy it and restore it.
#ifndef KERB_PRIVATE_FLYER_MEMORY_H
#define KERB_PRIVATE_FLYER_MEMORY_H

#include "../control.h"
#include "../curve.h"
#include "../path.h"
#include "../seek.h"
#include "motion_memory.h"

// What a flyer remembers. The approach is the curve that kerb_flyer_arrive planned to the goal,
// seen from above. Distances along it are horizontal.
typedef struct kerb_flyer_memory {
    kerb_motion_memory last; ///< The last frame that could be used.
    kerb_motion_memory left; ///< The one before `last`, while `last` may be a glitch of one frame.
    kerb_speed_controller speed;
    kerb_vec3 velocity;          ///< In the last frame. [m/s]
    bool has_velocity;           ///< False before the first frame.
    uint64_t path_id;            ///< kerb_path.id of the path that it follows. 0: none.
    kerb_path_location location; ///< Location on that path in the last frame.
    bool has_goal;               ///< True: it flies to `goal` on `approach`.
    kerb_directed_goal goal;
    kerb_vec3 goal_shift;    ///< Motion of the goal since the approach was planned. [m]
    kerb_curve approach;     ///< Curve from the end of the lead-in to the goal.
    float approach_length;   ///< Length with the lead-in. [m]
    float approach_distance; ///< Distance already flown along it. [m]
    float approach_lead_in;  ///< Straight part at its start, in which it rolls into the bank. [m]
    float approach_turning_radius; ///< Radius of its turns. [m]
    float approach_start_height;   ///< z at its start. [m]
    float slope_start, slope_end;  ///< Rise per horizontal metre at its start and end. [1]
} kerb_flyer_memory;

#endif
