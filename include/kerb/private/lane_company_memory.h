// What a lane company keeps between frames: the type of its member `memory`.
//
// This header is no interface. Its fields may change their meaning in any version, and no field may
// be read or written by a host. It is public because a driver is a plain struct: the host has to
// know its size to hold it, copy it and restore it.
#ifndef KERB_PRIVATE_LANE_COMPANY_MEMORY_H
#define KERB_PRIVATE_LANE_COMPANY_MEMORY_H

#include "../base.h"

/// Greatest number of bots in one company.
#define KERB_LANE_COMPANY_BOTS_MAX 64
/// Greatest number of lanes in one direction.
#define KERB_LANE_COMPANY_LANES_MAX 6

// What a company remembers.
typedef struct kerb_lane_company_memory {
    bool started;
    float since_change;                            ///< since anybody was told to change lanes [s]
    float farther[2][KERB_LANE_COMPANY_LANES_MAX]; ///< the next place to be asked for is so
                                                   ///< much farther [m]
    struct {
        bool known;
        int32_t lane;
        float along; ///< in the last frame [m]
        float told;  ///< since it was told to change lanes [s]
    } bots[KERB_LANE_COMPANY_BOTS_MAX];
} kerb_lane_company_memory;

#endif
