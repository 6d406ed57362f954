// Purpose: motions of any kind of vehicle that end at a goal.
// Idea:    The derivatives of each piece follow from those of the rates in its middle. From the
// last piece
//          backwards they give two things: the gains of a linear-quadratic regulator, which keep a
//          simulated vehicle near a guess, and the derivatives of the end of the motion by each
//          control while the regulator works. The changes of controls with the least sum of squares
//          that move the end to the goal solve a system with as many equations as a state has
//          numbers. Controls that would leave their limits are set to the limits, and the system is
//          solved again for the others.
// Cost:    O(pieces · states² · (states + controls)).
// Source:  Bryson, Ho, "Applied Optimal Control", 5.3 (regulator) and 7.3 (least changes that meet
//          terminal conditions).
#include "motion.h"

#include <string.h>

// Step of the differences, as a share of kerb_kind.error. Errors of rounding and of curvature are
// then both below a hundredth of the derivative, which Gauss-Newton tolerates. [1]
#define KIND_DIFFERENCE 0.02f
// Rounds of setting controls to their limits. With 8 where the time may change, 6 of 100 persons
// among obstacles are not found any more: more of their controls come to limits in place of the
// time.
#define KIND_LIMIT_ROUNDS 4
// Rounds where the time is given. After the eighth hardly any control changes sides.
#define KIND_LIMIT_ROUNDS_TIMED 8
// Weight that keeps the system solvable where the controls cannot change a number of the state: a
// change of all controls over their whole range for a thousandth of a tolerance. [1]
#define KIND_RIDGE 1e-6f

// Error of a room that is kept which is accepted. [shares of its limit]
#define KIND_ROOM_ACCEPTED 0.01f

// Doublings of the time of a piece: to 1e9 of its parts.
#define KIND_DOUBLINGS 30

// Pieces of step_max by which the cost of errors at an end in space settles.
#define KIND_SETTLING_PIECES 40

// Change of the time, as a share, that counts as much as one control over its whole range. With
// less, controls come to their limits before the time gives way. [1]
#define KIND_STEP_SHARE 0.3f
// Greatest change of the time in a round. Derivatives tell little of greater ones. [1]
#define KIND_STEP_MOST 0.3f

// --------------------------------------------------------------------------- simulation

static void kind_along(int32_t count, const float* state, float time, const float* rates,
                       float* result) {
    for (int32_t i = 0; i < count; i++)
        result[i] = state[i] + time * rates[i];
}

void kerb_in_kind_step_once(const kerb_kind* kind, const float* state, const float* control,
                            float time, float* after) {
    float rates[4][KIND_N] = {{0.0f}}, between[KIND_N] = {0.0f};
    kind->rates(kind->vehicle, state, control, rates[0]);
    kind_along(kind->states, state, 0.5f * time, rates[0], between);
    kind->rates(kind->vehicle, between, control, rates[1]);
    kind_along(kind->states, state, 0.5f * time, rates[1], between);
    kind->rates(kind->vehicle, between, control, rates[2]);
    kind_along(kind->states, state, time, rates[2], between);
    kind->rates(kind->vehicle, between, control, rates[3]);
    for (int32_t i = 0; i < kind->states; i++)
        after[i] = state[i] +
                   time / 6.0f * (rates[0][i] + 2.0f * (rates[1][i] + rates[2][i]) + rates[3][i]);
}

int32_t kerb_in_kind_parts(const kerb_kind* kind, float time) {
    return (int32_t)kerb_max(floorf(time / kind->step_max * 0.999f) + 1.0f, 1.0f);
}

void kerb_in_kind_step(const kerb_kind* kind, const float* state, const float* control, float time,
                       float* after) {
    int32_t parts = kerb_in_kind_parts(kind, time);
    memcpy(after, state, sizeof(float) * KIND_N);
    for (int32_t i = 0; i < parts; i++)
        kerb_in_kind_step_once(kind, after, control, time / (float)parts, after);
}

