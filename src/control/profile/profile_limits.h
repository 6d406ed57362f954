// The limits of a vehicle at one point of a line. Private to the room.
//
// With b = v² every law is linear in b. With n the surface's normal and l its left, per mass:
//
//     load      N = g·up_normal + (normal_curvature + downforce)·b      presses on the tyres
//     lateral   Q = g·up_left + curvature·b                             the tyres must hold it
//     it holds  |Q| <= μN                                               (Vamos eq. 15-20)
//
// So the greatest b is the root of a linear equation. Along the friction ellipse the tyres have
// sqrt((μN)² - Q²) left: the square root of a quadratic polynomial.
#ifndef KERB_IN_CONTROL_PROFILE_PROFILE_LIMITS_H
#define KERB_IN_CONTROL_PROFILE_PROFILE_LIMITS_H

#include "kerb/control.h"

// Greatest b: it means no limit by grip. [m²/s²]
#define PROFILE_SQUARE_MAX 1.0e12f

typedef struct profile_limits {
    float load, load_gain;   // the tyres hold load + load_gain·b, that is μN [m/s²]
    float aside, aside_gain; // and must hold aside + aside_gain·b [m/s²]
    float climb;             // gravity and rolling resistance against the travel [m/s²]
    float root;              // greatest b that the grip allows [m²/s²]
    float most;              // greatest b that grip, point and vehicle allow [m²/s²]
} profile_limits;

// b of a speed. Negative speeds count as 0; the result is never infinite.
float kerb_in_profile_square(float speed);

// One side of |Q| <= μN: the tyres hold when gain·b <= room.
typedef struct profile_side {
    float room, gain;
} profile_side;

// Side 1: sliding to the right. Side -1: sliding to the left.
profile_side kerb_in_profile_side_of(const profile_limits* l, float side);

float kerb_in_profile_side_most(profile_side side);

// With room and gain both negative, the tyres hold from the root on upwards.
float kerb_in_profile_side_least(profile_side side);

// The smallest b at which the tyres hold.
float kerb_in_profile_least(const profile_limits* l);

// The usual case: the tyres hold at standstill, and speed does not reduce the grip against sliding
// inwards. False with NaN.
bool kerb_in_profile_is_usual(const profile_limits* l);

// The greatest b by grip in the usual case: against sliding outwards. (eq. 20)
float kerb_in_profile_root_usual(const profile_limits* l);

// The greatest b by grip in all other cases: the bank is so steep or the crest so sharp that both
// sides matter, or a number is not finite. 0 when the tyres would hold only above `limit`.
float kerb_in_profile_root_unusual(const profile_limits* l, float limit);

// All limits except root and most.
profile_limits kerb_in_profile_forces(const kerb_performance* performance,
                                      const kerb_profile_point* point);

float kerb_in_profile_limit(const kerb_performance* performance, const kerb_profile_point* point);

profile_limits kerb_in_profile_limits_of(const kerb_performance* performance,
                                         const kerb_profile_point* point);

// Acceleration by the engine in its best gear. `per_step`: steps of the table per m/s. [m/s²]
float kerb_in_profile_engine(const kerb_performance* performance, float per_step, float speed);

float kerb_in_profile_engine_steps(const kerb_performance* performance);

// What turning leaves of the tyres, if they could hold as much along as across the travel. [m/s²]
float kerb_in_profile_tyres(int32_t budget, const profile_limits* l, float b);

// Result of kerb_in_profile_tyres, less the loss of the ellipse by braking or driving while
// turning.
float kerb_in_profile_tyres_less(int32_t budget, float loss, const profile_limits* l, float b);

// Factor on the lateral load of the tyres while the vehicle accelerates. [>= 1]
float kerb_in_profile_powered(const kerb_performance* performance);

// Acceleration that turning takes from the engine: the tyres hold `aside` of `load`. [m/s²]
float kerb_in_profile_turning(float turning_drag, float aside, float load);

// Forward acceleration under full braking. [m/s²]
float kerb_in_profile_braking(const kerb_performance* performance, const profile_limits* l,
                              float b);

#endif
