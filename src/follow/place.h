// Where on its path a vehicle is. Private to the room.
#ifndef KERB_IN_FOLLOW_PLACE_H
#define KERB_IN_FOLLOW_PLACE_H

#include "frame.h"

// Places of two paths nearer than this count as the same. [m]
#define FOLLOWER_SAME_PLACE 1.0f
// A vehicle that stands within this of the end has arrived, and is no longer there beyond the
// second value. [m]
#define END_TOLERANCE 0.28f
#define END_LEFT 0.3f
// Whatever its size, a vehicle is there within this. [m]
#define END_TOLERANCE_LEAST 0.1f

// A tolerance of a car at the end, for this vehicle: a large one need not stand farther off. [m]
static inline float follow_end_metres(const kerb_follower* follower, float tolerance) {
    float least = kerb_min(END_TOLERANCE_LEAST, tolerance);
    return kerb_clamp(follow_metres(follower, tolerance), least, tolerance);
}

// The end of the path as seen from the vehicle, on the level.
typedef struct follow_end {
    float ahead;    // along the travel of the body; negative: behind it [m]
    float distance; // [m]
    bool level;     // it is on this level of the road, not above or below
    bool is_next;   // the path comes to it next: without a stop before it, nor a round
} follow_end;

// The place on a path that was not driven in the last frame, or after the vehicle was put
// elsewhere. `station`: what the station of the last frame's place is on this path; negative
// before its start. O(points)
kerb_path_location kerb_in_follow_place_begin(const kerb_follower* follower, const kerb_path* path,
                                              const kerb_motion* motion, kerb_vec3 forward,
                                              bool elsewhere, double* station);

// Tracks the place from the last frame's. O(points passed)
void kerb_in_follow_place_track(kerb_follower* follower, const kerb_path* path,
                                const kerb_motion* motion, kerb_vec3 forward);

// Distance to the next stop, change of direction or end; negative past it; far where there is
// none. [m]
float kerb_in_follow_place_to_stop(const kerb_follower* follower, const follow_frame* frame);

// The smallest radius that the vehicle turns with, whatever its speed. [m]
float kerb_in_follow_place_radius(const kerb_follower* follower);

follow_end kerb_in_follow_place_end(const kerb_follower* follower, const follow_frame* frame);

// Whether it is so far beside its path that it cannot turn back to it within the corridor.
bool kerb_in_follow_place_far_off(const kerb_follower* follower, const follow_frame* frame);

// Whether the vehicle is within a tolerance of the end. [m]
bool kerb_in_follow_place_at_end(const kerb_follower* follower, const follow_end* end,
                                 float tolerance);

#endif