static float kind_feedback(const kerb_kind* kind, const float gains[KIND_N], const float* state,
                           const float* guess) {
    float sum = 0.0f;
    for (int32_t i = 0; i < kind->states; i++)
        sum += gains[i] * (state[i] - guess[i]);
    return sum;
}

// The control of a piece.
static void kind_control_piece(const kerb_kind* kind, const kind_motion* guess,
                               const kind_derivatives* d, const kind_changes* changes, float share,
                               int32_t k, kind_motion* motion) {
    float feedback = changes ? changes->feedback : 1.0f;
    for (int32_t j = 0; j < kind->controls; j++) {
        float value = guess->controls[k][j] + (changes ? share * changes->controls[k][j] : 0.0f);
        if (feedback > 0.0f) // gains need not be there otherwise
            value +=
                feedback * kind_feedback(kind, d->gains[k][j], motion->states[k], guess->states[k]);
        motion->controls[k][j] = kerb_clamp(value, kind->control_min[j], kind->control_max[j]);
    }
}

bool kerb_in_kind_simulate(const kerb_kind* kind, const kind_motion* guess,
                           const kind_derivatives* d, const kind_changes* changes, float share,
                           int32_t parts, kind_progress* progress, kind_motion* motion) {
    motion->count = guess->count;
    motion->step = guess->step + (changes ? share * changes->step : 0.0f);
    int32_t whole = kerb_in_kind_parts(kind, motion->step);
    float time = motion->step / (float)whole;
    for (; progress->piece < motion->count; progress->piece++, progress->part = 0) {
        int32_t k = progress->piece;
        float *state = motion->states[k + 1], *middle = motion->middles[k];
        if (progress->part == 0) {
            kind_control_piece(kind, guess, d, changes, share, k, motion);
            memcpy(state, motion->states[k], sizeof motion->states[k]);
        }
        for (; progress->part < whole; progress->part++) {
            if (parts-- <= 0)
                return false;
            bool is_half = 2 * progress->part == whole, is_odd = 2 * progress->part + 1 == whole;
            if (is_half || is_odd)
                memcpy(middle, state, sizeof motion->middles[k]);
            kerb_in_kind_step_once(kind, state, motion->controls[k], time, state);
            for (int32_t i = 0; i < kind->states && is_odd; i++)
                middle[i] = 0.5f * (middle[i] + state[i]);
        }
    }
    return true;
}

float kerb_in_kind_gap(const kerb_kind* kind, const kind_motion* motion, const float* goal) {
    float greatest = 0.0f;
    for (int32_t i = 0; i < kind->states; i++) {
        float error = kerb_abs(goal[i] - motion->states[motion->count][i]) / kind->tolerance[i];
        greatest = kerb_is_finite(error) ? kerb_max(greatest, error) : 1e30f;
    }
    return greatest;
}

// --------------------------------------------------------------------------- derivatives

void kerb_in_kind_derive_rates(const kerb_kind* kind, const float* at, const float* control_at,
                               float by_state[KIND_N][KIND_N], float by_control[KIND_N][KIND_M]) {
    float here[KIND_N] = {0.0f}, there[KIND_N] = {0.0f}, state[KIND_N], control[KIND_M];
    memcpy(state, at, sizeof state);
    memcpy(control, control_at, sizeof control);
    kind->rates(kind->vehicle, state, control, here);
    for (int32_t c = kind->space ? 3 : 2; c < kind->states; c++) {
        float change = KIND_DIFFERENCE * kind->error[c], kept = state[c];
        state[c] = kept + change;
        kind->rates(kind->vehicle, state, control, there);
        for (int32_t i = 0; i < kind->states; i++)
            by_state[i][c] = (there[i] - here[i]) / change;
        state[c] = kept;
    }
    for (int32_t c = 0; c < kind->controls; c++) {
        float range = kind->control_max[c] - kind->control_min[c], kept = control[c];
        float change = KIND_DIFFERENCE * range;
        if (kept + change > kind->control_max[c])
            change = -change;
        control[c] = kept + change;
        kind->rates(kind->vehicle, state, control, there);
        for (int32_t i = 0; i < kind->states; i++)
            by_control[i][c] = (there[i] - here[i]) / change;
        control[c] = kept;
    }
}

