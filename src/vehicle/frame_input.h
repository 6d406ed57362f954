// Purpose: the first step of every driver: what of the host's motion and time step can be used.
// Idea:    three outcomes. An impossible motion or time step is refused, and nothing of it reaches
//          the driver's memory. A position that the vehicle cannot have driven to is accepted: the
//          host put the vehicle elsewhere. Everything else is brought into range: the rotation to
//          unit length, the steering to [-1, 1], the gear to what a drive train can have, and the
//          time step to KERB_TIME_STEP_MAX.
// Cost:    O(1).
#ifndef KERB_IN_VEHICLE_FRAME_INPUT_H
#define KERB_IN_VEHICLE_FRAME_INPUT_H

#include "kerb/private/motion_memory.h"
#include "kerb/vehicle.h"

// What a driver drives by in one frame.
typedef struct kerb_in_frame_input {
    // KERB_REASON_NONE: the other fields hold. KERB_REASON_BAD_MOTION: answer with safe controls.
    // KERB_REASON_BAD_STEP: repeat the last controls.
    kerb_reason fault;
    // The caller's frame goes into `bad_frames`: for a fault, and for a step that was too long.
    bool counts;
    // The vehicle did not drive here from its last place, or this is the first frame.
    bool elsewhere;
    float jump_least;   // as it was given to kerb_in_frame_take [m]
    float time_step;    // [s] [KERB_TIME_STEP_MIN … KERB_TIME_STEP_MAX]
    kerb_motion motion; // as the host gave it, with every number in range
} kerb_in_frame_input;

// Judges one frame and remembers its position. `speed_max` is the greatest speed of the vehicle in
// any direction. A position counts as driven to when it is nearer to the last one than
// `jump_least` + 3 · time · speed; drivers give about the vehicle's length, and less while they
// wait for the host to put the vehicle elsewhere. [m/s] [m] O(1)
kerb_in_frame_input kerb_in_frame_take(kerb_motion_memory* memory, const kerb_motion* motion,
                                       float speed_max, float jump_least, float time_step);

// A vehicle farther from its last place than this share of its length, beyond what its speed
// explains, was put there by the host. While it asks to be put elsewhere, perhaps just beside, the
// second share counts. [1]
#define KERB_IN_JUMP_LENGTHS 1.1f
#define KERB_IN_JUMP_LENGTHS_ASKED 0.11f

// The same for a vehicle: a jump is farther than KERB_IN_JUMP_LENGTHS, and the gear is one that the
// vehicle has, -1, 0, or 1 up to its number of forward gears, because drivers hand gears back.
kerb_in_frame_input kerb_in_frame_take_vehicle(kerb_motion_memory* memory,
                                               const kerb_vehicle* vehicle,
                                               const kerb_motion* motion, float time_step);

// The same into the caller's memory, where nanoseconds count: 80 bytes are not copied.
void kerb_in_frame_judge(kerb_in_frame_input* input, kerb_motion_memory* memory,
                         const kerb_vehicle* vehicle, const kerb_motion* motion, float time_step);

// The same where another share of the length counts as a jump, or the vehicle may reach `speed_max`
// although its description promises less. [m/s] [1]
kerb_in_frame_input kerb_in_frame_take_vehicle_beyond(kerb_motion_memory* memory,
                                                      const kerb_vehicle* vehicle,
                                                      const kerb_motion* motion, float speed_max,
                                                      float jump_lengths, float time_step);

// True when a vehicle that was at `memory` cannot have driven to where it is in a frame that was
// taken without fault. O(1)
bool kerb_in_frame_is_elsewhere(const kerb_motion_memory* memory, const kerb_in_frame_input* input);

// True when a neighbour can be as the host gave it: a driver ignores every other one. Its intent is
// not looked at. O(1)
bool kerb_in_neighbour_is_possible(const kerb_neighbour* neighbour);

// A possible neighbour with every number in range and without its intent, which lives only during
// the call: for the decisions of drivers. O(1)
kerb_neighbour kerb_in_neighbour_in_range(const kerb_neighbour* neighbour);

// The world's origin has moved to `new_origin`, given in the old coordinates. [m]
void kerb_in_motion_shift_origin(kerb_motion_memory* memory, kerb_vec3 new_origin);

#endif
