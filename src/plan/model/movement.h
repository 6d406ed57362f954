// Paths as rows of arcs, and the fastest speed profile along them. Private to the room.
//
// The squared speed v² is piecewise linear in the distance: per metre it rises by at most 2a and
// falls by at most 2d, and each arc has a cap for it. So one pass from the start and one from the
// goal give the exact profile at the joints of the arcs. Within an arc three formulas give it.
//
//    v²    .-------.               the first arc's cap
//         /         \   .---.      the third's
//        /           '-'     '     the second's
//    start                  goal
#ifndef KERB_IN_PLAN_MODEL_MOVEMENT_H
#define KERB_IN_PLAN_MODEL_MOVEMENT_H

#include "kerb/plan.h"

/// Greatest number of arcs of a path, enough for some kilometres. A speed profile of so many takes
/// 24 KiB of stack. [1]
#define PLAN_ARCS_MAX 2048

/// Greatest number of pieces of the motion along a path of `count` arcs: three per arc, and a
/// standstill at each change of direction.
#define PLAN_PIECES_OF(count) (4 * (count))

/// One arc. The curvature is left positive in both directions of travel; a negative length is
/// driven in reverse. Arcs of length 0 are ignored.
typedef struct plan_arc {
    float curvature; // [1/m]
    float length;    // [m]
} plan_arc;

/// A clothoid: its curvature changes linearly with the distance. An arc where it does not.
typedef struct plan_clothoid {
    kerb_pose start;
    float curvature; // at its start [1/m]
    float change;    // of the curvature, from start to end [1/m]
    float length;    // negative in reverse [m]
    float standing;  // standstill before it, in which the wheels turn; negative: none [s]
} plan_clothoid;

/// Constants of all speed profiles of a vehicle, by direction: [0] forwards, [1] in reverse.
typedef struct plan_rates {
    float speed_squared[2];             // greatest [m²/s²]; 0: never in that direction
    float gain[2], loss[2];             // of squared speed, 2a and 2d [m/s²]
    float per_acceleration[2];          // 1/a
    float per_braking[2];               // 1/d
    float share_gain[2], share_loss[2]; // 2a/(2a+2d) and 2d/(2a+2d)
    float lateral;                      // [m/s²]
    float yaw_rate;                     // [rad/s]
    float grip;          // change of squared speed without side force; 0: no ellipse [m/s²]
    float reversal_time; // [s]
    float curvature;     // greatest [1/m]
    float wheel_time;    // time of a change of curvature, per curvature [s m]
    float rolling;       // wheels turn on for so long before and after a standstill [s]
    float rate;          // fastest change of curvature; 0: it may jump [1/(m s)]
    float bend_most;     // greatest curvature of a clothoid [1/m]
    float drift; // 1/(v²·|change|³) where turning the wheels causes the greatest lateral offset
} plan_rates;

plan_rates kerb_in_plan_rates_of(const kerb_plan_limits* limits);

/// Standstill at a change of direction and of curvature. [s]
float kerb_in_plan_standing(const plan_rates* rates, float before, float after);

/// Standstill before the vehicle starts from rest. The angle of its wheels is not known, so they
/// count as straight. [s]
float kerb_in_plan_setting_off(const plan_rates* rates, float curvature);

/// Greatest squared speed on an arc of this curvature. [m²/s²]
float kerb_in_plan_cap(const plan_rates* rates, float curvature, int32_t reverse);

/// Time of the fastest motion along a path; KERB_PLAN_NEVER where the path cannot be driven from
/// one speed to the other. Speeds are along the pose, negative in reverse. [s] [count: 0 …
/// PLAN_ARCS_MAX] O(count)
float kerb_in_plan_movement_time(const plan_rates* rates, const plan_arc* arcs, int32_t count,
                                 float speed_start, float speed_goal);

/// Writes the pieces of the fastest motion, at most PLAN_PIECES_OF(count), and returns their
/// number. 0 where the path cannot be driven, and where it has no length. O(count)
int32_t kerb_in_plan_movement_pieces(const plan_rates* rates, kerb_pose start, const plan_arc* arcs,
                                     int32_t count, float speed_start, float speed_goal,
                                     kerb_plan_piece* pieces);

/// The same for a row of clothoids, each of which begins where the one before it ends, with its
/// curvature, unless there is a standstill between them. `wheels`: curvature of the wheels at the
/// start. [1/m] [count: 0 … PLAN_ARCS_MAX]
int32_t kerb_in_plan_movement_bends(const plan_rates* rates, const plan_clothoid* bends,
                                    int32_t count, float wheels, float speed_start,
                                    float speed_goal, kerb_plan_piece* pieces);

/// Price of what legs are too short by, where paths are compared. Overshooting by 5 cm more costs
/// less, a detour more. [s/m]
#define PLAN_SHORT_LEGS 40.0f

/// Least length of a leg beside other legs, see below. [m]
float kerb_in_plan_leg_least(const plan_rates* rates);

/// By how much the legs of a path are too short, all together: 0 where each can be driven. A leg is
/// the part between two changes of direction. Below 5 cm, or a fortieth of the smallest turning
/// radius where that is less, it is no more than the error of a vehicle's stop. A path that keeps
/// its direction has no leg that is too short. [m] O(count)
float kerb_in_plan_short_legs(const plan_rates* rates, const plan_arc* arcs, int32_t count);

/// The pose at the end of a path. O(count)
kerb_pose kerb_in_plan_way_end(kerb_pose start, const plan_arc* arcs, int32_t count);

#endif