// row += factor · other. All rows are as long, with zeros behind a kind's numbers: so this is two
// vectors wide.
static void kind_add_row(float* row, float factor, const float* other) {
    for (int32_t c = 0; c < KIND_N; c++)
        row[c] += factor * other[c];
}

// Moves the derivatives of a state on by a time in which those of the rates, A and B, are the same:
// exp(A·time), and its integral times B, to the second power of the time.
static void derive_along(const kerb_kind* kind, float time, float a[KIND_N][KIND_N],
                         float b[KIND_N][KIND_M], float by_state[KIND_N][KIND_N],
                         float by_control[KIND_N][KIND_M]) {
    int32_t n = kind->states, m = kind->controls;
    float state_change[KIND_N][KIND_N] = {{0.0f}}, control_change[KIND_N][KIND_M] = {{0.0f}};
    for (int32_t i = 0; i < n; i++) {
        for (int32_t l = 2; l < n; l++)
            kind_add_row(state_change[i], time * a[i][l], by_state[l]);
        for (int32_t c = 0; c < m; c++) {
            float rate = b[i][c];
            for (int32_t l = 2; l < n; l++)
                rate += a[i][l] * by_control[l][c];
            control_change[i][c] = time * rate;
        }
    }
    for (int32_t i = 0; i < n; i++) {
        kind_add_row(by_state[i], 1.0f, state_change[i]);
        for (int32_t l = 2; l < n; l++)
            kind_add_row(by_state[i], 0.5f * time * a[i][l], state_change[l]);
        for (int32_t c = 0; c < m; c++) {
            by_control[i][c] += control_change[i][c];
            for (int32_t l = 2; l < n; l++)
                by_control[i][c] += 0.5f * time * a[i][l] * control_change[l][c];
        }
    }
}

static float kind_duration(const kind_motion* motion, int32_t k) {
    return motion->step > 0.0f ? motion->step : motion->pieces[k];
}

// result = a · b for n by n matrices.
static void kind_multiply(int32_t n, float a[KIND_N][KIND_N], float b[KIND_N][KIND_N],
                          float result[KIND_N][KIND_N]) {
    memset(result, 0, sizeof(float) * KIND_N * KIND_N);
    for (int32_t i = 0; i < n; i++)
        for (int32_t l = 0; l < n; l++)
            kind_add_row(result[i], a[i][l], b[l]);
}

// The derivatives of a piece over twice the time.
static void kind_double(const kerb_kind* kind, float by_state[KIND_N][KIND_N],
                        float by_control[KIND_N][KIND_M]) {
    int32_t n = kind->states;
    float next[KIND_N][KIND_N], first[KIND_N][KIND_M];
    memcpy(first, by_control, sizeof first);
    for (int32_t i = 0; i < n; i++)
        for (int32_t j = 0; j < kind->controls; j++)
            for (int32_t l = 0; l < n; l++)
                by_control[i][j] += by_state[i][l] * first[l][j];
    kind_multiply(n, by_state, by_state, next);
    memcpy(by_state, next, sizeof next);
}

// The derivatives of one piece: those of the rates at one state, over a step of at most
// kerb_kind.step_max, which is then doubled.
static void derive_piece(const kerb_kind* kind, const float* middle, const float* control,
                         float duration, float by_state[KIND_N][KIND_N],
                         float by_control[KIND_N][KIND_M]) {
    float a[KIND_N][KIND_N] = {{0.0f}}, b[KIND_N][KIND_M];
    memset(by_control, 0, sizeof(float) * KIND_N * KIND_M);
    memset(by_state, 0, sizeof(float) * KIND_N * KIND_N);
    for (int32_t i = 0; i < kind->states; i++)
        by_state[i][i] = 1.0f;
    int32_t parts = kerb_in_kind_parts(kind, duration), doublings = 0;
    for (; 1 << doublings < parts && doublings < KIND_DOUBLINGS; doublings++)
        duration *= 0.5f;
    kerb_in_kind_derive_rates(kind, middle, control, a, b);
    derive_along(kind, duration, a, b, by_state, by_control);
    for (int32_t i = 0; i < doublings; i++)
        kind_double(kind, by_state, by_control);
}

