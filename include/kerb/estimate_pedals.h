// Kerb estimate, pedals: what a vehicle really does with throttle and brake.
//
// kerb/estimate.h learns the steering. This learns the rest of driving straight ahead: how strong
// the drive is at each speed, how strong the brake, how late both come, what slows the vehicle
// without pedals, whether it creeps, whether its gearbox pauses, and where its tyres give in.
//
//     kerb_pedal_estimate pedals = kerb_pedal_estimate_make(&vehicle);        // once per vehicle
//     kerb_pedal_estimate_feed(&pedals, &motion, &controls, NULL, time_step); // every frame
//     if (pedals.braking.known)
//         printf("brakes with %.1f m/s2\n", (double)pedals.braking.value);
//     kerb_vehicle learned = kerb_pedal_estimate_vehicle(&pedals, &vehicle);  // when asked for
//
// `controls` are those that the vehicle had since the frame before, from whoever drove. `motion` is
// the motion after them.
//
// WHAT TEACHES. Driving forwards on the ground. The drive is learned where the throttle is pressed,
// the brake where the brake is, losses where nothing is or where the pedals change, creep below a
// running pace without pedals. Each value keeps its doubt until something teaches it. Standing,
// reverse, sliding, flying, rolling over, the handbrake, teleports, frames that cannot be used, and
// those of which the host says so in its surroundings teach nothing.
//
// HOW IT LEARNS. Every 0.15 seconds, the change of speed, with what gravity did on the slope
// taken out, is one equation: drive of the pedal - brake of the pedal - rolling - drag · speed². A
// regression over them learns strength and shape of both pedals. Models of delay and lag compete
// for when the force comes. Three other explanations compete with the regression for each equation:
// the gearbox pauses, the tyres give in, something else happened. What they explain does not change
// the regression.
//
// COST AND THREADS. About 3 KB of memory without pointers: copy it as you like. At 60 Hz a feed
// takes about 65 ns in the mean; once in four seconds of driving it takes some µs more. Nothing is
// allocated. One thread at a time may use one estimate. The same frames give the same bits on every
// machine.
//
// HOW SURE. docs/results.md has the figures: hosts drawn at random, with descriptions wrong by up
// to a fifth, in ordinary driving. The truth is within two deviations in most of them; what is
// `known` is within 10 % nearly always. What was not done was not learned: the full brake of a
// vehicle that brakes gently, and the power of one that drives slowly, stay uncertain.
//
// DOES NOT: drive; no driver uses it yet. It learns no reverse gear. It takes the wind and the
// other losses of the day for the vehicle's own.
#ifndef KERB_ESTIMATE_PEDALS_H
#define KERB_ESTIMATE_PEDALS_H

#include "estimate.h"
#include "private/pedal_estimate_memory.h"

/// What one vehicle taught of its pedals. Read its values; `memory` is no interface.
typedef struct kerb_pedal_estimate {
    kerb_vehicle vehicle; ///< the description that it began with

    /// Acceleration by the drive alone, losses not subtracted, at full throttle at the speeds
    /// kerb_pedal_estimate_speed: at most what the tyres hold. [m/s²] [>= 0] Known from a
    /// deviation of 7 % of the value.
    kerb_estimated drive[KERB_PEDAL_NODES];
    /// Greatest power of the drive: mass · speed · drive. [W] [> 0] Known from a deviation of 7 %.
    kerb_estimated power;
    /// Share of the drive at half of the throttle; 0.5: linear. [1] [0.05 … 0.95] Known from a
    /// deviation of 0.06.
    kerb_estimated half_throttle;
    /// Time from a change of the throttle to that of the force, lag included. [s] [0 … 1] Known
    /// from a deviation of 0.05.
    kerb_estimated throttle_delay;

    /// Deceleration by the brake alone at full brake: at most what the tyres hold. [m/s²] [> 0]
    /// Known from a deviation of 7 % of the value.
    kerb_estimated braking;
    /// Share of the braking at half of the pedal, as far as the tyres hold. [1] [0.05 … 0.95]
    /// Known from a deviation of 0.06.
    kerb_estimated half_brake;
    /// Time from a change of the brake to that of the force, lag included. [s] [0 … 1] Known from a
    /// deviation of 0.05.
    kerb_estimated brake_delay;

    /// Deceleration without pedals at low speed. [m/s²] [>= 0] Known from a deviation of 0.05.
    kerb_estimated rolling;
    /// Deceleration by drag over speed². [1/m] [>= 0] Known from a deviation of 0.05 m/s² at half
    /// of speed_max.
    kerb_estimated drag;

    /// Speed to which it creeps in gear without pedals. 0: none. [m/s] [>= 0] Known from a
    /// deviation of 0.35 m/s.
    kerb_estimated creep_speed;
    /// Probability that the brake holds it at standstill. 0: only the handbrake does. [1] [0 … 1]
    kerb_estimated brake_holds;

    /// Mean time without drive at a shift of the gearbox. 0: none. [s] [>= 0] Known after two
    /// pauses, or when it drove from rest to half of speed_max without one.
    kerb_estimated shift_pause;
    /// Acceleration by the drive with which the wheels spin, or traction control holds it. [m/s²]
    /// [> 0] Known when that has happened.
    kerb_estimated spin_limit;
    /// Deceleration by the brake with which wheels lock, or anti-lock holds it. [m/s²] [> 0] Known
    /// when that has happened.
    kerb_estimated lock_limit;

    float taught;       ///< driving that taught, with the old forgotten [s]
    float misfit;       ///< standard deviation of what remains unexplained [m/s²]
    int32_t bad_frames; ///< frames with an impossible motion or a bad or long time step

    kerb_pedal_estimate_memory memory;
} kerb_pedal_estimate;

