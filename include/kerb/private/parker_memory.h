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
    kerb_pose goal;
    bool has_goal;
    int32_t piece;    ///< first of the stretch of one direction being driven
    int32_t next;     ///< first of the one after it
    float begin, end; ///< of the stretch, along the way [m]
    float waited;     ///< in this phase, without getting on [s]
    kerb_pedal_memory pedals;
} kerb_parker_memory;

#endif
