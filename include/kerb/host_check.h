// Kerb host check: names what a host tells wrongly.
//
// Most trouble with a new host is one of a few mistakes: the velocity is in the wrong axes, the
// steering is applied to the wrong side, the time step is in milliseconds. A vehicle then drives
// badly, and nothing says why. A game feeds a host check beside a driver, for some seconds or
// always, and the check names the mistake.
//
// Call order: make a check for the vehicle, feed it every frame, and ask for the worst mistake.
//
//     kerb_host_check check = kerb_host_check_make(&vehicle);
//     // In every frame, before the driver is called; `controls` are still those of the last frame:
//     kerb_host_check_feed(&check, &motion, &controls, time_step);
//     kerb_host_mistake mistake = kerb_host_check_worst(&check);
//     if (mistake != KERB_HOST_NO_MISTAKE)
//         printf("%s: %s\n", kerb_host_mistake_text(mistake),
//                kerb_host_mistake_remedy(mistake));
//
// WHAT IT NEEDS. The vehicle must drive: a mistake shows only when right and wrong numbers differ.
// Above 3 m/s and with a tenth of the steering used, a mistake has a name after 1.5 to 3 s. A wrong
// gear shows once another gear than the one told has been commanded for a second, and late controls
// after half a minute with much steering. Until then the verdict is KERB_HOST_NOT_KNOWN.
//
// HOW IT DECIDES. Each mistake is a second hypothesis beside "the host tells the truth", with its
// own prediction of what is told. Positions are the common measure: a velocity must be the change
// of position, a rotation must point along it, a steering command must turn it. Every 0.15 s the
// check compares how well both hypotheses predict, and adds the logarithm of the ratio of their
// likelihoods to the evidence (sequential probability ratio test of Wald). A mistake is named when
// its odds are a million to one. Each comparison counts for little, however bad it is: a jump, a
// collision or a slide alone names nothing.
//
// SEVERAL MISTAKES. Some comparisons need other numbers to be right. When the rotation is wrong,
// nothing is known about the steering. Mend the worst mistake, make a new check, and drive again.
//
// DRIVERS. Follower, lane keeper, racer, plan driver and steering driver run a check of their own
// in the first minute of driving, and longer while it suspects a mistake. Their decision has
// `host_mistake` (the steering driver has `host_check`), and the reason of the controls is
// KERB_REASON_HOST_MISTAKE while a mistake stands. Only the first minute, because a check costs
// about 40 ns a frame, and a host makes its mistakes from the first frame on.
//
// WHAT IT CANNOT TELL. A left-handed world in which positions, rotations and velocities agree looks
// as if the steering were reversed: the remedy of KERB_HOST_STEERING_REVERSED names both. A wrong
// unit of length, and wrong numbers in kerb_vehicle, have no name.
//
// Lifetimes and threads: a check is plain data without pointers. Copy it to save it; copy it back
// to continue. A copy is valid only in the same build of the library. For files there are
// kerb_host_check_save and kerb_host_check_load. One thread at a time may use one check; different
// checks are independent. It allocates nothing. Texts are constant strings.
//
// Does not: change any controls; check settings (kerb_vehicle_validate does); check aircraft.
#ifndef KERB_HOST_CHECK_H
#define KERB_HOST_CHECK_H

#include "private/host_check_memory.h"
#include "vehicle.h"

/// A mistake of a host. The first ones hide later ones.
typedef enum kerb_host_mistake {
    KERB_HOST_NO_MISTAKE, ///< none is known
    /// kerb_motion.rotation stays constant, or is four zeros, while the vehicle turns.
    KERB_HOST_ROTATION_CONSTANT,
    /// The rotation was made from a heading in degrees: it turns 57 times as fast as the vehicle.
    KERB_HOST_HEADING_IN_DEGREES,
    /// Axes of position, rotation and velocity do not fit together: y up, left-handed, a forward
    /// axis that is not x, a quaternion that begins with w.
    KERB_HOST_AXES_MIXED,
    /// kerb_motion.velocity stays zero, or constant, while the position changes otherwise.
    KERB_HOST_VELOCITY_MISSING,
    /// kerb_motion.velocity is in the axes of the vehicle instead of those of the world.
    KERB_HOST_VELOCITY_IN_VEHICLE_AXES,
    /// The time step is in milliseconds.
    KERB_HOST_TIME_STEP_IN_MILLISECONDS,
    /// The vehicle turns to the other side than kerb_controls.steering says, or
    /// kerb_motion.steering has the other sign.
    KERB_HOST_STEERING_REVERSED,
    /// kerb_motion.gear never changes, though other gears are commanded and drive the vehicle.
    KERB_HOST_GEAR_MISSING,
    /// The wheels follow the controls later than kerb_vehicle.steering_delay says, by 0.45 s or
    /// more: shorter delays look like tyres. Named after half a minute to a minute of steering to
    /// and fro.
    KERB_HOST_CONTROLS_LATE,
    KERB_HOST_MISTAKE_COUNT ///< number of mistakes, with KERB_HOST_NO_MISTAKE
} kerb_host_mistake;

