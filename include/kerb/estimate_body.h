// Kerb estimate, body: how a vehicle's body answers, how its axles slip, and how well it holds.
//
// A body estimate learns from motion and applied controls, like kerb_estimate (kerb/estimate.h),
// which learns the steering. It has the same verbs. Each value has a standard deviation.
//
//     kerb_body_estimate body = kerb_body_estimate_make(&vehicle);         // once per vehicle
//     kerb_body_estimate_feed(&body, &motion, &controls, NULL, time_step); // every frame
//     if (body.grip.known)
//         printf("holds %.1f m/s2\n", (double)body.grip.value);
//     kerb_vehicle learned = kerb_body_estimate_vehicle(&body, &vehicle); // when it is asked for
//
// MODEL. A body with two axles. The axle that follows does not steer; it is the rear axle, but of
// forklifts the front axle. Each axle slips in proportion to its lateral force over its load, and
// more towards the limit. In a bend that changes, the force of an axle over its load is the lateral
// acceleration of one point of the body: the one about which the body would begin to turn if only
// the other axle were pushed aside (its centre of percussion). That point is where the inertia
// shows, so the motion of the reference point is enough to find it. The forces include gravity on
// slopes and banks; loads include wings (kerb_vehicle.downforce) and crests.
//
// WHAT CAN BE KNOWN. From the motion alone: the place of the axle that follows, its compliance, and
// the distance from it to its point, b - k²/a, where a and b are the distances of the axles from
// the centre of mass and k is the radius of gyration. With the steering: also the other axle's
// compliance, as far as the gain of the steering is known, and a - k²/b. Both distances over the
// wheelbase give 1 - k²/(a·b). The place of the centre of mass is taken for the middle of the
// wheelbase, give or take 8 % of it. At one constant speed the place of the axle and its compliance
// look alike; bends at two speeds tell them apart, or steering that moves fast. A lock that falls
// with speed looks like understeer where kerb_motion.steering is not told.
//
// WHAT TEACHES. Driving forwards on the ground, faster than 0.5 m/s, in bends. The axles learn
// below half of the grip that is believed, and only where the host's grip is 1. The grip learns
// above half of it, by slip that grows faster than force. What teaches kerb_estimate nothing
// teaches nothing here, but slides do teach the grip.
//
// COST AND THREADS. About 1.6 KB of memory without pointers: copy it as you like. At 60 Hz a feed
// takes about 60 ns in the mean. Nothing is allocated. One thread at a time may use one estimate.
// The same frames give the same bits on every machine.
//
// HOW SURE. docs/results.md has figures on hosts drawn at random: of 100 axles that are known
// after 30 s of ordinary driving 97 are right.
//
// DOES NOT: drive; no driver uses it yet. It does not learn the height of the centre of mass, what
// wings do, or the grip of braking on a straight.
#ifndef KERB_ESTIMATE_BODY_H
#define KERB_ESTIMATE_BODY_H

#include "estimate.h"
#include "private/body_estimate_memory.h"

/// What one vehicle's body taught. Read its values; `memory` is no interface.
typedef struct kerb_body_estimate {
    kerb_vehicle vehicle; ///< the description that it began with

    /// Distance from the reference point back to the axle that follows: the point of the centre
    /// line that has no lateral velocity in slow bends. Negative: ahead. [m] Known from a deviation
    /// of 0.03 of the wheelbase.
    kerb_estimated following_axle;
    /// Slip angle of that axle per lateral acceleration on level ground, at small slip. 0: the
    /// wheels never slip. [rad s²/m] [>= 0] Known from a deviation of 20 % of the value, or where
    /// the vehicle has no tyres.
    kerb_estimated compliance;
    /// Understeer gradient, as kerb_vehicle.understeer_gradient: compliance of the axle that steers
    /// less that of the other one. [rad s²/m] Known from a deviation of 0.15 of the compliance
    /// that an average tyre with the described grip has.
    kerb_estimated understeer_gradient;
    /// Square of the radius of gyration about the vertical: yaw inertia over mass. [m²] [> 0] Known
    /// from a deviation of 15 % of the value. Never known without tyres, where nothing shows it.
    kerb_estimated gyration_square;
    /// Chance that the wheels slip at all. Near 0: a host that moves along circles, whatever its
    /// speed. [1] [0 … 1] Known below 0.05 and above 0.95.
    kerb_estimated tyres;
    /// Greatest lateral acceleration on level ground at the host's grip 1, without wings, as
    /// kerb_vehicle.lateral_acceleration_max. [m/s²] [> 0] Known from a deviation of 8 % of the
    /// value, after driving near the limit.
    kerb_estimated grip;
    /// Share of the grip that is left in a slide far beyond the limit: 1 for flat curves, less for
    /// peaked ones. [1] [0.5 … 1] Known from a deviation of 0.1.
    kerb_estimated slide_grip;
    /// Acceleration that the grip exceeds with 19 chances in 20. [m/s²]
    float grip_at_least;

    float excitation;   ///< standard deviation of the lateral acceleration that taught [m/s²]
    float taught;       ///< driving that taught the axles, with the old forgotten [s]
    float misfit;       ///< slip of the axle that follows that stays unexplained [rad]
    int32_t bad_frames; ///< frames with an impossible motion or a bad or long time step

    kerb_body_estimate_memory memory;
} kerb_body_estimate;