// Cholesky's decomposition of the lower half of `a`, in place.
static void kind_decompose(int32_t n, float* a, int32_t stride) {
    for (int32_t i = 0; i < n; i++)
        for (int32_t j = 0; j <= i; j++) {
            float sum = a[i * stride + j];
            for (int32_t l = 0; l < j; l++)
                sum -= a[i * stride + l] * a[j * stride + l];
            if (i == j)
                a[i * stride + i] = kerb_sqrt(kerb_max(sum, 1e-20f));
            else
                a[i * stride + j] = sum / a[j * stride + j];
        }
}

static void solve_decomposed(int32_t n, const float* a, int32_t stride, float* b) {
    for (int32_t i = 0; i < n; i++) {
        for (int32_t l = 0; l < i; l++)
            b[i] -= a[i * stride + l] * b[l];
        b[i] /= a[i * stride + i];
    }
    for (int32_t i = n - 1; i >= 0; i--) {
        for (int32_t l = i + 1; l < n; l++)
            b[i] -= a[l * stride + i] * b[l];
        b[i] /= a[i * stride + i];
    }
}

void kerb_in_kind_solve(int32_t n, float* a, int32_t stride, float* b) {
    kind_decompose(n, a, stride);
    solve_decomposed(n, a, stride, b);
}

// Weights of the regulator. [1/s]
static float kind_weight(float scale, float step) {
    return step / (scale * scale);
}

// Gains of a piece and the cost of errors before it, from the cost of errors after it (Riccati's
// equation). `cost` is symmetric.
static void regulate_piece(const kerb_kind* kind, float by_state[KIND_N][KIND_N],
                           float by_control[KIND_N][KIND_M], float step, float cost[KIND_N][KIND_N],
                           float gains[KIND_M][KIND_N]) {
    int32_t n = kind->states, m = kind->controls;
    float on[KIND_M][KIND_N] = {{0.0f}}, side[KIND_M][KIND_N] = {{0.0f}};
    float normal[KIND_M][KIND_M] = {{0.0f}}, bent[KIND_N][KIND_N], next[KIND_N][KIND_N];
    for (int32_t j = 0; j < m; j++) {
        for (int32_t l = 0; l < n; l++)
            kind_add_row(on[j], by_control[l][j], cost[l]);
        for (int32_t l = 0; l < n; l++)
            kind_add_row(side[j], -on[j][l], by_state[l]);
        normal[j][j] = kind_weight(kind->control_max[j] - kind->control_min[j], step);
        for (int32_t c = 0; c < m; c++)
            for (int32_t l = 0; l < n; l++)
                normal[j][c] += on[j][l] * by_control[l][c];
    }
    kind_decompose(m, normal[0], KIND_M);
    for (int32_t i = 0; i < n; i++) {
        float gain[KIND_M];
        for (int32_t j = 0; j < m; j++)
            gain[j] = side[j][i];
        solve_decomposed(m, normal[0], KIND_M, gain);
        for (int32_t j = 0; j < m; j++)
            gains[j][i] = gain[j];
    }
    // cost = weight + by_state' · cost · (by_state + by_control · gains)
    memcpy(bent, by_state, sizeof bent);
    for (int32_t i = 0; i < n; i++)
        for (int32_t j = 0; j < m; j++)
            kind_add_row(bent[i], by_control[i][j], gains[j]);
    kind_multiply(n, cost, bent, next);
    for (int32_t i = 0; i < n; i++) {
        memset(cost[i], 0, sizeof cost[i]);
        cost[i][i] = kind_weight(kind->error[i], step);
        for (int32_t l = 0; l < n; l++)
            kind_add_row(cost[i], by_state[l][i], next[l]);
    }
}

