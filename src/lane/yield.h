// Who gives way to whom where there is no room for both. Private to the room.
#ifndef KERB_IN_LANE_YIELD_H
#define KERB_IN_LANE_YIELD_H

#include "frame.h"

/// Remembers whether who is ahead was seen to drive or to come: when he stands, he waits.
void kerb_in_lane_mind_who_waits(kerb_lane_keeper* keeper, const lane_seen* seen, float time_step);

/// He is out of sight: after a while he does not count any more.
static inline void lane_lose_who_waits(kerb_lane_keeper* keeper, float time_step) {
    keeper->memory.other.waits = kerb_max(keeper->memory.other.waits - time_step, 0.0f);
    if (!(keeper->memory.other.waits > 0.0f))
        keeper->memory.other.came = false;
}

/// Room that who comes needs before it to get past who stands, and `pull_in` to its lane. [m]
float kerb_in_lane_room_to_let_in(const kerb_lane_keeper* keeper, float pull_in);

/// Whether it is its turn to back off from who stands before it. `aside`: it is on the other half
/// of the road, or goes round somebody. `wish`: the speed that it wants. Tries to get out hardly
/// count while others are in the way. [m/s]
bool kerb_in_lane_is_its_turn_to_back_off(kerb_lane_keeper* keeper, const lane_seen* seen,
                                          bool aside, float wish, float time_step);

#endif
