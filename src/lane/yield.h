// Who gives way to whom where there is no room for both. Private to the room.
#ifndef LANE_YIELD_H
#define LANE_YIELD_H

#include "frame.h"

/// Remembers whether who is ahead was seen to drive or to come: when he stands, he waits.
void lane_mind_who_waits(kerb_lane_keeper* keeper, const lane_seen* seen, float time_step);

/// Room that who comes needs before it to get past who stands, and `pull_in` to its lane. [m]
float lane_room_to_let_in(const kerb_lane_keeper* keeper, float pull_in);

/// Whether it is its turn to back off from who stands before it. `aside`: it is on the other half
/// of the road, or goes round somebody. `wish`: the speed that it wants. [m/s]
bool lane_backs_off(kerb_lane_keeper* keeper, const lane_seen* seen, bool aside, float wish,
                    float time_step);

#endif