// Rounding must not add up over the pieces.
static void kind_make_symmetric(const kerb_kind* kind, float cost[KIND_N][KIND_N]) {
    for (int32_t i = 0; i < kind->states; i++)
        for (int32_t c = 0; c < i; c++)
            cost[i][c] = cost[c][i] = 0.5f * (cost[i][c] + cost[c][i]);
}

// The cost of errors at the end of a motion in space: that of keeping the end for some time, so
// that the gains do not grow towards the end.
static void settle_cost(const kerb_kind* kind, const kind_motion* motion, kind_derivatives* d,
                        float cost[KIND_N][KIND_N]) {
    int32_t last = motion->count - 1;
    derive_piece(kind, motion->states[last], motion->controls[last], kind->step_max,
                 d->by_state[last], d->by_control[last]);
    for (int32_t i = 0; i < KIND_SETTLING_PIECES; i++)
        regulate_piece(kind, d->by_state[last], d->by_control[last], kind->step_max, cost,
                       d->gains[last]);
}

void kerb_in_kind_derive_pieces(const kerb_kind* kind, const kind_motion* motion,
                                kind_derivatives* d) {
    for (int32_t k = 0; k < motion->count; k++)
        derive_piece(kind, motion->middles[k], motion->controls[k], kind_duration(motion, k),
                     d->by_state[k], d->by_control[k]);
}

void kerb_in_kind_derive(const kerb_kind* kind, const kind_motion* motion, kind_derivatives* d) {
    float cost[KIND_N][KIND_N] = {{0.0f}};
    for (int32_t i = 0; i < kind->states; i++)
        cost[i][i] = 1.0f / (kind->error[i] * kind->error[i]);
    if (kind->space)
        settle_cost(kind, motion, d, cost);
    kerb_in_kind_derive_pieces(kind, motion, d);
    for (int32_t k = motion->count - 1; k >= 0; k--) {
        regulate_piece(kind, d->by_state[k], d->by_control[k], kind_duration(motion, k), cost,
                       d->gains[k]);
        kind_make_symmetric(kind, cost);
    }
}

void kerb_in_kind_regulate(const kerb_kind* kind, const float* state, const float* control,
                           int32_t steps, float cost[KIND_N][KIND_N], float gains[KIND_M][KIND_N]) {
    float by_state[KIND_N][KIND_N], by_control[KIND_N][KIND_M];
    derive_piece(kind, state, control, kind->step_max, by_state, by_control);
    for (int32_t i = 0; i < steps; i++) {
        regulate_piece(kind, by_state, by_control, kind->step_max, cost, gains);
        kind_make_symmetric(kind, cost);
    }
}

// --------------------------------------------------------------------------- to the goal

// Derivatives of a number that depends on a motion, by the controls of the pieces before a joint
// and by the step, from its derivatives by the state at the joint, a row of `by_state`, which are
// carried to the start of the motion. `rows` such numbers from `first` on.
static void derive_asked(const kerb_kind* kind, const kind_motion* motion, float feedback,
                         int32_t joint, int32_t first, int32_t rows, float by_state[][KIND_N],
                         kind_derivatives* d) {
    int32_t n = kind->states, m = kind->controls;
    float next[KIND_N][KIND_N], bent[KIND_N][KIND_N], rates[KIND_N] = {0.0f};
    for (int32_t i = 0; i < rows; i++)
        d->by_step[first + i] = 0.0f;
    for (int32_t k = motion->count - 1; k >= joint; k--)
        memset(d->by_change[k][first], 0, sizeof d->by_change[k][first] * (size_t)rows);
    for (int32_t k = joint - 1; k >= 0; k--) {
        kind->rates(kind->vehicle, motion->states[k + 1], motion->controls[k], rates);
        for (int32_t i = 0; i < rows; i++) {
            for (int32_t l = 0; l < n; l++)
                d->by_step[first + i] += by_state[i][l] * rates[l];
            for (int32_t j = 0; j < m; j++) {
                d->by_change[k][first + i][j] = 0.0f;
                for (int32_t l = 0; l < n; l++)
                    d->by_change[k][first + i][j] += by_state[i][l] * d->by_control[k][l][j];
            }
        }
        memcpy(bent, d->by_state[k], sizeof bent);
        for (int32_t i = 0; i < n && feedback > 0.0f; i++)
            for (int32_t j = 0; j < m; j++)
                kind_add_row(bent[i], d->by_control[k][i][j] * feedback, d->gains[k][j]);
        memset(next, 0, sizeof next);
        for (int32_t i = 0; i < rows; i++)
            for (int32_t l = 0; l < n; l++)
                kind_add_row(next[i], by_state[i][l], bent[l]);
        memcpy(by_state, next, sizeof next[0] * (size_t)rows);
    }
}

