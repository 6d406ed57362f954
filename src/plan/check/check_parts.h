// Shared parts of the checker: integration of a plan in small steps, and its error messages.
// Private to the checker, which shares no code with the planner.
#ifndef KERB_IN_PLAN_CHECK_CHECK_PARTS_H
#define KERB_IN_PLAN_CHECK_CHECK_PARTS_H

#include "kerb/plan.h"

/// Greatest distance between two tests, as kerb_plan_check documents. [m]
#define PLAN_CHECK_STEP 0.02
/// The footprint that is tested against obstacles is smaller by this much. [m]
#define PLAN_CHECK_LESS 2e-3
/// Share by which a limit may be exceeded, for the rounding of floats. [1]
#define PLAN_CHECK_SHARE 1e-3

/// State of the vehicle while the plan is integrated.
typedef struct plan_check_driven {
    double x, y, forward_x, forward_y;
    double time, length;
    double speed; ///< in the direction of travel [m/s]
    double toll;  ///< cost of the ground until here [s]
} plan_check_driven;

typedef struct plan_check {
    const kerb_plan_limits* limits;
    const kerb_plan* plan;
    const kerb_plan_world* world;             ///< NULL: no obstacles
    double speed_gap, place_gap, heading_gap; ///< accepted errors [m/s], [m], [rad]
    /// Near a start inside an obstacle the footprint is smaller by `eased` more. [m]
    double eased, eased_radius, start_x, start_y;
    int32_t index; ///< of the piece
    kerb_error* error;
} plan_check;

static inline double plan_check_size(double x) {
    return x < 0.0 ? -x : x;
}

static inline double plan_check_larger(double a, double b) {
    return a > b ? a : b;
}

/// Reports a broken limit.
kerb_result kerb_in_plan_check_broken(const plan_check* c, const char* limit, const char* message);

/// Reports a field that contradicts others.
kerb_result kerb_in_plan_check_unfit(const plan_check* c, const char* field, const char* message);

/// Sets position, heading and speed to those of the start of a piece, so that errors do not add up.
void kerb_in_plan_check_set_out(plan_check_driven* at, const kerb_plan_piece* p);

/// The curvature of a piece after `along` metres. [1/m]
double kerb_in_plan_check_curvature(const kerb_plan_piece* p, double along);

/// Moves along a short arc.
void kerb_in_plan_check_drive(plan_check_driven* at, double length, double curvature);

/// Number of steps of a piece, so that each is short in distance, time and turn.
int64_t kerb_in_plan_check_steps(const kerb_plan_piece* p);

/// Time that the wheels need for a change of curvature. [s]
double kerb_in_plan_check_turning(const kerb_plan_limits* l, double change);

// --------------------------------------------------------------------------- curvature

/// Tests, for limits with a curvature_rate, whether curvature is continuous from the piece before
/// `i`, or from the start, and changes slowly enough on it. [wheels: at the start, 1/m]
kerb_result kerb_in_plan_check_rate(const plan_check* c, int32_t i, double wheels);

// --------------------------------------------------------------------------- wheels

/// One or several jumps of curvature that the wheels turn through in one go: those at the starts of
/// the pieces from `first` to `last`.
typedef struct plan_check_turn {
    int32_t first, last;
    double change; ///< sum of the jumps [1/m]
} plan_check_turn;

/// Greatest number of turns since the last standstill that are remembered. Only turns that may
/// still be joined with the latest matter, which are far fewer. [1]
#define PLAN_CHECK_TURNS 64
typedef struct plan_check_turns {
    plan_check_turn list[PLAN_CHECK_TURNS];
    int32_t count;
    int32_t driven; ///< the last piece with a length; -1: none yet
    double begun;   ///< time of the start after a change of direction; long ago: none [s]
    double rolling; ///< time that the wheels turned on after that start [s]
} plan_check_turns;

/// The state before the first piece.
plan_check_turns kerb_in_plan_check_turns_make(void);

/// Tests whether the wheels can follow piece `i`. Call it for all pieces in order.
kerb_result kerb_in_plan_check_wheels(const plan_check* c, int32_t i, plan_check_turns* t);

#endif