/// An estimate that knows the description only. [vehicle: valid] O(memory)
KERB_API kerb_pedal_estimate kerb_pedal_estimate_make(const kerb_vehicle* vehicle);

/// Makes an estimate in place, like kerb_pedal_estimate_make. See "saved objects" in kerb/base.h.
KERB_API void kerb_pedal_estimate_init(kerb_pedal_estimate* estimate, const kerb_vehicle* vehicle);

/// Size of a kerb_pedal_estimate. [bytes]
KERB_API size_t kerb_pedal_estimate_bytes(void);

/// Saves an estimate; see "saved objects" in kerb/base.h. [bytes] O(size)
KERB_API size_t kerb_pedal_estimate_save(const kerb_pedal_estimate* estimate, void* block,
                                         size_t capacity);

/// Loads an estimate, or refuses the block and changes nothing. `error` may be NULL. O(size)
KERB_API kerb_result kerb_pedal_estimate_load(kerb_pedal_estimate* estimate, const void* block,
                                              size_t size, kerb_error* error);

/// Learns from one frame: the controls that acted during `time_step`, and the motion at its end.
/// Of `surroundings` (NULL: kerb_surroundings_default) `applied` replaces the controls, and
/// `wheels_on_ground` below 1 or `do_not_learn` mean that the frame teaches nothing. O(models)
/// amortized
KERB_API void kerb_pedal_estimate_feed(kerb_pedal_estimate* estimate, const kerb_motion* motion,
                                       const kerb_controls* controls,
                                       const kerb_surroundings* surroundings, float time_step);

/// Brings the values up to date with all that was fed. Feeding does it once in four seconds of
/// driving that teaches, and more often at the start; this is for who wants it now. O(terms³)
KERB_API void kerb_pedal_estimate_update(kerb_pedal_estimate* estimate);

/// Forgets what was learned, as after damage: the description counts again.
KERB_API void kerb_pedal_estimate_reset(kerb_pedal_estimate* estimate);

/// Gives an estimate what another vehicle with an equal description learned, in addition to its
/// own. The other one counts as `share` of what it drove. Vehicles of other descriptions give
/// nothing. [share: 0 … 1] O(memory)
KERB_API void kerb_pedal_estimate_merge(kerb_pedal_estimate* estimate,
                                        const kerb_pedal_estimate* other, float share);

/// Speed of a value of `drive`: from 0 to 1.1 times the described speed_max. [m/s] [node: 0 …
/// KERB_PEDAL_NODES - 1] O(1)
KERB_API float kerb_pedal_estimate_speed(const kerb_pedal_estimate* estimate, int32_t node);

/// Acceleration by the drive alone at full throttle at a speed, and how sure it is: `drive` between
/// its speeds. Negative speeds count as 0. [m/s²] [speed: finite] O(terms²)
KERB_API kerb_estimated kerb_pedal_estimate_drive_at(const kerb_pedal_estimate* estimate,
                                                     float speed);

/// The `description` with what is known put in: acceleration_max, power, power_share (where the
/// vehicle shifts by itself), braking_max, coasting_deceleration, drag, throttle_delay,
/// creep_speed. Values that are not known stay as they are there. Where `power` is not known but
/// `drive` is at some speeds, their greatest power counts, as that of the speeds driven: where the
/// drive falls towards the fastest of them, or where it is more than described. The result is valid
/// if the description is. O(terms²)
KERB_API kerb_vehicle kerb_pedal_estimate_vehicle(const kerb_pedal_estimate* estimate,
                                                  const kerb_vehicle* description);

/// The world's origin has moved to `new_origin`, given in the old coordinates. [m]
KERB_API void kerb_pedal_estimate_shift_origin(kerb_pedal_estimate* estimate, kerb_vec3 new_origin);

#endif