/// The mistake in a few English words, such as "the time step is in milliseconds". Never NULL; a
/// constant string.
KERB_API const char* kerb_host_mistake_text(kerb_host_mistake which);

/// What shows the mistake, and its remedy, in a sentence: "kerb_motion.velocity is given in the
/// vehicle's own axes: rotate it by the rotation into the world, with kerb_quat_rotate". Never
/// NULL; a constant string.
KERB_API const char* kerb_host_mistake_remedy(kerb_host_mistake which);

/// What is known about a mistake.
typedef enum kerb_host_verdict {
    KERB_HOST_NOT_KNOWN, ///< the drive has not shown it yet
    KERB_HOST_FINE,      ///< the host does not make the mistake: 1,000 to 1
    KERB_HOST_WRONG      ///< the host makes the mistake: 1,000,000 to 1
} kerb_host_verdict;

/// "not known", "fine" or "wrong"; "unknown" out of range. Never NULL.
KERB_API const char* kerb_host_verdict_text(kerb_host_verdict value);

/// A host check. Plain data without pointers.
typedef struct kerb_host_check {
    /// Logarithm of the odds for each mistake, from -20 to 20; before the first frame 0, or -3 for
    /// mistakes that a slide can look like. What happened long ago is forgotten, because the
    /// evidence does not leave this range. [1]
    float evidence[KERB_HOST_MISTAKE_COUNT];
    int32_t judgements; ///< comparisons made
    int32_t bad_frames; ///< frames with a motion or a time step that is not finite or impossible

    /// What it remembers. No interface: see kerb/private/host_check_memory.h.
    kerb_host_check_memory memory;
} kerb_host_check;

/// A check that knows nothing yet. O(1) [vehicle: passes kerb_vehicle_validate]
KERB_API kerb_host_check kerb_host_check_make(const kerb_vehicle* vehicle);

/// Makes a check in place, like kerb_host_check_make. See "saved objects" in kerb/base.h.
KERB_API void kerb_host_check_init(kerb_host_check* check, const kerb_vehicle* vehicle);

/// Size of a check. [bytes]
KERB_API size_t kerb_host_check_bytes(void);

/// Size of the block that saves a check; writes the block where it fits. See kerb/base.h. [bytes]
KERB_API size_t kerb_host_check_save(const kerb_host_check* check, void* block, size_t capacity);

/// Loads a check from a block. Refuses blocks of other types, versions and builds; see kerb/base.h.
KERB_API kerb_result kerb_host_check_load(kerb_host_check* check, const void* block, size_t size,
                                          kerb_error* error);

/// Takes one frame: what the host tells now, the controls that acted since the last frame, and the
/// time since then. Pass exactly what the driver gets, mistakes included. `given` may be NULL when
/// a player drives: then nothing is known about steering and gears. Frames that are not finite or
/// impossible are counted and left out. Allocates nothing. O(1)
KERB_API void kerb_host_check_feed(kerb_host_check* check, const kerb_motion* motion,
                                   const kerb_controls* given, float time_step);

/// Moves what the check remembers with the origin of the world, as kerb_follower_shift_origin does.
/// Drivers shift their own check. [m] O(1)
KERB_API void kerb_host_check_shift_origin(kerb_host_check* check, kerb_vec3 new_origin);

/// What is known about one mistake. O(1)
KERB_API kerb_host_verdict kerb_host_check_verdict(const kerb_host_check* check,
                                                   kerb_host_mistake which);

/// The mistake to mend first: the first one that is WRONG, or KERB_HOST_NO_MISTAKE. O(mistakes)
KERB_API kerb_host_mistake kerb_host_check_worst(const kerb_host_check* check);

#endif