/// An estimate that knows the description only. [vehicle: valid] O(memory)
KERB_API kerb_body_estimate kerb_body_estimate_make(const kerb_vehicle* vehicle);

/// Makes an estimate in place, like kerb_body_estimate_make. See "saved objects" in kerb/base.h.
KERB_API void kerb_body_estimate_init(kerb_body_estimate* estimate, const kerb_vehicle* vehicle);

/// Size of a kerb_body_estimate. [bytes]
KERB_API size_t kerb_body_estimate_bytes(void);

/// Saves an estimate; see "saved objects" in kerb/base.h. [bytes] O(size)
KERB_API size_t kerb_body_estimate_save(const kerb_body_estimate* estimate, void* block,
                                        size_t capacity);

/// Loads an estimate, or refuses the block and changes nothing. `error` may be NULL. O(size)
KERB_API kerb_result kerb_body_estimate_load(kerb_body_estimate* estimate, const void* block,
                                             size_t size, kerb_error* error);

/// Learns from one frame: the controls that acted during `time_step`, and the motion at its end.
/// Of `surroundings` (NULL: kerb_surroundings_default) `applied` replaces the controls, `grip` is
/// the grip of the ground, and `wheels_on_ground` below 1 or `do_not_learn` mean that the frame
/// teaches nothing. When all angular velocities are 0, the rotation tells the yaw rate. O(1)
KERB_API void kerb_body_estimate_feed(kerb_body_estimate* estimate, const kerb_motion* motion,
                                      const kerb_controls* controls,
                                      const kerb_surroundings* surroundings, float time_step);

/// Brings the values up to date with all that was fed. Feeding does it once in four seconds of
/// driving that teaches; this is for who wants it now. O(1)
KERB_API void kerb_body_estimate_update(kerb_body_estimate* estimate);

/// Forgets what was learned, as after damage or a change of tyres: the description counts again.
KERB_API void kerb_body_estimate_reset(kerb_body_estimate* estimate);

/// Gives an estimate what another vehicle with an equal description learned, in addition to its
/// own. The other one counts as `share` of what it drove. Vehicles of other descriptions give
/// nothing. [share: 0 … 1] O(memory)
KERB_API void kerb_body_estimate_merge(kerb_body_estimate* estimate,
                                       const kerb_body_estimate* other, float share);

/// The `description` with what is known put in: reference_to_rear_axle (the axle that follows),
/// understeer_gradient, yaw_inertia and lateral_acceleration_max. Values that are not known stay as
/// they are there; give it what kerb_estimate_vehicle returned to have both. A steering_angle_max
/// that differs from the one that the estimate began with counts as learned: where the
/// understeer_gradient is replaced, the lock (and a steering_rate_max that was learned) changes so
/// that commands give the same curvature as before at the speeds that taught. The result is valid
/// if the description is. O(1)
KERB_API kerb_vehicle kerb_body_estimate_vehicle(const kerb_body_estimate* estimate,
                                                 const kerb_vehicle* description);

/// The world's origin has moved to `new_origin`, given in the old coordinates. [m]
KERB_API void kerb_body_estimate_shift_origin(kerb_body_estimate* estimate, kerb_vec3 new_origin);

#endif
