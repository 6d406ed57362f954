// Which of two vehicles gives way where there is no space for both. Private to the room.
#ifndef KERB_IN_LANE_YIELD_H
#define KERB_IN_LANE_YIELD_H

#include "frame.h"

/// Remembers whether the vehicle ahead was seen to drive or to come: if it is at standstill then,
/// it waits.
void kerb_in_lane_mind_who_waits(kerb_lane_keeper* keeper, const lane_seen* seen, float time_step);

/// That vehicle is out of sight: after a while it no longer counts.
static inline void lane_lose_who_waits(kerb_lane_keeper* keeper, float time_step) {
    keeper->memory.other.waits = kerb_max(keeper->memory.other.waits - time_step, 0.0f);
    if (!(keeper->memory.other.waits > 0.0f))
        keeper->memory.other.came = false;
}

/// Length that an oncoming vehicle needs before this one to get past a stopped vehicle, and
/// `pull_in` to its lane. [m]
float kerb_in_lane_room_to_let_in(const kerb_lane_keeper* keeper, float pull_in);

/// True: it is this vehicle's turn to back off from the stopped vehicle ahead. `aside`: it is on
/// the other half of the road, or goes round something. `wish`: desired speed. Tries to get out
/// hardly count while others are in its path. [m/s]
bool kerb_in_lane_is_its_turn_to_back_off(kerb_lane_keeper* keeper, const lane_seen* seen,
                                          bool aside, float wish, float time_step);

#endif
