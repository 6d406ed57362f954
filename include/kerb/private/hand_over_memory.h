// What every driver of a ground vehicle keeps of a player who had the wheel.
//
// This header is no interface. Its fields may change their meaning in any version, and no field may
// be read or written by a host. It is public because a driver is a plain struct: the host has to
// know its size to hold it, copy it and restore it.
#ifndef KERB_PRIVATE_HAND_OVER_MEMORY_H
#define KERB_PRIVATE_HAND_OVER_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

// The player's controls when the driver got the wheel back.
typedef struct kerb_hand_over_memory {
    float steering; ///< [1]
    float pedal;    ///< throttle, or the brake as a negative number [1]
    int32_t gear;   ///< commanded
    float left;     ///< time until only the driver's controls count [s]
    bool player;    ///< a player drove in the last frame
    bool held;      ///< something held the vehicle in the last frame
    bool told;      ///< the host told the player's controls
    bool back;      ///< the driver has the wheel again, and has not driven yet
} kerb_hand_over_memory;

#endif
