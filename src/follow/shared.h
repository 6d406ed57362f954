// What rooms on higher floors may use of follow beside its public headers: what a follower shows of
// its memory.
#ifndef KERB_IN_FOLLOW_SHARED_H
#define KERB_IN_FOLLOW_SHARED_H

#include "kerb/follow.h"

/// False before the first frame on a path: nothing is decided yet.
bool kerb_in_follow_has_decided(const kerb_follower* follower);

/// True while it means to move in reverse on this path.
bool kerb_in_follow_goes_in_reverse(const kerb_follower* follower, const kerb_path* path);

/// The side to which it turns the nose while it backs out: 1 left, -1 right.
float kerb_in_follow_recovery_side(const kerb_follower* follower);

/// KERB's line from the vehicle on. Returns the number of points, 0 where there is no line.
int32_t kerb_in_follow_line_ahead(const kerb_follower* follower,
                                  kerb_vec3 points[KERB_FOLLOWER_LINE_KNOTS]);

#endif
