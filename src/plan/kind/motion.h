// Motions of any kind of vehicle: simulation, derivatives, feedback, and the changes of controls
// that lead to a goal. Private to the room.
#ifndef KERB_IN_PLAN_KIND_MOTION_H
#define KERB_IN_PLAN_KIND_MOTION_H

#include "kerb/plan_kind.h"

#define KIND_N KERB_KIND_STATES_MAX
#define KIND_M KERB_KIND_CONTROLS_MAX
// Greatest number of places that a motion keeps.
#define KIND_PLACES_MAX 8
// Numbers that changes lead to what is asked of them: those of the end, then one for each place.
#define KIND_ROWS (KIND_N + KIND_PLACES_MAX)

/// States at joints and constant controls between them.
typedef struct kind_motion {
    int32_t count;                      // pieces
    float step;                         // duration of every piece; 0: they have their own [s]
    float pieces[KERB_KIND_PIECES_MAX]; // durations where `step` is 0 [s]
    float states[KERB_KIND_PIECES_MAX + 1][KIND_N];
    float middles[KERB_KIND_PIECES_MAX][KIND_N]; // states in the middle of the time of the pieces
    float controls[KERB_KIND_PIECES_MAX][KIND_M];
} kind_motion;

/// How far a simulation or a test has come.
typedef struct kind_progress {
    int32_t piece, part; // within the piece
} kind_progress;

/// Derivatives of each piece, and what follows from them.
typedef struct kind_derivatives {
    float by_state[KERB_KIND_PIECES_MAX][KIND_N][KIND_N];   // of the end by the start
    float by_control[KERB_KIND_PIECES_MAX][KIND_N][KIND_M]; // of the end by the control
    float gains[KERB_KIND_PIECES_MAX][KIND_M][KIND_N];
    // What changes lead to what is asked: the numbers of the motion's end, then its places.
    int32_t rows;
    float off[KIND_ROWS];                                     // what is asked, less what is there
    float accepted[KIND_ROWS];                                // greatest error that is accepted
    float by_change[KERB_KIND_PIECES_MAX][KIND_ROWS][KIND_M]; // derivatives by the controls
    float by_step[KIND_ROWS];                                 // and by the step
} kind_derivatives;

/// A point of the footprint at a joint of a motion: changes keep it on the line along which it
/// moves there.
typedef struct kind_place {
    int32_t joint; // [1 … count - 1]
    int32_t box;   // of the footprint; -1: not a point, but the room at the joint stays
    kerb_vec2 at;  // from the box's pose, ahead and left [m]
} kind_place;

/// Places of a motion that changes keep.
typedef struct kind_places {
    int32_t count;
    kind_place places[KIND_PLACES_MAX];
} kind_places;

/// The state after a time under a constant control, in steps of at most kerb_kind.step_max.
void kerb_in_kind_step(const kerb_kind* kind, const float* state, const float* control, float time,
                       float* after);

/// Steps of at most kerb_kind.step_max in a time.
int32_t kerb_in_kind_parts(const kerb_kind* kind, float time);

/// One step of the method of Runge and Kutta. `after` may be `state`.
void kerb_in_kind_step_once(const kerb_kind* kind, const float* state, const float* control,
                            float time, float* after);

/// Derivatives of the rates at a state, by differences. Positions change no rates: their columns
/// are left as they are.
void kerb_in_kind_derive_rates(const kerb_kind* kind, const float* at, const float* control_at,
                               float by_state[KIND_N][KIND_N], float by_control[KIND_N][KIND_M]);

/// Solves a·x = b for a symmetric, positive matrix by Cholesky's decomposition; overwrites both.
/// `stride` numbers are between the rows of `a`.
void kerb_in_kind_solve(int32_t n, float* a, int32_t stride, float* b);

/// Steps of Riccati's equation at one state and control, over kerb_kind.step_max each: `cost`
/// becomes the cost of errors so much longer before, `gains` those of the last step.
void kerb_in_kind_regulate(const kerb_kind* kind, const float* state, const float* control,
                           int32_t steps, float cost[KIND_N][KIND_N], float gains[KIND_M][KIND_N]);

/// Computes derivatives of a motion without its gains, which are left as they are.
void kerb_in_kind_derive_pieces(const kerb_kind* kind, const kind_motion* motion,
                                kind_derivatives* d);

/// Computes derivatives and gains of a motion, as if the rates changed as in the middle of each
/// piece. O(count · states² · (states + controls)), whatever the time
void kerb_in_kind_derive(const kerb_kind* kind, const kind_motion* motion, kind_derivatives* d);

/// Changes of the controls and of the step.
typedef struct kind_changes {
    float controls[KERB_KIND_PIECES_MAX][KIND_M];
    float step;     // [s]
    float feedback; // share of the regulator that works with these changes
} kind_changes;

/// Simulates the vehicle as feedback keeps it near `guess`, with `changes` times `share`; NULL:
/// none. The first state of `motion` is its start. `motion` and `guess` must differ. Does at most
/// `parts` steps and goes on from `progress`; true at the end.
bool kerb_in_kind_simulate(const kerb_kind* kind, const kind_motion* guess,
                           const kind_derivatives* d, const kind_changes* changes, float share,
                           int32_t parts, kind_progress* progress, kind_motion* motion);

/// How far the end of a motion is from the goal: the greatest error, in tolerances. [1]
float kerb_in_kind_gap(const kerb_kind* kind, const kind_motion* motion, const float* goal);

/// What changes of a motion are to reach.
typedef struct kind_asked {
    const float* goal;         // state at the end
    const kind_places* places; // NULL: none
    const kind_motion* kept;   // the motion whose places they are
} kind_asked;

/// The least changes of the controls that lead the end to the goal, and keep places,, as far as
/// derivatives tell. Controls stay within their limits. `is_timed`: the step changes by
/// changes->step. `feedback`: share of the regulator that works. Returns the greatest error that is
/// left then, as far as derivatives tell. [tolerances]
float kerb_in_kind_changes(const kerb_kind* kind, const kind_motion* motion, kind_derivatives* d,
                           const kind_asked* asked, bool is_timed, float feedback,
                           kind_changes* changes);

/// How far a change of the step alone moves the end, once kerb_in_kind_changes has derived it.
/// [tolerances]
float kerb_in_kind_moved(const kerb_kind* kind, const kind_derivatives* d, float step);

#endif
