// Stops, reversals and the end of the path. Private to the room.
#ifndef KERB_IN_FOLLOW_STOPS_H
#define KERB_IN_FOLLOW_STOPS_H

#include "frame.h"

// Forgets the stop that was found, and looks again from the follower's location.
void kerb_in_follow_stops_reset(kerb_follower* follower);

// Looks on until the next stop is found, or the station `to` is reached.
void kerb_in_follow_stops_look(kerb_follower* follower, const kerb_path* path, double to);

// The stop that was found is over; looks for the next one.
void kerb_in_follow_stops_done(kerb_follower* follower);

#endif
