// Ways as rows of arcs, and how fast they can be driven. Private to the room.
//
// In squared speed everything is straight lines: along a way, v² rises by 2a a metre at most and
// falls by 2d, and each arc has a cap for it. So the fastest profile is known at the joints of the
// arcs by one pass from the start and one from the goal, exactly, and in between by three formulas.
//
//    v²    .-------.               the first arc's cap
//         /         \   .---.      the third's
//        /           '-'     '     the second's
//    start                  goal
#ifndef KERB_IN_PLAN_MODEL_MOVEMENT_H
#define KERB_IN_PLAN_MODEL_MOVEMENT_H

#include "kerb/plan.h"

/// Most arcs of a way.
#define PLAN_ARCS_MAX 2048

/// Pieces that the movement over a way of `count` arcs has at most: three an arc, and a stand at
/// each change of direction.
#define PLAN_PIECES_OF(count) (4 * (count))

/// One arc: the curvature is left positive whichever way it is driven; a negative length is driven
/// in reverse. Arcs without length count for nothing.
typedef struct plan_arc {
    float curvature; // [1/m]
    float length;    // [m]
} plan_arc;

/// What is the same for all profiles of a vehicle, by direction: [0] forwards, [1] in reverse.
typedef struct plan_rates {
    float speed_squared[2];             // greatest [m²/s²]; 0: never driven in that direction
    float gain[2], loss[2];             // of squared speed, 2a and 2d [m/s²]
    float per_acceleration[2];          // 1/a
    float per_braking[2];               // 1/d
    float share_gain[2], share_loss[2]; // 2a/(2a+2d) and 2d/(2a+2d)
    float lateral;                      // [m/s²]
    float yaw_rate;                     // [rad/s]
    float reversal_time;                // [s]
    float curvature;                    // greatest [1/m]
    float wheel_time;                   // that a change of curvature takes, per curvature [s m]
    float drift; // 1/(v²·|change|³) where turning the wheels makes it drift as far as it may
} plan_rates;

plan_rates kerb_in_plan_rates_of(const kerb_plan_limits* limits);

/// How long it stands for a change of direction and of curvature. [s]
static inline float plan_standing(const plan_rates* rates, float before, float after) {
    float turning = rates->wheel_time * kerb_abs(after - before) - KERB_PLAN_STEERING_WHILE_ROLLING;
    return kerb_max(rates->reversal_time, turning);
}

/// How long it stands before it sets off from rest: nobody has said where the wheels are, so they
/// count as straight. [s]
static inline float plan_setting_off(const plan_rates* rates, float curvature) {
    return kerb_max(rates->wheel_time * kerb_abs(curvature) - KERB_PLAN_STEERING_WHILE_ROLLING,
                    0.0f);
}

/// Squared speed that an arc's curvature allows. [m²/s²]
static inline float plan_cap(const plan_rates* rates, float curvature, int32_t reverse) {
    float bend = kerb_abs(curvature), most = rates->speed_squared[reverse];
    if (bend * most > rates->lateral)
        most = rates->lateral / bend;
    if (bend * bend * most > rates->yaw_rate * rates->yaw_rate)
        most = rates->yaw_rate * rates->yaw_rate / (bend * bend);
    return most;
}

/// Time of the fastest movement over a way; KERB_PLAN_NEVER where it cannot be driven from the one
/// speed to the other. Speeds along the pose, negative in reverse. [s] [count: 0 … PLAN_ARCS_MAX]
/// O(count), about 10 ns an arc.
float kerb_in_plan_movement_time(const plan_rates* rates, const plan_arc* arcs, int32_t count,
                                 float speed_start, float speed_goal);

/// The same, and writes the pieces: PLAN_PIECES_OF(count) at most. Returns how many; 0 where it
/// cannot be driven, and where there is nothing to drive.
int32_t kerb_in_plan_movement_pieces(const plan_rates* rates, kerb_pose start, const plan_arc* arcs,
                                     int32_t count, float speed_start, float speed_goal,
                                     kerb_plan_piece* pieces);

/// Where a way ends. O(count)
kerb_pose kerb_in_plan_way_end(kerb_pose start, const plan_arc* arcs, int32_t count);

#endif
