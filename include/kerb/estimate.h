// Kerb estimate: what a vehicle really does with the steering that it is given.
//
// A description (kerb_vehicle) is what somebody told. An estimate learns from the motion and from
// the controls that were applied: how sharply the vehicle turns per command, at which command it
// drives straight, how late it answers, and how fast its steering moves. Each value has a standard
// deviation: how far it may be from the truth.
//
//     kerb_estimate estimate = kerb_estimate_make(&vehicle);            // once per vehicle
//     kerb_estimate_feed(&estimate, &motion, &controls, NULL, time_step); // every frame
//     if (estimate.delay.known)
//         printf("answers after %.2f s\n", (double)estimate.delay.value);
//     kerb_vehicle learned = kerb_estimate_vehicle(&estimate, &vehicle); // when it is asked for
//
// `controls` are those that the vehicle had since the frame before, from whoever drove: a driver of
// Kerb, a player, an assistant. `motion` is the motion after them.
//
// WHAT TEACHES. Driving forwards on the ground, faster than 0.5 m/s, with a lateral acceleration of
// less than 0.6 of the greatest, and with changing steering. Standing, reverse, sliding, flying,
// rolling over, the handbrake, teleports and frames that cannot be used teach nothing: the values
// stay as they are. So do frames that the host excludes (kerb_surroundings.do_not_learn). Without
// changing steering the deviations stay large.
//
// HOW IT LEARNS. Many models of steering run beside each other on the commands: each with its own
// delay, rate limit and lag. Every tenth of a second, each model's wheels are compared with the
// curvature that the vehicle drove (a linear regression). Models that explain it well count. What
// the description says is believed until the motion says otherwise.
//
// COST AND THREADS. About 7.5 KB of memory without pointers: copy it as you like. At 60 Hz a feed
// takes about 60 ns in the mean; once in two seconds of driving it takes 1 µs more. Nothing is
// allocated. One thread at a time may use one estimate. The same frames give the same bits on every
// machine.
//
// HOW SURE. docs/results.md has the figures: on hosts drawn at random, after ten seconds of
// steering within 0.35 of the lock, the gain is within 10 % in 98.7 of 100, the trim within 0.01 of
// the lock in 91.9, and the delay within 0.03 s in 94.1. Deviations are honest: the truth is within
// two of them in 99.0, 95.0 and 97.3 of 100.
//
// DOES NOT: drive; the calibrator uses it, no driver yet. It does not learn tyres
// (kerb/estimate_body.h), engine or brakes (kerb/estimate_pedals.h); kerb/estimate_vehicle.h learns
// all three together. It does not tell apart a delay and a lag of less than a tenth of a second;
// their sum is what counts.
#ifndef KERB_ESTIMATE_H
#define KERB_ESTIMATE_H

#include "private/estimate_memory.h"
#include "vehicle.h"

/// One value that is learned.
typedef struct kerb_estimated {
    float value;
    float deviation; ///< standard deviation, in the unit of the value [> 0]
    bool known;      ///< learned from motion, and sure enough to be used
} kerb_estimated;

/// What one vehicle taught. Read its values; `memory` is no interface.
typedef struct kerb_estimate {
    kerb_vehicle vehicle; ///< the description that it began with

    /// Curvature per command over what the description says: the mean slope between -0.3 and 0.3
    /// of the lock, at the speeds of the last half minute. 1: as described. TRACKED, HOVER: yaw
    /// rate per command. [1] [0.1 … 4] Known from a deviation of 6 % of the value.
    kerb_estimated steering_gain;
    /// Command at which the vehicle drives straight. [share of the lock] [-0.5 … 0.5] Known from a
    /// deviation of 0.007.
    kerb_estimated trim;
    /// Time from a change of the command to that of the curvature, while the steering moves slowly
    /// enough for its rate: delay of the controls, lag of the steering and of the body. [s] [0.01 …
    /// 0.6] Known from a deviation of 0.02.
    kerb_estimated delay;
    /// Greatest rate of the steering. Known only after the steering was commanded to move faster.
    /// [lock/s] [> 0] Known from a deviation of a quarter of the value.
    kerb_estimated steering_rate;

    float excitation;   ///< standard deviation of the steering that taught [share of the lock]
    float taught;       ///< driving that taught, with the old forgotten [s]
    float misfit;       ///< share of the curvature that the best model leaves unexplained [0 … 1]
    int32_t bad_frames; ///< frames with an impossible motion or a bad or long time step

    kerb_estimate_memory memory;
} kerb_estimate;

/// An estimate that knows the description only. [vehicle: valid] O(memory)
KERB_API kerb_estimate kerb_estimate_make(const kerb_vehicle* vehicle);

/// Makes an estimate in place, like kerb_estimate_make. See "saved objects" in kerb/base.h.
KERB_API void kerb_estimate_init(kerb_estimate* estimate, const kerb_vehicle* vehicle);

/// Size of a kerb_estimate. [bytes]
KERB_API size_t kerb_estimate_bytes(void);

/// Saves an estimate; see "saved objects" in kerb/base.h. [bytes] O(size)
KERB_API size_t kerb_estimate_save(const kerb_estimate* estimate, void* block, size_t capacity);

/// Loads an estimate, or refuses the block and changes nothing. `error` may be NULL. O(size)
KERB_API kerb_result kerb_estimate_load(kerb_estimate* estimate, const void* block, size_t size,
                                        kerb_error* error);

/// Learns from one frame: the controls that acted during `time_step`, and the motion at its end.
/// Of `surroundings` (NULL: kerb_surroundings_default) `applied` replaces the controls, and
/// `wheels_on_ground` below 1 or `do_not_learn` mean that the frame teaches nothing. O(models)
/// amortized
KERB_API void kerb_estimate_feed(kerb_estimate* estimate, const kerb_motion* motion,
                                 const kerb_controls* controls,
                                 const kerb_surroundings* surroundings, float time_step);

/// Brings the values up to date with all that was fed. Feeding does it once in two seconds of
/// driving that teaches; this is for who wants it now. O(models · delays)
KERB_API void kerb_estimate_update(kerb_estimate* estimate);

/// Forgets what was learned, as after damage or a change of tyres: the description counts again.
KERB_API void kerb_estimate_reset(kerb_estimate* estimate);

/// Gives an estimate what another vehicle with an equal description learned, in addition to its
/// own. The other one counts as `share` of what it drove. Vehicles of other descriptions give
/// nothing. [share: 0 … 1] O(memory)
KERB_API void kerb_estimate_merge(kerb_estimate* estimate, const kerb_estimate* other, float share);

/// The `description` with what is known put in. WHEELED: steering_angle_max, such that commands
/// give the curvature that was learned at the speeds that taught it, with the understeer_gradient
/// of `description`; steering_delay, steering_rate_max. TRACKED, HOVER: yaw_rate_max,
/// yaw_acceleration_max. Values that are not known stay as they are there; the trim has no field.
/// Pedals and body have functions of this kind, too: give each what the one before returned, in any
/// order. The result is valid if the description is. O(1)
KERB_API kerb_vehicle kerb_estimate_vehicle(const kerb_estimate* estimate,
                                            const kerb_vehicle* description);

/// The world's origin has moved to `new_origin`, given in the old coordinates. [m]
KERB_API void kerb_estimate_shift_origin(kerb_estimate* estimate, kerb_vec3 new_origin);

#endif