// A point of the footprint, from the position of the state. The footprint does not depend on it.
static kerb_vec2 point_of_place(const kerb_kind* kind, const kind_place* place,
                                const float* state) {
    kerb_kind_box boxes[KERB_KIND_BOXES_MAX];
    float here[KIND_N];
    memcpy(here, state, sizeof here);
    here[0] = here[1] = 0.0f;
    int32_t count = kind->boxes(kind->vehicle, here, boxes);
    const kerb_pose* pose = &boxes[place->box < count ? place->box : count - 1].pose;
    kerb_vec2 left = kerb_vec2_left(pose->forward);
    return kerb_vec2_add(pose->position, kerb_vec2_add(kerb_vec2_scale(pose->forward, place->at.x),
                                                       kerb_vec2_scale(left, place->at.y)));
}

// How far a place has moved between two states.
static kerb_vec2 place_moves(const kerb_kind* kind, const kind_place* place, const float* from,
                             const float* to) {
    kerb_vec2 moved =
        kerb_vec2_sub(point_of_place(kind, place, to), point_of_place(kind, place, from));
    return kerb_vec2_add(moved, kerb_vec2_make(to[0] - from[0], to[1] - from[1]));
}

// The place of a motion stays on the line along which it moves in the kept motion.
static void derive_place(const kerb_kind* kind, const kind_motion* motion, const kind_motion* kept,
                         const kind_place* place, float feedback, int32_t row,
                         kind_derivatives* d) {
    int32_t joint = place->joint;
    const float* here = kept->states[joint];
    kerb_vec2 along = place_moves(kind, place, kept->states[joint - 1], kept->states[joint + 1]);
    float length = kerb_vec2_length(along);
    kerb_vec2 across = length > 1e-6f ? kerb_vec2_scale(kerb_vec2_left(along), 1.0f / length)
                                      : kerb_vec2_make(-kerb_sin(here[2]), kerb_cos(here[2]));
    const float* state = motion->states[joint];
    float by_state[1][KIND_N] = {{across.x, across.y}}, other[KIND_N];
    memcpy(other, state, sizeof other);
    for (int32_t i = 2; i < kind->states; i++) {
        float change = KIND_DIFFERENCE * kind->error[i];
        other[i] = state[i] + change;
        kerb_vec2 moved = place_moves(kind, place, state, other);
        by_state[0][i] = (across.x * moved.x + across.y * moved.y) / change;
        other[i] = state[i];
    }
    kerb_vec2 off = place_moves(kind, place, state, here);
    d->off[row] = across.x * off.x + across.y * off.y;
    d->accepted[row] = kind->tolerance[0];
    derive_asked(kind, motion, feedback, joint, row, 1, by_state, d);
}

