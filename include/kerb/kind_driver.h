// Kerb kind_driver: drives a vehicle of any kind along a plan of kerb/plan_kind.h, or keeps it at a
// place that moves.
//
// Call order: kerb_kind_driver_make once per vehicle, then kerb_kind_driver_drive once per frame.
//
//     kerb_kind_driver driver = kerb_kind_driver_make(&kind);
//     kerb_motion motion = kerb_motion_default();
//     kerb_controls controls = kerb_controls_safe(KERB_REASON_NONE);
//     while (controls.reason != KERB_REASON_ARRIVED && controls.reason != KERB_REASON_GIVEN_UP) {
//         // The host fills `motion` from its physics here.
//         controls = kerb_kind_driver_drive(&driver, &plan, &motion, NULL, 1.0f / 60.0f);
//         // The host applies `controls` and simulates one frame here.
//     }
//
// The driver commands the planned controls and adds the plan's gains times the difference between
// the planned and the real state. Its clock follows the plan. The clock runs slower while the
// vehicle is behind the plan, so a vehicle that is slower than planned arrives late, but where it
// should. What kerb_controls means for a kind is written in kerb/kinds.h.
//
// kerb_kind_driver_keep keeps a place that moves: a slot of a formation (kerb/group.h), or the
// water behind another ship. A chase (kerb/kind_chase.h) leads to it first:
//
//     kerb_formation_place slot = kerb_formation_place_of(&leader, curvature, offset);
//     kerb_kind_place place = {slot.position, slot.forward, slot.speed, slot.curvature};
//     controls = keeps ? kerb_kind_driver_keep(&driver, &place, &motion, NULL, time_step)
//                      : kerb_kind_driver_drive(&driver, &plan, &motion, NULL, time_step);
//     // Keeps from ARRIVED on; chases anew from GIVEN_UP on.
//
// Lifetimes: a driver is plain data and owns nothing. It copies the kind, but not kind->vehicle. It
// keeps no pointer to the plan; the arrays of the plan must be valid during each call. Threads: use
// a driver from one thread at a time; different drivers are independent.
//
// Does not: react to neighbours or to what blocks the plan.
#ifndef KERB_KIND_DRIVER_H
#define KERB_KIND_DRIVER_H

#include "kind_chase.h"
#include "plan_kind.h"

/// What a driver decided in the last frame, for pictures and for debugging.
typedef struct kerb_kind_driver_decision {
    float state[KERB_KIND_STATES_MAX];     ///< of the vehicle
    float planned[KERB_KIND_STATES_MAX];   ///< at the driver's clock
    float control[KERB_KIND_CONTROLS_MAX]; ///< commanded, in the kind's terms
    float time;                            ///< clock of the driver on the plan [s]
    float behind;      ///< distance that the vehicle is behind the plan; negative: ahead [m]
    float cross_track; ///< distance from the plan, left positive [m]
    kerb_reason reason;
} kerb_kind_driver_decision;

/// Drives a vehicle along a plan. Plain data: a copy saves it.
typedef struct kerb_kind_driver {
    kerb_kind kind;
    kerb_kind_driver_decision decision; ///< of the last frame
    kerb_controls controls;             ///< returned last
    int32_t bad_frames;                 ///< frames with an impossible motion or time step
    float clock;                        ///< time of the plan; negative: no plan yet [s]
    float key[8];                       ///< of the plan that is driven
    kerb_kind_regulator regulator;      ///< of the place that is kept
} kerb_kind_driver;

/// A driver that has not driven yet. `kind` must be valid.
KERB_API kerb_kind_driver kerb_kind_driver_make(const kerb_kind* kind);

/// Computes the controls for this frame. `told`: the numbers of the state that kerb_motion does not
/// tell, such as the angle of a hitch, in the order that the kind documents; NULL where there are
/// none. The plan may change in any frame: the driver then begins at its start. Allocates nothing.
/// O(1)
///
/// Reasons: CRUISE on the plan, and at a goal at rest for up to a second while it corrects what is
/// left; ARRIVED at its end, with controls that stop and hold the vehicle
/// where the plan ends at rest; GIVEN_UP where the vehicle is farther from the plan than ten
/// times kerb_kind.error, with controls that stop it; NONE without a plan; BAD_MOTION; BAD_STEP.
///
/// time_step: time since the last call. [s] [KERB_TIME_STEP_MIN … KERB_TIME_STEP_MAX] A shorter
/// one, or one that is not finite, returns the last controls again. A longer one is driven as
/// KERB_TIME_STEP_MAX.
KERB_API kerb_controls kerb_kind_driver_drive(kerb_kind_driver* driver, const kerb_kind_plan* plan,
                                              const kerb_motion* motion, const float* told,
                                              float time_step);

/// Computes the controls for this frame that keep a vehicle at a place that moves. Feedback of a
/// regulator about the state that such a place needs (kerb_kind_regulator_aim), so the vehicle has
/// to be near it: lead it there by a plan of a chase. `told` and time_step as for
/// kerb_kind_driver_drive; decision.planned is the state at the place, decision.time is 0.
/// Allocates nothing. O(states³), some microseconds; the first call after another function forty
/// times that
///
/// Reasons: CRUISE; GIVEN_UP where the vehicle is farther from the place than fifty times
/// kerb_kind.error, and for kinds in space that coast (kerb_kind_space.coasts) always, with
/// controls that stop it or let it go on; BAD_MOTION; BAD_STEP.
KERB_API kerb_controls kerb_kind_driver_keep(kerb_kind_driver* driver, const kerb_kind_place* place,
                                             const kerb_motion* motion, const float* told,
                                             float time_step);

#endif
