// Kerb lap_learner: what a car can do at its limit, learned from driven laps.
//
// A kerb_performance is what a car can do at its limit. kerb_performance_of makes one from a
// description, and a description is what somebody told. A lap learner begins with that and learns
// from the motion and from the controls that were applied, whoever drove: what the engine gives at
// each speed, what the brakes do, and how much the tyres hold, upwards as well as down. Each value
// has a standard deviation. What is lost at one place of a line is kept for that place.
//
//     kerb_performance told = kerb_performance_of(&vehicle);
//     kerb_lap_learner learner = kerb_lap_learner_make(&vehicle, &told);       // once per vehicle
//     kerb_lap_learner_feed(&learner, &line, distance, &motion, &controls, NULL, time_step);
//     kerb_performance learned = kerb_lap_learner_performance(&learner, 0.0f); // when asked for
//     double lap = kerb_lap_learner_promise(&learner, &line, points, speeds);
//
// A racer that learns (kerb_racer_settings.learning) feeds one of its own and drives by it.
//
// HOW IT LEARNS. Every tenth of a second it takes the mean motion.
// - Tyres and wings: an axle's slip grows in proportion to its force at first, and faster near the
//   limit. Means of slip and force in bends without much pedal, by axle, speed and place along that
//   curve, are kept; the grip, the stiffness and the downforce of both axles are those that explain
//   them best, and the car holds what its weaker axle holds. Gentle bends say little about the
//   grip, so its deviation stays; bends near the limit say much, and slides say most. Downforce
//   that nobody told of is found by bends at different speeds.
// - Engine: full throttle on straights gives the acceleration at that speed and, less surely, at
//   the speeds beside it. Drag and rolling resistance are not separated from it: their sum counts.
// - Brakes: a pedal that asks for more than the tyres hold, and a deceleration above what they were
//   believed to hold, show what they hold braking. Until then braking tyres hold more or less as
//   the turning ones do. Pedals that the tyres hold show what the brakes themselves give; brakes
//   that are weaker than the tyres are the limit.
// - Places: the time that each section of the line took, over the time that the learned values
//   promise there.
//
// WHAT TEACHES. Driving forwards on the ground, faster than a walking pace. Collisions, teleports,
// frames that cannot be used, and those of which the host says so in its surroundings teach
// nothing.
//
// COST AND THREADS. About 3.4 KB of plain memory without pointers: copy it as you like. A feed is
// O(1) and allocates nothing; one in about twenty fits the tyres, which takes some 5 µs. One thread
// at a time may use one learner.
//
// DOES NOT: learn tracked vehicles and hovercraft, whose performance stays as described; learn the
// losses of kerb_performance (braking_loss to turning_drag).
#ifndef KERB_LAP_LEARNER_H
#define KERB_LAP_LEARNER_H

#include "estimate.h"
#include "private/lap_learner_memory.h"
#include "racing_line.h"

/// What laps taught about one vehicle. Read its values; `memory` is no interface.
typedef struct kerb_lap_learner {
    kerb_vehicle vehicle;       ///< the description that it began with
    kerb_performance described; ///< the performance that it began with
    /// Grip of the tyres over what `described` promises in bends, without wings, of the weaker
    /// axle. [1] Known from a deviation of 0.05.
    kerb_estimated grip_ratio;
    /// Full braking over what `described` promises, by tyres or brakes, whichever are weaker. [1]
    /// Known from a deviation of 0.05.
    kerb_estimated braking_ratio;
    /// Acceleration by the engine over what `described` promises, mean over the speeds that were
    /// driven. [1] Known from a deviation of 0.05.
    kerb_estimated power_ratio;
    int32_t bad_frames; ///< frames with an impossible motion or time step, or a long step
    kerb_lap_learner_memory memory;
} kerb_lap_learner;

/// A learner that knows the description only. [vehicle, performance: valid] O(memory)
KERB_API kerb_lap_learner kerb_lap_learner_make(const kerb_vehicle* vehicle,
                                                const kerb_performance* performance);

/// Makes a learner in place, like kerb_lap_learner_make. See "saved objects" in kerb/base.h.
KERB_API void kerb_lap_learner_init(kerb_lap_learner* learner, const kerb_vehicle* vehicle,
                                    const kerb_performance* performance);

/// Size of a kerb_lap_learner. [bytes]
KERB_API size_t kerb_lap_learner_bytes(void);

/// Saves a learner; see "saved objects" in kerb/base.h. [bytes] O(size)
KERB_API size_t kerb_lap_learner_save(const kerb_lap_learner* learner, void* block,
                                      size_t capacity);

/// Loads a learner, or refuses the block and changes nothing. `error` may be NULL. O(size)
KERB_API kerb_result kerb_lap_learner_load(kerb_lap_learner* learner, const void* block,
                                           size_t size, kerb_error* error);

/// Forgets what was learned, as after damage or a change of tyres: the description counts again.
KERB_API void kerb_lap_learner_reset(kerb_lap_learner* learner);

/// Gives a learner what another vehicle with an equal description and performance learned, in
/// addition to its own: tyres, engine and brakes. The other one counts as `share` of what it drove.
/// Others give nothing, nor does a learner to itself; what was given to another one counts twice
/// when that one gives it back. Places are not given: what is lost there depends on the line and on
/// its driver. [share: 0 … 1] O(memory), about 0.1 ms
KERB_API void kerb_lap_learner_merge(kerb_lap_learner* learner, const kerb_lap_learner* other,
                                     float share);

/// Learns from one frame: the controls that acted during `time_step`, and the motion at its end.
/// `line` is what is driven, `distance` the station on it [m]; NULL: no place is known, and the
/// surface has grip 1. Of `surroundings` (NULL: kerb_surroundings_default) `grip` counts,
/// `applied` replaces the controls, and `wheels_on_ground` below 1 or `do_not_learn` mean that the
/// frame teaches nothing. O(1)
KERB_API void kerb_lap_learner_feed(kerb_lap_learner* learner, const kerb_racing_line* line,
                                    double distance, const kerb_motion* motion,
                                    const kerb_controls* controls,
                                    const kerb_surroundings* surroundings, float time_step);

/// Moves what it remembers with the world's origin, as kerb_racer_shift_origin does, so that the
/// next frame is no jump. `new_origin` is the new origin in the old coordinates. [m] O(1)
KERB_API void kerb_lap_learner_shift_origin(kerb_lap_learner* learner, kerb_vec3 new_origin);

/// The performance as far as it is known: `described` with what was learned put in. `caution`: how
/// many standard deviations of the grip to stay below what is most probable, braking with it; 0 for
/// the most probable values. What the tyres have held already is not doubted, so it may be fewer.
/// [caution: 0 … 3] The result is valid. O(KERB_DRIVE_COUNT)
KERB_API kerb_performance kerb_lap_learner_performance(const kerb_lap_learner* learner,
                                                       float caution);

/// Promises a lap: the speed profile of the learned performance along the line. On a line that the
/// learner was fed with, sections that took longer or shorter than the profile count as they were
/// driven last. Returns the time like kerb_speed_profile. [s] `points` and `speed` receive one
/// entry for each point of the line. O(points), allocates nothing
KERB_API double kerb_lap_learner_promise(const kerb_lap_learner* learner,
                                         const kerb_racing_line* line, kerb_profile_point* points,
                                         float* speed);

#endif
