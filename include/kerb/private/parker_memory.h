// What a parker keeps between frames: the type of its member `memory`.
//
// This header is no interface. Its fields may change their meaning in any version, and no field may
// be read or written by a host. It is public because a driver is a plain struct: the host has to
// know its size to hold it, copy it and restore it.
#ifndef KERB_PRIVATE_PARKER_MEMORY_H
#define KERB_PRIVATE_PARKER_MEMORY_H

#include "../math.h"
#include "pedal_memory.h"

// What a parker remembers.
typedef struct kerb_parker_memory {
    kerb_pose goal; ///< of the movement that it drives
    bool has_goal;
    float goal_slack; ///< after the origin moved, a goal this near in x and y is the same one [m]
    int32_t piece;    ///< first piece of the present leg: the part up to the next cusp
    int32_t next;     ///< first piece of the next leg
    float begin, end; ///< of the present leg, along the movement [m]
    float waited;     ///< time without progress in this phase [s]
    kerb_motion_memory left; ///< the frame before the last, which may be a glitch
    kerb_pedal_memory pedals;
} kerb_parker_memory;

#endif
