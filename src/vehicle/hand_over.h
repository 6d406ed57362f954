// Purpose: a player takes the wheel and gives it back.
// Idea:    while a player drives, a driver goes on looking: it knows its place, learns from the
//          controls that acted, and is never stuck. When it gets the wheel back it begins as if the
//          host had put the vehicle there, and for half a second its controls are a mixture of the
//          player's last ones and its own, so that neither wheels nor pedals jump. A vehicle that
//          something holds is one with a player who only brakes.
// Cost:    O(1).
#ifndef KERB_IN_VEHICLE_HAND_OVER_H
#define KERB_IN_VEHICLE_HAND_OVER_H

#include "kerb/private/hand_over_memory.h"
#include "kerb/vehicle.h"

// A player drives in this frame, or something holds the vehicle: not the driver. O(1)
static inline bool kerb_in_player_drives(const kerb_surroundings* surroundings) {
    return surroundings && (surroundings->player_drives || surroundings->held);
}

// Begins a frame. `controls`, which the driver returned last, become those that acted, where the
// host tells them. True in the first frame after a player drove, and until one of these can be
// driven: the driver must begin anew. O(1)
bool kerb_in_hand_over_begin(kerb_hand_over_memory* memory, kerb_controls* controls,
                             const kerb_surroundings* surroundings);

// Ends a frame that was driven: mixes the player's last controls into those of the driver, or
// stands while something holds the vehicle. O(1)
void kerb_in_hand_over_end(kerb_hand_over_memory* memory, kerb_controls* controls, float time_step);

#endif
