// What the checker's parts share: how it drives a movement in small steps, and how it complains.
// Private to the checker: what makes plans has its own, and they share nothing.
#ifndef KERB_IN_PLAN_CHECK_CHECK_PARTS_H
#define KERB_IN_PLAN_CHECK_CHECK_PARTS_H

#include "kerb/plan.h"

/// Further apart than that nothing is held against the world. [m]
#define PLAN_CHECK_STEP 0.02
/// So much smaller is the footprint that is held against obstacles. [m]
#define PLAN_CHECK_LESS 2e-3
/// A share of a limit, for what floats cannot say. [1]
#define PLAN_CHECK_SHARE 1e-3

/// Where the vehicle is while it is driven.
typedef struct plan_check_driven {
    double x, y, forward_x, forward_y;
    double time, length;
    double speed; ///< of travel
    double toll;  ///< [s]
} plan_check_driven;

typedef struct plan_check {
    const kerb_plan_limits* limits;
    const kerb_plan* plan;
    const kerb_plan_world* world;             ///< NULL: nothing is in the way
    double speed_gap, place_gap, heading_gap; ///< that count as none
    int32_t index;                            ///< of the piece
    kerb_error* error;
} plan_check;

static inline double plan_check_size(double x) {
    return x < 0.0 ? -x : x;
}

static inline double plan_check_larger(double a, double b) {
    return a > b ? a : b;
}

/// A limit is.
kerb_result kerb_in_plan_check_broken(const plan_check* c, const char* limit, const char* message);

/// A field does not go with the others.
kerb_result kerb_in_plan_check_unfit(const plan_check* c, const char* field, const char* message);

/// Where a piece begins, in numbers that do not drift.
void kerb_in_plan_check_set_out(plan_check_driven* at, const kerb_plan_piece* p);

/// A short way along an arc.
void kerb_in_plan_check_drive(plan_check_driven* at, double length, double curvature);

/// In which a piece is driven, so that each is short in place, time and turn.
int64_t kerb_in_plan_check_steps(const kerb_plan_piece* p);

/// What the wheels need to turn so far. [s]
double kerb_in_plan_check_turning(const kerb_plan_limits* l, double change);

// --------------------------------------------------------------------------- wheels

/// Pieces first … last begin with a jump that is turned through together with the others'.
typedef struct plan_check_turn {
    int32_t first, last;
    double change; ///< in all [1/m]
} plan_check_turn;

/// The turns of what is driven without standing, as far back as they may matter.
#define PLAN_CHECK_TURNS 64
typedef struct plan_check_turns {
    plan_check_turn list[PLAN_CHECK_TURNS];
    int32_t count;
    int32_t driven; ///< the last piece that was; -1: none yet
    double begun;   ///< when it set off after a change of direction [s]; else long ago
    double rolling; ///< for so long wheels turned on after that [s]
} plan_check_turns;

/// Before the first piece.
plan_check_turns kerb_in_plan_check_turns_make(void);

/// Whether wheels can follow piece `i`, after all those before it.
kerb_result kerb_in_plan_check_wheels(const plan_check* c, int32_t i, plan_check_turns* t);

#endif
