// What a steering driver or parker keeps between frames: the type of its member `memory`.
//
// This header is no interface. Its fields may change their meaning in any version, and no field may
// be read or written by a host. It is public because a driver is a plain struct: the host has to
// know its size to hold it, copy it and restore it.
#ifndef KERB_PRIVATE_PEDAL_MEMORY_H
#define KERB_PRIVATE_PEDAL_MEMORY_H

#include "../control.h"
#include "hand_over_memory.h"
#include "motion_memory.h"

// What a driver remembers of its motion and of its pedals.
typedef struct kerb_pedal_memory {
    kerb_motion_memory last; ///< the last frame that could be used
    kerb_hand_over_memory hand_over;
    kerb_speed_controller speed_control;
    kerb_gearbox gearbox;
    int32_t travel; ///< direction: 1 forwards, -1 in reverse, 0: none yet
    float held;     ///< extra deceleration to stay at standstill when something pushes [m/s²]
    float pushed;   ///< time for which it has moved slowly although it shall stand [s]
} kerb_pedal_memory;

#endif