// The room of a motion at a joint stays what it is in the kept motion.
static void derive_kept_room(const kerb_kind* kind, const kind_motion* motion,
                             const kind_motion* kept, int32_t joint, float feedback, int32_t row,
                             kind_derivatives* d) {
    float by_state[1][KIND_N] = {{0.0f}}, other[KIND_N];
    const float* state = motion->states[joint];
    float room = kind->room(kind->vehicle, state);
    memcpy(other, state, sizeof other);
    for (int32_t i = 0; i < kind->states; i++) {
        float change = KIND_DIFFERENCE * kind->error[i];
        other[i] = state[i] + change;
        by_state[0][i] = (kind->room(kind->vehicle, other) - room) / change;
        other[i] = state[i];
    }
    d->off[row] = kind->room(kind->vehicle, kept->states[joint]) - room;
    d->accepted[row] = KIND_ROOM_ACCEPTED;
    derive_asked(kind, motion, feedback, joint, row, 1, by_state, d);
}

// Derivatives of all that is asked, while the regulator works.
static void derive_all_asked(const kerb_kind* kind, const kind_motion* motion,
                             const kind_asked* asked, float feedback, kind_derivatives* d) {
    float by_state[KIND_N][KIND_N] = {{0.0f}};
    d->rows = kind->states;
    for (int32_t i = 0; i < kind->states; i++) {
        by_state[i][i] = 1.0f;
        d->off[i] = asked->goal[i] - motion->states[motion->count][i];
        d->accepted[i] = kind->tolerance[i];
    }
    derive_asked(kind, motion, feedback, motion->count, 0, kind->states, by_state, d);
    for (int32_t i = 0; asked->places && i < asked->places->count; i++) {
        const kind_place* place = &asked->places->places[i];
        int32_t row = d->rows++;
        if (place->box < 0)
            derive_kept_room(kind, motion, asked->kept, place->joint, feedback, row, d);
        else
            derive_place(kind, motion, asked->kept, place, feedback, row, d);
    }
}

// Adds the part of one control to the normal matrix.
static void add_control(int32_t n, const float by_change[KIND_ROWS][KIND_M], int32_t j,
                        float weight, float normal[KIND_ROWS][KIND_ROWS]) {
    for (int32_t i = 0; i < n; i++)
        for (int32_t c = 0; c <= i; c++)
            normal[i][c] += weight * by_change[i][j] * by_change[c][j];
}

// Controls at their limits.
typedef struct kind_held {
    bool controls[KERB_KIND_PIECES_MAX][KIND_M];
    bool step;
} kind_held;

// Change of the step that counts as much as a change of all controls over their whole range.
static float step_range(const kind_motion* motion) {
    return KIND_STEP_SHARE * motion->step * kerb_sqrt((float)motion->count);
}

static void add_step_weight(const kind_motion* motion, const kind_derivatives* d,
                            const kind_changes* changes, const kind_held* held,
                            float normal[KIND_ROWS][KIND_ROWS], float* rest) {
    float range = held->step ? 0.0f : step_range(motion);
    for (int32_t i = 0; i < d->rows; i++) {
        rest[i] -= held->step ? d->by_step[i] * changes->step : 0.0f;
        for (int32_t c = 0; c <= i; c++)
            normal[i][c] += range * range * d->by_step[i] * d->by_step[c];
    }
}

// The part of the gap that controls at their limits leave, and the normal matrix of the others.
// Both are scaled by the tolerances.
static void kind_sum_up(const kerb_kind* kind, const kind_motion* motion, const kind_derivatives* d,
                        const kind_changes* changes, const kind_held* held,
                        float normal[KIND_ROWS][KIND_ROWS], float* rest) {
    int32_t n = d->rows;
    memset(normal, 0, sizeof(float) * KIND_ROWS * KIND_ROWS);
    memcpy(rest, d->off, sizeof(float) * (size_t)n);
    for (int32_t k = 0; k < motion->count; k++)
        for (int32_t j = 0; j < kind->controls; j++) {
            float range = kind->control_max[j] - kind->control_min[j];
            if (!held->controls[k][j])
                add_control(n, d->by_change[k], j, range * range, normal);
            for (int32_t i = 0; held->controls[k][j] && i < n; i++)
                rest[i] -= d->by_change[k][i][j] * changes->controls[k][j];
        }
    add_step_weight(motion, d, changes, held, normal, rest);
    for (int32_t i = 0; i < n; i++) {
        rest[i] /= d->accepted[i];
        for (int32_t c = 0; c <= i; c++)
            normal[i][c] /= d->accepted[i] * d->accepted[c];
        normal[i][i] += KIND_RIDGE;
    }
}

