// Kerb estimate, vehicle: everything that the motion teaches, learned together.
//
// Steering (kerb/estimate.h), body and tyres (kerb/estimate_body.h) and pedals
// (kerb/estimate_pedals.h) can each be learned alone. Who wants all of it holds one of these: every
// frame is judged once and handed to all three, and one description comes out.
//
//     kerb_vehicle_estimate estimate = kerb_vehicle_estimate_make(&vehicle);      // once per
//     vehicle kerb_vehicle_estimate_feed(&estimate, &motion, &controls, NULL, time_step); // every
//     frame if (estimate.pedals.braking.known)
//         printf("brakes with %.1f m/s2\n", (double)estimate.pedals.braking.value);
//     kerb_vehicle learned = kerb_vehicle_estimate_vehicle(&estimate, &vehicle);  // when asked for
//
// The parts learn what they would learn alone, bit for bit. Their headers say what teaches, how
// sure it is and what it does not do. A part that is copied out may be fed alone from then on; its
// first frame teaches it nothing.
//
// COST AND THREADS. About 12.5 KB of memory without pointers: copy it as you like. At 60 Hz a feed
// takes about 170 ns in the mean. Nothing is allocated. One thread at a time may use one estimate.
//
// DOES NOT: drive. Let nobody feed a part while it is in here: it would see the time twice.
#ifndef KERB_ESTIMATE_VEHICLE_H
#define KERB_ESTIMATE_VEHICLE_H

#include "estimate.h"
#include "estimate_body.h"
#include "estimate_pedals.h"

/// What one vehicle taught. Read the values of its parts.
typedef struct kerb_vehicle_estimate {
    kerb_estimate steering;
    kerb_body_estimate body;
    kerb_pedal_estimate pedals;
} kerb_vehicle_estimate;

/// An estimate that knows the description only. [vehicle: valid] O(memory)
KERB_API kerb_vehicle_estimate kerb_vehicle_estimate_make(const kerb_vehicle* vehicle);

/// Makes an estimate in place, like kerb_vehicle_estimate_make. See "saved objects" in kerb/base.h.
KERB_API void kerb_vehicle_estimate_init(kerb_vehicle_estimate* estimate,
                                         const kerb_vehicle* vehicle);

/// Size of a kerb_vehicle_estimate. [bytes]
KERB_API size_t kerb_vehicle_estimate_bytes(void);

/// Saves an estimate; see "saved objects" in kerb/base.h. [bytes] O(size)
KERB_API size_t kerb_vehicle_estimate_save(const kerb_vehicle_estimate* estimate, void* block,
                                           size_t capacity);

/// Loads an estimate, or refuses the block and changes nothing. `error` may be NULL. O(size)
KERB_API kerb_result kerb_vehicle_estimate_load(kerb_vehicle_estimate* estimate, const void* block,
                                                size_t size, kerb_error* error);

/// Learns from one frame, as kerb_estimate_feed, kerb_body_estimate_feed and
/// kerb_pedal_estimate_feed do: the controls that acted during `time_step`, and the motion at its
/// end. `surroundings` may be NULL. O(models) amortized
KERB_API void kerb_vehicle_estimate_feed(kerb_vehicle_estimate* estimate, const kerb_motion* motion,
                                         const kerb_controls* controls,
                                         const kerb_surroundings* surroundings, float time_step);

/// Brings the values of all parts up to date with all that was fed. Feeding does it every few
/// seconds; this is for who wants it now. O(models · delays)
KERB_API void kerb_vehicle_estimate_update(kerb_vehicle_estimate* estimate);

/// Forgets what was learned, as after damage or a change of tyres: the description counts again.
KERB_API void kerb_vehicle_estimate_reset(kerb_vehicle_estimate* estimate);

/// Gives an estimate what another vehicle with an equal description learned, in addition to its
/// own. The other one counts as `share` of what it drove. Vehicles of other descriptions give
/// nothing. [share: 0 … 1] O(memory)
KERB_API void kerb_vehicle_estimate_merge(kerb_vehicle_estimate* estimate,
                                          const kerb_vehicle_estimate* other, float share);

/// The `description` with all that is known put in: steering, then body, then pedals. Values that
/// are not known stay as they are there. The result is valid if the description is. O(terms²)
KERB_API kerb_vehicle kerb_vehicle_estimate_vehicle(const kerb_vehicle_estimate* estimate,
                                                    const kerb_vehicle* description);

/// The world's origin has moved to `new_origin`, given in the old coordinates. [m]
KERB_API void kerb_vehicle_estimate_shift_origin(kerb_vehicle_estimate* estimate,
                                                 kerb_vec3 new_origin);

#endif
