// Driving to a point, where the path cannot be followed. Private to the room.
#ifndef KERB_IN_FOLLOW_GOAL_H
#define KERB_IN_FOLLOW_GOAL_H

#include "place.h"

// Below this speed it counts as at standstill. [m/s]
#define FOLLOWER_STANDING 0.12f

// Looks whether the end was missed or a knot lies ahead, and how the piece goes that is driven
// now. True: the knot is behind, and the path goes on at `skips_to`.
bool kerb_in_follow_goal_look(kerb_follower* follower, const follow_frame* frame, float to_stop,
                              kerb_path_location* skips_to);

// What the point asks for in this frame, which is in the travel of the piece. HOVER: the controls,
// too.
follow_wish kerb_in_follow_goal_wish(kerb_follower* follower, const follow_frame* frame,
                                     kerb_controls* controls);

// Distance to the point where it stops; far away where it does not stop there. [m]
float kerb_in_follow_goal_left(const kerb_follower* follower, const follow_frame* frame);

// What is watched for being stuck goes on with a measure that is `by` more. [m]
void kerb_in_follow_goal_shift(kerb_follower* follower, double by);

// Progress as being stuck is judged by: along the path, or towards the point. [m]
double kerb_in_follow_goal_progress(const kerb_follower* follower, const kerb_motion* motion);

// It follows the path again.
void kerb_in_follow_goal_end(kerb_follower* follower, const kerb_motion* motion);

// Whether another path ends at the same point, to which it goes on.
bool kerb_in_follow_goal_stays(kerb_follower* follower, const kerb_path* path);

// Controls of a hovercraft towards a point, at a speed: it turns its fan to what its velocity
// lacks.
void kerb_in_follow_goal_hover(const kerb_follower* follower, const follow_frame* frame,
                               kerb_vec3 goal, float speed, kerb_controls* controls);

#endif