// Sets the changes that the solution asks for; returns how many newly reach their limits.
static int32_t kind_take_changes(const kerb_kind* kind, const kind_motion* motion,
                                 const kind_derivatives* d, const float* solution,
                                 kind_changes* changes, kind_held* held) {
    int32_t reached = 0;
    for (int32_t k = 0; k < motion->count; k++)
        for (int32_t j = 0; j < kind->controls; j++) {
            if (held->controls[k][j])
                continue;
            float range = kind->control_max[j] - kind->control_min[j], wanted = 0.0f;
            for (int32_t i = 0; i < d->rows; i++)
                wanted += d->by_change[k][i][j] * solution[i] / d->accepted[i];
            wanted *= range * range;
            float now = motion->controls[k][j];
            changes->controls[k][j] =
                kerb_clamp(wanted, kind->control_min[j] - now, kind->control_max[j] - now);
            held->controls[k][j] = changes->controls[k][j] != wanted;
            reached += held->controls[k][j] ? 1 : 0;
        }
    return reached;
}

// The same for the step.
static int32_t kind_take_step(const kind_motion* motion, const kind_derivatives* d,
                              const float* solution, kind_changes* changes, kind_held* held) {
    float wanted = 0.0f, range = step_range(motion), most = KIND_STEP_MOST * motion->step;
    if (held->step)
        return 0;
    for (int32_t i = 0; i < d->rows; i++)
        wanted += range * range * d->by_step[i] * solution[i] / d->accepted[i];
    changes->step = kerb_clamp(wanted, -most, most);
    held->step = changes->step != wanted;
    return held->step ? 1 : 0;
}

// What derivatives tell to be left of the gap after the changes. [tolerances]
static float kind_left(const kerb_kind* kind, const kind_motion* motion, const kind_derivatives* d,
                       const kind_changes* changes) {
    float greatest = 0.0f;
    for (int32_t i = 0; i < d->rows; i++) {
        float left = d->off[i];
        left -= d->by_step[i] * changes->step;
        for (int32_t k = 0; k < motion->count; k++)
            for (int32_t j = 0; j < kind->controls; j++)
                left -= d->by_change[k][i][j] * changes->controls[k][j];
        greatest = kerb_max(greatest, kerb_abs(left) / d->accepted[i]);
    }
    return greatest;
}

float kerb_in_kind_moved(const kerb_kind* kind, const kind_derivatives* d, float step) {
    float greatest = 0.0f;
    for (int32_t i = 0; i < kind->states; i++)
        greatest = kerb_max(greatest, kerb_abs(d->by_step[i] * step) / kind->tolerance[i]);
    return greatest;
}

float kerb_in_kind_changes(const kerb_kind* kind, const kind_motion* motion, kind_derivatives* d,
                           const kind_asked* asked, bool is_timed, float feedback,
                           kind_changes* changes) {
    kind_held held = {.step = is_timed};
    changes->feedback = feedback;
    derive_all_asked(kind, motion, asked, feedback, d);
    int32_t rounds = is_timed ? KIND_LIMIT_ROUNDS_TIMED : KIND_LIMIT_ROUNDS;
    for (int32_t round = 0; round < rounds; round++) {
        float normal[KIND_ROWS][KIND_ROWS], rest[KIND_ROWS];
        kind_sum_up(kind, motion, d, changes, &held, normal, rest);
        kerb_in_kind_solve(d->rows, normal[0], KIND_ROWS, rest);
        int32_t reached = kind_take_changes(kind, motion, d, rest, changes, &held);
        if (reached + kind_take_step(motion, d, rest, changes, &held) == 0)
            break;
    }
    return kind_left(kind, motion, d, changes);
}
