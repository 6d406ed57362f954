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
    float since_change; ///< Time since the last order to change lanes, over all bots. [s]
    /// Distance added to the next place that it asks the host for, by direction and lane. [m]
    float farther[2][KERB_LANE_COMPANY_LANES_MAX];
    struct {
        bool known;   ///< False: it is new in this frame.
        int32_t lane; ///< Lane in which it drives, counted from the edge of its direction.
        float along;  ///< Distance ahead of the player in the last frame. [m]
        float told;   ///< Time since its last order to change lanes. [s]
    } bots[KERB_LANE_COMPANY_BOTS_MAX];
} kerb_lane_company_memory;

#endif
