// What every driver keeps of the last frame it could use.
//
// This header is no interface. Its fields may change their meaning in any version, and no field may
// be read or written by a host. It is public because a driver is a plain struct: the host has to
// know its size to hold it, copy it and restore it.
#ifndef KERB_PRIVATE_MOTION_MEMORY_H
#define KERB_PRIVATE_MOTION_MEMORY_H

#include "../math.h"

// The last possible motion; all 0 before the first one.
typedef struct kerb_motion_memory {
    kerb_vec3 position; ///< in the last frame that could be used [m]
    bool known;         ///< false before the first such frame
    float time;         ///< of the bad frames since then [s] [0 … KERB_TIME_STEP_MAX]
} kerb_motion_memory;

#endif
